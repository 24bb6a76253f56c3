// SPDX-License-Identifier: MIT
/// The layer of a picture with the names of the bodies, each beside the outline of its body.
#ifndef TS_HARNESS_BODY_NAMES_H
#define TS_HARNESS_BODY_NAMES_H

#include "harness/picture/draw_contacts.h"

/// Most bodies that are named; of more, those with faults come first, and the others get their
/// number.
#define TS_NAMED_BODIES_MAX    ((size_t)24)
#define TS_NUMBERED_BODIES_MAX ((size_t)300)

typedef struct ts_body_names {
  size_t named;    ///< "3 stone_2", the index as in contacts.csv
  size_t numbered; ///< "3"
  size_t left_out; ///< for lack of room, or because the frame cuts them off
} ts_body_names;

/// Draws the names, so that none covers another one.
ts_status ts_draw_body_names(ts_body_names *out, const ts_drawing *d,
                             const ts_drawn_contacts *contacts);

#endif
