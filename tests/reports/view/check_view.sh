#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Opens 3-D views of rows in a headless Chromium: check_view.sh TOUCHSTONE
set -eu
touchstone=$(realpath "${1:?usage: check_view.sh TOUCHSTONE}")
here=$(dirname "$(realpath "$0")")
if ! command -v chromium >/dev/null || ! command -v python3 >/dev/null; then
  echo "check_view: install python3 and chromium"
  exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$touchstone" run --case 'cliff_edges|wall' --set wall.layers=2 --repeats 1 --steps 3 --quiet --controls \
  --method 'opposing|intersection|control_dropped_region|control_flipped|control_crash' \
  --out results >/dev/null || [ $? -eq 3 ]
"$touchstone" report results >/dev/null
"$touchstone" report results --views 0 --out none.html >/dev/null
"$touchstone" report results --views 0.01 --out few.html >/dev/null
python3 "$here/check_view.py" "$work"
