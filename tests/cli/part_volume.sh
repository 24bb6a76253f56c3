# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Smaller results: fewer contacts, compressed files.
# covers: reports/rows/gzip.c reports/rows/contact_kind.c harness/run/cell_state.c harness/run/run_values.c
: "${touchstone:?}" "${work:?}" # set by run_cli.sh

plan=(run --case 'spi.*|wedges' --method 'closest_points|opposing' --repeats 2 --quiet)
run "${plan[@]}" --out "$work/all"
for which in bad none; do
  run "${plan[@]}" --contacts $which --out "$work/$which"
  check "a run with --contacts $which" is_status 0
  compared "$work/all/summary.csv" >"$work/rows_a"
  compared "$work/$which/summary.csv" >"$work/rows_b"
  check "its measures are those of all contacts" cmp -s "$work/rows_a" "$work/rows_b"
done
listed() { column "$1/summary.csv" contacts_listed | awk '{ n += $1 } END { print n + 0 }'; }
contact_rows() { echo $(($(wc -l <"$1/contacts.csv") - 1)); }
for which in all bad none; do
  check "--contacts $which counts what it lists" same_text "$(listed "$work/$which")" "$(contact_rows "$work/$which")"
done
check "none lists none" same_text "$(contact_rows "$work/none")" 0
check "nor regions and poses" same_text "$(cat "$work/none"/{regions,poses}.csv | wc -l)" 2
lacking() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
    $at["missed"] > 0 || $at["normals_met"] < $at["normals_needed"] || $at["contacts_missing"] > 0' "$1"
}
check "bad lists the regions that lack something" cmp -s "$work/bad/regions.csv" \
  <(lacking "$work/all/regions.csv")
check "bad lists some" test "$(contact_rows "$work/bad")" -gt 0
check "and not all" test "$(contact_rows "$work/bad")" -lt "$(contact_rows "$work/all")"
# The rows of all whose verdict is a fault, in the words of the columns.
at_fault() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
    function is(name) { return $at[name] != "nan" && $at[name] > 0 }
    $at["correct"] == "nan" { next } # its truth is unknown
    is("phantom") || (is("speculative") ? is("speculative_wrong") : !is("correct") || is("flipped") || is("gap_wrong"))' "$1"
}
check "they are those at fault" cmp -s <(at_fault "$work/all/contacts.csv") "$work/bad/contacts.csv"
check "the run says which" grep -q -- '--contacts=bad' "$work/bad/context.json"
run "${plan[@]}" --contacts bad --out "$work/begun" --steps 5 --set gravity_m_s2=0
cp -r "$work/begun" "$work/cut"
truncate -s -1500 "$work/cut/summary.csv"
run run --resume "$work/cut" --quiet
check "it goes on after a cut" same_rows "$work/begun" "$work/cut"
refused "a word that is none of them" '"bed"' run --contacts bed

# What reads contacts says that they are not all there, rather than show a part.
run compare "$work/all" "$work/bad"
check "compare does not count rows of contacts.csv" out_has "nothing differs"
refused "a plot of a part of the contacts" "did not keep all contacts" plot "$work/bad" --only normal_errors --list
run plot "$work/bad" --list
check "other plots are drawn" out_has "left out: normal_errors: the run did not keep all contacts"
run plot "$work/all" --list
check "and that one of all contacts" out_has normal_errors
run report "$work/bad"
check "the page knows" grep -q '"contactsKept":"bad"' "$work/bad/report.html"
refused "a score of a part of the contacts" "run it again with --contacts all" \
  score --case spike_in_hole "$work/bad/contacts.csv" --method closest_points --step 0
refused "a score of none of the contacts" "lists 0 of the " \
  score --case spike_in_hole "$work/none/contacts.csv" --method opposing --step 0
junit_of() { # WHICH: the gate's report of a run that breaks a rule
  echo "quality_percent may not be below 100" >"$work/rules"
  run gate "$work/$1" --rules "$work/rules" --junit "$work/$1.xml"
}
for which in all bad none; do junit_of $which; done
check "the gate lists the same contacts at fault from the bad ones" \
  cmp -s <(grep '^  bodies' "$work/all.xml") <(grep '^  bodies' "$work/bad.xml")
check "which are some" grep -q '^  bodies' "$work/bad.xml"
check "and from none says why it does not" grep -q 'not listed, because the run had --contacts none' "$work/none.xml"

