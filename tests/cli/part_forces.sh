# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Scenes of deformable and rigid bodies: the forces on them, and their energies.
# covers: harness/simulation/soft_simulation.c sim/soft/soft_world.c
: "${work:?}" "${touchstone:?}" # set by run_cli.sh

mkdir "$work/held"
for i in 0 1 2 3 4 5 6 7; do
  awk -v i=$i 'BEGIN { printf "v %g %g %g\n", i % 2 * 0.2 - 0.1, int(i / 2) % 2 * 0.2 - 0.1, int(i / 4) * 0.2 - 0.1 }'
done >"$work/held/cube.obj"
cat >>"$work/held/cube.obj" <<'END'
f 2 1 4
f 2 4 6
f 2 6 1
f 3 4 1
f 3 1 7
f 3 7 4
f 5 1 6
f 5 6 7
f 5 7 1
f 8 6 4
f 8 4 7
f 8 7 6
END
# scene NAME FORCE_N: a deformable cube and a rigid one, 8 kg each, high above a floor, with that
# force up at both.
scene() {
  cat <<END
{"schema": "touchstone scene", "version": 1, "name": "$1", "truth": "untold",
 "shapes": [{"name": "floor", "box": {"size": [4, 1, 4]}},
            {"name": "cube", "mesh": "cube.obj", "tets": [[0, 5, 3, 6], [1, 3, 0, 5], [2, 0, 3, 6], [4, 5, 0, 6], [7, 3, 5, 6]]}],
 "bodies": [{"name": "floor", "shape": "floor", "is_fixed": true},
            {"name": "soft", "shape": "cube", "density_kg_m3": 1000, "pose": {"translation_m": [0, 5, 0]},
             "elastic": {"young_pa": 2e5, "poisson": 0.3}},
            {"name": "rigid", "shape": "cube", "density_kg_m3": 1000, "pose": {"translation_m": [1, 5, 0]}}],
 "forces": [{"body": "soft", "point_local_m": [0, 0, 0], "force_n": [0, $2, 0]},
            {"body": "rigid", "point_local_m": [0, 0, 0], "force_n": [0, $2, 0]}]}
END
}
# close FIELD EXPECTED ROWS: whether the last row has that value within a thousandth.
close() {
  python3 - "$@" <<'PY'
import csv, sys
row = list(csv.DictReader(open(sys.argv[3])))[-1]
expected, value = float(sys.argv[2]), float(row[sys.argv[1]])
sys.exit(row["outcome"] != "ok" or not abs(value - expected) <= max(1e-3 * abs(expected), 1e-18))
PY
}
# after_ten FORCE_N OPTIONS...: where ten time steps of 0.01 s lead.
after_ten() {
  scene held "$1" >"$work/held/scene.json"
  shift
  rm -rf "$work/of_held"
  run run --scene "$work/held/scene.json" --method vertex_only --steps 11 --repeats 1 --quiet \
    --out "$work/of_held" "$@"
  check "it runs" is_status 0
}
rows=$work/of_held/summary.csv

# g h^2 n (n + 1) / 2 is 0.05401 m and g h n is 0.982 m/s after ten steps.
after_ten 0
check "without a force both fall" close drift_m_max 0.05401 "$rows"
check "their potential energy is that of the way" close potential_energy_j -8.48606 "$rows"
check "and the kinetic one that of the speed" close kinetic_energy_j 7.71459 "$rows"
check "nothing is deformed" close elastic_energy_j 0 "$rows"
after_ten 157.12
check "twice the weight lifts both as fast as they fell" close potential_energy_j 8.48606 "$rows"
check "which the kinetic energy says, too" test "$(python3 - "$rows" <<'PY'
import csv, sys
row = list(csv.DictReader(open(sys.argv[1])))[-1]
print(7.7 < float(row["kinetic_energy_j"]) < 8.5, float(row["elastic_energy_j"]) > 1e-4)
PY
)" = "True True"
after_ten 157.12 --set scale=0.001
check "at a thousandth of the size alike" close potential_energy_j 8.48606e-15 "$rows"
