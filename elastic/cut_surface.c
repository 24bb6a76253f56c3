// SPDX-License-Identifier: MIT
#include "elastic/cut_surface.h"

#include "base/status.h"
#include "geometry/tolerances.h"

#include <stdlib.h>
#include <string.h>

/// A crossing with its number, to be found by its edge.
typedef struct keyed_crossing {
  uint32_t inside, outside, index;
} keyed_crossing;

/// While the surface is built, corners are vertices of the mesh, or vertex_count + crossing.
typedef struct builder {
  const ts_mesh *mesh;
  const ts_deform_zone *zone;
  keyed_crossing *keyed; ///< [crossing_count], sorted
  size_t used_count;     ///< crossings met so far; each is met from both sides of its edge
  ts_vec3 *boundary;
  double *alphas;
  ts_vec3 centre; ///< of the ball outside of which triangles are left out
  double radius_m;
  uint32_t *root; ///< [vertex_count + crossing_count] forest of connected corners
  ts_flat_triangle *triangles;
  size_t triangle_count;
} builder;

static int compare_keyed(const void *left, const void *right) {
  const keyed_crossing *a = left, *b = right;
  if (a->inside != b->inside)
    return a->inside < b->inside ? -1 : 1;
  return a->outside < b->outside ? -1 : a->outside > b->outside;
}

static ts_status check_crossing(const builder *build, size_t index) {
  const ts_zone_crossing *crossing = &build->zone->crossings[index];
  size_t count = build->mesh->vertex_count;
  if (crossing->inside >= count || crossing->outside >= count)
    return ts_fail(TS_E_INPUT,
                   "crossing %zu of the zone is on edge %u-%u, but the mesh has %zu vertices",
                   index, crossing->inside, crossing->outside, count);
  if (!build->zone->is_inside[crossing->inside] || build->zone->is_inside[crossing->outside])
    return ts_fail(
        TS_E_INPUT,
        "crossing %zu of the zone is on edge %u-%u, whose first vertex is to be in the zone and "
        "whose second is not",
        index, crossing->inside, crossing->outside);
  if (!(crossing->alpha >= 0 && crossing->alpha <= 1))
    return ts_fail(TS_E_INPUT, "crossing %zu of the zone has alpha %g, not from 0 to 1", index,
                   crossing->alpha);
  return TS_OK;
}

/// Sorts the crossings by their edges, and places them.
static ts_status read_crossings(builder *build) {
  for (size_t i = 0; i < build->zone->crossing_count; i++) {
    const ts_zone_crossing *crossing = &build->zone->crossings[i];
    TS_TRY(check_crossing(build, i));
    build->keyed[i] = (keyed_crossing){crossing->inside, crossing->outside, (uint32_t)i};
    build->alphas[i] = ts_min(ts_max(crossing->alpha, TS_ZONE_CUT_MIN), 1 - TS_ZONE_CUT_MIN);
    build->boundary[i] = ts_vec3_lerp(build->mesh->vertices[crossing->inside],
                                      build->mesh->vertices[crossing->outside], build->alphas[i]);
  }
  if (build->zone->crossing_count > 0)
    qsort(build->keyed, build->zone->crossing_count, sizeof *build->keyed, compare_keyed);
  for (size_t i = 1; i < build->zone->crossing_count; i++)
    if (compare_keyed(&build->keyed[i - 1], &build->keyed[i]) == 0)
      return ts_fail(TS_E_INPUT, "edge %u-%u has two crossings of the zone", build->keyed[i].inside,
                     build->keyed[i].outside);
  return TS_OK;
}

/// The ball around the boundary, and what is up to `reach_m` from it.
static void place_ball(builder *build, double reach_m) {
  size_t count = build->zone->crossing_count;
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < count; i++)
    sum = ts_vec3_add(sum, build->boundary[build->keyed[i].index]);
  build->centre = ts_vec3_scale(sum, 1 / ts_max(1, (double)count));
  for (size_t i = 0; i < count; i++)
    build->radius_m = ts_max(build->radius_m, ts_vec3_distance(build->boundary[i], build->centre));
  build->radius_m += reach_m;
}

static bool is_near(const builder *build, const uint32_t v[3]) {
  bool is_in = false;
  for (int i = 0; i < 3; i++)
    is_in |= ts_vec3_distance(build->mesh->vertices[v[i]], build->centre) <= build->radius_m;
  return is_in;
}

/// The corner at which the boundary crosses an edge.
static ts_status find_crossing(uint32_t *out, builder *build, uint32_t inside, uint32_t outside) {
  keyed_crossing key = {inside, outside, 0}, *found = NULL;
  if (build->zone->crossing_count > 0)
    found = bsearch(&key, build->keyed, build->zone->crossing_count, sizeof key, compare_keyed);
  if (!found)
    return ts_fail(TS_E_INPUT, "edge %u-%u leaves the zone and has no crossing", inside, outside);
  build->used_count++;
  *out = (uint32_t)build->mesh->vertex_count + found->index;
  return TS_OK;
}

