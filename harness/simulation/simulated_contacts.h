// SPDX-License-Identifier: MIT
/// The contacts of a method as a simulation takes them.
#ifndef TS_HARNESS_SIMULATED_CONTACTS_H
#define TS_HARNESS_SIMULATED_CONTACTS_H

#include "geometry/contact_set.h"
#include "harness/narrow_phase/narrow_phase.h"

/// TS_SKIPPED, with the first pair named, when a normal is zero or not finite.
ts_status ts_simulated_contacts_check(const ts_contact_set *sets, size_t set_count);

/// The contacts of sets [set_count] with gaps as the bodies have them without the envelope of the
/// phase, in the arena, which is cleared before. TS_E_MEMORY.
ts_status ts_simulated_contacts_own(const ts_contact_set **out, ts_arena *arena,
                                    const ts_narrow_phase *phase, const ts_contact_set *sets,
                                    size_t set_count);

#endif
