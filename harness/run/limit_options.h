// SPDX-License-Identifier: MIT
/// The limits of what a method may take: rows of the tables of the commands that run one.
/// OFFSET(member) gives a member of ts_limit_values its place in the command's values.
#ifndef TS_HARNESS_LIMIT_OPTIONS_H
#define TS_HARNESS_LIMIT_OPTIONS_H

#include "geometry/mesh/tetgen.h"
#include "harness/isolation/kept.h"
#include "harness/plan/options.h"

typedef struct ts_limit_values {
  double time_limit_s, memory_limit_mib, tetgen_limit_s;
} ts_limit_values;

/// Sets what holds for this process and for those that it starts: the limit of TetGen.
static inline void ts_limits_begin(ts_limit_values values) {
  ts_tetgen_set_time_limit(values.tetgen_limit_s);
}

static inline ts_limits ts_limits_of(ts_limit_values values) {
  return (ts_limits){values.time_limit_s, values.memory_limit_mib * 1024 * 1024};
}

#define TS_LIMIT_OPTIONS(OFFSET)                                                                   \
  {.name = "time-limit",                                                                           \
   .argument = "S",                                                                                \
   .kind = TS_OPTION_NUMBER,                                                                       \
   .offset = OFFSET(time_limit_s),                                                                 \
   .fallback = "60",                                                                               \
   .minimum = 0.001,                                                                               \
   .maximum = 1e6,                                                                                 \
   .help = "time limit of a cell in seconds"},                                                     \
      {.name = "memory-limit",                                                                     \
       .argument = "MB",                                                                           \
       .kind = TS_OPTION_NUMBER,                                                                   \
       .offset = OFFSET(memory_limit_mib),                                                         \
       .fallback = "2048",                                                                         \
       .minimum = 16,                                                                              \
       .maximum = 1e9,                                                                             \
       .help = "memory limit of a cell in MiB"},                                                   \
      {.name = "tetgen-limit",                                                                     \
       .argument = "S",                                                                            \
       .kind = TS_OPTION_NUMBER,                                                                   \
       .offset = OFFSET(tetgen_limit_s),                                                           \
       .fallback = "30",                                                                           \
       .minimum = 0.001,                                                                           \
       .maximum = 1e6,                                                                             \
       .help = "time limit of TetGen for one shape in seconds"},

#endif
