// SPDX-License-Identifier: MIT
/// Contacts on the surface where the pressures of two bodies that overlap are equal, as in
/// hydroelastic contact: each body has a pressure that grows with the depth below its surface, and
/// the polygons of the surface stand for the patch that presses.
///
/// All bodies have the same elasticity, which cancels out. Contacts are where the pressures are
/// equal, or on the rigid body: within the overlap, and midway between the surfaces only for bodies
/// whose pressures grow alike.
#include "methods/contact_batch.h"
#include "methods/envelope.h"
#include "methods/pressure/pressure_patch.h"

#include "base/status.h"

static const char *const compliance_choices[] = {"both", "fixed_rigid", "moving_rigid", NULL};
static const char *const contacts_choices[] = {"corners", "centroids", NULL};

enum { COMPLIANCE_BOTH, COMPLIANCE_FIXED_RIGID, COMPLIANCE_MOVING_RIGID };
enum {
  PARAM_COMPLIANCE,
  PARAM_CONTACTS,
  PARAM_MIN_AREA,
  PARAM_DILATION_M,
  PARAM_DILATION,
  PARAM_COUNT
};

static const ts_param params_of_pressure[PARAM_COUNT] = {
    [PARAM_COMPLIANCE] = {.name = "compliance",
                          .summary = "Which bodies give way. fixed_rigid, moving_rigid: that one "
                                     "does not, of a fixed and a moving one; else both do.",
                          .kind = TS_PARAM_CHOICE,
                          .default_value = COMPLIANCE_BOTH,
                          .choices = compliance_choices},
    [PARAM_CONTACTS] = {.name = "contacts",
                        .summary = "Where on each polygon.",
                        .kind = TS_PARAM_CHOICE,
                        .default_value = 0,
                        .choices = contacts_choices},
    [PARAM_MIN_AREA] = {.name = "min_area_relative",
                        .summary = "Smaller polygons are left out, relative to the largest one of "
                                   "the pair.",
                        .default_value = 0,
                        .minimum = 0,
                        .maximum = 1},
    [PARAM_DILATION_M] = {.name = "dilation_m",
                          .summary = "How far the bodies are dilated.",
                          .is_length = 1,
                          .default_value = 1e-4,
                          .minimum = 0,
                          .maximum = 1},
    [PARAM_DILATION] = {.name = "dilation",
                        .summary = "What is moved outwards: vertices, along their angle-weighted "
                                   "normals, or face planes, exactly.",
                        .kind = TS_PARAM_CHOICE,
                        .default_value = TS_ENVELOPE_VERTICES,
                        .choices = ts_envelope_mode_words},
};

static ts_status envelope(ts_envelope *out, const double *params) {
  *out = ts_envelope_dilated(params[PARAM_DILATION_M], (int32_t)params[PARAM_DILATION]);
  return TS_OK;
}

static void release_shape(void *state) {
  ts_arena_destroy(((ts_pressure_body *)state)->arena);
}

static ts_status refuse_flat(const ts_host *host, const ts_pressure_body *body) {
  (void)ts_fail(TS_E_UNSUPPORTED,
                "%zu of the %zu tets that carry the pressure have none, since a node inside is on "
                "the surface; give the shape tets whose inner nodes are clear of it",
                body->still_count, body->tet_count);
  return host->fail(host, TS_E_UNSUPPORTED, ts_status_detail());
}

static ts_status prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh,
                               const double *params) {
  (void)params;
  ts_pressure_body *body = NULL;
  ts_status status = ts_pressure_body_create(&body, mesh);
  if (status != TS_OK)
    return host->fail(host, status, ts_status_detail());
  if (body->still_count > 0) {
    status = refuse_flat(host, body);
    release_shape(body);
    return status;
  }
  *out = body;
  return TS_OK;
}

/// A pair keeps the memory that a call works in.
static ts_status prepare_pair(void **out, const ts_host *host, const ts_pair *pair,
                              const void *shape_a, const void *shape_b, const double *params) {
  (void)pair;
  (void)shape_a;
  (void)shape_b;
  (void)params;
  ts_arena *arena;
  ts_status status = ts_arena_create(&arena);
  *out = arena;
  return status == TS_OK ? TS_OK : host->fail(host, status, ts_status_detail());
}

