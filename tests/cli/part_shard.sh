# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# A run in shards on many machines, and the whole made of them.
# covers: harness/commands/merge.c harness/merge/*.c harness/plan/shard.c harness/commands/run.c
: "${touchstone:?}" "${work:?}" # set by run_cli.sh

plan=(run --case 'spi.*|wedge.*|arch' --method 'closest_points|intersection|vertex_only' --repeats 2 --quiet)
run "${plan[@]}" --out "$work/whole"
shards=()
for number in 1 2 3 4 5 6 7; do
  run "${plan[@]}" --shard "$number/7" --out "$work/shard_$number"
  check "shard $number/7 runs" is_status 0
  shards+=("$work/shard_$number")
done
cells=$(cut -d, -f1 "$work/whole/summary.csv" | sed 1d | uniq | wc -l)
check "the plan is no multiple of the shards" test $((cells % 7)) -ne 0

run merge "${shards[@]:3}" "${shards[@]:0:3}" --out "$work/merged"
check "seven shards in any order are merged" is_status 0
check "and how many cells is said" out_has "of $cells cells, from 7 shards"
check "they have the rows of a run with one job" same_rows "$work/whole" "$work/merged"
check "in the same order" cmp -s <(cut -d, -f1-8 "$work/whole/summary.csv") <(cut -d, -f1-8 "$work/merged/summary.csv")
check "and their samples" cmp -s <(cut -d, -f1-6 "$work/whole/samples.csv") <(cut -d, -f1-6 "$work/merged/samples.csv")
check "nothing of a draft is left" is_absent "$work/merged.partial"
run compare "$work/whole" "$work/merged"
check "compare finds no difference" out_has "nothing differs in $(rows "$work/whole") rows"
run gate "$work/merged" --baseline "$work/whole"
check "the gate passes" is_status 0
run report "$work/merged"
check "there is a page" test -s "$work/merged/report.html"
run plot "$work/merged" --list
check "there are plots" out_has normal_errors
run run --resume "$work/merged" --quiet
check "a merged run is a complete one" is_status 0
check "which stays as it is" same_rows "$work/whole" "$work/merged"
lists_parts() { [ "$(grep -c '"shard": "./7"' "$1/context.json")" -eq 7 ] && ! grep -q -- '--shard' "$1/context.json"; }
check "its context lists the parts, and is that of no shard" lists_parts "$work/merged"
check "that of a shard says which it is" grep -q -- '--shard=3/7' "$work/shard_3/context.json"

# What is not the complete shards of one run.
refused "a missing shard" "1 of 7 shards is missing, with $(((cells - 4) / 7 + 1)) of $cells cells: 4/7" \
  merge "${shards[@]:0:3}" "${shards[@]:4}" --out "$work/none"
refused "more missing shards" "2/7, 3/7, 4/7, 5/7, 6/7, 7/7" merge "${shards[0]}" --out "$work/none"
refused "a shard that is given twice" "are both shard 2/7" merge "${shards[@]}" "${shards[1]}/" --out "$work/none"
refused "a whole run" "is not a shard" merge "$work/whole" --out "$work/none"
refused "what is merged already" "is not a shard" merge "$work/merged" "${shards[@]}" --out "$work/none"
refused "a folder without results" "cannot read" merge "$work/home" --out "$work/none"
refused "no folder for the whole" "--out" merge "${shards[@]}" --out ""
refused "no shard" "takes the results of all shards" merge --out "$work/none"
refused "a folder that is full" "is not empty" merge "${shards[@]}" --out "$work/merged"
refused "a shard of none" "counted from 1" run --shard 0/7
refused "a shard of cases drawn afresh, other ones for each" "give all shards the same --seed" \
  run --preset fresh --shard 1/2
refused "another shard on resume" "--shard" run --resume "$work/shard_3" --shard 4/7

