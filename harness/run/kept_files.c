// SPDX-License-Identifier: MIT
#include "harness/run/kept_files.h"

#include "base/status.h"
#include "harness/isolation/kept_process.h"
#include "harness/run/cell_state.h"
#include "harness/run/interrupt.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// The file begins with a hole, in which ends up, and does no harm, what a method writes to a
/// descriptor that it has found. Then: a head, each file (its sizes, its path with a zero, its
/// bytes), and the mark again.
#define START    4096
#define MARK     UINT64_C(0x73656c6966207374)
#define MEBIBYTE (1024.0 * 1024.0)

typedef struct head {
  uint64_t mark, count;
  int64_t status; ///< of the work
  char detail[1024];
} head;

typedef struct sizes {
  uint64_t path, bytes;
} sizes;

ts_status ts_made_files_add(ts_made_files *files, ts_arena *arena, const char *path,
                            ts_status (*write)(FILE *file, void *context), void *context) {
  char *bytes = NULL;
  size_t count;
  FILE *file = open_memstream(&bytes, &count);
  if (!file)
    return ts_fail(TS_E_MEMORY, "out of memory");
  ts_status status = write(file, context);
  bool is_whole = !ferror(file);
  if ((fclose(file) != 0 || !is_whole) && status == TS_OK)
    status = ts_fail(TS_E_MEMORY, "out of memory");
  char *copy = status == TS_OK ? ts_arena_copy(arena, bytes, count, 1) : NULL;
  free(bytes);
  if (copy)
    files->items[files->count++] = (ts_file_of_set){path, copy, count};
  return status == TS_OK && !copy ? TS_E_MEMORY : status;
}

ts_status ts_made_files_write(const ts_made_files *files, const ts_earlier_files *earlier,
                              ts_arena *arena, const char *folder) {
  const ts_file_of_set *text = &files->items[files->count - 1];
  sigset_t before;
  ts_interrupt_hold(&before);
  ts_status status = ts_file_set_replace(files->items, files->count - 1, earlier, arena, folder);
  if (status == TS_OK)
    ts_interrupt_say("all files are written");
  ts_interrupt_release_done(&before);
  if (status == TS_OK)
    fwrite(text->bytes, 1, text->byte_count, stdout);
  return status;
}

// ---- the process of the method -----------------------------------------------------------------

typedef struct writer {
  off_t end;
  ts_status status;
} writer;

static void put(writer *w, const void *bytes, size_t count) {
  const char *next = bytes;
  while (w->status == TS_OK && count > 0) {
    ssize_t written = pwrite(TS_KEEPER_RESULT_FILE, next, count, w->end);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0) {
      w->status =
          ts_fail(TS_E_IO, "cannot hand over what was made with a method: %s; see ulimit -f",
                  strerror(errno));
      return;
    }
    next += written;
    count -= (size_t)written;
    w->end += written;
  }
}

/// Hands over the files, or why there are none.
static ts_status hand_over(ts_status status, const ts_made_files *files) {
  writer w = {.end = START, .status = TS_OK};
  head first = {.mark = MARK, .count = status == TS_OK ? files->count : 0, .status = status};
  snprintf(first.detail, sizeof first.detail, "%s", status == TS_OK ? "" : ts_status_detail());
  put(&w, &first, sizeof first);
  for (size_t i = 0; i < first.count; i++) {
    const ts_file_of_set *file = &files->items[i];
    sizes size = {strlen(file->path) + 1, file->byte_count};
    put(&w, &size, sizeof size);
    put(&w, file->path, size.path);
    put(&w, file->bytes, size.bytes);
  }
  put(&w, &first.mark, sizeof first.mark);
  return w.status;
}

static _Noreturn void make_files(void *context, ts_keeper_complaint *complaint, pid_t keeper) {
  const ts_kept_files_job *job = context;
  ts_kept_process process;
  ts_made_files files = {.count = 0};
  ts_kept_process_begin(&process, keeper, job->limits.memory_bytes);
  ts_status status = job->make(&files, job->context);
  ts_kept_process_check(&process);
  if (status != TS_E_IO)
    status = hand_over(status, &files);
  if (status != TS_OK)
    ts_kept_process_complain(&process, complaint);
  _exit(0);
}

// ---- the program -------------------------------------------------------------------------------

/// Bytes that were handed over, none of them trusted.
typedef struct reader {
  const char *next;
  size_t left;
} reader;

