// SPDX-License-Identifier: MIT
/// What score is given: the scene, the rows of the file, and the envelope that they were made in.
#ifndef TS_HARNESS_SCORE_INPUT_H
#define TS_HARNESS_SCORE_INPUT_H

#include "harness/plan/options.h"
#include "harness/run/cell_state.h"
#include "harness/score/contacts_collect.h"
#include "reports/formats/format.h"

/// The options.
typedef struct ts_score_values {
  const char *case_name, *name, *envelope, *cell, *method, *bodies, *format, *out, *results;
  ts_assignments sets;
  double step;
  bool may_replace;
} ts_score_values;

/// Contacts on their way to their row.
typedef struct ts_score {
  ts_arena *arena;
  ts_score_values values;
  ts_scene *scene;
  const char *path;        ///< of the contacts
  const ts_format *format; ///< NULL: text
  /// What the row is of. Case and method only have names: who made the contacts is not known here.
  ts_case case_stand_in;
  ts_method method_stand_in;
  ts_cell cell;
  ts_contacts_source source;
  ts_contacts_found found;
  ts_envelope envelope;
  const char *envelope_source; ///< for people
  ts_cell_state moment;
} ts_score;

/// Reads or builds the scene of a command's operands, and how it is scored. Fills what follows from
/// them in `cell` and `source`.
ts_status ts_score_read_scene(ts_score *score, const ts_arguments *parsed);

/// Reads the contacts of one moment and finds their envelope: as --envelope says, or the rows, or
/// summary.csv beside them. TS_E_INPUT when there is more than one moment to choose from, or none
/// of the rows is asked for.
ts_status ts_score_read_contacts(ts_score *score);

/// Makes a name of the last part of a path, without its ending: small letters, digits and
/// underscores. NULL when memory is out.
const char *ts_score_name_of_path(ts_arena *arena, const char *path);

#endif
