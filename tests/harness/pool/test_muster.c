// SPDX-License-Identifier: MIT
// covers: harness/pool/muster.c
#include "harness/pool/muster.h"

#include "base/status.h"
#include "crew_fixture.h"
#include "reports/rows/context.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *arena;
static crew_fixture crew;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
  crew_open(&crew, 3);
}

static void teardown(void) {
  crew_close(&crew);
  ts_arena_destroy(arena);
}

TestSuite(harness_muster, .init = setup, .fini = teardown);

static ts_plan plan_of(const char *cases) {
  ts_plan plan;
  ts_plan_request request = {.cases = cases, .methods = "closest_points", .steps = 1};
  cr_assert_eq(ts_plan_create(&plan, arena, &request), TS_OK, "%s", ts_status_detail());
  return plan;
}

/// A report of our own making, with one value of its context replaced.
static void report_with(int rank, const char *group, const char *key, const char *value,
                        const ts_plan *plan) {
  json_t *context = ts_context_create(0, NULL);
  json_object_set_new(json_object_get(context, group), key, json_string(value));
  char hash[17];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)ts_plan_hash(plan));
  json_t *report = json_pack("{s:o, s:s, s:s, s:[]}", "context", context, "host", "far", "plan",
                             hash, "plugins");
  char *text = json_dumps(report, 0);
  cr_assert(text);
  cr_assert_eq(ts_crew_send_text(crew.ranks[rank], &(ts_message){.kind = TS_MESSAGE_REPORT}, text),
               TS_OK);
  free(text);
  json_decref(report);
}

static void expect_refused(const ts_plan *plan, const char *words) {
  json_t *mpi = NULL;
  cr_assert_eq(ts_muster_check(&mpi, crew.ranks[0], plan, 1), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), words), "\"%s\" is not in: %s", words, ts_status_detail());
  cr_expect_null(mpi);
}

Test(harness_muster, all_ranks_get_the_options_of_rank_0) {
  const char *const options[] = {"--case=spikes", "--set=scale=2"};
  cr_assert_eq(ts_muster_share(crew.ranks[0], options, 2), TS_OK);
  for (int rank = 1; rank < 3; rank++) {
    char **got;
    int count;
    cr_assert_eq(ts_muster_receive(&got, &count, arena, crew.ranks[rank]), TS_OK);
    cr_assert_eq(count, 2);
    cr_expect_str_eq(got[0], options[0]);
    cr_expect_str_eq(got[1], options[1]);
  }
}

Test(harness_muster, an_option_that_is_not_text_is_refused) {
  const char *const options[] = {"--out=\xff"};
  cr_expect_eq(ts_muster_share(crew.ranks[0], options, 1), TS_E_INPUT);
}

