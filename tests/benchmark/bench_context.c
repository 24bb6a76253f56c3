// SPDX-License-Identifier: MIT
#include "tests/benchmark/bench_context.h"

#include "base/status.h"
#include "reports/rows/context.h"

#include <stdbool.h>

static const char *text_of(ts_arena *arena, const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return ts_arena_string(arena, text && text[0] ? text : "unknown");
}

ts_status bench_context_read(bench_context *out, ts_arena *arena) {
  json_t *context = ts_context_create(0, NULL);
  if (!context)
    return ts_fail(TS_E_MEMORY, "out of memory");
  const json_t *build = json_object_get(context, "build");
  *out = (bench_context){
      .commit = text_of(arena, context, "commit"),
      .compiler = text_of(arena, build, "compiler"),
      .build_type = text_of(arena, build, "type"),
      .flags = text_of(arena, build, "flags"),
      .cpu = text_of(arena, json_object_get(context, "machine"), "cpu"),
  };
  json_decref(context);
  bool is_whole = out->commit && out->compiler && out->build_type && out->flags && out->cpu;
  return is_whole ? TS_OK : TS_E_MEMORY;
}
