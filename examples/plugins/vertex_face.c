// SPDX-License-Identifier: MIT
/// A small contact generator as a plug-in for touchstone, in C:
///
///   cc -O2 -shared -fPIC -o vertex_face.so vertex_face.c $(pkg-config --cflags touchstone) -lm
///   touchstone run --plugin ./vertex_face.so --method vertex_face
///
/// A vertex of one body that is over a face of the other, and no farther from its plane than
/// closeness_m, makes a contact with the normal of that face. Among equally close faces the one
/// that opposes the vertex most is used; faces that face away from it are ignored. Crossing edges
/// are not searched for, so bodies that touch only along crossing edges are missed.
#include <math.h>
#include <touchstone/method.h>

enum { PARAM_CLOSENESS_M, PARAM_COUNT };

/// Set by --set vertex_face.closeness_m=..., listed by `describe method`, and part of each result's
/// identity. A length is given for cases at scale 1 and arrives at the scale of the case.
static const ts_param params[PARAM_COUNT] = {
    [PARAM_CLOSENESS_M] = {.name = "closeness_m",
                           .summary = "Distance of a vertex from a face, on either side, up to "
                                      "which they make a contact.",
                           .kind = TS_PARAM_REAL,
                           .is_length = 1,
                           .default_value = 0.01,
                           .minimum = 0,
                           .maximum = 1},
};

