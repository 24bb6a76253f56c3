#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks of the sources themselves:
#   licences  every source has an SPDX line near its top, and the text of that licence is there
#   covers    every source is covered by a test, and what tests name exists
#   format    C and C++ are formatted as .clang-format says
#   shell     shellcheck has no complaints
# usage: check_sources.sh PART...
set -euo pipefail
cd "$(dirname "$0")/.."

checked=0 bad=0
complain() {
  printf '%s\n' "$*"
  bad=$((bad + 1))
}

# Files of the project, new ones too, whose names match.
sources() { # PATTERNS...
  git ls-files -co --exclude-standard -- "$@" | sort -u | while read -r file; do
    [ ! -f "$file" ] || printf '%s\n' "$file"
  done
}
need() { # TOOL PACKAGE
  command -v "$1" >/dev/null || { echo "check_sources: $1 is missing: apt-get install $2"; exit 1; }
}

check_licences() {
  local file licence
  while read -r file; do
    checked=$((checked + 1))
    licence=$(head -n 4 "$file" | sed -nE 's/.*SPDX-License-Identifier: ([A-Za-z0-9.-]+).*/\1/p')
    if [ -z "$licence" ]; then
      complain "$file: no SPDX line: begin it as its neighbours do"
    elif [ ! -e "LICENSES/$licence.txt" ]; then
      complain "$file: $licence is not in LICENSES/"
    fi
  done < <(sources '*.c' '*.h' '*.cc' '*.sh' '*.py' '*.js' '*.css' '*.rs' '*.cmake' '*CMakeLists.txt' \
    quickstart .ci/run)
}

# A test says what it covers in a line near its top: "// covers: geometry/vec3.c geometry/aabb.c",
# "# covers: harness/commands/*.c" in a script; more lines may follow.
check_covers() {
  local file pattern found
  declare -A covered
  while read -r file; do
    while read -r pattern; do
      found=$(compgen -G "$pattern" || true)
      if [ -z "$found" ]; then
        complain "$file: covers $pattern, which does not exist: correct the line"
        continue
      fi
      while read -r found; do covered[$found]=1; done <<<"$found"
    done < <(sed -nE 's,^(//|#) covers: ,,p' "$file" | tr ' ' '\n' | sed '/^$/d')
  done < <(sources 'tests/*.c' 'tests/*.cc' 'tests/*.sh')
  while read -r file; do
    checked=$((checked + 1))
    grep -qE '^(//|#) covers: ' "$file" ||
      complain "$file: does not say what it covers: add a line \"covers: FILE...\" near its top"
  done < <(sources 'tests/**/test_*.c' 'tests/cli/part_*.sh')
  while read -r file; do
    checked=$((checked + 1))
    [[ -v covered[$file] ]] ||
      complain "$file: no test covers it: write one, or add it to the line \"covers:\" of the one that does"
  done < <(sources '*.c' '*.cc' ':!tests' ':!examples')
}

check_format() {
  need clang-format-14 clang-format-14
  local files
  mapfile -t files < <(sources '*.c' '*.h' '*.cc')
  checked=$((checked + ${#files[@]}))
  clang-format-14 --dry-run -Werror "${files[@]}" ||
    complain "correct it: clang-format-14 -i FILES"
}

check_shell() {
  need shellcheck shellcheck
  local files
  mapfile -t files < <(sources '*.sh' quickstart .ci/run)
  checked=$((checked + ${#files[@]}))
  shellcheck "${files[@]}" || complain "shellcheck has complaints, above"
}

[ $# -gt 0 ] || set -- none
for part in "$@"; do
  case $part in
    licences | covers | format | shell) "check_$part" ;;
    *)
      echo "usage: check_sources.sh licences|covers|format|shell ..."
      exit 1
      ;;
  esac
done
[ "$checked" -gt 0 ] || complain "no sources found"
echo "check_sources: $*: $((checked - bad)) passed, $bad failed"
[ "$bad" -eq 0 ]
