# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# The faults of packaged engines in examples/faults: the truth has the depth that was computed by
# other means, the engine is blamed in the column that faults.csv names, on its own shapes, and
# another method is right, so that it is the engine and not the judge. Fails when an engine is repaired.
# covers: cases/truth/derived_truth.c cases/truth/curved_truth.c harness/judge/judge.c
: "${here:?}" "${work:?}" "${touchstone:?}" # set by run_cli.sh

faults=$here/../../examples/faults

engines='mujoco|libccd_gjk|libccd_mpr|fcl_convex|bullet_hull|ode_trimesh'
run list methods --engines
missing=$(grep -E "^($engines) .*not available" "$work/out" | cut -d ' ' -f 1 | tr '\n' ' ')
[ -z "$missing" ] || skip "these engines are not built: $missing"

files=()
for folder in "$faults"/*/; do files+=(--scene "$folder/scene.json"); done
run run "${files[@]}" --engines --controls --method "control_ideal|semi_local|$engines" --steps 1 \
  --repeats 1 --out "$work/all"
check "all scenes run with all methods" is_status 0
rows=$work/all/summary.csv contacts=$work/all/contacts.csv

# value COLUMN METHOD: of the row of $scene.
value() { column "$rows" "$1" "case=$scene" "method=$2"; }

# is_deep METRES: the deepest contact of the truth is that deep. The table has nine digits.
is_deep() {
  column "$contacts" gap_m "case=$scene" method=control_ideal |
    awk -v depth="$1" '!count++ || $1 < least { least = $1 }
      END { exit !(count && least + depth < 2e-9 && least + depth > -2e-9) }'
}

# is_blamed COLUMN METHOD: normals off by more than 5 degrees, or a count of faults.
is_blamed() {
  value "$1" "$2" | awk -v least="$([ "$1" = normal_error_deg_max ] && echo 5 || echo 0)" '
    { count++; blamed = $1 != "nan" && $1 > least } END { exit !(count == 1 && blamed) }'
}

# is_right METHOD: it may have fewer contacts than the least, as engines with one contact a pair do.
is_right() {
  local name
  for name in quality_percent coverage_percent; do
    [ "$(value $name "$1")" = 100 ] || return 1
  done
  for name in phantom regions_missed gaps_wrong normals_flipped normals_invalid speculative_wrong; do
    [ "$(value $name "$1")" = 0 ] || return 1
  done
}

while IFS=, read -r scene depth_m method blamed right_method; do
  check "$scene is $depth_m m deep" is_deep "$depth_m"
  check "where $method is blamed in $blamed" is_blamed "$blamed" "$method"
  check "on its own shapes" test -n "$(value shapes_native "$method")"
  check "while $right_method is right" is_right "$right_method"
  check "and so is the truth itself" is_right control_ideal
done < <(tail -n +2 "$faults/faults.csv")
check "each scene is in the table once" same_text "$(tail -n +2 "$faults/faults.csv" | cut -d , -f 1 |
  sort)" "$(cd "$faults" && printf '%s\n' */ | tr -d /)"

# What an engine writes about its contacts would be in its times.
run run --case tori --set triangles=3000 --engines --method ode_trimesh --set ode_trimesh.max_contacts=65535 \
  --steps 1 --repeats 1 --quiet --out "$work/many"
check "more contacts than the hash table of ODE has room for" \
  test "$(column "$work/many/summary.csv" contacts_delivered method=ode_trimesh)" -gt 300
check "of which it writes nothing" test ! -s "$work/err"
