// SPDX-License-Identifier: MIT
#include "geometry/mesh/helper_process.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/process.h"
#include "base/status.h"
#include "geometry/mesh/helper_store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define RECEIVE_BYTES  ((size_t)64 * 1024)
#define HEAD_BYTES     ((size_t)16) // magic and length
#define LONGEST_WAIT_S 1e9

typedef struct conversation {
  const ts_helper_question *question;
  ts_arena *arena;
  int file; ///< our end of the socket that is the helper's standard input and output
  pid_t process;
  int64_t deadline_ns;
  size_t sent;
  bool is_sent; ///< all of it, or all that the helper takes
  uint8_t *bytes;
  size_t capacity, received;
  size_t length; ///< of the answer; 0 until it is known
} conversation;

static int set_attributes(posix_spawnattr_t *attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                                       POSIX_SPAWN_SETSIGMASK);
  if (!error)
    error = posix_spawnattr_setpgroup(attributes, 0);
  if (!error)
    error = posix_spawnattr_setsigdefault(attributes, &all);
  if (!error)
    error = posix_spawnattr_setsigmask(attributes, &none);
  return error;
}

static int set_files(posix_spawn_file_actions_t *actions, int helper_end) {
  int error = posix_spawn_file_actions_adddup2(actions, helper_end, STDIN_FILENO);
  if (!error)
    error = posix_spawn_file_actions_adddup2(actions, STDIN_FILENO, STDOUT_FILENO);
  if (!error)
    error = posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (!error)
    error = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
  return error;
}

/// An error number.
static int spawn(pid_t *out, char *program, int helper_end) {
  posix_spawnattr_t attributes;
  int error = posix_spawnattr_init(&attributes);
  if (error)
    return error;
  posix_spawn_file_actions_t actions;
  error = posix_spawn_file_actions_init(&actions);
  if (!error) {
    error = set_attributes(&attributes);
    if (!error)
      error = set_files(&actions, helper_end);
    if (!error)
      error = posix_spawn(out, program, &actions, &attributes, (char *[]){program, NULL}, environ);
    posix_spawn_file_actions_destroy(&actions);
  }
  posix_spawnattr_destroy(&attributes);
  return error;
}

static ts_status start(conversation *c) {
  char *program = ts_arena_string(c->arena, c->question->program);
  int ends[2];
  if (!program)
    return TS_E_MEMORY;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return ts_fail(TS_E_IO, "cannot open the files that a helper needs: %s; see ulimit -n",
                   strerror(errno));
  int error = spawn(&c->process, program, ends[1]);
  close(ends[1]);
  c->file = ends[0];
  if (!error)
    return TS_OK;
  close(ends[0]);
  if (access(program, F_OK) != 0)
    return ts_fail(TS_E_UNSUPPORTED, "there is no program %s", program);
  return ts_fail(TS_E_IO, "cannot start %s: %s", program, strerror(error));
}

