// SPDX-License-Identifier: MIT
// covers: harness/simulation/soft_simulation.c harness/simulation/deformed_scene.c
// covers: harness/simulation/simulated_contacts.c
#include "harness/simulation/simulation.h"

#include "base/status.h"
#include "harness/controls/controls.h"
#include "harness/plan/simulation_params.h"
#include "harness/simulation/deformed_scene.h"
#include "methods/registry.h"
#include "tests/harness/judge/scoring_fixture.h"
#include "tests/harness/run/cell_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(harness_soft_simulation, .init = scoring_setup, .fini = scoring_teardown, .timeout = 240);

/// The rows of a case moved by that response, for some steps.
static ts_cell_rows run_soft(const char *case_name, const char *method, int response, int steps) {
  cell_draft draft = draft_cell(arena, case_name, control_named(method));
  draft.simulation_values[TS_SIMULATION_RESPONSE] = response;
  return run_draft_steps(arena, &draft, steps);
}

enum { EXACT = TS_RESPONSE_EXACT, WARPED, INITIAL };

Test(harness_soft_simulation, a_block_whose_rest_is_turned_moves_as_exactly_only_when_warped) {
  ts_cell_rows warped = run_soft("soft_block", "control_nodes", WARPED, 6);
  ts_cell_rows initial = run_soft("soft_block", "control_nodes", INITIAL, 6);
  ts_cell_rows exact = run_soft("soft_block", "control_nodes", EXACT, 6);
  const ts_record *w = &warped.records[warped.record_count - 1];
  const ts_record *i = &initial.records[initial.record_count - 1];
  const ts_record *e = &exact.records[exact.record_count - 1];
  cr_assert_str_eq(w->outcome, "ok", "%s", w->reason);
  cr_expect_eq(w->step, 6);
  cr_expect_lt(w->response_error_percent_median, 1);
  cr_expect_gt(i->response_error_percent_median, 10);
  cr_expect_lt(w->displacement_error_percent, i->displacement_error_percent);
  cr_expect(isnan(e->response_error_percent) && isnan(e->displacement_error_percent));
  cr_expect_lt(e->momentum_defect_median, 1e-10);
  cr_expect_gt(w->momentum_defect_median, 1e-10);
}

Test(harness_soft_simulation, rows_say_what_the_bodies_are_made_of_and_what_a_step_took) {
  ts_cell_rows rows = run_soft("soft_block", "control_nodes", WARPED, 4);
  const ts_record *r = &rows.records[rows.record_count - 1];
  cr_expect_eq(r->nodes, 75);
  cr_expect_eq(r->tets, 160);
  cr_expect_eq(r->constraints, 25, "%g", r->constraints);
  cr_expect(strncmp(r->linear_solver, "CXSparse ", 9) == 0, "%s", r->linear_solver);
  cr_expect_gt(r->compliance_ns, 0);
  cr_expect_gt(r->compliance_exact_ns, 0);
  cr_expect_gt(r->prepare_ns, 0);
  cr_expect_eq(r->steps_unconverged, 0);
  cr_expect(r->residual_m >= 0 && r->residual_m <= 1e-10, "%g", r->residual_m);
  // c = sqrt(2e5 / 1000) m/s, h = 0.01 s, L = 0.2 m: the block at rest is turned by 40 degrees
  cr_expect_float_eq(r->step_wave_ratio, 0.01 * sqrt(200) / 0.2, 1e-9, "%g", r->step_wave_ratio);
  cr_expect_lt(fabs(r->gap_min_m), 1e-6, "%g", r->gap_min_m);
  cr_expect_eq(r->overlap_left_m, fmax(0, -r->gap_min_m));
  cr_expect_eq(rows.pose_count, 0);
  cr_expect(isnan(r->quality_percent), "the truth is not known where bodies have deformed");
}

Test(harness_soft_simulation, nothing_is_corrected_while_nothing_touches) {
  ts_cell_rows rows = run_soft("soft_beam", "control_nodes", WARPED, 3);
  const ts_record *r = &rows.records[rows.record_count - 1];
  cr_assert_str_eq(r->outcome, "ok", "%s", r->reason);
  cr_expect_eq(r->constraints, 0);
  cr_expect_eq(r->sweeps, 0);
  cr_expect(isnan(r->response_error_percent) && isnan(r->momentum_defect));
  cr_expect_eq(r->overlap_left_m, 0);
}

Test(harness_soft_simulation, rows_tell_the_energies_of_what_falls_and_bends) {
  ts_cell_rows rows = run_soft("soft_block", "control_nodes", EXACT, 4);
  const ts_record *r = &rows.records[rows.record_count - 1];
  cr_expect_gt(r->elastic_energy_j, 1e-4, "its weight presses it: %g", r->elastic_energy_j);
  cr_expect_gt(r->kinetic_energy_j, 0);
  cr_expect_lt(r->potential_energy_j, 0);
  double sum = r->kinetic_energy_j + r->potential_energy_j + r->elastic_energy_j;
  cr_expect_leq(sum, 0, "contacts and friction give none: %g", sum);
}

