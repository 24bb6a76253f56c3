// SPDX-License-Identifier: MIT
/// ldi_accuracy: the error of volume and gradient from layered depth images against the exact
/// overlap, by resolution. See --help.
///
/// The scenes are those of tests/ldi/. Their assertions only check that they could be built; a
/// failure stops this program.
#include "tests/benchmark/bench_csv.h"
#include "tests/benchmark/bench_exponent.h"

#include "base/quantile.h"
#include "base/status.h"
#include "base/terminal.h"
#include "harness/plan/options.h"
#include "harness/plan/sweep.h"
#include "tests/ldi/ldi_fixture.h"

enum { EXIT_FINE = 0, EXIT_WRONG = 1, EXIT_USAGE = 2 };

typedef struct values {
  const char *resolution, *csv;
  double motions;
} values;

#define MEMBER(name) .offset = offsetof(values, name)

static const ts_option options[] = {
    {.name = "motions",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(motions),
     .fallback = "100",
     .minimum = 1,
     .maximum = 100000,
     .help = "random rigid motions of each scene"},
    {.name = "resolution",
     .argument = "LIST",
     .kind = TS_OPTION_TEXT,
     MEMBER(resolution),
     .fallback = "16,32,64,128,256,512",
     .help = "pixels along the longest side of the overlap box"},
    {.name = "csv",
     .argument = "FILE",
     .kind = TS_OPTION_TEXT,
     MEMBER(csv),
     .help = "also write the rows to this file"},
};

static const ts_command command = {
    .name = "ldi_accuracy",
    .operands = "",
    .summary = "Measures the error of layered depth images against the exact overlap.",
    .notes = "",
    .options = options,
    .option_count = sizeof options / sizeof *options,
};

/// Each member is a column of the CSV file. Errors are relative.
typedef struct row {
  const char *scene;
  double resolution_px, motions;
  double volume_error_median, volume_error_max;
  double gradient_error_median, gradient_error_max;
  double volume_order, gradient_order; ///< Of convergence, over all resolutions of the scene.
} row;

#define NUMBER(member, summary) BENCH_NUMBER(row, member, summary)

/// In the order of the file.
static const bench_column columns[] = {
    BENCH_TEXT(row, scene, "what overlaps"),
    NUMBER(resolution_px, "along the longest side of the overlap box"),
    NUMBER(motions, "random motions, over which errors are taken"),
    NUMBER(volume_error_median, "of the volume, over the exact volume"),
    NUMBER(volume_error_max, "the same, maximum"),
    NUMBER(gradient_error_median, "of the six rates by rigid motion, over their size; a and b"),
    NUMBER(gradient_error_max, "the same, maximum"),
    NUMBER(volume_order, "p of error ~ resolution^-p, over all resolutions of the scene"),
    NUMBER(gradient_order, "likewise"),
};

enum { COLUMN_COUNT = sizeof columns / sizeof *columns };

static void print_help(void) {
  printf("Usage: %s [options]\n\n%s\n\nOptions:\n", command.name, command.summary);
  for (size_t i = 0; i < command.option_count; i++)
    printf("  --%-10s %-4s %s (default %s)\n", options[i].name, options[i].argument,
           options[i].help, options[i].fallback ? options[i].fallback : "none");
  printf("  --%-10s %-4s print this\n\nExit status: 0 success; 1 something cannot be measured; 2 "
         "bad options, or a file could\nnot be written.\n\nColumns of the CSV file:\n",
         "help", "");
  bench_csv_print_columns(stdout, columns, COLUMN_COUNT);
}

// Step for an exact volume with a rounding error of 1e-15: differences are good to 1e-8.
static const double step = 1e-4;

/// A body's exact overlap volume and its derivative in the six rigid motions: along the world axes
/// [m2], and about them through the body's origin [m3].
typedef struct exact_rates {
  double rate[6];
} exact_rates;

static ts_vec3 unit_axis(int i) {
  return ts_vec3_make(i == 0, i == 1, i == 2);
}

