// SPDX-License-Identifier: MIT
// covers: methods/elastic_contact.c
#include "base/param.h"
#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "tests/methods/method_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

extern const ts_method ts_method_elastic_contact;

static const ts_method *const method = &ts_method_elastic_contact;
static const ts_vec3 up = {0, 1, 0};

enum { VALUES_MAX = 8 };

/// The defaults, but for one parameter.
static const double *values_with(double values[VALUES_MAX], const char *name, double value) {
  cr_assert_leq(method->param_count, VALUES_MAX);
  ts_param_defaults(values, method->params, method->param_count);
  int index = ts_param_find(method->params, method->param_count, name);
  cr_assert_geq(index, 0, "%s", name);
  values[index] = value;
  return values;
}

static fixture_pair boxes(method_fixture *f, ts_vec3 half_a, ts_vec3 half_b, ts_vec3 at) {
  return (fixture_pair){{fixture_box(f, ts_vec3_neg(half_a), half_a, 0, 0),
                         fixture_box(f, ts_vec3_neg(half_b), half_b, 1, 0)},
                        {ts_pose_identity(), fixture_shift(at.x, at.y, at.z)}};
}

/// A cube sunk by 0.1 into a slab whose top is at 0.5.
static fixture_pair cube_on_slab(method_fixture *f) {
  return boxes(f, (ts_vec3){2, 0.5, 2}, (ts_vec3){0.5, 0.5, 0.5}, (ts_vec3){0.3, 0.9, -0.2});
}

static const ts_contact_set *found(method_fixture *f, const double *values,
                                   const fixture_pair *pair) {
  cr_assert_eq(fixture_try(f, method, values, pair), TS_OK, "%s", ts_status_detail());
  return &f->set;
}

Test(methods_elastic_contact, a_sunk_cube_has_contacts_at_its_corners_that_share_its_area) {
  static const double heights[] = {0.4, 0.45, 0.5}; // where b is rigid, both give way, a is rigid
  for (int i = 0; i < 3; i++) {
    method_fixture f;
    fixture_open(&f);
    double values[VALUES_MAX];
    fixture_pair pair = cube_on_slab(&f);
    const ts_contact_set *set = found(&f, values_with(values, "stiffness_a", 0.5 * i), &pair);
    cr_assert_eq(set->count, 4, "%zu contacts", set->count);
    for (size_t k = 0; k < 4; k++) {
      const ts_contact *c = &set->contacts[k];
      cr_expect_leq(ts_vec3_distance(c->normal, up), 1e-12);
      cr_expect_float_eq(c->gap_m, -0.1, 1e-12);
      cr_expect_float_eq(c->area_m2, 0.25, 1e-12);
      cr_expect_float_eq(c->point.y, heights[i], 1e-12);
      cr_expect_float_eq(fabs(c->point.x - 0.3), 0.5, 1e-12);
      cr_expect_float_eq(fabs(c->point.z + 0.2), 0.5, 1e-12);
    }
    fixture_close(&f);
  }
}

Test(methods_elastic_contact, bodies_that_coincide_are_skipped_with_that_reason) {
  for (int i = 0; i < 3; i++) {
    method_fixture f;
    fixture_open(&f);
    double values[VALUES_MAX];
    double size_m = i == 0 ? 1e-2 : i == 1 ? 1 : 10; // dilated by 1 mm like any other
    fixture_pair pair = boxes(&f, (ts_vec3){size_m, size_m / 2, size_m},
                              (ts_vec3){size_m, size_m / 2, size_m}, (ts_vec3){0, 0, 0});
    for (int k = 0; k < 2; k++) // at one place, turned alike, far away
      pair.pose[k] = (ts_pose){ts_quat_from_axis_angle((ts_vec3){0.6, 0, 0.8}, i), {100 * i, 0, 7}};
    cr_expect_eq(fixture_try(&f, method, values_with(values, "tau", 0), &pair), TS_SKIPPED);
    cr_expect(strstr(ts_status_detail(), "coincide"), "%s", ts_status_detail());
    fixture_close(&f);
  }
}

