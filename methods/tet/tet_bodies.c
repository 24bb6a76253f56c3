// SPDX-License-Identifier: MIT
#include "methods/tet/tet_bodies.h"

#include "base/arena.h"
#include "base/status.h"
#include "geometry/mesh/bvh.h"
#include "geometry/pose.h"
#include "geometry/tet_overlap_batch.h"
#include "geometry/tolerances.h"
#include "methods/contact_batch.h"
#include "methods/prox2018/prox_placement.h"

#include <string.h>

const char *const ts_profile_names[] = {"paper", "prox2018", NULL};

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

/// Two tets whose boxes are close.
typedef struct near_tets {
  uint32_t a, b;
  ts_vec3 corners_b[4]; ///< in the frame of a
} near_tets;

enum { NEAR_MAX = 64 }; ///< enough to keep all lanes busy, few enough to stay in the cache

/// A tet of b in the frame of a. A traversal comes back to the same few soon.
typedef struct placed_tet {
  uint32_t item; ///< NO_ITEM: none
  ts_vec3 corners[4];
  ts_aabb box;
} placed_tet;

enum { PLACED = 64 }; ///< tets of b that are kept, by their numbers modulo this
#define NO_ITEM UINT32_MAX

/// What a traversal for a kernel of the paper carries along.
typedef struct visitor {
  const tet_body *a, *b;
  ts_vec3 column[3], shift; ///< b to a
  double margin_m, size_m, reach_m;
  const ts_tet_kernels *kernels;
  uint32_t item_a; ///< whose box is here; NO_ITEM: none
  ts_aabb box_a;   ///< widened by the margin
  placed_tet placed[PLACED];
  size_t near_count;
  near_tets near[NEAR_MAX]; ///< [near_count], which the kernel has not seen yet
  ts_contact_batch batch;
  ts_tet_contacts found;
} visitor;

static inline ts_vec3 turn(const visitor *v, ts_vec3 p) {
  return (ts_vec3){v->column[0].x * p.x + v->column[1].x * p.y + v->column[2].x * p.z,
                   v->column[0].y * p.x + v->column[1].y * p.y + v->column[2].y * p.z,
                   v->column[0].z * p.x + v->column[1].z * p.y + v->column[2].z * p.z};
}

/// Runs the kernel on two tets.
static ts_status run(visitor *v, ts_tet_kernel kernel, const near_tets *near) {
  const surface_tet *a = &v->a->tets[near->a], *b = &v->b->tets[near->b];
  ts_tet_pair pair;
  memcpy(pair.corners[0], a->corners, sizeof a->corners);
  memcpy(pair.corners[1], near->corners_b, sizeof near->corners_b);
  memcpy(pair.normals[0], a->normals, sizeof a->normals);
  for (int i = 0; i < 4; i++)
    pair.normals[1][i] = turn(v, b->normals[i]);
  pair.tet[0] = a->index;
  pair.tet[1] = b->index;
  pair.surface[0] = a->surface;
  pair.surface[1] = b->surface;
  pair.reach_m = v->reach_m;
  v->found.count = 0;
  kernel(&v->found, &pair, v->size_m);
  for (size_t i = 0; i < v->found.count; i++)
    TS_TRY(ts_contact_batch_push(&v->batch, &v->found.contacts[i]));
  return TS_OK;
}

/// Runs the kernel on all pairs that wait for it, or on those that overlap if it has no use for
/// others.
static ts_status flush(visitor *v) {
  bool overlaps[NEAR_MAX];
  ts_tet_nodes_pair nodes[NEAR_MAX];
  ts_tet_kernel kernel = v->kernels->overlapping;
  if (kernel) {
    for (size_t i = 0; i < v->near_count; i++)
      nodes[i] = (ts_tet_nodes_pair){v->a->tets[v->near[i].a].corners, v->near[i].corners_b};
    ts_tet_tet_overlaps(overlaps, nodes, v->near_count, TS_TOUCH_RELATIVE * v->size_m);
  }
  for (size_t i = 0; i < v->near_count; i++)
    if (!kernel || overlaps[i])
      TS_TRY(run(v, kernel ? kernel : v->kernels->paper, &v->near[i]));
  v->near_count = 0;
  return TS_OK;
}

static const placed_tet *placed_tet_of(visitor *v, uint32_t item) {
  placed_tet *placed = &v->placed[item % PLACED];
  if (placed->item == item)
    return placed;
  placed->item = item;
  for (int i = 0; i < 4; i++)
    placed->corners[i] = ts_vec3_add(turn(v, v->b->tets[item].corners[i]), v->shift);
  placed->box = bounds(placed->corners);
  return placed;
}

static ts_status visit(void *context, uint32_t item_a, uint32_t item_b) {
  visitor *v = context;
  if (v->item_a != item_a) {
    v->item_a = item_a;
    v->box_a = ts_aabb_inflate(bounds(v->a->tets[item_a].corners), v->margin_m);
  }
  // Boxes around the moved tet are tighter than the moved boxes that the hierarchy tests.
  const placed_tet *placed = placed_tet_of(v, item_b);
  if (!ts_aabb_overlap(v->box_a, placed->box))
    return TS_OK;
  near_tets *near = &v->near[v->near_count];
  memcpy(near->corners_b, placed->corners, sizeof near->corners_b);
  near->a = item_a;
  near->b = item_b;
  return ++v->near_count == NEAR_MAX ? flush(v) : TS_OK;
}

