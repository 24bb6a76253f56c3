// SPDX-License-Identifier: MIT
// covers: harness/narrow_phase/parts.c
// Methods that take convex bodies only, on bodies in pieces.
#include "cases/scene/shapes.h"
#include "harness/narrow_phase/narrow_phase.h"
#include "tests/harness/judge/scoring_fixture.h"
#include "tests/harness/run/cell_fixture.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(harness_parts, .init = scoring_setup, .fini = scoring_teardown, .timeout = 60);

enum { CALLS_MAX = 64 };

// Arguments of the method below. Each test runs in its own process.
static struct {
  int shapes, pairs, shapes_released, pairs_released;
  size_t calls; ///< calls of generate() since it was last reset to 0
  ts_pair seen[CALLS_MAX];
  bool pushes_one_place; ///< otherwise each call has its own point
} spy;

static ts_status spy_prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh,
                                   const double *params) {
  (void)params;
  const ts_mesh **state = host->alloc(host, sizeof *state);
  *state = mesh;
  *out = state;
  spy.shapes++;
  return TS_OK;
}

static ts_status spy_prepare_pair(void **out, const ts_host *host, const ts_pair *pair,
                                  const void *shape_a, const void *shape_b, const double *params) {
  (void)params;
  cr_assert_eq(*(const ts_mesh *const *)shape_a, pair->mesh_a);
  cr_assert_eq(*(const ts_mesh *const *)shape_b, pair->mesh_b);
  ts_pair *kept = host->alloc(host, sizeof *kept);
  *kept = *pair;
  *out = kept;
  spy.pairs++;
  return TS_OK;
}

static void spy_release_shape(void *shape) {
  cr_assert(shape);
  spy.shapes_released++;
}

static void spy_release_pair(void *pair_state) {
  cr_assert(pair_state);
  spy.pairs_released++;
}

/// One contact at the centre of the first mesh's box, with a feature of each mesh.
static ts_status spy_generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                              const void *shape_b, void *pair_state, const double *params) {
  (void)params;
  const ts_pair *prepared = pair_state;
  cr_assert(prepared->mesh_a == pair->mesh_a && prepared->mesh_b == pair->mesh_b &&
                prepared->body_a == pair->body_a && prepared->body_b == pair->body_b,
            "prepared for this pair");
  cr_assert_eq(*(const ts_mesh *const *)shape_a, pair->mesh_a);
  cr_assert_eq(*(const ts_mesh *const *)shape_b, pair->mesh_b);
  cr_assert_lt(spy.calls, CALLS_MAX);
  spy.seen[spy.calls++] = *pair;
  ts_vec3 place = ts_aabb_centre(ts_mesh_bounds(pair->mesh_a));
  place = spy.pushes_one_place ? pair->pose_b.translation : ts_pose_point(pair->pose_a, place);
  ts_contact contact = contact_at(place.x, place.y, place.z, up, 0);
  contact.feature_a = (ts_feature){TS_FEATURE_VERTEX, 3};
  contact.feature_b = (ts_feature){TS_FEATURE_FACE, 1};
  return host->push(host, &contact, 1);
}

static ts_method spying(uint32_t needs) {
  return (ts_method){.abi = TS_METHOD_ABI,
                     .struct_size = sizeof(ts_method),
                     .name = "spy",
                     .needs = needs,
                     .prepare_shape = spy_prepare_shape,
                     .prepare_pair = spy_prepare_pair,
                     .generate = spy_generate,
                     .release_shape = spy_release_shape,
                     .release_pair = spy_release_pair};
}

