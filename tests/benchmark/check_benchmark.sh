#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks that the benchmark runs, reads the files it writes, and refuses bad input. One repeat; times
# are not checked. usage: check_benchmark.sh BENCHMARK_TET_PAIRS TOUCHSTONE
set -u
benchmark=$(realpath "${1:?usage: check_benchmark.sh BENCHMARK_TET_PAIRS TOUCHSTONE}")
touchstone=$(realpath "${2:?usage: check_benchmark.sh BENCHMARK_TET_PAIRS TOUCHSTONE}")
here=$(cd "$(dirname "$0")" && pwd)
docs=$here/../../docs/benchmarks.md
reference=$here/../reference
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

# run ARGUMENTS...: runs it with one repeat; leaves out, err and $status.
run() {
  "$benchmark" --repeats 1 "$@" >out 2>err
  status=$?
}
is_fine() { [ "$status" -eq 0 ] && [ ! -s err ]; }
out_has() { grep -qF -- "$1" out; }
is_absent() { [ ! -e "$1" ]; }
is_one_message() { [ "$(wc -l <err)" -eq 1 ] && grep -q '^benchmark_tet_pairs: ' err; }
is_refused() { [ "$status" -eq 2 ] && [ ! -s out ] && is_one_message && grep -qF -- "$1" err; }

# refused WHAT WORD ARGUMENTS...: exit 2, one message that contains the word, no output.
refused() {
  local what=$1 word=$2
  shift 2
  run "$@"
  check "$what is refused" is_refused "$word"
}

# rows KERNEL [FILE]: the profiles of its rows, on one line.
rows() { awk -F, -v k="$1" '$1 == k { printf "%s ", $2 }' "${2:-new.csv}"; }
is_same() { [ "$1" = "$2" ]; }

# --- a run, its table and its file
"$benchmark" --help >out 2>err
status=$?
check "--help" is_fine
kernels=$(awk '/^Kernels:/ { getline; print; exit }' out)
check "--help lists the kernels" test "$(wc -w <<<"$kernels")" -ge 7

run --csv new.csv
check "a run" is_fine
check "the baseline is reported to agree" out_has "the baseline agrees with ts_tet_tet_overlap on 1692"
check "no partial file is left" is_absent new.csv.part
for kernel in $kernels; do
  expected="paper prox2018 "
  [[ $kernel == overlap* ]] && expected="none "
  check "the rows of $kernel" is_same "$(rows "$kernel")" "$expected"
  check "the table has $kernel" grep -q "^$kernel " out
  check "$kernel finds contacts in 1923 pairs" \
    awk -F, -v k="$kernel" '$1 == k && !($3 == 1923 && $4 > 0) { bad = 1 } END { exit bad }' new.csv
done
check "the rows of the baseline" is_same "$(rows baseline)" "none "
check "the rows of the means" is_same "$(rows geometric_mean)" "paper prox2018 "
for column in $(head -n 1 new.csv | tr , ' '); do
  check "docs/benchmarks.md explains $column" grep -q "^| \`$column\` |" "$docs"
done

# --- comparing
run --against new.csv --csv new.csv
check "a run against the file that it replaces" is_fine
check "the changes are printed" out_has "changes from new.csv"
check "equal work is not marked" eval '! out_has "! contacts"'
check "the same build has no note" eval '! out_has "note:"'
check "nothing is new" eval '! out_has "is new"'

awk -F, -v OFS=, '$1 == "growth" && $2 == "paper" { $4 += 7 } 1' new.csv >more.csv
run --against more.csv
check "different work is marked" grep -qE '^growth +paper .*! contacts: [0-9]+, were [0-9]+$' out
check "nothing else is marked" is_same "$(grep -c '! contacts' out)" 1
awk -F, -v OFS=, '$1 == "growth" && $2 == "paper" { $10 = "1e6" } 1' new.csv >slow.csv
run --against slow.csv
check "the change of the ratio is printed" grep -qE '^growth +paper +1000000\.000 .* -100\.0 ' out
grep -v '^growth,' new.csv | sed 's/^opposing,/departed,/' >other.csv
run --against other.csv
check "a new kernel is named" grep -qE '^growth +paper +is new$' out
check "a removed kernel is named" grep -qE '^departed +paper +is in other.csv only$' out
sed 's/,Release,/,Other,/;s/,Debug,/,Other,/' new.csv >build.csv
run --against build.csv
check "a different build is noted" out_has "note: different build type"

