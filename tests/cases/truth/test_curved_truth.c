// SPDX-License-Identifier: MIT
// covers: cases/truth/curved_truth.c cases/truth/curved_parts.c cases/truth/moved_curved.c
// covers: cases/truth/design_normals.c geometry/solid/solid_place.c geometry/solid/solid_features.c
/// Where curved shapes touch: places, minima, normals and gaps of pairs that can be worked out by
/// hand, and motions against the gaps of the exact solids after them.
#include "base/random.h"
#include "base/status.h"
#include "cases/scene/ground.h"
#include "cases/truth/curved_truth.h"
#include "cases/truth/derived_truth.h"
#include "cases/truth/motion_truth.h"
#include "cases/truth/moved_truth.h"
#include "geometry/mesh/hull.h"
#include "geometry/polygon.h"
#include "geometry/solid/solid_separation.h"
#include "geometry/tolerances.h"
#include "geometry/twist/twist_samples.h"
#include "tests/cases/case_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

static ts_arena *arena;

static void setup(void) {
  arena = case_fixture_arena();
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(cases_curved_truth, .init = setup, .fini = teardown);

static const ts_geometry sphere = {.kind = TS_GEOMETRY_SPHERE, .radius_m = 0.2};
static const ts_geometry capsule = {
    .kind = TS_GEOMETRY_CAPSULE, .radius_m = 0.1, .half_length_m = 0.2};
static const ts_geometry cylinder = {
    .kind = TS_GEOMETRY_CYLINDER, .radius_m = 0.2, .half_length_m = 0.25};
static const ts_geometry cone = {.kind = TS_GEOMETRY_CONE, .radius_m = 0.2, .half_length_m = 0.25};
static const ts_geometry box = {.kind = TS_GEOMETRY_BOX, .half_size_m = {1, 0.25, 0.5}};

static ts_scene *new_scene(void) {
  ts_scene *scene;
  cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
  return scene;
}

static int32_t add_body(ts_scene *scene, int32_t shape, ts_vec3 at, ts_quat turn, bool is_fixed) {
  int32_t body;
  char name[20];
  snprintf(name, sizeof name, "body %zu", scene->body_count);
  cr_assert_eq(ts_scene_add_body(&body, scene, name, shape, (ts_pose){turn, at}, is_fixed), TS_OK);
  return body;
}

static int32_t add_solid(ts_scene *scene, const ts_geometry *g, ts_vec3 at, ts_quat turn) {
  int32_t shape;
  char name[20];
  snprintf(name, sizeof name, "shape %zu", scene->shape_count);
  double error_m = 0.02 * fmax(g->radius_m, 0.01);
  cr_assert_eq(ts_scene_add_primitive(&shape, scene, name, g, error_m), TS_OK, "%s",
               ts_status_detail());
  return add_body(scene, shape, at, turn, false);
}

static int32_t add_plane(ts_scene *scene) {
  int32_t shape;
  cr_assert_eq(ts_scene_add_plane(&shape, scene, "plane", 10, 1), TS_OK, "%s", ts_status_detail());
  return add_body(scene, shape, (ts_vec3){0, 0, 0}, ts_quat_identity(), true);
}

static ts_quat about(double x, double y, double z, double angle_rad) {
  return ts_quat_from_axis_angle(ts_vec3_unit(ts_vec3_make(x, y, z)), angle_rad);
}

/// A pair and what is true of it.
typedef struct expectation {
  const char *what;
  const ts_geometry *a; ///< NULL: a plane; at the origin, a box with its top at y = 0
  const ts_geometry *b;
  ts_vec3 at;
  ts_quat turn;
  ts_region_kind kind;
  size_t minimum;
  double measure;     ///< area or length
  ts_vec3 normal, on; ///< a point of the place
} expectation;

enum { EXPECTATIONS = 18 };

static void fill(expectation out[EXPECTATIONS]) {
  const ts_quat straight = ts_quat_identity(), lying = about(1, 0, 0, PI / 2);
  const ts_vec3 up = {0, 1, 0}, x = {1, 0, 0};
  const double disc_m2 = PI * 0.04;
  // The angle that lays a cone on its side, and how high its middle is then.
  const double slope = atan2(0.2, 0.5), middle_m = 0.25 * sin(slope);
  const double side_m = hypot(0.2, 0.5);
  const expectation all[EXPECTATIONS] = {
      {"ball on box",
       &box,
       &sphere,
       {0.3, 0.2, 0.1},
       straight,
       TS_REGION_POINT,
       1,
       0,
       up,
       {0.3, 0, 0.1}},
      {"ball on plane",
       NULL,
       &sphere,
       {0.3, 0.2, 0.1},
       straight,
       TS_REGION_POINT,
       1,
       0,
       up,
       {0.3, 0, 0.1}},
      {"ball on ball",
       &sphere,
       &sphere,
       {0.4, 0, 0},
       straight,
       TS_REGION_POINT,
       1,
       0,
       x,
       {0.2, 0, 0}},
      {"lying capsule",
       &box,
       &capsule,
       {0.3, 0.1, 0},
       lying,
       TS_REGION_SEGMENT,
       2,
       0.4,
       up,
       {0.3, 0, 0.2}},
      {"on plane",
       NULL,
       &capsule,
       {0.3, 0.1, 0},
       lying,
       TS_REGION_SEGMENT,
       2,
       0.4,
       up,
       {0.3, 0, 0.2}},
      {"over the edge",
       &box,
       &capsule,
       {0.3, 0.1, 0.4},
       lying,
       TS_REGION_SEGMENT,
       2,
       0.3,
       up,
       {0.3, 0, 0.5}},
      {"standing capsule",
       &box,
       &capsule,
       {0.3, 0.3, 0},
       straight,
       TS_REGION_POINT,
       1,
       0,
       up,
       {0.3, 0, 0}},
      {"parallel capsules",
       &capsule,
       &capsule,
       {0.2, 0.1, 0},
       straight,
       TS_REGION_SEGMENT,
       2,
       0.3,
       x,
       {0.1, 0.2, 0}},
      {"crossing capsules",
       &capsule,
       &capsule,
       {0.2, 0.1, 0},
       lying,
       TS_REGION_POINT,
       1,
       0,
       x,
       {0.1, 0.1, 0}},
      {"lying cylinder",
       &box,
       &cylinder,
       {0, 0.2, 0.1},
       lying,
       TS_REGION_SEGMENT,
       2,
       0.5,
       up,
       {0, 0, 0.35}},
      {"standing cylinder",
       &box,
       &cylinder,
       {0, 0.25, 0.1},
       straight,
       TS_REGION_POLYGON,
       3,
       disc_m2,
       up,
       {0.2, 0, 0.1}},
      {"on plane",
       NULL,
       &cylinder,
       {0, 0.25, 0.1},
       straight,
       TS_REGION_POLYGON,
       3,
       disc_m2,
       up,
       {0.2, 0, 0.1}},
      {"half over the edge",
       &box,
       &cylinder,
       {0, 0.25, 0.5},
       straight,
       TS_REGION_POLYGON,
       3,
       disc_m2 / 2,
       up,
       {0.2, 0, 0.5}},
      {"cylinder on cylinder",
       &cylinder,
       &cylinder,
       {0, 0.5, 0},
       about(0, 1, 0, 1),
       TS_REGION_POLYGON,
       3,
       disc_m2,
       up,
       {0.1, 0.25, 0}},
      {"side by side",
       &cylinder,
       &cylinder,
       {0.4, 0.2, 0},
       about(0, 1, 0, 1),
       TS_REGION_SEGMENT,
       2,
       0.3,
       x,
       {0.2, 0.25, 0}},
      {"standing cone",
       NULL,
       &cone,
       {0, 0.25, 0},
       straight,
       TS_REGION_POLYGON,
       3,
       disc_m2,
       up,
       {0, 0, 0.2}},
      {"cone on its side",
       NULL,
       &cone,
       {0, 0, 0},
       about(0, 0, 1, 0),
       TS_REGION_SEGMENT,
       2,
       side_m,
       up,
       {0, 0, 0}},
      {"cone on its tip",
       &box,
       &cone,
       {0.1, 0.25, 0},
       about(0, 0, 1, PI),
       TS_REGION_POINT,
       1,
       0,
       up,
       {0.1, 0, 0}},
  };
  memcpy(out, all, sizeof all);
  // From upright the apex goes down towards x by a right angle and the slope.
  out[16].turn = about(0, 0, 1, -(PI / 2 + slope));
  out[16].at = (ts_vec3){0, middle_m, 0};
}

static ts_scene *build(const expectation *e, double depth_m, bool swaps, double scale,
                       ts_pose motion) {
  ts_scene *scene = new_scene();
  ts_vec3 at = ts_vec3_add_scaled(e->at, -depth_m, e->normal);
  if (swaps)
    add_solid(scene, e->b, at, e->turn);
  if (!e->a)
    add_plane(scene);
  else
    add_solid(scene, e->a, ts_vec3_make(0, e->a == &box ? -0.25 : 0, 0), ts_quat_identity());
  if (!swaps)
    add_solid(scene, e->b, at, e->turn);
  cr_assert_eq(ts_scene_fit_ground(scene), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_scene_transform(scene, scale, motion), TS_OK, "%s", ts_status_detail());
  return scene;
}

static void check_region(const ts_scene *scene, const expectation *e, double depth_m, bool swaps,
                         double scale, ts_pose motion) {
  cr_assert_eq(scene->region_count, 1, "%s: %zu regions", e->what, scene->region_count);
  const ts_region *r = &scene->regions[0];
  ts_touch_limits limits = ts_region_limits(scene, r);
  const ts_feasible *f = &r->feasible[TS_REFERENCE_DESIGN].normals[0];
  cr_expect_eq(r->kind, e->kind, "%s: kind %d", e->what, r->kind);
  cr_expect(r->needs_all);
  cr_expect_eq(ts_region_minimum(r, TS_REFERENCE_DESIGN, limits), e->minimum, "%s: minimum %zu",
               e->what, ts_region_minimum(r, TS_REFERENCE_DESIGN, limits));
  double unit = e->kind == TS_REGION_POLYGON ? scale * scale : scale;
  if (e->kind != TS_REGION_POINT)
    cr_expect_float_eq(ts_region_measure(r) / unit, e->measure, 2e-4 * e->measure, "%s: %.9g",
                       e->what, ts_region_measure(r) / unit);
  ts_vec3 normal = ts_pose_direction(motion, ts_vec3_scale(e->normal, swaps ? -1 : 1));
  cr_expect_lt(ts_vec3_distance(f->normal, normal), 1e-8, "%s: normal (%g %g %g)", e->what,
               f->normal.x, f->normal.y, f->normal.z);
  cr_expect_float_eq(f->gap_m / scale, -depth_m, 1e-9, "%s: gap %g", e->what, f->gap_m);
  ts_vec3 on = ts_vec3_add_scaled(e->on, -0.5 * depth_m, e->normal);
  on = ts_pose_point(motion, ts_vec3_scale(on, scale));
  ts_vec3 plane = f->normal;
  double off_m = ts_convex_distance(on, r->vertices, r->vertex_count, plane);
  cr_expect_lt(off_m / scale, 1e-7, "%s: the place is off by %g", e->what, off_m);
}

static void check_all(double depth_m, double scale, ts_pose motion) {
  expectation all[EXPECTATIONS];
  fill(all);
  for (size_t i = 0; i < EXPECTATIONS; i++)
    for (int swaps = 0; swaps < 2; swaps++) {
      ts_scene *scene = build(&all[i], depth_m, swaps, scale, motion);
      cr_assert_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK, "%s: %s", all[i].what,
                   ts_status_detail());
      check_region(scene, &all[i], depth_m, swaps, scale, motion);
    }
}

