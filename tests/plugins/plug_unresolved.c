// SPDX-License-Identifier: MIT
// A plug-in with an undefined symbol.
#include "methods/method.h"

const ts_method *const *plug_missing_function(void);

const ts_method *const *touchstone_methods(void) {
  return plug_missing_function();
}
