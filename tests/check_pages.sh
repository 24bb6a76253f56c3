#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tables of the README and of the pages in docs/ are written by the program itself, and what they show
# of a run is what that run prints, times and the folder aside. A session is commands of a shell and
# what they print, one folder for all of a page; examples/ of the project is there. Fails when one is
# stale; --update writes what is.
# usage: check_pages.sh TOUCHSTONE [--update]
set -euo pipefail
cd "$(dirname "$0")/.."
touchstone=$(realpath "$1")
update=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
generated=0 shown=0 sessions=0 skipping=0
mkdir "$work/bin"
ln -s "$touchstone" "$work/bin/touchstone"
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

# The commands of a session, the lines that begin with "$ ", and what each prints.
hold() { # NUMBER
  local line folder
  folder=$work/sessions_of_$(basename "$page")
  mkdir -p "$folder"
  [ -e "$folder/examples" ] || ln -s "$PWD/examples" "$folder/examples"
  printf '```\n'
  awk -v wanted="$1" '$0 == "<!-- session -->" { inside = ++count == wanted }
    $0 == "<!-- /session -->" { inside = 0 } inside && /^\$ / { print substr($0, 3) }' "$page" |
    while IFS= read -r line; do
      printf '$ %s\n' "$line"
      (cd "$folder" && PATH=$work/bin:$PATH bash -c "$line" 2>&1 </dev/null) || true
    done
  printf '```\n'
}
quoted() { sed -E "s/([^ ]*[|][^ ]*)/'\1'/" <<<"$1"; }

for page in README.md docs/*.md; do
  session=0
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
      '<!-- session -->')
        printf '%s\n' "$line"
        session=$((session + 1))
        hold "$session"
        sessions=$((sessions + 1))
        skipping=1
        ;;
      '<!-- /generated -->' | '<!-- /shown -->' | '<!-- /session -->')
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
[ "$sessions" -ge 1 ] || fail "no session is held"
echo "check_pages: $((generated + shown + sessions)) passed, 0 failed"