static const ts_pose unmoved = {{1, 0, 0, 0}, {0, 0, 0}};

Test(cases_curved_truth, places_are_those_worked_out_by_hand) {
  check_all(0, 1, unmoved);
}

Test(cases_curved_truth, overlaps_have_the_place_of_the_touch_midway_and_the_depth) {
  check_all(1e-5, 1, unmoved);
  check_all(1e-3, 1, unmoved);
  check_all(0.02, 1, unmoved);
}

Test(cases_curved_truth, scale_motion_and_distance_from_the_origin_change_nothing) {
  const ts_pose moved = {about(1, 2, 3, 1), {1, 2, 3}}, far = {about(3, 1, 2, 2), {7e3, -7e3, 1e3}};
  check_all(0, 1e-3, moved);
  check_all(1e-3, 1e3, moved);
  check_all(0, 1, far);
  check_all(1e-3, 1, far);
}

Test(cases_curved_truth, what_is_off_by_less_than_the_tolerance_touches_all_the_same) {
  static const double off_rad[] = {0, 1e-12, 1e-9, 1e-7};
  expectation all[EXPECTATIONS];
  fill(all);
  for (size_t i = 0; i < EXPECTATIONS; i++)
    for (size_t k = 0; k < 4; k++) {
      expectation e = all[i];
      if (e.kind == TS_REGION_POINT)
        continue;
      e.turn = ts_quat_mul(about(1, 0.3, 0.2, off_rad[k]), e.turn);
      ts_scene *scene = build(&e, 0, false, 1, unmoved);
      cr_assert_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK, "%s", ts_status_detail());
      cr_assert_eq(scene->region_count, 1, "%s off by %g", e.what, off_rad[k]);
      cr_expect_eq(scene->regions[0].kind, e.kind, "%s off by %g", e.what, off_rad[k]);
      cr_expect_eq(ts_region_minimum(&scene->regions[0], TS_REFERENCE_DESIGN,
                                     ts_region_limits(scene, &scene->regions[0])),
                   e.minimum, "%s off by %g", e.what, off_rad[k]);
    }
}

