// SPDX-License-Identifier: MIT
#include "geometry/mesh/motion_oracle.h"

#include "base/status.h"
#include "geometry/mesh/bvh.h"
#include "geometry/tet.h"
#include "geometry/tolerances.h"

#include <stdlib.h>

typedef struct tet {
  ts_vec3 node[4];
} tet;

typedef struct tet_pair {
  uint32_t a, b;
} tet_pair;

// Everything is in the frame of the twists and in units of its length.
struct ts_motion_oracle {
  const tet *a, *b;
  tet_pair *pairs; // [pair_count], sorted by b, then a
  size_t pair_count;
};

typedef struct body_tets {
  tet *tets;      // [count]
  ts_aabb *boxes; // [count], grown by how far a unit twist moves them
  size_t count;
} body_tets;

static ts_aabb tet_box(const tet *t) {
  ts_aabb box = ts_aabb_empty();
  for (int i = 0; i < 4; i++)
    box = ts_aabb_add(box, t->node[i]);
  return box;
}

/// No node of a tet moves farther than the step times one plus its distance from the centre.
static double reach_of(const tet *t) {
  double farthest = 0;
  for (int i = 0; i < 4; i++)
    farthest = ts_max(ts_vec3_norm(t->node[i]), farthest);
  return TS_ORACLE_STEP * (1 + farthest);
}

static ts_status place_tets(body_tets *out, ts_arena *arena, const ts_twist_frame *frame,
                            const ts_mesh *mesh, ts_pose pose, bool moves) {
  if (mesh->tet_count == 0)
    return ts_fail(TS_E_INPUT, "the motion oracle needs tetrahedra; fill the mesh first");
  out->count = mesh->tet_count;
  out->tets = ts_arena_array(arena, out->count, sizeof *out->tets);
  out->boxes = ts_arena_array(arena, out->count, sizeof *out->boxes);
  if (!out->tets || !out->boxes)
    return TS_E_MEMORY;
  // The two centres first, so that bodies far from the origin lose nothing but what poses have
  // lost.
  ts_quat to_frame = ts_quat_conjugate(frame->axes);
  ts_pose placed = {ts_quat_mul(to_frame, pose.rotation),
                    ts_quat_rotate(to_frame, ts_vec3_sub(pose.translation, frame->centre))};
  for (size_t t = 0; t < out->count; t++) {
    for (int i = 0; i < 4; i++) {
      ts_vec3 p = ts_pose_point(placed, mesh->vertices[mesh->tets[t][i]]);
      out->tets[t].node[i] = ts_vec3_scale(p, 1 / frame->length_m);
      if (!ts_vec3_is_finite(out->tets[t].node[i]))
        return ts_fail(TS_E_INPUT, "node %d of tet %zu is not finite at the pose of the body", i,
                       t);
    }
    out->boxes[t] = ts_aabb_inflate(tet_box(&out->tets[t]), moves ? reach_of(&out->tets[t]) : 0);
  }
  return TS_OK;
}

static ts_status count_pair(void *context, uint32_t a, uint32_t b) {
  (void)a;
  (void)b;
  ++*(size_t *)context;
  return TS_OK;
}

static ts_status keep_pair(void *context, uint32_t a, uint32_t b) {
  ts_motion_oracle *oracle = context;
  oracle->pairs[oracle->pair_count++] = (tet_pair){a, b};
  return TS_OK;
}

static int compare_tet_pairs(const void *left, const void *right) {
  const tet_pair *l = left, *r = right;
  if (l->b != r->b)
    return l->b < r->b ? -1 : 1;
  return (l->a > r->a) - (l->a < r->a);
}

static ts_status find_pairs(ts_motion_oracle *oracle, ts_arena *arena, const body_tets *a,
                            const body_tets *b) {
  ts_bvh *tree_a, *tree_b;
  TS_TRY(ts_bvh_create(&tree_a, arena, a->boxes, a->count));
  TS_TRY(ts_bvh_create(&tree_b, arena, b->boxes, b->count));
  size_t count = 0;
  TS_TRY(ts_bvh_tandem(tree_a, tree_b, ts_pose_identity(), 0, count_pair, &count));
  oracle->pairs = ts_arena_array(arena, count, sizeof *oracle->pairs);
  if (!oracle->pairs)
    return TS_E_MEMORY;
  TS_TRY(ts_bvh_tandem(tree_a, tree_b, ts_pose_identity(), 0, keep_pair, oracle));
  qsort(oracle->pairs, oracle->pair_count, sizeof *oracle->pairs, compare_tet_pairs);
  return TS_OK;
}

