#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs one Criterion binary and fails on what Criterion itself lets pass: no test at all, and errors
# that a sanitizer finds in the process of a test, which Criterion does not wait for.
set -u
binary=$1
shift
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
options="log_path=$logs/sanitizer:abort_on_error=0"
# Leaks are reported in the logs, not by the exit status.
ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}$options:detect_leaks=1" \
LSAN_OPTIONS="${LSAN_OPTIONS:+$LSAN_OPTIONS:}exitcode=0" \
UBSAN_OPTIONS="${UBSAN_OPTIONS:+$UBSAN_OPTIONS:}$options:print_stacktrace=1" \
  "$binary" -j2 "$@" >"$logs/output" 2>&1
status=$?
cat "$logs/output"
# Criterion leaks 48 bytes of its own in some processes. Such a log reports only leaks, and each was
# allocated by Criterion itself, with no frame of ours above or below: #1 is in it, and there is no #2.
is_own_leak_of_criterion() {
  awk '
    /ERROR: / && !/ERROR: LeakSanitizer: / { other = 1 }
    /(Direct|Indirect) leak of/ { leaks++ }
    /^ *#1 / && !/[(][^ ]*libcriterion[.]so/ { other = 1 }
    /^ *#1 / { own++ }
    /^ *#2 / { other = 1 }
    END { exit !(leaks > 0 && own == leaks && !other) }' "$1"
}
# A forked process that calls exit(), as methods in some tests do, looks for leaks under the name of
# its parent's thread, and says so.
is_exit_of_forked() {
  ! grep -qvE '^==[0-9]+==Running thread [0-9]+ was not suspended. False leaks are possible.$' "$1"
}
for log in "$logs"/sanitizer.*; do
  [ -e "$log" ] || continue
  is_exit_of_forked "$log" && continue
  is_own_leak_of_criterion "$log" && continue
  cat "$log"
  echo "run_criterion: a sanitizer reported errors"
  status=1
done
if ! grep -qE 'Tested: .*[1-9]' "$logs/output"; then
  echo "run_criterion: no test ran"
  status=1
fi
exit $status
