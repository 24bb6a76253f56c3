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

/// The rules of the published runs, on the ground's material: docs/simulation.md.
#define PROGRAM_SETS                                                                               \
  {"profile", "prox2018"}, {"stepper", "prox2018"}, {"friction", "0.65"},                          \
      {"friction_fixed", "0.75"}, {"reference", "published"}, {                                    \
    "rule", "published"                                                                            \
  }

static const ts_assignment program_sets[] = {PROGRAM_SETS, {"tets", "published"}, {NULL, NULL}};
/// Published tets are those of the pillar as designed.
static const ts_assignment refined_program_sets[] = {PROGRAM_SETS, {NULL, NULL}};

static const ts_assignment path_sets[] = {{"simulation.stepper", "path"}, {NULL, NULL}};

static const ts_assignment noise_sets[] = {{"simulation.stepper", "path"},
                                           {"simulation.path_m", "0"},
                                           {"simulation.noise_m", "1e-9"},
                                           {NULL, NULL}};

/// As soft as gives the chain of three links about 35 contacts, as in the paper, which tells no
/// more of the material.
#define CHAIN_SETS                                                                                 \
  {"soft_chain.young_pa", "1.5e5"}, {"simulation.friction", "0.3"}, {                              \
    "simulation.friction_fixed", "0.3"                                                             \
  }

static const ts_assignment chain_sets[] = {CHAIN_SETS, {NULL, NULL}};

