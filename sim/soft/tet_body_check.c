// SPDX-License-Identifier: MIT
#include "sim/soft/tet_body_check.h"

#include "base/status.h"
#include "geometry/mesh/elastic.h"
#include "geometry/tolerances.h"

#include <math.h>

const char *ts_tet_body_name(const ts_body *body) {
  return body->name ? body->name : "unnamed";
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
  if (!body->elastic)
    return ts_fail(TS_E_INPUT, "body \"%s\" has no elastic data: give it some, or make it rigid",
                   ts_tet_body_name(body));
  if (!(dt_s > 0))
    return ts_fail(TS_E_INPUT, "dt_s is %g: give a time step above 0", dt_s);
  TS_TRY(check_state(body));
  double density_kg_m3 = body->density_kg_m3;
  return density_kg_m3 > 0 && isfinite(density_kg_m3)
             ? TS_OK
             : ts_fail(TS_E_INPUT, "body \"%s\": density_kg_m3 is %g: give a finite number above 0",
                       ts_tet_body_name(body), density_kg_m3);
}

ts_status ts_tet_body_check(const ts_mesh *mesh, const ts_body *body, double dt_s) {
  TS_TRY(check_values(body, dt_s));
  ts_status status = ts_elastic_check(body->elastic, mesh);
  return status == TS_OK
             ? TS_OK
             : ts_fail(status, "body \"%s\": %s", ts_tet_body_name(body), ts_status_detail());
}
