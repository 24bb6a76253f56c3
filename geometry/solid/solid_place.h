// SPDX-License-Identifier: MIT
/// Where two exact convex solids touch: a point, a segment or a flat place, and which normals are
/// right there.
#ifndef TS_GEOMETRY_SOLID_PLACE_H
#define TS_GEOMETRY_SOLID_PLACE_H

#include "geometry/solid/solid_separation.h"

enum { TS_SOLID_NORMALS_MAX = 32 };

/// In the frame of the solids.
typedef struct ts_solid_place {
  size_t count;      ///< 1: a point, 2: a segment, more: a convex polygon
  ts_vec3 *vertices; ///< [count] midway between the surfaces; counter-clockwise about normals[0]
  /// Corners of an arc (TS_SOLID_DISC_CORNERS) but for a few, so that no more than a third of a
  /// turn is between two that are not optional: a contact is right there, and none is needed. NULL:
  /// none is.
  bool *is_optional;
  size_t normal_count;
  ts_vec3 normals[TS_SOLID_NORMALS_MAX]; ///< of several any one is right; unit, from a to b
  double gap_m;                          ///< the least along normals[0]
  ts_vec3 gap_slope;                     ///< by how much the gap grows per length along the place
  ts_vec3 gap_at;                        ///< where it is the least
  bool is_free;   ///< of curved truths: the normals are those that all parts at the point leave
  double error_m; ///< how far off the place may be: lines that are nearly parallel cross
} ts_solid_place;

/// `gap`: the separation of the solids, whose gap is no more than `touch_m`. Places where they are
/// no farther apart than `touch_m` along it are where they touch. `has_one_normal`: the way's is
/// the only one, as after a way out; else two sharp places have all of which the gap is above
/// -touch_m. In the arena; TS_E_MEMORY.
ts_status ts_solid_find_place(ts_solid_place *out, ts_arena *arena, const ts_solid *a,
                              const ts_solid *b, ts_solid_way way, double touch_m,
                              bool has_one_normal);

/// Marks the corners of a polygon that are those of arcs of the discs [count], as above, whatever
/// they were marked as before. In the arena; TS_E_MEMORY.
ts_status ts_solid_mark_arcs(ts_solid_place *place, ts_arena *arena, const ts_solid_disc *discs,
                             size_t count);

#endif
