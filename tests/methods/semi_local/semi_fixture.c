// SPDX-License-Identifier: MIT
#include "tests/methods/semi_local/semi_fixture.h"

#include "base/param.h"
#include "base/status.h"
#include "geometry/mesh/mesh.h"

#include <criterion/criterion.h>
#include <string.h>

static const ts_method *const method = &ts_method_semi_local;

method_fixture semi_fixture;
static method_fixture *const f = &semi_fixture;

void semi_open(void) {
  fixture_open(f);
}

void semi_close(void) {
  fixture_close(f);
}

const ts_mesh *semi_box(double width, double height, double depth) {
  return fixture_box(f, (ts_vec3){-width / 2, -height / 2, -depth / 2},
                     (ts_vec3){width / 2, height / 2, depth / 2}, 0, 1);
}

const ts_mesh *semi_extruded(const double (*profile)[2], uint32_t count, const uint32_t (*cap)[3],
                             double half_length) {
  ts_vec3 vertices[2 * SEMI_PROFILE_MAX];
  uint32_t triangles[4 * SEMI_PROFILE_MAX][3];
  cr_assert_leq(count, SEMI_PROFILE_MAX);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t k = (i + 1) % count;
    vertices[i] = ts_vec3_make(profile[i][0], profile[i][1], -half_length);
    vertices[i + count] = ts_vec3_make(profile[i][0], profile[i][1], half_length);
    memcpy(triangles[2 * i], (uint32_t[3]){i, k, k + count}, sizeof triangles[0]);
    memcpy(triangles[2 * i + 1], (uint32_t[3]){i, k + count, i + count}, sizeof triangles[0]);
  }
  uint32_t(*low)[3] = triangles + 2 * count, (*high)[3] = low + count - 2;
  for (uint32_t i = 0; i < count - 2; i++) {
    const uint32_t *c = cap[i];
    memcpy(low[i], (uint32_t[3]){c[0], c[2], c[1]}, sizeof low[0]);
    memcpy(high[i], (uint32_t[3]){c[0] + count, c[1] + count, c[2] + count}, sizeof high[0]);
  }
  return fixture_mesh(f, vertices, 2 * count, (const uint32_t(*)[3])triangles, 4 * count - 4);
}

static double *default_values(void) {
  double *values = ts_arena_array(f->arena, method->param_count, sizeof *values);
  cr_assert_not_null(values);
  ts_param_defaults(values, method->params, method->param_count);
  return values;
}

fixture_contacts semi_run(const ts_mesh *a, ts_pose pose_a, const ts_mesh *b, ts_pose pose_b) {
  fixture_pair pair = {{a, b}, {pose_a, pose_b}};
  return fixture_run(f, method, NULL, &pair);
}

fixture_contacts semi_run_with(const char *name, double value, const fixture_pair *pair) {
  double *values = default_values();
  int index = ts_param_find(method->params, method->param_count, name);
  cr_assert_geq(index, 0);
  values[index] = value;
  return fixture_run(f, method, values, pair);
}

static double *scaled_values(double scale) {
  double *values = default_values();
  for (size_t i = 0; i < method->param_count; i++)
    if (method->params[i].is_length)
      values[i] *= scale;
  return values;
}

fixture_contacts semi_run_scaled(double scale, const fixture_pair *pair) {
  return fixture_run(f, method, scaled_values(scale), pair);
}

fixture_contacts semi_run_groups(double scale, const fixture_pair *pair) {
  double *values = scaled_values(scale);
  values[ts_param_find(method->params, method->param_count, "alternatives")] = 1;
  return fixture_run(f, method, values, pair);
}

const ts_mesh *semi_in_float(const ts_mesh *mesh, ts_pose pose, double scale) {
  ts_vec3 *vertices = ts_arena_array(f->arena, mesh->vertex_count, sizeof *vertices);
  cr_assert_not_null(vertices);
  for (size_t i = 0; i < mesh->vertex_count; i++) {
    ts_vec3 p = ts_vec3_scale(ts_pose_point(pose, mesh->vertices[i]), scale);
    vertices[i] = (ts_vec3){(double)(float)p.x, (double)(float)p.y, (double)(float)p.z};
  }
  return fixture_mesh(f, vertices, mesh->vertex_count, (const uint32_t(*)[3])mesh->triangles,
                      mesh->triangle_count);
}

const ts_contact_set *semi_run_moving(const ts_mesh *a, const ts_mesh *b, ts_pose pose_b,
                                      ts_vec3 velocity) {
  double *values = default_values();
  ts_pair pair = {.struct_size = sizeof pair,
                  .body_a = 0,
                  .body_b = 1,
                  .mesh_a = a,
                  .mesh_b = b,
                  .pose_a = ts_pose_identity(),
                  .pose_b = pose_b,
                  .twist_b = {velocity, {0, 0, 0}},
                  .size_m =
                      fmin(ts_aabb_extent(ts_mesh_bounds(a)), ts_aabb_extent(ts_mesh_bounds(b)))};
  void *shapes[2] = {NULL, NULL};
  cr_assert_eq(method->prepare_shape(&shapes[0], &f->host, a, values), TS_OK);
  cr_assert_eq(method->prepare_shape(&shapes[1], &f->host, b, values), TS_OK);
  ts_contact_set_clear(&f->set);
  ts_status status = method->generate(&f->host, &pair, shapes[0], shapes[1], NULL, values);
  method->release_shape(shapes[0]);
  method->release_shape(shapes[1]);
  cr_assert_eq(status, TS_OK, "%s", ts_status_detail());
  return &f->set;
}
