// SPDX-License-Identifier: MIT
/// touchstone complete: what may come next on a command line, for the completion of shells.
///
/// The scripts of the shells (packaging/completions/) only ask this and hand the answer over, so
/// that they know no command and no option themselves.
#include "base/param.h"
#include "base/status.h"
#include "harness/commands/preset.h"
#include "harness/help/commands.h"
#include "harness/help/topics.h"
#include "harness/plan/catalog.h"
#include "harness/plan/exits.h"
#include "harness/plan/plan.h"
#include "reports/rows/record.h"
#include "reports/rows/rows.h"

#include <string.h>

/// The shell completes the rest as a path of a file or of a folder, or adds no blank.
#define FILES    ":files"
#define FOLDERS  ":folders"
#define NO_BLANK ":noblank"

#define MEANING_WIDTH 60

typedef struct line {
  ts_arena *arena;
  const ts_command *command;
  char *const *words; ///< [count], behind the command, without the last one
  size_t count;
  const char *whole;       ///< the last word, to be completed
  const char *current;     ///< the part of it that is: behind "--case=" or the last comma
  const char *operands[2]; ///< the first ones before the last word, as far as there are
  size_t operand_count;
  bool options_end; ///< behind a word "--"
} line;

/// Prints a word that may come, if it begins like the one that is completed.
static void offer(const line *l, const char *word, const char *suffix, const char *meaning) {
  if (strncmp(word, l->current, strlen(l->current)) != 0)
    return;
  int length = (int)strlen(meaning);
  if (length > MEANING_WIDTH)
    for (length = MEANING_WIDTH; length > 0 && meaning[length] != ' ';)
      length--;
  printf("%.*s%s%s\t%.*s%s\n", (int)(l->current - l->whole), l->whole, word, suffix, length,
         meaning, meaning[length] ? " ..." : "");
}

static bool is_given(const line *l, const char *name) {
  for (size_t i = 0; i < l->count; i++)
    if (strncmp(l->words[i], "--", 2) == 0 && strlen(name) == strcspn(l->words[i] + 2, "=") &&
        strncmp(l->words[i] + 2, name, strlen(name)) == 0)
      return true;
  return false;
}

static bool has_option(const line *l, const char *word) {
  return ts_options_find(l->command, word) < l->command->option_count;
}

static void offer_options(const line *l) {
  if (l->options_end)
    return;
  for (size_t i = 0; i < l->command->option_count; i++) {
    const ts_option *option = &l->command->options[i];
    const char *word = ts_arena_format(l->arena, "--%s", option->name);
    if (word && (ts_option_may_repeat(option) || !is_given(l, option->name)))
      offer(l, word, "", option->help);
  }
  offer(l, "--help", "", "print this");
}

static ts_status offer_cases(const line *l) {
  for (size_t i = 0; ts_cases[i]; i++)
    offer(l, ts_cases[i]->name, "", ts_cases[i]->summary);
  return TS_OK;
}

/// The methods that the command takes with the options given so far. Plug-ins are not loaded.
static ts_status open_catalog(ts_catalog *out, const line *l) {
  ts_catalog_request request = {.with_controls =
                                    is_given(l, "controls") || !has_option(l, "--controls"),
                                .with_engines = is_given(l, "engines")};
  return ts_catalog_open(out, l->arena, &request);
}

static ts_status offer_methods(const line *l) {
  ts_catalog catalog;
  TS_TRY(open_catalog(&catalog, l));
  for (size_t i = 0; i < catalog.method_count; i++)
    offer(l, catalog.methods[i]->name, "", catalog.methods[i]->summary);
  return TS_OK;
}

static void offer_suites(const line *l) {
  for (size_t i = 0; ts_cases[i]; i++) {
    size_t first = 0;
    while (strcmp(ts_cases[first]->suite, ts_cases[i]->suite) != 0)
      first++;
    if (first == i)
      offer(l, ts_cases[i]->suite, "", "a suite of cases");
  }
}

/// "name=", or the values that it may have.
static void offer_param(const line *l, const ts_param *param) {
  line part = *l;
  const char *equals = strchr(l->current, '=');
  if (!equals) {
    offer(l, param->name, "=", param->summary);
    return;
  }
  size_t length = (size_t)(equals - l->current);
  part.current = equals + 1;
  if (param->kind == TS_PARAM_CHOICE && strlen(param->name) == length &&
      strncmp(param->name, l->current, length) == 0)
    for (size_t i = 0; param->choices[i]; i++)
      offer(&part, param->choices[i], "", "");
}

