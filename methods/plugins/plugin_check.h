// SPDX-License-Identifier: MIT
/// Checks the methods and modifiers of a plug-in against the interface.
#ifndef TS_METHODS_PLUGIN_CHECK_H
#define TS_METHODS_PLUGIN_CHECK_H

#include "base/arena.h"
#include "methods/modifiers/modifier.h"

/// Copies a method of a plug-in into one of this version; `index` is its index in the list. Members
/// that an older header of the same version lacks read as NULL. TS_E_INPUT when it cannot be used:
/// the detail line says what is wrong with which method and what to do, without the file.
ts_status ts_plugin_check_method(ts_method *out, ts_arena *arena, const ts_method *method,
                                 size_t index);

/// The same for a modifier.
ts_status ts_plugin_check_modifier(ts_modifier *out, ts_arena *arena, const ts_modifier *modifier,
                                   size_t index);

#endif
