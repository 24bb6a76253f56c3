// SPDX-License-Identifier: MIT
#include "geometry/mesh/elastic.h"

#include "base/status.h"
#include "geometry/tet.h"
#include "geometry/tolerances.h"

#include <math.h>
#include <stdlib.h>

static ts_status check_from_zero(const char *name, double value) {
  if (value >= 0 && isfinite(value))
    return TS_OK;
  return ts_fail(TS_E_INPUT, "%s is %g; give a number of 0 or more", name, value);
}

ts_status ts_elastic_check_values(const ts_elastic *elastic) {
  if (!(elastic->young_pa > 0) || !isfinite(elastic->young_pa))
    return ts_fail(TS_E_INPUT, "young_pa is %g; give Young's modulus, a number above 0",
                   elastic->young_pa);
  if (!(elastic->poisson >= 0 && elastic->poisson < 0.5))
    return ts_fail(TS_E_INPUT,
                   "poisson is %g; give Poisson's ratio from 0 to below 0.5, at which a material "
                   "keeps its volume and has no stiffness matrix",
                   elastic->poisson);
  TS_TRY(check_from_zero("mass_damping_1_s", elastic->mass_damping_1_s));
  return check_from_zero("stiffness_damping_s", elastic->stiffness_damping_s);
}

/// Smallest height of a tet over its longest edge, with the sign of its volume; NaN when all its
/// nodes are at one place.
static double flatness(const ts_vec3 p[4]) {
  double longest_m = 0, twice_area_m2 = 0;
  for (int e = 0; e < 6; e++)
    longest_m =
        ts_max(longest_m, ts_vec3_distance(p[ts_tet_edge_nodes[e][0]], p[ts_tet_edge_nodes[e][1]]));
  for (int f = 0; f < 4; f++) {
    const int *v = ts_tet_face_nodes[f];
    ts_vec3 cross = ts_vec3_cross(ts_vec3_sub(p[v[1]], p[v[0]]), ts_vec3_sub(p[v[2]], p[v[0]]));
    twice_area_m2 = ts_max(twice_area_m2, ts_vec3_norm(cross));
  }
  return 6 * ts_tet_volume(p) / twice_area_m2 / longest_m;
}

static ts_status check_tet(const ts_mesh *mesh, size_t tet) {
  const uint32_t *v = mesh->tets[tet];
  ts_vec3 p[4];
  for (int i = 0; i < 4; i++)
    p[i] = mesh->vertices[v[i]];
  double flat = flatness(p);
  if (flat >= TS_TET_FLAT_RELATIVE)
    return TS_OK;
  if (flat <= -TS_TET_FLAT_RELATIVE)
    return ts_fail(TS_E_INPUT, "tet %zu (nodes %u, %u, %u, %u) is inverted: swap two of its nodes",
                   tet, v[0], v[1], v[2], v[3]);
  return ts_fail(TS_E_INPUT,
                 "tet %zu (nodes %u, %u, %u, %u) is flat, its smallest height %.3g of its longest "
                 "edge: an element needs %g or more; give other tets",
                 tet, v[0], v[1], v[2], v[3], fabs(flat), TS_TET_FLAT_RELATIVE);
}

ts_status ts_elastic_check_mesh(const ts_mesh *mesh) {
  if (mesh->tet_count == 0)
    return ts_fail(TS_E_INPUT, "the mesh has no tets, which are the elements of a deformable body");
  for (size_t t = 0; t < mesh->tet_count; t++)
    TS_TRY(check_tet(mesh, t));
  bool *is_used = calloc(mesh->vertex_count, sizeof *is_used);
  if (!is_used)
    return ts_fail(TS_E_MEMORY, "out of memory");
  for (size_t t = 0; t < mesh->tet_count; t++)
    for (int i = 0; i < 4; i++)
      is_used[mesh->tets[t][i]] = true;
  size_t node = 0;
  while (node < mesh->vertex_count && is_used[node])
    node++;
  free(is_used);
  return node == mesh->vertex_count
             ? TS_OK
             : ts_fail(TS_E_INPUT, "vertex %zu is in no tet, so that nothing holds it: remove it",
                       node);
}

ts_status ts_elastic_check_clamped(const ts_elastic *elastic, size_t node_count) {
  if (!elastic->clamped)
    return TS_OK;
  if (elastic->clamped_count == 0)
    return ts_fail(TS_E_INPUT, "clamped holds no node; leave it out of a body that nothing holds");
  bool *is_clamped = calloc(node_count, sizeof *is_clamped);
  if (!is_clamped)
    return ts_fail(TS_E_MEMORY, "out of memory");
  ts_status status = TS_OK;
  for (size_t i = 0; status == TS_OK && i < elastic->clamped_count; i++) {
    uint32_t node = elastic->clamped[i];
    if (node >= node_count)
      status = ts_fail(TS_E_INPUT, "clamped has node %u, and there are %zu, counted from 0", node,
                       node_count);
    else if (is_clamped[node])
      status = ts_fail(TS_E_INPUT, "clamped has node %u twice", node);
    else
      is_clamped[node] = true;
  }
  free(is_clamped);
  TS_TRY(status);
  if (elastic->clamped_count < node_count)
    return TS_OK;
  return ts_fail(TS_E_INPUT, "clamped holds all %zu nodes; make the body fixed and rigid instead",
                 node_count);
}

ts_status ts_elastic_check(const ts_elastic *elastic, const ts_mesh *mesh) {
  TS_TRY(ts_elastic_check_values(elastic));
  TS_TRY(ts_elastic_check_mesh(mesh));
  return ts_elastic_check_clamped(elastic, mesh->vertex_count);
}
