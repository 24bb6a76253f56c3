// SPDX-License-Identifier: MIT
// covers: geometry/files/mesh_import.c geometry/files/touchstone_import.cc geometry/triangles.c
// Meshes of other programs in all formats but OBJ: what is written comes back to the bit, and
// whatever else a file holds is a message.

#include "base/status.h"
#include "geometry/files/mesh_import.h"
#include "geometry/files/ply.h"
#include "geometry/files/stl.h"
#include "geometry/mesh/mesh.h"
#include "tests/geometry/files/mesh_files.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static ts_arena *arena;

static void set_up(void) {
  ts_arena_create(&arena);
  unsetenv("TOUCHSTONE_IMPORT");
}

static void tear_down(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_mesh_import, .init = set_up, .fini = tear_down, .timeout = 300);

static bool ends_in(const char *path, const char *ending) {
  return strcasecmp(path + strlen(path) - strlen(ending), ending) == 0;
}

static ts_status read_bytes(ts_triangles *out, const char *path, mesh_file f) {
  if (ends_in(path, ".stl"))
    return ts_stl_parse(out, arena, path, (const char *)f.bytes, f.count);
  if (ends_in(path, ".ply"))
    return ts_ply_parse(out, arena, path, (const char *)f.bytes, f.count);
  return ts_mesh_import(out, arena, path, f.bytes, f.count, NULL, NULL);
}

static ts_triangles import_ok(const char *path, mesh_file f) {
  ts_triangles m;
  ts_status status = read_bytes(&m, path, f);
  cr_assert(status == TS_OK, "%s: %s", path, ts_status_detail());
  return m;
}

// The message of a refused file begins with its name and has the word.
static void expect_refused(const char *path, mesh_file f, const char *word) {
  ts_triangles m;
  ts_status status = read_bytes(&m, path, f);
  cr_expect(status == TS_E_INPUT, "%s ends with %d", path, status);
  const char *detail = ts_status_detail();
  cr_expect(strncmp(detail, path, strlen(path)) == 0, "no name: %s", detail);
  cr_expect(strstr(detail, word), "no %s: %s", word, detail);
}

static mesh_file text_file(const char *text) {
  mesh_file f = {0};
  add_bytes(&f, arena, text, strlen(text));
  return f;
}

static bool is_close(double got, float given, int ulp) {
  float below = given, above = given;
  for (int i = 0; i < ulp; i++) {
    below = nextafterf(below, -INFINITY);
    above = nextafterf(above, INFINITY);
  }
  return got >= (double)below && got <= (double)above;
}

// Triangle by triangle; numbers in text within `ulp` floats.
static void expect_same(const char *path, const ts_triangles *m, const mesh_source *s, int ulp) {
  cr_assert(m->vertex_count == s->vertex_count, "%s: %zu vertices", path, m->vertex_count);
  cr_assert(m->triangle_count == s->triangle_count, "%s: %zu triangles", path, m->triangle_count);
  for (size_t t = 0; t < s->triangle_count; t++)
    for (int i = 0; i < 3; i++) {
      ts_vec3 p = m->vertices[m->triangles[t][i]];
      const float *q = s->vertices[s->triangles[t][i]];
      cr_assert(is_close(p.x, q[0], ulp) && is_close(p.y, q[1], ulp) && is_close(p.z, q[2], ulp),
                "%s: triangle %zu: %.17g %.17g %.17g is not %.9g %.9g %.9g", path, t, p.x, p.y, p.z,
                q[0], q[1], q[2]);
      cr_assert(p.y != 0 || !signbit(p.y), "-0 is left");
    }
  ts_mesh *mesh;
  cr_expect(ts_mesh_create(&mesh, arena, m->vertices, m->vertex_count,
                           (const uint32_t(*)[3])m->triangles, m->triangle_count) == TS_OK,
            "%s: %s", path, ts_status_detail());
}

Test(geometry_mesh_import, a_box_comes_back_from_every_format) {
  mesh_source box = source_of_box(arena);
  for (int i = 0; i < FILE_FORM_COUNT; i++) {
    ts_triangles m = import_ok(file_forms[i].path, file_forms[i].write(arena, &box));
    expect_same(file_forms[i].path, &m, &box, strncmp(file_forms[i].path, "text", 4) == 0);
  }
}

Test(geometry_mesh_import, a_torus_of_ten_thousand_triangles_comes_back_from_every_format) {
  mesh_source torus = source_of_torus(arena);
  cr_assert_eq(torus.triangle_count, 10000);
  for (int i = 0; i < FILE_FORM_COUNT; i++) {
    ts_triangles m = import_ok(file_forms[i].path, file_forms[i].write(arena, &torus));
    expect_same(file_forms[i].path, &m, &torus, strncmp(file_forms[i].path, "text", 4) == 0);
  }
}

