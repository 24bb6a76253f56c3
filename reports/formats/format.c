// SPDX-License-Identifier: MIT
#include "reports/formats/format.h"

const ts_format *const ts_formats[] = {
    &ts_format_html,          &ts_format_csv,     &ts_format_json,
    &ts_format_markdown,      &ts_format_latex,   &ts_format_google_benchmark,
    &ts_format_github_action, &ts_format_bencher, NULL,
};
