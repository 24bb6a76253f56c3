// SPDX-License-Identifier: MIT
#include "reports/view/view_row.h"

#include "base/status.h"
#include "reports/tables/format_text.h"
#include "reports/view/view_mesh.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIGITS = 7, DIGITS_OF_ERROR = 4 };

const char *const ts_view_fault_columns[TS_VIEW_FAULTS] = {
    [TS_VIEW_PHANTOM] = "phantom",
    [TS_VIEW_SPECULATIVE_WRONG] = "speculative_wrong",
    [TS_VIEW_NORMAL_INCORRECT] = "quality_percent",
    [TS_VIEW_NORMAL_FLIPPED] = "normals_flipped",
    [TS_VIEW_NORMAL_INVALID] = "normals_invalid",
    [TS_VIEW_GAP_WRONG] = "gaps_wrong",
    [TS_VIEW_REGION_MISSED] = "regions_missed",
    [TS_VIEW_CONTACTS_MISSING] = "contacts_missing",
};

// ---- writing JSON ------------------------------------------------------------------------------

static void put_number(FILE *file, double value, int digits) {
  if (isfinite(value))
    fprintf(file, "%.*g", digits, value + 0.0); // never -0
  else
    fputs("null", file);
}

static void put_vector(FILE *file, ts_vec3 v) {
  put_number(file, v.x, DIGITS);
  fputc(',', file);
  put_number(file, v.y, DIGITS);
  fputc(',', file);
  put_number(file, v.z, DIGITS);
}

static void put_pose(FILE *file, ts_pose pose) {
  fputc('[', file);
  put_vector(file, pose.translation);
  fprintf(file, ",%.9g,%.9g,%.9g,%.9g]", pose.rotation.w + 0.0, pose.rotation.x + 0.0,
          pose.rotation.y + 0.0, pose.rotation.z + 0.0);
}

static ts_status put_text(FILE *file, ts_arena *arena, const char *text) {
  json_t *value = ts_json_text(arena, text);
  char *quoted = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
  json_decref(value);
  if (!quoted)
    return ts_fail(TS_E_MEMORY, "out of memory");
  fputs(quoted, file);
  free(quoted);
  return TS_OK;
}

static void put_place(FILE *file, const char *key, size_t place) {
  if (place == SIZE_MAX)
    fprintf(file, ",\"%s\":null", key);
  else
    fprintf(file, ",\"%s\":%zu", key, place);
}

/// A piece while it is written.
typedef struct draft {
  FILE *file;
  char *bytes;
  size_t count;
} draft;

static ts_status start_draft(draft *out) {
  *out = (draft){0};
  out->file = open_memstream(&out->bytes, &out->count);
  return out->file ? TS_OK : ts_fail(TS_E_MEMORY, "out of memory");
}

/// Adds the piece unless writing it failed.
static ts_status end_draft(size_t *out, ts_pieces *pieces, draft *d, ts_status status) {
  bool is_whole = !ferror(d->file);
  if ((fclose(d->file) != 0 || !is_whole) && status == TS_OK)
    status = ts_fail(TS_E_MEMORY, "out of memory");
  if (status == TS_OK)
    status = ts_pieces_add(out, pieces, d->bytes, d->count);
  free(d->bytes);
  return status;
}

// ---- bodies ------------------------------------------------------------------------------------

static ts_status add_mesh(size_t *out, ts_pieces *pieces, ts_arena *arena, const ts_mesh *mesh) {
  ts_view_mesh shown;
  draft d;
  TS_TRY(ts_view_mesh_make(&shown, arena, mesh));
  TS_TRY(start_draft(&d));
  fputs("{\"v\":[", d.file);
  for (size_t i = 0; i < shown.vertex_count; i++) {
    fputs(i > 0 ? "," : "", d.file);
    put_vector(d.file, shown.vertices_local[i]);
  }
  fputs("],\"t\":[", d.file);
  for (size_t i = 0; i < shown.triangle_count; i++)
    fprintf(d.file, "%s%u,%u,%u", i > 0 ? "," : "", shown.triangles[i][0], shown.triangles[i][1],
            shown.triangles[i][2]);
  fputs("]", d.file);
  if (shown.is_coarse)
    fprintf(d.file, ",\"of\":%zu", mesh->triangle_count);
  fputs("}", d.file);
  return end_draft(out, pieces, &d, TS_OK);
}

