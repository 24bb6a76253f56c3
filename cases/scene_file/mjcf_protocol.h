// SPDX-License-Identifier: MIT
/// The protocol between cases/scene_file/mjcf_model.c and the helper touchstone-mjcf. C and C++;
/// both ends run on one machine, so numbers are in its own byte order.
#ifndef TS_CASES_MJCF_PROTOCOL_H
#define TS_CASES_MJCF_PROTOCOL_H

#include <stdint.h>

/// Name of the helper's executable, which is in the folder of the program that uses it.
#define TS_MJCF_PROGRAM "touchstone-mjcf"

/// First eight bytes of a question and of an answer.
#define TS_MJCF_QUESTION "TSMJCQ01"
#define TS_MJCF_ANSWER   "TSMJCA01"

/// Longest name of a file, a geom, a body or a mesh, with the zero at its end [bytes].
#define TS_MJCF_NAME_BYTES 256
/// Longest text of an answer, with the zero at its end [bytes].
#define TS_MJCF_TEXT_BYTES 1024

/// Most files of a model; MuJoCo holds as many in memory.
#define TS_MJCF_FILES_MAX    ((uint64_t)2000)
/// Most geoms that can collide, and most pairs of them that never do.
#define TS_MJCF_GEOMS_MAX    ((uint64_t)10000)
#define TS_MJCF_EXCLUDED_MAX ((uint64_t)2000000)
/// Most numbers of all meshes and height fields.
#define TS_MJCF_NUMBERS_MAX  ((uint64_t)30000000)

/// Longest answer [bytes].
#define TS_MJCF_ANSWER_MAX    ((uint64_t)300 << 20)
/// Maximum memory of the helper [bytes], the files included.
#define TS_MJCF_ADDRESS_SPACE ((uint64_t)4 << 30)

/// On the helper's standard input, up to the end of the file: this, then file_count times a
/// ts_mjcf_file and its bytes. The first is the model; the others are those that an answer has
/// asked for.
typedef struct ts_mjcf_question {
  char magic[8];
  uint64_t byte_count; ///< of the whole question
  uint64_t file_count; ///< 1 to TS_MJCF_FILES_MAX
  double time_limit_s;
  char keyframe[TS_MJCF_NAME_BYTES]; ///< "": the model's qpos0
} ts_mjcf_question;

typedef struct ts_mjcf_file {
  char name[TS_MJCF_NAME_BYTES]; ///< below the model's folder, filled up with zeros
  uint64_t byte_count;
} ts_mjcf_file;

/// The result.
typedef enum ts_mjcf_outcome {
  TS_MJCF_MODEL = 0,        ///< geoms and all else follow
  TS_MJCF_WANTS = 1,        ///< it needs the files that follow
  TS_MJCF_REFUSED = 2,      ///< MuJoCo refuses the model; `text` says why
  TS_MJCF_BROKEN_XML = 3,   ///< not XML; `text` says where and why
  TS_MJCF_DOCTYPE = 4,      ///< a file, `text`, has a document type, which may define entities
  TS_MJCF_URDF = 5,         ///< the root is <robot>
  TS_MJCF_OTHER_ROOT = 6,   ///< the root is another than <mujoco>: `text`
  TS_MJCF_NO_KEYFRAME = 7,  ///< `text` lists those that there are
  TS_MJCF_NO_GEOMS = 8,     ///< no geom can collide
  TS_MJCF_SAME_NAME = 9,    ///< `text` are two files that MuJoCo cannot tell apart in memory
  TS_MJCF_BAD_INCLUDE = 10, ///< `text`: what is wrong with how files name each other
  TS_MJCF_TOO_LARGE = 11    ///< over the limits above
} ts_mjcf_outcome;

/// A file that the model needs.
typedef struct ts_mjcf_wanted {
  char name[TS_MJCF_NAME_BYTES]; ///< relative to the model's folder, or absolute
  char by[TS_MJCF_NAME_BYTES];   ///< where it is named: "<mesh> in arm.xml, line 7"
} ts_mjcf_wanted;

