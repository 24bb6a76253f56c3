# SPDX-License-Identifier: MIT
# Walks docs/plugins.md as a reader does, in one shell and an empty folder: files that the page
# shows are written, its commands run one after the other, and what it says they print is what they
# print, times aside. Sourced by check_install.sh; uses $root, $build, $work, check.
#
# <!-- file: NAME --> before a block: it is that file. ```sh: commands. ```text: what the commands
# before it print. Building touchstone itself is left out, it is installed from $build, and runs are
# timed for a moment only.

page=$root/docs/plugins.md
walk=$work/walk
mkdir -p "$walk/home" "$walk/folder" "$walk/said" "$walk/told"

awk -v walk="$walk" '
  /^<!-- file: .* -->$/ { file = $3; next }
  /^```/ && inside { inside = ""; close(to); next }
  /^```/ {
    inside = substr($0, 4)
    if (file) to = walk "/folder/" file
    else if (inside == "sh") to = sprintf("%s/%03d.sh", walk, ++block)
    else if (inside == "text") to = sprintf("%s/told/%03d", walk, block)
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
    echo "exec >'$walk/said/$number' 2>&1"
    sed -e 's,^\./quickstart$,true,' -e 's,^cmake --build build/release$,true,' \
      -e "s,^cmake --install build/release ,cmake --install '$build' ," "$block"
  done
  echo "touch '$walk/done'"
} >"$walk/all"
(cd "$walk/folder" && HOME=$walk/home bash "$walk/all")
last=$(ls "$walk/said" | tail -n 1)
cp "$walk/said/$last" "$work/out"
check "every command of the page works (the last one was of block $last)" test -e "$walk/done"
check "there are as many as a page has" test "$(ls "$walk/said" | wc -l)" -ge 12

# Times, the folder of the results, and how wide columns are, which hangs on the times.
without_times() {
  sed -E 's/ +[0-9.]+ (ns|us|ms|s)( |$)/ \2/g; s/^results: [^ ]*/results:/; s/-+/-/g' |
    sed -E 's/ +/ /g; s/ $//'
}
for told in "$walk"/told/*; do
  number=$(basename "$told")
  check "block $number prints what the page says" quietly \
    diff <(without_times <"$told") <(without_times <"$walk/said/$number")
done

# The sizes that the page gives to those who cannot read the header.
{
  echo '#include <touchstone/method.h>'
  sed -nE 's/^\| `(ts_[a-z0-9]+)` \| ([0-9]+) \|$/_Static_assert(sizeof(\1) == \2, "\1");/p' "$page"
} >"$walk/sizes.c"
check "the page tells sizes" test "$(wc -l <"$walk/sizes.c")" -ge 12
check "and those are right" quietly "$cc" -std=c11 -fsyntax-only -I "$prefix/include" \
  "$walk/sizes.c"

# Every symbol that the page names is in a header.
unknown_words() {
  grep -oE '\b(TS_[A-Z_0-9]+|ts_[a-z0-9_]+)\b' "$page" | sort -u | while read -r word; do
    grep -qwF "$word" "$prefix"/include/touchstone/*.h || echo "$word"
  done
}
check "what the page names is in the headers" test -z "$(unknown_words)"
