// SPDX-License-Identifier: MIT
// covers: reports/rows/outcome.c
#include "reports/rows/outcome.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_record with_outcome(const char *word) {
  ts_record record;
  ts_row_init(&ts_summary_rows, &record);
  record.outcome = word;
  return record;
}

Test(reports_outcome, words_of_files_are_found_again_and_differ) {
  for (int i = 0; i < TS_OUTCOME_COUNT; i++) {
    cr_expect_eq(ts_outcome_find(ts_outcomes[i].word), (ts_outcome)i, "%s", ts_outcomes[i].word);
    for (int k = 0; k < i; k++)
      cr_expect_str_neq(ts_outcomes[k].words, ts_outcomes[i].words);
  }
  cr_expect_eq(ts_outcome_find("timed_out"), TS_OUTCOME_TIMED_OUT);
  cr_expect_eq(ts_outcome_find("Ok"), TS_OUTCOME_UNKNOWN);
}

Test(reports_outcome, failures_rank_below_ok_and_skipped) {
  const int worst_of_no_failure = ts_outcomes[TS_OUTCOME_SKIPPED].rank;
  cr_expect_lt(ts_outcomes[TS_OUTCOME_OK].rank, worst_of_no_failure);
  for (int i = 0; i < TS_OUTCOME_COUNT; i++)
    cr_expect_eq(ts_outcomes[i].is_failure, ts_outcomes[i].rank > worst_of_no_failure, "%s",
                 ts_outcomes[i].words);
  cr_expect_lt(ts_outcomes[TS_OUTCOME_FAILED].rank, ts_outcomes[TS_OUTCOME_CRASHED].rank);
  cr_expect_eq(ts_outcomes[TS_OUTCOME_TIMED_OUT].rank, ts_outcomes[TS_OUTCOME_CRASHED].rank);
  cr_expect_eq(ts_outcomes[TS_OUTCOME_OUT_OF_MEMORY].rank, ts_outcomes[TS_OUTCOME_CRASHED].rank);
  cr_expect_gt(ts_outcomes[TS_OUTCOME_UNKNOWN].rank, ts_outcomes[TS_OUTCOME_CRASHED].rank);
}

Test(reports_outcome, a_row_is_measured_skipped_or_failed) {
  ts_record ok = with_outcome("ok"), skipped = with_outcome("skipped");
  cr_expect(ts_record_is_ok(&ok) && !ts_record_has_failed(&ok));
  cr_expect(!ts_record_is_ok(&skipped) && !ts_record_has_failed(&skipped));
  static const char *const failures[] = {"failed",        "crashed", "timed_out",
                                         "out_of_memory", "",        "exploded"};
  for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
    ts_record record = with_outcome(failures[i]);
    cr_expect(!ts_record_is_ok(&record) && ts_record_has_failed(&record), "%s", failures[i]);
  }
}

Test(reports_outcome, people_read_words_and_an_unknown_word_as_it_is) {
  ts_record late = with_outcome("timed_out"), none = with_outcome(""),
            new = with_outcome("new_end");
  cr_expect_str_eq(ts_record_outcome_words(&late), "timed out");
  cr_expect_str_eq(ts_record_outcome_words(&none), "no outcome");
  cr_expect_str_eq(ts_record_outcome_words(&new), "new_end");
}

Test(reports_outcome, the_meaning_of_the_column_has_every_word) {
  const char *meaning = ts_row_find(&ts_summary_rows, "outcome")->meaning;
  for (int i = 0; i < TS_OUTCOME_UNKNOWN; i++)
    cr_expect_not_null(strstr(meaning, ts_outcomes[i].word), "%s", ts_outcomes[i].word);
}
