// SPDX-License-Identifier: MIT
#include "methods/surface/clearly_closest.h"

#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include <stdbool.h>

/// A triangle from the start of one of its half-edges, and a point.
typedef struct sight {
  ts_vec3 edge, to_third, to_p;
  double edge2, to_third2, to_p2; ///< squared lengths
} sight;

static sight sight_from(const ts_mesh *mesh, uint32_t half_edge, ts_vec3 p) {
  const uint32_t *corners = mesh->triangles[half_edge / 3];
  uint32_t i = half_edge % 3;
  ts_vec3 start = mesh->vertices[corners[i]];
  sight s = {.edge = ts_vec3_sub(mesh->vertices[corners[(i + 1) % 3]], start),
             .to_third = ts_vec3_sub(mesh->vertices[corners[(i + 2) % 3]], start),
             .to_p = ts_vec3_sub(p, start)};
  s.edge2 = ts_vec3_norm2(s.edge);
  s.to_third2 = ts_vec3_norm2(s.to_third);
  s.to_p2 = ts_vec3_norm2(s.to_p);
  return s;
}

/// Whether the dot product of two vectors of these squared lengths clearly has a sign.
static bool is_clear(double product, double length2_a, double length2_b) {
  const double least = TS_CLEARLY_CLOSEST_SINE * TS_CLEARLY_CLOSEST_SINE;
  return product * product > least * length2_a * length2_b;
}

/// Whether no height of the triangle is small against its edges; its normal has this length.
static bool is_well_shaped(const sight *s, double normal2) {
  double third2 = ts_vec3_norm2(ts_vec3_sub(s->to_third, s->edge));
  double longest2 = ts_max(s->edge2, ts_max(s->to_third2, third2));
  const double least = TS_CLEARLY_CLOSEST_HEIGHT * TS_CLEARLY_CLOSEST_HEIGHT;
  return normal2 > least * longest2 * longest2;
}

ts_clearness ts_vertex_clearly_closest(const ts_mesh *mesh, uint32_t half_edge, ts_vec3 p) {
  sight s = sight_from(mesh, half_edge, p);
  double along = ts_vec3_dot(s.to_p, s.edge), along_third = ts_vec3_dot(s.to_p, s.to_third);
  bool clear = is_clear(along, s.to_p2, s.edge2);
  bool clear_third = is_clear(along_third, s.to_p2, s.to_third2);
  bool beyond = (clear && along > 0) || (clear_third && along_third > 0);
  if (!beyond && !(clear && clear_third))
    return TS_UNCLEAR;
  if (!is_well_shaped(&s, ts_vec3_norm2(ts_vec3_cross(s.edge, s.to_third))))
    return TS_UNCLEAR;
  return beyond ? TS_CLEARLY_NOT : TS_CLEARLY;
}

ts_clearness ts_edge_clearly_closest(const ts_mesh *mesh, uint32_t half_edge, ts_vec3 p) {
  sight s = sight_from(mesh, half_edge, p);
  double along = ts_vec3_dot(s.to_p, s.edge);
  double from_end = ts_min(along, s.edge2 - along);
  if (!is_clear(from_end, s.to_p2, s.edge2))
    return TS_UNCLEAR;
  if (from_end < 0)
    return TS_CLEARLY_NOT;
  ts_vec3 normal = ts_vec3_cross(s.edge, s.to_third);
  double normal2 = ts_vec3_norm2(normal);
  double inside = ts_vec3_dot(ts_vec3_cross(normal, s.edge), s.to_p);
  if (!is_clear(inside, normal2 * s.edge2, s.to_p2) || !is_well_shaped(&s, normal2))
    return TS_UNCLEAR;
  return inside < 0 ? TS_CLEARLY : TS_CLEARLY_NOT;
}
