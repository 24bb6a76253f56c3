// SPDX-License-Identifier: MIT
#include "tests/methods/prox2018/prox_in_double.h"

#include "methods/prox2018/prox_kernels.h"
#include "methods/prox2018/prox_overlap.h"
#include "methods/prox2018/prox_points.h"
#include "methods/tet/tet_kernels.h"
#include "tests/methods/prox2018/prox_run.h"

_Static_assert(sizeof(ts_real) == sizeof(double), "compile this with TS_REAL=double");

#define EXPORTED __attribute__((visibility("default")))

#define IN_DOUBLE(name)                                                                            \
  static void name(ts_tet_contacts *out, const ts_tet_pair *pair, double size_m) {                 \
    (void)size_m;                                                                                  \
    prox_run(out, pair, ts_prox_##name);                                                           \
  }
IN_DOUBLE(closest_points)
IN_DOUBLE(intersection)
IN_DOUBLE(vertex_only)
IN_DOUBLE(consistent_vertex)
IN_DOUBLE(volume_sat)
IN_DOUBLE(surface_sat)
IN_DOUBLE(opposing)
IN_DOUBLE(growth)

EXPORTED ts_tet_kernel prox_in_double(int row) {
  static const ts_tet_kernel kernels[TS_TET_KERNELS] = {
      [TS_TET_CLOSEST_POINTS] = closest_points,
      [TS_TET_INTERSECTION] = intersection,
      [TS_TET_VERTEX_ONLY] = vertex_only,
      [TS_TET_CONSISTENT_VERTEX] = consistent_vertex,
      [TS_TET_VOLUME_SAT] = volume_sat,
      [TS_TET_SURFACE_SAT] = surface_sat,
      [TS_TET_OPPOSING] = opposing,
      [TS_TET_GROWTH] = growth,
  };
  return kernels[row];
}

EXPORTED bool prox_in_double_overlap(const ts_tet_pair *pair) {
  ts_prox_pair rounded = prox_pair_of(pair);
  return ts_prox_overlap(&rounded);
}

EXPORTED void prox_in_double_points(ts_tet_points *out, const ts_tet_pair *pair) {
  ts_prox_pair rounded = prox_pair_of(pair);
  ts_prox_pair_planes planes;
  ts_prox_points points;
  ts_prox_pair_planes_set(&planes, &rounded);
  ts_prox_points_find(&points, &rounded, &planes);
  out->count = points.count;
  for (size_t i = 0; i < points.count; i++)
    out->points[i] = (ts_vec3){points.points[i].x, points.points[i].y, points.points[i].z};
}
