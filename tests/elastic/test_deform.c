// SPDX-License-Identifier: MIT
// covers: elastic/deform.c elastic/deform_fields.c elastic/bulge_shares.c elastic/vertex_normals.c
#include "base/status.h"
#include "elastic/deform.h"
#include "elastic/vertex_normals.h"
#include "tests/elastic/deform_meshes.h"

#include <criterion/criterion.h>

static ts_arena *arena;

static void set_up(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void tear_down(void) {
  ts_arena_destroy(arena);
}

TestSuite(deform, .init = set_up, .fini = tear_down);

static ts_vec3 skew(void) {
  return ts_vec3_unit((ts_vec3){0.3, 0.8, 0.5});
}

/// A ball of radius 1 that a plate pushes flat by 0.15.
static ts_mesh *make_ball(ts_deform_zone *out_zone, int level) {
  ts_mesh *mesh = deform_icosphere(arena, level, 1, (ts_vec3){0, 0, 0});
  *out_zone = deform_plane_zone(arena, mesh, (deform_plane){skew(), 0.85, 0, 0});
  return mesh;
}

static ts_deformed deform(const ts_mesh *mesh, ts_deform_zone zone, ts_deform_params params) {
  ts_deformed out;
  cr_assert_eq(ts_deform(&out, arena, mesh, &zone, &params), TS_OK, "%s", ts_status_detail());
  return out;
}

static double volume_of(const ts_mesh *mesh, const ts_vec3 *vertices) {
  ts_mesh there = *mesh;
  there.vertices = vertices;
  return ts_mesh_mass_properties(&there, 1).volume_m3;
}

Test(deform, the_volume_is_kept_and_the_zone_is_on_the_plane) {
  ts_deform_zone zone;
  ts_mesh *mesh = make_ball(&zone, 3);
  ts_deformed out = deform(mesh, zone, ts_deform_params_default(0.8));
  double before = volume_of(mesh, mesh->vertices);
  cr_assert_float_eq(volume_of(mesh, out.vertices) / before, 1, 1e-13);
  cr_assert_float_eq(out.volume_m3, before, 1e-12);
  cr_assert(fabs(out.volume_change_relative) < 1e-13);
  cr_assert_lt(out.volume_change_without_bulge_relative, -0.01);
  cr_assert(out.bulge_m > 0.05 && out.bulge_m < 0.1, "%g", out.bulge_m);
  for (size_t v = 0; v < mesh->vertex_count; v++)
    if (zone.is_inside[v])
      cr_assert_float_eq(ts_vec3_dot(out.vertices[v], skew()), 0.85, 1e-14);
}

Test(deform, what_is_farther_than_the_extent_keeps_its_bits) {
  ts_deform_zone zone;
  ts_mesh *mesh = make_ball(&zone, 3);
  ts_deformed out = deform(mesh, zone, ts_deform_params_default(0.5));
  size_t kept = 0, moved = 0, inside = 0;
  for (size_t v = 0; v < mesh->vertex_count; v++) {
    double angle = ts_vec3_angle(mesh->vertices[v], skew()) - acos(0.85);
    bool is_same = memcmp(&mesh->vertices[v], &out.vertices[v], sizeof(ts_vec3)) == 0;
    if (angle > 0.52)
      cr_assert(is_same && out.u[v] > 1 && out.eta[v] == 0);
    if (angle < 0.45)
      cr_assert(!is_same && out.u[v] < 1 && (out.eta[v] == 1 || zone.is_inside[v]));
    kept += out.u[v] > 1;
    inside += zone.is_inside[v];
    moved += !zone.is_inside[v] && out.u[v] <= 1;
  }
  cr_assert(kept > 100 && moved > 50);
  cr_assert_eq(out.inside_count, inside);
  cr_assert_eq(out.moved_count, moved);
}

/// Angle between faces that share an edge, the largest.
static double sharpest_edge(const ts_mesh *mesh, const ts_vec3 *vertices) {
  ts_mesh there = *mesh;
  there.vertices = vertices;
  double worst = 0;
  for (size_t h = 0; h < 3 * mesh->triangle_count; h++)
    worst = ts_max(worst, ts_vec3_angle(ts_mesh_face_normal(&there, h / 3),
                                        ts_mesh_face_normal(&there, mesh->edge_twin[h] / 3)));
  return worst;
}

Test(deform, the_surface_leaves_the_zone_along_the_contact_surface) {
  // The surface has no edge: faces beside each other turn ever less on finer meshes.
  double angles[2];
  for (int i = 0; i < 2; i++) {
    ts_deform_zone zone;
    ts_mesh *mesh = make_ball(&zone, 3 + i);
    zone = deform_plane_zone(arena, mesh, (deform_plane){skew(), 0.7, 0.5, 0.1});
    angles[i] = sharpest_edge(mesh, deform(mesh, zone, ts_deform_params_default(1)).vertices);
  }
  cr_assert_lt(angles[1], 0.75 * angles[0], "%g %g", angles[0], angles[1]);
}

Test(deform, how_a_fine_mesh_goes_on_far_away_has_no_say) {
  // Pulled out on its far side, the ball has longer edges on average, and heat flows for longer.
  ts_mesh *mesh = deform_icosphere(arena, 5, 1, (ts_vec3){0, 0, 0});
  ts_deform_zone zone = deform_plane_zone(arena, mesh, (deform_plane){skew(), 0.95, 0.5, 0.01});
  ts_vec3 *vertices = ts_arena_copy(arena, mesh->vertices, mesh->vertex_count, sizeof *vertices);
  for (size_t v = 0; v < mesh->vertex_count; v++) {
    double below = -0.6 - ts_vec3_dot(vertices[v], skew());
    if (below > 0)
      vertices[v] = ts_vec3_add_scaled(vertices[v], -2 * below, skew());
  }
  ts_mesh *pulled;
  cr_assert_eq(ts_mesh_with_vertices(&pulled, arena, mesh, vertices), TS_OK);
  ts_deformed one = deform(mesh, zone, ts_deform_params_default(0.3));
  ts_deformed other = deform(pulled, zone, ts_deform_params_default(0.3));
  size_t far_count = 0;
  double worst = 0;
  for (size_t v = 0; v < mesh->vertex_count; v++) {
    far_count += isinf(one.u[v]) != 0;
    if (one.u[v] <= 1)
      worst = ts_max(worst, ts_vec3_distance(one.vertices[v], other.vertices[v]));
  }
  cr_assert_gt(far_count, mesh->vertex_count / 4);
  cr_assert_lt(worst, 0.01 * one.bulge_m, "%g", worst / one.bulge_m);
}

Test(deform, it_scales_and_does_not_care_where_it_is) {
  ts_deform_zone zone;
  ts_mesh *mesh = make_ball(&zone, 3);
  ts_deformed here = deform(mesh, zone, ts_deform_params_default(0.8));
  const double scales[] = {1e-3, 1e3, 1}, distances[] = {0, 0, 1e6};
  for (int i = 0; i < 3; i++) {
    ts_vec3 offset = ts_vec3_scale((ts_vec3){1, -2, 0.5}, distances[i]);
    ts_mesh *moved = deform_moved_mesh(arena, mesh, scales[i], offset);
    ts_deformed there = deform(moved, deform_scaled_zone(arena, mesh, zone, scales[i]),
                               ts_deform_params_default(0.8 * scales[i]));
    // The coordinates themselves have 1e-10 m at 1e6 m.
    double allowed = distances[i] > 0 ? 1e-7 : 1e-12;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
      ts_vec3 back = ts_vec3_scale(ts_vec3_sub(there.vertices[v], offset), 1 / scales[i]);
      cr_assert_lt(ts_vec3_distance(back, here.vertices[v]), allowed, "scale %g vertex %zu",
                   scales[i], v);
    }
    cr_assert_lt(fabs(there.volume_change_relative), distances[i] > 0 ? 1e-9 : 1e-12);
  }
}

