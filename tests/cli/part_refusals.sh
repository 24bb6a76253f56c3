# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What is given wrong: exit 2, one message that says what to do, and nothing left behind.
# covers: harness/commands/run.c harness/main.c harness/plan/names.c
: "${touchstone:?}" "${work:?}" "${status:?}" # set by run_cli.sh

refused "an unknown command" 'did you mean "run"' rnu
refused "an unknown command behind --help" 'did you mean "run"' --help rnu
refused "a word behind --version" '"--bogus"' --version --bogus
for words in report dataset list gate 'explain wall' history; do
  # shellcheck disable=SC2086 # one word or two
  refused "an empty operand of $words" "was given an empty word" $words ''
done
for words in 'cases --plugin nope.so' 'cases --controls' 'metrics --engines'; do
  # shellcheck disable=SC2086 # a topic and its options
  refused "list $words" "is for list methods" list $words
done
refused "a plug-in where a case is described" "is for describe method" describe case wall --plugin nope.so
refused "engines where the scoring is described" "is for describe method" describe scoring --engines
refused "a scene where a method is described" "is for describe case" describe method growth --scene nope.json
for words in 'run --case wall' 'explain wall opposing' 'export --case wall --format svg --out x' 'describe case wall' \
  'score --case wall /dev/null'; do
  # shellcheck disable=SC2086 # a command and its words
  refused "a parameter that $words sets twice" "is given twice, as layers=2 and wall.layers=3" \
    $words --set layers=2 --set wall.layers=3
done

refused "an unknown command of help" 'did you mean "run"' help rnu
refused "two commands of help" "one command" help run list
refused "an option before its command" "touchstone run --jobs 2 --case 'a b'" --jobs 2 run --case 'a b'
refused "an option without its command" "touchstone run --quiet" --quiet
refused "an unknown option before a command" 'did you mean "--jobs"' --jbos 2 run
refused "a short option" 'did you mean "--jobs"' run -j 2
refused "a short option in front" 'did you mean "--version"' -v
refused "nothing to complete" "last one" complete
refused "an unknown option in front" '"--versoin"' --versoin
refused "an unknown option" 'did you mean "--case"' run --cas wall
refused "a short option" "--jobs" run -j 2
refused "an option without its value" "--case RE" run --case
refused "an option as a value" "--case RE" run --case --method x
refused "an empty value" "--out" run --out ''
refused "a value for a switch" "takes no value" run --quiet=yes
refused "an option twice" "twice" run --case wall --jobs 1 --jobs 2
refused "a pattern behind another that matches" 'did you mean "arch"' run --case wall --case archh
refused "two halves of a pattern" "regular expression" run --case 'a(' --case 'b)'
refused "an operand of run" "--case" run wall
refused "a count out of range" "from 1 to" run --jobs 0
refused "a count that is not a number" "--jobs" run --jobs two
refused "a count that is not whole" "whole number" run --repeats 1.5
refused "a limit out of range" "--time-limit" run --time-limit -1
refused "a limit that is not a number" "--memory-limit" run --memory-limit nan
refused "a limit of TetGen out of range" "--tetgen-limit" run --tetgen-limit 0
refused "a setting without a value" "name=value" run --set scale
refused "an unknown case" 'did you mean "wall"' run --case wal
refused "an unknown method" "intersection" run --method none
refused "an unknown suite" "erleben" run --suite huge
refused "a broken pattern" "regular expression" run --case '('
refused "controls that were not requested" "--controls" run --method control_ideal
refused "an unknown parameter" 'did you mean "scale"' run --set sacle=1
refused "an unknown parameter of an owner" "layers" run --set wall.layer=3
refused "a parameter of a case that is not selected" "wall" run --case wall --set arch.stones=7
refused "a value out of range" "out of range" run --set scale=-1
refused "a value that is not among the choices" "design, published or feasible" run --set reference=mine
refused "a setting twice" "twice" run --set scale=1 --set wall.scale=2
refused "a broken sweep" "a:b:n" run --sweep scale=1:2
refused "a sweep through zero" "above zero" run --sweep scale=0:1:3:log
refused "a sweep between whole numbers" "whole number" run --case wall --sweep layers=1:4:3
refused "too many cells" "1000000" run --sweep scale=1:2:1000 --sweep offset_m=0:1:1000
refused "a time step of nothing" "out of range" run --set dt_s=0
refused "an unknown parameter of the simulation" "friction" run --set simulation.fricton=1
refused "an unknown preset" 'did you mean "refinement"' run --preset refinment
refused "a preset without a name" "--preset NAME" run --preset
refused "a preset twice" "twice" run --preset refinement --preset time_step
refused "setting what a preset sweeps" "leave out --set perturb_m=0.1" run --preset perturbation \
  --set perturb_m=0.1
