// SPDX-License-Identifier: MIT
#include "reports/history/badge.h"

#include "base/status.h"
#include "reports/html/html_text.h"
#include "reports/tables/field_text.h"
#include "reports/tables/format_text.h"

#include <math.h>
#include <string.h>

#define HEIGHT  20 ///< [px]
#define PADDING 6.0

/// White text on each of them has a contrast of at least 4.5.
#define GREEN  "#2e7d32"
#define YELLOW "#8a6100"
#define RED    "#b3261e"
#define BLUE   "#0b64a0"
#define GREY   "#6b6b6b"
#define LABEL  "#444444"

ts_status ts_badge_check(const ts_badge_limits *limits, const ts_field *field) {
  if (isnan(limits->green) && isnan(limits->yellow))
    return TS_OK;
  double green = ts_field_badness(field, limits->green);
  double yellow = ts_field_badness(field, limits->yellow);
  if (isnan(green) && isnan(yellow))
    return ts_fail(TS_E_INPUT,
                   "%s has no best value, so --green and --yellow mean nothing; leave them out",
                   field->column);
  if (yellow < green)
    return ts_fail(TS_E_INPUT, "--yellow is better than --green; of %s the best is the %s",
                   field->column, ts_sense_names[field->sense]);
  return TS_OK;
}

static const char *colour_of(const ts_field *field, double value, const ts_badge_limits *limits) {
  double badness = ts_field_badness(field, value);
  if (isnan(value))
    return GREY;
  if (isnan(limits->green) && isnan(limits->yellow))
    return BLUE;
  // Comparisons with a limit that was not given are false.
  return badness <= ts_field_badness(field, limits->green)    ? GREEN
         : badness <= ts_field_badness(field, limits->yellow) ? YELLOW
                                                              : RED;
}

/// The letters, not bytes, of valid UTF-8.
static size_t count_letters(const char *text) {
  size_t count = 0;
  for (; *text; text++)
    count += ((unsigned char)*text & 0xC0) != 0x80;
  return count;
}

/// Width of a text in Verdana or DejaVu Sans at 11 px, rounded up: the viewer's font is not known.
static double width_of(const char *text) {
  double width = 0;
  for (const char *c = text; *c; c++) {
    unsigned char byte = (unsigned char)*c;
    if ((byte & 0xC0) == 0x80)
      continue;
    width += byte >= 0x80                  ? 11
             : strchr("ijl.,:;|!'", byte)  ? 4
             : strchr(" ftrI()[]/-", byte) ? 5
             : strchr("mwMW%@", byte)      ? 11.5
             : byte >= 'A' && byte <= 'Z'  ? 8.2
                                           : 7.2;
  }
  return width;
}

static ts_status put_part(FILE *file, ts_arena *arena, double x, double width, const char *text) {
  fprintf(file, "<text x=\"%.1f\" y=\"14\">", x + width / 2);
  TS_TRY(ts_html_put(file, arena, text));
  fputs("</text>\n", file);
  return TS_OK;
}

static const char *value_text(ts_arena *arena, const ts_field *field, double value) {
  char number[TS_NUMBER_BYTES];
  if (isnan(value))
    return "not measured";
  ts_field_number_text(number, field, value);
  return ts_arena_format(arena, "%s%s", number, ts_field_unit_sign(field));
}

ts_status ts_badge_write(FILE *file, ts_arena *arena, const char *label, const ts_field *field,
                         double value, const ts_badge_limits *limits) {
  const char *text = ts_text_utf8(arena, label), *shown = value_text(arena, field, value);
  const char *colour = colour_of(field, value, limits);
  if (!text || !shown)
    return TS_E_MEMORY;
  if (count_letters(text) > TS_BADGE_LETTERS_MAX)
    return ts_fail(TS_E_INPUT,
                   "the label of the badge has %zu letters, and at most %zu fit; give "
                   "a shorter one with --badge-label",
                   count_letters(text), TS_BADGE_LETTERS_MAX);
  double left = ceil(width_of(text) + 2 * PADDING), right = ceil(width_of(shown) + 2 * PADDING);
  double width = left + right;
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%d\" "
          "viewBox=\"0 0 %.0f %d\" role=\"img\" aria-labelledby=\"title\">\n"
          "<title id=\"title\">",
          width, HEIGHT, width, HEIGHT);
  TS_TRY(ts_html_put(file, arena, text));
  fputs(": ", file);
  TS_TRY(ts_html_put(file, arena, shown));
  fprintf(file,
          "</title>\n"
          "<clipPath id=\"corners\"><rect width=\"%.0f\" height=\"%d\" rx=\"3\"/></clipPath>\n"
          "<g clip-path=\"url(#corners)\">\n"
          "<rect width=\"%.0f\" height=\"%d\" fill=\"" LABEL "\"/>\n"
          "<rect x=\"%.0f\" width=\"%.0f\" height=\"%d\" fill=\"%s\"/>\n"
          "</g>\n"
          "<g fill=\"#ffffff\" text-anchor=\"middle\" "
          "font-family=\"Verdana, 'DejaVu Sans', Geneva, sans-serif\" font-size=\"11\">\n",
          width, HEIGHT, left, HEIGHT, left, right, HEIGHT, colour);
  TS_TRY(put_part(file, arena, 0, left, text));
  TS_TRY(put_part(file, arena, left, right, shown));
  fputs("</g>\n</svg>\n", file);
  return TS_OK;
}
