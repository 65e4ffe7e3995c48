# Helpers of the end-to-end tests; sourced. Each script runs in a fresh directory that is removed at its end.
# Environment: TMSIM and ZEITNOT (the programs), SOURCE (the checkout).
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() { # MESSAGE
  echo "FAIL: $*"
  failures=$((failures + 1))
}

# Runs a command; its output goes to the files out and err. Complains if the exit code is another one.
expect() { # CODE COMMAND…
  wanted=$1; shift
  "$@" >out 2>err </dev/null
  code=$?
  if [ "$code" -ne "$wanted" ]; then
    fail "exit code $code instead of $wanted: $*"
    sed 's/^/  | /' out err
  fi
}

# The last output (out or err) must hold a fixed text.
says() { # FILE TEXT
  grep -qF -- "$2" "$1" || { fail "$1 does not say: $2"; sed 's/^/  | /' "$1"; }
}

absent() { # FILE…
  for file in "$@"; do
    [ ! -e "$file" ] || fail "$file was left behind"
  done
}

finish() {
  [ "$failures" -eq 0 ] || { echo "$failures failures"; exit 1; }
  exit 0
}