Test(geometry_mesh_import, vertices_come_in_the_order_in_which_triangles_use_them) {
  mesh_source box = source_of_box(arena);
  ts_triangles m = import_ok("box.stl", file_forms[0].write(arena, &box));
  uint32_t seen = 0;
  for (size_t t = 0; t < m.triangle_count; t++)
    for (int i = 0; i < 3; i++) {
      cr_assert(m.triangles[t][i] <= seen);
      seen += m.triangles[t][i] == seen;
    }
  cr_expect_eq(seen, m.vertex_count);
}

Test(geometry_mesh_import, a_triangle_that_collapses_is_left_out_and_the_rest_stays_closed) {
  mesh_source box = source_of_box(arena);
  uint32_t(*more)[3] = ts_arena_array(arena, 14, sizeof *more);
  float(*vertices)[3] = ts_arena_array(arena, 9, sizeof *vertices);
  memcpy(vertices, box.vertices, 96);
  memcpy(vertices[8], vertices[1], 12); // a second vertex 1
  memcpy(more, box.triangles, 144);
  memcpy(more[12], (uint32_t[]){0, 1, 8}, 12);
  memcpy(more[13], (uint32_t[]){1, 1, 2}, 12);
  mesh_source s = {9, 14, vertices, more};
  for (int i = 0; i < FILE_FORM_COUNT; i++) {
    ts_triangles m = import_ok(file_forms[i].path, file_forms[i].write(arena, &s));
    expect_same(file_forms[i].path, &m, &box, 1);
  }
}

Test(geometry_mesh_import, positions_that_differ_by_a_bit_stay_apart) {
  mesh_source box = source_of_box(arena);
  float(*vertices)[3] = ts_arena_array(arena, 9, sizeof *vertices);
  memcpy(vertices, box.vertices, 96);
  memcpy(vertices[8], vertices[1], 12);
  vertices[8][0] = nextafterf(vertices[8][0], 1);
  box.triangles[0][2] = 8;
  box.vertices = vertices;
  box.vertex_count = 9;
  ts_triangles m = import_ok("box.stl", file_forms[0].write(arena, &box));
  cr_expect_eq(m.vertex_count, 9);
}

Test(geometry_mesh_import, node_transforms_are_applied_and_mirrors_turned) {
  mesh_source box = source_of_box(arena);
  mesh_file f = write_gltf_nodes(arena, &box,
                                 "\"nodes\":[{\"translation\":[10,0,0],\"children\":[1,2]},"
                                 "{\"mesh\":0,\"scale\":[2,2,2]},{\"mesh\":0,\"scale\":[-1,1,1],"
                                 "\"translation\":[0,5,0]}]");
  ts_triangles m = import_ok("nodes.gltf", f);
  cr_assert_eq(m.vertex_count, 16);
  cr_assert_eq(m.triangle_count, 24);
  ts_mesh *mesh;
  cr_assert(ts_mesh_create(&mesh, arena, m.vertices, m.vertex_count,
                           (const uint32_t(*)[3])m.triangles, m.triangle_count) == TS_OK);
  double volume = ts_mesh_mass_properties(mesh, 1).volume_m3;
  double one = 0.4 * (1.0 / 3) * 0.701;
  cr_expect(fabs(volume - 9 * one) < 1e-6, "%g is not 9 times %g", volume, one);
  ts_aabb box_all = ts_mesh_bounds(mesh);
  cr_expect(box_all.low.x == 10 - 2 * (double)0.3f, "%.17g", box_all.low.x);
  cr_expect(box_all.high.y == 5 + (double)(1.0f / 3), "%.17g", box_all.high.y);
}

Test(geometry_mesh_import, a_truncated_file_is_refused_at_any_length) {
  mesh_source box = source_of_box(arena);
  for (int i = 0; i < FILE_FORM_COUNT; i++) {
    mesh_file f = file_forms[i].write(arena, &box);
    for (size_t part = 1; part < 8; part++)
      expect_refused(file_forms[i].path, (mesh_file){f.bytes, f.count * part / 8, 0}, "");
  }
}

