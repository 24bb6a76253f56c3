// SPDX-License-Identifier: MIT
// covers: base/base64.c
#include "base/base64.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(reports_base64);

/// The text of bytes that come in two parts.
static char *encoded(const char *bytes, size_t count, size_t cut) {
  char *text = NULL;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  ts_base64 encoder = {.file = file};
  ts_base64_add(&encoder, bytes, cut);
  ts_base64_add(&encoder, bytes + cut, count - cut);
  ts_base64_end(&encoder);
  fclose(file);
  return text;
}

Test(reports_base64, the_vectors_of_the_standard_come_out_wherever_they_are_cut) {
  static const char *const texts[] = {"",         "Zg==",     "Zm8=",    "Zm9v",
                                      "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
  for (size_t count = 0; count <= 6; count++)
    for (size_t cut = 0; cut <= count; cut++) {
      char *text = encoded("foobar", count, cut);
      cr_expect_str_eq(text, texts[count], "%zu bytes cut at %zu", count, cut);
      free(text);
    }
}

Test(reports_base64, all_64_digits_are_right) {
  char *text = encoded("\x00\x10\x83\x10\x51\x87\x20\x92\x8b\x30\xd3\x8f\x41\x14\x93\x51\x55\x97"
                       "\x61\x96\x9b\x71\xd7\x9f\x82\x18\xa3\x92\x59\xa7\xa2\x9a\xab\xb2\xdb\xaf"
                       "\xc3\x1c\xb3\xd3\x5d\xb7\xe3\x9e\xbb\xf3\xdf\xbf",
                       48, 7);
  cr_expect_str_eq(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
  free(text);
}

Test(reports_base64, bytes_are_little_endian) {
  uint8_t bytes[8];
  ts_little_endian(bytes, 0x0102030405060708u, 8);
  cr_expect_arr_eq(bytes, "\x08\x07\x06\x05\x04\x03\x02\x01", 8);
  cr_expect_eq(ts_bits_of_double(-2), 0xc000000000000000u);
  cr_expect_eq(ts_bits_of_float(-2), 0xc0000000u);
}