/// The next bytes; NULL when there are not so many.
static const char *take(reader *r, uint64_t count) {
  if (count > r->left)
    return NULL;
  const char *bytes = r->next;
  r->next += count;
  r->left -= count;
  return bytes;
}

static bool take_copy(void *out, reader *r, size_t count) {
  const char *bytes = take(r, count);
  if (bytes)
    memcpy(out, bytes, count);
  return bytes != NULL;
}

/// Whether a path stays below the folder that it is written to.
static bool is_below(const char *path) {
  return *path && *path != '/' && strncmp(path, "..", 2) != 0 && !strstr(path, "/..");
}

static bool take_file(ts_file_of_set *out, reader *r) {
  sizes size;
  if (!take_copy(&size, r, sizeof size))
    return false;
  const char *path = take(r, size.path), *bytes = take(r, size.bytes);
  *out = (ts_file_of_set){path, bytes, size.bytes};
  return path && bytes && size.path > 0 && path[size.path - 1] == '\0' && is_below(path);
}

/// Reads all that was handed over; a file that cannot be ours reads as an empty one.
static ts_status read_results(reader *out, ts_arena *arena, int file, double bytes_max) {
  *out = (reader){.next = NULL};
  off_t end = lseek(file, 0, SEEK_END);
  if (end <= START || (double)(end - START) > bytes_max)
    return TS_OK;
  size_t count = (size_t)(end - START), done = 0;
  char *bytes = ts_arena_alloc(arena, count);
  if (!bytes)
    return TS_E_MEMORY;
  while (done < count) {
    ssize_t got = pread(file, bytes + done, count - done, START + (off_t)done);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    done += (size_t)got;
  }
  *out = (reader){bytes, done};
  return TS_OK;
}

/// `*out_whole`: the head and all files are there, and nothing else.
static ts_status parse(bool *out_whole, head *out_head, ts_made_files *out, ts_arena *arena,
                       reader r) {
  uint64_t mark = 0;
  *out_whole = false;
  if (!take_copy(out_head, &r, sizeof *out_head) || out_head->mark != MARK ||
      out_head->count > r.left / sizeof(sizes))
    return TS_OK;
  out_head->detail[sizeof out_head->detail - 1] = '\0';
  *out = (ts_made_files){.items = ts_arena_array(arena, out_head->count, sizeof *out->items)};
  if (!out->items)
    return TS_E_MEMORY;
  while (out->count < out_head->count && take_file(&out->items[out->count], &r))
    out->count++;
  *out_whole = out->count == out_head->count && take_copy(&mark, &r, sizeof mark) && mark == MARK &&
               r.left == 0;
  return TS_OK;
}

static ts_status collect(ts_kept_files *out, ts_arena *arena, const ts_kept *kept,
                         double bytes_max) {
  char ending[TS_KEPT_REASON_BYTES] = "";
  const char *reason = ending;
  head first = {.mark = 0};
  reader results;
  bool is_whole;
  *out = (ts_kept_files){.reason = ""};
  TS_TRY(ts_kept_check_machine(kept));
  TS_TRY(read_results(&results, arena, ts_kept_results(kept), bytes_max));
  TS_TRY(parse(&is_whole, &first, &out->files, arena, results));
  out->outcome = ts_kept_outcome(ending, kept, is_whole, !is_whole && results.left > 0);
  if (out->outcome == TS_OUTCOME_OK && first.status != TS_OK) {
    out->outcome = ts_cell_outcome((ts_status)first.status);
    ts_fail(TS_E_INPUT, "%s", first.detail); // which makes text of what may be none
    reason = ts_status_detail();
  }
  if (out->outcome != TS_OUTCOME_OK)
    out->files.count = 0;
  out->reason = ts_arena_string(arena, reason);
  return out->reason ? TS_OK : TS_E_MEMORY;
}

ts_status ts_kept_files_make(ts_kept_files *out, ts_arena *arena, const ts_kept_files_job *job) {
  ts_kept_files_job copy = *job;
  ts_kept *kept;
  TS_TRY(ts_kept_start(&kept, &(ts_kept_job){.work = make_files,
                                             .context = &copy,
                                             .case_name = job->case_name,
                                             .method = job->method,
                                             .limits = job->limits}));
  ts_kept_wait(kept);
  ts_status status = collect(out, arena, kept, fmax(job->limits.memory_bytes, MEBIBYTE));
  ts_kept_destroy(kept);
  return status;
}
