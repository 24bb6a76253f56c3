#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs every method and packaged engine over the suite, as built and under 100 random motions, and
# writes the tables of docs/results.md. Takes some minutes.
# usage: docs/results/make.sh TOUCHSTONE [FOLDER for the results, new]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
touchstone=$1
work=${2:-results/first}
if [ -e "$work" ]; then
  echo "make.sh: $work exists already; give another folder, or remove it" >&2
  exit 2
fi
mkdir -p "$work"
options=(--engines --steps 1 --quiet)
motions=(--repeats 1 --jobs "$(nproc)" --sweep motion_seed=0:100:101)
for settings in default exact; do
  preset=()
  [ "$settings" = default ] || preset=(--preset exact)
  # Exit status 3: some cells failed, which is a result.
  "$touchstone" run "${options[@]}" "${preset[@]}" "${motions[@]}" --out "$work/$settings" ||
    [ $? -eq 3 ]
  "$touchstone" run "${options[@]}" "${preset[@]}" --out "$work/$settings-times" || [ $? -eq 3 ]
done
python3 "$here/tables.py" "$work" "$touchstone" "$here/../results.md"
"$touchstone" plot "$work/default-times" --only heat_map --out "$work/plots" >"$work/plots.log"
cp "$work/plots/heat_map-quality_percent-touch.svg" "$work/plots/heat_map-coverage_percent-touch.svg" "$here"
echo "docs/results.md has its new tables; review its diff"
