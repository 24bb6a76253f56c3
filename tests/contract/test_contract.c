// SPDX-License-Identifier: MIT
// covers: methods/ldi_volume.c methods/registry.c methods/hull_clip/hull_clip.c
// covers: methods/sdf_samples/sdf_samples.c
/// What every method must satisfy on every case, whatever its quality. A new method or case is
/// under these tests from the day it is registered.

#include "base/hash.h"
#include "base/param.h"
#include "base/status.h"
#include "cases/case.h"
#include "geometry/tolerances.h"
#include "harness/plan/plan.h"
#include "harness/relations/scene_variants.h"
#include "harness/run/cell.h"
#include "methods/registry.h"
#include "tests/contract/helper_answers.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/// A promise that a method is known not to keep on some cases, or on one alone, and why. A row that
/// no case needs any more fails.
typedef struct known_exception {
  const char *promise, *method, *reason;
  const char *only; ///< the case; NULL: any
} known_exception;

#define ORDER_OF_TETGEN                                                                            \
  "TetGen fills the same surface with other tets when its vertices come in another order; with "   \
  "the tets given, their order and that of their nodes do not matter (tet_order)."
#define EDGES_MAY_BE_FAR_APART                                                                     \
  "The paper's edge rule looks at the lines of two edges along their common normal only, however " \
  "far apart the edges are: its points may be away from both bodies (Erleben 2018, 7.1)."
#define POINTS_MOVE_INTO_A_PLANE                                                                   \
  "The points where two tets meet are moved along the normal into one plane, which may lie "       \
  "beside bodies that overlap deeply (Erleben 2018, section 6)."
#define LOOKS_ALONG_THE_AXES                                                                       \
  "Layered depth images are taken along the axes of the world over a box along those axes: what "  \
  "a body's pose is to them shows in the last pixel (Allard 2010, 3.2)."

#define NOTHING_SINGLES_ONE_OUT                                                                    \
  "Three normals are as good as each other and the bodies rest: it gives the one of the feature "  \
  "that comes first."

#define TWINS_ARE_TOLD_APART_BY_THEIR_POSES                                                        \
  "Half a turn exchanges two equal bodies and two equally good axes: only where the bodies are "   \
  "in "                                                                                            \
  "the world tells one from the other."
#define NORMALS_ALMOST_THE_SAME                                                                    \
  "The normals of neighbouring polygons differ by about as much as counts as the same: which "     \
  "contacts at a common corner are one is left to rounding."

#define SLIVER_WHERE_SURFACES_MEET                                                                 \
  "Where surfaces of several pairs of tets meet in a corner, rounding decides whether there is a " \
  "polygon 1e-9 of the area of the largest: one of its contacts on either side of the stone."

static const known_exception known_exceptions[] = {
    {"overlap_box", "intersection", EDGES_MAY_BE_FAR_APART},
    {"overlap_box", "intersection_tets", EDGES_MAY_BE_FAR_APART},
    {"overlap_box", "volume_sat", POINTS_MOVE_INTO_A_PLANE},
    {"overlap_box", "surface_sat", POINTS_MOVE_INTO_A_PLANE},
    {"overlap_box", "opposing", POINTS_MOVE_INTO_A_PLANE},
    {"mesh_order", "closest_points_tets", ORDER_OF_TETGEN},
    {"mesh_order", "intersection_tets", ORDER_OF_TETGEN},
    {"mesh_order", "vertex_only", ORDER_OF_TETGEN},
    {"mesh_order", "consistent_vertex", ORDER_OF_TETGEN},
    {"mesh_order", "volume_sat", ORDER_OF_TETGEN},
    {"mesh_order", "surface_sat", ORDER_OF_TETGEN},
    {"mesh_order", "growth", ORDER_OF_TETGEN},
    {"mesh_order", "opposing", ORDER_OF_TETGEN},
    {"rigid_motion", "ldi_volume", LOOKS_ALONG_THE_AXES},
    {"mesh_order", "pressure_field", ORDER_OF_TETGEN},
    {"swap", "pressure_field", NORMALS_ALMOST_THE_SAME, "saddle_on_saddle"},
    {"swap", "pressure_field", SLIVER_WHERE_SURFACES_MEET, "arch"},
    {"body_order", "pressure_field", NORMALS_ALMOST_THE_SAME, "saddle_on_saddle"},
    {"rigid_motion", "pressure_field", NORMALS_ALMOST_THE_SAME, "saddle_on_saddle"},
    {"scale", "pressure_field", NORMALS_ALMOST_THE_SAME, "saddle_on_saddle"},
    {"mesh_order", "semi_local", NOTHING_SINGLES_ONE_OUT, "balanced_tip"},
    {"rigid_motion", "hull_clip", TWINS_ARE_TOLD_APART_BY_THEIR_POSES, "spikes"},
    {"rigid_motion", "hull_clip", TWINS_ARE_TOLD_APART_BY_THEIR_POSES, "wedges"},
    {"rigid_motion", "hull_clip", TWINS_ARE_TOLD_APART_BY_THEIR_POSES, "saddle_on_saddle"},
};
enum { KNOWN_EXCEPTION_COUNT = sizeof known_exceptions / sizeof *known_exceptions };

