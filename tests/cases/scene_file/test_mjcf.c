// SPDX-License-Identifier: MIT
// covers: cases/scene_file/mjcf.c cases/scene_file/mjcf_model.c cases/scene_file/touchstone_mjcf.cc
// covers: cases/scene_file/mjcf_geoms.cc
// Models of MuJoCo as scenes: geoms are where MuJoCo has them and collide with what MuJoCo lets
// them collide with.

#include "base/status.h"
#include "cases/scene/excluded_pairs.h"
#include "cases/scene_file/mjcf.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ts_arena *arena;
static char folder[] = "/tmp/mjcf_XXXXXX";

static const char *in_folder(const char *name) {
  return ts_arena_format(arena, "%s/%s", folder, name);
}

static void write_bytes(const char *name, const void *bytes, size_t count) {
  FILE *file = fopen(in_folder(name), "w");
  cr_assert(file);
  cr_assert(fwrite(bytes, 1, count, file) == count);
  fclose(file);
}

static void set_up(void) {
  ts_arena_create(&arena);
  unsetenv("TOUCHSTONE_MJCF");
  cr_assert(mkdtemp(folder));
}

static void tear_down(void) {
  char command[200];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  cr_assert(system(command) == 0);
  ts_arena_destroy(arena);
}

TestSuite(cases_mjcf, .init = set_up, .fini = tear_down, .timeout = 120);

// Reads a model of this content, at a keyframe ("": none).
static ts_mjcf read_at(const char *keyframe, const char *content) {
  const char *text = ts_arena_format(arena, "<mujoco>%s</mujoco>", content);
  write_bytes("model.xml", text, strlen(text));
  ts_mjcf out;
  ts_status status =
      ts_mjcf_read(&out, arena, in_folder(ts_arena_format(arena, "model.xml%s", keyframe)));
  cr_assert(status == TS_OK, "%s: %s", content, ts_status_detail());
  return out;
}

static ts_mjcf read_model(const char *content) {
  return read_at("", content);
}

static const ts_body *find_body(const ts_scene *scene, const char *name) {
  for (size_t i = 0; i < scene->body_count; i++)
    if (strcmp(scene->bodies[i].name, name) == 0)
      return &scene->bodies[i];
  cr_assert_fail("there is no body %s", name);
  abort();
}

static const ts_shape *shape_of(const ts_scene *scene, const char *name) {
  return &scene->shapes[find_body(scene, name)->shape];
}

static ts_vec3 in_world(const ts_scene *scene, const char *name, ts_vec3 local) {
  return ts_pose_point(find_body(scene, name)->pose, local);
}

static void expect_near(ts_vec3 got, ts_vec3 wanted, double tolerance, const char *what) {
  cr_expect(ts_vec3_distance(got, wanted) <= tolerance, "%s: (%.17g, %.17g, %.17g)", what, got.x,
            got.y, got.z);
}

static bool collide(const ts_scene *scene, const char *a, const char *b) {
  return !ts_scene_excludes(scene, (int32_t)(find_body(scene, a) - scene->bodies),
                            (int32_t)(find_body(scene, b) - scene->bodies));
}

// ---- geoms ------------------------------------------------------------------------------------

