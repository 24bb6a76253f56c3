// SPDX-License-Identifier: MIT
#include "harness/dataset/dataset_check.h"

#include "base/file.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Maximum number of files that are named; the others are only counted.
#define LISTED_MAX ((size_t)20)

/// The files that differ, named as they are found.
typedef struct findings {
  FILE *file;
  size_t count;
} findings;

static void name_file(findings *found, const char *what, const char *path) {
  if (found->count++ < LISTED_MAX)
    fprintf(found->file, "%s %s\n", what, path);
}

static void end_names(const findings *found) {
  if (found->count > LISTED_MAX)
    fprintf(found->file, "and %zu more\n", found->count - LISTED_MAX);
}

static int compare_paths(const void *a, const void *b) {
  return strcmp(((const ts_manifest_file *)a)->path, ((const ts_manifest_file *)b)->path);
}

static const ts_manifest_file *find_listed(const ts_manifest *m, const char *path) {
  ts_manifest_file key = {.path = path};
  return bsearch(&key, m->files, m->file_count, sizeof *m->files, compare_paths);
}

/// Whether the manifest lists a file in a folder at that path.
static bool has_folder(const ts_manifest *m, const char *path) {
  size_t length = strlen(path);
  for (size_t i = 0; i < m->file_count; i++)
    if (strncmp(m->files[i].path, path, length) == 0 && m->files[i].path[length] == '/')
      return true;
  return false;
}

/// A file that cannot be read is neither changed nor missing, as far as anybody knows.
static ts_status fail_read(const char *path, int error) {
  return ts_fail(
      TS_E_INPUT, "cannot read %.400s: %s; the check reads every file: %s", path, strerror(error),
      error == EACCES || error == EPERM ? "run it as a user who may" : "see what is wrong");
}

/// Whether there is a file, which is no matter of permissions. TS_E_INPUT when that is unknown.
static ts_status find_file(bool *out, const char *path) {
  int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  int error = file < 0 ? errno : 0;
  if (file >= 0)
    close(file);
  *out = error != ENOENT && error != ENOTDIR;
  // What is a loop of links or a socket is there, and is no file of the data set.
  bool is_known = error == 0 || !*out || error == ELOOP || error == ENXIO;
  return is_known ? TS_OK : fail_read(path, error);
}

/// Files that are there and should be as listed.
static ts_status check_listed(findings *found, ts_arena *arena, const ts_manifest *m,
                              const char *folder) {
  for (size_t i = 0; i < m->file_count; i++) {
    char path[4096];
    bool is_there;
    snprintf(path, sizeof path, "%s/%s", folder, m->files[i].path);
    TS_TRY(find_file(&is_there, path));
    if (!is_there)
      name_file(found, "missing:", m->files[i].path);
    else if (!ts_manifest_file_is_whole(arena, folder, &m->files[i]))
      name_file(found, "changed:", m->files[i].path);
  }
  return TS_OK;
}

static int compare_entries(const FTSENT **a, const FTSENT **b) {
  return strcmp((*a)->fts_name, (*b)->fts_name);
}

/// Files that are there and should not be. Folders that have none of the listed files are named and
/// not looked into.
static ts_status check_others(findings *found, ts_arena *arena, const ts_manifest *m,
                              const char *folder) {
  char *root = ts_arena_string(arena, folder);
  if (!root)
    return TS_E_MEMORY;
  FTS *walk = fts_open((char *[]){root, NULL}, FTS_PHYSICAL | FTS_NOCHDIR, compare_entries);
  if (!walk)
    return ts_fail(TS_E_MEMORY, "out of memory");
  ts_status status = TS_OK;
  for (FTSENT *entry; status == TS_OK && (entry = fts_read(walk)) != NULL;) {
    if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_NS || entry->fts_info == FTS_ERR)
      status = fail_read(entry->fts_path, entry->fts_errno);
    if (status != TS_OK || entry->fts_level == 0 || entry->fts_info == FTS_DP)
      continue;
    const char *path = entry->fts_path + strlen(root);
    path += strspn(path, "/");
    bool is_known = entry->fts_info == FTS_D
                        ? has_folder(m, path)
                        : find_listed(m, path) || strcmp(path, TS_MANIFEST_NAME) == 0;
    if (is_known)
      continue;
    name_file(found, "not part of it:", path);
    fts_set(walk, entry, FTS_SKIP);
  }
  fts_close(walk);
  return status;
}

