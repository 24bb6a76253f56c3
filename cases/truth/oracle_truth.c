// SPDX-License-Identifier: MIT
#include "cases/truth/oracle_truth.h"

#include "base/status.h"
#include "cases/scene/shape_state.h"
#include "cases/truth/motion_truth.h"
#include "cases/truth/touch.h"
#include "geometry/closest.h"
#include "geometry/mesh/bvh.h"
#include "geometry/tolerances.h"
#include "geometry/twist/twist_samples.h"

#include <string.h>

typedef struct asked_shape {
  ts_bvh *triangles; ///< NULL until first needed
  const ts_mesh *filled;
  double thickness_m;
} asked_shape;

typedef struct inquiry {
  const ts_scene *scene;
  ts_scene as_designed; ///< the same; its shapes are neither refined nor the published ones
  ts_arena *arena;      ///< scratch
  double touch_relative;
  asked_shape *shapes;   ///< [shape_count]
  ts_oracle_pair *pairs; ///< in the scene's arena
  size_t pair_count;
} inquiry;

static const ts_shape *shape_of(const inquiry *q, int32_t body) {
  return &q->scene->shapes[q->scene->bodies[body].shape];
}

/// The minimum width of a mesh along the normals of up to some sixty of its triangles: the
/// thickness of a plate.
static double thickness_m(const ts_mesh *mesh) {
  double smallest = INFINITY;
  size_t step = mesh->triangle_count / 64 + 1;
  for (size_t t = 0; t < mesh->triangle_count; t += step) {
    ts_vec3 normal = ts_mesh_face_normal(mesh, t);
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++) {
      double at = ts_vec3_dot(normal, mesh->vertices[mesh->triangles[i / 3][i % 3]]);
      low = ts_min(low, at);
      high = ts_max(high, at);
    }
    smallest = ts_min(smallest, high - low);
  }
  return smallest;
}

static ts_status ask_shape(const asked_shape **out, inquiry *q, int32_t body) {
  static const ts_shape_state as_designed = {.needs_tets = true};
  size_t index = (size_t)q->scene->bodies[body].shape;
  asked_shape *shape = &q->shapes[index];
  if (!shape->triangles) {
    ts_status status =
        ts_shape_state_mesh(&shape->filled, q->arena, &q->as_designed, index, &as_designed);
    if (status != TS_OK && status != TS_E_MEMORY)
      return ts_fail(status, "%s; the file may give its \"tets\"", ts_status_detail());
    TS_TRY(status);
    shape->thickness_m = thickness_m(q->scene->shapes[index].mesh);
    TS_TRY(ts_bvh_create_for_mesh(&shape->triangles, q->arena, q->scene->shapes[index].mesh));
  }
  *out = shape;
  return TS_OK;
}

// ---- where two bodies touch -------------------------------------------------------------------

typedef struct touch {
  const ts_mesh *a, *b;
  ts_pose b_to_a;
  double touch_m;
  ts_aabb box;  ///< in the frame of a; empty when they are apart
  double gap_m; ///< the widest of what touches
} touch;

static void get_triangle(ts_vec3 out[3], const ts_mesh *mesh, uint32_t triangle, ts_pose pose) {
  for (int i = 0; i < 3; i++)
    out[i] = ts_pose_point(pose, mesh->vertices[mesh->triangles[triangle][i]]);
}

static void add_place(touch *t, ts_vec3 at, double distance_m) {
  if (!(distance_m <= t->touch_m))
    return;
  t->box = ts_aabb_add(t->box, at);
  t->gap_m = ts_max(t->gap_m, distance_m);
}

/// Two triangles that touch do so in the hull of the corners of the one that lie on the other, and
/// of the points where their edges cross.
static ts_status add_touch(void *context, uint32_t triangle_a, uint32_t triangle_b) {
  touch *t = context;
  ts_vec3 p[3], q[3];
  get_triangle(p, t->a, triangle_a, ts_pose_identity());
  get_triangle(q, t->b, triangle_b, t->b_to_a);
  for (int i = 0; i < 3; i++) {
    add_place(t, p[i], ts_closest_point_triangle(p[i], q).distance_m);
    add_place(t, q[i], ts_closest_point_triangle(q[i], p).distance_m);
    for (int k = 0; k < 3; k++) {
      ts_closest edges =
          ts_closest_segment_segment(NULL, NULL, p[i], p[(i + 1) % 3], q[k], q[(k + 1) % 3]);
      add_place(t, ts_vec3_mid(edges.on_a, edges.on_b), edges.distance_m);
    }
  }
  return TS_OK;
}

