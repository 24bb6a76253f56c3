// SPDX-License-Identifier: MIT
#include "crew_fixture.h"

#include "base/status.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/// The messengers' ends of the sockets.
typedef struct carrier {
  int count, open;
  int sockets[CREW_MAX];
  ts_packet packet;
} carrier;

static bool read_all(int socket, void *out, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    ssize_t count = recv(socket, (char *)out + done, bytes - done, 0);
    if (count <= 0)
      return false;
    done += (size_t)count;
  }
  return true;
}

static void write_all(int socket, const void *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t now = send(socket, (const char *)bytes + done, count - done, MSG_NOSIGNAL);
    if (now <= 0)
      return; // that rank has left
    done += (size_t)now;
  }
}

/// Passes one packet of a rank on, as the messengers do; false once it has left.
static bool pass_on(carrier *c, int from) {
  ts_packet *packet = &c->packet;
  if (!read_all(c->sockets[from], &packet->head, sizeof packet->head) ||
      !read_all(c->sockets[from], packet->body, packet->head.bytes))
    return false;
  int to = packet->head.rank;
  packet->head.rank = from;
  if (c->sockets[to] >= 0)
    write_all(c->sockets[to], packet, sizeof packet->head + packet->head.bytes);
  return true;
}

static void *carry(void *context) {
  carrier *c = context;
  while (c->open > 0) {
    struct pollfd files[CREW_MAX];
    for (int i = 0; i < c->count; i++)
      files[i] = (struct pollfd){.fd = c->sockets[i], .events = POLLIN};
    poll(files, (nfds_t)c->count, -1);
    for (int i = 0; i < c->count; i++) {
      if (c->sockets[i] < 0 || !files[i].revents || pass_on(c, i))
        continue;
      close(c->sockets[i]);
      c->sockets[i] = -1;
      c->open--;
    }
  }
  free(c);
  return NULL;
}

void crew_open(crew_fixture *out, int count) {
  carrier *c = calloc(1, sizeof *c);
  cr_assert(c && count <= CREW_MAX);
  *out = (crew_fixture){.count = count};
  c->count = c->open = count;
  for (int i = 0; i < count; i++) {
    int sockets[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
    c->sockets[i] = sockets[0];
    ts_packet_head welcome = {
        .kind = TS_MESSAGE_WELCOME, .rank = i, .is_last = 1, .number = (uint64_t)count};
    write_all(sockets[0], &welcome, sizeof welcome);
    cr_assert_eq(ts_crew_join(&out->ranks[i], sockets[1]), TS_OK, "%s", ts_status_detail());
    cr_assert_eq(ts_crew_rank(out->ranks[i]), i);
    cr_assert_eq(ts_crew_count(out->ranks[i]), count);
  }
  pthread_t thread;
  cr_assert_eq(pthread_create(&thread, NULL, carry, c), 0);
  pthread_detach(thread);
}

void crew_close(crew_fixture *crew) {
  for (int i = 0; i < crew->count; i++)
    ts_crew_leave(crew->ranks[i]);
}

void crew_hang_up(crew_fixture *crew, int rank) {
  shutdown(ts_crew_poll(crew->ranks[rank]).fd, SHUT_RDWR);
}

const char *crew_text(ts_message *message) {
  static char text[4096];
  memset(text, 0, sizeof text);
  cr_assert(message->body >= 0 && pread(message->body, text, sizeof text - 1, 0) >= 0);
  close(message->body);
  message->body = -1;
  return text;
}

ts_message crew_expect(ts_crew *crew, ts_message_kind kind) {
  ts_message message;
  cr_assert_eq(ts_crew_wait(&message, crew), TS_OK, "%s", ts_status_detail());
  cr_assert_eq(message.kind, kind);
  return message;
}
