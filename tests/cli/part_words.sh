# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Help, version, list, describe.
# covers: harness/commands/list.c harness/help/commands.c harness/help/help.c harness/help/topics.c
# covers: harness/plan/options_help.c harness/main.c harness/program.c harness/plan/exits.c methods/ldi_volume.c
: "${work:?}" "${here:?}" "${touchstone:?}" # set by run_cli.sh

run --help
check "help exits 0" is_status 0
check "the overview fits 80 columns" awk 'length > 80 { exit 1 }' "$work/out"
check "and 24 lines with the next prompt" test "$(wc -l <"$work/out")" -le 23
commands=$(sed -n 's/^COMMAND(\(.*\), .*$/\1/p' "$here/../../harness/plan/commands.def")
check "there are the commands" test "$(wc -w <<<"$commands")" -ge 10
for command in $commands; do
  check "the overview names $command" grep -qE "^(.{8}) $command +[A-Z]" "$work/out"
done
check "the overview says where the exit status is explained" out_has "touchstone list exits"
cp "$work/out" "$work/overview"
run help
check "help alone is the overview" cmp -s "$work/out" "$work/overview"
run
check "no command is a mistake" is_status 2
check "and shows the overview on standard error" cmp -s "$work/err" "$work/overview"
check "and nothing on standard output" test ! -s "$work/out"
run --help run
cp "$work/out" "$work/of_run"
run run --help
check "--help in front of a command is its help" cmp -s "$work/out" "$work/of_run"
run -- list exits
check "-- in front of a command ends no options" is_status 0
run --version
check "the version is printed" grep -qE '^touchstone [0-9]+\.[0-9]+\.[0-9]+$' "$work/out"
for command in $commands; do
  run "$command" --help
  check "$command has help" is_status 0
  check "help of $command shows its use" out_has "Usage: touchstone $command"
  check "help of $command lists --help" out_has "  --help"
  check "help of $command fits 100 columns" awk 'length > 100 { exit 1 }' "$work/out"
  cp "$work/out" "$work/help"
  run help "$command"
  check "help $command prints the same" cmp -s "$work/out" "$work/help"
done
run run --case nothing --help
check "help comes before the other options" is_status 0
check "help says what may be repeated" grep -qE '^  --set .*name=value' "$work/out"
check "each list of run may be repeated" test "$(tr -s '\n ' ' ' <"$work/out" | grep -o 'may be repeated' | wc -l)" -eq 7
for page in '' run mpi results complete; do
  # shellcheck disable=SC2086 # none, or one word
  run help $page --man
  sed -n '/^\.SH SEE ALSO/,$p' "$work/out" >"$work/see"
  self="touchstone${page:+\\-$page}(" # as its source has it
  check "SEE ALSO of ${page:-touchstone} does not name that page" test "$(grep -cF "$self" "$work/see")" -eq 0
  check "and names others" test "$(grep -o 'touchstone[a-z\-]*(' "$work/see" | wc -l)" -ge 4
done
# Below a folder with blanks the paths of the pages stay on one line.
spaced="$work/a folder with blanks in its name/prefix"
mkdir -p "$spaced/bin" "$spaced/share/doc/touchstone/docs"
cp "$touchstone" "$spaced/bin/touchstone" && touch "$spaced/share/doc/touchstone/docs/dataset.md"
"$spaced/bin/touchstone" help dataset >"$work/out"
check "the path of a page is on one line, with its blanks" out_has "$spaced/share/doc/touchstone/docs/dataset.md"
for command in "list columns" "help run" "gate --help" "describe scoring"; do
  # shellcheck disable=SC2086 # the words of the command
  "$touchstone" $command >/dev/full 2>"$work/err"
  check "$command says why standard output takes nothing" \
    same_text "$(cat "$work/err")" "touchstone: cannot write to standard output: No space left on device"
done
run help results
check "the columns of all files are a topic of help" grep -qE '^  normal_error_deg_max \[deg\] +[A-Z]' "$work/out"

run list cases
check "list cases exits 0" is_status 0
check "list cases has all thirteen" test "$(grep -c ' erleben ' "$work/out")" -eq 13
while IFS= read -r name; do
  check "list cases has $name" grep -q "^$name " "$work/out"
done < <(sed -n 's/^CASE(\(.*\))$/\1/p' "$here/../../cases/cases.def")
check "list cases has the minimum and the measure of the wall" \
  grep -qE '^wall +erleben +852 +37.59375 m2' "$work/out"
check "list cases shows where the truth is unknown" grep -qE '^tori +growth +- +unknown ' "$work/out"
run list methods
check "list methods has the methods" out_has closest_points
check "list methods leaves the controls out" test "$(grep -c control_ "$work/out")" -eq 0
check "list methods has the taxonomy" \
  grep -qE '^growth +local, volume, exact, normals from closest points, continuous ' "$work/out"
run list methods --controls
check "list methods --controls has them" out_has control_ideal
run list metrics
check "list metrics has the metrics" out_has quality_percent
run list presets
check "list presets has those of the paper, by its text and by its program" test "$(grep -c ' Erleben 2018, section 8' "$work/out")" -eq 6
check "and says what they sweep" out_has "dt_s=0.001,0.01,0.1"
run list columns
for file in summary contacts samples; do
  check "list columns has $file.csv" out_has "$file.csv"
