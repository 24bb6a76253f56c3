// SPDX-License-Identifier: MIT
#include "cases/truth/moved_truth.h"

#include "base/status.h"
#include "cases/scene/joint_overlap.h"
#include "cases/truth/moved_curved.h"
#include "cases/truth/new_touches.h"
#include "cases/truth/told_truth.h"
#include "cases/truth/way_out.h"
#include "geometry/cone.h"
#include "geometry/mesh/bvh.h"
#include "geometry/polygon.h"
#include "geometry/tolerances.h"

#include <string.h>

/// Triangles of a face that are looked at, from the feature outwards: what is far from it does not
/// matter while bodies move by little.
#define FACE_TRIANGLES_MAX ((size_t)256)

/// A point, a segment or a convex polygon of a body, in the body's frame.
typedef struct flat {
  size_t count;
  const ts_vec3 *points; ///< [count]
} flat;

/// A feasible normal of a joint as built.
typedef struct owned_normal {
  ts_vec3 of[2];    ///< in the frames of the bodies a and b, from a to b
  bool is_owned[2]; ///< whether a face of the body that holds its feature has the normal
  flat faces[2];    ///< those faces, or the convex part of them about the feature; else count 0
  bool is_design;
} owned_normal;

typedef struct moving_joint {
  const ts_joint *joint;
  flat features[2];
  ts_pose b_to_a; ///< as built
  bool has_parallel_segments;
  size_t normal_count;
  owned_normal *normals; ///< [normal_count]
} moving_joint;

struct ts_moved_truth {
  size_t joint_count;
  moving_joint *joints; ///< [joint_count] in the order of ts_joint_order
  size_t unknown_count;
  const ts_unknown_pair *unknown; ///< [unknown_count] sorted; told, and without joints
  ts_new_touches *touches;
  ts_curved_shapes *curved;
};

// ---- as built ---------------------------------------------------------------------------------

typedef struct inquiry {
  ts_arena *arena;
  const ts_scene *scene;
  ts_bvh **surfaces; ///< [shape_count], NULL until needed
} inquiry;

/// A search for a triangle in the plane of a feature.
typedef struct face_search {
  const ts_mesh *mesh;
  ts_vec3 normal, centre;
  double tolerance_m;
  size_t triangle; ///< SIZE_MAX: none
} face_search;

static bool is_coplanar(const ts_mesh *mesh, size_t triangle, ts_vec3 at, ts_vec3 normal,
                        double tolerance_m) {
  if (ts_vec3_distance(ts_mesh_face_normal(mesh, triangle), normal) > TS_MOVED_SAME_FACE_RAD)
    return false;
  for (int i = 0; i < 3; i++) {
    ts_vec3 corner = mesh->vertices[mesh->triangles[triangle][i]];
    if (!(fabs(ts_vec3_dot(normal, ts_vec3_sub(corner, at))) <= tolerance_m))
      return false;
  }
  return true;
}

static ts_status visit_face(void *context, uint32_t triangle, uint32_t unused) {
  (void)unused;
  face_search *s = context;
  if (s->triangle <= triangle ||
      !is_coplanar(s->mesh, triangle, s->centre, s->normal, s->tolerance_m))
    return TS_OK;
  ts_vec3 corners[3];
  for (int i = 0; i < 3; i++)
    corners[i] = s->mesh->vertices[s->mesh->triangles[triangle][i]];
  if (ts_convex_distance(s->centre, corners, 3, s->normal) <= s->tolerance_m)
    s->triangle = triangle;
  return TS_OK;
}

/// Triangles of one plane, and the points of their hull.
typedef struct face {
  uint32_t triangles[FACE_TRIANGLES_MAX];
  size_t count;
  double area_m2;
  ts_vec3 hull[3 * FACE_TRIANGLES_MAX];
  size_t hull_count;
} face;

/// Adds a triangle where the face stays convex.
static ts_status try_triangle(face *f, ts_arena *arena, const ts_mesh *mesh, uint32_t triangle,
                              ts_vec3 normal) {
  ts_vec3 points[3 * FACE_TRIANGLES_MAX + 3], hull[3 * FACE_TRIANGLES_MAX + 3];
  memcpy(points, f->hull, f->hull_count * sizeof *points);
  for (size_t i = 0; i < 3; i++)
    points[f->hull_count + i] = mesh->vertices[mesh->triangles[triangle][i]];
  double area_m2 = f->area_m2 + ts_vec3_norm(ts_joint_area_vector(points + f->hull_count, 3));
  size_t count;
  TS_TRY(ts_hull_in_plane(hull, &count, arena, points, f->hull_count + 3, normal, 0));
  double hull_m2 = ts_vec3_norm(ts_joint_area_vector(hull, count));
  if (count < 3 || hull_m2 > area_m2 * (1 + TS_CONVEX_RELATIVE) ||
      count > sizeof f->hull / sizeof *f->hull)
    return TS_OK;
  memcpy(f->hull, hull, count * sizeof *hull);
  f->hull_count = count;
  f->area_m2 = area_m2;
  f->triangles[f->count++] = triangle;
  return TS_OK;
}

