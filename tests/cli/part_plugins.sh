# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# covers: harness/narrow_phase/input_check.c methods/plugins/*.c
# Third-party methods: their faults are reported, and affect only their own rows.
: "${touchstone:?}" "${work:?}" "${status:?}" # set by run_cli.sh

plugins=$(dirname "$touchstone")/tests/plugins
loading=$plugins/plug_loading.so
faults=$plugins/plug_faults.so

# Loading: every fault is a message that names the file, in every command.
refused "a missing plug-in" "plug-in nothing.so: no such file; check the path" \
  list methods --plugin nothing.so
refused "a folder" "is not a regular file; give a shared object" list methods --plugin "$plugins"
refused "a device" "is not a regular file" list methods --plugin /dev/zero
mkfifo "$work/pipe"
refused "a pipe" "is not a regular file" list methods --plugin "$work/pipe"
echo "text" >"$work/text.so"
refused "a file that is not a shared object" "text.so: is not a shared object; build one with" \
  list methods --plugin "$work/text.so"
: >"$work/empty.so"
refused "an empty file" "is not a shared object" list methods --plugin "$work/empty.so"
head -c 1000 "$loading" >"$work/cut.so"
refused "half a shared object" "cut.so: " list methods --plugin "$work/cut.so"
refused "one without the entry symbol" "has no function touchstone_methods()" \
  run --plugin "$plugins/plug_no_entry.so"
refused "one that lacks a function" "undefined symbol: plug_missing_function" \
  describe method plug_one --plugin "$plugins/plug_unresolved.so"
refused "a plug-in given twice" "is taken by a method of" \
  list methods --plugin "$faults" --plugin "$faults"
refused "an empty name" "must not be empty" list methods --plugin=
cp "$loading" here.so
run list methods --plugin here.so
check "a name without a slash is a file in the current folder" is_status 0
check "and its method is listed after ours" \
  same_text "$(awk 'END { print $1 }' "$work/out")" plug_one
run list methods --plugin here.so --controls
check "and before the controls" grep -q -A1 '^plug_one ' "$work/out"

# load_fails WHAT FAULT WORDS: the plug-in with this fault is refused with these words.
load_fails() {
  PLUG=$2 run list methods --plugin "$loading"
  check "$1 is refused" is_refused "$3"
  check "and the file is named" err_has "touchstone: plug-in $loading: "
}
load_fails "a crash in a constructor" crash_constructor "crashed with SIGABRT while it was loaded"
load_fails "an exit in a constructor" exit_constructor "exited with status 0 while it was loaded"
load_fails "the closing of files" close_files "closes files that it did not open; keep them open"
load_fails "a crash in the entry" crash_entry "crashed with SIGABRT in touchstone_methods()"
load_fails "an exit in the entry" exit_entry "exited with status 0 in touchstone_methods()"
load_fails "a crash in a destructor" crash_destructor "crashed with SIGABRT while it was unloaded"
load_fails "a crash in envelope()" crash_envelope "crashed with SIGABRT in envelope()"
load_fails "a wild pointer" wild_pointer "crashed with SIGSEGV while its methods were read"
load_fails "a newer interface" abi_newer \
  "is built for version 4 of the interface, and this touchstone has versions 1 to 3; update touch"
load_fails "no version of the interface" abi_none \
  "is built for version 0 of the interface, and this touchstone has versions 1 to 3; update touch"
