// Two equal spheres, one above the other, of any number of triangles: how a method fares with the
// size of the meshes, where the truth stays one point.
//
// The mesh of a sphere is a ball cut like a regular octahedron: rings of 4, 8, 12 ... vertices
// around each pole, each as far from the next, so that the triangles at the poles are as good as
// those at the equator. It is the same, bit for bit, when turned by a quarter about the axis
// through its poles. The poles face each other on the line of centres. So the overlap along that
// line is that of the spheres, whatever the number of triangles, and the pair is symmetric about it
// however the upper sphere is turned: nothing in it points to one side. It is not the very least
// translation that parts the meshes: two vertices slip past each other sooner, to any side, by a
// share of the depth that falls with the size of the triangles (below 1e-3 of it for 1e4
// triangles).
#include "base/status.h"
#include "cases/case.h"
#include "cases/shapes.h"

static const double radius_m = 0.5;
static const double quarter_rad = 1.57079632679489661923;

// The upper sphere is turned about the line of centres, by twice the angle whose cosine and sine
// these are (32.5 degrees): no edge of it runs along one of the lower sphere, or in one plane with
// it.
static const ts_quat turn = {0.96, 0, 0.28, 0};

enum { PARAM_TRIANGLES, PARAM_DEPTH, PARAM_COUNT };

static const ts_param params_of_spheres[PARAM_COUNT] = {
    [PARAM_TRIANGLES] = {.name = "triangles",
                         .summary = "Of each sphere: the nearest number that is 8 n^2 for a whole "
                                    "n.",
                         .kind = TS_PARAM_INTEGER,
                         .default_value = 1e4,
                         .minimum = 1e3,
                         .maximum = 1e6},
    [PARAM_DEPTH] = {.name = "depth_m",
                     .summary = "How far the spheres of radius 0.5 m overlap, at scale 1; at 0 "
                                "they graze.",
                     .kind = TS_PARAM_REAL,
                     .default_value = 0.05,
                     .minimum = 0,
                     .maximum = 0.5},
};

/// A mesh in the making. Ring 0 is the upper pole, ring `rings` the equator, ring 2 `rings` the
/// lower pole.
typedef struct sphere {
  uint32_t rings;
  ts_vec3 *vertices;
  uint32_t vertex_count;
  uint32_t (*triangles)[3];
  size_t triangle_count;
} sphere;

/// n for which 8 n^2 is nearest; of two as near the smaller.
static uint32_t rings_for(double triangles) {
  double n = floor(sqrt(triangles / 8));
  return (uint32_t)(triangles - 8 * n * n <= 8 * (n + 1) * (n + 1) - triangles ? n : n + 1);
}

/// Edges of a ring in a quarter of it; 0 at the poles.
static uint32_t ring_edges(const sphere *s, uint32_t ring) {
  return ring <= s->rings ? ring : 2 * s->rings - ring;
}

/// First vertex of a ring: counted from the upper pole, or back from the lower one.
static uint32_t ring_start(const sphere *s, uint32_t ring) {
  uint32_t k = ring_edges(s, ring);
  if (ring <= s->rings)
    return k == 0 ? 0 : 1 + 2 * k * (k - 1);
  return s->vertex_count - 1 - 2 * k * (k + 1);
}

/// A vertex of a ring, `step` edges past the start of a quarter.
static uint32_t ring_vertex(const sphere *s, uint32_t ring, uint32_t quarter, uint32_t step) {
  uint32_t k = ring_edges(s, ring);
  return ring_start(s, ring) + (k == 0 ? 0 : (quarter * k + step) % (4 * k));
}

