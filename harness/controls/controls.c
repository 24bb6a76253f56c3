// SPDX-License-Identifier: MIT
#include "harness/controls/controls.h"

#include "geometry/vec3.h"
#include "harness/controls/ideal.h"

#include <math.h>

extern const ts_method ts_control_crash, ts_control_hang, ts_control_memory;

#define DEGREE (3.14159265358979323846 / 180)

/// Far above the tolerance of a correct normal, far below the angle to another feasible one.
#define TILT_RAD (2 * DEGREE)

/// Below the published tolerance of normals (TS_NORMAL_TOLERANCE, 1e-4) and above that of unit
/// length (TS_UNIT_NORMAL, 1e-6), so that only `normals_invalid` reports it.
#define NOT_UNIT_LENGTH (1 + 4e-5)

/// Large enough to make two contacts distinct (TS_SAME_NORMAL, 1e-6), too small to make a normal
/// wrong.
#define TRIPLE_TILT_RAD 1e-5

/// Relative to the pair size: the distance of the phantom contact from the region, and the
/// penetration that is added to every gap before it is multiplied by ten (at exact touch, ten times
/// zero would be zero).
#define PHANTOM_RELATIVE 0.1
#define DEPTH_RELATIVE   1e-3

/// Gap of the contact ahead of a touch, relative to the pair size: that of no two surfaces there.
#define AHEAD_RELATIVE 0.0137

/// The unit normal turned by `angle_rad` about an axis perpendicular to it.
static ts_vec3 tilt(ts_vec3 normal, double angle_rad) {
  ts_vec3 u, v;
  ts_vec3_tangents(&u, &v, normal);
  return ts_vec3_add_scaled(ts_vec3_scale(normal, cos(angle_rad)), sin(angle_rad), u);
}

static ts_status generate_ideal(const ts_host *host, const ts_pair *pair, const void *shape_a,
                                const void *shape_b, void *pair_state, const double *params) {
  (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  ts_ideal ideal;
  ts_status status = ts_ideal_contacts(&ideal, host, pair);
  return status != TS_OK ? status : host->push(host, ideal.contacts, ideal.count);
}

/// Changes one contact of the ideal set; `index` counts the contacts of the pair.
typedef void (*spoil)(ts_contact *contact, size_t index, const ts_pair *pair);

static ts_status push_spoiled(const ts_host *host, const ts_pair *pair, spoil spoil_contact) {
  ts_ideal ideal;
  ts_status status = ts_ideal_contacts(&ideal, host, pair);
  if (status != TS_OK)
    return status;
  for (size_t i = 0; i < ideal.count; i++)
    spoil_contact(&ideal.contacts[i], i, pair);
  return host->push(host, ideal.contacts, ideal.count);
}

static void flip(ts_contact *contact, size_t index, const ts_pair *pair) {
  (void)index, (void)pair;
  contact->normal = ts_vec3_neg(contact->normal);
}

static void turn_away(ts_contact *contact, size_t index, const ts_pair *pair) {
  (void)pair;
  contact->normal = tilt(contact->normal, index % 2 == 0 ? TILT_RAD : -TILT_RAD);
}

static void make_nan(ts_contact *contact, size_t index, const ts_pair *pair) {
  (void)index, (void)pair;
  contact->normal = (ts_vec3){NAN, NAN, NAN};
}

static void lengthen(ts_contact *contact, size_t index, const ts_pair *pair) {
  (void)index, (void)pair;
  contact->normal = ts_vec3_scale(contact->normal, NOT_UNIT_LENGTH);
}

static void deepen(ts_contact *contact, size_t index, const ts_pair *pair) {
  (void)index;
  contact->gap_m -= 10 * DEPTH_RELATIVE * pair->size_m;
}

static void lift(ts_contact *contact, size_t index, const ts_pair *pair) {
  (void)index;
  contact->gap_m += 10 * DEPTH_RELATIVE * pair->size_m;
}

static void sink(ts_contact *contact, size_t index, const ts_pair *pair) {
  (void)index, (void)pair;
  contact->gap_m = -INFINITY;
}

#define SPOILED_BY(function)                                                                       \
  static ts_status generate_##function(const ts_host *host, const ts_pair *pair,                   \
                                       const void *shape_a, const void *shape_b, void *pair_state, \
                                       const double *params) {                                     \
    (void)shape_a, (void)shape_b, (void)pair_state, (void)params;                                  \
    return push_spoiled(host, pair, function);                                                     \
  }
SPOILED_BY(flip)
SPOILED_BY(turn_away)
SPOILED_BY(make_nan)
SPOILED_BY(lengthen)
SPOILED_BY(deepen)
SPOILED_BY(lift)
SPOILED_BY(sink)

