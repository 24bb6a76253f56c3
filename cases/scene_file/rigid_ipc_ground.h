// SPDX-License-Identifier: MIT
/// Open meshes of rigid-ipc. There a mesh is a set of triangles that nothing passes, from either
/// side; here a body is solid, and ground is solid behind one side of its triangles.
#ifndef TS_CASES_RIGID_IPC_GROUND_H
#define TS_CASES_RIGID_IPC_GROUND_H

#include "base/arena.h"
#include "base/types.h"

#include <stdbool.h>

/// Whether an edge has no partner. In: any triangles; where vertices at one place, to the bit, are
/// all that keeps it open, they are made one, in the arena. TS_E_INPUT as ts_open_mesh_clean().
ts_status ts_rigid_ipc_close(bool *out_is_open, ts_open_mesh *mesh, ts_arena *arena);

/// Turns the outer side of an open mesh to where bodies are: the side of the nearest triangle that
/// the points [count] are on, in the frame of the mesh. Of no effect when there is none off the
/// triangles' planes. `*out_is_divided`: there are some on both sides, and it stays as it was.
ts_status ts_rigid_ipc_face(bool *out_is_divided, ts_open_mesh *mesh, ts_arena *arena,
                            const ts_vec3 *points, size_t count);

#endif