load_fails "a struct that is too small" struct_small "has struct_size 64"
load_fails "no list" no_list "touchstone_methods() returns no method; return at least one"
load_fails "an empty list" no_methods "touchstone_methods() returns no method"
load_fails "a name twice" two_alike "two of its methods are called plug_one; rename one"
load_fails "no name" no_name "method number 1 needs a name"
load_fails "a name with a space" bad_name "method number 1 needs a name"
load_fails "a long name" long_name "method number 1 needs a name"
load_fails "the name of a method" builtin_name "the name of its method growth is taken by a built-in method"
load_fails "the name of a control" control_name "the name of its method control_ideal is taken by a control"
load_fails "the name of a case" case_name "the name of its method wall is taken by a case"
load_fails "the name of the scoring" scoring_name "is taken by a group of parameters"
load_fails "no summary" no_summary "method plug_one needs a summary"
load_fails "a summary of two lines" summary_lines "method plug_one needs a summary that is one line"
load_fails "a source that is not UTF-8" source_bytes "method plug_one needs a source that is one line"
load_fails "an unknown need" needs_unknown "method plug_one has unknown bits 0x100000 in needs; update"
load_fails "no generate()" no_generate "method plug_one has no generate(); set it"
load_fails "state by an unknown parameter" state_if_unknown \
  "method plug_one has no parameter plug_memory, which keeps_state_if names; set"
load_fails "state by a parameter, and none" state_if_alone "sets keeps_state_if but not keeps_state"
load_fails "parameters without descriptors" no_params "has 2 parameters but no descriptors; set params"
load_fails "too many parameters" many_params "; the maximum is 256"
load_fails "a parameter without a name" param_no_name "parameter 1 of method plug_one needs a name"
load_fails "a parameter called a=b" param_bad_name "parameter 1 of method plug_one needs a name"
load_fails "a parameter of all cases" param_common "parameter scale of method plug_one has the name of"
load_fails "a parameter twice" param_twice "parameter plug_side of method plug_one is defined twice"
load_fails "an unknown kind" param_kind "parameter plug_size of method plug_one has kind 9; use a"
load_fails "a range without values" param_bounds "has the empty range 20 to 10; set minimum and maximum"
load_fails "a range that is not a number" param_nan "has the empty range 0 to nan; set minimum and maximum"
load_fails "a default out of range" param_default "has an invalid default: plug_size=11"
load_fails "a choice that would cut a list" param_bad_choice "has choice number 1, which must be a word"
load_fails "an empty list of choices" param_no_choice "has no choices; list them"
load_fails "no list of choices" param_null_choices "has no choices; list them"
PLUG=fine_name run list methods --plugin "$faults" --plugin "$loading"
check "the name of another plug-in's method is refused" is_refused \
  "the name of its method plug_fine is taken by a method of $faults"
PLUG=print_constructor run list methods --plugin "$loading"
check "output of a plug-in is not in a table" test -z "$(grep noise "$work/out")"
PLUG=struct_older run describe method plug_one --plugin "$loading"
check "a method of an older header of this version works" is_status 0
check "and members it lacks are unspecified" out_has "taxonomy  unspecified"
PLUG=crash_envelope_later run describe method plug_one --plugin "$loading" --set plug_size=2
check "a crash in envelope() at other values is refused" is_refused \
  "envelope() of method plug_one: crashed with SIGABRT"
PLUG=state_if run describe method plug_one --plugin "$loading"
check "state that depends on a parameter is described" \
  out_has "kept between steps unless plug_side=left (here not): contacts may depend on earlier ones"
PLUG=state_if run describe method plug_one --plugin "$loading" --set plug_side=right
check "at its value, too" out_has "unless plug_side=left (here kept): contacts"
run describe method plug_one --plugin "$loading" --set plug_size=2 --set plug_side=right
check "a method of a plug-in is described" is_status 0
check "with its envelope at these values" out_has "dilated by 0.002 m"
check "and its parameters" out_has "left or right"

# Older versions of the interface: the same contacts and measures as by the version of now.
cat >"$work/ball.json" <<'JSON'
{"schema": "touchstone scene", "version": 1, "name": "ball", "truth": "untold",
 "shapes": [{"name": "ball", "sphere": {"radius": 0.5, "mesh_error": 0.01}},
            {"name": "block", "box": {"size": [2, 1, 2]}}],
 "bodies": [{"name": "block", "shape": "block", "is_fixed": true},
            {"name": "ball", "shape": "ball", "pose": {"translation_m": [0.1, 1.0005, 0.2]}}]}