/// Rings run counter-clockwise about y from +x. One quarter is computed, the others have the same
/// coordinates with other signs.
static void place_ring(sphere *s, uint32_t ring) {
  uint32_t k = ring_edges(s, ring), last = k > 0 ? k : 1;
  double height_m = radius_m * sin(quarter_rad * (s->rings - k) / s->rings);
  double across_m = radius_m * sin(quarter_rad * k / s->rings);
  double y = ring > s->rings ? -height_m : height_m;
  for (uint32_t step = 0; step < last; step++) {
    double angle_rad = quarter_rad * step / last;
    double c = across_m * cos(angle_rad), d = across_m * sin(angle_rad);
    const ts_vec3 quarters[4] = {{c, y, -d}, {-d, y, -c}, {-c, y, d}, {d, y, c}};
    for (uint32_t quarter = 0; quarter < (k > 0 ? 4 : 1); quarter++)
      s->vertices[ring_vertex(s, ring, quarter, step)] = quarters[quarter];
  }
}

static void add_triangle(sphere *s, uint32_t a, uint32_t b, uint32_t c, bool is_mirrored) {
  uint32_t *corners = s->triangles[s->triangle_count++];
  corners[0] = a;
  corners[1] = is_mirrored ? c : b;
  corners[2] = is_mirrored ? b : c;
}

/// The triangles between a ring and the longer one beside it, towards the equator.
static void add_band(sphere *s, uint32_t ring, uint32_t longer) {
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

static ts_status cut_sphere(sphere *out, ts_arena *scratch, uint32_t rings) {
  sphere s = {.rings = rings, .vertex_count = 4 * rings * rings + 2};
  s.vertices = ts_arena_array(scratch, s.vertex_count, sizeof *s.vertices);
  s.triangles = ts_arena_array(scratch, (size_t)8 * rings * rings, sizeof *s.triangles);
  if (s.vertices == NULL || s.triangles == NULL)
    return TS_E_MEMORY;
  for (uint32_t ring = 0; ring <= 2 * rings; ring++)
    place_ring(&s, ring);
  for (uint32_t ring = 0; ring < rings; ring++)
    add_band(&s, ring, ring + 1);
  for (uint32_t ring = 2 * rings; ring > rings; ring--)
    add_band(&s, ring, ring - 1);
  *out = s;
  return TS_OK;
}

/// Adds the shape and tells its lowest vertex; the highest is vertex 0.
static ts_status add_sphere(int32_t *out, uint32_t *out_lowest, ts_scene *scene, uint32_t rings) {
  ts_arena *scratch;
  TS_TRY(ts_arena_create(&scratch));
  sphere s;
  ts_status status = cut_sphere(&s, scratch, rings);
  if (status == TS_OK) {
    *out_lowest = s.vertex_count - 1;
    status = ts_scene_add_shape(out, scene, "sphere", s.vertices, s.vertex_count,
                                (const uint32_t(*)[3])s.triangles, s.triangle_count);
  }
  ts_arena_destroy(scratch);
  return status;
}

static ts_status build(ts_scene *scene, const double *params) {
  int32_t shape, lower, upper;
  uint32_t lowest;
  TS_TRY(add_sphere(&shape, &lowest, scene, rings_for(params[PARAM_TRIANGLES])));
  TS_TRY(ts_scene_add_body(&lower, scene, "lower", shape, ts_pose_identity(), true));
  ts_pose above = {turn, {0, 2 * radius_m - params[PARAM_DEPTH], 0}};
  TS_TRY(ts_scene_add_body(&upper, scene, "upper", shape, above, false));
  // Away from the line of centres the meshes face each other with some vertex, edge or face.
  scene->noise_hides_truth = true;
  const ts_corners top = {1, {0}}, bottom = {1, {lowest}};
  return ts_shape_join_faces(scene, lower, &top, upper, &bottom, ts_vec3_make(0, 1, 0));
}

const ts_case ts_case_spheres = {
    .name = "spheres",
    .suite = "growth",
    .summary = "Two spheres of any number of triangles, one above the other, overlap; one normal, "
               "that of the line of centres.",
    .source = "touchstone, for methods that grow with the meshes",
    .params = params_of_spheres,
    .param_count = PARAM_COUNT,
    .build = build,
};
