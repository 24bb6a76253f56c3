// SPDX-License-Identifier: MIT
#include "harness/run/run_folder.h"

#include "base/status.h"
#include "reports/rows/context.h"
#include "reports/rows/outcome.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

const char *ts_run_folder_default(ts_arena *arena, const char *prefix) {
  time_t now = time(NULL);
  struct tm utc;
  char stamp[32];
  if (!gmtime_r(&now, &utc) || strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &utc) == 0)
    snprintf(stamp, sizeof stamp, "run");
  for (int n = 1;; n++) {
    char *folder = n == 1
                       ? ts_arena_format(arena, TS_RUN_FOLDER_PARENT "/%s%s", prefix, stamp)
                       : ts_arena_format(arena, TS_RUN_FOLDER_PARENT "/%s%s-%d", prefix, stamp, n);
    struct stat facts;
    if (!folder || lstat(folder, &facts) != 0)
      return folder;
  }
}

ts_status ts_run_folder_context(json_t **out, ts_arena *arena, const char *command, int count,
                                char *const *arguments) {
  char **words = ts_arena_array(arena, (size_t)count + 2, sizeof *words);
  if (!words)
    return TS_E_MEMORY;
  words[0] = ts_arena_string(arena, "touchstone");
  words[1] = ts_arena_string(arena, command);
  if (count > 0)
    memcpy(words + 2, arguments, (size_t)count * sizeof *words);
  json_t *context = words[0] && words[1] ? ts_context_create(count + 2, words) : NULL;
  if (!context)
    return ts_fail(TS_E_MEMORY, "out of memory");
  *out = context;
  return TS_OK;
}

bool ts_run_folder_warn(const ts_record *records, size_t count, size_t cell_count,
                        const char *folder) {
  size_t counts[TS_OUTCOME_COUNT] = {0};
  for (size_t i = 0; i < count; i++)
    counts[ts_record_outcome(&records[i])]++;
  char text[160] = "";
  for (int k = 0; k < TS_OUTCOME_COUNT; k++) {
    size_t used = strlen(text);
    if (ts_outcomes[k].is_failure && counts[k] > 0)
      snprintf(text + used, sizeof text - used, "%s%zu %s", used ? ", " : "", counts[k],
               ts_outcomes[k].words);
  }
  if (text[0] == '\0')
    return false;
  fflush(stdout);
  fprintf(stderr, "touchstone: of %zu cells %s; the column reason of %s/summary.csv says why\n",
          cell_count, text, folder);
  return true;
}

void ts_run_folder_warn_explicit(const ts_record *records, size_t count) {
  const double limit = 2;
  const ts_record *worst = NULL;
  size_t beyond = 0;
  for (size_t i = 0; i < count; i++) {
    if (!(records[i].explicit_ratio > limit))
      continue;
    beyond++;
    if (!worst || records[i].explicit_ratio > worst->explicit_ratio)
      worst = &records[i];
  }
  if (!worst)
    return;
  double share = limit / worst->explicit_ratio;
  fflush(stdout);
  fprintf(
      stderr,
      "touchstone: warning: the steps of integration=explicit are too long in %zu row%s (column "
      "explicit_ratio above 2, in %s by %s %.3g): take dt_s times %.2g or less, stiffness_n_m5 "
      "times %.2g or less, or integration=implicit\n",
      beyond, beyond == 1 ? "" : "s", worst->case_name, worst->method, worst->explicit_ratio, share,
      share * share);
}
