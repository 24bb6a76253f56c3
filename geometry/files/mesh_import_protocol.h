// SPDX-License-Identifier: MIT
/// The protocol between geometry/files/mesh_import.c and the helper touchstone-import. C and C++;
/// both ends run on one machine, so numbers are in its own byte order.
#ifndef TS_GEOMETRY_MESH_IMPORT_PROTOCOL_H
#define TS_GEOMETRY_MESH_IMPORT_PROTOCOL_H

#include <stdint.h>

/// Name of the helper's executable, which is in the folder of the program that uses it.
#define TS_IMPORT_PROGRAM "touchstone-import"

/// First eight bytes of a question and of an answer.
#define TS_IMPORT_QUESTION "TSIMPQ02"
#define TS_IMPORT_ANSWER   "TSIMPA02"

/// Most triangles, and three times as many corners.
#define TS_IMPORT_LARGEST_COUNT ((uint64_t)20000000)

/// Longest answer [bytes].
#define TS_IMPORT_LARGEST_ANSWER ((uint64_t)1 << 30)

/// Maximum memory of the helper [bytes], the file included.
#define TS_IMPORT_ADDRESS_SPACE ((uint64_t)2 << 30)

/// Longest name of a file, with the zero at its end [bytes].
#define TS_IMPORT_NAME_BYTES 256

/// Most files of a question.
#define TS_IMPORT_FILES_MAX ((uint64_t)64)

/// On the helper's standard input, up to the end of the file: this, then file_count times a
/// ts_import_file and its bytes. The first is the mesh file, "mesh.gltf" or "mesh.glb"; the others
/// are those that an answer has asked for.
typedef struct ts_import_question {
  char magic[8];
  uint64_t byte_count; ///< of the whole question
  uint64_t file_count; ///< 1 to TS_IMPORT_FILES_MAX
  double time_limit_s;
} ts_import_question;

typedef struct ts_import_file {
  char name[TS_IMPORT_NAME_BYTES]; ///< filled up with zeros
  uint64_t byte_count;
} ts_import_file;

/// The result.
typedef enum ts_import_outcome {
  TS_IMPORT_MESH = 0,       ///< vertices and triangles follow
  TS_IMPORT_REFUSED = 1,    ///< assimp refuses the file; `text` says why
  TS_IMPORT_OTHER_FILE = 2, ///< it needs another file, whose name is `text`; "": a longer one
  TS_IMPORT_NO_TRIANGLES = 3,
  TS_IMPORT_BAD_INDEX = 4,  ///< a face uses a vertex that is not there
  TS_IMPORT_NOT_FINITE = 5, ///< a vertex that a triangle uses is not finite
  TS_IMPORT_TOO_LARGE = 6   ///< over the limits above
} ts_import_outcome;

/// On its standard output, up to the end of the file: this, then vertex_count times three doubles,
/// then triangle_count times three uint32_t.
typedef struct ts_import_answer {
  char magic[8];
  uint64_t byte_count; ///< of the whole answer
  uint64_t outcome;    ///< ts_import_outcome
  uint64_t vertex_count, triangle_count;
  char text[TS_IMPORT_NAME_BYTES]; ///< ends with a zero
} ts_import_answer;

/// How the helper exits. Without an answer, unless it is TS_IMPORT_EXIT_OK.
typedef enum ts_import_exit {
  TS_IMPORT_EXIT_OK = 0,
  TS_IMPORT_EXIT_BROKEN = 1,   ///< it could not set itself up, read or write
  TS_IMPORT_EXIT_QUESTION = 2, ///< the question is not one
  TS_IMPORT_EXIT_MEMORY = 3,
  TS_IMPORT_EXIT_THROWN = 4 ///< an uncaught exception
} ts_import_exit;

#endif
