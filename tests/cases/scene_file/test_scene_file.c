// SPDX-License-Identifier: MIT
// covers: cases/scene_file/json_node.c cases/scene_file/scene_file_case.c
// covers: cases/scene_file/scene_file_meshes.c cases/scene_file/scene_file_read.c
// covers: cases/scene_file/scene_file_truth.c cases/scene_file/scene_file_write.c
#include "cases/scene/published_tets.h"
#include "cases/scene_file/scene_file.h"
#include "cases/truth/oracle_truth.h"
#include "tests/cases/case_fixture.h"

#include "base/param.h"
#include "base/status.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ts_arena *arena;
static char folder[] = "/tmp/ts_scene_XXXXXX";

static void setup(void) {
  arena = case_fixture_arena();
  cr_assert_not_null(mkdtemp(folder));
  cr_assert_eq(chdir(folder), 0);
}

static void teardown(void) {
  char *command = ts_arena_format(arena, "rm -rf %s", folder);
  cr_expect_eq(system(command), 0);
}

TestSuite(cases_scene_file, .init = setup, .fini = teardown);

static void put(const char *name, const char *bytes, size_t count) {
  FILE *file = fopen(name, "wb");
  cr_assert_not_null(file);
  cr_assert_eq(fwrite(bytes, 1, count, file), count);
  fclose(file);
}

static void put_text(const char *name, const char *text) {
  put(name, text, strlen(text));
}

/// Writes a scene and reads it back.
static ts_scene_file *there_and_back(const ts_scene *scene, const ts_scene_file *about) {
  ts_scene_part *parts;
  size_t count;
  cr_assert_eq(ts_scene_file_write(&parts, &count, arena, scene, about), TS_OK, "%s",
               ts_status_detail());
  for (size_t i = 0; i < count; i++)
    put(parts[i].name, parts[i].bytes, parts[i].byte_count);
  ts_scene_file *file = ts_arena_alloc(arena, sizeof *file);
  cr_assert_eq(ts_scene_file_open(file, arena, "scene.json"), TS_OK, "%s", ts_status_detail());
  return file;
}

