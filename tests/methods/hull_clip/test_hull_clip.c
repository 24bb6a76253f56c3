// SPDX-License-Identifier: MIT
// covers: methods/hull_clip/*.c
/// Pairs whose manifold is known: touch, overlap, edges, slivers, seams.
#include "tests/methods/hull_clip/clip_fixture.h"

#include "base/status.h"
#include "geometry/vec3.h"

#include <criterion/criterion.h>
#include <string.h>

static method_fixture f;

static void setup(void) {
  fixture_open(&f);
}

static void teardown(void) {
  fixture_close(&f);
}

TestSuite(methods_hull_clip, .init = setup, .fini = teardown);

static const ts_vec3 up = {0, 1, 0};

static ts_pose turned(ts_vec3 axis, double angle_rad, ts_vec3 to) {
  return (ts_pose){ts_quat_from_axis_angle(axis, angle_rad), to};
}

static void expect_gaps(fixture_contacts set, double gap_m, double tolerance_m) {
  for (size_t i = 0; i < set.count; i++)
    cr_assert_float_eq(set.contacts[i].gap_m, gap_m, tolerance_m, "%g, not %g",
                       set.contacts[i].gap_m, gap_m);
}

Test(methods_hull_clip, cubes_face_to_face_have_their_corners_at_any_gap_scale_and_place) {
  const double scales[] = {1e-3, 1, 1e3}, gaps[] = {0, 0.01, -0.001, -0.3};
  for (int s = 0; s < 3; s++)
    for (int g = 0; g < 4; g++)
      for (int is_far = 0; is_far < 2; is_far++) {
        const double k = scales[s], far = is_far ? 1e4 : 0;
        const ts_mesh *cube = clip_cube(&f, k);
        ts_pose below = turned(up, is_far, ts_vec3_make(far * k, -far * k, far * k)), above = below;
        above.translation.y += (1 + gaps[g]) * k;
        fixture_contacts set = clip_run(&f, clip_defaults(k), cube, below, cube, above);
        cr_assert_eq(set.count, 4);
        cr_assert_eq(fixture_count_normal(set, up), 4);
        expect_gaps(set, gaps[g] * k, 1e-11 * k);
        for (int corner = 0; corner < 4; corner++) {
          ts_vec3 local = {corner & 1 ? 0.5 * k : -0.5 * k, 0.5 * (1 + gaps[g]) * k,
                           corner & 2 ? 0.5 * k : -0.5 * k};
          size_t count = 0;
          for (size_t i = 0; i < 4; i++)
            count +=
                ts_vec3_distance(set.contacts[i].point, ts_pose_point(below, local)) <= 1e-11 * k;
          cr_assert_eq(count, 1);
        }
      }
}

Test(methods_hull_clip, bodies_farther_apart_than_the_reach_or_beside_each_other_have_none) {
  const ts_mesh *cube = clip_cube(&f, 1);
  // Apart along a face, past an edge and past a corner: the last two by less than the reach along
  // any axis, but by more in truth.
  const ts_vec3 places[] = {{0, 1.021, 0}, {1.015, 1.015, 0}, {1.015, 1.015, 1.015}};
  for (int i = 0; i < 3; i++)
    cr_assert_eq(clip_run(&f, clip_defaults(1), cube, ts_pose_identity(), cube,
                          (ts_pose){ts_quat_identity(), places[i]})
                     .count,
                 0, "place %d", i);
}

