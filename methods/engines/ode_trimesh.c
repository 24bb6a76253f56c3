// SPDX-License-Identifier: MIT
/// ODE's dCollide() on triangle meshes and on its own shapes.
///
/// Of two meshes ODE clips each pair of triangles that OPCODE finds intersecting, and takes the
/// points of one that are deepest below the plane of the other, with that plane's normal. It merges
/// contacts within 1e-4 m of each other, and averages the normals of equally deep ones, which tilts
/// them at the edges of a body. ODE has no margin: bodies must overlap for a contact.
#include "geometry/mesh/primitive_distance.h"
#include "geometry/tolerances.h"
#include "methods/engines/engine_dilation.h"
#include "methods/engines/ode_geom.h"
#include "methods/method.h"

#include <math.h>
#include <stdbool.h>

enum { PARAM_MAX_CONTACTS, PARAM_UNIMPORTANT, PARAM_DILATION_M, PARAM_SHAPES };

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
    [PARAM_SHAPES] = ENGINE_SHAPES,
};

static ts_status envelope(ts_envelope *out, const double *values) {
  return engine_envelope(out, values[PARAM_DILATION_M], 0);
}

typedef struct pair_state {
  dGeomID geom[2];
  const ts_mesh *mesh[2];
  ts_pose pose[2];
  int flags;
  dContactGeom *contacts; ///< [max_contacts]
  ts_contact *pushed;     ///< [max_contacts]
} pair_state;

/// Of many contacts ODE says, for each that finds no room in a table of its own, that it may not be
/// merged with its neighbours. Writing that would take a third of the time that is measured; errors
/// are reported by other handlers.
static void discard(int number, const char *format, va_list arguments) {
  (void)number, (void)format, (void)arguments;
}

/// ODE counts its initialisations: one for each shape.
static ts_status prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh,
                               const double *values) {
  (void)values;
  ode_shape *s = host->alloc(host, sizeof *s);
  if (!s || !dInitODE2(0))
    return host->fail(host, TS_E_MEMORY, "ODE cannot be initialised");
  dSetMessageHandler(discard);
  ts_status status = dAllocateODEDataForThread(dAllocateFlagCollisionData)
                         ? ode_prepare_data(s, host, mesh)
                         : host->fail(host, TS_E_MEMORY, "out of memory");
  if (status == TS_OK)
    *out = s;
  else
    dCloseODE();
  return status;
}

static void release_shape(void *state) {
  if (!state)
    return;
  ode_release_data(state);
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
  size_t most = (size_t)values[PARAM_MAX_CONTACTS];
  pair_state *p = host->alloc(host, sizeof *p);
  if (!p)
    return host->fail(host, TS_E_MEMORY, "out of memory");
  (void)pair;
  p->contacts = host->alloc(host, most * sizeof *p->contacts);
  p->pushed = host->alloc(host, most * sizeof *p->pushed);
  if (!p->contacts || !p->pushed)
    return host->fail(host, TS_E_MEMORY, "out of memory");
  unsigned unimportant = values[PARAM_UNIMPORTANT] > 0 ? CONTACTS_UNIMPORTANT : 0;
  p->flags = (int)((unsigned)most | unimportant);
  for (int side = 0; side < 2; side++) {
    const ode_shape *s = side == 0 ? shape_a : shape_b;
    p->mesh[side] = s->mesh;
    p->geom[side] = ode_create_geom(s);
    if (s->triangles)
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

/// How deep a point is below the plane of a triangle.
static double depth_below(dGeomID geom, int triangle, const dReal *point) {
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
  return -along / sqrt(square);
}

/// How deep a contact is in one of its bodies; NaN where that is not known, or cannot be: beside
/// the body, or deeper than the contact.
static double depth_in(const pair_state *p, const dContactGeom *c, dGeomID geom, int triangle) {
  int side = geom == p->geom[1];
  int32_t kind = engine_kind(p->mesh[side]);
  double depth_m = (double)NAN;
  if (kind == TS_GEOMETRY_MESH || kind == TS_GEOMETRY_SURFACE) {
    if (triangle >= 0)
      depth_m = depth_below(geom, triangle, c->pos);
  } else if (ts_geometry_has_distance(kind)) {
    ts_vec3 point = ts_vec3_make(c->pos[0], c->pos[1], c->pos[2]);
    ts_vec3 local = ts_pose_point_local(p->pose[side], point);
    depth_m = -ts_geometry_nearest(p->mesh[side]->geometry, local).distance_m;
  }
  double slack_m = TS_POINT_SLACK * c->depth;
  return depth_m >= -slack_m && depth_m <= c->depth + slack_m ? depth_m : (double)NAN;
}

/// ODE's normal points into g1 and its depth is positive. Its point is on one of the bodies, the
/// depth below the other's surface, or between them; ODE does not say which, so the bodies decide.
static ts_contact turn(const pair_state *p, const dContactGeom *c) {
  double sign = c->g1 == p->geom[0] ? -1 : 1;
  double in_1 = depth_in(p, c, c->g1, c->side1), in_2 = depth_in(p, c, c->g2, c->side2);
  in_1 = isnan(in_1) ? c->depth - in_2 : in_1;
  in_2 = isnan(in_2) ? c->depth - in_1 : in_2;
  double to_middle_m = isnan(in_2) ? 0 : 0.5 * (in_2 - in_1);
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
  p->pose[0] = pair->pose_a;
  p->pose[1] = pair->pose_b;
  for (int side = 0; side < 2; side++)
    ode_place(p->geom[side], engine_kind(p->mesh[side]), p->pose[side]);
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
    .summary = "ODE's collision of triangle meshes and of its own shapes, in the world frame.",
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
    .takes = ODE_TAKES,
    .takes_if = ENGINE_SHAPES_NAME,
};

const ts_method *const *touchstone_methods(void) {
  static const ts_method *const methods[] = {&method, NULL};
  return methods;
}
