// SPDX-License-Identifier: MIT
/// The contact generator of this repository, as a plug-in for touchstone. Replace it by yours.
///
/// Of all faces of two convex bodies the one is sought whose plane keeps the other body at the
/// greatest distance. Each vertex of the other body that is within closeness_m of that plane makes
/// a contact. The contacts are not cut to the face, so some lie beside it, and crossing edges are
/// not searched for: gate.rules says where that is accepted.
#include <math.h>
#include <stdbool.h>
#include <touchstone/method.h>

enum { PARAM_CLOSENESS_M, PARAM_COUNT };

static const ts_param params[PARAM_COUNT] = {
    [PARAM_CLOSENESS_M] = {.name = "closeness_m",
                           .summary = "Distance from the plane up to which a vertex is a contact.",
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

static ts_vec3 to_world(ts_pose pose, ts_vec3 p) {
  ts_vec3 axis = {pose.rotation.x, pose.rotation.y, pose.rotation.z};
  ts_vec3 once = cross(axis, p), twice = cross(axis, once);
  ts_vec3 turned = add_scaled(add_scaled(p, 2 * pose.rotation.w, once), 2, twice);
  return add_scaled(turned, 1, pose.translation);
}

/// A body in the world: vertices [vertex_count].
typedef struct body {
  const ts_mesh *mesh;
  ts_vec3 *vertices;
} body;

typedef struct plane {
  ts_vec3 normal; ///< outwards, unit
  double offset_m;
} plane;

static double height_above(plane p, ts_vec3 point) {
  return dot(p.normal, point) - p.offset_m;
}

static bool place(body *out, const ts_host *host, const ts_mesh *mesh, ts_pose pose) {
  *out = (body){mesh, host->scratch(host, mesh->vertex_count * sizeof(ts_vec3))};
  for (size_t i = 0; out->vertices && i < mesh->vertex_count; i++)
    out->vertices[i] = to_world(pose, mesh->vertices[i]);
  return out->vertices;
}

static plane plane_of_face(const body *b, size_t face) {
  const uint32_t *corners = b->mesh->triangles[face];
  ts_vec3 origin = b->vertices[corners[0]];
  ts_vec3 n = cross(add_scaled(b->vertices[corners[1]], -1, origin),
                    add_scaled(b->vertices[corners[2]], -1, origin));
  n = add_scaled((ts_vec3){0, 0, 0}, 1 / sqrt(dot(n, n)), n);
  return (plane){n, dot(n, origin)};
}

/// Raises *distance_m, and sets *out, if a face of `faces` keeps `other` farther away.
static bool find_plane(plane *out, double *distance_m, const body *faces, const body *other) {
  bool found = false;
  for (size_t face = 0; face < faces->mesh->triangle_count; face++) {
    plane p = plane_of_face(faces, face);
    double lowest_m = INFINITY;
    for (size_t i = 0; i < other->mesh->vertex_count; i++)
      lowest_m = fmin(lowest_m, height_above(p, other->vertices[i]));
    if (lowest_m > *distance_m) {
      *out = p;
      *distance_m = lowest_m;
      found = true;
    }
  }
  return found;
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *values) {
  (void)shape_a, (void)shape_b, (void)pair_state;
  body a, b;
  if (!place(&a, host, pair->mesh_a, pair->pose_a) || !place(&b, host, pair->mesh_b, pair->pose_b))
    return host->fail(host, TS_E_MEMORY, "no memory for the vertices of two bodies");
  plane p;
  double distance_m = -INFINITY;
  find_plane(&p, &distance_m, &a, &b);
  bool plane_of_b = find_plane(&p, &distance_m, &b, &a);
  const body *other = plane_of_b ? &a : &b;
  for (size_t i = 0; i < other->mesh->vertex_count; i++) {
    double gap_m = height_above(p, other->vertices[i]);
    if (gap_m > values[PARAM_CLOSENESS_M])
      continue;
    double sign = plane_of_b ? -1 : 1; // a contact's normal is from a to b
    ts_contact contact = {.point = add_scaled(other->vertices[i], -0.5 * gap_m, p.normal),
                          .normal = {sign * p.normal.x, sign * p.normal.y, sign * p.normal.z},
                          .gap_m = gap_m,
                          .area_m2 = NAN};
    ts_status status = host->push(host, &contact, 1);
    if (status)
      return status;
  }
  return TS_OK;
}

static ts_status envelope(ts_envelope *out, const double *values) {
  *out = (ts_envelope){.kind = TS_ENVELOPE_NONE, .reach_m = values[PARAM_CLOSENESS_M]};
  return TS_OK;
}

static const ts_method face_plane = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_method),
    .name = "face_plane",
    .summary = "Vertices near the face plane that keeps two convex bodies farthest apart.",
    .source = "an example of a repository",
    .needs = TS_NEEDS_CONVEX,
    .gives = TS_GIVES_GAP,
    .params = params,
    .param_count = PARAM_COUNT,
    .envelope = envelope,
    .generate = generate,
};

const ts_method *const *touchstone_methods(void) {
  static const ts_method *const methods[] = {&face_plane, NULL};
  return methods;
}
