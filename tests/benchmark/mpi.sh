#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What several ranks cost (docs/scale.md): the efficiency of two ranks against one, the cost of
# handing out a cell, and the time that rank 0 needs for each cell. The best of several rounds.
# usage: mpi.sh TOUCHSTONE [ROUNDS]
set -euo pipefail
touchstone=$(realpath "${1:?usage: mpi.sh TOUCHSTONE [ROUNDS]}")
rounds=${2:-3}
include=$(dirname "$touchstone")/include
mpi=$touchstone-mpi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# A method that computes nothing and takes as long as it is told: cells of a given length whatever
# else the machine does.
cat >wait.c <<'C'
#include "touchstone/method.h"
#include <time.h>
static ts_status generate(const ts_host *host, const ts_pair *pair, const void *a, const void *b,
                          void *state, const double *params) {
  (void)host, (void)pair, (void)a, (void)b, (void)state;
  struct timespec time = {(time_t)params[0], (long)((params[0] - (double)(time_t)params[0]) * 1e9)};
  nanosleep(&time, NULL);
  return TS_OK;
}
static const ts_param params[] = {
    {.name = "wait_s", .summary = "How long it waits.", .kind = TS_PARAM_REAL, .maximum = 10}};
static const ts_method waits = {.abi = TS_METHOD_ABI, .struct_size = sizeof(ts_method),
                                .name = "waits", .summary = "Waits.", .source = "here",
                                .params = params, .param_count = 1, .generate = generate};
const ts_method *const *touchstone_methods(void) {
  static const ts_method *const all[] = {&waits, NULL};
  return all;
}
C
cc -O1 -shared -fPIC -I "$include" -o wait.so wait.c

# seconds COMMAND...: wall and CPU seconds of the fastest of the rounds.
seconds() {
  local round wall best='' cpu=''
  for ((round = 0; round < rounds; round++)); do
    rm -rf out
    TIMEFORMAT='%R %U %S'
    wall=$({ time "$@" >log 2>&1; } 2>&1) || { cat log >&2; exit 1; }
    read -r wall user system <<<"$wall"
    if [ -z "$best" ] || awk "BEGIN { exit !($wall < $best) }"; then
      best=$wall
      cpu=$(awk "BEGIN { print $user + $system }")
    fi
  done
  echo "$best $cpu"
}
cells() { # COUNT WAIT_S: options of a run
  options=(run --quiet --out out --repeats 1 --steps 1 --plugin ./wait.so --method waits
    --case sliding_spike --set "wait_s=$2" --sweep "motion_seed=1:$1:$1")
}
ranks() { mpiexec.mpich -n "$@"; }

echo "load: $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) cores, best of $rounds"
# Slopes between a short and a long run, without what a start costs.
for length in 0.0035:100:500 0.498:4:16; do # it is asked twice in a cell
  IFS=: read -r wait few many <<<"$length"
  for count in "$few" "$many"; do
    cells "$count" "$wait"
    read -r one _ < <(seconds ranks 1 "$mpi" "${options[@]}")
    read -r two _ < <(seconds ranks 2 "$mpi" "${options[@]}")
    echo "$count $one $two"
  done | awk '
    NR == 1 { count = $1; one = $2; two = $3 }
    NR == 2 {
      count = $1 - count; one = $2 - one; two = $3 - two
      printf "cells of %.4g ms: %d in %.2f s by one rank, %.2f s by two: efficiency %.3f\n",
        1e3 * one / count, count, one, two, one / two / 2
    }'
done

few=200 many=1200
for count in $few $many; do
  cells "$count" 0
  read -r local_wall local_cpu < <(seconds "$touchstone" "${options[@]}" --jobs 2)
  read -r ranks_wall ranks_cpu < <(seconds ranks 2 "$mpi" "${options[@]}")
  echo "$local_wall $local_cpu $ranks_wall $ranks_cpu"
done | awk -v more=$((many - few)) '
  NR == 1 { for (i = 1; i <= 4; i++) few[i] = $i }
  NR == 2 {
    for (i = 1; i <= 4; i++) each[i] = 1e6 * ($i - few[i]) / more
    printf "empty cells: --jobs 2 takes %.0f us each (CPU %.0f us), two ranks %.0f us (CPU %.0f us)\n",
      each[1], each[2], each[3], each[4]
    printf "handing out a cell: %.0f us, CPU %.0f us\n", each[3] - each[1], each[4] - each[2]
  }'

# CPU time of the two processes of rank 0, read while they run.
cells 1500 0
rm -rf out
ranks 4 "$mpi" "${options[@]}" >log 2>&1 &
job=$!
last='' begin=''
while kill -0 $job 2>/dev/null; do
  messenger=$(pgrep -f "^$mpi run" | sort -n | head -n 1) || true
  server=$(pgrep -P "${messenger:-0}" | head -n 1) || true
  now=$(cat "/proc/${messenger:-0}/stat" "/proc/${server:-0}/stat" 2>/dev/null |
    awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); s += $12 + $13 } END { if (NR == 2) print s / hz }') || true
  done_rows=$({ wc -l <out/summary.csv; } 2>/dev/null) || true
  [ -z "$now" ] || [ "${done_rows:-0}" -lt 2 ] || { begin=${begin:-$now $done_rows}; last="$now $done_rows"; }
  sleep 0.05
done
wait $job
echo "$begin $last" | awk '{
  each = 1e6 * ($3 - $1) / ($4 - $2)
  printf "rank 0 of 4: %.0f us of CPU for each cell, its own cells started and all rows written\n", each
  split("10 100 1000", ms)
  for (i = 1; i <= 3; i++) printf "  cells of %d ms: at most %.0f jobs in all\n", ms[i], ms[i] * 1e3 / each }'
