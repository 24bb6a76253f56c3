// SPDX-License-Identifier: MIT
#include "harness/plan/plan.h"

#include "base/hash.h"
#include "base/param.h"
#include "base/status.h"
#include "geometry/tolerances.h"
#include "harness/judge/judge.h"
#include "harness/plan/names.h"
#include "harness/plan/select.h"
#include "harness/plan/sweep.h"

#include <stdio.h>
#include <string.h>

#define CELLS_MAX 1000000

static const char *const rule_names[] = {"touchstone", "published", NULL};
static const char *const reference_names[] = {"design", "published", "feasible", NULL};

static const char *const truth_names[] = {"moved", "carried", NULL};

const ts_param ts_scoring_params[TS_SCORING_COUNT] = {
    [TS_SCORING_REFERENCE] = {.name = "reference",
                              .summary = "Which normals count as correct.",
                              .kind = TS_PARAM_CHOICE,
                              .default_value = TS_REFERENCE_DESIGN,
                              .choices = reference_names},
    [TS_SCORING_NORMAL_TOLERANCE] =
        {.name = "normal_tolerance",
         .summary =
             "Largest |1 - |n.f|| at which the normal n still matches the feasible normal f.",
         .kind = TS_PARAM_REAL,
         .default_value = TS_NORMAL_TOLERANCE,
         .minimum = 0,
         .maximum = 1},
    [TS_SCORING_POSITION_TOLERANCE] =
        {.name = "position_tolerance_relative",
         .summary = "Largest distance from a region at which a contact is still in place, relative "
                    "to the pair's size; twice the envelope is added.",
         .kind = TS_PARAM_REAL,
         .default_value = TS_POSITION_RELATIVE,
         .minimum = 0,
         .maximum = 1},
    [TS_SCORING_RULE] =
        {.name = "rule",
         .summary =
             "Which contacts count. published: all of them, including speculative ones and those "
             "of bodies that do not touch; duplicates are dropped as in the paper's simulator.",
         .kind = TS_PARAM_CHOICE,
         .default_value = TS_RULE_TOUCHSTONE,
         .choices = rule_names},
    [TS_SCORING_TRUTH] =
        {.name = "truth",
         .summary = "Truth of bodies that a simulation has moved. moved: where they touch there. "
                    "carried: as built, along with the first body of each pair; implied by "
                    "rule=published and reference=published.",
         .kind = TS_PARAM_CHOICE,
         .choices = truth_names},
};

/// An owner of parameters: a case, a method, the scoring or the simulation.
typedef struct owner {
  const char *name;
  const ts_case *c; ///< NULL: not a case
  const ts_param *params;
  size_t count;
  double *base;                 ///< [count] defaults with the settings applied
  const ts_assignment **set_by; ///< [count] the assignment that sets or sweeps a parameter; NULL:
                                ///< none
  double *drawn; ///< [draw_count(request)][count] of a case, if its parameters are drawn
  bool *is_used; ///< [count] of the simulation: not the default, and does something
  /// [count] of the simulation: what a parameter needs that did nothing in a cell; NULL: none such
  const char **needs;
  double *values;            ///< [count] scratch
  const double *last_values; ///< of the previous cell, since many cells share it; NULL at first
  const char *last_text;
} owner;

/// The values of one sweep for one owner.
typedef struct sweep_values {
  int param; ///< -1: the owner has no such parameter
  size_t count;
  double *values; ///< [count]
} sweep_values;

/// The owners of one cell.
enum { OWNER_CASE, OWNER_METHOD, OWNER_SCORING, OWNER_SIMULATION, CELL_OWNERS };

typedef struct planner {
  ts_arena *arena;
  const ts_plan_request *request;
  size_t case_count, method_count, owner_count;
  const ts_case **cases;
  const ts_method **methods;
  size_t chain_count;
  const ts_modifier_chain *chains; ///< [chain_count]
  owner *owners;        ///< the cases, then the methods, then the scoring, then the simulation
  sweep_values *sweeps; ///< [request->sweep_count][owner_count]
  ts_plan *plan;
} planner;

