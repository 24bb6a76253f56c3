// SPDX-License-Identifier: MIT
// covers: methods/semi_local/semi_ahead.c
/// The bound on contacts ahead of a touch: a finely meshed cap in a bowl that is a little flatter.
/// Every facet near the bottom is within reach.
#include "geometry/tolerances.h"
#include "geometry/twist/twist_samples.h"
#include "methods/semi_local/semi_reduce.h"
#include "tests/methods/semi_local/semi_fixture.h"

#include <criterion/criterion.h>

static method_fixture *const f = &semi_fixture;

TestSuite(methods_semi_ahead, .init = semi_open, .fini = semi_close, .timeout = 120);

static const double half_m = 0.25, bowl_radius_m = 0.52, cap_radius_m = 0.5;

/// A square of 2 n n triangles, bent to a sphere that touches the plane z = 0 in the middle, and a
/// peak behind it: above for a cap that stands on its sphere, below for a bowl.
static const ts_mesh *bent(uint32_t n, double radius_m, double peak_z_m) {
  uint32_t row = n + 1, vertex_count = row * row + 1, count = 0;
  ts_vec3 *vertices = ts_arena_array(f->arena, vertex_count, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(f->arena, 2 * n * n + 4 * n, sizeof *triangles);
  cr_assert(vertices && triangles);
  for (uint32_t i = 0; i < row * row; i++) {
    double x = half_m * (2.0 * (i % row) / n - 1), y = half_m * (2.0 * (i / row) / n - 1);
    vertices[i] = (ts_vec3){x, y, radius_m - sqrt(radius_m * radius_m - x * x - y * y)};
  }
  uint32_t peak = row * row;
  vertices[peak] = (ts_vec3){0, 0, peak_z_m};
  // Counter-clockwise from above, as a bowl is seen; a cap is turned.
  int flip = peak_z_m > 0;
#define ADD(a, b, c)                                                                               \
  do {                                                                                             \
    triangles[count][0] = (a);                                                                     \
    triangles[count][1 + flip] = (b);                                                              \
    triangles[count++][2 - flip] = (c);                                                            \
  } while (0)
  for (uint32_t j = 0; j < n; j++)
    for (uint32_t i = 0; i < n; i++) {
      uint32_t v = j * row + i;
      ADD(v, v + 1, v + row + 1);
      ADD(v, v + row + 1, v + row);
    }
  for (uint32_t i = 0; i < n; i++) {
    ADD(i + 1, i, peak);
    ADD((i + 1) * row + n, i * row + n, peak);
    ADD(n * row + i, n * row + i + 1, peak);
    ADD(i * row, (i + 1) * row, peak);
  }
#undef ADD
  return fixture_mesh(f, vertices, vertex_count, (const uint32_t(*)[3])triangles, count);
}

/// What the stage gets and what it gives for the cap over the bowl, in the frame of the bowl.
typedef struct bound {
  ts_semi_pair pair;
  ts_semi_contacts all, kept;
} bound;

static bound run_stages(uint32_t n, double gap_m, bool all_alternatives) {
  const ts_mesh *bowl = bent(n, bowl_radius_m, -0.2), *cap = bent(n - 2, cap_radius_m, 0.4);
  const ts_semi_settings settings = {.gap_m = 0.02,
                                     .depth_m = 0.05,
                                     .snap_m = 1e-5 * 2 * half_m,
                                     .angle_rad = 0.0175,
                                     .slack = 2,
                                     .horizon_s = 0.01,
                                     .all_alternatives = all_alternatives};
  ts_pair bodies = {.struct_size = sizeof bodies,
                    .mesh_a = bowl,
                    .mesh_b = cap,
                    .pose_a = ts_pose_identity(),
                    .pose_b = fixture_shift(0.001, 0.0005, gap_m),
                    .size_m = 2 * half_m};
  ts_semi_shape *shapes[2];
  static ts_semi_memory memory; // the pair keeps it
  memory = (ts_semi_memory){.host = &semi_fixture.host};
  bound out;
  ts_semi_close_pairs close;
  ts_semi_regions regions;
  ts_semi_sites sites;
  ts_semi_choices choices;
  ts_semi_contacts found;
  cr_assert_eq(ts_semi_shape_create(&shapes[0], bowl, 5e-6, 0.1, 2), TS_OK);
  cr_assert_eq(ts_semi_shape_create(&shapes[1], cap, 5e-6, 0.1, 2), TS_OK);
  cr_assert_eq(ts_semi_pair_create(&out.pair, &memory, &bodies, shapes[0], shapes[1], &settings),
               TS_OK);
  cr_assert_eq(ts_semi_find_close_pairs(&close, &out.pair), TS_OK);
  cr_assert_eq(ts_semi_find_regions(&regions, &out.pair, &close), TS_OK);
  cr_assert_eq(ts_semi_find_sites(&sites, &out.pair, &close, &regions), TS_OK);
  cr_assert_eq(ts_semi_find_choices(&choices, &out.pair, &regions, &sites), TS_OK);
  cr_assert_eq(ts_semi_find_contacts(&found, &out.pair, &regions, &choices), TS_OK);
  cr_assert_eq(ts_semi_reduce(&out.all, &out.pair, &regions, &choices, &found), TS_OK);
  cr_assert_eq(ts_semi_reduce_ahead(&out.kept, &out.pair, &out.all), TS_OK);
  ts_semi_shape_destroy(shapes[0]);
  ts_semi_shape_destroy(shapes[1]);
  return out;
}

static bool has_contact(const ts_semi_contacts *set, const ts_semi_contact *c) {
  for (size_t i = 0; i < set->count; i++)
    if (ts_vec3_distance(set->contacts[i].at.point, c->at.point) == 0 &&
        ts_vec3_distance(set->contacts[i].at.normal, c->at.normal) == 0 &&
        set->contacts[i].group == c->group)
      return true;
  return false;
}

/// A motion of the cap: of the point at `centre`, and a turn times `length_m`. Both are metres.
typedef struct motion {
  ts_vec3 centre;
  double length_m;
  ts_vec3 shift, turn;
} motion;

static ts_vec3 middle(const ts_semi_contacts *set) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < set->count; i++)
    sum = ts_vec3_add(sum, set->contacts[i].at.point);
  return ts_vec3_scale(sum, 1.0 / (double)set->count);
}

