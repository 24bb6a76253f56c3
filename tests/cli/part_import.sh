# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Meshes and scenes of other programs: what VTK and we write comes back, and what is refused.
# covers: geometry/files/touchstone_import.cc geometry/files/mesh_file.c
: "${touchstone:?}" "${work:?}" # set by run_cli.sh

vtk_python=
for candidate in python3 /usr/bin/python3; do
  [ -n "$vtk_python" ] || ! "$candidate" -c 'import vtkmodules.vtkIOPLY' 2>/dev/null ||
    vtk_python=$candidate
done
check "VTK for Python is there (python3-vtk9)" test -n "$vtk_python"

mkdir "$work/scene"
# A box and a torus of 10,000 triangles at floats: as VTK writes them, and in OBJ with all digits of
# the floats as doubles.
"$vtk_python" - "$work/scene" <<'PY'
import sys
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkIOGeometry import vtkSTLWriter
from vtkmodules.vtkIOPLY import vtkPLYWriter
from math import cos, sin, pi
from struct import pack, unpack

def as_float(x):
    return unpack("f", pack("f", x))[0]

def torus(rings=100, sides=50):
    points, triangles = [], []
    for i in range(rings):
        for k in range(sides):
            u, v = 2 * pi * i / rings, 2 * pi * k / sides
            r = 1 + 0.3 * cos(v)
            points.append((r * cos(u), r * sin(u), 0.3 * sin(v)))
            a, b = i * sides + k, (i + 1) % rings * sides + k
            c, d = (i + 1) % rings * sides + (k + 1) % sides, i * sides + (k + 1) % sides
            triangles += [(a, b, c), (a, c, d)]
    return points, triangles

def box():
    points = [(x, y, z) for z in (0, 0.7) for y in (-0.1, 0.2) for x in (-1 / 3, 1 / 3)]
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (1, 3, 7, 5), (3, 2, 6, 7), (2, 0, 4, 6)]
    return points, [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]

for name, (points, triangles) in (("torus", torus()), ("box", box())):
    points = [tuple(as_float(x) for x in p) for p in points]
    data, at, cells = vtkPolyData(), vtkPoints(), vtkCellArray()
    for p in points:
        at.InsertNextPoint(p)
    for t in triangles:
        cells.InsertNextCell(3, t)
    data.SetPoints(at)
    data.SetPolys(cells)
    # The order in which an import numbers vertices is that of their first use.
    order = list(dict.fromkeys(v for t in triangles for v in t))
    number = {v: i + 1 for i, v in enumerate(order)}
    with open(f"{sys.argv[1]}/{name}.obj", "w") as f:
        f.writelines("v %.17g %.17g %.17g\n" % points[v] for v in order)
        f.writelines("f %d %d %d\n" % tuple(number[v] for v in t) for t in triangles)
    for writer, suffix, kinds in ((vtkSTLWriter, "stl", (("binary", "SetFileTypeToBinary"),)),
                                  (vtkPLYWriter, "ply",
                                   (("little", "SetDataByteOrderToLittleEndian"),
                                    ("big", "SetDataByteOrderToBigEndian")))):
        for kind, call in kinds:
            w = writer()
            w.SetInputData(data)
            w.SetFileName(f"{sys.argv[1]}/{name}_{kind}.{suffix}")
            w.SetFileTypeToBinary()
            getattr(w, call)()
            assert w.Write()
PY
check "VTK writes meshes" test -s "$work/scene/torus_big.ply"

# scene_of TORUS BOX: a torus standing on a box.
scene_of() {
  cat >"$work/scene/scene.json" <<JSON
{"schema": "touchstone scene", "version": 1, "name": "imported",
 "shapes": [{"name": "torus", "mesh": "$1"}, {"name": "box", "mesh": "$2"}],
 "bodies": [{"name": "box", "shape": "box", "is_fixed": true},
            {"name": "torus", "shape": "torus",
             "pose": {"rotation_wxyz": [1, 0, 0, 0], "translation_m": [1, 0, 0.99]}}]}
JSON
}
# hash_of_run: of the contacts that a method finds in the scene.
hash_of_run() {
  rm -rf "$work/results"
  run run --scene "$work/scene/scene.json" --method opposing --repeats 1 --quiet \
    --out "$work/results"
  is_status 0 && [ "$(rows "$work/results")" -gt 0 ] &&
    sed 's/^[^,]*,//' "$work/results/contacts.csv" >"$work/contacts"
}
scene_of torus.obj box.obj
check "a scene of OBJ runs" hash_of_run
check "and something touches" test "$(wc -l <"$work/contacts")" -gt 1
mv "$work/contacts" "$work/expected"
for form in binary.stl little.ply big.ply; do
  scene_of "torus_$form" "box_$form"
  check "a scene of $form runs" hash_of_run
  check "and gives the same contacts to the bit" cmp "$work/expected" "$work/contacts"
