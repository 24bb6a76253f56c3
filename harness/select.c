#include "harness/select.h"

#include "base/status.h"
#include "harness/controls/controls.h"
#include "harness/names.h"
#include "harness/plan.h"
#include "methods/registry.h"

#include <regex.h>
#include <string.h>

const ts_method *const *ts_plan_methods(ts_arena *arena, bool with_controls) {
  size_t count = 0, control_count = 0;
  while (ts_methods[count])
    count++;
  while (with_controls && ts_controls[control_count])
    control_count++;
  const ts_method **all = ts_arena_array(arena, count + control_count + 1, sizeof *all);
  if (!all)
    return NULL;
  memcpy(all, ts_methods, count * sizeof *all);
  memcpy(all + count, ts_controls, control_count * sizeof *all);
  return all;
}

/// Keeps those of `names` [count] that the pattern matches from end to end: their indices, in
/// order. NULL matches all.
static ts_status match_names(size_t *out, size_t *out_count, const char *kind, const char *pattern,
                             const char *const *names, size_t count) {
  regex_t regex;
  *out_count = 0;
  int error = pattern ? regcomp(&regex, pattern, REG_EXTENDED) : 0;
  if (error != 0) {
    char what[200];
    regerror(error, &regex, what, sizeof what);
    return ts_fail(TS_E_INPUT, "--%s \"%.300s\" is no POSIX extended regular expression: %s", kind,
                   pattern, what);
  }
  for (size_t i = 0; i < count; i++) {
    // The longest match is the one that POSIX gives, so that the whole name shows if it matches.
    regmatch_t match = {0, (regoff_t)strlen(names[i])};
    bool is_match = !pattern || (regexec(&regex, names[i], 1, &match, 0) == 0 && match.rm_so == 0 &&
                                 (size_t)match.rm_eo == strlen(names[i]));
    if (is_match)
      out[(*out_count)++] = i;
  }
  if (pattern)
    regfree(&regex);
  return *out_count > 0 ? TS_OK : ts_names_unknown(kind, pattern ? pattern : "", names, count);
}

static ts_status check_suite(ts_arena *arena, const char *suite) {
  size_t count = 0, suite_count = 0;
  while (ts_cases[count])
    count++;
  const char **suites = ts_arena_array(arena, count, sizeof *suites);
  if (!suites)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    if (strcmp(ts_cases[i]->suite, suite) == 0)
      return TS_OK;
    size_t k = 0;
    while (k < suite_count && strcmp(suites[k], ts_cases[i]->suite) != 0)
      k++;
    if (k == suite_count)
      suites[suite_count++] = ts_cases[i]->suite;
  }
  return ts_names_unknown("suite", suite, suites, suite_count);
}

ts_status ts_select_cases(const ts_case ***out, size_t *out_count, ts_arena *arena,
                          const char *suite, const char *pattern) {
  if (suite)
    TS_TRY(check_suite(arena, suite));
  size_t total = 0, count = 0;
  while (ts_cases[total])
    total++;
  const ts_case **in_suite = ts_arena_array(arena, total, sizeof *in_suite);
  const char **names = ts_arena_array(arena, total, sizeof *names);
  size_t *chosen = ts_arena_array(arena, total, sizeof *chosen);
  const ts_case **cases = ts_arena_array(arena, total, sizeof *cases);
  if (!in_suite || !names || !chosen || !cases)
    return TS_E_MEMORY;
  for (size_t i = 0; i < total; i++)
    if (!suite || strcmp(ts_cases[i]->suite, suite) == 0) {
      in_suite[count] = ts_cases[i];
      names[count++] = ts_cases[i]->name;
    }
  TS_TRY(match_names(chosen, out_count, "case", pattern, names, count));
  for (size_t i = 0; i < *out_count; i++)
    cases[i] = in_suite[chosen[i]];
  *out = cases;
  return TS_OK;
}

/// True when the pattern matches a control.
static bool matches_controls(ts_arena *arena, const char *pattern) {
  size_t total = 0, count = 0;
  while (ts_controls[total])
    total++;
  const char **names = ts_arena_array(arena, total, sizeof *names);
  size_t *chosen = ts_arena_array(arena, total, sizeof *chosen);
  if (!names || !chosen)
    return false;
  for (size_t i = 0; i < total; i++)
    names[i] = ts_controls[i]->name;
  return match_names(chosen, &count, "method", pattern, names, total) == TS_OK;
}

ts_status ts_select_methods(const ts_method ***out, size_t *out_count, ts_arena *arena,
                            bool with_controls, const char *pattern) {
  const ts_method *const *all = ts_plan_methods(arena, with_controls);
  size_t total = 0;
  while (all && all[total])
    total++;
  const char **names = ts_arena_array(arena, total, sizeof *names);
  size_t *chosen = ts_arena_array(arena, total, sizeof *chosen);
  const ts_method **methods = ts_arena_array(arena, total, sizeof *methods);
  if (!all || !names || !chosen || !methods)
    return TS_E_MEMORY;
  for (size_t i = 0; i < total; i++)
    names[i] = all[i]->name;
  if (pattern && !with_controls && matches_controls(arena, pattern) &&
      match_names(chosen, out_count, "method", pattern, names, total) != TS_OK)
    return ts_fail(TS_E_INPUT, "\"%.300s\" names controls; add --controls to have them", pattern);
  TS_TRY(match_names(chosen, out_count, "method", pattern, names, total));
  for (size_t i = 0; i < *out_count; i++)
    methods[i] = all[chosen[i]];
  *out = methods;
  return TS_OK;
}
