// SPDX-License-Identifier: MIT
#include "sim/soft/delassus.h"

#include "base/status.h"

#include <math.h>

struct ts_delassus {
  size_t count;
  size_t *starts; ///< [count + 1] into `contacts` and `blocks`, which stand row by row
  size_t *own;    ///< [count] which block of its row is W_ii
  uint32_t *contacts;
  ts_mat3 *blocks;
};

/// The contacts of each body, ascending: those of body b from starts[b] to starts[b + 1].
typedef struct by_body {
  size_t *starts;
  uint32_t *contacts;
} by_body;

static size_t count_bodies(const int32_t (*bodies)[2], size_t count) {
  int32_t largest = -1;
  for (size_t i = 0; i < count; i++)
    for (int side = 0; side < 2; side++)
      largest = bodies[i][side] > largest ? bodies[i][side] : largest;
  return (size_t)largest + 1;
}

/// Whether that side of a contact is in the list of its body: it moves, and is not the other side
/// again.
static bool is_listed(const int32_t bodies[2], int side) {
  return bodies[side] >= 0 && !(side == 1 && bodies[0] == bodies[1]);
}

static ts_status sort_by_body(by_body *out, ts_arena *arena, const int32_t (*bodies)[2],
                              size_t count) {
  size_t body_count = count_bodies(bodies, count);
  out->starts = ts_arena_array(arena, body_count + 2, sizeof *out->starts);
  out->contacts = ts_arena_array(arena, 2 * count, sizeof *out->contacts);
  if (!out->starts || !out->contacts)
    return TS_E_MEMORY;
  // Counted one place ahead, so that each start is where it belongs when its list is filled.
  size_t *next = out->starts + 1;
  for (size_t i = 0; i < count; i++)
    for (int side = 0; side < 2; side++)
      if (is_listed(bodies[i], side))
        next[bodies[i][side] + 1]++;
  for (size_t b = 1; b <= body_count; b++)
    next[b] += next[b - 1];
  for (size_t i = 0; i < count; i++)
    for (int side = 0; side < 2; side++)
      if (is_listed(bodies[i], side))
        out->contacts[next[bodies[i][side]]++] = (uint32_t)i;
  return TS_OK;
}

/// The contacts that share a body with contact i, ascending, into `out` if that is not NULL; their
/// number.
static size_t merge_row(uint32_t *out, const by_body *lists, const int32_t bodies[2], size_t i) {
  const uint32_t *none = lists->contacts, *at[2] = {none, none}, *end[2] = {none, none};
  for (int side = 0; side < 2; side++)
    if (is_listed(bodies, side)) {
      at[side] = lists->contacts + lists->starts[bodies[side]];
      end[side] = lists->contacts + lists->starts[bodies[side] + 1];
    }
  size_t count = 0;
  while (at[0] != end[0] || at[1] != end[1]) {
    uint32_t of_a = at[0] != end[0] ? *at[0] : UINT32_MAX;
    uint32_t of_b = at[1] != end[1] ? *at[1] : UINT32_MAX;
    uint32_t contact = of_a < of_b ? of_a : of_b;
    at[0] += of_a == contact;
    at[1] += of_b == contact;
    if (out)
      out[count] = contact;
    count++;
  }
  if (count == 0) {
    if (out)
      out[0] = (uint32_t)i;
    count = 1;
  }
  return count;
}

/// The place of W_ik among all blocks, which it has.
static size_t find_block(const ts_delassus *w, size_t i, size_t k) {
  size_t low = w->starts[i], high = w->starts[i + 1];
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (w->contacts[middle] <= k)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static ts_status fill_structure(ts_delassus *w, ts_arena *arena, const int32_t (*bodies)[2],
                                const by_body *lists) {
  for (size_t i = 0; i < w->count; i++) {
    w->starts[i + 1] = w->starts[i] + merge_row(NULL, lists, bodies[i], i);
    if (w->starts[i + 1] > TS_DELASSUS_BLOCKS_MAX)
      return ts_fail(TS_E_INPUT,
                     "the first %zu of %zu contacts couple with others in more than %d pairs, more "
                     "than the contact solver takes: give fewer contacts for each body",
                     i + 1, w->count, TS_DELASSUS_BLOCKS_MAX);
  }
  size_t blocks = w->starts[w->count];
  w->contacts = ts_arena_array(arena, blocks, sizeof *w->contacts);
  w->blocks = ts_arena_array(arena, blocks, sizeof *w->blocks);
  if (!w->contacts || !w->blocks)
    return TS_E_MEMORY;
  for (size_t i = 0; i < w->count; i++) {
    merge_row(w->contacts + w->starts[i], lists, bodies[i], i);
    w->own[i] = find_block(w, i, i) - w->starts[i];
  }
  return TS_OK;
}

ts_status ts_delassus_create(ts_delassus **out, ts_arena *arena, const int32_t (*bodies)[2],
                             size_t count) {
  if (count > TS_DELASSUS_BLOCKS_MAX)
    return ts_fail(TS_E_INPUT, "%zu contacts are more than the contact solver takes, %d", count,
                   TS_DELASSUS_BLOCKS_MAX);
  ts_delassus *w = ts_arena_alloc(arena, sizeof *w);
  size_t *starts = ts_arena_array(arena, count + 1, sizeof *starts);
  size_t *own = ts_arena_array(arena, count, sizeof *own);
  if (!w || !starts || !own)
    return TS_E_MEMORY;
  *w = (ts_delassus){.count = count, .starts = starts, .own = own};
  by_body lists;
  TS_TRY(sort_by_body(&lists, arena, bodies, count));
  TS_TRY(fill_structure(w, arena, bodies, &lists));
  *out = w;
  return TS_OK;
}

void ts_delassus_add(ts_delassus *w, size_t i, size_t k, const ts_mat3 *block) {
  ts_mat3 *to = &w->blocks[find_block(w, i, k)];
  *to = ts_mat3_add(*to, *block);
}

ts_delassus_row ts_delassus_get_row(const ts_delassus *w, size_t i) {
  size_t start = w->starts[i];
  return (ts_delassus_row){w->starts[i + 1] - start, w->own[i], w->contacts + start,
                           w->blocks + start};
}

size_t ts_delassus_contact_count(const ts_delassus *w) {
  return w->count;
}

size_t ts_delassus_block_count(const ts_delassus *w) {
  return w->starts[w->count];
}

double ts_delassus_asymmetry(const ts_delassus *w) {
  double worst = 0, largest = 0;
  for (size_t i = 0; i < w->count; i++)
    for (size_t b = w->starts[i]; b < w->starts[i + 1]; b++) {
      const ts_mat3 *block = &w->blocks[b], *mirror = &w->blocks[find_block(w, w->contacts[b], i)];
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
          worst = fmax(worst, fabs(block->m[r][c] - mirror->m[c][r]));
          largest = fmax(largest, fabs(block->m[r][c]));
        }
    }
  return largest > 0 ? worst / largest : 0;
}