done

# mass_of CASE ARGUMENTS...: of all its bodies [kg].
mass_of() {
  "$touchstone" describe case "$@" 2>"$work/err" |
    awk '$1 ~ /^[0-9]+$/ && ($NF == "yes" || $NF == "no") { mass += $5 } END { print mass + 0 }'
}
# Our own glTF shows the truth too: an arrow, 0.01 % of the bodies' volume.
run export --case spikes --format gltf --out "$work/gltf"
cp "$work/gltf/scene.gltf" "$work/scene/"
scene_of scene.gltf scene.gltf
check "our own glTF comes back" awk -v once="$(mass_of spikes)" \
  -v twice="$(mass_of imported --scene "$work/scene/scene.json")" \
  'BEGIN { exit !(once > 0 && twice > 2 * once && twice < 2.001 * once) }'

# The buffers of a glTF file may be in its folder, and are part of what identifies the scene.
mkdir "$work/scene/parts"
"$vtk_python" - "$work/scene" <<'PY'
import base64, json, sys
folder = sys.argv[1]
with open(f"{folder}/scene.gltf") as f:
    scene = json.load(f)
for i, buffer in enumerate(scene["buffers"]):
    head, data = buffer["uri"].split(",", 1)
    with open(f"{folder}/parts/buffer {i}.bin", "wb") as f:
        f.write(base64.b64decode(data))
    buffer["uri"] = f"buffer%20{i}.bin"
with open(f"{folder}/parts/scene.gltf", "w") as f:
    json.dump(scene, f)
PY
scene_of scene.gltf scene.gltf
run describe --scene "$work/scene/scene.json"
mv "$work/out" "$work/whole"
scene_of parts/scene.gltf parts/scene.gltf
run describe --scene "$work/scene/scene.json"
check "buffers in other files are read" is_status 0
check "and are what they were" cmp "$work/whole" "$work/out"
mv "$work/scene/parts/buffer 0.bin" "$work/scene/buffer 0.bin"
refused "a buffer that is not beside its file" "parts/scene.gltf: it needs another file, and cannot" \
  run --scene "$work/scene/scene.json" --out "$work/none"
sed -i 's,buffer%200.bin,../buffer 0.bin,' "$work/scene/parts/scene.gltf"
refused "a buffer above its file" "leads out of the folder" \
  run --scene "$work/scene/scene.json" --out "$work/none"

refuses_mesh() { # WHAT WORD FILE
  scene_of "$3" box.obj
  refused "$1" "$2" run --scene "$work/scene/scene.json" --out "$work/none"
}
head -c 5000 "$work/scene/torus_binary.stl" >"$work/scene/cut.stl"
refuses_mesh "a mesh that is cut off" "cut.stl" cut.stl
head -c 5000 "$work/scene/torus_big.ply" >"$work/scene/cut.ply"
refuses_mesh "and one whose header says so" "announces" cut.ply
head -n 5 "$work/scene/torus.obj" >"$work/scene/words.glb"
refuses_mesh "a mesh that is none" "words.glb" words.glb
TOUCHSTONE_IMPORT=/nowhere/touchstone-import refuses_mesh "a mesh without the helper" \
  "libassimp-dev" scene.gltf
check "none of them leaves anything" is_absent "$work/none"

mkdir -p "$work/ipc/meshes" "$work/ipc/fixtures/3D"
cp "$work/scene/torus.obj" "$work/scene/box.obj" "$work/ipc/meshes"
cat >"$work/ipc/fixtures/3D/ring.json" <<'JSON'
{"scene_type": "distance_barrier_rb_problem", "timestep": 0.01,
 "rigid_body_problem": {"gravity": [0, -9.8, 0], "rigid_bodies": [
   {"mesh": "box.obj", "type": "static"},
   {"mesh": "torus.obj", "position": [1, 0, 0.99], "force": [1, 0, 0]}]}}
JSON
run run --scene "$work/ipc/fixtures/3D/ring.json" --method opposing --repeats 1 --quiet \
  --out "$work/ipc_results"
check "a scene of rigid-ipc runs" is_status 0
check "and has a row" test "$(rows "$work/ipc_results")" -gt 0
run describe case ipc_ring --scene "$work/ipc/fixtures/3D/ring.json"
check "keys that are not modelled are reported" out_has "forces"
sed -i 's,"torus.obj","../../meshes/torus.obj",' "$work/ipc/fixtures/3D/ring.json"
refused "a path that leads out" ".." run --scene "$work/ipc/fixtures/3D/ring.json" \
  --out "$work/none"