Test(harness_soft_simulation, without_a_twin_nothing_is_compared) {
  cell_draft draft = draft_cell(arena, "soft_block", control_named("control_nodes"));
  draft.simulation_values[TS_SIMULATION_RESPONSE] = WARPED;
  ts_cell_rows with = run_draft_steps(arena, &draft, 4);
  draft.simulation_values[TS_SIMULATION_TWIN] = TS_TWIN_NONE;
  ts_cell_rows without = run_draft_steps(arena, &draft, 4);
  const ts_record *a = &with.records[with.record_count - 1];
  const ts_record *b = &without.records[without.record_count - 1];
  cr_expect_eq(a->drift_m_max, b->drift_m_max, "comparing changed the motion");
  cr_expect_str_eq(a->contacts_hash, b->contacts_hash);
  cr_expect_not(isnan(a->deformation_error_percent));
  cr_expect(isnan(b->deformation_error_percent) && isnan(b->response_error_percent));
  cr_expect(isnan(b->compliance_exact_ns) || b->compliance_exact_ns == 0);
}

Test(harness_soft_simulation, motions_at_two_scales_are_similar) {
  const double scales[] = {1e-3, 1e3};
  cell_draft draft = draft_cell(arena, "soft_block", control_named("control_nodes"));
  draft_set(arena, &draft, "angle_deg", 35);
  draft.simulation_values[TS_SIMULATION_RESPONSE] = WARPED;
  ts_cell_rows rows = run_draft_steps(arena, &draft, 8);
  const ts_record *r = &rows.records[rows.record_count - 1];
  for (size_t i = 0; i < 2; i++) {
    draft_set(arena, &draft, "scale", scales[i]);
    ts_cell_rows scaled = run_draft_steps(arena, &draft, 8);
    const ts_record *s = &scaled.records[scaled.record_count - 1];
    cr_assert_str_eq(s->outcome, "ok", "%s", s->reason);
    cr_expect_float_eq(s->drift_m_max / scales[i], r->drift_m_max, 1e-6 * r->drift_m_max);
    cr_expect_float_eq(s->response_error_percent_median, r->response_error_percent_median, 1e-4);
    const double energies[][2] = {{s->kinetic_energy_j, r->kinetic_energy_j},
                                  {s->potential_energy_j, r->potential_energy_j},
                                  {s->elastic_energy_j, r->elastic_energy_j}};
    for (size_t k = 0; k < 3; k++)
      cr_expect_float_eq(energies[k][0] / pow(scales[i], 5), energies[k][1],
                         1e-5 * fabs(energies[k][1]), "%zu: %g", k, energies[k][1]);
  }
}

Test(harness_soft_simulation, every_built_in_method_moves_a_block_or_says_why_not) {
  size_t moved = 0;
  for (size_t i = 0; ts_methods[i]; i++) {
    cell_draft draft = draft_cell(arena, "soft_block", ts_methods[i]);
    draft.simulation_values[TS_SIMULATION_RESPONSE] = WARPED;
    draft.simulation_values[TS_SIMULATION_TWIN] = TS_TWIN_NONE;
    draft.simulation_values[TS_SIMULATION_SWEEPS] = 100;
    ts_cell_rows rows = run_draft_steps(arena, &draft, 3);
    const ts_record *r = &rows.records[rows.record_count - 1];
    bool is_ok = strcmp(r->outcome, "ok") == 0;
    cr_expect(is_ok || r->reason[0] != '\0', "%s: %s", ts_methods[i]->name, r->outcome);
    moved += is_ok && r->step == 3;
  }
  cr_expect_geq(moved, 8);
}

/// A world of the bodies of a case.
static ts_soft_world *world_of(const ts_scene *built) {
  ts_soft_world *world;
  ts_soft_world_params params = ts_soft_world_params_default();
  cr_assert_eq(ts_soft_world_create(&world, built->shapes, built->shape_count, built->bodies,
                                    built->body_count, &params),
               TS_OK, "%s", ts_status_detail());
  return world;
}

static ts_scene *build(const char *case_name, const char *param, double value) {
  cell_draft draft = draft_cell(arena, case_name, control_named("control_nodes"));
  if (param)
    draft_set(arena, &draft, param, value);
  ts_scene *built;
  cr_assert_eq(ts_case_build(&built, arena, draft.cell.c, draft.case_values), TS_OK);
  return built;
}

