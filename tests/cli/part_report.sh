# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Results as pages and in the forms that other programs read.
# covers: harness/commands/method_styles.c harness/commands/report.c
# covers: harness/view/report_views.c harness/view/row_scene.c
# covers: reports/formats/format_ranking.c
: "${touchstone:?}" "${work:?}" "${status:?}" # set by run_cli.sh

run --help
check "help names report" out_has "  report "
run report --help
check "report has help" is_status 0
check "help of report fits 100 columns" awk 'length > 100 { exit 1 }' "$work/out"
run run --case 'spikes|cliff.*' --steps 1 --repeats 3 --controls \
  --method 'opposing|closest_points|control_crash' --out "$work/reported"
check "there is something to report" same_text "$(rows "$work/reported")" 6
run report "$work/reported"
check "a report of a folder exits 0" is_status 0
check "and names the page" out_has "report: $work/reported/report.html"
check "which is there" grep -q '</html>' "$work/reported/report.html"
check "and has the command of what failed" grep -qF \
  'touchstone run --case spikes --method control_crash --controls --steps 1' \
  "$work/reported/report.html"
repeat=$(grep -oE 'touchstone run --case spikes --method control_crash[^<]*' \
  "$work/reported/report.html" | head -n 1)
# shellcheck disable=SC2086 # the words of a command
run ${repeat#touchstone } --out "$work/reported_again"
check "which fails again" same_text "$(cells_with "$work/reported_again" control_crash crashed)" 1
run report "$work/reported"
check "the page may be made again" is_status 0

check "without steps there is no coherence" \
  same_text "$(grep -c 'id="coherence"' "$work/reported/report.html")" 0
run run --case pillar --method 'opposing|semi_local' --steps 4 --repeats 1 --quiet --out "$work/moved"
run report "$work/moved"
check "a simulation has coherence" grep -q 'id="coherence"' "$work/moved/report.html"
check "of the last step of each method" same_text "$(sed -n '/id="coherence"/,/<.section>/s/^<tr.*<th scope="row">\([^<]*\)<.th><td>\([^<]*\)<.*/\1 \2/p' \
  "$work/moved/report.html" | sort)" "$(printf 'pillar step=4 %s\n' opposing semi_local)"

# 3-D views.
has_view() { # PAGE: how many rows have one
  python3 -c '
import json, re, sys
text = re.search(r"id=\"views\">\n(.*?)</script>", open(sys.argv[1]).read(), re.S)
print(len(json.loads(text.group(1))["rows"]) if text else 0)' "$1"
}
check "rows that were measured have a view" same_text "$(has_view "$work/reported/report.html")" 4
check "a step whose contacts are listed, too" same_text "$(has_view "$work/moved/report.html")" 6
run report "$work/moved" --views 0 --out "$work/no_views.html"
check "a page may have none" same_text "$(has_view "$work/no_views.html")" 0
check "and is without three.js then" same_text "$(grep -c 'id="three"' "$work/no_views.html")" 0
run report "$work/moved" --views 0 --out "$work/no_views_again.html"
check "the same rows give the same page" cmp -s "$work/no_views.html" "$work/no_views_again.html"
cp "$work/moved/report.html" "$work/with_views.html"
run report "$work/moved"
check "with views, too" cmp -s "$work/moved/report.html" "$work/with_views.html"
refused "room for views that is no number" "--views" report "$work/moved" --views some
cp "$work/moved/summary.csv" "$work/moved_alone.csv"
run report "$work/moved_alone.csv" --out "$work/alone.html"
check "a summary alone has no views" same_text "$(grep -c 'id="views"' "$work/alone.html")" 0
(
  cd "$work" || exit 1
  "$touchstone" export --case cliff_edges --format scene --set scale=2 --out its_scene
  "$touchstone" run --scene its_scene/scene.json --set scale=0.5 --method opposing --steps 1 --repeats 1 \
    --quiet --out of_scene
  "$touchstone" report of_scene
  cp of_scene/report.html same_scene.html
  printf '\n' >>its_scene/scene.json
  "$touchstone" report of_scene
) >"$work/out" 2>"$work/err"
status=$?
check "rows of a scene file can be reported" is_status 0
check "and have a view while it is there" same_text "$(has_view "$work/same_scene.html")" 1
check "a scene that has changed is not shown" same_text "$(has_view "$work/of_scene/report.html")" 0
check "which the page says" grep -q 'its_scene/scene.json has changed since the run' \
  "$work/of_scene/report.html"

run list formats
check "list formats begins with the default" test "$(awk 'NR == 2 { print $1 }' "$work/out")" = html
formats=$(awk 'NR > 2 { print $1 }' "$work/out")
check "and has those that go to standard output" test "$(wc -w <<<"$formats")" -ge 7
for format in $formats; do
  run report "$work/reported" --format "$format"
  check "$format goes to standard output" is_status 0
  check "$format has text" test -s "$work/out"
  cp "$work/out" "$work/printed"
  run report "$work/reported" --format "$format" --out "$work/as_$format"
  check "$format goes to a file" cmp -s "$work/printed" "$work/as_$format"
  run report --help
  check "help of report knows $format" grep -qwF "$format" "$work/out"
  run score --help
  check "help of score knows $format" grep -qwF "$format" "$work/out"
done
refused "a page of one row" 'there is no format "html"' score --case spikes contacts.csv --format html
check "csv is the summary" cmp -s "$work/as_csv" "$work/reported/summary.csv"
check "google-benchmark has the samples" \
  test "$(grep -c '"run_type": "iteration"' "$work/as_google-benchmark")" -ge 12
run report "$work/reported/summary.csv" --format google-benchmark
check "without samples it has the medians" out_has '"aggregate_name": "median"'
run report "$work/reported/summary.csv" --out "$work/page.html"
check "a page of a summary alone" is_status 0
check "says that the machine is not known" grep -q 'There is no context.json' "$work/page.html"

refused "an existing file" "$work/page.html already exists" \
  report "$work/reported" --out "$work/page.html"
run report "$work/reported" --out "$work/page.html" --force
check "--force replaces it" is_status 0
refused "a page in a folder that is not there" "make its folder first" \
  report "$work/reported" --out "$work/not_there/page.html"
refused "an unknown format" 'did you mean "markdown"' \
  report "$work/reported" --format markdwn
refused "JUnit, which comes of a gate" "--junit gate.xml" report "$work/reported" --format junit
for file in summary contacts samples; do
  refused "--out over $file.csv" "is an input of this command" \
    report "$work/reported" --format json --force --out "$work/reported/$file.csv"
done
cp -r "$work/reported" "$work/killed"
head -n 3 "$work/reported/summary.csv" >"$work/killed/summary.csv"
run report "$work/killed"
check "a run that was killed is reported" err_has "of 6 cells: the run was cut short"
check "on the page, too" grep -q 'of 6 cells: the run was cut short' "$work/killed/report.html"
run report "$work/killed" --format markdown
check "and in Markdown" out_has "of 6 cells: the run was cut short"
cp -r "$work/reported" "$work/doubled"
tail -n 1 "$work/reported/summary.csv" >>"$work/doubled/summary.csv"
refused "a duplicate row" "duplicate row" report "$work/doubled"
refused "a page without a folder" "--out FILE is required" report "$work/reported/summary.csv"
refused "no results" "report takes one results folder" report
refused "two results" "report takes one results folder" report "$work/reported" "$work/reported"
refused "a folder without results" "holds no results" report "$work/home"
refused "a missing file" "cannot read" report "$work/nowhere"

cp -r "$work/reported" "$work/doubled_contacts"
tail -n 1 "$work/reported/contacts.csv" >>"$work/doubled_contacts/contacts.csv"
refused "a duplicate contact" "was changed: run again" report "$work/doubled_contacts"
sed -i '$d' "$work/doubled_contacts/contacts.csv"
run report "$work/doubled_contacts"
check "the file as it was is fine" is_status 0
sed -i '$d' "$work/doubled_contacts/contacts.csv"
refused "a missing contact" "is incomplete" report "$work/doubled_contacts"

# Samples without end are no matter of memory.
cp -r "$work/reported" "$work/large"
{
  head -n 1 "$work/reported/samples.csv"
  awk -F, -v OFS=, '$5 == "generate" && !is_found {
    is_found = 1; for (i = 0; i < 100000; i++) { $6 = i; print } }' "$work/reported/samples.csv"
} >"$work/large/samples.csv"
(
  # Sanitizers take address space without end.
  grep -q '"sanitizers": "none"' "$work/reported/context.json" && ulimit -v 60000
  "$touchstone" report "$work/large" --format google-benchmark --out "$work/large.json" \
    >"$work/out" 2>"$work/err"
)
status=$?
check "many samples need little memory" is_status 0
check "and are all there" test "$(grep -c '"run_type": "iteration"' "$work/large.json")" -ge 100000

