// SPDX-License-Identifier: MIT
/// From the gradient of an overlap to the contact that represents it.
#ifndef TS_LDI_CONTACT_H
#define TS_LDI_CONTACT_H

#include "ldi/backend.h"

/// A sum of gradient weights as an area [m2].
ts_vec3 ts_ldi_weight_m2(const int64_t sum[3], const ts_ldi_grid *grid);

/// The contact of an overlap (see ts_ldi_contacts) from its gradient, of a and of b, and its
/// volume as each view has it [px3]. False: nothing pushes the bodies in any direction.
bool ts_ldi_contact(ts_contact *out, const ts_ldi_pair *pair, const ts_ldi_load loads[2],
                    const double volume_px3[3]);

#endif
