// SPDX-License-Identifier: MIT
/// File system operations for results folders: complete writes, a lock, folders with parents,
/// links.
#ifndef TS_REPORTS_DISK_H
#define TS_REPORTS_DISK_H

#include "base/types.h"

#include <stdbool.h>

/// Writes all `count` bytes at `offset`. Returns 0, or the errno of the failed write, which may
/// have written a part. Exceeding a file size limit gives EFBIG, not a signal.
int ts_disk_write(int fd, const void *bytes, size_t count, int64_t offset);

/// Makes a folder and its missing parents. `*out_made` is the length of the shortest prefix of
/// `path` that did not exist before; 0 if the folder did. TS_E_INPUT when something else has that
/// name, TS_E_IO when it cannot be made; on failure, parents that were made are removed again.
/// `option` is what gives the folder, for messages: "--out".
ts_status ts_disk_make_folder(size_t *out_made, const char *path, const char *option);

/// Undoes ts_disk_make_folder(): removes the empty folders from `path` up to the prefix of length
/// `made`.
void ts_disk_remove_folder(const char *path, size_t made);

/// Waits until the bytes of an open file, or the names in an open folder, are on the disk. Returns
/// 0, also where the file system cannot do that, or an errno.
int ts_disk_sync(int fd);

/// Does so for the parents of the folders that ts_disk_make_folder() has made, so that a power cut
/// does not take them away again.
int ts_disk_sync_parents(const char *path, size_t made);

/// Locks the file for this process until it closes the file or ends. False when another process has
/// the lock; true on file systems that cannot lock. Children of fork() do not share the lock, so a
/// child that outlives a killed parent does not hold it. Closing any other descriptor of the same
/// file in this process releases the lock.
bool ts_disk_lock(int fd);

/// Whether the folder has no entries except those named `except`. Returns 0, or an errno if it
/// cannot be read.
int ts_disk_is_empty(bool *out, int folder_fd, const char *except);

/// The remedy for an errno, for messages: "free some disk space".
const char *ts_disk_remedy(int error);

/// Makes the symbolic link `parent/name` to the folder, atomically replacing an older link.
/// TS_E_INPUT when something else has that name, TS_SKIPPED for a folder without a name of its own,
/// such as ".". A folder that is itself called `name` needs no link.
ts_status ts_disk_link_beside(const char *folder, const char *name);

#endif