static ts_status owner_init(owner *out, ts_arena *arena, const char *name, const ts_param *params,
                            size_t count) {
  *out = (owner){.name = name,
                 .params = params,
                 .count = count,
                 .base = ts_arena_array(arena, count, sizeof *out->base),
                 .set_by = ts_arena_array(arena, count, sizeof *out->set_by),
                 .is_used = ts_arena_array(arena, count, sizeof *out->is_used),
                 .needs = ts_arena_array(arena, count, sizeof *out->needs),
                 .values = ts_arena_array(arena, count, sizeof *out->values)};
  if (!out->values || !out->base || !out->set_by || !out->is_used || !out->needs ||
      (count > 0 && !params))
    return TS_E_MEMORY;
  ts_param_defaults(out->base, params, count);
  return TS_OK;
}

static ts_status list_owners(planner *p) {
  p->owner_count = p->case_count + p->method_count + 2;
  p->owners = ts_arena_array(p->arena, p->owner_count, sizeof *p->owners);
  if (!p->owners)
    return TS_E_MEMORY;
  owner *next = p->owners;
  for (size_t i = 0; i < p->case_count; i++) {
    const ts_case *c = p->cases[i];
    TS_TRY(
        owner_init(next, p->arena, c->name, ts_case_params(p->arena, c), ts_case_param_count(c)));
    next++->c = c;
  }
  for (size_t i = 0; i < p->method_count; i++) {
    const ts_method *m = p->methods[i];
    TS_TRY(owner_init(next++, p->arena, m->name, m->params, m->param_count));
  }
  TS_TRY(owner_init(next++, p->arena, "scoring", ts_scoring_params, TS_SCORING_COUNT));
  return owner_init(next, p->arena, "simulation", ts_simulation_params, TS_SIMULATION_COUNT);
}

/// Index of the owner's parameter that "name" or "owner.name" refers to; -1: none.
static int find_param(const owner *o, const char *name) {
  const char *dot = strchr(name, '.');
  if (dot) {
    size_t length = (size_t)(dot - name);
    if (strlen(o->name) != length || strncmp(o->name, name, length) != 0)
      return -1;
    name = dot + 1;
  }
  return ts_param_find(o->params, o->count, name);
}

/// Fails because no owner has the parameter: lists the owners, or their parameters.
static ts_status unknown_param(ts_arena *arena, const owner *owners, size_t owner_count,
                               const char *name) {
  const char *dot = strchr(name, '.');
  size_t total = owner_count, count = 0;
  for (size_t i = 0; i < owner_count; i++)
    total += owners[i].count;
  const char **names = ts_arena_array(arena, total, sizeof *names);
  char *owner_name = ts_arena_string(arena, name);
  if (!names || !owner_name)
    return TS_E_MEMORY;
  bool owner_known = !dot;
  if (dot)
    owner_name[dot - name] = '\0';
  for (size_t i = 0; i < owner_count; i++) {
    const owner *o = &owners[i];
    if (dot && strcmp(o->name, owner_name) != 0)
      continue;
    owner_known = true;
    for (size_t k = 0; k < o->count; k++) {
      size_t same = 0;
      while (same < count && strcmp(names[same], o->params[k].name) != 0)
        same++;
      if (same == count)
        names[count++] = o->params[k].name;
    }
  }
  if (!owner_known) {
    for (size_t i = 0; i < owner_count; i++)
      names[count++] = owners[i].name;
    return ts_names_unknown("selected case or method", owner_name, names, count);
  }
  if (!dot)
    return ts_names_unknown("parameter", name, names, count);
  const char *kind = ts_arena_format(arena, "parameter of %s", owner_name);
  return kind ? ts_names_unknown(kind, dot + 1, names, count) : TS_E_MEMORY;
}

