# The examples of data/policies/README.md work, and its table names every policy that is shipped.
. "$(dirname "$0")/lib.sh"
page=$SOURCE/data/policies/README.md

block() { # NUMBER: the text of that fenced block
  awk -v wanted="$1" '/^```/ { inside = !inside; count += inside; next } inside && count == wanted' "$page"
}

block 1 >mine.lua
expect 0 "$TMSIM" policy check ./mine.lua
says out 'scale-free'
expect 0 "$TMSIM" solve ./mine.lua:overhead=50ms --tc 60+0.6 --overhead 20ms
block 3 >logged.csv
block 4 >logged.json
for file in logged.csv logged.json; do
  expect 0 "$TMSIM" policy verify ./mine.lua --against $file --tolerance 0.001
  says out '1 of 1 rows agree'
done
for file in "$SOURCE"/data/policies/*.lua; do
  name=$(basename "$file" .lua)
  grep -qF "| \`$name\` |" "$page" || fail "the table does not name $name"
done
expect 0 "$TMSIM" policy list
[ "$(grep -c '^| `[a-z0-9_]*` | [a-z]* | [a-z]* | [a-z]* |' "$page")" -eq "$(($(wc -l <out) - 1))" ] || fail "the table names others"
finish
