// SPDX-License-Identifier: MIT
/// Whether the mean of differences is 0 but for chance: the sign-flip test (Fisher 1935). p is how
/// often random signs give a sum at least as far from 0 as that of the differences.
#ifndef TS_REPORTS_SIGN_TEST_H
#define TS_REPORTS_SIGN_TEST_H

#include "reports/study/strata.h"

/// Up to this many numbers other than 0, all signs are tried.
#define TS_SIGN_EXACT_MAX 14

/// Sets `*out_p` to the two-sided p of the mean of `differences`; NaN without any.
///
/// In one stratum, the differences themselves change their signs: if two methods were alike, each
/// difference could as well have had the other sign. p is exact then. With several strata, one for
/// each case, it is only their total that should be 0: one method may be better in one case and as
/// much worse in another. So it is the deviations from the means of the strata that change their
/// signs, made larger by sqrt(n / (n - 1)) as in the interval of ts_bootstrap_mean(), and the sum
/// that they have to reach is that of ts_strata_normal_distance(). Where no signs reach it, p
/// is that of Student's t. If there are no deviations, the draws change nothing, and p is 0 unless
/// the total is.
///
/// With more than TS_SIGN_EXACT_MAX numbers other than 0, signs are drawn, the same ones each time,
/// until 200 sums are as far out or 10,000 are drawn (Besag and Clifford 1991). Where that would
/// hardly happen, signs are drawn that favour it, and each counts by how much rarer it is among
/// fair ones (importance sampling with exponential tilting, Siegmund 1976), so that p has no floor
/// but the share of two of all signs, and some 10 percent of error however small it is. Below 1e-9,
/// p is the bound of Chernoff.
///
/// It compares means, as a ranking by means needs: the signed ranks of Wilcoxon would call a method
/// the better one that is slightly better in most cells and much worse in the others.
///
/// Scratch memory comes from the arena and is returned to it. TS_E_MEMORY.
ts_status ts_sign_test(double *out_p, ts_arena *arena, const ts_strata *differences);

#endif
