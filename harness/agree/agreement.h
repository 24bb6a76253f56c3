// SPDX-License-Identifier: MIT
/// How far the contacts of methods are apart: what those of one block and those of another do not.
#ifndef TS_HARNESS_AGREEMENT_H
#define TS_HARNESS_AGREEMENT_H

#include "harness/agree/row_contacts.h"
#include "reports/plots/plot_source.h"

#include <jansson.h>

/// Where a contact of one method is farthest from all that another one has.
typedef struct ts_disagreement {
  double distance;         ///< NaN: none
  size_t from_row, to_row; ///< of the results; `to_row` has no such contact
  int32_t body_a, body_b;
  ts_contact contact; ///< of `from_row`
} ts_disagreement;

/// Of one method and another, in that order.
typedef struct ts_agreement_cell {
  /// The largest distance of a wrench of the first from the cone of the second
  /// (ts_wrench_distance), mean over the pairs of bodies for which one of the two has contacts,
  /// then over the cases with such pairs. NaN: there is none, or contacts are alternatives.
  double distance;
  size_t case_count; ///< in which both are ok and one of the two has contacts
  size_t pair_count; ///< of bodies, in these
  ts_disagreement worst;
} ts_agreement_cell;

typedef struct ts_agreement {
  size_t count;                   ///< of methods: the entries of the source's method axis
  const ts_agreement_cell *cells; ///< [count][count], the first method by rows
  const size_t *ok_counts;        ///< [count]: the cases in which each method is ok
  size_t case_count;              ///< in which some method is ok; each seed is one
  size_t contact_case_count;      ///< those of them in which some method has contacts
  size_t pair_count;              ///< of bodies in these for which some method has contacts
  ts_disagreement worst;          ///< of all different methods
  /// Of how many cases the scene cannot be built again, and why of one of them: their frames are
  /// those of the contacts.
  size_t unbuilt_count;
  const char *unbuilt_why;
} ts_agreement;

/// Whether the row counts: it is ok, and of the scene as built. Later its bodies have moved under
/// the contacts of its own method, and are elsewhere than those of another.
bool ts_agreement_takes(const ts_record *record);

/// Compares every two methods. `records` [source->count] are the rows with all their parameters,
/// `contacts` [source->count] theirs, `context` that of the results, or NULL. Wrenches are in the
/// frame of measures of motion (ts_motion_frame_or_box); where the scene cannot be built again,
/// about the middle of the box of all contacts of the pair, with half of its diagonal for a length.
/// All is in the arena. TS_E_MEMORY.
ts_status ts_agreement_make(ts_agreement *out, ts_arena *arena, const ts_plot_source *source,
                            const ts_record *records, const ts_row_contacts *contacts,
                            const json_t *context);

/// Whether there are two methods with a case in common.
bool ts_agreement_has_any(const ts_agreement *agreement);

/// The matrix for plots, in the arena; NULL where it has nothing. TS_E_MEMORY.
ts_status ts_agreement_plot(const ts_plot_agreement **out, ts_arena *arena,
                            const ts_agreement *agreement);

#endif
