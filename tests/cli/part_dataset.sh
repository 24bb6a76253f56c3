# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# The data set: written, checked, scored by files alone, and run.
# covers: harness/commands/dataset.c harness/score/score_dataset.c harness/score/score_judge.c
: "${touchstone:?}" "${work:?}" "${status:?}" # set by run_cli.sh

set=$work/set
run dataset --out "$set"
check "a data set is written" is_status 0
check "and told, with its version" grep -qE '^data set: .*/set \(version 1-[0-9a-f]{12}, [0-9]+ scenes, ' "$work/out"
version=$(sed -nE 's/.*\(version ([^,]*),.*/\1/p' "$work/out")
count=$(grep -c '"case"' "$set/manifest.json")
by_hand=$(cd "$set" && find . -type f ! -name manifest.json -printf '%P\n' | LC_ALL=C sort | xargs sha256sum | sha256sum)
check "its README tells how the version follows from the files" same_text "$version" "1-${by_hand:0:12}"
check "everything that it writes has a final name" same_text \
  "$(find "$set" -mindepth 1 -maxdepth 1 -printf '%f\n' | LC_ALL=C sort | tr '\n' ' ')" \
  "CITATION.cff LICENSE README.md manifest.json scenes "
LC_ALL=de_DE.UTF-8 TZ=Asia/Tokyo "$touchstone" dataset --out "$work/again" >"$work/out"
check "locale and time zone change no byte" diff -r "$set" "$work/again"
run dataset --check "$set"
check "the check passes" is_status 0
check "and says so" out_has "the same as this build makes: version $version"
mkdir "$work/inside" && run dataset --out "$work/inside/."
check "an empty folder is filled" is_status 0
check "with the same bytes" diff -r "$set" "$work/inside"

refused "a folder that is not empty" "is not empty" dataset --out "$set"
refused "no folder" "--out DIR" dataset
refused "both at once" "either" dataset --out "$work/x" --check "$set"
refused "an operand" "--out" dataset "$work/x"
refused "a folder without a manifest" "is no data set" dataset --check "$work/home"
check "nothing is made by what is refused" is_absent "$work/x"
(
  ulimit -f 16
  "$touchstone" dataset --out "$work/full/set" >"$work/out" 2>"$work/err"
  echo $? >"$work/code"
)
check "a disk that is full is one message" is_one_message
check "and exit status 2" same_text "$(cat "$work/code")" 2
check "and leaves nothing" is_absent "$work/full"

# as_user COMMAND...: without the rights of root, who may read everything.
as_user() {
  local user=()
  [ "$(id -u)" -ne 0 ] || user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  "${user[@]}" "$@" >"$work/out" 2>"$work/err"
  status=$?
}
chmod 755 "$work"
cp "$touchstone" "$work/program" # where that user finds it
as_user "$work/program" dataset --check "$work/inside"
check "another user checks a data set" is_status 0
for file in scenes/arch/scene.json scenes/arch manifest.json scenes .; do
  mode=$(stat -c %a "$work/inside/$file")
  chmod 000 "$work/inside/$file"
  as_user "$work/program" dataset --check "$work/inside"
  chmod "$mode" "$work/inside/$file"
  check "$file that may not be read is exit status 2" is_status 2
  check "and told as such" grep -q 'cannot read .*/inside.*: Permission denied; .*run it as a user who may' "$work/err"
  check "and not as changed, missing or extra" test ! -s "$work/out"
done
chmod 311 "$work/inside"
as_user "$work/program" dataset --check "$work/inside"
chmod 755 "$work/inside"
check "a folder that may not be listed, too" err_has "/inside: Permission denied"

printf '1' >>"$work/again/scenes/arch/ground.obj"
rm "$work/again/scenes/wall/scene.json"
touch "$work/again/scenes/more"
run dataset --check "$work/again"
check "a damaged folder gives exit status 1" is_status 1
for words in "changed: scenes/arch/ground.obj" "missing: scenes/wall/scene.json" \
  "not part of it: scenes/more" "is not whole: 3 files are"; do
  check "and says: $words" out_has "$words"
done
printf 'x' >>"$work/again/manifest.json"
run dataset --check "$work/again"
check "a manifest that is damaged gives exit status 1" is_status 1
check "and is named" out_has "changed: manifest.json"

# ---- the rows of a run, from files alone --------------------------------------------------------

