// SPDX-License-Identifier: MIT
#include "reports/rows/file_set.h"

#include "base/status.h"
#include "reports/rows/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/// What a draft is called before the number of its process.
#define DRAFT ".draft-"

/// A folder of the name is a draft of a process that was killed: a live one holds a lock on its
/// own, until it ends in whatever way. Its number alone would not tell: another process may have
/// got it.
static bool is_abandoned(int folder, const char *name) {
  size_t length = sizeof DRAFT - 1, digits = 0;
  struct stat facts;
  if (strncmp(name, DRAFT, length) == 0)
    digits = strspn(name + length, "0123456789");
  if (digits == 0 || name[length + digits] != '\0')
    return false;
  int file = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0)
    return false;
  bool is_ours = fstat(file, &facts) == 0 && facts.st_uid == geteuid();
  bool is_free = is_ours && flock(file, LOCK_EX | LOCK_NB) == 0;
  close(file);
  return is_free;
}

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place) {
  (void)facts, (void)kind, (void)place;
  return remove(path);
}

static void remove_all(const char *path) {
  nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/// Goes through a folder, and removes abandoned drafts if `arena` is given; `*out_others`: there is
/// anything else in it. Returns 0 or an errno.
static int look_through(bool *out_others, const char *path, ts_arena *arena) {
  DIR *folder = opendir(path);
  if (!folder)
    return errno;
  *out_others = false;
  const struct dirent *entry;
  while (errno = 0, entry = readdir(folder)) {
    const char *name = entry->d_name;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
      continue;
    bool is_draft = is_abandoned(dirfd(folder), name);
    const char *draft = is_draft && arena ? ts_arena_format(arena, "%s/%s", path, name) : NULL;
    if (draft)
      remove_all(draft);
    *out_others = *out_others || !is_draft;
  }
  int error = errno;
  closedir(folder);
  return error;
}

ts_status ts_file_set_check(const char *folder, const char *remedy) {
  bool has_others = false;
  int error = look_through(&has_others, folder, NULL);
  if (error == ENOENT)
    return TS_OK;
  if (error == ENOTDIR)
    return ts_fail(TS_E_INPUT, "%s is not a folder; choose another", folder);
  if (error != 0)
    return ts_fail(TS_E_IO, "cannot read folder %s: %s; choose another", folder, strerror(error));
  if (has_others)
    return ts_fail(TS_E_INPUT, "%s is not empty; choose another folder%s%s", folder,
                   remedy ? ", or " : "", remedy ? remedy : "");
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

/// Makes the draft, and locks it where the file system can, for as long as `*out_lock` is open.
static ts_status begin_draft(int *out_lock, const char *draft) {
  size_t made;
  TS_TRY(ts_disk_make_folder(&made, draft, "--out"));
  *out_lock = open(draft, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (*out_lock >= 0)
    flock(*out_lock, LOCK_EX | LOCK_NB);
  return TS_OK;
}

/// Refuses, while nothing is changed yet, a folder where a file is to be removed or replaced.
static ts_status check_place(ts_arena *arena, const char *folder, const char *name) {
  const char *path = ts_arena_format(arena, "%s/%s", folder, name);
  struct stat facts;
  if (!path)
    return TS_E_MEMORY;
  return lstat(path, &facts) == 0 && S_ISDIR(facts.st_mode) ? fail_write(path, EISDIR) : TS_OK;
}

static ts_status check_places(const ts_file_of_set *files, size_t count,
                              const ts_earlier_files *earlier, ts_arena *arena,
                              const char *folder) {
  for (size_t i = 0; i < count; i++)
    if (!strchr(files[i].path, '/'))
      TS_TRY(check_place(arena, folder, files[i].path));
  for (size_t i = 0; i < earlier->count; i++)
    TS_TRY(check_place(arena, folder, earlier->names[i]));
  return TS_OK;
}

static ts_status remove_earlier(const ts_earlier_files *earlier, ts_arena *arena,
                                const char *folder) {
  for (size_t i = 0; i < earlier->count; i++) {
    const char *path = ts_arena_format(arena, "%s/%s", folder, earlier->names[i]);
    if (!path)
      return TS_E_MEMORY;
    if (unlink(path) != 0 && errno != ENOENT)
      return ts_fail(TS_E_IO, "cannot remove %s, which is replaced: %s; %s", path, strerror(errno),
                     ts_disk_remedy(errno));
  }
  return TS_OK;
}

ts_status ts_file_set_replace(const ts_file_of_set *files, size_t count,
                              const ts_earlier_files *earlier, ts_arena *arena,
                              const char *folder) {
  const char *draft = ts_arena_format(arena, "%s/" DRAFT "%ld", folder, (long)getpid());
  bool has_others;
  size_t made;
  int lock = -1;
  if (!draft)
    return TS_E_MEMORY;
  TS_TRY(ts_disk_make_folder(&made, folder, "--out"));
  look_through(&has_others, folder, arena); // what it cannot remove does no harm here
  ts_status status = begin_draft(&lock, draft);
  for (size_t i = 0; i < count && status == TS_OK; i++)
    status = write_file(arena, draft, &files[i]);
  if (status == TS_OK)
    status = check_places(files, count, earlier, arena, folder);
  if (status == TS_OK)
    status = remove_earlier(earlier, arena, folder);
  if (status == TS_OK)
    status = place_files(files, count, arena, draft, folder);
  if (status != TS_OK) {
    remove_all(draft);
    ts_disk_remove_folder(folder, made);
  }
  if (lock >= 0)
    close(lock);
  return status;
}

ts_status ts_file_set_write(const ts_file_of_set *files, size_t count, ts_arena *arena,
                            const char *folder) {
  return ts_file_set_replace(files, count, &(ts_earlier_files){.count = 0}, arena, folder);
}
