// SPDX-License-Identifier: MIT
/// The input of plots: the rows of a summary, and data derived from its contacts.
#ifndef TS_REPORTS_PLOT_SOURCE_H
#define TS_REPORTS_PLOT_SOURCE_H

#include "reports/rows/record.h"
#include "reports/tables/table_axis.h"

/// The contacts of one row of the summary.
typedef struct ts_plot_contacts {
  size_t count;             ///< contacts that are not speculative and have an error
  const double *errors_deg; ///< [count], ascending: angles to the closest feasible normals
  size_t region_count;      ///< planar regions; 0 if the truth is unknown
  const double *areas_m2;   ///< [region_count], descending: areas of the hulls of the contacts of
                            ///< a region
  const double *true_areas_m2; ///< [region_count], descending, of the scene as built
} ts_plot_contacts;

/// How far the contacts of each method are from blocking what those of another one do not.
typedef struct ts_plot_agreement {
  const double *distances; ///< [methods.count][methods.count], from the method of a row; 0 to 1
  size_t case_count;       ///< that were compared; each seed is one
} ts_plot_agreement;

typedef struct ts_plot_source {
  /// [count], without seeds and what was drawn with them (draws.h): rows that differ by these
  /// only have the same entries on both axes, and are drawn as one.
  const ts_record *records;
  size_t count;
  ts_axis cases;   ///< with parameters and step: the subjects of plots
  ts_axis methods; ///< with parameters: the curves of a plot
  /// [count] rows by case entry, then method entry, then place; those of case entry `c` and method
  /// entry `m` begin at starts[c * methods.count + m]. See ts_plot_cell_of().
  const size_t *order, *starts;
  const size_t *strata; ///< [cases.count], in the order of the names of the cases, as in a study
  const ts_plot_contacts *contacts;   ///< [count]; NULL without contacts.csv
  const ts_plot_agreement *agreement; ///< NULL: no two methods can be compared
  /// [method_count], in the order that determines their styles; "" is a free slot.
  const char *const *method_names;
  size_t method_count;
} ts_plot_source;

/// Takes the draws off the records and indexes them; fills all but contacts and names of methods.
ts_status ts_plot_source_make(ts_plot_source *out, ts_arena *arena, const ts_record *records,
                              size_t count);

/// Fills axes, `order`, `starts` and `strata` of a source from its records.
ts_status ts_plot_source_index(ts_plot_source *source, ts_arena *arena);

/// The rows of a case and a method: one for each seed that was run.
typedef struct ts_plot_cell {
  const size_t *rows; ///< [count]
  size_t count;
} ts_plot_cell;

ts_plot_cell ts_plot_cell_of(const ts_plot_source *source, size_t case_entry, size_t method_entry);

/// The largest number of rows of a method in an entry of the case axis: how many seeds were run.
size_t ts_plot_case_seeds(const ts_plot_source *source, size_t case_entry);

/// The step of the rows of an entry of the case axis.
double ts_plot_case_step(const ts_plot_source *source, size_t case_entry);

/// Whether the row is the first of its cell: of all seeds, the one whose contacts are drawn.
bool ts_plot_is_first(const ts_plot_source *source, size_t row);

/// Steps for plots of a single state: the scene as built, TS_PUBLISHED_STEP and the last one, if
/// they have rows that are ok. Returns their number; `steps` is ascending.
#define TS_PLOT_STEPS 3
size_t ts_plot_steps_shown(double steps[TS_PLOT_STEPS], const ts_plot_source *source);

/// Whether the rows of an entry of the case axis are of such a step.
bool ts_plot_case_is_shown(const ts_plot_source *source, size_t case_entry);

/// Index of a method in the order that determines its style.
size_t ts_plot_method_place(const ts_plot_source *source, const char *method);

/// Number of earlier entries of the method axis with the same name: above 0 only for entries that
/// differ only in parameters.
size_t ts_plot_method_variant(const ts_plot_source *source, size_t entry);

/// Indices of the rows of an entry of the case axis, at most one per method (the first seed), in
/// the order of the method axis; in the arena.
ts_status ts_plot_rows_of_case(const size_t **out, size_t *out_count, ts_arena *arena,
                               const ts_plot_source *source, size_t case_entry);

#endif