static ts_status find_touch(bool *out, ts_oracle_pair *pair, inquiry *q, const asked_shape *a,
                            const asked_shape *b) {
  const ts_body *bodies = q->scene->bodies;
  touch t = {.a = shape_of(q, pair->body_a)->mesh,
             .b = shape_of(q, pair->body_b)->mesh,
             .b_to_a = ts_pose_relative(bodies[pair->body_a].pose, bodies[pair->body_b].pose),
             .touch_m = ts_touch_m(q->scene, q->touch_relative, pair->body_a, pair->body_b),
             .box = ts_aabb_empty()};
  TS_TRY(ts_bvh_tandem(a->triangles, b->triangles, t.b_to_a, t.touch_m, add_touch, &t));
  *out = t.box.low.x <= t.box.high.x;
  if (*out) {
    double length_m = ts_motion_frame(q->scene, pair->body_a, pair->body_b, NULL, 0).length_m;
    pair->centre = ts_vec3_scale(ts_aabb_centre(t.box), 1 / length_m);
    pair->noise = ts_max(t.gap_m, ts_touch_m(q->scene, 0, pair->body_a, pair->body_b)) / length_m;
  }
  return TS_OK;
}

ts_twist_frame ts_oracle_frame(const ts_scene *scene, const ts_oracle_pair *pair) {
  ts_twist_frame frame = ts_motion_frame(scene, pair->body_a, pair->body_b, NULL, 0);
  frame.centre =
      ts_pose_point(scene->bodies[pair->body_a].pose, ts_vec3_scale(pair->centre, frame.length_m));
  return frame;
}

// ---- asking -----------------------------------------------------------------------------------

/// Into the scratch arena.
static ts_status create_oracle(ts_motion_oracle **out, inquiry *q, const ts_oracle_pair *pair,
                               const asked_shape *a, const asked_shape *b) {
  ts_twist_frame frame = ts_oracle_frame(q->scene, pair);
  const ts_body *bodies = q->scene->bodies;
  return ts_motion_oracle_create(out, q->arena, &frame, a->filled, bodies[pair->body_a].pose,
                                 b->filled, bodies[pair->body_b].pose);
}

/// Whether the bodies overlap as they are: also where one holds the other, and no surfaces meet.
static ts_status check_apart(const inquiry *q, ts_oracle_pair *pair,
                             const ts_motion_oracle *oracle) {
  static const double at_rest[6] = {0};
  const ts_body *bodies = q->scene->bodies;
  double length_m = ts_oracle_frame(q->scene, pair).length_m;
  double depth = ts_motion_oracle_depth(oracle, at_rest) * TS_ORACLE_STEP;
  double depth_m = depth * length_m;
  pair->noise = ts_max(pair->noise, depth);
  if (depth_m <= ts_touch_m(q->scene, q->touch_relative, pair->body_a, pair->body_b))
    return TS_OK;
  return ts_fail(
      TS_SKIPPED,
      "the bodies %d (%s) and %d (%s) overlap by at least %.3g m, and it moves them from exact "
      "touch",
      pair->body_a, bodies[pair->body_a].name, pair->body_b, bodies[pair->body_b].name, depth_m);
}

/// Whether the step is small against the bodies: it must not take one through the other.
static ts_status check_thickness(const inquiry *q, const ts_oracle_pair *pair, const asked_shape *a,
                                 const asked_shape *b) {
  const ts_body *bodies = q->scene->bodies;
  double step_m = TS_ORACLE_STEP * ts_oracle_frame(q->scene, pair).length_m;
  double both_m = a->thickness_m + b->thickness_m;
  if (both_m >= TS_ORACLE_THICKNESS * step_m)
    return TS_OK;
  return ts_fail(
      TS_SKIPPED,
      "the bodies %d (%s) and %d (%s) are %.3g m thick together, and it moves them by up "
      "to %.3g m, through each other",
      pair->body_a, bodies[pair->body_a].name, pair->body_b, bodies[pair->body_b].name, both_m,
      2 * step_m);
}

