// SPDX-License-Identifier: MIT
/// benchmark_ldi: times layered depth images of two tori, by triangles, pixels, threads and back
/// end, and compares the back ends. See --help.
#include "tests/benchmark/bench_context.h"
#include "tests/benchmark/bench_csv.h"
#include "tests/benchmark/bench_ldi.h"
#include "tests/benchmark/bench_ldi_check.h"
#include "tests/benchmark/bench_ldi_floor.h"
#include "tests/benchmark/bench_ldi_print.h"

#include "base/status.h"
#include "base/terminal.h"
#include "harness/plan/options.h"
#include "harness/plan/sweep.h"

#include <string.h>

enum { EXIT_FINE = 0, EXIT_WRONG = 1, EXIT_USAGE = 2 };

typedef struct values {
  const char *csv, *backend, *triangles, *resolution;
  double repeats;
  bool quick, check, allard, floor;
} values;

#define MEMBER(name) .offset = offsetof(values, name)

static const ts_option options[] = {
    {.name = "triangles",
     .argument = "LIST",
     .kind = TS_OPTION_TEXT,
     MEMBER(triangles),
     .help = "of each torus (a,b,c or from:to:count:log)"},
    {.name = "resolution",
     .argument = "LIST",
     .kind = TS_OPTION_TEXT,
     MEMBER(resolution),
     .help = "pixels along the longest side (a list, too)"},
    {.name = "allard",
     .kind = TS_OPTION_SWITCH,
     MEMBER(allard),
     .help = "also measure a setting as in Allard 2010"},
    {.name = "floor",
     .kind = TS_OPTION_SWITCH,
     MEMBER(floor),
     .help = "also work out the least time that cpu could take"},
    {.name = "quick",
     .kind = TS_OPTION_SWITCH,
     MEMBER(quick),
     .help = "shorter lists, fewer repeats"},
    {.name = "backend",
     .argument = "NAME",
     .kind = TS_OPTION_TEXT,
     MEMBER(backend),
     .help = "measure only this back end"},
    {.name = "repeats",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(repeats),
     .minimum = 1,
     .maximum = 100000,
     .help = "repeats of each setting (15; with --quick 3)"},
    {.name = "csv",
     .argument = "FILE",
     .kind = TS_OPTION_TEXT,
     MEMBER(csv),
     .help = "also write the rows to this file"},
    {.name = "check",
     .kind = TS_OPTION_SWITCH,
     MEMBER(check),
     .help = "compare the back ends with cpu instead of measuring"},
};

static const ts_command command = {
    .name = "benchmark_ldi",
    .operands = "",
    .summary = "Times layered depth images (volume and gradient of three views) of two tori.",
    .notes = "",
    .options = options,
    .option_count = sizeof options / sizeof *options,
};

static const double fixed_triangles = 1e5, fixed_resolution_px = 256, allard_triangles = 345944,
                    allard_resolution_px = 280;

static void print_help(void) {
  printf("Usage: %s [options]\n\n%s\n\nOptions:\n", command.name, command.summary);
  for (size_t i = 0; i < command.option_count; i++)
    printf("  --%-10s %-5s %s\n", options[i].name, options[i].argument ? options[i].argument : "",
           options[i].help);
  printf("  --%-10s %-5s print this\n\nBack ends:\n ", "help", "");
  for (size_t i = 0; ts_ldi_backends[i]; i++)
    printf(" %s", ts_ldi_backends[i]->name);
  printf(
      "\n\nWith one list, the other value is fixed (%g triangles, %g px); with two, every pair of "
      "their\nvalues is measured; with none, two sweeps and --allard.\n\n"
      "Exit status: 0 success; 1 a back end is wrong; 2 bad options, or a file could not "
      "be\nwritten.\n\nColumns of the CSV file:\n",
      fixed_triangles, fixed_resolution_px);
  bench_ldi_print_columns(stdout);
}

/// The list of numbers of a sweep.
typedef struct list {
  size_t count;
  double *values;
} list;

