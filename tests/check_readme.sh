#!/usr/bin/env bash
# The README's tables are written by the program itself. Fails when one is stale.
# usage: check_readme.sh TOUCHSTONE [--update]
set -euo pipefail
cd "$(dirname "$0")/.."
touchstone=$1
fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
blocks=0
skipping=0
while IFS= read -r line || [ -n "$line" ]; do
  case $line in
    '<!-- generated: '*' -->')
      printf '%s\n' "$line"
      command=${line#'<!-- generated: '}
      # shellcheck disable=SC2086 # the words of the command
      "$touchstone" ${command%' -->'} --markdown
      blocks=$((blocks + 1))
      skipping=1
      ;;
    '<!-- /generated -->')
      skipping=0
      printf '%s\n' "$line"
      ;;
    *) [ $skipping -eq 1 ] || printf '%s\n' "$line" ;;
  esac
done <README.md >"$fresh"
[ "$blocks" -ge 4 ] || { echo "check_readme: only $blocks generated blocks found"; exit 1; }
if [ "${2:-}" = --update ]; then
  cat "$fresh" >README.md
elif ! diff -u README.md "$fresh"; then
  echo "check_readme: the README is stale: run tests/check_readme.sh TOUCHSTONE --update"
  exit 1
fi
echo "check_readme: $blocks passed, 0 failed"
