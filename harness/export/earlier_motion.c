// SPDX-License-Identifier: MIT
#include "harness/export/earlier_motion.h"

#include "base/array.h"
#include "base/file.h"
#include "base/status.h"
#include "reports/export/film.h"
#include "reports/export/gltf_parts.h"

#include <string.h>
#include <unistd.h>

/// Larger ones are not ours: a motion has at most a million frames, of some 80 bytes each.
#define COLLECTION_BYTES_MAX ((size_t)128 << 20)

static const char *const series[] = {TS_MOTION_BODIES, TS_MOTION_CONTACTS};
#define SERIES_COUNT (sizeof series / sizeof *series)

typedef struct list {
  ts_earlier_files files;
  size_t capacity;
  ts_arena *arena;
} list;

static ts_status add(list *l, const char *const *names, size_t count) {
  TS_TRY(TS_ARENA_GROW(l->files.names, l->capacity, l->files.count, count, l->arena));
  for (size_t i = 0; i < count; i++)
    l->files.names[l->files.count++] = names[i];
  return TS_OK;
}

/// What no motion can have written is nothing of ours: a file that is not there, say.
static ts_status or_not_ours(ts_status status) {
  return status == TS_E_INPUT ? TS_OK : status;
}

static ts_status add_animation(list *l, const char *folder) {
  const char *path = ts_arena_format(l->arena, "%s/%s", folder, TS_MOTION_GLTF);
  char start[TS_GLTF_START_BYTES];
  int file = -1;
  if (!path)
    return TS_E_MEMORY;
  TS_TRY(or_not_ours(ts_file_open(&file, path)));
  if (file < 0)
    return TS_OK;
  ssize_t count = pread(file, start, sizeof start, 0);
  close(file);
  return count > 0 && ts_gltf_is_ours(start, (size_t)count)
             ? add(l, (const char *[]){TS_MOTION_GLTF}, 1)
             : TS_OK;
}

/// Frames of the collection, after its name, which is added to `l`.
static ts_status add_collection(list *l, list *frames, const char *folder, const char *of) {
  const char *name = ts_arena_format(l->arena, "%s.pvd", of);
  const char *path = name ? ts_arena_format(l->arena, "%s/%s", folder, name) : NULL;
  const char **names;
  char *text = NULL;
  size_t bytes, count;
  bool is_ours;
  if (!path)
    return TS_E_MEMORY;
  TS_TRY(or_not_ours(ts_file_read(&text, &bytes, l->arena, path, COLLECTION_BYTES_MAX)));
  if (!text || strlen(text) != bytes)
    return TS_OK;
  TS_TRY(ts_film_read_collection(&is_ours, &names, &count, l->arena, text, of));
  if (!is_ours)
    return TS_OK;
  TS_TRY(add(frames, names, count));
  return add(l, &name, 1);
}

ts_status ts_earlier_motion(ts_earlier_files *out, ts_arena *arena, const char *folder) {
  list all = {.arena = arena}, frames = {.arena = arena};
  TS_TRY(add_animation(&all, folder));
  for (size_t i = 0; i < SERIES_COUNT; i++)
    TS_TRY(add_collection(&all, &frames, folder, series[i]));
  TS_TRY(add(&all, frames.files.names, frames.files.count));
  *out = all.files;
  return TS_OK;
}
