// SPDX-License-Identifier: MIT
#include "cases/scene_file/scene_file_truth.h"

#include "base/status.h"
#include "cases/scene/excluded_pairs.h"
#include "cases/truth/derived_truth.h"
#include "cases/truth/oracle_truth.h"
#include "geometry/polygon.h"
#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_name(const void *key, const void *item) {
  return strcmp(key, ((const ts_scene_name *)item)->name);
}

ts_status ts_scene_names_find(int32_t *out, ts_arena *arena, const ts_scene_names *among,
                              const char *what, const ts_node *node) {
  const char *name;
  TS_TRY(ts_node_text(&name, arena, node));
  const ts_scene_name *found = among->count == 0 ? NULL
                                                 : bsearch(name, among->sorted, among->count,
                                                           sizeof *among->sorted, compare_name);
  if (!found)
    return ts_node_fail(node, "there is no %s called \"%.60s\"", what, name);
  *out = (int32_t)found->index;
  return TS_OK;
}

static ts_status read_feasible(ts_feasible_set *out, ts_arena *arena, const ts_node *list) {
  static const char *const keys[] = {"normal", "gap_m", "gap_slope", "gap_at_m", NULL};
  TS_TRY(ts_node_array(&out->count, list));
  if (out->count == 0)
    return ts_node_fail(list, "is empty; a region has one feasible normal or more");
  out->normals = ts_arena_array(arena, out->count, sizeof *out->normals);
  if (!out->normals)
    return TS_E_MEMORY;
  for (size_t i = 0; i < out->count; i++) {
    ts_node item = ts_node_item(list, i);
    TS_TRY(ts_node_check_object(&item, keys));
    ts_node normal = ts_node_member(&item, keys[0]), gap = ts_node_member(&item, keys[1]);
    TS_TRY(ts_node_direction(&out->normals[i].normal, &normal, "the normal"));
    if (gap.value)
      TS_TRY(ts_node_number(&out->normals[i].gap_m, &gap));
    ts_node slope = ts_node_member(&item, keys[2]), at = ts_node_member(&item, keys[3]);
    if ((slope.value == NULL) != (at.value == NULL))
      return ts_node_fail(&item, "has one of gap_slope and gap_at_m; give both: where the gap is "
                                 "gap_m, and by how much it grows per length from there");
    if (!slope.value)
      continue;
    TS_TRY(ts_node_vec3(&out->normals[i].gap_slope, &slope));
    TS_TRY(ts_node_vec3(&out->normals[i].gap_at, &at));
  }
  return TS_OK;
}

/// The normals of each reference; those that are not given are as designed.
static ts_status read_references(ts_region *out, ts_arena *arena, const ts_node *region) {
  static const char *const keys[TS_REFERENCE_COUNT + 1] = {[TS_REFERENCE_DESIGN] = "design",
                                                           [TS_REFERENCE_PUBLISHED] = "published",
                                                           [TS_REFERENCE_FEASIBLE] = "feasible"};
  ts_node normals = ts_node_member(region, "normals");
  TS_TRY(ts_node_check_object(&normals, keys));
  for (int i = 0; i < TS_REFERENCE_COUNT; i++) {
    ts_node list = ts_node_member(&normals, keys[i]);
    if (i != TS_REFERENCE_DESIGN && !list.value)
      out->feasible[i] = out->feasible[TS_REFERENCE_DESIGN];
    else
      TS_TRY(read_feasible(&out->feasible[i], arena, &list));
  }
  return TS_OK;
}

/// A choice of `count` words, two or more.
static ts_status read_word(int *out, ts_arena *arena, const ts_node *node, const char *const *words,
                           int count) {
  const char *text;
  TS_TRY(ts_node_text(&text, arena, node));
  for (*out = 0; *out < count; (*out)++)
    if (strcmp(text, words[*out]) == 0)
      return TS_OK;
  const char *list = ts_arena_format(arena, "\"%s\"", words[0]);
  for (int i = 1; list && i < count; i++)
    list = ts_arena_format(arena, "%s%s \"%s\"", list, i + 1 < count ? "," : " or", words[i]);
  return list ? ts_node_fail(node, "is \"%.60s\"; give %s", text, list) : TS_E_MEMORY;
}

