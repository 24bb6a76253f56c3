// SPDX-License-Identifier: MIT
// covers: geometry/terms.c
#include "geometry/terms.h"
#include "geometry/vec3.h"
#include "tests/geometry/random_geometry.h"

#include <criterion/criterion.h>
#include <math.h>

static const double angle_rad = 1e-6;
static const ts_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
static const ts_vec3 minus_x = {-1, 0, 0}, minus_y = {0, -1, 0};

/// A term of these normals.
#define TERM(...)                                                                                  \
  ((ts_term){sizeof((ts_vec3[]){__VA_ARGS__}) / sizeof(ts_vec3), (ts_vec3[]){__VA_ARGS__}})

static bool is_implied(ts_term term, ts_term a, ts_term b) {
  const ts_term others[] = {a, b};
  return ts_term_is_implied(term, others, 2, angle_rad);
}

static ts_vec3 unit(double a, double b, double c) {
  return ts_vec3_unit((ts_vec3){a, b, c});
}

Test(geometry_terms, one_normal_implies_those_that_have_it_among_others) {
  const ts_term up = TERM(y);
  cr_expect(ts_term_is_implied(TERM(y), &up, 1, angle_rad), "itself");
  cr_expect(ts_term_is_implied(TERM(x, y), &up, 1, angle_rad));
  cr_expect(ts_term_is_implied(TERM(unit(1, 1, 0), unit(-1, 1, 0)), &up, 1, angle_rad), "a sum");
  cr_expect_not(ts_term_is_implied(TERM(x), &up, 1, angle_rad));
  cr_expect_not(ts_term_is_implied(TERM(x, z), &up, 1, angle_rad));
}

Test(geometry_terms, two_imply_together_what_neither_implies) {
  // What is below y = 0, on either side of x = 0.
  const ts_term left = TERM(y, x), right = TERM(y, minus_x);
  cr_expect(is_implied(TERM(y), left, right));
  cr_expect_not(ts_term_is_implied(TERM(y), &left, 1, angle_rad));
  cr_expect_not(ts_term_is_implied(TERM(y), &right, 1, angle_rad));
  // They leave a tenth of a radian between them, and nothing as narrow as noise.
  const ts_term far_right = TERM(y, unit(-1, 0, 0.1));
  cr_expect_not(is_implied(TERM(y), left, far_right));
  cr_expect_not(is_implied(TERM(y), left, TERM(y, unit(-1, 0, 1e-5))));
  cr_expect(is_implied(TERM(y), left, TERM(y, unit(-1, 0, 1e-7))));
}

Test(geometry_terms, nothing_and_no_others_imply_nothing) {
  const ts_term up = TERM(y), none = {0, NULL};
  cr_expect_not(ts_term_is_implied(up, NULL, 0, angle_rad));
  cr_expect_not(ts_term_is_implied(none, &up, 1, angle_rad), "it blocks all velocities");
  cr_expect(ts_term_is_implied(up, &none, 1, angle_rad));
  ts_terms_drop_implied(NULL, NULL, 0, 0, angle_rad);
}

/// Opposite normals, and three around a plane, block nothing: there is nothing to imply, nor do
/// they imply anything.
Test(geometry_terms, what_blocks_nothing_stays_and_drops_nothing) {
  const ts_term up = TERM(y), opposite = TERM(x, minus_x),
                around = TERM(x, unit(-1, 2, 0), unit(-1, -2, 0));
  cr_expect_eq(ts_term_width_sine(opposite), 0);
  cr_expect_leq(ts_term_width_sine(around), 1e-15);
  cr_expect_not(ts_term_is_implied(opposite, &up, 1, angle_rad));
  cr_expect_not(ts_term_is_implied(around, &up, 1, angle_rad));
  cr_expect_not(is_implied(up, opposite, around));
  cr_expect_not(ts_term_is_implied(TERM(y, minus_y, x), &up, 1, angle_rad));
}

Test(geometry_terms, the_width_is_that_of_the_widest_round_cone) {
  cr_expect_eq(ts_term_width_sine(TERM(x)), 1);
  cr_expect_eq(ts_term_width_sine(TERM(x, x)), 1, "the same normal twice");
  cr_expect_float_eq(ts_term_width_sine(TERM(x, y)), sqrt(0.5), 1e-15);
  cr_expect_float_eq(ts_term_width_sine(TERM(x, unit(1, 1, 0), y)), sqrt(0.5), 1e-15, "in a plane");
  cr_expect_float_eq(ts_term_width_sine(TERM(x, y, z)), sqrt(1.0 / 3), 1e-15);
  cr_expect_float_eq(ts_term_width_sine(TERM(unit(1, 0.1, 0), unit(-1, 0.1, 0), z)),
                     ts_term_width_sine(TERM(unit(1, 0.1, 0), z, unit(-1, 0.1, 0))), 1e-15);
}

/// Normals within some angle of y, so that all terms block what comes down.
static ts_term random_term(ts_vec3 *normals, int count, ts_random *random) {
  for (int i = 0; i < count; i++)
    normals[i] = ts_vec3_unit(ts_vec3_add(y, random_point(random, 0.8)));
  return (ts_term){count, normals};
}

static double speed_of(ts_term term, ts_vec3 velocity) {
  double most = -INFINITY;
  for (int i = 0; i < term.count; i++)
    most = fmax(most, ts_vec3_dot(term.normals[i], velocity));
  return most;
}

