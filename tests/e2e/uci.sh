#!/bin/sh
# The UCI server as a graphical interface or a match runner meets it. Needs ZEITNOT, the program.
set -u
failed=0
out=$(mktemp) && trap 'rm -f "$out"' EXIT

fail() { echo "FAILED: $1"; sed 's/^/    /' "$out"; failed=1; }
uci() { printf "$1" | timeout 60 "$ZEITNOT" >"$out" 2>&1 || fail "exit $? for: $1"; }
has() { grep -qE "$1" "$out" || fail "no line like '$1'"; }
lacks() { ! grep -qE "$1" "$out" || fail "a line like '$1'"; }
count() { [ "$(grep -cE "$1" "$out")" = "$2" ] || fail "$2 lines like '$1' expected"; }

# Handshake, carriage returns, extra blanks, empty lines.
uci 'uci\r\n\r\n   isready  \r\n\tposition   startpos \t moves  e2e4   e7e5 \r\n go  nodes   1234  \r\nquit\r\n'
has '^id name Zeitnot'; has '^option name Hash type spin'; has '^uciok$'; has '^readyok$'
has '^bestmove [a-h][1-8][a-h][1-8]'; lacks 'info string [^a]' # quit may have cut the search short, which it says

# Exact nodes, in the last info line, also where the input ends without quit.
for nodes in 1 2 3 100 12345; do
  uci "position startpos\ngo nodes $nodes\n"
  [ "$(grep '^info' "$out" | tail -1 | sed 's/.* nodes \([0-9]*\) .*/\1/')" = $nodes ] || fail "go nodes $nodes"
  count '^bestmove' 1
done

# The same line in a new process and after ucinewgame, times aside. No quit: it would stop the last search.
game='position startpos\ngo nodes 20000\nposition startpos moves e2e4 e7e5\ngo nodes 20000\n'
plain() { sed 's/ nps [0-9]*//; s/ time [0-9]*//' "$out"; }
uci "$game"; once=$(plain)
uci "position fen 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1 \ngo depth 12\nucinewgame\n$game"
[ "$(plain | tail -n "$(printf '%s\n' "$once" | wc -l)")" = "$once" ] || fail 'ucinewgame forgets everything'

# Answers while it searches; stop ends it; infinite waits for stop even with nothing left to search.
(printf 'position startpos\ngo infinite\nisready\n'; sleep 0.3; printf 'stop\nisready\nquit\n') |
  timeout 20 "$ZEITNOT" >"$out" 2>&1
count '^readyok$' 2; count '^bestmove' 1
(printf 'position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo infinite\n'; sleep 0.2; printf 'isready\nstop\nquit\n') |
  timeout 20 "$ZEITNOT" >"$out" 2>&1
has '^bestmove 0000$'
[ "$(grep -nE 'readyok|bestmove' "$out" | head -1 | cut -d: -f2)" = readyok ] || fail 'infinite answers too early'
(printf 'position startpos\ngo infinite\n'; sleep 0.2; printf 'quit\n') | timeout 20 "$ZEITNOT" >"$out" 2>&1 ||
  fail 'quit while searching'

# Ponder: no answer before ponderhit.
(printf 'position startpos moves e2e4\ngo ponder movetime 50\n'; sleep 0.3; printf 'isready\n'; sleep 0.1
 printf 'ponderhit\n'; sleep 0.3; printf 'quit\n') | timeout 20 "$ZEITNOT" >"$out" 2>&1
[ "$(grep -nE '^(readyok|bestmove)' "$out" | head -1 | cut -d: -f2)" = readyok ] || fail 'ponder answers too early'
count '^bestmove' 1

# A clock, a move time, searchmoves, a mate, a depth.
uci 'position startpos\ngo wtime 500 btime 500 winc 10 binc 10 movestogo 20\n'; count '^bestmove' 1
uci 'position startpos\ngo movetime 30\n'; count '^bestmove' 1
uci 'position startpos\ngo depth 6 searchmoves a2a3 h2h3\n'; has '^bestmove (a2a3|h2h3)'
uci 'position fen r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1\ngo mate 3\n'; has '^info .*score mate 3'; has '^bestmove f6a6'
uci 'position startpos\ngo perft 4\n'; has 'perft 4 197281$'

# Several limits: the first one reached counts.
uci 'go depth 3 nodes 1000000 movetime 10000\n'; [ "$(grep '^info' "$out" | tail -1 | cut -d' ' -f3)" = 3 ] || fail 'depth first'
uci 'go depth 60 nodes 3000 movetime 10000\n'; [ "$(grep '^info' "$out" | tail -1 | sed 's/.* nodes \([0-9]*\) .*/\1/')" = 3000 ] ||
  fail 'nodes first'
lacks aborted

# Told to stop before its limit, it says so; not where no limit was given.
(printf 'go depth 200 nodes 99999999999\n'; sleep 0.3; printf 'stop\nquit\n') | timeout 20 "$ZEITNOT" >"$out" 2>&1
has '^info string aborted at depth [0-9]+ \(nodes [0-9]+, [0-9.]+ s\) before requested depth 200, nodes 99999999999$'
count '^bestmove' 1
(printf 'go movetime 60000\n'; sleep 0.2; printf 'quit\n') | timeout 20 "$ZEITNOT" >"$out" 2>&1
has 'before requested movetime 60000$'; count '^bestmove' 1
(printf 'go infinite\n'; sleep 0.2; printf 'stop\ngo ponder depth 99\n'; sleep 0.2; printf 'stop\nquit\n') |
  timeout 20 "$ZEITNOT" >"$out" 2>&1
