// SPDX-License-Identifier: MIT
#include "cases/truth/curved_truth.h"

#include "base/geometry_kind.h"
#include "base/status.h"
#include "cases/truth/curved_search.h"
#include "cases/truth/design_normals.h"

typedef struct shape_state {
  bool is_convex;
  ts_bvh *triangles; ///< of a shape that is not convex
} shape_state;

struct ts_curved_shapes {
  const ts_scene *scene;
  shape_state *states; ///< [shape_count]
};

static bool has_curved_shape(const ts_scene *scene) {
  bool has = false;
  for (size_t i = 0; i < scene->shape_count; i++)
    has |= ts_geometry_is_curved(scene->shapes[i].geometry.kind);
  return has;
}

static ts_status prepare(shape_state *out, ts_arena *arena, const ts_shape *shape) {
  int32_t kind = shape->geometry.kind;
  out->is_convex =
      ts_geometry_is_primitive(kind) || kind == TS_GEOMETRY_PLANE || ts_shape_is_convex(shape);
  return out->is_convex ? TS_OK : ts_bvh_create_for_mesh(&out->triangles, arena, shape->mesh);
}

ts_status ts_curved_shapes_create(ts_curved_shapes **out, ts_arena *arena, const ts_scene *scene) {
  ts_curved_shapes *shapes = ts_arena_alloc(arena, sizeof *shapes);
  if (!shapes)
    return TS_E_MEMORY;
  shapes->scene = scene;
  shapes->states = ts_arena_array(arena, scene->shape_count, sizeof *shapes->states);
  *out = shapes;
  if (!shapes->states)
    return TS_E_MEMORY;
  bool is_needed = has_curved_shape(scene);
  for (size_t i = 0; is_needed && i < scene->shape_count; i++)
    TS_TRY(prepare(&shapes->states[i], arena, &scene->shapes[i]));
  return TS_OK;
}

static const ts_shape *shape_of(const ts_scene *scene, int32_t body) {
  return &scene->shapes[scene->bodies[body].shape];
}

bool ts_curved_pair(const ts_scene *scene, ts_body_pair pair) {
  return ts_geometry_is_curved(shape_of(scene, pair.body_a)->geometry.kind) ||
         ts_geometry_is_curved(shape_of(scene, pair.body_b)->geometry.kind);
}

static ts_status solid_of(ts_solid *out, const ts_curved_search *s, const ts_shape *shape,
                          ts_pose pose) {
  int32_t kind = shape->geometry.kind;
  return ts_geometry_is_curved(kind) || kind == TS_GEOMETRY_PLANE
             ? ts_solid_of_geometry(out, s->arena, &shape->geometry, pose)
             : ts_solid_of_mesh(out, s->arena, shape->mesh, pose);
}

// ---- two convex solids ------------------------------------------------------------------------

ts_status ts_curved_fail_other(const ts_solid_separation *separation) {
  ts_vec3 t = ts_vec3_scale(separation->way.normal, -separation->way.gap_m);
  ts_vec3 other = ts_vec3_scale(separation->other.normal, -separation->other.gap_m);
  return ts_fail(TS_SKIPPED,
                 "two ways out are equally short, (%.4g, %.4g, %.4g) and (%.4g, %.4g, %.4g) m in "
                 "the frame of the first: which one is right is not defined",
                 t.x, t.y, t.z, other.x, other.y, other.z);
}

/// Where two solids touch, after b has moved out of a if they overlap.
static ts_status place_solids(ts_curved_search *s, const ts_shape *a, const ts_shape *b,
                              ts_pose b_to_a) {
  ts_solid solids[2];
  ts_solid_separation separation;
  ts_solid_place place;
  TS_TRY(solid_of(&solids[0], s, a, ts_pose_identity()));
  TS_TRY(solid_of(&solids[1], s, b, b_to_a));
  ts_solid_separate(&separation, &solids[0], &solids[1], s->touch_m);
  ts_solid_way way = separation.way;
  s->gap_m = way.gap_m;
  s->at = ts_solid_farthest(&solids[solids[0].is_half_space ? 1 : 0],
                            solids[0].is_half_space ? ts_vec3_neg(way.normal) : way.normal);
  if (way.gap_m > s->touch_m)
    return TS_OK;
  bool overlaps = way.gap_m < -s->touch_m;
  if (overlaps && separation.has_other)
    return ts_curved_fail_other(&separation);
  if (overlaps) {
    s->way_out = ts_vec3_scale(way.normal, -way.gap_m);
    b_to_a.translation = ts_vec3_add(b_to_a.translation, s->way_out);
    TS_TRY(solid_of(&solids[1], s, b, b_to_a));
    way.gap_m = 0;
  }
  TS_TRY(ts_solid_find_place(&place, s->arena, &solids[0], &solids[1], way, s->touch_m, overlaps));
  return ts_curved_add_place(s, &place);
}

// ---- regions ----------------------------------------------------------------------------------

