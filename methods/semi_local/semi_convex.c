// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_convex.h"

#include "base/status.h"
#include "geometry/convex/convex_separation.h"
#include "geometry/polygon.h"
#include "geometry/tolerances.h"
#include "methods/semi_local/semi_beside.h"
#include "methods/semi_local/semi_corners.h"
#include "methods/semi_local/semi_crossings.h"

#include <stdio.h>
#include <string.h>

/// Normals of contacts that are asked first.
enum { DIRECTIONS_MAX = 16 };

/// What of a body is farthest along a normal: the corners of a point, a segment or a polygon,
/// counter-clockwise about the normal from body 0 to body 1.
typedef struct farthest_part {
  double (*corners)[2]; ///< [count] (u, v)
  size_t count;
  double height_m;   ///< along the normal
  uint32_t vertex;   ///< that is the farthest
  uint32_t triangle; ///< with that vertex, facing most along the normal
} farthest_part;

/// The bodies as geometry/convex/ takes them, without the hierarchies.
static ts_convex_pair as_convex(const ts_semi_pair *pair) {
  ts_convex_pair convex = {.other_to_frame = pair->other_to_frame, .slack_m = pair->s.snap_m};
  for (int body = 0; body < 2; body++) {
    convex.body[body].mesh = pair->side[body].mesh;
    convex.vertices[body] = pair->side[body].vertices;
  }
  return convex;
}

static double gap_along(const ts_semi_pair *pair, ts_vec3 normal) {
  const ts_convex_pair convex = as_convex(pair);
  return ts_convex_gap_along(&convex, normal);
}

/// The shortest way out of bodies that overlap by more than `touch_m`.
static ts_status find_way(ts_convex_way *out, const ts_semi_pair *pair, const ts_vec3 *directions,
                          size_t count, double touch_m) {
  ts_convex_pair convex = as_convex(pair);
  for (int body = 0; body < 2; body++)
    TS_TRY(ts_semi_shape_triangles(&convex.body[body].bvh, pair->side[body].shape));
  bool is_shortest; // of all; else of those that there is time for
  return ts_convex_separate(out, &is_shortest, &convex, directions, count, touch_m);
}

static ts_status find_farthest(farthest_part *out, const ts_semi_pair *pair, int body,
                               ts_vec3 normal, ts_vec3 u, ts_vec3 v) {
  const ts_semi_side *side = &pair->side[body];
  size_t vertex_count = side->mesh->vertex_count, count = 0;
  double sign = body == 0 ? 1 : -1, high = -INFINITY;
  double(*points)[2] = ts_semi_scratch(pair->memory, vertex_count, sizeof *points);
  out->corners = ts_semi_scratch(pair->memory, vertex_count, sizeof *out->corners);
  if (!points || !out->corners)
    return TS_E_MEMORY;
  for (uint32_t i = 0; i < vertex_count; i++) {
    double along = sign * ts_vec3_dot(normal, side->vertices[i]);
    if (along > high) {
      high = along;
      out->vertex = i;
    }
  }
  for (size_t i = 0; i < vertex_count; i++)
    if (sign * ts_vec3_dot(normal, side->vertices[i]) >=
        high - TS_POSITION_RELATIVE * pair->size_m) {
      points[count][0] = ts_vec3_dot(u, side->vertices[i]);
      points[count++][1] = ts_vec3_dot(v, side->vertices[i]);
    }
  out->count = ts_convex_hull_2d(out->corners, points, count);
  out->height_m = sign * high;
  double best = -INFINITY;
  for (uint32_t t = 0; t < side->mesh->triangle_count; t++) {
    const uint32_t *c = side->mesh->triangles[t];
    double along = sign * ts_vec3_dot(normal, side->normals[side->patches->patch_of[t]]);
    if ((c[0] == out->vertex || c[1] == out->vertex || c[2] == out->vertex) && along > best) {
      best = along;
      out->triangle = t;
    }
  }
  return TS_OK;
}

/// Twice the area of the triangle that a point makes with a side.
static double left_of(const double from[2], const double to[2], const double point[2]) {
  return (to[0] - from[0]) * (point[1] - from[1]) - (to[1] - from[1]) * (point[0] - from[0]);
}

/// Keeps what of a convex polygon, a segment or a point is to the left of the line, or no farther
/// to its right than `tolerance_m`. Returns how many corners; `out` has room for one more.
static size_t keep_left(double (*out)[2], const double (*in)[2], size_t count, const double from[2],
                        const double to[2], double tolerance_m) {
  double length = hypot(to[0] - from[0], to[1] - from[1]);
  size_t kept = 0, sides = count > 2 ? count : count - 1;
  for (size_t i = 0; i < count; i++) {
    size_t k = (i + 1) % count;
    double here = left_of(from, to, in[i]) + tolerance_m * length;
    double next = left_of(from, to, in[k]) + tolerance_m * length;
    if (here >= 0) {
      out[kept][0] = in[i][0];
      out[kept++][1] = in[i][1];
    }
    if (i < sides && (here >= 0) != (next >= 0)) {
      double t = here / (here - next);
      out[kept][0] = in[i][0] + t * (in[k][0] - in[i][0]);
      out[kept++][1] = in[i][1] + t * (in[k][1] - in[i][1]);
    }
  }
  return kept;
}

