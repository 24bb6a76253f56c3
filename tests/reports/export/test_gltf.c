// SPDX-License-Identifier: MIT
// covers: reports/export/gltf.c reports/export/gltf_parts.c reports/export/snapshot.c
// glTF files, read back by Assimp.
#include "reports/export/gltf.h"

#include "tests/reports/export/snapshot_fixture.h"
#include "tests/reports/rows/results_fixture.h"

#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(reports_gltf, .init = results_open, .fini = results_close);

/// The text of a file, to be freed.
static char *written(const ts_snapshot *snapshot) {
  char *text = NULL;
  size_t count;
  FILE *file = open_memstream(&text, &count);
  cr_assert_eq(ts_gltf_write(file, snapshot), TS_OK);
  fclose(file);
  return text;
}

static const struct aiScene *read_back(const ts_snapshot *snapshot) {
  char *text = written(snapshot);
  const char *path = fixture_path("scene.gltf");
  fixture_write_text(path, text);
  free(text);
  const struct aiScene *scene = aiImportFile(path, 0);
  cr_assert(scene, "%s", aiGetErrorString());
  return scene;
}

static const struct aiNode *find(const struct aiNode *node, const char *name) {
  if (strcmp(node->mName.data, name) == 0)
    return node;
  const struct aiNode *found = NULL;
  for (unsigned i = 0; i < node->mNumChildren && !found; i++)
    found = find(node->mChildren[i], name);
  return found;
}

static const struct aiNode *child_of(const struct aiScene *scene, const char *group,
                                     const char *name) {
  const struct aiNode *parent = find(scene->mRootNode, group);
  cr_assert(parent, "group %s", group);
  const struct aiNode *child = find(parent, name);
  cr_assert(child, "%s in %s", name, group);
  return child;
}

static const struct aiMesh *mesh_of(const struct aiScene *scene, const struct aiNode *node) {
  cr_assert_eq(node->mNumMeshes, 1);
  return scene->mMeshes[node->mMeshes[0]];
}

/// World position of a local point of a node; groups have no pose.
static ts_vec3 moved(const struct aiNode *node, double x, double y, double z) {
  const struct aiMatrix4x4 *m = &node->mTransformation;
  return (ts_vec3){(double)m->a1 * x + (double)m->a2 * y + (double)m->a3 * z + (double)m->a4,
                   (double)m->b1 * x + (double)m->b2 * y + (double)m->b3 * z + (double)m->b4,
                   (double)m->c1 * x + (double)m->c2 * y + (double)m->c3 * z + (double)m->c4};
}

static void expect_at(ts_vec3 p, double x, double y, double z) {
  double away = fabs(p.x - x) + fabs(p.y - y) + fabs(p.z - z);
  cr_expect_lt(away, 1e-6, "(%g %g %g), not (%g %g %g)", p.x, p.y, p.z, x, y, z);
}

Test(reports_gltf, bodies_are_named_nodes_at_their_poses) {
  ts_snapshot snapshot = fixture_snapshot();
  const struct aiScene *scene = read_back(&snapshot);
  const struct aiNode *upper = child_of(scene, "bodies", "upper");
  expect_at(moved(upper, 1, 0, 0), 0, 2, -1);
  expect_at(moved(upper, 0, 0, 1), 1, 2, 0);
  const struct aiMesh *mesh = mesh_of(scene, upper);
  cr_expect_eq(mesh->mNumVertices, 4);
  cr_expect_eq(mesh->mNumFaces, 4);
  cr_expect_not(mesh->mNormals, "flat shading");
  expect_at(moved(child_of(scene, "bodies", "lower"), 1, 0, 0), 1, 0, 0);
  aiReleaseImport(scene);
}

