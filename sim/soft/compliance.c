// SPDX-License-Identifier: MIT
#include "sim/soft/compliance.h"

#include "base/clock.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static ts_status out_of_memory(size_t count) {
  return ts_fail(TS_E_MEMORY, "out of memory for the compliance at %zu contacts", count);
}

static double ns_since(int64_t start) {
  return (double)(ts_clock_ns() - start);
}

/// Makes a block, symmetric but for rounding, equal to its transpose to the bit.
static void mirror(ts_mat3 *block) {
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < i; k++)
      block->m[i][k] = block->m[k][i];
}

/// Adds the contact forces H^T f at the nodes, each turned by the transpose of `rotations`; NULL:
/// none.
static void add_forces(ts_vec3 *out, const ts_tet_side *sides, const ts_vec3 *forces, size_t count,
                       const ts_mat3 *rotations) {
  for (size_t i = 0; i < count; i++) {
    ts_vec3 force = ts_mat3_apply_transposed(sides[i].frame, forces[i]);
    for (int a = 0; a < 3; a++) {
      uint32_t node = sides[i].nodes[a];
      if (sides[i].weights[a] == 0)
        continue;
      ts_vec3 local = rotations ? ts_mat3_apply_transposed(rotations[node], force) : force;
      out[node] = ts_vec3_add_scaled(out[node], sides[i].weights[a], local);
    }
  }
}

// Exact: W_ik = (L^-1 P H_i^T)^T (L^-1 P H_k^T), so that W is positive semidefinite by its making.

/// L^-1 P H^T of a side; rows before `first` are 0.
typedef struct half {
  double (*rows)[3];
  size_t first;
} half;

static void make_half(half *out, const ts_tet_body *body, const ts_tet_side *side) {
  uint32_t nodes[3];
  ts_mat3 forces[3];
  size_t count = 0;
  for (int a = 0; a < 3; a++)
    if (side->weights[a] != 0) {
      nodes[count] = side->nodes[a];
      forces[count++] = ts_mat3_scale(ts_mat3_transpose(side->frame), side->weights[a]);
    }
  out->first = ts_tet_body_half_solve(out->rows, body, nodes, forces, count);
}

static ts_mat3 half_product(const half *a, const half *b, size_t length) {
  double m[9] = {0};
  for (size_t i = a->first > b->first ? a->first : b->first; i < length; i++) {
    const double *x = a->rows[i], *y = b->rows[i];
    for (int k = 0; k < 3; k++)
      for (int l = 0; l < 3; l++)
        m[3 * k + l] += x[k] * y[l];
  }
  ts_mat3 out;
  memcpy(out.m, m, sizeof m);
  return out;
}

static ts_status exact_blocks(ts_mat3 *out, ts_compliance_times *times, ts_tet_body *body,
                              const ts_tet_side *sides, size_t count) {
  if (count == 0)
    return TS_OK;
  int64_t start = ts_clock_ns();
  size_t length = ts_tet_body_half_length(body);
  half *halves = malloc(count * sizeof *halves);
  double(*rows)[3] =
      count <= SIZE_MAX / sizeof *rows / length ? malloc(count * length * sizeof *rows) : NULL;
  ts_status status = halves && rows ? TS_OK : out_of_memory(count);
  for (size_t i = 0; status == TS_OK && i < count; i++) {
    halves[i].rows = rows + i * length;
    make_half(&halves[i], body, &sides[i]);
    for (size_t k = 0; k <= i; k++) {
      ts_mat3 block = half_product(&halves[i], &halves[k], length);
      if (i == k)
        mirror(&block);
      out[i * count + k] = block;
      out[k * count + i] = ts_mat3_transpose(block);
    }
  }
  free(halves);
  free(rows);
  times->blocks_ns += ns_since(start);
  return status;
}

static ts_status exact_correct(ts_vec3 *out_m, ts_tet_body *body, const ts_tet_side *sides,
                               const ts_vec3 *forces, size_t count) {
  memset(out_m, 0, ts_tet_body_node_count(body) * sizeof *out_m);
  add_forces(out_m, sides, forces, count, NULL);
  return ts_tet_body_solve(out_m, body, TS_TET_FACTOR_NOW);
}

// Warped, and initial with all rotations 1: W_ik = sum of G_ia C0_ab G_kb^T, G_ia = w_a Fr_i R_a.

typedef struct rest_side {
  int count; ///< of nodes with a weight
  uint32_t nodes[3];
  const ts_mat3 *columns[3]; ///< of C0, for each of these nodes
  ts_mat3 g[3];
} rest_side;

