// SPDX-License-Identifier: MIT
#include "harness/run/run_values.h"

#include "base/status.h"
#include "cases/scene_file/scene_file.h"

ts_status ts_run_make_plan(ts_plan *out, ts_arena *arena, const ts_run_values *values) {
  bool is_default = !values->suite && !values->cases;
  ts_catalog catalog;
  TS_TRY(ts_catalog_open(&catalog, arena,
                         &(ts_catalog_request){.with_controls = values->with_controls,
                                               .with_engines = values->with_engines,
                                               .plugin_count = values->plugins.count,
                                               .plugins = values->plugins.items,
                                               .scene_count = values->scenes.count,
                                               .scenes = values->scenes.items}));
  const char *fallback = values->scenes.count > 0 ? TS_SCENE_FILE_SUITE : TS_RUN_SUITE_DEFAULT;
  ts_plan_request request = {.catalog = &catalog,
                             .suite = is_default ? fallback : values->suite,
                             .cases = values->cases,
                             .methods = values->methods,
                             .steps = (int64_t)values->steps,
                             .set_count = values->sets.count,
                             .sets = values->sets.items,
                             .sweep_count = values->sweeps.count,
                             .sweeps = values->sweeps.items,
                             .seed = (uint64_t)values->seed};
  TS_TRY(ts_plan_create(out, arena, &request));
  ts_catalog_warn(&catalog);
  return TS_OK;
}