// At millimetres, metres and kilometres: a capsule's and a cylinder's ends, a box's corner.
Test(cases_mjcf, primitives_are_where_mujoco_has_them_at_every_scale) {
  for (double s = 1e-3; s <= 1e3; s *= 1e3) {
    ts_mjcf m = read_model(ts_arena_format(
        arena,
        "<worldbody><body pos='%g 0 0' euler='0 0 90'><freejoint/>"
        "<geom name='c' type='capsule' fromto='%g 0 0 %g %g 0' size='%g'/>"
        "<geom name='y' type='cylinder' pos='0 0 %g' size='%g %g'/>"
        "<geom name='b' type='box' pos='0 %g 0' size='%g %g %g'/>"
        "<geom name='s' type='sphere' size='%g'/></body></worldbody>",
        10 * s, s, s, 4 * s, 0.5 * s, 3 * s, 0.25 * s, 2 * s, 5 * s, s, 2 * s, 3 * s, 0.75 * s));
    const ts_scene *scene = m.scene;
    const ts_geometry *c = &shape_of(scene, "c")->geometry, *y = &shape_of(scene, "y")->geometry;
    cr_expect(c->kind == TS_GEOMETRY_CAPSULE && y->kind == TS_GEOMETRY_CYLINDER);
    cr_expect_float_eq(c->half_length_m, 2 * s, 1e-14 * s);
    cr_expect(c->radius_m == 0.5 * s && y->radius_m == 0.25 * s && y->half_length_m == 2 * s);
    cr_expect(shape_of(scene, "s")->geometry.radius_m == 0.75 * s);
    // The body turns x to y: its point (s, 4 s, 0) is at (10 s - 4 s, s, 0).
    ts_vec3 ends[2] = {in_world(scene, "c", ts_vec3_make(0, -c->half_length_m, 0)),
                       in_world(scene, "c", ts_vec3_make(0, c->half_length_m, 0))};
    bool is_turned = ends[0].x < ends[1].x; // either way round is the same capsule
    expect_near(ends[is_turned], ts_vec3_make(10 * s, s, 0), 1e-12 * s, "the capsule's first end");
    expect_near(ends[!is_turned], ts_vec3_make(6 * s, s, 0), 1e-12 * s, "its second end");
    expect_near(in_world(scene, "y", ts_vec3_make(0, 2 * s, 0)), ts_vec3_make(10 * s, 0, 5 * s),
                1e-12 * s, "the top of the cylinder");
    expect_near(in_world(scene, "b", shape_of(scene, "b")->geometry.half_size_m),
                ts_vec3_make(10 * s - 7 * s, s, 3 * s), 1e-12 * s, "the corner of the box");
  }
}

// Far from the origin, where MuJoCo's own numbers are doubles too.
Test(cases_mjcf, bodies_far_away_keep_their_distance) {
  ts_mjcf m =
      read_model("<worldbody><geom name='a' type='sphere' size='1' pos='1e6 1e6 1e6'/><body>"
                 "<freejoint/><geom name='b' type='sphere' size='1' pos='1e6 1e6 1000002'/>"
                 "</body></worldbody>");
  ts_vec3 a = find_body(m.scene, "a")->pose.translation;
  ts_vec3 b = find_body(m.scene, "b")->pose.translation;
  cr_expect(ts_vec3_distance(a, b) == 2);
}

Test(cases_mjcf, a_plane_faces_along_its_own_z) {
  ts_mjcf m = read_model("<worldbody><geom name='p' type='plane' size='1 1 1' pos='0 0 3' "
                         "euler='90 0 0'/><body pos='0 -5 0'><freejoint/><geom size='1'/></body>"
                         "</worldbody>");
  cr_expect(shape_of(m.scene, "p")->geometry.kind == TS_GEOMETRY_PLANE);
  cr_expect(find_body(m.scene, "p")->is_fixed);
  ts_vec3 up = ts_quat_rotate(find_body(m.scene, "p")->pose.rotation, ts_vec3_make(0, 1, 0));
  expect_near(up, ts_vec3_make(0, -1, 0), 1e-15, "up");
}

// MuJoCo cuts each cell from the corner of its lower row and column to that of the upper ones, as
// its contacts with a small ball show: over the middle of a cell whose other two corners are high
// it falls to the low diagonal.
Test(cases_mjcf, a_heightfield_has_the_corners_and_the_diagonals_that_mujoco_has) {
  struct {
    int32_t rows, columns;
    float heights[6];
  } field = {2, 3, {0, 0.5f, 0, 1, 0, 0}};
  write_bytes("field.bin", &field, sizeof field);
  ts_mjcf m = read_model("<asset><hfield name='h' file='field.bin' size='2 1 0.5 0.1'/></asset>"
                         "<worldbody><geom name='g' type='hfield' hfield='h' pos='10 0 7'/><body "
                         "pos='0 0 20'><freejoint/><geom size='1'/></body></worldbody>");
  const ts_geometry *g = &shape_of(m.scene, "g")->geometry;
  cr_assert(g->kind == TS_GEOMETRY_HEIGHTFIELD && g->surface && g->surface->vertex_count == 6);
  // Row 1, column 0 is the highest: x is -2 (columns), y is 1 (rows).
  int32_t high = -1, middle = -1;
  for (size_t v = 0; v < 6; v++) {
    ts_vec3 at = in_world(m.scene, "g", g->surface->vertices[v]);
    if (ts_vec3_distance(at, ts_vec3_make(8, 1, 7.5)) < 1e-12)
      high = (int32_t)v;
    if (ts_vec3_distance(at, ts_vec3_make(10, -1, 7.25)) < 1e-12)
      middle = (int32_t)v;
  }
  cr_assert(high >= 0 && middle >= 0, "the highest corner and the middle one are not there");
  // They are the two corners of a cell that no edge connects.
  for (size_t t = 0; t < g->surface->triangle_count; t++) {
    int found = 0;
    for (int i = 0; i < 3; i++)
      found += g->surface->triangles[t][i] == (uint32_t)high ||
               g->surface->triangles[t][i] == (uint32_t)middle;
    cr_expect(found < 2, "triangle %zu is on the wrong diagonal", t);
  }
}

