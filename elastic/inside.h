// SPDX-License-Identifier: MIT
/// The part of each body's surface that is inside the other body (I_a and I_b of Brunel 2021), cut
/// exactly, and the connected parts of the overlap.
///
/// A triangle that lies on the surface of the other body is taken as if it were moved outwards by
/// TS_ELASTIC_FLUSH of the pair's size: faces that are flush are outside, faces that touch back to
/// back are inside, and a part that has nothing else is none.
#ifndef TS_ELASTIC_INSIDE_H
#define TS_ELASTIC_INSIDE_H

#include "elastic/elastic_pair.h"

#define TS_NO_PART UINT32_MAX

/// A convex piece of a triangle, inside the other body. A triangle may have several.
typedef struct ts_inside_piece {
  uint32_t triangle;
  uint32_t part; ///< in ts_inside::parts; TS_NO_PART: of a graze
  double area_m2;
  size_t corner_count; ///< 3 or 4
  ts_vec3 corners[4];  ///< Frame; counter-clockwise seen from outside.
} ts_inside_piece;

/// Pieces of one surface that are connected within it. A body that goes through the other one has
/// at least two of the other's in a part.
typedef struct ts_inside_sheet {
  ts_vec3 area_vector_m2; ///< integral of the normal, frame
} ts_inside_sheet;

/// A connected part of the overlap. Normals are those of the triangles.
typedef struct ts_inside_part {
  double area_m2[2];            ///< of I_a and I_b
  ts_vec3 area_vector_m2[2];    ///< integral of the normal over them, frame
  double variance[2];           ///< trace of the covariance of the normal over them; 0 without area
  size_t triangle_count[2];     ///< of a and b, with a piece in this part
  const uint32_t *triangles[2]; ///< [triangle_count] ascending
  size_t sheet_count[2];
  const ts_inside_sheet *sheets[2]; ///< [sheet_count] connected pieces of each surface
} ts_inside_part;

typedef struct ts_inside {
  size_t piece_count[2];
  const ts_inside_piece *pieces[2]; ///< [piece_count] by triangle
  size_t part_count;
  const ts_inside_part *parts; ///< [part_count] by falling area of both surfaces
} ts_inside;

/// In the pair's arena. No part when the bodies do not overlap; what they graze each other by
/// (TS_ELASTIC_JOIN) is none. TS_SKIPPED, with the reason, when a closed surface of one body is
/// inside the other without touching it, or but for flush faces, when all faces around a part are
/// flush, as where bodies coincide, and when the surfaces found do not close off the overlap. O(n
/// log n) where the surfaces cross in curves.
ts_status ts_inside_find(ts_inside *out, const ts_elastic_pair *pair);

/// How many pieces a triangle of body 0 or 1 has. O(log n).
size_t ts_inside_piece_count(const ts_inside *inside, int body, uint32_t triangle);

/// The part that a point of a triangle of body 0 or 1 belongs to; TS_NO_PART where that is outside
/// of the other body. O(log n), and the pieces of the triangle.
uint32_t ts_inside_part_at(const ts_inside *inside, const ts_elastic_pair *pair, int body,
                           uint32_t triangle, ts_vec3 point);

#endif
