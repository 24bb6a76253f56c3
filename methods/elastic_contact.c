// SPDX-License-Identifier: MIT
/// Contacts at the surface between two dilated bodies that both give way (Brunel 2021, section 4),
/// one connected part of their overlap at a time.
///
/// The contact surface of a part is flat where two flat patches lie over each other. Contacts are
/// at the corners of the convex hull of that, which is all that a rigid body needs; they share its
/// area.
#include "elastic/direction.h"
#include "elastic/zone.h"
#include "methods/contact_batch.h"
#include "methods/envelope.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/mesh/patches.h"
#include "geometry/polygon.h"
#include "geometry/tolerances.h"

#include <stdlib.h>

static const char *const normal_choices[] = {"surface", "mapping", NULL};

enum { PARAM_STIFFNESS_A, PARAM_TAU, PARAM_DILATION_M, PARAM_DILATION, PARAM_NORMAL, PARAM_COUNT };

static const ts_param params_of_elastic[PARAM_COUNT] = {
    [PARAM_STIFFNESS_A] = {.name = "stiffness_a",
                           .summary = "Stiffness of body a over that of both; 1: a is rigid.",
                           .default_value = 0.5,
                           .minimum = 0,
                           .maximum = 1},
    [PARAM_TAU] = {.name = "tau",
                   .summary = "Least score of a contact: the mean over the contact surface and so "
                              "many deviations.",
                   .default_value = 0,
                   .minimum = -1e3,
                   .maximum = 1e3},
    [PARAM_DILATION_M] = {.name = "dilation_m",
                          .summary = "How far the bodies are dilated.",
                          .is_length = 1,
                          .default_value = 0.001,
                          .minimum = 0,
                          .maximum = 1},
    [PARAM_DILATION] = {.name = "dilation",
                        .summary = "What is moved outwards: vertices, along their angle-weighted "
                                   "normals, or face planes, exactly.",
                        .kind = TS_PARAM_CHOICE,
                        .default_value = 0,
                        .choices = ts_envelope_mode_words},
    [PARAM_NORMAL] = {.name = "normal",
                      .summary = "Normals of the contact surface, or the one mapping direction of "
                                 "each part of the overlap.",
                      .kind = TS_PARAM_CHOICE,
                      .default_value = 0,
                      .choices = normal_choices},
};

static ts_status envelope(ts_envelope *out, const double *params) {
  *out = ts_envelope_dilated(params[PARAM_DILATION_M], (int32_t)params[PARAM_DILATION]);
  return TS_OK;
}

/// Of one shape; everything is in `arena`.
typedef struct shape {
  ts_arena *arena;
  const ts_mesh *mesh; ///< Borrowed.
  ts_bvh *bvh;
  ts_patches *patches;
} shape;

static void release_shape(void *state) {
  shape *s = state;
  ts_arena_destroy(s->arena);
}

static ts_status fill_shape(shape **out, ts_arena *arena, const ts_mesh *mesh) {
  shape *s = ts_arena_alloc(arena, sizeof *s);
  if (!s)
    return TS_E_MEMORY;
  double flat_m = TS_ELASTIC_FLAT_RELATIVE * ts_aabb_extent(ts_mesh_bounds(mesh));
  *s = (shape){.arena = arena, .mesh = mesh};
  TS_TRY(ts_bvh_create_for_mesh(&s->bvh, arena, mesh));
  TS_TRY(ts_patches_create(&s->patches, arena, mesh, flat_m));
  *out = s;
  return TS_OK;
}

static ts_status prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh,
                               const double *params) {
  (void)params;
  ts_arena *arena;
  ts_status status = ts_arena_create(&arena);
  shape *s = NULL;
  if (status == TS_OK && (status = fill_shape(&s, arena, mesh)) != TS_OK)
    ts_arena_destroy(arena);
  *out = s;
  return status == TS_OK ? TS_OK : host->fail(host, status, ts_status_detail());
}

