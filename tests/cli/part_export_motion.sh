# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Motions to look at: series of VTK files as VTK itself reads them, a glTF animation, and what is
# refused.
# covers: harness/export/export_motion.c harness/export/earlier_motion.c
# covers: harness/picture/cell_snapshot.c
: "${touchstone:?}" "${work:?}" "${here:?}" "${status:?}" # set by run_cli.sh

vtk_python=
for candidate in python3 /usr/bin/python3; do
  [ -n "$vtk_python" ] || ! "$candidate" -c 'import vtkmodules.vtkIOXML' 2>/dev/null ||
    vtk_python=$candidate
done
check "VTK for Python is there (python3-vtk9)" test -n "$vtk_python"
# points FILE: how many points VTK reads.
points() { "$vtk_python" "$here/read_vtk.py" "$1" 2>"$work/err" | sed -n 's/^points //p'; }
# column FILE NAME: count and sum of point data of that name.
column() { "$vtk_python" "$here/read_vtk.py" "$1" 2>"$work/err" | sed -n "s/^point $2 1 //p"; }

# sum_of_gaps FILE STEP: the same of contacts.csv.
sum_of_gaps() {
  python3 - "$@" <<'PY'
import csv, sys
rows = [float(r["gap_m"]) for r in csv.DictReader(open(sys.argv[1])) if r["step"] == sys.argv[2]]
print(len(rows), repr(round(sum(rows), 6)))
PY
}
not() { ! "$@"; }

run export --case pillar --method opposing --steps 8 --out "$work/pillar"
check "the export of a motion exits 0" is_status 0
check "and says nothing on standard error" is_quiet
check "it says how many frames and contacts there are" \
  grep -qE '^pillar by opposing, 8 frames up to step 8: 8 bodies, [0-9]+ (to [0-9]+ )?contacts$' \
  "$work/out"
check "there is no frame of a step 1" is_absent "$work/pillar/bodies_000001.vtp"
"$touchstone" run --case pillar --method opposing --steps 8 --repeats 1 --quiet \
  --out "$work/of_run" >"$work/out"
for step in 0 8; do # the steps with details in a run
  file=$(printf 'contacts_%06d.vtp' "$step")
  expected=$(grep -c ",pillar,opposing,$step," "$work/of_run/contacts.csv")
  check "step $step has the contacts of the run" \
    test "$(points "$work/pillar/$file")" = "$expected"
  check "VTK reads the bodies of step $step" \
    test "$(points "$work/pillar/$(printf 'bodies_%06d.vtp' "$step")")" -gt 0
done
# times FILE: those of a collection.
times() { sed -n 's/.*timestep="\([^"]*\)".*/\1/p' "$1" | tr '\n' ' '; }
check "frames have the times of the poses of the run" \
  test "$(times "$work/pillar/bodies.pvd")" = "$(python3 - "$work/of_run/poses.csv" <<'PY'
import csv, sys
rows = csv.DictReader(open(sys.argv[1]))
print(*dict.fromkeys(["0"] + [r["time_s"] for r in rows]), end=" ")
PY
)"
run export --case pillar --method opposing --step 8 --format vtk --out "$work/state"
check "a frame is the export of its step" \
  cmp "$work/state/bodies.vtp" "$work/pillar/bodies_000008.vtp"
check "with the same contacts" cmp "$work/state/contacts.vtp" "$work/pillar/contacts_000008.vtp"

cat >"$work/check.py" <<'PY'
"""check.py FOLDER: collections name files that are there, in order of time; the animation of the
glTF has a time for each frame, and all that it points to."""
import base64, json, struct, sys, xml.etree.ElementTree as xml
from pathlib import Path
folder = Path(sys.argv[1])
series = {}
for name in ("bodies", "contacts"):
    frames = list(xml.parse(folder / f"{name}.pvd").iter("DataSet"))
    assert all((folder / f.get("file")).is_file() for f in frames), "a frame is not there"
    series[name] = [float(f.get("timestep")) for f in frames]
    assert series[name] == sorted(set(series[name])), "times do not ascend"
    assert len(frames) == len(list(folder.glob(f"{name}_*.vtp"))), "a frame is in no collection"
