// SPDX-License-Identifier: MIT
/// Keeps the contacts whose normal both bodies can push along at that place: it is in the normal
/// cones of their features. Bullet's filter of internal edges, Jolt's active edges and the local
/// minima of distance of Huang 2025 are this rule for some features.
#include "base/status.h"
#include "geometry/vec3.h"
#include "methods/modifiers/contact_cones.h"
#include "methods/modifiers/modifier.h"

#include <math.h>
#include <stdbool.h>

enum { ANGLE, PARAM_COUNT };

/// Up to this a normal is in a cone at any angle, since it and the cone are rounded.
#define ROUNDING_RAD 1e-9

static const ts_param params[PARAM_COUNT] = {
    [ANGLE] = {.name = "angle_deg",
               .summary = "Angle up to which a normal is in a cone.",
               .kind = TS_PARAM_REAL,
               .default_value = 1,
               .minimum = 0,
               .maximum = 180},
};

static double angle_to(ts_vec3 direction, const ts_normal_cone *cone) {
  double angle_rad;
  ts_normal_cone_closest(&angle_rad, cone, direction);
  return angle_rad;
}

static bool is_in_cones(const ts_contact *contact, const ts_normal_cone sides[2],
                        double angle_rad) {
  return angle_to(ts_contact_outward(contact, 0), &sides[0]) <= angle_rad &&
         angle_to(ts_contact_outward(contact, 1), &sides[1]) <= angle_rad;
}

/// Back and forth between two cones this often; they are of few rays, and it ends after one or two.
enum { SNAP_ROUNDS = 16 };

/// Turns a normal into both cones, starting with that of a side. False when it does not get there.
static bool snap_from(ts_contact *contact, const ts_normal_cone sides[2], int side,
                      double angle_rad) {
  for (int round = 0; round < SNAP_ROUNDS; round++) {
    const ts_normal_cone *cone = &sides[(side + round) % 2];
    ts_vec3 out = ts_contact_outward(contact, (side + round) % 2);
    double angle;
    ts_vec3 turned = ts_normal_cone_closest(&angle, cone, out);
    if (isinf(angle))
      return false;
    contact->normal = (side + round) % 2 == 0 ? turned : ts_vec3_neg(turned);
    if (is_in_cones(contact, sides, angle_rad))
      return true;
  }
  return false;
}

/// The way with the smaller turn.
static bool snap(ts_contact *contact, const ts_normal_cone sides[2], double angle_rad) {
  ts_contact first = *contact, second = *contact;
  bool has_first = snap_from(&first, sides, 0, angle_rad);
  bool has_second = snap_from(&second, sides, 1, angle_rad);
  if (!has_first && !has_second)
    return false;
  bool is_second = !has_first || (has_second && ts_vec3_dot(second.normal, contact->normal) >
                                                    ts_vec3_dot(first.normal, contact->normal));
  contact->normal = is_second ? second.normal : first.normal;
  return true;
}

static ts_status filter(const ts_host *host, ts_arena *arena, const ts_pair *pair,
                        const ts_contact *contacts, size_t count, double angle_rad) {
  ts_contact_cones cones;
  size_t kept = 0;
  TS_TRY(ts_contact_cones_create(&cones, arena, pair));
  ts_normal_cone sides[2];
  for (size_t i = 0; i < count; i++) {
    for (int side = 0; side < 2; side++)
      ts_contact_cones_find(&sides[side], &cones, &contacts[i], side);
    if (!is_in_cones(&contacts[i], sides, angle_rad))
      continue;
    TS_TRY(host->push(host, &contacts[i], 1));
    kept++;
  }
  // A pair that touches is not to fall through for want of a right normal.
  for (size_t i = 0; i < count && kept == 0; i++) {
    ts_contact contact = contacts[i];
    for (int side = 0; side < 2; side++)
      ts_contact_cones_find(&sides[side], &cones, &contact, side);
    if (snap(&contact, sides, angle_rad))
      TS_TRY(host->push(host, &contact, 1));
  }
  return TS_OK;
}

static ts_status apply(const ts_host *host, const ts_pair *pair, const ts_contact *contacts,
                       size_t count, const double *values) {
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = filter(host, arena, pair, contacts, count,
                            values[ANGLE] * (3.14159265358979323846 / 180) + ROUNDING_RAD);
  ts_arena_destroy(arena);
  return status;
}

const ts_modifier ts_modifier_cones = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_modifier),
    .name = "cones",
    .summary =
        "Drops contacts whose normal is in no normal cone of the features there; turns those "
        "of a pair that would have none, where a direction is in the cones of both bodies.",
    .source = "Internal edges of Bullet, active edges of Jolt; Huang 2025, in one rule.",
    .params = params,
    .param_count = PARAM_COUNT,
    .apply = apply,
};
