#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the suite in several poses and scales and gates it on golden.csv, the project's own baseline;
# deformable bodies, which have columns of their own, on soft.csv.
# usage: check.sh TOUCHSTONE [--update]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
touchstone=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { # NAME OPTIONS...
  local name=$1
  shift
  "$touchstone" run --quiet --repeats 1 --jobs 2 --time-limit 300 --out "$work/$name" "$@" \
    >"$work/$name.log" 2>&1 || { cat "$work/$name.log"; exit 1; }
}
run poses --sweep motion_seed=0,3
run scaled --set scale=0.001 --set motion_seed=5
run perturbed --set perturb_m=0.02 --set reference=feasible
run far --case spike_in_hole --method semi_local --steps 1 --set perturb_m=0.03 --set perturb_seed=3
run cells --method ldi_volume --steps 1 --set cell_px=16 --set dilation=faces \
  --case 'pillar|arch|spikes|spike_(in|and)_.*|wedge.*|sliding_(spike|wedge)|cliff_edges|internal_edges' --sweep motion_seed=0,3
run growing --case 'spheres|tori' --steps 1 --set triangles=1000 --set motion_seed=3
# Contacts after some steps of each response: their bits are those of the poses.
run volume --method ldi_volume --steps 6 --set dilation=faces --set cell_px=16 --set response=volume \
  --case 'incline|spun_block|leaning_stack|dragged_rod|pillar'
run pairs --method ldi_volume --steps 6 --set volume_rows=pair --sweep response=volume,penalty \
  --set viscosity_n_s_m3=1e5 --case 'incline|leaning_stack|arch'
run explicit --method ldi_volume --steps 6 --set response=penalty --set integration=explicit \
  --set dt_s=0.001 --case 'incline|leaning_stack'
run even --method 'opposing|semi_local' --steps 6 --set response=volume --set areas=even \
  --case 'pillar|leaning_stack'
run exact --method closest_points --set erosion=faces --case 'pillar|wall|internal_edges'

run soft --case soft_block --method 'vertex_only|closest_points|ldi_volume|semi_local' --steps 5 \
  --sweep response=exact,warped,initial
run chain --case 'soft_chain|soft_beam' --method 'semi_local|vertex_only' --steps 7 --set drop_m=0.001 \
  --set links=rigid_soft_soft --set direction=horizontal --set sweeps=100 --sweep response=exact,warped,initial
run rain --case soft_rain --method vertex_only --steps 40 --set tori=2 --set response=warped --set twin=none

join() { # NAMES...
  cat "$work/$1/summary.csv"
  shift
  local name
  for name in "$@"; do tail -n +2 "$work/$name/summary.csv"; done
}
join poses scaled perturbed far cells growing volume pairs explicit even exact >"$work/golden.csv"
join soft chain rain >"$work/soft.csv"

passed=0
for name in golden soft; do
  gate=("$touchstone" gate "$work/$name.csv" --baseline "$here/$name.csv" --rules "$here/golden.rules")
  if [ "${2:-}" = --update ]; then
    "${gate[@]}" --update
    echo "look at the diff of $here/$name.csv before you commit it"
  elif "${gate[@]}" --strict >"$work/gate.log"; then
    passed=$((passed + $(sed -nE 's/^gate: passed; ([0-9]+) rows compared$/\1/p' "$work/gate.log")))
  else
    cat "$work/gate.log"
    echo "when these should have changed: tests/golden/check.sh TOUCHSTONE --update"
    exit 1
  fi
done
[ "${2:-}" = --update ] || echo "golden: $passed passed, 0 failed"
