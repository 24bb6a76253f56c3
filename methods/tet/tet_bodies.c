// SPDX-License-Identifier: MIT
#include "methods/tet/tet_bodies.h"

#include "base/arena.h"
#include "base/status.h"
#include "geometry/mesh/bvh.h"
#include "geometry/pose.h"
#include "geometry/tolerances.h"
#include "methods/contact_batch.h"
#include "methods/tet/single.h"
#include "methods/tet/tet_kernels.h"

#include <stdbool.h>
#include <string.h>

const ts_param ts_tet_bodies_params[TS_TET_BODIES_PARAMS] = {TS_PARAM_PROFILE};

/// A tet with a face on the surface, as a kernel wants it; local frame.
typedef struct surface_tet {
  ts_vec3 corners[4], normals[4];
  uint32_t index; ///< in the mesh
  uint8_t surface;
} surface_tet;

/// Everything lives in `arena`, the body itself too.
typedef struct tet_body {
  ts_arena *arena;
  size_t count;
  surface_tet *tets; ///< [count]
  ts_bvh *bvh;       ///< Over `tets`.
} tet_body;

static ts_aabb bounds(const ts_vec3 corners[4]) {
  ts_vec3 low =
      ts_vec3_min(ts_vec3_min(corners[0], corners[1]), ts_vec3_min(corners[2], corners[3]));
  ts_vec3 high =
      ts_vec3_max(ts_vec3_max(corners[0], corners[1]), ts_vec3_max(corners[2], corners[3]));
  return (ts_aabb){low, high};
}

/// Room for all tets is taken, since most tets of a mesh touch its surface.
static ts_status fill(tet_body *body, const ts_mesh *mesh) {
  body->tets = ts_arena_array(body->arena, mesh->tet_count, sizeof *body->tets);
  ts_aabb *boxes = ts_arena_array(body->arena, mesh->tet_count, sizeof *boxes);
  if (!body->tets || !boxes)
    return TS_E_MEMORY;
  for (size_t t = 0; t < mesh->tet_count; t++) {
    if (!mesh->tet_surface[t])
      continue;
    surface_tet *tet = &body->tets[body->count];
    tet->index = (uint32_t)t;
    tet->surface = mesh->tet_surface[t];
    for (int i = 0; i < 4; i++)
      tet->corners[i] = mesh->vertices[mesh->tets[t][i]];
    ts_tet_set_normals(tet->normals, tet->corners);
    boxes[body->count++] = bounds(tet->corners);
  }
  return ts_bvh_create(&body->bvh, body->arena, boxes, body->count);
}

ts_status ts_tet_bodies_prepare(void **out, const ts_host *host, const ts_mesh *mesh,
                                const double *values) {
  (void)host, (void)values;
  if (!mesh->tet_count)
    return ts_fail(TS_E_INPUT, "the mesh has no tetrahedra; fill it before using this method");
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  tet_body *body = ts_arena_alloc(arena, sizeof *body);
  ts_status status = TS_E_MEMORY;
  if (body) {
    body->arena = arena;
    status = fill(body, mesh);
  }
  if (status != TS_OK) {
    ts_arena_destroy(arena);
    return status;
  }
  *out = body;
  return TS_OK;
}

void ts_tet_bodies_release(void *shape) {
  if (shape)
    ts_arena_destroy(((tet_body *)shape)->arena);
}

/// What a traversal of the two hierarchies carries along.
typedef struct visitor {
  const tet_body *a, *b;
  ts_vec3 column[3], shift; ///< b to a
  double margin_m, size_m, reach_m;
  ts_tet_kernel kernel;
  ts_profile profile;
  ts_contact_batch batch;
  ts_tet_contacts found;
} visitor;

static inline ts_vec3 turn(const visitor *v, ts_vec3 p) {
  return (ts_vec3){v->column[0].x * p.x + v->column[1].x * p.y + v->column[2].x * p.z,
                   v->column[0].y * p.x + v->column[1].y * p.y + v->column[2].y * p.z,
                   v->column[0].z * p.x + v->column[1].z * p.y + v->column[2].z * p.z};
}

