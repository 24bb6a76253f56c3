// SPDX-License-Identifier: MIT
/// libccd's Minkowski portal refinement (MPR): one contact a pair of convex bodies.
#include "methods/engines/engine_dilation.h"
#include "methods/engines/libccd_shape.h"

enum { MPR_TOLERANCE, MAX_ITERATIONS, DILATION_M, SHAPES, PARAM_COUNT };

static const ts_param params[PARAM_COUNT] = {
    [MPR_TOLERANCE] = {.name = "mpr_tolerance_m",
                       .summary = "The portal is refined while it moves by more than this.",
                       .kind = TS_PARAM_REAL,
                       .is_length = 1,
                       .default_value = 1e-4,
                       .minimum = 1e-12,
                       .maximum = 1e9},
    [MAX_ITERATIONS] = {.name = "max_iterations",
                        .summary = "Refinements after which the portal stays as it is; 0: no "
                                   "limit, libccd's default.",
                        .kind = TS_PARAM_INTEGER,
                        .default_value = 0,
                        .minimum = 0,
                        .maximum = 1e9},
    [DILATION_M] = ENGINE_DILATION,
    [SHAPES] = ENGINE_SHAPES,
};

static ts_status envelope(ts_envelope *out, const double *values) {
  return engine_envelope(out, values[DILATION_M], 0);
}

static void centre(const void *object, ccd_vec3_t *out) {
  const ts_libccd_body *body = object;
  ts_vec3 point = ts_pose_point(body->pose, body->shape->centre_local);
  ccdVec3Set(out, point.x, point.y, point.z);
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *values) {
  (void)pair_state;
  ccd_t ccd;
  CCD_INIT(&ccd);
  ccd.support1 = ccd.support2 = libccd_support;
  ccd.center1 = ccd.center2 = centre;
  ccd.mpr_tolerance = values[MPR_TOLERANCE];
  if (values[MAX_ITERATIONS] > 0)
    ccd.max_iterations = (unsigned long)values[MAX_ITERATIONS];
  return libccd_generate(host, pair, shape_a, shape_b, &ccd, ccdMPRPenetration);
}

static const ts_taxonomy taxonomy = {
    .locality = TS_LOCALITY_GLOBAL,
    .testing = TS_TESTING_SURFACE,
    .exactness = TS_EXACTNESS_APPROXIMATE,
    .normals = TS_NORMALS_CLOSEST_POINTS,
    .instant = TS_INSTANT_DISCRETE,
    .limits = "convex bodies; one contact a pair",
};

static const ts_method method = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof method,
    .name = "libccd_mpr",
    .summary = "libccd's Minkowski portal refinement: a point of overlap of two convex bodies.",
    .source = "libccd " TS_ENGINE_VERSION " (Debian " TS_ENGINE_PACKAGE "), ccdMPRPenetration",
    .needs = TS_NEEDS_CLOSED | TS_NEEDS_CONVEX,
    .gives = TS_GIVES_GAP,
    .params = params,
    .param_count = PARAM_COUNT,
    .envelope = envelope,
    .prepare_shape = libccd_prepare_shape,
    .generate = generate,
    .taxonomy = &taxonomy,
    .takes = LIBCCD_TAKES,
    .takes_if = ENGINE_SHAPES_NAME,
};

const ts_method *const *touchstone_methods(void) {
  static const ts_method *const methods[] = {&method, NULL};
  return methods;
}