/// Keeps the pairs that touch, in their order.
static ts_status find_pairs(inquiry *q) {
  const ts_scene *scene = q->scene;
  ts_body_pair *near;
  size_t near_count;
  TS_TRY(ts_touch_candidates(&near, &near_count, q->arena, scene, q->touch_relative));
  q->pairs = ts_arena_array(scene->arena, near_count, sizeof *q->pairs);
  if (!q->pairs)
    return TS_E_MEMORY;
  for (size_t i = 0; i < near_count; i++) {
    ts_oracle_pair pair = {.body_a = near[i].body_a, .body_b = near[i].body_b};
    const asked_shape *a, *b;
    TS_TRY(ask_shape(&a, q, pair.body_a));
    TS_TRY(ask_shape(&b, q, pair.body_b));
    ts_arena_mark mark = ts_arena_get_mark(q->arena);
    bool touches;
    ts_motion_oracle *oracle;
    TS_TRY(find_touch(&touches, &pair, q, a, b));
    TS_TRY(create_oracle(&oracle, q, &pair, a, b));
    TS_TRY(check_apart(q, &pair, oracle));
    pair.tet_pairs = ts_motion_oracle_tet_pairs(oracle);
    ts_arena_rewind(q->arena, mark);
    if (!touches)
      continue;
    TS_TRY(check_thickness(q, &pair, a, b));
    q->pairs[q->pair_count++] = pair;
  }
  return TS_OK;
}

/// Motions that a pair may be asked about: its share of the tests of the scene.
static size_t most_tries(const inquiry *q, const ts_oracle_pair *pair) {
  size_t share = TS_ORACLE_TESTS / q->pair_count / (pair->tet_pairs > 0 ? pair->tet_pairs : 1);
  return share > TS_MOTION_PAIR_TWISTS ? share : TS_MOTION_PAIR_TWISTS;
}

/// A motion is asked about at two steps, and what the larger one says counts.
typedef struct two_steps {
  double step, finer;
  double noise; ///< of a depth, over `finer`
} two_steps;

/// Whether the finer step says the opposite, by more than the noise may.
static bool ask_twice(ts_motion *out, const ts_motion_oracle *oracle, const double twist[6],
                      const two_steps *by) {
  double sure = TS_ORACLE_BLOCKED + by->noise / TS_ORACLE_SHALLOW;
  double depth = ts_motion_oracle_depth_at(oracle, twist, by->step, sure);
  *out = ts_motion_of_depth(depth);
  if (*out == TS_MOTION_FREE) {
    double limit = TS_ORACLE_BLOCKED + by->noise;
    return ts_motion_oracle_depth_at(oracle, twist, by->finer, limit) > limit;
  }
  return depth > sure &&
         ts_motion_oracle_depth_at(oracle, twist, by->finer, TS_ORACLE_FREE) < TS_ORACLE_FREE;
}

/// Asks about the motions of a pair at its step; `answers` has room for `max_count`.
static void ask_motions(ts_oracle_pair *pair, uint8_t *answers, const ts_motion_oracle *oracle,
                        uint32_t first_twist, size_t wanted, size_t max_count) {
  two_steps by = {.step = pair->step, .finer = TS_ORACLE_FINER * pair->step};
  by.noise = pair->noise / by.finer;
  ts_twist_samples samples = ts_twist_samples_start(first_twist);
  pair->free_count = pair->blocked_count = pair->contradicted_count = 0;
  size_t count = 0;
  for (;
       count < max_count && ts_motion_goes_on(count, wanted, pair->free_count, pair->blocked_count);
       count++) {
    double twist[6];
    ts_motion found;
    ts_twist_samples_next(twist, &samples);
    pair->contradicted_count += ask_twice(&found, oracle, twist, &by);
    answers[count] = (uint8_t)found;
    pair->free_count += found == TS_MOTION_FREE;
    pair->blocked_count += found == TS_MOTION_BLOCKED;
  }
  pair->try_count = count;
}

/// Whether a finer step may tell more than the noise of the coordinates.
static bool can_be_finer(const ts_oracle_pair *pair) {
  double finer = TS_ORACLE_FINER * pair->step;
  return finer >= TS_ORACLE_STEP_MIN && pair->noise <= TS_ORACLE_FREE * finer;
}

