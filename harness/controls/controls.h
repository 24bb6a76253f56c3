// SPDX-License-Identifier: MIT
/// Controls: generators that are correct, or wrong in one known way, to test the measures and the
/// runner. They have access to the truth, which real methods do not.
#ifndef TS_HARNESS_CONTROLS_H
#define TS_HARNESS_CONTROLS_H

#include "cases/scene/scene.h"
#include "methods/method.h"

/// The host that the harness passes to every method. The public table comes first, so that a
/// control can cast to this type and reach the truth.
typedef struct ts_cell_host {
  ts_host host;
  const ts_scene *scene;
  ts_reference reference;
  double scale;
  void *state; ///< of the cell runner
} ts_cell_host;

/// NULL-terminated; the correct one first.
extern const ts_method *const ts_controls[];

#endif
