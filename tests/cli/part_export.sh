# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Geometry to look at: VTK as VTK itself reads it, glTF, pictures, and what is refused.
# covers: harness/commands/export.c harness/export/export_scene.c reports/export/vtk.c
: "${touchstone:?}" "${work:?}" "${here:?}" "${status:?}" # set by run_cli.sh

vtk_python=
for candidate in python3 /usr/bin/python3; do
  [ -n "$vtk_python" ] || ! "$candidate" -c 'import vtkmodules.vtkIOXML' 2>/dev/null ||
    vtk_python=$candidate
done
check "VTK for Python is there (python3-vtk9)" test -n "$vtk_python"

# vtk FILE: reads it; what is in it goes to $work/vtk.
vtk() { "$vtk_python" "$here/read_vtk.py" "$1" >"$work/vtk" 2>"$work/err"; }
vtk_has() { grep -qxF -- "$1" "$work/vtk"; }
# sum_of COLUMN: what awk makes of a column of the contacts, as read_vtk.py writes it.
sum_of() {
  "$vtk_python" - "$work/of_run/contacts.csv" "$1" <<'PY'
import csv, math, sys
rows = [float(r[sys.argv[2]]) for r in csv.DictReader(open(sys.argv[1])) if r["step"] == "3"]
print(repr(round(sum(v for v in rows if not math.isnan(v)), 6)))
PY
}

run export --case arch --method opposing --step 3 --out "$work/arch"
check "export exits 0" is_status 0
check "and says nothing on standard error" is_quiet
check "it reports the contacts found" \
  grep -qE '^arch by opposing, step 3: 14 bodies, 14 regions, [0-9]+ contacts \(' "$work/out"
check "and where it is" out_has "export: $work/arch"
for file in bodies.vtp envelope.vtp tets.vtu truth.vtp truth_normals.vtp contacts.vtp; do
  check "VTK reads $file" vtk "$work/arch/$file"
done
"$touchstone" run --case arch --method opposing --repeats 1 --quiet --out "$work/of_run" >"$work/out"
contacts=$(grep -c ',arch,opposing,3,' "$work/of_run/contacts.csv")
vtk "$work/arch/contacts.vtp"
check "it has the contacts of the run" vtk_has "points $contacts"
check "each of them to be seen" vtk_has "verts $contacts"
check "glyphs point along the normal" vtk_has "point vectors normal"
check "normals are vectors" grep -qE "^point normal 3 $contacts " "$work/vtk"
for column in gap_m normal_error_deg position_error_m; do
  check "and $column as the run has it" vtk_has "point $column 1 $contacts $(sum_of $column)"
done
for column in correct phantom body_a body_b; do
  check "and $column, a whole number" vtk_has "point $column 1 $contacts $(sum_of $column)"
done
check "integers that are not measured are -1" \
  vtk_has "point feature_a_index 1 $contacts -$contacts.0"
