// SPDX-License-Identifier: MIT
#include "base/geometry_kind.h"
#include "base/number.h"
#include "base/status.h"
#include "cases/scene/published_tets.h"
#include "cases/scene_file/scene_file.h"
#include "cases/scene_file/scene_file_elastic.h"
#include "cases/scene_file/scene_file_meshes.h"
#include "cases/truth/oracle_truth.h"
#include "geometry/files/obj.h"
#include "geometry/tolerances.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct writer {
  ts_arena *arena;
  const ts_scene *scene;
  ts_scene_part *parts;
  size_t part_count;
  FILE *file; ///< of scene.json
} writer;

/// Sends what is written into a part.
typedef struct part_stream {
  FILE *file;
  char *bytes;
  size_t count;
} part_stream;

static ts_status open_part(part_stream *out) {
  *out = (part_stream){0};
  out->file = open_memstream(&out->bytes, &out->count);
  return out->file ? TS_OK : ts_fail(TS_E_MEMORY, "out of memory");
}

static ts_status close_part(part_stream *stream, writer *w, size_t index, const char *name,
                            const char *what) {
  bool is_whole = !ferror(stream->file);
  is_whole = fclose(stream->file) == 0 && is_whole;
  char *kept = is_whole ? ts_arena_alloc(w->arena, stream->count + 1) : NULL;
  if (kept) {
    memcpy(kept, stream->bytes, stream->count);
    w->parts[index] =
        (ts_scene_part){.name = name, .what = what, .bytes = kept, .byte_count = stream->count};
  }
  free(stream->bytes);
  return kept ? TS_OK : ts_fail(TS_E_MEMORY, "out of memory");
}

/// A number that any reader of JSON takes for the same double: a zero keeps its sign as a real.
static void put_number(FILE *file, double value) {
  char text[TS_NUMBER_BYTES];
  bool is_minus_zero = value == 0 && signbit(value);
  fputs(is_minus_zero ? "-0.0" : ts_number_format(text, value), file);
}

static void put_numbers(FILE *file, const double *values, size_t count) {
  fputc('[', file);
  for (size_t i = 0; i < count; i++) {
    fputs(i ? ", " : "", file);
    put_number(file, values[i]);
  }
  fputc(']', file);
}

static void put_vec3(FILE *file, ts_vec3 v) {
  put_numbers(file, (double[]){v.x, v.y, v.z}, 3);
}

/// A text in quotes.
static ts_status put_text(FILE *file, const char *text) {
  json_t *json = json_string(text);
  if (!json)
    return ts_fail(TS_E_INPUT, "\"%.100s\" is not UTF-8 text", text);
  char *quoted = json_dumps(json, JSON_ENCODE_ANY);
  json_decref(json);
  if (!quoted)
    return ts_fail(TS_E_MEMORY, "out of memory");
  fputs(quoted, file);
  free(quoted);
  return TS_OK;
}

static ts_status put_member(FILE *file, const char *before, const char *key, const char *text) {
  fprintf(file, "%s\"%s\": ", before, key);
  return put_text(file, text);
}

/// A file name of letters, digits, _ and - made of a shape's name; no other shape has it.
static const char *file_stem(writer *w, size_t shape) {
  const char *stems = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  const char *name = w->scene->shapes[shape].name;
  bool is_plain = name[0] != '\0' && strspn(name, stems) == strlen(name);
  for (size_t i = 0; is_plain && i < w->scene->shape_count; i++)
    is_plain = i == shape || strcasecmp(w->scene->shapes[i].name, name) != 0;
  return is_plain ? name : ts_arena_format(w->arena, "shape_%zu", shape);
}

static ts_status add_mesh(writer *w, const char *name, const char *what, const ts_mesh *mesh) {
  part_stream stream;
  TS_TRY(open_part(&stream));
  ts_obj_write(stream.file, mesh);
  return close_part(&stream, w, w->part_count++, name, what);
}

static void put_index_rows(FILE *file, const uint32_t *corners, size_t count, const char *indent) {
  fputs("[", file);
  for (size_t i = 0; i < count; i++)
    fprintf(file, "%s\n%s[%u, %u, %u, %u]", i ? "," : "", indent, corners[4 * i],
            corners[4 * i + 1], corners[4 * i + 2], corners[4 * i + 3]);
  fputs("]", file);
}

