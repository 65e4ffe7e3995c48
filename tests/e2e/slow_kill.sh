# Killed with -9 at random moments 50 times in a row, a run ends with exactly the games of an undisturbed one.
. "$SOURCE/tests/e2e/lib.sh"

# Replaces the shell, so that its process is the one that is killed.
play() { exec "$TMSIM" vmatch pool oldtm --baseline smooth --tc 2+0.02 --overhead 10ms --rounds 50 --trace stop --concurrency 2 --quiet --db "$1"; }
dump() { # STORE
  for table in $(sqlite3 "$1" "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'timing' ORDER BY name"); do
    echo "== $table"
    sqlite3 "$1" ".mode quote" "SELECT * FROM $table"
  done
}
count() { sqlite3 killed.db 'SELECT count(*) FROM game' 2>/dev/null || echo 0; }
kills=0 alive=0 games=0 steps=0
while [ "$kills" -lt 50 ]; do
  play killed.db >/dev/null 2>&1 &
  pid=$!
  byte=$(od -An -N1 -tu1 /dev/urandom | tr -d ' ')
  # Every second one is left alone until it has stored a game: on a slow machine the others hardly begin.
  tries=0
  while [ $((kills % 2)) -eq 0 ] && [ "$(count)" -le "$games" ] && [ $tries -lt 600 ] && kill -0 $pid 2>/dev/null; do
    sleep 0.05; tries=$((tries + 1))
  done
  sleep "0.$((byte < 100 ? 0 : byte))"
  kill -0 $pid 2>/dev/null && alive=$((alive + 1))
  kill -9 $pid 2>/dev/null
  wait $pid 2>/dev/null
  kills=$((kills + 1))
  now=$(count)
  [ "$now" -ge "$games" ] || fail "games were lost: $games, then $now"
  [ "$now" -gt "$games" ] && steps=$((steps + 1))
  games=$now
done
[ "$alive" -ge 20 ] || fail "only $alive of 50 kills met a running match"
[ "$steps" -ge 15 ] || fail "only $steps of the killed runs had stored anything"
[ "$(sqlite3 killed.db 'PRAGMA integrity_check')" = ok ] || fail 'the file is damaged'
(play killed.db) >out 2>err || { fail 'the last run failed'; cat err; }
(play whole.db) >out 2>err || fail 'the undisturbed run failed'
[ "$(sqlite3 whole.db 'SELECT count(*) FROM game')" -eq 200 ] || fail 'not 2 pairings x 50 pairs x 2 legs'
dump killed.db >killed.txt
dump whole.db >whole.txt
cmp killed.txt whole.txt || fail 'the killed run differs from the undisturbed one'
echo "$alive kills of a running match, $steps of which had stored games"
finish
