// SPDX-License-Identifier: MIT
/// MuJoCo's collision of two meshes, which it takes as their convex hulls. Built twice: with its
/// multiccd flag (TS_MUJOCO_MULTICCD) as a method of its own.
///
/// A pair of shapes is a model of two free bodies, one mesh each, which serves all pairs of bodies
/// with these shapes. MuJoCo stores the vertices of meshes as floats in their principal axes, and
/// moves the geom back, so that a body's frame is ours.
#include "methods/engines/mujoco_guard.h"
#include "methods/method.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#ifdef TS_MUJOCO_MULTICCD
#define NAME    "mujoco_multiccd"
#define SUMMARY "MuJoCo's meshes as convex hulls, turned a little for up to five contacts a pair."
#define LIMITS  "convex hulls in single precision; up to five contacts a pair"
#define FLAG    " multiccd='enable'"
#else
#define NAME    "mujoco"
#define SUMMARY "MuJoCo's meshes as convex hulls: one contact a pair."
#define LIMITS  "convex hulls in single precision; one contact a pair"
#define FLAG    ""
#endif

enum { MARGIN, MPR_TOLERANCE, MPR_ITERATIONS, PARAM_COUNT };

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
};

/// The model of a shape as a with another as b; its data are those of the pair posed last.
typedef struct pair_model pair_model;
struct pair_model {
  const ts_mesh *other;
  mjModel *model;
  mjData *data;
  pair_model *next;
};

/// State of a shape: its models as a.
typedef struct shape_state {
  pair_model **first;
} shape_state;

/// The text of a model under construction.
typedef struct model_text {
  char *text;
  size_t size, used;
} model_text;

/// Maximum lengths of three numbers of 17 digits, of three indices, and of all that is not a list.
#define VECTOR_TEXT   ((size_t)3 * 25)
#define TRIANGLE_TEXT ((size_t)3 * 11)
#define OTHER_TEXT    ((size_t)2048)

__attribute__((format(printf, 2, 3))) static void add(model_text *out, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(out->text + out->used, out->size - out->used, format, arguments);
  va_end(arguments);
  out->used += (size_t)length;
}

static void add_mesh(model_text *out, const char *name, const ts_mesh *mesh) {
  add(out, "<mesh name='%s' vertex='", name);
  for (size_t i = 0; i < mesh->vertex_count; i++)
    add(out, " %.17g %.17g %.17g", mesh->vertices[i].x, mesh->vertices[i].y, mesh->vertices[i].z);
  add(out, "' face='");
  for (size_t i = 0; i < mesh->triangle_count; i++) {
    const uint32_t *t = mesh->triangles[i];
    add(out, " %u %u %u", t[0], t[1], t[2]);
  }
  add(out, "'/>\n");
}

/// A body with an explicit mass, not that of its mesh.
static void add_body(model_text *out, const char *name, double margin_m) {
  add(out,
      "<body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
      "<geom type='mesh' mesh='%s' margin='%.17g'/></body>\n",
      name, margin_m);
}

/// MuJoCo's compiler simulates one step to test the model; contact and gravity are off for it.
static ts_status write_model(model_text *out, const ts_host *host, const ts_pair *pair,
                             const double *values) {
  const ts_mesh *a = pair->mesh_a, *b = pair->mesh_b;
  out->used = 0;
  out->size = VECTOR_TEXT * (a->vertex_count + b->vertex_count) +
              TRIANGLE_TEXT * (a->triangle_count + b->triangle_count) + OTHER_TEXT;
  if (out->size > INT32_MAX)
    return host->fail(host, TS_E_UNSUPPORTED, "the meshes are too large for a model of MuJoCo");
  out->text = host->scratch(host, out->size);
  if (!out->text)
    return TS_E_MEMORY;
  add(out,
      "<mujoco><size njmax='8' nconmax='100' nstack='20000'/>"
      "<option mpr_tolerance='%.17g' mpr_iterations='%.0f'>"
      "<flag contact='disable' gravity='disable'" FLAG "/></option>\n<asset>",
      values[MPR_TOLERANCE], values[MPR_ITERATIONS]);
  add_mesh(out, "a", a);
  add_mesh(out, "b", b);
  add(out, "</asset>\n<worldbody>");
  add_body(out, "a", values[MARGIN]);
  add_body(out, "b", values[MARGIN]);
  add(out, "</worldbody></mujoco>\n");
  return TS_OK;
}

/// Arguments and results of the guarded functions.
typedef struct compilation {
  const model_text *text;
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

static ts_status make_model(pair_model *out, const ts_host *host, const ts_pair *pair,
                            const double *values) {
  model_text text;
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
  if (done && out->model && out->data)
    return TS_OK;
  char message[600];
  snprintf(message, sizeof message, "MuJoCo rejects the meshes of this pair: %s",
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

static void set_pose(mjtNum qpos[7], ts_pose pose) {
  const ts_quat q = pose.rotation;
  const ts_vec3 p = pose.translation;
  memcpy(qpos, (mjtNum[7]){p.x, p.y, p.z, q.w, q.x, q.y, q.z}, 7 * sizeof *qpos);
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
  set_pose(data->qpos, pair->pose_a);
  set_pose(data->qpos + 7, pair->pose_b);
  mujoco_error error;
  if (!mujoco_guarded(&error, collide, pair_state))
    return host->fail(host, TS_E_UNSUPPORTED, error.text);
  for (int i = 0; i < data->ncon; i++) {
    const mjContact *found = &data->contact[i];
    // The normal is from the first geom to the second; our order may be the reverse.
    double sign = found->geom1 < found->geom2 ? 1 : -1;
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
};

const ts_method *const *touchstone_methods(void) {
  static const ts_method *const methods[] = {&method, NULL};
  return methods;
}
