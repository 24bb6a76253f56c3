// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_penetration.h"

#include "base/status.h"
#include "methods/semi_local/semi_overlap.h"

enum { DOUBLINGS_MAX = 3, AXES_MAX = 96, RIDGES_MAX = 8 };

/// A direction that an overlap may leave along: how far body 1 has to move, and where that is.
typedef struct axis {
  ts_vec3 normal;
  double depth_m, middle_m;
  bool is_way_out; ///< Neither body goes on beyond the part.
} axis;

/// The axes of a part under test.
typedef struct axis_search {
  const ts_semi_pair *pair;
  /// Of each body what is to be parted, as half edges that begin there: its vertices in the part,
  /// and the corners of its triangles and edges that are cut, so that a wide face is not left
  /// sideways.
  uint32_t *points[2];
  size_t count[2];
  ts_vec3 mean; ///< normal of the surface of body 0 in the part less that of body 1
  axis best;
} axis_search;

/// The farthest point of a body, and whether the surface goes no farther from there.
static double farthest(bool *out_ends, const axis_search *s, int body, ts_vec3 direction) {
  const ts_semi_side *side = &s->pair->side[body];
  const ts_mesh *mesh = side->mesh;
  double most = -INFINITY;
  uint32_t at = 0;
  for (size_t i = 0; i < s->count[body]; i++) {
    uint32_t h = s->points[body][i];
    double along = ts_vec3_dot(direction, side->vertices[ts_semi_start(mesh, h)]);
    if (along > most) {
      most = along;
      at = h;
    }
  }
  *out_ends = s->count[body] > 0;
  uint32_t h = at;
  do {
    uint32_t twin = mesh->edge_twin[h];
    *out_ends &= ts_vec3_dot(direction, side->vertices[ts_semi_start(mesh, twin)]) <=
                 most + s->pair->s.snap_m;
    h = mesh->edge_twin[ts_semi_next(ts_semi_next(h))];
  } while (h != at);
  return most;
}

/// Tries both ways along an axis. Where a body goes on beyond the part, how far it has to move is
/// not known, and only the way that the surfaces look is tried.
static void try_axis(axis_search *s, ts_vec3 normal) {
  if (!(ts_vec3_norm2(normal) > 0))
    return;
  for (int turn = 0; turn < 2; turn++, normal = ts_vec3_neg(normal)) {
    bool ends[2];
    double high = farthest(&ends[0], s, 0, normal);
    double low = -farthest(&ends[1], s, 1, ts_vec3_neg(normal));
    axis way = {normal, high - low, 0.5 * (low + high), ends[0] && ends[1]};
    if (!way.is_way_out && ts_vec3_dot(normal, s->mean) < 0)
      continue;
    if (way.is_way_out == s->best.is_way_out ? way.depth_m < s->best.depth_m : way.is_way_out)
      s->best = way;
  }
}

static ts_status list_points(axis_search *s, const ts_semi_overlap *overlap,
                             const ts_semi_overlap_point *points, size_t count) {
  for (int body = 0; body < 2; body++) {
    s->points[body] = ts_semi_scratch(s->pair->host, 3 * count, sizeof *s->points[body]);
    if (!s->points[body])
      return TS_E_MEMORY;
  }
  for (size_t i = 0; i < count; i++) {
    const ts_semi_overlap_point *p = &points[i];
    if (p->body >= 0) {
      s->points[p->body][s->count[p->body]++] = p->half_edge;
      continue;
    }
    const ts_semi_crossing *x = &overlap->crossings.of[p->index];
    s->points[x->body][s->count[x->body]++] = x->half_edge;
    s->points[x->body][s->count[x->body]++] = s->pair->side[x->body].mesh->edge_twin[x->half_edge];
    for (uint32_t k = 0; k < 3; k++)
      s->points[1 - x->body][s->count[1 - x->body]++] = 3 * x->triangle + k;
  }
  return TS_OK;
}

/// Directions without repetition. When there are too many, as in a curved surface, there are none:
/// which of them would have found room is a matter of order.
typedef struct directions {
  size_t count, most;
  bool is_full;
  ts_vec3 of[AXES_MAX];
} directions;

