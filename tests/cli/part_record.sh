# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# The example that records Bullet's own simulation, built in single and double precision.
# covers: examples/record/record_bullet.cc
: "${work:?}" "${here:?}" "${status:?}" "${touchstone:?}" # set by run_cli.sh

folder=$here/../../examples/record
packages=()
for package in bullet bullet-float64; do
  ! pkg-config --exists "$package" 2>"$work/err" || packages+=("$package")
done
[ ${#packages[@]} -gt 0 ] || skip "Bullet is missing: install libbullet-dev and pkg-config"
check "Python is there (python3)" command -v python3

quietly() { "$@" >"$work/out" 2>"$work/err"; }

# record ARGUMENTS...: runs the recorder; leaves $work/out, $work/err and $status.
record() {
  "$recorder" "$@" >"$work/out" 2>"$work/err"
  status=$?
}
# A message of one line that contains the word.
record_refuses() {
  is_status 2 && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q '^record_bullet: ' "$work/err" &&
    err_has "$1" && [ ! -s "$work/out" ]
}

# is_recording FOLDER STEPS: its files are what docs/score.md says, and physics.
is_recording() {
  python3 - "$@" >"$work/out" 2>"$work/err" <<'PY'
import csv, json, math, os, sys

folder, steps = sys.argv[1], int(sys.argv[2])
scene = json.load(open(os.path.join(folder, "scene.json")))
names = [body["name"] for body in scene["bodies"]]
moving = [body["name"] for body in scene["bodies"] if not body["is_fixed"]]
assert len(names) == 6 and len(moving) == 5, names
half = {}
for shape in scene["shapes"]:
    lines = [line.split() for line in open(os.path.join(folder, shape["mesh"]))]
    vertices = [[float(x) for x in line[1:]] for line in lines if line[0] == "v"]
    half[shape["name"]] = [max(v[k] for v in vertices) for k in range(3)]

def read(name, header):
    data = open(os.path.join(folder, name), "rb").read()
    assert data.endswith(b"\n") and b"\r" not in data, name
    assert data.split(b"\n")[0].decode() == header, data.split(b"\n")[0]
    rows = list(csv.DictReader(data.decode().splitlines()))
    at = [int(row["step"]) for row in rows]
    assert at == sorted(at) and set(at) == set(range(steps)), at
    return [[row for row in rows if int(row["step"]) == step] for step in range(steps)]

def vector(row, *columns):
    return [float(row[column]) for column in columns]

def length(v):
    return math.sqrt(sum(x * x for x in v))

def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

poses = read("poses.csv", "step,time_s,body,position_x_m,position_y_m,position_z_m,"
             "rotation_w,rotation_x,rotation_y,rotation_z,velocity_x_m_s,velocity_y_m_s,"
             "velocity_z_m_s,angular_x_rad_s,angular_y_rad_s,angular_z_rad_s")
contacts = read("contacts.csv", "step,body_a,body_b,point_x_m,point_y_m,point_z_m,"
                "normal_x,normal_y,normal_z,gap_m,impulse_kg_m_s,id")

pose_at = []
for step, rows in enumerate(poses):
    assert [row["body"] for row in rows] == moving, rows
    here = {body["name"]: (body["pose"]["translation_m"], body["pose"]["rotation_wxyz"])
            for body in scene["bodies"]}
    for row in rows:
        assert abs(float(row["time_s"]) - step / 60) < 1e-12, row
        pose = (vector(row, "position_x_m", "position_y_m", "position_z_m"),
                vector(row, "rotation_w", "rotation_x", "rotation_y", "rotation_z"))
        assert abs(length(pose[1]) - 1) < 1e-6, row
        assert step > 0 or pose == here[row["body"]], row  # as built, to the bit
        here[row["body"]] = pose
    pose_at.append(here)

def off_plane(name, step, point):
    """Distance of a point from the plane of a box's top or bottom. Along the plane a point that
    Bullet keeps may be off by its breaking threshold."""
    position, q = pose_at[step][name]
    v = [point[k] - position[k] for k in range(3)]
    t = [2 * x for x in cross([-x for x in q[1:]], v)]
    u = cross([-x for x in q[1:]], t)
    local = [v[k] + q[0] * t[k] + u[k] for k in range(3)]
    return abs(abs(local[1]) - half[name][1])

pairs_of_ids, worst = {}, 0.0
for step, rows in enumerate(contacts):
    assert len(rows) == 20, (step, len(rows))  # four a pair
    ids = [int(row["id"]) for row in rows]
    assert len(set(ids)) == len(ids), ids
    for row in rows:
        a, b = names.index(row["body_a"]), names.index(row["body_b"])
        assert b == a + 1, row
        # A resting contact keeps its id: each has all the time been of the same pair.
        assert step == 0 or row["id"] in pairs_of_ids, row
        assert pairs_of_ids.setdefault(row["id"], (a, b)) == (a, b), row
        normal = vector(row, "normal_x", "normal_y", "normal_z")
        assert abs(length(normal) - 1) < 1e-6 and normal[1] > 0.999, row  # from low to high
        gap = float(row["gap_m"])
        assert abs(gap) < (1e-6 if step == 0 else 2e-3), row
        # The two surfaces are half a gap away at the poses of this step.
        point = vector(row, "point_x_m", "point_y_m", "point_z_m")
        for name, side in ((row["body_a"], -1), (row["body_b"], 1)):
            witness = [point[k] + side * gap / 2 * normal[k] for k in range(3)]
            worst = max(worst, off_plane(name, step, witness))
        assert float(row["impulse_kg_m_s"]) >= 0, row
assert worst < 2e-6, worst
moved = length([x - y for x, y in zip(pose_at[1]["box_5"][0], pose_at[0]["box_5"][0])])
assert moved > 1e-4, moved  # the poses after the step would not have passed

# At rest the ground bears the weight.
weight = sum(8 * math.prod(half[name]) for name in moving) * 1000 * 10 / 60
borne = sum(float(row["impulse_kg_m_s"]) for row in contacts[-1] if row["body_a"] == "ground")
assert abs(borne / weight - 1) < 0.05, (borne, weight)
PY
}

for package in "${packages[@]}"; do
  recorder=$work/record_$package out=$work/$package
  read -ra flags < <(pkg-config --cflags --libs "$package")
  check "the recorder builds with $package, without a warning" quietly "${CXX:-c++}" -std=c++17 \
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -o "$recorder" "$folder/record_bullet.cc" \
    "${flags[@]/#-I/-isystem}"
  record "$out" 20
  check "it records" is_status 0
  check "and says what" out_has "scene.json, poses.csv and contacts.csv: 6 bodies, 20 steps, 400 contacts"
  check "what it wrote is in order" is_recording "$out" 20
  run run --quiet --scene "$out/scene.json" --method semi_local --steps 1 --repeats 1 \
    --out "$work/of_$package"
  check "its scene is run" is_status 0
  check "and has a truth" same_text "$(column "$work/of_$package/summary.csv" quality_percent) $(
    column "$work/of_$package/summary.csv" coverage_percent)" "100 100"
  run score "$out/scene.json" "$out/contacts.csv" --step 0
  check "at first the contacts are right" out_has "20 contacts: 20 correct"
  run score "$out/scene.json" "$out/contacts.csv" --poses "$out/poses.csv" --touch 1e-6 \
    --name bullet --results "$work/scored_$package"
  check "all steps are scored" is_status 0
  check "which is said" out_has "bullet on bullet_stack: 20 steps, 0 to 19"
  sequence=$work/scored_$package/summary.csv
  check "a row for each" same_text "$(rows "$work/scored_$package")" 20
  check "no contact is wrong at the poses of its step" same_text "$(
    for name in quality_percent coverage_percent excess_factor gaps_wrong phantom pairs_unknown; do
      column "$sequence" $name | sort -u
    done | xargs)" "100 100 1 0 0 0"
  check "contacts keep their ids" same_text \
    "$(column "$sequence" features_kept_percent step=19)" 100
  check "and follow their bodies" same_text \
    "$(column "$sequence" stale_percent_mean step=19)" 0
  # The contacts of the first step for ever.
  awk -F, -v OFS=, 'NR == 1 { print } NR > 1 && $1 == 0 { line[NR] = $0 }
    END { for (step = 0; step < 20; step++) for (i = 2; i in line; i++) {
      $0 = line[i]; $1 = step; print } }' "$out/contacts.csv" >"$work/stale.csv"
  run score "$out/scene.json" "$work/stale.csv" --poses "$out/poses.csv" --touch 1e-6 \
    --results "$work/stale_$package"
  check "contacts of another step are scored, too" is_status 0
  check "and are stale" same_text \
    "$(column "$work/stale_$package/summary.csv" stale_percent_mean step=19)" 100
  check "with wrong gaps" test \
    "$(column "$work/stale_$package/summary.csv" gaps_wrong step=19)" -gt 5
  run score "$out/scene.json" "$out/contacts.csv" --poses "$out/poses.csv" --touch 1e-6 --step 19
  check "a step is shown by itself" out_has "every region is covered (5)"
