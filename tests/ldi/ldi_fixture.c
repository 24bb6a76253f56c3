// SPDX-License-Identifier: MIT
#include "tests/ldi/ldi_fixture.h"

#include "base/array.h"
#include "base/param.h"
#include "cases/case.h"
#include "ldi/scan.h"

ts_mesh *ldi_box(ts_arena *arena, double width, double depth, double height) {
  solid s = solid_box(width, depth, height, 0);
  return solid_mesh(arena, &s);
}

ts_mesh *ldi_cube(ts_arena *arena, double side) {
  return ldi_box(arena, side, side, side);
}

ts_mesh *ldi_tetrahedron(ts_arena *arena) {
  solid s = {0};
  solid_add_vertex(&s, 1, 1, 1);
  solid_add_vertex(&s, -1, -1, 1);
  solid_add_vertex(&s, -1, 1, -1);
  solid_add_vertex(&s, 1, -1, -1);
  const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  for (int f = 0; f < 4; f++)
    solid_add_triangle(&s, faces[f][0], faces[f][1], faces[f][2]);
  return solid_mesh(arena, &s);
}

/// Elements of a mesh under construction.
typedef struct build {
  ts_vec3 *vertices;
  uint32_t (*triangles)[3], (*tets)[4];
  size_t vertex_count, triangle_count, tet_count;
} build;

static build start_build(ts_arena *arena, size_t vertices, size_t triangles, size_t tets) {
  build b = {.vertices = ts_arena_array(arena, vertices, sizeof *b.vertices),
             .triangles = ts_arena_array(arena, triangles, sizeof *b.triangles),
             .tets = ts_arena_array(arena, tets, sizeof *b.tets)};
  cr_assert(b.vertices && b.triangles && b.tets);
  return b;
}

static void push_triangle(build *b, int p, int q, int r) {
  uint32_t *t = b->triangles[b->triangle_count++];
  t[0] = (uint32_t)p;
  t[1] = (uint32_t)q;
  t[2] = (uint32_t)r;
}

static void push_tet(build *b, int p, int q, int r, int s) {
  uint32_t *t = b->tets[b->tet_count++];
  t[0] = (uint32_t)p;
  t[1] = (uint32_t)q;
  t[2] = (uint32_t)r;
  t[3] = (uint32_t)s;
}

static ts_mesh *finish_build(ts_arena *arena, const build *b) {
  ts_mesh *mesh = NULL;
  cr_assert_eq(ts_mesh_create(&mesh, arena, b->vertices, b->vertex_count,
                              (const uint32_t(*)[3])b->triangles, b->triangle_count),
               TS_OK, "%s", ts_status_detail());
  if (b->tet_count > 0)
    cr_assert_eq(ts_mesh_set_tets(mesh, arena, (const uint32_t(*)[4])b->tets, b->tet_count), TS_OK,
                 "%s", ts_status_detail());
  return mesh;
}

static const double full_turn_rad = 6.283185307179586;

ts_mesh *ldi_torus(ts_arena *arena, int segments, int sides, double ring_radius, double radius) {
  build b = start_build(arena, (size_t)(segments * sides), 2 * (size_t)(segments * sides),
                        3 * (size_t)(segments * (sides - 2)));
  for (int i = 0; i < segments; i++)
    for (int k = 0; k < sides; k++) {
      double turn = full_turn_rad * i / segments, tilt = full_turn_rad * k / sides;
      double from_axis = ring_radius + radius * cos(tilt);
      b.vertices[b.vertex_count++] =
          ts_vec3_make(from_axis * cos(turn), from_axis * sin(turn), radius * sin(tilt));
    }
  for (int i = 0; i < segments; i++) {
    int here = i * sides, next = (i + 1) % segments * sides;
    // Each side of a prism is cut from the lesser corner here to the greater one on the next
    // polygon, so that prisms that share a side agree.
    for (int k = 0; k + 1 < sides; k++) {
      push_triangle(&b, here + k, next + k, next + k + 1);
      push_triangle(&b, here + k, next + k + 1, here + k + 1);
    }
    push_triangle(&b, here, next + sides - 1, next);
    push_triangle(&b, here, here + sides - 1, next + sides - 1);
    for (int k = 1; k + 1 < sides; k++) {
      push_tet(&b, here, here + k + 1, here + k, next + k + 1);
      push_tet(&b, here, here + k, next + k, next + k + 1);
      push_tet(&b, here, next + k, next, next + k + 1);
    }
  }
  return finish_build(arena, &b);
}

