// SPDX-License-Identifier: MIT
// covers: cases/scene/minimum.c cases/scene/region.c cases/truth/derived_truth.c
// covers: cases/scene_file/scene_file_truth.c cases/scene_file/scene_file_write.c
// Flat places of any outline are one region, and demands that share a corner share its contacts.
#include "base/status.h"
#include "cases/scene_file/scene_file.h"
#include "cases/truth/derived_truth.h"
#include "geometry/tolerances.h"
#include "tests/cases/case_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  arena = case_fixture_arena();
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(cases_flat_places, .init = setup, .fini = teardown);

Test(cases_flat_places, a_ring_however_split_is_one_region_of_its_hull) {
  case_fixture_expect_totals(case_fixture_open(arena, "frame_on_slab"), "frame", 1, 4, 2);
  case_fixture_expect_totals(case_fixture_open(arena, "split_frames"), "split frames", 1, 4,
                             0.78 * 0.59);
  case_fixture_expect_totals(case_fixture_open(arena, "float_bar"), "float bar", 1, 4, 0.0105);
}

/// As the totals, but of bodies whose areas are far from 1 m2.
static void expect_area(const char *name, size_t minimum, double area_m2) {
  ts_truth_totals t = ts_scene_truth_totals(case_fixture_open(arena, name), TS_REFERENCE_DESIGN);
  cr_expect(t.regions == 1 && t.minimum == minimum, "%s: %zu regions, minimum %zu", name, t.regions,
            t.minimum);
  cr_expect_float_eq(t.area_m2 / area_m2, 1, 1e-6, "%s: %.9g m2", name, t.area_m2);
}

Test(cases_flat_places, an_outline_that_is_not_convex_is_one_region_at_any_size_and_turned) {
  expect_area("l_on_table", 5, 2.875e-6);
  expect_area("stool", 4, 6); // parts that are apart, too
  expect_area("split_u_on_ring", 4, 30);
  expect_area("float_tee", 6, 13.5);
}

Test(cases_flat_places, pieces_are_written_and_read) {
  ts_scene_part *parts;
  size_t count;
  const ts_scene_file about = {.name = "frame"};
  cr_assert_eq(
      ts_scene_file_write(&parts, &count, arena, case_fixture_open(arena, "frame_on_slab"), &about),
      TS_OK);
  cr_expect_not_null(strstr(parts[0].bytes, "\"pieces_m\": [[["));
}

Test(cases_flat_places, demands_of_one_corner_share_contacts) {
  case_fixture_expect_totals(case_fixture_open(arena, "ten_facets"), "ten facets", 5, 3, 0);
  case_fixture_expect_totals(case_fixture_open(arena, "facets_6"), "6 facets, derived", 3, 2, 0);
  case_fixture_expect_totals(case_fixture_open(arena, "facets_14"), "14 facets, derived", 7, 4, 0);
}

/// Demands at one point, each of the normals that it lists as characters from '0' on; the first
/// `all` need all.
static size_t minimum_of(const char *const *demands, size_t count, size_t all) {
  ts_region *regions = ts_arena_array(arena, count, sizeof *regions);
  ts_vec3 at = {1, 2, 3};
  for (size_t i = 0; i < count; i++) {
    size_t normal_count = strlen(demands[i]);
    ts_feasible *normals = ts_arena_array(arena, normal_count, sizeof *normals);
    for (size_t n = 0; n < normal_count; n++) {
      double angle = 0.05 * (demands[i][n] - '0');
      normals[n] = (ts_feasible){{cos(angle), sin(angle), 0}, 0};
    }
    regions[i] = (ts_region){.body_b = 1, .needs_all = i < all, .vertex_count = 1, .vertices = &at};
    for (int r = 0; r < TS_REFERENCE_COUNT; r++)
      regions[i].feasible[r] = (ts_feasible_set){normal_count, normals};
  }
  return ts_regions_minimum(regions, count, TS_REFERENCE_FEASIBLE, (ts_touch_limits){1e-6, 1e-6},
                            TS_CORNERS_CLOSED);
}

Test(cases_flat_places, the_minimum_is_that_of_a_hitting_set) {
  const char *const cycle[] = {"01", "12", "23", "34", "40"};
  cr_expect_eq(minimum_of(cycle, 5, 0), 3);
  const char *const free[] = {"012", "05", "16", "78"}; // the first two are served by the needed
  cr_expect_eq(minimum_of(free, 4, 1), 4);
  const char *const same[] = {"3", "3", "3"};
  cr_expect_eq(minimum_of(same, 3, 3), 1);
  const char *const ten[] = {"02", "02", "02", "03", "04", "12", "12", "12", "15", "16"};
  cr_expect_eq(minimum_of(ten, 10, 0), 2, "the normal that meets most is none of the two");
  const char *const many[] = {"01", "02", "03", "04", "05", "06",
                              "07", "08", "12", "34", "56", "78"};
  cr_expect_eq(minimum_of(many, 12, 0), 5, "beyond what is solved exactly");
  const char *const second[] = {"01", "12", "13", "14", "15", "16", "17", "18", "23", "45", "67"};
  cr_expect_eq(minimum_of(second, 11, 0), 4, "the second normal meets most");
}

Test(cases_flat_places, what_finds_no_room_counts_on_its_own) {
  const char *const normals[] = {
      "0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmno", "pq", "pr"};
  cr_expect_eq(minimum_of(normals, 3, 0), 3);
  const char *demands[70];
  for (size_t i = 0; i < 70; i++)
    demands[i] = "01";
  cr_expect_eq(minimum_of(demands, 64, 0), 1);
  cr_expect_eq(minimum_of(demands, 70, 0), 7);
}

static size_t count_regions_like(const ts_scene *scene, const ts_region *like) {
  const ts_feasible_set *of = &like->feasible[TS_REFERENCE_FEASIBLE];
  size_t count = 0;
  for (size_t r = 0; r < scene->region_count; r++) {
    const ts_feasible_set *set = &scene->regions[r].feasible[TS_REFERENCE_FEASIBLE];
    size_t found = 0;
    for (size_t i = 0; i < of->count; i++)
      for (size_t k = 0; k < set->count; k++)
        found += ts_vec3_distance(of->normals[i].normal, set->normals[k].normal) < 1e-9;
    count += found == of->count && set->count == of->count;
  }
  return count;
}

/// A fourth pair of runs blocks only what two of the others block together.
Test(cases_flat_places, what_several_demands_imply_together_is_not_derived) {
  const ts_scene *told = case_fixture_open(arena, "mixed_corner");
  ts_scene *scene = case_fixture_open(arena, "mixed_corner");
  cr_assert_eq(ts_derive_truth(scene, TS_POSITION_RELATIVE), TS_OK, "%s", ts_status_detail());
  case_fixture_expect_totals(told, "mixed corner, told", 3, 3, 0);
  case_fixture_expect_totals(scene, "mixed corner, derived", 3, 3, 0);
  for (size_t r = 0; r < told->region_count; r++)
    cr_expect_eq(count_regions_like(scene, &told->regions[r]), 1, "region %zu", r);
}
