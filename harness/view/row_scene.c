// SPDX-License-Identifier: MIT
#include "harness/view/row_scene.h"

#include "base/status.h"
#include "harness/plan/catalog.h"
#include "harness/run/run_context.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/// Splits "name=value;name=value" at the semicolons; `prefix` before a name is taken off, and words
/// without it are left out.
static ts_status split_parameters(ts_assignment **out, size_t *out_count, ts_arena *arena,
                                  const char *text, const char *prefix) {
  char *rest = ts_arena_string(arena, text), *save = NULL;
  size_t most = 1, length = strlen(prefix);
  for (const char *c = text; *c; c++)
    most += *c == ';';
  ts_assignment *sets = ts_arena_array(arena, most, sizeof *sets);
  if (!rest || !sets)
    return TS_E_MEMORY;
  *out_count = 0;
  for (char *word = strtok_r(rest, ";", &save); word; word = strtok_r(NULL, ";", &save)) {
    char *equals = strchr(word, '=');
    if (!equals || strncmp(word, prefix, length) != 0)
      continue;
    *equals = '\0';
    sets[(*out_count)++] = (ts_assignment){.name = word + length, .value = equals + 1};
  }
  *out = sets;
  return TS_OK;
}

/// The scene file of a case in the context; NULL: it is built in.
static const json_t *find_scene_file(const json_t *context, const char *case_name) {
  const json_t *scenes = ts_run_context_scenes(context);
  for (size_t i = 0; i < json_array_size(scenes); i++) {
    const json_t *scene = json_array_get(scenes, i);
    const char *name = json_string_value(json_object_get(scene, "case"));
    if (name && strcmp(name, case_name) == 0)
      return scene;
  }
  return NULL;
}

/// A catalog with the case of a scene file, if that is what it was.
static ts_status open_scene_file(ts_catalog *out, ts_arena *arena, const json_t *scene) {
  const char *path = json_string_value(json_object_get(scene, "file"));
  const char *hash = json_string_value(json_object_get(scene, "hash"));
  if (!path || !hash)
    return ts_fail(TS_E_INPUT, "context.json does not say which file its scene is from");
  TS_TRY(ts_catalog_open(out, arena, &(ts_catalog_request){.scene_count = 1, .scenes = &path}));
  char now[17];
  snprintf(now, sizeof now, "%016" PRIx64, out->cases[0]->origin.hash);
  return strcmp(now, hash) == 0 ? TS_OK : ts_fail(TS_E_INPUT, "%s has changed since the run", path);
}

static ts_status build(ts_snapshot *out, const ts_scene **out_scene, ts_arena *arena,
                       const ts_record *record, const json_t *context) {
  const json_t *file = find_scene_file(context, record->case_name);
  ts_catalog catalog;
  TS_TRY(file ? open_scene_file(&catalog, arena, file) : ts_catalog_create(&catalog, arena, false));
  const char *text = record->case_parameters, *prefix = "";
  // What a scene file says comes first, and what was set on top of it follows (ts_case_parameters).
  const char *of_file = file ? catalog.cases[0]->origin.parameters : "";
  if (*of_file && strncmp(text, of_file, strlen(of_file)) == 0) {
    text += strlen(of_file);
    prefix = TS_CASE_THEN;
  }
  ts_snapshot_request request = {.catalog = &catalog, .case_name = record->case_name};
  ts_assignment *sets;
  TS_TRY(split_parameters(&sets, &request.set_count, arena, text, prefix));
  request.sets = sets;
  ts_snapshot_source source;
  TS_TRY(ts_cell_snapshot(out, &source, arena, &request));
  *out_scene = source.scene;
  return TS_OK;
}

ts_status ts_row_scene(ts_snapshot *out, const ts_scene **out_scene, const char **out_why,
                       ts_arena *arena, const ts_record *record, const json_t *context) {
  *out_why = NULL;
  ts_status status = build(out, out_scene, arena, record, context);
  if (status == TS_OK || status == TS_E_MEMORY)
    return status;
  *out_why = ts_arena_format(arena, "The scene cannot be built again: %s.", ts_status_detail());
  return *out_why ? TS_OK : TS_E_MEMORY;
}
