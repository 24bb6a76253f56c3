// SPDX-License-Identifier: MIT
// The controls of the suite as a plug-in: their rows must equal those of the built-in ones.
#include "harness/controls/controls.h"

#include <stdio.h>
#include <string.h>

#define PREFIX "control_"
#define MAX    32

const ts_method *const *touchstone_methods(void) {
  static char names[MAX][48];
  static ts_method methods[MAX];
  static const ts_method *list[MAX + 1];
  for (size_t i = 0; i < MAX && ts_controls[i]; i++) {
    methods[i] = *ts_controls[i];
    snprintf(names[i], sizeof names[i], "plugged_%s", methods[i].name + strlen(PREFIX));
    methods[i].name = names[i];
    list[i] = &methods[i];
  }
  return list;
}
