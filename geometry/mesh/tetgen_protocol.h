// SPDX-License-Identifier: MIT
/// The protocol between geometry/mesh/tetgen.c and the helper touchstone-tetgen. C and C++; both
/// ends run on one machine, so numbers are in its own byte order.
#ifndef TS_GEOMETRY_TETGEN_PROTOCOL_H
#define TS_GEOMETRY_TETGEN_PROTOCOL_H

#include <stdint.h>

/// Name of the helper's executable, which is in the folder of the program that uses it.
#define TS_TETGEN_PROGRAM "touchstone-tetgen"

/// First eight bytes of a question and of an answer.
#define TS_TETGEN_QUESTION "TSTETQ01"
#define TS_TETGEN_ANSWER   "TSTETA01"

/// Most vertices, triangles and tets, each: TetGen counts in int, up to 24 of them to a tet.
#define TS_TETGEN_LARGEST_COUNT ((uint64_t)1 << 26)

/// Longest answer [bytes].
#define TS_TETGEN_LARGEST_ANSWER ((uint64_t)1 << 30)

/// On the helper's standard input, up to the end of the file: this, then vertex_count times three
/// doubles [m], then triangle_count times three uint32_t.
typedef struct ts_tetgen_question {
  char magic[8];
  uint64_t byte_count; ///< of the whole question
  uint64_t vertex_count, triangle_count;
  double quality_ratio; ///< 0: no bound
  double max_volume_m3; ///< 0: no bound
  double time_limit_s;
  uint64_t may_split_surface;
} ts_tetgen_question;

/// On its standard output, up to the end of the file: this, then vertex_count times three doubles,
/// those of the question first, then tet_count times four uint32_t.
typedef struct ts_tetgen_answer {
  char magic[8];
  uint64_t byte_count; ///< of the whole answer
  uint64_t vertex_count, tet_count;
} ts_tetgen_answer;

/// How the helper exits. Without an answer, unless it is TS_TETGEN_EXIT_OK.
typedef enum ts_tetgen_exit {
  TS_TETGEN_EXIT_OK = 0,
  TS_TETGEN_EXIT_BROKEN = 1,   ///< it could not set itself up, read or write
  TS_TETGEN_EXIT_QUESTION = 2, ///< the question is not one
  TS_TETGEN_EXIT_MEMORY = 3,
  TS_TETGEN_EXIT_TOO_LARGE = 4, ///< the answer would be over its limits
  TS_TETGEN_EXIT_THROWN = 10    ///< plus what TetGen threw, 1 to 10; 10 alone for anything else
} ts_tetgen_exit;

#endif
