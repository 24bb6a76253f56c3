// SPDX-License-Identifier: MIT
/// Compressed pieces of data for a page: gzip as base64, which a browser unpacks when it needs one.
/// Equal pieces are stored once.
#ifndef TS_REPORTS_PIECES_H
#define TS_REPORTS_PIECES_H

#include "base/arena.h"

typedef struct ts_piece {
  const char *text; ///< base64 of gzip
  size_t length;    ///< of the text
} ts_piece;

/// Zero-initialise with the arena, which owns the texts and the list.
typedef struct ts_pieces {
  ts_arena *arena;
  ts_piece *pieces; ///< [count]
  size_t count, capacity;
  size_t *slots; ///< [slot_count], places in `pieces` + 1; 0: free
  size_t slot_count;
} ts_pieces;

/// Compresses bytes [count]; the same bytes give the same text. In the arena.
ts_status ts_piece_make(ts_piece *out, ts_arena *arena, const void *bytes, size_t count);

/// Adds a piece and gives its place; the place that it has, if it is there already.
ts_status ts_pieces_add(size_t *out, ts_pieces *pieces, const void *bytes, size_t count);

#endif
