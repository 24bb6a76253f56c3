#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks of the sources themselves:
#   licences  every source has an SPDX line near its top, and the text of that licence is there
#   covers    every source is covered by a test, and what tests name exists
#   format    C and C++ are formatted as .clang-format says
#   shell     shellcheck has no complaints
#   yaml      workflows, the action, issue forms and other YAML files are what they should be
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
  local files file licence
  mapfile -t files < <(sources '*.c' '*.h' '*.cc' '*.def' '*.sh' '*.py' '*.js' '*.css' '*.rs' '*.cmake' \
    '*CMakeLists.txt' '*.yml' '*.yaml' Dockerfile quickstart .ci/run)
  checked=$((checked + ${#files[@]}))
  while read -r file; do
    complain "$file: no SPDX line: begin it as its neighbours do"
  done < <(grep -LE 'SPDX-License-Identifier: [A-Za-z0-9.-]+' "${files[@]}" || true)
  while IFS=: read -r file _ licence; do
    [ -e "LICENSES/${licence# }.txt" ] || complain "$file: ${licence# } is not in LICENSES/"
  done < <(grep -HoE -m 1 'SPDX-License-Identifier: [A-Za-z0-9.-]+' "${files[@]}" || true)
}

# A test says what it covers in a line near its top: "// covers: geometry/vec3.c geometry/aabb.c",
# "# covers: harness/commands/*.c" in a script; more lines may follow.
check_covers() {
  local file line pattern source found patterns tests
  declare -A covered has_line
  mapfile -t tests < <(sources 'tests/*.c' 'tests/*.cc' 'tests/*.sh')
  while IFS=: read -r file _ line; do
    has_line[$file]=1
    read -ra patterns <<<"$line"
    for pattern in "${patterns[@]}"; do
      # shellcheck disable=SC2206 # the pattern is meant to be expanded
      found=($pattern)
      [ -e "${found[0]}" ] || complain "$file: covers $pattern, which does not exist: correct the line"
      for source in "${found[@]}"; do covered[$source]=1; done
    done
  done < <(grep -HE '^(//|#) covers: ' "${tests[@]}" || true)
  for file in "${tests[@]}"; do
    [[ $file == */test_*.c || $file == tests/cli/part_*.sh ]] || continue
    checked=$((checked + 1))
    [[ -v has_line[$file] ]] ||
      complain "$file: does not say what it covers: add a line \"covers: FILE...\" near its top"
  done
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

check_yaml() {
  python3 -c 'import yaml' || { echo "check_sources: Python's yaml is missing: apt-get install python3-yaml"; exit 1; }
  local files
  mapfile -t files < <(sources '*.yml' '*.yaml' '*.cff')
  checked=$((checked + ${#files[@]}))
  tests/check_yaml.py "${files[@]}" || complain "some YAML is wrong, above"
}

[ $# -gt 0 ] || set -- none
for part in "$@"; do
  case $part in
    licences | covers | format | shell | yaml) "check_$part" ;;
    *)
      echo "usage: check_sources.sh licences|covers|format|shell|yaml ..."
      exit 1
      ;;
  esac
done
[ "$checked" -gt 0 ] || complain "no sources found"
echo "check_sources: $*: $((checked - bad)) passed, $bad failed"
[ "$bad" -eq 0 ]
