# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Methods that take their process down, and disks that fill.
# covers: harness/controls/faults.c harness/run/interrupt.c harness/run/run_folder.c
: "${touchstone:?}" "${work:?}" "${status:?}" # set by run_cli.sh

controls='control_(crash|hang|memory|ideal)|closest_points'
run run --controls --method "$controls" --case 'sliding_(spike|wedge)|spikes' --repeats 1 --time-limit 10 \
  --memory-limit 200 --jobs 3 --out "$work/controls"
check "a run with crashes exits 3" is_status 3
check "and says how many" err_has "3 crashed, 3 timed out, 3 ran out of memory"
check "and has a row for each cell, and one more where it is ok" \
  same_text "$(rows "$work/controls")" 21
check "crashes are rows" same_text "$(cells_with "$work/controls" control_crash crashed)" 3
check "and name the signal" grep -q ',crashed,SIG' "$work/controls/summary.csv"
check "hangs are rows" same_text "$(cells_with "$work/controls" control_hang timed_out)" 3
check "and name the limit" grep -q 'more than 10 s; run it again with a higher --time-limit' "$work/controls/summary.csv"
check "memory without end is a row" \
  same_text "$(cells_with "$work/controls" control_memory out_of_memory)" 3
check "and names the limit" grep -q 'more than 200 MiB.*higher --memory-limit' \
  "$work/controls/summary.csv"
run run --controls --method 'control_ideal|closest_points' --case 'sliding_(spike|wedge)|spikes' --repeats 1 \
  --out "$work/alone"
check "the others alone exit 0" is_status 0
compared "$work/controls/summary.csv" | grep -E ',(control_ideal|closest_points|method),' \
  >"$work/beside"
check "the others are untouched" cmp -s "$work/beside" <(compared "$work/alone/summary.csv")

run run --case wall --method opposing --repeats 1 --steps 1 --tetgen-limit 0.001 --out "$work/slow_tetgen"
check "a shape that TetGen has no time for is a failed cell" \
  same_text "$(cells_with "$work/slow_tetgen" opposing failed)" 1
check "and its row names the limit" \
  grep -q 'within 0.001 s: allow more with --tetgen-limit' "$work/slow_tetgen/summary.csv"
check "and the run keeps it" \
  grep -q '"tetgen_limit_s": 0.001' "$work/slow_tetgen/context.json"

interrupted INT "$work/int/summary.csv" 3 run --controls --repeats 1 --case spikes \
  --method 'control_(ideal|hang)' --out "$work/int"
check "SIGINT exits 130" is_status 130
check "and says how to resume" err_has "--resume $work/int"
check "and keeps the rows" same_text "$(rows "$work/int")" 2
interrupted TERM "$work/term/context.json" 1 run --controls --repeats 1 --case spikes \
  --method control_hang --out "$work/term"
check "SIGTERM exits 143" is_status 143
check "no process is left" test -z "$(pgrep -f -- "--out $work")"
run run --resume "$work/int" --time-limit 0.3
check "an interrupted run goes on with another limit" is_status 3
check "and is complete" same_text "$(rows "$work/int")" 3
run run --controls --case pillar --method control_nan --repeats 1 --out "$work/nan"
check "NaN normals are a result, not a failed run" is_status 0
check "nothing is reported as failed" is_quiet
check "the row of the step is skipped" out_has "1 of 2 rows skipped"
check "and says which bodies it was" grep -qE ',2,skipped,"?[^"]*bodies [0-9]+ and [0-9]+' \
  "$work/nan/summary.csv"

# A file may not grow beyond 48 KiB: the disk is full, for these files.
many=(run --repeats 1 --method 'closest_points|intersection' --case 'sliding_(spike|wedge)'
  --sweep 'scale=1:2:12')
run "${many[@]}" --out "$work/whole"
(
  ulimit -f 48
  "$touchstone" "${many[@]}" --out "$work/cut" >"$work/out" 2>"$work/err"
)
status=$?
check "a full disk exits 2" is_status 2
check "with one message that says how to resume" err_has "--resume $work/cut"
check "only one" is_one_message
check "rows were written before" test "$(rows "$work/cut")" -gt 0
check "and not all" test "$(rows "$work/cut")" -lt "$(rows "$work/whole")"
check "nothing is half-written" test -z "$(tail -c 1 "$work/cut/contacts.csv")"
run run --resume "$work/cut" --quiet
check "with room again the run goes on" is_status 0
check "to the same rows" same_rows "$work/whole" "$work/cut"

env --ignore-signal=CHLD "$touchstone" run --repeats 1 --case spikes --out "$work/orphans" \
  >"$work/out" 2>"$work/err"
status=$?
check "a parent that ignores SIGCHLD does no harm" is_status 0

# A limit of this machine is reported as such, and is no row: the cell is run again.
(
  ulimit -f 16
  "$touchstone" run --case wall --method intersection --repeats 1 --out "$work/small" \
    >"$work/out" 2>"$work/err"
)
status=$?
check "rows above a limit on file sizes end the run" is_status 2
check "with one message that names the limit" is_one_message
check "and says so" err_has "ulimit -f"
check "and how to go on" err_has "0 of 1 cells are done; then continue with: touchstone run --resume $work/small"
check "no row says that the method has failed" same_text "$(rows "$work/small")" 0
run run --resume "$work/small" --quiet
check "without the limit the cell is run" is_status 0
check "and is ok" same_text "$(cells_with "$work/small" intersection ok)" 2
env --default-signal=HUP timeout --preserve-status -s HUP 0.5 "$touchstone" run --controls --repeats 1 --case spikes \
  --method control_hang --out "$work/hup" >"$work/out" 2>"$work/err"
status=$?
check "SIGHUP exits 129" is_status 129
check "and says how to resume" err_has "--resume $work/hup"
"$touchstone" list cases >&- 2>"$work/err"
status=$?
check "a closed standard output exits 2" is_status 2
check "and says so" err_has "standard output is closed"
