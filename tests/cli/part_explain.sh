# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What is wrong with one row: the first line names the fault, whatever the row is from.
# covers: harness/commands/explain.c harness/commands/explain_cell.c harness/commands/explain_contacts.c
# covers: harness/explain/measure_row.c harness/plan/explain_command.c harness/score/score_print.c
: "${touchstone:?}" "${work:?}" "${here:?}" "${status:?}" # set by run_cli.sh
plugins=$(dirname "$touchstone")/tests/plugins

# first WHAT WORDS ARGUMENTS...: explains; the first line has the words. It exits as $ends says, 0
# unless that is set.
first() {
  local what=$1 words=$2
  shift 2
  run explain "$@" --force
  check "$what is explained" is_status "${ends:-0}"
  check "its first line names it" first_has "$words"
}
first_has() { head -n 1 "$work/out" | grep -qF -- "$1"; }

# A row that is measured here.
run explain spike_in_hole opposing
check "explain exits 0" is_status 0
check "and says nothing on standard error" is_quiet
check "the first line names case, method and fault" \
  first_has "opposing on spike_in_hole: 4 of 4 contacts have wrong normals; "
check "and the worst of it" first_has "; worst: incorrect: lower (0) and upper (1) at (0, 0, 0)"
check "regions are listed with the normals that are not met" \
  out_has "region 0, a point about (0, 0, 0): 0 of 4 normals; not met: (0.7071, 0.7071, 0), "
check "contacts with the right normal" out_has "off by 13.28 degrees; right is (-0.7071, 0.7071, 0)"
check "motions in words" out_has "upper (1) cannot slide along "
check "columns with their sentence" out_has "  coverage_percent 0 percent: Share of the needed"
check "the command that repeats it" \
  out_has "repeat it: touchstone run --case spike_in_hole --method opposing --steps 1"
check "and where the picture is" out_has "picture: explain_spike_in_hole_opposing_0.svg"
check "which is one" grep -q '^<svg' explain_spike_in_hole_opposing_0.svg
refused "a picture that is there" "already exists" explain spike_in_hole opposing
run explain spike_in_hole opposing --out "$work/picture.svg"
check "--out names the picture" test -s "$work/picture.svg"
refused "a picture that is no SVG" "--out p.PNG: the picture is drawn as SVG" \
  explain spike_in_hole opposing --out p.PNG
mkfifo "$work/unread"
run explain spike_in_hole opposing --out "$work/unread" --force
check "a pipe that nobody reads is not waited for" is_status 2
check "and it says what to do" err_has "start its reader first"
first "the ideal at a step" "nothing is wrong: " wall control_ideal --step 3
tells_no_motion() { ! out_has "blocked or freed wrongly"; }
check "which no motion contradicts" tells_no_motion
first "an unknown truth without contacts" "is unknown, and the method gives no contact" \
  rings opposing --step 3
first "a row that is right" "semi_local on pillar: nothing is wrong: " pillar semi_local
first "a step" "opposing on arch, step 3: 4 of 229 contacts are phantoms" arch opposing --step 3
lines=$(wc -l <"$work/out")
first "the same with --all" "opposing on arch, step 3: 4 of 229" arch opposing --step 3 --all
check "--all lists more" test "$(wc -l <"$work/out")" -gt $((lines + 50))
"$touchstone" explain arch opposing --force 2>"$work/err" | head -n 1 >"$work/out"
check "a reader that goes is no error" is_quiet
(sleep 0.3 && exec "$touchstone" explain arch opposing --out "$work/no/x.svg") 2>"$work/err" | true
status=${PIPESTATUS[0]}
check "but hides none" is_status 2
check "which is said" err_has "cannot write $work/no/x.svg"

# Every control is wrong in one known way, which the first line names.
names() { # CONTROL WORDS [OPTIONS...]
  first "control_$1" "$2" pillar "control_$1" "${@:3}"
}
names ideal "nothing is wrong: 40 contacts, every region is covered"
names flipped "40 of 40 contacts point from b to a"
names tilted "40 of 40 contacts have wrong normals"
names nan "40 of 40 contacts have no valid normal"
names not_unit "40 of 40 contacts have no valid normal"
names dropped_region "1 of 7 regions has no contact; 4 of the 40 contacts that are needed are missing"
names tripled "nothing is wrong: 120 contacts, every region is covered; but 40 contacts would be enough"
names phantom "1 of 41 contacts is a phantom"
names too_deep "40 of 40 contacts have wrong gaps"
names too_shallow "40 of 40 contacts are ahead of a touch, but not as the surfaces are"
names endless "40 of 40 contacts have wrong gaps; worst: gap_wrong: "
names ahead "1 of 41 contacts is ahead of a touch, but not as the surfaces are"
names alternate "4 of the 20 contacts that are needed are missing" --step 3
names shaking "43 of 43 contacts have wrong gaps" --step 3
names shuffled "have other feature ids than in the step before" --step 3
ends=3 names crash "crashed: SIG"
check "there is no picture of what did not answer" is_absent explain_pillar_control_crash_0.svg
check "which is said" out_has "picture: none, since there are no contacts to draw"
check "it says what that means" out_has "there are no contacts to look at"
ends=3 names hang "timed out: more than 0.5 s" --time-limit 0.5
check "a limit that is not the usual one is repeated" out_has " --steps 1 --time-limit 0.5"