Test(geometry_mesh_import, four_billion_vertices_are_refused) {
  expect_refused("claims.ply",
                 text_file("ply\nformat binary_little_endian 1.0\nelement vertex 4294967295\n"
                           "property float x\nproperty float y\nproperty float z\n"
                           "element face 4294967295\nproperty list uchar int vertex_indices\n"
                           "end_header\nabc"),
                 "4294967295 rows");
  mesh_file f = {0};
  add_bytes(&f, arena, (char[80]){"binary"}, 80);
  add_bytes(&f, arena, &(uint32_t){UINT32_MAX}, 4);
  add_bytes(&f, arena, (char[500]){0}, 500);
  expect_refused("claims.stl", f, "4294967295 triangles where the file has room for 10");
}

Test(geometry_mesh_import, invalid_numbers_are_refused) {
  mesh_source box = source_of_box(arena);
  box.vertices[3][1] = NAN;
  expect_refused("nan.stl", file_forms[0].write(arena, &box), "finite");
  expect_refused("nan.ply", file_forms[2].write(arena, &box), "finite");
  expect_refused("nan.glb", file_forms[6].write(arena, &box), "finite");
  box.vertices[3][1] = INFINITY;
  expect_refused("inf.stl", file_forms[0].write(arena, &box), "finite");
}

Test(geometry_mesh_import, indices_out_of_range_are_refused) {
  mesh_source box = source_of_box(arena);
  for (int i = 2; i < FILE_FORM_COUNT; i++)
    for (uint32_t bad = 8; bad; bad = bad == 8 ? 1u << 31 : bad == 1u << 31 ? UINT32_MAX : 0) {
      box.triangles[5][1] = bad;
      expect_refused(file_forms[i].path, file_forms[i].write(arena, &box),
                     "uses a vertex that is not there");
    }
}

Test(geometry_mesh_import, a_file_without_triangles_is_refused) {
  expect_refused("points.ply",
                 text_file("ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\n"
                           "property float y\nproperty float z\nend_header\n0 0 0\n1 1 1\n"),
                 "");
  expect_refused("lines.ply",
                 text_file("ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\n"
                           "property float y\nproperty float z\nelement face 1\n"
                           "property list uchar int vertex_indices\nend_header\n0 0 0\n1 1 1\n"
                           "2 0 1\n"),
                 "no triangles");
  expect_refused("solid.stl", text_file("solid a\nendsolid a\n"), "");
  expect_refused("empty.stl", (mesh_file){(uint8_t *)"", 0, 0}, "empty");
  expect_refused("scene.gltf", text_file("{\"asset\":{\"version\":\"2.0\"}}"), "");
  expect_refused("noise.glb", text_file("glTF glTF glTF glTF glTF glTF glTF"), "");
}

Test(geometry_mesh_import, a_buffer_in_another_file_is_refused_with_its_name) {
  mesh_source box = source_of_box(arena);
  mesh_file f = write_gltf_nodes(arena, &box, "\"nodes\":[{\"mesh\":0}]");
  add_bytes(&f, arena, "", 1);
  char *uri = strstr((char *)f.bytes, "data:");
  memcpy(uri, "/etc/passwd\"}]}", 16);
  f.count = strlen((char *)f.bytes);
  expect_refused("other.gltf", f, "/etc/passwd");
  expect_refused("other.gltf", f, "embed");
}

// What a glTF file may ask for, and what it has asked for.
typedef struct beside {
  const char *name;
  mesh_file file;
  int asked;
} beside;

static ts_status read_beside(char **out, size_t *out_count, void *context, const char *name) {
  beside *b = context;
  b->asked++;
  if (strcmp(name, b->name) != 0)
    return ts_fail(TS_E_INPUT, "there is no %s", name);
  *out = (char *)b->file.bytes;
  *out_count = b->file.count;
  return TS_OK;
}

Test(geometry_mesh_import, buffers_beside_the_file_are_read) {
  mesh_source torus = source_of_torus(arena);
  beside b = {"sub/a buffer.bin", write_gltf_buffer(arena, &torus), 0};
  mesh_file f = write_gltf_uri(arena, &torus, "sub/a%20buffer.bin");
  ts_triangles m;
  ts_status status = ts_mesh_import(&m, arena, "torus.gltf", f.bytes, f.count, read_beside, &b);
  cr_assert(status == TS_OK, "%s", ts_status_detail());
  cr_expect_eq(b.asked, 1);
  expect_same("torus.gltf", &m, &torus, 0);
}

