// SPDX-License-Identifier: MIT
/// The packaged engines: methods of physics engines as shipped by a distribution, each in a shared
/// object of its own that is loaded like a plug-in.
#ifndef TS_METHODS_ENGINES_H
#define TS_METHODS_ENGINES_H

#include "methods/plugins/plugin.h"

#include <stdbool.h>

typedef struct ts_engine {
  const char *name;    ///< of its single method, and of its shared object, without ".so"
  const char *package; ///< Debian package to build it with, which also installs its library
} ts_engine;

/// Every engine, in the order of the tables; the last one has no name.
extern const ts_engine ts_engines[];

/// NULL if no engine has that name.
const ts_engine *ts_engine_find(const char *name);

/// Loads one from `engines` next to the program, or from `../lib/touchstone/engines` if installed.
/// TS_E_UNSUPPORTED when it was not built, its library cannot be loaded, or it is not a single
/// method of that name: the detail line says which, with the package to install.
ts_status ts_engine_load(ts_plugin *out, ts_arena *arena, const ts_engine *engine);

#endif
