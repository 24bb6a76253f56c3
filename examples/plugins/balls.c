// SPDX-License-Identifier: MIT
/// A contact generator on exact shapes as a plug-in for touchstone, in C:
///
///   cc -O2 -shared -fPIC -o balls.so balls.c $(pkg-config --cflags touchstone) -lm
///   touchstone run --plugin ./balls.so --method balls --scene scene.json
///
/// A sphere on a sphere, a box or a plane: one contact, where they are closest. It reads what the
/// triangles of a mesh represent (ts_mesh::geometry), and says in `takes` which kinds it reads, so
/// that its contacts are judged by the exact shapes. All other pairs are skipped.
#include <math.h>
#include <stdbool.h>
#include <touchstone/method.h>

enum { PARAM_CLOSENESS_M, PARAM_COUNT };

static const ts_param params[PARAM_COUNT] = {
    [PARAM_CLOSENESS_M] = {.name = "closeness_m",
                           .summary = "Gap up to which a sphere has a contact.",
                           .kind = TS_PARAM_REAL,
                           .is_length = 1,
                           .default_value = 0.01,
                           .minimum = 0,
                           .maximum = 1},
};

static ts_vec3 add_scaled(ts_vec3 a, double s, ts_vec3 b) {
  return (ts_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double dot(ts_vec3 a, ts_vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static ts_vec3 cross(ts_vec3 a, ts_vec3 b) {
  return (ts_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static ts_vec3 rotate(ts_quat q, ts_vec3 v) {
  ts_vec3 axis = {q.x, q.y, q.z}, once = cross(axis, v), twice = cross(axis, once);
  return add_scaled(add_scaled(v, 2 * q.w, once), 2, twice);
}

static ts_vec3 rotate_back(ts_quat q, ts_vec3 v) {
  return rotate((ts_quat){q.w, -q.x, -q.y, -q.z}, v);
}

/// Where a surface is closest to a point: at distance_m from it (below zero inside) along its
/// outward normal. In the frame of the surface.
typedef struct closest {
  double distance_m;
  ts_vec3 normal;
} closest;

static double sign_of(double x) {
  return x < 0 ? -1 : 1;
}

/// Outside the nearest point is the point cut off at the faces; inside it is on the nearest face.
static closest closest_of_box(ts_vec3 half, ts_vec3 p) {
  double over[3] = {fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z};
  double side[3] = {sign_of(p.x), sign_of(p.y), sign_of(p.z)}, n[3] = {0, 0, 0}, length = 0;
  int nearest = 0;
  for (int i = 0; i < 3; i++) {
    nearest = over[i] > over[nearest] ? i : nearest;
    n[i] = over[i] > 0 ? side[i] * over[i] : 0;
    length = hypot(length, n[i]);
  }
  if (length > 0)
    return (closest){length, {n[0] / length, n[1] / length, n[2] / length}};
  n[nearest] = side[nearest];
  return (closest){over[nearest], {n[0], n[1], n[2]}};
}

/// Of the centre of two spheres no direction is closest: any is right.
static closest closest_of_sphere(double radius_m, ts_vec3 p) {
  double length = sqrt(dot(p, p));
  ts_vec3 up = {0, 1, 0}, none = {0, 0, 0};
  return (closest){length - radius_m, length > 0 ? add_scaled(none, 1 / length, p) : up};
}

/// False for a kind that this method does not work on.
static bool find_closest(closest *out, const ts_geometry *geometry, ts_vec3 p) {
  switch (geometry ? geometry->kind : TS_GEOMETRY_MESH) {
  case TS_GEOMETRY_SPHERE:
    *out = closest_of_sphere(geometry->radius_m, p);
    return true;
  case TS_GEOMETRY_BOX:
    *out = closest_of_box(geometry->half_size_m, p);
    return true;
  case TS_GEOMETRY_PLANE: // solid below y = 0
    *out = (closest){p.y, {0, 1, 0}};
    return true;
  default:
    return false;
  }
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *values) {
  (void)shape_a, (void)shape_b, (void)pair_state;
  const ts_geometry *a = pair->mesh_a->geometry, *b = pair->mesh_b->geometry;
  bool ball_is_a = a && a->kind == TS_GEOMETRY_SPHERE;
  const ts_geometry *ball = ball_is_a ? a : b, *other = ball_is_a ? b : a;
  ts_pose ball_pose = ball_is_a ? pair->pose_a : pair->pose_b;
  ts_pose pose = ball_is_a ? pair->pose_b : pair->pose_a;
  ts_vec3 centre = add_scaled(ball_pose.translation, -1, pose.translation); // seen from the other
  closest c;
  if (!ball || ball->kind != TS_GEOMETRY_SPHERE ||
      !find_closest(&c, other, rotate_back(pose.rotation, centre)))
    return host->fail(host, TS_SKIPPED,
                      "needs an ideal sphere on an ideal sphere, box or plane, not meshes of them");
  double gap_m = c.distance_m - ball->radius_m;
  if (gap_m > values[PARAM_CLOSENESS_M])
    return TS_OK;
  ts_vec3 normal = rotate(pose.rotation, c.normal); // to the ball
  ts_vec3 point = add_scaled(ball_pose.translation, -(ball->radius_m + 0.5 * gap_m), normal);
  double sign = ball_is_a ? -1 : 1;
  ts_contact contact = {.point = point,
                        .normal = {sign * normal.x, sign * normal.y, sign * normal.z},
                        .gap_m = gap_m,
                        .area_m2 = NAN};
  return host->push(host, &contact, 1);
}

static ts_status envelope(ts_envelope *out, const double *values) {
  *out = (ts_envelope){.kind = TS_ENVELOPE_NONE, .reach_m = values[PARAM_CLOSENESS_M]};
  return TS_OK;
}

static const ts_method balls = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_method),
    .name = "balls",
    .summary = "Spheres on spheres, boxes and planes, as they are.",
    .source = "touchstone, examples/plugins/balls.c",
    .gives = TS_GIVES_GAP,
    .params = params,
    .param_count = PARAM_COUNT,
    .envelope = envelope,
    .generate = generate,
    .takes = TS_TAKES(TS_GEOMETRY_SPHERE) | TS_TAKES(TS_GEOMETRY_BOX) | TS_TAKES(TS_GEOMETRY_PLANE),
};

const ts_method *const *touchstone_methods(void) {
  static const ts_method *const methods[] = {&balls, NULL};
  return methods;
}