Test(harness_soft_simulation, each_deformable_body_has_a_shape_of_its_own) {
  ts_scene *built = build("soft_chain", "links", 3), *scene; // one rigid link, four deformable ones
  ts_soft_world *world = world_of(built);
  cr_assert_eq(ts_deformed_scene(&scene, arena, built, world), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(scene->shape_count, 5, "no shape is left that no body has");
  for (size_t i = 0; i < scene->body_count; i++) {
    const ts_body *body = &scene->bodies[i];
    for (size_t k = 0; k < i; k++)
      cr_expect_neq(scene->bodies[k].shape, body->shape);
    const ts_shape *shape = &scene->shapes[body->shape];
    if (body->elastic)
      cr_expect_str_eq(shape->name, ts_arena_format(arena, "%s as deformed", body->name));
    const ts_mesh *rest = built->shapes[built->bodies[i].shape].mesh;
    for (size_t v = 0; v < rest->vertex_count; v++) {
      ts_vec3 there = ts_pose_point(built->bodies[i].pose, rest->vertices[v]);
      ts_vec3 here = ts_pose_point(body->pose, shape->mesh->vertices[v]);
      cr_assert_lt(ts_vec3_distance(here, there), 1e-14);
    }
    cr_expect_eq(shape->mesh->tet_count, rest->tet_count);
  }
  ts_soft_world_destroy(world);
}

Test(harness_soft_simulation, tets_are_left_out_where_some_are_inverted) {
  ts_scene *built = build("soft_beam", NULL, 0), *scene;
  ts_soft_world *world = world_of(built);
  size_t body = 1, count = ts_tet_body_node_count(ts_soft_world_tet_body(world, body));
  ts_vec3 *nodes = ts_arena_copy(arena, ts_soft_world_nodes(world, body), count, sizeof *nodes);
  ts_vec3 *still = ts_arena_array(arena, count, sizeof *still);
  size_t inner = 5 * 5 * 3 + 2 * 5 + 2; // in the middle of the fourth layer
  nodes[inner].x += 0.07;               // beyond its neighbours, and still inside
  cr_assert_eq(ts_soft_world_set_nodes(world, body, nodes, still), TS_OK);
  cr_assert_eq(ts_deformed_scene(&scene, arena, built, world), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(scene->shapes[scene->bodies[body].shape].mesh->tet_count, 0);
  ts_soft_world_destroy(world);
}

Test(harness_soft_simulation, a_surface_turned_inside_out_is_refused_with_its_body) {
  ts_scene *built = build("soft_beam", NULL, 0), *scene;
  ts_soft_world *world = world_of(built);
  size_t body = 1, count = ts_tet_body_node_count(ts_soft_world_tet_body(world, body));
  ts_vec3 *nodes = ts_arena_copy(arena, ts_soft_world_nodes(world, body), count, sizeof *nodes);
  ts_vec3 *still = ts_arena_array(arena, count, sizeof *still);
  for (size_t i = 0; i < count; i++)
    nodes[i].x = -nodes[i].x;
  cr_assert_eq(ts_soft_world_set_nodes(world, body, nodes, still), TS_OK);
  cr_expect_eq(ts_deformed_scene(&scene, arena, built, world), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "body beam has deformed"), "%s", ts_status_detail());
  cr_expect(strstr(ts_status_detail(), "the volume is -"), "%s", ts_status_detail());
  cr_expect(strstr(ts_status_detail(), "): give it a stiffer material"), "%s", ts_status_detail());
  cr_expect_null(strstr(ts_status_detail(), "reverse"), "that is for files");
  ts_soft_world_destroy(world);
}

Test(harness_soft_simulation, a_frozen_scene_outlives_the_one_it_is_of_and_stands_by_itself) {
  ts_scene *built = build("soft_beam", NULL, 0), *scene, *kept;
  ts_soft_world *world = world_of(built);
  ts_arena *step;
  cr_assert_eq(ts_arena_create(&step), TS_OK);
  cr_assert_eq(ts_deformed_scene(&scene, step, built, world), TS_OK);
  cr_assert_eq(ts_scene_move(&kept, arena, scene, scene->bodies), TS_OK);
  cr_assert_eq(ts_deformed_scene_freeze(kept), TS_OK);
  cr_expect_eq(kept->shape_count, kept->body_count);
  cr_expect_str_eq(kept->shapes[kept->bodies[1].shape].name, "deformed_1");
  cr_expect_null(kept->bodies[1].elastic);
  ts_arena_destroy(step); // what is read afterwards is for the sanitizer to see
  const ts_mesh *mesh = kept->shapes[kept->bodies[1].shape].mesh;
  const ts_mesh *rest = built->shapes[built->bodies[1].shape].mesh;
  cr_expect_eq(mesh->tet_count, rest->tet_count);
  for (size_t i = 0; i < mesh->vertex_count; i++)
    cr_expect_lt(ts_vec3_distance(mesh->vertices[i], rest->vertices[i]), 1e-14);
  for (size_t i = 0; i < mesh->triangle_count; i++)
    cr_expect_eq(mesh->edge_twin[3 * i], rest->edge_twin[3 * i]);
  ts_soft_world_destroy(world);
}
