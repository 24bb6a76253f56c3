// SPDX-License-Identifier: MIT
// covers: geometry/files/heights.c geometry/files/heights_png.c geometry/files/number_line.c
#include "geometry/files/heights.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *arena;
static ts_heights heights;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_heights, .init = setup, .fini = teardown);

static ts_status parse(const char *name, const void *bytes, size_t count) {
  // Not terminated: a reader that looks behind the end is caught by the sanitizer.
  char *exact = malloc(count ? count : 1);
  memcpy(exact, bytes, count);
  ts_status status = ts_heights_parse(&heights, arena, name, exact, count, 100);
  free(exact);
  return status;
}

static ts_status parse_text(const char *text) {
  return parse("h.csv", text, strlen(text));
}

static void refuse_text(const char *text, const char *words) {
  cr_expect_eq(parse_text(text), TS_E_INPUT, "%s", text);
  cr_expect(strstr(ts_status_detail(), words), "%s: %s", words, ts_status_detail());
}

Test(geometry_heights, lines_are_rows) {
  static const char *const texts[] = {"1,2,3\n4,5,6\n", "# a hill\n\n1 2 3\r\n4 5 6",
                                      "1, 2, 3\n4,5,6e0\n"};
  for (size_t i = 0; i < 3; i++) {
    cr_assert_eq(parse_text(texts[i]), TS_OK, "%s", ts_status_detail());
    cr_expect(heights.row_count == 2 && heights.column_count == 3 && !heights.is_picture);
    for (int k = 0; k < 6; k++)
      cr_expect_eq(heights.values[k], k + 1, "%s", texts[i]);
  }
}

Test(geometry_heights, text_that_is_no_grid_is_refused_with_its_line) {
  refuse_text("1,2\n3\n", "h.csv, line 2: a row of 1 heights; those before have 2");
  refuse_text("1,2\n3,nan\n", "h.csv, line 2: nan: every height must be finite");
  refuse_text("1,2\n3,-inf\n", "every height must be finite");
  refuse_text("1,2\n3,1e400\n", "h.csv, line 2");
  refuse_text("1,2\n3,x\n", "\"x\" is not a number");
  refuse_text("1,,2\n", "\"\" is not a number");
  refuse_text("", "has no heights");
  refuse_text("names,only\n", "h.csv, line 1: \"names\" is not a number");
  refuse_text("1;2;3\n0,0,0\n", "h.csv, line 1: \"1;2;3\" is not a number");
  char long_row[400];
  for (int i = 0; i < 101; i++)
    memcpy(long_row + 2 * i, "1,", 3);
  refuse_text(long_row, "more than 100 heights");
  cr_expect_eq(parse("h.tif", "1,2", 3), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "h.tif: heights are in a .csv or a .png file"));
}

// ---- pictures -----------------------------------------------------------------------------------

typedef struct bytes {
  unsigned char at[4096];
  size_t count;
} bytes;

static void append(png_structp png, png_bytep data, size_t count) {
  bytes *b = png_get_io_ptr(png);
  cr_assert(b->count + count <= sizeof b->at);
  memcpy(b->at + b->count, data, count);
  b->count += count;
}

static void flush(png_structp png) {
  (void)png;
}

/// A picture of 3 x 2 levels, 0 to 5 of the largest byte by byte.
static bytes write_picture(int bits, int colour_type, bool is_interlaced, bool has_clear_level) {
  bytes out = {.count = 0};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &out, append, flush);
  png_set_IHDR(png, info, 3, 2, bits, colour_type,
               is_interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE,
               PNG_FILTER_TYPE_BASE);
  png_color palette[6] = {{255, 255, 255}};
  if (colour_type == PNG_COLOR_TYPE_PALETTE)
    png_set_PLTE(png, info, palette, 6);
  png_color_16 clear = {.gray = 1};
  if (has_clear_level)
    png_set_tRNS(png, info, NULL, 0, &clear);
  unsigned char levels[2][3 * 8] = {{0}};
  for (int i = 0; i < 6; i++)
    if (bits == 16) {
      levels[i / 3][2 * (i % 3)] = (unsigned char)i;
      levels[i / 3][2 * (i % 3) + 1] = 7;
    } else if (bits == 8) {
      levels[i / 3][i % 3] = (unsigned char)i;
    }
  png_bytep rows[2] = {levels[0], levels[1]};
  png_set_rows(png, info, rows);
  png_write_png(png, info, PNG_TRANSFORM_IDENTITY, NULL);
  png_destroy_write_struct(&png, &info);
  return out;
}

