// SPDX-License-Identifier: MIT
/// FCL's collide() on two triangle meshes: up to two contacts for each pair of intersecting
/// triangles, including all duplicates; and on a mesh and a shape of its own: one for each
/// triangle.
#include "methods/engines/engine_dilation.h"
#include "methods/engines/fcl_shapes.h"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/math/bv/OBBRSS.h>

namespace {

using model_type = fcl::BVHModel<fcl::OBBRSSd>;

enum { MAX_CONTACTS, DILATION_M, SHAPES, PARAM_COUNT };

const ts_param params[PARAM_COUNT] = {
    {"max_contacts", "FCL's num_max_contacts of a pair; FCL's default is 1.", TS_PARAM_INTEGER, 0,
     1, 1, 1e9, nullptr},
    ENGINE_DILATION,
    ENGINE_SHAPES,
};

ts_status envelope(ts_envelope *out, const double *values) {
  return engine_envelope(out, values[DILATION_M], 0);
}

/// A tree of triangles; null if FCL cannot build it.
template <typename Mesh> std::unique_ptr<fcl_shape> make_tree(const Mesh *mesh) {
  std::vector<fcl::Triangle> triangles;
  triangles.reserve(mesh->triangle_count);
  for (size_t t = 0; t < mesh->triangle_count; t++)
    triangles.emplace_back(mesh->triangles[t][0], mesh->triangles[t][1], mesh->triangles[t][2]);
  auto model = std::make_unique<model_type>();
  if (model->beginModel(static_cast<int>(mesh->triangle_count),
                        static_cast<int>(mesh->vertex_count)) != fcl::BVH_OK ||
      model->addSubModel(fcl_vertices(mesh), triangles) != fcl::BVH_OK ||
      model->endModel() != fcl::BVH_OK)
    return nullptr;
  auto out = std::make_unique<fcl_shape>();
  out->geometry = std::move(model);
  return out;
}

ts_status prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh, const double *) {
  return fcl_guarded(host, [&]() -> ts_status {
    const ts_geometry *g = mesh->geometry;
    auto shape = !g ? make_tree(mesh) : g->surface ? make_tree(g->surface) : fcl_native(g);
    *out = shape.release();
    return *out ? TS_OK : host->fail(host, TS_E_UNSUPPORTED, "FCL cannot build a tree of the mesh");
  });
}

/// Signed height of a world point over a triangle of a model.
double height(const model_type &model, const fcl::Transform3d &pose, intptr_t triangle,
              const fcl::Vector3d &point) {
  const fcl::Triangle &t = model.tri_indices[triangle];
  fcl::Vector3d base = pose * model.vertices[t[0]];
  fcl::Vector3d normal =
      (pose * model.vertices[t[1]] - base).cross(pose * model.vertices[t[2]] - base);
  return normal.normalized().dot(point - base);
}

/// Of two meshes FCL's point is on the triangle of one body, the depth below that of the other,
/// whose normal it returns. Ours is midway: half the depth back towards the surface above it.
ts_contact found_on_triangles(const fcl::Contactd &found, const fcl_shape &shape_a,
                              const fcl_shape &shape_b, const ts_pair *pair) {
  const model_type &a = *static_cast<const model_type *>(shape_a.geometry.get());
  const model_type &b = *static_cast<const model_type *>(shape_b.geometry.get());
  double depth = found.penetration_depth;
  double off_a = std::fabs(height(a, fcl_pose(pair->pose_a), found.b1, found.pos) + depth);
  double off_b = std::fabs(height(b, fcl_pose(pair->pose_b), found.b2, found.pos) + depth);
  double towards = off_a < off_b ? 0.5 * depth : -0.5 * depth;
  ts_contact contact = fcl_contact(found.pos + towards * found.normal, found.normal, -depth);
  contact.feature_a = {TS_FEATURE_FACE, static_cast<uint32_t>(found.b1)};
  contact.feature_b = {TS_FEATURE_FACE, static_cast<uint32_t>(found.b2)};
  return contact;
}

bool is_tree(const fcl_shape &shape) {
  return shape.geometry->getObjectType() == fcl::OT_BVH;
}

ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                   const void *shape_b, void *, const double *values) {
  return fcl_guarded(host, [&]() -> ts_status {
    const fcl_shape &a = *static_cast<const fcl_shape *>(shape_a);
    const fcl_shape &b = *static_cast<const fcl_shape *>(shape_b);
    fcl::CollisionRequestd request(static_cast<size_t>(values[MAX_CONTACTS]), true);
    fcl::CollisionResultd result;
    fcl::collide(a.geometry.get(), a.at(pair->pose_a), b.geometry.get(), b.at(pair->pose_b),
                 request, result);
    bool are_trees = is_tree(a) && is_tree(b);
    for (size_t i = 0; i < result.numContacts(); i++) {
      const fcl::Contactd &found = result.getContact(i);
      ts_contact contact = are_trees ? found_on_triangles(found, a, b, pair) : fcl_found(found, a);
      ts_status status = host->push(host, &contact, 1);
      if (status < 0)
        return status;
    }
    return TS_OK;
  });
}

const ts_taxonomy taxonomy = {
    TS_LOCALITY_LOCAL,        TS_TESTING_SURFACE,
    TS_EXACTNESS_APPROXIMATE, TS_NORMALS_FEATURES,
    TS_INSTANT_DISCRETE,      TS_SUPPORT_UNSPECIFIED,
    TS_SUPPORT_UNSPECIFIED,   TS_SUPPORT_UNSPECIFIED,
    TS_SUPPORT_UNSPECIFIED,   "normals of faces only; repeats a point for each triangle"};

const ts_method method = {
    TS_METHOD_ABI,
    sizeof(ts_method),
    "fcl_mesh",
    "FCL's collide() on triangle meshes: the deepest points of each pair of triangles that meet.",
    "FCL " TS_ENGINE_VERSION " (Debian " TS_ENGINE_PACKAGE "), BVHModel<OBBRSS>",
    TS_NEEDS_CLOSED,
    TS_GIVES_GAP | TS_GIVES_FEATURES,
    params,
    PARAM_COUNT,
    envelope,
    prepare_shape,
    nullptr,
    generate,
    fcl_release_shape,
    nullptr,
    &taxonomy,
    0, // keeps no state
    nullptr,
    FCL_TAKES | TS_TAKES(TS_GEOMETRY_HEIGHTFIELD) | TS_TAKES(TS_GEOMETRY_SURFACE),
    ENGINE_SHAPES_NAME,
};

const ts_method *const methods[] = {&method, nullptr};

} // namespace

const ts_method *const *touchstone_methods(void) {
  return methods;
}
