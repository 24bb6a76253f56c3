# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What methods agree on: the matrix, the place where they are farthest apart, and what is refused.
# covers: harness/agree/agree_command.c harness/agree/agreement_text.c harness/agree/pair_snapshot.c
# covers: reports/plots/plot_agreement.c reports/plots/plot_map.c
: "${touchstone:?}" "${work:?}" "${status:?}" # set by run_cli.sh

few=(run --quiet --repeats 1 --steps 1)
run "${few[@]}" --case 'wedges|arch|cliff_edges' --method 'opposing|closest_points|intersection' \
  --out "$work/run"
run agree "$work/run" --out "$work/agree.csv" --export "$work/worst"
check "agree exits 0" is_status 0
check "and says nothing on standard error" is_quiet
check "the matrix has numbers for headings" grep -qE '^from, to +1 +2 +3$' "$work/out"
check "what one method has is all that it blocks" grep -qE '^3 opposing( +[01]\.[0-9]+| +0){2} +0$' "$work/out"
check "intersection blocks all that closest_points does" \
  grep -qE '^1 closest_points +0 +0 ' "$work/out"
check "and much more" grep -qE '^2 intersection +(1\.00|0\.9[0-9]) +0 ' "$work/out"
check "the worst pair is named" grep -qE '^worst: [a-z_]+, bodies [a-z_0-9]+ and [a-z_0-9]+: [a-z_]+ has a contact at ' \
  "$work/out"
check "CSV has a row for each two methods" test "$(wc -l <"$work/agree.csv")" -eq 7
check "with their distance" grep -qE '^closest_points,intersection,0,3,' "$work/agree.csv"
for file in from.svg to.svg from.gltf to.gltf; do
  check "the worst pair is exported: $file" test -s "$work/worst/$file"
done
check "as two bodies" grep -q '2 bodies' "$work/worst/from.svg"
sed -n 's/^to see it: touchstone //p' "$work/out" >"$work/command"
read -ra command <"$work/command"
run "${command[@]}" --out "$work/seen.svg"
check "the command shows it" test -s "$work/seen.svg"
refused "an export that exists" "--force" agree "$work/run" --export "$work/worst"
refused "a file that exists" "--force" agree "$work/run" --out "$work/agree.csv"
refused "an export into the results" "--export" agree "$work/run" --export "$work/run/worst"
run agree "$work/run" --out "$work/agree.csv" --export "$work/worst" --force
check "--force replaces both" is_status 0
run agree "$work/run" --case wedges --method opposing --method closest_points
check "cases and methods can be chosen" grep -qE 'in 1 case, ' "$work/out"
check "and no more" test "$(grep -cE '^[0-9] ' "$work/out")" -eq 2

# Cases that not all methods have.
cp -r "$work/run" "$work/fewer"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) n[$i] = i; print; next }
  !($n["case"] == "arch" && $n["method"] == "opposing")' "$work/run/summary.csv" >"$work/fewer/summary.csv"
run agree "$work/fewer"
check "a method that lacks a case is reported" out_has "only cases in common count: opposing is ok in 2 of 3"
rm -r "$work/fewer/contacts.csv"
refused "results without contacts" "contacts.csv is missing" agree "$work/fewer"
refused "a summary alone" "give the results folder" agree "$work/run/summary.csv"
refused "one method" "agreement takes two" agree "$work/run" --method opposing
refused "no results" "one results folder" agree
run "${few[@]}" --case wedges --method 'opposing|closest_points' --contacts bad --out "$work/bad"
refused "contacts that were not kept" "--contacts all" agree "$work/bad"

# Scenes that cannot be built again: the frame is that of the contacts.
sed 's/,wedges,/,wedgy,/' "$work/run/summary.csv" >"$work/summary.csv"
cp -r "$work/run" "$work/renamed"
mv "$work/summary.csv" "$work/renamed/summary.csv"
run agree "$work/renamed"
check "an unknown case is reported" out_has "1 case in the frame of the contacts"

# A plot.
if command -v gnuplot >/dev/null; then
  run plot "$work/run" --only agreement --out "$work/plots"
  check "the matrix as a plot" grep -q 'closest_points' "$work/plots/agreement-methods.svg"
  check "with its data" test "$(wc -l <"$work/plots/agreement-methods.csv")" -eq 10
fi
refused "a plot of one method" "no two methods" plot "$work/run" --only agreement --list --method opposing
