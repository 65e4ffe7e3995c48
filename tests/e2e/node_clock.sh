# Foreign engines in vmatch: on the node clock, cold under a policy, and what becomes of engines that fail.
. "$SOURCE/tests/e2e/lib.sh"

# zeitnot over UCI, its own time manager reading VirtualNps, plays the very games that its policies play in process:
# the same moves, nodes and clocks. (A runner sends whole milliseconds, hence the quantum.)
expect 0 "$TMSIM" vmatch --engine "cmd=$ZEITNOT,name=pool,option.Policy=pool" \
  --engine "cmd=$ZEITNOT,name=smooth,option.Policy=smooth" --tc 4+0.1 --rounds 1 --overhead 5ms --quiet --db nodes.db
expect 0 "$TMSIM" vmatch pool smooth --quantum 1ms --tc 4+0.1 --rounds 1 --overhead 5ms --quiet --db process.db
moves() {
  sqlite3 "$1" "SELECT g.pair, CASE WHEN g.white = 0 THEN a.name ELSE b.name END, m.ply, m.move, m.nodes_used, m.nodes_charged,
    m.clock_before_ns, m.clock_after_ns FROM game g JOIN pairing p ON p.id = g.pairing JOIN policy a ON a.id = p.first
    JOIN policy b ON b.id = p.second JOIN move m ON m.game = g.id ORDER BY 1, 2, 3"
}
moves nodes.db >nodes; moves process.db >process
[ "$(wc -l <nodes)" -gt 60 ] || fail 'hardly any moves'
cmp nodes process || fail 'the node clock is not the virtual clock'
[ "$(sqlite3 nodes.db "SELECT count(*) FROM move WHERE reason <> 'native'")" -eq 0 ] || fail 'a move that was not native'
says out 'RANKING'

# The same again plays nothing; another option of an engine is another player.
expect 0 "$TMSIM" vmatch --engine "cmd=$ZEITNOT,name=pool,option.Policy=pool" \
  --engine "cmd=$ZEITNOT,name=smooth,option.Policy=smooth" --tc 4+0.1 --rounds 1 --overhead 5ms --quiet --db nodes.db
[ "$(sqlite3 nodes.db 'SELECT count(*) FROM game')" -eq 2 ] || fail 'stored games were played again'

# Any concurrency, the same store.
for n in 1 2; do
  expect 0 "$TMSIM" vmatch pool smooth --each "cmd=$MOCK,args=plain" --tc 3+0.1 --max-plies 60 --rounds 3 --quiet \
    --concurrency $n --db cold$n.db
  moves cold$n.db >cold$n
done
cmp cold1 cold2 || fail 'cold games depend on the concurrency'
[ "$(sqlite3 cold1.db "SELECT count(*) FROM move WHERE reason = 'soft'")" -gt 20 ] || fail 'no soft stops from info lines'
[ "$(sqlite3 cold1.db "SELECT count(*) FROM move WHERE reason = 'soft' AND nodes_charged > nodes_used")" -eq 0 ] ||
  fail 'more charged than used'
sqlite3 cold1.db 'SELECT identity FROM engine' >engine
says engine '"Mock plain"'; says engine '"clock":"cold"'

# Charged as used: an engine that answers early is charged for what it did.
expect 0 "$TMSIM" vmatch pool smooth --each "cmd=$MOCK,args=early" --tc 3+0.1 --max-plies 40 --rounds 1 --quiet --db early.db
[ "$(sqlite3 early.db "SELECT count(*) FROM move WHERE reason = 'given' AND nodes_charged = nodes_used AND nodes_used < nodes_asked")" -gt 5 ] ||
  fail 'early answers were not charged as used'

# Nodes that are unknown are charged as asked, and stored as unknown.
expect 4 "$TMSIM" vmatch pool smooth --each "cmd=$MOCK,args=bare" --tc 3+0.1 --quiet --db bare.db
says err 'nothing can be charged'; absent bare.db
# (Void all the same: without info lines every move is a fallback.)
expect 4 "$TMSIM" vmatch pool smooth --each "cmd=$MOCK,args=bare" --tc 3+0.1 --max-plies 20 --rounds 1 --quiet \
  --allow-failed-check --db bare.db
