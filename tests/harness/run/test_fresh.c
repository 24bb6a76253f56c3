// SPDX-License-Identifier: MIT
// covers: harness/run/fresh.c harness/narrow_phase/near_poses.c harness/run/cell_state.c
// covers: harness/narrow_phase/input_check.c
/// Methods whose contacts or times are not what they seem: remembered, random, found in
/// preparation, or judged by a truth that they have changed.
#include "harness/narrow_phase/near_poses.h"
#include "harness/run/fresh.h"

#include "base/clock.h"
#include "base/process.h"
#include "base/status.h"
#include "harness/controls/controls.h"
#include "harness/isolation/keeper.h"
#include "tests/harness/judge/scoring_fixture.h"
#include "tests/harness/run/cell_fixture.h"

#include <criterion/criterion.h>
#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

TestSuite(harness_fresh, .init = scoring_setup, .fini = scoring_teardown, .timeout = 120);

#define ARGUMENTS                                                                                  \
  const ts_host *host, const ts_pair *pair, const void *shape_a, const void *shape_b,              \
      void *pair_state, const double *params
#define UNUSED (void)pair, (void)shape_a, (void)shape_b, (void)pair_state, (void)params

static const ts_timing three_times = {3, 0, 1, 1};
static const char fresh_reason[] = "depends on what was asked before: gives other contacts when "
                                   "asked for the first time at the same poses";
static const char again_reason[] = "gives different contacts when called again";

static ts_cell_rows run_method(const ts_method *method, ts_timing timing, int64_t steps) {
  cell_draft draft = draft_cell(arena, "sliding_spike", method);
  draft.cell.steps = steps;
  ts_cell_rows rows;
  cr_assert_eq(collect_cell(&rows, arena, &draft.cell, &timing), TS_OK);
  return rows;
}

static ts_method method_of(ts_status (*generate)(ARGUMENTS)) {
  return (ts_method){
      .abi = TS_METHOD_ABI, .struct_size = sizeof(ts_method), .name = "own", .generate = generate};
}

/// All rows before `step` are ok, and that of `step` fails for that reason.
static void expect_failure(ts_status (*generate)(ARGUMENTS), ts_timing timing, int64_t steps,
                           double step, const char *reason) {
  ts_method method = method_of(generate);
  ts_cell_rows rows = run_method(&method, timing, steps);
  for (size_t i = 0; i + 1 < rows.record_count; i++)
    cr_expect_str_eq(rows.records[i].outcome, "ok", "%s", rows.records[i].reason);
  const ts_record *last = &rows.records[rows.record_count - 1];
  cr_expect_eq(last->step, step, "%g", last->step);
  cr_expect_str_eq(last->outcome, "failed");
  cr_expect_str_eq(last->reason, reason, "%s", last->reason);
}

