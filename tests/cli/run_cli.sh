#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks a part of the built program as people use it: run_cli.sh TOUCHSTONE PART, for part_PART.sh
set -u
usage="usage: run_cli.sh TOUCHSTONE PART"
touchstone=$(realpath "${1:?$usage}")
here=$(dirname "$(realpath "$0")")
part=$here/part_${2:?$usage}.sh
[ -e "$part" ] || { echo "run_cli: there is no $part"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
true >"$work/out" 2>"$work/err"
mkdir "$work/home"
cd "$work/home" || exit 1
unset NO_COLOR

# skip WHY: ends a part that cannot run here, which ctest then counts as skipped.
skip() {
  echo "skipped: $1"
  exit 77
}

# shellcheck source=tests/cli/check.sh
. "$here/check.sh"
# shellcheck source=/dev/null # each part is checked by itself
. "$part"

echo "cli: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
