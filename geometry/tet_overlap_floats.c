// SPDX-License-Identifier: MIT
/// Compiled for processors with AVX2 and FMA: nothing here may run on others.
///
/// Decides eight pairs of tets in single precision where the result of ts_tet_tet_overlap, which
/// explains the test, is certain despite the rounding of floats. The bounds on that rounding:
///
/// Coordinates are taken relative to node 0 of the first tet in doubles, then rounded. So the place
/// of the pair does not matter. With u = 2^-24, D the largest of these coordinates, S_A and S_B
/// those of the nodes of either tet relative to its own node 0, S_A <= D and S_B <= 2 D, and a sum
/// of products whose factors are known to within some u:
///
///   first tet, nodes u S_A off:   normals below 2 S_A^2, 8 u S_A^2 off; heights over faces 1 to 3
///     and the apex below 6 S_A^2 D, 48 u S_A^2 D off; those over face 0, made of these four, below
///     24 S_A^2 D, 246 u S_A^2 D off; a difference of two, at most 540 u S_A^2 D off.
///   second tet, nodes and what is subtracted from them 4 u D off:   normals below 2 S_B^2,
///     24 u S_B D off; heights and apex below 24 S_B D^2, 264 u S_B D^2 off; those over face 0
///     below 96 S_B D^2, 1272 u S_B D^2 off; a difference of two, at most 2736 u S_B D^2 off.
///   edge crosses:   q x r below 2 D^2, 8 u D^2 off; its product with a node of the first tet below
///     6 S_A D^2, 48 u S_A D^2 off; two of these and a difference of heights, 240 u S_A D^2 off.
///
/// ROOM_A and ROOM_B are larger by more than the terms with u^2 and what doubles have to
/// themselves: rounding and the noise that they allow for, together below 2e-13 D^3. A tet that is
/// smaller than RATIO_MIN of D is left to doubles, so that this is below 4 u S D^2. D is within
/// limits in which no product overflows and what vanishes is less than these rooms. Products are
/// fused with sums: decisions are certain with more or fewer roundings.
#include "geometry/tet_overlap_batch.h"

#if defined(__AVX2__) && defined(__FMA__)
#include "geometry/tet.h"
#include "geometry/tolerances.h"

#include <float.h>
#include <immintrin.h>

enum { LANES = 8 };

#define ROOM_A    (640 * FLT_EPSILON / 2)  ///< over S_A D^2
#define ROOM_B    (3072 * FLT_EPSILON / 2) ///< over S_B D^2
#define RATIO_MIN 1e-6F                    ///< of S_A and S_B to D
#define SMALLEST  1e-8F                    ///< and LARGEST: D [m]
#define LARGEST   1e8F
/// The sum of the components of an axis, over the squared size of what made it: 24, and rounding.
#define AXIS_MAX  25.0F

// The arrays below become registers only where their loops are unrolled, as nearly all are.
typedef __m256 lanes;

typedef struct vec {
  lanes x, y, z;
} vec;

/// As `solid` of ts_tet_tet_overlap.
typedef struct solid {
  vec node[4]; ///< [1] to [3]; node 0 is the origin
  vec other[4];
  lanes height[4][4];
  lanes apex;
  lanes gap;   ///< the largest along a face normal, in lengths of normals
  lanes depth; ///< the least height, of the node of the other that is deepest inside, or 0
  lanes room;  ///< a height, a difference of two or a gap is known within this
} solid;

/// Byte i or j for an edge of a tet, with a bit for each lane.
typedef uint64_t edge_lanes;

static inline lanes all(float x) {
  return _mm256_set1_ps(x);
}

static inline lanes smaller(lanes a, lanes b) {
  return _mm256_min_ps(a, b);
}

static inline lanes larger(lanes a, lanes b) {
  return _mm256_max_ps(a, b);
}

static inline lanes least(lanes a, lanes b, lanes c, lanes d) {
  return smaller(smaller(a, b), smaller(c, d));
}

static inline lanes most(lanes a, lanes b, lanes c, lanes d) {
  return larger(larger(a, b), larger(c, d));
}

/// Bit k: lane k of a is larger than that of b.
static inline unsigned more(lanes a, lanes b) {
  return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GT_OQ));
}

