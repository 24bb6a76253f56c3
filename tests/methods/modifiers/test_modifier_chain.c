// SPDX-License-Identifier: MIT
// covers: methods/modifiers/modifier_chain.c methods/modifiers/modifier_registry.c
#include "base/status.h"
#include "methods/modifiers/modifier_chain.h"
#include "methods/modifiers/modifier_registry.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static ts_arena *arena;

static void open_arena(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void close_arena(void) {
  ts_arena_destroy(arena);
}

TestSuite(modifier_chain, .init = open_arena, .fini = close_arena);

/// Pushes what it gets `times` times, each lower by `drop_m`.
static ts_status copy(const ts_host *host, const ts_pair *pair, const ts_contact *contacts,
                      size_t count, const double *params) {
  (void)pair;
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < (int)params[0]; k++) {
      ts_contact contact = contacts[i];
      contact.point.y -= k * params[1];
      ts_status status = host->push(host, &contact, 1);
      if (status != TS_OK)
        return status;
    }
  return TS_OK;
}

static const char *const words[] = {"low", "high", NULL};
static const ts_param copy_params[] = {
    {"times", "How often.", TS_PARAM_INTEGER, 0, 2, 0, 100, NULL},
    {"drop_m", "How much lower.", TS_PARAM_REAL, 1, 0.5, 0, 10, NULL},
    {"way", "A word.", TS_PARAM_CHOICE, 0, 0, 0, 0, words},
};
static const ts_modifier copier = {.abi = TS_METHOD_ABI,
                                   .struct_size = sizeof(ts_modifier),
                                   .name = "copy",
                                   .summary = "Copies.",
                                   .source = "tests",
                                   .params = copy_params,
                                   .param_count = 3,
                                   .apply = copy};

static const ts_modifier *const *known(size_t *count) {
  static const ts_modifier *list[2];
  list[0] = &copier;
  list[1] = ts_modifier_find("cut");
  cr_assert_not_null(list[1]);
  *count = 2;
  return list;
}

static ts_status parse(ts_modifier_chain *out, const char *text) {
  size_t count;
  const ts_modifier *const *list = known(&count);
  return ts_modifier_chain_parse(out, arena, text, list, count);
}

Test(modifier_chain, has_all_parameters_in_its_text) {
  ts_modifier_chain chain, again;
  cr_assert_eq(parse(&chain, "copy:way=high,cut,copy:times=3:drop_m=0.25"), TS_OK);
  cr_assert_eq(chain.count, 3);
  cr_assert_str_eq(chain.text, "copy:times=2:drop_m=0.5:way=high,cut:gap_m=0,"
                               "copy:times=3:drop_m=0.25:way=low");
  cr_assert_eq(chain.links[0].values[2], 1);
  cr_assert_eq(parse(&again, chain.text), TS_OK);
  cr_assert_str_eq(again.text, chain.text);
}

Test(modifier_chain, none_has_no_link) {
  ts_modifier_chain chain;
  cr_assert_eq(parse(&chain, "none"), TS_OK);
  cr_assert_eq(chain.count, 0);
  cr_assert_str_eq(chain.text, "");
}

Test(modifier_chain, says_what_is_wrong) {
  static const struct {
    const char *text, *says;
  } all[] = {{"", "choose from copy, cut"},       {"cuts", "unknown modifier \"cuts\""},
             {"cut,", "unknown modifier \"\""},   {"none,cut", "unknown modifier \"none\""},
             {"cut:gap=1", "it has gap_m"},       {"cut:gap_m", "not PARAMETER=VALUE"},
             {"cut:", "not PARAMETER=VALUE"},     {"cut:gap_m=x", "gap_m"},
             {"copy:times=2.5", "times"},         {"copy:way=up", "way"},
             {"cut:gap_m=1:gap_m=1", "set twice"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    ts_modifier_chain chain;
    cr_expect_eq(parse(&chain, all[i].text), TS_E_INPUT, "%s", all[i].text);
    cr_expect(strstr(ts_status_detail(), all[i].says), "%s: %s", all[i].text, ts_status_detail());
  }
}

static ts_status apply(ts_contact_set *set, const char *text, double scale) {
  ts_modifier_chain chain;
  ts_pair pair = {.struct_size = sizeof pair, .body_a = 0, .body_b = 1, .size_m = 1};
  cr_assert_eq(parse(&chain, text), TS_OK, "%s", ts_status_detail());
  return ts_modifier_chain_apply(set, arena, &chain, &pair, scale);
}

static ts_contact_set set_of(size_t count) {
  ts_contact_set set = {.body_a = 0, .body_b = 1};
  for (size_t i = 0; i < count; i++) {
    ts_contact c = {
        .point = {(double)i, 0, 0}, .normal = {0, 1, 0}, .gap_m = 0.1 * (double)i, .area_m2 = NAN};
    cr_assert_eq(ts_contact_set_push(&set, &c, 1), TS_OK);
  }
  return set;
}

Test(modifier_chain, applies_links_in_order_and_makes_each_canonical) {
  ts_contact_set set = set_of(4);
  cr_assert_eq(apply(&set, "copy:drop_m=0,cut:gap_m=0.15", 1), TS_OK);
  cr_assert_eq(set.count, 2); // copies are duplicates
  cr_assert_eq(set.delivered, 4);
  cr_assert_eq(apply(&set, "copy:drop_m=0.5", 2), TS_OK); // a length at scale 2
  cr_assert_eq(set.count, 4);
  cr_assert_eq(set.contacts[0].point.y, -1);
  ts_contact_set_clear(&set);
}

Test(modifier_chain, leaves_an_empty_set_alone) {
  ts_contact_set set = set_of(2);
  cr_assert_eq(apply(&set, "cut:gap_m=-1,copy", 1), TS_OK);
  cr_assert_eq(set.count, 0);
  ts_contact_set_clear(&set);
}

Test(modifier_chain, bounds_what_a_modifier_pushes) {
  ts_contact_set set = set_of(8);
  cr_assert_eq(apply(&set, "copy:times=6", 1), TS_OK);
  ts_contact_set_clear(&set);
  set = set_of(8);
  cr_assert_eq(apply(&set, "copy:times=7", 1), TS_E_INPUT);
  cr_assert(strstr(ts_status_detail(), "modifier copy: pushes more than 48"), "%s",
            ts_status_detail());
  ts_contact_set_clear(&set);
}

Test(modifier_chain, passes_on_contacts_that_were_not_finite) {
  ts_contact_set set = set_of(2);
  set.contacts[1].point.x = NAN;
  cr_assert_eq(apply(&set, "cut:gap_m=1", 1), TS_OK);
  cr_assert_eq(set.count, 2);
  ts_contact_set_clear(&set);
}
