// SPDX-License-Identifier: MIT
/// Linear finite elements on a cut surface: harmonic fields, and the distance from the zone's
/// boundary by the heat method (Crane et al. 2013; Brunel 2021, section 5.1). Values are known at
/// the boundary of the zone; the normal derivative is 0 at all other ends of the surface.
///
/// The stiffness of an edge is half the sum of the cotangents opposite to it. Obtuse triangles make
/// some of them negative; the matrix is positive definite all the same, as every stiffness matrix
/// of finite elements is.
#ifndef TS_ELASTIC_SURFACE_SYSTEM_H
#define TS_ELASTIC_SURFACE_SYSTEM_H

#include "elastic/cut_surface.h"
#include "geometry/sparse_cholesky.h"

typedef struct ts_surface_system {
  const ts_cut_surface *surface; ///< borrowed
  ts_arena *arena;
  ts_sparse_upper stiffness; ///< of free vertices
  double *areas_m2;          ///< [free_count] a third of the triangles at each
  ts_cholesky_order *order;
  ts_cholesky_factor *factor; ///< of the stiffness
  double *work;               ///< [free_count]
  double factor_ns;           ///< spent in orders and factors
} ts_surface_system;

/// Assembles and factors. The arrays are in the arena, the factors are not: destroy, also after a
/// failure, what was zero before or created. TS_E_INPUT when triangles are so thin that the matrix
/// is not definite; TS_E_UNSUPPORTED, TS_E_MEMORY.
ts_status ts_surface_system_create(ts_surface_system *out, ts_arena *arena,
                                   const ts_cut_surface *surface);
void ts_surface_system_destroy(ts_surface_system *system);

/// The harmonic field [free_count] with values `fixed` [fixed_count] at the boundary.
void ts_surface_harmonic(double *out, ts_surface_system *system, const double *fixed);

/// How long [m2] heat is to flow for distances up to `extent_m`: 10 h^2, with h the mean edge of
/// the mesh, or longer where it would not reach that far (TS_HEAT_REACH).
double ts_surface_heat_time(const ts_mesh *mesh, double extent_m);

/// Distance [m] over the surface from the boundary of the zone, [free_count], 0 or more. What is
/// farther than TS_HEAT_REACH times the root of the time seems to be where the heat ends.
ts_status ts_surface_distance(double *out_m, ts_surface_system *system, double time_m2);

#endif
