#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Measures what docs/speed.md shows, into docs/speed/speed.csv, and writes its tables and picture anew.
# It takes ten minutes on a quiet machine, says how far it is, and goes on where it was when it is run
# again. TOUCHSTONE is that of a release build with tests. Options: --counters also counts
# instructions, cycles and misses by perf, some minutes more; --busy measures although other programs
# run; --run OPTIONS gives touchstone run more of them; --quick tries all of it with small sizes,
# prints the tables, and leaves the page as it is.
# usage: docs/speed/make.sh TOUCHSTONE [--counters] [--busy] [--run OPTIONS] [--quick]
set -euo pipefail
[ $# -gt 0 ] || { sed -n 's/^# usage:/usage:/p' "$0" >&2 && exit 2; }
touchstone=$(realpath "$1")
shift
folder=$(realpath "$(dirname "$0")")
cd "$folder/../.."

is_quick=0
for option in "$@"; do
  [ "$option" != --quick ] || is_quick=1
done
if [ $is_quick -eq 0 ]; then
  "$folder/measure.py" "$touchstone" "$folder/speed.csv" "$@"
  tests/check_pages.sh "$touchstone" --update docs/speed.md
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  "$folder/measure.py" "$touchstone" "$work/quick.csv" "$@"
  for block in machine tori scale walls bounds ratios; do
    echo
    "$folder/tables.py" "$block" "$work/quick.csv"
  done
fi