lacks aborted; count '^bestmove' 2

# Several lines: as many as asked or as there are moves, each with another first move, the first as good as any.
uci 'setoption name MultiPV value 3\nsetoption name UCI_AnalyseMode value true\nposition startpos\ngo depth 6\n'
for line in 1 2 3; do has "^info depth 6 multipv $line score "; done; lacks 'multipv 4'
[ "$(sed -n 's/^info depth 6 multipv . .* pv \([a-h1-8]*\) .*/\1/p' "$out" | sort -u | wc -l)" = 3 ] || fail 'lines begin alike'
uci 'setoption name MultiPV value 5\nposition fen 7k/8/8/8/8/8/6q1/7K w - - 0 1\ngo depth 5\n'; lacks 'multipv 2'
uci 'setoption name MultiPV value 64\nposition fen k7/8/8/8/8/8/8/K6R w - - 0 1\ngo depth 3\n'; has 'depth 3 multipv 16 '; lacks 'multipv 17'

# The node clock: one clock state, one node count; time for N nodes is N / VirtualNps, to the node. The budget is told on request.
virtual='setoption name ShowBudget value true\nsetoption name VirtualNps value 30000\nposition startpos\n'
uci "${virtual}go wtime 60000 btime 60000\n"; has '^info string tm soft [0-9.]+ hard [0-9.]+$'; once=$(plain)
uci "${virtual}go wtime 60000 btime 60000\n"; [ "$(plain)" = "$once" ] || fail 'the same clock gives other nodes'
uci "${virtual}go movetime 1500\n"; [ "$(grep '^info depth' "$out" | tail -1 | sed 's/.* nodes \([0-9]*\) .*/\1/')" = 45000 ] ||
  fail 'movetime in nodes'
uci "${virtual}setoption name Move Overhead value 500\ngo movetime 1500\n"
[ "$(grep '^info depth' "$out" | tail -1 | sed 's/.* nodes \([0-9]*\) .*/\1/')" = 30000 ] || fail 'Move Overhead'
uci "${virtual}setoption name Policy value onemax:nothing=1\n"; has 'info string'
uci "${virtual}setoption name Policy value pool:moves=38\ngo wtime 3000 btime 3000\n"; has 'tm soft'; count '^bestmove' 1

# Nonsense is answered by an info string and nothing else happens.
for line in foo 'position' 'position fen' 'position fen 8/8/8/8/8/8/8/8 w - - 0 1' 'position startpos moves e2e5' \
  'go nodes' 'go nodes x' 'go nodes -5' 'go nodes 99999999999999999999' 'go fast' 'go searchmoves e2e5' \
  'setoption' 'setoption name' 'setoption name Hash' 'setoption name Hash value x' 'setoption name Hash value -1' \
  'setoption name Nothing value 1' 'setoption name Killers value maybe' 'setoption name Policy value no-such-policy'; do
  uci "$line\nisready\nquit\n"
  count '^info string' 1; has '^readyok$'; lacks '^bestmove'
done
uci 'stop\nponderhit\nquit\n'; lacks .

# Options: the table off, a switch off, names in any case.
uci 'setoption name hash value 0\nsetoption name NullMove value false\nsetoption name Clear Hash\nposition startpos\ngo nodes 5000\n'
lacks 'info string'; count '^bestmove' 1

# A very long line.
moves=$(i=0; while [ $i -lt 1000 ]; do printf ' g1f3 g8f6 f3g1 f6g8'; i=$((i + 1)); done)
uci "position startpos moves$moves\ngo nodes 1000\n"; count '^bestmove' 1
uci "position startpos moves$moves$moves$moves$moves\nisready\n"; has 'beyond the longest game'

# The hard limit ends a search on a real clock also within an iteration: this soft limit would let it go on for 1000 s.
policy=$(mktemp) && trap 'rm -f "$out" "$policy.lua" "$policy"' EXIT
cat >"$policy.lua" <<'END'
return policy { name = "wall", title = "t", source = "s", unit = "s", params = {},
  budget = function(c) return 1000, 0.2 end, limit = function(s, b, p, g) return 1000 end }
END
uci "setoption name Policy value $policy.lua\nposition startpos\ngo wtime 2000000 btime 2000000\n"; count '^bestmove' 1

# The command line.
"$ZEITNOT" bench --depth 3 --hash 1 >"$out" 2>&1 || fail 'bench'
tail -1 "$out" | grep -qE '^[0-9]+ nodes [0-9]+ nps$' || fail 'the last line of bench'
"$ZEITNOT" suite "$SOURCE/data/positions/bratko-kopec.epd" --nodes 500 >"$out" 2>&1 || fail 'suite'
tail -1 "$out" | grep -qE '^[0-9]+ of 24 solved$' || fail 'the last line of suite'
"$ZEITNOT" --version >"$out" 2>&1 && has '^zeitnot [0-9]' || fail '--version'
"$ZEITNOT" --help >"$out" 2>&1 && has 'example:' || fail '--help'
for bad in 'bench --depth 0' 'bench --depth x' 'bench --what' 'bench 5' --nonsense 'suite' \
  'suite a b' 'suite a --nodes 0' 'suite --what'; do
  "$ZEITNOT" $bad >"$out" 2>&1; [ $? = 2 ] || fail "exit 2 for: $bad"
  has 'found'
done

exit $failed
