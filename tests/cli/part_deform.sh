# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Bodies that give way: rows, meshes and pictures, pairs that have no answer, and what is refused.
# covers: harness/commands/deform_command.c harness/deform/deform_job.c reports/export/vtk_deformed.c
: "${touchstone:?}" "${work:?}" "${here:?}" "${status:?}" # set by run_cli.sh

vtk_python=
for candidate in python3 /usr/bin/python3; do
  [ -n "$vtk_python" ] || ! "$candidate" -c 'import vtkmodules.vtkIOXML' 2>/dev/null ||
    vtk_python=$candidate
done
check "VTK for Python is there (python3-vtk9)" test -n "$vtk_python"
vtk() { "$vtk_python" "$here/read_vtk.py" "$1" >"$work/vtk" 2>"$work/err"; }
# cell DIR ROW COLUMN: of deform.csv.
cell() {
  python3 - "$1/deform.csv" "$2" "$3" <<'PY'
import csv, sys
print(list(csv.DictReader(open(sys.argv[1])))[int(sys.argv[2])][sys.argv[3]])
PY
}
# is_below A B, for numbers that may be negative.
is_below() { python3 -c 'import sys; sys.exit(not abs(float(sys.argv[1])) < float(sys.argv[2]))' "$1" "$2"; }

spheres=(--case deep --set shape=two_spheres --set triangles=2048)
run deform "${spheres[@]}" --out "$work/spheres"
check "deform exits 0" is_status 0
check "and says nothing on standard error" is_quiet
check "it reports the pair" grep -qE '^lower and upper: overlap 0.0072[0-9]+ m3, ' "$work/out"
check "and where the files are" out_has "deform: $work/spheres"
check "there is a row for each of the two bodies" test "$(wc -l <"$work/spheres/deform.csv")" = 3
check "and no other file" test "$(cd "$work/spheres" && printf '%s ' *)" = \
  "after.gltf after.vtp before.gltf before.vtp deform.csv section_0_1.svg surface.vtp "
for row in 0 1; do
  check "row $row is ok" test "$(cell "$work/spheres" $row outcome)" = ok
  check "row $row keeps the volume" is_below "$(cell "$work/spheres" $row volume_error)" 1e-12
  check "which it would not without a bulge" \
    test "$(is_below "$(cell "$work/spheres" $row volume_error_without_bulge)" 1e-3; echo $?)" = 1
done
check "half of what both share is gone at least" is_below "$(cell "$work/spheres" 0 overlap_left_m3)" 0.0036
check "layered depth images agree on it" python3 - "$work/spheres/deform.csv" <<'PY'
import csv, sys
row = next(csv.DictReader(open(sys.argv[1])))
sys.exit(not abs(float(row["overlap_m3"]) / float(row["overlap_ldi_m3"]) - 1) < 1e-3)
PY
for file in before.vtp after.vtp; do
  check "VTK reads $file" vtk "$work/spheres/$file"
  for array in u eta zone displacement; do
    check "it has $array" grep -qE "^point $array [13] 2052 " "$work/vtk"
  done
  check "and the bodies have their volume" grep -qE '^volume 1.0[0-9]+' "$work/vtk"
done
check "VTK reads surface.vtp" vtk "$work/spheres/surface.vtp"
check "it has the depth" grep -qE '^point depth_m 1 ' "$work/vtk"
check "and what is in the zone" grep -qE '^cell zone 1 ' "$work/vtk"
for file in before.gltf after.gltf; do
  check "$file is glTF" python3 -c 'import json, sys
names = [n["name"] for n in json.load(open(sys.argv[1]))["nodes"]]
sys.exit(not {"bodies", "lower", "upper", "surface", "surface 0-1", "zone 0-1"} <= set(names))' \
    "$work/spheres/$file"
done
check "a picture is XML" python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' \
  "$work/spheres/section_0_1.svg"
run deform "${spheres[@]}" --out "$work/again"
for file in after.vtp after.gltf surface.vtp section_0_1.svg; do
  check "a second time $file has the same bytes" cmp "$work/spheres/$file" "$work/again/$file"
done

run deform "${spheres[@]}" --stiffness-a 1 --gamma 0 --anisotropic --direction 0,2,0 --tau -0.5 \
  --extent 0.4 --pair lower,upper --out "$work/rigid"