/// A pair keeps the memory that a call works in.
static ts_status prepare_pair(void **out, const ts_host *host, const ts_pair *pair,
                              const void *shape_a, const void *shape_b, const double *params) {
  (void)pair;
  (void)shape_a;
  (void)shape_b;
  (void)params;
  ts_arena *arena;
  ts_status status = ts_arena_create(&arena);
  *out = arena;
  return status == TS_OK ? TS_OK : host->fail(host, status, ts_status_detail());
}

static void release_pair(void *pair_state) {
  ts_arena_destroy(pair_state);
}

/// A polygon of the zone, by the flat patches it lies between.
typedef struct member {
  uint32_t patch[2];
  size_t polygon;
} member;

static int compare_members(const void *left, const void *right) {
  const member *x = left, *y = right;
  for (int i = 0; i < 2; i++)
    if (x->patch[i] != y->patch[i])
      return x->patch[i] < y->patch[i] ? -1 : 1;
  return (x->polygon > y->polygon) - (x->polygon < y->polygon);
}

/// What one call works on.
typedef struct generation {
  ts_arena *arena;
  const ts_elastic_pair *pair;
  const shape *shapes[2];
  bool all_along_mapping; ///< normals are the mapping direction
  ts_contact_batch batch;
} generation;

/// How far the bodies overlap along the direction at a point, between the planes of two triangles.
static double depth_at(const generation *g, const ts_contact_surface *surface,
                       const ts_surface_polygon *between, ts_vec3 point) {
  double heights[2];
  for (int body = 0; body < 2; body++) {
    const ts_elastic_body *of = &g->pair->body[body];
    ts_vec3 normal = of->normals[between->triangle[body]], corners[3];
    ts_elastic_corners(corners, of, between->triangle[body]);
    heights[body] =
        ts_vec3_dot(normal, ts_vec3_sub(corners[0], point)) / ts_vec3_dot(normal, surface->m);
  }
  return heights[0] - heights[1];
}

/// The contacts of polygons [count] of one zone between two patches.
static ts_status push_group(generation *g, const ts_contact_surface *surface, const ts_zone *zone,
                            const member *members, size_t count) {
  size_t corner_count = 0, filled = 0, hull_count = 0;
  double area_m2 = 0;
  for (size_t i = 0; i < count; i++) {
    corner_count += zone->polygons[members[i].polygon].corner_count;
    area_m2 += zone->polygons[members[i].polygon].area_m2;
  }
  ts_vec3 *points = ts_arena_array(g->arena, corner_count, sizeof *points);
  ts_vec3 *hull = ts_arena_array(g->arena, corner_count, sizeof *hull);
  if (!points || !hull)
    return TS_E_MEMORY;
  ts_aabb box = ts_aabb_empty();
  for (size_t i = 0; i < count; i++) {
    const ts_zone_polygon *polygon = &zone->polygons[members[i].polygon];
    for (size_t k = 0; k < polygon->corner_count; k++) {
      points[filled] = ts_contact_surface_point(surface, &zone->corners[polygon->first_corner + k]);
      box = ts_aabb_add(box, points[filled++]);
    }
  }
  double tolerance_m = TS_ELASTIC_JOIN * g->pair->size_m;
  if (!(area_m2 > tolerance_m * ts_aabb_extent(box))) // two patches side by side
    return TS_OK;
  const ts_zone_polygon *first = &zone->polygons[members[0].polygon];
  const ts_surface_polygon *between = &surface->polygons[first->polygon];
  TS_TRY(ts_hull_in_plane(hull, &hull_count, g->arena, points, corner_count, first->normal,
                          tolerance_m));
  for (size_t i = 0; i < hull_count; i++) {
    ts_contact contact = {
        .point = hull[i],
        .normal = g->all_along_mapping ? surface->m : first->normal,
        .gap_m = -ts_zone_score(surface, depth_at(g, surface, between, hull[i]), first->normal),
        .area_m2 = area_m2 / (double)hull_count};
    TS_TRY(ts_contact_batch_push(&g->batch, &contact));
  }
  return TS_OK;
}

