// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_reduce.h"

#include "base/status.h"
#include "geometry/tolerances.h"
#include "methods/semi_local/semi_scratch.h"

#include <stdlib.h>

typedef struct reduction {
  const ts_semi_pair *pair;
  const ts_semi_regions *regions;
  const ts_semi_choices *choices;
  const ts_semi_contacts *contacts;
  bool *is_dropped; ///< [contacts->count]
} reduction;

/// Whether a region implies a contact of a choice.
static bool is_implied(const reduction *r, const ts_semi_contact *contact) {
  double snap = r->pair->s.snap_m;
  double reach = TS_SEMI_CORNER_SNAPS * snap + r->choices->choices[contact->choice].slack_m;
  for (size_t i = 0; i < r->regions->count; i++) {
    const ts_semi_region *region = &r->regions->regions[i];
    if (!region->is_dropped &&
        ts_vec3_distance(region->normal, contact->at.normal) <= TS_SEMI_CONE_WIDE_RAD &&
        ts_semi_region_distance(region, contact->at.point) <= reach &&
        contact->at.gap_m >= ts_semi_region_gap(region, contact->at.point) - snap)
      return true;
  }
  return false;
}

/// A contact above a plane.
typedef struct foot {
  double u, v, gap_m;
  size_t contact;
} foot;

/// Keeps of a convex polygon of slopes those with a du + b dv < dg. Returns how many corners.
static int cut_slopes(double (*out)[2], const double (*in)[2], int count, double du, double dv,
                      double dg) {
  int kept = 0;
  for (int i = 0; i < count; i++) {
    int k = (i + 1) % count;
    double here = dg - in[i][0] * du - in[i][1] * dv, next = dg - in[k][0] * du - in[k][1] * dv;
    if (here > 0) {
      out[kept][0] = in[i][0];
      out[kept++][1] = in[i][1];
    }
    if ((here > 0) != (next > 0)) {
      double t = here / (here - next);
      out[kept][0] = in[i][0] + t * (in[k][0] - in[i][0]);
      out[kept++][1] = in[i][1] + t * (in[k][1] - in[i][1]);
    }
  }
  return kept;
}

/// Whether foot `at` is on the lower hull: a plane goes through it with all others above. The
/// slopes of such planes are a convex polygon, cut once for each other foot; `room` holds two
/// polygons of `count` + 5 corners.
static bool is_on_lower_hull(const foot *feet, size_t count, size_t at, double (*room[2])[2]) {
  double(*slopes)[2] = room[0], (*next)[2] = room[1];
  for (int i = 0; i < 4; i++) {
    slopes[i][0] = i == 1 || i == 2 ? TS_SEMI_SLOPE_MAX : -TS_SEMI_SLOPE_MAX;
    slopes[i][1] = i >= 2 ? TS_SEMI_SLOPE_MAX : -TS_SEMI_SLOPE_MAX;
  }
  int corners = 4;
  for (size_t k = 0; k < count && corners >= 3; k++) {
    if (k == at)
      continue;
    corners = cut_slopes(next, (const double(*)[2])slopes, corners, feet[k].u - feet[at].u,
                         feet[k].v - feet[at].v, feet[k].gap_m - feet[at].gap_m);
    double(*swap)[2] = slopes;
    slopes = next;
    next = swap;
  }
  double area = 0;
  for (int i = 0; i < corners; i++) {
    const double *p = slopes[i], *q = slopes[(i + 1) % corners];
    area += p[0] * q[1] - p[1] * q[0];
  }
  return corners >= 3 && area > TS_SEMI_SLOPES_AREA;
}

/// Whether a foot is on the line between two others, within the tolerance, and not below them.
static bool is_between(const foot *p, const foot *a, const foot *b, double across, double below) {
  double du = b->u - a->u, dv = b->v - a->v, length2 = du * du + dv * dv;
  if (!(length2 > across * across))
    return false;
  double t = ((p->u - a->u) * du + (p->v - a->v) * dv) / length2;
  double away = ((p->u - a->u) * dv - (p->v - a->v) * du) / sqrt(length2);
  return t > 0 && t < 1 && fabs(away) <= across &&
         p->gap_m >= a->gap_m + t * (b->gap_m - a->gap_m) - below;
}

static size_t leave_out(const reduction *r, foot *feet, size_t count, size_t at) {
  r->is_dropped[feet[at].contact] = true;
  for (size_t i = at + 1; i < count; i++)
    feet[i - 1] = feet[i];
  return count - 1;
}

