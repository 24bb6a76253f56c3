// SPDX-License-Identifier: MIT
// covers: harness/narrow_phase/narrow_phase.c
#include "harness/narrow_phase/narrow_phase.h"

#include "base/sanitizer.h"
#include "base/status.h"
#include "harness/controls/controls.h"
#include "methods/registry.h"
#include "tests/harness/judge/scoring_fixture.h"
#include "tests/harness/run/cell_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(harness_narrow_phase_move, .init = scoring_setup, .fini = scoring_teardown,
          .timeout = 120);

/// The scene of a case with its bodies moved against each other by some hundredths of their size.
static const ts_scene *moved_scene(const ts_scene *built, int seed) {
  ts_body *bodies = ts_arena_array(arena, built->body_count, sizeof *bodies);
  for (size_t i = 0; i < built->body_count; i++) {
    double k = (double)(((int)i * 7 + seed * 3) % 5 - 2);
    bodies[i] = built->bodies[i];
    ts_pose motion = {ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, 0.002 * k),
                      {0.003 * k, -0.001 * (double)seed, 0.002 * k}};
    bodies[i].pose = ts_pose_mul(motion, bodies[i].pose);
  }
  ts_scene *scene;
  cr_assert_eq(ts_scene_carry(&scene, arena, built, bodies), TS_OK);
  return scene;
}

static ts_narrow_phase *create(const ts_scene *scene, const cell_draft *draft) {
  ts_narrow_phase *phase;
  cr_assert_eq(ts_narrow_phase_create(&phase, scene, draft->cell.method, draft->method_values,
                                      TS_REFERENCE_DESIGN),
               TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_narrow_phase_prepare(phase), TS_OK, "%s", ts_status_detail());
  return phase;
}

static uint64_t hash_of(ts_narrow_phase *phase, size_t *out_contacts) {
  ts_contact_set *sets;
  size_t count = ts_narrow_phase_pair_count(phase);
  cr_assert_eq(ts_narrow_phase_collect(&sets, phase, arena), TS_OK, "%s", ts_status_detail());
  *out_contacts = 0;
  for (size_t i = 0; i < count; i++)
    *out_contacts += sets[i].count;
  return ts_contact_sets_hash(sets, count);
}

static void expect_moved_is_created(const char *case_name, const ts_method *method) {
  cell_draft draft = draft_cell(arena, case_name, method);
  ts_scene *built;
  cr_assert_eq(ts_case_build(&built, arena, draft.cell.c, draft.case_values), TS_OK);
  ts_narrow_phase *phase = create(built, &draft);
  size_t contacts, fresh_contacts;
  uint64_t first = hash_of(phase, &contacts);
  for (int seed = 1; seed <= (TS_HAS_ADDRESS_SANITIZER ? 1 : 3); seed++) {
    const ts_scene *scene = moved_scene(built, seed);
    cr_assert_eq(ts_narrow_phase_move(phase, scene), TS_OK, "%s", ts_status_detail());
    ts_narrow_phase *fresh = create(scene, &draft);
    cr_expect_eq(ts_narrow_phase_pair_count(phase), ts_narrow_phase_pair_count(fresh));
    uint64_t hash = hash_of(phase, &contacts);
    cr_expect_eq(hash, hash_of(fresh, &fresh_contacts), "%s x %s", case_name, method->name);
    cr_expect_eq(contacts, fresh_contacts);
    cr_expect(contacts == 0 || hash != first, "%s x %s did not move", case_name, method->name);
    ts_narrow_phase_destroy(fresh);
  }
  cr_assert_eq(ts_narrow_phase_move(phase, built), TS_OK);
  cr_expect_eq(hash_of(phase, &contacts), first, "%s x %s does not come back", case_name,
               method->name);
  ts_narrow_phase_destroy(phase);
}

Test(harness_narrow_phase_move, moved_there_is_created_there_for_every_method) {
  for (size_t i = 0; ts_methods[i]; i++) {
    expect_moved_is_created("pillar", ts_methods[i]);
    expect_moved_is_created("wall", ts_methods[i]);
    expect_moved_is_created("spike_in_hole", ts_methods[i]);
  }
  expect_moved_is_created("wall", control_named("control_ideal"));
}

