// SPDX-License-Identifier: MIT
#include "cases/scene_file/json_node.h"

#include "base/status.h"
#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PLACE_BYTES 300

ts_status ts_node_parse(json_t **out, const char *file, const char *text, size_t count) {
  size_t mark = count >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  json_error_t error;
  *out = json_loadb(text + mark, count - mark, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL,
                    &error);
  if (*out)
    return TS_OK;
  if (json_error_code(&error) == json_error_out_of_memory)
    return ts_fail(TS_E_MEMORY, "out of memory");
  return ts_fail(TS_E_INPUT, "%.300s, line %d, column %d: %s", file, error.line, error.column,
                 error.text);
}

ts_node ts_node_member(const ts_node *object, const char *key) {
  return (ts_node){.parent = object, .value = json_object_get(object->value, key), .key = key};
}

ts_node ts_node_item(const ts_node *array, size_t index) {
  return (ts_node){.parent = array, .value = json_array_get(array->value, index), .index = index};
}

/// Writes "bodies[3].pose" and returns its length. The innermost part is the one that counts, but
/// places are short.
static size_t print_place(char *out, size_t size, const ts_node *node) {
  if (!node->parent)
    return 0;
  size_t used = print_place(out, size, node->parent);
  if (used >= size)
    return used;
  int added = node->key ? snprintf(out + used, size - used, "%s%.60s", used ? "." : "", node->key)
                        : snprintf(out + used, size - used, "[%zu]", node->index);
  return used + (size_t)(added > 0 ? added : 0);
}

static const char *file_of(const ts_node *node) {
  while (node->parent)
    node = node->parent;
  return node->key;
}

ts_status ts_node_fail(const ts_node *node, const char *format, ...) {
  char what[512], place[PLACE_BYTES] = "";
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  size_t length = print_place(place, sizeof place, node);
  return ts_fail(TS_E_INPUT, "%.200s: %s%s%s", file_of(node), place, length ? ": " : "", what);
}

ts_status ts_node_fail_detail(const ts_node *node, ts_status status) {
  if (status != TS_E_INPUT)
    return status;
  char detail[512];
  snprintf(detail, sizeof detail, "%s", ts_status_detail());
  return ts_node_fail(node, "%s", detail);
}

static const char *type_name(const json_t *value) {
  static const char *const names[] = {
      [JSON_OBJECT] = "an object", [JSON_ARRAY] = "a list",  [JSON_STRING] = "a text",
      [JSON_INTEGER] = "a number", [JSON_REAL] = "a number", [JSON_TRUE] = "true",
      [JSON_FALSE] = "false",      [JSON_NULL] = "null"};
  return names[json_typeof(value)];
}

static ts_status fail_type(const ts_node *node, const char *wanted) {
  if (!node->value)
    return ts_node_fail(node, "is missing; give %s", wanted);
  return ts_node_fail(node, "is %s; give %s", type_name(node->value), wanted);
}

ts_status ts_node_check_object(const ts_node *node, const char *const *keys) {
  if (!json_is_object(node->value))
    return fail_type(node, "an object { }");
  // The iterator changes nothing, but does not say so.
  json_t *object = (json_t *)(uintptr_t)node->value;
  for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at)) {
    const char *key = json_object_iter_key(at);
    bool is_known = strcmp(key, "comment") == 0;
    for (size_t i = 0; !is_known && keys[i]; i++)
      is_known = strcmp(keys[i], key) == 0;
    if (is_known)
      continue;
    char list[256] = "";
    for (size_t i = 0, used = 0; keys[i] && used < sizeof list; i++)
      used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", keys[i]);
    return ts_node_fail(node, "\"%.60s\" is not known here; there are %s, and comment", key, list);
  }
  return TS_OK;
}

ts_status ts_node_array(size_t *out_count, const ts_node *node) {
  if (!json_is_array(node->value))
    return fail_type(node, "a list [ ]");
  *out_count = json_array_size(node->value);
  return TS_OK;
}

ts_status ts_node_text(const char **out, ts_arena *arena, const ts_node *node) {
  if (!json_is_string(node->value))
    return fail_type(node, "a text");
  *out = ts_arena_string(arena, json_string_value(node->value));
  return *out ? TS_OK : TS_E_MEMORY;
}

ts_status ts_node_number(double *out, const ts_node *node) {
  if (!json_is_number(node->value))
    return fail_type(node, "a number");
  *out = json_number_value(node->value);
  return isfinite(*out) ? TS_OK : ts_node_fail(node, "must be finite");
}

ts_status ts_node_bool(bool *out, const ts_node *node) {
  if (!json_is_boolean(node->value))
    return fail_type(node, "true or false");
  *out = json_is_true(node->value);
  return TS_OK;
}

ts_status ts_node_index(uint32_t *out, const ts_node *node, size_t limit) {
  double value;
  TS_TRY(ts_node_number(&value, node));
  if (!(value >= 0 && value < (double)limit && value < UINT32_MAX && value == floor(value)))
    return ts_node_fail(node, "is %.17g; give a whole number, counted from 0, below %zu", value,
                        limit);
  *out = (uint32_t)value;
  return TS_OK;
}

ts_status ts_node_numbers(double *out, const ts_node *node, size_t count) {
  size_t given = 0;
  TS_TRY(ts_node_array(&given, node));
  if (given != count)
    return ts_node_fail(node, "has %zu numbers; give %zu", given, count);
  for (size_t i = 0; i < count; i++) {
    ts_node item = ts_node_item(node, i);
    TS_TRY(ts_node_number(&out[i], &item));
  }
  return TS_OK;
}

ts_status ts_node_vec3(ts_vec3 *out, const ts_node *node) {
  double xyz[3];
  TS_TRY(ts_node_numbers(xyz, node, 3));
  *out = (ts_vec3){xyz[0], xyz[1], xyz[2]};
  return TS_OK;
}

ts_status ts_node_vec3s(ts_vec3 **out, size_t *out_count, ts_arena *arena, const ts_node *node,
                        size_t min_count) {
  size_t count = 0;
  TS_TRY(ts_node_array(&count, node));
  if (count < min_count)
    return ts_node_fail(node, "has %zu points; give %zu or more", count, min_count);
  *out = ts_arena_array(arena, count, sizeof **out);
  if (!*out)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    ts_node item = ts_node_item(node, i);
    TS_TRY(ts_node_vec3(&(*out)[i], &item));
  }
  *out_count = count;
  return TS_OK;
}

ts_status ts_node_direction(ts_vec3 *out, const ts_node *node, const char *what) {
  TS_TRY(ts_node_vec3(out, node));
  double length = ts_vec3_norm(*out);
  if (fabs(length - 1) <= TS_UNIT_NORMAL)
    return TS_OK;
  return ts_node_fail(node, "%s has length %.9g; give it length 1, to within %g", what, length,
                      TS_UNIT_NORMAL);
}
