// SPDX-License-Identifier: MIT
/// What a method is given of each shape: the shape itself, or, where it takes convex bodies only
/// and the shape is not convex, the convex pieces that the scene has of it; in the state that the
/// method wants.
#ifndef TS_HARNESS_PARTS_H
#define TS_HARNESS_PARTS_H

#include "cases/scene/scene.h"
#include "cases/scene/shape_state.h"
#include "methods/method.h"

/// A shape, or a piece of one.
typedef struct ts_part {
  const ts_mesh *mesh;  ///< In the envelope's state: what the method gets.
  const ts_mesh *outer; ///< What must come within reach: as designed, or dilated.
  uint64_t mesh_hash;   ///< Of `mesh` as it was given (ts_input_hash_mesh).
  bool is_piece, is_used, is_prepared;
  void *state; ///< What the method made of it; NULL: not prepared.
} ts_part;

typedef struct ts_parts {
  size_t count;
  ts_part *items;         ///< [count], in the order of the shapes
  const size_t *first;    ///< [shape_count + 1]: where the parts of each shape begin
  const ts_shape *shapes; ///< [shape_count], whole, dilated or as designed: for the broad phase
} ts_parts;

/// The state of shapes that a method wants in that envelope.
ts_shape_state ts_parts_shape_state(const ts_method *method, const ts_envelope *envelope);

/// The parts of all shapes, in the arena. TS_SKIPPED, with the reason, when the method needs convex
/// bodies and a shape neither is convex nor has pieces, or its pieces do not come in that state;
/// else as ts_shape_state_mesh and ts_scene_check_pieces.
ts_status ts_parts_create(ts_parts *out, ts_arena *arena, const ts_scene *scene,
                          const ts_method *method, const ts_envelope *envelope);

/// Index of the first shape of which a mesh is not as it was given; shape_count when there is none.
size_t ts_parts_changed(const ts_parts *parts, size_t shape_count);

#endif
