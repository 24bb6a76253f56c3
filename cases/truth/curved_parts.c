// SPDX-License-Identifier: MIT
// Curved shapes against shapes that are not convex: by convex parts of these.
#include "base/array.h"
#include "base/status.h"
#include "cases/truth/curved_search.h"
#include "geometry/mesh/winding.h"
#include "geometry/polygon.h"
#include "geometry/tolerances.h"

ts_status ts_curved_add_place(ts_curved_search *s, const ts_solid_place *place) {
  ts_solid_place *places = ts_arena_array(s->arena, s->count + 1, sizeof *places);
  if (!places)
    return TS_E_MEMORY;
  if (s->count > 0)
    memcpy(places, s->places, s->count * sizeof *places);
  places[s->count++] = *place;
  s->places = places;
  return TS_OK;
}

// ---- parts ------------------------------------------------------------------------------------

static ts_status add_part(ts_curved_parts *parts, const ts_curved_search *s, const ts_mesh *mesh,
                          ts_pose pose) {
  TS_TRY(TS_ARENA_GROW(parts->parts, parts->capacity, parts->count, 1, s->arena));
  return ts_solid_of_mesh(&parts->parts[parts->count++], s->arena, mesh, pose);
}

typedef struct triangle_list {
  ts_curved_parts *parts;
  const ts_curved_search *search;
  const ts_mesh *mesh;
  ts_pose pose;
} triangle_list;

/// A triangle with two sides.
static ts_status add_triangle(void *context, uint32_t triangle, uint32_t unused) {
  (void)unused;
  static const uint32_t sides[2][3] = {{0, 1, 2}, {0, 2, 1}};
  static const uint32_t twins[6] = {5, 4, 3, 2, 1, 0};
  triangle_list *list = context;
  ts_arena *arena = list->search->arena;
  ts_vec3 *corners = ts_arena_array(arena, 3, sizeof *corners);
  ts_mesh *thin = ts_arena_alloc(arena, sizeof *thin);
  if (!corners || !thin)
    return TS_E_MEMORY;
  for (int i = 0; i < 3; i++)
    corners[i] = list->mesh->vertices[list->mesh->triangles[triangle][i]];
  *thin = (ts_mesh){.vertex_count = 3,
                    .vertices = corners,
                    .triangle_count = 2,
                    .triangles = sides,
                    .edge_twin = twins};
  return add_part(list->parts, list->search, thin, list->pose);
}

/// Within what distance of its middle, in the frame of the other body, parts are listed: of the
/// farthest point of the curved solid, and as far again, which is more than it moves out of a part.
static double reach_of(const ts_curved_search *s, const ts_solid *curved) {
  const ts_geometry *g = curved->geometry;
  return 2 * (g->radius_m + g->half_length_m) + s->touch_m;
}

ts_status ts_curved_list_triangles(ts_curved_parts *parts, const ts_curved_search *s,
                                   const ts_mesh *mesh, const ts_bvh *triangles, ts_pose pose) {
  const ts_solid *curved = &parts->curved;
  ts_vec3 middle = ts_pose_point_local(pose, curved->pose.translation);
  triangle_list list = {parts, s, mesh, pose};
  parts->are_triangles = true;
  parts->is_inside = ts_aabb_contains(ts_mesh_bounds(mesh), middle) &&
                     ts_winding(mesh, mesh->vertices, middle) > 0.5;
  return ts_bvh_near(triangles, middle, reach_of(s, curved), add_triangle, &list);
}

ts_status ts_curved_list_pieces(ts_curved_parts *parts, const ts_curved_search *s,
                                const ts_shape *shape, ts_pose pose) {
  ts_vec3 middle = ts_pose_point_local(pose, parts->curved.pose.translation);
  double reach_m = reach_of(s, &parts->curved);
  for (size_t i = 0; i < shape->piece_count; i++)
    if (ts_aabb_contains(ts_aabb_inflate(ts_mesh_bounds(shape->pieces[i]), reach_m), middle))
      TS_TRY(add_part(parts, s, shape->pieces[i], pose));
  return TS_OK;
}

// ---- places -----------------------------------------------------------------------------------

