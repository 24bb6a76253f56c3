// SPDX-License-Identifier: MIT
// covers: methods/plugins/engines.c methods/plugins/plugin.c methods/plugins/plugin_check.c
// covers: methods/plugins/process_state.c
#include "methods/plugins/plugin.h"

#include "base/status.h"
#include "methods/plugins/engines.h"
#include "methods/plugins/plugin_check.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

// tests/cli/part_plugins.sh has the refusals, with plug-ins that are wrong in many ways.

static ts_arena *arena;

static void open_arena(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void close_arena(void) {
  ts_arena_destroy(arena);
}

TestSuite(methods_plugin, .init = open_arena, .fini = close_arena);

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *params) {
  (void)host, (void)pair, (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  return TS_OK;
}

static ts_method valid_method(void) {
  return (ts_method){.abi = TS_METHOD_ABI,
                     .struct_size = sizeof(ts_method),
                     .name = "one",
                     .summary = "A method.",
                     .source = "Anonymous, \xc2\xa7 3",
                     .generate = generate};
}

Test(methods_plugin, a_valid_method_is_copied_unchanged) {
  ts_method method = valid_method(), copy;
  cr_assert_eq(ts_plugin_check_method(&copy, arena, &method, 0), TS_OK, "%s", ts_status_detail());
  cr_expect_str_eq(copy.name, "one");
  cr_expect_eq(copy.generate, generate);
}

Test(methods_plugin, members_beyond_the_struct_of_an_older_header_are_not_read) {
  ts_method method = valid_method(), copy;
  method.taxonomy = (const ts_taxonomy *)(uintptr_t)16;
  method.struct_size = offsetof(ts_method, taxonomy);
  cr_assert_eq(ts_plugin_check_method(&copy, arena, &method, 0), TS_OK);
  cr_expect_null(copy.taxonomy);
}

Test(methods_plugin, older_versions_of_the_interface_are_accepted_and_others_are_not) {
  ts_method method = valid_method(), copy;
  for (method.abi = 1; method.abi <= TS_METHOD_ABI; method.abi++) {
    cr_assert_eq(ts_plugin_check_method(&copy, arena, &method, 0), TS_OK, "%u", method.abi);
    cr_expect_eq(copy.abi, method.abi, "the harness reads contacts by it");
  }
  cr_expect_eq(ts_plugin_check_method(&copy, arena, &method, 0), TS_E_INPUT, "a newer one");
  cr_expect_not_null(strstr(ts_status_detail(), "has versions 1 to 3"), "%s", ts_status_detail());
  method.abi = 0;
  cr_expect_eq(ts_plugin_check_method(&copy, arena, &method, 0), TS_E_INPUT);
}

Test(methods_plugin, a_method_of_version_2_takes_triangles) {
  ts_method method = valid_method(), copy;
  method.abi = 2;
  method.struct_size = offsetof(ts_method, takes);
  method.takes = UINT32_MAX; // beyond its struct
  cr_assert_eq(ts_plugin_check_method(&copy, arena, &method, 0), TS_OK);
  cr_expect_eq(copy.takes, 0);
}

Test(methods_plugin, a_larger_struct_of_the_same_version_is_accepted) {
  struct {
    ts_method method;
    void *later;
  } grown = {valid_method(), NULL};
  grown.method.struct_size = sizeof grown;
  ts_method copy;
  cr_expect_eq(ts_plugin_check_method(&copy, arena, &grown.method, 0), TS_OK);
}

static void expect_state(uint32_t keeps_state, const char *keeps_state_if, const char *words) {
  static const ts_param param = {
      .name = "memory", .summary = "Steps.", .kind = TS_PARAM_REAL, .maximum = 9};
  ts_method method = valid_method(), copy;
  method.params = &param;
  method.param_count = 1;
  method.keeps_state = keeps_state;
  method.keeps_state_if = keeps_state_if;
  ts_status status = ts_plugin_check_method(&copy, arena, &method, 0);
  cr_expect_eq(status, words ? TS_E_INPUT : TS_OK, "%s", ts_status_detail());
  cr_expect(!words || strstr(ts_status_detail(), words), "%s", ts_status_detail());
}

Test(methods_plugin, the_parameter_of_the_state_is_one_of_the_method) {
  expect_state(1, NULL, NULL);
  expect_state(1, "memory", NULL);
  expect_state(1, "memories", "no parameter memories, which keeps_state_if names; set");
  expect_state(1, "", "no parameter");
  expect_state(0, "memory", "sets keeps_state_if but not keeps_state; set both");
  ts_method method = valid_method(), copy;
  method.keeps_state = 1;
  method.keeps_state_if = (const char *)(uintptr_t)16;
  method.struct_size = offsetof(ts_method, keeps_state_if);
  cr_assert_eq(ts_plugin_check_method(&copy, arena, &method, 0), TS_OK);
  cr_expect(copy.keeps_state == 1 && !copy.keeps_state_if, "an older header has no condition");
}

Test(methods_plugin, the_parameter_that_shapes_depend_on_is_one_of_the_method) {
  static const ts_param param = {
      .name = "shapes", .summary = "Native.", .kind = TS_PARAM_REAL, .maximum = 1};
  ts_method method = valid_method(), copy;
  method.params = &param;
  method.param_count = 1;
  method.takes_if = "shapes";
  cr_expect_eq(ts_plugin_check_method(&copy, arena, &method, 0), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "sets takes_if but not takes"), "%s", ts_status_detail());
  method.takes = TS_TAKES(TS_GEOMETRY_SPHERE);
  cr_expect_eq(ts_plugin_check_method(&copy, arena, &method, 0), TS_OK);
  method.takes_if = "shape";
  cr_expect_eq(ts_plugin_check_method(&copy, arena, &method, 0), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "no parameter shape, which takes_if names"), "%s",
            ts_status_detail());
}

