// SPDX-License-Identifier: MIT
#include "reports/export/gltf.h"

#include "base/base64.h"
#include "base/status.h"
#include "reports/export/gltf_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ts_vec3 origin = {0, 0, 0};

/// Adds the surfaces, designed or enveloped, as a group. Bodies with the same mesh share its
/// arrays.
static void add_bodies(ts_gltf *g, const ts_snapshot *snapshot, bool enveloped) {
  int64_t *accessors = calloc(snapshot->body_count + 1, 2 * sizeof *accessors);
  if (!accessors) {
    g->is_out_of_memory = true;
    return;
  }
  json_t *children = json_array();
  for (size_t i = 0; i < snapshot->body_count; i++) {
    const ts_snapshot_body *body = &snapshot->bodies[i];
    const ts_mesh *mesh = enveloped ? body->enveloped.mesh : body->designed.mesh;
    if (!mesh)
      continue;
    size_t same = 0;
    while (same < i && (enveloped ? snapshot->bodies[same].enveloped.mesh
                                  : snapshot->bodies[same].designed.mesh) != mesh)
      same++;
    if (same == i) {
      accessors[2 * i] = ts_gltf_add_points(g, mesh->vertices, mesh->vertex_count);
      accessors[2 * i + 1] =
          ts_gltf_add_indices(g, &mesh->triangles[0][0], 3 * mesh->triangle_count);
    } else {
      memcpy(&accessors[2 * i], &accessors[2 * same], 2 * sizeof *accessors);
    }
    uint8_t rgb[3];
    ts_gltf_body_colour(rgb, i);
    int64_t material = ts_gltf_add_material(g, body->name, rgb, enveloped ? 0.6 : 0.35);
    int64_t shape = ts_gltf_add_mesh(g, body->name, TS_GLTF_TRIANGLES, accessors[2 * i],
                                     accessors[2 * i + 1], material);
    json_t *node = ts_gltf_node(g, body->name, shape);
    ts_gltf_place(g, node, body->pose.translation, body->pose.rotation, 1);
    ts_gltf_adopt(g, children, ts_gltf_add_node(g, node));
  }
  free(accessors);
  ts_gltf_add_group(g, enveloped ? "envelope" : "bodies", children, g->roots);
}

static int64_t add_region_mesh(ts_gltf *g, const ts_snapshot_region *r, const char *name,
                               int64_t material) {
  int64_t points = ts_gltf_add_points(g, r->vertices, r->vertex_count);
  if (r->vertex_count < 3)
    return ts_gltf_add_mesh(g, name, r->vertex_count == 2 ? TS_GLTF_LINES : TS_GLTF_POINTS, points,
                            -1, material);
  size_t count = 3 * (r->vertex_count - 2);
  uint32_t *corners = malloc(count * sizeof *corners);
  if (!corners) {
    g->is_out_of_memory = true;
    return -1;
  }
  for (uint32_t i = 0; i + 2 < r->vertex_count; i++) {
    corners[3 * i] = 0;
    corners[3 * i + 1] = i + 1;
    corners[3 * i + 2] = i + 2;
  }
  int64_t indices = ts_gltf_add_indices(g, corners, count);
  free(corners);
  return ts_gltf_add_mesh(g, name, TS_GLTF_TRIANGLES, points, indices, material);
}

static void add_truth(ts_gltf *g, const ts_snapshot *snapshot) {
  int64_t material = ts_gltf_add_material(g, "truth", ts_truth_colour, 1);
  int64_t arrow = ts_gltf_add_arrow(g, "feasible normal", material);
  json_t *children = json_array();
  for (size_t i = 0; i < snapshot->region_count; i++) {
    const ts_snapshot_region *r = &snapshot->regions[i];
    char name[96];
    snprintf(name, sizeof name, "region %d-%d %d", r->body_a, r->body_b, r->index);
    json_t *node = ts_gltf_node(g, name, add_region_mesh(g, r, name, material));
    ts_gltf_adopt(g, children, ts_gltf_add_node(g, node));
    for (size_t k = 0; k < r->normal_count; k++) {
      snprintf(name, sizeof name, "normal %d-%d %d.%zu", r->body_a, r->body_b, r->index, k);
      node = ts_gltf_arrow_node(g, name, arrow, ts_snapshot_region_centre(r), r->normals[k].normal,
                                TS_GLTF_ARROW_SIZE * snapshot->body_size_m);
      ts_gltf_adopt(g, children, ts_gltf_add_node(g, node));
    }
  }
  ts_gltf_add_group(g, "truth", children, g->roots);
}

