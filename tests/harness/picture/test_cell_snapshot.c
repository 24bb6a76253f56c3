// SPDX-License-Identifier: MIT
// covers: harness/picture/cell_snapshot.c
// What there is to see of a cell is what a run of it measures.
#include "harness/picture/cell_snapshot.h"

#include "geometry/mesh/mesh.h"
#include "geometry/vec3.h"
#include "harness/run/cell.h"

#include "base/status.h"

#include "tests/harness/run/cell_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(harness_cell_snapshot, .init = setup, .fini = teardown, .timeout = 120);

static ts_snapshot snapshot_of(ts_snapshot_request request) {
  ts_snapshot out;
  cr_assert_eq(ts_cell_snapshot(&out, NULL, arena, &request), TS_OK, "%s", ts_status_detail());
  return out;
}

static void expect_refused(ts_snapshot_request request, const char *word) {
  ts_snapshot out;
  cr_expect_eq(ts_cell_snapshot(&out, NULL, arena, &request), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), word), "%s", ts_status_detail());
}

/// The rows of contacts.csv of one step of a run.
static size_t rows_of_run(const ts_contact_row **out, const char *case_name, const char *method,
                          double step) {
  static const ts_timing once = {1, 0, 1, 1};
  ts_plan_request request = {.cases = case_name, .methods = method};
  ts_plan plan;
  ts_cell_rows rows;
  cr_assert_eq(ts_plan_create(&plan, arena, &request), TS_OK);
  cr_assert_eq(collect_cell(&rows, arena, &plan.cells[0], &once), TS_OK);
  size_t first = 0, count = 0;
  while (first < rows.contact_count && rows.contacts[first].step < step)
    first++;
  while (first + count < rows.contact_count && rows.contacts[first + count].step == step)
    count++;
  *out = rows.contacts + first;
  return count;
}

static void expect_same_rows(const ts_contact_row *a, const ts_contact_row *b) {
  for (size_t i = 0; i < ts_contact_rows.field_count; i++) {
    const ts_field *field = &ts_contact_rows.fields[i];
    if (strcmp(field->column, "cell") == 0)
      continue; // it contains the requested steps
    if (field->kind == TS_FIELD_TEXT) {
      cr_expect_str_eq(ts_row_text(field, a), ts_row_text(field, b));
      continue;
    }
    double x = ts_row_number(field, a), y = ts_row_number(field, b);
    cr_expect(x == y || (isnan(x) && isnan(y)), "%s: %g, %g", field->column, x, y);
  }
}

Test(harness_cell_snapshot, contacts_are_those_of_a_run_as_built_and_in_motion) {
  static const struct {
    const char *case_name, *method;
    int64_t step;
  } cells[] = {{"arch", "opposing", 0},
               {"arch", "opposing", 3},
               {"cliff_edges", "closest_points", 0},
               {"spikes", "surface_sat", 3}};
  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
    ts_snapshot e = snapshot_of((ts_snapshot_request){
        .case_name = cells[i].case_name, .method = cells[i].method, .step = cells[i].step});
    const ts_contact_row *rows;
    size_t count = rows_of_run(&rows, cells[i].case_name, cells[i].method, (double)cells[i].step);
    cr_assert_gt(count, 0);
    cr_assert_eq(e.contact_count, count);
    for (size_t k = 0; k < count; k++)
      expect_same_rows(&e.contacts[k], &rows[k]);
  }
}

static ts_status prepare_count(void **out, const ts_host *host, const ts_pair *pair,
                               const void *shape_a, const void *shape_b, const double *params) {
  (void)pair, (void)shape_a, (void)shape_b, (void)params;
  *out = host->alloc(host, sizeof(double));
  return *out ? TS_OK : TS_E_MEMORY;
}

/// The gap is the number of calls, in nanometres.
static ts_status push_count(const ts_host *host, const ts_pair *pair, const void *shape_a,
                            const void *shape_b, void *pair_state, const double *params) {
  (void)shape_a, (void)shape_b, (void)params;
  double *count = pair_state;
  ts_contact contact = {
      .point = pair->pose_b.translation, .normal = {0, 1, 0}, .gap_m = 1e-9 * ++*count};
  return host->push(host, &contact, 1);
}

Test(harness_cell_snapshot, a_method_that_keeps_state_has_seen_the_scene_as_built) {
  const ts_method method = {.abi = TS_METHOD_ABI,
                            .struct_size = sizeof(ts_method),
                            .name = "counts",
                            .prepare_pair = prepare_count,
                            .generate = push_count,
                            .keeps_state = 1};
  const ts_method *methods[1] = {&method};
  ts_catalog catalog;
  cr_assert_eq(ts_catalog_create(&catalog, arena, false), TS_OK);
  catalog.methods = methods;
  catalog.method_count = 1;
  ts_snapshot e = snapshot_of((ts_snapshot_request){
      .catalog = &catalog, .case_name = "cliff_edges", .method = "counts", .step = 3});
  cr_assert_eq(e.contact_count, 1);
  cr_expect_float_eq(e.contacts[0].gap_m, 3e-9, 1e-15, "%g m", e.contacts[0].gap_m);
}