Test(cases_curved_truth, what_is_tilted_by_more_touches_in_a_point) {
  expectation all[EXPECTATIONS];
  fill(all);
  const size_t flat_ones[] = {3, 4, 9, 10, 11};
  for (size_t i = 0; i < 5; i++) {
    expectation e = all[flat_ones[i]];
    e.turn = ts_quat_mul(about(1, 0, 0, 1e-4), e.turn);
    ts_scene *scene = build(&e, 1e-4, false, 1, unmoved);
    cr_assert_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK, "%s", ts_status_detail());
    cr_assert_eq(scene->region_count, 1);
    cr_expect_eq(scene->regions[0].kind, TS_REGION_POINT, "%s", e.what);
  }
}

Test(cases_curved_truth, bodies_that_are_apart_have_no_region_and_near_ones_a_note) {
  expectation all[EXPECTATIONS];
  fill(all);
  for (size_t i = 0; i < EXPECTATIONS; i++) {
    ts_scene *scene = build(&all[i], -1e-3, false, 1, unmoved);
    cr_assert_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK);
    cr_expect_eq(scene->region_count, 0, "%s", all[i].what);
    cr_expect_null(scene->truth_note, "%s: %s", all[i].what, scene->truth_note);
    scene = build(&all[i], -1e-5, false, 1, unmoved);
    cr_assert_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK);
    cr_expect_eq(scene->region_count, 0, "%s", all[i].what);
    cr_expect(scene->truth_note && strstr(scene->truth_note, "within 1e-05 m"), "%s: %s",
              all[i].what, scene->truth_note ? scene->truth_note : "no note");
  }
}

