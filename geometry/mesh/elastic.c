// SPDX-License-Identifier: MIT
#include "geometry/mesh/elastic.h"

#include "base/status.h"
#include "geometry/tet.h"
#include "geometry/tolerances.h"

#include <math.h>
#include <stdlib.h>

static ts_status check_from_zero(double value, const char *key) {
  return value >= 0 && isfinite(value)
             ? TS_OK
             : ts_fail(TS_E_INPUT, "%s is %g: give a finite number, not below 0", key, value);
}

ts_status ts_elastic_check_values(const ts_elastic *elastic) {
  if (!(elastic->young_pa > 0) || !isfinite(elastic->young_pa))
    return ts_fail(TS_E_INPUT, "young_pa is %g: give a finite number above 0", elastic->young_pa);
  if (!(elastic->poisson >= 0 && elastic->poisson < 0.5))
    return ts_fail(TS_E_INPUT,
                   "poisson is %g: give a number from 0 to below 0.5, where a material has no "
                   "compliance in volume",
                   elastic->poisson);
  TS_TRY(check_from_zero(elastic->mass_damping_1_s, "mass_damping_1_s"));
  return check_from_zero(elastic->stiffness_damping_s, "stiffness_damping_s");
}

static ts_status check_tet(const ts_mesh *mesh, size_t index) {
  const uint32_t *nodes = mesh->tets[index];
  ts_vec3 corners[4];
  for (int i = 0; i < 4; i++) {
    if (nodes[i] >= mesh->vertex_count)
      return ts_fail(TS_E_INPUT, "tet %zu has node %u, but there are %zu nodes", index, nodes[i],
                     mesh->vertex_count);
    corners[i] = mesh->vertices[nodes[i]];
    if (!ts_vec3_is_finite(corners[i]))
      return ts_fail(TS_E_INPUT, "node %u is at (%g, %g, %g): give finite numbers", nodes[i],
                     corners[i].x, corners[i].y, corners[i].z);
  }
  double longest_m = 0, volume_m3 = ts_tet_volume(corners);
  for (int i = 0; i < 6; i++)
    longest_m = ts_max(longest_m, ts_vec3_distance(corners[ts_tet_edge_nodes[i][0]],
                                                   corners[ts_tet_edge_nodes[i][1]]));
  double relative = volume_m3 / (longest_m * longest_m * longest_m);
  if (relative > TS_TET_FLAT_RELATIVE)
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "tet %zu (nodes %u, %u, %u, %u) is %s: its volume is %g of its longest edge "
                 "cubed; it must be above %g",
                 index, nodes[0], nodes[1], nodes[2], nodes[3],
                 relative < -TS_TET_FLAT_RELATIVE ? "inverted" : "flat", relative,
                 TS_TET_FLAT_RELATIVE);
}

/// Needs a flag for each node, false at first.
static ts_status check_nodes(bool *is_used, const ts_mesh *mesh) {
  for (size_t t = 0; t < mesh->tet_count; t++) {
    TS_TRY(check_tet(mesh, t));
    for (int i = 0; i < 4; i++)
      is_used[mesh->tets[t][i]] = true;
  }
  for (size_t i = 0; i < mesh->vertex_count; i++)
    if (!is_used[i])
      return ts_fail(TS_E_INPUT, "node %zu is in no tet: leave it out of the mesh", i);
  return TS_OK;
}

ts_status ts_elastic_check_mesh(const ts_mesh *mesh) {
  if (mesh->tet_count == 0)
    return ts_fail(TS_E_INPUT, "the mesh has no tets, which are what deforms: give it some");
  bool *is_used = calloc(mesh->vertex_count, sizeof *is_used);
  if (!is_used)
    return ts_fail(TS_E_MEMORY, "out of memory");
  ts_status status = check_nodes(is_used, mesh);
  free(is_used);
  return status;
}

static ts_status check_listed(bool *is_clamped, const ts_elastic *elastic, size_t node_count) {
  for (size_t i = 0; i < elastic->clamped_count; i++) {
    uint32_t node = elastic->clamped[i];
    if (node >= node_count)
      return ts_fail(TS_E_INPUT, "clamped node %u does not exist: there are %zu", node, node_count);
    if (is_clamped[node])
      return ts_fail(TS_E_INPUT, "clamped node %u is listed twice", node);
    is_clamped[node] = true;
  }
  return TS_OK;
}

ts_status ts_elastic_check_clamped(const ts_elastic *elastic, size_t node_count) {
  if (!elastic->clamped)
    return TS_OK;
  if (elastic->clamped_count == 0)
    return ts_fail(TS_E_INPUT, "the list of clamped nodes is empty: leave it out");
  if (elastic->clamped_count >= node_count)
    return ts_fail(TS_E_INPUT, "%zu nodes are clamped, of %zu: leave one that can move",
                   elastic->clamped_count, node_count);
  bool *is_clamped = calloc(node_count, sizeof *is_clamped);
  if (!is_clamped)
    return ts_fail(TS_E_MEMORY, "out of memory");
  ts_status status = check_listed(is_clamped, elastic, node_count);
  free(is_clamped);
  return status;
}

ts_status ts_elastic_check(const ts_elastic *elastic, const ts_mesh *mesh) {
  TS_TRY(ts_elastic_check_values(elastic));
  TS_TRY(ts_elastic_check_mesh(mesh));
  return ts_elastic_check_clamped(elastic, mesh->vertex_count);
}