Test(deform, the_order_of_the_crossings_changes_no_bit) {
  ts_deform_zone zone;
  ts_mesh *mesh = make_ball(&zone, 2);
  ts_deformed one = deform(mesh, zone, ts_deform_params_default(0.8));
  ts_zone_crossing *turned = ts_arena_array(arena, zone.crossing_count, sizeof *turned);
  for (size_t i = 0; i < zone.crossing_count; i++)
    turned[i] = zone.crossings[zone.crossing_count - 1 - i];
  zone.crossings = turned;
  ts_deformed other = deform(mesh, zone, ts_deform_params_default(0.8));
  cr_assert_arr_eq(one.vertices, other.vertices, mesh->vertex_count * sizeof *one.vertices);
}

Test(deform, it_moves_evenly_with_what_pushes) {
  // The boundary passes vertices on the way.
  ts_mesh *mesh = deform_icosphere(arena, 3, 1, (ts_vec3){0, 0, 0});
  const double step = 1e-4; // a jump counts for more, the smaller the step
  ts_vec3 *last = NULL;
  double worst = 0;
  for (int i = 0; i < 40; i++) {
    ts_deform_zone zone =
        deform_plane_zone(arena, mesh, (deform_plane){skew(), 0.8 - step * i, 0.5, 0.05});
    ts_deformed out = deform(mesh, zone, ts_deform_params_default(0.8));
    for (size_t v = 0; v < mesh->vertex_count && last; v++)
      worst = ts_max(worst, ts_vec3_distance(out.vertices[v], last[v]) / step);
    last = out.vertices;
  }
  cr_assert(worst > 0.5 && worst < 2.5, "a step moves a vertex %g times as far", worst);
}

