// SPDX-License-Identifier: MIT
// covers: methods/envelope.c
#include "methods/envelope.h"

#include <criterion/criterion.h>
#include <string.h>

Test(methods_envelope, words_are_in_the_order_of_the_kinds) {
  cr_expect_str_eq(ts_envelope_word(TS_ENVELOPE_NONE), "none");
  cr_expect_str_eq(ts_envelope_word(TS_ENVELOPE_ERODED), "eroded");
  cr_expect_str_eq(ts_envelope_word(TS_ENVELOPE_DILATED), "dilated");
  cr_expect_str_eq(ts_envelope_word(-1), "none");
  cr_expect_str_eq(ts_envelope_word(TS_ENVELOPE_KIND_COUNT), "none");
}

Test(methods_envelope, a_word_gives_its_kind_back_also_within_a_text) {
  for (int kind = 0; kind < TS_ENVELOPE_KIND_COUNT; kind++)
    cr_expect_eq(ts_envelope_find(ts_envelope_words[kind], strlen(ts_envelope_words[kind])), kind);
  cr_expect_eq(ts_envelope_find("eroded:0.001", strlen("eroded")), TS_ENVELOPE_ERODED);
  cr_expect_eq(ts_envelope_find("eroded:0.001", strlen("erode")), -1);
  cr_expect_eq(ts_envelope_find("eroded:0.001", strlen("eroded:0.001")), -1);
  cr_expect_eq(ts_envelope_find("", 0), -1);
}

Test(methods_envelope, surfaces_move_inwards_when_eroded) {
  ts_envelope envelope = {.kind = TS_ENVELOPE_ERODED, .size_m = 0.25};
  cr_expect_eq(ts_envelope_offset_m(&envelope), -0.25);
  envelope.kind = TS_ENVELOPE_DILATED;
  cr_expect_eq(ts_envelope_offset_m(&envelope), 0.25);
  envelope.kind = TS_ENVELOPE_NONE;
  cr_expect_eq(ts_envelope_offset_m(&envelope), 0);
}

Test(methods_envelope, bodies_are_dilated_by_vertices_or_faces_or_not_at_all) {
  ts_envelope by_faces = ts_envelope_dilated(0.01, TS_ENVELOPE_FACES);
  cr_expect_eq(by_faces.kind, TS_ENVELOPE_DILATED);
  cr_expect_eq(by_faces.mode, TS_ENVELOPE_FACES);
  cr_expect_eq(by_faces.size_m, 0.01);
  cr_expect_eq(by_faces.reach_m, 0);
  cr_expect_eq(ts_envelope_dilated(0, TS_ENVELOPE_VERTICES).kind, TS_ENVELOPE_NONE);
  cr_expect_str_eq(ts_envelope_mode_words[TS_ENVELOPE_VERTICES], "vertices");
  cr_expect_str_eq(ts_envelope_mode_words[TS_ENVELOPE_FACES], "faces");
  cr_expect_null(ts_envelope_mode_words[TS_ENVELOPE_FACES + 1]);
}
