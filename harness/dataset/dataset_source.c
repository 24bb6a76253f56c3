// SPDX-License-Identifier: MIT
#include "harness/dataset/dataset_source.h"

#include "base/status.h"
#include "harness/dataset/dataset_make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Cuts the last part off a path and gives it; NULL: there is none.
static char *cut_last(char *path) {
  char *slash = strrchr(path, '/');
  if (!slash)
    return NULL;
  *slash = '\0';
  return slash + 1;
}

/// Splits the path of a scene file into the folder of a data set and the name of the scene; false:
/// it is in no such place.
static bool split_path(char **out_folder, char **out_name, ts_arena *arena, const char *path) {
  char *real = realpath(path, NULL);
  char *copy = real ? ts_arena_string(arena, real) : NULL;
  free(real);
  if (!copy)
    return false;
  char *file = cut_last(copy), *name = file ? cut_last(copy) : NULL,
       *scenes = name ? cut_last(copy) : NULL;
  *out_folder = copy;
  *out_name = name;
  return scenes && strcmp(scenes, TS_DATASET_SCENES) == 0 && strcmp(file, "scene.json") == 0;
}

/// Reads the manifest of a folder unless it was the last one; false: it has none that can be read.
static bool open_folder(ts_dataset_source *s, const char *folder) {
  if (s->folder && strcmp(s->folder, folder) == 0)
    return true;
  s->folder = NULL;
  const char *path = ts_arena_format(s->arena, "%s/%s", folder, TS_MANIFEST_NAME);
  if (!path || access(path, F_OK) != 0)
    return false;
  if (ts_manifest_read(&s->manifest, s->arena, folder) != TS_OK) {
    fprintf(stderr, "touchstone: warning: %s\n", ts_status_detail());
    return false;
  }
  s->folder = folder;
  return true;
}

/// Whether all files of a scene are as the manifest says; warns about one that is not.
static bool is_whole(const ts_dataset_source *s, const char *name) {
  char prefix[300];
  int length = snprintf(prefix, sizeof prefix, "%s/%s/", TS_DATASET_SCENES, name);
  for (size_t i = 0; i < s->manifest.file_count; i++) {
    const ts_manifest_file *file = &s->manifest.files[i];
    if (strncmp(file->path, prefix, (size_t)length) != 0 ||
        ts_manifest_file_is_whole(s->arena, s->folder, file))
      continue;
    fprintf(stderr,
            "touchstone: warning: %s is not as the manifest of its data set says, so the results "
            "do not count as results of the data set\n",
            file->path);
    return false;
  }
  return true;
}

ts_status ts_dataset_source_add(ts_dataset_source *s, const char *scene_path) {
  char *folder, *name;
  if (!split_path(&folder, &name, s->arena, scene_path) || !open_folder(s, folder) ||
      !ts_manifest_find_scene(&s->manifest, name) || !is_whole(s, name))
    return TS_OK;
  if (s->version && strcmp(s->version, s->manifest.version) != 0)
    return ts_fail(TS_E_INPUT,
                   "scene %s is of version %s of the data set, others are of version %s; take all "
                   "from one",
                   name, s->manifest.version, s->version);
  s->version = s->manifest.version;
  s->scene_count = s->manifest.scene_count;
  s->names = s->names ? s->names : json_array();
  if (json_array_append_new(s->names, json_string(name)) != 0)
    return ts_fail(TS_E_MEMORY, "out of memory");
  return TS_OK;
}

ts_status ts_dataset_source_put(ts_dataset_source *s, json_t *context) {
  if (!s->version)
    return TS_OK;
  json_t *value = json_pack("{s:s, s:I, s:O}", "version", s->version, "scene_count",
                            (json_int_t)s->scene_count, "scenes", s->names);
  ts_dataset_source_drop(s);
  if (!value || json_object_set_new(context, TS_DATASET_KEY, value) != 0)
    return ts_fail(TS_E_MEMORY, "out of memory");
  return TS_OK;
}

void ts_dataset_source_drop(ts_dataset_source *s) {
  json_decref(s->names);
  s->names = NULL;
}
