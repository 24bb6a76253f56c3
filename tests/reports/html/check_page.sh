#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Opens the page of a small run in a headless Chromium: check_page.sh TOUCHSTONE
set -eu
touchstone=$(realpath "${1:?usage: check_page.sh TOUCHSTONE}")
here=$(dirname "$(realpath "$0")")
if ! command -v chromium >/dev/null ||
  ! command -v python3 >/dev/null; then
  echo "check_page: install python3 and chromium"
  exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$touchstone" run --case 'spikes|cliff.*|wall' --set wall.layers=2 --repeats 3 --quiet \
  --method 'closest_points|opposing|surface_sat|intersection' --out results >/dev/null
# A row whose reason is what a page must never take for its own markup or script.
awk -F, -v OFS=, 'NR == 2 {
  $1 = "evil"; $4 = "spoilt"; $9 = "crashed"
  $10 = "\"</script><script>document.title='\''taken'\''</script>" \
    "<img src=x onerror=\"\"taken()\"\">" sprintf("%05000d", 0) "\""
  print }' results/summary.csv >row
cat row >>results/summary.csv
mkdir results/plots
cat >results/plots/a_plot.svg <<'SVG'
<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10"/></svg>
SVG
"$touchstone" report results --views 0 >/dev/null
# Many rows: those of the run, over and over.
mkdir many
awk 'NR == 1 { print; next } { rows[NR] = $0 }
  END {
    for (i = 0; i < 400; i++)
      for (k = 2; k <= NR; k++) {
        row = rows[k]
        sub(/scale=1;/, "scale=" i + 1 ";", row)
        print i row
      }
  }' results/summary.csv >many/summary.csv
"$touchstone" report many --views 0 >/dev/null
"$touchstone" run --case wall --set wall.layers=2 --method 'opposing|closest_points' --repeats 1 \
  --steps 6 --quiet --out steps >/dev/null
# Rounding noise: throughout a curve of drift, and in one value of a curve of kinetic energy.
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) n[$i] = i; print; next }
  $n["step"] > 0 {
    is_noisy = $n["method"] == "opposing"
    $n["drift_m_max"] = is_noisy ? 1e-20 : 0.5
    $n["kinetic_energy_j"] = !is_noisy ? 1 : $n["step"] == 3 ? 1e-20 : 0.0002
  }
  { print }' steps/summary.csv >doctored
mv doctored steps/summary.csv
"$touchstone" report steps --views 0 >/dev/null
python3 "$here/check_page.py" "$work/results/report.html" "$work/many/report.html" \
  "$work/steps/report.html"
