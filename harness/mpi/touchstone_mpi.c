// SPDX-License-Identifier: MIT
/// touchstone-mpi: the command `run` over the ranks of an MPI job (docs/scale.md).
///
/// Each rank is two processes: this one, which is the only one that knows MPI, and the server,
/// which was started before MPI was, and does all else. So no cell is forked from a process with
/// the memory, files and threads of MPI and its drivers.
#include "base/status.h"
#include "harness/commands/run.h"
#include "harness/help/topics.h"
#include "harness/mpi/messenger.h"
#include "harness/plan/exits.h"
#include "harness/program.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

static ts_status run_command(int *out_exit, int count, char *const *arguments, ts_crew *crew) {
  if (ts_crew_rank(crew) > 0)
    return ts_run_command(out_exit, 0, NULL, crew);
  if (count > 0 && strcmp(arguments[0], "--version") == 0) {
    printf("touchstone-mpi " TOUCHSTONE_VERSION "\n");
    return TS_OK;
  }
  if (count > 0 && (strcmp(arguments[0], "--help") == 0 || strcmp(arguments[0], "-h") == 0))
    return ts_topic_print(stdout, ts_topic_find("mpi"), TS_PAGE_TEXT);
  if (count == 0 || strcmp(arguments[0], "run") != 0)
    return ts_fail(TS_E_INPUT,
                   "touchstone-mpi has the command run only; use touchstone for the others, or see "
                   "touchstone-mpi --help");
  return ts_run_command(out_exit, count - 1, arguments + 1, crew);
}

/// The server of this rank. It dies with its messenger, and holds nothing of the process manager.
static int serve(int socket, pid_t messenger, int count, char *const *arguments) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != messenger)
    return TS_EXIT_USAGE;   // it died before the line above
  signal(SIGUSR1, SIG_IGN); // from mpiexec, when a rank has died
  const char *manager = getenv("PMI_FD");
  if (manager && atoi(manager) > STDERR_FILENO)
    close(atoi(manager));
  ts_crew *crew;
  int exit_status = TS_EXIT_FINE;
  ts_status status = ts_crew_join(&crew, socket);
  if (status == TS_OK) {
    status = run_command(&exit_status, count, arguments, crew);
    int result = ts_program_end(status, exit_status);
    ts_crew_leave(crew);
    return result;
  }
  return ts_program_end(status, exit_status);
}

int main(int count, char **arguments) {
  if (!ts_program_start())
    return TS_EXIT_USAGE;
  int sockets[2];
  pid_t messenger = getpid();
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    return ts_program_end(
        ts_fail(TS_E_IO, "cannot open a socket: %s; see ulimit -n", strerror(errno)), 0);
  pid_t server = fork();
  if (server < 0)
    return ts_program_end(
        ts_fail(TS_E_IO, "cannot start a process: %s; see ulimit -u", strerror(errno)), 0);
  close(sockets[server == 0 ? 0 : 1]);
  if (server == 0)
    return serve(sockets[1], messenger, count - 1, arguments + 1);
  return ts_messenger_run(sockets[0], server);
}
