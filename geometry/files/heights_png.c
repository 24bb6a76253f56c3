// SPDX-License-Identifier: MIT
#include "geometry/files/heights_png.h"

#include "base/status.h"

#include <png.h>
#include <stdio.h>
#include <string.h>

/// Most bytes that a chunk beside the picture may unpack to, and most of such chunks.
enum { CHUNK_BYTES_MAX = 1 << 20, CHUNKS_MAX = 64 };

typedef struct picture {
  const char *name;
  const unsigned char *at, *end;
  png_structp png;
  png_infop info;
  ts_arena *arena;
  size_t limit;
  ts_heights *out;
  ts_status status;
  char why[200]; ///< of the library
} picture;

static void keep_why(png_structp png, png_const_charp why) {
  picture *p = png_get_error_ptr(png);
  snprintf(p->why, sizeof p->why, "%s", why);
  png_longjmp(png, 1);
}

static void pass_over(png_structp png, png_const_charp why) {
  (void)png;
  (void)why;
}

static void read_bytes(png_structp png, png_bytep out, size_t count) {
  picture *p = png_get_io_ptr(png);
  if (count > (size_t)(p->end - p->at))
    png_error(png, "it is cut off");
  memcpy(out, p->at, count);
  p->at += count;
}

static ts_status check_form(picture *p) {
  int bits = png_get_bit_depth(p->png, p->info), kind = png_get_color_type(p->png, p->info);
  size_t columns = png_get_image_width(p->png, p->info);
  size_t rows = png_get_image_height(p->png, p->info);
  const char *has = kind & PNG_COLOR_MASK_PALETTE                   ? "a palette"
                    : kind & PNG_COLOR_MASK_COLOR                   ? "colours"
                    : kind & PNG_COLOR_MASK_ALPHA                   ? "an alpha channel"
                    : png_get_valid(p->png, p->info, PNG_INFO_tRNS) ? "a transparent level"
                    : bits < 8                                      ? "fewer than 8 bits"
                                                                    : NULL;
  if (has)
    return ts_fail(TS_E_INPUT, "%s: the picture has %s; save it as greyscale with 8 or 16 bits",
                   p->name, has);
  if (rows > p->limit / columns)
    return ts_fail(TS_E_INPUT,
                   "%s: the picture has %zu x %zu heights, more than %zu: make it "
                   "smaller",
                   p->name, columns, rows, p->limit);
  *p->out = (ts_heights){.row_count = rows, .column_count = columns, .is_picture = true};
  return TS_OK;
}

static ts_status read_levels(picture *p) {
  ts_heights *out = p->out;
  size_t level_bytes = png_get_bit_depth(p->png, p->info) / 8u;
  size_t row_bytes = out->column_count * level_bytes, count = out->row_count * out->column_count;
  unsigned char *levels = ts_arena_alloc(p->arena, out->row_count * row_bytes);
  png_bytep *rows = ts_arena_array(p->arena, out->row_count, sizeof(png_bytep));
  out->values = ts_arena_array(p->arena, count, sizeof *out->values);
  if (!levels || !rows || !out->values)
    return TS_E_MEMORY;
  for (size_t r = 0; r < out->row_count; r++)
    rows[r] = levels + r * row_bytes;
  png_read_image(p->png, rows);
  png_read_end(p->png, NULL);
  for (size_t i = 0; i < count; i++)
    out->values[i] =
        level_bytes == 1 ? levels[i] / 255.0 : (levels[2 * i] * 256 + levels[2 * i + 1]) / 65535.0;
  return TS_OK;
}

/// The library comes back to here, and nowhere else, when it finds a fault.
static void read_picture(picture *p) {
  if (setjmp(png_jmpbuf(p->png))) {
    p->status = ts_fail(TS_E_INPUT, "%s: is not a whole PNG picture: %s", p->name, p->why);
    return;
  }
  png_set_read_fn(p->png, p, read_bytes);
  png_set_user_limits(p->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); // check_form() has its own
  png_set_chunk_malloc_max(p->png, CHUNK_BYTES_MAX);
  png_set_chunk_cache_max(p->png, CHUNKS_MAX);
  png_read_info(p->png, p->info);
  p->status = check_form(p);
  if (p->status == TS_OK)
    p->status = read_levels(p);
}

ts_status ts_heights_png_parse(ts_heights *out, ts_arena *arena, const char *name,
                               const char *bytes, size_t count, size_t limit) {
  picture p = {.name = name,
               .at = (const unsigned char *)bytes,
               .end = (const unsigned char *)bytes + count,
               .arena = arena,
               .limit = limit,
               .out = out};
  p.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &p, keep_why, pass_over);
  p.info = p.png ? png_create_info_struct(p.png) : NULL;
  if (p.info)
    read_picture(&p);
  else
    p.status = ts_fail(TS_E_MEMORY, "out of memory");
  png_destroy_read_struct(&p.png, &p.info, NULL);
  return p.status;
}
