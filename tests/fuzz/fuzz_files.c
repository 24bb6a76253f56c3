// SPDX-License-Identifier: MIT
#include "base/status.h"
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES_MAX  16
#define NAME_BYTES 64

static char folder[256];
static int folder_fd = -1;

bool fuzz_is_ok(ts_status status) {
  if (status == TS_OK)
    return true;
  FUZZ_CHECK(status == TS_E_INPUT || status == TS_E_MEMORY || status == TS_E_UNSUPPORTED);
  const char *detail = ts_status_detail();
  FUZZ_CHECK(detail[0] != '\0');
  for (const char *c = detail; *c; c++)
    FUZZ_CHECK((unsigned char)*c >= ' ' && *c != 0x7f);
  return false;
}

char *fuzz_text(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  FUZZ_CHECK(text);
  if (size > 0)
    memcpy(text, data, size);
  text[size] = '\0';
  return text;
}

static void empty_folder(void) {
  int copy = dup(folder_fd);
  FUZZ_CHECK(copy >= 0);
  DIR *entries = fdopendir(copy);
  FUZZ_CHECK(entries);
  rewinddir(entries);
  for (struct dirent *entry; (entry = readdir(entries));)
    unlinkat(folder_fd, entry->d_name, 0);
  closedir(entries);
}

static void remove_folder(void) {
  empty_folder();
  rmdir(folder);
}

static void make_folder(void) {
  const char *set = getenv("TMPDIR"), *memory = "/dev/shm";
  const char *above = access(memory, W_OK) == 0 ? memory : set ? set : "/tmp";
  int length = snprintf(folder, sizeof folder, "%s/ts-fuzz-XXXXXX", above);
  FUZZ_CHECK(length > 0 && (size_t)length < sizeof folder);
  FUZZ_CHECK(mkdtemp(folder));
  folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  FUZZ_CHECK(folder_fd >= 0);
  atexit(remove_folder);
}

void fuzz_write(const char *name, const void *bytes, size_t count) {
  int file = openat(folder_fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  FUZZ_CHECK(file >= 0);
  FUZZ_CHECK(write(file, bytes, count) == (ssize_t)count);
  close(file);
}

bool fuzz_has(const char *name) {
  return faccessat(folder_fd, name, F_OK, 0) == 0;
}

const char *fuzz_path(ts_arena *arena, const char *name) {
  const char *path = ts_arena_format(arena, "%s/%s", folder, name);
  FUZZ_CHECK(path);
  return path;
}

/// The next line from `begin` that names a file; stores the name in `name`. NULL: none.
static const char *find_mark(char name[NAME_BYTES], const char **behind, const char *begin,
                             const char *first, const char *end) {
  static const char mark[] = "==> ";
  for (const char *at = begin; (at = memmem(at, (size_t)(end - at), mark, 4)); at++) {
    if (at > first && at[-1] != '\n')
      continue;
    const char *from = at + 4, *line = memchr(from, '\n', (size_t)(end - from));
    size_t length = line ? (size_t)(line - from) : 0;
    if (length == 0 || length >= NAME_BYTES || from[0] == '.' || memchr(from, '/', length) ||
        memchr(from, '\0', length))
      continue;
    memcpy(name, from, length);
    name[length] = '\0';
    *behind = line + 1;
    return at;
  }
  return NULL;
}

const char *fuzz_folder(const uint8_t *data, size_t size, const char *name) {
  if (folder_fd < 0)
    make_folder();
  empty_folder();
  const char *first = size > 0 ? (const char *)data : "", *at = first, *end = first + size;
  char current[NAME_BYTES], next[NAME_BYTES];
  snprintf(current, sizeof current, "%s", name);
  for (int i = 0; i < FILES_MAX; i++) {
    const char *behind, *mark = find_mark(next, &behind, at, first, end);
    fuzz_write(current, at, (size_t)((mark ? mark : end) - at));
    if (!mark)
      break;
    memcpy(current, next, sizeof current);
    at = behind;
  }
  return folder;
}
