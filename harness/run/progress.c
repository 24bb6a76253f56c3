// SPDX-License-Identifier: MIT
#include "harness/run/progress.h"

#include "base/clock.h"
#include "base/terminal.h"

#define SHOW_EVERY_NS 100000000
#define LOG_EVERY_NS  INT64_C(30000000000)
#define CLEAR_LINE    "\r\033[K"

ts_progress ts_progress_start(FILE *file, size_t first, size_t cell_count, bool may_log) {
  int64_t now_ns = ts_clock_ns();
  bool is_log = file && !ts_terminal_is_capable(file);
  return (ts_progress){.file = is_log && !may_log ? NULL : file,
                       .is_log = is_log,
                       .first = first,
                       .cell_count = cell_count,
                       .start_ns = now_ns,
                       .shown_ns = now_ns};
}

/// "4 s", "3 min", "2 h".
static const char *format_span(char out[32], double seconds) {
  if (seconds < 100)
    snprintf(out, 32, "%.0f s", seconds);
  else if (seconds < 6000)
    snprintf(out, 32, "%.0f min", seconds / 60);
  else
    snprintf(out, 32, "%.0f h", seconds / 3600);
  return out;
}

void ts_progress_show(ts_progress *progress, size_t done, const ts_cell *current) {
  int64_t now_ns = ts_clock_ns();
  int64_t every_ns = progress->is_log ? LOG_EVERY_NS : SHOW_EVERY_NS;
  if (!progress->file || now_ns - progress->shown_ns < every_ns)
    return;
  progress->shown_ns = now_ns;
  double elapsed_s = (double)(now_ns - progress->start_ns) * 1e-9;
  char elapsed[32], left[32], estimate[64] = "", line[256];
  if (done > progress->first) {
    double each_s = elapsed_s / (double)(done - progress->first);
    format_span(left, each_s * (double)(progress->cell_count - done));
    snprintf(estimate, sizeof estimate, ", about %s left", left);
  }
  snprintf(line, sizeof line, "%zu/%zu  %s%s  %s%s%s", done, progress->cell_count,
           format_span(elapsed, elapsed_s), estimate, current ? current->c->name : "",
           current ? " x " : "", current ? current->method->name : "");
  size_t width = ts_terminal_width(progress->file, 80);
  if (progress->is_log)
    fprintf(progress->file, "touchstone: %s\n", line);
  else
    fprintf(progress->file, CLEAR_LINE "%.*s", (int)(width > 1 ? width - 1 : 1), line);
  fflush(progress->file);
}

void ts_progress_clear(ts_progress *progress) {
  if (progress->file && !progress->is_log && progress->shown_ns != progress->start_ns) {
    fputs(CLEAR_LINE, progress->file);
    fflush(progress->file);
  }
}
