// SPDX-License-Identifier: MIT
/// The surface of a body, coarse enough for a page.
#ifndef TS_REPORTS_VIEW_MESH_H
#define TS_REPORTS_VIEW_MESH_H

#include "base/arena.h"

#include <stdbool.h>

/// Up to this number of triangles a mesh is shown as it is.
#define TS_VIEW_TRIANGLES_MAX ((size_t)1500)

typedef struct ts_view_mesh {
  size_t vertex_count;
  const ts_vec3 *vertices_local; ///< [vertex_count]
  size_t triangle_count;
  const uint32_t (*triangles)[3]; ///< [triangle_count]
  bool is_coarse;                 ///< an approximation of the mesh
} ts_view_mesh;

/// The mesh itself, borrowed; of one with more triangles than that a coarse copy in the arena,
/// whose vertices are some of those of the mesh. The copy may have holes: it is for looking at.
ts_status ts_view_mesh_make(ts_view_mesh *out, ts_arena *arena, const ts_mesh *mesh);

#endif