static ts_status visit(void *context, uint32_t item_a, uint32_t item_b) {
  visitor *v = context;
  const surface_tet *a = &v->a->tets[item_a], *b = &v->b->tets[item_b];
  ts_tet_pair pair;
  for (int i = 0; i < 4; i++)
    pair.corners[1][i] = ts_vec3_add(turn(v, b->corners[i]), v->shift);
  // Boxes around the moved tet are tighter than the moved boxes that the hierarchy tests.
  if (!ts_aabb_overlap(ts_aabb_inflate(bounds(a->corners), v->margin_m), bounds(pair.corners[1])))
    return TS_OK;
  memcpy(pair.corners[0], a->corners, sizeof a->corners);
  memcpy(pair.normals[0], a->normals, sizeof a->normals);
  for (int i = 0; i < 4; i++)
    pair.normals[1][i] = turn(v, b->normals[i]);
  pair.tet[0] = a->index;
  pair.tet[1] = b->index;
  pair.surface[0] = a->surface;
  pair.surface[1] = b->surface;
  pair.reach_m = v->reach_m;
  v->found.count = 0;
  v->kernel(&v->found, &pair, v->profile, v->size_m);
  for (size_t i = 0; i < v->found.count; i++)
    TS_TRY(ts_contact_batch_push(&v->batch, &v->found.contacts[i]));
  return TS_OK;
}

/// The kernels that PROX's profile runs in single precision, and what does.
static const struct twin {
  ts_tet_kernel kernel;
  ts_single_kernel single;
} twins[] = {
    {ts_tet_closest_points, ts_single_closest_points},
    {ts_tet_intersection, ts_single_intersection},
    {ts_tet_vertex_only, ts_single_vertex_only},
    {ts_tet_consistent_vertex, ts_single_consistent_vertex},
    {ts_tet_volume_sat, ts_single_volume_sat},
    {ts_tet_surface_sat, ts_single_surface_sat},
    {ts_tet_opposing, ts_single_opposing},
    {ts_tet_growth, ts_single_growth},
};

static ts_single_kernel find_twin(ts_tet_kernel kernel) {
  for (size_t i = 0; i < sizeof twins / sizeof *twins; i++)
    if (twins[i].kernel == kernel)
      return twins[i].single;
  return NULL;
}

typedef struct single_pose {
  float w, axis[3], translation[3];
} single_pose;

static single_pose round_pose(ts_pose pose) {
  ts_quat q = pose.rotation;
  ts_vec3 t = pose.translation;
  return (single_pose){
      (float)q.w, {(float)q.x, (float)q.y, (float)q.z}, {(float)t.x, (float)t.y, (float)t.z}};
}

/// Component i of the cross product.
static inline float cross(const float a[3], const float b[3], int i) {
  int j = (i + 1) % 3, k = (i + 2) % 3;
  return a[j] * b[k] - a[k] * b[j];
}

/// The world point as PROX rounds it: the vector part of (q p) conjugate(q), product by product,
/// then the translation.
static void place_node(float out[3], const single_pose *pose, ts_vec3 local) {
  const float p[3] = {(float)local.x, (float)local.y, (float)local.z}, *q = pose->axis;
  float half[3];
  float real = -(q[0] * p[0] + q[1] * p[1] + q[2] * p[2]);
  for (int i = 0; i < 3; i++)
    half[i] = cross(q, p, i) + p[i] * pose->w;
  const float back[3] = {-q[0], -q[1], -q[2]};
  for (int i = 0; i < 3; i++)
    out[i] = ((real * back[i] + half[i] * pose->w) + cross(half, back, i)) + pose->translation[i];
}

/// PROX looks only at tets whose extents along the four diagonals of a cube meet: not farther, even
/// where a method wants features that are apart.
static bool diagonals_meet(const ts_single_pair *pair) {
  static const float directions[4][3] = {{1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};
  const float component = 0.57735026F; // 1 / sqrt 3
  for (int d = 0; d < 4; d++) {
    float low[2], high[2];
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < 4; i++) {
        const float *p = pair->corners[side][i], *n = directions[d];
        float at = component * n[0] * p[0] + component * n[1] * p[1] + component * n[2] * p[2];
        low[side] = i == 0 || at < low[side] ? at : low[side];
        high[side] = i == 0 || at > high[side] ? at : high[side];
      }
    if (high[0] < low[1] || high[1] < low[0])
      return false;
  }
  return true;
}

/// What a traversal for a kernel in single precision carries along.
typedef struct single_visitor {
  const tet_body *bodies[2];
  single_pose poses[2];
  ts_single_kernel kernel;
  float reach_m;
  ts_contact_batch batch;
  ts_single_contacts found;
} single_visitor;

