// SPDX-License-Identifier: MIT
// covers: harness/pool/crew.c
#include "harness/pool/crew.h"

#include "base/status.h"
#include "crew_fixture.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(harness_crew);

/// A file of that size whose bytes depend on where they are.
static int patterned(size_t bytes) {
  int file = memfd_create("pattern", MFD_CLOEXEC);
  cr_assert(file >= 0 && ftruncate(file, (off_t)bytes) == 0);
  uint32_t *words = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  cr_assert(words != MAP_FAILED);
  for (size_t i = 0; i < bytes / sizeof *words; i++)
    words[i] = (uint32_t)(i * 2654435761u);
  munmap(words, bytes);
  return file;
}

/// Whether a file is patterned(bytes).
static bool is_patterned(int file, size_t bytes) {
  struct stat facts;
  cr_assert(fstat(file, &facts) == 0);
  if ((size_t)facts.st_size != bytes)
    return false;
  uint32_t *words = mmap(NULL, bytes, PROT_READ, MAP_SHARED, file, 0);
  cr_assert(words != MAP_FAILED);
  bool is_equal = true;
  for (size_t i = 0; i < bytes / sizeof *words && is_equal; i++)
    is_equal = words[i] == (uint32_t)(i * 2654435761u);
  munmap(words, bytes);
  return is_equal;
}

/// Sends `message` from one rank to another while both go on, as ranks do.
static ts_message carried(ts_crew *from, ts_crew *to, const ts_message *message) {
  cr_assert_eq(ts_crew_send(from, message), TS_OK, "%s", ts_status_detail());
  for (;;) {
    bool is_there, has_ended;
    ts_message none, arrived;
    cr_assert_eq(ts_crew_next(&is_there, &has_ended, &none, from), TS_OK);
    cr_assert(!is_there && !has_ended);
    cr_assert_eq(ts_crew_next(&is_there, &has_ended, &arrived, to), TS_OK);
    cr_assert(!has_ended);
    if (is_there)
      return arrived;
    struct pollfd files[] = {ts_crew_poll(from), ts_crew_poll(to)};
    poll(files, 2, 100);
  }
}

Test(harness_crew, rows_of_100_MB_arrive_whole) {
  crew_fixture crew;
  crew_open(&crew, 3);
  const size_t bytes = 100000000;
  ts_message message = {
      .kind = TS_MESSAGE_ROWS, .number = 7, .run_ns = 5, .body = patterned(bytes)};
  ts_message arrived = carried(crew.ranks[2], crew.ranks[0], &message);
  cr_expect_eq(arrived.kind, TS_MESSAGE_ROWS);
  cr_expect_eq(arrived.rank, 2);
  cr_expect_eq(arrived.number, 7);
  cr_expect_eq(arrived.run_ns, 5);
  cr_expect(is_patterned(arrived.body, bytes));
  close(arrived.body);
  crew_close(&crew);
}

Test(harness_crew, sizes_around_that_of_a_packet_arrive_whole) {
  crew_fixture crew;
  crew_open(&crew, 2);
  size_t room = sizeof((ts_packet *)NULL)->body;
  const size_t sizes[] = {4, room - 4, room, room + 4, 2 * room, 2 * room + 4};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    ts_message message = {.kind = TS_MESSAGE_ROWS, .rank = 1, .body = patterned(sizes[i])};
    ts_message arrived = carried(crew.ranks[0], crew.ranks[1], &message);
    cr_expect(is_patterned(arrived.body, sizes[i]), "%zu bytes", sizes[i]);
    close(arrived.body);
  }
  crew_close(&crew);
}

Test(harness_crew, messages_of_two_ranks_are_not_mixed_up) {
  crew_fixture crew;
  crew_open(&crew, 3);
  for (int rank = 1; rank <= 2; rank++)
    for (uint64_t i = 0; i < 20; i++)
      cr_assert_eq(ts_crew_send(crew.ranks[rank], &(ts_message){.kind = TS_MESSAGE_ROWS,
                                                                .number = i,
                                                                .body = patterned(100000)}),
                   TS_OK);
  uint64_t next[3] = {0};
  while (next[1] + next[2] < 40) {
    bool is_there, has_ended;
    ts_message message;
    for (int rank = 1; rank <= 2; rank++)
      cr_assert_eq(ts_crew_next(&is_there, &has_ended, &message, crew.ranks[rank]), TS_OK);
    cr_assert_eq(ts_crew_next(&is_there, &has_ended, &message, crew.ranks[0]), TS_OK);
    cr_assert(!has_ended);
    if (!is_there)
      continue;
    cr_expect_eq(message.number, next[message.rank]++, "in the order in which they were sent");
    cr_expect(is_patterned(message.body, 100000));
    close(message.body);
  }
  crew_close(&crew);
}

Test(harness_crew, sending_does_not_wait_for_a_rank_that_does_not_listen) {
  crew_fixture crew;
  crew_open(&crew, 2);
  for (int i = 0; i < 20000; i++)
    cr_assert_eq(
        ts_crew_send(crew.ranks[0], &(ts_message){.kind = TS_MESSAGE_CELL, .rank = 1, .body = -1}),
        TS_OK);
  cr_expect(ts_crew_poll(crew.ranks[0]).events & POLLOUT, "some are not sent yet");
  crew_close(&crew);
}

Test(harness_crew, a_text_arrives) {
  crew_fixture crew;
  crew_open(&crew, 2);
  cr_assert_eq(
      ts_crew_send_text(crew.ranks[1], &(ts_message){.kind = TS_MESSAGE_ERROR}, "no room left"),
      TS_OK);
  ts_message message = crew_expect(crew.ranks[0], TS_MESSAGE_ERROR);
  cr_expect_str_eq(crew_text(&message), "no room left");
  crew_close(&crew);
}

Test(harness_crew, without_a_messenger_there_is_nothing_to_join) {
  int sockets[2];
  ts_crew *crew;
  cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  close(sockets[0]);
  cr_expect_eq(ts_crew_join(&crew, sockets[1]), TS_E_IO);
}

Test(harness_crew, what_is_no_packet_ends_the_crew) {
  int sockets[2];
  ts_crew *crew;
  cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  ts_packet_head packets[2] = {
      {.kind = TS_MESSAGE_WELCOME, .is_last = 1, .number = 2},
      {.kind = TS_MESSAGE_ROWS, .bytes = UINT32_MAX, .is_last = 1, .rank = 1}};
  cr_assert_eq(send(sockets[0], packets, sizeof packets, 0), (ssize_t)sizeof packets);
  cr_assert_eq(ts_crew_join(&crew, sockets[1]), TS_OK, "%s", ts_status_detail());
  bool is_there, has_ended;
  ts_message message;
  cr_assert_eq(ts_crew_next(&is_there, &has_ended, &message, crew), TS_OK);
  cr_expect(!is_there && has_ended);
  ts_crew_leave(crew);
  close(sockets[0]);
}
