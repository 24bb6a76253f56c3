// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_penetration.h"

#include "base/status.h"
#include "geometry/mesh/winding.h"
#include "geometry/tolerances.h"
#include "methods/semi_local/semi_beside.h"
#include "methods/semi_local/semi_overlap.h"

enum { NORMALS_MAX = 96, RIDGES_MAX = 8 };

ts_status ts_semi_find_penetration(ts_semi_penetration *out, const ts_semi_pair *pair,
                                   const ts_semi_close_pairs *close,
                                   const ts_semi_contacts *found) {
  *out = (ts_semi_penetration){.is_inside = false};
  TS_TRY(ts_semi_find_crossings(&out->crossings, pair, close));
  out->is_flush = out->crossings.count == 0;
  if (!out->is_flush)
    return TS_OK;
  out->is_inside = found->count == 0 && ts_semi_is_inside(pair);
  if (out->is_inside || (found->count > 0 && !ts_semi_may_look_for_flush(pair, &out->crossings)))
    return TS_OK;
  const ts_semi_crossings touching = out->crossings;
  TS_TRY(ts_semi_find_flush(&out->crossings, pair, &touching));
  out->is_apart = out->crossings.count == 0;
  return TS_OK;
}

/// One connected part of the overlap.
typedef struct overlap_part {
  const ts_semi_pair *pair;
  const ts_semi_crossings *crossings;
  const ts_semi_overlap_point *points;
  size_t count;
} overlap_part;

/// Directions without repetition. When there are too many, as in a curved surface, there are none:
/// which of them found room would depend on their order.
typedef struct directions {
  size_t count, count_max;
  bool is_full;
  ts_vec3 of[NORMALS_MAX];
} directions;

static void add_direction(directions *d, ts_vec3 direction) {
  for (size_t i = 0; i < d->count && !d->is_full; i++)
    if (ts_vec3_norm2(ts_vec3_cross(d->of[i], direction)) <
        TS_SEMI_SAME_AXIS_SINE * TS_SEMI_SAME_AXIS_SINE)
      return;
  if (d->count == d->count_max)
    d->is_full = true;
  if (!d->is_full)
    d->of[d->count++] = direction;
}

static size_t usable(const directions *d) {
  return d->is_full ? 0 : d->count;
}

/// The surface in a part.
typedef struct part_surface {
  directions normals[2], ridges[2]; ///< of each body
  ts_vec3 mean; ///< normal of the surface of body 0 in the part minus that of body 1
} part_surface;

static void part_surface_clear(part_surface *out) {
  out->mean = (ts_vec3){0, 0, 0};
  for (int i = 0; i < 2; i++) {
    out->normals[i].count = out->ridges[i].count = 0;
    out->normals[i].is_full = out->ridges[i].is_full = false;
    out->normals[i].count_max = NORMALS_MAX;
    out->ridges[i].count_max = RIDGES_MAX;
  }
}

/// Adds the patches around a vertex in the part.
static void add_vertex(part_surface *out, const ts_semi_side *side, int body, uint32_t vertex) {
  const ts_patches *patches = side->patches;
  uint32_t c = patches->corner_of_vertex[vertex];
  double sign = body == 0 ? 1 : -1;
  for (uint32_t k = 0; c != TS_NO_CORNER && k < patches->corners[c].patch_count; k++) {
    ts_vec3 n = side->normals[patches->patches_of_corners[patches->corners[c].first_patch + k]];
    out->mean = ts_vec3_add_scaled(out->mean, sign, n);
    add_direction(&out->normals[body], n);
  }
}

/// Adds what a cut triangle's patch ends at: a body that goes through it may leave over its rim.
static void add_rim(part_surface *out, const ts_semi_side *side, int body, uint32_t triangle) {
  const uint32_t *v = side->mesh->triangles[triangle];
  uint32_t patch = side->patches->patch_of[triangle];
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t beside = side->patches->patch_of[side->mesh->edge_twin[3 * triangle + i] / 3];
    if (beside == patch)
      continue;
    add_direction(&out->normals[body], side->normals[beside]);
    add_direction(&out->ridges[body],
                  ts_vec3_unit(ts_vec3_sub(side->vertices[v[(i + 1) % 3]], side->vertices[v[i]])));
  }
}

