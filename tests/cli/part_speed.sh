# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# The scripts of docs/speed.md: what they make of a measurement whose figures are known, and a
# measurement of small sizes without perf, with it, cut short and refused. No time is checked.
# covers: reports/plots/plot_scaling.c
: "${here:?}" "${work:?}" "${touchstone:?}" # set by run_cli.sh

speed=$here/../../docs/speed
mkdir "$work/bin" "$work/bare"
ln -s "$touchstone" "$work/bin/touchstone"
tables() { PATH=$work/bin:$PATH "$speed/tables.py" "$@" >"$work/out" 2>"$work/err"; status=$?; }
# shellcheck disable=SC2034 # the status is for check.sh
measure() { "$speed/measure.py" "$@" >"$work/out" 2>"$work/err"; status=$?; }

# Times in ns of sizes n, with contacts c: 2 n + 3 c, which is linear in both; n to the power 1.3; and
# ODE's, of which one is half.
python3 - "$work/now.csv" "$work/then.csv" "$speed/speed.csv" <<'PYTHON'
import csv
import sys

def write(path, commit, factor):
    with open(sys.argv[3], newline="") as file:
        columns = next(csv.reader(file))
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        for n in (10000, 30000, 100000, 300000):
            c = round(n ** 1.5 / 10)
            for method, contacts, time in (("semi_local", c, 2 * n + 3 * c), ("growth", 7, n ** 1.3),
                                           ("opposing", 7, n ** 0.5)):
                writer.writerow({"work": "tori", "triangles": n, "method": method, "outcome": "ok",
                                 "contacts": contacts, "prepare_ns": 5, "generate_ns": time * factor,
                                 "commit": commit, "load": 0})
            writer.writerow({"work": "tori", "triangles": n, "method": "ode_trimesh", "outcome": "ok",
                             "setting": "max_contacts=65535", "contacts": 64, "prepare_ns": 10,
                             "generate_ns": 2 * (2 * n + 3 * c) * factor, "commit": commit, "load": 0})
        writer.writerow({"work": "tori", "triangles": 1000000, "method": "growth", "outcome": "timed_out",
                         "reason": "too long", "commit": commit, "load": 0})
        writer.writerow({"work": "suite", "method": "all", "generate_ns": 2e9 * factor, "outcome": "ok",
                         "commit": commit, "load": 0})

write(sys.argv[1], "1" * 40, 0.5)
write(sys.argv[2], "2" * 40 + "-dirty-3", 1)
PYTHON
tables scale "$work/now.csv"
check "times linear in triangles and contacts have the exponent 1 beyond contacts" \
  grep -qE '^\| `semi_local` .* \| 1\.[34][0-9] \| 1\.50 \| 1\.00 \|$' "$work/out"
check "others keep theirs" grep -qE '^\| `growth` .* \| timed out \| 1\.30 \| 0\.00 \| 1\.30 \|$' "$work/out"
check "also where it is below 1" grep -qE '^\| `opposing` .* \| 0\.50 \| 0\.00 \| 1\.00 \|$' "$work/out"
check "what was not measured has its reason" out_has '`growth` at 1,000,000: too long.'
tables tori "$work/now.csv"
check "ratios are to ODE with all contacts" grep -qE '^\| `semi_local` .* \| 0\.5 \| 0\.5 \|' "$work/out"
tables ratios "$work/now.csv" "$work/then.csv"
check "two measurements stand side by side" out_has '| work | at 22222222-dirty | at 11111111 | now / then |'
check "with their ratio" grep -qE '^\| suite .* \| 2 \| 1 \| 0\.5 \|$' "$work/out"
tables ratios "$work/now.csv" "$work/now.csv"
check "but not those of one commit" out_has '| work | at 11111111 |'
check "nor what was not measured" grep -qE '^\| overlap .* \| - \|$' "$work/out"

# Without gnuplot the picture is kept.
ln -s "$(python3 -c 'import sys; print(sys.executable)')" "$work/bare/python3"
ln -s "$touchstone" "$work/bare/touchstone"
ln -s "$(command -v env)" "$work/bare/env"
PICTURES=$work/pictures PATH=$work/bare "$speed/tables.py" picture "$work/now.csv" >"$work/out" 2>"$work/err"
check "without gnuplot it says that the picture is kept" err_has "the picture is kept as it is"
check "which it is" cmp -s "$work/pictures/speed/tori.svg" "$speed/tori.svg"

# A measurement. This perf counts two instructions a cycle, and the repeats that it is asked for.
cat >"$work/bin/perf" <<'PERF'
#!/usr/bin/env bash
while [ "$1" != -- ]; do
  [ "$1" != -o ] || out=$2
  shift
done
shift
repeats=$(grep -oE -- '--repeats [0-9]+' <<<"$*" | grep -oE '[0-9]+$')
printf '%s,,%s,1,100.00,,\n' "$((repeats * 2000))" instructions:u "$((repeats * 1000))" cycles:u 0 cache-misses:u \
  0 branch-misses:u "$repeats" task-clock:u >"$out"
exec "$@"
PERF
chmod +x "$work/bin/perf"
# The program has one engine, if that, and one benchmark.
build=$(dirname "$touchstone")
mkdir -p "$work/some/engines" "$work/some/tests/benchmark"
cp "$build"/touchstone* "$work/some"
cp "$build"/engines/ode_trimesh.so "$work/some/engines" || true
cp "$build/tests/benchmark/benchmark_ldi" "$work/some/tests/benchmark"
measure "$work/none" "$work/speed.csv" --quick
check "a program that is none is refused" err_has "is no program"
measure "$work/some/touchstone" "$work/nowhere/speed.csv" --quick
check "so is a folder that is none" err_has "cannot be written to"
PATH=$work/bin:$PATH measure "$work/some/touchstone" "$work/speed.csv" --quick --busy --counters
check "small sizes are measured" is_status 0
check "also without an engine" err_has "bullet_hull is not installed: ratios to it are not measured"
check "and nothing is left but the file" is_empty_folder results
check "in which tori are" \
  test "$(column "$work/speed.csv" outcome work=tori triangles=2000 method=semi_local)" = ok
check "and the suite" test "$(column "$work/speed.csv" outcome work=suite)" = ok
check "and layered depth images" test "$(column "$work/speed.csv" outcome work=ldi)" = ok
check "and that a benchmark is not there" \
  test "$(column "$work/speed.csv" outcome work=tet_pairs)" = failed
check "and what perf counts" \
  test "$(column "$work/speed.csv" instructions_per_cycle work=counters method=semi_local)" = 2
tables bounds "$work/speed.csv"
check "which binds the method" grep -qE '^\| `semi_local` .* \| 2.00 \| .* \| instructions \|$' "$work/out"
tables ratios "$work/speed.csv"
check "what has no engine to compare with has no ratio" \
  grep -qE '^\| wall joint, `semi_local` / `bullet_hull` \| - \|$' "$work/out"
