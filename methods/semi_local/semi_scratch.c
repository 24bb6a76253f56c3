// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_scratch.h"

static void *allocate(const ts_host *host, size_t bytes) {
  void *memory = host->scratch(host, bytes);
  if (!memory)
    (void)host->fail(host, TS_E_MEMORY, "out of memory");
  return memory;
}

void *ts_semi_scratch(const ts_host *host, size_t count, size_t size) {
  if (size && count > SIZE_MAX / size) {
    (void)host->fail(host, TS_E_MEMORY, "out of memory: an array is larger than memory can be");
    return NULL;
  }
  return allocate(host, count * size);
}

void *ts_semi_array_from_scratch(void *context, size_t bytes) {
  const ts_host *const *host = context;
  return allocate(*host, bytes);
}
