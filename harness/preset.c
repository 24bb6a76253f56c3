#include "harness/preset.h"

#include "base/status.h"
#include "harness/names.h"

#include <string.h>

#define STUDIED "closest_points_tets|growth|opposing"

static const ts_preset perturbation = {
    .name = "perturbation",
    .summary = "The pillar with noise on the centres of its stones.",
    .source = "Erleben 2018, section 8.5",
    .cases = "pillar",
    .methods = STUDIED,
    .sweep = {"perturb_m", "0,0.01,0.02,0.03"},
};

static const ts_preset refinement = {
    .name = "refinement",
    .summary = "The pillar of ever finer meshes.",
    .source = "Erleben 2018, section 8.6",
    .cases = "pillar",
    .methods = STUDIED,
    .sweep = {"refinement", "0,1,2"},
};

static const ts_preset time_step = {
    .name = "time_step",
    .summary = "The pillar moved with short and long time steps.",
    .source = "Erleben 2018, section 8.7, at simulation step 4",
    .cases = "pillar",
    .methods = STUDIED,
    .steps = 4,
    .sweep = {"dt_s", "0.001,0.01,0.1"},
};

const ts_preset *const ts_presets[] = {&perturbation, &refinement, &time_step, NULL};

static ts_status find(const ts_preset **out, const char *name) {
  const char *names[16];
  size_t count = 0;
  for (; ts_presets[count]; count++) {
    names[count] = ts_presets[count]->name;
    if (strcmp(name, names[count]) == 0) {
      *out = ts_presets[count];
      return TS_OK;
    }
  }
  return ts_names_unknown("preset", name, names, count);
}

/// Refuses "name" and "owner.name" of the parameter that the preset sweeps.
static ts_status check_free(const ts_preset *preset, const char *option,
                            const ts_assignments *given) {
  for (size_t i = 0; i < given->count; i++) {
    const ts_assignment *assignment = &given->items[i];
    const char *dot = strchr(assignment->name, '.');
    if (strcmp(dot ? dot + 1 : assignment->name, preset->sweep.name) == 0)
      return ts_fail(TS_E_INPUT,
                     "the preset %s sweeps %s itself; leave out --%s %s=%s, or the preset and give "
                     "what it stands for: --case %s --method '%s' --sweep %s=%s",
                     preset->name, preset->sweep.name, option, assignment->name, assignment->value,
                     preset->cases, preset->methods, preset->sweep.name, preset->sweep.value);
  }
  return TS_OK;
}

ts_status ts_preset_apply(ts_run_values *values, uint64_t given, ts_arena *arena) {
  const ts_preset *preset = NULL;
  TS_TRY(find(&preset, values->preset));
  TS_TRY(check_free(preset, "set", &values->sets));
  TS_TRY(check_free(preset, "sweep", &values->sweeps));
  ts_assignment *sweeps = ts_arena_array(arena, values->sweeps.count + 1, sizeof *sweeps);
  if (!sweeps)
    return TS_E_MEMORY;
  sweeps[0] = preset->sweep;
  if (values->sweeps.count > 0)
    memcpy(sweeps + 1, values->sweeps.items, values->sweeps.count * sizeof *sweeps);
  values->sweeps.items = sweeps;
  values->sweeps.count++;
  if (!values->cases)
    values->cases = preset->cases;
  if (!values->methods)
    values->methods = preset->methods;
  if (!(given & ts_options_bit(&ts_command_run, "steps")))
    values->steps = preset->steps;
  values->preset = NULL;
  return TS_OK;
}