/// The parameters of one owner, of which there may be several with the same name. With "owner." in
/// front, only those of that owner.
static ts_status offer_params(const line *l, ts_texts *offered, const char *owner,
                              const ts_param *params, size_t count) {
  line part = *l;
  const char *dot = strpbrk(l->current, ".=");
  dot = dot && *dot == '.' ? dot : NULL; // those behind "=" belong to a number
  if (dot && (strlen(owner) != (size_t)(dot - l->current) ||
              strncmp(owner, l->current, (size_t)(dot - l->current)) != 0))
    return TS_OK;
  if (dot)
    part.current = dot + 1;
  for (size_t i = 0; i < count; i++) {
    size_t k = 0;
    while (k < offered->count && strcmp(offered->items[k], params[i].name) != 0)
      k++;
    if (k < offered->count)
      continue;
    const char **grown = ts_arena_array(l->arena, offered->count + 1, sizeof *grown);
    if (!grown)
      return TS_E_MEMORY;
    if (k > 0)
      memcpy(grown, offered->items, k * sizeof *grown);
    grown[k] = params[i].name;
    *offered = (ts_texts){k + 1, grown};
    offer_param(&part, &params[i]);
  }
  return TS_OK;
}

/// Whether the parameters of a case or a method, or of the scoring or the simulation, may be set:
/// describe sets those of what it describes, other commands all.
static bool may_set(const line *l, const char *subject, const char *name) {
  if (l->command != &ts_command_describe || l->operand_count == 0)
    return true;
  return strcmp(l->operands[0], subject) == 0 &&
         (!name || l->operand_count < 2 || strcmp(l->operands[1], name) == 0);
}

static ts_status offer_parameters(const line *l) {
  ts_texts offered = {0};
  ts_catalog catalog;
  if (!strchr(l->current, '='))
    puts(NO_BLANK);
  TS_TRY(open_catalog(&catalog, l));
  for (size_t i = 0; i < catalog.case_count; i++) {
    if (!may_set(l, "case", catalog.cases[i]->name))
      continue;
    const ts_param *params = ts_case_params(l->arena, catalog.cases[i]);
    if (!params)
      return TS_E_MEMORY;
    TS_TRY(offer_params(l, &offered, catalog.cases[i]->name, params,
                        ts_case_param_count(catalog.cases[i])));
  }
  for (size_t i = 0; i < catalog.method_count; i++)
    if (may_set(l, "method", catalog.methods[i]->name))
      TS_TRY(offer_params(l, &offered, catalog.methods[i]->name, catalog.methods[i]->params,
                          catalog.methods[i]->param_count));
  if (may_set(l, "scoring", NULL))
    TS_TRY(offer_params(l, &offered, "scoring", ts_scoring_params, TS_SCORING_COUNT));
  return may_set(l, "simulation", NULL)
             ? offer_params(l, &offered, "simulation", ts_simulation_params, TS_SIMULATION_COUNT)
             : TS_OK;
}

static void offer_figures(const line *l) {
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    if (ts_field_is_figure(field))
      offer(l, field->column, "", field->meaning);
  }
}

static ts_status offer_modifiers(const line *l) {
  ts_catalog catalog;
  TS_TRY(open_catalog(&catalog, l));
  for (size_t i = 0; i < catalog.modifier_count; i++)
    offer(l, catalog.modifiers[i]->name, "", catalog.modifiers[i]->summary);
  return TS_OK;
}

static ts_status offer_names(const line *l, ts_option_names names) {
  switch (names) {
  case TS_NAMES_NONE:
    return TS_OK;
  case TS_NAMES_CASES:
    return offer_cases(l);
  case TS_NAMES_METHODS:
    return offer_methods(l);
  case TS_NAMES_SUITES:
    offer_suites(l);
    return TS_OK;
  case TS_NAMES_PRESETS:
    for (size_t i = 0; ts_presets[i]; i++)
      offer(l, ts_presets[i]->name, "", ts_presets[i]->summary);
    return TS_OK;
  case TS_NAMES_PARAMETERS:
    return offer_parameters(l);
  case TS_NAMES_MODIFIERS:
    return offer_modifiers(l);
  case TS_NAMES_FIGURES:
    offer_figures(l);
    return TS_OK;
  }
  return TS_OK;
}

/// What may be the value of an option; `l->current` is the value so far.
static ts_status offer_value(line *l, const ts_option *option) {
  // Of a list "a,b" and of the alternatives "a|b" of a pattern, the last is completed.
  bool is_pattern = strcmp(option->argument, "RE") == 0;
  if (is_pattern || strcmp(option->argument, "LIST") == 0 || option->names == TS_NAMES_MODIFIERS) {
    const char *separator = strrchr(l->current, is_pattern ? '|' : ',');
    l->current = separator ? separator + 1 : l->current;
  }
  if (option->choices) {
    const char *names[TS_OPTION_CHOICES_MAX];
    size_t count = option->choices(names);
    for (size_t i = 0; i < count; i++)
      offer(l, names[i], "", "");
  }
  if (strcmp(option->argument, "FILE") == 0)
    puts(FILES);
  if (strcmp(option->argument, "DIR") == 0)
    puts(FOLDERS);
  return offer_names(l, option->names);
}

static void offer_commands(const line *l) {
  for (const ts_command_entry *entry = ts_commands; entry->command; entry++)
    if (entry->group)
      offer(l, entry->command->name, "", entry->command->summary);
}

static void offer_topics(const line *l) {
  for (size_t i = 0; ts_topics[i].name; i++)
    offer(l, ts_topics[i].name, "", ts_topics[i].summary);
}

