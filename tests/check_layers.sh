#!/usr/bin/env bash
# Fails when a file includes from a folder that it may not use. The arrows are those of the README.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A may=(
  [base]="base"
  [geometry]="geometry base"
  [ldi]="ldi geometry base"
  [sim]="sim geometry base"
  [cases]="cases geometry base"
  [methods]="methods ldi geometry base"
  [reports]="reports base"
  [harness]="harness methods cases sim ldi reports geometry base"
)
checked=0
bad=0
for folder in "${!may[@]}"; do
  [ -d "$folder" ] || continue
  while IFS=: read -r file line include; do
    checked=$((checked + 1))
    path=$(sed -E 's/.*"([^"]+)".*/\1/' <<<"$include")
    used=${path%%/*}
    if [[ $path != */* ]]; then
      echo "$file:$line: \"$path\": includes are written from the root of the project"
      bad=$((bad + 1))
    elif [[ " ${may[$folder]} " != *" $used "* ]]; then
      echo "$file:$line: $folder/ may not include from $used/ (only from: ${may[$folder]})"
      bad=$((bad + 1))
    elif [ ! -e "$path" ]; then
      # A generated header stands in the build folder; its name says so.
      [[ $path == *_generated.h ]] || { echo "$file:$line: no such file: $path"; bad=$((bad + 1)); }
    fi
  done < <(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]+"' --include='*.[ch]' --include='*.cc' "$folder" || true)
done
# Files of one name in two folders are mixed up in messages and in debuggers.
doubles=$(git ls-files -co --exclude-standard '*.c' '*.h' '*.cc' | sed 's#.*/##' | sort | uniq -d | tr '\n' ' ')
if [ -n "$doubles" ]; then
  echo "these file names stand in more than one folder: $doubles"
  bad=$((bad + 1))
fi
if [ "$checked" -eq 0 ]; then
  echo "check_layers: found no include at all"
  exit 1
fi
echo "check_layers: $checked includes checked, $bad wrong"
[ "$bad" -eq 0 ]
