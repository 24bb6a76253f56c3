// SPDX-License-Identifier: MIT
#include "methods/registry.h"

#include <string.h>

extern const ts_method ts_method_closest_points;
extern const ts_method ts_method_closest_points_tets;
extern const ts_method ts_method_intersection;
extern const ts_method ts_method_intersection_tets;
extern const ts_method ts_method_vertex_only;
extern const ts_method ts_method_consistent_vertex;
extern const ts_method ts_method_volume_sat;
extern const ts_method ts_method_surface_sat;
extern const ts_method ts_method_growth;
extern const ts_method ts_method_opposing;
extern const ts_method ts_method_ldi_volume;
extern const ts_method ts_method_semi_local;

const ts_method *const ts_methods[] = {
    // In the order of Table 8 of Erleben 2018.
    &ts_method_closest_points,
    &ts_method_closest_points_tets,
    &ts_method_intersection,
    &ts_method_intersection_tets,
    &ts_method_vertex_only,
    &ts_method_consistent_vertex,
    &ts_method_volume_sat,
    &ts_method_surface_sat,
    &ts_method_growth,
    &ts_method_opposing,
    // Those that are not in it.
    &ts_method_ldi_volume,
    &ts_method_semi_local,
    NULL,
};

const ts_method *ts_method_find(const char *name) {
  for (size_t i = 0; ts_methods[i]; i++)
    if (strcmp(ts_methods[i]->name, name) == 0)
      return ts_methods[i];
  return NULL;
}
