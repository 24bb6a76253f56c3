// SPDX-License-Identifier: MIT
/// The layer of a picture with the pairs of which it is unknown whether they touch: a question mark
/// between them, on a line to where they are closest.
#ifndef TS_HARNESS_DRAW_UNKNOWN_H
#define TS_HARNESS_DRAW_UNKNOWN_H

#include "harness/picture/drawing.h"

void ts_draw_unknown(const ts_drawing *d);

/// The sign in the legend.
void ts_draw_unknown_sign(FILE *file, ts_svg_point at);

#endif
