// SPDX-License-Identifier: MIT
#include "harness/deform/deform_scene.h"

#include "base/status.h"
#include "harness/deform/deform_bodies.h"
#include "harness/deform/deform_facets.h"
#include "harness/deform/deform_rows.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static ts_elastic_shape shape_of(const ts_deform_job *job, int32_t index) {
  const ts_body *body = &job->request->scene->bodies[index];
  return (ts_elastic_shape){job->shapes[body->shape].mesh, job->trees[body->shape], body->pose};
}

/// The detail line with the names of the bodies: elastic/ and the pair know them as body a and b.
static ts_status name_bodies(ts_status status, const ts_body *bodies, ts_body_pair pair) {
  char line[2048];
  size_t length = 0;
  for (const char *c = ts_status_detail(); *c && length + 1 < sizeof line;) {
    bool is_body = (strncmp(c, "body a", 6) == 0 || strncmp(c, "body b", 6) == 0) && !isalnum(c[6]);
    if (!is_body) {
      line[length++] = *c++;
      continue;
    }
    int32_t index = c[5] == 'a' ? pair.body_a : pair.body_b;
    length +=
        (size_t)snprintf(line + length, sizeof line - length, "%s (%d)", bodies[index].name, index);
    length = length < sizeof line ? length : sizeof line - 1;
    c += 6;
  }
  line[length] = '\0';
  return ts_fail(status, "%s", line);
}

/// The pair gives way, unless it would move what another has moved.
static ts_status run_pair(ts_deform_case_pair *pair, ts_arena *arena, const ts_deform_job *job,
                          const ts_deform_bodies *bodies, const ts_deform_case_pair *pairs) {
  ts_status status =
      ts_deform_pair_run(&pair->pair, arena, shape_of(job, pair->bodies.body_a),
                         shape_of(job, pair->bodies.body_b), &job->request->settings);
  if (status == TS_SKIPPED || status == TS_E_INPUT || status == TS_E_UNSUPPORTED)
    return name_bodies(status, job->request->scene->bodies, pair->bodies);
  TS_TRY(status);
  return ts_deform_bodies_check(bodies, pairs, pair);
}

ts_status ts_deform_scene_run(ts_deform_scene *out, ts_arena *arena, const ts_deform_job *job) {
  ts_deform_bodies bodies;
  ts_deform_case_pair *pairs = ts_arena_array(arena, job->pair_count, sizeof *pairs);
  if (!pairs)
    return TS_E_MEMORY;
  TS_TRY(ts_deform_bodies_start(&bodies, arena, job->request->scene, job->shapes));
  for (size_t i = 0; i < job->pair_count; i++) {
    pairs[i].bodies = job->pairs[i];
    pairs[i].status = run_pair(&pairs[i], arena, job, &bodies, pairs);
    if (pairs[i].status < 0)
      return pairs[i].status;
    TS_TRY(ts_deform_rows_make(&pairs[i], arena, job->request));
    if (pairs[i].status == TS_OK)
      ts_deform_bodies_move(&bodies, &pairs[i], (int32_t)i + 1);
  }
  *out = (ts_deform_scene){.pair_count = job->pair_count, .pairs = pairs};
  out->shown.case_name = job->request->case_name;
  TS_TRY(ts_deform_bodies_show(&out->shown, arena, &bodies));
  return ts_deform_facets_add(&out->shown, arena, pairs, job->pair_count);
}
