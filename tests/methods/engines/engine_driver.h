// SPDX-License-Identifier: MIT
/// Runs a packaged engine on one pair of bodies: its shared object, a host for it, and cubes.
#ifndef TS_TESTS_ENGINES_ENGINE_DRIVER_H
#define TS_TESTS_ENGINES_ENGINE_DRIVER_H

#include "base/arena.h"
#include "geometry/contact_set.h"
#include "geometry/pose.h"
#include "methods/method.h"

typedef struct engine_driver engine_driver;
struct engine_driver {
  ts_host host;        ///< must be first: the host's functions cast it to the driver
  engine_driver *self; ///< for functions that get a const host
  void *library;
  const ts_method *method;
  double values[16]; ///< of the method's parameters; initially the defaults
  ts_arena *arena;
  ts_contact_set set; ///< of the last run, as pushed
  char message[512];  ///< of the last failure
};

/// Loads an engine. Skips the test if it was not built.
void driver_open(engine_driver *d, const char *name);
void driver_close(engine_driver *d);

/// Changes the value of a parameter, which the method must have.
void driver_set(engine_driver *d, const char *parameter, double value);

/// The tessellated box of these corners; as an `engine_driver`'s mesh it lives as long as that.
const ts_mesh *driver_box(engine_driver *d, ts_vec3 low, ts_vec3 high);
const ts_mesh *driver_mesh(engine_driver *d, const ts_vec3 *vertices, size_t vertex_count,
                           const uint32_t (*triangles)[3], size_t triangle_count);

/// Prepares, generates and releases; the contacts are in `d->set`. Generates twice, and fails the
/// test if the contacts differ.
ts_status driver_run(engine_driver *d, const ts_mesh *const mesh[2], const ts_pose pose[2]);

/// Two bodies prepared for several calls.
typedef struct engine_pair {
  const ts_mesh *mesh[2];
  void *shape[2], *state;
  ts_envelope envelope;
} engine_pair;

/// Prepares a pair; release it even on failure.
ts_status driver_prepare(engine_pair *out, engine_driver *d, const ts_mesh *const mesh[2],
                         const ts_pose pose[2]);

/// Generates once; the contacts are in `d->set`.
ts_status driver_generate(engine_driver *d, const engine_pair *pair, const ts_pose pose[2]);
void driver_release(engine_driver *d, engine_pair *pair);

/// Two cubes of 1 m that overlap by a depth. b's centre is off a's by a quarter of the side across
/// the normal, so that nothing is symmetric.
typedef struct cube_pair {
  const ts_mesh *mesh[2];
  ts_pose pose[2];
  ts_vec3 normal;  ///< from a to b
  double middle_m; ///< of the points midway between both faces, along the normal
  /// Rectangle of the overlap: its centre, unit axes across the normal and half sides.
  ts_vec3 centre, across[2];
  double half_m[2];
} cube_pair;

/// Number of pairs of cube_pair_make: six axes, unmoved and under random rigid motions.
#define CUBE_PAIRS ((size_t)6 * 6)

/// The pair number `index`; `depth_m` below 0 for a gap.
cube_pair cube_pair_make(engine_driver *d, size_t index, double depth_m);

/// The same with a and b swapped.
cube_pair cube_pair_swap(const cube_pair *pair);

/// Maximum errors of the contacts of a set against the truth of a pair.
typedef struct cube_errors {
  size_t count;
  double normal;  ///< length of the difference
  double flipped; ///< the same of the opposite normal
  double plane_m; ///< distance from the plane midway between both faces
  double gap_m;
  double outside_m; ///< distance outside the rectangle of overlap
} cube_errors;

cube_errors cube_errors_of(const ts_contact_set *set, const cube_pair *pair, double depth_m);

#endif