JSON
# version NUMBER FOLDER [OPTION ...]: a run of the plug-in built for it, without its name in rows.
version() {
  local number=$1 folder=$2
  shift 2
  run run --plugin "$plugins/plug_version_$number.so" --method "version_$number" --repeats 1 \
    --scene "$work/ball.json" --case 'wall|spikes|ball' --steps 3 --quiet --out "$folder" "$@"
  cut -d, -f2,4- "$folder/contacts.csv" >"$folder/contacts"
  compared "$folder/summary.csv" | sed "s/,version_$number,/,version,/; s/;groups=[01]//" |
    cut -d, -f2- >"$folder/rows"
}
version 1 "$work/by_1"
check "a method of version 1 of the interface runs" is_status 0
version 3 "$work/by_3"
check "as it does when built for version 3" is_status 0
check "with the same contacts" cmp "$work/by_1/contacts" "$work/by_3/contacts"
check "of which there are many" test "$(wc -l <"$work/by_1/contacts")" -gt 1000
check "and the same measures" cmp "$work/by_1/rows" "$work/by_3/rows"
version 2 "$work/by_2" --set groups=1
check "a method of version 2 runs, with groups and state" is_status 0
version 3 "$work/by_3_grouped" --set groups=1
check "with the same contacts as when built for version 3" \
  cmp "$work/by_2/contacts" "$work/by_3_grouped/contacts"
check "and the same measures" cmp "$work/by_2/rows" "$work/by_3_grouped/rows"
cmp -s "$work/by_2/contacts" "$work/by_1/contacts"
check "which are not those without groups" test $? -eq 1
for number in 1 2 3; do
  run describe --plugin "$plugins/plug_version_$number.so" method "version_$number"
  check "version $number is described" out_has "means nothing"
  run export --plugin "$plugins/plug_version_$number.so" --case spikes --method "version_$number" \
    --format scene --out "$work/export_$number"
  check "and exported" is_status 0
done

# A plug-in on exact shapes: of each kind that it takes, on either side of the pair.
cat >"$work/balls.json" <<'JSON'
{"schema": "touchstone scene", "version": 1, "name": "balls_scene", "truth": "untold",
 "shapes": [{"name": "floor", "plane": {}}, {"name": "ball", "sphere": {"radius": 0.25, "mesh_error": 0.02}},
            {"name": "block", "box": {"size": [1, 1, 1]}},
            {"name": "pill", "capsule": {"radius": 0.25, "length": 1, "mesh_error": 0.02}}],
 "bodies": [{"name": "floor", "shape": "floor", "is_fixed": true},
            {"name": "low", "shape": "ball", "pose": {"translation_m": [0, 0.2505, 0]}},
            {"name": "block", "shape": "block", "pose": {"translation_m": [5, 9, 0],
              "rotation_wxyz": [0.9238795325112867, 0, 0, 0.3826834323650898]}},
            {"name": "beside", "shape": "ball", "pose": {"translation_m": [5, 9.9569, 0]}},
            {"name": "above", "shape": "ball", "pose": {"translation_m": [0, 0.7500, 0]}}]}
JSON
run run --plugin "$plugins/plug_balls.so" --method balls --scene "$work/balls.json" --repeats 1 \
  --quiet --out "$work/balls"
check "an example on exact shapes runs" is_status 0
check "with a contact each on a plane, on the edge of a box, and of two spheres" \
  same_text "$(awk -F, 'NR > 1 && $4 == 0 { printf "%s-%s %.6f; ", $5, $6, $14 }' \
    "$work/balls/contacts.csv")" "0-1 0.000500; 1-4 -0.000500; 2-3 -0.000207; "
