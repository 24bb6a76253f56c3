// SPDX-License-Identifier: MIT
/// Small worlds of deformable bodies and exact obstacles, whose contacts are the surface nodes of
/// the deformable ones. Errors end the program, so that tests and benchmarks share them.
#ifndef TS_TESTS_SIM_SOFT_SCENE_H
#define TS_TESTS_SIM_SOFT_SCENE_H

#include "sim/soft/shape_error.h"
#include "tests/sim/soft/tet_grid.h"

enum { SOFT_BODIES = 8, SOFT_TOUCHES = 8 };

/// What an obstacle is in the frame of its body.
typedef enum soft_obstacle {
  SOFT_PLANE,  ///< all that is below y = 0
  SOFT_SPHERE, ///< about the origin
  SOFT_RING    ///< about z
} soft_obstacle;

/// The surface nodes of a deformable body against an obstacle.
typedef struct soft_touch {
  soft_obstacle kind;
  int32_t obstacle, body;
  double radius_m, tube_m; ///< of a sphere; of the centre line of a ring, and of its section
  double reach_m;          ///< contacts are where the gap is below that
} soft_touch;

typedef struct soft_scene {
  ts_arena *arena;
  ts_shape shapes[SOFT_BODIES];
  ts_body bodies[SOFT_BODIES];
  ts_elastic elastic[SOFT_BODIES];
  bool *surface[SOFT_BODIES]; ///< [vertex_count] whether a node is on the surface
  size_t body_count;
  soft_touch touches[SOFT_TOUCHES];
  size_t touch_count;
  ts_soft_world_params params;
  bool has_features; ///< contacts name their vertex
} soft_scene;

/// Empty.
void soft_scene_init(soft_scene *s);
void soft_scene_release(soft_scene *s);

/// Adds a body of 1000 kg/m3 with this mesh; deformable when `elastic` is not NULL.
int32_t soft_scene_add(soft_scene *s, ts_mesh *mesh, ts_pose pose, const ts_elastic *elastic);

/// Adds a rigid cube, which stands for an obstacle.
int32_t soft_scene_add_cube(soft_scene *s, double edge_m, ts_pose pose, bool is_fixed);

/// A torus about z: 36 slices of 8 prisms, 324 nodes and 864 tets.
ts_mesh *soft_torus(ts_arena *arena, double radius_m, double tube_m);

/// A world of the scene as it is now, by that compliance; the caller destroys it.
ts_soft_world *soft_scene_world(const soft_scene *s, ts_compliance_kind response);

/// The contacts of a world as it lies now into sets [touch_count], which soft_scene_clear frees.
void soft_scene_contacts(const soft_scene *s, const ts_soft_world *world,
                         ts_contact_set sets[SOFT_TOUCHES]);
void soft_scene_clear(ts_contact_set sets[SOFT_TOUCHES]);

/// The smallest gap of a surface node and its obstacle, as the world lies now.
double soft_scene_gap(const soft_scene *s, const ts_soft_world *world);

/// One step.
ts_soft_report soft_scene_step(const soft_scene *s, ts_soft_world *world);

#endif