/// Adds the patches on both sides of an edge that goes through a triangle, and the triangle's.
static void add_crossing(part_surface *out, const ts_semi_pair *pair, const ts_semi_crossing *x) {
  int body = x->body, other_body = 1 - body;
  const ts_semi_side *own = &pair->side[body], *other = &pair->side[other_body];
  uint32_t beside = own->mesh->edge_twin[x->half_edge];
  uint32_t patch[2] = {own->patches->patch_of[x->half_edge / 3],
                       own->patches->patch_of[beside / 3]};
  double sign = body == 0 ? 1 : -1;
  for (int k = 0; k < 2; k++) {
    out->mean = ts_vec3_add_scaled(out->mean, 0.5 * sign, own->normals[patch[k]]);
    add_direction(&out->normals[body], own->normals[patch[k]]);
  }
  ts_vec3 n = other->normals[other->patches->patch_of[x->triangle]];
  out->mean = ts_vec3_add_scaled(out->mean, -sign, n);
  add_direction(&out->normals[other_body], n);
  add_rim(out, other, other_body, x->triangle);
  if (patch[0] != patch[1])
    add_direction(&out->ridges[body],
                  ts_vec3_unit(ts_vec3_cross(own->normals[patch[0]], own->normals[patch[1]])));
}

static void look_around(part_surface *out, const overlap_part *part) {
  part_surface_clear(out);
  for (size_t i = 0; i < part->count; i++) {
    const ts_semi_overlap_point *p = &part->points[i];
    if (p->body >= 0)
      add_vertex(out, &part->pair->side[p->body], p->body, p->index);
    else
      add_crossing(out, part->pair, &part->crossings->crossings[p->index]);
  }
}

/// A direction that an overlap may leave along: how far body 1 has to move, and where that is.
typedef struct axis {
  ts_vec3 normal;
  double depth_m, middle_m;
  bool is_way_out; ///< Neither body goes on beyond the part.
} axis;

/// The axes of a part under test.
typedef struct axis_search {
  const ts_semi_pair *pair;
  /// Of each body what is to be separated, as half edges that begin there: its vertices in the
  /// part, and the corners of its triangles and edges that are cut, so that a wide face is not left
  /// sideways.
  uint32_t *points[2];
  size_t count[2];
  ts_vec3 mean; ///< as in part_surface
  axis best;
} axis_search;

static ts_status list_points(axis_search *s, const overlap_part *part) {
  for (int body = 0; body < 2; body++) {
    s->points[body] = ts_semi_scratch(s->pair->memory, 3 * part->count, sizeof *s->points[body]);
    if (!s->points[body])
      return TS_E_MEMORY;
  }
  for (size_t i = 0; i < part->count; i++) {
    const ts_semi_overlap_point *p = &part->points[i];
    if (p->body >= 0) {
      s->points[p->body][s->count[p->body]++] = p->half_edge;
      continue;
    }
    const ts_semi_crossing *x = &part->crossings->crossings[p->index];
    s->points[x->body][s->count[x->body]++] = x->half_edge;
    s->points[x->body][s->count[x->body]++] = s->pair->side[x->body].mesh->edge_twin[x->half_edge];
    for (uint32_t k = 0; k < 3; k++)
      s->points[1 - x->body][s->count[1 - x->body]++] = 3 * x->triangle + k;
  }
  return TS_OK;
}

/// How far a body reaches, and whether its surface goes no farther from there.
static double farthest(bool *out_ends, const axis_search *s, int body, ts_vec3 direction) {
  const ts_semi_side *side = &s->pair->side[body];
  const ts_mesh *mesh = side->mesh;
  double reach = -INFINITY;
  uint32_t at = 0;
  for (size_t i = 0; i < s->count[body]; i++) {
    uint32_t h = s->points[body][i];
    double along = ts_vec3_dot(direction, side->vertices[ts_semi_start(mesh, h)]);
    if (along > reach) {
      reach = along;
      at = h;
    }
  }
  *out_ends = s->count[body] > 0;
  uint32_t h = at;
  do {
    uint32_t twin = mesh->edge_twin[h];
    *out_ends &= ts_vec3_dot(direction, side->vertices[ts_semi_start(mesh, twin)]) <=
                 reach + s->pair->s.snap_m;
    h = ts_semi_around(mesh, h);
  } while (h != at);
  return reach;
}

/// Tries both ways along an axis. Where a body goes on beyond the part, how far it has to move is
/// not known, and only the way that its surface faces is tried.
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

/// The best axis of a part; its depth is infinite where there is none.
static ts_status find_axis(axis *out, const overlap_part *part) {
  part_surface surface;
  look_around(&surface, part);
  const directions *normals = surface.normals, *ridges = surface.ridges;
  axis_search s = {.pair = part->pair, .mean = surface.mean, .best = {.depth_m = INFINITY}};
  TS_TRY(list_points(&s, part));
  try_axis(&s, ts_vec3_unit(s.mean));
  for (int body = 0; body < 2; body++)
    for (size_t i = 0; i < usable(&normals[body]); i++)
      try_axis(&s, normals[body].of[i]);
  for (size_t i = 0; i < usable(&ridges[0]); i++)
    for (size_t k = 0; k < usable(&ridges[1]); k++)
      try_axis(&s, ts_vec3_unit(ts_vec3_cross(ridges[0].of[i], ridges[1].of[k])));
  *out = s.best;
  return TS_OK;
}

