// SPDX-License-Identifier: MIT
/// The options that say how contacts are read and judged: rows of the tables of `score` and of
/// `explain`. OFFSET(member) gives a member of ts_score_values its place in the command's values.
#ifndef TS_HARNESS_SCORE_OPTIONS_H
#define TS_HARNESS_SCORE_OPTIONS_H

#include "harness/score/poses_read.h"

#define TS_SCORE_READING_OPTIONS(OFFSET)                                                           \
  {.name = "envelope",                                                                             \
   .argument = "STATE",                                                                            \
   .kind = TS_OPTION_TEXT,                                                                         \
   .offset = OFFSET(envelope),                                                                     \
   .help = "envelope of the bodies that the contacts were computed on: none, eroded:0.001, "       \
           "dilated:0.001 [m] (default: from the columns envelope and envelope_m, or from "        \
           "summary.csv next to a file with a column cell)"},                                      \
      {.name = "modify",                                                                           \
       .argument = "CHAIN",                                                                        \
       .kind = TS_OPTION_TEXT,                                                                     \
       .offset = OFFSET(modifiers),                                                                \
       .names = TS_NAMES_MODIFIERS,                                                                \
       .help = "what is done to the contacts before they are judged: cones, or "                   \
               "cones,reduce:points=4, or none (see touchstone list modifiers)"},                  \
      {.name = "poses",                                                                            \
       .argument = "FILE",                                                                         \
       .kind = TS_OPTION_TEXT,                                                                     \
       .offset = OFFSET(poses),                                                                    \
       .help =                                                                                     \
           "poses of the bodies in each step of a recorded sequence: score every step by the "     \
           "truth at its poses, and how the contact sets hold together; with --step only that "    \
           "one"},                                                                                 \
      {.name = "first",                                                                            \
       .argument = "WORD",                                                                         \
       .kind = TS_OPTION_TEXT,                                                                     \
       .offset = OFFSET(first),                                                                    \
       .fallback = "scene",                                                                        \
       .help = "poses of the first step of --poses: scene, as the scene has them, or any"},        \
      {.name = "touch",                                                                            \
       .argument = "RATIO",                                                                        \
       .kind = TS_OPTION_NUMBER,                                                                   \
       .offset = OFFSET(touch_relative),                                                           \
       .fallback = "0",                                                                            \
       .minimum = 0,                                                                               \
       .maximum = 1e-3,                                                                            \
       .help =                                                                                     \
           "gap, relative to the pair's size, up to which bodies touch; up to ten times as much "  \
           "they may have a contact. For poses in single precision: 1e-6 (default: 1e-9 at the "   \
           "poses of a step)"},                                                                    \
      {.name = "triangles",                                                                        \
       .kind = TS_OPTION_SWITCH,                                                                   \
       .offset = OFFSET(is_on_triangles),                                                          \
       .help =                                                                                     \
           "the contacts were found on the triangles of spheres and other curved shapes, not on "  \
           "the exact shapes: allow them the error that these triangles have"},                    \
      {.name = "bodies",                                                                           \
       .argument = "WORDS",                                                                        \
       .kind = TS_OPTION_TEXT,                                                                     \
       .offset = OFFSET(bodies),                                                                   \
       .fallback = "either",                                                                       \
       .help = "whether a whole number in body_a and body_b is the index or the name of a body: "  \
               "either, index or name"},

#endif
