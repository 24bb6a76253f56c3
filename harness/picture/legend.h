// SPDX-License-Identifier: MIT
/// The legend below a picture.
#ifndef TS_HARNESS_LEGEND_H
#define TS_HARNESS_LEGEND_H

#include "harness/picture/caption.h"

/// Writes the legend from `at`, within `width`: a sign, name and number for each kind of thing in
/// the picture. Returns its height. `file` NULL: only measures.
double ts_legend_put(FILE *file, const ts_caption *caption, ts_svg_point at, double width);

#endif