Test(deform, gamma_is_the_share_of_the_volume_that_comes_back) {
  ts_deform_zone zone;
  ts_mesh *mesh = make_ball(&zone, 3);
  ts_deform_params params = ts_deform_params_default(0.8);
  ts_deformed full = deform(mesh, zone, params);
  params.gamma = 0;
  ts_deformed none = deform(mesh, zone, params);
  params.gamma = 2;
  ts_deformed twice = deform(mesh, zone, params);
  cr_assert_eq(none.bulge_m, full.bulge_m);
  cr_assert_float_eq(none.volume_change_relative, full.volume_change_without_bulge_relative, 1e-14);
  cr_assert_gt(twice.volume_change_relative, 0.9 * -none.volume_change_relative);
}

Test(deform, an_anisotropic_bulge_is_in_front_of_the_zone) {
  ts_mesh *mesh = deform_icosphere(arena, 3, 1, (ts_vec3){0, 0, 0});
  ts_deform_zone zone = deform_plane_zone(arena, mesh, (deform_plane){skew(), 0.85, 0, 0});
  ts_deform_params params = ts_deform_params_default(2);
  params.is_anisotropic = true;
  ts_deformed out = deform(mesh, zone, params);
  cr_assert_lt(fabs(out.volume_change_relative), 1e-13);
  double largest = 0;
  for (size_t v = 0; v < mesh->vertex_count; v++) {
    largest = ts_max(largest, out.eta[v]);
    cr_assert(out.eta[v] >= 0);
    // Nothing is in front of a vertex that is higher than all that push down.
    if (ts_vec3_dot(mesh->vertices[v], skew()) > 0.999)
      cr_assert_eq(out.eta[v], 0);
  }
  cr_assert_eq(largest, 1);
}

/// Eq. 7 as it stands, for one vertex.
Test(deform, shares_of_an_anisotropic_bulge_are_those_of_the_sum_over_the_zone) {
  ts_deform_zone zone;
  ts_mesh *mesh = make_ball(&zone, 2);
  ts_deform_params params = ts_deform_params_default(1.5);
  params.is_anisotropic = true;
  params.anisotropy_power = 3;
  ts_deformed out = deform(mesh, zone, params);
  double *sums = ts_arena_array(arena, mesh->vertex_count, sizeof *sums), largest = 0;
  for (size_t i = 0; i < mesh->vertex_count; i++) {
    for (size_t t = 0; t < mesh->triangle_count; t++)
      for (int c = 0; c < 3; c++) {
        uint32_t j = mesh->triangles[t][c];
        if (!zone.is_inside[j] || i == j)
          continue;
        ts_vec3 p = mesh->vertices[mesh->triangles[t][0]];
        double area =
            ts_vec3_norm(ts_vec3_cross(ts_vec3_sub(mesh->vertices[mesh->triangles[t][1]], p),
                                       ts_vec3_sub(mesh->vertices[mesh->triangles[t][2]], p)));
        ts_vec3 to = ts_vec3_sub(mesh->vertices[i], mesh->vertices[j]);
        double cosine = ts_max(0, -ts_vec3_dot(ts_vec3_unit(to), skew()));
        sums[i] += area * ts_vec3_norm(zone.displacements[j]) * cosine * cosine * cosine /
                   ts_vec3_norm(to);
      }
    if (!zone.is_inside[i] && out.u[i] <= 1)
      largest = ts_max(largest, sums[i]);
  }
  for (size_t i = 0; i < mesh->vertex_count; i++)
    if (!zone.is_inside[i] && out.u[i] <= 1)
      cr_assert_float_eq(out.eta[i], sums[i] / largest, 1e-12);
}

