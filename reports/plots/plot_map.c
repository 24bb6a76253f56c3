// SPDX-License-Identifier: MIT
#include "reports/plots/plot_map.h"

#include "base/status.h"

#include <math.h>

#define COLUMNS_ROOMY 15

/// Relative to the width of one column of a paper: of a row of fields, of a line of its label, and
/// what another line of a column's label adds.
#define ROW_HEIGHT  0.052
#define LABEL_LINE  0.037
#define COLUMN_LINE 0.04

#define LIGHT_MIN 0.45 ///< shade from which black text is readable

enum { MISSING, LIGHT, DARK, SPREAD_ON_LIGHT, SPREAD_ON_DARK };

double ts_plot_map_height(double rows, size_t lines_above, size_t lines_of_row) {
  return 0.42 + COLUMN_LINE * (double)(lines_above - 1) +
         fmax(ROW_HEIGHT, LABEL_LINE * (double)lines_of_row) * rows;
}

void ts_plot_map_count(size_t counts[TS_MAP_PARTS], double shade, bool has_spread) {
  int kind = isnan(shade) ? MISSING : shade >= LIGHT_MIN ? LIGHT : DARK;
  counts[kind]++;
  if (kind != MISSING && has_spread)
    counts[kind == LIGHT ? SPREAD_ON_LIGHT : SPREAD_ON_DARK]++;
}

ts_status ts_plot_map_say_tics(ts_plot_page *page, char axis, size_t count,
                               const char *const *labels, double last) {
  ts_plot_say(page, "set %ctics (", axis);
  for (size_t i = 0; i < count; i++) {
    size_t lines = 0;
    const char *title =
        labels[i] ? ts_plot_title(page->book->arena, labels[i],
                                  axis == 'x' ? TS_MAP_X_LETTERS : TS_MAP_Y_LETTERS, &lines)
                  : NULL;
    if (!title)
      return TS_E_MEMORY;
    ts_plot_say(page, "%s\\\n  tic(%s) %g", i ? ", " : "", title,
                i + 1 == count ? last : (double)i + 1);
  }
  ts_plot_say(page, ") scale 0\n");
  return TS_OK;
}

/// gnuplot 5.4 crashes on an empty set of labels, so only kinds that exist are drawn.
void ts_plot_map_say_fields(ts_plot_page *page, const size_t counts[TS_MAP_PARTS]) {
  static const char *const parts[TS_MAP_PARTS] = {
      [MISSING] = "data using (missing(\"x\")):\"y\":(0.5):\"half_height\" with boxxyerror fc rgb "
                  "\"#BDBDBD\", \\\n"
                  "  data using (missing(\"x\")):\"y\":\"text\" with labels font small tc rgb "
                  "\"#000000\"",
      [LIGHT] =
          "data using (light(\"x\")):(number_y(\"y\")):\"text\" with labels font small tc rgb "
          "\"#000000\"",
      [DARK] = "data using (dark(\"x\")):(number_y(\"y\")):\"text\" with labels font small tc rgb "
               "\"#FFFFFF\"",
      [SPREAD_ON_LIGHT] = "data using (light(\"x\")):(spread_y(\"y\")):\"spread\" with labels font "
                          "smaller tc rgb \"#000000\"",
      [SPREAD_ON_DARK] = "data using (dark(\"x\")):(spread_y(\"y\")):\"spread\" with labels font "
                         "smaller tc rgb \"#FFFFFF\"",
  };
  const char *between = "plot ";
  if (counts[LIGHT] + counts[DARK] > 0) {
    ts_plot_say(page, "plot data using (measured(\"x\")):\"y\":(0.5):\"half_height\":\"shade\" "
                      "with boxxyerror fc palette");
    between = ", \\\n  ";
  }
  for (int i = 0; i < TS_MAP_PARTS; i++)
    if (counts[i] > 0) {
      ts_plot_say(page, "%s%s", between, parts[i]);
      between = ", \\\n  ";
    }
  ts_plot_say(page, "\n");
}

void ts_plot_map_say_settings(ts_plot_page *page, double columns, double x_end, double y_end) {
  ts_plot_say(page, "unset key\nunset colorbox\nunset grid\nunset border\n"
                    "set palette defined (0 \"#0C2C84\", 1 \"#225EA8\", 2 \"#41B6C4\", "
                    "3 \"#C7E9B4\", 4 \"#FFFFE0\")\n"
                    "set cbrange [0:1]\n");
  // With more columns than this, numbers would overlap.
  double share = fmin(1, COLUMNS_ROOMY / columns);
  ts_plot_say(page,
              "points = %.3g * (format eq \"pdf\" ? 7.5 : is_tex ? 8 : 18)\n"
              "small = sprintf(\",%%.3g\", points)\n"
              "smaller = sprintf(\",%%.3g\", 0.75 * points)\n",
              share);
  ts_plot_say(
      page,
      // A title would be centred on the fields, which long labels move far to the right.
      "unset title\n"
      "set label 1 two_lines(heading, what) at screen 0.5, screen 1 - 0.2 / height_in center\n"
      "set tmargin 1.5 + title_lines\n"
      "set xtics rotate by 30 right\n"
      "set xrange [0.5:%g]\n"
      "set yrange [%g:0.5]\n"
      "set style fill solid 1 border lc rgb \"#FFFFFF\"\n"
      "# Columns of measured fields, of unmeasured ones, and of those with light or dark shade.\n"
      "measured(c) = column(\"is_measured\") > 0 ? column(c) : NaN\n"
      "missing(c) = column(\"is_measured\") > 0 ? NaN : column(c)\n"
      "light(c) = column(\"shade\") >= %g ? measured(c) : NaN\n"
      "dark(c) = column(\"shade\") < %g ? measured(c) : NaN\n"
      "# A number is above half of its interval, where there is one.\n"
      "number_y(c) = column(c) - (strlen(strcol(\"spread\")) > 0 ? 0.3 : 0)\n"
      "spread_y(c) = strlen(strcol(\"spread\")) > 0 ? column(c) + 0.35 : NaN\n",
      x_end, y_end, LIGHT_MIN, LIGHT_MIN);
}
