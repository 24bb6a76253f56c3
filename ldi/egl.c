// SPDX-License-Identifier: MIT
#include "ldi/egl.h"

#include "base/array.h"
#include "ldi/buffer.h"
#include "ldi/egl_frame.h"
#include "ldi/egl_shaders.h"

#include <stdio.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "sums of the gradient come as two halves, low first");

// Room for so many crossings in each pixel at first, and for so many in all.
#define LAYERS_AT_FIRST   4
#define CAPACITY_AT_FIRST 65536

// Of crossings; beyond it bands cost next to nothing, and small cards have little more.
#define BYTES_MAX ((size_t)256 << 20)

typedef struct state {
  ts_egl_pair pair;
  uint32_t capacity, max_capacity; ///< Crossings of a chunk.
  size_t max_block_bytes;          ///< As in ts_egl.
  bool has_own_capacity;           ///< None to be guessed from the number of pixels.
  int32_t chunk_rows[3];           ///< By view: rows that are rendered at once.
  ts_ldi_pair placed;
  bool is_queued; ///< The card has the vertices where they are placed.
  ts_ldi_buffer chunk_memory, answer_memory;
  ts_ldi_buffer head_memory, list_memory, start_memory;
  ts_ldi_crossing *crossings; ///< [crossing_capacity] of a band
  size_t crossing_capacity;
} state;

static ts_status ask(char device[TS_LDI_DEVICE_BYTES], bool *is_hardware, bool hardware_only) {
  TS_TRY(ts_egl_acquire(hardware_only));
  ts_egl *egl;
  ts_status status = ts_egl_begin(&egl);
  if (status == TS_OK) {
    snprintf(device, TS_LDI_DEVICE_BYTES, "%s", egl->device);
    *is_hardware = egl->is_hardware;
    status = ts_egl_end(egl, TS_OK);
  }
  ts_egl_release();
  return status;
}

static ts_status probe(char device[TS_LDI_DEVICE_BYTES]) {
  bool is_hardware;
  return ask(device, &is_hardware, false);
}

bool ts_ldi_egl_is_hardware(void) {
  char device[TS_LDI_DEVICE_BYTES];
  bool is_hardware;
  return ask(device, &is_hardware, true) == TS_OK && is_hardware;
}

static void destroy(void *of) {
  state *s = of;
  if (!s)
    return;
  ts_egl *egl;
  // In a forked process there is nothing to delete from.
  if (ts_egl_begin(&egl) == TS_OK) {
    ts_egl_pair_delete(&s->pair, egl);
    ts_egl_end(egl, TS_OK);
  }
  ts_egl_release();
  ts_ldi_buffer *const memory[] = {&s->chunk_memory, &s->answer_memory, &s->head_memory,
                                   &s->list_memory, &s->start_memory};
  for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
    ts_ldi_buffer_free(memory[i]);
  free(s->crossings);
  free(s);
}

static ts_status upload(state *s, const ts_mesh *const mesh[2], ts_ldi_egl_capacity capacity) {
  ts_egl *egl;
  TS_TRY(ts_egl_begin(&egl));
  s->max_block_bytes = egl->max_block_bytes;
  size_t bytes = egl->max_block_bytes < BYTES_MAX ? egl->max_block_bytes : BYTES_MAX;
  s->max_capacity = (uint32_t)(bytes / sizeof(ts_egl_crossing));
  if (capacity.max > 0 && capacity.max < s->max_capacity)
    s->max_capacity = capacity.max;
  s->has_own_capacity = capacity.first > 0;
  s->capacity = capacity.first > 0 ? capacity.first : CAPACITY_AT_FIRST;
  return ts_egl_end(egl, ts_egl_pair_upload(&s->pair, egl, mesh));
}

ts_status ts_ldi_egl_create(void **out, const ts_mesh *const mesh[2],
                            ts_ldi_egl_capacity capacity) {
  *out = NULL;
  TS_TRY(ts_egl_acquire(false));
  state *s = calloc(1, sizeof *s);
  if (!s) {
    ts_egl_release();
    return ts_fail(TS_E_MEMORY, "no memory for layered depth images");
  }
  ts_status status = upload(s, mesh, capacity);
  if (status == TS_OK)
    *out = s;
  else
    destroy(s);
  return status;
}

