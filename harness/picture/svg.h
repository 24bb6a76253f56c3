// SPDX-License-Identifier: MIT
/// Pieces of SVG. Coordinates are pixels, y down, written with two decimals in any locale. `look`
/// is attributes as they stand in the file.
#ifndef TS_HARNESS_SVG_H
#define TS_HARNESS_SVG_H

#include "base/types.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct ts_svg_point {
  double x, y;
} ts_svg_point;

/// A white page.
void ts_svg_open(FILE *file, double width, double height, const char *title);
void ts_svg_close(FILE *file);

/// What stands between the two is cut at the frame; coordinates go on as before.
void ts_svg_open_frame(FILE *file, ts_svg_point least, ts_svg_point most);
void ts_svg_close_frame(FILE *file);

/// "#rrggbb".
void ts_svg_colour(char out[8], const uint8_t rgb[3]);

/// `text` is written as it is but for what XML escapes.
void ts_svg_text(FILE *file, ts_svg_point at, const char *text, const char *look);

void ts_svg_circle(FILE *file, ts_svg_point centre, double radius, const char *look);
void ts_svg_square(FILE *file, ts_svg_point centre, double half, const char *look);
void ts_svg_cross(FILE *file, ts_svg_point centre, double half, const char *look);

/// A path is opened, gets lines or corners, and is closed with its look.
void ts_svg_open_path(FILE *file);
void ts_svg_line_in_path(FILE *file, ts_svg_point from, ts_svg_point to);
void ts_svg_corner_in_path(FILE *file, ts_svg_point at, bool is_first);
void ts_svg_end_in_path(FILE *file); ///< back to the first corner
void ts_svg_close_path(FILE *file, const char *look);

/// The head of an arrow, filled or in outline; a dot in a ring for one that comes straight out of
/// the page or goes into it.
void ts_svg_arrow_head(FILE *file, ts_svg_point from, ts_svg_point to, double size, bool is_open);

#endif