#define expect_same(a, b, count)                                                                   \
  cr_expect_eq(memcmp(a, b, (count) * sizeof *(a)), 0, "%s: " #a, what)

static void expect_same_mesh(const ts_mesh *a, const ts_mesh *b, const char *what) {
  cr_assert_eq(a->vertex_count, b->vertex_count);
  cr_assert_eq(a->triangle_count, b->triangle_count);
  cr_assert_eq(a->tet_count, b->tet_count);
  expect_same(a->vertices, b->vertices, a->vertex_count);
  expect_same(a->triangles, b->triangles, a->triangle_count);
  expect_same(a->edge_twin, b->edge_twin, 3 * a->triangle_count);
  if (a->tet_count > 0)
    expect_same(a->tets, b->tets, a->tet_count);
}

static void expect_same_tets(const ts_published_tets *a, const ts_published_tets *b,
                             const char *what) {
  cr_assert(a->node_count == b->node_count && a->tet_count == b->tet_count);
  expect_same(a->designed.nodes, b->designed.nodes, a->node_count);
  expect_same(a->designed.tets, b->designed.tets, a->tet_count);
  expect_same(a->eroded.nodes, b->eroded.nodes, a->node_count);
  expect_same(a->eroded.tets, b->eroded.tets, a->tet_count);
}

static void expect_same_shape(const ts_scene *a, const ts_scene *b, size_t i, const char *what) {
  const ts_shape *s = &a->shapes[i], *t = &b->shapes[i];
  cr_expect_str_eq(s->name, t->name);
  cr_expect_eq(s->is_conical, t->is_conical);
  cr_expect_eq(memcmp(&s->bounds_local, &t->bounds_local, sizeof s->bounds_local), 0);
  expect_same_mesh(s->mesh, t->mesh, what);
  cr_assert_eq(s->piece_count, t->piece_count);
  for (size_t p = 0; p < s->piece_count; p++)
    expect_same_mesh(s->pieces[p], t->pieces[p], what);
  if (a->tets == TS_TETS_PUBLISHED)
    expect_same_tets(a->published_tets[i], b->published_tets[i], what);
}

static void expect_same_region(const ts_region *r, const ts_region *t, const char *what) {
  cr_assert(r->body_a == t->body_a && r->body_b == t->body_b && r->kind == t->kind &&
            r->needs_all == t->needs_all && r->vertex_count == t->vertex_count);
  expect_same(r->vertices, t->vertices, r->vertex_count);
  for (int k = 0; k < TS_REFERENCE_COUNT; k++) {
    cr_assert_eq(r->feasible[k].count, t->feasible[k].count);
    expect_same(r->feasible[k].normals, t->feasible[k].normals, r->feasible[k].count);
  }
}

/// Whether the harness cannot distinguish the two.
static void expect_same_scene(const ts_scene *a, const ts_scene *b, const char *what) {
  cr_expect(a->scale == b->scale && a->refinement == b->refinement && a->tets == b->tets, "%s",
            what);
  cr_expect(a->later_body_first == b->later_body_first, "%s", what);
  cr_expect(a->truth_is_unknown == b->truth_is_unknown, "%s", what);
  cr_expect_eq(memcmp(&a->up, &b->up, sizeof a->up), 0, "%s", what);
  cr_assert(a->shape_count == b->shape_count && a->body_count == b->body_count, "%s", what);
  for (size_t i = 0; i < a->shape_count; i++)
    expect_same_shape(a, b, i, what);
  for (size_t i = 0; i < a->body_count; i++) {
    const ts_body *s = &a->bodies[i], *t = &b->bodies[i];
    cr_expect_str_eq(s->name, t->name);
    cr_expect(s->shape == t->shape && s->is_fixed == t->is_fixed, "%s", what);
    expect_same(&s->pose, &t->pose, 1);
    expect_same(&s->twist, &t->twist, 1);
    expect_same(&s->density_kg_m3, &t->density_kg_m3, 1);
  }
  cr_expect_eq(a->published_masses == NULL, b->published_masses == NULL, "%s", what);
  if (a->published_masses && b->published_masses)
    expect_same(a->published_masses, b->published_masses, a->body_count);
  cr_assert_eq(a->force_count, b->force_count, "%s", what);
  for (size_t i = 0; i < a->force_count; i++) {
    const ts_force *s = &a->forces[i], *t = &b->forces[i];
    cr_expect_eq(s->body, t->body, "%s", what);
    expect_same(&s->point_local, &t->point_local, 1);
    expect_same(&s->force_n, &t->force_n, 1);
  }
  cr_assert_eq(a->region_count, b->region_count, "%s", what);
  for (size_t i = 0; i < a->region_count; i++)
    expect_same_region(&a->regions[i], &b->regions[i], what);
}

static void expect_round_trip(const ts_case *c, const case_setting *settings, size_t count) {
  ts_scene *scene = case_fixture_build(arena, c->name, settings, count);
  const ts_scene_file about = {.name = c->name, .case_parameters = "a=1;b=2"};
  ts_scene_file *file = there_and_back(scene, &about);
  expect_same_scene(scene, file->scene, c->name);
  cr_expect_str_eq(file->name, c->name);
  cr_expect_str_eq(file->case_parameters, "a=1;b=2");
  // As a case, all defaults, it is the same again.
  const ts_case *again;
  double values[TS_COMMON_COUNT];
  ts_scene *built;
  ts_param_defaults(values, ts_common_params, TS_COMMON_COUNT);
  cr_assert_eq(ts_scene_file_case(&again, arena, file), TS_OK);
  cr_assert_eq(ts_case_build(&built, arena, again, values), TS_OK, "%s", ts_status_detail());
  expect_same_scene(scene, built, c->name);
  cr_expect_str_eq(ts_case_parameters(arena, again, values), "a=1;b=2");
}

#define round_trips(...)                                                                           \
  for (size_t i = 0; ts_cases[i]; i++)                                                             \
    if (case_fixture_is_published(ts_cases[i]))                                                    \
  expect_round_trip(ts_cases[i], (const case_setting[]){__VA_ARGS__},                              \
                    sizeof((const case_setting[]){__VA_ARGS__}) / sizeof(case_setting))

Test(cases_scene_file, every_case_comes_back_to_the_bit) {
  for (size_t i = 0; ts_cases[i]; i++)
    expect_round_trip(ts_cases[i], NULL, 0);
}

Test(cases_scene_file, so_it_does_small_turned_and_far_away) {
  round_trips({"scale", 0.001}, {"motion_seed", 3}, {"offset_m", 0.01});
}

Test(cases_scene_file, so_it_does_with_noise_and_refined) {
  round_trips({"perturb_m", 0.02}, {"refinement", 1});
}

Test(cases_scene_file, so_it_does_with_published_tets) {
  round_trips({"tets", TS_TETS_PUBLISHED}, {"motion_seed", 2}, {"scale", 0.3});
}

/// Two cubes, the upper one moved by hand, with everything that a file can say.
static const char *const cubes =
    "{\"schema\": \"touchstone scene\", \"version\": 1, \"name\": \"cubes\",\n"
    " \"units\": {\"length\": \"m\", \"mass\": \"kg\", \"time\": \"s\", \"angle\": \"rad\"},\n"
    " \"scale\": 1, \"up\": [0, 0, 1], \"comment\": \"by hand\",\n"
    " \"shapes\": [{\"name\": \"cube\", \"mesh\": \"cube.obj\"}],\n"
    " \"bodies\": [{\"name\": \"low\", \"shape\": \"cube\", \"is_fixed\": true},\n"
    "  {\"name\": \"high\", \"shape\": \"cube\", \"density_kg_m3\": 500,\n"
    "   \"pose\": {\"rotation_wxyz\": [1, 0, 0, 0], \"translation_m\": [0, 0, 1]},\n"
    "   \"twist\": {\"linear_m_s\": [0, 0, -1], \"angular_rad_s\": [0, 0, 2]}}],\n"
    " \"truth\": \"told\",\n"
    " \"regions\": [{\"bodies\": [\"low\", \"high\"], \"kind\": \"polygon\", \"needs\": \"any\",\n"
    "  \"vertices_m\": [[-0.5, -0.5, 0.5], [0.5, -0.5, 0.5], [0.5, 0.5, 0.5], [-0.5, 0.5, 0.5]],\n"
    "  \"normals\": {\"design\": [{\"normal\": [0, 0, 1], \"gap_m\": 0}]}}]}\n";

static const char *const cube_obj =
    "v -0.5 -0.5 -0.5\nv 0.5 -0.5 -0.5\nv 0.5 0.5 -0.5\nv -0.5 0.5 -0.5\n"
    "v -0.5 -0.5 0.5\nv 0.5 -0.5 0.5\nv 0.5 0.5 0.5\nv -0.5 0.5 0.5\n"
    "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

/// `text` with the first `from` replaced, which must be there.
static char *edited(const char *text, const char *from, const char *to) {
  const char *at = strstr(text, from);
  cr_assert_not_null(at, "%s", from);
  return ts_arena_format(arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static ts_status try_text(const char *text) {
  ts_scene_file file;
  put_text("scene.json", text);
  return ts_scene_file_open(&file, arena, "scene.json");
}

static ts_scene_file read_text(const char *text) {
  ts_scene_file file;
  put_text("scene.json", text);
  cr_assert_eq(ts_scene_file_open(&file, arena, "scene.json"), TS_OK, "%s", ts_status_detail());
  return file;
}

static void expect_refused(const char *text, const char *words) {
  cr_expect_eq(try_text(text), TS_E_INPUT, "%s", words);
  cr_expect(strstr(ts_status_detail(), words), "%s\n  instead of %s", ts_status_detail(), words);
}

/// The cubes with one thing replaced.
static void refuse(const char *from, const char *to, const char *words) {
  expect_refused(edited(cubes, from, to), words);
}

Test(cases_scene_file, a_scene_by_hand_has_what_the_file_says) {
  put_text("cube.obj", cube_obj);
  ts_scene *scene = read_text(cubes).scene;
  cr_assert_eq(scene->body_count, 2);
  cr_expect(scene->bodies[0].is_fixed && !scene->bodies[1].is_fixed);
  cr_expect_eq(scene->bodies[0].density_kg_m3, TS_SCENE_DENSITY_KG_M3);
  cr_expect_eq(scene->bodies[1].density_kg_m3, 500);
  cr_expect_eq(scene->bodies[1].pose.translation.z, 1);
  cr_expect_eq(scene->bodies[1].twist.linear_m_s.z, -1);
  cr_expect_eq(scene->bodies[1].twist.angular_rad_s.z, 2);
  cr_expect_eq(scene->up.z, 1);
  ts_truth_totals totals = ts_scene_truth_totals(scene, TS_REFERENCE_FEASIBLE);
  cr_expect(totals.area_m2 == 1 && totals.minimum == 4);
}

Test(cases_scene_file, a_zero_keeps_its_sign) {
  put_text("cube.obj", cube_obj);
  ts_scene *scene = read_text(edited(cubes, "[0, 0, 1]}", "[-0, 0, 1]}")).scene;
  cr_expect(signbit(scene->bodies[1].pose.translation.x));
  ts_scene_part *parts;
  size_t count;
  const ts_scene_file about = {.name = "cubes"};
  cr_assert_eq(ts_scene_file_write(&parts, &count, arena, scene, &about), TS_OK);
  cr_expect_not_null(strstr(parts[0].bytes, "[-0.0, 0, 1]"), "for readers that have whole numbers");
}

Test(cases_scene_file, few_keys_are_required) {
  put_text("cube.obj", cube_obj);
  ts_scene_file file = read_text(
      "\xef\xbb\xbf{\"schema\": \"touchstone scene\", \"version\": 1,\r\n\"name\": \"two\","
      "\"shapes\": [{\"name\": \"c\", \"mesh\": \"cube.obj\"}],\r\n"
      "\"bodies\": [{\"name\": \"a\", \"shape\": \"c\"}, {\"name\": \"b\", \"shape\": \"c\"}]}");
  cr_expect(file.scene->truth_is_unknown);
  cr_expect_eq(file.scene->scale, 1);
  cr_expect_eq(file.scene->up.y, 1);
  cr_expect_eq(file.scene->bodies[1].pose.rotation.w, 1);
  cr_expect_str_eq(file.case_parameters, "");
}

Test(cases_scene_file, no_regions_say_that_nothing_touches) {
  put_text("cube.obj", cube_obj);
  char *text = edited(cubes, "\"regions\": [{", "\"regions\": []}");
  *strstr(text, "\"bodies\": [\"low\"") = '\0';
  cr_expect_not(read_text(text).scene->truth_is_unknown);
  cr_expect(read_text(edited(text, "told", "untold")).scene->truth_is_unknown);
}

Test(cases_scene_file, truth_is_derived_when_asked_for) {
  put_text("cube.obj", cube_obj);
  const char *begin = "{\"schema\": \"touchstone scene\", \"version\": 1, \"name\": \"two\","
                      "\"shapes\": [{\"name\": \"c\", \"mesh\": \"cube.obj\"}],"
                      "\"bodies\": [{\"name\": \"a\", \"shape\": \"c\"}, {\"name\": \"b\","
                      "\"shape\": \"c\", \"pose\": {\"translation_m\": [0.25, ";
  double side_m =
      read_text(ts_arena_format(arena, "%s0, 9]}}]}", begin)).scene->shapes[0].bounds_local.high.x *
      2;
  const char *touching =
      ts_arena_format(arena, "%s%g, 0]}}], \"truth\": \"derived\"}", begin, side_m);
  const ts_scene *scene = read_text(touching).scene;
  cr_expect_not(scene->truth_is_unknown);
  cr_assert_eq(scene->region_count, 1);
  cr_expect_eq(scene->regions[0].vertex_count, 4);
  cr_expect_float_eq(ts_region_measure(&scene->regions[0]), side_m * (side_m - 0.25), 1e-12);
  cr_expect_float_eq(scene->regions[0].feasible[0].normals[0].normal.y, 1, 1e-12);
  const char *overlapping =
      ts_arena_format(arena, "%s%g, 0]}}], \"truth\": \"derived\"}", begin, 0.9 * side_m);
  scene = read_text(overlapping).scene;
  cr_assert_eq(scene->region_count, 1);
  cr_expect_float_eq(scene->regions[0].feasible[0].normals[0].gap_m, -0.1 * side_m, 1e-12);
  const char *inside = ts_arena_format(arena, "%s0, 0]}}], \"truth\": \"derived\"}", begin);
  expect_refused(edited(inside, "0.25", "0"), "truth: cannot be derived: ");
  const char *loose = edited(touching, "\"derived\"", "\"derived\", \"touch_relative\": 1");
  expect_refused(loose, "cannot be derived");
}

Test(cases_scene_file, the_way_out_of_an_overlap_is_written_and_read) {
  put_text("cube.obj", cube_obj);
  ts_scene_file file =
      read_text("{\"schema\": \"touchstone scene\", \"version\": 1, \"name\": \"two\","
                "\"shapes\": [{\"name\": \"c\", \"mesh\": \"cube.obj\"}],"
                "\"bodies\": [{\"name\": \"a\", \"shape\": \"c\"}, {\"name\": \"b\","
                "\"shape\": \"c\", \"pose\": {\"translation_m\": [0.25, 0.9, 0]}}],"
                "\"truth\": \"derived\"}");
  ts_vec3 way_out = file.scene->regions[0].way_out;
  cr_expect_float_eq(way_out.y, 0.1, 1e-12);
  ts_scene_part *parts;
  size_t count;
  const ts_scene_file about = {.name = "two"};
  cr_assert_eq(ts_scene_file_write(&parts, &count, arena, file.scene, &about), TS_OK);
  for (size_t i = 1; i < count; i++)
    put_text(parts[i].name, parts[i].bytes);
  const char *text = parts[0].bytes;
  const ts_scene *again = read_text(text).scene;
  cr_assert_eq(again->region_count, 1);
  cr_expect_eq(ts_vec3_distance(again->regions[0].way_out, way_out), 0);
  expect_refused(edited(text, "\"way_out_m\": [", "\"way_out_m\": [true, "), "way_out_m");
  const char *region =
      "{\"bodies\": [\"a\", \"b\"], \"kind\": \"point\", \"vertices_m\": [[0, 0, 0]],"
      "\"normals\": {\"design\": [{\"normal\": [0, 1, 0], \"gap_m\": -0.1}]}";
  const char *both = ts_arena_format(
      arena,
      "{\"schema\": \"touchstone scene\", \"version\": 1, \"name\": \"two\","
      "\"shapes\": [{\"name\": \"c\", \"mesh\": \"cube.obj\"}],"
      "\"bodies\": [{\"name\": \"a\", \"shape\": \"c\"}, {\"name\": \"b\", \"shape\": \"c\"}],"
      "\"regions\": [%s, \"way_out_m\": [0, 0.1, 0]}, %s, \"way_out_m\": [0, 0.2, 0]}]}",
      region, region);
  expect_refused(both, "two bodies have one way out");
  char *agreeing = edited(both, "0.2", "0.1");
  cr_expect_eq(read_text(agreeing).scene->regions[1].way_out.y, 0.1);
  expect_refused(edited(edited(agreeing, "[0, 0.1", "[0, 0.11"), "[0, 0.1,", "[0, 0.11,"),
                 "does not close their gaps");
}

static const char *const cube_tets =
    "cube.obj\", \"tets\": [[0, 1, 3, 4], [2, 3, 1, 6], [5, 4, 6, 1], [7, 6, 4, 3], [1, 3, 4, 6]]";

/// The cubes with tets, and their motions by the oracle.
static char *asked_cubes(void) {
  put_text("cube.obj", cube_obj);
  char *text = edited(edited(cubes, "cube.obj\"", cube_tets), "\"told\"", "\"oracle\"");
  char *end = strstr(text, ",\n \"regions\"");
  cr_assert_not_null(end);
  strcpy(end, "}");
  return text;
}

static const ts_oracle_truth *oracle_of(const ts_scene *scene) {
  cr_assert(scene->truth_is_unknown && scene->oracle && scene->region_count == 0);
  return scene->oracle;
}

Test(cases_scene_file, the_oracle_is_asked_when_asked_for) {
  setenv("TOUCHSTONE_TETGEN", "/nowhere/touchstone-tetgen", 1);
  char *text = asked_cubes();
  ts_scene_file file = read_text(text);
  cr_assert_eq(oracle_of(file.scene)->pair_count, 1);
  cr_expect_eq(file.scene->oracle->touch_relative, 1e-6);
  read_text(edited(text, "\"oracle\"", "\"oracle\", \"regions\": []"));
  expect_refused(edited(text, cube_tets, "cube.obj\""), "truth: cannot be asked of the oracle: ");
  expect_refused(
      edited(text, "[0, 0, 1]}", "[0, 0, 0.75]}"),
      "the bodies 0 (low) and 1 (high) overlap by at least 0.25 m, and it moves them from exact "
      "touch; give another truth, or \"untold\"");
  expect_refused(edited(text, "\"oracle\"", "\"oracle\", \"touch_relative\": 1e-3"),
                 "a tolerance of 0.001 of the size");
}

Test(cases_scene_file, the_oracle_is_asked_again_of_what_was_written) {
  char *text = asked_cubes();
  text = edited(text, "\"oracle\"", "\"oracle\", \"touch_relative\": 5e-7");
  ts_scene *scene = read_text(edited(text, "[0, 0, 1]}", "[0.25, 0, 0.9999998]}")).scene;
  const ts_scene_file about = {.name = "cubes"};
  ts_scene *again = there_and_back(scene, &about)->scene;
  expect_same_scene(scene, again, "cubes");
  cr_expect_eq(oracle_of(again)->touch_relative, 5e-7);
  cr_assert_eq(again->oracle->pair_count, 1);
  const ts_oracle_pair *p = &scene->oracle->pairs[0], *q = &again->oracle->pairs[0];
  cr_assert_eq(p->try_count, q->try_count);
  cr_expect_eq(memcmp(p->answers, q->answers, p->try_count), 0);
  cr_expect_eq(memcmp(&p->centre, &q->centre, sizeof p->centre), 0);
}

Test(cases_scene_file, parameters_keep_what_the_oracle_said_and_noise_does_not) {
  ts_scene_file file = read_text(asked_cubes());
  const ts_case *c;
  cr_assert_eq(ts_scene_file_case(&c, arena, &file), TS_OK);
  double values[TS_COMMON_COUNT];
  ts_scene *scene;
  ts_param_defaults(values, ts_common_params, TS_COMMON_COUNT);
  values[TS_COMMON_SCALE] = 0.5;
  values[TS_COMMON_MOTION_SEED] = 4;
  values[TS_COMMON_OFFSET_M] = 7;
  cr_assert_eq(ts_case_build(&scene, arena, c, values), TS_OK, "%s", ts_status_detail());
  cr_expect_eq(oracle_of(scene), file.scene->oracle);
  values[TS_COMMON_PERTURB_M] = 0.01;
  cr_assert_eq(ts_case_build(&scene, arena, c, values), TS_OK, "%s", ts_status_detail());
  cr_expect(scene->truth_is_unknown && !scene->oracle);
  cr_expect_not_null(file.scene->oracle);
}

Test(cases_scene_file, tets_and_pieces_come_with_a_shape) {
  put_text("cube.obj", cube_obj);
  char *text = edited(cubes, "cube.obj\"", cube_tets);
  ts_scene *scene = read_text(text).scene;
  cr_expect_eq(scene->shapes[0].mesh->tet_count, 5);
  const ts_scene_file about = {.name = "cubes"};
  expect_same_scene(scene, there_and_back(scene, &about)->scene, "cubes");
  expect_refused(edited(text, "[0, 1, 3, 4]", "[0, 1, 3, 8]"), "shapes[0].tets[0][3]: is 8");
  expect_refused(edited(text, "[0, 1, 3, 4]", "[0, 1, 3]"), "shapes[0].tets[0]: has 3 corners");
  expect_refused(edited(text, "[0, 1, 3, 4]", "[0, 3, 1, 4]"), "shapes[0].tets: ");
  refuse("cube.obj\"", "cube.obj\", \"pieces\": [\"cube.obj\", \"none.obj\"]",
         "shapes[0].pieces[1]: cannot read ./none.obj: No such file");
  refuse("cube.obj\"", "cube.obj\", \"pieces\": [\"cube.obj\", \"cube.obj\"]", "do not fill it");
}

static const char *const pull =
    "\"forces\": [{\"body\": \"high\", \"point_local_m\": [0.5, 0, -0.25], \"force_n\": "
    "[0, -3, 0.1]}],\n \"truth\"";

Test(cases_scene_file, forces_come_with_a_scene) {
  put_text("cube.obj", cube_obj);
  ts_scene *scene = read_text(edited(cubes, "\"truth\"", pull)).scene;
  cr_assert_eq(scene->force_count, 1);
  const ts_force *force = &scene->forces[0];
  cr_expect_eq(force->body, 1);
  cr_expect(force->point_local.x == 0.5 && force->point_local.z == -0.25);
  cr_expect(force->force_n.y == -3 && force->force_n.z == 0.1);
  const ts_scene_file about = {.name = "cubes"};
  expect_same_scene(scene, there_and_back(scene, &about)->scene, "cubes");
  cr_expect_eq(
      read_text(edited(cubes, "\"truth\"", "\"forces\": [], \"truth\"")).scene->force_count, 0);
  cr_expect_eq(read_text(cubes).scene->force_count, 0);
}

Test(cases_scene_file, parameters_go_over_the_forces_of_a_file_too) {
  put_text("cube.obj", cube_obj);
  ts_scene_file file = read_text(edited(cubes, "\"truth\"", pull));
  const ts_case *c;
  cr_assert_eq(ts_scene_file_case(&c, arena, &file), TS_OK);
  double values[TS_COMMON_COUNT];
  ts_param_defaults(values, ts_common_params, TS_COMMON_COUNT);
  values[TS_COMMON_SCALE] = 2;
  for (int time = 0; time < 2; time++) {
    ts_scene *scene;
    cr_assert_eq(ts_case_build(&scene, arena, c, values), TS_OK, "%s", ts_status_detail());
    cr_expect_eq(scene->forces[0].point_local.x, 1);
    cr_expect_eq(scene->forces[0].force_n.y, -48);
  }
  cr_expect_eq(file.scene->forces[0].force_n.y, -3);
}

Test(cases_scene_file, forces_that_cannot_act_are_refused) {
  put_text("cube.obj", cube_obj);
  const char *text = edited(cubes, "\"truth\"", pull);
  expect_refused(edited(text, "[{\"body\": \"high\"", "[{\"body\": \"low\""),
                 "scene.json: forces[0].body: \"low\" is fixed");
  expect_refused(edited(text, "[{\"body\": \"high\"", "[{\"body\": \"top\""),
                 "forces[0].body: there is no body called \"top\"");
  expect_refused(edited(text, "\"body\": \"high\", ", ""), "forces[0].body: is missing");
  expect_refused(edited(text, "\"point_local_m\": [0.5, 0, -0.25], ", ""),
                 "forces[0].point_local_m: is missing");
  expect_refused(edited(text, "[0, -3, 0.1]", "[0, -3]"), "forces[0].force_n: has 2 numbers");
  expect_refused(edited(text, "[0, -3, 0.1]", "[0, -3, null]"), "forces[0].force_n[2]: is null");
  expect_refused(edited(text, "\"force_n\"", "\"force\""),
                 "forces[0]: \"force\" is not known here; there are body, point_local_m, force_n");
  refuse("\"truth\"", "\"forces\": {}, \"truth\"", "forces: is an object; give a list");
}

Test(cases_scene_file, parameters_go_over_a_file) {
  put_text("cube.obj", cube_obj);
  ts_scene_file file = read_text(edited(cubes, "\"scale\": 1",
                                        "\"scale\": 1, "
                                        "\"case_parameters\": \"layers=2\""));
  const ts_case *c;
  cr_assert_eq(ts_scene_file_case(&c, arena, &file), TS_OK);
  double values[TS_COMMON_COUNT];
  ts_scene *scene;
  ts_param_defaults(values, ts_common_params, TS_COMMON_COUNT);
  values[TS_COMMON_SCALE] = 2;
  values[TS_COMMON_OFFSET_M] = 5;
  values[TS_COMMON_REFINEMENT] = 2;
  cr_assert_eq(ts_case_build(&scene, arena, c, values), TS_OK, "%s", ts_status_detail());
  cr_expect_str_eq(ts_case_parameters(arena, c, values),
                   "layers=2;then_scale=2;then_offset_m=5;then_refinement=2");
  cr_expect_eq(scene->scale, 2);
  cr_expect_eq(scene->refinement, 2);
  cr_expect_eq(scene->shapes[0].mesh->vertices[6].x, 1);
  cr_expect_float_eq(scene->bodies[1].pose.translation.z, 2 + 5 / sqrt(3.0), 1e-12);
  cr_expect_float_eq(ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN).area_m2, 4, 1e-12);
  // Nothing of the file has changed.
  cr_expect_eq(file.scene->bodies[1].pose.translation.z, 1);
  cr_expect_eq(file.scene->regions[0].vertices[2].x, 0.5);
  cr_expect_eq(file.scene->regions[0].feasible[TS_REFERENCE_DESIGN].normals[0].normal.z, 1);
  values[TS_COMMON_PERTURB_M] = 0.1;
  cr_assert_eq(ts_case_build(&scene, arena, c, values), TS_OK);
  cr_expect(scene->truth_is_unknown && scene->region_count == 0);
  cr_expect_neq(scene->bodies[0].pose.translation.x, 5 / sqrt(3.0));
  values[TS_COMMON_TETS] = TS_TETS_PUBLISHED;
  cr_expect_eq(ts_case_build(&scene, arena, c, values), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "leave out tets=published"), "%s", ts_status_detail());
}

Test(cases_scene_file, pieces_are_scaled_once_however_often_a_case_is_built) {
  put_text("cube.obj", cube_obj);
  ts_scene_file file =
      read_text(edited(cubes, "cube.obj\"", "cube.obj\", \"pieces\": [\"cube.obj\"]"));
  const ts_case *c;
  cr_assert_eq(ts_scene_file_case(&c, arena, &file), TS_OK);
  double values[TS_COMMON_COUNT];
  ts_param_defaults(values, ts_common_params, TS_COMMON_COUNT);
  values[TS_COMMON_SCALE] = 2;
  for (int time = 0; time < 2; time++) {
    ts_scene *scene;
    cr_assert_eq(ts_case_build(&scene, arena, c, values), TS_OK, "%s", ts_status_detail());
    cr_expect_eq(scene->shapes[0].pieces[0]->vertices[6].x, 1);
  }
  cr_expect_eq(file.scene->shapes[0].pieces[0]->vertices[6].x, 0.5);
}

Test(cases_scene_file, another_byte_gives_another_hash) {
  put_text("cube.obj", cube_obj);
  uint64_t hash = read_text(cubes).hash;
  cr_expect_eq(read_text(cubes).hash, hash);
  cr_expect_neq(read_text(edited(cubes, "by hand", "by Hand")).hash, hash);
  put_text("cube.obj", edited(cube_obj, "f 4", "# \nf 4"));
  cr_expect_neq(read_text(cubes).hash, hash);
}

Test(cases_scene_file, regions_may_be_in_any_order) {
  put_text("cube.obj", cube_obj);
  char *text = edited(cubes, "\"bodies\": [{",
                      "\"bodies\": [{\"name\": \"zero\", \"shape\": "
                      "\"cube\"}, {");
  text =
      edited(text, "\"gap_m\": 0}]}}]",
             "\"gap_m\": 0}]}}, {\"bodies\": [\"zero\", \"high\"], \"kind\": \"point\", "
             "\"vertices_m\": [[0, 0, 0]], \"normals\": {\"design\": [{\"normal\": [1, 0, 0]}]}}]");
  ts_scene *scene = read_text(text).scene;
  cr_assert_eq(scene->region_count, 2);
  cr_expect(scene->regions[0].body_a == 0 && scene->regions[1].body_a == 1);
  size_t count;
  cr_expect_not_null(ts_scene_pair_regions(&count, scene, 1, 2));
}

Test(cases_scene_file, errors_are_reported_with_their_place) {
  put_text("cube.obj", cube_obj);
  refuse("touchstone scene", "vtk", "scene.json: schema: is \"vtk\"");
  refuse("\"version\": 1", "\"version\": 2", "version: is 2; this touchstone reads version 1");
  refuse("\"name\": \"cubes\"", "\"name\": \"Cubes\"", "name: \"Cubes\" cannot be the name");
  refuse("\"name\": \"cubes\"", "\"name\": \"scoring\"", "cannot be the name of a case");
  refuse("\"kg\"", "\"lb\"", "units.mass: is \"lb\"; only \"kg\" is read");
  refuse("\"scale\": 1", "\"scale\": 0", "scale: is 0; give a number above 0");
  refuse("\"scale\": 1", "\"scale\": \"1\"", "scale: is a text; give a number");
  refuse("[0, 0, 1]", "[0, 0, 2]", "up: the direction has length 2");
  refuse("\"comment\"", "\"coment\"", "\"coment\" is not known here; there are schema, version");
  refuse("is_fixed", "fixed", "bodies[0]: \"fixed\" is not known here");
  refuse("\"shape\": \"cube\", \"is_fixed\"", "\"shape\": \"ball\", \"is_fixed\"",
         "bodies[0].shape: there is no shape called \"ball\"");
  refuse("\"high\", \"shape\"", "\"low\", \"shape\"",
         "bodies[1]: \"low\" is the name of bodies[0]");
  refuse("500", "-500", "bodies[1].density_kg_m3: is -500");
  refuse("[1, 0, 0, 0]", "[1, 0, 0, 1]", "bodies[1].pose.rotation_wxyz: the quaternion has length");
  refuse("[1, 0, 0, 0]", "[1, 0, 0]", "bodies[1].pose.rotation_wxyz: has 3 numbers; give 4");
  refuse("[1, 0, 0, 0]", "7", "rotation_wxyz: is a number; give a list");
  refuse("[0, 0, -1]", "[0, 0, null]", "bodies[1].twist.linear_m_s[2]: is null; give a number");
  refuse("\"told\"", "\"known\"",
         "truth: is \"known\"; give \"told\", \"moved\", \"untold\", \"derived\" or \"oracle\"");
  refuse("\"told\"", "\"oracle\"", "truth: is oracle, but there are regions");
  refuse("\"told\"", "\"untold\"", "truth: is untold, but there are regions");
  refuse("[\"low\", \"high\"]", "[\"high\", \"low\"]", "regions[0].bodies: must be two, the first");
  refuse("[\"low\", \"high\"]", "[\"low\", \"top\"]", "regions[0].bodies[1]: there is no body");
  refuse("[\"low\", \"high\"]", "[0, 1]", "regions[0].bodies[0]: is a number; give a text");
  refuse("polygon", "segment", "regions[0].vertices_m: has 4 points; a segment has 2");
  refuse("polygon", "area", "regions[0].kind: is \"area\"");
  refuse("\"any\"", "\"some\"", "regions[0].needs: is \"some\"; give \"any\" or \"all\"");
  refuse("[0.5, 0.5, 0.5], [-0.5, 0.5, 0.5]]", "[-0.5, 0.5, 0.5], [0.5, 0.5, 0.5]]",
         "regions[0].vertices_m: must be convex and counter-clockwise");
  refuse("\"normal\": [0, 0, 1]", "\"normal\": [0, 0, -1]", "must be convex and counter-clockwise");
  refuse("[-0.5, 0.5, 0.5]]", "[-0.5, 0.5, 0.9]]",
         "regions[0].vertices_m: must be in one plane, and [");
  refuse("\"normal\": [0, 0, 1]", "\"normal\": [0, 0, 0.99]",
         "regions[0].normals.design[0].normal: the normal has length 0.99");
  refuse("\"design\"", "\"feasible\"", "regions[0].normals.design: is missing");
  refuse("[{\"normal\": [0, 0, 1], \"gap_m\": 0}]", "[]", "regions[0].normals.design: is empty");
}

Test(cases_scene_file, invalid_json_is_reported_with_its_line) {
  put_text("cube.obj", cube_obj);
  refuse("\"scale\": 1", "\"scale\": NaN", "scene.json, line 3, column 13: ");
  refuse("\"scale\": 1", "\"scale\": 1e999", "line 3");
  refuse("\"scale\": 1", "\"scale\": 1, \"scale\": 2", "duplicate object key");
  expect_refused("", "line 1");
  expect_refused("[]", "scene.json: is a list; give an object");
  char *text = edited(cubes, "by hand", "\xff\xfe");
  expect_refused(text, "line 3");
  for (size_t length = strlen(cubes) - 2; length > 0; length -= length > 7 ? 7 : length) {
    put("scene.json", cubes, length);
    ts_scene_file file;
    cr_expect_eq(ts_scene_file_open(&file, arena, "scene.json"), TS_E_INPUT, "%zu", length);
  }
  size_t depth = 100000;
  char *deep = ts_arena_alloc(arena, depth + 1);
  memset(deep, '[', depth);
  expect_refused(deep, "scene.json, line 1");
}

Test(cases_scene_file, meshes_must_be_in_the_folder_and_closed) {
  put_text("cube.obj", cube_obj);
  refuse("cube.obj", "../cube.obj", "shapes[0].mesh: \"../cube.obj\" leads out of the folder");
  refuse("cube.obj", "/etc/passwd", "shapes[0].mesh: \"/etc/passwd\" leads out of the folder");
  refuse("cube.obj", "none.obj", "shapes[0].mesh: cannot read ./none.obj: No such file");
  cr_assert_eq(symlink("/etc/passwd", "out.obj") + symlink("round.obj", "round.obj"), 0);
  refuse("cube.obj", "out.obj", "\"out.obj\" is a link that leads out of its folder");
  refuse("cube.obj", "round.obj", "Too many levels of symbolic links");
  cr_assert_eq(mkfifo("pipe.obj", 0600) + mkdir("folder.obj", 0700), 0);
  refuse("cube.obj", "pipe.obj", "pipe.obj is not a regular file");
  refuse("cube.obj", "folder.obj", "folder.obj is a folder");
  put_text("cube.txt", cube_obj);
  refuse("cube.obj", "cube.txt", "shapes[0].mesh: cube.txt: meshes are .obj, .stl");
  put_text("open.obj", edited(cube_obj, "f 4 3 2 1\n", ""));
  refuse("cube.obj", "open.obj", "shapes[0].mesh: shape \"cube\", open.obj: edge 0-1 of triangle");
  put_text("empty.obj", "");
  refuse("cube.obj", "empty.obj",
         "shapes[0].mesh: shape \"cube\", empty.obj: the mesh has no triangle");
  put_text("wild.obj", edited(cube_obj, "f 4 3", "f 9 3"));
  refuse("cube.obj", "wild.obj", "wild.obj, line 9: the face names vertex 9");
}

Test(cases_scene_file, no_file_makes_it_take_more_than_the_limits) {
  put_text("cube.obj", cube_obj);
  put_text("huge.obj", cube_obj);
  cr_assert_eq(truncate("huge.obj", (off_t)1 << 40), 0);
  size_t used = ts_arena_used(arena);
  refuse("cube.obj", "huge.obj", "has more than 134217728 bytes");
  cr_expect_lt(ts_arena_used(arena) - used, 100000);
  // The limit is that of all meshes together.
  put_text("half.obj", cube_obj);
  cr_assert_eq(truncate("half.obj", (off_t)TS_SCENE_MESH_BYTES_MAX - (off_t)strlen(cube_obj) + 1),
               0);
  refuse(
      "[{\"name\": \"cube\", \"mesh\": \"cube.obj\"}",
      "[{\"name\": \"cube\", \"mesh\": \"cube.obj\"}, {\"name\": \"more\", \"mesh\": \"half.obj\"}",
      "shapes[1].mesh: ");
  char *shapes = ts_arena_alloc(arena, 11000 * 50), *at = shapes;
  for (int i = 0; i < 11000; i++)
    at += sprintf(at, "{\"name\": \"c%d\", \"mesh\": \"cube.obj\"}, ", i);
  refuse("\"shapes\": [", ts_arena_format(arena, "\"shapes\": [%s", shapes),
         "shapes: has 11001; give 10000 or fewer");
  put_text("scene.json", "{}");
  cr_assert_eq(truncate("scene.json", (off_t)TS_SCENE_FILE_BYTES_MAX + 1), 0);
  ts_scene_file file;
  cr_expect_eq(ts_scene_file_open(&file, arena, "scene.json"), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "scene.json has more than"), "%s", ts_status_detail());
}

