// SPDX-License-Identifier: MIT
// covers: cases/scene/shape_state.c
// The convex pieces of shapes that are not convex.
#include "cases/scene/scene.h"
#include "cases/scene/shape_state.h"
#include "geometry/tolerances.h"
#include "tests/cases/case_fixture.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  arena = case_fixture_arena();
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(cases_pieces, .init = setup, .fini = teardown);

static double volume_of(const ts_mesh *mesh) {
  return ts_mesh_mass_properties(mesh, 1).volume_m3;
}

static double pieces_volume(const ts_shape *shape) {
  double sum = 0;
  for (size_t p = 0; p < shape->piece_count; p++)
    sum += volume_of(shape->pieces[p]);
  return sum;
}

/// The first shape of a case that is not convex.
static const ts_shape *bent_shape(const ts_scene *scene) {
  for (size_t i = 0; i < scene->shape_count; i++)
    if (!ts_shape_is_convex(&scene->shapes[i]))
      return &scene->shapes[i];
  cr_assert(0, "all shapes are convex");
  return NULL;
}

Test(cases_pieces, every_shape_is_convex_or_gives_its_pieces_but_the_torus) {
  size_t in_pieces = 0;
  for (size_t i = 0; ts_cases[i]; i++) {
    const ts_scene *scene = build_default(arena, ts_cases[i]->name);
    for (size_t s = 0; s < scene->shape_count; s++) {
      const ts_shape *shape = &scene->shapes[s];
      if (shape->mesh->tet_count > 0)
        continue; // of a body that deforms
      bool is_convex = ts_shape_is_convex(shape), is_torus = strcmp(shape->name, "torus") == 0;
      cr_expect_eq(is_convex, shape->piece_count == 0 && !is_torus, "%s of %s", shape->name,
                   ts_cases[i]->name);
      in_pieces += shape->piece_count > 0;
    }
  }
  cr_expect_eq(
      in_pieces, 10,
      "two blocks with a groove and one with a pit, six of the extended suite, and the box "
      "of the rain");
}

Test(cases_pieces, arches_and_spheres_are_convex_whatever_their_parameters) {
  const double triangles[] = {1e3, 3e3, 3e4, 1e5}, stones[] = {3, 8, 101};
  for (size_t i = 0; i < 4; i++) {
    const ts_scene *scene = build_case(arena, "spheres", {"triangles", triangles[i]});
    cr_expect(ts_shape_is_convex(&scene->shapes[0]), "%g triangles", triangles[i]);
  }
  for (size_t i = 0; i < 3; i++) {
    const ts_scene *scene =
        build_case(arena, "arch", {"stones", stones[i]}, {"thickness_m", 0.01 + 0.5 * (double)i});
    for (size_t s = 0; s < scene->shape_count; s++)
      cr_expect(ts_shape_is_convex(&scene->shapes[s]), "%s of %g", scene->shapes[s].name,
                stones[i]);
  }
}

/// Whether each vertex of a piece is one of the shape's, to the last bit.
static bool has_vertices_of(const ts_mesh *piece, const ts_mesh *whole) {
  for (size_t v = 0; v < piece->vertex_count; v++) {
    size_t k = 0;
    while (k < whole->vertex_count &&
           memcmp(&piece->vertices[v], &whole->vertices[k], sizeof(ts_vec3)) != 0)
      k++;
    if (k == whole->vertex_count)
      return false;
  }
  return true;
}

static const char *const cases_in_pieces[] = {"spike_in_crack", "spike_in_hole", "wedge_in_crack"};
static const size_t pieces_of_cases[] = {2, 4, 2};

Test(cases_pieces, volumes_add_up_and_vertices_are_those_of_the_shape_at_any_scale) {
  const double scales[] = {1e-3, 0.37, 1, 1e3};
  for (int c = 0; c < 3; c++)
    for (int k = 0; k < 4; k++) {
      const ts_scene *scene =
          build_case(arena, cases_in_pieces[c], {"scale", scales[k]}, {"motion_seed", 5});
      const ts_shape *shape = bent_shape(scene);
      cr_assert_eq(shape->piece_count, pieces_of_cases[c]);
      double whole_m3 = volume_of(shape->mesh);
      cr_expect_float_eq(pieces_volume(shape), whole_m3, 1e-12 * whole_m3);
      for (size_t p = 0; p < shape->piece_count; p++) {
        const ts_shape piece = {.mesh = shape->pieces[p],
                                .bounds_local = ts_mesh_bounds(shape->pieces[p])};
        cr_expect(ts_shape_is_convex(&piece));
        cr_expect(has_vertices_of(piece.mesh, shape->mesh));
      }
      cr_expect_eq(ts_scene_check_pieces(scene), TS_OK);
    }
}

