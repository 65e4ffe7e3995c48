# Writes the text file IN as the C string NAME, which HEADER declares, into OUT.
file(READ ${IN} text)
string(REPLACE "\\" "\\\\" text "${text}")
string(REPLACE "\"" "\\\"" text "${text}")
string(REPLACE "\n" "\\n\"\n  \"" text "${text}")
file(WRITE ${OUT} "#include \"${HEADER}\"\n\nconst char ${NAME}[] =\n  \"${text}\";\n")
