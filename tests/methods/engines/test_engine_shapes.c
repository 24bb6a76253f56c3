// SPDX-License-Identifier: MIT
// covers: methods/engines/engine_shapes.h methods/engines/bullet_shapes.h methods/engines/fcl_shapes.h methods/engines/libccd_shape.h methods/engines/mujoco_model.h methods/engines/ode_geom.h
/// Every engine on all pairs of shapes: the contact is where it must be, whichever body is a,
/// however the pair is turned, near and far, small and large. Where an engine is wrong on its own
/// shapes the test says how, so that it fails when the engine is repaired.
#include "tests/methods/engines/shape_pairs.h"

#include "base/param.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/// Overlap of the pairs, at scale 1: about 1 % of the shapes.
#define DEPTH_M 0.005

/// A pair, by the words of its seat and its tip, that an engine gets wrong.
typedef struct known_fault {
  const char *seat, *tip;
  enum { MISSES, WRONG_DEPTH, WRONG_POINT, WRONG_NORMAL } what;
} known_fault;

/// What an engine's deepest contact may be off by, at scale 1.
typedef struct engine_accuracy {
  const char *name;
  struct {
    const char *parameter;
    double value;
  } sets[2];
  double normal_rad, gap_m, point_m;
  /// Whether it is as good at an exact touch, and, where it has a formula of its own for a sphere,
  /// on shapes of a third of a millimetre and of 300 m: not with iterations that end at an absolute
  /// length.
  bool is_robust;
  known_fault faults[5]; ///< the last is none
} engine_accuracy;

static const known_fault *fault_of(const engine_accuracy *engine, const shape_place *seat,
                                   const shape_place *tip) {
  for (const known_fault *f = engine->faults; f->seat; f++)
    if (strcmp(f->seat, seat->name) == 0 && strcmp(f->tip, tip->name) == 0)
      return f;
  return NULL;
}

static void open_engine(engine_driver *d, const engine_accuracy *engine, double scale) {
  driver_open(d, engine->name);
  for (int i = 0; i < 2 && engine->sets[i].parameter; i++)
    driver_set(d, engine->sets[i].parameter, engine->sets[i].value);
  ts_param_scale_lengths(d->values, d->method->params, d->method->param_count, d->values, scale);
}

static void expect_right(const engine_accuracy *engine, const shape_pair *pair, double scale,
                         const shape_errors *e) {
  cr_expect_leq(e->normal_rad, engine->normal_rad, "%s, scale %g: %s: normal off by %g rad",
                engine->name, scale, pair->name, e->normal_rad);
  cr_expect_leq(e->gap_m / scale, engine->gap_m, "%s, scale %g: %s: gap off by %g", engine->name,
                scale, pair->name, e->gap_m / scale);
  cr_expect_leq(e->point_m / scale, engine->point_m, "%s, scale %g: %s: point off by %g",
                engine->name, scale, pair->name, e->point_m / scale);
}

/// Whether the errors are those of the fault, in this order and at these poses.
static bool shows(const known_fault *fault, const engine_accuracy *engine, double scale,
                  const shape_errors *e) {
  switch (fault->what) {
  case MISSES:
    return isnan(e->gap_m);
  case WRONG_DEPTH:
    return e->gap_m / scale > engine->gap_m;
  case WRONG_POINT:
    return e->point_m / scale > engine->point_m;
  default:
    return e->normal_rad > engine->normal_rad;
  }
}

/// One seat and one tip, in both orders, each at three poses.
static void check_pair(engine_driver *d, const engine_accuracy *engine, const shape_kinds *kinds,
                       const shape_place *seat, const shape_place *tip) {
  const known_fault *fault = fault_of(engine, seat, tip);
  bool is_seen = false;
  const ts_pose motions[3] = {
      {{1, 0, 0, 0}, {0, 0, 0}},
      {ts_quat_uniform(0.3, 0.7, 0.2), {0.3 * kinds->scale, 0.5 * kinds->scale, 0}},
      {ts_quat_uniform(0.9, 0.1, 0.6), {100 * kinds->scale, 0, -30 * kinds->scale}}};
  for (int i = 0; i < 6; i++) {
    double gap_m = -DEPTH_M * kinds->scale;
    shape_pair pair = shape_pair_make(kinds, seat, tip, gap_m, motions[i / 2], i % 2);
    cr_expect_eq(driver_run(d, pair.mesh, pair.pose), TS_OK, "%s: %s: %s", engine->name, pair.name,
                 d->message);
    shape_errors errors = shape_errors_of(&d->set, &pair, gap_m);
    if (fault)
      is_seen = is_seen || shows(fault, engine, kinds->scale, &errors);
    else
      expect_right(engine, &pair, kinds->scale, &errors);
  }
  cr_expect(!fault || is_seen, "%s: %s, %s: is right now", engine->name, seat->name, tip->name);
}

