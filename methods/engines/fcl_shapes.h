// SPDX-License-Identifier: MIT
/// FCL's own shapes for the kinds of geometry that it has; its axis is z.
#ifndef TS_METHODS_FCL_SHAPES_H
#define TS_METHODS_FCL_SHAPES_H

#include "methods/engines/engine_shapes.h"
#include "methods/engines/fcl_engine.h"

#include <cmath>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/halfspace.h>
#include <fcl/geometry/shape/sphere.h>

#define FCL_TAKES                                                                                  \
  (ENGINE_TAKES_ROUND | TS_TAKES(TS_GEOMETRY_CONE) | TS_TAKES(TS_GEOMETRY_BOX) |                   \
   TS_TAKES(TS_GEOMETRY_PLANE))

/// A shape of FCL, and its rotation in the body's frame.
struct fcl_shape {
  std::unique_ptr<fcl::CollisionGeometryd> geometry;
  fcl::Quaterniond turn = fcl::Quaterniond::Identity();

  fcl::Transform3d at(const ts_pose &pose) const {
    fcl::Transform3d out = fcl_pose(pose);
    out.linear() = out.linear() * turn.toRotationMatrix();
    return out;
  }
};

/// The shape of a kind of FCL_TAKES.
inline std::unique_ptr<fcl_shape> fcl_native(const ts_geometry *g) {
  auto out = std::make_unique<fcl_shape>();
  double radius = g->radius_m, length = 2 * g->half_length_m;
  const ts_quat turn = engine_turn_of_z();
  switch (g->kind) {
  case TS_GEOMETRY_SPHERE:
    out->geometry = std::make_unique<fcl::Sphered>(radius);
    return out;
  case TS_GEOMETRY_BOX:
    out->geometry = std::make_unique<fcl::Boxd>(2 * g->half_size_m.x, 2 * g->half_size_m.y,
                                                2 * g->half_size_m.z);
    return out;
  case TS_GEOMETRY_PLANE:
    out->geometry = std::make_unique<fcl::Halfspaced>(0, 1, 0, 0);
    return out;
  case TS_GEOMETRY_CAPSULE:
    out->geometry = std::make_unique<fcl::Capsuled>(radius, length);
    break;
  case TS_GEOMETRY_CYLINDER:
    out->geometry = std::make_unique<fcl::Cylinderd>(radius, length);
    break;
  default:
    out->geometry = std::make_unique<fcl::Coned>(radius, length);
  }
  out->turn = fcl::Quaterniond(turn.w, turn.x, turn.y, turn.z);
  return out;
}

/// FCL gives a depth of either sign, by its solver and by the shapes, and its normal is from the
/// first shape that the contact names, which is the second of the call where that is a mesh and the
/// first is not.
inline ts_contact fcl_found(const fcl::Contactd &found, const fcl_shape &a) {
  double sign = found.o1 == a.geometry.get() ? 1 : -1;
  return fcl_contact(found.pos, sign * found.normal, -std::fabs(found.penetration_depth));
}

inline void fcl_release_shape(void *shape) {
  delete static_cast<fcl_shape *>(shape);
}

#endif
