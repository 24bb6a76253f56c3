// SPDX-License-Identifier: MIT
#include "harness/plan/catalog.h"

#include "base/param.h"
#include "base/status.h"
#include "cases/scene_file/scene_file.h"
#include "harness/controls/controls.h"
#include "harness/plan/names.h"
#include "methods/modifiers/modifier_chain.h"
#include "methods/modifiers/modifier_registry.h"
#include "methods/registry.h"

#include <stdio.h>
#include <string.h>

/// Refuses a method name that is already taken by something else.
static ts_status check_name(const ts_plugin *plugin, const char *name, const ts_catalog *catalog) {
  static const char *const owners[] = {"scoring", "simulation"};
  const char *what = NULL, *where = "";
  for (size_t i = 0; i < sizeof owners / sizeof *owners; i++)
    if (strcmp(owners[i], name) == 0)
      what = "a group of parameters";
  for (size_t i = 0; i < catalog->case_count; i++)
    if (strcmp(catalog->cases[i]->name, name) == 0)
      what = "a case";
  for (size_t i = 0; ts_controls[i]; i++)
    if (strcmp(ts_controls[i]->name, name) == 0)
      what = "a control";
  if (ts_method_find(name))
    what = "a built-in method";
  const ts_engine *engine = ts_engine_find(name);
  // Without --engines, an engine's own shared object may be loaded as a plug-in.
  if (engine && catalog->has_engines)
    what = "a packaged engine";
  for (const ts_plugin *other = catalog->plugins; other < plugin; other++)
    for (size_t i = 0; i < other->method_count; i++)
      if (strcmp(other->methods[i]->name, name) == 0) {
        what = "a method of ";
        where = other->path;
      }
  return what ? ts_fail(TS_E_INPUT,
                        "plug-in %.300s: the name of its method %s is taken by %s%.300s; rename it",
                        plugin->path, name, what, where)
              : TS_OK;
}

/// Refuses parameters with the name of a common case parameter: setting one would set both.
static ts_status check_params(const ts_plugin *plugin, const ts_method *method) {
  for (size_t i = 0; i < method->param_count; i++)
    if (ts_param_find(ts_common_params, TS_COMMON_COUNT, method->params[i].name) >= 0)
      return ts_fail(TS_E_INPUT,
                     "plug-in %.300s: parameter %s of method %s has the name of a parameter that "
                     "every case has; rename it",
                     plugin->path, method->params[i].name, method->name);
  return TS_OK;
}

/// Refuses a modifier with the name of another, or of the chain without any.
static ts_status check_modifier(const ts_plugin *plugin, const char *name,
                                const ts_catalog *catalog) {
  const char *what = ts_modifier_find(name)                 ? "a built-in modifier"
                     : strcmp(name, TS_MODIFIERS_NONE) == 0 ? "the word for no modifier"
                                                            : NULL;
  const char *where = "";
  for (const ts_plugin *other = catalog->plugins; other < plugin; other++)
    for (size_t i = 0; i < other->modifier_count; i++)
      if (strcmp(other->modifiers[i]->name, name) == 0) {
        what = "a modifier of ";
        where = other->path;
      }
  return what ? ts_fail(
                    TS_E_INPUT,
                    "plug-in %.300s: the name of its modifier %s is taken by %s%.300s; rename it",
                    plugin->path, name, what, where)
              : TS_OK;
}

static ts_status load_engines(ts_catalog *catalog, ts_arena *arena) {
  for (size_t i = 0; ts_engines[i].name; i++) {
    ts_status status =
        ts_engine_load(&catalog->plugins[catalog->plugin_count], arena, &ts_engines[i]);
    if (status == TS_OK) {
      catalog->plugin_count++;
    } else if (status != TS_E_UNSUPPORTED) {
      return status;
    } else {
      const char *why = ts_arena_string(arena, ts_status_detail());
      if (!why)
        return TS_E_MEMORY;
      catalog->missing[catalog->missing_count++] = (ts_missing_engine){&ts_engines[i], why};
    }
  }
  return TS_OK;
}

