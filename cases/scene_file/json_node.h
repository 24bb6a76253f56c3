// SPDX-License-Identifier: MIT
/// Reading JSON: a value knows its place in the file, so that every message about it names the
/// place, "scene.json: bodies[3].pose.rotation_wxyz: ...".
#ifndef TS_CASES_JSON_NODE_H
#define TS_CASES_JSON_NODE_H

#include "base/arena.h"

#include <jansson.h>
#include <stdbool.h>

/// A value and its place. Made on the stack, beside the one that contains it.
typedef struct ts_node {
  const struct ts_node *parent; ///< NULL for the whole file
  const json_t *value;          ///< NULL: missing
  const char *key;              ///< in the parent; of the whole file, its name
  size_t index;                 ///< in the parent, where key is NULL
} ts_node;

/// Parses a text of `count` bytes, a byte order mark before it or not; all numbers become reals.
/// TS_E_INPUT with file and line: what is not JSON, a key twice in an object, numbers that no
/// double holds, too many levels (2,048). `*out` is the caller's to json_decref().
ts_status ts_node_parse(json_t **out, const char *file, const char *text, size_t count);

/// A member of an object, or an item of an array; its value is NULL when there is none.
ts_node ts_node_member(const ts_node *object, const char *key);
ts_node ts_node_item(const ts_node *array, size_t index);

/// Fails with TS_E_INPUT: file, place, and what is wrong.
ts_status ts_node_fail(const ts_node *node, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// The same for a detail line that does not name the place yet.
ts_status ts_node_fail_detail(const ts_node *node, ts_status status);

/// Checks that the value is there and an object with none but these keys (NULL-terminated), or
/// "comment".
ts_status ts_node_check_object(const ts_node *node, const char *const *keys);

/// The value as the required type; TS_E_INPUT when it is missing or of another type.
ts_status ts_node_array(size_t *out_count, const ts_node *node);
ts_status ts_node_text(const char **out, ts_arena *arena, const ts_node *node);
ts_status ts_node_number(double *out, const ts_node *node);
ts_status ts_node_bool(bool *out, const ts_node *node);
/// A whole number from 0 to below `limit`.
ts_status ts_node_index(uint32_t *out, const ts_node *node, size_t limit);
/// An array of exactly `count` numbers.
ts_status ts_node_numbers(double *out, const ts_node *node, size_t count);
/// An array of three numbers.
ts_status ts_node_vec3(ts_vec3 *out, const ts_node *node);
/// An array of three numbers of length 1 (TS_UNIT_NORMAL), kept as they are; `what` begins the
/// message.
ts_status ts_node_direction(ts_vec3 *out, const ts_node *node, const char *what);
/// An array of `min_count` vectors or more, in the arena.
ts_status ts_node_vec3s(ts_vec3 **out, size_t *out_count, ts_arena *arena, const ts_node *node,
                        size_t min_count);

#endif