check "and the row says on which shapes" grep -qF ',sphere+box+plane,0' "$work/balls/summary.csv"
run describe --plugin "$plugins/plug_balls.so" method balls
check "describe says so, too" out_has "shapes    mesh, sphere, box, plane"
sed 's/"above", "shape": "ball"/"above", "shape": "pill"/; s/"balls_scene"/"pills"/' "$work/balls.json" >"$work/pills.json"
run run --plugin "$plugins/plug_balls.so" --method balls --scene "$work/pills.json" --repeats 1 \
  --quiet --out "$work/pills"
check "what it does not take is skipped, with the reason" \
  grep -qF "needs an ideal sphere on an ideal sphere, box or plane, not meshes of them" "$work/pills/summary.csv"

# Running: each fault affects only its own rows.
options=(--case 'spikes|sliding_edge' --repeats 1 --memory-limit 200)
run run --method 'growth|vertex_only' "${options[@]}" --out "$work/alone"
check "a run without plug-ins is fine" is_status 0
echo "precious" >"$work/precious"
PLUG_FILE="$work/precious" run run --plugin "$faults" \
  --method 'growth|vertex_only|plug_([^h]|h[^a]).*' "${options[@]}" --jobs 4 --time-limit 10 --out "$work/beside"
check "a run with faults exits 3" is_status 3
compared "$work/alone/summary.csv" >"$work/rows_a"
compared "$work/beside/summary.csv" | grep -v ',plug_' >"$work/rows_b"
check "the rows of the others are the same bit for bit" cmp -s "$work/rows_a" "$work/rows_b"
check "and so are their contacts" cmp -s "$work/alone/contacts.csv" \
  <(grep -v ',plug_' "$work/beside/contacts.csv")
PLUG=changes run run --plugin "$loading" --method 'growth|vertex_only' "${options[@]}" \
  --out "$work/changed"
check "a plug-in that changes rounding, signals and locale as it is loaded" is_status 0
check "changes no row of the others" same_rows "$work/alone" "$work/changed"
outcome() { check "$1 is $2" test "$(cells_with "$work/beside" "plug_$1" "$2")" -ge 1; }
reason() { check "and says $2" grep -q ",plug_$1,.*$2" "$work/beside/summary.csv"; }
outcome fine ok
outcome print ok
outcome garbage ok
check "output of methods is discarded" test -z "$(grep noise "$work/out")"
outcome crash crashed
reason crash SIGABRT
outcome exit crashed
reason exit "the process ended with exit status 0 before the cell had"
outcome exit_at_once crashed
reason exit_at_once "exit status 7"
run run --plugin "$faults" --method plug_hang --case spikes --time-limit 0.2 --out "$work/hang"
check "a hang is timed_out" same_text "$(cells_with "$work/hang" plug_hang timed_out)" 1
outcome leak out_of_memory
outcome close_files crashed
reason close_files "the file for the results was closed"
outcome take_files crashed
check "and no other file is written to" same_text "$(cat "$work/precious")" precious
check "a million contacts end at a limit or in a row" \
  grep -qE ',plug_million,.*,(ok|out_of_memory|timed_out),' "$work/beside/summary.csv"
check "a NaN normal ends the motion, and is not a failure of ours" \
  grep -q ',plug_nan,.*,2,skipped,' "$work/beside/summary.csv"
for what in mesh triangle pair params; do
  outcome "write_$what" failed
  reason "write_$what" "the method wrote to its input"
done
outcome early_push failed
reason early_push "pushed outside generate()"