/// The zone of one part of the overlap, patch by patch.
static ts_status push_zone(generation *g, const ts_contact_surface *surface, const ts_zone *zone) {
  member *members = ts_arena_array(g->arena, zone->polygon_count, sizeof *members);
  if (!members)
    return TS_E_MEMORY;
  for (size_t i = 0; i < zone->polygon_count; i++) {
    const ts_surface_polygon *polygon = &surface->polygons[zone->polygons[i].polygon];
    members[i].polygon = i;
    for (int body = 0; body < 2; body++)
      members[i].patch[body] = g->shapes[body]->patches->patch_of[polygon->triangle[body]];
  }
  qsort(members, zone->polygon_count, sizeof *members, compare_members);
  size_t first = 0;
  for (size_t i = 1; i <= zone->polygon_count; i++) {
    if (i < zone->polygon_count && members[i].patch[0] == members[first].patch[0] &&
        members[i].patch[1] == members[first].patch[1])
      continue;
    TS_TRY(push_group(g, surface, zone, &members[first], i - first));
    first = i;
  }
  return TS_OK;
}

static ts_status push_parts(generation *g, const double *params) {
  ts_inside inside;
  TS_TRY(ts_inside_find(&inside, g->pair));
  for (size_t i = 0; i < inside.part_count; i++) {
    ts_vec3 m;
    ts_contact_surface surface;
    ts_zone zone;
    TS_TRY(ts_mapping_direction(&m, &inside.parts[i]));
    TS_TRY(ts_direction_refuse_steep(g->pair, &inside, i, m));
    TS_TRY(ts_contact_surface_create(&surface, g->pair, &inside, i, m, params[PARAM_STIFFNESS_A]));
    TS_TRY(ts_zone_find(&zone, &surface, params[PARAM_TAU]));
    TS_TRY(push_zone(g, &surface, &zone));
  }
  return TS_OK;
}

static ts_status find_contacts(generation *g, const ts_host *host, const ts_pair *pair,
                               const double *params) {
  const shape *a = g->shapes[0], *b = g->shapes[1];
  ts_elastic_pair *bodies;
  TS_TRY(ts_elastic_pair_create(&bodies, g->arena,
                                (ts_elastic_shape){a->mesh, a->bvh, pair->pose_a},
                                (ts_elastic_shape){b->mesh, b->bvh, pair->pose_b}));
  if (!bodies)
    return TS_OK;
  g->pair = bodies;
  ts_contact_batch_begin(&g->batch, host, bodies->frame_to_world);
  TS_TRY(push_parts(g, params));
  return ts_contact_batch_end(&g->batch);
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *params) {
  generation g = {.arena = pair_state,
                  .shapes = {shape_a, shape_b},
                  .all_along_mapping = params[PARAM_NORMAL] > 0};
  ts_arena_mark mark = ts_arena_get_mark(g.arena);
  ts_status status = find_contacts(&g, host, pair, params);
  ts_arena_rewind(g.arena, mark);
  return status == TS_OK ? TS_OK : host->fail(host, status, ts_status_detail());
}

static const ts_taxonomy taxonomy_of_elastic = {
    .locality = TS_LOCALITY_GLOBAL,
    .testing = TS_TESTING_SURFACE,
    .exactness = TS_EXACTNESS_APPROXIMATE,
    .normals = TS_NORMALS_FEATURES,
    .instant = TS_INSTANT_DISCRETE,
    .exact = TS_SUPPORT_NONE,
    .continuous = TS_SUPPORT_NONE,
    .deformable = TS_SUPPORT_FULL,
    .topology = TS_SUPPORT_FULL,
    .limits = "bodies must overlap and not go through each other; one direction a part",
};

const ts_method ts_method_elastic_contact = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_method),
    .name = "elastic_contact",
    .summary = "The surface at which dilated bodies meet when both give way along one direction: "
               "its flat parts, at the corners of their hulls.",
    .source = "Brunel 2021, section 4",
    .needs = TS_NEEDS_CLOSED | TS_NEEDS_PENETRATION,
    .gives = TS_GIVES_GAP | TS_GIVES_AREA,
    .params = params_of_elastic,
    .param_count = PARAM_COUNT,
    .envelope = envelope,
    .prepare_shape = prepare_shape,
    .prepare_pair = prepare_pair,
    .generate = generate,
    .release_shape = release_shape,
    .release_pair = release_pair,
    .taxonomy = &taxonomy_of_elastic,
};
