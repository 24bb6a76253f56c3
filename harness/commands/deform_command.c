// SPDX-License-Identifier: MIT
#include "base/number.h"
#include "base/status.h"
#include "harness/deform/deform_section.h"
#include "harness/picture/cell_snapshot.h"
#include "harness/plan/exits.h"
#include "harness/plan/options.h"
#include "harness/run/interrupt.h"
#include "harness/run/kept_files.h"
#include "harness/run/limit_options.h"
#include "reports/rows/outcome.h"
#include "reports/rows/rows.h"

#include <string.h>

typedef struct deform_values {
  const char *case_name, *pair, *direction, *out;
  ts_assignments sets;
  ts_texts scenes;
  double stiffness_a, tau, extent, gamma, dilation_m, edge_max_m;
  ts_limit_values limits;
  bool is_anisotropic;
} deform_values;

typedef struct deform {
  ts_arena *arena;
  deform_values values;
  ts_catalog catalog;
  ts_deform_request request;
  ts_deform_job job;
  ts_deform_scene scene;
  const ts_deform_case_pair *pair; ///< whose picture is written
} deform;

// ---- what the options say ----------------------------------------------------------------------

/// Splits "a,b,c" into `count` words. False when there are more or fewer, or one is empty.
static bool split(char **words, size_t count, char *text) {
  for (size_t i = 0; i < count; i++) {
    words[i] = text;
    text = i + 1 < count ? strchr(text, ',') : strchr(text, '\0');
    if (!text || text == words[i])
      return false;
    if (i + 1 < count)
      *text++ = '\0';
  }
  return true;
}

/// A body by its index, or by its name.
static ts_status find_body(int32_t *out, const ts_scene *scene, const char *word) {
  double number;
  size_t found = scene->body_count;
  if (ts_number_parse(&number, word) == TS_OK) {
    if (number >= 0 && number < (double)scene->body_count && number == floor(number))
      found = (size_t)number;
  } else {
    for (size_t i = scene->body_count; i-- > 0;)
      found = strcmp(scene->bodies[i].name, word) == 0 ? i : found;
  }
  if (found == scene->body_count)
    return ts_fail(TS_E_INPUT,
                   "--pair: there is no body \"%s\"; give two of the %zu by index, from 0, or by "
                   "name",
                   word, scene->body_count);
  *out = (int32_t)found;
  return TS_OK;
}

static ts_status read_pair(deform *d, const ts_scene *scene) {
  if (!d->values.pair)
    return TS_OK;
  char *words[2], *text = ts_arena_string(d->arena, d->values.pair);
  if (!text)
    return TS_E_MEMORY;
  if (!split(words, 2, text))
    return ts_fail(TS_E_INPUT, "--pair %s: give two bodies, as in 0,1", d->values.pair);
  int32_t a, b;
  TS_TRY(find_body(&a, scene, words[0]));
  TS_TRY(find_body(&b, scene, words[1]));
  if (a == b)
    return ts_fail(TS_E_INPUT, "--pair %s: give two different bodies", d->values.pair);
  d->request.has_pair = true;
  d->request.chosen = a < b ? (ts_body_pair){a, b} : (ts_body_pair){b, a};
  return TS_OK;
}

static ts_status read_direction(deform *d) {
  if (strcmp(d->values.direction, "auto") == 0)
    return TS_OK;
  char *words[3], *text = ts_arena_string(d->arena, d->values.direction);
  double numbers[3] = {0, 0, 0};
  if (!text)
    return TS_E_MEMORY;
  bool is_good = split(words, 3, text);
  for (int i = 0; i < 3 && is_good; i++)
    is_good = ts_number_parse(&numbers[i], words[i]) == TS_OK && isfinite(numbers[i]);
  // Scaled first, so that neither 1e-200 nor 1e200 is lost in a square.
  double largest = ts_max(ts_max(fabs(numbers[0]), fabs(numbers[1])), fabs(numbers[2]));
  if (!is_good || !(largest > 0))
    return ts_fail(TS_E_INPUT,
                   "--direction %s: give auto, or x,y,z from the first body of a pair to the "
                   "second, not all 0",
                   d->values.direction);
  d->request.settings.has_direction = true;
  d->request.settings.direction =
      ts_vec3_unit((ts_vec3){numbers[0] / largest, numbers[1] / largest, numbers[2] / largest});
  return TS_OK;
}

