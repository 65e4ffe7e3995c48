#!/bin/sh
# What the compliance modes of match runners ask of an engine, in their order: names, options, readiness, positions, each
# kind of limit, info lines in UCI's form, legal moves and variations, both colours, a new game, an end without delay.
. "$SOURCE/tests/e2e/lib.sh"

BLACK='fen rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2'

# Each search under its position, so that moves can be tried there afterwards.
cat >session <<EOF
uci
isready
setoption name Hash value 16
ucinewgame
isready
position startpos
go wtime 100
position startpos moves e2e4 e7e5
go wtime 100 btime 100
position $BLACK
go btime 100
position $BLACK moves b8c6
go wtime 100 winc 100 btime 100 binc 100
position startpos moves e2e4
go wtime 1000 btime 1000 movestogo 20
position startpos
go movetime 100
ucinewgame
isready
position startpos
go nodes 5000
position $BLACK
go depth 5
EOF
mkfifo pipe
(cat session; echo go infinite; sleep 1; echo stop; echo isready; sleep 0.2; echo quit) >pipe &
expect 0 timeout 60 sh -c '"$ZEITNOT" <pipe'
wait

searches=$(($(grep -c '^go' session) + 1))
[ "$(grep -c '^bestmove [a-h][1-8][a-h][1-8][qrbn]\{0,1\}\( ponder [a-h][1-8][a-h][1-8][qrbn]\{0,1\}\)\{0,1\}$' out)" = "$searches" ] ||
  fail "$searches well-formed bestmove lines expected"
[ "$(grep -c '^readyok$' out)" = 4 ] || fail 'a readyok for each of 4 isready'
[ "$(sed -n 1p out | cut -c1-8)" = 'id name ' ] || fail 'the first line is no id name'
says out 'id author '
[ ! -s err ] || fail 'something on stderr'

# Every line is one of UCI's; an option has a type and what belongs to it; info lines are keywords with numbers.
awk '
  function number(field) { return field ~ /^-?[0-9]+$/ }
  /^(id (name|author) .+|uciok|readyok|bestmove .*|info string .*)$/ { next }
  /^option name .+ type check default (true|false)$/ { next }
  /^option name .+ type spin default [0-9]+ min [0-9]+ max [0-9]+$/ { next }
  /^option name .+ type string default .+$/ { next }
  /^option name .+ type button$/ { next }
  $1 == "info" {
    score = depth = time = nodes = nps = pv = 0
    for (i = 2; i <= NF && !pv; i++) {
      if ($i == "score" && ($(i + 1) == "cp" || $(i + 1) == "mate") && number($(i + 2))) { score = 1; i += 2 }
      else if ($i == "lowerbound" || $i == "upperbound") continue
      else if ($i ~ /^(depth|seldepth|nodes|nps|time|hashfull|multipv)$/ && number($(i + 1))) {
        if ($i == "depth") depth = 1; if ($i == "time") time = 1; if ($i == "nodes") nodes = 1; if ($i == "nps") nps = 1
        i++
      } else if ($i == "pv") {
        pv = NF > i
        for (i++; i <= NF; i++) if ($i !~ /^[a-h][1-8][a-h][1-8][qrbn]?$/) pv = 0
      } else { pv = 0; break }
    }
    if (score && depth && time && nodes && nps && pv) next
  }
  { print }
' out >odd
[ ! -s odd ] || { fail 'lines that are not UCI'; sed 's/^/  | /' odd; }
grep -q '^info depth' out || fail 'no info line'

# Variations and best moves are legal: the engine, which names an illegal move in a position, takes each of them.
grep '^position' session >positions
tail -1 positions >>positions
grep -E '^(info depth|bestmove)' out | awk '
  BEGIN { while ((getline line < "positions") > 0) position[++n] = line; at = 1 }
  { moves = $0
    if ($1 == "info") sub(/.* pv /, "", moves)
    else { sub(/^bestmove /, "", moves); sub(/ ponder/, "", moves) }
    print position[at] (position[at] ~ / moves / ? " " : " moves ") moves
    if ($1 == "bestmove") at++ }
' >lines
[ "$(wc -l <lines)" -gt 30 ] || fail 'hardly any variation to try'
cp lines tries
printf 'position startpos moves e2e5\n' >>tries # so that the test could fail
"$ZEITNOT" <tries >out 2>err
[ "$(grep -c '^info string' out)" = 1 ] || { fail 'illegal moves'; sed 's/^/  | /' out; }

finish
