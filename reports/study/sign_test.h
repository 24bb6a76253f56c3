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
/// that they have to reach is divided by ts_strata_student_factor(). If there are none, the draws
/// change nothing, and p is 0 unless the total is.
///
/// With more than TS_SIGN_EXACT_MAX numbers other than 0, signs are drawn, the same ones each time,
/// until 200 sums are as far out or 10,000 are drawn (Besag and Clifford 1991); where even that
/// cannot tell how small p is, it is the bound of Hoeffding (1963), which is never below the share
/// of all signs.
///
/// It compares means, as a ranking by means needs: the signed ranks of Wilcoxon would call a method
/// the better one that is slightly better in most cells and much worse in the others.
///
/// Scratch memory comes from the arena and is returned to it. TS_E_MEMORY.
ts_status ts_sign_test(double *out_p, ts_arena *arena, const ts_strata *differences);

#endif
