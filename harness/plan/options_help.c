// SPDX-License-Identifier: MIT
#include "base/status.h"
#include "harness/plan/names.h"
#include "harness/plan/options.h"
#include "harness/plan/page.h"

/// What help says about an option. NULL when out of memory.
static const char *text_of(ts_arena *arena, const ts_option *option) {
  const char *text = option->help;
  if (option->choices) {
    const char *names[TS_OPTION_CHOICES_MAX];
    char list[700];
    ts_names_choice(list, sizeof list, names, option->choices(names));
    text = ts_arena_format(arena, "%s: %s", text, list);
  }
  if (text && ts_option_may_repeat(option))
    text = ts_arena_format(arena, "%s; may be repeated", text);
  return text && option->fallback
             ? ts_arena_format(arena, "%s (default %s)", text, option->fallback)
             : text;
}

static ts_status put_options(ts_page *page, const ts_command *command) {
  static const ts_option help = {.name = "help", .help = "print this"};
  size_t count = command->option_count + 1;
  ts_page_item *items = ts_arena_array(page->arena, count, sizeof *items);
  if (!items)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    const ts_option *option = i + 1 < count ? &command->options[i] : &help;
    items[i].term =
        ts_arena_format(page->arena, "--%s%s%s", option->name, option->argument ? " " : "",
                        option->argument ? option->argument : "");
    items[i].text = text_of(page->arena, option);
    if (!items[i].term || !items[i].text)
      return TS_E_MEMORY;
  }
  ts_page_heading(page, "Options");
  return ts_page_items(page, items, count);
}

/// As a text the options come before the notes, as a manual page behind them.
static ts_status put_command(FILE *file, ts_arena *arena, const ts_command *command,
                             ts_page_kind kind) {
  const char *name = ts_arena_format(arena, "touchstone-%s", command->name);
  const char *program = ts_arena_format(arena, "touchstone %s", command->name);
  const char *arguments =
      ts_arena_format(arena, "%s%s[options]", command->operands, command->operands[0] ? " " : "");
  if (!name || !program || !arguments)
    return TS_E_MEMORY;
  ts_page page = ts_page_start(file, arena, kind, name, 1, command->summary);
  ts_page_usage(&page, program, arguments);
  if (kind == TS_PAGE_MAN)
    ts_page_heading(&page, "Description");
  ts_page_text(&page, command->summary);
  if (kind == TS_PAGE_MAN)
    ts_page_text(&page, command->notes);
  TS_TRY(put_options(&page, command));
  if (kind == TS_PAGE_TEXT)
    ts_page_text(&page, command->notes);
  if (command->examples) {
    ts_page_heading(&page, "Examples");
    ts_page_commands(&page, command->examples);
  }
  return ts_page_put_see_also(&page);
}

static ts_status put_alone(FILE *file, const ts_command *command, ts_page_kind kind) {
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = put_command(file, arena, command, kind);
  ts_arena_destroy(arena);
  return status;
}

ts_status ts_options_help(FILE *file, const ts_command *command) {
  return put_alone(file, command, TS_PAGE_TEXT);
}

ts_status ts_options_man(FILE *file, const ts_command *command) {
  return put_alone(file, command, TS_PAGE_MAN);
}
