#include "methods/registry.h"

#include <string.h>

extern const ts_method ts_method_closest_points;
extern const ts_method ts_method_intersection;

const ts_method *const ts_methods[] = {
    &ts_method_closest_points,
    &ts_method_intersection,
    NULL,
};

const ts_method *ts_method_find(const char *name) {
  for (size_t i = 0; ts_methods[i]; i++)
    if (strcmp(ts_methods[i]->name, name) == 0)
      return ts_methods[i];
  return NULL;
}
