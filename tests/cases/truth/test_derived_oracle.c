// SPDX-License-Identifier: MIT
// covers: cases/truth/derived_truth.c cases/truth/motion_truth.c
// The derived truth of scenes that were not designed, against an oracle that knows only volumes
// (geometry/mesh/motion_oracle.h): pairs of tetrahedra, and tips on every corner and edge of blocks
// with grooves and pits.
#include "base/random.h"
#include "base/status.h"
#include "cases/scene/shapes.h"
#include "cases/truth/derived_truth.h"
#include "cases/truth/motion_truth.h"
#include "geometry/mesh/motion_oracle.h"
#include "geometry/mesh/patches.h"
#include "geometry/tet.h"
#include "geometry/tolerances.h"
#include "geometry/twist/twist_samples.h"
#include "tests/cases/case_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/// Margins from which on the oracle must not say the opposite
/// (tests/cases/truth/test_joint_truth_oracle.c).
static const double sure_free = -1e-6, sure_blocked = -2.5e-3;

static ts_arena *arena;

static void setup(void) {
  unsetenv("TOUCHSTONE_TETGEN");
  arena = case_fixture_arena();
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

typedef struct outcome {
  size_t asked, blocked, false_free, false_blocked;
} outcome;

/// Every other twist is a rotation about a vertex of a region.
static void make_twist(double out[6], ts_twist_samples *samples, const ts_twist_frame *frame,
                       const ts_region *region, size_t i) {
  ts_twist_samples_next(out, samples);
  if (i % 2 == 0)
    return;
  ts_vec3 arm = ts_vec3_sub(region->vertices[i / 2 % region->vertex_count], frame->centre);
  ts_vec3 still =
      ts_vec3_scale(ts_quat_rotate(ts_quat_conjugate(frame->axes), arm), 1 / frame->length_m);
  ts_vec3 w = {out[3], out[4], out[5]}, v = ts_vec3_cross(still, w);
  ts_twist_row unit = {{v.x, v.y, v.z, w.x, w.y, w.z}};
  cr_assert(ts_twist_row_unit(&unit));
  memcpy(out, unit.of, sizeof unit.of);
}

/// Asks the oracle about the two bodies of a scene, filled with tets.
static void ask(outcome *out, const ts_scene *scene, const ts_mesh *const meshes[2], double step,
                size_t twists) {
  ts_twist_frame frame = ts_motion_frame(scene, 0, 1, scene->regions, scene->region_count);
  ts_twist_cone truth;
  cr_assert_eq(ts_motion_truth(&truth, arena, scene, &frame, scene->regions, scene->region_count,
                               NULL, TS_CORNERS_ALL),
               TS_OK);
  ts_motion_oracle *oracle;
  ts_status status = ts_motion_oracle_create(
      &oracle, arena, &frame, meshes[0], scene->bodies[0].pose, meshes[1], scene->bodies[1].pose);
  cr_assert_eq(status, TS_OK, "%s", ts_status_detail());
  ts_twist_samples samples = ts_twist_samples_start(0);
  for (size_t i = 0; i < twists; i++) {
    double twist[6];
    make_twist(twist, &samples, &frame, &scene->regions[i % scene->region_count], i);
    double margin = ts_twist_cone_margin(&truth, twist);
    ts_motion found = ts_motion_of_depth(ts_motion_oracle_depth_at(oracle, twist, step, INFINITY));
    out->asked++;
    out->blocked += margin < sure_blocked;
    out->false_blocked += margin > sure_free && found == TS_MOTION_BLOCKED;
    out->false_free += margin < sure_blocked && found == TS_MOTION_FREE;
  }
}

/// Moves b out where the bodies of a scene overlap, and derives the truth of their touch there.
/// Returns the step at which to ask about it: bodies that have been moved out touch exactly, and
/// with a smaller step they do not reach what is near and does not touch.
static double move_out(ts_scene *scene, double touch_relative) {
  if (scene->region_count == 0 || ts_vec3_norm2(scene->regions[0].way_out) == 0)
    return TS_ORACLE_STEP;
  ts_vec3 *at = &scene->bodies[1].pose.translation;
  *at = ts_vec3_add(*at, scene->regions[0].way_out);
  cr_assert_eq(ts_derive_truth(scene, touch_relative), TS_OK, "%s", ts_status_detail());
  cr_assert_gt(scene->region_count, 0);
  for (size_t i = 0; i < scene->region_count; i++)
    cr_expect_eq(ts_vec3_norm2(scene->regions[i].way_out), 0);
  return 0.1 * TS_ORACLE_STEP;
}

// ---- pairs of tetrahedra ----------------------------------------------------------------------

typedef struct tet_pair {
  char family[32];
  double offset_m;
  ts_vec3 corners[2][4];
} tet_pair;

/// Reads the next pair of the reference; false at the end.
static bool next_pair(tet_pair *out, gzFile file) {
  enum { FAMILY = 1, OFFSET, FIRST = 11, FIELDS = 35 };
  char line[2048], *rest = line;
  if (!gzgets(file, line, sizeof line))
    return false;
  for (int field = 0; rest; field++) {
    const char *text = strsep(&rest, ",");
    cr_assert_lt(field, FIELDS);
    if (field == FAMILY)
      snprintf(out->family, sizeof out->family, "%s", text);
    else if (field == OFFSET)
      out->offset_m = strtod(text, NULL);
    else if (field >= FIRST) {
      ts_vec3 *corner = &out->corners[(field - FIRST) / 12][(field - FIRST) % 12 / 3];
      double *axes[3] = {&corner->x, &corner->y, &corner->z};
      *axes[(field - FIRST) % 3] = strtod(text, NULL);
    }
  }
  return true;
}

static gzFile open_pairs(void) {
  gzFile file = gzopen(TS_REFERENCE_FOLDER "/tet_pairs.csv.gz", "rb");
  char header[2048];
  cr_assert(file && gzgets(file, header, sizeof header));
  return file;
}

/// A scene of two tets; false when one of them is flat.
static bool build_pair(ts_scene **out, const ts_mesh *meshes[2], const tet_pair *pair) {
  static const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  static const uint32_t tet[1][4] = {{0, 1, 2, 3}};
  cr_assert_eq(ts_scene_create(out, arena), TS_OK);
  for (int i = 0; i < 2; i++) {
    ts_vec3 corners[4];
    memcpy(corners, pair->corners[i], sizeof corners);
    if (ts_tet_volume(corners) < 0) {
      corners[0] = pair->corners[i][1];
      corners[1] = pair->corners[i][0];
    }
    int32_t shape, body;
    ts_mesh *mesh;
    if (ts_scene_add_shape(&shape, *out, "tet", corners, 4, faces, 4) != TS_OK)
      return false;
    cr_assert_eq(ts_scene_add_body(&body, *out, i ? "b" : "a", shape, ts_pose_identity(), false),
                 TS_OK);
    cr_assert_eq(ts_mesh_create(&mesh, arena, corners, 4, faces, 4), TS_OK);
    cr_assert_eq(ts_mesh_set_tets(mesh, arena, tet, 1), TS_OK);
    meshes[i] = mesh;
  }
  return true;
}

/// The coordinates are of single precision: what was to touch does so within this, relative to the
/// size.
static const double single_touch = 1e-6;

static void expect_no_contradiction(const outcome *o, const char *what) {
  cr_expect_eq(o->false_free, 0, "%s: %zu of %zu blocked twists meet nothing", what, o->false_free,
               o->blocked);
  cr_expect_eq(o->false_blocked, 0, "%s: %zu of %zu free twists meet something", what,
               o->false_blocked, o->asked - o->blocked);
}

static void add(outcome *sum, const outcome *o) {
  sum->asked += o->asked;
  sum->blocked += o->blocked;
  sum->false_free += o->false_free;
  sum->false_blocked += o->false_blocked;
}

static double deepest_gap_m(const ts_scene *scene) {
  double deepest_m = INFINITY;
  for (size_t i = 0; i < scene->region_count; i++)
    deepest_m = fmin(deepest_m, scene->regions[i].feasible[TS_REFERENCE_FEASIBLE].normals[0].gap_m);
  return deepest_m;
}

Test(cases_derived_oracle, tetrahedra_of_the_reference_move_as_derived, .init = setup,
     .fini = teardown) {
  gzFile file = open_pairs();
  tet_pair pair;
  outcome sum = {0};
  size_t touching = 0, overlapping = 0, tied = 0;
  while (next_pair(&pair, file)) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    ts_scene *scene;
    const ts_mesh *meshes[2];
    build_pair(&scene, meshes, &pair);
    double overlap_m = ts_tet_tet_least_overlap(pair.corners[0], pair.corners[1]).overlap_m;
    double touch_m = 2 * single_touch * ts_pair_size_m(&scene->shapes[0], &scene->shapes[1]);
    ts_status status = ts_derive_truth(scene, single_touch);
    cr_assert(status == TS_OK || status == TS_SKIPPED, "%s", ts_status_detail());
    if (overlap_m > touch_m && status == TS_OK) {
      cr_expect_float_eq(deepest_gap_m(scene), -overlap_m, 1e-12, "%s %g: %g, overlap of %g",
                         pair.family, pair.offset_m, deepest_gap_m(scene), overlap_m);
      overlapping++;
    }
    if (overlap_m > touch_m && status == TS_SKIPPED) {
      cr_expect(strstr(ts_status_detail(), "equally short"), "%s %g: %s", pair.family,
                pair.offset_m, ts_status_detail());
      tied++;
    }
    if (overlap_m < 0)
      cr_expect_eq(status, TS_OK, "%s %g: a gap of %g", pair.family, pair.offset_m, -overlap_m);
    if (overlap_m < -touch_m)
      cr_expect_eq(scene->region_count, 0, "%s %g", pair.family, pair.offset_m);
    if (status == TS_OK && overlap_m > -1e-12)
      cr_expect_gt(scene->region_count, 0, "%s %g", pair.family, pair.offset_m);
    // Next to where a corner overlapped a little the oracle's step reaches other features.
    bool is_clear = overlap_m <= touch_m || overlap_m >= 0.05;
    if (status == TS_OK && scene->region_count > 0 && is_clear) {
      double step = move_out(scene, single_touch);
      outcome o = {0};
      ask(&o, scene, meshes, step, 50);
      expect_no_contradiction(&o, pair.family);
      add(&sum, &o);
      touching++;
    }
    ts_arena_rewind(arena, mark);
  }
  cr_assert_eq(gzclose(file), Z_OK);
  cr_expect_gt(touching, 600);
  cr_expect_gt(overlapping, 350);
  cr_expect_eq(tied, 0);
  cr_expect_gt(sum.blocked, sum.asked / 10);
}

