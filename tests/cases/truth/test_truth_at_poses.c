// SPDX-License-Identifier: MIT
// covers: cases/truth/moved_truth.c cases/scene/joint_overlap.c
// The truth of bodies that have moved against an oracle that knows nothing of it: the overlap of
// their tets (geometry/mesh/motion_oracle.h), at touch, overlap and gap.
#include "base/random.h"
#include "base/sanitizer.h"
#include "base/status.h"
#include "cases/truth/derived_truth.h"
#include "cases/truth/motion_truth.h"
#include "cases/truth/moved_truth.h"
#include "geometry/mesh/motion_oracle.h"
#include "geometry/tolerances.h"
#include "geometry/twist/twist_samples.h"
#include "tests/cases/case_fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  unsetenv("TOUCHSTONE_TETGEN");
  arena = case_fixture_arena();
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

/// Between 10^low and 10^high.
static double log_uniform(ts_random *random, double low, double high) {
  return pow(10, low + (high - low) * ts_random_unit(random));
}

static ts_vec3 direction(ts_random *random) {
  ts_vec3 v;
  do
    v = ts_vec3_make(ts_random_unit(random) - 0.5, ts_random_unit(random) - 0.5,
                     ts_random_unit(random) - 0.5);
  while (ts_vec3_norm2(v) > 0.25 || ts_vec3_norm2(v) < 0.01);
  return ts_vec3_unit(v);
}

/// Moves every body that is not fixed, about the middle of its box.
static const ts_body *move(const ts_scene *built, ts_random *random, double low, double high) {
  ts_body *bodies = ts_arena_copy(arena, built->bodies, built->body_count, sizeof *bodies);
  for (size_t i = 0; i < built->body_count; i++) {
    if (bodies[i].is_fixed)
      continue;
    const ts_shape *shape = &built->shapes[bodies[i].shape];
    double size_m = ts_aabb_extent(shape->bounds_local);
    double angle = log_uniform(random, low, high);
    ts_vec3 half = ts_vec3_scale(direction(random), sin(0.5 * angle));
    ts_vec3 centre = ts_aabb_centre(ts_body_bounds(shape, bodies[i].pose));
    ts_pose turn = {{cos(0.5 * angle), half.x, half.y, half.z}, {0, 0, 0}};
    turn.translation = ts_vec3_sub(centre, ts_pose_direction(turn, centre));
    turn.translation = ts_vec3_add_scaled(turn.translation, size_m * log_uniform(random, low, high),
                                          direction(random));
    bodies[i].pose = ts_pose_mul(turn, bodies[i].pose);
  }
  return bodies;
}

/// A normal along which a pair touches or overlaps.
typedef struct wall {
  ts_vec3 normal;
  double depth_m;
} wall;

/// What of a pair's truth has been held against volumes.
typedef struct found {
  size_t poses, unknown, walls, touching, apart, free, blocked;
  size_t too_deep, not_deep, not_apart, no_wall, false_free, false_blocked; ///< contradictions
} found;

typedef struct pair_at {
  const ts_scene *scene;
  const ts_region *regions;
  size_t count;
  double second_order; ///< of the largest motion
  bool needs_all;      ///< of any-one normals all are as good
  double size_m;
  ts_twist_frame frame;
  const ts_mesh *a, *b;
} pair_at;

/// Of normals of which any one is right the bodies have to be apart along one: the best of them,
/// which is what a region has.
static size_t find_walls(wall *out, const pair_at *p) {
  size_t count = 0;
  for (size_t r = 0; r < p->count; r++) {
    const ts_region *region = &p->regions[r];
    const ts_feasible_set *set = &region->feasible[TS_REFERENCE_FEASIBLE];
    for (size_t n = 0; n < (region->needs_all ? set->count : 1); n++)
      out[count++] = (wall){set->normals[n].normal, -set->normals[n].gap_m};
  }
  return count;
}