/// At scale 1 all pairs; else a sphere on seats for which engines have formulas.
static bool is_for(double scale, const shape_place *seat, const shape_place *tip) {
  if (scale == 1)
    return true;
  bool has_formula = seat->kind == TS_GEOMETRY_SPHERE || seat->kind == TS_GEOMETRY_CAPSULE ||
                     seat->kind == TS_GEOMETRY_BOX || seat->kind >= TS_GEOMETRY_PLANE;
  return has_formula && tip->kind == TS_GEOMETRY_SPHERE;
}

/// At an exact touch an engine without margins finds nothing, or the place, but not always a
/// direction.
static void check_touch(engine_driver *d, const engine_accuracy *engine, const shape_kinds *kinds,
                        const shape_place *seat, const shape_place *tip) {
  const ts_pose motions[2] = {{{1, 0, 0, 0}, {0, 0, 0}},
                              {ts_quat_uniform(0.3, 0.7, 0.2), {0.3, 0.5, -0.7}}};
  for (int i = 0; i < 4 && !fault_of(engine, seat, tip); i++) {
    shape_pair pair = shape_pair_make(kinds, seat, tip, 0, motions[i / 2], i % 2);
    cr_expect_eq(driver_run(d, pair.mesh, pair.pose), TS_OK, "%s", d->message);
    if (d->set.count == 0)
      continue;
    shape_errors e = shape_errors_of(&d->set, &pair, 0);
    cr_expect_leq(e.gap_m, engine->gap_m, "%s: touch: %s: gap off by %g", engine->name, pair.name,
                  e.gap_m);
    cr_expect_leq(e.point_m, engine->point_m, "%s: touch: %s: point off by %g", engine->name,
                  pair.name, e.point_m);
  }
}

static void check_engine(const engine_accuracy *engine) {
  static const double scales[3] = {1, 1e-3, 1e3};
  for (int i = 0; i < (engine->is_robust ? 3 : 1); i++) {
    engine_driver d;
    open_engine(&d, engine, scales[i]);
    shape_kinds kinds;
    shape_kinds_make(&kinds, &d, scales[i]);
    for (int seat = 0; seat < SEAT_COUNT; seat++)
      for (int tip = 0; tip < TIP_COUNT; tip++)
        if (is_for(scales[i], &shape_seats[seat], &shape_tips[tip])) {
          check_pair(&d, engine, &kinds, &shape_seats[seat], &shape_tips[tip]);
          if (scales[i] == 1 && engine->is_robust)
            check_touch(&d, engine, &kinds, &shape_seats[seat], &shape_tips[tip]);
        }
    driver_close(&d);
  }
}

/// Bullet without margins, which round corners, and almost without contacts ahead of touch.
#define BULLET_EXACT                                                                               \
  {                                                                                                \
    {"margin_m", 0}, {                                                                             \
      "breaking_threshold", 1e-3                                                                   \
    }                                                                                              \
  }

/// FCL calls the apex of a cone that points into a plane parallel to it, and its point on a sphere
/// and a capsule is on the axis of the capsule.
#define FCL_FAULTS                                                                                 \
  {"plane", "apex of a cone", MISSES}, {"sphere", "end of a capsule", WRONG_POINT}, {              \
    "side of a capsule", "sphere", WRONG_POINT                                                     \
  }

Test(engines_shapes, bullet_hull_is_right_on_its_own_shapes) {
  check_engine(&(engine_accuracy){"bullet_hull", BULLET_EXACT, 2e-3, 3e-6, 5e-4, true, {{0}}});
}

Test(engines_shapes, bullet_in_single_precision_is_right_on_its_own_shapes) {
  check_engine(
      &(engine_accuracy){"bullet_hull_f32", BULLET_EXACT, 0.04, 1e-3, 0.011, false, {{0}}});
}

