// SPDX-License-Identifier: MIT
#include "base/param.h"

#include "base/number.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int ts_param_find(const ts_param *params, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(params[i].name, name) == 0)
      return (int)i;
  return -1;
}

void ts_param_defaults(double *values, const ts_param *params, size_t count) {
  for (size_t i = 0; i < count; i++)
    values[i] = params[i].default_value;
}

/// Writes what a parameter takes into `out`; long lists of choices are cut.
static const char *range_text(char *out, size_t size, const ts_param *param) {
  if (param->kind != TS_PARAM_CHOICE) {
    char low[TS_NUMBER_BYTES], high[TS_NUMBER_BYTES];
    ts_number_format(low, param->minimum);
    ts_number_format(high, param->maximum);
    const char *what = param->kind == TS_PARAM_INTEGER ? "a whole number" : "a number";
    if (isinf(param->maximum))
      snprintf(out, size, "%s, at least %s", what, low);
    else
      snprintf(out, size, "%s from %s to %s", what, low, high);
    return out;
  }
  size_t used = 0;
  out[0] = '\0';
  for (size_t i = 0; param->choices[i] && used < size; i++) {
    const char *join = i == 0 ? "" : param->choices[i + 1] ? ", " : " or ";
    int more = snprintf(out + used, size - used, "%s%s", join, param->choices[i]);
    used += more > 0 ? (size_t)more : 0;
  }
  return out;
}

ts_status ts_param_check(const ts_param *param, double value) {
  int fine;
  if (param->kind == TS_PARAM_CHOICE) {
    int count = 0;
    while (param->choices[count])
      count++;
    fine = value >= 0 && value < count && value == floor(value);
  } else {
    fine = value >= param->minimum && value <= param->maximum && isfinite(value) &&
           (param->kind != TS_PARAM_INTEGER || value == floor(value));
  }
  if (fine)
    return TS_OK;
  char number[TS_NUMBER_BYTES], range[512];
  return ts_fail(TS_E_INPUT, "%s=%s is out of range: it takes %s", param->name,
                 ts_number_format(number, value), range_text(range, sizeof range, param));
}

ts_status ts_param_parse(double *out, const ts_param *param, const char *text) {
  if (param->kind == TS_PARAM_CHOICE) {
    for (size_t i = 0; param->choices[i]; i++)
      if (strcmp(param->choices[i], text) == 0) {
        *out = (double)i;
        return TS_OK;
      }
  } else {
    double value;
    if (ts_number_parse(&value, text) == TS_OK && ts_param_check(param, value) == TS_OK) {
      *out = value;
      return TS_OK;
    }
  }
  char range[512];
  return ts_fail(TS_E_INPUT, "%s=%s is not valid or out of range: it takes %s", param->name, text,
                 range_text(range, sizeof range, param));
}

const char *ts_param_format(char buffer[32], const ts_param *param, double value) {
  if (param->kind == TS_PARAM_CHOICE)
    return param->choices[(size_t)value];
  return ts_number_format(buffer, value);
}

char *ts_param_join(ts_arena *arena, const ts_param *params, size_t count, const double *values) {
  char number[TS_NUMBER_BYTES];
  size_t bytes = 1;
  for (size_t i = 0; i < count; i++)
    bytes += strlen(params[i].name) + strlen(ts_param_format(number, &params[i], values[i])) + 2;
  char *text = ts_arena_alloc(arena, bytes), *end = text;
  for (size_t i = 0; text && i < count; i++)
    end += sprintf(end, "%s%s=%s", i ? ";" : "", params[i].name,
                   ts_param_format(number, &params[i], values[i]));
  return text;
}

char *ts_param_range(ts_arena *arena, const ts_param *param) {
  char text[512];
  return ts_arena_string(arena, range_text(text, sizeof text, param));
}

void ts_param_scale_lengths(double *out, const ts_param *params, size_t count, const double *values,
                            double scale) {
  for (size_t i = 0; i < count; i++)
    out[i] = params[i].is_length ? values[i] * scale : values[i];
}

bool ts_param_list_has(const char *list, const char *entry, size_t length) {
  while (*list) {
    size_t here = strcspn(list, ";");
    if (here == length && memcmp(list, entry, length) == 0)
      return true;
    list += here + (list[here] == ';');
  }
  return false;
}
