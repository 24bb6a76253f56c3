// SPDX-License-Identifier: MIT
/// What a world refuses of the contacts that it is given. Each is TS_E_INPUT, with the set or the
/// contact named.
#ifndef TS_SIM_CONTACT_CHECK_H
#define TS_SIM_CONTACT_CHECK_H

#include "geometry/contact_set.h"

/// The set with that number: its bodies are among body_count, and the lower comes first.
ts_status ts_check_contact_bodies(const ts_contact_set *set, size_t number, size_t body_count);

/// A contact of a set: its normal has a direction, its point and its gap are finite.
ts_status ts_check_contact(const ts_contact_set *set, size_t index);

#endif
