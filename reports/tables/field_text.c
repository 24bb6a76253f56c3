// SPDX-License-Identifier: MIT
#include "reports/tables/field_text.h"

#include "reports/tables/table_text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool has_unit(const ts_field *field, const char *unit) {
  return strcmp(field->unit, unit) == 0;
}

bool ts_field_is_percent(const ts_field *field) {
  return has_unit(field, "percent");
}

/// Two significant digits and a power of ten.
static void put_power(char out[TS_NUMBER_BYTES], double number) {
  int exponent = (int)floor(log10(fabs(number)));
  double digits = number / pow(10, exponent);
  if (fabs(digits) >= 9.95) {
    digits /= 10;
    exponent++;
  }
  char text[TS_NUMBER_BYTES];
  ts_text_fixed(text, digits, 1);
  snprintf(out, TS_NUMBER_BYTES, "%.20se%d", text, exponent);
}

void ts_field_number_text(char out[TS_NUMBER_BYTES], const ts_field *field, double number) {
  if (ts_field_is_percent(field))
    ts_text_percent(out, number);
  else if (has_unit(field, "ns"))
    ts_text_time(out, number);
  else if (field->kind == TS_FIELD_COUNT)
    ts_text_fixed(out, number, 0);
  else if (isfinite(number) && number != 0 && !(fabs(number) >= 0.005 && fabs(number) < 1e4))
    put_power(out, number);
  else
    ts_text_fixed(out, number, 2);
}

const char *ts_field_heading(ts_arena *arena, const ts_field *field) {
  if (field->unit[0] == '\0')
    return field->label;
  return ts_arena_format(arena, "%s [%s]", field->label, field->unit);
}

const char *ts_label_in_text(ts_arena *arena, const char *label) {
  return ts_arena_format(arena, "%c%s", tolower((unsigned char)label[0]), label + 1);
}

const char *ts_field_unit_sign(const ts_field *field) {
  return ts_field_is_percent(field) ? "%" : has_unit(field, "deg") ? "\xc2\xb0" : "";
}

double ts_field_weight(const ts_field *field, double number, double best, double worst) {
  double badness = ts_field_badness(field, number), weight = 0;
  if (ts_field_is_percent(field))
    weight = (field->sense == TS_SENSE_HIGHER ? 100 - number : number) / 100;
  else if (field->sense == TS_SENSE_CLOSEST_TO_1)
    weight = badness / log2(field->far_off);
  else if (field->far_off > 0)
    weight = log1p(number) / log1p(field->far_off);
  else if (field->sense == TS_SENSE_HIGHER)
    weight = 1 - number;
  else if (worst > best)
    weight = (badness - best) / (worst - best);
  return fmin(fmax(weight, 0), 1);
}
