// SPDX-License-Identifier: MIT
/// The columns of coherence. They compare a step with the one before it, so that no ts_metric,
/// which sees one judgement, can fill them.
#ifndef TS_HARNESS_COHERENCE_COLUMNS_H
#define TS_HARNESS_COHERENCE_COLUMNS_H

#include "harness/judge/coherence.h"
#include "reports/rows/record.h"

/// Fills them for the last step, and for all steps so far.
void ts_coherence_fill(ts_record *record, const ts_coherence *coherence);

#endif