static void put_state(FILE *file, const char *key, const ts_published_tets *tets,
                      const ts_published_mesh *state) {
  fprintf(file, "  \"%s\": {\n    \"nodes_at_scale_1_m\": [", key);
  for (uint32_t i = 0; i < tets->node_count; i++) {
    const float *p = state->nodes[i];
    fprintf(file, "%s\n      ", i ? "," : "");
    put_vec3(file, (ts_vec3){(double)p[0], (double)p[1], (double)p[2]});
  }
  fputs("],\n    \"tets\": ", file);
  put_index_rows(file, state->tets[0], tets->tet_count, "      ");
  fputs("}", file);
}

static ts_status add_tets(writer *w, const char *name, const ts_published_tets *tets) {
  part_stream stream;
  TS_TRY(open_part(&stream));
  fprintf(stream.file, "{\n  \"schema\": \"%s\",\n  \"version\": %d,\n", TS_SCENE_TETS_SCHEMA,
          TS_SCENE_TETS_VERSION);
  put_state(stream.file, "designed", tets, &tets->designed);
  fputs(",\n", stream.file);
  put_state(stream.file, "eroded", tets, &tets->eroded);
  fputs("\n}\n", stream.file);
  return close_part(&stream, w, w->part_count++, name, "published tetrahedra of a shape");
}

static ts_status put_pieces(writer *w, const ts_shape *shape, const char *stem) {
  fputs(",\n     \"pieces\": [", w->file);
  for (size_t i = 0; i < shape->piece_count; i++) {
    const char *name = ts_arena_format(w->arena, "%s.piece_%zu.obj", stem, i);
    if (!name)
      return TS_E_MEMORY;
    fprintf(w->file, "%s\"%s\"", i ? ", " : "", name);
    TS_TRY(add_mesh(w, name, "a convex piece of a shape", shape->pieces[i]));
  }
  fputc(']', w->file);
  if (shape->pieces_kind != TS_PIECES_APPROXIMATE)
    return TS_OK;
  fputs(",\n     \"pieces_error\": {\"volume_relative\": ", w->file);
  put_number(w->file, shape->pieces_error.volume_relative);
  fputs(", \"distance_m\": ", w->file);
  put_number(w->file, shape->pieces_error.distance_m);
  fputc('}', w->file);
  return TS_OK;
}

static void put_primitive(FILE *file, const ts_geometry *g) {
  fprintf(file, ", \"%s\": {", ts_geometry_words[g->kind]);
  if (g->kind == TS_GEOMETRY_BOX) {
    fputs("\"size\": ", file);
    put_vec3(file, ts_vec3_scale(g->half_size_m, 2));
    fputc('}', file);
    return;
  }
  fputs("\"radius\": ", file);
  put_number(file, g->radius_m);
  if (g->kind != TS_GEOMETRY_SPHERE) {
    fputs(", \"length\": ", file);
    put_number(file, 2 * g->half_length_m);
  }
  fputs(", \"mesh_error\": ", file);
  put_number(file, g->mesh_error_m);
  fputc('}', file);
}

/// A line is a row, in metres.
static ts_status add_heights(writer *w, const char *name, const ts_heightfield *field) {
  part_stream stream;
  char text[TS_NUMBER_BYTES];
  TS_TRY(open_part(&stream));
  for (size_t i = 0; i < field->row_count * field->column_count; i++) {
    fputs(ts_number_format(text, field->heights_m[i]), stream.file);
    fputc((i + 1) % field->column_count == 0 ? '\n' : ',', stream.file);
  }
  return close_part(&stream, w, w->part_count++, name, "the heights of a shape");
}

/// With the lengths that were chosen, so that it is the same whatever bodies are there.
static ts_status put_ground(writer *w, const ts_shape *shape, const char *stem) {
  const ts_geometry *g = &shape->geometry;
  fprintf(w->file, ", \"%s\": {", ts_geometry_words[g->kind]);
  if (g->kind == TS_GEOMETRY_PLANE) {
    fputs("\"extent\": ", w->file);
    put_number(w->file, shape->ground.extent_m);
  } else {
    bool is_field = g->kind == TS_GEOMETRY_HEIGHTFIELD;
    const char *name = ts_arena_format(w->arena, is_field ? "%s.csv" : "%s.obj", stem);
    if (!name)
      return TS_E_MEMORY;
    fprintf(w->file, "\"file\": \"%s\"", name);
    const ts_mesh surface = {.vertex_count = g->surface->vertex_count,
                             .vertices = g->surface->vertices,
                             .triangle_count = g->surface->triangle_count,
                             .triangles = g->surface->triangles};
    TS_TRY(is_field ? add_heights(w, name, g->heightfield)
                    : add_mesh(w, name, "the surface of a shape", &surface));
    if (is_field) {
      fputs(", \"spacing\": ", w->file);
      put_numbers(w->file, (double[]){g->heightfield->spacing_x_m, g->heightfield->spacing_z_m}, 2);
    }
  }
  if (shape->ground.sheet.thickness_m > 0) {
    fputs(", \"thickness\": ", w->file);
    put_number(w->file, shape->ground.sheet.thickness_m);
  }
  fputc('}', w->file);
  return TS_OK;
}

