// SPDX-License-Identifier: MIT
#include "cases/truth/near_miss.h"

#include "base/status.h"
#include "cases/truth/curved_truth.h"
#include "cases/truth/touch.h"
#include "geometry/closest.h"
#include "geometry/mesh/bvh.h"
#include "geometry/mesh/winding.h"
#include "geometry/tolerances.h"

double ts_near_miss_next(double touch_relative) {
  double power = pow(10, floor(log10(touch_relative)));
  for (;; power *= 10)
    for (int i = 0; i < 3; i++) {
      double step = (double[]){1, 2, 5}[i] * power;
      if (step > touch_relative * (1 + 1e-9))
        return step;
    }
}

/// The widest gap that is no touch, in tolerances.
typedef struct near_miss {
  double touches; ///< 0: none
  int32_t body_a, body_b;
  double gap_m;
  ts_vec3 at; ///< world
} near_miss;

/// How near the surfaces of a pair come, in the frame of a.
typedef struct nearness {
  const ts_mesh *mesh[2];
  ts_vec3 *vertices[2];
  double *vertex_m[2]; ///< of each vertex from the other body; infinite: not near
  double edges_m;      ///< least distance of two edges
  ts_vec3 edges_at;
} nearness;

static void corners_of(ts_vec3 out[3], const nearness *n, int side, uint32_t triangle) {
  for (int i = 0; i < 3; i++)
    out[i] = n->vertices[side][n->mesh[side]->triangles[triangle][i]];
}

static ts_status meet_triangles(void *context, uint32_t triangle_a, uint32_t triangle_b) {
  nearness *n = context;
  const uint32_t triangle[2] = {triangle_a, triangle_b};
  ts_vec3 corners[2][3];
  for (int side = 0; side < 2; side++)
    corners_of(corners[side], n, side, triangle[side]);
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++) {
      double *nearest = &n->vertex_m[side][n->mesh[side]->triangles[triangle[side]][i]];
      *nearest =
          fmin(*nearest, ts_closest_point_triangle(corners[side][i], corners[1 - side]).distance_m);
    }
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      ts_closest edges =
          ts_closest_segment_segment(NULL, NULL, corners[0][i], corners[0][(i + 1) % 3],
                                     corners[1][k], corners[1][(k + 1) % 3]);
      if (edges.distance_m < n->edges_m) {
        n->edges_m = edges.distance_m;
        n->edges_at = ts_vec3_mid(edges.on_a, edges.on_b);
      }
    }
  return TS_OK;
}

static void note(near_miss *widest, const ts_scene *scene, ts_body_pair pair, double gap_m,
                 double touch_m, ts_vec3 at_in_a) {
  double touches = gap_m / touch_m;
  if (touches > 1 && touches <= TS_DERIVED_NEAR_TOUCHES && touches > widest->touches)
    *widest = (near_miss){touches, pair.body_a, pair.body_b, gap_m,
                          ts_pose_point(scene->bodies[pair.body_a].pose, at_in_a)};
}

/// Measures what comes within `margin_m`, where bodies that overlap have moved out.
static ts_status measure(nearness *out, ts_arena *arena, const ts_scene *scene, ts_body_pair pair,
                         const ts_bvh *a, const ts_bvh *b, double margin_m) {
  const ts_body *bodies[2] = {&scene->bodies[pair.body_a], &scene->bodies[pair.body_b]};
  ts_pose b_pose = bodies[1]->pose;
  b_pose.translation =
      ts_vec3_add(b_pose.translation, ts_scene_pair_way_out(scene, pair.body_a, pair.body_b));
  ts_pose b_to_a = ts_pose_relative(bodies[0]->pose, b_pose);
  *out = (nearness){.edges_m = INFINITY};
  for (int side = 0; side < 2; side++) {
    const ts_mesh *mesh = out->mesh[side] = scene->shapes[bodies[side]->shape].mesh;
    out->vertices[side] = ts_arena_array(arena, mesh->vertex_count, sizeof *out->vertices[side]);
    out->vertex_m[side] = ts_arena_array(arena, mesh->vertex_count, sizeof *out->vertex_m[side]);
    if (!out->vertices[side] || !out->vertex_m[side])
      return TS_E_MEMORY;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
      out->vertices[side][v] =
          side == 0 ? mesh->vertices[v] : ts_pose_point(b_to_a, mesh->vertices[v]);
      out->vertex_m[side][v] = INFINITY;
    }
  }
  return ts_bvh_tandem(a, b, b_to_a, margin_m, meet_triangles, out);
}

static ts_status look_at_pair(near_miss *widest, ts_arena *arena, const ts_scene *scene,
                              ts_bvh **boxes, ts_body_pair pair, double touch_relative) {
  double touch_m = ts_touch_m(scene, touch_relative, pair.body_a, pair.body_b);
  double margin_m = TS_DERIVED_NEAR_TOUCHES * touch_m;
  nearness n;
  TS_TRY(measure(&n, arena, scene, pair, boxes[scene->bodies[pair.body_a].shape],
                 boxes[scene->bodies[pair.body_b].shape], margin_m));
  bool vertex_is_near = false;
  for (int side = 0; side < 2; side++)
    for (size_t v = 0; v < n.mesh[side]->vertex_count; v++) {
      vertex_is_near |= n.vertex_m[side][v] <= margin_m;
      note(widest, scene, pair, n.vertex_m[side][v], touch_m, n.vertices[side][v]);
    }
  if (!vertex_is_near)
    note(widest, scene, pair, n.edges_m, touch_m, n.edges_at);
  return TS_OK;
}

