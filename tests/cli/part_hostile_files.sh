# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Files that are not what they should be: each is refused with a message that says so, at once and
# without memory that follows what the file claims.
# covers: harness/commands/input.c reports/rows/results.c
: "${touchstone:?}" "${work:?}" "${status:?}" # set by run_cli.sh

# Sanitizers reserve terabytes; else 200 MiB of address space must do.
limit=204800
grep -q __asan_init "$touchstone" && limit=unlimited

# denied WHAT WORD ARGUMENTS...: as refused, within the limit and a time that only waiting exceeds.
denied() {
  local what=$1 word=$2
  shift 2
  (
    ulimit -v "$limit"
    exec timeout 60 "$touchstone" "$@"
  ) >"$work/out" 2>"$work/err"
  status=$?
  check "$what is refused" is_refused "$word"
}

# What all of them is held against: a scene, contacts and results that are fine.
run export --case sliding_wedge --format scene --out good
check "a good scene is there" is_status 0
run run --case sliding_wedge --method opposing --steps 1 --repeats 1 --quiet --out results
check "good results are there" is_status 0
contacts=body_a,body_b,point_x_m,point_y_m,point_z_m,normal_x,normal_y,normal_z
(
  ulimit -v "$limit"
  exec "$touchstone" describe --scene good/scene.json
) >"$work/out" 2>"$work/err"
status=$?
check "the limit suffices for what is good" is_status 0

# large FILE TEXT: a file of 1 GiB in one line, most of it a hole, that begins with the text.
large() {
  printf '%s' "$2" >"$1"
  truncate -s 1G "$1"
}
mkfifo pipe.json pipe.csv pipe.rules
ln -s loop_b.json loop_a.json
ln -s loop_a.json loop_b.json

# In the place of the file of a command
large large.json '{"schema": "'
large large.csv "$contacts"
large large.rules '# '
denied "a scene of 1 GiB" "large.json has more than" run --scene large.json --out none
denied "a scene that is a pipe" "pipe.json is not a regular file" run --scene pipe.json --out none
denied "a scene that is a link to itself" "loop_a.json: Too many levels" \
  run --scene loop_a.json --out none
denied "contacts with a line of 1 GiB" "large.csv, line 1: longer than" \
  score good/scene.json large.csv
denied "contacts with a line of 1 GiB through a pipe" "line 1: longer than" \
  score good/scene.json <(yes | tr -d '\n' | head -c 1G)
denied "contacts with a quote that does not close" "line 2: longer than" \
  score good/scene.json <(printf '%s\n"' "$contacts"; yes | head -c 1G)
denied "contacts that are a named pipe" "pipe.csv is not a regular file" \
  score good/scene.json pipe.csv
denied "contacts that are a device" "/dev/zero is not a regular file" score good/scene.json /dev/zero
denied "contacts that are a link to itself" "loop_a.json: Too many levels" \
  score good/scene.json loop_a.json
denied "rules of 1 GiB" "large.rules is not a rules file" \
  gate results --baseline results --rules large.rules
denied "rules that are a named pipe" "pipe.rules is not a rules file" \
  gate results --baseline results --rules pipe.rules
denied "rules that are a link to itself" "loop_a.json: Too many levels" \
  gate results --baseline results --rules loop_a.json
printf 'method=grow%s ignore rows\n' "$(printf '+%.0s' {1..60})" >repeats.rules
denied "a pattern whose repetitions multiply" "line 1: \"grow+" \
  gate results --baseline results --rules repeats.rules
denied "such a pattern on the command line" "repeats too much" \
  run --case 'wall+++++++++++++++++++++++'
denied "a summary with a line of 1 GiB" "large.csv, line 1: longer than" compare large.csv results
denied "a summary that is a named pipe" "pipe.csv is a pipe or a device, and only regular files" compare pipe.csv results

# In the place of a file of a results folder
# in_results WHAT WORD FILE COMMAND...: with `bad` a copy whose FILE is what make_$kind makes.
in_results() {
  local what=$1 word=$2 file=$3
  shift 3
  rm -rf bad
  cp -r results bad
  rm "bad/$file"
  make_"$kind" "bad/$file"
  denied "$what" "$word" "$@"
}
make_large() { large "$1" '{"a": "'; }
make_pipe() { mkfifo "$1"; }
make_loop() { ln -s "$(basename "$1")" "$1"; }
kind=large
in_results "a context of 1 GiB" "context.json has more than" context.json compare bad results
in_results "resuming one" "context.json has more than" context.json run --resume bad
kind=pipe
in_results "a context that is a pipe" "context.json is not a regular file" context.json report bad
in_results "resuming one" "context.json is not a regular file" context.json run --resume bad
in_results "a summary that is a pipe" "summary.csv is not a regular file" summary.csv \
  compare bad results
