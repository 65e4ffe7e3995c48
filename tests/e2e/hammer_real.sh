# The hammer on a real clock. How a machine behaves meanwhile is not ours to say, so: a policy that spends its whole clock
# never passes, a careful one never fails, and what is stored can never be taken for a virtual clock.
. "$SOURCE/tests/e2e/lib.sh"

cat >greedy.lua <<'END'
return policy { name = "greedy", title = "t", source = "s", unit = "s", params = {},
  budget = function(c) return 2 * c.time, 2 * c.time end }
END
cat >careful.lua <<'END'
return policy { name = "careful", title = "t", source = "s", unit = "s", params = {},
  budget = function(c) return c.time / 100, c.time / 50 end }
END

hammer() { "$TMSIM" hammer "$@" --clock real --quiet >out 2>err </dev/null; code=$?; }

# 2 * 0.3 s are 0.3 s too many: more than any lag excuses.
hammer ./greedy.lua --tc 0.3+0 --games 2 --db h.db
[ "$code" -eq 20 ] || { fail "a policy that spends twice its clock: exit $code"; cat out err; }
says out 'HAMMER on a REAL clock, 0.3+0'
says out 'greedy-real  FAIL'
says out 'which ranks nobody'

hammer ./careful.lua --tc 3+0.1 --games 1 --max-plies 12 --db h.db --log . --format json
[ "$code" -eq 0 ] || [ "$code" -eq 4 ] || { fail "a careful policy: exit $code"; cat out err; }
says out '"clock": "real"'
says out '"flags": 0'
ls ./*-white.log >/dev/null 2>&1 || fail 'no transcript'
[ "$(sqlite3 h.db "SELECT count(*) FROM policy WHERE name LIKE '%-real' AND text LIKE '%careful.lua%'")" -eq 1 ] || fail 'no policy in the identity'

# Wall time is charged, and the lag of each move is kept beside the spend.
[ "$(sqlite3 h.db "SELECT count(*) FROM game g JOIN move m ON m.game = g.id WHERE m.clock_before_ns - m.spend_ns - m.overhead_ns +
  CASE WHEN g.ending = 'flag' THEN 0 ELSE 100000000 END != m.clock_after_ns AND NOT m.flagged")" -eq 0 ] || fail 'the charge is not spend and lag'
[ "$(sqlite3 h.db "SELECT count(*) FROM move WHERE overhead_ns <= 0 OR spend_ns < 0 OR rate != 0")" -eq 0 ] || fail 'a move without its lag'
[ "$(sqlite3 h.db "SELECT group_concat(DISTINCT overhead) FROM run")" = 'real clock' ] || fail 'the run is not marked'

# Never ranked.
expect 2 "$TMSIM" rank --db h.db
says err 'no game on a virtual clock'

# An engine by itself; what has no meaning is refused before anything is stored.
hammer --engine "cmd=$ZEITNOT,option.Policy=./careful.lua" --tc 3+0.1 --games 1 --max-plies 6 --db e.db
[ "$code" -eq 0 ] || [ "$code" -eq 4 ] || { fail "an engine by itself: exit $code"; cat out err; }
expect 2 "$TMSIM" hammer ./careful.lua --clock real --overhead 5ms --db n.db
says err '--overhead has no meaning with --clock real'
expect 2 "$TMSIM" hammer --expr 'soft=T/40; hard=T/4' --clock real --db n.db
expect 3 "$TMSIM" hammer --engine cmd=/bin/true --clock real --db n.db
expect 2 "$TMSIM" hammer --engine "cmd=$ZEITNOT,clock=real" --db n.db
says err 'clock=real'
absent n.db

# On the virtual clock an engine's own time manager can be hammered too, without arithmetic about it.
expect 0 "$TMSIM" hammer --engine "cmd=$ZEITNOT,name=own,option.Policy=./careful.lua" --tc 3+0.1 --overhead 1ms --games 2 --max-plies 12 --db v.db --quiet --format json
says out 'an engine'"'"'s own time manager has no formula here'
finish
