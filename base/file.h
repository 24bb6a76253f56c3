// SPDX-License-Identifier: MIT
/// Reading untrusted files: as a whole, up to a size limit, and only from permitted folders.
#ifndef TS_BASE_FILE_H
#define TS_BASE_FILE_H

#include "base/arena.h"

#include <stdbool.h>

#include <stdbool.h>

/// Opens a regular file to read; `*out` is for close(). TS_E_INPUT, naming the file: there is none
/// of that name, it is a folder, a pipe, a device or a socket (none of which is waited for).
/// TS_E_IO when it cannot be opened.
ts_status ts_file_open(int *out, const char *path);

/// Reads a regular file of at most `limit` bytes into the arena, followed by a zero.
///
/// Fails as ts_file_open() does; TS_E_INPUT, too, when it is larger.
ts_status ts_file_read(char **out, size_t *out_count, ts_arena *arena, const char *path,
                       size_t limit);

/// The path of the file `name`, which must be in `folder` or below, symbolic links resolved; in the
/// arena. TS_E_INPUT: an absolute name, one with "..", one whose links lead outside the folder or
/// form a cycle, one that does not exist.
ts_status ts_file_beneath(char **out, ts_arena *arena, const char *folder, const char *name);

/// The folder that a file is in, "." when its path names none; in the arena, NULL when out
/// of memory.
char *ts_file_folder(ts_arena *arena, const char *path);

/// Whether a descriptor is a pipe whose reader has exited.
bool ts_file_reader_has_left(int file);

#endif
