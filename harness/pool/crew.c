// SPDX-License-Identifier: MIT
#include "harness/pool/crew.h"

#include "base/status.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/// A message that waits to be sent.
typedef struct parcel {
  ts_message message;
  size_t body_bytes, sent_bytes;
  struct parcel *next;
} parcel;

struct ts_crew {
  int socket, rank, count;
  bool has_ended;
  parcel *first, *last;
  ts_packet out; ///< is being sent
  size_t out_bytes, out_done;
  ts_packet in; ///< is being received
  size_t in_done;
  int *bodies; ///< [count], of the message that each rank is sending; -1: none
};

static ts_status fail_gone(void) {
  return ts_fail(TS_E_IO, "the connection to the other ranks has ended");
}

/// Whether an I/O call that gave `count` has to be tried again later; an end is noted.
static bool must_wait(ts_crew *crew, ssize_t count) {
  if (count > 0)
    return false;
  if (count == 0 || (errno != EAGAIN && errno != EINTR))
    crew->has_ended = true;
  return true;
}

/// Fills the packet to be sent from the first parcel. False: there is none.
static ts_status next_packet(bool *out_is_there, ts_crew *crew) {
  parcel *p = crew->first;
  *out_is_there = p != NULL;
  if (!p)
    return TS_OK;
  size_t left = p->body_bytes - p->sent_bytes;
  size_t count = left < sizeof crew->out.body ? left : sizeof crew->out.body;
  if (count > 0 &&
      pread(p->message.body, crew->out.body, count, (off_t)p->sent_bytes) != (ssize_t)count)
    return ts_fail(TS_E_IO, "cannot read back a message to another rank: %s", strerror(errno));
  p->sent_bytes += count;
  crew->out.head = (ts_packet_head){.kind = p->message.kind,
                                    .bytes = (uint32_t)count,
                                    .rank = p->message.rank,
                                    .is_last = count == left,
                                    .number = p->message.number,
                                    .run_ns = p->message.run_ns};
  crew->out_bytes = sizeof crew->out.head + count;
  crew->out_done = 0;
  if (count < left)
    return TS_OK;
  crew->first = p->next;
  if (!crew->first)
    crew->last = NULL;
  if (p->message.body >= 0)
    close(p->message.body);
  free(p);
  return TS_OK;
}

