# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Studies of many seeds: the plan, going on, the table, the summary.
# covers: harness/commands/run.c
: "${touchstone:?}" "${work:?}" "${status:?}" # set by run_cli.sh

moved=(run --case 'spikes|pillar' --method 'growth|semi_local' --repeats 1 --seeds 12)
run "${moved[@]}" --steps 1 --jobs 2 --out "$work/seeds"
check "a run with seeds runs" is_status 0
check "it has a row for each case, method and seed" same_text "$(rows "$work/seeds")" $((2 * 2 * 12))
check "the seeds are the motions" same_text \
  "$(grep -oE ';motion_seed=[0-9]+' "$work/seeds/summary.csv" | sort -u | wc -l)" 12
check "the table has one line for all of a case" same_text "$(grep -c '^spikes ' "$work/out")" 1
check "and says so" out_has "Means over the draws that are ok, 12 of each case"
check "below it are the methods with their ranks" grep -qE '^\| 1 +\| semi_local ' "$work/out"
check "and where the rest is" out_has "touchstone report $work/seeds --format summary"

run run --case spikes --method growth --repeats 1 --seeds 2 --steps 1 --out "$work/two seeds"
check "as a command that a shell takes" out_has "touchstone report '$work/two seeds' --format summary"

cp -r "$work/seeds" "$work/cut"
truncate -s -30 "$work/cut/summary.csv"
run run --resume "$work/cut" --jobs 1
check "a run with seeds goes on" is_status 0
check "to the same rows" same_rows "$work/seeds" "$work/cut"
check "and its table is that of a study" out_has "Means over the draws that are ok"

run report "$work/seeds" --format json
check "a row is repeated by its motion" grep -q -- 'motion_seed=7' "$work/out"
run run --case spikes --method growth --set motion_seed=7 --steps 1 --repeats 1 --out "$work/one"
check "with the same cell" grep -q "^$(tail -n 1 "$work/one/summary.csv" | cut -d, -f1)," \
  "$work/seeds/summary.csv"

run report "$work/seeds" --format summary
check "the summary has no warnings" is_quiet
check "it has the means" grep -qE '^\| rank \| method ' "$work/out"
check "and the worst cells" grep -qE '^Worst cells:' "$work/out"
check "and each pair once" same_text "$(grep -cE '^\| semi_local +\| > \| growth ' "$work/out")" 1
cp "$work/out" "$work/summary.md"
run report "$work/seeds" --format summary
check "the same rows give the same summary" cmp -s "$work/out" "$work/summary.md"
(head -n 1 "$work/seeds/summary.csv" && tail -n +2 "$work/seeds/summary.csv" | sort -t, -k 17) \
  >"$work/sorted.csv"
run report "$work/sorted.csv" --format summary
check "and so do they in another order" cmp -s "$work/out" "$work/summary.md"
run run --case pillar --method 'vertex_only|opposing' --repeats 1 --steps 1 --seeds 3 \
  --sweep perturb_m=0,0.02 --out "$work/swept"
check "a sweep is not taken for draws" out_has "6 scenes as built of 1 case in 2 settings"
run report "$work/seeds" --format latex
check "LaTeX of a study is one table" same_text "$(grep -c 'begin{tabular}' "$work/out")" 1
run report "$work/seeds"
check "the page has the summary" grep -q '<section id="study">' "$work/seeds/report.html"

run run --preset fresh --case arch --method growth --repeats 1 --seeds 3 --out "$work/fresh"
check "fresh cases are drawn with several seeds" same_text "$(rows "$work/fresh")" 3
first=$(grep -oE '^seeds: [0-9]+' "$work/out" | tr -dc 0-9)
check "which are printed" out_has "seeds: $first to $((first + 2)); --seed $first --seeds 3"
run run --seed $((first + 1)) --case arch --method growth --repeats 1 --steps 1 --out "$work/second"
check "each of them alone gives its row" grep -q \
  "^$(tail -n 1 "$work/second/summary.csv" | cut -d, -f1)," "$work/fresh/summary.csv"

refused "a motion that the seeds change" "leave out motion_seed=3" run --set motion_seed=3 --seeds 2
refused "seeds beyond the last one" "begin lower" run --seed 999999998 --seeds 3
refused "no number of seeds" "whole number from 0 to 10000" run --seeds many
refused "other seeds for a run that goes on" "cannot be combined with --resume" \
  run --resume "$work/cut" --seeds 3