Test(cases_mjcf, an_ellipsoid_is_a_convex_mesh_around_it_within_the_stated_error) {
  ts_mjcf m = read_model("<worldbody><geom name='e' type='ellipsoid' size='1 0.5 0.001'/>"
                         "</worldbody>");
  const ts_shape *shape = shape_of(m.scene, "e");
  cr_expect(ts_shape_is_convex(shape));
  double farthest = 0;
  for (size_t v = 0; v < shape->mesh->vertex_count; v++) {
    ts_vec3 p = shape->mesh->vertices[v];
    double level = sqrt(p.x * p.x + p.y * p.y / 0.25 + p.z * p.z / 1e-6);
    cr_expect(level >= 1 - 1e-12, "a vertex is inside");
    farthest = fmax(farthest, ts_vec3_norm(p) * (1 - 1 / level));
  }
  cr_expect(farthest <= 1e-3 && farthest > 0, "off by %g", farthest);
}

// An L of six corners: MuJoCo collides the pentagon around it.
Test(cases_mjcf, a_mesh_is_the_hull_of_its_vertices) {
  ts_mjcf m = read_model("<asset><mesh name='l' vertex='0 0 0 2 0 0 2 1 0 1 1 0 1 2 0 0 2 0 "
                         "0 0 1 2 0 1 2 1 1 1 1 1 1 2 1 0 2 1'/></asset><worldbody><geom name='g' "
                         "type='mesh' mesh='l' pos='5 0 0'/></worldbody>");
  const ts_shape *shape = shape_of(m.scene, "g");
  cr_expect(shape->mesh->vertex_count == 10 && ts_shape_is_convex(shape));
  double volume_m3 = ts_mesh_mass_properties(shape->mesh, 1).volume_m3;
  cr_expect_float_eq(volume_m3, 3.5, 1e-6);
  // MuJoCo moves a mesh into its principal axes, and the geom back.
  double lowest = INFINITY;
  for (size_t v = 0; v < shape->mesh->vertex_count; v++)
    lowest = fmin(lowest, in_world(m.scene, "g", shape->mesh->vertices[v]).x);
  cr_expect_float_eq(lowest, 5, 1e-6);
}

Test(cases_mjcf, geoms_of_one_mesh_share_a_shape_and_others_do_not) {
  ts_mjcf m = read_model("<worldbody><geom name='a' size='1'/><geom name='b' size='1' pos='5 0 0'/>"
                         "<geom name='c' size='2' pos='9 0 0'/></worldbody>");
  cr_expect(find_body(m.scene, "a")->shape == find_body(m.scene, "b")->shape);
  cr_expect(find_body(m.scene, "a")->shape != find_body(m.scene, "c")->shape);
}

// ---- bodies -----------------------------------------------------------------------------------

Test(cases_mjcf, what_is_welded_to_the_world_is_fixed_and_the_rest_moves) {
  ts_mjcf m = read_model("<worldbody><geom name='world' size='1'/><body><geom name='welded' "
                         "size='1'/></body><body mocap='true'><geom name='mocap' size='1'/></body>"
                         "<body><joint/><geom name='hinged' size='1'/><body><geom name='on_it' "
                         "size='1'/></body></body></worldbody>");
  static const char *const fixed[] = {"world", "welded", "mocap"};
  for (size_t i = 0; i < 3; i++)
    cr_expect(find_body(m.scene, fixed[i])->is_fixed, "%s", fixed[i]);
  cr_expect(!find_body(m.scene, "hinged")->is_fixed && !find_body(m.scene, "on_it")->is_fixed);
}

Test(cases_mjcf, geoms_of_a_body_share_its_mass) {
  ts_mjcf m = read_model("<worldbody><body><freejoint/><inertial pos='0 0 0' mass='6' diaginertia="
                         "'1 1 1'/><geom name='a' type='box' size='.5 .5 .5'/><geom name='b' "
                         "type='box' size='.5 .5 1' pos='9 0 0'/></body></worldbody>");
  for (const char *name = "a"; name; name = *name == 'a' ? "b" : NULL)
    cr_expect_float_eq(find_body(m.scene, name)->density_kg_m3, 2, 1e-12);
}

