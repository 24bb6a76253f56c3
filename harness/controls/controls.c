// SPDX-License-Identifier: MIT
#include "harness/controls/controls.h"

#include "base/hash.h"
#include "geometry/vec3.h"
#include "harness/controls/ideal.h"

#include <math.h>

extern const ts_method ts_control_nodes, ts_control_crash, ts_control_hang, ts_control_memory;

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

/// Relative to the pair size: the noise of gaps. Of the way to the middle of a set: that of points.
#define GAP_NOISE_RELATIVE 1e-3
#define HOP_RELATIVE       0.1

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

// Sets that do not hold together over time. They depend on the poses alone, to the bit, so that
// they answer the same when asked again; each is right, or nearly so, at every step on its own.

/// Between 0 and 1, another one for each pose of the pair and each number.
static double noise_of(const ts_pair *pair, uint64_t number) {
  const ts_pose poses[2] = {pair->pose_a, pair->pose_b};
  uint64_t hash = ts_hash_bytes(TS_HASH_START, poses, sizeof poses);
  hash = ts_hash_bytes(hash, &number, sizeof number);
  return (double)(hash >> 11) * 0x1p-53;
}

static void turn_a_little(ts_contact *contact, size_t index, const ts_pair *pair) {
  contact->normal = tilt(contact->normal, (noise_of(pair, index) - 0.5) * DEGREE);
}

static void shake_gap(ts_contact *contact, size_t index, const ts_pair *pair) {
  contact->gap_m -= GAP_NOISE_RELATIVE * noise_of(pair, index) * pair->size_m;
}

static void number_contact(ts_contact *contact, size_t index, const ts_pair *pair) {
  uint32_t id = (uint32_t)(1e6 * noise_of(pair, index));
  contact->feature_a = contact->feature_b = (ts_feature){TS_FEATURE_VERTEX, id};
}

SPOILED_BY(turn_a_little)
SPOILED_BY(shake_gap)
SPOILED_BY(number_contact)

/// Pushes the contacts of the ideal set that a test keeps.
static ts_status push_some(const ts_host *host, const ts_pair *pair,
                           bool (*keeps)(size_t index, size_t count, const ts_pair *pair)) {
  ts_ideal ideal;
  ts_status status = ts_ideal_contacts(&ideal, host, pair);
  for (size_t i = 0; status == TS_OK && i < ideal.count; i++)
    if (keeps(i, ideal.count, pair))
      status = host->push(host, &ideal.contacts[i], 1);
  return status;
}

static bool is_not_the_gone(size_t index, size_t count, const ts_pair *pair) {
  bool is_one_gone = noise_of(pair, 0) < 1.0 / 7;
  return !is_one_gone || index != (size_t)(noise_of(pair, 1) * (double)count);
}

static ts_status generate_flicker(const ts_host *host, const ts_pair *pair, const void *shape_a,
                                  const void *shape_b, void *pair_state, const double *params) {
  (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  return push_some(host, pair, is_not_the_gone);
}

static bool is_in_turn(size_t index, size_t count, const ts_pair *pair) {
  (void)count;
  return index % 2 == (noise_of(pair, 0) < 0.5);
}

static ts_status generate_alternate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                                    const void *shape_b, void *pair_state, const double *params) {
  (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  return push_some(host, pair, is_in_turn);
}

/// Points hop towards the middle of their set by up to a tenth of the way.
static ts_status generate_hop(const ts_host *host, const ts_pair *pair, const void *shape_a,
                              const void *shape_b, void *pair_state, const double *params) {
  (void)shape_a, (void)shape_b, (void)pair_state, (void)params;
  ts_ideal ideal;
  ts_status status = ts_ideal_contacts(&ideal, host, pair);
  if (status != TS_OK || ideal.count == 0)
    return status;
  ts_vec3 first = ideal.contacts[0].point, sum = {0, 0, 0};
  for (size_t i = 0; i < ideal.count; i++)
    sum = ts_vec3_add(sum, ts_vec3_sub(ideal.contacts[i].point, first));
  ts_vec3 middle = ts_vec3_add_scaled(first, 1 / (double)ideal.count, sum);
  for (size_t i = 0; i < ideal.count; i++)
    ideal.contacts[i].point =
        ts_vec3_lerp(ideal.contacts[i].point, middle, HOP_RELATIVE * noise_of(pair, i));
  return host->push(host, ideal.contacts, ideal.count);
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
CONTROL(flicker, generate_flicker,
        "Wrong on purpose: in one step of seven a contact of each pair is missing.")
CONTROL(alternate, generate_alternate,
        "Wrong on purpose: every other contact, the odd or the even ones.")
CONTROL(hopping, generate_hop,
        "Wrong on purpose: points hop inwards by up to a tenth of the way to their middle.")
CONTROL(swaying, generate_turn_a_little,
        "Wrong on purpose: normals turn by up to half a degree either way, each step anew.")
CONTROL(
    shaking, generate_shake_gap,
    "Wrong on purpose: gaps are too deep by up to a thousandth of the pair size, each step anew.")
CONTROL(shuffled, generate_number_contact, "Wrong on purpose: other feature ids at each step.")

const ts_method *const ts_controls[] = {
    &control_ideal,
    &control_flipped,
    &control_tilted,
    &control_nan,
    &control_not_unit,
    &control_dropped_region,
    &control_tripled,
    &control_phantom,
    &control_too_deep,
    &control_too_shallow,
    &control_endless,
    &control_ahead,

    &control_flicker,
    &control_alternate,
    &control_hopping,
    &control_swaying,
    &control_shaking,
    &control_shuffled,
    &ts_control_nodes,
    &ts_control_crash,
    &ts_control_hang,
    &ts_control_memory,
    NULL,
};