/// Twenty tori have the 2,000 contacts of the paper's forty dinosaurs.
static const ts_assignment compliance_sets[] = {
    CHAIN_SETS, {"simulation.response", "warped"}, {"soft_rain.tori", "20"}, {NULL, NULL}};

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
        .sweeps = {{"perturb_m", "0,0.01,0.02,0.03"}},
    },
    &(const ts_preset){
        .name = "perturbation_prox2018",
        .summary = "The same by the rules of the published runs.",
        .source = "Erleben 2018, section 8.5, Figure 30",
        .cases = "pillar",
        .methods = STUDIED,
        .sets = program_sets,
        .sweeps = {{"perturb_m", "0,0.01,0.02,0.03"}},
    },
    &(const ts_preset){
        .name = "refinement",
        .summary = "The pillar with increasingly fine meshes.",
        .source = "Erleben 2018, section 8.6",
        .cases = "pillar",
        .methods = STUDIED,
        .sweeps = {{"refinement", "0,1,2"}},
    },
    &(const ts_preset){
        .name = "refinement_prox2018",
        .summary = "The same by the rules of the published runs.",
        .source = "Erleben 2018, section 8.6, Figure 32",
        .cases = "pillar",
        .methods = STUDIED,
        .sets = refined_program_sets,
        .sweeps = {{"refinement", "0,1,2"}},
    },
    &(const ts_preset){
        .name = "time_step",
        .summary = "The pillar simulated with short and long time steps.",
        .source = "Erleben 2018, section 8.7, at simulation step 4",
        .cases = "pillar",
        .methods = STUDIED,
        .steps = 4,
        .sweeps = {{"dt_s", "0.001,0.01,0.1"}},
    },
    &(const ts_preset){
        .name = "time_step_prox2018",
        .summary = "The same by the rules of the published runs.",
        .source = "Erleben 2018, section 8.7, Figure 34, at simulation step 4",
        .cases = "pillar",
        .methods = STUDIED,
        .steps = 4,
        .sets = program_sets,
        .sweeps = {{"dt_s", "0.001,0.01,0.1"}},
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
    &(const ts_preset){
        .name = "table1",
        .summary = "A soft torus between two rigid rings: error of warped and initial compliance.",
        .source = "Saupin 2008, Table 1",
        .cases = "soft_chain",
        .methods = "control_nodes",
        .steps = 121,
        .with_controls = true,
        .sweeps = {{"soft_chain.direction", "vertical,horizontal"},
                   {"simulation.response", "warped,initial"}},
        .sets = chain_sets,
    },
    &(const ts_preset){
        .name = "table2",
        .summary = "Chains and a rain of tori: times of exact and warped compliance.",
        .source = "Saupin 2008, Table 2",
        .cases = "soft_chain|soft_rain",
        .methods = "control_nodes",
        .steps = 121,
        .with_controls = true,
        .sweeps = {{"soft_chain.links", "rigid_soft_rigid,five_mixed"},
                   {"soft_chain.direction", "vertical,horizontal"}},
        .sets = compliance_sets,
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

static size_t count_sweeps(const ts_preset *preset) {
  size_t count = 0;
  while (count < TS_PRESET_SWEEPS_MAX && preset->sweeps[count].name)
    count++;
  return count;
}

/// " --sweep name=values" for each sweep of the preset; NULL when out of memory.
static const char *sweep_options(const ts_preset *preset, ts_arena *arena) {
  const char *text = "";
  for (size_t i = 0; text && i < count_sweeps(preset); i++)
    text = ts_arena_format(arena, "%s --sweep %s=%s", text, preset->sweeps[i].name,
                           preset->sweeps[i].value);
  return text;
}

/// The parameter of "owner.name" or "name".
static const char *without_owner(const char *parameter) {
  const char *dot = strchr(parameter, '.');
  return dot ? dot + 1 : parameter;
}

/// Refuses to set a parameter that the preset sweeps, as "name" or "owner.name".
static ts_status check_free(const ts_preset *preset, const char *option,
                            const ts_assignments *given, ts_arena *arena) {
  const char *options = sweep_options(preset, arena);
  if (!options)
    return TS_E_MEMORY;
  for (size_t k = 0; k < count_sweeps(preset); k++)
    for (size_t i = 0; i < given->count; i++) {
      const ts_assignment *assignment = &given->items[i];
      const char *swept = preset->sweeps[k].name;
      if (strcmp(without_owner(assignment->name), without_owner(swept)) == 0)
        return ts_fail(TS_E_INPUT,
                       "the preset %s already sweeps %s; leave out --%s %s=%s, or replace the "
                       "preset by its options: --case '%s' --method '%s'%s",
                       preset->name, swept, option, assignment->name, assignment->value,
                       preset->cases, preset->methods, options);
    }
  return TS_OK;
}

/// Whether one of the assignments sets the parameter "owner.name", with or without the owner.
static bool is_given(const ts_assignments *given, const char *parameter) {
  for (size_t i = 0; i < given->count; i++) {
    const char *name = given->items[i].name;
    if (strcmp(name, parameter) == 0 || strcmp(name, without_owner(parameter)) == 0)
      return true;
  }
  return false;
}

/// What the options select.
typedef struct selection {
  const ts_case **cases; ///< [case_count]
  const ts_method **methods;
  size_t case_count, method_count;
} selection;

static ts_status select_all(selection *out, const ts_run_values *values, ts_arena *arena) {
  ts_catalog catalog;
  TS_TRY(ts_catalog_open(&catalog, arena,
                         &(ts_catalog_request){.with_controls = values->with_controls,
                                               .with_engines = values->with_engines,
                                               .plugin_count = values->plugins.count,
                                               .plugins = values->plugins.items,
                                               .scene_count = values->scenes.count,
                                               .scenes = values->scenes.items}));
  const char *pattern;
  TS_TRY(ts_select_any(&pattern, arena, &values->methods));
  TS_TRY(ts_select_methods(&out->methods, &out->method_count, arena, &catalog, pattern));
  TS_TRY(ts_select_any(&pattern, arena, &values->cases));
  return ts_select_cases(&out->cases, &out->case_count, arena, &catalog, values->suite, pattern);
}

static bool is_owner(const char *name, const char *parameter, size_t length) {
  return strncmp(name, parameter, length) == 0 && name[length] == '\0';
}

/// Whether the parameter "owner.name" is of the simulation or of something selected, or says no
/// owner.
static bool is_of_one(const char *parameter, const selection *selected) {
  size_t length = strcspn(parameter, ".");
  bool found = parameter[length] == '\0' || is_owner("simulation", parameter, length);
  for (size_t i = 0; !found && i < selected->method_count; i++)
    found = is_owner(selected->methods[i]->name, parameter, length);
  for (size_t i = 0; !found && i < selected->case_count; i++)
    found = is_owner(selected->cases[i]->name, parameter, length);
  return found;
}

/// Adds the preset's settings for the simulation and what is selected.
static ts_status add_sets(ts_run_values *values, const ts_preset *preset, const selection *selected,
                          ts_arena *arena) {
  size_t count = values->sets.count, preset_count = 0;
  while (preset->sets && preset->sets[preset_count].name)
    preset_count++;
  ts_assignment *sets = ts_arena_array(arena, count + preset_count, sizeof *sets);
  if (!sets)
    return TS_E_MEMORY;
  if (count > 0)
    memcpy(sets, values->sets.items, count * sizeof *sets);
  for (size_t i = 0; i < preset_count; i++) {
    const char *parameter = preset->sets[i].name;
    if (is_of_one(parameter, selected) && !is_given(&values->sets, parameter) &&
        !is_given(&values->sweeps, parameter))
      sets[count++] = preset->sets[i];
  }
  values->sets = (ts_assignments){.count = count, .items = sets};
  return TS_OK;
}

/// Adds the preset's sweeps of the same, before the explicit ones.
static ts_status add_sweeps(ts_run_values *values, const ts_preset *preset,
                            const selection *selected, ts_arena *arena) {
  ts_assignment *sweeps =
      ts_arena_array(arena, values->sweeps.count + TS_PRESET_SWEEPS_MAX, sizeof *sweeps);
  size_t count = 0;
  if (!sweeps)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count_sweeps(preset); i++)
    if (is_of_one(preset->sweeps[i].name, selected))
      sweeps[count++] = preset->sweeps[i];
  if (values->sweeps.count > 0)
    memcpy(sweeps + count, values->sweeps.items, values->sweeps.count * sizeof *sweeps);
  values->sweeps = (ts_assignments){.count = count + values->sweeps.count, .items = sweeps};
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
  TS_TRY(check_free(preset, "set", &values->sets, arena));
  TS_TRY(check_free(preset, "sweep", &values->sweeps, arena));
  TS_TRY(set_patterns(&values->cases, preset->cases, arena));
  TS_TRY(set_patterns(&values->methods, preset->methods, arena));
  if (!(given & ts_options_bit(&ts_command_run, "steps")))
    values->steps = preset->steps;
  values->with_engines |= preset->with_engines;
  values->with_controls |= preset->with_controls;
  if (preset->draws && values->seed == 0 && values->shard)
    return ts_fail(TS_E_INPUT,
                   "--preset %s draws other cases at each run; give all shards the same "
                   "--seed N",
                   preset->name);
  if (preset->draws && values->seed == 0)
    TS_TRY(draw_seed(&values->seed, fmax(values->seeds, 1)));
  selection selected;
  TS_TRY(select_all(&selected, values, arena));
  TS_TRY(add_sets(values, preset, &selected, arena));
  TS_TRY(add_sweeps(values, preset, &selected, arena));
  values->preset = NULL;
  return TS_OK;
}