static double size_of(const motion *m) {
  return sqrt(ts_vec3_norm2(m->shift) + ts_vec3_norm2(m->turn));
}

static void scale_motion(motion *m, double by) {
  m->shift = ts_vec3_scale(m->shift, by);
  m->turn = ts_vec3_scale(m->turn, by);
}

/// How much a motion opens a contact, to first order.
static double opening(const motion *m, const ts_semi_candidate *c) {
  ts_vec3 arm = ts_vec3_scale(ts_vec3_sub(c->point, m->centre), 1 / m->length_m);
  return ts_vec3_dot(c->normal, ts_vec3_add(m->shift, ts_vec3_cross(m->turn, arm)));
}

/// Adds to a motion what opens a contact by so much, in the shortest way.
static void open_by(motion *m, const ts_semi_candidate *c, double opening_m) {
  ts_vec3 arm = ts_vec3_scale(ts_vec3_sub(c->point, m->centre), 1 / m->length_m);
  ts_vec3 moment = ts_vec3_cross(arm, c->normal);
  double by = opening_m / (1 + ts_vec3_norm2(moment));
  m->shift = ts_vec3_add_scaled(m->shift, by, c->normal);
  m->turn = ts_vec3_add_scaled(m->turn, by, moment);
}

/// Shortens a motion until all contacts of a set allow it, and it is within reach.
static void stop_at(motion *m, const ts_semi_contacts *set, double reach_m) {
  double part = ts_min(1, reach_m / size_of(m));
  for (size_t i = 0; i < set->count; i++) {
    double closing = -opening(m, &set->contacts[i].at);
    double gap_m = ts_max(set->contacts[i].at.gap_m, 0);
    if (closing * part > gap_m)
      part = gap_m / closing;
  }
  scale_motion(m, part);
}

