// SPDX-License-Identifier: MIT
/// FCL's collide() on Convex shapes and on its own.
#include "methods/engines/engine_dilation.h"
#include "methods/engines/fcl_shapes.h"

#include <fcl/geometry/shape/convex.h>

namespace {

enum { SOLVER, GJK_TOLERANCE, DILATION_M, MAX_CONTACTS, SHAPES, PARAM_COUNT };

const char *const solvers[] = {"libccd", "indep", nullptr};

const ts_param params[PARAM_COUNT] = {
    {"gjk_solver",
     "GST_LIBCCD (portal refinement), FCL's default, or GST_INDEP (GJK and EPA), whose normals are "
     "in the frame of a.",
     TS_PARAM_CHOICE, 0, 0, 0, 0, solvers},
    {"gjk_tolerance_m", "FCL's gjk_tolerance: error of the depth, for either solver.",
     TS_PARAM_REAL, 1, 1e-6, 1e-15, 1e9, nullptr},
    ENGINE_DILATION,
    {"max_contacts",
     "FCL's num_max_contacts of a pair; FCL's default is 1. It finds more of boxes and planes "
     "only.",
     TS_PARAM_INTEGER, 0, 1, 1, 1e9, nullptr},
    ENGINE_SHAPES,
};

ts_status envelope(ts_envelope *out, const double *values) {
  return engine_envelope(out, values[DILATION_M], 0);
}

std::unique_ptr<fcl_shape> make_convex(const ts_mesh *mesh) {
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>(fcl_vertices(mesh));
  auto faces = std::make_shared<std::vector<int>>();
  faces->reserve(4 * mesh->triangle_count);
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    faces->push_back(3);
    for (uint32_t v : mesh->triangles[t])
      faces->push_back(static_cast<int>(v));
  }
  auto out = std::make_unique<fcl_shape>();
  out->geometry =
      std::make_unique<fcl::Convexd>(vertices, static_cast<int>(mesh->triangle_count), faces);
  return out;
}

ts_status prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh, const double *) {
  return fcl_guarded(host, [&] {
    *out = (mesh->geometry ? fcl_native(mesh->geometry) : make_convex(mesh)).release();
    return ts_status{TS_OK};
  });
}

ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                   const void *shape_b, void *, const double *values) {
  return fcl_guarded(host, [&] {
    const fcl_shape &a = *static_cast<const fcl_shape *>(shape_a);
    const fcl_shape &b = *static_cast<const fcl_shape *>(shape_b);
    fcl::CollisionRequestd request(static_cast<size_t>(values[MAX_CONTACTS]), true);
    request.gjk_solver_type = values[SOLVER] == 0 ? fcl::GST_LIBCCD : fcl::GST_INDEP;
    request.gjk_tolerance = values[GJK_TOLERANCE];
    fcl::CollisionResultd result;
    fcl::collide(a.geometry.get(), a.at(pair->pose_a), b.geometry.get(), b.at(pair->pose_b),
                 request, result);
    for (size_t i = 0; i < result.numContacts(); i++) {
      ts_contact contact = fcl_found(result.getContact(i), a);
      ts_status status = host->push(host, &contact, 1);
      if (status < 0)
        return status;
    }
    return ts_status{TS_OK};
  });
}

const ts_taxonomy taxonomy = {
    TS_LOCALITY_GLOBAL,       TS_TESTING_SURFACE,
    TS_EXACTNESS_APPROXIMATE, TS_NORMALS_CLOSEST_POINTS,
    TS_INSTANT_DISCRETE,      TS_SUPPORT_UNSPECIFIED,
    TS_SUPPORT_UNSPECIFIED,   TS_SUPPORT_UNSPECIFIED,
    TS_SUPPORT_UNSPECIFIED,   "convex bodies; one contact a pair, except of boxes and planes"};

const ts_method method = {
    TS_METHOD_ABI,
    sizeof(ts_method),
    "fcl_convex",
    "FCL's collide() on convex shapes and on its own: the deepest point.",
    "FCL " TS_ENGINE_VERSION " (Debian " TS_ENGINE_PACKAGE "), collide",
    TS_NEEDS_CLOSED | TS_NEEDS_CONVEX,
    TS_GIVES_GAP,
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
    FCL_TAKES,
    ENGINE_SHAPES_NAME,
};

const ts_method *const methods[] = {&method, nullptr};

} // namespace

const ts_method *const *touchstone_methods(void) {
  return methods;
}
