// SPDX-License-Identifier: MIT
/// A picture of a pair that has given way: a cut through both bodies, before and after, with their
/// contact surface.
#ifndef TS_HARNESS_DEFORM_SECTION_H
#define TS_HARNESS_DEFORM_SECTION_H

#include "harness/deform/deform_scene.h"

#include <stdio.h>

/// The cut goes through the deepest place of the overlap, along the mapping direction of the
/// largest part, which is up. Outlines before are dashed, those after solid; the contact surface is
/// grey and its zone bold. Bodies that reach far beyond are cut off. TS_E_MEMORY; write errors are
/// left in the stream's error state.
ts_status ts_deform_section_write(FILE *file, ts_arena *arena, const ts_deform_case_pair *pair,
                                  const ts_deformed_scene *scene);

#endif