Test(methods_hull_clip, of_a_tilted_cube_the_corners_within_reach) {
  const ts_mesh *slab = fixture_box(&f, ts_vec3_make(-2, -1, -2), ts_vec3_make(2, 0, 2), 0, 0);
  const ts_mesh *cube = clip_cube(&f, 1);
  const double angles[] = {0.01, 0.03};
  for (int i = 0; i < 2; i++) {
    double c = cos(angles[i]), s = sin(angles[i]);
    ts_pose pose = turned(ts_vec3_make(0, 0, 1), angles[i], ts_vec3_make(0, 0.5 * (c + s), 0));
    fixture_contacts set = clip_run(&f, clip_defaults(1), slab, ts_pose_identity(), cube, pose);
    cr_assert_eq(set.count, i == 0 ? 4 : 2); // the other side is 0.01 or 0.03 above
    cr_assert_eq(fixture_count_normal(set, up), set.count);
    cr_assert_eq(fixture_count_at(set, ts_vec3_make(0.5 * (s - c), 0, 0.5)), 1);
  }
}

Test(methods_hull_clip, a_tip_on_a_face_is_one_contact_with_its_normal) {
  const ts_mesh *slab = fixture_box(&f, ts_vec3_make(-2, -1, -2), ts_vec3_make(2, 0, 2), 0, 0);
  const ts_mesh *spike = fixture_spike(&f, 0.5, 1);
  const double depths[] = {0, 1e-3, 0.2};
  for (int i = 0; i < 3; i++) {
    fixture_contacts set = clip_run(&f, clip_defaults(1), slab, ts_pose_identity(), spike,
                                    fixture_upside_down(0.1, -depths[i], 0.2));
    cr_assert_geq(set.count, 1);
    cr_assert_eq(fixture_count_normal(set, up), set.count);
    cr_assert_eq(fixture_count_at(set, ts_vec3_make(0.1, -0.5 * depths[i], 0.2)), 1);
    cr_assert(depths[i] > 0.1 || set.count == 1);
  }
}

Test(methods_hull_clip, features_are_those_that_meet_whichever_face_is_the_reference) {
  const ts_mesh *slab = fixture_box(&f, ts_vec3_make(-2, -1, -2), ts_vec3_make(2, 0, 2), 0, 0);
  const ts_mesh *cube = clip_cube(&f, 1);
  fixture_contacts on =
      clip_run(&f, clip_defaults(1), slab, ts_pose_identity(), cube, fixture_shift(0.1, 0.5, 0.2));
  cr_assert_eq(on.count, 4);
  for (size_t i = 0; i < 4; i++) {
    cr_assert_eq(on.contacts[i].feature_a.kind, TS_FEATURE_FACE);
    cr_assert_eq(on.contacts[i].feature_b.kind, TS_FEATURE_VERTEX);
  }
  clip_params all = clip_defaults(1);
  all.max_points = 0;
  fixture_contacts crossing =
      clip_run(&f, all, cube, ts_pose_identity(), cube, turned(up, 0.7, ts_vec3_make(0, 1, 0)));
  cr_assert_eq(crossing.count, 8);
  for (size_t i = 0; i < 8; i++) {
    cr_assert_eq(crossing.contacts[i].feature_a.kind, TS_FEATURE_EDGE);
    cr_assert_eq(crossing.contacts[i].feature_b.kind, TS_FEATURE_EDGE);
  }
  // Beside each other by a half and a quarter: a corner of either cube, and two crossings.
  fixture_contacts beside =
      clip_run(&f, all, cube, ts_pose_identity(), cube, fixture_shift(0.5, 1, 0.25));
  cr_assert_eq(beside.count, 4);
  size_t vertices[2] = {0};
  for (size_t i = 0; i < 4; i++) {
    vertices[0] += beside.contacts[i].feature_a.kind == TS_FEATURE_VERTEX;
    vertices[1] += beside.contacts[i].feature_b.kind == TS_FEATURE_VERTEX;
  }
  cr_assert(vertices[0] == 1 && vertices[1] == 1);
}

