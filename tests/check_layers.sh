#!/bin/sh
# The house of design: vclock <- engine <- profiles <- tmsim. An include may only point left.
# usage: check_layers.sh SOURCE_ROOT; exit 1 and one line for each include that points the wrong way.
root=$1
bad=0
deny() { # FOLDER and the folders that it must not see
  folder=$1; shift
  for upper in "$@"; do
    if grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[\"<](\.\./)*$upper/" "$root/$folder" --include='*.c' --include='*.h'; then
      echo "$folder must not include $upper/"
      bad=1
    fi
  done
}
deny vclock engine profiles tmsim
deny engine profiles tmsim
deny profiles tmsim
# A quoted include that names no folder would hide from the rule above.
if grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^/"]+"' "$root/vclock" "$root/engine" "$root/profiles" "$root/tmsim" --include='*.c' --include='*.h'; then
  echo 'includes name their folder: "vclock/tc.h"'
  bad=1
fi
# Only one source file reads the soft limit.
readers=$(grep -rlE 'elapsed *>= *[a-z>.-]*soft' "$root/vclock" "$root/engine" "$root/profiles" "$root/tmsim" --include='*.c' --include='*.h' | sed "s|^$root/||")
if [ "$readers" != vclock/stop.c ]; then
  echo "the soft limit is read in: $readers; expected vclock/stop.c alone"
  bad=1
fi
exit $bad
