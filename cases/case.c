// SPDX-License-Identifier: MIT
#include "cases/case.h"

#include "base/hash.h"
#include "base/param.h"
#include "base/random.h"
#include "base/status.h"
#include "cases/scene/deformable.h"
#include "cases/scene/other_meshes.h"
#include "cases/scene/published_bodies.h"
#include "cases/scene/published_tets.h"
#include "cases/scene/stretch.h"
#include "geometry/tolerances.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASE(name) extern const ts_case ts_case_##name;
#include "cases/cases.def"
#undef CASE

const ts_case *const ts_cases[] = {
#define CASE(name) &ts_case_##name,
#include "cases/cases.def"
#undef CASE
    NULL,
};

static const char *const tets_choices[TS_TETS_COUNT + 1] = {
    [TS_TETS_TETGEN] = "tetgen", [TS_TETS_PUBLISHED] = "published", [TS_TETS_COUNT] = NULL};

#define STRETCH_ALONG(axis)                                                                        \
  {                                                                                                \
    .name = "stretch_" axis,                                                                       \
    .summary =                                                                                     \
        "Factor by which the scene as designed, bodies and places, is stretched along " axis ".",  \
    .kind = TS_PARAM_REAL, .default_value = 1, .minimum = 0.1, .maximum = 10                       \
  }

const ts_param ts_common_params[TS_COMMON_COUNT] = {
    [TS_COMMON_SCALE] = {.name = "scale",
                         .summary = "Every length of the scene is multiplied by this.",
                         .kind = TS_PARAM_REAL,
                         .default_value = 1,
                         .minimum = 1e-6,
                         .maximum = 1e6},
    [TS_COMMON_MOTION_SEED] = {.name = "motion_seed",
                               .summary =
                                   "Seed of one random rigid motion of the whole scene; 0 for "
                                   "none.",
                               .kind = TS_PARAM_INTEGER,
                               .default_value = 0,
                               .minimum = 0,
                               .maximum = 2147483648.0},
    [TS_COMMON_PERTURB_M] = {.name = "perturb_m",
                             .summary = "Every body's centre moves along x and z by up to this "
                                        "much, at scale 1.",
                             .kind = TS_PARAM_REAL,
                             .default_value = 0,
                             .minimum = 0,
                             .maximum = 1},
    [TS_COMMON_PERTURB_SEED] = {.name = "perturb_seed",
                                .summary = "Seed of the noise whose size is perturb_m.",
                                .kind = TS_PARAM_INTEGER,
                                .default_value = 1,
                                .minimum = 0,
                                .maximum = 2147483648.0},
    [TS_COMMON_OFFSET_M] = {.name = "offset_m",
                            .summary = "Distance of the whole scene from the origin, along (1, 1, "
                                       "1), after scale and motion.",
                            .kind = TS_PARAM_REAL,
                            .default_value = 0,
                            .minimum = 0,
                            .maximum = 1e9},
    [TS_COMMON_REFINEMENT] = {.name = "refinement",
                              .summary = "How finely TetGen cuts every body, surface and inside: 0 "
                                         "as designed, 2 about as Erleben 2018, section 8.6, 1 "
                                         "with edges twice as long.",
                              .kind = TS_PARAM_INTEGER,
                              .default_value = 0,
                              .minimum = 0,
                              .maximum = TS_REFINEMENT_MAX},
    [TS_COMMON_TETS] =
        {.name = "tets",
         .summary =
             "Which tetrahedra methods on tets get: TetGen's, or those of the published runs, "
             "which exist only for bodies as published, with all bodies placed as rounded there.",
         .kind = TS_PARAM_CHOICE,
         .default_value = TS_TETS_TETGEN,
         .choices = tets_choices},
    [TS_COMMON_MESH_SEED] = {.name = "mesh_seed",
                             .summary =
                                 "Seed of other meshes of the same bodies: order of vertices and "
                                 "triangles, cuts of flat faces, local frames; 0 for none.",
                             .kind = TS_PARAM_INTEGER,
                             .default_value = 0,
                             .minimum = 0,
                             .maximum = 2147483648.0},
    [TS_COMMON_STRETCH_X] = STRETCH_ALONG("x"),
    [TS_COMMON_STRETCH_Y] = STRETCH_ALONG("y"),
    [TS_COMMON_STRETCH_Z] = STRETCH_ALONG("z"),
};

