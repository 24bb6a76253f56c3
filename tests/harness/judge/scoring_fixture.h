// SPDX-License-Identifier: MIT
/// Scenes and contacts made by hand, for the tests of the judge and of the metrics.
#ifndef TS_TESTS_HARNESS_SCORING_FIXTURE_H
#define TS_TESTS_HARNESS_SCORING_FIXTURE_H

#include "harness/judge/judge.h"

/// A region with the same feasible normals under every reference.
typedef struct region_spec {
  int32_t a, b;
  bool any_one;
  size_t vertex_count;
  ts_vec3 vertices[8];
  size_t normal_count;
  ts_feasible normals[4];
} region_spec;

extern ts_arena *arena;
void scoring_setup(void);
void scoring_teardown(void);

/// A scene of `body_count` unit cubes, so that the size of every pair is 1 m, and these regions.
ts_scene *scene_with(size_t body_count, const region_spec *specs, size_t count);

/// A contact at (x, y, z) with this normal and gap.
ts_contact contact_at(double x, double y, double z, ts_vec3 normal, double gap_m);

/// The set of these contacts, in this order.
ts_contact_set set_of(int32_t a, int32_t b, const ts_contact *contacts, size_t count);

/// The contacts of a method in a scene, and its envelope. values [method->param_count].
ts_contact_set *scoring_contacts(ts_envelope *out_envelope, size_t *out_count,
                                 const ts_scene *scene, const ts_method *method,
                                 const double *values);

/// The default scoring.
ts_scoring default_scoring(void);

ts_judgement judge(const ts_scene *scene, const ts_contact_set *sets, size_t count,
                   ts_envelope envelope);

/// The same, by a rule that is not the default one.
ts_judgement judge_by(ts_scoring_rule rule, const ts_scene *scene, const ts_contact_set *sets,
                      size_t count, ts_envelope envelope);

/// The verdict on one contact of the bodies 0 and 1.
ts_verdict judge_one(const ts_scene *scene, ts_contact contact, ts_envelope envelope);

/// (0, 1, 0) turned by an angle towards x.
ts_vec3 up_tilted(double angle_deg);

static const ts_envelope no_envelope = {0, 0, 0, 0};
static const ts_vec3 up = {0, 1, 0}, down = {0, -1, 0}, right = {1, 0, 0};

/// The unit square at y = 0 from (0, 0) to (1, 1) in x and z, between two bodies, normal up.
#define SQUARE(body_a, body_b)                                                                     \
  {                                                                                                \
    .a = body_a, .b = body_b, .vertex_count = 4,                                                   \
    .vertices = {{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}}, .normal_count = 1, .normals = {      \
      {{0, 1, 0}, 0}                                                                               \
    }                                                                                              \
  }

#endif
