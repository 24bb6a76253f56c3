// SPDX-License-Identifier: MIT
/// The pairs of a scene give way: which they are, the row of each, and all bodies after.
#ifndef TS_HARNESS_DEFORM_SCENE_H
#define TS_HARNESS_DEFORM_SCENE_H

#include "cases/scene/scene.h"
#include "harness/deform/deform_pair.h"
#include "reports/export/deformed.h"

typedef struct ts_deform_request {
  const char *case_name, *case_parameters; ///< for rows
  const ts_scene *scene;
  ts_deform_settings settings;
  double dilation_m; ///< bodies are made larger by this before; 0: as they are
  double edge_max_m; ///< edges longer than this are cut before; 0: none
  bool has_pair;     ///< else all pairs that overlap
  ts_body_pair chosen;
} ts_deform_request;

/// A pair of the scene. Rows and arrays are in the arena.
typedef struct ts_deform_case_pair {
  ts_body_pair bodies;
  ts_status status; ///< TS_OK or TS_SKIPPED: its bodies stay as they are
  ts_deform_pair pair;
  ts_deform_row rows[2]; ///< of body a and of body b
} ts_deform_case_pair;

/// What gives way: the meshes of a scene and its pairs that overlap. In the arena; borrows the
/// request.
typedef struct ts_deform_job {
  const ts_deform_request *request;
  const ts_shape *shapes;     ///< [scene->shape_count], dilated and with edges cut
  const ts_bvh *const *trees; ///< [scene->shape_count] of those that a pair has, else NULL
  size_t pair_count;
  const ts_body_pair *pairs; ///< [pair_count] sorted by (body_a, body_b)
} ts_deform_job;

/// TS_E_INPUT: no two bodies overlap, or the chosen ones do not; a shape cannot be dilated so, or
/// has too many triangles then. TS_E_MEMORY.
ts_status ts_deform_job_create(ts_deform_job *out, ts_arena *arena,
                               const ts_deform_request *request);

typedef struct ts_deform_scene {
  size_t pair_count;
  const ts_deform_case_pair *pairs; ///< [pair_count] of the job
  ts_deformed_scene shown;          ///< for files
} ts_deform_scene;

/// Every pair gives way by itself, from the bodies as they are. Bodies after have all of them: a
/// pair that would move what one before it has moved, or the triangles beside that, is skipped with
/// the reason. Statuses other than skipped end it all.
ts_status ts_deform_scene_run(ts_deform_scene *out, ts_arena *arena, const ts_deform_job *job);

#endif
