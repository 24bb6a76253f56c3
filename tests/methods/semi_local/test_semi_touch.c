// SPDX-License-Identifier: MIT
// covers: methods/semi_local/semi_*.c
/// Convex bodies that touch: which small motions the contacts block and let through, judged by
/// moving the bodies and asking for their exact separation. TOUCHSTONE_CONVEX_PAIRS in the
/// environment is how many pairs of each kind to try, TOUCHSTONE_CONVEX_FIRST the first seed.
#include "base/param.h"
#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "geometry/tolerances.h"
#include "geometry/twist_cone.h"
#include "geometry/twist_samples.h"
#include "tests/methods/semi_local/convex_meeting.h"
#include "tests/methods/semi_local/semi_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ts_method *const method = &ts_method_semi_local;

enum { MOTIONS = 16 };

// How far a body is moved, in lengths of its twist frame: far enough that single precision, 1e-7,
// does not show; the second order of a rotation is 1e-4 of it.
static const double step = 1e-4;

/// A contact as a row, with the group that it is of.
typedef struct blocking {
  ts_twist_row row;
  uint32_t group;
} blocking;

/// The contacts that touch, as the scoring counts them.
typedef struct blocking_set {
  size_t count;
  blocking *of; ///< [count]
} blocking_set;

static blocking_set run(method_fixture *f, const convex_meeting *meeting, double scale,
                        bool all_alternatives, const ts_twist_frame *frame, double size_m) {
  double values[16];
  ts_param_defaults(values, method->params, method->param_count);
  for (size_t i = 0; i < method->param_count; i++)
    if (method->params[i].is_length)
      values[i] *= scale;
  values[ts_param_find(method->params, method->param_count, "alternatives")] = all_alternatives;
  cr_assert_eq(fixture_try(f, method, values, &meeting->pair), TS_OK, "%s", ts_status_detail());
  blocking_set set = {.of = ts_arena_array(f->arena, f->set.count, sizeof *set.of)};
  cr_assert(f->set.count == 0 || set.of);
  for (size_t i = 0; i < f->set.count; i++) {
    const ts_contact *c = &f->set.contacts[i];
    if (c->gap_m <= TS_POSITION_RELATIVE * size_m)
      set.of[set.count++] =
          (blocking){ts_twist_row_make(frame, c->point, c->normal), c->group};
  }
  return set;
}

/// Whether some contact closes, or all of some group do.
static bool blocks(const blocking_set *set, const double twist[6]) {
  for (size_t i = 0; i < set->count; i++) {
    uint32_t group = set->of[i].group;
    bool closes = true;
    for (size_t k = 0; k < set->count && closes; k++)
      if (k == i || (group && set->of[k].group == group))
        closes = ts_twist_row_speed(&set->of[k].row, twist) < -TS_TWIST_SPEED;
    if (closes)
      return true;
  }
  return false;
}

/// How deep mesh 1 gets into mesh 0 when it is moved, over the way.
static double depth_of(const convex_meeting *meeting, const ts_twist_frame *frame,
                       const double twist[6]) {
  ts_vec3 way = ts_vec3_scale((ts_vec3){twist[0], twist[1], twist[2]}, step * frame->length_m);
  ts_vec3 turn = {twist[3], twist[4], twist[5]};
  ts_quat rotation = ts_quat_from_axis_angle(ts_vec3_unit(turn), step * ts_vec3_norm(turn));
  fixture_pair moved = meeting->pair;
  ts_pose *pose = &moved.pose[1];
  pose->translation = ts_vec3_add(
      ts_vec3_add(frame->centre, way),
      ts_quat_rotate(rotation, ts_vec3_sub(pose->translation, frame->centre)));
  pose->rotation = ts_quat_unit(ts_quat_mul(rotation, pose->rotation));
  return -convex_oracle(&moved).gap_m / (step * frame->length_m);
}

