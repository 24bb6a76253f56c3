// SPDX-License-Identifier: MIT
#include "harness/export/export_scene.h"

#include "harness/plan/shell_word.h"

#include "base/number.h"
#include "base/status.h"
#include "reports/rows/rows.h"

#include <string.h>

/// The name of the case that the scene is.
static const char *scene_name(ts_arena *arena, const ts_snapshot *snapshot) {
  return snapshot->step == 0 ? snapshot->case_name
                             : ts_arena_format(arena, "%s_step%lld", snapshot->case_name,
                                               (long long)snapshot->step);
}

ts_status ts_export_scene(ts_scene_part **out, size_t *out_count, ts_arena *arena, const ts_case *c,
                          const ts_snapshot *snapshot, const ts_snapshot_source *source) {
  ts_scene_file about = {.name = scene_name(arena, snapshot),
                         .summary = c->summary,
                         .source = c->source,
                         .case_parameters = source->case_parameters};
  if (snapshot->step > 0) {
    about.summary = ts_arena_format(arena, "%s At step %lld, moved by %s.", c->summary,
                                    (long long)snapshot->step, snapshot->method);
    about.case_parameters = NULL; // it is another case than the one as built
  }
  if (!about.name || !about.summary)
    return TS_E_MEMORY;
  return ts_scene_file_write(out, out_count, arena, source->scene, &about);
}

static ts_status add_rows(ts_csv_buffer *buffer, const char *case_name,
                          const ts_snapshot *snapshot) {
  TS_TRY(ts_csv_add_field(buffer, "envelope"));
  TS_TRY(ts_csv_add_field(buffer, "envelope_m"));
  TS_TRY(ts_csv_add_field(buffer, "shapes_native"));
  TS_TRY(ts_rows_add_header(buffer, &ts_contact_rows));
  for (size_t i = 0; i < snapshot->contact_count; i++) {
    ts_contact_row row = snapshot->contacts[i];
    row.case_name = case_name;
    TS_TRY(ts_csv_add_field(buffer, snapshot->envelope));
    TS_TRY(ts_csv_add_number(buffer, snapshot->envelope_m));
    TS_TRY(ts_csv_add_field(buffer, snapshot->shapes_native));
    TS_TRY(ts_rows_add(buffer, &ts_contact_rows, &row));
  }
  return TS_OK;
}

ts_status ts_export_contacts(FILE *file, ts_arena *arena, const ts_snapshot *snapshot) {
  const char *case_name = scene_name(arena, snapshot);
  if (!case_name)
    return TS_E_MEMORY;
  ts_csv_buffer buffer = {.count = 0};
  ts_status status = add_rows(&buffer, case_name, snapshot);
  fwrite(buffer.bytes, 1, status == TS_OK ? buffer.count : 0, file);
  ts_csv_buffer_free(&buffer);
  return status;
}

/// Whether a body has a number as its name, which might be meant as an index.
static bool has_number_as_name(const ts_scene *scene) {
  for (size_t i = 0; i < scene->body_count; i++) {
    const char *name = scene->bodies[i].name;
    if (name[strspn(name, "0123456789")] == '\0')
      return true;
  }
  return false;
}

const char *ts_export_score_command(ts_arena *arena, const char *folder,
                                    const ts_snapshot *snapshot, const ts_snapshot_source *source) {
  const char *told = ""; // what the rows would say
  if (snapshot->contact_count == 0) {
    char size_m[TS_NUMBER_BYTES];
    told = ts_arena_format(arena, " --name %s --step %lld", snapshot->method,
                           (long long)snapshot->step);
    if (told && snapshot->envelope_m > 0)
      told = ts_arena_format(arena, "%s --envelope %s:%s", told, snapshot->envelope,
                             ts_number_format(size_m, snapshot->envelope_m));
    if (told && snapshot->mesh_error_m > 0)
      told = ts_arena_format(arena, "%s --triangles", told);
    if (!told)
      return NULL;
  }
  const char *scene = ts_arena_format(arena, "%s/scene.json", folder);
  const char *contacts = ts_arena_format(arena, "%s/%s", folder, TS_EXPORT_CONTACTS);
  scene = scene ? ts_shell_word(arena, scene) : NULL;
  contacts = contacts ? ts_shell_word(arena, contacts) : NULL;
  return scene && contacts
             ? ts_arena_format(arena, "touchstone score %s %s%s%s%s", scene, contacts,
                               source->scoring_sets, told,
                               has_number_as_name(source->scene) ? " --bodies index" : "")
             : NULL;
}
