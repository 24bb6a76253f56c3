// SPDX-License-Identifier: MIT
// covers: harness/judge/metrics/motion.c harness/judge/pair_motion.c
// Shares of twists, against those of a count that asks about each twist by itself.
#include "harness/judge/pair_motion.h"

#include "base/random.h"
#include "geometry/tolerances.h"
#include "geometry/twist/twist_samples.h"
#include "harness/judge/metrics/metric.h"
#include "tests/harness/judge/scoring_fixture.h"

#include <criterion/criterion.h>

#define COUNTS_TEST(name)                                                                          \
  Test(harness_motion_counts, name, .init = scoring_setup, .fini = scoring_teardown)

/// Twists of one class, and those of them for which contacts and truth disagree.
typedef struct tally {
  size_t count, wrong;
} tally;

static double share(tally t) {
  return t.count > 0 ? 100 * (double)t.wrong / (double)t.count : (double)NAN;
}

static void add(tally *t, size_t quota, bool is_of_class, bool is_wrong) {
  if (is_of_class && t->count < quota) {
    t->count++;
    t->wrong += is_wrong;
  }
}

/// Counts for the one pair of a judgement.
static void count(tally *out_free, tally *out_blocked, tally *out_slides,
                  const ts_judgement *judgement) {
  ts_pair_motion motion;
  cr_assert_eq(ts_motion_of_pair(&motion, judgement, &judgement->pairs[0]), TS_OK);
  size_t quota = ts_motion_twists(1);
  ts_twist_slide slide = ts_twist_slide_on(&motion.chosen);
  ts_twist_samples samples = ts_twist_samples_start(0);
  *out_free = *out_blocked = *out_slides = (tally){0, 0};
  for (size_t i = 0; ts_motion_goes_on(i, quota, out_free->count, out_blocked->count); i++) {
    double twist[6];
    ts_twist_samples_next(twist, &samples);
    bool is_free = ts_motion_is_truly_free(&motion, i, twist);
    bool is_stopped = ts_motion_is_blocked(&motion, twist, TS_TWIST_SPEED);
    add(out_free, quota, is_free, is_stopped);
    add(out_blocked, quota, !is_free && ts_motion_is_truly_blocked(&motion, i, twist), !is_stopped);
    bool slides = i < quota && ts_twist_make_slide(twist, &slide);
    add(out_slides, quota, slides,
        slides && ts_motion_is_blocked(&motion, twist, motion.undecided_speed));
  }
}

static void expect_counts(const ts_scene *scene, const ts_contact *contacts, size_t contact_count,
                          double off) {
  ts_contact_set set = set_of(0, 1, contacts, contact_count);
  ts_judgement judgement = judge(scene, &set, 1, no_envelope);
  ts_record record;
  ts_row_init(&ts_summary_rows, &record);
  cr_assert_eq(ts_metrics_compute(&record, &judgement), TS_OK);
  tally free, blocked, slides;
  count(&free, &blocked, &slides, &judgement);
  cr_assert_gt(free.count, 0);
  cr_assert_gt(blocked.count, 0);
  cr_expect_eq(record.blocked_wrongly_percent, share(free), "off by %g", off);
  cr_expect_eq(record.freed_wrongly_percent, share(blocked), "off by %g", off);
  cr_expect_eq(record.blocked_wrongly_sliding_percent, share(slides), "off by %g", off);
}

static double uniform(ts_random *random) {
  return (double)ts_random_u64(random) * 0x1p-63 - 1;
}

static ts_vec3 any_vector(ts_random *random) {
  double x = uniform(random), y = uniform(random);
  return ts_vec3_make(x, y, uniform(random));
}

// Up to the speed that is let through, off by less than which the contacts block nothing that is
// free, and by more than which they do.
COUNTS_TEST(contacts_more_and_more_off_the_truth_are_counted_twist_by_twist) {
  static const region_spec square = SQUARE(0, 1);
  static const double offs[] = {0,    1e-12,  1e-4, 3e-4, 9e-4, 9.99e-4,
                                1e-3, 1.1e-3, 2e-3, 3e-3, 1e-2, 0.3};
  const ts_scene *scene = scene_with(2, &square, 1);
  ts_random random = ts_random_seed(7, 0);
  for (size_t o = 0; o < sizeof offs / sizeof *offs; o++)
    for (int repeat = 0; repeat < 4; repeat++) {
      ts_contact contacts[4];
      size_t count = 1 + ts_random_u64(&random) % 4;
      for (size_t i = 0; i < count; i++) {
        ts_vec3 normal = ts_vec3_add_scaled(up, offs[o], any_vector(&random));
        normal = ts_vec3_unit(normal);
        contacts[i] =
            contact_at(0.5 + 0.5 * uniform(&random), 0, 0.5 + 0.5 * uniform(&random), normal, 0);
      }
      expect_counts(scene, contacts, count, offs[o]);
    }
}

// With another region the truth is not what is chosen, or the slide is not in a plane.
COUNTS_TEST(truths_of_several_normals_and_of_any_one_are_counted_twist_by_twist) {
  static const region_spec pairs[][2] = {
      {SQUARE(0, 1),
       {.a = 0,
        .b = 1,
        .vertex_count = 2,
        .vertices = {{0, 0, 0}, {0, 1, 0}},
        .normal_count = 1,
        .normals = {{{1, 0, 0}, 0}}}},
      {SQUARE(0, 1),
       {.a = 0,
        .b = 1,
        .any_one = true,
        .vertex_count = 2,
        .vertices = {{0, 0, 0}, {0, 0, 1}},
        .normal_count = 2,
        .normals = {{{0, 1, 0}, 0}, {{0.6, 0.8, 0}, 0}}}},
  };
  static const double offs[] = {0, 4e-4, 1e-3, 1e-2};
  ts_random random = ts_random_seed(8, 0);
  for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
    for (size_t o = 0; o < sizeof offs / sizeof *offs; o++) {
      const ts_scene *scene = scene_with(2, pairs[p], 2);
      ts_contact contacts[6];
      for (size_t i = 0; i < 6; i++) {
        const region_spec *of = &pairs[p][i / 4];
        ts_vec3 normal = ts_vec3_add_scaled(of->normals[0].normal, offs[o], any_vector(&random));
        contacts[i] = contact_at(0, 0, 0, ts_vec3_unit(normal), 0);
        contacts[i].point = of->vertices[i % 4];
      }
      expect_counts(scene, contacts, 6, offs[o]);
    }
}

// All corners to the bit block what the truth does; all but one, or with two that are alternatives,
// do not.
COUNTS_TEST(contacts_at_the_very_corners_are_counted_twist_by_twist) {
  static const region_spec square = SQUARE(0, 1);
  const ts_scene *scene = scene_with(2, &square, 1);
  for (uint32_t group = 0; group < 2; group++)
    for (size_t count = 3; count <= 5; count++)
      for (size_t first = 0; first < 4; first++) {
        ts_contact contacts[5];
        for (size_t i = 0; i < 4; i++) {
          contacts[i] = contact_at(0, 0, 0, up, 0);
          contacts[i].point = square.vertices[(first + i) % 4];
          contacts[i].group = i > 1 ? group : 0;
        }
        contacts[4] = contact_at(0.3, 0, 0.6, up, 0);
        expect_counts(scene, contacts, count, 0);
      }
}