/// The least translation that takes b out of all walls.
static ts_vec3 way_out(const wall *walls, size_t count) {
  ts_vec3 way = {0, 0, 0};
  for (int round = 0; round < 2000; round++)
    for (size_t i = 0; i < count; i++) {
      double left_m = walls[i].depth_m - ts_vec3_dot(walls[i].normal, way);
      way = ts_vec3_add_scaled(way, fmax(0, left_m), walls[i].normal);
    }
  return way;
}

static ts_motion_oracle *oracle_at(const pair_at *p, ts_vec3 shift) {
  ts_motion_oracle *oracle;
  int32_t a = p->regions[0].body_a, b = p->regions[0].body_b;
  ts_pose pose_b = p->scene->bodies[b].pose;
  pose_b.translation = ts_vec3_add(pose_b.translation, shift);
  cr_assert_eq(ts_motion_oracle_create(&oracle, arena, &p->frame, p->a, p->scene->bodies[a].pose,
                                       p->b, pose_b),
               TS_OK);
  return oracle;
}

static double volume_depth(const pair_at *p, const ts_motion_oracle *oracle) {
  static const double at_rest[6] = {0};
  return ts_motion_oracle_depth(oracle, at_rest) * TS_ORACLE_STEP * p->frame.length_m;
}

/// Rounding, and the second order of the rotations.
static const double rounding = 1e-6;

/// The depths of all walls: the volumes are nowhere deeper; out of all walls they are apart; and
/// back in one they overlap. False where no translation leads out.
static bool compare_depths(ts_vec3 *out_way, found *out, const pair_at *p) {
  wall walls[64];
  size_t count = find_walls(walls, p);
  double deepest_m = 0, noise_m = rounding * p->size_m, second_m = p->second_order * p->size_m;
  for (size_t i = 0; i < count; i++)
    deepest_m = fmax(deepest_m, walls[i].depth_m);
  double volumes_m = volume_depth(p, oracle_at(p, (ts_vec3){0, 0, 0}));
  out->too_deep += volumes_m > deepest_m + noise_m + second_m;
  if (count == 1)
    out->not_deep += volumes_m < deepest_m - noise_m - second_m;
  *out_way = way_out(walls, count);
  for (size_t i = 0; i < count; i++)
    if (walls[i].depth_m - ts_vec3_dot(walls[i].normal, *out_way) > 1e-3 * noise_m)
      return false;
  out->not_apart += volume_depth(p, oracle_at(p, *out_way)) > noise_m + second_m;
  for (size_t i = 0; i < count && count > 1; i++) {
    double back_m = 0.2 * walls[i].depth_m;
    // Not where the wall is met at a corner that another one has led it away from.
    if (back_m < 10 * noise_m ||
        ts_vec3_dot(walls[i].normal, *out_way) - walls[i].depth_m > 0.01 * back_m)
      continue;
    ts_vec3 back = ts_vec3_add_scaled(*out_way, -back_m, walls[i].normal);
    out->walls++;
    out->no_wall += volume_depth(p, oracle_at(p, back)) < 0.4 * back_m - noise_m;
  }
  return true;
}

/// What the oracle says of motions where bodies touch and where they are apart by more than its
/// step. Closer than that it sees what a motion meets next, so that a pair that has another normal
/// there is left out.
static void compare_motions(found *out, const pair_at *p) {
  double step_m = TS_ORACLE_STEP * p->frame.length_m, touch_m = TS_POSITION_RELATIVE * p->size_m;
  size_t touching = 0;
  if (!p->needs_all)
    return;
  for (size_t r = 0; r < p->count; r++) {
    const ts_feasible_set *set = &p->regions[r].feasible[TS_REFERENCE_FEASIBLE];
    for (size_t n = 0; n < set->count; n++) {
      if (set->normals[n].gap_m > touch_m && set->normals[n].gap_m < 3 * step_m)
        return;
      touching += set->normals[n].gap_m <= touch_m;
    }
  }
  ts_twist_cone closed, all;
  cr_assert_eq(ts_motion_truth(&closed, arena, p->scene, &p->frame, p->regions, p->count, NULL,
                               TS_CORNERS_CLOSED),
               TS_OK);
  cr_assert_eq(
      ts_motion_truth(&all, arena, p->scene, &p->frame, p->regions, p->count, NULL, TS_CORNERS_ALL),
      TS_OK);
  ts_motion_oracle *oracle = oracle_at(p, (ts_vec3){0, 0, 0});
  out->touching += touching > 0;
  out->apart += touching == 0;
  ts_twist_samples samples = ts_twist_samples_start(0);
  for (int i = 0; i < 40; i++) {
    double twist[6];
    ts_twist_samples_next(twist, &samples);
    ts_motion said = ts_motion_oracle_ask(oracle, twist);
    bool is_free = ts_twist_cone_margin(&all, twist) > -1e-6;
    bool is_blocked = ts_twist_cone_margin(&closed, twist) < -2.5e-3;
    out->free += is_free;
    out->blocked += is_blocked;
    out->false_free += is_free && said == TS_MOTION_BLOCKED;
    out->false_blocked += is_blocked && said == TS_MOTION_FREE;
  }
}

