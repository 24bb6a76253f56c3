# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Contacts in a file, scored as those of a method.
# covers: harness/commands/score.c harness/score/score_input.c harness/score/score_print.c
: "${work:?}" "${here:?}" "${status:?}" # set by run_cli.sh

example=$here/../../examples/score/vertex_face_contacts.py
check "Python is there (python3)" command -v python3

# measures FILE.csv CASE METHOD STEP: its judged columns that follow from the contacts and the truth,
# a line each.
measures() {
  python3 - "$@" <<'PY'
import csv, sys
path, case, method, step = sys.argv[1:]
rows = [r for r in csv.DictReader(open(path, newline=""))
        if r["case"] == case and r["method"] == method and r["step"] == step]
assert len(rows) == 1, rows
names = list(rows[0])
first, last = names.index("pairs_touching"), names.index("kinetic_energy_j")
for name in names[names.index("outcome"):names.index("pairs_candidate")] + names[first:last]:
    if name not in ("reason", "contacts_delivered"):
        print(name, rows[0][name])
print(rows[0]["contacts_hash"])
PY
}

# A run's own contacts.csv, as it is: eroded, as designed, dilated.
run run --quiet --repeats 1 --case 'arch|cliff_edges' \
  --method 'closest_points|intersection|opposing|ldi_volume' --out "$work/of_run"
run export --case arch --format scene --out "$work/arch"
check "a scene is exported" test -s "$work/arch/scene.json"
for method in closest_points intersection opposing ldi_volume; do
  run score "$work/arch/scene.json" "$work/of_run/contacts.csv" --method $method --step 0 \
    --results "$work/of_$method"
  check "contacts of $method are scored" is_status 0
  measures "$work/of_run/summary.csv" arch $method 0 >"$work/was"
  measures "$work/of_$method/summary.csv" arch $method 0 >"$work/is"
  check "to the same measures" cmp -s "$work/was" "$work/is"
  check "which are there" test "$(wc -l <"$work/was")" -gt 20
done
run score "$work/arch/scene.json" "$work/of_run/contacts.csv" --method closest_points --step 0
check "the envelope of summary.csv is reported" \
  out_has "bodies eroded by 0.01 m ($work/of_run/summary.csv)"
run score "$work/arch/scene.json" "$work/of_run/contacts.csv" --method closest_points --step 0 \
  --envelope none --format csv
cp "$work/out" "$work/bare.csv"
measures "$work/bare.csv" arch closest_points 0 >"$work/is"
measures "$work/of_run/summary.csv" arch closest_points 0 >"$work/was"
check "and --envelope overrides it" test "$(cmp -s "$work/was" "$work/is"; echo $?)" -eq 1
run score --case cliff_edges "$work/of_run/contacts.csv" --method opposing --step 0 --format csv
cp "$work/out" "$work/of_case.csv"
measures "$work/of_run/summary.csv" cliff_edges opposing 0 >"$work/was"
measures "$work/of_case.csv" cliff_edges opposing 0 >"$work/is"
check "a case by its name is as good as its scene" cmp -s "$work/was" "$work/is"
refused "contacts of many cells" "select one with --method, --step or --cell: case arch method" \
  score "$work/arch/scene.json" "$work/of_run/contacts.csv"
refused "a method that is not in them" "its rows are of: case arch method closest_points step 0" \
  score "$work/arch/scene.json" "$work/of_run/contacts.csv" --method nobody --step 0
refused "a scene that they are not of" "matches case pillar" \
  score --case pillar "$work/of_run/contacts.csv" --method opposing --step 0

# Alternatives: of four normals any one will do, and no motion is blocked that one of them lets through.
run run --quiet --repeats 1 --case spikes --method semi_local --set alternatives=all --steps 1 \
  --out "$work/alternatives"
run score --case spikes "$work/alternatives/contacts.csv" --format csv
python3 - "$work/out" <<'PY'
import csv, sys
row = next(csv.DictReader(open(sys.argv[1])))
assert float(row["contacts"]) == 4, row["contacts"]
assert float(row["blocked_wrongly_percent"]) == 0, row["blocked_wrongly_percent"]
assert float(row["freed_wrongly_percent"]) == 0, row["freed_wrongly_percent"]
PY
check "alternatives block what all of them block" test $? -eq 0
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "group") at = i; print; next }
  { $at = 0; print }' "$work/alternatives/contacts.csv" >"$work/all_needed.csv"
