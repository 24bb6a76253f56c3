// SPDX-License-Identifier: MIT
/// Command lines: one argument a line, the command first. Options are the same after writing them
/// as arguments and reading those.
#include "harness/plan/options.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

#define ARGUMENTS_MAX 64

static const ts_command *const commands[] = {
    &ts_command_run,      &ts_command_reproduce, &ts_command_score,  &ts_command_compare,
    &ts_command_gate,     &ts_command_plot,      &ts_command_report, &ts_command_list,
    &ts_command_describe, &ts_command_export,    &ts_command_explain};

/// The values of any command; larger than each of them.
typedef union values {
  max_align_t aligned;
  char bytes[4096];
} values;

static const ts_command *find_command(const char *name) {
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (strcmp(commands[i]->name, name) == 0)
      return commands[i];
  return commands[0];
}

static void check_same(ts_arena *arena, const ts_command *command, const values *read) {
  const char **first, **second;
  size_t count, second_count;
  FUZZ_CHECK(ts_options_format(&first, &count, arena, command, read, 0) == TS_OK);
  values again = {0};
  ts_arguments parsed;
  FUZZ_CHECK(fuzz_is_ok(ts_options_parse(&again, &parsed, arena, command, (int)count,
                                         (char *const *)(uintptr_t)first)));
  FUZZ_CHECK(ts_options_format(&second, &second_count, arena, command, &again, 0) == TS_OK);
  FUZZ_CHECK(count == second_count && parsed.operand_count == 0);
  for (size_t i = 0; i < count; i++)
    FUZZ_CHECK(strcmp(first[i], second[i]) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ts_arena *arena;
  FUZZ_CHECK(ts_arena_create(&arena) == TS_OK);
  char *text = fuzz_text(data, size), *arguments[ARGUMENTS_MAX], *rest = text;
  int count = 0;
  for (char *line; count < ARGUMENTS_MAX && (line = strsep(&rest, "\n"));)
    arguments[count++] = line;
  const ts_command *command = find_command(arguments[0]);
  values read = {0};
  ts_arguments parsed;
  if (fuzz_is_ok(ts_options_parse(&read, &parsed, arena, command, count - 1, arguments + 1)) &&
      !parsed.wants_help)
    check_same(arena, command, &read);
  free(text);
  ts_arena_destroy(arena);
  return 0;
}