/// Adds the mesh of each body; bodies of one mesh follow each other in most scenes.
static ts_status add_meshes(size_t **out, ts_pieces *pieces, ts_arena *arena,
                            const ts_snapshot *snapshot) {
  size_t *meshes = ts_arena_array(arena, snapshot->body_count, sizeof *meshes);
  if (!meshes)
    return TS_E_MEMORY;
  for (size_t i = 0; i < snapshot->body_count; i++) {
    const ts_mesh *mesh = snapshot->bodies[i].designed.mesh;
    size_t same = 0;
    while (same < i && snapshot->bodies[same].designed.mesh != mesh)
      same++;
    if (same < i)
      meshes[i] = meshes[same];
    else
      TS_TRY(add_mesh(&meshes[i], pieces, arena, mesh));
  }
  *out = meshes;
  return TS_OK;
}

static ts_status put_body(FILE *file, ts_arena *arena, const ts_view_scene *scene, size_t i,
                          size_t mesh) {
  const ts_snapshot_body *body = &scene->snapshot->bodies[i];
  fputs("{\"name\":", file);
  TS_TRY(put_text(file, arena, body->name));
  fprintf(file, ",\"mesh\":%zu,\"fixed\":%d,\"ground\":%d,\"pose\":", mesh, body->is_fixed,
          scene->is_ground[i]);
  put_pose(file, body->pose);
  fputs(",\"shift\":[", file);
  put_vector(file, scene->shifts[i]);
  fputs("]}", file);
  return TS_OK;
}

static ts_status put_bodies(FILE *file, ts_arena *arena, const ts_view_scene *scene,
                            const size_t *meshes) {
  const ts_snapshot *snapshot = scene->snapshot;
  fputs("{\"up\":[", file);
  put_vector(file, snapshot->up);
  fputs("],\"size\":", file);
  put_number(file, snapshot->body_size_m, DIGITS);
  fputs(",\"bodies\":[", file);
  for (size_t i = 0; i < snapshot->body_count; i++) {
    fputs(i > 0 ? ",\n" : "", file);
    TS_TRY(put_body(file, arena, scene, i, meshes[i]));
  }
  fputs("]}", file);
  return TS_OK;
}

ts_status ts_view_scene_add(ts_view_scene_pieces *out, ts_pieces *pieces, ts_arena *arena,
                            const ts_view_scene *scene) {
  size_t *meshes;
  draft d;
  TS_TRY(add_meshes(&meshes, pieces, arena, scene->snapshot));
  out->meshes = meshes;
  out->mesh_count = scene->snapshot->body_count;
  TS_TRY(start_draft(&d));
  return end_draft(&out->scene, pieces, &d, put_bodies(d.file, arena, scene, meshes));
}

static ts_status add_poses(size_t *out, ts_pieces *pieces, const ts_snapshot *snapshot) {
  draft d;
  TS_TRY(start_draft(&d));
  for (size_t i = 0; i < snapshot->body_count; i++) {
    fputs(i > 0 ? ",\n" : "[", d.file);
    put_pose(d.file, snapshot->bodies[i].pose);
  }
  fputs("]", d.file);
  return end_draft(out, pieces, &d, TS_OK);
}

// ---- regions -----------------------------------------------------------------------------------

