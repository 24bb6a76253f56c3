// SPDX-License-Identifier: MIT
/// What a plug-in says of its methods, held against the interface.
#ifndef TS_METHODS_PLUGIN_CHECK_H
#define TS_METHODS_PLUGIN_CHECK_H

#include "base/arena.h"
#include "methods/method.h"

/// Copies a method of a plug-in into one of this version, `index` its place in the list (from 0):
/// members that an older header of the same version lacks read as NULL. TS_E_INPUT when it cannot
/// be used; the detail line says what is wrong with which method and what to do, without the file.
ts_status ts_plugin_check_method(ts_method *out, ts_arena *arena, const ts_method *method,
                                 size_t index);

#endif