// A free body's qvel: linear in the world, angular in the body, which is turned about z.
Test(cases_mjcf, a_keyframe_gives_poses_and_velocities) {
  static const char text[] =
      "<worldbody><body><freejoint/><geom name='b' size='1'/></body></worldbody><keyframe>"
      "<key name='up' qpos='1 2 3 0.70710678118654757 0 0 0.70710678118654757' "
      "qvel='4 5 6 7 0 0'/><key qpos='0 0 9 1 0 0 0'/></keyframe>";
  ts_mjcf at_rest = read_model(text), up = read_at("#up", text), second = read_at("#1", text);
  cr_expect(strcmp(at_rest.name, "mjcf_model") == 0 && strcmp(up.name, "mjcf_model_up") == 0);
  cr_expect(at_rest.hash != up.hash && up.hash != second.hash);
  expect_near(find_body(at_rest.scene, "b")->pose.translation, ts_vec3_make(0, 0, 0), 0, "qpos0");
  const ts_body *body = find_body(up.scene, "b");
  expect_near(body->pose.translation, ts_vec3_make(1, 2, 3), 0, "the keyframe");
  expect_near(body->twist.linear_m_s, ts_vec3_make(4, 5, 6), 1e-14, "velocity");
  expect_near(body->twist.angular_rad_s, ts_vec3_make(0, 7, 0), 1e-14, "angular velocity");
  expect_near(find_body(second.scene, "b")->pose.translation, ts_vec3_make(0, 0, 9), 0,
              "the keyframe without a name");
}

Test(cases_mjcf, up_is_against_gravity_and_z_without) {
  static const char ball[] = "<worldbody><geom size='1'/></worldbody>";
  ts_mjcf m = read_model(ts_arena_format(arena, "<option gravity='0 5 0'/>%s", ball));
  expect_near(m.scene->up, ts_vec3_make(0, -1, 0), 0, "up");
  m = read_model(ts_arena_format(arena, "<option gravity='0 0 0'/>%s", ball));
  expect_near(m.scene->up, ts_vec3_make(0, 0, 1), 0, "up without gravity");
}

// ---- which geoms collide ----------------------------------------------------------------------

Test(cases_mjcf, geoms_of_a_body_and_of_parent_and_child_do_not_collide) {
  static const char bodies[] =
      "<worldbody><geom name='floor' type='plane' size='1 1 1'/><body name='a'><joint/><geom "
      "name='a1' size='1'/><geom name='a2' size='1'/><body name='b'><joint/><geom name='b1' "
      "size='1'/><body><geom name='welded_to_b' size='1'/></body><body><joint/><geom name='c' "
      "size='1'/></body></body></body></worldbody>";
  const ts_scene *s = read_model(bodies).scene;
  cr_expect(!collide(s, "a1", "a2") && !collide(s, "a1", "b1") && !collide(s, "b1", "c"));
  cr_expect(!collide(s, "b1", "welded_to_b") && !collide(s, "welded_to_b", "a1"));
  // A grandchild does, and a child of the world with the world.
  cr_expect(collide(s, "a1", "c") && collide(s, "a2", "c") && collide(s, "floor", "a1"));
  // Whatever their order in the model: what is welded comes after what it is compared with.
  static const char late[] =
      "<worldbody><body><joint/><geom name='a' size='1'/><body><joint/><geom name='child' "
      "size='1'/></body><body><geom name='welded_to_a' size='1'/></body></body><body><geom "
      "name='welded_to_world' size='1'/></body></worldbody>";
  s = read_model(late).scene;
  cr_expect(!collide(s, "child", "welded_to_a") && !collide(s, "a", "welded_to_a"));
  cr_expect(collide(s, "a", "welded_to_world") && collide(s, "child", "welded_to_world"));
  const char *text =
      ts_arena_format(arena, "<option><flag filterparent='disable'/></option>%s", bodies);
  s = read_model(text).scene;
  cr_expect(collide(s, "a1", "b1") && !collide(s, "a1", "a2"));
}

