# `tmsim engine`: may an engine be ranked, bench and lockstep of any UCI engine; exit codes and JSON.
. "$SOURCE/tests/e2e/lib.sh"

expect 0 "$TMSIM" engine check "$ZEITNOT" --node-clock
says out 'Zeitnot'; says out 'may be ranked.'; says out 'doubled rate'
expect 0 "$TMSIM" engine check "$MOCK plain" --quick --format json
says out '"schema": "tmsim.engine-check/1"'; says out '"verdict": "pass"'
expect 4 "$TMSIM" engine check "$MOCK leaks"
says out 'must not be ranked.'; says out 'ucinewgame does not forget'
expect 4 "$TMSIM" engine check "$MOCK handful" --quick
says out 'more time buys no more search'
expect 0 "$TMSIM" engine check "$MOCK immortal" --quick
expect 3 "$TMSIM" engine check "$MOCK dies"
says err 'killed by signal 9'
expect 3 "$TMSIM" engine check "cmd=$MOCK,args=deaf,start=300ms"
says err "did not answer 'uci'"; says err 'flush'
expect 2 "$TMSIM" engine check ./no-such-engine
says err 'No such file'
expect 2 "$TMSIM" engine check "cmd=$MOCK,args=plain,option.Hush=1"
says err "did you mean 'Hash'"
expect 4 "$TMSIM" engine check "cmd=$MOCK,args=plain,option.Threads=2" --quick
says out 'option.Threads=1'

expect 0 "$TMSIM" engine bench "$ZEITNOT" --depth 4
tail -1 out | grep -qE '^[0-9]+ nodes [0-9]+ nps$' || fail 'the last line of bench'
"$ZEITNOT" bench --depth 4 | tail -1 | cut -d' ' -f1 >own
# Of the two positions that are over zeitnot counts the root; over UCI they are not asked for.
[ "$(tail -1 out | cut -d' ' -f1)" -ge "$(($(cat own) - 2))" ] && [ "$(tail -1 out | cut -d' ' -f1)" -le "$(cat own)" ] ||
  fail "bench over UCI counts other nodes than zeitnot's own"
says out '(over)'
expect 0 "$TMSIM" engine lockstep "$ZEITNOT" "cmd=$ZEITNOT,option.Clear Hash=" --depth 6
says out 'the same moves, scores and nodes'
expect 4 "$TMSIM" engine lockstep "$ZEITNOT" "cmd=$ZEITNOT,option.NullMove=false" --depth 6
says err 'differ'

for page in '' check bench lockstep; do
  expect 0 "$TMSIM" engine $page --help
  says out 'example: tmsim engine'
done
expect 2 "$TMSIM" engine chekc x
says err 'expected check, bench or lockstep'

sf=$(command -v stockfish || echo /usr/games/stockfish)
if [ -x "$sf" ]; then
  expect 0 "$TMSIM" engine check "$sf" --quick
  says out 'may be ranked'
  expect 4 "$TMSIM" engine check "$sf" --quick --node-clock
  says out 'clock=cold'
else
  echo 'SKIPPED: stockfish is not installed; the checks of it were left out'
fi
finish