/// The point of GImpact on two meshes is off by the depth, as its adapter says.
Test(engines_shapes, bullet_gimpact_is_right_on_its_own_shapes) {
  check_engine(&(engine_accuracy){
      "bullet_gimpact", {{"margin_m", 0}}, 2e-3, 3e-6, 1.001 * DEPTH_M, true, {{0}}});
}

/// Portal refinement, FCL's default and libccd_mpr, tilts normals of round shapes.
Test(engines_shapes, fcl_convex_is_right_on_its_own_shapes) {
  check_engine(&(engine_accuracy){"fcl_convex", {{0}}, 0.25, 2e-4, 3e-3, true, {FCL_FAULTS}});
}

Test(engines_shapes, fcl_mesh_is_right_on_its_own_shapes) {
  check_engine(
      &(engine_accuracy){"fcl_mesh",
                         {{0}},
                         0.25,
                         2e-4,
                         5e-3,
                         true,
                         {FCL_FAULTS, {"side of a cone", "corner of a mesh", WRONG_NORMAL}}});
}

/// Its point is in the middle of nowhere.
Test(engines_shapes, libccd_gjk_is_right_on_exact_shapes) {
  check_engine(&(engine_accuracy){
      "libccd_gjk", {{"epa_tolerance_m", 1e-6}}, 2e-3, 2e-6, (double)INFINITY, false, {{0}}});
}

Test(engines_shapes, libccd_mpr_is_right_on_exact_shapes) {
  check_engine(&(engine_accuracy){"libccd_mpr", {{0}}, 0.3, 3e-4, 5e-3, false, {{0}}});
}

/// Of two boxes MuJoCo gives half the depth.
Test(engines_shapes, mujoco_is_right_on_its_own_shapes) {
  check_engine(&(engine_accuracy){"mujoco",
                                  {{0}},
                                  0.02,
                                  2e-4,
                                  0.01,
                                  true,
                                  {{"face of a box", "corner of a box", WRONG_DEPTH}}});
}

Test(engines_shapes, mujoco_multiccd_is_right_on_its_own_shapes) {
  check_engine(&(engine_accuracy){"mujoco_multiccd",
                                  {{0}},
                                  0.02,
                                  2e-4,
                                  0.01,
                                  true,
                                  {{"face of a box", "corner of a box", WRONG_DEPTH}}});
}

/// On a sphere and the corner of a mesh ODE takes the normal of a face.
Test(engines_shapes, ode_is_right_on_its_own_shapes) {
  check_engine(&(engine_accuracy){"ode_trimesh",
                                  {{0}},
                                  0.02,
                                  2e-4,
                                  9e-3,
                                  true,
                                  {{"side of a cylinder", "end of a capsule", WRONG_NORMAL},
                                   {"sphere", "apex of a cone", WRONG_NORMAL},
                                   {"sphere", "corner of a mesh", WRONG_NORMAL}}});
}

/// ODE takes the cap of a cylinder on a box as an octagon around it: its points are beside the
/// cylinder, by 8 % of the radius, and yet midway between the faces.
Test(engines_shapes, ode_has_points_of_a_cap_around_the_cap) {
  engine_driver d;
  driver_open(&d, "ode_trimesh");
  shape_kinds kinds;
  shape_kinds_make(&kinds, &d, 1);
  const ts_mesh *mesh[2] = {kinds.of_kind[TS_GEOMETRY_BOX], kinds.of_kind[TS_GEOMETRY_CYLINDER]};
  const ts_pose pose[2] = {{{1, 0, 0, 0}, {0, 0, 0}}, {{1, 0, 0, 0}, {0, 0.75 - DEPTH_M, 0}}};
  cr_assert_eq(driver_run(&d, mesh, pose), TS_OK, "%s", d.message);
  cr_assert_eq(d.set.count, 8);
  for (size_t i = 0; i < 8; i++) {
    ts_vec3 p = d.set.contacts[i].point;
    cr_expect_float_eq(p.y, 0.25 - 0.5 * DEPTH_M, 1e-12, "%g", p.y);
    cr_expect_float_eq(hypot(p.x, p.z), 1.0824 * 0.3, 1e-4, "%g m from the axis", hypot(p.x, p.z));
  }
  driver_close(&d);
}

// ---- height fields ------------------------------------------------------------------------------