run --kernel growth --csv one.csv --against new.csv
check "a run of one kernel" is_fine
check "it has that kernel and the baseline" is_same "$(cut -d, -f1,2 one.csv | tr '\n' ' ')" \
  "kernel,profile baseline,none growth,paper growth,prox2018 "
check "kernels left out on purpose are not reported as removed" eval '! out_has "only"'

# --- refusals
refused "an unknown kernel" 'did you mean "growth"' --kernel grwth
refused "an unknown option" 'did you mean "--against"' --agianst new.csv
refused "an operand" '"new.csv" is not an option' new.csv
"$benchmark" --repeats 0 >out 2>err
status=$?
check "no repeat is refused" is_refused "--repeats takes a whole number from 1"
refused "a missing file" "cannot read none.csv" --against none.csv
refused "a folder" "cannot read" --against .
printf 'case,method\nwall,growth\n' >foreign.csv
refused "a foreign header" 'column 1 is "case", not "kernel"' --against foreign.csv
sed 's/$/,more/' new.csv >wide.csv
refused "a wider header" "was not written by this benchmark: 19 columns" --against wide.csv
: >empty.csv
refused "an empty file" "has no rows" --against empty.csv
head -n 1 new.csv >header.csv
refused "a file without rows" "has no rows" --against header.csv
cat new.csv <(tail -n 1 new.csv) >twice.csv
refused "a duplicate row" "a second row of geometric_mean, prox2018" --against twice.csv
head -c -20 new.csv >cut.csv
refused "a file that is cut off" "the row is incomplete" --against cut.csv
sed '3s/,1923,/,many,/' new.csv >word.csv
refused "a word for a number" 'line 3: pairs is not a number: "many"' --against word.csv
awk -F, -v OFS=, 'NR == 3 { $10 = 0 } 1' new.csv >zero.csv
refused "a ratio of zero" "line 3: the ratio is 0" --against zero.csv

refused "a CSV file in a missing folder" "cannot write none/new.csv" --csv none/new.csv
refused "a folder as CSV file" "cannot write none/" --csv none/
refused "a device as CSV file" "cannot write /dev/null: it is not a regular file" --csv /dev/null
refused "a missing reference" "cannot open none/tet_pairs.csv.gz" --reference none
mkdir damaged && cp "$reference"/*.gz damaged && head -c 5000 "$reference/tet_pairs.csv.gz" \
  >damaged/tet_pairs.csv.gz
run --reference damaged --csv refused.csv
check "a damaged reference is refused" is_refused "tet_pairs.csv.gz"
check "nothing is written in that case" is_absent refused.csv

# --- a disk that is full
cp new.csv kept.csv
(
  ulimit -f 0
  "$benchmark" --repeats 1 --csv kept.csv 2>&1 | cat >/dev/null
  exit "${PIPESTATUS[0]}"
)
status=$?
check "a CSV file that does not fit is an error" is_same "$status" 2
check "the older file is kept" cmp -s new.csv kept.csv
check "no partial file is left on a full disk" is_absent kept.csv.part
if [ -e /dev/full ]; then
  "$benchmark" --repeats 1 >/dev/full 2>err
  status=$?
  check "a full standard output is an error" is_same "$status" 2
fi

# --- the profile of the suite
profile() {
  "$here/suite_profile.sh" "$touchstone" --repeats 1 "$@" >out 2>err
  status=$?
}
# shares_are_whole WHAT: the shares in that table add up to 100.
shares_are_whole() {
  awk -v what="$1" '$1 == what { inside = 1; next } !NF { inside = 0 } inside { sum += $2; n++ }
    END { exit !(n == 2 && sum > 99.8 && sum < 100.2) }' out
}
profile --case 'spikes|wedges' --method 'growth|opposing'
check "a profile" is_fine
check "methods share the time" shares_are_whole method
check "cases share the time" shares_are_whole case
check "each method has its cells" grep -qE '^growth +[0-9.]+ +2 ' out
check "all cells are counted" grep -q '^4 cells, once each: ' out
profile --case nothing
check "a profile of no case is refused" eval '[ "$status" -eq 2 ] && [ ! -s out ]'
check "the message names the case" grep -q 'there is no case "nothing"' err

echo "benchmark: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
