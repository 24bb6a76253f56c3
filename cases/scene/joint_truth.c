// SPDX-License-Identifier: MIT
// How the joints of a scene become the regions where its bodies touch.
//
// All decisions are made in the local frame of the joint's first body, where its feature and its
// normals are exact: a scene far from the origin loses no more than its poses have lost.
#include "cases/scene/joint_overlap.h"

#include "base/status.h"
#include "geometry/tolerances.h"

#include <stdlib.h>
#include <string.h>

// A joint, and it placed where its bodies are, along its first design normal.
typedef struct placed_joint {
  const ts_joint *joint;
  ts_placed_joint features;
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

static ts_vec3 centre_local(const ts_scene *scene, truth_scratch *scratch, int32_t body) {
  int32_t shape = scene->bodies[body].shape;
  if (!scratch->has_centre[shape]) {
    scratch->centres_local[shape] = ts_shape_mass_properties(&scene->shapes[shape], 1).centre_local;
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
    return placed->features.normal;
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
  ts_vec3 apart = ts_vec3_sub(placed->features.b[0], placed->features.a[0]);
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
  ts_joint_orient(scratch->oriented_a, scratch->feature_a, joint->count_a, normal);
  ts_joint_orient(scratch->oriented_b, scratch->feature_b, joint->count_b, normal);
  double size_m = ts_pair_size_m(&scene->shapes[a->shape], &scene->shapes[b->shape]);
  placed_joint placed = {.joint = joint,
                         .features = {.body_a = joint->body_a,
                                      .body_b = joint->body_b,
                                      .a = scratch->oriented_a,
                                      .b = scratch->oriented_b,
                                      .count_a = joint->count_a,
                                      .count_b = joint->count_b,
                                      .normal = normal,
                                      .tolerance_m = TS_CORNER_RELATIVE * size_m,
                                      .corner_m = TS_CORNER_RELATIVE * size_m,
                                      .parallel_sine = TS_PARALLEL_SINE}};
  size_t count = 0;
  TS_TRY(ts_joint_overlap(&count, scratch->vertices, &placed.features));
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

/// Makes the regions from `first` on one, where there are several.
static ts_status join_place(size_t *region_count, ts_region *regions, size_t first,
                            const ts_scene *scene) {
  if (*region_count < first + 2)
    return TS_OK;
  ts_region *of = &regions[first];
  TS_TRY(
      ts_region_join(of, *region_count - first, scene->arena, ts_region_limits(scene, of).open_m));
  *region_count = first + 1;
  return TS_OK;
}

ts_status ts_scene_resolve_truth(ts_scene *scene) {
  size_t count = scene->joint_count;
  const size_t *order = ts_joint_order(scene->arena, scene);
  ts_region *regions = ts_arena_array(scene->arena, count, sizeof *regions);
  if (!order || !regions)
    return TS_E_MEMORY;
  truth_scratch scratch;
  TS_TRY(create_scratch(&scratch, scene));
  size_t region_count = 0;
  for (size_t first = 0, end; first < count; first = end) {
    size_t of_place = region_count;
    for (end = first;
         end < count && (end == first || ts_joints_are_one_place(&scene->joints[order[end - 1]],
                                                                 &scene->joints[order[end]]));
         end++) {
      bool is_made = false;
      TS_TRY(resolve_joint(&is_made, &regions[region_count], scene, &scene->joints[order[end]],
                           &scratch));
      region_count += is_made;
    }
    TS_TRY(join_place(&region_count, regions, of_place, scene));
  }
  scene->regions = regions;
  scene->region_count = region_count;
  return TS_OK;
}
