// SPDX-License-Identifier: MIT
/// Models of MuJoCo (MJCF) as scenes: each geom that can collide is a body.
#ifndef TS_CASES_MJCF_H
#define TS_CASES_MJCF_H

#include "cases/scene/scene.h"

typedef struct ts_mjcf {
  ts_scene *scene;
  const char *name; ///< Registry key of the case, from the file's: "mjcf_humanoid_squat".
  uint64_t hash; ///< Of the bytes of the model and of every file that it names, and its keyframe.
  const char *summary; ///< What was made of the model and what it lacks, for people; one line.
} ts_mjcf;

/// Whether a path is that of a model: it ends in .xml, or in .xml#KEYFRAME.
bool ts_mjcf_takes(const char *path);

/// Reads a model where it is at qpos0, or at the keyframe that is named after a #; all in the
/// arena. No step is made.
///
/// A geom that can collide is a body, posed where MuJoCo has it and moving as fast. Geoms of
/// MuJoCo's that are joined are bodies of their own: a scene is a moment, and contacts are judged
/// pair by pair. Pairs that MuJoCo never collides are excluded (cases/scene/excluded_pairs.h): of
/// one body or of bodies welded together, of parent and child, by contype and conaffinity, by
/// <exclude>, or all but those of <pair>. Geoms welded to the world are fixed bodies.
///
/// Spheres, capsules, cylinders and boxes are primitives, exact to the bit; planes and height
/// fields are ground, without end below. Meshes are the convex hulls of their vertices, since
/// MuJoCo collides these. An ellipsoid is a mesh around it, off by 0.1 % of its largest
/// radius at most. MuJoCo's z axis is our y: geoms with an axis are turned, exactly.
/// Densities are such that the geoms of a body have its mass.
///
/// The truth is derived from the surfaces, or unknown where that fails: `summary` says why.
///
/// TS_E_INPUT and TS_E_UNSUPPORTED as ts_mjcf_model_load(); TS_E_INPUT, with the geom, too for a
/// mesh that has no hull, a height field that is too large, and two geoms of one name.
ts_status ts_mjcf_read(ts_mjcf *out, ts_arena *arena, const char *path);

#endif
