// SPDX-License-Identifier: MIT
/// The most opposing surfaces in PROX: the normal is that of a's face; a pair of faces is refused
/// only when both apexes are behind the other's face; the first of equals is taken.
#include "methods/prox2018/prox_kernels.h"
#include "methods/prox2018/prox_overlap.h"
#include "methods/prox2018/prox_points.h"

/// The zero vector when no two faces oppose each other.
static ts_real3 most_opposing(const ts_prox_pair *pair, const ts_prox_pair_planes *planes) {
  const ts_real3 *a = pair->corners[0], *b = pair->corners[1];
  const ts_prox_plane *pa = planes->of[0], *pb = planes->of[1];
  ts_real3 na[4], nb[4];
  for (int f = 0; f < 4; f++) {
    na[f] = ts_real3_unit(pa[f].normal);
    nb[f] = ts_real3_unit(pb[f].normal);
  }
  ts_real lowest = 0;
  ts_real3 best = {0, 0, 0};
  for (int f = 0; f < 4; f++)
    for (int g = 0; g < 4; g++) {
      if (!(pair->surface[0] >> f & pair->surface[1] >> g & 1))
        continue;
      ts_real cosine = ts_real3_dot(na[f], nb[g]);
      if (cosine < lowest &&
          (ts_prox_height(&pb[g], a[f]) >= 0 || ts_prox_height(&pa[f], b[g]) >= 0)) {
        lowest = cosine;
        best = na[f];
      }
    }
  return best;
}

void ts_prox_opposing(ts_prox_contacts *out, const ts_prox_pair *pair) {
  out->count = 0;
  if (!ts_prox_overlap(pair))
    return;
  ts_prox_pair_planes planes;
  ts_prox_pair_planes_set(&planes, pair);
  ts_real3 normal = most_opposing(pair, &planes);
  if (!(ts_real3_norm2(normal) > 0))
    return;
  ts_prox_points points;
  ts_prox_points_find(&points, pair, &planes);
  ts_prox_points_report(out, &points, normal);
}