const ts_case_range ts_common_ranges[] = {
    {"motion_seed", 1, 999999}, {"mesh_seed", 1, 999999}, {"stretch_x", 0.7, 1.4},
    {"stretch_y", 0.7, 1.4},    {"stretch_z", 0.7, 1.4},  {NULL, 0, 0},
};

// Streams of random numbers: one for each use, so that a new use does not change the others.
// cases/scene/other_meshes.c has the third.
enum { STREAM_MOTION = 1, STREAM_PERTURB = 2 };

// A moved scene lands within this of the origin, on each axis, at scale 1.
static const double motion_reach_m = 10;

const ts_case *ts_case_find(const char *name) {
  for (size_t i = 0; ts_cases[i]; i++)
    if (strcmp(ts_cases[i]->name, name) == 0)
      return ts_cases[i];
  return NULL;
}

size_t ts_case_param_count(const ts_case *c) {
  return TS_COMMON_COUNT + c->param_count;
}

const ts_param *ts_case_params(ts_arena *arena, const ts_case *c) {
  ts_param *params = ts_arena_array(arena, ts_case_param_count(c), sizeof *params);
  if (!params)
    return NULL;
  memcpy(params, ts_common_params, sizeof ts_common_params);
  for (size_t i = 0; i < c->param_count; i++)
    params[TS_COMMON_COUNT + i] = c->params[i];
  return params;
}

/// All values but those of later common parameters at their defaults.
static const char *join_shown(ts_arena *arena, const ts_param *params, size_t count,
                              const double *values) {
  ts_param *shown = ts_arena_array(arena, count, sizeof *shown);
  double *shown_values = ts_arena_array(arena, count, sizeof *shown_values);
  if (!shown || !shown_values)
    return NULL;
  size_t shown_count = 0;
  for (size_t i = 0; i < count; i++) {
    bool is_later = i >= TS_COMMON_MESH_SEED && i < TS_COMMON_COUNT;
    if (is_later && values[i] == params[i].default_value)
      continue;
    shown[shown_count] = params[i];
    shown_values[shown_count++] = values[i];
  }
  return ts_param_join(arena, shown, shown_count, shown_values);
}

const char *ts_case_parameters(ts_arena *arena, const ts_case *c, const double *values) {
  const ts_param *params = ts_case_params(arena, c);
  if (!params)
    return NULL;
  const char *text = c->origin.parameters;
  if (!text || text[0] == '\0')
    return join_shown(arena, params, ts_case_param_count(c), values);
  for (size_t i = 0; text && i < ts_case_param_count(c); i++) {
    char buffer[32];
    if (values[i] != params[i].default_value)
      text = ts_arena_format(arena, "%s;" TS_CASE_THEN "%s=%s", text, params[i].name,
                             ts_param_format(buffer, &params[i], values[i]));
  }
  return text;
}

static const ts_case_range *find_range(const ts_case_range *ranges, const char *param) {
  for (; ranges && ranges->param; ranges++)
    if (strcmp(ranges->param, param) == 0)
      return ranges;
  return NULL;
}

const ts_case_range *ts_case_range_of(const ts_case *c, const char *param) {
  const ts_case_range *own = find_range(c->ranges, param);
  if (own)
    return own;
  const ts_case_range *common = find_range(ts_common_ranges, param);
  return c->compose && strncmp(param, "stretch_", strlen("stretch_")) == 0 ? NULL : common;
}

