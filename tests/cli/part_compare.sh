# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Two results against each other, and a gate on a baseline.
# covers: harness/commands/compare.c harness/commands/gate.c harness/commands/gate_junit.c
# covers: harness/commands/gate_update.c
: "${touchstone:?}" "${work:?}" "${here:?}" "${status:?}" # set by run_cli.sh

few=(run --quiet --repeats 1 --method 'opposing|surface_sat' --case 'spike_in.*|cliff_edges')
run "${few[@]}" --out "$work/was"
run "${few[@]}" --out "$work/is"

run compare "$work/was" "$work/is"
check "compare of two runs exits 0" is_status 0
check "and finds nothing" out_has "nothing differs in 12 rows"
# On a machine that is busy the one repeat may have waited for a processor.
check "and no time" grep -qE '^times: (none differs of [0-9]+ tested|12 of 12 cells not)' "$work/out"
check "and prints no colours in a pipe" test "$(grep -c $'\033' "$work/out")" -eq 0
run compare "$work/was/summary.csv" "$work/is/summary.csv"
check "summaries alone are compared, too" out_has "nothing differs in 12 rows"
check "but their times are not tested" out_has "times: not tested"

# edited FOLDER AWK: a copy of $work/was whose summary went through awk.
edited() {
  rm -rf "$1"
  cp -r "$work/was" "$1"
  awk -F, -v OFS=, "NR == 1 { for (i = 1; i <= NF; i++) n[\$i] = i; print; next } $2 { print }" \
    "$work/was/summary.csv" >"$1/summary.csv"
}
edited "$work/bad" '$n["case"] == "cliff_edges" && $n["method"] == "opposing" {
  $n["quality_percent"] = 25; $n["phantom"] = 1; $n["contacts_hash"] = "0123456789abcdef" }
  $n["case"] == "spike_in_hole" && $n["method"] == "surface_sat" && $n["step"] == 3 {
  $n["outcome"] = "crashed"; $n["reason"] = "signal 11"; $n["quality_percent"] = "nan" }'
run compare "$work/was" "$work/bad"
check "compare exits 0 whatever differs" is_status 0
check "the worst comes first" test "$(head -n 1 "$work/out")" = "outcome worse"
check "an outcome has its reason" \
  grep -qE 'spike_in_hole step=3 +surface_sat +outcome +ok +crashed \(signal 11\)' "$work/out"
check "a measure has both values" \
  grep -qE 'cliff_edges touch +opposing +quality_percent +50 +25$' "$work/out"
check "a hash is not reported next to the change that explains it" test "$(grep -c hash "$work/out")" -eq 0
check "the rows are counted" out_has "3 of 12 rows differ; 0 only in old, 0 only in new"
run compare --format csv "$work/was" "$work/bad"
check "CSV has a row for each change and for each time" test "$(wc -l <"$work/out")" -eq 19
check "and the hash" out_has 0123456789abcdef
run compare --format markdown "$work/was" "$work/bad"
check "Markdown has a table for each section" test "$(grep -c '^|---' "$work/out")" -eq 2
run compare --out "$work/text" "$work/was" "$work/bad"
check "--out writes a file and prints nothing" test ! -s "$work/out" -a -s "$work/text"
refused "an existing file" "--force" compare --out "$work/text" "$work/was" "$work/bad"
run compare --out "$work/text" --force --format csv "$work/was" "$work/bad"
check "--force replaces it" grep -q '^kind,cell,' "$work/text"
run compare --out /dev/null "$work/was" "$work/bad"
check "a device stays one" test -c /dev/null
if [ -w /dev/full ]; then
  refused "a full disk" "No space" compare --out /dev/full "$work/was" "$work/bad"
fi
edited "$work/few" '$n["method"] == "opposing" { next }'
run compare "$work/was" "$work/few"
check "rows that vanish are reported" out_has "only in old"
run compare "$work/few" "$work/was"
check "and rows that appear" out_has "0 of 6 rows differ; 0 only in old, 6 only in new"

rm -rf "$work/elsewhere"
cp -r "$work/was" "$work/elsewhere"
sed -i 's/"cpu": ".*"/"cpu": "another"/' "$work/elsewhere/context.json"
run compare "$work/was" "$work/elsewhere"
check "times of another machine come with a warning" out_has "care, because these differ between"
check "that names what differs" grep -q 'the two runs: machine cpu$' "$work/out"

