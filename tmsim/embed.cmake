# Writes the text file IN as the C string `schema_sql` into OUT.
file(READ ${IN} text)
string(REPLACE "\\" "\\\\" text "${text}")
string(REPLACE "\"" "\\\"" text "${text}")
string(REPLACE "\n" "\\n\"\n  \"" text "${text}")
file(WRITE ${OUT} "#include \"tmsim/schema.h\"\n\nconst char schema_sql[] =\n  \"${text}\";\n")
