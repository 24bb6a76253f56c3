// SPDX-License-Identifier: MIT
/// Shared by the Bullet adapters: conversion of types, and objects in the host's memory.
#ifndef TS_METHODS_BULLET_CONVERT_H
#define TS_METHODS_BULLET_CONVERT_H

#include "methods/engines/engine_dilation.h"
#include "methods/method.h"

#include <btBulletCollisionCommon.h>
#include <cmath>
#include <new>

#ifdef BT_USE_DOUBLE_PRECISION
#define BULLET_BUILD "Bullet " TS_ENGINE_VERSION ", float64"
#else
#define BULLET_BUILD "Bullet " TS_ENGINE_VERSION ", float32"
#endif

namespace {

inline btScalar bullet_scalar(double value) {
  return static_cast<btScalar>(value);
}

inline btVector3 bullet_vector(ts_vec3 v) {
  return btVector3(bullet_scalar(v.x), bullet_scalar(v.y), bullet_scalar(v.z));
}

inline btTransform bullet_transform(const ts_pose &pose) {
  const ts_quat &q = pose.rotation;
  return btTransform(
      btQuaternion(bullet_scalar(q.x), bullet_scalar(q.y), bullet_scalar(q.z), bullet_scalar(q.w)),
      bullet_vector(pose.translation));
}

/// A new T in the host's memory, which needs the destructor but no delete; NULL with the detail
/// line set when out of memory.
template <typename T, typename... Values>
T *bullet_create(const ts_host *host, const Values &...values) {
  static_assert(alignof(T) <= 16, "the host's memory is aligned to 16 bytes");
  void *memory = host->alloc(host, sizeof(T));
  if (!memory) {
    host->fail(host, TS_E_MEMORY, "out of memory");
    return nullptr;
  }
  return new (memory) T(values...);
}

template <typename T> void bullet_destroy(void *object) {
  if (object)
    static_cast<T *>(object)->~T();
}

inline ts_vec3 bullet_point(const btVector3 &v) {
  return ts_vec3{v.x(), v.y(), v.z()};
}

} // namespace

#endif
