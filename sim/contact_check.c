// SPDX-License-Identifier: MIT
#include "sim/contact_check.h"

#include "base/status.h"
#include "geometry/vec3.h"

#include <math.h>

ts_status ts_check_contact_bodies(const ts_contact_set *set, size_t number, size_t body_count) {
  if (set->body_a < 0 || set->body_a >= set->body_b || (size_t)set->body_b >= body_count)
    return ts_fail(TS_E_INPUT,
                   "contact set %zu is of bodies %d and %d, but there are %zu bodies, counted "
                   "from 0, and the lower comes first",
                   number, (int)set->body_a, (int)set->body_b, body_count);
  return TS_OK;
}

ts_status ts_check_contact(const ts_contact_set *set, size_t index) {
  const ts_contact *contact = &set->contacts[index];
  double length = ts_vec3_norm(contact->normal);
  if (!(length > 0) || !isfinite(length))
    return ts_fail(TS_E_INPUT,
                   "contact %zu of bodies %d and %d has the normal (%g, %g, %g): give it a "
                   "direction, or leave the contact out",
                   index, (int)set->body_a, (int)set->body_b, contact->normal.x, contact->normal.y,
                   contact->normal.z);
  if (!ts_vec3_is_finite(contact->point) || !isfinite(contact->gap_m))
    return ts_fail(TS_E_INPUT,
                   "contact %zu of bodies %d and %d has the point (%g, %g, %g) and the gap %g: "
                   "every number must be finite",
                   index, (int)set->body_a, (int)set->body_b, contact->point.x, contact->point.y,
                   contact->point.z, contact->gap_m);
  return TS_OK;
}