/// A part and how it lies to the curved solid.
typedef struct found_part {
  const ts_solid *of[2]; ///< in the order of the bodies
  const ts_solid *part;
  ts_solid_separation separation;
} found_part;

static ts_status separate_all(found_part **out, const ts_curved_search *s,
                              const ts_curved_parts *parts) {
  found_part *found = ts_arena_array(s->arena, parts->count, sizeof *found);
  if (!found)
    return TS_E_MEMORY;
  for (size_t i = 0; i < parts->count; i++) {
    found_part *f = &found[i];
    f->part = &parts->parts[i];
    f->of[parts->curved_is_a ? 0 : 1] = &parts->curved;
    f->of[parts->curved_is_a ? 1 : 0] = f->part;
    ts_solid_separate(&f->separation, f->of[0], f->of[1], s->touch_m);
  }
  *out = found;
  return TS_OK;
}

static const found_part *nearest_of(const found_part *found, size_t count) {
  const found_part *nearest = NULL;
  for (size_t i = 0; i < count; i++)
    if (!nearest || found[i].separation.way.gap_m < nearest->separation.way.gap_m)
      nearest = &found[i];
  return nearest;
}

static ts_vec3 middle_of(const ts_solid_place *place) {
  return place->count == 2 ? ts_vec3_mid(place->vertices[0], place->vertices[1])
                           : place->vertices[0];
}

/// Whether some other part that is at a place is nearer than the part that it was found on.
static bool is_passed(const ts_curved_search *s, const found_part *found, size_t count,
                      const found_part *of, const ts_solid_place *place) {
  double same_m = TS_TOUCH_RELATIVE * s->touch_m +
                  TS_MOTION_ROUNDING_RELATIVE * ts_vec3_norm(of->part->pose.translation);
  for (size_t i = 0; i < count; i++)
    if (&found[i] != of && found[i].separation.way.gap_m < of->separation.way.gap_m - same_m &&
        ts_solid_distance(found[i].part, middle_of(place)) <= 2 * s->touch_m)
      return true;
  return false;
}

/// Makes one of two segments in one line that meet or overlap.
static bool join_segments(ts_solid_place *into, const ts_solid_place *other, double touch_m) {
  ts_vec3 *v = into->vertices;
  ts_vec3 along = ts_vec3_unit(ts_vec3_sub(v[1], v[0]));
  double low = 0, high = ts_vec3_distance(v[0], v[1]), at[2];
  for (int i = 0; i < 2; i++) {
    ts_vec3 from = ts_vec3_sub(other->vertices[i], v[0]);
    at[i] = ts_vec3_dot(from, along);
    if (ts_vec3_norm(ts_vec3_cross(from, along)) > 2 * touch_m)
      return false;
  }
  if (fmin(at[0], at[1]) > high + 2 * touch_m || fmax(at[0], at[1]) < low - 2 * touch_m)
    return false;
  ts_vec3 start = v[0];
  low = fmin(low, fmin(at[0], at[1]));
  high = fmax(high, fmax(at[0], at[1]));
  v[0] = ts_vec3_add_scaled(start, low, along);
  v[1] = ts_vec3_add_scaled(start, high, along);
  return true;
}

/// The hull of flat places of one plane, while it grows.
typedef struct flat_group {
  bool *is_in; ///< [search count] places that are in it
  size_t count;
  ts_vec3 *corners; ///< [count]
  double parts_m2, hull_m2;
} flat_group;

static bool is_flat_with(const ts_solid_place *known, const ts_solid_place *other, double touch_m) {
  if (known->count < 3 || other->count < 3 ||
      1 - ts_vec3_dot(known->normals[0], other->normals[0]) > TS_NORMAL_TOLERANCE)
    return false;
  for (size_t i = 0; i < other->count; i++)
    if (fabs(ts_vec3_dot(known->normals[0], ts_vec3_sub(other->vertices[i], known->vertices[0]))) >
        2 * touch_m)
      return false;
  return true;
}