static void put_region(FILE *file, const ts_snapshot_region *region) {
  fprintf(file, "{\"a\":%d,\"b\":%d,\"i\":%d,\"needs\":\"%s\",\"needed\":%zu,\"v\":[",
          region->body_a, region->body_b, region->index,
          region->needed_count == 0 ? "none"
          : region->needs_all       ? "all"
                                    : "any",
          region->needed_count);
  for (size_t i = 0; i < region->vertex_count; i++) {
    fputs(i > 0 ? "," : "", file);
    put_vector(file, region->vertices[i]);
  }
  fputs("],\"n\":[", file);
  for (size_t i = 0; i < region->normal_count; i++) {
    fputs(i > 0 ? "," : "", file);
    put_vector(file, region->normals[i].normal);
  }
  fputs("],\"g\":[", file);
  for (size_t i = 0; i < region->normal_count; i++) {
    fputs(i > 0 ? "," : "", file);
    put_number(file, region->normals[i].gap_m, DIGITS_OF_ERROR);
  }
  fputs("]}", file);
}

static ts_status add_truth(size_t *out, ts_pieces *pieces, const ts_snapshot *snapshot) {
  draft d;
  TS_TRY(start_draft(&d));
  fputs("[", d.file);
  for (size_t i = 0; i < snapshot->region_count; i++) {
    fputs(i > 0 ? ",\n" : "", d.file);
    put_region(d.file, &snapshot->regions[i]);
  }
  fputs("]", d.file);
  return end_draft(out, pieces, &d, TS_OK);
}

// ---- contacts and verdicts ---------------------------------------------------------------------

static ts_vec3 point_of(const ts_contact_row *c) {
  return (ts_vec3){c->point_x_m, c->point_y_m, c->point_z_m};
}

static ts_vec3 normal_of(const ts_contact_row *c) {
  return (ts_vec3){c->normal_x, c->normal_y, c->normal_z};
}

static void put_vectors(FILE *file, const char *key, const ts_snapshot *snapshot,
                        ts_vec3 (*of)(const ts_contact_row *)) {
  fprintf(file, ",\"%s\":[", key);
  for (size_t i = 0; i < snapshot->contact_count; i++) {
    fputs(i > 0 ? "," : "", file);
    put_vector(file, of(&snapshot->contacts[i]));
  }
  fputs("]", file);
}

/// The numbers at one offset in all contacts, as a list: alike numbers compress better side by
/// side.
static void put_column(FILE *file, const char *key, const ts_snapshot *snapshot, size_t offset,
                       int digits) {
  fprintf(file, "%s\"%s\":[", offset == offsetof(ts_contact_row, body_a) ? "" : ",", key);
  for (size_t i = 0; i < snapshot->contact_count; i++) {
    double value;
    memcpy(&value, (const char *)&snapshot->contacts[i] + offset, sizeof value);
    fputs(i > 0 ? "," : "", file);
    put_number(file, value, digits);
  }
  fputs("]", file);
}

#define COLUMN(key, member, digits)                                                                \
  put_column(file, key, snapshot, offsetof(ts_contact_row, member), digits)

static void put_contacts(FILE *file, const ts_view_row *row) {
  const ts_snapshot *snapshot = row->snapshot;
  fputs(",\n\"contacts\":{", file);
  COLUMN("a", body_a, 15);
  COLUMN("b", body_b, 15);
  COLUMN("i", index, 15);
  put_vectors(file, "p", snapshot, point_of);
  put_vectors(file, "n", snapshot, normal_of);
  COLUMN("g", gap_m, DIGITS);
  COLUMN("ne", normal_error_deg, DIGITS_OF_ERROR);
  COLUMN("pe", position_error_m, DIGITS_OF_ERROR);
  COLUMN("ge", gap_error_m, DIGITS_OF_ERROR);
  COLUMN("region", region, 15);
  fputs(",\"kind\":[", file);
  for (size_t i = 0; i < snapshot->contact_count; i++)
    fprintf(file, "%s%d", i > 0 ? "," : "", (int)ts_contact_row_kind(&snapshot->contacts[i]));
  fputs("],\"f\":[", file);
  for (size_t i = 0; i < snapshot->contact_count; i++)
    fprintf(file, "%s%u", i > 0 ? "," : "", row->contact_faults[i]);
  fputs("]}", file);
}

