/// Volume-SAT (Erleben 2018, section 6): of all axes that may separate two tets the one along which
/// they overlap least, faces before edge crosses; the intersection points are moved to the plane
/// through their average, square to it, with that overlap as depth.
///
/// profile=prox2018: the depth is the extent of the points along the axis, the plane is in its
/// middle, and the overlap along an axis is measured as ts_prox_least_overlap_axis tells.
#include "methods/tet_bodies.h"

#include "geometry/tolerances.h"
#include "methods/prox_tet.h"
#include "methods/tet_kernels.h"

static const ts_tet_axes all_axes = {{0xf, 0xf}, {0x3f, 0x3f}};

void ts_tet_volume_sat(ts_tet_contacts *out, const ts_tet_pair *pair, ts_profile profile,
                       double size_m) {
  const ts_vec3 *a = pair->corners[0], *b = pair->corners[1];
  ts_tet_points points;
  out->count = 0;
  if (profile == TS_PROFILE_PROX2018) {
    ts_prox_sat(out, pair, all_axes, size_m);
    return;
  }
  if (!ts_tet_tet_overlap(a, b, TS_TOUCH_RELATIVE * size_m))
    return;
  ts_tet_points_find(&points, pair, profile, size_m);
  if (!points.count)
    return;
  ts_tet_overlap least = ts_tet_tet_least_overlap(a, b);
  if (isfinite(least.overlap_m))
    ts_tet_points_report_average(out, &points, least.axis, -least.overlap_m, profile, size_m);
}

TS_TET_METHOD(volume_sat,
              "Intersection points of tetrahedra, normal along the axis of least overlap.",
              "Erleben 2018, section 6", .locality = TS_LOCALITY_LOCAL,
              .testing = TS_TESTING_VOLUME, .normals = TS_NORMALS_FEATURES,
              .instant = TS_INSTANT_DISCRETE, .exact = TS_SUPPORT_FULL,
              .continuous = TS_SUPPORT_FULL, .deformable = TS_SUPPORT_FULL,
              .topology = TS_SUPPORT_FULL, .limits = "volume meshes only")