Test(methods_elastic_contact, bodies_that_share_a_box_but_nothing_in_it_have_no_contacts) {
  // Two prisms on either side of the diagonal of a box; they meet at two of its edges.
  static const double bases[2][4][2] = {{{0, 0}, {1, 0}, {1, 1}, {0.6, 0.4}},
                                        {{1, 1}, {0, 1}, {0, 0}, {0.4, 0.6}}};
  static const uint32_t triangles[12][3] = {{0, 3, 1}, {1, 3, 2}, {4, 5, 7}, {5, 6, 7},
                                            {0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5},
                                            {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
  method_fixture f;
  fixture_open(&f);
  double values[VALUES_MAX];
  fixture_pair pair = {.pose = {ts_pose_identity(), ts_pose_identity()}};
  for (int k = 0; k < 2; k++) {
    ts_vec3 vertices[8];
    ts_mesh *prism;
    for (int i = 0; i < 8; i++)
      vertices[i] = (ts_vec3){bases[k][i % 4][0], bases[k][i % 4][1], i < 4 ? 0 : 1};
    cr_assert_eq(ts_mesh_create(&prism, f.arena, vertices, 8, triangles, 12), TS_OK, "%s",
                 ts_status_detail());
    pair.mesh[k] = prism;
  }
  cr_expect_eq(found(&f, values_with(values, "tau", 0), &pair)->count, 0);
  pair.mesh[1] = pair.mesh[0];
  cr_expect_eq(fixture_try(&f, method, values, &pair), TS_SKIPPED, "one prism twice coincides");
  fixture_close(&f);
}

/// A spike upside down, its tip in a slab.
static fixture_pair spike_in_slab(method_fixture *f) {
  ts_vec3 half = {2, 0.5, 2};
  return (fixture_pair){{fixture_box(f, ts_vec3_neg(half), half, 0, 0), fixture_spike(f, 0.8, 2.4)},
                        {ts_pose_identity(), fixture_upside_down(0.1, 0.4, 0.2)}};
}

static const ts_contact *contact_near(const ts_contact_set *set, ts_vec3 point) {
  const ts_contact *nearest = &set->contacts[0];
  for (size_t i = 1; i < set->count; i++)
    if (ts_vec3_distance(set->contacts[i].point, point) < ts_vec3_distance(nearest->point, point))
      nearest = &set->contacts[i];
  return nearest;
}

Test(methods_elastic_contact, a_swap_with_the_stiffness_mirrored_negates_the_normals_only) {
  method_fixture f, g;
  fixture_open(&f);
  fixture_open(&g);
  double values[VALUES_MAX], mirrored[VALUES_MAX];
  fixture_pair pair = spike_in_slab(&f),
               swapped = {{pair.mesh[1], pair.mesh[0]}, {pair.pose[1], pair.pose[0]}};
  const ts_contact_set *set = found(&f, values_with(values, "stiffness_a", 0.3), &pair);
  const ts_contact_set *other = found(&g, values_with(mirrored, "stiffness_a", 0.7), &swapped);
  cr_assert_geq(set->count, 8);
  size_t tilted = 0;
  for (size_t i = 0; i < set->count; i++) {
    const ts_contact *c = &set->contacts[i];
    bool has_partner = false;
    for (size_t k = 0; k < other->count; k++) {
      const ts_contact *d = &other->contacts[k];
      has_partner |= ts_vec3_distance(c->point, d->point) < 1e-9 &&
                     ts_vec3_distance(c->normal, ts_vec3_neg(d->normal)) < 1e-9 &&
                     fabs(c->gap_m - d->gap_m) < 1e-9 && fabs(c->area_m2 - d->area_m2) < 1e-9;
    }
    cr_expect(has_partner, "contact %zu", i);
    tilted += ts_vec3_angle(c->normal, up) > 0.1;
  }
  cr_expect_eq(set->count, other->count);
  cr_expect_gt(tilted, 0, "the surface between a spike and a slab is no plane");
  fixture_close(&f);
  fixture_close(&g);
}

Test(methods_elastic_contact, normals_are_the_mapping_direction_where_that_is_asked_for) {
  method_fixture f;
  fixture_open(&f);
  double values[VALUES_MAX];
  fixture_pair pair = spike_in_slab(&f);
  const ts_contact_set *set = found(&f, values_with(values, "normal", 1), &pair);
  cr_assert_gt(set->count, 0);
  for (size_t i = 0; i < set->count; i++)
    cr_expect_leq(ts_vec3_distance(set->contacts[i].normal, up), 1e-9);
  // The deepest point is under the tip, half way between both surfaces.
  const ts_contact *deepest = contact_near(set, (ts_vec3){0.1, 0.45, 0.2});
  cr_expect_leq(ts_vec3_distance(deepest->point, (ts_vec3){0.1, 0.45, 0.2}), 1e-9);
  fixture_close(&f);
}

Test(methods_elastic_contact, bodies_that_do_not_overlap_have_no_contact) {
  method_fixture f;
  fixture_open(&f);
  ts_vec3 half = {0.5, 0.5, 0.5};
  fixture_pair apart = boxes(&f, half, half, (ts_vec3){0.2, 1.1, 0});
  cr_expect_eq(found(&f, NULL, &apart)->count, 0);
  // Boxes of bodies overlap, bodies do not.
  fixture_pair beside = {{fixture_spike(&f, 0.8, 2.4), fixture_spike(&f, 0.8, 2.4)},
                         {ts_pose_identity(), fixture_upside_down(0.8, -0.5, 0.8)}};
  cr_expect_eq(found(&f, NULL, &beside)->count, 0);
  fixture_close(&f);
}

static void expect_skipped(fixture_pair (*make)(method_fixture *f), const char *name, double value,
                           const char *reason) {
  method_fixture f;
  fixture_open(&f);
  double values[VALUES_MAX];
  fixture_pair pair = make(&f);
  cr_expect_eq(fixture_try(&f, method, values_with(values, name, value), &pair), TS_SKIPPED);
  cr_expect_not_null(strstr(ts_status_detail(), reason), "%s", ts_status_detail());
  cr_expect_eq(f.set.count, 0);
  fixture_close(&f);
}

static fixture_pair one_in_the_other(method_fixture *f) {
  return boxes(f, (ts_vec3){2, 2, 2}, (ts_vec3){0.5, 0.5, 0.5}, (ts_vec3){0.3, 0.2, -0.2});
}

static fixture_pair rod_through_plate(method_fixture *f) {
  return boxes(f, (ts_vec3){2, 0.1, 2}, (ts_vec3){0.2, 1, 0.2}, (ts_vec3){0.3, 0.2, -0.2});
}

Test(methods_elastic_contact, what_has_no_answer_is_skipped_with_the_reason) {
  expect_skipped(one_in_the_other, "tau", 0, "body b is inside body a");
  expect_skipped(rod_through_plate, "tau", 0, "goes through the other");
  expect_skipped(spike_in_slab, "tau", 100, "the contact zone is empty");
}