// ---- tips on corners and edges ----------------------------------------------------------------

/// The rotation that turns one unit direction to another, then by an angle about that.
static ts_quat turn_to(ts_vec3 from, ts_vec3 to, double spin_rad) {
  ts_vec3 axis = ts_vec3_cross(from, to);
  ts_quat shortest = ts_quat_unit((ts_quat){1 + ts_vec3_dot(from, to), axis.x, axis.y, axis.z});
  return ts_quat_mul(ts_quat_from_axis_angle(to, spin_rad), shortest);
}

/// A place on the lower body and the mean of the normals there.
typedef struct perch {
  ts_vec3 point, out;
} perch;

static size_t list_perches(perch *out, size_t largest, const ts_mesh *mesh) {
  ts_patches *p;
  cr_assert_eq(ts_patches_create(&p, arena, mesh, 1e-9), TS_OK);
  size_t count = 0;
  for (size_t c = 0; c < p->corner_count && count < largest; c++) {
    ts_vec3 sum = {0, 0, 0};
    for (uint32_t i = 0; i < p->corners[c].patch_count; i++)
      sum =
          ts_vec3_add(sum, p->patches[p->patches_of_corners[p->corners[c].first_patch + i]].normal);
    out[count++] = (perch){mesh->vertices[p->corners[c].vertex], ts_vec3_unit(sum)};
  }
  for (size_t e = 0; e < p->edge_count && count < largest; e++) {
    const ts_patch_edge *edge = &p->edges[e];
    ts_vec3 sum =
        ts_vec3_add(p->patches[edge->patches[0]].normal, p->patches[edge->patches[1]].normal);
    out[count++] =
        (perch){ts_vec3_mid(mesh->vertices[edge->vertices[0]], mesh->vertices[edge->vertices[1]]),
                ts_vec3_unit(sum)};
  }
  return count;
}

