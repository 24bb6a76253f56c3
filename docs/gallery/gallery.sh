#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Draws every case of the touchstone on the PATH into the folder $PICTURES/gallery, and prints the
# body of docs/gallery.md. Cases of many triangles or bricks are drawn with fewer of them, so that
# the pages load fast; a picture that is too large for a page even so is left out, with a word.
# tests/check_pages.sh runs it. usage: PICTURES=FOLDER gallery.sh
set -euo pipefail
folder=${PICTURES:?a folder for the pictures}/gallery
bytes_max=100000
mkdir -p "$folder"

declare -A fewer=(
  [wall]="layers=3"
  [spheres]="triangles=1000"
  [tori]="triangles=1000"
  [passing]="triangles=300"
  [rings]="triangles=500"
  [heap]="triangles=100"
  [soft_chain]="triangles=500"
  [soft_rain]="tori=4"
)

# Draws a case, and prints its row of the table.
draw() { # CASE SUMMARY
  local draft options=() setting
  draft=$(mktemp -d)
  for setting in ${fewer[$1]:-}; do options+=(--set "$setting"); done
  touchstone export --case "$1" "${options[@]}" --format svg --out "$draft" >/dev/null
  if [ "$(wc -c <"$draft/picture.svg")" -le $bytes_max ]; then
    cp "$draft/picture.svg" "$folder/$1.svg"
    printf '| ![%s](gallery/%s.svg) | **%s**: %s%s |\n' "$2" "$1" "$1" "$2" \
      "${fewer[$1]:+ Drawn with \`${fewer[$1]}\`.}"
  else
    printf '| No picture: it would be larger than %d kB. | **%s**: %s |\n' \
      $((bytes_max / 1000)) "$1" "$2"
  fi
  rm -rf "$draft"
}

suite=
# The table of `list cases`: case, suite, minimum, measure, summary.
touchstone list cases --markdown | tail -n +3 | while IFS='|' read -r _ case group _ _ summary _; do
  read -r case <<<"$case"
  read -r group <<<"$group"
  read -r summary <<<"$summary"
  if [ "$group" != "$suite" ]; then
    printf '%s## Suite %s\n\n| Picture | Case |\n|---|---|\n' "${suite:+$'\n'}" "$group"
    suite=$group
  fi
  draw "$case" "$summary"
done
