// SPDX-License-Identifier: MIT
#include "base/status.h"
#include "harness/dataset/dataset_check.h"
#include "harness/dataset/dataset_make.h"
#include "harness/plan/exits.h"
#include "harness/plan/options.h"
#include "harness/run/interrupt.h"

typedef struct dataset_values {
  const char *out, *check;
} dataset_values;

static ts_status write_dataset(const ts_dataset *dataset, ts_arena *arena, const char *folder) {
  sigset_t before;
  ts_interrupt_hold(&before);
  ts_status status = ts_file_set_write(dataset->files, dataset->file_count, arena, folder);
  ts_interrupt_release(&before);
  TS_TRY(status);
  size_t bytes = 0;
  for (size_t i = 0; i < dataset->file_count; i++)
    bytes += dataset->files[i].byte_count;
  printf("data set: %s (version %s, %zu scenes, %zu files, %.1f MB)\n", folder,
         dataset->manifest.version, dataset->manifest.scene_count, dataset->file_count,
         (double)bytes / 1e6);
  return TS_OK;
}

static ts_status dataset_in(int *out_exit, ts_arena *arena, int count, char *const *arguments) {
  dataset_values values = {0};
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&values, &parsed, arena, &ts_command_dataset, count, arguments));
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_dataset);
  if (parsed.operand_count > 0)
    return ts_fail(TS_E_INPUT, "dataset takes options only, not \"%s\"; write --out %s",
                   parsed.operands[0], parsed.operands[0]);
  if (!values.out == !values.check)
    return ts_fail(TS_E_INPUT, "give either --out DIR, to write the data set, or --check DIR");
  if (values.out)
    TS_TRY(ts_file_set_check(values.out, "compare it with this build by dataset --check"));
  ts_dataset dataset;
  TS_TRY(ts_dataset_make(&dataset, arena));
  if (values.out)
    return write_dataset(&dataset, arena, values.out);
  bool is_same;
  TS_TRY(ts_dataset_check(&is_same, stdout, arena, &dataset, values.check));
  *out_exit = is_same ? TS_EXIT_FINE : TS_EXIT_BROKEN_RULE;
  return TS_OK;
}

static ts_status run_dataset(int *out_exit, int count, char *const *arguments) {
  ts_arena *arena;
  *out_exit = TS_EXIT_FINE;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = dataset_in(out_exit, arena, count, arguments);
  ts_arena_destroy(arena);
  return status;
}

#define MEMBER(name) .offset = offsetof(dataset_values, name)

static const ts_option options[] = {
    {.name = "out",
     .argument = "DIR",
     .kind = TS_OPTION_TEXT,
     MEMBER(out),
     .help = "folder to write the data set to, new or empty"},
    {.name = "check",
     .argument = "DIR",
     .kind = TS_OPTION_TEXT,
     MEMBER(check),
     .help = "whether this folder is whole, and has the bytes that this build makes; exit status 1 "
             "and the files that differ if not"},
};

const ts_command ts_command_dataset = {
    .name = "dataset",
    .operands = "",
    .summary = "Writes the data set: cases with known contacts, as files.",
    .notes = "See docs/dataset.md.",
    .examples = "touchstone dataset --out dataset\n"
                "touchstone dataset --check dataset\n"
                "touchstone score --dataset dataset --contacts mine --results results/mine\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_dataset,
};
