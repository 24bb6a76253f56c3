// SPDX-License-Identifier: MIT
/// Courses as curves in panels: what plots over steps and over time are made of.
#ifndef TS_REPORTS_PLOT_COURSE_DRAW_H
#define TS_REPORTS_PLOT_COURSE_DRAW_H

#include "reports/plots/plot_course.h"
#include "reports/plots/plot_page.h"

/// The courses of a case, and the panels that show them.
typedef struct ts_course_drawing {
  const ts_plot_figure *figure;
  size_t count;
  size_t indices[TS_PLOT_PANELS_MAX]; ///< [count], of the figure's fields, those with a panel
  ts_plot_courses courses;
  size_t first_curve; ///< curves before those of `courses` in the data of the page
  const char *method; ///< the method of all courses, where their labels do not name it; or NULL
} ts_course_drawing;

/// The field of a panel.
const ts_field *ts_course_field(const ts_course_drawing *d, size_t panel);

/// Chooses the fields that have values, and of several only those that are not 0 throughout.
void ts_course_choose_panels(ts_course_drawing *d);

/// Sets labels and styles of curves that differ in their method.
ts_status ts_course_name_methods(ts_plot_courses *all, ts_arena *arena,
                                 const ts_plot_source *source);

/// Adds the data of the course `place`: curve, label, step, the time in a figure of motion, values,
/// then ends of intervals if there are several seeds. A step without a value interrupts it.
void ts_course_add_data(ts_plot_page *page, const ts_course_drawing *d, size_t place);

/// Adds to the script: the y axis of a panel.
void ts_course_say_axis(ts_plot_page *page, const ts_course_drawing *d, size_t panel);

/// Adds to the script: the curves that have values of the panel's field, above their bands.
void ts_course_say_curves(ts_plot_page *page, const ts_course_drawing *d, size_t panel);

#endif
