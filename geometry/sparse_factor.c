// SPDX-License-Identifier: MIT
#include "geometry/sparse_factor.h"

#include "base/status.h"
#include "geometry/tolerances.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#include <suitesparse/cs.h>

#define TEXT(number)  #number
#define DIGITS(macro) TEXT(macro)
const char *const ts_sparse_factor_solver =
    "CXSparse " DIGITS(CS_VER) "." DIGITS(CS_SUBVER) "." DIGITS(CS_SUBSUB);

struct ts_sparse_pattern {
  cs_di matrix; ///< without numbers; its arrays are the caller's
  cs_dis *order;
};

struct ts_sparse_factor {
  const ts_sparse_pattern *pattern;
  cs_din *numbers;
};

enum {
  /// CXSparse works on the whole matrix, with a fifth more room, in ints.
  ENTRIES_MAX = INT_MAX / 4
};

static ts_status out_of_memory(void) {
  return ts_fail(TS_E_MEMORY, "out of memory for a sparse system");
}

static ts_status fill_pattern(ts_sparse_pattern *pattern, int size, int *starts, int *rows) {
  int count = starts[size];
  if (count > ENTRIES_MAX)
    return ts_fail(TS_E_INPUT, "a sparse system has %d entries, more than %d: use a coarser mesh",
                   count, (int)ENTRIES_MAX);
  pattern->matrix = (cs_di){.nzmax = count, .m = size, .n = size, .p = starts, .i = rows, .nz = -1};
  pattern->order = cs_di_schol(1, &pattern->matrix);
  if (!pattern->order)
    return out_of_memory();
  if (!(pattern->order->lnz >= size && pattern->order->lnz <= INT_MAX))
    return ts_fail(TS_E_INPUT,
                   "the factor of a sparse system of %d rows has %g entries, more than %d: use a "
                   "coarser mesh",
                   size, pattern->order->lnz, INT_MAX);
  return TS_OK;
}

ts_status ts_sparse_pattern_create(ts_sparse_pattern **out, int size, int *starts, int *rows) {
  *out = NULL;
  ts_sparse_pattern *pattern = calloc(1, sizeof *pattern);
  if (!pattern)
    return out_of_memory();
  ts_status status = fill_pattern(pattern, size, starts, rows);
  if (status == TS_OK)
    *out = pattern;
  else
    ts_sparse_pattern_destroy(pattern);
  return status;
}

void ts_sparse_pattern_destroy(ts_sparse_pattern *pattern) {
  if (!pattern)
    return;
  cs_di_sfree(pattern->order);
  free(pattern);
}

/// Whether all pivots stand out of the rounding of the diagonal that they are left of. CXSparse
/// takes square roots of all that are above 0, and of NaN.
static bool is_definite(const ts_sparse_factor *factor, const double *values) {
  const cs_di *l = factor->numbers->L, *a = &factor->pattern->matrix;
  for (int i = 0; i < a->n; i++) {
    double root = l->x[l->p[factor->pattern->order->pinv[i]]];
    double diagonal = values[a->p[i + 1] - 1];
    if (!(root * root > TS_PIVOT_RELATIVE * diagonal)) // so NaN and infinity are not
      return false;
  }
  return true;
}

ts_status ts_sparse_factor_create(ts_sparse_factor **out, const ts_sparse_pattern *pattern,
                                  double *values) {
  *out = NULL;
  ts_sparse_factor *factor = malloc(sizeof *factor);
  if (!factor)
    return out_of_memory();
  cs_di matrix = pattern->matrix;
  matrix.x = values;
  // NULL is a pivot that is not above 0, or no memory: the latter only malloc() tells.
  errno = 0;
  *factor = (ts_sparse_factor){pattern, cs_di_chol(&matrix, pattern->order)};
  ts_status status = !factor->numbers && errno == ENOMEM ? out_of_memory() : TS_OK;
  if (factor->numbers && is_definite(factor, values))
    *out = factor;
  else
    ts_sparse_factor_destroy(factor);
  return status;
}

void ts_sparse_factor_destroy(ts_sparse_factor *factor) {
  if (!factor)
    return;
  cs_di_nfree(factor->numbers);
  free(factor);
}

size_t ts_sparse_factor_entry_count(const ts_sparse_factor *factor) {
  return (size_t)factor->numbers->L->p[factor->numbers->L->n];
}

void ts_sparse_factor_solve(double *values, double *work, const ts_sparse_factor *factor) {
  const cs_di *l = factor->numbers->L;
  const int *order = factor->pattern->order->pinv;
  cs_di_ipvec(order, values, work, l->n);
  cs_di_lsolve(l, work);
  cs_di_ltsolve(l, work);
  cs_di_pvec(order, work, values, l->n);
}

size_t ts_sparse_factor_place(const ts_sparse_factor *factor, size_t i) {
  return (size_t)factor->pattern->order->pinv[i];
}

void ts_sparse_factor_lower(double (*values)[3], const ts_sparse_factor *factor, size_t first) {
  const cs_di *l = factor->numbers->L;
  for (int k = (int)first; k < l->n; k++) {
    double *y = values[k];
    if (y[0] == 0 && y[1] == 0 && y[2] == 0)
      continue;
    int p = l->p[k], end = l->p[k + 1];
    double y0 = y[0] /= l->x[p], y1 = y[1] /= l->x[p], y2 = y[2] /= l->x[p];
    for (p++; p < end; p++) {
      double entry = l->x[p], *below = values[l->i[p]];
      below[0] -= entry * y0;
      below[1] -= entry * y1;
      below[2] -= entry * y2;
    }
  }
}

void ts_sparse_factor_upper(double (*values)[3], const ts_sparse_factor *factor) {
  const cs_di *l = factor->numbers->L;
  for (int k = l->n - 1; k >= 0; k--) {
    int p = l->p[k], end = l->p[k + 1];
    double x0 = values[k][0], x1 = values[k][1], x2 = values[k][2], pivot = l->x[p];
    for (p++; p < end; p++) {
      const double entry = l->x[p], *below = values[l->i[p]];
      x0 -= entry * below[0];
      x1 -= entry * below[1];
      x2 -= entry * below[2];
    }
    values[k][0] = x0 / pivot;
    values[k][1] = x1 / pivot;
    values[k][2] = x2 / pivot;
  }
}
