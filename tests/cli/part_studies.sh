# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Presets, and the published figures beside ours.
# covers: harness/commands/preset.c harness/commands/reproduce.c harness/paper/published.c
: "${touchstone:?}" "${work:?}" "${status:?}" # set by run_cli.sh

# swept FOLDER NAME: the values of a parameter in its summary.
swept() {
  tail -n +2 "$1/summary.csv" | grep -oE "[;,]$2=[^;,]*" | cut -d= -f2 | sort -gu | tr '\n' ' '
}

run run --preset perturbation --repeats 1 --out "$work/perturbation"
check "a preset runs" is_status 0
check "it has a row for each cell and state" same_text "$(rows "$work/perturbation")" 24
check "and each of its values" \
  same_text "$(swept "$work/perturbation" perturb_m)" "0 0.01 0.02 0.03 "
check "the context has the preset" grep -q '"--preset"' "$work/perturbation/context.json"
run run --case pillar --method 'closest_points_tets|growth|opposing' \
  --sweep perturb_m=0,0.01,0.02,0.03 --repeats 1 --out "$work/by_hand"
check "it gives the rows of its options" same_rows "$work/perturbation" "$work/by_hand"
run run --preset time_step --repeats 1 --steps 0 --method growth --out "$work/two_states"
check "explicit options override the preset" same_text "$(rows "$work/two_states")" 6
run run --preset time_step --repeats 1 --method growth --sweep sweeps=10,20 --jobs 2 \
  --out "$work/multiplied"
check "an additional sweep multiplies" same_text "$(rows "$work/multiplied")" $((3 * 2 * 4))
cp -r "$work/multiplied" "$work/preset_cut"
truncate -s -30 "$work/preset_cut/summary.csv"
run run --resume "$work/preset_cut"
check "a run of a preset goes on" is_status 0
check "to the same rows" same_rows "$work/multiplied" "$work/preset_cut"

run run --preset table1 --steps 2 --jobs 2 --out "$work/table1"
check "a preset of two sweeps runs" is_status 0
check "with a control" test "$(grep -c ',control_nodes,' "$work/table1/summary.csv")" -eq 8
check "each sweep has its values" test "$(grep -cE \
  'direction=horizontal.*,0,|direction=horizontal.*response=initial.*,2,' \
  "$work/table1/summary.csv")" -ge 2
refused "a sweep of the preset given again" "leave out --set direction=vertical" \
  run --preset table1 --set direction=vertical

run reproduce --source table8 --jobs 2 --out "$work/table8"
check "reproduce exits 0" is_status 0
check "and says nothing on standard error in a pipe" is_quiet
check "and ends with where the figures are" \
  out_has "results: $work/table8/reproduce.csv (240 figures), $work/table8/reproduce.md"
check "and says how many are equal" grep -qE '^table8 +coverage +prox2018 +80 ' "$work/out"
header=source,case,method,unit,metric,published,prox2018,paper,mark_prox2018,mark_paper,reason,reason_paper
check "reproduce.csv has its columns" same_text "$(head -n 1 "$work/table8/reproduce.csv")" $header
check "and a row for each figure" same_text "$(wc -l <"$work/table8/reproduce.csv")" 241
check "each with a mark of each column" test "$(grep -cE \
  ',(equal|close|different|missing),(equal|close|different|missing),' \
  "$work/table8/reproduce.csv")" -eq 240
check "most of them equal" \
  test "$(grep -cE ',equal,[a-z]+,' "$work/table8/reproduce.csv")" -gt 120
check "reproduce.md has a table for figures and one for counts" \
  test "$(grep -c '^|---' "$work/table8/reproduce.md")" -eq 2
check "and a line for each figure" \
  test "$(grep -cE '^[|] table8 [|] [a-z_]+ [|] [a-z_]+ [|] (coverage|quality|excess) ' \
    "$work/table8/reproduce.md")" -eq 240
check "Markdown cells of figures do not break at bars" awk -F'[^\\\\][|]' '
  /^\|/ { if (n && n != NF) exit 1; n = NF } !/^\|/ { n = 0 }' "$work/table8/reproduce.md"
