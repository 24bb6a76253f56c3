// SPDX-License-Identifier: MIT
// A plug-in that needs a function which nobody has.
#include "methods/method.h"

const ts_method *const *plug_function_that_nobody_has(void);

const ts_method *const *touchstone_methods(void) {
  return plug_function_that_nobody_has();
}