/// How much of the accuracy the worst contact of a set takes up under a motion: above 1 is too
/// much, not above 0 stays apart.
static double worst_share(const motion *m, const ts_semi_contacts *set) {
  double worst = -INFINITY;
  for (size_t i = 0; i < set->count; i++) {
    const ts_semi_candidate *c = &set->contacts[i].at;
    double gap_m = ts_max(c->gap_m, 0);
    double accuracy_m = TS_SEMI_AHEAD_GAP * gap_m + 1e-9;
    worst = ts_max(worst, (-opening(m, c) - gap_m) / accuracy_m);
  }
  return worst;
}

/// The worst over motions at random, up to where `kept` stops them.
static double worst_at_random(const ts_semi_contacts *all, const ts_semi_contacts *kept,
                              double reach_m, int count) {
  double worst = -INFINITY;
  ts_twist_samples samples = ts_twist_samples_start(0);
  for (int i = 0; i < count; i++) {
    double t[6];
    ts_twist_samples_next(t, &samples);
    motion m = {middle(all), half_m, {t[0], t[1], t[2]}, {t[3], t[4], t[5]}};
    stop_at(&m, kept, reach_m);
    worst = ts_max(worst, worst_share(&m, all));
  }
  return worst;
}

/// The worst over motions against each contact in turn, bent until `kept` allows nearly all of
/// them.
static double worst_on_purpose(const ts_semi_contacts *all, const ts_semi_contacts *kept,
                               double reach_m) {
  double worst = -INFINITY;
  for (size_t i = 0; i < all->count; i += 1 + all->count / 150) {
    motion m = {middle(all), half_m, {0, 0, 0}, {0, 0, 0}};
    open_by(&m, &all->contacts[i].at, -reach_m);
    for (int sweep = 0; sweep < 30; sweep++)
      for (size_t k = 0; k < kept->count; k++) {
        const ts_semi_candidate *c = &kept->contacts[k].at;
        double beyond_m = -opening(&m, c) - ts_max(c->gap_m, 0);
        if (beyond_m > 0)
          open_by(&m, c, beyond_m);
      }
    stop_at(&m, kept, reach_m);
    worst = ts_max(worst, worst_share(&m, all));
  }
  return worst;
}

static const double gaps_m[] = {1e-5, 1e-4, 3e-3};

static size_t count_ahead(const bound *b, const ts_semi_contacts *set) {
  size_t count = 0;
  for (size_t i = 0; i < set->count; i++)
    count += set->contacts[i].at.gap_m > TS_POSITION_RELATIVE * b->pair.size_m;
  return count;
}

Test(methods_semi_ahead, the_count_hangs_on_the_accuracy_and_hardly_on_the_mesh) {
  // Near a touch the accuracy is that of the gap, and facets count.
  static const double growth_max[] = {2.5, 1.5, 1};
  for (int g = 0; g < 3; g++) {
    bound coarse = run_stages(16, gaps_m[g], false), fine = run_stages(48, gaps_m[g], false);
    size_t few = count_ahead(&coarse, &coarse.kept), more = count_ahead(&fine, &fine.kept);
    size_t of_few = count_ahead(&coarse, &coarse.all), of_more = count_ahead(&fine, &fine.all);
    cr_expect_leq((double)more, growth_max[g] * (double)few, "gap %g: %zu of %zu, %zu of %zu",
                  gaps_m[g], few, of_few, more, of_more);
    cr_expect_leq(few, 120, "gap %g: %zu of %zu", gaps_m[g], few, of_few);
    cr_expect_geq(of_more, 6 * of_few, "gap %g: %zu, %zu", gaps_m[g], of_few, of_more);
  }
}

