// SPDX-License-Identifier: MIT
#include "methods/prox2018/prox_pair.h"

#include "geometry/tet.h"

static void set_normals(ts_real3 out[4], const ts_real3 node[4]) {
  ts_real3 e1 = ts_real3_sub(node[1], node[0]);
  ts_real3 e2 = ts_real3_sub(node[2], node[0]);
  ts_real3 e3 = ts_real3_sub(node[3], node[0]);
  ts_real outward = ts_real3_dot(ts_real3_cross(e1, e2), e3) < 0 ? -1 : 1;
  for (int f = 0; f < 4; f++) {
    const int *k = ts_tet_face_nodes[f];
    ts_real3 n =
        ts_real3_cross(ts_real3_sub(node[k[1]], node[k[0]]), ts_real3_sub(node[k[2]], node[k[0]]));
    out[f] = ts_real3_scale(ts_real3_unit(n), outward);
  }
}

void ts_prox_pair_set_normals(ts_prox_pair *pair) {
  set_normals(pair->normals[0], pair->corners[0]);
  set_normals(pair->normals[1], pair->corners[1]);
}

ts_real ts_prox_pair_reach(const ts_prox_pair *pair) {
  ts_real of[2];
  for (int side = 0; side < 2; side++) {
    const ts_real3 *p = pair->corners[side];
    of[side] = ts_real_max(ts_real_max(ts_real3_reach(p[0]), ts_real3_reach(p[1])),
                           ts_real_max(ts_real3_reach(p[2]), ts_real3_reach(p[3])));
  }
  return ts_real_max(of[0], of[1]);
}
