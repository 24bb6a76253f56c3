# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Scenes as files: what is exported gives the rows of the case itself, and stays distinct from
# other files.
# covers: cases/scene_file/*.c
: "${touchstone:?}" "${work:?}" "${here:?}" # set by run_cli.sh

# exported WHAT CASES METHODS SET...: the cases as files give the rows of the cases, in step 0 and 3.
exported() {
  local what=$1 cases=$2 methods=$3 name scenes=() sets=()
  shift 3
  # A file says where its bodies touch, and not which of their features do.
  for name in "$@"; do sets+=(--set "$name"); done
  rm -rf "$work/scenes" "$work/of_case" "$work/of_scene"
  for name in ${cases//|/ }; do
    "$touchstone" export --case "$name" --format scene --out "$work/scenes/$name" "${sets[@]}" \
      >"$work/out" 2>"$work/err" || return 1
    scenes+=(--scene "$work/scenes/$name/scene.json")
  done
  run run --case "$cases" --method "$methods" "${sets[@]}" --set truth=carried --repeats 1 --quiet \
    --out "$work/of_case"
  run run "${scenes[@]}" --method "$methods" --set truth=carried --repeats 1 --quiet \
    --out "$work/of_scene"
  check "$what: they run" is_status 0
  check "$what: they give the rows of the cases" same_rows "$work/of_case" "$work/of_scene"
}

thirteen='pillar|wall|arch|spike_in_crack|spike_in_hole|wedge_in_crack|sliding_spike'
thirteen="$thirteen|sliding_wedge|spikes|spike_and_wedge|wedges|cliff_edges|internal_edges"
fast='vertex_only|consistent_vertex'
exported "all as they are" "$thirteen" "$fast"
check "there is a row for each case, method and state" \
  same_text "$(($(wc -l <"$work/of_scene/summary.csv") - 1))" $((13 * 2 * 2))
check "under the names of the cases" grep -q ',arch,scale=1;motion_seed=0' "$work/of_scene/summary.csv"
run compare "$work/of_case" "$work/of_scene"
check "compare pairs them" is_status 0
exported "small, turned and far away" "$thirteen" "$fast" scale=0.001 motion_seed=3 offset_m=0.01
exported "with noise and refined" 'arch|wedge_in_crack|spikes' 'vertex_only' perturb_m=0.02 refinement=1
exported "with published tets" 'arch|spike_in_hole|wedges' 'opposing|vertex_only' tets=published
exported "on tets" 'arch|sliding_spike' 'opposing|intersection' motion_seed=5
exported "with a force" 'dragged_rod' 'vertex_only' motion_seed=3
check "the force is in the file" grep -q '^    {"body": "rod", "point_local_m": \[1, -0.025, 0\],$' \
  "$work/scenes/dragged_rod/scene.json"
run describe --scene "$work/scenes/dragged_rod/scene.json"
check "and described" grep -qE '^  rod +\(1 -0\.025 0\) ' "$work/out"
run describe case arch
check "which it is not where there is none" test "$(grep -c '^Forces' "$work/out")" -eq 0

# What export says, and that it says it of itself alone.
rm -rf arch
run export --case arch --format scene --out arch
check "export names scene.json" out_has "scene.json  "
check "and of the meshes" out_has "ring_stone.obj  "
check "and how to run it" out_has "to run it: touchstone run --scene arch/scene.json"
run export --scene arch/scene.json --format scene --out again
check "a scene can be exported again" is_status 0
check "and is the same" diff arch/scene.json again/scene.json
check "its meshes too" diff arch/ring_stone.obj again/ring_stone.obj
run export --scene arch/scene.json --method vertex_only --step 3 --out look --format svg
check "there is a picture of it" test -s look/picture.svg
run export --case arch --format scene --method opposing --step 3 --out moved
check "a step of a case is a scene, too" is_status 0
check "of its own name" grep -q '"name": "arch_step3"' moved/scene.json
check "with the truth there" grep -q '"truth": "moved"' moved/scene.json
run run --scene moved/scene.json --method opposing --steps 1 --repeats 1 --out moved_run
check "which is run" is_status 0
run run --case arch --method opposing --repeats 1 --out moved_from
check "with the contacts of that step" same_text \
  "$(column moved_run/summary.csv contacts_hash)" \
  "$(column moved_from/summary.csv contacts_hash step=3)"
run describe --scene arch/scene.json
check "describe accepts a scene" out_has "minimum 56 contacts"
run describe case arch --scene arch/scene.json
check "and by its name" out_has "suite   scene"

# Parameters over a file.
run run --scene arch/scene.json --method vertex_only --set scale=2 --set motion_seed=4 --steps 1 \
  --repeats 1 --quiet --out over
check "parameters go over a file" is_status 0
check "the row has them after the file's own" \
  grep -q 'thickness_m=0.5;then_scale=2;then_motion_seed=4,' over/summary.csv
run report over --format html
check "the way to repeat a row names the file and them" \
  grep -qF "touchstone run --scene arch/scene.json --method vertex_only --set arch.scale=2" \
  over/report.html

# By hand: the page's own example, then the same without the truth.
page=$here/../../docs/scenes.md
mkdir by_hand
awk '/^```/ { inside = $0 == "```json"; next } inside' "$page" >by_hand/scene.json
awk '/^```/ { inside = $0 == "```obj"; next } inside' "$page" >by_hand/cube.obj
run describe --scene by_hand/scene.json
check "the page's example is a scene" is_status 0
check "with its truth" out_has "1 region, minimum 4 contacts, 0.75 m2"
run run --scene by_hand/scene.json --method closest_points --steps 1 --repeats 1 --quiet --out known
check "that a method can meet" grep -qE ',two_cubes,.*,ok,' known/summary.csv
awk '/^## Reference/,/^## Parameters/' "$page" >"$work/documented_keys"
for key in $(grep -ohE '"[a-z0-9_]+": ' "$work"/scenes/*/scene.json arch/scene.json | tr -d '": ' |
  sort -u); do
  grep -qw "$key" "$work/documented_keys" || echo "$key"
done >"$work/missing_keys"
check "the page documents every key that export writes" test ! -s "$work/missing_keys"

# The page's example of hulls in millimetres: exact for all of what it is for.
hulls=$here/../../examples/hulls/scene.json
run run --scene "$hulls" --repeats 1 --quiet --out hulls
check "hulls of points run with all methods" is_status 0
check "the methods agree with their truth" same_text \
  "$(column hulls/summary.csv coverage_percent | sort -u)" 100
run export --scene "$hulls" --format scene --out hulls_again
check "they are exported as meshes" test -s hulls_again/nut.obj
run run --scene hulls_again/scene.json --repeats 1 --quiet --out hulls_again/runs
check "which give the same rows" same_rows hulls hulls_again/runs

cp by_hand/cube.obj cube.obj
cat >cubes.json <<'JSON'
{"schema": "touchstone scene", "version": 1, "name": "two_cubes",
 "shapes": [{"name": "cube", "mesh": "cube.obj"}],
 "bodies": [{"name": "low", "shape": "cube", "is_fixed": true},
            {"name": "high", "shape": "cube", "pose": {"translation_m": [0.25, 1, 0]}}]}
JSON
run run --scene cubes.json --method vertex_only --steps 1 --repeats 1 --quiet --out hand
check "a scene by hand runs" is_status 0
check "under its name" grep -q ',two_cubes,scale=1;motion_seed=0' hand/summary.csv
check "and what needs the truth is nan" grep -q ',nan,' hand/summary.csv
run describe --scene cubes.json
check "describe says that the truth is unknown" out_has "Truth: unknown"

# The same, its motions by the oracle.
mkdir asked
cp cube.obj asked
sed 's/^ "bodies"/ "truth": "oracle",&/' cubes.json >asked/scene.json
run describe --scene asked/scene.json
check "describe reports the answers of the oracle" out_has "Truth: motions only, by the oracle"
check "of the pair that touches" out_has "Totals: 1 pair"
run run --scene asked/scene.json --method semi_local --repeats 1 --quiet \
  --out asked/runs
check "it runs" is_status 0
check "as built the motions are scored, and of bodies that have moved not" \
  same_text "$(column asked/runs/summary.csv freed_wrongly_percent | tr '\n' ' ')" "0 nan "
check "what needs regions is not" \
  same_text "$(column asked/runs/summary.csv coverage_percent | tr '\n' ' ')" "nan nan "
run export --scene asked/scene.json --format scene --out asked/again
check "the word is exported" grep -q '"truth": "oracle"' asked/again/scene.json
run run --scene asked/again/scene.json --method semi_local --repeats 1 \
  --quiet --out asked/runs_again
check "and gives the same rows" same_rows asked/runs asked/runs_again
head -n 1 asked/runs/contacts.csv >asked/none.csv
run score asked/scene.json asked/none.csv
check "score reports the freed motions" out_has "and free 100 % of the blocked ones"
sed 's/0.25, 1, 0/0.25, 0.5, 0/' asked/scene.json >asked/overlap.json
refused "the oracle of bodies that overlap" "overlap by at least" \
  describe --scene asked/overlap.json
TOUCHSTONE_TETGEN=/nowhere/touchstone-tetgen refused "the oracle without tets" \
  'the file may give its "tets"' describe --scene asked/scene.json

# Two files are never taken for one.
mkdir other
sed 's/0.25/0.5/' cubes.json >other/cubes.json
cp cube.obj other
refused "two scenes of one name in a run" "are both named two_cubes" run --scene cubes.json \
  --scene other/cubes.json --method vertex_only --out none
run run --scene cubes.json --method 'vertex_only|consistent_vertex' --steps 1 --repeats 1 --quiet \
  --out cut
for file in summary contacts samples; do
  sed -i '/consistent_vertex/d' cut/$file.csv
done
cp cube.obj cube.kept && echo '# changed' >>cube.obj
refused "resuming with a mesh that has changed" "has changed since the run began" run --resume cut
cp cube.kept cube.obj
run run --resume cut --quiet
check "and resumes once it is restored" is_status 0

# Files that are wrong.
refused "no file" "cannot read none.json: No such file" run --scene none.json --out none
refused "a folder" "is a folder; give a file" run --scene other --out none
mkfifo pipe.json
refused "a pipe" "is not a regular file" describe --scene pipe.json
sed 's/"cube.obj"/"..\/cube.obj"/' cubes.json >other/out.json
refused "a mesh outside of the folder" "leads out of the folder" describe --scene other/out.json
ln -s ../cube.obj other/link.obj
sed 's/cube.obj/link.obj/' cubes.json >other/out.json
refused "a link that leads there" "is a link that leads out" describe --scene other/out.json
sed 's/"shape": "cube", "pose"/"shape": "ball", "pose"/' cubes.json >bad.json
refused "a missing shape" "bad.json: bodies[1].shape: there is no shape called" run \
  --scene bad.json --out none
head -c 150 cubes.json >cut.json
refused "a file that was cut off" "cut.json, line 3" run --scene cut.json --out none