typedef struct tally {
  int pairs, apart; ///< not at touch
  int free_motions, blocked_motions;
  int freed, freed_all;     ///< of the blocked ones, those let through, with all alternatives too
  int blocked_all;          ///< of the free ones, those blocked with all alternatives
  int free_one, blocked_one; ///< of pairs with one normal: the free ones, and those blocked
  int pairs_freed, pairs_blocked;
  int worst; ///< most motions of one pair that are wrong
  uint64_t worst_seed;
} tally;

static void judge(tally *t, method_fixture *f, const convex_kind *kind, uint64_t seed) {
  ts_random random = ts_random_seed(seed, 8);
  convex_meeting meeting = convex_random_meeting(f, &random, kind);
  double extent[2], diagonal = INFINITY;
  for (int i = 0; i < 2; i++) {
    ts_aabb box = ts_mesh_bounds(meeting.pair.mesh[i]);
    extent[i] = ts_aabb_extent(box);
    diagonal = ts_min(diagonal, ts_vec3_distance(box.low, box.high));
  }
  double size_m = ts_min(extent[0], extent[1]);
  ts_twist_frame frame = {ts_quat_identity(), meeting.place, 0.5 * diagonal};
  t->pairs++;
  if (getenv("DUMP")) {
    FILE *o = fopen(getenv("DUMP"), "w");
    for (int i = 0; i < 2; i++) {
      for (size_t k = 0; k < meeting.pair.mesh[i]->vertex_count; k++) {
        ts_vec3 q = ts_pose_point(meeting.pair.pose[i], meeting.pair.mesh[i]->vertices[k]);
        fprintf(o, "v %d %.17g %.17g %.17g\n", i, q.x, q.y, q.z);
      }
      for (size_t k = 0; k < meeting.pair.mesh[i]->triangle_count; k++)
        fprintf(o, "f %d %u %u %u\n", i, meeting.pair.mesh[i]->triangles[k][0], meeting.pair.mesh[i]->triangles[k][1], meeting.pair.mesh[i]->triangles[k][2]);
    }
    fprintf(o, "n %.17g %.17g %.17g\np %.17g %.17g %.17g\n", meeting.normal.x, meeting.normal.y, meeting.normal.z, meeting.place.x, meeting.place.y, meeting.place.z);
    fclose(o);
  }
  if (fabs(convex_oracle(&meeting.pair).gap_m) > 1e-9 * size_m + 4e-16 * kind->away_m)
    t->apart++;
  blocking_set one = run(f, &meeting, kind->scale, false, &frame, size_m);
  if (getenv("TOUCHSTONE_CONVEX_VERBOSE")) {
    for (size_t i = 0; i < f->set.count; i++) {
      ts_vec3 d=ts_vec3_sub(f->set.contacts[i].point, meeting.place);
      if (getenv("ONE")) printf(" one:[gap %.2g n.n %.6f at %g %g %g]", f->set.contacts[i].gap_m/size_m, ts_vec3_dot(f->set.contacts[i].normal, meeting.normal),d.x,d.y,d.z);
}
}
  blocking_set all = run(f, &meeting, kind->scale, true, &frame, size_m);
  ts_twist_row normal = ts_twist_row_make(&frame, meeting.place, meeting.normal);
  ts_twist_samples samples = ts_twist_samples_start((uint32_t)(MOTIONS * seed));
  int freed = 0, blocked = 0, fa = 0;
  for (int i = 0; i < MOTIONS; i++) {
    double twist[6];
    ts_twist_samples_next(twist, &samples);
    // Where many normals hold few motions are blocked: half of them close at the place.
    if (i % 2 && ts_twist_row_speed(&normal, twist) > 0)
      for (int k = 0; k < 6; k++)
        twist[k] = -twist[k];
    double depth = depth_of(&meeting, &frame, twist);
    bool is_blocked_one = blocks(&one, twist), is_blocked_all = blocks(&all, twist);
    if (depth > TS_ORACLE_BLOCKED) {
      t->blocked_motions++;
      t->freed += !is_blocked_one;
      t->freed_all += !is_blocked_all;
      freed += !is_blocked_one;
      fa += !is_blocked_all;
    } else if (depth < TS_ORACLE_FREE) {
      t->free_motions++;
      t->blocked_all += is_blocked_all;
      t->free_one += meeting.is_one_normal;
      t->blocked_one += meeting.is_one_normal && is_blocked_one;
      blocked += is_blocked_all || (meeting.is_one_normal && is_blocked_one);
    }
  }
  if (fa + freed + blocked > 0 && getenv("TOUCHSTONE_CONVEX_VERBOSE")) {
    printf("fall: %s %llu dims %d %d %d freed %d blocked %d groups:", kind->name, (unsigned long long)seed, meeting.dimensions[0], meeting.dimensions[1], fa, freed, blocked);
    for (size_t i = 0; i < f->set.count; i++) printf(" [%u gap %.2g n.n %.4f]", f->set.contacts[i].group, f->set.contacts[i].gap_m/size_m, ts_vec3_dot(f->set.contacts[i].normal, meeting.normal));
    printf("\n");
  }
  t->pairs_freed += freed > 0;
  t->pairs_blocked += blocked > 0;
  if (freed + blocked > t->worst) {
    t->worst = freed + blocked;
    t->worst_seed = seed;
  }
  if (freed + blocked > 0 && getenv("TOUCHSTONE_CONVEX_VERBOSE"))
    printf("wrong: %s %llu dims %d %d freed %d blocked %d\n", kind->name, (unsigned long long)seed,
           meeting.dimensions[0], meeting.dimensions[1], freed, blocked);
}

