#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests the result of `cmake --install` without the source tree: headers, examples, the CMake package,
# pkg-config, and every command of docs/plugins.md.
# usage: check_install.sh BUILD C_COMPILER CXX_COMPILER
set -u
usage="usage: check_install.sh BUILD C_COMPILER CXX_COMPILER"
build=$(realpath "${1:?$usage}")
cc=${2:?$usage}
cxx=${3:?$usage}
here=$(dirname "$(realpath "$0")")
root=$(realpath "$here/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
true >"$work/out" 2>"$work/err"
export RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup} # which rustc otherwise expects in HOME
export HOME=$work/home
mkdir "$HOME"
cd "$HOME" || exit 1
unset NO_COLOR DESTDIR PKG_CONFIG_PATH CMAKE_PREFIX_PATH

. "$root/tests/cli/check.sh"
# shellcheck source=tests/install/names_place.sh
. "$root/tests/install/names_place.sh"

# quietly COMMAND...: its output is shown only if the check fails.
quietly() { "$@" >"$work/out" 2>"$work/err"; }

# --- what is installed, and that it may be moved

check "it installs for a package" quietly env DESTDIR="$work/stage" \
  cmake --install "$build" --prefix /opt/touchstone
check "it installs to a prefix" quietly cmake --install "$build" --prefix "$work/first"
[ "$failed" -eq 0 ] || { echo "install: $passed passed, $failed failed"; exit 1; }
check "both are the same files" quietly diff -r "$work/stage/opt/touchstone" "$work/first"
prefix=$work/moved/here
mkdir "$work/moved"
mv "$work/first" "$prefix"
for file in bin/touchstone include/touchstone/method.h include/touchstone/modifier.h include/touchstone/types.h \
  lib/cmake/touchstone/touchstoneConfig.cmake lib/cmake/touchstone/touchstoneConfigVersion.cmake \
  lib/pkgconfig/touchstone.pc share/doc/touchstone/LICENSE \
  share/doc/touchstone/examples/plugins/CMakeLists.txt share/doc/touchstone/docs/scenes.md \
  share/man/man1/touchstone.1 share/man/man1/touchstone-run.1 share/man/man5/touchstone-results.5 \
  share/bash-completion/completions/touchstone share/zsh/vendor-completions/_touchstone \
  share/zsh/site-functions/_touchstone share/fish/vendor_completions.d/touchstone.fish; do
  check "$file is there" test -f "$prefix/$file"
done
check "no other header" test "$(find "$prefix" -name '*.h' | wc -l)" -eq 3
helpers_beside() {
  local helper
  for helper in "$build"/touchstone-*; do
    [ ! -f "$helper" ] || [ -x "$prefix/bin/$(basename "$helper")" ] || return 1
  done
}
check "every helper of the build is next to the program" helpers_beside
engines_there() {
  local engine
  for engine in "$build"/engines/*.so; do
    [ ! -e "$engine" ] || [ -f "$prefix/lib/touchstone/engines/$(basename "$engine")" ] || return 1
  done
}
check "every engine of the build is there" engines_there
names_no_place() { ! names_place "$prefix" "$work" "$build" "$root"; }
check "no text names where it was built or installed" quietly names_no_place

touchstone=$prefix/bin/touchstone
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
run run --method opposing --case cliff_edges --repeats 1 --out tets
check "the program runs from there, with its helper" is_status 0
[ ! -e "$build/touchstone-tetgen" ] || check "which it found" out_has "2 rows, all ok"
engine=$(find "$build/engines" -name '*.so' 2>"$work/err" | sort | head -n 1)
if [ -n "$engine" ]; then
  run describe --engines method "$(basename "$engine" .so)"
  check "and with its engines" is_status 0
fi
check "pkg-config has the path of the program" \
  test "$(realpath "$(pkg-config --variable=program touchstone)")" = "$touchstone"
check "and the version of the program" \
  test "touchstone $(pkg-config --modversion touchstone)" = "$("$touchstone" --version)"

# --- manual pages, completions, and the pages that messages name

for page in "$prefix"/share/man/man?/*; do
  name=$(basename "$page")
  # A date would differ from build to build, so there is none.
  if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning "$page" | grep -v 'WARNING: missing date' >"$work/err"
    check "mandoc has no complaint about $name" test ! -s "$work/err"
  fi
  if command -v groff >/dev/null; then
    groff -man -ww -K utf8 -z "$page" >"$work/out" 2>"$work/err"
    check "nor has groff" test ! -s "$work/err"
  fi
done
mapfile -t commands < <(sed -n 's/^COMMAND(\(.*\), .*$/\1/p' "$root/harness/plan/commands.def")
check "there are commands" test "${#commands[@]}" -ge 10
for command in "${commands[@]}"; do
  page=$prefix/share/man/man1/touchstone-$command.1
  check "$command has a manual page" test -s "$page"
  run "$command" --help
  missing=$(sed -n 's/^  --\([a-z-]*\).*/\1/p' "$work/out" | while read -r option; do
    grep -qF "\\-\\-${option//-/\\-}\\fR" "$page" || printf '%s ' "$option"
  done)
  check "with all of its options" same_text "$missing" ""
