// SPDX-License-Identifier: MIT
/// A contact zone on the mesh of a body: which of its vertices are in it, and where its edges leave
/// it (Brunel 2021, section 4.4 and Fig. 6). What the deformer takes.
#ifndef TS_ELASTIC_MESH_ZONE_H
#define TS_ELASTIC_MESH_ZONE_H

#include "elastic/deform.h"
#include "elastic/zone.h"

/// A contact surface and its zone, of one part of the overlap. Borrowed.
typedef struct ts_zone_part {
  const ts_contact_surface *surface;
  const ts_zone *zone;
} ts_zone_part;

/// The zone of parts [count] of one pair on the mesh of body `which` (0: a, 1: b); all vectors in
/// the frame of the pair. A place that two parts claim is that of the first.
///
/// A vertex is in the zone where it is what the other body sees of its body along the direction,
/// and the score there is high enough. Normals are those of the vertices, averaged over the faces
/// around that turn by less than TS_CREASE_COSINE: flat faces keep theirs up to their edges. The
/// boundary on an edge is found on the meshes themselves, to rounding, and not by interpolation
/// between its ends, since the other body may end in between.
///
/// In the arena; TS_E_MEMORY. A zone between the vertices of a coarse mesh has none inside.
ts_status ts_mesh_zone_find(ts_deform_zone *out, ts_arena *arena, const ts_zone_part *parts,
                            size_t count, int which);

#endif
