// SPDX-License-Identifier: MIT
/// The words above a picture: what it shows, what it leaves out, and what is unknown.
#ifndef TS_HARNESS_CAPTION_H
#define TS_HARNESS_CAPTION_H

#include "harness/picture/body_names.h"
#include "harness/picture/draw_contacts.h"
#include "harness/picture/draw_regions.h"

/// What was drawn, which the words are about.
typedef struct ts_caption {
  const ts_drawing *drawing;
  const ts_drawn_contacts *contacts;
  const ts_drawn_regions *regions;
  ts_body_names names;
  const char *title;
  size_t line_count;
  const char *lines[12]; ///< [line_count], paragraphs below the title
} ts_caption;

/// Finds the words; `out` has the other members set.
ts_status ts_caption_fill(ts_caption *out, ts_arena *arena);

/// All of the lines as one text; NULL when out of memory.
const char *ts_caption_text(ts_arena *arena, const ts_caption *caption);

/// Writes them from `at`, within `width`. Returns their height. `file` NULL: only measures.
double ts_caption_put(FILE *file, const ts_caption *caption, ts_svg_point at, double width);

#endif
