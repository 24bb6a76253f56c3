// SPDX-License-Identifier: MIT
/// Files compressed by gzip: read as if they were not, and written beside the original.
#ifndef TS_REPORTS_GZIP_H
#define TS_REPORTS_GZIP_H

#include "base/types.h"

#include <stdbool.h>

/// What a compressed file adds to the name of the original.
#define TS_GZIP_SUFFIX ".gz"

typedef struct ts_gzip_reader ts_gzip_reader;

/// Reads from the current position of `fd`: the bytes as they are or, when they begin as gzip does,
/// decompressed. `fd`, which may be a pipe, and `name` (for messages) are borrowed. Memory does not
/// depend on the size of the file, compressed or not.
ts_status ts_gzip_reader_create(ts_gzip_reader **out, int fd, const char *name);
void ts_gzip_reader_destroy(ts_gzip_reader *reader);

/// Whether the file is compressed; known once bytes have been read.
bool ts_gzip_is_compressed(const ts_gzip_reader *reader);

/// Reads up to `capacity` bytes, at least one; `*out_count` is 0 at the end. TS_E_INPUT, naming the
/// file: compressed data that are damaged or cut off. TS_E_IO when the file cannot be read.
ts_status ts_gzip_read(size_t *out_count, ts_gzip_reader *reader, void *bytes, size_t capacity);

/// Replaces the file `name` in the open folder by `name`.gz, which has the same bytes for the same
/// content. Either of the two is whole at any time, also after a power failure. TS_E_IO when it
/// cannot be written; then the original is there. `folder` is the folder's path, for messages.
ts_status ts_gzip_replace(int folder_fd, const char *name, const char *folder);

#endif