static ts_status load_plugins(ts_catalog *catalog, ts_arena *arena,
                              const ts_catalog_request *request) {
  size_t engine_count = 0;
  while (request->with_engines && ts_engines[engine_count].name)
    engine_count++;
  size_t capacity = engine_count + request->plugin_count;
  catalog->has_engines = request->with_engines;
  catalog->plugins = ts_arena_array(arena, capacity, sizeof *catalog->plugins);
  catalog->missing = ts_arena_array(arena, engine_count, sizeof *catalog->missing);
  if (!catalog->plugins || !catalog->missing)
    return TS_E_MEMORY;
  if (request->with_engines)
    TS_TRY(load_engines(catalog, arena));
  for (size_t i = 0; i < request->plugin_count; i++) {
    ts_plugin *plugin = &catalog->plugins[catalog->plugin_count];
    TS_TRY(ts_plugin_load(plugin, arena, request->plugins[i]));
    for (size_t k = 0; k < plugin->method_count; k++) {
      TS_TRY(check_name(plugin, plugin->methods[k]->name, catalog));
      TS_TRY(check_params(plugin, plugin->methods[k]));
    }
    for (size_t k = 0; k < plugin->modifier_count; k++)
      TS_TRY(check_modifier(plugin, plugin->modifiers[k]->name, catalog));
    catalog->plugin_count++;
  }
  return TS_OK;
}

static const ts_case *find_case(const ts_catalog *catalog, const char *name) {
  for (size_t i = 0; i < catalog->case_count; i++)
    if (strcmp(catalog->cases[i]->name, name) == 0)
      return catalog->cases[i];
  return NULL;
}

static ts_status add_scene(ts_catalog *catalog, ts_arena *arena, const char *path) {
  ts_scene_file *file = ts_arena_alloc(arena, sizeof *file);
  if (!file)
    return TS_E_MEMORY;
  TS_TRY(ts_scene_file_open(file, arena, path));
  const ts_case *other = find_case(catalog, file->name);
  if (other)
    return ts_fail(TS_E_INPUT, "%.300s and %.300s are both named %s; rename one",
                   other->origin.path, path, file->name);
  TS_TRY(ts_scene_file_case(&catalog->cases[catalog->case_count], arena, file));
  catalog->case_count++;
  return TS_OK;
}

static ts_status list_cases(ts_catalog *catalog, ts_arena *arena,
                            const ts_catalog_request *request) {
  size_t capacity = request->scene_count;
  for (size_t i = 0; ts_cases[i]; i++)
    capacity++;
  catalog->cases = ts_arena_array(arena, capacity, sizeof *catalog->cases);
  if (!catalog->cases)
    return TS_E_MEMORY;
  for (size_t i = 0; i < request->scene_count; i++)
    TS_TRY(add_scene(catalog, arena, request->scenes[i]));
  for (size_t i = 0; ts_cases[i]; i++)
    if (!find_case(catalog, ts_cases[i]->name))
      catalog->cases[catalog->case_count++] = ts_cases[i];
  return TS_OK;
}

static ts_status list_methods(ts_catalog *catalog, ts_arena *arena, bool with_controls) {
  size_t capacity = 0;
  for (size_t i = 0; ts_methods[i]; i++)
    capacity++;
  for (size_t i = 0; i < catalog->plugin_count; i++)
    capacity += catalog->plugins[i].method_count;
  for (size_t i = 0; ts_controls[i]; i++)
    capacity++;
  catalog->methods = ts_arena_array(arena, capacity, sizeof *catalog->methods);
  if (!catalog->methods)
    return TS_E_MEMORY;
  const ts_method **next = catalog->methods;
  for (size_t i = 0; ts_methods[i]; i++)
    *next++ = ts_methods[i];
  for (size_t i = 0; i < catalog->plugin_count; i++)
    for (size_t k = 0; k < catalog->plugins[i].method_count; k++)
      *next++ = catalog->plugins[i].methods[k];
  for (size_t i = 0; with_controls && ts_controls[i]; i++)
    *next++ = ts_controls[i];
  catalog->method_count = (size_t)(next - catalog->methods);
  return TS_OK;
}

static ts_status list_modifiers(ts_catalog *catalog, ts_arena *arena) {
  size_t capacity = 0;
  for (size_t i = 0; ts_modifiers[i]; i++)
    capacity++;
  for (size_t i = 0; i < catalog->plugin_count; i++)
    capacity += catalog->plugins[i].modifier_count;
  catalog->modifiers = ts_arena_array(arena, capacity, sizeof *catalog->modifiers);
  if (!catalog->modifiers)
    return TS_E_MEMORY;
  for (size_t i = 0; ts_modifiers[i]; i++)
    catalog->modifiers[catalog->modifier_count++] = ts_modifiers[i];
  for (size_t i = 0; i < catalog->plugin_count; i++)
    for (size_t k = 0; k < catalog->plugins[i].modifier_count; k++)
      catalog->modifiers[catalog->modifier_count++] = catalog->plugins[i].modifiers[k];
  return TS_OK;
}

