# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# covers: base/error_relay.c harness/isolation/*.c harness/run/isolate.c harness/run/cell_process.c base/process.c base/surroundings.c
# What a method does to its process, to its parent and to the machine affects its own cell only.
: "${touchstone:?}" "${work:?}" "${status:?}" # set by run_cli.sh

plugins=$(dirname "$touchstone")/tests/plugins
faults=$plugins/plug_faults.so
loading=$plugins/plug_loading.so
one=(run --plugin "$faults" --case spikes --repeats 1 --quiet)

# Steps that are done stay rows; the row of the outcome has the step at which it happened.
late=(run --plugin "$faults" --case sliding_wedge --path 12 --set path_m=0.15 --repeats 1 --quiet --time-limit 3
  --memory-limit 200)
run "${late[@]}" --method 'plug_(crash|exit|exit_at_once|hang|leak)_late' --jobs 3 --out "$work/late"
check "late faults exit 3" is_status 3
for method in plug_crash_late:crashed plug_exit_late:crashed plug_exit_at_once_late:crashed plug_hang_late:timed_out plug_leak_late:out_of_memory; do
  name=${method%:*} outcome=${method#*:}
  column "$work/late/summary.csv" step "method=$name" outcome=ok >"$work/steps"
  check "$name keeps the steps before" test "$(wc -l <"$work/steps")" -ge 2
  last=$(tail -n 1 "$work/steps")
  check "and its outcome has the step after them" \
    same_text "$(column "$work/late/summary.csv" step "method=$name" "outcome=$outcome")" $((last == 0 ? 2 : last + 1))
done
cp -r "$work/late" "$work/cut"
lines=$(wc -l <"$work/cut/summary.csv")
head -n $((lines - 2)) "$work/late/summary.csv" >"$work/cut/summary.csv"
run run --resume "$work/cut" --plugin "$faults" --quiet
check "a cell that is cut between its steps is run again" is_status 3
check "to the same rows" same_rows "$work/late" "$work/cut"

check "an exit says that it came too early" grep -q 'plug_exit_late,.*exit status 0 before the cell had' "$work/late/summary.csv"

# What a method has started ends with its cell, and counts.
run "${one[@]}" --method plug_leave_process --out "$work/left"
check "a process that is left does no harm" is_status 0
check "and is counted" same_text "$(column "$work/left/summary.csv" processes_left step=0)" 1
check "and gone" test -z "$(pgrep -f -- "--out $work/left")"
run "${one[@]}" --method plug_fine --out "$work/none"
check "most methods leave none" same_text "$(column "$work/none/summary.csv" processes_left step=0)" 0
check "and change nothing" same_text "$(column "$work/none/summary.csv" left_changed step=0)" ""
run "${one[@]}" --method plug_memory_elsewhere --memory-limit 150 --steps 1 --out "$work/elsewhere"
check "memory of other processes counts to the limit" \
  same_text "$(cells_with "$work/elsewhere" plug_memory_elsewhere out_of_memory)" 1
"$touchstone" "${one[@]}" --method plug_memory_elsewhere --out "$work/killed" >"$work/out" 2>"$work/err" &
program=$!
for _ in $(seq 100); do
  [ "$(pgrep -fc -- "--out $work/killed")" -gt 3 ] && break
  sleep 0.05
done
kill -9 "$program"
wait "$program" 2>/dev/null
for _ in $(seq 100); do
  pgrep -f -- "--out $work/killed" >/dev/null || break
  sleep 0.05
done
check "nothing lives on when the program is killed" test -z "$(pgrep -f -- "--out $work/killed")"

# A method reaches the process that watches over it, and no further.
run "${one[@]}" --method 'plug_(kill|stop)_parent|plug_fine' --steps 1 --out "$work/parent"
check "a method that kills its parent ends its own cell" is_status 3
check "whose row says so" grep -q 'crashed,.*must not signal its parent' "$work/parent/summary.csv"
check "one that stops it does no harm" same_text "$(cells_with "$work/parent" plug_stop_parent ok)" 1
check "and the others are run" same_text "$(cells_with "$work/parent" plug_fine ok)" 1

# What it leaves changed is restored and said.
run "${one[@]}" --method plug_change_process --steps 1 --out "$work/changed"
check "what a method leaves changed is said" \
  grep -q '"rounding, directory, umask, signals, timer"' "$work/changed/summary.csv"

# Standard error is passed on, up to a limit.
run "${one[@]}" --method plug_chat --steps 1 --out "$work/chat"
check "a method that tells a lot is cut short" test "$(wc -c <"$work/err")" -lt 70000
check "and that is said once" same_text "$(grep -c 'plug_chat has said more than 64 KiB' "$work/err")" 1
check "its first lines are there" err_has "line 0 of a method"

# Reasons are UTF-8, and never empty.
run "${one[@]}" --method 'plug_(no_words|latin_1)' --steps 1 --out "$work/words"
check "a failure without words has a reason" grep -q 'failed,generate() says: bad input' "$work/words/summary.csv"
check "bytes that are not UTF-8 are replaced" iconv -f UTF-8 -t UTF-8 -o "$work/utf8" "$work/words/summary.csv"
check "and control characters" grep -q 'caf? ?\[31m?,""quoted""?next' "$work/words/summary.csv"

# Constructors: what they change is restored, or they are refused.
PLUG=surroundings run run --plugin "$loading" --method plug_one --case spikes --repeats 1 --steps 1 --out here
check "results land where they should" test -s here/summary.csv
check "an alarm of a constructor does no harm" is_status 0
PLUG=at_exit run list methods --plugin "$loading"
check "what is registered for the end does not run" test -z "$(grep noise "$work/out")"
PLUG=says run list methods --plugin "$loading"
check "what one says is heard once" same_text "$(grep -c 'a word of a constructor' "$work/err")" 1
PLUG=chatters run list methods --plugin "$loading"
check "one that tells a lot is cut short" test "$(wc -c <"$work/err")" -lt 70000
check "and loaded" is_status 0
check "and that is said with its name" err_has "plug_loading.so has said more than 64 KiB on standard error"
PLUG=thread run list methods --plugin "$loading"
check "threads are refused" is_refused "starts threads when it is loaded"
PLUG=process run list methods --plugin "$loading"
check "processes are refused" is_refused "starts processes when it is loaded"
PLUG=second_load PLUG_FLAG=$work/flag run list methods --plugin "$loading"
check "a crash at the second load is refused" is_refused "crashed when it was loaded a second time"

# Another version of a library that a plug-in links is noticed.
cc=${CC:-cc}
if command -v "$cc" >/dev/null; then
  mkdir "$work/lib"
  echo 'int plug_version(void) { return 1; }' >"$work/lib.c"
  echo '#include <touchstone/method.h>
int plug_version(void);
static ts_status generate(const ts_host *host, const ts_pair *pair, const void *a, const void *b, void *state,
                          const double *params) {
  (void)host, (void)pair, (void)a, (void)b, (void)state, (void)params;
  return plug_version() > 0 ? TS_OK : TS_E_INPUT;
}
static const ts_method method = {.abi = TS_METHOD_ABI, .struct_size = sizeof method, .name = "plug_linked",
                                 .summary = "Links a library.", .source = "tests", .generate = generate};
const ts_method *const *touchstone_methods(void) {
  static const ts_method *const list[] = {&method, NULL};
  return list;
}' >"$work/linked.c"
  link() { "$cc" -shared -fPIC -Wl,--build-id -o "$work/lib/libplugversion.so" "$work/lib.c"; }
  link
  "$cc" -shared -fPIC -I "$(dirname "$touchstone")/include" -o "$work/linked.so" "$work/linked.c" \
    -L"$work/lib" -lplugversion -Wl,-rpath,"$work/lib"
  run run --plugin "$work/linked.so" --method plug_linked --case spikes --repeats 1 --out "$work/linked"
  check "a plug-in with a library runs" is_status 0
  run run --plugin "$work/linked.so" --resume "$work/linked"
  check "and goes on with the same library" is_status 0
  echo 'int plug_version(void) { return 2; }' >"$work/lib.c"
  link
  refused "another version of a library" "changed" run --plugin "$work/linked.so" --resume "$work/linked"
fi