static pair_at pair_of(const ts_scene *scene, const ts_region *regions, size_t count, double most) {
  int32_t a = regions[0].body_a, b = regions[0].body_b;
  bool needs_all = true;
  for (size_t i = 0; i < scene->joint_count; i++) {
    const ts_joint *joint = &scene->joints[i];
    if (joint->body_a == a && joint->body_b == b)
      needs_all &= joint->needs_all || most <= 1e-9; // then all normals are as good
  }
  return (pair_at){.scene = scene,
                   .needs_all = needs_all,
                   .second_order = 4 * most * most,
                   .regions = regions,
                   .count = count,
                   .size_m = case_fixture_pair_size(scene, regions),
                   .frame = ts_motion_frame(scene, a, b, regions, count),
                   .a = case_fixture_filled(arena, scene, a),
                   .b = case_fixture_filled(arena, scene, b)};
}

/// The depths where the pair is, and its motions there and out of its walls, at exact touch.
static void compare_pair(found *out, const ts_scene *built, const ts_scene *scene,
                         const ts_moved_truth *truth, const ts_region *regions, size_t count,
                         double most) {
  pair_at p = pair_of(scene, regions, count, most);
  out->poses++;
  ts_vec3 way;
  if (!compare_depths(&way, out, &p))
    return;
  if (ts_vec3_norm2(way) == 0)
    compare_motions(out, &p);
  ts_body *bodies = ts_arena_copy(arena, scene->bodies, scene->body_count, sizeof *bodies);
  ts_vec3 *at = &bodies[regions[0].body_b].pose.translation;
  *at = ts_vec3_add(*at, way);
  ts_scene *outside;
  cr_assert_eq(ts_scene_at(&outside, arena, built, bodies, truth), TS_OK);
  regions = ts_scene_pair_regions(&count, outside, regions[0].body_a, regions[0].body_b);
  if (count == 0)
    return; // unknown there
  p = pair_of(outside, regions, count, most);
  compare_motions(out, &p);
}

/// How a truth is spoiled, to see that volumes find it out.
typedef void (*spoil)(ts_scene *scene);

static found compare_case(const ts_scene *built, size_t moves, double low, double high,
                          spoil spoil_truth) {
  found out = {0};
  ts_moved_truth *truth;
  cr_assert_eq(ts_moved_truth_create(&truth, arena, built), TS_OK);
  ts_random random = ts_random_seed(7, 0);
  size_t pair = 0, stride = built->body_count / 4 + 1; // the pairs of large scenes in turn
  for (size_t i = 0; i < moves; i++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    ts_scene *scene;
    cr_assert_eq(ts_scene_at(&scene, arena, built, move(built, &random, low, high), truth), TS_OK);
    cr_assert(scene->truth_is_moved);
    out.unknown += scene->unknown_count;
    if (spoil_truth)
      spoil_truth(scene);
    for (size_t r = 0, count; r < scene->region_count; r += count) {
      const ts_region *regions =
          ts_scene_pair_regions(&count, scene, scene->regions[r].body_a, scene->regions[r].body_b);
      if (pair++ % stride != 0)
        continue;
      ts_arena_mark inner = ts_arena_get_mark(arena);
      compare_pair(&out, built, scene, truth, regions, count, pow(10, high));
      ts_arena_rewind(arena, inner);
    }
    ts_arena_rewind(arena, mark);
  }
  return out;
}

