// SPDX-License-Identifier: MIT
/// Shared by both FCL plug-ins: conversion of types, and no exception across the ABI boundary.
#ifndef TS_METHODS_FCL_ENGINE_H
#define TS_METHODS_FCL_ENGINE_H

#include "methods/method.h"

#include <exception>
#include <fcl/narrowphase/collision.h>
#include <limits>
#include <memory>
#include <new>
#include <vector>

inline fcl::Transform3d fcl_pose(const ts_pose &pose) {
  const ts_quat &q = pose.rotation;
  fcl::Transform3d out = fcl::Transform3d::Identity();
  out.linear() = fcl::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
  out.translation() << pose.translation.x, pose.translation.y, pose.translation.z;
  return out;
}

template <typename Mesh> std::vector<fcl::Vector3d> fcl_vertices(const Mesh *mesh) {
  std::vector<fcl::Vector3d> out;
  out.reserve(mesh->vertex_count);
  for (size_t i = 0; i < mesh->vertex_count; i++)
    out.emplace_back(mesh->vertices[i].x, mesh->vertices[i].y, mesh->vertices[i].z);
  return out;
}

inline ts_contact fcl_contact(const fcl::Vector3d &point, const fcl::Vector3d &normal,
                              double gap_m) {
  ts_contact out = {};
  out.point = {point.x(), point.y(), point.z()};
  out.normal = {normal.x(), normal.y(), normal.z()};
  out.gap_m = gap_m;
  out.area_m2 = std::numeric_limits<double>::quiet_NaN();
  return out;
}

/// The status of `work`; an exception becomes a status.
template <typename Work> ts_status fcl_guarded(const ts_host *host, const Work &work) {
  try {
    return work();
  } catch (const std::bad_alloc &) {
    return host->fail(host, TS_E_MEMORY, "FCL is out of memory");
  } catch (const std::exception &error) {
    return host->fail(host, TS_E_UNSUPPORTED, error.what());
  } catch (...) {
    return host->fail(host, TS_E_UNSUPPORTED, "FCL threw an unknown exception");
  }
}

#endif
