# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Follows docs/plugins.md like a reader, in one shell and an empty folder: writes the files that the
# page shows, runs its commands in order, and compares their output with the page, except for times.
# Sourced by check_install.sh; uses $root, $build, $work, check.
#
# <!-- file: NAME --> before a block: the block is that file. ```sh: commands. ```text: output of the
# commands before it. Touchstone is not built but installed from $build, and runs use a minimal
# --min-time.
: "${work:?}" "${cc:?}" "${build:?}" "${root:?}" "${prefix:?}" # set by check_install.sh

page=$root/docs/plugins.md
walk=$work/walk
mkdir -p "$walk/home" "$walk/folder" "$walk/printed" "$walk/expected"

awk -v walk="$walk" '
  /^<!-- file: .* -->$/ { file = $3; next }
  /^```/ && inside { inside = ""; close(to); next }
  /^```/ {
    inside = substr($0, 4)
    if (file) to = walk "/folder/" file
    else if (inside == "sh") to = sprintf("%s/%03d.sh", walk, ++block)
    else if (inside == "text") to = sprintf("%s/expected/%03d", walk, block)
    else to = "/dev/null"
    file = ""
    next
  }
  inside { print >to }' "$page"

{
  echo 'set -e'
  echo 'touchstone() { command touchstone "$@" $([ "$1" != run ] || echo --min-time 0.001); }'
  for block in "$walk"/[0-9]*.sh; do
    number=$(basename "$block" .sh)
    echo "exec >'$walk/printed/$number' 2>&1"
    sed -e 's,^\./quickstart$,true,' -e 's,^cmake --build build/release$,true,' \
      -e "s,^cmake --install build/release ,cmake --install '$build' ," "$block"
  done
  echo "touch '$walk/done'"
} >"$walk/all"
(cd "$walk/folder" && HOME=$walk/home bash "$walk/all")
last=$(find "$walk/printed" -type f -printf '%f\n' | sort | tail -n 1)
cp "$walk/printed/$last" "$work/out"
check "every command of the page works (the last one was of block $last)" test -e "$walk/done"
check "there are at least 12 blocks" test "$(find "$walk/printed" -type f | wc -l)" -ge 12

# Removes times, the time in the name of the results, and column widths, which depend on the times.
without_times() {
  sed -E 's/ +[0-9.]+ (ns|us|ms|s)( |$)/ \2/g; s,results/[0-9]{8}T[0-9]{6}Z,results/latest,; s/-+/-/g' |
    sed -E 's/ +/ /g; s/ $//'
}
for expected in "$walk"/expected/*; do
  number=$(basename "$expected")
  check "block $number prints what the page says" quietly \
    diff <(without_times <"$expected") <(without_times <"$walk/printed/$number")
done

# The sizes of structs that the page lists for languages that cannot read the header.
{
  echo '#include <touchstone/method.h>'
  sed -nE 's/^\| `(ts_[a-z0-9]+)` \| ([0-9]+) \|$/_Static_assert(sizeof(\1) == \2, "\1");/p' "$page"
} >"$walk/sizes.c"
check "the page has sizes" test "$(wc -l <"$walk/sizes.c")" -ge 12
check "and they are right" quietly "$cc" -std=c11 -fsyntax-only -I "$prefix/include" \
  "$walk/sizes.c"

# Every symbol that the page names is in a header.
unknown_words() {
  grep -oE '\b(TS_[A-Z_0-9]+|ts_[a-z0-9_]+)\b' "$page" | sort -u | while read -r word; do
    grep -qwF "$word" "$prefix"/include/touchstone/*.h || echo "$word"
  done
}
check "every name on the page is in the headers" test -z "$(unknown_words)"
