// SPDX-License-Identifier: MIT
/// What a results folder needs of the file system: whole writes, a lock, folders with their
/// parents, links.
#ifndef TS_REPORTS_DISK_H
#define TS_REPORTS_DISK_H

#include "base/types.h"

#include <stdbool.h>

/// Writes all `count` bytes at `offset`. 0, or the errno of the write that failed; a part may have
/// been written then. A file size limit is EFBIG, not a signal.
int ts_disk_write(int fd, const void *bytes, size_t count, int64_t offset);

/// Makes a folder and the parents it lacks. `*out_made` is the length of the shortest part of
/// `path` that was not there before; 0 when the folder was. TS_E_INPUT when something else has that
/// name, TS_E_IO when it cannot be made; what was made of the parents is removed again then.
ts_status ts_disk_make_folder(size_t *out_made, const char *path);

/// Undoes ts_disk_make_folder(): removes the empty folders `path` up to its part of length `made`.
void ts_disk_remove_folder(const char *path, size_t made);

/// Locks the file for this process until it closes the file or ends. False when another process has
/// the lock; true on file systems that cannot lock. Children of fork() do not share the lock, so
/// that one that outlives a killed parent does not hold it; and closing any other descriptor of the
/// same file in this process gives the lock up.
bool ts_disk_lock(int fd);

/// Whether the folder holds nothing but entries called `except`. 0, or the errno of why it cannot
/// be looked into.
int ts_disk_is_empty(bool *out, int folder_fd, const char *except);

/// What to do about an errno, for a message: "make room".
const char *ts_disk_remedy(int error);

/// Makes the symbolic link `parent/name` to the folder, at once, replacing an older link.
/// TS_E_INPUT when something else has that name, TS_SKIPPED for a folder without a name of its own,
/// such as ".". A folder that is itself called `name` needs no link.
ts_status ts_disk_link_beside(const char *folder, const char *name);

#endif
