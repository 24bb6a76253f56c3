# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Runs that end well: what they print, what they leave, and that it is the same however it is run.
# covers: harness/commands/run.c harness/run/progress.c harness/run/run_folder.c
# covers: harness/pool/pool.c harness/pool/row_queue.c harness/pool/runner.c
: "${touchstone:?}" "${work:?}" "${here:?}" "${status:?}" # set by run_cli.sh

small=(run --repeats 1 --method 'closest_points|intersection' --case 'spikes|spike_(and|in).*|sliding_(spike|wedge)|arch')

run "${small[@]}"
check "a run exits 0" is_status 0
check "and says nothing on standard error in a pipe" is_quiet
check "and ends with the location of the results" \
  grep -qE '^results: results/[0-9]{8}T[0-9]{6}Z/summary.csv \(28 rows\)$' "$work/out"
check "and prints the cases" out_has sliding_spike
check "and prints no colours in a pipe" test "$(grep -c $'\033' "$work/out")" -eq 0
check "and ranks the methods" grep -qE '^Means over 7 scenes as built' "$work/out"
folder=$(sed -n 's|^results: \(.*\)/summary.csv.*|\1|p' "$work/out")
for file in summary.csv contacts.csv regions.csv poses.csv samples.csv context.json; do
  check "$file is there" test -s "$folder/$file"
done
check "results/latest points there" test results/latest -ef "$folder"
check "there are two rows for each cell" same_text "$(rows "$folder")" 28
check "and lines for the scene as built and step 3" test \
  "$(grep -c '^arch touch ' "$work/out") $(grep -c '^arch step=3 ' "$work/out")" = "1 1"
reference=$(realpath "$folder")

run "${small[@]}" --quiet
check "--quiet prints one line" test "$(wc -l <"$work/out")" -eq 1
check "a run gives the same rows again" same_rows "$reference" results/latest
run "${small[@]}" --quiet
run "${small[@]}" --quiet
check "runs within a second have a folder each" test "$(find results -maxdepth 1 -name '2*' | wc -l)" -eq 4
check "results/latest points to the newest" \
  test "$(realpath results/latest)" = \
  "$(realpath "$(find results -maxdepth 1 -name '2*' -printf '%T@ %p\n' | sort -rn | head -n 1 | cut -d' ' -f2)")"

run "${small[@]}" --jobs 2 --out "$work/two"
check "--jobs 2 exits 0" is_status 0
check "--jobs 2 gives the same rows" same_rows "$reference" "$work/two"
check "--jobs 2 warns of its times" out_has "--jobs 1"
check "--out elsewhere makes no link" is_absent "$work/latest"
run "${small[@]}" --jobs 16 --out results/mine
check "--jobs 16 gives the same rows" same_rows "$reference" results/mine
check "--out beside the others is the latest" test results/latest -ef results/mine
rm results/latest
touch results/latest
run "${small[@]}" --quiet
check "a file in the way of the link is a warning" err_has "warning"
check "and no failure" is_status 0
rm results/latest

run "${small[@]}" --steps 1 --out "$work/built"
check "--steps 1 scores the scene as built only" same_text "$(rows "$work/built")" 14
compared "$work/built/contacts.csv" >"$work/as_built"
check "and gives the same rows of it" cmp -s "$work/as_built" \
  <(compared "$reference/contacts.csv" | grep -Ev '^[0-9a-f]{16},[^,]*,[^,]*,3,')
run run --repeats 1 --case pillar --method closest_points --steps 6 --out "$work/six"
check "--steps 6 exits 0" is_status 0
check "and has a row for each step but 1" same_text "$(rows "$work/six")" 6
check "and shows few of them" test "$(grep -c '^pillar ' "$work/out")" -eq 3
check "and counts all" out_has "6 rows, all ok"
run run --repeats 1 --case pillar --method closest_points --steps 3 --sweep dt_s=0.005,0.01 \
  --set simulation.friction=0.25 --set sweeps=50 --out "$work/dt"
check "the simulation is set and swept like a method" is_status 0
check "and its parameters are in the rows" \
  test "$(grep -c 'dt_s=0.005;friction=0.25;.*sweeps=50' "$work/dt/summary.csv")" -eq 3
check "and distinguish the lines of the table" out_has "pillar dt_s=0.005 step=3"
standing=(run --controls --case pillar --method 'control_(ideal|tripled)' --set start=warm
  --set tolerance=1e-6 --steps 60 --repeats 1 --quiet)
