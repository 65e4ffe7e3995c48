# 20 real games at 1+0.01: a careful policy passes, or the machine is named as too noisy to tell.
. "$SOURCE/tests/e2e/lib.sh"

cat >careful.lua <<'END'
return policy { name = "careful", title = "t", source = "s", unit = "s", params = {},
  budget = function(c) return c.time / 60, c.time / 30 end }
END
"$TMSIM" hammer ./careful.lua --clock real --tc 1+0.01 --games 20 --db h.db --quiet >out 2>err </dev/null
code=$?
case $code in
0) says out 'careful-real  PASS' ;;
4) says out 'careful-real  VOID'; grep -qE 'too noisy|own lag' out || fail 'void for another reason' ;;
*) fail "exit $code"; cat out err ;;
esac
[ "$(sqlite3 h.db 'SELECT count(*) FROM game')" -eq 20 ] || fail 'not 20 games'
finish