static ts_status make_rest_side(rest_side *out, double *new_ns, ts_tet_body *body,
                                const ts_tet_side *side, const ts_mat3 *rotations) {
  out->count = 0;
  for (int a = 0; a < 3; a++) {
    if (side->weights[a] == 0)
      continue;
    uint32_t node = out->nodes[out->count] = side->nodes[a];
    ts_mat3 turned = rotations ? ts_mat3_mul(side->frame, rotations[node]) : side->frame;
    out->g[out->count] = ts_mat3_scale(turned, side->weights[a]);
    bool is_new = false;
    int64_t start = ts_clock_ns();
    TS_TRY(ts_tet_body_rest_column(&out->columns[out->count], &is_new, body, node));
    if (is_new)
      *new_ns += ns_since(start);
    out->count++;
  }
  return TS_OK;
}

static ts_mat3 rest_product(const rest_side *i, const rest_side *k) {
  ts_mat3 out = {{{0}}};
  for (int b = 0; b < k->count; b++) {
    ts_mat3 sum = {{{0}}};
    for (int a = 0; a < i->count; a++)
      sum = ts_mat3_add(sum, ts_mat3_mul(i->g[a], k->columns[b][i->nodes[a]]));
    out = ts_mat3_add(out, ts_mat3_mul_transposed(sum, k->g[b]));
  }
  return out;
}

static ts_status rest_blocks(ts_mat3 *out, ts_compliance_times *times, ts_tet_body *body,
                             const ts_tet_side *sides, size_t count, const ts_mat3 *rotations) {
  if (count == 0)
    return TS_OK;
  int64_t start = ts_clock_ns();
  double new_ns = 0;
  rest_side *made = malloc(count * sizeof *made);
  ts_status status = made ? TS_OK : out_of_memory(count);
  for (size_t i = 0; status == TS_OK && i < count; i++) {
    status = make_rest_side(&made[i], &new_ns, body, &sides[i], rotations);
    for (size_t k = 0; status == TS_OK && k <= i; k++) {
      ts_mat3 block = rest_product(&made[i], &made[k]);
      if (i == k)
        mirror(&block);
      out[i * count + k] = block;
      out[k * count + i] = ts_mat3_transpose(block);
    }
  }
  free(made);
  times->rest_ns += new_ns;
  times->blocks_ns += ns_since(start) - new_ns;
  return status;
}

static ts_status rest_correct(ts_vec3 *out_m, ts_tet_body *body, const ts_tet_side *sides,
                              const ts_vec3 *forces, size_t count, const ts_mat3 *rotations) {
  size_t nodes = ts_tet_body_node_count(body);
  memset(out_m, 0, nodes * sizeof *out_m);
  add_forces(out_m, sides, forces, count, rotations);
  TS_TRY(ts_tet_body_solve(out_m, body, TS_TET_FACTOR_REST));
  for (size_t i = 0; rotations && i < nodes; i++)
    out_m[i] = ts_mat3_apply(rotations[i], out_m[i]);
  return TS_OK;
}

static ts_status warped_blocks(ts_mat3 *out, ts_compliance_times *times, ts_tet_body *body,
                               const ts_tet_side *sides, size_t count) {
  return rest_blocks(out, times, body, sides, count, ts_tet_body_node_rotations(body));
}

static ts_status warped_correct(ts_vec3 *out_m, ts_tet_body *body, const ts_tet_side *sides,
                                const ts_vec3 *forces, size_t count) {
  return rest_correct(out_m, body, sides, forces, count, ts_tet_body_node_rotations(body));
}

static ts_status initial_blocks(ts_mat3 *out, ts_compliance_times *times, ts_tet_body *body,
                                const ts_tet_side *sides, size_t count) {
  return rest_blocks(out, times, body, sides, count, NULL);
}

static ts_status initial_correct(ts_vec3 *out_m, ts_tet_body *body, const ts_tet_side *sides,
                                 const ts_vec3 *forces, size_t count) {
  return rest_correct(out_m, body, sides, forces, count, NULL);
}

const ts_compliance ts_compliances[TS_COMPLIANCE_COUNT] = {
    [TS_COMPLIANCE_EXACT] = {"exact", "the compliance at the state of the step", exact_blocks,
                             exact_correct},
    [TS_COMPLIANCE_WARPED] = {"warped", "that at rest, turned with the nodes", warped_blocks,
                              warped_correct},
    [TS_COMPLIANCE_INITIAL] = {"initial", "that at rest as it is", initial_blocks, initial_correct},
};