static ts_status put_shape(writer *w, size_t index) {
  const ts_shape *shape = &w->scene->shapes[index];
  const char *stem = file_stem(w, index);
  const char *mesh = stem ? ts_arena_format(w->arena, "%s.obj", stem) : NULL;
  const char *tets = stem ? ts_arena_format(w->arena, "%s.tets.json", stem) : NULL;
  if (!mesh || !tets)
    return TS_E_MEMORY;
  TS_TRY(put_member(w->file, "\n    {", "name", shape->name));
  if (ts_geometry_is_primitive(shape->geometry.kind)) {
    put_primitive(w->file, &shape->geometry);
    fputc('}', w->file);
    return TS_OK;
  }
  if (ts_geometry_is_ground(shape->geometry.kind)) {
    TS_TRY(put_ground(w, shape, stem));
    fputc('}', w->file);
    return TS_OK;
  }
  fprintf(w->file, ", \"mesh\": \"%s\"", mesh);
  TS_TRY(add_mesh(w, mesh, "the mesh of a shape", shape->mesh));
  if (shape->is_conical)
    fputs(", \"is_conical\": true", w->file);
  if (shape->mesh->tet_count > 0) {
    fputs(",\n     \"tets\": ", w->file);
    put_index_rows(w->file, shape->mesh->tets[0], shape->mesh->tet_count, "       ");
  }
  if (shape->piece_count > 0)
    TS_TRY(put_pieces(w, shape, stem));
  if (w->scene->tets == TS_TETS_PUBLISHED) {
    fprintf(w->file, ",\n     \"published_tets\": \"%s\"", tets);
    TS_TRY(add_tets(w, tets, w->scene->published_tets[index]));
  }
  fputc('}', w->file);
  return TS_OK;
}

static bool is_at_rest(ts_twist twist) {
  const double zero[6] = {0};
  return memcmp(&twist, zero, sizeof zero) == 0;
}

static ts_status put_body(writer *w, size_t index) {
  const ts_body *body = &w->scene->bodies[index];
  FILE *file = w->file;
  TS_TRY(put_member(file, "\n    {", "name", body->name));
  TS_TRY(put_member(file, ", ", "shape", w->scene->shapes[body->shape].name));
  fprintf(file, ", \"is_fixed\": %s, \"density_kg_m3\": ", body->is_fixed ? "true" : "false");
  put_number(file, body->density_kg_m3);
  ts_quat q = body->pose.rotation;
  fputs(",\n     \"pose\": {\"rotation_wxyz\": ", file);
  put_numbers(file, (double[]){q.w, q.x, q.y, q.z}, 4);
  fputs(",\n              \"translation_m\": ", file);
  put_vec3(file, body->pose.translation);
  fputc('}', file);
  if (!is_at_rest(body->twist)) {
    fputs(",\n     \"twist\": {\"linear_m_s\": ", file);
    put_vec3(file, body->twist.linear_m_s);
    fputs(", \"angular_rad_s\": ", file);
    put_vec3(file, body->twist.angular_rad_s);
    fputc('}', file);
  }
  if (body->elastic) {
    fputs(",\n     \"elastic\": ", file);
    ts_scene_file_put_elastic(file, body->elastic);
  }
  if (w->scene->published_masses) {
    const ts_principal_mass *mass = &w->scene->published_masses[index];
    fputs(",\n     \"published_mass_at_scale_1\": {\"mass_kg\": ", file);
    put_number(file, mass->mass_kg);
    fputs(", \"inertia_kg_m2\": ", file);
    put_numbers(file, mass->inertia_kg_m2, 3);
    fputc('}', file);
  }
  fputc('}', file);
  return TS_OK;
}

static ts_status put_force(writer *w, size_t index) {
  const ts_force *force = &w->scene->forces[index];
  TS_TRY(put_member(w->file, "\n    {", "body", w->scene->bodies[force->body].name));
  fputs(", \"point_local_m\": ", w->file);
  put_vec3(w->file, force->point_local);
  fputs(",\n     \"force_n\": ", w->file);
  put_vec3(w->file, force->force_n);
  fputc('}', w->file);
  return TS_OK;
}

