// SPDX-License-Identifier: MIT
#include "harness/commands/plot_folder.h"

#include "base/status.h"
#include "reports/plots/plot_style.h"
#include "reports/rows/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define DRAFT  ".draft-"
#define PLACES "XXXXXX" // of mkdtemp()

static bool is_draft_name(const char *name) {
  return strncmp(name, DRAFT, strlen(DRAFT)) == 0 && strlen(name) == strlen(DRAFT PLACES);
}

/// Whether earlier plots made the folder: it has their look.gp, or only drafts, of which a killed
/// program leaves one.
static bool is_ours(ts_arena *arena, const char *path) {
  const char *look = ts_arena_format(arena, "%s/look.gp", path);
  if (!look || ts_plot_style_is_ours(look))
    return look != NULL;
  DIR *folder = opendir(path);
  bool has_other = !folder;
  for (const struct dirent *entry; !has_other && (entry = readdir(folder));)
    has_other = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
                !is_draft_name(entry->d_name);
  if (folder)
    closedir(folder);
  return !has_other;
}

static ts_status check_empty(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return ts_fail(TS_E_IO, "cannot open %s: %s", path, strerror(errno));
  bool is_empty;
  int error = ts_disk_is_empty(&is_empty, folder, "");
  close(folder);
  if (error != 0)
    return ts_fail(TS_E_IO, "cannot read folder %s: %s", path, strerror(error));
  return is_empty ? TS_OK
                  : ts_fail(TS_E_INPUT,
                            "%s is not empty; name another folder with --out, or replace the "
                            "plots, scripts and data in it with --force",
                            path);
}

/// Opens and locks a draft; -1 when another process has locked it, or it is not a draft.
static int take_draft(int parent, const char *name) {
  int draft = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (draft >= 0 && flock(draft, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(draft);
    return -1;
  }
  return draft;
}

/// Removes a draft that no process is using. A draft contains only files.
static void remove_stale(int parent, const char *name) {
  int draft = take_draft(parent, name);
  DIR *files = draft >= 0 ? fdopendir(draft) : NULL;
  if (!files && draft >= 0)
    close(draft);
  if (!files)
    return;
  for (const struct dirent *entry; (entry = readdir(files));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      unlinkat(draft, entry->d_name, 0);
  unlinkat(parent, name, AT_REMOVEDIR);
  closedir(files);
}

static void remove_stale_drafts(const char *path) {
  DIR *folder = opendir(path);
  if (!folder)
    return;
  for (const struct dirent *entry; (entry = readdir(folder));)
    if (is_draft_name(entry->d_name))
      remove_stale(dirfd(folder), entry->d_name);
  closedir(folder);
}

ts_status ts_plot_folder_start(ts_plot_folder *out, ts_arena *arena, const char *path,
                               bool may_replace) {
  char *draft = ts_arena_format(arena, "%s/" DRAFT PLACES, path);
  if (!draft)
    return TS_E_MEMORY;
  *out = (ts_plot_folder){.path = path, .lock = -1};
  TS_TRY(ts_disk_make_folder(&out->made, path, "--out"));
  ts_status status = TS_OK;
  if (!may_replace)
    status = check_empty(path);
  else if (!is_ours(arena, path))
    status = ts_fail(TS_E_INPUT,
                     "%s is not empty and has no look.gp of earlier plots, and --force replaces "
                     "nothing else; name another folder with --out",
                     path);
  else
    remove_stale_drafts(path);
  if (status == TS_OK && !mkdtemp(draft))
    status = ts_fail(TS_E_IO, "cannot write to %s: %s; %s", path, strerror(errno),
                     ts_disk_remedy(errno));
  if (status != TS_OK)
    ts_disk_remove_folder(path, out->made);
  else
    out->lock = take_draft(AT_FDCWD, draft);
  out->draft = draft;
  return status;
}

/// Calls `act` with the name of each file of the draft; stops at the first errno.
static int for_each_file(const ts_plot_folder *folder, ts_arena *arena,
                         int (*act)(const char *from, const char *to)) {
  DIR *files = opendir(folder->draft);
  if (!files)
    return errno;
  int error = 0;
  for (const struct dirent *entry; error == 0 && (entry = readdir(files));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
      continue;
    const char *from = ts_arena_format(arena, "%s/%s", folder->draft, entry->d_name);
    const char *to = ts_arena_format(arena, "%s/%s", folder->path, entry->d_name);
    error = from && to ? act(from, to) : ENOMEM;
  }
  closedir(files);
  return error;
}

static int move_file(const char *from, const char *to) {
  return rename(from, to) == 0 ? 0 : errno;
}

static int remove_file(const char *from, const char *to) {
  (void)to;
  return unlink(from) == 0 ? 0 : errno;
}

ts_status ts_plot_folder_end(ts_plot_folder *folder, ts_arena *arena, ts_status status) {
  if (status == TS_OK) {
    int error = for_each_file(folder, arena, move_file);
    if (error != 0)
      status = ts_fail(TS_E_IO, "cannot write to %s: %s; %s", folder->path, strerror(error),
                       ts_disk_remedy(error));
  }
  if (status != TS_OK)
    for_each_file(folder, arena, remove_file);
  rmdir(folder->draft);
  if (folder->lock >= 0)
    close(folder->lock);
  folder->lock = -1;
  if (status != TS_OK)
    ts_disk_remove_folder(folder->path, folder->made);
  return status;
}
