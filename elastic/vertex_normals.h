// SPDX-License-Identifier: MIT
/// Normals at the vertices of a mesh.
#ifndef TS_ELASTIC_VERTEX_NORMALS_H
#define TS_ELASTIC_VERTEX_NORMALS_H

#include "base/types.h"

/// Unit means of the normals of the faces around each vertex, weighted by the angle of each face
/// there, in the frame of the vertices: [vertex_count], zeroed before. Zero where the faces cancel,
/// or there are none.
void ts_vertex_normals(ts_vec3 *out, const ts_mesh *mesh);

#endif
