// SPDX-License-Identifier: MIT
/// The comparison of methods with each other, and the order that follows from it.
#ifndef TS_REPORTS_STUDY_PAIRS_H
#define TS_REPORTS_STUDY_PAIRS_H

#include "reports/study/study_material.h"

/// Compares all methods of the material, whose results have their values, and puts them into the
/// order of their places: sets the methods and the pairs of `out`. TS_E_MEMORY.
ts_status ts_study_compare(ts_study *out, const ts_study_material *material);

#endif