static bool has_triangle(const face *f, uint32_t triangle) {
  for (size_t i = 0; i < f->count; i++)
    if (f->triangles[i] == triangle)
      return true;
  return false;
}

/// Grows a face from one of its triangles, as long as it stays convex.
static ts_status grow_face(flat *out, inquiry *q, const face_search *s) {
  face *f = ts_arena_alloc(q->arena, sizeof *f);
  if (!f)
    return TS_E_MEMORY;
  *f = (face){.count = 0};
  TS_TRY(try_triangle(f, q->arena, s->mesh, (uint32_t)s->triangle, s->normal));
  // A triangle that did not fit may do so when others have been added.
  for (size_t before = 0; before != f->count;) {
    before = f->count;
    for (size_t i = 0; i < f->count; i++)
      for (uint32_t side = 0; side < 3; side++) {
        uint32_t next = s->mesh->edge_twin[3 * f->triangles[i] + side] / 3;
        if (f->count < FACE_TRIANGLES_MAX && !has_triangle(f, next) &&
            is_coplanar(s->mesh, next, s->centre, s->normal, s->tolerance_m))
          TS_TRY(try_triangle(f, q->arena, s->mesh, next, s->normal));
      }
  }
  *out = (flat){f->hull_count, f->hull};
  return TS_OK;
}

static ts_vec3 centre_of(const flat *f) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < f->count; i++)
    sum = ts_vec3_add(sum, ts_vec3_sub(f->points[i], f->points[0]));
  return ts_vec3_add_scaled(f->points[0], 1 / (double)f->count, sum);
}

/// Finds the face of a body that holds a feature and has an outward normal, both in its frame.
static ts_status find_face(bool *out_found, flat *out, inquiry *q, int32_t body,
                           const flat *feature, ts_vec3 outward, bool needs_face) {
  size_t shape = (size_t)q->scene->bodies[body].shape;
  const ts_mesh *mesh = q->scene->shapes[shape].mesh;
  if (!q->surfaces[shape])
    TS_TRY(ts_bvh_create_for_mesh(&q->surfaces[shape], q->arena, mesh));
  double extent_m = ts_aabb_extent(q->scene->shapes[shape].bounds_local);
  face_search s = {.mesh = mesh,
                   .normal = outward,
                   .centre = centre_of(feature),
                   .tolerance_m = q->scene->touch_relative * extent_m,
                   .triangle = SIZE_MAX};
  *out_found = false;
  for (size_t i = 0; i < feature->count; i++)
    if (!(fabs(ts_vec3_dot(outward, ts_vec3_sub(feature->points[i], s.centre))) <= s.tolerance_m))
      return TS_OK;
  TS_TRY(ts_bvh_near(q->surfaces[shape], s.centre, s.tolerance_m, visit_face, &s));
  *out_found = s.triangle != SIZE_MAX;
  return *out_found && needs_face ? grow_face(out, q, &s) : TS_OK;
}

static ts_status own_normal(owned_normal *out, inquiry *q, const moving_joint *m, ts_vec3 in_a) {
  const ts_joint *joint = m->joint;
  const int32_t bodies[2] = {joint->body_a, joint->body_b};
  *out = (owned_normal){.of = {in_a, ts_quat_rotate(ts_quat_conjugate(m->b_to_a.rotation), in_a)}};
  for (int side = 0; side < 2; side++)
    TS_TRY(find_face(&out->is_owned[side], &out->faces[side], q, bodies[side], &m->features[side],
                     ts_vec3_scale(out->of[side], side == 0 ? 1 : -1), !joint->needs_all));
  for (size_t i = 0; i < joint->normal_count[TS_REFERENCE_DESIGN]; i++)
    out->is_design |=
        ts_vec3_distance(joint->normals_local[TS_REFERENCE_DESIGN][i], in_a) <= TS_SAME_NORMAL;
  return TS_OK;
}

static ts_status scaled(flat *out, inquiry *q, const ts_vec3 *points, size_t count) {
  ts_vec3 *copy = ts_arena_array(q->arena, count, sizeof *copy);
  if (!copy)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    copy[i] = ts_vec3_scale(points[i], q->scene->scale);
  *out = (flat){count, copy};
  return TS_OK;
}