static ts_status ask_pair(inquiry *q, size_t index) {
  ts_oracle_pair *pair = &q->pairs[index];
  ts_arena_mark mark = ts_arena_get_mark(q->arena);
  const asked_shape *a, *b;
  TS_TRY(ask_shape(&a, q, pair->body_a));
  TS_TRY(ask_shape(&b, q, pair->body_b));
  ts_motion_oracle *oracle;
  TS_TRY(create_oracle(&oracle, q, pair, a, b));
  size_t wanted = ts_motion_twists(q->pair_count), max_count = most_tries(q, pair);
  uint8_t *answers = ts_arena_array(q->arena, TS_MOTION_TRIES * wanted, sizeof *answers);
  if (!answers)
    return TS_E_MEMORY;
  uint32_t first_twist = ts_motion_first_twist(q->pair_count, index);
  pair->step = TS_ORACLE_STEP;
  ask_motions(pair, answers, oracle, first_twist, wanted, max_count);
  while (pair->contradicted_count > 0 && can_be_finer(pair)) {
    pair->step *= TS_ORACLE_FINER;
    ask_motions(pair, answers, oracle, first_twist, wanted, max_count);
  }
  uint8_t *kept = ts_arena_copy(q->scene->arena, answers, pair->try_count, sizeof *kept);
  if (!kept)
    return TS_E_MEMORY;
  pair->answers = kept;
  ts_arena_rewind(q->arena, mark);
  return TS_OK;
}

static ts_status ask(inquiry *q) {
  q->shapes = ts_arena_array(q->arena, q->scene->shape_count, sizeof *q->shapes);
  if (!q->shapes)
    return TS_E_MEMORY;
  TS_TRY(find_pairs(q));
  for (size_t i = 0; i < q->pair_count; i++)
    TS_TRY(ask_pair(q, i));
  return TS_OK;
}

/// Names the pair of which the largest share of answers is in doubt; NULL: there is none.
static ts_status make_note(const char **out, const inquiry *q) {
  const ts_oracle_pair *worst = NULL;
  double largest = 0;
  for (size_t i = 0; i < q->pair_count; i++) {
    const ts_oracle_pair *pair = &q->pairs[i];
    double share = (double)pair->contradicted_count / (double)pair->try_count;
    if (pair->contradicted_count == 0 || share <= largest)
      continue;
    worst = pair;
    largest = share;
  }
  *out = NULL;
  if (!worst)
    return TS_OK;
  const ts_body *bodies = q->scene->bodies;
  double length_m = ts_oracle_frame(q->scene, worst).length_m;
  const char *why = can_be_finer(worst) || worst->noise <= TS_ORACLE_FREE * TS_ORACLE_STEP_MIN
                        ? "and finer ones do not settle it"
                        : ts_arena_format(q->scene->arena,
                                          "and none is finer than what they are off exact touch, "
                                          "%.2g m",
                                          worst->noise * length_m);
  *out = why ? ts_arena_format(
                   q->scene->arena,
                   "of the %zu motions of the bodies %d (%s) and %d (%s), %zu are answered "
                   "otherwise by a tenth of the step of %.2g m, %s: what right contacts block or "
                   "free wrongly may be as much as %.2g percent of them",
                   worst->try_count, worst->body_a, bodies[worst->body_a].name, worst->body_b,
                   bodies[worst->body_b].name, worst->contradicted_count, worst->step * length_m,
                   why, 100 * largest)
             : NULL;
  return *out ? TS_OK : TS_E_MEMORY;
}

ts_status ts_oracle_truth_find(ts_scene *scene, double touch_relative) {
  if (!(touch_relative > 0 && touch_relative <= TS_ORACLE_TOUCH_MAX))
    return ts_fail(TS_E_INPUT,
                   "a tolerance of %g of the size is not what it can do; give one above 0 and up "
                   "to %g",
                   touch_relative, TS_ORACLE_TOUCH_MAX);
  inquiry q = {.scene = scene, .as_designed = *scene, .touch_relative = touch_relative};
  q.as_designed.refinement = 0;
  q.as_designed.tets = TS_TETS_TETGEN;
  TS_TRY(ts_arena_create(&q.arena));
  const char *note;
  ts_status status = ask(&q);
  if (status == TS_OK)
    status = make_note(&note, &q);
  ts_arena_destroy(q.arena);
  TS_TRY(status);
  ts_oracle_truth *truth = ts_arena_alloc(scene->arena, sizeof *truth);
  if (!truth)
    return TS_E_MEMORY;
  *truth = (ts_oracle_truth){
      .touch_relative = touch_relative, .pair_count = q.pair_count, .pairs = q.pairs};
  scene->oracle = truth;
  scene->truth_note = note;
  scene->truth_is_unknown = true;
  scene->region_count = scene->joint_count = 0;
  return TS_OK;
}