static void expect_refused(ts_scene *scene, const char *because) {
  cr_expect_neq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK);
  cr_expect(strstr(ts_status_detail(), because), "%s", ts_status_detail());
}

Test(cases_curved_truth, an_overlap_that_has_two_ways_out_is_refused) {
  const ts_vec3 origin = {0, 0, 0};
  ts_scene *scene = new_scene();
  add_solid(scene, &sphere, origin, ts_quat_identity());
  add_solid(scene, &sphere, origin, ts_quat_identity());
  expect_refused(scene, "two ways out are equally short");
  scene = new_scene();
  add_solid(scene, &capsule, origin, ts_quat_identity());
  add_solid(scene, &capsule, origin, about(1, 0, 0, PI / 2));
  expect_refused(scene, "two ways out are equally short");
}

/// Solids that are sharp where they touch have several normals, any of which is right.
Test(cases_curved_truth, sharp_places_have_the_normals_between_extremes) {
  ts_scene *scene = new_scene();
  add_solid(scene, &cylinder, (ts_vec3){0, 0, 0}, ts_quat_identity());
  add_solid(scene, &cylinder, (ts_vec3){0.4, 0.5, 0}, ts_quat_identity()); // rim on rim
  cr_assert_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(scene->region_count, 1);
  const ts_region *r = &scene->regions[0];
  cr_expect_eq(r->kind, TS_REGION_POINT);
  cr_expect_not(r->needs_all);
  cr_assert_eq(r->feasible[TS_REFERENCE_FEASIBLE].count, 2);
  for (int i = 0; i < 2; i++) {
    ts_vec3 n = r->feasible[TS_REFERENCE_FEASIBLE].normals[i].normal;
    cr_expect_lt(
        fmin(ts_vec3_distance(n, (ts_vec3){1, 0, 0}), ts_vec3_distance(n, (ts_vec3){0, 1, 0})),
        1e-9);
  }
  scene = new_scene();
  add_solid(scene, &cone, (ts_vec3){0, 0, 0}, ts_quat_identity());
  add_solid(scene, &cone, (ts_vec3){0, 0.5, 0}, about(1, 0, 0, PI)); // tip on tip
  cr_assert_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(scene->region_count, 1);
  cr_expect_eq(scene->regions[0].feasible[TS_REFERENCE_FEASIBLE].count, 24);
}

// ---- motions ----------------------------------------------------------------------------------

static ts_solid solid_of(const ts_scene *scene, int32_t body, ts_pose pose) {
  const ts_shape *shape = &scene->shapes[scene->bodies[body].shape];
  ts_solid solid;
  bool is_mesh = shape->geometry.kind == TS_GEOMETRY_BOX;
  cr_assert_eq(is_mesh ? ts_solid_of_mesh(&solid, arena, shape->mesh, pose)
                       : ts_solid_of_geometry(&solid, arena, &shape->geometry, pose),
               TS_OK);
  return solid;
}

/// The gap over the step after a small motion of b.
static double gap_after(const ts_scene *scene, const ts_twist_frame *frame, const double twist[6]) {
  const double step = 1e-4;
  ts_vec3 v = ts_quat_rotate(frame->axes, ts_vec3_make(twist[0], twist[1], twist[2]));
  ts_vec3 w = ts_quat_rotate(frame->axes, ts_vec3_make(twist[3], twist[4], twist[5]));
  ts_pose pose = scene->bodies[1].pose;
  double angle = step * ts_vec3_norm(w);
  ts_quat turn = angle > 0 ? ts_quat_from_axis_angle(ts_vec3_unit(w), angle) : ts_quat_identity();
  ts_vec3 arm = ts_vec3_sub(pose.translation, frame->centre);
  pose.rotation = ts_quat_mul(turn, pose.rotation);
  pose.translation = ts_vec3_add(frame->centre, ts_quat_rotate(turn, arm));
  pose.translation = ts_vec3_add_scaled(pose.translation, step * frame->length_m, v);
  ts_solid a = solid_of(scene, 0, scene->bodies[0].pose), b = solid_of(scene, 1, pose);
  ts_solid_separation found;
  ts_solid_separate(&found, &a, &b, 0);
  return found.way.gap_m / (step * frame->length_m);
}

