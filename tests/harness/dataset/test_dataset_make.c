// SPDX-License-Identifier: MIT
// covers: harness/dataset/dataset_make.c harness/dataset/dataset_check.c harness/dataset/dataset_source.c
#include "harness/dataset/dataset_make.h"

#include "base/status.h"
#include "cases/scene_file/scene_file.h"
#include "harness/dataset/dataset_check.h"
#include "harness/dataset/dataset_source.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ts_dataset made;

static void open_dataset(void) {
  results_open();
  cr_assert_eq(ts_dataset_make(&made, fixture_arena), TS_OK, "%s", ts_status_detail());
}

TestSuite(harness_dataset, .init = open_dataset, .fini = results_close, .timeout = 120);

static const char *write_it(const char *name) {
  const char *folder = fixture_path("%s", name);
  cr_assert_eq(ts_file_set_write(made.files, made.file_count, fixture_arena, folder), TS_OK, "%s",
               ts_status_detail());
  return folder;
}

/// What the check of a folder says.
static const char *checked(bool *out_is_same, const char *folder) {
  char *text = NULL;
  size_t count;
  FILE *file = open_memstream(&text, &count);
  cr_assert_eq(ts_dataset_check(out_is_same, file, fixture_arena, &made, folder), TS_OK, "%s",
               ts_status_detail());
  fclose(file);
  const char *kept = ts_arena_string(fixture_arena, text);
  free(text);
  return kept;
}

/// Changes one letter of a file.
static void spoil(const char *path) {
  size_t count;
  char *text = ts_arena_string(fixture_arena, fixture_read(path, &count));
  text[count / 2] = text[count / 2] == '1' ? '2' : '1';
  fixture_write(path, text, count);
}

Test(harness_dataset, two_of_them_have_the_same_bytes) {
  ts_dataset again;
  cr_assert_eq(ts_dataset_make(&again, fixture_arena), TS_OK);
  cr_assert_eq(again.file_count, made.file_count);
  for (size_t i = 0; i < made.file_count; i++) {
    cr_expect_str_eq(again.files[i].path, made.files[i].path);
    cr_expect(again.files[i].byte_count == made.files[i].byte_count &&
                  memcmp(again.files[i].bytes, made.files[i].bytes, again.files[i].byte_count) == 0,
              "%s", made.files[i].path);
  }
}

Test(harness_dataset, every_case_of_its_suites_is_there_in_each_variant) {
  size_t expected = 0;
  for (size_t i = 0; ts_cases[i]; i++) {
    bool belongs = false;
    for (size_t s = 0; ts_dataset_suites[s]; s++)
      belongs = belongs || strcmp(ts_cases[i]->suite, ts_dataset_suites[s]) == 0;
    for (size_t v = 0; ts_dataset_variants[v].suffix; v++) {
      const char *name =
          ts_arena_format(fixture_arena, "%s%s", ts_cases[i]->name, ts_dataset_variants[v].suffix);
      const ts_manifest_scene *scene = ts_manifest_find_scene(&made.manifest, name);
      cr_expect_eq(scene != NULL, belongs, "%s", name);
      expected += belongs;
      cr_expect(!scene || scene->minimum > 0, "%s", name);
    }
  }
  cr_expect_eq(made.manifest.scene_count, expected);
}

Test(harness_dataset, no_two_scenes_are_the_same) {
  for (size_t i = 0; i < made.manifest.scene_count; i++)
    for (size_t k = 0; k < i; k++) {
      const ts_manifest_scene *a = &made.manifest.scenes[i], *b = &made.manifest.scenes[k];
      cr_expect(strcmp(a->case_name, b->case_name) != 0 ||
                    strcmp(a->parameters, b->parameters) != 0,
                "%s and %s", a->name, b->name);
    }
}

Test(harness_dataset, a_scene_reads_back_as_the_manifest_says) {
  const char *folder = write_it("set");
  for (size_t i = 0; i < made.manifest.scene_count; i += 7) {
    const ts_manifest_scene *scene = &made.manifest.scenes[i];
    ts_scene_file file;
    cr_assert_eq(ts_scene_file_open(&file, fixture_arena,
                                    ts_arena_format(fixture_arena, "%s/scenes/%s/scene.json",
                                                    folder, scene->name)),
                 TS_OK, "%s", ts_status_detail());
    ts_truth_totals totals = ts_scene_truth_totals(file.scene, TS_REFERENCE_DESIGN);
    cr_expect_str_eq(file.name, scene->name);
    cr_expect_str_eq(file.case_parameters, scene->parameters);
    cr_expect_eq(file.scene->body_count, scene->body_count);
    cr_expect_eq(totals.pairs, scene->pair_count);
    cr_expect_eq(totals.regions, scene->region_count);
    cr_expect_eq(totals.minimum, scene->minimum);
  }
}

Test(harness_dataset, a_folder_as_written_passes_the_check) {
  bool is_same;
  const char *text = checked(&is_same, write_it("set"));
  cr_expect(is_same, "%s", text);
  cr_expect(strstr(text, made.manifest.version), "%s", text);
}

