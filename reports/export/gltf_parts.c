// SPDX-License-Identifier: MIT
#include "reports/export/gltf_parts.h"

#include "base/base64.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Constants of the format.
enum { FLOATS = 5126, UNSIGNED_INTS = 5125, ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };

static void release(ts_gltf *g) {
  json_t *const parts[] = {g->views, g->accessors, g->materials, g->meshes, g->nodes, g->roots};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    json_decref(parts[i]);
  free(g->bytes);
}

ts_status ts_gltf_start(ts_gltf *out) {
  *out = (ts_gltf){.views = json_array(),
                   .accessors = json_array(),
                   .materials = json_array(),
                   .meshes = json_array(),
                   .nodes = json_array(),
                   .roots = json_array()};
  out->buffer = open_memstream(&out->bytes, &out->byte_count);
  if (out->buffer)
    return TS_OK;
  release(out);
  return ts_fail(TS_E_MEMORY, "out of memory");
}

/// Appends to an array of the file; returns the index.
static int64_t append(ts_gltf *g, json_t *array, json_t *value) {
  g->is_out_of_memory |= json_array_append_new(array, value) != 0;
  return (int64_t)json_array_size(array) - 1;
}

static void set(ts_gltf *g, json_t *object, const char *key, json_t *value) {
  g->is_out_of_memory |= json_object_set_new(object, key, value) != 0;
}

static void put_word(ts_gltf *g, uint32_t word) {
  uint8_t bytes[4];
  ts_little_endian(bytes, word, sizeof bytes);
  fwrite(bytes, 1, sizeof bytes, g->buffer);
}

/// Adds a view of the buffer from `start` to its end, and an accessor for it.
static int64_t add_accessor(ts_gltf *g, long start, int target, json_t *accessor) {
  long end = ftell(g->buffer);
  int64_t view = append(g, g->views,
                        json_pack("{s:i,s:I,s:I,s:i}", "buffer", 0, "byteOffset", (json_int_t)start,
                                  "byteLength", (json_int_t)(end - start), "target", target));
  set(g, accessor, "bufferView", json_integer(view));
  return append(g, g->accessors, accessor);
}

static json_t *reals(const double *values, size_t count) {
  json_t *out = json_array();
  for (size_t i = 0; i < count; i++)
    if (json_array_append_new(out, json_real(values[i])) != 0) {
      json_decref(out);
      return NULL;
    }
  return out;
}

