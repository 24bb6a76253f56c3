/// The motions of one body against another that the truth of their regions allows.
#ifndef TS_CASES_MOTION_TRUTH_H
#define TS_CASES_MOTION_TRUTH_H

#include "cases/scene.h"
#include "geometry/twist_cone.h"

/// The frame of the twists of a pair: axes of body a; centre in the middle of the vertices of its
/// closed regions (of all of them when all are open); half of the smaller diagonal of the two local
/// boxes for a length.
ts_twist_frame ts_motion_frame(const ts_scene *scene, int32_t body_a, int32_t body_b,
                               const ts_region *regions, size_t region_count);

/// What the regions [region_count] of one pair let through, in the arena. A region that needs all
/// normals gives a term for each of its vertices and each closed normal. One where any one will do
/// gives a term for each of its edges (a point: for the point) with all its feasible normals; and
/// where `choice` is not NULL a term for each of its vertices with the one `choice[i]` of region i.
/// Open regions give nothing. The feasible normals count, whatever the reference: motion knows no
/// other. Of a polygon where any one will do only the edges are looked at.
ts_status ts_motion_truth(ts_twist_cone *out, ts_arena *arena, const ts_scene *scene,
                          const ts_twist_frame *frame, const ts_region *regions,
                          size_t region_count, const ts_vec3 *choice);

#endif
