// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_beside.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/mesh/winding.h"
#include "geometry/tolerances.h"

#include <string.h>

/// Looks for a triangle of a body near a point.
typedef struct near_search {
  const ts_semi_shape *shape;
  ts_vec3 point; ///< in the body's frame
  double near_m;
  bool is_near;
} near_search;

static ts_status visit_near(void *context, uint32_t block, uint32_t none) {
  (void)none;
  near_search *search = context;
  const ts_mesh *mesh = search->shape->patches->mesh;
  const ts_semi_listed *blocks = &search->shape->blocks;
  for (uint32_t i = blocks->first[block]; i < blocks->first[block + 1] && !search->is_near; i++) {
    const uint32_t *c = mesh->triangles[blocks->items[i]];
    const ts_vec3 corners[3] = {mesh->vertices[c[0]], mesh->vertices[c[1]], mesh->vertices[c[2]]};
    search->is_near =
        ts_closest_point_triangle(search->point, corners).distance_m <= search->near_m;
  }
  return TS_OK;
}

/// Whether a point that is not near the surface of a body is outside of it.
static bool is_outside(const ts_semi_side *side, ts_vec3 point) {
  if (!side->shape->is_convex)
    return ts_winding(side->mesh, side->vertices, point) < 0.5;
  for (size_t p = 0; p < side->patches->patch_count; p++)
    if (ts_vec3_dot(side->normals[p], point) > side->offsets_m[p])
      return true;
  return false;
}

ts_status ts_semi_is_far(bool *out, const ts_semi_pair *pair, int body, ts_vec3 point,
                         double near_m) {
  const ts_semi_side *side = &pair->side[body];
  ts_vec3 local = body == 0 ? point : ts_pose_point_local(pair->other_to_frame, point);
  near_search search = {.shape = side->shape, .point = local, .near_m = near_m};
  TS_TRY(ts_bvh_near(side->shape->surface, local, near_m, visit_near, &search));
  *out = !search.is_near && is_outside(side, point);
  return TS_OK;
}

/// Whether a contact is beside a body. Of convex bodies that overlap its own point on the body is
/// known, and has to be on it.
static ts_status is_beside(bool *out, const ts_semi_pair *pair, int body,
                           const ts_semi_candidate *c) {
  double snaps_m = TS_SEMI_CORNER_SNAPS * pair->s.snap_m;
  if (!ts_semi_are_convex(pair) || c->gap_m >= -snaps_m)
    return ts_semi_is_far(out, pair, body, c->point,
                          fabs(c->gap_m) + TS_POSITION_RELATIVE * pair->size_m);
  double to_body_m = (body == 0 ? -0.5 : 0.5) * c->gap_m;
  return ts_semi_is_far(out, pair, body, ts_vec3_add_scaled(c->point, to_body_m, c->normal),
                        snaps_m);
}

ts_status ts_semi_leave_out_beside(ts_semi_contacts *out, const ts_semi_pair *pair,
                                   const ts_semi_contacts *contacts) {
  ts_semi_contact *kept = ts_semi_scratch(pair->memory, contacts->count, sizeof *kept);
  if (!kept)
    return TS_E_MEMORY;
  size_t count = 0;
  for (size_t i = 0; i < contacts->count; i++) {
    const ts_semi_contact *c = &contacts->contacts[i];
    bool is_far[2] = {false, false};
    for (int body = 0; body < 2 && !ts_semi_is_of_region(c); body++)
      TS_TRY(is_beside(&is_far[body], pair, body, &c->at));
    if (ts_semi_are_convex(pair) ? !is_far[0] && !is_far[1] : !is_far[0] || !is_far[1])
      kept[count++] = *c;
  }
  *out = (ts_semi_contacts){count, kept, contacts->group_count};
  return TS_OK;
}

ts_status ts_semi_lift(ts_semi_contacts *out, const ts_semi_pair *pair,
                       const ts_semi_contacts *contacts, double gap_m, double touch_m) {
  size_t count = contacts->count;
  ts_semi_contact *lifted = ts_semi_scratch(pair->memory, count, sizeof *lifted);
  bool *is_apart =
      ts_semi_scratch(pair->memory, (size_t)contacts->group_count + 1, sizeof *is_apart);
  if (!lifted || !is_apart)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    lifted[i] = contacts->contacts[i];
    is_apart[lifted[i].group] |= lifted[i].group && lifted[i].at.gap_m >= -touch_m;
  }
  for (size_t i = 0; i < count; i++)
    if (!is_apart[lifted[i].group] && lifted[i].at.gap_m < -touch_m)
      lifted[i].at.gap_m = ts_min(gap_m, 0);
  const ts_semi_contacts all = {count, lifted, contacts->group_count};
  return ts_semi_leave_out_beside(out, pair, &all);
}
