// SPDX-License-Identifier: MIT
#include "harness/merge/merge_rows.h"

#include "base/status.h"
#include "harness/plan/exits.h"
#include "harness/plan/options.h"
#include "reports/rows/context.h"
#include "reports/rows/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// What the folder is called until it is whole.
#define DRAFT_SUFFIX ".partial"

/// Key that marks its context until then, so that results of that name are not taken for a draft.
#define DRAFT_KEY "merging"

typedef struct merge_values {
  const char *out;
  bool is_compressed;
} merge_values;

typedef struct merge {
  ts_arena *arena;
  merge_values values;
  ts_shard_set set;
  const char *folder, *draft;
  bool has_draft; ///< It is ours, to be removed when the merge ends early.
  ts_interrupt interrupt;
  size_t row_count;
} merge;

/// The results appear under their name at once and whole, so that must be free.
static ts_status check_out(const char *folder) {
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT)
    return TS_OK;
  if (fd < 0)
    return ts_fail(TS_E_INPUT, "cannot write to %s: %s; choose another --out", folder,
                   strerror(errno));
  bool is_empty = false;
  int error = ts_disk_is_empty(&is_empty, fd, "");
  close(fd);
  return error == 0 && is_empty
             ? TS_OK
             : ts_fail(TS_E_INPUT, "%s is not empty; choose another --out", folder);
}

/// Removes the draft, which is ours; files of others in it stay, and the folder with them.
static void remove_draft(const char *draft) {
  static const char *const suffixes[] = {"", ".partial"};
  char name[64];
  int folder = open(draft, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0)
    return;
  for (size_t i = 0; ts_results_names[i]; i++)
    for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++) {
      snprintf(name, sizeof name, "%s%s", ts_results_names[i], suffixes[k]);
      unlinkat(folder, name, 0);
    }
  close(folder);
  rmdir(draft);
}

static ts_status fail_theirs(const merge *m) {
  return ts_fail(TS_E_INPUT,
                 "merge writes to %s first, which is there already and is nothing that a merge has "
                 "left; move it away, or choose another --out",
                 m->draft);
}

/// Removes the draft if its open context says that it is one and no merge is writing to it.
static ts_status remove_marked(const merge *m, int context_fd) {
  struct stat facts;
  if (fstat(context_fd, &facts) != 0 || !S_ISREG(facts.st_mode) ||
      (uintmax_t)facts.st_size > TS_CONTEXT_BYTES_MAX)
    return fail_theirs(m);
  if (!ts_disk_lock(context_fd))
    return ts_fail(TS_E_INPUT,
                   "another program is writing to %s; wait for it, or choose another --out",
                   m->draft);
  json_t *context = json_loadfd(context_fd, 0, NULL);
  bool is_draft = json_is_true(json_object_get(context, DRAFT_KEY));
  json_decref(context);
  if (!is_draft)
    return fail_theirs(m);
  remove_draft(m->draft);
  return TS_OK;
}

