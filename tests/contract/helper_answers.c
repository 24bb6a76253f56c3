// SPDX-License-Identifier: MIT
#include "tests/contract/helper_answers.h"

#include "base/hash.h"
#include "geometry/mesh/helper_process.h"

#include <criterion/criterion.h>
#include <string.h>

typedef struct known {
  ts_helper_question question;
  ts_helper_answer answer;
  struct known *next;
} known;

static ts_arena *arena; ///< owns all that is known
static known *buckets[256];

// Names that the linker's option --wrap prescribes.
ts_status __real_ts_helper_ask(ts_helper_answer *out, ts_arena *to, const ts_helper_question *q);
ts_status __wrap_ts_helper_ask(ts_helper_answer *out, ts_arena *to, const ts_helper_question *q);

void helper_answers_forget(void) {
  ts_arena_destroy(arena);
  arena = NULL;
  memset(buckets, 0, sizeof buckets);
}

static const void *copy(ts_arena *to, const void *bytes, size_t count) {
  const void *made = ts_arena_copy(to, bytes, count, 1);
  cr_assert(made);
  return made;
}

static bool is_same(const ts_helper_question *a, const ts_helper_question *b) {
  return strcmp(a->program, b->program) == 0 && a->byte_count == b->byte_count &&
         memcmp(a->bytes, b->bytes, a->byte_count) == 0;
}

static void keep(known **bucket, const ts_helper_question *question,
                 const ts_helper_answer *answer) {
  known *kept = ts_arena_alloc(arena, sizeof *kept);
  cr_assert(kept);
  *kept = (known){*question, *answer, *bucket};
  kept->question.program = copy(arena, question->program, strlen(question->program) + 1);
  kept->question.bytes = copy(arena, question->bytes, question->byte_count);
  kept->answer.bytes = copy(arena, answer->bytes, answer->byte_count);
  *bucket = kept;
}

ts_status __wrap_ts_helper_ask(ts_helper_answer *out, ts_arena *to, const ts_helper_question *q) {
  if (!arena)
    cr_assert_eq(ts_arena_create(&arena), TS_OK);
  uint64_t hash = ts_hash_bytes(TS_HASH_START, q->bytes, q->byte_count);
  known **bucket = &buckets[hash % (sizeof buckets / sizeof *buckets)];
  for (const known *k = *bucket; k; k = k->next)
    if (is_same(&k->question, q)) {
      *out = k->answer;
      out->bytes = copy(to, k->answer.bytes, k->answer.byte_count);
      return TS_OK;
    }
  ts_status status = __real_ts_helper_ask(out, to, q);
  if (status == TS_OK && out->end == TS_HELPER_ANSWERED)
    keep(bucket, q, out);
  return status;
}
