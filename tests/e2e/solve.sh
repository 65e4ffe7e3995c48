# What the arithmetic says, on the command line: exit codes, formats, witnesses that reproduce, and bad input.
. "$SOURCE/tests/e2e/lib.sh"

expect 20 "$TMSIM" solve oldtm --tc 60+0 --overhead 50ms
says out 'flags at move 62'
says out 'cap binds       2.400 s   `time / 2 - 1000` wins over `time / 12 + 0.9 * inc` below'
says out 'no increment, so the clock drains'
says out 'reproduce: tmsim policy eval oldtm --time 1.9s --inc 0s'
expect 0 "$TMSIM" solve oldtm --tc 60+0 --overhead 5ms
expect 0 "$TMSIM" solve steptm --tc 60+0.1 --overhead 0ms,50ms --spend soft --grid
says out '2.125'
says out '2.250'

# Every witness is a command that runs, and shows a limit that is not above zero where the sentence said so.
"$TMSIM" solve oldtm pool --tc 60+0 --format json >cells.json 2>err
grep -o '"witness": "[^"]*"' cells.json | sed 's/"witness": "//; s/"$//' | sort -u >witnesses
[ "$(wc -l <witnesses)" -ge 10 ] || fail "only $(wc -l <witnesses) witnesses"
while read -r program words; do
  [ "$program" = tmsim ] || fail "a witness starts with $program"
  eval "\"\$TMSIM\" $words" >out 2>err </dev/null
  case $? in 0|20) ;; *) fail "exit $?: tmsim $words"; cat err;; esac
done <witnesses
expect 0 "$TMSIM" policy eval oldtm --time 1.9s --inc 0s --format csv
says out '-0.04,-0.05,0.04,0.05,0.04,true'

# A formula of one line, and several of them.
expect 0 "$TMSIM" solve --expr 'soft=T/40+0.9*I; hard=T/4' --tc 30+1
says out 'soft lies above hard up to 4.000 s'
expect 0 "$TMSIM" solve --expr 'soft=T/40' --expr 'hard=T/30' --tc 60+0.6 --tc 40/60 --overhead 0ms --grid --format csv
[ "$(wc -l <out)" -eq 5 ] || fail "5 lines of CSV expected, found $(wc -l <out)"

# Without quotes in a name, a path is what a shell needs to be shown.
mkdir "with blank"
cp "$SOURCE/data/policies/simple.lua" "with blank/it's mine.lua"
expect 0 "$TMSIM" solve "with blank/it's mine.lua" --tc 30+1
says out "tmsim policy eval 'with blank/it'\\''s mine.lua' --time"

# Pathologies go to a store, and a second run adds nothing.
expect 20 "$TMSIM" solve oldtm --tc 60+0 --db found.db
expect 20 "$TMSIM" solve oldtm --tc 60+0 --db found.db
[ -s found.db ] || fail 'no store was written'

expect 0 "$TMSIM" policy list
says out 'pool'
expect 0 "$TMSIM" policy show pool:moves=30
says out '30 (default 40), 2 … 100'
expect 0 "$TMSIM" policy check pool oldtm
says out 'pool: scale-free'
says out 'oldtm: not scale-free'
expect 0 "$TMSIM" policy vectors pool --out pool.json
expect 0 "$TMSIM" policy verify pool --against pool.json
says out 'rows agree within 1e-09 s, largest difference 0 s'
expect 4 "$TMSIM" policy verify pool:scale=0.9 --against pool.json
says out 'expected'
if command -v gnuplot >/dev/null; then
  expect 0 "$TMSIM" policy plot pool oldtm --log --out budgets.svg
  grep -q '<svg' budgets.svg || fail 'budgets.svg is no SVG'
  expect 0 "$TMSIM" policy plot pool --walk --out walk.png
  [ -s walk.png ] || fail 'walk.png is empty'
  expect 0 "$TMSIM" policy plot pool --term
  says out 'pool hard'
fi

refuse() { # TEXT ARGUMENTS…
  text=$1; shift
  expect 2 "$TMSIM" "$@"
  says err "$text"
  [ ! -s out ] || fail "something on standard output for: $*"
}
refuse 'expected a policy' solve
refuse "did you mean smooth?" solve smoth
refuse 'a duration needs its unit; 50ms or 50s?' solve pool --overhead 50
refuse 'a duration needs its unit' solve pool --overhead 0ms,50
refuse '--moves' solve pool --moves 0
refuse 'at character 4' solve pool --tc 40/
refuse '--t1' solve pool --t1 0s
refuse '--growth' solve pool --growth 1
refuse 'is given, not assigned' solve --expr 'T=1; soft=T'
refuse 'did you mean eval' policy evil
refuse 'did you mean eval?' policy evla
refuse '--time' policy eval pool
refuse 'a duration needs its unit' policy eval pool --time 60
refuse 'nonesuch.json' policy verify pool --against nonesuch.json
refuse '.svg or .png' policy plot pool --out picture.bmp
refuse 'nonesuch/such.db' solve pool --db "nonesuch/such.db"
for command in solve 'policy list' 'policy show' 'policy check' 'policy eval' 'policy verify' 'policy vectors' 'policy plot'; do
  expect 0 "$TMSIM" $command --help
  says out "tmsim $command"
  says out 'example'
done
finish
