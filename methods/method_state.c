// SPDX-License-Identifier: MIT
#include "methods/method_state.h"

#include "base/param.h"

/// Whether the parameter `name` is not 0; NULL: so it is.
static bool is_set(const ts_method *method, const double *values, const char *name) {
  int index = name ? ts_param_find(method->params, method->param_count, name) : -1;
  return index < 0 || values[index] != 0; // none of that name: refused by ts_plugin_check_method()
}

bool ts_method_keeps_state(const ts_method *method, const double *values) {
  return method->keeps_state && is_set(method, values, method->keeps_state_if);
}

uint32_t ts_method_takes(const ts_method *method, const double *values) {
  return is_set(method, values, method->takes_if) ? method->takes : 0;
}
