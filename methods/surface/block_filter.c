// SPDX-License-Identifier: MIT
#include "methods/surface/block_filter.h"

#include "geometry/tolerances.h"

#include <string.h>
#ifdef __SSE2__
#include <xmmintrin.h>
#endif

// Vectors of the compiler's, not of a processor's: the same source serves registers of 16 and of 32
// bytes, and without contraction gives the same bits in both.
typedef float lanes __attribute__((vector_size(sizeof(float) * TS_LANES)));
typedef int32_t mask __attribute__((vector_size(sizeof(int32_t) * TS_LANES)));

// Inlined to a function for each kind of register.
#define INLINE static inline __attribute__((always_inline))

static const float rounding = (float)TS_BLOCK_ROUNDING;

/// Bits of the features from `first` to `count` that passed.
INLINE uint32_t bits_of(const mask *passed, uint32_t first, uint32_t count) {
  uint32_t bits = 0;
#ifdef __SSE2__
  __m128 half[2];
  memcpy(half, passed, sizeof half);
  bits = (uint32_t)(_mm_movemask_ps(half[0]) | _mm_movemask_ps(half[1]) << 4);
#else
  for (uint32_t i = 0; i < TS_LANES; i++)
    bits |= (uint32_t)((*passed)[i] & 1) << i;
#endif
  return count - first < TS_LANES ? bits & ((1u << (count - first)) - 1) : bits;
}

/// Adds the features from `first` to `count` that passed, paired with `a`.
INLINE void add(ts_block_pairs *out, uint32_t a, uint32_t first, uint32_t count,
                const mask *passed) {
  for (uint32_t left = bits_of(passed, first, count); left; left &= left - 1) {
    out->items[out->count].a = (uint8_t)a;
    out->items[out->count++].b = (uint8_t)(first + (uint32_t)__builtin_ctz(left));
  }
}

#define LOAD(name, source)                                                                         \
  lanes name;                                                                                      \
  memcpy(&name, (source), sizeof name)

