// SPDX-License-Identifier: MIT
// covers: reports/rows/gzip.c reports/rows/csv.c
#include "reports/rows/gzip.h"

#include "reports/rows/csv.h"
#include "reports/rows/rows.h"
#include "tests/reports/rows/results_fixture.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

TestSuite(reports_gzip, .init = results_open, .fini = results_close);

/// Text that does not fit into the reader's parts, and repeats little.
static char *make_text(size_t count) {
  char *text = ts_arena_alloc(fixture_arena, count + 1);
  uint32_t state = 1;
  for (size_t i = 0; i < count; i++) {
    state = state * 1664525 + 1013904223;
    text[i] = (char)('a' + (state >> 24) % 26);
  }
  text[count] = '\0';
  return text;
}

/// Reads a file in pieces of `piece` bytes to `out`; the status that ended it.
static ts_status read_file(char *out, size_t *out_count, const char *path, size_t piece) {
  int fd = open(path, O_RDONLY);
  ts_gzip_reader *reader;
  cr_assert_eq(ts_gzip_reader_create(&reader, fd, "some.csv.gz"), TS_OK);
  ts_status status;
  size_t count = 0;
  *out_count = 0;
  do {
    status = ts_gzip_read(&count, reader, out + *out_count, piece);
    *out_count += status == TS_OK ? count : 0;
  } while (status == TS_OK && count > 0);
  ts_gzip_reader_destroy(reader);
  close(fd);
  return status;
}

/// Compresses some.csv with this content; the path of the result.
static const char *compress_text(const char *text, size_t count) {
  const char *folder = fixture_path(".");
  fixture_write(fixture_path("some.csv"), text, count);
  int fd = open(folder, O_RDONLY | O_DIRECTORY);
  cr_assert_eq(ts_gzip_replace(fd, "some.csv", folder), TS_OK);
  close(fd);
  return fixture_path("some.csv.gz");
}

static void expect_same(const char *path, const char *text, size_t count, size_t piece) {
  char *got = malloc(count + piece);
  size_t got_count;
  cr_expect_eq(read_file(got, &got_count, path, piece), TS_OK);
  cr_assert_eq(got_count, count);
  cr_expect_eq(memcmp(got, text, count), 0);
  free(got);
}

Test(reports_gzip, what_was_compressed_reads_back_and_replaces_the_original) {
  const size_t counts[] = {0, 1, 2, 16384, 100000};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    char *text = make_text(counts[i]);
    const char *path = compress_text(text, counts[i]);
    expect_same(path, text, counts[i], 70000);
    expect_same(path, text, counts[i], 7);
    cr_expect_neq(access(fixture_path("some.csv"), F_OK), 0);
    cr_expect_neq(access(fixture_path("some.csv.gz.partial"), F_OK), 0);
  }
}

Test(reports_gzip, other_programs_read_it_and_it_has_no_date) {
  char *text = make_text(50000), *got = malloc(50001);
  const char *path = compress_text(text, 50000);
  gzFile file = gzopen(path, "rb");
  cr_expect_eq(gzread(file, got, 50001), 50000);
  cr_expect_eq(gzclose(file), Z_OK);
  cr_expect_eq(memcmp(got, text, 50000), 0);
  size_t count, again_count;
  const char *first = fixture_read(path, &count);
  const char *again = fixture_read(compress_text(text, 50000), &again_count);
  cr_assert_eq(count, again_count);
  cr_expect_eq(memcmp(first, again, count), 0);
  cr_expect_eq(memcmp(first + 4, "\0\0\0\0", 4), 0, "a time of the file");
  free(got);
}

Test(reports_gzip, a_plain_file_is_read_as_it_is) {
  char *text = make_text(40000);
  const size_t counts[] = {0, 1, 2, 3, 40000};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    fixture_write(fixture_path("plain.csv"), text, counts[i]);
    expect_same(fixture_path("plain.csv"), text, counts[i], 1000);
  }
}

Test(reports_gzip, two_files_put_together_are_one) {
  char *text = make_text(60000);
  size_t first_count, second_count;
  const char *first = fixture_read(compress_text(text, 20000), &first_count);
  const char *second = fixture_read(compress_text(text + 20000, 40000), &second_count);
  char *both = malloc(first_count + second_count);
  memcpy(both, first, first_count);
  memcpy(both + first_count, second, second_count);
  fixture_write(fixture_path("both.gz"), both, first_count + second_count);
  free(both);
  expect_same(fixture_path("both.gz"), text, 60000, 5000);
}

