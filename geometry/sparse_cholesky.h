// SPDX-License-Identifier: MIT
/// Sparse symmetric positive definite systems by CXSparse (T. Davis, "Direct Methods for Sparse
/// Linear Systems", 2006): the order of the rows once for a pattern, a factor for each set of
/// numbers, a solution for each right-hand side.
#ifndef TS_GEOMETRY_SPARSE_CHOLESKY_H
#define TS_GEOMETRY_SPARSE_CHOLESKY_H

#include "base/types.h"

/// The upper triangle of a symmetric matrix, with all of its diagonal, by columns: the rows of
/// column i are rows[starts[i]] to rows[starts[i + 1] - 1], rising, the diagonal last. Borrowed.
typedef struct ts_sparse_upper {
  int size;
  int *starts;    ///< [size + 1]; this and rows are not const because CXSparse's are not
  int *rows;      ///< [starts[size]]
  double *values; ///< [starts[size]]
} ts_sparse_upper;

/// An order in which to factor matrices of one pattern, which keeps their factors sparse (AMD).
typedef struct ts_cholesky_order ts_cholesky_order;

/// Reads the pattern of `matrix`, not its values. TS_E_UNSUPPORTED when the factor would have more
/// entries than an int can count; TS_E_MEMORY.
ts_status ts_cholesky_order_create(ts_cholesky_order **out, const ts_sparse_upper *matrix);
void ts_cholesky_order_destroy(ts_cholesky_order *order);

/// L of P A P^T = L L^T, with P the order.
typedef struct ts_cholesky_factor ts_cholesky_factor;

/// Factors a matrix of the pattern of `order`, which must outlive the factor. TS_E_INPUT when it is
/// not positive definite in double precision (TS_PIVOT_RELATIVE) or not finite; TS_E_MEMORY.
ts_status ts_cholesky_factor_create(ts_cholesky_factor **out, const ts_cholesky_order *order,
                                    const ts_sparse_upper *matrix);
void ts_cholesky_factor_destroy(ts_cholesky_factor *factor);

/// Entries of L.
size_t ts_cholesky_factor_entry_count(const ts_cholesky_factor *factor);

/// Solves A x = b in place, [size]. `work` [size] is overwritten.
void ts_cholesky_solve(double *values, double *work, const ts_cholesky_factor *factor);

#endif