/// Contacts of a whole scene.
typedef struct result {
  ts_contact_set *sets;
  size_t count;
} result;

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(contract, .init = setup, .fini = teardown, .timeout = 300);

static const double *method_defaults(const ts_method *method) {
  double *values = ts_arena_array(arena, method->param_count, sizeof *values);
  ts_param_defaults(values, method->params, method->param_count);
  return values;
}

/// A case with its defaults, but for one common parameter. Small walls, few bodies and coarse
/// meshes do, and overlaps of a depth that every method looks for.
static ts_scene *build(const ts_case *c, ts_common_param parameter, double value) {
  size_t count = ts_case_param_count(c);
  const ts_param *params = ts_case_params(arena, c);
  double *values = ts_arena_array(arena, count, sizeof *values);
  ts_param_defaults(values, params, count);
  const struct {
    const char *name;
    double value;
  } small[] = {{"layers", 3}, {"span", 3}, {"triangles", 1000}, {"count", 3}, {"depth_m", 0.04}};
  for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
    int index = ts_param_find(params, count, small[i].name);
    if (index >= 0)
      values[index] = small[i].value;
  }
  values[parameter] = value;
  ts_scene *scene;
  cr_assert_eq(ts_case_build(&scene, arena, c, values), TS_OK, "%s: %s", c->name,
               ts_status_detail());
  return scene;
}

static ts_scene *with_body_order(const ts_scene *scene, const int32_t *order) {
  ts_scene *other;
  cr_assert_eq(ts_scene_with_body_order(&other, arena, scene, order), TS_OK, "%s",
               ts_status_detail());
  return other;
}

static ts_scene *with_mesh_order(const ts_scene *scene, uint64_t seed) {
  ts_scene *other;
  cr_assert_eq(ts_scene_with_mesh_order(&other, arena, scene, seed), TS_OK, "%s",
               ts_status_detail());
  return other;
}

static ts_scene *build_default(const ts_case *c) {
  return build(c, TS_COMMON_SCALE, 1);
}

/// Why a method may skip a case; that it does is then what must not depend on motion, scale and
/// order. elastic_contact has one direction for a connected part of an overlap, and skips a peg in
/// a hole; convex bodies are what not every case has.
static bool may_skip(const ts_method *method) {
  if (method->needs & TS_NEEDS_CONVEX)
    return strstr(ts_status_detail(), "requires convex bodies");
  return strcmp(method->name, "elastic_contact") == 0 &&
         strstr(ts_status_detail(), "faces several ways");
}

static result contacts_of(const ts_scene *scene, const ts_method *method) {
  result r = {NULL, 0};
  ts_status status =
      ts_cell_contacts(&r.sets, &r.count, arena, scene, method, method_defaults(method));
  if (status == TS_SKIPPED && may_skip(method))
    return (result){NULL, 0};
  cr_assert_eq(status, TS_OK, "%s: %s", method->name, ts_status_detail());
  return r;
}