/// Where two segments meet that are known to: their crossing, or what parallel ones have in common.
static size_t meet(double (*out)[2], const double (*a)[2], const double (*b)[2],
                   double tolerance_m) {
  double du = a[1][0] - a[0][0], dv = a[1][1] - a[0][1], length = hypot(du, dv);
  double at[2], away[2];
  for (int i = 0; i < 2; i++) {
    at[i] = ((b[i][0] - a[0][0]) * du + (b[i][1] - a[0][1]) * dv) / length;
    away[i] = left_of(a[0], a[1], b[i]) / length;
  }
  double low = 0, high = length;
  if (fabs(away[0]) > tolerance_m || fabs(away[1]) > tolerance_m) {
    double t = away[0] == away[1] ? 0.5 : away[0] / (away[0] - away[1]);
    t = ts_max(0, ts_min(t, 1));
    low = high = ts_max(0, ts_min(at[0] + t * (at[1] - at[0]), length));
  } else {
    low = ts_max(low, ts_min(at[0], at[1]));
    high = ts_min(high, ts_max(at[0], at[1]));
  }
  if (high < low)
    low = high = ts_max(0, ts_min(0.5 * (low + high), length));
  size_t count = high - low > tolerance_m ? 2 : 1;
  for (size_t i = 0; i < count; i++) {
    double along = count == 1 ? 0.5 * (low + high) : i == 0 ? low : high;
    out[i][0] = a[0][0] + along / length * du;
    out[i][1] = a[0][1] + along / length * dv;
  }
  return count;
}

/// Where the farthest parts of both bodies lie over each other, as they do along the shortest way
/// out. At least one point.
static ts_status find_common(double (**out)[2], size_t *out_count, const ts_semi_pair *pair,
                             const farthest_part part[2]) {
  double snap = pair->s.snap_m;
  int small = part[1].count < part[0].count ? 1 : 0;
  const farthest_part *subject = &part[small], *clip = &part[1 - small];
  size_t room = part[0].count + part[1].count + 2;
  double(*points)[2] = ts_semi_scratch(pair->memory, room, sizeof *points);
  double(*next)[2] = ts_semi_scratch(pair->memory, room, sizeof *next);
  if (!points || !next)
    return TS_E_MEMORY;
  // What only just meets, as a ridge along the rim of a face, does so within the snap length.
  size_t count = 0;
  for (int turn = 0; turn < 2 && count == 0; turn++) {
    count = subject->count;
    memcpy(points, subject->corners, count * sizeof *points);
    for (size_t i = 0; count > 1 && clip->count > 2 && i < clip->count; i++) {
      count = keep_left(next, (const double(*)[2])points, count, clip->corners[i],
                        clip->corners[(i + 1) % clip->count], turn * snap);
      double(*swap)[2] = points;
      points = next;
      next = swap;
    }
  }
  if (subject->count == 2 && clip->count == 2)
    count =
        meet(points, (const double(*)[2])subject->corners, (const double(*)[2])clip->corners, snap);
  if (count > 2) {
    size_t corners = ts_convex_hull_2d(next, points, count);
    count = ts_semi_simplify(next, corners, TS_SEMI_CORNER_SNAPS * snap);
    points = next;
  }
  if (count == 0) { // rounding: they only just meet
    count = 1;
    for (int k = 0; k < 2; k++)
      points[0][k] = 0.5 * (subject->corners[0][k] + clip->corners[0][k]);
  }
  *out = points;
  *out_count = count;
  return TS_OK;
}

static ts_feature feature_of(const farthest_part *part) {
  return part->count == 1 ? (ts_feature){TS_FEATURE_VERTEX, part->vertex}
                          : (ts_feature){TS_FEATURE_FACE, part->triangle};
}

