// SPDX-License-Identifier: MIT
#include "harness/narrow_phase/parts.h"

#include "base/status.h"
#include "geometry/mesh/primitive.h"
#include "harness/narrow_phase/input_check.h"
#include "methods/envelope.h"

/// What the method works on in place of the triangles of a shape, in the envelope. False: it is
/// given the triangles only.
static bool find_geometry(ts_geometry *out, const ts_shape *shape, uint32_t takes,
                          const ts_shape_state *state) {
  int32_t kind = shape->geometry.kind;
  if (kind == TS_GEOMETRY_MESH || !(takes & TS_TAKES(kind)))
    return false;
  *out = shape->geometry;
  out->struct_size = sizeof *out;
  return state->offset_m == 0 || ts_primitive_offset(out, &shape->geometry, state->offset_m);
}

static bool is_deformable(const ts_scene *scene, size_t shape) {
  for (size_t i = 0; i < scene->body_count; i++)
    if ((size_t)scene->bodies[i].shape == shape && scene->bodies[i].elastic)
      return true;
  return false;
}

/// Number of pieces in which a shape is given to the method; 0: as a whole.
static ts_status count_pieces(size_t *out, const ts_scene *scene, size_t index,
                              const ts_method *method, uint32_t takes,
                              const ts_shape_state *state) {
  const ts_shape *shape = &scene->shapes[index];
  ts_geometry geometry;
  *out = 0;
  if (!(method->needs & TS_NEEDS_CONVEX) || find_geometry(&geometry, shape, takes, state) ||
      ts_shape_is_convex(shape))
    return TS_OK;
  *out = shape->piece_count;
  if (*out > 0)
    return TS_OK;
  if (is_deformable(scene, index))
    return ts_fail(TS_SKIPPED, "requires convex bodies, and deformable bodies (%s) are not",
                   shape->name);
  return ts_fail(TS_SKIPPED,
                 "requires convex bodies, and shape %s is not convex and has no convex pieces: a "
                 "scene file may give them, or have them found by \"pieces\": \"auto\"",
                 shape->name);
}

ts_shape_state ts_parts_shape_state(const ts_method *method, const ts_envelope *envelope) {
  return (ts_shape_state){.offset_m = ts_envelope_offset_m(envelope),
                          .moves_faces = envelope->mode == TS_ENVELOPE_FACES,
                          .needs_tets = (method->needs & TS_NEEDS_TETS) != 0};
}

/// Finds the first part of each shape, and which shapes are split into pieces.
static ts_status lay_out(ts_parts *out, ts_arena *arena, const ts_scene *scene,
                         const ts_method *method, uint32_t takes, const ts_shape_state *state) {
  size_t *first = ts_arena_array(arena, scene->shape_count + 1, sizeof *first);
  size_t *piece_counts = ts_arena_array(arena, scene->shape_count, sizeof *piece_counts);
  if (!first || !piece_counts)
    return TS_E_MEMORY;
  // Deformable ones first: pieces for the others would not help where they cannot have any.
  for (int is_rigid = 0; is_rigid < 2; is_rigid++)
    for (size_t i = 0; i < scene->shape_count; i++)
      if (is_deformable(scene, i) != is_rigid)
        TS_TRY(count_pieces(&piece_counts[i], scene, i, method, takes, state));
  bool any_pieces = false;
  for (size_t i = 0; i < scene->shape_count; i++) {
    any_pieces = any_pieces || piece_counts[i] > 0;
    first[i + 1] = first[i] + (piece_counts[i] > 0 ? piece_counts[i] : 1);
  }
  *out = (ts_parts){.count = first[scene->shape_count], .first = first};
  out->items = ts_arena_array(arena, out->count, sizeof *out->items);
  if (!out->items)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->shape_count; i++)
    for (size_t p = first[i]; p < first[i + 1]; p++)
      out->items[p].is_piece = piece_counts[i] > 0;
  return any_pieces ? ts_scene_check_pieces(scene) : TS_OK;
}

/// Adds what the mesh represents, for a method that works on it.
static ts_status show_geometry(ts_part *part, ts_arena *arena, const ts_shape *shape,
                               uint32_t takes, const ts_shape_state *state) {
  ts_geometry geometry;
  if (part->is_piece || !find_geometry(&geometry, shape, takes, state))
    return TS_OK;
  ts_mesh *mesh = ts_arena_copy(arena, part->mesh, 1, sizeof *mesh);
  if (!mesh)
    return TS_E_MEMORY;
  mesh->geometry = ts_arena_copy(arena, &geometry, 1, sizeof geometry);
  if (!mesh->geometry)
    return TS_E_MEMORY;
  part->mesh = mesh;
  return TS_OK;
}

/// Applies the envelope to all parts of a shape.
static ts_status fill(ts_parts *parts, ts_arena *arena, const ts_scene *scene, size_t shape,
                      uint32_t takes, const ts_shape_state *state) {
  for (size_t p = parts->first[shape]; p < parts->first[shape + 1]; p++) {
    ts_part *part = &parts->items[p];
    size_t piece = p - parts->first[shape];
    if (part->is_piece)
      TS_TRY(ts_shape_state_piece(&part->mesh, arena, scene, shape, piece, state));
    else
      TS_TRY(ts_shape_state_mesh(&part->mesh, arena, scene, shape, state));
    // As designed, so that all methods with the same reach get the same pairs; dilated parts as
    // they are, because sharp vertices move by more than the dilation.
    const ts_shape *designed = &scene->shapes[shape];
    part->outer = state->offset_m > 0 ? part->mesh
                  : part->is_piece    ? designed->pieces[piece]
                                      : designed->mesh;
    TS_TRY(show_geometry(part, arena, designed, takes, state));
    part->mesh_hash = ts_input_hash_mesh(part->mesh);
  }
  return TS_OK;
}

ts_status ts_parts_create(ts_parts *out, ts_arena *arena, const ts_scene *scene,
                          const ts_method *method, uint32_t takes, const ts_envelope *envelope) {
  ts_parts parts;
  ts_shape_state state = ts_parts_shape_state(method, envelope);
  TS_TRY(lay_out(&parts, arena, scene, method, takes, &state));
  ts_shape *shapes = ts_arena_array(arena, scene->shape_count, sizeof *shapes);
  if (!shapes)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->shape_count; i++) {
    TS_TRY(fill(&parts, arena, scene, i, takes, &state));
    shapes[i] = scene->shapes[i];
    const ts_part *first = &parts.items[parts.first[i]];
    if (!first->is_piece) {
      shapes[i].mesh = first->outer;
      shapes[i].bounds_local = ts_mesh_bounds(first->outer);
    }
  }
  parts.shapes = shapes;
  *out = parts;
  return TS_OK;
}

size_t ts_parts_changed(const ts_parts *parts, size_t shape_count) {
  for (size_t i = 0; i < shape_count; i++)
    for (size_t p = parts->first[i]; p < parts->first[i + 1]; p++)
      if (parts->items[p].mesh_hash != ts_input_hash_mesh(parts->items[p].mesh))
        return i;
  return shape_count;
}
