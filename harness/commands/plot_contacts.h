// SPDX-License-Identifier: MIT
/// The contacts of a results folder, in the form that plots need.
#ifndef TS_HARNESS_PLOT_CONTACTS_H
#define TS_HARNESS_PLOT_CONTACTS_H

#include "reports/plots/plot_source.h"

/// Reads contacts.csv at `path` row by row. For each wanted row of the summary it collects the
/// normal errors, and the area of the hull of the contacts in each planar region that needs some.
/// The regions, their areas and the projection normals come from the scene as built, which is
/// rebuilt from the parameters; cases unknown to this touchstone have none. `*out` [count] is in
/// the arena. TS_E_INPUT for what ts_rows_visit() refuses, for rows of a cell that are not
/// consecutive, and for fewer rows than the summary counts.
///
/// The records [count] have all their parameters, seeds too. The others than those that `is_wanted`
/// [count] get no contacts; theirs are passed over, which is much faster.
ts_status ts_plot_read_contacts(const ts_plot_contacts **out, ts_arena *arena,
                                const ts_record *records, const bool *is_wanted, size_t count,
                                const char *path);

#endif