/// Fails: both assignments set the parameter.
static ts_status fail_twice(const owner *o, int param, const ts_assignment *first,
                            const ts_assignment *second) {
  return ts_fail(TS_E_INPUT, "%s of %s is given twice, as %s=%s and %s=%s; keep one",
                 o->params[param].name, o->name, first->name, first->value, second->name,
                 second->value);
}

static ts_status claim_param(owner *o, int param, const ts_assignment *assignment) {
  const ts_assignment *other = o->set_by[param];
  o->set_by[param] = assignment;
  return other ? fail_twice(o, param, other, assignment) : TS_OK;
}

static ts_status apply_sets(planner *p) {
  for (size_t i = 0; i < p->request->set_count; i++) {
    const ts_assignment *set = &p->request->sets[i];
    bool found = false;
    for (size_t k = 0; k < p->owner_count; k++) {
      owner *o = &p->owners[k];
      int param = find_param(o, set->name);
      if (param < 0)
        continue;
      found = true;
      TS_TRY(claim_param(o, param, set));
      double *values;
      size_t count;
      TS_TRY(ts_sweep_parse(&values, &count, p->arena, &o->params[param], set->value, false));
      o->base[param] = values[0];
    }
    if (!found)
      return unknown_param(p->arena, p->owners, p->owner_count, set->name);
  }
  return TS_OK;
}

static ts_status read_sweeps(planner *p) {
  size_t count = p->request->sweep_count;
  p->sweeps = ts_arena_array(p->arena, count * p->owner_count, sizeof *p->sweeps);
  if (!p->sweeps)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    const ts_assignment *sweep = &p->request->sweeps[i];
    bool found = false;
    for (size_t k = 0; k < p->owner_count; k++) {
      owner *o = &p->owners[k];
      sweep_values *s = &p->sweeps[i * p->owner_count + k];
      s->param = find_param(o, sweep->name);
      if (s->param < 0)
        continue;
      found = true;
      TS_TRY(claim_param(o, s->param, sweep));
      TS_TRY(ts_sweep_parse(&s->values, &s->count, p->arena, &o->params[s->param], sweep->value,
                            true));
    }
    if (!found)
      return unknown_param(p->arena, p->owners, p->owner_count, sweep->name);
  }
  return TS_OK;
}

/// Number of draws of each case.
static size_t draw_count(const ts_plan_request *request) {
  return request->seed_count > 0 ? request->seed_count : 1;
}

/// Draws the parameters of a case, with each seed.
static ts_status draw_case(owner *o, ts_arena *arena, const ts_plan_request *request) {
  size_t draws = draw_count(request);
  o->drawn = ts_arena_array(arena, draws * o->count, sizeof *o->drawn);
  if (!o->drawn)
    return TS_E_MEMORY;
  for (size_t i = 0; i < draws; i++) {
    double *values = &o->drawn[i * o->count];
    memcpy(values, o->base, o->count * sizeof *values);
    ts_arena_mark scratch = ts_arena_get_mark(arena);
    ts_status status = ts_case_draw(values, arena, o->c, request->seed + i);
    ts_arena_rewind(arena, scratch);
    TS_TRY(status);
  }
  return TS_OK;
}

/// Refuses a parameter that is given and that the seeds would change.
static ts_status check_seeded(const owner *o) {
  static const int seeded[] = {TS_COMMON_MOTION_SEED, TS_COMMON_PERTURB_SEED};
  for (size_t i = 0; i < sizeof seeded / sizeof *seeded; i++) {
    const ts_assignment *given = o->set_by[seeded[i]];
    if (given)
      return ts_fail(TS_E_INPUT,
                     "--seeds gives each draw another %s; leave out %s=%s, or sweep that instead "
                     "of using --seeds",
                     o->params[seeded[i]].name, given->name, given->value);
  }
  return TS_OK;
}