Test(reports_gzip, damage_is_named_wherever_it_is) {
  char *text = make_text(30000), *got = malloc(60000);
  size_t count, got_count;
  const char *whole = fixture_read(compress_text(text, 30000), &count);
  const char *path = fixture_path("damaged.gz");
  char *bytes = malloc(count + 4);
  for (size_t cut = 2; cut < count; cut += count / 50) {
    fixture_write(path, whole, cut);
    cr_expect_eq(read_file(got, &got_count, path, 4000), TS_E_INPUT, "cut at %zu", cut);
    cr_expect(fixture_detail_has("some.csv.gz is damaged: its compressed data are cut off"));
  }
  for (size_t at = 10; at < count; at += count / 50) {
    memcpy(bytes, whole, count);
    bytes[at] = (char)~bytes[at];
    fixture_write(path, bytes, count);
    cr_expect_eq(read_file(got, &got_count, path, 4000), TS_E_INPUT, "changed at %zu", at);
    cr_expect(fixture_detail_has("some.csv.gz is damaged: "));
  }
  memcpy(bytes, whole, count);
  memcpy(bytes + count, "rest", 4);
  fixture_write(path, bytes, count + 4);
  cr_expect_eq(read_file(got, &got_count, path, 4000), TS_E_INPUT);
  cr_expect(fixture_detail_has("something else after its compressed data"));
  free(bytes);
  free(got);
}

Test(reports_gzip, a_small_file_that_becomes_huge_is_refused_as_a_line) {
  // Zeros without an end of line: as a line of CSV, it is too long at four mebibytes.
  const char *path = fixture_path("bomb.csv.gz");
  gzFile file = gzopen(path, "wb9");
  static const char zeros[1 << 16];
  for (int i = 0; i < 1 << 12; i++)
    gzwrite(file, zeros, sizeof zeros);
  cr_assert_eq(gzclose(file), Z_OK);
  ts_record *records;
  size_t count;
  cr_expect_eq(ts_summary_read(&records, &count, fixture_arena, path), TS_E_INPUT);
  cr_expect(fixture_detail_has("longer than 4194304 bytes"));
}

Test(reports_gzip, a_folder_that_cannot_be_written_keeps_the_original) {
  const char *folder = fixture_path(".");
  fixture_write_text(fixture_path("some.csv"), "a,b\n");
  cr_assert_eq(symlink("/nowhere", fixture_path("some.csv.gz.partial")), 0);
  int fd = open(folder, O_RDONLY | O_DIRECTORY);
  cr_expect_eq(ts_gzip_replace(fd, "some.csv", folder), TS_E_IO);
  close(fd);
  cr_expect(fixture_detail_has("cannot compress"));
  cr_expect_str_eq(fixture_read(fixture_path("some.csv"), NULL), "a,b\n");
  cr_expect_neq(access(fixture_path("some.csv.gz"), F_OK), 0);
}

Test(reports_gzip, a_file_is_found_under_either_name_and_the_plain_one_first) {
  const char *plain = fixture_path("rows.csv"), *compressed = fixture_path("rows.csv.gz");
  cr_expect_not(ts_csv_exists(plain));
  cr_expect_eq(ts_csv_find(fixture_arena, plain), plain);
  fixture_write_text(compressed, "");
  cr_expect(ts_csv_exists(plain));
  cr_expect_str_eq(ts_csv_find(fixture_arena, plain), compressed);
  fixture_write_text(plain, "");
  cr_expect_eq(ts_csv_find(fixture_arena, plain), plain);
}

Test(reports_gzip, compressed_results_have_the_rows_of_plain_ones_and_are_not_resumed) {
  const char *folder = fixture_path("results");
  results_run(folder, FIXTURE_CELLS);
  cr_expect_not(ts_results_are_compressed(folder));
  ts_results *results;
  ts_resumed resumed;
  cr_assert_eq(ts_results_resume(&results, &resumed, fixture_arena, folder), TS_OK);
  json_decref(resumed.context);
  cr_assert_eq(ts_results_continue(results, NULL), TS_OK);
  ts_results_compress_at_close(results);
  cr_expect_eq(ts_results_close(results), TS_OK);
  cr_expect(ts_results_are_compressed(folder));
  cr_expect_eq(access(fixture_path("results/summary.csv"), F_OK), 0);
  for (int f = 0; f < TS_DETAIL_FILE_COUNT; f++) {
    cr_expect_neq(access(fixture_path("results/%s.csv", fixture_names[f]), F_OK), 0);
    cr_expect_eq(access(fixture_path("results/%s.csv.gz", fixture_names[f]), F_OK), 0);
  }

  // A compressed file under the plain name must not be cut as if it were plain.
  size_t bytes, bytes_after;
  cr_assert_eq(
      rename(fixture_path("results/contacts.csv.gz"), fixture_path("results/contacts.csv")), 0);
  fixture_read(fixture_path("results/contacts.csv"), &bytes);
  cr_expect_eq(ts_results_resume(&results, &resumed, fixture_arena, folder), TS_E_INPUT);
  cr_expect(fixture_detail_has("is compressed; decompress it with gunzip"));
  fixture_read(fixture_path("results/contacts.csv"), &bytes_after);
  cr_expect_eq(bytes, bytes_after);
}
