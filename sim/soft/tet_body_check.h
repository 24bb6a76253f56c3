// SPDX-License-Identifier: MIT
/// What a deformable body may be made of. For sim/soft/ alone.
#ifndef TS_SIM_TET_BODY_CHECK_H
#define TS_SIM_TET_BODY_CHECK_H

#include "geometry/mesh/body.h"

/// Its name in messages.
const char *ts_tet_body_name(const ts_body *body);

/// TS_E_INPUT as ts_tet_body_create() documents it; TS_E_MEMORY.
ts_status ts_tet_body_check(const ts_mesh *mesh, const ts_body *body, double dt_s);

#endif
