/// golden_compare EXPECTED ACTUAL: compares two summaries row by row, each column by its rule in
/// the record, and prints what differs. golden_compare --strip ACTUAL: prints the columns that are
/// judged, which is what is kept as golden.
#include "base/number.h"
#include "base/status.h"
#include "reports/results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_judged(const ts_field *field) {
  return field->compare != TS_COMPARE_REPORT;
}

static const char *field_text(char number[TS_NUMBER_BYTES], const ts_field *field,
                              const ts_record *record) {
  if (field->kind == TS_FIELD_TEXT)
    return ts_row_text(field, record);
  return ts_number_format(number, ts_row_number(field, record));
}

static bool field_equal(const ts_field *field, const ts_record *a, const ts_record *b) {
  if (field->kind == TS_FIELD_TEXT)
    return strcmp(ts_row_text(field, a), ts_row_text(field, b)) == 0;
  double x = ts_row_number(field, a), y = ts_row_number(field, b);
  if (isnan(x) || isnan(y))
    return isnan(x) && isnan(y);
  double allowed = field->compare == TS_COMPARE_CLOSE ? field->tolerance : 0;
  return fabs(x - y) <= allowed * fmax(1, fabs(x));
}

static int strip(const ts_record *records, size_t count) {
  const ts_row_type *type = &ts_summary_rows;
  for (size_t row = 0; row <= count; row++) {
    const char *separator = "";
    for (size_t i = 0; i < type->field_count; i++) {
      char number[TS_NUMBER_BYTES];
      if (!is_judged(&type->fields[i]))
        continue;
      printf("%s%s", separator,
             row == 0 ? type->fields[i].column
                      : field_text(number, &type->fields[i], &records[row - 1]));
      separator = ",";
    }
    putchar('\n');
  }
  return 0;
}

static int compare(const ts_record *expected, size_t expected_count, const ts_record *actual,
                   size_t actual_count) {
  size_t wrong = 0, count = expected_count < actual_count ? expected_count : actual_count;
  for (size_t row = 0; row < count; row++) {
    size_t differences = 0;
    for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
      const ts_field *field = &ts_summary_rows.fields[i];
      char old[TS_NUMBER_BYTES], new[TS_NUMBER_BYTES];
      if (!is_judged(field) || field_equal(field, &expected[row], &actual[row]))
        continue;
      printf("%s x %s (%s): %s was %s, is %s\n", actual[row].case_name, actual[row].method,
             actual[row].case_parameters, field->column, field_text(old, field, &expected[row]),
             field_text(new, field, &actual[row]));
      differences++;
    }
    wrong += differences > 0;
  }
  if (expected_count != actual_count) {
    printf("%zu rows were expected, %zu came\n", expected_count, actual_count);
    wrong++;
  }
  printf("golden: %zu passed, %zu failed\n", count > wrong ? count - wrong : 0, wrong);
  return wrong > 0 || count == 0;
}

int main(int argc, char **argv) {
  ts_arena *arena;
  ts_record *first, *second;
  size_t first_count, second_count;
  bool strips = argc == 3 && strcmp(argv[1], "--strip") == 0;
  if (argc != 3) {
    fputs("usage: golden_compare EXPECTED ACTUAL | golden_compare --strip ACTUAL\n", stderr);
    return 2;
  }
  int result = 2;
  if (ts_arena_create(&arena) != TS_OK)
    return 2;
  if ((!strips && ts_summary_read(&first, &first_count, arena, argv[1]) != TS_OK) ||
      ts_summary_read(&second, &second_count, arena, argv[2]) != TS_OK)
    fprintf(stderr, "golden_compare: %s\n", ts_status_detail());
  else if (strips)
    result = strip(second, second_count);
  else
    result = compare(first, first_count, second, second_count);
  ts_arena_destroy(arena);
  return result;
}
