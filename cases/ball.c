// SPDX-License-Identifier: MIT
#include "cases/ball.h"

#include "base/status.h"

static const double quarter_rad = 1.57079632679489661923;

/// A mesh under construction. Ring 0 is the upper pole, ring `rings` the equator, ring 2 `rings`
/// the lower pole.
typedef struct ball {
  double radius_m;
  uint32_t rings;
  ts_vec3 *vertices;
  uint32_t vertex_count;
  uint32_t (*triangles)[3];
  size_t triangle_count;
} ball;

/// n for which 8 n^2 is nearest; of two as near the smaller.
static uint32_t rings_for(double triangles) {
  double n = floor(sqrt(triangles / 8));
  return (uint32_t)(triangles - 8 * n * n <= 8 * (n + 1) * (n + 1) - triangles ? n : n + 1);
}

/// Edges of a ring in a quarter of it; 0 at the poles.
static uint32_t ring_edges(const ball *s, uint32_t ring) {
  return ring <= s->rings ? ring : 2 * s->rings - ring;
}

/// First vertex of a ring: counted from the upper pole, or back from the lower one.
static uint32_t ring_start(const ball *s, uint32_t ring) {
  uint32_t k = ring_edges(s, ring);
  if (ring <= s->rings)
    return k == 0 ? 0 : 1 + 2 * k * (k - 1);
  return s->vertex_count - 1 - 2 * k * (k + 1);
}

/// A vertex of a ring, `step` edges past the start of a quarter.
static uint32_t ring_vertex(const ball *s, uint32_t ring, uint32_t quarter, uint32_t step) {
  uint32_t k = ring_edges(s, ring);
  return ring_start(s, ring) + (k == 0 ? 0 : (quarter * k + step) % (4 * k));
}

/// Rings run counter-clockwise about y from +x. One quarter is computed, the others have the same
/// coordinates with other signs.
static void place_ring(ball *s, uint32_t ring) {
  uint32_t k = ring_edges(s, ring), last = k > 0 ? k : 1;
  double height_m = s->radius_m * sin(quarter_rad * (s->rings - k) / s->rings);
  double across_m = s->radius_m * sin(quarter_rad * k / s->rings);
  double y = ring > s->rings ? -height_m : height_m;
  for (uint32_t step = 0; step < last; step++) {
    double angle_rad = quarter_rad * step / last;
    double c = across_m * cos(angle_rad), d = across_m * sin(angle_rad);
    const ts_vec3 quarters[4] = {{c, y, -d}, {-d, y, -c}, {-c, y, d}, {d, y, c}};
    for (uint32_t quarter = 0; quarter < (k > 0 ? 4 : 1); quarter++)
      s->vertices[ring_vertex(s, ring, quarter, step)] = quarters[quarter];
  }
}

static void add_triangle(ball *s, uint32_t a, uint32_t b, uint32_t c, bool is_mirrored) {
  uint32_t *corners = s->triangles[s->triangle_count++];
  corners[0] = a;
  corners[1] = is_mirrored ? c : b;
  corners[2] = is_mirrored ? b : c;
}

/// The triangles between a ring and the longer one beside it, towards the equator.
static void add_band(ball *s, uint32_t ring, uint32_t longer) {
  uint32_t k = ring_edges(s, ring);
  bool is_lower = longer < ring;
  for (uint32_t quarter = 0; quarter < 4; quarter++)
    for (uint32_t step = 0; step <= k; step++) {
      uint32_t here = ring_vertex(s, ring, quarter, step);
      uint32_t next = ring_vertex(s, longer, quarter, step + 1);
      add_triangle(s, here, ring_vertex(s, longer, quarter, step), next, is_lower);
      if (step < k)
        add_triangle(s, here, next, ring_vertex(s, ring, quarter, step + 1), is_lower);
    }
}

static ts_status add_cut(int32_t *out, ts_scene *scene, ts_arena *scratch, double radius_m,
                         uint32_t rings) {
  ball s = {.radius_m = radius_m, .rings = rings, .vertex_count = 4 * rings * rings + 2};
  s.vertices = ts_arena_array(scratch, s.vertex_count, sizeof *s.vertices);
  s.triangles = ts_arena_array(scratch, (size_t)8 * rings * rings, sizeof *s.triangles);
  if (!s.vertices || !s.triangles)
    return TS_E_MEMORY;
  for (uint32_t ring = 0; ring <= 2 * rings; ring++)
    place_ring(&s, ring);
  for (uint32_t ring = 0; ring < rings; ring++)
    add_band(&s, ring, ring + 1);
  for (uint32_t ring = 2 * rings; ring > rings; ring--)
    add_band(&s, ring, ring - 1);
  return ts_scene_add_shape(out, scene, "sphere", s.vertices, s.vertex_count,
                            (const uint32_t(*)[3])s.triangles, s.triangle_count);
}

ts_status ts_shape_ball(int32_t *out, ts_scene *scene, double radius_m, double triangles) {
  ts_arena *scratch;
  TS_TRY(ts_arena_create(&scratch));
  ts_status status = add_cut(out, scene, scratch, radius_m, rings_for(triangles));
  ts_arena_destroy(scratch);
  return status;
}