static size_t contradictions(const found *f) {
  return f->too_deep + f->not_deep + f->not_apart + f->no_wall + f->false_free + f->false_blocked;
}

/// Moves within the rounding of a touch, within the tolerance of it, and up to 3 mm and 0.2 degrees
/// a metre.
static const double ranges[][2] = {{-12, -10}, {-7, -4}, {-4, -2.5}};

#define MOVES (TS_HAS_ADDRESS_SANITIZER ? 4 : 12)

static size_t compare_suite(const char *suite, size_t moves) {
  size_t cases = 0;
  for (size_t i = 0; ts_cases[i]; i++) {
    const char *name = ts_cases[i]->name;
    if (strcmp(ts_cases[i]->suite, suite) != 0)
      continue;
    ts_arena_mark mark = ts_arena_get_mark(arena);
    const ts_scene *built = build_default(arena, name);
    for (int k = 0; k < 3; k++) {
      found f = compare_case(built, moves, ranges[k][0], ranges[k][1], NULL);
      cr_expect_eq(
          contradictions(&f), 0,
          "%s, %g: of %zu pairs %zu too deep, %zu not as deep, %zu not apart; of %zu walls "
          "%zu not there; of %zu free motions %zu blocked, of %zu blocked ones %zu free",
          name, ranges[k][1], f.poses, f.too_deep, f.not_deep, f.not_apart, f.walls, f.no_wall,
          f.free, f.false_free, f.blocked, f.false_blocked);
      cr_expect(f.unknown <= f.poses && (k == 2 || f.unknown == 0), "%s: %zu unknown", name,
                f.unknown);
      cr_expect_gt(f.poses + f.unknown, 0, "%s", name);
    }
    ts_arena_rewind(arena, mark);
    cases++;
  }
  return cases;
}

Test(cases_truth_at_poses, of_the_thirteen_cases_is_what_volumes_say, .init = setup,
     .fini = teardown) {
  cr_expect_eq(compare_suite("erleben", MOVES), 13);
}

Test(cases_truth_at_poses, and_so_is_that_of_the_extended_suite, .init = setup, .fini = teardown) {
  cr_expect_eq(compare_suite("extended", MOVES), 10);
}

Test(cases_truth_at_poses, whatever_the_size_and_the_place, .init = setup, .fini = teardown) {
  const char *names[] = {"arch", "spike_in_hole", "spikes", "wedges", "cliff_edges"};
  for (size_t i = 0; i < 5; i++)
    for (double scale = 1e-3; scale <= 1e3; scale *= 1e6) {
      const ts_scene *built = build_case(arena, names[i], {"scale", scale}, {"motion_seed", 5},
                                         {"offset_m", 100 * scale});
      found f = compare_case(built, 5, -4, -2.5, NULL);
      cr_expect_eq(contradictions(&f), 0, "%s at %g", names[i], scale);
    }
}

static void deepen(ts_scene *scene) {
  for (size_t r = 0; r < scene->region_count; r++)
    scene->regions[r].feasible[TS_REFERENCE_FEASIBLE].normals[0].gap_m -= 1e-3;
}

static void raise_it(ts_scene *scene) {
  for (size_t r = 0; r < scene->region_count; r++)
    scene->regions[r].feasible[TS_REFERENCE_FEASIBLE].normals[0].gap_m += 1e-3;
}

static void drop_wall(ts_scene *scene) {
  scene->region_count--;
}

