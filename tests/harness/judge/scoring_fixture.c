// SPDX-License-Identifier: MIT
#include "tests/harness/judge/scoring_fixture.h"

#include "base/status.h"
#include "geometry/tolerances.h"
#include "harness/narrow_phase/narrow_phase.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

ts_arena *arena;

void scoring_setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

void scoring_teardown(void) {
  ts_arena_destroy(arena);
}

static int32_t add_cube(ts_scene *scene) {
  const ts_vec3 corners[8] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                              {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  const uint32_t triangles[12][3] = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7},
                                     {0, 1, 5}, {0, 5, 4}, {3, 7, 6}, {3, 6, 2},
                                     {0, 4, 7}, {0, 7, 3}, {1, 2, 6}, {1, 6, 5}};
  int32_t shape;
  cr_assert_eq(ts_scene_add_shape(&shape, scene, "cube", corners, 8, triangles, 12), TS_OK, "%s",
               ts_status_detail());
  return shape;
}

static ts_region make_region(const region_spec *spec) {
  ts_region region = {.body_a = spec->a,
                      .body_b = spec->b,
                      .kind = spec->vertex_count == 1   ? TS_REGION_POINT
                              : spec->vertex_count == 2 ? TS_REGION_SEGMENT
                                                        : TS_REGION_POLYGON,
                      .needs_all = !spec->any_one,
                      .vertex_count = spec->vertex_count};
  region.vertices = ts_arena_array(arena, 8, sizeof(ts_vec3));
  memcpy(region.vertices, spec->vertices, 8 * sizeof(ts_vec3));
  for (int r = 0; r < TS_REFERENCE_COUNT; r++) {
    region.feasible[r].count = spec->normal_count;
    region.feasible[r].normals = ts_arena_array(arena, 4, sizeof(ts_feasible));
    memcpy(region.feasible[r].normals, spec->normals, 4 * sizeof(ts_feasible));
  }
  return region;
}

ts_scene *scene_with(size_t body_count, const region_spec *specs, size_t count) {
  ts_scene *scene;
  cr_assert_eq(ts_scene_create(&scene, arena), TS_OK);
  int32_t shape = add_cube(scene), body;
  for (size_t i = 0; i < body_count; i++) {
    ts_pose pose = {{1, 0, 0, 0}, {2.0 * (double)i, 0, 0}};
    cr_assert_eq(ts_scene_add_body(&body, scene, "body", shape, pose, false), TS_OK);
  }
  scene->regions = ts_arena_array(arena, count, sizeof *scene->regions);
  scene->region_count = count;
  for (size_t i = 0; i < count; i++)
    scene->regions[i] = make_region(&specs[i]);
  return scene;
}

ts_contact contact_at(double x, double y, double z, ts_vec3 normal, double gap_m) {
  return (ts_contact){.point = {x, y, z}, .normal = normal, .gap_m = gap_m, .area_m2 = NAN};
}

ts_contact_set set_of(int32_t a, int32_t b, const ts_contact *contacts, size_t count) {
  ts_contact *copy = ts_arena_array(arena, count, sizeof *copy);
  if (count > 0)
    memcpy(copy, contacts, count * sizeof *copy);
  return (ts_contact_set){
      .body_a = a, .body_b = b, .contacts = copy, .count = count, .delivered = count};
}

ts_scoring default_scoring(void) {
  return (ts_scoring){.reference = TS_REFERENCE_DESIGN,
                      .normal_tolerance = TS_NORMAL_TOLERANCE,
                      .position_tolerance_relative = TS_POSITION_RELATIVE};
}

ts_judgement judge_by(ts_scoring_rule rule, const ts_scene *scene, const ts_contact_set *sets,
                      size_t count, ts_envelope envelope) {
  ts_judgement judgement;
  ts_scoring scoring = default_scoring();
  scoring.rule = rule;
  cr_assert_eq(ts_judge(&judgement, arena, scene, sets, count, envelope, scoring), TS_OK);
  return judgement;
}

ts_judgement judge(const ts_scene *scene, const ts_contact_set *sets, size_t count,
                   ts_envelope envelope) {
  return judge_by(TS_RULE_TOUCHSTONE, scene, sets, count, envelope);
}

ts_verdict judge_one(const ts_scene *scene, ts_contact contact, ts_envelope envelope) {
  ts_contact_set set = set_of(0, 1, &contact, 1);
  ts_judgement judgement = judge(scene, &set, 1, envelope);
  cr_assert_eq(judgement.pairs[0].set->count, 1);
  return judgement.pairs[0].verdicts[0];
}

ts_vec3 up_tilted(double angle_deg) {
  double angle = angle_deg * 3.14159265358979323846 / 180;
  return (ts_vec3){sin(angle), cos(angle), 0};
}

ts_contact_set *scoring_contacts(ts_envelope *out_envelope, size_t *out_count,
                                 const ts_scene *scene, const ts_method *method,
                                 const double *values) {
  ts_narrow_phase *phase;
  ts_contact_set *sets;
  cr_assert_eq(ts_narrow_phase_create(&phase, scene, method, values, TS_REFERENCE_DESIGN), TS_OK);
  cr_assert_eq(ts_narrow_phase_prepare(phase), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_narrow_phase_collect(&sets, phase, arena), TS_OK, "%s", ts_status_detail());
  *out_envelope = ts_narrow_phase_envelope(phase);
  *out_count = ts_narrow_phase_pair_count(phase);
  ts_narrow_phase_destroy(phase);
  return sets;
}
