// SPDX-License-Identifier: MIT
// covers: geometry/sparse_cholesky.c
#include "base/random.h"
#include "base/status.h"
#include "geometry/sparse_cholesky.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { SIDE = 12, SIZE = SIDE * SIDE };

/// The five-point Laplacian of a square grid, plus `shift` on the diagonal, times `scale`.
typedef struct grid_matrix {
  int starts[SIZE + 1], rows[3 * SIZE];
  double values[3 * SIZE];
} grid_matrix;

static ts_sparse_upper make_grid(grid_matrix *grid, double shift, double scale) {
  int count = 0;
  for (int i = 0; i < SIZE; i++) {
    grid->starts[i] = count;
    int before[2] = {i >= SIDE ? i - SIDE : -1, i % SIDE > 0 ? i - 1 : -1};
    for (int k = 0; k < 2; k++)
      if (before[k] >= 0) {
        grid->rows[count] = before[k];
        grid->values[count++] = -scale;
      }
    int neighbours = (i >= SIDE) + (i < SIZE - SIDE) + (i % SIDE > 0) + (i % SIDE < SIDE - 1);
    grid->rows[count] = i;
    grid->values[count++] = scale * (neighbours + shift);
  }
  grid->starts[SIZE] = count;
  return (ts_sparse_upper){SIZE, grid->starts, grid->rows, grid->values};
}

static void multiply(double *out, const ts_sparse_upper *a, const double *x) {
  memset(out, 0, (size_t)a->size * sizeof *out);
  for (int i = 0; i < a->size; i++)
    for (int k = a->starts[i]; k < a->starts[i + 1]; k++) {
      out[a->rows[k]] += a->values[k] * x[i];
      if (a->rows[k] != i)
        out[i] += a->values[k] * x[a->rows[k]];
    }
}

static ts_status factor_grid(ts_cholesky_order **order, ts_cholesky_factor **factor,
                             const ts_sparse_upper *a) {
  cr_assert_eq(ts_cholesky_order_create(order, a), TS_OK);
  return ts_cholesky_factor_create(factor, *order, a);
}

Test(sparse_cholesky, solves_at_every_scale_of_the_entries) {
  const double scales[] = {1e-12, 1, 1e12};
  for (int s = 0; s < 3; s++) {
    grid_matrix grid;
    ts_sparse_upper a = make_grid(&grid, 0.1, scales[s]);
    ts_cholesky_order *order;
    ts_cholesky_factor *factor;
    cr_assert_eq(factor_grid(&order, &factor, &a), TS_OK);
    ts_random random = ts_random_seed(1, 0);
    double x[SIZE], b[SIZE], work[SIZE];
    for (int i = 0; i < SIZE; i++)
      x[i] = ts_random_uniform(&random, -1, 1);
    multiply(b, &a, x);
    ts_cholesky_solve(b, work, factor);
    for (int i = 0; i < SIZE; i++)
      cr_assert_float_eq(b[i], x[i], 1e-12, "row %d at scale %g", i, scales[s]);
    ts_cholesky_factor_destroy(factor);
    ts_cholesky_order_destroy(order);
  }
}

Test(sparse_cholesky, one_order_serves_several_matrices_and_keeps_their_factors_sparse) {
  grid_matrix first_grid, second_grid;
  ts_sparse_upper first = make_grid(&first_grid, 1, 1), second = make_grid(&second_grid, 0.01, 3);
  ts_cholesky_order *order;
  ts_cholesky_factor *a, *b;
  cr_assert_eq(factor_grid(&order, &a, &first), TS_OK);
  cr_assert_eq(ts_cholesky_factor_create(&b, order, &second), TS_OK);
  // A banded factor, in the order of the rows, has SIDE entries in each.
  cr_assert_lt(ts_cholesky_factor_entry_count(a), (size_t)(0.75 * SIDE * SIZE));
  double ones[SIZE], right[SIZE], work[SIZE];
  for (int i = 0; i < SIZE; i++)
    ones[i] = 1;
  multiply(right, &second, ones);
  ts_cholesky_solve(right, work, b);
  cr_assert_float_eq(right[SIZE / 2], 1, 1e-10);
  ts_cholesky_factor_destroy(a);
  ts_cholesky_factor_destroy(b);
  ts_cholesky_order_destroy(order);
}

Test(sparse_cholesky, a_matrix_that_is_singular_or_indefinite_or_no_number_is_refused) {
  const double shifts[] = {0, -0.5, NAN, INFINITY};
  for (int s = 0; s < 4; s++) {
    grid_matrix grid;
    ts_sparse_upper a = make_grid(&grid, shifts[s], 1);
    ts_cholesky_order *order;
    ts_cholesky_factor *factor;
    cr_assert_eq(factor_grid(&order, &factor, &a), TS_E_INPUT, "shift %g", shifts[s]);
    cr_assert_null(factor);
    cr_assert(strstr(ts_status_detail(), "positive definite") != NULL);
    ts_cholesky_order_destroy(order);
  }
}

Test(sparse_cholesky, one_row_is_a_division) {
  int starts[2] = {0, 1}, rows[1] = {0};
  double values[1] = {4}, b[1] = {2}, work[1];
  ts_sparse_upper a = {1, starts, rows, values};
  ts_cholesky_order *order;
  ts_cholesky_factor *factor;
  cr_assert_eq(factor_grid(&order, &factor, &a), TS_OK);
  ts_cholesky_solve(b, work, factor);
  cr_assert_eq(b[0], 0.5);
  ts_cholesky_factor_destroy(factor);
  ts_cholesky_order_destroy(order);
}

Test(sparse_cholesky, nothing_may_be_destroyed) {
  ts_cholesky_order_destroy(NULL);
  ts_cholesky_factor_destroy(NULL);
}
