// SPDX-License-Identifier: MIT
#include "geometry/mesh/helper_store.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

/// Memory is taken as it is filled. A million triangles need 0.1 GiB.
#define STORE_BYTES ((size_t)512 << 20)
#define ENTRIES_MAX 4096
#define WHOLE       1

/// One answer, preceded by what it answers: the program with its final zero, then the question.
/// Written by one process, which takes the number of the entry and the room for its bytes first; it
/// is read once it is whole.
typedef struct entry {
  atomic_uint state; ///< WHOLE, or it counts as none
  size_t begin;      ///< of its bytes, in store.bytes
  size_t program_count, question_count, answer_count;
  uint64_t question_hash, hash; ///< of program and question, of all its bytes
} entry;

typedef struct store {
  atomic_size_t entry_count, byte_count; ///< taken; may be more than there is room for
  entry entries[ENTRIES_MAX];
  uint8_t bytes[];
} store;

static store *shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; ///< among the threads of this process

/// Continues over bytes, eight at a time.
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  while (count > 0) {
    uint64_t word = 0;
    size_t step = count < sizeof word ? count : sizeof word;
    memcpy(&word, next, step);
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 32;
    next += step;
    count -= step;
  }
  return hash;
}

static uint64_t hash_question(const ts_helper_question *q) {
  uint64_t hash = hash_bytes(q->byte_count, q->program, strlen(q->program) + 1);
  return hash_bytes(hash, q->bytes, q->byte_count);
}

void ts_helper_store_open(void) {
  if (shared)
    return;
  void *memory =
      mmap(NULL, STORE_BYTES, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  shared = memory == MAP_FAILED ? NULL : memory;
}

void ts_helper_store_close(void) {
  if (shared)
    munmap(shared, STORE_BYTES);
  shared = NULL;
}

/// Brings the memory within reach. False: there is none.
static bool begin(void) {
  pthread_mutex_lock(&lock);
  if (shared && mprotect(shared, STORE_BYTES, PROT_READ | PROT_WRITE) == 0)
    return true;
  pthread_mutex_unlock(&lock);
  return false;
}

/// Its pages stay, but no longer count as memory of this process.
static void end(void) {
  madvise(shared, STORE_BYTES, MADV_DONTNEED);
  mprotect(shared, STORE_BYTES, PROT_NONE);
  pthread_mutex_unlock(&lock);
}

/// Whether an entry that is whole answers the question. Nothing in it is trusted.
static bool is_answer(const entry *e, const ts_helper_question *q, uint64_t question_hash) {
  size_t room = STORE_BYTES - sizeof *shared, program_count = strlen(q->program) + 1;
  if (e->question_hash != question_hash || e->program_count != program_count ||
      e->question_count != q->byte_count || e->begin > room || e->answer_count > q->answer_limit ||
      e->answer_count > room - e->begin ||
      program_count + q->byte_count > room - e->begin - e->answer_count)
    return false;
  const uint8_t *bytes = shared->bytes + e->begin;
  return memcmp(bytes, q->program, program_count) == 0 &&
         memcmp(bytes + program_count, q->bytes, q->byte_count) == 0 &&
         hash_bytes(question_hash, bytes + program_count + q->byte_count, e->answer_count) ==
             e->hash;
}

static const entry *find(const ts_helper_question *q) {
  uint64_t question_hash = hash_question(q);
  size_t count = atomic_load(&shared->entry_count);
  for (size_t i = 0; i < count && i < ENTRIES_MAX; i++) {
    const entry *e = &shared->entries[i];
    if (atomic_load(&e->state) == WHOLE && is_answer(e, q, question_hash))
      return e;
  }
  return NULL;
}

bool ts_helper_store_find(ts_helper_answer *out, ts_arena *arena,
                          const ts_helper_question *question) {
  if (!begin())
    return false;
  const entry *e = find(question);
  uint8_t *copy = NULL;
  if (e)
    copy = ts_arena_copy(arena, shared->bytes + e->begin + e->program_count + e->question_count,
                         e->answer_count, 1);
  if (copy)
    *out =
        (ts_helper_answer){.end = TS_HELPER_ANSWERED, .bytes = copy, .byte_count = e->answer_count};
  end();
  return copy != NULL;
}

static void keep(const ts_helper_question *q, const ts_helper_answer *answer) {
  size_t program_count = strlen(q->program) + 1, room = STORE_BYTES - sizeof *shared;
  size_t count = program_count + q->byte_count + answer->byte_count;
  if (count > room || atomic_load(&shared->byte_count) > room - count)
    return;
  size_t begin = atomic_fetch_add(&shared->byte_count, count);
  size_t number = atomic_fetch_add(&shared->entry_count, 1);
  if (begin > room - count || number >= ENTRIES_MAX)
    return;
  entry *e = &shared->entries[number];
  uint8_t *bytes = shared->bytes + begin;
  memcpy(bytes, q->program, program_count);
  memcpy(bytes + program_count, q->bytes, q->byte_count);
  memcpy(bytes + program_count + q->byte_count, answer->bytes, answer->byte_count);
  e->begin = begin;
  e->program_count = program_count;
  e->question_count = q->byte_count;
  e->answer_count = answer->byte_count;
  e->question_hash = hash_question(q);
  e->hash = hash_bytes(e->question_hash, answer->bytes, answer->byte_count);
  atomic_store(&e->state, WHOLE);
}

void ts_helper_store_keep(const ts_helper_question *question, const ts_helper_answer *answer) {
  if (!begin())
    return;
  if (!find(question)) // another process may have been faster
    keep(question, answer);
  end();
}
