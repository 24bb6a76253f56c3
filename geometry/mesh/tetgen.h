// SPDX-License-Identifier: MIT
/// Filling a closed surface with tetrahedra, by TetGen in a process of its own.
///
/// TetGen 1.5 aborts, crashes and prints on bad input, and is under the AGPL: it runs in the helper
/// executable touchstone-tetgen, fed and read through pipes, with a time limit.
#ifndef TS_GEOMETRY_TETGEN_H
#define TS_GEOMETRY_TETGEN_H

#include "geometry/mesh/mesh.h"

#include <stdbool.h>

typedef struct ts_tetgen_options {
  double quality_ratio;   ///< largest radius-edge ratio, above 1; 0: no bound
  double max_volume_m3;   ///< largest tet; 0: no bound (see ts_tetgen_fill on both)
  bool may_split_surface; ///< false: the surface triangles come back as they are
  double time_limit_s;    ///< 0: that of the process
  /// Above 0: TetGen gets coordinates in this length, rounded to TS_TETGEN_GRID of it. Its choices
  /// depend on the last bit of coordinates, so surfaces that differ by a scale, and by rounding,
  /// are cut in the same way when each has its own unit. The vertices of the surface stay as they
  /// are to the bit. 0: coordinates go as they are.
  double unit_m;
} ts_tetgen_options;

/// What the published meshes were made with: ratio 2, no volume bound, surface kept.
extern const ts_tetgen_options ts_tetgen_coarse;

/// Sets the time limit of this process and of those that it forks, above 0: what a user says by
/// --tetgen-limit. 30 s at first.
void ts_tetgen_set_time_limit(double time_limit_s);

/// Fills the surface: `*out` is a mesh in the arena with tets and surface flags; vertices of the
/// surface come first and in their order, those that no triangle uses too. TetGen meets the bounds
/// on shape and volume where it may split the surface; where it may not, tets stay as large as the
/// surface's triangles make them. Same input, same bits.
///
/// The result has been checked: at least one tet, all volumes above zero and adding up to the
/// surface's; the surface kept when asked, else closed, oriented and of the same area. Failures are
/// a status with a message that says what to do: TS_E_INPUT when TetGen cannot fill the surface
/// (self-crossing, too thin), crashes or takes too long; TS_E_UNSUPPORTED when the helper is not
/// there, with the package to install; TS_E_IO when it cannot be run or is not one; TS_E_MEMORY.
/// Nothing is printed, no process is left, no signal is raised.
///
/// The helper is the program that TOUCHSTONE_TETGEN names, else touchstone-tetgen in the folder of
/// the running program. A call takes at least 2 ms. May be called from several threads. `surface`
/// must have been made by ts_mesh_create; its tets do not matter.
ts_status ts_tetgen_fill(ts_mesh **out, ts_arena *arena, const ts_mesh *surface,
                         const ts_tetgen_options *options);

#endif
