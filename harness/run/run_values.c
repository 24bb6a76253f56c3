// SPDX-License-Identifier: MIT
#include "harness/run/run_values.h"

#include "base/number.h"
#include "base/status.h"
#include "cases/scene_file/scene_file.h"
#include "harness/plan/names.h"
#include "harness/plan/select.h"

#include <string.h>

/// Whether an assignment, with or without its owner, gives a parameter that value.
static bool is_set(const ts_assignments *sets, const char *name, const char *value) {
  for (size_t i = 0; i < sets->count; i++) {
    const char *dot = strchr(sets->items[i].name, '.');
    if (strcmp(dot ? dot + 1 : sets->items[i].name, name) == 0 &&
        strcmp(sets->items[i].value, value) == 0)
      return true;
  }
  return false;
}

ts_status ts_run_set_path(ts_run_values *values, uint64_t *given, ts_arena *arena) {
  if (values->path == 0 && values->noise_m == 0)
    return TS_OK;
  size_t count = values->sets.count;
  ts_assignment *sets = ts_arena_array(arena, count + 3, sizeof *sets);
  char *steps = ts_arena_array(arena, TS_NUMBER_BYTES, 1);
  char *noise = ts_arena_array(arena, TS_NUMBER_BYTES, 1);
  if (!sets || !steps || !noise)
    return TS_E_MEMORY;
  if (count > 0)
    memcpy(sets, values->sets.items, count * sizeof *sets);
  ts_number_format(steps, values->path);
  ts_number_format(noise, values->noise_m);
  if (!is_set(&values->sets, "stepper", "path"))
    sets[count++] = (ts_assignment){"simulation.stepper", "path"};
  if (values->path > 0)
    sets[count++] = (ts_assignment){"simulation.path_steps", steps};
  else if (!values->preset) // a preset says itself whether there is a path
    sets[count++] = (ts_assignment){"simulation.path_m", "0"};
  if (values->noise_m > 0)
    sets[count++] = (ts_assignment){"simulation.noise_m", noise};
  values->sets = (ts_assignments){.count = count, .items = sets};
  uint64_t steps_bit = ts_options_bit(&ts_command_run, "steps");
  bool has_steps = *given & steps_bit || (values->path == 0 && values->preset);
  if (!has_steps) {
    values->steps = values->path > 0 ? values->path + 1 : TS_RUN_NOISE_STEPS;
    *given |= steps_bit;
  }
  values->path = values->noise_m = 0; // a resumed run has them among its settings
  return TS_OK;
}

size_t ts_run_contacts_choices(const char **out) {
  for (size_t i = 0; i < TS_KEPT_COUNT; i++)
    out[i] = ts_contacts_kept_words[i];
  return TS_KEPT_COUNT;
}

static ts_status find_contacts_kept(ts_contacts_kept *out, const char *word) {
  for (int i = 0; i < TS_KEPT_COUNT; i++)
    if (strcmp(word, ts_contacts_kept_words[i]) == 0) {
      *out = (ts_contacts_kept)i;
      return TS_OK;
    }
  return ts_names_unknown("--contacts", word, ts_contacts_kept_words, TS_KEPT_COUNT);
}

/// The patterns of the request. With several, each has to match something: one with a typing error
/// would otherwise go unnoticed behind the others.
static ts_status select_any(ts_plan_request *request, ts_arena *arena,
                            const ts_run_values *values) {
  const ts_case **cases;
  const ts_method **methods;
  size_t count;
  for (size_t i = 0; values->cases.count > 1 && i < values->cases.count; i++)
    TS_TRY(ts_select_cases(&cases, &count, arena, request->catalog, request->suite,
                           values->cases.items[i]));
  for (size_t i = 0; values->methods.count > 1 && i < values->methods.count; i++)
    TS_TRY(ts_select_methods(&methods, &count, arena, request->catalog, values->methods.items[i]));
  TS_TRY(ts_select_any(&request->cases, arena, &values->cases));
  return ts_select_any(&request->methods, arena, &values->methods);
}

ts_status ts_run_make_plan(ts_plan *out, ts_arena *arena, const ts_run_values *values) {
  bool is_default = !values->suite && values->cases.count == 0;
  ts_contacts_kept contacts = TS_KEPT_ALL;
  TS_TRY(find_contacts_kept(&contacts, values->contacts));
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
                             .steps = (int64_t)values->steps,
                             .set_count = values->sets.count,
                             .sets = values->sets.items,
                             .sweep_count = values->sweeps.count,
                             .sweeps = values->sweeps.items,
                             .seed = (uint64_t)values->seed,
                             .seed_count = (size_t)values->seeds,
                             .contacts = contacts,
                             .chain_count = values->chains.count,
                             .chains = values->chains.items};
  if (values->seed > 0 && values->seed + values->seeds - 1 > TS_RUN_SEED_MAX)
    return ts_fail(TS_E_INPUT,
                   "--seeds %.0f from --seed %.0f on goes beyond the last seed, %.0f; begin lower",
                   values->seeds, values->seed, TS_RUN_SEED_MAX);
  TS_TRY(select_any(&request, arena, values));
  TS_TRY(ts_plan_create(out, arena, &request));
  ts_catalog_warn(&catalog);
  return TS_OK;
}
