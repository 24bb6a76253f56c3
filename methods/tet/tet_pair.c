// SPDX-License-Identifier: MIT
#include "methods/tet/tet_pair.h"

#include "geometry/tet.h"
#include "geometry/tolerances.h"

void ts_tet_set_normals(ts_vec3 out[4], const ts_vec3 node[4]) {
  ts_vec3 e1 = ts_vec3_sub(node[1], node[0]);
  ts_vec3 e2 = ts_vec3_sub(node[2], node[0]);
  ts_vec3 e3 = ts_vec3_sub(node[3], node[0]);
  double outward = ts_vec3_dot(ts_vec3_cross(e1, e2), e3) < 0 ? -1 : 1;
  for (int f = 0; f < 4; f++) {
    ts_vec3 first = node[ts_tet_face_nodes[f][0]];
    ts_vec3 n = ts_vec3_cross(ts_vec3_sub(node[ts_tet_face_nodes[f][1]], first),
                              ts_vec3_sub(node[ts_tet_face_nodes[f][2]], first));
    out[f] = ts_vec3_scale(ts_vec3_unit(n), outward);
  }
}

void ts_tet_pair_set_normals(ts_tet_pair *pair) {
  ts_tet_set_normals(pair->normals[0], pair->corners[0]);
  ts_tet_set_normals(pair->normals[1], pair->corners[1]);
}

bool ts_tet_pair_overlaps(const ts_tet_pair *pair, double size_m) {
  return ts_tet_tet_overlap(pair->corners[0], pair->corners[1], TS_TOUCH_RELATIVE * size_m) != 0;
}
