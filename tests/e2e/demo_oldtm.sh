# The arm that a real match found 235 Elo behind must lose on the virtual clock too, flag, and play about a quarter of
# its moves blind. (Forty games carry about +-100 Elo; that pool beats smooth is left to a slow test.)
. "$SOURCE/tests/e2e/lib.sh"

expect 0 "$TMSIM" vmatch oldtm --baseline smooth --tc 60+0 --overhead 50ms --rounds 20 --seed 1 --quiet --db d.db --format csv
cell() { # COLUMN: of oldtm's row
  awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i } $3 == "oldtm" { print $column }' out
}
between() { # WHAT VALUE LOW HIGH
  awk -v v="$2" -v lo="$3" -v hi="$4" 'BEGIN { exit !(v != "" && v >= lo && v <= hi) }' || fail "$1 is $2, expected $3 to $4"
}
between 'upper end of the Elo interval' "$(cell elo_hi)" -1000 -50
between 'games' "$(cell games)" 40 40
between 'flags' "$(cell flags)" 8 36
between 'share of blind moves' "$(cell blind_share)" 0.15 0.40

expect 0 "$TMSIM" rank --db d.db
tail -n 1 out >last
says last 'not a verdict'
finish
