// SPDX-License-Identifier: MIT
// covers: reports/export/vtk_deformed.c reports/export/gltf_deformed.c reports/export/vtk_parts.c
// glTF files are read back by Assimp; tests/cli/part_deform.sh has VTK read its own.
#include "reports/export/deformed.h"

#include "tests/reports/export/snapshot_fixture.h"
#include "tests/reports/rows/results_fixture.h"

#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(reports_deformed, .init = results_open, .fini = results_close);

static ts_deformed_body bodies[2];
static ts_vec3 after[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0.5}};
static const double u[4] = {0.5, NAN, NAN, 0}, eta[4] = {1, NAN, NAN, 0};
static const uint8_t zone[4] = {0, 0, 0, 1};
static const ts_vec3 corners[7] = {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1},
                                   {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
static const double depths_m[7] = {0, 0.1, 0.2, 0.3, 0, 0.1, 0.3};
static const ts_deformed_facet facets[2] = {{0, 1, false, 0, 4, {0, 0, 1}},
                                            {0, 1, true, 4, 3, {0, 0, 1}}};

/// Two bodies of one mesh, the second 2 m above the first; a contact surface and its zone.
static ts_deformed_scene made(void) {
  ts_snapshot snapshot = fixture_snapshot();
  for (int i = 0; i < 2; i++) {
    const ts_snapshot_body *body = &snapshot.bodies[i];
    bodies[i] = (ts_deformed_body){
        body->name, body->designed.mesh, body->pose, body->designed.world, after, after, u, eta,
        zone};
  }
  return (ts_deformed_scene){"made", 2, 2, 7, bodies, facets, corners, depths_m};
}

static const struct aiNode *find(const struct aiNode *node, const char *name) {
  if (strcmp(node->mName.data, name) == 0)
    return node;
  const struct aiNode *found = NULL;
  for (unsigned i = 0; i < node->mNumChildren && !found; i++)
    found = find(node->mChildren[i], name);
  return found;
}

static const struct aiScene *read_back(bool is_after) {
  ts_deformed_scene scene = made();
  char *text = NULL;
  size_t count;
  FILE *file = open_memstream(&text, &count);
  cr_assert_eq(ts_gltf_write_deformed(file, &scene, is_after), TS_OK);
  fclose(file);
  const char *path = fixture_path("deformed.gltf");
  fixture_write_text(path, text);
  free(text);
  const struct aiScene *out = aiImportFile(path, 0);
  cr_assert(out, "%s", aiGetErrorString());
  return out;
}

static const struct aiMesh *mesh_named(const struct aiScene *scene, const char *name) {
  const struct aiNode *node = find(scene->mRootNode, name);
  cr_assert(node, "%s", name);
  cr_assert_eq(node->mNumMeshes, 1);
  return scene->mMeshes[node->mMeshes[0]];
}

Test(reports_deformed, gltf_has_the_bodies_before_or_after_at_their_poses) {
  for (int is_after = 0; is_after < 2; is_after++) {
    const struct aiScene *scene = read_back(is_after != 0);
    const struct aiMesh *mesh = mesh_named(scene, "upper");
    cr_expect_eq(mesh->mNumVertices, 4);
    cr_expect_eq(mesh->mNumFaces, 4);
    double highest = 0;
    for (unsigned i = 0; i < mesh->mNumVertices; i++)
      highest = fmax(highest, (double)mesh->mVertices[i].z);
    cr_expect_float_eq(highest, is_after ? 0.5 : 1, 1e-6);
    cr_expect_float_eq((double)find(scene->mRootNode, "upper")->mTransformation.b4, 2, 1e-6);
    aiReleaseImport(scene);
  }
}

Test(reports_deformed, gltf_has_each_surface_and_its_zone_as_triangles) {
  const struct aiScene *scene = read_back(true);
  cr_expect_eq(mesh_named(scene, "surface 0-1")->mNumFaces, 2);
  const struct aiMesh *of_zone = mesh_named(scene, "zone 0-1");
  cr_expect_eq(of_zone->mNumFaces, 1);
  cr_expect_eq(of_zone->mNumVertices, 3);
  aiReleaseImport(scene);
}

Test(reports_deformed, a_scene_without_surfaces_has_bodies_alone) {
  ts_deformed_scene scene = made();
  scene.facet_count = scene.corner_count = 0;
  char *text = NULL;
  size_t count;
  FILE *file = open_memstream(&text, &count);
  cr_assert_eq(ts_gltf_write_deformed(file, &scene, false), TS_OK);
  ts_vtk_write_contact_surfaces(file, &scene);
  fclose(file);
  cr_expect(strstr(text, "bodies"));
  cr_expect_not(strstr(text, "\"surface\""));
  cr_expect(strstr(text, "NumberOfPolys=\"0\""));
  free(text);
}

Test(reports_deformed, vtk_has_the_arrays_of_every_vertex_and_face) {
  ts_deformed_scene scene = made();
  char *text = NULL;
  size_t count;
  FILE *file = open_memstream(&text, &count);
  ts_vtk_write_deformed(file, &scene, true);
  fclose(file);
  static const char *const has[] = {"NumberOfPoints=\"8\"", "NumberOfPolys=\"8\"", "Name=\"u\"",
                                    "Name=\"eta\"",         "Name=\"zone\"",       "Name=\"body\"",
                                    "Name=\"displacement\""};
  for (size_t i = 0; i < sizeof has / sizeof *has; i++)
    cr_expect(strstr(text, has[i]), "%s", has[i]);
  free(text);
}
