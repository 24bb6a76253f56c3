# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What methods must not notice: relations of scenes, and which violations are expected.
# covers: harness/relations/relate_command.c harness/relations/relate_cell.c
# covers: harness/relations/relate_run.c harness/relations/relate_review.c
# covers: harness/relations/relate_text.c harness/relations/relate_look.c
: "${touchstone:?}" "${work:?}" "${status:?}" # set by run_cli.sh

faults=$(dirname "$touchstone")/tests/plugins/plug_faults.so
run relate --method 'closest_points|semi_local|bullet_hull' --engines --case 'spikes|cliff_edges' --out "$work/rows.csv"
check "expected violations are fine" is_status 0
check "semi_local keeps all" grep -qE '^semi_local +0 +0 +0 +0 +0 +0$' "$work/out"
check "there is a row for each case, method and relation" \
  same_text "$(($(wc -l <"$work/rows.csv") - 1))" "$((2 * 3 * 6))"
run relate --method 'closest_points|semi_local|bullet_hull' --engines --case 'spikes|cliff_edges' --jobs 1 \
  --out "$work/again.csv"
check "one job finds the same" cmp -s "$work/rows.csv" "$work/again.csv"
run relate --method closest_points --case cliff_edges --relation split --look "$work/look"
check "a pair can be looked at" is_status 0
check "as pictures" test -n "$(find "$work/look" -name '*.svg')"
run relate --plugin "$faults" --method 'plug_crash|plug_fine' --case spikes
check "a method that crashes is a row" is_status 3
check "which says so" grep -q 'plug_crash.*crashed' "$work/out"
check "and in which scene" out_has "in the scene as built"
run relate --plugin "$faults" --method plug_fine --case 'spikes|cliff_edges'
check "none of a plug-in is expected" is_status 1
run list relations
check "relations are listed, with what is expected" out_has "closest_points"

refused "a method that is not there" "nothing" relate --method nothing
refused "a relation that is not there" "nothing" relate --relation nothing
refused "a file that exists" "--force" relate --method semi_local --case spikes --out "$work/rows.csv"
