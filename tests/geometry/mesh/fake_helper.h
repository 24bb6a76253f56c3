// SPDX-License-Identifier: MIT
/// Shell scripts that take the place of a helper program, and what a call leaves behind.
#ifndef TS_TESTS_GEOMETRY_FAKE_HELPER_H
#define TS_TESTS_GEOMETRY_FAKE_HELPER_H

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct fake_helper {
  char folder[64];
  char program[80]; ///< the script
  char data[80];    ///< a file that it may read or write, $1 in `lines`
} fake_helper;

static inline void fake_write(const char *path, const void *bytes, size_t count) {
  FILE *file = fopen(path, "w");
  cr_assert_not_null(file, "%s: %s", path, strerror(errno));
  cr_assert_eq(fwrite(bytes, 1, count, file), count);
  cr_assert_eq(fclose(file), 0);
}

/// An executable script with these lines.
static inline fake_helper fake_helper_make(const char *lines) {
  fake_helper fake;
  const char *temporary = getenv("TMPDIR");
  int length = snprintf(fake.folder, sizeof fake.folder, "%s/ts-fake-XXXXXX",
                        temporary && strlen(temporary) < 40 ? temporary : "/tmp");
  cr_assert(length > 0 && (size_t)length < sizeof fake.folder);
  cr_assert_not_null(mkdtemp(fake.folder), "%s: %s", fake.folder, strerror(errno));
  snprintf(fake.program, sizeof fake.program, "%s/helper", fake.folder);
  snprintf(fake.data, sizeof fake.data, "%s/data", fake.folder);
  char text[1024];
  length = snprintf(text, sizeof text, "#!/bin/sh\nset -- %s\n%s\n", fake.data, lines);
  cr_assert(length > 0 && (size_t)length < sizeof text);
  fake_write(fake.program, text, (size_t)length);
  cr_assert_eq(chmod(fake.program, 0700), 0);
  return fake;
}

static inline void fake_helper_remove(const fake_helper *fake) {
  unlink(fake->program);
  unlink(fake->data);
  cr_expect_eq(rmdir(fake->folder), 0, "%s: %s", fake->folder, strerror(errno));
}

static inline int open_file_count(void) {
  DIR *folder = opendir("/proc/self/fd");
  cr_assert_not_null(folder);
  int count = 0;
  while (readdir(folder))
    count++;
  closedir(folder);
  return count;
}

/// This process has no child: none that runs, none that waits to be reaped.
static inline int has_no_child(void) {
  return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD;
}

#endif