static double draw(const ts_param *param, const ts_case_range *range, uint64_t seed,
                   uint64_t stream) {
  ts_random random = ts_random_seed(seed, stream);
  double unit = ts_random_unit(&random);
  if (param->kind != TS_PARAM_REAL)
    return range->low + floor(unit * (range->high - range->low + 1));
  char digits[32];
  snprintf(digits, sizeof digits, "%.4g", range->low + unit * (range->high - range->low));
  return strtod(digits, NULL);
}

ts_status ts_case_draw(double *values, ts_arena *arena, const ts_case *c, uint64_t seed) {
  const ts_param *params = ts_case_params(arena, c);
  if (!params)
    return TS_E_MEMORY;
  uint64_t of_case = ts_hash_bytes(TS_HASH_START, c->name, strlen(c->name) + 1);
  for (size_t i = 0; i < ts_case_param_count(c); i++) {
    const ts_case_range *range = ts_case_range_of(c, params[i].name);
    if (range)
      values[i] = draw(&params[i], range, seed,
                       ts_hash_bytes(of_case, params[i].name, strlen(params[i].name)));
  }
  return TS_OK;
}

// Every body moves, including fixed ones, as in the paper: only relative positions matter, and
// keeping the ground in place would be arbitrary.
void ts_case_perturb(ts_scene *scene, double size_m, uint64_t seed) {
  ts_random random = ts_random_seed(seed, STREAM_PERTURB);
  for (size_t i = 0; i < scene->body_count; i++) {
    ts_vec3 *centre = &scene->bodies[i].pose.translation;
    centre->x += ts_random_uniform(&random, -size_m, size_m);
    centre->z += ts_random_uniform(&random, -size_m, size_m);
  }
  if (scene->noise_hides_truth) {
    scene->truth_is_unknown = true;
    scene->joint_count = 0;
  }
}

static ts_pose scene_motion(double scale, uint64_t seed, double offset_m) {
  ts_pose motion = ts_pose_identity();
  if (seed != 0) {
    ts_random random = ts_random_seed(seed, STREAM_MOTION);
    double u1 = ts_random_unit(&random);
    double u2 = ts_random_unit(&random);
    double u3 = ts_random_unit(&random);
    motion.rotation = ts_quat_uniform(u1, u2, u3);
    double reach_m = motion_reach_m * scale;
    motion.translation.x = ts_random_uniform(&random, -reach_m, reach_m);
    motion.translation.y = ts_random_uniform(&random, -reach_m, reach_m);
    motion.translation.z = ts_random_uniform(&random, -reach_m, reach_m);
  }
  double along_axis_m = offset_m / sqrt(3.0);
  ts_vec3 offset = {along_axis_m, along_axis_m, along_axis_m};
  motion.translation = ts_vec3_add(motion.translation, offset);
  return motion;
}

/// Refuses a scene so far from the origin, for its size, that its bodies no longer touch as
/// designed: where rounding of the coordinates is above what counts as touching.
static ts_status check_precision(const ts_scene *scene) {
  double reach_m = 0, size_m = INFINITY;
  const char *farthest = "", *smallest = "";
  for (size_t i = 0; i < scene->body_count; i++) {
    ts_vec3 t = scene->bodies[i].pose.translation;
    double away_m = fmax(fabs(t.x), fmax(fabs(t.y), fabs(t.z)));
    farthest = away_m > reach_m ? scene->bodies[i].name : farthest;
    reach_m = fmax(reach_m, away_m);
  }
  for (size_t i = 0; i < scene->shape_count; i++) {
    double extent_m = ts_aabb_extent(scene->shapes[i].bounds_local);
    smallest = extent_m < size_m ? scene->shapes[i].name : smallest;
    size_m = fmin(size_m, extent_m);
  }
  if (reach_m * DBL_EPSILON <= TS_TOUCH_RELATIVE * size_m)
    return TS_OK;
  return ts_fail(
      TS_E_INPUT,
      "body %s is at a coordinate of %g m, where a double is exact to %.2g m: too coarse for "
      "shape %s, of %g m, to touch as designed; bring the bodies nearer to the origin (a smaller "
      "offset_m), or take a larger shape or scale",
      farthest, reach_m, reach_m * DBL_EPSILON, smallest, size_m);
}

