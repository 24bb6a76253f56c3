// SPDX-License-Identifier: MIT
/// The kinds of plots.
#ifndef TS_REPORTS_PLOT_KINDS_H
#define TS_REPORTS_PLOT_KINDS_H

#include "reports/plots/plot_page.h"

typedef struct ts_plot_kind {
  const char *name;    ///< as for --only; its plots are named name-...
  const char *figures; ///< similar figures of Erleben 2018; "" for none
  const char *summary;
  const char *lacks;            ///< why there may be none, and the run that gives them
  const char *lacks_deformable; ///< the same where bodies deform; NULL: as `lacks`
  bool needs_contacts;          ///< needs contacts.csv
  /// Adds its plots to the book; none if the data has nothing to plot. TS_SKIPPED: there are more
  /// than TS_PLOT_KIND_MAX.
  ts_status (*make)(ts_plot_book *book, const ts_plot_source *source);
} ts_plot_kind;

extern const ts_plot_kind ts_plot_normal_quality, ts_plot_normal_quality_sweep, ts_plot_areas,
    ts_plot_steps, ts_plot_coherence, ts_plot_motion, ts_plot_normal_errors, ts_plot_heat_map,
    ts_plot_quality_time, ts_plot_time_size, ts_plot_measures_sweep, ts_plot_response_sweep,
    ts_plot_error_sweep, ts_plot_agreement_map;

/// All kinds; NULL-terminated.
extern const ts_plot_kind *const ts_plot_kinds[];

#endif