check "the rows that the figures come from are there" same_text "$(rows "$work/table8")" 336
check "the context has the command" grep -qE '"reproduce",?' "$work/table8/context.json"
check "no draft is left" test -z "$(find "$work/table8" -name '*draft*')"
run reproduce --source table8 --quiet --out "$work/table8_again"
check "--quiet prints one line" test "$(wc -l <"$work/out")" -eq 1
for file in csv md; do
  check "reproduce.$file is the same with one job" \
    cmp -s "$work/table8/reproduce.$file" "$work/table8_again/reproduce.$file"
done
refused "figures in a folder that has some" "choose another" reproduce --source table8 \
  --out "$work/table8"
refused "resuming figures like a run" "start a new run" run --resume "$work/table8_again"

run reproduce --source 'allard2010_figure6|faure2008_figure6' --out "$work/shown"
check "closed forms exit 0" is_status 0
check "they have columns of their own" same_text "$(head -n 1 "$work/shown/reproduce.csv")" \
  source,case,method,unit,metric,published,ours,mark_ours,reference,reason
check "and say that they are not the paper's" test "$(grep -cE \
  ',(equal|close|different),closed form,' "$work/shown/reproduce.csv")" -eq 11
check "each paper has two tables" test "$(grep -c '^|---' "$work/shown/reproduce.md")" -eq 4
run reproduce --source 'text|allard2010_figure7' --quiet --time-limit 0.1 --out "$work/mixed"
header=source,case,method,unit,metric,published,prox2018,paper,ours,mark_prox2018,mark_paper,mark_ours
check "papers of both kinds have all columns" \
  same_text "$(head -n 1 "$work/mixed/reproduce.csv")" $header,reason,reason_paper
check "which are empty where a paper has none" test "$(grep -cE \
  '^allard2010_.*,nan,nan,[^,]*,,,(stand_in|missing),' "$work/mixed/reproduce.csv")" -eq 18

run reproduce --source saupin2008_table1 --quiet --time-limit 0.1 --jobs 2 --out "$work/chains"
check "errors of chains are planned in two norms" \
  same_text "$(grep -c '^saupin2008_table1,' "$work/chains/reproduce.csv")" 8

run run --case spikes --method vertex_only --steps 1 --repeats 1 --quiet
before=$(realpath results/latest)
run reproduce --source text --quiet --time-limit 0.1
check "without --out the figures are in results" \
  grep -qE '^results: results/reproduce-[0-9]{8}T[0-9]{6}Z/reproduce.csv \(11 figures\)' "$work/out"
run reproduce --source text --quiet --time-limit 0.1
check "each time in a folder of their own" \
  test "$(find results -maxdepth 1 -name 'reproduce-*' | wc -l)" -eq 2
check "results/latest stays with the runs" \
  same_text "$(realpath results/latest 2>/dev/null)" "$before"

run reproduce --source text --quiet --time-limit 0.1 --jobs 2 --out "$work/hasty"
check "cells that do not end well exit 3" is_status 3
check "and are reported" err_has "timed out; the column reason of $work/hasty/summary.csv says why"
check "and are in the figures" grep -q ',missing,.*--time-limit' "$work/hasty/reproduce.csv"
check "which are all there" same_text "$(wc -l <"$work/hasty/reproduce.csv")" 12

interrupted INT "$work/reproduce_int/summary.csv" 2 reproduce --source table6 \
  --out "$work/reproduce_int"
check "SIGINT ends reproduce with 130" is_status 130
check "and it names the folder of the rows" err_has "their rows are in $work/reproduce_int"
check "and leaves no figures" is_absent "$work/reproduce_int/reproduce.csv"

# Something takes the place of the figures while the cells run.
"$touchstone" reproduce --source text --quiet --time-limit 0.1 --out "$work/taken" >"$work/out" 2>"$work/err" &
process=$!
while kill -0 $process 2>/dev/null && [ ! -e "$work/taken/context.json" ]; do :; done
mkdir "$work/taken/reproduce.csv"
wait $process
status=$?
check "figures that cannot be written exit 2" is_status 2
check "with one message" is_one_message
check "that names the file" err_has "cannot write $work/taken/reproduce.csv: "
check "and no draft is left" test -z "$(find "$work/taken" -name '*draft*')"
check "and the rows are there" test "$(rows "$work/taken")" -gt 0