static ts_status make_request(deform *d) {
  ts_snapshot snapshot;
  ts_snapshot_source source;
  const deform_values *v = &d->values;
  TS_TRY(ts_cell_snapshot(&snapshot, &source, d->arena,
                          &(ts_snapshot_request){.catalog = &d->catalog,
                                                 .case_name = v->case_name,
                                                 .set_count = v->sets.count,
                                                 .sets = v->sets.items}));
  d->request = (ts_deform_request){.case_name = v->case_name,
                                   .case_parameters = source.case_parameters,
                                   .scene = source.scene,
                                   .settings = {.stiffness_a = v->stiffness_a,
                                                .tau = v->tau,
                                                .extent = v->extent,
                                                .gamma = v->gamma,
                                                .is_anisotropic = v->is_anisotropic},
                                   .dilation_m = v->dilation_m,
                                   .edge_max_m = v->edge_max_m};
  TS_TRY(read_direction(d));
  return read_pair(d, source.scene);
}

// ---- the files ---------------------------------------------------------------------------------

static ts_status write_rows(FILE *file, void *context) {
  const deform *d = context;
  ts_csv_buffer buffer = {0};
  ts_status status = ts_rows_add_header(&buffer, &ts_deform_rows);
  for (size_t i = 0; status == TS_OK && i < 2 * d->scene.pair_count; i++)
    status = ts_rows_add(&buffer, &ts_deform_rows, &d->scene.pairs[i / 2].rows[i % 2]);
  if (status == TS_OK)
    fwrite(buffer.bytes, 1, buffer.count, file);
  ts_csv_buffer_free(&buffer);
  return status;
}

static ts_status write_vtk_before(FILE *file, void *context) {
  ts_vtk_write_deformed(file, &((const deform *)context)->scene.shown, false);
  return TS_OK;
}

static ts_status write_vtk_after(FILE *file, void *context) {
  ts_vtk_write_deformed(file, &((const deform *)context)->scene.shown, true);
  return TS_OK;
}

static ts_status write_vtk_surface(FILE *file, void *context) {
  ts_vtk_write_contact_surfaces(file, &((const deform *)context)->scene.shown);
  return TS_OK;
}

static ts_status write_gltf_before(FILE *file, void *context) {
  return ts_gltf_write_deformed(file, &((const deform *)context)->scene.shown, false);
}

static ts_status write_gltf_after(FILE *file, void *context) {
  return ts_gltf_write_deformed(file, &((const deform *)context)->scene.shown, true);
}

static ts_status write_section(FILE *file, void *context) {
  const deform *d = context;
  return ts_deform_section_write(file, d->arena, d->pair, &d->scene.shown);
}

static const struct {
  const char *name, *what;
  ts_status (*write)(FILE *file, void *context);
} files[] = {
    {"deform.csv", "a row for each pair and body", write_rows},
    {"before.vtp", "the bodies before", write_vtk_before},
    {"after.vtp", "the bodies after", write_vtk_after},
    {"surface.vtp", "the contact surfaces", write_vtk_surface},
    {"before.gltf", "bodies and surfaces before, for Blender and other viewers", write_gltf_before},
    {"after.gltf", "the same after", write_gltf_after},
};
#define FILE_COUNT (sizeof files / sizeof *files)

/// A percentage without an exponent, which few people read.
static void print_percent(FILE *file, double percent) {
  if (percent > 0 && percent < 0.001)
    fprintf(file, "below 0.001 %%");
  else
    fprintf(file, percent < 9.95 ? "%.2g %%" : "%.0f %%", percent);
}

/// What is left of the overlap; more than there was, too: nothing keeps bulges apart.
static void print_left(FILE *file, const ts_deform_row *row) {
  if (isnan(row->overlap_left_m3)) {
    fprintf(file, ", not known how much is left, since a surface folds");
    return;
  }
  fprintf(file, ", ");
  print_percent(file, 100 * row->overlap_left_m3 / row->overlap_m3);
  fprintf(file,
          row->overlap_left_m3 > row->overlap_m3 ? " left, which is more than before" : " left");
}

static void print_pair(FILE *file, const deform *d, const ts_deform_case_pair *pair) {
  const ts_deform_row *a = &pair->rows[0], *b = &pair->rows[1];
  const ts_body *bodies = d->request.scene->bodies;
  fprintf(file, "%s and %s: overlap %.4g m3", bodies[pair->bodies.body_a].name,
          bodies[pair->bodies.body_b].name, a->overlap_m3);
  if (pair->status != TS_OK) {
    fprintf(file, ", skipped: %s\n", a->reason);
    return;
  }
  print_left(file, a);
  fprintf(file, "; deepest %.4g m, %.2g m left; volume errors %.1g and %.1g", a->deepest_m,
          a->deepest_left_m, a->volume_error, b->volume_error);
  double folded = a->turned_over + b->turned_over;
  if (folded > 0)
    fprintf(file, folded == 1 ? "; %.0f triangle turned over" : "; %.0f triangles turned over",
            folded);
  fprintf(file, "\n");
}

