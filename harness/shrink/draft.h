// SPDX-License-Identifier: MIT
/// A scene that is made smaller: closed meshes in world coordinates, and nothing else that a
/// contact depends on but how the bodies move.
#ifndef TS_HARNESS_DRAFT_H
#define TS_HARNESS_DRAFT_H

#include "base/arena.h"
#include "cases/scene/scene.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct ts_draft_body {
  const char *name;
  bool is_fixed;
  double density_kg_m3;
  ts_twist twist; ///< of the world's origin, as part of the body
  size_t vertex_count, triangle_count;
  ts_vec3 *vertices;        ///< [vertex_count] world; each is used by a triangle
  uint32_t (*triangles)[3]; ///< [triangle_count]
} ts_draft_body;

typedef struct ts_draft {
  const char *name;
  ts_vec3 up;
  double scale, touch_relative; ///< as in ts_scene: lengths of methods are given for scale 1
  size_t body_count;
  ts_draft_body *bodies; ///< [body_count]
} ts_draft;

/// How large a draft is.
typedef struct ts_draft_size {
  size_t bodies, triangles;
  size_t digits; ///< of all coordinates, without zeros before them and behind the point
} ts_draft_size;

/// A draft of a scene as built, in the arena. TS_SKIPPED when it has deformable bodies, which are
/// not only meshes.
ts_status ts_draft_create(ts_draft *out, ts_arena *arena, const ts_scene *scene, const char *name);

/// A copy in the arena, whose bodies, vertices and triangles may be changed.
ts_status ts_draft_copy(ts_draft *out, ts_arena *arena, const ts_draft *draft);

/// The scene of a draft in `arena`, with the truth derived from its meshes. TS_E_INPUT: a mesh is
/// not closed, not manifold, flat or inside out. Errors of ts_derive_truth.
ts_status ts_draft_scene(ts_scene **out, ts_arena *arena, const ts_draft *draft);

/// Removes a body.
void ts_draft_remove(ts_draft *draft, size_t body);

/// Moves vertex `from` of a body onto `to`, and drops the triangles that have both and the vertices
/// that are left without one. False, with nothing changed, when no triangle has both, or fewer than
/// four would be left.
bool ts_draft_collapse(ts_draft_body *body, uint32_t from, uint32_t to);

/// Rounds a number to so many decimals, as it is read back from its text.
double ts_draft_round(double value, int decimals);

ts_draft_size ts_draft_measure(const ts_draft *draft);

/// Fingerprint of all that a scene is made of.
uint64_t ts_draft_hash(const ts_draft *draft);

/// scene.json of a draft, whose truth is derived when it is read, and the mesh of a body, an OBJ
/// file of the name that the scene gives it: body_<index>.obj.
ts_status ts_draft_write_scene(FILE *file, const ts_draft *draft);
void ts_draft_write_mesh(FILE *file, const ts_draft_body *body);

#endif
