// SPDX-License-Identifier: MIT
// A cylinder of twelve sides, or some other number, in a groove of 90 degrees. It rests on two of
// its sides, or, turned by half a side, on two of its edges.
#include "base/status.h"
#include "cases/case.h"

static const double radius_m = 0.5, half_length_m = 0.5, groove_half_length_m = 1;
static const double turn_whole_rad = 6.28318530717958647693;

enum { PARAM_SIDES, PARAM_TOUCH, PARAM_COUNT };
enum { TOUCH_FACES, TOUCH_EDGES, TOUCH_COUNT };
static const char *const touches[TOUCH_COUNT + 1] = {"faces", "edges", NULL};

enum { SIDES_MAX = 360 };

static const ts_param params_of_cylinder_in_groove[PARAM_COUNT] = {
    [PARAM_SIDES] = {.name = "sides",
                     .summary = "Of the cylinder: the next multiple of four, so that it fits both "
                                "walls.",
                     .kind = TS_PARAM_INTEGER,
                     .default_value = 12,
                     .minimum = 4,
                     .maximum = SIDES_MAX},
    [PARAM_TOUCH] = {.name = "touch",
                     .summary = "Whether the cylinder rests on sides or on the edges between them.",
                     .kind = TS_PARAM_CHOICE,
                     .default_value = TOUCH_FACES,
                     .choices = touches},
};

/// A prism along z.
typedef struct prism {
  ts_vec3 vertices[2 * SIDES_MAX];
  size_t vertex_count;
  uint32_t triangles[4 * SIDES_MAX][3];
  size_t triangle_count;
} prism;

/// Its profile [count], counter-clockwise seen from +z, is seen as a whole from its first vertex:
/// both ends are fans round that one. Vertex i of the profile is at 2 i (-z) and 2 i + 1 (+z).
static void make_prism(prism *out, const double (*profile)[2], uint32_t count, double half_m) {
  out->vertex_count = 2 * (size_t)count;
  out->triangle_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t here = 2 * i, next = 2 * ((i + 1) % count);
    for (uint32_t end = 0; end < 2; end++)
      out->vertices[here + end] =
          ts_vec3_make(profile[i][0], profile[i][1], end == 0 ? -half_m : half_m);
    const uint32_t cut[4][3] = {{here, next, next + 1},
                                {here, next + 1, here + 1},
                                {0, next, here},
                                {1, here + 1, next + 1}};
    // The first and the last side have no triangle of the fans.
    uint32_t own = i == 0 || i + 1 == count ? 2 : 4;
    for (uint32_t t = 0; t < own; t++, out->triangle_count++)
      for (int k = 0; k < 3; k++)
        out->triangles[out->triangle_count][k] = cut[t][k];
  }
}

static ts_status add_prism(int32_t *out, ts_scene *scene, const char *name,
                           const double (*profile)[2], uint32_t count, double half_m) {
  prism p;
  make_prism(&p, profile, count, half_m);
  return ts_scene_add_shape(out, scene, name, p.vertices, p.vertex_count,
                            (const uint32_t(*)[3])p.triangles, p.triangle_count);
}

/// The groove is cut in two where it is deepest.
static ts_status add_groove_pieces(ts_scene *scene, int32_t shape) {
  enum { CORNERS = 5 };
  const double profiles[2][CORNERS][2] = {
      {{0, 0}, {-0.75, 0.75}, {-1, 0.75}, {-1, -0.25}, {0, -0.25}},
      {{0, 0}, {0, -0.25}, {1, -0.25}, {1, 0.75}, {0.75, 0.75}}};
  for (int i = 0; i < 2; i++) {
    prism p;
    make_prism(&p, profiles[i], CORNERS, groove_half_length_m);
    TS_TRY(ts_scene_add_piece(scene, shape, p.vertices, p.vertex_count,
                              (const uint32_t(*)[3])p.triangles, p.triangle_count));
  }
  return TS_OK;
}

static ts_status add_groove(int32_t *out, ts_scene *scene) {
  // From the bottom of the groove to the left.
  const double profile[7][2] = {{0, 0},     {-0.75, 0.75}, {-1, 0.75},  {-1, -0.25},
                                {1, -0.25}, {1, 0.75},     {0.75, 0.75}};
  TS_TRY(add_prism(out, scene, "groove", profile, 7, groove_half_length_m));
  return add_groove_pieces(scene, *out);
}

