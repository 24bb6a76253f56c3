// SPDX-License-Identifier: MIT
// An arch of equal stones on two pillars of three stones each.
#include "base/status.h"
#include "cases/case.h"
#include "cases/scene/shapes.h"

#include <stdio.h>

static const double radius_outer_m = 2, depth_m = 2;
static const double springer_y_m = 2; // the arch's centre is at (0, springer_y_m)
static const double ground_width_m = 10, ground_height_m = 1;
static const double pi = 3.14159265358979323846;

enum { PILLAR_STONES = 3 };
enum { PARAM_STONES, PARAM_THICKNESS, PARAM_COUNT };

static const ts_param params_of_arch[PARAM_COUNT] = {
    [PARAM_STONES] = {.name = "stones",
                      .summary = "Stones of the ring.",
                      .kind = TS_PARAM_INTEGER,
                      .default_value = 7,
                      .minimum = 3,
                      .maximum = 101},
    [PARAM_THICKNESS] = {.name = "thickness_m",
                         .summary = "Of the ring, inwards from its outer radius of 2 m, and of the "
                                    "pillars, at scale 1.",
                         .kind = TS_PARAM_REAL,
                         .default_value = 0.5,
                         .minimum = 0.01,
                         .maximum = 1.5},
};

// The normal is right by construction; next to it is the published one, Eq. 6.
static ts_status join(ts_scene *scene, int32_t a, ts_hexahedron_face face_a, int32_t b,
                      ts_hexahedron_face face_b, ts_vec3 normal_local) {
  ts_joint joint = {.body_a = a, .body_b = b, .needs_all = true, .published_by_centres = true};
  joint.normal_count[TS_REFERENCE_DESIGN] = 1;
  joint.normals_local[TS_REFERENCE_DESIGN] = &normal_local;
  return ts_shape_join(scene, &joint, &ts_hexahedron_faces[face_a], &ts_hexahedron_faces[face_b]);
}

// Body 0 is the ground; then the pillars, layer by layer, left before right.
static int32_t pillar_stone(int layer, int side) {
  return 1 + 2 * layer + side;
}

static ts_status add_pillars(ts_scene *scene, double width_m) {
  double height_m = springer_y_m / PILLAR_STONES;
  int32_t shape, body;
  TS_TRY(ts_shape_box_turned(&shape, scene, "pillar_stone", width_m, height_m, depth_m,
                             TS_FACE_BIT(TS_FACE_BACK) | TS_FACE_BIT(TS_FACE_FRONT)));
  double x = radius_outer_m - 0.5 * width_m;
  const ts_vec3 up = {0, 1, 0};
  for (int layer = 0; layer < PILLAR_STONES; layer++) {
    for (int side = 0; side < 2; side++) {
      ts_pose pose = {{1, 0, 0, 0}, {side == 0 ? -x : x, height_m * (layer + 0.5), 0}};
      char name[48];
      snprintf(name, sizeof name, "pillar_%s_%d", side == 0 ? "left" : "right", layer);
      TS_TRY(ts_scene_add_body(&body, scene, name, shape, pose, false));
      int32_t below = layer == 0 ? 0 : pillar_stone(layer - 1, side);
      TS_TRY(join(scene, below, TS_FACE_TOP, body, TS_FACE_BOTTOM, up));
    }
  }
  return TS_OK;
}

// A ring stone, standing as at the crown: +y points away from the arch's centre, and the joints are
// its left and right faces. The local origin is the mean of the corners, `out_radius_m` away from
// the arch's centre.
static ts_status add_ring_shape(int32_t *out, double *out_radius_m, ts_scene *scene,
                                double half_angle, double thickness_m) {
  double radius_inner_m = radius_outer_m - thickness_m;
  double sine = sin(half_angle), cosine = cos(half_angle);
  double centre_m = 0.5 * (radius_outer_m + radius_inner_m) * cosine;
  ts_vec3 corners[8];
  for (unsigned i = 0; i < 8; i++) {
    double radius_m = i & 2 ? radius_outer_m : radius_inner_m;
    corners[i] = ts_vec3_make((i & 1 ? sine : -sine) * radius_m, cosine * radius_m - centre_m,
                              (i & 4 ? 0.5 : -0.5) * depth_m);
  }
  *out_radius_m = centre_m;
  return ts_shape_hexahedron(out, scene, "ring_stone", corners,
                             TS_FACE_BIT(TS_FACE_LEFT) | TS_FACE_BIT(TS_FACE_RIGHT) |
                                 TS_FACE_BIT(TS_FACE_BACK) | TS_FACE_BIT(TS_FACE_FRONT));
}

// Ring stones from right to left, each joined to the one before; the first and the last to a
// pillar.
static ts_status add_ring(ts_scene *scene, int stones, double thickness_m) {
  double half_angle = 0.5 * pi / stones, radius_m;
  int32_t shape;
  TS_TRY(add_ring_shape(&shape, &radius_m, scene, half_angle, thickness_m));
  const ts_vec3 up = {0, 1, 0}, out_of_left_face = {-cos(half_angle), -sin(half_angle), 0};
  int32_t stone = -1;
  for (int i = 0; i < stones; i++) {
    double angle = half_angle * (2 * i + 1); // from +x
    ts_pose pose = {ts_quat_from_axis_angle(ts_vec3_make(0, 0, 1), angle - 0.5 * pi),
                    {radius_m * cos(angle), springer_y_m + radius_m * sin(angle), 0}};
    char name[48];
    snprintf(name, sizeof name, "ring_%d", i);
    int32_t previous = stone;
    TS_TRY(ts_scene_add_body(&stone, scene, name, shape, pose, false));
    if (i == 0)
      TS_TRY(
          join(scene, pillar_stone(PILLAR_STONES - 1, 1), TS_FACE_TOP, stone, TS_FACE_RIGHT, up));
    else
      TS_TRY(join(scene, previous, TS_FACE_LEFT, stone, TS_FACE_RIGHT, out_of_left_face));
  }
  return join(scene, pillar_stone(PILLAR_STONES - 1, 0), TS_FACE_TOP, stone, TS_FACE_LEFT, up);
}

static ts_status build(ts_scene *scene, const double *params) {
  int32_t shape, ground;
  TS_TRY(ts_shape_box(&shape, scene, "ground", ground_width_m, ground_height_m, ground_width_m));
  ts_pose pose = {{1, 0, 0, 0}, {0, -0.5 * ground_height_m, 0}};
  TS_TRY(ts_scene_add_body(&ground, scene, "ground", shape, pose, true));
  TS_TRY(add_pillars(scene, params[PARAM_THICKNESS]));
  return add_ring(scene, (int)params[PARAM_STONES], params[PARAM_THICKNESS]);
}

static const ts_case_range ranges[] = {
    {"stones", 3, 13},
    {"thickness_m", 0.2, 0.8},
    {NULL, 0, 0},
};

const ts_case ts_case_arch = {
    .name = "arch",
    .suite = "erleben",
    .summary = "A ring of equal stones on two pillars; every joint is a rectangle of 1 m2 with its "
               "own normal.",
    .source = "Erleben 2018, section 5.1.2, Eq. 6-8",
    .params = params_of_arch,
    .param_count = PARAM_COUNT,
    .build = build,
    .ranges = ranges,
};