/// Puts a place into the group and makes the hull anew.
static ts_status grow_group(flat_group *group, ts_curved_search *s, size_t index, ts_vec3 normal) {
  const ts_solid_place *place = &s->places[index];
  size_t room = group->count + place->count;
  ts_vec3 *corners = ts_arena_array(s->arena, room, sizeof *corners);
  ts_vec3 *hull = ts_arena_array(s->arena, room, sizeof *hull);
  double area_m2;
  if (!corners || !hull)
    return TS_E_MEMORY;
  if (group->count > 0) // memcpy takes no NULL
    memcpy(corners, group->corners, group->count * sizeof *corners);
  memcpy(corners + group->count, place->vertices, place->count * sizeof *corners);
  TS_TRY(ts_hull_in_plane(hull, &group->count, s->arena, corners, room, normal, s->touch_m));
  TS_TRY(ts_hull_area(&area_m2, s->arena, place->vertices, place->count, normal));
  TS_TRY(ts_hull_area(&group->hull_m2, s->arena, hull, group->count, normal));
  group->corners = hull;
  group->parts_m2 += area_m2;
  group->is_in[index] = true;
  return TS_OK;
}

/// Whether some of a place is in the hull, so that it has to be in the group.
static ts_status is_in_hull(bool *out, const flat_group *group, ts_curved_search *s,
                            const ts_solid_place *place, ts_vec3 normal) {
  ts_arena_mark mark = ts_arena_get_mark(s->arena);
  ts_vec3 *cut = ts_arena_array(s->arena, group->count + place->count, sizeof *cut);
  double area_m2;
  if (!cut)
    return TS_E_MEMORY;
  size_t count = ts_polygon_clip(cut, place->vertices, place->count, group->corners, group->count,
                                 normal, s->touch_m);
  TS_TRY(ts_hull_area(&area_m2, s->arena, cut, count, normal));
  *out = count >= 3 && area_m2 > TS_JOIN_AREA_RELATIVE * group->hull_m2;
  ts_arena_rewind(s->arena, mark);
  return TS_OK;
}

static bool is_filled(const flat_group *group) {
  return group->hull_m2 <= group->parts_m2 * (1 + TS_JOIN_AREA_RELATIVE);
}

/// Takes in all places that reach into the hull until it is filled, or none does.
static ts_status close_group(flat_group *group, ts_curved_search *s, const ts_solid_place *into) {
  for (bool has_grown = true; has_grown && !is_filled(group);) {
    has_grown = false;
    for (size_t i = 0; i < s->count && !is_filled(group); i++) {
      bool is_in = false;
      if (group->is_in[i] || !is_flat_with(into, &s->places[i], s->touch_m))
        continue;
      TS_TRY(is_in_hull(&is_in, group, s, &s->places[i], into->normals[0]));
      if (is_in)
        TS_TRY(grow_group(group, s, i, into->normals[0]));
      has_grown |= is_in;
    }
  }
  return TS_OK;
}

/// Makes one of two flat places in one plane, and of all between them, where nothing of their hull
/// is in none. Two alone need not do: pieces of a disc may be convex only all together. Places that
/// are in another one come away as count 0.
static ts_status join_polygons(bool *out_joined, ts_curved_search *s, size_t into, size_t other,
                               const ts_solid *curved) {
  ts_solid_place *place = &s->places[into];
  flat_group group = {.is_in = ts_arena_array(s->arena, s->count, sizeof *group.is_in)};
  *out_joined = false;
  if (!group.is_in)
    return TS_E_MEMORY;
  if (!is_flat_with(place, &s->places[other], s->touch_m))
    return TS_OK;
  TS_TRY(grow_group(&group, s, into, place->normals[0]));
  TS_TRY(grow_group(&group, s, other, place->normals[0]));
  TS_TRY(close_group(&group, s, place));
  if (!is_filled(&group))
    return TS_OK;
  for (size_t i = 0; i < s->count; i++)
    if (group.is_in[i] && i != into)
      s->places[i].count = 0;
  place->count = group.count;
  place->vertices = group.corners;
  *out_joined = true;
  return curved->disc_count > 0
             ? ts_solid_mark_arcs(place, s->arena, curved->discs, curved->disc_count)
             : TS_OK;
}

static bool is_on_place(const ts_solid_place *known, ts_vec3 point, double touch_m) {
  return ts_convex_distance(point, known->vertices, known->count, known->normals[0]) <= 2 * touch_m;
}

