#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fails when a room includes from one that it may not use. A room is a folder with sources;
# docs/architecture.md says what is in each, with the table that --table prints.
# usage: check_layers.sh [--table]
set -euo pipefail -f
cd "$(dirname "$0")/.."

# room: the rooms that it may include from, in addition to itself = what is in it. "folder/*" is that
# folder and all below.
arrows='
base: = plain types, status, memory, random numbers, clock, parameters, JSON
geometry: base = vectors, transforms, predicates, closest points, clipping, hulls, tet overlap, tolerances
geometry/twist: geometry base = motions: samples of them, and which of them contacts block
geometry/mesh: geometry geometry/twist base = meshes and bodies, TetGen, helper programs
geometry/convex: geometry geometry/mesh base = convex pieces of meshes, and how two convex meshes part
geometry/distance: geometry geometry/mesh base = gap and overlap of two meshes, and the nearest point of one
geometry/solid: geometry geometry/mesh base = convex solids with exact curved surfaces: support, separation, where they touch
geometry/files: geometry geometry/mesh base = mesh files of other programs, by readers of our own and by assimp
ldi: geometry geometry/mesh base = layered depth images on the CPU and by OpenGL, overlap volumes and their gradient
elastic: geometry geometry/mesh base = two bodies that give way: their contact surface and zone, and the meshes they end with, without forces
sim: geometry geometry/mesh base = rigid-body world, contact solver, the simulator of the paper
sim/soft: sim geometry geometry/mesh base = deformable bodies, their compliance, and a world of them and rigid ones
cases/scene: geometry geometry/mesh geometry/convex base = scene, region, what all cases take (motion, noise, scale)
cases/truth: cases/scene geometry geometry/twist geometry/mesh geometry/convex geometry/solid base = truth derived from meshes, the oracle that moves bodies
cases/scene_file: cases cases/scene cases/truth geometry geometry/mesh geometry/convex geometry/files base = scene.json and rigid-ipc fixtures as cases
cases: cases/scene geometry geometry/mesh base = the list of cases, one family a file
methods: elastic ldi geometry geometry/mesh base = the interface and the list of methods, what several share
methods/surface: methods geometry geometry/mesh base = methods on surface triangles
methods/prox2018: geometry base = kernels on pairs of tets in single precision, equal to those of the simulator PROX
methods/tet: methods methods/prox2018 geometry geometry/mesh base = methods on tetrahedra, their kernels in double precision
methods/sdf_samples: methods geometry geometry/mesh geometry/distance base = samples of one surface in the signed distance field of the other, exact or on a grid
methods/semi_local: methods geometry geometry/twist geometry/mesh geometry/convex geometry/distance base = the semi-local method
methods/hull_clip: methods geometry geometry/mesh base = separating axes and clipped faces of convex bodies
methods/modifiers: methods geometry geometry/twist geometry/mesh geometry/convex base = the interface and the list of contact modifiers, one a file
methods/pressure: methods geometry geometry/mesh geometry/distance base = the pressure inside tets, and the surface where that of two bodies is equal
methods/plugins: methods methods/modifiers geometry/mesh base = loading and checking shared objects
methods/engines: methods geometry geometry/mesh base = adapters of packaged engines, plug-ins themselves
reports/rows: base = the record (one list of columns), CSV, results folders
reports/tables: reports/rows base = the table and the ranking in a terminal
reports/compare: reports/tables reports/rows base = differences of two results, rules of a gate, JUnit
reports/study: reports/compare reports/tables reports/rows base = means with intervals, paired comparison of methods
reports/plots: reports/study reports/tables reports/rows base = figures for gnuplot, one kind a file
reports/formats: reports/study reports/tables reports/rows base = output formats, one a file
reports/html: reports/formats reports/plots reports/study reports/tables reports/rows base = the page for a browser
reports/history: reports/html reports/plots reports/compare reports/tables reports/rows base = a figure over several runs: table, plot, badge
reports/board: reports/html reports/study reports/tables reports/rows base = the leaderboard: a page, JSON and CSV
reports/export: reports/rows base = VTK and glTF
reports/view: reports/html reports/export reports/tables reports/rows base = the 3-D views of a page: their data, and the viewer
harness/controls: methods methods/surface cases/scene geometry geometry/mesh base = generators that are wrong in one known way, and one at the nodes of deformable bodies
harness/judge: methods cases/scene cases/truth geometry geometry/twist geometry/mesh base = verdict of each contact, once
harness/judge/metrics: harness/judge reports/rows methods cases/scene geometry geometry/twist base = measures, one a file
harness/rows: harness/judge cases/scene reports/rows geometry base = rows of contacts, regions and poses of a judged state
harness/plan: harness/controls harness/judge methods methods/modifiers methods/plugins cases/* reports/rows geometry base = catalog of cases and methods, options, sweeps: the cells of a run
harness/deform: elastic ldi harness/picture harness/run cases/scene reports/export reports/rows geometry geometry/mesh geometry/distance base = bodies that give way, and what that leaves
harness/dataset: reports/rows cases/* geometry base = the data set: cases with their truth as files, and which version results are of
harness/isolation: reports/rows base = the process that watches over a cell, and what a cell hands over
harness/narrow_phase: harness/controls harness/judge methods methods/modifiers cases/* geometry geometry/mesh base = a method on a scene: shapes in its envelope, candidate pairs, what it prepares, its contacts
harness/simulation: harness/narrow_phase harness/plan methods cases/* sim sim/soft reports/rows geometry geometry/mesh geometry/distance base = what moves the bodies of a scene under the contacts of a method
harness/run: harness/narrow_phase harness/simulation harness/dataset harness/isolation harness/plan harness/rows harness/judge/* harness/controls methods methods/modifiers methods/plugins cases/* reports/rows geometry geometry/twist geometry/mesh base = a cell in a child process: timing, scoring, what it hands over; context and folder of a run
harness/pool: harness/isolation harness/run harness/plan methods/plugins reports/rows base = the cells of a run: jobs, ranks, rows in plan order
harness/relations: harness/isolation harness/picture harness/run harness/plan methods methods/plugins cases/* reports/export reports/rows geometry geometry/twist geometry/mesh base = what may be done to a scene without a method noticing, and the methods that do
harness/score: harness/picture harness/run harness/dataset harness/plan harness/judge/* methods methods/modifiers cases/* reports/* geometry base = contacts of another program, from a file
harness/merge: harness/run harness/plan reports/rows base = shards of a run, joined to one
harness/paper: harness/picture harness/plan cases/scene cases reports/rows geometry geometry/mesh base = published figures and ours
harness/picture: harness/narrow_phase harness/simulation harness/run harness/plan cases/* reports/export reports/rows geometry geometry/mesh base = scenes and contacts as pictures
harness/explain: harness/run harness/plan harness/judge methods/modifiers cases/* reports/* geometry geometry/twist base = what is wrong with one row, in words
harness/agree: harness/commands harness/run harness/view harness/plan harness/picture cases/* reports/* geometry geometry/twist base = the command agree: how far the contacts of methods are apart
harness/shrink: harness/explain harness/picture harness/run harness/plan methods methods/plugins cases/* reports/rows geometry base = the smallest scene that still fails: the command shrink
harness/export: harness/picture harness/run harness/plan cases/* reports/export reports/rows geometry base = what an export writes beside single files: scenes, motions
harness/view: harness/picture harness/run harness/plan cases/* reports/view reports/formats reports/export reports/rows geometry geometry/mesh base = rows of results as scenes again, for the views of a page
harness/commands: harness/* methods methods/modifiers methods/plugins cases/* ldi reports/* geometry base = one command a file
harness/history: harness/commands harness/run harness/plan reports/* base = the command history: a figure over several runs
harness/help: harness/commands harness/plan harness/run cases methods methods/modifiers methods/plugins reports/rows base = the list of commands, help and manual pages, what may come next on a command line
harness: harness/help harness/plan base = `main`, which finds the command
harness/mpi: harness harness/commands harness/help harness/pool harness/run harness/plan base = `main` of `touchstone-mpi`, and all that knows MPI
'
declare -A may
[ "${1:-}" != --table ] || printf '| Room | What is in it | May include |\n|---|---|---|\n'
while IFS=:= read -r room rooms content; do
  [ -n "$room" ] || continue
  may[$room]=$rooms
  [ -n "$content" ] || { echo "check_layers.sh: $room/: say what is in it, after ="; exit 1; }
  [ "${1:-}" != --table ] || printf '| `%s/` |%s | %s |\n' "$room" "$content" \
    "$(tr -s ' ' <<<"$rooms" | sed -e 's/^ //; s/ $//; s/ /, /g')"
done <<<"$arrows"
[ "${1:-}" != --table ] || exit 0

is_allowed() { # ROOM USED
  local allowed
  [ "$1" != "$2" ] || return 0
  for allowed in ${may[$1]}; do
    case $allowed in
      */\*) [[ $2/ != "${allowed%\*}"* ]] || return 0 ;;
      *) [ "$2" != "$allowed" ] || return 0 ;;
    esac
  done
  return 1
}