done
completes() { # WORD EXPECTED: by the script that is installed, in a shell of its own
  bash --noprofile --norc -c "PATH=$prefix/bin:\$PATH; compopt() { :; }
    . '$prefix/share/bash-completion/completions/touchstone'
    complete -p touchstone >&2
    COMP_WORDS=(touchstone run --case '$1') COMP_CWORD=3
    _touchstone touchstone; echo \"\${COMPREPLY[*]}\"" >"$work/out" 2>"$work/err"
  err_has "complete -F _touchstone touchstone" && same_text "$(cat "$work/out")" "$2"
}
check "the completion for bash works" completes wal wall
run run --help
check "help names pages where they are" out_has "$prefix/share/doc/touchstone/docs/scenes.md"
named=$(grep -oE '[^ (]*/docs/[a-z_]*\.md' "$work/out" | sort -u)
check "each of which is there" quietly xargs ls -- <<<"$named"
run gate --baseline /dev/null --rules /dev/zero results
check "so do messages" err_has "see $prefix/share/doc/touchstone/docs/gate.md"

# --- the headers

sed 's,^#include "base/types\.h"$,#include "touchstone/types.h",' "$root/methods/method.h" \
  >"$work/method.h"
check "method.h differs from that of the tree in its include alone" quietly \
  diff "$work/method.h" "$prefix/include/touchstone/method.h"
check "and does differ" test "$(diff "$root/methods/method.h" "$work/method.h" | wc -l)" -eq 4
sed 's,^#include "methods/method\.h"$,#include "touchstone/method.h",' "$root/methods/modifiers/modifier.h" \
  >"$work/modifier.h"
check "so does modifier.h" quietly diff "$work/modifier.h" "$prefix/include/touchstone/modifier.h"
check "types.h is that of the tree" quietly \
  diff "$root/base/types.h" "$prefix/include/touchstone/types.h"