# changed SCRIPT: shard 3 with another context, or another file, in its place.
changed() { # FILE SCRIPT
  rm -rf "$work/changed"
  cp -r "$work/shard_3" "$work/changed"
  sed -i "$2" "$work/changed/$1"
  check "$1 is made to differ" test -n "$(cmp "$work/shard_3/$1" "$work/changed/$1" 2>&1)"
  others=("${shards[@]:0:2}" "$work/changed" "${shards[@]:3}")
}
changed context.json 's/"flags": "/&-Oslow /'
refused "another build" 'build flags: "' merge "${others[@]}" --out "$work/none"
changed context.json 's/"glibc": "/&1/'
refused "another C library" 'libraries glibc: "' merge "${others[@]}" --out "$work/none"
changed context.json 's/"plan": ".*"/"plan": "0"/'
refused "another plan" "are of different plans" merge "${others[@]}" --out "$work/none"
changed context.json 's/--repeats=2/--repeats=3/'
refused "other options" "--repeats=3" merge "${others[@]}" --out "$work/none"
changed context.json 's/"--repeats=2",/&"--set=scale=0.5",/'
refused "an option that others lack" "shard_2 has not; give" merge "${others[@]}" --out "$work/none"
check "which is named" err_has "changed has --set=scale=0.5 and "
changed context.json 's/--jobs=1/--jobs=4/'
run merge "${others[@]}" --out "$work/jobs"
check "another number of jobs is not refused" is_status 0
check "and the whole has the largest, so that compare can warn" grep -q -- '--jobs=4' "$work/jobs/context.json"
changed context.json 's/"cpu": "/&Abacus /'
run merge "${others[@]}" --out "$work/machines"
check "another machine is merged" same_rows "$work/whole" "$work/machines"
check "with a warning of its times" err_has "warning: the shards ran on different machines (machine cpu: "
check "and both are named" grep -q '"cpu": ".* + Abacus ' "$work/machines/context.json"
refused "a whole of two machines on resume" "machine cpu was" run --resume "$work/machines"
changed context.json 's/"schema_version": [0-9]*/"schema_version": 7/'
refused "a shard of an older schema" "has results of schema 7, and this program writes" \
  merge "${others[@]}" --out "$work/none"
# unjournalled FILE SCRIPT: as changed, without the fingerprints, so that counts and order are checked.
unjournalled() {
  changed "$1" "$2"
  rm "$work/changed/journal.log"
}
unjournalled contacts.csv '3d'
refused "a contact that is missing" "changed/contacts.csv has " merge "${others[@]}" --out "$work/none"
unjournalled regions.csv '3d'
refused "a region that is missing" "changed/regions.csv has " merge "${others[@]}" --out "$work/none"
unjournalled poses.csv '3d'
refused "a pose that is missing" "changed/poses.csv has " merge "${others[@]}" --out "$work/none"
unjournalled samples.csv '0,/,generate,/{/,generate,/d}'
refused "a sample that is missing" "changed/samples.csv has " merge "${others[@]}" --out "$work/none"
unjournalled contacts.csv '2{h;d};${p;x}'
refused "contacts out of order" "changed/contacts.csv" merge "${others[@]}" --out "$work/none"
changed summary.csv '2s/,[^,]*$/,"/'
refused "a damaged summary" "changed/summary.csv" merge "${others[@]}" --out "$work/none"
edited="are not those that the run wrote"
changed summary.csv '2s/,nan,/,0,/'
refused "a measure that was edited" "changed/summary.csv: the rows of cell" merge "${others[@]}" --out "$work/none"
changed contacts.csv '$s/[0-9]/8/g'
refused "a contact that was edited" "$edited" merge "${others[@]}" --out "$work/none"
gzip "$work/changed/contacts.csv"
refused "and compressed" "changed/contacts.csv.gz: the rows of cell" merge "${others[@]}" --out "$work/none"
changed regions.csv '$s/[0-9]/8/g'
refused "a region that was edited" "$edited" merge "${others[@]}" --out "$work/none"
changed samples.csv '2s/,[^,]*$/,1/'
refused "a sample that was edited" "$edited" merge "${others[@]}" --out "$work/none"
changed contacts.csv '$p'
refused "a contact that was added" "behind the rows that the run wrote" merge "${others[@]}" --out "$work/none"
check "none of these left a folder" is_absent "$work/none"
check "or a draft" is_absent "$work/none.partial"

# A shard that was cut short is named with what to do, and that does it.
rm -rf "$work/cut"
cp -r "$work/shard_5" "$work/cut"
sed -i '$d' "$work/cut/summary.csv"
others=("${shards[@]:0:4}" "$work/cut" "${shards[@]:5}")
refused "a shard that was cut short" "touchstone run --resume $work/cut" merge "${others[@]}" --out "$work/none"
run report "$work/cut"
check "whose shortfall is counted in cells of the shard" err_has "of $(((cells - 5) / 7 + 1)) cells: the run was cut short"
run run --resume "$work/cut" --quiet
run merge "${others[@]}" --out "$work/after_cut"
check "resumed, it is merged" same_rows "$work/whole" "$work/after_cut"

