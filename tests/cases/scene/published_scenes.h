// SPDX-License-Identifier: MIT
/// The bodies of the published runs as tests/reference/ has them, in the world.
#ifndef TS_TESTS_PUBLISHED_SCENES_H
#define TS_TESTS_PUBLISHED_SCENES_H

#include "base/arena.h"
#include "geometry/vec3.h"

#include <stdbool.h>

typedef struct published_tet {
  uint32_t nodes[4]; ///< of the body
  uint8_t surface;   ///< bit i: the face opposite node i is on the surface
} published_tet;

typedef struct published_body {
  char scene[32];
  bool is_eroded, is_fixed;
  int index; ///< in its scene
  size_t vertex_count;
  ts_vec3 *vertices;                   ///< [vertex_count], world [m]
  size_t tet_count, surface_tet_count; ///< of all; of those with a face on the surface
  published_tet *tets;                 ///< [tet_count]
} published_body;

typedef struct published_scenes {
  size_t body_count;
  published_body *bodies;
} published_scenes;

/// Reads scene_bodies.csv and scene_tets.csv.gz; fails the test when they disagree or are damaged.
void published_scenes_read(published_scenes *out, ts_arena *arena);

#endif