only_c_library() {
  ! grep -h '^ *# *include' "$prefix"/include/touchstone/*.h |
    grep -vxE '#include (<std(def|int)\.h>|"touchstone/(types|method)\.h")'
}
check "they include nothing but the C library" quietly only_c_library
strict=(-pedantic-errors -Wall -Wextra -Wconversion -Wshadow -Werror)
# alone COMPILER LANGUAGE STANDARD HEADER
alone() {
  quietly "$1" -x "$2" "-std=$3" "${strict[@]}" -fsyntax-only -I "$prefix/include" - \
    <<<"#include <touchstone/$4>
int header_stands_alone;"
}
for header in method.h modifier.h types.h; do
  for compiler in "$cc" gcc clang-14; do
    [ "$compiler" = "$cc" ] || command -v "$compiler" >/dev/null || continue
    check "$header compiles alone as C11 by $compiler" alone "$compiler" c c11 "$header"
  done
  for compiler in "$cxx" g++ clang++-14; do
    [ "$compiler" = "$cxx" ] || command -v "$compiler" >/dev/null || continue
    check "$header compiles alone as C++17 by $compiler" alone "$compiler" c++ c++17 "$header"
  done
done

# --- the examples

examples=$prefix/share/doc/touchstone/examples/plugins
read -ra flags < <(pkg-config --cflags touchstone)
check "the example in C builds without a warning" quietly "$cc" -std=c11 "${strict[@]}" \
  -shared -fPIC -o vertex_face.so "$examples/vertex_face.c" "${flags[@]}" -lm
check "the example in C++ builds without a warning" quietly "$cxx" -std=c++17 "${strict[@]}" \
  -shared -fPIC -o hull_planes.so "$examples/hull_planes.cc" "${flags[@]}"
check "the example on exact shapes builds without a warning" quietly "$cc" -std=c11 "${strict[@]}" \
  -shared -fPIC -o balls.so "$examples/balls.c" "${flags[@]}" -lm
check "the example of modifiers builds without a warning" quietly "$cc" -std=c11 "${strict[@]}" \
  -shared -fPIC -o manifolds.so "$examples/manifolds.c" "${flags[@]}" -lm
names_nothing_of_ours() { ! nm -D --undefined-only "$@" | grep -E '\b(ts_|touchstone)'; }
so=(vertex_face.so hull_planes.so balls.so manifolds.so)
if command -v rustc >/dev/null && rustc --version >"$work/out" 2>&1; then
  check "the example in Rust builds" quietly rustc -D warnings -A dead_code --crate-type cdylib \
    -o upwards.so "$examples/upwards.rs"
  run run --plugin ./upwards.so --method upwards --case cliff_edges --repeats 1
  check "and has a row" out_has "2 rows, all ok"
  so+=(upwards.so)
fi
check "they link with nothing of touchstone" quietly names_nothing_of_ours "${so[@]}"

# rows COLUMNS...: METHOD STEP and these columns of $home/results, a line each.
rows() {
  local columns=$*
  awk -F, -v wanted="method step outcome $columns" '
    NR == 1 { count = split(wanted, names, " "); for (i = 1; i <= NF; i++) place[$i] = i; next }
    { line = ""; for (i = 1; i <= count; i++) line = line $place[names[i]] " "; print line }' \
    results/latest/summary.csv
}
measures=(quality_percent coverage_percent excess_factor normals_flipped phantom regions_missed)
# A cube on a face: four contacts, all of them right, in any pose, at any size and place.
for settings in motion_seed=0 motion_seed=7 'motion_seed=3 scale=0.001' \
  'motion_seed=3 offset_m=1000'; do
  sets=()
  for setting in $settings; do sets+=(--set "$setting"); done
  run run --plugin ./vertex_face.so --plugin ./hull_planes.so --method 'vertex_face|hull_planes' \
    --case 'cliff_edges|internal_edges' "${sets[@]}" --steps 1 --repeats 1
  check "the examples run at $settings" is_status 0
  check "and are right on cubes" test "$(rows "${measures[@]}" gap_error_m_max | sort |
    awk '$NF < 1e-9 { $NF = ""; print }' | uniq -c | tr -s ' ')" = \
    " 2 hull_planes 0 ok 100 100 1 0 0 0 
 2 vertex_face 0 ok 100 100 1 0 0 0 "
done
# Overlap is a gap below zero: the spheres go 0.05 m into each other.
run run --plugin ./hull_planes.so --method hull_planes --case spheres --set triangles=1000 \
  --steps 1 --repeats 1
# shellcheck disable=SC2016 # awk's own variables
check "a true depth becomes a gap below zero" \
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "gap_m") gap = i; next }
    $gap < least { least = $gap } END { exit !(least > -0.06 && least < -0.03) }' \
  results/latest/contacts.csv
run run --plugin ./hull_planes.so --method hull_planes --case tori --set triangles=1000 --repeats 1
check "convex bodies are asked for" out_has "requires convex bodies"
run run --plugin ./vertex_face.so --method vertex_face --case tori --set triangles=100000 \
  --steps 1 --repeats 1
check "what would take hours is left out, with the reason" out_has "fewer than 10,000 vertices"
run describe --plugin ./vertex_face.so method vertex_face
check "a parameter of an example is described" out_has "closeness_m"

# --- the CMake package

cp -r "$examples" "$work/examples"
check "find_package finds the package" quietly cmake -G Ninja -S "$work/examples" \
  -B "$work/by_cmake" \
  -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx"
check "the examples build with it" quietly cmake --build "$work/by_cmake"
check "and run by the program it names" quietly cmake --build "$work/by_cmake" --target try
check "with rows" test -s "$work/by_cmake/results/latest/summary.csv"
sed -i 's/(touchstone [0-9.]*/(touchstone 99/' "$work/examples/CMakeLists.txt"
wrong_version() {
  ! quietly cmake -G Ninja -S "$work/examples" -B "$work/by_99" -DCMAKE_PREFIX_PATH="$prefix"
}
check "another version is not taken" wrong_version
check "and the message names both" grep -qF 'version "99"' "$work/err"

# shellcheck source=tests/install/walk_page.sh
. "$here/walk_page.sh"

echo "install: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 40 ]
