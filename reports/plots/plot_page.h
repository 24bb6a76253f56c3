// SPDX-License-Identifier: MIT
/// A page: one plot on its way to disk, as a CSV file and the gnuplot script that reads it. The
/// book holds them all.
#ifndef TS_REPORTS_PLOT_PAGE_H
#define TS_REPORTS_PLOT_PAGE_H

#include "reports/plots/plot_source.h"
#include "reports/rows/csv.h"

#include <stdio.h>

/// Plots of one kind: what is beyond is of no use to a reader, and slow.
#define TS_PLOT_KIND_MAX ((size_t)120)

typedef struct ts_plot_book {
  ts_arena *arena;
  const char *folder; ///< where the files go; NULL: the plots are named only
  size_t count, capacity;
  const char **names; ///< [count] of the plots, in their order; the files are name.gp and name.csv
  const char *kind;   ///< of the plots that are being made
  size_t kind_count;
} ts_plot_book;

/// Counts from here the plots of another kind.
void ts_plot_begin_kind(ts_plot_book *book, const char *kind);

typedef struct ts_plot_page {
  ts_plot_book *book;
  const char *name;
  FILE *script; ///< NULL when plots are named only
  char *script_text;
  size_t script_bytes;
  ts_csv_buffer data;
  size_t rows;      ///< of the data, without the header
  ts_status status; ///< of the first failure
} ts_plot_page;

typedef struct ts_plot_shape {
  int columns;                     ///< of a two-column paper that the plot takes: 1 or 2
  double height;                   ///< as a share of the width of one column, without the key
  size_t key_entries, key_letters; ///< of the key below: how many, and the longest of them
} ts_plot_shape;

/// Starts the page `kind-part`; `part` may be any text. `heading` and `what` are the two lines of
/// the title. `header` names the columns of its data, comma-separated. TS_SKIPPED, and there is no
/// page, when the kind has TS_PLOT_KIND_MAX already.
ts_status ts_plot_begin(ts_plot_page *page, ts_plot_book *book, const char *part,
                        const char *heading, const char *what, ts_plot_shape shape,
                        const char *header);

/// Adds to the script, printf style.
void ts_plot_say(ts_plot_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Add a field to the row of data, and end the row.
void ts_plot_text(ts_plot_page *page, const char *text);
void ts_plot_number(ts_plot_page *page, double value);
void ts_plot_end_row(ts_plot_page *page);

/// Writes the files of the page (no CSV when it has no data at all) and frees it. Returns the first
/// failure since ts_plot_begin().
ts_status ts_plot_end(ts_plot_page *page);

/// The same, but a failure of what filled the page goes before its own.
ts_status ts_plot_end_with(ts_plot_page *page, ts_status status);

/// "pillar, refinement=1" and "scene as built" or "step 3" of an entry of the axis of cases;
/// `step` is that of its rows. NULL when memory is out.
const char *ts_plot_case_title(ts_arena *arena, const ts_axis_entry *entry, double step);

/// The same for the name of a file: "pillar-refinement=1-touch".
const char *ts_plot_case_part(ts_arena *arena, const ts_axis_entry *entry, double step);

/// Makes one page of a case: `rows` [count], at least one, are those that have something to draw.
typedef ts_status (*ts_plot_case_page)(ts_plot_book *book, const ts_plot_source *source,
                                       const size_t *rows, size_t count, const char *part,
                                       const char *title);

/// Makes a page of every shown entry of the axis of cases that has rows whose contacts `has_any`
/// takes, with its part and title.
ts_status ts_plot_each_case(ts_plot_book *book, const ts_plot_source *source,
                            bool (*has_any)(const ts_plot_contacts *contacts),
                            ts_plot_case_page make_page);

/// Text as a string of gnuplot, quotes and all. NULL when memory is out.
const char *ts_plot_quote(ts_arena *arena, const char *text);

/// "lt 3" for an entry of the axis of methods, and a dash of its own where entries share a name.
const char *ts_plot_style(ts_arena *arena, const ts_plot_source *source, size_t method_entry);

/// Adds to the script: the key's entry of a method, and nothing drawn. `with` is gnuplot's word for
/// how it is drawn: "lines", "points".
void ts_plot_key_entry(ts_plot_page *page, const ts_plot_source *source, size_t method_entry,
                       const char *with);

/// Adds to the script: several panels, `down` rows of `across`, above a strip for the key that the
/// page's shape has room for, if any; a panel, counted from 0 in reading order, to plot into next;
/// and the strip, into which `plot NaN notitle` and ts_plot_key_entry() draw the key.
void ts_plot_say_panels(ts_plot_page *page, size_t across, size_t down);
void ts_plot_say_panel(ts_plot_page *page, size_t panel);
void ts_plot_say_key_strip(ts_plot_page *page);

/// Letters of the longest label on the axis of methods.
size_t ts_plot_method_letters(const ts_plot_source *source);

#endif