Test(harness_cell_snapshot, bodies_have_their_poses_at_the_step) {
  ts_snapshot built = snapshot_of((ts_snapshot_request){.case_name = "pillar", .method = "growth"});
  ts_snapshot moved =
      snapshot_of((ts_snapshot_request){.case_name = "pillar", .method = "growth", .step = 5});
  size_t top = built.body_count - 1;
  double drop =
      ts_vec3_distance(built.bodies[top].pose.translation, moved.bodies[top].pose.translation);
  cr_expect_gt(drop, 0);
  cr_expect_lt(drop, 0.1);
  for (size_t i = 0; i < moved.body_count; i++) {
    const ts_snapshot_surface *s = &moved.bodies[i].designed;
    ts_vec3 expected = ts_pose_point(moved.bodies[i].pose, s->mesh->vertices[0]);
    cr_expect_eq(ts_vec3_distance(s->world[0], expected), 0);
  }
}

Test(harness_cell_snapshot, the_envelope_and_the_tets_are_those_of_the_method) {
  ts_snapshot eroded =
      snapshot_of((ts_snapshot_request){.case_name = "spikes", .method = "closest_points"});
  ts_snapshot filled =
      snapshot_of((ts_snapshot_request){.case_name = "spikes", .method = "opposing"});
  for (size_t i = 0; i < eroded.body_count; i++) {
    const ts_snapshot_body *body = &eroded.bodies[i];
    cr_assert(body->enveloped.mesh);
    cr_expect_lt(ts_mesh_mass_properties(body->enveloped.mesh, 1).volume_m3,
                 ts_mesh_mass_properties(body->designed.mesh, 1).volume_m3);
    cr_expect_eq(body->enveloped.mesh->tet_count, 0);
    cr_assert(filled.bodies[i].enveloped.mesh);
    cr_expect_gt(filled.bodies[i].enveloped.mesh->tet_count, 0);
  }
  ts_snapshot alone = snapshot_of((ts_snapshot_request){.case_name = "spikes"});
  cr_expect_not(alone.bodies[0].enveloped.mesh);
  cr_expect_eq(alone.contact_count, 0);
  cr_expect_eq(alone.region_count, 1);
}

Test(harness_cell_snapshot, regions_are_counted_within_their_pair) {
  ts_snapshot e = snapshot_of((ts_snapshot_request){.case_name = "pillar"});
  for (size_t i = 0; i < e.region_count; i++) {
    bool same = i > 0 && e.regions[i].body_a == e.regions[i - 1].body_a &&
                e.regions[i].body_b == e.regions[i - 1].body_b;
    cr_expect_eq(e.regions[i].index, same ? e.regions[i - 1].index + 1 : 0);
    cr_expect_gt(e.regions[i].normal_count, 0);
  }
}

Test(harness_cell_snapshot, parameters_reach_the_case_the_method_and_the_scoring) {
  const ts_assignment sets[] = {
      {"layers", "2"}, {"span", "3"}, {"erosion_m", "0.02"}, {"normal_tolerance", "1"}};
  ts_snapshot e = snapshot_of((ts_snapshot_request){
      .case_name = "wall", .method = "closest_points", .set_count = 4, .sets = sets});
  cr_expect_eq(e.body_count, 7, "six bricks and the ground");
  for (size_t i = 0; i < e.contact_count; i++)
    cr_expect_eq(e.contacts[i].correct, 1, "any normal is right within a tolerance of 1");
  cr_expect_str_eq(e.case_parameters, "layers=2, span=3", "those that are not the defaults");
  cr_expect_str_eq(e.method_parameters, "erosion_m=0.02");
}

Test(harness_cell_snapshot, parameters_are_told_without_a_method_too) {
  const ts_assignment sets[] = {{"layers", "2"}};
  ts_snapshot e =
      snapshot_of((ts_snapshot_request){.case_name = "wall", .set_count = 1, .sets = sets});
  cr_expect_str_eq(e.case_parameters, "layers=2");
}

/// How many regions of a snapshot are in a state.
static size_t count_state(const ts_snapshot *e, ts_region_state state) {
  size_t count = 0;
  for (size_t i = 0; i < e->region_count; i++)
    count += ts_snapshot_region_state(e, &e->regions[i]) == state;
  return count;
}

Test(harness_cell_snapshot, regions_are_met_lacking_missed_or_not_asked_for) {
  ts_snapshot e = snapshot_of((ts_snapshot_request){.case_name = "pillar"});
  cr_expect_eq(count_state(&e, TS_REGION_TRUE), 7);
  e = snapshot_of((ts_snapshot_request){.case_name = "pillar", .method = "closest_points"});
  cr_expect_eq(count_state(&e, TS_REGION_LACKING), 2);
  cr_expect_eq(count_state(&e, TS_REGION_MET), 5);
  e = snapshot_of((ts_snapshot_request){.case_name = "spike_in_crack", .method = "ldi_volume"});
  cr_expect_eq(count_state(&e, TS_REGION_MISSED), 1);
}

