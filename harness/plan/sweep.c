// SPDX-License-Identifier: MIT
#include "harness/plan/sweep.h"

#include "base/number.h"
#include "base/param.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Adds the sweep that was being parsed to the detail line of a failure.
static ts_status in_sweep(ts_status status, const ts_param *param, const char *text) {
  if (status != TS_E_INPUT)
    return status;
  char detail[512];
  snprintf(detail, sizeof detail, "%s", ts_status_detail());
  return ts_fail(TS_E_INPUT, "sweep %s=%.200s: %s", param->name, text, detail);
}

/// `value` rounded to `digits` decimal digits.
static double rounded(double value, int digits) {
  char text[TS_NUMBER_BYTES];
  snprintf(text, sizeof text, "%.*e", digits - 1, value);
  return strtod(text, NULL);
}

typedef struct range {
  double first, last;
  size_t count;
  bool is_log;
} range;

static ts_status parse_range(range *out, const char *text) {
  char copy[4][64];
  size_t parts = 0;
  for (const char *part = text; part && parts < 4; parts++) {
    const char *colon = strchr(part, ':');
    size_t length = colon ? (size_t)(colon - part) : strlen(part);
    if (length >= sizeof copy[0])
      return ts_fail(TS_E_INPUT, "\"%s\" is too long for a number", part);
    memcpy(copy[parts], part, length);
    copy[parts][length] = '\0';
    part = colon ? colon + 1 : NULL;
    if (parts == 3 && part)
      return ts_fail(TS_E_INPUT, "too many colons; write a:b:n, a:b:n:log or a,b,c");
  }
  out->is_log = parts == 4;
  if (parts < 3 || (out->is_log && strcmp(copy[3], "log") != 0))
    return ts_fail(TS_E_INPUT, "write a:b:n, a:b:n:log or a,b,c");
  double count;
  TS_TRY(ts_number_parse(&out->first, copy[0]));
  TS_TRY(ts_number_parse(&out->last, copy[1]));
  TS_TRY(ts_number_parse(&count, copy[2]));
  if (!isfinite(out->first) || !isfinite(out->last))
    return ts_fail(TS_E_INPUT, "both ends must be finite");
  if (!(count >= 2 && count <= TS_SWEEP_VALUES_MAX) || count != floor(count))
    return ts_fail(TS_E_INPUT, "n must be a whole number from 2 to %d, not %s", TS_SWEEP_VALUES_MAX,
                   copy[2]);
  if (out->is_log && !(out->first > 0 && out->last > 0))
    return ts_fail(TS_E_INPUT, "a logarithmic sweep needs both ends above zero");
  out->count = (size_t)count;
  return TS_OK;
}

static double range_value(const range *r, size_t i) {
  if (i == 0)
    return r->first;
  if (i + 1 == r->count)
    return r->last;
  double steps = (double)(r->count - 1);
  if (r->is_log)
    return rounded(r->first * pow(r->last / r->first, (double)i / steps), 12);
  return rounded(r->first + (r->last - r->first) * (double)i / steps, 15);
}

static ts_status range_values(double **out_values, size_t *out_count, ts_arena *arena,
                              const ts_param *param, const char *text) {
  if (param->kind == TS_PARAM_CHOICE)
    return ts_fail(TS_E_INPUT, "%s takes words; separate them with commas", param->name);
  range r;
  TS_TRY(parse_range(&r, text));
  double *values = ts_arena_array(arena, r.count, sizeof *values);
  if (!values)
    return TS_E_MEMORY;
  for (size_t i = 0; i < r.count; i++) {
    values[i] = range_value(&r, i);
    TS_TRY(ts_param_check(param, values[i]));
  }
  *out_values = values;
  *out_count = r.count;
  return TS_OK;
}

static ts_status list_values(double **out_values, size_t *out_count, ts_arena *arena,
                             const ts_param *param, const char *text) {
  size_t count = 1;
  for (const char *c = text; *c; c++)
    count += *c == ',';
  if (count > TS_SWEEP_VALUES_MAX)
    return ts_fail(TS_E_INPUT, "more than %d values", TS_SWEEP_VALUES_MAX);
  double *values = ts_arena_array(arena, count, sizeof *values);
  char *copy = ts_arena_string(arena, text);
  if (!values || !copy)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    char *comma = strchr(copy, ',');
    if (comma)
      *comma = '\0';
    TS_TRY(ts_param_parse(&values[i], param, copy));
    copy = comma ? comma + 1 : copy;
  }
  *out_values = values;
  *out_count = count;
  return TS_OK;
}

static int compare_numbers(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/// Refuses a duplicate value, which would give two identical cells.
static ts_status check_distinct(ts_arena *arena, const ts_param *param, const double *values,
                                size_t count) {
  double *sorted = ts_arena_array(arena, count, sizeof *sorted);
  if (!sorted)
    return TS_E_MEMORY;
  memcpy(sorted, values, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, compare_numbers);
  for (size_t i = 1; i < count; i++)
    if (sorted[i] == sorted[i - 1]) {
      char number[TS_NUMBER_BYTES];
      return ts_fail(TS_E_INPUT, "duplicate value %s; keep one",
                     ts_param_format(number, param, sorted[i]));
    }
  return TS_OK;
}

ts_status ts_sweep_parse(double **out_values, size_t *out_count, ts_arena *arena,
                         const ts_param *param, const char *text, bool is_sweep) {
  double *values = NULL;
  size_t count = 1;
  if (!is_sweep) {
    values = ts_arena_alloc(arena, sizeof *values);
    if (!values)
      return TS_E_MEMORY;
    TS_TRY(ts_param_parse(values, param, text));
  } else {
    ts_status status = strchr(text, ':') ? range_values(&values, &count, arena, param, text)
                                         : list_values(&values, &count, arena, param, text);
    if (status == TS_OK)
      status = check_distinct(arena, param, values, count);
    if (status != TS_OK)
      return in_sweep(status, param, text);
  }
  for (size_t i = 0; i < count; i++)
    values[i] += 0.0; // -0 is 0: one value, one name
  *out_values = values;
  *out_count = count;
  return TS_OK;
}
