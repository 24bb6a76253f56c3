// SPDX-License-Identifier: MIT
/// The ranks that run one plan, as seen by one of them: messages to and from the others, through a
/// socket to the messenger of this rank (harness/mpi/messenger.h), which alone knows MPI.
///
/// Rank 0 leads: it hands out cells and writes all rows. The others serve: they run cells.
#ifndef TS_HARNESS_CREW_H
#define TS_HARNESS_CREW_H

#include "base/types.h"

#include <poll.h>
#include <stdbool.h>

typedef enum ts_message_kind {
  TS_MESSAGE_WELCOME = 1, ///< from the messenger: `rank`, and in `number` how many ranks there are
  TS_MESSAGE_OPTIONS,     ///< to all: the options of the run, a JSON array
  TS_MESSAGE_REPORT,      ///< to rank 0: what this rank would run, a JSON object
  TS_MESSAGE_CELL,        ///< to a rank: run the cell `number`
  TS_MESSAGE_ROWS,        ///< to rank 0: the rows of the cell `number`, as by ts_cell_ipc_write
  TS_MESSAGE_ERROR,       ///< to rank 0: this rank cannot go on, the text says why
  TS_MESSAGE_SIGNAL,      ///< to rank 0: this rank got the termination signal `number`
  TS_MESSAGE_LOST         ///< from the messenger: `rank` has died
} ts_message_kind;

typedef struct ts_message {
  ts_message_kind kind;
  int rank; ///< that it goes to, or comes from
  uint64_t number;
  int64_t run_ns; ///< of TS_MESSAGE_ROWS
  int body;       ///< a file (memfd) with its text or rows; -1: none
} ts_message;

/// A message travels in packets of this size at most, so that neither side ever has to hold a
/// whole message of another, and MPI sends from buffers that are small.
#define TS_PACKET_BYTES ((size_t)65536)

/// Begins each packet; its part of the body follows.
typedef struct ts_packet_head {
  uint32_t kind, bytes; ///< of the part that follows
  int32_t rank;
  uint32_t is_last; ///< packet of its message
  uint64_t number;
  int64_t run_ns;
} ts_packet_head;

typedef struct ts_packet {
  ts_packet_head head;
  unsigned char body[TS_PACKET_BYTES - sizeof(ts_packet_head)];
} ts_packet;

typedef struct ts_crew ts_crew;

/// Waits for the welcome that comes through `socket` (a stream, taken over). TS_E_IO when the
/// messenger ends instead.
ts_status ts_crew_join(ts_crew **out, int socket);

/// Closes the socket; what was not sent is dropped. NULL is allowed.
void ts_crew_leave(ts_crew *crew);

int ts_crew_rank(const ts_crew *crew);
int ts_crew_count(const ts_crew *crew);

/// Puts a message in the queue to be sent, and takes over its body. Does not wait.
ts_status ts_crew_send(ts_crew *crew, const ts_message *message);

/// The same with a text as its body.
ts_status ts_crew_send_text(ts_crew *crew, const ts_message *message, const char *text);

/// What to wait for with poll().
struct pollfd ts_crew_poll(const ts_crew *crew);

/// Sends and receives as much as is possible without waiting. The next message that has come whole
/// is in `*out`, whose body is the caller's; false when there is none. `*out_has_ended`: the
/// messenger has gone, and with it the other ranks. TS_E_MEMORY, TS_E_IO.
ts_status ts_crew_next(bool *out_is_there, bool *out_has_ended, ts_message *out, ts_crew *crew);

/// The same, and waits for it. TS_E_IO when the messenger has gone.
ts_status ts_crew_wait(ts_message *out, ts_crew *crew);

/// Waits until all messages are handed to the messenger.
ts_status ts_crew_flush(ts_crew *crew);

#endif
