// SPDX-License-Identifier: MIT
#include "harness/commands/gnuplot.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAID_BYTES                                                                                 \
  4096 ///< how much of gnuplot's output is kept: its end, which has the error
       ///< message

extern char **environ;

static bool is_program(const char *path) {
  struct stat facts;
  return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) && access(path, X_OK) == 0;
}

/// The path must be absolute because the child runs in another folder.
static ts_status make_absolute(const char **out, ts_arena *arena, const char *program) {
  char *path = realpath(program, NULL);
  if (!path)
    return ts_fail(TS_E_IO, "cannot resolve the path %s: %s", program, strerror(errno));
  *out = ts_arena_string(arena, path);
  free(path);
  return *out ? TS_OK : TS_E_MEMORY;
}

ts_status ts_gnuplot_find(const char **out, ts_arena *arena) {
  const char *path = getenv("PATH");
  while (path && *path) {
    size_t length = strcspn(path, ":");
    const char *program = length > 0 ? ts_arena_format(arena, "%.*s/gnuplot", (int)length, path)
                                     : ts_arena_string(arena, "./gnuplot");
    if (!program)
      return TS_E_MEMORY;
    if (is_program(program))
      return make_absolute(out, arena, program);
    path += length + (path[length] == ':');
  }
  return ts_fail(TS_E_UNSUPPORTED, "gnuplot, which draws the plots, is not installed; install the "
                                   "package gnuplot-nox (apt-get install gnuplot-nox)");
}

/// Waits for input; false when a signal arrives first.
static bool wait_to_read(int file, ts_interrupt *interrupt) {
  struct pollfd files[] = {{file, POLLIN, 0}, {interrupt->file, POLLIN, 0}};
  for (;;) {
    if (ts_interrupt_check(interrupt) != 0)
      return false;
    if (poll(files, 2, -1) >= 0 && files[0].revents != 0)
      return true;
  }
}

/// Reads until end of file or a signal, and keeps the last part as a string.
static void read_end(char said[SAID_BYTES], int file, ts_interrupt *interrupt) {
  size_t used = 0;
  while (wait_to_read(file, interrupt)) {
    if (used == SAID_BYTES - 1) {
      memmove(said, said + SAID_BYTES / 2, used - SAID_BYTES / 2);
      used -= SAID_BYTES / 2;
    }
    ssize_t got = read(file, said + used, SAID_BYTES - 1 - used);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    used += (size_t)got;
  }
  said[used] = '\0';
}

/// The last non-empty line, for the message; the lines before it only show the place.
static const char *last_line(char *said) {
  size_t end = strlen(said);
  while (end > 0 && strchr(" \r\n\t", said[end - 1]))
    said[--end] = '\0';
  char *line = strrchr(said, '\n');
  line = line ? line + 1 : said;
  return *line ? line : "it gave no message";
}

static ts_status wait_for(pid_t child, char *said, const char *folder, const char *script) {
  int state;
  while (waitpid(child, &state, 0) < 0)
    if (errno != EINTR)
      return ts_fail(TS_E_IO, "cannot wait for gnuplot: %s", strerror(errno));
  if (WIFEXITED(state) && WEXITSTATUS(state) == 0)
    return TS_OK;
  if (WIFSIGNALED(state))
    return ts_fail(TS_E_IO, "gnuplot was killed by signal %d (%s) while running %s/%s",
                   WTERMSIG(state), strsignal(WTERMSIG(state)), folder, script);
  return ts_fail(TS_E_IO, "gnuplot failed to run %s/%s: %s", folder, script, last_line(said));
}

/// Starts the child with standard output and error redirected to `end` of a pipe. Returns 0 or an
/// errno.
static int spawn(pid_t *child, const char *program, const char *folder, char *const *arguments,
                 int end, const sigset_t *blocked) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0)
    return error;
  error = posix_spawnattr_init(&attributes);
  if (error != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  error = posix_spawnattr_setsigmask(&attributes, blocked);
  if (error == 0)
    error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  if (error == 0)
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (error == 0)
    error = posix_spawn_file_actions_adddup2(&actions, end, STDOUT_FILENO);
  if (error == 0)
    error = posix_spawn_file_actions_adddup2(&actions, end, STDERR_FILENO);
  if (error == 0)
    error = posix_spawn_file_actions_addchdir_np(&actions, folder);
  if (error == 0)
    error = posix_spawn(child, program, &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// Whether the picture is complete: gnuplot reports success even when the disk is full.
static bool is_whole(const char *path, const char *format) {
  static const char *const ends[][2] = {
      {"svg", "</svg>"}, {"pdf", "%%EOF"}, {"png", "IEND"}, {"tex", "\\endgroup"}};
  char tail[64] = "";
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  off_t bytes = lseek(file, 0, SEEK_END), kept = (off_t)sizeof tail;
  ssize_t got = pread(file, tail, sizeof tail, bytes > kept ? bytes - kept : 0);
  close(file);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (strcmp(ends[i][0], format) == 0)
      return got > 0 && memmem(tail, (size_t)got, ends[i][1], strlen(ends[i][1]));
  return false;
}

static ts_status check_picture(ts_arena *arena, const char *program, const char *folder,
                               const char *script, const char *format, char *said) {
  int length = (int)strlen(script) - (int)strlen(".gp");
  const char *path = ts_arena_format(arena, "%s/%.*s%s.%s", folder, length, script,
                                     strcmp(format, "tex") == 0 ? "-tex" : "", format);
  if (!path)
    return TS_E_MEMORY;
  struct stat facts;
  if (stat(path, &facts) != 0)
    return ts_fail(TS_E_IO,
                   "%s succeeded at %s/%s but wrote no picture (%s); check %s --version: gnuplot "
                   "5.4 or later is needed",
                   program, folder, script, last_line(said), program);
  return is_whole(path, format) ? TS_OK
                                : ts_fail(TS_E_IO,
                                          "gnuplot could not write all of %s; free some disk "
                                          "space, or raise the file size limit (ulimit -f)",
                                          path);
}

ts_status ts_gnuplot_run(ts_arena *arena, const char *program, const char *folder,
                         const char *script, const char *format, ts_interrupt *interrupt) {
  char *setting = ts_arena_format(arena, "format = \"%s\"", format);
  char *name = ts_arena_string(arena, script), *own_name = ts_arena_string(arena, program);
  if (!setting || !name || !own_name)
    return TS_E_MEMORY;
  char default_settings[] = "-d", evaluate[] = "-e";
  char *arguments[] = {own_name, default_settings, evaluate, setting, name, NULL};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return ts_fail(TS_E_IO, "cannot make a pipe: %s", strerror(errno));
  pid_t child;
  int error = spawn(&child, program, folder, arguments, ends[1], &interrupt->before);
  close(ends[1]);
  char said[SAID_BYTES] = "";
  if (error == 0)
    read_end(said, ends[0], interrupt);
  if (error == 0 && interrupt->signal != 0)
    kill(child, SIGKILL);
  close(ends[0]);
  if (error != 0)
    return ts_fail(TS_E_IO, "cannot start %s: %s", program, strerror(error));
  ts_status status = wait_for(child, said, folder, script);
  if (interrupt->signal != 0)
    return ts_fail(TS_E_IO, "interrupted");
  TS_TRY(status);
  return check_picture(arena, program, folder, script, format, said);
}
