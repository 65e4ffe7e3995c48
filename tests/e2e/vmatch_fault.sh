# A policy that faults at its 30th move ends that game without a score; the run goes on and ends with exit 4.
. "$SOURCE/tests/e2e/lib.sh"

cat >late.lua <<'L'
return policy {
  name = "late", title = "faults at its 30th move", source = "a test", unit = "s", params = {},
  budget = function(c, p, g)
    g.n = (g.n or 0) + 1
    if g.n == 30 then return 0 / 0, 1 end
    return c.time / 60, c.time / 30
  end,
}
L
expect 4 "$TMSIM" vmatch ./late.lua smooth --tc 4+0.02 --rounds 2 --overhead 1ms --quiet --db f.db
says out 'policy_fault'
head -n 1 out | grep -q '^VOID: policy_faults: [1-9]' || fail 'the table is not headed VOID'
faults=$(sqlite3 f.db "SELECT count(*) FROM game WHERE white_points IS NULL AND ending = 'policy_fault'")
[ "$faults" -ge 1 ] || fail "no game ended as policy_fault"
[ "$(sqlite3 f.db 'SELECT count(*) FROM game')" -eq 4 ] || fail 'the run did not go on'
sqlite3 f.db "SELECT fault FROM game WHERE ending = 'policy_fault' LIMIT 1" >fault
says fault 'late.lua:5: budget returned NaN for soft'
says fault 'at time'
# Nothing is left to play, but the run is as void as before.
expect 4 "$TMSIM" vmatch ./late.lua smooth --tc 4+0.02 --rounds 2 --overhead 1ms --quiet --db f.db
# The refusal stays with the run.
expect 4 "$TMSIM" rank --db f.db
head -n 1 out | grep -q '^VOID: policy_faults' || fail 'rank forgets that the run is void'
expect 4 "$TMSIM" rank --gates --db f.db
grep -q 'policy_faults *FAILED' out || fail 'the gate is not shown as failed'
expect 4 "$TMSIM" rank --gates --format json --db f.db
says out '"gate": "policy_faults"'
finish
