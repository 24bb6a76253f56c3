# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Static ground: the example with all methods, what is said of it, its export, and bad input.
# covers: cases/scene_file/scene_file_ground.c harness/commands/describe_bodies.c
: "${here:?}" "${work:?}" "${touchstone:?}" # set by run_cli.sh

example=$here/../../examples/ground
run run --scene "$example/scene.json" --steps 1 --repeats 1 --quiet --out "$work/all"
check "all methods run on it" is_status 0
check "and none fails or is skipped" test "$(grep -c ',ok,' "$work/all/summary.csv")" -eq \
  "$(($(wc -l <"$work/all/summary.csv") - 1))"
check "semi_local is right" same_text "$(right semi_local "$work/all")" "1 of 1"

run describe --scene "$example/scene.json"
check "a plane is described" grep -qE '^  floor +plane +[0-9]+ x [0-9]+ m +2  a box$' "$work/out"
check "a surface" grep -qE '^  ramp +surface +2 triangles +2  one sheet$' "$work/out"
check "a height field" grep -qE '^  hill +heightfield +5 x 5 heights, 4 x 4 m +3  one sheet$' "$work/out"
run describe case arch
check "which is not there where there is no ground" test "$(grep -c '^Ground' "$work/out")" -eq 0

run export --scene "$example/scene.json" --format scene --out once
run export --scene once/scene.json --format scene --out twice
check "what is exported is ground" grep -q '"surface": {"file": "ramp.obj", "thickness": 2' once/scene.json
check "and stays as it is" diff -r once twice
run run --scene once/scene.json --method 'vertex_only|semi_local' --steps 1 --repeats 1 --quiet --out again
check "with the same truth" same_text "$(right semi_local again)" "1 of 1"
run export --scene "$example/scene.json" --out look
check "there is a picture" test -s look/picture.svg

# Several layers, triangles that are there twice, and more than there may be.
mkdir soup
cat >soup/scene.json <<'END'
{"schema": "touchstone scene", "version": 1, "name": "soup",
 "shapes": [{"name": "g", "surface": "g.obj"}, {"name": "b", "box": {"size": [1, 1, 1]}}],
 "bodies": [{"name": "g", "shape": "g", "is_fixed": true},
            {"name": "b", "shape": "b", "pose": {"translation_m": [0, 0.5, 0]}}],
 "truth": "derived"}
END
cat >soup/g.obj <<'END'
v -4 0 -4
v -4 0 4
v 4 0 4
v 4 0 -4
v -4 1.2 -1
v -4 1.2 1
v 4 1.2 1
v 4 1.2 -1
f 1 2 3
f 1 3 4
f 5 6 7
f 5 7 8
f 3 1 2
END
run describe --scene soup/scene.json
check "a bridge leaves room below it" grep -q ' 0.06  one sheet, not .* m thick: the surface lies behind itself' "$work/out"
check "and what is left out is told" out_has "1 triangle left out, without area or there twice"
sed -i '/^f/d' soup/g.obj
for ((i = 0; i < 100001; i++)); do echo 'f 1 2 3'; done >>soup/g.obj
refused "more triangles than ground may have" \
  'shapes[0].surface: shape "g", g.obj: the surface has 100001 triangles; ground may have 100000' \
  describe --scene soup/scene.json
sed -i 's/"surface": "g.obj"/"plane": {}/; s/, "is_fixed": true//' soup/scene.json
refused "ground that is to move" "bodies[0]: body g is a plane" describe --scene soup/scene.json

# Curved bodies that move on ground: each step finds its truth by what was prepared once.
mkdir slide
for ((i = 0; i < 9; i++)); do echo '0,0,0,0,0,0,0,1,1'; done >slide/h.csv
cat >slide/scene.json <<'JSON'
{"schema": "touchstone scene", "version": 1, "name": "slide",
 "shapes": [{"name": "h", "heightfield": {"file": "h.csv", "size": [8, 8]}},
            {"name": "c", "capsule": {"radius": 0.25, "length": 1}}],
 "bodies": [{"name": "h", "shape": "h", "is_fixed": true},
            {"name": "c", "shape": "c",
             "pose": {"rotation_wxyz": [0.7071067811865476, 0.7071067811865476, 0, 0],
                      "translation_m": [0.3, 0.25, 0.2]},
             "twist": {"linear_m_s": [0.5, 0, 0], "angular_rad_s": [0, 0, 0]}}],
 "truth": "derived"}
JSON
run run --scene slide/scene.json --method semi_local --steps 8 --repeats 1 --quiet --out slid
check "a capsule slides on a height field" is_status 0
check "with a row for each step" same_text "$(grep -c ',ok,' slid/summary.csv)" 8
