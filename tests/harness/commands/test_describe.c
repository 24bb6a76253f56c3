// SPDX-License-Identifier: MIT
// covers: harness/commands/describe.c
#include "harness/commands/describe.h"

#include <criterion/criterion.h>
#include <stddef.h>

static ts_arena *arena;

static void open_arena(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void close_arena(void) {
  ts_arena_destroy(arena);
}

TestSuite(harness_describe, .init = open_arena, .fini = close_arena);

static const char *words_of(ts_taxonomy taxonomy) {
  ts_method method = {.abi = TS_METHOD_ABI, .struct_size = sizeof method, .taxonomy = &taxonomy};
  return ts_describe_taxonomy(arena, &method);
}

Test(harness_describe, a_taxonomy_is_described_in_the_order_of_the_tables) {
  cr_expect_str_eq(
      words_of((ts_taxonomy){.locality = TS_LOCALITY_SEMI_LOCAL,
                             .testing = TS_TESTING_VOLUME,
                             .exactness = TS_EXACTNESS_APPROXIMATE,
                             .normals = TS_NORMALS_FEATURES | TS_NORMALS_VOLUME_ELEMENTS,
                             .instant = TS_INSTANT_CONTINUOUS}),
      "semi-local, volume, approximate, normals from features and volume elements, "
      "continuous");
}

Test(harness_describe, unspecified_properties_are_left_out) {
  cr_expect_str_eq(words_of((ts_taxonomy){0}), "unspecified");
  cr_expect_str_eq(words_of((ts_taxonomy){.normals = TS_NORMALS_CLOSEST_POINTS}),
                   "normals from closest points");
  cr_expect_str_eq(
      words_of((ts_taxonomy){.locality = TS_LOCALITY_GLOBAL, .instant = TS_INSTANT_DISCRETE}),
      "global, discrete");
}

Test(harness_describe, values_of_a_newer_interface_are_unspecified) {
  cr_expect_str_eq(words_of((ts_taxonomy){.locality = 99, .testing = -1, .instant = 7}),
                   "unspecified");
}

/// Nothing beyond the end of an older struct may be read.
Test(harness_describe, a_method_of_an_older_interface_has_no_taxonomy) {
  ts_taxonomy taxonomy = {.locality = TS_LOCALITY_LOCAL};
  ts_method method = {
      .abi = TS_METHOD_ABI, .struct_size = offsetof(ts_method, taxonomy), .taxonomy = &taxonomy};
  cr_expect_str_eq(ts_describe_taxonomy(arena, &method), "unspecified");
}
