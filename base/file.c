// SPDX-License-Identifier: MIT
#include "base/file.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ts_status fail_read(const char *path, int error) {
  bool is_theirs = error == ENOENT || error == ENOTDIR || error == EACCES || error == ELOOP ||
                   error == ENAMETOOLONG || error == ENXIO;
  return ts_fail(is_theirs ? TS_E_INPUT : TS_E_IO, "cannot read %.400s: %s", path, strerror(error));
}

static ts_status fail_size(const char *path, size_t limit) {
  return ts_fail(TS_E_INPUT, "%.400s has more than %zu bytes, the maximum", path, limit);
}

static ts_status check_kind(const char *path, int file) {
  struct stat facts;
  if (fstat(file, &facts) != 0)
    return fail_read(path, errno);
  if (S_ISDIR(facts.st_mode))
    return ts_fail(TS_E_INPUT, "%.400s is a folder; give a file", path);
  if (!S_ISREG(facts.st_mode))
    return ts_fail(TS_E_INPUT, "%.400s is not a regular file; copy its content to one", path);
  return TS_OK;
}

ts_status ts_file_open(int *out, const char *path) {
  // O_NONBLOCK: opening a pipe must not wait for its other end.
  int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0)
    return fail_read(path, errno);
  ts_status status = check_kind(path, file);
  if (status == TS_OK)
    *out = file;
  else
    close(file);
  return status;
}

/// The file may grow while it is read; only the bytes it had at the start are taken.
static ts_status read_all(char **out, size_t *out_count, ts_arena *arena, const char *path,
                          int file, size_t limit) {
  struct stat facts;
  if (fstat(file, &facts) != 0)
    return fail_read(path, errno);
  if ((uintmax_t)facts.st_size > limit)
    return fail_size(path, limit);
  size_t size = (size_t)facts.st_size, count = 0;
  char *bytes = ts_arena_alloc(arena, size + 1);
  if (!bytes)
    return TS_E_MEMORY;
  while (count < size) {
    ssize_t got = read(file, bytes + count, size - count);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return fail_read(path, errno);
    if (got == 0)
      break;
    count += (size_t)got;
  }
  bytes[count] = '\0';
  *out = bytes;
  *out_count = count;
  return TS_OK;
}

ts_status ts_file_read(char **out, size_t *out_count, ts_arena *arena, const char *path,
                       size_t limit) {
  int file;
  TS_TRY(ts_file_open(&file, path));
  ts_status status = read_all(out, out_count, arena, path, file, limit);
  close(file);
  return status;
}

char *ts_file_folder(ts_arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash)
    return ts_arena_string(arena, ".");
  size_t length = slash == path ? 1 : (size_t)(slash - path);
  return ts_arena_format(arena, "%.*s", (int)length, path);
}

static bool has_parent_step(const char *name) {
  for (const char *step = name; step; step = strchr(step, '/')) {
    step += *step == '/';
    if (step[0] == '.' && step[1] == '.' && (step[2] == '/' || step[2] == '\0'))
      return true;
  }
  return false;
}

/// Whether a resolved path is below a resolved folder.
static bool is_below(const char *path, const char *folder) {
  size_t length = strlen(folder);
  if (strncmp(path, folder, length) != 0)
    return false;
  return folder[length - 1] == '/' || path[length] == '/';
}

ts_status ts_file_beneath(char **out, ts_arena *arena, const char *folder, const char *name) {
  if (name[0] == '\0' || name[0] == '/' || has_parent_step(name))
    return ts_fail(TS_E_INPUT,
                   "\"%.200s\" leads out of the folder: name a file in %.400s or below, without "
                   "\"..\"",
                   name, folder);
  char *joined = ts_arena_format(arena, "%s/%s", folder, name);
  if (!joined)
    return TS_E_MEMORY;
  char *root = realpath(folder, NULL);
  int error = errno;
  char *path = root ? realpath(joined, NULL) : NULL;
  error = root ? errno : error;
  ts_status status = TS_OK;
  if (!path)
    status = fail_read(root ? joined : folder, error);
  else if (!is_below(path, root))
    status = ts_fail(TS_E_INPUT,
                     "\"%.200s\" is a link that leads out of its folder %.400s: put the file there",
                     name, folder);
  else if (!(*out = ts_arena_string(arena, path)))
    status = TS_E_MEMORY;
  free(path);
  free(root);
  return status;
}

bool ts_file_reader_has_left(int file) {
  struct pollfd output = {.fd = file, .events = POLLOUT};
  return poll(&output, 1, 0) > 0 && (output.revents & POLLERR);
}
