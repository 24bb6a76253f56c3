# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Plots: what is drawn, what is left out and said, what is refused.
# covers: harness/commands/gnuplot.c harness/commands/method_styles.c harness/commands/plot.c
# covers: harness/commands/plot_contacts.c harness/commands/plot_folder.c
: "${touchstone:?}" "${work:?}" "${status:?}" # set by run_cli.sh

# timed FOLDER AWK: sets times of its summary. Measured ones are not known, and are missing where the
# machine was busy.
timed() {
  awk -F, -v OFS=, "NR == 1 { for (i = 1; i <= NF; i++) n[\$i] = i; print; next } $2 { print }" \
    "$1/summary.csv" >"$work/timed" && mv "$work/timed" "$1/summary.csv"
}

run run --case 'wall|cliff_edges' --set layers=3 --set span=3 --method 'opposing|growth' \
  --steps 5 --repeats 1 --quiet --out "$work/drawn"
timed "$work/drawn" '$n["step"] == 0 || $n["step"] == 3 { $n["generate_ns_median"] = 1000 * NR }'
run plot "$work/drawn"
check "plot exits 0" is_status 0
check "and says nothing on standard error" is_quiet
check "and names the folder" out_has "plots: $work/drawn/plots ("
check "and what is left out, with the run that gives it" out_has "--sweep layers=2,4,8"
plots=$work/drawn/plots
for plot in heat_map-quality_percent-touch quality_time-step3 normal_quality-wall-step5 \
  normal_errors-wall-touch contact_areas-wall-touch contacts_step-wall \
  coherence_step-wall-set_jump_per_m heat_map-set_jump_per_m_max-step5 motion_step-wall-energy \
  motion_step-wall-drift motion_step-cliff_edges-tilt; do
  check "$plot has picture, script and data" test -s "$plots/$plot.svg" -a -s "$plots/$plot.gp" \
    -a -s "$plots/$plot.csv"
done
check "no draft is left" test -z "$(find "$plots" -name '*draft*')"
check "every script has its picture" same_text "$(find "$plots" -name '*.gp' ! -name '*look.gp' | wc -l)" \
  "$(find "$plots" -name '*.svg' | wc -l)"
# Areas of the hulls over the true ones are what the summary says.
area_coverage() {
  awk -F, '
    NR == FNR { if (FNR == 1) for (i = 1; i <= NF; i++) column[$i] = i
                else if ($column["case"] == "wall" && $column["method"] == "opposing" &&
                         $column["step"] == 0) coverage = $column["area_coverage"]; next }
    FNR == 1 || $3 == 1 || ($2 != "opposing" && $2 != "true area") { next }
    { if ($2 in share && $4 > share[$2]) sum[$2] += ($4 - share[$2]) * $5; share[$2] = $4 }
    END { ratio = sum["opposing"] / sum["true area"]
          print (sum["true area"] > 0 && ratio - coverage < 1e-3 && coverage - ratio < 1e-3) }
  ' "$1/summary.csv" "$plots/contact_areas-wall-touch.csv"
}
check "the areas add up to the area coverage" same_text "$(area_coverage "$work/drawn")" 1

# The data of coherence are the columns of the summary, "method,step,value" each.
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) n[$i] = i; next }
  $n["case"] == "wall" && $n["step"] > 0 { print $n["method"] "," $n["step"] "," $n["set_jump_per_m"] }' \
  "$work/drawn/summary.csv" | sort >"$work/jumps"
check "coherence is drawn from its column" same_text \
  "$(tail -n +2 "$plots/coherence_step-wall-set_jump_per_m.csv" | cut -d, -f2- | sort)" \
  "$(cat "$work/jumps")"
check "which has values" grep -qE ',[0-9.e-]*[1-9]' "$work/jumps"
check "a column without values has no plot" \
  test -z "$(find "$plots" -name '*continuity*' -o -name 'coherence_step-*-features*' \
    -o -name 'motion_step-*-overlap*')"
