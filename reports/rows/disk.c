// SPDX-License-Identifier: MIT
#include "reports/rows/disk.h"

#include "base/status.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/// write() past RLIMIT_FSIZE raises SIGXFSZ, which would end the process: it is blocked meanwhile,
/// and discarded if it was raised.
static int write_all(int fd, const char *bytes, size_t count, int64_t offset) {
  while (count > 0) {
    ssize_t done = pwrite(fd, bytes, count, (off_t)offset);
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return done < 0 ? errno : ENOSPC;
    bytes += done;
    count -= (size_t)done;
    offset += done;
  }
  return 0;
}

int ts_disk_write(int fd, const void *bytes, size_t count, int64_t offset) {
  sigset_t size_limit, before;
  sigemptyset(&size_limit);
  sigaddset(&size_limit, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &size_limit, &before);
  int error = write_all(fd, bytes, count, offset);
  if (error == EFBIG && !sigismember(&before, SIGXFSZ)) {
    const struct timespec at_once = {0, 0};
    while (sigtimedwait(&size_limit, NULL, &at_once) < 0 && errno == EINTR)
      ;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

/// Length of the path without its last component; 0 if it has only one.
static size_t parent_length(const char *path, size_t length) {
  while (length > 0 && path[length - 1] == '/')
    length--;
  while (length > 0 && path[length - 1] != '/')
    length--;
  while (length > 1 && path[length - 1] == '/')
    length--;
  return length;
}

/// Makes the folder named by the first `length` bytes of `path`, and missing parents first.
static int make_folders(size_t *made, char *path, size_t length) {
  char cut = path[length];
  path[length] = '\0';
  int error = mkdir(path, 0777) == 0 ? 0 : errno;
  path[length] = cut;
  size_t parent = parent_length(path, length);
  if (error == ENOENT && parent > 0) {
    error = make_folders(made, path, parent);
    if (error != 0 && error != EEXIST)
      return error;
    path[length] = '\0';
    error = mkdir(path, 0777) == 0 ? 0 : errno;
    path[length] = cut;
  }
  if (error == 0 && (*made == 0 || length < *made))
    *made = length;
  return error;
}

ts_status ts_disk_make_folder(size_t *out_made, const char *path, const char *option) {
  *out_made = 0;
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/')
    length--;
  char *copy = length > 0 ? strndup(path, length) : NULL;
  if (!copy)
    return length > 0 ? ts_fail(TS_E_MEMORY, "out of memory")
                      : ts_fail(TS_E_INPUT, "the name of the results folder is empty");
  int error = make_folders(out_made, copy, length);
  struct stat info;
  ts_status status = TS_OK;
  if (error == EEXIST)
    error = stat(copy, &info) != 0 ? errno : S_ISDIR(info.st_mode) ? 0 : EEXIST;
  if (error == EEXIST)
    status = ts_fail(TS_E_INPUT, "%s exists and is not a folder; choose another %s", path, option);
  else if (error != 0)
    status = ts_fail(TS_E_IO, "cannot make the folder %s: %s; choose another %s", path,
                     strerror(error), option);
  if (status != TS_OK)
    ts_disk_remove_folder(path, *out_made);
  free(copy);
  return status;
}

void ts_disk_remove_folder(const char *path, size_t made) {
  char *copy = made > 0 ? strdup(path) : NULL;
  if (!copy)
    return;
  for (size_t length = strlen(copy); length >= made; length = parent_length(copy, length)) {
    copy[length] = '\0';
    rmdir(copy);
  }
  free(copy);
}

int ts_disk_sync(int fd) {
  int result;
  do
    result = fdatasync(fd);
  while (result != 0 && errno == EINTR);
  if (result == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS)
    return 0;
  return errno;
}

/// A folder that may be written but not read cannot be opened, and is left to the system.
static int sync_folder(const char *path) {
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return errno == EACCES ? 0 : errno;
  int error = ts_disk_sync(fd);
  close(fd);
  return error;
}

int ts_disk_sync_parents(const char *path, size_t made) {
  char *copy = made > 0 ? strdup(path) : NULL;
  if (!copy)
    return made > 0 ? ENOMEM : 0;
  int error = 0;
  for (size_t length = strlen(copy); length >= made && error == 0;) {
    length = parent_length(copy, length);
    copy[length] = '\0';
    error = sync_folder(length > 0 ? copy : ".");
  }
  free(copy);
  return error;
}

bool ts_disk_lock(int fd) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  int result;
  do
    result = fcntl(fd, F_SETLK, &whole);
  while (result < 0 && errno == EINTR);
  return result == 0 || (errno != EACCES && errno != EAGAIN);
}

int ts_disk_is_empty(bool *out, int folder_fd, const char *except) {
  int fd = openat(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
  if (!folder) {
    int error = errno;
    if (fd >= 0)
      close(fd);
    return error;
  }
  bool is_empty = true;
  const struct dirent *entry;
  while (errno = 0, is_empty && (entry = readdir(folder)))
    is_empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
               strcmp(entry->d_name, except) == 0;
  int error = errno;
  closedir(folder);
  *out = is_empty;
  return error;
}

const char *ts_disk_remedy(int error) {
  switch (error) {
  case ENOSPC:
  case EDQUOT:
    return "free some disk space";
  case EFBIG:
    return "raise the file size limit (ulimit -f)";
  case EMFILE:
  case ENFILE:
    return "allow more open files (ulimit -n)";
  case EACCES:
  case EPERM:
  case EROFS:
    return "check the permissions";
  case ENOENT:
  case ENOTDIR:
    return "make its folder first, or choose another place";
  case EIO:
    return "check the disk";
  default:
    return "choose another place";
  }
}

/// Makes the link under a temporary name first, so that rename() replaces it atomically.
static ts_status place_link(const char *target, const char *link) {
  struct stat info;
  if (lstat(link, &info) == 0 && !S_ISLNK(info.st_mode))
    return ts_fail(TS_E_INPUT, "%s is not a symbolic link and was not changed; move it away", link);
  char *draft = NULL;
  if (asprintf(&draft, "%s.%ld", link, (long)getpid()) < 0)
    return ts_fail(TS_E_MEMORY, "out of memory");
  unlink(draft);
  ts_status status = TS_OK;
  if (symlink(target, draft) != 0 || rename(draft, link) != 0) {
    status = ts_fail(TS_E_IO, "cannot make the link %s: %s", link, strerror(errno));
    unlink(draft);
  }
  free(draft);
  return status;
}

ts_status ts_disk_link_beside(const char *folder, const char *name) {
  size_t length = strlen(folder);
  while (length > 1 && folder[length - 1] == '/')
    length--;
  size_t parent = parent_length(folder, length), start = parent;
  while (start < length && folder[start] == '/')
    start++;
  char *base = strndup(folder + start, length - start), *link = NULL;
  if (!base || asprintf(&link, "%.*s%s%s", (int)parent, folder,
                        parent > 0 && folder[parent - 1] != '/' ? "/" : "", name) < 0) {
    free(base);
    return ts_fail(TS_E_MEMORY, "out of memory");
  }
  ts_status status = TS_OK;
  if (base[0] == '\0' || strcmp(base, ".") == 0 || strcmp(base, "..") == 0)
    status = ts_fail(TS_SKIPPED, "no link %s: %s has no name to point to", name, folder);
  else if (strcmp(base, name) != 0)
    status = place_link(base, link);
  free(base);
  free(link);
  return status;
}
