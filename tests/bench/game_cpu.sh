# CPU seconds of a virtual 60+0 game of pool against smooth, from the store's table `timing`. Needs TMSIM (the program)
# and sqlite3. A measurement, not a test.
#   TMSIM=build/pgo/tmsim/tmsim sh tests/bench/game_cpu.sh [ROUNDS]
set -eu
db=$(mktemp -d) && trap 'rm -rf "$db"' EXIT
"$TMSIM" vmatch pool --baseline smooth --tc 60+0 --rounds "${1:-10}" --concurrency 1 --quiet --db "$db/games.db" >/dev/null
sqlite3 "$db/games.db" "SELECT printf('%d games, CPU per game: mean %.3f s, longest %.3f s; nodes per game: %.2f million',
  count(*), avg(cpu_ns) / 1e9, max(cpu_ns) / 1e9, (SELECT sum(nodes_used) FROM move) / 1e6 / count(*)) FROM timing"
