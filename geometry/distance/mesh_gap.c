// SPDX-License-Identifier: MIT
#include "geometry/distance/mesh_gap.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/distance/mesh_nearest.h"
#include "geometry/predicates.h"
#include "geometry/tolerances.h"

#include <stdlib.h>

// All is done in the frame of mesh a, where the vertices of b are rounded once and then exact.

/// A place where an edge meets the other surface.
typedef struct crossing {
  uint32_t half_edge; ///< the smaller one of the edge
  double at;          ///< along it, from 0 to 1
} crossing;

typedef enum region_state { UNKNOWN, INSIDE, OUTSIDE } region_state;

typedef struct side {
  ts_mesh mesh; ///< with its vertices in the common frame
  ts_aabb box;  ///< of its triangles
  ts_bvh *bvh;
  bool
      *is_cut; ///< [3 * triangle_count], of the smaller half-edge: the edge meets the other surface
  crossing *crossings;
  size_t crossing_count, crossing_capacity;
  uint32_t *region_of; ///< [vertex_count]: vertices joined by edges that are not cut, as a forest
  uint8_t *states;     ///< [vertex_count], of the region whose root it is: region_state
} side;

typedef struct pair {
  ts_arena *arena;
  side sides[2];
  double touch_m; ///< distances up to this are rounding
  double distance_m;
  double depth_m; ///< the largest so far; 0: nothing is inside
} pair;

static void corners_of(ts_vec3 out[3], const side *s, uint32_t triangle) {
  for (int i = 0; i < 3; i++)
    out[i] = s->mesh.vertices[s->mesh.triangles[triangle][i]];
}

// ---- distance ---------------------------------------------------------------------------------

static ts_status measure_pair(void *context, uint32_t triangle_a, uint32_t triangle_b) {
  pair *p = context;
  ts_vec3 a[3], b[3];
  corners_of(a, &p->sides[0], triangle_a);
  corners_of(b, &p->sides[1], triangle_b);
  p->distance_m = ts_min(ts_closest_triangle_triangle(a, b).distance_m, p->distance_m);
  return p->distance_m > 0 ? TS_OK : TS_SKIPPED;
}

/// Distance of the surfaces, up to the reach; infinite above it.
static ts_status find_distance(pair *p, double reach_m) {
  p->distance_m = reach_m;
  ts_status status = ts_bvh_tandem_nearest(p->sides[0].bvh, p->sides[1].bvh, ts_pose_identity(),
                                           &p->distance_m, measure_pair, p);
  return status == TS_SKIPPED ? TS_OK : status;
}

// ---- where the surfaces cross -----------------------------------------------------------------

/// Sides of the corners of a triangle of `own` of the plane of a triangle of the other surface.
/// False when all are strictly on one.
static bool meets_plane(int out[3], const ts_vec3 own[3], const ts_vec3 other[3]) {
  for (int i = 0; i < 3; i++)
    out[i] = ts_orient3d(other[0], other[1], other[2], own[i]);
  return out[0] == 0 || out[0] != out[1] || out[0] != out[2];
}

/// Marks the edges of a triangle that meet a triangle of the other surface. One in its plane counts
/// as cut, too: that costs a search, where one passed over would join what is inside to what is
/// outside.
static ts_status cut_edges(side *s, ts_arena *arena, uint32_t triangle, const ts_vec3 own[3],
                           const int sides[3], const ts_vec3 other[3]) {
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t h = 3 * triangle + i, k = (i + 1) % 3;
    double at;
    if (h > s->mesh.edge_twin[h]) // comes with its other triangle
      continue;
    if (sides[i] == 0 && sides[k] == 0)
      s->is_cut[h] = true;
    if (sides[i] == sides[k] || !ts_segment_meets_triangle(&at, own[i], own[k], other))
      continue;
    s->is_cut[h] = true;
    TS_TRY(TS_ARENA_GROW(s->crossings, s->crossing_capacity, s->crossing_count, 1, arena));
    s->crossings[s->crossing_count++] = (crossing){h, at};
  }
  return TS_OK;
}

