// SPDX-License-Identifier: MIT
// covers: geometry/convex_cover.c
#include "geometry/mesh/motion_oracle.h"
#include "geometry/twist/twist_samples.h"
#include "tests/geometry/mesh/fans.h"
#include "tests/geometry/random_geometry.h"

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

static const double exact_rad = 1e-9;

static int cover_of(ts_convex_run out[TS_RUNS_MAX], const fan_surface *s) {
  return ts_convex_cover(out, ts_convex_runs(out, &s->surface), &s->surface, s->sectors,
                         s->sector_count, exact_rad);
}

static bool run_holds(const ts_local_surface *surface, ts_convex_run run, ts_vec3 d) {
  for (int i = 0; i < surface->face_count; i++)
    if ((run.faces | run.cuts) >> i & 1 && ts_vec3_dot(surface->normals[i], d) > 0)
      return false;
  return true;
}

/// Whether directions at random are in some run's cone if and only if the solid holds them.
static int expect_cover(const fan *f, ts_random *random, const char *what) {
  fan_surface s = fan_surface_of(f, ts_pose_identity(), NULL);
  ts_convex_run runs[TS_RUNS_MAX];
  int count = cover_of(runs, &s);
  cr_assert(count > 0, "%s: %d runs", what, count);
  for (int n = 0; n < 2000; n++) {
    ts_vec3 d = ts_vec3_unit(random_point(random, 1));
    int is_in = fan_holds(f, d, 1e-6), found = 0;
    if (is_in < 0)
      continue;
    for (int i = 0; i < count; i++)
      found += run_holds(&s.surface, runs[i], d);
    cr_expect_eq(found > 0, is_in, "%s: (%g, %g, %g) is in %d of %d runs", what, d.x, d.y, d.z,
                 found, count);
    if ((found > 0) != is_in)
      break;
  }
  return count;
}

Test(geometry_convex_cover, the_union_of_the_runs_is_the_solid) {
  ts_random random = ts_random_seed(21, 0);
  named_fan shapes[FAN_SHAPES];
  fan_list(shapes, &random);
  for (int i = 0; i < FAN_SHAPES; i++) {
    int count = expect_cover(&shapes[i].fan, &random, shapes[i].name);
    cr_expect(count <= (int)shapes[i].fan.sides, "%s: %d runs of %u faces", shapes[i].name, count,
              shapes[i].fan.sides);
  }
}

Test(geometry_convex_cover, and_so_at_any_corner) {
  ts_random random = ts_random_seed(22, 0);
  for (uint32_t n = 0; n < 600; n++) {
    fan f = fan_random(4 + n % 9, n % 2 ? 1 : 0.3, &random);
    char what[32];
    snprintf(what, sizeof what, "fan %u", n);
    int count = expect_cover(&f, &random, what);
    cr_expect_leq(count, (int)f.sides, "%s: %d runs", what, count);
  }
}

/// The quarter of a coordinate plane between two octants that differ in bit `axis`, `low` having
/// it not.
typedef struct quarter {
  int axis, low;
} quarter;

static ts_vec3 along(int axis, double length) {
  return ts_vec3_make(axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0);
}

/// The surface of the octants whose bits are set in `octants`, each quarter a face of its own.
static fan_surface octant_surface(int octants, ts_pose pose) {
  fan_surface s = {.sector_count = 0};
  quarter quarters[12];
  for (int axis = 0; axis < 3; axis++)
    for (int low = 0; low < 8; low++) {
      bool is_low = octants >> low & 1, is_high = octants >> (low | 1 << axis) & 1;
      if ((low >> axis & 1) || is_low == is_high)
        continue;
      int u = (axis + 1) % 3, v = (axis + 2) % 3, i = s.surface.face_count++;
      quarters[i] = (quarter){axis, low};
      s.surface.normals[i] = ts_pose_direction(pose, along(axis, is_low ? 1 : -1));
      s.sectors[s.sector_count++] =
          (ts_face_sector){.face = i,
                           .from = ts_pose_direction(pose, along(u, low >> u & 1 ? 1 : -1)),
                           .to = ts_pose_direction(pose, along(v, low >> v & 1 ? 1 : -1))};
    }
  // Two quarters that are square to each other, of one octant: a ridge when it is solid.
  for (int i = 0; i < s.surface.face_count; i++)
    for (int k = 0; k < i; k++)
      for (int octant = 0; octant < 8; octant++) {
        const quarter *p = &quarters[i], *q = &quarters[k];
        if (p->axis == q->axis || (octant & ~(1 << p->axis)) != p->low ||
            (octant & ~(1 << q->axis)) != q->low)
          continue;
        bool is_solid = octants >> octant & 1;
        bool is_opposite_solid = octants >> (octant ^ 1 << p->axis ^ 1 << q->axis) & 1;
        if (!is_solid && !is_opposite_solid)
          continue;
        uint32_t *with = is_solid ? s.surface.convex_with : s.surface.concave_with;
        with[i] |= 1u << k;
        with[k] |= 1u << i;
      }
  return s;
}