method=consistent_vertex
scenes=()
for scene in "$set"/scenes/*/scene.json; do scenes+=(--scene "$scene"); done
run run "${scenes[@]}" --method $method --steps 1 --repeats 1 --jobs 2 --quiet --out "$work/of_run"
check "every scene runs" is_status 0
check "its results have the version" grep -q "\"version\": \"$version\"" "$work/of_run/context.json"

# The columns of FILE that have to be equal: not identity, nor what only a method that runs has.
judged() {
  "$touchstone" list columns | awk '/^contacts.csv$/ { exit } !/not compared/ && !/ identity / { print $1 }' |
    grep -vxE 'summary.csv|column|pairs_candidate|envelope|envelope_m' >"$work/judged"
  python3 - "$1" "$work/judged" <<'PY'
import csv, sys
names = open(sys.argv[2]).read().split()
for row in sorted(csv.DictReader(open(sys.argv[1])), key=lambda row: (row["case"], row["case_parameters"])):
    print(row["case_parameters"], *(row[name] for name in names))
PY
}
judged "$work/of_run/summary.csv" | LC_ALL=C sort >"$work/rows_of_run"
check "it has a row for each scene" test "$(wc -l <"$work/rows_of_run")" -eq "$count"
check "all of its columns are looked at" test "$(wc -l <"$work/judged")" -gt 50
for options in "" "--set motion_seed=1" "--set motion_seed=2" "--seed 1" "--seed 2" "--seed 3" "--seed 4" "--seed 5"; do
  for suite in erleben extended; do
    rm -rf "$work/built_in"
    # shellcheck disable=SC2086 # options are words
    run run --suite $suite $options --method $method --steps 1 --repeats 1 --jobs 2 --quiet --out "$work/built_in"
    judged "$work/built_in/summary.csv" >>"$work/rows_built_in"
  done
done
LC_ALL=C sort "$work/rows_built_in" >"$work/rows_sorted"
check "they are the rows of the built-in cases" cmp "$work/rows_of_run" "$work/rows_sorted"

# The contacts of the run, a file for each scene, as another program would write them.
mkdir "$work/mine"
python3 - "$work/of_run" "$work/mine" <<'PY'
import csv, os, sys
run, folder = sys.argv[1:]
states = {row["case"]: (row["envelope"], row["envelope_m"]) for row in csv.DictReader(open(f"{run}/summary.csv"))}
keep = ["body_a", "body_b"] + [f"point_{c}_m" for c in "xyz"] + [f"normal_{c}" for c in "xyz"] + \
    ["gap_m", "feature_a", "feature_b", "feature_a_index", "feature_b_index"]
files = {}
for name in states:
    files[name] = csv.writer(open(f"{folder}/{name}.csv", "w", newline=""))
    files[name].writerow(keep + ["envelope", "envelope_m"])
for row in csv.DictReader(open(f"{run}/contacts.csv")):
    files[row["case"]].writerow([row[name] for name in keep] + list(states[row["case"]]))
PY
run score --dataset "$set" --contacts "$work/mine" --name $method --results "$work/scored"
check "contacts of all scenes are scored at once" is_status 0
check "and counted" out_has "data set version $version: $count of $count scenes scored"
judged "$work/scored/summary.csv" | LC_ALL=C sort >"$work/rows_scored"
check "their rows are those of the run" cmp "$work/rows_of_run" "$work/rows_scored"
check "its results have the version" grep -q "\"version\": \"$version\"" "$work/scored/context.json"

mkdir "$work/some"
cp "$work/mine/arch.csv" "$work/mine/wall_drawn_3.csv" "$work/some"
run score --dataset "$set" --contacts "$work/some"
check "some of the scenes may be scored" is_status 0
check "the others are counted" out_has "2 of $count scenes scored"
check "and named" grep -qx "  wall_drawn_2" "$work/out"
check "the method is called like the folder" grep -q '^ *some$' "$work/out"
run score "$set/scenes/arch/scene.json" "$work/mine/arch.csv" --results "$work/single"
check "results of one scene have the version, too" grep -q "\"version\": \"$version\"" "$work/single/context.json"

cp "$work/mine/arch.csv" "$work/some/arhc.csv"
refused "a file of no scene" "arhc.csv is of no scene" score --dataset "$set" --contacts "$work/some"
rm "$work/some/arhc.csv"
printf 'nonsense\n' >"$work/some/wall.csv"
refused "a file that cannot be read" "wall.csv" \
  score --dataset "$set" --contacts "$work/some" --results "$work/none"
check "and no results are left" is_absent "$work/none"
check "which is said" err_has " (no results are written)"
check "and no remedy of another fault" test -z "$(grep 'again' "$work/err")"
refused "the folder of the contacts for the results" "some is not empty; choose another --results" \
  score --dataset "$set" --contacts "$work/some" --results "$work/some"
mkdir "$work/empty"
refused "a folder without contacts" "has no contacts" score --dataset "$set" --contacts "$work/empty"
refused "a folder that does not exist" "cannot read folder" score --dataset "$set" --contacts "$work/nowhere"
refused "a data set without contacts" "--contacts" score --dataset "$set"
refused "contacts without a data set" "--dataset" score --contacts "$work/mine"
refused "a step" "--step" score --dataset "$set" --contacts "$work/mine" --step 1
rm "$work/some/wall.csv"
refused "a data set that is damaged" "manifest.json" score --dataset "$work/again" --contacts "$work/some"
printf '#\n' >>"$work/inside/scenes/arch/ground.obj"
run score --dataset "$work/inside" --contacts "$work/some"
check "a scene that was changed is refused" err_has "scene arch is not as"