static ts_status cross_pair(void *context, uint32_t triangle_a, uint32_t triangle_b) {
  pair *p = context;
  ts_vec3 a[3], b[3];
  int sides_a[3], sides_b[3];
  corners_of(a, &p->sides[0], triangle_a);
  corners_of(b, &p->sides[1], triangle_b);
  if (!meets_plane(sides_a, a, b) || !meets_plane(sides_b, b, a))
    return TS_OK;
  TS_TRY(cut_edges(&p->sides[0], p->arena, triangle_a, a, sides_a, b));
  return cut_edges(&p->sides[1], p->arena, triangle_b, b, sides_b, a);
}

static int compare_crossings(const void *left, const void *right) {
  const crossing *l = left, *r = right;
  if (l->half_edge != r->half_edge)
    return l->half_edge < r->half_edge ? -1 : 1;
  return (l->at > r->at) - (l->at < r->at);
}

// ---- how deep ---------------------------------------------------------------------------------

/// Whether a point is inside a surface, and how far from it [m]. UNKNOWN up to `least_m` from it,
/// which need not be looked at.
static ts_status locate(region_state *out, double *out_m, const side *in, ts_vec3 point,
                        double least_m) {
  *out = OUTSIDE;
  *out_m = INFINITY;
  if (!ts_aabb_contains(in->box, point))
    return TS_OK;
  ts_mesh_nearest nearest;
  TS_TRY(ts_mesh_find_nearest(&nearest, &in->mesh, in->bvh, point, least_m));
  *out_m = nearest.at.distance_m;
  *out = UNKNOWN;
  if (nearest.at.distance_m > least_m)
    *out = ts_mesh_is_inside_of(&in->mesh, &nearest, point) ? INSIDE : OUTSIDE;
  return TS_OK;
}

/// The same in the other surface; where the point is inside it, and deeper than all before, notes
/// that.
static ts_status probe(region_state *out, pair *p, const side *other, ts_vec3 point,
                       double least_m) {
  double distance_m;
  TS_TRY(locate(out, &distance_m, other, point, least_m));
  if (*out == INSIDE)
    p->depth_m = ts_max(distance_m, p->depth_m);
  return TS_OK;
}

/// The root of a vertex; shortens the way to it.
static uint32_t root_of(uint32_t *region_of, uint32_t vertex) {
  while (region_of[vertex] != vertex) {
    region_of[vertex] = region_of[region_of[vertex]];
    vertex = region_of[vertex];
  }
  return vertex;
}

/// Joins the vertices at both ends of each edge that is not cut: they are on one side of the other
/// surface. One out of its box says that its region is outside.
static ts_status find_regions(side *s, ts_arena *arena, const side *other) {
  const ts_mesh *mesh = &s->mesh;
  s->region_of = ts_arena_array(arena, mesh->vertex_count, sizeof *s->region_of);
  s->states = ts_arena_array(arena, mesh->vertex_count, sizeof *s->states);
  if (!s->region_of || !s->states)
    return TS_E_MEMORY;
  for (size_t v = 0; v < mesh->vertex_count; v++)
    s->region_of[v] = (uint32_t)v;
  for (uint32_t h = 0; h < 3 * mesh->triangle_count; h++) {
    if (h > mesh->edge_twin[h] || s->is_cut[h])
      continue;
    uint32_t start = root_of(s->region_of, mesh->triangles[h / 3][h % 3]);
    uint32_t end = root_of(s->region_of, mesh->triangles[h / 3][(h % 3 + 1) % 3]);
    s->region_of[start > end ? start : end] = start > end ? end : start;
  }
  for (size_t t = 0; t < mesh->triangle_count; t++)
    for (int i = 0; i < 3; i++) {
      uint32_t v = mesh->triangles[t][i];
      if (!ts_aabb_contains(other->box, mesh->vertices[v]))
        s->states[root_of(s->region_of, v)] = OUTSIDE;
    }
  return TS_OK;
}