checked=0
bad=0
complain() {
  echo "$*"
  bad=$((bad + 1))
}
while IFS=: read -r file line include; do
  checked=$((checked + 1))
  room=${file%/*}
  path=${include#*\"}
  path=${path%%\"*}
  if [[ ! -v may[$room] ]]; then
    complain "$file: $room/ is not in the table of check_layers.sh: add what it may include from"
  elif [[ $path != */* ]]; then
    complain "$file:$line: \"$path\": includes are written from the root of the project"
  elif ! is_allowed "$room" "${path%/*}"; then
    complain "$file:$line: $room/ may not include from ${path%/*}/ (only from: ${may[$room]})"
  elif [ ! -e "$path" ]; then
    # A generated header is in the build folder; its name says so.
    [[ $path == *_generated.h ]] || complain "$file:$line: no such file: $path"
  fi
done < <(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]+"' --include='*.[ch]' --include='*.cc' \
  base geometry ldi elastic sim cases methods reports harness || true)
for room in "${!may[@]}"; do
  [ -n "$(find "$room" -maxdepth 1 -name '*.[ch]*' -print -quit)" ] || complain "check_layers.sh: $room/ has no sources: take it out of the table"
done
# Files of one name in two folders are mixed up in messages and in debuggers.
doubles=$(git ls-files -co --exclude-standard '*.c' '*.h' '*.cc' | while read -r file; do [ ! -e "$file" ] || echo "${file##*/}"; done | sort | uniq -d | tr '\n' ' ')
[ -z "$doubles" ] || complain "these file names are in more than one folder: $doubles"
# A folder that is read in one screen.
while read -r count folder; do
  [ "$count" -le 45 ] || complain "$folder/ has $count sources of its own: make rooms"
done < <(git ls-files -co --exclude-standard '*.c' '*.h' '*.cc' | sed 's,/[^/]*$,,' | sort | uniq -c)
if [ "$checked" -eq 0 ]; then
  echo "check_layers: found no include at all"
  exit 1
fi
echo "check_layers: $checked includes checked, $bad wrong"
[ "$bad" -eq 0 ]