static inline vec sub(vec a, vec b) {
  return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline lanes dot(vec a, vec b) {
  return _mm256_fmadd_ps(a.x, b.x, _mm256_fmadd_ps(a.y, b.y, a.z * b.z));
}

static inline vec cross(vec a, vec b) {
  return (vec){_mm256_fmsub_ps(a.y, b.z, a.z * b.y), _mm256_fmsub_ps(a.z, b.x, a.x * b.z),
               _mm256_fmsub_ps(a.x, b.y, a.y * b.x)};
}

static inline lanes reach(vec p) {
  const lanes sign = all(-0.0F);
  return larger(_mm256_andnot_ps(sign, p.x),
                larger(_mm256_andnot_ps(sign, p.y), _mm256_andnot_ps(sign, p.z)));
}

/// The nodes of a pair relative to node 0 of the first, which itself is the first; in floats.
static inline void set_row(float out[24], const ts_tet_nodes_pair *pair) {
  const double *a = (const double *)(const void *)pair->a;
  const double *b = (const double *)(const void *)pair->b;
  __m256d first = _mm256_loadu_pd(a);
  __m256d x_first = _mm256_permute4x64_pd(first, 0x24),
          y_first = _mm256_permute4x64_pd(first, 0x49);
  __m256d z_first = _mm256_permute4x64_pd(first, 0x92), none = _mm256_setzero_pd();
  _mm_store_ps(out, _mm256_cvtpd_ps(first - _mm256_blend_pd(none, x_first, 8)));
  _mm_store_ps(out + 4, _mm256_cvtpd_ps(_mm256_loadu_pd(a + 4) - y_first));
  _mm_store_ps(out + 8, _mm256_cvtpd_ps(_mm256_loadu_pd(a + 8) - z_first));
  _mm_store_ps(out + 12, _mm256_cvtpd_ps(_mm256_loadu_pd(b) - x_first));
  _mm_store_ps(out + 16, _mm256_cvtpd_ps(_mm256_loadu_pd(b + 4) - y_first));
  _mm_store_ps(out + 20, _mm256_cvtpd_ps(_mm256_loadu_pd(b + 8) - z_first));
}

/// Four consecutive floats of each row, as four vectors.
static inline void transpose(lanes out[4], const float row[LANES][24], int at) {
  lanes two[4];
#pragma GCC unroll 8
  for (int k = 0; k < 4; k++)
    two[k] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(&row[k][at])),
                                  _mm_load_ps(&row[k + 4][at]), 1);
  lanes low = _mm256_unpacklo_ps(two[0], two[1]), low2 = _mm256_unpacklo_ps(two[2], two[3]);
  lanes high = _mm256_unpackhi_ps(two[0], two[1]), high2 = _mm256_unpackhi_ps(two[2], two[3]);
  out[0] = _mm256_shuffle_ps(low, low2, 0x44);
  out[1] = _mm256_shuffle_ps(low, low2, 0xee);
  out[2] = _mm256_shuffle_ps(high, high2, 0x44);
  out[3] = _mm256_shuffle_ps(high, high2, 0xee);
}

static inline void load(vec out[8], const ts_tet_nodes_pair *const pairs[LANES]) {
  _Alignas(16) float row[LANES][24];
  lanes column[24];
  for (int k = 0; k < LANES; k++)
    set_row(row[k], pairs[k]);
#pragma GCC unroll 8
  for (int k = 0; k < 6; k++)
    transpose(&column[4 * k], (const float(*)[24])row, 4 * k);
#pragma GCC unroll 8
  for (int i = 0; i < 8; i++)
    out[i] = (vec){column[3 * i], column[3 * i + 1], column[3 * i + 2]};
}

/// The largest coordinate of nodes 1 to 3.
static inline lanes size_of(const solid *s) {
  return larger(reach(s->node[1]), larger(reach(s->node[2]), reach(s->node[3])));
}

