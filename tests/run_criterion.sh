#!/usr/bin/env bash
# Runs one Criterion binary and fails on what Criterion itself lets pass: no test at all, and errors
# that a sanitizer finds in the process of a test, which Criterion does not wait for.
set -u
binary=$1
shift
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
options="log_path=$logs/sanitizer:abort_on_error=0"
ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}$options:detect_leaks=1" \
UBSAN_OPTIONS="${UBSAN_OPTIONS:+$UBSAN_OPTIONS:}$options:print_stacktrace=1" \
  "$binary" -j2 "$@" >"$logs/output" 2>&1
status=$?
cat "$logs/output"
if compgen -G "$logs/sanitizer.*" >/dev/null; then
  cat "$logs"/sanitizer.*
  echo "run_criterion: a sanitizer reported errors"
  status=1
fi
if ! grep -qE 'Tested: .*[1-9]' "$logs/output"; then
  echo "run_criterion: no test ran"
  status=1
fi
exit $status
