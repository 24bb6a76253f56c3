// SPDX-License-Identifier: MIT
// covers: harness/judge/metrics/quality_area.c
// covers: methods/pressure/pressure_field.c methods/pressure/pressure_patch.c
// covers: methods/pressure/pressure_cut.c
// The measure of areas, and the areas of the one method that is about them.
#include "base/param.h"
#include "base/status.h"
#include "geometry/polygon.h"
#include "harness/judge/metrics/metric.h"
#include "harness/run/cell.h"
#include "methods/registry.h"
#include "tests/harness/judge/scoring_fixture.h"

#include <criterion/criterion.h>
#include <math.h>

TestSuite(harness_quality_area, .init = scoring_setup, .fini = scoring_teardown, .timeout = 120);

static const ts_method *pressure_field(double **values) {
  const ts_method *method = ts_method_find("pressure_field");
  cr_assert_not_null(method);
  *values = ts_arena_array(arena, method->param_count, sizeof **values);
  ts_param_defaults(*values, method->params, method->param_count);
  return method;
}

/// Of all regions of a scene, which are polygons.
static double true_area_m2(const ts_scene *scene) {
  double sum_m2 = 0;
  for (size_t i = 0; i < scene->region_count; i++) {
    const ts_region *region = &scene->regions[i];
    double area_m2;
    cr_assert_eq(ts_hull_area(&area_m2, arena, region->vertices, region->vertex_count,
                              region->feasible[TS_REFERENCE_DESIGN].normals[0].normal),
                 TS_OK);
    sum_m2 += area_m2;
  }
  return sum_m2;
}

static ts_scene *build(const char *name) {
  const ts_case *c = ts_case_find(name);
  size_t count = ts_case_param_count(c);
  double *values = ts_arena_array(arena, count, sizeof *values);
  ts_param_defaults(values, ts_case_params(arena, c), count);
  ts_scene *scene;
  cr_assert_eq(ts_case_build(&scene, arena, c, values), TS_OK, "%s", ts_status_detail());
  return scene;
}

Test(harness_quality_area, patches_of_pressure_have_the_areas_of_the_faces_that_meet) {
  static const char *const names[] = {"pillar", "wall", "arch", "cliff_edges", "internal_edges"};
  double *values;
  const ts_method *method = pressure_field(&values);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    ts_scene *scene = build(names[i]);
    ts_contact_set *sets;
    size_t count;
    cr_assert_eq(ts_cell_contacts(&sets, &count, arena, scene, method, values), TS_OK, "%s",
                 ts_status_detail());
    double sum_m2 = 0;
    for (size_t s = 0; s < count; s++)
      for (size_t k = 0; k < sets[s].count; k++)
        sum_m2 += sets[s].contacts[k].area_m2;
    double ratio = sum_m2 / true_area_m2(scene);
    cr_expect(ratio > 0.998 && ratio < 1.002, "%s: %.5f", names[i], ratio);
  }
}

static double quality_of_area(const ts_contact *contacts, size_t count) {
  static const region_spec square[] = {SQUARE(0, 1)};
  ts_contact_set set = set_of(0, 1, contacts, count);
  ts_record record;
  ts_row_init(&ts_summary_rows, &record);
  ts_judgement judgement = judge(scene_with(2, square, 1), &set, 1, no_envelope);
  cr_assert_eq(ts_metrics_compute(&record, &judgement), TS_OK);
  return record.quality_area_percent;
}

static ts_contact with_area(ts_vec3 normal, double area_m2) {
  ts_contact contact = contact_at(0.5, 0, 0.5, normal, 0);
  contact.area_m2 = area_m2;
  return contact;
}

Test(harness_quality_area, a_normal_counts_by_the_area_of_its_contact) {
  ts_contact contacts[] = {with_area(up, 0.6), with_area(down, 0.3), with_area(right, 0.06),
                           with_area(up_tilted(45), 0.04)};
  cr_expect_float_eq(quality_of_area(contacts, 4), 90, 1e-9);
  cr_expect_float_eq(quality_of_area(contacts, 2), 100, 1e-9);
  cr_expect_eq(quality_of_area(contacts + 2, 2), 0);
}

Test(harness_quality_area, without_areas_nothing_is_said) {
  ts_contact contacts[] = {with_area(up, 0.6), with_area(up, NAN)};
  cr_expect(isnan(quality_of_area(contacts, 2)), "one area is unknown");
  cr_expect(isnan(quality_of_area(contacts, 0)), "there is no contact");
  contacts[0].area_m2 = 0;
  cr_expect(isnan(quality_of_area(contacts, 1)), "no contact has an area");
}
