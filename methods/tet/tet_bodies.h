// SPDX-License-Identifier: MIT
/// From two bodies filled with tetrahedra to pairs of tets, and from a kernel's contacts to the
/// host: what makes a method of its kernels.
///
/// The frame of the paper's pairs is the local one of body a. Far from the world's origin only the
/// difference of the two poses matters, so that no digits are lost there. Those of PROX are in the
/// world, as it places them (methods/prox2018/prox_placement.h).
#ifndef TS_METHODS_TET_BODIES_H
#define TS_METHODS_TET_BODIES_H

#include "methods/method.h"
#include "methods/tet/tet_kernels.h"

/// Which of its kernels a method runs.
typedef enum ts_profile { TS_PROFILE_PAPER, TS_PROFILE_PROX2018 } ts_profile;

/// The parameter of that choice, the same for every method that has it.
#define TS_PARAM_PROFILE                                                                           \
  {                                                                                                \
    .name = "profile",                                                                             \
    .summary = "paper: what the paper's text says; prox2018: what its author's simulator does.",   \
    .kind = TS_PARAM_CHOICE, .default_value = TS_PROFILE_PAPER, .choices = ts_profile_names        \
  }
extern const char *const ts_profile_names[];

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

/// The work of ts_method::generate: gives the kernel of the profile, which is values[0], every pair
/// of tets that each have a face on the surface and whose boxes come within the envelope's reach,
/// once, in an order that depends on the two bodies only.
ts_status ts_tet_bodies_generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                                 const void *shape_b, const ts_tet_kernels *kernels,
                                 const double *values);

/// Defines ts_method_KEY, named "KEY", as the work of ts_tet_kernels_of[row] on every pair of tets.
/// The rest of the arguments are the members of its ts_taxonomy.
#define TS_TET_METHOD(key, row, what, from, ...)                                                   \
  static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,         \
                            const void *shape_b, void *pair_state, const double *values) {         \
    (void)pair_state;                                                                              \
    return ts_tet_bodies_generate(host, pair, shape_a, shape_b, &ts_tet_kernels_of[row], values);  \
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
