// SPDX-License-Identifier: MIT
// Methods that do harm outside their process: to the run itself, and to the files of its results.
#include "methods/method.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARGUMENTS                                                                                  \
  const ts_host *host, const ts_pair *pair, const void *shape_a, const void *shape_b,              \
      void *pair_state, const double *params
#define UNUSED (void)host, (void)pair, (void)shape_a, (void)shape_b, (void)pair_state, (void)params

/// The parent of a process that runs this program; 0 if it runs another one.
static pid_t parent_of(pid_t process) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
  FILE *file = fopen(path, "re");
  bool is_there = file && fgets(text, sizeof text, file);
  if (file)
    fclose(file);
  const char *end = is_there ? strrchr(text, ')') : NULL;
  if (!end || !strstr(text, "(touchstone"))
    return 0;
  return (pid_t)strtol(end + 4, NULL, 10); // ") S 123"
}

/// Kills the run: the outermost process of this program.
static ts_status kill_run(ARGUMENTS) {
  UNUSED;
  pid_t run = 0;
  for (pid_t process = getppid(), parent; process > 1; process = parent) {
    parent = parent_of(process);
    if (parent == 0)
      break;
    run = process;
  }
  if (run > 0)
    kill(run, SIGKILL);
  sleep(60);
  return TS_OK;
}

static void write_text(const char *path, int flags) {
  int file = open(path, O_WRONLY | flags, 0666);
  if (file >= 0) {
    (void)!write(file, "mine\n", 5);
    close(file);
  }
}

static void move_away(const char *path) {
  char moved[4096];
  if (snprintf(moved, sizeof moved, "%s.moved", path) < (int)sizeof moved)
    (void)!rename(path, moved);
}

/// Does to the file or folder PLUG_FILE what PLUG_DEED says.
static ts_status change_file(ARGUMENTS) {
  UNUSED;
  const char *path = getenv("PLUG_FILE"), *deed = getenv("PLUG_DEED");
  if (!path || !deed)
    return TS_OK;
  if (strcmp(deed, "empty") == 0)
    (void)!truncate(path, 0);
  if (strcmp(deed, "append") == 0)
    write_text(path, O_APPEND);
  if (strcmp(deed, "move") == 0)
    move_away(path);
  if (strcmp(deed, "remove") == 0 || strcmp(deed, "replace") == 0)
    unlink(path);
  if (strcmp(deed, "replace") == 0)
    write_text(path, O_CREAT);
  return TS_OK;
}

#define METHOD(key, function)                                                                      \
  {                                                                                                \
    .abi = TS_METHOD_ABI, .struct_size = sizeof(ts_method), .name = "plug_" #key,                  \
    .summary = "Does harm, for tests.", .source = "tests/plugins", .generate = function,           \
  }

static const ts_method methods[] = {METHOD(kill_run, kill_run), METHOD(change_file, change_file)};

const ts_method *const *touchstone_methods(void) {
  static const ts_method *const list[] = {&methods[0], &methods[1], NULL};
  return list;
}