/// What a traversal for a kernel of PROX carries along.
typedef struct prox_visitor {
  const tet_body *bodies[2];
  ts_prox_pose poses[2];
  ts_prox_kernel kernel;
  ts_real reach_m;
  ts_contact_batch batch;
  ts_prox_contacts found;
} prox_visitor;

static ts_vec3 widen(ts_real3 v) {
  return (ts_vec3){(double)v.x, (double)v.y, (double)v.z};
}

static ts_status visit_prox(void *context, uint32_t item_a, uint32_t item_b) {
  prox_visitor *v = context;
  const uint32_t items[2] = {item_a, item_b};
  ts_prox_pair pair;
  pair.reach_m = v->reach_m;
  for (int side = 0; side < 2; side++) {
    const surface_tet *tet = &v->bodies[side]->tets[items[side]];
    pair.surface[side] = tet->surface;
    for (int i = 0; i < 4; i++)
      pair.corners[side][i] = ts_prox_place(&v->poses[side], tet->corners[i]);
  }
  if (!ts_prox_diagonals_meet(&pair))
    return TS_OK;
  ts_prox_pair_set_normals(&pair);
  v->kernel(&v->found, &pair);
  for (size_t i = 0; i < v->found.count; i++) {
    const ts_prox_tet_contact *c = &v->found.contacts[i];
    ts_contact contact = {.point = widen(c->point),
                          .normal = widen(c->normal),
                          .gap_m = (double)c->gap_m,
                          .area_m2 = (double)NAN};
    TS_TRY(ts_contact_batch_push(&v->batch, &contact));
  }
  return TS_OK;
}

/// Rounding of the world points may bring tets closer than their boxes in double are.
static double placement_rounding_m(const ts_pair *pair) {
  double reach_m = pair->size_m;
  const ts_pose poses[2] = {pair->pose_a, pair->pose_b};
  const ts_mesh *meshes[2] = {pair->mesh_a, pair->mesh_b};
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < meshes[side]->vertex_count; i++) {
      ts_vec3 p = ts_pose_point(poses[side], meshes[side]->vertices[i]);
      reach_m = fmax(reach_m, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
    }
  return TS_PROX_PLACEMENT_ROUNDING * reach_m;
}

/// In the world, in single precision.
static ts_status generate_prox(const ts_host *host, const ts_pair *pair, const tet_body *a,
                               const tet_body *b, ts_prox_kernel kernel) {
  prox_visitor v = {.bodies = {a, b},
                    .poses = {ts_prox_pose_round(pair->pose_a), ts_prox_pose_round(pair->pose_b)},
                    .kernel = kernel,
                    .reach_m = (ts_real)pair->envelope.reach_m};
  ts_contact_batch_begin(&v.batch, host, ts_pose_identity());
  double margin_m = pair->envelope.reach_m + placement_rounding_m(pair);
  TS_TRY(ts_bvh_tandem(a->bvh, b->bvh, ts_pose_relative(pair->pose_a, pair->pose_b), margin_m,
                       visit_prox, &v));
  return ts_contact_batch_end(&v.batch);
}

/// In the frame of body a.
static ts_status generate_paper(const ts_host *host, const ts_pair *pair, const tet_body *a,
                                const tet_body *b, const ts_tet_kernels *kernels) {
  ts_pose b_to_a = ts_pose_relative(pair->pose_a, pair->pose_b);
  visitor v;
  v.a = a;
  v.b = b;
  v.column[0] = ts_quat_rotate(b_to_a.rotation, (ts_vec3){1, 0, 0});
  v.column[1] = ts_quat_rotate(b_to_a.rotation, (ts_vec3){0, 1, 0});
  v.column[2] = ts_quat_rotate(b_to_a.rotation, (ts_vec3){0, 0, 1});
  v.shift = b_to_a.translation;
  // Twice the allowance: once for what the kernel's closed tests let pass, once for the boxes.
  v.margin_m = 2 * TS_TOUCH_RELATIVE * pair->size_m + pair->envelope.reach_m;
  v.reach_m = pair->envelope.reach_m;
  v.size_m = pair->size_m;
  v.kernels = kernels;
  v.item_a = NO_ITEM;
  for (int i = 0; i < PLACED; i++)
    v.placed[i].item = NO_ITEM;
  v.near_count = 0;
  ts_contact_batch_begin(&v.batch, host, pair->pose_a);
  TS_TRY(ts_bvh_tandem(a->bvh, b->bvh, b_to_a, v.margin_m, visit, &v));
  TS_TRY(flush(&v));
  return ts_contact_batch_end(&v.batch);
}

ts_status ts_tet_bodies_generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                                 const void *shape_b, const ts_tet_kernels *kernels,
                                 const double *values) {
  if (values[0] > 0 && kernels->prox2018)
    return generate_prox(host, pair, shape_a, shape_b, kernels->prox2018);
  return generate_paper(host, pair, shape_a, shape_b, kernels);
}
