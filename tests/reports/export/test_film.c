// SPDX-License-Identifier: MIT
// covers: reports/export/film.c reports/export/film_gltf.c
// Animations in glTF files, read back by Assimp.
#include "reports/export/film.h"

#include "base/status.h"
#include "tests/reports/export/snapshot_fixture.h"
#include "tests/reports/rows/results_fixture.h"

#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static ts_arena *arena;

static void setup(void) {
  results_open();
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
  results_close();
}

TestSuite(reports_film, .init = setup, .fini = teardown);

/// Frames of the exhibit: "upper" rises by 1 m a frame and turns round, "lower" is deformable and
/// its last corner goes along x. What a frame has is gone after it.
static ts_film film_of(size_t frame_count) {
  ts_film film = ts_film_start(arena);
  for (size_t f = 0; f < frame_count; f++) {
    ts_snapshot snapshot = fixture_snapshot();
    ts_snapshot_body bodies[2] = {snapshot.bodies[0], snapshot.bodies[1]};
    const ts_mesh *rest = bodies[0].designed.mesh;
    ts_vec3 *moved = malloc(rest->vertex_count * sizeof *moved);
    ts_mesh *mesh = malloc(sizeof *mesh);
    memcpy(moved, rest->vertices, rest->vertex_count * sizeof *moved);
    moved[3].x += 0.5 * (double)f;
    *mesh = *rest;
    mesh->vertices = moved;
    bodies[0].is_deformable = true;
    bodies[0].designed = (ts_snapshot_surface){mesh, moved};
    bodies[1].pose.translation.y += (double)f;
    if (f % 2) // the same rotation, by its other quaternion
      bodies[1].pose.rotation = (ts_quat){-bodies[1].pose.rotation.w, -bodies[1].pose.rotation.x,
                                          -bodies[1].pose.rotation.y, -bodies[1].pose.rotation.z};
    snapshot.bodies = bodies;
    snapshot.step = f > 0 ? (int64_t)f + 1 : 0;
    snapshot.time_s = 0.25 * (double)f;
    snapshot.contact_count = f == 1 ? 0 : FIXTURE_CONTACTS;
    cr_assert_eq(ts_film_add(&film, &snapshot), TS_OK);
    free(mesh);
    free(moved);
  }
  return film;
}

static const struct aiScene *read_back(const ts_film *film) {
  char *text = NULL;
  size_t count;
  FILE *file = open_memstream(&text, &count);
  cr_assert_eq(ts_film_write_gltf(file, film), TS_OK);
  fclose(file);
  const char *path = fixture_path("motion.gltf");
  fixture_write_text(path, text);
  free(text);
  const struct aiScene *scene = aiImportFile(path, 0);
  cr_assert(scene, "%s", aiGetErrorString());
  return scene;
}

static const struct aiNodeAnim *channel_of(const struct aiScene *scene, const char *node) {
  cr_assert_eq(scene->mNumAnimations, 1);
  const struct aiAnimation *animation = scene->mAnimations[0];
  for (unsigned i = 0; i < animation->mNumChannels; i++)
    if (strcmp(animation->mChannels[i]->mNodeName.data, node) == 0)
      return animation->mChannels[i];
  return NULL;
}

static double ms(double s) {
  return 1000 * s; // Assimp's ticks of a glTF file
}

Test(reports_film, rigid_bodies_go_from_pose_to_pose) {
  ts_film film = film_of(4);
  const struct aiScene *scene = read_back(&film);
  const struct aiNodeAnim *upper = channel_of(scene, "upper");
  cr_assert(upper);
  cr_assert_eq(upper->mNumPositionKeys, 4);
  for (unsigned f = 0; f < 4; f++) {
    cr_expect_float_eq(upper->mPositionKeys[f].mTime, ms(0.25 * f), 1e-3);
    cr_expect_float_eq((double)upper->mPositionKeys[f].mValue.y, 2 + f, 1e-6);
    // All four are one rotation: its quaternion does not jump to the other side in between.
    cr_expect_float_eq((double)upper->mRotationKeys[f].mValue.w,
                       (double)upper->mRotationKeys[0].mValue.w, 1e-6);
  }
  cr_expect_float_eq(scene->mAnimations[0]->mDuration, ms(0.75), 1e-3);
  aiReleaseImport(scene);
}

Test(reports_film, deformable_bodies_have_a_shape_for_each_frame_after_the_first) {
  ts_film film = film_of(4);
  const struct aiScene *scene = read_back(&film);
  const struct aiMesh *mesh = NULL;
  for (unsigned i = 0; i < scene->mNumMeshes; i++)
    if (scene->mMeshes[i]->mNumAnimMeshes > 0)
      mesh = scene->mMeshes[i];
  cr_assert(mesh);
  cr_assert_eq(mesh->mNumAnimMeshes, 3);
  cr_expect_eq(mesh->mNumVertices, 4);
  for (unsigned f = 0; f < 3; f++)
    cr_expect_float_eq((double)mesh->mAnimMeshes[f]->mVertices[3].x, 0.5 * (f + 1), 1e-6);
  cr_expect_null(channel_of(scene, "lower"), "it is where its vertices are");
  cr_assert_eq(scene->mAnimations[0]->mNumMorphMeshChannels, 1);
  const struct aiMeshMorphAnim *weights = scene->mAnimations[0]->mMorphMeshChannels[0];
  cr_assert_eq(weights->mNumKeys, 4);
  for (unsigned f = 0; f < 4; f++) {
    const struct aiMeshMorphKey *key = &weights->mKeys[f];
    for (unsigned k = 0; k < key->mNumValuesAndWeights; k++)
      cr_expect_eq(key->mWeights[k], key->mValues[k] + 1 == f, "shape %u in frame %u",
                   key->mValues[k], f);
  }
  aiReleaseImport(scene);
}