static tally judge_kind(const convex_kind *kind, uint64_t first, uint64_t count) {
  tally t = {.pairs = 0};
  for (uint64_t seed = first; seed < first + count; seed++) {
    method_fixture f;
    fixture_open(&f);
    judge(&t, &f, kind, seed);
    fixture_close(&f);
  }
  return t;
}

Test(methods_semi_touch, contacts_of_convex_bodies_block_what_overlaps_and_nothing_else) {
  const char *asked = getenv("TOUCHSTONE_CONVEX_PAIRS");
  const char *from = getenv("TOUCHSTONE_CONVEX_FIRST");
  uint64_t count = asked ? strtoull(asked, NULL, 10) : 25,
           first = from ? strtoull(from, NULL, 10) : 0;
  if (asked)
    printf("%-22s %6s %6s %8s %8s %6s %6s %8s %8s %8s %7s %7s %6s %6s\n", "kind", "pairs", "apart",
           "blocked", "free", "freed", "f_all", "b_all", "free_one", "b_one", "p_freed", "p_block",
           "worst", "seed");
  for (int k = 0; k < CONVEX_KIND_COUNT; k++) {
    if (getenv("KIND") && atoi(getenv("KIND")) != k) continue;
    tally t = judge_kind(&convex_kinds[k], first, count);
    if (asked)
      printf("%-22s %6d %6d %8d %8d %6d %6d %8d %8d %8d %7d %7d %6d %6llu\n", convex_kinds[k].name,
             t.pairs, t.apart, t.blocked_motions, t.free_motions, t.freed, t.freed_all,
             t.blocked_all, t.free_one, t.blocked_one, t.pairs_freed, t.pairs_blocked, t.worst,
             (unsigned long long)t.worst_seed);
    cr_expect_eq(t.apart, 0, "%s: %d pairs do not touch", convex_kinds[k].name, t.apart);
    cr_expect(t.freed <= 1e-3 * t.blocked_motions, "%s: %d of %d blocked motions let through",
              convex_kinds[k].name, t.freed, t.blocked_motions);
    cr_expect(t.blocked_all <= 1e-2 * t.free_motions, "%s: %d of %d free motions blocked",
              convex_kinds[k].name, t.blocked_all, t.free_motions);
    cr_expect(t.blocked_one <= 1e-2 * t.free_one, "%s: %d of %d free motions blocked",
              convex_kinds[k].name, t.blocked_one, t.free_one);
  }
}
