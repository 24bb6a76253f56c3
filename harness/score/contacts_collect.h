// SPDX-License-Identifier: MIT
/// The contacts of a file, matched to the bodies of a scene and grouped into sets as if a method
/// had delivered them.
#ifndef TS_HARNESS_CONTACTS_COLLECT_H
#define TS_HARNESS_CONTACTS_COLLECT_H

#include "cases/scene/scene.h"
#include "geometry/contact_set.h"
#include "harness/judge/judge.h"
#include "harness/score/body_words.h"
#include "harness/score/contacts_read.h"

/// The state (step of a cell) that a row of a file belongs to. Texts are "" and the step is NaN
/// when unknown.
typedef struct ts_contacts_state {
  const char *cell, *case_name, *method;
  double step;
} ts_contacts_state;

typedef struct ts_contacts_states {
  size_t count;             ///< at most TS_CONTACTS_STATES_MAX are counted
  ts_contacts_state *items; ///< [count]
} ts_contacts_states;

#define TS_CONTACTS_STATES_MAX ((size_t)256)

/// Whether the fingerprint of a cell begins as wanted (NULL: any).
bool ts_contacts_is_of_cell(const char *wanted, const char *cell);

/// Adds a copy of a state unless it is already listed.
ts_status ts_contacts_note_state(ts_contacts_states *states, ts_arena *arena,
                                 const ts_contacts_state *state);

/// Which rows to read from which file.
typedef struct ts_contacts_source {
  const char *path;
  const ts_scene *scene;
  ts_body_words words;
  /// NULL, or the required value of the column, of a cell its beginning. In a file without the
  /// column `case` every row matches the case.
  const char *cell, *case_name, *method;
  double step; ///< NaN: any
} ts_contacts_source;

/// The contents of a file.
typedef struct ts_contacts_found {
  ts_contacts_states states; ///< of the selected rows
  ts_contacts_states others; ///< of the others of the case; where it has none, of other cases
  size_t row_count;          ///< number of selected rows
  bool has_cells;            ///< there is a column `cell`, as in contacts.csv of a results
                             ///< folder
  bool has_gaps;             ///< there is a column gap_m
  bool has_envelope;
  ts_envelope envelope; ///< from the columns envelope and envelope_m, at the scene's scale
  bool has_takes;
  uint32_t takes; ///< from the column shapes_native (ts_contacts_takes)
  /// If there is exactly one state: canonical sets, sorted by (a, b).
  size_t set_count;
  ts_contact_set *sets; ///< [set_count]
  /// The same contacts in the order of the rows, including duplicates; NULL unless requested.
  ts_contact_set *rows; ///< [set_count]
} ts_contacts_found;

/// Kinds of shapes, as TS_TAKES(), from words joined by +, as in the column shapes_native; "" is
/// none. False: a word is unknown.
bool ts_contacts_takes(uint32_t *out, const char *words);

/// Reads a file. Rows whose body a has the higher index are flipped. In a file without gaps they
/// are NaN, and duplicates are found by point and normal alone. Sets are made canonical by `rule`.
///
/// TS_E_INPUT, with file and line: what ts_contacts_read() refuses, a body that the scene does not
/// have (the message suggests the nearest name), two equal bodies, an invalid or changing envelope
/// or list of shapes, a missing column to select rows by. Everything is in the arena.
ts_status ts_contacts_collect(ts_contacts_found *out, ts_arena *arena,
                              const ts_contacts_source *source, ts_scoring_rule rule,
                              bool keeps_rows);

/// A row with its contact and bodies, passed to a visitor.
typedef struct ts_contacts_visit {
  const ts_contacts_line *line;
  const ts_contacts_reader *reader;
  int32_t body_a, body_b; ///< body_a < body_b
  ts_contact contact;
} ts_contacts_visit;

/// A place in a file, between two of the selected rows.
typedef struct ts_contacts_cursor ts_contacts_cursor;

/// Before the first row; `found`, `arena` and `source` are borrowed until it is closed, and `found`
/// learns what it meets. Errors of ts_contacts_collect().
ts_status ts_contacts_open(ts_contacts_cursor **out, ts_contacts_found *found, ts_arena *arena,
                           const ts_contacts_source *source);
void ts_contacts_close(ts_contacts_cursor *cursor);

/// Reads the next row, which is valid until the one after it is read; `*out_found` is false at the
/// end.
ts_status ts_contacts_next(bool *out_found, ts_contacts_visit *out, ts_contacts_cursor *cursor);

/// The next row without passing it; NULL at the end.
ts_status ts_contacts_peek(const ts_contacts_visit **out, ts_contacts_cursor *cursor);

/// The contacts of one step.
typedef struct ts_contacts_step {
  size_t set_count;
  ts_contact_set *sets; ///< [set_count], canonical, sorted by (a, b)
  double *impulses; ///< of all contacts, in their order [kg m/s], with those of duplicates; NaN:
                    ///< not given
  uint64_t *ids;    ///< likewise, hashes of their keys; 0: not given, or of several
                    ///< contacts of a pair; NULL: there is no such column
} ts_contacts_step;

/// Notes the cell, case and method of a row of a sequence, whatever its step, as a state.
ts_status ts_contacts_note_sequence(ts_contacts_found *found, ts_arena *arena,
                                    const ts_contact_row *row);

/// Takes the rows from the cursor on that are of that step, in the arena; none when the next one is
/// of another. TS_E_INPUT, with the line, for a row of another cell, case or method than the rows
/// before it.
ts_status ts_contacts_take_step(ts_contacts_step *out, ts_arena *arena, ts_contacts_cursor *cursor,
                                double step, ts_scoring_rule rule);

/// Visits the selected rows in file order. Any status except TS_OK stops the walk.
ts_status ts_contacts_walk(ts_contacts_found *found, ts_arena *arena,
                           const ts_contacts_source *source,
                           ts_status (*visit)(void *context, const ts_contacts_visit *row),
                           void *context);

/// Index of the set of a pair; SIZE_MAX when it has none.
size_t ts_contacts_find_set(const ts_contacts_found *found, int32_t body_a, int32_t body_b);

#endif
