// SPDX-License-Identifier: MIT
/// Contacts of a file, held against a scene: which bodies they are of, and in sets as a method
/// would have left them.
#ifndef TS_HARNESS_CONTACTS_COLLECT_H
#define TS_HARNESS_CONTACTS_COLLECT_H

#include "cases/scene/scene.h"
#include "geometry/contact_set.h"
#include "harness/judge/judge.h"
#include "harness/score/contacts_read.h"

/// What a body_a or body_b that is a whole number is.
typedef enum ts_body_words {
  TS_BODIES_EITHER, ///< The index of a body, unless another one is called so: refused then.
  TS_BODIES_INDEX,
  TS_BODIES_NAME
} ts_body_words;

/// One step of one cell that a file has contacts of. Texts are "" and the step NaN where it does
/// not tell.
typedef struct ts_contacts_state {
  const char *cell, *case_name, *method;
  double step;
} ts_contacts_state;

typedef struct ts_contacts_states {
  size_t count;             ///< more than TS_CONTACTS_MOMENTS_MAX are not counted
  ts_contacts_state *items; ///< [count]
} ts_contacts_states;

#define TS_CONTACTS_MOMENTS_MAX ((size_t)256)

/// Adds a moment, copied, unless it is there.
ts_status ts_contacts_note_state(ts_contacts_states *moments, ts_arena *arena,
                                 const ts_contacts_state *moment);

/// Which rows of which file.
typedef struct ts_contacts_source {
  const char *path;
  const ts_scene *scene;
  ts_body_words words;
  /// NULL, or what the column must hold; where the file has no column `case` every row is of it.
  const char *cell, *case_name, *method;
  double step; ///< NaN: any
} ts_contacts_source;

/// What a file holds.
typedef struct ts_contacts_found {
  ts_contacts_states moments, others; ///< of the rows that are asked for, and that are not
  size_t row_count;                   ///< that are asked for
  bool has_cells;                     ///< a column `cell`, as contacts.csv of a results folder
  bool has_gaps;                      ///< a column gap_m
  bool tells_envelope;
  ts_envelope envelope; ///< by the columns envelope and envelope_m, at the scene's scale
  /// When there is one moment: canonical sets, sorted by (a, b).
  size_t set_count;
  ts_contact_set *sets; ///< [set_count]
  /// The same contacts in the order of the rows, duplicates and all; NULL unless asked for.
  ts_contact_set *rows; ///< [set_count]
} ts_contacts_found;

/// Reads a file. A row whose body a is the later one is turned round. Where the file has no gaps
/// they are NaN, and duplicates are those of point and normal. Sets are made canonical by `rule`.
///
/// TS_E_INPUT, with file and line: what ts_contacts_read() refuses, a body that the scene does not
/// have (the nearest name is told), two equal bodies, an envelope that is none or changes, a column
/// to choose by that is missing. Everything is the arena's.
ts_status ts_contacts_collect(ts_contacts_found *out, ts_arena *arena,
                              const ts_contacts_source *source, ts_scoring_rule rule,
                              bool keeps_rows);

/// A row on its way, with its contact and the place of its bodies.
typedef struct ts_contacts_visit {
  const ts_contacts_line *line;
  const ts_contacts_reader *reader;
  int32_t body_a, body_b; ///< body_a < body_b
  ts_contact contact;
} ts_contacts_visit;

/// Visits the rows that are asked for, in their order. Anything but TS_OK ends it.
ts_status ts_contacts_walk(ts_contacts_found *found, ts_arena *arena,
                           const ts_contacts_source *source,
                           ts_status (*visit)(void *context, const ts_contacts_visit *row),
                           void *context);

/// Index of the set of a pair; SIZE_MAX when it has none.
size_t ts_contacts_find_set(const ts_contacts_found *found, int32_t body_a, int32_t body_b);

#endif