int64_t ts_gltf_add_points(ts_gltf *g, const ts_vec3 *points, size_t count) {
  long start = ftell(g->buffer);
  // The bounds must be those of the values in the buffer (single precision).
  double min[3] = {INFINITY, INFINITY, INFINITY}, max[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (size_t i = 0; i < count; i++) {
    const float p[3] = {(float)points[i].x, (float)points[i].y, (float)points[i].z};
    for (int k = 0; k < 3; k++) {
      min[k] = fmin(min[k], (double)p[k]);
      max[k] = fmax(max[k], (double)p[k]);
      put_word(g, ts_bits_of_float(p[k]));
    }
  }
  json_t *accessor = json_pack("{s:i,s:I,s:s}", "componentType", FLOATS, "count", (json_int_t)count,
                               "type", "VEC3");
  set(g, accessor, "min", reals(min, 3));
  set(g, accessor, "max", reals(max, 3));
  return add_accessor(g, start, ARRAY_BUFFER, accessor);
}

int64_t ts_gltf_add_indices(ts_gltf *g, const uint32_t *indices, size_t count) {
  long start = ftell(g->buffer);
  for (size_t i = 0; i < count; i++)
    put_word(g, indices[i]);
  return add_accessor(g, start, ELEMENT_ARRAY_BUFFER,
                      json_pack("{s:i,s:I,s:s}", "componentType", UNSIGNED_INTS, "count",
                                (json_int_t)count, "type", "SCALAR"));
}

/// Converts a colour component from sRGB to linear light, rounded to four digits so that every C
/// library gives the same text.
static double linear(uint8_t component) {
  double c = component / 255.0;
  c = c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
  return round(c * 1e4) / 1e4;
}

int64_t ts_gltf_add_material(ts_gltf *g, const char *name, const uint8_t rgb[3], double opacity) {
  const double colour[4] = {linear(rgb[0]), linear(rgb[1]), linear(rgb[2]), opacity};
  json_t *surface = json_pack("{s:f,s:f}", "metallicFactor", 0.0, "roughnessFactor", 0.8);
  set(g, surface, "baseColorFactor", reals(colour, 4));
  json_t *material = json_pack("{s:s,s:b}", "name", name, "doubleSided", 1);
  set(g, material, "pbrMetallicRoughness", surface);
  if (opacity < 1)
    set(g, material, "alphaMode", json_string("BLEND"));
  return append(g, g->materials, material);
}

int64_t ts_gltf_add_mesh(ts_gltf *g, const char *name, int mode, int64_t points, int64_t indices,
                         int64_t material) {
  json_t *primitive = json_pack("{s:{s:I},s:i,s:I}", "attributes", "POSITION", (json_int_t)points,
                                "mode", mode, "material", (json_int_t)material);
  if (indices >= 0)
    set(g, primitive, "indices", json_integer(indices));
  json_t *mesh = json_pack("{s:s,s:[o]}", "name", name, "primitives", primitive);
  return append(g, g->meshes, mesh);
}

/// Vertices per ring of the arrow.
#define SIDES 8

int64_t ts_gltf_add_arrow(ts_gltf *g, const char *name, int64_t material) {
  // Rings from the bottom: both ends of the shaft and the base of the cone; then the two poles.
  static const double ring[3][2] = {{0.025, 0}, {0.025, 0.7}, {0.08, 0.7}}; // radius, height
  static const double around[SIDES][2] = {
      {1, 0},  {0.70710678, 0.70710678},   {0, 1},  {-0.70710678, 0.70710678},
      {-1, 0}, {-0.70710678, -0.70710678}, {0, -1}, {0.70710678, -0.70710678}};
  enum { BOTTOM = 3 * SIDES, TIP, POINTS };
  ts_vec3 points[POINTS] = {[TIP] = {0, 1, 0}};
  for (int i = 0; i < BOTTOM; i++) {
    const double *r = ring[i / SIDES], *a = around[i % SIDES];
    points[i] = (ts_vec3){r[0] * a[0], r[1], r[0] * a[1]};
  }
  uint32_t corners[6 * SIDES][3];
  size_t count = 0;
  for (uint32_t i = 0; i < SIDES; i++) {
    uint32_t k = (i + 1) % SIDES;
    memcpy(corners[count++], (uint32_t[]){BOTTOM, i, k}, sizeof *corners);
    for (uint32_t low = 0; low <= SIDES; low += SIDES) {
      memcpy(corners[count++], (uint32_t[]){low + i, low + SIDES + i, low + k}, sizeof *corners);
      memcpy(corners[count++], (uint32_t[]){low + k, low + SIDES + i, low + SIDES + k},
             sizeof *corners);
    }
    memcpy(corners[count++], (uint32_t[]){2 * SIDES + i, TIP, 2 * SIDES + k}, sizeof *corners);
  }
  int64_t at = ts_gltf_add_points(g, points, POINTS);
  int64_t indices = ts_gltf_add_indices(g, &corners[0][0], 3 * count);
  return ts_gltf_add_mesh(g, name, TS_GLTF_TRIANGLES, at, indices, material);
}

int64_t ts_gltf_add_marker(ts_gltf *g, const char *name, int64_t material) {
  static const ts_vec3 points[6] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},
                                    {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  static const uint32_t corners[24] = {0, 1, 2, 1, 3, 2, 3, 4, 2, 4, 0, 2,
                                       1, 0, 5, 3, 1, 5, 4, 3, 5, 0, 4, 5};
  int64_t at = ts_gltf_add_points(g, points, 6);
  return ts_gltf_add_mesh(g, name, TS_GLTF_TRIANGLES, at, ts_gltf_add_indices(g, corners, 24),
                          material);
}

json_t *ts_gltf_node(ts_gltf *g, const char *name, int64_t mesh) {
  json_t *node = json_pack("{s:s}", "name", name);
  if (mesh >= 0)
    set(g, node, "mesh", json_integer(mesh));
  return node;
}

void ts_gltf_place(ts_gltf *g, json_t *node, ts_vec3 translation, ts_quat rotation, double scale) {
  set(g, node, "translation", reals((double[]){translation.x, translation.y, translation.z}, 3));
  set(g, node, "rotation", reals((double[]){rotation.x, rotation.y, rotation.z, rotation.w}, 4));
  if (scale != 1)
    set(g, node, "scale", reals((double[]){scale, scale, scale}, 3));
}

int64_t ts_gltf_add_node(ts_gltf *g, json_t *node) {
  return append(g, g->nodes, node);
}

void ts_gltf_adopt(ts_gltf *g, json_t *children, int64_t node) {
  append(g, children, json_integer(node));
}

void ts_gltf_add_group(ts_gltf *g, const char *name, json_t *children, json_t *siblings) {
  if (json_array_size(children) == 0) {
    json_decref(children);
    return;
  }
  json_t *node = json_pack("{s:s}", "name", name);
  set(g, node, "children", children);
  ts_gltf_adopt(g, siblings, ts_gltf_add_node(g, node));
}

static int write_text(const char *text, size_t count, void *file) {
  return fwrite(text, 1, count, file) == count ? 0 : -1;
}

/// The buffer as a data URI; NULL when out of memory.
static char *buffer_uri(const ts_gltf *g) {
  char *uri = NULL;
  size_t count = 0;
  FILE *file = open_memstream(&uri, &count);
  if (!file)
    return NULL;
  fputs("data:application/octet-stream;base64,", file);
  ts_base64 encoder = {.file = file};
  ts_base64_add(&encoder, g->bytes, g->byte_count);
  ts_base64_end(&encoder);
  bool is_whole = !ferror(file);
  if (fclose(file) != 0 || !is_whole) {
    free(uri);
    return NULL;
  }
  return uri;
}

/// The whole document; takes ownership of the parts. NULL when out of memory.
static json_t *document_of(ts_gltf *g, const char *scene_name, const char *uri) {
  json_t *asset = json_pack("{s:s,s:s}", "version", "2.0", "generator", "touchstone");
  json_t *scene = json_pack("{s:s,s:O}", "name", scene_name, "nodes", g->roots);
  json_t *buffer = json_pack("{s:s,s:I}", "uri", uri, "byteLength", (json_int_t)g->byte_count);
  return json_pack("{s:o,s:i,s:[o],s:O,s:O,s:O,s:O,s:O,s:[o]}", "asset", asset, "scene", 0,
                   "scenes", scene, "nodes", g->nodes, "meshes", g->meshes, "materials",
                   g->materials, "accessors", g->accessors, "bufferViews", g->views, "buffers",
                   buffer);
}

ts_status ts_gltf_end(FILE *file, ts_gltf *g, const char *scene_name) {
  bool is_whole = !ferror(g->buffer);
  is_whole = fclose(g->buffer) == 0 && is_whole && !g->is_out_of_memory;
  char *uri = is_whole ? buffer_uri(g) : NULL;
  json_t *document = uri ? document_of(g, scene_name, uri) : NULL;
  // Write errors stay in the stream; any other failure is out of memory.
  int error = document ? json_dump_callback(document, write_text, file,
                                            JSON_COMPACT | JSON_REAL_PRECISION(15))
                       : -1;
  if (error == 0)
    fputc('\n', file);
  free(uri);
  json_decref(document);
  release(g);
  return error == 0 || ferror(file) ? TS_OK : ts_fail(TS_E_MEMORY, "out of memory");
}
