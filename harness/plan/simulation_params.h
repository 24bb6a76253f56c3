// SPDX-License-Identifier: MIT
/// The parameters of the simulation.
#ifndef TS_HARNESS_SIMULATION_PARAMS_H
#define TS_HARNESS_SIMULATION_PARAMS_H

#include "base/types.h"

#include <stdbool.h>

/// Parameters of the simulation that moves a scene after it has been scored as built; at scale 1.
typedef enum ts_simulation_param {
  TS_SIMULATION_DT,       ///< time step [s]
  TS_SIMULATION_FRICTION, ///< Coulomb friction coefficient
  TS_SIMULATION_FRICTION_FIXED,
  TS_SIMULATION_SPIN_LENGTH,
  TS_SIMULATION_GRAVITY,       ///< downwards [m/s2]
  TS_SIMULATION_DAMPING,       ///< linear [N per m/s] and angular [N m per rad/s]
  TS_SIMULATION_SWEEPS,        ///< of the solver
  TS_SIMULATION_TOLERANCE,     ///< residual at which the solver stops
  TS_SIMULATION_ORDER,         ///< choice, the values of ts_solver_order
  TS_SIMULATION_R,             ///< choice, the values of ts_solver_r
  TS_SIMULATION_START,         ///< choice: cold, warm
  TS_SIMULATION_STABILISATION, ///< fraction of the overlap corrected in a step
  TS_SIMULATION_STEPPER,       ///< choice, the values of ts_stepper
  TS_SIMULATION_PATH,          ///< largest displacement on a path [m]
  TS_SIMULATION_PATH_STEPS,    ///< of one oscillation
  TS_SIMULATION_PATH_SEED,     ///< of its axes and of the noise
  TS_SIMULATION_NOISE,         ///< largest displacement by noise on a path [m]
  // From here on, as those of paths: left out of the text of the parameters where they do nothing.
  TS_SIMULATION_RESPONSE,            ///< choice, the values of ts_response, then those below
  TS_SIMULATION_AREAS,               ///< choice, the values of ts_areas
  TS_SIMULATION_VOLUME_ROWS,         ///< choice, the values of ts_volume_rows
  TS_SIMULATION_PRESSURE_START,      ///< choice: even, cold
  TS_SIMULATION_POSITION_ITERATIONS, ///< most position steps in a time step
  TS_SIMULATION_POSITION_TOLERANCE,  ///< relative to what the envelope adds to an overlap
  TS_SIMULATION_STIFFNESS,           ///< of a penalty [N/m5]
  TS_SIMULATION_VISCOSITY,           ///< of a penalty [N s/m3]
  TS_SIMULATION_INTEGRATION,         ///< choice, the values of ts_integration
  TS_SIMULATION_RESIDUAL,            ///< at which the solver of deformable bodies stops [m]
  TS_SIMULATION_TWIN,                ///< choice, the values of ts_twin
  TS_SIMULATION_COUNT
} ts_simulation_param;

/// The value of TS_SIMULATION_RESPONSE from which on those of ts_compliance_kind follow: responses
/// of deformable bodies (sim/soft/soft_world.h).
#define TS_RESPONSE_EXACT 3

/// Whether a world with the exact compliance runs beside one without.
typedef enum ts_twin { TS_TWIN_EXACT, TS_TWIN_NONE } ts_twin;

/// What moves the bodies.
typedef enum ts_stepper {
  TS_STEPPER_TOUCHSTONE, ///< sim/world.h
  TS_STEPPER_PROX,       ///< sim/prox_world.h
  TS_STEPPER_PATH        ///< harness/simulation/body_path.h: whatever the contacts are
} ts_stepper;

/// Areas of contacts.
typedef enum ts_areas {
  TS_AREAS_GIVEN, ///< the method's
  TS_AREAS_EVEN   ///< TS_EVEN_AREA_M2 at scale 1, shared by the contacts of a pair
} ts_areas;

#define TS_EVEN_AREA_M2 1.0

extern const ts_param ts_simulation_params[TS_SIMULATION_COUNT];

/// Adapts the values [TS_SIMULATION_COUNT] to the bodies of a case: deformable ones have the exact
/// response where `response` is at its default. TS_E_INPUT, with the case named, for a response or
/// a stepper that cannot move them.
ts_status ts_simulation_suit_bodies(double *values, const char *case_name, bool is_deformable);

/// Whether a parameter does anything where the parameters have those values [TS_SIMULATION_COUNT].
/// `*out_unless` is the setting that it needs ("stepper=path"); unchanged if it does something.
bool ts_simulation_param_applies(const char **out_unless, size_t param, const double *values);

/// Whether the text of a row's parameters has it: those of the first versions always, later ones
/// where they do something, and `response` itself where it is not the default. So rows of earlier
/// versions keep their identity.
bool ts_simulation_param_is_shown(size_t param, const double *values);

#endif
