// SPDX-License-Identifier: MIT
/// Checks of parameters that more than one struct of sim/ has. For sim/ alone.
#ifndef TS_SIM_PARAMS_CHECK_H
#define TS_SIM_PARAMS_CHECK_H

#include "base/status.h"

#include <math.h>

/// TS_E_INPUT unless the value is finite and not below 0.
static inline ts_status ts_check_from_zero(double value, const char *name) {
  return value >= 0 && isfinite(value)
             ? TS_OK
             : ts_fail(TS_E_INPUT, "%s is %g: give a finite number, not below 0", name, value);
}

#endif
