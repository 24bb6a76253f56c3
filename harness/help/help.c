// SPDX-License-Identifier: MIT
/// touchstone help: the overview, the help of a command or about a topic, or their manual pages.
#include "base/status.h"
#include "harness/help/commands.h"
#include "harness/help/topics.h"
#include "harness/plan/exits.h"
#include "harness/plan/names.h"
#include "harness/plan/page.h"

#include <string.h>

#define SUMMARY "Measures the quality of contact generators on cases whose contacts are known."

typedef struct help_values {
  bool is_man;
} help_values;

/// Whether an entry is the first one of its group.
static bool begins_group(const ts_command_entry *entry) {
  return entry == ts_commands || strcmp(entry->group, entry[-1].group) != 0;
}

void ts_commands_overview(FILE *file) {
  fputs("Usage: touchstone COMMAND [options]\n" SUMMARY "\n", file);
  for (const ts_command_entry *entry = ts_commands; entry->command; entry++)
    if (entry->group)
      fprintf(file, "%-8s %-11s %s\n", begins_group(entry) ? entry->group : "",
              entry->command->name, entry->command->summary);
  fputs("Begin with touchstone run. See touchstone help COMMAND, touchstone list exits.\n", file);
}

/// A heading for each group, with its commands.
static ts_status put_commands(ts_page *page) {
  ts_page_item items[TS_COMMANDS_MAX];
  const ts_command_entry *entry = ts_commands;
  while (entry->command) {
    if (!entry->group) {
      entry++;
      continue;
    }
    size_t count = 0;
    const char *heading = ts_arena_format(page->arena, "Commands: %s", entry->group);
    do {
      const char *name = ts_arena_format(page->arena, "touchstone-%s(1)", entry->command->name);
      if (!name)
        return TS_E_MEMORY;
      items[count++] = (ts_page_item){name, entry->command->summary};
      entry++;
    } while (entry->command && entry->group && !begins_group(entry));
    if (!heading)
      return TS_E_MEMORY;
    ts_page_heading(page, heading);
    TS_TRY(ts_page_items(page, items, count));
  }
  return TS_OK;
}

/// What touchstone(1) has apart from the commands.
static ts_status put_program(ts_page *page) {
  static const ts_page_item options[] = {{"--help", "print the overview of the commands"},
                                         {"--version", "print the version"}};
  static const ts_page_item variables[] = {
      {"COLUMNS", "width of tables on a terminal, instead of what the terminal reports"},
      {"NO_COLOR", "if set and not empty: no colours"},
      {"TMPDIR", "folder for temporary files"}};
  ts_page_item exits[8];
  size_t exit_count = 0;
  for (; ts_exits[exit_count].status; exit_count++)
    exits[exit_count] = (ts_page_item){ts_exits[exit_count].status, ts_exits[exit_count].meaning};
  ts_page_usage(page, "touchstone", "COMMAND [options]");
  ts_page_heading(page, "Description");
  ts_page_text(page, SUMMARY " It runs cases, scores what each contact generator finds, times it, "
                             "and compares the results.");
  TS_TRY(put_commands(page));
  ts_page_heading(page, "Options");
  TS_TRY(ts_page_items(page, options, sizeof options / sizeof *options));
  ts_page_heading(page, "Exit status");
  TS_TRY(ts_page_items(page, exits, exit_count));
  ts_page_heading(page, "Environment");
  TS_TRY(ts_page_items(page, variables, sizeof variables / sizeof *variables));
  ts_page_heading(page, "Examples");
  ts_page_commands(page, "touchstone run\n"
                         "touchstone run --case 'wall|arch' --set scale=0.1\n"
                         "touchstone report results/latest\n"
                         "touchstone describe case wall\n");
  return ts_page_put_see_also(page);
}

static ts_status print_program_page(ts_arena *arena) {
  ts_page page = ts_page_start(stdout, arena, TS_PAGE_MAN, "touchstone", 1, SUMMARY);
  return put_program(&page);
}

/// What the command prints with --help, which may be more than its options.
static ts_status print_help(const ts_command *command) {
  if (command == &ts_command_complete) // to which --help is a word to complete
    return ts_options_help(stdout, command);
  char option[] = "--help";
  int exit_status;
  return command->run(&exit_status, 1, (char *const[]){option});
}

static ts_status unknown_name(const char *name) {
  const char *names[TS_COMMANDS_MAX + TS_TOPICS_MAX];
  size_t count = ts_command_names(names);
  for (size_t i = 0; ts_topics[i].name; i++)
    names[count++] = ts_topics[i].name;
  return ts_names_unknown("command or topic", name, names, count);
}

static ts_status help(ts_arena *arena, int count, char *const *arguments) {
  help_values values = {0};
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&values, &parsed, arena, &ts_command_help, count, arguments));
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_help);
  if (parsed.operand_count > 1)
    return ts_fail(TS_E_INPUT, "help takes one command or topic, not also \"%s\"",
                   parsed.operands[1]);
  if (parsed.operand_count == 0 && values.is_man)
    return print_program_page(arena);
  if (parsed.operand_count == 0) {
    ts_commands_overview(stdout);
    return TS_OK;
  }
  const ts_command *command = ts_command_find(parsed.operands[0]);
  const ts_topic *topic = ts_topic_find(parsed.operands[0]);
  if (command)
    return values.is_man ? ts_options_man(stdout, command) : print_help(command);
  return topic ? ts_topic_print(stdout, topic, values.is_man ? TS_PAGE_MAN : TS_PAGE_TEXT)
               : unknown_name(parsed.operands[0]);
}

static ts_status run_help(int *out_exit, int count, char *const *arguments) {
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = help(arena, count, arguments);
  ts_arena_destroy(arena);
  *out_exit = TS_EXIT_FINE;
  return status;
}

static const ts_option options[] = {
    {.name = "man",
     .kind = TS_OPTION_SWITCH,
     .offset = offsetof(help_values, is_man),
     .help = "print the source of the manual page instead, for man -l"},
};

const ts_command ts_command_help = {
    .name = "help",
    .operands = "[COMMAND|TOPIC]",
    .summary = "Shows this, or the options of a command.",
    .notes = "Topics are mpi (touchstone on the ranks of an MPI job) and results (the files of a "
             "results folder, and their columns).",
    .examples = "touchstone help run\n"
                "touchstone help results\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_help,
};
