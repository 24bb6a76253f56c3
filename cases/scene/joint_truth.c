// SPDX-License-Identifier: MIT
// How the joints of a scene become the regions where its bodies touch.
//
// All decisions are made in the local frame of the joint's first body, where its feature and its
// normals are exact: a scene far from the origin loses no more than its poses have lost.
#include "cases/scene/scene.h"

#include "base/status.h"
#include "geometry/closest.h"
#include "geometry/polygon.h"
#include "geometry/tolerances.h"

#include <stdlib.h>
#include <string.h>

// One joint where its bodies are: both features in the frame of body a.
typedef struct placed_joint {
  const ts_joint *joint;
  const ts_vec3 *a, *b; // [count_a], [count_b]
  size_t count_a, count_b;
  ts_vec3 normal;     // the first design normal
  double tolerance_m; // below which lengths count as nothing
} placed_joint;

// Scratch memory for one joint, large enough for all of them.
typedef struct truth_scratch {
  ts_vec3 *feature_a; // both in the frame of a, to the scene's scale
  ts_vec3 *feature_b;
  ts_vec3 *oriented_a; // the polygons, counter-clockwise about the normal
  ts_vec3 *oriented_b;
  ts_vec3 *vertices; // of the region
  ts_vec3 *centres_local;
  bool *has_centre; // [shape_count]
} truth_scratch;

static ts_vec3 area_vector(const ts_vec3 *corners, size_t count) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 1; i + 1 < count; i++) {
    ts_vec3 side = ts_vec3_sub(corners[i], corners[0]);
    ts_vec3 next = ts_vec3_sub(corners[i + 1], corners[0]);
    sum = ts_vec3_add(sum, ts_vec3_cross(side, next));
  }
  return ts_vec3_scale(sum, 0.5);
}

// Copies a feature, a polygon counter-clockwise about the normal.
static void orient(ts_vec3 *out, const ts_vec3 *corners, size_t count, ts_vec3 normal) {
  bool is_clockwise = count >= 3 && ts_vec3_dot(area_vector(corners, count), normal) < 0;
  for (size_t i = 0; i < count; i++)
    out[i] = corners[is_clockwise ? count - 1 - i : i];
}

// Moves points of the plane of `from` half way to the plane through `to`.
static void lift_half_way(ts_vec3 *points, size_t count, ts_vec3 to, ts_vec3 normal) {
  for (size_t i = 0; i < count; i++) {
    double height = ts_vec3_dot(normal, ts_vec3_sub(to, points[i]));
    points[i] = ts_vec3_add_scaled(points[i], 0.5 * height, normal);
  }
}

// Where a point projects on another feature, if it does: the region's one vertex.
static size_t touch_point(ts_vec3 *out, ts_vec3 point, const ts_vec3 *other, size_t count,
                          const placed_joint *placed) {
  ts_vec3 on_other = other[0];
  if (count == 2) {
    ts_vec3 along = ts_vec3_sub(other[1], other[0]);
    double length = ts_vec3_norm(along);
    double beyond_m = ts_vec3_dot(ts_vec3_sub(point, other[0]), along) / length;
    if (beyond_m < -placed->tolerance_m || beyond_m > length + placed->tolerance_m)
      return 0;
    on_other =
        ts_vec3_lerp(other[0], other[1], ts_closest_point_segment(point, other[0], other[1]));
  } else if (count >= 3) {
    double height = ts_vec3_dot(placed->normal, ts_vec3_sub(point, other[0]));
    on_other = ts_vec3_add_scaled(point, -height, placed->normal);
    if (ts_convex_distance(on_other, other, count, placed->normal) > placed->tolerance_m)
      return 0;
  }
  out[0] = ts_vec3_mid(point, on_other);
  return 1;
}

