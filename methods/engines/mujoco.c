// SPDX-License-Identifier: MIT
/// MuJoCo's collision of its own shapes and of meshes, which it takes as their convex hulls. Built
/// twice: with its multiccd flag (TS_MUJOCO_MULTICCD) as a method of its own.
///
/// A pair of shapes is a model of two bodies, one geom each, which serves all pairs of bodies with
/// these shapes. MuJoCo stores the vertices of meshes as floats in their principal axes, and moves
/// the geom back, so that a body's frame is ours.
#include "methods/engines/mujoco_guard.h"
#include "methods/engines/mujoco_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef TS_MUJOCO_MULTICCD
#define NAME "mujoco_multiccd"
#define SUMMARY                                                                                    \
  "MuJoCo's own shapes and convex hulls, turned a little for up to five contacts a pair."
#define LIMITS "convex hulls in single precision; up to five contacts a pair"
#define FLAG   " multiccd='enable'"
#else
#define NAME    "mujoco"
#define SUMMARY "MuJoCo's own shapes, and convex hulls: of these one contact a pair."
#define LIMITS  "convex hulls in single precision; one contact a pair"
#define FLAG    ""
#endif

enum { MARGIN, MPR_TOLERANCE, MPR_ITERATIONS, SHAPES, PARAM_COUNT };

static const ts_param params[PARAM_COUNT] = {
    [MARGIN] = {.name = "margin_m",
                .summary =
                    "Contacts with a gap below this are made, MuJoCo's margin of both geoms.",
                .kind = TS_PARAM_REAL,
                .is_length = 1,
                .default_value = 0,
                .minimum = 0,
                .maximum = 1e9},
    [MPR_TOLERANCE] = {.name = "mpr_tolerance_m",
                       .summary = "The portal is refined while it moves by more than this.",
                       .kind = TS_PARAM_REAL,
                       .is_length = 1,
                       .default_value = 1e-6,
                       .minimum = 1e-15,
                       .maximum = 1e9},
    [MPR_ITERATIONS] = {.name = "mpr_iterations",
                        .summary = "Maximum refinements of the portal.",
                        .kind = TS_PARAM_INTEGER,
                        .default_value = 50,
                        .minimum = 1,
                        .maximum = 1e9},
    [SHAPES] = ENGINE_SHAPES,
};

/// A geom of a model.
typedef struct pair_geom {
  int index;
  /// Where it is in the body's frame, of ground: its body is the world, and the geom is moved.
  mjtNum position[3], turn[4];
} pair_geom;

/// The model of a shape as a with another as b; its data are those of the pair posed last.
typedef struct pair_model pair_model;
struct pair_model {
  const ts_mesh *other;
  mjModel *model;
  mjData *data;
  pair_geom geoms[2];
  pair_model *next;
};

/// State of a shape: its models as a.
typedef struct shape_state {
  pair_model **first;
} shape_state;

/// The model of the pair. Its compiler simulates one step to test it; contact and gravity are off
/// for that.
static ts_status write_model(mujoco_text *out, const ts_host *host, const ts_pair *pair,
                             const double *values) {
  ts_status status = mujoco_text_begin(out, host, pair);
  if (status != TS_OK)
    return status;
  mujoco_add(out,
             "<mujoco><size njmax='8' nconmax='100' nstack='20000'/>"
             "<option mpr_tolerance='%.17g' mpr_iterations='%.0f'>"
             "<flag contact='disable' gravity='disable'" FLAG "/></option>\n<asset>",
             values[MPR_TOLERANCE], values[MPR_ITERATIONS]);
  mujoco_add_asset(out, "a", pair->mesh_a);
  mujoco_add_asset(out, "b", pair->mesh_b);
  mujoco_add(out, "</asset>\n<worldbody>");
  mujoco_add_body(out, "a", pair->mesh_a, values[MARGIN]);
  mujoco_add_body(out, "b", pair->mesh_b, values[MARGIN]);
  mujoco_add(out, "</worldbody></mujoco>\n");
  return TS_OK;
}

/// Arguments and results of the guarded functions.
typedef struct compilation {
  const mujoco_text *text;
  mjVFS *files;
  pair_model *out;
  char message[400];
} compilation;

static void compile(void *state) {
  compilation *c = state;
  static const char name[] = "pair.xml";
  if (mj_makeEmptyFileVFS(c->files, name, (int)c->text->used) != 0) {
    snprintf(c->message, sizeof c->message, "out of memory");
    return;
  }
  memcpy(c->files->filedata[0], c->text->text, c->text->used);
  c->out->model = mj_loadXML(name, c->files, c->message, sizeof c->message);
  mj_freeLastXML();
  if (!c->out->model)
    return;
  c->out->model->opt.disableflags &= ~mjDSBL_CONTACT;
  c->out->data = mj_makeData(c->out->model);
}

static void destroy_model(pair_model *pair) {
  mj_deleteData(pair->data);
  mj_deleteModel(pair->model);
  free(pair);
}

static ts_status prepare_shape(void **out, const ts_host *host, const ts_mesh *mesh,
                               const double *values) {
  (void)mesh;
  (void)values;
  shape_state *state = host->alloc(host, sizeof *state);
  if (!state || !(state->first = host->alloc(host, sizeof *state->first)))
    return TS_E_MEMORY;
  *out = state;
  return TS_OK;
}

static void release_shape(void *state) {
  pair_model *next = *((shape_state *)state)->first;
  while (next) {
    pair_model *pair = next;
    next = pair->next;
    destroy_model(pair);
  }
}