static ts_status add_joint(moving_joint *out, inquiry *q, const ts_joint *joint) {
  const ts_body *bodies = q->scene->bodies;
  *out = (moving_joint){
      .joint = joint,
      .b_to_a = ts_pose_relative(bodies[joint->body_a].pose, bodies[joint->body_b].pose),
      .normal_count = joint->normal_count[TS_REFERENCE_FEASIBLE]};
  TS_TRY(scaled(&out->features[0], q, joint->feature_a_local, joint->count_a));
  TS_TRY(scaled(&out->features[1], q, joint->feature_b_local, joint->count_b));
  if (joint->count_a == 2 && joint->count_b == 2) {
    const ts_vec3 *a = joint->feature_a_local, *b = joint->feature_b_local;
    ts_vec3 along_a = ts_vec3_unit(ts_vec3_sub(a[1], a[0]));
    ts_vec3 along_b = ts_pose_direction(out->b_to_a, ts_vec3_unit(ts_vec3_sub(b[1], b[0])));
    out->has_parallel_segments = ts_vec3_norm(ts_vec3_cross(along_a, along_b)) <= TS_PARALLEL_SINE;
  }
  out->normals = ts_arena_array(q->arena, out->normal_count, sizeof *out->normals);
  if (!out->normals)
    return TS_E_MEMORY;
  for (size_t i = 0; i < out->normal_count; i++)
    TS_TRY(own_normal(&out->normals[i], q, out, joint->normals_local[TS_REFERENCE_FEASIBLE][i]));
  return TS_OK;
}

ts_status ts_moved_truth_create(ts_moved_truth **out, ts_arena *arena, const ts_scene *built) {
  ts_told_truth told = {.scene = built};
  bool is_told = built->region_count > 0 || built->unknown_count > 0;
  if (built->joint_count == 0 && is_told && !built->truth_is_unknown)
    TS_TRY(ts_told_truth_find(&told, arena, built));
  const ts_scene *scene = told.scene;
  inquiry q = {.arena = arena,
               .scene = scene,
               .surfaces = ts_arena_array(arena, scene->shape_count, sizeof *q.surfaces)};
  ts_moved_truth *truth = ts_arena_alloc(arena, sizeof *truth);
  const size_t *order = ts_joint_order(arena, scene);
  moving_joint *joints = ts_arena_array(arena, scene->joint_count, sizeof *joints);
  if (!q.surfaces || !truth || !order || !joints)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->joint_count; i++)
    TS_TRY(add_joint(&joints[i], &q, &scene->joints[order[i]]));
  *truth = (ts_moved_truth){.joint_count = scene->joint_count,
                            .joints = joints,
                            .unknown_count = told.unknown_count,
                            .unknown = told.unknown};
  *out = truth;
  TS_TRY(ts_curved_shapes_create(&truth->curved, arena, built));
  return built->truth_is_unknown ? TS_OK : ts_new_touches_create(&truth->touches, arena, built);
}

// ---- where the bodies are ---------------------------------------------------------------------

/// A pair where its bodies are. All is in the frame of a.
typedef struct placement {
  ts_arena *arena;
  ts_pose b_to_a;
  double size_m, tolerance_m;
  double alike_m;      ///< by how much gaps may differ for their normals to be as good
  const char *unknown; ///< why its truth is unknown; NULL: it is known
  bool has_lost;       ///< features of the joint no longer lie on each other
} placement;

/// A normal of a joint where the bodies are.
typedef struct placed_normal {
  const owned_normal *as_built;
  ts_vec3 normal, other; ///< of both bodies' faces where both own it, or twice the same
  size_t count;          ///< corners of the overlap; 0: none
  ts_vec3 *corners;      ///< midway between the surfaces
  ts_feasible gap;       ///< along `normal`, over the corners
} placed_normal;

static flat place_flat(const placement *p, const flat *f, int side, ts_vec3 normal) {
  ts_vec3 *points = ts_arena_array(p->arena, f->count, sizeof *points);
  ts_vec3 *oriented = ts_arena_array(p->arena, f->count, sizeof *oriented);
  if (!points || !oriented)
    return (flat){0, NULL};
  for (size_t i = 0; i < f->count; i++)
    points[i] = side == 0 ? f->points[i] : ts_pose_point(p->b_to_a, f->points[i]);
  ts_joint_orient(oriented, points, f->count, normal);
  return (flat){f->count, oriented};
}

/// The normal where the bodies are; false where it is that of no face and of no two crossing edges.
static bool turn_normal(placed_normal *out, const placement *p, const moving_joint *m,
                        const owned_normal *n) {
  *out = (placed_normal){.as_built = n, .normal = n->of[0]};
  ts_vec3 of_b = ts_pose_direction(p->b_to_a, n->of[1]);
  if (n->is_owned[1] && !n->is_owned[0])
    out->normal = of_b;
  out->other = n->is_owned[0] && n->is_owned[1] ? of_b : out->normal;
  if (n->is_owned[0] || n->is_owned[1])
    return true;
  if (m->features[0].count != 2 || m->features[1].count != 2 || m->has_parallel_segments)
    return false;
  ts_vec3 along_a = ts_vec3_sub(m->features[0].points[1], m->features[0].points[0]);
  ts_vec3 along_b =
      ts_pose_direction(p->b_to_a, ts_vec3_sub(m->features[1].points[1], m->features[1].points[0]));
  ts_vec3 across = ts_vec3_unit(ts_vec3_cross(along_a, along_b));
  double cosine = ts_vec3_dot(across, n->of[0]);
  out->normal = out->other = cosine < 0 ? ts_vec3_neg(across) : across;
  return fabs(cosine) > 0.7; // else they have become parallel on the way
}

