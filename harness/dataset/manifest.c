// SPDX-License-Identifier: MIT
#include "harness/dataset/manifest.h"

#include "base/file.h"
#include "base/status.h"

#include <jansson.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Digits of the SHA-256 in the version: enough that two versions never meet by accident.
#define VERSION_DIGITS 12

ts_sha256 ts_sha256_of(const void *bytes, size_t count) {
  ts_sha256 out;
  _Static_assert(sizeof out.text == SHA256_DIGEST_STRING_LENGTH, "a digest and its zero");
  SHA256Data(bytes, count, out.text);
  return out;
}

ts_status ts_manifest_sign(ts_manifest *m, ts_arena *arena) {
  char *list = NULL;
  size_t count = 0;
  FILE *stream = open_memstream(&list, &count);
  if (!stream)
    return ts_fail(TS_E_MEMORY, "out of memory");
  for (size_t i = 0; i < m->file_count; i++)
    fprintf(stream, "%s  %s\n", m->files[i].sha256.text, m->files[i].path);
  bool is_whole = !ferror(stream);
  is_whole = fclose(stream) == 0 && is_whole;
  if (is_whole)
    m->sha256 = ts_sha256_of(list, count);
  free(list);
  m->version = is_whole
                   ? ts_arena_format(arena, "%d-%.*s", m->edition, VERSION_DIGITS, m->sha256.text)
                   : NULL;
  return m->version ? TS_OK : ts_fail(TS_E_MEMORY, "out of memory");
}

/// An object on a line of its own. Takes the object.
static void put_line(FILE *file, size_t index, json_t *object) {
  char *text = object ? json_dumps(object, 0) : NULL;
  fprintf(file, "%s\n    %s", index > 0 ? "," : "", text ? text : "");
  free(text);
  json_decref(object);
}

static void put_manifest(FILE *file, const ts_manifest *m) {
  fprintf(file,
          "{\n  \"schema\": \"%s\",\n  \"schema_version\": %d,\n  \"edition\": %d,\n"
          "  \"version\": \"%s\",\n  \"sha256\": \"%s\",\n  \"scenes\": [",
          TS_MANIFEST_SCHEMA, TS_MANIFEST_SCHEMA_VERSION, m->edition, m->version, m->sha256.text);
  for (size_t i = 0; i < m->scene_count; i++) {
    const ts_manifest_scene *s = &m->scenes[i];
    put_line(file, i,
             json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:I, s:I}", "name", s->name, "case",
                       s->case_name, "suite", s->suite, "parameters", s->parameters, "bodies",
                       (json_int_t)s->body_count, "pairs", (json_int_t)s->pair_count, "regions",
                       (json_int_t)s->region_count, "minimum", (json_int_t)s->minimum));
  }
  fputs("\n  ],\n  \"files\": [", file);
  for (size_t i = 0; i < m->file_count; i++)
    put_line(file, i,
             json_pack("{s:s, s:I, s:s}", "path", m->files[i].path, "bytes",
                       (json_int_t)m->files[i].byte_count, "sha256", m->files[i].sha256.text));
  fputs("\n  ]\n}\n", file);
}

ts_status ts_manifest_write(char **out, size_t *out_count, ts_arena *arena, const ts_manifest *m) {
  char *text = NULL;
  FILE *stream = open_memstream(&text, out_count);
  if (!stream)
    return ts_fail(TS_E_MEMORY, "out of memory");
  put_manifest(stream, m);
  bool is_whole = !ferror(stream);
  is_whole = fclose(stream) == 0 && is_whole;
  *out = is_whole ? ts_arena_copy(arena, text, *out_count, 1) : NULL;
  free(text);
  return *out ? TS_OK : ts_fail(TS_E_MEMORY, "out of memory");
}

static const char *text_of(ts_arena *arena, const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? ts_arena_string(arena, text) : NULL;
}

static bool count_of(size_t *out, const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  *out = (size_t)json_integer_value(value);
  return json_is_integer(value) && json_integer_value(value) >= 0;
}

static bool read_file(ts_manifest_file *out, ts_arena *arena, const json_t *entry) {
  const char *sha256 = text_of(arena, entry, "sha256");
  out->path = text_of(arena, entry, "path");
  if (!out->path || !sha256 || strlen(sha256) + 1 != sizeof out->sha256.text)
    return false;
  memcpy(out->sha256.text, sha256, sizeof out->sha256.text);
  return count_of(&out->byte_count, entry, "bytes");
}