static ts_status put_excluded(writer *w, size_t index) {
  const ts_body_pair *pair = &w->scene->excluded[index];
  fputs("\n    [", w->file);
  TS_TRY(put_text(w->file, w->scene->bodies[pair->body_a].name));
  fputs(", ", w->file);
  TS_TRY(put_text(w->file, w->scene->bodies[pair->body_b].name));
  fputc(']', w->file);
  return TS_OK;
}

static void put_normals(FILE *file, const char *key, const ts_feasible_set *set) {
  fprintf(file, "\"%s\": [", key);
  for (size_t i = 0; i < set->count; i++) {
    fprintf(file, "%s\n        {\"normal\": ", i ? "," : "");
    put_vec3(file, set->normals[i].normal);
    fputs(", \"gap_m\": ", file);
    put_number(file, set->normals[i].gap_m);
    if (ts_vec3_norm2(set->normals[i].gap_slope) > 0) {
      fputs(",\n         \"gap_slope\": ", file);
      put_vec3(file, set->normals[i].gap_slope);
      fputs(", \"gap_at_m\": ", file);
      put_vec3(file, set->normals[i].gap_at);
    }
    fputc('}', file);
  }
  fputc(']', file);
}

static bool same_set(const ts_feasible_set *a, const ts_feasible_set *b) {
  return a->count == b->count && memcmp(a->normals, b->normals, a->count * sizeof *a->normals) == 0;
}

static void put_points(FILE *file, const ts_vec3 *points, size_t count) {
  for (size_t i = 0; i < count; i++) {
    fputs(i ? ",\n                    " : "", file);
    put_vec3(file, points[i]);
  }
}

/// "bodies": their names.
static ts_status put_pair(writer *w, int32_t body_a, int32_t body_b) {
  fputs("\n    {\"bodies\": [", w->file);
  TS_TRY(put_text(w->file, w->scene->bodies[body_a].name));
  fputs(", ", w->file);
  TS_TRY(put_text(w->file, w->scene->bodies[body_b].name));
  fputs("], ", w->file);
  return TS_OK;
}

static void put_optional_corners(FILE *file, const ts_region *region) {
  const char *before = ",\n     \"optional_corners\": [";
  for (size_t i = 0; region->is_optional && i < region->vertex_count; i++)
    if (region->is_optional[i]) {
      fprintf(file, "%s%zu", before, i);
      before = ", ";
    }
  fputs(before[1] == ' ' ? "]" : "", file);
}

static ts_status put_region(writer *w, size_t index) {
  static const char *const kinds[] = {"point", "segment", "polygon"};
  const ts_region *region = &w->scene->regions[index];
  const ts_feasible_set *sets = region->feasible;
  FILE *file = w->file;
  TS_TRY(put_pair(w, region->body_a, region->body_b));
  fprintf(file, "\"kind\": \"%s\", \"needs\": \"%s\",\n     \"vertices_m\": [", kinds[region->kind],
          region->needs_all ? "all" : "any");
  put_points(file, region->vertices, region->vertex_count);
  for (size_t i = 0; i < region->piece_count; i++) {
    fputs(i ? "],\n                  [" : "],\n     \"pieces_m\": [[", file);
    put_points(file, region->pieces[i].vertices, region->pieces[i].count);
  }
  fputs(region->piece_count > 0 ? "]" : "", file);
  fputs("],\n     \"normals\": {\n       ", file);
  put_normals(file, "design", &sets[TS_REFERENCE_DESIGN]);
  if (!same_set(&sets[TS_REFERENCE_DESIGN], &sets[TS_REFERENCE_PUBLISHED])) {
    fputs(",\n       ", file);
    put_normals(file, "published", &sets[TS_REFERENCE_PUBLISHED]);
  }
  if (!same_set(&sets[TS_REFERENCE_DESIGN], &sets[TS_REFERENCE_FEASIBLE])) {
    fputs(",\n       ", file);
    put_normals(file, "feasible", &sets[TS_REFERENCE_FEASIBLE]);
  }
  fputs("}", file);
  if (ts_vec3_norm2(region->way_out) > 0) {
    fputs(",\n     \"way_out_m\": ", file);
    put_vec3(file, region->way_out);
  }
  put_optional_corners(file, region);
  fputs(region->has_arcs ? ",\n     \"has_arcs\": true" : "", file);
  if (region->place_error_m > 0) {
    fputs(",\n     \"place_error_m\": ", file);
    put_number(file, region->place_error_m);
  }
  fputs("}", file);
  return TS_OK;
}