static ts_status create(void **out, const ts_ldi_shape *const shapes[2], int threads) {
  (void)threads; // those of the card
  const ts_mesh *const mesh[2] = {shapes[0]->mesh, shapes[1]->mesh};
  return ts_ldi_egl_create(out, mesh, (ts_ldi_egl_capacity){0});
}

static int32_t smaller(int32_t a, int32_t b) {
  return a < b ? a : b;
}

/// Rows of each view that fit at once, as far as is known before they are rendered, and room for
/// them.
static void guess_room(state *s) {
  size_t max_pixels = s->max_block_bytes / sizeof(uint32_t), wanted = s->capacity;
  if (!s->has_own_capacity && s->max_capacity / LAYERS_AT_FIRST < max_pixels)
    max_pixels = s->max_capacity / LAYERS_AT_FIRST;
  for (int axis = 0; axis < 3; axis++) {
    size_t columns = (size_t)ts_ldi_column_count(&s->pair.grid, axis), fit = max_pixels / columns;
    size_t rows = (size_t)ts_ldi_row_count(&s->pair.grid, axis);
    rows = fit < 1 ? 1 : fit < rows ? fit : rows;
    s->chunk_rows[axis] = (int32_t)rows;
    if (!s->has_own_capacity && wanted < LAYERS_AT_FIRST * rows * columns)
      wanted = LAYERS_AT_FIRST * rows * columns;
  }
  s->capacity = wanted < s->max_capacity ? (uint32_t)wanted : s->max_capacity;
}

/// The card gets to know with what is asked about the place: one submission for both.
static ts_status place(void *of, const ts_ldi_pair *placed) {
  state *s = of;
  s->placed = *placed;
  s->is_queued = false;
  s->pair.grid = placed->grid;
  guess_room(s);
  return TS_OK;
}

static void queue_place(ts_egl *egl, state *s) {
  if (!s->is_queued)
    ts_egl_pair_place(&s->pair, egl, &s->placed);
  s->is_queued = true;
}

/// Makes room after a chunk of a view had more crossings than that.
static ts_status make_room(state *s, ts_egl_chunk chunk, uint32_t count) {
  // One too many here or there, since the rasteriser need not do the same twice.
  uint64_t wanted = (uint64_t)count + count / 8;
  if (wanted <= s->max_capacity) {
    s->capacity = wanted > s->capacity ? (uint32_t)wanted : s->capacity;
    return TS_OK;
  }
  s->capacity = s->max_capacity;
  if (count <= s->capacity)
    return TS_OK;
  if (chunk.row_count == 1)
    return ts_fail(TS_E_UNSUPPORTED,
                   "row %d of the view along axis %d has %u crossings, more than the %u that there "
                   "is room for: lower the resolution, or use the cpu back end",
                   (int)chunk.first_row, chunk.axis, count, s->capacity);
  // Three quarters full, were they spread evenly.
  int32_t rows = (int32_t)((int64_t)chunk.row_count * s->capacity / count * 3 / 4);
  rows = rows < 1 ? 1 : rows > chunk.row_count / 2 ? chunk.row_count / 2 : rows;
  s->chunk_rows[chunk.axis] = smaller(s->chunk_rows[chunk.axis], rows);
  return TS_OK;
}

/// The chunks of all views, and how much scratch they need.
typedef struct plan {
  ts_egl_chunk *chunks; ///< [chunk_count]
  size_t chunk_count, group_count, head_bytes;
} plan;

