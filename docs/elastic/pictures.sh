#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Draws the pictures of docs/elastic.md again, with the touchstone on the PATH.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# draw PICTURE OPTIONS...: the first section that deform draws with these options.
draw() {
  local picture=$1
  shift
  rm -rf "$work/out"
  touchstone deform --out "$work/out" "$@" >"$work/log" || { cat "$work/log"; exit 1; }
  cp "$(find "$work/out" -name 'section_*.svg' | sort | head -n 1)" "$picture.svg"
}

./tables.py scene "$work/balls" 4 1.7
draw balls --scene "$work/balls/scene.json" --extent 0.5
draw balls_short --scene "$work/balls/scene.json" --extent 0.15
draw sphere_on_slab --case deep --set shape=sphere_on_slab --set depth_m=0.2 --edge 0.05
draw box_on_slab --case deep --set shape=box_on_slab --edge 0.05 --stiffness-a 1
draw ridge --case deep --set shape=ridge --set depth_m=0.2 --edge 0.05
draw spike_in_crack --case spike_in_crack --dilation 0.03 --edge 0.1 --extent 0.2
draw cliff_edges --case cliff_edges --dilation 0.03 --edge 0.1 --extent 0.2
draw arch --case arch --pair 9,10 --dilation 0.03 --edge 0.05 --extent 0.2
draw wedge_in_crack --case wedge_in_crack --dilation 0.03 --edge 0.1 --extent 0.2
draw saddles --case saddle_on_saddle --dilation 0.03 --edge 0.1 --extent 0.2
draw tori --case tori --dilation 0.02 --edge 0.05 --extent 0.2
./fem.py picture balls_fem.svg
