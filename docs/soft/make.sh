#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes what docs/soft.md shows: its tables on standard output, its plot in docs/soft/. It takes
# some minutes. With names of parts it makes these alone: methods rain plot chain.
# usage: docs/soft/make.sh TOUCHSTONE [PART]...
set -euo pipefail
touchstone=$(realpath "$1")
folder=$(realpath "$(dirname "$0")")
shift
[ $# -gt 0 ] || set -- methods rain plot chain
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The methods and the engines; of the controls, the one that finds contacts.
generators='[abd-z].*|closest.*|consistent.*|control_nodes'

# Cells that fail are rows of a table, and exit status 3.
run() { # NAME OPTIONS...
  local name=$1 status=0
  shift
  "$touchstone" run "$@" --quiet --repeats 1 --out "$work/$name" >&2 || status=$?
  [ $status -eq 0 ] || [ $status -eq 3 ]
}

for part in "$@"; do
  case $part in
    methods)
      run block --case soft_block --engines --controls --method "$generators" --steps 31 \
        --set response=warped --time-limit 300
      run chain --case soft_chain --engines --controls --method "$generators" --steps 9 \
        --set response=warped --set triangles=1000 --time-limit 60
      python3 "$folder/tables.py" methods "$work/block/summary.csv" "$work/chain/summary.csv"
      ;;
    rain)
      run rain --case soft_rain --controls --method control_nodes --steps 61 --set tori=20 \
        --set response=warped --set twin=none --time-limit 1800
      python3 "$folder/tables.py" rain "$work/rain/summary.csv"
      ;;
    plot)
      run beam --case soft_beam --controls --method control_nodes --steps 61 --set drop_m=0.05 \
        --set friction=0.3 --set friction_fixed=0.3 --sweep response=warped,initial \
        --sweep young_pa=1e5,2e5,4e5,8e5,1.6e6,3.2e6
      "$touchstone" plot "$work/beam" --only error_sweep --out "$work/plots" >&2
      cp "$work"/plots/*.svg "$folder"
      ;;
    chain)
      run table1 --preset table1
      python3 "$folder/tables.py" chain "$work/table1/summary.csv"
      ;;
    *)
      echo "make.sh: no part $part; parts are methods, rain, plot and chain" >&2
      exit 2
      ;;
  esac
done
