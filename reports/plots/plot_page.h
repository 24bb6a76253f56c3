// SPDX-License-Identifier: MIT
/// A page is one plot: a CSV file and the gnuplot script that reads it. The book has all pages.
#ifndef TS_REPORTS_PLOT_PAGE_H
#define TS_REPORTS_PLOT_PAGE_H

#include "reports/plots/plot_source.h"
#include "reports/rows/csv.h"

#include <stdio.h>

/// Maximum number of plots of one kind; more would be slow and of no use to a reader.
#define TS_PLOT_KIND_MAX ((size_t)120)

typedef struct ts_plot_book {
  ts_arena *arena;
  const char *folder; ///< output folder; NULL: only list the names of plots
  size_t count, capacity;
  const char **names; ///< [count], names of the plots in order; the files are name.gp and name.csv
  const char *kind;   ///< kind of the current plots
  size_t kind_count;
} ts_plot_book;

/// Starts another kind of plots.
void ts_plot_begin_kind(ts_plot_book *book, const char *kind);

typedef struct ts_plot_page {
  ts_plot_book *book;
  const char *name;
  FILE *script; ///< NULL when only names are listed
  char *script_text;
  size_t script_bytes;
  ts_csv_buffer data;
  size_t rows;      ///< rows of data, without the header
  ts_status status; ///< the first failure
} ts_plot_page;

typedef struct ts_plot_shape {
  int columns;                     ///< width in columns of a two-column paper: 1 or 2
  double height;                   ///< height without the key, relative to the width of one column
  size_t key_entries, key_letters; ///< number of entries of the key below the plot, and length of
                                   ///< the longest
} ts_plot_shape;

/// Starts the page `kind-part`; `part` may be any text. `heading` and `what` are the title, one
/// below the other, each in as many lines as it takes. `header` names the columns of its data,
/// comma-separated. TS_SKIPPED, without a page, when the kind already has TS_PLOT_KIND_MAX.
ts_status ts_plot_begin(ts_plot_page *page, ts_plot_book *book, const char *part,
                        const char *heading, const char *what, ts_plot_shape shape,
                        const char *header);

/// Adds to the script, printf style.
void ts_plot_say(ts_plot_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Add a field to the current row of data; end the row.
void ts_plot_text(ts_plot_page *page, const char *text);
void ts_plot_number(ts_plot_page *page, double value);
void ts_plot_end_row(ts_plot_page *page);

/// Writes the files of the page (no CSV if it has no data) and frees it. Returns the first failure
/// since ts_plot_begin().
ts_status ts_plot_end(ts_plot_page *page);

/// The same, but `status`, the result of filling the page, takes precedence.
ts_status ts_plot_end_with(ts_plot_page *page, ts_status status);

/// "pillar, refinement=1, scene as built" (or "..., step 3") for an entry of the case axis; `step`
/// is that of its rows. NULL when out of memory.
const char *ts_plot_case_title(ts_arena *arena, const ts_axis_entry *entry, double step);

/// The same for file names: "pillar-refinement=1-touch".
const char *ts_plot_case_part(ts_arena *arena, const ts_axis_entry *entry, double step);

/// A heading with what was averaged: "Normal quality, mean of 10 seeds"; the heading itself where
/// there is one seed. NULL when out of memory, or when the heading is.
const char *ts_plot_mean_heading(ts_arena *arena, const char *heading, size_t seeds);

/// The same for what shows one row of several: "Sorted normal quality, first of 10 seeds". `row` is
/// one of those shown.
const char *ts_plot_first_heading(ts_arena *arena, const char *heading,
                                  const ts_plot_source *source, size_t row);

/// Makes one page of a case; `rows` [count], at least one, are those with something to draw.
typedef ts_status (*ts_plot_case_page)(ts_plot_book *book, const ts_plot_source *source,
                                       const size_t *rows, size_t count, const char *part,
                                       const char *title);

/// Makes a page, with name and title, for every shown entry of the case axis that has rows for
/// whose contacts `has_any` is true.
ts_status ts_plot_each_case(ts_plot_book *book, const ts_plot_source *source,
                            bool (*has_any)(const ts_plot_contacts *contacts),
                            ts_plot_case_page make_page);

/// Text as a gnuplot string, including the quotes. NULL when out of memory.
const char *ts_plot_quote(ts_arena *arena, const char *text);

/// Text as a gnuplot expression for a title of as many lines as it takes with `letters` in each;
/// their number is added to `lines`. NULL when out of memory.
const char *ts_plot_title(ts_arena *arena, const char *text, size_t letters, size_t *lines);

/// "lt 3" for an entry of the method axis, with its own dash if entries share a name.
const char *ts_plot_style(ts_arena *arena, const ts_plot_source *source, size_t method_entry);

/// Adds to the script: a key entry of a method without drawing anything. `with` is the gnuplot
/// style: "lines", "points".
void ts_plot_key_entry(ts_plot_page *page, const ts_plot_source *source, size_t method_entry,
                       const char *with);

/// The same for any label and style.
void ts_plot_key_line(ts_plot_page *page, const char *label, const char *style, const char *with);

/// After the style of a method: what bars of intervals look like, and bands. Bars have no symbol;
/// one of size 0 makes rsvg-convert refuse the whole picture.
#define TS_PLOT_BARS "dt solid ps 0.02 lw 0.7"
#define TS_PLOT_BAND "fs transparent solid 0.15 noborder"

/// Adds to the script: line styles 1 to `count` ("ls 1") for curves that a value distinguishes
/// rather than by their method, from light to dark, with dashes from short to long, so that their
/// order is visible in greyscale too.
void ts_plot_say_value_styles(ts_plot_page *page, size_t count);

/// Adds to the script: a layout of `down` rows of `across` panels, above a strip for the key if the
/// page's shape has one; the panel, counted from 0 in reading order, to plot into next; and the
/// strip, into which `plot NaN notitle` and ts_plot_key_entry() draw the key.
void ts_plot_say_panels(ts_plot_page *page, size_t across, size_t down);
void ts_plot_say_panel(ts_plot_page *page, size_t panel);
void ts_plot_say_key_strip(ts_plot_page *page);

/// Length of the longest label on the method axis.
size_t ts_plot_method_letters(const ts_plot_source *source);

#endif