/// Sets the tip of the upper body of a case on every corner and edge of the lower one, turned at
/// random.
static size_t perch_everywhere(outcome *sum, const char *name, size_t turns) {
  enum { PERCHES_MAX = 200 };
  ts_scene *scene = build_default(arena, name);
  const ts_mesh *meshes[2] = {case_fixture_filled(arena, scene, 0),
                              case_fixture_filled(arena, scene, 1)};
  const ts_mesh *upper = scene->shapes[scene->bodies[1].shape].mesh;
  ts_vec3 tip = upper->vertices[ts_spike_tip.vertex[0]];
  ts_vec3 down = ts_vec3_unit(ts_vec3_sub(tip, ts_mesh_mass_properties(upper, 1).centre_local));
  perch perches[PERCHES_MAX];
  size_t touching = 0,
         count = list_perches(perches, PERCHES_MAX, scene->shapes[scene->bodies[0].shape].mesh);
  ts_random random = ts_random_seed(11, 3);
  for (size_t i = 0; i < count * turns; i++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    ts_vec3 tilt = {ts_random_uniform(&random, -0.4, 0.4), ts_random_uniform(&random, -0.4, 0.4),
                    ts_random_uniform(&random, -0.4, 0.4)};
    const perch *at = &perches[i % count];
    ts_vec3 to = ts_vec3_neg(ts_vec3_unit(ts_vec3_add(at->out, tilt)));
    ts_vec3 point = ts_pose_point(scene->bodies[0].pose, at->point); // not turned
    ts_pose pose = {.rotation = turn_to(down, to, ts_random_uniform(&random, 0, 6.3))};
    pose.translation = ts_vec3_sub(point, ts_quat_rotate(pose.rotation, tip));
    scene->bodies[1].pose = pose;
    ts_scene moved = *scene;
    ts_status status = ts_derive_truth(&moved, TS_TOUCH_RELATIVE);
    cr_assert(status == TS_OK || status == TS_SKIPPED, "%s", ts_status_detail());
    if (status == TS_OK) {
      cr_assert_gt(moved.region_count, 0, "%s, pose %zu", name, i);
      double step = move_out(&moved, TS_TOUCH_RELATIVE);
      outcome o = {0};
      char what[80];
      snprintf(what, sizeof what, "%s, pose %zu", name, i);
      ask(&o, &moved, meshes, step, 60);
      expect_no_contradiction(&o, what);
      add(sum, &o);
      touching++;
    }
    ts_arena_rewind(arena, mark);
  }
  return touching;
}

