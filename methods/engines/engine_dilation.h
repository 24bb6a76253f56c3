// SPDX-License-Identifier: MIT
/// The parameter dilation_m of engines that need overlap, in C and in C++, and the envelope that it
/// requests.
///
/// Contacts of dilated bodies are pushed unchanged: gaps are those of the dilated surfaces, at a
/// touch minus twice the dilation, and the measures allow for that by the envelope.
#ifndef TS_METHODS_ENGINE_DILATION_H
#define TS_METHODS_ENGINE_DILATION_H

#include "methods/method.h"

#include <stddef.h>

/// An entry of a method's `params`. In the order of ts_param's fields: C++17 has no designators.
#define ENGINE_DILATION                                                                            \
  {                                                                                                \
    "dilation_m",                                                                                  \
        "How far the bodies are dilated before the engine gets them, as a step of a simulator "    \
        "leaves them overlapping: at an exact touch it may find nothing, or no direction.",        \
        TS_PARAM_REAL, 1, 0, 0, 1, NULL                                                            \
  }

/// The envelope of a method with that parameter; `reach_m` is the range due to its margins.
static inline ts_status engine_envelope(ts_envelope *out, double dilation_m, double reach_m) {
  if (dilation_m > 0) {
    out->kind = TS_ENVELOPE_DILATED;
    out->mode = TS_ENVELOPE_FACES;
    out->size_m = dilation_m;
  }
  out->reach_m = reach_m;
  return TS_OK;
}

#endif