/// One contact midway between the two bodies, which depends on the poses only.
static ts_contact honest_contact(const ts_pair *pair) {
  ts_vec3 a = pair->pose_a.translation, b = pair->pose_b.translation;
  return contact_at((a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2, up, 0);
}

static ts_status honest(ARGUMENTS) {
  UNUSED;
  ts_contact contact = honest_contact(pair);
  return host->push(host, &contact, 1);
}

Test(harness_fresh, a_method_without_memory_does_not_differ) {
  ts_method method = method_of(honest);
  for (int is_cold = 0; is_cold < 2; is_cold++) {
    ts_cell_rows rows = run_method(&method, is_cold ? once : three_times, 5);
    cr_assert_eq(rows.record_count, 5);
    for (size_t i = 0; i < 5; i++) {
      const ts_record *r = &rows.records[i];
      cr_expect_str_eq(r->outcome, "ok", "%s", r->reason);
      cr_expect(i == 0 ? isnan(r->differs_from_fresh) : r->differs_from_fresh == 0);
      cr_expect_eq(isnan(r->first_ns), isnan(r->repeats), "the timed steps have a first time");
    }
  }
}

Test(harness_fresh, controls_get_the_truth_as_it_is_in_the_other_process_too) {
  static const char *const cases[] = {"crossing_edges", "box_in_corner", "cylinder_in_groove",
                                      "peg_in_hole"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cell_draft draft = draft_cell(arena, cases[i], control_named("control_ideal"));
    draft_set(arena, &draft, "motion_seed", 4);
    draft.cell.steps = 0;
    ts_cell_rows rows;
    cr_assert_eq(collect_cell(&rows, arena, &draft.cell, &three_times), TS_OK);
    cr_assert_eq(rows.record_count, 2);
    for (size_t k = 0; k < 2; k++)
      cr_expect_str_eq(rows.records[k].outcome, "ok", "%s: %s", cases[i], rows.records[k].reason);
  }
}

static struct {
  ts_contact contact;
  ts_vec3 at; ///< translation of body b that it was found for
  bool is_set;
} remembered;

/// Remembers the contact found within `reach_m` of where it is asked again.
static ts_status remember(const ts_host *host, const ts_pair *pair, double reach_m) {
  ts_vec3 b = pair->pose_b.translation;
  if (!remembered.is_set || ts_vec3_norm(ts_vec3_sub(b, remembered.at)) > reach_m) {
    remembered.contact = honest_contact(pair);
    remembered.at = b;
    remembered.is_set = true;
  }
  return host->push(host, &remembered.contact, 1);
}

static ts_status remember_for_ever(ARGUMENTS) {
  UNUSED;
  return remember(host, pair, INFINITY);
}

static ts_status remember_nearby(ARGUMENTS) {
  UNUSED;
  return remember(host, pair, 1e-9);
}

Test(harness_fresh, contacts_that_are_never_refreshed_fail) {
  expect_failure(remember_for_ever, once, 0, 3, fresh_reason);
  remembered.is_set = false;
  expect_failure(remember_for_ever, once, 9, 2, fresh_reason);
  remembered.is_set = false;
  expect_failure(remember_for_ever, three_times, 0, 0, fresh_reason);
}

Test(harness_fresh, contacts_remembered_within_a_tolerance_fail_where_they_are_timed) {
  expect_failure(remember_nearby, three_times, 0, 0, fresh_reason);
}

Test(harness_fresh, a_method_that_says_that_it_keeps_state_has_it_in_a_column) {
  ts_method method = method_of(remember_for_ever);
  method.keeps_state = 1;
  ts_cell_rows rows = run_method(&method, three_times, 3);
  cr_assert_eq(rows.record_count, 3);
  for (size_t i = 0; i < 3; i++)
    cr_expect_str_eq(rows.records[i].outcome, "ok", "%s", rows.records[i].reason);
  cr_expect(isnan(rows.records[0].differs_from_fresh));
  cr_expect_eq(rows.records[1].differs_from_fresh, 1);
  cr_expect_eq(rows.records[2].differs_from_fresh, 1);
  method.generate = honest;
  cr_expect_eq(run_method(&method, once, 0).records[1].differs_from_fresh, 0);
}

/// What a pair has seen.
typedef struct history {
  ts_pose pose_b;
  int count; ///< of poses
} history;

static ts_status prepare_history(void **out, const ts_host *host, const ts_pair *pair,
                                 const void *shape_a, const void *shape_b, const double *params) {
  (void)pair, (void)shape_a, (void)shape_b, (void)params;
  *out = host->alloc(host, sizeof(history));
  return *out ? TS_OK : TS_E_MEMORY;
}

/// With the parameter on, each further pose makes the contact deeper.
static ts_status deepen(ARGUMENTS) {
  UNUSED;
  history *h = pair_state;
  if (h->count == 0 || memcmp(&h->pose_b, &pair->pose_b, sizeof h->pose_b) != 0)
    h->count++;
  h->pose_b = pair->pose_b;
  ts_contact contact = honest_contact(pair);
  contact.gap_m = -1e-9 * (params[0] != 0 ? h->count : 1);
  return host->push(host, &contact, 1);
}

static const char *const off_on[] = {"off", "on", NULL};
static const ts_param memory = {.name = "memory", .kind = TS_PARAM_CHOICE, .choices = off_on};

Test(harness_fresh, what_a_pair_keeps_lives_from_step_to_step_where_a_parameter_says_so) {
  ts_method method = method_of(deepen);
  method.prepare_pair = prepare_history;
  method.params = &memory;
  method.param_count = 1;
  method.keeps_state = 1;
  method.keeps_state_if = memory.name;
  for (int is_on = 0; is_on < 2; is_on++)
    for (int is_cold = 0; is_cold < 2; is_cold++) {
      cell_draft draft = draft_cell(arena, "sliding_spike", &method);
      draft.method_values[0] = is_on;
      draft.cell.steps = 5;
      ts_cell_rows rows;
      ts_timing timing = is_cold ? once : three_times;
      cr_assert_eq(collect_cell(&rows, arena, &draft.cell, &timing), TS_OK);
      cr_assert_eq(rows.record_count, 5);
      for (size_t i = 0; i < 5; i++) {
        const ts_record *r = &rows.records[i];
        cr_assert_str_eq(r->outcome, "ok", "%s", r->reason);
        cr_expect(i == 0 || r->differs_from_fresh == is_on, "step %g", r->step);
        if (i != 0 && r->step != 3)
          continue;
        cr_expect_eq(r->repeats, is_on || is_cold ? 1 : 3);
        cr_expect_eq(r->generate_ns_min == r->first_ns, is_on || is_cold, "step %g", r->step);
        cr_expect_eq(isnan(r->prepare_ns), is_on && i > 0, "step %g", r->step);
      }
      const ts_contact_row *last = &rows.contacts[rows.contact_count - 1];
      cr_expect_float_eq(last->gap_m, is_on ? -5e-9 : -1e-9, 1e-15, "%g", last->gap_m);
    }
}

static int calls;

static ts_status count(ARGUMENTS) {
  UNUSED;
  ts_contact contact = honest_contact(pair);
  contact.gap_m = -1e-9 * calls++;
  return host->push(host, &contact, 1);
}

/// Random only once the bodies have moved for a while.
static ts_status count_later(ARGUMENTS) {
  static ts_vec3 at;
  static int moves;
  ts_vec3 b = pair->pose_b.translation;
  moves += b.x != at.x || b.y != at.y || b.z != at.z;
  at = b;
  return moves < 5 ? honest(host, pair, shape_a, shape_b, pair_state, params)
                   : count(host, pair, shape_a, shape_b, pair_state, params);
}

static ts_status jitter(ARGUMENTS) {
  UNUSED;
  ts_contact contact = honest_contact(pair);
  contact.gap_m = -1e-12 * (double)(ts_clock_ns() % 1000000);
  return host->push(host, &contact, 1);
}

Test(harness_fresh, random_contacts_fail_with_any_number_of_repeats_and_at_any_step) {
  expect_failure(count, once, 0, 0, again_reason);
  expect_failure(count, three_times, 0, 0, again_reason);
  expect_failure(jitter, once, 1, 0, again_reason);
  ts_method method = method_of(count_later);
  ts_cell_rows rows = run_method(&method, once, 9);
  const ts_record *last = &rows.records[rows.record_count - 1];
  cr_expect_str_eq(last->reason, again_reason, "step %g: %s", last->step, last->reason);
  cr_expect_gt(last->step, 3);
}

/// Finds nothing when called at once after another call, as in a timed loop.
static ts_status quick(ARGUMENTS) {
  UNUSED;
  static int64_t last_ns;
  int64_t gap_ns = ts_clock_ns() - last_ns;
  ts_contact contact = honest_contact(pair);
  ts_status status = gap_ns > 300 ? host->push(host, &contact, 1) : TS_OK;
  last_ns = ts_clock_ns();
  return status;
}

Test(harness_fresh, contacts_of_timed_passes_are_checked) {
  ts_method method = method_of(quick);
  ts_cell_rows rows = run_method(&method, (ts_timing){40, 0, 1, 1}, 0);
  cr_expect_str_eq(rows.records[0].reason, again_reason, "%s", rows.records[0].reason);
}

static ts_status fail_at_first(ARGUMENTS) {
  if (pair->pose_b.translation.y == 0 || calls++ == 0)
    return host->fail(host, TS_E_INPUT, "not yet");
  return honest(host, pair, shape_a, shape_b, pair_state, params);
}

static ts_status crash_at_first(ARGUMENTS) {
  if (calls++ == 0)
    abort();
  return honest(host, pair, shape_a, shape_b, pair_state, params);
}

static ts_status exit_at_first(ARGUMENTS) {
  if (calls++ == 0)
    exit(0);
  return honest(host, pair, shape_a, shape_b, pair_state, params);
}

/// A method as a cell has it before it compares: another process has been started where the method
/// was never called.
typedef struct asked {
  cell_draft draft;
  ts_scene *scene;
  ts_narrow_phase *phase;
  ts_fresh *fresh;
  ts_cell_state state;
} asked;

static void begin_asking(asked *a, const ts_method *method) {
  a->draft = draft_cell(arena, "sliding_spike", method);
  cr_assert_eq(ts_case_build(&a->scene, arena, a->draft.cell.c, a->draft.case_values), TS_OK);
  cr_assert_eq(ts_cell_narrow_phase(&a->phase, &a->draft.cell, a->scene), TS_OK);
  calls = 0;
  cr_assert_eq(ts_fresh_start(&a->fresh, a->phase, a->scene, NULL), TS_OK);
  calls = 1;
  ts_cell_state_begin(&a->state, &a->draft.cell, 3);
  cr_assert_eq(ts_narrow_phase_prepare(a->phase), TS_OK);
}

static ts_status ask(asked *a) {
  return ts_cell_state_compare_fresh(&a->state, arena, a->phase, a->fresh, a->scene);
}

static void end_asking(asked *a) {
  ts_narrow_phase_destroy(a->phase);
  ts_fresh_destroy(a->fresh);
}

Test(harness_fresh, a_method_that_fails_crashes_or_exits_when_asked_first_depends_on_the_past) {
  static const struct {
    ts_status (*generate)(ARGUMENTS);
    const char *end;
  } all[] = {{fail_at_first, "it fails: not yet"},
             {crash_at_first, "it fails: it crashed (SIGABRT)"},
             {exit_at_first, "it fails: it ended the process"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    ts_method method = method_of(all[i].generate);
    asked a;
    begin_asking(&a, &method);
    ts_contact_set none = {.count = 0};
    ts_cell_state_set_contacts(&a.state, &none, 1);
    for (int k = 0; k < 2; k++) {
      cr_expect_eq(ask(&a), TS_E_INPUT);
      cr_expect(strstr(ts_status_detail(), "depends on what was asked before: "), "%s",
                ts_status_detail());
      cr_expect(strstr(ts_status_detail(), all[i].end), "%s", ts_status_detail());
    }
    end_asking(&a);
  }
}

/// The one child of this process.
static pid_t child(void) {
  pid_t children[2];
  cr_assert_eq(ts_process_children(children, 2, getpid()), 1);
  return children[0];
}

Test(harness_fresh, a_signal_from_outside_to_the_other_process_accuses_no_method) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  ts_method method = method_of(honest);
  asked a;
  begin_asking(&a, &method);
  ts_contact_set *sets;
  cr_assert_eq(ts_narrow_phase_collect(&sets, a.phase, arena), TS_OK);
  ts_cell_state_set_contacts(&a.state, sets, ts_narrow_phase_pair_count(a.phase));
  ts_process_facts facts;
  cr_assert(ts_process_read(&facts, child()));
  cr_expect_str_eq(facts.name, TS_KEEPER_OWN_PROCESS_NAME, "from its first moment on");
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    cr_assert_eq(ask(&a), TS_OK, "%s", ts_status_detail()); // it has begun to serve
    kill(child(), signals[i]);
    cr_expect_eq(ask(&a), TS_OK, "%s", ts_status_detail());
  }
  kill(child(), SIGKILL);
  cr_expect_eq(ask(&a), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "cannot be asked in another process"), "%s",
            ts_status_detail());
  cr_expect_not(strstr(ts_status_detail(), "depends on"));
  end_asking(&a);
}

