// SPDX-License-Identifier: MIT
/// Contacts along the normal of a face void the corners and edges of that face: other contacts
/// there are dropped, unless they are along a face, too. The filter of internal edges of Terdiman,
/// and that of Jolt.
#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "geometry/pose.h"
#include "methods/modifiers/contact_cones.h"
#include "methods/modifiers/modifier.h"

#include <math.h>

enum { ANGLE, PARAM_COUNT };

static const ts_param params[PARAM_COUNT] = {
    [ANGLE] = {.name = "angle_deg",
               .summary = "Angle to the normal of a face up to which a contact is one of it.",
               .kind = TS_PARAM_REAL,
               .default_value = 1,
               .minimum = 0,
               .maximum = 90},
};

/// What is void of one body.
typedef struct voids {
  const ts_mesh *mesh;
  bool *vertices; ///< [vertex_count]
  bool *edges;    ///< [3 * triangle_count], by edge id
} voids;

typedef struct filter {
  ts_contact_cones cones;
  double cosine;
  voids voids[2];
  ts_feature (*features)[2]; ///< [count] of each contact
  bool (*is_of_face)[2];     ///< [count] whether it is along a face of that body
} filter;

static ts_status open_voids(voids *out, ts_arena *arena, const ts_mesh *mesh) {
  *out = (voids){mesh, ts_arena_array(arena, mesh->vertex_count, sizeof *out->vertices),
                 ts_arena_array(arena, 3 * mesh->triangle_count, sizeof *out->edges)};
  return out->vertices && out->edges ? TS_OK : TS_E_MEMORY;
}

static bool is_void(const voids *v, ts_feature feature) {
  return feature.kind == TS_FEATURE_VERTEX ? v->vertices[feature.index]
         : feature.kind == TS_FEATURE_EDGE ? v->edges[feature.index]
                                           : false;
}

/// Voids the triangles around the feature of a contact whose normal it has. Returns whether there
/// are any.
static bool void_faces(filter *f, const ts_contact *contact, ts_feature feature, int side) {
  voids *v = &f->voids[side];
  const ts_pair *pair = f->cones.pair;
  uint32_t triangles[TS_NORMAL_CONE_RAYS];
  size_t count = ts_cone_mesh_triangles(triangles, f->cones.mesh[side], feature);
  ts_quat turn = side == 0 ? pair->pose_a.rotation : pair->pose_b.rotation;
  ts_vec3 out = ts_quat_rotate(ts_quat_conjugate(turn), ts_contact_outward(contact, side));
  bool any = false;
  for (size_t k = 0; k < count; k++) {
    if (!(ts_vec3_dot(ts_mesh_face_normal(v->mesh, triangles[k]), out) >= f->cosine))
      continue;
    any = true;
    for (int i = 0; i < 3; i++) {
      v->vertices[v->mesh->triangles[triangles[k]][i]] = true;
      v->edges[ts_mesh_edge_id(v->mesh, triangles[k], i)] = true;
    }
  }
  return any;
}

static ts_status open_filter(filter *out, ts_arena *arena, const ts_pair *pair, size_t count) {
  TS_TRY(ts_contact_cones_create(&out->cones, arena, pair));
  TS_TRY(open_voids(&out->voids[0], arena, pair->mesh_a));
  TS_TRY(open_voids(&out->voids[1], arena, pair->mesh_b));
  out->features = ts_arena_array(arena, count, sizeof *out->features);
  out->is_of_face = ts_arena_array(arena, count, sizeof *out->is_of_face);
  return out->features && out->is_of_face ? TS_OK : TS_E_MEMORY;
}

/// Whether a contact at a void feature is along no face of that body, and on no face of the other.
static bool is_voided(const filter *f, size_t i) {
  for (int side = 0; side < 2; side++) {
    int other = 1 - side;
    bool is_on_face = f->is_of_face[i][other] && f->features[i][other].kind == TS_FEATURE_FACE;
    if (!f->is_of_face[i][side] && !is_on_face && is_void(&f->voids[side], f->features[i][side]))
      return true;
  }
  return false;
}

static ts_status run(filter *f, const ts_host *host, const ts_contact *contacts, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (int side = 0; side < 2; side++) {
      f->features[i][side] = ts_contact_cones_feature(&f->cones, &contacts[i], side);
      f->is_of_face[i][side] = void_faces(f, &contacts[i], f->features[i][side], side);
    }
  for (size_t i = 0; i < count; i++)
    if (!is_voided(f, i))
      TS_TRY(host->push(host, &contacts[i], 1));
  return TS_OK;
}

static ts_status apply(const ts_host *host, const ts_pair *pair, const ts_contact *contacts,
                       size_t count, const double *values) {
  ts_arena *arena;
  filter f = {.cosine = cos(values[ANGLE] * (3.14159265358979323846 / 180))};
  TS_TRY(ts_arena_create(&arena));
  ts_status status = open_filter(&f, arena, pair, count);
  if (status == TS_OK)
    status = run(&f, host, contacts, count);
  ts_arena_destroy(arena);
  return status;
}

const ts_modifier ts_modifier_void = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_modifier),
    .name = "void",
    .summary = "Drops contacts of corners and edges of faces that have contacts of their own.",
    .source = "Terdiman, internal edges; Jolt, its removal of internal edges.",
    .params = params,
    .param_count = PARAM_COUNT,
    .apply = apply,
};