/// Joins place `index` to an earlier one with its normal that it meets; false: there is none.
static ts_status join_place(bool *out_joined, ts_curved_search *s, size_t index,
                            const ts_solid *curved) {
  const ts_solid_place *place = &s->places[index];
  *out_joined = false;
  for (size_t i = 0; i < index && !*out_joined; i++) {
    ts_solid_place *known = &s->places[i];
    if (known->count == 0 ||
        1 - ts_vec3_dot(known->normals[0], place->normals[0]) > TS_NORMAL_TOLERANCE)
      continue;
    if (known->count > 2 && place->count > 2)
      TS_TRY(join_polygons(out_joined, s, i, index, curved));
    else if (known->count == 2 && place->count == 2)
      *out_joined = join_segments(known, place, s->touch_m);
    else if (place->count < known->count || place->count == 1)
      *out_joined = is_on_place(known, place->vertices[0], s->touch_m) &&
                    is_on_place(known, place->vertices[place->count - 1], s->touch_m);
  }
  return TS_OK;
}

static void drop_joined(ts_curved_search *s) {
  size_t left = 0;
  for (size_t i = 0; i < s->count; i++)
    if (s->places[i].count > 0)
      s->places[left++] = s->places[i];
  s->count = left;
}

/// Until none joins another one: what meets neither of two may meet both together.
static ts_status join_places(ts_curved_search *s, const ts_solid *curved) {
  for (bool is_done = false; !is_done;) {
    is_done = true;
    for (size_t i = s->count; i-- > 1;) {
      bool is_joined = false;
      if (s->places[i].count > 0)
        TS_TRY(join_place(&is_joined, s, i, curved));
      if (!is_joined)
        continue;
      is_done = false;
      s->places[i].count = 0;
    }
    drop_joined(s);
  }
  return TS_OK;
}

/// Whether all of a place is on a flat one along whose normal the part that it was found on does
/// not overlap either, as where a rim just reaches the next piece of a floor: it may find any
/// normal there that the side of the piece leaves.
static bool is_of_flat(const ts_curved_search *s, const found_part *of,
                       const ts_solid_place *place) {
  for (size_t i = 0; i < s->count && place->count < 3; i++) {
    const ts_solid_place *flat = &s->places[i];
    if (flat->count > 2 && is_on_place(flat, place->vertices[0], s->touch_m) &&
        is_on_place(flat, place->vertices[place->count - 1], s->touch_m) &&
        ts_solid_gap_along(of->of[0], of->of[1], flat->normals[0]) >= -2 * s->touch_m)
      return true;
  }
  return false;
}

/// Whether along a normal the curved solid overlaps none of the parts at a point.
static bool is_free_along(const ts_curved_search *s, const found_part *found, size_t count,
                          ts_vec3 point, ts_vec3 normal) {
  for (size_t i = 0; i < count; i++)
    if (found[i].separation.way.gap_m <= s->touch_m &&
        ts_solid_gap_along(found[i].of[0], found[i].of[1], normal) < -2 * s->touch_m &&
        ts_solid_distance(found[i].part, point) <= 2 * s->touch_m)
      return false;
  return true;
}

/// Adds the normals of a point to those of the same point found on another part; false: there is
/// none, or no room.
static bool join_normals(ts_curved_search *s, const ts_solid_place *place) {
  for (size_t i = 0; i < s->count; i++) {
    ts_solid_place *known = &s->places[i];
    if (!known->is_free || known->count != 1 ||
        ts_vec3_distance(known->vertices[0], place->vertices[0]) > 2 * s->touch_m)
      continue;
    for (size_t n = 0; n < place->normal_count; n++) {
      bool is_known = false;
      for (size_t k = 0; k < known->normal_count; k++)
        is_known |= 1 - ts_vec3_dot(known->normals[k], place->normals[n]) <= TS_NORMAL_TOLERANCE;
      if (!is_known && known->normal_count < TS_SOLID_NORMALS_MAX)
        known->normals[known->normal_count++] = place->normals[n];
    }
    return true;
  }
  return false;
}