#define LOAD_VECTOR(name, source, first)                                                           \
  LOAD(name##_x, (source)[0] + (first));                                                           \
  LOAD(name##_y, (source)[1] + (first));                                                           \
  LOAD(name##_z, (source)[2] + (first))

/// Bits of the edges of a, from `first` to `count`, that come within `reach` of the box of b.
INLINE uint32_t edges_near_box(const ts_block_lanes *a, uint32_t first, uint32_t count,
                               const ts_block_lanes *b, float reach) {
  mask passed = {-1, -1, -1, -1, -1, -1, -1, -1};
  for (int i = 0; i < 3; i++) {
    LOAD(start, a->edge_start[i] + first);
    LOAD(direction, a->edge[i] + first);
    LOAD(length, a->edge_length + first);
    lanes end = start + length * direction;
    float low = b->low[i] - reach, high = b->high[i] + reach;
    passed &= ((start <= high) | (end <= high)) & ((start >= low) | (end >= low));
  }
  return bits_of(&passed, first, count);
}

// With r from the start of a line of direction u to that of one of direction v, and G = |u x v|^2,
// the two are closest at s G = (r x v).(u x v) of u and t G = (r x u).(u x v) of v, here by dot
// products.
INLINE void edge_crosses_edges(ts_block_pairs *out, const ts_block_lanes *a, uint32_t i,
                               const ts_block_lanes *b, uint32_t count_b, float wide) {
  const float px = a->edge_start[0][i], py = a->edge_start[1][i], pz = a->edge_start[2][i];
  const float ux = a->edge[0][i], uy = a->edge[1][i], uz = a->edge[2][i];
  const float pu = a->edge_start_along[i], u_length = a->edge_length[i];
  for (uint32_t k = 0; k < count_b; k += TS_LANES) {
    LOAD_VECTOR(q, b->edge_start, k);
    LOAD_VECTOR(v, b->edge, k);
    LOAD(v_length, b->edge_length + k);
    LOAD(qv, b->edge_start_along + k);
    lanes uv = ux * v_x + uy * v_y + uz * v_z;
    lanes ru = ux * q_x + uy * q_y + uz * q_z - pu;
    lanes rv = qv - (px * v_x + py * v_y + pz * v_z);
    lanes s = ru - rv * uv, t = ru * uv - rv, g = 1 - uv * uv;
    mask passed =
        (s >= -wide) & (s <= u_length * g + wide) & (t >= -wide) & (t <= v_length * g + wide);
    add(out, i, k, count_b, &passed);
  }
}

INLINE void crossing_edges(ts_block_pairs *out, const ts_block_lanes *a, uint32_t count_a,
                           const ts_block_lanes *b, uint32_t count_b, float reach, float slack) {
  out->count = 0;
  const float wide = slack + rounding;
  for (uint32_t first = 0; first < count_a; first += TS_LANES)
    for (uint32_t left = edges_near_box(a, first, count_a, b, reach + wide); left; left &= left - 1)
      edge_crosses_edges(out, a, first + (uint32_t)__builtin_ctz(left), b, count_b, wide);
}

INLINE void points_over_faces(ts_block_pairs *out, const ts_block_lanes *points,
                              const ts_block_lanes *faces, float height, float slack) {
  out->count = 0;
  const float high = height + rounding, wide = -(slack + rounding);
  for (uint32_t i = 0; i < points->point_count; i++) {
    const float x = points->point[0][i], y = points->point[1][i], z = points->point[2][i];
    lanes above[4];
    for (int plane = 0; plane < 4; plane++) {
      LOAD_VECTOR(n, faces->face[plane], 0);
      LOAD(at, faces->face[plane][3]);
      above[plane] = n_x * x + n_y * y + n_z * z - at;
    }
    mask passed = (above[0] <= high) & (above[0] >= -high) & (above[1] >= wide) &
                  (above[2] >= wide) & (above[3] >= wide);
    add(out, i, 0, faces->face_count, &passed);
  }
}

INLINE void points_near_edges(ts_block_pairs *out, const ts_block_lanes *points,
                              const ts_block_lanes *edges, uint32_t edge_count, float reach,
                              float slack) {
  out->count = 0;
  const float wide = slack + rounding, near2 = reach * reach + rounding;
  for (uint32_t i = 0; i < points->point_count; i++) {
    const float x = points->point[0][i], y = points->point[1][i], z = points->point[2][i];
    for (uint32_t k = 0; k < edge_count; k += TS_LANES) {
      LOAD_VECTOR(q, edges->edge_start, k);
      LOAD_VECTOR(v, edges->edge, k);
      LOAD(v_length, edges->edge_length + k);
      lanes w_x = x - q_x, w_y = y - q_y, w_z = z - q_z;
      lanes along = w_x * v_x + w_y * v_y + w_z * v_z;
      lanes distance2 = w_x * w_x + w_y * w_y + w_z * w_z;
      mask passed =
          (along >= -wide) & (along <= v_length + wide) & (distance2 - along * along <= near2);
      add(out, i, k, edge_count, &passed);
    }
  }
}

INLINE void points_near_points(ts_block_pairs *out, const ts_block_lanes *a,
                               const ts_block_lanes *b, float reach) {
  out->count = 0;
  const float near2 = reach * reach + rounding;
  for (uint32_t i = 0; i < a->point_count; i++) {
    const float x = a->point[0][i], y = a->point[1][i], z = a->point[2][i];
    for (uint32_t k = 0; k < b->point_count; k += TS_LANES) {
      LOAD_VECTOR(q, b->point, k);
      lanes w_x = x - q_x, w_y = y - q_y, w_z = z - q_z;
      mask passed = w_x * w_x + w_y * w_y + w_z * w_z <= near2;
      add(out, i, k, b->point_count, &passed);
    }
  }
}

/// The four functions for one kind of register, and their list.
#define FILTER(kind, target)                                                                       \
  target static void crossing_edges_##kind(ts_block_pairs *out, const ts_block_lanes *a,           \
                                           uint32_t count_a, const ts_block_lanes *b,              \
                                           uint32_t count_b, float reach, float slack) {           \
    crossing_edges(out, a, count_a, b, count_b, reach, slack);                                     \
  }                                                                                                \
  target static void points_over_faces_##kind(ts_block_pairs *out, const ts_block_lanes *points,   \
                                              const ts_block_lanes *faces, float height,           \
                                              float slack) {                                       \
    points_over_faces(out, points, faces, height, slack);                                          \
  }                                                                                                \
  target static void points_near_edges_##kind(ts_block_pairs *out, const ts_block_lanes *points,   \
                                              const ts_block_lanes *edges, uint32_t edge_count,    \
                                              float reach, float slack) {                          \
    points_near_edges(out, points, edges, edge_count, reach, slack);                               \
  }                                                                                                \
  target static void points_near_points_##kind(ts_block_pairs *out, const ts_block_lanes *a,       \
                                               const ts_block_lanes *b, float reach) {             \
    points_near_points(out, a, b, reach);                                                          \
  }                                                                                                \
  static const ts_block_filter filter_##kind = {crossing_edges_##kind, points_over_faces_##kind,   \
                                                points_near_edges_##kind,                          \
                                                points_near_points_##kind};

FILTER(plain, )

#ifdef __x86_64__
FILTER(avx2, __attribute__((target("avx2"))))
#endif

const ts_block_filter *ts_block_filter_plain(void) {
  return &filter_plain;
}

const ts_block_filter *ts_block_filter_fastest(void) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2"))
    return &filter_avx2;
#endif
  return &filter_plain;
}