Test(methods_semi_ahead, what_is_left_out_closes_by_no_more_than_the_accuracy) {
  for (int g = 0; g < 3; g++) {
    bound b = run_stages(28, gaps_m[g], false);
    double reach_m = b.pair.s.gap_m;
    double random = worst_at_random(&b.all, &b.kept, reach_m, 2048);
    double on_purpose = worst_on_purpose(&b.all, &b.kept, reach_m);
    cr_expect_leq(random, 1, "gap %g: %g", gaps_m[g], random);
    cr_expect_leq(on_purpose, 1, "gap %g: %g", gaps_m[g], on_purpose);
    // The test can tell: a tenth of what stays is not enough.
    ts_semi_contacts few = {b.kept.count / 10 + 1, b.kept.contacts, 0};
    cr_expect_gt(worst_on_purpose(&b.all, &few, reach_m), 1, "gap %g", gaps_m[g]);
  }
}

Test(methods_semi_ahead, what_touches_and_the_deepest_stay) {
  for (int g = 0; g < 3; g++) {
    bound b = run_stages(32, gaps_m[g], false);
    double least_m = INFINITY;
    size_t deepest = 0;
    for (size_t i = 0; i < b.all.count; i++) {
      const ts_semi_contact *c = &b.all.contacts[i];
      if (c->at.gap_m <= TS_POSITION_RELATIVE * b.pair.size_m)
        cr_expect(has_contact(&b.kept, c), "gap %g", gaps_m[g]);
      if (c->at.gap_m < least_m) {
        least_m = c->at.gap_m;
        deepest = i;
      }
    }
    cr_expect(has_contact(&b.kept, &b.all.contacts[deepest]), "gap %g", gaps_m[g]);
  }
}

Test(methods_semi_ahead, groups_stay_as_they_are) {
  bound b = run_stages(24, 1e-4, true);
  size_t grouped = 0;
  for (size_t i = 0; i < b.all.count; i++)
    if (b.all.contacts[i].group) {
      grouped++;
      cr_expect(has_contact(&b.kept, &b.all.contacts[i]));
    }
  cr_expect_gt(grouped, 0);
  cr_expect_eq(b.kept.group_count, b.all.group_count);
}

/// A disc of 64 sides over a plate: its rim is of facets, and its contacts are those of its face.
Test(methods_semi_ahead, a_flat_face_keeps_its_corners) {
  enum { SIDES = 64 };
  ts_vec3 vertices[2 * SIDES + 2];
  uint32_t triangles[4 * SIDES][3];
  for (uint32_t i = 0; i < SIDES; i++) {
    double angle = 2 * 3.14159265358979323846 * i / SIDES;
    uint32_t next = (i + 1) % SIDES;
    for (uint32_t k = 0; k < 2; k++)
      vertices[i + k * SIDES] = (ts_vec3){0.5 * sin(angle), 0.2 * k, 0.5 * cos(angle)};
    const uint32_t own[4][3] = {{i, next, next + SIDES},
                                {i, next + SIDES, i + SIDES},
                                {next, i, 2 * SIDES},
                                {i + SIDES, next + SIDES, 2 * SIDES + 1}};
    for (uint32_t k = 0; k < 4; k++)
      for (uint32_t c = 0; c < 3; c++)
        triangles[4 * i + k][c] = own[k][c];
  }
  vertices[2 * SIDES] = (ts_vec3){0, 0, 0};
  vertices[2 * SIDES + 1] = (ts_vec3){0, 0.2, 0};
  const ts_mesh *disc =
      fixture_mesh(f, vertices, 2 * SIDES + 2, (const uint32_t(*)[3])triangles, 4 * SIDES);
  fixture_contacts set =
      semi_run(semi_box(2, 1, 2), ts_pose_identity(), disc, fixture_shift(0.1, 0.5 + 1e-3, 0.05));
  cr_expect_eq(set.count, SIDES, "%zu", set.count);
}
