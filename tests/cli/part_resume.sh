# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Runs that are killed, and go on.
# covers: harness/run/run_context.c harness/pool/pool.c harness/pool/row_queue.c harness/pool/runner.c
: "${touchstone:?}" "${work:?}" # set by run_cli.sh

long=(run --repeats 1 --method 'closest_points|intersection' --case 'spi.*|wedge.*|cliff.*|pillar'
  --sweep 'scale=1,2,3')
run "${long[@]}" --out "$work/uncut"
total=$(rows "$work/uncut")

# killed FOLDER ROWS ARGUMENTS...: starts the program and kills it once the summary has that many rows.
killed() {
  local folder=$1 count=$2
  shift 2
  "$touchstone" "$@" >"$work/out" 2>"$work/err" &
  local process=$!
  while kill -0 $process 2>/dev/null && [ "$(rows "$folder")" -lt "$count" ]; do :; done
  kill -KILL $process 2>/dev/null
  wait $process 2>/dev/null
}

kills=0
for count in 0 1 2 7 19 30; do
  folder=$work/killed_$count
  killed "$folder" "$count" "${long[@]}" --out "$folder"
  [ -e "$folder/context.json" ] || continue
  [ "$(rows "$folder")" -lt "$total" ] && kills=$((kills + 1))
  run run --resume "$folder"
  check "killed at row $count, a run goes on to the end" is_status 0
  check "killed at row $count, it has the rows of one that was not" same_rows "$work/uncut" "$folder"
done
check "some runs were killed before their end" test "$kills" -ge 3

folder=$work/twice
killed "$folder" 5 "${long[@]}" --jobs 2 --out "$folder"
killed "$folder" 15 run --resume "$folder" --jobs 2
run run --resume "$folder"
check "killed twice, with two jobs, it has the same rows" same_rows "$work/uncut" "$folder"
check "no process is left of a killed run" test -z "$(pgrep -f -- "--(out|resume) $work")"

# A kill within a row, too.
cp -r "$work/uncut" "$work/torn"
truncate -s -30 "$work/torn/summary.csv"
run run --resume "$work/torn"
check "a row that is cut off is run again" same_rows "$work/uncut" "$work/torn"

# A power cut ends each file elsewhere, in zeros, or takes it away.
# cut_goes_on WHAT COMMAND...: the command damages the folder $work/power; the run goes on.
cut_goes_on() {
  local what=$1
  shift
  rm -rf "$work/power"
  cp -r "$work/uncut" "$work/power"
  "$@"
  run run --resume "$work/power" --quiet
  check "a run goes on after $what" is_status 0
  check "and says how many cells run again" grep -qE '^touchstone: [0-9]+ cells? with incomplete rows runs? again$' \
    "$work/err"
  check "and has the same rows" same_rows "$work/uncut" "$work/power"
}
zero_tail() { truncate -s -3000 "$work/power/$1.csv" && truncate -s +3000 "$work/power/$1.csv"; }
cut_all() {
  truncate -s -20000 "$work/power/contacts.csv"
  truncate -s -9000 "$work/power/samples.csv"
  truncate -s -700 "$work/power/regions.csv"
  zero_tail poses
  zero_tail summary
}
cut_goes_on "a cut of contacts.csv" truncate -s -2000 "$work/power/contacts.csv"
cut_goes_on "a cut of samples.csv" truncate -s -2000 "$work/power/samples.csv"
cut_goes_on "a cut of regions.csv" truncate -s -2000 "$work/power/regions.csv"
cut_goes_on "zeros at the end of poses.csv" zero_tail poses
cut_goes_on "zeros at the end of samples.csv" zero_tail samples
cut_goes_on "a cut of all files" cut_all
cut_goes_on "the loss of contacts.csv" rm "$work/power/contacts.csv"
cut_goes_on "a cut within a header" truncate -s 20 "$work/power/samples.csv"

# Steps whose rows have neither contacts nor samples; the last step has no contact.
steps=(run --repeats 1 --case 'sliding_spike' --method 'vertex_only|closest_points' --steps 9
  --set gravity_m_s2=0)
run "${steps[@]}" --out "$work/steps"
for bytes in 1 300 1500 3000 4000 5000; do
  rm -rf "$work/steps_cut"
  cp -r "$work/steps" "$work/steps_cut"
  truncate -s "-$bytes" "$work/steps_cut/summary.csv"
  run run --resume "$work/steps_cut"
  check "steps without $bytes bytes of the summary are run again" \
    same_rows "$work/steps" "$work/steps_cut"