run plot "$work/drawn" --out "$work/again"
check "the same data give the same bytes" diff -rq "$plots" "$work/again"
cp "$plots/contacts_step-wall.gp" "$work/label.gp"
sed -i 's/unique contacts/what the author says/' "$plots/contacts_step-wall.gp"
(cd "$plots" && gnuplot contacts_step-wall.gp) >"$work/out" 2>"$work/err"
check "a script runs by itself and says nothing" test ! -s "$work/out" -a ! -s "$work/err"
check "with the author's label" grep -q 'what the author says' "$plots/contacts_step-wall.svg"
check "a comma in a locale is not a decimal point" test -z "$(
  cd "$plots" && LC_ALL=de_DE.UTF-8 gnuplot contacts_step-wall.gp 2>&1)"
refused "a folder with plots" "--force" plot "$work/drawn"
check "and they are left alone" grep -q 'what the author says' "$plots/contacts_step-wall.gp"
run plot "$work/drawn" --force --only contacts_step
check "--force replaces them" cmp -s "$plots/contacts_step-wall.gp" "$work/label.gp"

run plot "$work/drawn" --only heat_map --format pdf,png,tex --out "$work/formats"
check "other formats are drawn" is_status 0
check "a PDF" test "$(head -c 4 "$work/formats/heat_map-quality_percent-touch.pdf")" = %PDF
check "a PNG" grep -q PNG "$work/formats/heat_map-quality_percent-touch.png"
check "LaTeX, with what it would take as its own escaped" \
  grep -qF 'cliff\_edges' "$work/formats/heat_map-quality_percent-touch-tex.tex"
check "LaTeX does not take the PDF's place" test \
  -s "$work/formats/heat_map-quality_percent-touch-tex.pdf"
run plot "$work/drawn" --only heat_map --method growth --case wall --out "$work/chosen"
check "--case and --method choose" test \
  "$(cut -d, -f3,4 "$work/chosen/heat_map-quality_percent-touch.csv" | sort -u | wc -l)" -eq 2

run plot --list
check "--list has the kinds and their figures" grep -qE '^normal_errors +21 ' "$work/out"
run plot "$work/drawn" --list
check "--list of results has their plots" out_has contacts_step-wall
run plot "$work/drawn/summary.csv" --list
check "a summary by itself gives what it can" out_has heat_map-quality_percent-touch
check "and says what it cannot" out_has "left out: normal_quality: contacts.csv is missing"

run run --case wall --set span=2 --method 'opposing|growth' --sweep layers=2,3,4 --steps 1 \
  --repeats 1 --quiet --out "$work/swept"
timed "$work/swept" '{ match($0, /layers=[0-9]+/)
  $n["generate_ns_median"] = 1000 * substr($0, RSTART + 7, RLENGTH - 7) ^ 2 }'
run plot "$work/swept" --only time_size,measures_sweep,normal_quality_sweep
check "a sweep is drawn" is_status 0
check "time with its exponent" grep -q 'growth: exponent 2\.00' \
  "$work/swept/plots/time_size-layers-wall-touch.gp"
check "measures" test -s "$work/swept/plots/measures_sweep-layers-wall-touch.svg"

# Measures that no row has: a panel says so, and a page of such panels is not drawn.
run run --quiet --case 'tori|spikes' --method ldi_volume --set triangles=1000 --steps 1 \
  --repeats 1 --sweep resolution_px=16,32 --out "$work/unknown"
run plot "$work/unknown" --only measures_sweep --force
check "a measure that no row has is not an error" is_status 0
check "what has measures is drawn" test -s "$work/unknown/plots/measures_sweep-resolution_px-spikes-touch.svg"
check "what has none is not" test ! -e "$work/unknown/plots/measures_sweep-resolution_px-tori-touch.svg"
check "an empty panel says so" grep -q "not measured" \
  "$work/unknown/plots/measures_sweep-resolution_px-spikes-touch.svg"
