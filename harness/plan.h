/// The plan: cases x methods x parameter ranges, multiplied out into an ordered list of cells.
#ifndef TS_HARNESS_PLAN_H
#define TS_HARNESS_PLAN_H

#include "base/arena.h"
#include "cases/case.h"
#include "methods/method.h"

/// Parameters of the scoring, set like those of a case or method.
typedef enum ts_scoring_param {
  TS_SCORING_REFERENCE,          ///< choice, the values of ts_reference
  TS_SCORING_NORMAL_TOLERANCE,   ///< |1 - |n.f||
  TS_SCORING_POSITION_TOLERANCE, ///< relative to the pair size
  TS_SCORING_COUNT
} ts_scoring_param;
extern const ts_param ts_scoring_params[TS_SCORING_COUNT];

/// One case with its parameters x one method with its parameters x one scoring.
typedef struct ts_cell {
  size_t index; ///< place in the plan
  const ts_case *c;
  const double *case_values; ///< [ts_case_param_count(c)]
  const ts_method *method;
  const double *method_values;  ///< [method->param_count], as given for scale 1
  const double *scoring_values; ///< [TS_SCORING_COUNT]
  /// Identity, as it stands in the record.
  const char *key, *case_parameters, *method_parameters, *scoring_parameters;
} ts_cell;

typedef struct ts_assignment {
  const char *name;  ///< "profile" or "opposing.profile"
  const char *value; ///< "x", or for a sweep "a:b:n", "a:b:n:log" or "a,b,c"
} ts_assignment;

typedef struct ts_plan_request {
  const char *suite; ///< cases of this suite only; NULL: of every suite
  const char *cases; ///< POSIX extended regular expression over whole names; NULL: all of the suite
  const char *methods; ///< likewise
  bool with_controls;
  size_t set_count;
  const ts_assignment *sets;
  size_t sweep_count;
  const ts_assignment *sweeps;
} ts_plan_request;

typedef struct ts_plan {
  size_t cell_count;
  ts_cell *cells;
} ts_plan;

/// Multiplies the request out: cases outermost, then methods, then sweeps with the last one
/// fastest. A sweep multiplies the cells that have its parameter and leaves the others alone.
/// TS_E_INPUT with a message that lists what there is: a pattern that matches nothing or is no
/// regular expression, a parameter that nothing selected has, a value out of range, the same
/// parameter set twice, a sweep that is no sweep, gives a value twice or has more than 100,000
/// values, more than 1,000,000 cells. A parameter given as `name` goes to every selected case,
/// method or scoring that has it; `owner.name` to one case, one method, or `scoring`.
ts_status ts_plan_create(ts_plan *out, ts_arena *arena, const ts_plan_request *request);

/// Fingerprint of a plan: of its cells and their order.
uint64_t ts_plan_hash(const ts_plan *plan);

/// Reads `sets` [count] into `values` [param_count] of one owner: "name" or "owner.name".
ts_status ts_plan_assign(double *values, ts_arena *arena, const char *owner, const ts_param *params,
                         size_t param_count, const ts_assignment *sets, size_t count);

/// All methods there are, controls at the end when asked for; NULL-terminated, in the arena.
const ts_method *const *ts_plan_methods(ts_arena *arena, bool with_controls);

#endif
