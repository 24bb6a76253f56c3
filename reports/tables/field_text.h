// SPDX-License-Identifier: MIT
/// Values of a column as people read them, and how dark a picture shows them.
#ifndef TS_REPORTS_FIELD_TEXT_H
#define TS_REPORTS_FIELD_TEXT_H

#include "base/arena.h"
#include "base/number.h"
#include "reports/rows/record.h"

/// A number that was measured: a share with one decimal, a time with its unit, a count without
/// decimals, anything else with two.
void ts_field_number_text(char out[TS_NUMBER_BYTES], const ts_field *field, double number);

/// "Normal quality [percent]", in the arena. NULL when memory is out.
const char *ts_field_heading(ts_arena *arena, const ts_field *field);

/// What follows a label where there is little room: "%", "°"; "" for what has no sign, and for
/// times, whose numbers have their unit.
const char *ts_field_unit_sign(const ts_field *field);

/// A label as it is within a sentence, in the arena: "normal quality". NULL when memory is out.
const char *ts_label_in_text(ts_arena *arena, const char *label);

bool ts_field_is_percent(const ts_field *field);

/// How far a number is from the best value, from 0 to 1: a share by percent, a ratio on the way to
/// its `far_off`, anything else between the best and the worst of the picture, which are as
/// ts_field_badness() has them.
double ts_field_weight(const ts_field *field, double number, double best, double worst);

#endif
