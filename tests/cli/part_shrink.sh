# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Scenes made as small as they can be and still fail.
# covers: harness/shrink/shrink_command.c harness/shrink/draft_files.c
: "${touchstone:?}" "${work:?}" "${status:?}" # set by run_cli.sh

# became BODIES TRIANGLES DIGITS: what the last result has, at most.
became() {
  local words
  read -ra words < <(sed -n 's/.*became \([0-9]*\), \([0-9]*\), \([0-9]*\) in .*/\1 \2 \3/p' "$work/out")
  [ "${words[0]}" -le "$1" ] && [ "${words[1]}" -le "$2" ] && [ "${words[2]}" -le "$3" ]
}
shrunk() { # NAME CASE METHOD CONDITION BODIES TRIANGLES DIGITS
  run shrink --case "$2" --method "$3" --while "$4" --out "$work/$1"
  check "$2 by $3 shrinks while $4" is_status 0
  check "to no more than $5 bodies, $6 triangles, $7 digits" became "$5" "$6" "$7"
  check "nothing is on standard error" is_quiet
}
shrunk arch arch surface_sat 'blocked_wrongly_percent>20' 2 10 32
shrunk pillar pillar opposing 'quality_percent<70' 2 8 16
shrunk hole spike_in_hole opposing 'coverage_percent<100' 2 8 15
shrunk cliff cliff_edges closest_points 'quality_percent<50' 2 8 23
shrunk flipped pillar growth 'normals_flipped>0' 2 10 27

look=$(sed -n 's/^look at it: touchstone //p' "$work/out")
eval "run $look --out '$work/look.svg'"
check "the command that it says shows it" is_status 0
run run --scene "$work/cliff/scene.json" --method closest_points --steps 1 --repeats 1 --out "$work/run"
check "a run of the result still fails" python3 - "$work/run/summary.csv" <<'PY'
import csv, sys
sys.exit(not all(float(row["quality_percent"]) < 50 for row in csv.DictReader(open(sys.argv[1]))))
PY
run shrink --scene "$work/cliff/scene.json" --method closest_points --while 'quality_percent<50' --out "$work/again"
check "what is smallest stays as it is" cmp -s "$work/cliff/body_0.obj" "$work/again/body_0.obj"
run shrink --case pillar --method growth --while 'normals_flipped>0' --out "$work/second"
check "the same again gives the same" cmp -s "$work/flipped/body_0.obj" "$work/second/body_0.obj"
run shrink --case pillar --method growth --while 'normals_flipped>0' --while 'semi_local: quality_percent=100' \
  --out "$work/two"
check "a condition on another method may hold, too" is_status 0
run shrink --case pillar --method growth --while 'normals_flipped>0' --tries 7 --out "$work/cut"
check "when tries run out the smallest so far is written" is_status 0
check "and that is said" out_has "it may become smaller"
check "and fails" test -f "$work/cut/scene.json"
run shrink --case spikes --set scale=0.001 --method closest_points --while 'quality_percent<100' --out "$work/small"
check "a small scene keeps its scale" grep -q '"scale": 0.001,' "$work/small/scene.json"
run shrink --scene "$work/small/scene.json" --method closest_points --while 'quality_percent<100' --out "$work/smaller"
check "as does one of a file" is_status 0
run shrink --plugin "$(dirname "$touchstone")/tests/plugins/plug_faults.so" --case wall --set layers=2 \
  --method plug_crash --while outcome=crashed --out "$work/crash"
check "a crash is a fault, too" is_status 0

refused "a scene that does not fail" "does not fail" shrink --case pillar --method semi_local \
  --while 'quality_percent<50' --out "$work/x"
check "with the value that it has" err_has "quality_percent is 100"
refused "a method that needs convex pieces" "which was skipped: requires convex bodies" shrink --case saddle_on_saddle \
  --method hull_clip --while 'quality_percent<100' --out "$work/x"
refused "a scene whose truth cannot be derived" "is not possible" shrink --case tori --set triangles=1000 --method closest_points \
  --while 'quality_percent<101' --out "$work/x"
refused "deformable bodies" "deformable" shrink --case soft_block --method growth --while 'outcome=ok' --out "$work/x"
refused "an unknown column" "there is no column" shrink --case pillar --method growth --while 'quality<3' --out "$work/x"
refused "an unknown method" "there is no method" shrink --case pillar --method nothing --while 'outcome=ok' --out "$work/x"
refused "a condition on one" "there is no method" shrink --case pillar --method growth \
  --while 'nothing: outcome=ok' --out "$work/x"
refused "no condition" "--while" shrink --case pillar --method growth --out "$work/x"
refused "no method" "--method" shrink --case pillar --while 'outcome=ok' --out "$work/x"
refused "no scene" "--case NAME" shrink --method growth --while 'outcome=ok' --out "$work/x"
refused "a folder that is not empty" "choose another folder" shrink --case pillar --method growth \
  --while 'normals_flipped>0' --out "$work/cut"
check "nothing is left of them" is_absent "$work/x"