static double area_of(const ts_mesh *mesh, size_t t) {
  const uint32_t *c = mesh->triangles[t];
  ts_vec3 ab = ts_vec3_sub(mesh->vertices[c[1]], mesh->vertices[c[0]]);
  ts_vec3 ac = ts_vec3_sub(mesh->vertices[c[2]], mesh->vertices[c[0]]);
  return 0.5 * ts_vec3_norm(ts_vec3_cross(ab, ac));
}

/// A point of a triangle, off its edges and middle lines.
static ts_vec3 point_inside(const ts_mesh *mesh, size_t t) {
  const uint32_t *c = mesh->triangles[t];
  ts_vec3 p = ts_vec3_scale(mesh->vertices[c[0]], 0.53);
  p = ts_vec3_add(p, ts_vec3_scale(mesh->vertices[c[1]], 0.29));
  return ts_vec3_add(p, ts_vec3_scale(mesh->vertices[c[2]], 0.18));
}

Test(cases_pieces, faces_lie_on_the_surface_or_back_to_back) {
  for (int c = 0; c < 3; c++) {
    const ts_scene *scene = build_default(arena, cases_in_pieces[c]);
    const ts_shape *shape = bent_shape(scene);
    double outer_m2 = 0, whole_m2 = 0, size_m = ts_aabb_extent(shape->bounds_local);
    ts_vec3 cut_m2 = {0, 0, 0}; // as vectors: what faces each other cancels
    for (size_t t = 0; t < shape->mesh->triangle_count; t++)
      whole_m2 += area_of(shape->mesh, t);
    for (size_t p = 0; p < shape->piece_count; p++)
      for (size_t t = 0; t < shape->pieces[p]->triangle_count; t++) {
        const ts_mesh *piece = shape->pieces[p];
        ts_vec3 world = ts_pose_point(scene->bodies[0].pose, point_inside(piece, t));
        if (case_fixture_surface_distance(scene, 0, world) <= 1e-14 * size_m)
          outer_m2 += area_of(piece, t);
        else
          cut_m2 =
              ts_vec3_add(cut_m2, ts_vec3_scale(ts_mesh_face_normal(piece, t), area_of(piece, t)));
      }
    cr_expect_float_eq(outer_m2, whole_m2, 1e-12 * whole_m2, "%s", cases_in_pieces[c]);
    cr_expect_lt(ts_vec3_norm(cut_m2), 1e-12 * whole_m2);
  }
}

/// Whether a point is strictly inside a convex mesh.
static bool is_inside(const ts_mesh *piece, ts_vec3 p) {
  for (size_t t = 0; t < piece->triangle_count; t++)
    if (ts_vec3_dot(ts_mesh_face_normal(piece, t),
                    ts_vec3_sub(p, piece->vertices[piece->triangles[t][0]])) >= 0)
      return false;
  return true;
}

static size_t pieces_around(const ts_shape *shape, double x, double y, double z) {
  size_t count = 0;
  for (size_t p = 0; p < shape->piece_count; p++)
    count += is_inside(shape->pieces[p], ts_vec3_make(x, y, z));
  return count;
}

Test(cases_pieces, a_point_is_in_one_piece_and_what_was_cut_out_is_in_none) {
  const ts_shape *crack = bent_shape(build_default(arena, "spike_in_crack"));
  const ts_shape *hole = bent_shape(build_default(arena, "spike_in_hole"));
  for (int i = 0; i < 11; i++)
    for (int k = 0; k < 11; k++) {
      double x = 0.173 * (i - 5) + 0.011, y = 0.0859 * (k - 5) + 0.007, z = 0.093 * (k - 4) + 0.003;
      bool in_groove = y > fabs(x);
      bool in_pit = y > fmax(fabs(x), fabs(z));
      cr_expect_eq(pieces_around(crack, x, y, z), in_groove ? 0 : 1, "(%g %g %g)", x, y, z);
      cr_expect_eq(pieces_around(hole, x, y, z), in_pit ? 0 : 1, "(%g %g %g)", x, y, z);
    }
}