# Methods that pretend: around a real generator, what is remembered, random, found before the clock
# runs, or judged by a changed truth fails or counts; and the generator itself is as it is alone.
pretends=$plugins/plug_pretends.so
options=(--case 'sliding_(spike|wedge)|internal_edges' --repeats 3 --quiet)
run run --plugin "$pretends" --method pretend_nothing "${options[@]}" --out "$work/honest"
check "an honest generator is fine" is_status 0
run run --plugin "$pretends" --method 'pretend_.*' "${options[@]}" --jobs 2 --out "$work/pretend"
check "beside those that pretend the run exits 3" is_status 3
of_method() { compared "$1/$2.csv" | grep -E "^case|,pretend_$3,"; }
of_method "$work/honest" summary nothing >"$work/honest_rows"
of_method "$work/pretend" summary nothing >"$work/rows_beside"
check "and the row of the honest one is the same" cmp -s "$work/honest_rows" "$work/rows_beside"
check "as are its contacts" cmp -s <(grep ',pretend_nothing,' "$work/honest/contacts.csv") \
  <(grep ',pretend_nothing,' "$work/pretend/contacts.csv")
# caught METHOD REASON [STEP]: fails in each case, at this step (0), for this reason.
caught() {
  check "pretend_$1 fails in each case, at step ${3:-0}" same_text "$(column \
    "$work/pretend/summary.csv" step "method=pretend_$1" outcome=failed | tr '\n' ' ')" \
    "${3:-0} ${3:-0} ${3:-0} "
  check "and says: $2" same_text "$(grep -c ",pretend_$1,.*$2" "$work/pretend/summary.csv")" 3
}
caught stale "depends on what was asked before"
caught memo_near "depends on what was asked before"
caught previous "gives different contacts when called again"
caught random "gives different contacts when called again"
for what in truth early late body; do
  caught "write_$what" "wrote to memory that is not its own"
done
# as_built METHOD NAME: a column of its rows as built, one a line.
as_built() { column "$work/pretend/summary.csv" "$2" "method=pretend_$1" step=0; }
# The work is 0.3 ms a pair; without it an answer takes a hundredth of that.
for what in slow memo_same early; do
  check "$what is fine" same_text "$(cells_with "$work/pretend" "pretend_$what" ok)" 6
  check "with the honest contacts" same_text "$(as_built "$what" contacts_hash)" \
    "$(as_built nothing contacts_hash)"
  check "and its time is that of the work, wherever it is done" same_text \
    "$(as_built "$what" generate_ns_min | awk '$1 >= 300000' | wc -l)" 3
done
check "nearly sideways contacts just ahead are wrong in each case" same_text \
  "$(as_built ahead speculative_wrong | awk '$1 > 0' | wc -l)" 3
check "and change nothing else" same_text "$(as_built ahead quality_percent)" \
  "$(as_built nothing quality_percent)"
check "and having moved is no excuse for them" same_text "$(column \
  "$work/pretend/summary.csv" speculative_wrong method=pretend_ahead case=sliding_wedge step=3)" 2
# Once, and at steps that no time is taken at.
run run --plugin "$pretends" --method 'pretend_(nothing|stale|random|random_later|write_late)' \
  --case sliding_wedge --repeats 1 --steps 5 --quiet --out "$work/once"
check "asked once they are caught, too" is_status 3
check "and the honest one is right" same_text "$(cells_with "$work/once" pretend_nothing ok)" 5
for what in stale random random_later write_late; do
  check "$what is" same_text "$(cells_with "$work/once" "pretend_$what" failed)" 1
done
check "not before it begins" same_text "$(cells_with "$work/once" pretend_random_later ok)" 1

# The controls, built as a plug-in, have the same rows as the built-in controls.
plain() { cut -d, -f2- | sed -E 's/control_/plugged_/; s/\([0-9]+ MiB measured\)//'; }
same_controls() {
  compared "$1/summary.csv" | plain >"$work/rows_a"
  compared "$2/summary.csv" | plain >"$work/rows_b"
  [ "$(rows "$1")" -eq "$3" ] && cmp -s "$work/rows_a" "$work/rows_b" &&
    cmp -s <(plain <"$1/contacts.csv") <(plain <"$2/contacts.csv")
}
good='(ideal|flipped|tilted|nan|not_unit|dropped_region|tripled|phantom|too_deep)'
options=(--repeats 1 --jobs 4 --quiet)
run run --controls --method "control_$good" "${options[@]}" --out "$work/built_in"
run run --plugin "$plugins/plug_controls.so" --method "plugged_$good" "${options[@]}" \
  --out "$work/plugged"