ts_status ts_catalog_open(ts_catalog *out, ts_arena *arena, const ts_catalog_request *request) {
  *out = (ts_catalog){0};
  TS_TRY(list_cases(out, arena, request));
  TS_TRY(load_plugins(out, arena, request));
  TS_TRY(list_modifiers(out, arena));
  return list_methods(out, arena, request->with_controls);
}

ts_status ts_catalog_create(ts_catalog *out, ts_arena *arena, bool with_controls) {
  return ts_catalog_open(out, arena, &(ts_catalog_request){.with_controls = with_controls});
}

void ts_catalog_warn(const ts_catalog *catalog) {
  if (catalog->missing_count == 0)
    return;
  fputs("touchstone: these engines are not available here: ", stderr);
  for (size_t i = 0; i < catalog->missing_count; i++)
    fprintf(stderr, "%s%s", i ? ", " : "", catalog->missing[i].engine->name);
  fputs("; touchstone list methods --engines says why\n", stderr);
}

ts_status ts_catalog_lacks_engine(const ts_catalog *catalog, const ts_engine *engine) {
  for (size_t i = 0; i < catalog->missing_count; i++)
    if (catalog->missing[i].engine == engine)
      return ts_fail(TS_E_INPUT, "the engine %s is not available here: %s", engine->name,
                     catalog->missing[i].why);
  return ts_fail(TS_E_INPUT, "%s is a packaged engine; add --engines to have it", engine->name);
}

const ts_plugin *ts_catalog_plugin_of(const ts_catalog *catalog, const ts_method *method) {
  for (size_t i = 0; i < catalog->plugin_count; i++)
    for (size_t k = 0; k < catalog->plugins[i].method_count; k++)
      if (catalog->plugins[i].methods[k] == method)
        return &catalog->plugins[i];
  return NULL;
}

const ts_plugin *ts_catalog_plugin_of_modifier(const ts_catalog *catalog,
                                               const ts_modifier *modifier) {
  for (size_t i = 0; i < catalog->plugin_count; i++)
    for (size_t k = 0; k < catalog->plugins[i].modifier_count; k++)
      if (catalog->plugins[i].modifiers[k] == modifier)
        return &catalog->plugins[i];
  return NULL;
}

static const char *const *case_names(ts_arena *arena, const ts_catalog *catalog) {
  const char **names = ts_arena_array(arena, catalog->case_count, sizeof *names);
  for (size_t i = 0; names && i < catalog->case_count; i++)
    names[i] = catalog->cases[i]->name;
  return names;
}

const char *const *ts_catalog_method_names(ts_arena *arena, const ts_catalog *catalog) {
  const char **names = ts_arena_array(arena, catalog->method_count, sizeof *names);
  for (size_t i = 0; names && i < catalog->method_count; i++)
    names[i] = catalog->methods[i]->name;
  return names;
}

ts_status ts_catalog_case(const ts_case **out, ts_arena *arena, const ts_catalog *catalog,
                          const char *name) {
  *out = find_case(catalog, name);
  if (*out)
    return TS_OK;
  const char *const *names = case_names(arena, catalog);
  return names ? ts_names_unknown("case", name, names, catalog->case_count) : TS_E_MEMORY;
}

ts_status ts_catalog_method(const ts_method **out, ts_arena *arena, const ts_catalog *catalog,
                            const char *name) {
  for (size_t i = 0; i < catalog->method_count; i++)
    if (strcmp(catalog->methods[i]->name, name) == 0) {
      *out = catalog->methods[i];
      return TS_OK;
    }
  const ts_engine *engine = ts_engine_find(name);
  if (engine)
    return ts_catalog_lacks_engine(catalog, engine);
  const char *const *names = ts_catalog_method_names(arena, catalog);
  return names ? ts_names_unknown("method", name, names, catalog->method_count) : TS_E_MEMORY;
}

ts_status ts_catalog_modifier(const ts_modifier **out, ts_arena *arena, const ts_catalog *catalog,
                              const char *name) {
  const char **names = ts_arena_array(arena, catalog->modifier_count, sizeof *names);
  if (!names)
    return TS_E_MEMORY;
  for (size_t i = 0; i < catalog->modifier_count; i++) {
    names[i] = catalog->modifiers[i]->name;
    if (strcmp(names[i], name) == 0) {
      *out = catalog->modifiers[i];
      return TS_OK;
    }
  }
  return ts_names_unknown("modifier", name, names, catalog->modifier_count);
}