Test(cases_mjcf, contype_conaffinity_exclude_and_pair_decide_as_in_mujoco) {
  static const char bodies[] =
      "<worldbody><body name='a'><freejoint/><geom name='a' size='1' contype='1' conaffinity='2'/>"
      "</body><body name='b'><freejoint/><geom name='b' size='1' contype='4' conaffinity='1'/>"
      "</body><body name='c'><freejoint/><geom name='c' size='1' contype='8' conaffinity='8'/>"
      "</body><body name='d'><freejoint/><geom name='d' size='1' contype='0' conaffinity='0'/>"
      "</body><body name='e'><freejoint/><geom name='e' size='1' contype='0' conaffinity='9'/>"
      "</body></worldbody>";
  ts_mjcf m = read_model(bodies);
  const ts_scene *s = m.scene;
  cr_expect(s->body_count == 4, "what collides with nothing is left out");
  cr_expect(strstr(m.summary, "1 that collide with nothing") != NULL, "%s", m.summary);
  cr_expect(collide(s, "a", "b") && collide(s, "a", "e") && collide(s, "c", "e"));
  cr_expect(!collide(s, "a", "c") && !collide(s, "b", "c") && !collide(s, "b", "e"));
  s = read_model(
          ts_arena_format(arena,
                          "%s<contact><exclude body1='b' body2='a'/><pair geom1='c' geom2='d'/>"
                          "</contact>",
                          bodies))
          .scene;
  cr_expect(s->body_count == 5 && !collide(s, "a", "b") && collide(s, "c", "d"));
  cr_expect(collide(s, "a", "e") && !collide(s, "a", "d"));
  s = read_model(ts_arena_format(arena,
                                 "<option collision='predefined'/>%s<contact><pair geom1='c' "
                                 "geom2='d'/><pair geom1='b' geom2='c'/></contact>",
                                 bodies))
          .scene;
  cr_expect(s->body_count == 3 && collide(s, "c", "d") && collide(s, "b", "c"));
  cr_expect(!collide(s, "b", "d"));
}

// ---- truth, and what is said ------------------------------------------------------------------

Test(cases_mjcf, the_truth_is_derived_where_it_can_be_and_the_reason_given_where_not) {
  ts_mjcf m = read_model("<worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .5'>"
                         "<freejoint/><geom type='box' size='.5 .5 .5'/></body></worldbody>");
  cr_assert(!m.scene->truth_is_unknown && m.scene->region_count == 1, "%s", m.summary);
  cr_expect_float_eq(ts_region_measure(&m.scene->regions[0]), 1, 1e-12);
  expect_near(m.scene->regions[0].feasible[TS_REFERENCE_DESIGN].normals[0].normal,
              ts_vec3_make(0, 0, 1), 1e-15, "the normal");
  // Cubes in one place have six ways out, all as short.
  m = read_model("<worldbody><geom type='box' size='.5 .5 .5'/><body><freejoint/><geom type='box' "
                 "size='.5 .5 .5'/></body></worldbody>");
  cr_expect(m.scene->truth_is_unknown && m.scene->region_count == 0);
  cr_expect(strstr(m.summary, "truth is unknown: ") && strstr(m.summary, "overlap"), "%s",
            m.summary);
}

// Links of a chain that overlap where they meet: none of MuJoCo's business, and no truth.
Test(cases_mjcf, links_that_overlap_where_they_are_joined_have_no_truth_and_no_way_out) {
  ts_mjcf m =
      read_model("<worldbody><body><freejoint/><geom type='capsule' fromto='0 0 0 1 0 0' "
                 "size='.1'/><body pos='1 0 0'><joint/><geom type='capsule' fromto='0 0 0 1 "
                 "0 0' size='.1'/></body></body></worldbody>");
  cr_expect(!m.scene->truth_is_unknown && m.scene->region_count == 0, "%s", m.summary);
  cr_expect(m.scene->excluded_count == 1);
}

Test(cases_mjcf, what_a_scene_lacks_is_said) {
  ts_mjcf m = read_model(
      "<option><flag contact='disable'/></option><worldbody><body name='a'><joint name='j'/><geom "
      "size='1' margin='.1'/><geom size='1'/><site name='s'/></body><body name='b'><freejoint/>"
      "<geom size='1' pos='9 0 0'/><site name='t' pos='9 0 0'/></body></worldbody><equality><weld "
      "body1='a' body2='b'/></equality><tendon><spatial><site site='s'/><site site='t'/></spatial>"
      "</tendon><actuator><motor joint='j'/></actuator>");
  static const char *const words[] = {"joints",           "geoms of one body", "equality",
                                      "tendons",          "actuators",         "margins",
                                      "disables contacts"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    cr_expect(strstr(m.summary, words[i]) != NULL, "no %s: %s", words[i], m.summary);
  m = read_model("<worldbody><body><freejoint/><geom size='1'/></body></worldbody>");
  cr_expect(strstr(m.summary, "Not modelled") == NULL, "%s", m.summary);
}
