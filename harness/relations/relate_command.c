// SPDX-License-Identifier: MIT
#include "base/status.h"
#include "harness/plan/exits.h"
#include "harness/plan/names.h"
#include "harness/plan/options.h"
#include "harness/plan/shell_word.h"
#include "harness/relations/relate_look.h"
#include "harness/relations/relate_text.h"
#include "harness/run/interrupt.h"
#include "harness/run/limit_options.h"
#include "harness/run/output.h"
#include "harness/run/run_values.h"
#include "reports/rows/file_set.h"

#include <string.h>
#include <unistd.h>

typedef struct relate_values {
  ts_texts cases, methods, plugins, scenes, relations;
  ts_assignments sets;
  const char *out, *look;
  double jobs;
  ts_limit_values limits;
  bool with_engines, may_replace, is_quiet;
} relate_values;

typedef struct relate {
  ts_arena *arena;
  relate_values values;
  ts_plan plan;
  bool is_wanted[TS_RELATION_COUNT];
  ts_relate_options options;
} relate;

static size_t list_relations(const char **out) {
  for (int r = 0; r < TS_RELATION_COUNT; r++)
    out[r] = ts_relations[r].name;
  return TS_RELATION_COUNT;
}

static ts_status choose_relations(relate *r) {
  const ts_texts *chosen = &r->values.relations;
  const char *names[TS_RELATION_COUNT];
  for (int i = 0; i < TS_RELATION_COUNT; i++)
    r->is_wanted[i] = chosen->count == 0;
  for (size_t i = 0; i < chosen->count; i++) {
    ts_relation_kind kind = ts_relation_find(chosen->items[i]);
    if (kind == TS_RELATION_COUNT)
      return ts_names_unknown("relation", chosen->items[i], names, list_relations(names));
    r->is_wanted[kind] = true;
  }
  return TS_OK;
}

/// A cell for each case and method, as `run` has them.
static ts_status make_plan(relate *r) {
  const relate_values *v = &r->values;
  return ts_run_make_plan(&r->plan, r->arena,
                          &(ts_run_values){.contacts = "none",
                                           .sets = v->sets,
                                           .cases = v->cases,
                                           .methods = v->methods,
                                           .plugins = v->plugins,
                                           .scenes = v->scenes,
                                           .with_engines = v->with_engines,
                                           .steps = 1});
}

static int job_count(const relate *r) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (r->values.jobs > 0)
    return (int)r->values.jobs;
  return processors > 1 ? (int)processors : 1;
}

/// The options that a command needs to find the same cells again.
static const char *repeat_words(const relate *r) {
  static const char *const others[] = {"case",       "method",       "relation",    "out",
                                       "force",      "look",         "jobs",        "quiet",
                                       "time-limit", "memory-limit", "tetgen-limit"};
  uint64_t without = 0;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    without |= ts_options_bit(&ts_command_relate, others[i]);
  const char **words, *text = "";
  size_t count;
  if (ts_options_format(&words, &count, r->arena, &ts_command_relate, &r->values, without) != TS_OK)
    return NULL;
  for (size_t i = 0; i < count && text; i++) {
    const char *word = ts_shell_word(r->arena, words[i]);
    text = word ? ts_arena_format(r->arena, "%s %s", text, word) : NULL;
  }
  return text;
}

static ts_status write_rows(const relate *r, const ts_relate_reviewed *of) {
  ts_csv_buffer buffer = {0};
  ts_output output;
  TS_TRY(ts_output_start(&output, r->values.out, r->values.may_replace));
  ts_status status = ts_relate_put_rows(&buffer, of);
  if (status == TS_OK)
    fwrite(buffer.bytes, 1, buffer.count, output.file);
  ts_csv_buffer_free(&buffer);
  return ts_output_end(&output, status);
}

static ts_status relate_all(int *out_exit, relate *r) {
  ts_relation_finding *findings;
  ts_relate_review review;
  ts_relate_reviewed of = {.plan = &r->plan,
                           .with_engines = r->values.with_engines,
                           .is_wanted = r->is_wanted,
                           .is_default = r->values.cases.count == 0 &&
                                         r->values.scenes.count == 0 && r->values.sets.count == 0};
  ts_interrupt_say("nothing was written");
  TS_TRY(ts_relate_run(&findings, r->arena, &r->plan, &r->options));
  of.findings = findings;
  TS_TRY(ts_relate_review_make(&review, r->arena, &of));
  if (r->values.out)
    TS_TRY(write_rows(r, &of));
  const char *words = repeat_words(r);
  if (!words)
    return TS_E_MEMORY;
  if (!r->values.is_quiet)
    TS_TRY(ts_relate_print(stdout, r->arena, &review, &of, words));
  if (r->values.out)
    printf("rows: %s\n", r->values.out);
  *out_exit = review.failed > 0                      ? TS_EXIT_BAD_CELLS
              : review.unexpected + review.stale > 0 ? TS_EXIT_BROKEN_RULE
                                                     : TS_EXIT_FINE;
  return TS_OK;
}