Test(cases_curved_truth, motions_that_are_blocked_overlap_and_those_that_are_free_do_not) {
  expectation all[EXPECTATIONS];
  size_t blocked = 0, free_ones = 0, undecided = 0;
  fill(all);
  for (size_t i = 0; i < EXPECTATIONS; i++) {
    ts_scene *scene = build(&all[i], 0, false, 1, unmoved);
    cr_assert_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK);
    ts_twist_frame frame = ts_motion_frame(scene, 0, 1, scene->regions, scene->region_count);
    ts_twist_cone certain, all_corners;
    cr_assert_eq(ts_motion_truth(&certain, arena, scene, &frame, scene->regions,
                                 scene->region_count, NULL, TS_CORNERS_CLOSED),
                 TS_OK);
    cr_assert_eq(ts_motion_truth(&all_corners, arena, scene, &frame, scene->regions,
                                 scene->region_count, NULL, TS_CORNERS_ALL),
                 TS_OK);
    ts_twist_samples samples = ts_twist_samples_start((uint32_t)i * 1000);
    for (int k = 0; k < 200; k++) {
      ts_arena_mark mark = ts_arena_get_mark(arena);
      double twist[6];
      ts_twist_samples_next(twist, &samples);
      double gap = gap_after(scene, &frame, twist);
      if (ts_twist_cone_margin(&certain, twist) < -TS_TWIST_SPEED) {
        cr_expect_lt(gap, 0, "%s: blocked, and the gap grows by %g", all[i].what, gap);
        blocked++;
      } else if (ts_twist_cone_margin(&all_corners, twist) > TS_TWIST_SPEED) {
        cr_expect_gt(gap, 0, "%s: free, and the gap shrinks by %g", all[i].what, gap);
        free_ones++;
      } else {
        undecided++;
      }
      ts_arena_rewind(arena, mark);
    }
  }
  cr_log_info("%zu blocked, %zu free, %zu undecided", blocked, free_ones, undecided);
  cr_expect_gt(blocked, 1000);
  cr_expect_gt(free_ones, 300);
  cr_expect_lt(undecided, 400);
}

// ---- shapes that are not convex ---------------------------------------------------------------

/// A floor with its top at y = 0, cut in `cuts` strips along x, and a wall with its face at x =
/// 0.8.
static int32_t add_corner(ts_scene *scene, bool has_pieces) {
  static const double profile[6][2] = {{-1, -0.5}, {1, -0.5}, {1, 1}, {0.8, 1}, {0.8, 0}, {-1, 0}};
  static const uint32_t caps[4][3] = {{0, 1, 4}, {0, 4, 5}, {1, 2, 3}, {1, 3, 4}};
  ts_vec3 vertices[12];
  uint32_t triangles[20][3];
  size_t count = 0;
  for (int i = 0; i < 12; i++)
    vertices[i] = ts_vec3_make(profile[i % 6][0], profile[i % 6][1], i < 6 ? 1 : -1);
  for (int i = 0; i < 4; i++) {
    memcpy(triangles[count++], caps[i], sizeof *triangles);
    for (int k = 0; k < 3; k++)
      triangles[count][k] = caps[i][2 - k] + 6;
    count++;
  }
  for (uint32_t i = 0; i < 6; i++) {
    uint32_t next = (i + 1) % 6;
    const uint32_t side[2][3] = {{i, i + 6, next + 6}, {i, next + 6, next}};
    memcpy(triangles[count], side, sizeof side);
    count += 2;
  }
  int32_t shape;
  cr_assert_eq(ts_scene_add_shape(&shape, scene, "corner", vertices, 12,
                                  (const uint32_t(*)[3])triangles, count),
               TS_OK, "%s", ts_status_detail());
  for (int p = 0; has_pieces && p < 2; p++) {
    static const double spans[2][4] = {{-1, 0.8, -0.5, 0}, {0.8, 1, -0.5, 1}};
    ts_vec3 points[8];
    ts_hull hull;
    for (int i = 0; i < 8; i++)
      points[i] = ts_vec3_make(spans[p][i & 1], spans[p][2 + (i >> 1 & 1)], i & 4 ? 1 : -1);
    cr_assert_eq(ts_hull_of_points(&hull, arena, points, 8), TS_OK);
    cr_assert_eq(ts_scene_add_piece(scene, shape, hull.vertices, hull.vertex_count,
                                    (const uint32_t(*)[3])hull.triangles, hull.triangle_count),
                 TS_OK, "%s", ts_status_detail());
  }
  return add_body(scene, shape, (ts_vec3){0, 0, 0}, ts_quat_identity(), true);
}

static void expect_regions(ts_scene *scene, const char *what, size_t points, size_t segments,
                           size_t minimum) {
  cr_assert_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK, "%s: %s", what,
               ts_status_detail());
  size_t found_points = 0, found_segments = 0;
  for (size_t i = 0; i < scene->region_count; i++) {
    found_points += scene->regions[i].kind == TS_REGION_POINT;
    found_segments += scene->regions[i].kind == TS_REGION_SEGMENT;
  }
  cr_expect_eq(found_points, points, "%s: %zu points", what, found_points);
  cr_expect_eq(found_segments, segments, "%s: %zu segments", what, found_segments);
  cr_expect_eq(ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN).minimum, minimum, "%s", what);
}