check "sorted quality of each value" grep -q 'layers=4' \
  "$work/swept/plots/normal_quality_sweep-layers-wall-touch-growth.csv"

# The same contacts under three responses.
run run --quiet --case pillar --method ldi_volume --steps 6 --repeats 1 \
  --sweep response=points,volume,penalty --out "$work/responses"
run plot "$work/responses" --only motion_step
check "responses are drawn" is_status 0
responses=$work/responses/plots
check "in one plot" same_text "$(find "$responses" -name 'motion_step-*-energy.svg' | wc -l)" 1
check "with a curve each" same_text \
  "$(tail -n +2 "$responses/motion_step-pillar-drift.csv" | cut -d, -f2 | uniq | paste -sd ' ')" \
  "response=points response=volume response=penalty"
check "in seconds" grep -q '^1,response=points,2,0\.01,' "$responses/motion_step-pillar-drift.csv"
check "elastic energy where a response has some" grep -q 'Elastic energy' \
  "$responses/motion_step-pillar-energy.svg"
(cd "$responses" && for script in motion_step-*.gp; do gnuplot "$script"; done) \
  >"$work/out" 2>"$work/err"
check "the scripts say nothing" test ! -s "$work/out" -a ! -s "$work/err"

# What contacts do against a parameter: a force over the depth, an overlap down to 0.
run run --quiet --case passing --method ldi_volume --set response=penalty \
  --set integration=explicit --set triangles=200 --sweep passing.depth_m=0,0.3,0.75 --steps 2 \
  --repeats 1 --out "$work/passing"
run plot "$work/passing" --only response_sweep
check "a force against a depth is drawn" test -s \
  "$work/passing/plots/response_sweep-depth_m-passing-step2.svg"
check "and is 0 inside" grep -q '^contact_force_n_max,1,ldi_volume,0\.75,0,' \
  "$work/passing/plots/response_sweep-depth_m-passing-step2.csv"
run run --quiet --case passing --set triangles=200 --method ldi_volume --set response=volume \
  --set dilation_m=0 --set position_iterations=0 --sweep passing.depth_m=0,0.01,0.3 --steps 2 \
  --repeats 1 --out "$work/entering"
run plot "$work/entering" --only response_sweep
check "an overlap that begins at 0 has a place for it" grep -q '"0" ' \
  "$work/entering/plots/response_sweep-depth_m-passing-step2.gp"
(cd "$work/entering/plots" && gnuplot response_sweep-depth_m-passing-step2.gp) \
  >"$work/out" 2>"$work/err"
check "and its script says nothing" test ! -s "$work/out" -a ! -s "$work/err"

# Seeds are one field, point or curve, not plots of their own.
run run --quiet --case 'pillar|cliff_edges' --method 'opposing|growth' --seeds 3 --steps 6 \
  --sweep perturb_m=0.01,0.02 --repeats 1 --out "$work/seeds"
run plot "$work/seeds"
check "a study is drawn" is_status 0
seeds=$work/seeds/plots
check "without a plot for each seed" test -z "$(find "$seeds" -name '*seed*')"
check "a heat map says what it averages" grep -q 'mean of 3 seeds' "$seeds/heat_map-quality_percent-touch.svg"
check "and has a mean of the cases" grep -q 'mean of 4 cases' "$seeds/heat_map-quality_percent-touch.svg"
check "quality against time over all cases" grep -q 'bars: 95% intervals' \
  "$seeds/quality_time-all_cases-touch.svg"
check "contacts are those of the first seed" grep -q 'first of 3 seeds' \
  "$seeds/normal_quality-pillar-perturb_m=0.01-touch.svg"
