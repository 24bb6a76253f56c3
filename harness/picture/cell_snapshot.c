// SPDX-License-Identifier: MIT
#include "harness/picture/cell_snapshot.h"

#include "base/geometry_kind.h"
#include "base/param.h"
#include "base/status.h"
#include "base/surroundings.h"
#include "cases/scene/ground.h"
#include "harness/narrow_phase/parts.h"
#include "harness/run/cell_state.h"
#include "harness/simulation/deformed_scene.h"
#include "harness/simulation/simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The frames that are asked for, instead of the state at the last step.
typedef struct frames {
  int64_t every;
  ts_show_frame show;
  void *context;
} frames;

/// State while running the cell.
typedef struct work {
  ts_arena *arena;
  ts_snapshot *out;
  int64_t last_step;
  const frames *frames;               ///< NULL: the last step is all
  const ts_snapshot_request *request; ///< NULL: of ts_cell_scene_at()
  const ts_cell *cell;
  ts_scene *built;
  ts_narrow_phase *phase;
  ts_simulation *simulation;
  ts_scene *there; ///< the bodies at the requested step, and their truth
  ts_surroundings surroundings;
} work;

/// Finds the cell of the request with the plan that a run would make.
static ts_status find_cell(ts_cell *out, ts_arena *arena, const ts_snapshot_request *request) {
  const ts_method *method;
  TS_TRY(ts_catalog_method(&method, arena, request->catalog, request->method));
  ts_plan_request wanted = {.catalog = request->catalog,
                            .cases = request->case_name,
                            .methods = request->method,
                            .steps = request->step > 0 ? request->step : 1,
                            .set_count = request->set_count,
                            .sets = request->sets,
                            .chain_count = request->modifiers ? 1 : 0,
                            .chains = &request->modifiers};
  ts_plan plan;
  TS_TRY(ts_plan_create(&plan, arena, &wanted));
  *out = plan.cells[0]; // a name matches only itself, and nothing is swept
  return TS_OK;
}

/// Parameters of the scoring that a row of `score` would not have by itself.
static ts_status name_scoring_sets(const char **out, ts_arena *arena, const ts_cell *cell) {
  *out = "";
  for (int i = 0; i < TS_SCORING_COUNT && *out; i++) {
    const ts_param *param = &ts_scoring_params[i];
    char text[32];
    if (cell->scoring_values[i] == param->default_value)
      continue;
    *out = ts_arena_format(arena, "%s --set %s=%s", *out, param->name,
                           ts_param_format(text, param, cell->scoring_values[i]));
  }
  return *out ? TS_OK : TS_E_MEMORY;
}

/// "layers=3, scale=0.1" of the parameters [count] that do not have their defaults.
static ts_status name_changed(const char **out, ts_arena *arena, const ts_param *params,
                              size_t count, const double *values) {
  *out = params || count == 0 ? "" : NULL;
  for (size_t i = 0; i < count && *out; i++) {
    char text[32];
    if (values[i] != params[i].default_value)
      *out = ts_arena_format(arena, "%s%s%s=%s", *out, **out ? ", " : "", params[i].name,
                             ts_param_format(text, &params[i], values[i]));
  }
  return *out ? TS_OK : TS_E_MEMORY;
}

static ts_status build_without_method(ts_snapshot_source *out, const char **changed,
                                      ts_arena *arena, const ts_snapshot_request *request) {
  const ts_case *c;
  TS_TRY(ts_catalog_case(&c, arena, request->catalog, request->case_name));
  size_t count = ts_case_param_count(c);
  const ts_param *params = ts_case_params(arena, c);
  double *values = ts_arena_array(arena, count, sizeof *values);
  if (!params || !values)
    return TS_E_MEMORY;
  ts_param_defaults(values, params, count);
  TS_TRY(ts_plan_assign(values, arena, c->name, params, count, request->sets, request->set_count));
  TS_TRY(name_changed(changed, arena, params, count, values));
  out->scoring_sets = "";
  out->case_parameters = ts_case_parameters(arena, c, values);
  return out->case_parameters ? ts_case_build(&out->scene, arena, c, values) : TS_E_MEMORY;
}

