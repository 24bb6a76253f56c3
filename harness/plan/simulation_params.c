// SPDX-License-Identifier: MIT
#include "harness/plan/simulation_params.h"

#include "base/status.h"

static const char *const order_names[] = {"given", "forth_back", NULL};
static const char *const stepper_names[] = {"touchstone", "prox2018", "path", NULL};
static const char *const start_names[] = {"cold", "warm", NULL};
static const char *const r_names[] = {"rows", "tangents", "friction", NULL};
// In the order of ts_response, then of ts_compliance_kind.
enum { POINTS, VOLUME, PENALTY, EXACT, WARPED, INITIAL };
static const char *const response_names[] = {"points", "volume",  "penalty", "exact",
                                             "warped", "initial", NULL};
static const char *const twin_names[] = {"exact", "none", NULL};
static const char *const area_names[] = {"given", "even", NULL};
static const char *const volume_row_names[] = {"contact", "pair", NULL};
static const char *const pressure_names[] = {"even", "cold", NULL};
static const char *const integration_names[] = {"implicit", "explicit", NULL};

const ts_param ts_simulation_params[TS_SIMULATION_COUNT] = {
    [TS_SIMULATION_DT] = {.name = "dt_s",
                          .summary = "Time step.",
                          .kind = TS_PARAM_REAL,
                          .default_value = 0.01,
                          .minimum = 1e-6,
                          .maximum = 1},
    [TS_SIMULATION_FRICTION] =
        {.name = "friction",
         .summary =
             "Coulomb friction coefficient between two bodies that can move; a penalty has none.",
         .kind = TS_PARAM_REAL,
         .default_value = 0.5,
         .minimum = 0,
         .maximum = 1e3},
    [TS_SIMULATION_FRICTION_FIXED] = {.name = "friction_fixed",
                                      .summary = "The same between a body and a fixed one.",
                                      .kind = TS_PARAM_REAL,
                                      .default_value = 0.5,
                                      .minimum = 0,
                                      .maximum = 1e3},
    [TS_SIMULATION_SPIN_LENGTH] =
        {.name = "spin_length_m",
         .summary =
             "Lever arm of torsional friction about the normal, with response=points; 0 for none.",
         .kind = TS_PARAM_REAL,
         .is_length = 1,
         .default_value = 1,
         .minimum = 0,
         .maximum = 1e3},
    [TS_SIMULATION_GRAVITY] = {.name = "gravity_m_s2",
                               .summary =
                                   "Gravitational acceleration, along -y of the scene as built.",
                               .kind = TS_PARAM_REAL,
                               .is_length = 1,
                               .default_value = 9.82,
                               .minimum = 0,
                               .maximum = 1e3},
    [TS_SIMULATION_DAMPING] = {.name = "damping",
                               .summary =
                                   "Drag of every body, N per m/s and N m per rad/s at scale 1; "
                                   "relative to mass and inertia it is the same at every scale.",
                               .kind = TS_PARAM_REAL,
                               .default_value = 0.01,
                               .minimum = 0,
                               .maximum = 1e3},
    [TS_SIMULATION_SWEEPS] = {.name = "sweeps",
                              .summary = "Contact solver sweeps per step.",
                              .kind = TS_PARAM_INTEGER,
                              .default_value = 1000,
                              .minimum = 0,
                              .maximum = 1e6},
    [TS_SIMULATION_TOLERANCE] =
        {.name = "tolerance",
         .summary = "The solver stops when no impulse changes by more than this fraction of the "
                    "largest weight times dt_s; 0: it makes all sweeps.",
         .kind = TS_PARAM_REAL,
         .default_value = 0,
         .minimum = 0,
         .maximum = 1},
    [TS_SIMULATION_ORDER] = {.name = "order",
                             .summary = "Order in which a sweep visits the contacts: as given, or "
                                        "reversed in every second sweep.",
                             .kind = TS_PARAM_CHOICE,
                             .default_value = 0,
                             .choices = order_names},
    [TS_SIMULATION_R] =
        {.name = "r_factors",
         .summary = "One r-factor per row, one for both tangents, or one for all friction rows.",
         .kind = TS_PARAM_CHOICE,
         .default_value = 1,
         .choices = r_names},
    [TS_SIMULATION_START] =
        {.name = "start",
         .summary = "Start of the solver: zero impulses, or those of the previous step.",
         .kind = TS_PARAM_CHOICE,
         .default_value = 0,
         .choices = start_names},
    [TS_SIMULATION_STABILISATION] = {.name = "stabilisation",
                                     .summary = "Fraction of the overlap, beyond what the envelope "
                                                "makes, that is corrected in a step, with "
                                                "response=points.",
                                     .kind = TS_PARAM_REAL,
                                     .default_value = 0,
                                     .minimum = 0,
                                     .maximum = 1},
    [TS_SIMULATION_STEPPER] =
        {.name = "stepper",
         .summary = "Time stepper: prox2018 is the one of the published runs, with its own "
                    "r-factors, order and start, no stabilisation, and a spin length of 1; path "
                    "moves the bodies on given paths, whatever their contacts are.",
         .kind = TS_PARAM_CHOICE,
         .default_value = TS_STEPPER_TOUCHSTONE,
         .choices = stepper_names},
    [TS_SIMULATION_PATH] =
        {.name = "path_m",
         .summary = "With stepper=path: largest displacement of a body, which oscillates along and "
                    "about an axis of its own.",
         .kind = TS_PARAM_REAL,
         .is_length = 1,
         .default_value = 1e-3,
         .minimum = 0,
         .maximum = 1},
    [TS_SIMULATION_PATH_STEPS] = {.name = "path_steps",
                                  .summary = "With stepper=path: steps of one oscillation.",
                                  .kind = TS_PARAM_INTEGER,
                                  .default_value = 512,
                                  .minimum = 4,
                                  .maximum = 1e6},
    [TS_SIMULATION_PATH_SEED] = {.name = "path_seed",
                                 .summary =
                                     "With stepper=path: seed of the axes, and of the noise.",
                                 .kind = TS_PARAM_INTEGER,
                                 .default_value = 0,
                                 .minimum = 0,
                                 .maximum = 1e6},
    [TS_SIMULATION_NOISE] =
        {.name = "noise_m",
         .summary =
             "With stepper=path: noise on the pose of each body in each step, as the largest "
             "displacement.",
         .kind = TS_PARAM_REAL,
         .is_length = 1,
         .default_value = 0,
         .minimum = 0,
         .maximum = 1},
    [TS_SIMULATION_RESPONSE] =
        {.name = "response",
         .summary = "What contacts do. Rigid bodies: an impulse each (points), pressures under "
                    "which no volume of overlap grows (volume), or forces from an energy of the "
                    "volumes (penalty). Deformable bodies: forces that close the gaps by the exact "
                    "compliance (exact, also where points is given), by that at rest, warped by "
                    "the rotations of the nodes (warped), or by that at rest as it is (initial).",
         .kind = TS_PARAM_CHOICE,
         .default_value = POINTS,
         .choices = response_names},
    [TS_SIMULATION_AREAS] =
        {.name = "areas",
         .summary = "Areas of the contacts: given by the method, or 1 m2 at scale 1 shared evenly "
                    "by the contacts of a pair.",
         .kind = TS_PARAM_CHOICE,
         .default_value = TS_AREAS_GIVEN,
         .choices = area_names},
    [TS_SIMULATION_VOLUME_ROWS] =
        {.name = "volume_rows",
         .summary = "With response=volume: a constraint for each contact, or one for each pair; "
                    "with response=penalty the same of the viscous forces.",
         .kind = TS_PARAM_CHOICE,
         .default_value = 0,
         .choices = volume_row_names},
    [TS_SIMULATION_PRESSURE_START] =
        {.name = "pressure_start",
         .summary = "Start of the solver where start=cold: the impulse that a pair had in the "
                    "previous step, spread evenly over its area, or zero.",
         .kind = TS_PARAM_CHOICE,
         .default_value = 0,
         .choices = pressure_names},
    [TS_SIMULATION_POSITION_ITERATIONS] =
        {.name = "position_iterations",
         .summary = "With response=volume: most position steps before the velocities of a time "
                    "step are solved for; each finds the contacts again.",
         .kind = TS_PARAM_INTEGER,
         .default_value = 10,
         .minimum = 0,
         .maximum = 1000},
    [TS_SIMULATION_POSITION_TOLERANCE] =
        {.name = "position_tolerance",
         .summary = "Overlap at which no position step is made, relative to what the envelope adds "
                    "to an overlap; where it adds nothing, 1e-6 of the pair's size.",
         .kind = TS_PARAM_REAL,
         .default_value = 0.01,
         .minimum = 1e-9,
         .maximum = 1},
    [TS_SIMULATION_STIFFNESS] = {.name = "stiffness_n_m5",
                                 .summary = "With response=penalty: k of the energy k V^2 / 2 of "
                                            "the volume V of a pair, at scale 1.",
                                 .kind = TS_PARAM_REAL,
                                 .default_value = 1e7,
                                 .minimum = 0,
                                 .maximum = 1e15},
    [TS_SIMULATION_VISCOSITY] = {.name = "viscosity_n_s_m3",
                                 .summary = "With response=penalty: viscous force over area and "
                                            "tangential velocity, at scale 1.",
                                 .kind = TS_PARAM_REAL,
                                 .default_value = 0,
                                 .minimum = 0,
                                 .maximum = 1e15},
    [TS_SIMULATION_INTEGRATION] =
        {.name = "integration",
         .summary = "With response=penalty: forces at the end of the step, which is stable and "
                    "loses energy, or at its start, which needs short steps.",
         .kind = TS_PARAM_CHOICE,
         .default_value = 0,
         .choices = integration_names},
    [TS_SIMULATION_RESIDUAL] =
        {.name = "residual_m",
         .summary =
             "With response=exact, warped or initial: the solver stops when no contact moves "
             "by more in a sweep, at scale 1; 0: it makes all sweeps.",
         .kind = TS_PARAM_REAL,
         .is_length = 1,
         .default_value = 1e-10,
         .minimum = 0,
         .maximum = 1},
    [TS_SIMULATION_TWIN] =
        {.name = "twin",
         .summary = "With response=warped or initial: whether a world with the exact response, and "
                    "contacts of its own, runs beside, and each step is solved by it, too, to "
                    "measure errors.",
         .kind = TS_PARAM_CHOICE,
         .default_value = TS_TWIN_EXACT,
         .choices = twin_names},
};