# Plug-ins of others, which may take the process down.
foreign() { # METHOD WORDS [OPTIONS...]
  first "$1" "$2" spikes "$1" --plugin "$plugins/plug_faults.so" "${@:3}"
}
ends=3 foreign plug_exit "crashed: "
foreign plug_nan "no valid normal"
ends=3 foreign plug_write_mesh "failed: "
ends=3 foreign plug_latin_1 "failed: "
foreign plug_leave_process "process behind" --out "$work/left.svg"
check "which is gone" test -z "$(pgrep -f -- "--out $work/left.svg")"
foreign plug_change_process "the method left "
picture=explain_spikes_plug_change_process_0.svg
check "its picture is here, whatever folder the method went to" test -s "$picture"
check "and can be read, whatever its umask" \
  same_text "$(stat -c %a "$picture")" "$(stat -c %a explain_spike_in_hole_opposing_0.svg)"
ends=3 foreign plug_memory_elsewhere "ran out of memory: used more than 150 MiB" --memory-limit 150
run run --case spikes --plugin "$plugins/plug_faults.so" --method plug_fine --repeats 1 --quiet \
  --out "$work/fine"
sed -i 's/plug_fine/plug_crash/' "$work/fine/summary.csv"
ends=3 first "a row that was edited, whose method crashes when asked again" \
  "plug_crash on spikes: the row is not as it was written" spikes plug_crash "$work/fine" \
  --plugin "$plugins/plug_faults.so"
check "which is said, too" out_has "plug_crash on spikes: asked again, it crashed: SIG"
check "and names the row" out_has "spikes: "
refused "a method that is not there" 'there is no method "plug_fine"' explain spikes plug_fine

