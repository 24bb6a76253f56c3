// SPDX-License-Identifier: MIT
#include "harness/explain/fault_text.h"

#include "geometry/vec3.h"
#include "reports/export/region_text.h"
#include "reports/rows/contacts_at_fault.h"

#include <math.h>
#include <stdlib.h>

static int compare_faults(const void *left, const void *right) {
  const ts_contact_row *l = *(const ts_contact_row *const *)left;
  const ts_contact_row *r = *(const ts_contact_row *const *)right;
  if (ts_fault_is_worse(l, r))
    return -1;
  if (ts_fault_is_worse(r, l))
    return 1;
  return (l > r) - (l < r); // both are in the array of the snapshot
}

ts_status ts_faults_of_snapshot(const ts_contact_row ***out, size_t *out_count, ts_arena *arena,
                                const ts_snapshot *snapshot) {
  const ts_contact_row **faults =
      ts_arena_array(arena, snapshot->contact_count, sizeof(ts_contact_row *));
  size_t count = 0;
  if (!faults)
    return TS_E_MEMORY;
  for (size_t i = 0; i < snapshot->contact_count; i++)
    if (ts_contact_kind_is_fault(ts_contact_row_kind(&snapshot->contacts[i])))
      faults[count++] = &snapshot->contacts[i];
  if (count > 1)
    qsort(faults, count, sizeof *faults, compare_faults);
  *out = faults;
  *out_count = count;
  return TS_OK;
}

/// The region that a contact was judged by; NULL: none.
static const ts_snapshot_region *region_of(const ts_snapshot *snapshot, const ts_contact_row *c) {
  for (size_t i = 0; i < snapshot->region_count; i++) {
    const ts_snapshot_region *region = &snapshot->regions[i];
    if (region->body_a == (int32_t)c->body_a && region->body_b == (int32_t)c->body_b &&
        (double)region->index == c->region)
      return region;
  }
  return NULL;
}

/// The normal of a region that is closest to that of the contact, up to sign.
static const ts_snapshot_normal *closest_normal(const ts_snapshot_region *region, ts_vec3 normal) {
  const ts_snapshot_normal *best = NULL;
  double largest = -1;
  for (size_t i = 0; region && i < region->normal_count; i++) {
    double cosine = fabs(ts_vec3_dot(region->normals[i].normal, normal));
    if (cosine > largest || !best) {
      largest = cosine;
      best = &region->normals[i];
    }
  }
  return best;
}

/// What is wrong with the place of a contact; "" when nothing is.
static const char *explain_place(ts_arena *arena, const ts_contact_row *c) {
  if (!ts_vec3_is_finite((ts_vec3){c->point_x_m, c->point_y_m, c->point_z_m}))
    return "its place is not a finite number";
  if (c->speculative_wrong > 0)
    return "it is ahead of a touch, and the surfaces there are not so far apart, or not along it";
  if (!(c->phantom > 0))
    return "";
  if (isnan(c->region))
    return "these bodies do not touch";
  return ts_arena_format(arena, "nothing touches there; the nearest region, %.0f, is %.3g m away",
                         c->region, c->position_error_m);
}

static const char *explain_normal(ts_arena *arena, const ts_contact_row *c, const char *right) {
  bool is_number = ts_vec3_is_finite((ts_vec3){c->normal_x, c->normal_y, c->normal_z});
  if (c->phantom > 0 || c->speculative > 0)
    return is_number ? "" : "its normal is not a finite number";
  if (c->correct == 0 && isnan(c->normal_error_deg))
    return ts_arena_format(arena, "the normal is not %s; right is %s",
                           is_number ? "valid" : "a finite number", right);
  if (c->correct == 0)
    return ts_arena_format(arena, "the normal is off by %.4g degrees; right is %s",
                           c->normal_error_deg, right);
  if (c->flipped > 0)
    return ts_arena_format(arena, "the normal points from b to a; right is %s", right);
  return "";
}

static const char *explain_gap(ts_arena *arena, const ts_contact_row *c,
                               const ts_snapshot_normal *right) {
  if (!(c->gap_wrong > 0) && !(c->speculative_wrong > 0 && !isfinite(c->gap_m)))
    return "";
  if (!isfinite(c->gap_m))
    return right ? ts_arena_format(arena, "the gap is not a finite number; right is %.4g m",
                                   right->gap_m + 0.0)
                 : "the gap is not a finite number";
  return right ? ts_arena_format(arena, "the gap is off by %.4g m; right is %.4g m", c->gap_error_m,
                                 right->gap_m + 0.0)
               : ts_arena_format(arena, "the gap is off by %.4g m", c->gap_error_m);
}

const char *ts_fault_explain(ts_arena *arena, const ts_snapshot *snapshot,
                             const ts_contact_row *c) {
  ts_vec3 normal = {c->normal_x, c->normal_y, c->normal_z};
  const ts_snapshot_normal *right = closest_normal(region_of(snapshot, c), normal);
  const char *a = ts_text_body(arena, snapshot, (int32_t)c->body_a);
  const char *b = ts_text_body(arena, snapshot, (int32_t)c->body_b);
  const char *at = ts_text_vector(arena, (ts_vec3){c->point_x_m, c->point_y_m, c->point_z_m});
  const char *along = ts_text_direction(arena, normal);
  const char *right_text = right ? ts_text_direction(arena, right->normal) : "unknown";
  if (!a || !b || !at || !along || !right_text)
    return NULL;
  const char *place = explain_place(arena, c);
  const char *turned = explain_normal(arena, c, right_text);
  const char *gap = explain_gap(arena, c, right);
  if (!place || !turned || !gap)
    return NULL;
  return ts_arena_format(arena, "%s: %s and %s at %s, normal %s, gap %.4g m: %s%s%s%s%s",
                         ts_contact_kind_words[ts_contact_row_kind(c)], a, b, at, along,
                         c->gap_m + 0.0, place, place[0] && turned[0] ? "; " : "", turned,
                         (place[0] || turned[0]) && gap[0] ? "; " : "", gap);
}