cp -r "$work/reported" "$work/broken"
printf 'cell,case' >"$work/broken/samples.csv"
refused "a cut samples.csv" "samples.csv" report "$work/broken" --format google-benchmark
check "which leaves no file behind" is_absent "$work/broken/report.html.draft"
sed -i 's/quality_percent/quality/' "$work/broken/summary.csv"
run report "$work/broken" --format markdown
check "a column that is not ours is not measured" grep -q '| cliff.* | - /' "$work/out"
head -c 700 "$work/reported/summary.csv" >"$work/broken/summary.csv"
refused "a cut summary" "cut off" report "$work/broken" --format json
sed 's/$/\r/' "$work/reported/summary.csv" >"$work/crlf.csv"
run report "$work/crlf.csv" --format csv
check "CR LF is read" cmp -s "$work/out" "$work/reported/summary.csv"
rm "$work/broken/report.html"
mkdir "$work/broken/report.html"
cp "$work/reported/summary.csv" "$work/broken/summary.csv"
refused "a folder where the page goes" "report.html" report "$work/broken"
if [ -e /dev/full ]; then
  "$touchstone" report "$work/reported" --format json >/dev/full 2>"$work/err"
  status=$?
  check "a full disk is reported" is_status 2
  check "in one line" is_one_message
fi

run run --case 'spikes|cliff.*' --steps 1 --repeats 1 --method 'opposing|closest_points' --quiet \
  --out "$work/plain"
for column in quality_percent coverage_percent excess_factor generate_ns_median outcome contacts; do
  sed "1s/,$column,/,other,/" "$work/plain/summary.csv" >"$work/without.csv"
  for format in summary ranking; do
    refused "$format without $column" "$work/without.csv has no column $column" \
      report "$work/without.csv" --format $format
  done
done
run report "$work/without.csv" --out "$work/without.html"
check "the page says that it has no summary" \
  grep -q 'There is none: .* has no column contacts' "$work/without.html"
sed '3s/,ok,/,okay,/' "$work/plain/summary.csv" >"$work/okay.csv"
refused "an outcome that there is not" \
  "$work/okay.csv, line 3: outcome is \"okay\", and must be ok, skipped, failed" \
  report "$work/okay.csv" --format summary
