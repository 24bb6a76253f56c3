// SPDX-License-Identifier: MIT
// covers: methods/surface/block_filter.c
// covers: methods/surface/block_filter_avx2.c
// covers: methods/surface/block_filter_avx512.c
#include "methods/surface/block_filter.h"

#include "base/random.h"
#include "geometry/closest.h"
#include "geometry/tolerances.h"
#include "geometry/vec3.h"
#include "methods/edge_pair.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <string.h>

/// Features in double precision, and as lanes.
typedef struct block {
  ts_vec3 ends[TS_BLOCK_FEATURES][2], thirds[TS_BLOCK_FEATURES][2], points[TS_BLOCK_FEATURES],
      corners[TS_BLOCK_FACES][3];
  ts_block_lanes lanes;
} block;

static ts_vec3 random_point(ts_random *random, double reach) {
  double x = ts_random_uniform(random, -reach, reach);
  double y = ts_random_uniform(random, -reach, reach);
  return (ts_vec3){x, y, ts_random_uniform(random, -reach, reach)};
}

static void set(float lanes[3][TS_BLOCK_LANES], uint32_t i, ts_vec3 v) {
  lanes[0][i] = (float)v.x;
  lanes[1][i] = (float)v.y;
  lanes[2][i] = (float)v.z;
}

static void set_plane(block *b, int plane, uint32_t face, ts_vec3 normal, ts_vec3 point) {
  float(*p)[TS_BLOCK_FACES] = b->lanes.face[plane];
  p[0][face] = (float)normal.x;
  p[1][face] = (float)normal.y;
  p[2][face] = (float)normal.z;
  p[3][face] = (float)ts_vec3_dot(normal, point);
}

static void set_corner(block *b, uint32_t face, int corner) {
  float(*lanes)[TS_BLOCK_FACES] = b->lanes.face_corner[corner];
  lanes[0][face] = (float)b->corners[face][corner].x;
  lanes[1][face] = (float)b->corners[face][corner].y;
  lanes[2][face] = (float)b->corners[face][corner].z;
}

static void set_face(block *b, uint32_t face) {
  const ts_vec3 *c = b->corners[face];
  ts_vec3 normal = ts_vec3_unit(ts_vec3_cross(ts_vec3_sub(c[1], c[0]), ts_vec3_sub(c[2], c[0])));
  set_plane(b, 0, face, normal, c[0]);
  for (int i = 0; i < 3; i++) {
    ts_vec3 edge = ts_vec3_unit(ts_vec3_sub(c[(i + 1) % 3], c[i]));
    set_plane(b, 1 + i, face, ts_vec3_cross(normal, edge), c[i]);
    set_corner(b, face, i);
  }
}

/// The edge of a lane, with the corners off it of two triangles.
static void set_edge(block *b, uint32_t i) {
  ts_block_lanes *lanes = &b->lanes;
  ts_vec3 edge = ts_vec3_sub(b->ends[i][1], b->ends[i][0]), direction = ts_vec3_unit(edge);
  set(lanes->edge_start, i, b->ends[i][0]);
  set(lanes->edge, i, direction);
  lanes->edge_length[i] = (float)ts_vec3_norm(edge);
  lanes->edge_start_along[i] = (float)ts_vec3_dot(b->ends[i][0], direction);
  for (int k = 0; k < 2; k++)
    set(lanes->edge_third[k], i, ts_vec3_sub(b->thirds[i][k], b->ends[i][0]));
}