static ts_status send_packets(ts_crew *crew) {
  while (!crew->has_ended) {
    bool is_there = true;
    if (crew->out_done == crew->out_bytes)
      TS_TRY(next_packet(&is_there, crew));
    if (!is_there)
      return TS_OK;
    ssize_t count = send(crew->socket, (const char *)&crew->out + crew->out_done,
                         crew->out_bytes - crew->out_done, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (must_wait(crew, count))
      return TS_OK;
    crew->out_done += (size_t)count;
  }
  return TS_OK;
}

/// Receives the rest of a packet; false when it is not there yet.
static bool receive_packet(ts_crew *crew) {
  for (;;) {
    size_t wanted = sizeof crew->in.head;
    if (crew->in_done >= wanted)
      wanted += crew->in.head.bytes;
    if (crew->in_done == wanted && wanted > sizeof crew->in)
      crew->has_ended = true; // not a packet
    if (crew->in_done >= sizeof crew->in.head && crew->in_done == wanted) {
      crew->in_done = 0;
      return true;
    }
    ssize_t count = wanted <= sizeof crew->in
                        ? recv(crew->socket, (char *)&crew->in + crew->in_done,
                               wanted - crew->in_done, MSG_DONTWAIT)
                        : 0;
    if (must_wait(crew, count))
      return false;
    crew->in_done += (size_t)count;
  }
}

/// Appends bytes to a body, which is made if there is none yet.
static ts_status append(int *body, const void *bytes, size_t count) {
  if (*body < 0)
    *body = memfd_create("touchstone-message", MFD_CLOEXEC);
  for (size_t done = 0; *body >= 0 && done < count;) {
    ssize_t now = write(*body, (const char *)bytes + done, count - done);
    if (now < 0 && errno == EINTR)
      continue;
    if (now <= 0)
      return ts_fail(TS_E_IO, "cannot keep a message of another rank in memory: %s",
                     strerror(errno));
    done += (size_t)now;
  }
  return *body >= 0 ? TS_OK
                    : ts_fail(TS_E_IO, "cannot open a file for a message: %s; see ulimit -n",
                              strerror(errno));
}

ts_status ts_crew_next(bool *out_is_there, bool *out_has_ended, ts_message *out, ts_crew *crew) {
  *out_is_there = false;
  TS_TRY(send_packets(crew));
  while (!*out_is_there && receive_packet(crew)) {
    const ts_packet_head *head = &crew->in.head;
    int nothing = -1;
    bool is_of_rank = crew->bodies && head->rank >= 0 && head->rank < crew->count;
    int *body = is_of_rank ? &crew->bodies[head->rank] : &nothing;
    if (head->bytes > 0)
      TS_TRY(append(body, crew->in.body, head->bytes));
    if (!head->is_last)
      continue;
    *out_is_there = true;
    *out = (ts_message){(ts_message_kind)head->kind, head->rank, head->number, head->run_ns, *body};
    *body = -1;
  }
  *out_has_ended = crew->has_ended;
  return TS_OK;
}

struct pollfd ts_crew_poll(const ts_crew *crew) {
  bool has_more = crew->first || crew->out_done < crew->out_bytes;
  return (struct pollfd){.fd = crew->socket,
                         .events = (short)(has_more ? POLLIN | POLLOUT : POLLIN)};
}

ts_status ts_crew_wait(ts_message *out, ts_crew *crew) {
  for (;;) {
    bool is_there, has_ended;
    TS_TRY(ts_crew_next(&is_there, &has_ended, out, crew));
    if (is_there)
      return TS_OK;
    if (has_ended)
      return fail_gone();
    struct pollfd file = ts_crew_poll(crew);
    poll(&file, 1, -1);
  }
}

ts_status ts_crew_flush(ts_crew *crew) {
  for (;;) {
    TS_TRY(send_packets(crew));
    struct pollfd file = ts_crew_poll(crew);
    if (crew->has_ended || !(file.events & POLLOUT))
      return crew->has_ended ? fail_gone() : TS_OK;
    file.events = POLLOUT;
    poll(&file, 1, -1);
  }
}

ts_status ts_crew_send(ts_crew *crew, const ts_message *message) {
  struct stat facts = {0};
  parcel *p = calloc(1, sizeof *p);
  if (!p || (message->body >= 0 && fstat(message->body, &facts) != 0)) {
    free(p);
    if (message->body >= 0)
      close(message->body);
    return ts_fail(TS_E_MEMORY, "out of memory");
  }
  *p = (parcel){.message = *message, .body_bytes = (size_t)facts.st_size};
  if (crew->last)
    crew->last->next = p;
  else
    crew->first = p;
  crew->last = p;
  return send_packets(crew);
}

ts_status ts_crew_send_text(ts_crew *crew, const ts_message *message, const char *text) {
  ts_message copy = *message;
  copy.body = -1;
  ts_status status = append(&copy.body, text, strlen(text));
  if (status == TS_OK)
    return ts_crew_send(crew, &copy);
  if (copy.body >= 0)
    close(copy.body);
  return status;
}

ts_status ts_crew_join(ts_crew **out, int socket) {
  ts_crew *crew = calloc(1, sizeof *crew);
  ts_message welcome;
  if (!crew) {
    close(socket);
    return ts_fail(TS_E_MEMORY, "out of memory");
  }
  crew->socket = socket;
  ts_status status = ts_crew_wait(&welcome, crew);
  if (status == TS_OK) {
    crew->rank = welcome.rank;
    crew->bodies = calloc((size_t)welcome.number, sizeof *crew->bodies);
    crew->count = crew->bodies ? (int)welcome.number : 0;
    for (int i = 0; i < crew->count; i++)
      crew->bodies[i] = -1;
    status = crew->bodies ? TS_OK : ts_fail(TS_E_MEMORY, "out of memory");
  }
  if (status != TS_OK) {
    ts_crew_leave(crew);
    return status;
  }
  *out = crew;
  return TS_OK;
}

void ts_crew_leave(ts_crew *crew) {
  if (!crew)
    return;
  for (parcel *p = crew->first, *next; p; p = next) {
    next = p->next;
    if (p->message.body >= 0)
      close(p->message.body);
    free(p);
  }
  for (int i = 0; i < crew->count; i++)
    if (crew->bodies[i] >= 0)
      close(crew->bodies[i]);
  free(crew->bodies);
  close(crew->socket);
  free(crew);
}

int ts_crew_rank(const ts_crew *crew) {
  return crew->rank;
}

int ts_crew_count(const ts_crew *crew) {
  return crew->count;
}