check "the controls as a plug-in have the same rows in all cases" \
  same_controls "$work/built_in" "$work/plugged" 234
options+=(--case spikes --memory-limit 60)
bad() { # METHODS LIMIT ROWS
  run run --controls --method "control_$1" "${options[@]}" --time-limit "$2" --out "$work/bad_$2"
  run run --plugin "$plugins/plug_controls.so" --method "plugged_$1" "${options[@]}" \
    --time-limit "$2" --out "$work/plugged_bad_$2"
  check "and so have those that do not return: $1" \
    same_controls "$work/bad_$2" "$work/plugged_bad_$2" "$3"
}
bad '(crash|memory)' 60 2
bad hang 0.2 1

# A resumed run uses the same plug-ins.
cp "$loading" mine.so
# cut_run PLUGIN FOLDER: a run of two cells that lacks the second.
cut_run() {
  run run --plugin "$1" --method 'vertex_only|plug_one' --case spikes --repeats 1 --out "$2"
  local file last
  last=$(tail -n 1 "$2/summary.csv" | cut -d, -f1)
  for file in summary contacts samples; do
    grep -v "^$last," "$2/$file.csv" >"$work/kept"
    cp "$work/kept" "$2/$file.csv"
  done
}
cut_run mine.so "$work/cut"
check "a run with a plug-in is cut" same_text "$(rows "$work/cut")" 2
cp -r "$work/cut" "$work/cut_2"
cp -r "$work/cut" "$work/cut_3"
cp -r "$work/cut" "$work/cut_4"
run run --resume "$work/cut" --quiet
check "and can be resumed" is_status 0
check "to all rows" same_text "$(rows "$work/cut")" 4
PLUG=other_source run run --resume "$work/cut_2"
check "a method from another source is refused" is_refused "or methods from another source"
mv mine.so moved.so
refused "a plug-in that has moved" "give its new path with --plugin in addition to --resume" \
  run --resume "$work/cut_2"
run run --resume "$work/cut_2" --quiet --plugin moved.so
check "its new path can be given with --resume" is_status 0
check "to the same rows" same_rows "$work/cut" "$work/cut_2"
cp moved.so mine.so
echo >>mine.so
refused "a plug-in that has changed" "plug-in mine.so has changed since the run began" \
  run --resume "$work/cut_3"
check "and nothing is lost" same_text "$(rows "$work/cut_3")" 2
cut_run "$PWD/moved.so" "$work/cut_5"
check "no absolute path is recorded" test -z "$(grep -F "$PWD" "$work/cut_5/context.json")"
check "but the file name and the fingerprint are" \
  grep -q -A1 '"file": "moved.so"' "$work/cut_5/context.json"

# Results of plug-ins can be plotted and reported without the plug-ins.
run report "$work/cut" --out "$work/page.html"
check "a report has the command with --plugin" \
  grep -q 'touchstone run --case spikes --method plug_one --plugin mine.so' "$work/page.html"
if command -v gnuplot >"$work/out"; then
  run run --plugin "$faults" --method plug_fine --case spikes --repeats 1 --out "$work/fine"
  run plot "$work/fine" --out "$work/plots_a" --format svg
  check "the plots are drawn" is_status 0
  run plot "$work/beside" --case spikes --out "$work/plots_b" --format svg
  look() { grep -h "# \"$2\"" "$work/$1/look.gp"; }
  check "a method of a plug-in has a style" test -n "$(look plots_a plug_fine)"
  check "and the same one in any plot" \
    same_text "$(look plots_a plug_fine)" "$(look plots_b plug_fine)"