static ts_status pose_surface(ts_snapshot_surface *out, ts_arena *arena, const ts_mesh *mesh,
                              ts_pose pose) {
  ts_vec3 *world = ts_arena_array(arena, mesh->vertex_count, sizeof *world);
  if (!world)
    return TS_E_MEMORY;
  for (size_t i = 0; i < mesh->vertex_count; i++)
    world[i] = ts_pose_point(pose, mesh->vertices[i]);
  *out = (ts_snapshot_surface){mesh, world};
  return TS_OK;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static ts_status show_bodies(ts_snapshot *out, ts_arena *arena, const ts_scene *scene) {
  ts_snapshot_body *bodies = ts_arena_array(arena, scene->body_count, sizeof *bodies);
  double *sizes = ts_arena_array(arena, scene->body_count, sizeof *sizes);
  if (!bodies || !sizes)
    return TS_E_MEMORY;
  size_t sized = 0; // ground is as large as is convenient
  for (size_t i = 0; i < scene->body_count; i++) {
    const ts_body *body = &scene->bodies[i];
    const ts_shape *shape = &scene->shapes[body->shape];
    bodies[i] = (ts_snapshot_body){.name = body->name,
                                   .is_fixed = body->is_fixed != 0,
                                   .is_deformable = body->elastic != NULL,
                                   .pose = body->pose};
    TS_TRY(pose_surface(&bodies[i].designed, arena, shape->mesh, body->pose));
    if (!ts_shape_is_ground(shape))
      sizes[sized++] = ts_aabb_extent(shape->bounds_local);
  }
  qsort(sizes, sized, sizeof *sizes, by_size);
  out->body_size_m = sized > 0 ? sizes[sized / 2] : 1;
  out->bodies = bodies;
  out->body_count = scene->body_count;
  return TS_OK;
}

static ts_status show_region(ts_snapshot_region *out, ts_arena *arena, const ts_scene *scene,
                             const ts_region *region, ts_reference reference) {
  const ts_feasible_set *set = &region->feasible[reference];
  ts_snapshot_normal *normals = ts_arena_array(arena, set->count, sizeof *normals);
  ts_vec3 *vertices = ts_arena_array(arena, region->vertex_count, sizeof *vertices);
  if (!normals || !vertices)
    return TS_E_MEMORY;
  memcpy(vertices, region->vertices, region->vertex_count * sizeof *vertices);
  ts_touch_limits limits = ts_region_limits(scene, region);
  for (size_t i = 0; i < set->count; i++)
    normals[i] = (ts_snapshot_normal){set->normals[i].normal, set->normals[i].gap_m,
                                      ts_feasible_is_open(&set->normals[i], limits), false};
  *out = (ts_snapshot_region){.body_a = region->body_a,
                              .body_b = region->body_b,
                              .vertex_count = region->vertex_count,
                              .vertices = vertices,
                              .needs_all = region->needs_all,
                              .normal_count = set->count,
                              .normals = normals,
                              .needed_count = ts_region_needed_normals(region, reference, limits)};
  return TS_OK;
}

/// Which normals of a region its contacts have.
static ts_status show_met_normals(ts_snapshot_region *region, ts_arena *arena,
                                  const ts_judgement *judgement, const ts_judged_pair *pair,
                                  size_t index) {
  ts_snapshot_normal *normals =
      ts_arena_copy(arena, region->normals, region->normal_count, sizeof *normals);
  if (!normals)
    return TS_E_MEMORY;
  for (size_t i = 0; i < region->normal_count; i++)
    normals[i].is_met = ts_judged_meets_normal(judgement, pair, index, i);
  region->normals = normals;
  return TS_OK;
}

/// How the judged contacts meet the regions shown. Contacts are listed pair by pair, as in the
/// judgement.
static ts_status show_verdicts(ts_snapshot *out, ts_arena *arena, const ts_judgement *judgement) {
  ts_snapshot_region *regions =
      ts_arena_copy(arena, out->regions, out->region_count, sizeof *regions);
  if (!regions)
    return TS_E_MEMORY;
  size_t first_contact = 0;
  for (size_t p = 0; p < judgement->pair_count; p++) {
    const ts_judged_pair *pair = &judgement->pairs[p];
    for (size_t r = pair->first_region; r < pair->first_region + pair->region_count; r++) {
      ts_snapshot_region *region = &regions[r];
      size_t *contacts = ts_arena_array(arena, pair->set->count, sizeof *contacts);
      if (!contacts)
        return TS_E_MEMORY;
      for (size_t i = 0; i < pair->set->count; i++)
        if (ts_judged_serves(judgement, pair, i, r))
          contacts[region->contact_count++] = first_contact + i;
      region->contacts = contacts;
      region->is_missed = ts_judged_misses(judgement, pair, r);
      if (region->needed_count > 0)
        region->met_count = ts_judged_met_normals(judgement, pair, r);
      TS_TRY(show_met_normals(region, arena, judgement, pair, r));
    }
    first_contact += pair->set->count;
  }
  out->regions = regions;
  return TS_OK;
}

static ts_status show_scene(ts_snapshot *out, ts_arena *arena, const ts_scene *scene,
                            ts_reference reference) {
  out->up = scene->up;
  TS_TRY(show_bodies(out, arena, scene));
  ts_snapshot_region *regions = ts_arena_array(arena, scene->region_count, sizeof *regions);
  if (!regions)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->region_count; i++) {
    TS_TRY(show_region(&regions[i], arena, scene, &scene->regions[i], reference));
    // The regions of a pair are consecutive.
    if (i > 0 && regions[i].body_a == regions[i - 1].body_a &&
        regions[i].body_b == regions[i - 1].body_b)
      regions[i].index = regions[i - 1].index + 1;
  }
  out->regions = regions;
  out->region_count = scene->region_count;
  ts_snapshot_unknown *unknown = ts_arena_array(arena, scene->unknown_count, sizeof *unknown);
  if (!unknown)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->unknown_count; i++)
    unknown[i] = (ts_snapshot_unknown){scene->unknown[i].body_a, scene->unknown[i].body_b,
                                       scene->unknown[i].reason};
  out->unknown = unknown;
  out->unknown_count = scene->unknown_count;
  out->is_truth_unknown = scene->truth_is_unknown;
  return TS_OK;
}