Test(reports_gltf, bodies_have_colours_of_their_own) {
  ts_snapshot snapshot = fixture_snapshot();
  const struct aiScene *scene = read_back(&snapshot);
  struct aiColor4D a, b;
  const struct aiMesh *lower = mesh_of(scene, child_of(scene, "bodies", "lower"));
  const struct aiMesh *upper = mesh_of(scene, child_of(scene, "bodies", "upper"));
  aiGetMaterialColor(scene->mMaterials[lower->mMaterialIndex], AI_MATKEY_COLOR_DIFFUSE, &a);
  aiGetMaterialColor(scene->mMaterials[upper->mMaterialIndex], AI_MATKEY_COLOR_DIFFUSE, &b);
  cr_expect_gt(fabsf(a.r - b.r) + fabsf(a.g - b.g) + fabsf(a.b - b.b), 0.1f);
  aiReleaseImport(scene);
}

Test(reports_gltf, the_envelope_holds_only_bodies_that_have_one) {
  ts_snapshot snapshot = fixture_snapshot();
  const struct aiScene *scene = read_back(&snapshot);
  const struct aiNode *envelope = find(scene->mRootNode, "envelope");
  cr_assert(envelope);
  cr_expect_eq(envelope->mNumChildren, 1);
  aiReleaseImport(scene);
}

Test(reports_gltf, an_arrow_goes_from_the_contact_along_its_normal) {
  ts_snapshot snapshot = fixture_snapshot();
  const struct aiScene *scene = read_back(&snapshot);
  const struct aiNode *node = child_of(scene, "incorrect", "contact 0-1 1");
  expect_at(moved(node, 0, 0, 0), 0.25, 1, 0);
  expect_at(moved(node, 0, 5, 0), 0.25 + 0.6, 1 - 0.8, 0);
  aiReleaseImport(scene);
}

Test(reports_gltf, an_arrow_straight_down_is_right_too) {
  ts_snapshot snapshot = fixture_snapshot();
  fixture_contacts[FIXTURE_CORRECT].normal_y = -1;
  const struct aiScene *scene = read_back(&snapshot);
  expect_at(moved(child_of(scene, "correct", "contact 0-1 0"), 0, 5, 0), 0, 0, 0);
  aiReleaseImport(scene);
}

/// Six times the enclosed volume; above 0 when the faces are oriented outwards.
static double volume_of(const struct aiMesh *mesh) {
  double sum = 0;
  for (unsigned i = 0; i < mesh->mNumFaces; i++) {
    const struct aiVector3D *a = &mesh->mVertices[mesh->mFaces[i].mIndices[0]];
    const struct aiVector3D *b = &mesh->mVertices[mesh->mFaces[i].mIndices[1]];
    const struct aiVector3D *c = &mesh->mVertices[mesh->mFaces[i].mIndices[2]];
    sum += (double)(a->x * (b->y * c->z - b->z * c->y) + a->y * (b->z * c->x - b->x * c->z) +
                    a->z * (b->x * c->y - b->y * c->x));
  }
  return sum;
}

/// Whether every edge of every face is matched by an opposite edge of another face.
static bool is_closed(const struct aiMesh *mesh) {
  for (unsigned h = 0; h < 3 * mesh->mNumFaces; h++) {
    unsigned from = mesh->mFaces[h / 3].mIndices[h % 3];
    unsigned to = mesh->mFaces[h / 3].mIndices[(h + 1) % 3], partners = 0;
    for (unsigned k = 0; k < 3 * mesh->mNumFaces; k++)
      partners += mesh->mFaces[k / 3].mIndices[k % 3] == to &&
                  mesh->mFaces[k / 3].mIndices[(k + 1) % 3] == from;
    if (partners != 1)
      return false;
  }
  return true;
}

Test(reports_gltf, arrows_and_markers_are_closed_and_not_inside_out) {
  ts_snapshot snapshot = fixture_snapshot();
  const struct aiScene *scene = read_back(&snapshot);
  const struct aiMesh *arrow = mesh_of(scene, child_of(scene, "correct", "contact 0-1 0"));
  const struct aiMesh *marker = mesh_of(scene, child_of(scene, "incorrect", "contact 0-1 4"));
  cr_expect(is_closed(arrow));
  cr_expect_gt(volume_of(arrow), 0);
  cr_expect(is_closed(marker));
  cr_expect_float_eq(volume_of(marker), 8, 1e-6);
  aiReleaseImport(scene);
}

