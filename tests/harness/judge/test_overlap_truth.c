// SPDX-License-Identifier: MIT
// covers: cases/truth/way_out.c geometry/convex/convex_separation.c
// Random convex bodies that overlap: the derived truth has the depth of all axes in 113 bits, and
// the judge finds nothing wrong with the contacts of semi_local.
#include "base/param.h"
#include "base/status.h"
#include "cases/scene/shapes.h"
#include "cases/truth/derived_truth.h"
#include "geometry/tolerances.h"
#include "tests/harness/judge/scoring_fixture.h"
#include "tests/methods/semi_local/convex_oracle.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const ts_method ts_method_semi_local;
static const ts_method *const method = &ts_method_semi_local;

static const convex_kind kinds[] = {
    {"doubles", CONVEX_DOUBLES, 1, 1, 1, 0, false},
    {"thin floats", CONVEX_FLOATS, 0.1, 1, 1, 0, false},
    {"millimetres", CONVEX_MILLIMETRES, 0.3, 1, 1, 0, false},
    {"sizes to 1:100", CONVEX_DOUBLES, 0.3, 100, 1, 0, false},
    {"thin, 1e4 m away", CONVEX_DOUBLES, 0.1, 3, 1, 1e4, true},
    {"scale 0.001", CONVEX_DOUBLES, 0.3, 3, 1e-3, 0, true},
    {"scale 1000", CONVEX_DOUBLES, 0.3, 3, 1e3, 0, true},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

typedef struct tally {
  int pairs, tied, lost, depth_off;
  int missed, phantom, normals, gaps, ahead; ///< pairs that are blamed for it
  int several;                               ///< pairs that touch in more than one contact
  double worst_depth;                        ///< of the pair's size
} tally;

static ts_scene *scene_of(const fixture_pair *pair) {
  ts_scene *scene;
  cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
  for (int i = 0; i < 2; i++) {
    const ts_mesh *m = pair->mesh[i];
    int32_t shape, body;
    cr_assert_eq(ts_scene_add_shape(&shape, scene, "hull", m->vertices, m->vertex_count,
                                    (const uint32_t(*)[3])m->triangles, m->triangle_count),
                 TS_OK, "%s", ts_status_detail());
    cr_assert_eq(ts_scene_add_body(&body, scene, "hull", shape, pair->pose[i], false), TS_OK);
  }
  return scene;
}

/// The least gap that a contact needs.
static double deepest_m(const ts_scene *scene) {
  double deepest = INFINITY;
  for (size_t i = 0; i < scene->region_count; i++)
    deepest = fmin(deepest, scene->regions[i].feasible[TS_REFERENCE_DESIGN].normals[0].gap_m);
  return deepest;
}

static void judge_contacts(tally *t, const ts_scene *scene, const method_fixture *f) {
  ts_contact_set set = f->set;
  set.body_a = 0;
  set.body_b = 1;
  ts_judgement j = judge(scene, &set, 1, no_envelope);
  const ts_judged_pair *pair = &j.pairs[0];
  bool missed = false, phantom = false, normals = false, gaps = false, ahead = false;
  for (size_t r = 0; r < pair->region_count; r++)
    missed |= ts_judged_misses(&j, pair, r);
  for (size_t i = 0; i < set.count; i++) {
    const ts_verdict *v = &pair->verdicts[i];
    phantom |= v->is_phantom;
    normals |= ts_judged_counts(pair, i) && (!v->is_correct || v->is_flipped);
    gaps |= v->is_gap_wrong;
    ahead |= v->is_wrong_ahead;
  }
  t->missed += missed;
  t->phantom += phantom;
  t->normals += normals;
  t->gaps += gaps;
  t->ahead += ahead;
  t->several += ts_judged_minimum(&j, pair, TS_CORNERS_CLOSED) > 1;
}

static void look_at_pair(tally *t, method_fixture *f, const convex_kind *kind, uint64_t seed,
                         bool prints) {
  ts_random random = ts_random_seed(seed, 11);
  double part = pow(10, ts_random_uniform(&random, -4, log10(0.05)));
  fixture_pair pair = convex_random_pair(f, &random, kind, -part);
  ts_scene *scene = scene_of(&pair);
  double size_m = ts_pair_size_m(&scene->shapes[0], &scene->shapes[1]);
  convex_truth truth = convex_oracle(&pair);
  t->pairs++;
  ts_status status = ts_derive_truth(scene, TS_POSITION_RELATIVE);
  if (status == TS_SKIPPED && strstr(ts_status_detail(), "equally short")) {
    t->tied++;
    return;
  }
  if (status != TS_OK) {
    t->lost++;
    if (prints)
      printf("%s %llu: %s\n", kind->name, (unsigned long long)seed, ts_status_detail());
    return;
  }
  double off = fabs(deepest_m(scene) - truth.gap_m) / size_m;
  t->worst_depth = fmax(t->worst_depth, off);
  t->depth_off += off > 1e-9 + 1e-15 * kind->away_m / size_m;
  double values[16];
  ts_param_defaults(values, method->params, method->param_count);
  for (size_t i = 0; i < method->param_count; i++)
    if (method->params[i].is_length)
      values[i] *= kind->scale;
  cr_assert_eq(fixture_try(f, method, values, &pair), TS_OK);
  tally before = *t;
  judge_contacts(t, scene, f);
  if (prints && memcmp(&before.missed, &t->missed, 5 * sizeof(int)))
    printf("%s %llu: missed %d phantom %d normals %d gaps %d ahead %d, depth %g of %g\n",
           kind->name, (unsigned long long)seed, t->missed - before.missed,
           t->phantom - before.phantom, t->normals - before.normals, t->gaps - before.gaps,
           t->ahead - before.ahead, truth.gap_m, size_m);
}

Test(harness_overlap_truth, truth_method_and_judge_agree_on_random_convex_bodies,
     .init = scoring_setup, .fini = scoring_teardown) {
  fixture_seeds seeds = fixture_seeds_of("CONVEX", 25);
  for (int k = 0; k < KIND_COUNT; k++) {
    tally t = {0};
    for (uint64_t seed = seeds.first; seed < seeds.first + seeds.count; seed++) {
      ts_arena_mark mark = ts_arena_get_mark(arena);
      method_fixture f;
      fixture_open(&f);
      look_at_pair(&t, &f, &kinds[k], seed, seeds.is_asked);
      fixture_close(&f);
      ts_arena_rewind(arena, mark);
    }
    if (seeds.is_asked)
      printf("%-18s pairs %d tied %d lost %d depth_off %d (%.1e) missed %d phantom %d normals %d "
             "gaps %d "
             "ahead %d several %d\n",
             kinds[k].name, t.pairs, t.tied, t.lost, t.depth_off, t.worst_depth, t.missed,
             t.phantom, t.normals, t.gaps, t.ahead, t.several);
    cr_expect_eq(t.depth_off, 0, "%s: %d depths off", kinds[k].name, t.depth_off);
    // Normals of narrow faces are lost in the tolerance of touch.
    cr_expect_leq(t.missed + t.phantom + t.normals + t.gaps + t.lost, t.pairs / 100,
                  "%s: %d missed, %d phantoms, %d normals, %d gaps, %d lost", kinds[k].name,
                  t.missed, t.phantom, t.normals, t.gaps, t.lost);
    // Contacts of two faces within a degree of each other have the normal of the larger one.
    cr_expect_leq(t.ahead, t.pairs / 10, "%s: %d ahead", kinds[k].name, t.ahead);
    cr_expect_leq(t.tied, t.pairs / 100, "%s", kinds[k].name);
  }
}

/// A box that is tilted by half a degree and 2 mm deep in a slab with its lower edge, 1 mm with the
/// other. The contacts of an engine are in all four corners, on the surface of either body.
Test(harness_overlap_truth, contacts_shallower_than_the_overlap_are_judged_by_the_surfaces,
     .init = scoring_setup, .fini = scoring_teardown) {
  const double tilt_rad = asin(0.001 / 0.1);
  ts_scene *scene;
  int32_t shape, body;
  cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
  cr_assert_eq(ts_shape_box(&shape, scene, "slab", 1, 0.2, 1), TS_OK);
  ts_pose pose = {{1, 0, 0, 0}, {0, -0.1, 0}};
  cr_assert_eq(ts_scene_add_body(&body, scene, "slab", shape, pose, true), TS_OK);
  cr_assert_eq(ts_shape_box(&shape, scene, "box", 0.1, 0.1, 0.1), TS_OK);
  pose.rotation = ts_quat_from_axis_angle(ts_vec3_make(0, 0, 1), tilt_rad);
  pose.translation.y = -0.0015 + 0.05 * cos(tilt_rad);
  cr_assert_eq(ts_scene_add_body(&body, scene, "box", shape, pose, false), TS_OK);
  cr_assert_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(scene->region_count, 1);
  cr_expect_eq(scene->regions[0].kind, TS_REGION_SEGMENT);
  for (int on = 0; on < 3; on++) {
    ts_contact contacts[4];
    for (int i = 0; i < 4; i++) {
      ts_vec3 corner =
          ts_pose_point(pose, ts_vec3_make(i & 1 ? 0.05 : -0.05, -0.05, i & 2 ? 0.05 : -0.05));
      contacts[i] = contact_at(corner.x, corner.y * 0.5 * on, corner.z, up, corner.y);
    }
    ts_contact_set set = set_of(0, 1, contacts, 4);
    ts_judgement j = judge(scene, &set, 1, no_envelope);
    cr_expect_eq(ts_judgement_count(&j), 2);
    cr_expect_not(ts_judged_misses(&j, &j.pairs[0], 0));
    for (int i = 0; i < 4; i++) {
      const ts_verdict *v = &j.pairs[0].verdicts[i];
      cr_expect_eq(v->is_speculative, contacts[i].gap_m > -0.0015, "%d, %d", on, i);
      cr_expect_not(v->is_phantom || v->is_wrong_ahead || v->is_gap_wrong, "%d, %d", on, i);
    }
    // A shallow one that is off by a micrometre, one in the air, and a deep one that is off.
    ts_contact wrong = contacts[1];
    wrong.gap_m += 1e-6;
    ts_verdict v = judge_one(scene, wrong, no_envelope);
    cr_expect(v.is_speculative && v.is_wrong_ahead, "%d", on);
    wrong = contacts[1];
    wrong.point.x += 0.05;
    v = judge_one(scene, wrong, no_envelope);
    cr_expect(v.is_speculative && v.is_wrong_ahead, "%d", on);
    // In the middle of the face, with the right gap and a normal that is 5 to 60 degrees off.
    for (int deg = 0; deg <= 60; deg += 5) {
      wrong = contact_at(pose.translation.x + 0.05 * sin(tilt_rad), -0.0015 * 0.5 * on, 0,
                         up_tilted(deg), -0.0015);
      v = judge_one(scene, wrong, no_envelope);
      cr_expect(v.is_phantom || (v.is_speculative && v.is_wrong_ahead == (deg > 0)), "%d, %d", on,
                deg);
    }
    wrong = contacts[0];
    wrong.gap_m += 1e-6;
    v = judge_one(scene, wrong, no_envelope);
    cr_expect(!v.is_speculative && v.is_gap_wrong, "%d", on);
    wrong = contacts[0];
    wrong.gap_m = -0.003;
    v = judge_one(scene, wrong, no_envelope);
    cr_expect(!v.is_speculative && v.is_gap_wrong, "%d", on);
  }
}