/// An operand of a command whose operands have places, "CASE METHOD [RESULTS]": the next one. Once
/// all are there, as with a command that takes none, only options may come.
static ts_status offer_place(line *l) {
  const char *place = l->command->operands;
  for (size_t i = 0; i < l->operand_count && place[0] && !strstr(place, "..."); i++) {
    place += strcspn(place, " ");
    place += strspn(place, " ");
  }
  if (place[0] == '\0') {
    offer_options(l);
    return TS_OK;
  }
  bool is_case = strncmp(place, "CASE", 4) == 0;
  if (is_case)
    TS_TRY(offer_cases(l));
  if (strncmp(place, "METHOD", 6) == 0 || (is_case && is_given(l, "scene"))) // which has the case
    return offer_methods(l);
  if (!is_case)
    puts(FILES);
  return TS_OK;
}

/// The alternatives of "case NAME | scoring", of which each is a word or a placeholder.
static ts_status offer_alternatives(const line *l) {
  for (const char *at = l->command->operands; *at;) {
    at += strspn(at, " |[]");
    size_t length = strcspn(at, " |]");
    const char *word = ts_arena_format(l->arena, "%.*s", (int)length, at);
    if (!word)
      return TS_E_MEMORY;
    if (strcmp(word, "COMMAND") == 0)
      offer_commands(l);
    else if (strcmp(word, "TOPIC") == 0)
      offer_topics(l);
    else if (strcmp(word, "NAME") != 0 && length > 0)
      offer(l, word, "", "");
    at += length;
  }
  return TS_OK;
}

static ts_status offer_operand(line *l) {
  if (!strchr(l->command->operands, '|'))
    return offer_place(l);
  if (l->operand_count == 0)
    return offer_alternatives(l);
  if (l->operand_count == 1 && l->command == &ts_command_describe) {
    if (strcmp(l->operands[0], "case") == 0)
      return offer_cases(l);
    if (strcmp(l->operands[0], "method") == 0)
      return offer_methods(l);
    if (strcmp(l->operands[0], "modifier") == 0)
      return offer_modifiers(l);
  }
  offer_options(l);
  return TS_OK;
}

/// Goes through the words before the last one, to see what that one is.
static ts_status complete(line *l) {
  const ts_option *pending = NULL;
  for (size_t i = 0; i < l->count; i++) {
    const char *word = l->words[i];
    size_t option = l->options_end ? l->command->option_count : ts_options_find(l->command, word);
    if (pending)
      pending = NULL;
    else if (option < l->command->option_count)
      pending = l->command->options[option].argument && !strchr(word, '=')
                    ? &l->command->options[option]
                    : NULL;
    else if (strcmp(word, "--") == 0)
      l->options_end = true;
    else if (l->options_end || word[0] != '-') {
      if (l->operand_count < sizeof l->operands / sizeof *l->operands)
        l->operands[l->operand_count] = word;
      l->operand_count++;
    }
  }
  if (pending)
    return offer_value(l, pending);
  const char *equals = strchr(l->whole, '=');
  size_t option = ts_options_find(l->command, l->whole);
  if (!l->options_end && equals && option < l->command->option_count &&
      l->command->options[option].argument) {
    l->current = equals + 1;
    return offer_value(l, &l->command->options[option]);
  }
  if (!l->options_end && l->whole[0] == '-') {
    offer_options(l);
    return TS_OK;
  }
  return offer_operand(l);
}

static ts_status complete_words(ts_arena *arena, size_t count, char *const *words) {
  line l = {.arena = arena, .whole = words[count - 1], .current = words[count - 1]};
  if (count == 1 && l.whole[0] == '-') {
    offer(&l, "--help", "", "print the overview of the commands");
    offer(&l, "--version", "", "print the version");
    return TS_OK;
  }
  if (count == 1) {
    offer_commands(&l);
    return TS_OK;
  }
  l.command = ts_command_find(words[0]);
  l.words = words + 1;
  l.count = count - 2;
  return l.command ? complete(&l) : TS_OK;
}

static ts_status run_complete(int *out_exit, int count, char *const *arguments) {
  *out_exit = TS_EXIT_FINE;
  if (count == 0)
    return ts_fail(TS_E_INPUT, "complete takes the words of a command line after touchstone, the "
                               "last one, which is completed, may be empty");
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = complete_words(arena, (size_t)count, arguments);
  ts_arena_destroy(arena);
  return status;
}

const ts_command ts_command_complete = {
    .name = "complete",
    .operands = "[WORD...] LAST",
    .summary = "Prints what may come next on a command line, for shells.",
    .notes = "WORDS are those after touchstone; the last one is completed and may be empty. Each "
             "line is a word that may come, a tab and what it means, or says how to complete the "
             "word: " FILES " or " FOLDERS " that exist, " NO_BLANK " behind it.",
    .examples = "touchstone complete run --method ''\n",
    .options = NULL,
    .option_count = 0,
    .run = run_complete,
};
