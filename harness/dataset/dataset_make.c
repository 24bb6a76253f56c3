// SPDX-License-Identifier: MIT
#include "harness/dataset/dataset_make.h"

#include "base/array.h"
#include "base/param.h"
#include "base/status.h"
#include "cases/scene_file/scene_file.h"
#include "harness/dataset/dataset_texts.h"

#include <stdlib.h>
#include <string.h>

const char *const ts_dataset_suites[] = {"erleben", "extended", NULL};

const ts_dataset_variant ts_dataset_variants[] = {
    {"", 0, 0},         {"_moved_1", 1, 0}, {"_moved_2", 2, 0},
    {"_drawn_1", 0, 1}, {"_drawn_2", 0, 2}, {"_drawn_3", 0, 3},
    {"_drawn_4", 0, 4}, {"_drawn_5", 0, 5}, {NULL, 0, 0},
};

/// State while the data set is made.
typedef struct maker {
  ts_arena *arena;
  ts_dataset *out;
  size_t file_capacity, scene_capacity;
} maker;

static ts_status add_file(maker *m, const char *path, const void *bytes, size_t count) {
  ts_dataset *d = m->out;
  if (!path)
    return TS_E_MEMORY;
  TS_TRY(TS_ARENA_GROW(d->files, m->file_capacity, d->file_count, 1, m->arena));
  d->files[d->file_count++] = (ts_file_of_set){path, bytes, count};
  return TS_OK;
}

/// The values of the parameters of a variant.
static ts_status make_values(double **out, ts_arena *arena, const ts_case *c,
                             const ts_dataset_variant *variant) {
  size_t count = ts_case_param_count(c);
  const ts_param *params = ts_case_params(arena, c);
  *out = ts_arena_array(arena, count, sizeof **out);
  if (!params || !*out)
    return TS_E_MEMORY;
  ts_param_defaults(*out, params, count);
  (*out)[TS_COMMON_MOTION_SEED] = variant->motion_seed;
  return variant->drawn_seed > 0 ? ts_case_draw(*out, arena, c, variant->drawn_seed) : TS_OK;
}

/// Notes a scene in the manifest.
static ts_status add_scene(maker *m, const char *name, const ts_case *c, const char *parameters,
                           const ts_scene *scene) {
  ts_truth_totals totals = ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN);
  if (scene->truth_is_unknown || scene->unknown_count > 0 || totals.minimum == 0)
    return ts_fail(TS_E_INPUT,
                   "%s cannot be part of the data set: its truth is unknown, or needs no contact; "
                   "give the case another suite",
                   name);
  ts_manifest *manifest = &m->out->manifest;
  TS_TRY(TS_ARENA_GROW(manifest->scenes, m->scene_capacity, manifest->scene_count, 1, m->arena));
  manifest->scenes[manifest->scene_count++] = (ts_manifest_scene){.name = name,
                                                                  .case_name = c->name,
                                                                  .suite = c->suite,
                                                                  .parameters = parameters,
                                                                  .body_count = scene->body_count,
                                                                  .pair_count = totals.pairs,
                                                                  .region_count = totals.regions,
                                                                  .minimum = totals.minimum};
  return TS_OK;
}

static ts_status make_scene(maker *m, const ts_case *c, const ts_dataset_variant *variant) {
  double *values;
  TS_TRY(make_values(&values, m->arena, c, variant));
  ts_scene_file about = {.name = ts_arena_format(m->arena, "%s%s", c->name, variant->suffix),
                         .summary = c->summary,
                         .source = c->source,
                         .case_parameters = ts_case_parameters(m->arena, c, values)};
  if (!about.name || !about.case_parameters)
    return TS_E_MEMORY;
  ts_scene *scene;
  ts_scene_part *parts;
  size_t count;
  TS_TRY(ts_case_build(&scene, m->arena, c, values));
  TS_TRY(add_scene(m, about.name, c, about.case_parameters, scene));
  TS_TRY(ts_scene_file_write(&parts, &count, m->arena, scene, &about));
  for (size_t i = 0; i < count; i++)
    TS_TRY(add_file(
        m, ts_arena_format(m->arena, "%s/%s/%s", TS_DATASET_SCENES, about.name, parts[i].name),
        parts[i].bytes, parts[i].byte_count));
  return TS_OK;
}

static ts_status make_scenes(maker *m) {
  for (size_t s = 0; ts_dataset_suites[s]; s++)
    for (size_t i = 0; ts_cases[i]; i++)
      for (size_t v = 0; ts_dataset_variants[v].suffix; v++)
        if (strcmp(ts_cases[i]->suite, ts_dataset_suites[s]) == 0)
          TS_TRY(make_scene(m, ts_cases[i], &ts_dataset_variants[v]));
  return TS_OK;
}

static int compare_files(const void *a, const void *b) {
  return strcmp(((const ts_file_of_set *)a)->path, ((const ts_file_of_set *)b)->path);
}

static int compare_scenes(const void *a, const void *b) {
  return strcmp(((const ts_manifest_scene *)a)->name, ((const ts_manifest_scene *)b)->name);
}

/// Lists the files in the manifest, and adds it to them.
static ts_status make_manifest(maker *m) {
  ts_dataset *d = m->out;
  ts_manifest *manifest = &d->manifest;
  qsort(d->files, d->file_count, sizeof *d->files, compare_files);
  qsort(manifest->scenes, manifest->scene_count, sizeof *manifest->scenes, compare_scenes);
  manifest->edition = TS_DATASET_EDITION;
  manifest->file_count = d->file_count;
  manifest->files = ts_arena_array(m->arena, d->file_count, sizeof *manifest->files);
  if (!manifest->files)
    return TS_E_MEMORY;
  for (size_t i = 0; i < d->file_count; i++)
    manifest->files[i] =
        (ts_manifest_file){.path = d->files[i].path,
                           .byte_count = d->files[i].byte_count,
                           .sha256 = ts_sha256_of(d->files[i].bytes, d->files[i].byte_count)};
  TS_TRY(ts_manifest_sign(manifest, m->arena));
  char *text;
  size_t count;
  TS_TRY(ts_manifest_write(&text, &count, m->arena, manifest));
  return add_file(m, TS_MANIFEST_NAME, text, count);
}

ts_status ts_dataset_make(ts_dataset *out, ts_arena *arena) {
  *out = (ts_dataset){.file_count = 0};
  maker m = {.arena = arena, .out = out};
  TS_TRY(add_file(&m, "README.md", ts_dataset_readme, ts_dataset_readme_bytes));
  TS_TRY(add_file(&m, "CITATION.cff", ts_dataset_citation, ts_dataset_citation_bytes));
  TS_TRY(add_file(&m, "LICENSE", ts_dataset_licence, ts_dataset_licence_bytes));
  TS_TRY(make_scenes(&m));
  return make_manifest(&m);
}
