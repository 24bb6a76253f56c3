# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# A figure over several runs: table, plot and badge; what is joined, and what is refused.
# covers: harness/history/history_command.c harness/history/history_runs.c
# covers: harness/history/history_table.c reports/history/history_plot.c
: "${touchstone:?}" "${work:?}" "${status:?}" # set by run_cli.sh

runs=$work/runs
mkdir "$runs"
few=(run --quiet --repeats 1 --steps 1 --method 'opposing|surface_sat')
run "${few[@]}" --case 'wedges|cliff_edges' --out "$runs/first"
dated() { # FOLDER DATE: as if it was run then
  sed -i "s/\"date\": \"[^\"]*\"/\"date\": \"$2T10:00:00Z\"/" "$1/context.json"
}
# copied FOLDER DATE AWK: a run of that date whose summary went through awk.
copied() {
  cp -r "$runs/first" "$1"
  awk -F, -v OFS=, "NR == 1 { for (i = 1; i <= NF; i++) n[\$i] = i; print; next } $3 { print }" \
    "$runs/first/summary.csv" >"$1/summary.csv"
  dated "$1" "$2"
}
dated "$runs/first" 2026-01-01
copied "$runs/worse" 2026-01-03 '$n["method"] == "opposing" { $n["quality_percent"] = 1 }'
copied "$runs/fewer" 2026-01-02 '$n["method"] == "surface_sat" { next }'
sed -i 's/"cells": 4/"cells": 2/' "$runs/fewer/context.json"

run history "$runs/worse" "$runs/fewer" "$runs/first"
check "history exits 0" is_status 0
check "and says nothing on standard error" is_quiet
check "runs are in the order of their dates" same_text "first fewer worse" \
  "$(awk '/^ +[0-9]+  2026/ { sub(".*/", "", $4); printf "%s%s", sep, $4; sep = " " }' "$work/out")"
check "a run that lacks a method has a dash" grep -qE '^surface_sat +[0-9.]+ +- +[0-9.]+\*$' "$work/out"
check "the same rows are joined" grep -qE '^opposing +[0-9.]+ +[0-9.]+ +1\.0$' "$work/out"
check "the biggest change has its method, its runs and its rows" \
  grep -qE '^biggest change: quality_percent of opposing, [0-9.]+ to 1\.0, worse, from run 2 to run 3, over the 2 rows' \
  "$work/out"
command=$(sed -n 's/^  touchstone //p' "$work/out")
check "and the command that compares them" same_text "$command" "compare $runs/fewer $runs/worse"
# shellcheck disable=SC2086 # the words of the command
run $command
check "which runs" out_has "opposing"

run history --format csv --case wedges 'old one='"$runs/first" "$runs/worse"
check "CSV has a row for each method and run" test "$(wc -l <"$work/out")" -eq 5
check "and the name that was given" grep -q '^quality_percent,opposing,old one,2026-01-01T10:00:00Z,' "$work/out"
cp "$work/out" "$work/table.csv"
run history --format csv --case wedges 'old one='"$runs/first" "$runs/worse"
check "the same runs give the same bytes" cmp -s "$work/table.csv" "$work/out"
run history --format markdown --out "$work/table.md" "$runs/first" "$runs/worse"
check "Markdown has two tables" test "$(grep -c '^|---' "$work/table.md")" -eq 2
refused "a file that exists" "--force" history --out "$work/table.md" "$runs/first"
refused "two runs of one name" 'two runs are called "a"' history a="$runs/first" a="$runs/worse"
run history "$runs/first"
check "one run is a history of one point" is_status 0
check "without a change" test "$(grep -c change "$work/out")" -eq 0
run history "$runs/first/summary.csv" "$runs/worse/summary.csv"
check "summaries alone are in the order given" out_has "in the order given"
check "and matched, too" out_has "biggest change"

# Times. Measured ones are not known, and are missing where the machine was busy.
copied "$runs/time" 2026-01-01 '{ $n["generate_ns_median"] = 1000 }'
copied "$runs/slower" 2026-01-04 '{ $n["generate_ns_median"] = 3000 }'
times=(--figure generate_ns_median "$runs/time" "$runs/slower")
run history "${times[@]}"
check "times of one machine are joined" grep -qE '^opposing +1\.00 us +3\.00 us$' "$work/out"
sed -i 's/"cpu": "/"cpu": "other /' "$runs/slower/context.json"
run history "${times[@]}"
check "those of two are not" grep -qE '^opposing +1\.00 us +3\.00 us\*$' "$work/out"
check "and the reason is said" out_has "times of runs 1 and 2 do not compare: machine cpu"
check "and they are no change" out_has "no figure changed"
run history "$runs/time" "$runs/slower"
check "other figures do not depend on the machine" grep -qE '^opposing +[0-9.]+ +[0-9.]+$' "$work/out"