/// How much of what a term blocks the others leave: the fastest that one of 4,000 velocities parts
/// along the slowest of them and is blocked by the term, or -1.
static double left_over(ts_term term, const ts_term *others, size_t count, ts_random *random) {
  double most = -1;
  for (int n = 0; n < 4000; n++) {
    ts_vec3 velocity = ts_vec3_unit(random_point(random, 1));
    double least = -speed_of(term, velocity);
    for (size_t i = 0; i < count; i++)
      least = fmin(least, speed_of(others[i], velocity));
    most = fmax(most, least);
  }
  return most;
}

enum { OTHERS = 5 };

Test(geometry_terms, random_terms_are_implied_where_no_velocity_is_left) {
  ts_random random = ts_random_seed(41, 0);
  const double wide_rad = 0.05;
  int implied = 0, together = 0, left = 0;
  for (int n = 0; n < 600; n++) {
    ts_vec3 normals[OTHERS + 1][4];
    ts_term term = random_term(normals[OTHERS], 1 + n % 4, &random), others[OTHERS];
    bool by_one = false;
    for (int i = 0; i < OTHERS; i++) {
      others[i] = random_term(normals[i], 1 + (n + i) % 3, &random);
      by_one |= ts_term_is_implied(term, &others[i], 1, angle_rad);
    }
    double most = left_over(term, others, OTHERS, &random);
    if (ts_term_is_implied(term, others, OTHERS, angle_rad)) {
      cr_expect_leq(most, angle_rad, "terms %d: %g is left", n, most);
      implied++;
      together += !by_one;
    } else
      cr_expect_not(by_one, "terms %d", n);
    if (!ts_term_is_implied(term, others, OTHERS, wide_rad) && ts_term_width_sine(term) > 0.1) {
      cr_expect_gt(most, 0, "terms %d: nothing is left", n);
      left++;
    }
  }
  cr_expect(implied > 100 && together > 20 && left > 100, "%d, %d together, %d left", implied,
            together, left);
}

Test(geometry_terms, a_turn_and_the_order_of_normals_and_terms_change_nothing) {
  ts_random random = ts_random_seed(42, 0);
  for (int n = 0; n < 300; n++) {
    ts_vec3 normals[OTHERS][4], turned[OTHERS][4];
    ts_term terms[OTHERS], other[OTHERS];
    bool is_dropped[OTHERS], other_is[OTHERS];
    ts_quat turn = random_rotation(&random);
    for (int i = 0; i < OTHERS; i++) {
      terms[i] = random_term(normals[i], 1 + (n + i) % 4, &random);
      int k = (i + 2) % OTHERS, count = terms[i].count;
      for (int j = 0; j < count; j++)
        turned[k][j] = ts_quat_rotate(turn, normals[i][count - 1 - j]);
      other[k] = (ts_term){count, turned[k]};
      cr_expect_float_eq(ts_term_width_sine(other[k]), ts_term_width_sine(terms[i]), 1e-12);
    }
    ts_terms_drop_implied(is_dropped, terms, OTHERS, 0, 1e-3);
    ts_terms_drop_implied(other_is, other, OTHERS, 0, 1e-3);
    // Terms of one normal are as wide as each other: of two that imply each other with the rest the
    // order may choose.
    int ones = 0;
    for (int i = 0; i < OTHERS; i++)
      ones += terms[i].count == 1;
    for (int i = 0; i < OTHERS && ones < 2; i++)
      cr_expect_eq(is_dropped[i], other_is[(i + 2) % OTHERS], "terms %d: %d", n, i);
  }
}

Test(geometry_terms, what_stays_implies_what_goes_and_nothing_that_stays) {
  ts_random random = ts_random_seed(43, 0);
  size_t dropped = 0;
  for (int n = 0; n < 300; n++) {
    enum { COUNT = 7 };
    ts_vec3 normals[COUNT][4];
    ts_term terms[COUNT], rest[COUNT];
    bool is_dropped[COUNT];
    for (int i = 0; i < COUNT; i++)
      terms[i] = random_term(normals[i], 2 + (n + i) % 3, &random);
    size_t kept = (size_t)n % 3;
    ts_terms_drop_implied(is_dropped, terms, COUNT, kept, angle_rad);
    for (int i = 0; i < COUNT; i++) {
      size_t count = 0;
      for (int k = 0; k < COUNT; k++)
        if (k != i && !is_dropped[k])
          rest[count++] = terms[k];
      dropped += is_dropped[i];
      cr_expect_not((size_t)i < kept && is_dropped[i], "terms %d: %d has to stay", n, i);
      if ((size_t)i >= kept)
        cr_expect_eq(ts_term_is_implied(terms[i], rest, count, angle_rad), is_dropped[i],
                     "terms %d: %d", n, i);
    }
  }
  cr_expect_gt(dropped, 300);
}

Test(geometry_terms, of_equal_terms_the_first_stays_and_narrow_ones_go_before_wide_ones) {
  const ts_term equal[] = {TERM(x, y), TERM(y, x), TERM(x, y)};
  bool is_dropped[3];
  ts_terms_drop_implied(is_dropped, equal, 3, 0, angle_rad);
  cr_expect(!is_dropped[0] && is_dropped[1] && is_dropped[2]);
  // Two halves imply the whole, which implies each of them.
  const ts_term halves[] = {TERM(y, x), TERM(y), TERM(y, minus_x)};
  ts_terms_drop_implied(is_dropped, halves, 3, 0, angle_rad);
  cr_expect(is_dropped[0] && !is_dropped[1] && is_dropped[2]);
  ts_terms_drop_implied(is_dropped, halves, 3, 1, angle_rad);
  cr_expect(!is_dropped[0] && !is_dropped[1] && is_dropped[2], "the first was found before");
}
