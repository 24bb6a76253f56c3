// SPDX-License-Identifier: MIT
// Links of a chain, rigid and deformable ones, that hang on a fixed link or swing down from the
// level of it: contacts between any two kinds of bodies, which cannot come apart. Links are as near
// as can be to touching as built.
#include "base/status.h"
#include "cases/case.h"
#include "cases/soft.h"
#include "cases/torus.h"

static const double gap_m = 0.004;

enum { PARAM_LINKS = TS_SOFT_PARAM_COUNT, PARAM_DIRECTION, PARAM_TRIANGLES, PARAM_COUNT };

enum { LINKS_COUNT = 4 };
static const char *const links_choices[LINKS_COUNT + 1] = {"rigid_soft_rigid", "rigid_soft_soft",
                                                           "five_mixed", "five_soft", NULL};
// r: rigid, s: soft.
static const char *const links_kinds[LINKS_COUNT] = {"rsr", "rss", "rsrsr", "rssss"};

enum { VERTICAL, HORIZONTAL, DIRECTION_COUNT };
static const char *const directions[DIRECTION_COUNT + 1] = {"vertical", "horizontal", NULL};

static const ts_param params_of_soft_chain[PARAM_COUNT] = {
    TS_SOFT_PARAMS(6e5, 2, 0.005),
    [PARAM_LINKS] = {.name = "links",
                     .summary = "Which links are deformable; five_mixed has the second and the "
                                "fourth of five, five_soft all but the fixed one.",
                     .kind = TS_PARAM_CHOICE,
                     .default_value = 0,
                     .choices = links_choices},
    [PARAM_DIRECTION] = {.name = "direction",
                         .summary = "Whether the links are built below the fixed one, or beside it "
                                    "at its level.",
                         .kind = TS_PARAM_CHOICE,
                         .default_value = VERTICAL,
                         .choices = directions},
    [PARAM_TRIANGLES] = {.name = "triangles",
                         .summary = "Of each rigid link: the nearest number that a grid of about "
                                    "square cells has whose sides are multiples of 4.",
                         .kind = TS_PARAM_INTEGER,
                         .default_value = 4000,
                         .minimum = 500,
                         .maximum = 1e5},
};

static ts_status add_ring(int32_t *out, ts_scene *scene, double triangles) {
  const ts_torus ring = {
      .axis_radius_m = ts_soft_torus.ring_m, .tube_radius_m = ts_soft_torus.tube_m, .multiple = 4};
  TS_TRY(ts_shape_torus(out, scene, &ring, triangles));
  scene->shapes[*out].torus = ts_soft_torus;
  return TS_OK;
}

/// The first link is in the plane of x and y, the next one along the chain and z, and so on.
static ts_pose link_pose(int link, int direction) {
  const double a = sqrt(0.5);
  const double step_m = 2 * (ts_soft_torus.ring_m - ts_soft_torus.tube_m) - gap_m;
  const ts_quat to_z = {a, a, 0, 0}, to_x = {a, 0, 0, -a}; // of the axis of a torus, y
  ts_quat across = direction == VERTICAL ? to_x : ts_quat_identity();
  ts_vec3 along = direction == VERTICAL ? ts_vec3_make(0, -1, 0) : ts_vec3_make(1, 0, 0);
  return (ts_pose){link % 2 == 0 ? to_z : across, ts_vec3_scale(along, step_m * link)};
}

/// Adds a deformable link whose mesh is at rest as it starts: what ignores rotations, as
/// response=initial does, is then right as long as nothing turns. `shapes` [2] are those of even
/// and odd links, -1 until there is one.
static ts_status add_soft_link(ts_scene *scene, int32_t shapes[2], int link, const char *name,
                               ts_pose pose, const double *params) {
  int32_t *shape = &shapes[link % 2], body;
  if (*shape < 0)
    TS_TRY(ts_soft_add_torus(shape, scene, pose.rotation));
  pose.rotation = ts_quat_identity();
  return ts_soft_add_body(&body, scene, name, *shape, pose, params, NULL, 0);
}

static ts_status build(ts_scene *scene, const double *params) {
  const char *kinds = links_kinds[(int)params[PARAM_LINKS]];
  int32_t ring, soft[2] = {-1, -1}, body;
  TS_TRY(add_ring(&ring, scene, params[PARAM_TRIANGLES]));
  for (int i = 0; kinds[i] != '\0'; i++) {
    ts_pose pose = link_pose(i, (int)params[PARAM_DIRECTION]);
    const char *name = ts_arena_format(scene->arena, "link_%d", i + 1);
    if (!name)
      return TS_E_MEMORY;
    if (kinds[i] == 's') {
      TS_TRY(add_soft_link(scene, soft, i, name, pose, params));
      continue;
    }
    TS_TRY(ts_scene_add_body(&body, scene, name, ring, pose, i == 0));
    scene->bodies[body].density_kg_m3 = TS_SOFT_DENSITY_KG_M3;
  }
  scene->noise_hides_truth = true; // it may push links into each other
  return TS_OK;
}

static const ts_case_range ranges[] = {
    {"young_pa", 1.5e5, 1e6},
    {"links", 0, LINKS_COUNT - 1},
    {"direction", VERTICAL, HORIZONTAL},
    {NULL, 0, 0},
};

const ts_case ts_case_soft_chain = {
    .name = "soft_chain",
    .suite = "soft",
    .summary = "Rigid and deformable links of a chain fall from a fixed one; nothing touches as "
               "built.",
    .source = "Saupin 2008, Figures 2 and 3, Tables 1 and 2",
    .params = params_of_soft_chain,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
    .is_deformable = true,
};
