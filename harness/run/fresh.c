// SPDX-License-Identifier: MIT
#include "harness/run/fresh.h"

#include "base/status.h"
#include "harness/isolation/keeper.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
  ts_body *bodies; ///< [built->body_count] of the next question; in the forked processes
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

static _Noreturn void answer(const ts_fresh *fresh, const question_packet *question) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  answer_packet packet = {.mark = MARK};
  packet.status = find_hash(&packet.hash, fresh, question);
  if (packet.status != TS_OK)
    snprintf(packet.detail, sizeof packet.detail, "%s", ts_status_detail());
  _exit(send_packet(SOCKET, &packet, sizeof packet) == TS_OK ? 0 : 1);
}

/// Answers a question in a process of its own, and for that process when it dies.
static void serve(const ts_fresh *fresh, const question_packet *question) {
  answer_packet packet = {.mark = MARK, .status = TS_E_INPUT};
  pid_t process = fork();
  if (process == 0)
    answer(fresh, question);
  int wait_status = 0;
  while (process > 0 && waitpid(process, &wait_status, 0) < 0 && errno == EINTR)
    continue;
  if (process > 0 && WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0)
    return;
  if (process < 0) {
    packet.status = TS_E_IO;
    snprintf(packet.detail, sizeof packet.detail,
             "cannot start a process for a cell: %s; see ulimit -u", strerror(errno));
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
  prctl(PR_SET_NAME, TS_KEEPER_OWN_PROCESS_NAME);
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

ts_status ts_fresh_start(ts_fresh **out, ts_narrow_phase *phase, const ts_scene *built,
                         const ts_moved_truth *truth) {
  ts_fresh *fresh = calloc(1, sizeof *fresh);
  ts_body *bodies = calloc(built->body_count, sizeof *bodies);
  if (!fresh || !bodies) {
    free(fresh);
    free(bodies);
    return ts_fail(TS_E_MEMORY, "out of memory");
  }
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
    free(fresh);
    free(bodies);
    return ts_fail(TS_E_IO, "cannot open a socket for a cell: %s; see ulimit -n", strerror(errno));
  }
  *fresh = (ts_fresh){
      .phase = phase, .built = built, .truth = truth, .bodies = bodies, .socket = sockets[0]};
  pid_t parent = getpid();
  fresh->process = fork();
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
  free(fresh->bodies);
  free(fresh);
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
                   "a process of the cell was ended, or its socket closed, by the method; "
                   "it must only close files that it has opened");
  *out_hash = packet.hash;
  packet.detail[sizeof packet.detail - 1] = '\0';
  if (packet.status == TS_OK)
    return TS_OK;
  return ts_fail(packet.status == TS_E_IO ? TS_E_IO : TS_E_INPUT, "%s", packet.detail);
}
