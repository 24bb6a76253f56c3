#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Prints each method's and each case's share of the suite's time.
# usage: suite_profile.sh TOUCHSTONE [OPTIONS OF touchstone run], such as --method 'growth|.*_sat'
#
# Scenes are measured as built. The time of a cell is that of preparing and of generating once, the
# median of the repeats, since the number of repeats is the harness's choice. The time of the harness
# itself to build, find pairs and score is printed as well. Cells run one at a time.
set -euo pipefail
touchstone=${1:?usage: suite_profile.sh TOUCHSTONE [OPTIONS OF touchstone run]}
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

status=0
"$touchstone" run --quiet "$@" --steps 1 --jobs 1 --out "$work/run" >"$work/log" 2>&1 || status=$?
if [ ! -s "$work/run/summary.csv" ]; then
  cat "$work/log" >&2
  exit "$((status ? status : 2))"
fi

# Parses quotes and line breaks within fields.
awk '
  function split_record(text,   i, c, field, quoted) {
    split("", f); n = 0; field = ""; quoted = 0
    for (i = 1; i <= length(text); i++) {
      c = substr(text, i, 1)
      if (c == "\"") quoted = !quoted
      else if (c == "," && !quoted) { f[++n] = field; field = "" }
      else field = field c
    }
    f[++n] = field
  }
  function number(column) { return f[at[column]] == "nan" ? 0 : f[at[column]] + 0 }
  function table(what, count, names, cells, prepare, generate,
                 i, j, k, kept, name, share) {
    for (i = 2; i <= count; i++)
      for (j = i; j > 1 && prepare[names[j]] + generate[names[j]] > \
                           prepare[names[j - 1]] + generate[names[j - 1]]; j--) {
        kept = names[j]; names[j] = names[j - 1]; names[j - 1] = kept
      }
    printf "%-24s  %7s  %6s  %10s  %11s\n", what, "share %", "cells", "prepare ms", "generate ms"
    for (k = 1; k <= count; k++) {
      name = names[k]
      share = all ? 100 * (prepare[name] + generate[name]) / all : 0
      printf "%-24s  %7.1f  %6d  %10.3f  %11.3f\n", name, share, cells[name],
             prepare[name] / 1e6, generate[name] / 1e6
    }
    printf "\n"
  }
  { text = text == "" ? $0 : text "\n" $0; line = text
    if (gsub(/"/, "", line) % 2) next
    split_record(text); text = ""
    if (!header) { for (header = 1; header <= n; header++) at[f[header]] = header; next }
    if (f[at["outcome"]] != "ok") { bad++; next }
    m = f[at["method"]]; c = f[at["case"]]
    if (!(m in m_cells)) methods[++method_count] = m
    if (!(c in c_cells)) cases[++case_count] = c
    m_cells[m]++; c_cells[c]++
    p = number("prepare_ns"); g = number("generate_ns_median")
    m_prepare[m] += p; c_prepare[c] += p; m_generate[m] += g; c_generate[c] += g
    all += p + g; harness += number("build_ns") + number("pairing_ns") + number("score_ns")
    cells++ }
  END {
    table("method", method_count, methods, m_cells, m_prepare, m_generate)
    table("case", case_count, cases, c_cells, c_prepare, c_generate)
    printf "%d cells, once each: %.3f ms in methods; %.3f ms to build, pair and score\n", cells,
           all / 1e6, harness / 1e6
    if (bad) printf "not counted: %d cells that are not ok\n", bad
  }' "$work/run/summary.csv"
exit "$status"