/// Largest distance [m] of a polygon's corners from the first.
static double extent_of(const ts_vec3 *v, size_t count) {
  double extent_m = 0;
  for (size_t i = 1; i < count; i++)
    extent_m = fmax(extent_m, ts_vec3_distance(v[i], v[0]));
  return extent_m;
}

/// Whether a polygon turns left at every corner, seen against the normal, but for rounding.
static bool is_convex(const ts_vec3 *v, size_t count, ts_vec3 normal) {
  double extent = extent_of(v, count), area = 0;
  double noise = TS_POLYGON_PLANAR_RELATIVE * extent * extent;
  for (size_t i = 0; i < count; i++) {
    ts_vec3 before = ts_vec3_sub(v[(i + 1) % count], v[i]);
    ts_vec3 after = ts_vec3_sub(v[(i + 2) % count], v[(i + 1) % count]);
    if (!(ts_vec3_dot(ts_vec3_cross(before, after), normal) >= -noise))
      return false;
  }
  for (size_t i = 1; i + 1 < count; i++) {
    double part =
        ts_vec3_dot(ts_vec3_cross(ts_vec3_sub(v[i], v[0]), ts_vec3_sub(v[i + 1], v[0])), normal);
    if (!(part >= -noise))
      return false;
    area += part;
  }
  return area > 0;
}

/// Index of the vertex that is farthest from the plane of a polygon, if by more than the rounding
/// of a file with few digits explains; otherwise `count`.
static size_t out_of_plane(const ts_vec3 *v, size_t count) {
  double extent_m = extent_of(v, count), farthest_m = 0, size_m = 0;
  ts_vec3 area = {0, 0, 0};
  for (size_t i = 1; i < count; i++) {
    size_m = fmax(size_m, ts_vec3_norm(v[i]));
    if (i + 1 < count)
      area = ts_vec3_add(area, ts_vec3_cross(ts_vec3_sub(v[i], v[0]), ts_vec3_sub(v[i + 1], v[0])));
  }
  ts_vec3 normal = ts_vec3_unit(area);
  size_t farthest = count;
  for (size_t i = 1; i < count; i++) {
    double height_m = fabs(ts_vec3_dot(normal, ts_vec3_sub(v[i], v[0])));
    // Far from the origin coordinates have fewer digits to spare.
    if (height_m > TS_POLYGON_PLANAR_RELATIVE * extent_m + 1e-15 * size_m &&
        height_m > farthest_m) {
      farthest = i;
      farthest_m = height_m;
    }
  }
  return farthest;
}

static ts_status read_place(ts_region *out, ts_arena *arena, const ts_node *node) {
  static const char *const kinds[] = {[TS_REGION_POINT] = "point",
                                      [TS_REGION_SEGMENT] = "segment",
                                      [TS_REGION_POLYGON] = "polygon"};
  ts_node kind = ts_node_member(node, "kind"), vertices = ts_node_member(node, "vertices_m");
  int word;
  TS_TRY(read_word(&word, arena, &kind, kinds, 3));
  out->kind = (ts_region_kind)word;
  TS_TRY(ts_node_vec3s(&out->vertices, &out->vertex_count, arena, &vertices, (size_t)word + 1));
  if (out->kind != TS_REGION_POLYGON && out->vertex_count != (size_t)word + 1)
    return ts_node_fail(&vertices, "has %zu points; a %s has %d", out->vertex_count, kinds[word],
                        word + 1);
  ts_vec3 normal = out->feasible[TS_REFERENCE_DESIGN].normals[0].normal;
  if (out->kind == TS_REGION_POLYGON && !is_convex(out->vertices, out->vertex_count, normal))
    return ts_node_fail(&vertices, "must be convex and counter-clockwise about the first normal");
  size_t out_at = out_of_plane(out->vertices, out->vertex_count);
  if (out->kind == TS_REGION_POLYGON && out_at < out->vertex_count)
    return ts_node_fail(&vertices,
                        "must be in one plane, and [%zu] is not; give what is not flat "
                        "as several regions",
                        out_at);
  return TS_OK;
}