/// All corners that boxes make together, with faces in one plane that look either way.
Test(geometry_convex_cover, so_at_any_corner_of_boxes) {
  ts_random random = ts_random_seed(30, 0);
  for (int octants = 1; octants < 255; octants++) {
    ts_pose pose = octants % 2 ? ts_pose_identity() : random_pose(&random, 1);
    fan_surface s = octant_surface(octants, pose);
    ts_convex_run runs[TS_RUNS_MAX];
    int count = cover_of(runs, &s);
    cr_assert(count > 0, "%x: %d", octants, count);
    for (int octant = 0; octant < 8; octant++) {
      ts_vec3 d = {octant & 1 ? 1 : -1, octant & 2 ? 1 : -1, octant & 4 ? 1 : -1};
      int found = 0;
      for (int i = 0; i < count; i++)
        found += run_holds(&s.surface, runs[i], ts_pose_direction(pose, d));
      cr_expect_eq(found > 0, octants >> octant & 1, "%x: octant %d is in %d of %d runs", octants,
                   octant, found, count);
    }
  }
}

/// Whether directions at random are in the cone of a run, less one plane, and not in the solid.
static bool is_needed(const fan *f, const ts_local_surface *surface, ts_convex_run run, int plane,
                      ts_random *random) {
  run.faces &= ~(1u << plane);
  run.cuts &= ~(1u << plane);
  for (int n = 0; n < 20000; n++) {
    ts_vec3 d = ts_vec3_unit(random_point(random, 1));
    if (run_holds(surface, run, d) && fan_holds(f, d, 1e-9) == 0)
      return true;
  }
  return false;
}

Test(geometry_convex_cover, no_run_with_cuts_has_a_plane_that_it_does_not_need) {
  ts_random random = ts_random_seed(29, 0);
  int runs_with_cuts = 0;
  for (uint32_t n = 0; n < 120; n++) {
    fan f = n % 2 ? fan_random(5 + n % 6, 1, &random)
                  : fan_star(3 + n % 5, 0.35, n % 4 ? 1 : -1, 0.3, &random);
    fan_surface s = fan_surface_of(&f, ts_pose_identity(), NULL);
    ts_convex_run runs[TS_RUNS_MAX];
    int count = cover_of(runs, &s);
    for (int i = 0; i < count; i++) {
      runs_with_cuts += runs[i].cuts != 0;
      for (int k = 0; k < s.surface.face_count && runs[i].cuts != 0; k++)
        if ((runs[i].faces | runs[i].cuts) >> k & 1)
          cr_expect(is_needed(&f, &s.surface, runs[i], k, &random), "fan %u, run %d, face %d", n, i,
                    k);
    }
  }
  cr_expect_gt(runs_with_cuts, 20, "%d", runs_with_cuts);
}

Test(geometry_convex_cover, where_ridges_and_valleys_determine_the_runs_they_stay) {
  ts_random random = ts_random_seed(25, 0);
  const fan fans[4] = {fan_plane(), fan_ridge(), fan_star(4, 0.9, 2, 0, NULL),
                       fan_saddle(2, 0.5, 0.1)};
  const int counts[4] = {1, 1, 1, 2};
  for (int i = 0; i < 4; i++) {
    fan_surface s = fan_surface_of(&fans[i], random_pose(&random, 1), NULL);
    ts_convex_run largest[TS_RUNS_MAX], runs[TS_RUNS_MAX];
    int count = ts_convex_runs(largest, &s.surface);
    cr_expect_eq(count, counts[i], "%d: %d", i, count);
    cr_assert_eq(cover_of(runs, &s), count);
    for (int k = 0; k < count; k++)
      cr_expect(runs[k].faces == largest[k].faces && runs[k].cuts == 0);
  }
}

