# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Runs that die in a cell, runs whose files are changed by others, and what goes on with them.
# covers: harness/commands/run_facts.c harness/run/deaths.c harness/run/run_context.c
# covers: harness/plan/shell_word.c reports/rows/results.c reports/rows/watch.c
: "${touchstone:?}" "${work:?}" "${status:?}" # set by run_cli.sh

outside=$(dirname "$touchstone")/tests/plugins/plug_outside.so
mkdir "$work/it's here"
cp "$outside" "$work/it's here/plug.so"
plugin=$work/it\'s\ here/plug.so

# dies ARGUMENTS...: as run; the shell's word about the killed program is not shown.
dies() {
  run "$@" 2>/dev/null
  check "the run dies" is_status 137
}

# The second of three cells kills the program, and then another method of the same plug-in.
deadly=(run --plugin "$plugin" --method 'opposing|plug_kill_run|plug_change_file|vertex_only' --case spikes
  --repeats 1 --quiet)
cells=4
for jobs in 1 2; do
  folder=$work/dead_$jobs
  dies "${deadly[@]}" --jobs "$jobs" --out "$folder"
  dies run --resume "$folder" --plugin "$plugin" --quiet
  # With two jobs the cell may not be the first suspect that runs alone.
  run run --resume "$folder" --plugin "$plugin" --quiet 2>/dev/null
  [ "$status" -eq 137 ] && [ "$jobs" -gt 1 ] && run run --resume "$folder" --plugin "$plugin" --quiet 2>/dev/null
  check "with --jobs $jobs the run goes on behind a cell that it died in twice" is_status 3
  check "and says that a cell crashed" err_has "1 crashed"
  check "which is a row with the reason" same_text \
    "$(grep -c ',crashed,the run ended in this cell twice,' "$folder/summary.csv")" 1
  check "of that method" same_text "$(cells_with "$folder" plug_kill_run crashed)" 1
  check "and all cells have rows" same_text \
    "$(sed 1d "$folder/summary.csv" | cut -d , -f 1 | sort -u | wc -l)" $cells
done
run compare "$work/dead_1" "$work/dead_2"
check "both have the same rows but for times" same_rows "$work/dead_1" "$work/dead_2"

# Kills from outside blame no cell, although there is no progress between them.
patient=(run --controls --repeats 1 --case spikes --method 'control_(ideal|hang)' --time-limit 2 --out "$work/patient")
killed_in_cell() { # LINES ARGUMENTS...
  local lines=$1 child
  shift
  "$touchstone" "$@" >"$work/out" 2>"$work/err" &
  child=$!
  until [ "$(wc -l 2>/dev/null <"$work/patient/journal.log" || echo 0)" -ge "$lines" ]; do sleep 0.02; done
  kill -KILL $child
  wait $child 2>/dev/null
}
killed_in_cell 5 "${patient[@]}"
killed_in_cell 7 run --resume "$work/patient"
check "the cell was begun twice" same_text "$(grep -c ^begin "$work/patient/journal.log")" 3
run run --resume "$work/patient" --time-limit 0.2 --quiet
check "a cell in which the run was killed twice has its own outcome" \
  same_text "$(cells_with "$work/patient" control_hang timed_out)" 1

# An end in order does not count: the cell is interrupted three times, and still runs.
slow=(run --controls --repeats 1 --case spikes --method 'control_(ideal|hang)' --out "$work/slow")
interrupted INT "$work/slow/summary.csv" 3 "${slow[@]}"
for _ in 1 2; do
  interrupted INT "$work/slow/journal.log" $(($(wc -l <"$work/slow/journal.log") + 2)) run --resume "$work/slow"
  check "an interrupted cell is not blamed" is_status 130
done
run run --resume "$work/slow" --time-limit 0.2 --quiet
check "and runs when the run goes on" same_text "$(cells_with "$work/slow" control_hang timed_out)" 1

# The printed command goes on, whatever is in the paths.
mkdir "$work/a scene"
scene=$work/a\ scene/scene.json
cat >"$scene" <<'EOF'
{"schema": "touchstone scene", "version": 1, "name": "two_boxes", "truth": "derived",
 "shapes": [{"name": "box", "box": {"size": [0.2, 0.2, 0.2]}}],
 "bodies": [{"name": "lower", "shape": "box", "is_fixed": true},
            {"name": "upper", "shape": "box", "pose": {"translation_m": [0, 0.2, 0]}}]}