static ts_vec3 add_scaled(ts_vec3 a, double s, ts_vec3 b) {
  return (ts_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static ts_vec3 sub(ts_vec3 a, ts_vec3 b) {
  return add_scaled(a, -1, b);
}

static double dot(ts_vec3 a, ts_vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static ts_vec3 cross(ts_vec3 a, ts_vec3 b) {
  return (ts_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static ts_vec3 unit(ts_vec3 a) {
  return add_scaled((ts_vec3){0, 0, 0}, 1 / sqrt(dot(a, a)), a);
}

static ts_vec3 rotate(ts_quat q, ts_vec3 v) {
  ts_vec3 axis = {q.x, q.y, q.z}, once = cross(axis, v), twice = cross(axis, once);
  return add_scaled(add_scaled(v, 2 * q.w, once), 2, twice);
}

/// Created by prepare_shape() for a mesh: normals, in its local frame.
typedef struct shape {
  const ts_mesh *mesh;     ///< Owned by the harness; valid until release.
  ts_vec3 *face_normals;   ///< [triangle_count], unit
  ts_vec3 *vertex_normals; ///< [vertex_count], sum over the faces around, not unit
} shape;

/// Called once for each shape, and timed separately from generate().
static ts_status prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh,
                               const double *values) {
  (void)values;
  shape *s = host->alloc(host, sizeof *s);
  ts_vec3 *faces = host->alloc(host, mesh->triangle_count * sizeof *faces);
  ts_vec3 *vertices = host->alloc(host, mesh->vertex_count * sizeof *vertices);
  if (!s || !faces || !vertices)
    return host->fail(host, TS_E_MEMORY, "out of memory");
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    const uint32_t *i = mesh->triangles[t];
    ts_vec3 a = mesh->vertices[i[0]];
    faces[t] = unit(cross(sub(mesh->vertices[i[1]], a), sub(mesh->vertices[i[2]], a)));
    for (int c = 0; c < 3; c++)
      vertices[i[c]] = add_scaled(vertices[i[c]], 1, faces[t]); // alloc gives zeroed memory
  }
  *s = (shape){mesh, faces, vertices};
  *out = s;
  return TS_OK;
}

/// One body of the pair in the world.
typedef struct body {
  const shape *shape;
  ts_vec3 *points;         ///< [vertex_count]
  ts_vec3 *face_normals;   ///< [triangle_count]
  ts_vec3 *vertex_normals; ///< [vertex_count]
} body;

/// Every call gets the same blocks of scratch memory, so a warm call allocates nothing.
static int place(body *out, const ts_host *host, const shape *s, ts_pose pose) {
  const ts_mesh *mesh = s->mesh;
  *out = (body){s, host->scratch(host, mesh->vertex_count * sizeof(ts_vec3)),
                host->scratch(host, mesh->triangle_count * sizeof(ts_vec3)),
                host->scratch(host, mesh->vertex_count * sizeof(ts_vec3))};
  if (!out->points || !out->face_normals || !out->vertex_normals)
    return 0;
  for (size_t v = 0; v < mesh->vertex_count; v++) {
    ts_vec3 turned = rotate(pose.rotation, mesh->vertices[v]);
    out->points[v] = add_scaled(pose.translation, 1, turned);
    out->vertex_normals[v] = rotate(pose.rotation, s->vertex_normals[v]);
  }
  for (size_t t = 0; t < mesh->triangle_count; t++)
    out->face_normals[t] = rotate(pose.rotation, s->face_normals[t]);
  return 1;
}

/// Whether a point lies inside the planes through the edges of a face along its normal.
static int is_over(const body *of, size_t triangle, ts_vec3 p, double allowance_m) {
  const uint32_t *i = of->shape->mesh->triangles[triangle];
  for (int c = 0; c < 3; c++) {
    ts_vec3 start = of->points[i[c]], edge = sub(of->points[i[(c + 1) % 3]], start);
    if (dot(unit(cross(of->face_normals[triangle], edge)), sub(p, start)) < -allowance_m)
      return 0;
  }
  return 1;
}

/// The vertex of `from` against all faces of `to`; `sign` is 1 when `to` is body a, else -1.
static ts_status meet(const ts_host *host, const body *from, size_t vertex, const body *to,
                      int sign, double closeness_m, double allowance_m) {
  ts_vec3 p = from->points[vertex];
  size_t best = SIZE_MAX;
  double best_height = 0, best_cosine = 0;
  for (size_t t = 0; t < to->shape->mesh->triangle_count; t++) {
    ts_vec3 corner = to->points[to->shape->mesh->triangles[t][0]];
    double height = dot(to->face_normals[t], sub(p, corner));
    double cosine = dot(to->face_normals[t], from->vertex_normals[vertex]);
    double nearer = fabs(best_height) - fabs(height);
    if (fabs(height) > closeness_m + allowance_m || cosine >= 0 || !is_over(to, t, p, allowance_m))
      continue;
    // On an edge rounding would choose the face otherwise.
    if (best == SIZE_MAX || nearer > allowance_m ||
        (nearer >= -allowance_m && cosine < best_cosine)) {
      best = t;
      best_height = height;
      best_cosine = cosine;
    }
  }
  if (best == SIZE_MAX)
    return TS_OK;
  ts_vec3 outward = to->face_normals[best];
  ts_feature face = {TS_FEATURE_FACE, (uint32_t)best};
  ts_feature corner = {TS_FEATURE_VERTEX, (uint32_t)vertex};
  ts_contact contact = {.point = add_scaled(p, -0.5 * best_height, outward),     // midway
                        .normal = add_scaled((ts_vec3){0, 0, 0}, sign, outward), // from a to b
                        .gap_m = best_height, // below zero where the vertex is inside
                        .area_m2 = NAN,       // not given
                        .feature_a = sign > 0 ? face : corner,
                        .feature_b = sign > 0 ? corner : face};
  return host->push(host, &contact, 1);
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *values) {
  (void)pair_state;
  size_t vertices = pair->mesh_a->vertex_count, others = pair->mesh_b->vertex_count;
  if ((double)vertices * (double)others > 1e8) // about two triangles for each vertex
    return host->fail(host, TS_SKIPPED,
                      "compares every vertex with every face; give it meshes of "
                      "fewer than 10,000 vertices");
  body a, b;
  if (!place(&a, host, shape_a, pair->pose_a) || !place(&b, host, shape_b, pair->pose_b))
    return host->fail(host, TS_E_MEMORY, "out of memory");
  // Bodies at exact touch may be apart by rounding.
  double allowance_m = 1e-9 * pair->size_m;
  ts_status status = TS_OK;
  for (size_t v = 0; v < vertices && status == TS_OK; v++)
    status = meet(host, &a, v, &b, -1, values[PARAM_CLOSENESS_M], allowance_m);
  for (size_t v = 0; v < others && status == TS_OK; v++)
    status = meet(host, &b, v, &a, 1, values[PARAM_CLOSENESS_M], allowance_m);
  return status;
}

/// Bodies as designed; pairs farther apart than reach_m are not needed.
static ts_status envelope(ts_envelope *out, const double *values) {
  *out = (ts_envelope){.kind = TS_ENVELOPE_NONE, .reach_m = values[PARAM_CLOSENESS_M]};
  return TS_OK;
}

static const ts_method vertex_face = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_method),
    .name = "vertex_face",
    .summary = "Vertices near faces, with the normal of the face.",
    .source = "touchstone, examples/plugins/vertex_face.c",
    .needs = TS_NEEDS_CLOSED,
    .gives = TS_GIVES_GAP | TS_GIVES_FEATURES,
    .params = params,
    .param_count = PARAM_COUNT,
    .envelope = envelope,
    .prepare_shape = prepare_shape,
    .generate = generate,
};

const ts_method *const *touchstone_methods(void) {
  static const ts_method *const methods[] = {&vertex_face, NULL};
  return methods;
}