/// The contact of a part along its best axis. False when there is none.
static bool make_contact(ts_semi_contact *out, const overlap_part *part, const axis *way) {
  if (!isfinite(way->depth_m))
    return false;
  ts_vec3 sum = {0, 0, 0};
  const ts_semi_crossing *x = NULL;
  for (size_t i = 0; i < part->count; i++) {
    sum = ts_vec3_add_scaled(sum, 1.0 / (double)part->count, part->points[i].point);
    if (!x && part->points[i].body < 0)
      x = &part->crossings->crossings[part->points[i].index];
  }
  if (!x)
    return false;
  double off = way->middle_m - ts_vec3_dot(way->normal, sum);
  *out = (ts_semi_contact){.at = {.normal = way->normal,
                                  .point = ts_vec3_add_scaled(sum, off, way->normal),
                                  .gap_m = -way->depth_m,
                                  .patches = {TS_SEMI_NO_PATCH, TS_SEMI_NO_PATCH}},
                           .choice = TS_SEMI_NO_CHOICE};
  out->at.features[x->body] = (ts_feature){TS_FEATURE_FACE, x->half_edge / 3};
  out->at.features[1 - x->body] = (ts_feature){TS_FEATURE_FACE, x->triangle};
  return true;
}

/// The point of a part that is the farthest from the line, or along the normal of the plane, that
/// `direction` is of; how far is `*out_m`.
static ts_vec3 farthest_from(double *out_m, const overlap_part *part, ts_vec3 from,
                             ts_vec3 direction, bool is_line) {
  ts_vec3 best = from;
  *out_m = 0;
  for (size_t i = 0; i < part->count; i++) {
    ts_vec3 p = ts_vec3_sub(part->points[i].point, from);
    double away_m =
        is_line ? ts_vec3_norm(ts_vec3_cross(direction, p)) : fabs(ts_vec3_dot(direction, p));
    if (away_m > *out_m) {
      *out_m = away_m;
      best = part->points[i].point;
    }
  }
  return best;
}

/// An upper bound of how thick a part is; next to nothing where its points lie in a plane or line.
static double thickness_of(const overlap_part *part) {
  ts_vec3 from = part->points[0].point, to = from;
  for (size_t i = 1; i < part->count; i++)
    if (ts_vec3_distance(part->points[i].point, from) > ts_vec3_distance(to, from))
      to = part->points[i].point;
  ts_vec3 along = ts_vec3_unit(ts_vec3_sub(to, from));
  double away_m;
  ts_vec3 beside = farthest_from(&away_m, part, from, along, true);
  if (away_m <= part->pair->s.snap_m)
    return 2 * away_m;
  ts_vec3 normal = ts_vec3_unit(ts_vec3_cross(along, ts_vec3_sub(beside, from)));
  (void)farthest_from(&away_m, part, from, normal, false);
  return 2 * away_m;
}

/// Whether some contact of at most this gap lies in the box of a part.
static bool has_contact(const overlap_part *part, const ts_semi_contacts *found, double gap_m) {
  ts_aabb box = ts_aabb_empty();
  for (size_t i = 0; i < part->count; i++)
    box = ts_aabb_add(box, part->points[i].point);
  box = ts_aabb_inflate(box, part->pair->s.snap_m);
  for (size_t i = 0; i < found->count; i++) {
    const ts_semi_candidate *c = &found->contacts[i].at;
    // A contact is midway between two surfaces, half its depth away from either.
    if (c->gap_m <= gap_m && ts_aabb_contains(ts_aabb_inflate(box, 0.5 * fabs(c->gap_m)), c->point))
      return true;
  }
  return false;
}

/// Whether a part lies between the surfaces of a region of at most this gap: the contacts at the
/// region's corners are its own, though where it is shallow its box does not reach them.
static bool is_of_region(const overlap_part *part, const ts_semi_region *region, double gap_m) {
  double near_m = TS_SEMI_CORNER_SNAPS * part->pair->s.snap_m, low = INFINITY, high = -INFINITY;
  if (region->is_dropped || region->gap_min_m > gap_m)
    return false;
  for (size_t i = 0; i < region->corner_count; i++)
    for (int body = 0; body < 2; body++) {
      low = ts_min(low, region->corners[i].height[body]);
      high = ts_max(high, region->corners[i].height[body]);
    }
  for (size_t i = 0; i < part->count; i++) {
    ts_vec3 point = part->points[i].point;
    double height = ts_vec3_dot(region->normal, point);
    if (height < low - near_m || height > high + near_m ||
        ts_semi_region_distance(region, point) > near_m)
      return false;
  }
  return true;
}

