// SPDX-License-Identifier: MIT
/// The viewer of the page, embedded from reports/view/ by the build, and three.js, which it uses.
#ifndef TS_REPORTS_VIEW_ASSETS_H
#define TS_REPORTS_VIEW_ASSETS_H

#include <stddef.h>

extern const unsigned char ts_view_style[], ts_view_data[], ts_view_faults[], ts_view_words[],
    ts_view_camera[], ts_view_arrows[], ts_view_stage[], ts_view_labels[], ts_view_legend[],
    ts_view_viewer[], ts_view_three[], ts_view_three_licence[];
extern const size_t ts_view_style_bytes, ts_view_data_bytes, ts_view_faults_bytes,
    ts_view_words_bytes, ts_view_camera_bytes, ts_view_arrows_bytes, ts_view_stage_bytes,
    ts_view_labels_bytes, ts_view_legend_bytes, ts_view_viewer_bytes, ts_view_three_bytes,
    ts_view_three_licence_bytes;

#endif