/// Whether all points are in one of some convex polygons.
static bool are_in(const ts_vec3 *points, size_t count, const ts_polygon *polygons,
                   size_t polygon_count, ts_vec3 normal, double tolerance_m) {
  for (size_t i = 0; i < count; i++) {
    double nearest_m = INFINITY;
    for (size_t p = 0; p < polygon_count; p++)
      nearest_m = fmin(nearest_m, ts_convex_distance(points[i], polygons[p].vertices,
                                                     polygons[p].count, normal));
    if (!(nearest_m <= tolerance_m))
      return false;
  }
  return true;
}

/// The convex polygons of a place whose vertices are those of its hull.
static ts_status read_pieces(ts_region *out, ts_arena *arena, const ts_node *node) {
  if (out->kind != TS_REGION_POLYGON)
    return ts_node_fail(node, "are for polygons only");
  TS_TRY(ts_node_array(&out->piece_count, node));
  out->pieces = ts_arena_array(arena, out->piece_count, sizeof *out->pieces);
  if (!out->pieces)
    return TS_E_MEMORY;
  const ts_polygon hull = {out->vertex_count, out->vertices};
  ts_vec3 normal = out->feasible[TS_REFERENCE_DESIGN].normals[0].normal;
  double tolerance_m = TS_POLYGON_PLANAR_RELATIVE * extent_of(hull.vertices, hull.count);
  for (size_t p = 0; p < out->piece_count; p++) {
    ts_node item = ts_node_item(node, p);
    ts_polygon *piece = &out->pieces[p];
    TS_TRY(ts_node_vec3s(&piece->vertices, &piece->count, arena, &item, 3));
    if (!is_convex(piece->vertices, piece->count, normal))
      return ts_node_fail(&item, "must be convex and counter-clockwise about the first normal");
    if (!are_in(piece->vertices, piece->count, &hull, 1, normal, tolerance_m))
      return ts_node_fail(&item,
                          "reaches out of the polygon of vertices_m, which is to be the hull "
                          "of all pieces");
  }
  if (out->piece_count > 0 &&
      !are_in(hull.vertices, hull.count, out->pieces, out->piece_count, normal, tolerance_m))
    return ts_node_fail(node,
                        "do not reach all vertices_m, which are to be the corners of the hull "
                        "of all pieces");
  return TS_OK;
}

/// The two bodies of an object, by their names.
static ts_status read_pair(int32_t *out_a, int32_t *out_b, ts_arena *arena,
                           const ts_scene_names *names, const ts_node *node) {
  ts_node bodies = ts_node_member(node, "bodies");
  size_t count;
  TS_TRY(ts_node_array(&count, &bodies));
  if (count != 2)
    return ts_node_fail(&bodies, "has %zu names; give two", count);
  ts_node a = ts_node_item(&bodies, 0), b = ts_node_item(&bodies, 1);
  TS_TRY(ts_scene_names_find(out_a, arena, names, "body", &a));
  TS_TRY(ts_scene_names_find(out_b, arena, names, "body", &b));
  if (*out_a >= *out_b)
    return ts_node_fail(&bodies,
                        "must be two, the first the one that comes first in the list of bodies: "
                        "normals point from it to the other");
  return TS_OK;
}

