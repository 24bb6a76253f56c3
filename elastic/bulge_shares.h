// SPDX-License-Identifier: MIT
/// How a bulge is shared out among the vertices around a contact zone (Brunel 2021, section 7, Eq.
/// 7): more in front of the zone, seen the way it is pushed, and close to it.
#ifndef TS_ELASTIC_BULGE_SHARES_H
#define TS_ELASTIC_BULGE_SHARES_H

#include "elastic/cut_surface.h"

/// Shares [free_count], scaled to a maximum of 1, of free vertices with u from 0 to 1; 0 elsewhere.
/// Each vertex of the zone pushes the way it moves, with its third of the triangles' area and how
/// far it moves as its weight: the share falls with the distance to it, and with cos^power of the
/// angle to its way. All are 0 when nothing is in front of the zone, or nothing moves.
///
/// Cost: vertices of the zone times vertices around it; TS_E_UNSUPPORTED above TS_BULGE_WORK.
/// `scratch` holds temporary arrays; TS_E_MEMORY.
ts_status ts_bulge_shares(double *out, const ts_cut_surface *surface, const ts_deform_zone *zone,
                          const double *u, double power, ts_arena *scratch);

#endif
