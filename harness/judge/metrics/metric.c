// SPDX-License-Identifier: MIT
#include "harness/judge/metrics/metric.h"

#include "base/status.h"

#include <math.h>
#include <stdlib.h>
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

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

double ts_quantile(double *values, size_t count, double fraction) {
  size_t finite = 0;
  for (size_t i = 0; i < count; i++) {
    double value = values[i];
    if (!isfinite(value))
      continue;
    values[i] = values[finite];
    values[finite++] = value;
  }
  if (finite == 0)
    return NAN;
  qsort(values, finite, sizeof *values, compare_doubles);
  double place = fraction * (double)(finite - 1);
  size_t below = (size_t)place;
  if (below + 1 >= finite)
    return values[finite - 1];
  return values[below] + (place - (double)below) * (values[below + 1] - values[below]);
}
