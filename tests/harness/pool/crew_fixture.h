// SPDX-License-Identifier: MIT
/// A crew within one process: what carries packets between ranks is a thread, without MPI.
#ifndef TS_TESTS_HARNESS_CREW_FIXTURE_H
#define TS_TESTS_HARNESS_CREW_FIXTURE_H

#include "harness/pool/crew.h"

#define CREW_MAX 4

typedef struct crew_fixture {
  int count;
  ts_crew *ranks[CREW_MAX]; ///< [count], that of rank 0 first
} crew_fixture;

/// A crew of `count` ranks, at least 2; packets of each rank go where they are addressed to.
void crew_open(crew_fixture *out, int count);

/// Lets all ranks leave, which ends the thread.
void crew_close(crew_fixture *crew);

/// Ends the messenger of a rank, as when rank 0 has ended.
void crew_hang_up(crew_fixture *crew, int rank);

/// The text of a message, whose body is closed; static memory.
const char *crew_text(ts_message *message);

/// Waits for the next message of a rank, which must be of this kind.
ts_message crew_expect(ts_crew *crew, ts_message_kind kind);

#endif