// Where two segments cross, seen along the normal, if they do: the region's one vertex, midway
// between them. Their crossing has one normal, and no other is meant.
static ts_status touch_crossing(size_t *out_count, ts_vec3 *out, const placed_joint *placed) {
  ts_vec3 along_a = ts_vec3_sub(placed->a[1], placed->a[0]);
  ts_vec3 along_b = ts_vec3_sub(placed->b[1], placed->b[0]);
  ts_vec3 across = ts_vec3_cross(along_a, along_b);
  double area = ts_vec3_norm(across);
  ts_vec3 tilt = ts_vec3_cross(ts_vec3_scale(across, 1 / area), placed->normal);
  if (!(ts_vec3_norm(tilt) <= TS_SAME_NORMAL))
    return ts_fail(TS_E_INPUT,
                   "the segments of the joint of the bodies %d and %d are not parallel, and its "
                   "normal is not that of their crossing: give the cross product of the two",
                   placed->joint->body_a, placed->joint->body_b);
  ts_vec3 to_b = ts_vec3_sub(placed->b[0], placed->a[0]);
  double at_a = ts_vec3_dot(ts_vec3_cross(to_b, along_b), across) / (area * area);
  double at_b = ts_vec3_dot(ts_vec3_cross(to_b, along_a), across) / (area * area);
  double slack_a = placed->tolerance_m / ts_vec3_norm(along_a);
  double slack_b = placed->tolerance_m / ts_vec3_norm(along_b);
  bool crosses = at_a >= -slack_a && at_a <= 1 + slack_a && at_b >= -slack_b && at_b <= 1 + slack_b;
  *out_count = crosses ? 1 : 0;
  if (crosses)
    out[0] = ts_vec3_mid(ts_vec3_lerp(placed->a[0], placed->a[1], at_a),
                         ts_vec3_lerp(placed->b[0], placed->b[1], at_b));
  return TS_OK;
}

// What two segments share: of parallel ones the part along their direction, midway between them.
static ts_status touch_segments(size_t *out_count, ts_vec3 *out, const placed_joint *placed) {
  ts_vec3 along = ts_vec3_sub(placed->a[1], placed->a[0]);
  ts_vec3 along_b = ts_vec3_sub(placed->b[1], placed->b[0]);
  double length = ts_vec3_norm(along), length_b = ts_vec3_norm(along_b);
  ts_vec3 direction = ts_vec3_unit(along);
  double sine = ts_vec3_norm(ts_vec3_cross(direction, along_b)) / length_b;
  if (!(sine <= TS_PARALLEL_SINE))
    return touch_crossing(out_count, out, placed);
  ts_vec3 to_b = ts_vec3_sub(placed->b[0], placed->a[0]);
  double start_b = ts_vec3_dot(to_b, direction);
  double end_b = start_b + ts_vec3_dot(along_b, direction);
  double low = fmax(0, fmin(start_b, end_b)), high = fmin(length, fmax(start_b, end_b));
  *out_count = 0;
  if (high - low <= placed->tolerance_m)
    return TS_OK;
  ts_vec3 half_across = ts_vec3_scale(ts_vec3_add_scaled(to_b, -start_b, direction), 0.5);
  ts_vec3 origin = ts_vec3_add(placed->a[0], half_across);
  out[0] = ts_vec3_add_scaled(origin, low, direction);
  out[1] = ts_vec3_add_scaled(origin, high, direction);
  *out_count = 2;
  return TS_OK;
}

// The part of a segment or polygon that lies over a polygon.
static size_t touch_polygon(ts_vec3 *out, const ts_vec3 *subject, size_t subject_count,
                            const ts_vec3 *polygon, size_t polygon_count,
                            const placed_joint *placed) {
  size_t count = ts_polygon_clip(out, subject, subject_count, polygon, polygon_count,
                                 placed->normal, placed->tolerance_m);
  if (count < (subject_count == 2 ? 2u : 3u))
    return 0;
  lift_half_way(out, count, polygon[0], placed->normal);
  return count;
}

static ts_status touch_features(size_t *out_count, ts_vec3 *out, const placed_joint *placed) {
  if (placed->count_a == 1) {
    *out_count = touch_point(out, placed->a[0], placed->b, placed->count_b, placed);
  } else if (placed->count_b == 1) {
    *out_count = touch_point(out, placed->b[0], placed->a, placed->count_a, placed);
  } else if (placed->count_a == 2 && placed->count_b == 2) {
    return touch_segments(out_count, out, placed);
  } else {
    // The smaller one is cut by the larger one: where it lies inside, its own corners come through
    // untouched.
    double area_a = ts_vec3_norm(area_vector(placed->a, placed->count_a));
    double area_b = ts_vec3_norm(area_vector(placed->b, placed->count_b));
    *out_count =
        area_a < area_b
            ? touch_polygon(out, placed->a, placed->count_a, placed->b, placed->count_b, placed)
            : touch_polygon(out, placed->b, placed->count_b, placed->a, placed->count_a, placed);
  }
  return TS_OK;
}

static ts_vec3 centre_local(const ts_scene *scene, truth_scratch *scratch, int32_t body) {
  int32_t shape = scene->bodies[body].shape;
  if (!scratch->has_centre[shape]) {
    const ts_mesh *mesh = scene->shapes[shape].mesh;
    scratch->centres_local[shape] = ts_mesh_mass_properties(mesh, 1).centre_local;
    scratch->has_centre[shape] = true;
  }
  return scratch->centres_local[shape];
}

