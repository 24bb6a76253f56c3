// SPDX-License-Identifier: MIT
/// The cases and methods that a command can choose from.
#ifndef TS_HARNESS_CATALOG_H
#define TS_HARNESS_CATALOG_H

#include "base/arena.h"
#include "cases/case.h"
#include "methods/method.h"
#include "methods/plugins/engines.h"
#include "methods/plugins/plugin.h"

#include <stdbool.h>

/// What a command needs in addition to the built-in cases and methods.
typedef struct ts_catalog_request {
  bool with_controls, with_engines;
  size_t plugin_count;
  const char *const *plugins; ///< [plugin_count], paths
  size_t scene_count;
  const char *const *scenes; ///< [scene_count], paths of scene files
} ts_catalog_request;

/// A packaged engine that cannot be used here.
typedef struct ts_missing_engine {
  const ts_engine *engine;
  const char *why; ///< names the package to install
} ts_missing_engine;

typedef struct ts_catalog {
  size_t case_count;
  /// [case_count]: those of scene files in the order requested, then the built-in ones in the order
  /// of the tables. A scene replaces a built-in case of the same name.
  const ts_case **cases;
  size_t method_count;
  /// [method_count]: the built-in ones, then those of `plugins`, then the controls.
  const ts_method **methods;
  size_t modifier_count;
  const ts_modifier **modifiers; ///< [modifier_count]: the built-in ones, then those of `plugins`
  size_t plugin_count;
  ts_plugin *plugins; ///< [plugin_count], loaded: the engines, then the others in the order
                      ///< requested
  bool has_engines;   ///< whether they were requested
  size_t missing_count;
  ts_missing_engine *missing; ///< [missing_count], of those requested
} ts_catalog;

/// The built-in cases and methods, with the controls if requested. The arena owns the arrays.
ts_status ts_catalog_create(ts_catalog *out, ts_arena *arena, bool with_controls);

/// The same with everything requested. Engines that cannot be used are listed in `missing`; this is
/// not an error. TS_E_INPUT, naming the file: a plug-in that cannot be loaded, or has a method
/// whose name is already taken by a method, a case or a group of parameters, or a modifier with the
/// name of another.
ts_status ts_catalog_open(ts_catalog *out, ts_arena *arena, const ts_catalog_request *request);

/// Lists the requested engines that are missing on standard error, in one line. Prints nothing when
/// none is missing.
void ts_catalog_warn(const ts_catalog *catalog);

/// Finds a case, method or modifier by name. TS_E_INPUT, with the valid names, when there is none.
ts_status ts_catalog_case(const ts_case **out, ts_arena *arena, const ts_catalog *catalog,
                          const char *name);
ts_status ts_catalog_method(const ts_method **out, ts_arena *arena, const ts_catalog *catalog,
                            const char *name);

/// Fails with TS_E_INPUT because the catalog lacks this engine: either it was not requested, or
/// something it depends on is missing. The message says which.
ts_status ts_catalog_lacks_engine(const ts_catalog *catalog, const ts_engine *engine);

ts_status ts_catalog_modifier(const ts_modifier **out, ts_arena *arena, const ts_catalog *catalog,
                              const char *name);

/// The plug-in that provides a method of the catalog; NULL for a built-in one.
const ts_plugin *ts_catalog_plugin_of(const ts_catalog *catalog, const ts_method *method);

/// The same for a modifier.
const ts_plugin *ts_catalog_plugin_of_modifier(const ts_catalog *catalog,
                                               const ts_modifier *modifier);

/// The names of all methods, in order, in the arena; NULL when out of memory.
const char *const *ts_catalog_method_names(ts_arena *arena, const ts_catalog *catalog);

#endif