ts_status ts_snapshot_of_state(ts_snapshot *out, ts_arena *arena, const ts_cell_state *state) {
  const ts_record *record = &state->record;
  *out = (ts_snapshot){.case_name = record->case_name,
                       .method = record->method,
                       .step = (int64_t)record->step,
                       .envelope = record->envelope,
                       .envelope_m = record->envelope_m,
                       .shapes_native = record->shapes_native,
                       .mesh_error_m = record->mesh_error_m,
                       .contacts = state->contact_rows,
                       .contact_count = state->contact_row_count};
  const ts_judgement *judgement = &state->judgement;
  TS_TRY(show_scene(out, arena, judgement->scene, judgement->scoring.reference));
  return show_verdicts(out, arena, judgement);
}

/// Adds the surfaces that the method is given, where they differ from the designed ones.
static ts_status show_envelope(work *w, const ts_scene *scene) {
  ts_envelope envelope = ts_narrow_phase_envelope(w->phase);
  ts_shape_state state = ts_parts_shape_state(w->cell->method, &envelope);
  const ts_mesh **meshes = ts_arena_array(w->arena, scene->shape_count, sizeof *meshes);
  ts_snapshot_body *bodies = ts_arena_array(w->arena, scene->body_count, sizeof *bodies);
  if (!meshes || !bodies)
    return TS_E_MEMORY;
  memcpy(bodies, w->out->bodies, scene->body_count * sizeof *bodies);
  for (size_t i = 0; i < scene->body_count; i++) {
    int32_t shape = scene->bodies[i].shape;
    if (!meshes[shape])
      TS_TRY(ts_shape_state_mesh(&meshes[shape], w->arena, scene, (size_t)shape, &state));
    if (meshes[shape] != scene->shapes[shape].mesh)
      TS_TRY(pose_surface(&bodies[i].enveloped, w->arena, meshes[shape], bodies[i].pose));
  }
  w->out->bodies = bodies;
  return TS_OK;
}

/// Copies a scene that is the simulation's.
static ts_status keep_scene(work *w, const ts_scene *scene) {
  TS_TRY(ts_scene_move(&w->there, w->arena, scene, scene->bodies));
  ts_scene *there = w->there;
  if (w->cell->c->is_deformable)
    TS_TRY(ts_deformed_scene_freeze(there));
  there->joint_count = 0; // they are of the scene as built
  there->region_count = scene->region_count;
  there->regions =
      ts_arena_copy(w->arena, scene->regions, scene->region_count, sizeof *scene->regions);
  there->unknown =
      ts_arena_copy(w->arena, scene->unknown, scene->unknown_count, sizeof *scene->unknown);
  if (!there->regions || !there->unknown)
    return TS_E_MEMORY;
  for (size_t i = 0; i < there->region_count; i++)
    TS_TRY(ts_region_copy(&there->regions[i], w->arena));
  return TS_OK;
}

/// Which of its frames a step is; the scene as built is the first.
static int64_t frame_index(int64_t step) {
  return step > 0 ? step - 1 : 0;
}

static bool is_shown(const work *w, int64_t step) {
  return w->frames ? frame_index(step) % w->frames->every == 0 : step == w->last_step;
}

