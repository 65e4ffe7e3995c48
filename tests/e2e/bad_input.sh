# Bad input of any kind: one clear message, exit 2, and no store left half-made.
. "$SOURCE/tests/e2e/lib.sh"

mkdir policies
policy() { # NAME: a policy file from standard input, with the fields that every policy needs around its budget
  { echo 'return policy { name = "'"$1"'", title = "t", source = "a test", unit = "s", params = {},'; cat; echo '}'; } >"policies/$1.lua"
}
policy endless <<'L'
  budget = function(c, p, g) while true do end end,
L
policy syntax <<'L'
  budget = function(c, p, g) return c.time / end,
L
policy nan <<'L'
  budget = function(c, p, g) return 0 / 0, 1 end,
L
policy missing <<'L'
  budget = function(c, p, g) return c.tiem / 40, 1 end,
L
policy no_hard <<'L'
  budget = function(c, p, g) return c.time / 40 end,
L
echo 'return policy { name = "x", title = "t", source = "s", params = {}, budget = function(c) return 1, 1 end }' >policies/no_unit.lua

refuse() { # TEXT ARGUMENTS…
  text=$1; shift
  expect 2 "$TMSIM" vmatch "$@" --db refused.db
  says err "$text"
  [ "$(grep -c '^tmsim: ' err)" -ge 1 ] || fail "no message of ours for: $*"
  [ ! -s out ] || fail "something on standard output for: $*"
  absent refused.db refused.db-wal refused.db-shm
}

refuse 'instruction' policies/endless.lua smooth --tc 60+0 --overhead 50ms
refuse 'policies/syntax.lua:2:' policies/syntax.lua smooth --tc 60+0 --overhead 50ms
refuse 'policies/nan.lua:2: budget returned NaN for soft' policies/nan.lua smooth --tc 60+0 --overhead 50ms
refuse 'did you mean time' policies/missing.lua smooth --tc 60+0 --overhead 50ms
refuse 'hard' policies/no_hard.lua smooth --tc 60+0 --overhead 50ms
refuse "unit" policies/no_unit.lua smooth --tc 60+0 --overhead 50ms
refuse "unknown policy 'smoth'; did you mean smooth?" pool smoth --tc 60+0 --overhead 50ms
refuse 'policies/nonesuch.lua' policies/nonesuch.lua smooth --tc 60+0 --overhead 50ms
refuse 'moves' pool:moves=300 smooth --tc 60+0 --overhead 50ms
refuse "'mvoes'" pool:mvoes=30 smooth --tc 60+0 --overhead 50ms
refuse 'a duration needs its unit' pool:overhead=200 smooth --tc 60+0 --overhead 50ms
refuse "--tc: time control '40/'" pool smooth --tc 40/ --overhead 50ms
refuse 'character 4: expected seconds (digits), found the end' pool smooth --tc 40/ --overhead 50ms
refuse '--overhead 50: a duration needs its unit; 50ms or 50s?' pool smooth --tc 60+0 --overhead 50
refuse "unknown option '--rond'" pool smooth --tc 60+0 --rond 3
refuse '--rounds' pool smooth --tc 60+0 --rounds 0
refuse '--rounds' pool smooth --tc 60+0 --rounds 3x
refuse '--rounds' pool smooth --tc 60+0 --rounds 99999999999999999999
refuse '--concurrency' pool smooth --tc 60+0 --concurrency 0
refuse '--nps-scale' pool smooth --tc 60+0 --nps-scale nan
refuse '--format' pool smooth --tc 60+0 --format xml
refuse 'expected POLICY' --tc 60+0
refuse 'baseline' pool --tc 60+0

printf '{"format": "zeitnot.profile/1", "name": "x"' >corrupt.json
refuse 'corrupt.json:1:' pool smooth --tc 60+0 --profile ./corrupt.json
refuse 'nonesuch.json' pool smooth --tc 60+0 --profile nonesuch

printf '%s\n' 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w KQkq - 0 1' >illegal.epd
refuse 'illegal.epd:2:' pool smooth --tc 60+0 --openings file=illegal.epd
: >empty.epd
refuse 'no positions' pool smooth --tc 60+0 --openings file=empty.epd
refuse 'nonesuch.epd' pool smooth --tc 60+0 --openings file=nonesuch.epd

# A store that cannot be written, is something else, or lies nowhere.
expect 2 "$TMSIM" vmatch pool smooth --tc 1+0 --rounds 1 --db "$work/none/such.db"
says err 'such.db'
echo 'not a database, but a text that somebody needs' >precious.db
expect 2 "$TMSIM" vmatch pool smooth --tc 1+0 --rounds 1 --db precious.db
says err 'precious.db'
grep -q 'somebody needs' precious.db || fail 'a foreign file was overwritten'
expect 2 "$TMSIM" rank --db nonesuch.db
absent nonesuch.db

expect 2 "$TMSIM"
expect 2 "$TMSIM" vmacth
says err 'did you mean vmatch?'
expect 0 "$TMSIM" --help
for command in vmatch rank stats book; do
  expect 0 "$TMSIM" $command --help
  says out "tmsim $command"
done
finish
