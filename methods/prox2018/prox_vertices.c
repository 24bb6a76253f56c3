// SPDX-License-Identifier: MIT
/// The methods on vertices inside tets in PROX. Whether a node that touches is in or out depends on
/// the rounding of ts_prox_planes.
///
/// vertex_only: the farthest face. Several that are equally far, as happens when all are touched,
/// make a contact each.
///
/// consistent_vertex: every edge of the node makes a contact of its own, with the first surface
/// face whose plane it crosses, whether within the face or not, and even behind another face.
#include "geometry/tolerances.h"
#include "methods/prox2018/prox_kernels.h"
#include "methods/prox2018/prox_planes.h"

#include <stdbool.h>

/// The nodes of one tet above the planes of the other.
typedef struct heights {
  ts_prox_plane planes[4];
  ts_real length[4]; ///< of their normals
  ts_real of[4][4];  ///< [node][face of the other], in lengths of the normal
} heights;

/// Whether the tet has a volume, so that it has an inside.
static bool is_solid(const ts_prox_pair *pair, int side) {
  const ts_real3 *corners = pair->corners[side], *normals = pair->normals[side];
  for (int f = 0; f < 4; f++)
    if (!(ts_real3_dot(normals[f], ts_real3_sub(corners[(f + 1) % 4], corners[f])) > 0))
      return false;
  return true;
}

/// Adds to `outside`, bit i for node i of `side`, the nodes that are surely in front of a face of
/// the other tet. False when all are in front of one.
static bool mark_outside(unsigned *outside, const ts_prox_pair *pair, int side) {
  const ts_real margin_m = (ts_real)TS_REAL_TOLERANCE(TS_PROX_MARGIN);
  const ts_real3 *nodes = pair->corners[side], *other = pair->corners[1 - side];
  for (int f = 0; f < 4; f++) {
    ts_real3 base = other[(f + 1) % 4], normal = pair->normals[1 - side][f];
    unsigned front = 0;
    for (int i = 0; i < 4; i++)
      front |= (unsigned)!(ts_real3_dot(normal, ts_real3_sub(nodes[i], base)) <= margin_m) << i;
    if (front == 15)
      return false;
    *outside |= front;
  }
  return true;
}

/// Returns the nodes of `side` that the planes of the other tet have inside, bit i for node i.
static unsigned set_heights(heights *out, const ts_prox_pair *pair, int side) {
  ts_prox_planes(out->planes, pair->corners[1 - side]);
  unsigned outside = 0;
  for (int f = 0; f < 4; f++) {
    out->length[f] = ts_real3_norm(out->planes[f].normal);
    for (int i = 0; i < 4; i++) {
      out->of[i][f] = ts_prox_height(&out->planes[f], pair->corners[side][i]);
      outside |= (unsigned)!(out->of[i][f] <= 0) << i;
    }
  }
  return ~outside & 15;
}

/// What a method does with a node of tet `side` that is inside the other: adds its contacts.
typedef void (*node_work)(ts_prox_contacts *out, const ts_prox_pair *pair, const heights *h,
                          int side, int node);

static void each_node_inside(ts_prox_contacts *out, const ts_prox_pair *pair, node_work work) {
  unsigned outside[2] = {0, 0};
  out->count = 0;
  if (!mark_outside(&outside[0], pair, 0) || !mark_outside(&outside[1], pair, 1))
    return;
  for (int side = 1; side >= 0; side--) {
    if (outside[side] == 15 || !is_solid(pair, 1 - side))
      continue;
    heights h;
    unsigned inside = set_heights(&h, pair, side);
    for (int i = 0; i < 4; i++)
      if (inside >> i & 1)
        work(out, pair, &h, side, i);
  }
}

/// The contact of a node with a face of the other tet.
static void push(ts_prox_contacts *out, const ts_prox_pair *pair, const heights *h, int side,
                 int node, int face) {
  ts_real3 outward = ts_real3_unit(h->planes[face].normal);
  ts_prox_contacts_push(out, pair->corners[side][node], side == 1 ? outward : ts_real3_neg(outward),
                        h->of[node][face] / h->length[face]);
}

static void push_farthest_faces(ts_prox_contacts *out, const ts_prox_pair *pair, const heights *h,
                                int side, int node) {
  unsigned surface = pair->surface[1 - side];
  ts_real height_m[4], lowest_m = INFINITY;
  for (int f = 0; f < 4; f++) {
    height_m[f] = h->of[node][f] / h->length[f];
    if (surface >> f & 1 && height_m[f] < lowest_m)
      lowest_m = height_m[f];
  }
  for (int f = 0; f < 4; f++)
    if (surface >> f & 1 && height_m[f] <= lowest_m)
      push(out, pair, h, side, node, f);
}

static void push_every_edge(ts_prox_contacts *out, const ts_prox_pair *pair, const heights *h,
                            int side, int i) {
  for (int j = 0; j < 4; j++) {
    int face = -1;
    ts_real first = INFINITY;
    for (int f = 0; j != i && f < 4; f++) {
      ts_real from = h->of[i][f], to = h->of[j][f];
      if (!(pair->surface[1 - side] >> f & 1) || !(from < 0 && to > 0))
        continue;
      ts_real at = from / (from - to);
      if (at < first) {
        first = at;
        face = f;
      }
    }
    if (face >= 0)
      push(out, pair, h, side, i, face);
  }
}

void ts_prox_vertex_only(ts_prox_contacts *out, const ts_prox_pair *pair) {
  each_node_inside(out, pair, push_farthest_faces);
}

void ts_prox_consistent_vertex(ts_prox_contacts *out, const ts_prox_pair *pair) {
  each_node_inside(out, pair, push_every_edge);
}