static ts_status put_unknown(writer *w, size_t index) {
  const ts_unknown_pair *pair = &w->scene->unknown[index];
  TS_TRY(put_pair(w, pair->body_a, pair->body_b));
  TS_TRY(put_member(w->file, "", "reason", pair->reason));
  fputc('}', w->file);
  return TS_OK;
}

/// A list of objects, [count], each written by `put`.
static ts_status put_list(writer *w, const char *key, size_t count,
                          ts_status (*put)(writer *w, size_t index)) {
  fprintf(w->file, ",\n  \"%s\": [", key);
  for (size_t i = 0; i < count; i++) {
    fputs(i ? "," : "", w->file);
    TS_TRY(put(w, i));
  }
  fputs("]", w->file);
  return TS_OK;
}

static ts_status put_truth(writer *w) {
  const ts_scene *scene = w->scene;
  if (scene->oracle) { // what it said is not written: it is asked again
    fputs(",\n  \"truth\": \"oracle\",\n  \"touch_relative\": ", w->file);
    put_number(w->file, scene->oracle->touch_relative);
    return TS_OK;
  }
  if (scene->truth_is_unknown) {
    fputs(",\n  \"truth\": \"untold\"", w->file);
    return TS_OK;
  }
  fprintf(w->file, ",\n  \"truth\": \"%s\"", scene->truth_is_moved ? "moved" : "told");
  if (scene->touch_relative != TS_POSITION_RELATIVE) {
    fputs(",\n  \"touch_relative\": ", w->file);
    put_number(w->file, scene->touch_relative);
  }
  TS_TRY(put_list(w, "regions", scene->region_count, put_region));
  return scene->unknown_count > 0 ? put_list(w, "unknown_pairs", scene->unknown_count, put_unknown)
                                  : TS_OK;
}

static ts_status put_scene(writer *w, const ts_scene_file *about) {
  const ts_scene *scene = w->scene;
  FILE *file = w->file;
  fprintf(file, "{\n  \"schema\": \"%s\",\n  \"version\": %d,\n", TS_SCENE_FILE_SCHEMA,
          TS_SCENE_FILE_VERSION);
  TS_TRY(put_member(file, "  ", "name", about->name));
  if (about->summary && about->summary[0])
    TS_TRY(put_member(file, ",\n  ", "summary", about->summary));
  if (about->source && about->source[0])
    TS_TRY(put_member(file, ",\n  ", "source", about->source));
  if (about->case_parameters && about->case_parameters[0])
    TS_TRY(put_member(file, ",\n  ", "case_parameters", about->case_parameters));
  fputs(",\n  \"units\": {\"length\": \"m\", \"mass\": \"kg\", \"time\": \"s\", \"angle\": "
        "\"rad\"},\n  \"scale\": ",
        file);
  put_number(file, scene->scale);
  fputs(",\n  \"up\": ", file);
  put_vec3(file, scene->up);
  if (scene->refinement > 0)
    fprintf(file, ",\n  \"refinement\": %d", scene->refinement);
  if (scene->later_body_first)
    fputs(",\n  \"later_body_first\": true", file);
  TS_TRY(put_list(w, "shapes", scene->shape_count, put_shape));
  TS_TRY(put_list(w, "bodies", scene->body_count, put_body));
  if (scene->force_count > 0)
    TS_TRY(put_list(w, "forces", scene->force_count, put_force));
  if (scene->excluded_count > 0)
    TS_TRY(put_list(w, "excluded_pairs", scene->excluded_count, put_excluded));
  TS_TRY(put_truth(w));
  fputs("\n}\n", file);
  return TS_OK;
}

ts_status ts_scene_file_write(ts_scene_part **out, size_t *out_count, ts_arena *arena,
                              const ts_scene *scene, const ts_scene_file *about) {
  size_t max_count = 1;
  for (size_t i = 0; i < scene->shape_count; i++)
    max_count += 2 + scene->shapes[i].piece_count;
  writer w = {.arena = arena,
              .scene = scene,
              .parts = ts_arena_array(arena, max_count, sizeof *w.parts),
              .part_count = 1};
  if (!w.parts)
    return TS_E_MEMORY;
  part_stream stream;
  TS_TRY(open_part(&stream));
  w.file = stream.file;
  ts_status status = put_scene(&w, about);
  ts_status closed = close_part(&stream, &w, 0, "scene.json", "the bodies and the truth");
  *out = w.parts;
  *out_count = w.part_count;
  return status != TS_OK ? status : closed;
}