done

# Bullet puts its bodies to sleep after two seconds, and solves nothing from then on.
record "$work/asleep" 130
check "asleep bodies are recorded" is_status 0
check "without impulses that are not of the step" same_text \
  "$(column "$work/asleep/contacts.csv" impulse_kg_m_s step=129 | sort -u)" nan

record
check "no folder is refused" record_refuses "usage: record_bullet OUT [STEPS]"
record --help
check "and an option" record_refuses "usage: record_bullet OUT [STEPS]"
record "$work/never" 0
check "no steps are refused" record_refuses "STEPS is 0: name a number from 1"
record "$work/never" 10x
check "and what is no number" record_refuses "STEPS is 10x"
check "and nothing is written" is_absent "$work/never"
record "$out"
check "a folder with files is refused" record_refuses "is not empty: name a new folder"
record "$out/scene.json"
check "and a file" record_refuses "cannot make the folder"
mkdir "$work/empty"
record "$work/empty" 1
check "an empty folder is taken" test -s "$work/empty/poses.csv"

# The CMake file beside it.
check "it builds with CMake" quietly cmake -G Ninja -S "$folder" -B "$work/by_cmake" -DBULLET="${packages[0]}" \
  -DCMAKE_CXX_COMPILER="${CXX:-c++}"
check "to a program" quietly cmake --build "$work/by_cmake"
"$work/by_cmake/record_bullet" "$work/again" 20 >"$work/out" 2>"$work/err"
check "that records the same" quietly diff -r "$work/again" "$work/${packages[0]}"
