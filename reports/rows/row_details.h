// SPDX-License-Identifier: MIT
/// What a results folder has of single rows of its summary beside their numbers: the contacts, the
/// regions where bodies truly touch, and where the bodies were. For views, pictures and
/// explanations.
#ifndef TS_REPORTS_ROW_DETAILS_H
#define TS_REPORTS_ROW_DETAILS_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <stdbool.h>

/// Of one row. Lengths are in metres, places and directions in the world frame, as columns.h says.
/// A run may have kept only a part: see `contacts_listed`, `regions_listed` and `poses_listed` of
/// the record, which are NaN in results that are older than the column.
typedef struct ts_row_details {
  size_t contact_count;
  const ts_contact_row *contacts; ///< [contact_count], pair by pair, in the order of `index`
  size_t region_count;
  const ts_region_row *regions; ///< [region_count], pair by pair, in the order of `region`
  size_t pose_count;
  const ts_pose_row *poses; ///< [pose_count]; a body without one is where the case has it as built
} ts_row_details;

/// Reads contacts.csv, regions.csv and poses.csv in `folder`, or the same compressed, once each,
/// for those of the records [count] that `is_wanted` [count]. `*out` [count] and the rows with
/// their texts are in the arena, and so is nothing of rows that are not wanted: memory grows with
/// what is wanted, not with the files. All is empty without a folder (NULL); a file that is not
/// there has no rows, whatever the records say.
///
/// TS_E_INPUT: what ts_rows_visit() refuses, rows of a cell and step that are not consecutive, and
/// another number of rows than the record of a row that is ok says.
ts_status ts_row_details_read(ts_row_details **out, ts_arena *arena, const char *folder,
                              const ts_record *records, const bool *is_wanted, size_t count);

#endif
