// SPDX-License-Identifier: MIT
// A block that slides over a slab until friction stops it, after a way that is known; or that is
// dropped on it, flat or on an edge: what a response makes of an impact, and whether it adds
// energy.
#include "base/status.h"
#include "cases/case.h"
#include "cases/slab.h"

static const double degree_rad = 0.01745329251994329577;

// Turned by less than this from flat, both edges touch within the tolerance of touch.
static const double clearly_deg = 1e-3;

enum { PARAM_SPEED, PARAM_DROP, PARAM_TILT, PARAM_COUNT };

static const ts_param params_of_sliding_block[PARAM_COUNT] = {
    [PARAM_SPEED] = {.name = "speed_m_s",
                     .summary = "How fast the block moves along x.",
                     .kind = TS_PARAM_REAL,
                     .default_value = 2,
                     .minimum = 0,
                     .maximum = 100},
    [PARAM_DROP] = {.name = "drop_m",
                    .summary =
                        "Height of the lowest place of the block above the slab, at scale 1.",
                    .kind = TS_PARAM_REAL,
                    .default_value = 0,
                    .minimum = 0,
                    .maximum = 10},
    [PARAM_TILT] = {.name = "tilt_deg",
                    .summary = "How far the block is turned about z; above 0 an edge is lowest, at "
                               "90 the face to its left.",
                    .kind = TS_PARAM_REAL,
                    .default_value = 0,
                    .minimum = 0,
                    .maximum = 90},
};

/// What of the block is lowest.
static ts_corners lowest_of(double tilt_deg) {
  if (tilt_deg == 0)
    return ts_hexahedron_faces[TS_FACE_BOTTOM];
  if (tilt_deg == 90)
    return ts_hexahedron_faces[TS_FACE_LEFT];
  return (ts_corners){2, {0, 4}}; // the edge between them
}

static ts_status build(ts_scene *scene, const double *params) {
  double tilt_deg = params[PARAM_TILT];
  int32_t slab, shape, block;
  TS_TRY(ts_slab_add(&slab, scene));
  TS_TRY(ts_slab_block(&shape, scene));
  ts_corners lowest = lowest_of(tilt_deg);
  ts_pose pose = ts_pose_identity();
  if (tilt_deg > 0)
    pose.rotation = ts_quat_from_axis_angle(ts_vec3_make(0, 0, 1), tilt_deg * degree_rad);
  const ts_mesh *mesh = scene->shapes[shape].mesh;
  double lowest_m = ts_quat_rotate(pose.rotation, mesh->vertices[lowest.vertex[0]]).y;
  pose.translation.y = params[PARAM_DROP] - lowest_m;
  TS_TRY(ts_slab_body(&block, scene, "block", shape, pose));
  scene->bodies[block].twist.linear_m_s.x = params[PARAM_SPEED];
  scene->truth_is_unknown =
      tilt_deg != 0 && tilt_deg != 90 && (tilt_deg < clearly_deg || tilt_deg > 90 - clearly_deg);
  if (scene->truth_is_unknown)
    return TS_OK;
  return ts_shape_join_faces(scene, slab, &ts_hexahedron_faces[TS_FACE_TOP], block, &lowest,
                             ts_vec3_make(0, 1, 0));
}

static const ts_case_range ranges[] = {
    {"speed_m_s", 0.5, 4},
    {NULL, 0, 0},
};

const ts_case ts_case_sliding_block = {
    .name = "sliding_block",
    .suite = "response",
    .summary = "A block slides over a slab, or is dropped on it, flat or tilted; one normal, and a "
               "known way to where it stops.",
    .source = "touchstone, after Allard 2010, section 4.2",
    .params = params_of_sliding_block,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
};