/// Features of about `size` around a random place; the counts run over all that a block can have.
static void fill(block *b, ts_random *random, double size) {
  memset(b, 0, sizeof *b);
  ts_vec3 at = random_point(random, 1 - 2 * size);
  ts_block_lanes *lanes = &b->lanes;
  lanes->edge_count = 1 + ts_random_u64(random) % TS_BLOCK_FEATURES;
  lanes->point_count = 1 + ts_random_u64(random) % TS_BLOCK_FEATURES;
  lanes->face_count = 1 + ts_random_u64(random) % TS_BLOCK_FACES;
  ts_vec3 low = {1, 1, 1}, high = {-1, -1, -1};
  for (uint32_t i = 0; i < TS_BLOCK_FEATURES; i++) { // those past the counts are there, too
    for (int k = 0; k < 2; k++) {
      b->ends[i][k] = ts_vec3_add(at, random_point(random, size));
      low = ts_vec3_min(low, b->ends[i][k]);
      high = ts_vec3_max(high, b->ends[i][k]);
    }
    for (int k = 0; k < 2; k++)
      b->thirds[i][k] = ts_vec3_add(b->ends[i][0], random_point(random, 0.3 * size));
    set_edge(b, i);
    b->points[i] = ts_vec3_add(at, random_point(random, size));
    set(lanes->point, i, b->points[i]);
  }
  for (uint32_t i = 0; i < TS_BLOCK_FACES; i++) {
    for (int k = 0; k < 3; k++)
      b->corners[i][k] = ts_vec3_add(at, random_point(random, size));
    set_face(b, i);
  }
  const double lows[3] = {low.x, low.y, low.z}, highs[3] = {high.x, high.y, high.z};
  for (int i = 0; i < 3; i++) {
    lanes->low[i] = (float)lows[i];
    lanes->high[i] = (float)highs[i];
  }
}

/// Two blocks that are near each other.
static void fill_pair(block blocks[2], ts_random *random, double size) {
  ts_random same = *random;
  fill(&blocks[0], random, size);
  fill(&blocks[1], &same, size); // around the same place
  ts_random other = ts_random_seed(ts_random_u64(random), 7);
  ts_vec3 shift = random_point(&other, size);
  block *b = &blocks[1];
  for (uint32_t i = 0; i < TS_BLOCK_FEATURES; i++) {
    b->ends[i][0] = ts_vec3_add(b->ends[i][0], shift);
    b->points[i] = ts_vec3_add(b->points[i], ts_vec3_neg(shift));
    set_edge(b, i);
    set(b->lanes.point, i, b->points[i]);
  }
  for (int i = 0; i < 3; i++) {
    b->lanes.low[i] -= (float)size;
    b->lanes.high[i] += (float)size;
  }
}

/// Bits of what was found, [a][b].
typedef struct found {
  bool is[TS_BLOCK_FEATURES][TS_BLOCK_FEATURES];
  size_t needed, passed;
} found;

/// All features of a block up to its counts.
static ts_block_part all_of(const block *b) {
  return (ts_block_part){.faces = (1u << b->lanes.face_count) - 1,
                         .edges = (1u << b->lanes.edge_count) - 1,
                         .points = (1u << b->lanes.point_count) - 1};
}

/// Some of them.
static ts_block_part some_of(const block *b, ts_random *random) {
  ts_block_part all = all_of(b);
  uint32_t kept = (uint32_t)ts_random_u64(random);
  return (ts_block_part){all.faces & kept, all.edges & kept, all.points & kept};
}

static void note(found *out, const ts_block_pairs *pairs, uint32_t count_a, uint32_t count_b) {
  memset(out->is, 0, sizeof out->is);
  out->passed += pairs->count;
  for (uint32_t i = 0; i < pairs->count; i++) {
    uint32_t a = pairs->items[i].a, b = pairs->items[i].b;
    cr_assert(a < count_a && b < count_b);
    if (i)
      cr_assert(pairs->items[i - 1].a < a ||
                (pairs->items[i - 1].a == a && pairs->items[i - 1].b < b));
    out->is[a][b] = true;
  }
}

static void expect(found *f, bool needed, uint32_t a, uint32_t b, const char *what) {
  f->needed += needed;
  cr_assert(!needed || f->is[a][b], "%s %u and %u meet", what, a, b);
}

static const double sizes[] = {0.3, 0.01, 3e-4};

