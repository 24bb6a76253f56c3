// SPDX-License-Identifier: MIT
// covers: harness/narrow_phase/narrow_phase.c
// What the parameters refinement and tets do to the meshes that a method is given.
// tests/cases/scene/test_shape_state.c tests what they do to a shape.
#include "cases/scene/scene.h"
#include "harness/narrow_phase/narrow_phase.h"
#include "tests/harness/run/cell_fixture.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/// What the method below was given, summed over all pairs.
typedef struct shown {
  size_t pairs, triangles, tets;
  double low_y_m; ///< of body b, local
} shown;

static ts_arena *arena;
static shown seen;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  unsetenv("TOUCHSTONE_TETGEN");
  seen = (shown){.pairs = 0};
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(harness_narrow_phase, .init = setup, .fini = teardown);

static ts_status look(const ts_host *host, const ts_pair *pair, const void *a, const void *b,
                      void *state, const double *params) {
  (void)host, (void)a, (void)b, (void)state, (void)params;
  seen.pairs++;
  seen.triangles += pair->mesh_a->triangle_count + pair->mesh_b->triangle_count;
  seen.tets += pair->mesh_a->tet_count + pair->mesh_b->tet_count;
  seen.low_y_m = ts_mesh_bounds(pair->mesh_b).low.y;
  return TS_OK;
}

static const ts_param look_params[] = {
    {.name = "erosion_m", .kind = TS_PARAM_REAL, .is_length = 1, .default_value = 0, .maximum = 1}};

static ts_status erode(ts_envelope *out, const double *params) {
  out->kind = TS_ENVELOPE_ERODED;
  out->size_m = params[0];
  return TS_OK;
}

static ts_method looking(uint32_t needs) {
  return (ts_method){.abi = TS_METHOD_ABI,
                     .struct_size = sizeof(ts_method),
                     .name = "look",
                     .summary = "Looks at what it is given.",
                     .source = "-",
                     .needs = needs,
                     .params = look_params,
                     .param_count = 1,
                     .envelope = erode,
                     .generate = look};
}

/// Runs the method on a case with one parameter set, and stores the input of the last pass in
/// `seen`.
static ts_record run_with(const char *case_name, uint32_t needs, double erosion_m,
                          const char *parameter, double value, double scale) {
  ts_method method = looking(needs);
  cell_draft draft = draft_cell(arena, case_name, &method);
  draft.method_values[0] = erosion_m;
  draft_set(arena, &draft, parameter, value);
  draft_set(arena, &draft, "scale", scale);
  seen = (shown){.pairs = 0};
  return run_draft(arena, &draft).records[0];
}

static shown shown_with(const char *case_name, uint32_t needs, double erosion_m,
                        const char *parameter, double value) {
  ts_record r = run_with(case_name, needs, erosion_m, parameter, value, 1);
  cr_assert_str_eq(r.outcome, "ok", "%s", r.reason);
  return seen;
}

Test(harness_narrow_phase, a_method_on_surfaces_sees_more_triangles_at_each_level) {
  size_t before = 0, pairs = 0;
  for (int level = 0; level <= TS_REFINEMENT_MAX; level++) {
    shown s = shown_with("cliff_edges", TS_NEEDS_CLOSED, 0, "refinement", level);
    cr_expect_gt(s.triangles, before, "level %d: %zu", level, s.triangles);
    if (level > 0)
      cr_expect_eq(s.pairs, pairs);
    before = s.triangles;
    pairs = s.pairs;
  }
}

Test(harness_narrow_phase, all_methods_see_the_same_refined_surface) {
  shown surfaces = shown_with("spikes", TS_NEEDS_CLOSED, 0.01, "refinement", 1);
  shown filled = shown_with("spikes", TS_NEEDS_CLOSED | TS_NEEDS_TETS, 0.01, "refinement", 1);
  cr_expect_eq(surfaces.triangles, filled.triangles);
  cr_expect_gt(filled.tets, 12);
}

Test(harness_narrow_phase, an_unrefined_surface_is_not_filled_needlessly) {
  cr_expect_eq(shown_with("spikes", TS_NEEDS_CLOSED, 0, "refinement", 0).tets, 0);
  cr_expect_eq(shown_with("spikes", TS_NEEDS_CLOSED, 0, "tets", TS_TETS_PUBLISHED).tets, 0);
}