Test(harness_muster, ranks_that_agree_are_listed_by_host) {
  ts_plan plan = plan_of("spikes");
  cr_assert_eq(ts_muster_report(crew.ranks[1], TS_OK, &plan), TS_OK);
  report_with(2, "libraries", "jansson", "another one, which does not matter", &plan);
  json_t *mpi;
  cr_assert_eq(ts_muster_check(&mpi, crew.ranks[0], &plan, 5), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(json_integer_value(json_object_get(mpi, "ranks")), 3);
  cr_expect_eq(json_integer_value(json_object_get(mpi, "jobs_per_rank")), 5);
  json_t *hosts = json_object_get(mpi, "hosts");
  cr_assert_eq(json_array_size(hosts), 2);
  cr_expect_eq(json_integer_value(json_object_get(json_array_get(hosts, 0), "ranks")), 2);
  cr_expect_null(json_object_get(json_array_get(hosts, 1), "differs"));
  json_decref(mpi);
}

Test(harness_muster, another_build_is_refused_with_the_rank) {
  ts_plan plan = plan_of("spikes");
  cr_assert_eq(ts_muster_report(crew.ranks[1], TS_OK, &plan), TS_OK);
  report_with(2, "build", "flags", "-Oslow", &plan);
  expect_refused(&plan, "rank 2 on host far: another touchstone than on rank 0 (build flags: ");
}

Test(harness_muster, all_ranks_of_a_fault_are_named) {
  ts_plan plan = plan_of("spikes");
  report_with(1, "build", "flags", "-Oslow", &plan);
  report_with(2, "build", "flags", "-Oslow", &plan);
  expect_refused(&plan, "rank 1 on host far: another touchstone");
  cr_expect(strstr(ts_status_detail(), "(and so on rank 2); nothing was run"), "%s",
            ts_status_detail());
}

Test(harness_muster, another_machine_is_allowed_and_told) {
  ts_plan plan = plan_of("spikes");
  cr_assert_eq(ts_muster_report(crew.ranks[1], TS_OK, &plan), TS_OK);
  report_with(2, "machine", "cpu", "Abacus 2", &plan);
  json_t *mpi;
  cr_assert_eq(ts_muster_check(&mpi, crew.ranks[0], &plan, 1), TS_OK, "%s", ts_status_detail());
  const json_t *far = json_array_get(json_object_get(mpi, "hosts"), 1);
  const char *differs = json_string_value(json_object_get(far, "differs"));
  cr_expect(differs && strstr(differs, "Abacus 2"), "%s", differs);
  json_decref(mpi);
}

Test(harness_muster, another_plan_is_refused) {
  ts_plan plan = plan_of("spikes"), other = plan_of("wedges");
  cr_assert_eq(ts_muster_report(crew.ranks[1], TS_OK, &other), TS_OK);
  cr_assert_eq(ts_muster_report(crew.ranks[2], TS_OK, &plan), TS_OK);
  expect_refused(&plan, "it would run other cells than rank 0");
}

Test(harness_muster, a_rank_that_cannot_plan_says_why) {
  ts_plan plan = plan_of("spikes");
  cr_assert_eq(ts_muster_report(crew.ranks[1], TS_OK, &plan), TS_OK);
  ts_status status = ts_fail(TS_E_INPUT, "plug-in p.so: no such file");
  cr_assert_eq(ts_muster_report(crew.ranks[2], status, &plan), TS_OK);
  expect_refused(&plan, ": plug-in p.so: no such file");
}

Test(harness_muster, plugins_are_compared_by_their_content) {
  ts_plan plan = plan_of("spikes"), other = plan;
  ts_plugin ours = {.path = "/here/p.so", .hash = 1}, theirs = {.path = "/there/p.so", .hash = 2};
  const ts_plugin *our_list[] = {&ours}, *their_list[] = {&theirs};
  plan.plugins = our_list;
  other.plugins = their_list;
  plan.plugin_count = other.plugin_count = 1;
  cr_assert_eq(ts_muster_report(crew.ranks[1], TS_OK, &plan), TS_OK);
  cr_assert_eq(ts_muster_report(crew.ranks[2], TS_OK, &other), TS_OK);
  expect_refused(&plan, "plug-in p.so is another file than on rank 0");
  theirs.hash = 1;
  cr_assert_eq(ts_muster_report(crew.ranks[1], TS_OK, &plan), TS_OK);
  cr_assert_eq(ts_muster_report(crew.ranks[2], TS_OK, &other), TS_OK);
  json_t *mpi;
  cr_expect_eq(ts_muster_check(&mpi, crew.ranks[0], &plan, 1), TS_OK, "wherever they are");
  json_decref(mpi);
}

Test(harness_muster, a_rank_that_has_died_is_named) {
  ts_plan plan = plan_of("spikes");
  cr_assert_eq(ts_muster_report(crew.ranks[2], TS_OK, &plan), TS_OK);
  cr_assert_eq(ts_crew_send(crew.ranks[1], &(ts_message){.kind = TS_MESSAGE_LOST, .body = -1}),
               TS_OK);
  expect_refused(&plan, "rank 1 on host unknown: it has died before the first cell");
}
