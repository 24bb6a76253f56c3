// SPDX-License-Identifier: MIT
/// The state of `explain`, shared by the ways to find what it explains.
#ifndef TS_HARNESS_EXPLAIN_H
#define TS_HARNESS_EXPLAIN_H

#include "harness/explain/explanation.h"
#include "harness/plan/options.h"
#include "harness/run/kept_files.h"
#include "harness/run/limit_options.h"
#include "harness/score/score_input.h"

#include <jansson.h>

/// The values of the options. Those of the contacts of a file are in `score`.
typedef struct ts_explain_values {
  ts_score_values score;
  const char *contacts; ///< the file of --contacts; NULL: contacts are found by a method
  const char *out;
  ts_texts plugins, scenes;
  ts_limit_values limits;
  bool with_engines, is_all, may_replace;
} ts_explain_values;

typedef struct ts_explain {
  ts_arena *arena;
  ts_explain_values values;
  /// The operands; NULL where they were left out.
  const char *case_name, *method, *results;
  // What was found:
  ts_snapshot snapshot;
  ts_explanation told;
  const char *repeat;  ///< the command that measures the row again
  const char *edited;  ///< that the row is not as it was written; NULL: it may be
  const char *differs; ///< how the state made again is not that of the row; NULL: it is
  const char *picture; ///< the file of the picture; NULL: there is nothing to draw
  bool may_replace;    ///< that file
  bool has_failed;     ///< the method, when it was asked again
} ts_explain;

/// Finds the row of the results, or measures that of a case and a method here, makes its state
/// again, and prints. TS_E_INPUT, saying what to do.
ts_status ts_explain_cell(ts_explain *e);
ts_status ts_explain_result(ts_explain *e);

/// Judges the contacts of a file, and prints.
ts_status ts_explain_contacts(ts_explain *e);

/// Judges the contacts of a row that `score` wrote again, for its snapshot and all that is
/// described besides the record. The arguments are those of `score`, from the context of the
/// results; relative paths among them are resolved from the current folder.
ts_status ts_explain_scored(ts_explain *e, const json_t *arguments);

/// Notes that a state made again has other contacts than the row (`differs`).
ts_status ts_explain_compare(ts_explain *e, const ts_cell_state *state);

/// Names the picture, unless --out has, and refuses to replace a file. `folder` is of the results
/// that the row is from, where an earlier picture is replaced; NULL: there are none.
ts_status ts_explain_name_picture(ts_explain *e, const char *folder);

/// Makes what was found: the text, and the picture where there is a snapshot; in the arena.
ts_status ts_explain_make(ts_made_files *out, ts_explain *e);

/// Writes the picture of what was made, if it has one, and prints the text with what belongs to it.
ts_status ts_explain_print(const ts_explain *e, const ts_made_files *made);

/// Both, for what no method is needed for.
ts_status ts_explain_finish(ts_explain *e);

#endif
