# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Models of MuJoCo as scenes of every command.
# covers: cases/scene_file/mjcf.c cases/scene_file/touchstone_mjcf.cc
: "${touchstone:?}" "${work:?}" "${here:?}" # set by run_cli.sh

models=$here/../../examples/mujoco

run describe --scene "$models/tumble.xml#down"
check "a model at a keyframe is described" is_status 0
check "with its truth" grep -q '0-1 *polygon *4 *0.16 m2' "$work/out"

run run --scene "$models/gripper.xml" --method semi_local --out "$work/run"
check "a model runs, with a mesh and a height field of its folder" is_status 0
check "each cell has its rows" test "$(cells_with "$work/run" semi_local ok)" -eq 2

# Two cubes that are one body overlap; a third is on them.
cat >"$work/one_body.xml" <<'XML'
<mujoco><worldbody><body><freejoint/><geom name="a" type="box" size=".5 .5 .5"/><geom name="b" type="box"
size=".5 .5 .5" pos=".5 0 0"/></body><body pos="0 0 1"><freejoint/><geom name="c" type="box" size=".5 .5 .5"/></body>
</worldbody></mujoco>
XML
run run --scene "$work/one_body.xml" --method vertex_only --out "$work/excluded"
check "parts of one body are no trouble" is_status 0
check "they have contacts with a third" test "$(column "$work/excluded/contacts.csv" gap_m body_b=2 | wc -l)" -gt 4
check "and none with each other" test "$(column "$work/excluded/contacts.csv" gap_m body_b=1 | wc -l)" -eq 0

# An export is the same scene without MuJoCo.
run export --scene "$work/one_body.xml" --format scene --out "$work/export"
check "a model is exported as a scene" is_status 0
check "with the pair" grep -q '\["a", "b"\]' "$work/export/scene.json"
"$touchstone" describe --scene "$work/one_body.xml" | sed -n '/^Truth/,$p' >"$work/of_model"
"$touchstone" describe --scene "$work/export/scene.json" | sed -n '/^Truth/,$p' >"$work/of_export"
check "which has a truth" grep -q '0-2 *polygon' "$work/of_model"
check "and the same" cmp "$work/of_model" "$work/of_export"

run run --scene "$models/tumble.xml" --scene "$models/tumble.xml#down" --method vertex_only --out "$work/two"
check "two poses of one model are two scenes of a run" is_status 0
check "by their names" same_text "$(column "$work/two/summary.csv" case | sort -u | tr '\n' ' ')" \
  "mjcf_tumble mjcf_tumble_down "

printf 'body_a,body_b,point_x_m,point_y_m,point_z_m,normal_x,normal_y,normal_z,gap_m\n' >"$work/none.csv"
run score "$models/tumble.xml#down" "$work/none.csv"
check "contacts of another program are scored against a model" is_status 0

refused "a keyframe that is not there" 'tumble.xml: it has no keyframe "sideways"; it has: down' \
  run --scene "$models/tumble.xml#sideways"
printf '<robot name="r"/>' >"$work/r.xml"
refused "a URDF" 'it is a URDF' describe --scene "$work/r.xml"
printf '<mujoco><include file="../x.xml"/></mujoco>' >"$work/include.xml"
refused "a file outside of the folder" '"../x.xml"' run --scene "$work/include.xml"
export TOUCHSTONE_MJCF=/missing/helper
refused "a model without the helper" 'install g++, libmujoco-dev and libexpat1-dev' describe --scene "$models/tumble.xml"
unset TOUCHSTONE_MJCF