assert series["bodies"] == series["contacts"]
gltf = json.loads((folder / "motion.gltf").read_text())
data = base64.b64decode(gltf["buffers"][0]["uri"].split(",")[1])
assert len(data) == gltf["buffers"][0]["byteLength"]
def values(index):
    accessor = gltf["accessors"][index]
    view = gltf["bufferViews"][accessor["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    assert view["byteLength"] == 4 * width * accessor["count"]
    return struct.unpack_from(f"<{width * accessor['count']}f", data, view["byteOffset"])
widths = {"translation": 3, "rotation": 4, "scale": 3}
(animation,) = gltf["animations"]
longest = []
for channel in animation["channels"]:
    sampler = animation["samplers"][channel["sampler"]]
    node = gltf["nodes"][channel["target"]["node"]]
    path = channel["target"]["path"]
    times, output = values(sampler["input"]), values(sampler["output"])
    longest = max(longest, times, key=len)
    width = widths.get(path) or len(gltf["meshes"][node["mesh"]]["weights"])
    assert len(output) == width * len(times), (node["name"], path)
    assert all(a < b for a, b in zip(times, times[1:])), "keys do not ascend"
assert all(abs(a - b) < 1e-6 for a, b in zip(longest, series["bodies"])), "times differ"
assert len(longest) == len(series["bodies"])
print(len(longest), "frames", sum("targets" in m["primitives"][0] for m in gltf["meshes"]), "morph")
PY
check "collections and animation agree" \
  test "$(python3 "$work/check.py" "$work/pillar")" = "8 frames 0 morph"

set -- --case soft_block --method closest_points --set response=warped --steps 12
run export "$@" --every 4 --out "$work/block"
check "deformable bodies move, too" is_status 0
check "with a frame every few steps" \
  test "$(cd "$work/block" && echo bodies_*)" = \
  "bodies_000000.vtp bodies_000005.vtp bodies_000009.vtp"
check "found at the ends of the time steps" \
  test "$(times "$work/block/bodies.pvd")" = "0 0.04 0.08 "
check "and a shape for each of them" \
  test "$(python3 "$work/check.py" "$work/block")" = "3 frames 1 morph"
check "the block is where it was built at first" \
  test "$(points "$work/block/bodies_000000.vtp")" = "$(points "$work/block/bodies_000009.vtp")"
check "and not later" not cmp -s "$work/block/bodies_000000.vtp" "$work/block/bodies_000009.vtp"
"$touchstone" run --case soft_block --method closest_points --set response=warped --steps 9 \
  --repeats 1 --quiet --out "$work/of_block" >"$work/out"
check "its gaps are those of the run" test "$(column "$work/block/contacts_000009.vtp" gap_m)" = \
  "$(sum_of_gaps "$work/of_block/contacts.csv" 9)"
run export "$@" --every 4 --out "$work/again"
check "a second export has the same bytes" diff -r "$work/block" "$work/again"
run export "$@" --every 11 --format vtk --out "$work/block" --force
check "--force replaces a motion" is_status 0
check "and removes frames of the earlier one" \
  test "$(cd "$work/block" && echo contacts_*)" = "contacts_000000.vtp contacts_000012.vtp"
check "and its animation" is_absent "$work/block/motion.gltf"
check "and says how many" out_has "removed: 5 other files of the earlier motion"
check "the rest is that of a new folder" \
  test "$(cd "$work/block" && echo *)" = \
  "bodies.pvd bodies_000000.vtp bodies_000012.vtp contacts.pvd contacts_000000.vtp contacts_000012.vtp"
for name in bodies_000099.vtp contacts_000005.vtp motion.gltf; do
  echo mine >"$work/block/$name"
done
run export "$@" --every 4 --format vtk --out "$work/block" --force
check "it replaces files of the same names" not grep -q mine "$work/block/contacts_000005.vtp"
check "and nothing that export has not written" \
  test "$(cat "$work/block/bodies_000099.vtp" "$work/block/motion.gltf")" = "mine
mine"
mkdir "$work/block/contacts_000012.vtp"
cp -r "$work/block" "$work/block_before"
run export "$@" --every 11 --format vtk --out "$work/block" --force
check "a folder in the place of a file is refused" is_status 2
check "with its name" err_has "contacts_000012.vtp: Is a directory"
check "and all else is as it was" diff -r "$work/block_before" "$work/block"
rmdir "$work/block/contacts_000012.vtp"
run export --case pillar --method opposing --steps 3 --format gltf --out "$work/block" --force
check "an animation replaces the frames" \
  test "$(cd "$work/block" && echo *)" = "bodies_000099.vtp motion.gltf"

mkdir -p "$work/killed/.draft-4000000/inner"
echo half >"$work/killed/.draft-4000000/inner/bodies.pvd"
run export --case pillar --method opposing --steps 3 --format gltf --out "$work/killed"
check "what a killed export has left does not make a folder full" is_status 0
check "and goes" test "$(ls -A "$work/killed")" = motion.gltf

cat >"$work/kill.py" <<'PY'
"""kill.py PROGRAM FOLDER OLD NEW COUNT: kills replacements of the motion in OLD by that in NEW at
different moments, before and after the first file of OLD goes, and checks what a viewer opens then:
the old motion, the new one, or none."""
import os, shutil, signal, subprocess, sys, time
from pathlib import Path
program, folder, old, new = sys.argv[1], *(Path(p) for p in sys.argv[2:5])
command = [program, "export", "--case", "spikes", "--method", "opposing", "--steps", "40",
           "--format", "vtk", "--out", str(folder), "--force"]
def read(path):
    return {p.name: p.read_bytes() for p in path.iterdir() if p.is_file()}
whole = {"old": read(old), "new": read(new)}
names = [n for n in os.listdir(new) if n.endswith(".pvd")]
states = []
for i in range(200):
    if i >= int(sys.argv[5]) and "none" in states:
        break
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(old, folder)
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    if i % 4 == 0:
        while child.poll() is None and not any(folder.glob(".draft-*")):
            pass
    else:
        earlier = os.stat(folder / "bodies.pvd").st_ino
        while child.poll() is None:
            try:
                if os.stat(folder / "bodies.pvd").st_ino != earlier:
                    break
            except FileNotFoundError:
                break
    time.sleep(i % 16 * 0.0001)
    child.send_signal(signal.SIGKILL)
    child.wait()
    there = read(folder)
    for name in names:
        if name in there:
            of = "old" if there[name] == whole["old"][name] else "new"
            stem = name.split(".")[0] + "_"
            for frame, text in whole[of].items():
                if frame.startswith(stem):
                    assert there.get(frame) == text, f"{frame} is not of the {of} motion"
    states.append("none" if not any(n in there for n in names) else of)
subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
assert not any(folder.glob(".draft-*")), "a draft stays"
assert all((folder / n).read_bytes() == t for n, t in whole["new"].items())
assert "none" in states, f"none was killed amid the replacement: {states}"
print("ok", *states)
PY
"$touchstone" export --case spikes --method opposing --steps 40 --every 2 --format vtk \
  --set gravity_m_s2=5 --out "$work/old" >"$work/out"
"$touchstone" export --case spikes --method opposing --steps 40 --format vtk --out "$work/new" \
  >"$work/out"
check "an export killed while replacing another leaves no collection of two motions" \
  python3 "$work/kill.py" "$touchstone" "$work/replaced" "$work/old" "$work/new" 16

# ended SIGNAL ARGUMENTS...: as run, but sends the program the signal once it handles it.
ended() {
  local signal=$1 child tries=0
  shift
  env --default-signal="$signal" "$touchstone" "$@" >"$work/out" 2>"$work/err" &
  child=$!
  until { [ "/proc/$child/exe" -ef "$touchstone" ] &&
    grep -q '^SigCgt:.*[4-7c-f]...$' "/proc/$child/status"; } || [ $((tries += 1)) -gt 1200 ]; do
    sleep 0.05
  done
  kill -s "$signal" "$child"
  wait "$child"
  status=$?
}
ended INT export --case spikes --method control_hang --steps 9 --out "$work/x"
check "an interrupted export ends by the signal" is_status 130
check "and says that there is nothing" err_has "touchstone: interrupted; nothing was written"
ended TERM export --case spikes --method control_hang --out "$work/x"
check "so does one of a state" is_status 143
check "likewise" err_has "touchstone: interrupted; nothing was written"

run export --case soft_block --method closest_points --step 9 --format scene --out "$work/moment"
check "a moment with deformed bodies is a scene" is_status 0
run describe --scene "$work/moment/scene.json"
check "which reads" is_status 0
check "with the mesh as it is" test -f "$work/moment/deformed_1.obj"
check "and rigid bodies" not grep -q elastic "$work/moment/scene.json"

refused "a motion without a method" "--method NAME" export --case wall --steps 9 --out "$work/x"
refused "a motion of no step" "the first step of a motion is 2" export --case wall \
  --method growth --steps 1 --out "$work/x"
refused "a state and a motion" "give one of them" export --case wall --method growth --step 3 \
  --steps 9 --out "$work/x"
refused "frames of a state" "add --steps N" export --case wall --every 3 --out "$work/x"
refused "a motion of one frame" "give 8 or less" export --case wall --method growth --steps 9 \
  --every 9 --out "$work/x"
refused "a motion of less than a frame" "give 8 or less" export --case wall --method growth \
  --steps 9 --every 1000 --out "$work/x"
refused "a picture of a motion" "shows one state" export --case wall --method growth --steps 9 \
  --format svg --out "$work/x"
refused "a scene of a motion" "shows one state" export --case wall --method growth --steps 9 \
  --format vtk,scene --out "$work/x"
refused "a motion that is too large" "add --every" export --case wall --method growth \
  --steps 1000000 --out "$work/x"
every=$(sed -n 's/.*add --every \([0-9]*\).*/\1/p' "$work/err")
check "with a number of steps that does" test "$every" -gt 1
run export --case soft_block --method intersection_tets --steps 10 --out "$work/x"
check "nor does one that fails in a later step" is_status 3
check "it says in which, and why" grep -q "in step [0-9]*: body block has deformed" "$work/err"
run export --case spikes --method control_hang --steps 9 --time-limit 1 --out "$work/x"
check "a method that hangs gives no motion" is_status 3
check "none of them leaves anything" is_absent "$work/x"