static ts_status generate_dropped(const ts_host *host, const ts_pair *pair, const void *shape_a,
                                  const void *shape_b, void *pair_state, const double *params) {
  (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  ts_ideal ideal;
  ts_status status = ts_ideal_contacts(&ideal, host, pair);
  if (status != TS_OK)
    return status;
  size_t first = ideal.first_region_count;
  return host->push(host, ideal.contacts + first, ideal.count - first);
}

static ts_status generate_tripled(const ts_host *host, const ts_pair *pair, const void *shape_a,
                                  const void *shape_b, void *pair_state, const double *params) {
  (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  ts_ideal ideal;
  ts_status status = ts_ideal_contacts(&ideal, host, pair);
  for (size_t i = 0; status == TS_OK && i < ideal.count; i++) {
    ts_contact three[3] = {ideal.contacts[i], ideal.contacts[i], ideal.contacts[i]};
    three[1].normal = tilt(three[0].normal, TRIPLE_TILT_RAD);
    three[2].normal = tilt(three[0].normal, -TRIPLE_TILT_RAD);
    status = host->push(host, three, 3);
  }
  return status;
}

/// The unit direction, within the plane or line of the region, that points away from it at its
/// first vertex.
static ts_vec3 way_out(const ts_region *region, ts_vec3 normal) {
  ts_vec3 centre = region->vertices[0], u, v;
  if (region->kind == TS_REGION_POINT) {
    ts_vec3_tangents(&u, &v, normal);
    return u;
  }
  for (size_t i = 1; i < region->vertex_count; i++) {
    ts_vec3 from_first = ts_vec3_sub(region->vertices[i], region->vertices[0]);
    centre = ts_vec3_add_scaled(centre, 1 / (double)region->vertex_count, from_first);
  }
  return ts_vec3_unit(ts_vec3_sub(region->vertices[0], centre));
}

/// The ideal set and one contact more, beside the first region of the scene.
static ts_status push_with_extra(const ts_host *host, const ts_pair *pair, double gap_relative) {
  ts_ideal ideal;
  ts_status status = ts_ideal_contacts(&ideal, host, pair);
  if (status == TS_OK && ideal.first_region) {
    ts_contact extra = ideal.contacts[0];
    ts_vec3 out = way_out(ideal.first_region, extra.normal);
    extra.point = ts_vec3_add_scaled(extra.point, PHANTOM_RELATIVE * pair->size_m, out);
    extra.gap_m += gap_relative * pair->size_m;
    status = host->push(host, &extra, 1);
  }
  return status != TS_OK ? status : host->push(host, ideal.contacts, ideal.count);
}

static ts_status generate_phantom(const ts_host *host, const ts_pair *pair, const void *shape_a,
                                  const void *shape_b, void *pair_state, const double *params) {
  (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  return push_with_extra(host, pair, 0);
}

static ts_status generate_ahead(const ts_host *host, const ts_pair *pair, const void *shape_a,
                                const void *shape_b, void *pair_state, const double *params) {
  (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  return push_with_extra(host, pair, AHEAD_RELATIVE);
}

#define CONTROL(key, generator, what)                                                              \
  static const ts_method control_##key = {                                                         \
      .abi = TS_METHOD_ABI,                                                                        \
      .struct_size = sizeof(ts_method),                                                            \
      .name = "control_" #key,                                                                     \
      .summary = what,                                                                             \
      .source = "touchstone, harness/controls",                                                    \
      .gives = TS_GIVES_GAP,                                                                       \
      .generate = generator,                                                                       \
  };
CONTROL(ideal, generate_ideal,
        "The smallest set of contacts that represents the truth; all measures are perfect.")
CONTROL(flipped, generate_flip, "Wrong on purpose: every normal points from b to a.")
CONTROL(tilted, generate_turn_away, "Wrong on purpose: every normal is off by two degrees.")
CONTROL(nan, generate_make_nan, "Wrong on purpose: every normal is NaN.")
CONTROL(not_unit, generate_lengthen, "Wrong on purpose: every normal is longer than 1 by 4e-5.")
CONTROL(dropped_region, generate_dropped,
        "Wrong on purpose: the first region of the scene has no contact.")
CONTROL(tripled, generate_tripled, "Wrong on purpose: every contact is delivered three times.")
CONTROL(phantom, generate_phantom,
        "Wrong on purpose: one extra contact beside the first region of the scene.")
CONTROL(too_deep, generate_deepen,
        "Wrong on purpose: every gap is too deep by a hundredth of the pair size.")
CONTROL(too_shallow, generate_lift,
        "Wrong on purpose: every gap is too large by a hundredth of the pair size.")
CONTROL(endless, generate_sink, "Wrong on purpose: every gap is minus infinity.")
CONTROL(ahead, generate_ahead,
        "Wrong on purpose: one extra contact ahead of a touch where there is none to come.")

const ts_method *const ts_controls[] = {
    &control_ideal,    &control_flipped,        &control_tilted,    &control_nan,
    &control_not_unit, &control_dropped_region, &control_tripled,   &control_phantom,
    &control_too_deep, &control_too_shallow,    &control_endless,   &control_ahead,
    &ts_control_crash, &ts_control_hang,        &ts_control_memory, NULL,
};