static void add_direction(directions *d, ts_vec3 direction) {
  for (size_t i = 0; i < d->count && !d->is_full; i++)
    if (ts_vec3_norm2(ts_vec3_cross(d->of[i], direction)) < 1e-6)
      return;
  if (d->count == d->most)
    d->is_full = true;
  if (!d->is_full)
    d->of[d->count++] = direction;
}

static size_t usable(const directions *d) {
  return d->is_full ? 0 : d->count;
}

/// Adds what a cut triangle's patch ends at: a body that goes through it may leave over its rim.
static void add_rim(directions *normals, directions *ridges, const ts_semi_side *side,
                    uint32_t triangle) {
  const uint32_t *v = side->mesh->triangles[triangle];
  uint32_t patch = side->patches->patch_of[triangle];
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t beside = side->patches->patch_of[side->mesh->edge_twin[3 * triangle + i] / 3];
    if (beside == patch)
      continue;
    add_direction(normals, side->normals[beside]);
    add_direction(ridges,
                  ts_vec3_unit(ts_vec3_sub(side->vertices[v[(i + 1) % 3]], side->vertices[v[i]])));
  }
}

/// The surface inside a part: a sum over the patches around its vertices and crossings, and their
/// normals and ridges.
static void look_around(directions normals[2], directions ridges[2], ts_vec3 *out_mean,
                        const ts_semi_pair *pair, const ts_semi_overlap *overlap,
                        const ts_semi_overlap_point *points, size_t count) {
  *out_mean = (ts_vec3){0, 0, 0};
  for (size_t i = 0; i < count; i++) {
    const ts_semi_overlap_point *p = &points[i];
    if (p->body >= 0) {
      const ts_patches *patches = pair->side[p->body].patches;
      uint32_t c = patches->corner_of_vertex[p->index];
      double sign = p->body == 0 ? 1 : -1;
      for (uint32_t k = 0; c != TS_NO_CORNER && k < patches->corners[c].patch_count; k++) {
        uint32_t patch = patches->patches_of_corners[patches->corners[c].first_patch + k];
        ts_vec3 n = pair->side[p->body].normals[patch];
        *out_mean = ts_vec3_add_scaled(*out_mean, sign, n);
        add_direction(&normals[p->body], n);
      }
      continue;
    }
    const ts_semi_crossing *x = &overlap->crossings.of[p->index];
    const ts_semi_side *own = &pair->side[x->body], *other = &pair->side[1 - x->body];
    uint32_t beside = own->mesh->edge_twin[x->half_edge];
    uint32_t patch[2] = {own->patches->patch_of[x->half_edge / 3],
                         own->patches->patch_of[beside / 3]};
    double sign = x->body == 0 ? 1 : -1;
    for (int k = 0; k < 2; k++) {
      *out_mean = ts_vec3_add_scaled(*out_mean, 0.5 * sign, own->normals[patch[k]]);
      add_direction(&normals[x->body], own->normals[patch[k]]);
    }
    ts_vec3 n = other->normals[other->patches->patch_of[x->triangle]];
    *out_mean = ts_vec3_add_scaled(*out_mean, -sign, n);
    add_direction(&normals[1 - x->body], n);
    add_rim(&normals[1 - x->body], &ridges[1 - x->body], other, x->triangle);
    if (patch[0] != patch[1])
      add_direction(&ridges[x->body],
                    ts_vec3_unit(ts_vec3_cross(own->normals[patch[0]], own->normals[patch[1]])));
  }
}

