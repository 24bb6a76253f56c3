// SPDX-License-Identifier: MIT
/// The script and the style of the leaderboard, embedded from reports/board/ by the build. The
/// style comes after that of the report, whose colours and tables it uses.
#ifndef TS_REPORTS_BOARD_ASSETS_H
#define TS_REPORTS_BOARD_ASSETS_H

#include <stddef.h>

extern const unsigned char ts_board_style[], ts_board_script[];
extern const size_t ts_board_style_bytes, ts_board_script_bytes;

#endif