/// What a parameter needs of another one to do anything.
typedef struct condition {
  size_t param, needs;
  unsigned values; ///< bits of those of `needs` with which it does something
  const char *words;
} condition;

#define RIGID       (1u << POINTS | 1u << VOLUME | 1u << PENALTY)
#define RIGID_WORDS "response=points, response=volume or response=penalty"

static const condition conditions[] = {
    {TS_SIMULATION_SPIN_LENGTH, TS_SIMULATION_RESPONSE, RIGID, RIGID_WORDS},
    {TS_SIMULATION_DAMPING, TS_SIMULATION_RESPONSE, RIGID, RIGID_WORDS},
    {TS_SIMULATION_TOLERANCE, TS_SIMULATION_RESPONSE, RIGID, RIGID_WORDS},
    {TS_SIMULATION_ORDER, TS_SIMULATION_RESPONSE, RIGID, RIGID_WORDS},
    {TS_SIMULATION_R, TS_SIMULATION_RESPONSE, RIGID, RIGID_WORDS},
    {TS_SIMULATION_START, TS_SIMULATION_RESPONSE, RIGID, RIGID_WORDS},
    {TS_SIMULATION_STABILISATION, TS_SIMULATION_RESPONSE, RIGID, RIGID_WORDS},
    {TS_SIMULATION_PATH, TS_SIMULATION_STEPPER, 1u << TS_STEPPER_PATH, "stepper=path"},
    {TS_SIMULATION_PATH_STEPS, TS_SIMULATION_STEPPER, 1u << TS_STEPPER_PATH, "stepper=path"},
    {TS_SIMULATION_PATH_SEED, TS_SIMULATION_STEPPER, 1u << TS_STEPPER_PATH, "stepper=path"},
    {TS_SIMULATION_NOISE, TS_SIMULATION_STEPPER, 1u << TS_STEPPER_PATH, "stepper=path"},
    {TS_SIMULATION_RESPONSE, TS_SIMULATION_STEPPER, 1u << TS_STEPPER_TOUCHSTONE,
     "stepper=touchstone"},
    {TS_SIMULATION_AREAS, TS_SIMULATION_RESPONSE, 1u << VOLUME | 1u << PENALTY,
     "response=volume or response=penalty"},
    {TS_SIMULATION_VOLUME_ROWS, TS_SIMULATION_RESPONSE, 1u << VOLUME | 1u << PENALTY,
     "response=volume or response=penalty"},
    {TS_SIMULATION_PRESSURE_START, TS_SIMULATION_RESPONSE, 1u << VOLUME | 1u << PENALTY,
     "response=volume or response=penalty"},
    {TS_SIMULATION_POSITION_ITERATIONS, TS_SIMULATION_RESPONSE, 1u << VOLUME, "response=volume"},
    {TS_SIMULATION_POSITION_TOLERANCE, TS_SIMULATION_RESPONSE, 1u << VOLUME, "response=volume"},
    {TS_SIMULATION_STIFFNESS, TS_SIMULATION_RESPONSE, 1u << PENALTY, "response=penalty"},
    {TS_SIMULATION_VISCOSITY, TS_SIMULATION_RESPONSE, 1u << PENALTY, "response=penalty"},
    {TS_SIMULATION_INTEGRATION, TS_SIMULATION_RESPONSE, 1u << PENALTY, "response=penalty"},
    {TS_SIMULATION_RESIDUAL, TS_SIMULATION_RESPONSE, 1u << EXACT | 1u << WARPED | 1u << INITIAL,
     "response=exact, response=warped or response=initial"},
    {TS_SIMULATION_TWIN, TS_SIMULATION_RESPONSE, 1u << WARPED | 1u << INITIAL,
     "response=warped or response=initial"},
};

