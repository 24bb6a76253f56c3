// SPDX-License-Identifier: MIT
// Convex pieces that a scene file asks for, and approximate ones that it gives.
// covers: cases/scene/found_pieces.c cases/scene_file/scene_file_pieces.c
#include "cases/scene_file/scene_file.h"
#include "tests/cases/case_fixture.h"

#include "base/file.h"
#include "base/status.h"
#include "cases/truth/way_out.h"
#include "geometry/mesh/mesh.h"
#include "geometry/tolerances.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *arena;
static const char *folder;

/// An L of legs 2 x 1 x 1 around the edge x = y = 0.
static const char l_obj[] = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n"
                            "v 0 0 1\nv 2 0 1\nv 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\n"
                            "f 6 5 4 1\nf 4 3 2 1\nf 7 10 11 12\nf 7 8 9 10\n"
                            "f 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\n"
                            "f 6 1 7 12\n";

static void setup(void) {
  arena = case_fixture_arena();
  folder = case_fixture_enter_folder(arena);
  case_fixture_put("l.obj", l_obj);
}

static void teardown(void) {
  case_fixture_remove_folder(arena, folder);
}

TestSuite(cases_found_pieces, .init = setup, .fini = teardown);

/// Two bodies of one shape, the second moved by (x, 0, 1.2).
static ts_status open_scene(ts_scene_file *file, const char *shape) {
  case_fixture_put(
      "scene.json",
      ts_arena_format(arena,
                      "{\"schema\": \"touchstone scene\", \"version\": 1, \"name\": \"two\",\n"
                      " \"shapes\": [{\"name\": \"a\", %s}],\n"
                      " \"bodies\": [{\"name\": \"p\", \"shape\": \"a\", \"is_fixed\": true},\n"
                      "  {\"name\": \"q\", \"shape\": \"a\","
                      " \"pose\": {\"translation_m\": [0, 0, 1.2]}}]}\n",
                      shape));
  return ts_scene_file_open(file, arena, "scene.json");
}

static ts_scene *read_scene(const char *shape) {
  ts_scene_file file;
  cr_assert_eq(open_scene(&file, shape), TS_OK, "%s", ts_status_detail());
  return file.scene;
}

static void refuse(const char *shape, const char *words) {
  ts_scene_file file;
  cr_expect_eq(open_scene(&file, shape), TS_E_INPUT, "%s", shape);
  cr_expect(strstr(ts_status_detail(), words), "%s: %s", words, ts_status_detail());
}

static double pieces_volume(const ts_shape *shape) {
  double sum = 0;
  for (size_t i = 0; i < shape->piece_count; i++)
    sum += ts_mesh_mass_properties(shape->pieces[i], 1).volume_m3;
  return sum;
}

Test(cases_found_pieces, those_of_an_l_are_two_boxes_that_fill_it) {
  const ts_shape *shape = &read_scene("\"mesh\": \"l.obj\", \"pieces\": \"auto\"")->shapes[0];
  cr_assert_eq(shape->piece_count, 2);
  cr_expect_eq(shape->pieces_kind, TS_PIECES_EXACT);
  cr_expect_eq(shape->pieces_error.distance_m, 0);
  cr_expect_float_eq(pieces_volume(shape), 3, 1e-12);
  for (int i = 0; i < 2; i++)
    cr_expect_eq(shape->pieces[i]->triangle_count, 12);
}

Test(cases_found_pieces, a_shape_with_tets_is_cut_along_its_own_and_needs_no_tetgen) {
  setenv("TOUCHSTONE_TETGEN", "/nonexistent", 1);
  refuse("\"mesh\": \"l.obj\", \"pieces_max\": 3", "belongs to \"pieces\": \"auto\"");
  ts_scene_file file;
  cr_expect_eq(open_scene(&file, "\"mesh\": \"l.obj\", \"pieces\": \"auto\""), TS_E_INPUT, "%s",
               ts_status_detail());
  cr_expect(strstr(ts_status_detail(), "shapes[0].pieces"), "%s", ts_status_detail());
  // Three wedges of three tets in each leg, apart at the plane x = y.
  const ts_shape *shape =
      &read_scene("\"mesh\": \"l.obj\", \"pieces\": \"auto\", \"tets\": ["
                  "[0,1,2,8],[0,1,8,7],[0,7,8,6],[0,2,3,9],[0,2,9,8],[0,8,9,6],"
                  "[0,3,4,10],[0,3,10,9],[0,9,10,6],[0,4,5,11],[0,4,11,10],[0,10,11,6]]")
           ->shapes[0];
  cr_expect_eq(shape->piece_count, 2);
  cr_expect_eq(shape->pieces_kind, TS_PIECES_EXACT);
}

Test(cases_found_pieces, a_convex_shape_needs_none) {
  const ts_scene *scene =
      read_scene("\"hull_of\": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], \"pieces\": \"auto\"");
  cr_expect_eq(scene->shapes[0].piece_count, 0);
}

