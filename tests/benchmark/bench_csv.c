// SPDX-License-Identifier: MIT
#include "tests/benchmark/bench_csv.h"

#include "base/number.h"
#include "base/status.h"
#include "reports/rows/csv.h"
#include "reports/rows/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ts_status add_row(ts_csv_buffer *buffer, const bench_csv *csv, const char *row) {
  for (size_t i = 0; i < csv->column_count; i++) {
    const void *member = row + csv->columns[i].offset;
    char number[TS_NUMBER_BYTES];
    TS_TRY(ts_csv_add_field(buffer, csv->columns[i].is_text
                                        ? *(const char *const *)member
                                        : ts_number_format(number, *(const double *)member)));
  }
  ts_csv_end_record(buffer);
  return TS_OK;
}

static ts_status add_rows(ts_csv_buffer *buffer, const bench_csv *csv) {
  for (size_t i = 0; i < csv->column_count; i++)
    TS_TRY(ts_csv_add_field(buffer, csv->columns[i].name));
  ts_csv_end_record(buffer);
  for (size_t i = 0; i < csv->count; i++)
    TS_TRY(add_row(buffer, csv, (const char *)csv->rows + i * csv->size));
  return TS_OK;
}

static ts_status fail_write(const char *path, int error) {
  return ts_fail(TS_E_INPUT,
                 "cannot write %s: %s; give --csv a file in a folder that you may write", path,
                 strerror(error));
}

ts_status bench_csv_can_write(const char *path) {
  struct stat there;
  if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
    return ts_fail(TS_E_INPUT, "cannot write %s: it is not a regular file; give --csv another name",
                   path);
  char folder[PATH_MAX] = ".";
  const char *slash = strrchr(path, '/');
  if (slash)
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - path + 1), path);
  if (slash && slash[1] == '\0')
    return ts_fail(TS_E_INPUT, "cannot write %s: it names a folder; give --csv a file", path);
  return access(folder, W_OK) == 0 ? TS_OK : fail_write(path, errno);
}

/// Writes next to the file and then renames, so the file is never incomplete.
static ts_status replace(const char *path, const void *bytes, size_t count) {
  char part[PATH_MAX];
  if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part)
    return fail_write(path, ENAMETOOLONG);
  int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0)
    return fail_write(path, errno);
  int error = ts_disk_write(fd, bytes, count, 0);
  if (close(fd) != 0 && !error)
    error = errno;
  if (!error && rename(part, path) != 0)
    error = errno;
  if (!error)
    return TS_OK;
  unlink(part);
  return fail_write(path, error);
}

ts_status bench_csv_write(const char *path, const bench_csv *csv) {
  ts_csv_buffer buffer = {NULL, 0, 0};
  ts_status status = add_rows(&buffer, csv);
  // Replaces the target of a link, not the link.
  char *target = realpath(path, NULL);
  if (status == TS_OK)
    status = replace(target ? target : path, buffer.bytes, buffer.count);
  free(target);
  ts_csv_buffer_free(&buffer);
  return status;
}

void bench_csv_print_columns(FILE *file, const bench_column *columns, size_t count) {
  for (size_t i = 0; i < count; i++)
    fprintf(file, "  %-21s  %s\n", columns[i].name, columns[i].summary);
}
