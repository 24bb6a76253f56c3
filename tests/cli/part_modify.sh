# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Modifiers: chains of them, what they change and what not, those of plug-ins and their faults.
# covers: harness/narrow_phase/modification.c harness/run/modified_contacts.c
# covers: harness/score/score_modify.c methods/modifiers/modifier_chain.c methods/modifiers/modify_cut.c
# covers: reports/rows/modified_names.c methods/plugins/plugin.c
: "${touchstone:?}" "${work:?}" "${here:?}" "${status:?}" # set by run_cli.sh

plugin=$(dirname "$touchstone")/tests/plugins/plug_modifiers.so
cases=(--case 'spike_in_hole|cliff_edges' --repeats 1)

# column FOLDER METHOD MODIFIERS COLUMN: the values of rows, separated by blanks.
column() {
  python3 - "$@" <<'PY'
import csv, sys
folder, method, modifiers, column = sys.argv[1:]
print(*(r[column] for r in csv.DictReader(open(folder + "/summary.csv"))
        if r["method"] == method and r["modifiers"] == modifiers))
PY
}

# Nothing is changed by none.
run run "${cases[@]}" --method 'intersection|growth' --out "$work/plain"
run run "${cases[@]}" --method 'intersection|growth' --modify none --modify cut:gap_m=-0.7 --out "$work/both"
check "a run with and without modifiers is fine" is_status 0
check "the table has them side by side" out_has "intersection+cut"
for name in cell contacts_hash quality_percent blocked_wrongly_percent; do
  check "without modifiers $name is as ever" same_text \
    "$(column "$work/plain" intersection '' $name)" "$(column "$work/both" intersection '' $name)"
done
check "rows have the whole chain" same_text "$(column "$work/both" growth cut:gap_m=-0.7 outcome)" \
  "ok ok ok ok"
check "a cut changes the contacts" test "$(column "$work/both" intersection cut:gap_m=-0.7 contacts_hash)" != \
  "$(column "$work/plain" intersection '' contacts_hash)"
check "and loses wrenches" python3 - "$(column "$work/both" intersection cut:gap_m=-0.7 modify_lost_max)" <<'PY'
import sys
lost = [float(word) for word in sys.argv[1].split()]
sys.exit(not (max(lost) > 0.1 and all(0 <= value <= 1 for value in lost)))
PY
check "but adds none" same_text "$(column "$work/both" intersection cut:gap_m=-0.7 modify_added_max)" "0 0 0 0"
check "a method alone has no such number" same_text \
  "$(column "$work/both" intersection '' modify_lost_max)" "nan nan nan nan"
check "the contacts delivered are those of the method" same_text \
  "$(column "$work/both" intersection cut:gap_m=-0.7 contacts_delivered | cut -d' ' -f1)" \
  "$(column "$work/plain" intersection '' contacts_delivered | cut -d' ' -f1)"
run run "${cases[@]}" --method intersection --modify cut:gap_m=-0.7 --jobs 2 --out "$work/again"
check "the same again, with two jobs" same_text \
  "$(column "$work/again" intersection cut:gap_m=-0.7 contacts_hash)" \
  "$(column "$work/both" intersection cut:gap_m=-0.7 contacts_hash)"

# A method beside itself.
run compare "$work/plain" "$work/again"
check "rows with modifiers are other rows" out_has "no row is in both"
run compare "$work/plain" "$work/again" --across-modifiers
check "unless modifiers are left aside" grep -q '^ *spike_in_hole touch  *intersection' "$work/out"
check "their samples are found under the cells that they had" test -z "$(grep incomplete "$work/out")"
run compare "$work/plain" "$work/both" --across-modifiers
check "which takes one row each" is_status 2
check "and says which are two" err_has "duplicate row"
check "and what to do" err_has "one --modify, or none"
run report "$work/both"
check "the page has a column for each" grep -q 'intersection+cut' "$work/both/report.html"
run report "$work/both" --format csv --out "$work/both.csv"
check "so has a table of rows" is_status 0
run plot "$work/both" --method 'intersection.*' --out "$work/plots"
check "plots of them are drawn" is_status 0

# Explained, exported, scored.
run explain spike_in_hole intersection "$work/both"
check "without --modify the row of the method is explained" is_status 0
check "not that with modifiers" test -z "$(grep -- --modify "$work/out")"
run explain spike_in_hole intersection --modify cut "$work/both" --out "$work/cut.svg"
check "with it, the other one" out_has "--modify cut:gap_m=-0.7"
again=$(sed -n 's/^repeat it: touchstone \(.*\)$/\1/p' "$work/out")
eval "run $again --repeats 1 --out '$work/repeated'"
check "what it says to repeat it gives the same contacts" same_text \
  "$(column "$work/repeated" intersection cut:gap_m=-0.7 contacts_hash | cut -d' ' -f1)" \
  "$(column "$work/both" intersection cut:gap_m=-0.7 contacts_hash | cut -d' ' -f1)"
run export --case spike_in_hole --method intersection --format scene --out "$work/scene"
run score "$work/scene/scene.json" "$work/scene/contacts.csv" --modify cut:gap_m=-0.7 --results "$work/scored"
check "contacts of a file are modified, too" is_status 0
check "what they drop is not called duplicates alone" out_has "dropped, as duplicates or by modifiers"
refused "verdicts on contacts that are modified" "--modify changes" score "$work/scene/scene.json" \
  "$work/scene/contacts.csv" --modify cut --out "$work/x"