static ts_status visit_single(void *context, uint32_t item_a, uint32_t item_b) {
  single_visitor *v = context;
  const uint32_t items[2] = {item_a, item_b};
  ts_single_pair pair = {.reach_m = v->reach_m};
  for (int side = 0; side < 2; side++) {
    const surface_tet *tet = &v->bodies[side]->tets[items[side]];
    pair.tet[side] = tet->index;
    pair.surface[side] = tet->surface;
    for (int i = 0; i < 4; i++)
      place_node(pair.corners[side][i], &v->poses[side], tet->corners[i]);
  }
  if (!diagonals_meet(&pair))
    return TS_OK;
  v->kernel(&v->found, &pair);
  for (size_t i = 0; i < v->found.count; i++) {
    const float *p = v->found.contacts[i].point, *n = v->found.contacts[i].normal;
    ts_contact contact = {.point = {(double)p[0], (double)p[1], (double)p[2]},
                          .normal = {(double)n[0], (double)n[1], (double)n[2]},
                          .gap_m = (double)v->found.contacts[i].gap_m,
                          .area_m2 = (double)NAN};
    TS_TRY(ts_contact_batch_push(&v->batch, &contact));
  }
  return TS_OK;
}

/// Rounding of the world points may bring tets closer than their boxes in double are.
static double single_rounding_m(const ts_pair *pair) {
  double reach_m = pair->size_m;
  const ts_pose poses[2] = {pair->pose_a, pair->pose_b};
  const ts_mesh *meshes[2] = {pair->mesh_a, pair->mesh_b};
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < meshes[side]->vertex_count; i++) {
      ts_vec3 p = ts_pose_point(poses[side], meshes[side]->vertices[i]);
      reach_m = fmax(reach_m, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
    }
  return TS_SINGLE_ROUNDING * reach_m;
}

/// In the world, in single precision.
static ts_status generate_single(const ts_host *host, const ts_pair *pair, const tet_body *a,
                                 const tet_body *b, ts_single_kernel kernel) {
  single_visitor v = {.bodies = {a, b},
                      .poses = {round_pose(pair->pose_a), round_pose(pair->pose_b)},
                      .kernel = kernel,
                      .reach_m = (float)pair->envelope.reach_m};
  ts_contact_batch_begin(&v.batch, host, ts_pose_identity());
  double margin_m = pair->envelope.reach_m + single_rounding_m(pair);
  TS_TRY(ts_bvh_tandem(a->bvh, b->bvh, ts_pose_relative(pair->pose_a, pair->pose_b), margin_m,
                       visit_single, &v));
  return ts_contact_batch_end(&v.batch);
}

ts_status ts_tet_bodies_generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                                 const void *shape_b, ts_tet_kernel kernel, const double *values) {
  ts_profile profile = values[0] > 0 ? TS_PROFILE_PROX2018 : TS_PROFILE_PAPER;
  ts_single_kernel single = find_twin(kernel);
  if (profile == TS_PROFILE_PROX2018 && single)
    return generate_single(host, pair, shape_a, shape_b, single);
  ts_pose b_to_a = ts_pose_relative(pair->pose_a, pair->pose_b);
  visitor v;
  v.a = shape_a;
  v.b = shape_b;
  v.column[0] = ts_quat_rotate(b_to_a.rotation, (ts_vec3){1, 0, 0});
  v.column[1] = ts_quat_rotate(b_to_a.rotation, (ts_vec3){0, 1, 0});
  v.column[2] = ts_quat_rotate(b_to_a.rotation, (ts_vec3){0, 0, 1});
  v.shift = b_to_a.translation;
  // Twice the allowance: once for what the kernel's closed tests let pass, once for the boxes.
  v.margin_m = 2 * TS_TOUCH_RELATIVE * pair->size_m + pair->envelope.reach_m;
  v.reach_m = pair->envelope.reach_m;
  v.size_m = pair->size_m;
  v.kernel = kernel;
  v.profile = profile;
  ts_contact_batch_begin(&v.batch, host, pair->pose_a);
  TS_TRY(ts_bvh_tandem(v.a->bvh, v.b->bvh, b_to_a, v.margin_m, visit, &v));
  return ts_contact_batch_end(&v.batch);
}