/// The contact of one part of the overlap, points [count].
static ts_status add_contact(ts_semi_pair *pair, const ts_semi_overlap *overlap,
                             const ts_semi_overlap_point *points, size_t count) {
  directions normals[2], ridges[2];
  for (int i = 0; i < 2; i++) {
    normals[i].count = ridges[i].count = 0;
    normals[i].is_full = ridges[i].is_full = false;
    normals[i].most = AXES_MAX;
    ridges[i].most = RIDGES_MAX;
  }
  axis_search s = {.pair = pair, .best = {.depth_m = INFINITY}};
  TS_TRY(list_points(&s, overlap, points, count));
  look_around(normals, ridges, &s.mean, pair, overlap, points, count);
  try_axis(&s, ts_vec3_unit(s.mean));
  for (int body = 0; body < 2; body++)
    for (size_t i = 0; i < usable(&normals[body]); i++)
      try_axis(&s, normals[body].of[i]);
  for (size_t i = 0; i < usable(&ridges[0]); i++)
    for (size_t k = 0; k < usable(&ridges[1]); k++)
      try_axis(&s, ts_vec3_unit(ts_vec3_cross(ridges[0].of[i], ridges[1].of[k])));
  if (!isfinite(s.best.depth_m))
    return TS_OK;
  ts_vec3 sum = {0, 0, 0};
  const ts_semi_crossing *x = NULL;
  for (size_t i = 0; i < count; i++) {
    sum = ts_vec3_add_scaled(sum, 1.0 / (double)count, points[i].point);
    if (!x && points[i].body < 0)
      x = &overlap->crossings.of[points[i].index];
  }
  if (!x)
    return TS_OK;
  double off = s.best.middle_m - ts_vec3_dot(s.best.normal, sum);
  ts_semi_contact contact = {.at = {.normal = s.best.normal,
                                    .point = ts_vec3_add_scaled(sum, off, s.best.normal),
                                    .gap_m = -s.best.depth_m,
                                    .patches = {TS_SEMI_NO_PATCH, TS_SEMI_NO_PATCH}},
                             .site = SIZE_MAX};
  contact.at.features[x->body] = (ts_feature){TS_FEATURE_FACE, x->half_edge / 3};
  contact.at.features[1 - x->body] = (ts_feature){TS_FEATURE_FACE, x->triangle};
  TS_TRY(ts_semi_grow((void **)&pair->contacts, &pair->contact_capacity, pair->contact_count,
                      sizeof *pair->contacts, pair->host));
  pair->contacts[pair->contact_count++] = contact;
  return TS_OK;
}

/// Whether some contact that touches or overlaps lies in the box of a part.
static bool has_contact(const ts_semi_pair *pair, size_t contact_count,
                        const ts_semi_overlap_point *points, size_t count) {
  ts_aabb box = ts_aabb_empty();
  for (size_t i = 0; i < count; i++)
    box = ts_aabb_add(box, points[i].point);
  box = ts_aabb_inflate(box, pair->s.snap_m);
  for (size_t i = 0; i < contact_count; i++) {
    const ts_semi_contact *c = &pair->contacts[i];
    // A contact stands midway between two surfaces, half its depth away from either.
    if (c->at.gap_m <= pair->s.snap_m &&
        ts_aabb_contains(ts_aabb_inflate(box, 0.5 * fabs(c->at.gap_m)), c->at.point))
      return true;
  }
  return false;
}

ts_status ts_semi_find_penetration(ts_semi_pair *pair, ts_semi_find find) {
  ts_semi_overlap overlap = {.point_count = 0};
  TS_TRY(ts_semi_find_crossings(&overlap.crossings, pair));
  bool is_flush = overlap.crossings.count == 0;
  if (is_flush) {
    if (pair->contact_count > 0)
      return TS_OK;
    if (ts_semi_is_inside(pair))
      return pair->host->fail(pair->host, TS_E_UNSUPPORTED,
                              "one body lies all inside the other, deeper than depth_m: there is "
                              "no way out to tell; give more depth_m, or move the bodies apart");
    TS_TRY(ts_semi_find_flush(&overlap.crossings, pair));
    if (overlap.crossings.count == 0)
      return TS_OK;
  }
  double slack = pair->s.slack, depth = pair->s.depth_m;
  pair->s.depth_m = 2 * depth;
  for (int i = 0; i < DOUBLINGS_MAX && pair->contact_count == 0; i++) {
    slack *= 2;
    TS_TRY(find(pair, slack));
  }
  pair->s.depth_m = depth;
  TS_TRY(ts_semi_find_parts(&overlap, pair));
  size_t found = pair->contact_count;
  for (size_t first = 0, end; first < overlap.point_count; first = end) {
    for (end = first + 1; end < overlap.point_count; end++)
      if (!is_flush && overlap.points[end].part != overlap.points[first].part)
        break;
    if (!has_contact(pair, found, overlap.points + first, end - first))
      TS_TRY(add_contact(pair, &overlap, overlap.points + first, end - first));
  }
  if (pair->contact_count == 0)
    return pair->host->fail(pair->host, TS_E_UNSUPPORTED,
                            "the bodies overlap and no direction parts them: move them apart");
  return TS_OK;
}
