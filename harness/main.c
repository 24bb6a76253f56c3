// SPDX-License-Identifier: MIT
#include "base/status.h"
#include "harness/help/commands.h"
#include "harness/plan/exits.h"
#include "harness/plan/names.h"
#include "harness/plan/shell_word.h"
#include "harness/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The command line with the command, arguments[at], in front. NULL when out of memory.
static const char *command_first(ts_arena *arena, int count, char *const *arguments, int at) {
  char *text = NULL;
  size_t bytes;
  FILE *file = open_memstream(&text, &bytes);
  if (!file)
    return NULL;
  fprintf(file, "touchstone %s", arguments[at]);
  for (int i = 0; i < count; i++)
    if (i != at) {
      fputc(' ', file);
      ts_shell_put_word(file, arguments[i]);
    }
  const char *out = fclose(file) == 0 ? ts_arena_string(arena, text) : NULL;
  free(text);
  return out;
}

/// For an option before a command, or without one: where it belongs.
static ts_status misplaced_option(ts_arena *arena, int count, char *const *arguments) {
  const char *word = ts_arena_format(arena, "%.*s", (int)strcspn(arguments[0], "="), arguments[0]);
  if (!word)
    return TS_E_MEMORY;
  int at = 1;
  while (at < count && !ts_command_find(arguments[at]))
    at++;
  if (at < count) {
    const ts_command *command = ts_command_find(arguments[at]);
    if (ts_options_find(command, word) == command->option_count)
      return ts_options_unknown(arena, command, word);
    const char *right = command_first(arena, count, arguments, at);
    return right ? ts_fail(TS_E_INPUT, "%s is an option of %s and comes after it: %s", word,
                           command->name, right)
                 : TS_E_MEMORY;
  }
  const char *names[TS_COMMANDS_MAX];
  char list[200];
  size_t owner_count = 0;
  for (const ts_command_entry *entry = ts_commands; entry->command; entry++)
    if (entry->group && ts_options_find(entry->command, word) < entry->command->option_count)
      names[owner_count++] = entry->command->name;
  if (owner_count == 0)
    return ts_names_unknown("option", word, (const char *const[]){"--help", "--version"}, 2);
  ts_names_choice(list, sizeof list, names, owner_count);
  return ts_fail(TS_E_INPUT, "%s is an option of %s; begin with the command: touchstone %s %s",
                 word, list, names[0], word);
}

static ts_status run_command(int *out_exit, ts_arena *arena, int count, char *const *arguments) {
  if (count == 0) {
    ts_commands_overview(stderr);
    *out_exit = TS_EXIT_USAGE;
    return TS_OK;
  }
  const char *word = arguments[0];
  if (strcmp(word, "--") == 0 && count > 1) // the end of no options
    return run_command(out_exit, arena, count - 1, arguments + 1);
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
    return ts_command_help.run(out_exit, count - 1, arguments + 1);
  if (strcmp(word, "--version") == 0) {
    if (count > 1)
      return ts_fail(TS_E_INPUT, "--version stands alone; leave out \"%s\"", arguments[1]);
    printf("touchstone " TOUCHSTONE_VERSION "\n");
    return TS_OK;
  }
  const ts_command *command = ts_command_find(word);
  if (command)
    return command->run(out_exit, count - 1, arguments + 1);
  if (word[0] == '-')
    return misplaced_option(arena, count, arguments);
  const char *names[TS_COMMANDS_MAX];
  return ts_names_unknown("command", word, names, ts_command_names(names));
}

int main(int count, char **arguments) {
  if (!ts_program_start())
    return TS_EXIT_USAGE;
  int exit_status = TS_EXIT_FINE;
  ts_arena *arena;
  ts_status status = ts_arena_create(&arena);
  if (status == TS_OK) {
    status = run_command(&exit_status, arena, count - 1, arguments + 1);
    ts_arena_destroy(arena);
  }
  return ts_program_end(status, exit_status);
}