/// The faces of a run, each as the triangle that it is.
static uint32_t renumber(uint32_t faces, const fan_surface *s, const uint32_t *order) {
  uint32_t out = 0;
  for (size_t i = 0; i < s->sector_count; i++)
    if (faces >> s->sectors[i].face & 1)
      out |= 1u << order[i];
  return out;
}

Test(geometry_convex_cover, the_order_of_faces_and_a_turn_change_nothing) {
  ts_random random = ts_random_seed(26, 0);
  for (uint32_t n = 0; n < 100; n++) {
    fan f = n % 2 ? fan_random(4 + n % 9, 0.8, &random)
                  : fan_star(3 + n % 5, 0.35, n % 4 ? 1 : -1, 0.3, &random);
    uint32_t order[FAN_SIDES_MAX], same[FAN_SIDES_MAX];
    for (uint32_t i = 0; i < f.sides; i++)
      order[i] = same[i] = i;
    for (uint32_t i = f.sides; i > 1; i--) {
      uint32_t k = (uint32_t)(ts_random_u64(&random) % i), swap = order[i - 1];
      order[i - 1] = order[k];
      order[k] = swap;
    }
    fan_surface s = fan_surface_of(&f, ts_pose_identity(), NULL);
    fan_surface t = fan_surface_of(&f, random_pose(&random, 1), order);
    ts_convex_run runs[TS_RUNS_MAX], other[TS_RUNS_MAX];
    int count = cover_of(runs, &s);
    cr_assert_eq(cover_of(other, &t), count, "fan %u", n);
    for (int i = 0; i < count; i++) {
      int found = 0;
      for (int k = 0; k < count; k++)
        found += renumber(other[k].faces, &t, order) == renumber(runs[i].faces, &s, same) &&
                 renumber(other[k].cuts, &t, order) == renumber(runs[i].cuts, &s, same);
      cr_expect_eq(found, 1, "fan %u, run %d", n, i);
    }
  }
}

/// Faces in one plane that share no edge are both on a run that ends there, so that what lies on
/// either is known to.
Test(geometry_convex_cover, every_face_is_on_a_run_and_none_in_its_plane_is_forgotten) {
  fan f = fan_star(5, 0.381966011250105, 0.7, 0, NULL);
  fan_surface s = fan_surface_of(&f, ts_pose_identity(), NULL);
  ts_convex_run runs[TS_RUNS_MAX];
  int count = cover_of(runs, &s);
  uint32_t all = 0;
  for (int i = 0; i < count; i++) {
    all |= runs[i].faces;
    cr_expect_eq(runs[i].faces & runs[i].cuts, 0);
    for (size_t k = 0; k < s.sector_count; k++) {
      ts_vec3 middle = ts_vec3_mid(s.sectors[k].from, s.sectors[k].to);
      // Below the plane of the face by as little as makes no difference but to its own.
      middle = ts_vec3_add_scaled(middle, -1e-7, s.surface.normals[s.sectors[k].face]);
      if (run_holds(&s.surface, runs[i], middle))
        cr_expect(runs[i].faces >> s.sectors[k].face & 1, "run %d, face %zu", i, k);
    }
  }
  cr_expect_eq(s.surface.face_count, 10);
  cr_expect_eq(all, (1u << 10) - 1);
  cr_expect_eq(count, 3, "of the five lines, all but one are the planes of a run: %d", count);
}