/// Whether parts of the rim of a flat place are arcs, of whose corners few are needed.
static ts_status read_arcs(ts_region *out, const ts_node *node) {
  ts_node arcs = ts_node_member(node, "has_arcs");
  size_t needed = 0;
  if (!arcs.value)
    return TS_OK;
  TS_TRY(ts_node_bool(&out->has_arcs, &arcs));
  for (size_t v = 0; out->is_optional && v < out->vertex_count; v++)
    needed += !out->is_optional[v];
  if (out->has_arcs && (out->kind != TS_REGION_POLYGON || !out->is_optional || needed < 2))
    return ts_node_fail(&arcs,
                        "is for polygons with optional_corners, of which two corners or more "
                        "are none");
  return TS_OK;
}

/// Where a contact is right and not needed, and how well the place is known.
static ts_status read_doubts(ts_region *out, ts_arena *arena, const ts_node *node) {
  ts_node corners = ts_node_member(node, "optional_corners");
  ts_node error = ts_node_member(node, "place_error_m");
  if (error.value) {
    TS_TRY(ts_node_number(&out->place_error_m, &error));
    if (out->place_error_m < 0)
      return ts_node_fail(&error, "is %g; give a length, or leave it out for 0",
                          out->place_error_m);
  }
  size_t count;
  if (!corners.value)
    return TS_OK;
  TS_TRY(ts_node_array(&count, &corners));
  bool *is_optional = ts_arena_array(arena, out->vertex_count, sizeof *is_optional);
  if (!is_optional)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    ts_node item = ts_node_item(&corners, i);
    uint32_t corner;
    TS_TRY(ts_node_index(&corner, &item, out->vertex_count));
    is_optional[corner] = true;
  }
  out->is_optional = is_optional;
  return TS_OK;
}

static ts_status read_region(ts_region *out, ts_arena *arena, const ts_scene_names *names,
                             const ts_node *node) {
  static const char *const keys[] = {
      "bodies",           "kind",      "needs",         "vertices_m", "pieces_m", "normals",
      "optional_corners", "way_out_m", "place_error_m", "has_arcs",   NULL};
  static const char *const needs[] = {"any", "all"};
  TS_TRY(ts_node_check_object(node, keys));
  ts_node need = ts_node_member(node, "needs");
  TS_TRY(read_pair(&out->body_a, &out->body_b, arena, names, node));
  int word = 0;
  if (need.value)
    TS_TRY(read_word(&word, arena, &need, needs, 2));
  out->needs_all = word == 1;
  TS_TRY(read_references(out, arena, node));
  TS_TRY(read_place(out, arena, node));
  ts_node pieces = ts_node_member(node, "pieces_m"), way = ts_node_member(node, "way_out_m");
  if (pieces.value)
    TS_TRY(read_pieces(out, arena, &pieces));
  TS_TRY(read_doubts(out, arena, node));
  TS_TRY(read_arcs(out, node));
  return way.value ? ts_node_vec3(&out->way_out, &way) : TS_OK;
}

typedef struct region_key {
  int32_t body_a, body_b;
  size_t index;
} region_key;

static int compare_keys(const void *left, const void *right) {
  const region_key *l = left, *r = right;
  if (l->body_a != r->body_a)
    return l->body_a < r->body_a ? -1 : 1;
  if (l->body_b != r->body_b)
    return l->body_b < r->body_b ? -1 : 1;
  return (l->index > r->index) - (l->index < r->index);
}

/// Regions may be in any order; those of a pair keep theirs.
static ts_status sort_regions(ts_scene *scene, ts_region *regions, size_t count) {
  region_key *order = ts_arena_array(scene->arena, count, sizeof *order);
  scene->regions = ts_arena_array(scene->arena, count, sizeof *scene->regions);
  if (!order || !scene->regions)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    order[i] = (region_key){regions[i].body_a, regions[i].body_b, i};
  if (count > 0)
    qsort(order, count, sizeof *order, compare_keys);
  for (size_t i = 0; i < count; i++)
    scene->regions[i] = regions[order[i].index];
  scene->region_count = count;
  return TS_OK;
}

