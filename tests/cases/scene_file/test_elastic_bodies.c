// SPDX-License-Identifier: MIT
// Deformable bodies of a scene file.
// covers: cases/scene_file/scene_file_elastic.c cases/scene_file/scene_file_write.c
// covers: cases/scene_file/scene_file_case.c
#include "base/param.h"
#include "base/status.h"
#include "cases/scene/deformable.h"
#include "cases/scene_file/scene_file.h"
#include "tests/cases/case_fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *arena;
static const char *folder;

/// Two tets on both sides of the triangle 1, 2, 3.
static const char pair_obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 -1\n"
                               "f 1 2 4\nf 2 3 4\nf 3 1 4\nf 2 1 5\nf 3 2 5\nf 1 3 5\n";
static const char cube_obj[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\n"
                               "v 0 1 1\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n"
                               "f 4 1 5 8\n";

#define PAIR    "\"mesh\": \"pair.obj\", \"tets\": [[0, 1, 2, 3], [0, 2, 1, 4]]"
#define CUBE    "\"mesh\": \"cube.obj\""
#define ELASTIC "\"young_pa\": 1e6, \"poisson\": 0.4"

static void setup(void) {
  arena = case_fixture_arena();
  folder = case_fixture_enter_folder(arena);
  case_fixture_put("pair.obj", pair_obj);
  case_fixture_put("cube.obj", cube_obj);
}

static void teardown(void) {
  case_fixture_remove_folder(arena, folder);
}

TestSuite(cases_elastic_bodies, .init = setup, .fini = teardown, .timeout = 60);

/// A scene of one shape and body, with these members.
static ts_status open_scene(ts_scene_file *file, const char *shape, const char *body,
                            const char *more) {
  case_fixture_put("scene.json",
                   ts_arena_format(arena,
                                   "{\"schema\": \"touchstone scene\", \"version\": 1, "
                                   "\"name\": \"one\",%s\n"
                                   " \"shapes\": [{\"name\": \"a\", %s}],\n"
                                   " \"bodies\": [{\"name\": \"p\", \"shape\": \"a\", %s}],\n"
                                   " \"truth\": \"untold\"}\n",
                                   more, shape, body));
  return ts_scene_file_open(file, arena, "scene.json");
}

static ts_scene_file read_scene(const char *shape, const char *elastic) {
  ts_scene_file file;
  const char *body = ts_arena_format(arena, "\"elastic\": {%s}", elastic);
  cr_assert_eq(open_scene(&file, shape, body, ""), TS_OK, "%s", ts_status_detail());
  return file;
}

static void refuse_scene(const char *shape, const char *body, const char *more, const char *words) {
  ts_scene_file file;
  cr_expect_eq(open_scene(&file, shape, body, more), TS_E_INPUT, "%s", words);
  cr_expect(strstr(ts_status_detail(), words), "%s: %s", words, ts_status_detail());
  cr_expect(strstr(ts_status_detail(), "scene.json: "), "%s", ts_status_detail());
}

static void refuse(const char *shape, const char *elastic, const char *words) {
  refuse_scene(shape, ts_arena_format(arena, "\"elastic\": {%s}", elastic), "", words);
}

Test(cases_elastic_bodies, what_the_file_says_is_what_the_body_has) {
  ts_scene_file file =
      read_scene(PAIR, ELASTIC ", \"mass_damping_1_s\": 2,"
                               " \"stiffness_damping_s\": 0.01, \"clamped\": [4, 0]");
  const ts_elastic *e = file.scene->bodies[0].elastic;
  cr_assert(e && e->clamped_count == 2);
  cr_expect(e->young_pa == 1e6 && e->poisson == 0.4 && e->mass_damping_1_s == 2 &&
            e->stiffness_damping_s == 0.01 && e->clamped[0] == 4 && e->clamped[1] == 0);
  const ts_case *c;
  cr_assert_eq(ts_scene_file_case(&c, arena, &file), TS_OK);
  cr_expect(c->is_deformable);
}

Test(cases_elastic_bodies, damping_and_clamps_may_be_left_out_and_so_may_all_of_it) {
  const ts_elastic *e = read_scene(PAIR, ELASTIC).scene->bodies[0].elastic;
  cr_expect(e->mass_damping_1_s == 0 && e->stiffness_damping_s == 0 && !e->clamped);
  ts_scene_file file;
  cr_assert_eq(open_scene(&file, PAIR, "\"is_fixed\": true", ""), TS_OK);
  const ts_case *c;
  cr_assert_eq(ts_scene_file_case(&c, arena, &file), TS_OK);
  cr_expect(!c->is_deformable);
}

Test(cases_elastic_bodies, a_box_clamps_the_nodes_that_are_in_it_or_on_it) {
  const ts_elastic *e =
      read_scene(PAIR, ELASTIC ", \"clamped\": {\"box_m\": [[0, 0, 0], [1, 1, 0.5]]}")
          .scene->bodies[0]
          .elastic;
  cr_assert_eq(e->clamped_count, 3);
  for (uint32_t i = 0; i < 3; i++)
    cr_expect_eq(e->clamped[i], i);
}

Test(cases_elastic_bodies, a_shape_without_tets_is_filled) {
  ts_scene_file file = read_scene(CUBE, ELASTIC ", \"clamped\": {\"box_m\": [[0,0,0], [1,1,0]]}");
  const ts_mesh *mesh = file.scene->shapes[0].mesh;
  cr_expect_geq(mesh->tet_count, 5);
  cr_expect_eq(mesh->triangle_count, 12);
  cr_expect_eq(file.scene->bodies[0].elastic->clamped_count, 4);
}

Test(cases_elastic_bodies, without_tetgen_the_message_says_which_shape_needs_it) {
  setenv("TOUCHSTONE_TETGEN", "/nonexistent", 1);
  refuse(CUBE, ELASTIC, "bodies[0].elastic: shape \"a\" has no tets and cannot be filled");
  read_scene(PAIR, ELASTIC);
}

Test(cases_elastic_bodies, an_export_comes_back_to_the_bit) {
  static const char *const shapes[] = {PAIR, CUBE};
  for (int i = 0; i < 2; i++) {
    ts_scene_file file = read_scene(shapes[i], ELASTIC ", \"mass_damping_1_s\": 0.1, \"clamped\": "
                                                       "{\"box_m\": [[-1,-1,-1], [2,0,2]]}");
    cr_assert_eq(ts_scene_transform(file.scene, 0.7, ts_pose_identity()), TS_OK);
    ts_scene_part *parts;
    size_t count;
    cr_assert_eq(ts_scene_file_write(&parts, &count, arena, file.scene, &file), TS_OK);
    for (size_t k = 0; k < count; k++)
      case_fixture_put(parts[k].name, parts[k].bytes);
    ts_scene_file again;
    cr_assert_eq(ts_scene_file_open(&again, arena, "scene.json"), TS_OK, "%s", ts_status_detail());
    const ts_elastic *e = file.scene->bodies[0].elastic, *f = again.scene->bodies[0].elastic;
    cr_expect(f->young_pa == e->young_pa && f->poisson == e->poisson &&
              f->mass_damping_1_s == e->mass_damping_1_s &&
              f->stiffness_damping_s == e->stiffness_damping_s);
    cr_assert_eq(f->clamped_count, e->clamped_count);
    cr_expect_eq(memcmp(f->clamped, e->clamped, e->clamped_count * sizeof *e->clamped), 0);
    const ts_mesh *m = file.scene->shapes[0].mesh, *n = again.scene->shapes[0].mesh;
    cr_assert(m->vertex_count == n->vertex_count && m->tet_count == n->tet_count);
    cr_expect_eq(memcmp(m->vertices, n->vertices, m->vertex_count * sizeof *m->vertices), 0);
    cr_expect_eq(memcmp(m->tets, n->tets, m->tet_count * sizeof *m->tets), 0);
  }
}

Test(cases_elastic_bodies, scale_is_on_top_of_the_file_and_leaves_the_file) {
  ts_scene_file file = read_scene(PAIR, ELASTIC);
  const ts_case *c;
  ts_scene *scaled;
  cr_assert_eq(ts_scene_file_case(&c, arena, &file), TS_OK);
  double values[TS_COMMON_COUNT];
  ts_param_defaults(values, ts_common_params, TS_COMMON_COUNT);
  values[TS_COMMON_SCALE] = 10;
  cr_assert_eq(ts_case_build(&scaled, arena, c, values), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(scaled->bodies[0].elastic->young_pa, 1e8);
  cr_expect_eq(file.scene->bodies[0].elastic->young_pa, 1e6);
  values[TS_COMMON_REFINEMENT] = 1;
  cr_expect_eq(ts_case_build(&scaled, arena, c, values), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "leave out refinement=1"), "%s", ts_status_detail());
}

Test(cases_elastic_bodies, values_out_of_range_are_refused_with_their_key) {
  refuse(PAIR, "\"poisson\": 0.4", "bodies[0].elastic.young_pa: is missing");
  refuse(PAIR, "\"young_pa\": 1", "bodies[0].elastic.poisson: is missing");
  refuse(PAIR, "\"young_pa\": 0, \"poisson\": 0.4", "bodies[0].elastic: young_pa is 0");
  refuse(PAIR, "\"young_pa\": -1, \"poisson\": 0.4", "bodies[0].elastic: young_pa is -1");
  refuse(PAIR, "\"young_pa\": \"1\", \"poisson\": 0.4", "bodies[0].elastic.young_pa: is a text");
  refuse(PAIR, "\"young_pa\": 1, \"poisson\": 0.5", "bodies[0].elastic: poisson is 0.5");
  refuse(PAIR, "\"young_pa\": 1, \"poisson\": -0.1", "bodies[0].elastic: poisson is -0.1");
  refuse(PAIR, ELASTIC ", \"mass_damping_1_s\": -1", "bodies[0].elastic: mass_damping_1_s is -1");
  refuse(PAIR, ELASTIC ", \"stiffness_damping_s\": -1",
         "bodies[0].elastic: stiffness_damping_s is -1");
  refuse(PAIR, ELASTIC ", \"damping\": 1", "bodies[0].elastic: \"damping\" is not known here");
  refuse_scene(PAIR, "\"elastic\": 1", "", "bodies[0].elastic: is a number; give an object");
}

Test(cases_elastic_bodies, clamped_nodes_that_cannot_be_are_refused) {
  refuse(PAIR, ELASTIC ", \"clamped\": []",
         "bodies[0].elastic.clamped: the list of clamped nodes is empty");
  refuse(PAIR, ELASTIC ", \"clamped\": [0, 5]",
         "bodies[0].elastic.clamped[1]: is 5; give a whole number, counted from 0, below 5");
  refuse(PAIR, ELASTIC ", \"clamped\": [-1]", "bodies[0].elastic.clamped[0]: is -1");
  refuse(PAIR, ELASTIC ", \"clamped\": [0.5]", "bodies[0].elastic.clamped[0]: is 0.5");
  refuse(PAIR, ELASTIC ", \"clamped\": [1, 2, 1]",
         "bodies[0].elastic.clamped: clamped node 1 is listed twice");
  refuse(PAIR, ELASTIC ", \"clamped\": [0, 1, 2, 3, 4]",
         "bodies[0].elastic.clamped: 5 nodes are clamped, of 5");
  refuse(PAIR, ELASTIC ", \"clamped\": 1", "bodies[0].elastic.clamped: is neither a list");
  refuse(CUBE, ELASTIC ", \"clamped\": [0]", "shape \"a\" has no tets, so that TetGen says");
}

Test(cases_elastic_bodies, boxes_that_cannot_be_are_refused) {
  refuse(PAIR, ELASTIC ", \"clamped\": {}", "bodies[0].elastic.clamped.box_m: is missing");
  refuse(PAIR, ELASTIC ", \"clamped\": {\"box_m\": [[0, 0, 0]]}", "box_m: has 1 points; give 2");
  refuse(PAIR, ELASTIC ", \"clamped\": {\"box_m\": [[0, 0, 0], [1, 1, -1]]}",
         "box_m: is not two corners");
  refuse(PAIR, ELASTIC ", \"clamped\": {\"box_m\": [[0, 0, 0], [1, 1, 1], [2, 2, 2]]}",
         "box_m: is not two corners");
  refuse(PAIR, ELASTIC ", \"clamped\": {\"box_m\": [[2, 2, 2], [3, 3, 3]]}",
         "clamped.box_m: holds none of the 5 nodes of shape \"a\", which are between (0, 0, -1) "
         "and (1, 1, 1)");
  refuse(PAIR, ELASTIC ", \"clamped\": {\"box_m\": [[-9, -9, -9], [9, 9, 9]]}",
         "bodies[0].elastic.clamped: 5 nodes are clamped, of 5");
}

Test(cases_elastic_bodies, elements_that_cannot_be_are_named) {
  case_fixture_put("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 -1e-7\n"
                               "f 1 2 4\nf 2 3 4\nf 3 1 4\nf 2 1 5\nf 3 2 5\nf 1 3 5\n");
  refuse("\"mesh\": \"flat.obj\", \"tets\": [[0, 1, 2, 3], [0, 2, 1, 4]]", ELASTIC,
         "bodies[0].elastic: tet 1 (nodes 0, 2, 1, 4) is flat");
  refuse("\"mesh\": \"pair.obj\", \"tets\": [[0, 1, 2, 3], [0, 1, 2, 4]]", ELASTIC,
         "shapes[0].tets: tet 1");
  case_fixture_put("stray.obj", ts_arena_format(arena, "%sv 5 5 5\n", pair_obj));
  refuse("\"mesh\": \"stray.obj\", \"tets\": [[0, 1, 2, 3], [0, 2, 1, 4]]", ELASTIC,
         "bodies[0].elastic: node 5 is in no tet");
}

Test(cases_elastic_bodies, bodies_that_do_not_deform_are_refused) {
  const char *elastic = "\"elastic\": {" ELASTIC "}";
  refuse_scene(PAIR, ts_arena_format(arena, "\"is_fixed\": true, %s", elastic), "",
               "bodies[0].elastic: is for bodies that move, and this one is fixed");
  refuse_scene("\"plane\": {}", ts_arena_format(arena, "\"is_fixed\": true, %s", elastic), "",
               "bodies[0].elastic: is for bodies that move, and shape a is a plane");
  refuse_scene("\"sphere\": {\"radius\": 1}", elastic, "",
               "bodies[0].elastic: is for meshes, and shape a is an exact sphere");
  refuse_scene(CUBE ", \"pieces\": [\"cube.obj\"]", elastic, "",
               "bodies[0].elastic: shape a comes in convex pieces");
  refuse_scene(PAIR, elastic, " \"refinement\": 1,", "leave out refinement=1");
}

/// Each body has the nodes of its shape: many of a large one are too many.
Test(cases_elastic_bodies, nodes_are_bounded_whatever_the_bodies) {
  const char *obj = "", *tets = "";
  enum { NODES = 2004 };
  // A stack of tets would do; separate ones are simpler.
  for (int i = 0; i < NODES / 4; i++) {
    obj =
        ts_arena_format(arena, "%sv %d 0 0\nv %d.5 0 0\nv %d 0.5 0\nv %d 0 0.5\n", obj, i, i, i, i);
    tets = ts_arena_format(arena, "%s%s[%d,%d,%d,%d]", tets, i ? "," : "", 4 * i, 4 * i + 1,
                           4 * i + 2, 4 * i + 3);
  }
  for (int i = 0; i < NODES / 4; i++)
    obj = ts_arena_format(arena, "%sf %d %d %d\nf %d %d %d\nf %d %d %d\nf %d %d %d\n", obj,
                          4 * i + 1, 4 * i + 3, 4 * i + 2, 4 * i + 1, 4 * i + 2, 4 * i + 4,
                          4 * i + 2, 4 * i + 3, 4 * i + 4, 4 * i + 3, 4 * i + 1, 4 * i + 4);
  case_fixture_put("many.obj", obj);
  const char *bodies = "";
  for (int i = 0; i < 500; i++)
    bodies = ts_arena_format(
        arena, "%s{\"name\": \"p%d\", \"shape\": \"a\", \"elastic\": {" ELASTIC "}}%s", bodies, i,
        i < 499 ? ", " : "");
  case_fixture_put("scene.json",
                   ts_arena_format(arena,
                                   "{\"schema\": \"touchstone scene\", \"version\": 1, \"name\": "
                                   "\"many\", \"truth\": \"untold\", \"shapes\": [{\"name\": \"a\","
                                   " \"mesh\": \"many.obj\", \"tets\": [%s]}], \"bodies\": [%s]}",
                                   tets, bodies));
  ts_scene_file file;
  cr_expect_eq(ts_scene_file_open(&file, arena, "scene.json"), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "bodies[499].elastic: brings the nodes of deformable bodies "
                                       "to 1002000; there may be 1000000"),
            "%s", ts_status_detail());
}
