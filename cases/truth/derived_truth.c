// SPDX-License-Identifier: MIT
#include "cases/truth/derived_truth.h"

#include "base/array.h"
#include "base/geometry_kind.h"
#include "base/status.h"
#include "cases/scene/ground.h"
#include "cases/truth/curved_truth.h"
#include "cases/truth/derived_places.h"
#include "cases/truth/design_normals.h"
#include "cases/truth/near_miss.h"
#include "cases/truth/touch.h"
#include "cases/truth/way_out.h"
#include "geometry/mesh/winding.h"
#include "geometry/tolerances.h"

#include <stdio.h>

/// A pair whose overlap has no truth.
typedef struct skipped_pair {
  ts_body_pair bodies;
  double depth_m; ///< 0: not known
  char reason[400];
} skipped_pair;

typedef struct derivation {
  ts_scene *scene;
  ts_arena *arena;       ///< scratch of a pair
  ts_arena *shape_arena; ///< of what shapes need
  double touch_relative;
  ts_derived_shape *shapes; ///< [shape_count], made when first needed
  ts_convex_pieces *pieces; ///< [shape_count] likewise
  ts_curved_shapes *curved;
  size_t count, capacity;
  ts_region *regions;
  int32_t flat_places; ///< so far
  skipped_pair skipped;
} derivation;

static ts_status prepare_shape(derivation *d, int32_t body) {
  int32_t index = d->scene->bodies[body].shape;
  ts_derived_shape *shape = &d->shapes[index];
  if (shape->patches)
    return TS_OK;
  const ts_shape *of = &d->scene->shapes[index];
  bool is_ground = ts_shape_is_ground(of);
  // Ground may be far larger than what stands on it.
  double size_m = is_ground ? of->ground.body_m : ts_aabb_extent(of->bounds_local);
  TS_TRY(ts_patches_create_joined(&shape->patches, d->shape_arena, of->mesh,
                                  d->touch_relative * size_m));
  TS_TRY(ts_bvh_create_for_mesh(&shape->triangles, d->shape_arena, of->mesh));
  return ts_convex_pieces_create(&d->pieces[index], d->shape_arena, of, shape->triangles);
}

// ---- bodies inside each other -----------------------------------------------------------------

/// Whether a solid holds a point that is not on its surface.
static bool holds(const ts_mesh *mesh, ts_vec3 local) {
  return ts_winding(mesh, mesh->vertices, local) > 0.5;
}

/// Bodies whose surfaces do not meet: whether one is inside the other, judged by any of its points,
/// `*out_at` in the frame of a.
static bool is_inside(ts_vec3 *out_at, const ts_scene *scene, const int32_t of[2], ts_pose b_to_a) {
  const ts_shape *a = &scene->shapes[scene->bodies[of[0]].shape];
  const ts_shape *b = &scene->shapes[scene->bodies[of[1]].shape];
  *out_at = ts_pose_point(b_to_a, b->mesh->vertices[b->mesh->triangles[0][0]]);
  if (ts_aabb_contains(a->bounds_local, *out_at) && holds(a->mesh, *out_at))
    return true;
  *out_at = a->mesh->vertices[a->mesh->triangles[0][0]];
  ts_vec3 in_b = ts_pose_point_local(b_to_a, *out_at);
  return ts_aabb_contains(b->bounds_local, in_b) && holds(b->mesh, in_b);
}

/// `at`: where they overlap, in the world.
static ts_status skip(derivation *d, ts_body_pair bodies, ts_vec3 at) {
  const ts_body *all = d->scene->bodies;
  d->skipped.bodies = bodies;
  return ts_fail(TS_SKIPPED, "the bodies %d (%s) and %d (%s) overlap at (%g, %g, %g)",
                 bodies.body_a, all[bodies.body_a].name, bodies.body_b, all[bodies.body_b].name,
                 at.x, at.y, at.z);
}

// ---- from demands to regions ------------------------------------------------------------------

static ts_status add_region(derivation *d, ts_region region) {
  TS_TRY(TS_ARENA_GROW(d->regions, d->capacity, d->count, 1, d->scene->arena));
  d->regions[d->count++] = region;
  return TS_OK;
}

