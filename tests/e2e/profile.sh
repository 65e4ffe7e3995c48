# `tmsim profile`: measure an engine, fit, show, check; a profile of one's own in a match.
. "$SOURCE/tests/e2e/lib.sh"

expect 0 "$TMSIM" profile measure "$ZEITNOT" --positions 12 --games 3 --nodes 2000 --nodes 8000 --repetitions 2 --quiet --out s.json
says out 'samples of Zeitnot'
expect 0 "$TMSIM" profile fit s.json --name mine --out mine.json --time cpu
says out 'pieces + phase'; says out 'unseen games'
expect 0 "$TMSIM" profile show ./mine.json
says out 'mine: Zeitnot'
expect 0 "$TMSIM" profile check ./mine.json "$ZEITNOT" --nodes 4000 --tolerance 900 --quiet --format json
says out '"schema": "tmsim.profile-check/1"'
sed 's/"intercept": [0-9.-]*/"intercept": 9e9/' mine.json >far.json
expect 4 "$TMSIM" profile check ./far.json "$ZEITNOT" --nodes 4000 --quiet
says err 'measure again'
expect 0 "$TMSIM" profile measure "$ZEITNOT" --overhead --lags 40 --nodes 2000 --games 2 --quiet --out lag.txt
says out "use them: --overhead 'empirical(lag.txt)'"
[ "$(grep -c '^[0-9.]*ms$' lag.txt)" = 40 ] || fail '40 lags'
expect 0 "$TMSIM" vmatch pool simple --tc 1+0.1 --rounds 1 --max-plies 8 --overhead 'empirical(lag.txt)' --db lag.db --quiet
[ "$(sqlite3 lag.db 'SELECT count(*) = 16 AND min(overhead_ns) > 0 FROM move')" = 1 ] || fail 'the lags were not drawn'
expect 3 "$TMSIM" profile measure "$MOCK no_nodes" --quiet --out x.json
says err 'no node counts'; absent x.json
expect 2 "$TMSIM" profile fit mine.json --name x --out x.json
says err 'expected zeitnot.samples/1'; absent x.json
expect 2 "$TMSIM" profile measrue x
says err 'expected measure, fit, show or check'
for page in '' measure fit show check; do
  expect 0 "$TMSIM" profile $page --help
  says out 'example: tmsim profile'
done
finish
