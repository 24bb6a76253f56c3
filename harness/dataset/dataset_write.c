// SPDX-License-Identifier: MIT
#include "harness/dataset/dataset_folder.h"

#include "base/status.h"
#include "reports/rows/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ts_status ts_dataset_check_empty(const char *folder) {
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
    return ts_fail(TS_E_INPUT,
                   "%s is not empty; choose another --out, or compare it with this build by "
                   "dataset --check %s",
                   folder, folder);
  return TS_OK;
}

static ts_status fail_write(const char *path, int error) {
  return ts_fail(TS_E_IO, "cannot write %s: %s; %s", path, strerror(error), ts_disk_remedy(error));
}

static ts_status write_file(ts_arena *arena, const char *draft, const ts_dataset_file *f) {
  char *path = ts_arena_format(arena, "%s/%s", draft, f->path);
  if (!path)
    return TS_E_MEMORY;
  char *slash = strrchr(path, '/');
  size_t made;
  *slash = '\0';
  TS_TRY(ts_disk_make_folder(&made, path));
  *slash = '/';
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0)
    return fail_write(path, errno);
  int error = ts_disk_write(file, f->bytes, f->byte_count, 0);
  if (close(file) != 0 && error == 0)
    error = errno;
  return error == 0 ? TS_OK : fail_write(path, error);
}

/// What the folder has at its top, the manifest last.
static const char *const tops[] = {"CITATION.cff", "LICENSE", "README.md", TS_DATASET_SCENES,
                                   TS_MANIFEST_NAME};
#define TOP_COUNT (sizeof tops / sizeof *tops)

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place) {
  (void)facts, (void)kind, (void)place;
  return remove(path);
}

static void remove_all(const char *path) {
  nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/// Moves what the draft has up into its folder, all of it or nothing.
static ts_status place_draft(ts_arena *arena, const char *draft, const char *folder) {
  for (size_t i = 0; i < TOP_COUNT; i++) {
    const char *from = ts_arena_format(arena, "%s/%s", draft, tops[i]);
    const char *to = ts_arena_format(arena, "%s/%s", folder, tops[i]);
    if (from && to && rename(from, to) == 0)
      continue;
    ts_status status = from && to ? fail_write(to, errno) : TS_E_MEMORY;
    while (i-- > 0) {
      char path[4096];
      if (snprintf(path, sizeof path, "%s/%s", folder, tops[i]) < (int)sizeof path)
        remove_all(path);
    }
    return status;
  }
  return rmdir(draft) == 0 ? TS_OK : fail_write(draft, errno);
}

ts_status ts_dataset_write(const ts_dataset *dataset, ts_arena *arena, const char *folder) {
  const char *draft = ts_arena_format(arena, "%s/.draft-%ld", folder, (long)getpid());
  size_t made;
  if (!draft)
    return TS_E_MEMORY;
  TS_TRY(ts_disk_make_folder(&made, folder));
  ts_status status = TS_OK;
  for (size_t i = 0; i < dataset->file_count && status == TS_OK; i++)
    status = write_file(arena, draft, &dataset->files[i]);
  if (status == TS_OK)
    status = place_draft(arena, draft, folder);
  if (status == TS_OK)
    return TS_OK;
  remove_all(draft);
  ts_disk_remove_folder(folder, made);
  return status;
}