EOF
interrupted INT "$work/my run/summary.csv" 2 run --controls --plugin "$plugin" --scene "$scene" --repeats 1 \
  --method 'plug_change_file|control_hang' --jobs 2 --time-limit 7 --memory-limit 300 --out "$work/my run"
check "a run with absolute paths is interrupted" is_status 130
command=$(sed -n 's/.*continue with: touchstone //p' "$work/err")
check "the command has what is not the default" test -z "${command##*--jobs=2 --time-limit=7 --memory-limit=300}"
eval "run ${command/--time-limit=7/--time-limit=0.2} --quiet"
check "and goes on, when executed" is_status 3
check "to the end" same_text "$(cells_with "$work/my run" control_hang timed_out)" 1

# Parts are listed, with what they ran with.
parts() { grep -c '"first_cell"' "$1/context.json"; }
check "both parts are listed" same_text "$(parts "$work/my run")" 2
check "with their limits" grep -q '"time_limit_s": 0.2' "$work/my run/context.json"
run run --resume "$work/my run" --plugin "$plugin" --scene "$scene" --quiet
check "a part in which nothing runs is not" same_text "$(parts "$work/my run")" 2
run run --case spikes --method opposing --repeats 1 --quiet --out "$work/one"
cp -r "$work/one" "$work/two"
truncate -s 0 "$work/two/summary.csv"
run run --resume "$work/two" --jobs 3 --time-limit 5 --quiet
run compare "$work/one" "$work/two"
check "compare warns of another number of jobs in one part" out_has "jobs (1, 3)"
check "and of other limits" out_has "time limit (5, 60)"
run run --controls --case spikes --method control_hang --repeats 1 --quiet --time-limit 0.3 --out "$work/limit"
run report "$work/limit" --format html --out "$work/limit.html"
check "the command of a row has the limits it ran with" grep -q 'control_hang --controls.* --time-limit 0.3' \
  "$work/limit.html"
run report "$work/two" --format html --out "$work/page.html"
check "the page shows the parts" grep -q 'first_cell' "$work/page.html"

# Files that change under a run.
# changed DEED FILE WORDS [NAME]: the second of three cells does it. FILE may be empty: the folder.
changed() {
  local deed=$1 file=$2 words=$3 folder=$work/changed_${4:-$1}
  PLUG_DEED=$deed PLUG_FILE=$folder${file:+/$file} run run --plugin "$plugin" --case spikes --repeats 1 --quiet \
    --method 'opposing|plug_change_file' --sweep 'scale=1,2' --out "$folder"
  check "to $deed $file ends the run" is_status 2
  check "with one message" is_one_message
  check "that says so" err_has "$words"
  check "and how to go on" err_has "continue with: touchstone run --resume $folder --plugin '"
}
changed empty contacts.csv "contacts.csv was changed by another program during the run: it has 0 bytes instead of"
changed append summary.csv "summary.csv was changed by another program during the run: 30 bytes were added; cut"
changed replace samples.csv "samples.csv was replaced by another program during the run"
changed remove contacts.csv "contacts.csv was removed by another program during the run"
changed remove context.json "context.json was removed by another program during the run" no_context
changed replace context.json "context.json was replaced by another program" other_context
changed append context.json "context.json was changed by another program" longer_context
changed remove journal.log "journal.log was removed by another program during the run" no_journal
changed replace journal.log "journal.log was replaced by another program" other_journal
changed append journal.log "journal.log was changed by another program during the run: 30 bytes were added" longer_journal
changed empty journal.log "journal.log was changed by another program" empty_journal
changed move "" "changed_moved was removed by another program during the run" moved
mv "$work/changed_moved.moved" "$work/changed_moved"
run run --plugin "$plugin" --case spikes --repeats 1 --quiet --method 'opposing|plug_change_file' \
  --sweep 'scale=1,2' --out "$work/unchanged"
truncate -s -30 "$work/changed_append/summary.csv"
for deed in empty append remove no_journal other_journal longer_journal empty_journal moved; do
  run run --resume "$work/changed_$deed" --plugin "$plugin" --quiet
  check "after $deed the run goes on" is_status 0
  check "to the same rows" same_rows "$work/unchanged" "$work/changed_$deed"
done