run "${standing[@]}" --jobs 1 --out "$work/standing_1"
run "${standing[@]}" --jobs 2 --out "$work/standing_2"
check "60 steps are the same rows with one job and two" \
  same_rows "$work/standing_1" "$work/standing_2"
check "and are all there" same_text "$(rows "$work/standing_2")" 120

run run --steps 1 --case wall --set wall.layers=2 --sweep span=2,3 --set scoring.reference=published \
  --repeats 2 --method intersection --out "$work/set"
check "settings with an owner are taken" is_status 0
check "and are in the rows" \
  test "$(grep -c 'layers=2;span=[23].*reference=published' "$work/set/summary.csv")" -eq 2
check "--repeats gives that many samples" \
  test "$(grep -c ',generate,' "$work/set/samples.csv")" -eq 4
run run --steps 1 --case 'sliding_spike|spikes' --method intersection --repeats 1 --out "$work/anchored"
check "patterns match whole names" same_text "$(rows "$work/anchored")" 2

run "${small[@]}" --out "$work/closed" <&- >&-
check "closed standard files do no harm" same_rows "$reference" "$work/closed"
"$touchstone" "${small[@]}" --out "$work/devfull" >/dev/full 2>"$work/err"
status=$?
check "a full standard output exits 2" is_status 2
check "with one message" is_one_message
check "and the rows are there" same_rows "$reference" "$work/devfull"
"$touchstone" list columns >/dev/full 2>"$work/err"
status=$?
check "a list on a full standard output exits 2" is_status 2
check "with one message too" is_one_message
(
  sleep 0.3
  exec "$touchstone" list columns 2>"$work/err"
) | true
status=${PIPESTATUS[0]}
check "a closed pipe is not a failure" is_status 0
check "and no message" is_quiet

line=$'\r\033[K'
lasting="'$touchstone' run --method closest_points"
TERM=xterm script -qec "$lasting --out '$work/terminal'" "$work/typescript" >"$work/out"
check "a terminal gets a progress line" grep -qF "$line" "$work/out"
TERM=dumb script -qec "$lasting --out '$work/dumb'" "$work/typescript" >"$work/out"
check "a dumb terminal gets none" test "$(grep -c $'\033' "$work/out")" -eq 0
NO_COLOR=1 TERM=xterm script -qec "'$touchstone' ${small[*]@Q} --out '$work/grey'" \
  "$work/typescript" >"$work/out"
check "NO_COLOR is obeyed" test "$(grep -c $'\033\[[0-9;]*m' "$work/out")" -eq 0

# Poses of a run are those at which its contacts were found: scored there, they have its measures.
of_step() { awk -F, 'NR == 1 || /,3,ok,/ { print }' "$1"; }
measured() { # FILE: what both know of step 3
  for name in quality_percent coverage_percent area_coverage normal_error_deg_max position_error_m_max \
    gap_error_m_max regions_missed contacts_hash contacts_listed regions_listed poses_listed; do
    column <(of_step "$1") $name
  done
}
run run --quiet --repeats 1 --case pillar --method closest_points --steps 4 --out "$work/posed"
posed=(score --case pillar "$work/posed/contacts.csv" --poses "$work/posed/poses.csv" --step 3 --first any)
run "${posed[@]}" --format csv --results "$work/scored"
check "poses of a run are those of its contacts" same_text "$(measured "$work/posed/summary.csv")" "$(measured "$work/out")"
check "and score finds the same regions there" cmp -s <(grep ',closest_points,3,' "$work/posed/regions.csv" | cut -d, -f2-) \
  <(grep ',closest_points,3,' "$work/scored/regions.csv" | cut -d, -f2-)
check "and writes the same poses" cmp -s <(grep ',closest_points,3,' "$work/posed/poses.csv" | cut -d, -f4,6-13) \
  <(grep ',closest_points,3,' "$work/scored/poses.csv" | cut -d, -f4,6-13)

# Results of schema 7, without regions.csv and poses.csv, are read; they are not gone on with.
cp -r "$here/schema_7" "$work/old"
run run --quiet --repeats 1 --case sliding_spike --method 'vertex_only|closest_points' --out "$work/new"
run compare "$work/old" "$work/new"
check "results of schema 7 are compared" out_has "nothing differs"
run gate "$work/new" --baseline "$work/old"
check "and are a baseline" is_status 0
run report "$work/old"
check "a page is made of them" test -s "$work/old/report.html"
run plot "$work/old" --list
check "and plots, of their contacts too" out_has normal_errors
refused "such a run to go on with" "has results of schema 7, and this program writes schema 10" run --resume "$work/old"
