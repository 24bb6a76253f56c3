#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every header compiles alone: its source includes it first, so that the build shows it, or it is
# compiled here. The public ones compile as C11 and as C++17 too, with warnings as errors and nothing
# but the C library. usage: check_headers.sh C_COMPILER CXX_COMPILER [INCLUDE_FOLDER...]
set -u
cd "$(dirname "$0")/.." || exit 1
cc=$1
cxx=$2
shift 2
includes=(-I.)
for folder in "$@"; do includes+=("-I$folder"); done
warnings=(-Wall -Wextra -Wpedantic -Werror -fsyntax-only)
passed=0
failed=0
try() { # NAME COMMAND...
  local name=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    echo "check_headers: $name does not compile alone"
    failed=$((failed + 1))
  fi
}
while read -r header; do
  source=${header%.h}.c
  if [ -e "$source" ] && [ "$(grep -m 1 '^#include' "$source")" = "#include \"$header\"" ]; then
    passed=$((passed + 1))
    continue
  fi
  try "$header" "$cc" -std=c17 -D_GNU_SOURCE "${includes[@]}" "${warnings[@]}" -x c - \
    <<<"#include \"$header\"
int header_stands_alone;"
done < <(find base geometry ldi elastic sim cases methods reports harness -name engines -prune -o -name '*.h' -print | sort)
for header in base/types.h methods/method.h methods/modifiers/modifier.h; do
  try "$header as C11" "$cc" -std=c11 -I. "${warnings[@]}" -x c - \
    <<<"#include \"$header\"
int header_stands_alone;"
  try "$header as C++17" "$cxx" -std=c++17 -I. "${warnings[@]}" -x c++ - \
    <<<"#include \"$header\"
int header_stands_alone;"
done
echo "check_headers: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 4 ]
