// SPDX-License-Identifier: MIT
/// A method applied to a scene: the bodies in the envelope it requests, the pairs that may touch,
/// its prepared state, and its host.
#ifndef TS_HARNESS_NARROW_PHASE_H
#define TS_HARNESS_NARROW_PHASE_H

#include "cases/scene/scene.h"
#include "geometry/contact_set.h"
#include "harness/judge/judge.h"
#include "methods/method.h"
#include "methods/modifiers/modifier_chain.h"

typedef struct ts_narrow_phase ts_narrow_phase;

/// Checks the method's requirements, applies its envelope to every shape and finds the candidate
/// pairs. A method for convex bodies only is given the convex pieces of non-convex shapes
/// (ts_shape): it prepares each piece like a shape, and is called for each pair of pieces within
/// its reach. The contacts of all pieces of two bodies form the contact set of these bodies;
/// features of pieces are dropped.
///
/// `values` [method->param_count] (borrowed) are as given for scale 1. TS_SKIPPED when the scene
/// does not meet the method's requirements. Everything except the contacts lives until
/// ts_narrow_phase_destroy(); `scene` and `method` are borrowed. On failure nothing is allocated.
ts_status ts_narrow_phase_create(ts_narrow_phase **out, const ts_scene *scene,
                                 const ts_method *method, const double *values,
                                 ts_reference reference);

/// Releases what the method prepared and everything else. NULL is allowed.
void ts_narrow_phase_destroy(ts_narrow_phase *phase);

/// Candidate pairs of bodies, sorted by (a, b): those whose boxes (the larger of the designed and
/// the enveloped box) are within the method's reach.
size_t ts_narrow_phase_pair_count(const ts_narrow_phase *phase);

const ts_method *ts_narrow_phase_method(const ts_narrow_phase *phase);
ts_envelope ts_narrow_phase_envelope(const ts_narrow_phase *phase);

/// By how much the envelope adds to the overlap of two bodies at a contact of a set [m]; below zero
/// for eroded bodies. A contact does not say which surfaces it is between: of each body it is taken
/// to be on the nearest that faces along its normal (ts_mesh_offset_along). The size of the
/// envelope where that is not known (pieces, refined shapes), and for meshes of many triangles.
double ts_narrow_phase_added_overlap_m(const ts_narrow_phase *phase, const ts_contact_set *set,
                                       size_t contact);

/// How duplicates are dropped from the collected contacts: TS_RULE_TOUCHSTONE, the default, or the
/// rule of the published counts.
void ts_narrow_phase_set_rule(ts_narrow_phase *phase, ts_scoring_rule rule);

/// Modifies the contacts of each pair by a chain (borrowed) from now on, once they are canonical.
/// Times of passes are those of the method alone.
///
/// A modifier is given the pair at the poses of the method, the lower body first, with the meshes
/// as designed; the pair's envelope says how far the method's surfaces were from these.
void ts_narrow_phase_set_modifiers(ts_narrow_phase *phase, const ts_modifier_chain *chain);

/// The sets [pair count] last collected at the poses of the scene, before they were modified; NULL
/// without modifiers. Valid until the next collection or move.
const ts_contact_set *ts_narrow_phase_unmodified(const ts_narrow_phase *phase);

/// How long modifying all sets took [ns]: the median since the last move; NaN without modifiers.
double ts_narrow_phase_modify_ns(ts_narrow_phase *phase);

/// Time of the broad phase [ns].
int64_t ts_narrow_phase_pairing_ns(const ts_narrow_phase *phase);

/// Whether the method, with these parameters, keeps state from one time step to the next
/// (ts_method_keeps_state). Then a move keeps the states of the pairs that are still candidates.
bool ts_narrow_phase_keeps_state(const ts_narrow_phase *phase);

/// Whether the method has anything to prepare.
bool ts_narrow_phase_has_preparation(const ts_narrow_phase *phase);

/// Prepares each shape or piece in use and each pair of them. Call ts_narrow_phase_release() before
/// preparing again. Returns the method's status, always with a detail line; any positive status
/// becomes TS_SKIPPED.
ts_status ts_narrow_phase_prepare(ts_narrow_phase *phase);
void ts_narrow_phase_release(ts_narrow_phase *phase);

