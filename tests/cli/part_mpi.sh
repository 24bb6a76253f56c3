# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Runs over several ranks: the same rows as one process, one message for what one of them lacks, and
# nothing lost when one dies.
# covers: harness/commands/run_rank.c harness/mpi/messenger.c harness/mpi/touchstone_mpi.c
# covers: harness/pool/serve.c
: "${touchstone:?}" "${work:?}" "${status:?}" # set by run_cli.sh

mpi=$touchstone-mpi
# By its own name: mpiexec may be that of another MPI.
launch=mpiexec.mpich
[ -x "$mpi" ] || skip "touchstone-mpi is not built: install mpich and libmpich-dev, configure and build"
command -v $launch >/dev/null || skip "there is no $launch: install mpich"

# What MPICH's libraries print where there is no /sys, as in a chroot.
drop_noise() { sed -i '/ UCX  \|^\[hwloc/d' "$work/out" "$work/err"; }
# mpiexec_with ARGUMENTS...: runs mpiexec; leaves what run leaves.
mpiexec_with() {
  timeout 120 $launch "$@" >"$work/out" 2>"$work/err"
  status=$?
  drop_noise
}
# ranks COUNT ARGUMENTS...: runs the program on that many ranks.
ranks() {
  local count=$1
  shift
  mpiexec_with -n "$count" "$mpi" "$@"
}
# begun FOLDER ROWS ARGUMENTS OF MPIEXEC...: starts mpiexec as the leader of a group, and returns
# once the summary has that many rows; leaves $job.
begun() {
  local folder=$1 count=$2
  shift 2
  setsid --wait env --default-signal=INT $launch "$@" >"$work/out" 2>"$work/err" &
  job=$!
  while kill -0 $job 2>/dev/null && [ "$(rows "$folder")" -lt "$count" ]; do sleep 0.005; done
}
finished() {
  wait "$job"
  status=$?
  drop_noise
}
# The processes of a run, by what they have in common: messengers (children of mpiexec's proxy) and
# servers (children of those).
all_of() { pgrep -f -- "^$mpi run .*$1"; }
# In the order of their ranks.
messengers_of() { pgrep -f -P "$(pgrep -d, -f 'hydra_pmi_proxy')" -- "^$mpi run .*$1"; }
# no_process_of FOLDER: all have ended, or do so within 5 s.
no_process_of() {
  local tries=0
  while pgrep -f -- "^$mpi run .*$1" >/dev/null; do
    [ $((tries += 1)) -lt 100 ] || return 1
    sleep 0.05
  done
}

long=(run --repeats 1 --quiet --method 'closest_points|vertex_only' --steps 1
  --case 'spi.*|wedge.*|cliff.*|sliding.*|internal.*' --sweep 'scale=1:2:20')
run "${long[@]}" --out "$work/alone"
total=$(rows "$work/alone")
check "the plan is long enough to be killed" test "$total" -gt 100

for count in 1 2 4; do
  ranks $count "${long[@]}" --out "$work/ranks_$count"
  check "$count ranks end well" is_status 0
  check "$count ranks have the rows of one process" same_rows "$work/alone" "$work/ranks_$count"
  check "$count ranks print once" same_text "$(cat "$work/out")" \
    "results: $work/ranks_$count/summary.csv ($total rows)"
  check "$count ranks have nothing to say" is_quiet
  check "the context has $count ranks" grep -q "\"ranks\": $count,\$" "$work/ranks_$count/context.json"
done

run "${long[@]}" --shard 2/3 --out "$work/shard_alone"
ranks 2 "${long[@]}" --shard 2/3 --out "$work/shard"
check "ranks share a shard" same_rows "$work/shard_alone" "$work/shard"
cp -r "$work/shard" "$work/shard_cut"
sed -i '9,$d' "$work/shard_cut/summary.csv"
ranks 2 run --resume "$work/shard_cut" --quiet
check "and resume one" same_rows "$work/shard_alone" "$work/shard_cut"
ranks 2 "${long[@]}" --jobs 2 --out "$work/jobs"
check "two ranks of two jobs have the same rows" same_rows "$work/alone" "$work/jobs"
"$mpi" run --case spikes --repeats 1 --quiet --out "$work/no_mpiexec" >"$work/out" 2>"$work/err"
check "without mpiexec it is one rank" test "$(rows "$work/no_mpiexec")" -gt 0

# What is wrong everywhere is said once.
ranks 3 run --nonsense
check "an unknown option is refused once" is_refused nonsense
ranks 3 run --case nonsense
check "an unknown case is refused once" is_refused nonsense
ranks 3 list cases
check "another command is refused once" is_refused "use touchstone for the others"
ranks 3 "${long[@]}" --out "$work/alone"
check "a folder that exists is refused once" is_refused "already has results"
ranks 3 run --help
check "the help is printed once" same_text "$(grep -c '^Usage' "$work/out")" 1
OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 "$mpi" "${long[@]}" --out "$work/new" \
  >"$work/out" 2>"$work/err"
status=$?
drop_noise
check "the launcher of another MPI is refused" is_refused "mpiexec.mpich"

