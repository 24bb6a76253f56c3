#!/usr/bin/env bash
# Tables of the README and of the pages in docs/ are written by the program itself, and what they show
# of a run is what that run prints, times and the folder aside. Fails when one is stale; --update
# writes what is.
# usage: check_pages.sh TOUCHSTONE [--update]
set -euo pipefail
cd "$(dirname "$0")/.."
touchstone=$1
update=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
generated=0 shown=0 skipping=0
without_times() {
  sed -E '/^case +qual/,/^$/s/ +[0-9.]+ (ns|us|ms|s)( |$)/\2/g; s/^results: [^ ]*/results:/; /^ *$/d; s/-+/-/g; s/ +/ /g'
}
fail() {
  echo "check_pages: $page: $*: run tests/check_pages.sh TOUCHSTONE --update, and look at the change"
  exit 1
}

# What a command prints, in a block of the README's; as it stands there when only times differ.
show() { # ARGUMENTS
  # shellcheck disable=SC2086 # the words of the command
  "$touchstone" $1 --out "$work/shown_$shown" | sed "s,$work/shown_$shown,results/latest," >"$work/seen"
  sed -n "/^<!-- shown: ${1//|/[|]} -->\$/,/^<!-- \/shown -->\$/p" "$page" | sed '1,2d;$d' | sed '$d' |
    sed '1d' >"$work/stands"
  if diff <(without_times <"$work/stands") <(without_times <"$work/seen") >"$work/difference"; then
    cp "$work/stands" "$work/seen"
  fi
  printf '```\n$ touchstone %s\n' "$(quoted "$1")"
  cat "$work/seen"
  printf '```\n'
}
quoted() { sed -E "s/([^ ]*[|][^ ]*)/'\1'/" <<<"$1"; }

for page in README.md docs/*.md; do
  fresh=$work/fresh.md
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      '<!-- generated: '*' -->')
        printf '%s\n' "$line"
        command=${line#'<!-- generated: '}
        # shellcheck disable=SC2086 # the words of the command
        "$touchstone" ${command%' -->'} --markdown
        generated=$((generated + 1))
        skipping=1
        ;;
      '<!-- shown: '*' -->')
        printf '%s\n' "$line"
        command=${line#'<!-- shown: '}
        show "${command%' -->'}"
        shown=$((shown + 1))
        skipping=1
        ;;
      '<!-- /generated -->' | '<!-- /shown -->')
        skipping=0
        printf '%s\n' "$line"
        ;;
      *) [ $skipping -eq 1 ] || printf '%s\n' "$line" ;;
    esac
  done <"$page" >"$fresh"
  if [ "$update" = --update ]; then
    cat "$fresh" >"$page"
  elif ! diff -u "$page" "$fresh"; then
    fail "stale"
  fi
done
[ "$generated" -ge 4 ] || fail "only $generated generated blocks found"
[ "$shown" -ge 1 ] || fail "nothing is shown of a run"
echo "check_pages: $((generated + shown)) passed, 0 failed"