// A method that records how it is called. Each test runs in its own process.
static struct {
  int shapes, pairs, shapes_released, pairs_released;
  int fail_at_pair; ///< prepare_pair() fails at its n-th call; 0: never
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

/// The stored poses of a pair, which generate() must find up to date.
static ts_status spy_prepare_pair(void **out, const ts_host *host, const ts_pair *pair,
                                  const void *shape_a, const void *shape_b, const double *params) {
  (void)params;
  cr_assert_eq(*(const ts_mesh *const *)shape_a, pair->mesh_a);
  cr_assert_eq(*(const ts_mesh *const *)shape_b, pair->mesh_b);
  spy.pairs++;
  if (spy.pairs == spy.fail_at_pair)
    return host->fail(host, TS_E_INPUT, "this pair will not do");
  ts_pair *kept = host->alloc(host, sizeof *kept);
  *kept = *pair;
  *out = kept;
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

static ts_status spy_generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                              const void *shape_b, void *pair_state, const double *params) {
  (void)params;
  cr_assert_eq(memcmp(pair_state, pair, sizeof *pair), 0, "prepared for these poses");
  cr_assert_eq(*(const ts_mesh *const *)shape_a, pair->mesh_a);
  cr_assert_eq(*(const ts_mesh *const *)shape_b, pair->mesh_b);
  ts_vec3 middle = ts_vec3_add(pair->pose_a.translation, pair->pose_b.translation);
  ts_contact contact = contact_at(middle.x, middle.y, middle.z, up, 0);
  return host->push(host, &contact, 1);
}

static const ts_method spy_method = {.abi = TS_METHOD_ABI,
                                     .struct_size = sizeof(ts_method),
                                     .name = "spy",
                                     .prepare_shape = spy_prepare_shape,
                                     .prepare_pair = spy_prepare_pair,
                                     .generate = spy_generate,
                                     .release_shape = spy_release_shape,
                                     .release_pair = spy_release_pair};

Test(harness_narrow_phase_move, each_move_prepares_pairs_again_but_not_shapes) {
  cell_draft draft = draft_cell(arena, "wall", &spy_method);
  ts_scene *built;
  cr_assert_eq(ts_case_build(&built, arena, draft.cell.c, draft.case_values), TS_OK);
  ts_narrow_phase *phase = create(built, &draft);
  int pairs = (int)ts_narrow_phase_pair_count(phase);
  size_t contacts;
  cr_assert_eq(spy.shapes, 2);
  for (int seed = 1; seed <= 20; seed++) {
    cr_assert_eq(ts_narrow_phase_move(phase, moved_scene(built, seed)), TS_OK);
    cr_assert_eq(spy.pairs_released, pairs, "all of the pose before");
    pairs += (int)ts_narrow_phase_pair_count(phase);
    cr_assert_eq(spy.pairs, pairs);
    hash_of(phase, &contacts);
    cr_assert_eq(contacts, ts_narrow_phase_pair_count(phase));
  }
  cr_assert_eq(spy.shapes, 2);
  cr_assert_eq(spy.shapes_released, 0);
  ts_narrow_phase_destroy(phase);
  cr_assert_eq(spy.pairs_released, pairs);
  cr_assert_eq(spy.shapes_released, 2);
}

Test(harness_narrow_phase_move, a_pair_that_fails_after_a_move_releases_what_was_prepared) {
  cell_draft draft = draft_cell(arena, "wall", &spy_method);
  ts_scene *built;
  cr_assert_eq(ts_case_build(&built, arena, draft.cell.c, draft.case_values), TS_OK);
  ts_narrow_phase *phase = create(built, &draft);
  spy.fail_at_pair = spy.pairs + 3;
  cr_assert_eq(ts_narrow_phase_move(phase, moved_scene(built, 1)), TS_E_INPUT);
  cr_assert_str_eq(ts_status_detail(), "bodies ground and brick_0_2: this pair will not do");
  ts_narrow_phase_destroy(phase);
  cr_assert_eq(spy.pairs_released, spy.pairs - 1);
  cr_assert_eq(spy.shapes_released, spy.shapes);
}

// A method that numbers the states of pairs, and counts the calls with each.
typedef struct numbered {
  int number, calls;
} numbered;

static ts_status number_pair(void **out, const ts_host *host, const ts_pair *pair,
                             const void *shape_a, const void *shape_b, const double *params) {
  (void)pair, (void)shape_a, (void)shape_b, (void)params;
  numbered *n = host->alloc(host, sizeof *n);
  *n = (numbered){.number = ++spy.pairs};
  *out = n;
  return TS_OK;
}

static ts_status push_number(const ts_host *host, const ts_pair *pair, const void *shape_a,
                             const void *shape_b, void *pair_state, const double *params) {
  (void)pair, (void)shape_a, (void)shape_b, (void)params;
  numbered *n = pair_state;
  ts_contact contact = contact_at(n->number, ++n->calls, 0, up, 0);
  return host->push(host, &contact, 1);
}

/// Three cubes in a row; the middle one touches `left`, `right` or both.
static const ts_scene *row_of_cubes(ts_scene *built, bool left, bool right) {
  ts_body bodies[3];
  memcpy(bodies, built->bodies, sizeof bodies);
  bodies[0].pose.translation.x = left ? -1 : -5;
  bodies[1].pose.translation.x = 0;
  bodies[2].pose.translation.x = right ? 1 : 5;
  ts_scene *scene;
  cr_assert_eq(ts_scene_carry(&scene, arena, built, bodies), TS_OK);
  return scene;
}

Test(harness_narrow_phase_move, states_that_are_kept_stay_with_their_pair_while_it_is_near) {
  static const struct {
    bool left, right;
    int number[2], calls[2];           ///< of the pairs that are near, in order
  } steps[] = {{1, 1, {1, 2}, {2, 2}}, // one call before
               {0, 1, {2}, {3}},       {1, 1, {3, 2}, {1, 4}}, {1, 0, {3}, {2}},
               {0, 0, {0}, {0}},       {1, 1, {4, 5}, {1, 1}}, {1, 1, {4, 5}, {2, 2}}};
  const ts_method method = {.abi = TS_METHOD_ABI,
                            .struct_size = sizeof(ts_method),
                            .name = "numbers",
                            .prepare_pair = number_pair,
                            .generate = push_number,
                            .release_pair = spy_release_pair,
                            .keeps_state = 1};
  ts_scene *built = scene_with(3, NULL, 0);
  const ts_scene *both = row_of_cubes(built, true, true);
  cell_draft draft = draft_cell(arena, "wall", &method);
  ts_narrow_phase *phase = create(both, &draft);
  cr_assert(ts_narrow_phase_keeps_state(phase));
  size_t contacts;
  hash_of(phase, &contacts);
  cr_assert_eq(contacts, 2);
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    const ts_scene *scene = row_of_cubes(built, steps[i].left, steps[i].right);
    cr_assert_eq(ts_narrow_phase_move(phase, scene), TS_OK, "%s", ts_status_detail());
    size_t count = ts_narrow_phase_pair_count(phase);
    cr_assert_eq(count, (size_t)steps[i].left + steps[i].right);
    cr_expect_eq(spy.pairs - spy.pairs_released, (int)count, "the others are released");
    ts_contact_set *sets;
    cr_assert_eq(ts_narrow_phase_collect(&sets, phase, arena), TS_OK);
    for (size_t k = 0; k < count; k++) {
      cr_expect_eq(sets[k].contacts[0].point.x, steps[i].number[k], "step %zu", i);
      cr_expect_eq(sets[k].contacts[0].point.y, steps[i].calls[k], "step %zu", i);
    }
  }
  ts_narrow_phase_destroy(phase);
  cr_expect_eq(spy.pairs, 5);
  cr_expect_eq(spy.pairs_released, 5);
}

