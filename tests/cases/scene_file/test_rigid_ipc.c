// SPDX-License-Identifier: MIT
// covers: cases/scene_file/rigid_ipc.c cases/scene_file/rigid_ipc_ground.c
// Scenes of rigid-ipc: bodies have the same poses and motions, and anything else in a file gives a
// message.

#include "base/status.h"
#include "cases/scene_file/rigid_ipc.h"
#include "geometry/mesh/body.h"
#include "geometry/vec3.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A brick with a corner at its origin: 1 by 2 by 3.
static const char brick[] =
    "v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 0\nv 0 0 3\nv 1 0 3\nv 1 2 3\nv 0 2 3\n"
    "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

static ts_arena *arena;
static char folder[] = "/tmp/rigid_ipc_XXXXXX";

static const char *in_folder(const char *name) {
  return ts_arena_format(arena, "%s/%s", folder, name);
}

static void write_file(const char *name, const char *text) {
  FILE *file = fopen(in_folder(name), "w");
  cr_assert(file);
  fputs(text, file);
  fclose(file);
}

static void set_up(void) {
  ts_arena_create(&arena);
  unsetenv("TOUCHSTONE_MESHES");
  cr_assert(mkdtemp(folder));
  mkdir(in_folder("meshes"), 0700);
  mkdir(in_folder("fixtures"), 0700);
  write_file("meshes/brick.obj", brick);
}

static void tear_down(void) {
  char command[200];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  cr_assert(system(command) == 0);
  ts_arena_destroy(arena);
}

TestSuite(cases_rigid_ipc, .init = set_up, .fini = tear_down);

// Reads a scene of these bodies, from fixtures/.
static ts_status read_bodies(ts_rigid_ipc *out, const char *bodies) {
  write_file(
      "fixtures/scene.json",
      ts_arena_format(arena,
                      "{\"scene_type\":\"distance_barrier_rb_problem\",\"timestep\":0.01,"
                      "\"rigid_body_problem\":{\"gravity\":[0,-9.8,0],\"rigid_bodies\":[%s]}}",
                      bodies));
  return ts_rigid_ipc_read(out, arena, in_folder("fixtures/scene.json"));
}

static const ts_scene *scene_of(const char *bodies) {
  ts_rigid_ipc read;
  ts_status status = read_bodies(&read, bodies);
  cr_assert(status == TS_OK, "%s: %s", bodies, ts_status_detail());
  return read.scene;
}

static void expect_refused(const char *bodies, const char *word) {
  ts_rigid_ipc read;
  ts_status status = read_bodies(&read, bodies);
  const char *detail = ts_status_detail();
  cr_expect(status == TS_E_INPUT, "%s ends with %d", bodies, status);
  cr_expect(strstr(detail, word) != NULL, "no %s: %s", word, detail);
  cr_expect(strstr(detail, "scene.json") != NULL, "no file: %s", detail);
}

static ts_vec3 world_vertex(const ts_scene *scene, int body, int vertex) {
  const ts_body *b = &scene->bodies[body];
  return ts_pose_point(b->pose, scene->shapes[b->shape].mesh->vertices[vertex]);
}

static void expect_at(ts_vec3 p, double x, double y, double z) {
  cr_expect(p.x == x && p.y == y && p.z == z, "%.17g %.17g %.17g is not %g %g %g", p.x, p.y, p.z, x,
            y, z);
}

Test(cases_rigid_ipc, a_body_is_placed_as_in_the_file) {
  const ts_scene *s = scene_of("{\"mesh\":\"brick.obj\",\"position\":[1,2,3]},"
                               "{\"mesh\":\"brick.obj\",\"type\":\"static\",\"density\":7}");
  cr_assert_eq(s->body_count, 2);
  cr_expect(s->truth_is_unknown);
  expect_at(world_vertex(s, 0, 6), 2, 4, 6);
  expect_at(world_vertex(s, 1, 6), 1, 2, 3);
  cr_expect(s->bodies[1].is_fixed && s->bodies[0].is_fixed == 0);
  cr_expect_eq(s->bodies[0].density_kg_m3, 1000.0);
  cr_expect_eq(s->bodies[1].density_kg_m3, 7.0);
  cr_expect_str_eq(s->bodies[0].name, "brick_0");
}

