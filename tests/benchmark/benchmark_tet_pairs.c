// SPDX-License-Identifier: MIT
/// benchmark_tet_pairs: the time per pair of the kernels of the methods on tetrahedra, relative to
/// a frozen baseline. docs/benchmarks.md explains it.
#include "tests/benchmark/bench_context.h"
#include "tests/benchmark/bench_csv.h"
#include "tests/benchmark/bench_measure.h"
#include "tests/benchmark/bench_print.h"
#include "tests/benchmark/bench_rows.h"

#include "base/status.h"
#include "harness/plan/names.h"
#include "harness/plan/options.h"

#include <string.h>

enum { EXIT_FINE = 0, EXIT_WRONG_KERNEL = 1, EXIT_USAGE = 2 };

typedef struct values {
  const char *csv, *against, *kernel, *reference;
  double repeats;
} values;

#define MEMBER(name) .offset = offsetof(values, name)

static const ts_option options[] = {
    {.name = "csv",
     .argument = "FILE",
     .kind = TS_OPTION_TEXT,
     MEMBER(csv),
     .help = "also write the rows to this file, for --against"},
    {.name = "against",
     .argument = "OLD.csv",
     .kind = TS_OPTION_TEXT,
     MEMBER(against),
     .help = "compare with the rows that --csv wrote to this file"},
    {.name = "kernel",
     .argument = "NAME",
     .kind = TS_OPTION_TEXT,
     MEMBER(kernel),
     .help = "measure only this kernel"},
    {.name = "repeats",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(repeats),
     .fallback = "200",
     .minimum = 1,
     .maximum = 100000,
     .help = "repeats of each kernel"},
    {.name = "reference",
     .argument = "FOLDER",
     .kind = TS_OPTION_TEXT,
     MEMBER(reference),
     .help = "read the pairs from this folder instead of tests/reference"},
};

static const ts_command command = {
    .name = "benchmark_tet_pairs",
    .operands = "",
    .summary = "Times the kernels on pairs of tetrahedra against a frozen overlap test.",
    .notes = "",
    .options = options,
    .option_count = sizeof options / sizeof *options,
};

static void print_help(void) {
  printf("Usage: %s [options]\n\n%s\n\nOptions:\n", command.name, command.summary);
  for (size_t i = 0; i < command.option_count; i++) {
    const ts_option *o = &options[i];
    printf("  --%-9s %-8s  %s", o->name, o->argument, o->help);
    if (o->fallback)
      printf(" (default %s)", o->fallback);
    putchar('\n');
  }
  printf("  --%-9s %-8s  %s\n\nKernels:\n ", "help", "", "print this");
  for (size_t i = 0; i < bench_kernel_count; i++)
    printf(" %s", bench_kernels[i].kernels->name);
  printf(
      "\n\nExit status: 0 success; 1 a kernel or the baseline is wrong; 2 bad options, or a file "
      "could\nnot be read or written. docs/benchmarks.md explains the columns.\n");
}

static ts_status check_kernel(ts_arena *arena, const char *name) {
  const char **names = ts_arena_array(arena, bench_kernel_count, sizeof *names);
  if (!names)
    return TS_E_MEMORY;
  for (size_t i = 0; i < bench_kernel_count; i++) {
    names[i] = bench_kernels[i].kernels->name;
    if (strcmp(names[i], name) == 0)
      return TS_OK;
  }
  return ts_names_unknown("kernel called", name, names, bench_kernel_count);
}

/// Writes sources, build and machine into each row.
static ts_status fill_context(bench_rows *rows, ts_arena *arena) {
  bench_context context;
  TS_TRY(bench_context_read(&context, arena));
  for (size_t i = 0; i < rows->count; i++) {
    bench_row *row = &rows->items[i];
    row->commit = context.commit;
    row->compiler = context.compiler;
    row->build_type = context.build_type;
    row->flags = context.flags;
    row->cpu = context.cpu;
  }
  return TS_OK;
}

static ts_status measure(bench_rows *out, ts_arena *arena, const bench_pairs *pairs,
                         const values *v) {
  size_t checked;
  TS_TRY(bench_check_baseline(&checked, pairs));
  TS_TRY(bench_measure(out, arena, pairs, v->kernel, (size_t)v->repeats));
  TS_TRY(fill_context(out, arena));
  bench_print_rows(stdout, out);
  printf(
      "the baseline agrees with ts_tet_tet_overlap on %zu pairs; %zu are too close to touching\n",
      checked, pairs->count - checked);
  return TS_OK;
}

static ts_status run(int *out, ts_arena *arena, int count, char *const *arguments) {
  values v = {0};
  ts_arguments parsed;
  bench_rows old = {0}, rows = {0};
  bench_pairs pairs;
  *out = EXIT_USAGE;
  TS_TRY(ts_options_parse(&v, &parsed, arena, &command, count, arguments));
  if (parsed.wants_help) {
    print_help();
    *out = EXIT_FINE;
    return TS_OK;
  }
  // Check everything before a measurement that takes minutes.
  if (parsed.operand_count > 0)
    return ts_fail(TS_E_INPUT, "\"%s\" is not an option; see --help", parsed.operands[0]);
  if (v.kernel)
    TS_TRY(check_kernel(arena, v.kernel));
  if (v.against)
    TS_TRY(bench_rows_read(&old, arena, v.against));
  if (v.csv)
    TS_TRY(bench_csv_can_write(v.csv));
  TS_TRY(bench_pairs_read(&pairs, arena, v.reference ? v.reference : TS_REFERENCE_FOLDER));
  ts_status status = measure(&rows, arena, &pairs, &v);
  if (status == TS_E_INPUT)
    *out = EXIT_WRONG_KERNEL;
  if (status != TS_OK)
    return status;
  if (v.against)
    bench_print_changes(stdout, &rows, &old, v.against, !v.kernel);
  if (v.csv)
    TS_TRY(bench_rows_write(v.csv, &rows));
  *out = EXIT_FINE;
  return TS_OK;
}

int main(int count, char **arguments) {
  ts_arena *arena;
  int result = EXIT_USAGE;
  ts_status status = ts_arena_create(&arena);
  if (status == TS_OK) {
    status = run(&result, arena, count - 1, arguments + 1);
    ts_arena_destroy(arena);
  }
  if (status != TS_OK)
    fprintf(stderr, "%s: %s\n", command.name, ts_status_detail());
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "%s: cannot write to standard output\n", command.name);
    return EXIT_USAGE;
  }
  return result;
}
