// SPDX-License-Identifier: MIT
/// Pairs and contacts in double precision for kernels of methods/prox2018/.
#ifndef TS_TESTS_METHODS_PROX_RUN_H
#define TS_TESTS_METHODS_PROX_RUN_H

#include "methods/prox2018/prox_pair.h"
#include "methods/tet/tet_pair.h"

ts_real3 prox_real3_of(ts_vec3 v);

/// With its normals.
ts_prox_pair prox_pair_of(const ts_tet_pair *pair);

void prox_run(ts_tet_contacts *out, const ts_tet_pair *pair, ts_prox_kernel kernel);

#endif
