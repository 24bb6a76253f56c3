// SPDX-License-Identifier: MIT
#include "tests/methods/method_fixture.h"

#include "base/param.h"
#include "base/sanitizer.h"
#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "geometry/tolerances.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *host_alloc(const ts_host *host, size_t bytes) {
  return ts_arena_alloc(((const method_fixture *)host)->arena, bytes);
}

static void *host_scratch(const ts_host *host, size_t bytes) {
  return ts_arena_alloc(((const method_fixture *)host)->scratch, bytes);
}

static ts_status host_push(const ts_host *host, const ts_contact *contacts, size_t count) {
  method_fixture *f = ((const method_fixture *)host)->self;
  f->push_count++;
  if (f->push_status < 0)
    return f->push_status;
  return ts_contact_set_push(&f->set, contacts, count);
}

static ts_status host_fail(const ts_host *host, ts_status status, const char *message) {
  (void)host;
  return ts_fail(status, "%s", message);
}

fixture_seeds fixture_seeds_of(const char *what, uint64_t count) {
  char name[64];
  (void)snprintf(name, sizeof name, "TOUCHSTONE_%s_PAIRS", what);
  const char *asked = getenv(name);
  (void)snprintf(name, sizeof name, "TOUCHSTONE_%s_FIRST", what);
  const char *from = getenv(name);
  if (TS_HAS_ADDRESS_SANITIZER)
    count = (2 * count + 4) / 5; // of the same seeds, the first: the other build has them all
  return (fixture_seeds){.first = from ? strtoull(from, NULL, 10) : 0,
                         .count = asked ? strtoull(asked, NULL, 10) : count,
                         .is_asked = asked != NULL};
}

void fixture_open(method_fixture *f) {
  memset(f, 0, sizeof *f);
  f->self = f;
  cr_assert_eq(ts_arena_create(&f->arena), TS_OK);
  cr_assert_eq(ts_arena_create(&f->scratch), TS_OK);
  f->host = (ts_host){.abi = TS_METHOD_ABI,
                      .struct_size = sizeof(ts_host),
                      .alloc = host_alloc,
                      .scratch = host_scratch,
                      .push = host_push,
                      .fail = host_fail};
}

void fixture_close(method_fixture *f) {
  ts_contact_set_clear(&f->set);
  ts_arena_destroy(f->arena);
  ts_arena_destroy(f->scratch);
}

const ts_mesh *fixture_mesh(method_fixture *f, const ts_vec3 *vertices, size_t vertex_count,
                            const uint32_t (*triangles)[3], size_t triangle_count) {
  ts_mesh *mesh = NULL;
  ts_status status =
      ts_mesh_create(&mesh, f->arena, vertices, vertex_count, triangles, triangle_count);
  cr_assert_eq(status, TS_OK, "%s", ts_status_detail());
  return mesh;
}

/// Splits a quad into two triangles along corners 0-2, or along 1-3 when `other` is set.
static void split(uint32_t out[2][3], const uint32_t quad[4], int other) {
  uint32_t p = quad[other ? 1 : 0], q = quad[other ? 2 : 1], r = quad[other ? 3 : 2],
           s = quad[other ? 0 : 3];
  memcpy(out[0], (uint32_t[3]){p, q, r}, sizeof out[0]);
  memcpy(out[1], (uint32_t[3]){p, r, s}, sizeof out[1]);
}

const ts_mesh *fixture_box(method_fixture *f, ts_vec3 low, ts_vec3 high, int top_diagonal,
                           int bottom_diagonal) {
  static const uint32_t quads[6][4] = {{2, 6, 7, 3}, {0, 1, 5, 4}, {0, 4, 6, 2},
                                       {1, 3, 7, 5}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  ts_vec3 vertices[8];
  for (int i = 0; i < 8; i++)
    vertices[i] =
        ts_vec3_make(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
  uint32_t triangles[12][3];
  for (int i = 0; i < 6; i++)
    split(&triangles[2 * i], quads[i], i == 0 ? top_diagonal : i == 1 ? bottom_diagonal : 0);
  return fixture_mesh(f, vertices, 8, (const uint32_t(*)[3])triangles, 12);
}

const ts_mesh *fixture_spike(method_fixture *f, double half_m, double height_m) {
  double b = half_m, y = -height_m;
  const ts_vec3 vertices[5] = {{-b, y, -b}, {b, y, -b}, {b, y, b}, {-b, y, b}, {0, 0, 0}};
  static const uint32_t triangles[6][3] = {{0, 1, 2}, {0, 2, 3}, {1, 0, 4},
                                           {2, 1, 4}, {3, 2, 4}, {0, 3, 4}};
  return fixture_mesh(f, vertices, 5, triangles, 6);
}

const ts_mesh *fixture_wedge(method_fixture *f, double half_m, double length_m, double height_m) {
  double l = length_m, b = half_m, y = -height_m;
  const ts_vec3 vertices[6] = {{-l, y, -b}, {l, y, -b}, {l, y, b},
                               {-l, y, b},  {-l, 0, 0}, {l, 0, 0}};
  static const uint32_t triangles[8][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {1, 5, 2},
                                           {3, 2, 5}, {3, 5, 4}, {1, 0, 4}, {1, 4, 5}};
  return fixture_mesh(f, vertices, 6, triangles, 8);
}

const ts_mesh *fixture_tet(method_fixture *f, const ts_vec3 points[4]) {
  static const uint32_t triangles[2][4][3] = {{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}},
                                              {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}}};
  ts_vec3 normal =
      ts_vec3_cross(ts_vec3_sub(points[1], points[0]), ts_vec3_sub(points[2], points[0]));
  int inverted = ts_vec3_dot(normal, ts_vec3_sub(points[3], points[0])) < 0;
  return fixture_mesh(f, points, 4, triangles[inverted], 4);
}

