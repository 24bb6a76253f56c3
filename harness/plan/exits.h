// SPDX-License-Identifier: MIT
/// The exit status of the program: one list, from which come the enum, the help of touchstone and
/// `list exits`.
#ifndef TS_HARNESS_EXITS_H
#define TS_HARNESS_EXITS_H

/// X(name, status, as people read it, meaning). Never changed: scripts depend on them.
#define TS_EXITS(X)                                                                                \
  X(FINE, 0, "0", "fine; cells that were skipped, because a method cannot do them, say why")       \
  X(BROKEN_RULE, 1, "1", "a rule of a gate is broken")                                             \
  X(USAGE, 2, "2", "something given is wrong, or a file could not be read or written")             \
  X(BAD_CELLS, 3, "3", "a cell failed, crashed, timed out or ran out of memory")                   \
  X(SIGNAL, 128, "128 and more",                                                                   \
    "stopped by a signal (130: Ctrl-C); the run can go on with --resume")

#define TS_EXIT_ENUM(name, status, ...) TS_EXIT_##name = (status),
enum { TS_EXITS(TS_EXIT_ENUM) }; ///< TS_EXIT_SIGNAL comes with the number of the signal added

typedef struct ts_exit_facts {
  const char *status, *meaning;
} ts_exit_facts;

/// Ends with one that has no status.
extern const ts_exit_facts ts_exits[];

#endif
