// SPDX-License-Identifier: MIT
#include "harness/plan/options.h"

#include "base/number.h"
#include "base/status.h"
#include "harness/plan/names.h"

#include <math.h>
#include <string.h>

static ts_status parse_number(double *out, const ts_option *option, const char *text) {
  double value;
  bool is_count = option->kind == TS_OPTION_COUNT;
  if (ts_number_parse(&value, text) == TS_OK && value >= option->minimum &&
      value <= option->maximum && (!is_count || value == floor(value))) {
    *out = value;
    return TS_OK;
  }
  char low[TS_NUMBER_BYTES], high[TS_NUMBER_BYTES];
  return ts_fail(TS_E_INPUT, "--%s takes a %s from %s to %s, not \"%s\"", option->name,
                 is_count ? "whole number" : "number", ts_number_format(low, option->minimum),
                 ts_number_format(high, option->maximum), text);
}

static ts_status parse_assignment(ts_assignments *list, ts_arena *arena, const ts_option *option,
                                  const char *text) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text || equals[1] == '\0')
    return ts_fail(TS_E_INPUT, "--%s takes %s, not \"%s\"", option->name, option->argument, text);
  ts_assignment *grown = ts_arena_array(arena, list->count + 1, sizeof *grown);
  char *name = ts_arena_string(arena, text);
  if (!grown || !name)
    return TS_E_MEMORY;
  name[equals - text] = '\0';
  if (list->count > 0)
    memcpy(grown, list->items, list->count * sizeof *grown);
  grown[list->count] = (ts_assignment){.name = name, .value = equals + 1};
  list->items = grown;
  list->count++;
  return TS_OK;
}

static ts_status parse_text(ts_texts *list, ts_arena *arena, const char *text) {
  const char **grown = ts_arena_array(arena, list->count + 1, sizeof *grown);
  if (!grown)
    return TS_E_MEMORY;
  for (size_t i = 0; i < list->count; i++)
    grown[i] = list->items[i];
  grown[list->count++] = text;
  list->items = grown;
  return TS_OK;
}

static ts_status assign(void *values, ts_arena *arena, const ts_option *option, const char *text) {
  void *member = (char *)values + option->offset;
  switch (option->kind) {
  case TS_OPTION_SWITCH:
    *(bool *)member = true;
    return TS_OK;
  case TS_OPTION_TEXT:
  case TS_OPTION_TEXTS:
    if (text[0] == '\0')
      return ts_fail(TS_E_INPUT, "--%s takes %s, which must not be empty", option->name,
                     option->argument);
    if (option->kind == TS_OPTION_TEXTS)
      return parse_text(member, arena, text);
    *(const char **)member = text;
    return TS_OK;
  case TS_OPTION_COUNT:
  case TS_OPTION_NUMBER:
    return parse_number(member, option, text);
  case TS_OPTION_ASSIGNMENTS:
    return parse_assignment(member, arena, option, text);
  }
  return TS_OK;
}

ts_status ts_options_unknown(ts_arena *arena, const ts_command *command, const char *word) {
  const char **names = ts_arena_array(arena, command->option_count + 1, sizeof *names);
  if (!names)
    return TS_E_MEMORY;
  for (size_t i = 0; i <= command->option_count; i++) {
    const char *name = i < command->option_count ? command->options[i].name : "help";
    names[i] = ts_arena_format(arena, "--%s", name);
    if (!names[i])
      return TS_E_MEMORY;
  }
  const char *kind = ts_arena_format(arena, "option of %s called", command->name);
  return kind ? ts_names_unknown(kind, word, names, command->option_count + 1) : TS_E_MEMORY;
}

size_t ts_options_find(const ts_command *command, const char *word) {
  size_t i = 0, length = strcspn(word, "=");
  if (length < 2 || strncmp(word, "--", 2) != 0)
    return command->option_count;
  while (i < command->option_count &&
         (strlen(command->options[i].name) != length - 2 ||
          strncmp(command->options[i].name, word + 2, length - 2) != 0))
    i++;
  return i;
}

bool ts_option_may_repeat(const ts_option *option) {
  return option->kind == TS_OPTION_ASSIGNMENTS || option->kind == TS_OPTION_TEXTS;
}

/// Parses the option at arguments[*index] and its value, which may be the next argument.
static ts_status parse_option(void *values, ts_arguments *out, ts_arena *arena,
                              const ts_command *command, int *index, int count,
                              char *const *arguments) {
  const char *word = arguments[*index], *equals = strchr(word, '=');
  size_t i = ts_options_find(command, word);
  if (i == command->option_count) {
    const char *typed = ts_arena_format(arena, "%.*s", (int)strcspn(word, "="), word);
    return typed ? ts_options_unknown(arena, command, typed) : TS_E_MEMORY;
  }
  const ts_option *option = &command->options[i];
  uint64_t bit = UINT64_C(1) << i;
  bool is_switch = option->kind == TS_OPTION_SWITCH; // twice is the same as once
  if (out->given & bit && !is_switch && !ts_option_may_repeat(option))
    return ts_fail(TS_E_INPUT, "--%s is given twice, but counts only once; keep one", option->name);
  out->given |= bit;
  const char *text = equals ? equals + 1 : NULL;
  if (is_switch) {
    if (text)
      return ts_fail(TS_E_INPUT, "--%s takes no value; leave \"=%s\" out", option->name, text);
  } else if (!text) {
    // A value that looks like an option is probably the next option.
    if (*index + 1 >= count || strncmp(arguments[*index + 1], "--", 2) == 0)
      return ts_fail(TS_E_INPUT, "--%s needs a value: --%s %s", option->name, option->name,
                     option->argument);
    text = arguments[++*index];
  }
  return assign(values, arena, option, text);
}