static void release_pair(void *pair_state) {
  ts_arena_destroy(pair_state);
}

static ts_pressure_rigid rigid_of(const ts_pair *pair, int compliance) {
  if (compliance == COMPLIANCE_BOTH || !pair->is_fixed_a == !pair->is_fixed_b)
    return TS_PRESSURE_RIGID_NONE;
  bool is_a = pair->is_fixed_a != 0;
  if (compliance == COMPLIANCE_MOVING_RIGID)
    is_a = !is_a;
  return is_a ? TS_PRESSURE_RIGID_A : TS_PRESSURE_RIGID_B;
}

static ts_status push(ts_contact_batch *batch, const ts_pressure_cut *cut, ts_vec3 point,
                      double area_m2) {
  // Rounding puts corners at the rim a little outside.
  double depth_m = ts_max(ts_linear_at(&cut->depth, point), 0);
  return ts_contact_batch_push(
      batch,
      &(ts_contact){.point = point, .normal = cut->normal, .gap_m = -depth_m, .area_m2 = area_m2});
}

static ts_status push_patch(ts_contact_batch *batch, const ts_pressure_patch *patch,
                            bool at_centroids) {
  for (size_t i = 0; i < patch->count; i++) {
    const ts_pressure_cut *cut = &patch->cuts[i];
    if (at_centroids) {
      TS_TRY(push(batch, cut, ts_pressure_cut_centre(cut), cut->area_m2));
      continue;
    }
    for (int k = 0; k < cut->count; k++)
      TS_TRY(push(batch, cut, cut->corners[k], cut->area_m2 / cut->count));
  }
  return TS_OK;
}

static ts_status find_contacts(ts_arena *arena, const ts_host *host, const ts_pair *pair,
                               const ts_pressure_body *a, const ts_pressure_body *b,
                               const double *params) {
  ts_pressure_patch patch = {.arena = arena};
  TS_TRY(ts_pressure_patch_find(&patch, a, b, ts_pose_relative(pair->pose_a, pair->pose_b),
                                rigid_of(pair, (int)params[PARAM_COMPLIANCE]), pair->size_m));
  ts_pressure_patch_drop_small(&patch, params[PARAM_MIN_AREA]);
  ts_contact_batch batch;
  ts_contact_batch_begin(&batch, host, pair->pose_a);
  TS_TRY(push_patch(&batch, &patch, params[PARAM_CONTACTS] > 0));
  return ts_contact_batch_end(&batch);
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *params) {
  ts_arena *arena = pair_state;
  ts_arena_mark mark = ts_arena_get_mark(arena);
  ts_status status = find_contacts(arena, host, pair, shape_a, shape_b, params);
  ts_arena_rewind(arena, mark);
  return status == TS_OK ? TS_OK : host->fail(host, status, ts_status_detail());
}

static const ts_taxonomy taxonomy_of_pressure = {
    .locality = TS_LOCALITY_LOCAL,
    .testing = TS_TESTING_VOLUME,
    .exactness = TS_EXACTNESS_APPROXIMATE,
    .normals = TS_NORMALS_IMPLICIT_FIELD,
    .instant = TS_INSTANT_DISCRETE,
    .exact = TS_SUPPORT_EFFORT,
    .continuous = TS_SUPPORT_NONE,
    .deformable = TS_SUPPORT_EFFORT,
    .topology = TS_SUPPORT_EFFORT,
    .limits = "bodies must overlap; slivers at the rims of a patch",
};

const ts_method ts_method_pressure_field = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof(ts_method),
    .name = "pressure_field",
    .summary = "The surface on which the pressures inside two overlapping bodies are equal, "
               "polygon by polygon.",
    .source = "Elandt 2019; Masterjohn 2022",
    .needs = TS_NEEDS_CLOSED | TS_NEEDS_TETS | TS_NEEDS_PENETRATION,
    .gives = TS_GIVES_GAP | TS_GIVES_AREA,
    .params = params_of_pressure,
    .param_count = PARAM_COUNT,
    .envelope = envelope,
    .prepare_shape = prepare_shape,
    .prepare_pair = prepare_pair,
    .generate = generate,
    .release_shape = release_shape,
    .release_pair = release_pair,
    .taxonomy = &taxonomy_of_pressure,
};