/// Sets the heights, and what they tell about the other tet.
static inline void set_heights(solid *s) {
  const vec *node = s->node;
  const lanes zero = all(0);
  vec n1 = cross(node[3], node[2]), n2 = cross(node[1], node[3]), n3 = cross(node[2], node[1]);
  lanes lowest[4], highest[4], below = zero, above = zero;
  s->apex = dot(n1, node[1]);
#pragma GCC unroll 8
  for (int j = 0; j < 4; j++) {
    lanes h1 = dot(n1, s->other[j]), h2 = dot(n2, s->other[j]), h3 = dot(n3, s->other[j]);
    // The four normals add up to none, and so heights to that of an apex.
    const lanes h[4] = {s->apex - (h1 + h2 + h3), h1, h2, h3};
#pragma GCC unroll 8
    for (int f = 0; f < 4; f++) {
      s->height[f][j] = h[f];
      lowest[f] = j ? smaller(lowest[f], h[f]) : h[f];
      highest[f] = j ? larger(highest[f], h[f]) : h[f];
    }
    above = smaller(above, most(h[0], h[1], h[2], h[3]));
    below = larger(below, least(h[0], h[1], h[2], h[3]));
  }
  s->gap = larger(most(lowest[0], lowest[1], lowest[2], lowest[3]) - larger(s->apex, zero),
                  smaller(s->apex, zero) - least(highest[0], highest[1], highest[2], highest[3]));
  s->depth = larger(below, -above);
}

/// Where heights over face f rise and fall for certain along edge e of the other tet.
static inline void slope(edge_lanes *out_rises, edge_lanes *out_falls, const solid *s, int f,
                         int e) {
  const lanes *height = s->height[f];
  lanes rise = height[ts_tet_edge_nodes[e][1]] - height[ts_tet_edge_nodes[e][0]];
  *out_rises = more(rise, s->room);
  *out_falls = more(-s->room, rise);
}

/// Where nodes on an edge of the second tet are for certain beyond an edge of the first, along
/// their cross product, and where they are before it: of edge i of the first in [i], byte j for
/// edge j of the second. For nodes p on edge i, q and r at the ends of edge j, that distance is
/// edge i . (r x q) - edge j . (p x edge i). Node 0 of the first tet is the origin, and the crosses
/// of its others are face normals, whose products with edge j are differences of heights.
static inline void set_ahead(edge_lanes beyond[6], edge_lanes behind[6], const solid *s,
                             const vec second[4], lanes room) {
#pragma GCC unroll 8
  for (int i = 0; i < 6; i++)
    beyond[i] = behind[i] = 0;
#pragma GCC unroll 8
  for (int j = 0; j < 6; j++) {
    int start = ts_tet_edge_nodes[j][0], end = ts_tet_edge_nodes[j][1];
    vec moment = cross(second[end], second[start]);
    lanes of[4], along[6];
#pragma GCC unroll 8
    for (int i = 1; i < 4; i++)
      of[i] = along[i - 1] = dot(s->node[i], moment);
    along[3] = of[2] - of[1] + (s->height[3][end] - s->height[3][start]);
    along[4] = of[3] - of[1] - (s->height[2][end] - s->height[2][start]);
    along[5] = of[3] - of[2] + (s->height[1][end] - s->height[1][start]);
#pragma GCC unroll 8
    for (int i = 0; i < 6; i++) {
      beyond[i] |= (edge_lanes)more(along[i], room) << 8 * j;
      behind[i] |= (edge_lanes)more(-room, along[i]) << 8 * j;
    }
  }
}

/// Whether any edge has the bit of a lane.
static inline unsigned of_any_edge(edge_lanes edges) {
  edges |= edges >> 24;
  return (unsigned)(edges | edges >> 8 | edges >> 16) & 0xff;
}

