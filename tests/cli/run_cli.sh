#!/usr/bin/env bash
# Checks the built program as people use it: run_cli.sh TOUCHSTONE
set -u
touchstone=$(realpath "${1:?usage: run_cli.sh TOUCHSTONE}")
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/out" >"$work/err"
mkdir "$work/home"
cd "$work/home" || exit 1
unset NO_COLOR

. "$here/check.sh"
for part in words refusals results failures resume studies; do
  . "$here/part_$part.sh"
done

echo "cli: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
