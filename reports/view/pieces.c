// SPDX-License-Identifier: MIT
#include "reports/view/pieces.h"

#include "base/array.h"
#include "base/base64.h"
#include "base/hash.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdlib.h>
#include <zlib.h>

/// The largest window, with the header of gzip: what a browser's DecompressionStream calls "gzip".
#define GZIP_WINDOW  (15 + 16)
#define MEMORY_LEVEL 9

static ts_status fail_memory(void) {
  return ts_fail(TS_E_MEMORY, "out of memory");
}

/// Compresses into `*out`, to be freed.
static ts_status compress_bytes(uint8_t **out, size_t *out_count, const void *bytes, size_t count) {
  z_stream stream = {.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)count};
  if (count > UINT32_MAX / 2 || deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
                                             MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
    return fail_memory();
  uLong most = deflateBound(&stream, (uLong)count);
  *out = malloc(most);
  stream.next_out = *out;
  stream.avail_out = (uInt)most;
  bool is_whole = *out && deflate(&stream, Z_FINISH) == Z_STREAM_END;
  *out_count = stream.total_out;
  deflateEnd(&stream);
  if (is_whole)
    return TS_OK;
  free(*out);
  return fail_memory();
}

ts_status ts_piece_make(ts_piece *out, ts_arena *arena, const void *bytes, size_t count) {
  uint8_t *packed = NULL;
  size_t packed_count = 0;
  TS_TRY(compress_bytes(&packed, &packed_count, bytes, count));
  size_t length = (packed_count + 2) / 3 * 4;
  char *text = ts_arena_array(arena, length + 1, 1);
  FILE *file = text ? fmemopen(text, length + 1, "w") : NULL;
  if (file) {
    ts_base64 encoder = {.file = file};
    ts_base64_add(&encoder, packed, packed_count);
    ts_base64_end(&encoder);
    fclose(file);
  }
  free(packed);
  *out = (ts_piece){text, length};
  return file ? TS_OK : fail_memory();
}

static size_t find_slot(const ts_pieces *pieces, const ts_piece *piece) {
  size_t slot = ts_hash_bytes(TS_HASH_START, piece->text, piece->length) & (pieces->slot_count - 1);
  for (; pieces->slots[slot] > 0; slot = (slot + 1) & (pieces->slot_count - 1)) {
    const ts_piece *there = &pieces->pieces[pieces->slots[slot] - 1];
    if (there->length == piece->length && memcmp(there->text, piece->text, piece->length) == 0)
      break;
  }
  return slot;
}

/// Keeps at least half of the slots free.
static ts_status make_slots(ts_pieces *pieces) {
  if (2 * (pieces->count + 1) <= pieces->slot_count)
    return TS_OK;
  pieces->slot_count = pieces->slot_count > 0 ? 2 * pieces->slot_count : 64;
  pieces->slots = ts_arena_array(pieces->arena, pieces->slot_count, sizeof *pieces->slots);
  if (!pieces->slots)
    return TS_E_MEMORY;
  for (size_t i = 0; i < pieces->count; i++)
    pieces->slots[find_slot(pieces, &pieces->pieces[i])] = i + 1;
  return TS_OK;
}

ts_status ts_pieces_add(size_t *out, ts_pieces *pieces, const void *bytes, size_t count) {
  ts_arena_mark mark = ts_arena_get_mark(pieces->arena);
  ts_piece piece;
  TS_TRY(ts_piece_make(&piece, pieces->arena, bytes, count));
  if (pieces->slot_count > 0) {
    size_t there = pieces->slots[find_slot(pieces, &piece)];
    if (there > 0) {
      ts_arena_rewind(pieces->arena, mark);
      *out = there - 1;
      return TS_OK;
    }
  }
  TS_TRY(make_slots(pieces));
  TS_TRY(TS_ARENA_GROW(pieces->pieces, pieces->capacity, pieces->count, 1, pieces->arena));
  *out = pieces->count;
  pieces->pieces[pieces->count++] = piece;
  pieces->slots[find_slot(pieces, &piece)] = pieces->count;
  return TS_OK;
}
