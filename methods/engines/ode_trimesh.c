// SPDX-License-Identifier: MIT
/// ODE's dCollide() on two triangle meshes.
///
/// ODE clips each pair of triangles that OPCODE finds intersecting, and takes the points of one
/// that are deepest below the plane of the other, with that plane's normal. It merges contacts
/// within 1e-4 m of each other, and averages the normals of equally deep ones, which tilts them at
/// the edges of a body. ODE has no margin: bodies must overlap for a contact.
#include "methods/engines/engine_dilation.h"
#include "methods/method.h"

#include <math.h>
#include <ode/ode.h>
#include <stdbool.h>

enum { PARAM_MAX_CONTACTS, PARAM_UNIMPORTANT, PARAM_DILATION_M };

/// The bits that CONTACTS_UNIMPORTANT leaves for the number of contacts.
#define CONTACTS_MAX 0xffff

static const char *const no_yes[] = {"no", "yes", NULL};

static const ts_param params[] = {
    [PARAM_MAX_CONTACTS] = {.name = "max_contacts",
                            .summary = "Maximum contacts of a pair that ODE may return; its demos "
                                       "on meshes use 64.",
                            .kind = TS_PARAM_INTEGER,
                            .default_value = 64,
                            .minimum = 1,
                            .maximum = CONTACTS_MAX},
    [PARAM_UNIMPORTANT] = {.name = "contacts_unimportant",
                           .summary = "CONTACTS_UNIMPORTANT: ODE stops at the first max_contacts, "
                                      "whichever they are.",
                           .kind = TS_PARAM_CHOICE,
                           .choices = no_yes},
    [PARAM_DILATION_M] = ENGINE_DILATION,
};

static ts_status envelope(ts_envelope *out, const double *values) {
  return engine_envelope(out, values[PARAM_DILATION_M], 0);
}

typedef struct shape {
  dTriMeshDataID data;
} shape;

typedef struct pair_state {
  dGeomID geom[2];
  int flags;
  dContactGeom *contacts; ///< [max_contacts]
  ts_contact *pushed;     ///< [max_contacts]
} pair_state;

/// ODE counts its initialisations: one for each shape.
static ts_status prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh,
                               const double *values) {
  (void)values;
  if (mesh->vertex_count > INT32_MAX || mesh->triangle_count > INT32_MAX / 3)
    return host->fail(host, TS_E_UNSUPPORTED, "ODE takes at most 2^31 / 3 triangles");
  shape *s = host->alloc(host, sizeof *s);
  if (!s || !dInitODE2(0))
    return host->fail(host, TS_E_MEMORY, "ODE cannot be initialised");
  if (!dAllocateODEDataForThread(dAllocateFlagCollisionData)) {
    dCloseODE();
    return host->fail(host, TS_E_MEMORY, "out of memory");
  }
  s->data = dGeomTriMeshDataCreate();
  // ODE keeps the pointers; vertices and triangles stay valid until the shape is released.
  dGeomTriMeshDataBuildDouble(s->data, mesh->vertices, sizeof *mesh->vertices,
                              (int)mesh->vertex_count, mesh->triangles,
                              (int)(3 * mesh->triangle_count), sizeof *mesh->triangles);
  *out = s;
  return TS_OK;
}

static void release_shape(void *state) {
  shape *s = state;
  if (!s)
    return;
  dGeomTriMeshDataDestroy(s->data);
  dCloseODE();
}

/// When ODE merges the contacts of two triangles, the first represents both: it identifies the body
/// that the point is on.
static int keep_first(dGeomID geom, int first, int second) {
  (void)geom, (void)second;
  return first;
}

static ts_status prepare_pair(void **out, const ts_host *host, const ts_pair *pair,
                              const void *shape_a, const void *shape_b, const double *values) {
  (void)pair;
  size_t most = (size_t)values[PARAM_MAX_CONTACTS];
  pair_state *p = host->alloc(host, sizeof *p);
  if (!p)
    return host->fail(host, TS_E_MEMORY, "out of memory");
  p->contacts = host->alloc(host, most * sizeof *p->contacts);
  p->pushed = host->alloc(host, most * sizeof *p->pushed);
  if (!p->contacts || !p->pushed)
    return host->fail(host, TS_E_MEMORY, "out of memory");
  unsigned unimportant = values[PARAM_UNIMPORTANT] > 0 ? CONTACTS_UNIMPORTANT : 0;
  p->flags = (int)((unsigned)most | unimportant);
  for (int side = 0; side < 2; side++) {
    const shape *s = side == 0 ? shape_a : shape_b;
    p->geom[side] = dCreateTriMesh(0, s->data, NULL, NULL, NULL);
    dGeomTriMeshSetTriMergeCallback(p->geom[side], keep_first);
  }
  *out = p;
  return TS_OK;
}

