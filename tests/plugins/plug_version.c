// SPDX-License-Identifier: MIT
// One generator, built for each version of the interface. Its contacts mean nothing: they use every
// member that a method can read or write, in arrays of several.
#if VERSION < 3
#include "tests/plugins/old_interface.h"
#else
#include "methods/method.h"
#endif

#include <math.h>

#define TEXT_OF(x)   #x
#define NAME_OF(v)   "version_" TEXT_OF(v)
#define METHOD_NAME  NAME_OF(VERSION)
#define CONTACTS_MAX 40

static ts_vec3 in_world(ts_pose pose, ts_vec3 p) {
  ts_quat q = pose.rotation;
  ts_vec3 t = {2 * (q.y * p.z - q.z * p.y), 2 * (q.z * p.x - q.x * p.z),
               2 * (q.x * p.y - q.y * p.x)};
  return (ts_vec3){p.x + q.w * t.x + q.y * t.z - q.z * t.y + pose.translation.x,
                   p.y + q.w * t.y + q.z * t.x - q.x * t.z + pose.translation.y,
                   p.z + q.w * t.z + q.x * t.y - q.y * t.x + pose.translation.z};
}

/// The mean of the vertices.
static ts_status prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh,
                               const double *params) {
  (void)params;
  ts_vec3 *mean = host->alloc(host, sizeof *mean);
  if (!mean)
    return host->fail(host, TS_E_MEMORY, "out of memory");
  for (size_t i = 0; i < mesh->vertex_count; i++) {
    mean->x += mesh->vertices[i].x / (double)mesh->vertex_count;
    mean->y += mesh->vertices[i].y / (double)mesh->vertex_count;
    mean->z += mesh->vertices[i].z / (double)mesh->vertex_count;
  }
  *out = mean;
  return TS_OK;
}

/// The corners of a triangle of b, seen from the middle of a.
static ts_contact contact_at(const ts_pair *pair, ts_vec3 middle, size_t index) {
  uint32_t vertex = pair->mesh_b->triangles[index / 3][index % 3];
  ts_vec3 p = in_world(pair->pose_b, pair->mesh_b->vertices[vertex]);
  ts_vec3 n = {p.x - middle.x, p.y - middle.y, p.z - middle.z};
  double length = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
  return (ts_contact){.point = p,
                      .normal = {n.x / length, n.y / length, n.z / length},
                      .gap_m = 1e-4 * (double)index * pair->size_m,
                      .area_m2 = 1e-3 * pair->size_m * (double)(index + 1),
                      .feature_a = {TS_FEATURE_FACE, (uint32_t)(index / 3)},
                      .feature_b = {TS_FEATURE_VERTEX, vertex}};
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *state, const double *params) {
  (void)shape_b, (void)state;
  size_t count = 3 * pair->mesh_b->triangle_count;
  if (count > CONTACTS_MAX)
    count = CONTACTS_MAX;
  ts_contact *contacts = host->scratch(host, count * sizeof *contacts);
  if (!contacts)
    return host->fail(host, TS_E_MEMORY, "out of memory");
  ts_vec3 middle = in_world(pair->pose_a, *(const ts_vec3 *)shape_a);
  for (size_t i = 0; i < count; i++) {
    contacts[i] = contact_at(pair, middle, i);
#if VERSION >= 2
    contacts[i].group = params[1] != 0 ? (uint32_t)(i / 2) : 0;
#endif
  }
  (void)params;
  // Nothing, one, and all others at once.
  ts_status status = host->push(host, contacts, 0);
  if (status == TS_OK)
    status = host->push(host, contacts, 1);
  return status == TS_OK ? host->push(host, contacts + 1, count - 1) : status;
}

static ts_status envelope(ts_envelope *out, const double *params) {
  *out = (ts_envelope){.kind = TS_ENVELOPE_DILATED, .size_m = params[0]};
  return TS_OK;
}

static const ts_param params[] = {{.name = "margin_m",
                                   .summary = "How far surfaces are moved outwards.",
                                   .kind = TS_PARAM_REAL,
                                   .is_length = 1,
                                   .default_value = 1e-3,
                                   .minimum = 0,
                                   .maximum = 1},
#if VERSION >= 2
                                  {.name = "groups",
                                   .summary = "1: contacts are alternatives.",
                                   .kind = TS_PARAM_INTEGER,
                                   .maximum = 1}
#endif
};

static const ts_taxonomy taxonomy = {.locality = 2, .limits = "means nothing"};

static const ts_method method = {.abi = TS_METHOD_ABI,
                                 .struct_size = sizeof(ts_method),
                                 .name = METHOD_NAME,
                                 .summary = "As compiled for one version of the interface.",
                                 .source = "tests",
                                 .gives = TS_GIVES_GAP | TS_GIVES_AREA | TS_GIVES_FEATURES,
                                 .params = params,
                                 .param_count = sizeof params / sizeof *params,
                                 .envelope = envelope,
                                 .prepare_shape = prepare_shape,
                                 .generate = generate,
                                 .taxonomy = &taxonomy,
#if VERSION >= 2
                                 .keeps_state = 1,
                                 .keeps_state_if = "groups"
#endif
};

const ts_method *const *touchstone_methods(void) {
  static const ts_method *const list[] = {&method, NULL};
  return list;
}
