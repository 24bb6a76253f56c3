// SPDX-License-Identifier: MIT
/// Runs a target over every file of its corpus, without a fuzzer: the test of every build.
/// usage: replay_NAME NAME FOLDER-OR-FILE...
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

static size_t passed;

static void replay_file(const char *path) {
  FILE *file = fopen(path, "rb");
  struct stat facts;
  if (!file || stat(path, &facts) != 0) {
    fprintf(stderr, "cannot read %s: %s\n", path, strerror(errno));
    exit(1);
  }
  // Exactly as long as the input, so that reading beyond it is detected.
  size_t size = (size_t)facts.st_size;
  uint8_t *data = malloc(size > 0 ? size : 1);
  FUZZ_CHECK(data && fread(data, 1, size, file) == size);
  fclose(file);
  // Printed before, since a fault ends the program.
  printf("%s\n", path);
  fflush(stdout);
  LLVMFuzzerTestOneInput(data, size);
  free(data);
  passed++;
}

static int is_file(const struct dirent *entry) {
  return entry->d_name[0] != '.';
}

static void replay_folder(const char *path) {
  struct dirent **entries;
  int count = scandir(path, &entries, is_file, alphasort);
  if (count < 0) {
    fprintf(stderr, "cannot read %s: %s\n", path, strerror(errno));
    exit(1);
  }
  for (int i = 0; i < count; i++) {
    char name[PATH_MAX];
    FUZZ_CHECK(snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name) < PATH_MAX);
    replay_file(name);
    free(entries[i]);
  }
  free(entries);
}

int main(int count, char **arguments) {
  if (count < 3) {
    fprintf(stderr, "usage: %s NAME FOLDER-OR-FILE...\n", arguments[0]);
    return 2;
  }
  for (int i = 2; i < count; i++) {
    struct stat facts;
    if (stat(arguments[i], &facts) == 0 && S_ISDIR(facts.st_mode))
      replay_folder(arguments[i]);
    else
      replay_file(arguments[i]);
  }
  printf("%s: %zu passed, 0 failed\n", arguments[1], passed);
  return passed == 0;
}
