// SPDX-License-Identifier: MIT
/// Drops contacts that are too far ahead of a touch.
#include "methods/modifiers/modifier.h"

enum { GAP, PARAM_COUNT };

static const ts_param params[PARAM_COUNT] = {
    [GAP] = {.name = "gap_m",
             .summary = "Contacts with a larger gap are dropped.",
             .kind = TS_PARAM_REAL,
             .is_length = 1,
             .default_value = 0,
             .minimum = -1e6,
             .maximum = 1e6},
};

static ts_status apply(const ts_host *host, const ts_pair *pair, const ts_contact *contacts,
                       size_t count, const double *values) {
  (void)pair;
  for (size_t i = 0; i < count; i++)
    if (!(contacts[i].gap_m > values[GAP])) { // an unknown gap is not a large one
      ts_status status = host->push(host, &contacts[i], 1);
      if (status < 0)
        return status;
    }
  return TS_OK;
}

const ts_modifier ts_modifier_cut = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_modifier),
    .name = "cut",
    .summary = "Drops contacts whose gap is above a limit.",
    .source = "Speculative margins of rigid body engines.",
    .params = params,
    .param_count = PARAM_COUNT,
    .apply = apply,
};
