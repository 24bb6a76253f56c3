// SPDX-License-Identifier: MIT
#include "base/file.h"
#include "base/status.h"
#include "harness/plan/names.h"
#include "harness/plan/shell_word.h"
#include "harness/run/output.h"
#include "harness/run/rerun.h"
#include "harness/score/poses_read.h"
#include "harness/score/score_dataset.h"
#include "harness/score/score_judge.h"
#include "harness/score/score_options.h"
#include "harness/score/score_print.h"
#include "harness/score/score_rows.h"
#include "harness/score/sequence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ts_status write_rows(const ts_score *s) {
  const char *folder = ts_file_folder(s->arena, s->path);
  const char *summary = folder ? ts_arena_format(s->arena, "%s/summary.csv", folder) : NULL;
  if (!summary)
    return TS_E_MEMORY;
  if (s->found.has_cells) // the envelope comes from it
    TS_TRY(ts_output_spare("--out", s->values.out, summary));
  ts_output output;
  TS_TRY(ts_output_start(&output, s->values.out, s->values.may_replace));
  return ts_output_end(&output, ts_score_rows_write(output.file, s->arena, &s->source, &s->found,
                                                    s->envelope, ts_score_scoring(s)));
}

static ts_status write_results(const ts_score *s, const ts_cell_rows *rows, int count,
                               char *const *arguments) {
  ts_results *results = NULL;
  ts_dataset_source source = {.arena = s->arena};
  if (s->scene_path)
    TS_TRY(ts_dataset_source_add(&source, s->scene_path));
  TS_TRY(ts_score_results_begin(&results, s->arena, s->values.results, count, arguments, &source));
  return ts_score_results_end(results, s->values.results, ts_results_append(results, rows));
}

#define TEXT_FORMAT "text" // for people; no other command has this format

_Static_assert(TS_FORMAT_COUNT + 1 <= TS_OPTION_CHOICES_MAX, "raise TS_OPTION_CHOICES_MAX");

/// All formats except pages, which are made from a results folder.
static size_t list_formats(const char **out) {
  size_t count = 0;
  out[count++] = TEXT_FORMAT;
  for (size_t i = 0; ts_formats[i]; i++)
    if (!ts_formats[i]->is_page)
      out[count++] = ts_formats[i]->name;
  return count;
}

/// `*out` is NULL for text.
static ts_status find_format(const ts_format **out, const char *name) {
  *out = ts_format_find(name);
  if (strcmp(name, TEXT_FORMAT) == 0 || (*out && !(*out)->is_page))
    return TS_OK;
  const char *names[TS_OPTION_CHOICES_MAX];
  return ts_names_unknown("format", name, names, list_formats(names));
}

static ts_status print_format(const ts_score *s, const ts_record *records, size_t count) {
  ts_reruns repeats;
  TS_TRY(ts_reruns_make(&repeats, s->arena, records, count));
  const ts_format_source source = {
      .records = records, .count = count, .names = repeats.names, .commands = repeats.commands};
  ts_output output;
  TS_TRY(ts_output_start(&output, NULL, false));
  return ts_output_end(&output, s->format->write(output.file, s->arena, &source));
}

static void print_files(const ts_score *s) {
  if (s->values.out)
    printf("verdicts: %s\n", s->values.out);
  if (s->values.results)
    printf("results: %s/summary.csv\n", s->values.results);
}

/// The command that explains what was scored, with the options that say how it is read and judged.
static ts_status find_explain_command(const char **out, const ts_score *s, uint64_t given) {
  static const char *const others[] = {"case",   "dataset", "contacts", "method",
                                       "format", "out",     "force",    "results"};
  uint64_t without = ~given;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    without |= ts_options_bit(&ts_command_score, others[i]);
  const char **words;
  size_t count;
  TS_TRY(ts_options_format(&words, &count, s->arena, &ts_command_score, &s->values, without));
  char *text = NULL;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  if (!file)
    return ts_fail(TS_E_MEMORY, "out of memory");
  fputs(s->scene_path ? "touchstone explain --scene " : "touchstone explain ", file);
  ts_shell_put_word(file, s->scene_path ? s->scene_path : s->values.case_name);
  if (s->values.method) {
    fputc(' ', file);
    ts_shell_put_word(file, s->values.method);
  }
  fputs(" --contacts ", file);
  ts_shell_put_word(file, s->path);
  for (size_t i = 0; i < count; i++) {
    fputc(' ', file);
    ts_shell_put_word(file, words[i]);
  }
  bool is_whole = fclose(file) == 0;
  *out = is_whole ? ts_arena_string(s->arena, text) : NULL;
  free(text);
  return *out ? TS_OK : ts_fail(TS_E_MEMORY, "out of memory");
}