Test(geometry_convex_cover, noise_below_the_angle_changes_no_run) {
  ts_random random = ts_random_seed(27, 0);
  named_fan shapes[FAN_SHAPES];
  fan_list(shapes, &random);
  for (int n = 0; n < 10 * FAN_SHAPES; n++) {
    fan clean = shapes[n / 10].fan, noisy = clean;
    for (uint32_t i = 0; i < noisy.sides; i++)
      noisy.rim[i] = ts_vec3_add(noisy.rim[i], random_point(&random, 1e-6));
    // Normals are of whole patches, and as little right as the directions along them.
    fan_surface s = fan_surface_of(&clean, ts_pose_identity(), NULL), t = s;
    for (uint32_t i = 0; i < noisy.sides; i++) {
      t.sectors[i].from = ts_vec3_unit(noisy.rim[i]);
      t.sectors[i].to = ts_vec3_unit(noisy.rim[(i + 1) % noisy.sides]);
    }
    ts_convex_run runs[TS_RUNS_MAX], other[TS_RUNS_MAX];
    int largest = ts_convex_runs(runs, &s.surface);
    int count = ts_convex_cover(runs, largest, &s.surface, s.sectors, s.sector_count, 1e-3);
    ts_convex_runs(other, &t.surface);
    int noisy_count = ts_convex_cover(other, largest, &t.surface, t.sectors, t.sector_count, 1e-3);
    cr_expect_eq(noisy_count, count, "%s: %d runs, not %d", shapes[n / 10].name, noisy_count,
                 count);
  }
}

/// Of solids, 32 faces need 20 runs at most, as far as tried; of arcs that are no solid's the
/// planes make more pieces than there is room for.
Test(geometry_convex_cover, too_many_runs_or_pieces_are_reported_and_not_cut_off) {
  ts_random random = ts_random_seed(28, 0);
  fan_surface s = {.surface.face_count = TS_LOCAL_FACES_MAX, .sector_count = FAN_SIDES_MAX};
  for (int i = 0; i < TS_LOCAL_FACES_MAX; i++) {
    ts_vec3 normal = ts_vec3_unit(random_point(&random, 1)), u, v;
    ts_vec3_tangents(&u, &v, normal);
    s.surface.normals[i] = normal;
    s.sectors[i] =
        (ts_face_sector){.face = i, .from = u, .to = ts_vec3_unit(ts_vec3_add_scaled(v, -10, u))};
  }
  ts_convex_run runs[TS_RUNS_MAX];
  cr_expect_eq(cover_of(runs, &s), -1);
}

// ---- against an oracle that knows volumes only --------------------------------------------------

/// How fast a velocity of b parts the solids where it parts them slowest; -INFINITY: they overlap.
static double margin_of(const fan_surface *a, const fan_surface *b, ts_vec3 velocity) {
  ts_convex_run runs_a[TS_RUNS_MAX], runs_b[TS_RUNS_MAX];
  int count_a = cover_of(runs_a, a), count_b = cover_of(runs_b, b);
  cr_assert(count_a > 0 && count_b > 0);
  double smallest = INFINITY;
  for (int i = 0; i < count_a; i++)
    for (int k = 0; k < count_b; k++) {
      ts_extreme_normal out[TS_EXTREME_NORMALS_MAX];
      int count =
          ts_extreme_normals(out, &a->surface, runs_a[i], &b->surface, runs_b[k], &exact_rad, 1);
      count = ts_extreme_normals_of_cuts(out, count, &a->surface, runs_a[i], &b->surface, runs_b[k],
                                         &exact_rad, 1);
      double most = -INFINITY;
      for (int n = 0; n < count; n++)
        most = ts_max(most, ts_vec3_dot(out[n].normal, velocity));
      smallest = ts_min(smallest, most);
    }
  return smallest;
}

typedef struct outcome {
  size_t pairs, free, blocked, false_free, false_blocked;
} outcome;

/// Two fans, the second upside down and turned, tip to tip: of each velocity what the surfaces say
/// against what the volumes do. False when they overlap.
static bool compare(outcome *sum, const fan *f, const fan *g, ts_quat turn) {
  ts_arena_mark mark = ts_arena_get_mark(arena);
  ts_quat half = {0, 1, 0, 0};
  ts_pose poses[2] = {ts_pose_identity(), {ts_quat_mul(turn, half), {0, 0, 0}}};
  fan_surface a = fan_surface_of(f, poses[0], NULL), b = fan_surface_of(g, poses[1], NULL);
  ts_twist_frame frame = {{1, 0, 0, 0}, {0, 0, 0}, 1};
  ts_motion_oracle *oracle;
  cr_assert_eq(ts_motion_oracle_create(&oracle, arena, &frame, fan_mesh(arena, f, 1), poses[0],
                                       fan_mesh(arena, g, 1), poses[1]),
               TS_OK);
  const double still[6] = {0};
  bool overlaps = ts_motion_oracle_depth(oracle, still) > 1e-6;
  cr_expect_eq(overlaps, margin_of(&a, &b, ts_vec3_make(0, 1, 0)) == -INFINITY);
  sum->pairs += !overlaps;
  ts_twist_samples samples = ts_twist_samples_start(0);
  for (int i = 0; i < 60 && !overlaps; i++) {
    double twist[6];
    ts_twist_samples_next(twist, &samples);
    ts_vec3 v = ts_vec3_unit(ts_vec3_make(twist[0], twist[1], twist[2]));
    memcpy(twist, (double[6]){v.x, v.y, v.z}, sizeof twist);
    double margin = margin_of(&a, &b, v);
    ts_motion found = ts_motion_oracle_ask(oracle, twist);
    sum->free += found == TS_MOTION_FREE;
    sum->blocked += found == TS_MOTION_BLOCKED;
    sum->false_blocked += found == TS_MOTION_FREE && margin < -0.02;
    sum->false_free += found == TS_MOTION_BLOCKED && margin > -1e-6;
  }
  ts_arena_rewind(arena, mark);
  return !overlaps;
}