static void release_pair(void *state) {
  pair_state *p = state;
  for (int side = 0; p && side < 2; side++)
    dGeomDestroy(p->geom[side]);
}

static void place(dGeomID geom, ts_pose pose) {
  const dQuaternion q = {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z};
  dGeomSetPosition(geom, pose.translation.x, pose.translation.y, pose.translation.z);
  dGeomSetQuaternion(geom, q);
}

/// Distance of a point from the plane of a triangle.
static double plane_distance(dGeomID geom, int triangle, const dReal *point) {
  dVector3 v[3], e[2], n;
  dGeomTriMeshGetTriangle(geom, triangle, &v[0], &v[1], &v[2]);
  for (int i = 0; i < 3; i++) {
    e[0][i] = v[1][i] - v[0][i];
    e[1][i] = v[2][i] - v[0][i];
  }
  n[0] = e[0][1] * e[1][2] - e[0][2] * e[1][1];
  n[1] = e[0][2] * e[1][0] - e[0][0] * e[1][2];
  n[2] = e[0][0] * e[1][1] - e[0][1] * e[1][0];
  double along = 0, square = 0;
  for (int i = 0; i < 3; i++) {
    along += n[i] * (point[i] - v[0][i]);
    square += n[i] * n[i];
  }
  return fabs(along) / sqrt(square);
}

/// ODE's normal points into g1 and its depth is positive. Its point is on one of the bodies, the
/// depth below the other's surface; ODE does not say on which, so the triangles decide.
static ts_contact turn(const pair_state *p, const dContactGeom *c) {
  double sign = c->g1 == p->geom[0] ? -1 : 1;
  bool is_of_g1 = plane_distance(c->g1, c->side1, c->pos) < plane_distance(c->g2, c->side2, c->pos);
  double to_middle_m = (is_of_g1 ? 0.5 : -0.5) * c->depth;
  const dReal *n = c->normal;
  return (ts_contact){.point = {c->pos[0] + n[0] * to_middle_m, c->pos[1] + n[1] * to_middle_m,
                                c->pos[2] + n[2] * to_middle_m},
                      .normal = {sign * n[0], sign * n[1], sign * n[2]},
                      .gap_m = -c->depth,
                      .area_m2 = NAN};
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *state, const double *values) {
  (void)shape_a, (void)shape_b, (void)values;
  pair_state *p = state;
  place(p->geom[0], pair->pose_a);
  place(p->geom[1], pair->pose_b);
  int count = dCollide(p->geom[0], p->geom[1], p->flags, p->contacts, (int)sizeof *p->contacts);
  for (int i = 0; i < count; i++)
    p->pushed[i] = turn(p, &p->contacts[i]);
  return host->push(host, p->pushed, (size_t)count);
}

static const ts_taxonomy taxonomy = {.locality = TS_LOCALITY_LOCAL,
                                     .testing = TS_TESTING_SURFACE,
                                     .exactness = TS_EXACTNESS_EXACT,
                                     .normals = TS_NORMALS_FEATURES,
                                     .instant = TS_INSTANT_DISCRETE,
                                     .exact = TS_SUPPORT_FULL,
                                     .continuous = TS_SUPPORT_NONE,
                                     .deformable = TS_SUPPORT_EFFORT,
                                     .topology = TS_SUPPORT_EFFORT,
                                     .limits = "surfaces must intersect"};

static const ts_method method = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_method),
    .name = "ode_trimesh",
    .summary = "ODE's collision of two triangle meshes, in the world frame.",
    .source = "Open Dynamics Engine " TS_ENGINE_VERSION " (" TS_ENGINE_PACKAGE ")",
    .needs = TS_NEEDS_CLOSED,
    .gives = TS_GIVES_GAP,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .envelope = envelope,
    .prepare_shape = prepare_shape,
    .prepare_pair = prepare_pair,
    .generate = generate,
    .release_shape = release_shape,
    .release_pair = release_pair,
    .taxonomy = &taxonomy,
};

const ts_method *const *touchstone_methods(void) {
  static const ts_method *const methods[] = {&method, NULL};
  return methods;
}
