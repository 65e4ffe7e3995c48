# Games as PGN: byte-identical at any concurrency, in game order, and accepted by pgn-extract where it is installed.
. "$SOURCE/tests/e2e/lib.sh"
PATH=$PATH:/usr/games # where Debian has pgn-extract

play() { # STORE PGN ARGUMENTS…
  store=$1 pgn=$2; shift 2
  expect 0 "$TMSIM" vmatch pool smooth --tc 2+0.02 --tc 40/2,1+0.02 --overhead 10ms --rounds 3 --quiet --db "$store" --pgnout "$pgn" "$@"
}
play a.db a.pgn --concurrency 1
play b.db b.pgn --concurrency 2
cmp a.pgn b.pgn || fail 'the games as PGN depend on concurrency'
absent a.pgn.partial
[ "$(grep -c '^\[Result ' a.pgn)" -eq 12 ] || fail 'not 2 controls x 3 pairs x 2 legs'
[ "$(grep '^\[Round ' a.pgn | head -n 6 | tr -d '\n')" = '[Round "1.1"][Round "1.2"][Round "2.1"][Round "2.2"][Round "3.1"][Round "3.2"]' ] ||
  fail 'not in game order'
for tag in 'Clock "virtual"' 'TimeControl "40/2+0:1+0.02"' 'TimeControl "2+0.02"' 'SetUp "1"' 'White "pool"' 'White "smooth"'; do
  says a.pgn "[$tag]"
done
grep -q '^\[Termination "\(normal\|time forfeit\|adjudication\)"\]' a.pgn || fail 'no termination'
tr '\n' ' ' <a.pgn | grep -qE '\{[+-][0-9]+\.[0-9]{2}/[0-9]+ [0-9]+\.[0-9]{3}s, tl=[0-9]+\.[0-9]{3}s, n=[0-9]+\}' || fail 'no comment of the known form'

# The openings come back from our own reader, as a book.
expect 0 "$TMSIM" book check --format pgn --plies 1 a.pgn
says out 'distinct legal positions'
play c.db c.pgn --pgn-clocks
grep -q '\[%emt 0:00:0' c.pgn || fail 'no [%emt]'
if command -v pgn-extract >/dev/null; then
  for pgn in a.pgn c.pgn; do
    pgn-extract --quiet $pgn >extracted.pgn 2>complaints || fail "pgn-extract: exit code $?"
    [ ! -s complaints ] || { fail 'pgn-extract complains'; cat complaints; }
    [ "$(grep -c '^\[Result ' extracted.pgn)" -eq 12 ] || fail 'pgn-extract lost games'
  done
fi

# Adjudication is part of a run's identity, and of the tags.
expect 0 "$TMSIM" vmatch pool smooth --tc 10+0.1 --overhead 10ms --rounds 1 --resign movecount=1,score=1 --quiet --db a.db --pgnout r.pgn
[ "$(grep -c '^\[Termination "adjudication"\]' r.pgn)" -eq 2 ] || fail 'not resigned'
[ "$(sqlite3 a.db 'SELECT count(DISTINCT key) FROM run')" -eq 3 ] || fail 'adjudication is not part of the run'
expect 2 "$TMSIM" vmatch pool smooth --tc 10+0.1 --rounds 1 --draw movecount=x --db none.db
says err '--draw movecount'
absent none.db
printf '1. e4 e5 2. Ke3\n' >bad.pgn
expect 2 "$TMSIM" vmatch pool smooth --tc 2+0 --rounds 1 --openings file=bad.pgn,format=pgn --db none.db
says err "bad.pgn: 1: 'Ke3' is not a legal move"
finish