check "curves over steps have bands" grep -q 'bands: 95% intervals' "$seeds/contacts_step-pillar-perturb_m=0.01.svg"
(cd "$seeds" && for script in [a-k]*.gp m*.gp n*.gp q*.gp; do gnuplot "$script"; done) \
  >"$work/out" 2>"$work/err"
check "and sweeps bars" grep -q 'yerrorbars' "$seeds/measures_sweep-perturb_m-pillar-touch.gp"
check "and their scripts say nothing" test ! -s "$work/out" -a ! -s "$work/err"

refused "motion without steps" "touchstone run --steps 100" plot "$work/swept" \
  --only motion_step --out "$work/none"
refused "coherence without steps" "touchstone run --steps 100" plot "$work/swept" \
  --only coherence_step --out "$work/none"
run run --case soft_block --method closest_points --steps 5 --repeats 1 --quiet --out "$work/soft"
refused "coherence where bodies deform" "it is not measured where bodies deform" plot "$work/soft" \
  --only coherence_step --out "$work/none"
check "without a run that would not give it either" \
  test "$(grep -c -e '--steps 100' "$work/err")" -eq 0
refused "a plot that the rows do not give" "touchstone run --steps 100" plot "$work/swept" \
  --only contacts_step --out "$work/none"
check "and no folder is made" is_absent "$work/none"
refused "an unknown kind" 'did you mean "heat_map"' plot "$work/drawn" --only heatmap
refused "an unknown format" "svg, pdf, png, tex" plot "$work/drawn" --format gif
refused "no results" "touchstone plot results/latest" plot
refused "an unknown case" "matches no row of" plot "$work/drawn" --case nowhere
mkdir "$work/nothing"
PATH=$work/nothing "$touchstone" plot "$work/drawn" --out "$work/none" >"$work/out" 2>"$work/err"
status=$?
check "no gnuplot is refused" is_refused gnuplot-nox

mkdir "$work/fake"
printf '#!/bin/sh\necho "\\"x.gp\\" line 3: no such thing" >&2\nexit 1\n' >"$work/fake/gnuplot"
chmod +x "$work/fake/gnuplot"
PATH=$work/fake:$PATH "$touchstone" plot "$work/drawn" --out "$work/none" \
  >"$work/out" 2>"$work/err"
status=$?
check "what gnuplot refuses is refused" is_refused "line 3: no such thing"
check "with the script's name" err_has heat_map-quality_percent-touch.gp
check "and nothing is left of it" is_absent "$work/none"

printf '#!/bin/sh\nexit 0\n' >"$work/fake/gnuplot"
PATH=$work/fake:$PATH "$touchstone" plot "$work/drawn" --out "$work/none" \
  >"$work/out" 2>"$work/err"
status=$?
check "a gnuplot that draws nothing is reported" is_refused "wrote no picture"

# A signal while gnuplot draws.
printf '#!/bin/sh\nexec sleep 60\n' >"$work/fake/gnuplot"
PATH=$work/fake:$PATH "$touchstone" plot "$work/drawn" --out "$work/none" \
  >"$work/out" 2>"$work/err" &
drawing=$!
for _ in $(seq 200); do
  pgrep -P $drawing >/dev/null && break
  sleep 0.05
done
kill -TERM $drawing
wait $drawing
status=$?
check "a signal ends it with its number" is_status 143
check "and says what became of the plots" is_one_message
check "and leaves no draft" is_absent "$work/none"

# What is not of earlier plots is not replaced.
mkdir "$work/foreign" && echo "my look" >"$work/foreign/look.gp"
refused "--force in a folder of another program" "no look.gp of earlier plots" \
  plot "$work/drawn" --out "$work/foreign" --force
check "where all is as it was" same_text "my look look.gp" \
  "$(cat "$work/foreign/look.gp") $(ls -A "$work/foreign")"
mkdir "$work/killed" "$work/killed/.draft-abc123"
run plot "$work/drawn" --force --only contacts_step --out "$work/killed"
check "a draft alone is of earlier plots" is_status 0