Test(methods_block_filter, edges_that_cross_within_reach_pass) {
  ts_random random = ts_random_seed(1, 0);
  for (int s = 0; s < 3; s++) {
    double reach = 0.5 * sizes[s];
    found f = {.needed = 0};
    for (int round = 0; round < 200; round++) {
      block blocks[2];
      fill_pair(blocks, &random, sizes[s]);
      ts_block_pairs pairs;
      uint32_t count_a = blocks[0].lanes.edge_count, count_b = blocks[1].lanes.edge_count;
      ts_block_part part_a = some_of(&blocks[0], &random), part_b = some_of(&blocks[1], &random);
      ts_block_filter_plain()->crossing_edges(&pairs, &blocks[0].lanes, part_a.edges,
                                              &blocks[1].lanes, part_b.edges, (float)reach, 0);
      note(&f, &pairs, count_a, count_b);
      for (uint32_t i = 0; i < count_a; i++)
        for (uint32_t k = 0; k < count_b; k++) {
          ts_edge_pair e;
          bool is_looked_at = part_a.edges >> i & part_b.edges >> k & 1;
          cr_assert(is_looked_at || !f.is[i][k]);
          expect(&f,
                 is_looked_at && ts_edge_pair_cross(&e, blocks[0].ends[i], blocks[1].ends[k]) &&
                     e.inside_a_m >= 0 && e.inside_b_m >= 0 &&
                     ts_vec3_distance(e.on_a, e.on_b) <= reach,
                 i, k, "edges");
        }
    }
    cr_assert_gt(f.needed, 125);
    cr_assert_lt(f.passed, 4 * f.needed, "%zu passed, %zu needed", f.passed, f.needed);
  }
}

Test(methods_block_filter, points_over_faces_and_near_edges_and_points_pass) {
  ts_random random = ts_random_seed(2, 0);
  for (int s = 0; s < 3; s++) {
    double reach = 0.5 * sizes[s];
    found over = {.needed = 0}, beside = {.needed = 0}, at = {.needed = 0};
    for (int round = 0; round < 200; round++) {
      block blocks[2];
      fill_pair(blocks, &random, sizes[s]);
      const ts_block_lanes *a = &blocks[0].lanes, *b = &blocks[1].lanes;
      const ts_block_part part_a = all_of(&blocks[0]), part_b = all_of(&blocks[1]);
      const ts_block_filter *filter = ts_block_filter_plain();
      ts_block_pairs pairs;
      filter->points_over_faces(&pairs, a, part_a.points, b, part_b.faces, (float)reach, 0);
      note(&over, &pairs, a->point_count, b->face_count);
      for (uint32_t i = 0; i < a->point_count; i++)
        for (uint32_t k = 0; k < b->face_count; k++) {
          ts_closest_on_triangle c =
              ts_closest_point_triangle(blocks[0].points[i], blocks[1].corners[k]);
          expect(&over, c.kind == TS_FEATURE_FACE && c.distance_m <= reach, i, k, "face");
        }
      filter->points_near_edges(&pairs, a, part_a.points, b, part_b.edges, (float)reach, 0);
      note(&beside, &pairs, a->point_count, b->edge_count);
      for (uint32_t i = 0; i < a->point_count; i++)
        for (uint32_t k = 0; k < b->edge_count; k++) {
          ts_vec3 p = blocks[0].points[i], *e = blocks[1].ends[k];
          double t = ts_closest_point_segment(p, e[0], e[1]);
          double distance = ts_vec3_distance(p, ts_vec3_lerp(e[0], e[1], t));
          expect(&beside, t > 0 && t < 1 && distance <= reach, i, k, "edge");
        }
      filter->points_near_points(&pairs, a, part_a.points, b, part_b.points, (float)reach);
      note(&at, &pairs, a->point_count, b->point_count);
      for (uint32_t i = 0; i < a->point_count; i++)
        for (uint32_t k = 0; k < b->point_count; k++)
          expect(&at, ts_vec3_distance(blocks[0].points[i], blocks[1].points[k]) <= reach, i, k,
                 "point");
    }
    const found *all[3] = {&over, &beside, &at};
    for (int i = 0; i < 3; i++) {
      cr_assert_gt(all[i]->needed, 100, "%d: %zu", i, all[i]->needed);
      if (s < 2) // smaller blocks are within what rounding lets pass
        cr_assert_lt(all[i]->passed, 2 * all[i]->needed, "%d: %zu passed, %zu needed", i,
                     all[i]->passed, all[i]->needed);
    }
  }
}

