// SPDX-License-Identifier: MIT
#include "methods/pressure/pressure_patch.h"

#include "base/array.h"
#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "geometry/tolerances.h"

/// One of the two bodies, and the tet of it that was placed last: a traversal comes back to it.
typedef struct side {
  const ts_pressure_body *body;
  ts_pose to_frame;
  uint32_t item; ///< UINT32_MAX: none
  bool is_solid; ///< not flat
  ts_placed_tet placed;
} side;

typedef struct visitor {
  ts_pressure_patch *patch;
  side sides[2]; ///< a, b
  int rigid;     ///< index of the rigid one; not used where both are soft
  double size_m;
} visitor;

static const ts_placed_tet *place(side *s, uint32_t item) {
  if (item != s->item) {
    s->item = item;
    s->is_solid = ts_pressure_place(&s->placed, &s->body->tets[item], s->to_frame);
  }
  return s->is_solid ? &s->placed : NULL;
}

static ts_status add(ts_pressure_patch *patch, const ts_pressure_cut *cut) {
  TS_TRY(TS_ARENA_GROW(patch->cuts, patch->capacity, patch->count, 1, patch->arena));
  patch->cuts[patch->count++] = *cut;
  return TS_OK;
}

static ts_status visit_tets(void *context, uint32_t item_a, uint32_t item_b) {
  visitor *v = context;
  const ts_placed_tet *a = place(&v->sides[0], item_a), *b = place(&v->sides[1], item_b);
  ts_pressure_cut cut;
  if (!a || !b || !ts_pressure_cut_tets(&cut, a, b, v->size_m))
    return TS_OK;
  return add(v->patch, &cut);
}

static ts_status visit_triangle(visitor *v, uint32_t triangle, uint32_t tet) {
  const side *rigid = &v->sides[v->rigid];
  const ts_placed_tet *soft = place(&v->sides[1 - v->rigid], tet);
  const ts_mesh *mesh = rigid->body->mesh;
  ts_vec3 corners[3];
  for (int i = 0; i < 3; i++)
    corners[i] = ts_pose_point(rigid->to_frame, mesh->vertices[mesh->triangles[triangle][i]]);
  ts_vec3 normal = ts_pose_direction(rigid->to_frame, ts_mesh_face_normal(mesh, triangle));
  ts_pressure_cut cut;
  if (!soft || !ts_pressure_cut_triangle(&cut, corners, normal, soft, v->size_m))
    return TS_OK;
  if (v->rigid == TS_PRESSURE_RIGID_B)
    cut.normal = ts_vec3_neg(cut.normal);
  return add(v->patch, &cut);
}

static ts_status visit_rigid_a(void *context, uint32_t item_a, uint32_t item_b) {
  return visit_triangle(context, item_a, item_b);
}

static ts_status visit_rigid_b(void *context, uint32_t item_a, uint32_t item_b) {
  return visit_triangle(context, item_b, item_a);
}

ts_status ts_pressure_patch_find(ts_pressure_patch *out, const ts_pressure_body *a,
                                 const ts_pressure_body *b, ts_pose b_to_a, ts_pressure_rigid rigid,
                                 double size_m) {
  visitor v = {.patch = out,
               .sides = {{.body = a, .to_frame = ts_pose_identity(), .item = UINT32_MAX},
                         {.body = b, .to_frame = b_to_a, .item = UINT32_MAX}},
               .rigid = rigid,
               .size_m = size_m};
  bool is_a = rigid == TS_PRESSURE_RIGID_A, is_b = rigid == TS_PRESSURE_RIGID_B;
  return ts_bvh_tandem(is_a ? a->triangle_bvh : a->tet_bvh, is_b ? b->triangle_bvh : b->tet_bvh,
                       b_to_a, TS_TOUCH_RELATIVE * size_m,
                       is_a   ? visit_rigid_a
                       : is_b ? visit_rigid_b
                              : visit_tets,
                       &v);
}

void ts_pressure_patch_drop_small(ts_pressure_patch *patch, double relative) {
  double largest_m2 = 0;
  for (size_t i = 0; i < patch->count; i++)
    largest_m2 = ts_max(largest_m2, patch->cuts[i].area_m2);
  size_t kept = 0;
  for (size_t i = 0; i < patch->count; i++)
    if (patch->cuts[i].area_m2 >= relative * largest_m2)
      patch->cuts[kept++] = patch->cuts[i];
  patch->count = kept;
}

ts_vec3 ts_pressure_cut_centre(const ts_pressure_cut *cut) {
  ts_vec3 from = cut->corners[0], sum = {0, 0, 0};
  double total = 0;
  for (int i = 1; i + 1 < cut->count; i++) {
    ts_vec3 first = ts_vec3_sub(cut->corners[i], from);
    ts_vec3 next = ts_vec3_sub(cut->corners[i + 1], from);
    double area = ts_vec3_norm(ts_vec3_cross(first, next));
    sum = ts_vec3_add_scaled(sum, area / 3, ts_vec3_add(first, next));
    total += area;
  }
  return ts_vec3_add_scaled(from, 1 / total, sum);
}
