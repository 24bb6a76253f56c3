# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Touchstone in the CI of a plug-in's author: the example of a repository, whose workflow is done step by
# step in a clone outside of this tree, the action, and the scripts that both call. Sourced by run_cli.sh.
# covers: packaging/ci/*.sh action.yml .github/*/*.yml examples/plugin_repository/face_plane.c
: "${work:?}" "${touchstone:?}" "${here:?}" # set by run_cli.sh

tree=$(realpath "$here/../..")
python3 -c 'import yaml' 2>"$work/err" || skip "Python's yaml is not installed: apt-get install python3-yaml"
prefix=$work/prefix
check "touchstone installs" cmake --install "$(dirname "$touchstone")" --prefix "$prefix" >"$work/out"
# What a step installs has to be known here by that name, and is there already.
mkdir "$work/shims"
cat >"$work/shims/apt-get" <<'END'
#!/usr/bin/env bash
echo "apt-get $*"
[ "$1" = install ] || exit 0
shift
for word in "$@"; do
  [[ $word == -* ]] || dpkg-query -W "$word" >/dev/null || { echo "$word is not installed here"; exit 1; }
done
END
chmod +x "$work/shims/apt-get"
path=$work/shims:$prefix/bin:$PATH

# workflow REPOSITORY FILE: does it; leaves $work/out, $work/err and $status.
workflow() {
  PATH=$path "$tree/tests/ci/run_workflow.py" "$1" "$tree" "$2" >"$work/out" 2>"$work/err"
  status=$?
}
# clone NAME: the example as a repository of its own.
clone() {
  cp -r "$tree/examples/plugin_repository" "$work/$1"
  rm -rf "${work:?}/$1/build" "$work/$1/results"
  git -C "$work/$1" init -q && git -C "$work/$1" add -A &&
    git -C "$work/$1" -c user.name=a -c user.email=a@example.org commit -qm begin
}
testcases() { grep -c '<testcase ' "$1"; }
file=.github/workflows/contacts.yml

# Pages of the installation lead to files of it. Pages of docs/ are checked in the source tree.
share=$prefix/share/doc/touchstone
broken=$(for page in README.md CONTRIBUTING.md docs/README.md; do
  grep -oE '\]\([^)#]+' "$share/$page" | sed 's/^](//' | grep -v '^http' | while IFS= read -r link; do
    [ -e "$share/$(dirname "$page")/$link" ] || echo "$page: $link"
  done
done)
check "links of the installed front pages lead somewhere" same_text "$broken" ""
# What docs/using.md says about completion.
sed -n 's/^| \(bash\|zsh\|fish\), [^|]*| `\([^`]*\)`.*/\2/p' "$tree/docs/using.md" |
  grep -o 'share/[^ ]*' >"$work/places"
check "it says so for three shells" test "$(wc -l <"$work/places")" -eq 3
while IFS= read -r place; do
  check "the installation has $place" test -e "$prefix/$place"
done <"$work/places"

# --- the example's own workflow

check "the example is cloned" clone good
workflow "$work/good" $file
check "its workflow passes" is_status 0
check "with every step but the one for failures" same_text \
  "$(grep -cE '^done: ' "$work/out") $(grep -E '^left out: ' "$work/out")" "11 left out: What changed"
check "the baseline has every row" same_text \
  "$(testcases "$work/good/results/ci/junit.xml")" "$(rows "$work/good/results/ci")"
check "the artifact has the JUnit file" test -s "$work/good/artifacts/contacts/junit.xml"
check "and the page" grep -q '</html>' "$work/good/artifacts/contacts/report.html"
rm -rf "$work/good/artifacts" "$work/good/step_summary.md"
check "what it writes is ignored by git" same_text "$(git -C "$work/good" status --short)" ""

check "and a second time" clone worse
sed -i 's/double sign = plane_of_b ? -1 : 1;/double sign = 1;/' "$work/worse/face_plane.c"
workflow "$work/worse" $file
check "with half of the normals flipped it fails" is_status 1
check "in the gate, and says which rule is broken" grep -q \
  'broken: arch touch x face_plane: normals_flipped was 0, is 8; rule: normals_flipped may not rise' "$work/out"
check "a rule of gate.rules among them" out_has "normals_flipped may not be above 0"
check "the summary of the job says what changed" grep -q 'normals_flipped' "$work/worse/step_summary.md"
check "and the artifact is there all the same" grep -q '<failure' "$work/worse/artifacts/contacts/junit.xml"

check "without its baseline" clone bare
rm "$work/bare/baseline.csv"
workflow "$work/bare" $file
check "it fails" is_status 1
check "by the message of the gate" out_has "there is no baseline baseline.csv"
check "and compares nothing after it" out_has "left out: What changed"

