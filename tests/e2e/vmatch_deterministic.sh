# The same inputs and seed give the same store at any concurrency, and a rerun plays only what is missing.
. "$SOURCE/tests/e2e/lib.sh"

play() { # STORE ARGUMENTS…
  store=$1; shift
  expect 0 "$TMSIM" vmatch pool smooth --seed 7 --overhead 50ms --tc 2+0 --tc 40/2+0.02 --quiet --db "$store" "$@"
}
# Every table but `timing`, row by row, with the row numbers.
dump() { # STORE
  for table in $(sqlite3 "$1" "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'timing' ORDER BY name"); do
    echo "== $table"
    sqlite3 "$1" ".mode quote" "SELECT * FROM $table"
  done
}

play a.db --rounds 3 --concurrency 1
play b.db --rounds 3 --concurrency 2
dump a.db >a.txt
dump b.db >b.txt
cmp a.txt b.txt || fail 'concurrency 1 and 2 differ'
[ "$(sqlite3 a.db 'SELECT count(*) FROM game')" -eq 12 ] || fail 'not 2 controls x 3 pairs x 2 legs'
[ "$(sqlite3 a.db 'SELECT count(*) FROM move')" -gt 500 ] || fail 'hardly any moves'

play b.db --rounds 3
dump b.db >again.txt
cmp b.txt again.txt || fail 'a rerun changed a complete store'

# Fewer rounds first, then more: the same games as all at once.
play c.db --rounds 1
play c.db --rounds 3
games() { sqlite3 "$1" 'SELECT r.tc, g.pair, g.leg, g.ending, g.white_points, m.ply, m.move, m.nodes_used, m.clock_after_ns FROM game g JOIN pairing p ON p.id = g.pairing JOIN run r ON r.id = p.run JOIN move m ON m.game = g.id ORDER BY 1, 2, 3, 6'; }
games a.db >a.games
games c.db >c.games
cmp a.games c.games || fail 'continued games differ from games played at once'

# The other order of the same two policies is the same pairing.
expect 0 "$TMSIM" vmatch smooth pool --seed 7 --overhead 50ms --tc 2+0 --quiet --db a.db --rounds 3
[ "$(sqlite3 a.db 'SELECT count(*) FROM game')" -eq 12 ] || fail 'smooth pool was played again'

# Another overhead is another run, never mixed with the first.
expect 0 "$TMSIM" vmatch pool smooth --seed 7 --overhead 60ms --tc 2+0 --quiet --db a.db --rounds 1
[ "$(sqlite3 a.db 'SELECT count(*) FROM run')" -eq 3 ] || fail 'a changed overhead did not make a run of its own'
finish