done
head -n -2 "$work/steps/summary.csv" >"$work/steps_cut/summary.csv"
run run --resume "$work/steps_cut"
check "whole rows that are missing are run again" same_rows "$work/steps" "$work/steps_cut"

run run --resume "$work/uncut"
check "a complete run goes on to its table" is_status 0
check "and has no row more" same_text "$(rows "$work/uncut")" "$total"
cp -r "$work/uncut" "$work/kept"
unchanged() { diff -r "$work/uncut" "$work/kept" >/dev/null; }

refused "another case on resume" "--resume" run --resume "$work/kept" --case wall
refused "another folder on resume" "--out" run --resume "$work/kept" --out "$work/elsewhere"
refused "other repeats on resume" "--repeats" run --resume "$work/kept" --repeats 7
check "and nothing is changed" unchanged

cp -r "$work/uncut" "$work/foreign"
sed -i 's/"schema_version": [0-9]*/"schema_version": 99/' "$work/foreign/context.json"
refused "a foreign schema" "schema 99" run --resume "$work/foreign"
cp "$work/uncut/context.json" "$work/foreign/context.json"
check "and nothing but the version differs" diff -r "$work/uncut" "$work/foreign"
sed -i '1s/quality_percent/goodness/' "$work/foreign/summary.csv"
refused "a foreign column" "goodness" run --resume "$work/foreign"

cp -r "$work/uncut" "$work/other"
sed -i 's/scale=1,2,3/scale=1,2,4/' "$work/other/context.json"
refused "a plan of another make" "start a new run" run --resume "$work/other"
cp "$work/uncut/context.json" "$work/other/context.json"
first=$(sed -n '2s/,.*//p' "$work/uncut/summary.csv")
sed -i "/^$first,/d" "$work"/other/*.csv
refused "rows that were taken out" "are not those that the run wrote" run --resume "$work/other"
rm "$work/other/journal.log"
refused "the rows of another run" "another run" run --resume "$work/other"
rm -r "$work/other"
cp -r "$work/uncut" "$work/other"
sed -i '2s/scale=1;/scale=7;/' "$work/other/summary.csv"
rm "$work/other/journal.log"
check "a row is made to contradict its key" grep -q 'scale=7;' "$work/other/summary.csv"
refused "a row that contradicts its key" "another run" run --resume "$work/other"

# Results that were changed, and results of another program or machine.
cp -r "$work/uncut" "$work/changed"
sed -i '3d' "$work/changed/contacts.csv"
refused "a missing contact" "contacts.csv has" run --resume "$work/changed"
cp "$work/uncut/contacts.csv" "$work/changed/contacts.csv"
sed -i '3s/$/0/' "$work/changed/samples.csv"
refused "a digit that was added" "samples.csv: the rows of pillar x closest_points, cell " \
  run --resume "$work/changed"
cp "$work/uncut/samples.csv" "$work/changed/samples.csv"
sed -i 's/"flags": "/&-Oslow /' "$work/changed/context.json"
refused "another build" 'build flags was "-Oslow' run --resume "$work/changed"
cp "$work/uncut/context.json" "$work/changed/context.json"
sed -i 's/"cpu": ".*"/"cpu": "Abacus 2"/' "$work/changed/context.json"
refused "another machine" 'machine cpu was "Abacus 2"' run --resume "$work/changed"

# Files that are none, and a journal that does not fit.
cp -r "$work/uncut" "$work/odd"
rm "$work/odd/journal.log"
mkfifo "$work/odd/journal.log"
refused "a pipe in place of the journal" "journal.log is not a regular file" run --resume "$work/odd"
rm "$work/odd/journal.log"
for name in journal.log contacts.csv summary.csv context.json; do
  rm -f "$work/odd/$name"
  ln -s "$work/nowhere" "$work/odd/$name"
  refused "a link to nowhere in place of $name" "$name is a link to a file that is not there" run --resume "$work/odd"
  rm "$work/odd/$name"
  cp "$work/uncut/$name" "$work/odd/$name"
done
check "and no file was made there" is_absent "$work/nowhere"
sed -i '0,/^cell /{/^cell /d}' "$work/odd/journal.log"
refused "a journal that lacks a line" "someone has changed one of the two files" run --resume "$work/odd"
