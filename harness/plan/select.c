// SPDX-License-Identifier: MIT
#include "harness/plan/select.h"

#include "base/pattern.h"
#include "base/status.h"
#include "harness/plan/names.h"

#include <string.h>

/// Finds the `names` [count] that the pattern matches as a whole; gives their indices, in order.
/// NULL matches all.
static ts_status match_names(size_t *out, size_t *out_count, const char *kind, const char *pattern,
                             const char *const *names, size_t count) {
  regex_t regex;
  *out_count = 0;
  if (pattern && ts_pattern_compile(&regex, pattern) != TS_OK)
    return ts_fail(TS_E_INPUT, "--%s \"%.300s\" is %s", kind, pattern, ts_status_detail());
  for (size_t i = 0; i < count; i++)
    if (!pattern || ts_pattern_matches(&regex, names[i]))
      out[(*out_count)++] = i;
  if (pattern)
    regfree(&regex);
  return *out_count > 0 ? TS_OK : ts_names_unknown(kind, pattern ? pattern : "", names, count);
}

ts_status ts_select_any(const char **out, ts_arena *arena, const ts_texts *patterns) {
  const char *any = patterns->count > 0 ? patterns->items[0] : NULL;
  for (size_t i = 1; i < patterns->count; i++) {
    any = ts_arena_format(arena, i == 1 ? "(%s)|(%s)" : "%s|(%s)", any, patterns->items[i]);
    if (!any)
      return TS_E_MEMORY;
  }
  *out = any;
  return TS_OK;
}

static ts_status check_suite(ts_arena *arena, const ts_catalog *catalog, const char *suite) {
  size_t suite_count = 0;
  const char **suites = ts_arena_array(arena, catalog->case_count, sizeof *suites);
  if (!suites)
    return TS_E_MEMORY;
  for (size_t i = 0; i < catalog->case_count; i++) {
    const char *of_case = catalog->cases[i]->suite;
    if (strcmp(of_case, suite) == 0)
      return TS_OK;
    size_t k = 0;
    while (k < suite_count && strcmp(suites[k], of_case) != 0)
      k++;
    if (k == suite_count)
      suites[suite_count++] = of_case;
  }
  return ts_names_unknown("suite", suite, suites, suite_count);
}

ts_status ts_select_cases(const ts_case ***out, size_t *out_count, ts_arena *arena,
                          const ts_catalog *catalog, const char *suite, const char *pattern) {
  if (suite)
    TS_TRY(check_suite(arena, catalog, suite));
  size_t total = catalog->case_count, count = 0;
  const ts_case **in_suite = ts_arena_array(arena, total, sizeof *in_suite);
  const char **names = ts_arena_array(arena, total, sizeof *names);
  size_t *chosen = ts_arena_array(arena, total, sizeof *chosen);
  const ts_case **cases = ts_arena_array(arena, total, sizeof *cases);
  if (!in_suite || !names || !chosen || !cases)
    return TS_E_MEMORY;
  for (size_t i = 0; i < total; i++)
    if (!suite || strcmp(catalog->cases[i]->suite, suite) == 0) {
      in_suite[count] = catalog->cases[i];
      names[count++] = catalog->cases[i]->name;
    }
  TS_TRY(match_names(chosen, out_count, "case", pattern, names, count));
  for (size_t i = 0; i < *out_count; i++)
    cases[i] = in_suite[chosen[i]];
  *out = cases;
  return TS_OK;
}

/// For a pattern that matches nothing in the catalog: names the option that would add a match.
/// Fails like match_names() when there is no such option.
static ts_status explain_no_match(ts_arena *arena, const ts_catalog *catalog, const char *pattern) {
  ts_catalog all;
  TS_TRY(ts_catalog_create(&all, arena, true));
  size_t engine_count = 0, count = 0;
  while (ts_engines[engine_count].name)
    engine_count++;
  size_t *chosen = ts_arena_array(arena, all.method_count + engine_count, sizeof *chosen);
  const char **engines = ts_arena_array(arena, engine_count, sizeof *engines);
  const char *const *names = ts_catalog_method_names(arena, catalog);
  const char *const *all_names = ts_catalog_method_names(arena, &all);
  if (!chosen || !engines || !names || !all_names)
    return TS_E_MEMORY;
  for (size_t i = 0; i < engine_count; i++)
    engines[i] = ts_engines[i].name;
  if (match_names(chosen, &count, "method", pattern, all_names, all.method_count) == TS_OK)
    return ts_fail(TS_E_INPUT, "\"%.300s\" matches only controls, which run takes with --controls",
                   pattern);
  if (match_names(chosen, &count, "method", pattern, engines, engine_count) == TS_OK)
    return ts_catalog_lacks_engine(catalog, &ts_engines[chosen[0]]);
  return match_names(chosen, &count, "method", pattern, names, catalog->method_count);
}

ts_status ts_select_methods(const ts_method ***out, size_t *out_count, ts_arena *arena,
                            const ts_catalog *catalog, const char *pattern) {
  size_t total = catalog->method_count;
  const char *const *names = ts_catalog_method_names(arena, catalog);
  size_t *chosen = ts_arena_array(arena, total, sizeof *chosen);
  const ts_method **methods = ts_arena_array(arena, total, sizeof *methods);
  if (!names || !chosen || !methods)
    return TS_E_MEMORY;
  ts_status status = match_names(chosen, out_count, "method", pattern, names, total);
  if (status != TS_OK)
    return pattern ? explain_no_match(arena, catalog, pattern) : status;
  for (size_t i = 0; i < *out_count; i++)
    methods[i] = catalog->methods[chosen[i]];
  *out = methods;
  return TS_OK;
}