static void refuse_picture(const bytes *b, const char *words) {
  cr_expect_eq(parse("h.png", b->at, b->count), TS_E_INPUT, "%s", words);
  cr_expect(strstr(ts_status_detail(), words), "%s: %s", words, ts_status_detail());
  cr_expect(strstr(ts_status_detail(), "h.png: "), "%s", ts_status_detail());
}

Test(geometry_heights, levels_of_8_and_16_bits_are_heights_from_the_top_row_down) {
  for (int is_interlaced = 0; is_interlaced < 2; is_interlaced++) {
    bytes b = write_picture(8, PNG_COLOR_TYPE_GRAY, is_interlaced, false);
    cr_assert_eq(parse("h.PNG", b.at, b.count), TS_OK, "%s", ts_status_detail());
    cr_expect(heights.row_count == 2 && heights.column_count == 3 && heights.is_picture);
    for (int i = 0; i < 6; i++)
      cr_expect_eq(heights.values[i], i / 255.0);
    b = write_picture(16, PNG_COLOR_TYPE_GRAY, is_interlaced, false);
    cr_assert_eq(parse("h.png", b.at, b.count), TS_OK, "%s", ts_status_detail());
    for (int i = 0; i < 6; i++)
      cr_expect_eq(heights.values[i], (256 * i + 7) / 65535.0);
  }
}

Test(geometry_heights, pictures_that_are_not_grey_are_refused) {
  bytes b = write_picture(8, PNG_COLOR_TYPE_RGB, false, false);
  refuse_picture(&b, "has colours; save it as greyscale with 8 or 16 bits");
  b = write_picture(8, PNG_COLOR_TYPE_GRAY_ALPHA, false, false);
  refuse_picture(&b, "has an alpha channel");
  b = write_picture(8, PNG_COLOR_TYPE_GRAY, false, true);
  refuse_picture(&b, "has a transparent level");
  b = write_picture(8, PNG_COLOR_TYPE_PALETTE, false, false);
  refuse_picture(&b, "has a palette");
  b = write_picture(4, PNG_COLOR_TYPE_GRAY, false, false);
  refuse_picture(&b, "has fewer than 8 bits");
}

Test(geometry_heights, a_picture_that_is_cut_off_anywhere_is_refused) {
  bytes whole = write_picture(16, PNG_COLOR_TYPE_GRAY, false, false);
  for (size_t count = 0; count < whole.count; count++) {
    bytes b = whole;
    b.count = count;
    refuse_picture(&b, "is not a whole PNG picture");
  }
}

Test(geometry_heights, a_picture_of_a_billion_levels_is_refused_before_memory_is_taken_for_it) {
  bytes b = write_picture(8, PNG_COLOR_TYPE_GRAY, false, false);
  // Width and height of the header, and its checksum, of 2^15 x 2^15 levels.
  static const unsigned char header[12] = {'I', 'H', 'D', 'R', 0, 0, 0x80, 0, 0, 0, 0x80, 0};
  memcpy(b.at + 12, header, sizeof header);
  uint32_t crc = UINT32_MAX;
  for (size_t i = 12; i < 29; i++) {
    crc ^= b.at[i];
    for (int k = 0; k < 8; k++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  for (int i = 0; i < 4; i++)
    b.at[29 + i] = (unsigned char)(~crc >> (24 - 8 * i));
  size_t before = ts_arena_used(arena);
  refuse_picture(&b, "has 32768 x 32768 heights, more than 100: make it smaller");
  cr_expect_eq(ts_arena_used(arena), before);
}