/// Whether two demands are at the same place, in either order of its ends.
static bool same_place(const ts_derived_demand *a, const ts_derived_demand *b, double same_m) {
  if (a->vertices == b->vertices)
    return true;
  if (a->vertex_count != 2 || b->vertex_count != 2)
    return false;
  for (int turn = 0; turn < 2; turn++)
    if (ts_vec3_distance(a->vertices[0], b->vertices[turn]) <= same_m &&
        ts_vec3_distance(a->vertices[1], b->vertices[1 - turn]) <= same_m)
      return true;
  return false;
}

/// Vectors of the frame of a at scale 1.
static ts_status unscaled(const ts_vec3 **out, ts_arena *arena, const ts_vec3 *vectors,
                          size_t count, double scale) {
  ts_vec3 *copy = ts_arena_array(arena, count, sizeof *copy);
  if (!copy)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    copy[i] = ts_vec3_scale(vectors[i], 1 / scale);
  *out = copy;
  return TS_OK;
}

/// The joint that makes the region again, wherever the bodies are moved to.
static ts_status add_joint(derivation *d, ts_derived_pair *pair, const ts_derived_demand *place,
                           const ts_region *region, int32_t flat_place) {
  ts_joint joint = {.body_a = region->body_a,
                    .body_b = region->body_b,
                    .needs_all = region->needs_all,
                    .place = flat_place};
  const ts_vec3 *feature;
  double scale = d->scene->scale;
  TS_TRY(ts_derived_feature(&feature, &joint.count_a, pair, 0, place));
  TS_TRY(unscaled(&joint.feature_a_local, d->arena, feature, joint.count_a, scale));
  TS_TRY(ts_derived_feature(&feature, &joint.count_b, pair, 1, place));
  ts_vec3 *local = ts_arena_array(d->arena, joint.count_b, sizeof *local);
  if (!local)
    return TS_E_MEMORY;
  for (size_t i = 0; i < joint.count_b; i++)
    local[i] = ts_pose_point_local(pair->side[1].to_frame, feature[i]);
  TS_TRY(unscaled(&joint.feature_b_local, d->arena, local, joint.count_b, scale));
  ts_quat back = ts_quat_conjugate(d->scene->bodies[region->body_a].pose.rotation);
  for (int r = 0; r < TS_REFERENCE_COUNT; r++) {
    const ts_feasible_set *set = &region->feasible[r];
    ts_vec3 *normals = ts_arena_array(d->arena, set->count, sizeof *normals);
    if (!normals)
      return TS_E_MEMORY;
    for (size_t i = 0; i < set->count; i++)
      normals[i] = ts_quat_rotate(back, set->normals[i].normal);
    joint.normals_local[r] = normals;
    joint.normal_count[r] = set->count;
  }
  return ts_scene_add_joint(d->scene, &joint);
}

/// A region with the normals of `terms` [count]: all of them needed, or one term's alternatives.
/// `flat_place` as in ts_joint.
static ts_status make_region(derivation *d, ts_derived_pair *pair, const int32_t of[2],
                             const ts_derived_demand *place, const ts_term *const *terms,
                             size_t count, int32_t flat_place) {
  ts_arena *arena = d->scene->arena;
  ts_pose pose = d->scene->bodies[of[0]].pose;
  bool needs_all = terms[0]->count == 1;
  size_t normal_count = needs_all ? count : (size_t)terms[0]->count;
  ts_vec3 *vertices = ts_arena_array(arena, place->vertex_count, sizeof *vertices);
  ts_feasible *normals = ts_arena_array(arena, normal_count, sizeof *normals);
  if (!vertices || !normals)
    return TS_E_MEMORY;
  for (size_t i = 0; i < place->vertex_count; i++)
    vertices[i] = ts_pose_point(pose, place->vertices[i]);
  for (size_t i = 0; i < normal_count; i++)
    normals[i].normal =
        ts_pose_direction(pose, needs_all ? terms[i]->normals[0] : terms[0]->normals[i]);
  ts_region region = {.body_a = of[0],
                      .body_b = of[1],
                      .kind = place->vertex_count == 1   ? TS_REGION_POINT
                              : place->vertex_count == 2 ? TS_REGION_SEGMENT
                                                         : TS_REGION_POLYGON,
                      .needs_all = needs_all,
                      .vertex_count = place->vertex_count,
                      .vertices = vertices};
  region.feasible[TS_REFERENCE_FEASIBLE] =
      (ts_feasible_set){.count = normal_count, .normals = normals};
  TS_TRY(ts_design_normals_choose(&region, arena, d->scene));
  TS_TRY(add_joint(d, pair, place, &region, flat_place));
  return add_region(d, region);
}

