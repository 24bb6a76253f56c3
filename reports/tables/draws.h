// SPDX-License-Identifier: MIT
/// What tells the draws of a case from each other: parameters that means are taken over.
#ifndef TS_REPORTS_DRAWS_H
#define TS_REPORTS_DRAWS_H

#include "base/arena.h"
#include "reports/rows/record.h"

/// Takes from the parameters of the records [count] those whose names end in "seed", and those of a
/// case that were drawn with them: which differ between seeds, but are one value for each seed. A
/// swept parameter has several values for each. The seed of the noise does not tell rows without
/// noise (perturb_m=0) from others. What is equal afterwards, name of the case included, is one
/// scene in several draws. The new texts are in the arena; the order of the records does not
/// matter. TS_E_MEMORY.
ts_status ts_take_draws_off(ts_arena *arena, ts_record *records, size_t count);

#endif
