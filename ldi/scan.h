// SPDX-License-Identifier: MIT
/// The reference back end: scan lines on the processor, in double precision.
///
/// Each edge crosses a row in a column that both of its triangles work out from the same end, and
/// spans are half open, so that over every pixel each edge of a closed mesh is counted once on its
/// left and once on its right: entries and exits match, whatever goes through pixel centres.
#ifndef TS_LDI_SCAN_H
#define TS_LDI_SCAN_H

#include "ldi/backend.h"

extern const ts_ldi_backend ts_ldi_backend_cpu;

#endif
