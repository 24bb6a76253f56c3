// SPDX-License-Identifier: MIT
#include "base/status.h"
#include "harness/plan/exits.h"
#include "harness/plan/names.h"
#include "harness/plan/options.h"
#include "harness/program.h"

#include <stdio.h>
#include <string.h>

static const ts_command *const commands[] = {
    // make results
    &ts_command_run,
    &ts_command_merge,
    &ts_command_reproduce,
    &ts_command_score,
    &ts_command_dataset,
    // use results
    &ts_command_explain,
    &ts_command_compare,
    &ts_command_gate,
    &ts_command_plot,
    &ts_command_report,
    &ts_command_history,
    &ts_command_leaderboard,
    // look things up
    &ts_command_list,
    &ts_command_describe,
    &ts_command_export,
    NULL,
};

static void print_help(void) {
  printf(
      "Usage: touchstone COMMAND [options]\n\n"
      "Measures the quality of contact generators: runs cases whose correct contacts are known,\n"
      "and scores what each method finds.\n\nCommands:\n");
  for (size_t i = 0; commands[i]; i++)
    printf("  %-11s  %s\n", commands[i]->name, commands[i]->summary);
  printf("\nOptions:\n"
         "  --help     print this help, or that of a command\n"
         "  --version  print the version\n\n"
         "Exit status:\n");
  for (size_t i = 0; ts_exits[i].status; i++)
    printf("  %-12s  %s\n", ts_exits[i].status, ts_exits[i].meaning);
  printf("\nExamples:\n"
         "  touchstone run\n"
         "  touchstone run --case 'wall|arch' --set scale=0.1\n"
         "  touchstone describe case wall\n"
         "  touchstone reproduce --source table8\n");
}

static ts_status unknown_command(const char *word) {
  const char *names[16];
  size_t count = 0;
  while (commands[count] && count < sizeof names / sizeof *names) {
    names[count] = commands[count]->name;
    count++;
  }
  return ts_names_unknown(word[0] == '-' ? "option" : "command", word, names, count);
}

static ts_status run_command(int *out_exit, int count, char *const *arguments) {
  if (count == 0)
    return ts_fail(TS_E_INPUT, "no command given; try touchstone run, or see touchstone --help");
  if (strcmp(arguments[0], "--help") == 0 || strcmp(arguments[0], "-h") == 0) {
    print_help();
    return TS_OK;
  }
  if (strcmp(arguments[0], "--version") == 0) {
    printf("touchstone " TOUCHSTONE_VERSION "\n");
    return TS_OK;
  }
  for (size_t i = 0; commands[i]; i++)
    if (strcmp(arguments[0], commands[i]->name) == 0)
      return commands[i]->run(out_exit, count - 1, arguments + 1);
  return unknown_command(arguments[0]);
}

int main(int count, char **arguments) {
  if (!ts_program_start())
    return TS_EXIT_USAGE;
  int exit_status = TS_EXIT_FINE;
  ts_status status = run_command(&exit_status, count - 1, arguments + 1);
  return ts_program_end(status, exit_status);
}