/// Two touching boxes, and one of another shape far away, all with mass.
static ts_scene *scene_with_stranger(void) {
  ts_scene *scene = scene_with(3, NULL, 0); // cubes 2 m apart
  const ts_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const uint32_t triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  int32_t shape;
  cr_assert_eq(ts_scene_add_shape(&shape, scene, "tet", corners, 4, triangles, 4), TS_OK, "%s",
               ts_status_detail());
  scene->bodies[1].pose.translation.x = 1;
  scene->bodies[2].shape = shape;
  scene->bodies[2].pose.translation.x = 9;
  return scene;
}

Test(harness_narrow_phase_move, shapes_are_prepared_when_they_are_first_used) {
  ts_scene *built = scene_with_stranger();
  cell_draft draft = draft_cell(arena, "wall", &spy_method);
  ts_narrow_phase *phase = create(built, &draft);
  cr_assert_eq(ts_narrow_phase_pair_count(phase), 1);
  cr_assert_eq(spy.shapes, 1);
  ts_body bodies[3];
  memcpy(bodies, built->bodies, sizeof bodies);
  ts_scene *near, *far;
  cr_assert_eq(ts_scene_carry(&far, arena, built, bodies), TS_OK);
  bodies[2].pose.translation.x = 2;
  cr_assert_eq(ts_scene_carry(&near, arena, built, bodies), TS_OK);
  size_t contacts;
  for (int round = 0; round < 3; round++) {
    cr_assert_eq(ts_narrow_phase_move(phase, near), TS_OK);
    hash_of(phase, &contacts);
    cr_assert_eq(contacts, 2);
    cr_assert_eq(spy.shapes, 2, "once");
    cr_assert_eq(ts_narrow_phase_move(phase, far), TS_OK);
    hash_of(phase, &contacts);
    cr_assert_eq(contacts, 1);
  }
  ts_narrow_phase_release(phase);
  cr_assert_eq(spy.shapes_released, 2);
  cr_assert_eq(spy.pairs_released, spy.pairs);
  cr_assert_eq(ts_narrow_phase_prepare(phase), TS_OK);
  hash_of(phase, &contacts);
  cr_assert_eq(contacts, 1);
  ts_narrow_phase_destroy(phase);
}

