// SPDX-License-Identifier: MIT
#include "tests/sim/soft/soft_experiments.h"

#include "base/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Figures of one world over the steps, of which the median is asked for in the end.
typedef struct series {
  double *errors, *defects; ///< [steps]
  size_t error_count, defect_count;
} series;

static int compare_numbers(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void find_median(double *median, double *largest, double *values, size_t count) {
  *median = *largest = (double)NAN;
  if (count == 0)
    return;
  qsort(values, count, sizeof *values, compare_numbers);
  *median = 0.5 * (values[(count - 1) / 2] + values[count / 2]);
  *largest = values[count - 1];
}

static void find_motion(soft_result *out, const ts_soft_world *world, bool is_half) {
  const ts_tet_body *body = NULL;
  for (size_t i = 0; !body; i++)
    body = ts_soft_world_tet_body(world, i);
  const double *masses = ts_tet_body_masses(body);
  ts_vec3 at = {0, 0, 0}, velocity = {0, 0, 0};
  for (size_t i = 0; i < ts_tet_body_node_count(body); i++) {
    double share = masses[i] / ts_tet_body_mass_kg(body);
    at = ts_vec3_add_scaled(at, share, ts_tet_body_positions(body)[i]);
    velocity = ts_vec3_add_scaled(velocity, share, ts_tet_body_velocities(body)[i]);
  }
  if (is_half) {
    out->velocity_half_m_s = velocity;
  } else {
    out->centre_m = at;
    out->velocity_m_s = velocity;
  }
}

static void note_step(soft_result *out, series *over, const ts_soft_report *report, double gap_m) {
  if (!isnan(report->response_error))
    over->errors[over->error_count++] = report->response_error;
  if (!isnan(report->momentum_defect))
    over->defects[over->defect_count++] = report->momentum_defect;
  out->gap_min_m = fmin(out->gap_min_m, gap_m);
  out->sweeps_mean += report->solver.sweeps;
  out->unconverged += !report->solver.converged;
  out->normal_force_n = report->normal_force_n;
  if (out->contacts_max < (int32_t)report->constraint_count)
    out->contacts_max = (int32_t)report->constraint_count;
}

static void note_bits(soft_result *out, const ts_soft_world *world) {
  for (size_t i = 0; i < ts_soft_world_body_count(world); i++) {
    const ts_tet_body *body = ts_soft_world_tet_body(world, i);
    if (body)
      out->bits = ts_hash_bytes(out->bits, ts_tet_body_positions(body),
                                ts_tet_body_node_count(body) * sizeof(ts_vec3));
  }
}

static void note_shape(soft_result *out, int which, const ts_shape_errors *errors) {
  out->deformation[which] = errors->deformation;
  out->displacement[which] = errors->displacement;
  out->exact_deformation_m[which] = errors->exact_deformation_m;
}

static void run_all(soft_result *out, series *over, ts_soft_world **worlds, const soft_scene *s,
                    int steps) {
  double largest_m = 0, farthest_m = 0;
  for (int step = 1; step <= steps; step++) {
    ts_shape_errors errors[TS_COMPLIANCE_COUNT];
    for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++) {
      ts_soft_report report = soft_scene_step(s, worlds[kind]);
      note_step(&out[kind], &over[kind], &report, soft_scene_gap(s, worlds[kind]));
      note_bits(&out[kind], worlds[kind]);
      if (step == steps / 2)
        find_motion(&out[kind], worlds[kind], true);
    }
    for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++)
      ts_shape_compare(&errors[kind], worlds[kind], worlds[TS_COMPLIANCE_EXACT], s->shapes,
                       s->bodies);
    for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++) {
      if (errors[kind].exact_deformation_m > largest_m)
        note_shape(&out[kind], 0, &errors[kind]);
      if (errors[kind].exact_displacement_m > farthest_m)
        out[kind].displacement_farthest = errors[kind].displacement;
      note_shape(&out[kind], 1, &errors[kind]);
    }
    largest_m = fmax(largest_m, errors[0].exact_deformation_m);
    farthest_m = fmax(farthest_m, errors[0].exact_displacement_m);
  }
}

void soft_experiment_run(soft_result out[TS_COMPLIANCE_COUNT], const soft_scene *s, int steps) {
  ts_soft_world *worlds[TS_COMPLIANCE_COUNT];
  series over[TS_COMPLIANCE_COUNT];
  memset(out, 0, TS_COMPLIANCE_COUNT * sizeof *out);
  memset(over, 0, sizeof over);
  for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++) {
    worlds[kind] = soft_scene_world(s, (ts_compliance_kind)kind);
    over[kind].errors = ts_arena_array(s->arena, (size_t)steps, sizeof(double));
    over[kind].defects = ts_arena_array(s->arena, (size_t)steps, sizeof(double));
    out[kind].gap_min_m = INFINITY;
    out[kind].bits = TS_HASH_START;
  }
  run_all(out, over, worlds, s, steps);
  for (int kind = 0; kind < TS_COMPLIANCE_COUNT; kind++) {
    soft_result *r = &out[kind];
    series *o = &over[kind];
    find_median(&r->step_error_median, &r->step_error_max, o->errors, o->error_count);
    find_median(&r->defect_median, &r->defect_max, o->defects, o->defect_count);
    r->sweeps_mean /= steps;
    r->rotation_rad = ts_shape_largest_rotation_rad(worlds[kind], s->bodies);
    find_motion(r, worlds[kind], false);
    ts_soft_world_destroy(worlds[kind]);
  }
}