/// `range` limits each number; its name is that of the option.
static ts_status read_list(list *out, ts_arena *arena, const char *text, const ts_param *range) {
  return ts_sweep_parse(&out->values, &out->count, arena, range, text, true);
}

static ts_status read_lists(list *triangles, list *resolutions, ts_arena *arena,
                            const char *triangle_text, const char *resolution_text) {
  ts_param triangle_range;
  const ts_param resolution_range = {.name = "--resolution",
                                     .summary = "",
                                     .kind = TS_PARAM_INTEGER,
                                     .default_value = 1,
                                     .minimum = 1,
                                     .maximum = TS_LDI_RESOLUTION_MAX};
  TS_TRY(bench_tori_range(&triangle_range, arena));
  triangle_range.name = "--triangles";
  TS_TRY(read_list(triangles, arena, triangle_text, &triangle_range));
  return read_list(resolutions, arena, resolution_text, &resolution_range);
}

typedef struct plan {
  size_t count;
  bench_ldi_setting *settings; ///< [count]; settings with equal triangles may be adjacent
  size_t repeats;
  bool has_floor;
} plan;

static void push(plan *p, const char *name, double triangles, double resolution_px) {
  p->settings[p->count++] = (bench_ldi_setting){name, triangles, (int)resolution_px};
}

static const char *triangle_list(const values *v) {
  if (v->triangles)
    return v->triangles;
  if (v->check)
    return v->quick ? "10000" : "10000,100000";
  return v->quick ? "1000,10000,100000" : "1000,10000,100000,1000000";
}

static const char *resolution_list(const values *v) {
  if (v->resolution)
    return v->resolution;
  // A graphics card resolves a silhouette to about 1/256 of a pixel, and with fewer pixels a larger
  // share of them is on one.
  if (v->check)
    return v->quick ? "128,256" : "128,256,512";
  return v->quick ? "64,128,256" : "64,128,256,512,1024";
}

static ts_status make_plan(plan *out, ts_arena *arena, const values *v) {
  list triangles, resolutions;
  TS_TRY(read_lists(&triangles, &resolutions, arena, triangle_list(v), resolution_list(v)));
  bool is_product = v->check || (v->triangles && v->resolution);
  size_t most = triangles.count * resolutions.count + triangles.count + resolutions.count + 1;
  *out = (plan){.settings = ts_arena_array(arena, most, sizeof *out->settings),
                .has_floor = v->floor,
                .repeats = v->repeats > 0 ? (size_t)v->repeats
                           : v->quick     ? 3
                                          : 15};
  if (!out->settings)
    return TS_E_MEMORY;
  for (size_t i = 0; is_product && i < triangles.count; i++)
    for (size_t k = 0; k < resolutions.count; k++)
      push(out, "both", triangles.values[i], resolutions.values[k]);
  if (is_product && !v->allard)
    return TS_OK;
  for (size_t i = 0; !is_product && i < triangles.count && (v->triangles || !v->resolution); i++)
    push(out, "triangles", triangles.values[i], fixed_resolution_px);
  for (size_t k = 0; !is_product && k < resolutions.count && (v->resolution || !v->triangles); k++)
    push(out, "resolution", fixed_triangles, resolutions.values[k]);
  if (v->allard || (!v->triangles && !v->resolution))
    push(out, "allard_2010", allard_triangles, allard_resolution_px);
  return TS_OK;
}

/// The progress line on a terminal.
static void show(const char *text) {
  if (!ts_terminal_is_capable(stderr))
    return;
  fprintf(stderr, "\r\033[K%.*s", (int)ts_terminal_width(stderr, 80) - 1, text);
  fflush(stderr);
}

/// Tori, kept while the next setting needs the same.
typedef struct bodies {
  ts_arena *arena;
  double triangles; ///< as requested
  bench_tori tori;
} bodies;

static ts_status build(bodies *b, double triangles) {
  if (b->arena && b->triangles == triangles)
    return TS_OK;
  ts_arena_destroy(b->arena);
  b->arena = NULL;
  TS_TRY(ts_arena_create(&b->arena));
  b->triangles = triangles;
  show("building the tori");
  return bench_tori_build(&b->tori, b->arena, triangles);
}