Test(cases_rigid_ipc, rotation_is_about_x_then_y_then_z_in_degrees) {
  const ts_scene *s = scene_of("{\"mesh\":\"brick.obj\",\"rotation\":[90,0,90]},"
                               "{\"mesh\":\"brick.obj\",\"rotation\":[-90,180,450]},"
                               "{\"mesh\":\"brick.obj\",\"rotation\":[0,30,0]},"
                               "{\"mesh\":\"brick.obj\",\"rotation\":[0,90,90]}");
  expect_at(world_vertex(s, 0, 3), 0, 0, 2); // y to z, which z leaves alone
  expect_at(world_vertex(s, 0, 4), 3, 0, 0); // z to -y to x
  expect_at(world_vertex(s, 1, 3), 0, 0, 2); // y to -z to z
  expect_at(world_vertex(s, 3, 4), 0, 3, 0); // z to x to y
  ts_vec3 p = world_vertex(s, 2, 1);
  cr_expect(fabs(p.x - cos(M_PI / 6)) < 1e-15 && fabs(p.z + 0.5) < 1e-15, "%g %g", p.x, p.z);
}

Test(cases_rigid_ipc, scale_comes_before_rotation_and_dimensions_before_scale) {
  const ts_scene *s = scene_of("{\"mesh\":\"brick.obj\",\"scale\":2,\"rotation\":[0,0,90]},"
                               "{\"mesh\":\"brick.obj\",\"scale\":[1,2,3]},"
                               "{\"mesh\":\"brick.obj\",\"scale\":9,\"dimensions\":[5,5,6]},"
                               "{\"mesh\":\"brick.obj\",\"scale\":[-1,1,1]}");
  expect_at(world_vertex(s, 0, 6), -4, 2, 6);
  expect_at(world_vertex(s, 1, 6), 1, 4, 9);
  expect_at(world_vertex(s, 2, 6), 5, 5, 6);
  expect_at(world_vertex(s, 3, 6), -1, 2, 3);
}

Test(cases_rigid_ipc, velocities_are_of_the_centre_of_mass_and_in_degrees) {
  const ts_scene *s = scene_of("{\"mesh\":\"brick.obj\",\"position\":[5,0,0],"
                               "\"linear_velocity\":[1,0,0],\"angular_velocity\":[0,0,180]},"
                               "{\"mesh\":\"brick.obj\",\"is_dof_fixed\":true,"
                               "\"linear_velocity\":[1,0,0]}");
  const ts_body *b = &s->bodies[0];
  cr_expect(fabs(b->twist.angular_rad_s.z - M_PI) < 1e-15);
  ts_vec3 v = ts_twist_velocity_at(b->twist, b->pose, ts_vec3_make(5.5, 1, 1.5));
  cr_expect(fabs(v.x - 1) < 1e-12 && fabs(v.y) < 1e-12, "%g %g", v.x, v.y);
  cr_expect_eq(s->bodies[1].twist.linear_m_s.x, 0.0);
}

Test(cases_rigid_ipc, fixing_all_degrees_of_freedom_fixes_and_fixing_some_is_reported) {
  const ts_scene *s =
      scene_of("{\"mesh\":\"brick.obj\",\"is_dof_fixed\":[true,true,true,true,true,true]},"
               "{\"mesh\":\"brick.obj\",\"is_dof_fixed\":[true,true,true,true,true,false]}");
  cr_expect(s->bodies[0].is_fixed);
  cr_expect(s->bodies[1].is_fixed == 0);
}

Test(cases_rigid_ipc, what_is_not_modelled_is_reported) {
  static const char *const reported[][2] = {
      {"", ""},
      {",\"coefficient_friction\":0", "coefficient_friction"},
      {",\"force\":[1,0,0]", "forces"},
      {",\"torque\":[0,1,0]", "torques"},
      {",\"force\":[0,0,0]", ""},
      {",\"type\":\"kinematic\"", "kinematic"},
      {",\"group_id\":0", "groups"},
      {",\"group_id\":-1", ""},
      {",\"split_components\":true", "components"},
      {",\"is_dof_fixed\":[true,false,false,false,false,false]", "some directions"},
  };
  for (size_t i = 0; i < sizeof reported / sizeof *reported; i++) {
    ts_rigid_ipc read;
    const char *body = ts_arena_format(arena, "{\"mesh\":\"brick.obj\"%s}", reported[i][0]);
    cr_assert(read_bodies(&read, body) == TS_OK, "%s", ts_status_detail());
    cr_expect(reported[i][1][0] ? strstr(read.not_modelled, reported[i][1]) != NULL
                                : read.not_modelled[0] == '\0',
              "%s: %s", reported[i][0], read.not_modelled);
  }
}