/// Feet in one place: the deepest stays.
static size_t drop_equal(const reduction *r, foot *feet, size_t count) {
  double same = TS_SEMI_CORNER_SNAPS * r->pair->s.snap_m;
  for (size_t i = 0; i < count; i++)
    for (size_t k = i + 1; k < count;) {
      double du = feet[k].u - feet[i].u, dv = feet[k].v - feet[i].v;
      if (du * du + dv * dv > same * same) {
        k++;
        continue;
      }
      if (feet[k].gap_m < feet[i].gap_m) {
        foot swap = feet[i];
        feet[i] = feet[k];
        feet[k] = swap;
      }
      count = leave_out(r, feet, count, k);
    }
  return count;
}

/// Feet that are not on the lower hull.
static ts_status drop_above_hull(size_t *count, const reduction *r, foot *feet) {
  double(*room[2])[2];
  for (int i = 0; i < 2; i++) {
    room[i] = ts_semi_scratch(r->pair->memory, *count + 5, 2 * sizeof(double[2]));
    if (!room[i])
      return TS_E_MEMORY;
  }
  for (size_t i = 0; i < *count;)
    if (is_on_lower_hull(feet, *count, i, room))
      i++;
    else
      *count = leave_out(r, feet, *count, i);
  return TS_OK;
}

/// Feet on the line between two others, in cubic time.
static size_t drop_between(const reduction *r, foot *feet, size_t count) {
  double across = TS_SEMI_CORNER_SNAPS * r->pair->s.snap_m;
  double below = TS_SEMI_LINE_SNAPS * r->pair->s.snap_m;
  for (size_t i = 0; i < count && count <= TS_SEMI_LINES_MAX;) {
    bool between = false;
    for (size_t a = 0; a < count && !between; a++)
      for (size_t b = a + 1; b < count && !between; b++)
        between = a != i && b != i && is_between(&feet[i], &feet[a], &feet[b], across, below);
    if (between)
      count = leave_out(r, feet, count, i);
    else
      i++;
  }
  return count;
}

/// Reduces the contacts of one face and one surface over it.
static ts_status reduce_group(const reduction *r, foot *feet, size_t count) {
  count = drop_equal(r, feet, count);
  if (count < 3)
    return TS_OK;
  TS_TRY(drop_above_hull(&count, r, feet));
  (void)drop_between(r, feet, count);
  return TS_OK;
}

/// Whether a contact takes part in the reduction: it is of a choice, and needed by itself.
static bool is_reducible(const reduction *r, size_t contact) {
  const ts_semi_contact *c = &r->contacts->contacts[contact];
  return !r->is_dropped[contact] && c->choice != TS_SEMI_NO_CHOICE && c->group == 0;
}

/// A contact of a face, under one of the patches of the other body that it has, or under its
/// corner.
typedef struct link {
  int body; ///< whose face
  uint32_t face, other;
  uint32_t contact;
} link;

/// Vertices come after patches; meshes have fewer than 2^30 of either.
#define CORNERS_FROM (UINT32_C(1) << 31)

static int compare_links(const void *left, const void *right) {
  const link *l = left, *r = right;
  if (l->body != r->body)
    return l->body < r->body ? -1 : 1;
  if (l->face != r->face)
    return l->face < r->face ? -1 : 1;
  if (l->other != r->other)
    return l->other < r->other ? -1 : 1;
  return (l->contact > r->contact) - (l->contact < r->contact);
}

/// Lists the links of a contact whose normal is that of a face of a body.
static void add_links(link *links, size_t *count, const reduction *r, uint32_t contact, int body) {
  const ts_semi_contact *c = &r->contacts->contacts[contact];
  const ts_semi_choice *choice = &r->choices->choices[c->choice];
  uint32_t face = c->at.patches[body];
  if (face == TS_SEMI_NO_PATCH)
    return;
  for (int k = 0; k < choice->face_count[1 - body]; k++)
    links[(*count)++] = (link){body, face, choice->faces[1 - body][k], contact};
  // The runs of a corner may have no patch in common.
  ts_feature other = c->at.features[1 - body];
  if (other.kind == TS_FEATURE_VERTEX)
    links[(*count)++] = (link){body, face, CORNERS_FROM + other.index, contact};
}

/// The links of all contacts, sorted.
static ts_status list_links(link **out, size_t *out_count, const reduction *r) {
  const ts_semi_contacts *contacts = r->contacts;
  size_t capacity = 0;
  for (size_t i = 0; i < contacts->count; i++)
    for (int body = 0; body < 2 && is_reducible(r, i); body++)
      capacity += 1 + (size_t)r->choices->choices[contacts->contacts[i].choice].face_count[body];
  *out = ts_semi_scratch(r->pair->memory, capacity, sizeof **out);
  if (!*out)
    return TS_E_MEMORY;
  *out_count = 0;
  for (uint32_t i = 0; i < contacts->count; i++)
    for (int body = 0; body < 2 && is_reducible(r, i); body++)
      add_links(*out, out_count, r, i, body);
  if (*out_count > 1)
    qsort(*out, *out_count, sizeof **out, compare_links);
  return TS_OK;
}

