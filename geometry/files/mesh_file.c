// SPDX-License-Identifier: MIT
#include "geometry/files/mesh_file.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/status.h"
#include "geometry/files/mesh_import.h"
#include "geometry/files/obj.h"
#include "geometry/files/ply.h"
#include "geometry/files/stl.h"

#include <string.h>
#include <strings.h>

/// Formats that are read here; the others need a helper.
static const struct {
  const char *ending;
  ts_status (*parse)(ts_triangles *out, ts_arena *arena, const char *path, const char *bytes,
                     size_t count);
} formats[] = {{".obj", ts_obj_parse}, {".stl", ts_stl_parse}, {".ply", ts_ply_parse}};

ts_status ts_file_account_read(char **out, size_t *out_count, ts_arena *arena,
                               ts_file_account *account, const char *path) {
  TS_TRY(ts_file_read(out, out_count, arena, path, account->bytes_left));
  account->bytes_left -= *out_count;
  account->hash = ts_hash_bytes(account->hash, *out, *out_count);
  return TS_OK;
}

/// Where the files are that a mesh file names.
typedef struct folder {
  ts_arena *arena;
  ts_file_account *account;
  const char *path;
} folder;

static ts_status read_beside(char **out, size_t *out_count, void *context, const char *name) {
  folder *f = context;
  char *path;
  TS_TRY(ts_file_beneath(&path, f->arena, f->path, name));
  return ts_file_account_read(out, out_count, f->arena, f->account, path);
}

ts_status ts_mesh_file_read(ts_triangles *out, ts_arena *arena, ts_file_account *account,
                            const char *path, const char *name) {
  const char *dot = strrchr(name, '.');
  if (!dot)
    dot = "";
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (strcasecmp(dot, formats[i].ending) == 0) {
      char *bytes;
      size_t count;
      TS_TRY(ts_file_account_read(&bytes, &count, arena, account, path));
      return formats[i].parse(out, arena, name, bytes, count);
    }
  if (!ts_mesh_import_takes(name))
    return ts_fail(TS_E_INPUT,
                   "%.300s: meshes are .obj, .stl, .ply, .gltf or .glb files; convert it", name);
  char *bytes;
  size_t count;
  TS_TRY(ts_file_account_read(&bytes, &count, arena, account, path));
  folder beside = {arena, account, ts_file_folder(arena, path)};
  return beside.path ? ts_mesh_import(out, arena, name, bytes, count, read_beside, &beside)
                     : TS_E_MEMORY;
}
