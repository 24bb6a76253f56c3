// SPDX-License-Identifier: MIT
/// The overlap of two bodies by layered depth images: its volume, the volume's gradient, and the
/// contacts that represent it (Allard 2010, on Faure 2008).
#ifndef TS_LDI_LDI_H
#define TS_LDI_LDI_H

#include "ldi/cells.h"

/// Two meshes under observation, with all the memory that takes: after the first call none is
/// allocated unless more is needed than before.
typedef struct ts_ldi ts_ldi;

/// The shapes are borrowed until ts_ldi_destroy. `threads` at least 1: results do not depend on it.
/// TS_SKIPPED when the back end does not work here.
ts_status ts_ldi_create(ts_ldi **out, const ts_ldi_backend *backend, const ts_ldi_shape *a,
                        const ts_ldi_shape *b, int threads);

/// The same for two meshes that no shape was made of before (borrowed).
ts_status ts_ldi_create_for_meshes(ts_ldi **out, const ts_ldi_backend *backend, const ts_mesh *a,
                                   const ts_mesh *b, int threads);
void ts_ldi_destroy(ts_ldi *ldi); ///< NULL is fine.

/// Poses the bodies and fits the grid over the box in which they overlap. TS_E_INPUT when a
/// coordinate is not finite, a body is so far from the origin that its size is lost there
/// (TS_LDI_BOX_RELATIVE), or the resolution is out of range.
ts_status ts_ldi_place(ts_ldi *ldi, ts_pose a, ts_pose b, int resolution_px);

/// What was placed; the grid is empty when the boxes are apart.
const ts_ldi_pair *ts_ldi_placed(const ts_ldi *ldi);

/// Layered image of a band of a view (ts_ldi_grid), until the next call; the grid is not empty.
ts_status ts_ldi_render(ts_ldi_image *out, ts_ldi *ldi, int axis, int32_t band);

/// Volume of the overlap, the mean of three views, and its derivative by the position of every
/// vertex (Allard 2010, Eq. 11 to 14).
typedef struct ts_ldi_overlap {
  double volume_m3, view_volume_m3[3];
  /// World [m2], [mesh->vertex_count] of a and of b, until the next call. Both sum to the same
  /// vector, with opposite signs.
  const ts_vec3 *gradient[2];
} ts_ldi_overlap;

ts_status ts_ldi_measure(ts_ldi_overlap *out, ts_ldi *ldi);

/// Visits the cells of a grid of cubes, `cell_px` pixels wide (at least 1) from the grid's low
/// corner, that hold a part of the overlap, x fastest, each with its volume and gradient.
ts_status ts_ldi_visit_cells(ts_ldi *ldi, int cell_px, ts_ldi_cell_visit visit, void *context);

/// Takes a contact; anything but TS_OK ends the search and is passed on.
typedef ts_status (*ts_ldi_emit)(void *context, const ts_contact *contact);

/// Contacts of the overlap: one of all of it when `cell_px` is 0 (Allard 2010, Eq. 20), else one
/// for each cell of ts_ldi_visit_cells (section 5, Eq. 22 to 24), in that order.
///
/// With g_k = dV/dp_k, the normal is along the sum of g_k over the vertices of a, A_k = n . g_k,
/// the area is the sum of the positive A_k, the gap is -V / area, and the point is midway between
/// the barycentres of the two surfaces, each weighted with the A_k of its body's sign. V is here
/// the mean of the views weighted with the squares of the normal's components, as the area is: a
/// view along a shallow overlap counts whole pixels of its thickness, the view across it is exact.
/// An overlap that no motion of a makes smaller (one body wholly inside the other, say) has no
/// normal, and makes no contact.
ts_status ts_ldi_contacts(ts_ldi *ldi, int cell_px, ts_ldi_emit emit, void *context);

#endif