# What a merging that was killed has left is taken away; what is not ours is not.
mkdir "$work/again.partial"
cp "$work/merged/"*.csv "$work/merged/context.json" "$work/merged/journal.log" "$work/again.partial"
sed -i '1s/{/{"merging": true,/' "$work/again.partial/context.json"
run merge "${shards[@]}" --out "$work/again"
check "a draft that was left is replaced" same_rows "$work/whole" "$work/again"
mkdir "$work/theirs.partial"
echo mine >"$work/theirs.partial/notes"
refused "a draft with files of others" "theirs.partial is not empty" merge "${shards[@]}" --out "$work/theirs"
check "which stay" test -s "$work/theirs.partial/notes"
check "the whole is not marked as a draft" same_text "$(grep -c merging "$work/again/context.json")" 0
cp -r "$work/whole" "$work/theirs_whole"
cp -r "$work/whole" "$work/run.partial"
refused "results with the name of the draft" "nothing that a merge has left" merge "${shards[@]}" --out "$work/run"
check "which stay as they are" diff -r "$work/whole" "$work/run.partial"
rm "$work/run.partial/context.json"
refused "results without a context" "run.partial is not empty" merge "${shards[@]}" --out "$work/run"
check "of which nothing is removed" same_rows "$work/whole" "$work/run.partial"
ln -s theirs_whole "$work/linked.partial"
refused "a link with the name of the draft" "nothing that a merge has left" merge "${shards[@]}" --out "$work/linked"
sed -i '1s/{/{"merging": true,/' "$work/theirs_whole/context.json"
refused "even to a draft" "nothing that a merge has left" merge "${shards[@]}" --out "$work/linked"
check "whose target stays" same_rows "$work/whole" "$work/theirs_whole"

# More shards than cells.
few=(run --case wedge_in_crack --method 'closest_points|intersection' --repeats 1)
run "${few[@]}" --quiet --out "$work/few"
run "${few[@]}" --shard 3/3 --out "$work/few_3"
check "a shard without a cell is a run" is_status 0
check "and says so" err_has "shard 3/3 has no cell"
check "with no rows" same_text "$(rows "$work/few_3")" 0
run "${few[@]}" --quiet --shard 1/3 --out "$work/few_1"
run "${few[@]}" --quiet --shard 2/3 --out "$work/few_2"
run merge "$work"/few_? --out "$work/few_all"
check "it is merged" same_rows "$work/few" "$work/few_all"
run merge "$work/few_1" "$work/few_2" --out "$work/few_two"
check "or left out" same_rows "$work/few" "$work/few_two"

# The snippets of docs/scale.md, with stand-ins for Slurm and for the artifacts of GitHub.
examples=${here:?}/../../examples/scale # set by run_cli.sh
mkdir -p "$work/slurm/bin" "$work/actions/build/release"
ln -s "$touchstone" "$work/slurm/bin/touchstone"
ln -s "$touchstone" "$work/actions/build/release/touchstone"
task() { # NUMBER: one task of the job array
  (cd "$work/slurm" && PATH=$work/slurm/bin:$PATH SLURM_ARRAY_TASK_ID=$1 bash "$examples/study.sbatch" shards \
    --case 'spi.*|wedge.*|arch' --method 'closest_points|intersection|vertex_only' --repeats 2) >>"$work/tasks" 2>&1
}
array=$(sed -n 's/^#SBATCH --array=1-//p' "$examples/study.sbatch")
check "the array has as many tasks as shards" grep -q "^shards=$array " "$examples/study.sbatch"
for number in $(seq "$array"); do task "$number"; done
check "all tasks of the array end well" test "$(grep -c '^results: ' "$work/tasks")" -eq "$array"
gunzip "$work/slurm/shards/2"/*.gz
sed -i '$d' "$work/slurm/shards/2/summary.csv"
task 2
check "a task submitted again continues" same_text "$(rows "$work/slurm/shards/2")" "$(rows "$work/slurm/shards/3")"
task 3
check "and leaves a complete shard as it is" test -s "$work/slurm/shards/3/contacts.csv.gz"
run merge "$work/slurm/shards"/* --out "$work/slurm/study"
check "the job array is the whole run" same_rows "$work/whole" "$work/slurm/study"

# Each line of a job is run by bash -e. A line of a matrix job runs for each of its values.
lines_of() { sed -n "/^  $1:/,/^  [a-z]*:\$/{s/^ *- run: //p}" "$examples/study.yml" | grep -v '^./quickstart'; }
values=$(sed -n 's/^ *shard: \[\(.*\)\]$/\1/p' "$examples/study.yml" | tr -d ,)
check "the matrix has four shards" same_text "$values" "1 2 3 4"
cd "$work/actions" || exit 1
for value in $values; do
  # shellcheck disable=SC2016 # the expression of the workflow
  lines_of shard | sed 's/${{ matrix.shard }}/'"$value/g; s/--suite/--repeats 1 --case 'wedges|spikes' &/" >"$work/lines"
  bash -e "$work/lines" >"$work/out" 2>&1
  check "job $value of the matrix runs" test -s "shards/$value/summary.csv"
done
lines_of merge >"$work/lines"
bash -e "$work/lines" >"$work/out" 2>&1
check "the last job merges" out_has "results: study/summary.csv"
check "and makes the page" test -s study/report.html
