// SPDX-License-Identifier: MIT
/// Two overlapping bodies give way to each other (Brunel 2021): from their meshes to both after,
/// one stage after the other.
#ifndef TS_HARNESS_DEFORM_PAIR_H
#define TS_HARNESS_DEFORM_PAIR_H

#include "elastic/mesh_zone.h"
#include "reports/rows/record.h"

typedef struct ts_deform_settings {
  double stiffness_a; ///< relative: 1: a is rigid, 0: only a gives way
  double tau;
  double extent; ///< how far from a zone a body gives way, in sizes of the pair
  double gamma;
  bool is_anisotropic;
  bool has_direction; ///< else each part of the overlap has one of its own
  ts_vec3 direction;  ///< of all parts: unit, world, from a to b
} ts_deform_settings;

/// A body of the pair, before and after.
typedef struct ts_deform_side {
  const ts_mesh *mesh;           ///< borrowed
  const ts_vec3 *before, *after; ///< [mesh->vertex_count] in the frame of the pair
  /// The same in the frame of the mesh; vertices that do not move are those of the mesh to the bit.
  const ts_vec3 *after_local;
  ts_deform_zone zone;  ///< without a zone: has no arrays
  ts_deformed deformed; ///< of a rigid body, without arrays
  double boundary_ns;
} ts_deform_side;

typedef struct ts_deform_pair {
  ts_elastic_pair *pair;
  double extent_m;
  size_t part_count, used_count; ///< connected parts of the overlap, and those that have a zone
  const ts_zone_part *used;      ///< [used_count] by falling area
  bool has_surface;              ///< a contact surface lies between the bodies, along the direction
  /// Mapping direction, in the frame of the pair: the given one, or that of the largest part that
  /// has a zone, or a contact surface where none has a zone; NaN: none has one.
  ts_vec3 direction;
  ts_deform_side sides[2]; ///< of a and b
  double inside_ns, surface_ns;
} ts_deform_pair;

/// In the arena. TS_SKIPPED, with the reason, when the bodies do not overlap or have no answer:
/// surfaces that coincide; one around the other, or wholly through it; no direction, or a given one
/// along which no surface lies between them; no zone, or none that has a vertex of a body that
/// gives way; no bulge that keeps the volume; an extent that leaves the mesh. `*out` is
/// then whole as far as it came: counts and times of the stages before, and bodies as they were.
/// Else the status of the stage.
ts_status ts_deform_pair_run(ts_deform_pair *out, ts_arena *arena, ts_elastic_shape a,
                             ts_elastic_shape b, const ts_deform_settings *settings);

/// A point of the pair's frame in the world.
ts_vec3 ts_deform_pair_world(const ts_deform_pair *pair, ts_vec3 point);

/// `direction`, or from the middle of a to that of b where there is none: for what can be measured
/// along any direction.
ts_vec3 ts_deform_pair_direction(const ts_deform_pair *pair);

#endif
