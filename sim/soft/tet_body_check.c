// SPDX-License-Identifier: MIT
#include "sim/soft/tet_body_check.h"

#include "base/status.h"
#include "geometry/tet.h"
#include "geometry/tolerances.h"

#include <math.h>
#include <stdlib.h>

const char *ts_tet_body_name(const ts_body *body) {
  return body->name ? body->name : "unnamed";
}

static ts_status check_from_zero(const ts_body *body, double value, const char *key) {
  return value >= 0 && isfinite(value)
             ? TS_OK
             : ts_fail(TS_E_INPUT, "body \"%s\": %s is %g: give a finite number, not below 0",
                       ts_tet_body_name(body), key, value);
}

static ts_status check_above_zero(const ts_body *body, double value, const char *key) {
  return value > 0 && isfinite(value)
             ? TS_OK
             : ts_fail(TS_E_INPUT, "body \"%s\": %s is %g: give a finite number above 0",
                       ts_tet_body_name(body), key, value);
}

static ts_status check_state(const ts_body *body) {
  const ts_quat *q = &body->pose.rotation;
  double norm = sqrt(q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z);
  if (!(fabs(norm - 1) <= TS_UNIT_NORMAL) || !ts_vec3_is_finite(body->pose.translation))
    return ts_fail(TS_E_INPUT,
                   "body \"%s\" has the rotation (%g, %g, %g, %g) and the translation (%g, %g, "
                   "%g): give a unit quaternion and finite numbers",
                   ts_tet_body_name(body), q->w, q->x, q->y, q->z, body->pose.translation.x,
                   body->pose.translation.y, body->pose.translation.z);
  if (!ts_vec3_is_finite(body->twist.linear_m_s) || !ts_vec3_is_finite(body->twist.angular_rad_s))
    return ts_fail(TS_E_INPUT, "body \"%s\" has a twist that is not finite",
                   ts_tet_body_name(body));
  return TS_OK;
}

static ts_status check_values(const ts_body *body, double dt_s) {
  const ts_elastic *elastic = body->elastic;
  if (!elastic)
    return ts_fail(TS_E_INPUT, "body \"%s\" has no elastic data: give it some, or make it rigid",
                   ts_tet_body_name(body));
  if (!(dt_s > 0))
    return ts_fail(TS_E_INPUT, "dt_s is %g: give a time step above 0", dt_s);
  TS_TRY(check_state(body));
  TS_TRY(check_above_zero(body, body->density_kg_m3, "density_kg_m3"));
  TS_TRY(check_above_zero(body, elastic->young_pa, "young_pa"));
  if (!(elastic->poisson >= 0 && elastic->poisson < 0.5))
    return ts_fail(TS_E_INPUT,
                   "body \"%s\": poisson is %g: give a number from 0 to below 0.5, where a "
                   "material has no compliance in volume",
                   ts_tet_body_name(body), elastic->poisson);
  TS_TRY(check_from_zero(body, elastic->mass_damping_1_s, "mass_damping_1_s"));
  return check_from_zero(body, elastic->stiffness_damping_s, "stiffness_damping_s");
}

static ts_status check_tet(const ts_mesh *mesh, const ts_body *body, size_t index) {
  ts_vec3 corners[4];
  for (int i = 0; i < 4; i++) {
    uint32_t node = mesh->tets[index][i];
    if (node >= mesh->vertex_count)
      return ts_fail(TS_E_INPUT, "body \"%s\": tet %zu has node %u, but there are %zu nodes",
                     ts_tet_body_name(body), index, (unsigned)node, mesh->vertex_count);
    corners[i] = mesh->vertices[node];
    if (!ts_vec3_is_finite(corners[i]))
      return ts_fail(TS_E_INPUT, "body \"%s\": node %u is at (%g, %g, %g): give finite numbers",
                     ts_tet_body_name(body), (unsigned)node, corners[i].x, corners[i].y,
                     corners[i].z);
  }
  double longest = 0, volume = ts_tet_volume(corners);
  for (int i = 0; i < 6; i++)
    longest = ts_max(longest, ts_vec3_distance(corners[ts_tet_edge_nodes[i][0]],
                                               corners[ts_tet_edge_nodes[i][1]]));
  double relative = volume / (longest * longest * longest);
  if (!(relative > TS_TET_FLAT_RELATIVE))
    return ts_fail(TS_E_INPUT,
                   "body \"%s\": tet %zu is %s: its volume is %g of its longest edge cubed; it "
                   "must be above %g",
                   ts_tet_body_name(body), index,
                   relative < -TS_TET_FLAT_RELATIVE ? "inverted" : "flat", relative,
                   TS_TET_FLAT_RELATIVE);
  return TS_OK;
}

/// Needs a byte for each node, 0 at first.
static ts_status check_nodes(uint8_t *is_used, const ts_mesh *mesh, const ts_body *body) {
  for (size_t e = 0; e < mesh->tet_count; e++) {
    TS_TRY(check_tet(mesh, body, e));
    for (int i = 0; i < 4; i++)
      is_used[mesh->tets[e][i]] = 1;
  }
  for (size_t i = 0; i < mesh->vertex_count; i++)
    if (!is_used[i])
      return ts_fail(TS_E_INPUT, "body \"%s\": node %zu is in no tet: leave it out of the mesh",
                     ts_tet_body_name(body), i);
  const ts_elastic *elastic = body->elastic;
  for (size_t i = 0; i < elastic->clamped_count; i++) {
    uint32_t node = elastic->clamped[i];
    if (node >= mesh->vertex_count)
      return ts_fail(TS_E_INPUT, "body \"%s\": clamped node %u does not exist: there are %zu",
                     ts_tet_body_name(body), (unsigned)node, mesh->vertex_count);
    if (is_used[node] == 2)
      return ts_fail(TS_E_INPUT, "body \"%s\": clamped node %u stands twice",
                     ts_tet_body_name(body), (unsigned)node);
    is_used[node] = 2;
  }
  return TS_OK;
}

ts_status ts_tet_body_check(const ts_mesh *mesh, const ts_body *body, double dt_s) {
  TS_TRY(check_values(body, dt_s));
  if (mesh->tet_count == 0)
    return ts_fail(TS_E_INPUT,
                   "body \"%s\" is elastic, but its mesh has no tets: give them, or fill it by "
                   "tets=tetgen",
                   ts_tet_body_name(body));
  const ts_elastic *elastic = body->elastic;
  if (elastic->clamped && elastic->clamped_count == 0)
    return ts_fail(TS_E_INPUT, "body \"%s\": its list of clamped nodes is empty: leave it out",
                   ts_tet_body_name(body));
  if (elastic->clamped_count >= mesh->vertex_count)
    return ts_fail(TS_E_INPUT,
                   "body \"%s\": %zu nodes are clamped, of %zu: leave one that can move",
                   ts_tet_body_name(body), elastic->clamped_count, mesh->vertex_count);
  uint8_t *is_used = calloc(mesh->vertex_count, 1);
  if (!is_used)
    return ts_fail(TS_E_MEMORY, "body \"%s\": out of memory", ts_tet_body_name(body));
  ts_status status = check_nodes(is_used, mesh, body);
  free(is_used);
  return status;
}