Test(cases_rigid_ipc, a_disabled_body_is_left_out) {
  const ts_scene *s =
      scene_of("{\"mesh\":\"none.obj\",\"enabled\":false},{\"mesh\":\"brick.obj\"}");
  cr_assert_eq(s->body_count, 1);
  cr_expect_str_eq(s->bodies[0].name, "brick_1");
  expect_refused("{\"mesh\":\"brick.obj\",\"enabled\":false}", "enabled");
}

Test(cases_rigid_ipc, a_mesh_in_the_file_itself_is_read) {
  const ts_scene *s = scene_of("{\"vertices\":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],"
                               "\"faces\":[[0,2,1],[0,1,3],[1,2,3],[2,0,3]]}");
  cr_expect_eq(s->shapes[0].mesh->triangle_count, 4);
  expect_refused("{\"vertices\":[[0,0],[1,0],[0,1],[1,1]],\"edges\":[[0,1]]}", "vertices");
  expect_refused("{\"vertices\":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],\"faces\":[[0,2,4]]}", "faces");
  expect_refused("{\"vertices\":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],\"faces\":[[0,2,1,3]]}", "3");
  expect_refused("{\"vertices\":[[0,0,0],[1,0,0],[0,1,0],[0,0,1]],\"faces\":[[0,2,1],[0,1,3]]}",
                 "edge");
}

// Two triangles in the plane y = 0 whose outer side is up.
static const char floor_up[] = "v -9 0 -9\nv 9 0 -9\nv 9 0 9\nv -9 0 9\nf 1 3 2\nf 1 4 3\n";

#define FIXED(mesh, more) "{\"mesh\":\"" mesh "\",\"type\":\"static\"" more "}"

/// Expects body `index` to be ground whose first triangle faces along y by the sign of `up`.
static void expect_ground(const ts_scene *scene, int index, double up) {
  const ts_geometry *geometry = &scene->shapes[scene->bodies[index].shape].geometry;
  cr_assert_eq(geometry->kind, TS_GEOMETRY_SURFACE);
  const uint32_t *t = geometry->surface->triangles[0];
  const ts_vec3 *v = geometry->surface->vertices;
  ts_vec3 area = ts_vec3_cross(ts_vec3_sub(v[t[1]], v[t[0]]), ts_vec3_sub(v[t[2]], v[t[0]]));
  cr_expect_gt(area.y * up, 0);
}

Test(cases_rigid_ipc, an_open_mesh_that_is_fixed_is_ground_solid_where_no_body_is) {
  write_file("meshes/floor.obj", floor_up);
  const ts_scene *above = scene_of(FIXED("floor.obj", "") ",{\"mesh\":\"brick.obj\"}");
  expect_ground(above, 0, 1);
  const ts_mesh *sheet = above->shapes[above->bodies[0].shape].mesh;
  cr_assert_not_null(sheet, "methods on closed meshes get a sheet");
  ts_aabb box = ts_mesh_bounds(sheet);
  cr_expect(box.high.y == 0 && box.low.y < 0);
  const char *below = FIXED("floor.obj", "") ",{\"mesh\":\"brick.obj\",\"position\":[0,-3,0]}";
  expect_ground(scene_of(below), 0, -1);
  const char *ceiling = FIXED("floor.obj", ",\"position\":[0,4,0]") ",{\"mesh\":\"brick.obj\"}";
  expect_ground(scene_of(ceiling), 0, -1);
  const char *still = FIXED("floor.obj", "") "," FIXED("brick.obj", ",\"position\":[0,-3,0]");
  expect_ground(scene_of(still), 0, 1); // none moves: as the file has it
}

