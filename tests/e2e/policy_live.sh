# A policy is held against a running engine, which prints its limits; recorded searches are what the solver spends.
. "$(dirname "$0")/lib.sh"

expect 0 "$TMSIM" policy verify pool --engine "cmd=$ZEITNOT,option.Policy=pool,option.ShowBudget=true" --quiet
says out '330 of 330 rows agree'
expect 4 "$TMSIM" policy verify oldtm --engine "cmd=$ZEITNOT,option.Policy=pool,option.ShowBudget=true" --quiet
expect 2 "$TMSIM" policy verify pool --engine "cmd=$ZEITNOT" --quiet
says err 'prints no line'
expect 2 "$TMSIM" policy verify pool
says err 'one of --against FILE and --engine'
expect 3 "$TMSIM" policy verify pool --engine cmd=/bin/true --quiet

expect 0 "$TMSIM" vmatch pool smooth --tc 10+0.1 --overhead 50ms --rounds 1 --trace stop --db t.db --quiet
expect 0 "$TMSIM" solve pool --tc 10+0.1 --spend trace --traces t.db --format json
says out '"spend": "trace"'
expect 0 "$TMSIM" vmatch pool smooth --tc 10+0.1 --overhead 50ms --rounds 1 --db bare.db --quiet
expect 2 "$TMSIM" solve pool --spend trace --traces bare.db
says err '--trace stop'
expect 2 "$TMSIM" solve pool --spend trace
says err 'belong together'
finish
