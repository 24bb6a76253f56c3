# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# covers: harness/commands/preset.c harness/commands/run.c harness/commands/gate.c cases/case.c
# Cases drawn afresh: seeds, the same again, going on, and what answers learned by heart are worth.
: "${touchstone:?}" "${work:?}" "${status:?}" # set by run_cli.sh

plugin=plug_by_heart.so
cp "$(dirname "$touchstone")/tests/plugins/$plugin" .
fresh=(run --preset fresh --repeats 1)

# seed_of FOLDER: the seed in its context.
seed_of() { grep -oE -- '"--seed=[0-9]+"' "$1/context.json" | tr -dc 0-9; }

# The seed: drawn, printed, kept, and the same again.
run "${fresh[@]}" --method semi_local --out "$work/one"
check "fresh runs" is_status 0
seed=$(seed_of "$work/one")
check "the context has a seed" test "${seed:-0}" -gt 0
check "which is printed" out_has "seed: $seed; --seed $seed draws the same cases again"
check "a row for each case, as built" same_text "$(rows "$work/one")" 13
# The drawn mesh_seed is never the default. A stretch may be drawn as 1, which is the default and is
# left out of the row; a case that is stretched along y alone then has none.
check "whose parameters are as drawn" \
  test "$(grep -cE ';mesh_seed=[1-9][0-9]*[;,]' "$work/one/summary.csv")" -eq 13
run "${fresh[@]}" --method semi_local --quiet --out "$work/other"
check "a second run draws another one" test "$(seed_of "$work/other")" -ne "$seed"
check "even a quiet one says which" out_has "seed: $(seed_of "$work/other")"
run "${fresh[@]}" --method semi_local --jobs 2 --seed "$seed" --out "$work/again"
check "with that seed a run has the same rows" same_rows "$work/one" "$work/again"
run run --seed "$seed" --steps 1 --repeats 1 --method semi_local --out "$work/seeded"
check "without the preset, too" same_rows "$work/one" "$work/seeded"
run "${fresh[@]}" --method semi_local --seed "$seed" --case arch --out "$work/arch"
check "and a case alone has the same row" same_text \
  "$(grep -o '^[0-9a-f]*,arch,' "$work/one/summary.csv")" \
  "$(grep -o '^[0-9a-f]*,arch,' "$work/arch/summary.csv")"

cp -r "$work/one" "$work/cut"
truncate -s -30 "$work/cut/summary.csv"
run run --resume "$work/cut"
check "a run that was cut short goes on" is_status 0
check "with the seed of its context" out_has "seed: $seed;"
check "to the same rows" same_rows "$work/one" "$work/cut"
refused "another seed for it" "cannot be combined with --resume" run --resume "$work/cut" --seed 5
refused "a seed that is none" "whole number from 0 to 999999999" run --preset fresh --seed -1
run run --case spikes --method opposing --repeats 1 --out "$work/designed"
check "a run as designed has no seed" test "$(seed_of "$work/designed")" -eq 0
check "and says nothing of one" test "$(grep -c seed "$work/out")" -eq 0

# Where it is described.
run list presets
check "fresh is listed" grep -qE '^fresh +all +all +touch ' "$work/out"
run run --help
check "help has the seed" out_has "--seed N"
run describe case arch
check "a case says what is drawn" grep -qE '^ +thickness_m .* 0\.2 to 0\.8 ' "$work/out"
check "and what is not" grep -qE '^ +scale .* 1  +Every length' "$work/out"

# What is right stays right; what was learned by heart does not.
export BY_HEART_NOTES="$work/notes"
heart=(--plugin "$plugin" --quiet)
run run "${heart[@]}" --repeats 1 --method note --steps 1 --out "$work/noted"
run run "${heart[@]}" --repeats 1 --method by_heart --out "$work/recited"
check "who knows the suite by heart is right as built, and seldom when bodies have moved" \
  same_text "$(right by_heart "$work/recited")" "16 of 26"
folders=()
for seed in 1 2 3; do
  folders+=("$work/seed_$seed")
  run "${fresh[@]}" "${heart[@]}" --controls --seed $seed --method 'by_heart|semi_local|control_ideal' \
    --out "$work/seed_$seed"