// The middle of a small brick over one slope of a roof is nearer to the other slope's edge than to
// its plane: a corner of the ridge is nearest, and the slope that it is over decides.
Test(cases_rigid_ipc, ground_that_is_bent_faces_its_bodies_too) {
  write_file("meshes/valley.obj", "v -4 4 -4\nv -4 4 4\nv 0 0 -4\nv 0 0 4\nv 4 4 -4\nv 4 4 4\n"
                                  "f 1 3 2\nf 2 3 4\nf 3 5 4\nf 4 5 6\n"); // outer side down
  const char *over = FIXED("valley.obj", "") ",{\"mesh\":\"brick.obj\",\"position\":[-0.5,3,0]}";
  expect_ground(scene_of(over), 0, 1);
  const char *under = FIXED("valley.obj", "") ",{\"mesh\":\"brick.obj\",\"position\":[-1,-9,0]}";
  expect_ground(scene_of(under), 0, -1);
}

Test(cases_rigid_ipc, a_mesh_that_only_vertices_keep_open_is_closed) {
  write_file("meshes/cut.obj", // a tetrahedron whose last face has corners of its own
             "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
             "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 5 6 7\n");
  const ts_scene *s = scene_of("{\"mesh\":\"cut.obj\"}");
  cr_expect_eq(s->shapes[0].mesh->vertex_count, 4);
  cr_expect_eq(s->shapes[0].geometry.kind, TS_GEOMETRY_MESH);
}

Test(cases_rigid_ipc, an_open_mesh_that_cannot_be_solid_is_refused_with_what_to_do) {
  write_file("meshes/floor.obj", floor_up);
  expect_refused("{\"mesh\":\"brick.obj\"},{\"mesh\":\"floor.obj\"}",
                 "rigid_bodies[1]: floor.obj: the surface is a flat sheet (2 triangles");
  expect_refused("{\"mesh\":\"floor.obj\"}", "or fix the body, which makes it ground");
  expect_refused(
      FIXED("floor.obj", "") ",{\"mesh\":\"brick.obj\"},"
                             "{\"mesh\":\"brick.obj\",\"position\":[0,-3,0]}",
      "rigid_bodies[0]: floor.obj: the mesh is open, and bodies are on both of its sides");
}

