// SPDX-License-Identifier: MIT
#include "tests/methods/engines/engine_driver.h"

#include "base/param.h"
#include "base/random.h"
#include "base/status.h"
#include "geometry/mesh/mesh.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *host_alloc(const ts_host *host, size_t bytes) {
  return ts_arena_alloc(((const engine_driver *)host)->arena, bytes);
}

static ts_status host_push(const ts_host *host, const ts_contact *contacts, size_t count) {
  return ts_contact_set_push(&((const engine_driver *)host)->self->set, contacts, count);
}

static ts_status host_fail(const ts_host *host, ts_status status, const char *message) {
  engine_driver *d = ((const engine_driver *)host)->self;
  snprintf(d->message, sizeof d->message, "%s", message);
  return status;
}

void driver_open(engine_driver *d, const char *name) {
  memset(d, 0, sizeof *d);
  d->self = d;
  cr_assert_eq(ts_arena_create(&d->arena), TS_OK);
  d->host = (ts_host){.abi = TS_METHOD_ABI,
                      .struct_size = sizeof(ts_host),
                      .alloc = host_alloc,
                      .scratch = host_alloc,
                      .push = host_push,
                      .fail = host_fail};
  char path[1024];
  snprintf(path, sizeof path, "%s/%s.so", TS_ENGINE_FOLDER, name);
  if (access(path, F_OK) != 0)
    cr_skip_test("%s was not built", name);
  d->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  cr_assert_not_null(d->library, "%s", dlerror());
  const ts_method *const *(*methods)(void);
  *(void **)&methods = dlsym(d->library, "touchstone_methods");
  cr_assert(methods, "%s", dlerror());
  d->method = methods()[0];
  cr_assert_str_eq(d->method->name, name);
  cr_assert_null(methods()[1]);
  cr_assert_leq(d->method->param_count, 16);
  ts_param_defaults(d->values, d->method->params, d->method->param_count);
}

void driver_close(engine_driver *d) {
  ts_contact_set_clear(&d->set);
  ts_arena_destroy(d->arena);
}

void driver_set(engine_driver *d, const char *parameter, double value) {
  int index = ts_param_find(d->method->params, d->method->param_count, parameter);
  cr_assert_geq(index, 0, "%s has no %s", d->method->name, parameter);
  d->values[index] = value;
}

const ts_mesh *driver_mesh(engine_driver *d, const ts_vec3 *vertices, size_t vertex_count,
                           const uint32_t (*triangles)[3], size_t triangle_count) {
  ts_mesh *mesh = NULL;
  ts_status status =
      ts_mesh_create(&mesh, d->arena, vertices, vertex_count, triangles, triangle_count);
  cr_assert_eq(status, TS_OK, "%s", ts_status_detail());
  return mesh;
}

