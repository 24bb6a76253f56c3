// SPDX-License-Identifier: MIT
/// From two bodies filled with tetrahedra to pairs of tets, and from a kernel's contacts to the
/// host: what makes a method of a ts_tet_kernel.
///
/// The frame of the pairs is the local one of body a. Far from the world's origin only the
/// difference of the two poses matters, so that no digits are lost there.
#ifndef TS_METHODS_TET_BODIES_H
#define TS_METHODS_TET_BODIES_H

#include "methods/tet/tet_pair.h"

/// The parameters of a method on tets that has no others: the profile. Where there are others it
/// comes first.
enum { TS_TET_BODIES_PARAMS = 1 };
extern const ts_param ts_tet_bodies_params[TS_TET_BODIES_PARAMS];

/// Fits ts_method::prepare_shape. TS_E_INPUT for a mesh without tets. The mesh must stay until the
/// release.
ts_status ts_tet_bodies_prepare(void **out, const ts_host *host, const ts_mesh *mesh,
                                const double *values);

/// Fits ts_method::release_shape.
void ts_tet_bodies_release(void *shape);

/// The work of ts_method::generate: gives the kernel every pair of tets that each have a face on
/// the surface and whose boxes come within the envelope's reach, once, in an order that depends on
/// the two bodies only.
ts_status ts_tet_bodies_generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                                 const void *shape_b, ts_tet_kernel kernel, const double *values);

/// Defines ts_method_KEY, named "KEY", as the work of ts_tet_KEY on every pair of tets. The rest of
/// the arguments are the members of its ts_taxonomy.
#ifdef TS_SINGLE
#define TS_TET_METHOD(key, ...) // a kernel in single precision is no method of its own
#else
#define TS_TET_METHOD(key, what, from, ...)                                                        \
  static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,         \
                            const void *shape_b, void *pair_state, const double *values) {         \
    (void)pair_state;                                                                              \
    return ts_tet_bodies_generate(host, pair, shape_a, shape_b, ts_tet_##key, values);             \
  }                                                                                                \
  static const ts_taxonomy taxonomy = {__VA_ARGS__};                                               \
  const ts_method ts_method_##key = {                                                              \
      .abi = TS_METHOD_ABI,                                                                        \
      .struct_size = sizeof(ts_method),                                                            \
      .name = #key,                                                                                \
      .summary = what,                                                                             \
      .source = from,                                                                              \
      .needs = TS_NEEDS_CLOSED | TS_NEEDS_TETS,                                                    \
      .gives = TS_GIVES_GAP,                                                                       \
      .params = ts_tet_bodies_params,                                                              \
      .param_count = TS_TET_BODIES_PARAMS,                                                         \
      .prepare_shape = ts_tet_bodies_prepare,                                                      \
      .generate = generate,                                                                        \
      .release_shape = ts_tet_bodies_release,                                                      \
      .taxonomy = &taxonomy,                                                                       \
  };
#endif

#endif