/// Met normals, whether missed and the contacts of each region.
static void put_verdicts(FILE *file, const ts_view_row *row) {
  const ts_snapshot *snapshot = row->snapshot;
  size_t count = row->has_verdicts ? snapshot->region_count : 0;
  fputs(",\n\"met\":[", file);
  for (size_t i = 0; i < count; i++)
    fprintf(file, "%s%zu", i > 0 ? "," : "", snapshot->regions[i].met_count);
  fputs("],\"missed\":[", file);
  for (size_t i = 0; i < count; i++)
    fprintf(file, "%s%d", i > 0 ? "," : "", snapshot->regions[i].is_missed);
  fputs("],\"lacks\":[", file);
  for (size_t i = 0; i < count; i++) {
    fputs(i > 0 ? "," : "", file);
    put_number(file, row->missing_counts[i], 15);
  }
  fputs("],\"served\":[", file);
  for (size_t i = 0; i < count; i++)
    fprintf(file, "%s%zu", i > 0 ? "," : "", row->served_counts[i]);
  fputs("],\"by\":[", file);
  for (size_t i = 0; i < count; i++) {
    fputs(i > 0 ? ",[" : "[", file);
    for (size_t k = 0; k < snapshot->regions[i].contact_count; k++)
      fprintf(file, "%s%zu", k > 0 ? "," : "", snapshot->regions[i].contacts[k]);
    fputs("]", file);
  }
  fputs("]", file);
}

static ts_status put_unknown(FILE *file, ts_arena *arena, const ts_view_row *row) {
  const ts_snapshot *snapshot = row->snapshot;
  fprintf(file, ",\"truth_unknown\":%d,\"unknown_total\":%zu,\"unknown\":[",
          snapshot->is_truth_unknown, row->unknown_total);
  for (size_t i = 0; i < snapshot->unknown_count; i++) {
    const ts_snapshot_unknown *pair = &snapshot->unknown[i];
    fprintf(file, "%s[%d,%d,", i > 0 ? "," : "", pair->body_a, pair->body_b);
    TS_TRY(put_text(file, arena, pair->reason));
    fputs("]", file);
  }
  fputs("]", file);
  return TS_OK;
}

static ts_status put_row(FILE *file, ts_arena *arena, const ts_view_row_pieces *pieces,
                         const ts_view_row *row, size_t scene) {
  fputs("{\"title\":", file);
  TS_TRY(put_text(file, arena, row->title));
  fputs(",\"explain\":", file);
  TS_TRY(put_text(file, arena, row->explain_command));
  fprintf(file, ",\"total\":%zu,\"verdicts\":%d", row->contact_total, row->has_verdicts);
  for (int i = 0; i < TS_KIND_COUNT; i++)
    fprintf(file, "%s%zu", i > 0 ? "," : ",\"totals\":[", row->kind_totals[i]);
  for (int i = 0; i < TS_VIEW_FAULTS; i++) {
    fputs(i > 0 ? "," : "],\"fault_totals\":[", file);
    put_number(file, row->fault_totals[i], 15);
  }
  fputs("]", file);
  put_place(file, "scene", scene);
  put_place(file, "poses", pieces->places[TS_VIEW_POSES]);
  put_place(file, "truth", pieces->places[TS_VIEW_TRUTH]);
  TS_TRY(put_unknown(file, arena, row));
  put_contacts(file, row);
  put_verdicts(file, row);
  fputs("}", file);
  return TS_OK;
}

ts_status ts_view_row_add(ts_view_row_pieces *out, ts_pieces *pieces, ts_arena *arena,
                          const ts_view_row *row, size_t scene) {
  *out = (ts_view_row_pieces){{SIZE_MAX, SIZE_MAX, SIZE_MAX}};
  if (row->has_moved)
    TS_TRY(add_poses(&out->places[TS_VIEW_POSES], pieces, row->snapshot));
  TS_TRY(add_truth(&out->places[TS_VIEW_TRUTH], pieces, row->snapshot));
  draft d;
  TS_TRY(start_draft(&d));
  return end_draft(&out->places[TS_VIEW_ROW], pieces, &d, put_row(d.file, arena, out, row, scene));
}
