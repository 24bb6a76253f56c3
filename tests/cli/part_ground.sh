# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Static ground: the example with all methods, what is said of it, its export, and bad input.
# covers: cases/scene_file/scene_file_ground.c harness/commands/describe_bodies.c
# covers: harness/simulation/soft_simulation.c geometry/distance/ground_gap.c
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
check "and what is left out is reported" out_has "1 triangle left out, without area or there twice"
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

# What has passed through ground is in it, at any depth: it is solid without end. The cube falls at
# 100 m/s, a metre a step, and control_ideal gives no contact where the truth is not told.
mkdir through
cat >through/cube.obj <<'OBJ'
v -0.1 -0.1 -0.1
v 0.1 -0.1 -0.1
v 0.1 0.1 -0.1
v -0.1 0.1 -0.1
v -0.1 -0.1 0.1
v 0.1 -0.1 0.1
v 0.1 0.1 0.1
v -0.1 0.1 0.1
f 1 3 2
f 1 4 3
f 5 6 7
f 5 7 8
f 1 2 6
f 1 6 5
f 4 7 3
f 4 8 7
f 1 5 8
f 1 8 4
f 2 3 7
f 2 7 6
OBJ
printf '%s\n' 0,0,0 0,0,0 0,0,0 >through/field.csv
printf '%s\n' 'v -50 0 -50' 'v -50 0 50' 'v 50 0 50' 'v 50 0 -50' 'f 1 2 3' 'f 1 3 4' >through/quad.obj
# falls NAME SHAPE BODIES: a scene of that ground.
falls() {
  cat >"through/$1.json" <<JSON
{"schema": "touchstone scene", "version": 1, "name": "$1",
 "shapes": [{"name": "ground", $2},
            {"name": "cube", "mesh": "cube.obj",
             "tets": [[0, 1, 2, 6], [1, 0, 5, 6], [3, 0, 2, 6], [0, 3, 7, 6], [0, 4, 5, 6], [4, 0, 7, 6]]},
            {"name": "box", "box": {"size": [0.2, 0.2, 0.2]}}],
 "bodies": [{"name": "ground", "shape": "ground", "is_fixed": true}, $3],
 "truth": "untold"}
JSON
}
elastic='"elastic": {"young_pa": 1e6, "poisson": 0.3}'
soft='{"name": "soft", "shape": "cube", '$elastic
soft_falls=$soft', "pose": {"translation_m": [0, 0.1, 0]}, "twist": {"linear_m_s": [0, -100, 0]}}'
soft_high=$soft', "pose": {"translation_m": [0, 9, 0]}}'
rigid_falls='{"name": "box", "shape": "box", "pose": {"translation_m": [1, 0.1, 0]}, "twist": {"linear_m_s": [0, -100, 0]}}'
falls soft_plane '"plane": {}' "$soft_falls"
falls rigid_plane '"plane": {}' "$soft_high, $rigid_falls"
falls soft_field '"heightfield": {"file": "field.csv", "size": [100, 100]}' "$soft_falls"
falls rigid_surface '"surface": "quad.obj"' "$soft_high, $rigid_falls"
falls same_place '"plane": {}' "$soft_high, ${soft_high/soft/second}"
for scene in soft_plane rigid_plane soft_field rigid_surface; do
  run run --scene "through/$scene.json" --controls --method control_ideal --steps 6 --repeats 1 \
    --quiet --out "through/$scene"
  # 5 steps of 0.01 s: 5 m, and gravity of implicit Euler, 15 times 9.82e-4 m.
  deep=$(column "through/$scene/summary.csv" overlap_left_m step=6)
  check "$scene: how deep it is below ground" test "$(printf '%.5f' "$deep")" = 5.01473
done
run run --scene through/same_place.json --controls --method control_ideal --steps 3 --repeats 1 \
  --quiet --out through/same_place
same=$(column through/same_place/summary.csv overlap_left_m step=3)
check "bodies in one place are half their size deep" \
  test "$(printf '%.6f' "$same")" = 0.100000
