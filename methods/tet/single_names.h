// SPDX-License-Identifier: MIT
/// Makes a file on doubles one on floats. It is included before the file itself (the compiler's
/// option -include): `double` stands for float from here on, what the file defines for others gets
/// another name, and tolerances that tell of rounding are those of floats. A number written with a
/// point is still a double; with floats it makes doubles, rounded when they are kept: the same as
/// in PROX wherever the number is a power of two, and there are no others.
///
/// Only kernels and what they call may be compiled with it: nothing whose types cross over.
#ifndef TS_METHODS_SINGLE_NAMES_H
#define TS_METHODS_SINGLE_NAMES_H

// Headers of the C library first: they mean what they say.
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TS_SINGLE 1

// The whole point of this file.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wkeyword-macro"
#endif
#define double float

#undef DBL_EPSILON
#define DBL_EPSILON FLT_EPSILON

#define ts_profile_names               ts_single_profile_names
#define ts_tet_set_normals             ts_single_tet_set_normals
#define ts_tet_pair_set_normals        ts_single_tet_pair_set_normals
#define ts_tet_volume                  ts_single_tet_volume
#define ts_tet_tet_volume              ts_single_tet_tet_volume
#define ts_tet_tet_overlap             ts_single_tet_tet_overlap
#define ts_tet_tet_least_overlap       ts_single_tet_tet_least_overlap
#define ts_tet_tet_least_overlap_among ts_single_tet_tet_least_overlap_among
#define ts_closest_point_segment       ts_single_closest_point_segment
#define ts_closest_point_triangle      ts_single_closest_point_triangle
#define ts_closest_segment_segment     ts_single_closest_segment_segment
#define ts_edge_pair_cross             ts_single_edge_pair_cross
#define ts_prox_planes                 ts_single_prox_planes
#define ts_prox_pair_planes_set        ts_single_prox_pair_planes_set
#define ts_prox_overlap                ts_single_prox_overlap
#define ts_prox_points                 ts_single_prox_points
#define ts_prox_least_overlap_axis     ts_single_prox_least_overlap_axis
#define ts_prox_sat                    ts_single_prox_sat
#define ts_tet_points_find             ts_single_tet_points_find
#define ts_tet_points_drop_duplicates  ts_single_tet_points_drop_duplicates
#define ts_tet_points_report           ts_single_tet_points_report
#define ts_tet_points_report_average   ts_single_tet_points_report_average
#define ts_tet_nodes_each              ts_single_tet_nodes_each
#define ts_tet_nodes_push              ts_single_tet_nodes_push
#define ts_tet_nodes_push_least        ts_single_tet_nodes_push_least
#define ts_tet_sat                     ts_single_tet_sat
#define ts_tet_growth_separate         ts_single_tet_growth_separate
#define ts_tet_closest_points          ts_single_tet_closest_points
#define ts_tet_intersection            ts_single_tet_intersection
#define ts_tet_vertex_only             ts_single_tet_vertex_only
#define ts_tet_consistent_vertex       ts_single_tet_consistent_vertex
#define ts_tet_volume_sat              ts_single_tet_volume_sat
#define ts_tet_surface_sat             ts_single_tet_surface_sat
#define ts_tet_opposing                ts_single_tet_opposing
#define ts_tet_growth                  ts_single_tet_growth

#endif
