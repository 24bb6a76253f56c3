// SPDX-License-Identifier: MIT
/// Detects whether a method has modified its input, or what it is judged by: compares a hash before
/// with one after.
#ifndef TS_HARNESS_INPUT_CHECK_H
#define TS_HARNESS_INPUT_CHECK_H

#include "cases/scene/scene.h"

/// Hash of a mesh and all its arrays.
uint64_t ts_input_hash_mesh(const ts_mesh *mesh);

/// Hash of the shapes of a scene as designed.
uint64_t ts_input_hash_shapes(const ts_scene *scene);

/// Hash of all else that the contacts of a scene are judged by: bodies with their
/// elastic data, joints, regions with their
/// normals, and the answers of the oracle.
uint64_t ts_input_hash_truth(const ts_scene *scene);

#endif
