// SPDX-License-Identifier: MIT
#include "methods/modifiers/modifier_registry.h"

#include <string.h>

#define MODIFIER(name) extern const ts_modifier ts_modifier_##name;
#include "methods/modifiers/modifiers.def"
#undef MODIFIER

const ts_modifier *const ts_modifiers[] = {
#define MODIFIER(name) &ts_modifier_##name,
#include "methods/modifiers/modifiers.def"
#undef MODIFIER
    NULL,
};

const ts_modifier *ts_modifier_find(const char *name) {
  for (size_t i = 0; ts_modifiers[i]; i++)
    if (strcmp(ts_modifiers[i]->name, name) == 0)
      return ts_modifiers[i];
  return NULL;
}
