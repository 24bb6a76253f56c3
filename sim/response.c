// SPDX-License-Identifier: MIT
#include "sim/response.h"

#include "base/status.h"
#include "sim/params_check.h"

#include <math.h>

static ts_status check_choice(int32_t value, int32_t last, const char *name, const char *type) {
  return value >= 0 && value <= last
             ? TS_OK
             : ts_fail(TS_E_INPUT, "%s is %d: give a %s", name, (int)value, type);
}

ts_status ts_response_params_check(const ts_response_params *params) {
  TS_TRY(check_choice(params->kind, TS_RESPONSE_PENALTY, "response.kind", "ts_response"));
  TS_TRY(check_choice(params->rows, TS_ROWS_PAIR, "response.rows", "ts_volume_rows"));
  TS_TRY(check_choice(params->integration, TS_INTEGRATION_EXPLICIT, "response.integration",
                      "ts_integration"));
  TS_TRY(ts_check_from_zero(params->even_area_m2, "even_area_m2"));
  TS_TRY(ts_check_from_zero(params->stiffness_n_m5, "stiffness_n_m5"));
  return ts_check_from_zero(params->viscosity_n_s_m3, "viscosity_n_s_m3");
}

double ts_response_area_m2(const ts_contact_set *set, size_t contact,
                           const ts_response_params *params) {
  return params->even_area_m2 > 0 ? params->even_area_m2 / (double)set->count
                                  : set->contacts[contact].area_m2;
}