run score --case spikes "$work/all_needed.csv" --format csv
python3 - "$work/out" <<'PY'
import csv, sys
row = next(csv.DictReader(open(sys.argv[1])))
assert float(row["blocked_wrongly_percent"]) > 90, row["blocked_wrongly_percent"]
PY
check "and nearly everything when all are needed" test $? -eq 0

# What another program writes.
run export --case cliff_edges --format scene --out "$work/cliff"
python3 "$example" "$work/cliff/scene.json" "$work/Vertex Face.csv" >"$work/out" 2>"$work/err"
status=$?
check "the example in Python runs" is_status 0
check "and finds contacts" test "$(wc -l <"$work/Vertex Face.csv")" -gt 1
run score "$work/cliff/scene.json" "$work/Vertex Face.csv" --out "$work/verdicts.csv" \
  --results "$work/results/mine"
check "its contacts are scored" is_status 0
check "under the file's name" out_has "vertex_face"
check "quietly" is_quiet
check "and each gets its verdict" \
  test "$(wc -l <"$work/verdicts.csv")" -eq "$(wc -l <"$work/Vertex Face.csv")"
check "behind its own columns" grep -q \
  '^body_a,.*,gap_m,normal_error_deg,correct,region,position_error_m,gap_error_m,kind$' "$work/verdicts.csv"
refused "existing verdicts" "--force" \
  score "$work/cliff/scene.json" "$work/Vertex Face.csv" --out "$work/verdicts.csv"
mkdir "$work/full" && touch "$work/full/file"
refused "a folder that is not empty" "full is not empty; choose another --results" \
  score "$work/cliff/scene.json" "$work/Vertex Face.csv" --results "$work/full"
refused "what is no folder" "is not a folder; choose another --results" \
  score "$work/cliff/scene.json" "$work/Vertex Face.csv" --results "$work/Vertex Face.csv"
refused "a folder that cannot be made" "choose another --results" \
  score "$work/cliff/scene.json" "$work/Vertex Face.csv" --results /proc/touchstone/results
refused "existing results" "choose another --results" \
  score "$work/cliff/scene.json" "$work/Vertex Face.csv" --results "$work/results/mine"
run export --case arch --set perturb_m=0.001 --format scene --out "$work/moved"
python3 "$example" "$work/moved/scene.json" "$work/moved.csv" >/dev/null
run score "$work/moved/scene.json" "$work/moved.csv"
check "regions without a contact are counted" out_has "3 of 11 regions are not covered:"
check "and listed" test "$(grep -c '^  ring_[0-9] ([0-9]*) and .*: no contact; it needs (.*)$' "$work/out")" -eq 3
run score "$work/cliff/scene.json" "$work/Vertex Face.csv"
check "or there are none" out_has "every region is covered (1)"
python3 - "$work/Vertex Face.csv" >"$work/far.csv" <<'EOF'
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
at = rows[0].index("point_y_m")
for row in rows[1:]:
    row[at] = "50"
csv.writer(sys.stdout).writerows(rows)
EOF
run score "$work/cliff/scene.json" "$work/far.csv"
check "right normals far away cover nothing" out_has "1 of 1 region is not covered:"
run score "$work/cliff/scene.json" "$work/Vertex Face.csv"
check "duplicates are reported" out_has "4 contacts: 4 correct; 8 duplicates dropped"

# What results are good for.
run gate "$work/results/mine" --baseline "$work/baseline.csv" --update
run gate "$work/results/mine" --baseline "$work/baseline.csv"
check "a gate takes scored contacts" out_has "gate: passed; 1 row compared"
head -n 1 "$work/Vertex Face.csv" >"$work/none.csv"
run score "$work/cliff/scene.json" "$work/none.csv" --name vertex_face --results "$work/results/none"
check "no contact is an answer" out_has "0 contacts"
run gate "$work/results/none" --baseline "$work/baseline.csv"
check "that the gate fails" is_status 1
check "and says why" out_has "coverage_percent was"
run compare "$work/results/mine" "$work/results/none"
check "compare matches the two" out_has "1 of 1 row"
run plot "$work/results/mine"
check "plot takes them" is_status 0
run report "$work/results/mine"
check "and report" test -s "$work/results/mine/report.html"
run score "$work/cliff/scene.json" "$work/Vertex Face.csv" --format json
check "measures as JSON" python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$work/out"