fi

# Export runs a method as run does, and survives a crash.
run export --case spikes --method plug_one --plugin moved.so --out "$work/shown" --format vtk
check "the contacts of a plug-in are exported" test -s "$work/shown/contacts.vtp"
check "and it says so" out_has "spikes by plug_one: "
# bad_export METHOD WORDS [OPTIONS...]: nothing is exported, and one message has the words.
bad_export() {
  local method=$1 words=$2
  shift 2
  run export --case spikes --method "$method" --plugin "$faults" --out "$work/not_shown" "$@"
  check "an export of $method exits 3" is_status 3
  check "with one message" is_one_message
  check "which says how it ended" err_has "$method on spikes $words"
  check "and leaves nothing behind" is_absent "$work/not_shown"
}
bad_export plug_crash "crashed: SIGABRT; nothing is exported"
bad_export plug_exit_at_once "crashed: the process ended with exit status "
bad_export plug_hang "timed out: more than 0.5 s" --time-limit 0.5
bad_export plug_memory_elsewhere "ran out of memory: used more than 150 MiB" --memory-limit 150
bad_export plug_close_files "crashed: the file for the results was closed"
bad_export plug_write_mesh "failed: the method wrote to its input"
run export --case spikes --method plug_fine --plugin "$faults" --out as_usual
for method in plug_change_process plug_print plug_leave_process; do
  run export --case spikes --method "$method" --plugin "$faults" --out "out_of_$method"
  check "$method is exported" is_status 0
  check "into the folder meant, to be read" \
    same_text "$(stat -c '%a %n' as_usual as_usual/*)" \
    "$(stat -c '%a %n' "out_of_$method" "out_of_$method"/* | sed "s/out_of_$method/as_usual/")"
  check "the text is ours alone" test "$(grep -c noise "$work/out")" -eq 0
  check "no process is left" test -z "$(pgrep -f -- "--out out_of_$method")"
done

# Engines: enabled by --engines.
refused "an engine without the switch" "ode_trimesh is a packaged engine; add --engines" \
  run --method ode_trimesh
refused "an engine to describe without the switch" "mujoco is a packaged engine; add --engines" describe method mujoco
refused "an engine that matches a pattern" "fcl_mesh is a packaged engine; add --engines" \
  run --method 'fcl_.*'
run list methods --engines
check "all engines are listed" \
  same_text "$(grep -cE '^(ode|bullet|fcl|libccd|mujoco)' "$work/out")" 10
# Without the folder of engines no engine is available.
mkdir -p "$work/bare/engines"
cp "$touchstone" "$work/bare/touchstone"
with_bare() { "$work/bare/touchstone" "$@" >"$work/out" 2>"$work/err"; status=$?; }
with_bare list methods --engines
check "engines that are not built name their package" grep -qE \
  '^libccd_mpr .*not available: not built: install libccd-dev' "$work/out"
with_bare run --engines --method 'vertex_only|mujoco.*' --case spikes --repeats 1 --out "$work/some"
check "a run uses the available engines" is_status 0
check "and names the others once" same_text "$(grep -c 'not available here: ode_trimesh, ' \
  "$work/err")" 1
with_bare run --engines --method mujoco --case spikes --out "$work/none"
check "a missing engine is refused" is_refused \
  "mujoco is not available here: not built: install libmujoco-dev"
cp "$loading" "$work/bare/engines/ode_trimesh.so"
with_bare list methods --engines
check "a shared object with another method is not an engine" grep -qE \
  '^ode_trimesh .*does not contain the single method ode_trimesh' "$work/out"
cp "$plugins/plug_unresolved.so" "$work/bare/engines/fcl_mesh.so"
with_bare describe method fcl_mesh --engines
check "an engine whose library cannot be loaded names its package" is_refused \
  "plug_missing_function; install libfcl-dev"
