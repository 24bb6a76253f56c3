// SPDX-License-Identifier: MIT
/// Explaining the contacts of a file, given as such or by the results that `score` has written.
#include "harness/commands/explain.h"

#include "base/status.h"
#include "harness/picture/cell_snapshot.h"
#include "harness/plan/shell_word.h"
#include "harness/score/score_judge.h"
#include "harness/score/sequence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Judges what `s` says, with these operands of `score`, and looks at it.
static ts_status judge(ts_explain *e, ts_score *s, const ts_arguments *parsed) {
  TS_TRY(ts_score_read_scene(s, parsed));
  TS_TRY(ts_score_select(s));
  if (s->values.poses && s->values.step < 0)
    return ts_fail(TS_E_INPUT, "--poses are those of many steps; choose one with --step");
  if (s->values.poses)
    TS_TRY(ts_sequence_pose_scene(s));
  TS_TRY(ts_score_judge(s));
  TS_TRY(ts_snapshot_of_state(&e->snapshot, e->arena, &s->state));
  e->told.snapshot = &e->snapshot;
  return ts_explanation_look(&e->told, e->arena, &s->state);
}

static void put_word(FILE *file, const char *before, const char *word) {
  fputs(before, file);
  ts_shell_put_word(file, word);
}

/// The command that scores the file.
static ts_status name_score_command(ts_explain *e, const ts_score *s) {
  uint64_t without = 0;
  static const char *const others[] = {"scene", "plugin", "engines", "contacts",
                                       "all",   "out",    "force"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    without |= ts_options_bit(&ts_command_explain, others[i]);
  const char **words, **usual;
  size_t count, usual_count;
  ts_explain_values defaults = {.contacts = NULL};
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&defaults, &parsed, e->arena, &ts_command_explain, 0, NULL));
  defaults.score.step = -1;
  TS_TRY(ts_options_format(&words, &count, e->arena, &ts_command_explain, &e->values, without));
  TS_TRY(
      ts_options_format(&usual, &usual_count, e->arena, &ts_command_explain, &defaults, without));
  char *text = NULL;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  if (!file)
    return ts_fail(TS_E_MEMORY, "out of memory");
  put_word(file, s->scene_path ? "touchstone score " : "touchstone score --case ",
           s->scene_path ? s->scene_path : e->case_name);
  put_word(file, " ", s->path);
  if (e->method)
    put_word(file, " --method ", e->method);
  for (size_t i = 0; i < count; i++) {
    bool is_usual = false;
    for (size_t k = 0; k < usual_count; k++)
      is_usual |= strcmp(words[i], usual[k]) == 0;
    if (!is_usual)
      put_word(file, " ", words[i]);
  }
  bool is_whole = fclose(file) == 0;
  e->repeat = is_whole ? ts_arena_string(e->arena, text) : NULL;
  free(text);
  return e->repeat ? TS_OK : ts_fail(TS_E_MEMORY, "out of memory");
}

ts_status ts_explain_contacts(ts_explain *e) {
  ts_score s = {.arena = e->arena, .values = e->values.score, .source = {.step = (double)NAN}};
  bool has_scene = e->values.scenes.count == 1;
  const char *operands[2] = {has_scene ? e->values.scenes.items[0] : e->values.contacts,
                             e->values.contacts};
  ts_arguments parsed = {.operand_count = has_scene ? 2 : 1, .operands = operands};
  s.values.case_name = has_scene ? NULL : e->case_name;
  s.values.method = e->method;
  TS_TRY(judge(e, &s, &parsed));
  e->told.record = s.state.record;
  TS_TRY(ts_explain_name_picture(e, NULL));
  TS_TRY(name_score_command(e, &s));
  return ts_explain_finish(e);
}

ts_status ts_explain_scored(ts_explain *e, const json_t *arguments) {
  int count = 0;
  size_t total = json_array_size(arguments);
  char **words = ts_arena_array(e->arena, total, sizeof *words);
  if (!words)
    return TS_E_MEMORY;
  for (size_t i = 2; i < total; i++) { // after "touchstone" and "score"
    const char *word = json_string_value(json_array_get(arguments, i));
    if (word && !(words[count++] = ts_arena_string(e->arena, word)))
      return TS_E_MEMORY;
  }
  ts_score s = {.arena = e->arena, .source = {.step = (double)NAN}};
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&s.values, &parsed, e->arena, &ts_command_score, count, words));
  if (s.values.dataset)
    return ts_fail(TS_E_INPUT,
                   "%s is of a whole data set; explain one scene of it: touchstone explain --scene "
                   "DATASET/SCENE/scene.json --contacts FOLDER/SCENE.csv",
                   e->results);
  if (s.values.poses)
    s.values.step = e->told.record.step;
  else if (!(parsed.given & ts_options_bit(&ts_command_score, "step")))
    s.values.step = -1;
  s.values.out = NULL;
  TS_TRY(judge(e, &s, &parsed));
  return ts_explain_compare(e, &s.state);
}
