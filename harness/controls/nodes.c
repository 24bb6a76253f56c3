// SPDX-License-Identifier: MIT
// Contacts of deformable bodies at the nodes of their surfaces, as in the experiments that the
// contact models of Saupin 2008 are compared by: the nodes that are within reach of the other body,
// by its exact surface where it has one. Meshes are where the nodes are, at the pose of the pair.
//
// It looks at the scene for which bodies deform and which surfaces are exact, so that it is a
// control and not a method.
#include "base/status.h"
#include "cases/scene/deformable.h"
#include "harness/controls/controls.h"
#include "harness/controls/node_foot.h"

#include <math.h>

enum { PARAM_REACH };

static const ts_param params_of_nodes[] = {
    [PARAM_REACH] = {.name = "reach_m",
                     .summary = "Distance from the other body up to which a node has a contact.",
                     .kind = TS_PARAM_REAL,
                     .is_length = 1,
                     .default_value = 0.01,
                     .minimum = 0,
                     .maximum = 1},
};

static ts_status envelope(ts_envelope *out, const double *params) {
  *out = (ts_envelope){.kind = TS_ENVELOPE_NONE, .reach_m = params[PARAM_REACH]};
  return TS_OK;
}

/// One body of a pair.
typedef struct side {
  const ts_shape *shape; ///< NULL: deformable, so that its mesh is all there is
  const ts_surface *surface;
  ts_pose pose;
} side;

/// Contacts at the surface nodes of `nodes` that are within reach of `body`. `nodes_are_a`: of the
/// pair, they are those of body a.
static ts_status push_nodes(const ts_host *host, const side *nodes, const side *body,
                            bool nodes_are_a, double reach_m) {
  const ts_surface *own = nodes->surface;
  ts_status status = TS_OK;
  for (uint32_t v = 0; status == TS_OK && v < own->mesh->vertex_count; v++) {
    if (own->fan_start[v] == own->fan_start[v + 1])
      continue; // inside
    ts_vec3 at = ts_pose_point(nodes->pose, own->mesh->vertices[v]);
    ts_vec3 from = ts_pose_point_local(body->pose, at);
    ts_node_foot f;
    TS_TRY(ts_node_foot_find(&f, body->shape, body->surface, from, reach_m));
    if (f.gap_m > reach_m)
      continue;
    ts_vec3 outward = ts_pose_direction(body->pose, f.outward);
    ts_feature node = {TS_FEATURE_VERTEX, v};
    status = host->push(host,
                        &(ts_contact){.point = ts_vec3_add_scaled(at, -0.5 * f.gap_m, outward),
                                      .normal = nodes_are_a ? ts_vec3_neg(outward) : outward,
                                      .gap_m = f.gap_m,
                                      .area_m2 = NAN,
                                      .feature_a = nodes_are_a ? node : f.feature,
                                      .feature_b = nodes_are_a ? f.feature : node},
                        1);
  }
  return status;
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *params) {
  (void)pair_state;
  const ts_scene *scene = ((const ts_cell_host *)host)->scene;
  if (!ts_scene_is_deformable(scene))
    return host->fail(host, TS_SKIPPED,
                      "is for scenes with deformable bodies, whose nodes it looks at");
  const ts_body *body_a = &scene->bodies[pair->body_a], *body_b = &scene->bodies[pair->body_b];
  bool a_deforms = body_a->elastic != NULL, b_deforms = body_b->elastic != NULL;
  side a = {a_deforms ? NULL : &scene->shapes[body_a->shape], shape_a, pair->pose_a};
  side b = {b_deforms ? NULL : &scene->shapes[body_b->shape], shape_b, pair->pose_b};
  ts_status status = TS_OK;
  if (a_deforms)
    status = push_nodes(host, &a, &b, true, params[PARAM_REACH]);
  // Of two rigid bodies the vertices of one are enough to keep them apart.
  if (status == TS_OK && (b_deforms || !a_deforms))
    status = push_nodes(host, &b, &a, false, params[PARAM_REACH]);
  return status;
}

const ts_method ts_control_nodes = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_method),
    .name = "control_nodes",
    .summary = "For deformable bodies: the nodes of their surfaces that are within reach of the "
               "other body, by its exact surface where it has one.",
    .source = "touchstone, harness/controls",
    .gives = TS_GIVES_GAP | TS_GIVES_FEATURES,
    .params = params_of_nodes,
    .param_count = sizeof params_of_nodes / sizeof *params_of_nodes,
    .envelope = envelope,
    .prepare_shape = ts_surface_prepare,
    .generate = generate,
    .release_shape = ts_surface_release,
};
