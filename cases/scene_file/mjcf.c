// SPDX-License-Identifier: MIT
#include "cases/scene_file/mjcf.h"

#include "base/hash.h"
#include "base/status.h"
#include "cases/scene/excluded_pairs.h"
#include "cases/scene/ground.h"
#include "cases/scene_file/mjcf_model.h"
#include "cases/scene_file/scene_file.h"
#include "cases/truth/derived_truth.h"
#include "geometry/mesh/hull.h"
#include "geometry/mesh/primitive.h"
#include "geometry/tolerances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define ENDING          ".xml"
#define NAME_BYTES_MAX  100
#define KEY_BYTES_MAX   50
/// Relative to the largest radius; stated in docs/mjcf.md.
#define ELLIPSOID_ERROR 1e-3

static const char *const omissions[TS_MJCF_OMISSION_COUNT] = {
    [TS_MJCF_OMITS_JOINTS] = "joints: bodies that they hold are free",
    [TS_MJCF_OMITS_WELDS] = "that geoms of one body move together: each is free",
    [TS_MJCF_OMITS_EQUALITY] = "equality constraints",
    [TS_MJCF_OMITS_TENDONS] = "tendons",
    [TS_MJCF_OMITS_ACTUATORS] = "actuators",
    [TS_MJCF_OMITS_SKINS] = "skins",
    [TS_MJCF_OMITS_MARGINS] = "margins of geoms: give the method its own",
    [TS_MJCF_OMITS_CONTACT_FLAG] = "that the model disables contacts: they are made",
};

typedef struct reading {
  ts_arena *arena;
  ts_mjcf *out;
  const char *path;     ///< of the file
  const char *keyframe; ///< "" for none
  ts_mjcf_model model;
} reading;

/// Where the keyframe begins in a path, its end where it has none; NULL when it is no model's.
static const char *find_keyframe(const char *path) {
  const char *hash = strrchr(path, '#'), *end = path + strlen(path);
  size_t length = strlen(ENDING);
  for (const char *at = end; at; at = at == end ? hash : NULL)
    if ((size_t)(at - path) > length && strncasecmp(at - length, ENDING, length) == 0)
      return at;
  return NULL;
}

bool ts_mjcf_takes(const char *path) {
  return find_keyframe(path) != NULL;
}

// ---- shapes -----------------------------------------------------------------------------------

static ts_status add_hull(int32_t *out, reading *r, const char *name, const ts_vec3 *points,
                          size_t count) {
  ts_hull hull;
  TS_TRY(ts_hull_of_points(&hull, r->arena, points, count));
  return ts_scene_add_shape(out, r->out->scene, name, hull.vertices, hull.vertex_count,
                            (const uint32_t(*)[3])hull.triangles, hull.triangle_count);
}

/// A mesh around a sphere, stretched.
static ts_status add_ellipsoid(int32_t *out, reading *r, const char *name, const ts_mjcf_geom *g) {
  ts_geometry sphere = {.kind = TS_GEOMETRY_SPHERE, .radius_m = 1};
  ts_hull mesh;
  TS_TRY(ts_primitive_tessellate(&mesh, r->arena, &sphere, ELLIPSOID_ERROR));
  for (size_t i = 0; i < mesh.vertex_count; i++)
    mesh.vertices[i] =
        ts_vec3_make(g->size[0] * mesh.vertices[i].x, g->size[1] * mesh.vertices[i].y,
                     g->size[2] * mesh.vertices[i].z);
  return add_hull(out, r, name, mesh.vertices, mesh.vertex_count);
}

