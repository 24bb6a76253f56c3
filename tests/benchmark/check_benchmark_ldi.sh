#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks that the programs for layered depth images run, write their files, and refuse bad input.
# Small settings; times are not checked.
# usage: check_benchmark_ldi.sh BENCHMARK_LDI LDI_ACCURACY
set -u
usage="usage: check_benchmark_ldi.sh BENCHMARK_LDI LDI_ACCURACY"
benchmark=$(realpath "${1:?$usage}")
accuracy=$(realpath "${2:?$usage}")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

# check WHAT COMMAND...: the command must succeed.
check() {
  local what=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $what"
    echo "  check: $*"
    sed 's/^/  stdout: /' out | head -n 8
    sed 's/^/  stderr: /' err | head -n 8
  fi
}

# run PROGRAM ARGUMENTS...: leaves out, err and $status.
run() {
  program=$1
  shift
  "$program" "$@" >out 2>err
  status=$?
}
# tiny ARGUMENTS...: the benchmark on the smallest bodies.
tiny() { run "$benchmark" --backend cpu --repeats 2 "$@"; }
is_fine() { [ "$status" -eq 0 ] && [ ! -s err ]; }
out_has() { grep -qF -- "$1" out; }
is_same() { [ "$1" = "$2" ]; }
is_absent() { [ ! -e "$1" ]; }
is_one_message() { [ "$(wc -l <err)" -eq 1 ] && grep -q "^$(basename "$program"): " err; }
is_refused() { [ "$status" -eq 2 ] && [ ! -s out ] && is_one_message && grep -qF -- "$1" err; }

# refused WHAT WORD PROGRAM ARGUMENTS...: exit 2, one message that contains the word, no output.
refused() {
  local what=$1 word=$2
  shift 2
  run "$@"
  check "$what is refused" is_refused "$word"
}

# column FILE NAME: its values in the rows, on one line. Text with commas must come after it.
column() {
  awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
    { printf "%s ", $at }' "$1"
}
# all_above FILE COLUMN LIMIT: every value is a number above it.
all_above() {
  column "$1" "$2" | tr ' ' '\n' |
    awk -v limit="$3" 'NF { n++; if (!($1 > limit) || $1 ~ /nan|inf/) bad = 1 }
      END { exit bad || !n }'
}
# explains FILE HELP: the help has a line for each column.
explains() {
  for name in $(head -n 1 "$1" | tr , ' '); do
    check "--help explains $name" grep -qE "^  $name  +[a-z]" "$2"
  done
}

# --- the benchmark
run "$benchmark" --help
check "--help" is_fine
check "--help lists the back ends" out_has " cpu"
cp out help

tiny --triangles 5000,10000 --resolution 48,64 --csv both.csv
check "a run over both lists" is_fine
check "no partial file is left" is_absent both.csv.part
check "every pair of values has its rows" is_same "$(column both.csv resolution_px)" \
  "48 48 64 64 48 48 64 64 "
check "one and two threads" is_same "$(column both.csv threads)" "1 2 1 2 1 2 1 2 "
for name in triangles pixels crossings layers_max volume_m3 contacts repeats time_ns_min \
  time_ns_median place_ns_min measure_ns_min ns_per_crossing contacts_ns to_one_thread to_cpu; do
  check "$name is measured" all_above both.csv "$name" 0
done
check "it prints the cpu" grep -q '^cpu: ' out
explains both.csv help

tiny --triangles 5000,10000 --csv triangles.csv
check "a run over triangles" is_fine
check "it is a sweep by triangles" is_same "$(column triangles.csv setting)" \
  "triangles triangles triangles triangles "
check "the growth is printed" \
  grep -qE '^minimum time of cpu, 1 thread, grows as triangles\^-?[0-9.]+ \(2 points' out
check "the contacts are printed" grep -q '^contacts in cells of 16 px: ' out

tiny --resolution 16:32:2:log --csv resolution.csv
check "a run over resolutions" is_fine
check "a sweep may be given as from, to and count" is_same "$(column resolution.csv resolution_px)" \
  "16 16 32 32 "

check "no floor is measured unasked" is_same "$(column triangles.csv to_floor)" "nan nan nan nan "

tiny --triangles 10000 --resolution 64 --floor --csv floor.csv
check "a floor is worked out" is_fine
check "the floor is measured" all_above floor.csv floor_ns 0
check "only one thread is compared with it" is_same "$(column floor.csv to_floor | sed 's/[0-9][0-9.]*/x/')" \
  "x nan "
check "it is of work above zero, and below the time" grep -qE \
  '^  floor [0-9.]+ ms: [1-9][0-9]* vertices at 0*[.]?[0-9]*[1-9].*; cpu takes [1-9][0-9]*[.][0-9]+ times' out

run "$benchmark" --check --triangles 10000 --resolution 64 --backend cpu
check "the back ends are compared" is_fine
check "threads change no bit" grep -q ' same bits$' out

refused "an unknown back end" 'there is no back end called "cpv"; did you mean "cpu"' \
  "$benchmark" --backend cpv
refused "an unknown option" 'did you mean "--resolution"' "$benchmark" --resolutoin 16
refused "an operand" '"both.csv" is not an option' "$benchmark" both.csv
refused "a word in a list" "--triangles" "$benchmark" --triangles 1000,many
refused "too few triangles" "--triangles" "$benchmark" --triangles 1
refused "a resolution of zero" "--resolution" "$benchmark" --resolution 0
refused "a resolution too large" "--resolution" "$benchmark" --resolution 16,5000
refused "an empty list" "--resolution" "$benchmark" --resolution ""
refused "no repeat" "--repeats takes a whole number from 1" "$benchmark" --repeats 0
refused "a CSV file of a check" "--check does not measure; remove --csv" "$benchmark" --check --csv check.csv
refused "a floor of a check" "remove --floor" "$benchmark" --check --floor
refused "a CSV file in a missing folder" "cannot write none/a.csv" "$benchmark" --csv none/a.csv
refused "a folder as CSV file" "cannot write none/" "$benchmark" --csv none/

# --- the accuracy
run "$accuracy" --help
check "--help of the accuracy" is_fine
cp out help
run "$accuracy" --motions 1 --resolution 8,16 --csv accuracy.csv
check "a run of the accuracy" is_fine
check "three scenes" is_same "$(column accuracy.csv scene)" \
  "two cubes two cubes two tori two tori cube in the crack cube in the crack "
for name in volume_error_median volume_error_max gradient_error_median gradient_error_max; do
  check "$name is measured" all_above accuracy.csv "$name" 0
done
check "an order is printed for each scene" is_same "$(grep -c ' order ' out)" 3
explains accuracy.csv help
refused "no motion" "--motions takes a whole number from 1" "$accuracy" --motions 0
refused "a resolution of the accuracy that is not a number" "--resolution" "$accuracy" --resolution x
refused "a CSV file of the accuracy in a missing folder" "cannot write none/a.csv" \
  "$accuracy" --csv none/a.csv

# --- drawing
if command -v gnuplot >/dev/null; then
  mkdir -p drawn
  cp accuracy.csv drawn/accuracy.csv
  { cat triangles.csv; tail -n +2 resolution.csv; } >drawn/times.csv
  for name in first second; do
    "$here/ldi_plots.sh" "$work" drawn --draw-only >out 2>err
    status=$?
    check "the $name drawing" is_fine
    mkdir "$name" && mv drawn/*.svg "$name"
  done
  check "there are three" is_same "$(find first -name '*.svg' -size +1k | wc -l)" 3
  check "equal files give equal drawings" diff -r first second
fi

echo "benchmark_ldi: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