/// The pairs whose truth nobody knows; none of them has regions.
static ts_status read_unknown(ts_scene *scene, const ts_scene_names *names, const ts_node *list) {
  static const char *const keys[] = {"bodies", "reason", NULL};
  size_t count;
  TS_TRY(ts_node_array(&count, list));
  ts_unknown_pair *pairs = ts_arena_array(scene->arena, count, sizeof *pairs);
  if (!pairs)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    ts_node item = ts_node_item(list, i);
    TS_TRY(ts_node_check_object(&item, keys));
    ts_node reason = ts_node_member(&item, keys[1]);
    TS_TRY(read_pair(&pairs[i].body_a, &pairs[i].body_b, scene->arena, names, &item));
    TS_TRY(ts_node_text(&pairs[i].reason, scene->arena, &reason));
    size_t told;
    (void)ts_scene_pair_regions(&told, scene, pairs[i].body_a, pairs[i].body_b);
    if (told > 0)
      return ts_node_fail(&item, "are bodies that have regions; leave out these or this");
  }
  ts_unknown_pairs_sort(pairs, count);
  for (size_t i = 1; i < count; i++)
    if (pairs[i - 1].body_a == pairs[i].body_a && pairs[i - 1].body_b == pairs[i].body_b)
      return ts_node_fail(list, "have the bodies %s and %s twice",
                          scene->bodies[pairs[i].body_a].name, scene->bodies[pairs[i].body_b].name);
  scene->unknown = pairs;
  scene->unknown_count = count;
  return TS_OK;
}

/// Whether the gaps of a region are those of bodies that touch after its way out.
static bool agrees(const ts_scene *scene, const ts_region *region) {
  double tolerance_m = 4 * ts_region_limits(scene, region).open_m;
  for (int r = 0; r < TS_REFERENCE_COUNT; r++)
    for (size_t i = 0; i < region->feasible[r].count; i++) {
      const ts_feasible *f = &region->feasible[r].normals[i];
      if (!(fabs(f->gap_m + ts_vec3_dot(f->normal, region->way_out)) <= tolerance_m))
        return false;
    }
  return true;
}

/// Bodies that never touch have no region.
static ts_status check_excluded(const ts_scene *scene, const ts_node *list) {
  for (size_t i = 0; i < scene->region_count; i++) {
    int32_t a = scene->regions[i].body_a, b = scene->regions[i].body_b;
    if (ts_scene_excludes(scene, a, b))
      return ts_node_fail(
          list,
          "have one of the bodies %s and %s, which are in \"excluded_pairs\": leave "
          "out one or the other",
          scene->bodies[a].name, scene->bodies[b].name);
  }
  return TS_OK;
}

/// The regions of a pair have the same way out, and the gaps that it leaves closed.
static ts_status check_ways_out(const ts_scene *scene, const ts_node *list) {
  for (size_t i = 0; i < scene->region_count; i++) {
    const ts_region *region = &scene->regions[i], *before = i > 0 ? region - 1 : region;
    const char *a = scene->bodies[region->body_a].name, *b = scene->bodies[region->body_b].name;
    if (before->body_a == region->body_a && before->body_b == region->body_b &&
        ts_vec3_distance(before->way_out, region->way_out) > 0)
      return ts_node_fail(list,
                          "give the regions of the bodies %s and %s different values of "
                          "\"way_out_m\": two bodies have one way out",
                          a, b);
    // Bodies that have moved need not touch everywhere after their shortest way out.
    if (ts_vec3_norm2(region->way_out) > 0 && !scene->truth_is_moved && !agrees(scene, region))
      return ts_node_fail(list,
                          "have a \"way_out_m\" of the bodies %s and %s that does not close their "
                          "gaps: along each normal the gap is the opposite of how far it goes",
                          a, b);
  }
  return TS_OK;
}

/// How a truth is found from the geometry alone.
typedef struct finder {
  ts_status (*find)(ts_scene *scene, double touch_relative);
  const char *what, *instead; ///< for the message
} finder;

static const finder derived = {ts_derive_truth, "derived", "regions, or \"untold\""};
static const finder asked = {ts_oracle_truth_find, "asked of the oracle",
                             "another truth, or \"untold\""};