Test(cases_scene_file, names_of_shapes_need_not_be_names_of_files) {
  put_text("cube.obj", cube_obj);
  char *text = edited(cubes, "{\"name\": \"cube\", \"mesh\": \"cube.obj\"}",
                      "{\"name\": \"../cube\", \"mesh\": \"cube.obj\"}, {\"name\": \"Cube\", "
                      "\"mesh\": \"cube.obj\"}, {\"name\": \"cube\", \"mesh\": \"cube.obj\"}");
  ts_scene *scene = read_text(text).scene;
  const ts_scene_file about = {.name = "cubes"};
  expect_same_scene(scene, there_and_back(scene, &about)->scene, "cubes");
  cr_expect_eq(access("../cube.obj", F_OK), -1);
}

Test(cases_scene_file, published_tets_are_checked_with_the_file) {
  const ts_case *c = ts_case_find("spikes");
  ts_scene *scene = build_case(arena, "spikes", {"tets", TS_TETS_PUBLISHED});
  const ts_scene_file about = {.name = c->name};
  there_and_back(scene, &about);
  ts_scene_part *parts;
  size_t count;
  cr_assert_eq(ts_scene_file_write(&parts, &count, arena, scene, &about), TS_OK);
  cr_assert_gt(count, 2);
  const ts_scene_part *json = &parts[0], *tets = &parts[2];
  cr_assert(strstr(tets->name, ".tets.json"), "%s", tets->name);
  put_text(tets->name, edited(tets->bytes, "touchstone tets", "tets"));
  expect_refused(json->bytes, "version: is tets 1");
  put_text(tets->name, edited(tets->bytes, "      [", "      [0.1, 0, 0], ["));
  expect_refused(json->bytes, "nodes_at_scale_1_m[0]: published nodes are in single precision");
  put_text(tets->name, edited(tets->bytes, "\"eroded\"", "\"eaten\""));
  expect_refused(json->bytes, "\"eaten\" is not known here");
  put_text(tets->name, tets->bytes);
  expect_refused(edited(json->bytes, "\"published_mass_at_scale_1\"", "\"comment\""),
                 "bodies: 1 of 2 have published_mass_at_scale_1");
  expect_refused(edited(json->bytes, "\"up\"", "\"refinement\": 1, \"up\""),
                 "shapes: have published_tets, which are not refined");
}