/// A field of 3 x 4 heights, in the driver's arena.
static const ts_mesh *field_of(engine_driver *d, const double heights[12]) {
  ts_heightfield field = {.row_count = 3,
                          .column_count = 4,
                          .heights_m = ts_arena_copy(d->arena, heights, 12, sizeof *heights),
                          .spacing_x_m = 1,
                          .spacing_z_m = 2};
  ts_vec3 vertices[12];
  uint32_t triangles[12][3];
  for (uint32_t i = 0, t = 0; i < 12; i++) {
    vertices[i] = ts_vec3_make((i % 4) - 1.5, heights[i], 2 * (i / 4 - 1.0));
    if (i % 4 == 3 || i / 4 == 2)
      continue;
    memcpy(triangles[t++], (uint32_t[3]){i, i + 4, i + 5}, sizeof *triangles);
    memcpy(triangles[t++], (uint32_t[3]){i, i + 5, i + 1}, sizeof *triangles);
  }
  ts_open_mesh surface = {12, ts_arena_copy(d->arena, vertices, 12, sizeof *vertices), 12,
                          ts_arena_copy(d->arena, triangles, 12, sizeof *triangles)};
  ts_geometry geometry = {
      .struct_size = sizeof geometry,
      .kind = TS_GEOMETRY_HEIGHTFIELD,
      .heightfield = ts_arena_copy(d->arena, &field, 1, sizeof field),
      .surface = ts_arena_copy(d->arena, &surface, 1, sizeof surface),
  };
  ts_mesh *mesh =
      ts_arena_copy(d->arena, driver_box(d, ts_vec3_make(-1.5, -2, -2), ts_vec3_make(1.5, 1, 2)), 1,
                    sizeof *mesh);
  cr_assert(mesh && field.heights_m && geometry.heightfield && geometry.surface);
  mesh->geometry = ts_arena_copy(d->arena, &geometry, 1, sizeof geometry);
  cr_assert(mesh->geometry && surface.vertices && surface.triangles);
  return mesh;
}

static const ts_mesh *ball_of(engine_driver *d, double radius_m) {
  ts_geometry geometry = {
      .struct_size = sizeof geometry, .kind = TS_GEOMETRY_SPHERE, .radius_m = radius_m};
  ts_mesh *mesh = ts_arena_copy(
      d->arena, driver_box(d, ts_vec3_make(-1, -1, -1), ts_vec3_make(1, 1, 1)), 1, sizeof *mesh);
  cr_assert(mesh);
  mesh->geometry = ts_arena_copy(d->arena, &geometry, 1, sizeof geometry);
  cr_assert(mesh->geometry);
  return mesh;
}

static const char *const fields[] = {"bullet_hull", "bullet_hull_f32", "bullet_gimpact",
                                     "fcl_mesh",    "mujoco",          "ode_trimesh"};
#define FIELD_COUNT (sizeof fields / sizeof *fields)

/// The deepest contact of a ball whose centre is `above` the point `at` of a field, at a pose that
/// is not axis-aligned; in the field's frame, from the field to the ball.
static ts_contact ball_on_field(engine_driver *d, const double heights[12], ts_vec3 at,
                                ts_vec3 above) {
  const ts_pose frame = {ts_quat_uniform(0.4, 0.8, 0.1), {3, -2, 1}};
  const ts_mesh *mesh[2] = {field_of(d, heights), ball_of(d, 0.25)};
  ts_pose pose[2] = {frame, {{1, 0, 0, 0}, ts_pose_point(frame, ts_vec3_add(at, above))}};
  cr_assert_eq(driver_run(d, mesh, pose), TS_OK, "%s", d->message);
  cr_assert_gt(d->set.count, 0, "%s finds nothing", d->method->name);
  ts_contact deepest = d->set.contacts[0];
  for (size_t i = 1; i < d->set.count; i++)
    if (d->set.contacts[i].gap_m < deepest.gap_m)
      deepest = d->set.contacts[i];
  deepest.normal = ts_quat_rotate(ts_quat_conjugate(frame.rotation), deepest.normal);
  deepest.point = ts_pose_point_local(frame, deepest.point);
  return deepest;
}

