// SPDX-License-Identifier: MIT
/// The packaged engines: methods of physics engines as a distribution ships them, each in a shared
/// object of its own that is loaded like a plug-in.
#ifndef TS_METHODS_ENGINES_H
#define TS_METHODS_ENGINES_H

#include "methods/plugins/plugin.h"

#include <stdbool.h>

typedef struct ts_engine {
  const char *name;    ///< of its one method, and of its shared object, without ".so"
  const char *package; ///< Debian package that it is built with, and that brings its library
} ts_engine;

/// Every engine, in the order of the tables; the last one has no name.
extern const ts_engine ts_engines[];

/// NULL when there is none of that name.
const ts_engine *ts_engine_find(const char *name);

/// Loads one from `engines` beside the program, or from `../lib/touchstone/engines` where it is
/// installed. TS_E_UNSUPPORTED when it was not built, its library cannot be loaded, or it is not
/// one method of that name: the detail line says which, with the package to install.
ts_status ts_engine_load(ts_plugin *out, ts_arena *arena, const ts_engine *engine);

#endif