/// Names the files in which two data sets differ.
static void compare_lists(findings *found, const ts_manifest *folder, const ts_manifest *build) {
  for (size_t i = 0; i < build->file_count; i++) {
    const ts_manifest_file *is = &build->files[i], *was = find_listed(folder, is->path);
    if (!was)
      name_file(found, "only from this build:", is->path);
    else if (memcmp(&was->sha256, &is->sha256, sizeof is->sha256) != 0)
      name_file(found, "differs from this build:", is->path);
  }
  for (size_t i = 0; i < folder->file_count; i++)
    if (!find_listed(build, folder->files[i].path))
      name_file(found, "not from this build:", folder->files[i].path);
}

static ts_status compare_with_build(bool *out_is_same, FILE *file, ts_arena *arena,
                                    const ts_manifest *m, const ts_dataset *dataset,
                                    const char *folder) {
  const ts_manifest *build = &dataset->manifest;
  const ts_file_of_set *text = &dataset->files[dataset->file_count - 1]; // the manifest
  const ts_manifest_file manifest = {TS_MANIFEST_NAME, text->byte_count,
                                     ts_sha256_of(text->bytes, text->byte_count)};
  findings found = {.file = file};
  if (!ts_manifest_file_is_whole(arena, folder, &manifest))
    name_file(&found, "differs from this build:", TS_MANIFEST_NAME);
  compare_lists(&found, m, build);
  end_names(&found);
  *out_is_same = found.count == 0;
  if (*out_is_same)
    fprintf(file,
            "%s is whole, and the same as this build makes: version %s, %zu scenes, %zu files\n",
            folder, m->version, m->scene_count, m->file_count + 1);
  else
    fprintf(file, "%s is whole: version %s; this build makes version %s, other in %zu file%s\n",
            folder, m->version, build->version, found.count, found.count == 1 ? "" : "s");
  return TS_OK;
}

ts_status ts_dataset_check(bool *out_is_same, FILE *file, ts_arena *arena,
                           const ts_dataset *dataset, const char *folder) {
  *out_is_same = false;
  char *path = ts_arena_format(arena, "%s/" TS_MANIFEST_NAME, folder);
  bool has_manifest;
  if (!path)
    return TS_E_MEMORY;
  TS_TRY(find_file(&has_manifest, path));
  if (!has_manifest || ts_file_beneath(&path, arena, folder, TS_MANIFEST_NAME) != TS_OK)
    return ts_fail(TS_E_INPUT,
                   "%s is no data set: it has no %s; touchstone dataset --out DIR makes one",
                   folder, TS_MANIFEST_NAME);
  ts_manifest m;
  ts_status status = ts_manifest_read(&m, arena, folder);
  if (status == TS_E_INPUT) { // then there is nothing to compare the other files with
    fprintf(file, "changed: %s: %s\n%s is not whole\n", TS_MANIFEST_NAME, ts_status_detail(),
            folder);
    return TS_OK;
  }
  TS_TRY(status);
  qsort(m.files, m.file_count, sizeof *m.files, compare_paths);
  findings found = {.file = file};
  TS_TRY(check_listed(&found, arena, &m, folder));
  TS_TRY(check_others(&found, arena, &m, folder));
  end_names(&found);
  if (found.count == 0)
    return compare_with_build(out_is_same, file, arena, &m, dataset, folder);
  fprintf(file, "%s is not whole: %zu file%s not as its manifest (version %s) says\n", folder,
          found.count, found.count == 1 ? " is" : "s are", m.version);
  return TS_OK;
}
