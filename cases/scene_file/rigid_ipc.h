// SPDX-License-Identifier: MIT
/// Scenes of rigid-ipc (Ferguson et al. 2021, "Intersection-free rigid body dynamics"): the JSON
/// files of its fixtures folder.
#ifndef TS_CASES_RIGID_IPC_H
#define TS_CASES_RIGID_IPC_H

#include "cases/scene/scene.h"

/// What distinguishes such a file from others: this key at its top level.
#define TS_RIGID_IPC_KEY "rigid_body_problem"

typedef struct ts_rigid_ipc {
  ts_scene *scene;          ///< Its truth is unknown.
  const char *name;         ///< Registry key of the case, from the file's: "ipc_spike_in_crack".
  uint64_t hash;            ///< Of the bytes of the file and of every mesh file.
  const char *not_modelled; ///< features of the file that the scene lacks, for people; "" for none
} ts_rigid_ipc;

/// Reads a file of rigid-ipc and the meshes that it names; all in the arena.
///
/// Bodies of the file, in its order: mesh (or vertices and faces in the file), scale or dimensions,
/// rotation (degrees about the fixed axes x, then y, then z, through the mesh's own origin),
/// position of that origin, density (1000 kg/m3 where the file has none), linear velocity of the
/// centre of mass, angular velocity (degrees a second, in the world). As in rigid-ipc scale and
/// rotation go into the mesh. A body is fixed when its type is static or all its degrees of freedom
/// are. `enabled: false` leaves a body out.
///
/// A mesh that is open only because vertices are at one place, to the bit, is closed by making them
/// one. Any other open mesh of a fixed body is ground (cases/scene/ground.h), solid behind the side
/// on which no body that moves is: in rigid-ipc nothing passes it from either side. One with bodies
/// on both sides, or of a body that moves, is refused.
///
/// A mesh is looked for below the file's own folder, then below the folder that TOUCHSTONE_MESHES
/// names, or where it is not set the nearest folder `meshes` at or above the file's; never outside
/// of these two, through links either.
///
/// Forces, torques, gravity, friction, restitution, time steps and solvers are not part of a scene.
/// `not_modelled` lists what changes how bodies move or which of them touch.
///
/// TS_E_INPUT with a message that names the file, the body and what to do: not JSON, a value of the
/// wrong kind, two dimensions, a mesh that is missing, has no triangle or is open
/// and not ground, a path outside the permitted
/// folders, something that is not a regular file, over the limits of cases/scene_file/scene_file.h
/// or more than 10 million triangles in all. TS_E_UNSUPPORTED: see ts_mesh_import.
ts_status ts_rigid_ipc_read(ts_rigid_ipc *out, ts_arena *arena, const char *path);

#endif