static exact_rates rates_of(ldi_scene *scene, int body) {
  exact_rates out;
  for (int i = 0; i < 6; i++) {
    double volume[2];
    for (int side = 0; side < 2; side++) {
      ts_pose pose = scene->pose[body];
      double by = side == 0 ? -step : step;
      if (i < 3)
        pose.translation = ts_vec3_add_scaled(pose.translation, by, unit_axis(i));
      else
        pose.rotation = ts_quat_mul(ts_quat_from_axis_angle(unit_axis(i - 3), by), pose.rotation);
      exact_body_place(&scene->exact[body], pose);
      volume[side] = exact_overlap_volume(&scene->exact[0], &scene->exact[1]);
    }
    out.rate[i] = (volume[1] - volume[0]) / (2 * step);
  }
  exact_body_place(&scene->exact[body], scene->pose[body]);
  return out;
}

/// Error of the six rates of a body relative to their size; a moment counts at the body's radius.
static double gradient_error(const ldi_scene *scene, int body, const ts_vec3 *gradient,
                             const exact_rates *exact) {
  const ts_mesh *mesh = scene->mesh[body];
  ldi_wrench w = ldi_wrench_about(mesh, scene->pose[body], gradient, scene->pose[body].translation);
  const double found[6] = {w.force.x, w.force.y, w.force.z, w.moment.x, w.moment.y, w.moment.z};
  double radius = 0.5 * ts_aabb_extent(ts_mesh_bounds(mesh));
  double error2 = 0, size2 = 0;
  for (int i = 0; i < 6; i++) {
    double weight = i < 3 ? 1 : 1 / radius;
    error2 += pow(weight * (found[i] - exact->rate[i]), 2);
    size2 += pow(weight * exact->rate[i], 2);
  }
  return sqrt(error2 / size2);
}

/// Measurements of one scene: errors [resolution_count][motions], of the gradient for both bodies.
typedef struct samples {
  size_t resolution_count, motions;
  const double *resolutions;
  double *volume, *gradient;
} samples;

static ts_status measure_motion(samples *out, size_t motion, ldi_scene *scene, ts_ldi *ldi) {
  exact_rates exact[2] = {rates_of(scene, 0), rates_of(scene, 1)};
  for (size_t i = 0; i < out->resolution_count; i++) {
    ts_ldi_overlap overlap;
    TS_TRY(ts_ldi_place(ldi, scene->pose[0], scene->pose[1], (int)out->resolutions[i]));
    TS_TRY(ts_ldi_measure(&overlap, ldi));
    size_t at = i * out->motions + motion;
    out->volume[at] = fabs(overlap.volume_m3 / scene->volume_m3 - 1);
    for (int body = 0; body < 2; body++)
      out->gradient[2 * at + (size_t)body] =
          gradient_error(scene, body, overlap.gradient[body], &exact[body]);
  }
  return TS_OK;
}

/// The progress line on a terminal.
static void show(const char *name, size_t motion, size_t motions) {
  if (!ts_terminal_is_capable(stderr))
    return;
  fprintf(stderr, "\r\033[K");
  if (name)
    fprintf(stderr, "%s: motion %zu of %zu", name, motion + 1, motions);
  fflush(stderr);
}

/// Rows [resolution_count] of a scene from its samples, which are reordered.
static void fill_rows(row *out, const ldi_scene *scene, samples *s) {
  double *medians[2] = {s->volume, s->gradient};
  for (size_t i = 0; i < s->resolution_count; i++) {
    double *volume = s->volume + i * s->motions, *gradient = s->gradient + 2 * i * s->motions;
    out[i] = (row){.scene = scene->name,
                   .resolution_px = s->resolutions[i],
                   .motions = (double)s->motions,
                   .volume_error_median = ts_quantile(volume, s->motions, 0.5),
                   .volume_error_max = ts_quantile(volume, s->motions, 1),
                   .gradient_error_median = ts_quantile(gradient, 2 * s->motions, 0.5),
                   .gradient_error_max = ts_quantile(gradient, 2 * s->motions, 1)};
  }
  // The samples are no longer needed; their first elements are reused for the medians.
  for (size_t i = 0; i < s->resolution_count; i++) {
    medians[0][i] = out[i].volume_error_median;
    medians[1][i] = out[i].gradient_error_median;
  }
  double volume_order = -bench_exponent(s->resolutions, medians[0], s->resolution_count);
  double gradient_order = -bench_exponent(s->resolutions, medians[1], s->resolution_count);
  for (size_t i = 0; i < s->resolution_count; i++) {
    out[i].volume_order = volume_order;
    out[i].gradient_order = gradient_order;
  }
}

