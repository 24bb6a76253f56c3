// SPDX-License-Identifier: MIT
/// The parts in which a method is given each shape: the shape itself or, for a method that takes
/// only convex bodies, the convex pieces of a non-convex shape; in the envelope that the method
/// requests.
#ifndef TS_HARNESS_PARTS_H
#define TS_HARNESS_PARTS_H

#include "cases/scene/scene.h"
#include "cases/scene/shape_state.h"
#include "methods/method.h"

/// A shape, or a piece of one.
typedef struct ts_part {
  const ts_mesh *mesh;  ///< In the envelope: what the method is given.
  const ts_mesh *outer; ///< What must be within reach: as designed, or dilated.
  uint64_t mesh_hash;   ///< Of `mesh` as it was passed to the method (ts_input_hash_mesh).
  bool is_piece, is_used, is_prepared;
  void *state; ///< The method's prepared state; NULL: not prepared.
} ts_part;

typedef struct ts_parts {
  size_t count;
  ts_part *items;         ///< [count], in the order of the shapes
  const size_t *first;    ///< [shape_count + 1]: index of the first part of each shape
  const ts_shape *shapes; ///< [shape_count], of whole shapes, dilated or as designed: for the broad
                          ///< phase
} ts_parts;

/// The state of shapes that a method wants in that envelope.
ts_shape_state ts_parts_shape_state(const ts_method *method, const ts_envelope *envelope);

/// The parts of all shapes, in the arena. Meshes of the kinds that the method `takes`
/// (ts_method_takes) have their geometry, unless the envelope has none of that kind.
///
/// TS_SKIPPED, with the reason, when the method requires convex bodies and a shape that it does not
/// take is not convex and has no pieces, or its pieces do not exist in that envelope; otherwise as
/// ts_shape_state_mesh and ts_scene_check_pieces.
ts_status ts_parts_create(ts_parts *out, ts_arena *arena, const ts_scene *scene,
                          const ts_method *method, uint32_t takes, const ts_envelope *envelope);

/// Index of the first shape with a mesh that the method has modified; shape_count when there is
/// none.
size_t ts_parts_changed(const ts_parts *parts, size_t shape_count);

#endif