/// Polygons that are found to be in one plane, and the plane: through `middle`, its slopes along
/// two tangents of the first one's normal.
typedef struct flat_place {
  const ts_derived_pair *pair;
  ts_vec3 normal, u, v;
  size_t count, capacity;
  const ts_derived_demand **of;
  ts_vec3 middle;
  double slopes[2];
} flat_place;

static double height_over(const flat_place *place, ts_vec3 p) {
  ts_vec3 from = ts_vec3_sub(p, place->middle);
  return ts_vec3_dot(from, place->normal) - place->slopes[0] * ts_vec3_dot(from, place->u) -
         place->slopes[1] * ts_vec3_dot(from, place->v);
}

static bool is_in_plane(const flat_place *place, const ts_derived_demand *polygon) {
  for (size_t i = 0; i < polygon->vertex_count; i++)
    if (!(fabs(height_over(place, polygon->vertices[i])) <= 3 * place->pair->touch_m))
      return false;
  return true;
}

/// The plane that is nearest to the vertices of all polygons, by least squares. The normal of one
/// that is small is not known well enough to tell how high another one is, a metre away.
static void fit_plane(flat_place *place) {
  ts_vec3 first = place->of[0]->vertices[0], sum = {0, 0, 0};
  size_t count = 0;
  for (size_t i = 0; i < place->count; i++)
    for (size_t k = 0; k < place->of[i]->vertex_count; k++, count++)
      sum = ts_vec3_add(sum, ts_vec3_sub(place->of[i]->vertices[k], first));
  place->middle = ts_vec3_add_scaled(first, 1 / (double)count, sum);
  double uu = 0, uv = 0, vv = 0, uh = 0, vh = 0;
  for (size_t i = 0; i < place->count; i++)
    for (size_t k = 0; k < place->of[i]->vertex_count; k++) {
      ts_vec3 from = ts_vec3_sub(place->of[i]->vertices[k], place->middle);
      double u = ts_vec3_dot(from, place->u), v = ts_vec3_dot(from, place->v);
      double h = ts_vec3_dot(from, place->normal);
      uu += u * u;
      uv += u * v;
      vv += v * v;
      uh += u * h;
      vh += v * h;
    }
  double det = uu * vv - uv * uv;
  place->slopes[0] = det > 0 ? (uh * vv - vh * uv) / det : 0;
  place->slopes[1] = det > 0 ? (vh * uu - uh * uv) / det : 0;
}

/// Adds a polygon where there is a plane that it and the others are in, within the tolerance, and
/// its normal is theirs.
static ts_status add_to_place(bool *out_added, flat_place *place, ts_arena *arena,
                              const ts_derived_demand *polygon) {
  double angle_rad = place->pair->angles_rad[1];
  *out_added = polygon->vertex_count >= 3 &&
               ts_vec3_distance(place->normal, polygon->term.normals[0]) <= angle_rad;
  if (!*out_added)
    return TS_OK;
  TS_TRY(TS_ARENA_GROW(place->of, place->capacity, place->count, 1, arena));
  place->of[place->count++] = polygon;
  if (place->count > 1 && is_in_plane(place, polygon))
    return TS_OK;
  const flat_place before = *place;
  fit_plane(place);
  double slope2 = place->slopes[0] * place->slopes[0] + place->slopes[1] * place->slopes[1];
  *out_added = slope2 <= angle_rad * angle_rad;
  for (size_t i = 0; i < place->count && *out_added; i++)
    *out_added = is_in_plane(place, place->of[i]);
  if (!*out_added) {
    *place = before;
    place->count--;
  }
  return TS_OK;
}

