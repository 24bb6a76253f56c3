// SPDX-License-Identifier: MIT
/// Vertices inside tets (Erleben 2018, section 6).
///
/// A node of one tet inside the other makes a contact where it is, with the normal of the closest
/// surface face and the distance to that face's plane.
///
/// profile=prox2018: methods/prox2018/prox_vertices.c.
#include "methods/tet/tet_bodies.h"
#include "methods/tet/tet_kernels.h"
#include "methods/tet/tet_nodes.h"

static void push_closest_face(ts_tet_contacts *out, const ts_tet_pair *pair,
                              const ts_tet_nodes *nodes, int side, int node, double allowance_m) {
  double distance_m[4];
  for (int f = 0; f < 4; f++)
    distance_m[f] = -nodes->height_m[node][f];
  ts_tet_nodes_push_least(out, pair, nodes, side, node, pair->surface[1 - side], distance_m,
                          allowance_m);
}

void ts_tet_vertex_only(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m) {
  out->count = 0;
  ts_tet_nodes_each(out, pair, size_m, push_closest_face);
}

TS_TET_METHOD(vertex_only, TS_TET_VERTEX_ONLY,
              "Vertices inside tets, with the normal of the closest surface face of the tet.",
              "Erleben 2018, section 6", .locality = TS_LOCALITY_LOCAL,
              .testing = TS_TESTING_VOLUME, .exactness = TS_EXACTNESS_APPROXIMATE,
              .normals = TS_NORMALS_VOLUME_ELEMENTS | TS_NORMALS_IMPLICIT_FIELD,
              .instant = TS_INSTANT_DISCRETE, .exact = TS_SUPPORT_NONE,
              .continuous = TS_SUPPORT_NONE, .deformable = TS_SUPPORT_FULL,
              .topology = TS_SUPPORT_FULL, .limits = "volume meshes only; poor on coarse ones")
