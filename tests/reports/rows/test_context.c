// SPDX-License-Identifier: MIT
// covers: reports/rows/context.c
#include "reports/rows/context.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *text_at(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

Test(reports_context, everything_that_numbers_depend_on_is_there) {
  json_t *context = ts_context_create(0, NULL);
  cr_assert(json_is_object(context));
  static const char *const texts[] = {"program", "version", "commit", "date", "locale"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    cr_expect(text_at(context, texts[i])[0] != '\0', "%s", texts[i]);
  const json_t *build = json_object_get(context, "build");
  cr_expect(strstr(text_at(build, "flags"), "-ffp-contract=off") != NULL);
  cr_expect(strstr(text_at(build, "flags"), "-W") == NULL);
  cr_expect(text_at(build, "compiler")[0] != '\0');
  cr_expect(text_at(build, "sanitizers")[0] != '\0');
  const json_t *machine = json_object_get(context, "machine");
  static const char *const facts[] = {"cpu", "architecture", "kernel", "distribution"};
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
    cr_expect(text_at(machine, facts[i])[0] != '\0', "%s", facts[i]);
  cr_expect_geq(json_integer_value(json_object_get(machine, "cores")), 1);
  cr_expect_gt(json_integer_value(json_object_get(machine, "memory_bytes")), 1 << 20);
  cr_expect_gt(json_integer_value(json_object_get(context, "clock_resolution_ns")), 0);
  const json_t *libraries = json_object_get(context, "libraries");
  cr_expect_str_eq(text_at(libraries, "jansson"), jansson_version_str());
  cr_expect_str_eq(text_at(libraries, "libcsv"), "3.0.3");
  json_decref(context);
}

Test(reports_context, the_date_is_utc_in_iso_8601) {
  json_t *context = ts_context_create(0, NULL);
  const char *date = text_at(context, "date");
  cr_expect_eq(strlen(date), strlen("2018-06-01T12:00:00Z"));
  cr_expect(date[4] == '-' && date[10] == 'T' && date[19] == 'Z', "%s", date);
  json_decref(context);
}

Test(reports_context, arguments_keep_no_absolute_path) {
  char *arguments[] = {(char[]){"/home/someone/bin/touchstone"},
                       (char[]){"run"},
                       (char[]){"--out=/home/someone/results/one"},
                       (char[]){"--sweep"},
                       (char[]){"erosion_m=0.001:0.02:20"},
                       (char[]){"some/where"},
                       (char[]){"a\xff"}};
  json_t *context = ts_context_create(7, arguments);
  const json_t *list = json_object_get(context, "arguments");
  static const char *const expected[] = {
      "touchstone", "run", "--out=one", "--sweep", "erosion_m=0.001:0.02:20", "some/where", "a?"};
  cr_assert_eq(json_array_size(list), 7);
  for (size_t i = 0; i < 7; i++)
    cr_expect_str_eq(json_string_value(json_array_get(list, i)), expected[i]);
  json_decref(context);
}

Test(reports_context, it_names_no_host) {
  char host[256] = "";
  cr_assert_eq(gethostname(host, sizeof host - 1), 0);
  json_t *context = ts_context_create(0, NULL);
  char *text = json_dumps(context, 0), *quoted;
  cr_assert(asprintf(&quoted, "\"%s\"", host) > 0);
  cr_expect(strstr(text, quoted) == NULL, "%s", host);
  cr_expect(strstr(text, "nodename") == NULL);
  free(quoted);
  free(text);
  json_decref(context);
}

/// What must be the same to resume a run; everything else may differ.
static const char *const pinned[] = {"program",
                                     "version",
                                     "commit",
                                     "build compiler",
                                     "build type",
                                     "build flags",
                                     "machine cpu",
                                     "build sanitizers",
                                     "machine cores",
                                     "libraries glibc",
                                     "machine architecture"};
#define PINNED_COUNT (sizeof pinned / sizeof *pinned)

static bool is_pinned(const char *name) {
  for (size_t i = 0; i < PINNED_COUNT; i++)
    if (strcmp(pinned[i], name) == 0)
      return true;
  return false;
}

/// Changes one fact of a context, expects the right result of the check, and restores it.
static size_t expect_judged(const json_t *context, json_t *object, const char *key,
                            const char *name) {
  json_t *before = json_incref(json_object_get(object, key));
  char *text = json_dumps(before, JSON_ENCODE_ANY);
  json_object_set_new(object, key, json_string("another"));
  ts_status status = ts_context_check(context, "some/where");
  cr_expect_eq(status, is_pinned(name) ? TS_E_INPUT : TS_OK, "%s", name);
  if (status != TS_OK) {
    const char *detail = ts_status_detail();
    cr_expect(strstr(detail, "cannot resume some/where: ") == detail, "%s", detail);
    char *expected;
    cr_assert(asprintf(&expected, ": %s was \"another\" and is %.200s now, so rows", name, text) >
              0);
    cr_expect(strstr(detail, expected) != NULL, "%s, not %s", detail, expected);
    cr_expect(strstr(detail, "start a new run with --out") != NULL, "%s", detail);
    free(expected);
  }
  json_object_set_new(object, key, before);
  free(text);
  return status != TS_OK;
}

Test(reports_context, a_run_resumes_only_if_numbers_and_times_are_comparable) {
  json_t *context = ts_context_create(0, NULL);
  cr_expect_eq(ts_context_check(context, "some/where"), TS_OK, "%s", ts_status_detail());
  size_t refused = 0;
  const char *key, *inner;
  json_t *value, *fact;
  void *next, *inner_next; // an iterator stays valid when a value changes
  json_object_foreach_safe(context, next, key, value) {
    if (!json_is_object(value)) {
      refused += expect_judged(context, context, key, key);
      continue;
    }
    json_object_foreach_safe(value, inner_next, inner, fact) {
      char name[64];
      snprintf(name, sizeof name, "%s %s", key, inner);
      refused += expect_judged(context, value, inner, name);
    }
  }
  cr_expect_eq(refused, PINNED_COUNT);
  json_decref(context);
}

Test(reports_context, all_that_differs_is_named) {
  json_t *context = ts_context_create(0, NULL);
  json_object_set_new(context, "version", json_string("0.0.0"));
  json_object_del(json_object_get(context, "build"), "flags");
  json_object_set_new(json_object_get(context, "machine"), "cores", json_integer(4096));
  cr_expect_eq(ts_context_check(context, "r"), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "version was \"0.0.0\" and is") != NULL);
  cr_expect(strstr(ts_status_detail(), "now; also changed: build flags, machine cores, so rows") !=
                NULL,
            "%s", ts_status_detail());
  json_object_clear(context);
  cr_expect_eq(ts_context_check(context, "r"), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "program was unknown and is \"touchstone\" now") != NULL);
  json_decref(context);
}

