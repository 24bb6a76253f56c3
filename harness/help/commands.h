// SPDX-License-Identifier: MIT
/// The commands of touchstone: one list, harness/plan/commands.def.
#ifndef TS_HARNESS_COMMANDS_H
#define TS_HARNESS_COMMANDS_H

#include "harness/plan/options.h"

typedef struct ts_command_entry {
  const ts_command *command;
  const char *group; ///< in the overview; NULL: hidden
} ts_command_entry;

/// All commands; those of a group are consecutive. The last entry has no command.
extern const ts_command_entry ts_commands[];

/// More than there are.
#define TS_COMMANDS_MAX 32

/// The command called `name`; NULL when there is none.
const ts_command *ts_command_find(const char *name);

/// Names of the commands that are not hidden [TS_COMMANDS_MAX]; returns how many.
size_t ts_command_names(const char **out);

/// The overview of all commands, for 80 columns and 24 lines.
void ts_commands_overview(FILE *file);

#endif
