#!/bin/sh
# What storing costs and what a second worker gains. Usage: TMSIM=program tests/bench/scaling.sh. Needs an idle machine.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
seconds() { # CONCURRENCY STORE
  start=$(date +%s.%N)
  "$TMSIM" vmatch pool oldtm --tc 10+0.1 --overhead 10ms --rounds "${ROUNDS:-20}" --quiet --concurrency "$1" --db "$2" >/dev/null
  echo "$(date +%s.%N) - $start" | bc
}
one=$(seconds 1 "$work/one.db")
two=$(seconds 2 "$work/two.db")
games=$(sqlite3 "$work/one.db" 'SELECT count(*) FROM game')
playing=$(sqlite3 "$work/one.db" 'SELECT sum(wall_ns) / 1e9 FROM timing')
echo "$games games: one worker $one s, two $two s, gain $(echo "scale=2; $one / $two" | bc)"
echo "of one worker's $one s, $playing s went into games: all else, storing and checking, $(echo "scale=2; 100 * ($one - $playing) / $one" | bc) %"