/// Scores the contacts of one state.
static ts_status score_one(ts_score *s, uint64_t given, int count, char *const *arguments) {
  const ts_body *built = s->scene->bodies;
  if (s->values.poses)
    TS_TRY(ts_sequence_pose_scene(s));
  TS_TRY(ts_score_judge(s));
  if (s->values.poses)
    TS_TRY(ts_cell_state_list_poses(&s->state, s->arena, s->scene, built, (double)NAN));
  ts_cell_rows rows = ts_cell_state_rows(&s->state);
  if (s->values.out)
    TS_TRY(write_rows(s));
  if (s->values.results)
    TS_TRY(write_results(s, &rows, count, arguments));
  if (s->format)
    return print_format(s, rows.records, rows.record_count);
  const char *explain;
  TS_TRY(find_explain_command(&explain, s, given));
  TS_TRY(ts_score_print(stdout, s->arena, &s->state, s->envelope_source, explain));
  print_files(s);
  return TS_OK;
}

/// The table of all scenes, and those that lack contacts.
static ts_status print_all(const ts_score *s, const ts_score_all *all) {
  TS_TRY(ts_score_print_table(stdout, s->arena, all->records, all->count));
  printf("\ndata set version %s: %zu of %zu scenes scored\n", all->manifest.version, all->count,
         all->manifest.scene_count);
  if (all->missing_count > 0)
    printf("without a file in %s, which counts as nothing found:\n", s->values.contacts);
  for (size_t i = 0; i < all->missing_count; i++)
    printf("  %s\n", all->missing[i]);
  print_files(s);
  return TS_OK;
}

/// Scores the files of all scenes of a data set.
static ts_status score_dataset(ts_score *s, const ts_arguments *parsed, int count,
                               char *const *arguments) {
  static const char *const others[] = {"case", "poses", "step", "cell", "out"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (parsed->given & ts_options_bit(&ts_command_score, others[i]))
      return ts_fail(TS_E_INPUT, "--%s is for one scene, and --dataset scores all; leave one out",
                     others[i]);
  if (!s->values.dataset || !s->values.contacts || parsed->operand_count > 0)
    return ts_fail(TS_E_INPUT,
                   "a data set is scored by touchstone score --dataset DIR --contacts FOLDER, with "
                   "the contacts of scene NAME in FOLDER/NAME.csv");
  ts_score_all all;
  TS_TRY(ts_score_dataset(&all, s->arena, &s->values, count, arguments));
  return s->format ? print_format(s, all.records, all.count) : print_all(s, &all);
}

/// Scores all steps of a recorded sequence.
static ts_status score_sequence(ts_score *s, int count, char *const *arguments) {
  if (s->values.out)
    return ts_fail(TS_E_INPUT,
                   "--out has the verdicts of one step; choose it with --step, or leave "
                   "out --out");
  ts_sequence sequence;
  TS_TRY(ts_sequence_score(&sequence, s));
  if (s->values.results)
    TS_TRY(write_results(s, &sequence.rows, count, arguments));
  if (s->format)
    return print_format(s, sequence.records, sequence.count);
  TS_TRY(ts_sequence_print(stdout, s, &sequence));
  print_files(s);
  return TS_OK;
}

static ts_status score_contacts(ts_score *s, int count, char *const *arguments) {
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&s->values, &parsed, s->arena, &ts_command_score, count, arguments));
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_score);
  if (!(parsed.given & ts_options_bit(&ts_command_score, "step")))
    s->values.step = -1;
  TS_TRY(find_format(&s->format, s->values.format));
  if (s->values.dataset || s->values.contacts)
    return score_dataset(s, &parsed, count, arguments);
  if (s->values.out && s->values.modifiers)
    return ts_fail(TS_E_INPUT,
                   "--out has a verdict on each contact of the file as it is, and --modify changes "
                   "them; leave one out");
  for (size_t i = 0; i < parsed.operand_count; i++)
    TS_TRY(ts_output_spare("--out", s->values.out, parsed.operands[i]));
  if (s->values.poses)
    TS_TRY(ts_output_spare("--out", s->values.out, s->values.poses));
  TS_TRY(ts_score_read_scene(s, &parsed));
  TS_TRY(ts_score_select(s));
  bool is_sequence = s->values.poses && s->values.step < 0;
  return is_sequence ? score_sequence(s, count, arguments)
                     : score_one(s, parsed.given, count, arguments);
}

