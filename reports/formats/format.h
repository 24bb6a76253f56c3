// SPDX-License-Identifier: MIT
/// Output formats of results: one writer for each line of formats.def.
#ifndef TS_REPORTS_FORMAT_H
#define TS_REPORTS_FORMAT_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/// The input of a writer; everything is borrowed.
typedef struct ts_format_source {
  const ts_record *records; ///< [count], in the order of the file
  size_t count;
  /// [count]: a unique name of each row, under which results of many runs can be tracked: it does
  /// not depend on what else was run.
  const char *const *names;
  const char *const *commands; ///< [count]: the command that measures the row again
  /// [count]: the command that explains the row; NULL: the rows are not those of results.
  const char *const *explains;
  /// [method_count], in the order that determines their styles, as in ts_plot_source.
  const char *const *method_names;
  size_t method_count;
  /// What a case or a method is, in one sentence; NULL where that is not known, as of a scene file
  /// or a plug-in that is not loaded. The functions themselves may be NULL.
  const char *(*case_summary)(const char *name);
  const char *(*method_summary)(const char *name);
  const char *folder;    ///< with contacts.csv, samples.csv and plots/; NULL: none
  const char *shortfall; ///< "1 of 2 cells: the run was cut short"; NULL: complete
  /// Why no study can be made of the rows: formats of one fail with it. NULL: one can.
  const char *study_fault;
  json_t *context; ///< the contents of context.json; NULL: none
  /// Writes the 3-D views of the rows, near the end of a page; NULL: there are none. `views` is
  /// handed to it.
  ts_status (*put_views)(FILE *file, ts_arena *arena, const void *views);
  const void *views;
} ts_format_source;

typedef struct ts_format {
  const char *name;    ///< as typed after --format
  const char *readers; ///< who or what reads it
  const char *summary; ///< its contents
  const char *reads;   ///< optional files of the results folder that it reads in addition to
                       ///< summary.csv; "" for none
  /// A page for a results folder, written into the folder unless --out is given; not available for
  /// standard output, or for rows without a folder.
  bool is_page;
  /// Writes to `file`; the caller checks it for errors. TS_E_INPUT when a file of the folder is
  /// damaged or rows lack what the format needs; nothing has been written then.
  ts_status (*write)(FILE *file, ts_arena *arena, const ts_format_source *source);
} ts_format;

#define FORMAT(name) extern const ts_format ts_format_##name;
#include "reports/formats/formats.def"
#undef FORMAT

enum {
  TS_FORMAT_COUNT = 0
#define FORMAT(name) +1
#include "reports/formats/formats.def"
#undef FORMAT
};

/// All formats, NULL-terminated.
extern const ts_format *const ts_formats[];

/// NULL if there is no format of that name.
const ts_format *ts_format_find(const char *name);

#endif