static ts_status prepare_draws(planner *p) {
  const ts_plan_request *request = p->request;
  for (size_t i = 0; i < p->case_count; i++) {
    if (request->seed > 0)
      TS_TRY(draw_case(&p->owners[i], p->arena, request));
    else if (request->seed_count > 0)
      TS_TRY(check_seeded(&p->owners[i]));
  }
  return TS_OK;
}

/// Makes values of a case, which has the values set and swept, those of a draw: what is drawn, or
/// without `seed` the motion and, if there is any, the noise.
static void apply_draw(const owner *o, const ts_plan_request *request, size_t draw) {
  for (size_t k = 0; o->drawn && k < o->count; k++)
    if (!o->set_by[k])
      o->values[k] = o->drawn[draw * o->count + k];
  if (o->drawn || request->seed_count == 0)
    return;
  o->values[TS_COMMON_MOTION_SEED] = (double)(draw + 1);
  if (o->values[TS_COMMON_PERTURB_M] != 0)
    o->values[TS_COMMON_PERTURB_SEED] = (double)(draw + 1);
}

/// The owners of the parameters of a cell with this case and method.
static void find_owners(size_t out[CELL_OWNERS], const planner *p, size_t case_index,
                        size_t method_index) {
  out[OWNER_CASE] = case_index;
  out[OWNER_METHOD] = p->case_count + method_index;
  out[OWNER_SCORING] = p->case_count + p->method_count;
  out[OWNER_SIMULATION] = out[OWNER_SCORING] + 1;
}

/// Number of values of a sweep for the cells of these owners; 1 when none has its parameter.
static size_t sweep_length(const planner *p, size_t sweep, const size_t owners[CELL_OWNERS]) {
  for (size_t k = 0; k < CELL_OWNERS; k++) {
    const sweep_values *s = &p->sweeps[sweep * p->owner_count + owners[k]];
    if (s->param >= 0)
      return s->count;
  }
  return 1;
}

/// What was published was scored by the truth as built, carried along.
static void imply_truth(double scoring[TS_SCORING_COUNT]) {
  if (scoring[TS_SCORING_RULE] == TS_RULE_PUBLISHED ||
      scoring[TS_SCORING_REFERENCE] == TS_REFERENCE_PUBLISHED)
    scoring[TS_SCORING_TRUTH] = TS_TRUTH_CARRIED;
}

static ts_status fail_idle(const char *param, const char *unless) {
  return ts_fail(TS_E_INPUT, "%s does nothing unless %s; add that by --set, or leave it out", param,
                 unless);
}

/// In a cell where a parameter of the simulation does nothing it has its default, so that one value
/// can be set for a sweep over responses; a sweep over it would make the same cell many times.
static ts_status drop_idle(owner *o) {
  for (size_t i = 0; i < o->count; i++) {
    const char *unless;
    if (o->values[i] == o->params[i].default_value)
      continue;
    if (ts_simulation_param_applies(&unless, i, o->values)) {
      o->is_used[i] = true;
    } else if (o->values[i] == o->base[i]) {
      o->values[i] = o->params[i].default_value;
      o->needs[i] = unless;
    } else
      return ts_fail(TS_E_INPUT,
                     "%s is swept, and does nothing unless %s: sweep it in a run where that is set",
                     o->params[i].name, unless);
  }
  return TS_OK;
}

/// Refuses parameters of the simulation that do nothing in any cell.
static ts_status check_used(const owner *o) {
  for (size_t i = 0; i < o->count; i++)
    if (o->needs[i] && !o->is_used[i])
      return fail_idle(o->params[i].name, o->needs[i]);
  return TS_OK;
}

/// The parameters that are part of the identity of the cell.
static const char *join_simulation(planner *p, const owner *o) {
  ts_param *params = ts_arena_array(p->arena, o->count, sizeof *params);
  double *values = ts_arena_array(p->arena, o->count, sizeof *values);
  size_t count = 0;
  for (size_t i = 0; params && values && i < o->count; i++)
    if (ts_simulation_param_is_shown(i, o->values)) {
      params[count] = o->params[i];
      values[count++] = o->values[i];
    }
  return params && values ? ts_param_join(p->arena, params, count, values) : NULL;
}

