// SPDX-License-Identifier: MIT
#include "harness/run/cell_end.h"

#include "base/status.h"
#include "harness/run/cell_ipc.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define MEBIBYTE (1024.0 * 1024.0)

/// Room for rows and one more.
static ts_status grow(ts_cell_ipc_content *content, ts_arena *arena) {
  size_t count = content->rows.record_count;
  ts_record *records = ts_arena_array(arena, count + 1, sizeof *records);
  if (!records)
    return TS_E_MEMORY;
  if (count > 0)
    memcpy(records, content->records, count * sizeof *records);
  content->records = records;
  content->rows.records = records;
  return TS_OK;
}

/// Drops the rows of a step and those after it.
static void drop_from(ts_cell_rows *rows, double step) {
  while (rows->record_count > 0 && rows->records[rows->record_count - 1].step >= step)
    rows->record_count--;
  while (rows->contact_count > 0 && rows->contacts[rows->contact_count - 1].step >= step)
    rows->contact_count--;
  while (rows->sample_count > 0 && rows->samples[rows->sample_count - 1].step >= step)
    rows->sample_count--;
}

/// Ends the rows with one at `step`, of an outcome and a reason.
static ts_status say(ts_cell_ipc_content *content, const ts_cell_end *end, ts_arena *arena,
                     double step, ts_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

static ts_status say(ts_cell_ipc_content *content, const ts_cell_end *end, ts_arena *arena,
                     double step, ts_outcome outcome, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  drop_from(&content->rows, step);
  TS_TRY(grow(content, arena));
  char *reason = ts_arena_string(arena, text);
  if (!reason)
    return TS_E_MEMORY;
  ts_record *record = &content->records[content->rows.record_count++];
  ts_cell_record(record, end->cell, outcome, reason);
  record->step = step;
  return TS_OK;
}

/// How the process of a cell has ended that should not have.
static const char *describe_end(char *out, size_t capacity, const ts_cell_end *end, bool has_rows) {
  int wait_status = end->report->wait_status;
  if (WIFSIGNALED(wait_status)) {
    int number = WTERMSIG(wait_status);
    const char *name = sigabbrev_np(number);
    if (number == SIGKILL)
      return "killed by SIGKILL from outside; has the machine run out of memory?";
    if (name)
      snprintf(out, capacity, "SIG%s", name);
    else
      snprintf(out, capacity, "signal %d", number);
    return out;
  }
  switch (WEXITSTATUS(wait_status)) {
  case 0:
    return has_rows ? "left unreadable results"
                    : "the process ended with exit status 0 and without results";
  case TS_CELL_PROCESS_FILE_LOST:
    return "the file for the results was closed; a method must close only files that it has opened";
  case TS_CELL_PROCESS_LIMITED:
    return "the limit on file sizes was lowered, and there is no room for the results; a method "
           "must leave the limits of its process";
  default:
    snprintf(out, capacity, "the process ended with exit status %d and without results",
             WEXITSTATUS(wait_status));
    return out;
  }
}

/// The step at which memory exceeded the limit: the first that says so, or the last that began.
static double step_over_memory(const ts_cell_ipc_content *content, double limit) {
  for (size_t i = 0; i < content->rows.record_count; i++)
    if (content->records[i].memory_bytes_max > limit)
      return content->records[i].step;
  return (double)content->step;
}

/// Adds a row for how the cell has ended, if it did not end well.
static ts_status judge_end(ts_cell_ipc_content *content, const ts_cell_end *end, ts_arena *arena) {
  const ts_keeper_report *report = end->report;
  double limit = end->limits->memory_bytes, step = (double)content->step;
  int wait_status = report->wait_status;
  bool is_killed = WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGKILL;
  if (!report->is_complete)
    return say(content, end, arena, step, TS_OUTCOME_CRASHED,
               "the process that watches over the cell was ended; a method must not signal its "
               "parent");
  if (report->memory_bytes > limit) // the peak decides, not when the keeper looked: reproducible
    return say(content, end, arena, step_over_memory(content, limit), TS_OUTCOME_OUT_OF_MEMORY,
               "used more than %.0f MiB of memory (%.0f MiB measured); run it again with a "
               "higher --memory-limit",
               limit / MEBIBYTE, report->memory_bytes / MEBIBYTE);
  if (report->is_over_time && is_killed)
    return say(content, end, arena, step, TS_OUTCOME_TIMED_OUT,
               "more than %g s; run it again with a higher --time-limit", end->limits->time_s);
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0 && content->is_whole)
    return TS_OK;
  char text[128];
  struct stat facts;
  bool has_rows = fstat(end->result_file, &facts) == 0 &&
                  facts.st_size > TS_CELL_IPC_START + TS_CELL_IPC_NOTE_BYTES;
  return say(content, end, arena, step, TS_OUTCOME_CRASHED, "%s",
             describe_end(text, sizeof text, end, has_rows));
}

/// TS_E_IO when this machine had too little for the cell.
static ts_status check_machine(ts_keeper_report *report) {
  if (!report->is_complete)
    return TS_OK;
  if (report->start_error != 0)
    return ts_fail(TS_E_IO, "cannot start a process for a cell: %s; see ulimit -u",
                   strerror(report->start_error));
  if (WIFEXITED(report->wait_status) &&
      WEXITSTATUS(report->wait_status) == TS_CELL_PROCESS_COMPLAINS) {
    report->complaint.text[sizeof report->complaint.text - 1] = '\0';
    return ts_fail(TS_E_IO, "%s", report->complaint.text);
  }
  return TS_OK;
}

ts_status ts_cell_end_collect(ts_cell_rows *out, const ts_cell_end *end, ts_arena *arena) {
  TS_TRY(check_machine(end->report));
  ts_cell_ipc_content content;
  TS_TRY(ts_cell_ipc_read(&content, arena, end->result_file,
                          fmax(end->limits->memory_bytes, MEBIBYTE), end->cell->key));
  TS_TRY(judge_end(&content, end, arena));
  for (size_t i = 0; i < content.rows.record_count; i++) {
    content.records[i].memory_bytes_max =
        end->report->is_complete ? end->report->memory_bytes : (double)NAN;
    content.records[i].processes_left =
        end->report->is_complete ? end->report->processes_left : (double)NAN;
  }
  *out = content.rows;
  return TS_OK;
}
