# Matches whose games could not be evidence are refused before they begin, and a control comes out at 0.
. "$SOURCE/tests/e2e/lib.sh"

head -n 3 "$SOURCE/data/books/zeitnot-240.epd" >three.epd
expect 4 "$TMSIM" vmatch pool smooth --tc 2+0 --rounds 4 --openings file=three.epd --quiet --db g.db
says err 'book_size: 3 distinct positions in the book, 4 rounds'
absent g.db g.db-wal g.db-shm
expect 0 "$TMSIM" vmatch pool smooth --tc 2+0.02 --rounds 3 --overhead 10ms --openings file=three.epd --quiet --db g.db
says out 'Ptnml(0-2): ['
expect 0 "$TMSIM" rank --gates --db g.db
[ "$(grep -c passed out)" -eq "$(sqlite3 g.db 'SELECT count(*) FROM gate')" ] || fail 'not all gates are shown'
[ "$(sqlite3 g.db "SELECT value FROM gate WHERE name = 'distinct_games'")" = 6.0 ] || fail 'not 6 distinct games'

# A game that is changed behind our back is found out by the next command on it.
cp g.db broken.db
sqlite3 broken.db "UPDATE move SET move = 'a1a8' WHERE game = 2 AND ply = 3"
expect 4 "$TMSIM" vmatch pool smooth --tc 2+0.02 --rounds 3 --overhead 10ms --openings file=three.epd --quiet --db broken.db
says out 'VOID: illegal_moves: 1 games with an illegal move; the first in game 2, ply 3'
sqlite3 g.db "DELETE FROM move WHERE game = 6" "DELETE FROM timing WHERE game = 6" \
  "UPDATE game SET opening = (SELECT opening FROM game WHERE id = 2), plies = (SELECT plies FROM game WHERE id = 2) WHERE id = 6" \
  "INSERT INTO move SELECT 6, ply, player, move, clock_before_ns, soft_raw_ns, hard_raw_ns, soft_floored_ns, hard_floored_ns, soft_ns, rate, cap, nodes_asked, nodes_used, nodes_charged, spend_ns, overhead_ns, clock_after_ns, depth, score, bound, reason, blind, fallback, starved, flagged, signature, trace FROM move WHERE game = 2"
expect 4 "$TMSIM" vmatch pool smooth --tc 2+0.02 --rounds 3 --overhead 10ms --openings file=three.epd --quiet --db g.db
says out 'distinct_games: 5 of 6 games are distinct'
says out 'distinct_openings: 5 distinct openings in 6 games'

expect 0 "$TMSIM" vmatch --control pool --tc 2+0.02 --rounds 2 --overhead 10ms --quiet --db c.db
says out 'must come out at 0, and mirrors measure nothing'
says out 'nothing was measured'
[ "$(sqlite3 c.db "SELECT value FROM gate WHERE name = 'control'")" = 0.0 ] || fail 'no control gate'
expect 2 "$TMSIM" vmatch --control pool smooth --tc 2+0 --db c2.db
finish