Test(methods_hull_clip, of_many_corners_as_many_as_asked_for) {
  const ts_mesh *slab = fixture_box(&f, ts_vec3_make(-2, -1, -2), ts_vec3_make(2, 0, 2), 0, 0);
  const ts_mesh *prism = clip_prism(&f, 128, 1, 0.5);
  const double wanted[] = {0, 1, 3, 4, 20, 1000}, counts[] = {128, 1, 3, 4, 20, 128};
  for (int i = 0; i < 6; i++) {
    clip_params params = clip_defaults(1);
    params.max_points = wanted[i];
    fixture_contacts set =
        clip_run(&f, params, slab, ts_pose_identity(), prism, fixture_shift(0.1, 0.25 - 1e-4, 0));
    cr_assert_eq(set.count, (size_t)counts[i]);
    cr_assert_eq(fixture_count_normal(set, up), set.count);
    expect_gaps(set, -1e-4, 1e-12);
  }
}

Test(methods_hull_clip, tiny_faces_change_nothing) {
  // Corners cut by a hundredth of a millimetre.
  const ts_mesh *slab = fixture_box(&f, ts_vec3_make(-2, -1, -2), ts_vec3_make(2, 0, 2), 0, 0);
  const ts_mesh *prism = clip_prism(&f, 4, 1, 1);
  ts_vec3 cut[16];
  for (uint32_t i = 0; i < 8; i++)
    for (uint32_t k = 0; k < 2; k++) {
      ts_vec3 p = prism->vertices[i];
      ts_vec3 along = ts_vec3_unit(ts_vec3_cross(up, ts_vec3_make(p.x, 0, p.z)));
      cut[2 * i + k] = ts_vec3_add_scaled(p, k ? 1e-5 : -1e-5, along);
    }
  const ts_mesh *bevelled = clip_hull(&f, cut, 16);
  cr_assert_eq(bevelled->vertex_count, 16);
  fixture_contacts set = clip_run(&f, clip_defaults(1), slab, ts_pose_identity(), bevelled,
                                  fixture_shift(0, 0.5 - 1e-3, 0));
  cr_assert_eq(set.count, 4);
  cr_assert_eq(fixture_count_normal(set, up), 4);
  expect_gaps(set, -1e-3, 1e-12);
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < 4; i++) {
    cr_assert_float_eq(ts_vec3_norm(set.contacts[i].point), 1, 1e-4);
    sum = ts_vec3_add(sum, set.contacts[i].point);
  }
  cr_assert_lt(hypot(sum.x, sum.z), 1e-4, "one of each corner");
}

Test(methods_hull_clip, needles_lie_on_their_face_and_stand_on_their_tip) {
  const ts_mesh *slab = fixture_box(&f, ts_vec3_make(-2, -1, -2), ts_vec3_make(2, 0, 2), 0, 0);
  const ts_vec3 points[4] = {{0, 0, 0}, {1, 0, -1e-4}, {1, 0, 1e-4}, {1, 1e-4, 0}};
  const ts_mesh *needle = fixture_tet(&f, points);
  fixture_contacts lying =
      clip_run(&f, clip_defaults(1), slab, ts_pose_identity(), needle, fixture_shift(0, -1e-5, 0));
  cr_assert_eq(fixture_count_normal(lying, up), lying.count);
  for (int i = 0; i < 3; i++)
    cr_assert_eq(fixture_count_at(lying, ts_vec3_sub(points[i], ts_vec3_make(0, 5e-6, 0))), 1);
  expect_gaps(lying, -1e-5, 1e-12);
  fixture_contacts standing = clip_run(
      &f, clip_defaults(1), slab, ts_pose_identity(), needle,
      turned(ts_vec3_make(0, 0, 1), 0.5 * 3.14159265358979323846, ts_vec3_make(0, -1e-5, 0)));
  cr_assert_geq(standing.count, 1);
  cr_assert_eq(fixture_count_normal(standing, up), standing.count);
  cr_assert_eq(fixture_count_at(standing, ts_vec3_make(0, -5e-6, 0)), 1);
}