/// The numbers of the row that were measured. The others are left out because JSON has no NaN.
static json_t *extras_of(const ts_contact_row *row) {
  json_t *extras = json_object();
  for (size_t i = 0; i < ts_contact_rows.field_count; i++) {
    const ts_field *field = &ts_contact_rows.fields[i];
    json_t *value = NULL;
    if (field->kind == TS_FIELD_TEXT)
      value = json_string(ts_row_text(field, row));
    else if (!isfinite(ts_row_number(field, row)))
      continue;
    else if (field->kind == TS_FIELD_COUNT)
      value = json_integer((json_int_t)ts_row_number(field, row));
    else
      value = json_real(ts_row_number(field, row));
    if (json_object_set_new(extras, field->column, value) != 0) {
      json_decref(extras);
      return NULL;
    }
  }
  return extras;
}

static void add_contacts_of(ts_gltf *g, const ts_snapshot *snapshot, ts_contact_kind kind,
                            json_t *groups) {
  const char *word = ts_contact_kind_words[kind];
  int64_t material = -1, arrow = -1, marker = -1;
  json_t *children = json_array();
  for (size_t i = 0; i < snapshot->contact_count; i++) {
    const ts_contact_row *row = &snapshot->contacts[i];
    ts_vec3 at = {row->point_x_m, row->point_y_m, row->point_z_m};
    bool has_arrow = ts_contact_row_has_arrow(row);
    if (ts_contact_row_kind(row) != kind || !isfinite(at.x) || !isfinite(at.y) || !isfinite(at.z))
      continue;
    if (material < 0)
      material = ts_gltf_add_material(g, word, ts_contact_colours[kind], 1);
    if (has_arrow && arrow < 0)
      arrow = ts_gltf_add_arrow(g, word, material);
    if (!has_arrow && marker < 0)
      marker = ts_gltf_add_marker(g, "no normal", material);
    char name[96];
    snprintf(name, sizeof name, "contact %.0f-%.0f %.0f", row->body_a, row->body_b, row->index);
    json_t *node = has_arrow
                       ? ts_gltf_arrow_node(g, name, arrow, at,
                                            (ts_vec3){row->normal_x, row->normal_y, row->normal_z},
                                            TS_GLTF_ARROW_SIZE * snapshot->body_size_m)
                       : ts_gltf_arrow_node(g, name, marker, at, origin,
                                            TS_GLTF_MARKER_SIZE * snapshot->body_size_m);
    g->is_out_of_memory |= json_object_set_new(node, "extras", extras_of(row)) != 0;
    ts_gltf_adopt(g, children, ts_gltf_add_node(g, node));
  }
  ts_gltf_add_group(g, word, children, groups);
}

ts_status ts_gltf_write(FILE *file, const ts_snapshot *snapshot) {
  ts_gltf g;
  TS_TRY(ts_gltf_start(&g));
  bool has_envelope = false;
  for (size_t i = 0; i < snapshot->body_count; i++)
    has_envelope = has_envelope || snapshot->bodies[i].enveloped.mesh;
  add_bodies(&g, snapshot, false);
  if (has_envelope)
    add_bodies(&g, snapshot, true);
  add_truth(&g, snapshot);
  json_t *groups = json_array();
  for (int kind = 0; kind < TS_KIND_COUNT; kind++)
    add_contacts_of(&g, snapshot, (ts_contact_kind)kind, groups);
  ts_gltf_add_group(&g, "contacts", groups, g.roots);
  return ts_gltf_end(file, &g, snapshot->case_name);
}
