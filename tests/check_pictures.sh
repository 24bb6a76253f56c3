#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fails when a picture of the docs is not what `touchstone export` draws today, or when a program
# other than a browser cannot draw it: LaTeX, office programs and file managers use librsvg.
# With --update, draws those of export again.
# usage: check_pictures.sh TOUCHSTONE [--update]
set -euo pipefail
cd "$(dirname "$0")/.."
touchstone=$(realpath "$1")
update=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v rsvg-convert >/dev/null ||
  { echo "check_pictures: rsvg-convert is missing: apt-get install librsvg2-bin"; exit 1; }

bad=0
complain() {
  printf 'check_pictures: %s\n' "$*"
  bad=$((bad + 1))
}

# Pictures under docs/, and the options of export that draw them.
drawn=0
while read -r picture options; do
  # shellcheck disable=SC2086 # options are words
  "$touchstone" export $options --format svg --force --out "$work/export" >"$work/log" ||
    { cat "$work/log"; complain "docs/$picture: export $options fails"; continue; }
  drawn=$((drawn + 1))
  if [ "$update" = --update ]; then
    cp "$work/export/picture.svg" "docs/$picture"
  elif ! cmp -s "$work/export/picture.svg" "docs/$picture"; then
    complain "docs/$picture is stale: run tests/check_pictures.sh $1 --update, and look at it"
  fi
done <<'LIST'
export/arch.svg --case arch --method opposing --step 3
export/spike_in_hole.svg --case spike_in_hole --method surface_sat
semi_local/cliff_edges.svg --case cliff_edges --method semi_local
semi_local/saddle_on_saddle.svg --case saddle_on_saddle --method semi_local
semi_local/spike_in_hole.svg --case spike_in_hole --method semi_local
LIST

# librsvg refuses a picture with a transform that cannot be inverted, and leaves out the others.
mapfile -t pictures < <(git ls-files -co --exclude-standard -- 'docs/*.svg')
for picture in "${pictures[@]}"; do
  rsvg-convert --width 640 --output "$work/out.png" "$picture" 2>"$work/log" ||
    complain "$picture: $(tail -n 1 "$work/log")"
  words=$(grep -oE 'scale\(0?\.?0*\)|<foreignObject|textLength=|var\(--|<script|<animate' "$picture" |
    sort -u | tr '\n' ' ') || true
  [ -z "$words" ] || complain "$picture: $words is for browsers only"
done
echo "check_pictures: $drawn drawn, ${#pictures[@]} rendered, $bad wrong"
[ "$bad" -eq 0 ]