static ts_vec3 corner_point(const builder *build, uint32_t corner) {
  size_t count = build->mesh->vertex_count;
  return corner < count ? build->mesh->vertices[corner] : build->boundary[corner - count];
}

static uint32_t find_root(uint32_t *root, uint32_t corner) {
  while (root[corner] != corner)
    corner = root[corner] = root[root[corner]];
  return corner;
}

/// The smaller number becomes the root, so that the forest does not depend on the order.
static void join(uint32_t *root, uint32_t a, uint32_t b) {
  a = find_root(root, a);
  b = find_root(root, b);
  root[a < b ? b : a] = a < b ? a : b;
}

static void add_triangle(builder *build, uint32_t a, uint32_t b, uint32_t c) {
  ts_vec3 at = corner_point(build, a);
  ts_vec3 ab = ts_vec3_sub(corner_point(build, b), at);
  ts_vec3 ac = ts_vec3_sub(corner_point(build, c), at);
  double x1 = ts_vec3_norm(ab);
  ts_flat_triangle flat = {.corners = {a, b, c}, .x1_m = x1};
  if (x1 > 0) {
    flat.x2_m = ts_vec3_dot(ab, ac) / x1;
    flat.y2_m = ts_vec3_norm(ts_vec3_cross(ab, ac)) / x1;
  }
  build->triangles[build->triangle_count++] = flat;
  join(build->root, a, b);
  join(build->root, b, c);
}

/// The part of triangle (in, next, last), counter-clockwise, that is outside; `in` alone is inside.
static ts_status add_two_outside(builder *build, uint32_t in, uint32_t next, uint32_t last) {
  uint32_t on_next, on_last;
  TS_TRY(find_crossing(&on_next, build, in, next));
  TS_TRY(find_crossing(&on_last, build, in, last));
  // The shorter diagonal, for the sake of the triangles' shapes.
  ts_vec3 across = ts_vec3_sub(corner_point(build, next), corner_point(build, on_last));
  ts_vec3 other = ts_vec3_sub(corner_point(build, last), corner_point(build, on_next));
  if (ts_vec3_norm2(across) <= ts_vec3_norm2(other)) {
    add_triangle(build, next, last, on_last);
    add_triangle(build, next, on_last, on_next);
  } else {
    add_triangle(build, last, on_next, next);
    add_triangle(build, last, on_last, on_next);
  }
  return TS_OK;
}

/// The same where `out` alone is outside.
static ts_status add_one_outside(builder *build, uint32_t out, uint32_t next, uint32_t last) {
  uint32_t on_next, on_last;
  TS_TRY(find_crossing(&on_next, build, next, out));
  TS_TRY(find_crossing(&on_last, build, last, out));
  add_triangle(build, out, on_next, on_last);
  return TS_OK;
}

static ts_status cut_triangle(builder *build, const uint32_t v[3]) {
  const uint8_t *is_inside = build->zone->is_inside;
  int inside_count = is_inside[v[0]] + is_inside[v[1]] + is_inside[v[2]];
  if (inside_count == 0 && is_near(build, v))
    add_triangle(build, v[0], v[1], v[2]);
  for (int i = 0; i < 3; i++) {
    uint32_t at = v[i], next = v[(i + 1) % 3], last = v[(i + 2) % 3];
    if (inside_count == 1 && is_inside[at])
      TS_TRY(add_two_outside(build, at, next, last));
    if (inside_count == 2 && !is_inside[at])
      TS_TRY(add_one_outside(build, at, next, last));
  }
  return TS_OK;
}

