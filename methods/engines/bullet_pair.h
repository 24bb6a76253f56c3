// SPDX-License-Identifier: MIT
/// Shared by the Bullet adapters: two collision objects, a dispatcher that selects their algorithm
/// as Bullet's worlds do, and the conversion of the manifold's contacts to touchstone's.
#ifndef TS_METHODS_BULLET_PAIR_H
#define TS_METHODS_BULLET_PAIR_H

#include "methods/engines/bullet_shapes.h"

namespace {

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
  btVector3 origin_a, origin_b;

  bullet_pair(bullet_shape *shape_a, bullet_shape *shape_b)
      : configuration(small_pools()), dispatcher(&configuration), origin_a(shape_a->origin),
        origin_b(shape_b->origin) {
    a.setCollisionShape(shape_a->shape);
    b.setCollisionShape(shape_b->shape);
  }

  void place(const ts_pair *pair) {
    place_at(&a, bullet_transform(pair->pose_a), origin_a);
    place_at(&b, bullet_transform(pair->pose_b), origin_b);
  }

private:
  static void place_at(btCollisionObject *object, btTransform frame, const btVector3 &origin) {
    frame.setOrigin(frame * origin);
    object->setWorldTransform(frame);
  }
};

inline btCollisionObjectWrapper bullet_wrapper(const btCollisionObject *object) {
  return btCollisionObjectWrapper(nullptr, object->getCollisionShape(), object,
                                  object->getWorldTransform(), -1, -1);
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

/// The same seen from the other body.
inline ts_contact bullet_turned(ts_contact contact) {
  contact.normal = ts_vec3{-contact.normal.x, -contact.normal.y, -contact.normal.z};
  return contact;
}

/// Pushes the contacts of a manifold, whose bodies are in the order that its algorithm chose.
inline ts_status bullet_push(const ts_host *host, const bullet_pair *pair,
                             const btPersistentManifold *manifold) {
  ts_contact contacts[MANIFOLD_CACHE_SIZE];
  int count = manifold->getNumContacts();
  for (int i = 0; i < count; i++) {
    const btManifoldPoint &point = manifold->getContactPoint(i);
    contacts[i] = bullet_contact(point.m_positionWorldOnA, point.m_positionWorldOnB,
                                 point.m_normalWorldOnB, point.m_distance1);
    if (manifold->getBody0() == &pair->b)
      contacts[i] = bullet_turned(contacts[i]);
  }
  return host->push(host, contacts, static_cast<size_t>(count));
}

} // namespace

#endif
