# Above each ranking stands how its players played, and whose profile they had.
. "$SOURCE/tests/e2e/lib.sh"

short() { "$TMSIM" vmatch "$@" --tc 1+0.1 --rounds 1 --max-plies 8 --quiet >out 2>err </dev/null; }

short pool simple --db a.db
says out 'Players: policies through zeitnot'
says out 'built in; one profile for all, unmatched: measured on'
short pool simple --each "cmd=$ZEITNOT" --profile zeitnot-0.1 --nps-scale 0.01 --db b.db
says out 'Players: policies drive Zeitnot 0.1.0, cold (its hash is cleared before every move); one profile'
short --engine "cmd=$ZEITNOT,name=a" --engine "cmd=$ZEITNOT,name=b,option.Policy=pool" --profile zeitnot-0.1 --nps-scale 0.01 --db c.db
says out 'Players: 2 engines by their own time managers on the node clock; one profile for all.'
short pool simple --rate-noise game=0.1,move=0.2 --db d.db
says out 'rates vary, game=0.1,move=0.2'

# Warm play is refused, and where it is wanted all the same, headed by a warning, for programs too.
short pool simple --each "cmd=$ZEITNOT,clock=warm" --profile zeitnot-0.1 --nps-scale 0.01 --db e.db && fail 'warm play was not refused'
short pool simple --each "cmd=$ZEITNOT,clock=warm" --allow-warm --profile zeitnot-0.1 --nps-scale 0.01 --db e.db
[ "$(head -c 18 out)" = 'WARNING: warm play' ] || { fail 'no warning at the head'; cat out; }
expect 0 "$TMSIM" rank --db e.db --format json
says out 'warm play; this order says nothing about time managers'
finish
