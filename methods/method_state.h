// SPDX-License-Identifier: MIT
/// What depends on the parameters of a method: whether it keeps state from one time step to the
/// next, and the shapes that it works on.
#ifndef TS_METHODS_METHOD_STATE_H
#define TS_METHODS_METHOD_STATE_H

#include "methods/method.h"

#include <stdbool.h>

/// Whether a method with these values [param_count] may give contacts that depend on the poses that
/// it was called at before (ts_method.keeps_state, keeps_state_if). The scale of lengths does not
/// matter.
bool ts_method_keeps_state(const ts_method *method, const double *values);

/// TS_TAKES(): the kinds of ts_geometry that a method with these values [param_count] works on
/// (ts_method.takes, takes_if).
uint32_t ts_method_takes(const ts_method *method, const double *values);

#endif