Test(cases_truth_at_poses, a_wrong_truth_is_found_out, .init = setup, .fini = teardown) {
  const spoil spoils[] = {deepen, raise_it, drop_wall};
  const ts_scene *crack = build_default(arena, "spike_in_crack"),
                 *floor = build_default(arena, "internal_edges");
  for (int i = 0; i < 3; i++) {
    found f = compare_case(crack, 12, -4, -2.5, spoils[i]);
    cr_expect_gt(contradictions(&f), 2, "%d", i);
  }
  for (int i = 0; i < 2; i++) {
    found f = compare_case(floor, 12, -4, -2.5, spoils[i]);
    cr_expect_gt(contradictions(&f), 2, "%d", i);
  }
}

/// A case with its second body turned about an axis through the origin of its first region, then
/// moved, in the world.
static const ts_scene *placed(const char *name, ts_vec3 axis, double angle_deg, ts_vec3 by) {
  const ts_scene *built = build_default(arena, name);
  ts_body *bodies = ts_arena_copy(arena, built->bodies, built->body_count, sizeof *bodies);
  double half = angle_deg * 3.14159265358979323846 / 360;
  ts_vec3 v = ts_vec3_scale(ts_vec3_unit(axis), sin(half)), at = built->regions[0].vertices[0];
  ts_pose turn = {{cos(half), v.x, v.y, v.z}, {0, 0, 0}};
  turn.translation = ts_vec3_add(ts_vec3_sub(at, ts_pose_direction(turn, at)), by);
  bodies[1].pose = ts_pose_mul(turn, bodies[1].pose);
  ts_moved_truth *truth;
  ts_scene *scene;
  cr_assert_eq(ts_moved_truth_create(&truth, arena, built), TS_OK);
  cr_assert_eq(ts_scene_at(&scene, arena, built, bodies, truth), TS_OK);
  return scene;
}

static const ts_vec3 x_axis = {1, 0, 0}, y_axis = {0, 1, 0}, z_axis = {0, 0, 1},
                     nothing = {0, 0, 0};

Test(cases_truth_at_poses, where_nothing_has_moved_it_is_that_as_built, .init = setup,
     .fini = teardown) {
  for (size_t i = 0; ts_cases[i]; i++) {
    if (strcmp(ts_cases[i]->suite, "erleben") != 0 && strcmp(ts_cases[i]->suite, "extended") != 0)
      continue;
    ts_arena_mark mark = ts_arena_get_mark(arena);
    const ts_scene *built = build_default(arena, ts_cases[i]->name);
    const ts_scene *moved = placed(ts_cases[i]->name, x_axis, 0, nothing);
    cr_expect_eq(moved->unknown_count, 0, "%s", ts_cases[i]->name);
    for (int r = 0; r < TS_REFERENCE_COUNT; r++) {
      if (r == TS_REFERENCE_PUBLISHED)
        continue; // of the truth as it is carried
      ts_truth_totals a = ts_scene_truth_totals(built, (ts_reference)r);
      ts_truth_totals b = ts_scene_truth_totals(moved, (ts_reference)r);
      cr_expect(a.pairs == b.pairs && a.minimum == b.minimum, "%s: %zu, %zu", ts_cases[i]->name,
                a.minimum, b.minimum);
    }
    ts_arena_rewind(arena, mark);
  }
}

Test(cases_truth_at_poses, crossing_edges_have_the_normal_of_their_crossing, .init = setup,
     .fini = teardown) {
  const ts_scene *scene = placed("crossing_edges", x_axis, 2, ts_vec3_make(0, -1e-4, 0));
  cr_assert_eq(scene->region_count, 1);
  const ts_region *region = &scene->regions[0];
  const ts_joint *joint = &scene->joints[0];
  ts_vec3 edge_a = ts_vec3_sub(joint->feature_a_local[1], joint->feature_a_local[0]);
  ts_vec3 edge_b = ts_vec3_sub(joint->feature_b_local[1], joint->feature_b_local[0]);
  ts_vec3 across = ts_vec3_unit(ts_vec3_cross(ts_pose_direction(scene->bodies[0].pose, edge_a),
                                              ts_pose_direction(scene->bodies[1].pose, edge_b)));
  const ts_feasible *normal = &region->feasible[TS_REFERENCE_DESIGN].normals[0];
  cr_expect_float_eq(fabs(ts_vec3_dot(across, normal->normal)), 1, 1e-14);
  cr_expect_lt(normal->gap_m, -0.9e-4);
  cr_expect_eq(region->vertex_count, 1);
}