/// A mesh with its tets, moved: so that a body starts at rest in another frame than the world's.
static ts_mesh *moved_mesh(const soft_scene *s, const ts_mesh *mesh, ts_pose pose) {
  ts_vec3 *vertices = ts_arena_array(s->arena, mesh->vertex_count, sizeof *vertices);
  for (size_t i = 0; i < mesh->vertex_count; i++)
    vertices[i] = ts_pose_point(pose, mesh->vertices[i]);
  return tet_grid_around(s->arena, vertices, mesh->vertex_count, mesh->tets, mesh->tet_count);
}

static ts_pose at(double x, double y, double z) {
  return (ts_pose){ts_quat_identity(), {x, y, z}};
}

void soft_experiment_beam(soft_scene *s, double young_pa, double drop_m) {
  tet_grid grid = {4, 4, 20, {-0.1, -0.1, 0}, {0.1, 0.1, 1}};
  size_t clamped_count = (grid.x + 1) * (grid.y + 1);
  uint32_t *clamped = ts_arena_array(s->arena, clamped_count, sizeof *clamped);
  for (size_t i = 0; i < clamped_count; i++)
    clamped[i] = (uint32_t)i; // those at z = 0 come first
  ts_elastic elastic = {.young_pa = young_pa,
                        .poisson = 0.4,
                        .mass_damping_1_s = 2,
                        .stiffness_damping_s = 0.01,
                        .clamped_count = clamped_count,
                        .clamped = clamped};
  int32_t sphere = soft_scene_add_cube(s, 0.1, at(0.013, -0.25 - drop_m, 0.8), true);
  int32_t beam = soft_scene_add(s, tet_grid_mesh(s->arena, &grid), ts_pose_identity(), &elastic);
  s->touches[s->touch_count++] = (soft_touch){
      .kind = SOFT_SPHERE, .obstacle = sphere, .body = beam, .radius_m = 0.15, .reach_m = 0.01};
  s->params.friction = s->params.friction_fixed = 0.3;
  s->params.compares_exact = true;
}

void soft_experiment_chain(soft_scene *s, double young_pa, double dt_s, bool is_horizontal) {
  const double radius = 0.1, tube = 0.03, apart = 2 * radius - 2 * tube - 0.004;
  const double tau = 6.283185307179586476925, quarter = 0.25 * tau;
  ts_elastic elastic = {
      .young_pa = young_pa, .poisson = 0.4, .mass_damping_1_s = 2, .stiffness_damping_s = 0.005};
  ts_mesh *mesh = soft_torus(s->arena, radius, tube);
  // Links along -y, the outer ones about z, the middle one about x; to the side: turned about z.
  ts_pose turn = at(0, 0, 0);
  if (is_horizontal)
    turn.rotation = ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, quarter);
  for (int i = 0; i < 3; i++) {
    ts_pose pose = at(0, -i * apart, 0);
    if (i == 1)
      pose.rotation = ts_quat_from_axis_angle((ts_vec3){0, 1, 0}, quarter);
    pose = ts_pose_mul(turn, pose);
    if (i == 1) // at rest as it hangs, so that `initial` is right until it turns
      soft_scene_add(s, moved_mesh(s, mesh, pose), ts_pose_identity(), &elastic);
    else
      soft_scene_add(s, mesh, pose, NULL);
  }
  s->bodies[0].is_fixed = true;
  // The rings are exact, not the meshes: so is the mass of the free one.
  double volume_m3 = 0.5 * tau * tau * radius * tube * tube;
  s->bodies[2].density_kg_m3 *= volume_m3 / ts_mesh_mass_properties(mesh, 1).volume_m3;
  for (int32_t ring = 0; ring < 3; ring += 2)
    s->touches[s->touch_count++] = (soft_touch){.kind = SOFT_RING,
                                                .obstacle = ring,
                                                .body = 1,
                                                .radius_m = radius,
                                                .tube_m = tube,
                                                .reach_m = 0.003};
  s->params.dt_s = dt_s;
  s->params.friction = s->params.friction_fixed = 0.3;
  s->params.compares_exact = true;
}

void soft_experiment_block(soft_scene *s, double slope_deg, double scale) {
  const double deg = 0.0174532925199432957692, slope = slope_deg * deg;
  double a = 0.1 * scale, g_m_s2 = 9.82 * scale;
  tet_grid grid = {4, 2, 4, {-a, 0, -a}, {a, a, a}};
  ts_elastic elastic = {
      .young_pa = 2e5 * scale * scale, .poisson = 0.4, .stiffness_damping_s = 0.002};
  ts_pose turned = {ts_quat_from_axis_angle(ts_vec3_unit((ts_vec3){1, 2, 3}), -40 * deg),
                    {0, 0, 0}};
  ts_mesh *straight = tet_grid_mesh(s->arena, &grid);
  ts_mesh *mesh = moved_mesh(s, straight, turned);
  int32_t ground = soft_scene_add_cube(s, scale, ts_pose_identity(), true);
  int32_t block = soft_scene_add(s, mesh, ts_pose_inverse(turned), &elastic);
  s->touches[s->touch_count++] =
      (soft_touch){.kind = SOFT_PLANE, .obstacle = ground, .body = block, .reach_m = 0.005 * scale};
  s->params.gravity_m_s2 = (ts_vec3){g_m_s2 * sin(slope), -g_m_s2 * cos(slope), 0};
  s->params.solver.tolerance_m *= scale;
  s->params.compares_exact = true;
}
