// SPDX-License-Identifier: MIT
/// Back ends of layered depth images: what renders them. All share one struct and are chosen
/// at run time.
#ifndef TS_LDI_BACKEND_H
#define TS_LDI_BACKEND_H

#include "ldi/image.h"
#include "ldi/shape.h"

#define TS_LDI_DEVICE_BYTES 160

/// A pixel of the surface counts as 2^TS_LDI_WEIGHT_BITS in the sums of the gradient, which are
/// whole numbers: the same in any order, and those of the two bodies equal and opposite to the last
/// bit. 4096 x 4096 pixels in 32 layers stay within 64 bits.
#define TS_LDI_WEIGHT_BITS 34

/// The gradient by the vertices of one body; those not listed have none.
typedef struct ts_ldi_load {
  size_t count;
  const uint32_t *vertices; ///< [count] in the mesh, ascending; NULL: all, in their order.
  /// [count]: derivative by the grid coordinates of each, component w from the view along w; times
  /// 2^TS_LDI_WEIGHT_BITS [px2].
  const int64_t (*sums)[3];
} ts_ldi_load;

/// The vertex of an entry.
static inline uint32_t ts_ldi_load_vertex(const ts_ldi_load *load, size_t index) {
  return load->vertices ? load->vertices[index] : (uint32_t)index;
}

/// Volume of the overlap and its derivative, in pixels.
typedef struct ts_ldi_sums {
  double volume_px3[3]; ///< By view.
  ts_ldi_load loads[2]; ///< The back end's, until its next call.
} ts_ldi_sums;

typedef struct ts_ldi_backend {
  const char *name;    ///< Registry key, [a-z0-9_]+; never renamed.
  const char *summary; ///< One sentence.
  /// Whether it works here, with the name of the device (as much as fits). TS_SKIPPED, with a
  /// detail line that says what is missing and which packages to install.
  ts_status (*probe)(char device[TS_LDI_DEVICE_BYTES]);
  /// Makes ready for two shapes (borrowed). `threads` at least 1. TS_SKIPPED as above.
  ts_status (*create)(void **out, const ts_ldi_shape *const shapes[2], int threads);
  /// Takes the poses and the grid of a pair of their meshes; the grid is not empty.
  ts_status (*place)(void *state, const ts_ldi_pair *pair);
  /// Volume and gradient over the three views, of what was placed.
  ts_status (*measure)(ts_ldi_sums *out, void *state);
  /// One band of one view of what was placed. `*out` is the back end's until its next call for the
  /// same `member`, which is below the threads. `is_whole` false: crossings that bound no overlap
  /// may be missing.
  ts_status (*render)(ts_ldi_image *out, void *state, int member, int axis, int32_t band,
                      bool is_whole);
  bool is_threaded;             ///< Members may render at the same time; otherwise there is one, 0.
  void (*destroy)(void *state); ///< NULL is fine.
} ts_ldi_backend;

/// Every back end, the reference first; NULL-terminated.
extern const ts_ldi_backend *const ts_ldi_backends[];

/// NULL if no back end has that name.
const ts_ldi_backend *ts_ldi_backend_find(const char *name);

/// `egl` if it works on a graphics card (not in software on the processor), otherwise `cpu`.
const ts_ldi_backend *ts_ldi_backend_auto(void);

#endif
