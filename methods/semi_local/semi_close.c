// SPDX-License-Identifier: MIT
#include "methods/semi_local/semi_close.h"

#include "base/status.h"

typedef struct close_search {
  const ts_host *host;
  ts_semi_close *pairs;
  size_t count, capacity;
} close_search;

static ts_status list_pair(void *context, uint32_t triangle_0, uint32_t triangle_1) {
  close_search *search = context;
  TS_TRY(TS_SEMI_GROW(search->pairs, search->capacity, search->count, search->host));
  search->pairs[search->count++] = (ts_semi_close){{triangle_0, triangle_1}};
  return TS_OK;
}

ts_status ts_semi_find_close_pairs(ts_semi_close_pairs *out, const ts_semi_pair *pair) {
  close_search search = {.host = pair->host};
  TS_TRY(ts_bvh_tandem(pair->side[0].shape->faces, pair->side[1].shape->faces, pair->other_to_frame,
                       pair->s.snap_m, list_pair, &search));
  *out = (ts_semi_close_pairs){search.count, search.pairs};
  return TS_OK;
}