vtk "$work/arch/truth.vtp"
check "regions that are polygons are polygons" vtk_has "polys 14"
vtk "$work/arch/bodies.vtp"
check "every face has its body" grep -qE '^cell body 1 [0-9]+ ' "$work/vtk"
run describe case arch
volume=$(awk '$1 ~ /^[0-9]+$/ && ($NF == "yes" || $NF == "no") { mass += $5 }
  END { printf "volume %.2f", mass / 2000 }' "$work/out")
check "the surfaces close around the bodies' volume" vtk_has "$volume"
vtk "$work/arch/tets.vtu"
check "and the tetrahedra fill it" vtk_has "$volume"
check "a picture is XML" "$vtk_python" -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' \
  "$work/arch/picture.svg"
run export --case arch --method opposing --step 3 --out "$work/again"
check "a second export has the same bytes" diff -r "$work/arch" "$work/again"

# moment CASE METHOD STEP [name=value ...]: exports a step, and scores it by the command told there.
# What differs from the row of a run goes to $work/differs; docs/export.md says which columns may.
moment() {
  local case_name=$1 method=$2 step=$3 set=()
  shift 3
  for assignment; do set+=(--set "$assignment"); done
  rm -rf "$work/moment" "$work/of_moment"
  "$touchstone" run --case "$case_name" --method "$method" --steps "$step" --repeats 1 --quiet \
    "${set[@]}" --out "$work/of_moment" >"$work/out"
  run export --case "$case_name" --method "$method" --step "$step" "${set[@]}" --format scene \
    --out "$work/moment"
  score_moment "$step"
}
# score_moment STEP: scores $work/moment, against the row in $work/of_moment.
score_moment() {
  local words
  read -ra words < <(sed -n 's/^to score the contacts: touchstone //p' "$work/out")
  "$touchstone" "${words[@]}" --format csv >"$work/scored.csv" 2>"$work/err"
  python3 - "$work/of_moment/summary.csv" "$work/scored.csv" "$1" >"$work/differs" <<'PY'
import csv, sys
not_of_a_moment = set("""cell case case_parameters method_parameters simulation_parameters
  pairs_candidate contacts_delivered score_ns memory_bytes_max poses_listed""".split())
row = next(r for r in csv.DictReader(open(sys.argv[1])) if r["step"] == sys.argv[3])
scored = next(csv.DictReader(open(sys.argv[2])))
for column, value in row.items():
    needs_a_run = scored[column] == "nan" and column not in (
        "quality_percent", "coverage_percent", "phantom", "regions_missed", "pairs_unknown")
    if scored[column] != value and column not in not_of_a_moment and not needs_a_run:
        print(column, "is", value, "in the run,", scored[column], "by score")
PY
}
for moment in "arch opposing 0" "arch opposing 3" "pillar closest_points_tets 20" \
  "spike_in_hole growth 6" "wedges semi_local 8" "box_in_corner opposing 8" "heap semi_local 2" \
  "passing opposing 2" "arch growth 3 scale=0.001 motion_seed=7" "arch growth 3 scale=1000" \
  "spike_in_hole growth 4 rule=published" "arch growth 4 scoring.truth=carried" \
  "cylinder_in_groove growth 4 reference=feasible normal_tolerance=0.01" \
  "pillar opposing 4 perturb_m=0.02"; do
  # shellcheck disable=SC2086 # words
  moment $moment
  check "score repeats the row of $moment" diff "$work/differs" /dev/null
  check "and has scored it" test "$(wc -l <"$work/scored.csv")" -eq 2
done
moment arch growth 6 perturb_m=0.02
check "pairs whose truth is lost travel, too" diff "$work/differs" /dev/null
check "with the reason" grep -qF '"reason": "' "$work/moment/scene.json"
run describe --scene "$work/moment/scene.json"
check "describe names them" grep -qE '^Unknown: [0-9]+-[0-9]+ \(' "$work/out"
mv "$work/moment" "$work/first_moment"
rm -r "$work/of_moment"
"$touchstone" run --scene "$work/first_moment/scene.json" --method growth --repeats 1 --quiet \
  --out "$work/of_moment" >"$work/out"
run export --scene "$work/first_moment/scene.json" --method growth --format scene \
  --out "$work/moment"
score_moment 0
check "a moment of a moment is the same" diff "$work/differs" /dev/null
check "with the same truth" diff <(sed -n '/"regions"/,$p' "$work/moment/scene.json") \
  <(sed -n '/"regions"/,$p' "$work/first_moment/scene.json")
run export --scene "$work/first_moment/scene.json" --format scene --out "$work/moment" --force
check "contacts of an earlier export do not stay beside another scene" \
  is_absent "$work/moment/contacts.csv"

# Contacts of a plug-in, which score does not know, on the triangles of a ball and on an exact box.
cat >"$work/ball.json" <<'JSON'
{"schema": "touchstone scene", "version": 1, "name": "ball", "truth": "untold",
 "shapes": [{"name": "ball", "sphere": {"radius": 0.5, "mesh_error": 0.01}},
            {"name": "block", "box": {"size": [2, 1, 2]}}],
 "bodies": [{"name": "1", "shape": "block", "is_fixed": true},
            {"name": "0", "shape": "ball", "pose": {"translation_m": [0.1, 1.0005, 0.2]}}]}
JSON
for method in version_3 balls; do
  plugin=$(dirname "$touchstone")/tests/plugins/plug_$method.so
  rm -rf "$work/moment" "$work/of_moment"
  "$touchstone" run --scene "$work/ball.json" --plugin "$plugin" --method "$method" --repeats 1 \
    --quiet --out "$work/of_moment" >"$work/out"
  run export --scene "$work/ball.json" --plugin "$plugin" --method "$method" --format scene \
    --out "$work/moment"
  score_moment 0
  check "score knows on which shapes $method found contacts" diff "$work/differs" /dev/null
  check "though bodies have numbers as names" out_has "--bodies index"
done
sed 's/,sphere+box,/,sphere+ball,/' "$work/moment/contacts.csv" >"$work/moment/wrong.csv"
refused "a kind of shape that is none" "such as sphere+box" \
  score "$work/moment/scene.json" "$work/moment/wrong.csv" --bodies index
sed '$s/,sphere+box,/,box,/' "$work/moment/contacts.csv" >"$work/moment/two.csv"
tail -n 1 "$work/moment/contacts.csv" >>"$work/moment/two.csv"
refused "rows on other shapes than those before" "differs from that of earlier rows" \
  score "$work/moment/scene.json" "$work/moment/two.csv" --bodies index

run export --case spikes --out "$work/export_alone" --format vtk
check "a case alone has no contacts" is_absent "$work/export_alone/contacts.vtp"
check "and only the requested format" is_absent "$work/export_alone/picture.svg"
vtk "$work/export_alone/truth.vtp"
check "a region that is a point is a point" vtk_has "verts 1"
run export --case wedge_in_crack --out "$work/line" --format vtk
vtk "$work/line/truth.vtp"
check "and one that is a segment is a line" vtk_has "lines 1"
run export --case spike_in_crack --method control_nan --out "$work/export_nan"
check "contacts without a normal do no harm" is_status 0
check "VTK reads them" vtk "$work/export_nan/contacts.vtp"
run export --case spikes --method closest_points --set motion_seed=7 --set erosion_m=0.02 \
  --format svg,gltf --out "$work/new/folder"
check "parameters and new folders are fine" is_status 0

run export --case deep --method opposing --format svg --out "$work/untold"
check "a scene that does not tell where its bodies touch says so" \
  out_has "deep by opposing: 2 bodies, truth unknown, 14 contacts (14 untold)"
check "and so does its picture" grep -q 'where they touch is unknown' "$work/untold/picture.svg"
run export --case arch --method growth --step 6 --set perturb_m=0.02 --format svg \
  --out "$work/lost"
check "a pair whose truth is lost in motion is counted" \
  grep -qF '13 regions, 1 unknown pair, ' "$work/out"

run export --help
check "export has help" is_status 0
check "which shows its use" out_has "Usage: touchstone export"
check "and fits 100 columns" awk 'length > 100 { exit 1 }' "$work/out"

refused "an export of no case" "--case NAME" export --out "$work/x"
refused "an export without a folder" "--out DIR" export --case wall
refused "an unknown case to export" 'did you mean "wall"' export --case wal --out "$work/x"
refused "a pattern of cases" "There are: " export --case 'spike.*' --out "$work/x"
refused "an unknown method to export" 'did you mean "growth"' export --case wall --method grow \
  --out "$work/x"
refused "an unknown format" 'did you mean "gltf"' export --case wall --format gltff --out "$work/x"
refused "no format" "vtk, gltf, svg" export --case wall --format vtk, --out "$work/x"
refused "an unknown parameter to export" "layers" export --case wall --set layer=2 --out "$work/x"
refused "a parameter that is set twice" "given twice" export --case wall --set layers=2 \
  --set layers=3 --out "$work/x"
refused "and one to describe" "given twice" describe case wall --set layers=2 --set wall.layers=3
refused "a step without contacts" "the first step" export --case wall --method growth --step 1 \
  --out "$work/x"
refused "a step without a method" "method" export --case wall --step 3 --out "$work/x"
refused "an operand of export" "options only" export wall
check "none of them leaves anything" is_absent "$work/x"
refused "a folder that is not empty" "--force" export --case wall --out "$work/arch"
check "it is left as it was" diff -r "$work/arch" "$work/again"
refused "a file as a folder" "is not a folder" export --case wall --out "$work/arch/bodies.vtp"
refused "a folder below a file" "is not a folder" export --case wall --out "$work/arch/bodies.vtp/x"
(
  ulimit -f 8
  run export --case wall --out "$work/full/disk"
  check "a full disk is reported" test "$status" -eq 2
  check "with what to do" err_has "ulimit -f"
  echo "$passed $failed" >"$work/counts"
) && read -r passed failed <"$work/counts"
check "and nothing half written stays" is_absent "$work/full"

echo mine >"$work/arch/mine.txt"
run export --case arch --out "$work/arch" --force
check "--force replaces an export" is_status 0
check "and removes files of the earlier export" is_absent "$work/arch/contacts.vtp"
check "but not what is of others" test "$(cat "$work/arch/mine.txt")" = mine
check "no draft is left behind" test -z "$(find "$work/arch" -name '.*.vt*')"
