// SPDX-License-Identifier: MIT
#include "reports/rows/file_set.h"

#include "base/status.h"
#include "reports/rows/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ts_status ts_file_set_check(const char *folder, const char *remedy) {
  int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0 && errno == ENOENT)
    return TS_OK;
  bool is_empty = false;
  int error = file < 0 ? errno : ts_disk_is_empty(&is_empty, file, "");
  if (file >= 0)
    close(file);
  if (error == ENOTDIR)
    return ts_fail(TS_E_INPUT, "%s is not a folder; choose another --out", folder);
  if (error != 0)
    return ts_fail(TS_E_IO, "cannot read folder %s: %s; choose another --out", folder,
                   strerror(error));
  if (!is_empty)
    return ts_fail(TS_E_INPUT, "%s is not empty; choose another --out, or %s", folder, remedy);
  return TS_OK;
}

static ts_status fail_write(const char *path, int error) {
  return ts_fail(TS_E_IO, "cannot write %s: %s; %s", path, strerror(error), ts_disk_remedy(error));
}

static ts_status write_file(ts_arena *arena, const char *draft, const ts_file_of_set *f) {
  char *path = ts_arena_format(arena, "%s/%s", draft, f->path);
  if (!path)
    return TS_E_MEMORY;
  char *slash = strrchr(path, '/');
  size_t made;
  *slash = '\0';
  TS_TRY(ts_disk_make_folder(&made, path, "--out"));
  *slash = '/';
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0)
    return fail_write(path, errno);
  int error = ts_disk_write(file, f->bytes, f->byte_count, 0);
  if (close(file) != 0 && error == 0)
    error = errno;
  return error == 0 ? TS_OK : fail_write(path, error);
}

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place) {
  (void)facts, (void)kind, (void)place;
  return remove(path);
}

static void remove_all(const char *path) {
  nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/// Moves the top of a file's path from the draft into the folder. The files of one folder are moved
/// with it, by the first of them.
static ts_status place_file(ts_arena *arena, const char *draft, const char *folder,
                            const char *path) {
  int length = (int)strcspn(path, "/");
  const char *from = ts_arena_format(arena, "%s/%.*s", draft, length, path);
  const char *to = ts_arena_format(arena, "%s/%.*s", folder, length, path);
  if (!from || !to)
    return TS_E_MEMORY;
  if (path[length] == '/' && access(from, F_OK) != 0)
    return TS_OK;
  return rename(from, to) == 0 ? TS_OK : fail_write(to, errno);
}

/// Takes away what was moved already, files [count].
static void remove_placed(const ts_file_of_set *files, size_t count, const char *folder) {
  for (size_t i = 0; i < count; i++) {
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%.*s", folder, (int)strcspn(files[i].path, "/"),
                          files[i].path);
    if (length < (int)sizeof path)
      remove_all(path);
  }
}

static ts_status place_files(const ts_file_of_set *files, size_t count, ts_arena *arena,
                             const char *draft, const char *folder) {
  for (size_t i = 0; i < count; i++) {
    ts_status status = place_file(arena, draft, folder, files[i].path);
    if (status == TS_OK)
      continue;
    remove_placed(files, i, folder);
    return status;
  }
  return rmdir(draft) == 0 ? TS_OK : fail_write(draft, errno);
}

ts_status ts_file_set_write(const ts_file_of_set *files, size_t count, ts_arena *arena,
                            const char *folder) {
  const char *draft = ts_arena_format(arena, "%s/.draft-%ld", folder, (long)getpid());
  size_t made;
  if (!draft)
    return TS_E_MEMORY;
  TS_TRY(ts_disk_make_folder(&made, folder, "--out"));
  ts_status status = TS_OK;
  for (size_t i = 0; i < count && status == TS_OK; i++)
    status = write_file(arena, draft, &files[i]);
  if (status == TS_OK)
    status = place_files(files, count, arena, draft, folder);
  if (status == TS_OK)
    return TS_OK;
  remove_all(draft);
  ts_disk_remove_folder(folder, made);
  return status;
}
