// SPDX-License-Identifier: MIT
#include "harness/picture/svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Width of bold letters relative to others.
#define BOLD 1.1

/// Coordinates beyond this are never visible.
#define FARTHEST 1e6

/// Writes a number with at most two decimals, independent of the locale.
static void put(FILE *file, double value) {
  int64_t hundredths = isfinite(value) ? llround(fmax(-FARTHEST, fmin(FARTHEST, value)) * 100) : 0;
  int64_t size = llabs(hundredths);
  fprintf(file, "%s%" PRId64, hundredths < 0 ? "-" : "", size / 100);
  if (size % 10 != 0)
    fprintf(file, ".%02" PRId64, size % 100);
  else if (size % 100 != 0)
    fprintf(file, ".%" PRId64, size % 100 / 10);
}

static void put_point(FILE *file, ts_svg_point at) {
  put(file, at.x);
  fputc(' ', file);
  put(file, at.y);
}

static void put_attribute(FILE *file, const char *name, double value) {
  fprintf(file, " %s=\"", name);
  put(file, value);
  fputc('"', file);
}

static void put_text_of(FILE *file, const char *text, size_t bytes) {
  for (const char *end = text + bytes; text < end; text++)
    switch (*text) {
    case '&':
      fputs("&amp;", file);
      break;
    case '<':
      fputs("&lt;", file);
      break;
    case '>':
      fputs("&gt;", file);
      break;
    default:
      fputc(*text, file);
    }
}

static void put_text(FILE *file, const char *text) {
  put_text_of(file, text, strlen(text));
}

void ts_svg_open(FILE *file, double width, double height, const char *title,
                 const char *description) {
  fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 ", file);
  put_point(file, (ts_svg_point){ceil(width), ceil(height)});
  fputc('"', file);
  put_attribute(file, "width", ceil(width));
  put_attribute(file, "height", ceil(height));
  fputs(" font-family=\"Helvetica, Arial, sans-serif\">\n<title>", file);
  put_text(file, title);
  fputs("</title>\n<desc>", file);
  put_text(file, description);
  fputs("</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n", file);
}

void ts_svg_close(FILE *file) {
  fputs("</svg>\n", file);
}

void ts_svg_open_frame(FILE *file, ts_svg_point at, double width, double height) {
  fputs("<svg overflow=\"hidden\" viewBox=\"0 0 ", file);
  put_point(file, (ts_svg_point){width, height});
  fputc('"', file);
  put_attribute(file, "x", at.x);
  put_attribute(file, "y", at.y);
  put_attribute(file, "width", width);
  put_attribute(file, "height", height);
  fputs(">\n", file);
}

void ts_svg_close_frame(FILE *file) {
  fputs("</svg>\n", file);
}