done
check "on fresh cases never" same_text "$(right by_heart "${folders[@]}")" "0 of 39"
check "while the ideal always is" same_text "$(right control_ideal "${folders[@]}")" "39 of 39"
check "and semi_local" same_text "$(right semi_local "${folders[@]}")" "39 of 39"
folders=()
for seed in 1 2 3; do
  folders+=("$work/extended_$seed")
  run "${fresh[@]}" --quiet --suite extended --controls --seed $seed --method control_ideal \
    --out "$work/extended_$seed"
done
check "the ideal is right in the extended suite, too" \
  same_text "$(right control_ideal "${folders[@]}")" "30 of 30"

# The same by heart of other bodies, with other notes.
export BY_HEART_NOTES="$work/notes_extended"
extended=(--suite extended "${heart[@]}")
run run "${extended[@]}" --repeats 1 --method note --steps 1 --out "$work/noted_extended"
run run "${extended[@]}" --repeats 1 --method by_heart --out "$work/recited_extended"
check "the extended suite can be known by heart, too" \
  same_text "$(right by_heart "$work/recited_extended")" "19 of 20"
folders=()
for seed in 1 2 3; do
  folders+=("$work/extended_by_heart_$seed")
  run "${fresh[@]}" "${extended[@]}" --seed $seed --method by_heart \
    --out "$work/extended_by_heart_$seed"
done
check "and is not when drawn afresh" same_text "$(right by_heart "${folders[@]}")" "0 of 30"

# The case of a scene file keeps its bodies.
scenes=$(dirname "${BASH_SOURCE[0]}")/../cases/scenes
run "${fresh[@]}" --scene "$scenes/frame_on_slab/scene.json" --seed 3 --controls \
  --method 'semi_local|control_ideal' --out "$work/scene"
check "a scene file is drawn" grep -q ';mesh_seed=[1-9]' "$work/scene/summary.csv"
check "but not stretched" test "$(grep -c stretch_ "$work/scene/summary.csv")" -eq 0
check "the ideal is right in it" same_text "$(right control_ideal "$work/scene")" "1 of 1"
check "and semi_local" same_text "$(right semi_local "$work/scene")" "1 of 1"
run run --scene "$scenes/frame_on_slab/scene.json" --set stretch_y=2 --method semi_local --quiet \
  --out "$work/stretched"
check "a scene file that is stretched fails" is_status 3
check "and its row says why" grep -q "is not stretched: leave out" "$work/stretched/summary.csv"

# Methods on tets find bodies that can be filled.
run "${fresh[@]}" --quiet --seed 5 --case 'arch|pillar|spike.*|wedges' --out "$work/all_methods"
check "all methods run on fresh cases" is_status 0

# A gate on them.
echo "quality_percent may not be below 95" >"$work/limits.rules"
run gate "$work/one" --rules "$work/limits.rules"
check "fresh rows can be gated without a baseline" is_status 0
check "and it is said how many were" out_has "gate: passed; 13 rows judged by limits"
run gate "$work/seed_1" --rules "$work/limits.rules" --junit "$work/limits.xml"
check "a row below the limit breaks the gate" is_status 1
check "and says its value" grep -qE '^broken: .* quality_percent is [0-9.]+; rule: ' "$work/out"
again=$(sed -n 's/^  again: touchstone //p' "$work/out" | head -n 1)
check "and the command that measures it again" test -n "$again"
check "which JUnit has, too" grep -qF "again: touchstone $again" "$work/limits.xml"
case_again=$(sed -nE 's/^run --case ([a-z_]+) .*/\1/p' <<<"$again")
read -ra words <<<"$again"
run "${words[@]}" --repeats 1 --out "$work/repeated"
check "that command gives that row" same_text \
  "$(grep -oE "^[0-9a-f]+,$case_again,[^,]*,by_heart," "$work/seed_1/summary.csv")" \
  "$(tail -n +2 "$work/repeated/summary.csv" | grep -oE "^[0-9a-f]+,$case_again,[^,]*,by_heart,")"
echo "quality_percent may not fall" >"$work/change.rules"
refused "a gate without a baseline and without limits" "no rule judges any of the 13 rows" \
  gate "$work/one" --rules "$work/change.rules"
refused "a strict gate without a baseline" "a baseline, or rules with limits" \
  gate "$work/one" --rules "$work/limits.rules" --strict