static const ts_contact_set *find_set(result r, int32_t a, int32_t b) {
  for (size_t i = 0; i < r.count; i++)
    if (r.sets[i].body_a == a && r.sets[i].body_b == b)
      return &r.sets[i];
  return NULL;
}

static double scene_pair_size(const ts_scene *scene, int32_t a, int32_t b) {
  return ts_pair_size_m(&scene->shapes[scene->bodies[a].shape],
                        &scene->shapes[scene->bodies[b].shape]);
}

static bool same_contact(const ts_contact *a, const ts_contact *b, double size) {
  return ts_vec3_distance(a->point, b->point) <= 1e-6 * size &&
         ts_vec3_distance(a->normal, b->normal) <= 1e-5 && fabs(a->gap_m - b->gap_m) <= 1e-6 * size;
}

static bool every_contact_has_a_partner(const ts_contact *from, size_t from_count,
                                        const ts_contact *to, size_t to_count, double size) {
  for (size_t i = 0; i < from_count; i++) {
    bool found = false;
    for (size_t k = 0; k < to_count && !found; k++)
      found = same_contact(&from[i], &to[k], size);
    if (!found)
      return false;
  }
  return true;
}

static bool same_contacts(const ts_contact *a, size_t a_count, const ts_contact *b, size_t b_count,
                          double size) {
  return a_count == b_count && every_contact_has_a_partner(a, a_count, b, b_count, size) &&
         every_contact_has_a_partner(b, b_count, a, a_count, size);
}

static size_t total(result r) {
  size_t sum = 0;
  for (size_t i = 0; i < r.count; i++)
    sum += r.sets[i].count;
  return sum;
}

/// Whether `seen` is `expected` after bringing each of its pairs back: bodies renamed by `to_old`
/// (NULL: not at all), contacts mapped by the inverse of `motion` and divided by `scale`.
static bool same_results(const ts_scene *scene, result expected, result seen, const int32_t *to_old,
                         ts_pose motion, double scale) {
  if (total(expected) != total(seen))
    return false;
  for (size_t i = 0; i < seen.count; i++) {
    const ts_contact_set *set = &seen.sets[i];
    int32_t a = to_old ? to_old[set->body_a] : set->body_a;
    int32_t b = to_old ? to_old[set->body_b] : set->body_b;
    bool swapped = a > b;
    const ts_contact_set *old = find_set(expected, swapped ? b : a, swapped ? a : b);
    if (set->count == 0 && (!old || old->count == 0))
      continue;
    if (!old)
      return false;
    ts_contact *back = ts_arena_array(arena, set->count, sizeof *back);
    for (size_t k = 0; k < set->count; k++) {
      ts_contact c = set->contacts[k];
      c.point = ts_vec3_scale(ts_pose_point_local(motion, c.point), 1 / scale);
      c.normal = ts_quat_rotate(ts_quat_conjugate(motion.rotation), c.normal);
      c.normal = swapped ? ts_vec3_neg(c.normal) : c.normal;
      c.gap_m /= scale;
      back[k] = c;
    }
    if (!same_contacts(old->contacts, old->count, back, set->count,
                       scene_pair_size(scene, old->body_a, old->body_b)))
      return false;
  }
  return true;
}

static bool is_about(const known_exception *known, const char *promise, const ts_method *method) {
  return strcmp(known->promise, promise) == 0 && strcmp(known->method, method->name) == 0;
}

/// The index of a row, or KNOWN_EXCEPTION_COUNT.
static size_t exception_for(const char *promise, const ts_method *method, const ts_case *c) {
  size_t i = 0;
  while (i < KNOWN_EXCEPTION_COUNT &&
         !(is_about(&known_exceptions[i], promise, method) &&
           (!known_exceptions[i].only || strcmp(known_exceptions[i].only, c->name) == 0)))
    i++;
  return i;
}

typedef bool (*promise_check)(const ts_case *c, const ts_method *method);

