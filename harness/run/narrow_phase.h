// SPDX-License-Identifier: MIT
/// A method at work on a scene: the bodies in the state it wants, the pairs that may touch, its
/// prepared state, and the host that serves it.
#ifndef TS_HARNESS_NARROW_PHASE_H
#define TS_HARNESS_NARROW_PHASE_H

#include "cases/scene/scene.h"
#include "geometry/contact_set.h"
#include "harness/judge/judge.h"
#include "methods/method.h"

typedef struct ts_narrow_phase ts_narrow_phase;

/// Checks what the method needs, applies its envelope to every shape and finds the candidate pairs.
/// A method that takes convex bodies only is given the pieces of a shape that is not (ts_shape): it
/// prepares each piece as a shape, and is called for each two of them that come within its reach.
/// What it finds between the pieces of two bodies is the contact set of these bodies, without the
/// features that pieces have.
///
/// `values` [method->param_count] are as given for scale 1. TS_SKIPPED when the scene lacks what
/// the method needs. All but the contacts lives until ts_narrow_phase_destroy(); `scene` and
/// `method` are borrowed. On failure nothing is left.
ts_status ts_narrow_phase_create(ts_narrow_phase **out, const ts_scene *scene,
                                 const ts_method *method, const double *values,
                                 ts_reference reference);

/// Releases what the method prepared, and all else. NULL is fine.
void ts_narrow_phase_destroy(ts_narrow_phase *phase);

/// Candidate pairs of bodies, sorted by (a, b): those whose boxes, of the larger of the designed
/// and the enveloped bodies, come within the method's reach.
size_t ts_narrow_phase_pair_count(const ts_narrow_phase *phase);

ts_envelope ts_narrow_phase_envelope(const ts_narrow_phase *phase);

/// How duplicates are dropped from the contacts collected: TS_RULE_TOUCHSTONE, the default, or as
/// the published counts were made.
void ts_narrow_phase_set_rule(ts_narrow_phase *phase, ts_scoring_rule rule);

/// Time of the broad phase [ns].
int64_t ts_narrow_phase_pairing_ns(const ts_narrow_phase *phase);

/// Whether the method has anything to prepare.
bool ts_narrow_phase_has_preparation(const ts_narrow_phase *phase);

/// Prepares each shape or piece in use and each pair of them. Asks for ts_narrow_phase_release()
/// before the next one. The status is the method's, with a detail line in every case; any positive
/// one is TS_SKIPPED.
ts_status ts_narrow_phase_prepare(ts_narrow_phase *phase);
void ts_narrow_phase_release(ts_narrow_phase *phase);

/// Goes on with the same bodies elsewhere: finds the candidate pairs at the poses of `scene`
/// (borrowed until the next move), prepares them, and the shapes that were in no pair before; what
/// was prepared for the other shapes stays. To be called when all is prepared. Status as above.
ts_status ts_narrow_phase_move(ts_narrow_phase *phase, const ts_scene *scene);

/// One pass over all pairs, for its time: the contacts of a pair are dropped when the next one
/// begins, so that memory does not grow with the scene. Status as above.
ts_status ts_narrow_phase_pass(ts_narrow_phase *phase);

/// One pass that keeps the contacts: `*out` [pair count] are canonical sets, sorted by (a, b), in
/// the arena. Status as above; TS_E_INPUT also when the method has written to what it is given to
/// read.
ts_status ts_narrow_phase_collect(ts_contact_set **out, ts_narrow_phase *phase, ts_arena *arena);

/// Fingerprint of all contacts; pairs without any do not change it.
uint64_t ts_contact_sets_hash(const ts_contact_set *sets, size_t count);

#endif