# A row of results.
run run --case 'arch|spikes' --method opposing --sweep motion_seed=0,3 --repeats 1 --out "$work/r"
check "a run names the command for its worst row" grep -qE '^why: touchstone explain ' "$work/out"
why=$(sed -n 's/^why: touchstone \(explain .*\) (the worst of .*/\1/p' "$work/out")
# shellcheck disable=SC2086 # words of a command
run $why
check "which works" is_status 0
check "the picture is with the results" test -s "$work"/r/explain/*.svg
check "the command of the run is repeated" out_has "repeat it: touchstone run --case "
(cd "$work" && "$touchstone" run --case arch --method opposing --steps 1 --repeats 1 --out -dash >"$work/out")
eval "cd \"$work\" && run $(sed -n 's/^why: touchstone //p' "$work/out"); cd - >/dev/null"
check "results that begin with a dash are explained by the command that is printed" is_status 0
refused "a row that is not the only one" "--set arch.motion_seed=3 $work/r" explain arch opposing "$work/r"
first "the one of a parameter" "opposing on arch: " arch opposing --set motion_seed=3 "$work/r"
cell=$(column "$work/r/summary.csv" cell case=arch | tail -n 1)
first "the one of a cell" "opposing on arch: " arch opposing --cell "${cell:0:8}" "$work/r"
refused "a step without a row" "there is 0, 3" explain spikes opposing --set motion_seed=3 --step 7 "$work/r"
refused "a case without a row" 'did you mean "arch"' explain arc opposing "$work/r"
echo 'quality_percent may not be below 100' >"$work/limits.rules"
run gate "$work/r" --rules "$work/limits.rules" --junit "$work/gate.xml"
check "each broken rule of the gate leads there" \
  out_has "  why: touchstone explain arch opposing --set arch.motion_seed=0 $work/r"
check "and in JUnit" grep -qF "why: touchstone explain arch opposing --set" "$work/gate.xml"
run report "$work/r" --format markdown
check "and each flag of a report" out_has '- `touchstone explain '
cp -r "$work/r" "$work/edited"
sed -i 's/motion_seed=3/motion_seed=4/' "$work/edited/summary.csv"
first "a row that was edited" "opposing on arch: the row is not as it was written: its cell is $cell" \
  arch opposing --cell "$cell" "$work/edited"
cp -r "$work/r" "$work/other"
sed -i -E '2,$s/,[0-9a-f]{16},/,0123456789abcdef,/' "$work/other/summary.csv"
first "a row that cannot be made again" "made again, the contacts are not those of the row" \
  arch opposing --cell "$cell" "$work/other"
run run --case spikes --controls --method 'control_crash|control_phantom' --repeats 1 --out "$work/bad"
ends=3 first "a row that crashed" "control_crash on spikes: crashed: SIG" spikes control_crash "$work/bad"
check "with its command" out_has "repeat it: touchstone run --case spikes --method control_crash"
run explain spikes control_crash --force
smaller=$(sed -n 's/^make it smaller.*: touchstone \(.*\) --out smaller$/\1/p' "$work/out")
eval "run $smaller --out '$work/smaller'"
check "a crash is made smaller by the command that is offered" is_status 0
run explain saddle_on_saddle hull_clip --force
check "convex pieces are not" test -z "$(grep '^make it smaller' "$work/out")"
run export --case spikes --format scene --out "$work/moved_scene"
run run --scene "$work/moved_scene/scene.json" --method opposing --steps 1 --repeats 1 --quiet --out "$work/of_scene"
mv "$work/moved_scene" "$work/scene elsewhere"
run explain --scene "$work/scene elsewhere/scene.json" opposing "$work/of_scene"
check "a scene that has moved is explained" is_status 0
again=$(sed -n 's/^repeat it: touchstone \(.*\)$/\1/p' "$work/out")
eval "run $again --repeats 1 --quiet --out '$work/of_scene_again'"
check "and run where it is now" is_status 0
check "with the same contacts" same_text "$(column "$work/of_scene_again/summary.csv" contacts_hash case=spikes)" \
  "$(column "$work/of_scene/summary.csv" contacts_hash case=spikes)"
run run --case spikes --controls --method 'control_ideal' --repeats 1 --quiet --out "$work/good"
sed 's/control_ideal/control_phantom/' "$work/good/summary.csv" >"$work/as_before.csv"
awk -F, -v OFS=, 'NR == FNR { if ($4 == "control_phantom") { cell[$8] = $1; id[$8] = 1 }; next }
  FNR > 1 && id[$8] { $1 = cell[$8] } { print }' "$work/bad/summary.csv" "$work/as_before.csv" \
  >"$work/before.csv"
run compare "$work/before.csv" "$work/bad"
check "what compare finds worse leads there" \
  out_has "  why: touchstone explain spikes control_phantom $work/bad"

# Contacts of a file, one fault each, on two cubes.
cat >"$work/cube.obj" <<'OBJ'
v -0.5 -0.5 -0.5
v 0.5 -0.5 -0.5
v 0.5 0.5 -0.5
v -0.5 0.5 -0.5
v -0.5 -0.5 0.5
v 0.5 -0.5 0.5
v 0.5 0.5 0.5
v -0.5 0.5 0.5
f 1 4 3
f 1 3 2
f 5 6 7
f 5 7 8
f 1 2 6
f 1 6 5
f 2 3 7
f 2 7 6
f 3 4 8
f 3 8 7
f 4 1 5
f 4 5 8
OBJ
scene() { # NAME HEIGHT TRUTH
  cat >"$work/$1.json" <<JSON
{"schema": "touchstone scene", "version": 1, "name": "$1", "summary": "Two cubes.", "truth": "$3",
 "shapes": [{"name": "cube", "mesh": "cube.obj"}],
 "bodies": [{"name": "low", "shape": "cube", "is_fixed": true},
            {"name": "high", "shape": "cube", "pose": {"translation_m": [0, $2, 0]}}]}
JSON
}
scene touching 1 derived
scene apart 1.0005 derived
scene untold 1 untold
scene twisted 1 derived
sed -i 's/cube.obj/none.obj/' "$work/twisted.json"
header=body_a,body_b,point_x_m,point_y_m,point_z_m,normal_x,normal_y,normal_z,gap_m
corners="low,high,-0.5,0.5,0.5,0,1,0,0
low,high,0.5,0.5,-0.5,0,1,0,0
low,high,0.5,0.5,0.5,0,1,0,0"
told() { # WHAT SCENE WORDS ROW...: the three corners and the rows, or with apart the rows alone
  local rows="$corners"
  [ "$2" != apart ] || rows=
  printf '%s\n' "$header" "$rows" "${@:4}" | grep . >"$work/contacts.csv"
  first "$1" "contacts on $2: $3" --scene "$work/$2.json" --contacts "$work/contacts.csv"
}
told "a right set" touching "nothing is wrong: 4 contacts" low,high,-0.5,0.5,-0.5,0,1,0,0
told "a depth" touching "1 of 4 contacts has a wrong gap; worst: gap_wrong: low (0) and high (1)" \
  low,high,-0.5,0.5,-0.5,0,1,0,-0.35
told "a depth without end" touching "1 of 4 contacts has a wrong gap" low,high,-0.5,0.5,-0.5,0,1,0,-inf
told "a flipped normal" touching "1 of 4 contacts points from b to a" low,high,-0.5,0.5,-0.5,0,-1,0,0
told "a normal that is off" touching "1 of 4 contacts has a wrong normal" low,high,-0.5,0.5,-0.5,0,0.8,0.6,0
told "a normal that is no number" touching "1 of the 4 contacts that are needed is missing; 1 of 4 contacts has no valid normal" \
  low,high,-0.5,0.5,-0.5,nan,nan,nan,0
told "a point beside the touch" touching "1 of the 4 contacts that are needed is missing; 1 of 4 contacts is a phantom" \
  low,high,-0.7,0.5,-0.5,0,1,0,0
told "a corner too few" touching "1 of the 4 contacts that are needed is missing"
told "the other normal ahead of a touch" apart "1 of 1 contact is ahead of a touch, but not as the surfaces are" \
  low,high,0,0.50025,0,0,-1,0,0.0005
told "an unknown truth" untold "the truth of this scene is unknown" low,high,-0.5,0.5,-0.5,0,1,0,-0.25
check "it tells the smallest gap" first_has "the smallest gap that they report is -0.25 m"
refused "a scene that cannot be read" "none.obj" explain --scene "$work/twisted.json" --contacts "$work/contacts.csv"

# The command that score names, and results of score.
printf '%s\n' "$header" "$corners" low,high,-0.5,0.5,-0.5,0,1,0,-0.35 >"$work/mine.csv"
run score "$work/touching.json" "$work/mine.csv" --envelope none --results "$work/scored"
why=$(sed -n 's/^why: touchstone //p' "$work/out")
check "score names the command with its options" \
  same_text "$why" "explain --scene $work/touching.json --contacts $work/mine.csv --envelope=none"
# shellcheck disable=SC2086 # words of a command
run $why --out "$work/scored.svg"
check "which works" first_has "mine on touching: 1 of 4 contacts has a wrong gap"
check "and names the score to repeat" \
  out_has "repeat it: touchstone score $work/touching.json $work/mine.csv --envelope=none"
cd "$work" || exit 1
first "a row of score" "mine on touching: 1 of 4 contacts has a wrong gap" touching mine "$work/scored"
sed -i 's/-0.35/-0.36/' "$work/mine.csv"
first "a file that has changed since" "made again, the contacts are not those of the row" \
  touching mine "$work/scored"

# The files of a run with several cases, beside each other.
run run --case 'wedges|arch' --method 'growth|opposing' --steps 3 --contacts all --repeats 1 \
  --quiet --out "$work/two runs"
wedges=$(column "$work/two runs/summary.csv" cell case=wedges | head -n 1)
first "a cell by its beginning, at its poses" " on wedges, step 3: " wedges \
  --contacts "$work/two runs/contacts.csv" --cell "${wedges:0:7}" --step 3 \
  --poses "$work/two runs/poses.csv" --first any
refused "a cell that is not there" "its rows are of: case wedges " explain wedges growth \
  --contacts "$work/two runs/contacts.csv" --cell nosuch
refused "a method without a column" "name no method" explain wedges growth --contacts "$work/mine.csv"

# The scenes whose contacts were once misjudged.
for name in edge_on_edge l_on_table; do
  cases=$here/../cases/scenes/$name
  run explain --scene "$cases/scene.json" --contacts "$cases/contacts.csv" --force
  check "$name is explained" is_status 0
  check "with its worst contact" first_has "; worst: "
done
for name in frame_on_slab level seven_digits float_box turned_overlap; do
  first "the ideal on $name" "control_ideal on " control_ideal \
    --scene "$here/../cases/scenes/$name/scene.json"
  check "which is right" first_has ": nothing is wrong: "
done

# What is refused.
refused "no operand" "explain takes a case, a method" explain
refused "a case alone" "explain takes a case, a method" explain wall
refused "too many operands" "explain takes a case, a method" explain wall opposing r more
refused "step 1" "there is no step 1" explain wall opposing --step 1
refused "an option of files" "add --contacts FILE" explain wall opposing --envelope none
refused "an option of methods" "--engines is for methods" explain wall --contacts "$work/mine.csv" --engines
refused "a cell without results" "name the results, too" explain wall opposing --cell 12
refused "results that are not there" "cannot read" explain wall opposing "$work/nowhere"