static ts_status make_plan(plan *out, state *s) {
  *out = (plan){0};
  for (int axis = 0; axis < 3; axis++) {
    int32_t rows = ts_ldi_row_count(&s->pair.grid, axis), chunk_rows = s->chunk_rows[axis];
    out->chunk_count += (size_t)((rows + chunk_rows - 1) / chunk_rows);
  }
  out->chunks = ts_ldi_buffer_reserve(&s->chunk_memory, out->chunk_count, sizeof *out->chunks);
  if (!out->chunks)
    return TS_E_MEMORY;
  size_t index = 0;
  for (int axis = 0; axis < 3; axis++) {
    int32_t rows = ts_ldi_row_count(&s->pair.grid, axis), chunk_rows = s->chunk_rows[axis];
    for (int32_t row = 0; row < rows; row += chunk_rows) {
      ts_egl_chunk chunk = {axis, row, smaller(chunk_rows, rows - row)};
      size_t bytes = ts_egl_chunk_head_bytes(&s->pair, chunk);
      out->head_bytes = bytes > out->head_bytes ? bytes : out->head_bytes;
      out->group_count += ts_egl_chunk_group_count(&s->pair, chunk);
      out->chunks[index++] = chunk;
    }
  }
  return TS_OK;
}

static ts_status reserve_scratch(ts_egl *egl, const state *s, size_t head_bytes,
                                 const ts_egl_answer *answer) {
  TS_TRY(ts_egl_reserve(egl, &egl->heads, head_bytes));
  TS_TRY(ts_egl_reserve(egl, &egl->crossings, s->capacity * sizeof(ts_egl_crossing)));
  return ts_egl_reserve(egl, &egl->answer, answer->bytes);
}

/// Queues all views, one after the other, and waits for nothing.
static ts_status queue_views(ts_egl *egl, const state *s, const plan *p,
                             const ts_egl_answer *answer) {
  TS_TRY(reserve_scratch(egl, s, p->head_bytes, answer));
  ts_egl_frame_begin(&s->pair, egl, answer);
  size_t first_group = 0;
  for (size_t i = 0; i < p->chunk_count; i++) {
    ts_egl_chunk_render(egl, &s->pair, p->chunks[i], s->capacity,
                        answer->counts + i * sizeof(uint32_t));
    ts_egl_chunk_sum(egl, &s->pair, p->chunks[i], first_group);
    first_group += ts_egl_chunk_group_count(&s->pair, p->chunks[i]);
  }
  return TS_OK;
}

/// `*out_is_complete` false: room was made, and all is to be done again.
static ts_status check_counts(bool *out_is_complete, state *s, const plan *p,
                              const uint32_t *counts) {
  *out_is_complete = true;
  uint32_t capacity = s->capacity;
  for (size_t i = 0; i < p->chunk_count; i++)
    if (counts[i] > capacity) {
      *out_is_complete = false;
      TS_TRY(make_room(s, p->chunks[i], counts[i]));
    }
  return TS_OK;
}

static ts_ldi_sums sums_of(const state *s, const plan *p, const ts_egl_answer *answer) {
  const int64_t(*gradient)[3] = s->answer_memory.data;
  const size_t *count = s->pair.vertex_count;
  ts_ldi_sums out = {.loads = {{count[0], NULL, gradient}, {count[1], NULL, gradient + count[0]}}};
  const double *volume = (const double *)gradient + answer->volumes / sizeof(double);
  for (size_t i = 0; i < p->chunk_count; i++)
    for (size_t k = ts_egl_chunk_group_count(&s->pair, p->chunks[i]); k > 0; k--)
      out.volume_px3[p->chunks[i].axis] += *volume++;
  return out;
}

/// The processor waits for the card where it reads the answer: once, unless room was short.
static ts_status measure_views(ts_ldi_sums *out, ts_egl *egl, state *s) {
  queue_place(egl, s);
  for (bool is_complete = false; !is_complete;) {
    plan p;
    TS_TRY(make_plan(&p, s));
    ts_egl_answer answer = ts_egl_answer_of(&s->pair, p.group_count, p.chunk_count);
    char *bytes = ts_ldi_buffer_reserve(&s->answer_memory, answer.bytes, 1);
    if (!bytes)
      return TS_E_MEMORY;
    TS_TRY(queue_views(egl, s, &p, &answer));
    TS_TRY(ts_egl_read(bytes, egl, &egl->answer, 0, answer.bytes));
    TS_TRY(
        check_counts(&is_complete, s, &p, (const uint32_t *)(const void *)(bytes + answer.counts)));
    if (is_complete)
      *out = sums_of(s, &p, &answer);
  }
  return TS_OK;
}

