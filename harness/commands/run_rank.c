// SPDX-License-Identifier: MIT
#include "harness/commands/run_rank.h"

#include "base/status.h"
#include "harness/commands/run.h"
#include "harness/plan/shard.h"
#include "harness/pool/muster.h"
#include "harness/pool/serve.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

ts_status ts_run_rank_share(ts_crew *crew, ts_arena *arena, const ts_run_values *values) {
  if (!crew)
    return TS_OK;
  const char **texts;
  size_t count;
  uint64_t without = ts_options_bit(&ts_command_run, "out") |
                     ts_options_bit(&ts_command_run, "resume") |
                     ts_options_bit(&ts_command_run, "quiet");
  TS_TRY(ts_options_format(&texts, &count, arena, &ts_command_run, values, without));
  return ts_muster_share(crew, texts, count);
}

/// Discards what is printed on standard error from now on; returns a copy of it, or -1.
static int silence(void) {
  fflush(stderr);
  int before = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (before >= 0 && nothing >= 0)
    dup2(nothing, STDERR_FILENO);
  if (nothing >= 0)
    close(nothing);
  return before;
}

static void end_silence(int before) {
  fflush(stderr);
  if (before < 0)
    return;
  dup2(before, STDERR_FILENO);
  close(before);
}

/// Makes the plan, or its shard, in silence: rank 0 says all there is to say about it.
static ts_status make_plan(ts_plan *out, ts_run_values *values, ts_arena *arena, int count,
                           char *const *options) {
  ts_arguments parsed;
  int before = silence();
  ts_status status = ts_options_parse(values, &parsed, arena, &ts_command_run, count, options);
  ts_shard shard;
  if (status == TS_OK) {
    ts_limits_begin(values->limits);
    status = ts_run_make_plan(out, arena, values);
  }
  if (status == TS_OK)
    status = ts_shard_parse(&shard, values->shard);
  if (status == TS_OK)
    ts_shard_take(out, shard);
  end_silence(before);
  return status;
}

ts_status ts_run_rank_serve(ts_crew *crew, ts_arena *arena) {
  char **options;
  int count;
  ts_status status = ts_muster_receive(&options, &count, arena, crew);
  if (status != TS_OK)
    return status == TS_SKIPPED ? TS_OK : status;
  ts_run_values values = {0};
  ts_plan plan = {0};
  status = make_plan(&plan, &values, arena, count, options);
  if (status != TS_OK)
    plan = (ts_plan){0}; // nothing is run, and rank 0 ends the run
  TS_TRY(ts_muster_report(crew, status, &plan));
  ts_run_options run_options = ts_run_options_of(&values, crew);
  return ts_serve_cells(crew, arena, &plan, &run_options);
}
