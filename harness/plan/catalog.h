// SPDX-License-Identifier: MIT
/// What there is to choose from: the cases and methods of one command.
#ifndef TS_HARNESS_CATALOG_H
#define TS_HARNESS_CATALOG_H

#include "base/arena.h"
#include "cases/case.h"
#include "methods/method.h"
#include "methods/plugins/engines.h"
#include "methods/plugins/plugin.h"

#include <stdbool.h>

/// What a command asks for besides what is built in.
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
  const char *why; ///< with the package to install
} ts_missing_engine;

typedef struct ts_catalog {
  size_t case_count;
  /// [case_count]: those of scene files, as asked for, then in the order of the tables. A scene
  /// takes the place of a built-in case of its name.
  const ts_case **cases;
  size_t method_count;
  /// [method_count]: built in, then those of `plugins`, then the controls.
  const ts_method **methods;
  size_t plugin_count;
  ts_plugin *plugins; ///< [plugin_count], loaded: the engines, then as asked for
  bool has_engines;   ///< whether they were asked for
  size_t missing_count;
  ts_missing_engine *missing; ///< [missing_count], of those asked for
} ts_catalog;

/// The cases and methods that are built in, with the controls when asked for. The arrays are the
/// arena's.
ts_status ts_catalog_create(ts_catalog *out, ts_arena *arena, bool with_controls);

/// The same with what is asked for besides. Engines that cannot be used are `missing`, no error.
/// TS_E_INPUT, naming the file: a plug-in that cannot be loaded, or has a method that goes by the
/// name of another, of a case, or of something else that parameters are set of.
ts_status ts_catalog_open(ts_catalog *out, ts_arena *arena, const ts_catalog_request *request);

/// Tells on standard error, in one line, which engines were asked for and are missing. Nothing when
/// none is.
void ts_catalog_warn(const ts_catalog *catalog);

/// The one of that name; TS_E_INPUT when there is none, with the names there are.
ts_status ts_catalog_case(const ts_case **out, ts_arena *arena, const ts_catalog *catalog,
                          const char *name);
ts_status ts_catalog_method(const ts_method **out, ts_arena *arena, const ts_catalog *catalog,
                            const char *name);

/// Fails with TS_E_INPUT because the catalog lacks this engine: it was not asked for, or what it
/// takes.
ts_status ts_catalog_lacks_engine(const ts_catalog *catalog, const ts_engine *engine);

/// The plug-in that a method of the catalog is of; NULL for what is built in.
const ts_plugin *ts_catalog_plugin_of(const ts_catalog *catalog, const ts_method *method);

/// The names of all methods, in order, in the arena; NULL when memory is out.
const char *const *ts_catalog_method_names(ts_arena *arena, const ts_catalog *catalog);

#endif