/// Checks a promise on every case with every method. Not the controls: they are wrong on purpose,
/// or know the truth, which the variants leave out; tests/harness has them.
static void check_promise(const char *promise, promise_check keeps) {
  const ts_method *const *methods = ts_methods;
  size_t checked = 0;
  for (size_t m = 0; methods[m]; m++) {
    size_t broken[KNOWN_EXCEPTION_COUNT + 1] = {0}; // by row, the last: by none
    for (size_t i = 0; ts_cases[i]; i++) {
      ts_arena_mark mark = ts_arena_get_mark(arena);
      bool kept = keeps(ts_cases[i], methods[m]);
      size_t row = exception_for(promise, methods[m], ts_cases[i]);
      cr_expect(kept || row < KNOWN_EXCEPTION_COUNT, "%s x %s does not keep: %s", ts_cases[i]->name,
                methods[m]->name, promise);
      broken[row] += !kept;
      checked++;
      ts_arena_rewind(arena, mark);
    }
    for (size_t row = 0; row < KNOWN_EXCEPTION_COUNT; row++)
      cr_expect(!is_about(&known_exceptions[row], promise, methods[m]) || broken[row] > 0,
                "%s keeps \"%s\" now where a row says that it does not: take the row out",
                methods[m]->name, promise);
  }
  cr_assert_geq(checked, 104);
}

static bool swap_keeps(const ts_case *c, const ts_method *method) {
  ts_scene *scene = build_default(c);
  int32_t count = (int32_t)scene->body_count;
  int32_t *reversed = ts_arena_array(arena, scene->body_count, sizeof *reversed);
  for (int32_t i = 0; i < count; i++)
    reversed[i] = count - 1 - i;
  ts_scene *other = with_body_order(scene, reversed);
  return same_results(scene, contacts_of(scene, method), contacts_of(other, method), reversed,
                      ts_pose_identity(), 1);
}

Test(contract, swapping_a_and_b_negates_the_normals_and_changes_nothing_else) {
  check_promise("swap", swap_keeps);
}

static bool body_order_keeps(const ts_case *c, const ts_method *method) {
  ts_scene *scene = build_default(c);
  int32_t count = (int32_t)scene->body_count;
  int32_t *order = ts_arena_array(arena, scene->body_count, sizeof *order);
  for (int32_t i = 0; i < count; i++)
    order[i] = (int32_t)(((int64_t)i * 7 + 3) % count);
  if (count % 7 == 0)
    for (int32_t i = 0; i < count; i++)
      order[i] = (i + 3) % count;
  ts_scene *other = with_body_order(scene, order);
  return same_results(scene, contacts_of(scene, method), contacts_of(other, method), order,
                      ts_pose_identity(), 1);
}

Test(contract, the_order_of_the_bodies_does_not_matter) {
  check_promise("body_order", body_order_keeps);
}

static bool motion_keeps(const ts_case *c, const ts_method *method) {
  ts_scene *scene = build_default(c);
  result expected = contacts_of(scene, method);
  for (int seed = 1; seed <= 5; seed++) {
    ts_scene *moved = build(c, TS_COMMON_MOTION_SEED, seed);
    ts_pose motion = ts_pose_mul(moved->bodies[0].pose, ts_pose_inverse(scene->bodies[0].pose));
    if (!same_results(scene, expected, contacts_of(moved, method), NULL, motion, 1))
      return false;
  }
  return true;
}

Test(contract, contacts_move_with_the_bodies_under_a_rigid_motion) {
  check_promise("rigid_motion", motion_keeps);
}

static bool mesh_order_keeps(const ts_case *c, const ts_method *method) {
  ts_scene *scene = build_default(c);
  result expected = contacts_of(scene, method);
  for (uint64_t seed = 1; seed <= 3; seed++) {
    ts_scene *shuffled = with_mesh_order(scene, seed);
    if (!same_results(scene, expected, contacts_of(shuffled, method), NULL, ts_pose_identity(), 1))
      return false;
  }
  return true;
}

Test(contract, the_order_of_vertices_and_triangles_does_not_matter) {
  check_promise("mesh_order", mesh_order_keeps);
}