Test(cases_rigid_ipc, bodies_of_points_or_edges_are_refused_with_the_reason) {
  write_file("meshes/points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
  expect_refused("{\"mesh\":\"points.obj\"}",
                 "points.obj has no triangle: points and edges have no surface that could touch");
  write_file("meshes/ring.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\nl 2 3\nl 3 1\n");
  expect_refused("{\"mesh\":\"ring.obj\"}", "line 4: \"l\" is a line, without a surface");
  expect_refused("{\"vertices\":[[0,0,0],[1,0,0]],\"edges\":[[0,1]]}", "has no triangle");
}

Test(cases_rigid_ipc, the_density_of_what_does_not_move_may_be_0) {
  cr_expect_gt(scene_of(FIXED("brick.obj", ",\"density\":0"))->bodies[0].density_kg_m3, 0);
  expect_refused("{\"mesh\":\"brick.obj\",\"density\":0}", "density");
}

Test(cases_rigid_ipc, meshes_are_found_beside_the_file_then_in_the_nearest_folder_of_meshes) {
  mkdir(in_folder("fixtures/meshes"), 0700);
  expect_refused("{\"mesh\":\"brick.obj\"}", "brick.obj");
  write_file("fixtures/brick.obj", brick);
  cr_expect_eq(scene_of("{\"mesh\":\"brick.obj\"}")->body_count, 1);
  unlink(in_folder("fixtures/brick.obj"));
  setenv("TOUCHSTONE_MESHES", in_folder("meshes"), 1);
  cr_expect_eq(scene_of("{\"mesh\":\"brick.obj\"}")->body_count, 1);
}

Test(cases_rigid_ipc, no_path_leads_out_of_the_two_folders) {
  write_file("brick.obj", brick);
  mkdir(in_folder("secret"), 0700);
  write_file("secret/brick.obj", brick);
  expect_refused("{\"mesh\":\"../brick.obj\"}", "..");
  expect_refused("{\"mesh\":\"../meshes/brick.obj\"}", "..");
  expect_refused(ts_arena_format(arena, "{\"mesh\":\"%s/meshes/brick.obj\"}", folder), "leads out");
  cr_assert(symlink("../secret/brick.obj", in_folder("meshes/out.obj")) == 0);
  expect_refused("{\"mesh\":\"out.obj\"}", "link");
  cr_assert(symlink("round.obj", in_folder("meshes/round.obj")) == 0);
  expect_refused("{\"mesh\":\"round.obj\"}", "round.obj");
  cr_assert(symlink("brick.obj", in_folder("meshes/inside.obj")) == 0);
  cr_expect_eq(scene_of("{\"mesh\":\"inside.obj\"}")->body_count, 1);
}

Test(cases_rigid_ipc, only_regular_files_are_read, .timeout = 20) {
  cr_assert(mkfifo(in_folder("meshes/pipe.obj"), 0600) == 0);
  expect_refused("{\"mesh\":\"pipe.obj\"}", "pipe.obj");
  cr_assert(mkfifo(in_folder("fixtures/pipe.json"), 0600) == 0);
  ts_rigid_ipc read;
  cr_expect_eq(ts_rigid_ipc_read(&read, arena, in_folder("fixtures/pipe.json")), TS_E_INPUT);
  cr_expect_eq(ts_rigid_ipc_read(&read, arena, in_folder("fixtures")), TS_E_INPUT);
}

Test(cases_rigid_ipc, a_value_of_the_wrong_kind_is_refused_with_its_place) {
  static const char *const wrong[][2] = {
      {"7", "rigid_bodies[0]"},
      {"{\"mesh\":7}", "mesh"},
      {"{}", "mesh"},
      {"{\"mesh\":\"\"}", "mesh"},
      {"{\"mesh\":\"brick.txt\"}", "brick.txt"},
      {"{\"mesh\":\"brick.obj\",\"position\":[1,2]}", "position"},
      {"{\"mesh\":\"brick.obj\",\"position\":\"here\"}", "position"},
      {"{\"mesh\":\"brick.obj\",\"rotation\":90}", "rotation"},
      {"{\"mesh\":\"brick.obj\",\"scale\":[0,1,1]}", "rigid_bodies[0]"},
      {"{\"mesh\":\"brick.obj\",\"scale\":[1e300,1e300,1e300]}", "rigid_bodies[0]"},
      {"{\"mesh\":\"brick.obj\",\"density\":0}", "density"},
      {"{\"mesh\":\"brick.obj\",\"density\":-1}", "density"},
      {"{\"mesh\":\"brick.obj\",\"type\":\"soft\"}", "soft"},
      {"{\"mesh\":\"brick.obj\",\"is_dof_fixed\":[true]}", "is_dof_fixed"},
      {"{\"mesh\":\"brick.obj\",\"enabled\":1}", "enabled"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    expect_refused(wrong[i][0], wrong[i][1]);
  ts_rigid_ipc read;
  write_file("fixtures/scene.json", "{\"rigid_body_problem\":[]}");
  cr_expect_eq(ts_rigid_ipc_read(&read, arena, in_folder("fixtures/scene.json")), TS_E_INPUT);
  write_file("fixtures/scene.json", "{\"rigid_body_problem\":");
  cr_expect_eq(ts_rigid_ipc_read(&read, arena, in_folder("fixtures/scene.json")), TS_E_INPUT);
}

Test(cases_rigid_ipc, the_hash_sees_the_file_and_its_meshes) {
  ts_rigid_ipc a, b, c;
  cr_assert_eq(read_bodies(&a, "{\"mesh\":\"brick.obj\"}"), TS_OK);
  cr_assert_eq(read_bodies(&b, "{\"mesh\":\"brick.obj\" }"), TS_OK);
  write_file("meshes/brick.obj", ts_arena_format(arena, "# changed\n%s", brick));
  cr_assert_eq(read_bodies(&c, "{\"mesh\":\"brick.obj\"}"), TS_OK);
  cr_expect(a.hash != b.hash && a.hash != c.hash);
}

Test(cases_rigid_ipc, names_are_printable_and_the_case_has_a_key) {
  ts_rigid_ipc read;
  write_file("meshes/a\nb.obj", brick);
  write_file(
      "fixtures/Spike-in crack.json",
      "{\"rigid_body_problem\":{\"rigid_bodies\":[{\"mesh\":\"a\\nb.obj\",\"x\\u0007\":1}]}}");
  cr_assert(ts_rigid_ipc_read(&read, arena, in_folder("fixtures/Spike-in crack.json")) == TS_OK,
            "%s", ts_status_detail());
  cr_expect_str_eq(read.name, "ipc_spike_in_crack");
  cr_expect_str_eq(read.scene->bodies[0].name, "a_b_0");
  cr_expect(strstr(read.not_modelled, "x_") != NULL, "%s", read.not_modelled);
}
