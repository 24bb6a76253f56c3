# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# One plan in every way that a large study is run: with jobs, in shards, on ranks; each also killed again
# and again and resumed. The rows are always the same ones.
# TOUCHSTONE_SCALE_CELLS (default 200) and TOUCHSTONE_SCALE_KILLS (default 3) make it larger.
# covers: harness/pool/runner.c harness/pool/row_queue.c harness/run/run_context.c reports/rows/resume.c
: "${touchstone:?}" "${work:?}" # set by run_cli.sh

cells=${TOUCHSTONE_SCALE_CELLS:-200}
kills=${TOUCHSTONE_SCALE_KILLS:-3}
seeds=$((cells / 10))
plan=(run --quiet --repeats 1 --method 'vertex_only|opposing' --case 'spikes|spike_and_wedge|spike_in_crack|spike_in_hole|wedges'
  --sweep "motion_seed=1:$seeds:$seeds")
RANDOM=21

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

start=$(milliseconds)
run "${plan[@]}" --out "$work/whole"
whole_ms=$(($(milliseconds) - start))
check "the plan runs as a whole" is_status 0
check "and has $cells cells of two steps" same_text "$(rows "$work/whole")" "$((2 * cells))"

# killed FOLDER COMMAND...: starts the command, which runs in a session of its own, kills all of it at a
# random moment of the time that the whole plan takes, and resumes it with the command in `resume`, as
# often as `kills` says; then lets it end.
killed() {
  local folder=$1 tries=0 child
  shift
  setsid "$@" >"$work/out" 2>"$work/err" &
  child=$!
  while [ $((tries += 1)) -le "$kills" ]; do
    sleep "$(awk -v r="$RANDOM" -v ms="$whole_ms" -v n="$kills" \
      'BEGIN { printf "%.3f", 0.15 + r / 32768 * ms / 1000 / n }')"
    kill -KILL -- "-$child" 2>/dev/null && cut_short=$((cut_short + 1))
    wait "$child" 2>/dev/null
    [ -e "$folder/context.json" ] || { setsid "$@" >"$work/out" 2>"$work/err" & child=$!; continue; }
    setsid "${resume[@]}" --resume "$folder" >"$work/out" 2>"$work/err" &
    child=$!
  done
  wait "$child"
  # shellcheck disable=SC2034 # is_status reads it
  status=$?
}

# survives NAME COMMAND...: `resume` continues what the command began.
survives() {
  local name=$1
  shift
  killed "$work/$name" "$@" --out "$work/$name"
  check "$name: killed $kills times, the run ends" is_status 0
  check "$name: with the rows of one that was not" same_rows "$work/whole" "$work/$name"
}

cut_short=0
resume=("$touchstone" run --quiet)
survives one_job "$touchstone" "${plan[@]}"
resume+=(--jobs 2)
survives two_jobs "$touchstone" "${plan[@]}" --jobs 2

shards=7
parts=()
resume=("$touchstone" run --quiet)
for shard in $(seq $shards); do
  run "${plan[@]}" --shard "$shard/$shards" --out "$work/shard_$shard"
  parts+=("$work/shard_$shard")
done
run merge "${parts[@]}" --out "$work/merged"
check "$shards shards, merged: the rows of the whole" same_rows "$work/whole" "$work/merged"
parts=()
whole_kills=$kills
for shard in $(seq $shards); do
  kills=$((whole_kills * shard / shards - whole_kills * (shard - 1) / shards))
  killed "$work/cut_shard_$shard" "$touchstone" "${plan[@]}" --shard "$shard/$shards" \
    --out "$work/cut_shard_$shard"
  parts+=("$work/cut_shard_$shard")
done
kills=$whole_kills
run merge "${parts[@]}" --out "$work/cut_merged"
check "$shards shards, killed $kills times and merged: the rows of the whole" \
  same_rows "$work/whole" "$work/cut_merged"

mpi=$(dirname "$touchstone")/touchstone-mpi
# Debian's plain mpiexec may be the one of OpenMPI.
mpiexec=$(command -v mpiexec.mpich || command -v mpiexec.hydra || command -v mpiexec)
if [ -x "$mpi" ]; then
  for ranks in 2 4; do
    "$mpiexec" -n "$ranks" "$mpi" "${plan[@]}" --out "$work/ranks_$ranks" >"$work/out" 2>"$work/err"
    check "$ranks ranks: the rows of the whole" same_rows "$work/whole" "$work/ranks_$ranks"
    resume=("$mpiexec" -n "$ranks" "$mpi" run --quiet)
    survives "killed_ranks_$ranks" "$mpiexec" -n "$ranks" "$mpi" "${plan[@]}"
  done
else
  echo "no touchstone-mpi here: ranks are not tried"
fi
check "some of these were killed before their end" test "$cut_short" -ge "$kills"