Test(deform, a_rigid_body_stays_as_it_is) {
  ts_deform_zone zone;
  ts_mesh *mesh = make_ball(&zone, 2);
  ts_deformed out =
      deform(mesh, deform_scaled_zone(arena, mesh, zone, 0), ts_deform_params_default(0.8));
  cr_assert_arr_eq(out.vertices, mesh->vertices, mesh->vertex_count * sizeof *out.vertices);
  cr_assert(out.moved_count == 0 && out.inside_count > 0 && out.bulge_m == 0);
  cr_assert_eq(out.volume_change_relative, 0);
}

Test(deform, nearly_rigid_is_nearly_as_it_was) {
  ts_deform_zone zone;
  ts_mesh *mesh = make_ball(&zone, 3);
  ts_deformed out =
      deform(mesh, deform_scaled_zone(arena, mesh, zone, 1e-9), ts_deform_params_default(0.8));
  for (size_t v = 0; v < mesh->vertex_count; v++)
    cr_assert_lt(ts_vec3_distance(out.vertices[v], mesh->vertices[v]), 1e-3);
}

Test(deform, two_zones_with_two_directions_keep_the_volume) {
  ts_mesh *mesh = deform_icosphere(arena, 3, 1, (ts_vec3){0, 0, 0});
  deform_plane planes[2] = {{skew(), 0.85, 0, 0}, {{0, 0, -1}, 0.9, 0, 0}};
  ts_deform_zone zone = deform_plane_zones(arena, mesh, planes, 2);
  ts_deformed out = deform(mesh, zone, ts_deform_params_default(0.6));
  cr_assert_lt(fabs(out.volume_change_relative), 1e-13);
  for (size_t v = 0; v < mesh->vertex_count; v++)
    for (int p = 0; p < 2; p++)
      if (ts_vec3_dot(mesh->vertices[v], planes[p].normal) > planes[p].offset_m)
        cr_assert_float_eq(ts_vec3_dot(out.vertices[v], planes[p].normal), planes[p].offset_m,
                           1e-13);
}

Test(deform, slivers_and_sharp_edges_keep_the_volume_too) {
  const double powers[] = {1, 5, 9}; // triangles 1e-9 as high as they are long
  for (int i = 0; i < 3; i++) {
    ts_mesh *block = deform_block(arena, 12, 1, 0.45, (ts_vec3){0, 0, 0});
    ts_vec3 *vertices =
        ts_arena_copy(arena, block->vertices, block->vertex_count, sizeof *vertices);
    for (size_t v = 0; v < block->vertex_count; v++)
      vertices[v].x = copysign(pow(fabs(vertices[v].x), powers[i]), vertices[v].x);
    ts_mesh *mesh;
    cr_assert_eq(ts_mesh_with_vertices(&mesh, arena, block, vertices), TS_OK);
    deform_plane plane = {ts_vec3_unit((ts_vec3){0.2, 1, 0.1}), 0.3, 0.5, 0.01};
    ts_deformed out =
        deform(mesh, deform_plane_zone(arena, mesh, plane), ts_deform_params_default(0.5));
    cr_assert_lt(fabs(out.volume_change_relative), 1e-13);
    for (size_t v = 0; v < mesh->vertex_count; v++)
      cr_assert_lt(ts_vec3_distance(out.vertices[v], mesh->vertices[v]), 0.15);
  }
}

