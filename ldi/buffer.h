// SPDX-License-Identifier: MIT
/// Scratch memory that grows on demand, without keeping its contents.
#ifndef TS_LDI_BUFFER_H
#define TS_LDI_BUFFER_H

#include "base/status.h"

#include <stdlib.h>

typedef struct ts_ldi_buffer {
  void *data;
  size_t bytes;
} ts_ldi_buffer;

/// Room for [count] elements of `size` bytes; its contents are lost when it grows. NULL, with
/// the detail line set, when out of memory.
static inline void *ts_ldi_buffer_reserve(ts_ldi_buffer *buffer, size_t count, size_t size) {
  if (count > buffer->bytes / size || !buffer->data) {
    free(buffer->data);
    buffer->bytes = 0;
    buffer->data = count <= SIZE_MAX / size ? malloc(count > 0 ? count * size : size) : NULL;
    if (!buffer->data) {
      ts_fail(TS_E_MEMORY, "no memory for %zu x %zu bytes of layered depth images", count, size);
      return NULL;
    }
    buffer->bytes = count * size;
  }
  return buffer->data;
}

static inline void ts_ldi_buffer_free(ts_ldi_buffer *buffer) {
  free(buffer->data);
  *buffer = (ts_ldi_buffer){0};
}

#endif