refused "sweeping what a preset sweeps" "leave out --sweep dt_s=0.1,0.2" run --preset time_step \
  --sweep dt_s=0.1,0.2
refused "a rule that is none" "touchstone or published" run --set rule=paper
refused "an arch without thickness" "out of range" run --case arch --set thickness_m=0
refused "a thick arch on published tets" "leave out tets=published" describe case arch \
  --set tets=published --set thickness_m=0.4
refused "an unknown source" 'did you mean "table8"' reproduce --source tabel8
refused "a part of a source" "table6, table7, table8, text" reproduce --source table
refused "a paper of another year" 'did you mean "allard2010"' reproduce --source allard2011
refused "a broken pattern of sources" "regular expression" reproduce --source '('
refused "an operand of reproduce" "options only" reproduce table8
refused "no jobs" "from 1 to" reproduce --jobs 0
refused "an option of run" '"--case"' reproduce --case wall
refused "steps below 0" "from 0 to" run --steps -1
refused "describe simulation with a name" "takes no name" describe simulation x
refused "an unknown list" '"cases"' list casse
refused "two lists" "one of these words" list cases methods
refused "describe without a name" "case NAME" describe case
refused "describe of an unknown thing" "method" describe metric x
refused "describe of an unknown case" 'did you mean "arch"' describe case arhc
refused "describe of an unknown method" "closest_points" describe method closest_pints
run run --case pillar --method closest_points --repeats 1 --set erosion_m=1 --out "$work/thin"
check "bodies too thin for their erosion are a failed cell" is_status 3
check "and the reason names the shape" grep -q 'the shape [a-z_0-9]* cannot be eroded by 1 m' \
  "$work/thin/summary.csv"
refused "a least time above the limit" "--time-limit" run --min-time 100 --time-limit 1
refused "describe scoring with a name" "takes no name" describe scoring x
refused "describe with a bad value" "out of range" describe case wall --set scale=0
check "refused runs leave nothing behind" is_empty_folder .

touch "$work/file"
refused "a folder below a file" "--out" run --out "$work/file/results"
refused "a file as a folder" "--out" run --out "$work/file"
refused "a folder that cannot be made" "--out" run --out /proc/touchstone/results
refused "figures below a file" "--out" reproduce --source text --out "$work/file/results"
refused "figures in a folder that cannot be made" "--out" reproduce --source text \
  --out /proc/touchstone/results
mkdir "$work/full"
touch "$work/full/other"
refused "a folder that is not empty" "--out" run --out "$work/full"
check "and left alone" test "$(ls -A "$work/full")" = other
refused "figures in a folder that is not empty" "--out" reproduce --source text --out "$work/full"
check "and left alone" test "$(ls -A "$work/full")" = other
refused "resuming in a folder without results" "$work/full" run --resume "$work/full"
refused "resuming nothing" "$work/none" run --resume "$work/none"
(
  ulimit -n 5
  "$touchstone" run --case spikes --out "$work/few_files" >"$work/out" 2>"$work/err"
)
status=$?
check "too few open files are refused" is_refused "Too many open files"
check "and leave nothing behind" is_absent "$work/few_files"
