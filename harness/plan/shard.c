// SPDX-License-Identifier: MIT
#include "harness/plan/shard.h"

#include "base/status.h"

#include <stdbool.h>
#include <string.h>

/// Reads a number of at most six digits that ends at `end`.
static bool read_number(size_t *out, const char *text, const char *end) {
  size_t length = (size_t)(end - text);
  if (length == 0 || length > 6 || strspn(text, "0123456789") != length)
    return false;
  *out = 0;
  for (; text < end; text++)
    *out = *out * 10 + (size_t)(*text - '0');
  return true;
}

ts_status ts_shard_parse(ts_shard *out, const char *text) {
  *out = (ts_shard){1, 1};
  const char *slash = text ? strchr(text, '/') : NULL;
  if (!text)
    return TS_OK;
  if (!slash || !read_number(&out->number, text, slash) ||
      !read_number(&out->count, slash + 1, text + strlen(text)))
    return ts_fail(TS_E_INPUT, "--shard is \"%.40s\"; write which one of how many: --shard 3/16",
                   text);
  if (out->count < 1 || out->count > TS_SHARD_COUNT_MAX)
    return ts_fail(TS_E_INPUT, "--shard %s: the number of shards must be 1 to %d", text,
                   TS_SHARD_COUNT_MAX);
  if (out->number < 1 || out->number > out->count)
    return ts_fail(TS_E_INPUT, "--shard %s: shards are counted from 1: 1/%zu to %zu/%zu", text,
                   out->count, out->count, out->count);
  return TS_OK;
}

size_t ts_shard_cells(ts_shard shard, size_t plan_cells) {
  return plan_cells < shard.number ? 0 : (plan_cells - shard.number) / shard.count + 1;
}

void ts_shard_take(ts_plan *plan, ts_shard shard) {
  size_t count = ts_shard_cells(shard, plan->cell_count);
  for (size_t i = 0; i < count; i++) {
    plan->cells[i] = plan->cells[shard.number - 1 + i * shard.count];
    plan->cells[i].index = i;
  }
  plan->cell_count = count;
}