check "all options are taken" is_status 0
check "a rigid body stays as it is" test "$(cell "$work/rigid" 0 moved_m_max)" = 0
check "the other one moves all the way" python3 - "$(cell "$work/rigid" 1 moved_m_max)" <<'PY'
import sys
sys.exit(not abs(float(sys.argv[1]) - 0.1) < 0.005)
PY
check "rows say by how much bodies give way around the zone" test "$(cell "$work/rigid" 0 extent_m)" = 0.4
check "and where to" test "$(cell "$work/rigid" 0 direction_y)" = 1

# Pairs that have no answer are rows.
run deform --case deep --set shape=sphere_through_plate --set triangles=512 --out "$work/through"
check "a body through another is skipped" is_status 0
check "which is said, by names" grep -qE 'skipped: [a-z]+ \([01]\) goes right through [a-z]+ \([01]\): ' "$work/out"
check "the rows have the names" test \
  "$(cell "$work/through" 0 body_name) and $(cell "$work/through" 1 body_name)" = \
  "$(sed -n 's/:.*//p' "$work/out" | head -n 1)"
check "the row has it" test "$(cell "$work/through" 0 outcome)" = skipped
check "with the overlap as it is" test "$(cell "$work/through" 0 overlap_left_m3)" = nan
check "and there is no picture of a surface" test ! -e "$work/through/section_0_1.svg"
run deform --case deep --set shape=sphere_on_slab --out "$work/coarse"
check "a mesh that is too coarse is skipped, too" \
  grep -q 'no vertex of slab (0) is in the zone: its mesh is too coarse there, see --edge' "$work/out"
run deform "${spheres[@]}" --extent 9 --out "$work/far"
check "and an extent that leaves the mesh" grep -q 'skipped: lower (0): an extent' "$work/out"
run deform --case pillar --dilation 0.02 --edge 0.1 --extent 0.2 --out "$work/pillar"
check "several pairs give way" is_status 0
check "each has its rows" test "$(wc -l <"$work/pillar/deform.csv")" -gt 5

run deform --case peg_in_hole --dilation 0.01 --edge 0.1 --out "$work/peg"
check "an overlap that grows is said, in plain numbers" \
  grep -qE ', [1-9][0-9]{2} % left, which is more than before; ' "$work/out"
check "and triangles that turn over" grep -qE '; [1-9][0-9]* triangles turned over$' "$work/out"
check "as many as the rows have" python3 - "$work/peg/deform.csv" "$work/out" <<'PY'
import csv, re, sys
counts = sum(float(row["turned_over"]) for row in csv.DictReader(open(sys.argv[1])))
sys.exit(counts != float(re.search(r"; (\d+) triangles", open(sys.argv[2]).read()).group(1)))
PY

# Scenes of files.
python3 - "$work" <<'PY'
import json, sys
for name, heights in (("apart", (0, 0.9)), ("apart_wide", (0, 1.5)), ("coincide", (0, 0))):
    scene = {"schema": "touchstone scene", "version": 1, "name": name, "up": [0, 0, 1],
             "shapes": [{"name": "cube", "box": {"size": [1, 1, 1]}}], "truth": "untold",
             "bodies": [{"name": "b%d" % i, "shape": "cube", "is_fixed": i == 0,
                         "pose": {"rotation_wxyz": [1, 0, 0, 0], "translation_m": [0, 0, h]}}
                        for i, h in enumerate(heights)]}
    json.dump(scene, open("%s/%s.json" % (sys.argv[1], name), "w"))
PY
scenes=(--scene "$work/apart.json" --scene "$work/coincide.json")
run deform "${scenes[@]}" --case coincide --out "$work/coincide"
check "bodies that coincide are skipped" is_status 0
check "for that reason" grep -q '^b0 and b1: overlap 1 m3, skipped: .* the surfaces coincide' "$work/out"
check "with their volume" test "$(cell "$work/coincide" 1 volume_m3)" = 1

