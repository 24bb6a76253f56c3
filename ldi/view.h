// SPDX-License-Identifier: MIT
/// Which triangles each band of a view has to do with, and which of them may bound the overlap.
///
/// Most of two surfaces is far from where the bodies overlap, and a triangle there only says that a
/// line of sight has come into a body before or will leave it later. Call the body whose box comes
/// first along the lines of sight the lower one, the other the upper. A triangle of the lower body
/// below all of the upper one is left out: how often a line is inside of the lower body where it
/// comes to the rest follows from the crossings that are left, since entries match exits
/// (ts_ldi_sweep_start). A triangle of the upper body above all of the lower one is left out as
/// well: no interval begins or ends there. "All" is what is in the same tiles of pixels.
///
/// Whole blocks of triangles (ts_ldi_shape) are left out first, by their boxes: what bounds no
/// overlap is mostly not even placed.
#ifndef TS_LDI_VIEW_H
#define TS_LDI_VIEW_H

#include "geometry/tolerances.h"
#include "ldi/buffer.h"
#include "ldi/shape.h"

/// The first whole quarter of a pixel at or above x, from 16 below 0 to 16 above `size` (at most
/// TS_LDI_RESOLUTION_MAX): how far apart things are matters a little outside of the grid, too.
static inline int16_t ts_ldi_first_quarter(double x, int32_t size) {
  double low = -16, high = 4 * size + 16;
  double inside = 4 * x > low ? 4 * x : low;
  inside = inside < high ? inside : high;
  int32_t whole = (int32_t)inside;
  return (int16_t)(whole + (whole < inside));
}

/// A vertex under a grid; half a cache line.
typedef struct ts_ldi_vertex {
  double position_px[3]; ///< Grid coordinates.
  /// ts_ldi_first_quarter along each axis: the vertex lies below or on the centre of pixel i when
  /// this is at most 4 i. The fourth is not used.
  int16_t first_quarter[4];
} ts_ldi_vertex;

/// A mesh under a grid.
typedef struct ts_ldi_placed_mesh {
  const ts_ldi_shape *shape;
  ts_ldi_affine to_grid;   ///< from its local frame
  uint8_t *views;          ///< [shape->block_count]: bit w: it may bound the overlap in the view w
  ts_ldi_vertex *vertices; ///< [shape->vertex_count], set for the blocks with a view
} ts_ldi_placed_mesh;

/// A block or a triangle that covers pixels, with the tiles it may do so in.
typedef struct ts_ldi_candidate {
  uint32_t index;              ///< of the block, or of the triangle, in the shape
  int16_t first_row, last_row; ///< of tiles
  uint8_t first_column, last_column;
  /// How far it reaches towards the other body, in quarters of a pixel: the depth of the lower
  /// body's highest corner; minus that of the upper one's lowest.
  int16_t reach;
} ts_ldi_candidate;

/// The candidates of both bodies in a view.
typedef struct ts_ldi_candidates {
  ts_ldi_candidate *found[2]; ///< [count], of each body
  size_t count[2];
  int16_t *reach[2]; ///< [tile_rows * tile_columns]: how far the candidates of each body reach
  ts_ldi_buffer found_memory[2], reach_memory[2];
} ts_ldi_candidates;

/// A view along an axis. All zero at first.
typedef struct ts_ldi_view {
  int band_shift; ///< a band has 1 << band_shift rows
  int32_t band_count;
  int lower;                      ///< the body that comes first
  size_t *start;                  ///< [band_count + 1]: items of band b from start[b] on
  uint32_t *items;                ///< [start[band_count]], triangle of the shape << 1 | body
  int tile_shift, tile_row_shift; ///< of the sides of a tile in columns, in rows; of all views
  int32_t tile_columns, tile_rows;
  ts_ldi_candidates blocks, triangles;
  ts_ldi_buffer start_memory, item_memory;
} ts_ldi_view;

void ts_ldi_view_free(ts_ldi_view *view);

/// Sets what follows from the grid and the boxes.
void ts_ldi_view_begin(ts_ldi_view *view, const ts_ldi_pair *pair, int axis);

/// Finds the blocks of a body that cover pixels, in all views.
ts_status ts_ldi_views_find_blocks(ts_ldi_view views[3], const ts_ldi_placed_mesh *mesh, int body,
                                   const ts_ldi_grid *grid);

/// Sets in which views each block of a body is needed, once the blocks of both are found: for whole
/// images where it covers pixels, otherwise where it may bound the overlap.
void ts_ldi_views_choose(const ts_ldi_view views[3], ts_ldi_placed_mesh *mesh, int body,
                         bool is_whole);

/// Finds the triangles of a placed body that cover pixels, in all views, among those of the blocks
/// that were chosen.
ts_status ts_ldi_views_find(ts_ldi_view views[3], const ts_ldi_placed_mesh *mesh, int body,
                            const ts_ldi_grid *grid);

/// Sorts the triangles of both bodies into bands: all that were found, or those that may bound the
/// overlap.
ts_status ts_ldi_view_fill(ts_ldi_view *view, bool is_whole);

#endif