Test(cases_derived_oracle, and_tips_on_every_corner_and_edge_of_grooves_pits_and_saddles,
     .init = setup, .fini = teardown) {
  const char *names[] = {"spike_in_crack", "spike_in_hole", "spike_on_saddle", "sliding_spike"};
  const size_t smallest[] = {50, 50, 300, 30};
  outcome sum = {0};
  for (size_t i = 0; i < 4; i++)
    cr_expect_gt(perch_everywhere(&sum, names[i], 2), smallest[i], "%s", names[i]);
  cr_expect_gt(sum.blocked, sum.asked / 20);
}

/// The middle of a saddle on that of another, turned by all angles at which they do not overlap.
Test(cases_derived_oracle, and_mixed_corners_on_each_other, .init = setup, .fini = teardown) {
  for (double cells = 2; cells <= 8; cells += 6) {
    ts_scene *scene = build_case(arena, "saddle_on_saddle", {"cells", cells});
    const ts_mesh *meshes[2] = {case_fixture_filled(arena, scene, 0),
                                case_fixture_filled(arena, scene, 1)};
    ts_pose as_designed = scene->bodies[1].pose;
    size_t touching = 0;
    outcome sum = {0};
    for (int i = -20; i <= 20; i++) {
      ts_quat turn = ts_quat_from_axis_angle(ts_vec3_make(0, 1, 0), 0.03 * i);
      scene->bodies[1].pose = as_designed;
      scene->bodies[1].pose.rotation = ts_quat_mul(turn, as_designed.rotation);
      ts_scene turned = *scene;
      if (ts_derive_truth(&turned, TS_TOUCH_RELATIVE) != TS_OK)
        continue;
      double step = move_out(&turned, TS_TOUCH_RELATIVE);
      ask(&sum, &turned, meshes, step, 60);
      touching++;
    }
    cr_expect_gt(touching, 15);
    expect_no_contradiction(&sum, "saddles");
  }
}

