// SPDX-License-Identifier: MIT
/// Sparse symmetric positive definite systems by CXSparse (T. Davis, "Direct Methods for Sparse
/// Linear Systems", 2006): the pattern and its order once, the numbers as often as wanted.
/// Arrays are not const where CXSparse, which only reads them, does not say so.
#ifndef TS_GEOMETRY_SPARSE_FACTOR_H
#define TS_GEOMETRY_SPARSE_FACTOR_H

#include "base/types.h"

/// "CXSparse" and its version, for messages and tables.
extern const char *const ts_sparse_factor_solver;

/// Where a symmetric matrix has entries, and the order in which it is factored (AMD).
typedef struct ts_sparse_pattern ts_sparse_pattern;

/// Of a matrix of `size` rows, its upper triangle with the diagonal by columns: rows of column i
/// are rows[starts[i]] to rows[starts[i + 1] - 1], rising. Both stay with the caller and must
/// outlive the pattern. TS_E_INPUT when the factor has more entries than an int can count,
/// TS_E_MEMORY.
ts_status ts_sparse_pattern_create(ts_sparse_pattern **out, int size, int *starts, int *rows);
void ts_sparse_pattern_destroy(ts_sparse_pattern *pattern);

/// L of P A P^T = L L^T, with P the order of the pattern.
typedef struct ts_sparse_factor ts_sparse_factor;

/// Factors the matrix with these entries, in the order of the pattern's. `*out` is NULL when it is
/// not positive definite in double precision (TS_PIVOT_RELATIVE), or not finite; that is no error.
/// The pattern must outlive the factor. TS_E_MEMORY.
ts_status ts_sparse_factor_create(ts_sparse_factor **out, const ts_sparse_pattern *pattern,
                                  double *values);
void ts_sparse_factor_destroy(ts_sparse_factor *factor);

/// Entries of L.
size_t ts_sparse_factor_entry_count(const ts_sparse_factor *factor);

/// Solves A x = b in place. `work` [size] is overwritten.
void ts_sparse_factor_solve(double *values, double *work, const ts_sparse_factor *factor);

/// Place in P b of entry `i` of b.
size_t ts_sparse_factor_place(const ts_sparse_factor *factor, size_t i);

/// L y = b in place, three right-hand sides at once [size]; rows before `first` are 0 and are not
/// looked at. The many zeros of b that is 0 but for a few rows cost nothing.
void ts_sparse_factor_lower(double (*values)[3], const ts_sparse_factor *factor, size_t first);

/// L^T x = y in place, likewise.
void ts_sparse_factor_upper(double (*values)[3], const ts_sparse_factor *factor);

#endif