/// The plane through a flat that its surface is measured by: that of a polygon; of less the one
/// that holds it and is closest to perpendicular to the normal.
static ts_vec3 plane_of(const flat *f, bool is_owned, ts_vec3 owned, ts_vec3 normal) {
  if (f->count == 2) {
    ts_vec3 along = ts_vec3_unit(ts_vec3_sub(f->points[1], f->points[0]));
    return ts_vec3_unit(ts_vec3_add_scaled(normal, -ts_vec3_dot(normal, along), along));
  }
  if (f->count < 2)
    return normal;
  return is_owned ? owned : ts_vec3_unit(ts_joint_area_vector(f->points, f->count));
}

/// How far along the normal a plane is from a point.
static double height_of(ts_vec3 at, ts_vec3 plane, ts_vec3 point, ts_vec3 normal) {
  return ts_vec3_dot(plane, ts_vec3_sub(at, point)) / ts_vec3_dot(plane, normal);
}

/// The least gap over the corners.
static void set_least(ts_feasible *gap, const ts_vec3 *corners, size_t count) {
  size_t least = 0;
  for (size_t i = 1; i < count; i++)
    if (ts_feasible_gap_at(gap, corners[i]) < ts_feasible_gap_at(gap, corners[least]))
      least = i;
  gap->gap_m = ts_feasible_gap_at(gap, corners[least]);
  gap->gap_at = corners[least];
}

/// The overlap of a flat of each body along the normal, with the gap between them; a feature may be
/// past the end of the other one by `tolerance_m`.
static ts_status overlap(placed_normal *out, const placement *p, const moving_joint *m,
                         const flat *of_a, const flat *of_b, double tolerance_m) {
  const owned_normal *n = out->as_built;
  flat a = place_flat(p, of_a, 0, out->normal), b = place_flat(p, of_b, 1, out->normal);
  out->corners = ts_arena_array(p->arena, of_a->count + of_b->count, sizeof *out->corners);
  if (!a.points || !b.points || !out->corners)
    return TS_E_MEMORY;
  ts_vec3 plane_a = plane_of(&a, n->is_owned[0], n->of[0], out->normal);
  ts_vec3 plane_b =
      plane_of(&b, n->is_owned[1], ts_pose_direction(p->b_to_a, n->of[1]), out->normal);
  if (a.count == 1 || b.count == 1) {
    // A point that is below the end of a slope may be past it, seen along the normal.
    ts_vec3 point = a.count == 1 ? a.points[0] : b.points[0];
    double gap_m = height_of(b.points[0], plane_b, point, out->normal) -
                   height_of(a.points[0], plane_a, point, out->normal);
    tolerance_m += TS_MOVED_PLACE_PER_DEPTH * fmax(0, -gap_m);
  }
  ts_placed_joint placed = {.body_a = m->joint->body_a,
                            .body_b = m->joint->body_b,
                            .count_a = a.count,
                            .count_b = b.count,
                            .a = a.points,
                            .b = b.points,
                            .normal = out->normal,
                            .tolerance_m = tolerance_m,
                            .corner_m = TS_CORNER_RELATIVE * p->size_m,
                            .parallel_sine = m->has_parallel_segments ? 1 : TS_PARALLEL_SINE,
                            .crosses_along_normal = true};
  TS_TRY(ts_joint_overlap(&out->count, out->corners, &placed));
  if (out->count == 0)
    return TS_OK;
  ts_vec3 slope_a = ts_vec3_scale(plane_a, 1 / ts_vec3_dot(plane_a, out->normal));
  ts_vec3 slope_b = ts_vec3_scale(plane_b, 1 / ts_vec3_dot(plane_b, out->normal));
  for (size_t i = 0; i < out->count; i++) {
    double height_a = height_of(a.points[0], plane_a, out->corners[i], out->normal);
    double height_b = height_of(b.points[0], plane_b, out->corners[i], out->normal);
    if (i == 0)
      out->gap = (ts_feasible){.normal = out->normal,
                               .gap_m = height_b - height_a,
                               .gap_slope = ts_vec3_sub(slope_a, slope_b)};
    out->corners[i] = ts_vec3_add_scaled(out->corners[i], 0.5 * (height_a + height_b), out->normal);
    if (i == 0)
      out->gap.gap_at = out->corners[0];
  }
  set_least(&out->gap, out->corners, out->count);
  return TS_OK;
}

