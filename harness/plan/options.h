// SPDX-License-Identifier: MIT
/// The command line: parsing, defaults and help all come from one table of options.
#ifndef TS_HARNESS_OPTIONS_H
#define TS_HARNESS_OPTIONS_H

#include "base/arena.h"
#include "harness/plan/plan.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum ts_option_kind {
  TS_OPTION_SWITCH,      ///< member: bool
  TS_OPTION_TEXT,        ///< member: const char *
  TS_OPTION_COUNT,       ///< member: double, a whole number
  TS_OPTION_NUMBER,      ///< member: double
  TS_OPTION_ASSIGNMENTS, ///< member: ts_assignments; "name=value", may be repeated
  TS_OPTION_TEXTS        ///< member: ts_texts, may be repeated
} ts_option_kind;

/// What the value of an option names, for completion in a shell. Files and folders are recognised
/// by the placeholders FILE and DIR.
typedef enum ts_option_names {
  TS_NAMES_NONE,
  TS_NAMES_CASES,
  TS_NAMES_METHODS,
  TS_NAMES_SUITES,
  TS_NAMES_PRESETS,
  TS_NAMES_PARAMETERS, ///< of the cases, the methods, the scoring and the simulation
  TS_NAMES_MODIFIERS,
  TS_NAMES_FIGURES ///< numbers among the columns of summary.csv
} ts_option_names;

typedef struct ts_assignments {
  size_t count;
  ts_assignment *items; ///< [count]
} ts_assignments;

typedef struct ts_texts {
  size_t count;
  const char **items; ///< [count]
} ts_texts;

typedef struct ts_option {
  const char *name;     ///< without the dashes
  const char *argument; ///< placeholder of its value in help; NULL for a switch
  ts_option_kind kind;
  size_t offset;           ///< of the member in the command's struct of values
  const char *fallback;    ///< the default, as typed on the command line; NULL: NULL, false or
                           ///< empty
  double minimum, maximum; ///< inclusive, for counts and numbers
  const char *help;        ///< choices, the default and "may be repeated" are added
  ts_option_names names;
  /// Writes what the value may be to `out` [TS_OPTION_CHOICES_MAX] and returns how many there are;
  /// help lists them. NULL: `help` says it.
  size_t (*choices)(const char **out);
} ts_option;

#define TS_OPTION_CHOICES_MAX 32

/// Options of one command, at most 64.
typedef struct ts_command {
  const char *name;
  const char *operands;     ///< what help prints after the name: "cases|methods"; "" for none
  const char *summary;      ///< one sentence of at most 59 characters: overview
  const char *notes;        ///< paragraphs after the options (ts_page_text); "" for none
  const char *examples;     ///< command lines, each with its line break; NULL for none
  const ts_option *options; ///< [option_count]; --help is added
  size_t option_count;
  /// `arguments` [count] are those after the command's name. `*out_exit` is the exit status when
  /// the result is TS_OK.
  ts_status (*run)(int *out_exit, int count, char *const *arguments);
} ts_command;

#define COMMAND(name, group) extern const ts_command ts_command_##name;
#define HIDDEN(name)         extern const ts_command ts_command_##name;
#include "harness/plan/commands.def"
#undef COMMAND
#undef HIDDEN

typedef struct ts_arguments {
  uint64_t given; ///< bit i: options[i] was given
  bool wants_help;
  size_t operand_count;
  const char **operands; ///< [operand_count], in the order given
} ts_arguments;

/// Fills in the defaults, then parses `arguments` [count] into the struct `values`. "--" ends the
/// options. TS_E_INPUT: an option that is unknown, lacks its value, has one but takes none, is out
/// of range, or is given twice although it may not be repeated; an empty operand. The arena owns
/// the memory; strings are borrowed from `arguments`.
ts_status ts_options_parse(void *values, ts_arguments *out, ts_arena *arena,
                           const ts_command *command, int count, char *const *arguments);

/// The arguments, "--name=value" each, that reproduce these values, except for the options in
/// `without`. The arena owns `*out` [*out_count].
ts_status ts_options_format(const char ***out, size_t *out_count, ts_arena *arena,
                            const ts_command *command, const void *values, uint64_t without);

/// Copies the members of the options in `which` from one struct of values to another.
void ts_options_copy(void *to, const void *from, const ts_command *command, uint64_t which);

/// Bit of the option called `name`, which the command must have.
uint64_t ts_options_bit(const ts_command *command, const char *name);

/// Index of the option `word`, "--name" or "--name=value"; option_count when there is none.
size_t ts_options_find(const ts_command *command, const char *word);

/// Whether each value of a repeated option counts.
bool ts_option_may_repeat(const ts_option *option);

/// Fails with TS_E_INPUT: there is no such option, and which one was probably meant.
ts_status ts_options_unknown(ts_arena *arena, const ts_command *command, const char *word);

/// The help of one command, from its table.
ts_status ts_options_help(FILE *file, const ts_command *command);

/// The same as the manual page touchstone-<name>(1).
ts_status ts_options_man(FILE *file, const ts_command *command);

#endif
