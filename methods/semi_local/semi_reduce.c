// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_reduce.h"

#include "base/status.h"
#include "geometry/tolerances.h"

#include <stdlib.h>

/// A contact above a plane.
typedef struct foot {
  double u, v, gap_m;
  size_t contact;
} foot;

/// The gap of a region under a point, from the plane through three of its corners.
static double gap_of_region(const ts_semi_pair *pair, const ts_semi_region *region, double u,
                            double v) {
  const ts_semi_corner *c = pair->corners + region->first;
  // The widest triangle is the best conditioned.
  double best = 0, gap = c[0].height[1] - c[0].height[0];
  for (size_t i = 1; i + 1 < region->count; i++) {
    double du1 = c[i].u - c[0].u, dv1 = c[i].v - c[0].v;
    double du2 = c[i + 1].u - c[0].u, dv2 = c[i + 1].v - c[0].v;
    double twice_area = du1 * dv2 - du2 * dv1;
    if (!(fabs(twice_area) > best))
      continue;
    best = fabs(twice_area);
    double s = ((u - c[0].u) * dv2 - (v - c[0].v) * du2) / twice_area;
    double t = ((v - c[0].v) * du1 - (u - c[0].u) * dv1) / twice_area;
    double g0 = c[0].height[1] - c[0].height[0], g1 = c[i].height[1] - c[i].height[0];
    double g2 = c[i + 1].height[1] - c[i + 1].height[0];
    gap = g0 + s * (g1 - g0) + t * (g2 - g0);
  }
  return gap;
}

static bool is_implied(const ts_semi_pair *pair, const ts_semi_contact *contact) {
  double reach = TS_SEMI_CORNER_SNAPS * pair->s.snap_m + pair->sites[contact->site].slack_m;
  for (size_t r = 0; r < pair->region_count; r++) {
    const ts_semi_region *region = &pair->regions[r];
    if (region->is_dropped ||
        ts_vec3_distance(region->normal, contact->at.normal) > TS_SEMI_CONE_WIDE_RAD)
      continue;
    double u = ts_vec3_dot(region->u, contact->at.point);
    double v = ts_vec3_dot(region->v, contact->at.point);
    if (ts_semi_region_distance(pair, region, contact->at.point) <= reach &&
        contact->at.gap_m >= gap_of_region(pair, region, u, v) - pair->s.snap_m)
      return true;
  }
  return false;
}

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
  static const double steepest = 8;
  double(*slopes)[2] = room[0], (*next)[2] = room[1];
  for (int i = 0; i < 4; i++) {
    slopes[i][0] = i == 1 || i == 2 ? steepest : -steepest;
    slopes[i][1] = i >= 2 ? steepest : -steepest;
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

/// Whether a foot stands on the line between two others, within the tolerance, and not below them.
static bool is_between(const foot *p, const foot *a, const foot *b, double across, double below) {
  double du = b->u - a->u, dv = b->v - a->v, length2 = du * du + dv * dv;
  if (!(length2 > across * across))
    return false;
  double t = ((p->u - a->u) * du + (p->v - a->v) * dv) / length2;
  double away = ((p->u - a->u) * dv - (p->v - a->v) * du) / sqrt(length2);
  return t > 0 && t < 1 && fabs(away) <= across &&
         p->gap_m >= a->gap_m + t * (b->gap_m - a->gap_m) - below;
}

static size_t leave_out(ts_semi_pair *pair, foot *feet, size_t count, size_t at) {
  pair->contacts[feet[at].contact].is_dropped = true;
  for (size_t i = at + 1; i < count; i++)
    feet[i - 1] = feet[i];
  return count - 1;
}

/// Feet in one place: the deepest stays.
static size_t drop_equal(ts_semi_pair *pair, foot *feet, size_t count) {
  double same = TS_SEMI_CORNER_SNAPS * pair->s.snap_m;
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
      count = leave_out(pair, feet, count, k);
    }
  return count;
}

/// Reduces the contacts of one face and one surface over it.
static ts_status reduce_group(ts_semi_pair *pair, foot *feet, size_t count) {
  count = drop_equal(pair, feet, count);
  if (count < 3)
    return TS_OK;
  double(*room[2])[2];
  for (int i = 0; i < 2; i++) {
    room[i] = ts_semi_scratch(pair->host, count + 5, 2 * sizeof(double[2]));
    if (!room[i])
      return TS_E_MEMORY;
  }
  for (size_t i = 0; i < count;)
    if (is_on_lower_hull(feet, count, i, room))
      i++;
    else
      count = leave_out(pair, feet, count, i);
  double across = TS_SEMI_CORNER_SNAPS * pair->s.snap_m;
  for (size_t i = 0; i < count && count <= TS_SEMI_LINES_MAX;) {
    bool between = false;
    for (size_t a = 0; a < count && !between; a++)
      for (size_t b = a + 1; b < count && !between; b++)
        between = a != i && b != i &&
                  is_between(&feet[i], &feet[a], &feet[b], across, 0.1 * pair->s.snap_m);
    if (between)
      count = leave_out(pair, feet, count, i);
    else
      i++;
  }
  return TS_OK;
}

