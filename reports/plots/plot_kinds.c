// SPDX-License-Identifier: MIT
#include "reports/plots/plot_kinds.h"

const ts_plot_kind *const ts_plot_kinds[] = {
    &ts_plot_heat_map,
    &ts_plot_agreement_map,
    &ts_plot_quality_time,
    &ts_plot_normal_quality,
    &ts_plot_normal_errors,
    &ts_plot_areas,
    &ts_plot_steps,
    &ts_plot_coherence,
    &ts_plot_motion,
    &ts_plot_time_size,
    &ts_plot_measures_sweep,
    &ts_plot_response_sweep,
    &ts_plot_error_sweep,
    &ts_plot_normal_quality_sweep,
    NULL,
};