/// Vertices at -45 degrees and every side from there, or with the middle of a side at -45 degrees.
/// One eighth of them is computed, the others have the same coordinates with other signs or places.
static ts_status add_cylinder(int32_t *out, ts_scene *scene, uint32_t sides, int touch) {
  double profile[SIDES_MAX][2];
  uint32_t quarter = sides / 4;
  for (uint32_t i = 0; i < quarter; i++) {
    double step = touch == TOUCH_FACES ? i + 0.5 : i; // past -45 degrees
    double from_middle = step - 0.5 * quarter;        // past 0 degrees
    double angle_rad = turn_whole_rad * fabs(from_middle) / sides;
    double c = radius_m * cos(angle_rad), s = radius_m * sin(angle_rad);
    s = from_middle < 0 ? -s : s;
    if (2 * fabs(from_middle) == quarter) // at 45 degrees
      c = fabs(s);
    const double turned[4][2] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
    for (uint32_t k = 0; k < 4; k++)
      for (int axis = 0; axis < 2; axis++)
        profile[i + k * quarter][axis] = turned[k][axis];
  }
  return add_prism(out, scene, "cylinder", (const double(*)[2])profile, sides, half_length_m);
}

/// Joins a wall of the groove, from its bottom line to its upper edge, and the part of the cylinder
/// that `b` lists.
static ts_status join_wall(ts_scene *scene, int32_t groove, const ts_vec3 wall[4], int32_t cylinder,
                           const uint32_t *b, size_t b_count, ts_vec3 normal) {
  ts_vec3 feature_b[4];
  const ts_mesh *mesh = scene->shapes[scene->bodies[cylinder].shape].mesh;
  for (size_t i = 0; i < b_count; i++)
    feature_b[i] = mesh->vertices[b[i]];
  ts_joint joint = {.body_a = groove,
                    .body_b = cylinder,
                    .count_a = 4,
                    .count_b = b_count,
                    .feature_a_local = wall,
                    .feature_b_local = feature_b,
                    .needs_all = true};
  joint.normal_count[TS_REFERENCE_DESIGN] = 1;
  joint.normals_local[TS_REFERENCE_DESIGN] = &normal;
  return ts_scene_add_joint(scene, &joint);
}

static ts_status build(ts_scene *scene, const double *params) {
  int32_t shape, groove, cylinder;
  uint32_t sides = ((uint32_t)params[PARAM_SIDES] + 3) / 4 * 4;
  int touch = (int)params[PARAM_TOUCH];
  TS_TRY(add_groove(&shape, scene));
  TS_TRY(ts_scene_add_body(&groove, scene, "groove", shape, ts_pose_identity(), true));
  TS_TRY(add_cylinder(&shape, scene, sides, touch));
  const double a = sqrt(0.5);
  double to_wall_m = touch == TOUCH_FACES ? radius_m * cos(0.5 * turn_whole_rad / sides) : radius_m;
  ts_pose pose = {{1, 0, 0, 0}, {0, to_wall_m / a, 0}};
  TS_TRY(ts_scene_add_body(&cylinder, scene, "cylinder", shape, pose, false));

  const ts_mesh *mesh = scene->shapes[scene->bodies[groove].shape].mesh;
  const ts_vec3 *v = mesh->vertices;
  const ts_vec3 left[4] = {v[0], v[1], v[3], v[2]}, right[4] = {v[0], v[1], v[13], v[12]};
  // The vertices around -45 and -135 degrees, each at both ends.
  uint32_t last = sides - 1, at = 3 * (sides / 4);
  const uint32_t on_right[4] = {0, 1, 2 * last + 1, 2 * last};
  const uint32_t on_left[4] = {2 * at, 2 * at + 1, 2 * at - 1, 2 * at - 2};
  size_t count = touch == TOUCH_FACES ? 4 : 2;
  TS_TRY(join_wall(scene, groove, left, cylinder, on_left, count, ts_vec3_make(a, a, 0)));
  return join_wall(scene, groove, right, cylinder, on_right, count, ts_vec3_make(-a, a, 0));
}

static const ts_case_range ranges[] = {
    {"sides", 4, 20},
    {"touch", TOUCH_FACES, TOUCH_EDGES},
    {NULL, 0, 0},
};

const ts_case ts_case_cylinder_in_groove = {
    .name = "cylinder_in_groove",
    .suite = "extended",
    .summary = "A cylinder of twelve sides in a groove of 90 degrees, on two sides or two edges; "
               "both walls' normals are needed.",
    .source = "touchstone, after Erleben 2018, section 4.3",
    .params = params_of_cylinder_in_groove,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
};