// A keel that is deepest at its end: the face behind it is the most nearly opposite to the slab,
// but does not have that end.
Test(methods_hull_clip, the_deepest_vertex_has_a_contact_though_another_face_is_more_opposite) {
  const ts_mesh *slab = fixture_box(&f, ts_vec3_make(-2, -1, -2), ts_vec3_make(2, 0, 2), 0, 0);
  const ts_vec3 points[] = {{0, 0, 0},  {0.1, 0.001, 0}, {1, 0.16, 0.5}, {1, 0.16, -0.5},
                            {0, 1, 1},  {0, 1, -1},      {1, 1, 1},      {1, 1, -1},
                            {-1, 1, 1}, {-1, 1, -1}};
  fixture_contacts set =
      clip_run(&f, clip_defaults(1), slab, ts_pose_identity(),
               clip_hull(&f, points, sizeof points / sizeof *points), fixture_shift(0, -0.01, 0));
  cr_assert_eq(fixture_count_normal(set, up), set.count);
  cr_assert_eq(fixture_count_at(set, ts_vec3_make(0, -0.005, 0)), 1);
}

/// A roof with its ridge along x, and one above it, upside down, with its ridge turned by an angle.
static fixture_contacts cross_roofs(clip_params params, const ts_mesh *roof, double angle_rad,
                                    double depth_m) {
  ts_pose above = turned(up, angle_rad, ts_vec3_make(0, -depth_m, 0));
  above = ts_pose_mul(above, fixture_upside_down(0, 0, 0));
  return clip_run(&f, params, roof, ts_pose_identity(), roof, above);
}

Test(methods_hull_clip, crossing_edges_are_one_contact) {
  const ts_mesh *roof = fixture_wedge(&f, 1, 1, 1);
  const double depths[] = {0, 1e-3, 0.1};
  for (int i = 0; i < 3; i++) {
    fixture_contacts set = cross_roofs(clip_defaults(1), roof, 1.2, depths[i]);
    cr_assert_eq(set.count, 1);
    cr_assert_eq(fixture_count_normal(set, up), 1);
    cr_assert_eq(fixture_count_at(set, ts_vec3_make(0, -0.5 * depths[i], 0)), 1);
    expect_gaps(set, -depths[i], 1e-12);
    cr_assert_eq(set.contacts[0].feature_a.kind, TS_FEATURE_EDGE);
    cr_assert_eq(set.contacts[0].feature_b.kind, TS_FEATURE_EDGE);
  }
}

// The ridges touch. Along the normal of a flank, 1 in 100, the end of the other ridge, 0.2 m away,
// is 2 mm behind the flank: so much better is the axis of the edges.
Test(methods_hull_clip, an_axis_of_edges_has_to_be_better_by_more_than_is_preferred) {
  const ts_mesh *roof = fixture_wedge(&f, 1, 0.2, 0.01);
  double right = 0.5 * 3.14159265358979323846;
  clip_params params = clip_defaults(1);
  fixture_contacts faces = cross_roofs(params, roof, right, 0);
  cr_assert_geq(faces.count, 1);
  cr_assert_eq(fixture_count_normal(faces, up), 0);
  for (size_t i = 0; i < faces.count; i++)
    cr_assert_gt(faces.contacts[i].normal.y, 0.9999);
  params.prefer_face_m = 0.0019;
  fixture_contacts edges = cross_roofs(params, roof, right, 0);
  cr_assert_eq(edges.count, 1);
  cr_assert_eq(fixture_count_normal(edges, up), 1);
}