typedef struct progress {
  const plan *plan;
  size_t done;
} progress;

static void show_repeat(void *context, const bench_ldi_setting *setting, size_t repeat) {
  const progress *p = context;
  char text[128];
  snprintf(text, sizeof text, "%zu/%zu  %g triangles, %d px: repeat %zu of %zu", p->done + 1,
           p->plan->count, setting->triangles, setting->resolution_px, repeat, p->plan->repeats);
  show(text);
}

static void fill_context(bench_ldi_row *rows, size_t count, const bench_context *context) {
  for (size_t i = 0; i < count; i++) {
    rows[i].commit = context->commit;
    rows[i].compiler = context->compiler;
    rows[i].build_type = context->build_type;
    rows[i].flags = context->flags;
    rows[i].cpu = context->cpu;
  }
}

/// Measures the floor of a setting, prints it and puts it into the rows of the setting.
static ts_status add_floor(bench_ldi_row *rows, size_t count, ts_arena *arena,
                           const bench_tori *tori, int resolution_px) {
  bench_ldi_floor floor;
  TS_TRY(bench_ldi_floor_measure(&floor, arena, tori, resolution_px));
  for (size_t i = 0; i < count; i++) {
    rows[i].floor_ns = floor.total_ns;
    if (rows[i].backend == ts_ldi_backends[0]->name && rows[i].threads == 1)
      rows[i].to_floor = rows[i].time_ns_min / floor.total_ns;
  }
  bench_ldi_print_floor(stdout, &floor, &rows[0]);
  return TS_OK;
}

static ts_status measure_settings(bench_ldi_rows *out, ts_arena *arena, bodies *b, const plan *p,
                                  const bench_ldi_subjects *subjects) {
  progress at = {p, 0};
  for (size_t i = 0; i < p->count; i++, at.done++) {
    const bench_ldi_setting *setting = &p->settings[i];
    bench_ldi_row *rows = &out->items[out->count];
    TS_TRY(build(b, setting->triangles));
    TS_TRY(
        bench_ldi_measure(rows, arena, &b->tori, setting, subjects, p->repeats, show_repeat, &at));
    show("");
    for (size_t k = 0; k < subjects->count; k++)
      bench_ldi_print_row(stdout, &rows[k]);
    if (p->has_floor)
      TS_TRY(add_floor(rows, subjects->count, arena, &b->tori, setting->resolution_px));
    fflush(stdout);
    out->count += subjects->count;
  }
  return TS_OK;
}

static ts_status measure(bench_ldi_rows *out, ts_arena *arena, const plan *p,
                         const bench_ldi_subjects *subjects) {
  bench_context context;
  TS_TRY(bench_context_read(&context, arena));
  out->items = ts_arena_array(arena, p->count * subjects->count, sizeof *out->items);
  if (!out->items)
    return TS_E_MEMORY;
  bodies b = {0};
  bench_ldi_print_header(stdout);
  ts_status status = measure_settings(out, arena, &b, p, subjects);
  show("");
  ts_arena_destroy(b.arena);
  if (status != TS_OK)
    return status;
  fill_context(out->items, out->count, &context);
  putchar('\n');
  bench_ldi_print_growth(stdout, out);
  bench_ldi_print_published(stdout, out);
  bench_ldi_print_context(stdout, out, subjects);
  return TS_OK;
}

/// Motions of the whole scene in which the back ends are compared; 0 is none.
enum { CHECKED_MOTIONS = 4 };

