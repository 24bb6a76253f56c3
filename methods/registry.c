// SPDX-License-Identifier: MIT
#include "methods/registry.h"

#include <string.h>

#define METHOD(name) extern const ts_method ts_method_##name;
#include "methods/methods.def"
#undef METHOD

const ts_method *const ts_methods[] = {
#define METHOD(name) &ts_method_##name,
#include "methods/methods.def"
#undef METHOD
    NULL,
};

const ts_method *ts_method_find(const char *name) {
  for (size_t i = 0; ts_methods[i]; i++)
    if (strcmp(ts_methods[i]->name, name) == 0)
      return ts_methods[i];
  return NULL;
}