Test(cases_truth_at_poses, a_tilted_face_touches_at_its_lower_corners, .init = setup,
     .fini = teardown) {
  const ts_scene *scene = placed("internal_edges", z_axis, 0.5, nothing);
  cr_assert_eq(scene->region_count, 1);
  ts_truth_totals totals = ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN);
  const ts_region *region = &scene->regions[0];
  cr_expect_eq(region->vertex_count, 4);
  cr_expect_eq(totals.minimum, 2, "%zu", totals.minimum);
  cr_expect_eq(ts_regions_minimum(region, 1, TS_REFERENCE_DESIGN, ts_region_limits(scene, region),
                                  TS_CORNERS_ALL),
               4);
  double size_m = case_fixture_pair_size(scene, region);
  cr_expect_float_eq(ts_region_largest_gap(region),
                     size_m * tan(0.5 * 3.14159265358979323846 / 180), 0.1 * size_m);
}

Test(cases_truth_at_poses, faces_that_have_parted_have_two_normals, .init = setup,
     .fini = teardown) {
  for (int i = 0; i < 2; i++) {
    const ts_scene *scene = placed("internal_edges", z_axis, i ? 0.9 : 0.7, nothing);
    cr_assert_eq(scene->region_count, 1);
    const ts_region *region = &scene->regions[0];
    cr_expect_eq(region->feasible[TS_REFERENCE_FEASIBLE].count, i ? 2 : 1);
    cr_expect_eq(region->needs_all, !i);
    cr_expect_eq(ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN).minimum, 2);
  }
}