// Ridges 2 m long that are 1 mm in each other. At a sine of 0.005 the ends are 5 mm to the side,
// and the axis of the edges is better than that of a flank by more than 2.5 mm: one point. At 0.001
// it is not, and parallel ridges have no common normal: a flank, along which a strip as high as
// they are deep overlaps.
Test(methods_hull_clip, nearly_parallel_edges_have_one_contact_or_those_of_a_flank) {
  const ts_mesh *roof = fixture_wedge(&f, 1, 1, 3);
  fixture_contacts crossing = cross_roofs(clip_defaults(1), roof, asin(0.005), 1e-3);
  cr_assert_eq(crossing.count, 1);
  cr_assert_eq(fixture_count_normal(crossing, up), 1);
  expect_gaps(crossing, -1e-3, 1e-12);
  cr_assert_eq(fixture_count_at(crossing, ts_vec3_make(0, -5e-4, 0)), 1);
  const double sines[] = {0.001, 1e-8, 0};
  for (int i = 0; i < 3; i++) {
    fixture_contacts flank = cross_roofs(clip_defaults(1), roof, asin(sines[i]), 1e-3);
    cr_assert_eq(flank.count, 4, "sine %g: %zu", sines[i], flank.count);
    for (size_t k = 0; k < 4; k++)
      cr_assert_float_eq(fabs(flank.contacts[k].normal.z), 3 / sqrt(10), 1e-3);
  }
}

// A known fault, as of every method that takes pieces one by one: a cube that stands on two pieces
// of a flat body, over the seam by less than it is deep, is pushed out sideways by the piece that
// it hardly reaches.
Test(methods_hull_clip, over_a_seam_by_less_than_the_depth_four_of_eight_normals_are_sideways) {
  const ts_mesh *left = fixture_box(&f, ts_vec3_make(-2, -1, -2), ts_vec3_make(0, 0, 2), 0, 0);
  const ts_mesh *right = fixture_box(&f, ts_vec3_make(0, -1, -2), ts_vec3_make(2, 0, 2), 0, 0);
  const ts_mesh *cube = clip_cube(&f, 1);
  const double depth_m = 0.005, overs[] = {0.001, 0.0049, 0.0051, 0.1};
  for (int i = 0; i < 4; i++) {
    ts_pose pose = fixture_shift(overs[i] - 0.5, 0.5 - depth_m, 0);
    fixture_contacts on_left = clip_run(&f, clip_defaults(1), left, ts_pose_identity(), cube, pose);
    fixture_contacts on_right =
        clip_run(&f, clip_defaults(1), right, ts_pose_identity(), cube, pose);
    cr_assert(on_left.count == 4 && on_right.count == 4);
    cr_assert_eq(fixture_count_normal(on_left, up), 4);
    bool is_sideways = overs[i] < depth_m;
    ts_vec3 sideways = {-1, 0, 0};
    cr_assert_eq(fixture_count_normal(on_right, is_sideways ? sideways : up), 4);
    expect_gaps(on_right, is_sideways ? -overs[i] : -depth_m, 1e-12);
  }
}

Test(methods_hull_clip, one_body_inside_the_other_leaves_by_the_nearest_face) {
  const ts_mesh *slab = fixture_box(&f, ts_vec3_make(-2, -2, -2), ts_vec3_make(2, 0, 2), 0, 0);
  const ts_mesh *cube = clip_cube(&f, 0.5);
  fixture_contacts set = clip_run(&f, clip_defaults(1), slab, ts_pose_identity(), cube,
                                  fixture_shift(0.3, -0.75, 0.1));
  cr_assert_eq(set.count, 4);
  cr_assert_eq(fixture_count_normal(set, up), 4);
  expect_gaps(set, -1, 1e-12);
}

static int blocks_left;

static void *scarce_scratch(const ts_host *host, size_t bytes) {
  return blocks_left-- > 0 ? ts_arena_alloc(((const method_fixture *)host)->scratch, bytes) : NULL;
}

