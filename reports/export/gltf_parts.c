// SPDX-License-Identifier: MIT
#include "reports/export/gltf_parts.h"

#include "base/base64.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Constants of the format.
enum {
  FLOATS = 5126,
  UNSIGNED_INTS = 5125,
  NO_TARGET = 0,
  ARRAY_BUFFER = 34962,
  ELEMENT_ARRAY_BUFFER = 34963
};

static void release(ts_gltf *g) {
  json_t *const parts[] = {g->views, g->accessors, g->materials, g->meshes,
                           g->nodes, g->roots,     g->samplers,  g->channels};
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
                   .roots = json_array(),
                   .samplers = json_array(),
                   .channels = json_array()};
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
  json_t *part = json_pack("{s:i,s:I,s:I}", "buffer", 0, "byteOffset", (json_int_t)start,
                           "byteLength", (json_int_t)(end - start));
  if (target != NO_TARGET)
    set(g, part, "target", json_integer(target));
  int64_t view = append(g, g->views, part);
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

/// Values in single precision, with their bounds, which must be those of what is in the buffer.
typedef struct float_array {
  ts_gltf *g;
  long start;
  double min[4], max[4];
} float_array;

static float_array open_floats(ts_gltf *g) {
  float_array out = {.g = g, .start = ftell(g->buffer)};
  for (int i = 0; i < 4; i++) {
    out.min[i] = INFINITY;
    out.max[i] = -INFINITY;
  }
  return out;
}

static void add_float(float_array *a, int component, double value) {
  float x = (float)value;
  a->min[component] = fmin(a->min[component], (double)x);
  a->max[component] = fmax(a->max[component], (double)x);
  put_word(a->g, ts_bits_of_float(x));
}

static int64_t close_floats(float_array *a, size_t count, int components, int target) {
  static const char *const types[] = {NULL, "SCALAR", NULL, "VEC3", "VEC4"};
  json_t *accessor = json_pack("{s:i,s:I,s:s}", "componentType", FLOATS, "count", (json_int_t)count,
                               "type", types[components]);
  set(a->g, accessor, "min", reals(a->min, (size_t)components));
  set(a->g, accessor, "max", reals(a->max, (size_t)components));
  return add_accessor(a->g, a->start, target, accessor);
}

int64_t ts_gltf_add_points(ts_gltf *g, const ts_vec3 *points, size_t count) {
  float_array a = open_floats(g);
  for (size_t i = 0; i < count; i++) {
    add_float(&a, 0, points[i].x);
    add_float(&a, 1, points[i].y);
    add_float(&a, 2, points[i].z);
  }
  return close_floats(&a, count, 3, ARRAY_BUFFER);
}

int64_t ts_gltf_add_reals(ts_gltf *g, const double *values, size_t count, int components) {
  float_array a = open_floats(g);
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < components; k++)
      add_float(&a, k, values[i * (size_t)components + (size_t)k]);
  return close_floats(&a, count, components, NO_TARGET);
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

void ts_gltf_add_morphs(ts_gltf *g, const int64_t *displacements, size_t count) {
  json_t *mesh = json_array_get(g->meshes, json_array_size(g->meshes) - 1);
  json_t *primitive = json_array_get(json_object_get(mesh, "primitives"), 0);
  json_t *targets = json_array(), *weights = json_array();
  for (size_t i = 0; i < count; i++) {
    append(g, targets, json_pack("{s:I}", "POSITION", (json_int_t)displacements[i]));
    append(g, weights, json_real(0));
  }
  set(g, primitive, "targets", targets);
  set(g, mesh, "weights", weights);
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

void ts_gltf_body_colour(uint8_t rgb[3], size_t index) {
  // All have the same saturation and brightness, so that none is emphasised; the hue advances by
  // the golden ratio.
  double hue = (double)index * 0.61803398874989485;
  hue = 6 * (hue - floor(hue));
  for (int i = 0; i < 3; i++) {
    double away = fabs(fmod(hue + 6 - 2 * i, 6) - 3); // 0 farthest from this primary, 3 at it
    double share = away < 1 ? 0 : away > 2 ? 1 : away - 1;
    rgb[i] = (uint8_t)(150 + 80 * share);
  }
}

/// The rotation that takes y to the unit vector `n`.
static ts_quat rotation_to(ts_vec3 n) {
  ts_quat q = {1 + n.y, n.z, 0, -n.x};
  double norm = sqrt(q.w * q.w + q.x * q.x + q.z * q.z);
  if (!(norm > 1e-6))
    return (ts_quat){0, 1, 0, 0};
  return (ts_quat){q.w / norm, q.x / norm, 0, q.z / norm};
}

json_t *ts_gltf_arrow_node(ts_gltf *g, const char *name, int64_t mesh, ts_vec3 at, ts_vec3 along,
                           double size_m) {
  json_t *node = ts_gltf_node(g, name, mesh);
  double norm = sqrt(along.x * along.x + along.y * along.y + along.z * along.z);
  ts_quat turn = {1, 0, 0, 0};
  if (norm > 0)
    turn = rotation_to((ts_vec3){along.x / norm, along.y / norm, along.z / norm});
  ts_gltf_place(g, node, at, turn, size_m);
  return node;
}

void ts_gltf_animate(ts_gltf *g, int64_t node, const char *path, int64_t times, int64_t values,
                     bool jumps) {
  int64_t sampler =
      append(g, g->samplers,
             json_pack("{s:I,s:I,s:s}", "input", (json_int_t)times, "output", (json_int_t)values,
                       "interpolation", jumps ? "STEP" : "LINEAR"));
  append(g, g->channels,
         json_pack("{s:I,s:{s:I,s:s}}", "sampler", (json_int_t)sampler, "target", "node",
                   (json_int_t)node, "path", path));
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

/// The first member of the document, below, as it is written.
#define START "{\"asset\":{\"version\":\"2.0\",\"generator\":\"touchstone\"}"
_Static_assert(sizeof START - 1 <= TS_GLTF_START_BYTES, "the start of a file tells whose it is");

bool ts_gltf_is_ours(const char *bytes, size_t count) {
  return count >= sizeof START - 1 && memcmp(bytes, START, sizeof START - 1) == 0;
}

/// The whole document; takes ownership of the parts. NULL when out of memory.
static json_t *document_of(ts_gltf *g, const char *scene_name, const char *uri) {
  json_t *asset = json_pack("{s:s,s:s}", "version", "2.0", "generator", "touchstone");
  json_t *scene = json_pack("{s:s,s:O}", "name", scene_name, "nodes", g->roots);
  json_t *buffer = json_pack("{s:s,s:I}", "uri", uri, "byteLength", (json_int_t)g->byte_count);
  json_t *document =
      json_pack("{s:o,s:i,s:[o],s:O,s:O,s:O,s:O,s:O,s:[o]}", "asset", asset, "scene", 0, "scenes",
                scene, "nodes", g->nodes, "meshes", g->meshes, "materials", g->materials,
                "accessors", g->accessors, "bufferViews", g->views, "buffers", buffer);
  if (!document || json_array_size(g->channels) == 0)
    return document;
  json_t *animation = json_pack("{s:s,s:O,s:O}", "name", "motion", "samplers", g->samplers,
                                "channels", g->channels);
  if (json_object_set_new(document, "animations", json_pack("[o]", animation)) == 0)
    return document;
  json_decref(document);
  return NULL;
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
