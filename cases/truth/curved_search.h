// SPDX-License-Identifier: MIT
/// Where a curved pair touches, on its way. For cases/truth/curved_*.c only.
#ifndef TS_CASES_CURVED_SEARCH_H
#define TS_CASES_CURVED_SEARCH_H

#include "cases/truth/curved_truth.h"
#include "geometry/mesh/bvh.h"
#include "geometry/solid/solid_place.h"

/// In the frame of a.
typedef struct ts_curved_search {
  ts_arena *arena;
  ts_curved_shapes *shapes;
  const ts_scene *scene;
  ts_body_pair pair;
  double touch_m;
  size_t count;
  ts_solid_place *places; ///< [count]
  ts_vec3 way_out;
  double gap_m; ///< of both bodies; NaN: not known
  ts_vec3 at;
} ts_curved_search;

ts_status ts_curved_add_place(ts_curved_search *s, const ts_solid_place *place);

/// TS_SKIPPED: two ways out are equally short.
ts_status ts_curved_fail_other(const ts_solid_separation *separation);

/// A curved solid, and the convex parts of the other body that come near it.
typedef struct ts_curved_parts {
  const char *name; ///< of the other body's shape
  bool curved_is_a;
  ts_solid curved;
  size_t count, capacity;
  ts_solid *parts; ///< [count]
  bool are_triangles;
  bool is_inside; ///< the middle of the curved solid is inside the other body's triangles
} ts_curved_parts;

/// The triangles of a surface as thin solids.
ts_status ts_curved_list_triangles(ts_curved_parts *parts, const ts_curved_search *s,
                                   const ts_mesh *mesh, const ts_bvh *triangles, ts_pose pose);

ts_status ts_curved_list_pieces(ts_curved_parts *parts, const ts_curved_search *s,
                                const ts_shape *shape, ts_pose pose);

/// Finds the places where the curved solid touches the parts, after it has moved out along the way
/// out of the deepest if they overlap. A place counts where no other part that is there is nearer:
/// between triangles, or pieces, that go on into each other is none. TS_SKIPPED when that is not
/// known: the solid is inside, or it is still in another part then.
ts_status ts_curved_place_parts(ts_curved_search *s, ts_curved_parts *parts);

#endif
