# Stored games replay bit for bit, from recorded events and by searching again; a divergence is named.
. "$SOURCE/tests/e2e/lib.sh"

expect 0 "$TMSIM" vmatch pool:moves=30 sf_17 --tc 3+0.03 --overhead 10ms --rounds 1 --trace stop --quiet --db r.db
expect 0 "$TMSIM" replay all --db r.db --from events
[ "$(grep -c 'events *bit-identical' out)" -eq 2 ] || { fail 'not both games from events'; cat out; }
expect 0 "$TMSIM" replay 1 2 --db r.db --from search
[ "$(grep -c 'search *bit-identical' out)" -eq 2 ] || { fail 'not both games by search'; cat out; }

sqlite3 r.db 'UPDATE move SET spend_ns = spend_ns + 1 WHERE game = 1 AND ply = 7'
expect 4 "$TMSIM" replay 1 --db r.db
says out 'at ply 7: spend is '
expect 0 "$TMSIM" replay 2 --db r.db
sqlite3 r.db "UPDATE policy SET text = text || ' '"
expect 2 "$TMSIM" replay 2 --db r.db
says err 'have not the hash they had'
expect 2 "$TMSIM" replay 99 --db r.db
says err 'game 99: there is no such game'
expect 2 "$TMSIM" replay x --db r.db

# Without traces a search it is; prune drops them and shrinks the file.
expect 0 "$TMSIM" vmatch pool smooth --tc 3+0.03 --overhead 10ms --rounds 1 --trace stop --quiet --db p.db
expect 0 "$TMSIM" vmatch pool smooth --tc 2+0.03 --overhead 10ms --rounds 1 --trace stop --quiet --db p.db
before=$(stat -c %s p.db)
expect 0 "$TMSIM" store prune --traces --db p.db
[ "$(stat -c %s p.db)" -lt "$before" ] || fail 'prune freed nothing'
[ "$(sqlite3 p.db 'SELECT count(trace) FROM move')" -eq 0 ] || fail 'traces are left'
expect 0 "$TMSIM" replay all --db p.db
[ "$(grep -c 'search *bit-identical' out)" -eq 4 ] || { fail 'not all games by search'; cat out; }
expect 2 "$TMSIM" replay 1 --from events --db p.db
says err 'play with --trace stop'
expect 0 "$TMSIM" store info --db p.db
[ "$(grep -c passed out)" -eq 2 ] || fail 'info does not show two checked runs'
key=$(sqlite3 p.db 'SELECT substr(key, 1, 8) FROM run WHERE id = 1')
expect 0 "$TMSIM" store prune --run "$key" --db p.db
[ "$(sqlite3 p.db 'SELECT count(*) || (SELECT count(*) FROM run) || (SELECT count(DISTINCT game) FROM move) FROM game')" = 212 ] ||
  fail 'the run was not dropped whole'
expect 2 "$TMSIM" store prune --run zz --db p.db
expect 2 "$TMSIM" store prune --db p.db
expect 2 "$TMSIM" store prune --traces --db none.db
absent none.db
finish