/// The heights of an edge and of the triangles at it, along an axis.
static void extend(double *low, double *high, const block *b, uint32_t i, ts_vec3 axis) {
  const ts_vec3 points[3] = {b->ends[i][0], b->thirds[i][0], b->thirds[i][1]};
  *low = INFINITY, *high = -INFINITY;
  for (int k = 0; k < 3; k++) {
    double h = ts_vec3_dot(axis, points[k]);
    *low = ts_min(*low, h);
    *high = ts_max(*high, h);
  }
}

Test(methods_block_filter, of_edges_that_cross_those_of_triangles_that_meet_pass) {
  ts_random random = ts_random_seed(4, 0);
  const ts_block_filter *filter = ts_block_filter_plain();
  for (int s = 0; s < 2; s++) {
    double reach = 0.5 * sizes[s], apart = 0.05 * sizes[s];
    found all = {.needed = 0}, f = {.needed = 0};
    for (int round = 0; round < 200; round++) {
      block blocks[2];
      fill_pair(blocks, &random, sizes[s]);
      const ts_block_lanes *a = &blocks[0].lanes, *b = &blocks[1].lanes;
      const ts_block_part part_a = all_of(&blocks[0]), part_b = all_of(&blocks[1]);
      ts_block_pairs pairs;
      filter->crossing_edges(&pairs, a, part_a.edges, b, part_b.edges, (float)reach, 0);
      note(&all, &pairs, a->edge_count, b->edge_count);
      filter->crossing_edges_of_triangles(&pairs, a, part_a.edges, b, part_b.edges, (float)reach, 0,
                                          (float)apart);
      note(&f, &pairs, a->edge_count, b->edge_count);
      for (uint32_t i = 0; i < a->edge_count; i++)
        for (uint32_t k = 0; k < b->edge_count; k++) {
          cr_assert(all.is[i][k] || !f.is[i][k]);
          ts_edge_pair e;
          if (!all.is[i][k] || !ts_edge_pair_cross(&e, blocks[0].ends[i], blocks[1].ends[k]))
            continue;
          double low_a, high_a, low_b, high_b;
          extend(&low_a, &high_a, &blocks[0], i, e.axis);
          extend(&low_b, &high_b, &blocks[1], k, e.axis);
          expect(&f, low_b - high_a <= apart && low_a - high_b <= apart, i, k,
                 "triangles at edges");
        }
    }
    cr_assert_gt(f.needed, 500);
    cr_assert_lt((double)f.passed, 1.2 * (double)f.needed, "%zu passed, %zu needed", f.passed,
                 f.needed);
    cr_assert_lt((double)f.passed, 0.9 * (double)all.passed, "%zu of %zu passed", f.passed,
                 all.passed);
  }
}

/// The box and the slab around the faces of a block.
static void surround_faces(block *b) {
  ts_vec3 low = {1, 1, 1}, high = {-1, -1, -1}, normal = {0, 0, 0};
  double slab_low = INFINITY, slab_high = -INFINITY;
  for (uint32_t i = 0; i < b->lanes.face_count; i++) {
    const float(*plane)[TS_BLOCK_FACES] = (const float(*)[TS_BLOCK_FACES])b->lanes.face[0];
    ts_vec3 n = {(double)plane[0][i], (double)plane[1][i], (double)plane[2][i]};
    normal = ts_vec3_add(normal, n);
  }
  normal = ts_vec3_unit(normal);
  for (uint32_t i = 0; i < 3 * b->lanes.face_count; i++) {
    ts_vec3 p = b->corners[i / 3][i % 3];
    low = ts_vec3_min(low, p);
    high = ts_vec3_max(high, p);
    slab_low = ts_min(slab_low, ts_vec3_dot(normal, p));
    slab_high = ts_max(slab_high, ts_vec3_dot(normal, p));
  }
  const double of[3][3] = {
      {low.x, low.y, low.z}, {high.x, high.y, high.z}, {normal.x, normal.y, normal.z}};
  for (int i = 0; i < 3; i++) {
    b->lanes.low[i] = (float)of[0][i];
    b->lanes.high[i] = (float)of[1][i];
    b->lanes.slab_normal[i] = (float)of[2][i];
  }
  b->lanes.slab_low = (float)slab_low;
  b->lanes.slab_high = (float)slab_high;
}

