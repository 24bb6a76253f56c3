# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# The leaderboard: what is ranked, what is refused, and the page in a browser.
# covers: harness/commands/leaderboard.c harness/commands/leaderboard_entries.c
: "${touchstone:?}" "${work:?}" "${here:?}" "${status:?}" # set by run_cli.sh

set=$work/set
"$touchstone" dataset --out "$set" >"$work/out"
version=$(sed -nE 's/.*\(version ([^,]*),.*/\1/p' "$work/out")
count=$(grep -c '"case"' "$set/manifest.json")

# measure FOLDER OPTIONS...: a run of all scenes.
measure() {
  local folder=$1 scenes=() scene
  shift
  for scene in "$set"/scenes/*/scene.json; do scenes+=(--scene "$scene"); done
  "$touchstone" run "${scenes[@]}" --steps 1 --repeats 1 --jobs 2 --quiet --out "$work/$folder" "$@" >"$work/out" 2>&1
}
measure two --method 'semi_local|vertex_only'
measure hull --method libccd_gjk --engines

run leaderboard "$work/two" "gjk <2.1>=$work/hull" --out "$work/board"
check "a leaderboard is written" is_status 0
check "of three entries" out_has "(data set version $version, 3 entries)"
check "in order" same_text "$(awk '$1 ~ /^[0-9]/ { print $1, $2 }' "$work/out" | tr '\n' ',')" \
  "1 semi_local,2 vertex_only,3 gjk,"
check "with a page, JSON and CSV" same_text \
  "$(find "$work/board" -mindepth 1 -printf '%f\n' | LC_ALL=C sort | tr '\n' ' ')" \
  "index.html leaderboard.csv leaderboard.json "
check "the page escapes names" grep -q 'gjk &#60;2.1&#62;' "$work/board/index.html"
check "it says what the engine is" grep -q 'libccd 2.1' "$work/board/index.html"
check "the CSV has a line for each entry" test "$(wc -l <"$work/board/leaderboard.csv")" -eq 4
check "JSON and CSV agree, and with the rows" python3 - "$work" <<'PY'
import csv, json, sys
work = sys.argv[1]
board = json.load(open(f"{work}/board/leaderboard.json"))
lines = {line["name"]: line for line in csv.DictReader(open(f"{work}/board/leaderboard.csv"))}
for entry in board["entries"]:
    line = lines[entry["name"]]
    for key, value in entry.items():
        same = line[key] == ("nan" if value is None else str(value)) or float(line[key]) == value
        assert same, key
rows = [row for row in csv.DictReader(open(f"{work}/two/summary.csv")) if row["method"] == "vertex_only"]
assert len(rows) == board["scenes"]
mean = sum(float(row["quality_percent"]) for row in rows) / len(rows)
entry = next(e for e in board["entries"] if e["name"] == "vertex_only")
assert abs(mean - entry["quality_percent_mean"]) < 1e-9, (mean, entry["quality_percent_mean"])
assert entry["quality_percent_low"] < mean < entry["quality_percent_high"]
PY
run leaderboard "$work/two" "gjk <2.1>=$work/hull" --out "$work/again"
check "the same results make the same bytes" diff -r "$work/board" "$work/again"
refused "a folder that is not empty" "--force" leaderboard "$work/two" --out "$work/board"
run leaderboard "$work/two" --out "$work/board" --force
check "with --force the page is replaced" is_status 0
check "one entry is one entry" test "$("$touchstone" leaderboard "$work/hull" --out "$work/single" | grep -c ', 1 entry)')" -eq 1
check "and has the two entries" test "$(wc -l <"$work/board/leaderboard.csv")" -eq 3

# Contacts of two scenes only: the others count as nothing.
mkdir "$work/mine"
for scene in arch wall; do
  python3 - "$work/two/contacts.csv" "$scene" "$work/mine/$scene.csv" <<'PY'
import csv, sys
rows = [row for row in csv.DictReader(open(sys.argv[1])) if row["case"] == sys.argv[2] and row["method"] == "semi_local"]
keep = [name for name in rows[0] if name[:5] in ("body_", "point", "norma", "gap_m")]
out = csv.DictWriter(open(sys.argv[3], "w", newline=""), keep, extrasaction="ignore")
out.writeheader()
out.writerows(rows)
PY
done
"$touchstone" score --dataset "$set" --contacts "$work/mine" --results "$work/scored" >"$work/out"
run leaderboard "$work/scored" "$work/hull" --out "$work/lacking"
check "results of some scenes are ranked" is_status 0
check "and what is missing is said" out_has "mine ($((count - 2)) of $count scenes count as 0: $((count - 2)) missing, 0 skipped, 0 failed)"
check "on the page, too" grep -q "2 of $count<small><br>$((count - 2)) missing" "$work/lacking/index.html"

refused "no results" "takes results folders" leaderboard --out "$work/x"
refused "a name that is not text" "UTF-8" leaderboard "$(printf 'a\377')=$work/two" --out "$work/x"
refused "an empty name" "a name is 1 to 100 bytes" leaderboard "=$work/two" --out "$work/x"
refused "a folder without results" "$work/mine" leaderboard "$work/mine" --out "$work/x"
refused "no --out" "--out DIR" leaderboard "$work/two"
refused "the same results twice" "the same results" leaderboard "$work/two" "again=$work/two" --out "$work/x"
cp -r "$work/hull" "$work/copy"
refused "a copy of results" "the same results" leaderboard "$work/hull" "copy=$work/copy" --out "$work/x"
measure more --method vertex_only
refused "two entries of one name" "name them: NAME=" leaderboard "$work/two" "$work/more" --out "$work/x"
run leaderboard "$work/two" "more=$work/more" --out "$work/named"
check "with a name they are told apart" is_status 0
check "and not ranked against each other" test "$(grep -c '^ *2-3 ' "$work/out")" -eq 2

"$touchstone" run --case arch --method growth --steps 1 --repeats 1 --quiet --out "$work/built_in" >"$work/out"
refused "results of no data set" "is not of the data set" leaderboard "$work/built_in" --out "$work/x"
"$touchstone" run --scene "$set/scenes/arch/scene.json" --set scale=2 --method growth --steps 1 --repeats 1 --quiet \
  --out "$work/larger" >"$work/out"
refused "scenes with other parameters" "with other parameters" leaderboard "$work/larger" --out "$work/x"
"$touchstone" run --scene "$set/scenes/arch/scene.json" --set reference=feasible --method growth --steps 1 --repeats 1 \
  --quiet --out "$work/lenient" >"$work/out"
refused "other rules of scoring" "other rules" leaderboard "$work/lenient" --out "$work/x"
"$touchstone" run --scene "$set/scenes/arch/scene.json" --case 'arch|internal_edges' --method growth --steps 1 --repeats 1 \
  --quiet --out "$work/mixed" >"$work/out"
refused "a row of another scene" "internal_edges" leaderboard "$work/mixed" --out "$work/x"
"$touchstone" run --scene "$set/scenes/arch/scene.json" --sweep simulation.dt_s=0.01,0.001 --method growth --steps 1 \
  --repeats 1 --quiet --out "$work/swept" >"$work/out"
refused "a scene twice" "has scene arch twice" leaderboard "$work/swept" --out "$work/x"
cp -r "$work/hull" "$work/other"
sed -i "s/\"$version\"/\"1-000000000000\"/" "$work/other/context.json"
refused "two versions" "version 1-000000000000 of the data set, and the leaderboard of version $version" \
  leaderboard "$work/two" "other=$work/other" --out "$work/x"
cp -r "$work/hull" "$work/bare" && rm "$work/bare/context.json"
refused "results without a context" "is not of the data set" leaderboard "$work/bare" --out "$work/x"
refused "a summary alone" "give its whole results folder" leaderboard "$work/two/summary.csv" --out "$work/x"
refused "what is not there" "give the folder of a run or a scoring" leaderboard "$work/none" --out "$work/x"
check "without the offer of a summary" test -z "$(grep 'summary.csv' "$work/err")"

# What is not an earlier leaderboard is not replaced.
mkdir "$work/site" && echo "my home page" >"$work/site/index.html"
for json in '' '{"schema": "mine"}' '{'; do
  [ -z "$json" ] || echo "$json" >"$work/site/leaderboard.json"
  refused "--force over another page, $json" "--force replaces nothing else" \
    leaderboard "$work/two" --out "$work/site" --force
done
check "the page is as it was" same_text "my home page" "$(cat "$work/site/index.html")"
cp "$work/board/leaderboard.json" "$work/more"
for out in "$work/more" "$work/more/" "$work/more/board/new" "$work/two/../more"; do
  refused "results as the folder $out" "is in $work/more, an input" \
    leaderboard "$work/two" "more=$work/more" --out "$out" --force
done
check "nothing is added to results" is_absent "$work/more/index.html"
check "nor a folder" is_absent "$work/more/board"
refused "nor to the data set" "is in $set, an input" leaderboard "$work/two" --dataset "$set" --out "$set/board"
check "which is as it was" is_absent "$set/board"
mkdir "$work/more_boards" # begins like the name of results
run leaderboard "$work/two" "more=$work/more" --out "$work/more_boards/new"
check "a folder of a similar name is another" is_status 0

run leaderboard "$work/two" --dataset "$set" --out "$work/given"
check "the data set may be given" is_status 0
refused "a folder that is none" "manifest.json" leaderboard "$work/two" --dataset "$work/two" --out "$work/x"
check "nothing is made by what is refused" is_absent "$work/x"

# ---- in a browser -------------------------------------------------------------------------------

chromium=$(command -v chromium) || skip "chromium is missing: apt-get install chromium"
check "the page works in a browser" python3 "$here/check_board.py" "$chromium" "$work/again/index.html"
