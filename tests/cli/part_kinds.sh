# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Inputs that were judged wrong once, as they came, and of each kind a further one of another shape,
# size and pose: tests/cases/scenes, and messages about meshes.
# covers: cases/truth/derived_truth.c cases/scene/minimum.c cases/scene_file/scene_file_truth.c
# covers: geometry/mesh/mesh.c harness/judge/judge.c
: "${here:?}" "${work:?}" "${status:?}" # set by run_cli.sh

scenes=$here/../cases/scenes

# Flat places of any outline, in single precision, with quaternions of a few digits, level within
# noise, demands that share normals, ridges and tips: the truth is right, and so is who finds it.
all=(edge_on_edge ridge_along_ridge tip_on_tip frame_on_slab l_on_table float_box float_prism
  seven_digits bricks_of_floats level level_large float_nook float_corner ten_facets facets_6 mixed_corner
  split_frames split_u_on_ring float_bar float_tee)
files=()
for name in "${all[@]}"; do files+=(--scene "$scenes/$name/scene.json"); done
run run "${files[@]}" --controls --method 'semi_local|control_ideal' --steps 1 --repeats 1 --jobs 2 \
  --out "$work/all"
check "all of these scenes run" is_status 0
check "the ideal is right in each" same_text "$(right control_ideal "$work/all")" \
  "${#all[@]} of ${#all[@]}"
check "and semi_local" same_text "$(right semi_local "$work/all")" "${#all[@]} of ${#all[@]}"

# of_semi_local COLUMN CASE: of its row below.
of_semi_local() { column "$work/some/summary.csv" "$1" method=semi_local "case=$2"; }

# Feet are one place, and more contacts than the least are not wrong. The footprint of a turned box
# with an edge in a wall has two corners there that are closer than any method tells apart; what is
# told is in place.
some=(stool turned_overlap turned_overlap_far)
files=()
for name in "${some[@]}"; do files+=(--scene "$scenes/$name/scene.json"); done
run run "${files[@]}" --controls --method 'semi_local|control_ideal' --steps 1 --repeats 1 \
  --out "$work/some"
check "the ideal is right on feet and where two overlaps meet" same_text \
  "$(right control_ideal "$work/some")" "3 of 3"
for name in "${some[@]}"; do
  for column in quality_percent coverage_percent; do
    check "semi_local has $column in $name" same_text "$(of_semi_local "$column" "$name")" 100
  done
  for column in phantom gaps_wrong normals_flipped regions_missed blocked_wrongly_percent; do
    check "and no $column" same_text "$(of_semi_local "$column" "$name")" 0
  done
done

# Methods for convex bodies take what is convex within single precision.
for name in float_box float_prism; do
  run describe --scene "$scenes/$name/scene.json"
  check "$name is convex" same_text "$(awk '$1 ~ /^[0-9]+$/ && NF == 7 && $6 == 1' "$work/out" |
    wc -l)" 2
done

# What is wrong with a mesh: the message names the file and prints no nan.
mesh() { printf '%s\n' "$@" >"$work/mesh.obj"; }
cat >"$work/scene.json" <<'EOF'
{"schema": "touchstone scene", "version": 1, "name": "x", "truth": "untold",
 "shapes": [{"name": "s", "mesh": "mesh.obj"}], "bodies": [{"name": "b", "shape": "s"}]}
EOF
tetrahedron=("f 1 3 2" "f 1 2 4" "f 2 3 5" "f 1 6 3" "f 4 5 6")
mesh "v 0 0 0" "v 1 0 0" "v 0 1 0" "v 0 0 1" "v 0 0 1" "v 0 0 1" "${tetrahedron[@]}"
refused "a triangle of no extent" "mesh.obj: triangle 4 (vertices 3, 4, 5) has all its corners at one place" \
  describe --scene "$work/scene.json"
check "without a number" test "$(grep -c nan "$work/err")" -eq 0
mesh "v 7e3 -2 0" "v 7e3 -2 0" "v 7e3 -2 0" "v 7e3 -2 5" "f 1 3 2" "f 1 2 4" "f 2 3 4" "f 3 1 4"
refused "one far away that comes first" "mesh.obj: triangle 0 (vertices 0, 2, 1) has all its corners" \
  describe --scene "$work/scene.json"
check "without a number, too" test "$(grep -c nan "$work/err")" -eq 0
cat >"$work/rigid.json" <<'EOF'
{"rigid_body_problem": {"rigid_bodies": [{"mesh": "good.obj"}, {"mesh": "mesh.obj", "scale": 0.001}]}}
EOF
printf '%s\n' "v 0 0 0" "v 1 0 0" "v 0 1 0" "v 0 0 1" "f 1 3 2" "f 1 2 4" "f 2 3 4" "f 3 1 4" \
  >"$work/good.obj"
mesh "v 0 0 0" "v 1 0 0" "v 1 0 1e-200" "v 1 0 0" "f 1 3 2" "f 1 2 4" "f 2 3 4" "f 3 1 4"
refused "a scene of another program with one" "rigid_bodies[1]: mesh.obj: triangle " \
  describe --scene "$work/rigid.json"
check "without a number in any of them" test "$(grep -c nan "$work/err")" -eq 0

# An open mesh: the message names the file, says whether it is a flat sheet or has an open edge, and
# for a sheet how to mend it.
mesh "v -1 0 -1" "v 1 0 -1" "v 1 0 1" "v -1 0 1" "f 1 3 2" "f 1 4 3"
sed -i 's/good.obj/mesh.obj/' "$work/rigid.json"
refused "a ground of two triangles" "rigid_bodies[0]: mesh.obj: the surface is a flat sheet (2 triangles" \
  describe --scene "$work/rigid.json"
check "with a way out" err_has "give it a thickness"
# Nine vertices in a plane that is turned: six triangles round a hexagon, and no box around it.
mesh "v 0 0 0" "v 2 0 1" "v 1 3 0.5" "v -1 3 -0.5" "v -2 0 -1" "v -1 -3 -0.5" "v 1 -3 0.5" \
  "f 1 2 3" "f 1 3 4" "f 1 4 5" "f 1 5 6" "f 1 6 7" "f 1 7 2"
refused "a turned sheet in a scene of ours" "mesh.obj: the surface is a flat sheet (6 triangles" \
  describe --scene "$work/scene.json"
check "with the same way out" err_has "give it a thickness"
mesh "v 0 0 0" "v 2 0 0" "v 2 0 2" "v 0 0 2" "v 1 0.3 1" "f 1 5 2" "f 2 5 3" "f 3 5 4" "f 4 5 1"
refused "a terrain" "mesh.obj: edge " describe --scene "$work/scene.json"
check "as what it is" err_has "the surface is open"
