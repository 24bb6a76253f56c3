// SPDX-License-Identifier: MIT
/// The list of built-in methods.
#ifndef TS_METHODS_REGISTRY_H
#define TS_METHODS_REGISTRY_H

#include "methods/method.h"

/// Every method, in the order of the tables; NULL-terminated.
extern const ts_method *const ts_methods[];

/// NULL if no method has that name.
const ts_method *ts_method_find(const char *name);

#endif
