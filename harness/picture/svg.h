// SPDX-License-Identifier: MIT
/// SVG elements. Coordinates are pixels, y down, written with two decimals in any locale. `style`
/// holds attributes, written to the file verbatim.
#ifndef TS_HARNESS_SVG_H
#define TS_HARNESS_SVG_H

#include "base/types.h"

#include <stdbool.h>
#include <stdio.h>

/// Distance of lines of text, relative to the size of the font.
#define TS_SVG_LINE 1.35

typedef struct ts_svg_point {
  double x, y;
} ts_svg_point;

/// A white page. `title` and `description` are for those who cannot see it.
void ts_svg_open(FILE *file, double width, double height, const char *title,
                 const char *description);
void ts_svg_close(FILE *file);

/// Everything drawn between the two calls has its origin at `at`, and is cut off at the frame.
void ts_svg_open_frame(FILE *file, ts_svg_point at, double width, double height);
void ts_svg_close_frame(FILE *file);

/// "#rrggbb".
void ts_svg_colour(char out[8], const uint8_t rgb[3]);

/// `text` is written with the escapes that XML requires.
void ts_svg_text(FILE *file, ts_svg_point at, const char *text, const char *style);

/// Width of a text [px]: an upper bound for the fonts that viewers take for the family of a
/// picture, since the font is theirs to choose.
double ts_svg_text_width(const char *text, double font_size, bool is_bold);

/// Text in lines of at most `width`, the first of them at `at`; a word that is longer is broken.
/// Returns the number of lines. `file` NULL: only counts them.
size_t ts_svg_paragraph(FILE *file, ts_svg_point at, const char *text, double width,
                        double font_size, bool is_bold, const char *colour);

void ts_svg_circle(FILE *file, ts_svg_point centre, double radius, const char *style);
void ts_svg_square(FILE *file, ts_svg_point centre, double half, const char *style);
void ts_svg_cross(FILE *file, ts_svg_point centre, double half, const char *style);

/// A path is opened, gets lines or vertices, and is closed with its style.
void ts_svg_open_path(FILE *file);
void ts_svg_line_in_path(FILE *file, ts_svg_point from, ts_svg_point to);
void ts_svg_vertex_in_path(FILE *file, ts_svg_point at, bool is_first);
void ts_svg_end_in_path(FILE *file); ///< back to the first vertex
void ts_svg_close_path(FILE *file, const char *style);

/// The head of an arrow, filled or outlined; a dot in a ring for an arrow perpendicular to the
/// page.
void ts_svg_arrow_head(FILE *file, ts_svg_point from, ts_svg_point to, double size, bool is_open);

#endif