Test(cases_curved_truth, a_ball_and_a_capsule_touch_each_surface_that_is_nearest_round_about) {
  const ts_quat lying = about(1, 0, 0, PI / 2), straight = ts_quat_identity();
  static const struct {
    const ts_geometry *g;
    ts_vec3 at;
    bool is_lying;
    size_t points, segments, minimum;
    const char *what;
  } all[] = {
      {&sphere, {0, 0.2, 0.1}, false, 1, 0, 1, "on the floor"},
      {&sphere, {-0.1, 0.2, 0.05}, false, 1, 0, 1, "where triangles meet"},
      {&sphere, {0.6, 0.2, 0}, false, 2, 0, 2, "in the corner"},
      {&sphere, {0.6, 0.2002, 0}, false, 1, 0, 1, "at the wall"},
      {&sphere, {1.2, 0, 0}, false, 1, 0, 1, "outside of the wall"},
      {&sphere, {-1, 0.2, 0}, false, 1, 0, 1, "over the edge of the floor"},
      {&sphere, {0.9, 1.2, 0}, false, 1, 0, 1, "on the wall"},
      {&capsule, {0, 0.1, 0.1}, true, 0, 1, 2, "lying"},
      {&capsule, {0.7, 0.1, 0.1}, true, 0, 2, 4, "along the corner"},
      {&capsule, {0.7, 0.3, 0.1}, false, 1, 1, 3, "standing in the corner"},
      {&capsule, {0, 0.3, 0.1}, false, 1, 0, 1, "standing"},
      {&capsule, {-1, 0.1, 0.1}, true, 0, 1, 2, "along the edge"},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (int order = 0; order < 2; order++) {
      ts_scene *scene = new_scene();
      if (order == 0)
        add_corner(scene, false);
      add_solid(scene, all[i].g, all[i].at, all[i].is_lying ? lying : straight);
      if (order == 1)
        add_corner(scene, false);
      expect_regions(scene, all[i].what, all[i].points, all[i].segments, all[i].minimum);
    }
}

Test(cases_curved_truth, a_ball_in_one_surface_of_many_leaves_it_by_its_depth) {
  ts_scene *scene = new_scene();
  add_corner(scene, false);
  add_solid(scene, &sphere, (ts_vec3){0.1, 0.19, 0.2}, ts_quat_identity());
  expect_regions(scene, "in the floor", 1, 0, 1);
  cr_expect_float_eq(scene->regions[0].way_out.y, 0.01, 1e-12);
  cr_expect_float_eq(scene->regions[0].vertices[0].y, -0.005, 1e-12);
  scene = new_scene();
  add_corner(scene, false);
  add_solid(scene, &sphere, (ts_vec3){0.61, 0.19, 0.2}, ts_quat_identity());
  expect_refused(scene, "in several places of corner at once");
  scene = new_scene();
  add_corner(scene, false);
  add_solid(scene, &sphere, (ts_vec3){0, -0.2, 0}, ts_quat_identity());
  expect_refused(scene, "inside corner, which is not convex");
}

Test(cases_curved_truth, other_curved_shapes_need_the_pieces_of_one_that_is_not_convex) {
  ts_scene *scene = new_scene();
  add_corner(scene, false);
  add_solid(scene, &cylinder, (ts_vec3){0.6, 0.25, 0}, ts_quat_identity());
  expect_refused(scene, "give the pieces of corner");
  scene = new_scene();
  add_corner(scene, true);
  add_solid(scene, &cylinder, (ts_vec3){0.6, 0.25, 0}, ts_quat_identity());
  cr_assert_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(scene->region_count, 2);
  cr_expect_eq(ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN).minimum, 5, "a disc and a side");
}

/// Level but for a step at the rim, which makes it not convex: 200 triangles, and as many pieces.
static void add_field(ts_scene *scene) {
  double heights_m[11 * 11] = {0};
  for (size_t i = 0; i < 11; i++)
    heights_m[i] = -0.3;
  const ts_heightfield field = {.row_count = 11,
                                .column_count = 11,
                                .heights_m = heights_m,
                                .spacing_x_m = 0.13,
                                .spacing_z_m = 0.13};
  int32_t shape;
  cr_assert_eq(ts_scene_add_heightfield(&shape, scene, "field", &field, 1), TS_OK, "%s",
               ts_status_detail());
  add_body(scene, shape, (ts_vec3){0, 0, 0}, ts_quat_identity(), true);
}

