// SPDX-License-Identifier: MIT
#include "reports/rows/outcome.h"

#include <string.h>

#define FACTS(name, word, words, rank, is_failure) {word, words, rank, is_failure},
const ts_outcome_facts ts_outcomes[TS_OUTCOME_COUNT] = {TS_OUTCOMES(FACTS)};

ts_outcome ts_outcome_find(const char *word) {
  int outcome = 0;
  while (outcome < TS_OUTCOME_UNKNOWN && strcmp(ts_outcomes[outcome].word, word) != 0)
    outcome++;
  return (ts_outcome)outcome;
}

ts_outcome ts_record_outcome(const ts_record *record) {
  return ts_outcome_find(record->outcome);
}

bool ts_record_is_ok(const ts_record *record) {
  return ts_record_outcome(record) == TS_OUTCOME_OK;
}

bool ts_record_has_failed(const ts_record *record) {
  return ts_outcomes[ts_record_outcome(record)].is_failure;
}

const char *ts_record_outcome_words(const ts_record *record) {
  ts_outcome outcome = ts_record_outcome(record);
  bool is_other_word = outcome == TS_OUTCOME_UNKNOWN && record->outcome[0] != '\0';
  return is_other_word ? record->outcome : ts_outcomes[outcome].words;
}