Test(cases_truth_at_poses, too_far_away_it_is_unknown_and_says_why, .init = setup,
     .fini = teardown) {
  const struct {
    const char *name;
    ts_vec3 axis;
    double angle_deg;
    ts_vec3 by;
    const char *reason;
  } all[] = {{"internal_edges", z_axis, 1.1, nothing, "turned"},
             {"sliding_spike", z_axis, 2.6, nothing, "turned"},
             {"sliding_spike", z_axis, 2.4, nothing, NULL},
             {"internal_edges", y_axis, 30, nothing, NULL},
             {"internal_edges", x_axis, 0, {0, -0.03, 0}, "overlap"},
             {"internal_edges", x_axis, 0, {0, -0.01, 0}, NULL},
             {"internal_edges", x_axis, 0, {0, 0.5, 0}, NULL},
             {"sliding_spike", x_axis, 0, {9, 0, 0}, "no longer lie"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const ts_scene *scene = placed(all[i].name, all[i].axis, all[i].angle_deg, all[i].by);
    cr_expect_eq(scene->unknown_count, all[i].reason != NULL, "%zu", i);
    cr_expect_eq(scene->region_count, all[i].reason == NULL, "%zu", i);
    if (all[i].reason && scene->unknown_count > 0)
      cr_expect_not_null(strstr(scene->unknown[0].reason, all[i].reason), "%zu: %s", i,
                         scene->unknown[0].reason);
  }
}

Test(cases_truth_at_poses, a_place_of_several_pieces_stays_one_region, .init = setup,
     .fini = teardown) {
  const char *names[] = {"frame_on_slab", "stool", "l_on_table"};
  for (int i = 0; i < 3; i++) {
    ts_scene *built = case_fixture_open(arena, names[i]);
    cr_assert_gt(built->joint_count, 1, "%s", names[i]);
    ts_moved_truth *truth;
    cr_assert_eq(ts_moved_truth_create(&truth, arena, built), TS_OK);
    ts_random random = ts_random_seed(3, 0);
    for (int k = 0; k < 10; k++) {
      ts_scene *scene;
      const ts_body *bodies = k == 0 ? built->bodies : move(built, &random, -6, -4);
      cr_assert_eq(ts_scene_at(&scene, arena, built, bodies, truth), TS_OK);
      cr_expect_eq(scene->unknown_count, 0);
      cr_assert_eq(scene->region_count, 1, "%s", names[i]);
      cr_expect_eq(scene->regions[0].piece_count, built->regions[0].piece_count);
      cr_expect_eq(scene->regions[0].vertex_count, built->regions[0].vertex_count, "%s: %zu",
                   names[i], scene->regions[0].vertex_count);
    }
  }
}

/// The least gap along a normal of a pair in a scene; NaN: it has no such normal.
static double gap_along(const ts_scene *scene, const ts_region *like, ts_vec3 normal) {
  double least_m = NAN;
  for (size_t r = 0; r < scene->region_count; r++) {
    const ts_region *region = &scene->regions[r];
    if (region->body_a != like->body_a || region->body_b != like->body_b)
      continue;
    const ts_feasible_set *set = &region->feasible[TS_REFERENCE_FEASIBLE];
    for (size_t n = 0; n < set->count; n++)
      if (ts_vec3_distance(set->normals[n].normal, normal) < 1e-6)
        least_m = fmin(least_m, set->normals[n].gap_m);
  }
  return least_m;
}

/// Compares the truth of `other`, the same bodies as `designed`, at random poses; the number of
/// gaps.
static size_t compare_at_poses(const char *name, const ts_scene *designed, const ts_scene *other) {
  size_t compared = 0;
  ts_moved_truth *of_designed, *of_other;
  cr_assert_eq(ts_moved_truth_create(&of_designed, arena, designed), TS_OK);
  cr_assert_eq(ts_moved_truth_create(&of_other, arena, other), TS_OK);
  ts_random random = ts_random_seed(11, 0);
  for (int k = 0; k < 6; k++) {
    ts_arena_mark inner = ts_arena_get_mark(arena);
    const double *range = ranges[k % 3];
    const ts_body *bodies = move(designed, &random, range[0], range[1]);
    ts_scene *a, *b;
    cr_assert_eq(ts_scene_at(&a, arena, designed, bodies, of_designed), TS_OK);
    cr_assert_eq(ts_scene_at(&b, arena, other, bodies, of_other), TS_OK);
    cr_expect_eq(a->unknown_count, b->unknown_count, "%s", name);
    cr_expect_eq(a->truth_is_moved, b->truth_is_moved, "%s", name);
    for (size_t r = 0; r < a->region_count; r++) {
      const ts_feasible_set *set = &a->regions[r].feasible[TS_REFERENCE_FEASIBLE];
      double size_m = case_fixture_pair_size(a, &a->regions[r]);
      for (size_t n = 0; n < set->count; n++) {
        ts_vec3 normal = set->normals[n].normal;
        double one_m = gap_along(a, &a->regions[r], normal);
        double other_m = gap_along(b, &a->regions[r], normal);
        cr_expect(fabs(one_m - other_m) <= 1e-9 * size_m, "%s: %.12g, %.12g", name, one_m, other_m);
        compared++;
      }
    }
    ts_arena_rewind(arena, inner);
  }
  return compared;
}

Test(cases_truth_at_poses, that_of_derived_and_of_told_regions_is_that_of_designed_joints,
     .init = setup, .fini = teardown) {
  size_t of_derived = 0, of_told = 0;
  for (size_t i = 0; ts_cases[i]; i++) {
    const char *name = ts_cases[i]->name;
    if (strcmp(ts_cases[i]->suite, "erleben") != 0)
      continue;
    ts_arena_mark mark = ts_arena_get_mark(arena);
    ts_scene *designed = build_default(arena, name), *derived = build_default(arena, name);
    ts_scene *told = build_default(arena, name);
    cr_assert_eq(ts_derive_truth(derived, TS_POSITION_RELATIVE), TS_OK, "%s", ts_status_detail());
    told->joint_count = 0;
    of_derived += compare_at_poses(name, designed, derived);
    of_told += compare_at_poses(name, designed, told);
    ts_arena_rewind(arena, mark);
  }
  cr_expect_gt(of_derived, 1000);
  cr_expect_eq(of_told, of_derived);
}