bool ts_simulation_param_applies(const char **out_unless, size_t param, const double *values) {
  for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++)
    if (conditions[i].param == param &&
        !(conditions[i].values >> (unsigned)values[conditions[i].needs] & 1u)) {
      *out_unless = conditions[i].words;
      return false;
    }
  return true;
}

bool ts_simulation_param_is_shown(size_t param, const double *values) {
  const char *unless;
  if (param == TS_SIMULATION_RESPONSE)
    return values[param] != POINTS;
  return ts_simulation_param_applies(&unless, param, values);
}

ts_status ts_simulation_suit_bodies(double *values, const char *case_name, bool is_deformable) {
  int response = (int)values[TS_SIMULATION_RESPONSE];
  bool is_soft = response >= TS_RESPONSE_EXACT;
  if (!is_deformable && is_soft)
    return ts_fail(TS_E_INPUT,
                   "response=%s moves deformable bodies, and case %s has none: leave it out, or "
                   "choose --suite soft",
                   response_names[response], case_name);
  if (is_deformable && !is_soft && response != POINTS)
    return ts_fail(TS_E_INPUT,
                   "response=%s moves rigid bodies, and case %s has deformable ones: give exact, "
                   "warped or initial",
                   response_names[response], case_name);
  int stepper = (int)values[TS_SIMULATION_STEPPER];
  if (is_deformable && stepper != TS_STEPPER_TOUCHSTONE)
    return ts_fail(TS_E_INPUT,
                   "stepper=%s moves rigid bodies, and case %s has deformable ones: leave it out",
                   stepper_names[stepper], case_name);
  if (is_deformable && !is_soft)
    values[TS_SIMULATION_RESPONSE] = EXACT;
  return TS_OK;
}