check "with most of its baseline lost" clone cut
head -n 3 "$work/cut/baseline.csv" >"$work/cut.csv" && mv "$work/cut.csv" "$work/cut/baseline.csv"
workflow "$work/cut" $file
check "it fails, too" is_status 1
check "and says which rule" out_has "the row is not in the baseline; rule: rows may not appear (gate.rules, line 4)"

# --- the action

# by_action REPOSITORY LINES: a workflow that installs, builds, and calls the action with these inputs.
by_action() {
  clone "$1" >"$work/err"
  cat >"$work/$1/$file" <<END
on: push
jobs:
  contacts:
    steps:
      - uses: actions/checkout@v4
      - uses: OWNER/touchstone@v0.1.0
        with:
          install-only: true
      - run: cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release && cmake --build build
      - id: contacts
        uses: OWNER/touchstone@v0.1.0
        with:
          plugin: build/face_plane.so
          method: face_plane
$2
      - if: always()
        run: echo "passed '\$PASSED' page '\$PAGE' junit '\$JUNIT'"
        env:
          PASSED: \${{ steps.contacts.outputs.passed }}
          PAGE: \${{ steps.contacts.outputs.page }}
          JUNIT: \${{ steps.contacts.outputs.junit }}
END
  workflow "$work/$1" $file
}
by_action by_action "          baseline: baseline.csv
          rules: gate.rules
          gate-options: --strict
          artifact: kept"
check "a workflow with the action passes" is_status 0
check "and says where everything is" out_has \
  "passed 'true' page 'results/contacts/report.html' junit 'results/contacts/junit.xml'"
check "it keeps the results" test -s "$work/by_action/artifacts/kept/summary.csv"
check "the first call has run nothing" same_text "$(grep -c '^left out: Run and gate' "$work/out")" 1
check "the summary of the job has the ranking" grep -q '^face_plane ' "$work/by_action/step_summary.md"

echo 'excess_factor may not be above 0' >"$work/strict.rules"
by_action by_rules "          case: internal_edges
          options: --steps 1 --repeats 1
          rules: $work/strict.rules"
check "with a rule that is broken it fails" is_status 1
check "says so" out_has "passed 'false'"
check "and the summary has the rule" grep -q 'broken: internal_edges' "$work/by_rules/step_summary.md"
check "without a name for it there is no artifact" is_absent "$work/by_rules/artifacts"
by_action refused "          case: no_such_case"
check "a run that is refused fails" is_status 1
check "with the message of the program" out_has "no_such_case"
check "and has no outputs" out_has "passed '' page '' junit ''"

# --- docs/ci.md: its snippets, and its table of inputs

# snippet N TO: the Nth block of YAML on the page.
snippet() { awk -v wanted="$1" '/^```yaml$/ { inside = ++count == wanted; next } /^```/ { inside = 0 } inside' \
  "$tree/docs/ci.md" >"$2"; }
check "a clone for the page" clone page
snippet 1 "$work/page/$file"
check "it has the workflow with the action" grep -q 'uses: OWNER/touchstone@' "$work/page/$file"
workflow "$work/page" $file
check "which passes" is_status 0
check "and keeps the page" test -s "$work/page/artifacts/contacts/report.html"
inputs() { sed -n '/^inputs:/,/^outputs:/s/^  \([a-z-]*\):$/\1/p' "$tree/action.yml" | sort; }
check "the page has each input of the action" same_text "$(inputs)" \
  "$(sed -n '/^| Input/,/^$/p' "$tree/docs/ci.md" | cut -d'|' -f2 | grep -o '`[a-z-]*`' | tr -d '`' | sort)"

check "a clone for GitLab" clone gitlab
snippet 2 "$work/gitlab/gitlab.yml"
python3 -c 'import sys, yaml
job = yaml.safe_load(open(sys.argv[1]))["contacts"]
print("\n".join(job["before_script"] + job["script"]))' "$work/gitlab/gitlab.yml" >"$work/gitlab/all"
# In place of the clone of touchstone: its tree, with packages as if they had been made.
sed -i "s,^git clone .*,mkdir -p touchstone/build/release/packages \&\& cp -r $tree/packaging touchstone \&\& touch touchstone/build/release/packages/made.deb," \
  "$work/gitlab/all"
gitlab() {
  (cd "$work/gitlab" && PATH=$path bash -eo pipefail all) >"$work/out" 2>"$work/err"
}
check "the script for GitLab passes" gitlab
check "has a JUnit file" test "$(testcases "$work/gitlab/results/ci/junit.xml")" -eq 26
check "and packages for the cache" test -e "$work/gitlab/packages/made.deb"
rm -r "$work/gitlab/results" "$work/gitlab/touchstone" "$work/gitlab/build"
sed -i 's/&& touch [^ ]*made.deb//; s/mkdir -p touchstone.build.release.packages &&/mkdir -p touchstone \&\&/' "$work/gitlab/all"
check "and passes with that cache" gitlab