void ts_svg_colour(char out[8], const uint8_t rgb[3]) {
  snprintf(out, 8, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
}

void ts_svg_text(FILE *file, ts_svg_point at, const char *text, const char *style) {
  fputs("<text", file);
  put_attribute(file, "x", at.x);
  put_attribute(file, "y", at.y);
  fprintf(file, " %s>", style);
  put_text(file, text);
  fputs("</text>\n", file);
}

/// Bytes of the character at `text`, in UTF-8.
static size_t character_bytes(const char *text) {
  size_t count = 1;
  while (((unsigned char)text[count] & 0xC0) == 0x80)
    count++;
  return count;
}

/// Relative to the size of the font. DejaVu Sans is the widest of the usual ones.
static double character_width(const char *text) {
  if ((unsigned char)*text >= 0x80)
    return 1;
  if (strchr("ijlI.,:;'|!()[] ft-/", *text))
    return 0.42;
  if (strchr("mwMW@%", *text))
    return 1;
  return *text >= 'A' && *text <= 'Z' ? 0.77 : 0.64;
}

double ts_svg_text_width(const char *text, double font_size, bool is_bold) {
  double width = 0;
  for (; *text; text += character_bytes(text))
    width += character_width(text);
  return width * (font_size * (is_bold ? BOLD : 1));
}

/// Length of the longest start of `text` within `width` that ends before a blank, or failing that
/// after a sign that joins words, or anywhere.
static size_t line_bytes(const char *text, double width, double font_size, bool is_bold) {
  double used = 0, size = font_size * (is_bold ? BOLD : 1);
  size_t at_blank = 0, at_sign = 0, at = 0;
  for (size_t next; text[at]; at = next) {
    next = at + character_bytes(&text[at]);
    used += character_width(&text[at]);
    if (used * size > width && at > 0 && text[at] != ' ')
      return at_blank > 0 ? at_blank : at_sign > 0 ? at_sign : at;
    if (text[at] == ' ')
      at_blank = at;
    if (strchr("_/=:;,.+-", text[at]))
      at_sign = next;
  }
  return at;
}

size_t ts_svg_paragraph(FILE *file, ts_svg_point at, const char *text, double width,
                        double font_size, bool is_bold, const char *colour) {
  size_t count = 0;
  for (; *text; count++) {
    size_t bytes = line_bytes(text, width, font_size, is_bold);
    if (file) {
      fputs("<text", file);
      put_attribute(file, "x", at.x);
      put_attribute(file, "y", at.y + (double)count * TS_SVG_LINE * font_size);
      put_attribute(file, "font-size", font_size);
      fprintf(file, "%s fill=\"%s\">", is_bold ? " font-weight=\"600\"" : "", colour);
      put_text_of(file, text, bytes);
      fputs("</text>\n", file);
    }
    text += bytes;
    text += *text == ' ';
  }
  return count;
}

void ts_svg_circle(FILE *file, ts_svg_point centre, double radius, const char *style) {
  fputs("<circle", file);
  put_attribute(file, "cx", centre.x);
  put_attribute(file, "cy", centre.y);
  put_attribute(file, "r", radius);
  fprintf(file, " %s/>\n", style);
}

void ts_svg_square(FILE *file, ts_svg_point centre, double half, const char *style) {
  fputs("<rect", file);
  put_attribute(file, "x", centre.x - half);
  put_attribute(file, "y", centre.y - half);
  put_attribute(file, "width", 2 * half);
  put_attribute(file, "height", 2 * half);
  fprintf(file, " %s/>\n", style);
}

void ts_svg_cross(FILE *file, ts_svg_point centre, double half, const char *style) {
  ts_svg_open_path(file);
  ts_svg_line_in_path(file, (ts_svg_point){centre.x - half, centre.y - half},
                      (ts_svg_point){centre.x + half, centre.y + half});
  ts_svg_line_in_path(file, (ts_svg_point){centre.x - half, centre.y + half},
                      (ts_svg_point){centre.x + half, centre.y - half});
  ts_svg_close_path(file, style);
}

void ts_svg_open_path(FILE *file) {
  fputs("<path d=\"", file);
}

void ts_svg_vertex_in_path(FILE *file, ts_svg_point at, bool is_first) {
  fputc(is_first ? 'M' : 'L', file);
  put_point(file, at);
}

void ts_svg_line_in_path(FILE *file, ts_svg_point from, ts_svg_point to) {
  ts_svg_vertex_in_path(file, from, true);
  ts_svg_vertex_in_path(file, to, false);
}

void ts_svg_end_in_path(FILE *file) {
  fputc('Z', file);
}

void ts_svg_close_path(FILE *file, const char *style) {
  fprintf(file, "\" %s/>\n", style);
}

void ts_svg_arrow_head(FILE *file, ts_svg_point from, ts_svg_point to, double size, bool is_open) {
  double dx = to.x - from.x, dy = to.y - from.y, length = sqrt(dx * dx + dy * dy);
  const char *style = is_open ? "fill=\"#fff\" stroke-width=\"1.1\"" : "stroke=\"none\"";
  if (!(length > 0.5 * size)) {
    ts_svg_circle(file, to, 0.6 * size, "fill=\"none\" stroke-width=\"1.1\"");
    ts_svg_circle(file, to, 0.2 * size, "stroke=\"none\"");
    return;
  }
  double along_x = dx / length * size, along_y = dy / length * size;
  ts_svg_open_path(file);
  ts_svg_vertex_in_path(file, to, true);
  ts_svg_vertex_in_path(
      file, (ts_svg_point){to.x - along_x - 0.4 * along_y, to.y - along_y + 0.4 * along_x}, false);
  ts_svg_vertex_in_path(
      file, (ts_svg_point){to.x - along_x + 0.4 * along_y, to.y - along_y - 0.4 * along_x}, false);
  ts_svg_end_in_path(file);
  ts_svg_close_path(file, style);
}