# What is wrong on one rank is said once, with the rank.
mkdir "$work/a" "$work/b"
plugins=$(dirname "$touchstone")/tests/plugins
cp "$plugins/plug_loading.so" "$work/a/p.so"
plugin=(run --plugin ./p.so --method plug_one --case spikes --repeats 1 --quiet --out "$work/new")
apart=(-n 2 -wdir "$work/a" "$mpi" "${plugin[@]}" : -n 1 -wdir "$work/b" "$mpi" "${plugin[@]}")
mpiexec_with "${apart[@]}"
check "a plug-in that is missing on one rank is refused" is_refused "rank 2 on host"
check "by its name" err_has "p.so: no such file"
cp "$work/a/p.so" "$work/b/p.so"
mpiexec_with "${apart[@]}"
check "a plug-in that is the same on all ranks is used" test "$status" -ne 2
rm -r "$work/new"
echo >>"$work/b/p.so"
mpiexec_with "${apart[@]}"
check "another plug-in on one rank is refused" is_refused \
  "plug-in p.so is another file than on rank 0"
mkdir "$work/other"
sed 's/-ffp-contract=off/-ffp-contract=onn/g' "$mpi" >"$work/other/touchstone-mpi"
chmod +x "$work/other/touchstone-mpi"
mpiexec_with -n 1 "$mpi" "${long[@]}" --out "$work/new" : -n 2 "$work/other/touchstone-mpi" run
check "another build on two ranks is refused" is_refused "rank 1 on host"
check "both are named" err_has "(and so on rank 2)"
check "and so is what differs" err_has "build flags: "
check "and there is no folder" is_absent "$work/new"

# A full disk, for the server of rank 0, from some row on.
# All wait until it is set: in a run that goes on, any of its files may be the first to reach it.
begun "$work/full" 20 -n 3 "$mpi" "${long[@]}" --out "$work/full"
stopped=$(all_of "$work/full")
# shellcheck disable=SC2086 # one word a process
kill -STOP $stopped
prlimit --fsize="$(stat -c %s "$work/full/summary.csv")" \
  --pid "$(pgrep -P "$(messengers_of "$work/full" | head -n 1)" | head -n 1)"
# shellcheck disable=SC2086 # one word a process
kill -CONT $stopped
finished
check "a full disk at rank 0 is reported once" is_refused "summary.csv"
check "and no process is left" no_process_of "$work/full"
ranks 2 run --resume "$work/full" --quiet
check "and the run goes on from its last row" same_rows "$work/alone" "$work/full"

# Killed as a whole, and gone on with.
for count in 0 3 40 90; do
  folder=$work/killed_$count
  begun "$folder" "$count" -n 3 "$mpi" "${long[@]}" --out "$folder"
  # shellcheck disable=SC2046 # one word a process
  kill -KILL -$job $(all_of "$folder") 2>/dev/null
  finished
  check "killed at row $count, no process is left" no_process_of "$folder"
  [ -e "$folder/context.json" ] || continue
  ranks $((count % 3 + 1)) run --resume "$folder" --quiet
  check "killed at row $count, it has the same rows" same_rows "$work/alone" "$folder"
done
cp -r "$work/killed_90" "$work/moved"
run run --resume "$work/moved" --quiet
check "one process goes on with what ranks began" same_rows "$work/alone" "$work/moved"

# Told to end.
for signal in INT TERM; do
  folder=$work/signal_$signal
  begun "$folder" 20 -n 3 "$mpi" "${long[@]}" --out "$folder"
  kill -s $signal $job
  finished
  check "SIG$signal ends all" no_process_of "$folder"
  check "SIG$signal is reported" err_has "continue with: mpiexec -n 3 touchstone-mpi run --resume $folder"
  ranks 2 run --resume "$folder" --quiet
  check "SIG$signal loses no row" same_rows "$work/alone" "$folder"
done

folder=$work/signal_one
begun "$folder" 20 -n 3 "$mpi" "${long[@]}" --out "$folder"
kill -TERM "$(messengers_of "$folder" | tail -n 1)"
finished
check "SIGTERM to one rank ends all" no_process_of "$folder"
check "which rank 0 tells" err_has "continue with: mpiexec -n 3 touchstone-mpi run --resume $folder"

# A rank whose server dies is lost; the others go on.
folder=$work/lost
begun "$folder" 20 -n 3 "$mpi" "${long[@]}" --out "$folder"
messenger=$(messengers_of "$folder" | tail -n 1)
pkill -KILL -P "$messenger"
finished
check "without the server of a rank the run goes on" is_status 0
check "which is reported" err_has "warning: rank 2 has died"
check "and has the same rows" same_rows "$work/alone" "$folder"

# Without a whole rank mpiexec ends all, unless it is told not to.
folder=$work/gone
begun "$folder" 20 -n 3 "$mpi" "${long[@]}" --out "$folder"
kill -KILL "$(messengers_of "$folder" | tail -n 1)"
finished
check "without a rank mpiexec ends all" no_process_of "$folder"
ranks 3 run --resume "$folder" --quiet
check "and no row is lost" same_rows "$work/alone" "$folder"
# A host that hangs, or is cut off: here one that is stopped.
folder=$work/silent
begun "$folder" 20 -n 3 "$mpi" "${long[@]}" --out "$folder"
kill -STOP "$(messengers_of "$folder" | tail -n 1)"
finished
check "a rank that is silent for 10 s is given up" err_has "warning: rank 2 has died"
check "the others do its work" same_rows "$work/alone" "$folder"
check "and no process is left of it" no_process_of "$folder"
folder=$work/headless
begun "$folder" 20 -n 3 "$mpi" "${long[@]}" --out "$folder"
pkill -KILL -P "$(messengers_of "$folder" | head -n 1)"
finished
check "without the server of rank 0 all end" no_process_of "$folder"
check "with its status" is_status 137
check "which is reported" err_has "rank 0 has died (SIGKILL); if it had made its results folder, continue with: mpiexec -n "
