// SPDX-License-Identifier: MIT
/// Layered depth images by OpenGL, on a graphics card or on Mesa's llvmpipe.
///
/// An A-buffer: the rasteriser says which lines of sight meet which triangles, all triangles of
/// both bodies in one pass without depth test, and each pixel keeps a list of crossings. Buffers
/// that turn out too small grow, views that still do not fit are rendered in bands of rows, and the
/// frame is done again: no layer is ever dropped. Compute shaders work out the depths, sort the
/// lists, and sum up volume and gradient; nothing but those sums comes back.
///
/// Coordinates, depths and weights are in double precision and by the rules of the reference
/// (ts_ldi_barycentric, ts_ldi_sweep_next), with the same tolerances. What differs is which pixels
/// a triangle covers: the rasteriser works in single precision, snaps corners to 1/256 of a pixel
/// or so, and has a rule of its own for centres that lie on an edge. It differs along silhouettes
/// only, by a few pixels in a hundred thousand; entries and exits match all the same, but may come
/// in reverse order there, which ends in no interval. Bodies more than 1e5 pixels across are seen
/// less sharply. A processor must have its low byte first.
///
/// After a process has used a graphics card, if only to probe it, processes forked from it cannot
/// (TS_E_UNSUPPORTED): drivers would hang. Probe in the process that measures.
#ifndef TS_LDI_EGL_H
#define TS_LDI_EGL_H

#include "ldi/backend.h"

extern const ts_ldi_backend ts_ldi_backend_egl;

/// Whether OpenGL works here on a graphics card, and not in software on the processor. No other
/// devices are tried, so this is fast on a machine without a card.
bool ts_ldi_egl_is_hardware(void);

/// How many crossings of a view there is room for at first, and at most (less where a shader can
/// see no more). 0: as is good.
typedef struct ts_ldi_egl_capacity {
  uint32_t first, max;
} ts_ldi_egl_capacity;

/// ts_ldi_backend_egl.create with other capacities: those at first change no bit, those at most
/// only the rounding where views are rendered in bands.
ts_status ts_ldi_egl_create(void **out, const ts_mesh *const mesh[2], ts_ldi_egl_capacity capacity);

#endif
