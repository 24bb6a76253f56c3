// SPDX-License-Identifier: MIT
#include "harness/judge/metrics/metric.h"

#include "base/status.h"

#include <string.h>

#define METRIC(name) extern const ts_metric ts_metric_##name;
#include "harness/judge/metrics/metrics.def"
#undef METRIC

const ts_metric *const ts_metrics[] = {
#define METRIC(name) &ts_metric_##name,
#include "harness/judge/metrics/metrics.def"
#undef METRIC
    NULL,
};

static bool is_known(const ts_scene *scene, const char *what) {
  return !scene->truth_is_unknown || strcmp(what, "nothing") == 0 ||
         (scene->oracle && strcmp(what, "motions") == 0);
}

ts_status ts_metrics_compute(ts_record *record, const ts_judgement *judgement) {
  for (size_t i = 0; ts_metrics[i]; i++)
    if (is_known(judgement->scene, ts_metrics[i]->needs))
      TS_TRY(ts_metrics[i]->compute(record, judgement));
  return TS_OK;
}
