// SPDX-License-Identifier: MIT
#include "harness/mpi/messenger.h"

#include "base/clock.h"
#include "harness/plan/exits.h"
#include "harness/pool/crew.h"
#include "harness/run/interrupt.h"

#include <errno.h>
#include <mpi.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/// MPI offers nothing to sleep on, and waiting in it takes a core from the cells. So it is asked,
/// often just after something happened and then less and less: a cell of 1 s is then handed out
/// within a thousandth of its time, and asking takes less than a hundredth of a core.
#define ASK_FIRST_NS 20000
#define ASK_LAST_NS  1000000

/// How often a rank says that it is there, and after which silence it is given up.
#define ALIVE_NS  1000000000
#define SILENT_NS 10000000000

/// Longest step by which the time of silence grows: a process that was stopped for an hour has not
/// listened for an hour.
#define LISTENED_NS 100000000

/// How long a server has to end once its run is over.
#define END_NS 2000000000

/// Packets that are on their way at a time.
#define SEND_COUNT 16

enum { TAG_PACKET, TAG_ALIVE, TAG_END, TAG_BYE };

/// A packet on its way to another rank.
typedef struct sending {
  MPI_Request request; ///< MPI_REQUEST_NULL: free
  int to;
  ts_packet packet;
} sending;

/// What is known of another rank.
typedef struct peer {
  int64_t silent_ns;
  bool is_lost, has_left;
} peer;

typedef struct messenger {
  int rank, count;
  int socket;  ///< -1: closed
  int manager; ///< socket of the process manager, which closes it when the job is to end; -1: none
  pid_t server;
  bool is_reaped;
  int exit_status; ///< of the server, once reaped
  bool is_ending, any_lost;
  bool must_tell_lost; ///< rank 0 has to hear that the server of this rank has died
  peer *peers;         ///< [count]
  sending sends[SEND_COUNT];
  ts_interrupt interrupt;
  ts_packet from_server, to_server;
  size_t from_done, to_done, to_bytes;
  int64_t now_ns, alive_ns;
} messenger;

static size_t packet_bytes(const ts_packet *packet) {
  return sizeof packet->head + packet->head.bytes;
}

/// A free place; NULL when all are in use. Those to a lost rank stay in use: MPI may still read
/// them.
static sending *free_send(messenger *m) {
  for (int i = 0; i < SEND_COUNT; i++) {
    sending *s = &m->sends[i];
    int is_done = 1;
    if (s->request != MPI_REQUEST_NULL)
      MPI_Test(&s->request, &is_done, MPI_STATUS_IGNORE);
    if (is_done)
      return s;
  }
  return NULL;
}

static bool all_sent(messenger *m) {
  for (int i = 0; i < SEND_COUNT; i++) {
    int is_done = 1;
    if (m->sends[i].request != MPI_REQUEST_NULL && !m->peers[m->sends[i].to].is_lost)
      MPI_Test(&m->sends[i].request, &is_done, MPI_STATUS_IGNORE);
    if (!is_done)
      return false;
  }
  return true;
}

static void send_packet(sending *s, int to, int tag) {
  s->to = to;
  MPI_Isend(&s->packet, tag == TAG_PACKET ? (int)packet_bytes(&s->packet) : 0, MPI_BYTE, to, tag,
            MPI_COMM_WORLD, &s->request);
}