/// Sets how the shapes are cut, while they are at scale 1. Whether the published tets fit is
/// decided here and not where they are used: a scene that declares them has all of them.
static ts_status set_cutting(ts_scene *scene, int refinement, ts_tets_source tets) {
  scene->refinement = refinement;
  scene->tets = tets;
  TS_TRY(ts_scene_check_cutting(scene));
  if (tets != TS_TETS_PUBLISHED)
    return TS_OK;
  if (refinement > 0)
    return ts_fail(TS_E_INPUT,
                   "the published tets are not refined: leave out refinement=%d to have them as "
                   "published, or tets=published to have TetGen refine the bodies",
                   refinement);
  scene->published_tets =
      ts_arena_array(scene->arena, scene->shape_count, sizeof *scene->published_tets);
  if (!scene->published_tets)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->shape_count; i++)
    TS_TRY(ts_published_tets_find(&scene->published_tets[i], &scene->shapes[i], scene->scale));
  return TS_OK;
}

static ts_vec3 stretch_of(const double *values) {
  return ts_vec3_make(values[TS_COMMON_STRETCH_X], values[TS_COMMON_STRETCH_Y],
                      values[TS_COMMON_STRETCH_Z]);
}

/// The case as designed, with its noise and its truth, at scale 1.
static ts_status build_designed(ts_scene *scene, const ts_case *c, const double *values) {
  TS_TRY(c->build(scene, values + TS_COMMON_COUNT));
  TS_TRY(ts_scene_stretch(scene, stretch_of(values)));
  TS_TRY(set_cutting(scene, (int)values[TS_COMMON_REFINEMENT],
                     (ts_tets_source)(int)values[TS_COMMON_TETS]));
  ts_vec3 *designed = ts_arena_array(scene->arena, scene->body_count, sizeof *designed);
  if (!designed)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->body_count; i++)
    designed[i] = scene->bodies[i].pose.translation;
  if (values[TS_COMMON_PERTURB_M] > 0)
    ts_case_perturb(scene, values[TS_COMMON_PERTURB_M], (uint64_t)values[TS_COMMON_PERTURB_SEED]);
  TS_TRY(ts_scene_resolve_truth(scene));
  if (scene->tets == TS_TETS_PUBLISHED)
    TS_TRY(ts_published_bodies_place(scene, c->name, designed));
  return TS_OK;
}

ts_status ts_case_build(ts_scene **out, ts_arena *arena, const ts_case *c, const double *values) {
  ts_scene *scene;
  TS_TRY(ts_scene_create(&scene, arena));
  ts_vec3 stretch = stretch_of(values);
  if (c->compose && (stretch.x != 1 || stretch.y != 1 || stretch.z != 1))
    return ts_fail(TS_E_INPUT,
                   "%s has its bodies from a file and is not stretched: leave out stretch_x, "
                   "stretch_y and stretch_z",
                   c->name);
  TS_TRY(c->compose ? c->compose(scene, c, values) : build_designed(scene, c, values));
  double scale = values[TS_COMMON_SCALE];
  ts_pose motion = scene_motion(scene->scale * scale, (uint64_t)values[TS_COMMON_MOTION_SEED],
                                values[TS_COMMON_OFFSET_M]);
  TS_TRY(ts_scene_transform(scene, scale, motion));
  if (values[TS_COMMON_MESH_SEED] > 0)
    TS_TRY(ts_scene_other_meshes(scene, (uint64_t)values[TS_COMMON_MESH_SEED]));
  TS_TRY(check_precision(scene));
  *out = scene;
  return TS_OK;
}