# The badge.
run history "$runs/first" "$runs/worse" --method opposing --badge "$work/badge.svg" --green 90 --yellow 50
check "a badge is written" out_has "badge: $work/badge.svg"
check "with the latest figure as its title" \
  grep -q '<title id="title">opposing normal quality: 1.0%</title>' "$work/badge.svg"
check "in red" grep -q '#b3261e' "$work/badge.svg"
refused "a badge of two methods" "choose one with --method" \
  history "$runs/first" --badge "$work/two.svg"
check "which writes nothing" is_absent "$work/two.svg"
refused "a limit without a badge" "add --badge" history "$runs/first" --green 90
refused "crossed limits" "--yellow is better than --green" \
  history "$runs/first" --method opposing --badge "$work/two.svg" --green 50 --yellow 90
refused "a badge over a file of the run" "is an input of this command" \
  history "$runs/first" --method opposing --badge "$runs/first/summary.csv" --force

# The plot.
if command -v gnuplot >/dev/null; then
  run history "$runs/first" "$runs/fewer" "$runs/worse" --plot "$work/plot"
  check "a plot is drawn" out_has "plot: $work/plot/history-quality_percent.svg"
  check "with its script and its data" test -s "$work/plot/history-quality_percent.gp" \
    -a -s "$work/plot/history-quality_percent.csv" -a -s "$work/plot/history-quality_percent.svg"
  check "a gap interrupts the line of the method" test \
    "$(grep -c ',surface_sat,.*,nan,' "$work/plot/history-quality_percent.csv")" -ge 1
  check "and of no other" test "$(grep -c ',opposing,.*,nan,' "$work/plot/history-quality_percent.csv")" -eq 0
  check "runs are named at the axis" grep -q 'label("2026-01-02 fewer") 2' "$work/plot/history-quality_percent.gp"
  refused "a folder that is not empty" "is not empty" history "$runs/first" --plot "$work/plot"
  run history "$runs/first" "$runs/worse" --plot "$work/plot" --force
  check "but earlier plots are replaced" is_status 0
fi

# Refused.
refused "no run" "history takes the results of runs" history
refused "a run twice" "are the same results" history "$runs/first" "$runs/worse" "$runs/first/"
refused "a folder without results" "holds no results" history "$runs/first" "$runs"
refused "a path that is not there" "cannot read" history "$runs/none"
refused "an unknown column" 'did you mean "quality_percent"' history "$runs/first" --figure quality_percnt
refused "a column of text" "no column of numbers" history "$runs/first" --figure outcome
refused "an unknown format" "did you mean" history "$runs/first" --format cvs
refused "a case that no run has" "no row of these runs has a case" history "$runs/first" --case none
refused "a step that no run has" "no row of these runs is of step 7" history "$runs/first" --step 7
refused "a pattern that is none" "not a POSIX extended" history "$runs/first" --case '('
run "${few[@]}" --case spikes --out "$runs/other"
refused "runs without a common row" "in common" history "$runs/first" "$runs/other"
cp -r "$runs/first" "$runs/older"
sed -i 's/"schema_version": [0-9]*/"schema_version": 1/' "$runs/older/context.json"
refused "a run of another schema" "has schema version 1" history "$runs/first" "$runs/older"
cut -d, -f1-9 "$runs/first/summary.csv" >"$work/narrow.csv"
refused "a file without the column" "has no column" history "$work/narrow.csv"
cp -r "$runs/first" "$runs/killed"
head -n 3 "$runs/first/summary.csv" >"$runs/killed/summary.csv"
run history "$runs/first" "$runs/killed"
check "a run that was killed is warned of" err_has "the run was cut short"
mkdir "$runs/empty"
head -n 1 "$runs/first/summary.csv" >"$runs/empty/summary.csv"
refused "results without rows" "empty has no rows; let touchstone run finish" history "$runs/empty"
refused "also where there are options" "empty has no rows" history "$runs/empty" --case wall
run history '<b>[a](x)</b>|_b_'="$runs/first" "$runs/worse" --format markdown
check "names of runs cannot be Markdown or HTML" \
  grep -qF '| \<b\>\[a\](x)\</b\>\|\_b\_ |' "$work/out"
refused "a name that turns the direction of text" "name" history $'a\u202eb='"$runs/first"
