// SPDX-License-Identifier: MIT
// covers: harness/dataset/manifest.c
#include "harness/dataset/manifest.h"

#include "base/status.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(harness_manifest, .init = results_open, .fini = results_close, .timeout = 60);

static ts_manifest_file files[2];
static ts_manifest_scene scenes[1];

/// A small manifest of two files that are in the folder of the test.
static ts_manifest make(void) {
  fixture_write_text(fixture_path("a.txt"), "abc");
  fixture_write_text(fixture_path("b.txt"), "");
  files[0] = (ts_manifest_file){"a.txt", 3, ts_sha256_of("abc", 3)};
  files[1] = (ts_manifest_file){"b.txt", 0, ts_sha256_of("", 0)};
  scenes[0] = (ts_manifest_scene){"wall_moved_1", "wall", "erleben", "layers=3", 9, 12, 12, 48};
  ts_manifest m = {
      .edition = 7, .file_count = 2, .files = files, .scene_count = 1, .scenes = scenes};
  cr_assert_eq(ts_manifest_sign(&m, fixture_arena), TS_OK);
  return m;
}

static const char *text_of(const ts_manifest *m) {
  char *text;
  size_t count;
  cr_assert_eq(ts_manifest_write(&text, &count, fixture_arena, m), TS_OK);
  return ts_arena_format(fixture_arena, "%.*s", (int)count, text);
}

static ts_status read_text(ts_manifest *out, const char *text) {
  fixture_write_text(fixture_path(TS_MANIFEST_NAME), text);
  return ts_manifest_read(out, fixture_arena, fixture_path("."));
}

/// The text with one part of it replaced, of the same length.
static char *edited(const char *text, const char *part, const char *by) {
  char *copy = ts_arena_string(fixture_arena, text);
  char *found = strstr(copy, part);
  cr_assert(found && strlen(part) == strlen(by));
  memcpy(found, by, strlen(by));
  return copy;
}

Test(harness_manifest, the_hash_is_that_of_the_standard) {
  // FIPS 180-4, the example of one block, and the hash of nothing.
  cr_expect_str_eq(ts_sha256_of("abc", 3).text,
                   "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  cr_expect_str_eq(ts_sha256_of("", 0).text,
                   "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

Test(harness_manifest, the_version_is_the_edition_and_the_hash_of_what_sha256sum_prints) {
  ts_manifest m = make();
  const char *list = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a.txt\n"
                     "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b.txt\n";
  ts_sha256 hash = ts_sha256_of(list, strlen(list));
  cr_expect_str_eq(m.sha256.text, hash.text);
  cr_expect_str_eq(m.version, ts_arena_format(fixture_arena, "7-%.12s", hash.text));
}

Test(harness_manifest, a_byte_of_a_file_or_of_its_name_changes_the_version) {
  ts_manifest m = make();
  const char *before = m.version;
  files[1].path = "c.txt";
  cr_assert_eq(ts_manifest_sign(&m, fixture_arena), TS_OK);
  const char *renamed = m.version;
  cr_expect_str_neq(renamed, before);
  files[0].sha256 = ts_sha256_of("abd", 3);
  cr_assert_eq(ts_manifest_sign(&m, fixture_arena), TS_OK);
  cr_expect_str_neq(m.version, before);
  cr_expect_str_neq(m.version, renamed);
}

Test(harness_manifest, what_is_written_is_read_back) {
  ts_manifest m = make(), back;
  cr_assert_eq(read_text(&back, text_of(&m)), TS_OK, "%s", ts_status_detail());
  cr_expect_str_eq(back.version, m.version);
  cr_expect_str_eq(text_of(&back), text_of(&m));
  const ts_manifest_scene *scene = ts_manifest_find_scene(&back, "wall_moved_1");
  cr_assert(scene);
  cr_expect_str_eq(scene->case_name, "wall");
  cr_expect_eq(scene->minimum, 48);
  cr_expect_null(ts_manifest_find_scene(&back, "wall"));
}

Test(harness_manifest, an_edited_hash_no_longer_gives_the_version) {
  ts_manifest m = make(), back;
  cr_expect_eq(read_text(&back, edited(text_of(&m), "ba7816bf", "ba7816be")), TS_E_INPUT);
  cr_expect(strstr(ts_status_detail(), m.version), "%s", ts_status_detail());
  cr_expect(strstr(ts_status_detail(), "edited"), "%s", ts_status_detail());
}

Test(harness_manifest, files_that_are_no_manifest_are_refused_by_name) {
  ts_manifest m = make(), back;
  const char *good = text_of(&m);
  const char *const bad[] = {
      "",
      "{",
      "[]",
      "{}",
      "{\"schema\": \"touchstone scene\", \"version\": 1}",
      edited(good, "\"schema_version\": 1", "\"schema_version\": 2"),
      edited(good, "\"bytes\"", "\"bites\""),
      edited(good, "\"minimum\": 48", "\"minimum\": -8"),
      edited(good, "\"files\"", "\"filet\""),
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    cr_expect_eq(read_text(&back, bad[i]), TS_E_INPUT, "%s", bad[i]);
    cr_expect(strstr(ts_status_detail(), TS_MANIFEST_NAME), "%s", ts_status_detail());
  }
}

Test(harness_manifest, a_file_is_whole_when_size_and_hash_are_right) {
  ts_manifest m = make();
  const char *folder = fixture_path(".");
  cr_expect(ts_manifest_file_is_whole(fixture_arena, folder, &m.files[0]));
  cr_expect(ts_manifest_file_is_whole(fixture_arena, folder, &m.files[1]));
  fixture_write_text(fixture_path("a.txt"), "abd");
  cr_expect_not(ts_manifest_file_is_whole(fixture_arena, folder, &m.files[0]));
  fixture_write_text(fixture_path("a.txt"), "abcd");
  cr_expect_not(ts_manifest_file_is_whole(fixture_arena, folder, &m.files[0]));
  const ts_manifest_file outside = {"../a.txt", 3, m.files[0].sha256};
  cr_expect_not(ts_manifest_file_is_whole(fixture_arena, folder, &outside));
}