/// A block whose top is a fan of triangles around the origin with rim heights at random.
static void add_fan(ts_scene *scene, ts_random *random, uint32_t sides) {
  enum { SIDES_MAX = 12 };
  ts_vec3 vertices[2 * SIDES_MAX + 2];
  uint32_t triangles[4 * SIDES_MAX][3];
  uint32_t bottom = 2 * sides + 1;
  vertices[0] = ts_vec3_make(0, 0, 0);
  vertices[bottom] = ts_vec3_make(0, -2, 0);
  for (uint32_t i = 0; i < sides; i++) {
    double angle = 6.28318530717958647693 * (i + ts_random_uniform(random, -0.3, 0.3)) / sides;
    ts_vec3 rim = {cos(angle), ts_random_uniform(random, -1, 1), -sin(angle)};
    vertices[1 + i] = rim;
    vertices[1 + sides + i] = ts_vec3_make(rim.x, -2, rim.z);
    uint32_t next = (i + 1) % sides;
    const uint32_t cut[4][3] = {{0, 1 + i, 1 + next},
                                {1 + i, 1 + sides + i, 1 + sides + next},
                                {1 + i, 1 + sides + next, 1 + next},
                                {bottom, 1 + sides + next, 1 + sides + i}};
    memcpy(triangles[4 * i], cut, sizeof cut);
  }
  int32_t shape, body;
  ts_status status = ts_scene_add_shape(&shape, scene, "fan", vertices, bottom + 1,
                                        (const uint32_t(*)[3])triangles, 4 * (size_t)sides);
  cr_assert_eq(status, TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_scene_add_body(&body, scene, "fan", shape, ts_pose_identity(), false), TS_OK);
}

/// Whatever ridges and valleys meet in a corner.
Test(cases_derived_oracle, and_tips_on_any_corner, .init = setup, .fini = teardown) {
  ts_random random = ts_random_seed(17, 5);
  size_t touching = 0;
  outcome sum = {0};
  for (uint32_t i = 0; i < 60; i++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    ts_scene *scene;
    int32_t shape, body;
    cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
    add_fan(scene, &random, 4 + i % 5);
    cr_assert_eq(ts_shape_spike(&shape, scene), TS_OK);
    ts_pose down = ts_spike_pose_down(0);
    cr_assert_eq(ts_scene_add_body(&body, scene, "spike", shape, down, false), TS_OK);
    const ts_mesh *meshes[2] = {case_fixture_filled(arena, scene, 0),
                                case_fixture_filled(arena, scene, 1)};
    for (int k = 0; k < 4; k++) {
      ts_vec3 axis = {ts_random_uniform(&random, -1, 1), ts_random_uniform(&random, -1, 1),
                      ts_random_uniform(&random, -1, 1)};
      ts_quat turn = ts_quat_from_axis_angle(ts_vec3_unit(axis), ts_random_uniform(&random, 0, 1));
      scene->bodies[1].pose = down;
      scene->bodies[1].pose.rotation = ts_quat_mul(turn, down.rotation);
      ts_scene moved = *scene;
      ts_status status = ts_derive_truth(&moved, TS_TOUCH_RELATIVE);
      cr_assert(status == TS_OK || status == TS_SKIPPED, "%s", ts_status_detail());
      if (status != TS_OK)
        continue;
      touching++;
      double step = move_out(&moved, TS_TOUCH_RELATIVE);
      ask(&sum, &moved, meshes, step, 60);
    }
    ts_arena_rewind(arena, mark);
  }
  expect_no_contradiction(&sum, "fans");
  cr_expect_gt(touching, 150);
}

Test(cases_derived_oracle, a_demand_that_is_missing_is_found_out, .init = setup, .fini = teardown) {
  ts_scene *scene = build_default(arena, "saddle_on_saddle");
  const ts_mesh *meshes[2] = {case_fixture_filled(arena, scene, 0),
                              case_fixture_filled(arena, scene, 1)};
  cr_assert_eq(ts_derive_truth(scene, TS_TOUCH_RELATIVE), TS_OK);
  scene->regions[0].feasible[TS_REFERENCE_FEASIBLE].count--;
  outcome o = {0};
  ask(&o, scene, meshes, TS_ORACLE_STEP, 1000);
  cr_expect_gt(o.false_blocked, 0);
}