static ts_status add_mesh(int32_t *out, reading *r, const char *name, const ts_mjcf_geom *g) {
  size_t count = g->count / 3;
  const double *numbers = r->model.numbers + g->first;
  ts_vec3 *points = ts_arena_array(r->arena, count, sizeof *points);
  if (!points)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    points[i] = ts_vec3_make(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
  return add_hull(out, r, name, points, count);
}

/// Our rows are along MuJoCo's x, our columns along its y (see `turned`): the grid is transposed,
/// which leaves each cell the diagonal along which MuJoCo cuts it.
static ts_status add_heightfield(int32_t *out, reading *r, const char *name,
                                 const ts_mjcf_geom *g) {
  size_t rows = g->column_count, columns = g->row_count;
  double *heights = ts_arena_array(r->arena, g->count, sizeof *heights);
  if (!heights)
    return TS_E_MEMORY;
  for (size_t row = 0; row < rows; row++)
    for (size_t column = 0; column < columns; column++)
      heights[row * columns + column] = r->model.numbers[g->first + column * rows + row];
  ts_heightfield field = {.row_count = rows,
                          .column_count = columns,
                          .heights_m = heights,
                          .spacing_x_m = 2 * g->size[1] / (double)(columns - 1),
                          .spacing_z_m = 2 * g->size[0] / (double)(rows - 1)};
  return ts_scene_add_heightfield(out, r->out->scene, name, &field, 0);
}

static ts_status add_primitive(int32_t *out, reading *r, const char *name, const ts_mjcf_geom *g) {
  static const int32_t kinds[TS_MJCF_TYPE_COUNT] = {[TS_MJCF_SPHERE] = TS_GEOMETRY_SPHERE,
                                                    [TS_MJCF_CAPSULE] = TS_GEOMETRY_CAPSULE,
                                                    [TS_MJCF_CYLINDER] = TS_GEOMETRY_CYLINDER,
                                                    [TS_MJCF_BOX] = TS_GEOMETRY_BOX};
  ts_geometry geometry = {.kind = kinds[g->type]};
  if (g->type == TS_MJCF_BOX)
    geometry.half_size_m = ts_vec3_make(g->size[0], g->size[1], g->size[2]);
  else
    geometry.radius_m = g->size[0];
  if (g->type == TS_MJCF_CAPSULE || g->type == TS_MJCF_CYLINDER)
    geometry.half_length_m = g->size[1];
  return ts_scene_add_primitive(out, r->out->scene, name, &geometry,
                                TS_TESSELLATION_RELATIVE * geometry.radius_m);
}

static ts_status add_plane(int32_t *out, reading *r, const char *name, const ts_mjcf_geom *g) {
  (void)g; // its sizes are for pictures
  return ts_scene_add_plane(out, r->out->scene, name, 0, 0);
}

typedef ts_status add_shape(int32_t *out, reading *r, const char *name, const ts_mjcf_geom *g);

static add_shape *const adders[TS_MJCF_TYPE_COUNT] = {
    [TS_MJCF_PLANE] = add_plane,         [TS_MJCF_HFIELD] = add_heightfield,
    [TS_MJCF_SPHERE] = add_primitive,    [TS_MJCF_CAPSULE] = add_primitive,
    [TS_MJCF_CYLINDER] = add_primitive,  [TS_MJCF_BOX] = add_primitive,
    [TS_MJCF_ELLIPSOID] = add_ellipsoid, [TS_MJCF_MESH] = add_mesh,
};

/// Whether two geoms have the same shape.
static bool are_alike(const ts_mjcf_geom *a, const ts_mjcf_geom *b) {
  if (a->type != b->type || a->first != b->first || a->count != b->count)
    return false;
  if (a->type == TS_MJCF_PLANE || a->type == TS_MJCF_MESH) // their sizes are for pictures
    return true;
  return memcmp(a->size, b->size, sizeof a->size) == 0 && a->row_count == b->row_count;
}

// ---- bodies -----------------------------------------------------------------------------------

/// The axis of a plane, a height field and of what has an axis is z in MuJoCo and y here. Turned by
/// a third of a turn about (1, 1, 1), our x, y and z are MuJoCo's y, z and x: without rounding.
static ts_quat turned(const ts_mjcf_geom *g) {
  const double *q = g->rotation_wxyz;
  ts_quat rotation = {q[0], q[1], q[2], q[3]};
  bool has_axis = g->type == TS_MJCF_PLANE || g->type == TS_MJCF_HFIELD ||
                  g->type == TS_MJCF_CAPSULE || g->type == TS_MJCF_CYLINDER;
  return has_axis ? ts_quat_mul(rotation, (ts_quat){0.5, 0.5, 0.5, 0.5}) : rotation;
}

static const char *name_geom(reading *r, const ts_mjcf_geom *g) {
  const char *body = g->body_name[0] ? g->body_name : "body";
  return g->name[0] ? ts_arena_format(r->arena, "%.*s", NAME_BYTES_MAX, g->name)
                    : ts_arena_format(r->arena, "%.*s_%u", NAME_BYTES_MAX, body, g->id);
}

static ts_status add_body(reading *r, size_t index) {
  const ts_mjcf_geom *geoms = r->model.geoms, *g = &geoms[index];
  ts_scene *scene = r->out->scene;
  const char *name = name_geom(r, g);
  int32_t shape = -1, body;
  if (!name)
    return TS_E_MEMORY;
  for (size_t i = 0; i < index && shape < 0; i++)
    if (are_alike(&geoms[i], g))
      shape = scene->bodies[i].shape;
  if (shape < 0) {
    ts_status status = adders[g->type](&shape, r, g->data_name[0] ? g->data_name : name, g);
    char *why = status == TS_E_INPUT ? ts_arena_string(r->arena, ts_status_detail()) : NULL;
    if (why)
      return ts_fail(TS_E_INPUT, "%s: geom %s%s%.60s: %s", r->path, name,
                     g->data_name[0] ? ", " : "", g->data_name, why);
    TS_TRY(status);
  }
  ts_pose pose = {turned(g), {g->translation_m[0], g->translation_m[1], g->translation_m[2]}};
  TS_TRY(ts_scene_add_body(&body, scene, name, shape, pose, g->is_fixed));
  if (!g->is_fixed)
    scene->bodies[body].twist =
        (ts_twist){{g->linear_m_s[0], g->linear_m_s[1], g->linear_m_s[2]},
                   {g->angular_rad_s[0], g->angular_rad_s[1], g->angular_rad_s[2]}};
  return TS_OK;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/// Rows and exports go by the names of bodies; MuJoCo's own are unique, ours are shortened.
static ts_status check_names(reading *r) {
  const ts_scene *scene = r->out->scene;
  const char **names = ts_arena_array(r->arena, scene->body_count, sizeof *names);
  if (!names)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->body_count; i++)
    names[i] = scene->bodies[i].name;
  qsort(names, scene->body_count, sizeof *names, compare_names);
  for (size_t i = 1; i < scene->body_count; i++)
    if (strcmp(names[i - 1], names[i]) == 0)
      return ts_fail(TS_E_INPUT,
                     "%s: two geoms are called \"%s\" (up to %d bytes, a geom without a name after "
                     "its body): name one of them differently",
                     r->path, names[i], NAME_BYTES_MAX);
  return TS_OK;
}

/// The geoms of a MuJoCo body share its mass by their volumes.
static ts_status set_densities(reading *r) {
  ts_scene *scene = r->out->scene;
  const ts_mjcf_geom *geoms = r->model.geoms;
  double *volumes = ts_arena_array(r->arena, scene->shape_count, sizeof *volumes);
  if (!volumes)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->shape_count; i++)
    volumes[i] = ts_geometry_is_ground(scene->shapes[i].geometry.kind)
                     ? 0
                     : ts_shape_mass_properties(&scene->shapes[i], 1).volume_m3;
  for (size_t i = 0; i < scene->body_count; i++) {
    double sum_m3 = 0;
    for (size_t k = 0; k < scene->body_count && !geoms[i].is_fixed; k++)
      sum_m3 += geoms[k].body == geoms[i].body ? volumes[scene->bodies[k].shape] : 0;
    double density = geoms[i].body_mass_kg / sum_m3;
    if (density > 0 && isfinite(density))
      scene->bodies[i].density_kg_m3 = density;
  }
  return TS_OK;
}