in_results "resuming one" "summary.csv is not a regular file" summary.csv run --resume bad
kind=loop
in_results "a context that is a link to itself" "Too many levels" context.json compare bad results

# In the place of a mesh
mkdir scene
# mesh_denied WHAT WORD NAME: a scene that names the mesh NAME.
mesh_denied() {
  cat >scene/scene.json <<JSON
{"schema": "touchstone scene", "version": 1, "name": "hostile",
 "shapes": [{"name": "shape", "mesh": "$3"}],
 "bodies": [{"name": "a", "shape": "shape"}, {"name": "b", "shape": "shape"}]}
JSON
  denied "$1" "$2" run --scene scene/scene.json --out none
}
cat >outside.obj <<'OBJ'
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 2 3 4
f 3 1 4
OBJ
ln -s ../outside.obj scene/link.obj
ln -s .. scene/up
ln -s loop.obj scene/loop.obj
mkfifo scene/pipe.obj
large scene/large.obj 'v 0 0 0 '
cp outside.obj scene/inside.obj
sed 's,^f 1 3 2,f 4294967295 3 2,' outside.obj >scene/index.obj
sed 's,^f 1 3 2,f 99999999999999999999 3 2,' outside.obj >scene/index_64.obj
for form in ascii binary_little_endian binary_big_endian; do
  {
    printf 'ply\nformat %s 1.0\nelement vertex 4294967295\n' $form
    printf 'property float x\nproperty float y\nproperty float z\n'
    printf 'element face 1\nproperty list uchar int vertex_indices\nend_header\n'
    printf '0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n'
  } >scene/$form.ply
done
printf 'ply\nformat ascii 1.0\nelement vertex 4294967295\nend_header\n' >scene/nothing.ply
{
  printf '%80s' ''
  printf '\xff\xff\xff\xff'
  head -c 100 /dev/zero
} >scene/count.stl
cat >scene/count.gltf <<'JSON'
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4294967295, "type": "VEC3"}],
 "bufferViews": [{"buffer": 0, "byteLength": 12}],
 "buffers": [{"byteLength": 12, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAA"}]}
JSON
mesh_denied "a mesh above the folder" "leads out of the folder" ../outside.obj
mesh_denied "one at an absolute path" "leads out of the folder" "$PWD/outside.obj"
mesh_denied "one that a link leads to" "is a link that leads out" link.obj
mesh_denied "one behind a folder that is a link" "is a link that leads out" up/outside.obj
mesh_denied "one that is a link to itself" "Too many levels" loop.obj
mesh_denied "one that is a pipe" "pipe.obj is not a regular file" pipe.obj
mesh_denied "one that is a device" "leads out of the folder" /dev/zero
mesh_denied "one of 1 GiB" "large.obj has more than" large.obj
mesh_denied "a corner at vertex 4294967295" "index.obj, line 5" index.obj
mesh_denied "a corner at a vertex beyond all numbers" "index_64.obj, line 5" index_64.obj
for form in ascii binary_little_endian binary_big_endian; do
  mesh_denied "4294967295 vertices of a PLY ($form)" "announces 4294967295" $form.ply
done
mesh_denied "4294967295 vertices without coordinates" "announces 4294967295" nothing.ply
mesh_denied "4294967295 triangles of an STL" "count.stl: " count.stl
mesh_denied "4294967295 vertices of a glTF" "count.gltf: " count.gltf
# A buffer in the place of /etc/passwd, of what a link leads to, of a pipe.
ln -s ../outside.obj scene/link.bin
mkfifo scene/pipe.bin
for buffer in "$PWD/outside.obj:leads out of the folder" "../outside.obj:leads out of the folder" \
  "%2e%2e/outside.obj:leads out of the folder" "link.bin:is a link that leads out" \
  "pipe.bin:is not a regular file" "count.gltf:buffer.gltf: "; do
  sed "s|data:[^\"]*|${buffer%%:*}|" scene/count.gltf >scene/buffer.gltf
  mesh_denied "a buffer at ${buffer%%:*}" "${buffer#*:}" buffer.gltf
done
check "and none of them leaves anything" is_absent none
mkdir -p ipc/fixtures ipc/meshes
cp outside.obj ipc/outside.obj
ln -s ../outside.obj ipc/meshes/link.obj
for name in ../outside.obj ../../outside.obj "$PWD/outside.obj" link.obj; do
  printf '{"rigid_body_problem": {"rigid_bodies": [{"mesh": "%s"}]}}' "$name" \
    >ipc/fixtures/scene.json
  denied "a mesh of rigid-ipc outside of its folders ($name)" "leads out" \
    run --scene ipc/fixtures/scene.json --out none
done
cp scene/inside.obj scene/mesh.obj
sed 's,"mesh": "[^"]*","mesh": "mesh.obj",' scene/scene.json >scene/good.json
run describe --scene scene/good.json
check "the same scene with a mesh that is fine is taken" is_status 0
