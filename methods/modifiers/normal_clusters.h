// SPDX-License-Identifier: MIT
/// Contacts grouped by their normals, as modifiers of manifolds do.
#ifndef TS_METHODS_NORMAL_CLUSTERS_H
#define TS_METHODS_NORMAL_CLUSTERS_H

#include "methods/method.h"

/// Puts each of the contacts [count] into the cluster of the first one before it that leads a
/// cluster and whose normal is within the angle, else lets it lead its own. Normals that are not
/// finite lead clusters of their own. `*out` [count] are numbers of clusters, in the order of their
/// leaders, in the host's scratch memory; `*out_count` is how many there are. TS_E_MEMORY.
ts_status ts_normal_clusters(uint32_t **out, size_t *out_count, const ts_host *host,
                             const ts_contact *contacts, size_t count, double angle_deg);

#endif