/// Where any one normal will do the bodies end in faces there, which may meet away from the
/// features that they met in as built; where they do not, those features are what there is.
static ts_status overlap_normal(placed_normal *out, const placement *p, const moving_joint *m) {
  const owned_normal *n = out->as_built;
  bool has_face = n->faces[0].count > 0 || n->faces[1].count > 0;
  const flat *a = n->faces[0].count > 0 ? &n->faces[0] : &m->features[0];
  const flat *b = n->faces[1].count > 0 ? &n->faces[1] : &m->features[1];
  out->count = 0;
  if (has_face)
    TS_TRY(overlap(out, p, m, a, b, p->tolerance_m));
  if (has_face && out->count == 0) // ridges that cross leave a sliver
    TS_TRY(overlap(out, p, m, a, b, TS_CORNER_RELATIVE * p->size_m));
  return out->count > 0 ? TS_OK
                        : overlap(out, p, m, &m->features[0], &m->features[1], p->tolerance_m);
}

static ts_status set_normals(ts_region *region, ts_arena *arena, const ts_feasible *normals,
                             const bool *is_design, size_t count) {
  ts_feasible *all = ts_arena_copy(arena, normals, count, sizeof *all);
  ts_feasible *design = ts_arena_array(arena, count, sizeof *design);
  if (!all || !design)
    return TS_E_MEMORY;
  size_t design_count = 0;
  for (size_t i = 0; i < count; i++)
    if (is_design[i])
      design[design_count++] = normals[i];
  for (int r = 0; r < TS_REFERENCE_COUNT; r++)
    region->feasible[r] = r == TS_REFERENCE_FEASIBLE || design_count == 0
                              ? (ts_feasible_set){count, all}
                              : (ts_feasible_set){design_count, design};
  return TS_OK;
}

/// A strip that is narrower than the place is known may be met along one line: its corners on the
/// sides are optional, the smallest deviation from the chord of the others first.
static ts_status mark_optional(ts_region *region, ts_arena *arena, double within_m) {
  size_t count = region->vertex_count, left = count;
  bool *is_optional = ts_arena_array(arena, count, sizeof *is_optional);
  if (!is_optional)
    return TS_E_MEMORY;
  while (left > 2) {
    size_t smallest = 0;
    double smallest_m = INFINITY;
    for (size_t i = 0; i < count; i++) {
      size_t before = i, after = i;
      do
        before = (before + count - 1) % count;
      while (is_optional[before]);
      do
        after = (after + 1) % count;
      while (is_optional[after]);
      const ts_vec3 chord[2] = {region->vertices[before], region->vertices[after]};
      double deviation_m = is_optional[i]
                               ? (double)INFINITY
                               : ts_convex_distance(region->vertices[i], chord, 2, chord[0]);
      smallest = deviation_m < smallest_m ? i : smallest;
      smallest_m = fmin(smallest_m, deviation_m);
    }
    if (!(smallest_m <= within_m))
      break;
    is_optional[smallest] = true;
    left--;
  }
  region->is_optional = is_optional;
  return TS_OK;
}

/// How far off the place of a region may be because its bodies overlap: on a feature that a steep
/// surface cuts off.
static double depth_reach_m(const ts_region *region) {
  const ts_feasible_set *set = &region->feasible[TS_REFERENCE_FEASIBLE];
  double deepest_m = 0;
  for (size_t i = 0; i < set->count; i++)
    deepest_m = fmax(deepest_m, -set->normals[i].gap_m);
  return TS_MOVED_PLACE_PER_DEPTH * deepest_m;
}

static ts_region region_of(const placement *p, const ts_joint *joint, const placed_normal *n,
                           bool needs_all) {
  return (ts_region){.body_a = joint->body_a,
                     .body_b = joint->body_b,
                     .kind = n->count == 1   ? TS_REGION_POINT
                             : n->count == 2 ? TS_REGION_SEGMENT
                                             : TS_REGION_POLYGON,
                     .needs_all = needs_all,
                     .vertex_count = n->count,
                     .vertices = n->corners,
                     .place_error_m = p->tolerance_m};
}

/// A region of one normal: all its corners ask for it, or for that of the other body's face.
static ts_status make_region(ts_region *out, const placement *p, const ts_joint *joint,
                             const placed_normal *n) {
  ts_feasible normals[2] = {n->gap, n->gap};
  normals[1].normal = n->other;
  const bool is_design[2] = {true, true};
  bool have_parted = 1 - ts_vec3_dot(n->normal, n->other) > TS_NORMAL_TOLERANCE;
  *out = region_of(p, joint, n, !have_parted);
  return set_normals(out, p->arena, normals, is_design, have_parted ? 2 : 1);
}