ts_status ts_options_parse(void *values, ts_arguments *out, ts_arena *arena,
                           const ts_command *command, int count, char *const *arguments) {
  *out = (ts_arguments){.operands = ts_arena_array(arena, (size_t)count, sizeof(const char *))};
  if (!out->operands)
    return TS_E_MEMORY;
  for (size_t i = 0; i < command->option_count; i++)
    if (command->options[i].fallback)
      TS_TRY(assign(values, arena, &command->options[i], command->options[i].fallback));
  bool options_end = false;
  for (int i = 0; i < count; i++) {
    const char *word = arguments[i];
    if (word[0] == '\0')
      return ts_fail(TS_E_INPUT,
                     "%s was given an empty word; leave it out, or set the variable of the shell "
                     "that it came from",
                     command->name);
    if (options_end || word[0] != '-' || word[1] == '\0') {
      out->operands[out->operand_count++] = word;
    } else if (strcmp(word, "--") == 0) {
      options_end = true;
    } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
      out->wants_help = true;
      return TS_OK;
    } else if (word[1] != '-') {
      return ts_options_unknown(arena, command, word);
    } else {
      TS_TRY(parse_option(values, out, arena, command, &i, count, arguments));
    }
  }
  return TS_OK;
}

/// Writes the arguments that reproduce a member's value: one, or several for a list; none if only
/// omitting the option gives that value.
static ts_status format_option(const char **out, size_t *count, ts_arena *arena,
                               const ts_option *option, const void *values) {
  const void *member = (const char *)values + option->offset;
  const ts_assignments *list = member;
  const ts_texts *texts = member;
  const char *text = NULL;
  char number[TS_NUMBER_BYTES];
  switch (option->kind) {
  case TS_OPTION_SWITCH:
    if (*(const bool *)member && !(out[(*count)++] = ts_arena_format(arena, "--%s", option->name)))
      return TS_E_MEMORY;
    return TS_OK;
  case TS_OPTION_TEXT:
    text = *(const char *const *)member;
    break;
  case TS_OPTION_COUNT:
  case TS_OPTION_NUMBER:
    text = ts_number_format(number, *(const double *)member);
    break;
  case TS_OPTION_ASSIGNMENTS:
    for (size_t i = 0; i < list->count; i++)
      if (!(out[(*count)++] = ts_arena_format(arena, "--%s=%s=%s", option->name,
                                              list->items[i].name, list->items[i].value)))
        return TS_E_MEMORY;
    return TS_OK;
  case TS_OPTION_TEXTS:
    for (size_t i = 0; i < texts->count; i++)
      if (!(out[(*count)++] = ts_arena_format(arena, "--%s=%s", option->name, texts->items[i])))
        return TS_E_MEMORY;
    return TS_OK;
  }
  if (text && !(out[(*count)++] = ts_arena_format(arena, "--%s=%s", option->name, text)))
    return TS_E_MEMORY;
  return TS_OK;
}

ts_status ts_options_format(const char ***out, size_t *out_count, ts_arena *arena,
                            const ts_command *command, const void *values, uint64_t without) {
  size_t capacity = command->option_count;
  for (size_t i = 0; i < command->option_count; i++) {
    const void *member = (const char *)values + command->options[i].offset;
    if (command->options[i].kind == TS_OPTION_ASSIGNMENTS)
      capacity += ((const ts_assignments *)member)->count;
    if (command->options[i].kind == TS_OPTION_TEXTS)
      capacity += ((const ts_texts *)member)->count;
  }
  *out = ts_arena_array(arena, capacity, sizeof **out);
  *out_count = 0;
  if (!*out)
    return TS_E_MEMORY;
  for (size_t i = 0; i < command->option_count; i++)
    if (!(without & UINT64_C(1) << i))
      TS_TRY(format_option(*out, out_count, arena, &command->options[i], values));
  return TS_OK;
}

void ts_options_copy(void *to, const void *from, const ts_command *command, uint64_t which) {
  static const size_t bytes[] = {[TS_OPTION_SWITCH] = sizeof(bool),
                                 [TS_OPTION_TEXT] = sizeof(const char *),
                                 [TS_OPTION_COUNT] = sizeof(double),
                                 [TS_OPTION_NUMBER] = sizeof(double),
                                 [TS_OPTION_ASSIGNMENTS] = sizeof(ts_assignments),
                                 [TS_OPTION_TEXTS] = sizeof(ts_texts)};
  for (size_t i = 0; i < command->option_count; i++) {
    const ts_option *option = &command->options[i];
    if (which & UINT64_C(1) << i)
      memcpy((char *)to + option->offset, (const char *)from + option->offset, bytes[option->kind]);
  }
}

uint64_t ts_options_bit(const ts_command *command, const char *name) {
  size_t i = 0;
  while (strcmp(command->options[i].name, name) != 0)
    i++;
  return UINT64_C(1) << i;
}
