// SPDX-License-Identifier: MIT
/// How a cell ended: one list, from which come the enum, the word in files, the words for people
/// and what follows from an outcome.
#ifndef TS_REPORTS_OUTCOME_H
#define TS_REPORTS_OUTCOME_H

#include "reports/rows/record.h"

/// X(name, word in files, words for people, rank, is it a failure). The larger the rank, the worse;
/// outcomes of one rank are neither better nor worse than each other. A failure is a row that
/// should have been measured and was not. UNKNOWN, the last and worst, is an empty column or a word
/// that this version does not know; no cell ends with it.
#define TS_OUTCOMES(X)                                                                             \
  X(OK, "ok", "ok", 0, false)                                                                      \
  X(SKIPPED, "skipped", "skipped", 1, false)                                                       \
  X(FAILED, "failed", "failed", 2, true)                                                           \
  X(CRASHED, "crashed", "crashed", 3, true)                                                        \
  X(TIMED_OUT, "timed_out", "timed out", 3, true)                                                  \
  X(OUT_OF_MEMORY, "out_of_memory", "ran out of memory", 3, true)                                  \
  X(UNKNOWN, "", "no outcome", 4, true)

#define TS_OUTCOME_ENUM(name, ...) TS_OUTCOME_##name,
typedef enum ts_outcome { TS_OUTCOMES(TS_OUTCOME_ENUM) TS_OUTCOME_COUNT } ts_outcome;

typedef struct ts_outcome_facts {
  const char *word;  ///< in the column `outcome`
  const char *words; ///< for people: "timed out"
  int rank;
  bool is_failure;
} ts_outcome_facts;

extern const ts_outcome_facts ts_outcomes[TS_OUTCOME_COUNT];

/// The outcome with that word; TS_OUTCOME_UNKNOWN when there is none.
ts_outcome ts_outcome_find(const char *word);

/// The outcome of a row; whether it was measured; whether it should have been and was not.
ts_outcome ts_record_outcome(const ts_record *record);
bool ts_record_is_ok(const ts_record *record);
bool ts_record_has_failed(const ts_record *record);

/// The words for people of the outcome of a row; a word that is not known is given as it is. Valid
/// as long as the row.
const char *ts_record_outcome_words(const ts_record *record);

#endif
