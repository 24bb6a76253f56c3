// SPDX-License-Identifier: MIT
#include "methods/prox2018/prox_planes.h"

#include "geometry/tolerances.h"

const int ts_prox_face_nodes[4][3] = {{3, 2, 1}, {2, 3, 0}, {3, 1, 0}, {1, 2, 0}};

ts_real ts_prox_height_rounding(ts_real reach_m) {
  double reach = (double)reach_m;
  return (ts_real)(200 * TS_REAL_TOLERANCE(TS_PROX_ROUNDING) * reach * reach * reach);
}

static ts_prox_plane face_plane(const ts_real3 node[4], int f) {
  const int *k = ts_prox_face_nodes[f];
  ts_real3 edge[3];
  for (int i = 0; i < 3; i++)
    edge[i] = ts_real3_sub(node[k[(i + 1) % 3]], node[k[i]]);
  ts_prox_plane plane = {.normal = {0, 0, 0}};
  ts_real longest = -1;
  for (int i = 0; i < 3; i++) {
    ts_real3 n = ts_real3_cross(edge[(i + 2) % 3], edge[i]);
    ts_real length2 = ts_real3_norm2(n);
    if (length2 > longest) {
      longest = length2;
      plane = (ts_prox_plane){node[k[i]], n};
    }
  }
  if (ts_prox_height(&plane, node[f]) > 0)
    plane.normal = ts_real3_neg(plane.normal);
  return plane;
}

void ts_prox_planes(ts_prox_plane out[4], const ts_real3 node[4]) {
  for (int f = 0; f < 4; f++)
    out[f] = face_plane(node, f);
}

void ts_prox_pair_planes_set(ts_prox_pair_planes *out, const ts_prox_pair *pair) {
  ts_prox_planes(out->of[0], pair->corners[0]);
  ts_prox_planes(out->of[1], pair->corners[1]);
}