typedef struct member {
  uint32_t group, contact;
} member;

static int compare_members(const void *left, const void *right) {
  const member *l = left, *r = right;
  if (l->group != r->group)
    return l->group < r->group ? -1 : 1;
  return (l->contact > r->contact) - (l->contact < r->contact);
}

/// Groups the contacts of one face that share a patch over it: each contact under the first of its
/// group, sorted.
static ts_status group_contacts(member **out, size_t *out_count, const reduction *r) {
  link *links;
  size_t link_count, count = r->contacts->count;
  TS_TRY(list_links(&links, &link_count, r));
  uint32_t *forest = ts_semi_forest_create(r->pair->memory, count);
  *out = ts_semi_scratch(r->pair->memory, count, sizeof **out);
  if (!forest || !*out)
    return TS_E_MEMORY;
  for (size_t i = 1; i < link_count; i++) {
    const link *a = &links[i - 1], *b = &links[i];
    if (a->body == b->body && a->face == b->face && a->other == b->other)
      ts_semi_forest_join(forest, a->contact, b->contact);
  }
  *out_count = 0;
  for (uint32_t i = 0; i < count; i++)
    if (is_reducible(r, i))
      (*out)[(*out_count)++] = (member){ts_semi_forest_root(forest, i), i};
  if (*out_count > 1)
    qsort(*out, *out_count, sizeof **out, compare_members);
  return TS_OK;
}

static ts_status reduce_groups(const reduction *r) {
  member *members;
  size_t member_count;
  TS_TRY(group_contacts(&members, &member_count, r));
  foot *feet = ts_semi_scratch(r->pair->memory, member_count, sizeof *feet);
  if (!feet)
    return TS_E_MEMORY;
  const ts_semi_contact *contacts = r->contacts->contacts;
  for (size_t first = 0, end; first < member_count; first = end) {
    ts_vec3 u, v;
    ts_vec3_tangents(&u, &v, contacts[members[first].contact].at.normal);
    for (end = first; end < member_count && members[end].group == members[first].group; end++) {
      const ts_semi_candidate *c = &contacts[members[end].contact].at;
      feet[end - first] = (foot){ts_vec3_dot(u, c->point), ts_vec3_dot(v, c->point), c->gap_m,
                                 members[end].contact};
    }
    TS_TRY(reduce_group(r, feet, end - first));
  }
  return TS_OK;
}

/// Drops the groups that have an alternative which holds in any case.
static ts_status drop_settled_groups(const reduction *r) {
  const ts_semi_contacts *contacts = r->contacts;
  if (!contacts->group_count)
    return TS_OK;
  bool *is_settled =
      ts_semi_scratch(r->pair->memory, (size_t)contacts->group_count + 1, sizeof *is_settled);
  if (!is_settled)
    return TS_E_MEMORY;
  for (size_t i = 0; i < contacts->count; i++)
    if (contacts->contacts[i].group && r->is_dropped[i])
      is_settled[contacts->contacts[i].group] = true;
  for (size_t i = 0; i < contacts->count; i++)
    r->is_dropped[i] |= is_settled[contacts->contacts[i].group];
  return TS_OK;
}

ts_status ts_semi_reduce(ts_semi_contacts *out, const ts_semi_pair *pair,
                         const ts_semi_regions *regions, const ts_semi_choices *choices,
                         const ts_semi_contacts *contacts) {
  reduction r = {pair, regions, choices, contacts, NULL};
  r.is_dropped = ts_semi_scratch(pair->memory, contacts->count, sizeof *r.is_dropped);
  ts_semi_contact *kept = ts_semi_scratch(pair->memory, contacts->count, sizeof *kept);
  if (!r.is_dropped || !kept)
    return TS_E_MEMORY;
  for (size_t i = 0; i < contacts->count; i++) {
    const ts_semi_contact *c = &contacts->contacts[i];
    r.is_dropped[i] = c->choice != TS_SEMI_NO_CHOICE && is_implied(&r, c);
  }
  TS_TRY(drop_settled_groups(&r));
  if (choices->count)
    TS_TRY(reduce_groups(&r));
  *out = (ts_semi_contacts){.contacts = kept, .group_count = contacts->group_count};
  for (size_t i = 0; i < contacts->count; i++)
    if (!r.is_dropped[i])
      kept[out->count++] = contacts->contacts[i];
  return TS_OK;
}