const ts_mesh *driver_box(engine_driver *d, ts_vec3 low, ts_vec3 high) {
  static const uint32_t triangles[12][3] = {{2, 6, 7}, {2, 7, 3}, {0, 1, 5}, {0, 5, 4},
                                            {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5},
                                            {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
  ts_vec3 vertices[8];
  for (int i = 0; i < 8; i++)
    vertices[i] =
        ts_vec3_make(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
  return driver_mesh(d, vertices, 8, triangles, 12);
}

static ts_pair pair_of(const engine_pair *p, const ts_pose pose[2]) {
  return (ts_pair){.struct_size = sizeof(ts_pair),
                   .body_a = 0,
                   .body_b = 1,
                   .mesh_a = p->mesh[0],
                   .mesh_b = p->mesh[1],
                   .pose_a = pose[0],
                   .pose_b = pose[1],
                   .envelope = p->envelope,
                   .size_m = 1};
}

ts_status driver_prepare(engine_pair *out, engine_driver *d, const ts_mesh *const mesh[2],
                         const ts_pose pose[2]) {
  const ts_method *m = d->method;
  *out = (engine_pair){.mesh = {mesh[0], mesh[1]}};
  ts_status status = m->envelope ? m->envelope(&out->envelope, d->values) : TS_OK;
  ts_pair pair = pair_of(out, pose);
  for (int i = 0; i < 2 && status == TS_OK && m->prepare_shape; i++)
    status = m->prepare_shape(&out->shape[i], &d->host, mesh[i], d->values);
  if (status == TS_OK && m->prepare_pair)
    status = m->prepare_pair(&out->state, &d->host, &pair, out->shape[0], out->shape[1], d->values);
  return status;
}

static ts_status generate(engine_driver *d, const engine_pair *p, const ts_pose pose[2]) {
  ts_pair pair = pair_of(p, pose);
  return d->method->generate(&d->host, &pair, p->shape[0], p->shape[1], p->state, d->values);
}

ts_status driver_generate(engine_driver *d, const engine_pair *pair, const ts_pose pose[2]) {
  ts_contact_set_clear(&d->set);
  return generate(d, pair, pose);
}

void driver_release(engine_driver *d, engine_pair *pair) {
  const ts_method *m = d->method;
  if (m->release_pair && pair->state)
    m->release_pair(pair->state);
  for (int i = 0; i < 2; i++)
    if (m->release_shape && pair->shape[i])
      m->release_shape(pair->shape[i]);
}

static ts_status run_once(engine_driver *d, const ts_mesh *const mesh[2], const ts_pose pose[2]) {
  engine_pair pair;
  ts_status status = driver_prepare(&pair, d, mesh, pose);
  for (int i = 0; i < 2 && status == TS_OK; i++) {
    size_t before = d->set.count;
    status = generate(d, &pair, pose);
    size_t size = (d->set.count - before) * sizeof(ts_contact);
    if (i == 1 && size)
      cr_assert(before == d->set.count - before &&
                    memcmp(d->set.contacts, d->set.contacts + before, size) == 0,
                "%s answers differently the second time", d->method->name);
    d->set.count = before ? before : d->set.count;
  }
  driver_release(d, &pair);
  return status;
}

ts_status driver_run(engine_driver *d, const ts_mesh *const mesh[2], const ts_pose pose[2]) {
  ts_contact_set_clear(&d->set);
  d->message[0] = '\0';
  return run_once(d, mesh, pose);
}

/// Rotates vectors in world axes so that `x` becomes one of the six directions.
static ts_vec3 turned(size_t direction, double x, double y, double z) {
  ts_vec3 v = direction % 3 == 0   ? ts_vec3_make(x, y, z)
              : direction % 3 == 1 ? ts_vec3_make(z, x, y)
                                   : ts_vec3_make(y, z, x);
  return direction < 3 ? v : ts_vec3_neg(v);
}

cube_pair cube_pair_make(engine_driver *d, size_t index, double depth_m) {
  size_t direction = index % 6, motion = index / 6;
  // The local origin of a is its centre in the first pairs, else a point off it.
  ts_vec3 shift = motion > 0 ? ts_vec3_make(0.25, -0.125, 1.5) : ts_vec3_make(0, 0, 0);
  ts_vec3 half = ts_vec3_make(0.5, 0.5, 0.5);
  const ts_mesh *a = driver_box(d, ts_vec3_sub(shift, half), ts_vec3_add(shift, half));
  const ts_mesh *b = driver_box(d, ts_vec3_neg(half), half);
  ts_vec3 offset = turned(direction, 1 - depth_m, 0.25, 0.125);
  cube_pair pair = {.mesh = {a, b},
                    .pose = {{{1, 0, 0, 0}, ts_vec3_neg(shift)}, {{1, 0, 0, 0}, offset}},
                    .normal = turned(direction, 1, 0, 0),
                    .across = {turned(direction, 0, 1, 0), turned(direction, 0, 0, 1)},
                    .half_m = {0.375, 0.4375}};
  pair.centre = ts_vec3_scale(offset, 0.5);
  if (motion > 0) {
    ts_random random = ts_random_seed(index, 0);
    double u[6];
    for (int i = 0; i < 6; i++)
      u[i] = ts_random_unit(&random);
    ts_pose moved = {ts_quat_uniform(u[0], u[1], u[2]), {2 * u[3], 2 * u[4], 2 * u[5]}};
    for (int i = 0; i < 2; i++) {
      pair.pose[i] = ts_pose_mul(moved, pair.pose[i]);
      pair.across[i] = ts_pose_direction(moved, pair.across[i]);
    }
    pair.normal = ts_pose_direction(moved, pair.normal);
    pair.centre = ts_pose_point(moved, pair.centre);
  }
  pair.middle_m = ts_vec3_dot(pair.normal, pair.centre);
  return pair;
}

cube_pair cube_pair_swap(const cube_pair *pair) {
  cube_pair out = *pair;
  out.mesh[0] = pair->mesh[1];
  out.mesh[1] = pair->mesh[0];
  out.pose[0] = pair->pose[1];
  out.pose[1] = pair->pose[0];
  out.normal = ts_vec3_neg(pair->normal);
  out.middle_m = -pair->middle_m;
  return out;
}

/// The maximum; NaN if either is.
static double worse(double a, double b) {
  return isnan(a) || a > b ? a : b;
}

cube_errors cube_errors_of(const ts_contact_set *set, const cube_pair *pair, double depth_m) {
  cube_errors out = {.count = set->count};
  for (size_t i = 0; i < set->count; i++) {
    const ts_contact *c = &set->contacts[i];
    out.normal = worse(ts_vec3_distance(c->normal, pair->normal), out.normal);
    out.flipped = worse(ts_vec3_distance(ts_vec3_neg(c->normal), pair->normal), out.flipped);
    out.plane_m = worse(fabs(ts_vec3_dot(pair->normal, c->point) - pair->middle_m), out.plane_m);
    out.gap_m = worse(fabs(c->gap_m + depth_m), out.gap_m);
    for (int k = 0; k < 2; k++) {
      double along = ts_vec3_dot(pair->across[k], ts_vec3_sub(c->point, pair->centre));
      out.outside_m = worse(fabs(along) - pair->half_m[k], out.outside_m);
    }
  }
  return out;
}
