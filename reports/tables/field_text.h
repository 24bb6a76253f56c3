// SPDX-License-Identifier: MIT
/// Values of a column formatted for people, and their shade in pictures.
#ifndef TS_REPORTS_FIELD_TEXT_H
#define TS_REPORTS_FIELD_TEXT_H

#include "base/arena.h"
#include "base/number.h"
#include "reports/rows/record.h"

/// Formats a measured number: a share with one decimal, a time with its unit, a count without
/// decimals, anything else with two, or as 2.9e-9 where those would show nothing or too much.
void ts_field_number_text(char out[TS_NUMBER_BYTES], const ts_field *field, double number);

/// "Normal quality [percent]", in the arena. NULL when out of memory.
const char *ts_field_heading(ts_arena *arena, const ts_field *field);

/// The unit after a label where space is short: "%", "°"; "" if it has no symbol, and for times,
/// whose numbers include the unit.
const char *ts_field_unit_sign(const ts_field *field);

/// A label for use within a sentence, in the arena: "normal quality". NULL when out of memory.
const char *ts_label_in_text(ts_arena *arena, const char *label);

bool ts_field_is_percent(const ts_field *field);

/// Distance of a number from the best value, from 0 to 1: in percent for a share, relative to
/// `far_off` where the column has one, from 1 for another number of which more is better, otherwise
/// between the best and the worst of the picture, given as values of ts_field_badness().
double ts_field_weight(const ts_field *field, double number, double best, double worst);

#endif
