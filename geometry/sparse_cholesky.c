// SPDX-License-Identifier: MIT
#include "geometry/sparse_cholesky.h"

#include "base/status.h"
#include "geometry/tolerances.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <suitesparse/cs.h>

struct ts_cholesky_order {
  cs_dis *symbolic;
};

struct ts_cholesky_factor {
  const ts_cholesky_order *order;
  cs_din *numeric;
};

enum {
  /// CXSparse orders the whole matrix, with a fifth more room, in ints.
  ENTRIES_MAX = INT_MAX / 4
};

static ts_status out_of_memory(void) {
  return ts_fail(TS_E_MEMORY, "out of memory for a sparse system");
}

static cs_di as_cs(const ts_sparse_upper *matrix) {
  return (cs_di){.nzmax = matrix->starts[matrix->size],
                 .m = matrix->size,
                 .n = matrix->size,
                 .p = matrix->starts,
                 .i = matrix->rows,
                 .x = matrix->values,
                 .nz = -1};
}

static ts_status too_large(int size, double entries) {
  return ts_fail(TS_E_UNSUPPORTED,
                 "a sparse system of %d rows needs %g entries, more than can be counted: use a "
                 "coarser mesh",
                 size, entries);
}

ts_status ts_cholesky_order_create(ts_cholesky_order **out, const ts_sparse_upper *matrix) {
  *out = NULL;
  cs_di view = as_cs(matrix);
  if (view.nzmax > ENTRIES_MAX)
    return too_large(view.n, view.nzmax);
  ts_cholesky_order *order = malloc(sizeof *order);
  if (!order)
    return out_of_memory();
  order->symbolic = cs_di_schol(1, &view);
  ts_status status = TS_OK;
  if (!order->symbolic)
    status = out_of_memory();
  else if (!(order->symbolic->lnz >= view.n && order->symbolic->lnz <= INT_MAX))
    status = too_large(view.n, order->symbolic->lnz);
  if (status == TS_OK)
    *out = order;
  else
    ts_cholesky_order_destroy(order);
  return status;
}

void ts_cholesky_order_destroy(ts_cholesky_order *order) {
  if (!order)
    return;
  cs_di_sfree(order->symbolic);
  free(order);
}

/// Whether there is memory for a factor. CXSparse returns NULL for a pivot that is not above 0 and
/// when out of memory; asking for the memory again says which of the two it was.
static bool has_memory(const ts_cholesky_order *order, const cs_di *matrix) {
  size_t entries = (size_t)order->symbolic->lnz + (size_t)matrix->nzmax;
  void *probe = malloc(entries * (sizeof(int) + sizeof(double)) +
                       (size_t)matrix->n * (2 * sizeof(int) + sizeof(double)));
  free(probe);
  return probe != NULL;
}

/// Whether all pivots stand out of the rounding of the entry of the diagonal that they are left of.
/// CXSparse takes the square root of all that are above 0, and of NaN.
static bool is_definite(const ts_cholesky_factor *factor, const cs_di *matrix) {
  const cs_di *l = factor->numeric->L;
  for (int i = 0; i < matrix->n; i++) {
    double root = l->x[l->p[factor->order->symbolic->pinv[i]]];
    double diagonal = matrix->x[matrix->p[i + 1] - 1];
    if (!(root * root > TS_PIVOT_RELATIVE * diagonal) || !isfinite(root))
      return false;
  }
  return true;
}

ts_status ts_cholesky_factor_create(ts_cholesky_factor **out, const ts_cholesky_order *order,
                                    const ts_sparse_upper *matrix) {
  *out = NULL;
  ts_cholesky_factor *factor = malloc(sizeof *factor);
  if (!factor)
    return out_of_memory();
  cs_di view = as_cs(matrix);
  *factor = (ts_cholesky_factor){order, cs_di_chol(&view, order->symbolic)};
  ts_status status = TS_OK;
  if (!factor->numeric && !has_memory(order, &view))
    status = out_of_memory();
  else if (!factor->numeric || !is_definite(factor, &view))
    status =
        ts_fail(TS_E_INPUT,
                "a sparse system of %d rows is not positive definite in double precision", view.n);
  if (status == TS_OK)
    *out = factor;
  else
    ts_cholesky_factor_destroy(factor);
  return status;
}

void ts_cholesky_factor_destroy(ts_cholesky_factor *factor) {
  if (!factor)
    return;
  cs_di_nfree(factor->numeric);
  free(factor);
}

size_t ts_cholesky_factor_entry_count(const ts_cholesky_factor *factor) {
  return (size_t)factor->numeric->L->p[factor->numeric->L->n];
}

void ts_cholesky_solve(double *values, double *work, const ts_cholesky_factor *factor) {
  const cs_di *l = factor->numeric->L;
  const int *order = factor->order->symbolic->pinv;
  cs_di_ipvec(order, values, work, l->n);
  cs_di_lsolve(l, work);
  cs_di_ltsolve(l, work);
  cs_di_pvec(order, work, values, l->n);
}
