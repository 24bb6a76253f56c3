// SPDX-License-Identifier: MIT
/// Rows of deform.csv.
#ifndef TS_HARNESS_DEFORM_ROWS_H
#define TS_HARNESS_DEFORM_ROWS_H

#include "harness/deform/deform_scene.h"

/// The rows of a pair, whose bodies, status and deformation are set; the detail line is the reason
/// of a status that is not TS_OK. `overlap_m3` of the rows is 0 where nothing overlaps.
/// TS_E_MEMORY.
ts_status ts_deform_rows_make(ts_deform_case_pair *pair, ts_arena *arena,
                              const ts_deform_request *request);

#endif