/// Status of a run that fails; the message must have the words, and the result stay as it was.
static ts_status refused(const ts_mesh *mesh, ts_deform_zone zone, ts_deform_params params,
                         const char *words) {
  ts_deformed out = {.moved_count = 77};
  size_t used = ts_arena_used(arena);
  ts_status status = ts_deform(&out, arena, mesh, &zone, &params);
  cr_assert(strstr(ts_status_detail(), words) != NULL, "%s", ts_status_detail());
  cr_assert_eq(out.moved_count, 77);
  cr_assert_eq(ts_arena_used(arena), used);
  return status;
}

Test(deform, a_zone_or_an_extent_with_no_answer_is_skipped_with_the_reason) {
  ts_deform_zone zone;
  ts_mesh *mesh = make_ball(&zone, 2);
  ts_deform_params usual = ts_deform_params_default(0.8);
  ts_deform_zone none = deform_plane_zone(arena, mesh, (deform_plane){skew(), 1.1, 0, 0});
  ts_deform_zone all = deform_plane_zone(arena, mesh, (deform_plane){skew(), -1.1, 0, 0});
  cr_assert_eq(refused(mesh, none, usual, "no vertex"), TS_SKIPPED);
  cr_assert_eq(refused(mesh, all, usual, "all of the surface"), TS_SKIPPED);
  cr_assert_eq(refused(mesh, zone, ts_deform_params_default(10), "reaches all"), TS_SKIPPED);
  cr_assert_eq(refused(mesh, zone, ts_deform_params_default(1e200), "reaches all"), TS_SKIPPED);
  cr_assert_eq(refused(mesh, zone, ts_deform_params_default(1e-6), "reaches no vertex"),
               TS_SKIPPED);
  // Half of the ball is pushed in, and only a narrow ring may give way.
  ts_deform_zone deep = deform_plane_zone(arena, mesh, (deform_plane){skew(), -0.9, 0, 0});
  cr_assert_eq(refused(mesh, deep, ts_deform_params_default(0.2), "no bulge"), TS_SKIPPED);
}

Test(deform, parameters_and_vectors_that_are_no_numbers_are_refused) {
  ts_deform_zone zone;
  ts_mesh *mesh = make_ball(&zone, 2);
  const double bad_extents[] = {0, -1, NAN, INFINITY};
  for (int i = 0; i < 4; i++)
    cr_assert_eq(refused(mesh, zone, ts_deform_params_default(bad_extents[i]), "extent"),
                 TS_E_INPUT);
  ts_deform_params params = ts_deform_params_default(0.8);
  params.gamma = -1;
  cr_assert_eq(refused(mesh, zone, params, "gamma"), TS_E_INPUT);
  params = ts_deform_params_default(0.8);
  params.anisotropy_power = NAN;
  cr_assert_eq(refused(mesh, zone, params, "power"), TS_E_INPUT);
  ts_deform_zone bad = deform_scaled_zone(arena, mesh, zone, NAN);
  cr_assert_eq(refused(mesh, bad, ts_deform_params_default(0.8), "not finite"), TS_E_INPUT);
  zone.crossing_count--;
  cr_assert_eq(refused(mesh, zone, ts_deform_params_default(0.8), "crossing"), TS_E_INPUT);
}

Test(deform, normals_of_vertices_do_not_depend_on_how_a_face_is_split) {
  ts_mesh *mesh = deform_block(arena, 1, 1, 0, (ts_vec3){0, 0, 0});
  ts_vec3 *normals = ts_arena_array(arena, mesh->vertex_count, sizeof *normals);
  ts_vertex_normals(normals, mesh);
  for (size_t v = 0; v < mesh->vertex_count; v++) {
    cr_assert_float_eq(fabs(normals[v].x), sqrt(1.0 / 3), 1e-15);
    cr_assert_float_eq(fabs(normals[v].y), sqrt(1.0 / 3), 1e-15);
    cr_assert_gt(ts_vec3_dot(normals[v], mesh->vertices[v]), 0);
  }
}