/// Whether a contact takes part in the reduction: it is of a site, and needed by itself.
static bool is_reducible(const ts_semi_contact *c) {
  return !c->is_dropped && c->site != SIZE_MAX && c->group == 0;
}

/// A contact of a face, under one of the patches of the other body that it stands for, or under its
/// corner.
typedef struct link {
  int body; ///< whose face
  uint32_t face, other;
  size_t contact;
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

static size_t root_of(size_t *parent, size_t i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

static ts_status list_links(link **out, size_t *out_count, const ts_semi_pair *pair) {
  size_t capacity = 0;
  for (size_t i = 0; i < pair->contact_count; i++) {
    const ts_semi_contact *c = &pair->contacts[i];
    for (int body = 0; body < 2 && is_reducible(c); body++)
      if (c->at.patches[body] != TS_SEMI_NO_PATCH)
        capacity += 1 + (size_t)pair->sites[c->site].face_count[1 - body];
  }
  *out = ts_semi_scratch(pair->host, capacity, sizeof **out);
  if (!*out)
    return TS_E_MEMORY;
  for (size_t i = 0; i < pair->contact_count; i++) {
    const ts_semi_contact *c = &pair->contacts[i];
    for (int body = 0; body < 2 && is_reducible(c); body++) {
      if (c->at.patches[body] == TS_SEMI_NO_PATCH)
        continue;
      const ts_semi_site *site = &pair->sites[c->site];
      for (int k = 0; k < site->face_count[1 - body]; k++)
        (*out)[(*out_count)++] = (link){body, c->at.patches[body], site->faces[1 - body][k], i};
      // The runs of a corner may have no patch in common.
      if (c->at.features[1 - body].kind == TS_FEATURE_VERTEX)
        (*out)[(*out_count)++] =
            (link){body, c->at.patches[body], CORNERS_FROM + c->at.features[1 - body].index, i};
    }
  }
  return TS_OK;
}

typedef struct member {
  size_t group, contact;
} member;

static int compare_members(const void *left, const void *right) {
  const member *l = left, *r = right;
  if (l->group != r->group)
    return l->group < r->group ? -1 : 1;
  return (l->contact > r->contact) - (l->contact < r->contact);
}

/// Joins the contacts of one face that share a patch over it, and reduces each group.
static ts_status reduce_groups(ts_semi_pair *pair) {
  link *links = NULL;
  size_t link_count = 0, count = pair->contact_count, member_count = 0;
  TS_TRY(list_links(&links, &link_count, pair));
  if (link_count > 1)
    qsort(links, link_count, sizeof *links, compare_links);
  size_t *parent = ts_semi_scratch(pair->host, count, sizeof *parent);
  member *members = ts_semi_scratch(pair->host, count, sizeof *members);
  foot *feet = ts_semi_scratch(pair->host, count, sizeof *feet);
  if (!parent || !members || !feet)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    parent[i] = i;
  for (size_t i = 1; i < link_count; i++) {
    const link *a = &links[i - 1], *b = &links[i];
    if (a->body != b->body || a->face != b->face || a->other != b->other)
      continue;
    size_t p = root_of(parent, a->contact), q = root_of(parent, b->contact);
    parent[p > q ? p : q] = p > q ? q : p;
  }
  for (size_t i = 0; i < count; i++)
    if (is_reducible(&pair->contacts[i]))
      members[member_count++] = (member){root_of(parent, i), i};
  if (member_count > 1)
    qsort(members, member_count, sizeof *members, compare_members);
  for (size_t first = 0, end; first < member_count; first = end) {
    ts_vec3 u, v;
    ts_vec3_tangents(&u, &v, pair->contacts[members[first].contact].at.normal);
    for (end = first; end < member_count && members[end].group == members[first].group; end++) {
      const ts_semi_candidate *c = &pair->contacts[members[end].contact].at;
      feet[end - first] = (foot){ts_vec3_dot(u, c->point), ts_vec3_dot(v, c->point), c->gap_m,
                                 members[end].contact};
    }
    TS_TRY(reduce_group(pair, feet, end - first));
  }
  return TS_OK;
}

/// Drops the groups that have an alternative which holds in any case.
static ts_status drop_settled_groups(ts_semi_pair *pair) {
  if (!pair->group_count)
    return TS_OK;
  uint8_t *is_settled = ts_semi_scratch(pair->host, (size_t)pair->group_count + 1, 1);
  if (!is_settled)
    return TS_E_MEMORY;
  for (size_t i = 0; i < pair->contact_count; i++)
    if (pair->contacts[i].group && pair->contacts[i].is_dropped)
      is_settled[pair->contacts[i].group] = 1;
  for (size_t i = 0; i < pair->contact_count; i++)
    pair->contacts[i].is_dropped |= is_settled[pair->contacts[i].group];
  return TS_OK;
}

ts_status ts_semi_reduce(ts_semi_pair *pair) {
  for (size_t i = 0; i < pair->contact_count; i++) {
    ts_semi_contact *c = &pair->contacts[i];
    c->is_dropped |= c->site != SIZE_MAX && is_implied(pair, c);
  }
  TS_TRY(drop_settled_groups(pair));
  return pair->site_count ? reduce_groups(pair) : TS_OK;
}