static void expect_source(const char *source, ts_status expected) {
  ts_method method = valid_method(), copy;
  method.source = source;
  cr_expect_eq(ts_plugin_check_method(&copy, arena, &method, 0), expected, "%s", source);
}

Test(methods_plugin, texts_must_be_one_line_of_utf_8) {
  expect_source("Gr\xc3\xb6\xc3\x9f"
                "e \xe2\x89\xa5 \xf0\x9f\x92\xa1",
                TS_OK);
  expect_source("\xed\x9f\xbf \xee\x80\x80 \xf4\x8f\xbf\xbf", TS_OK);
  expect_source("", TS_E_INPUT);
  expect_source("tab\there", TS_E_INPUT);
  expect_source("two\nlines", TS_E_INPUT);
  expect_source("cut \xc3", TS_E_INPUT);
  expect_source("alone \x80", TS_E_INPUT);
  expect_source("too long \xc0\xaf", TS_E_INPUT);
  expect_source("too long \xe0\x80\xaf", TS_E_INPUT);
  expect_source("too long \xf0\x80\x80\xaf", TS_E_INPUT);
  expect_source("half a pair \xed\xa0\x80", TS_E_INPUT);
  expect_source("beyond \xf4\x90\x80\x80", TS_E_INPUT);
  char long_text[602];
  memset(long_text, 'a', sizeof long_text - 1);
  long_text[601] = '\0';
  expect_source(long_text, TS_E_INPUT);
  expect_source(long_text + 1, TS_OK);
}

static ts_status envelope(ts_envelope *out, const double *params) {
  *out = (ts_envelope){.kind = TS_ENVELOPE_ERODED, .size_m = params[0], .reach_m = 2};
  return params[0] < 5 ? TS_OK : ts_fail(TS_E_INPUT, "too large");
}

Test(methods_plugin, the_envelope_depends_on_the_parameters) {
  ts_method method = valid_method();
  ts_envelope out;
  cr_assert_eq(ts_plugin_envelope(&out, &method, NULL), TS_OK);
  cr_expect_eq(out.kind, TS_ENVELOPE_NONE);
  cr_expect_eq(out.size_m, 0);
  method.envelope = envelope;
  double value = 0.25;
  cr_assert_eq(ts_plugin_envelope(&out, &method, &value), TS_OK);
  cr_expect_eq(out.kind, TS_ENVELOPE_ERODED);
  cr_expect_eq(out.size_m, 0.25);
  cr_expect_eq(out.reach_m, 2);
  value = 9;
  cr_expect_eq(ts_plugin_envelope(&out, &method, &value), TS_E_INPUT);
  cr_expect_str_eq(ts_status_detail(), "envelope() of method one: too large");
}

Test(methods_plugin, engines_are_found_by_name) {
  size_t count = 0;
  for (; ts_engines[count].name; count++)
    cr_expect_eq(ts_engine_find(ts_engines[count].name), &ts_engines[count]);
  cr_expect_eq(count, 10);
  cr_expect_null(ts_engine_find("growth"));
}

Test(methods_plugin, a_name_may_be_as_long_as_the_interface_says) {
  char name[TS_NAME_LENGTH_MAX + 2];
  memset(name, 'a', sizeof name);
  name[TS_NAME_LENGTH_MAX] = '\0';
  ts_method method = valid_method(), copy;
  method.name = name;
  cr_expect_eq(ts_plugin_check_method(&copy, arena, &method, 0), TS_OK);
  name[TS_NAME_LENGTH_MAX] = 'a';
  name[TS_NAME_LENGTH_MAX + 1] = '\0';
  cr_expect_eq(ts_plugin_check_method(&copy, arena, &method, 0), TS_E_INPUT);
  cr_expect_not_null(strstr(ts_status_detail(), "at most 60 bytes"), "%s", ts_status_detail());
}