static int *kills; ///< in memory that all processes share

/// Is killed in the first process that asks it for the first time.
static ts_status killed_once(ARGUMENTS) {
  if (calls++ == 0 && (*kills)++ == 0)
    kill(getpid(), SIGTERM);
  return honest(host, pair, shape_a, shape_b, pair_state, params);
}

Test(harness_fresh, a_process_that_others_may_have_killed_has_a_second_try) {
  kills = mmap(NULL, sizeof *kills, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  cr_assert_neq(kills, MAP_FAILED);
  ts_method method = method_of(killed_once);
  asked a;
  begin_asking(&a, &method);
  ts_contact_set *sets;
  cr_assert_eq(ts_narrow_phase_collect(&sets, a.phase, arena), TS_OK);
  ts_cell_state_set_contacts(&a.state, sets, ts_narrow_phase_pair_count(a.phase));
  cr_expect_eq(ask(&a), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(*kills, 2);
  end_asking(&a);
}

/// Work that takes a while.
static ts_contact found_slowly(const ts_pair *pair) {
  int64_t end_ns = ts_clock_ns() + 200000;
  while (ts_clock_ns() < end_ns)
    continue;
  return honest_contact(pair);
}

static ts_status prepare_contact(void **out, const ts_host *host, const ts_pair *pair,
                                 const void *shape_a, const void *shape_b, const double *params) {
  (void)shape_a, (void)shape_b, (void)params;
  ts_contact *contact = host->alloc(host, sizeof *contact);
  *contact = found_slowly(pair);
  *out = contact;
  return TS_OK;
}

/// As slow, and the same for all poses.
static ts_status prepare_shapes_only(void **out, const ts_host *host, const ts_pair *pair,
                                     const void *shape_a, const void *shape_b,
                                     const double *params) {
  (void)shape_a, (void)shape_b, (void)params;
  (void)found_slowly(pair);
  *out = host->alloc(host, 1);
  return TS_OK;
}

static ts_status hand_over(ARGUMENTS) {
  UNUSED;
  return host->push(host, pair_state, 1);
}

Test(harness_fresh, preparation_of_a_pair_counts_where_it_depends_on_the_poses) {
  for (int is_cold = 0; is_cold < 2; is_cold++) {
    ts_method early = method_of(hand_over), shapes = method_of(honest);
    early.prepare_pair = prepare_contact;
    shapes.prepare_pair = prepare_shapes_only;
    ts_timing timing = is_cold ? once : three_times;
    ts_cell_rows rows = run_method(&early, timing, 0);
    for (size_t i = 0; i < 2; i++) {
      cr_assert_str_eq(rows.records[i].outcome, "ok", "%s", rows.records[i].reason);
      cr_expect_geq(rows.records[i].generate_ns_min, 200000);
    }
    ts_record r = run_method(&shapes, timing, 1).records[0];
    cr_expect_geq(r.prepare_ns, 200000);
    if (!is_cold)
      cr_expect_lt(r.generate_ns_min, 200000, "%g", r.generate_ns_min);
  }
}

/// The scene behind the host, which a wild write may reach.
static ts_scene *scene_behind(const ts_host *host) {
  return (ts_scene *)(uintptr_t)((const ts_cell_host *)(uintptr_t)host)->scene;
}

static void bend_region(ts_scene *scene) {
  scene->regions[0].vertices[0].x += 1e-3;
}
static void bend_normal(ts_scene *scene) {
  scene->regions[0].feasible[TS_REFERENCE_DESIGN].normals[0].normal.x += 1e-3;
}
static void drop_region(ts_scene *scene) {
  scene->region_count--;
}
static void move_body(ts_scene *scene) {
  scene->bodies[1].pose.translation.y += 1e-3;
}
static void bend_joint(ts_scene *scene) {
  ts_vec3 *feature = (ts_vec3 *)(uintptr_t)scene->joints[0].feature_a_local;
  feature[0].x += 1e-3;
}
static void bend_shape(ts_scene *scene) {
  ts_vec3 *vertices = (ts_vec3 *)(uintptr_t)scene->shapes[0].mesh->vertices;
  vertices[0].x += 1e-3;
}

static void (*do_wrong)(ts_scene *);
static ts_scene *written; ///< NULL: the scene of the call

static ts_status write_wildly(ARGUMENTS) {
  if (do_wrong) {
    do_wrong(written ? written : scene_behind(host));
    do_wrong = NULL;
  }
  return honest(host, pair, shape_a, shape_b, pair_state, params);
}

Test(harness_fresh, a_write_to_the_scene_or_its_truth_fails) {
  static void (*const all[])(ts_scene *) = {bend_region, bend_normal, drop_region,
                                            move_body,   bend_joint,  bend_shape};
  ts_method method = method_of(write_wildly);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    do_wrong = all[i];
    ts_record r = run_method(&method, once, 1).records[0];
    cr_expect_str_eq(r.outcome, "failed", "write %zu", i);
    cr_expect(strstr(r.reason, "wrote to "), "%s", r.reason);
  }
}

static ts_status write_to_the_past(ARGUMENTS) {
  ts_scene *now = scene_behind(host);
  if (!written)
    written = now;
  else if (now != written && calls++ == 0)
    bend_region(written);
  return honest(host, pair, shape_a, shape_b, pair_state, params);
}

Test(harness_fresh, a_write_to_the_scene_as_built_fails_at_a_later_step) {
  ts_method method = method_of(write_to_the_past);
  ts_cell_rows rows = run_method(&method, once, 3);
  cr_assert_eq(rows.record_count, 2);
  cr_expect_str_eq(rows.records[0].outcome, "ok");
  cr_expect_str_eq(rows.records[1].outcome, "failed");
  cr_expect(strstr(rows.records[1].reason, "wrote to memory that is not its own"), "%s",
            rows.records[1].reason);
}

static ts_status round_upwards(ARGUMENTS) {
  fesetround(FE_UPWARD);
  return honest(host, pair, shape_a, shape_b, pair_state, params);
}

static ts_status trap(ARGUMENTS) {
  feenableexcept(FE_INEXACT);
  ts_contact none = {.gap_m = 0};
  UNUSED;
  return host->push(host, &none, 0);
}

Test(harness_fresh, rounding_and_traps_of_a_method_do_not_reach_the_judge) {
  ts_method changed = method_of(round_upwards), same = method_of(honest);
  for (int is_cold = 0; is_cold < 2; is_cold++) {
    ts_timing timing = is_cold ? once : three_times;
    ts_cell_rows a = run_method(&changed, timing, 0), b = run_method(&same, timing, 0);
    cr_expect_eq(fegetround(), FE_TONEAREST);
    for (size_t i = 0; i < 2; i++)
      cr_expect_str_eq(a.records[i].contacts_hash, b.records[i].contacts_hash);
    cr_expect_eq(a.records[1].drift_m_max, b.records[1].drift_m_max);
    changed.generate = trap;
    a = run_method(&changed, timing, 0);
    cr_expect_str_eq(a.records[1].outcome, "ok", "%s", a.records[1].reason);
    changed.generate = round_upwards;
  }
}

static ts_status fail_without_words(ARGUMENTS) {
  UNUSED;
  return host->fail(host, TS_E_INPUT, NULL);
}

Test(harness_fresh, a_failure_without_a_message_names_the_function) {
  expect_failure(fail_without_words, once, 0, 0, "generate() says: bad input");
}

Test(harness_fresh, nearby_poses_are_close_all_different_and_those_of_each_body) {
  ts_pair pairs[2] = {{.body_a = 0, .body_b = 1, .size_m = 2},
                      {.body_a = 1, .body_b = 2, .size_m = 4}};
  pairs[0].pose_b.translation = pairs[1].pose_a.translation = (ts_vec3){0.1, 1.6, -3.2};
  for (int is_far = 0; is_far < 2; is_far++) {
    if (is_far)
      pairs[1].pose_b.translation.x = 1000;
    double unit_m = ts_near_poses_unit_m(pairs, 2);
    cr_expect_lt(512 * unit_m, 1e-9);
    cr_expect_gt(1000 + unit_m, 1000 + (is_far ? 0 : -1), "not lost in rounding");
    ts_pair before[2], now[2];
    ts_near_poses(before, pairs, 2, unit_m, 0);
    cr_expect_arr_eq(before, pairs, sizeof pairs);
    for (uint64_t number = 1; number < 1000; number++) {
      ts_near_poses(now, pairs, 2, unit_m, number);
      ts_vec3 a = now[0].pose_b.translation, b = now[1].pose_a.translation;
      cr_assert(a.x == b.x && a.y == b.y && a.z == b.z, "one body, one pose");
      double moved_m = ts_vec3_norm(ts_vec3_sub(a, pairs[0].pose_b.translation));
      cr_assert(moved_m <= sqrt(3) * 513 * unit_m);
      cr_assert_neq(memcmp(&a, &before[0].pose_b.translation, sizeof a), 0);
      memcpy(before, now, sizeof now);
    }
  }
  cr_expect_eq(ts_near_poses_unit_m(NULL, 0), 0);
}