Test(cases_pieces, a_carried_scene_shares_them) {
  const ts_scene *built = build_default(arena, "spike_in_hole");
  ts_scene *carried;
  cr_assert_eq(ts_scene_carry(&carried, arena, built, built->bodies), TS_OK);
  cr_expect_eq(bent_shape(carried)->pieces, bent_shape(built)->pieces);
  cr_expect_eq(bent_shape(carried)->piece_count, 4);
}

Test(cases_pieces, published_surfaces_have_none) {
  const ts_scene *scene = build_case(arena, "spike_in_crack", {"tets", TS_TETS_PUBLISHED});
  for (size_t i = 0; i < scene->shape_count; i++)
    cr_expect_eq(scene->shapes[i].piece_count, 0);
}

static const ts_vec3 tet[4] = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}};
static const uint32_t tet_triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static void expect_refused(ts_status status, const char *words) {
  cr_expect_eq(status, TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), words) != NULL, "no \"%s\" in \"%s\"", words,
            ts_status_detail());
}

Test(cases_pieces, an_invalid_piece_is_refused_and_named) {
  ts_scene *scene = build_default(arena, "spike_in_hole");
  ts_vec3 far[4], two[8];
  uint32_t two_triangles[8][3];
  for (size_t i = 0; i < 4; i++) {
    far[i] = ts_vec3_add(tet[i], ts_vec3_make(0.95, 0, 0));
    two[i] = tet[i];
    two[4 + i] = ts_vec3_sub(tet[i], ts_vec3_make(0.5, 0, 0));
    for (int k = 0; k < 3; k++) {
      two_triangles[i][k] = tet_triangles[i][k];
      two_triangles[4 + i][k] = 4 + tet_triangles[i][k];
    }
  }
  const ts_mesh *bent = scene->shapes[0].mesh;
  expect_refused(ts_scene_add_piece(scene, 2, tet, 4, tet_triangles, 4), "there are 2");
  expect_refused(ts_scene_add_piece(scene, -1, tet, 4, tet_triangles, 4), "there are 2");
  expect_refused(ts_scene_add_piece(scene, 0, tet, 4, tet_triangles, 3),
                 "piece 4 of shape hole_block: ");
  expect_refused(ts_scene_add_piece(scene, 0, far, 4, tet_triangles, 4), "reaches out");
  expect_refused(ts_scene_add_piece(scene, 0, two, 8, (const uint32_t(*)[3])two_triangles, 8),
                 "piece 4 of shape hole_block is not convex");
  expect_refused(ts_scene_add_piece(scene, 0, bent->vertices, bent->vertex_count, bent->triangles,
                                    bent->triangle_count),
                 "is not convex");
  ts_vec3 spare[5] = {tet[0], tet[1], tet[2], tet[3], {0.01, 0.01, 0.01}};
  expect_refused(ts_scene_add_piece(scene, 0, spare, 5, tet_triangles, 4), "is not convex");
  cr_expect_eq(scene->shapes[0].piece_count, 4);
  cr_expect_eq(ts_scene_check_pieces(scene), TS_OK);
}

Test(cases_pieces, pieces_that_do_not_fill_their_shape_are_noticed) {
  ts_scene *scene = build_default(arena, "spike_in_crack");
  cr_assert_eq(ts_scene_add_piece(scene, 0, tet, 4, tet_triangles, 4), TS_OK);
  expect_refused(ts_scene_check_pieces(scene), "of shape crack_block do not fill it");
  scene->shapes[0].piece_count = 1;
  expect_refused(ts_scene_check_pieces(scene), "of shape crack_block do not fill it");
}

Test(cases_pieces, a_piece_beside_its_shape_is_noticed) {
  ts_scene *scene = build_default(arena, "box_in_corner");
  ts_shape *shape = &scene->shapes[0];
  size_t last = shape->piece_count - 1;
  ts_mesh *moved;
  ts_vec3 vertices[8];
  for (size_t v = 0; v < 8; v++) // the wall, on the other side of where it is to be
    vertices[v] = ts_vec3_add(shape->pieces[last]->vertices[v], ts_vec3_make(0.6, 0, 0.6));
  cr_assert_eq(ts_mesh_with_vertices(&moved, arena, shape->pieces[last], vertices), TS_OK);
  shape->pieces[last] = moved;
  expect_refused(ts_scene_check_pieces(scene), "of shape corner is not inside of it");
}