static ts_status run_score(int *out_exit, int count, char *const *arguments) {
  ts_score s = {.source = {.step = (double)NAN}};
  TS_TRY(ts_arena_create(&s.arena));
  ts_status status = score_contacts(&s, count, arguments);
  ts_arena_destroy(s.arena);
  *out_exit = 0;
  return status;
}

#define OFFSET(name) offsetof(ts_score_values, name)
#define MEMBER(name) .offset = OFFSET(name)

static const ts_option options[] = {
    {.name = "case",
     .argument = "NAME",
     .kind = TS_OPTION_TEXT,
     MEMBER(case_name),
     .names = TS_NAMES_CASES,
     .help = "use this built-in case as the scene, instead of SCENE"},
    {.name = "dataset",
     .argument = "DIR",
     .kind = TS_OPTION_TEXT,
     MEMBER(dataset),
     .help = "score all scenes of this data set (touchstone dataset); with --contacts"},
    {.name = "contacts",
     .argument = "FOLDER",
     .kind = TS_OPTION_TEXT,
     MEMBER(contacts),
     .help =
         "contacts for --dataset: those of scene NAME in FOLDER/NAME.csv; scenes without a file "
         "have no row"},
    {.name = "set",
     .argument = "name=value",
     .kind = TS_OPTION_ASSIGNMENTS,
     MEMBER(sets),
     .names = TS_NAMES_PARAMETERS,
     .help = "set a parameter of the scoring, or of --case"},
    {.name = "name",
     .argument = "NAME",
     .kind = TS_OPTION_TEXT,
     MEMBER(name),
     .help =
         "name of the method (default: from the column method, otherwise the name of the file)"},
    TS_SCORE_READING_OPTIONS(OFFSET){.name = "method",
                                     .argument = "NAME",
                                     .kind = TS_OPTION_TEXT,
                                     MEMBER(method),
                                     .help = "select the contacts of this method"},
    {.name = "step",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(step),
     .minimum = 0,
     .maximum = TS_POSES_STEP_MAX,
     .help = "select the contacts of this step"},
    {.name = "cell",
     .argument = "KEY",
     .kind = TS_OPTION_TEXT,
     MEMBER(cell),
     .help = "select the contacts of this cell, by the column cell or its beginning"},
    {.name = "format",
     .argument = "NAME",
     .kind = TS_OPTION_TEXT,
     MEMBER(format),
     .fallback = TEXT_FORMAT,
     .choices = list_formats,
     .help = "output format of the measures, see touchstone list formats"},
    {.name = "out",
     .argument = "FILE",
     .kind = TS_OPTION_TEXT,
     MEMBER(out),
     .help = "write a copy of the contacts file, with the verdict on each contact"},
    {.name = "force",
     .kind = TS_OPTION_SWITCH,
     MEMBER(may_replace),
     .help = "replace the file of --out if it exists"},
    {.name = "results",
     .argument = "DIR",
     .kind = TS_OPTION_TEXT,
     MEMBER(results),
     .help = "also write a results folder, for compare, gate, plot and report"},
};

const ts_command ts_command_score = {
    .name = "score",
    .operands = "[SCENE] CONTACTS.csv",
    .summary = "Scores contacts from a file written by any program.",
    .notes = "SCENE is a scene.json, as touchstone export --format scene writes. See "
             "docs/score.md for the columns.",
    .examples = "touchstone export --case arch --format scene --out arch\n"
                "touchstone score arch/scene.json mine.csv\n"
                "touchstone score arch/scene.json mine.csv --results results/mine\n"
                "touchstone score --case arch --set scale=0.1 mine.csv\n"
                "touchstone score arch/scene.json mine.csv --poses poses.csv\n"
                "touchstone score --dataset dataset --contacts mine --results results/mine\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_score,
};