/// Removes what a merge that was killed has left. Anything else of that name is left alone.
static ts_status remove_stale(const merge *m) {
  struct stat facts;
  if (lstat(m->draft, &facts) != 0 && errno == ENOENT)
    return TS_OK;
  int folder = open(m->draft, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0)
    return fail_theirs(m);
  int context_fd =
      openat(folder, "context.json", O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  bool is_missing = context_fd < 0 && errno == ENOENT;
  close(folder);
  if (is_missing) // as ts_results_create() leaves it when it is killed; it refuses other files
    return TS_OK;
  if (context_fd < 0)
    return fail_theirs(m);
  ts_status status = remove_marked(m, context_fd);
  close(context_fd);
  return status;
}

/// Creates the results under the draft's name, marked as a draft.
static ts_status create_draft(ts_results **out, merge *m, const json_t *context) {
  json_t *marked = json_deep_copy(context);
  ts_status status = marked && json_object_set_new(marked, DRAFT_KEY, json_true()) == 0
                         ? ts_results_create(out, m->draft, marked)
                         : ts_fail(TS_E_MEMORY, "out of memory");
  json_decref(marked);
  m->has_draft = status == TS_OK;
  return status;
}

/// Writes the results to the draft. Its mark goes last, and only when all is there.
static ts_status write_draft(merge *m, json_t *context) {
  ts_results *results;
  TS_TRY(create_draft(&results, m, context));
  ts_status status = ts_results_set_next(results, "merge again");
  if (status == TS_OK)
    status = ts_merge_rows(&m->row_count, results, &m->set, &m->interrupt);
  if (status == TS_OK && m->interrupt.signal == 0) {
    ts_results_set_context_at_close(results, context);
    if (m->values.is_compressed)
      ts_results_compress_at_close(results);
  }
  ts_status closed = ts_results_close(results);
  return status == TS_OK ? closed : status;
}

static ts_status fill_draft(merge *m) {
  json_t *context;
  TS_TRY(ts_shard_set_context(&context, &m->set, m->values.is_compressed));
  ts_status status = write_draft(m, context);
  json_decref(context);
  return status;
}

static ts_status write_results(merge *m) {
  TS_TRY(remove_stale(m));
  ts_interrupt_start(&m->interrupt);
  ts_status status = fill_draft(m);
  if (status == TS_OK && m->interrupt.signal == 0 && rename(m->draft, m->folder) != 0)
    status = ts_fail(TS_E_IO, "cannot rename %s to %s: %s; choose another --out", m->draft,
                     m->folder, strerror(errno));
  if (m->has_draft && (status != TS_OK || m->interrupt.signal != 0))
    remove_draft(m->draft);
  ts_interrupt_end(&m->interrupt);
  return status;
}

static ts_status merge_all(int *out_exit, merge *m, int count, char *const *arguments) {
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&m->values, &parsed, m->arena, &ts_command_merge, count, arguments));
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_merge);
  if (parsed.operand_count == 0 || !m->values.out)
    return ts_fail(TS_E_INPUT, "merge takes the results of all shards, and a folder for the whole: "
                               "touchstone merge shard_*/ --out whole");
  size_t length = strlen(m->values.out);
  while (length > 1 && m->values.out[length - 1] == '/')
    length--;
  m->folder = ts_arena_format(m->arena, "%.*s", (int)length, m->values.out);
  m->draft = m->folder ? ts_arena_format(m->arena, "%s" DRAFT_SUFFIX, m->folder) : NULL;
  if (!m->draft)
    return TS_E_MEMORY;
  TS_TRY(check_out(m->folder));
  TS_TRY(ts_shard_set_open(&m->set, m->arena, parsed.operands, parsed.operand_count));
  TS_TRY(write_results(m));
  if (m->interrupt.signal != 0) {
    fprintf(stderr, "touchstone: interrupted; nothing was written, merge again\n");
    *out_exit = TS_EXIT_SIGNAL + m->interrupt.signal;
    return TS_OK;
  }
  printf("results: %s/summary.csv (%zu rows of %zu cells, from %zu shards)\n", m->folder,
         m->row_count, m->set.plan_cells, m->set.count);
  return TS_OK;
}

static ts_status run_merge(int *out_exit, int count, char *const *arguments) {
  merge m = {0};
  TS_TRY(ts_arena_create(&m.arena));
  *out_exit = TS_EXIT_FINE;
  ts_status status = merge_all(out_exit, &m, count, arguments);
  ts_shard_set_destroy(&m.set);
  ts_arena_destroy(m.arena);
  return status;
}

#define MEMBER(name) .offset = offsetof(merge_values, name)

static const ts_option options[] = {
    {.name = "out",
     .argument = "DIR",
     .kind = TS_OPTION_TEXT,
     MEMBER(out),
     .help = "folder for the results, new or empty"},
    {.name = "gzip",
     .kind = TS_OPTION_SWITCH,
     MEMBER(is_compressed),
     .help = "compress all files but summary.csv; all commands read them"},
};

const ts_command ts_command_merge = {
    .name = "merge",
    .operands = "SHARD...",
    .summary = "Joins the shards of a run to the results of the whole.",
    .notes = "SHARD is the results folder of one shard (run --shard). All of them are needed, "
             "each complete, from the same build and with the same options. See docs/scale.md.",
    .examples = "touchstone run --shard 1/2 --out a\n"
                "touchstone run --shard 2/2 --out b\n"
                "touchstone merge a b --out whole\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_merge,
};