/// The prism along z, from 0 to 1, over a profile that is star-shaped with respect to its vertex
/// `eye`.
static ts_mesh prism_of(const double (*profile)[2], uint32_t count, uint32_t eye) {
  ts_vec3 *vertices = ts_arena_array(arena, (size_t)2 * count, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(arena, (size_t)4 * count, sizeof *triangles);
  size_t n = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t next = (i + 1) % count;
    for (int end = 0; end < 2; end++)
      vertices[2 * i + (uint32_t)end] = ts_vec3_make(profile[i][0], profile[i][1], end);
    const uint32_t sides[2][3] = {{2 * i, 2 * next, 2 * next + 1},
                                  {2 * i, 2 * next + 1, 2 * i + 1}};
    memcpy(triangles[n], sides, sizeof sides);
    n += 2;
    if (i == eye || next == eye)
      continue;
    const uint32_t caps[2][3] = {{2 * eye + 1, 2 * i + 1, 2 * next + 1},
                                 {2 * eye, 2 * next, 2 * i}};
    memcpy(triangles[n], caps, sizeof caps);
    n += 2;
  }
  return (ts_mesh){.vertex_count = (size_t)2 * count,
                   .vertices = vertices,
                   .triangle_count = n,
                   .triangles = (const uint32_t(*)[3])triangles};
}

static void add_piece(ts_scene *scene, int32_t shape, const double (*profile)[2], uint32_t count) {
  ts_mesh m = prism_of(profile, count, 0);
  cr_assert_eq(
      ts_scene_add_piece(scene, shape, m.vertices, m.vertex_count, m.triangles, m.triangle_count),
      TS_OK, "%s", ts_status_detail());
}

