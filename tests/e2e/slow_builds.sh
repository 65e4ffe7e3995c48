# The same search whatever compiled it: without optimisation, with link-time optimisation for this processor, by clang.
. "$SOURCE/tests/e2e/lib.sh"

game='position startpos
go nodes 30000
position startpos moves e2e4 c7c5 g1f3
go nodes 30001
setoption name Hash value 1
position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1
go depth 9
'
plain() { sed 's/ nps [0-9]*//; s/ time [0-9]*//'; }

build() { # NAME CMAKE-ARGUMENT…
  name=$1; shift
  cmake -S "$SOURCE" -B "$name" -DZEITNOT_TESTS=OFF "$@" >log 2>&1 && cmake --build "$name" --target zeitnot >>log 2>&1 ||
    { fail "$name does not build"; tail -20 log; return 1; }
  printf '%s' "$game" | "$name/engine/zeitnot" | plain >"$name.game"
  "$name/engine/zeitnot" bench --depth 8 | tail -1 | cut -d' ' -f1 >"$name.bench"
}

build O0 -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=gcc -DCMAKE_C_FLAGS_DEBUG=-O0
build lto -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=gcc -DCMAKE_C_FLAGS_RELEASE=-O3 -DZEITNOT_NATIVE=ON \
  -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON
grep -q '^bestmove' O0.game || fail 'no answer'
same() { cmp O0.game "$1.game" && cmp O0.bench "$1.bench" || fail "$1 searches differently from O0"; }
same lto
if command -v clang >/dev/null; then
  build clang -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=clang -DCMAKE_C_FLAGS_RELEASE=-O2 && same clang
fi
finish