static ts_status exclude_pairs(reading *r) {
  size_t count = r->model.excluded_count;
  ts_body_pair *pairs = ts_arena_array(r->arena, count, sizeof *pairs);
  if (!pairs)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) // bodies are numbered as geoms are
    pairs[i] = (ts_body_pair){(int32_t)r->model.excluded[i][0], (int32_t)r->model.excluded[i][1]};
  return ts_scene_exclude(r->out->scene, pairs, count);
}

// ---- what is said of it -----------------------------------------------------------------------

/// A key for the case; the prefix distinguishes it from built-in cases of the same name.
static ts_status name_case(reading *r) {
  const char *slash = strrchr(r->path, '/'), *stem = slash ? slash + 1 : r->path;
  size_t length = strlen(stem) - strlen(ENDING);
  char *name = ts_arena_format(r->arena, "mjcf_%.*s%s%.*s",
                               length < KEY_BYTES_MAX ? (int)length : KEY_BYTES_MAX, stem,
                               r->keyframe[0] ? "_" : "", KEY_BYTES_MAX, r->keyframe);
  for (char *c = name; c && *c; c++)
    if (*c >= 'A' && *c <= 'Z')
      *c = (char)(*c - 'A' + 'a');
    else if (!((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9')))
      *c = '_';
  r->out->name = name;
  return name ? TS_OK : TS_E_MEMORY;
}

static bool has_type(const reading *r, ts_mjcf_type type) {
  for (size_t i = 0; i < r->model.geom_count; i++)
    if (r->model.geoms[i].type == (uint32_t)type)
      return true;
  return false;
}

/// `why_unknown`: why there is no truth; NULL: there is one.
static ts_status summarise(reading *r, const char *why_unknown) {
  ts_arena *arena = r->arena;
  const char *text = "";
  for (int i = 0; i < TS_MJCF_OMISSION_COUNT && text; i++)
    if (r->model.omits >> i & 1)
      text =
          ts_arena_format(arena, "%s%s%s", text, *text ? "; " : ". Not modelled: ", omissions[i]);
  const char *unknown =
      why_unknown ? ts_arena_format(arena, ". The truth is unknown: %s", why_unknown) : "";
  const char *left_out =
      r->model.left_out_count == 0
          ? ""
          : ts_arena_format(arena, "; %zu that collide with nothing are left out",
                            (size_t)r->model.left_out_count);
  if (!text || !unknown || !left_out)
    return TS_E_MEMORY;
  r->out->summary = ts_arena_format(arena, "MuJoCo's model at %s%s: each geom is a body%s%s%s%s%s",
                                    r->keyframe[0] ? "keyframe " : "qpos0", r->keyframe, left_out,
                                    has_type(r, TS_MJCF_MESH) ? "; meshes are their hulls" : "",
                                    has_type(r, TS_MJCF_ELLIPSOID)
                                        ? "; ellipsoids are meshes, off by up to 0.1 % of a radius"
                                        : "",
                                    text, unknown);
  return r->out->summary ? TS_OK : TS_E_MEMORY;
}

/// Derived where it can be.
static ts_status find_truth(const char **out_why_unknown, reading *r) {
  ts_status status = ts_derive_truth(r->out->scene, TS_POSITION_RELATIVE);
  *out_why_unknown = NULL;
  if (status == TS_OK || status == TS_E_MEMORY)
    return status;
  r->out->scene->truth_is_unknown = true;
  *out_why_unknown = ts_arena_string(r->arena, ts_status_detail());
  return *out_why_unknown ? TS_OK : TS_E_MEMORY;
}

static ts_status read_scene(reading *r) {
  const char *why_unknown;
  r->out->scene->up = r->model.up;
  for (size_t i = 0; i < r->model.geom_count; i++)
    TS_TRY(add_body(r, i));
  TS_TRY(check_names(r));
  TS_TRY(exclude_pairs(r));
  TS_TRY(ts_scene_fit_ground(r->out->scene));
  TS_TRY(set_densities(r));
  TS_TRY(find_truth(&why_unknown, r));
  return summarise(r, why_unknown);
}

ts_status ts_mjcf_read(ts_mjcf *out, ts_arena *arena, const char *path) {
  *out = (ts_mjcf){.summary = ""};
  const char *end = find_keyframe(path);
  if (!end)
    return ts_fail(TS_E_INPUT, "%s: its name does not end in " ENDING, path);
  const char *file = ts_arena_format(arena, "%.*s", (int)(end - path), path);
  if (!file)
    return TS_E_MEMORY;
  if (strcmp(end, "#") == 0)
    return ts_fail(TS_E_INPUT, "%s: there is no keyframe after #", path);
  reading r = {.arena = arena, .out = out, .path = file, .keyframe = *end ? end + 1 : ""};
  ts_file_account account = {.bytes_left = TS_SCENE_MESH_BYTES_MAX, .hash = TS_HASH_START};
  TS_TRY(name_case(&r));
  TS_TRY(ts_scene_create(&out->scene, arena));
  TS_TRY(ts_mjcf_model_load(&r.model, arena, &account, file, r.keyframe));
  out->hash = ts_hash_bytes(account.hash, r.keyframe, strlen(r.keyframe));
  return read_scene(&r);
}