/// Types of geoms, numbered as MuJoCo numbers them. Sizes and axes are MuJoCo's, z up.
typedef enum ts_mjcf_type {
  TS_MJCF_PLANE = 0,
  TS_MJCF_HFIELD = 1,  ///< size: half extents along x and y, heights; rows along y, columns along x
  TS_MJCF_SPHERE = 2,  ///< size[0]: radius
  TS_MJCF_CAPSULE = 3, ///< size: radius, half length
  TS_MJCF_ELLIPSOID = 4, ///< size: radii
  TS_MJCF_CYLINDER = 5,  ///< size: radius, half length
  TS_MJCF_BOX = 6,       ///< size: half extents
  TS_MJCF_MESH = 7,      ///< collides as its convex hull
  TS_MJCF_TYPE_COUNT
} ts_mjcf_type;

/// A geom that can collide, in the world.
typedef struct ts_mjcf_geom {
  char name[TS_MJCF_NAME_BYTES]; ///< "" for none
  char body_name[TS_MJCF_NAME_BYTES];
  char data_name[TS_MJCF_NAME_BYTES]; ///< of its mesh or height field
  uint32_t type;                      ///< ts_mjcf_type
  uint32_t id;                        ///< in the model
  uint32_t body;                      ///< MuJoCo's number of its body
  uint32_t is_fixed;                  ///< welded to the world
  double size[3];                     ///< [m]
  double rotation_wxyz[4], translation_m[3];
  double linear_m_s[3], angular_rad_s[3]; ///< of the geom's origin, in the world
  double body_mass_kg;
  uint64_t first, count; ///< of its numbers: points of a mesh [m], heights [m] row by row
  uint64_t row_count, column_count;
} ts_mjcf_geom;

/// What a model has and a scene has not: bits of ts_mjcf_answer::omits.
typedef enum ts_mjcf_omission {
  TS_MJCF_OMITS_JOINTS,
  TS_MJCF_OMITS_WELDS, ///< a body that moves has several geoms
  TS_MJCF_OMITS_EQUALITY,
  TS_MJCF_OMITS_TENDONS,
  TS_MJCF_OMITS_ACTUATORS,
  TS_MJCF_OMITS_SKINS,
  TS_MJCF_OMITS_MARGINS,
  TS_MJCF_OMITS_CONTACT_FLAG, ///< contacts are disabled
  TS_MJCF_OMISSION_COUNT
} ts_mjcf_omission;

/// On its standard output, up to the end of the file: this, then wanted_count ts_mjcf_wanted,
/// geom_count ts_mjcf_geom, number_count doubles, and excluded_count times two uint32_t: geoms,
/// the lower first, in ascending order, one of which moves and which never collide.
typedef struct ts_mjcf_answer {
  char magic[8];
  uint64_t byte_count; ///< of the whole answer
  uint64_t outcome;    ///< ts_mjcf_outcome
  uint64_t wanted_count, geom_count, number_count, excluded_count;
  uint64_t omits;                ///< bits, 1 << ts_mjcf_omission
  uint64_t left_out_count;       ///< geoms that collide with nothing
  double up[3];                  ///< against gravity; z where there is none
  char version[16];              ///< of MuJoCo
  char text[TS_MJCF_TEXT_BYTES]; ///< ends with a zero
} ts_mjcf_answer;

/// How the helper exits. Without an answer, unless it is TS_MJCF_EXIT_OK.
typedef enum ts_mjcf_exit {
  TS_MJCF_EXIT_OK = 0,
  TS_MJCF_EXIT_BROKEN = 1,   ///< it could not set itself up, read or write
  TS_MJCF_EXIT_QUESTION = 2, ///< the question is not one
  TS_MJCF_EXIT_MEMORY = 3,
  TS_MJCF_EXIT_THROWN = 4 ///< an uncaught exception
} ts_mjcf_exit;

#endif