/// Notes what makes the truth of the pair unknown.
static void check_normal(placement *p, const placed_normal *n) {
  const owned_normal *built = n->as_built;
  bool is_of_both = built->is_owned[0] && built->is_owned[1];
  double turned_rad = ts_vec3_angle(built->of[0], ts_pose_direction(p->b_to_a, built->of[1]));
  p->has_lost |= n->count == 0;
  if (turned_rad > (is_of_both ? TS_MOVED_TURN_BOTH_RAD : TS_MOVED_TURN_RAD))
    p->unknown = "the bodies have turned too far against each other";
}

static void check_depth(placement *p, double gap_m) {
  if (gap_m < -TS_MOVED_DEPTH_RELATIVE * p->size_m)
    p->unknown = "the bodies overlap too deeply";
}

/// A region of each normal, since the gaps along them differ.
static ts_status place_all(ts_region *out, size_t *out_count, placement *p, const moving_joint *m,
                           const placed_normal *normals) {
  for (size_t i = 0; i < m->normal_count; i++) {
    check_depth(p, normals[i].gap.gap_m);
    TS_TRY(make_region(&out[(*out_count)++], p, m->joint, &normals[i]));
  }
  return TS_OK;
}

/// The bodies are apart along the normal with the largest gap, or touch along it.
static ts_status place_any(ts_region *out, size_t *out_count, placement *p, const moving_joint *m,
                           placed_normal *normals, size_t count) {
  size_t best = 0, tied = 0;
  for (size_t i = 1; i < count; i++)
    if (normals[i].gap.gap_m > normals[best].gap.gap_m)
      best = i;
  double least_m = normals[best].gap.gap_m - p->alike_m;
  ts_feasible *tie = ts_arena_array(p->arena, count, sizeof *tie);
  bool *is_design = ts_arena_array(p->arena, count, sizeof *is_design);
  if (!tie || !is_design)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    if (normals[i].gap.gap_m >= least_m) {
      is_design[tied] = normals[i].as_built->is_design;
      tie[tied++] = (ts_feasible){.normal = normals[i].normal, .gap_m = normals[i].gap.gap_m};
    }
  check_depth(p, normals[best].gap.gap_m);
  if (tied == 1)
    return make_region(&out[(*out_count)++], p, m->joint, &normals[best]);
  // Where several are as good the bodies meet as they did.
  TS_TRY(overlap(&normals[best], p, m, &m->features[0], &m->features[1], p->tolerance_m));
  if (normals[best].count == 0)
    return TS_OK; // lost
  ts_region *region = &out[(*out_count)++];
  *region = region_of(p, m->joint, &normals[best], false);
  return set_normals(region, p->arena, tie, is_design, tied);
}

/// Whether a direction is between the normals that a ridge had as built, where its body is now.
static ts_status is_of_ridge(bool *out, const placement *p, const moving_joint *m, int side,
                             ts_vec3 direction) {
  ts_vec3 *rays = ts_arena_array(p->arena, m->normal_count, sizeof *rays);
  if (!rays)
    return TS_E_MEMORY;
  for (size_t i = 0; i < m->normal_count; i++)
    rays[i] = side == 0 ? m->normals[i].of[0] : ts_pose_direction(p->b_to_a, m->normals[i].of[1]);
  *out = ts_cone_closest(direction, rays, m->normal_count).angle_rad <= TS_PARALLEL_SINE;
  return TS_OK;
}

/// Ridges that lay on each other and have turned cross: where their cross product is a normal of
/// both, it is one of the joint. False where they are still parallel.
static ts_status cross_ridges(bool *out_found, placed_normal *out, const placement *p,
                              const moving_joint *m, owned_normal *crossing) {
  *out_found = false;
  if (!m->has_parallel_segments)
    return TS_OK;
  ts_vec3 along_a = ts_vec3_unit(ts_vec3_sub(m->features[0].points[1], m->features[0].points[0]));
  ts_vec3 along_b = ts_vec3_unit(ts_pose_direction(
      p->b_to_a, ts_vec3_sub(m->features[1].points[1], m->features[1].points[0])));
  ts_vec3 across = ts_vec3_cross(along_a, along_b), sum = {0, 0, 0};
  if (!(ts_vec3_norm(across) > TS_PARALLEL_SINE))
    return TS_OK;
  for (size_t i = 0; i < m->normal_count; i++)
    sum = ts_vec3_add(sum, m->normals[i].of[0]);
  across = ts_vec3_scale(ts_vec3_unit(across), ts_vec3_dot(across, sum) < 0 ? -1 : 1);
  for (int side = 0; side < 2; side++) {
    bool is_normal;
    TS_TRY(is_of_ridge(&is_normal, p, m, side, across));
    if (!is_normal)
      return TS_OK;
  }
  *crossing = (owned_normal){.is_design = true};
  *out = (placed_normal){.as_built = crossing, .normal = across, .other = across};
  moving_joint as_crossing = *m;
  as_crossing.has_parallel_segments = false;
  TS_TRY(overlap(out, p, &as_crossing, &m->features[0], &m->features[1], p->tolerance_m));
  // Past the end of one nothing crosses, and the gap along the normal is still that of the lines.
  if (out->count == 0)
    TS_TRY(overlap(out, p, m, &m->features[0], &m->features[1], p->tolerance_m));
  else
    *out_found = true;
  *out_found |= out->count > 0 && out->gap.gap_m > 0;
  return TS_OK;
}