static ts_status read_touch(double *out, const ts_node *root) {
  ts_node touch = ts_node_member(root, "touch_relative");
  *out = TS_POSITION_RELATIVE;
  return touch.value ? ts_node_number(out, &touch) : TS_OK;
}

/// The tolerance within which a truth was told.
static ts_status read_told_touch(ts_scene *scene, const ts_node *root) {
  ts_node touch = ts_node_member(root, "touch_relative");
  TS_TRY(read_touch(&scene->touch_relative, root));
  if (scene->touch_relative >= TS_POSITION_RELATIVE &&
      scene->touch_relative <= TS_DERIVED_TOUCH_MAX)
    return TS_OK;
  return ts_node_fail(&touch, "is %g; give %g, which is the default, to %g", scene->touch_relative,
                      TS_POSITION_RELATIVE, TS_DERIVED_TOUCH_MAX);
}

/// A scene that it cannot handle is a reason to refuse the file: if a truth is requested, the scene
/// must not be scored without one.
static ts_status find(ts_scene *scene, const finder *by, const ts_node *truth,
                      const ts_node *root) {
  double touch_relative;
  TS_TRY(read_touch(&touch_relative, root));
  ts_status status = by->find(scene, touch_relative);
  if (status == TS_OK || status == TS_E_MEMORY)
    return status;
  return ts_node_fail(truth, "cannot be %s: %s; give %s", by->what, ts_status_detail(),
                      by->instead);
}

/// The truth that the file itself tells: its regions, and the pairs that have none to tell.
static ts_status read_told(ts_scene *scene, const ts_scene_names *bodies, const ts_node *root) {
  ts_node list = ts_node_member(root, "regions"), unknown = ts_node_member(root, "unknown_pairs");
  size_t count;
  TS_TRY(read_told_touch(scene, root));
  TS_TRY(ts_node_array(&count, &list));
  ts_region *regions = ts_arena_array(scene->arena, count, sizeof *regions);
  if (!regions)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    ts_node item = ts_node_item(&list, i);
    TS_TRY(read_region(&regions[i], scene->arena, bodies, &item));
  }
  TS_TRY(sort_regions(scene, regions, count));
  TS_TRY(check_excluded(scene, &list));
  TS_TRY(check_ways_out(scene, &list));
  return unknown.value ? read_unknown(scene, bodies, &unknown) : TS_OK;
}

ts_status ts_scene_file_read_truth(ts_scene *scene, const ts_scene_names *bodies,
                                   const ts_node *root) {
  enum { TOLD, MOVED, UNTOLD, DERIVED, ORACLE, WORD_COUNT };
  static const char *const words[WORD_COUNT] = {"told", "moved", "untold", "derived", "oracle"};
  static const finder *const finders[WORD_COUNT] = {[DERIVED] = &derived, [ORACLE] = &asked};
  ts_node truth = ts_node_member(root, "truth"), list = ts_node_member(root, "regions");
  ts_node unknown = ts_node_member(root, "unknown_pairs");
  size_t count = 0;
  int word = list.value ? TOLD : UNTOLD;
  if (truth.value)
    TS_TRY(read_word(&word, scene->arena, &truth, words, WORD_COUNT));
  scene->truth_is_unknown = word == UNTOLD;
  scene->truth_is_moved = word == MOVED;
  bool is_told = word == TOLD || word == MOVED;
  if (is_told && list.value)
    return read_told(scene, bodies, root);
  if (unknown.value)
    return ts_node_fail(&unknown, "belong to a truth that regions tell; give the regions of the "
                                  "other pairs, or [] for none");
  if (list.value)
    TS_TRY(ts_node_array(&count, &list));
  if (count > 0)
    return ts_node_fail(&truth, "is %s, but there are regions: leave out one or the other",
                        words[word]);
  return finders[word] ? find(scene, finders[word], &truth, root) : TS_OK;
}