/// Rows are along x and columns along z, the first at the lower end, and heights are not moved: a
/// field that rises more along one than along the other has the normal of its plane.
Test(engines_shapes, heights_are_where_they_belong) {
  double heights[12];
  for (int i = 0; i < 12; i++)
    heights[i] = 0.75 + 0.25 * (i % 4 - 1.5) - 0.5 * (i / 4 - 1);
  ts_vec3 up = ts_vec3_unit(ts_vec3_make(-0.25, 1, 0.25));
  const ts_vec3 at = {0.4, 0.75 + 0.25 * 0.4 + 0.25 * 0.7, -0.7};
  for (size_t i = 0; i < FIELD_COUNT; i++) {
    engine_driver d;
    driver_open(&d, fields[i]);
    ts_contact c = ball_on_field(&d, heights, at, ts_vec3_scale(up, 0.245));
    cr_expect_lt(ts_vec3_distance(c.normal, up), 2e-3, "%s", fields[i]);
    cr_expect_lt(fabs(c.gap_m + 0.005), 2e-5, "%s: %g", fields[i], c.gap_m);
    cr_expect_lt(ts_vec3_distance(c.point, at), 6e-3, "%s", fields[i]);
    driver_close(&d);
  }
}

/// A cell with two opposite corners high is a ridge when it is cut between them: its slopes are not
/// those of a cell that is cut between the others.
Test(engines_shapes, cells_are_cut_from_the_first_corner_to_the_opposite_one) {
  double heights[12] = {0};
  heights[1] = heights[6] = 0.5;
  ts_vec3 out = ts_vec3_unit(ts_vec3_make(0.5, 1, -0.25));
  const ts_vec3 at = {0.25, 0.25, -1.5};
  for (size_t i = 0; i < FIELD_COUNT; i++) {
    engine_driver d;
    driver_open(&d, fields[i]);
    ts_contact c = ball_on_field(&d, heights, at, ts_vec3_scale(out, 0.245));
    cr_expect_lt(ts_vec3_distance(c.normal, out), 2e-3, "%s", fields[i]);
    cr_expect_lt(fabs(c.gap_m + 0.005), 2e-5, "%s: %g", fields[i], c.gap_m);
    cr_expect_lt(ts_vec3_distance(c.point, at), 6e-3, "%s", fields[i]);
    driver_close(&d);
  }
}

/// ODE takes the deepest point below the plane of a triangle, and only where that is in the
/// triangle: a ball on a ridge has none.
Test(engines_shapes, ode_misses_a_ball_on_a_ridge_of_a_height_field) {
  double heights[12] = {0};
  heights[1] = heights[6] = 0.5;
  const ts_pose pose[2] = {{{1, 0, 0, 0}, {0, 0, 0}}, {{1, 0, 0, 0}, {0, 0.5 + 0.245, -1}}};
  engine_driver d;
  driver_open(&d, "ode_trimesh");
  const ts_mesh *mesh[2] = {field_of(&d, heights), ball_of(&d, 0.25)};
  cr_assert_eq(driver_run(&d, mesh, pose), TS_OK, "%s", d.message);
  cr_expect_eq(d.set.count, 0, "%zu contacts: ODE is right now", d.set.count);
  driver_close(&d);
}

/// Of the contacts of a large ball on a flat field, the largest angle to its normal.
static double largest_tilt_rad(const char *name, bool adjusts) {
  const double heights[12] = {0};
  const ts_pose pose[2] = {{{1, 0, 0, 0}, {0, 0, 0}}, {{1, 0, 0, 0}, {0.3, 2.995, -0.4}}};
  engine_driver d;
  driver_open(&d, name);
  driver_set(&d, "internal_edges", adjusts);
  const ts_mesh *mesh[2] = {field_of(&d, heights), ball_of(&d, 3)};
  cr_assert_eq(driver_run(&d, mesh, pose), TS_OK, "%s", d.message);
  cr_assert_geq(d.set.count, 2, "%s: %zu contacts", name, d.set.count);
  double tilt_rad = 0;
  for (size_t i = 0; i < d.set.count; i++)
    tilt_rad = fmax(tilt_rad, acos(fmin(d.set.contacts[i].normal.y, 1)));
  driver_close(&d);
  return tilt_rad;
}

Test(engines_shapes, bullet_tilts_normals_at_edges_inside_a_flat_field_unless_it_adjusts_them) {
  static const char *const names[2] = {"bullet_hull", "bullet_hull_f32"};
  for (int i = 0; i < 2; i++) {
    cr_expect_gt(largest_tilt_rad(names[i], false), 0.05, "%s", names[i]);
    cr_expect_lt(largest_tilt_rad(names[i], true), 1e-6, "%s", names[i]);
  }
}
