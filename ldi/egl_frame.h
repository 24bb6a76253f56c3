// SPDX-License-Identifier: MIT
/// The data of the EGL back end on the card for a pair, and rendering of a part of a view.
#ifndef TS_LDI_EGL_FRAME_H
#define TS_LDI_EGL_FRAME_H

#include "ldi/egl_context.h"
#include "ldi/pixel_grid.h"

/// Two meshes on the card: vertices and triangles of the second after those of the first.
typedef struct ts_egl_pair {
  size_t vertex_count[2], triangle_count[2];
  ts_egl_buffer local, positions, triangles; ///< As in egl_shaders.h.
  ts_ldi_grid grid;
} ts_egl_pair;

/// What a frame answers is in one buffer, so that the processor waits for the card once: the
/// gradient from its start, volumes of groups and counts of crossings from these offsets on.
typedef struct ts_egl_answer {
  size_t gradient_bytes, volumes, counts, bytes;
} ts_egl_answer;

ts_egl_answer ts_egl_answer_of(const ts_egl_pair *pair, size_t group_count, size_t chunk_count);

/// Rows of a view that are rendered at once.
typedef struct ts_egl_chunk {
  int axis;
  int32_t first_row, row_count;
} ts_egl_chunk;

/// All of these within ts_egl_begin and ts_egl_end.
ts_status ts_egl_pair_upload(ts_egl_pair *pair, ts_egl *egl, const ts_mesh *const mesh[2]);
void ts_egl_pair_delete(ts_egl_pair *pair, ts_egl *egl);

/// Queues the vertices' way into the grid.
void ts_egl_pair_place(ts_egl_pair *pair, ts_egl *egl, const ts_ldi_pair *placed);

/// Binds the buffers of a pair, and queues that the answer is all 0; the scratch of `egl` must have
/// room.
void ts_egl_frame_begin(const ts_egl_pair *pair, ts_egl *egl, const ts_egl_answer *answer);

/// Queues the crossings of a chunk into the scratch, each pixel's list sorted, and their count into
/// the answer at `count_offset`: lists hold no more than `capacity` crossings together, the count
/// is of all (up to 2^31, where it stops).
void ts_egl_chunk_render(ts_egl *egl, const ts_egl_pair *pair, ts_egl_chunk chunk,
                         uint32_t capacity, size_t count_offset);

/// Queues the sums over the chunk rendered last: adds to the gradient, and sets the volumes of its
/// groups from `first_group` on.
void ts_egl_chunk_sum(ts_egl *egl, const ts_egl_pair *pair, ts_egl_chunk chunk, size_t first_group);

/// Groups of pixels of a chunk.
size_t ts_egl_chunk_group_count(const ts_egl_pair *pair, ts_egl_chunk chunk);

/// Bytes of the heads of a chunk.
size_t ts_egl_chunk_head_bytes(const ts_egl_pair *pair, ts_egl_chunk chunk);

/// Waits for what was queued, and reads a part of a buffer.
ts_status ts_egl_read(void *out, ts_egl *egl, const ts_egl_buffer *buffer, size_t offset,
                      size_t bytes);

#endif