static ts_status check_setting(size_t *out_wrong, bodies *b, const bench_ldi_setting *setting,
                               const bench_ldi_subject *subject) {
  bench_ldi_difference worst = {.is_same = true};
  size_t wrong = 0;
  TS_TRY(build(b, setting->triangles));
  for (int motion = 0; motion < CHECKED_MOTIONS; motion++) {
    bench_ldi_difference d;
    bench_tori moved = bench_tori_moved(&b->tori, (uint64_t)motion);
    TS_TRY(bench_ldi_compare(&d, &moved, setting->resolution_px, subject));
    wrong += !bench_ldi_agrees(&d, subject);
    worst = bench_ldi_worse(worst, d);
  }
  printf("%9.0f  %5d  %-7s  %7d  %9.2g  %9.2g  %9.2g  %9.2g  %9.2g  %s\n", b->tori.triangles,
         setting->resolution_px, subject->backend->name, subject->threads, worst.layers,
         worst.volume, worst.force, worst.moment, worst.vertices,
         wrong           ? "WRONG"
         : worst.is_same ? "same bits"
                         : "agrees");
  fflush(stdout);
  *out_wrong += wrong;
  return TS_OK;
}

static ts_status check_settings(size_t *out_wrong, size_t *out_count, bodies *b, const plan *p,
                                const bench_ldi_subjects *subjects) {
  for (size_t i = 0; i < p->count; i++)
    for (size_t k = 0; k < subjects->count; k++) {
      const bench_ldi_subject *s = &subjects->items[k];
      if (s->backend == ts_ldi_backends[0] && s->threads == 1)
        continue;
      TS_TRY(check_setting(out_wrong, b, &p->settings[i], s));
      *out_count += CHECKED_MOTIONS;
    }
  return TS_OK;
}

/// TS_E_INPUT when a back end is outside the tolerances.
static ts_status check(const plan *p, const bench_ldi_subjects *subjects) {
  printf("maximum errors over %d poses, against %s with one thread\n", CHECKED_MOTIONS,
         ts_ldi_backends[0]->name);
  printf("%9s  %5s  %-7s  %7s  %9s  %9s  %9s  %9s  %9s\n", "triangles", "px", "backend", "threads",
         "layers", "volume", "force", "moment", "vertices");
  bodies b = {0};
  size_t wrong = 0, count = 0;
  ts_status status = check_settings(&wrong, &count, &b, p, subjects);
  ts_arena_destroy(b.arena);
  if (status != TS_OK)
    return status;
  printf(
      "tolerances of another processor: layers %g of the pixels, volume %g, force and moment %g of "
      "the surface,\nvertices one by one %g of it\n",
      BENCH_LDI_LAYERS_SHARE, BENCH_LDI_VOLUME_RELATIVE, BENCH_LDI_WRENCH_RELATIVE,
      BENCH_LDI_VERTEX_RELATIVE);
  if (subjects->skipped[0])
    printf("%s\n", subjects->skipped);
  for (size_t i = 0; i < subjects->count; i++)
    if (i == 0 || subjects->items[i].backend != subjects->items[i - 1].backend)
      printf("%s: %s\n", subjects->items[i].backend->name, subjects->items[i].device);
  return wrong == 0 ? TS_OK
                    : ts_fail(TS_E_INPUT, "%zu of %zu comparisons failed; a back end is wrong",
                              wrong, count);
}

static ts_status run(int *out, ts_arena *arena, int count, char *const *arguments) {
  values v = {0};
  ts_arguments parsed;
  plan p;
  bench_ldi_subjects subjects;
  bench_ldi_rows rows = {0};
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
  if (v.check && (v.csv || v.allard || v.floor || v.repeats > 0))
    return ts_fail(TS_E_INPUT, "--check does not measure; remove --%s",
                   v.csv      ? "csv"
                   : v.floor  ? "floor"
                   : v.allard ? "allard"
                              : "repeats");
  TS_TRY(make_plan(&p, arena, &v));
  TS_TRY(bench_ldi_subjects_list(&subjects, arena, v.backend));
  if (v.csv)
    TS_TRY(bench_csv_can_write(v.csv));
  ts_status status = v.check ? check(&p, &subjects) : measure(&rows, arena, &p, &subjects);
  if (status == TS_E_INPUT)
    *out = EXIT_WRONG;
  if (status != TS_OK)
    return status;
  if (v.csv)
    TS_TRY(bench_ldi_rows_write(v.csv, &rows));
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
