// SPDX-License-Identifier: MIT
/// Meshes, poses and pairs for the tests of layered depth images.
#ifndef TS_TESTS_LDI_FIXTURE_H
#define TS_TESTS_LDI_FIXTURE_H

#include "base/sanitizer.h"
#include "geometry/tolerances.h"
#include "ldi/ldi.h"
#include "tests/geometry/mesh/solids.h"
#include "tests/geometry/random_geometry.h"
#include "tests/ldi/exact_overlap.h"

#include <criterion/criterion.h>

/// How many random motions a test tries: all of them, or fewer where a sanitizer slows it down.
#define LDI_TRIES(count) (TS_HAS_ADDRESS_SANITIZER ? ((count) + 19) / 20 : (count))

ts_mesh *ldi_box(ts_arena *arena, double width, double depth, double height);
ts_mesh *ldi_cube(ts_arena *arena, double side);
ts_mesh *ldi_tetrahedron(ts_arena *arena);

/// A ring about the z axis, filled with tets: `segments` prisms over a regular polygon of `sides`.
ts_mesh *ldi_torus(ts_arena *arena, int segments, int sides, double ring_radius, double radius);

/// Rings between two poles on the z axis.
ts_mesh *ldi_sphere(ts_arena *arena, int rings, int segments, double radius);

/// The block with a groove of the case spike_in_crack: x +-1, y +-0.5, z +-2, its groove along z
/// from (0, 0) up to (+-0.5, 0.5).
ts_mesh *ldi_crack(ts_arena *arena);

/// One mesh of each kind: with sharp edges, flat, with a hole, with a groove, and round.
enum { LDI_MESHES = 5 };
ts_mesh *ldi_mesh_of(ts_arena *arena, int which);

/// The same solid without its tets.
ts_mesh *ldi_without_tets(ts_arena *arena, const ts_mesh *mesh);

/// The mesh with each vertex multiplied by `by`, in the same frame.
ts_mesh *ldi_scaled(ts_arena *arena, const ts_mesh *mesh, double by);

static inline ts_pose ldi_at(double x, double y, double z) {
  return (ts_pose){ts_quat_identity(), {x, y, z}};
}

/// Two meshes under the reference back end; fails the test when that fails.
ts_ldi *ldi_open(const ts_mesh *a, const ts_mesh *b, int threads);
void ldi_place(ts_ldi *ldi, ts_pose a, ts_pose b, int resolution_px);
ts_ldi_overlap ldi_measure(ts_ldi *ldi);

/// The reference back end with the shapes of two meshes; fails the test when that fails.
typedef struct ldi_reference {
  ts_ldi_shape *shapes[2];
  void *state;
} ldi_reference;

ldi_reference ldi_reference_open(const ts_mesh *a, const ts_mesh *b);
void ldi_reference_close(ldi_reference *reference);

/// Box of the posed vertices, in the world: of one vertex after the other.
ts_aabb ldi_bounds(const ts_mesh *mesh, ts_pose pose);

/// Contacts in the order in which they were emitted.
typedef struct ldi_contacts {
  size_t count, capacity;
  ts_contact *list; ///< [count], in the arena that ldi_find was given.
} ldi_contacts;

ldi_contacts ldi_find(ts_arena *arena, ts_ldi *ldi, int cell_px);

/// Pairs of solids that overlap.
typedef enum ldi_scene_kind {
  LDI_CUBES, ///< Of sides 1 and 0.8.
  LDI_TORI,  ///< 256 triangles each, of one size; the ring of one through the other, or beside it.
  LDI_CRACK, ///< The block with a groove, and a cube of side 0.6 pressed into both flanks.
  LDI_SCENE_COUNT
} ldi_scene_kind;

/// The minimum share of the smaller body's volume that overlaps in what ldi_scene_draw draws.
#define LDI_SCENE_SHARE 0.05

typedef struct ldi_scene {
  ldi_scene_kind kind;
  const char *name;
  ts_mesh *mesh[2];
  ts_pose pose[2];
  exact_body exact[2];
  double volume_m3;    ///< Exact, of the overlap.
  size_t drawn, taken; ///< Poses so far.
} ldi_scene;

void ldi_scene_open(ldi_scene *out, ts_arena *arena, ldi_scene_kind kind);
void ldi_scene_close(ldi_scene *scene);

/// Poses a scene at random, and then the whole of it by a common random motion, until the overlap
/// is at least LDI_SCENE_SHARE of the smaller body.
void ldi_scene_draw(ldi_scene *scene, ts_random *random);

void ldi_expect_near(ts_vec3 found, ts_vec3 exact, double tolerance, const char *what);

ts_vec3 ldi_sum(const ts_vec3 *gradient, size_t count);

/// Sum of the gradient over the vertices of a body, and its moment about `centre`.
typedef struct ldi_wrench {
  ts_vec3 force, moment;
} ldi_wrench;

ldi_wrench ldi_wrench_about(const ts_mesh *mesh, ts_pose pose, const ts_vec3 *gradient,
                            ts_vec3 centre);

#endif