/// The scene of a case whose bodies have other meshes.
static ts_scene *remeshed(cell_draft *draft, double seed) {
  ts_scene *scene;
  draft_set(arena, draft, "mesh_seed", seed);
  cr_assert_eq(ts_case_build(&scene, arena, draft->cell.c, draft->case_values), TS_OK, "%s",
               ts_status_detail());
  return scene;
}

static void expect_reshaped_is_created(const char *case_name, const ts_method *method) {
  cell_draft draft = draft_cell(arena, case_name, method);
  ts_scene *built = remeshed(&draft, 0), *other = remeshed(&draft, 3);
  ts_narrow_phase *phase = create(built, &draft), *fresh = create(other, &draft), *twin;
  size_t contacts, fresh_contacts;
  uint64_t first = hash_of(phase, &contacts), there = hash_of(fresh, &fresh_contacts);
  cr_assert_eq(ts_narrow_phase_reshape(phase, other), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_narrow_phase_prepare(phase), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(hash_of(phase, &contacts), there, "%s x %s", case_name, method->name);
  cr_assert_eq(ts_narrow_phase_twin(&twin, phase, built), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_narrow_phase_prepare(twin), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(hash_of(twin, &contacts), first, "%s x %s: the twin", case_name, method->name);
  cr_assert_eq(ts_narrow_phase_reshape(phase, built), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_narrow_phase_prepare(phase), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(hash_of(phase, &contacts), first, "%s x %s does not come back", case_name,
               method->name);
  ts_narrow_phase_destroy(twin);
  ts_narrow_phase_destroy(fresh);
  ts_narrow_phase_destroy(phase);
}

Test(harness_narrow_phase_move, other_meshes_give_what_a_new_phase_gives_for_every_method) {
  for (size_t i = 0; ts_methods[i]; i++) {
    expect_reshaped_is_created("pillar", ts_methods[i]);
    expect_reshaped_is_created("spike_in_hole", ts_methods[i]);
  }
}
