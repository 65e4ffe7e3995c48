# --plan stores nothing, and says what the match then is.
. "$SOURCE/tests/e2e/lib.sh"

match() { "$TMSIM" vmatch pool smooth simple --tc 2+0.02 --tc 1+0.01 --overhead 5ms --max-plies 200 --quiet --db plan.db "$@"; }
field() { grep -o "\"$1\": [^,]*" plan.json | head -n 1 | sed 's/.*: //'; }
near() { # WHAT PLANNED FOUND SHARE
  awk -v a="$2" -v b="$3" -v s="$4" 'BEGIN { exit !(a > (1 - s) * b && a < (1 + s) * b) }' || fail "$1: planned $2, found $3"
}
expect 0 match --rounds 8 --plan
says out 'Nothing was stored.'
absent plan.db
expect 0 match --rounds 8 --plan --format json
cp out plan.json
absent plan.db
[ "$(field games)" = 96 ] || fail "not 3 pairings x 8 rounds x 2 legs x 2 controls: $(field games)"
[ "$(field pairings)" = 6 ] || fail "not 3 pairings at 2 controls: $(field pairings)"
[ "$(field openings_needed)" = 8 ] || fail 'not 8 openings'
expect 0 match --rounds 8
[ "$(sqlite3 plan.db 'SELECT count(*) FROM game')" = "$(field games)" ] || fail 'another number of games'
sqlite3 plan.db VACUUM
near 'store in MB' "$(field store_mb)" "$(wc -c <plan.db | awk '{ print $1 / 1e6 }')" 0.25
near 'CPU hours' "$(field cpu_h)" "$(sqlite3 plan.db 'SELECT total(cpu_ns) / 3.6e12 FROM timing')" 0.6
expect 4 match --plan --rounds 300
says err 'book_size: 240 distinct positions in the book, 300 rounds'
finish
