// SPDX-License-Identifier: MIT
/// manifest.json of a data set: its version, what each scene is, and the SHA-256 of every file.
#ifndef TS_HARNESS_MANIFEST_H
#define TS_HARNESS_MANIFEST_H

#include "base/arena.h"

#include <stdbool.h>

#define TS_MANIFEST_NAME           "manifest.json"
#define TS_MANIFEST_SCHEMA         "touchstone dataset"
#define TS_MANIFEST_SCHEMA_VERSION 1
/// Largest manifest that is read [bytes], and largest file of a scene whose hash is looked at.
#define TS_MANIFEST_BYTES_MAX      ((size_t)8 << 20)
#define TS_MANIFEST_FILE_BYTES_MAX ((size_t)128 << 20)

/// 64 hexadecimal digits and a zero.
typedef struct ts_sha256 {
  char text[65];
} ts_sha256;

ts_sha256 ts_sha256_of(const void *bytes, size_t count);

typedef struct ts_manifest_file {
  const char *path; ///< below the folder: "scenes/arch/scene.json"
  size_t byte_count;
  ts_sha256 sha256;
} ts_manifest_file;

typedef struct ts_manifest_scene {
  const char *name;       ///< of the case that the scene is, and of its folder: "arch_moved_1"
  const char *case_name;  ///< of the built-in case that it was made of: "arch"
  const char *suite;      ///< of that case
  const char *parameters; ///< of that case, as written in rows
  size_t body_count, pair_count, region_count;
  size_t minimum; ///< number of contacts that represents the touch
} ts_manifest_scene;

typedef struct ts_manifest {
  const char *version; ///< "1-0123456789ab": the edition, and the first digits of the SHA-256
  int edition;         ///< the number for people, which is raised by hand
  ts_sha256 sha256;    ///< of the list of files, see ts_manifest_sign()
  size_t file_count, scene_count;
  ts_manifest_file *files;   ///< [file_count], all but the manifest, sorted by path
  ts_manifest_scene *scenes; ///< [scene_count], sorted by name
} ts_manifest;

/// Sets `sha256` and `version` from the edition and the files: the SHA-256 is that of the text with
/// a line "<sha256>  <path>" for each file, as `sha256sum` prints them.
ts_status ts_manifest_sign(ts_manifest *manifest, ts_arena *arena);

/// The text of manifest.json, in the arena.
ts_status ts_manifest_write(char **out, size_t *out_count, ts_arena *arena,
                            const ts_manifest *manifest);

/// Reads the manifest of a folder. TS_E_INPUT, naming the file: there is none, it is not a manifest
/// of this schema, or its version does not follow from the files that it lists.
ts_status ts_manifest_read(ts_manifest *out, ts_arena *arena, const char *folder);

/// NULL when there is no scene of that name.
const ts_manifest_scene *ts_manifest_find_scene(const ts_manifest *manifest, const char *name);

/// Whether a file in `folder` has the size and the SHA-256 that the manifest says; false, too, when
/// it cannot be read. The arena is left as it was.
bool ts_manifest_file_is_whole(ts_arena *arena, const char *folder, const ts_manifest_file *file);

#endif