# The same scene in other sizes, and far from the origin.
python3 - "$work" <<'PY'
import json, sys
for name, size, away in (("plain", 1, 0), ("small", 1e-3, 1e-3), ("large", 1e3, 0), ("far", 1, 1e3)):
    scene = {"schema": "touchstone scene", "version": 1, "name": name, "up": [0, 0, 1],
             "shapes": [{"name": "cube", "box": {"size": [size] * 3}}], "truth": "untold",
             "bodies": [{"name": "b%d" % i, "shape": "cube",
                         "pose": {"rotation_wxyz": [1, 0, 0, 0],
                                  "translation_m": [away + x * size for x in at]}}
                        for i, at in enumerate(((0, 0, 0), (0.13, 0.07, 0.9)))]}
    json.dump(scene, open("%s/%s.json" % (sys.argv[1], name), "w"))
PY
for scene in plain:0.1 small:1e-4 large:100 far:0.1; do
  name=${scene%:*}
  run deform --scene "$work/$name.json" --edge "${scene#*:}" --extent 0.4 --out "$work/of_$name"
  check "$name: it gives way" is_status 0
  check "and leaves as much of the overlap" python3 - "$work/of_plain/deform.csv" "$work/of_$name/deform.csv" <<'PY'
import csv, sys
left = []
for file in sys.argv[1:]:
    row = next(csv.DictReader(open(file)))
    left.append((float(row["overlap_left_m3"]) / float(row["overlap_m3"]),
                 float(row["deepest_left_m"]) / float(row["deepest_m"])))
sys.exit(not all(0 < p < 1 and abs(p / q - 1) < 1e-6 for p, q in zip(*left)))
PY
done

# refused WORDS OPTIONS...: exit status 2, one line that has the words, and no folder.
refused() {
  local words=$1
  shift
  rm -rf "$work/none"
  run deform "$@" --out "$work/none"
  check "refused: $*" is_status 2
  check "it says: $words" grep -qF -- "$words" "$work/err"
  check "in one line" test "$(wc -l <"$work/err")" = 1
  check "and nothing is written" test ! -e "$work/none"
}
refused "--case NAME (see touchstone list cases) or --scene FILE is required"
refused "no_such_case" --case no_such_case
refused "2 scenes are given, of which one can be deformed: say which by --case" "${scenes[@]}"
refused "--case deep is not the case of a --scene" --case deep --scene "$work/apart.json"
refused "no_such" --case deep --set no_such=1
refused "no two bodies of wall overlap" --case wall
refused "no two bodies of apart_wide overlap: give a --dilation, or move them into each other" \
  --scene "$work/apart_wide.json"
refused "(2) of pillar do not overlap" --case pillar --dilation 0.01 --pair 0,2
refused 'there is no body "9"' "${spheres[@]}" --pair 0,9
refused 'there is no body "nobody"' "${spheres[@]}" --pair lower,nobody
refused "give two different bodies" "${spheres[@]}" --pair 1,1
for pair in 0 "0," ",1" "0,1,2"; do
  refused "--pair" "${spheres[@]}" --pair "$pair"
done
for direction in 0,0,0 1,2 1,2,3,4 x,y,z 1,,2 nan,0,1 inf,0,0 up; do
  refused "--direction $direction: give auto, or x,y,z" "${spheres[@]}" --direction "$direction"
done
refused "--stiffness-a" "${spheres[@]}" --stiffness-a 1.5
refused "--stiffness-a" "${spheres[@]}" --stiffness-a nan
refused "--tau" "${spheres[@]}" --tau much
refused "--tau" "${spheres[@]}" --tau -1001
refused "--extent" "${spheres[@]}" --extent 0
refused "--extent" "${spheres[@]}" --extent -1
refused "--gamma" "${spheres[@]}" --gamma -1
refused "--dilation" "${spheres[@]}" --dilation -1
refused "give longer ones" "${spheres[@]}" --edge 1e-5
refused "deform takes options only" "${spheres[@]}" spheres
run deform "${spheres[@]}"
check "a folder is required" is_status 2
mkdir "$work/full" && touch "$work/full/file"
run deform "${spheres[@]}" --out "$work/full"
check "a folder that is not empty is refused" is_status 2
check "and stays as it is" test "$(cd "$work/full" && echo *)" = file
run deform "${spheres[@]}" --out "$work/full/file"
check "a file is no folder" is_status 2
check "which is said" grep -q 'file is not a folder; choose another' "$work/err"
run deform "${spheres[@]}" --time-limit 0.001 --out "$work/none"
check "what takes too long is ended" is_status 3
check "and said" grep -q 'timed out.*nothing is written' "$work/err"
check "and nothing is left" test ! -e "$work/none"
