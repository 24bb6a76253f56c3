// SPDX-License-Identifier: MIT
#include "harness/shrink/draft.h"

#include "base/number.h"
#include "base/status.h"
#include "cases/scene_file/scene_file.h"

#include <jansson.h>
#include <stdlib.h>

static void put_number(FILE *file, double value) {
  char text[TS_NUMBER_BYTES];
  fputs(ts_number_format(text, value), file);
}

static void put_vec3(FILE *file, ts_vec3 v) {
  const double numbers[3] = {v.x, v.y, v.z};
  for (int i = 0; i < 3; i++) {
    fputs(i == 0 ? "[" : ", ", file);
    put_number(file, numbers[i]);
  }
  fputc(']', file);
}

static ts_status put_text(FILE *file, const char *text) {
  json_t *string = json_string(text);
  char *quoted = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
  if (quoted)
    fputs(quoted, file);
  free(quoted);
  json_decref(string);
  return quoted ? TS_OK : TS_E_MEMORY;
}

static bool moves(const ts_draft_body *body) {
  const ts_vec3 v = body->twist.linear_m_s, w = body->twist.angular_rad_s;
  return v.x != 0 || v.y != 0 || v.z != 0 || w.x != 0 || w.y != 0 || w.z != 0;
}

static ts_status put_body(FILE *file, const ts_draft_body *body, size_t index) {
  fputs("    {\"name\": ", file);
  TS_TRY(put_text(file, body->name));
  fprintf(file, ", \"shape\": \"shape_%zu\"", index);
  if (body->is_fixed)
    fputs(", \"is_fixed\": true", file);
  fputs(", \"density_kg_m3\": ", file);
  put_number(file, body->density_kg_m3);
  if (moves(body)) {
    fputs(",\n     \"twist\": {\"linear_m_s\": ", file);
    put_vec3(file, body->twist.linear_m_s);
    fputs(", \"angular_rad_s\": ", file);
    put_vec3(file, body->twist.angular_rad_s);
    fputc('}', file);
  }
  fputc('}', file);
  return TS_OK;
}

ts_status ts_draft_write_scene(FILE *file, const ts_draft *draft) {
  fprintf(file, "{\n  \"schema\": \"%s\",\n  \"version\": %d,\n  \"name\": ", TS_SCENE_FILE_SCHEMA,
          TS_SCENE_FILE_VERSION);
  TS_TRY(put_text(file, draft->name));
  fputs(",\n  \"up\": ", file);
  put_vec3(file, draft->up);
  fputs(",\n  \"scale\": ", file);
  put_number(file, draft->scale);
  fputs(",\n  \"touch_relative\": ", file);
  put_number(file, draft->touch_relative);
  fputs(",\n  \"shapes\": [\n", file);
  for (size_t i = 0; i < draft->body_count; i++)
    fprintf(file, "    {\"name\": \"shape_%zu\", \"mesh\": \"body_%zu.obj\"}%s\n", i, i,
            i + 1 < draft->body_count ? "," : "");
  fputs("  ],\n  \"bodies\": [\n", file);
  for (size_t i = 0; i < draft->body_count; i++) {
    TS_TRY(put_body(file, &draft->bodies[i], i));
    fputs(i + 1 < draft->body_count ? ",\n" : "\n", file);
  }
  fputs("  ],\n  \"truth\": \"derived\"\n}\n", file);
  return TS_OK;
}

void ts_draft_write_mesh(FILE *file, const ts_draft_body *body) {
  for (size_t i = 0; i < body->vertex_count; i++) {
    const double numbers[3] = {body->vertices[i].x, body->vertices[i].y, body->vertices[i].z};
    fputc('v', file);
    for (int k = 0; k < 3; k++) {
      fputc(' ', file);
      put_number(file, numbers[k]);
    }
    fputc('\n', file);
  }
  for (size_t i = 0; i < body->triangle_count; i++)
    fprintf(file, "f %u %u %u\n", body->triangles[i][0] + 1, body->triangles[i][1] + 1,
            body->triangles[i][2] + 1);
}
