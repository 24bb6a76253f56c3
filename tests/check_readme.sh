#!/usr/bin/env bash
# The README's tables are written by the program itself, and the table that it shows of a run is that
# of a run, times aside. Fails when one is stale.
# usage: check_readme.sh TOUCHSTONE [--update]
set -euo pipefail
cd "$(dirname "$0")/.."
touchstone=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fresh=$work/README.md
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
without_times() { sed -nE '/^case +qual/,/^$/{s/ +[0-9.]+ (ns|us|ms|s)( |$)/\2/g;p}'; }
"$touchstone" run --repeats 1 --out "$work/run" | without_times >"$work/seen"
without_times <README.md >"$work/shown"
if ! [ -s "$work/seen" ] || ! diff -u "$work/shown" "$work/seen"; then
  echo "check_readme: the table of a run that the README shows is stale: paste a new one"
  exit 1
fi
echo "check_readme: $((blocks + 1)) passed, 0 failed"