/// A random permutation of 0 to count - 1.
static uint32_t *permutation(method_fixture *f, size_t count, ts_random *random) {
  uint32_t *order = ts_arena_array(f->arena, count, sizeof *order);
  cr_assert_not_null(order);
  for (size_t i = 0; i < count; i++) {
    size_t j = (size_t)(ts_random_u64(random) % (i + 1));
    order[i] = order[j];
    order[j] = (uint32_t)i;
  }
  return order;
}

const ts_mesh *fixture_shuffled(method_fixture *f, const ts_mesh *mesh, uint64_t seed) {
  ts_random random = ts_random_seed(seed, 0);
  size_t vertex_count = mesh->vertex_count, triangle_count = mesh->triangle_count;
  uint32_t *vertex_order = permutation(f, vertex_count, &random);
  uint32_t *triangle_order = permutation(f, triangle_count, &random);
  ts_vec3 *vertices = ts_arena_array(f->arena, vertex_count, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(f->arena, triangle_count, sizeof *triangles);
  cr_assert(vertices && triangles);
  for (size_t v = 0; v < vertex_count; v++)
    vertices[vertex_order[v]] = mesh->vertices[v];
  for (size_t t = 0; t < triangle_count; t++) {
    size_t turn = (size_t)(ts_random_u64(&random) % 3);
    for (size_t i = 0; i < 3; i++)
      triangles[triangle_order[t]][(i + turn) % 3] = vertex_order[mesh->triangles[t][i]];
  }
  return fixture_mesh(f, vertices, vertex_count, (const uint32_t(*)[3])triangles, triangle_count);
}

const ts_mesh *fixture_scaled(method_fixture *f, const ts_mesh *mesh, double scale) {
  ts_vec3 *vertices = ts_arena_array(f->arena, mesh->vertex_count, sizeof *vertices);
  cr_assert_not_null(vertices);
  for (size_t v = 0; v < mesh->vertex_count; v++)
    vertices[v] = ts_vec3_scale(mesh->vertices[v], scale);
  return fixture_mesh(f, vertices, mesh->vertex_count, mesh->triangles, mesh->triangle_count);
}

ts_pose fixture_upside_down(double x, double y, double z) {
  return (ts_pose){{0, 1, 0, 0}, {x, y, z}};
}

ts_pose fixture_shift(double x, double y, double z) {
  return (ts_pose){{1, 0, 0, 0}, {x, y, z}};
}

ts_pose fixture_motion(uint64_t seed, double reach_m) {
  ts_random random = ts_random_seed(seed, 1);
  double u[6];
  for (int i = 0; i < 6; i++)
    u[i] = ts_random_unit(&random);
  return (ts_pose){ts_quat_uniform(u[0], u[1], u[2]),
                   {reach_m * (2 * u[3] - 1), reach_m * (2 * u[4] - 1), reach_m * (2 * u[5] - 1)}};
}

static double pair_size_m(const fixture_pair *pair) {
  return fmin(ts_aabb_extent(ts_mesh_bounds(pair->mesh[0])),
              ts_aabb_extent(ts_mesh_bounds(pair->mesh[1])));
}

static ts_status generate(method_fixture *f, const ts_method *method, const double *values,
                          const fixture_pair *pair, void *const shapes[2]) {
  ts_pair p = {.struct_size = sizeof p,
               .body_a = 0,
               .body_b = 1,
               .mesh_a = pair->mesh[0],
               .mesh_b = pair->mesh[1],
               .pose_a = pair->pose[0],
               .pose_b = pair->pose[1],
               .size_m = pair_size_m(pair)};
  cr_assert_eq(method->envelope(&p.envelope, values), TS_OK);
  ts_arena_mark mark = ts_arena_get_mark(f->scratch);
  void *state = NULL;
  if (method->prepare_pair)
    TS_TRY(method->prepare_pair(&state, &f->host, &p, shapes[0], shapes[1], values));
  ts_status status = method->generate(&f->host, &p, shapes[0], shapes[1], state, values);
  if (method->release_pair)
    method->release_pair(state);
  ts_arena_rewind(f->scratch, mark);
  return status;
}

ts_status fixture_try(method_fixture *f, const ts_method *method, const double *values,
                      const fixture_pair *pair) {
  double defaults[16];
  cr_assert_leq(method->param_count, 16);
  ts_param_defaults(defaults, method->params, method->param_count);
  values = values ? values : defaults;
  ts_contact_set_clear(&f->set);
  f->push_count = 0;
  void *shapes[2] = {NULL, NULL};
  ts_status status = TS_OK;
  for (int i = 0; i < 2 && status == TS_OK; i++)
    status = method->prepare_shape(&shapes[i], &f->host, pair->mesh[i], values);
  if (status == TS_OK)
    status = generate(f, method, values, pair, shapes);
  for (int i = 0; i < 2; i++)
    method->release_shape(shapes[i]);
  return status;
}

static void check_feature(ts_feature feature, const ts_mesh *mesh) {
  switch ((ts_feature_kind)feature.kind) {
  case TS_FEATURE_VERTEX:
    cr_assert_lt(feature.index, mesh->vertex_count);
    break;
  case TS_FEATURE_EDGE:
    cr_assert_lt(feature.index, 3 * mesh->triangle_count);
    cr_assert_lt(feature.index, mesh->edge_twin[feature.index], "the smaller half-edge is the id");
    break;
  case TS_FEATURE_FACE:
    cr_assert_lt(feature.index, mesh->triangle_count);
    break;
  case TS_FEATURE_NONE: // the way out of an overlap, or a mean; tests/contract counts them
    break;
  }
}

static void check_contact(const ts_contact *contact, const fixture_pair *pair) {
  cr_assert(ts_vec3_is_finite(contact->point));
  cr_assert(isfinite(contact->gap_m));
  cr_assert(isnan(contact->area_m2));
  cr_assert_float_eq(ts_vec3_norm(contact->normal), 1, 1e-12);
  check_feature(contact->feature_a, pair->mesh[0]);
  check_feature(contact->feature_b, pair->mesh[1]);
}

fixture_contacts fixture_run(method_fixture *f, const ts_method *method, const double *values,
                             const fixture_pair *pair) {
  ts_status status = fixture_try(f, method, values, pair);
  cr_assert_eq(status, TS_OK, "%s: %s", method->name, ts_status_detail());
  for (size_t i = 0; i < f->set.count; i++)
    check_contact(&f->set.contacts[i], pair);
  cr_assert_eq(ts_contact_set_canonicalise(&f->set, pair_size_m(pair)), TS_OK);
  fixture_contacts out = {.count = f->set.count, .delivered = f->set.delivered};
  ts_contact *copy = ts_arena_array(f->arena, out.count, sizeof *copy);
  cr_assert_not_null(copy);
  if (out.count)
    memcpy(copy, f->set.contacts, out.count * sizeof *copy);
  out.contacts = copy;
  return out;
}

static int same(const ts_contact *p, const ts_contact *q, double tolerance_m,
                double tolerance_normal) {
  return ts_vec3_distance(p->point, q->point) <= tolerance_m &&
         ts_vec3_distance(p->normal, q->normal) <= tolerance_normal &&
         fabs(p->gap_m - q->gap_m) <= tolerance_m;
}

void fixture_expect_same(fixture_contacts got, fixture_contacts expected, ts_pose motion,
                         double sign, double tolerance_m, double tolerance_normal,
                         const char *what) {
  cr_assert_eq(got.count, expected.count, "%s: %zu contacts, expected %zu", what, got.count,
               expected.count);
  for (size_t i = 0; i < expected.count; i++) {
    ts_contact moved = expected.contacts[i];
    moved.point = ts_pose_point(motion, moved.point);
    moved.normal = ts_vec3_scale(ts_pose_direction(motion, moved.normal), sign);
    size_t matches = 0;
    for (size_t j = 0; j < got.count; j++)
      matches += (size_t)same(&got.contacts[j], &moved, tolerance_m, tolerance_normal);
    cr_assert_eq(matches, 1,
                 "%s: %zu contacts like number %zu, point %g %g %g normal %g %g %g gap %g", what,
                 matches, i, expected.contacts[i].point.x, expected.contacts[i].point.y,
                 expected.contacts[i].point.z, expected.contacts[i].normal.x,
                 expected.contacts[i].normal.y, expected.contacts[i].normal.z, moved.gap_m);
  }
}

size_t fixture_count_at(fixture_contacts set, ts_vec3 point) {
  size_t count = 0;
  for (size_t i = 0; i < set.count; i++)
    count += ts_vec3_distance(set.contacts[i].point, point) <= 1e-9;
  return count;
}

size_t fixture_count_normal(fixture_contacts set, ts_vec3 normal) {
  size_t count = 0;
  for (size_t i = 0; i < set.count; i++)
    count += ts_vec3_distance(set.contacts[i].normal, normal) <= 1e-9;
  return count;
}
