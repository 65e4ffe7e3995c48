# One player at another time control: its clock, the store, the resume, the ranking, the PGN and the replay show it.
. "$SOURCE/tests/e2e/lib.sh"

play() { # STORE ARGUMENTS…
  store=$1; shift
  expect 0 "$TMSIM" vmatch pool:tc=4+0.1 smooth --quantum 1ms --tc 2+0.1 --tc 40/1,1+0.1 --rounds 2 --overhead 5ms --quiet --db "$store" "$@"
}
play a.db --pgnout a.pgn
tr '\n' ' ' <out | sed 's/   */ /g' >flat
says flat 'pool:tc=4+0.1 plays at 4+0.1, not at 2+0.1: what is compared with it is policy and time control together.'
says flat 'pool:tc=4+0.1 plays at 4+0.1, not at 40/1+0,1+0.1:'
grep -q '^Results of .*pool:tc=4+0.1.* (2+0.1, virtual clock):' out || fail 'no block in the form of the runners'
grep -q 'dominated' out && fail 'more time is called better'
[ "$(sqlite3 a.db "SELECT label || ' ' || ifnull(tc, '-') FROM policy ORDER BY label" | tr '\n' ';')" = 'pool:tc=4+0.1 4+0.1;smooth -;' ] ||
  fail 'the store does not name the controls'
[ "$(sqlite3 a.db "SELECT DISTINCT r.tc, q.label, m.clock_before_ns FROM move m JOIN game g ON g.id = m.game JOIN pairing p ON
  p.id = g.pairing JOIN run r ON r.id = p.run JOIN policy q ON q.id = CASE m.player WHEN 0 THEN p.first ELSE p.second END
  WHERE m.ply < 2 ORDER BY 1, 2" | tr '\n' ' ')" = \
  '2+0.1|pool:tc=4+0.1|4100000000 2+0.1|smooth|2100000000 40/1+0,1+0.1|pool:tc=4+0.1|4100000000 40/1+0,1+0.1|smooth|1000000000 ' ] ||
  fail 'the clocks are not those of the controls'
[ "$(grep -c '^\[WhiteTimeControl "4+0.1"\]' a.pgn)" -eq 4 ] || fail 'White is never at 4+0.1'
[ "$(grep -c '^\[BlackTimeControl "40/1+0:1+0.1"\]' a.pgn)" -eq 2 ] || fail 'Black is never at 40/1+0:1+0.1'
grep -q '^\[TimeControl ' a.pgn && fail 'one control for two'
expect 0 "$TMSIM" replay all --db a.db
play b.db --concurrency 1
sqlite3 a.db 'SELECT * FROM move' >a.txt; sqlite3 b.db 'SELECT * FROM move' >b.txt
cmp a.txt b.txt || fail 'the games depend on concurrency'

# The same again plays nothing; the plain policy is another player; with the run's own control it is a mirror.
play a.db
[ "$(sqlite3 a.db 'SELECT count(*) FROM game')" -eq 8 ] || fail 'stored games were played again'
expect 0 "$TMSIM" vmatch pool smooth --quantum 1ms --tc 2+0.1 --rounds 1 --overhead 5ms --quiet --db a.db
[ "$(sqlite3 a.db 'SELECT count(*) FROM game')" -eq 10 ] || fail 'pool is not pool:tc=4+0.1'
expect 0 "$TMSIM" rank --db a.db --format json
says out '"own_tc": "4+0.1"'

# Engines on their own clock are told both clocks: zeitnot plays the very same games.
expect 0 "$TMSIM" vmatch --engine "cmd=$ZEITNOT,name=pool,option.Policy=pool,tc=4+0.1" \
  --engine "cmd=$ZEITNOT,name=smooth,option.Policy=smooth" --tc 2+0.1 --rounds 2 --overhead 5ms --quiet --db nodes.db
moves() {
  sqlite3 "$1" "SELECT g.pair, CASE WHEN g.white = 0 THEN a.name ELSE b.name END, m.ply, m.move, m.nodes_used, m.clock_before_ns,
    m.clock_after_ns FROM game g JOIN pairing p ON p.id = g.pairing JOIN run r ON r.id = p.run AND r.tc = '2+0.1' JOIN policy a ON
    a.id = p.first JOIN policy b ON b.id = p.second JOIN move m ON m.game = g.id ORDER BY 1, 2, 3"
}
moves b.db >process; moves nodes.db >nodes
[ "$(wc -l <nodes)" -gt 100 ] || fail 'hardly any moves'
cmp nodes process || fail 'the node clock is not the virtual clock'
expect 0 "$TMSIM" vmatch pool smooth --each "cmd=$ZEITNOT,tc=1+0.1" --tc 2+0.1 --rounds 1 --quiet --db each.db
says out 'smooth:tc=1+0.1 plays at 1+0.1'

expect 2 "$TMSIM" vmatch pool:tc=4+ smooth --db none.db
says err "policy 'pool:tc=4+'"
expect 2 "$TMSIM" vmatch --engine "cmd=$ZEITNOT,tc=4s" --engine "cmd=$ZEITNOT" --db none.db
says err '--engine'
expect 2 "$TMSIM" solve pool:tc=4+0.1
says err "no parameter 'tc'"
absent none.db
finish