/// Polygons of one plane are one region, whatever the outline of the place and wherever it falls
/// apart: what stops a body there is the hull of all of them.
static ts_status make_flat_region(derivation *d, ts_derived_pair *pair, const int32_t of[2],
                                  const ts_derived_places *places, size_t first, bool *is_done) {
  size_t region = d->count;
  int32_t flat_place_number = ++d->flat_places;
  flat_place place = {.pair = pair, .normal = places->demands[first].term.normals[0]};
  ts_vec3_tangents(&place.u, &place.v, place.normal);
  for (size_t i = first; i < places->count; i++) {
    bool is_added = false;
    if (!is_done[i])
      TS_TRY(add_to_place(&is_added, &place, d->arena, &places->demands[i]));
    if (!is_added)
      continue;
    const ts_term *term = &places->demands[i].term;
    is_done[i] = true;
    TS_TRY(make_region(d, pair, of, &places->demands[i], &term, 1, flat_place_number));
  }
  TS_TRY(ts_region_join(&d->regions[region], d->count - region, d->scene->arena, pair->touch_m));
  d->count = region + 1;
  return TS_OK;
}

/// Demands of one normal at one place go together.
static ts_status make_regions(derivation *d, ts_derived_pair *pair, const int32_t of[2],
                              const ts_derived_places *places) {
  bool *is_done = ts_arena_array(d->arena, places->count, sizeof *is_done);
  const ts_term **terms = ts_arena_array(d->arena, places->count, sizeof(void *));
  if (!is_done || !terms)
    return TS_E_MEMORY;
  for (size_t i = 0; i < places->count; i++) {
    const ts_derived_demand *place = &places->demands[i];
    if (is_done[i])
      continue;
    if (place->vertex_count >= 3) {
      TS_TRY(make_flat_region(d, pair, of, places, i, is_done));
      continue;
    }
    size_t count = 0;
    terms[count++] = &place->term;
    for (size_t k = i + 1; place->term.count == 1 && k < places->count; k++)
      if (!is_done[k] && places->demands[k].term.count == 1 &&
          same_place(place, &places->demands[k], 4 * pair->touch_m)) {
        terms[count++] = &places->demands[k].term;
        is_done[k] = true;
      }
    TS_TRY(make_region(d, pair, of, place, terms, count, 0));
  }
  return TS_OK;
}

/// Where two bodies touch when b is at this pose against a; whether they overlap there, and where.
static ts_status find_places(ts_derived_places *out, ts_derived_pair *pair, bool *out_overlap,
                             const derivation *d, const int32_t of[2], ts_pose b_to_a) {
  const ts_scene *scene = d->scene;
  const ts_derived_shape *shapes[2];
  for (int i = 0; i < 2; i++)
    shapes[i] = &d->shapes[scene->bodies[of[i]].shape];
  *pair = (ts_derived_pair){.arena = d->arena,
                            .touch_m = ts_touch_m(scene, d->touch_relative, of[0], of[1])};
  pair->angles_rad[0] = fmax(TS_PARALLEL_SINE, TS_DERIVED_ANGLE_TOUCHES * d->touch_relative);
  pair->angles_rad[1] = 10 * pair->angles_rad[0];
  TS_TRY(ts_derived_pair_prepare(pair, shapes[0], shapes[1], b_to_a));
  ts_status status = ts_derived_find(out, pair);
  if (status == TS_E_UNSUPPORTED)
    return ts_fail(status, "the bodies %d (%s) and %d (%s): %s", of[0], scene->bodies[of[0]].name,
                   of[1], scene->bodies[of[1]].name, ts_status_detail());
  TS_TRY(status);
  *out_overlap =
      out->overlap || (out->count == 0 && is_inside(&out->overlap_at, scene, of, b_to_a));
  return TS_OK;
}