/// Milliseconds to the deadline, rounded up; 0 when it has passed.
static int time_left_ms(const conversation *c) {
  int64_t left = (c->deadline_ns - ts_clock_ns() + 999999) / 1000000;
  return left <= 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

/// Sends what the socket takes now. A helper that does not read its input may still write.
static void send_some(conversation *c) {
  const ts_helper_question *q = c->question;
  while (c->sent < q->byte_count) {
    ssize_t count = send(c->file, (const uint8_t *)q->bytes + c->sent, q->byte_count - c->sent,
                         MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0 && errno == EAGAIN)
      return;
    if (count < 0)
      break;
    c->sent += (size_t)count;
  }
  c->is_sent = true;
  shutdown(c->file, SHUT_WR);
}

/// False when the bytes received so far cannot be the beginning of an answer.
static bool is_answer_so_far(conversation *c) {
  size_t known = c->received < 8 ? c->received : 8;
  if (memcmp(c->bytes, c->question->answer_magic, known) != 0)
    return false;
  if (c->received < HEAD_BYTES)
    return true;
  uint64_t length;
  memcpy(&length, c->bytes + 8, sizeof length);
  if (length < HEAD_BYTES || length > c->question->answer_limit)
    return false;
  c->length = (size_t)length;
  return c->received <= c->length;
}

typedef enum reception { MORE_TO_COME, END_OF_FILE, NOT_AN_ANSWER } reception;

/// Reads what the socket has now.
static ts_status receive_some(reception *out, conversation *c) {
  *out = MORE_TO_COME;
  if (c->received == c->capacity)
    TS_TRY(TS_ARENA_GROW(c->bytes, c->capacity, c->received, RECEIVE_BYTES, c->arena));
  ssize_t count = recv(c->file, c->bytes + c->received, c->capacity - c->received, MSG_DONTWAIT);
  if (count < 0 && (errno == EINTR || errno == EAGAIN))
    return TS_OK;
  if (count <= 0) { // an error: the helper has exited without reading the whole question
    *out = END_OF_FILE;
    return TS_OK;
  }
  c->received += (size_t)count;
  if (!is_answer_so_far(c))
    *out = NOT_AN_ANSWER;
  return TS_OK;
}

/// Without a whole answer, how the helper ended is all that is known; it may take a little time to
/// end after it has closed its files.
static void wait_for_end(ts_helper_answer *out, const conversation *c) {
  siginfo_t info = {0};
  for (;;) {
    int failed = waitid(P_PID, (id_t)c->process, &info, WEXITED | WNOHANG | WNOWAIT);
    if (failed) {
      *out = (ts_helper_answer){.end = TS_HELPER_EXITED, .code = -1};
      return;
    }
    if (info.si_pid != 0)
      break;
    if (time_left_ms(c) == 0) {
      out->end = TS_HELPER_TIMED_OUT;
      return;
    }
    poll(NULL, 0, 1);
  }
  out->end = info.si_code == CLD_EXITED ? TS_HELPER_EXITED : TS_HELPER_SIGNALLED;
  out->code = info.si_status;
}

static ts_status converse(ts_helper_answer *out, conversation *c) {
  for (;;) {
    struct pollfd file = {.fd = c->file, .events = (short)(c->is_sent ? POLLIN : POLLIN | POLLOUT)};
    int left_ms = time_left_ms(c);
    if (left_ms == 0) {
      out->end = TS_HELPER_TIMED_OUT;
      return TS_OK;
    }
    if (poll(&file, 1, left_ms) < 0 && errno != EINTR)
      return ts_fail(TS_E_IO, "cannot wait for %s: %s", c->question->program, strerror(errno));
    if (!c->is_sent && file.revents & (POLLOUT | POLLERR | POLLHUP))
      send_some(c);
    if (!(file.revents & (POLLIN | POLLERR | POLLHUP)))
      continue;
    reception got;
    TS_TRY(receive_some(&got, c));
    if (got == NOT_AN_ANSWER) {
      out->end = TS_HELPER_GARBLED;
      return TS_OK;
    }
    if (got == END_OF_FILE)
      break;
  }
  if (c->length && c->received == c->length)
    *out =
        (ts_helper_answer){.end = TS_HELPER_ANSWERED, .bytes = c->bytes, .byte_count = c->received};
  else
    wait_for_end(out, c);
  return TS_OK;
}

/// The helper has not been reaped, so its process ID, and thus that of its group, cannot have been
/// reused; unless this process ignores SIGCHLD, in which case the system reaps it.
static void finish(conversation *c) {
  siginfo_t info = {0};
  if (waitid(P_PID, (id_t)c->process, &info, WEXITED | WNOHANG | WNOWAIT) == 0) {
    kill(-c->process, SIGKILL);
    while (waitpid(c->process, NULL, 0) < 0 && errno == EINTR)
      continue;
  }
  close(c->file);
}

ts_status ts_helper_ask(ts_helper_answer *out, ts_arena *arena,
                        const ts_helper_question *question) {
  if (ts_helper_store_find(out, arena, question))
    return TS_OK;
  conversation c = {.question = question, .arena = arena};
  c.deadline_ns = ts_clock_ns() + (int64_t)(1e9 * fmin(question->time_limit_s, LONGEST_WAIT_S));
  TS_TRY(start(&c));
  *out = (ts_helper_answer){.end = TS_HELPER_TIMED_OUT};
  ts_status status = converse(out, &c);
  finish(&c);
  if (status == TS_OK && out->end == TS_HELPER_ANSWERED)
    ts_helper_store_keep(question, out);
  return status;
}

char *ts_helper_beside(ts_arena *arena, const char *name) {
  char path[PATH_MAX];
  if (!ts_process_program(path, sizeof path)) {
    ts_fail(TS_E_IO, "cannot find out where this program is: /proc/self/exe: %s", strerror(errno));
    return NULL;
  }
  char *slash = strrchr(path, '/');
  return ts_arena_format(arena, "%.*s/%s", (int)(slash ? slash - path : 0), path, name);
}