# Rows that have nothing to draw.
mkdir "$work/hopeless"
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) n[$i] = i; print; next }
  { for (i = n["reason"] + 1; i <= NF; i++) $i = ""
    $n["outcome"] = "skipped"; $n["reason"] = "not for this"; print }' "$work/drawn/summary.csv" >"$work/hopeless/summary.csv"
refused "rows that were all skipped" "none of the rows is ok" plot "$work/hopeless"
check "which leave no folder" is_absent "$work/hopeless/plots"
mkdir "$work/empty_out"
refused "nor a file in a folder that was there" "none of the rows is ok" \
  plot "$work/hopeless" --out "$work/empty_out"
check "which is empty still" test -z "$(ls -A "$work/empty_out")"

# Drafts of programs that were killed.
mkdir "$plots/.draft-abc123" "$plots/.draft-def456" "$plots/.drafts"
touch "$plots/.draft-abc123/heat_map.gp"
if command -v flock >/dev/null; then
  exec 9<"$plots/.draft-def456"
  flock 9
fi
run plot "$work/drawn" --force --only contacts_step
check "--force removes a draft that was left" is_absent "$plots/.draft-abc123"
check "and nothing else" test -d "$plots/.drafts"
if command -v flock >/dev/null; then
  check "nor one that is being worked on" test -d "$plots/.draft-def456"
  exec 9<&-
fi
run plot "$work/drawn" --force --only contacts_step
check "which goes once it is not" is_absent "$plots/.draft-def456"
rmdir "$plots/.drafts"

# Names that gnuplot and SVG would read as their own.
mkdir "$work/odd"
sed 's/,growth,/,100%d a]]>b%,/; s/,wall,/,50% %s]]>x,/' "$work/drawn/summary.csv" \
  >"$work/odd/summary.csv"
run plot "$work/odd" --only heat_map,quality_time
check "names with percent signs are drawn" is_status 0
odd=$work/odd/plots/heat_map-quality_percent-touch.svg
check "as they are" grep -q '>100%d a\]\] >b%<' "$odd"
if command -v xmllint >/dev/null; then
  check "and the picture is XML" xmllint --noout "$odd"
fi

(
  ulimit -f 8
  "$touchstone" plot "$work/drawn" --only heat_map --format png --out "$work/none" \
    >"$work/out" 2>"$work/err"
)
status=$?
check "a disk without room is reported" is_refused "ulimit -f"
check "and nothing is left there" is_absent "$work/none"

cp -r "$work/drawn" "$work/damaged"
rm -r "$work/damaged/plots"
damaged=(plot "$work/damaged" --only normal_quality --out "$work/none")
head -n 100 "$work/drawn/contacts.csv" >"$work/damaged/contacts.csv"
refused "a contacts.csv that ends early" "is incomplete" "${damaged[@]}"
head -c 4000 "$work/drawn/contacts.csv" >"$work/damaged/contacts.csv"
refused "a line that is cut off" "cut off" "${damaged[@]}"
: >"$work/damaged/contacts.csv"
refused "an empty contacts.csv" "empty" "${damaged[@]}"
sed '1s/body_a/body_one/' "$work/drawn/contacts.csv" >"$work/damaged/contacts.csv"
refused "a renamed column" "body_a is missing" "${damaged[@]}"
(head -n 1 "$work/drawn/contacts.csv" && tail -n +2 "$work/drawn/contacts.csv" | sort -t, -k7,7n) \
  >"$work/damaged/contacts.csv"
refused "contacts in disorder" "are not consecutive" "${damaged[@]}"
sed 's/$/\r/' "$work/drawn/contacts.csv" >"$work/damaged/contacts.csv"
run "${damaged[@]}"
check "CRLF works" is_status 0
check "and gives the same" cmp -s "$work/none/normal_quality-wall-touch.svg" \
  "$plots/normal_quality-wall-touch.svg"