/// Moves a region of bodies that touch after the way out back to where they are: midway between the
/// surfaces, which have no gap there.
static void move_back(ts_region *region, ts_vec3 way_out) {
  ts_pose back = {{1, 0, 0, 0}, ts_vec3_scale(way_out, -0.5)};
  ts_region_transform(region, 1, back);
  region->way_out = way_out;
  for (int r = 0; r < TS_REFERENCE_COUNT; r++)
    for (size_t i = 0; i < region->feasible[r].count; i++) {
      ts_feasible *feasible = &region->feasible[r].normals[i];
      feasible->gap_m = -ts_vec3_dot(feasible->normal, way_out);
    }
}

/// Whether a translation of a body, in some frame, leads down through the sheet of ground, whose
/// pose in that frame has this rotation.
static bool leads_below(const ts_shape *shape, ts_quat rotation, ts_vec3 translation) {
  return ts_shape_is_ground(shape) &&
         ts_vec3_dot(ts_quat_rotate(rotation, shape->ground.sheet.up_local), translation) < 0;
}

/// TS_SKIPPED where it does for either body.
static ts_status check_side(const ts_scene *scene, ts_body_pair bodies, ts_pose b_to_a,
                            ts_vec3 way_out) {
  const ts_shape *a = &scene->shapes[scene->bodies[bodies.body_a].shape];
  const ts_shape *b = &scene->shapes[scene->bodies[bodies.body_b].shape];
  bool below_a = leads_below(a, ts_pose_identity().rotation, way_out);
  if (!below_a && !leads_below(b, b_to_a.rotation, ts_vec3_neg(way_out)))
    return TS_OK;
  return ts_fail(
      TS_SKIPPED,
      "the way out of the ground %s is through its lower side: it is %g m thick, give it "
      "a larger thickness",
      below_a ? a->name : b->name, (below_a ? a : b)->ground.sheet.thickness_m);
}

/// The way out of a pair of which one is a plane, in the frame of a: it is along the normal of
/// the plane, whatever the other one is, and goes as far as its lowest vertex is deep. False for
/// another pair.
static bool part_from_plane(ts_vec3 *out, const ts_scene *scene, ts_body_pair bodies,
                            ts_pose b_to_a, double touch_m) {
  const ts_shape *a = &scene->shapes[scene->bodies[bodies.body_a].shape];
  const ts_shape *b = &scene->shapes[scene->bodies[bodies.body_b].shape];
  bool is_a = a->geometry.kind == TS_GEOMETRY_PLANE;
  if (!is_a && b->geometry.kind != TS_GEOMETRY_PLANE)
    return false;
  ts_pose to_plane = is_a ? b_to_a : ts_pose_inverse(b_to_a);
  const ts_mesh *other = is_a ? b->mesh : a->mesh;
  double lowest_m = INFINITY;
  for (size_t v = 0; v < other->vertex_count; v++)
    lowest_m = ts_min(lowest_m, ts_pose_point(to_plane, other->vertices[v]).y);
  ts_vec3 up = ts_vec3_make(0, 1, 0);
  if (!is_a)
    up = ts_vec3_neg(ts_pose_direction(b_to_a, up));
  *out = ts_vec3_scale(up, lowest_m < -touch_m ? -lowest_m : 0);
  return true;
}

/// The shortest way out of a pair in the frame of a, zero where it does not overlap or has none;
/// `out_status` as of ts_find_way_out(). Why the pair has no truth, if it turns out to have none,
/// is in d->skipped.reason.
static ts_status part(ts_vec3 *out, ts_status *out_status, derivation *d, ts_body_pair bodies,
                      ts_pose b_to_a) {
  const ts_scene *scene = d->scene;
  const ts_convex_pieces *a = &d->pieces[scene->bodies[bodies.body_a].shape];
  const ts_convex_pieces *b = &d->pieces[scene->bodies[bodies.body_b].shape];
  double touch_m = ts_touch_m(scene, d->touch_relative, bodies.body_a, bodies.body_b);
  *out_status = TS_OK;
  if (!part_from_plane(out, scene, bodies, b_to_a, touch_m)) {
    *out_status = ts_find_way_out(out, a, b, b_to_a, touch_m);
    if (*out_status == TS_OK)
      *out_status = check_side(scene, bodies, b_to_a, *out);
  }
  if (*out_status == TS_E_MEMORY)
    return TS_E_MEMORY;
  const char *reason = "which touch and which overlap is lost in noise";
  if (*out_status != TS_OK) {
    *out = ts_vec3_make(0, 0, 0);
    reason = ts_status_detail();
  }
  (void)snprintf(d->skipped.reason, sizeof d->skipped.reason, "%s", reason);
  return TS_OK;
}

