// SPDX-License-Identifier: MIT
// covers: harness/plan/options.c harness/plan/select.c harness/plan/names.c
#include "harness/plan/options.h"

#include "base/status.h"
#include "harness/plan/select.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}
static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(harness_options, .init = setup, .fini = teardown);

typedef struct some_values {
  ts_texts names;
  ts_assignments sets;
  double jobs;
  bool is_quiet;
} some_values;

static const ts_option options[] = {
    {.name = "name",
     .argument = "RE",
     .kind = TS_OPTION_TEXTS,
     .offset = offsetof(some_values, names),
     .help = "some"},
    {.name = "set",
     .argument = "name=value",
     .kind = TS_OPTION_ASSIGNMENTS,
     .offset = offsetof(some_values, sets),
     .help = "some"},
    {.name = "jobs",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     .offset = offsetof(some_values, jobs),
     .fallback = "1",
     .minimum = 1,
     .maximum = 9,
     .help = "some"},
    {.name = "quiet",
     .kind = TS_OPTION_SWITCH,
     .offset = offsetof(some_values, is_quiet),
     .help = "some"},
};

static const ts_command command = {.name = "some",
                                   .operands = "",
                                   .summary = "",
                                   .notes = "",
                                   .options = options,
                                   .option_count = sizeof options / sizeof *options};

static ts_status parse(some_values *out, int count, char *const *arguments) {
  ts_arguments parsed;
  *out = (some_values){0};
  return ts_options_parse(out, &parsed, arena, &command, count, arguments);
}

#define PARSE(out, ...)                                                                            \
  parse(out, (int)(sizeof(const char *[]){__VA_ARGS__} / sizeof(char *)), (char *[]){__VA_ARGS__})

Test(harness_options, lists_keep_the_order_in_which_they_are_given) {
  some_values values;
  cr_assert_eq(PARSE(&values, "--set", "b=1", "--name", "second", "--set=a=2", "--name=first"),
               TS_OK);
  cr_assert_eq(values.names.count, 2);
  cr_expect_str_eq(values.names.items[0], "second");
  cr_expect_str_eq(values.names.items[1], "first");
  cr_assert_eq(values.sets.count, 2);
  cr_expect_str_eq(values.sets.items[1].name, "a");
}

Test(harness_options, what_counts_once_is_refused_twice) {
  some_values values;
  cr_expect_eq(PARSE(&values, "--jobs=2", "--jobs", "2"), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "--jobs is given twice"), "%s", ts_status_detail());
  cr_expect_eq(PARSE(&values, "--quiet", "--quiet"), TS_OK, "a switch is on however often");
}

Test(harness_options, an_option_is_found_with_and_without_its_value) {
  cr_expect_eq(ts_options_find(&command, "--jobs"), 2);
  cr_expect_eq(ts_options_find(&command, "--jobs=3"), 2);
  static const char *const others[] = {"--job", "--jobss", "-jobs", "jobs",
                                       "--",    "-",       "",      "--=jobs"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    cr_expect_eq(ts_options_find(&command, others[i]), command.option_count, "%s", others[i]);
}

Test(harness_options, a_letter_is_taken_for_the_option_that_begins_with_it) {
  some_values values;
  cr_expect_eq(PARSE(&values, "-j", "2"), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "did you mean \"--jobs\""), "%s", ts_status_detail());
  cr_expect_eq(PARSE(&values, "-x"), TS_E_INPUT);
  cr_expect_not(strstr(ts_status_detail(), "did you mean"), "%s", ts_status_detail());
}

Test(harness_options, any_of_several_patterns_is_one_pattern) {
  static const char *const patterns[] = {"a|b", "c.*", "d"};
  static const char *const expected[] = {NULL, "a|b", "(a|b)|(c.*)", "(a|b)|(c.*)|(d)"};
  for (size_t count = 0; count <= 3; count++) {
    const char *items[3], *any;
    memcpy(items, patterns, sizeof items);
    cr_assert_eq(ts_select_any(&any, arena, &(ts_texts){count, items}), TS_OK);
    cr_expect(count == 0 ? any == NULL : strcmp(any, expected[count]) == 0, "%s", any);
  }
}