/// Parameter values of one owner in the cell of a case at `digits`, as numbers and as text. There
/// is a digit for each sweep and a last one for the draw.
static ts_status owner_values(const double **out, const char **out_text, planner *p,
                              const ts_case *c, size_t owner_index, const size_t *digits) {
  owner *o = &p->owners[owner_index];
  size_t bytes = o->count * sizeof *o->values;
  memcpy(o->values, o->base, bytes);
  for (size_t i = 0; i < p->request->sweep_count; i++) {
    const sweep_values *s = &p->sweeps[i * p->owner_count + owner_index];
    if (s->param >= 0)
      o->values[s->param] = s->values[digits[i]];
  }
  if (o->c)
    apply_draw(o, p->request, digits[p->request->sweep_count]);
  if (o->params == ts_scoring_params)
    imply_truth(o->values);
  bool is_simulation = o->params == ts_simulation_params;
  if (is_simulation) {
    TS_TRY(ts_simulation_suit_bodies(o->values, c->name, c->is_deformable));
    TS_TRY(drop_idle(o));
  }
  if (!o->last_values || memcmp(o->values, o->last_values, bytes) != 0) {
    double *values = ts_arena_alloc(p->arena, bytes);
    o->last_text = o->c            ? ts_case_parameters(p->arena, o->c, o->values)
                   : is_simulation ? join_simulation(p, o)
                                   : ts_param_join(p->arena, o->params, o->count, o->values);
    if (!values || !o->last_text)
      return TS_E_MEMORY;
    o->last_values = memcpy(values, o->values, bytes);
  }
  *out = o->last_values;
  *out_text = o->last_text;
  return TS_OK;
}

static uint64_t hash_text(uint64_t hash, const char *text) {
  return ts_hash_bytes(hash, text, strlen(text) + 1);
}

ts_status ts_plan_name_cell(ts_cell *cell, ts_arena *arena) {
  uint64_t hash = TS_HASH_START;
  hash = hash_text(hash, cell->c->name);
  hash = hash_text(hash, cell->case_parameters);
  hash = hash_text(hash, cell->method->name);
  hash = hash_text(hash, cell->method_parameters);
  hash = hash_text(hash, cell->scoring_parameters);
  hash = hash_text(hash, cell->simulation_parameters);
  if (cell->modifiers->count > 0) // without any the key is that of the cell alone
    hash = hash_text(hash, cell->modifiers->text);
  cell->key = ts_arena_format(arena, "%016llx", (unsigned long long)hash);
  return cell->key ? TS_OK : TS_E_MEMORY;
}

ts_status ts_plan_name_row(const char **out, ts_arena *arena, const ts_record *record) {
  const ts_case c = {.name = record->case_name};
  const ts_method method = {.name = record->method};
  // The key depends on their text only.
  const ts_modifier_chain modifiers = {.count = *record->modifiers != '\0',
                                       .text = record->modifiers};
  ts_cell cell = {.c = &c,
                  .method = &method,
                  .modifiers = &modifiers,
                  .case_parameters = record->case_parameters,
                  .method_parameters = record->method_parameters,
                  .scoring_parameters = record->scoring_parameters,
                  .simulation_parameters = record->simulation_parameters};
  TS_TRY(ts_plan_name_cell(&cell, arena));
  *out = cell.key;
  return TS_OK;
}