# --- the check of YAML files notices what it is for

# noticed WHAT FILE SED: a copy of the file, changed.
noticed() {
  local copy=$work/$2
  mkdir -p "$(dirname "$copy")"
  sed "$3" "$tree/$2" >"$copy"
  "$tree/tests/check_yaml.py" "$copy" >"$work/out" 2>"$work/err"
  check "an error in YAML is noticed: $1" test $? -eq 1 -a -s "$work/out" -a ! -s "$work/err"
}
mkdir "$work/same"
cp "$tree/action.yml" "$work/same"
check "a copy of the action has none" "$tree/tests/check_yaml.py" "$work/same/action.yml"
noticed "a key twice" action.yml 's/^description:/name:/'
noticed "an input that is not there" action.yml 's/inputs.plugin /inputs.plugins /'
noticed "an input that nothing uses" action.yml 's/inputs.rules /inputs.baseline /'
noticed "a step that is not there" action.yml 's/steps.key./steps.keys./'
noticed "a script that is not there" action.yml 's/install.sh/instal.sh/'
noticed "an input pasted into a command" action.yml 's/\$ENGINES"/${{ inputs.engines }}"/'
noticed "an action without a version" .github/workflows/ci.yml 's/checkout@v4/checkout/'
noticed "a script of the workflow" .github/workflows/ci.yml 's,: .ci/run,: .ci/rum,'
noticed "another shell" .github/workflows/ci.yml 's/shell: bash/shell: sh/'
noticed "a field without a label" .github/ISSUE_TEMPLATE/failure.yml 's/label:/title:/'
noticed "a page that is not there" .github/ISSUE_TEMPLATE/failure.yml 's/SECURITY.md/SAFETY.md/'

# --- its script

# contacts VARIABLES...: the script, in $work/good.
contacts() {
  (cd "$work/good" && env PATH="$path" RESULTS="$work/by_script" "$@" "$tree/packaging/ci/contacts.sh") \
    >"$work/out" 2>"$work/err"
  status=$?
}
contacts CASES='spikes|wedges' METHODS=vertex_only OPTIONS='--steps 1 --repeats 1'
check "with nothing to gate by it passes" is_status 0
check "writes the page" test -s "$work/by_script/report.html"
check "and no JUnit file" is_absent "$work/by_script/junit.xml"
rm -r "$work/by_script"
contacts CASES=spikes METHODS=control_crash OPTIONS='--controls --steps 1 --repeats 1'
check "cells that failed are its status then" is_status 3
rm -r "$work/by_script"
contacts CASES=spikes PLUGINS='no_such.so'
check "a plug-in that is not there is refused" is_status 2
check "by name" err_has "no_such.so"

# --- the script that installs

mkdir -p "$work/tree/packaging/ci" "$work/tree/build/release"
cp "$tree/packaging/ci/install.sh" "$work/tree/packaging/ci"
install=$work/tree/packaging/ci/install.sh
key=$("$install" --key)
echo a >"$work/tree/build/made"
check "a built file does not change the key" same_text "$("$install" --key)" "$key"
echo a >"$work/tree/source.c"
check "a source does" test "$("$install" --key)" != "$key"
install() {
  PATH=$1 "$install" "${@:2}" >"$work/out" 2>"$work/err"
  # shellcheck disable=SC2034 # is_status reads it
  status=$?
}
install "$path"
check "where touchstone is installed nothing is done" is_status 0
check "an installed touchstone is left as it is" out_has "installed already: $prefix/bin/touchstone"
install "$path" --everything
check "an option that is not there is refused" is_status 2
# A path with no touchstone: a made-up package puts one there.
mkdir "$work/tree/build/release/packages"
touch "$work"/tree/build/release/packages/touchstone{,-dev,-engines}_0_amd64.deb
cat >"$work/shims/apt-get" <<END
#!/bin/sh
echo "\$@" >>"$work/installed"
printf '#!/bin/sh\necho touchstone 0\n' >"$work/shims/touchstone"
chmod +x "$work/shims/touchstone"
END
bare=$work/shims:/usr/bin:/bin
if PATH=$bare command -v touchstone >"$work/out"; then
  echo "not checked: a touchstone is installed in /usr/bin"
else
  [ "$(id -u)" -eq 0 ] || printf '#!/bin/sh\nexec "$@"\n' >"$work/shims/sudo"
  [ "$(id -u)" -eq 0 ] || chmod +x "$work/shims/sudo"
  install "$bare" --engines
  check "packages that are there are installed, not made" is_status 0
  check "those asked for" grep -q 'touchstone_0_amd64.deb .*touchstone-dev_0_.*touchstone-engines_0_' \
    "$work/installed"
  rm "$work/shims/touchstone"
  touch "$work/tree/build/release/packages/touchstone_1_amd64.deb"
  install "$bare"
  check "packages of two versions are refused" is_status 2
fi