refused "one operand" "two results" compare "$work/was"
refused "an unknown format" 'format "html"' compare --format html "$work/was" "$work/is"
refused "missing results" "touchstone run" compare "$work/was" "$work/nowhere"
refused "a folder without results" "no summary.csv" compare "$work/was" "$work/home"
rm -rf "$work/other"
cp -r "$work/was" "$work/other"
sed -i 's/"schema_version": [0-9]*/"schema_version": 1/' "$work/other/context.json"
refused "another schema" "schema version 1, and this" compare "$work/was" "$work/other"
head -c 3000 "$work/was/summary.csv" >"$work/cut.csv"
refused "a truncated file" "cut off" compare "$work/was" "$work/cut.csv"
: >"$work/empty.csv"
refused "an empty file" "empty" compare "$work/empty.csv" "$work/was"
cat "$work/was/summary.csv" <(tail -n +2 "$work/was/summary.csv") >"$work/twice.csv"
refused "a duplicate row" "twice" compare "$work/twice.csv" "$work/was"
sed '1s/,phantom,/,phantoms,/; s/$/\r/' "$work/was/summary.csv" >"$work/renamed.csv"
run compare "$work/renamed.csv" "$work/was"
check "a renamed column is reported, and CRLF is fine" \
  out_has "not compared, because old lacks them: phantom"

# The gate.
baseline=$work/baseline.csv
refused "a missing baseline" "--update" gate "$work/was" --baseline "$baseline"
run gate "$work/was" --baseline "$baseline" --update
check "--update makes it" test "$(wc -l <"$baseline")" -eq 13
check "without times and other facts of the machine" \
  test "$(head -n 1 "$baseline" | grep -cE '_ns|memory|reason')" -eq 0
run gate "$work/is" --baseline "$baseline"
check "a run like the baseline passes" is_status 0
check "and says so" out_has "gate: passed; 12 rows compared"
run gate "$work/bad" --baseline "$baseline" --junit "$work/gate.xml"
check "a worse one exits 1" is_status 1
check "with a line for each broken rule" test "$(grep -c '^broken: ' "$work/out")" -eq 5
check "that names cell, column, was, is and rule" out_has \
  "cliff_edges touch x opposing: quality_percent was 50, is 25; rule: quality_percent may not fall"
check "and the reason of an outcome" out_has "outcome was ok, is crashed (signal 11); rule:"
check "JUnit counts them" grep -q '<testsuite name="touchstone" tests="12" failures="3"' \
  "$work/gate.xml"
check "and names the contacts at fault" test "$(grep -c 'normal off by' "$work/gate.xml")" -gt 0
if command -v xmllint >/dev/null; then
  cat >"$work/junit.dtd" <<'DTD'
<!ELEMENT testsuites (testsuite*)>
<!ATTLIST testsuites name CDATA #IMPLIED time CDATA #IMPLIED tests CDATA #IMPLIED
  failures CDATA #IMPLIED errors CDATA #IMPLIED>
<!ELEMENT testsuite (testcase*)>
<!ATTLIST testsuite name CDATA #REQUIRED tests CDATA #REQUIRED failures CDATA #REQUIRED
  errors CDATA #REQUIRED skipped CDATA #IMPLIED time CDATA #IMPLIED>