/// A pair of which a shape is curved.
static ts_status derive_curved_pair(derivation *d, ts_body_pair bodies) {
  ts_curved_truth truth;
  double touch_m = ts_touch_m(d->scene, d->touch_relative, bodies.body_a, bodies.body_b);
  ts_status status =
      ts_curved_truth_find(&truth, d->scene->arena, d->curved, d->scene, bodies, touch_m, false);
  if (status == TS_SKIPPED) {
    (void)snprintf(d->skipped.reason, sizeof d->skipped.reason, "%s", ts_status_detail());
    d->skipped.depth_m = -truth.gap_m;
    return skip(d, bodies, truth.at);
  }
  TS_TRY(status);
  for (size_t i = 0; i < truth.count; i++)
    TS_TRY(add_region(d, truth.regions[i]));
  return TS_OK;
}

static ts_status derive_pair(derivation *d, ts_body_pair bodies) {
  if (ts_curved_pair(d->scene, bodies))
    return derive_curved_pair(d, bodies);
  const int32_t of[2] = {bodies.body_a, bodies.body_b};
  const ts_scene *scene = d->scene;
  for (int i = 0; i < 2; i++)
    TS_TRY(prepare_shape(d, of[i]));
  ts_arena_mark mark = ts_arena_get_mark(d->arena);
  ts_pose pose = scene->bodies[of[0]].pose;
  ts_pose b_to_a = ts_pose_relative(pose, scene->bodies[of[1]].pose);
  ts_vec3 way_out;
  ts_status parted;
  ts_derived_pair pair;
  ts_derived_places places;
  bool overlap = false;
  TS_TRY(part(&way_out, &parted, d, bodies, b_to_a));
  b_to_a.translation = ts_vec3_add(b_to_a.translation, way_out);
  TS_TRY(find_places(&places, &pair, &overlap, d, of, b_to_a));
  bool is_parted = ts_vec3_norm2(way_out) > 0;
  if (overlap || parted == TS_SKIPPED || (is_parted && places.count == 0))
    return skip(d, bodies, ts_pose_point(pose, places.overlap_at));
  size_t first = d->count;
  TS_TRY(make_regions(d, &pair, of, &places));
  for (size_t i = first; is_parted && i < d->count; i++)
    move_back(&d->regions[i], ts_pose_direction(pose, way_out));
  ts_arena_rewind(d->arena, mark);
  return TS_OK;
}

static ts_status derive(derivation *d) {
  ts_scene *scene = d->scene;
  d->shapes = ts_arena_array(d->arena, scene->shape_count, sizeof *d->shapes);
  d->pieces = ts_arena_array(d->arena, scene->shape_count, sizeof *d->pieces);
  if (!d->shapes || !d->pieces)
    return TS_E_MEMORY;
  TS_TRY(ts_curved_shapes_create(&d->curved, d->arena, scene));
  ts_body_pair *pairs;
  size_t pair_count;
  TS_TRY(ts_touch_candidates(&pairs, &pair_count, d->arena, scene, d->touch_relative));
  for (size_t i = 0; i < pair_count; i++)
    TS_TRY(derive_pair(d, pairs[i]));
  return TS_OK;
}

/// With the scene as it was where that fails. `out`: the bodies whose overlap has no truth.
static ts_status derive_at(skipped_pair *out, ts_scene *scene, double touch_relative) {
  derivation d = {.scene = scene, .touch_relative = touch_relative};
  ts_scene before = *scene;
  scene->joints = NULL;
  scene->joint_count = scene->joint_capacity = 0;
  ts_status status = ts_arena_create(&d.arena);
  if (status == TS_OK)
    status = ts_arena_create(&d.shape_arena);
  if (status == TS_OK)
    status = derive(&d);
  if (d.arena)
    ts_arena_destroy(d.arena);
  if (d.shape_arena)
    ts_arena_destroy(d.shape_arena);
  *out = d.skipped;
  if (status != TS_OK) {
    *scene = before;
    return status;
  }
  scene->regions = d.regions;
  scene->region_count = d.count;
  scene->truth_is_unknown = false;
  scene->touch_relative = fmax(touch_relative, TS_POSITION_RELATIVE);
  return TS_OK;
}

