# What can go wrong with a store: a clear message, an exit code, and nothing lost.
. "$SOURCE/tests/e2e/lib.sh"

play() { "$TMSIM" vmatch pool smooth --tc 2+0.02 --overhead 10ms --quiet "$@"; }
games() { sqlite3 "$1" 'SELECT count(*) FROM game'; }

# The disk is full: here, files may not grow beyond 1200 blocks of 512 bytes.
(trap '' XFSZ; ulimit -f 1200; play --rounds 60 --db full.db) >out 2>err
code=$?
[ "$code" -eq 2 ] || fail "exit code $code instead of 2 on a full disk"
says err 'store full.db: '
kept=$(games full.db)
[ "$kept" -ge 1 ] || fail 'nothing was kept'
[ "$(sqlite3 full.db 'PRAGMA integrity_check')" = ok ] || fail 'a full disk damaged the file'
[ "$(sqlite3 full.db 'SELECT count(*) FROM game WHERE plies <> (SELECT count(*) FROM move WHERE move.game = game.id)')" -eq 0 ] ||
  fail 'a game lost its moves'
expect 0 play --rounds 10 --db full.db
[ "$(games full.db)" -ge 20 ] || fail 'a run that met a full disk cannot be continued'

# Another writer holds the file.
expect 0 play --rounds 1 --db locked.db
mkfifo hold
sqlite3 locked.db <hold >/dev/null 2>&1 &
exec 9>hold
echo 'BEGIN IMMEDIATE;' >&9
tries=0
while sqlite3 locked.db 'BEGIN IMMEDIATE; ROLLBACK' 2>/dev/null && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
expect 2 play --rounds 2 --db locked.db
says err 'store locked.db: locked by another process'
expect 0 "$TMSIM" rank --db locked.db # readers are not disturbed
echo 'ROLLBACK;' >&9
exec 9>&-
wait
[ "$(games locked.db)" -eq 2 ] || fail 'a refused writer changed the store'

# Written by a newer program, damaged, foreign, not writable.
cp locked.db newer.db
sqlite3 newer.db 'PRAGMA user_version = 99'
expect 2 play --rounds 2 --db newer.db
says err 'schema version 99, written by a newer tmsim'
cp locked.db broken.db
sqlite3 broken.db 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
dd if=/dev/zero of=broken.db bs=1024 seek=8 count=40 conv=notrunc 2>/dev/null
expect 2 play --rounds 2 --db broken.db
says err 'store broken.db: damaged'
sqlite3 foreign.db 'CREATE TABLE bookmarks (url TEXT)'
expect 2 play --rounds 1 --db foreign.db
says err 'an SQLite file of another program'
chmod 444 locked.db
if [ ! -w locked.db ]; then # root may write everything
  expect 2 play --rounds 2 --db locked.db
  says err 'locked.db'
  expect 0 "$TMSIM" rank --db locked.db
fi
chmod 644 locked.db

# Two matches into one store at a time: the second is refused, the first not disturbed.
"$TMSIM" vmatch pool smooth --tc 2+0.02 --overhead 10ms --quiet --rounds 200 --db busy.db >/dev/null 2>&1 &
pid=$!
tries=0
while [ "$(games busy.db 2>/dev/null || echo 0)" -lt 1 ] && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
expect 2 play --rounds 2 --db busy.db
says err 'store busy.db: locked by another process'
kill -9 $pid
wait $pid 2>/dev/null
expect 0 play --rounds 2 --db busy.db # the lock went with its process

# One interrupt: the games in flight are finished and stored, and the table so far is printed.
"$TMSIM" vmatch pool smooth --tc 2+0.02 --overhead 10ms --quiet --rounds 200 --db int.db --concurrency 2 >int.out 2>int.err &
pid=$!
tries=0
while [ "$(games int.db 2>/dev/null || echo 0)" -lt 3 ] && [ $tries -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -INT $pid
started=$(date +%s)
wait $pid
code=$?
[ "$code" -eq 0 ] || fail "exit code $code instead of 0 after an interrupt"
[ $(($(date +%s) - started)) -le 10 ] || fail 'an interrupted match did not end within seconds'
says int.out 'RANKING'
says int.out 'Interrupted: the match is not complete'
says int.err 'the same command continues'
[ "$(games int.db)" -ge 3 ] && [ "$(games int.db)" -lt 400 ] || fail 'not the games so far'
[ "$(sqlite3 int.db 'SELECT count(*) FROM gate')" -eq 0 ] || fail 'a match that was cut short passed its gates'

# Two interrupts end at once, here in the middle of a long game.
"$TMSIM" vmatch pool smooth --tc 3600+60 --overhead 10ms --quiet --db twice.db >/dev/null 2>&1 &
pid=$!
sleep 1
kill -INT $pid
sleep 0.2
kill -INT $pid
started=$(date +%s)
wait $pid
[ $? -ge 128 ] || fail 'a second interrupt did not end the program'
[ $(($(date +%s) - started)) -le 5 ] || fail 'a second interrupt was not obeyed at once'
[ "$(sqlite3 twice.db 'PRAGMA integrity_check')" = ok ] || fail 'a second interrupt damaged the file'
finish
