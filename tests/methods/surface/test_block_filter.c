// SPDX-License-Identifier: MIT
// covers: methods/surface/block_filter.c
// covers: methods/surface/block_filter_avx2.c
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
  ts_vec3 ends[TS_BLOCK_FEATURES][2], points[TS_BLOCK_FEATURES], corners[TS_BLOCK_FACES][3];
  ts_block_lanes lanes;
} block;

static ts_vec3 random_point(ts_random *random, double reach) {
  double x = ts_random_uniform(random, -reach, reach);
  double y = ts_random_uniform(random, -reach, reach);
  return (ts_vec3){x, y, ts_random_uniform(random, -reach, reach)};
}

static void set(float lanes[3][TS_BLOCK_FEATURES], uint32_t i, ts_vec3 v) {
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

static void set_face(block *b, uint32_t face) {
  const ts_vec3 *c = b->corners[face];
  ts_vec3 normal = ts_vec3_unit(ts_vec3_cross(ts_vec3_sub(c[1], c[0]), ts_vec3_sub(c[2], c[0])));
  set_plane(b, 0, face, normal, c[0]);
  for (int i = 0; i < 3; i++) {
    ts_vec3 edge = ts_vec3_unit(ts_vec3_sub(c[(i + 1) % 3], c[i]));
    set_plane(b, 1 + i, face, ts_vec3_cross(normal, edge), c[i]);
  }
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
    ts_vec3 edge = ts_vec3_sub(b->ends[i][1], b->ends[i][0]), direction = ts_vec3_unit(edge);
    set(lanes->edge_start, i, b->ends[i][0]);
    set(lanes->edge, i, direction);
    lanes->edge_length[i] = (float)ts_vec3_norm(edge);
    lanes->edge_start_along[i] = (float)ts_vec3_dot(b->ends[i][0], direction);
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
    ts_vec3 edge = ts_vec3_sub(b->ends[i][1], b->ends[i][0]), direction = ts_vec3_unit(edge);
    set(b->lanes.edge_start, i, b->ends[i][0]);
    set(b->lanes.edge, i, direction);
    b->lanes.edge_length[i] = (float)ts_vec3_norm(edge);
    b->lanes.edge_start_along[i] = (float)ts_vec3_dot(b->ends[i][0], direction);
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
      ts_block_filter_plain()->crossing_edges(&pairs, &blocks[0].lanes, count_a, &blocks[1].lanes,
                                              count_b, (float)reach, 0);
      note(&f, &pairs, count_a, count_b);
      for (uint32_t i = 0; i < count_a; i++)
        for (uint32_t k = 0; k < count_b; k++) {
          ts_edge_pair e;
          expect(&f,
                 ts_edge_pair_cross(&e, blocks[0].ends[i], blocks[1].ends[k]) &&
                     e.inside_a_m >= 0 && e.inside_b_m >= 0 &&
                     ts_vec3_distance(e.on_a, e.on_b) <= reach,
                 i, k, "edges");
        }
    }
    cr_assert_gt(f.needed, 500);
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
      const ts_block_filter *filter = ts_block_filter_plain();
      ts_block_pairs pairs;
      filter->points_over_faces(&pairs, a, b, (float)reach, 0);
      note(&over, &pairs, a->point_count, b->face_count);
      for (uint32_t i = 0; i < a->point_count; i++)
        for (uint32_t k = 0; k < b->face_count; k++) {
          ts_closest_on_triangle c =
              ts_closest_point_triangle(blocks[0].points[i], blocks[1].corners[k]);
          expect(&over, c.kind == TS_FEATURE_FACE && c.distance_m <= reach, i, k, "face");
        }
      filter->points_near_edges(&pairs, a, b, b->edge_count, (float)reach, 0);
      note(&beside, &pairs, a->point_count, b->edge_count);
      for (uint32_t i = 0; i < a->point_count; i++)
        for (uint32_t k = 0; k < b->edge_count; k++) {
          ts_vec3 p = blocks[0].points[i], *e = blocks[1].ends[k];
          double t = ts_closest_point_segment(p, e[0], e[1]);
          double distance = ts_vec3_distance(p, ts_vec3_lerp(e[0], e[1], t));
          expect(&beside, t > 0 && t < 1 && distance <= reach, i, k, "edge");
        }
      filter->points_near_points(&pairs, a, b, (float)reach);
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

Test(methods_block_filter, the_fastest_one_finds_the_same_pairs) {
  const ts_block_filter *one = ts_block_filter_plain(), *other = ts_block_filter_fastest();
  ts_random random = ts_random_seed(3, 0);
  for (int round = 0; round < 300; round++) {
    block blocks[2];
    double size = sizes[round % 3];
    fill_pair(blocks, &random, size);
    const ts_block_lanes *a = &blocks[0].lanes, *b = &blocks[1].lanes;
    const float reach = (float)(0.5 * size), slack = (float)(0.1 * size);
    ts_block_pairs got[2][4];
    const ts_block_filter *filters[2] = {one, other};
    for (int i = 0; i < 2; i++) {
      filters[i]->crossing_edges(&got[i][0], a, a->edge_count, b, b->edge_count, reach, slack);
      filters[i]->points_over_faces(&got[i][1], a, b, reach, slack);
      filters[i]->points_near_edges(&got[i][2], a, b, b->edge_count, reach, slack);
      filters[i]->points_near_points(&got[i][3], a, b, reach);
    }
    for (int i = 0; i < 4; i++) {
      cr_assert_eq(got[0][i].count, got[1][i].count);
      cr_assert_eq(
          memcmp(got[0][i].items, got[1][i].items, got[0][i].count * sizeof got[0][i].items[0]), 0);
    }
  }
}
