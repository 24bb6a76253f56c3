// SPDX-License-Identifier: MIT
#include "methods/method_state.h"

#include "base/param.h"

bool ts_method_keeps_state(const ts_method *method, const double *values) {
  if (!method->keeps_state || !method->keeps_state_if)
    return method->keeps_state != 0;
  int index = ts_param_find(method->params, method->param_count, method->keeps_state_if);
  return index < 0 || values[index] != 0; // none of that name: refused by ts_plugin_check_method()
}
