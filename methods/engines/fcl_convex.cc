// SPDX-License-Identifier: MIT
/// FCL's collide() on two Convex shapes: one contact a pair of convex bodies.
#include "methods/engines/engine_dilation.h"
#include "methods/engines/fcl_engine.h"

#include <fcl/geometry/shape/convex.h>

namespace {

using shape_type = fcl::Convexd;

enum { SOLVER, GJK_TOLERANCE, DILATION_M, PARAM_COUNT };

const char *const solvers[] = {"libccd", "indep", nullptr};

const ts_param params[PARAM_COUNT] = {
    {"gjk_solver",
     "GST_LIBCCD (portal refinement), FCL's default, or GST_INDEP (GJK and EPA), whose normals are "
     "in the frame of a.",
     TS_PARAM_CHOICE, 0, 0, 0, 0, solvers},
    {"gjk_tolerance_m", "FCL's gjk_tolerance: error of the depth, for either solver.",
     TS_PARAM_REAL, 1, 1e-6, 1e-15, 1e9, nullptr},
    ENGINE_DILATION,
};

ts_status envelope(ts_envelope *out, const double *values) {
  return engine_envelope(out, values[DILATION_M], 0);
}

ts_status prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh, const double *) {
  return fcl_guarded(host, [&] {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>(fcl_vertices(mesh));
    auto faces = std::make_shared<std::vector<int>>();
    faces->reserve(4 * mesh->triangle_count);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
      faces->push_back(3);
      for (uint32_t v : mesh->triangles[t])
        faces->push_back(static_cast<int>(v));
    }
    *out = new shape_type(vertices, static_cast<int>(mesh->triangle_count), faces);
    return ts_status{TS_OK};
  });
}

void release_shape(void *shape) {
  delete static_cast<shape_type *>(shape);
}

ts_status generate(const ts_host *host, const ts_pair *pair, const void *a, const void *b, void *,
                   const double *values) {
  return fcl_guarded(host, [&] {
    fcl::CollisionRequestd request(1, true);
    request.gjk_solver_type = values[SOLVER] == 0 ? fcl::GST_LIBCCD : fcl::GST_INDEP;
    request.gjk_tolerance = values[GJK_TOLERANCE];
    fcl::CollisionResultd result;
    fcl::collide(static_cast<const shape_type *>(a), fcl_pose(pair->pose_a),
                 static_cast<const shape_type *>(b), fcl_pose(pair->pose_b), request, result);
    for (size_t i = 0; i < result.numContacts(); i++) {
      const fcl::Contactd &found = result.getContact(i);
      // A depth from GST_INDEP is negative; one from GST_LIBCCD is positive.
      double gap_m = values[SOLVER] == 0 ? -found.penetration_depth : found.penetration_depth;
      ts_contact contact = fcl_contact(found.pos, found.normal, gap_m);
      ts_status status = host->push(host, &contact, 1);
      if (status < 0)
        return status;
    }
    return ts_status{TS_OK};
  });
}

const ts_taxonomy taxonomy = {TS_LOCALITY_GLOBAL,       TS_TESTING_SURFACE,
                              TS_EXACTNESS_APPROXIMATE, TS_NORMALS_CLOSEST_POINTS,
                              TS_INSTANT_DISCRETE,      TS_SUPPORT_UNSPECIFIED,
                              TS_SUPPORT_UNSPECIFIED,   TS_SUPPORT_UNSPECIFIED,
                              TS_SUPPORT_UNSPECIFIED,   "convex bodies; one contact a pair"};

const ts_method method = {
    TS_METHOD_ABI,
    sizeof(ts_method),
    "fcl_convex",
    "FCL's collide() on convex shapes: the deepest point.",
    "FCL " TS_ENGINE_VERSION " (Debian " TS_ENGINE_PACKAGE "), Convex",
    TS_NEEDS_CLOSED | TS_NEEDS_CONVEX,
    TS_GIVES_GAP,
    params,
    PARAM_COUNT,
    envelope,
    prepare_shape,
    nullptr,
    generate,
    release_shape,
    nullptr,
    &taxonomy,
    0, // keeps no state
    nullptr,
    0,
};

const ts_method *const methods[] = {&method, nullptr};

} // namespace

const ts_method *const *touchstone_methods(void) {
  return methods;
}
