// SPDX-License-Identifier: MIT
/// Samples of each body in the signed distance field of the other (Macklin 2020), as PhysX and
/// Newton do it for meshes: the gap is the field there, the normal its gradient.
///
/// A sample has one normal. Where several surfaces are as near, as in a crack or where flush sides
/// meet the face below, the others have no contact.
#include "methods/contact_batch.h"
#include "methods/envelope.h"
#include "methods/sdf_samples/sdf_field.h"
#include "methods/sdf_samples/sdf_shape.h"

#include "base/status.h"
#include "geometry/tolerances.h"

#include <stdbool.h>

static const char *const field_choices[] = {"exact", "grid", NULL};
static const char *const sample_choices[] = {"vertices", "edges", "triangles", NULL};
static const int32_t sample_kinds[] = {TS_FEATURE_VERTEX, TS_FEATURE_EDGE, TS_FEATURE_FACE};
static const char *const envelope_choices[] = {"eroded", "none", "dilated", NULL};
static const int32_t envelope_kinds[] = {TS_ENVELOPE_ERODED, TS_ENVELOPE_NONE, TS_ENVELOPE_DILATED};

enum {
  PARAM_FIELD,
  PARAM_CELLS,
  PARAM_SAMPLES,
  PARAM_ENVELOPE,
  PARAM_ENVELOPE_M,
  PARAM_MOVED,
  PARAM_REACH_M,
  PARAM_COUNT
};

static const ts_param params_of_sdf[PARAM_COUNT] = {
    [PARAM_FIELD] = {.name = "field",
                     .summary = "Distance to the mesh, or between the nodes of a grid along the "
                                "local axes of its body.",
                     .kind = TS_PARAM_CHOICE,
                     .choices = field_choices},
    [PARAM_CELLS] = {.name = "cells",
                     .summary = "Of a grid, along the longest side of the shape's box.",
                     .kind = TS_PARAM_INTEGER,
                     .default_value = 64,
                     .minimum = 4,
                     .maximum = 512},
    [PARAM_SAMPLES] = {.name = "samples",
                       .summary = "What is looked up: vertices, or a point of each sharp edge or "
                                  "each triangle where the field is least.",
                       .kind = TS_PARAM_CHOICE,
                       .choices = sample_choices},
    [PARAM_ENVELOPE] = {.name = "envelope",
                        .summary = "State of the bodies.",
                        .kind = TS_PARAM_CHOICE,
                        .choices = envelope_choices},
    [PARAM_ENVELOPE_M] = {.name = "envelope_m",
                          .summary = "How far the bodies are eroded or dilated.",
                          .is_length = 1,
                          .default_value = 0.01,
                          .minimum = 0,
                          .maximum = 1},
    [PARAM_MOVED] = {.name = "moved",
                     .summary = "What is moved for that: vertices, along their angle-weighted "
                                "normals, or face planes, exactly.",
                     .kind = TS_PARAM_CHOICE,
                     .choices = ts_envelope_mode_words},
    [PARAM_REACH_M] = {.name = "reach_m",
                       .summary = "Gap between the bodies in that state up to which samples make "
                                  "contacts.",
                       .is_length = 1,
                       .default_value = 0.02,
                       .minimum = 0,
                       .maximum = 1},
};

static ts_status envelope(ts_envelope *out, const double *params) {
  out->kind = envelope_kinds[(int)params[PARAM_ENVELOPE]];
  out->mode = (int32_t)params[PARAM_MOVED];
  out->size_m = out->kind == TS_ENVELOPE_NONE ? 0 : params[PARAM_ENVELOPE_M];
  out->reach_m = params[PARAM_REACH_M];
  return TS_OK;
}

static ts_status prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh,
                               const double *params) {
  ts_sdf_choice choice = {.sample_kind = sample_kinds[(int)params[PARAM_SAMPLES]],
                          .cells = params[PARAM_FIELD] > 0 ? (int)params[PARAM_CELLS] : 0,
                          .reach_m = params[PARAM_REACH_M]};
  ts_sdf_shape *shape = NULL;
  ts_status status = ts_sdf_shape_create(&shape, mesh, choice);
  *out = shape;
  if (status == TS_E_MEMORY && choice.cells > 0)
    return host->fail(host, status,
                      "no memory for the grid of a shape: set cells to fewer, or reach_m to less");
  return status == TS_OK ? TS_OK : host->fail(host, status, ts_status_detail());
}

static void release_shape(void *shape) {
  if (shape)
    ts_sdf_shape_destroy(shape);
}

/// Samples of one body in the field of the other, in the local frame of that one.
typedef struct lookup {
  const ts_sdf_shape *sampled;
  ts_pose to_field;
  ts_sdf_field field;
  ts_aabb box;    ///< outside of it no sample is near enough
  double limit_m; ///< reach, and what rounding may add to a gap
  bool sampled_is_a;
  ts_vec3 known_at; ///< a point whose distance is known, of an exact field
  double known_m;   ///< -INFINITY: none yet
  ts_contact_batch batch;
} lookup;