Test(cases_pieces, any_number_is_kept_in_order) {
  ts_scene *scene = build_default(arena, "spike_in_crack");
  for (int i = 0; i < 20; i++) {
    ts_vec3 moved[4];
    for (int k = 0; k < 4; k++)
      moved[k] = ts_vec3_add(tet[k], ts_vec3_make(0, -0.45, 0.01 * i));
    cr_assert_eq(ts_scene_add_piece(scene, 0, moved, 4, tet_triangles, 4), TS_OK);
  }
  const ts_shape *shape = &scene->shapes[0];
  cr_assert_eq(shape->piece_count, 22);
  cr_expect_eq(shape->pieces[0]->vertex_count, 10);
  for (int i = 0; i < 20; i++)
    cr_expect_eq(shape->pieces[2 + i]->vertices[0].z, 0.01 * i);
}

Test(cases_pieces, a_piece_is_refined_and_filled_as_a_shape_is) {
  const ts_scene *scene = build_case(arena, "spike_in_hole", {"refinement", 1});
  const ts_shape_state filled = {.needs_tets = true};
  double sum_m3 = 0;
  for (size_t p = 0; p < 4; p++) {
    const ts_mesh *mesh;
    cr_assert_eq(ts_shape_state_piece(&mesh, arena, scene, 0, p, &filled), TS_OK, "%s",
                 ts_status_detail());
    cr_expect_gt(mesh->triangle_count, scene->shapes[0].pieces[p]->triangle_count);
    cr_expect_gt(mesh->tet_count, 0);
    sum_m3 += volume_of(mesh);
  }
  cr_expect_float_eq(sum_m3, volume_of(scene->shapes[0].mesh), 1e-9);
}

Test(cases_pieces, dilated_pieces_reach_as_far_as_the_dilated_shape) {
  const double far = 0.01;
  ts_scene *scene = build_default(arena, "spike_in_hole");
  const ts_shape_state dilated = {.offset_m = far, .moves_faces = true};
  ts_aabb whole = scene->shapes[0].bounds_local, all = ts_aabb_empty();
  for (size_t p = 0; p < 4; p++) {
    const ts_mesh *mesh;
    cr_assert_eq(ts_shape_state_piece(&mesh, arena, scene, 0, p, &dilated), TS_OK, "%s",
                 ts_status_detail());
    all = ts_aabb_join(all, ts_mesh_bounds(mesh));
    cr_expect_gt(volume_of(mesh), volume_of(scene->shapes[0].pieces[p]));
  }
  cr_expect_float_eq(all.high.y, whole.high.y + far, 1e-12);
  cr_expect_float_eq(all.low.y, whole.low.y - far, 1e-12);
  // Where two pieces share an edge of the shape, the sharper corners of the pieces stick out.
  cr_expect_float_eq(all.high.x, whole.high.x + (1 + sqrt(2)) * far, 1e-12);
}

Test(cases_pieces, a_state_that_pieces_do_not_have_is_skipped_with_its_reason) {
  ts_scene *scene = build_default(arena, "spike_in_hole");
  const ts_mesh *mesh;
  const ts_shape_state eroded = {.offset_m = -0.01, .moves_faces = true},
                       filled = {.needs_tets = true};
  cr_expect_eq(ts_shape_state_piece(&mesh, arena, scene, 0, 1, &eroded), TS_SKIPPED);
  cr_expect(strstr(ts_status_detail(), "eroded by 0.01 m"), "%s", ts_status_detail());
  cr_expect(strstr(ts_status_detail(), "shape hole_block"), "%s", ts_status_detail());
  scene->tets = TS_TETS_PUBLISHED;
  cr_expect_eq(ts_shape_state_piece(&mesh, arena, scene, 0, 1, &filled), TS_SKIPPED);
  cr_expect(strstr(ts_status_detail(), "tets=published"), "%s", ts_status_detail());
}