Test(reports_gltf, contacts_are_grouped_by_kind) {
  ts_snapshot snapshot = fixture_snapshot();
  const struct aiScene *scene = read_back(&snapshot);
  cr_expect(child_of(scene, "contacts", "correct"));
  child_of(scene, "correct", "contact 0-1 0");
  child_of(scene, "speculative", "contact 0-1 2");
  child_of(scene, "phantom", "contact 0-1 3");
  const struct aiNode *marker = child_of(scene, "incorrect", "contact 0-1 4");
  cr_expect_eq(mesh_of(scene, marker)->mNumVertices, 6, "an octahedron, since it has no normal");
  cr_expect_not(find(scene->mRootNode, "contact 0-1 5"), "it has no place");
  aiReleaseImport(scene);
}

Test(reports_gltf, a_contact_has_the_values_of_the_csv) {
  ts_snapshot snapshot = fixture_snapshot();
  const struct aiScene *scene = read_back(&snapshot);
  const struct aiMetadata *data = child_of(scene, "phantom", "contact 0-1 3")->mMetaData;
  cr_assert(data);
  bool has_gap = false, has_region = false, has_method = false;
  for (unsigned i = 0; i < data->mNumProperties; i++) {
    const char *key = data->mKeys[i].data;
    const struct aiMetadataEntry *entry = &data->mValues[i];
    if (strcmp(key, "gap_m") == 0)
      has_gap = entry->mType == AI_DOUBLE && *(const double *)entry->mData == -0.375;
    else if (strcmp(key, "method") == 0)
      has_method = strcmp(((const struct aiString *)entry->mData)->data, "hand") == 0;
    has_region = has_region || strcmp(key, "region") == 0;
  }
  cr_expect(has_gap);
  cr_expect(has_method);
  cr_expect_not(has_region, "a phantom has none, and JSON no NaN");
  aiReleaseImport(scene);
}

Test(reports_gltf, the_truth_has_points_lines_faces_and_every_normal) {
  ts_snapshot snapshot = fixture_snapshot();
  const struct aiScene *scene = read_back(&snapshot);
  const struct aiMesh *polygon = mesh_of(scene, child_of(scene, "truth", "region 0-1 0"));
  cr_expect_eq(polygon->mPrimitiveTypes, aiPrimitiveType_TRIANGLE);
  cr_expect_eq(polygon->mNumFaces, 2);
  cr_expect_eq(mesh_of(scene, child_of(scene, "truth", "region 0-1 1"))->mPrimitiveTypes,
               aiPrimitiveType_POINT);
  cr_expect_eq(mesh_of(scene, child_of(scene, "truth", "region 0-1 2"))->mPrimitiveTypes,
               aiPrimitiveType_LINE);
  expect_at(moved(child_of(scene, "truth", "normal 0-1 0.0"), 0, 0, 0), 0.5, 1, 0.5);
  expect_at(moved(child_of(scene, "truth", "normal 0-1 1.1"), 0, 5, 0), 1, 1, 0);
  aiReleaseImport(scene);
}

Test(reports_gltf, without_a_method_there_are_no_contacts) {
  ts_snapshot snapshot = fixture_snapshot();
  snapshot.method = NULL;
  snapshot.contact_count = 0;
  const struct aiScene *scene = read_back(&snapshot);
  cr_expect_not(find(scene->mRootNode, "contacts"));
  aiReleaseImport(scene);
}

Test(reports_gltf, the_same_bytes_come_again_in_any_locale) {
  ts_snapshot snapshot = fixture_snapshot();
  char *first = written(&snapshot);
  setlocale(LC_ALL, "de_DE.UTF-8");
  char *second = written(&snapshot);
  cr_expect_str_eq(first, second);
  free(first);
  free(second);
}
