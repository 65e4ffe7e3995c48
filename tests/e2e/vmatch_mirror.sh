# A policy against itself plays mirror pairs only: the output says that nothing was measured.
. "$SOURCE/tests/e2e/lib.sh"

expect 0 "$TMSIM" vmatch smooth --baseline smooth --tc 2+0 --rounds 2 --overhead 10ms --quiet --db m.db
says out 'nothing was measured'
grep -q '±0' out && fail 'an interval of zero width was printed'
[ "$(sqlite3 m.db 'SELECT count(*) FROM game')" -eq 4 ] || fail 'not 4 games'
# In each pair the two games are the same but for the names.
sqlite3 m.db "SELECT g.pair, group_concat(m.move, ' ') FROM game g JOIN move m ON m.game = g.id GROUP BY g.id ORDER BY g.pair, g.leg" >moves
[ "$(sort -u moves | wc -l)" -eq 2 ] || fail 'the legs of a pair differ'
finish