Test(methods_hull_clip, out_of_scratch_is_an_error_wherever_it_happens) {
  const ts_mesh *prism = clip_prism(&f, 8, 1, 1), *roof = fixture_wedge(&f, 1, 1, 1);
  const fixture_pair pairs[2] = {{{prism, prism}, {ts_pose_identity(), fixture_shift(0.1, 1, 0)}},
                                 {{roof, roof}, {ts_pose_identity(), ts_pose_identity()}}};
  const double values[] = {0.02, 0.0025, 4};
  f.host.scratch = scarce_scratch;
  for (int i = 0; i < 2; i++) {
    int enough = 0;
    for (ts_status status = TS_E_MEMORY; status != TS_OK; enough++) {
      blocks_left = enough;
      status = fixture_try(&f, &ts_method_hull_clip, values, &pairs[i]);
      cr_assert(status == TS_OK || (status == TS_E_MEMORY && f.set.count == 0));
    }
    cr_assert_gt(enough, 5);
  }
}

/// Points of a sphere that no symmetry maps to each other.
static const ts_mesh *ball(double radius_m, size_t count) {
  ts_vec3 points[600];
  cr_assert_leq(count, 600);
  for (size_t i = 0; i < count; i++) {
    double y = 1 - (2 * (double)i + 1) / (double)count, angle = 2.399963 * (double)i;
    double r = radius_m * sqrt(1 - y * y);
    points[i] = ts_vec3_make(r * cos(angle), radius_m * y, r * sin(angle));
  }
  return clip_hull(&f, points, count);
}

// So deep that one vertex of the other body rules out few edges.
Test(methods_hull_clip, finely_cut_bodies_part_along_their_centres_however_deep_they_are) {
  const ts_mesh *large = ball(1, 600), *small = ball(0.8, 500);
  const double distances[] = {1.79, 1, 0.4};
  const ts_vec3 across = ts_vec3_unit(ts_vec3_make(1, 2, 3));
  for (int i = 0; i < 3; i++) {
    ts_pose pose = {ts_quat_identity(), ts_vec3_scale(across, distances[i])};
    fixture_contacts set = clip_run(&f, clip_defaults(1), large, ts_pose_identity(), small, pose);
    cr_assert_geq(set.count, 1);
    double deepest = INFINITY;
    for (size_t k = 0; k < set.count; k++) {
      deepest = fmin(deepest, set.contacts[k].gap_m);
      cr_assert_gt(ts_vec3_dot(set.contacts[k].normal, across), 0.97);
    }
    cr_assert_float_eq(deepest, distances[i] - 1.8, 0.03);
  }
}

Test(methods_hull_clip, a_face_with_a_hole_is_refused_with_what_to_do) {
  // A square frame: outer corners 0 to 3 below and 4 to 7 above, inner ones 8 to 15.
  ts_vec3 vertices[16];
  uint32_t triangles[32][3];
  size_t count = 0;
  for (uint32_t i = 0; i < 16; i++) {
    double half = i < 8 ? 2 : 1, angle = 0.5 * 3.14159265358979323846 * (i % 4);
    vertices[i] = ts_vec3_make(half * cos(angle), i % 8 < 4 ? -1 : 1, half * sin(angle));
  }
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t n = (i + 1) % 4;
    const uint32_t quads[4][4] = {{i, i + 4, n + 4, n},
                                  {i + 8, n + 8, n + 12, i + 12},
                                  {i, n, n + 8, i + 8},
                                  {i + 4, i + 12, n + 12, n + 4}};
    for (int q = 0; q < 4; q++) {
      memcpy(triangles[count++], (uint32_t[3]){quads[q][0], quads[q][1], quads[q][2]}, 12);
      memcpy(triangles[count++], (uint32_t[3]){quads[q][0], quads[q][2], quads[q][3]}, 12);
    }
  }
  const ts_mesh *frame = fixture_mesh(&f, vertices, 16, (const uint32_t(*)[3])triangles, count);
  const fixture_pair pair = {{frame, frame}, {ts_pose_identity(), ts_pose_identity()}};
  const double values[] = {0.02, 0.0025, 4};
  cr_assert_eq(fixture_try(&f, &ts_method_hull_clip, values, &pair), TS_E_UNSUPPORTED);
  cr_assert_not_null(strstr(ts_status_detail(), "convex pieces"), "%s", ts_status_detail());
}