/// The edge crosses. `out_apart`: lanes in which one separates; `out_open`: in which one may.
static inline void edges(unsigned *out_apart, unsigned *out_open, const solid solids[2],
                         const vec second[4], lanes room) {
  edge_lanes rises[4] = {0}, falls[4] = {0}, rise, fall, beyond[6], behind[6], apart = 0, open = 0;
#pragma GCC unroll 8
  for (int f = 0; f < 4; f++) {
#pragma GCC unroll 8
    for (int e = 0; e < 6; e++) {
      slope(&rise, &fall, &solids[0], f, e);
      rises[f] |= rise << 8 * e;
      falls[f] |= fall << 8 * e;
    }
  }
  set_ahead(beyond, behind, &solids[0], second, room);
#pragma GCC unroll 8
  for (int i = 0; i < 6; i++) {
    int against = ts_tet_edge_faces[i][0], with = ts_tet_edge_faces[i][1];
    edge_lanes rises_against = 0, falls_against = 0, rises_with = 0, falls_with = 0;
#pragma GCC unroll 8
    for (int f = 0; f < 4; f++) {
      slope(&rise, &fall, &solids[1], f, i);
      rises_against |= rise * ts_face_edges_against[f];
      falls_against |= fall * ts_face_edges_against[f];
      rises_with |= rise * ts_face_edges_with[f];
      falls_with |= fall * ts_face_edges_with[f];
    }
    // The second tet may come after the first, and before it, where no slope is against that, and
    // does where all are for it.
    edge_lanes no_after = falls[against] | rises[with] | falls_against | rises_with;
    edge_lanes no_before = rises[against] | falls[with] | rises_against | falls_with;
    edge_lanes after = rises[against] & falls[with] & rises_against & falls_with;
    edge_lanes before = falls[against] & rises[with] & falls_against & rises_with;
    apart |= (after & beyond[i]) | (before & behind[i]);
    open |= ~(no_after | behind[i]) | ~(no_before | beyond[i]);
  }
  *out_apart = of_any_edge(apart);
  *out_open = of_any_edge(open & 0xffffffffffff);
}

__attribute__((always_inline)) static inline ts_lane_answers
try_pairs(const ts_tet_nodes_pair *const pairs[LANES], double tolerance_m, bool tries_edges) {
  vec node[8];
  solid solids[2];
  load(node, pairs);
  const vec zero = {all(0), all(0), all(0)}, *second = &node[4];
#pragma GCC unroll 8
  for (int i = 0; i < 4; i++) {
    solids[0].node[i] = i ? node[i] : zero;
    solids[0].other[i] = second[i];
    solids[1].node[i] = sub(second[i], second[0]);
    solids[1].other[i] = i ? sub(node[i], second[0]) : sub(zero, second[0]);
  }
  lanes size_a = size_of(&solids[0]), size_b = size_of(&solids[1]);
  lanes size =
      larger(size_a, most(reach(second[0]), reach(second[1]), reach(second[2]), reach(second[3])));
  // What does not separate: rounding of the coordinates as given, and the tolerance.
  lanes gap_m = all((float)TS_MOTION_ROUNDING_RELATIVE) * (reach(node[0]) + size) +
                all(tolerance_m > 0 ? (float)tolerance_m : 0);
  lanes axis = all(AXIS_MAX) * gap_m, size2 = size * size;
  solids[0].room = size_a * (all(ROOM_A) * size2 + axis * size_a);
  solids[1].room = size_b * (all(ROOM_B) * size2 + axis * size_b);
  set_heights(&solids[0]);
  set_heights(&solids[1]);
  const solid *a = &solids[0], *b = &solids[1];
  unsigned apart = more(a->gap, a->room) | more(b->gap, b->room);
  unsigned closed = more(-a->room, a->gap) & more(-b->room, b->gap);
  unsigned contains = more(a->depth, a->room) | more(b->depth, b->room);
  // Coordinates that are no numbers are in all heights over face 0.
  const lanes *sum = solids[0].height[0];
  lanes smallest = smaller(size_a, size_b), number = sum[0] + sum[1] + sum[2] + sum[3];
  unsigned fits = more(size, all(SMALLEST)) & more(all(LARGEST), size) &
                  more(smallest, all(RATIO_MIN) * size) & more(all(FLT_MAX), number);
  unsigned undecided = closed & ~(apart | contains);
  if (tries_edges) {
    unsigned edges_apart, edges_open;
    edges(&edges_apart, &edges_open, solids, second,
          size_a * (all(ROOM_A) * size2 + axis * size_b));
    apart |= edges_apart & undecided;
    closed &= ~(edges_open & undecided & ~apart);
    undecided = 0;
  }
  return (ts_lane_answers){apart, ~(fits & (apart | closed)), undecided & fits};
}

ts_lane_answers ts_tet_overlap_floats_faces(const ts_tet_nodes_pair *const pairs[LANES],
                                            double tolerance_m) {
  return try_pairs(pairs, tolerance_m, false);
}

ts_lane_answers ts_tet_overlap_floats_edges(const ts_tet_nodes_pair *const pairs[LANES],
                                            double tolerance_m) {
  return try_pairs(pairs, tolerance_m, true);
}
#endif
