#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fails when a room includes from one that it may not use. A room is a folder with sources; docs/
# tells what is in each.
set -euo pipefail -f
cd "$(dirname "$0")/.."

# room: the rooms that it may include from, besides itself. "folder/*" is that folder and all below.
arrows='
base:
geometry: base
geometry/mesh: geometry base
ldi: geometry geometry/mesh base
sim: geometry geometry/mesh base
cases/scene: geometry geometry/mesh base
cases/truth: cases/scene geometry geometry/mesh base
cases/scene_file: cases cases/scene cases/truth geometry geometry/mesh base
cases: cases/scene geometry geometry/mesh base
methods: ldi geometry geometry/mesh base
methods/surface: methods geometry geometry/mesh base
methods/prox2018: geometry base
methods/tet: methods methods/prox2018 geometry geometry/mesh base
methods/semi_local: methods geometry geometry/mesh base
methods/plugins: methods geometry/mesh base
methods/engines: methods geometry base
reports/rows: base
reports/tables: reports/rows base
reports/compare: reports/tables reports/rows base
reports/plots: reports/tables reports/rows base
reports/formats: reports/tables reports/rows base
reports/html: reports/formats reports/plots reports/tables reports/rows base
reports/export: reports/rows base
harness/controls: methods cases/scene geometry geometry/mesh base
harness/judge: methods cases/scene cases/truth geometry geometry/mesh base
harness/judge/metrics: harness/judge reports/rows methods cases/scene geometry base
harness/plan: harness/controls harness/judge methods methods/plugins cases/* reports/rows geometry base
harness/run: harness/plan harness/judge/* harness/controls methods methods/plugins cases/* sim reports/rows geometry geometry/mesh base
harness/score: harness/run harness/plan harness/judge methods cases/* reports/* geometry base
harness/paper: harness/plan reports/rows base
harness/picture: harness/run harness/plan cases/* reports/export geometry geometry/mesh base
harness/commands: harness/* methods methods/plugins cases/* ldi reports/* geometry base
harness: harness/commands harness/plan base
'
declare -A may
while IFS=: read -r room rooms; do
  [ -z "$room" ] || may[$room]=$rooms
done <<<"$arrows"

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
    # A generated header stands in the build folder; its name says so.
    [[ $path == *_generated.h ]] || complain "$file:$line: no such file: $path"
  fi
done < <(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]+"' --include='*.[ch]' --include='*.cc' \
  base geometry ldi sim cases methods reports harness || true)
for room in "${!may[@]}"; do
  [ -n "$(find "$room" -maxdepth 1 -name '*.[ch]*' -print -quit)" ] || complain "check_layers.sh: $room/ has no sources: take it out of the table"
done
# Files of one name in two folders are mixed up in messages and in debuggers.
doubles=$(git ls-files -co --exclude-standard '*.c' '*.h' '*.cc' | while read -r file; do [ ! -e "$file" ] || echo "${file##*/}"; done | sort | uniq -d | tr '\n' ' ')
[ -z "$doubles" ] || complain "these file names stand in more than one folder: $doubles"
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