# The numbers of one row, whatever it is called and whichever body comes first.
awk -F, -v OFS=, 'NR > 1 { t = $1; $1 = $2; $2 = t; for (i = 6; i <= 8; i++) $i = -$i } { print }' \
  "$work/Vertex Face.csv" >"$work/turned.csv"
run score "$work/cliff/scene.json" "$work/turned.csv" --name vertex_face --results "$work/turned"
measures "$work/results/mine/summary.csv" cliff_edges vertex_face 0 >"$work/was"
measures "$work/turned/summary.csv" cliff_edges vertex_face 0 >"$work/is"
check "rows with the later body first are turned round" cmp -s "$work/was" "$work/is"
sed 's/$/\r/; 1s/^/\xef\xbb\xbf/' "$work/Vertex Face.csv" >"$work/dos.csv"
run score "$work/cliff/scene.json" "$work/dos.csv" --name vertex_face --results "$work/dos"
measures "$work/dos/summary.csv" cliff_edges vertex_face 0 >"$work/is"
check "CRLF and a byte order mark are fine" cmp -s "$work/was" "$work/is"

# Gaps that the file does not have are not judged.
sed '1s/gap_m/note/' "$work/Vertex Face.csv" >"$work/no_gaps.csv"
run score "$work/cliff/scene.json" "$work/no_gaps.csv" --name no_gaps --results "$work/no_gaps"
check "contacts without gaps are scored" is_status 0
check "and no gap is wrong" same_text "$(column "$work/no_gaps/summary.csv" gaps_wrong)" 0
check "and none has an error" same_text "$(column "$work/no_gaps/summary.csv" gap_error_m_max)" nan

# Errors are reported, and nothing is written.
tr , ';' <"$work/Vertex Face.csv" >"$work/semicolons.csv"
refused "semicolons" "separated by commas" score "$work/cliff/scene.json" "$work/semicolons.csv"
sed '1s/normal_y/ny/' "$work/Vertex Face.csv" >"$work/column.csv"
refused "a missing column" "the column normal_y is missing" \
  score "$work/cliff/scene.json" "$work/column.csv" --results "$work/never"
sed '2s/^frustum/frustrum/' "$work/Vertex Face.csv" >"$work/body.csv"
refused "an unknown body" 'line 2: there is no body "frustrum"; did you mean "frustum"?' \
  score "$work/cliff/scene.json" "$work/body.csv" --results "$work/never" --out "$work/never.csv"
check "no results are left" is_absent "$work/never"
check "and no verdicts" is_absent "$work/never.csv"
refused "no contacts" "score takes a scene and a contacts file" score "$work/cliff/scene.json"
refused "a missing file" "cannot read" score "$work/cliff/scene.json" "$work/no.csv"
refused "a missing scene" "no.json" score "$work/no.json" "$work/Vertex Face.csv"
refused "an envelope that is none" "eroded:0.001 or dilated:0.001" \
  score "$work/cliff/scene.json" "$work/none.csv" --envelope 0.001
refused "an invalid name" "lower-case letters" \
  score "$work/cliff/scene.json" "$work/none.csv" --name 'My Engine'
# A name has the same room as that of a plug-in's method.
long_name=$(printf 'a%.0s' {1..60})
run score "$work/cliff/scene.json" "$work/none.csv" --name "$long_name" --format csv
check "a name of 60 letters is scored" out_has ",$long_name,"
refused "a name of 61 letters" "at most 60" \
  score "$work/cliff/scene.json" "$work/none.csv" --name "a$long_name"
refused "an unknown scoring parameter" "reference" \
  score "$work/cliff/scene.json" "$work/none.csv" --set referenc=design
refused "an unknown format" 'format "xml"' \
  score "$work/cliff/scene.json" "$work/none.csv" --format xml
refused "a pipe with --out" "is not a regular file" \
  score "$work/cliff/scene.json" <(cat "$work/none.csv") --out "$work/never.csv"
run score "$work/cliff/scene.json" <(cat "$work/Vertex Face.csv") --name piped
check "a pipe without" is_status 0

# A disk without room: nothing half-written stays.
(
  ulimit -f 8
  run score "$work/arch/scene.json" "$work/of_run/contacts.csv" --method opposing --step 0 \
    --results "$work/no_room"
  check "results that do not fit are reported" is_refused "ulimit -f"
  check "with what to do" err_has "(ulimit -f), then score again (no results are written)"
  echo "$passed $failed" >"$work/counts"
) && read -r passed failed <"$work/counts"
check "and nothing of them is left" is_absent "$work/no_room"