ts_mesh *ldi_sphere(ts_arena *arena, int rings, int segments, double radius) {
  build b = start_build(arena, (size_t)(rings * segments + 2), 2 * (size_t)(rings * segments), 0);
  for (int i = 0; i < rings; i++)
    for (int k = 0; k < segments; k++) {
      double height = full_turn_rad * (i + 1) / (2 * (rings + 1)),
             turn = full_turn_rad * k / segments;
      b.vertices[b.vertex_count++] =
          ts_vec3_make(radius * sin(height) * cos(turn), radius * sin(height) * sin(turn),
                       -radius * cos(height));
    }
  int south = rings * segments, north = south + 1;
  b.vertices[b.vertex_count++] = ts_vec3_make(0, 0, -radius);
  b.vertices[b.vertex_count++] = ts_vec3_make(0, 0, radius);
  for (int k = 0; k < segments; k++) {
    int l = (k + 1) % segments, top = (rings - 1) * segments;
    push_triangle(&b, south, l, k);
    push_triangle(&b, north, top + k, top + l);
    for (int i = 0; i + 1 < rings; i++) {
      int low = i * segments, high = low + segments;
      push_triangle(&b, low + k, low + l, high + l);
      push_triangle(&b, low + k, high + l, high + k);
    }
  }
  return finish_build(arena, &b);
}

ts_mesh *ldi_crack(ts_arena *arena) {
  const ts_case *c = ts_case_find("spike_in_crack");
  cr_assert(c);
  double values[32];
  ts_param_defaults(values, ts_case_params(arena, c), ts_case_param_count(c));
  ts_scene *scene = NULL;
  cr_assert_eq(ts_case_build(&scene, arena, c, values), TS_OK, "%s", ts_status_detail());
  const ts_mesh *mesh = scene->shapes[scene->bodies[0].shape].mesh;
  cr_assert_eq(mesh->triangle_count, 36);
  return ldi_without_tets(arena, mesh);
}

ts_mesh *ldi_mesh_of(ts_arena *arena, int which) {
  switch (which) {
  case 0:
    return ldi_cube(arena, 1.5);
  case 1:
    return ldi_tetrahedron(arena);
  case 2:
    return ldi_torus(arena, 64, 32, 1, 0.35);
  case 3:
    return ldi_crack(arena);
  default:
    return ldi_sphere(arena, 23, 40, 1);
  }
}

static ts_mesh *copy(ts_arena *arena, const ts_vec3 *vertices, const ts_mesh *mesh) {
  ts_mesh *out = NULL;
  cr_assert_eq(ts_mesh_create(&out, arena, vertices, mesh->vertex_count, mesh->triangles,
                              mesh->triangle_count),
               TS_OK, "%s", ts_status_detail());
  return out;
}

ts_mesh *ldi_without_tets(ts_arena *arena, const ts_mesh *mesh) {
  return copy(arena, mesh->vertices, mesh);
}

ts_mesh *ldi_scaled(ts_arena *arena, const ts_mesh *mesh, double by) {
  ts_vec3 *vertices = ts_arena_array(arena, mesh->vertex_count, sizeof *vertices);
  cr_assert(vertices);
  for (size_t i = 0; i < mesh->vertex_count; i++)
    vertices[i] = ts_vec3_scale(mesh->vertices[i], by);
  return copy(arena, vertices, mesh);
}

ts_ldi *ldi_open(const ts_mesh *a, const ts_mesh *b, int threads) {
  ts_ldi *ldi = NULL;
  cr_assert_eq(ts_ldi_create_for_meshes(&ldi, &ts_ldi_backend_cpu, a, b, threads), TS_OK, "%s",
               ts_status_detail());
  return ldi;
}

void ldi_place(ts_ldi *ldi, ts_pose a, ts_pose b, int resolution_px) {
  cr_assert_eq(ts_ldi_place(ldi, a, b, resolution_px), TS_OK, "%s", ts_status_detail());
}

ts_ldi_overlap ldi_measure(ts_ldi *ldi) {
  ts_ldi_overlap overlap = {0};
  cr_assert_eq(ts_ldi_measure(&overlap, ldi), TS_OK, "%s", ts_status_detail());
  return overlap;
}

ldi_reference ldi_reference_open(const ts_mesh *a, const ts_mesh *b) {
  ldi_reference out = {0};
  cr_assert_eq(ts_ldi_shape_create(&out.shapes[0], a), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_ldi_shape_create(&out.shapes[1], b), TS_OK, "%s", ts_status_detail());
  const ts_ldi_shape *const shapes[2] = {out.shapes[0], out.shapes[1]};
  cr_assert_eq(ts_ldi_backend_cpu.create(&out.state, shapes, 1), TS_OK, "%s", ts_status_detail());
  return out;
}

void ldi_reference_close(ldi_reference *reference) {
  ts_ldi_backend_cpu.destroy(reference->state);
  ts_ldi_shape_destroy(reference->shapes[0]);
  ts_ldi_shape_destroy(reference->shapes[1]);
}

