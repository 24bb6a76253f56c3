// SPDX-License-Identifier: MIT
/// Reduces a manifold to a few points, as engines do before they solve.
#include "base/status.h"
#include "geometry/contact_reduce.h"
#include "methods/modifiers/modifier.h"
#include "methods/modifiers/normal_clusters.h"

enum { POINTS, PER, ANGLE, PARAM_COUNT };
enum { PER_PAIR, PER_NORMAL };

static const char *const per_words[] = {"pair", "normal", NULL};

static const ts_param params[PARAM_COUNT] = {
    [POINTS] = {.name = "points",
                .summary = "Most contacts that are kept.",
                .kind = TS_PARAM_INTEGER,
                .default_value = 4,
                .minimum = 1,
                .maximum = 64},
    [PER] = {.name = "per",
             .summary = "Of what so many are kept: of a pair, or of each normal.",
             .kind = TS_PARAM_CHOICE,
             .default_value = PER_PAIR,
             .choices = per_words},
    [ANGLE] = {.name = "angle_deg",
               .summary = "Angle up to which two normals are one, for per=normal.",
               .kind = TS_PARAM_REAL,
               .default_value = 5,
               .minimum = 0,
               .maximum = 180},
};

static ts_status push_some(const ts_host *host, const ts_pair *pair, const ts_contact *contacts,
                           size_t count, size_t points) {
  size_t chosen[64];
  size_t chosen_count = ts_contacts_reduce(chosen, contacts, count, points, pair->size_m);
  for (size_t i = 0; i < chosen_count; i++)
    TS_TRY(host->push(host, &contacts[chosen[i]], 1));
  return TS_OK;
}

static ts_status apply(const ts_host *host, const ts_pair *pair, const ts_contact *contacts,
                       size_t count, const double *values) {
  size_t points = (size_t)values[POINTS], clusters;
  uint32_t *cluster_of;
  if (values[PER] == PER_PAIR)
    return push_some(host, pair, contacts, count, points);
  ts_contact *some = host->scratch(host, count * sizeof *some);
  if (!some)
    return TS_E_MEMORY;
  TS_TRY(ts_normal_clusters(&cluster_of, &clusters, host, contacts, count, values[ANGLE]));
  for (size_t k = 0; k < clusters; k++) {
    size_t some_count = 0;
    for (size_t i = 0; i < count; i++)
      if (cluster_of[i] == k)
        some[some_count++] = contacts[i];
    TS_TRY(push_some(host, pair, some, some_count, points));
  }
  return TS_OK;
}

const ts_modifier ts_modifier_reduce = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_modifier),
    .name = "reduce",
    .summary = "Keeps a few contacts: the deepest, the farthest, and those that span most.",
    .source = "Manifold reduction of Bullet, Jolt and others.",
    .params = params,
    .param_count = PARAM_COUNT,
    .apply = apply,
};