# Compressed.
run "${plan[@]}" --gzip --out "$work/gzip"
is_compressed() {
  local name
  for name in contacts regions poses samples; do
    [ -s "$1/$name.csv.gz" ] && [ ! -e "$1/$name.csv" ] || return 1
  done
  [ -s "$1/summary.csv" ]
}
check "--gzip leaves compressed files" is_compressed "$work/gzip"
cp -r "$work/gzip" "$work/unpacked"
gunzip "$work/unpacked"/*.gz
check "which gunzip reads" same_rows "$work/all" "$work/unpacked"
if command -v python3 >/dev/null; then
  check "and Python" python3 -c '
import csv, gzip, sys
rows = list(csv.DictReader(gzip.open(sys.argv[1], "rt")))
assert len(rows) == int(sys.argv[2]), len(rows)' "$work/gzip/contacts.csv.gz" "$(contact_rows "$work/all")"
fi
run report "$work/unpacked"
# The page names its folder, so that the other one is given that name for a while.
mv "$work/unpacked" "$work/aside" && mv "$work/gzip" "$work/unpacked"
run report "$work/unpacked"
mv "$work/unpacked" "$work/gzip" && mv "$work/aside" "$work/unpacked"
check "the page is the same" cmp -s "$work/gzip/report.html" "$work/unpacked/report.html"
run plot "$work/gzip" --list
cp "$work/out" "$work/plots"
run plot "$work/unpacked" --list
check "the plots are the same" cmp -s "$work/out" "$work/plots"
run compare "$work/all" "$work/gzip"
check "compare tests its times" out_has "times: "
check "of its samples" test -z "$(grep 'not tested' "$work/out")"
run score --case spike_in_hole "$work/gzip/contacts.csv.gz" --method opposing --step 0
cp "$work/out" "$work/score"
run score --case spike_in_hole "$work/gzip/contacts.csv" --method opposing --step 0
check "score takes it by either name" same_text "$(sed 's/\.gz//' "$work/score")" "$(cat "$work/out")"
run score --case spike_in_hole "$work/all/contacts.csv" --method opposing --step 0
check "and scores it as the plain one" same_text \
  "$(sed "s/\.gz//; s,$work/gzip/,$work/all/," "$work/score" | grep -v ' ms\| us\| ns')" "$(grep -v ' ms\| us\| ns' "$work/out")"
gzip -k "$work/unpacked/summary.csv"
run report "$work/unpacked/summary.csv.gz" --format csv
check "a compressed summary is read" cmp -s "$work/out" <("$touchstone" report "$work/unpacked" --format csv)
rm "$work/unpacked/summary.csv"
run report "$work/unpacked" --format csv
check "also in a folder" is_status 0

head -c 3000 "$work/gzip/contacts.csv.gz" >"$work/head.gz"
cp "$work/head.gz" "$work/unpacked/contacts.csv.gz"
rm "$work/unpacked/contacts.csv"
refused "compressed data that are cut off" "contacts.csv.gz is damaged: its compressed data are cut off" report "$work/unpacked"
head -c 1000 /dev/zero | cat <(head -c 2000 "$work/gzip/contacts.csv.gz") - >"$work/unpacked/contacts.csv.gz"
refused "compressed data that are damaged" "contacts.csv.gz is damaged" report "$work/unpacked"

# Resuming.
run run --resume "$work/gzip"
check "a complete compressed run says so" err_has "is complete"
check "and prints its table" out_has "results: $work/gzip/summary.csv"
check "and stays compressed" is_compressed "$work/gzip"
for option in --contacts=all --repeats=5 --steps=1 --shard=1/2; do
  refused "a complete compressed run with $option" "${option%=*} cannot be combined with --resume" \
    run --resume "$work/gzip" "$option"
done

# damaged WHAT WORDS COMMAND...: the command changes contacts.csv.gz, from its standard input, of a complete run.
damaged() {
  local what=$1 words=$2
  shift 2
  rm -rf "$work/damaged"
  cp -r "$work/gzip" "$work/damaged"
  "$@" <"$work/gzip/contacts.csv.gz" >"$work/damaged/contacts.csv.gz"
  refused "one that is $what" "damaged/contacts.csv.gz$words" run --resume "$work/damaged"
  rm "$work/damaged/journal.log"
  run run --resume "$work/damaged"
  check "also without a journal, if it is $what" is_status "${without:-2}"
}
flip() { head -c 2000 && printf '\377\377' && tail -c +2003 "$work/gzip/contacts.csv.gz"; }
double() { cat - "$work/gzip/contacts.csv.gz"; }
append() { cat - && echo mine; }
edit() { gunzip | sed '$s/[0-9]/8/g' | gzip; }
damaged "cut" " is damaged: its compressed data are cut off" head -c 3000
damaged "changed within" " is damaged" flip
damaged "there twice" " has " double
damaged "followed by something" " is damaged: there is something else" append
without=0 damaged "edited" ": the rows of cell" edit
cp -r "$work/gzip" "$work/short"
sed -i '$d' "$work/short/summary.csv"
refused "an incomplete one" "gunzip $work/short/*.csv.gz" run --resume "$work/short"
gunzip "$work/short"/*.gz
run run --resume "$work/short" --quiet
check "decompressed, it goes on to the end" is_status 0
check "and is compressed then" is_compressed "$work/short"
cp -r "$work/all" "$work/later"
run run --resume "$work/later" --gzip --quiet
check "a plain one is compressed on resume" is_compressed "$work/later"
gunzip -k "$work/later"/*.gz
run run --resume "$work/later" --quiet
check "where both files are there, the plain one counts" same_rows "$work/all" "$work/later"
truncate -s -2000 "$work/later/contacts.csv"
refused "a plain one that was not decompressed to its end" "gunzip -f $work/later/contacts.csv.gz" \
  run --resume "$work/later"
gunzip -f "$work/later/contacts.csv.gz"
run run --resume "$work/later" --quiet
check "which then is complete" same_rows "$work/all" "$work/later"

run "${plan[@]}" --shard 1/2 --gzip --out "$work/first"
run "${plan[@]}" --shard 2/2 --out "$work/second"
run merge "$work/first" "$work/second" --out "$work/merged"
check "compressed shards are merged with plain ones" same_rows "$work/all" "$work/merged"
run merge "$work/first" "$work/second" --out "$work/merged_gzip" --gzip
check "and the whole is compressed" is_compressed "$work/merged_gzip"
gunzip "$work/merged_gzip"/*.gz
check "with the same rows" same_rows "$work/all" "$work/merged_gzip"
head -c 1000 "$work/first/contacts.csv.gz" >"$work/head.gz"
cp "$work/head.gz" "$work/first/contacts.csv.gz"
refused "a damaged shard" "first/contacts.csv.gz is damaged" merge "$work/first" "$work/second" --out "$work/nothing"
check "which leaves nothing" is_absent "$work/nothing"
