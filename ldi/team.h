// SPDX-License-Identifier: MIT
/// Threads that share work out among them.
#ifndef TS_LDI_TEAM_H
#define TS_LDI_TEAM_H

#include "base/types.h"

typedef struct ts_ldi_team ts_ldi_team;

/// Up to `size` threads, the caller's among them.
ts_status ts_ldi_team_create(ts_ldi_team **out, int size);
void ts_ldi_team_destroy(ts_ldi_team *team); ///< NULL is fine.

/// Does one task; `member`, below the size, is the thread that does.
typedef ts_status (*ts_ldi_task)(void *context, int member, int32_t task);

/// Does all tasks; each thread takes the next one when it has finished the last. If threads cannot
/// be started, the others do their share. If tasks fail, status and detail line are those of one
/// of them.
ts_status ts_ldi_team_run(ts_ldi_team *team, ts_ldi_task run, void *context, int32_t task_count);

#endif
