// SPDX-License-Identifier: MIT
/// The simulation of a scene with deformable bodies, for harness/simulation/simulation.c alone: the
/// world that moves it, its meshes for the method, and the twin world with the exact compliance.
#ifndef TS_HARNESS_SOFT_SIMULATION_H
#define TS_HARNESS_SOFT_SIMULATION_H

#include "geometry/contact_set.h"
#include "harness/narrow_phase/narrow_phase.h"
#include "reports/rows/record.h"

typedef struct ts_soft_simulation ts_soft_simulation;

/// `built` and `phase` are borrowed; `values` [TS_SIMULATION_COUNT] are at the scale of the scene.
/// TS_E_INPUT as ts_soft_world_create.
ts_status ts_soft_simulation_create(ts_soft_simulation **out, const ts_scene *built,
                                    ts_narrow_phase *phase, const double *values);

/// Call it after the narrow phase is destroyed, whose scene is the simulation's. NULL is allowed.
void ts_soft_simulation_destroy(ts_soft_simulation *simulation);

/// Makes the free motion, and gives the narrow phase the meshes where it has led, prepared. `*out`
/// is the scene there, valid until the next call.
ts_status ts_soft_simulation_begin_step(const ts_scene **out, ts_soft_simulation *simulation);

/// Solves for the forces at the contacts of sets [count], whose gaps are those without the
/// envelope, and ends the step; that of the twin world, too, with the contacts that the method
/// finds there. TS_SKIPPED when a gap is NaN.
ts_status ts_soft_simulation_end_step(ts_soft_simulation *simulation, const ts_contact_set *sets,
                                      size_t count);

/// Normal impulse [kg m/s] of the step just ended at a contact, as ts_simulation_impulse.
double ts_soft_simulation_impulse(const ts_soft_simulation *simulation, size_t contact);

/// Sets the fields of the record for the step just ended.
void ts_soft_simulation_record(ts_record *record, const ts_soft_simulation *simulation);

#endif
