// SPDX-License-Identifier: MIT
/// The exit status of the program: one list, from which come the enum, the help of touchstone and
/// `list exits`.
#ifndef TS_HARNESS_EXITS_H
#define TS_HARNESS_EXITS_H

/// X(name, status, as printed, meaning). The numbers never change: scripts depend on them.
#define TS_EXITS(X)                                                                                \
  X(FINE, 0, "0", "success; cells that a method cannot do are skipped, with a reason")             \
  X(BROKEN_RULE, 1, "1",                                                                           \
    "a rule of gate is broken, or dataset --check or relate found what should not be")             \
  X(USAGE, 2, "2", "invalid usage or input, or a file could not be read or written")               \
  X(BAD_CELLS, 3, "3", "a cell failed, crashed, timed out or ran out of memory")                   \
  X(SIGNAL, 128, "128 and more", "stopped by a signal (130: Ctrl-C); continue with run --resume")

#define TS_EXIT_ENUM(name, status, ...) TS_EXIT_##name = (status),
/// The number of the signal is added to TS_EXIT_SIGNAL.
enum { TS_EXITS(TS_EXIT_ENUM) };

typedef struct ts_exit_facts {
  const char *status, *meaning;
} ts_exit_facts;

/// The last one has no status.
extern const ts_exit_facts ts_exits[];

#endif