done
run list exits
check "list exits has the end by a signal" grep -qE '^128 and more +stopped by a signal' "$work/out"
run list backends
check "list backends exits 0" is_status 0
check "list backends has the reference" grep -qE '^cpu +yes ' "$work/out"
check "list backends has OpenGL" grep -qE '^egl +yes .*OpenGL [4-9]' "$work/out"
EGL_LOG_LEVEL=fatal __EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent.json run list backends
check "without a driver list backends exits 0" is_status 0
check "and says what to install" grep -qE '^egl +no .*install .*libgl1-mesa-dri' "$work/out"
run list --help
topics=$(tr -s '\n ' ' ' <"$work/out" | sed -n 's/^Usage: touchstone list \([^ ]*\) \[options\].*/\1/p' | tr '|' ' ')
run list nothing
check "help of list has all that there is" \
  same_text "$(sed 's/.*there are: //; s/,//g' "$work/err")" "$(xargs <<<"$topics")"
for topic in $topics; do
  run list "$topic" --markdown
  check "list $topic --markdown prints a table" grep -q '^|---' "$work/out"
done
check "Markdown cells do not break at bars" awk -F'[^\\\\][|]' '
  /^\|/ { if (n && n != NF) exit 1; n = NF } !/^\|/ { n = 0 }' "$work/out"

run describe case wall --set layers=2 --set wall.span=3
check "describe case exits 0" is_status 0
check "describe case counts its bodies" test "$(grep -c ' brick_' "$work/out")" -eq 6
check "describe case has the totals" grep -qE '^Totals: [0-9]+ pairs, ' "$work/out"
check "describe case has the range of a parameter" out_has "a whole number from 1 to"
run describe method closest_points --set erosion_m=0.02
check "describe method has the envelope" out_has "eroded by 0.02 m"
run describe method vertex_only
check "describe method has the taxonomy" \
  out_has "local, volume, approximate, normals from implicit field and volume elements, discrete"
check "and what the method supports" \
  out_has "exact geometry no, continuous detection no, deformable bodies yes"
run describe method control_ideal
check "describe method knows the controls" is_status 0
check "and that the taxonomy has no place for them" grep -qE '^  taxonomy  unspecified$' "$work/out"

run describe case tori
check "describe case says that the truth is unknown" out_has "Truth: unknown"

run describe scoring
check "describe scoring has the tolerances" out_has "normal_tolerance"
check "and their values" out_has "0.0001"
run describe simulation --set dt_s=0.02
check "describe simulation exits 0" is_status 0
check "describe simulation has the parameters" out_has "spin_length_m"
check "and the values set" grep -qE '^ *dt_s .*\(here 0\.02\)' "$work/out"
check "describe simulation points to its page" out_has "docs/simulation.md"
run describe case wedges --set perturb_m=0.1
check "describe marks what does not touch" out_has "open"
check "and its minimum" grep -qE '^Totals: 0 pairs, .*minimum 0 contacts' "$work/out"

# On a terminal; what is piped, above, does not depend on COLUMNS.
on_terminal() { # COLUMNS ARGUMENTS...
  COLUMNS=$1 script -qec "$(printf '%q ' "$touchstone" "${@:2}")" /dev/null 2>"$work/err" </dev/null |
    tr -d '\r' >"$work/out"
}
for topic in $topics; do
  COLUMNS=80 run list "$topic"
  cp "$work/out" "$work/piped"
  on_terminal 9999 list "$topic"
  check "list $topic goes whole to a wide terminal" cmp -s "$work/out" "$work/piped"
  on_terminal 100 list "$topic"
  check "list $topic fits 100 columns" awk 'length > 100 { exit 1 }' "$work/out"
  check "and names every entry" same_text "$(cut -d ' ' -f 1 "$work/piped" | grep -v '^$')" \
    "$(sed '/^not shown: /,/^to see /d' "$work/out" | cut -d ' ' -f 1 | grep -v '^$')"
done
on_terminal 80 list methods
check "a narrow list says what it leaves out" out_has "not shown: taxonomy, envelope, gives, shapes, source"
check "and how to see it" out_has "to see all columns: touchstone list methods | less -S"
for topic in $topics; do
  on_terminal 60 list "$topic"
  check "list $topic fits 60 columns, but for the command to copy" \
    awk 'length > 60 && !/^to see all columns: / { exit 1 }' "$work/out"
done
for command in $commands; do
  on_terminal 60 help "$command"
  check "help of $command fits a narrow terminal, but for what is copied" \
    awk '/^Examples/ { exit } length > 60 { exit 1 }' "$work/out"
  check "and says once what may be repeated" test "$(grep -c repeatable "$work/out")" -eq 0
done
on_terminal 60 help list
check "a usage line is broken between choices" out_has "Usage: touchstone list"
on_terminal 60 help run
check "help fits a narrow terminal, but for examples" awk '/^Examples/ { exit } length > 60 { exit 1 }' "$work/out"