/// A point on several parts, as on a ridge, has the normals along which it overlaps none of them:
/// the others are of sides that one part has alone. In a groove there is none, and each part is
/// touched by itself.
static bool join_point(ts_curved_search *s, const found_part *found, size_t count,
                       ts_solid_place *place) {
  size_t left = 0;
  ts_vec3 clear[TS_SOLID_NORMALS_MAX];
  if (place->count != 1)
    return false;
  for (size_t n = 0; n < place->normal_count; n++)
    if (is_free_along(s, found, count, place->vertices[0], place->normals[n]))
      clear[left++] = place->normals[n];
  if (left == 0)
    return false;
  memcpy(place->normals, clear, left * sizeof *clear);
  place->normal_count = left;
  place->is_free = true;
  return join_normals(s, place);
}

/// Flat places first, then segments, then points, which may be parts of those before.
static ts_status list_places(ts_curved_search *s, const found_part *found, size_t count,
                             const ts_solid *curved, bool has_one_normal) {
  for (size_t vertices = 3; vertices > 0; vertices--)
    for (size_t i = 0; i < count; i++) {
      if (found[i].separation.way.gap_m > s->touch_m)
        continue;
      ts_solid_place place;
      TS_TRY(ts_solid_find_place(&place, s->arena, found[i].of[0], found[i].of[1],
                                 found[i].separation.way, s->touch_m, has_one_normal));
      bool is_of_kind = vertices == 3 ? place.count > 2 : place.count == vertices;
      if (is_of_kind && !is_passed(s, found, count, &found[i], &place) &&
          !is_of_flat(s, &found[i], &place) && !join_point(s, found, count, &place))
        TS_TRY(ts_curved_add_place(s, &place));
    }
  return join_places(s, curved);
}

/// Moves the curved solid, or the parts, by the way out, which is that of body b.
static ts_status move_out(ts_curved_parts *parts, ts_curved_search *s) {
  ts_vec3 by = parts->curved_is_a ? ts_vec3_neg(s->way_out) : s->way_out;
  ts_pose pose = parts->curved.pose;
  pose.translation = ts_vec3_add(pose.translation, by);
  return ts_solid_of_geometry(&parts->curved, s->arena, parts->curved.geometry, pose);
}

ts_status ts_curved_place_parts(ts_curved_search *s, ts_curved_parts *parts) {
  found_part *found;
  if (parts->is_inside)
    return ts_fail(TS_SKIPPED,
                   "the middle of one is inside %s, which is not convex: no way out "
                   "is known",
                   parts->name);
  TS_TRY(separate_all(&found, s, parts));
  const found_part *nearest = nearest_of(found, parts->count);
  if (!nearest)
    return TS_OK;
  ts_solid_way way = nearest->separation.way;
  s->gap_m = way.gap_m;
  s->at =
      ts_solid_farthest(&parts->curved, parts->curved_is_a ? way.normal : ts_vec3_neg(way.normal));
  bool overlaps = way.gap_m < -s->touch_m;
  if (parts->are_triangles && way.gap_m <= -parts->curved.round_m * (1 - TS_PARALLEL_SINE))
    return ts_fail(TS_SKIPPED,
                   "the axis of one goes through the surface of %s, which is not "
                   "convex: no way out is known",
                   parts->name);
  if (overlaps && nearest->separation.has_other && !parts->are_triangles)
    return ts_curved_fail_other(&nearest->separation);
  if (overlaps) {
    s->way_out = ts_vec3_scale(way.normal, -way.gap_m);
    TS_TRY(move_out(parts, s));
    TS_TRY(separate_all(&found, s, parts));
    nearest = nearest_of(found, parts->count);
    if (nearest && nearest->separation.way.gap_m < -s->touch_m) {
      s->way_out = ts_vec3_make(0, 0, 0);
      return ts_fail(TS_SKIPPED,
                     "it is in several places of %s at once, which is not convex: no "
                     "way out of all of them is known",
                     parts->name);
    }
  }
  TS_TRY(list_places(s, found, parts->count, &parts->curved, overlaps));
  if (overlaps && parts->curved_is_a) // the places are where the curved solid is, which is a
    for (size_t i = 0; i < s->count; i++)
      for (size_t v = 0; v < s->places[i].count; v++)
        s->places[i].vertices[v] = ts_vec3_add(s->places[i].vertices[v], s->way_out);
  return TS_OK;
}