static ts_status write_summary(FILE *file, void *context) {
  const deform *d = context;
  for (size_t i = 0; i < d->scene.pair_count; i++)
    print_pair(file, d, &d->scene.pairs[i]);
  for (size_t i = 0; i < FILE_COUNT; i++)
    fprintf(file, "  %-16s  %s\n", files[i].name, files[i].what);
  fprintf(file, "  %-16s  a cut through each pair that has a contact surface\n", "section_A_B.svg");
  fprintf(file, "deform: %s\n", d->values.out);
  return TS_OK;
}

static ts_status add_sections(ts_made_files *out, deform *d) {
  for (size_t i = 0; i < d->scene.pair_count; i++) {
    d->pair = &d->scene.pairs[i];
    if (d->pair->pair.used_count == 0)
      continue;
    const char *name = ts_arena_format(d->arena, "section_%d_%d.svg", d->pair->bodies.body_a,
                                       d->pair->bodies.body_b);
    if (!name)
      return TS_E_MEMORY;
    TS_TRY(ts_made_files_add(out, d->arena, name, write_section, d));
  }
  return TS_OK;
}

/// Makes all files, and last the text to print.
static ts_status make_files(ts_made_files *out, void *context) {
  deform *d = context;
  TS_TRY(ts_deform_scene_run(&d->scene, d->arena, &d->job));
  size_t most = FILE_COUNT + d->scene.pair_count + 1;
  *out = (ts_made_files){.items = ts_arena_array(d->arena, most, sizeof *out->items)};
  if (!out->items)
    return TS_E_MEMORY;
  for (size_t i = FILE_COUNT; i-- > 1;)
    TS_TRY(ts_made_files_add(out, d->arena, files[i].name, files[i].write, d));
  TS_TRY(add_sections(out, d));
  // Of the files that stay the last one, so that with it the set is whole.
  TS_TRY(ts_made_files_add(out, d->arena, files[0].name, files[0].write, d));
  return ts_made_files_add(out, d->arena, "summary", write_summary, d);
}

// ---- the command -------------------------------------------------------------------------------

/// In a process of its own, with the limits of a method.
static ts_status deform_scene(int *out_exit, deform *d) {
  TS_TRY(make_request(d));
  TS_TRY(ts_deform_job_create(&d->job, d->arena, &d->request));
  const ts_kept_files_job job = {.make = make_files,
                                 .context = d,
                                 .case_name = d->values.case_name,
                                 .method = "deform",
                                 .limits = ts_limits_of(d->values.limits)};
  ts_kept_files made;
  TS_TRY(ts_kept_files_make(&made, d->arena, &job));
  if (made.outcome == TS_OUTCOME_OK)
    return ts_made_files_write(&made.files, &(ts_earlier_files){.count = 0}, d->arena,
                               d->values.out);
  fprintf(stderr, "touchstone: deform on %s %s: %s; nothing is written\n", d->values.case_name,
          ts_outcomes[made.outcome].words, made.reason);
  *out_exit = TS_EXIT_BAD_CELLS;
  return TS_OK;
}

/// The case that is named, or that of the only scene file. The catalog starts with those of scenes.
static ts_status choose_case(deform *d) {
  const ts_case *const *cases = d->catalog.cases;
  size_t count = d->values.scenes.count;
  if (!d->values.case_name && count > 1)
    return ts_fail(TS_E_INPUT,
                   "%zu scenes are given, of which one can be deformed: say which by --case NAME, "
                   "such as --case %s",
                   count, cases[0]->name);
  if (!d->values.case_name)
    d->values.case_name = cases[0]->name;
  bool is_scene = count == 0;
  for (size_t i = 0; i < count; i++)
    is_scene = is_scene || strcmp(cases[i]->name, d->values.case_name) == 0;
  if (!is_scene)
    return ts_fail(TS_E_INPUT,
                   "--case %s is not the case of a --scene, which would not be used (%s is): leave "
                   "one of the two options out",
                   d->values.case_name, cases[0]->name);
  return TS_OK;
}

static ts_status deform_case(int *out_exit, deform *d, int count, char *const *arguments) {
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&d->values, &parsed, d->arena, &ts_command_deform, count, arguments));
  ts_limits_begin(d->values.limits);
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_deform);
  if (parsed.operand_count > 0)
    return ts_fail(TS_E_INPUT, "deform takes options only, not \"%s\"", parsed.operands[0]);
  if (!d->values.case_name && d->values.scenes.count == 0)
    return ts_fail(TS_E_INPUT,
                   "--case NAME (see touchstone list cases) or --scene FILE is required");
  if (!d->values.out)
    return ts_fail(TS_E_INPUT, "--out DIR is required");
  TS_TRY(ts_file_set_check(d->values.out, NULL));
  TS_TRY(ts_catalog_open(&d->catalog, d->arena,
                         &(ts_catalog_request){.scene_count = d->values.scenes.count,
                                               .scenes = d->values.scenes.items}));
  TS_TRY(choose_case(d));
  ts_interrupt_say("nothing was written");
  return deform_scene(out_exit, d);
}