ts_aabb ldi_bounds(const ts_mesh *mesh, ts_pose pose) {
  ts_ldi_affine m = ts_ldi_affine_world(pose);
  ts_aabb box = ts_aabb_empty();
  for (size_t i = 0; i < mesh->vertex_count; i++) {
    double p[3];
    ts_ldi_affine_apply(p, &m, mesh->vertices[i]);
    box = ts_aabb_add(box, (ts_vec3){p[0], p[1], p[2]});
  }
  return box;
}

/// What push_contact needs to keep what it is given.
typedef struct collector {
  ts_arena *arena;
  ldi_contacts found;
} collector;

static ts_status push_contact(void *context, const ts_contact *contact) {
  collector *c = context;
  ldi_contacts *f = &c->found;
  cr_assert_eq(TS_ARENA_GROW(f->list, f->capacity, f->count, 1, c->arena), TS_OK);
  f->list[f->count++] = *contact;
  return TS_OK;
}

ldi_contacts ldi_find(ts_arena *arena, ts_ldi *ldi, int cell_px) {
  collector c = {.arena = arena};
  cr_assert_eq(ts_ldi_contacts(ldi, cell_px, push_contact, &c), TS_OK, "%s", ts_status_detail());
  return c.found;
}

void ldi_scene_open(ldi_scene *out, ts_arena *arena, ldi_scene_kind kind) {
  static const char *const names[LDI_SCENE_COUNT] = {"two cubes", "two tori", "cube in the crack"};
  *out = (ldi_scene){.kind = kind, .name = names[kind]};
  switch (kind) {
  case LDI_CUBES:
    out->mesh[0] = ldi_cube(arena, 1);
    out->mesh[1] = ldi_cube(arena, 0.8);
    break;
  case LDI_TORI:
    out->mesh[0] = out->mesh[1] = ldi_torus(arena, 16, 8, 1, 0.35);
    break;
  default:
    out->mesh[0] = ldi_crack(arena);
    out->mesh[1] = ldi_cube(arena, 0.6);
  }
  for (int body = 0; body < 2; body++)
    cr_assert_eq(exact_body_create(&out->exact[body], out->mesh[body], ts_pose_identity()), TS_OK,
                 "%s", ts_status_detail());
}

void ldi_scene_close(ldi_scene *scene) {
  exact_body_free(&scene->exact[0]);
  exact_body_free(&scene->exact[1]);
}

static ts_pose draw_relative(ldi_scene_kind kind, ts_random *random) {
  ts_pose pose = random_pose(random, kind == LDI_CUBES ? 0.6 : 1);
  if (kind == LDI_CRACK) {
    ts_vec3 along = pose.translation;
    pose.translation = ts_vec3_make(0.1 * along.x, 0.3 + 0.1 * along.y, along.z);
  }
  return pose;
}

void ldi_scene_draw(ldi_scene *scene, ts_random *random) {
  double smallest = INFINITY;
  for (int body = 0; body < 2; body++)
    smallest = fmin(smallest, ts_mesh_mass_properties(scene->mesh[body], 1).volume_m3);
  do {
    ts_pose common = random_pose(random, 5);
    scene->pose[0] = common;
    scene->pose[1] = ts_pose_mul(common, draw_relative(scene->kind, random));
    for (int body = 0; body < 2; body++)
      exact_body_place(&scene->exact[body], scene->pose[body]);
    scene->volume_m3 = exact_overlap_volume(&scene->exact[0], &scene->exact[1]);
    scene->drawn++;
  } while (scene->volume_m3 < LDI_SCENE_SHARE * smallest);
  scene->taken++;
}

ldi_wrench ldi_wrench_about(const ts_mesh *mesh, ts_pose pose, const ts_vec3 *gradient,
                            ts_vec3 centre) {
  ldi_wrench w = {0};
  for (size_t i = 0; i < mesh->vertex_count; i++) {
    ts_vec3 arm = ts_vec3_sub(ts_pose_point(pose, mesh->vertices[i]), centre);
    w.force = ts_vec3_add(w.force, gradient[i]);
    w.moment = ts_vec3_add(w.moment, ts_vec3_cross(arm, gradient[i]));
  }
  return w;
}

void ldi_expect_near(ts_vec3 found, ts_vec3 exact, double tolerance, const char *what) {
  cr_expect_leq(ts_vec3_distance(found, exact), tolerance, "%s: (%g, %g, %g), not (%g, %g, %g)",
                what, found.x, found.y, found.z, exact.x, exact.y, exact.z);
}

ts_vec3 ldi_sum(const ts_vec3 *gradient, size_t count) {
  ts_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < count; i++)
    sum = ts_vec3_add(sum, gradient[i]);
  return sum;
}