static void expect_agreement(const outcome *o, const char *what) {
  cr_expect_eq(o->false_free, 0, "%s: %zu of %zu blocked motions are let through", what,
               o->false_free, o->blocked);
  cr_expect_eq(o->false_blocked, 0, "%s: %zu of %zu free motions are stopped", what,
               o->false_blocked, o->free);
}

Test(geometry_convex_cover, stars_and_saddles_block_as_their_volumes_do, .init = setup,
     .fini = teardown) {
  ts_random random = ts_random_seed(23, 0);
  named_fan shapes[FAN_SHAPES];
  fan_list(shapes, &random);
  fan spike = fan_star(4, 0.9, 2, 0, NULL), plane = fan_plane(), ridge = fan_ridge();
  const fan *others[3] = {&plane, &spike, &ridge};
  outcome sum = {0};
  for (int i = 0; i < FAN_SHAPES; i++)
    for (int k = 0; k < 3; k++)
      for (int turn = 0; turn < 4; turn++) {
        ts_quat about = ts_quat_from_axis_angle(ts_vec3_make(0, 1, 0), 0.37 * turn);
        outcome o = {0};
        compare(&o, &shapes[i].fan, others[k], about);
        expect_agreement(&o, shapes[i].name);
        sum.pairs += o.pairs;
        sum.blocked += o.blocked;
        sum.free += o.free;
      }
  cr_expect_gt(sum.pairs, 150);
  cr_expect(sum.blocked > 3000 && sum.free > 3000);
}

/// A star in the pit that it fits in, and one turned by less than an arm in a wider one.
Test(geometry_convex_cover, stars_rest_in_pits, .init = setup, .fini = teardown) {
  for (uint32_t arms = 3; arms <= 7; arms += 2) {
    fan star = fan_star(arms, 0.45, 1, 0, NULL);
    fan pit = fan_pit_of(&star, 1), wide = fan_pit_of(&star, 0.8);
    outcome o = {0};
    cr_expect(compare(&o, &pit, &star, ts_quat_identity()), "%u arms", arms);
    cr_expect(compare(&o, &wide, &star, ts_quat_identity()), "%u arms", arms);
    fan slim = fan_star(arms, 0.3, 1.3, 0, NULL);
    for (int turn = -2; turn <= 2; turn++)
      compare(&o, &wide, &slim, ts_quat_from_axis_angle(ts_vec3_make(0, 1, 0), 0.04 * turn));
    cr_expect_gt(o.pairs, 2);
    expect_agreement(&o, "pits");
  }
}

Test(geometry_convex_cover, any_corners_that_touch_move_as_their_volumes_do, .init = setup,
     .fini = teardown) {
  ts_random random = ts_random_seed(24, 0);
  outcome sum = {0};
  for (uint32_t n = 0; n < 400; n++) {
    fan f = fan_random(4 + n % 5, 0.6, &random), g = fan_random(4 + n / 5 % 5, 0.6, &random);
    for (uint32_t i = 0; i < g.sides && n % 2; i++)
      g.rim[i].y -= 0.6;
    compare(&sum, &f, &g, ts_quat_from_axis_angle(ts_vec3_make(0, 1, 0), 0.1 * n));
  }
  expect_agreement(&sum, "corners");
  cr_expect_gt(sum.pairs, 30);
}
