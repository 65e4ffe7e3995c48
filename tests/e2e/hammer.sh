# The verdict, its exit code, what it stores; overheads as models; sweeps.
. "$SOURCE/tests/e2e/lib.sh"

# A policy that thinks until its clock is at 5 ms flags at 1+0.01 once the overhead exceeds that; a careful one does not.
cat >greedy.lua <<'END'
return policy { name = "greedy", title = "t", source = "s", unit = "s", params = {},
  budget = function(c) return c.time, c.time - 0.005 end }
END
cat >careful.lua <<'END'
return policy { name = "careful", title = "t", source = "s", unit = "s", params = {},
  budget = function(c) return c.time / 60, c.time / 30 end }
END

expect 20 "$TMSIM" hammer ./greedy.lua ./careful.lua --tc 1+0.01 --overhead 6ms --games 6 --db h.db --quiet
says out 'greedy   FAIL'
says out 'careful  PASS'
says out 'greedy flags in moves 1 to 1, 6 on a hard stop'
says out 'careful: zero flags in 6 games is a bound of 0.46, not zero'
[ "$(sqlite3 h.db 'SELECT count(*) FROM game')" -eq 12 ] || fail 'not 6 games of each'
[ "$(sqlite3 h.db 'SELECT min(overhead_ns) || max(overhead_ns) FROM move')" = 60000006000000 ] || fail 'not every move paid 6 ms'

# Again: nothing is played. More games: only those that are missing.
expect 0 "$TMSIM" hammer ./careful.lua --tc 1+0.01 --overhead 6ms --games 8 --db h.db --quiet
[ "$(sqlite3 h.db 'SELECT count(*) FROM game')" -eq 14 ] || fail 'games were not kept'

# With a margin the overrun of 1 ms is forgiven, and counted; another margin is another run.
expect 0 "$TMSIM" hammer ./greedy.lua --tc 0+0.2 --overhead 6ms --margin 2ms --games 2 --db m.db --quiet --max-plies 20
says out 'would have flagged 40 times more without the margin of 2 ms'

# A cell that nobody can survive says nothing, and no game is played.
expect 4 "$TMSIM" hammer ./careful.lua --tc 1+0 --overhead 100ms --games 4 --db v.db --quiet
says out 'hopeless: overhead alone exhausts the clock at move 11'
[ "$(sqlite3 v.db 'SELECT count(*) FROM game')" -eq 0 ] || fail 'a hopeless cell was played'

# Drawn overheads are stored with the moves, equal at any concurrency, and the model is the run's identity.
for n in 1 2; do
  expect 0 "$TMSIM" hammer ./careful.lua --overhead 'uniform(1ms,3ms) + seen(1ms)' --games 4 --db "o$n.db" --concurrency $n --quiet
  sqlite3 "o$n.db" 'SELECT game, ply, move, spend_ns, overhead_ns FROM move' >"o$n.txt"
done
cmp o1.txt o2.txt || fail 'concurrency changed the games'
[ "$(sqlite3 o1.db 'SELECT overhead, overhead_ns IS NULL FROM run')" = 'uniform(low=1ms,high=3ms) + seen(1ms)|1' ] || fail 'identity'
[ "$(sqlite3 o1.db 'SELECT count(DISTINCT overhead_ns) > 20 AND min(overhead_ns) >= 1000000 AND max(overhead_ns) <= 3000000 FROM move')" -eq 1 ] || fail 'draws'
[ "$(sqlite3 o1.db 'SELECT min(spend_ns - nodes_charged * 1000000000 / rate) >= 999999 FROM move')" -eq 1 ] || fail 'the stall is not in the spend'

# JSON and CSV, a sweep with its picture, faults of input before the store is made.
expect 20 "$TMSIM" hammer ./greedy.lua --tc 1+0.01 --overhead 6ms --games 6 --db h.db --quiet --format json
says out '"schema": "tmsim.hammer/1"'
says out '"flags": 6'
expect 0 "$TMSIM" hammer ./greedy.lua --tc 1+0.01 --sweep-overhead 4ms..6ms --steps 3 --games 2 --db s.db --quiet --plot s.svg
says out 'games first flagged within them between 5.0 and 6.0 ms'
says out 'greedy survives up to 4.9 ms at 1+0.01 for 60 moves'
grep -q '<svg' s.svg || fail 'no picture'
expect 2 "$TMSIM" hammer pool --overhead 50 --db none.db
says err 'a duration needs its unit; 50ms or 50s?'
expect 2 "$TMSIM" hammer pool --overhead 'lognorml(median=8ms,sigma=0.6)' --db none.db
says err 'did you mean lognormal?'
absent none.db
expect 0 "$TMSIM" vmatch ./careful.lua simple --tc 6+0.1 --overhead '8ms + spike(p=0.01,50ms)' --rounds 1 --db w.db --quiet
says out 'overhead 8ms + spike(p=0.01,50ms)'

# Monte-Carlo from the games: a policy of fixed spends flags as the games do, and the two are held together.
cat >fixed.lua <<'END'
return policy { name = "fixed", title = "t", source = "s", unit = "s", params = {},
  budget = function(c) return 0.006, 0.006 end }
END
expect 20 "$TMSIM" hammer ./fixed.lua --tc 1+0 --overhead 'gamma(shape=1,scale=6ms)' --games 60 --db mc.db --quiet \
  --monte-carlo 20000 --format json
says out '"schema": "tmsim.hammer-monte-carlo/1"'
says out '"agrees": true'

# What games show is stored, and shown; the solver stands beside them.
expect 0 "$TMSIM" rank --db mc.db --pathologies
says out 'hammer    severe    flag'
expect 0 "$TMSIM" rank --db mc.db --cross-check
says out 'flag, own move'
says out 'lowest clock, s'
finish