Test(harness_narrow_phase, published_tets_come_with_the_scale_and_the_erosion) {
  const double scales[] = {1e-3, 1, 1e3};
  for (int k = 0; k < 3; k++)
    for (int is_eroded = 0; is_eroded < 2; is_eroded++) {
      ts_record r = run_with("spike_in_crack", TS_NEEDS_TETS, is_eroded ? 0.01 : 0, "tets",
                             TS_TETS_PUBLISHED, scales[k]);
      cr_assert_str_eq(r.outcome, "ok", "%s", r.reason);
      cr_expect_eq(seen.tets / seen.pairs, 24 + 2);
      // Body b is the block, as in the published run; its principal axis y is transverse.
      if (!is_eroded)
        cr_expect_float_eq(seen.low_y_m, -scales[k], 1e-6 * scales[k]);
      else
        cr_expect_gt(seen.low_y_m, -0.999 * scales[k]);
    }
}

/// The last input of the method below, and its one contact.
static ts_status point_up(const ts_host *host, const ts_pair *pair, const void *a, const void *b,
                          void *state, const double *params) {
  (void)a, (void)b, (void)state, (void)params;
  seen.pairs = (size_t)pair->body_a;
  const ts_contact contact = {.normal = {0, 1, 0},
                              .area_m2 = (double)NAN,
                              .feature_a = {TS_FEATURE_VERTEX, 3},
                              .feature_b = {TS_FEATURE_FACE, 5}};
  return host->push(host, &contact, 1);
}

Test(harness_narrow_phase, only_methods_on_tets_see_the_published_order_of_bodies) {
  for (int is_published = 0; is_published < 2; is_published++) {
    ts_method method = looking(is_published ? TS_NEEDS_TETS : 0);
    method.generate = point_up;
    cell_draft draft = draft_cell(arena, "spikes", &method);
    draft_set(arena, &draft, "tets", is_published ? TS_TETS_PUBLISHED : TS_TETS_TETGEN);
    ts_cell_rows rows = run_draft(arena, &draft);
    cr_assert_str_eq(rows.records[0].outcome, "ok", "%s", rows.records[0].reason);
    cr_assert_geq(rows.contact_count, 1);
    const ts_contact_row *row = &rows.contacts[0];
    cr_expect_eq(seen.pairs, is_published ? 1 : 0, "body a is %zu", seen.pairs);
    cr_expect_eq(row->body_a, 0);
    cr_expect_eq(row->body_b, 1);
    cr_expect_eq(row->normal_y, is_published ? -1 : 1);
    cr_expect_eq(row->feature_a_index, is_published ? 5 : 3);
    cr_expect_eq(row->feature_b_index, is_published ? 3 : 5);
  }
}

static void expect_reason(ts_record r, const char *outcome, const char *word) {
  cr_expect_str_eq(r.outcome, outcome);
  cr_expect(strstr(r.reason, word) != NULL, "no \"%s\" in \"%s\"", word, r.reason);
  cr_expect_eq(seen.pairs, 0);
}

Test(harness_narrow_phase, an_erosion_that_was_not_published_is_refused_for_methods_on_tets) {
  for (int k = -1; k <= 1; k++)
    expect_reason(
        run_with("pillar", TS_NEEDS_TETS, 0.02, "tets", TS_TETS_PUBLISHED, pow(10, 3 * k)),
        "failed", "leave out tets=published");
  ts_record r = run_with("pillar", TS_NEEDS_CLOSED, 0.02, "tets", TS_TETS_PUBLISHED, 1);
  cr_expect_str_eq(r.outcome, "ok", "methods on surfaces ignore tets: %s", r.reason);
}

Test(harness_narrow_phase, what_lacks_the_helper_is_skipped_and_what_does_not_need_it_is_not) {
  setenv("TOUCHSTONE_TETGEN", "/nowhere/touchstone-tetgen", 1);
  expect_reason(run_with("pillar", TS_NEEDS_CLOSED, 0, "refinement", 1, 1), "skipped",
                "libtet1.5-dev");
  expect_reason(run_with("pillar", TS_NEEDS_TETS, 0, "refinement", 0, 1), "skipped",
                "libtet1.5-dev");
  cr_expect_gt(shown_with("pillar", TS_NEEDS_TETS, 0, "tets", TS_TETS_PUBLISHED).tets, 0);
}

Test(harness_narrow_phase, refined_bodies_are_judged_by_the_same_truth) {
  ts_record coarse = run_with("pillar", TS_NEEDS_CLOSED, 0, "refinement", 0, 1);
  ts_record fine = run_with("pillar", TS_NEEDS_CLOSED, 0, "refinement", 1, 1);
  cr_assert_str_eq(fine.outcome, "ok", "%s", fine.reason);
  cr_expect_eq(fine.minimum, coarse.minimum);
  cr_expect_eq(fine.regions, coarse.regions);
  cr_expect_eq(fine.pairs_candidate, coarse.pairs_candidate);
}