static ts_status add_cell(planner *p, size_t case_index, size_t method_index,
                          const ts_modifier_chain *chain, const size_t *digits) {
  ts_plan *plan = p->plan;
  ts_cell *cell = &plan->cells[plan->cell_count];
  *cell = (ts_cell){.index = plan->cell_count,
                    .c = p->cases[case_index],
                    .method = p->methods[method_index],
                    .modifiers = chain,
                    .steps = p->request->steps,
                    .contacts = p->request->contacts};
  size_t owners[CELL_OWNERS];
  find_owners(owners, p, case_index, method_index);
  TS_TRY(owner_values(&cell->case_values, &cell->case_parameters, p, cell->c, owners[OWNER_CASE],
                      digits));
  TS_TRY(owner_values(&cell->method_values, &cell->method_parameters, p, cell->c,
                      owners[OWNER_METHOD], digits));
  TS_TRY(owner_values(&cell->scoring_values, &cell->scoring_parameters, p, cell->c,
                      owners[OWNER_SCORING], digits));
  TS_TRY(owner_values(&cell->simulation_values, &cell->simulation_parameters, p, cell->c,
                      owners[OWNER_SIMULATION], digits));
  TS_TRY(ts_plan_name_cell(cell, p->arena));
  plan->cell_count++;
  return TS_OK;
}

/// Lengths of all sweeps for one case and method, and the number of draws; 0 cells when their
/// product is too large.
static size_t sweep_lengths(size_t *lengths, const planner *p, size_t case_index,
                            size_t method_index) {
  size_t owners[CELL_OWNERS];
  find_owners(owners, p, case_index, method_index);
  size_t product = 1, sweep_count = p->request->sweep_count;
  for (size_t i = 0; i <= sweep_count; i++) {
    lengths[i] = i < sweep_count ? sweep_length(p, i, owners) : draw_count(p->request);
    product *= lengths[i]; // no more than 1e6 x 1e5
    if (product > CELLS_MAX)
      return 0;
  }
  return product;
}

static ts_status count_cells(size_t *out, size_t *lengths, const planner *p) {
  size_t total = 0;
  for (size_t i = 0; i < p->case_count; i++)
    for (size_t k = 0; k < p->method_count; k++) {
      size_t count = sweep_lengths(lengths, p, i, k) * p->chain_count;
      total += count;
      if (count == 0 || total > CELLS_MAX)
        return ts_fail(TS_E_INPUT,
                       "the plan has more than %d cells; sweep fewer values, take fewer "
                       "seeds, or choose fewer cases and methods",
                       CELLS_MAX);
    }
  *out = total;
  return TS_OK;
}

/// Adds the cells of one case, method and chain, the draws fastest, then the last sweep.
static ts_status add_cells(planner *p, size_t case_index, size_t method_index,
                           const ts_modifier_chain *chain, size_t *lengths, size_t *digits) {
  size_t digit_count = p->request->sweep_count + 1;
  size_t count = sweep_lengths(lengths, p, case_index, method_index);
  memset(digits, 0, digit_count * sizeof *digits);
  for (size_t n = 0; n < count; n++) {
    TS_TRY(add_cell(p, case_index, method_index, chain, digits));
    for (size_t i = digit_count; i-- > 0;) {
      if (++digits[i] < lengths[i])
        break;
      digits[i] = 0;
    }
  }
  return TS_OK;
}

/// Reads the chains of modifiers; without any there is the empty one.
static ts_status read_chains(planner *p, const ts_catalog *catalog) {
  const ts_plan_request *request = p->request;
  p->chain_count = request->chain_count > 0 ? request->chain_count : 1;
  ts_modifier_chain *chains = ts_arena_array(p->arena, p->chain_count, sizeof *chains);
  if (!chains)
    return TS_E_MEMORY;
  p->chains = chains;
  for (size_t i = 0; i < p->chain_count; i++) {
    const char *text = request->chain_count > 0 ? request->chains[i] : TS_MODIFIERS_NONE;
    TS_TRY(ts_modifier_chain_parse(&chains[i], p->arena, text, catalog->modifiers,
                                   catalog->modifier_count));
    for (size_t k = 0; k < i; k++)
      if (strcmp(chains[k].text, chains[i].text) == 0)
        return ts_fail(TS_E_INPUT, "--modify %s is given twice; leave one out",
                       chains[i].count > 0 ? chains[i].text : TS_MODIFIERS_NONE);
  }
  return TS_OK;
}

