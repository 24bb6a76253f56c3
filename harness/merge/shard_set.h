// SPDX-License-Identifier: MIT
/// The results folders of all shards of a run, checked to be parts of one whole.
#ifndef TS_HARNESS_SHARD_SET_H
#define TS_HARNESS_SHARD_SET_H

#include "base/arena.h"
#include "harness/plan/shard.h"

#include <jansson.h>

typedef struct ts_shard_folder {
  const char *path; ///< as given
  ts_shard shard;
  json_t *context; ///< owned by the set
} ts_shard_folder;

typedef struct ts_shard_set {
  size_t count;
  ts_shard_folder *folders; ///< [count], in the order of their shards
  size_t shard_count;       ///< at least `count`: shards without a cell may be missing
  size_t plan_cells;
  bool are_times_mixed; ///< the shards ran on machines whose times do not compare
} ts_shard_set;

/// Reads the contexts of the folders [count] and checks that they are the complete shards of one
/// run. Warns on standard error when they ran on different machines. TS_E_INPUT, naming folders and
/// what to do: a folder without results or of a whole run; shards of different plans, options,
/// builds, C libraries, architectures, plug-ins or scenes; a shard that is there twice, missing,
/// was cut short, or whose rows were changed since (ts_results_verify). Destroy the set in any
/// case.
ts_status ts_shard_set_open(ts_shard_set *out, ts_arena *arena, const char *const *paths,
                            size_t count);
void ts_shard_set_destroy(ts_shard_set *set);

/// The context of the run that the shards are parts of, to be released by json_decref(): facts in
/// which they differ are joined (ts_context_join), and "parts" has those of all shards, each with
/// its shard and its machine.
ts_status ts_shard_set_context(json_t **out, const ts_shard_set *set, bool is_compressed);

#endif
