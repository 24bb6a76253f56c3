// SPDX-License-Identifier: MIT
// covers: harness/judge/metrics/quality_area.c
// covers: methods/pressure/pressure_field.c methods/pressure/pressure_patch.c
// covers: methods/pressure/pressure_cut.c
// The measure of areas, and the areas of the one method that is about them.
#include "base/param.h"
#include "base/status.h"
#include "geometry/polygon.h"
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
