// SPDX-License-Identifier: MIT
/// The plan: cases x methods x parameter ranges, multiplied out into an ordered list of cells.
#ifndef TS_HARNESS_PLAN_H
#define TS_HARNESS_PLAN_H

#include "base/arena.h"
#include "harness/plan/catalog.h"
#include "harness/plan/simulation_params.h"
#include "methods/modifiers/modifier_chain.h"
#include "reports/rows/contact_kind.h"
#include "reports/rows/record.h"

/// Parameters of the scoring, set like those of a case or method.
typedef enum ts_scoring_param {
  TS_SCORING_REFERENCE,          ///< choice, the values of ts_reference
  TS_SCORING_NORMAL_TOLERANCE,   ///< |1 - |n.f||
  TS_SCORING_POSITION_TOLERANCE, ///< relative to the pair size
  TS_SCORING_RULE,               ///< choice, the values of ts_scoring_rule
  TS_SCORING_TRUTH,              ///< choice, the values of ts_truth_kind
  TS_SCORING_COUNT
} ts_scoring_param;
/// Which truth bodies have that a simulation has moved.
typedef enum ts_truth_kind {
  TS_TRUTH_MOVED,  ///< of where they are (cases/truth/moved_truth.h)
  TS_TRUTH_CARRIED ///< as built, carried along
} ts_truth_kind;

extern const ts_param ts_scoring_params[TS_SCORING_COUNT];

/// One case with its parameters x one method with its parameters x one scoring x one simulation.
typedef struct ts_cell {
  size_t index; ///< index in the plan
  const ts_case *c;
  const double *case_values; ///< [ts_case_param_count(c)]
  const ts_method *method;
  const double *method_values;        ///< [method->param_count], as given for scale 1
  const double *scoring_values;       ///< [TS_SCORING_COUNT]
  const double *simulation_values;    ///< [TS_SIMULATION_COUNT]
  const ts_modifier_chain *modifiers; ///< what is done to the method's contacts
  int64_t steps;                      ///< as in the request
  ts_contacts_kept contacts;          ///< likewise
  /// Identity, as written in the record.
  const char *key, *case_parameters, *method_parameters, *scoring_parameters;
  const char *simulation_parameters;
} ts_cell;

typedef struct ts_assignment {
  const char *name;  ///< "profile" or "opposing.profile"
  const char *value; ///< "x", or for a sweep "a:b:n", "a:b:n:log" or "a,b,c"
} ts_assignment;

/// Largest number of draws of a case.
#define TS_PLAN_SEEDS_MAX 10000

typedef struct ts_plan_request {
  const ts_catalog *catalog; ///< to choose from; NULL: the built-in ones without controls
  const char *suite;         ///< only cases of this suite; NULL: of every suite
  const char *cases;   ///< POSIX extended regular expression that must match the whole name; NULL:
                       ///< all of the suite
  const char *methods; ///< likewise
  /// States that are scored: every simulation step up to this one; 0: the scene as built and
  /// TS_PUBLISHED_STEP; 1: only the scene as built.
  int64_t steps;
  size_t set_count;
  const ts_assignment *sets;
  size_t sweep_count;
  const ts_assignment *sweeps;
  /// Above 0: the parameters of cases that are neither set nor swept are drawn (ts_case_draw).
  uint64_t seed;
  /// Above 0: as many draws of each case, at most TS_PLAN_SEEDS_MAX. With `seed` they are drawn
  /// with that seed and those after it; otherwise draw i has motion_seed i + 1 and, where perturb_m
  /// is not 0, perturb_seed i + 1.
  size_t seed_count;
  ts_contacts_kept contacts; ///< which of the contacts that a step lists get a row
  /// Above 0: each method with each of these chains of modifiers (ts_modifier_chain_parse).
  size_t chain_count;
  const char *const *chains; ///< [chain_count]
} ts_plan_request;

typedef struct ts_plan {
  size_t cell_count;
  ts_cell *cells;
  size_t plugin_count;
  const ts_plugin **plugins; ///< [plugin_count], those of the catalog that provide a selected
                             ///< method or modifier
} ts_plan;

/// Expands the request into cells: cases outermost, then methods, modifiers, sweeps, draws, the
/// last one fastest. A sweep multiplies only the cells that have its parameter. TS_E_INPUT, with a
/// message that lists the valid choices: a pattern that matches nothing or is not a regular
/// expression, a parameter that nothing selected has, a value out of range, the same parameter set
/// twice, or given although the draws change it, a sweep that is malformed, repeats a value or has
/// more than 100,000 values, more than 1,000,000 cells. A parameter given as `name` applies to
/// every selected case or method that has it, to the scoring and to the simulation; `owner.name` to
/// one case, one method, `scoring` or `simulation`.
ts_status ts_plan_create(ts_plan *out, ts_arena *arena, const ts_plan_request *request);

/// Sets the key of a cell, which is derived from the rest of its identity.
ts_status ts_plan_name_cell(ts_cell *cell, ts_arena *arena);

/// The fingerprint that the case, the method and the parameters of a row have: that of its cell,
/// unless somebody changed them. In the arena. TS_E_MEMORY.
ts_status ts_plan_name_row(const char **out, ts_arena *arena, const ts_record *record);

/// Hash of the cells of a plan and their order.
uint64_t ts_plan_hash(const ts_plan *plan);

/// Applies `sets` [count], "name" or "owner.name", to the `values` [param_count] of one owner.
/// TS_E_INPUT, also for a parameter that is set twice.
ts_status ts_plan_assign(double *values, ts_arena *arena, const char *owner, const ts_param *params,
                         size_t param_count, const ts_assignment *sets, size_t count);

#endif