static ts_status measure_scene(row *out, ts_arena *arena, ldi_scene_kind kind, samples *s) {
  ldi_scene scene;
  ldi_scene_open(&scene, arena, kind);
  ts_random random = ts_random_seed(1, (uint64_t)kind);
  ts_ldi *ldi;
  ts_status status =
      ts_ldi_create_for_meshes(&ldi, ts_ldi_backends[0], scene.mesh[0], scene.mesh[1], 1);
  for (size_t motion = 0; motion < s->motions && status == TS_OK; motion++) {
    show(scene.name, motion, s->motions);
    ldi_scene_draw(&scene, &random);
    status = measure_motion(s, motion, &scene, ldi);
  }
  show(NULL, 0, 0);
  if (status == TS_OK)
    fill_rows(out, &scene, s);
  ldi_scene_close(&scene);
  ts_ldi_destroy(ldi);
  return status;
}

static void print_rows(const row *rows, size_t count) {
  for (size_t i = 0; i < count; i++)
    printf("%-17s  %5.0f  %10.2e  %10.2e  %10.2e  %10.2e\n", rows[i].scene, rows[i].resolution_px,
           rows[i].volume_error_median, rows[i].volume_error_max, rows[i].gradient_error_median,
           rows[i].gradient_error_max);
  printf("%-17s  order  %10.2f  %10s  %10.2f\n\n", rows[0].scene, rows[0].volume_order, "",
         rows[0].gradient_order);
  fflush(stdout);
}

static ts_status measure(row **out, size_t *out_count, ts_arena *arena, samples *s) {
  size_t count = s->resolution_count;
  row *rows = ts_arena_array(arena, LDI_SCENE_COUNT * count, sizeof *rows);
  s->volume = ts_arena_array(arena, count * s->motions, sizeof(double));
  s->gradient = ts_arena_array(arena, 2 * count * s->motions, sizeof(double));
  if (!rows || !s->volume || !s->gradient)
    return TS_E_MEMORY;
  printf("%-17s  %5s  %10s  %10s  %10s  %10s\n", "relative error of", "", "volume", "", "gradient",
         "");
  printf("%-17s  %5s  %10s  %10s  %10s  %10s\n", "scene", "px", "median", "max", "median", "max");
  for (int kind = 0; kind < LDI_SCENE_COUNT; kind++) {
    row *of_scene = rows + (size_t)kind * count;
    TS_TRY(measure_scene(of_scene, arena, (ldi_scene_kind)kind, s));
    print_rows(of_scene, count);
  }
  printf("%zu motions; order: least squares of the logarithm of the median error\n", s->motions);
  *out = rows;
  *out_count = LDI_SCENE_COUNT * count;
  return TS_OK;
}

static ts_status read_resolutions(samples *out, ts_arena *arena, const char *text) {
  const ts_param param = {.name = "--resolution",
                          .summary = "",
                          .kind = TS_PARAM_INTEGER,
                          .default_value = 1,
                          .minimum = 1,
                          .maximum = TS_LDI_RESOLUTION_MAX};
  double *values;
  TS_TRY(ts_sweep_parse(&values, &out->resolution_count, arena, &param, text, true));
  out->resolutions = values;
  return TS_OK;
}

static ts_status run(int *out, ts_arena *arena, int count, char *const *arguments) {
  values v = {0};
  ts_arguments parsed;
  samples s = {0};
  row *rows = NULL;
  size_t row_count = 0;
  *out = EXIT_USAGE;
  TS_TRY(ts_options_parse(&v, &parsed, arena, &command, count, arguments));
  if (parsed.wants_help) {
    print_help();
    *out = EXIT_FINE;
    return TS_OK;
  }
  if (parsed.operand_count > 0)
    return ts_fail(TS_E_INPUT, "\"%s\" is not an option; see --help", parsed.operands[0]);
  TS_TRY(read_resolutions(&s, arena, v.resolution));
  s.motions = (size_t)v.motions;
  if (v.csv)
    TS_TRY(bench_csv_can_write(v.csv));
  *out = EXIT_WRONG;
  TS_TRY(measure(&rows, &row_count, arena, &s));
  *out = EXIT_USAGE;
  if (v.csv)
    TS_TRY(
        bench_csv_write(v.csv, &(bench_csv){columns, COLUMN_COUNT, rows, row_count, sizeof *rows}));
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