/// Upper bound of how far b's feature has moved against a.
static double motion_m(const placement *p, const moving_joint *m) {
  double most_m = 0;
  for (size_t i = 0; i < m->features[1].count; i++) {
    ts_vec3 point = m->features[1].points[i];
    most_m = fmax(
        most_m, ts_vec3_distance(ts_pose_point(m->b_to_a, point), ts_pose_point(p->b_to_a, point)));
  }
  return most_m;
}

/// Adds the regions of a joint, in the frame of a; none where its truth is unknown.
static ts_status place_joint(ts_region *out, size_t *out_count, placement *p,
                             const moving_joint *m) {
  p->has_lost = false;
  p->tolerance_m = fmin(fmax(2 * motion_m(p, m), TS_CORNER_RELATIVE * p->size_m),
                        TS_MOVED_CORNER_RELATIVE * p->size_m);
  placed_normal *normals = ts_arena_array(p->arena, m->normal_count + 1, sizeof *normals);
  if (!normals)
    return TS_E_MEMORY;
  for (size_t i = 0; i < m->normal_count && !p->unknown; i++) {
    if (!turn_normal(&normals[i], p, m, &m->normals[i]))
      p->unknown = "a normal belongs to no face and to no pair of crossing edges";
    else
      TS_TRY(overlap_normal(&normals[i], p, m));
    if (!p->unknown)
      check_normal(p, &normals[i]);
  }
  if (p->unknown || p->has_lost)
    return TS_OK;
  if (m->joint->needs_all)
    return place_all(out, out_count, p, m, normals);
  owned_normal crossing;
  bool has_crossed;
  TS_TRY(cross_ridges(&has_crossed, &normals[m->normal_count], p, m, &crossing));
  return place_any(out, out_count, p, m, normals, m->normal_count + has_crossed);
}

/// Makes the regions from `first` on, those of one flat place, one.
static ts_status join_place(ts_region *regions, size_t *count, size_t first, const placement *p) {
  if (*count < first + 2)
    return TS_OK;
  ts_region *of = &regions[first];
  TS_TRY(ts_region_join(of, *count - first, p->arena, TS_CORNER_RELATIVE * p->size_m));
  *count = first + 1;
  for (int r = 0; r < TS_REFERENCE_COUNT; r++)
    for (size_t i = 0; i < of->feasible[r].count; i++)
      set_least(&of->feasible[r].normals[i], of->vertices, of->vertex_count);
  return TS_OK;
}

/// Places the joints [count] of a pair. Those of one flat place follow each other and have one
/// normal each; a part of the place that is no longer covered is left out.
static ts_status place_pair(ts_region *out, size_t *out_count, placement *p,
                            const moving_joint *joints, size_t count) {
  for (size_t first = 0, end; first < count && !p->unknown; first = end) {
    size_t of_place = *out_count;
    for (end = first; end < count && (end == first || ts_joints_are_one_place(joints[end - 1].joint,
                                                                              joints[end].joint));
         end++)
      TS_TRY(place_joint(out, out_count, p, &joints[end]));
    if (*out_count == of_place && !p->unknown)
      p->unknown = "features that touched as built no longer lie on each other";
    if (end > first + 1)
      TS_TRY(join_place(out, out_count, of_place, p));
  }
  return TS_OK;
}

static bool is_listed(const ts_unknown_pair *unknown, size_t count, ts_body_pair pair) {
  for (size_t i = 0; i < count; i++)
    if (unknown[i].body_a == pair.body_a && unknown[i].body_b == pair.body_b)
      return true;
  return false;
}

/// Whether a pair was designed to touch, so that its joints say where it does.
static bool has_joint(const ts_moved_truth *truth, ts_body_pair pair) {
  size_t low = 0, high = truth->joint_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const ts_joint *joint = truth->joints[middle].joint;
    bool is_before = joint->body_a < pair.body_a ||
                     (joint->body_a == pair.body_a && joint->body_b < pair.body_b);
    if (is_before)
      low = middle + 1;
    else
      high = middle;
  }
  const ts_joint *found = low < truth->joint_count ? truth->joints[low].joint : NULL;
  return found && found->body_a == pair.body_a && found->body_b == pair.body_b;
}