Test(cases_curved_truth, what_lies_over_many_triangles_of_one_plane_is_one_place) {
  const ts_quat lying = about(1, 0.2, 0.3, 0), straight = ts_quat_identity();
  const ts_quat across = ts_quat_mul(about(0, 1, 0, 0.3), about(1, 0, 0, PI / 2));
  const struct {
    const ts_geometry *g;
    ts_vec3 at;
    ts_quat turn;
    ts_region_kind kind;
    double measure;
    size_t minimum;
  } all[] = {
      {&sphere, {0.13, 0.2, 0.13}, straight, TS_REGION_POINT, 1, 1},
      {&capsule, {0.02, 0.1, 0.03}, across, TS_REGION_SEGMENT, 0.4, 2},
      {&cylinder, {0.02, 0.2, 0.03}, across, TS_REGION_SEGMENT, 0.5, 2},
      {&cylinder, {0.02, 0.25, 0.03}, straight, TS_REGION_POLYGON, PI * 0.04, 3},
      {&cone, {0.02, 0.25, 0.03}, lying, TS_REGION_POLYGON, PI * 0.04, 3},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    ts_scene *scene = new_scene();
    add_field(scene);
    add_solid(scene, all[i].g, all[i].at, all[i].turn);
    cr_assert_eq(ts_scene_fit_ground(scene), TS_OK, "%s", ts_status_detail());
    cr_assert_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK, "%s", ts_status_detail());
    cr_assert_eq(scene->region_count, 1, "%zu: %zu regions", i, scene->region_count);
    cr_expect_eq(scene->regions[0].kind, all[i].kind);
    cr_expect_float_eq(ts_region_measure(&scene->regions[0]), all[i].measure, 2e-4);
    cr_expect_eq(ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN).minimum, all[i].minimum);
  }
}

/// Cuts through the middle of a cap end at corners of the polygon around it; those along its rim
/// take a corner of that off.
Test(cases_curved_truth, a_cap_cut_in_its_middle_or_along_its_rim_has_its_own_corners) {
  const struct {
    ts_vec3 at;
    size_t minimum;
    const char *what;
  } all[] = {
      {{1, 0.5, 0.5}, 3, "a quarter"},
      {{1, 0.5, 0}, 3, "a half"},
      {{1, 0.5, 0.3}, 3, "a half that ends at the rim"},
      {{1, 0.5, 0.30004}, 3, "a half that ends beside the rim"},
      {{1, 0.5, -0.30004}, 3, "a half that ends beside the rim, at its other end"},
      {{0.95, 0.5, 0.3}, 3, "most of it, and an edge along the rim"},
      {{0.8, 0.5, 0.3}, 3, "all of it, and two edges along the rim"},
      {{1.1, 0.5, 0.3}, 2, "a part, and an edge past the rim"},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    ts_scene *scene = new_scene();
    add_solid(scene, &box, (ts_vec3){0, 0, 0}, ts_quat_identity());
    add_solid(scene, &cylinder, all[i].at, ts_quat_identity());
    cr_assert_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK, "%s", ts_status_detail());
    cr_assert_eq(scene->region_count, 1, "%s", all[i].what);
    cr_expect_eq(ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN).minimum, all[i].minimum,
                 "%s: %zu", all[i].what, ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN).minimum);
  }
}

Test(cases_curved_truth, only_the_corners_of_a_level_field_are_looked_at) {
  static const double heights_m[60 * 60];
  const ts_heightfield field = {.row_count = 60,
                                .column_count = 60,
                                .heights_m = heights_m,
                                .spacing_x_m = 0.13,
                                .spacing_z_m = 0.07};
  ts_scene *scene = new_scene();
  int32_t shape;
  ts_solid solid;
  cr_assert_eq(ts_scene_add_heightfield(&shape, scene, "field", &field, 1), TS_OK);
  add_body(scene, shape, (ts_vec3){0, 0, 0}, ts_quat_identity(), true);
  add_solid(scene, &sphere, (ts_vec3){0.1, 0.2, 0.1}, ts_quat_identity());
  cr_assert_eq(ts_scene_fit_ground(scene), TS_OK, "%s", ts_status_detail());
  ts_pose pose = {about(1, 2, 3, 0.4), {0.3, 0.2, 0.1}};
  cr_assert_eq(ts_solid_of_mesh(&solid, arena, scene->shapes[shape].mesh, pose), TS_OK);
  cr_expect_eq(solid.point_count, 8, "%zu", solid.point_count);
  expect_regions(scene, "on a level field", 1, 0, 1);
}

/// Level up to x = 2, then up by one per length: 128 pieces.
static void add_hill(ts_scene *scene) {
  double heights_m[9 * 9];
  for (size_t i = 0; i < 81; i++)
    heights_m[i] = fmax(0, (double)(i % 9) - 6);
  const ts_heightfield field = {.row_count = 9,
                                .column_count = 9,
                                .heights_m = heights_m,
                                .spacing_x_m = 1,
                                .spacing_z_m = 1};
  int32_t shape;
  cr_assert_eq(ts_scene_add_heightfield(&shape, scene, "hill", &field, 1), TS_OK, "%s",
               ts_status_detail());
  add_body(scene, shape, (ts_vec3){0, 0, 0}, ts_quat_identity(), true);
}

Test(cases_curved_truth, a_can_beside_a_hill_stands_on_one_place_however_it_is_cut) {
  static const ts_geometry can = {
      .kind = TS_GEOMETRY_CYLINDER, .radius_m = 0.7, .half_length_m = 0.75};
  static const ts_vec3 places[] = {{0.23, 0.75, 0.2}, {0.3, 0.75, 0.2}, {0.3, 0.74, 0.2},
                                   {0.27, 0.75, 0.4}, {-1, 0.75, 0},    {0.05, 0.749, 0.91}};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    ts_scene *scene = new_scene();
    add_hill(scene);
    add_solid(scene, &can, places[i], ts_quat_identity());
    cr_assert_eq(ts_scene_fit_ground(scene), TS_OK, "%s", ts_status_detail());
    cr_assert_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK, "%s", ts_status_detail());
    cr_assert_eq(scene->region_count, 1, "%zu: %zu regions", i, scene->region_count);
    cr_expect_float_eq(ts_region_measure(&scene->regions[0]), PI * 0.49, 2e-4);
    cr_expect_eq(ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN).minimum, 3, "%zu", i);
  }
}

