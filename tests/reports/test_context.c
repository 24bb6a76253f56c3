#include "reports/context.h"

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