/// A message without content, for the ranks themselves. Lossless: an MPI that has no room keeps it.
static void send_tag(int to, int tag) {
  MPI_Request request;
  MPI_Isend(NULL, 0, MPI_BYTE, to, tag, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
}

/// Puts a packet for the server into its place, which must be free.
static void tell_server(messenger *m, ts_message_kind kind, int rank, uint64_t number) {
  m->to_server.head = (ts_packet_head){.kind = kind, .rank = rank, .is_last = 1, .number = number};
  m->to_bytes = sizeof m->to_server.head;
  m->to_done = 0;
}

static bool is_server_place_free(const messenger *m) {
  return m->to_done == m->to_bytes;
}

static void close_socket(messenger *m) {
  if (m->socket >= 0)
    close(m->socket);
  m->socket = -1;
}

/// Notes the end of the server; `options` as of waitpid().
static void reap(messenger *m, int options) {
  int status = 0;
  if (m->is_reaped || waitpid(m->server, &status, options) != m->server)
    return;
  m->is_reaped = true;
  m->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : TS_EXIT_SIGNAL + WTERMSIG(status);
  if (m->rank == 0 && WIFSIGNALED(status) && WTERMSIG(status) != m->interrupt.signal)
    fprintf(
        stderr,
        "touchstone: rank 0 has died (SIG%s); if it had made its results folder, continue with: "
        "mpiexec -n %d touchstone-mpi run --resume FOLDER; else start the run again\n",
        sigabbrev_np(WTERMSIG(status)), m->count);
}

/// The server has gone: the run has ended, or this rank is lost.
static void end_server(messenger *m) {
  close_socket(m);
  reap(m, 0);
  m->to_done = m->to_bytes = 0;
  if (m->rank == 0)
    m->is_ending = true;
  else
    m->must_tell_lost = !m->is_ending;
}

/// Tells rank 0 that the server of this rank has died, once there is a place to send from.
static void tell_lost(messenger *m) {
  sending *s = m->must_tell_lost ? free_send(m) : NULL;
  if (!s)
    return;
  m->must_tell_lost = false;
  s->packet.head = (ts_packet_head){.kind = TS_MESSAGE_LOST, .is_last = 1};
  send_packet(s, 0, TAG_PACKET);
}

/// Reads a part of a packet from the server, and sends it once it is whole.
static bool read_server(messenger *m) {
  if (m->socket < 0)
    return false;
  ts_packet *packet = &m->from_server;
  size_t wanted = m->from_done < sizeof packet->head ? sizeof packet->head : packet_bytes(packet);
  if (m->from_done < wanted) {
    ssize_t count =
        recv(m->socket, (char *)packet + m->from_done, wanted - m->from_done, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
      return false;
    if (count <= 0) {
      end_server(m);
      return true;
    }
    m->from_done += (size_t)count;
  }
  if (m->from_done < sizeof packet->head || m->from_done < packet_bytes(packet))
    return true;
  sending *s = free_send(m);
  if (!s)
    return false;
  memcpy(&s->packet, packet, packet_bytes(packet));
  int to = packet->head.rank;
  m->from_done = 0;
  if (!m->peers[to].is_lost)
    send_packet(s, to, TAG_PACKET);
  return true;
}

static bool write_server(messenger *m) {
  if (is_server_place_free(m) || m->socket < 0)
    return false;
  ssize_t count = send(m->socket, (const char *)&m->to_server + m->to_done,
                       m->to_bytes - m->to_done, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (count > 0)
    m->to_done += (size_t)count;
  else if (count < 0 && errno != EAGAIN && errno != EINTR)
    m->to_done = m->to_bytes; // it has gone, which reading will show
  return count > 0;
}

/// Receives what another rank has sent. Packets stay with MPI until the server has taken the one
/// before; at the end they are dropped.
static bool receive(messenger *m) {
  if (!is_server_place_free(m))
    return false;
  int is_there = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &status) != MPI_SUCCESS ||
      !is_there)
    return false;
  int from = status.MPI_SOURCE;
  MPI_Recv(&m->to_server, (int)sizeof m->to_server, MPI_BYTE, from, status.MPI_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  m->peers[from].silent_ns = 0;
  if (status.MPI_TAG == TAG_END)
    m->is_ending = true;
  if (status.MPI_TAG == TAG_BYE)
    m->peers[from].has_left = true;
  if (status.MPI_TAG != TAG_PACKET)
    return status.MPI_TAG != TAG_ALIVE;
  m->to_server.head.rank = from;
  m->to_bytes = m->socket >= 0 ? packet_bytes(&m->to_server) : 0;
  m->to_done = 0;
  return true;
}

/// Says that this rank is there, and gives up those that have been silent for too long. Rank 0 is
/// in touch with all, the others with rank 0.
static void watch_peers(messenger *m) {
  int64_t now_ns = ts_clock_ns(), step_ns = now_ns - m->now_ns;
  m->now_ns = now_ns;
  step_ns = step_ns < LISTENED_NS ? step_ns : LISTENED_NS;
  bool is_due = now_ns - m->alive_ns >= ALIVE_NS;
  if (is_due)
    m->alive_ns = now_ns;
  for (int i = m->rank == 0 ? 1 : 0; i < (m->rank == 0 ? m->count : 1); i++) {
    peer *p = &m->peers[i];
    if (p->is_lost || p->has_left)
      continue;
    if (is_due)
      send_tag(i, TAG_ALIVE);
    p->silent_ns += step_ns;
    if (p->silent_ns < SILENT_NS || !is_server_place_free(m))
      continue;
    p->is_lost = m->any_lost = true;
    if (m->rank == 0)
      tell_server(m, TS_MESSAGE_LOST, i, 0);
    else
      m->is_ending = true;
  }
}

/// Waits for the server, a signal, the process manager, or the time to ask MPI again.
static void wait_for_change(messenger *m, int64_t wait_ns) {
  bool was_told = m->interrupt.signal != 0; // from then on its file may stay readable
  short events = (short)(is_server_place_free(m) ? POLLIN : POLLIN | POLLOUT);
  struct pollfd files[] = {{.fd = m->socket, .events = events},
                           {.fd = was_told ? -1 : m->interrupt.file, .events = POLLIN},
                           {.fd = m->manager}};
  ppoll(files, 3, &(struct timespec){.tv_nsec = wait_ns}, NULL);
  // The server decides what comes of a signal, which may have been sent to this process alone.
  if (!was_told && ts_interrupt_check(&m->interrupt) != 0 && !m->is_reaped)
    kill(m->server, m->interrupt.signal);
  if (files[2].revents & (POLLHUP | POLLERR))
    _exit(TS_EXIT_USAGE); // the job is killed, and its server with this process
}

/// One round; whether anything happened.
static bool carry(messenger *m) {
  bool any = receive(m);
  any = write_server(m) || any;
  any = read_server(m) || any;
  tell_lost(m);
  watch_peers(m);
  return any;
}

static void carry_until(messenger *m, bool (*is_over)(messenger *m)) {
  int64_t wait_ns = ASK_FIRST_NS;
  while (!is_over(m)) {
    wait_ns = carry(m) ? ASK_FIRST_NS : wait_ns * 2;
    wait_ns = wait_ns < ASK_LAST_NS ? wait_ns : ASK_LAST_NS;
    wait_for_change(m, wait_ns);
  }
}

static bool is_run_over(messenger *m) {
  return m->is_ending;
}

/// Whether nothing is on its way any more. A rank says goodbye when all it has sent was received.
static bool is_all_over(messenger *m) {
  bool all_left = true;
  for (int i = 1; i < m->count && m->rank == 0; i++)
    all_left = all_left && (m->peers[i].has_left || m->peers[i].is_lost);
  return all_left && all_sent(m);
}

/// Ends the server of a rank other than 0, whose run is over.
static void stop_server(messenger *m) {
  close_socket(m);
  m->to_done = m->to_bytes = 0;
  int64_t end_ns = ts_clock_ns() + END_NS;
  for (reap(m, WNOHANG); !m->is_reaped && ts_clock_ns() < end_ns; reap(m, WNOHANG))
    poll(NULL, 0, 1);
  if (!m->is_reaped)
    kill(m->server, SIGKILL);
  reap(m, 0);
}

static void end(messenger *m) {
  if (m->rank == 0)
    for (int i = 1; i < m->count; i++)
      if (!m->peers[i].is_lost)
        send_tag(i, TAG_END);
  if (m->rank > 0)
    stop_server(m);
  carry_until(m, is_all_over);
  if (m->rank > 0 && !m->peers[0].is_lost)
    send_tag(0, TAG_BYE);
  if (m->any_lost)
    _exit(m->rank == 0 ? m->exit_status : TS_EXIT_FINE); // MPI would wait for the lost ones
  MPI_Finalize();
}

/// An MPI that does not know the one that started the program makes each rank a run of its own.
static bool is_started_by_another(int count) {
  static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS"};
  static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "SLURM_PROCID"};
  bool is_alone = count == 1 && !getenv("PMI_RANK") && !getenv("PMI_FD");
  for (int i = 0; i < 2 && is_alone; i++) {
    const char *size = getenv(sizes[i]), *rank = getenv(ranks[i]);
    if (!size || !rank || atoi(size) < 2)
      continue;
    if (atoi(rank) == 0)
      fputs("touchstone: the ranks do not find each other: they were started by something other "
            "than MPICH; start them with mpiexec.mpich, or with srun --mpi=pmi2\n",
            stderr);
    return true;
  }
  return false;
}

int ts_messenger_run(int socket, pid_t server) {
  ts_interrupt interrupt;
  ts_interrupt_start(&interrupt); // before MPI starts threads
  messenger *m = calloc(1, sizeof *m);
  MPI_Init(NULL, NULL);
  // MPICH has set a handler: it asks mpiexec who has died, which can bring mpiexec down.
  signal(SIGUSR1, SIG_IGN);
  prctl(PR_SET_TIMERSLACK, 1000UL);
  const char *manager = getenv("PMI_FD");
  if (m) {
    *m = (messenger){
        .socket = socket, .server = server, .interrupt = interrupt, .now_ns = ts_clock_ns()};
    m->manager = manager ? atoi(manager) : -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &m->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &m->count);
    m->peers = calloc((size_t)m->count, sizeof *m->peers);
  }
  if (!m || !m->peers || is_started_by_another(m->count)) {
    kill(server, SIGKILL);
    MPI_Finalize();
    return TS_EXIT_USAGE;
  }
  for (int i = 0; i < SEND_COUNT; i++)
    m->sends[i].request = MPI_REQUEST_NULL;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  tell_server(m, TS_MESSAGE_WELCOME, m->rank, (uint64_t)m->count);
  carry_until(m, is_run_over);
  end(m);
  int exit_status = m->rank == 0 ? m->exit_status : TS_EXIT_FINE;
  free(m->peers);
  free(m);
  return exit_status;
}
