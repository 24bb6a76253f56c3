// SPDX-License-Identifier: MIT
/// The contact zone on the mesh of one body: which vertices are in it, where they go, and where its
/// boundary crosses edges (Brunel 2021, section 4.4, Eq. 3 and 5), as the deformer takes it.
///
/// Normals of the bodies are interpolated between those of their vertices. Along an edge the score
/// is that of the exact contact surface, where the paper interpolates it between the vertices.
#ifndef TS_ELASTIC_MESH_ZONE_H
#define TS_ELASTIC_MESH_ZONE_H

#include "elastic/deform.h"
#include "elastic/zone.h"

/// The contact surface and zone of one part of an overlap. Borrowed.
typedef struct ts_zone_part {
  const ts_contact_surface *surface;
  const ts_zone *zone;
} ts_zone_part;

/// Of body 0 (a) or 1 (b) of a pair; a vertex in the zones of several parts [part_count > 0]
/// belongs to the first. In the frame of the pair, with the vertices of its ts_elastic_body. In the
/// arena. A zone without a vertex is no error here. TS_E_MEMORY.
ts_status ts_mesh_zone_find(ts_deform_zone *out, ts_arena *arena, const ts_zone_part *parts,
                            size_t part_count, int body);

#endif
