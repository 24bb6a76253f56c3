// SPDX-License-Identifier: MIT
/// Controls: generators that are right, or wrong in one known way, to prove the measures and the
/// runner. They know the truth, which no real method is told.
#ifndef TS_HARNESS_CONTROLS_H
#define TS_HARNESS_CONTROLS_H

#include "cases/scene/scene.h"
#include "methods/method.h"

/// The host that the harness hands to every method: the public table first, so that a control can
/// look behind it.
typedef struct ts_cell_host {
  ts_host host;
  const ts_scene *scene;
  ts_reference reference;
  double scale;
  void *state; ///< of the cell runner
} ts_cell_host;

/// NULL-terminated; the right one first.
extern const ts_method *const ts_controls[];

#endif