ts_status ts_motion_oracle_create(ts_motion_oracle **out, ts_arena *arena,
                                  const ts_twist_frame *frame, const ts_mesh *a, ts_pose pose_a,
                                  const ts_mesh *b, ts_pose pose_b) {
  body_tets placed_a, placed_b;
  TS_TRY(place_tets(&placed_a, arena, frame, a, pose_a, false));
  TS_TRY(place_tets(&placed_b, arena, frame, b, pose_b, true));
  ts_motion_oracle *oracle = ts_arena_alloc(arena, sizeof *oracle);
  if (!oracle)
    return TS_E_MEMORY;
  *oracle = (ts_motion_oracle){.a = placed_a.tets, .b = placed_b.tets};
  TS_TRY(find_pairs(oracle, arena, &placed_a, &placed_b));
  *out = oracle;
  return TS_OK;
}

size_t ts_motion_oracle_tet_pairs(const ts_motion_oracle *oracle) {
  return oracle->pair_count;
}

/// How far b has to move along n, or against it, to be clear of a; infinite when n is zero.
static double clearance(ts_vec3 n, const tet *a, const tet *b) {
  double norm = ts_vec3_norm(n);
  if (!(norm > 0))
    return INFINITY;
  double low_a = INFINITY, low_b = INFINITY, high_a = -INFINITY, high_b = -INFINITY;
  for (int i = 0; i < 4; i++) {
    double at_a = ts_vec3_dot(n, a->node[i]), at_b = ts_vec3_dot(n, b->node[i]);
    low_a = ts_min(at_a, low_a);
    high_a = ts_max(at_a, high_a);
    low_b = ts_min(at_b, low_b);
    high_b = ts_max(at_b, high_b);
  }
  return ts_min(high_a - low_b, high_b - low_a) / norm;
}

static ts_vec3 face_axis(const tet *t, int face) {
  ts_vec3 base = t->node[(face + 1) % 4];
  return ts_vec3_cross(ts_vec3_sub(t->node[(face + 2) % 4], base),
                       ts_vec3_sub(t->node[(face + 3) % 4], base));
}

static ts_vec3 edge_of(const tet *t, int edge) {
  return ts_vec3_sub(t->node[ts_tet_edge_nodes[edge][1]], t->node[ts_tet_edge_nodes[edge][0]]);
}

/// The larger of `deepest` and the minimum overlap of two tets over all axes: as soon as one of
/// them has no more than `deepest`, the others do not matter.
static double deeper(double deepest, const tet *a, const tet *b) {
  double smallest = INFINITY;
  for (int f = 0; f < 8; f++) {
    const tet *t = f < 4 ? a : b;
    smallest = ts_min(clearance(face_axis(t, f % 4), a, b), smallest);
    if (smallest <= deepest)
      return deepest;
  }
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 6; k++) {
      smallest = ts_min(clearance(ts_vec3_cross(edge_of(a, i), edge_of(b, k)), a, b), smallest);
      if (smallest <= deepest)
        return deepest;
    }
  return smallest;
}

/// exp(step w) p + step v
static ts_pose step_pose(const double twist[6], double step) {
  ts_vec3 v = {twist[0], twist[1], twist[2]}, w = {twist[3], twist[4], twist[5]};
  ts_pose pose = {ts_quat_identity(), ts_vec3_scale(v, step)};
  double spin = ts_vec3_norm(w);
  if (spin > 0)
    pose.rotation = ts_quat_from_axis_angle(ts_vec3_scale(w, 1 / spin), step * spin);
  return pose;
}

double ts_motion_oracle_depth_at(const ts_motion_oracle *oracle, const double twist[6], double step,
                                 double enough) {
  ts_pose moves = step_pose(twist, step);
  double deepest = 0;
  tet moved = {0};
  ts_aabb box = ts_aabb_empty();
  uint32_t moved_index = UINT32_MAX;
  for (size_t i = 0; i < oracle->pair_count && deepest / step <= enough; i++) {
    tet_pair pair = oracle->pairs[i];
    if (pair.b != moved_index) {
      moved_index = pair.b;
      for (int k = 0; k < 4; k++)
        moved.node[k] = ts_pose_point(moves, oracle->b[pair.b].node[k]);
      box = tet_box(&moved);
    }
    if (ts_aabb_overlap(tet_box(&oracle->a[pair.a]), box))
      deepest = deeper(deepest, &oracle->a[pair.a], &moved);
  }
  return deepest / step;
}

double ts_motion_oracle_depth(const ts_motion_oracle *oracle, const double twist[6]) {
  return ts_motion_oracle_depth_at(oracle, twist, TS_ORACLE_STEP, INFINITY);
}

ts_motion ts_motion_of_depth(double depth) {
  return depth < TS_ORACLE_FREE      ? TS_MOTION_FREE
         : depth > TS_ORACLE_BLOCKED ? TS_MOTION_BLOCKED
                                     : TS_MOTION_UNDECIDED;
}

ts_motion ts_motion_oracle_ask(const ts_motion_oracle *oracle, const double twist[6]) {
  return ts_motion_of_depth(
      ts_motion_oracle_depth_at(oracle, twist, TS_ORACLE_STEP, TS_ORACLE_BLOCKED));
}