Test(geometry_mesh_import, a_buffer_that_cannot_be_had_is_named) {
  mesh_source box = source_of_box(arena);
  beside b = {"here.bin", write_gltf_buffer(arena, &box), 0};
  mesh_file f = write_gltf_uri(arena, &box, "gone.bin");
  ts_triangles m;
  cr_expect(ts_mesh_import(&m, arena, "box.gltf", f.bytes, f.count, read_beside, &b) == TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "box.gltf: it needs another file, and there is no gone.bin"),
            "%s", ts_status_detail());
  f = write_gltf_uri(arena, &box, "here.bin");
  b.file.count -= 8;
  cr_expect(ts_mesh_import(&m, arena, "box.gltf", f.bytes, f.count, read_beside, &b) == TS_E_INPUT,
            "a buffer that is cut off");
  char *longest = ts_arena_alloc(arena, 1000);
  memset(longest, 'x', 999);
  f = write_gltf_uri(arena, &box, longest);
  cr_expect(ts_mesh_import(&m, arena, "box.gltf", f.bytes, f.count, read_beside, &b) == TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), "very long name"), "%s", ts_status_detail());
}

static mesh_file nested(int depth, bool is_cyclic) {
  mesh_file nodes = {0};
  add_text(&nodes, arena, "\"nodes\":[");
  for (int i = 0; i < depth; i++)
    add_text(&nodes, arena, "{\"children\":[%d]},", i + 1);
  add_text(&nodes, arena, is_cyclic ? "{\"children\":[0]}]" : "{\"mesh\":0}]");
  add_bytes(&nodes, arena, "", 1);
  mesh_source box = source_of_box(arena);
  return write_gltf_nodes(arena, &box, (char *)nodes.bytes);
}

Test(geometry_mesh_import, nodes_in_a_circle_are_refused) {
  expect_refused("circle.gltf", nested(1, true), "");
  expect_refused("circle.gltf", nested(100, true), "");
}

Test(geometry_mesh_import, nodes_nested_deeply_are_read_or_refused) {
  cr_expect_eq(import_ok("deep.gltf", nested(100, false)).triangle_count, 12);
  mesh_file deepest = nested(100000, false);
  ts_triangles m;
  ts_status status = read_bytes(&m, "deep.gltf", deepest);
  cr_expect(status == TS_OK || status == TS_E_INPUT);
  mesh_file brackets = {0};
  for (int i = 0; i < 200000; i++)
    add_text(&brackets, arena, "{\"a\":");
  expect_refused("brackets.gltf", brackets, "");
}

Test(geometry_mesh_import, nodes_that_double_at_every_level_end_at_the_limits) {
  mesh_file nodes = {0};
  add_text(&nodes, arena, "\"nodes\":[");
  for (int i = 0; i < 12; i++)
    add_text(&nodes, arena, "{\"children\":[%d,%d]},", i + 1, i + 1);
  add_text(&nodes, arena, "{\"mesh\":0}]");
  add_bytes(&nodes, arena, "", 1);
  mesh_source torus = source_of_torus(arena);
  expect_refused("doubling.gltf", write_gltf_nodes(arena, &torus, (char *)nodes.bytes),
                 "20000000 triangles");
}

Test(geometry_mesh_import, other_endings_and_formats_are_refused) {
  mesh_source box = source_of_box(arena);
  mesh_file f = file_forms[0].write(arena, &box);
  cr_expect(ts_mesh_import_takes("a.GLtf") && ts_mesh_import_takes("b.c/d.glb"));
  cr_expect(!ts_mesh_import_takes("a.obj") && !ts_mesh_import_takes("glb"));
  cr_expect(!ts_mesh_import_takes("a.glb.gz") && !ts_mesh_import_takes("a.glb/b"));
  expect_refused("box.obj", f, ".gltf");
  expect_refused("box.ply", f, "");
  expect_refused("box.glb", f, "");
  expect_refused("obj.stl", text_file("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), "");
}

Test(geometry_mesh_import, a_missing_program_is_reported_with_its_package) {
  mesh_source box = source_of_box(arena);
  mesh_file f = file_forms[6].write(arena, &box);
  ts_triangles m;
  setenv("TOUCHSTONE_IMPORT", "/nowhere/touchstone-import", 1);
  cr_expect(ts_mesh_import(&m, arena, "box.glb", f.bytes, f.count, NULL, NULL) == TS_E_UNSUPPORTED);
  cr_expect(strstr(ts_status_detail(), "libassimp-dev"), "%s", ts_status_detail());
  setenv("TOUCHSTONE_IMPORT", "/bin/true", 1);
  cr_expect(ts_mesh_import(&m, arena, "box.glb", f.bytes, f.count, NULL, NULL) == TS_E_IO);
  setenv("TOUCHSTONE_IMPORT", "/bin/cat", 1);
  cr_expect(ts_mesh_import(&m, arena, "box.glb", f.bytes, f.count, NULL, NULL) == TS_E_IO);
}
