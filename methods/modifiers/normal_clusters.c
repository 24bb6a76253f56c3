// SPDX-License-Identifier: MIT
#include "methods/modifiers/normal_clusters.h"

#include "geometry/vec3.h"

#include <math.h>

ts_status ts_normal_clusters(uint32_t **out, size_t *out_count, const ts_host *host,
                             const ts_contact *contacts, size_t count, double angle_deg) {
  uint32_t *cluster_of = host->scratch(host, count * sizeof *cluster_of);
  size_t *leaders = host->scratch(host, count * sizeof *leaders), clusters = 0;
  if (!cluster_of || !leaders)
    return TS_E_MEMORY;
  double cosine = cos(angle_deg * (3.14159265358979323846 / 180));
  for (size_t i = 0; i < count; i++) {
    size_t k = 0;
    while (k < clusters &&
           !(ts_vec3_dot(contacts[leaders[k]].normal, contacts[i].normal) >= cosine))
      k++;
    if (k == clusters)
      leaders[clusters++] = i;
    cluster_of[i] = (uint32_t)k;
  }
  *out = cluster_of;
  *out_count = clusters;
  return TS_OK;
}
