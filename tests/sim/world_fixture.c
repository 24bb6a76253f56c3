// SPDX-License-Identifier: MIT
#include "tests/sim/world_fixture.h"

#include <string.h>

void fixture_init(world_fixture *f) {
  memset(f, 0, sizeof *f);
  cr_assert_eq(ts_arena_create(&f->arena), TS_OK);
  f->params = ts_world_params_default();
  f->params.linear_damping_kg_s = f->params.angular_damping_kg_m2_s = 0;
  f->copies = 1;
}

void fixture_release(world_fixture *f) {
  for (size_t i = 0; i < FIXTURE_TOUCHES; i++)
    ts_contact_set_clear(&f->sets[i]);
  ts_world_destroy(f->world);
  ts_arena_destroy(f->arena);
}

ts_pose fixture_at(double x, double y, double z) {
  return (ts_pose){ts_quat_identity(), {x, y, z}};
}

int32_t fixture_add(world_fixture *f, const solid *shape, ts_pose pose, int is_fixed) {
  cr_assert_lt(f->body_count, FIXTURE_BODIES);
  int32_t index = (int32_t)f->body_count++;
  ts_mesh *mesh = solid_mesh(f->arena, shape);
  f->shapes[index] =
      (ts_shape){.name = "shape", .mesh = mesh, .bounds_local = ts_mesh_bounds(mesh)};
  f->bodies[index] = (ts_body){
      .name = "body", .shape = index, .is_fixed = is_fixed, .pose = pose, .density_kg_m3 = 1000};
  return index;
}

int32_t fixture_add_box(world_fixture *f, ts_vec3 size, ts_pose pose, int is_fixed) {
  solid box = solid_box(size.x, size.y, size.z, 0);
  return fixture_add(f, &box, pose, is_fixed);
}

touch *fixture_touch_corners(world_fixture *f, int32_t a, ts_vec3 plane_local, int32_t b,
                             ts_vec3 size) {
  cr_assert_lt(f->touch_count, FIXTURE_TOUCHES);
  touch *t = &f->touches[f->touch_count++];
  *t = (touch){.a = a,
               .b = b,
               .plane_local = plane_local,
               .normal_local = {0, 1, 0},
               .point_count = 4,
               .reach_m = INFINITY,
               .area_m2 = (double)NAN};
  for (int i = 0; i < 4; i++)
    t->points_local[i] =
        (ts_vec3){(i & 1 ? 0.5 : -0.5) * size.x, -0.5 * size.y, (i & 2 ? 0.5 : -0.5) * size.z};
  return t;
}

touch *fixture_touch_cells(world_fixture *f, int32_t a, ts_vec3 plane_local, int32_t b,
                           ts_vec3 size, int along_x, int along_z) {
  touch *t = fixture_touch_corners(f, a, plane_local, b, size);
  t->point_count = (size_t)(along_x * along_z);
  cr_assert_leq(t->point_count, FIXTURE_POINTS);
  for (int i = 0; i < along_x; i++)
    for (int k = 0; k < along_z; k++)
      t->points_local[i * along_z + k] =
          (ts_vec3){((i + 0.5) / along_x - 0.5) * size.x, -0.5 * size.y,
                    ((k + 0.5) / along_z - 0.5) * size.z};
  t->area_m2 = size.x * size.z / (along_x * along_z);
  return t;
}

static void push(ts_contact_set *set, const touch *t, size_t point, const ts_body *bodies) {
  ts_vec3 p = ts_pose_point(bodies[t->b].pose, t->points_local[point]);
  ts_vec3 n = ts_pose_direction(bodies[t->a].pose, t->normal_local);
  double gap_m = ts_vec3_dot(n, ts_vec3_sub(p, ts_pose_point(bodies[t->a].pose, t->plane_local)));
  if (gap_m > t->reach_m)
    return;
  ts_contact contact = {.point = ts_vec3_add_scaled(p, -0.5 * gap_m, n),
                        .normal = n,
                        .gap_m = gap_m,
                        .area_m2 = t->area_m2};
  cr_assert_eq(ts_contact_set_push(set, &contact, 1), TS_OK);
}

ts_status fixture_contacts(void *context, const ts_contact_set **out, size_t *out_count,
                           const ts_body *bodies, size_t body_count) {
  world_fixture *f = context;
  cr_assert_eq(body_count, f->body_count);
  for (size_t i = 0; i < f->touch_count; i++) {
    const touch *t = &f->touches[f->backwards ? f->touch_count - 1 - i : i];
    ts_contact_set *set = &f->sets[i];
    set->body_a = t->a;
    set->body_b = t->b;
    set->count = 0;
    for (size_t k = 0; k < t->point_count; k++)
      for (int copy = 0; copy < f->copies; copy++)
        push(set, t, f->backwards ? t->point_count - 1 - k : k, bodies);
  }
  *out = f->sets;
  *out_count = f->touch_count;
  return TS_OK;
}

void fixture_start(world_fixture *f) {
  cr_assert_eq(
      ts_world_create(&f->world, f->shapes, f->body_count, f->bodies, f->body_count, &f->params),
      TS_OK, "%s", ts_status_detail());
}

void fixture_steps(world_fixture *f, int count) {
  for (int i = 0; i < count; i++)
    cr_assert_eq(ts_world_step(&f->report, f->world, fixture_contacts, f), TS_OK, "step %d: %s", i,
                 ts_status_detail());
}

void fixture_stack(world_fixture *f, int count, ts_vec3 size) {
  fixture_add_box(f, (ts_vec3){4 * size.x, size.y, 4 * size.z}, fixture_at(0, -0.5 * size.y, 0), 1);
  for (int i = 0; i < count; i++) {
    int32_t box = fixture_add_box(f, size, fixture_at(0, (i + 0.5) * size.y, 0), 0);
    fixture_touch_corners(f, box - 1, (ts_vec3){0, 0.5 * size.y, 0}, box, size);
  }
}

ts_vec3 fixture_incline(world_fixture *f, double angle_rad, double scale) {
  ts_vec3 size = {0.6 * scale, 0.4 * scale, 0.5 * scale};
  ts_vec3 ground = {20 * scale, scale, 20 * scale};
  ts_pose slope = {ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, angle_rad), {0, 0, 0}};
  ts_vec3 top = {0, 0.5 * ground.y, 0};
  ts_vec3 centre = {0, top.y + 0.5 * size.y, 0};
  fixture_add_box(f, ground, slope, 1);
  ts_pose above = {slope.rotation, ts_pose_point(slope, centre)};
  int32_t box = fixture_add_box(f, size, above, 0);
  fixture_touch_corners(f, 0, top, box, size);
  return ts_pose_direction(slope, (ts_vec3){1, 0, 0});
}