static ts_sdf_place least_on_sample(const lookup *l, const ts_sdf_sample *sample,
                                    const ts_vec3 points[3]) {
  switch (sample->feature.kind) {
  case TS_FEATURE_EDGE:
    return ts_sdf_least_on_edge(&l->field, points);
  case TS_FEATURE_FACE:
    return ts_sdf_least_on_triangle(&l->field, points);
  default:
    return (ts_sdf_place){.point = points[0], .kind = TS_FEATURE_VERTEX};
  }
}

static double know(lookup *l, ts_vec3 point, double phi_m) {
  l->known_at = point;
  l->known_m = l->field.grid ? -(double)INFINITY : phi_m;
  return phi_m;
}

/// Whether a sample within the box is surely beyond the limit. A distance changes by no more than
/// the way between two points, so that the last one known clears most of what is far. What a grid
/// has is no distance.
static bool is_far(lookup *l, ts_aabb box) {
  if (l->field.grid)
    return false;
  ts_vec3 centre = ts_aabb_centre(box);
  double radius_m = ts_vec3_distance(centre, box.high);
  double far_m = l->limit_m + radius_m + l->field.equal_m;
  if (l->known_m - ts_vec3_distance(centre, l->known_at) > far_m)
    return true;
  return radius_m > 0 && know(l, centre, ts_sdf_at(&l->field, centre).phi_m) > far_m;
}

static ts_status look_up(lookup *l, const ts_sdf_sample *sample) {
  ts_vec3 points[3];
  ts_aabb box = ts_aabb_empty();
  for (int i = 0; i < sample->feature.kind; i++) {
    points[i] = ts_pose_point(l->to_field, l->sampled->mesh->vertices[sample->vertices[i]]);
    box = ts_aabb_add(box, points[i]);
  }
  if (!ts_aabb_overlap(box, l->box) || is_far(l, box))
    return TS_OK;
  ts_sdf_place place = least_on_sample(l, sample, points);
  ts_sdf_value value = ts_sdf_at(&l->field, place.point);
  know(l, place.point, value.phi_m);
  if (!(value.phi_m <= l->limit_m) || ts_vec3_norm2(value.gradient) == 0)
    return TS_OK;
  ts_feature own = place.kind == TS_FEATURE_VERTEX
                       ? (ts_feature){TS_FEATURE_VERTEX, sample->vertices[place.corner]}
                       : sample->feature;
  ts_contact contact = {.point =
                            ts_vec3_add_scaled(place.point, -0.5 * value.phi_m, value.gradient),
                        .normal = l->sampled_is_a ? ts_vec3_neg(value.gradient) : value.gradient,
                        .gap_m = value.phi_m,
                        .area_m2 = NAN,
                        .feature_a = l->sampled_is_a ? own : value.feature,
                        .feature_b = l->sampled_is_a ? value.feature : own};
  return ts_contact_batch_push(&l->batch, &contact);
}

static ts_status look_up_all(lookup *l) {
  for (size_t i = 0; i < l->sampled->sample_count; i++)
    TS_TRY(look_up(l, &l->sampled->samples[i]));
  return ts_contact_batch_end(&l->batch);
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *params) {
  (void)pair_state;
  const ts_sdf_shape *shapes[2] = {shape_a, shape_b};
  const ts_pose poses[2] = {pair->pose_a, pair->pose_b};
  double equal_m = TS_TOUCH_RELATIVE * pair->size_m;
  double limit_m = params[PARAM_REACH_M] + equal_m;
  for (int side = 0; side < 2; side++) {
    const ts_sdf_shape *other = shapes[1 - side];
    lookup l = {.sampled = shapes[side],
                .to_field = ts_pose_relative(poses[1 - side], poses[side]),
                .field = {other->mesh, other->bvh, other->grid, equal_m},
                .box = ts_aabb_inflate(other->bounds, limit_m),
                .limit_m = limit_m,
                .sampled_is_a = side == 0,
                .known_m = -INFINITY};
    ts_contact_batch_begin(&l.batch, host, poses[1 - side]);
    TS_TRY(look_up_all(&l));
  }
  return TS_OK;
}

static const ts_taxonomy taxonomy_of_sdf = {
    .locality = TS_LOCALITY_LOCAL,
    .testing = TS_TESTING_SURFACE,
    .exactness = TS_EXACTNESS_APPROXIMATE,
    .normals = TS_NORMALS_IMPLICIT_FIELD,
    .instant = TS_INSTANT_DISCRETE,
    .exact = TS_SUPPORT_EFFORT,
    .continuous = TS_SUPPORT_NONE,
    .deformable = TS_SUPPORT_EFFORT,
    .topology = TS_SUPPORT_EFFORT,
    .limits = "one normal a sample; a grid rounds every edge",
};

const ts_method ts_method_sdf_samples = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_method),
    .name = "sdf_samples",
    .summary = "Vertices, edges or triangles of each body in the signed distance field of the "
               "other, exact or on a grid, normal along its gradient.",
    .source = "Macklin 2020; PhysX 5, Newton",
    .needs = TS_NEEDS_CLOSED,
    .gives = TS_GIVES_GAP | TS_GIVES_FEATURES,
    .params = params_of_sdf,
    .param_count = PARAM_COUNT,
    .envelope = envelope,
    .prepare_shape = prepare_shape,
    .generate = generate,
    .release_shape = release_shape,
    .taxonomy = &taxonomy_of_sdf,
};
