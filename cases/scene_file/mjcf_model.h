// SPDX-License-Identifier: MIT
/// Models of MuJoCo, loaded by a helper program of ours that is linked with libmujoco.
#ifndef TS_CASES_MJCF_MODEL_H
#define TS_CASES_MJCF_MODEL_H

#include "cases/scene_file/mjcf_protocol.h"
#include "geometry/files/mesh_file.h"

typedef struct ts_mjcf_model {
  ts_vec3 up;              ///< unit, against gravity; z where there is none
  uint64_t omits;          ///< bits, 1 << ts_mjcf_omission
  uint64_t left_out_count; ///< geoms that collide with nothing
  char version[16];        ///< of MuJoCo
  size_t geom_count;       ///< 1 or more
  const ts_mjcf_geom *geoms;
  const double *numbers;
  size_t excluded_count;
  const uint32_t (*excluded)[2]; ///< [excluded_count] geoms that never collide, the lower first
} ts_mjcf_model;

/// Loads the model at `path`, and the files that it names, which must be in its folder or below; in
/// the arena. `keyframe` is the name of one, or its number where it has no name; "": qpos0.
///
/// What the answer says is checked: geoms have known types, sizes, masses and poses that are finite
/// (sizes above 0 where the type has them, quaternions unit), and numbers that are there.
///
/// The helper is the program that TOUCHSTONE_MJCF names, else touchstone-mjcf in the folder of the
/// running program.
///
/// TS_E_INPUT with a message that names the file and says what to do: what MuJoCo refuses, with its
/// message; XML that is not well-formed, has a document type or another root; a file outside the
/// folder; no geom that can collide; no such keyframe; more than the limits of
/// cases/scene_file/mjcf_protocol.h or the account allow; a model that takes too long.
/// TS_E_UNSUPPORTED: there is no helper.
ts_status ts_mjcf_model_load(ts_mjcf_model *out, ts_arena *arena, ts_file_account *account,
                             const char *path, const char *keyframe);

#endif