static bool chains_use(const planner *p, const ts_catalog *catalog, const ts_plugin *plugin) {
  for (size_t i = 0; i < p->chain_count; i++)
    for (size_t k = 0; k < p->chains[i].count; k++)
      if (ts_catalog_plugin_of_modifier(catalog, p->chains[i].links[k].modifier) == plugin)
        return true;
  return false;
}

/// Lists the plug-ins that provide the selected methods and modifiers.
static ts_status list_plugins(planner *p, const ts_catalog *catalog) {
  ts_plan *plan = p->plan;
  plan->plugins = ts_arena_array(p->arena, catalog->plugin_count, sizeof *plan->plugins);
  if (!plan->plugins)
    return TS_E_MEMORY;
  for (size_t i = 0; i < catalog->plugin_count; i++) {
    bool is_used = chains_use(p, catalog, &catalog->plugins[i]);
    for (size_t k = 0; k < p->method_count; k++)
      is_used = is_used || ts_catalog_plugin_of(catalog, p->methods[k]) == &catalog->plugins[i];
    if (is_used)
      plan->plugins[plan->plugin_count++] = &catalog->plugins[i]; // in its arena
  }
  return TS_OK;
}

ts_status ts_plan_create(ts_plan *out, ts_arena *arena, const ts_plan_request *request) {
  *out = (ts_plan){0};
  planner p = {.arena = arena, .request = request, .plan = out};
  ts_catalog built_in;
  const ts_catalog *catalog = request->catalog ? request->catalog : &built_in;
  if (!request->catalog)
    TS_TRY(ts_catalog_create(&built_in, arena, false));
  TS_TRY(ts_select_cases(&p.cases, &p.case_count, arena, catalog, request->suite, request->cases));
  TS_TRY(ts_select_methods(&p.methods, &p.method_count, arena, catalog, request->methods));
  TS_TRY(read_chains(&p, catalog));
  TS_TRY(list_plugins(&p, catalog));
  TS_TRY(list_owners(&p));
  TS_TRY(apply_sets(&p));
  TS_TRY(read_sweeps(&p));
  TS_TRY(prepare_draws(&p));
  size_t *lengths = ts_arena_array(arena, request->sweep_count + 1, sizeof *lengths);
  size_t *digits = ts_arena_array(arena, request->sweep_count + 1, sizeof *digits);
  if (!lengths || !digits)
    return TS_E_MEMORY;
  size_t count = 0;
  TS_TRY(count_cells(&count, lengths, &p));
  out->cells = ts_arena_array(arena, count, sizeof *out->cells);
  if (!out->cells)
    return TS_E_MEMORY;
  for (size_t i = 0; i < p.case_count; i++)
    for (size_t k = 0; k < p.method_count; k++)
      for (size_t m = 0; m < p.chain_count; m++)
        TS_TRY(add_cells(&p, i, k, &p.chains[m], lengths, digits));
  return check_used(&p.owners[p.owner_count - 1]);
}

uint64_t ts_plan_hash(const ts_plan *plan) {
  uint64_t hash = TS_HASH_START;
  for (size_t i = 0; i < plan->cell_count; i++)
    hash = hash_text(hash, plan->cells[i].key);
  return hash;
}

ts_status ts_plan_assign(double *values, ts_arena *arena, const char *owner_name,
                         const ts_param *params, size_t param_count, const ts_assignment *sets,
                         size_t count) {
  owner o = {.name = owner_name,
             .params = params,
             .count = param_count,
             .set_by = ts_arena_array(arena, param_count, sizeof *o.set_by)};
  if (!o.set_by)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    int param = find_param(&o, sets[i].name);
    if (param < 0)
      return unknown_param(arena, &o, 1, sets[i].name);
    TS_TRY(claim_param(&o, param, &sets[i]));
    TS_TRY(ts_param_parse(&values[param], &params[param], sets[i].value));
  }
  return TS_OK;
}