Test(reports_context, parts_have_the_facts_that_may_change_and_their_options) {
  json_t *context = ts_context_create(0, NULL);
  cr_expect_null(ts_context_parts(context));
  cr_expect_null(ts_context_parts(NULL));
  json_object_set_new(context, "date", json_string("once"));
  cr_assert_eq(ts_context_add_part(context, 0, json_pack("{s:i}", "jobs", 1)), TS_OK);
  cr_assert_eq(ts_context_add_part(context, 7, json_pack("{s:i}", "jobs", 4)), TS_OK);
  const json_t *parts = ts_context_parts(context);
  cr_assert_eq(json_array_size(parts), 2);
  const json_t *first = json_array_get(parts, 0), *second = json_array_get(parts, 1);
  cr_expect_str_eq(text_at(first, "date"), "once");
  cr_expect_str_neq(text_at(second, "date"), "once", "a later part has its own date");
  cr_expect_eq(json_integer_value(json_object_get(second, "first_cell")), 7);
  cr_expect_eq(json_integer_value(json_object_get(json_object_get(second, "options"), "jobs")), 4);
  const json_t *machine = json_object_get(second, "machine");
  cr_expect(json_is_array(json_object_get(machine, "load_average")));
  cr_expect(json_is_integer(json_object_get(machine, "memory_bytes")));
  cr_expect_null(json_object_get(machine, "cpu"), "that is the same in all parts");
  cr_expect_eq(ts_context_check(context, "r"), TS_OK, "%s", ts_status_detail());
  json_decref(context);
}