// Erleben 2018, Eq. 6: the direction between the centres of mass; where one body is the ground, the
// design normal. In the frame of body a.
static ts_vec3 normal_by_centres(const ts_scene *scene, truth_scratch *scratch,
                                 const placed_joint *placed, ts_pose b_to_a) {
  const ts_joint *joint = placed->joint;
  if (scene->bodies[joint->body_a].is_fixed || scene->bodies[joint->body_b].is_fixed)
    return placed->normal;
  ts_vec3 centre_a = centre_local(scene, scratch, joint->body_a);
  ts_vec3 centre_b = ts_pose_point(b_to_a, centre_local(scene, scratch, joint->body_b));
  return ts_vec3_unit(ts_vec3_sub(centre_b, centre_a));
}

// The normals of one reference, in the world, each with the gap along it. The features lie in every
// plane that a listed normal belongs to, so that any point of each gives the gap.
static ts_status fill_normals(ts_feasible_set *out, const ts_scene *scene,
                              const placed_joint *placed, int reference) {
  const ts_joint *joint = placed->joint;
  size_t count = joint->normal_count[reference];
  ts_feasible *normals = ts_arena_array(scene->arena, count, sizeof *normals);
  if (!normals)
    return TS_E_MEMORY;
  ts_vec3 apart = ts_vec3_sub(placed->b[0], placed->a[0]);
  for (size_t i = 0; i < count; i++) {
    ts_vec3 local = joint->normals_local[reference][i];
    normals[i].normal = ts_pose_direction(scene->bodies[joint->body_a].pose, local);
    normals[i].gap_m = ts_vec3_dot(local, apart);
  }
  *out = (ts_feasible_set){.count = count, .normals = normals};
  return TS_OK;
}

static ts_status fill_published_by_centres(ts_region *region, const ts_scene *scene,
                                           truth_scratch *scratch, const placed_joint *placed,
                                           ts_pose b_to_a) {
  ts_feasible *published = ts_arena_alloc(scene->arena, sizeof *published);
  if (!published)
    return TS_E_MEMORY;
  ts_vec3 local = normal_by_centres(scene, scratch, placed, b_to_a);
  published->normal = ts_pose_direction(scene->bodies[region->body_a].pose, local);
  // How far the surfaces are apart is a matter of their planes, which this normal may miss.
  published->gap_m = region->feasible[TS_REFERENCE_DESIGN].normals[0].gap_m;
  region->feasible[TS_REFERENCE_PUBLISHED] = (ts_feasible_set){.count = 1, .normals = published};
  return TS_OK;
}

static ts_status fill_region(ts_region *out, const ts_scene *scene, truth_scratch *scratch,
                             const placed_joint *placed, size_t vertex_count, ts_pose b_to_a) {
  const ts_joint *joint = placed->joint;
  ts_pose pose = scene->bodies[joint->body_a].pose;
  ts_vec3 *vertices = ts_arena_array(scene->arena, vertex_count, sizeof *vertices);
  if (!vertices)
    return TS_E_MEMORY;
  for (size_t i = 0; i < vertex_count; i++)
    vertices[i] = ts_pose_point(pose, scratch->vertices[i]);
  *out = (ts_region){.body_a = joint->body_a,
                     .body_b = joint->body_b,
                     .kind = vertex_count == 1   ? TS_REGION_POINT
                             : vertex_count == 2 ? TS_REGION_SEGMENT
                                                 : TS_REGION_POLYGON,
                     .needs_all = joint->needs_all,
                     .vertex_count = vertex_count,
                     .vertices = vertices};
  for (int r = 0; r < TS_REFERENCE_COUNT; r++) {
    if (r != TS_REFERENCE_DESIGN &&
        joint->normals_local[r] == joint->normals_local[TS_REFERENCE_DESIGN])
      out->feasible[r] = out->feasible[TS_REFERENCE_DESIGN];
    else
      TS_TRY(fill_normals(&out->feasible[r], scene, placed, r));
  }
  if (joint->published_by_centres)
    TS_TRY(fill_published_by_centres(out, scene, scratch, placed, b_to_a));
  return TS_OK;
}

