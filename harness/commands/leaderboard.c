// SPDX-License-Identifier: MIT
#include "base/status.h"
#include "harness/commands/leaderboard_entries.h"
#include "harness/dataset/dataset_make.h"
#include "harness/plan/options.h"
#include "harness/run/interrupt.h"
#include "harness/run/output.h"
#include "reports/study/study_table.h"

#include <stdlib.h>

typedef struct leaderboard_values {
  const char *out, *dataset;
  bool may_replace;
} leaderboard_values;

/// The files of the folder. The page comes last: with it, the folder is whole.
static const struct {
  const char *name;
  ts_status (*write)(FILE *file, ts_arena *arena, const ts_board *board);
} pieces[] = {{"leaderboard.csv", ts_board_write_csv},
              {"leaderboard.json", ts_board_write_json},
              {"index.html", ts_board_write_html}};
#define PIECE_COUNT (sizeof pieces / sizeof *pieces)

/// Writes a file to memory, to be freed.
static ts_status fill_piece(ts_file_of_set *out, char **bytes, ts_arena *arena,
                            const ts_board *board, size_t i) {
  out->path = pieces[i].name;
  FILE *stream = open_memstream(bytes, &out->byte_count);
  if (!stream)
    return ts_fail(TS_E_MEMORY, "out of memory");
  ts_status status = pieces[i].write(stream, arena, board);
  bool is_whole = !ferror(stream);
  if ((fclose(stream) != 0 || !is_whole) && status == TS_OK)
    status = ts_fail(TS_E_MEMORY, "out of memory");
  out->bytes = *bytes;
  return status;
}

static ts_status write_board(ts_arena *arena, const ts_board *board, const char *folder) {
  ts_file_of_set files[PIECE_COUNT];
  char *bytes[PIECE_COUNT] = {NULL};
  ts_status status = TS_OK;
  for (size_t i = 0; i < PIECE_COUNT && status == TS_OK; i++)
    status = fill_piece(&files[i], &bytes[i], arena, board, i);
  if (status == TS_OK) {
    sigset_t before;
    ts_interrupt_hold(&before);
    status = ts_file_set_write(files, PIECE_COUNT, arena, folder);
    ts_interrupt_release(&before);
  }
  for (size_t i = 0; i < PIECE_COUNT; i++)
    free(bytes[i]);
  return status;
}

static ts_status print_board(ts_arena *arena, const ts_board *board, const char *folder) {
  for (size_t i = 0; i < board->entry_count; i++) {
    const ts_board_entry *e = &board->entries[i];
    const char *places = ts_study_rank(arena, &board->study.methods[i]);
    if (!places)
      return TS_E_MEMORY;
    printf("%5s  %s", places, e->name);
    if (e->missing + e->skipped + e->failed > 0)
      printf(" (%zu of %zu scenes count as 0: %zu missing, %zu skipped, %zu failed)",
             e->missing + e->skipped + e->failed, board->scene_count, e->missing, e->skipped,
             e->failed);
    putchar('\n');
  }
  printf("leaderboard: %s/index.html (data set version %s, %zu %s)\n", folder, board->version,
         board->entry_count, board->entry_count == 1 ? "entry" : "entries");
  return TS_OK;
}

/// The manifest of the folder given, or that of the data set that this build makes.
static ts_status find_manifest(ts_manifest *out, ts_arena *arena, const char *folder) {
  if (folder)
    return ts_manifest_read(out, arena, folder);
  ts_dataset dataset;
  TS_TRY(ts_dataset_make(&dataset, arena));
  *out = dataset.manifest;
  return TS_OK;
}

/// What may be written over is an earlier leaderboard, and never the data set.
static ts_status check_folder(ts_arena *arena, const leaderboard_values *values) {
  bool is_board = false;
  const char *data = ts_arena_format(arena, "%s/leaderboard.json", values->out);
  if (!data)
    return TS_E_MEMORY;
  if (values->dataset)
    TS_TRY(ts_output_spare_folder("--out", values->out, values->dataset));
  if (!values->may_replace)
    return ts_file_set_check(values->out, "add --force to replace an earlier leaderboard there");
  TS_TRY(ts_board_is_json(&is_board, arena, data));
  return is_board
             ? TS_OK
             : ts_file_set_check(values->out, "the folder of an earlier leaderboard, which has its "
                                              "leaderboard.json: --force replaces nothing else");
}

static ts_status leaderboard(ts_arena *arena, int count, char *const *arguments) {
  leaderboard_values values = {0};
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&values, &parsed, arena, &ts_command_leaderboard, count, arguments));
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_leaderboard);
  if (parsed.operand_count == 0)
    return ts_fail(TS_E_INPUT, "leaderboard takes results folders: touchstone leaderboard "
                               "NAME=results/mine NAME=results/other --out board");
  if (!values.out)
    return ts_fail(TS_E_INPUT, "--out DIR is required");
  TS_TRY(check_folder(arena, &values));
  ts_manifest manifest;
  TS_TRY(find_manifest(&manifest, arena, values.dataset));
  ts_board board;
  TS_TRY(
      ts_board_make(&board, arena, &manifest, parsed.operands, parsed.operand_count, values.out));
  TS_TRY(write_board(arena, &board, values.out));
  return print_board(arena, &board, values.out);
}

static ts_status run_leaderboard(int *out_exit, int count, char *const *arguments) {
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = leaderboard(arena, count, arguments);
  ts_arena_destroy(arena);
  *out_exit = 0;
  return status;
}

#define MEMBER(name) .offset = offsetof(leaderboard_values, name)

static const ts_option options[] = {
    {.name = "out",
     .argument = "DIR",
     .kind = TS_OPTION_TEXT,
     MEMBER(out),
     .help = "folder for index.html, leaderboard.json and leaderboard.csv, new or empty"},
    {.name = "dataset",
     .argument = "DIR",
     .kind = TS_OPTION_TEXT,
     MEMBER(dataset),
     .help = "rank results of this data set (default: of the one that this build makes)"},
    {.name = "force",
     .kind = TS_OPTION_SWITCH,
     MEMBER(may_replace),
     .help = "replace an earlier leaderboard in the folder"},
};

const ts_command ts_command_leaderboard = {
    .name = "leaderboard",
    .operands = "[NAME=]RESULTS...",
    .summary = "Ranks results of the data set on a page that stands alone.",
    .notes = "RESULTS is the folder of a run or a scoring of the data set's scenes; without NAME "
             "an entry is called like its method. See docs/dataset.md.",
    .examples =
        "touchstone leaderboard results/mine results/other --out board\n"
        "touchstone leaderboard 'jolt 5.1=results/jolt' bullet=results/bullet --out board\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_leaderboard,
};