/// The first of the tolerances after that one, up to the largest, by which a pair touches and
/// does not overlap.
static ts_status find_touch(bool *out_found, double *out_relative, ts_scene *scene,
                            ts_body_pair bodies, double after_relative) {
  const ts_scene before = *scene;
  ts_arena_mark mark = ts_arena_get_mark(scene->arena);
  *out_found = false;
  *out_relative = after_relative;
  while (!*out_found && *out_relative < TS_DERIVED_TOUCH_MAX) {
    skipped_pair skipped;
    *out_relative = fmin(ts_near_miss_next(*out_relative), TS_DERIVED_TOUCH_MAX);
    ts_status status = derive_at(&skipped, scene, *out_relative);
    size_t count = 0;
    if (status == TS_OK)
      (void)ts_scene_pair_regions(&count, scene, bodies.body_a, bodies.body_b);
    *out_found =
        count > 0 && ts_vec3_norm2(ts_scene_pair_way_out(scene, bodies.body_a, bodies.body_b)) == 0;
    *scene = before;
    ts_arena_rewind(scene->arena, mark);
    if (status == TS_E_MEMORY)
      return status;
  }
  return TS_OK;
}

/// The overlap of two bodies has no truth at this tolerance, as the detail line says. Adds how
/// deep, or at most how deep, it is, why, and the tolerance that would do: the first that does,
/// of some from that depth on.
static ts_status explain_overlap(ts_scene *scene, double touch_relative,
                                 const skipped_pair *skipped) {
  char overlap[512];
  snprintf(overlap, sizeof overlap, "%s", ts_status_detail());
  ts_body_pair bodies = skipped->bodies;
  double depth_m = skipped->depth_m, would_do;
  bool is_touch;
  if (!(depth_m > 0))
    TS_TRY(ts_near_miss_depth(&depth_m, scene, bodies, touch_relative));
  double touch_m = ts_touch_m(scene, touch_relative, bodies.body_a, bodies.body_b);
  TS_TRY(find_touch(&is_touch, &would_do, scene, bodies,
                    fmax(touch_relative, depth_m / touch_m * touch_relative)));
  if (!is_touch)
    return ts_fail(TS_SKIPPED, "%s: %s; no touch_relative up to %g counts it as a touch", overlap,
                   skipped->reason, TS_DERIVED_TOUCH_MAX);
  const char *bound = "";
  if (!(depth_m > 0)) { // no vertex is inside: what touches may be off by three tolerances
    would_do = fmin(ts_near_miss_next(3 * would_do), TS_DERIVED_TOUCH_MAX);
    depth_m = would_do / touch_relative * touch_m;
    bound = "up to ";
  }
  return ts_fail(TS_SKIPPED,
                 "%s by %s%.3g m, more than touch_relative %g of their size: %s; if that is noise, "
                 "touch_relative %g counts it as a touch",
                 overlap, bound, depth_m, touch_relative, skipped->reason, would_do);
}

ts_status ts_derive_truth(ts_scene *scene, double touch_relative) {
  if (!(touch_relative > 0 && touch_relative <= TS_DERIVED_TOUCH_MAX))
    return ts_fail(TS_E_INPUT,
                   "truth cannot be derived with a tolerance of %g of the size; give one above 0 "
                   "and up to %g",
                   touch_relative, TS_DERIVED_TOUCH_MAX);
  skipped_pair skipped;
  ts_status status = derive_at(&skipped, scene, touch_relative);
  if (status == TS_SKIPPED)
    return explain_overlap(scene, touch_relative, &skipped);
  TS_TRY(status);
  return ts_near_miss_note(&scene->truth_note, scene, touch_relative);
}
