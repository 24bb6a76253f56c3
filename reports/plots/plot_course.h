// SPDX-License-Identifier: MIT
/// Columns over the steps of a simulation: what plots over steps and over time draw.
#ifndef TS_REPORTS_PLOT_COURSE_H
#define TS_REPORTS_PLOT_COURSE_H

#include "reports/plots/plot_mean.h"

/// Columns of a plot over the steps, a panel each.
#define TS_PLOT_PANELS_MAX ((size_t)4)

/// What a plot shows of a case: columns that share an axis of steps, or of time.
typedef struct ts_plot_figure {
  const char *name; ///< ends the name of the plot; NULL: the case is enough
  const char *heading;
  size_t count;
  const ts_field *fields[TS_PLOT_PANELS_MAX]; ///< [count]
  /// Over time, with a curve for each simulation of the scene; otherwise over the steps of one.
  bool is_of_motion;
  bool is_linear; ///< even where that hides the lower curves
} ts_plot_figure;

/// A step of a course: the means over its seeds.
typedef struct ts_plot_stage {
  double step;
  double time_s; ///< when the time step ends; NaN if its length is not known
  /// [count of the figure]; NaN where nothing was measured. Ends are NaN where there is no
  /// interval.
  ts_interval values[TS_PLOT_PANELS_MAX];
} ts_plot_stage;

/// The steps of a method in a case, under one simulation: a curve.
typedef struct ts_plot_course {
  size_t method_entry;
  const char *method, *simulation; ///< its name; the parameters of the simulation
  const ts_plot_stage *stages;     ///< [count]
  size_t count;
  const char *label, *style; ///< for the caller
} ts_plot_course;

/// The courses of a plot, by method, then simulation.
typedef struct ts_plot_courses {
  size_t case_entry;
  ts_plot_course *items; ///< [count]
  size_t count;
  size_t seeds; ///< the largest number of rows of a stage
} ts_plot_courses;

/// A row in motion, and where it belongs.
typedef struct ts_plot_moment {
  size_t case_entry, method_entry;
  size_t simulation; ///< of the different ones, in the order of the rows; 0 outside of motion
  const ts_record *record;
} ts_plot_moment;

/// The rows in motion that are ok, as a source of their own: without the step, so that all rows of
/// a cell have one case entry, and if `is_of_motion` without the parameters of the simulation too,
/// so that all simulations of a scene have one.
typedef struct ts_plot_moving {
  ts_plot_source source;
  const ts_plot_moment *moments; ///< [count], by case, method, simulation and step
  size_t count;
} ts_plot_moving;

ts_status ts_plot_find_moving(ts_plot_moving *out, ts_arena *arena, const ts_plot_source *source,
                              bool is_of_motion);

/// The courses of a figure in the moments [count], all of one case, that have enough values for a
/// trend.
ts_status ts_plot_find_courses(ts_plot_courses *out, ts_arena *arena, const ts_plot_figure *f,
                               const ts_plot_moment *moments, size_t count);

/// Whether a course has a value of field `index` of its figure.
bool ts_plot_course_has(const ts_plot_course *c, size_t index);

#endif