static bool read_scene(ts_manifest_scene *out, ts_arena *arena, const json_t *entry) {
  *out = (ts_manifest_scene){.name = text_of(arena, entry, "name"),
                             .case_name = text_of(arena, entry, "case"),
                             .suite = text_of(arena, entry, "suite"),
                             .parameters = text_of(arena, entry, "parameters")};
  return out->name && out->case_name && out->suite && out->parameters &&
         count_of(&out->body_count, entry, "bodies") &&
         count_of(&out->pair_count, entry, "pairs") &&
         count_of(&out->region_count, entry, "regions") &&
         count_of(&out->minimum, entry, "minimum");
}

static bool read_lists(ts_manifest *out, ts_arena *arena, const json_t *json) {
  const json_t *files = json_object_get(json, "files"), *scenes = json_object_get(json, "scenes");
  out->file_count = json_array_size(files);
  out->scene_count = json_array_size(scenes);
  out->files = ts_arena_array(arena, out->file_count, sizeof *out->files);
  out->scenes = ts_arena_array(arena, out->scene_count, sizeof *out->scenes);
  bool is_right = out->files && out->scenes && out->file_count > 0 && out->scene_count > 0;
  for (size_t i = 0; is_right && i < out->file_count; i++)
    is_right = read_file(&out->files[i], arena, json_array_get(files, i));
  for (size_t i = 0; is_right && i < out->scene_count; i++)
    is_right = read_scene(&out->scenes[i], arena, json_array_get(scenes, i));
  return is_right;
}

static ts_status read_manifest(ts_manifest *out, ts_arena *arena, const json_t *json,
                               const char *path) {
  const char *schema = json_string_value(json_object_get(json, "schema"));
  const char *version = json_string_value(json_object_get(json, "version"));
  size_t schema_version, edition;
  if (!schema || strcmp(schema, TS_MANIFEST_SCHEMA) != 0 || !version ||
      !count_of(&schema_version, json, "schema_version") ||
      schema_version != TS_MANIFEST_SCHEMA_VERSION || !count_of(&edition, json, "edition") ||
      edition > 1000000)
    return ts_fail(TS_E_INPUT,
                   "%s is not the manifest of a data set that this touchstone reads (schema "
                   "\"%s\", version %d)",
                   path, TS_MANIFEST_SCHEMA, TS_MANIFEST_SCHEMA_VERSION);
  out->edition = (int)edition;
  if (!read_lists(out, arena, json))
    return ts_fail(TS_E_INPUT,
                   "%s: \"files\" or \"scenes\" has an entry that is incomplete; take the data set "
                   "again from where it came from",
                   path);
  TS_TRY(ts_manifest_sign(out, arena));
  if (strcmp(out->version, version) != 0)
    return ts_fail(TS_E_INPUT,
                   "%s says version %.40s, but the files that it lists are version %s: it has been "
                   "edited; take the data set again from where it came from",
                   path, version, out->version);
  return TS_OK;
}

ts_status ts_manifest_read(ts_manifest *out, ts_arena *arena, const char *folder) {
  *out = (ts_manifest){0};
  const char *path = ts_arena_format(arena, "%s/%s", folder, TS_MANIFEST_NAME);
  char *text;
  size_t count;
  if (!path)
    return TS_E_MEMORY;
  TS_TRY(ts_file_read(&text, &count, arena, path, TS_MANIFEST_BYTES_MAX));
  json_error_t error;
  json_t *json = json_loadb(text, count, JSON_REJECT_DUPLICATES, &error);
  if (!json)
    return ts_fail(TS_E_INPUT, "%s, line %d: %s; take the data set again from where it came from",
                   path, error.line, error.text);
  ts_status status = read_manifest(out, arena, json, path);
  json_decref(json);
  return status;
}

const ts_manifest_scene *ts_manifest_find_scene(const ts_manifest *m, const char *name) {
  for (size_t i = 0; i < m->scene_count; i++)
    if (strcmp(m->scenes[i].name, name) == 0)
      return &m->scenes[i];
  return NULL;
}

bool ts_manifest_file_is_whole(ts_arena *arena, const char *folder, const ts_manifest_file *file) {
  ts_arena_mark mark = ts_arena_get_mark(arena);
  char *path, *bytes;
  size_t count;
  bool is_whole = ts_file_beneath(&path, arena, folder, file->path) == TS_OK &&
                  file->byte_count <= TS_MANIFEST_FILE_BYTES_MAX &&
                  ts_file_read(&bytes, &count, arena, path, file->byte_count) == TS_OK &&
                  count == file->byte_count;
  if (is_whole) {
    ts_sha256 is = ts_sha256_of(bytes, count);
    is_whole = memcmp(&is, &file->sha256, sizeof is) == 0;
  }
  ts_arena_rewind(arena, mark);
  return is_whole;
}