/// By the exact surfaces; a pair whose overlap has no truth is not asked about.
static ts_status look_at_curved_pair(near_miss *widest, ts_arena *arena, const ts_scene *scene,
                                     ts_curved_shapes *shapes, ts_body_pair pair,
                                     double touch_relative) {
  ts_curved_truth truth;
  double touch_m = ts_touch_m(scene, touch_relative, pair.body_a, pair.body_b);
  ts_status status = ts_curved_truth_find(&truth, arena, shapes, scene, pair, touch_m, false);
  if (status == TS_SKIPPED || status == TS_E_UNSUPPORTED)
    return TS_OK;
  TS_TRY(status);
  ts_vec3 at = ts_pose_point_local(scene->bodies[pair.body_a].pose, truth.at);
  note(widest, scene, pair, truth.gap_m, touch_m, at);
  return TS_OK;
}

static ts_status find_widest(near_miss *widest, ts_arena *arena, const ts_scene *scene,
                             double touch_relative) {
  ts_body_pair *pairs;
  size_t pair_count;
  TS_TRY(ts_touch_candidates(&pairs, &pair_count, arena, scene,
                             TS_DERIVED_NEAR_TOUCHES * touch_relative));
  ts_bvh **boxes = ts_arena_array(arena, scene->shape_count, sizeof *boxes);
  if (!boxes)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->shape_count; i++)
    TS_TRY(ts_bvh_create_for_mesh(&boxes[i], arena, scene->shapes[i].mesh));
  ts_curved_shapes *shapes;
  TS_TRY(ts_curved_shapes_create(&shapes, arena, scene));
  for (size_t i = 0; i < pair_count; i++) {
    ts_arena_mark mark = ts_arena_get_mark(arena);
    TS_TRY(ts_curved_pair(scene, pairs[i])
               ? look_at_curved_pair(widest, arena, scene, shapes, pairs[i], touch_relative)
               : look_at_pair(widest, arena, scene, boxes, pairs[i], touch_relative));
    ts_arena_rewind(arena, mark);
  }
  return TS_OK;
}

/// The deepest vertex of one side of what was measured within the other.
static double depth_of(const nearness *n, int side, double touch_m, double margin_m) {
  double depth_m = 0;
  for (size_t v = 0; v < n->mesh[side]->vertex_count; v++)
    if (n->vertex_m[side][v] > fmax(touch_m, depth_m) && n->vertex_m[side][v] <= margin_m &&
        ts_winding(n->mesh[1 - side], n->vertices[1 - side], n->vertices[side][v]) > 0.5)
      depth_m = n->vertex_m[side][v];
  return depth_m;
}

ts_status ts_near_miss_depth(double *out_m, const ts_scene *scene, ts_body_pair pair,
                             double touch_relative) {
  double touch_m = ts_touch_m(scene, touch_relative, pair.body_a, pair.body_b);
  double margin_m = ts_touch_m(scene, TS_DERIVED_TOUCH_MAX, pair.body_a, pair.body_b);
  const ts_mesh *a = scene->shapes[scene->bodies[pair.body_a].shape].mesh;
  const ts_mesh *b = scene->shapes[scene->bodies[pair.body_b].shape].mesh;
  ts_arena *arena;
  ts_bvh *boxes[2];
  nearness n;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = ts_bvh_create_for_mesh(&boxes[0], arena, a);
  if (status == TS_OK)
    status = ts_bvh_create_for_mesh(&boxes[1], arena, b);
  if (status == TS_OK)
    status = measure(&n, arena, scene, pair, boxes[0], boxes[1], margin_m);
  if (status == TS_OK)
    *out_m = fmax(depth_of(&n, 0, touch_m, margin_m), depth_of(&n, 1, touch_m, margin_m));
  ts_arena_destroy(arena);
  return status;
}

ts_status ts_near_miss_note(const char **out, const ts_scene *scene, double touch_relative) {
  near_miss widest = {0};
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = find_widest(&widest, arena, scene, touch_relative);
  ts_arena_destroy(arena);
  TS_TRY(status);
  *out = NULL;
  if (widest.touches == 0)
    return TS_OK;
  double would_do = ts_near_miss_next(touch_relative * widest.touches);
  const char *remedy =
      would_do <= TS_DERIVED_TOUCH_MAX
          ? ts_arena_format(scene->arena,
                            "if that is noise, \"touch_relative\": %g counts it as a "
                            "touch",
                            would_do)
          : "move the bodies together if that is noise";
  *out = remedy ? ts_arena_format(scene->arena,
                                  "the bodies %d (%s) and %d (%s) come within %.3g m at (%g, %g, "
                                  "%g) and do not touch there, by touch_relative %g of their size; "
                                  "%s",
                                  widest.body_a, scene->bodies[widest.body_a].name, widest.body_b,
                                  scene->bodies[widest.body_b].name, widest.gap_m, widest.at.x,
                                  widest.at.y, widest.at.z, touch_relative, remedy)
                : NULL;
  return *out ? TS_OK : TS_E_MEMORY;
}