static size_t shown_at(const struct aiScene *scene, const char *group, double time_s) {
  const struct aiNodeAnim *channel = channel_of(scene, group);
  if (!channel)
    return 0;
  unsigned last = 0;
  for (unsigned i = 0; i < channel->mNumScalingKeys; i++)
    if (channel->mScalingKeys[i].mTime <= ms(time_s) + 1e-3)
      last = i;
  return channel->mScalingKeys[last].mValue.x > 0.5F;
}

Test(reports_film, contacts_show_from_their_frame_up_to_the_next) {
  ts_film film = film_of(4);
  const struct aiScene *scene = read_back(&film);
  static const char *const groups[] = {"step 0", "step 2", "step 3", "step 4"};
  for (int f = 0; f < 4; f++)
    for (int g = 0; g < 4; g++)
      cr_expect_eq(shown_at(scene, groups[g], 0.25 * f), f == g && g != 1, "%s in frame %d",
                   groups[g], f); // the second frame has none
  aiReleaseImport(scene);
}

Test(reports_film, one_frame_has_no_motion) {
  ts_film film = film_of(1);
  const struct aiScene *scene = read_back(&film);
  cr_expect_eq(scene->mNumAnimations, 0);
  aiReleaseImport(scene);
}

Test(reports_film, contacts_that_are_nowhere_are_left_out) {
  ts_film film = film_of(1);
  cr_expect_eq(film.frames[0].contact_count, FIXTURE_CONTACTS - 1);
  for (size_t i = 0; i < film.frames[0].contact_count; i++)
    cr_expect(isfinite(film.frames[0].contacts[i].point.x));
}

Test(reports_film, a_collection_names_the_file_and_the_time_of_each_frame) {
  ts_film film = film_of(3);
  char *text = NULL;
  size_t count;
  FILE *file = open_memstream(&text, &count);
  ts_film_write_collection(file, &film, "bodies");
  fclose(file);
  cr_expect_str_eq(text, "<?xml version=\"1.0\"?>\n"
                         "<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n"
                         "<DataSet timestep=\"0\" file=\"bodies_000000.vtp\"/>\n"
                         "<DataSet timestep=\"0.25\" file=\"bodies_000002.vtp\"/>\n"
                         "<DataSet timestep=\"0.5\" file=\"bodies_000003.vtp\"/>\n"
                         "</Collection>\n</VTKFile>\n");
  free(text);
  cr_expect_str_eq(ts_film_name(arena, "contacts", 1234567), "contacts_1234567.vtp");
}

// ---- collections
// ---------------------------------------------------------------------------------

static char *collection_of(size_t frame_count, const char *name) {
  ts_film film = film_of(frame_count);
  char *text = NULL;
  size_t bytes;
  FILE *file = open_memstream(&text, &bytes);
  ts_film_write_collection(file, &film, name);
  fclose(file);
  char *copy = ts_arena_string(arena, text);
  free(text);
  return copy;
}

/// The frames that are read from a text; -1: it is none of ours.
static int frames_in(const char *text, const char *name, const char ***out) {
  bool is_one;
  size_t count;
  cr_assert_eq(ts_film_read_collection(&is_one, out, &count, arena, text, name), TS_OK);
  return is_one ? (int)count : -1;
}

Test(reports_film, a_collection_is_read_as_it_was_written) {
  const char **names;
  cr_assert_eq(frames_in(collection_of(3, "bodies"), "bodies", &names), 3);
  cr_expect_str_eq(names[0], "bodies_000000.vtp");
  cr_expect_str_eq(names[1], "bodies_000002.vtp");
  cr_expect_str_eq(names[2], "bodies_000003.vtp");
  cr_expect_eq(frames_in(collection_of(0, "bodies"), "bodies", &names), 0);
}

Test(reports_film, a_collection_of_others_is_none) {
  const char **names, *ours = collection_of(2, "bodies");
  cr_expect_eq(frames_in(ours, "contacts", &names), -1);
  cr_expect_eq(frames_in("", "bodies", &names), -1);
  for (size_t length = 0; length < strlen(ours); length++) {
    const char *cut = ts_arena_format(arena, "%.*s", (int)length, ours);
    cr_expect_eq(frames_in(cut, "bodies", &names), -1, "the first %zu letters", length);
  }
  cr_expect_eq(frames_in(ts_arena_format(arena, "%s ", ours), "bodies", &names), -1);
  static const char *const others[] = {"../odies_000000.vtp", "bodies_00000.vtp", "bodies_.vtp",
                                       "bodies_000000.vtk",   "mine.vtp",         "bodies_000000"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    const char *of = "bodies_000000.vtp";
    const char *at = strstr(ours, of);
    const char *text =
        ts_arena_format(arena, "%.*s%s%s", (int)(at - ours), ours, others[i], at + strlen(of));
    cr_expect_eq(frames_in(text, "bodies", &names), -1, "%s", others[i]);
  }
}
