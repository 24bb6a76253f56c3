// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_scratch.h"

/// Up to which size arrays are parts of one request, and the size of that: to zero more at a time
/// takes longer for each byte.
#define SMALL_BYTES   ((size_t)512)
#define REQUEST_BYTES ((size_t)2048)
#define ALIGNMENT     ((size_t)16)

static void *ask_host(const ts_host *host, size_t bytes) {
  void *memory = host->scratch(host, bytes);
  if (!memory)
    (void)host->fail(host, TS_E_MEMORY, "out of memory");
  return memory;
}

void *ts_semi_array_from_scratch(void *context, size_t bytes) {
  ts_semi_memory *memory = context;
  if (bytes > SMALL_BYTES)
    return ask_host(memory->host, bytes);
  size_t padded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (!memory->rest || padded > memory->rest_bytes) {
    memory->rest = ask_host(memory->host, REQUEST_BYTES);
    memory->rest_bytes = memory->rest ? REQUEST_BYTES : 0;
    if (!memory->rest)
      return NULL;
  }
  void *part = memory->rest;
  memory->rest += padded;
  memory->rest_bytes -= padded;
  return part;
}

void *ts_semi_scratch(ts_semi_memory *memory, size_t count, size_t size) {
  if (size && count > SIZE_MAX / size) {
    (void)memory->host->fail(memory->host, TS_E_MEMORY,
                             "out of memory: an array is larger than memory can be");
    return NULL;
  }
  return ts_semi_array_from_scratch(memory, count * size);
}