/// The contacts along the shortest way out, at the features that meet there.
static ts_status find_meeting(ts_semi_contact **out, size_t *out_count, const ts_semi_pair *pair,
                              const ts_convex_way *way) {
  ts_vec3 u, v;
  ts_vec3_tangents(&u, &v, way->normal);
  farthest_part part[2];
  for (int body = 0; body < 2; body++)
    TS_TRY(find_farthest(&part[body], pair, body, way->normal, u, v));
  double(*points)[2];
  TS_TRY(find_common(&points, out_count, pair, part));
  *out = ts_semi_scratch(pair->memory, *out_count, sizeof **out);
  if (!*out)
    return TS_E_MEMORY;
  double middle = 0.5 * (part[0].height_m + part[1].height_m);
  for (size_t i = 0; i < *out_count; i++) {
    ts_vec3 flat = ts_vec3_add_scaled(ts_vec3_scale(u, points[i][0]), points[i][1], v);
    (*out)[i] = (ts_semi_contact){.at = {.normal = way->normal,
                                         .point = ts_vec3_add_scaled(flat, middle, way->normal),
                                         .gap_m = way->gap_m,
                                         .patches = {TS_SEMI_NO_PATCH, TS_SEMI_NO_PATCH},
                                         .features = {feature_of(&part[0]), feature_of(&part[1])}},
                                  .choice = TS_SEMI_NO_CHOICE};
  }
  return TS_OK;
}

/// The normals of the first contacts, each once where equal ones follow each other.
static size_t list_directions(ts_vec3 out[DIRECTIONS_MAX], const ts_semi_contacts *contacts) {
  size_t count = 0;
  for (size_t i = 0; i < contacts->count && count < DIRECTIONS_MAX; i++) {
    ts_vec3 normal = contacts->contacts[i].at.normal;
    if (count == 0 || ts_vec3_distance(out[count - 1], normal) > 0)
      out[count++] = normal;
  }
  return count;
}

/// How far the corners of a patch are from its plane [m]: rounding of the input.
static double roughness_m(const ts_semi_side *side, uint32_t patch) {
  const ts_patches *patches = side->patches;
  const ts_patch *p = &patches->patches[patch];
  double farthest_m = 0;
  for (uint32_t i = 0; i < p->triangle_count; i++)
    for (int k = 0; k < 3; k++) {
      uint32_t vertex = side->mesh->triangles[patches->triangles[p->first_triangle + i]][k];
      double height = ts_vec3_dot(side->normals[patch], side->vertices[vertex]);
      farthest_m = ts_max(farthest_m, fabs(height - side->offsets_m[patch]));
    }
  return farthest_m;
}

/// How far apart two depths may be to count as one. Patches of a large body may be rougher than
/// rounding in single precision makes them.
static double alike_m(const ts_semi_pair *pair, const ts_semi_contacts *contacts) {
  double rough_m = 0;
  uint32_t last[2] = {TS_SEMI_NO_PATCH, TS_SEMI_NO_PATCH};
  for (size_t i = 0; i < contacts->count; i++)
    for (int body = 0; body < 2; body++) {
      uint32_t patch = contacts->contacts[i].at.patches[body];
      if (patch == TS_SEMI_NO_PATCH || patch == last[body])
        continue;
      rough_m = ts_max(rough_m, roughness_m(&pair->side[body], patch));
      last[body] = patch;
    }
  return ts_min(2 * rough_m, TS_TOUCH_RELATIVE * pair->size_m) +
         TS_SEMI_SAME_DEPTH_RELATIVE * pair->size_m;
}

/// Takes the normal of a contact that is as deep along its own normal.
static void prefer(ts_convex_way *way, const ts_semi_pair *pair, const ts_vec3 *directions,
                   size_t count, double same_m) {
  for (size_t i = 0; i < count; i++)
    if (gap_along(pair, directions[i]) >= way->gap_m - same_m) {
      way->normal = directions[i];
      return;
    }
}

static ts_status refuse(const ts_semi_pair *pair, double needed_m) {
  char message[200];
  (void)snprintf(message, sizeof message,
                 "one body lies all inside the other, and the way out that was found is %.6g m "
                 "long, more than depth_m, %.6g m: give that depth_m, or move the bodies apart",
                 needed_m, pair->s.depth_m);
  return pair->memory->host->fail(pair->memory->host, TS_E_UNSUPPORTED, message);
}

/// Contacts that are kept, and those along the way out.
typedef struct settled_list {
  const ts_semi_pair *pair;
  const ts_convex_way *way;
  double same_m;                 ///< as of alike_m()
  const ts_vec3 *meeting_points; ///< [meeting_count] where the bodies meet along the way out
  size_t meeting_count;
  ts_semi_contact *contacts; ///< with room for all
  size_t count;
} settled_list;

/// Whether a contact is as deep as the way out and is not of the features that meet along it: the
/// bodies overlap more along its normal, or it is elsewhere.
static bool is_beaten(const settled_list *list, const ts_semi_candidate *c) {
  const ts_convex_way *way = list->way;
  double snap = list->pair->s.snap_m;
  if (c->gap_m > way->gap_m + snap)
    return false;
  return gap_along(list->pair, c->normal) < way->gap_m - list->same_m ||
         ts_convex_distance(c->point, list->meeting_points, list->meeting_count, way->normal) >
             TS_SEMI_CORNER_SNAPS * snap;
}