/// Moves the bodies: finds the candidate pairs at the poses of `scene` (borrowed until the next
/// move), and prepares them and any shapes that were in no pair before; other shapes stay prepared,
/// and so do pairs of a method that keeps state. Requires that everything is prepared. Status as
/// above.
ts_status ts_narrow_phase_move(ts_narrow_phase *phase, const ts_scene *scene);

/// The same for bodies whose shapes have changed, too: `scene` (borrowed until the next move) is as
/// built for them, and nothing is prepared. What the method keeps of the old shapes is released, so
/// release them (ts_narrow_phase_release) before they go. Status as ts_narrow_phase_create.
ts_status ts_narrow_phase_reshape(ts_narrow_phase *phase, const ts_scene *scene);

/// Another one on `scene`, with the same method, parameters and rule; as ts_narrow_phase_create.
ts_status ts_narrow_phase_twin(ts_narrow_phase **out, const ts_narrow_phase *phase,
                               const ts_scene *scene);

/// Most places that ts_narrow_phase_place() takes: enough for a block of passes that is long
/// against a reading of the clock, and few enough to stay in the cache.
size_t ts_narrow_phase_places(const ts_narrow_phase *phase);

/// Places the bodies for the next passes: pass i < count is at the nearby poses of number first + i
/// (ts_near_poses). The pairs stay, and so does what is prepared. After creation and after each
/// move, pass 0 is at number 0, the poses of the scene. TS_E_MEMORY.
ts_status ts_narrow_phase_place(ts_narrow_phase *phase, uint64_t first, size_t count);

/// Whether each pass prepares the pairs anew, at its poses; not at first.
void ts_narrow_phase_renew_pairs(ts_narrow_phase *phase, bool renews);

/// Prepares the pairs anew at the nearby poses of a number, once; 0: at those of the scene. The
/// next passes are at those of the scene. Status of ts_narrow_phase_prepare().
ts_status ts_narrow_phase_prepare_pairs_at(ts_narrow_phase *phase, uint64_t number);

/// A pass over all pairs at one of the places, for timing: the contacts of a pair are dropped when
/// the next one begins, so that memory does not grow with the scene; or `keeps` them for
/// ts_narrow_phase_kept_hash(). Status as above.
ts_status ts_narrow_phase_pass(ts_narrow_phase *phase, size_t place, bool keeps);

/// Restores rounding and traps after calls of the method, so that our own arithmetic is as always,
/// and notes what they had changed. Every function here does, except ts_narrow_phase_pass(), since
/// that is timed.
void ts_narrow_phase_restore_numbers(ts_narrow_phase *phase);

/// What calls of the method had changed so far: TS_CHANGED_* of numbers (base/surroundings.h).
uint32_t ts_narrow_phase_numbers_changed(const ts_narrow_phase *phase);

/// Makes the contacts of the last pass that kept them canonical, modifies them, and gives their
/// hash (ts_contact_sets_hash). Once for each pass. TS_E_MEMORY, and errors of modifiers.
ts_status ts_narrow_phase_kept_hash(uint64_t *out, ts_narrow_phase *phase);

/// One pass at place 0 whose contacts stay: `*out` [pair count] are canonical sets, modified,
/// sorted by (a, b), in the arena. Status as above; TS_E_INPUT also when the method has written to
/// its input, or to the scene and its truth.
ts_status ts_narrow_phase_collect(ts_contact_set **out, ts_narrow_phase *phase, ts_arena *arena);

/// The same after a pass that kept its contacts, once for each: `out_hashes` are that of those
/// contacts, as ts_narrow_phase_kept_hash() gives it, and that of the sets.
ts_status ts_narrow_phase_collect_again(ts_contact_set **out, uint64_t out_hashes[2],
                                        ts_narrow_phase *phase, ts_arena *arena);

/// Hash of all contacts; pairs without contacts do not change it.
uint64_t ts_contact_sets_hash(const ts_contact_set *sets, size_t count);

#endif
