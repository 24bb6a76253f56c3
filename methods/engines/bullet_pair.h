// SPDX-License-Identifier: MIT
/// Shared by the Bullet adapters: two collision objects, a dispatcher that selects their algorithm
/// as Bullet's worlds do, and the conversion of the manifold's contacts to touchstone's.
#ifndef TS_METHODS_BULLET_PAIR_H
#define TS_METHODS_BULLET_PAIR_H

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

/// Bullet's pools hold thousands of manifolds; a pair needs one.
inline btDefaultCollisionConstructionInfo small_pools() {
  btDefaultCollisionConstructionInfo info;
  info.m_defaultMaxPersistentManifoldPoolSize = 1;
  info.m_defaultMaxCollisionAlgorithmPoolSize = 1;
  return info;
}

/// Two bodies and their dispatcher.
struct bullet_pair {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher;
  btCollisionObject a, b;

  bullet_pair(btCollisionShape *shape_a, btCollisionShape *shape_b)
      : configuration(small_pools()), dispatcher(&configuration) {
    a.setCollisionShape(shape_a);
    b.setCollisionShape(shape_b);
  }

  void place(const ts_pair *pair) {
    a.setWorldTransform(bullet_transform(pair->pose_a));
    b.setWorldTransform(bullet_transform(pair->pose_b));
  }
};

inline btCollisionObjectWrapper bullet_wrapper(const btCollisionObject *object) {
  return btCollisionObjectWrapper(nullptr, object->getCollisionShape(), object,
                                  object->getWorldTransform(), -1, -1);
}

inline ts_vec3 bullet_point(const btVector3 &v) {
  return ts_vec3{v.x(), v.y(), v.z()};
}

/// Bullet's normal is that on b and points to a; its distance is negative in penetration, as ours.
inline ts_contact bullet_contact(const btVector3 &on_a, const btVector3 &on_b,
                                 const btVector3 &normal_on_b, btScalar distance) {
  ts_vec3 p = bullet_point(on_a), q = bullet_point(on_b);
  ts_contact contact = {};
  contact.point = ts_vec3{0.5 * (p.x + q.x), 0.5 * (p.y + q.y), 0.5 * (p.z + q.z)};
  contact.normal = bullet_point(-normal_on_b);
  contact.gap_m = distance;
  contact.area_m2 = NAN;
  return contact;
}

/// Pushes the contacts of a manifold whose body 0 is a.
inline ts_status bullet_push(const ts_host *host, const btPersistentManifold *manifold) {
  ts_contact contacts[MANIFOLD_CACHE_SIZE];
  int count = manifold->getNumContacts();
  for (int i = 0; i < count; i++) {
    const btManifoldPoint &point = manifold->getContactPoint(i);
    contacts[i] = bullet_contact(point.m_positionWorldOnA, point.m_positionWorldOnB,
                                 point.m_normalWorldOnB, point.m_distance1);
  }
  return host->push(host, contacts, static_cast<size_t>(count));
}

} // namespace

#endif
