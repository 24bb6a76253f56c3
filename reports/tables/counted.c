// SPDX-License-Identifier: MIT
#include "reports/tables/counted.h"

#include "reports/rows/outcome.h"
#include "reports/tables/field_text.h"

#include <math.h>
#include <string.h>

bool ts_row_found_nothing(const ts_record *record) {
  // By the published rule quality is not a number then, otherwise it is 0.
  bool is_needed = !isnan(record->quality_percent) || !isnan(record->coverage_percent);
  return ts_record_is_ok(record) && record->contacts == 0 && is_needed;
}

double ts_row_counted(const ts_field *field, const ts_record *record) {
  bool is_judged = ts_field_is_percent(field) && field->sense == TS_SENSE_HIGHER &&
                   field->shown & TS_SHOWN_TABLE;
  if (!ts_record_is_ok(record))
    return is_judged && ts_record_has_failed(record) ? 0 : (double)NAN;
  double value = ts_row_number(field, record);
  // A method must not be ahead by finding nothing.
  return is_judged && isnan(value) && ts_row_found_nothing(record) ? 0 : value;
}

int ts_order_of_means(double a, double b) {
  if (isnan(a) || isnan(b))
    return isnan(a) - isnan(b);
  return (b > a) - (b < a);
}

int ts_order_of_labels(const char *a, const char *b) {
  return strverscmp(a, b);
}