[ "$(sqlite3 bare.db 'SELECT count(*) FROM move WHERE nodes_used = -1 AND nodes_charged = nodes_asked AND spend_ns > 0')" -eq 40 ] ||
  fail 'unknown nodes were not charged as asked'

# Engines that fail lose that game; the match ends with exit 3, or goes on with --recover.
expect 3 "$TMSIM" vmatch --engine "cmd=$MOCK,args=dies_on_clock" --engine "cmd=$MOCK,args=node_clock" --tc 3+0.1 --quiet \
  --db d0.db
says err 'killed by signal 9'
cat >dies.sh <<S
#!/bin/sh
# Sound while it is checked, then it dies in its first game.
[ -e checked ] && exec "$MOCK" dies_on_clock
touch checked
exec "$MOCK" node_clock
S
chmod +x dies.sh
crash() { rm -f checked; "$TMSIM" vmatch --engine "cmd=$PWD/dies.sh,name=dies" --engine "cmd=$MOCK,args=node_clock,name=fine" \
  --tc 3+0.1 --max-plies 30 --rounds 2 --concurrency 1 --quiet "$@"; }
expect 3 crash --db d1.db
says err 'its game is stored as lost'
[ "$(sqlite3 d1.db "SELECT count(*) FROM game WHERE ending = 'crash' AND fault LIKE '%signal 9%'")" -eq 1 ] || fail 'no crash stored'
expect 4 crash --recover --db d2.db
says out 'VOID: crashes: 4 games'
[ "$(sqlite3 d2.db "SELECT count(*) FROM game WHERE ending = 'crash'")" -eq 4 ] || fail 'not every game ended by the crash'

expect 4 "$TMSIM" vmatch --engine "cmd=$MOCK,args=plain" --engine "cmd=$MOCK,args=node_clock" --tc 3+0.1 --quiet --db x.db
says err 'VirtualNps'
expect 2 "$TMSIM" vmatch pool --engine "cmd=$MOCK,args=plain,policy=smooth" --tc 3+0.1 --quiet --db x.db
says err 'give one engine to all'
expect 2 "$TMSIM" vmatch --engine "cmd=$MOCK,args=plain,policy=pool,clock=warm" --baseline smooth --tc 3+0.1 --quiet --db x.db
says err 'allow-warm'
expect 4 "$TMSIM" vmatch pool smooth --each "cmd=$MOCK,args=plain,option.Threads=2" --tc 3+0.1 --quiet --db x.db
says err 'Threads=1'
absent x.db

# A policy that reads what the engine does not print is refused before the match, never fed a 0.
cat >share.lua <<'L'
return policy {
  name = "share", title = "stops by node share", source = "a test", unit = "s", params = {},
  budget = function(c, p, g) return c.time / 40, c.time / 10 end,
  limit = function(s, b, p, g) return b.soft * (1.5 - s.share) end,
}
L
expect 2 "$TMSIM" vmatch ./share.lua smooth --each "cmd=$MOCK,args=plain" --tc 3+0.1 --quiet --db x.db
says err 'cannot drive'; absent x.db
expect 0 "$TMSIM" vmatch ./share.lua smooth --each "cmd=$MOCK,args=share" --tc 3+0.1 --max-plies 20 --rounds 1 --quiet --db share.db

# Transcripts: options, then ucinewgame, then isready; position and go in one piece.
mkdir logs
expect 0 "$TMSIM" vmatch pool smooth --each "cmd=$MOCK,args=plain" --tc 3+0.1 --max-plies 10 --rounds 1 --quiet --log logs --db log.db
[ "$(ls logs | wc -l)" -eq 4 ] || fail 'not two transcripts a game'
head -3 "$(ls logs/*white.log | head -1)" | tr '\n' '/' >start
says start '> ucinewgame/> isready/< readyok/'

sf=$(command -v stockfish || echo /usr/games/stockfish)
if [ -x "$sf" ]; then
  expect 0 "$TMSIM" vmatch pool smooth --each "cmd=$sf,option.Use NNUE=false" --tc 2+0.1 --max-plies 40 --rounds 1 --quiet --db sf.db
  [ "$(sqlite3 sf.db "SELECT count(*) FROM move WHERE reason = 'soft'")" -gt 5 ] || fail 'stockfish: no soft stops'
else
  echo 'SKIPPED: stockfish is not installed; cold games of it were left out'
fi
finish
