// SPDX-License-Identifier: MIT
#include "harness/commands/preset.h"

#include "base/status.h"
#include "harness/plan/names.h"
#include "harness/plan/select.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define STUDIED "closest_points_tets|growth|opposing"

/// No margins or approximations, and capacity for every contact. For engines that need overlap the
/// bodies are dilated by 0.1 mm, convex pieces individually: at exact touch these engines find
/// nothing, or no direction, or either depending on rounding, and in practice their bodies sink in.
/// One block per engine.
static const ts_assignment exact_sets[] = {
    {"ode_trimesh.max_contacts", "1024"},
    {"ode_trimesh.dilation_m", "1e-4"},

    {"bullet_hull.margin_m", "0"},
    {"bullet_hull.polyhedral_features", "yes"},
    {"bullet_hull.sat", "yes"},
    {"bullet_hull.dilation_m", "1e-4"},

    {"bullet_hull_f32.margin_m", "0"},
    {"bullet_hull_f32.polyhedral_features", "yes"},
    {"bullet_hull_f32.sat", "yes"},
    {"bullet_hull_f32.dilation_m", "1e-4"},

    {"bullet_gimpact.margin_m", "0"},
    {"bullet_gimpact.contacts", "all"},
    {"bullet_gimpact.dilation_m", "1e-4"},

    {"fcl_mesh.max_contacts", "100000"},
    {"fcl_mesh.dilation_m", "1e-4"},

    {"fcl_convex.gjk_tolerance_m", "1e-12"},
    {"fcl_convex.dilation_m", "1e-4"},

    // The polytope expansion has no iteration limit: at 3e-4, rounding makes it grow forever in
    // some simulated walls.
    {"libccd_gjk.epa_tolerance_m", "1e-3"},
    {"libccd_gjk.dilation_m", "1e-4"},

    {"libccd_mpr.mpr_tolerance_m", "1e-9"},
    {"libccd_mpr.dilation_m", "1e-4"},

    // MuJoCo's margin moves no surface; without it, rounding of its single-precision vertices
    // decides whether touching bodies are detected.
    {"mujoco.margin_m", "1e-6"},
    {"mujoco.mpr_tolerance_m", "1e-9"},
    {"mujoco.mpr_iterations", "1000"},

    {"mujoco_multiccd.margin_m", "1e-6"},
    {"mujoco_multiccd.mpr_tolerance_m", "1e-9"},
    {"mujoco_multiccd.mpr_iterations", "1000"},

    {NULL, NULL},
};

static const ts_assignment path_sets[] = {{"simulation.stepper", "path"}, {NULL, NULL}};

static const ts_assignment noise_sets[] = {{"simulation.stepper", "path"},
                                           {"simulation.path_m", "0"},
                                           {"simulation.noise_m", "1e-9"},
                                           {NULL, NULL}};

/// All of the paper's but the two large ones, whose paths take long.
#define SMALL_CASES                                                                                \
  "spike_(in|and)_.*|spikes|wedge.*|sliding_(spike|wedge)|cliff_edges|internal_edges|pillar"

const ts_preset *const ts_presets[] = {
    &(const ts_preset){
        .name = "perturbation",
        .summary = "The pillar with noise on the positions of its stones.",
        .source = "Erleben 2018, section 8.5",
        .cases = "pillar",
        .methods = STUDIED,
        .sweep = {"perturb_m", "0,0.01,0.02,0.03"},
    },
    &(const ts_preset){
        .name = "refinement",
        .summary = "The pillar with increasingly fine meshes.",
        .source = "Erleben 2018, section 8.6",
        .cases = "pillar",
        .methods = STUDIED,
        .sweep = {"refinement", "0,1,2"},
    },
    &(const ts_preset){
        .name = "time_step",
        .summary = "The pillar simulated with short and long time steps.",
        .source = "Erleben 2018, section 8.7, at simulation step 4",
        .cases = "pillar",
        .methods = STUDIED,
        .steps = 4,
        .sweep = {"dt_s", "0.001,0.01,0.1"},
    },
    &(const ts_preset){
        .name = "exact",
        .summary =
            "The packaged engines without margins and approximations, instead of their defaults.",
        .source = "the engines' manuals: see touchstone describe method NAME",
        .methods = "ode_trimesh|bullet_.*|fcl_.*|libccd_.*|mujoco.*",
        .with_engines = true,
        .sets = exact_sets,
    },
    &(const ts_preset){
        .name = "fresh",
        .summary = "Cases with other sizes, angles, places and meshes at each run.",
        .source = "touchstone, against answers learned by heart",
        .steps = 1,
        .draws = true,
    },
    &(const ts_preset){
        .name = "continuity",
        .summary = "Bodies on smooth paths through exact touch, overlap and gaps: do the contact "
                   "sets follow them without jumps?",
        .source = "touchstone, docs/coherence.md",
        .cases = SMALL_CASES,
        .steps = 513,
        .sets = path_sets,
    },
    &(const ts_preset){
        .name = "noise",
        .summary = "Bodies at rest but for a nanometre of noise: how much do the contact sets "
                   "make of it?",
        .source = "touchstone, docs/coherence.md",
        .cases = SMALL_CASES,
        .steps = 65,
        .sets = noise_sets,
    },
    NULL,
};