static bool scale_keeps(const ts_case *c, const ts_method *method) {
  ts_scene *scene = build_default(c);
  result expected = contacts_of(scene, method);
  static const double scales[] = {1e-3, 1e3};
  for (size_t i = 0; i < 2; i++) {
    ts_scene *scaled = build(c, TS_COMMON_SCALE, scales[i]);
    if (!same_results(scene, expected, contacts_of(scaled, method), NULL, ts_pose_identity(),
                      scales[i]))
      return false;
  }
  return true;
}

Test(contract, contacts_scale_with_the_scene) {
  check_promise("scale", scale_keeps);
}

/// Scenes that come with their tets: what is left is up to the methods. One that works without tets
/// has no more to promise here. The rigid rings of the chain, 30 mm thick, are filled after they
/// were eroded by 10 mm; filled before, as here, their tets turn over.
static bool tet_order_keeps(const ts_case *c, const ts_method *method) {
  if (!(method->needs & TS_NEEDS_TETS) || strcmp(c->name, "soft_chain") == 0)
    return true;
  ts_scene *scene;
  cr_assert_eq(ts_scene_with_tets(&scene, arena, build_default(c)), TS_OK, "%s",
               ts_status_detail());
  result expected = contacts_of(scene, method);
  for (uint64_t seed = 1; seed <= 3; seed++) {
    ts_scene *shuffled = with_mesh_order(scene, seed);
    if (!same_results(scene, expected, contacts_of(shuffled, method), NULL, ts_pose_identity(), 1))
      return false;
  }
  return true;
}

Test(contract, the_order_of_tets_and_of_their_nodes_does_not_matter) {
  check_promise("tet_order", tet_order_keeps);
}

static bool repeat_keeps(const ts_case *c, const ts_method *method) {
  ts_scene *scene = build_default(c);
  uint64_t hashes[2] = {TS_HASH_START, TS_HASH_START};
  for (int round = 0; round < 2; round++) {
    helper_answers_forget();
    result r = contacts_of(scene, method);
    for (size_t i = 0; i < r.count; i++)
      hashes[round] = ts_contact_set_hash(hashes[round], &r.sets[i]);
  }
  return hashes[0] == hashes[1];
}

Test(contract, the_same_question_gets_the_same_bits) {
  check_promise("repeat", repeat_keeps);
}

static bool unit_normals_keeps(const ts_case *c, const ts_method *method) {
  result r = contacts_of(build(c, TS_COMMON_MOTION_SEED, 1), method);
  for (size_t i = 0; i < r.count; i++)
    for (size_t k = 0; k < r.sets[i].count; k++)
      if (!(fabs(ts_vec3_norm(r.sets[i].contacts[k].normal) - 1) <= 1e-12))
        return false;
  return true;
}

Test(contract, normals_are_unit) {
  check_promise("unit_normals", unit_normals_keeps);
}

static bool overlap_box_keeps(const ts_case *c, const ts_method *method) {
  ts_scene *scene = build_default(c);
  ts_envelope envelope = {0};
  if (method->envelope)
    cr_assert_eq(method->envelope(&envelope, method_defaults(method)), TS_OK);
  result r = contacts_of(scene, method);
  for (size_t i = 0; i < r.count; i++) {
    const ts_contact_set *set = &r.sets[i];
    const ts_body *a = &scene->bodies[set->body_a], *b = &scene->bodies[set->body_b];
    double margin = 2 * envelope.size_m + envelope.reach_m +
                    TS_POSITION_RELATIVE * scene_pair_size(scene, set->body_a, set->body_b);
    ts_aabb box_a = ts_aabb_inflate(ts_body_bounds(&scene->shapes[a->shape], a->pose), margin);
    ts_aabb box_b = ts_aabb_inflate(ts_body_bounds(&scene->shapes[b->shape], b->pose), margin);
    for (size_t k = 0; k < set->count; k++)
      if (!ts_aabb_contains(box_a, set->contacts[k].point) ||
          !ts_aabb_contains(box_b, set->contacts[k].point))
        return false;
  }
  return true;
}

Test(contract, points_are_within_the_inflated_overlap_box) {
  check_promise("overlap_box", overlap_box_keeps);
}
