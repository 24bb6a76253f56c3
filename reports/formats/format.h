// SPDX-License-Identifier: MIT
/// The forms in which results leave: one writer for each line of formats.def.
#ifndef TS_REPORTS_FORMAT_H
#define TS_REPORTS_FORMAT_H

#include "base/arena.h"
#include "reports/rows/record.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/// What a writer is given. All of it is borrowed.
typedef struct ts_format_source {
  const ts_record *records; ///< [count], in the order of the file
  size_t count;
  /// [count]: what a row is called wherever results of many runs are followed under one name: the
  /// same whatever else was run. Each stands once.
  const char *const *names;
  const char *const *commands; ///< [count]: the command line that measures the row again
  /// [method_count], in the order that gives them their look, as in ts_plot_source.
  const char *const *method_names;
  size_t method_count;
  const char *folder;    ///< of contacts.csv, samples.csv and plots/; NULL: there is none
  const char *shortfall; ///< "1 of 2 cells: the run was cut short"; NULL: rows are all there
  json_t *context;       ///< what context.json holds; NULL: there is none
} ts_format_source;

typedef struct ts_format {
  const char *name;    ///< as typed after --format
  const char *readers; ///< who or what reads it
  const char *summary; ///< what is in it
  const char *reads;   ///< files of the results folder besides summary.csv, where they are; "" none
  /// A page of a results folder, written into it unless --out says where; not for standard output,
  /// nor for rows without a folder.
  bool is_page;
  /// Writes to `file`, whose errors the caller looks for. TS_E_INPUT when a file of the folder is
  /// damaged; nothing has been written then.
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

/// All of them, NULL at the end.
extern const ts_format *const ts_formats[];

/// NULL when there is none of that name.
const ts_format *ts_format_find(const char *name);

#endif
