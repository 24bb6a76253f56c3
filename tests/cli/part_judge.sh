# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# One contact made wrong in a set that is right: its flag, its verdict, and the gate.
# covers: harness/commands/score.c harness/commands/gate.c harness/commands/gate_junit.c
# covers: reports/rows/contact_kind.c reports/rows/contacts_at_fault.c harness/score/score_rows.c
: "${here:?}" "${work:?}" "${status:?}" # set by run_cli.sh

check "Python is there (python3)" command -v python3

# Two unit cubes, one on the other, and the same 0.5 mm apart.
cat >"$work/cube.obj" <<'EOF'
v -0.5 -0.5 -0.5
v 0.5 -0.5 -0.5
v 0.5 0.5 -0.5
v -0.5 0.5 -0.5
v -0.5 -0.5 0.5
v 0.5 -0.5 0.5
v 0.5 0.5 0.5
v -0.5 0.5 0.5
f 1 4 3
f 1 3 2
f 5 6 7
f 5 7 8
f 1 2 6
f 1 6 5
f 2 3 7
f 2 7 6
f 3 4 8
f 3 8 7
f 4 1 5
f 4 5 8
EOF
scene() { # NAME HEIGHT
  cat >"$work/$1.json" <<EOF
{"schema": "touchstone scene", "version": 1, "name": "$1", "summary": "Two cubes.", "truth": "derived",
 "shapes": [{"name": "cube", "mesh": "cube.obj"}],
 "bodies": [{"name": "low", "shape": "cube", "is_fixed": true},
            {"name": "high", "shape": "cube", "pose": {"translation_m": [0, $2, 0]}}]}
EOF
}
scene touching 1
scene apart 1.0005

header=body_a,body_b,point_x_m,point_y_m,point_z_m,normal_x,normal_y,normal_z,gap_m
corners="low,high,-0.5,0.5,0.5,0,1,0,0
low,high,0.5,0.5,-0.5,0,1,0,0
low,high,0.5,0.5,0.5,0,1,0,0"
first=low,high,-0.5,0.5,-0.5,0,1,0,0

# contacts ROW...: the other three corners, and these.
contacts() { printf '%s\n' "$header" "$corners" "$@" >"$work/contacts.csv"; }

# flags: the letters at the end of the row of the table, sorted.
flags() { awk '/^touching|^apart/ && NF == 6 { print $6 }' "$work/out"; }

contacts $first
run score "$work/touching.json" "$work/contacts.csv" --name mine --results "$work/right"
check "right contacts are all correct" out_has "4 contacts: 4 correct"
check "without a flag" same_text "$(flags)" ""
check "and none is listed" test "$(grep -c 'at fault' "$work/out")" -eq 0
run gate "$work/right" --baseline "$work/baseline.csv" --update

# judged WHAT KIND FLAGS COLUMN ROW...: contacts with these rows have that kind and no other, those
# flags, and break the rule about the column.
judged() {
  local what=$1 kind=$2 flags=$3 column=$4
  shift 4
  contacts "$@"
  rm -rf "$work/wrong" "$work/verdicts.csv"
  run score "$work/touching.json" "$work/contacts.csv" --name mine --results "$work/wrong" \
    --out "$work/verdicts.csv"
  check "$what has the flags: ${flags:-none}" same_text "$(flags)" "$flags"
  if [ -n "$kind" ]; then
    check "its verdict names the fault" same_text "$(grep -c ",$kind\$" "$work/verdicts.csv")" 1
    check "and listed" test "$(grep -A1 '^contacts at fault, worst first:$' "$work/out" | wc -l)" -eq 2
  fi
  check "others stay as they are" test "$(grep -c ',correct$' "$work/verdicts.csv")" -ge 3
  run gate "$work/wrong" --baseline "$work/baseline.csv" --junit "$work/junit.xml"
  check "the gate fails" is_status 1
  check "by its column" out_has "rule: $column may not"
  if [ -n "$kind" ]; then
    check "and JUnit shows it" grep -q 'contacts at fault, the worst 1 of 1:' "$work/junit.xml"
  fi
}
judged "a depth of a third" gap_wrong g gaps_wrong low,high,-0.5,0.5,-0.5,0,1,0,-0.35
judged "a depth of a micrometre and a half" gap_wrong g gaps_wrong low,high,-0.5,0.5,-0.5,0,1,0,-1.5e-6
judged "a depth without end" gap_wrong g gaps_wrong low,high,-0.5,0.5,-0.5,0,1,0,-inf
judged "a gap that is no number" gap_wrong g gaps_wrong low,high,-0.5,0.5,-0.5,0,1,0,nan
judged "a gap where bodies touch" speculative_wrong an speculative_wrong low,high,-0.5,0.5,-0.5,0,1,0,0.35
judged "a normal that points to a" flipped f normals_flipped low,high,-0.5,0.5,-0.5,0,-1,0,0
judged "a normal that is off" incorrect "" normal_error_deg_max low,high,-0.5,0.5,-0.5,0,0.8,0.6,0
judged "a normal that is no number" incorrect in normals_invalid low,high,-0.5,0.5,-0.5,nan,nan,nan,0
judged "a point beside the touch" phantom pn phantom low,high,-0.7,0.5,-0.5,0,1,0,0
judged "a corner without a contact" "" n contacts_missing
judged "one more, far away, a little ahead" speculative_wrong a speculative_wrong $first \
  low,high,40,0.5,0,1,0,0,1e-5
