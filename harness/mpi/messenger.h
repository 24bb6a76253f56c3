// SPDX-License-Identifier: MIT
/// Carries the packets of a crew (harness/pool/crew.h) between the ranks, by MPI.
#ifndef TS_HARNESS_MESSENGER_H
#define TS_HARNESS_MESSENGER_H

#include <sys/types.h>

/// Joins the other ranks and carries packets between them and `server`, the child process of this
/// rank that runs the command, through `socket` (a stream, taken over). Returns once all ranks have
/// ended; the exit status is that of the server on rank 0 (128 + signal if it was killed), and 0 on
/// the others, whose failures rank 0 tells.
///
/// Rank 0's server decides when the run ends. A rank whose server has died, or that has not been
/// heard of for 10 s, is reported to rank 0 as lost; the others go on.
int ts_messenger_run(int socket, pid_t server);

#endif