/// Stores the state, or shows it as a frame.
static ts_status show_state(work *w, const ts_scene *scene, ts_cell_state *state,
                            ts_scoring scoring) {
  ts_envelope envelope = ts_narrow_phase_envelope(w->phase);
  if (!w->frames) {
    TS_TRY(keep_scene(w, scene));
    if (w->cell->c->is_deformable && state->record.step > 0)
      scene = w->there; // meshes of deformed bodies go with the simulation
  }
  ts_cell_state_set_bodies(state, scene, envelope);
  TS_TRY(ts_cell_state_score(state, w->arena, scene, envelope, scoring, true));
  TS_TRY(ts_snapshot_of_state(w->out, w->arena, state));
  w->out->time_s = ts_cell_contacts_time_s(w->cell, w->out->step);
  TS_TRY(show_envelope(w, scene));
  if (w->frames)
    return w->frames->show(w->frames->context, w->out);
  const ts_snapshot_request *request = w->request;
  return request && request->look ? request->look(request->context, state) : TS_OK;
}

/// Collects the contacts at the poses of `scene`. Those of a step that is shown are shown; those of
/// a step before the last are used to simulate.
static ts_status show_contacts(work *w, const ts_scene *scene, int64_t step, ts_scoring scoring) {
  ts_cell_state state;
  ts_cell_state_begin(&state, w->cell, (double)step);
  if (step == 0) {
    TS_TRY(ts_cell_state_collect(&state, w->arena, w->phase));
  } else {
    ts_contact_set *sets;
    size_t count;
    TS_TRY(ts_simulation_find_contacts(&sets, &count, &scene, w->simulation, w->arena));
    ts_cell_state_set_contacts(&state, sets, count);
  }
  ts_surroundings_restore(&w->surroundings, NULL); // such as the locale, for the text written below
  if (is_shown(w, step))
    TS_TRY(show_state(w, scene, &state, scoring));
  return step > 0 && step < w->last_step
             ? ts_simulation_end_step(w->simulation, state.contacts, state.pair_count)
             : TS_OK;
}

/// Calls the method at the poses as built, as a run does, for what it keeps.
static ts_status see_contacts(work *w) {
  ts_contact_set *sets;
  return ts_narrow_phase_collect(&sets, w->phase, w->arena);
}

/// The scene as built, if it is shown, or is for a method to see.
static ts_status show_built(work *w, ts_scoring scoring) {
  ts_arena_mark mark = ts_arena_get_mark(w->arena);
  if (is_shown(w, 0))
    TS_TRY(show_contacts(w, w->built, 0, scoring));
  else if (ts_narrow_phase_keeps_state(w->phase)) // what it saw as built, too
    TS_TRY(see_contacts(w));
  if (w->last_step > 0)
    ts_arena_rewind(w->arena, mark);
  return TS_OK;
}

/// Runs one time step, and shows the state at the last one, or those that are frames.
static ts_status run_step(work *w, int64_t step, ts_scoring scoring) {
  const ts_scene *scene;
  TS_TRY(ts_simulation_begin_step(&scene, w->simulation));
  return show_contacts(w, scene, step, scoring);
}

/// The same failure, with the step in which it occurred.
static ts_status fail_in_step(ts_status status, int64_t step) {
  char detail[900];
  snprintf(detail, sizeof detail, "%s", ts_status_detail());
  return ts_fail(status, "in step %lld: %s", (long long)step, detail);
}

/// Goes through the states of the cell up to the requested one, as a run does.
static ts_status run_states(work *w) {
  ts_scoring scoring = ts_cell_scoring(w->cell);
  TS_TRY(ts_case_build(&w->built, w->arena, w->cell->c, w->cell->case_values));
  TS_TRY(ts_cell_narrow_phase(&w->phase, w->cell, w->built));
  TS_TRY(ts_narrow_phase_prepare(w->phase));
  TS_TRY(show_built(w, scoring));
  if (w->last_step == 0)
    return TS_OK;
  ts_moved_truth *truth = NULL;
  if (ts_cell_moves_truth(w->cell))
    TS_TRY(ts_moved_truth_create(&truth, w->arena, w->built));
  TS_TRY(
      ts_simulation_create(&w->simulation, w->built, truth, w->phase, w->cell->simulation_values));
  for (int64_t step = 2; step <= w->last_step; step++) {
    ts_arena_mark mark = ts_arena_get_mark(w->arena);
    ts_status status = run_step(w, step, scoring);
    if (status != TS_OK)
      return fail_in_step(status, step);
    if (step < w->last_step)
      ts_arena_rewind(w->arena, mark);
  }
  return TS_OK;
}

