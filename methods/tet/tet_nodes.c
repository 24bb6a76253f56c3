// SPDX-License-Identifier: MIT
#include "methods/tet/tet_nodes.h"

#include "geometry/tolerances.h"

/// Whether the tet has a volume, so that it has an inside.
static int is_solid(const ts_vec3 corners[4], const ts_vec3 normals[4]) {
  for (int f = 0; f < 4; f++)
    if (!(ts_vec3_dot(normals[f], ts_vec3_sub(corners[(f + 1) % 4], corners[f])) > 0))
      return 0;
  return 1;
}

/// Heights over the planes of the other tet, by unit normals; and which nodes are in front of a
/// plane. Returns 0 when one has all of them in front.
static int set_heights(ts_tet_nodes *out, const ts_tet_pair *pair, int side, double allowance_m) {
  const ts_vec3 *nodes = pair->corners[side], *other = pair->corners[1 - side];
  unsigned outside = 0;
  for (int f = 0; f < 4; f++) {
    ts_vec3 base = other[(f + 1) % 4], normal = pair->normals[1 - side][f];
    unsigned front = 0;
    for (int i = 0; i < 4; i++) {
      double height = ts_vec3_dot(normal, ts_vec3_sub(nodes[i], base));
      out->height_m[i][f] = height;
      front |= (unsigned)!(height <= allowance_m) << i;
    }
    if (front == 15)
      return 0;
    outside |= front;
  }
  out->inside = ~outside & 15;
  return 1;
}

/// Fills both sides; out[0] are the nodes of a in b. Returns 0, with the outputs unset, when a face
/// plane has all of the other tet in front of it, so that no node is inside.
static int find_nodes(ts_tet_nodes out[2], const ts_tet_pair *pair, double allowance_m) {
  for (int side = 0; side < 2; side++)
    if (!set_heights(&out[side], pair, side, allowance_m))
      return 0;
  for (int side = 0; side < 2; side++) {
    if (out[side].inside == 0)
      continue;
    int other = 1 - side;
    if (!is_solid(pair->corners[other], pair->normals[other]))
      out[side].inside = 0;
  }
  return 1;
}

void ts_tet_nodes_each(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m,
                       ts_tet_node_work work) {
  double allowance_m = TS_TOUCH_RELATIVE * size_m;
  ts_tet_nodes nodes[2];
  if (!find_nodes(nodes, pair, allowance_m))
    return;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 4; i++)
      if (nodes[side].inside >> i & 1)
        work(out, pair, &nodes[side], side, i, allowance_m);
}

/// `outward`: unit, of the other tet.
static void push(ts_tet_contacts *out, const ts_tet_pair *pair, int side, int node, ts_vec3 outward,
                 double gap_m) {
  if (out->count == TS_TET_CONTACTS_MAX)
    return;
  out->contacts[out->count++] = (ts_contact){.point = pair->corners[side][node],
                                             .normal = side == 1 ? outward : ts_vec3_neg(outward),
                                             .gap_m = gap_m,
                                             .area_m2 = (double)NAN};
}

void ts_tet_nodes_push(ts_tet_contacts *out, const ts_tet_pair *pair, const ts_tet_nodes *nodes,
                       int side, int node, int face) {
  push(out, pair, side, node, pair->normals[1 - side][face], nodes->height_m[node][face]);
}

/// The faces of a set whose key is at most `tie_m` from the least.
static unsigned with_least(unsigned faces, const double key_m[4], double tie_m) {
  double least_m = (double)INFINITY;
  for (int f = 0; f < 4; f++)
    if (faces >> f & 1 && key_m[f] < least_m)
      least_m = key_m[f];
  unsigned ties = 0;
  for (int f = 0; f < 4; f++)
    if (faces >> f & 1 && key_m[f] <= least_m + tie_m)
      ties |= 1u << f;
  return ties;
}

/// The faces of a set that look most towards the centre of the other tet.
static unsigned looking_most(unsigned faces, const ts_tet_pair *pair, int container, double tie_m) {
  const ts_vec3 *own = pair->corners[container], *other = pair->corners[1 - container];
  ts_vec3 towards = {0, 0, 0};
  for (int i = 0; i < 4; i++)
    towards = ts_vec3_add(towards, ts_vec3_sub(other[i], own[i]));
  double away_m[4];
  for (int f = 0; f < 4; f++)
    away_m[f] = -ts_vec3_dot(pair->normals[container][f], towards);
  return with_least(faces, away_m, tie_m);
}

void ts_tet_nodes_push_least(ts_tet_contacts *out, const ts_tet_pair *pair,
                             const ts_tet_nodes *nodes, int side, int node, unsigned candidates,
                             const double key_m[4], double tie_m) {
  unsigned faces = with_least(candidates, key_m, tie_m);
  if (faces & (faces - 1))
    faces = looking_most(faces, pair, 1 - side, tie_m);
  if (faces == 0)
    return;
  if ((faces & (faces - 1)) == 0) {
    ts_tet_nodes_push(out, pair, nodes, side, node, __builtin_ctz(faces));
    return;
  }
  ts_vec3 sum = {0, 0, 0};
  double gap_m = -(double)INFINITY;
  for (int f = 0; f < 4; f++) {
    if (!(faces >> f & 1))
      continue;
    sum = ts_vec3_add(sum, pair->normals[1 - side][f]);
    if (nodes->height_m[node][f] > gap_m)
      gap_m = nodes->height_m[node][f];
  }
  if (ts_vec3_norm(sum) > TS_PARALLEL_SINE)
    push(out, pair, side, node, ts_vec3_unit(sum), gap_m);
}
