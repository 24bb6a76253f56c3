#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What action.yml does with an installed touchstone: runs a plug-in, writes the page, gates.
# Inputs are in the environment, since a forge puts there what strangers may have written:
#   PLUGINS   paths of plug-ins, separated by blanks or lines
#   METHODS   a pattern of methods; empty: all
#   CASES     a pattern of cases; empty: all
#   OPTIONS   further options of `touchstone run`, separated by blanks
#   BASELINE  a baseline of `touchstone gate --update`, a file or a results folder; empty: none
#   RULES     a file of rules; empty: the default ones
#   GATE_OPTIONS  further options of `touchstone gate`
#   RESULTS   the folder of the results, which must not be there yet
# In RESULTS are then, beside the files of a run, report.html and, if something was gated, junit.xml.
# Appends results, page, junit and passed to GITHUB_OUTPUT, and the broken rules and the ranking to
# GITHUB_STEP_SUMMARY, if these are set. Exits as `touchstone gate` does; with nothing to gate by, as `touchstone run` does.
set -euo pipefail
results=${RESULTS:-results/contacts}
page=$results/report.html junit=''

output() { [ -z "${GITHUB_OUTPUT:-}" ] || printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"; }
summary() { if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat >>"$GITHUB_STEP_SUMMARY"; else cat >/dev/null; fi; }

# Their words, without patterns being expanded.
read -rd '' -a plugins <<<"${PLUGINS:-}" || true
read -rd '' -a options <<<"${OPTIONS:-}" || true
read -rd '' -a gate_options <<<"${GATE_OPTIONS:-}" || true

run=(run --quiet --out "$results")
for plugin in "${plugins[@]}"; do run+=(--plugin "$plugin"); done
[ -z "${METHODS:-}" ] || run+=(--method "$METHODS")
[ -z "${CASES:-}" ] || run+=(--case "$CASES")

status=0
touchstone "${run[@]}" "${options[@]}" || status=$?
# 3: cells failed. Their rows say so, and a gate judges them like the rest.
[ "$status" -eq 0 ] || [ "$status" -eq 3 ] || exit "$status"
output results "$results"
touchstone report "$results" --out "$page"
output page "$page"

if [ -n "${BASELINE:-}${RULES:-}" ]; then
  junit=$results/junit.xml
  gate=(gate "$results" --junit "$junit")
  [ -z "${BASELINE:-}" ] || gate+=(--baseline "$BASELINE")
  [ -z "${RULES:-}" ] || gate+=(--rules "$RULES")
  status=0
  touchstone "${gate[@]}" "${gate_options[@]}" | tee "$results/gate.txt" || status=${PIPESTATUS[0]}
  [ "$status" -le 1 ] || exit "$status"
  output junit "$junit"
  { printf '### Gate\n\n```\n' && cat "$results/gate.txt" && printf '```\n\n'; } | summary
fi
{ printf '### Ranking\n\n```\n' && touchstone report "$results" --format ranking && printf '```\n'; } | summary
if [ "$status" -eq 0 ]; then output passed true; else output passed false; fi
exit "$status"
