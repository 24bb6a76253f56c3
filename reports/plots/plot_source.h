// SPDX-License-Identifier: MIT
/// What plots are made from: the rows of a summary, and of its contacts what the plots need.
#ifndef TS_REPORTS_PLOT_SOURCE_H
#define TS_REPORTS_PLOT_SOURCE_H

#include "reports/rows/record.h"
#include "reports/tables/table_axis.h"

/// The contacts of one row of the summary.
typedef struct ts_plot_contacts {
  size_t count;                ///< contacts that are not speculative and have an error
  const double *errors_deg;    ///< [count], ascending: angles to the closest feasible normals
  size_t region_count;         ///< planar regions, 0 also where the truth is not known
  const double *areas_m2;      ///< [region_count], ascending: hulls of the contacts of a region
  const double *true_areas_m2; ///< [region_count], ascending, of the scene as built
} ts_plot_contacts;

typedef struct ts_plot_source {
  const ts_record *records; ///< [count]
  size_t count;
  ts_axis cases;                    ///< with parameters and step: what a plot is about
  ts_axis methods;                  ///< with parameters: the curves of a plot
  const ts_plot_contacts *contacts; ///< [count]; NULL where there is no contacts.csv
  /// [method_count], in the order that gives them their look; "" leaves a place free.
  const char *const *method_names;
  size_t method_count;
} ts_plot_source;

/// Steps that plots of one moment are made of: the scene as built, TS_PUBLISHED_STEP and the last
/// one, as far as there are rows that are ok. Returns how many, in `steps`, ascending.
#define TS_PLOT_STEPS 3
size_t ts_plot_steps_shown(double steps[TS_PLOT_STEPS], const ts_plot_source *source);

/// Whether the rows of an entry of the axis of cases are of such a step.
bool ts_plot_case_is_shown(const ts_plot_source *source, size_t case_entry);

/// Place of a method in the order that gives it its look.
size_t ts_plot_method_place(const ts_plot_source *source, const char *method);

/// How many entries of the axis of methods before this one have its name: 0 for all but those that
/// differ by parameters alone.
size_t ts_plot_method_variant(const ts_plot_source *source, size_t entry);

/// Indices of the rows of an entry of the axis of cases, one for each method at most, in the order
/// of the axis of methods; the arena's.
ts_status ts_plot_rows_of_case(const size_t **out, size_t *out_count, ts_arena *arena,
                               const ts_plot_source *source, size_t case_entry);

#endif