/// Runs a cell up to its last step.
static ts_status run_cell(work *w) {
  ts_surroundings_save(&w->surroundings);
  ts_status status = run_states(w);
  ts_narrow_phase_destroy(w->phase); // before its scene, which is the simulation's
  ts_simulation_destroy(w->simulation);
  ts_surroundings_restore(&w->surroundings, NULL);
  return status;
}

/// The request with a catalog, and the case that it names.
static ts_status check_request(ts_snapshot_request *out, ts_catalog *built_in, ts_arena *arena,
                               const ts_snapshot_request *asked) {
  const ts_case *c;
  *out = *asked;
  if (!asked->catalog) {
    TS_TRY(ts_catalog_create(built_in, arena, true));
    out->catalog = built_in;
  }
  TS_TRY(ts_catalog_case(&c, arena, out->catalog, out->case_name));
  if (out->step == 1 || out->step < 0)
    return ts_fail(TS_E_INPUT,
                   "there is no step %lld: 0 is the scene as built, and the first step "
                   "of its motion is 2",
                   (long long)out->step);
  if (!out->method && out->step > 0)
    return ts_fail(TS_E_INPUT,
                   "bodies move under the contacts of a method; name one to see step "
                   "%lld",
                   (long long)out->step);
  return TS_OK;
}

ts_status ts_cell_snapshot_check(ts_arena *arena, const ts_snapshot_request *asked) {
  ts_catalog built_in;
  ts_snapshot_request request;
  ts_cell cell;
  TS_TRY(check_request(&request, &built_in, arena, asked));
  return request.method ? find_cell(&cell, arena, &request) : TS_OK;
}

ts_status ts_cell_snapshot(ts_snapshot *out, ts_snapshot_source *out_source, ts_arena *arena,
                           const ts_snapshot_request *asked) {
  ts_catalog built_in;
  ts_snapshot_request request;
  ts_snapshot_source source;
  TS_TRY(check_request(&request, &built_in, arena, asked));
  *out = (ts_snapshot){.case_name = request.case_name,
                       .method = request.method,
                       .step = request.step,
                       .body_size_m = 1};
  if (!out_source)
    out_source = &source;
  if (!request.method) {
    *out_source = (ts_snapshot_source){.scene = NULL};
    TS_TRY(build_without_method(out_source, &out->case_parameters, arena, &request));
    return show_scene(out, arena, out_source->scene, TS_REFERENCE_DESIGN);
  }
  ts_cell cell;
  TS_TRY(find_cell(&cell, arena, &request));
  work w = {
      .arena = arena, .out = out, .last_step = request.step, .request = &request, .cell = &cell};
  TS_TRY(run_cell(&w));
  TS_TRY(name_changed(&out->case_parameters, arena, ts_case_params(arena, cell.c),
                      ts_case_param_count(cell.c), cell.case_values));
  TS_TRY(name_changed(&out->method_parameters, arena, cell.method->params,
                      (size_t)cell.method->param_count, cell.method_values));
  *out_source = (ts_snapshot_source){.scene = request.step > 0 ? w.there : w.built,
                                     .case_parameters = cell.case_parameters};
  return name_scoring_sets(&out_source->scoring_sets, arena, &cell);
}

ts_status ts_cell_built(ts_scene **out, ts_arena *arena, const ts_snapshot_request *asked) {
  ts_catalog built_in;
  ts_snapshot_request request;
  ts_cell cell;
  TS_TRY(check_request(&request, &built_in, arena, asked));
  TS_TRY(find_cell(&cell, arena, &request));
  return ts_case_build(out, arena, cell.c, cell.case_values);
}

ts_status ts_cell_frames(ts_arena *arena, const ts_snapshot_request *asked, int64_t every,
                         ts_show_frame show, void *context) {
  ts_catalog built_in;
  ts_snapshot_request request;
  ts_cell cell;
  ts_snapshot frame;
  TS_TRY(check_request(&request, &built_in, arena, asked));
  TS_TRY(find_cell(&cell, arena, &request));
  const frames wanted = {every, show, context};
  work w = {.arena = arena,
            .out = &frame,
            .last_step = request.step,
            .frames = &wanted,
            .request = &request,
            .cell = &cell};
  return run_cell(&w);
}

ts_status ts_cell_scene_at(ts_scene **out, ts_arena *arena, const ts_cell *cell, int64_t step) {
  ts_snapshot snapshot = {.step = step};
  work w = {.arena = arena, .out = &snapshot, .last_step = step, .cell = cell};
  TS_TRY(run_cell(&w));
  *out = w.there;
  return TS_OK;
}