Test(harness_cell_snapshot, unknown_names_are_refused_with_the_valid_ones) {
  const ts_assignment unknown = {"layer", "2"};
  expect_refused((ts_snapshot_request){.case_name = "wal"}, "\"wall\"");
  expect_refused((ts_snapshot_request){.case_name = "spike.*"}, "spikes");
  expect_refused((ts_snapshot_request){.case_name = "wall", .method = "oposing"}, "\"opposing\"");
  expect_refused((ts_snapshot_request){.case_name = "wall", .set_count = 1, .sets = &unknown},
                 "layers");
  expect_refused(
      (ts_snapshot_request){
          .case_name = "wall", .method = "growth", .set_count = 1, .sets = &unknown},
      "layers");
  expect_refused((ts_snapshot_request){.case_name = "wall", .method = "growth", .step = 1}, "2");
  expect_refused((ts_snapshot_request){.case_name = "wall", .step = 3}, "method");
}

Test(harness_cell_snapshot, the_scene_of_a_step_has_its_poses_and_its_truth) {
  static const ts_assignment sets[] = {{"stepper", "path"}};
  ts_snapshot_request request = {
      .case_name = "pillar", .method = "opposing", .step = 34, .set_count = 1, .sets = sets};
  ts_snapshot there, as_built;
  ts_snapshot_source of_step, built;
  cr_assert_eq(ts_cell_snapshot(&there, &of_step, arena, &request), TS_OK, "%s",
               ts_status_detail());
  request.step = 0;
  cr_assert_eq(ts_cell_snapshot(&as_built, &built, arena, &request), TS_OK);
  cr_assert_eq(of_step.scene->body_count, there.body_count);
  for (size_t i = 0; i < there.body_count; i++) {
    const ts_body *body = &of_step.scene->bodies[i], *before = &built.scene->bodies[i];
    cr_expect_eq(memcmp(&body->pose, &there.bodies[i].pose, sizeof(ts_pose)), 0);
    cr_expect_eq(memcmp(&body->pose, &before->pose, sizeof(ts_pose)) != 0, !before->is_fixed, "%zu",
                 i);
  }
  cr_expect(of_step.scene->truth_is_moved && of_step.scene->joint_count == 0);
  cr_expect_eq(of_step.scene->region_count, there.region_count);
  cr_expect(!built.scene->truth_is_moved && built.scene->region_count == 7);
}

Test(harness_cell_snapshot, what_the_contacts_were_judged_by_is_told) {
  static const ts_assignment sets[] = {{"reference", "feasible"}, {"rule", "published"}};
  const ts_snapshot_request request = {
      .case_name = "pillar", .method = "closest_points", .set_count = 2, .sets = sets};
  ts_snapshot snapshot;
  ts_snapshot_source source;
  cr_assert_eq(ts_cell_snapshot(&snapshot, &source, arena, &request), TS_OK);
  cr_expect_str_eq(source.scoring_sets,
                   " --set reference=feasible --set rule=published --set truth=carried");
  cr_expect_str_eq(snapshot.envelope, "eroded");
  cr_expect_gt(snapshot.envelope_m, 0);
}

Test(harness_cell_snapshot, deformed_bodies_outlive_the_simulation_that_moved_them) {
  ts_snapshot built = snapshot_of((ts_snapshot_request){.case_name = "soft_block"});
  ts_snapshot there = snapshot_of(
      (ts_snapshot_request){.case_name = "soft_block", .method = "semi_local", .step = 4});
  // Whatever took the memory of the simulation has it now.
  memset(ts_arena_alloc(arena, 1 << 22), 0xff, 1 << 22);
  cr_expect_gt(there.contact_count, 0);
  for (size_t b = 0; b < built.body_count; b++) {
    const ts_snapshot_surface *before = &built.bodies[b].designed,
                              *after = &there.bodies[b].designed;
    cr_assert_eq(after->mesh->vertex_count, before->mesh->vertex_count);
    cr_assert_eq(after->mesh->triangle_count, before->mesh->triangle_count);
    cr_expect_eq(memcmp(after->mesh->triangles, before->mesh->triangles,
                        before->mesh->triangle_count * sizeof *before->mesh->triangles),
                 0);
    double moved_m = 0;
    for (size_t v = 0; v < before->mesh->vertex_count; v++)
      moved_m = fmax(moved_m, ts_vec3_distance(before->world[v], after->world[v]));
    cr_expect(b == 0 ? moved_m == 0 : moved_m > 0 && moved_m < 0.01, "body %zu: %g m", b, moved_m);
  }
}