/// Lists the pairs whose truth is unknown: those that were `placed` [count], those that were told
/// and have no joints, and those that have come to touch.
static ts_status list_unknown(ts_scene *scene, const ts_moved_truth *truth,
                              const ts_unknown_pair *placed, size_t count) {
  ts_body_pair *touching;
  size_t touching_count;
  TS_TRY(ts_new_touches_find(&touching, &touching_count, scene, truth->touches));
  size_t room = count + truth->unknown_count + touching_count;
  ts_unknown_pair *all = ts_arena_array(scene->arena, room, sizeof *all);
  if (!all)
    return TS_E_MEMORY;
  size_t total = 0;
  for (size_t i = 0; i < count; i++)
    all[total++] = placed[i];
  for (size_t i = 0; i < truth->unknown_count; i++)
    all[total++] = truth->unknown[i];
  for (size_t i = 0; i < touching_count; i++)
    if (!ts_curved_pair(scene, touching[i]) && !has_joint(truth, touching[i]) &&
        !is_listed(all, total, touching[i]))
      all[total++] = (ts_unknown_pair){touching[i].body_a, touching[i].body_b,
                                       "they have come to touch, and were not designed to"};
  ts_unknown_pairs_sort(all, total);
  scene->unknown = all;
  scene->unknown_count = total;
  return TS_OK;
}

static ts_status place_joints(ts_moved_regions *out, ts_scene *scene, const ts_moved_truth *truth) {
  size_t most = 0;
  for (size_t i = 0; i < truth->joint_count; i++)
    most += truth->joints[i].normal_count;
  ts_region *regions = ts_arena_array(scene->arena, most, sizeof *regions);
  ts_unknown_pair *unknown = ts_arena_array(scene->arena, truth->joint_count, sizeof *unknown);
  if (!regions || !unknown)
    return TS_E_MEMORY;
  size_t region_count = 0, unknown_count = 0;
  for (size_t first = 0, end; first < truth->joint_count; first = end) {
    const ts_joint *joint = truth->joints[first].joint;
    for (end = first + 1; end < truth->joint_count &&
                          truth->joints[end].joint->body_a == joint->body_a &&
                          truth->joints[end].joint->body_b == joint->body_b;)
      end++;
    const ts_body *a = &scene->bodies[joint->body_a], *b = &scene->bodies[joint->body_b];
    placement p = {.arena = scene->arena,
                   .b_to_a = ts_pose_relative(a->pose, b->pose),
                   .size_m = ts_pair_size_m(&scene->shapes[a->shape], &scene->shapes[b->shape])};
    p.alike_m = scene->touch_relative * p.size_m;
    size_t before = region_count;
    TS_TRY(place_pair(regions, &region_count, &p, &truth->joints[first], end - first));
    if (p.unknown) {
      region_count = before;
      unknown[unknown_count++] = (ts_unknown_pair){joint->body_a, joint->body_b, p.unknown};
    }
    for (size_t i = before; i < region_count; i++) {
      double reach_m = depth_reach_m(&regions[i]);
      TS_TRY(mark_optional(&regions[i], scene->arena, fmax(reach_m, regions[i].place_error_m)));
      regions[i].place_error_m += reach_m;
      ts_region_transform(&regions[i], 1, a->pose);
    }
  }
  *out = (ts_moved_regions){.count = region_count,
                            .regions = regions,
                            .unknown_count = unknown_count,
                            .unknown = unknown};
  return TS_OK;
}

static ts_status place_regions(ts_scene *scene, const ts_moved_truth *truth) {
  ts_moved_regions placed;
  TS_TRY(place_joints(&placed, scene, truth));
  TS_TRY(ts_moved_curved_add(&placed, scene, truth->curved, truth->unknown, truth->unknown_count));
  scene->regions = placed.regions;
  scene->region_count = placed.count;
  scene->truth_is_moved = true;
  return list_unknown(scene, truth, placed.unknown, placed.unknown_count);
}

/// Pairs whose way out was known as built have one where they are now.
static void find_ways_out(ts_scene *scene, const ts_scene *built) {
  for (size_t first = 0, count; first < scene->region_count; first += count) {
    ts_region *regions = &scene->regions[first];
    int32_t a = regions->body_a, b = regions->body_b;
    (void)ts_scene_pair_regions(&count, scene, a, b);
    if (ts_curved_pair(scene, (ts_body_pair){a, b}) || // has the one that was derived
        ts_vec3_norm2(ts_scene_pair_way_out(built, a, b)) == 0)
      continue;
    ts_vec3 way_out = ts_way_out_of_regions(regions, count);
    for (size_t i = 0; i < count; i++)
      regions[i].way_out = way_out;
  }
}

ts_status ts_scene_at(ts_scene **out, ts_arena *arena, const ts_scene *built, const ts_body *bodies,
                      const ts_moved_truth *truth) {
  if (!truth || built->truth_is_unknown)
    return ts_scene_carry(out, arena, built, bodies);
  TS_TRY(ts_scene_move(out, arena, built, bodies));
  TS_TRY(place_regions(*out, truth));
  find_ways_out(*out, built);
  return TS_OK;
}