Test(cases_found_pieces, fewer_than_it_takes_are_approximate_and_not_used_for_the_truth) {
  ts_scene *scene = read_scene("\"mesh\": \"l.obj\", \"pieces\": \"auto\", \"pieces_max\": 1");
  ts_shape *shape = &scene->shapes[0];
  cr_assert_eq(shape->piece_count, 1);
  cr_expect_eq(shape->pieces_kind, TS_PIECES_APPROXIMATE);
  cr_expect_float_eq(shape->pieces_error.volume_relative, 0.5 / 3, 1e-12);
  cr_expect(shape->pieces_error.distance_m >= 0.5 && shape->pieces_error.distance_m < 0.551);
  ts_convex_pieces pieces;
  ts_vec3 way_out;
  cr_assert_eq(ts_convex_pieces_create(&pieces, arena, shape, NULL), TS_OK);
  cr_expect_eq(pieces.count, 0);
  ts_status status = ts_find_way_out(&way_out, &pieces, &pieces, ts_pose_identity(), 1e-6);
  cr_expect_eq(status, TS_E_UNSUPPORTED);
  cr_expect(strstr(ts_status_detail(), "approximate ones only"), "%s", ts_status_detail());
  double distance_m = shape->pieces_error.distance_m;
  cr_assert_eq(ts_scene_transform(scene, 1e-3, ts_pose_identity()), TS_OK);
  cr_expect_float_eq(scene->shapes[0].pieces_error.distance_m, 1e-3 * distance_m, 1e-18);
  cr_expect_eq(ts_scene_check_pieces(scene), TS_OK, "%s", ts_status_detail());
}

Test(cases_found_pieces, an_export_has_them_with_their_error_and_is_read_again) {
  for (int max = 1; max <= 2; max++) {
    const ts_scene *scene = read_scene(ts_arena_format(
        arena, "\"mesh\": \"l.obj\", \"pieces\": \"auto\", \"pieces_max\": %d", max));
    ts_scene_part *parts;
    size_t count;
    const ts_scene_file about = {.name = "two"};
    cr_assert_eq(ts_scene_file_write(&parts, &count, arena, scene, &about), TS_OK);
    for (size_t i = 0; i < count; i++)
      case_fixture_put(parts[i].name, parts[i].bytes);
    ts_scene_file again;
    cr_assert_eq(ts_scene_file_open(&again, arena, "scene.json"), TS_OK, "%s", ts_status_detail());
    const ts_shape *old = &scene->shapes[0], *new = &again.scene->shapes[0];
    cr_assert_eq(new->piece_count, old->piece_count);
    cr_expect_eq(new->pieces_kind, max == 1 ? TS_PIECES_APPROXIMATE : TS_PIECES_GIVEN);
    cr_expect_eq(new->pieces_error.distance_m, old->pieces_error.distance_m);
    cr_expect_eq(new->pieces_error.volume_relative, old->pieces_error.volume_relative);
    for (size_t i = 0; i < old->piece_count; i++)
      cr_expect_arr_eq(new->pieces[i]->vertices, old->pieces[i]->vertices,
                       old->pieces[i]->vertex_count * sizeof(ts_vec3));
  }
}

