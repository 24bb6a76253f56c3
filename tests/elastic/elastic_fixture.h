// SPDX-License-Identifier: MIT
/// Pairs of bodies for tests of their overlap and contact surface.
#ifndef TS_TESTS_ELASTIC_ELASTIC_FIXTURE_H
#define TS_TESTS_ELASTIC_ELASTIC_FIXTURE_H

#include "base/random.h"
#include "elastic/contact_surface.h"

/// A box of these half sides around `centre`.
ts_mesh *elastic_box(ts_arena *arena, ts_vec3 half, ts_vec3 centre);

/// Boxes [count] that do not touch, as one mesh.
ts_mesh *elastic_boxes(ts_arena *arena, const ts_vec3 (*half_and_centre)[2], size_t count);

/// Two shelves, 2 wide and 1 high with a gap of 1 between them, on a wall that is 1 wide: x and y
/// from 0 to 3, z from 0 to 1.
ts_mesh *elastic_shelves(ts_arena *arena);

/// The hull of some random points at distances of 0.7 to 1 from the origin.
ts_mesh *elastic_rock(ts_arena *arena, ts_random *random);

/// A random unit vector.
ts_vec3 elastic_random_direction(ts_random *random);

/// The pair, whose boxes overlap.
ts_elastic_pair *elastic_pair_of(ts_arena *arena, const ts_mesh *a, ts_pose pose_a,
                                 const ts_mesh *b, ts_pose pose_b);

/// Its overlap.
ts_inside elastic_inside(const ts_elastic_pair *pair);

/// The contact surface of its only part, along the mapping direction.
ts_contact_surface elastic_surface(const ts_elastic_pair *pair, double stiffness_a);

/// The area of a contact surface seen along its direction, and the integral of the depth over it.
double elastic_flat_area(const ts_contact_surface *surface);
double elastic_volume(const ts_contact_surface *surface);

ts_pose elastic_at(double x, double y, double z);

#endif