Test(harness_dataset, what_was_changed_taken_away_or_added_is_named) {
  const char *folder = write_it("set");
  bool is_same;
  spoil(fixture_path("set/scenes/arch/scene.json"));
  cr_assert_eq(unlink(fixture_path("set/LICENSE")), 0);
  fixture_write_text(fixture_path("set/scenes/wall/more.obj"), "");
  const char *text = checked(&is_same, folder);
  cr_expect_not(is_same);
  cr_expect(strstr(text, "changed: scenes/arch/scene.json\n"), "%s", text);
  cr_expect(strstr(text, "missing: LICENSE\n"), "%s", text);
  cr_expect(strstr(text, "not part of it: scenes/wall/more.obj\n"), "%s", text);
  cr_expect(strstr(text, "not whole: 3 files are not"), "%s", text);
}

Test(harness_dataset, an_edited_manifest_does_not_pass) {
  const char *folder = write_it("set");
  const char *path = fixture_path("set/" TS_MANIFEST_NAME);
  size_t count;
  char *text = ts_arena_string(fixture_arena, fixture_read(path, &count));
  char *minimum = strstr(text, "\"minimum\": 56");
  cr_assert(minimum);
  minimum[strlen("\"minimum\": ")] = '4'; // which the version does not depend on
  fixture_write(path, text, count);
  bool is_same;
  const char *said = checked(&is_same, folder);
  cr_expect_not(is_same);
  cr_expect(strstr(said, "differs from this build: manifest.json\n"), "%s", said);
}

Test(harness_dataset, a_folder_of_another_build_is_whole_but_not_the_same) {
  const char *folder = write_it("set");
  ts_dataset other = made;
  other.manifest.files = ts_arena_copy(fixture_arena, made.manifest.files, made.manifest.file_count,
                                       sizeof *made.manifest.files);
  other.manifest.files[0].sha256 = ts_sha256_of("other", 5);
  cr_assert_eq(ts_manifest_sign(&other.manifest, fixture_arena), TS_OK);
  made = other;
  bool is_same;
  const char *text = checked(&is_same, folder);
  cr_expect_not(is_same);
  cr_expect(strstr(text, "differs from this build: CITATION.cff\n"), "%s", text);
  cr_expect(strstr(text, "is whole: version"), "%s", text);
  cr_expect(strstr(text, other.manifest.version), "%s", text);
}

Test(harness_dataset, a_folder_without_a_manifest_is_no_data_set) {
  bool is_same;
  cr_expect_eq(ts_dataset_check(&is_same, stdout, fixture_arena, &made, fixture_path(".")),
               TS_E_INPUT);
}

/// The context that results of these scenes have.
static json_t *context_of(const char *const *paths, size_t count) {
  ts_dataset_source source = {.arena = fixture_arena};
  json_t *context = json_object();
  for (size_t i = 0; i < count; i++)
    cr_assert_eq(ts_dataset_source_add(&source, paths[i]), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(ts_dataset_source_put(&source, context), TS_OK);
  return context;
}

Test(harness_dataset, results_of_its_scenes_have_its_version) {
  write_it("set");
  const char *const paths[] = {fixture_path("set/scenes/arch/scene.json"),
                               fixture_path("set/scenes/wall/../wall/scene.json")};
  json_t *context = context_of(paths, 2);
  const json_t *value = json_object_get(context, TS_DATASET_KEY);
  cr_expect_str_eq(json_string_value(json_object_get(value, "version")), made.manifest.version);
  cr_expect_eq(json_array_size(json_object_get(value, "scenes")), 2);
  json_decref(context);
}

Test(harness_dataset, a_scene_that_was_changed_does_not_count) {
  write_it("set");
  const char *const paths[] = {fixture_path("set/scenes/arch/scene.json")};
  spoil(fixture_path("set/scenes/arch/ground.obj"));
  json_t *context = context_of(paths, 1);
  cr_expect_null(json_object_get(context, TS_DATASET_KEY));
  json_decref(context);
}

Test(harness_dataset, scenes_of_two_versions_are_not_mixed) {
  write_it("set");
  made.files[0].byte_count--; // CITATION.cff, without its last byte
  made.manifest.files[0].byte_count--;
  made.manifest.files[0].sha256 = ts_sha256_of(made.files[0].bytes, made.files[0].byte_count);
  cr_assert_eq(ts_manifest_sign(&made.manifest, fixture_arena), TS_OK);
  char *text;
  size_t count;
  cr_assert_eq(ts_manifest_write(&text, &count, fixture_arena, &made.manifest), TS_OK);
  made.files[made.file_count - 1].bytes = text;
  made.files[made.file_count - 1].byte_count = count;
  write_it("other");
  ts_dataset_source source = {.arena = fixture_arena};
  cr_assert_eq(ts_dataset_source_add(&source, fixture_path("set/scenes/arch/scene.json")), TS_OK);
  cr_expect_eq(ts_dataset_source_add(&source, fixture_path("other/scenes/wall/scene.json")),
               TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), made.manifest.version), "%s", ts_status_detail());
  ts_dataset_source_drop(&source);
}