// `*out_made`: whether the joint still makes a region.
static ts_status resolve_joint(bool *out_made, ts_region *out, const ts_scene *scene,
                               const ts_joint *joint, truth_scratch *scratch) {
  const ts_body *a = &scene->bodies[joint->body_a], *b = &scene->bodies[joint->body_b];
  ts_pose b_to_a = ts_pose_relative(a->pose, b->pose);
  for (size_t i = 0; i < joint->count_a; i++)
    scratch->feature_a[i] = ts_vec3_scale(joint->feature_a_local[i], scene->scale);
  for (size_t i = 0; i < joint->count_b; i++)
    scratch->feature_b[i] =
        ts_pose_point(b_to_a, ts_vec3_scale(joint->feature_b_local[i], scene->scale));
  ts_vec3 normal = joint->normals_local[TS_REFERENCE_DESIGN][0];
  orient(scratch->oriented_a, scratch->feature_a, joint->count_a, normal);
  orient(scratch->oriented_b, scratch->feature_b, joint->count_b, normal);
  double size_m = ts_pair_size_m(&scene->shapes[a->shape], &scene->shapes[b->shape]);
  placed_joint placed = {.joint = joint,
                         .a = scratch->oriented_a,
                         .b = scratch->oriented_b,
                         .count_a = joint->count_a,
                         .count_b = joint->count_b,
                         .normal = normal,
                         .tolerance_m = TS_CORNER_RELATIVE * size_m};
  size_t count = 0;
  TS_TRY(touch_features(&count, scratch->vertices, &placed));
  *out_made = count > 0;
  return count > 0 ? fill_region(out, scene, scratch, &placed, count, b_to_a) : TS_OK;
}

static ts_status create_scratch(truth_scratch *out, const ts_scene *scene) {
  size_t largest_a = 0, largest_b = 0;
  for (size_t i = 0; i < scene->joint_count; i++) {
    largest_a = scene->joints[i].count_a > largest_a ? scene->joints[i].count_a : largest_a;
    largest_b = scene->joints[i].count_b > largest_b ? scene->joints[i].count_b : largest_b;
  }
  ts_arena *arena = scene->arena;
  size_t vector = sizeof(ts_vec3);
  *out = (truth_scratch){
      .feature_a = ts_arena_array(arena, largest_a, vector),
      .feature_b = ts_arena_array(arena, largest_b, vector),
      .oriented_a = ts_arena_array(arena, largest_a, vector),
      .oriented_b = ts_arena_array(arena, largest_b, vector),
      .vertices = ts_arena_array(arena, largest_a + largest_b, vector),
      .centres_local = ts_arena_array(arena, scene->shape_count, vector),
      .has_centre = ts_arena_array(arena, scene->shape_count, sizeof(bool)),
  };
  bool is_complete = out->feature_a && out->feature_b && out->oriented_a && out->oriented_b &&
                     out->vertices && out->centres_local && out->has_centre;
  return is_complete ? TS_OK : TS_E_MEMORY;
}

typedef struct joint_key {
  int32_t body_a, body_b;
  size_t index;
} joint_key;

static int compare_keys(const void *left, const void *right) {
  const joint_key *l = left, *r = right;
  if (l->body_a != r->body_a)
    return l->body_a < r->body_a ? -1 : 1;
  if (l->body_b != r->body_b)
    return l->body_b < r->body_b ? -1 : 1;
  return (l->index > r->index) - (l->index < r->index);
}

/// Whether a joint goes on with the place of the one before it.
static bool are_one_place(const ts_scene *scene, const joint_key *order, size_t index) {
  const ts_joint *joint = &scene->joints[order[index].index];
  const ts_joint *before = &scene->joints[order[index - 1].index];
  return joint->place != 0 && joint->place == before->place && joint->body_a == before->body_a &&
         joint->body_b == before->body_b;
}

/// Makes the regions from `first` on one, where there are several.
static ts_status join_place(size_t *region_count, ts_region *regions, size_t first,
                            const ts_scene *scene) {
  if (*region_count < first + 2)
    return TS_OK;
  ts_region *of = &regions[first];
  TS_TRY(ts_region_join(of, *region_count - first, scene->arena, ts_region_open_m(scene, of)));
  *region_count = first + 1;
  return TS_OK;
}

ts_status ts_scene_resolve_truth(ts_scene *scene) {
  size_t count = scene->joint_count;
  joint_key *order = ts_arena_array(scene->arena, count, sizeof *order);
  ts_region *regions = ts_arena_array(scene->arena, count, sizeof *regions);
  if (!order || !regions)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    order[i] = (joint_key){scene->joints[i].body_a, scene->joints[i].body_b, i};
  qsort(order, count, sizeof *order, compare_keys);
  truth_scratch scratch;
  TS_TRY(create_scratch(&scratch, scene));
  size_t region_count = 0;
  for (size_t first = 0, end; first < count; first = end) {
    size_t of_place = region_count;
    for (end = first; end < count && (end == first || are_one_place(scene, order, end)); end++) {
      bool is_made = false;
      TS_TRY(resolve_joint(&is_made, &regions[region_count], scene,
                           &scene->joints[order[end].index], &scratch));
      region_count += is_made;
    }
    TS_TRY(join_place(&region_count, regions, of_place, scene));
  }
  scene->regions = regions;
  scene->region_count = region_count;
  return TS_OK;
}
