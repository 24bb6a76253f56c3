// SPDX-License-Identifier: MIT
/// Methods and modifiers in shared objects: loading them, and checking their descriptors.
#ifndef TS_METHODS_PLUGIN_H
#define TS_METHODS_PLUGIN_H

#include "base/arena.h"
#include "methods/modifiers/modifier.h"

typedef struct ts_plugin {
  const char *path; ///< as given by the user
  uint64_t hash;    ///< of the file's bytes, and of which libraries were loaded with it
  size_t method_count;
  const ts_method **methods; ///< [method_count], of this version of the interface
  size_t modifier_count;
  const ts_modifier **modifiers; ///< [modifier_count]
} ts_plugin;

/// Loads a shared object, which stays loaded until the program ends. Arrays and structs are in the
/// arena, texts in the plug-in.
///
/// Everything is tried in a child process first: loading, the entry symbol, every descriptor, the
/// envelope at the defaults, unloading. A crash, hang or exit there is TS_E_INPUT, as is every
/// other fault: no such file, not a shared object, neither methods nor modifiers, another version
/// of the interface, a method without a name, ... The detail line names the file and what to do.
/// Standard output is discarded meanwhile, and what constructors change in this process is restored
/// or refused: see methods/plugins/process_state.h. A plug-in that ends the process when it is
/// loaded again, after it was tried, ends the program, with a message.
ts_status ts_plugin_load(ts_plugin *out, ts_arena *arena, const char *path);

/// The envelope that a method wants at `params` [method->param_count], lengths not scaled. Called
/// in a child process: TS_E_INPUT when that does not return, else the status of the method.
ts_status ts_plugin_envelope(ts_envelope *out, const ts_method *method, const double *params);

#endif
