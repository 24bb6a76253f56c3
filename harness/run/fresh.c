// SPDX-License-Identifier: MIT
#include "harness/run/fresh.h"

#include "base/status.h"
#include "harness/isolation/keeper.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define SOCKET 3 // descriptor of the forked processes

/// The packets of the socket. A method may write to any descriptor: what does not have the size and
/// the mark of a packet is not one.
#define MARK UINT64_C(0x7473667265736831)

typedef struct body_packet {
  uint64_t mark, index;
  ts_body body;
} body_packet;

typedef struct question_packet {
  uint64_t mark, number, renews_pairs, is_as_built;
} question_packet;

typedef struct answer_packet {
  uint64_t mark, hash;
  int64_t status;
  char detail[512];
} answer_packet;

struct ts_fresh {
  ts_narrow_phase *phase; ///< as created
  const ts_scene *built;
  const ts_moved_truth *truth;
  ts_body *bodies;       ///< [built->body_count] of the next question; in the forked processes
  answer_packet *answer; ///< shared by the forked processes
  sigset_t signals;      ///< that the cell blocks
  pid_t process;
  int socket;
};

static ts_status send_packet(int socket, const void *packet, size_t bytes) {
  ssize_t sent;
  do {
    sent = send(socket, packet, bytes, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == (ssize_t)bytes ? TS_OK : TS_E_IO;
}

/// Number of bytes of the next packet; 0 when the other side has gone.
static size_t receive_packet(int socket, void *out, size_t capacity) {
  ssize_t count;
  do {
    count = recv(socket, out, capacity, MSG_TRUNC); // the length of a longer packet, too
  } while (count < 0 && errno == EINTR);
  return count > 0 ? (size_t)count : 0;
}

static ts_status find_hash(uint64_t *out, const ts_fresh *fresh, const question_packet *question) {
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_narrow_phase *phase = fresh->phase; // a copy of this process alone
  if (question->is_as_built) { // its truth, which controls look at, is not rounded by carrying it
    TS_TRY(ts_narrow_phase_prepare(phase));
  } else {
    ts_scene *scene;
    TS_TRY(ts_scene_at(&scene, arena, fresh->built, fresh->bodies, fresh->truth));
    TS_TRY(ts_narrow_phase_move(phase, scene));
  }
  ts_narrow_phase_renew_pairs(phase, question->renews_pairs != 0);
  TS_TRY(ts_narrow_phase_place(phase, question->number, 1));
  ts_contact_set *sets;
  TS_TRY(ts_narrow_phase_collect(&sets, phase, arena));
  *out = ts_contact_sets_hash(sets, ts_narrow_phase_pair_count(phase));
  return TS_OK;
}

/// Leaves the answer in the shared packet: the process may end in a way that looks like success.
static _Noreturn void answer(const ts_fresh *fresh, const question_packet *question) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigprocmask(SIG_SETMASK, &fresh->signals, NULL);
  pid_t process = getpid();
  answer_packet packet = {.mark = MARK};
  packet.status = find_hash(&packet.hash, fresh, question);
  if (packet.status != TS_OK)
    snprintf(packet.detail, sizeof packet.detail, "%s", ts_status_detail());
  if (getpid() == process) // else a copy that the method has forked, and returned from, too
    *fresh->answer = packet;
  _exit(0);
}

/// Runs `answer` in a process of its own. 0, or the errno for which there is none.
static int find_answer(int *out_wait_status, const ts_fresh *fresh,
                       const question_packet *question) {
  fresh->answer->mark = 0;
  pid_t process = fork();
  if (process == 0)
    answer(fresh, question);
  if (process < 0)
    return errno;
  while (waitpid(process, out_wait_status, 0) < 0 && errno == EINTR)
    continue;
  return 0;
}

/// Whether a process was ended by a signal that others send.
static bool is_killed(int wait_status) {
  int number = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
  return number == SIGKILL || number == SIGTERM || number == SIGINT || number == SIGHUP;
}

/// Answers a question, and for the process that should when it dies. One that may have been killed
/// by others has a second try.
static void serve(const ts_fresh *fresh, const question_packet *question) {
  int wait_status = 0;
  int error = find_answer(&wait_status, fresh, question);
  if (error == 0 && fresh->answer->mark != MARK && is_killed(wait_status))
    error = find_answer(&wait_status, fresh, question);
  answer_packet packet = {.mark = MARK, .status = TS_E_INPUT};
  if (error != 0) {
    packet.status = TS_E_IO;
    snprintf(packet.detail, sizeof packet.detail,
             "cannot start a process for a cell: %s; see ulimit -u", strerror(error));
  } else if (fresh->answer->mark == MARK) {
    packet = *fresh->answer;
  } else if (WIFSIGNALED(wait_status)) {
    snprintf(packet.detail, sizeof packet.detail, "it crashed (SIG%s)",
             sigabbrev_np(WTERMSIG(wait_status)));
  } else {
    snprintf(packet.detail, sizeof packet.detail, "it ended the process");
  }
  send_packet(SOCKET, &packet, sizeof packet);
}

/// Until the other side has gone.
static _Noreturn void serve_all(const ts_fresh *fresh, int socket, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t all; // what a user or a system sends to all processes ends the cell, and so this one
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  signal(SIGCHLD, SIG_DFL); // otherwise there may be nothing to wait for
  if (getppid() != parent || dup2(socket, SOCKET) < 0)
    _exit(1);
  close_range(SOCKET + 1, ~0U, 0);
  dup2(STDOUT_FILENO, STDERR_FILENO); // what a method says is heard once
  union {
    body_packet body;
    question_packet question;
  } packet;
  for (;;) {
    size_t bytes = receive_packet(SOCKET, &packet, sizeof packet);
    if (bytes == 0)
      _exit(0);
    if (bytes == sizeof packet.body && packet.body.mark == MARK &&
        packet.body.index < fresh->built->body_count)
      fresh->bodies[packet.body.index] = packet.body.body;
    else if (bytes == sizeof packet.question && packet.question.mark == MARK)
      serve(fresh, &packet.question);
  }
}

static void free_fresh(ts_fresh *fresh) {
  if (fresh->answer != MAP_FAILED)
    munmap(fresh->answer, sizeof *fresh->answer);
  free(fresh->bodies);
  free(fresh);
}

static ts_status allocate(ts_fresh **out, size_t body_count) {
  ts_fresh *fresh = calloc(1, sizeof *fresh);
  if (!fresh)
    return ts_fail(TS_E_MEMORY, "out of memory");
  fresh->bodies = calloc(body_count, sizeof *fresh->bodies);
  fresh->answer =
      mmap(NULL, sizeof *fresh->answer, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  *out = fresh;
  if (fresh->bodies && fresh->answer != MAP_FAILED)
    return TS_OK;
  free_fresh(fresh);
  return ts_fail(TS_E_MEMORY, "out of memory");
}

/// Forks a process whose name is set from the start: the name distinguishes it from processes that
/// a method starts, even when the method crashes at once.
static pid_t fork_named(const char *name) {
  char before[16];
  prctl(PR_GET_NAME, before);
  prctl(PR_SET_NAME, name);
  pid_t process = fork();
  if (process != 0)
    prctl(PR_SET_NAME, before);
  return process;
}

ts_status ts_fresh_start(ts_fresh **out, ts_narrow_phase *phase, const ts_scene *built,
                         const ts_moved_truth *truth) {
  ts_fresh *fresh = NULL;
  TS_TRY(allocate(&fresh, built->body_count));
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
    free_fresh(fresh);
    return ts_fail(TS_E_IO, "cannot open a socket for a cell: %s; see ulimit -n", strerror(errno));
  }
  fresh->phase = phase;
  fresh->built = built;
  fresh->truth = truth;
  fresh->socket = sockets[0];
  sigprocmask(SIG_SETMASK, NULL, &fresh->signals);
  pid_t parent = getpid();
  fresh->process = fork_named(TS_KEEPER_OWN_PROCESS_NAME);
  if (fresh->process == 0)
    serve_all(fresh, sockets[1], parent);
  close(sockets[1]);
  if (fresh->process < 0) {
    ts_status status =
        ts_fail(TS_E_IO, "cannot start a process for a cell: %s; see ulimit -u", strerror(errno));
    ts_fresh_destroy(fresh);
    return status;
  }
  *out = fresh;
  return TS_OK;
}

void ts_fresh_destroy(ts_fresh *fresh) {
  if (!fresh)
    return;
  // Not only closed: a process that the method has started may hold it, too.
  bool is_told = shutdown(fresh->socket, SHUT_RDWR) == 0;
  close(fresh->socket);
  while (is_told && fresh->process > 0 && waitpid(fresh->process, NULL, 0) < 0 && errno == EINTR)
    continue;
  free_fresh(fresh);
}

static ts_status send_question(const ts_fresh *fresh, const ts_fresh_question *question) {
  bool is_as_built = question->bodies == fresh->built->bodies;
  for (size_t i = 0; !is_as_built && i < fresh->built->body_count; i++) {
    body_packet packet = {.mark = MARK, .index = i, .body = question->bodies[i]};
    TS_TRY(send_packet(fresh->socket, &packet, sizeof packet));
  }
  question_packet packet = {MARK, question->number, question->renews_pairs, is_as_built};
  return send_packet(fresh->socket, &packet, sizeof packet);
}

ts_status ts_fresh_ask(uint64_t *out_hash, ts_fresh *fresh, const ts_fresh_question *question) {
  answer_packet packet;
  size_t bytes = 1;
  if (send_question(fresh, question) == TS_OK)
    do {
      bytes = receive_packet(fresh->socket, &packet, sizeof packet);
    } while (bytes > 0 && (bytes != sizeof packet || packet.mark != MARK));
  else
    bytes = 0;
  if (bytes == 0)
    return ts_fail(TS_E_INPUT,
                   "cannot be asked in another process: that has ended, or its socket is closed; "
                   "by SIGKILL from outside, for want of memory, or by the method, which must only "
                   "close files that it has opened");
  *out_hash = packet.hash;
  packet.detail[sizeof packet.detail - 1] = '\0';
  if (packet.status == TS_OK)
    return TS_OK;
  if (packet.status == TS_E_IO)
    return ts_fail(TS_E_IO, "%s", packet.detail);
  return ts_fail(TS_E_INPUT,
                 "depends on what was asked before: asked for the first time at the same poses, "
                 "in another process, it fails: %s",
                 packet.detail);
}
