// SPDX-License-Identifier: MIT
/// The list of built-in modifiers.
#ifndef TS_METHODS_MODIFIER_REGISTRY_H
#define TS_METHODS_MODIFIER_REGISTRY_H

#include "methods/modifiers/modifier.h"

/// Every modifier, in the order of the tables; NULL-terminated.
extern const ts_modifier *const ts_modifiers[];

/// NULL if no modifier has that name.
const ts_modifier *ts_modifier_find(const char *name);

#endif
