#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: tests/fuzz/run.sh [SECONDS [TARGET...]]: fuzzes each target for that long (default: 60,
# all). See docs/fuzzing.md. Findings are kept in build/fuzz/found/TARGET, inputs that help later
# runs in build/fuzz/inputs/TARGET. With --merge instead of SECONDS, those inputs that reach new
# code are added to the corpus.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
shift || true
build=build/fuzz
CC=clang-14 CXX=clang++-14 cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DTOUCHSTONE_SANITIZE=ON -DTOUCHSTONE_FUZZ=ON >/dev/null
cmake --build $build --target fuzz
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  for file in tests/fuzz/corpus/*; do targets+=("$(basename "$file")"); done
fi
found=0
for target in "${targets[@]}"; do
  corpus=tests/fuzz/corpus/$target inputs=$build/inputs/$target kept=$build/found/$target
  mkdir -p "$inputs" "$kept"
  options=(-max_len=8192 -timeout=25 -rss_limit_mb=3000 -print_final_stats=1
    -artifact_prefix="$kept/")
  words=tests/fuzz/words/$target.dict
  [ ! -e "$words" ] || options+=(-dict="$words")
  if [ "$seconds" = --merge ]; then
    "$build/tests/fuzz/fuzz_$target" -merge=1 -use_counters=0 "${options[@]}" "$corpus" "$inputs" \
      2>&1 | tail -n 1
    continue
  fi
  echo "== $target"
  if ! "$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" "${options[@]}" "$inputs" \
    "$corpus" >"$build/found/$target.log" 2>&1; then
    found=$((found + 1))
    grep -E 'SUMMARY|does not hold|Test unit written' "$build/found/$target.log" || true
  fi
  grep -E 'DONE|number_of_executed' "$build/found/$target.log" || true
done
[ "$seconds" = --merge ] || echo "fuzzed ${#targets[@]} targets, $found with a finding"
[ "$found" -eq 0 ]