static ts_status look_at_one(int *out_exit, relate *r) {
  if (r->plan.cell_count != 1 || r->values.relations.count != 1)
    return ts_fail(TS_E_INPUT, "--look shows one relation of one method on one case: choose them "
                               "with --case, --method and --relation");
  if (r->values.out)
    return ts_fail(TS_E_INPUT, "--look writes pictures and --out rows: give one of them");
  TS_TRY(ts_file_set_check(r->values.look, NULL));
  return ts_relate_look_write(
      out_exit, r->arena,
      &(ts_relate_look){.cell = &r->plan.cells[0],
                        .relation = ts_relation_find(r->values.relations.items[0]),
                        .limits = r->options.limits,
                        .folder = r->values.look});
}

static ts_status relate_methods(int *out_exit, relate *r, int count, char *const *arguments) {
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&r->values, &parsed, r->arena, &ts_command_relate, count, arguments));
  ts_limits_begin(r->values.limits);
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_relate);
  if (parsed.operand_count > 0)
    return ts_fail(TS_E_INPUT, "relate takes options only, not \"%s\"", parsed.operands[0]);
  if (r->values.out)
    TS_TRY(ts_output_check(r->values.out, r->values.may_replace));
  TS_TRY(choose_relations(r));
  TS_TRY(make_plan(r));
  r->options = (ts_relate_options){.jobs = job_count(r),
                                   .limits = ts_limits_of(r->values.limits),
                                   .show_progress = !r->values.is_quiet};
  memcpy(r->options.is_wanted, r->is_wanted, sizeof r->is_wanted);
  return r->values.look ? look_at_one(out_exit, r) : relate_all(out_exit, r);
}

static ts_status run_relate(int *out_exit, int count, char *const *arguments) {
  relate r = {.is_wanted = {false}};
  *out_exit = TS_EXIT_FINE;
  TS_TRY(ts_arena_create(&r.arena));
  ts_status status = relate_methods(out_exit, &r, count, arguments);
  ts_arena_destroy(r.arena);
  return status;
}

#define LIMIT_OFFSET(name) offsetof(relate_values, limits.name)
#define MEMBER(name)       .offset = offsetof(relate_values, name)

static const ts_option options[] = {
    {.name = "case",
     .argument = "REGEX",
     .kind = TS_OPTION_TEXTS,
     MEMBER(cases),
     .names = TS_NAMES_CASES,
     .help = "cases whose whole name matches (default: the thirteen of the suite erleben)"},
    {.name = "method",
     .argument = "REGEX",
     .kind = TS_OPTION_TEXTS,
     MEMBER(methods),
     .names = TS_NAMES_METHODS,
     .help = "methods whose whole name matches (default: all)"},
    {.name = "relation",
     .argument = "NAME",
     .kind = TS_OPTION_TEXTS,
     MEMBER(relations),
     .choices = list_relations,
     .help = "only this relation"},
    {.name = "plugin",
     .argument = "FILE",
     .kind = TS_OPTION_TEXTS,
     MEMBER(plugins),
     .help = "also the methods of this plug-in"},
    {.name = "engines",
     .kind = TS_OPTION_SWITCH,
     MEMBER(with_engines),
     .help = "also the packaged engines"},
    {.name = "scene",
     .argument = "FILE",
     .kind = TS_OPTION_TEXTS,
     MEMBER(scenes),
     .help = "the case of this scene file"},
    {.name = "set",
     .argument = "name=value",
     .kind = TS_OPTION_ASSIGNMENTS,
     MEMBER(sets),
     .names = TS_NAMES_PARAMETERS,
     .help = "set a parameter of cases or methods, as for run"},
    {.name = "out",
     .argument = "FILE",
     .kind = TS_OPTION_TEXT,
     MEMBER(out),
     .help = "write a row for each case, method and relation to this CSV file"},
    {.name = "force",
     .kind = TS_OPTION_SWITCH,
     MEMBER(may_replace),
     .help = "replace the file of --out if it exists"},
    {.name = "look",
     .argument = "DIR",
     .kind = TS_OPTION_TEXT,
     MEMBER(look),
     .help = "instead, write pictures of one case, method and relation into this folder: the "
             "contacts on the scene as built, and those of the variant that differs the most"},
    {.name = "jobs",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(jobs),
     .fallback = "0",
     .minimum = 0,
     .maximum = 1024,
     .help = "cells at a time; 0: as many as the machine has processors"},
    TS_LIMIT_OPTIONS(LIMIT_OFFSET){.name = "quiet",
                                   .kind = TS_OPTION_SWITCH,
                                   MEMBER(is_quiet),
                                   .help = "print no table and no progress"},
};

const ts_command ts_command_relate = {
    .name = "relate",
    .operands = "",
    .summary = "Finds what methods notice that should not matter.",
    .notes =
        "Each scene is changed in ways that leave its contacts as they are: bodies in another "
        "order, "
        "meshes shuffled, mirrored or cut finer, the whole made small, large, or moved. The "
        "contacts "
        "of a method are brought back and compared with those of the scene as built, by the forces "
        "that they can transmit. No truth is needed. A cell is a case and a method; it runs in a "
        "process of its own with the limits.\n"
        "Violations that built-in methods and packaged engines are known for are listed by "
        "touchstone list relations. The exit status is 1 for one that is not, and with the default "
        "cases for one that is gone; 3 when a cell failed. docs/rivals.md has the results.",
    .examples =
        "touchstone relate\n"
        "touchstone relate --plugin ./mine.so --method mine\n"
        "touchstone relate --method closest_points --case arch --relation split --look look\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_relate,
};