judged "the same contact again, a hair deeper" gap_wrong g gaps_wrong $first \
  low,high,-0.5,0.5,-0.5,0,1,0,-2e-6

contacts $first
rm -rf "$work/wrong"
run score "$work/touching.json" "$work/contacts.csv" --name mine --results "$work/wrong" \
  --envelope dilated:1
run gate "$work/wrong" --baseline "$work/baseline.csv"
check "a larger envelope does not pass" is_status 1
check "unseen" out_has "rule: envelope may not change"

# Ahead of a touch there is one right answer.
ahead() { # WHAT KIND POINT,NORMAL,GAP
  printf '%s\n' "$header" "low,high,$3" >"$work/contacts.csv"
  rm -f "$work/verdicts.csv"
  run score "$work/apart.json" "$work/contacts.csv" --out "$work/verdicts.csv"
  check "ahead of a touch, $1 is $2" test "$(grep -c ",$2\$" "$work/verdicts.csv")" -eq 1
  case $2 in
    speculative) check "without a flag" same_text "$(flags)" "" ;;
    *) check "and has a flag" same_text "$(flags)" a ;;
  esac
}
ahead "the right contact" speculative 0.5,0.50025,0.5,0,1,0,0.0005
ahead "one on a surface" speculative 0.2,0.5,0.1,0,1,0,0.0005
ahead "the other normal" speculative_wrong 0,0.50025,0,0,-1,0,0.0005
ahead "a sideways normal" speculative_wrong 0,0.50025,0,1,0,0,0.0005
ahead "a gap ten times as large" speculative_wrong 0,0.50025,0,0,1,0,0.005
ahead "a point far away" speculative_wrong 40,0.50025,0,0,1,0,0.0005

# The same kinds of faults in other shapes, sizes and poses: an L of 2 mm, roofs of many metres ridge
# along ridge, a tip on a tip, and a block in a U that it does not touch yet. Each file of contacts
# says what is expected of each.
for file in "$here"/../cases/scenes/*/contacts.csv; do
  name=$(basename "$(dirname "$file")")
  rm -f "$work/verdicts.csv"
  run score "${file%/*}/scene.json" "$file" --out "$work/verdicts.csv"
  check "contacts in $name are scored" is_status 0
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { print FNR, $at["expected"] >"/dev/stdout"; print FNR, $at["kind"] >"/dev/stderr" }
    ' "$work/verdicts.csv" >"$work/expected" 2>"$work/is"
  check "and each is what is expected" diff "$work/expected" "$work/is"
  check "all of them" same_text "$(wc -l <"$work/is")" "$(($(wc -l <"$file") - 1))"
done

# What is wrong with a set breaks the gate there, too.
l=$here/../cases/scenes/l_on_table
run run --scene "$l/scene.json" --controls --method control_ideal --steps 1 --repeats 1 --out "$work/l"
run score "$l/scene.json" "$work/l/contacts.csv" --name mine --results "$work/l_right"
check "the contacts of an L are right" same_text "$(right mine "$work/l_right")" "1 of 1"
run gate "$work/l_right" --baseline "$work/l.csv" --update
# breaks WHAT COLUMN OPTIONS-OF-SCORE... with $work/contacts.csv
breaks() {
  local what=$1 column=$2
  shift 2
  rm -rf "$work/wrong"
  run score "$l/scene.json" "$work/contacts.csv" --name mine --results "$work/wrong" "$@"
  run gate "$work/wrong" --baseline "$work/l.csv"
  check "$what breaks the gate of an L" is_status 1
  check "by $column" out_has "rule: $column may not"
}
# with_last COLUMN VALUE: those contacts, the last with another value.
with_last() {
  awk -F, -v OFS=, -v column="$1" -v value="$2" -v last="$(wc -l <"$work/l/contacts.csv")" '
    NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
    NR == last { $at = value }
    { print }' "$work/l/contacts.csv" >"$work/contacts.csv"
}
with_last gap_m -2e-5
breaks "a depth of 20 micrometres" gap_error_m_max
with_last gap_m -inf
breaks "an endless depth" gaps_wrong
with_last point_x_m 0.3
breaks "a point elsewhere" position_error_m_max
with_last point_x_m 0.018 # 8 mm away
breaks "a larger envelope" envelope --envelope eroded:0.01
check "within which a region counts for no more than itself" same_text "$(awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  { print $at["area_coverage"] <= 1, $at["phantom"] }' "$work/wrong/summary.csv")" "1 0"
head -n -1 "$work/l/contacts.csv" >"$work/contacts.csv"
breaks "a corner too few" contacts_missing