<!ELEMENT testcase (skipped?, failure?, system-out?)>
<!ATTLIST testcase name CDATA #REQUIRED classname CDATA #IMPLIED time CDATA #IMPLIED>
<!ELEMENT skipped (#PCDATA)>
<!ELEMENT failure (#PCDATA)>
<!ATTLIST failure type CDATA #IMPLIED message CDATA #IMPLIED>
<!ELEMENT system-out (#PCDATA)>
DTD
  check "JUnit is what its readers take" \
    xmllint --noout --dtdvalid "$work/junit.dtd" "$work/gate.xml"
fi

cat >"$work/some.rules" <<'RULES'
# The cliff is being worked on.
case=cliff_edges method=opposing ignore all
method=surface_sat outcome may not change   # whatever it was
RULES
run gate "$work/bad" --baseline "$baseline" --rules "$work/some.rules"
check "rules of a file come on top" test "$(grep -c '^broken: ' "$work/out")" -eq 1
check "and are named with their line" \
  out_has "rule: method=surface_sat outcome may not change ($work/some.rules, line 3)"
echo "qualty may not fall" >"$work/wrong.rules"
refused "a rule of an unknown column" 'wrong.rules, line 1: there is no column "qualty"' \
  gate "$work/is" --baseline "$baseline" --rules "$work/wrong.rules"
refused "missing rules" "cannot read the rules" \
  gate "$work/is" --baseline "$baseline" --rules "$work/no.rules"
run gate "$work/was" --baseline "$work/was" --rules <(echo "generate_ns_min may not rise")
check "rules through a pipe are refused" is_status 2
echo "generate_ns_min may not rise by more than 100%" >"$work/time.rules"
refused "a time that the baseline lacks" "no column generate_ns_min" \
  gate "$work/is" --baseline "$baseline" --rules "$work/time.rules"
run gate "$work/was" --baseline "$work/timed.csv" --rules "$work/time.rules" --update
run gate "$work/was" --baseline "$work/timed.csv" --rules "$work/time.rules"
check "which it has after --update with that rule" is_status 0
run gate "$work/was" --baseline "$work/was" --rules "$work/time.rules"
check "a results folder is a baseline, with times" is_status 0

docs=$here/../../docs
run gate "$work/was" --baseline "$baseline" --rules "$docs/gate.rules"
check "the example of rules can be used" is_status 0
{
  echo "ignore all"
  sed -n '/^### Default/,/^### Rules/{s/^| \([a-z_]*\) | [^|]*| \(may not [a-z]*\) |.*/\1 \2/p}' "$docs/gate.md"
} >"$work/default.rules"
run gate --help
check "the help has the rules of the docs" \
  same_text "$(tail -n +2 "$work/default.rules")" "$(sed -n 's/^  \([a-z_]* may not .*\)/\1/p' "$work/out")"
run gate "$work/bad" --baseline "$baseline" --rules "$work/default.rules"
check "the default rules are those of the docs" test "$(grep -c '^broken: ' "$work/out")" -eq 5

run gate "$work/few" --baseline "$baseline"
check "rows of the baseline may not vanish" is_status 1
run gate "$work/few" --baseline "$baseline" --partial
check "unless the results are a part" is_status 0
run gate "$work/was" --baseline "$work/bad" --strict
check "better than the baseline fails under --strict" is_status 1
check "and is reported" out_has "better: cliff_edges touch x opposing: quality_percent was 25, is 50"
run gate "$work/was" --baseline "$work/bad"
check "and passes without" is_status 0
sed 's/^[0-9a-f]\{16\}/0000000000000000/' "$baseline" >"$work/strange.csv"
refused "a baseline of other cells" "no row of" gate "$work/was" --baseline "$work/strange.csv"

# A gate that compares nothing never passes, whatever limits there are beside the baseline.
echo "quality_percent may not be below 0" >"$work/limit.rules"
head -n 1 "$baseline" >"$work/header.csv"
for nothing in header strange; do
  for partial in '' --partial; do
    refused "a baseline with nothing to compare ($nothing $partial), and limits" "no row of" \
      gate "$work/was" --baseline "$work/$nothing.csv" --rules "$work/limit.rules" ${partial:+"$partial"}
  done
done
check "and the way to judge limits alone is named" err_has "leave --baseline out"
head -n 4 "$baseline" >"$work/cut.csv"
run gate "$work/was" --baseline "$work/cut.csv" --rules "$work/limit.rules"
check "rows without a counterpart do not count as compared" \
  out_has "gate: passed; 3 rows compared, 9 rows judged by limits only"
echo "rows may not appear" >"$work/appear.rules"
run gate "$work/was" --baseline "$work/cut.csv" --rules "$work/appear.rules"
check "a baseline that was cut fails where rows may not appear" is_status 1
check "and says so of each row" test "$(grep -c 'the row is not in the baseline' "$work/out")" -eq 9

cp "$baseline" "$work/before.csv"
run gate "$work/bad" --baseline "$baseline" --update
check "--update accepts worse rows and lists them" out_has "quality_percent"
check "and changes those rows alone" \
  test "$(diff "$work/before.csv" "$baseline" | grep -c '^>')" -eq 3
run gate "$work/few" --baseline "$baseline" --update --partial
check "a part updates its rows and keeps the others" test "$(wc -l <"$baseline")" -eq 13
run gate "$work/was" --baseline "$baseline" --update
check "and the old baseline comes back to the byte" cmp -s "$baseline" "$work/before.csv"
refused "--update of a folder" "results folder" gate "$work/is" --baseline "$work/was" --update
refused "--update with --junit" "judges nothing" \
  gate "$work/is" --baseline "$baseline" --update --junit "$work/x.xml"
refused "gate without a baseline" "--baseline" gate "$work/is"
golden=$here/../golden/golden.csv
run gate "$work/was" --baseline "$golden" --partial
check "a part of the suite passes against the golden rows" is_status 0
check "and was compared with them" out_has "gate: passed; 12 rows compared"

# What is written is none of what is read.
cp -r "$work/was" "$work/kept"
gate=(gate "$work/is" --baseline "$baseline" --rules "$work/some.rules" --junit)
refused "JUnit over the baseline" "is an input of this command" "${gate[@]}" "$baseline"
ln "$baseline" "$work/linked.csv"
refused "under another name" "is an input of this command" "${gate[@]}" "$work/linked.csv"
refused "JUnit over the results" "is an input of this command" "${gate[@]}" "$work/is/summary.csv"
refused "JUnit over the rules" "is an input of this command" "${gate[@]}" "$work/some.rules"
echo "my notes" >"$work/notes.txt"
refused "JUnit over a file that is not XML" "is not XML; name another file" "${gate[@]}" "$work/notes.txt"
check "all of them are as they were" same_text "my notes" "$(cat "$work/notes.txt")"
check "the baseline, too" cmp -s "$baseline" "$work/before.csv"
run "${gate[@]}" "$work/gate.xml"
check "XML is written over" is_status 0
: >"$work/new.xml"
run "${gate[@]}" "$work/new.xml"
check "and an empty file" grep -q '<testsuite ' "$work/new.xml"
refused "--out over what is compared" "is an input of this command" \
  compare --force --out "$work/is/summary.csv" "$work/was" "$work/is"
refused "--out over its samples" "is an input of this command" \
  compare --force --out "$work/kept/samples.csv" "$work/kept" "$work/is"
refused "--update of the summary of a run" "is in a results folder" \
  gate "$work/is" --baseline "$work/kept/summary.csv" --update
check "which keeps its times" cmp -s "$work/kept/summary.csv" "$work/was/summary.csv"
mkfifo "$work/pipe"
refused "a pipe" "only regular files can be read" compare "$work/pipe" "$work/is"

# A run that was killed.
cp -r "$work/was" "$work/killed"
# Five of its rows, two a cell: the third cell lacks its last step.
head -n 6 "$work/was/summary.csv" >"$work/killed/summary.csv"
short="2 of 6 cells: the run was cut short"
run compare --format markdown "$work/was" "$work/killed"
check "compare reports a run that was killed" err_has "$short"
check "and how to resume" err_has "touchstone run --resume $work/killed"
check "and so does what it writes" out_has "new has $short"
run gate "$work/killed" --baseline "$baseline" --partial
check "gate reports it, too" err_has "$short"
run gate "$work/was" --baseline "$work/killed"
check "of a baseline, too" err_has "$short"
refused "--update of a killed run" "would lose the rows" \
  gate "$work/killed" --baseline "$work/linked.csv" --update
run gate "$work/killed" --baseline "$work/linked.csv" --update --partial
check "but a part may be taken" is_status 0
run compare "$work/was" "$work/is"
check "a complete run gives no warning" is_quiet

# Values that cannot be.
edited "$work/infinite" '{ $n["excess_factor"] = "inf" }'
refused "an infinite factor" "line 2: excess_factor is inf" compare "$work/infinite" "$work/was"
edited "$work/infinite" '{ $n["overlap_m_max"] = "inf" }'
run compare "$work/infinite" "$work/was"
check "what was infinite is not equal to all" out_has "overlap_m_max"
sed '3s/,ok,/,ok,a"bc/' "$work/was/summary.csv" >"$work/quote.csv"
refused "a quote in a field" "line 3: misplaced quote" \
  compare "$work/quote.csv" "$work/was"

# Rules that judge nothing.
echo "ignore all" >"$work/none.rules"
refused "rules that ignore all" "no rule judges any" \
  gate "$work/is" --baseline "$baseline" --rules "$work/none.rules"
echo "case=clif_edges ignore all" >"$work/typo.rules"
run gate "$work/is" --baseline "$baseline" --rules "$work/typo.rules"
check "a rule for no row passes" is_status 0
check "and is reported" err_has "rule: case=clif_edges ignore all ($work/typo.rules, line 1)"

# Times of a samples.csv that is not complete, and of runs of another kind.
cp -r "$work/was" "$work/fewer"
head -n 5 "$work/was/samples.csv" >"$work/fewer/samples.csv"
run compare "$work/was" "$work/fewer"
check "samples that are cut off are reported" out_has "samples.csv of new is incomplete"
check "and cells without a test" grep -qE '^times: [0-9]+ of 12 rows not tested' "$work/out"
rm -rf "$work/elsewhere"
cp -r "$work/was" "$work/elsewhere"
sed -i 's/"jobs": 1/"jobs": 2/' "$work/elsewhere/context.json"
run compare "$work/was" "$work/elsewhere"
check "another number of jobs is reported" out_has "differ between the two runs: jobs (1, 2)"

# Two updates at once.
if command -v flock >/dev/null; then
  mkdir "$work/locked"
  cp "$baseline" "$work/locked/baseline.csv"
  exec 9<"$work/locked"
  flock 9
  "$touchstone" gate "$work/was" --baseline "$work/locked/baseline.csv" --update \
    >"$work/out" 2>"$work/err" 9<&- &
  waiting=$!
  for _ in $(seq 100); do
    [ -s "$work/err" ] && break
    sleep 0.05
  done
  check "an update waits for another one" err_has "waiting for it to finish"
  check "before it has said anything" test ! -s "$work/out"
  exec 9<&-
  wait $waiting
  status=$?
  check "and then goes on" is_status 0
  check "to its end" out_has "now has 12 rows"
fi