/// The vertices of a surface in the other one. A region is asked about at its first vertex that is
/// off the other surface.
static ts_status probe_vertices(pair *p, side *s, const side *other) {
  for (size_t t = 0; t < s->mesh.triangle_count; t++)
    for (int i = 0; i < 3; i++) {
      uint32_t v = s->mesh.triangles[t][i];
      uint8_t *state = &s->states[root_of(s->region_of, v)];
      region_state found;
      if (*state == OUTSIDE)
        continue;
      double least_m = *state == INSIDE ? ts_max(p->depth_m, p->touch_m) : p->touch_m;
      TS_TRY(probe(&found, p, other, s->mesh.vertices[v], least_m));
      if (*state == UNKNOWN)
        *state = (uint8_t)found;
    }
  return TS_OK;
}

/// The middles of the stretches of cut edges. Which are inside is asked of each: where an edge
/// passes along edges of the other surface, crossings do not alternate between in and out.
static ts_status probe_stretches(pair *p, side *s, const side *other) {
  if (s->crossing_count > 1)
    qsort(s->crossings, s->crossing_count, sizeof *s->crossings, compare_crossings);
  for (size_t first = 0, end; first < s->crossing_count; first = end) {
    uint32_t h = s->crossings[first].half_edge;
    ts_vec3 corners[3];
    corners_of(corners, s, h / 3);
    end = first;
    double from = 0;
    for (bool is_last = false; !is_last;) {
      is_last = end == s->crossing_count || s->crossings[end].half_edge != h;
      double to = is_last ? 1 : s->crossings[end++].at;
      ts_vec3 middle = ts_vec3_lerp(corners[h % 3], corners[(h % 3 + 1) % 3], 0.5 * (from + to));
      region_state found;
      if (to > from)
        TS_TRY(probe(&found, p, other, middle, ts_max(p->depth_m, p->touch_m)));
      from = to;
    }
  }
  return TS_OK;
}

/// A box around all that both solids share: its corners are vertices of one in the other, and
/// places where an edge meets a surface.
static ts_aabb shared_box(const pair *p) {
  ts_aabb box = ts_aabb_empty();
  for (int k = 0; k < 2; k++) {
    const side *s = &p->sides[k];
    const ts_mesh *mesh = &s->mesh;
    for (uint32_t h = 0; h < 3 * mesh->triangle_count; h++) {
      uint32_t start = mesh->triangles[h / 3][h % 3], end = mesh->triangles[h / 3][(h % 3 + 1) % 3];
      if (s->is_cut[h])
        box = ts_aabb_add(ts_aabb_add(box, mesh->vertices[start]), mesh->vertices[end]);
      else if (s->states[root_of(s->region_of, start)] != OUTSIDE)
        box = ts_aabb_add(box, mesh->vertices[start]);
    }
  }
  return box;
}

/// A point that should be inside of `own`: where elements are inverted, or a body is hollow, it may
/// not be.
static ts_status probe_inner_point(pair *p, const side *own, const side *other, ts_aabb shared,
                                   ts_vec3 point) {
  region_state in_other, in_own = OUTSIDE;
  double depth_m, distance_m;
  if (!ts_aabb_contains(shared, point))
    return TS_OK;
  TS_TRY(locate(&in_other, &depth_m, other, point, ts_max(p->depth_m, p->touch_m)));
  if (in_other == INSIDE)
    TS_TRY(locate(&in_own, &distance_m, own, point, 0));
  if (in_own == INSIDE)
    p->depth_m = depth_m;
  return TS_OK;
}

/// Points within a solid that is in the other one: where both are in the same place, nothing of one
/// surface is inside the other.
static ts_status probe_inner_points(pair *p, const side *own, const side *other, ts_aabb shared) {
  const ts_mesh *mesh = &own->mesh;
  ts_vec3 centre = ts_mesh_mass_properties(mesh, 1).centre_local;
  TS_TRY(probe_inner_point(p, own, other, shared, centre));
  for (size_t t = 0; t < mesh->tet_count; t++) {
    ts_vec3 sum = {0, 0, 0};
    for (int i = 0; i < 4; i++)
      sum = ts_vec3_add(sum, mesh->vertices[mesh->tets[t][i]]);
    TS_TRY(probe_inner_point(p, own, other, shared, ts_vec3_scale(sum, 0.25)));
  }
  return TS_OK;
}

