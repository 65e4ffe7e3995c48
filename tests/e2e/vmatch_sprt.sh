# A sequential test stops at the same pair at any concurrency, stores nothing beyond it, and resumes.
. "$SOURCE/tests/e2e/lib.sh"

play() { # CODE STORE ARGUMENTS…
  code=$1 store=$2; shift 2
  expect "$code" "$TMSIM" vmatch oldtm pool --tc 2+0.02 --overhead 10ms --sprt elo0=0,elo1=200,alpha=0.2,beta=0.2 --quiet --db "$store" "$@"
}
# Which hypothesis wins depends on the engine; that it is the same one does not.
"$TMSIM" vmatch oldtm pool --tc 2+0.02 --overhead 10ms --sprt elo0=0,elo1=200,alpha=0.2,beta=0.2 --quiet --db first.db >out 2>err
verdict=$?
[ "$verdict" -eq 0 ] || [ "$verdict" -eq 10 ] || fail "no verdict: exit code $verdict"
play $verdict a.db --concurrency 1
sed 's/store a.db//' out >a.txt
play $verdict b.db --concurrency 2
sed 's/store b.db//' out >b.txt
cmp a.txt b.txt || fail 'the verdict depends on concurrency'
says out 'was accepted after'
says out 'Estimate after the stop (median-unbiased): Elo'
expect 0 "$TMSIM" rank --db b.db --format json
says out 'A sequential test chose when to stop, so the Elo above leans towards its verdict: H'
expect $verdict "$TMSIM" vmatch oldtm pool --tc 2+0.02 --overhead 10ms --sprt elo0=0,elo1=200,alpha=0.2,beta=0.2 --quiet --db b.db
says out 'Ptnml(0-2): ['
games=$(sqlite3 a.db 'SELECT count(*) FROM game')
[ "$games" -eq "$(sqlite3 b.db 'SELECT count(*) FROM game')" ] || fail 'games beyond the stop were stored'
[ "$(grep -o 'accepted after [0-9]* pairs' b.txt | grep -o '[0-9]*')" -eq $((games / 2)) ] || fail 'not the games of the pairs counted'

# Bounded by rounds: undecided; the same command without the bound goes on from there to the same end.
play 11 c.db --rounds 2
says out 'undecided after 2 pairs'
play $verdict c.db
[ "$(sqlite3 c.db 'SELECT count(*) FROM game')" -eq "$games" ] || fail 'resumed, it stopped elsewhere'
play $verdict c.db
[ "$(sqlite3 c.db 'SELECT count(*) FROM game')" -eq "$games" ] || fail 'a decided test played on'
# From the other side it is the other hypothesis' test; more policies or controls are refused.
expect 2 "$TMSIM" vmatch oldtm pool smooth --tc 2+0.02 --sprt elo0=0,elo1=5 --db d.db
expect 2 "$TMSIM" vmatch oldtm pool --tc 2+0.02 --sprt elo0=5,elo1=0 --db d.db
says err 'elo0 must be below elo1'
absent d.db
finish