check "to the same" same_text "$(column "$work/scored" intersection cut:gap_m=-0.7 contacts_unique)" \
  "$(column "$work/repeated" intersection cut:gap_m=-0.7 contacts_unique | cut -d' ' -f1)"
run export --case spike_in_hole --method intersection --modify cut:gap_m=-0.7 --format scene --out "$work/exported"
check "an export has as many" same_text "$(($(wc -l <"$work/exported/contacts.csv") - 1))" \
  "$(column "$work/scored" intersection cut:gap_m=-0.7 contacts_unique)"

# What is refused.
refused "a modifier that is not there" "choose from" run --modify nothing --out "$work/x"
check "with the list" err_has "cut"
refused "a parameter that is not there" "it has gap_m" run --modify cut:gap=1 --out "$work/x"
refused "a parameter without a value" "is not PARAMETER=VALUE" run --modify cut:gap_m --out "$work/x"
refused "a value that is no number" "gap_m" run --modify cut:gap_m=far --out "$work/x"
refused "a parameter that is set twice" "is set twice" run --modify cut:gap_m=1:gap_m=2 --out "$work/x"
refused "an empty link" "unknown modifier" run --modify cut, --out "$work/x"
refused "the same chain twice" "is given twice" run --modify cut --modify cut:gap_m=0 --out "$work/x"
refused "modifiers without a method" "name it with --method" export --case spike_in_hole --modify cut --out "$work/x"
run explain spike_in_hole intersection --modify cut:gap_m=-7e-1 "$work/both" --out "$work/cut.svg" --force
check "a chain need not be written as in the row" is_status 0
refused "an explanation of modifiers that no row has" "has no row" explain spike_in_hole intersection \
  --modify cut "$work/plain"

# Plug-ins.
run list modifiers --plugin "$plugin"
check "modifiers of plug-ins are listed" out_has plug_some
run describe modifier plug_some --plugin "$plugin"
check "and described" out_has "Which contacts are kept."
run run --plugin "$plugin" "${cases[@]}" --method growth --modify plug_some:every=3,cut:gap_m=1 --out "$work/plugged"
check "a modifier of a plug-in works" same_text \
  "$(column "$work/plugged" growth plug_some:every=3,cut:gap_m=1 outcome)" "ok ok ok ok"

refused "an explanation without the plug-in, which may be anywhere" "say where it is with --plugin" \
  explain spike_in_hole growth --modify plug_some,cut "$work/plugged"
refused "nor one with the parameters of the row" "say where it is with --plugin" \
  explain spike_in_hole growth --modify plug_some:every=3,cut:gap_m=1 "$work/plugged"
run explain spike_in_hole growth --modify plug_some,cut --plugin "$plugin" "$work/plugged" --out "$work/plug.svg"
check "with it, the row is explained" is_status 0
check "and the command names it" out_has "--plugin $plugin"
again=$(sed -n 's/^repeat it: touchstone \(.*\)$/\1/p' "$work/out")
eval "run $again --repeats 1 --out '$work/plugged_again'"
check "which gives the same contacts" same_text \
  "$(column "$work/plugged_again" growth plug_some:every=3,cut:gap_m=1 contacts_hash | cut -d' ' -f1)" \
  "$(column "$work/plugged" growth plug_some:every=3,cut:gap_m=1 contacts_hash | cut -d' ' -f1)"

manifolds=$(dirname "$touchstone")/tests/plugins/plug_manifolds.so
run run --plugin "$manifolds" "${cases[@]}" --method intersection --modify deepest:count=2 --modify extremes --out "$work/manifolds"
check "the example keeps the deepest" same_text \
  "$(column "$work/manifolds" intersection deepest:count=2 contacts_unique)" "2 2 2 2"
check "and extremes, which lose little" python3 - \
  "$(column "$work/manifolds" intersection extremes:directions=6:angle_deg=20 modify_lost_max)" <<'PY'
import sys
sys.exit(not all(float(word) < 0.5 for word in sys.argv[1].split()))
PY

# fault NAME OUTCOME REASON: of a modifier.
fault() {
  run run --plugin "$plugin" --case spike_in_hole --method 'growth|opposing' --modify none --modify "plug_$1" \
    --steps 1 --repeats 1 --time-limit 5 --out "$work/fault_$1"
  check "plug_$1 is $2" same_text "$(column "$work/fault_$1" growth "plug_$1" outcome)" "$2"
  check "the row says why" same_text "yes" \
    "$(column "$work/fault_$1" growth "plug_$1" reason | grep -q -- "$3" && echo yes)"
  check "the method alone is fine" same_text "$(column "$work/fault_$1" opposing '' outcome)" ok
}
fault invent failed "modifier plug_invent: pushes more than"
fault not_finite failed "modifier plug_not_finite: pushes a contact whose point or normal is not finite"
fault write_input failed "modifier plug_write_input: wrote to the contacts that it got"
fault write_mesh failed "wrote to"
fault crash crashed "."
fault fail failed "modifier plug_fail: no such luck"
fault skip skipped "modifier plug_skip: skipped"
fault change failed "different contacts"
run run --plugin "$plugin" --case spike_in_hole --method growth --modify plug_hang --steps 1 --repeats 1 \
  --time-limit 0.5 --out "$work/hang"
check "a modifier that hangs is timed out" same_text "$(column "$work/hang" growth plug_hang outcome)" timed_out