static const double corner[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
static const double low_part[4][2] = {{0, 0}, {2, 0}, {2, 1}, {0, 1}};
static const double high_part[4][2] = {{0, 1}, {1, 1}, {1, 2}, {0, 2}};

/// L-shaped bodies, lying flat, of two pieces, and a cube of side 0.2, placed by their centres or
/// vertices.
static ts_scene *corners_and_cube(size_t corner_count, const ts_vec3 *at, ts_vec3 cube_at) {
  ts_scene *scene;
  int32_t shape, body;
  cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
  ts_mesh m = prism_of(corner, 6, 3);
  cr_assert_eq(ts_scene_add_shape(&shape, scene, "corner", m.vertices, m.vertex_count, m.triangles,
                                  m.triangle_count),
               TS_OK, "%s", ts_status_detail());
  add_piece(scene, shape, low_part, 4);
  add_piece(scene, shape, high_part, 4);
  for (size_t i = 0; i < corner_count; i++)
    cr_assert_eq(
        ts_scene_add_body(&body, scene, "corner", shape, (ts_pose){{1, 0, 0, 0}, at[i]}, false),
        TS_OK);
  cr_assert_eq(ts_shape_box(&shape, scene, "cube", 0.2, 0.2, 0.2), TS_OK);
  cr_assert_eq(
      ts_scene_add_body(&body, scene, "cube", shape, (ts_pose){{1, 0, 0, 0}, cube_at}, false),
      TS_OK);
  return scene;
}

static ts_narrow_phase *create(const ts_scene *scene, const ts_method *method) {
  ts_narrow_phase *phase;
  cr_assert_eq(ts_narrow_phase_create(&phase, scene, method, NULL, TS_REFERENCE_DESIGN), TS_OK,
               "%s", ts_status_detail());
  cr_assert_eq(ts_narrow_phase_prepare(phase), TS_OK, "%s", ts_status_detail());
  return phase;
}

static ts_contact_set *collect(ts_narrow_phase *phase) {
  ts_contact_set *sets;
  spy.calls = 0;
  cr_assert_eq(ts_narrow_phase_collect(&sets, phase, arena), TS_OK, "%s", ts_status_detail());
  return sets;
}

static void destroy(ts_narrow_phase *phase) {
  ts_narrow_phase_destroy(phase);
  cr_expect_eq(spy.shapes_released, spy.shapes);
  cr_expect_eq(spy.pairs_released, spy.pairs);
}

Test(harness_parts, contacts_of_all_pieces_are_those_of_the_pair) {
  ts_method method = spying(TS_NEEDS_CONVEX);
  cell_draft draft = draft_cell(arena, "spike_in_hole", &method);
  ts_scene *scene;
  cr_assert_eq(ts_case_build(&scene, arena, draft.cell.c, draft.case_values), TS_OK);
  ts_narrow_phase *phase = create(scene, &method);
  cr_assert_eq(ts_narrow_phase_pair_count(phase), 1, "of bodies");
  cr_expect_eq(spy.shapes, 5, "four pieces and the spike");
  cr_expect_eq(spy.pairs, 4);
  ts_contact_set *sets = collect(phase);
  cr_assert_eq(spy.calls, 4);
  for (size_t i = 0; i < 4; i++) {
    const ts_pair *pair = &spy.seen[i];
    cr_expect_eq(pair->body_a, 0);
    cr_expect_eq(pair->body_b, 1);
    cr_expect_eq(pair->mesh_a, scene->shapes[0].pieces[i]);
    cr_expect_eq(pair->mesh_b, scene->shapes[1].mesh);
    cr_expect_eq(pair->size_m, 2, "of the bodies: %g", pair->size_m);
  }
  cr_assert_eq(sets[0].count, 4);
  cr_expect_eq(sets[0].delivered, 4);
  cr_expect_eq(sets[0].body_a, 0);
  cr_expect_eq(sets[0].body_b, 1);
  for (size_t i = 0; i < 4; i++) {
    const ts_contact *c = &sets[0].contacts[i];
    cr_expect_eq(c->feature_a.kind, TS_FEATURE_NONE);
    cr_expect_eq(c->feature_a.index, 0);
    cr_expect_eq(c->feature_b.kind, TS_FEATURE_FACE, "the spike is whole");
    cr_expect_eq(c->feature_b.index, 1);
    cr_expect(i == 0 || sets[0].contacts[i - 1].point.x <= c->point.x, "sorted");
  }
  destroy(phase);
}

Test(harness_parts, what_two_pieces_say_alike_counts_once) {
  ts_method method = spying(TS_NEEDS_CONVEX);
  spy.pushes_one_place = true;
  ts_cell_rows rows;
  cell_draft draft = draft_cell(arena, "spike_in_hole", &method);
  rows = run_draft(arena, &draft);
  cr_assert_str_eq(rows.records[0].outcome, "ok", "%s", rows.records[0].reason);
  cr_expect_eq(rows.records[0].contacts_delivered, 4);
  cr_expect_eq(rows.records[0].pairs_candidate, 1);
  cr_expect_eq(rows.contact_count, 1);
}

Test(harness_parts, a_method_for_any_body_gets_it_as_a_whole) {
  ts_method method = spying(TS_NEEDS_CLOSED);
  const ts_vec3 origin = {0, 0, 0};
  ts_scene *scene = corners_and_cube(1, &origin, (ts_vec3){1.5, 1.5, 0.5});
  ts_narrow_phase *phase = create(scene, &method);
  ts_contact_set *sets = collect(phase);
  cr_assert_eq(spy.calls, 1);
  cr_expect_eq(spy.seen[0].mesh_a, scene->shapes[0].mesh);
  cr_assert_eq(sets[0].count, 1);
  cr_expect_eq(sets[0].contacts[0].feature_a.kind, TS_FEATURE_VERTEX);
  destroy(phase);
}

Test(harness_parts, bodies_that_are_near_while_no_piece_is_have_no_call_and_an_empty_set) {
  ts_method method = spying(TS_NEEDS_CONVEX);
  const ts_vec3 origin = {0, 0, 0};
  ts_narrow_phase *phase = create(corners_and_cube(1, &origin, (ts_vec3){1.5, 1.5, 0.5}), &method);
  cr_assert_eq(ts_narrow_phase_pair_count(phase), 1);
  ts_contact_set *sets = collect(phase);
  cr_expect_eq(spy.calls, 0);
  cr_expect_eq(sets[0].count, 0);
  cr_expect_eq(sets[0].body_b, 1);
  destroy(phase);
  cr_expect_eq(spy.shapes, 0);
}

static double reach_of_spy_m;

static ts_status reaching(ts_envelope *out, const double *params) {
  (void)params;
  out->reach_m = reach_of_spy_m;
  return TS_OK;
}

/// The pieces of the first L that are tested against the cube at (x, y): 1 low, 2 high, 3 both.
static int pieces_near(double x, double y, double reach_m) {
  ts_method method = spying(TS_NEEDS_CONVEX);
  method.envelope = reaching;
  reach_of_spy_m = reach_m;
  const ts_vec3 origin = {0, 0, 0};
  ts_scene *scene = corners_and_cube(1, &origin, (ts_vec3){x, y, 0.5});
  ts_narrow_phase *phase = create(scene, &method);
  cr_assert_eq(ts_narrow_phase_pair_count(phase), 1);
  collect(phase);
  int found = 0;
  for (size_t i = 0; i < spy.calls; i++)
    found |= spy.seen[i].mesh_a == scene->shapes[0].pieces[0] ? 1 : 2;
  ts_narrow_phase_destroy(phase);
  return found;
}

Test(harness_parts, pieces_come_as_close_as_the_reach) {
  cr_expect_eq(pieces_near(1.5, 1.1, 0), 1, "touches");
  cr_expect_eq(pieces_near(1.1, 1.5, 0), 2);
  cr_expect_eq(pieces_near(1.1, 1.1, 0), 3);
  cr_expect_eq(pieces_near(1.5, 1.15, 0), 0);
  cr_expect_eq(pieces_near(1.5, 1.15, 0.06), 1);
  cr_expect_eq(pieces_near(1.5, 1.15, 0.04), 0);
  cr_expect_eq(pieces_near(1.5, 1.5, 0.45), 3);
}

Test(harness_parts, each_piece_of_one_body_meets_each_of_the_other) {
  ts_method method = spying(TS_NEEDS_CONVEX);
  const ts_vec3 at[3] = {{0, 0, 0}, {0, 0, 1}, {0, 0, 2}};
  ts_scene *scene = corners_and_cube(3, at, (ts_vec3){0.5, 0.5, 9});
  ts_narrow_phase *phase = create(scene, &method);
  cr_assert_eq(ts_narrow_phase_pair_count(phase), 2);
  cr_expect_eq(spy.shapes, 2, "once for all bodies, and the cube is in no pair");
  ts_contact_set *sets = collect(phase);
  cr_assert_eq(spy.calls, 8);
  const ts_mesh *const *pieces = scene->shapes[0].pieces;
  for (size_t i = 0; i < 8; i++) {
    cr_expect_eq(spy.seen[i].body_a, (int32_t)(i / 4));
    cr_expect_eq(spy.seen[i].body_b, (int32_t)(i / 4) + 1);
    cr_expect_eq(spy.seen[i].mesh_a, pieces[i / 2 % 2]);
    cr_expect_eq(spy.seen[i].mesh_b, pieces[i % 2]);
    cr_expect_eq(spy.seen[i].pose_b.translation.z, (double)(i / 4) + 1);
  }
  for (int i = 0; i < 2; i++) {
    cr_expect_eq(sets[i].body_a, i);
    cr_expect_eq(sets[i].count, 2, "one of each piece of the first body");
    cr_expect_eq(sets[i].delivered, 4);
    cr_expect_eq(sets[i].contacts[0].point.z, i + 0.5);
    cr_expect_eq(sets[i].contacts[0].feature_b.kind, TS_FEATURE_NONE);
  }
  destroy(phase);
}

Test(harness_parts, pieces_are_filled_and_flipped_like_bodies) {
  ts_method method = spying(TS_NEEDS_CONVEX | TS_NEEDS_TETS);
  const ts_vec3 origin = {0, 0, 0};
  ts_scene *scene = corners_and_cube(1, &origin, (ts_vec3){1.1, 1.1, 0.5});
  scene->later_body_first = true;
  ts_narrow_phase *phase = create(scene, &method);
  ts_contact_set *sets = collect(phase);
  cr_assert_eq(spy.calls, 2);
  for (size_t i = 0; i < 2; i++) {
    cr_expect_eq(spy.seen[i].body_a, 1);
    cr_expect_eq(spy.seen[i].body_b, 0);
    ts_aabb box = ts_mesh_bounds(spy.seen[i].mesh_b);
    ts_aabb designed = ts_mesh_bounds(scene->shapes[0].pieces[i]);
    cr_expect_eq(memcmp(&box, &designed, sizeof box), 0);
    cr_expect_gt(spy.seen[i].mesh_b->tet_count, 0);
  }
  cr_assert_eq(sets[0].count, 1, "both say the middle of the cube");
  const ts_contact *c = &sets[0].contacts[0];
  cr_expect_eq(sets[0].body_a, 0);
  cr_expect_eq(c->normal.y, -1);
  cr_expect_eq(c->feature_a.kind, TS_FEATURE_NONE);
  cr_expect_eq(c->feature_b.kind, TS_FEATURE_VERTEX, "of the cube, which was first");
  destroy(phase);
}

static ts_scene *moved(const ts_scene *built, ts_vec3 cube_at) {
  ts_body bodies[2] = {built->bodies[0], built->bodies[1]};
  bodies[1].pose.translation = cube_at;
  ts_scene *scene;
  cr_assert_eq(ts_scene_carry(&scene, arena, built, bodies), TS_OK);
  return scene;
}

Test(harness_parts, pieces_are_prepared_when_they_are_first_used_and_once) {
  ts_method method = spying(TS_NEEDS_CONVEX);
  const ts_vec3 origin = {0, 0, 0};
  ts_scene *built = corners_and_cube(1, &origin, (ts_vec3){1.5, 1.5, 0.5});
  ts_narrow_phase *phase = create(built, &method);
  for (int round = 0; round < 3; round++) {
    cr_assert_eq(ts_narrow_phase_move(phase, moved(built, (ts_vec3){1.5, 1.1, 0.5})), TS_OK);
    cr_expect_eq(spy.shapes, round == 0 ? 2 : 3, "the cube and the low piece");
    cr_expect_eq(collect(phase)[0].count, 1);
    cr_assert_eq(ts_narrow_phase_move(phase, moved(built, (ts_vec3){1.1, 1.1, 0.5})), TS_OK);
    cr_expect_eq(spy.shapes, 3, "the high piece too");
    cr_expect_eq(collect(phase)[0].count, 2);
    cr_expect_eq(spy.pairs_released, spy.pairs - 2);
  }
  destroy(phase);
}

Test(harness_parts, scenes_in_pieces_run_over_time_steps) {
  const char *const names[] = {"spike_in_crack", "spike_in_hole", "wedge_in_crack"};
  ts_method method = spying(TS_NEEDS_CONVEX);
  spy.pushes_one_place = true;
  for (int i = 0; i < 3; i++) {
    cell_draft draft = draft_cell(arena, names[i], &method);
    draft_set(arena, &draft, "motion_seed", 3);
    draft.cell.steps = 5;
    spy.calls = 0;
    ts_cell_rows rows;
    cr_assert_eq(collect_cell(&rows, arena, &draft.cell, &once), TS_OK);
    cr_assert_eq(rows.record_count, 5, "%zu", rows.record_count);
    for (size_t k = 0; k < rows.record_count; k++)
      cr_expect_str_eq(rows.records[k].outcome, "ok", "%s: %s", names[i], rows.records[k].reason);
  }
  cr_expect(spy.shapes > 0 && spy.shapes % (3 + 5 + 3) == 0, "%d", spy.shapes);
  cr_expect_eq(spy.shapes_released, spy.shapes);
  cr_expect_eq(spy.pairs_released, spy.pairs);
}

Test(harness_parts, refined_scenes_give_refined_pieces) {
  ts_method method = spying(TS_NEEDS_CONVEX);
  cell_draft draft = draft_cell(arena, "spike_in_crack", &method);
  draft_set(arena, &draft, "refinement", 1);
  ts_scene *scene;
  cr_assert_eq(ts_case_build(&scene, arena, draft.cell.c, draft.case_values), TS_OK);
  ts_narrow_phase *phase = create(scene, &method);
  collect(phase);
  cr_assert_eq(spy.calls, 2);
  for (size_t i = 0; i < 2; i++)
    cr_expect_gt(spy.seen[i].mesh_a->triangle_count, 16);
  destroy(phase);
}

static ts_status eroding(ts_envelope *out, const double *params) {
  (void)params;
  *out = (ts_envelope){TS_ENVELOPE_ERODED, TS_ENVELOPE_FACES, 0.01, 0.02};
  return TS_OK;
}

static void expect_skipped(const char *case_name, const ts_method *method, int tets,
                           const char *words) {
  cell_draft draft = draft_cell(arena, case_name, method);
  draft_set(arena, &draft, "tets", tets);
  ts_record r = run_draft(arena, &draft).records[0];
  cr_expect_str_eq(r.outcome, "skipped", "%s", case_name);
  cr_expect(strstr(r.reason, words) != NULL, "no \"%s\" in \"%s\"", words, r.reason);
  cr_expect_eq(spy.shapes, 0);
  cr_expect_eq(spy.calls, 0);
}

Test(harness_parts, what_cannot_be_had_in_convex_pieces_is_skipped_with_its_reason) {
  ts_method method = spying(TS_NEEDS_CONVEX), eroded = method;
  eroded.envelope = eroding;
  const char *reason = "shape torus is not convex and has no convex pieces";
  expect_skipped("tori", &method, TS_TETS_TETGEN, reason);
  expect_skipped("spike_in_hole", &method, TS_TETS_PUBLISHED, "has no convex pieces");
  expect_skipped("spike_in_hole", &eroded, TS_TETS_TETGEN, "they would come apart");
}

Test(harness_parts, deformable_bodies_are_the_reason_before_rigid_ones_that_may_have_pieces) {
  ts_method method = spying(TS_NEEDS_CONVEX);
  cell_draft draft = draft_cell(arena, "soft_chain", &method);
  ts_record r = run_draft(arena, &draft).records[0];
  cr_expect_str_eq(r.outcome, "skipped");
  cr_expect(strstr(r.reason, "deformable bodies (soft_torus) are not"), "%s", r.reason);
}

Test(harness_parts, convex_bodies_are_eroded_as_a_whole) {
  ts_method eroded = spying(TS_NEEDS_CONVEX);
  eroded.envelope = eroding;
  cell_draft draft = draft_cell(arena, "cliff_edges", &eroded);
  ts_record r = run_draft(arena, &draft).records[0];
  cr_expect_str_eq(r.outcome, "ok", "%s", r.reason);
}

Test(harness_parts, pieces_that_do_not_fill_their_shape_are_a_failure) {
  ts_method method = spying(TS_NEEDS_CONVEX), any = spying(TS_NEEDS_CLOSED);
  const ts_vec3 origin = {0, 0, 0};
  ts_scene *scene = corners_and_cube(1, &origin, (ts_vec3){1.1, 1.1, 0.5});
  scene->shapes[0].piece_count = 1;
  ts_narrow_phase *phase;
  cr_expect_eq(ts_narrow_phase_create(&phase, scene, &method, NULL, TS_REFERENCE_DESIGN),
               TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "do not fill it"), "%s", ts_status_detail());
  destroy(create(scene, &any));
}