Test(cases_found_pieces, what_is_no_request_or_no_error_is_refused_with_its_key) {
  refuse("\"mesh\": \"l.obj\", \"pieces\": \"Auto\"", "shapes[0].pieces: ");
  refuse("\"mesh\": \"l.obj\", \"pieces\": \"auto\", \"pieces_max\": 0", "shapes[0].pieces_max: ");
  refuse("\"mesh\": \"l.obj\", \"pieces\": \"auto\", \"pieces_max\": 1.5", "from 1 to 1024");
  refuse("\"mesh\": \"l.obj\", \"pieces\": \"auto\", \"pieces_max\": 1e9", "from 1 to 1024");
  refuse("\"mesh\": \"l.obj\", \"pieces_error\": {}", "belongs to a list of pieces");
  refuse("\"mesh\": \"l.obj\", \"pieces\": [\"l.obj\"]", "is not convex");
  refuse("\"box\": {\"size\": [1, 1, 1]}, \"pieces\": \"auto\"", "is a box and has pieces");
  case_fixture_put("leg.obj",
                   "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  const char *stated = "\"mesh\": \"l.obj\", \"pieces\": [\"leg.obj\"], \"pieces_error\": {"
                       "\"volume_relative\": %s, \"distance_m\": %s}";
  refuse(ts_arena_format(arena, stated, "-0.5", "1"), "but for the error that is stated");
  refuse(ts_arena_format(arena, stated, "-1", "1"), "pieces_error.volume_relative");
  refuse(ts_arena_format(arena, stated, "-0.5", "0"), "pieces_error.distance_m");
  read_scene(ts_arena_format(arena, stated, "-0.88888888888888884", "2"));
}

/// A tetrahedron of which one face has a dent of `depth` around its middle, `count` of them.
static const char *dented(int count, double scale, double depth, double away) {
  const char *text = "";
  for (int i = 0; i < count; i++) {
    static const double at[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    for (int v = 0; v < 5; v++) {
      double inwards = v == 4 ? (1 - depth) / 3 : 1;
      text = ts_arena_format(arena, "%sv %.17g %.17g %.17g\n", text,
                             away + scale * (2 * i + inwards * at[v][0]),
                             away + scale * inwards * at[v][1], scale * inwards * at[v][2]);
    }
    int o = 5 * i;
    text = ts_arena_format(arena, "%sf %d %d %d\nf %d %d %d\nf %d %d %d\n", text, o + 1, o + 3,
                           o + 2, o + 1, o + 2, o + 4, o + 1, o + 4, o + 3);
    text = ts_arena_format(arena, "%sf %d %d %d\nf %d %d %d\nf %d %d %d\n", text, o + 2, o + 3,
                           o + 5, o + 3, o + 4, o + 5, o + 4, o + 2, o + 5);
  }
  return text;
}

Test(cases_found_pieces, dents_small_and_large_near_and_far_are_filled_or_their_error_is_stated) {
  static const struct {
    double scale, depth, away;
  } tries[] = {{1, 0.5, 0},  {1e-3, 0.5, 0}, {1e3, 0.5, 0}, {1, 0.5, 1e5},    {1e-3, 0.5, 1e2},
               {1, 1e-3, 0}, {1, 0.9, 0},    {1, 1e-5, 0},  {1e3, 1e-4, 1e6}, {1e-3, 0.99, 0.3}};
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
    case_fixture_put("dent.obj", dented(2, tries[i].scale, tries[i].depth, tries[i].away));
    const ts_shape *shape = &read_scene("\"mesh\": \"dent.obj\", \"pieces\": \"auto\"")->shapes[0];
    double volume = ts_mesh_mass_properties(shape->mesh, 1).volume_m3;
    cr_assert_geq(shape->piece_count, 2);
    cr_expect_eq(shape->pieces_kind, TS_PIECES_EXACT, "%zu: %g", i,
                 shape->pieces_error.volume_relative);
    cr_expect_float_eq(pieces_volume(shape) / volume, 1, TS_CONVEX_RELATIVE, "%zu", i);
  }
}

Test(cases_found_pieces, sheets_that_share_a_vertex_and_slivers_are_split) {
  case_fixture_put("touching.obj",
                   "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv -1 0 0\nv 0 -1 0\nv 0 0 -1\n"
                   "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
                   "f 1 5 6\nf 1 7 5\nf 5 7 6\nf 1 6 7\n");
  const ts_shape *shape =
      &read_scene("\"mesh\": \"touching.obj\", \"pieces\": \"auto\"")->shapes[0];
  cr_expect_eq(shape->piece_count, 2);
  cr_expect_eq(shape->pieces_kind, TS_PIECES_EXACT);
  case_fixture_put("sliver.obj", "v 0 0 0\nv 1 0 0\nv 0 1e-5 0\nv 0 0 1\nv 0.3 3e-6 0.3\n"
                                 "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\nf 3 4 5\nf 4 2 5\n");
  shape = &read_scene("\"mesh\": \"sliver.obj\", \"pieces\": \"auto\"")->shapes[0];
  cr_expect_geq(shape->piece_count, 1);
}

/// Tetrahedra in a row, a few triangles more than are taken.
static void put_fine(const char *name) {
  FILE *file = fopen(name, "wb");
  cr_assert_not_null(file);
  for (size_t i = 0; i <= TS_SPLIT_TRIANGLES_MAX / 4; i++) {
    size_t o = 4 * i;
    fprintf(file, "v %zu 0 0\nv %zu.5 0 0\nv %zu 1 0\nv %zu 0 1\n", i, i, i, i);
    fprintf(file, "f %zu %zu %zu\nf %zu %zu %zu\n", o + 1, o + 3, o + 2, o + 1, o + 2, o + 4);
    fprintf(file, "f %zu %zu %zu\nf %zu %zu %zu\n", o + 1, o + 4, o + 3, o + 2, o + 3, o + 4);
  }
  fclose(file);
}

Test(cases_found_pieces,
     surfaces_that_cross_themselves_or_have_too_much_are_refused_with_their_names) {
  case_fixture_put("crossed.obj",
                   ts_arena_format(arena, "%s%s", dented(1, 1, 0.5, 0),
                                   "v 0.1 0.1 -1\nv 0.3 0.1 -1\nv 0.1 0.3 -1\nv 0.1 0.1 0.5\n"
                                   "f 6 8 7\nf 6 7 9\nf 7 8 9\nf 6 9 8\n"));
  refuse("\"mesh\": \"crossed.obj\", \"pieces\": \"auto\"", "shapes[0].pieces: shape \"a\": ");
  case_fixture_put("parts.obj", dented(6, 1, 0.5, 0));
  refuse("\"mesh\": \"parts.obj\", \"pieces\": \"auto\", \"pieces_max\": 5", "6 separate parts");
  put_fine("fine.obj");
  refuse("\"mesh\": \"fine.obj\", \"pieces\": \"auto\"", "convex pieces are found for");
}
