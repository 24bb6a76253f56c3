// SPDX-License-Identifier: MIT
// covers: methods/semi_local/semi_scratch.c
/// The memory of one call: small arrays are parts of few requests, and none of another one.
#include "methods/semi_local/semi_scratch.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS_MAX = 300, SIZES = 601 };

/// A host that gives `limit` blocks.
typedef struct counted_host {
  ts_host host; ///< first, so that its functions find the rest
  void **blocks;
  size_t *count, limit;
  ts_status *failed;
} counted_host;

static void *blocks[BLOCKS_MAX];
static size_t block_count;
static ts_status failed;

static void *give(const ts_host *host, size_t bytes) {
  const counted_host *of = (const counted_host *)(const void *)host;
  if (*of->count == of->limit)
    return NULL;
  void *block = aligned_alloc(64, (bytes + 64) / 64 * 64);
  cr_assert(block);
  of->blocks[(*of->count)++] = memset(block, 0, bytes);
  return block;
}

static ts_status fail(const ts_host *host, ts_status status, const char *message) {
  (void)message;
  return *((const counted_host *)(const void *)host)->failed = status;
}

static counted_host open_host(size_t limit) {
  return (counted_host){.host = {.scratch = give, .fail = fail},
                        .blocks = blocks,
                        .count = &block_count,
                        .limit = limit,
                        .failed = &failed};
}

static void close_host(void) {
  while (block_count)
    free(blocks[--block_count]);
}

TestSuite(methods_semi_scratch, .fini = close_host);

Test(methods_semi_scratch, arrays_are_zeroed_aligned_and_apart) {
  counted_host host = open_host(BLOCKS_MAX);
  ts_semi_memory memory = {.host = &host.host};
  unsigned char *arrays[SIZES];
  for (size_t size = 0; size < SIZES; size++) {
    arrays[size] = ts_semi_scratch(&memory, size, 1);
    cr_assert(arrays[size], "%zu bytes", size);
    cr_expect_eq((uintptr_t)arrays[size] % 16, 0, "%zu bytes", size);
    for (size_t i = 0; i < size; i++)
      cr_assert_eq(arrays[size][i], 0, "%zu bytes", size);
    memset(arrays[size], (int)(size % 255) + 1, size);
  }
  for (size_t size = 0; size < SIZES; size++)
    for (size_t i = 0; i < size; i++)
      cr_assert_eq(arrays[size][i], size % 255 + 1, "%zu bytes", size);
  cr_expect_lt(block_count, SIZES / 2);
}

Test(methods_semi_scratch, what_does_not_fit_is_out_of_memory) {
  counted_host host = open_host(1);
  ts_semi_memory memory = {.host = &host.host};
  cr_expect(!ts_semi_scratch(&memory, SIZE_MAX / 2, 3));
  cr_expect_eq(failed, TS_E_MEMORY);
  cr_expect(ts_semi_scratch(&memory, 1, 100));
  failed = TS_OK;
  cr_expect(!ts_semi_scratch(&memory, 1, 100000));
  cr_expect_eq(failed, TS_E_MEMORY);
  cr_expect(ts_semi_scratch(&memory, 1, 100), "what is left of the first is there");
  failed = TS_OK;
  for (int i = 0; i < 100; i++)
    (void)ts_semi_scratch(&memory, 1, 100);
  cr_expect(!ts_semi_scratch(&memory, 1, 100));
  cr_expect_eq(failed, TS_E_MEMORY);
}