/// Numbers the vertices that a way leads to, and keeps their triangles alone.
static ts_status number_vertices(ts_cut_surface *out, ts_arena *arena, builder *build,
                                 uint32_t *free_vertices, uint8_t *is_reached) {
  size_t vertex_count = build->mesh->vertex_count, free_count = 0, kept = 0;
  for (size_t i = 0; i < build->zone->crossing_count; i++)
    is_reached[find_root(build->root, (uint32_t)(vertex_count + i))] = 1;
  for (size_t v = 0; v < vertex_count; v++)
    free_count += !build->zone->is_inside[v] && is_reached[find_root(build->root, (uint32_t)v)];
  uint32_t *mesh_vertices = ts_arena_array(arena, free_count, sizeof *mesh_vertices);
  if (!mesh_vertices)
    return TS_E_MEMORY;
  free_count = 0;
  for (size_t v = 0; v < vertex_count; v++) {
    bool is_free = !build->zone->is_inside[v] && is_reached[find_root(build->root, (uint32_t)v)];
    free_vertices[v] = is_free ? (uint32_t)free_count : TS_NOT_FREE;
    if (is_free)
      mesh_vertices[free_count++] = (uint32_t)v;
  }
  for (size_t t = 0; t < build->triangle_count; t++) {
    ts_flat_triangle flat = build->triangles[t];
    if (!is_reached[find_root(build->root, flat.corners[0])])
      continue;
    for (int i = 0; i < 3; i++)
      flat.corners[i] = flat.corners[i] < vertex_count
                            ? free_vertices[flat.corners[i]]
                            : (uint32_t)(flat.corners[i] - vertex_count + free_count);
    build->triangles[kept++] = flat;
  }
  *out = (ts_cut_surface){.mesh = build->mesh,
                          .free_count = free_count,
                          .fixed_count = build->zone->crossing_count,
                          .mesh_vertices = mesh_vertices,
                          .free_vertices = free_vertices,
                          .boundary = build->boundary,
                          .alphas = build->alphas,
                          .triangle_count = kept,
                          .triangles = build->triangles};
  return TS_OK;
}

/// Whether a triangle that was left out has a vertex of one that was not.
static bool mesh_goes_on(const builder *build, const uint32_t *free_vertices) {
  for (size_t t = 0; t < build->mesh->triangle_count; t++) {
    const uint32_t *v = build->mesh->triangles[t];
    if (is_near(build, v))
      continue;
    for (int i = 0; i < 3; i++)
      if (free_vertices[v[i]] != TS_NOT_FREE)
        return true;
  }
  return false;
}

static ts_status check_zone(const ts_mesh *mesh, const ts_deform_zone *zone) {
  size_t inside_count = 0;
  for (size_t v = 0; v < mesh->vertex_count; v++) {
    if (zone->is_inside[v] > 1)
      return ts_fail(TS_E_INPUT, "vertex %zu is inside the zone by %d: 1 or 0", v,
                     zone->is_inside[v]);
    inside_count += zone->is_inside[v];
  }
  if (inside_count == 0)
    return ts_fail(TS_SKIPPED, "no vertex of the mesh is in the contact zone: use a finer mesh, or "
                               "a lower tau");
  if (mesh->vertex_count + zone->crossing_count > INT32_MAX)
    return ts_fail(TS_E_UNSUPPORTED, "%zu vertices and %zu crossings are more than can be counted",
                   mesh->vertex_count, zone->crossing_count);
  return TS_OK;
}

ts_status ts_cut_surface_create(ts_cut_surface *out, ts_arena *arena, const ts_mesh *mesh,
                                const ts_deform_zone *zone, double reach_m) {
  TS_TRY(check_zone(mesh, zone));
  size_t crossing_count = zone->crossing_count, corner_count = mesh->vertex_count + crossing_count;
  builder build = {.mesh = mesh, .zone = zone};
  build.keyed = ts_arena_array(arena, crossing_count, sizeof *build.keyed);
  build.boundary = ts_arena_array(arena, crossing_count, sizeof *build.boundary);
  build.alphas = ts_arena_array(arena, crossing_count, sizeof *build.alphas);
  build.root = ts_arena_array(arena, corner_count, sizeof *build.root);
  // A triangle with one corner inside becomes two; each such has two of the crossings' sides.
  build.triangles =
      ts_arena_array(arena, mesh->triangle_count + crossing_count, sizeof *build.triangles);
  uint32_t *free_vertices = ts_arena_array(arena, mesh->vertex_count, sizeof *free_vertices);
  uint8_t *is_reached = ts_arena_array(arena, corner_count, sizeof *is_reached);
  if (!build.keyed || !build.boundary || !build.alphas || !build.root || !build.triangles ||
      !free_vertices || !is_reached)
    return TS_E_MEMORY;
  for (size_t i = 0; i < corner_count; i++)
    build.root[i] = (uint32_t)i;
  TS_TRY(read_crossings(&build));
  place_ball(&build, reach_m);
  for (size_t t = 0; t < mesh->triangle_count; t++)
    TS_TRY(cut_triangle(&build, mesh->triangles[t]));
  if (build.used_count != 2 * crossing_count)
    return ts_fail(TS_E_INPUT,
                   "the zone has %zu crossings, of which %zu are on no edge that leaves it",
                   crossing_count, crossing_count - build.used_count / 2);
  TS_TRY(number_vertices(out, arena, &build, free_vertices, is_reached));
  out->goes_on = mesh_goes_on(&build, free_vertices);
  if (out->free_count == 0)
    return ts_fail(TS_SKIPPED,
                   "the contact zone is all of the surface, nothing is left around it to "
                   "give way: raise tau, or make the bodies overlap less");
  return TS_OK;
}