static ts_status measure(ts_ldi_sums *out, void *of) {
  ts_egl *egl;
  TS_TRY(ts_egl_begin(&egl));
  return ts_egl_end(egl, measure_views(out, egl, of));
}

/// Adds the lists of a chunk to the image of its band.
static ts_status read_chunk(ts_ldi_image *image, size_t *crossing_count, ts_egl *egl, state *s,
                            ts_egl_chunk chunk, uint32_t count) {
  size_t head_bytes = ts_egl_chunk_head_bytes(&s->pair, chunk), pixels = head_bytes / 4;
  uint32_t *heads = ts_ldi_buffer_reserve(&s->head_memory, pixels, sizeof *heads);
  ts_egl_crossing *lists = ts_ldi_buffer_reserve(&s->list_memory, count, sizeof *lists);
  if (!heads || !lists)
    return TS_E_MEMORY;
  TS_TRY(TS_HEAP_GROW(s->crossings, s->crossing_capacity, *crossing_count, count));
  TS_TRY(ts_egl_read(heads, egl, &egl->heads, 0, head_bytes));
  TS_TRY(ts_egl_read(lists, egl, &egl->crossings, 0, count * sizeof *lists));
  uint32_t *start = s->start_memory.data, at = (uint32_t)*crossing_count;
  uint32_t first = (uint32_t)(chunk.first_row - image->first_row) * (uint32_t)image->column_count;
  for (uint32_t i = 0; i < pixels; i++) {
    start[first + i] = at;
    for (uint32_t node = heads[i]; node != TS_EGL_NONE; node = lists[node].next)
      s->crossings[at++] = (ts_ldi_crossing){lists[node].depth_px, lists[node].id, node};
  }
  start[first + pixels] = at;
  *crossing_count = at;
  image->start = start;
  image->crossings = s->crossings;
  return TS_OK;
}

static ts_status render_rows(ts_ldi_image *image, ts_egl *egl, state *s) {
  size_t pixels = (size_t)image->row_count * (size_t)image->column_count, crossing_count = 0;
  if (!ts_ldi_buffer_reserve(&s->start_memory, pixels + 1, sizeof *image->start))
    return TS_E_MEMORY;
  int32_t row = image->first_row, end = row + image->row_count;
  const ts_egl_answer answer = ts_egl_answer_of(&s->pair, 1, 1);
  queue_place(egl, s);
  while (row < end) {
    ts_egl_chunk chunk = {image->axis, row, smaller(s->chunk_rows[image->axis], end - row)};
    TS_TRY(reserve_scratch(egl, s, ts_egl_chunk_head_bytes(&s->pair, chunk), &answer));
    ts_egl_frame_begin(&s->pair, egl, &answer);
    ts_egl_chunk_render(egl, &s->pair, chunk, s->capacity, answer.counts);
    uint32_t count = 0;
    TS_TRY(ts_egl_read(&count, egl, &egl->answer, answer.counts, sizeof count));
    if (count > s->capacity) {
      TS_TRY(make_room(s, chunk, count));
      continue;
    }
    TS_TRY(read_chunk(image, &crossing_count, egl, s, chunk, count));
    row += chunk.row_count;
  }
  return TS_OK;
}

static ts_status render(ts_ldi_image *out, void *of, int member, int axis, int32_t band,
                        bool is_whole) {
  (void)member;
  (void)is_whole; // always
  state *s = of;
  const ts_ldi_grid *grid = &s->pair.grid;
  int32_t band_rows = 1 << ts_ldi_band_shift(grid, axis), first = band * band_rows;
  *out = (ts_ldi_image){.axis = axis,
                        .first_row = first,
                        .row_count = smaller(band_rows, ts_ldi_row_count(grid, axis) - first),
                        .column_count = ts_ldi_column_count(grid, axis)};
  ts_egl *egl;
  TS_TRY(ts_egl_begin(&egl));
  return ts_egl_end(egl, render_rows(out, egl, s));
}

const ts_ldi_backend ts_ldi_backend_egl = {
    .name = "egl",
    .summary = "OpenGL without a display; pays on a graphics card.",
    .probe = probe,
    .create = create,
    .place = place,
    .measure = measure,
    .render = render,
    .destroy = destroy,
};