static ts_status find_depth(pair *p) {
  for (int i = 0; i < 2; i++) {
    side *s = &p->sides[i];
    s->is_cut = ts_arena_array(p->arena, 3 * s->mesh.triangle_count, sizeof *s->is_cut);
    if (!s->is_cut)
      return TS_E_MEMORY;
  }
  if (p->distance_m <= p->touch_m)
    TS_TRY(ts_bvh_tandem(p->sides[0].bvh, p->sides[1].bvh, ts_pose_identity(), 0, cross_pair, p));
  for (int i = 0; i < 2; i++) {
    TS_TRY(find_regions(&p->sides[i], p->arena, &p->sides[1 - i]));
    TS_TRY(probe_vertices(p, &p->sides[i], &p->sides[1 - i]));
    TS_TRY(probe_stretches(p, &p->sides[i], &p->sides[1 - i]));
  }
  ts_aabb shared = shared_box(p);
  if (!(shared.low.x <= shared.high.x))
    return TS_OK;
  for (int i = 0; i < 2; i++)
    TS_TRY(probe_inner_points(p, &p->sides[i], &p->sides[1 - i], shared));
  return TS_OK;
}

// ---- both -------------------------------------------------------------------------------------

static ts_status place(side *out, ts_arena *arena, const ts_mesh *mesh, ts_pose to_frame) {
  ts_vec3 *vertices = ts_arena_array(arena, mesh->vertex_count, sizeof *vertices);
  if (!vertices)
    return TS_E_MEMORY;
  for (size_t v = 0; v < mesh->vertex_count; v++)
    vertices[v] = ts_pose_point(to_frame, mesh->vertices[v]);
  *out = (side){.mesh = *mesh, .box = ts_aabb_empty()};
  out->mesh.vertices = vertices;
  for (size_t t = 0; t < mesh->triangle_count; t++)
    for (int i = 0; i < 3; i++)
      out->box = ts_aabb_add(out->box, vertices[mesh->triangles[t][i]]);
  return TS_OK;
}

/// Distance of two boxes, 0 when they overlap.
static double distance_of_boxes(ts_aabb a, ts_aabb b) {
  ts_vec3 none = {0, 0, 0};
  return ts_vec3_norm(
      ts_vec3_max(none, ts_vec3_max(ts_vec3_sub(a.low, b.high), ts_vec3_sub(b.low, a.high))));
}

static ts_status find_gap(double *out_m, ts_arena *arena, const ts_mesh *a, const ts_mesh *b,
                          ts_pose b_to_a, double reach_m) {
  pair p = {.arena = arena};
  TS_TRY(place(&p.sides[0], arena, a, ts_pose_identity()));
  TS_TRY(place(&p.sides[1], arena, b, b_to_a));
  p.touch_m = TS_BOX_ROUNDING * ts_max(ts_aabb_largest_coordinate(p.sides[0].box),
                                       ts_aabb_largest_coordinate(p.sides[1].box));
  *out_m = INFINITY;
  if (distance_of_boxes(p.sides[0].box, p.sides[1].box) > reach_m + p.touch_m)
    return TS_OK;
  for (int i = 0; i < 2; i++)
    TS_TRY(ts_bvh_create_for_mesh(&p.sides[i].bvh, arena, &p.sides[i].mesh));
  // The least double above the reach, so that a distance equal to it is found.
  double above_m = nextafter(reach_m, INFINITY);
  TS_TRY(find_distance(&p, above_m));
  TS_TRY(find_depth(&p));
  if (p.depth_m > 0)
    *out_m = -p.depth_m;
  else if (p.distance_m < above_m)
    *out_m = p.distance_m;
  return TS_OK;
}

ts_status ts_mesh_gap(double *out_m, ts_arena *arena, const ts_mesh *a, ts_pose pose_a,
                      const ts_mesh *b, ts_pose pose_b, double reach_m) {
  ts_arena_mark mark = ts_arena_get_mark(arena);
  ts_status status = find_gap(out_m, arena, a, b, ts_pose_relative(pose_a, pose_b), reach_m);
  ts_arena_rewind(arena, mark);
  return status;
}
