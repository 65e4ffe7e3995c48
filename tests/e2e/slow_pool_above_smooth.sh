# 200 pairs separate pool from smooth at 60+0, as a real match did (+119.9 +- 36.4 there).
. "$SOURCE/tests/e2e/lib.sh"

expect 0 "$TMSIM" vmatch pool --baseline smooth --tc 60+0 --overhead 50ms --rounds 200 --seed 1 --quiet --db p.db --format csv
low=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "elo_lo") column = i } $3 == "pool" { print $column }' out)
awk -v v="$low" 'BEGIN { exit !(v != "" && v > 0) }' || fail "the interval of pool's Elo begins at $low, expected above 0"
finish
