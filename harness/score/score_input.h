// SPDX-License-Identifier: MIT
/// The input of `score`: the scene, the rows of the file, and the envelope of the bodies.
#ifndef TS_HARNESS_SCORE_INPUT_H
#define TS_HARNESS_SCORE_INPUT_H

#include "harness/plan/options.h"
#include "harness/run/cell_state.h"
#include "harness/score/contacts_collect.h"
#include "methods/modifiers/modifier_chain.h"
#include "reports/formats/format.h"

/// The values of the options.
typedef struct ts_score_values {
  const char *case_name, *name, *envelope, *cell, *method, *bodies, *format, *out, *results;
  const char *dataset, *contacts;
  const char *poses, *first;
  const char *modifiers; ///< a chain of built-in ones; NULL: none
  ts_assignments sets;
  double step, touch_relative;
  bool may_replace, is_on_triangles;
} ts_score_values;

/// State of the command, from reading contacts to the row.
typedef struct ts_score {
  ts_arena *arena;
  ts_score_values values;
  ts_scene *scene;
  const char *scene_path;    ///< NULL: of a built-in case
  const char *path;          ///< of the contacts
  const char *fallback_name; ///< of the method, instead of that of the file; NULL: the file's
  const ts_format *format;   ///< NULL: text
  /// Identity of the row. Placeholders for case and method, which only have names, since the
  /// generator of the contacts is not known here.
  ts_case case_placeholder;
  ts_method method_placeholder;
  ts_cell cell;
  ts_contacts_source source;
  ts_contacts_found found;
  bool starts_anywhere; ///< a recorded sequence may start at other poses than the scene's
  ts_modifier_chain modifiers;
  ts_envelope envelope;
  const char *envelope_source; ///< for messages
  ts_cell_state state;
} ts_score;

/// Reads or builds the scene given by the operands, and the scoring parameters. Sets everything in
/// `cell` and `source` that depends on them.
ts_status ts_score_read_scene(ts_score *score, const ts_arguments *parsed);

/// Sets which rows of the contacts to read, and the envelope of --envelope.
ts_status ts_score_select(ts_score *score);

/// Reads the contacts of one state and finds their envelope: from --envelope, else from the rows,
/// else from summary.csv next to them. TS_E_INPUT when the selected rows belong to more than one
/// state, or no row is selected.
ts_status ts_score_read_contacts(ts_score *score);

/// Names the method: by --name, else by the column method, else by `fallback_name` or the name of
/// the file.
ts_status ts_score_name_method(ts_score *score);

/// Kinds of shapes (TS_TAKES) that the contacts were found on: none with --triangles, else as the
/// rows or summary.csv tell, else those that a method of ours of that name takes, else all. Rows of
/// a sequence tell as they are read.
uint32_t ts_score_takes(const ts_score *score);

/// Makes a name from the last part of a path, without its extension: lower-case letters, digits and
/// underscores. NULL when out of memory.
const char *ts_score_name_of_path(ts_arena *arena, const char *path);

#endif