static ts_status find(const ts_preset **out, const char *name) {
  const char *names[sizeof ts_presets / sizeof *ts_presets];
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

/// Refuses to set the parameter that the preset sweeps, as "name" or "owner.name".
static ts_status check_free(const ts_preset *preset, const char *option,
                            const ts_assignments *given) {
  for (size_t i = 0; preset->sweep.name && i < given->count; i++) {
    const ts_assignment *assignment = &given->items[i];
    const char *dot = strchr(assignment->name, '.');
    if (strcmp(dot ? dot + 1 : assignment->name, preset->sweep.name) == 0)
      return ts_fail(TS_E_INPUT,
                     "the preset %s already sweeps %s; leave out --%s %s=%s, or replace the preset "
                     "by its options: --case %s --method '%s' --sweep %s=%s",
                     preset->name, preset->sweep.name, option, assignment->name, assignment->value,
                     preset->cases, preset->methods, preset->sweep.name, preset->sweep.value);
  }
  return TS_OK;
}

/// Whether one of the assignments sets the parameter "owner.name", with or without the owner.
static bool is_given(const ts_assignments *given, const char *parameter) {
  for (size_t i = 0; i < given->count; i++) {
    const char *name = given->items[i].name;
    if (strcmp(name, parameter) == 0 || strcmp(name, strchr(parameter, '.') + 1) == 0)
      return true;
  }
  return false;
}

/// Whether the parameter "owner.name" is of the simulation or of one of the methods.
static bool is_of_one(const char *parameter, const ts_method *const *methods, size_t count) {
  size_t length = strcspn(parameter, ".");
  if (strncmp(parameter, "simulation.", length + 1) == 0)
    return true;
  for (size_t i = 0; i < count; i++)
    if (strncmp(methods[i]->name, parameter, length) == 0 && methods[i]->name[length] == '\0')
      return true;
  return false;
}

/// Adds the preset's settings for the simulation and the selected methods.
static ts_status add_sets(ts_run_values *values, const ts_preset *preset, ts_arena *arena) {
  ts_catalog catalog;
  const ts_method **methods;
  size_t method_count, count = values->sets.count, preset_count = 0;
  TS_TRY(ts_catalog_open(&catalog, arena,
                         &(ts_catalog_request){.with_controls = values->with_controls,
                                               .with_engines = values->with_engines,
                                               .plugin_count = values->plugins.count,
                                               .plugins = values->plugins.items}));
  const char *pattern;
  TS_TRY(ts_select_any(&pattern, arena, &values->methods));
  TS_TRY(ts_select_methods(&methods, &method_count, arena, &catalog, pattern));
  while (preset->sets[preset_count].name)
    preset_count++;
  ts_assignment *sets = ts_arena_array(arena, count + preset_count, sizeof *sets);
  if (!sets)
    return TS_E_MEMORY;
  if (count > 0)
    memcpy(sets, values->sets.items, count * sizeof *sets);
  for (size_t i = 0; i < preset_count; i++) {
    const char *parameter = preset->sets[i].name;
    if (is_of_one(parameter, methods, method_count) && !is_given(&values->sets, parameter) &&
        !is_given(&values->sweeps, parameter))
      sets[count++] = preset->sets[i];
  }
  values->sets = (ts_assignments){.count = count, .items = sets};
  return TS_OK;
}

static ts_status add_sweep(ts_run_values *values, const ts_preset *preset, ts_arena *arena) {
  ts_assignment *sweeps = ts_arena_array(arena, values->sweeps.count + 1, sizeof *sweeps);
  if (!sweeps)
    return TS_E_MEMORY;
  sweeps[0] = preset->sweep;
  if (values->sweeps.count > 0)
    memcpy(sweeps + 1, values->sweeps.items, values->sweeps.count * sizeof *sweeps);
  values->sweeps.items = sweeps;
  values->sweeps.count++;
  return TS_OK;
}

/// The first of `count` seeds from 1 to TS_RUN_SEED_MAX; it cannot be foreseen.
static ts_status draw_seed(double *out, double count) {
  uint32_t bits;
  if (getentropy(&bits, sizeof bits) != 0)
    return ts_fail(TS_E_IO, "the system gives no random numbers; give a seed with --seed");
  *out = 1 + floor((double)bits / 4294967296.0 * (TS_RUN_SEED_MAX + 1 - count));
  return TS_OK;
}

/// The pattern of the preset, unless the options have some.
static ts_status set_patterns(ts_texts *patterns, const char *of_preset, ts_arena *arena) {
  if (patterns->count > 0 || !of_preset)
    return TS_OK;
  patterns->items = ts_arena_array(arena, 1, sizeof *patterns->items);
  if (!patterns->items)
    return TS_E_MEMORY;
  patterns->items[patterns->count++] = of_preset;
  return TS_OK;
}

ts_status ts_preset_apply(ts_run_values *values, uint64_t given, ts_arena *arena) {
  const ts_preset *preset = NULL;
  TS_TRY(find(&preset, values->preset));
  TS_TRY(check_free(preset, "set", &values->sets));
  TS_TRY(check_free(preset, "sweep", &values->sweeps));
  TS_TRY(set_patterns(&values->cases, preset->cases, arena));
  TS_TRY(set_patterns(&values->methods, preset->methods, arena));
  if (!(given & ts_options_bit(&ts_command_run, "steps")))
    values->steps = preset->steps;
  values->with_engines |= preset->with_engines;
  if (preset->draws && values->seed == 0 && values->shard)
    return ts_fail(TS_E_INPUT,
                   "--preset %s draws other cases at each run; give all shards the same "
                   "--seed N",
                   preset->name);
  if (preset->draws && values->seed == 0)
    TS_TRY(draw_seed(&values->seed, fmax(values->seeds, 1)));
  if (preset->sweep.name)
    TS_TRY(add_sweep(values, preset, arena));
  if (preset->sets)
    TS_TRY(add_sets(values, preset, arena));
  values->preset = NULL;
  return TS_OK;
}
