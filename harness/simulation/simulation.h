// SPDX-License-Identifier: MIT
/// Simulates a scene with the contacts that a method finds: a world of rigid bodies, or of
/// deformable ones too, between the scene as built and the narrow phase.
#ifndef TS_HARNESS_SIMULATION_H
#define TS_HARNESS_SIMULATION_H

#include "cases/truth/moved_truth.h"
#include "geometry/contact_set.h"
#include "harness/narrow_phase/narrow_phase.h"
#include "reports/rows/record.h"

typedef struct ts_simulation ts_simulation;

/// `built` (borrowed) is the scene as built, `truth` (borrowed) that of where its bodies move to,
/// as for ts_scene_at, `phase` (borrowed) the method on it, prepared; `values`
/// [TS_SIMULATION_COUNT] as given for scale 1. Lengths, masses and drag follow the scene's scale,
/// so that motions at two scales are similar.
ts_status ts_simulation_create(ts_simulation **out, const ts_scene *built,
                               const ts_moved_truth *truth, ts_narrow_phase *phase,
                               const double *values);
void ts_simulation_destroy(ts_simulation *simulation);

/// Moves the bodies to where the contacts of the next time step are found, and the narrow phase
/// with them: to its midpoint; with deformable bodies, to the end of the free motion, where their
/// meshes are new shapes (ts_deformed_scene) that the method has prepared. `*out` is the scene
/// there, with its truth (ts_scene_at; unknown with deformable bodies), valid until the next call,
/// or until bodies are displaced.
ts_status ts_simulation_begin_step(const ts_scene **out, ts_simulation *simulation);

/// Finds the contacts of the step: `*out` [*out_count] as by ts_narrow_phase_collect, in the arena.
/// With response=volume bodies that overlap by more than the envelope makes are displaced, and
/// their contacts found again: `*scene` is then the scene where they are now. TS_SKIPPED and
/// TS_E_INPUT as by ts_simulation_end_step.
ts_status ts_simulation_find_contacts(ts_contact_set **out, size_t *out_count,
                                      const ts_scene **scene, ts_simulation *simulation,
                                      ts_arena *arena);

/// Whether ts_simulation_find_contacts may displace bodies.
bool ts_simulation_displaces(const ts_simulation *simulation);

/// Solves for the impulses at the contacts of sets [count] and ends the time step. On a path the
/// contacts are only counted.
/// TS_SKIPPED when a normal is zero or not finite: the rows show that of the method, and no motion
/// can be computed; and when the response needs areas and there are none. TS_E_INPUT when a point,
/// a gap or an area that is needed is not finite. All name the pair.
ts_status ts_simulation_end_step(ts_simulation *simulation, const ts_contact_set *sets,
                                 size_t count);

/// Normal impulse [kg m/s] of the time step just ended at the contact with index `contact` among
/// those of all its sets; NaN where another stepper than touchstone's solves, or none.
double ts_simulation_impulse(const ts_simulation *simulation, size_t contact);

/// Sets the fields of the record for the time step just ended, and the statistics of contact counts
/// so far.
void ts_simulation_record(ts_record *record, const ts_simulation *simulation);

#endif