Test(methods_block_filter, faces_within_reach_of_those_of_a_block_pass) {
  ts_random random = ts_random_seed(5, 0);
  for (int s = 0; s < 2; s++) {
    double reach = 0.1 * sizes[s];
    size_t needed = 0, passed = 0, all = 0;
    for (int round = 0; round < 300; round++) {
      block blocks[2];
      fill(&blocks[0], &random, sizes[s]);
      fill(&blocks[1], &random, 0.3 * sizes[s]);
      ts_vec3 to = ts_vec3_add(ts_vec3_sub(blocks[0].corners[0][0], blocks[1].corners[0][0]),
                               random_point(&random, sizes[s]));
      for (uint32_t i = 0; i < TS_BLOCK_FACES; i++) {
        for (int k = 0; k < 3; k++)
          blocks[1].corners[i][k] = ts_vec3_add(blocks[1].corners[i][k], to);
        set_face(&blocks[1], i);
      }
      surround_faces(&blocks[1]);
      uint32_t bits =
          ts_block_filter_plain()->faces_near(&blocks[0].lanes, &blocks[1].lanes, (float)reach);
      for (uint32_t i = 0; i < blocks[0].lanes.face_count; i++) {
        double distance = INFINITY;
        for (uint32_t k = 0; k < blocks[1].lanes.face_count; k++)
          distance = ts_min(
              distance,
              ts_closest_triangle_triangle(blocks[0].corners[i], blocks[1].corners[k]).distance_m);
        needed += distance <= reach;
        passed += bits >> i & 1;
        cr_assert(distance > reach || bits >> i & 1, "face %u at %g", i, distance);
      }
      all += blocks[0].lanes.face_count;
      cr_assert_eq(bits >> blocks[0].lanes.face_count, 0);
    }
    cr_assert_gt(needed, 100);
    cr_assert_lt((double)passed, 0.9 * (double)all, "%zu of %zu passed, %zu needed", passed, all,
                 needed);
  }
}

static void expect_same_pairs(const ts_block_filter *one, const ts_block_filter *other) {
  const ts_block_filter *filters[2] = {one, other};
  ts_random random = ts_random_seed(3, 0);
  for (int round = 0; round < 300; round++) {
    block blocks[2];
    double size = sizes[round % 3];
    fill_pair(blocks, &random, size);
    const ts_block_lanes *a = &blocks[0].lanes, *b = &blocks[1].lanes;
    const ts_block_part of_a = some_of(&blocks[0], &random), of_b = some_of(&blocks[1], &random);
    const float reach = (float)(0.5 * size), slack = (float)(0.1 * size);
    ts_block_pairs got[2][5];
    for (int i = 0; i < 2; i++) {
      const ts_block_filter *f = filters[i];
      f->crossing_edges(&got[i][0], a, of_a.edges, b, of_b.edges, reach, slack);
      f->points_over_faces(&got[i][1], a, of_a.points, b, of_b.faces, reach, slack);
      f->points_near_edges(&got[i][2], a, of_a.points, b, of_b.edges, reach, slack);
      f->points_near_points(&got[i][3], a, of_a.points, b, of_b.points, reach);
      f->crossing_edges_of_triangles(&got[i][4], a, of_a.edges, b, of_b.edges, reach, slack, slack);
    }
    for (int i = 0; i < 5; i++) {
      cr_assert_eq(got[0][i].count, got[1][i].count);
      cr_assert_eq(
          memcmp(got[0][i].items, got[1][i].items, got[0][i].count * sizeof got[0][i].items[0]), 0);
    }
    cr_assert_eq(one->faces_near(a, b, reach), other->faces_near(a, b, reach));
  }
}

Test(methods_block_filter, all_find_the_same_pairs) {
  expect_same_pairs(ts_block_filter_plain(), ts_block_filter_fastest());
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2"))
    expect_same_pairs(ts_block_filter_plain(), ts_block_filter_avx2());
#endif
}