/// Whether the middle of a part is inside both bodies. It is not where edges of one only pass
/// through rims of faces of the other, as those of a corner around a box do that stands in it.
static bool overlaps_in_middle(const overlap_part *part) {
  ts_vec3 middle = {0, 0, 0};
  for (size_t i = 0; i < part->count; i++)
    middle = ts_vec3_add_scaled(middle, 1.0 / (double)part->count, part->points[i].point);
  for (int body = 0; body < 2; body++) {
    const ts_semi_side *side = &part->pair->side[body];
    if (!(ts_winding(side->mesh, side->vertices, middle) > TS_SEMI_WITHIN_WINDING))
      return false;
  }
  return true;
}

/// Whether a part has a contact, or a region, of at most this gap.
static bool has_any(const overlap_part *part, const ts_semi_regions *regions,
                    const ts_semi_contacts *found, double gap_m) {
  if (has_contact(part, found, gap_m))
    return true;
  for (size_t i = 0; i < regions->count; i++)
    if (is_of_region(part, &regions->regions[i], gap_m))
      return true;
  return false;
}

/// Whether a part that is this deep, and no deeper than it is thick, has a contact. One that only
/// touches is not enough, unless the part only touches, too: as where a wedge ends in a groove,
/// whose bottom goes through its faces there.
static bool is_settled(const overlap_part *part, const ts_semi_regions *regions,
                       const ts_semi_contacts *found, double depth_m) {
  double snap = part->pair->s.snap_m, thick_m = thickness_of(part);
  double gap_m = snap - ts_min(2 * snap, ts_max(ts_min(depth_m, thick_m), 0));
  if (has_any(part, regions, found, gap_m))
    return true;
  return gap_m < snap && has_any(part, regions, found, snap) && !overlaps_in_middle(part);
}

/// Moves a contact that is beside a body, as the middle of a bent part may be, to the crossing of
/// the part that is nearest to it, which is on both surfaces.
static ts_status keep_beside_none(ts_semi_contact *contact, const overlap_part *part) {
  double near_m = fabs(contact->at.gap_m) + TS_POSITION_RELATIVE * part->pair->size_m;
  bool is_far = false;
  for (int body = 0; body < 2 && !is_far; body++)
    TS_TRY(ts_semi_is_far(&is_far, part->pair, body, contact->at.point, near_m));
  if (!is_far)
    return TS_OK;
  ts_vec3 middle = contact->at.point;
  double nearest_m = INFINITY;
  for (size_t i = 0; i < part->count; i++) {
    double distance_m = ts_vec3_distance(part->points[i].point, middle);
    if (part->points[i].body < 0 && distance_m < nearest_m) {
      nearest_m = distance_m;
      contact->at.point = part->points[i].point;
    }
  }
  return TS_OK;
}

ts_status ts_semi_find_ways_out(ts_semi_contacts *out, const ts_semi_pair *pair,
                                const ts_semi_penetration *penetration,
                                const ts_semi_regions *regions, const ts_semi_contacts *found) {
  ts_semi_overlap overlap;
  TS_TRY(ts_semi_find_overlap(&overlap, pair, &penetration->crossings));
  ts_semi_contact *contacts = NULL;
  size_t count = 0, capacity = 0;
  for (size_t first = 0, end; first < overlap.count; first = end) {
    for (end = first + 1; end < overlap.count; end++)
      if (!penetration->is_flush && overlap.points[end].part != overlap.points[first].part)
        break;
    const overlap_part part = {pair, &penetration->crossings, overlap.points + first, end - first};
    axis way;
    TS_TRY(find_axis(&way, &part));
    if (is_settled(&part, regions, found, way.depth_m))
      continue;
    TS_TRY(TS_SEMI_GROW(contacts, capacity, count, pair->memory));
    if (!make_contact(&contacts[count], &part, &way))
      continue;
    TS_TRY(keep_beside_none(&contacts[count], &part));
    count++;
  }
  if (count + found->count == 0)
    return pair->memory->host->fail(
        pair->memory->host, TS_E_UNSUPPORTED,
        "the bodies overlap and no direction separates them: move them apart");
  *out = (ts_semi_contacts){.count = count, .contacts = contacts};
  return TS_OK;
}
