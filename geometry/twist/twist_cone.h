// SPDX-License-Identifier: MIT
/// Which small motions of one body against another a set of normals at points lets through.
///
/// A twist of body b against body a is six numbers, dimensionless: the velocity of the material
/// point of b at `centre`, and the angular velocity times `length_m`, both along the axes of the
/// frame. Of a unit twist the velocity at a distance of `length_m` is at most about 1, whatever the
/// size of the bodies.
#ifndef TS_GEOMETRY_TWIST_CONE_H
#define TS_GEOMETRY_TWIST_CONE_H

#include "geometry/pose.h"

#include <stdbool.h>

typedef struct ts_twist_frame {
  ts_quat axes;    ///< turns the axes of the frame to the world's; a body's, so that it moves along
  ts_vec3 centre;  ///< world [m]
  double length_m; ///< above 0
} ts_twist_frame;

/// A normal n from a to b at a point p: (n, (p - centre) x n / length_m) in the frame. Its product
/// with a twist is n.v(p), the speed at which the bodies part there. Read as a wrench it is the one
/// that a unit force along n at p has.
typedef struct ts_twist_row {
  double of[6];
} ts_twist_row;

/// An AND of ORs. A twist is free when every term is, and a term is free when one of its rows is.
/// The term of an edge has the rows of its one end and then, in the same order, those of its other
/// end, and is free when one of them is at every point between: at each point another one may be.
typedef struct ts_twist_cone {
  size_t term_count;
  const size_t *term_ends; ///< [term_count]: the row after the last one of each term
  const ts_twist_row *rows;
  const bool *is_edge; ///< [term_count]; NULL: none
} ts_twist_cone;

/// `normal` as it is: nothing is made unit.
ts_twist_row ts_twist_row_make(const ts_twist_frame *frame, ts_vec3 point, ts_vec3 normal);

/// The row with its six numbers as a unit vector; false when they have no direction: all zero, or
/// not finite.
bool ts_twist_row_unit(ts_twist_row *row);

/// The length of six numbers as a vector.
double ts_twist_norm(const double v[6]);

static inline double ts_twist_row_speed(const ts_twist_row *row, const double twist[6]) {
  const double *r = row->of;
  return r[0] * twist[0] + r[1] * twist[1] + r[2] * twist[2] + r[3] * twist[3] + r[4] * twist[4] +
         r[5] * twist[5];
}

/// Least over the terms (and over the points of an edge, exactly) of the largest speed over their
/// rows: how fast the bodies part where they part slowest. Infinite without terms.
double ts_twist_cone_margin(const ts_twist_cone *cone, const double twist[6]);

/// The least, over the points of an edge, of the largest of `count` speeds: those of as many rows
/// for its one end, and then of those for its other end in the same order.
double ts_twist_edge_margin(const ts_twist_row *rows, size_t count, const double twist[6]);

/// Whether some of `rows` [count] closes faster than `tolerance`.
bool ts_twist_rows_block(const ts_twist_row *rows, size_t count, const double twist[6],
                         double tolerance);

/// What makes twists slide on a cone: of margin 0 up to rounding, and unit.
typedef struct ts_twist_slide {
  enum { TS_SLIDE_NONE, TS_SLIDE_IN_PLANE, TS_SLIDE_TO_FIRST, TS_SLIDE_ON_ALL } kind;
  ts_vec3 direction;         ///< the one normal, or the mean of the normals
  const ts_twist_cone *cone; ///< borrowed
  double basis[6][6];        ///< [rank] orthonormal: what opens or closes some row
  int rank;
} ts_twist_slide;

/// Where all rows have one normal (TS_SAME_NORMAL) what moves along it or tilts it is taken out of
/// a twist: a translation in the plane and a spin about the normal are left. Else a twist is moved
/// along the mean of the normals until the first term neither opens nor closes; and where the
/// normals have no common side, as of a peg in a hole, what opens or closes any row is taken out of
/// it. The cone has no edges.
ts_twist_slide ts_twist_slide_on(const ts_twist_cone *cone);

/// Makes a unit twist slide. False when there is no such motion: the cone has no rows, or nothing
/// is left but rounding (TS_SAME_NORMAL).
bool ts_twist_make_slide(double twist[6], const ts_twist_slide *slide);

/// Distance of the unit `row` from the cone that `rows` [count], all unit, span: from the nearest
/// sum of them with factors not below 0 (geometry/cone_distance.h). 0: in the cone; 1: at a right
/// angle to it or farther; without rows 1. By Farkas' lemma it is 0 exactly when the row blocks
/// nothing that `rows` leave free. Rounding is about 1e-12.
double ts_twist_row_residual(const ts_twist_row *rows, size_t count, const ts_twist_row *row);

#endif