Test(cases_curved_truth, the_tip_of_a_cone_on_a_ridge_has_the_normals_of_both_faces) {
  double heights_m[9 * 9];
  for (size_t i = 0; i < 81; i++)
    heights_m[i] = 4 - fabs((double)(i % 9) - 4);
  const ts_heightfield field = {.row_count = 9,
                                .column_count = 9,
                                .heights_m = heights_m,
                                .spacing_x_m = 1,
                                .spacing_z_m = 1};
  ts_scene *scene = new_scene();
  int32_t shape;
  cr_assert_eq(ts_scene_add_heightfield(&shape, scene, "ridge", &field, 1), TS_OK);
  add_body(scene, shape, (ts_vec3){0, 0, 0}, ts_quat_identity(), true);
  add_solid(scene, &cone, (ts_vec3){0, 4.25, 0.2}, about(0, 0, 1, PI));
  cr_assert_eq(ts_scene_fit_ground(scene), TS_OK, "%s", ts_status_detail());
  expect_regions(scene, "on a ridge", 1, 0, 1);
  const ts_feasible_set *normals = &scene->regions[0].feasible[TS_REFERENCE_FEASIBLE];
  cr_assert_eq(normals->count, 2);
  for (size_t i = 0; i < 2; i++) {
    cr_expect_float_eq(fabs(normals->normals[i].normal.x), sqrt(0.5), 1e-9);
    cr_expect_float_eq(normals->normals[i].normal.y, sqrt(0.5), 1e-9);
  }
}

// ---- moved ------------------------------------------------------------------------------------

Test(cases_curved_truth, moved_pairs_are_derived_where_they_are_beside_those_with_joints) {
  ts_scene *scene = new_scene();
  const ts_geometry brick = {.kind = TS_GEOMETRY_BOX, .half_size_m = {0.1, 0.1, 0.1}};
  add_solid(scene, &box, (ts_vec3){0, -0.25, 0}, ts_quat_identity());
  add_solid(scene, &brick, (ts_vec3){-0.7, 0.1, 0}, ts_quat_identity());
  add_solid(scene, &sphere, (ts_vec3){0, 0.2, 0}, ts_quat_identity());
  add_solid(scene, &cylinder, (ts_vec3){0.7, 0.25, 0}, ts_quat_identity());
  scene->bodies[0].is_fixed = true;
  cr_assert_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(scene->region_count, 3);
  ts_moved_truth *truth;
  ts_scene *moved;
  cr_assert_eq(ts_moved_truth_create(&truth, arena, scene), TS_OK);
  ts_body bodies[4];
  memcpy(bodies, scene->bodies, sizeof bodies);
  bodies[2].pose.translation = (ts_vec3){0.1, 0.2 - 1e-3, 0};  // rolled, and sunk in
  bodies[3].pose.translation = (ts_vec3){0.6, 0.25 + 2e-7, 0}; // slid, and hovering
  cr_assert_eq(ts_scene_at(&moved, arena, scene, bodies, truth), TS_OK);
  cr_assert_eq(moved->region_count, 3);
  cr_expect_eq(moved->unknown_count, 0);
  cr_expect_float_eq(moved->regions[1].vertices[0].x, 0.1, 1e-12);
  cr_expect_float_eq(moved->regions[1].feasible[0].normals[0].gap_m, -1e-3, 1e-12);
  cr_expect_eq(moved->regions[2].kind, TS_REGION_POLYGON);
  cr_expect_float_eq(moved->regions[2].feasible[0].normals[0].gap_m, 2e-7, 1e-12);
  cr_expect_eq(ts_region_needed_normals(&moved->regions[2], TS_REFERENCE_DESIGN,
                                        ts_region_limits(moved, &moved->regions[2])),
               0, "within the tolerance none is needed");
  bodies[2].pose.translation = (ts_vec3){0.37, 0.21, 0}; // against the cylinder, off the box
  cr_assert_eq(ts_scene_at(&moved, arena, scene, bodies, truth), TS_OK);
  cr_assert_eq(moved->region_count, 3);
  cr_expect_eq(moved->unknown_count, 0);
  cr_expect_eq(moved->regions[2].body_a, 2);
  cr_expect_float_eq(moved->regions[2].feasible[0].normals[0].gap_m, -0.17, 1e-9);
  bodies[2].pose.translation = bodies[3].pose.translation; // on its axis
  cr_assert_eq(ts_scene_at(&moved, arena, scene, bodies, truth), TS_OK);
  cr_assert_eq(moved->unknown_count, 1);
  cr_expect(strstr(moved->unknown[0].reason, "two ways out"), "%s", moved->unknown[0].reason);
}
