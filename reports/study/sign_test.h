// SPDX-License-Identifier: MIT
/// Whether two methods differ on the same cells: the sign-flip test of the mean difference (Fisher
/// 1935). If the two were alike, each difference could as well have had the other sign; p is how
/// often random signs give a sum at least as far from 0.
#ifndef TS_REPORTS_SIGN_TEST_H
#define TS_REPORTS_SIGN_TEST_H

#include "base/types.h"

/// Up to this many differences other than 0, all signs are tried.
#define TS_SIGN_EXACT_MAX 14

/// Two-sided p of the mean of `differences` [count], all finite. Differences of 0 change nothing,
/// and 1 is the p of no others. With more than TS_SIGN_EXACT_MAX others, signs are drawn, the same
/// ones each time, until 200 sums are as far out or 10,000 are drawn (Besag and Clifford 1991);
/// where even that cannot tell how small p is, it is the bound of Hoeffding (1963), which is never
/// below the true p.
///
/// It compares means, as a ranking by means needs: the signed ranks of Wilcoxon would call a method
/// the better one that is slightly better in most cells and much worse in the others.
double ts_sign_test(const double *differences, size_t count);

#endif
