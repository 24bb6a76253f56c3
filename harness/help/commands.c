// SPDX-License-Identifier: MIT
#include "harness/help/commands.h"

#include <string.h>

#define COMMAND(name, group) {&ts_command_##name, group},
#define HIDDEN(name)         {&ts_command_##name, NULL},
const ts_command_entry ts_commands[] = {
#include "harness/plan/commands.def"
    {NULL, NULL}};

#define ONE(...) +1
#undef COMMAND
#undef HIDDEN
#define COMMAND ONE
#define HIDDEN  ONE
enum {
  COMMAND_COUNT = 0
#include "harness/plan/commands.def"
};
_Static_assert(COMMAND_COUNT < TS_COMMANDS_MAX, "raise TS_COMMANDS_MAX");

const ts_command *ts_command_find(const char *name) {
  for (size_t i = 0; ts_commands[i].command; i++)
    if (strcmp(ts_commands[i].command->name, name) == 0)
      return ts_commands[i].command;
  return NULL;
}

size_t ts_command_names(const char **out) {
  size_t count = 0;
  for (size_t i = 0; ts_commands[i].command; i++)
    if (ts_commands[i].group)
      out[count++] = ts_commands[i].command->name;
  return count;
}
