// SPDX-License-Identifier: MIT
/// Vertices inside tets, with the face through which one of their edges leaves (Erleben 2018,
/// section 6).
///
/// A node of one tet inside the other makes a contact where it is. Of its three edges, those that
/// end outside leave through a face of the other tet; when that face is on the surface, it is a
/// candidate at the distance of the crossing. The closest one gives the normal, and the distance to
/// its plane the depth. A node whose edges all stay inside, or leave through faces that have
/// another tet across, makes none.
///
/// profile=prox2018: methods/prox2018/prox_vertices.c.
#include "methods/tet/tet_bodies.h"
#include "methods/tet/tet_kernels.h"
#include "methods/tet/tet_nodes.h"

/// Lowers key_m[f] to the distance from node i to where its edge to node j crosses face f. Returns
/// the surface faces crossed.
static unsigned cross_faces(double key_m[4], const ts_tet_pair *pair, const ts_tet_nodes *nodes,
                            int side, int i, int j, double allowance_m) {
  double crossing_m[4] = {0}, first_m = (double)INFINITY;
  unsigned surface = pair->surface[1 - side], out = 0, crossed = 0;
  const ts_vec3 *corners = pair->corners[side];
  double length_m = ts_vec3_distance(corners[i], corners[j]);
  for (int f = 0; f < 4; f++) {
    double from = nodes->height_m[i][f], to = nodes->height_m[j][f];
    if (to > allowance_m) {
      out |= 1u << f;
      crossing_m[f] = from < 0 ? length_m * (from / (from - to)) : 0;
      if (crossing_m[f] < first_m)
        first_m = crossing_m[f];
    }
  }
  for (int f = 0; f < 4; f++)
    if ((surface & out) >> f & 1 && crossing_m[f] <= first_m + allowance_m) {
      crossed |= 1u << f;
      if (crossing_m[f] < key_m[f])
        key_m[f] = crossing_m[f];
    }
  return crossed;
}

static void push_closest(ts_tet_contacts *out, const ts_tet_pair *pair, const ts_tet_nodes *nodes,
                         int side, int node, double allowance_m) {
  double key_m[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
  unsigned crossed = 0;
  for (int j = 0; j < 4; j++)
    if (j != node)
      crossed |= cross_faces(key_m, pair, nodes, side, node, j, allowance_m);
  ts_tet_nodes_push_least(out, pair, nodes, side, node, crossed, key_m, allowance_m);
}

void ts_tet_consistent_vertex(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m) {
  out->count = 0;
  ts_tet_nodes_each(out, pair, size_m, push_closest);
}

TS_TET_METHOD(consistent_vertex, TS_TET_CONSISTENT_VERTEX,
              "Vertices inside tets, with the normal of the surface face that one of their edges "
              "crosses first.",
              "Erleben 2018, section 6", .locality = TS_LOCALITY_LOCAL,
              .testing = TS_TESTING_VOLUME, .exactness = TS_EXACTNESS_APPROXIMATE,
              .normals = TS_NORMALS_VOLUME_ELEMENTS, .instant = TS_INSTANT_DISCRETE,
              .exact = TS_SUPPORT_NONE, .continuous = TS_SUPPORT_NONE,
              .deformable = TS_SUPPORT_FULL, .topology = TS_SUPPORT_FULL,
              .limits = "volume meshes only; poor on coarse ones")
