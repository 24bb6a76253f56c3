// SPDX-License-Identifier: MIT
/// The contacts of a results folder, as plots need them.
#ifndef TS_HARNESS_PLOT_CONTACTS_H
#define TS_HARNESS_PLOT_CONTACTS_H

#include "reports/plots/plot_source.h"

/// Reads contacts.csv at `path` row by row: of each row of the summary the normal errors, and the
/// areas of the hulls of its contacts in each planar region that should have some. Those regions,
/// their areas and the normals to project along are those of the scene as built, which is built
/// again from the parameters; for a case that this touchstone does not have there are none. `*out`
/// [count] is the arena's. TS_E_INPUT for what ts_rows_visit() refuses, for rows of a cell that do
/// not follow each other, and for fewer rows than the summary tells of.
ts_status ts_plot_read_contacts(const ts_plot_contacts **out, ts_arena *arena,
                                const ts_record *records, size_t count, const char *path);

#endif