/// Keeps the contacts that fit the way out, no deeper than it. Returns the deepest with its normal;
/// NULL where none is as deep, up to the snap length.
static ts_semi_contact *keep_fitting(settled_list *list, const ts_semi_contacts *contacts) {
  const ts_semi_settings *s = &list->pair->s;
  const ts_convex_way *way = list->way;
  double cosine_min = cos(s->angle_rad);
  bool is_shallow = -way->gap_m <= s->snap_m;
  ts_semi_contact *deepest = NULL;
  for (size_t i = 0; i < contacts->count; i++) {
    ts_semi_contact c = contacts->contacts[i];
    double cosine = ts_vec3_dot(c.at.normal, way->normal);
    bool fits = cosine >= cosine_min;
    if (!c.group) {
      if (!fits && !(is_shallow && c.at.gap_m >= way->gap_m - s->snap_m))
        continue;
      if (!is_shallow && !ts_semi_is_of_region(&c) && is_beaten(list, &c.at))
        continue;
      // No deeper than the bodies are in each other.
      if (c.at.gap_m * ts_max(cosine, 0) < way->gap_m - list->same_m)
        c.at.gap_m = way->gap_m;
    }
    list->contacts[list->count] = c;
    if (fits && !c.group && c.at.gap_m <= way->gap_m + s->snap_m &&
        (!deepest || c.at.gap_m < deepest->at.gap_m))
      deepest = &list->contacts[list->count];
    list->count++;
  }
  return deepest;
}

/// Adds contacts along the way out, in the place of those that are there already.
static void add_meeting(settled_list *list, const ts_semi_contact *meeting, size_t count) {
  double same = TS_SEMI_CORNER_SNAPS * list->pair->s.snap_m;
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) {
    bool is_there = false;
    for (size_t k = 0; k < count; k++)
      is_there |= !list->contacts[i].group &&
                  ts_vec3_distance(list->contacts[i].at.point, meeting[k].at.point) <= same;
    if (!is_there)
      list->contacts[kept++] = list->contacts[i];
  }
  for (size_t k = 0; k < count; k++)
    list->contacts[kept++] = meeting[k];
  list->count = kept;
}

ts_status ts_semi_settle_convex(ts_semi_contacts *out, const ts_semi_pair *pair,
                                const ts_semi_contacts *contacts) {
  ts_semi_contacts beside_none;
  TS_TRY(ts_semi_leave_out_beside(&beside_none, pair, contacts));
  contacts = &beside_none;
  ts_vec3 directions[DIRECTIONS_MAX];
  size_t direction_count = list_directions(directions, contacts), count;
  double touch_m = TS_POSITION_RELATIVE * pair->size_m;
  ts_convex_way way;
  TS_TRY(find_way(&way, pair, directions, direction_count, touch_m));
  if (way.gap_m >= -touch_m)
    return ts_semi_lift(out, pair, contacts, way.gap_m, touch_m);
  double same_m = alike_m(pair, contacts);
  prefer(&way, pair, directions, direction_count, same_m);
  if (contacts->count == 0 && -way.gap_m > pair->s.depth_m && ts_semi_is_inside(pair))
    return refuse(pair, -way.gap_m);
  ts_semi_contact *meeting;
  TS_TRY(find_meeting(&meeting, &count, pair, &way));
  settled_list list = {.pair = pair, .way = &way, .same_m = same_m};
  list.contacts = ts_semi_scratch(pair->memory, contacts->count + count, sizeof *list.contacts);
  ts_vec3 *points = ts_semi_scratch(pair->memory, count, sizeof *points);
  if (!list.contacts || !points)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    points[i] = meeting[i].at.point;
  list.meeting_points = points;
  list.meeting_count = count;
  ts_semi_contact *deepest = keep_fitting(&list, contacts);
  if (deepest && deepest->at.gap_m > way.gap_m + same_m)
    deepest->at.gap_m = way.gap_m;
  else if (!deepest)
    add_meeting(&list, meeting, count);
  *out = (ts_semi_contacts){list.count, list.contacts, contacts->group_count};
  return TS_OK;
}

ts_status ts_semi_leave(ts_semi_contacts *out, const ts_semi_pair *pair) {
  ts_convex_way way;
  TS_TRY(find_way(&way, pair, NULL, 0, 0));
  if (-way.gap_m > pair->s.depth_m)
    return refuse(pair, -way.gap_m);
  ts_semi_contact *meeting;
  size_t count;
  TS_TRY(find_meeting(&meeting, &count, pair, &way));
  *out = (ts_semi_contacts){.count = count, .contacts = meeting};
  return TS_OK;
}