static ts_status run_deform(int *out_exit, int count, char *const *arguments) {
  deform d = {.pair = NULL};
  *out_exit = TS_EXIT_FINE;
  TS_TRY(ts_arena_create(&d.arena));
  ts_status status = deform_case(out_exit, &d, count, arguments);
  ts_arena_destroy(d.arena);
  return status;
}

#define LIMIT_OFFSET(name) offsetof(deform_values, limits.name)
#define MEMBER(name)       .offset = offsetof(deform_values, name)

static const ts_option options[] = {
    {.name = "case",
     .argument = "NAME",
     .kind = TS_OPTION_TEXT,
     MEMBER(case_name),
     .names = TS_NAMES_CASES,
     .help = "the full name of the case"},
    {.name = "scene",
     .argument = "FILE",
     .kind = TS_OPTION_TEXTS,
     MEMBER(scenes),
     .help = "take the case of this scene file; of several the one that --case names"},
    {.name = "set",
     .argument = "name=value",
     .kind = TS_OPTION_ASSIGNMENTS,
     MEMBER(sets),
     .names = TS_NAMES_PARAMETERS,
     .help = "set a parameter of the case, as for run"},
    {.name = "pair",
     .argument = "A,B",
     .kind = TS_OPTION_TEXT,
     MEMBER(pair),
     .help = "only these two bodies, by index or name (default: all pairs that overlap)"},
    {.name = "stiffness-a",
     .argument = "K",
     .kind = TS_OPTION_NUMBER,
     MEMBER(stiffness_a),
     .fallback = "0.5",
     .minimum = 0,
     .maximum = 1,
     .help = "relative stiffness of the first body of a pair; 1: it is rigid, 0: the other one is"},
    {.name = "tau",
     .argument = "T",
     .kind = TS_OPTION_NUMBER,
     MEMBER(tau),
     .fallback = "-1",
     .minimum = -1000,
     .maximum = 1000,
     .help = "bodies stay in contact where the score is at least its mean and T deviations"},
    {.name = "extent",
     .argument = "S",
     .kind = TS_OPTION_NUMBER,
     MEMBER(extent),
     .fallback = "0.5",
     .minimum = 1e-6,
     .maximum = 1e3,
     .help = "how far around its zone a body gives way, in sizes of the smaller body"},
    {.name = "gamma",
     .argument = "G",
     .kind = TS_OPTION_NUMBER,
     MEMBER(gamma),
     .fallback = "1",
     .minimum = 0,
     .maximum = 10,
     .help = "share of the lost volume that bulges give back; 0: no bulge"},
    {.name = "anisotropic",
     .kind = TS_OPTION_SWITCH,
     MEMBER(is_anisotropic),
     .help = "make bulges larger in front of the zone"},
    {.name = "direction",
     .argument = "X,Y,Z",
     .kind = TS_OPTION_TEXT,
     MEMBER(direction),
     .fallback = "auto",
     .help = "mapping direction from the first body of a pair to the second, world; auto: of each "
             "part of an overlap its own"},
    {.name = "dilation",
     .argument = "M",
     .kind = TS_OPTION_NUMBER,
     MEMBER(dilation_m),
     .fallback = "0",
     .minimum = 0,
     .maximum = 1e6,
     .help = "make bodies larger by this before, in metres, so that bodies that touch overlap: "
             "planes of faces are moved where that is exact, else vertices"},
    {.name = "edge",
     .argument = "M",
     .kind = TS_OPTION_NUMBER,
     MEMBER(edge_max_m),
     .fallback = "0",
     .minimum = 0,
     .maximum = 1e6,
     .help = "cut edges that are longer than this, in metres, since only vertices can give way; 0: "
             "leave meshes as they are"},
    {.name = "out",
     .argument = "DIR",
     .kind = TS_OPTION_TEXT,
     MEMBER(out),
     .help = "folder to write to, new or empty"},
    TS_LIMIT_OPTIONS(LIMIT_OFFSET)};

const ts_command ts_command_deform = {
    .name = "deform",
    .operands = "",
    .summary = "Lets overlapping bodies give way; measures what is left.",
    .notes = "The elastic contact deformer of Brunel 2021. A pair that has no answer is skipped, "
             "and its "
             "rows say why. See docs/elastic.md for the files and what was found.",
    .examples = "touchstone deform --case deep --set shape=two_spheres --out spheres\n"
                "touchstone deform --case deep --set shape=box_on_slab --edge 0.05 "
                "--stiffness-a 1 --out box\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_deform,
};