static void find_geoms(pair_model *pair) {
  static const char *const names[2] = {"a", "b"};
  for (int side = 0; side < 2; side++) {
    pair_geom *geom = &pair->geoms[side];
    geom->index = mj_name2id(pair->model, mjOBJ_GEOM, names[side]);
    memcpy(geom->position, pair->model->geom_pos + 3 * geom->index, sizeof geom->position);
    memcpy(geom->turn, pair->model->geom_quat + 4 * geom->index, sizeof geom->turn);
  }
}

static ts_status make_model(pair_model *out, const ts_host *host, const ts_pair *pair,
                            const double *values) {
  mujoco_text text;
  ts_status status = write_model(&text, host, pair, values);
  if (status != TS_OK)
    return status;
  compilation c = {.text = &text, .files = host->scratch(host, sizeof *c.files), .out = out};
  if (!c.files)
    return TS_E_MEMORY;
  mj_defaultVFS(c.files);
  mujoco_error error;
  bool done = mujoco_guarded(&error, compile, &c);
  mj_deleteVFS(c.files);
  if (done && out->model && out->data) {
    mujoco_set_heights(out->model, pair->mesh_a, pair->mesh_b);
    find_geoms(out);
    return TS_OK;
  }
  char message[600];
  snprintf(message, sizeof message, "MuJoCo rejects the shapes of this pair: %s",
           done ? c.message : error.text);
  return host->fail(host, TS_E_UNSUPPORTED, message);
}

static ts_status prepare_pair(void **out, const ts_host *host, const ts_pair *pair,
                              const void *shape_a, const void *shape_b, const double *values) {
  (void)shape_b;
  pair_model **first = ((const shape_state *)shape_a)->first, *found = *first;
  while (found && found->other != pair->mesh_b)
    found = found->next;
  if (!found) {
    found = calloc(1, sizeof *found);
    if (!found)
      return TS_E_MEMORY;
    ts_status status = make_model(found, host, pair, values);
    if (status != TS_OK) {
      destroy_model(found);
      return status;
    }
    found->other = pair->mesh_b;
    found->next = *first;
    *first = found;
  }
  *out = found;
  return TS_OK;
}

static void set_pose(const pair_model *pair, int side, ts_pose pose) {
  const mjtNum p[3] = {pose.translation.x, pose.translation.y, pose.translation.z};
  const mjtNum q[4] = {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z};
  const pair_geom *geom = &pair->geoms[side];
  int body = pair->model->geom_bodyid[geom->index];
  if (body > 0) {
    mjtNum *qpos = pair->data->qpos + pair->model->jnt_qposadr[pair->model->body_jntadr[body]];
    memcpy(qpos, p, sizeof p);
    memcpy(qpos + 3, q, sizeof q);
    return;
  }
  mjtNum *position = pair->model->geom_pos + 3 * geom->index;
  mju_rotVecQuat(position, geom->position, q);
  mju_addTo3(position, p);
  mju_mulQuat(pair->model->geom_quat + 4 * geom->index, q, geom->turn);
}

static void collide(void *state) {
  const pair_model *pair = state;
  mj_kinematics(pair->model, pair->data);
  mj_collision(pair->model, pair->data);
}

static ts_status generate(const ts_host *host, const ts_pair *pair, const void *shape_a,
                          const void *shape_b, void *pair_state, const double *values) {
  (void)shape_a;
  (void)shape_b;
  (void)values;
  const pair_model *state = pair_state;
  mjData *data = state->data;
  set_pose(state, 0, pair->pose_a);
  set_pose(state, 1, pair->pose_b);
  mujoco_error error;
  if (!mujoco_guarded(&error, collide, pair_state))
    return host->fail(host, TS_E_UNSUPPORTED, error.text);
  for (int i = 0; i < data->ncon; i++) {
    const mjContact *found = &data->contact[i];
    // The normal is from the first geom to the second; our order may be the reverse.
    double sign = found->geom1 == state->geoms[0].index ? 1 : -1;
    ts_contact contact = {
        .point = {found->pos[0], found->pos[1], found->pos[2]},
        .normal = {sign * found->frame[0], sign * found->frame[1], sign * found->frame[2]},
        .gap_m = found->dist,
        .area_m2 = (double)NAN};
    ts_status status = host->push(host, &contact, 1);
    if (status < 0)
      return status;
  }
  return TS_OK;
}

static ts_status envelope(ts_envelope *out, const double *values) {
  *out = (ts_envelope){.kind = TS_ENVELOPE_NONE, .reach_m = values[MARGIN]};
  return TS_OK;
}

static const ts_taxonomy taxonomy = {
    .locality = TS_LOCALITY_GLOBAL,
    .testing = TS_TESTING_SURFACE,
    .exactness = TS_EXACTNESS_APPROXIMATE,
    .normals = TS_NORMALS_CLOSEST_POINTS,
    .instant = TS_INSTANT_DISCRETE,
    .limits = LIMITS,
};

static const ts_method method = {
    .abi = TS_METHOD_ABI,
    .struct_size = sizeof method,
    .name = NAME,
    .summary = SUMMARY,
    .source = "MuJoCo " TS_ENGINE_VERSION " (Debian " TS_ENGINE_PACKAGE "), mj_collision",
    .needs = TS_NEEDS_CLOSED | TS_NEEDS_CONVEX,
    .gives = TS_GIVES_GAP,
    .params = params,
    .param_count = PARAM_COUNT,
    .envelope = envelope,
    .prepare_shape = prepare_shape,
    .prepare_pair = prepare_pair,
    .generate = generate,
    .release_shape = release_shape,
    .taxonomy = &taxonomy,
    .takes = MUJOCO_TAKES,
    .takes_if = ENGINE_SHAPES_NAME,
};

const ts_method *const *touchstone_methods(void) {
  static const ts_method *const methods[] = {&method, NULL};
  return methods;
}
