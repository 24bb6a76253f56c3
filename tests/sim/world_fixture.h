// SPDX-License-Identifier: MIT
/// Small worlds for the tests of sim/, with contacts from points of one body against a plane of
/// another.
#ifndef TS_TESTS_SIM_WORLD_FIXTURE_H
#define TS_TESTS_SIM_WORLD_FIXTURE_H

#include "sim/world.h"
#include "sim/world_measures.h"
#include "tests/geometry/mesh/solids.h"

enum { FIXTURE_BODIES = 16, FIXTURE_TOUCHES = 32, FIXTURE_POINTS = 64 };

/// Points of body b, all of which touch a plane of body a.
typedef struct touch {
  int32_t a, b;
  ts_vec3 plane_local, normal_local; ///< of a
  size_t point_count;
  ts_vec3 points_local[FIXTURE_POINTS]; ///< of b
  double reach_m;                       ///< Points farther above the plane make no contact.
  double area_m2;                       ///< of each contact
} touch;

typedef struct world_fixture {
  ts_arena *arena;
  ts_shape shapes[FIXTURE_BODIES]; ///< one a body
  ts_body bodies[FIXTURE_BODIES];
  size_t body_count;
  touch touches[FIXTURE_TOUCHES];
  size_t touch_count;
  ts_contact_set sets[FIXTURE_TOUCHES];
  ts_world_params params;
  ts_world *world;
  ts_solver_report report; ///< of the last step
  int32_t copies;          ///< Each contact is given so often.
  int32_t backwards;       ///< Sets and contacts are given the other way round.
} world_fixture;

/// Empty, with the paper's parameters but without damping.
void fixture_init(world_fixture *f);
void fixture_release(world_fixture *f);

/// Adds a body of density 1000 kg/m3; its number.
int32_t fixture_add(world_fixture *f, const solid *shape, ts_pose pose, int is_fixed);

/// A box with edges `size`, its local origin at its middle.
int32_t fixture_add_box(world_fixture *f, ts_vec3 size, ts_pose pose, int is_fixed);

/// The lower corners (y) of box b, with edges `size`, touch the plane of body a.
touch *fixture_touch_corners(world_fixture *f, int32_t a, ts_vec3 plane_local, int32_t b,
                             ts_vec3 size);

/// The centres of n x n equal cells of the lower face of box b touch the plane of body a, each with
/// the area of its cell.
touch *fixture_touch_cells(world_fixture *f, int32_t a, ts_vec3 plane_local, int32_t b,
                           ts_vec3 size, int along_x, int along_z);

/// Makes the world; bodies and parameters are as they shall be.
void fixture_start(world_fixture *f);

/// Does so many steps, which must be fine.
void fixture_steps(world_fixture *f, int count);

/// Fits ts_world_contacts; the context is the fixture.
ts_status fixture_contacts(void *context, const ts_contact_set **out, size_t *out_count,
                           const ts_body *bodies, size_t body_count);

/// A pose without a turn.
ts_pose fixture_at(double x, double y, double z);

/// `count` boxes with edges `size` above each other on a fixed ground whose top is y = 0.
void fixture_stack(world_fixture *f, int count, ts_vec3 size);

/// The ground turned by `angle_rad` about z, and a box on it. Returns the direction up the slope.
ts_vec3 fixture_incline(world_fixture *f, double angle_rad, double scale);

#endif