/// A place as a region in the world. After a way out it is moved back half of it, midway between
/// the surfaces again.
static ts_status make_region(ts_region *out, const ts_curved_search *s, const ts_solid_place *place,
                             bool is_moved) {
  ts_pose pose = s->scene->bodies[s->pair.body_a].pose;
  ts_feasible *normals = ts_arena_array(s->arena, place->normal_count, sizeof *normals);
  if (!normals)
    return TS_E_MEMORY;
  bool has_parted = ts_vec3_norm2(s->way_out) > 0;
  for (size_t i = 0; i < place->normal_count; i++) {
    normals[i].normal = place->normals[i];
    if (has_parted)
      normals[i].gap_m = -ts_vec3_dot(place->normals[i], s->way_out);
    else if (is_moved)
      normals[i] = (ts_feasible){place->normals[i], place->gap_m, place->gap_slope, place->gap_at};
  }
  *out = (ts_region){.body_a = s->pair.body_a,
                     .body_b = s->pair.body_b,
                     .kind = place->count == 1   ? TS_REGION_POINT
                             : place->count == 2 ? TS_REGION_SEGMENT
                                                 : TS_REGION_POLYGON,
                     .needs_all = place->normal_count == 1,
                     .vertex_count = place->count,
                     .vertices = place->vertices,
                     .is_optional = place->is_optional,
                     .has_arcs = place->is_optional != NULL,
                     .place_error_m = place->error_m};
  out->feasible[TS_REFERENCE_FEASIBLE] = (ts_feasible_set){place->normal_count, normals};
  for (int r = 0; r < TS_REFERENCE_COUNT; r++)
    out->feasible[r] = out->feasible[TS_REFERENCE_FEASIBLE];
  ts_region_transform(out, 1, (ts_pose){{1, 0, 0, 0}, ts_vec3_scale(s->way_out, -0.5)});
  out->way_out = s->way_out;
  ts_region_transform(out, 1, pose);
  return ts_design_normals_choose(out, s->arena, s->scene);
}

/// Against a shape that is not convex: by its triangles, or by its pieces.
static ts_status place_parts(ts_curved_search *s, const ts_shape *curved, ts_pose pose,
                             int32_t other_shape, ts_pose other_pose, bool curved_is_a) {
  const ts_shape *other = &s->scene->shapes[other_shape];
  const ts_bvh *triangles = s->shapes->states[other_shape].triangles;
  ts_curved_parts parts = {.curved_is_a = curved_is_a, .name = other->name};
  TS_TRY(solid_of(&parts.curved, s, curved, pose));
  bool is_round = parts.curved.round_m > 0;
  if (!is_round && other->piece_count == 0)
    return ts_fail(TS_E_UNSUPPORTED,
                   "where %s, a %s, touches %s, which is not convex, is known for shapes with "
                   "convex pieces: give the pieces of %s",
                   curved->name, ts_geometry_words[curved->geometry.kind], other->name,
                   other->name);
  TS_TRY(is_round ? ts_curved_list_triangles(&parts, s, other->mesh, triangles, other_pose)
                  : ts_curved_list_pieces(&parts, s, other, other_pose));
  return ts_curved_place_parts(s, &parts);
}

static ts_status find_places(ts_curved_search *s) {
  const ts_body *bodies[2] = {&s->scene->bodies[s->pair.body_a], &s->scene->bodies[s->pair.body_b]};
  const ts_shape *shapes[2] = {&s->scene->shapes[bodies[0]->shape],
                               &s->scene->shapes[bodies[1]->shape]};
  ts_pose b_to_a = ts_pose_relative(bodies[0]->pose, bodies[1]->pose), same = ts_pose_identity();
  if (!s->shapes->states[bodies[1]->shape].is_convex)
    return place_parts(s, shapes[0], same, bodies[1]->shape, b_to_a, true);
  if (!s->shapes->states[bodies[0]->shape].is_convex)
    return place_parts(s, shapes[1], b_to_a, bodies[0]->shape, same, false);
  return place_solids(s, shapes[0], shapes[1], b_to_a);
}

ts_status ts_curved_truth_find(ts_curved_truth *out, ts_arena *arena, ts_curved_shapes *shapes,
                               const ts_scene *scene, ts_body_pair pair, double touch_m,
                               bool is_moved) {
  ts_curved_search s = {.arena = arena,
                        .shapes = shapes,
                        .scene = scene,
                        .pair = pair,
                        .touch_m = touch_m,
                        .gap_m = NAN};
  ts_status status = find_places(&s);
  ts_pose pose = scene->bodies[pair.body_a].pose;
  *out = (ts_curved_truth){.gap_m = s.gap_m, .at = ts_pose_point(pose, s.at)};
  TS_TRY(status);
  out->regions = ts_arena_array(arena, s.count, sizeof *out->regions);
  if (!out->regions)
    return TS_E_MEMORY;
  for (; out->count < s.count; out->count++)
    TS_TRY(make_region(&out->regions[out->count], &s, &s.places[out->count], is_moved));
  return TS_OK;
}
