// SPDX-License-Identifier: MIT
#include "base/file.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/utf8.h"
#include "cases/scene/deformable.h"
#include "cases/scene/ground.h"
#include "cases/scene_file/mjcf.h"
#include "cases/scene_file/rigid_ipc.h"
#include "cases/scene_file/scene_file.h"
#include "cases/scene_file/scene_file_elastic.h"
#include "cases/scene_file/scene_file_excluded.h"
#include "cases/scene_file/scene_file_meshes.h"
#include "cases/scene_file/scene_file_pieces.h"
#include "cases/scene_file/scene_file_primitives.h"
#include "cases/scene_file/scene_file_truth.h"
#include "geometry/tolerances.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES_MAX 128

typedef struct reader {
  ts_arena *arena;
  ts_scene_file *out;
  ts_scene *scene;
  ts_scene_folder folder;
  ts_scene_names shapes, bodies;
  size_t deformable_nodes;
} reader;

static int compare_named(const void *a, const void *b) {
  const ts_scene_name *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

static bool is_printable(const char *text) {
  for (; *text; text++)
    if (ts_utf8_control_length(text) > 0)
      return false;
  return true;
}

/// The name in an object of a list.
static ts_status read_name(const char **out, ts_arena *arena, const ts_node *object) {
  ts_node node = ts_node_member(object, "name");
  TS_TRY(ts_node_text(out, arena, &node));
  size_t length = strlen(*out);
  if (length == 0 || length > NAME_BYTES_MAX || !is_printable(*out))
    return ts_node_fail(&node, "a name has 1 to %d bytes, none of them a control character",
                        NAME_BYTES_MAX);
  return TS_OK;
}

/// Reads the names of all objects of a list, and refuses duplicates.
static ts_status read_names(ts_scene_names *out, ts_arena *arena, const ts_node *list,
                            size_t max_count) {
  TS_TRY(ts_node_array(&out->count, list));
  if (out->count > max_count)
    return ts_node_fail(list, "has %zu; give %zu or fewer", out->count, max_count);
  out->sorted = ts_arena_array(arena, out->count, sizeof *out->sorted);
  if (!out->sorted)
    return TS_E_MEMORY;
  for (size_t i = 0; i < out->count; i++) {
    ts_node item = ts_node_item(list, i);
    TS_TRY(read_name(&out->sorted[i].name, arena, &item));
    out->sorted[i].index = (uint32_t)i;
  }
  if (out->count > 0)
    qsort(out->sorted, out->count, sizeof *out->sorted, compare_named);
  for (size_t i = 1; i < out->count; i++)
    if (strcmp(out->sorted[i - 1].name, out->sorted[i].name) == 0) {
      ts_node item = ts_node_item(list, out->sorted[i].index);
      return ts_node_fail(&item, "\"%.60s\" is the name of %s[%u] too; give each its own",
                          out->sorted[i].name, list->key, out->sorted[i - 1].index);
    }
  return TS_OK;
}

static ts_status check_schema(ts_arena *arena, const ts_node *root) {
  static const char *const keys[] = {"schema",
                                     "version",
                                     "name",
                                     "case_parameters",
                                     "summary",
                                     "source",
                                     "units",
                                     "scale",
                                     "up",
                                     "truth",
                                     "refinement",
                                     "later_body_first",
                                     "shapes",
                                     "bodies",
                                     "forces",
                                     "regions",
                                     "touch_relative",
                                     "unknown_pairs",
                                     "excluded_pairs",
                                     NULL};
  if (!json_is_object(root->value))
    return ts_node_check_object(root, keys);
  ts_node schema = ts_node_member(root, "schema"), version = ts_node_member(root, "version");
  const char *name;
  double number;
  TS_TRY(ts_node_text(&name, arena, &schema));
  if (strcmp(name, TS_SCENE_FILE_SCHEMA) != 0)
    return ts_node_fail(&schema, "is \"%.60s\"; a scene has \"%s\"", name, TS_SCENE_FILE_SCHEMA);
  TS_TRY(ts_node_number(&number, &version));
  if (number != TS_SCENE_FILE_VERSION)
    return ts_node_fail(&version, "is %.17g; this touchstone reads version %d", number,
                        TS_SCENE_FILE_VERSION);
  ts_node unit = ts_node_member(root, "unit");
  if (unit.value)
    return ts_node_fail(&unit, "belongs to a shape, whose mesh or points are in it; all other "
                               "lengths of a scene are in metres");
  // Keys of another version may be others: they are looked at last.
  return ts_node_check_object(root, keys);
}

/// Units may be given, to be safe; each has one possible value.
static ts_status check_units(ts_arena *arena, const ts_node *root) {
  static const char *const keys[] = {"length", "mass", "time", "angle", NULL};
  static const char *const units[] = {"m", "kg", "s", "rad"};
  ts_node node = ts_node_member(root, "units");
  if (!node.value)
    return TS_OK;
  TS_TRY(ts_node_check_object(&node, keys));
  for (int i = 0; keys[i]; i++) {
    ts_node unit = ts_node_member(&node, keys[i]);
    const char *text;
    if (!unit.value)
      continue;
    TS_TRY(ts_node_text(&text, arena, &unit));
    if (strcmp(text, units[i]) != 0)
      return ts_node_fail(&unit,
                          "is \"%.60s\"; only \"%s\" is read: convert the numbers; meshes may be "
                          "in another length, which a shape states as its \"unit\"",
                          text, units[i]);
  }
  return TS_OK;
}

/// Whether a name can be a case's: it is part of file names, patterns and "owner.parameter".
static bool is_key(const char *name) {
  size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
  return length > 0 && length <= NAME_BYTES_MAX && name[length] == '\0' &&
         strcmp(name, "scoring") != 0 && strcmp(name, "simulation") != 0;
}

static ts_status read_optional_text(const char **out, ts_arena *arena, const ts_node *root,
                                    const char *key) {
  ts_node node = ts_node_member(root, key);
  *out = "";
  if (!node.value)
    return TS_OK;
  TS_TRY(ts_node_text(out, arena, &node));
  return is_printable(*out) ? TS_OK : ts_node_fail(&node, "has a control character");
}

static ts_status read_identity(reader *r, const ts_node *root) {
  ts_node name = ts_node_member(root, "name");
  TS_TRY(ts_node_text(&r->out->name, r->arena, &name));
  if (!is_key(r->out->name))
    return ts_node_fail(&name,
                        "\"%.60s\" cannot be the name of a case: give small letters a to z, digits "
                        "and _, and neither scoring nor simulation",
                        r->out->name);
  TS_TRY(read_optional_text(&r->out->summary, r->arena, root, "summary"));
  TS_TRY(read_optional_text(&r->out->source, r->arena, root, "source"));
  return read_optional_text(&r->out->case_parameters, r->arena, root, "case_parameters");
}

static ts_status read_positive(double *out, const ts_node *node) {
  if (!node->value)
    return TS_OK;
  TS_TRY(ts_node_number(out, node));
  return *out > 0 ? TS_OK : ts_node_fail(node, "is %.17g; give a number above 0", *out);
}

/// What is said of the scene as a whole.
static ts_status read_whole(reader *r, const ts_node *root) {
  ts_scene *scene = r->scene;
  ts_node scale = ts_node_member(root, "scale"), up = ts_node_member(root, "up");
  ts_node refinement = ts_node_member(root, "refinement");
  ts_node later = ts_node_member(root, "later_body_first");
  TS_TRY(read_positive(&scene->scale, &scale));
  if (up.value)
    TS_TRY(ts_node_direction(&scene->up, &up, "the direction"));
  uint32_t level = 0;
  if (refinement.value)
    TS_TRY(ts_node_index(&level, &refinement, TS_REFINEMENT_MAX + 1));
  scene->refinement = (int)level;
  return later.value ? ts_node_bool(&scene->later_body_first, &later) : TS_OK;
}

static ts_status read_tets_of_mesh(ts_shape *shape, ts_arena *arena, const ts_scene_triangles *t,
                                   const ts_node *node) {
  size_t count;
  TS_TRY(ts_node_array(&count, node));
  uint32_t(*tets)[4] = ts_arena_array(arena, count, sizeof *tets);
  if (!tets)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    ts_node item = ts_node_item(node, i);
    size_t corners;
    TS_TRY(ts_node_array(&corners, &item));
    if (corners != 4)
      return ts_node_fail(&item, "has %zu corners; a tetrahedron has 4", corners);
    for (size_t k = 0; k < 4; k++) {
      ts_node corner = ts_node_item(&item, k);
      TS_TRY(ts_node_index(&tets[i][k], &corner, t->vertex_count));
    }
  }
  ts_mesh *mesh;
  TS_TRY(
      ts_mesh_create(&mesh, arena, t->vertices, t->vertex_count, t->triangles, t->triangle_count));
  TS_TRY(
      ts_node_fail_detail(node, ts_mesh_set_tets(mesh, arena, (const uint32_t(*)[4])tets, count)));
  shape->mesh = mesh;
  return TS_OK;
}

/// The triangles of a shape: of its mesh, or of the hull of its points; `out_node` says which.
static ts_status read_surface(ts_scene_triangles *out, ts_node *out_node, reader *r,
                              const ts_node *node, ts_scene_unit unit) {
  ts_node mesh = ts_node_member(node, "mesh"), hull = ts_node_member(node, "hull_of");
  *out_node = hull.value ? hull : mesh;
  if (mesh.value && hull.value)
    return ts_node_fail(node, "has a mesh and hull_of; give one of them");
  if (hull.value)
    return ts_scene_folder_read_hull(out, &r->folder, &hull, unit);
  if (!mesh.value)
    return ts_node_fail(node, "has no surface; give the file of a mesh; hull_of, the points whose "
                              "hull it is; a sphere, capsule, cylinder, cone or box; or a plane, "
                              "surface or heightfield as fixed ground");
  return ts_scene_folder_read_mesh(out, &r->folder, &mesh, unit);
}

static ts_status read_shape(reader *r, const ts_node *node) {
  static const char *const keys[] = {
      "name",       "mesh",         "hull_of",        "unit",    "is_conical", "tets",     "pieces",
      "pieces_max", "pieces_error", "published_tets", "sphere",  "capsule",    "cylinder", "cone",
      "box",        "plane",        "heightfield",    "surface", NULL};
  TS_TRY(ts_node_check_object(node, keys));
  const char *name;
  TS_TRY(read_name(&name, r->arena, node));
  ts_node conical = ts_node_member(node, "is_conical"), unit_node = ts_node_member(node, "unit");
  ts_node tets = ts_node_member(node, "tets");
  ts_scene_unit unit;
  TS_TRY(ts_scene_unit_read(&unit, r->arena, &unit_node));
  bool is_geometry;
  TS_TRY(ts_scene_read_geometry(&is_geometry, r->scene, &r->folder, name, node, unit));
  if (is_geometry)
    return TS_OK;
  ts_scene_triangles t;
  ts_node surface;
  TS_TRY(read_surface(&t, &surface, r, node, unit));
  int32_t index;
  ts_status status = ts_scene_add_shape(&index, r->scene, name, t.vertices, t.vertex_count,
                                        t.triangles, t.triangle_count);
  TS_TRY(ts_scene_fail_triangles(&surface, &t, name, status));
  if (conical.value)
    TS_TRY(ts_node_bool(&r->scene->shapes[index].is_conical, &conical));
  if (tets.value)
    TS_TRY(read_tets_of_mesh(&r->scene->shapes[index], r->arena, &t, &tets));
  return ts_scene_read_pieces(r->scene, index, &r->folder, node, unit);
}

/// Published tets are there for all shapes or for none.
static ts_status read_published_tets(reader *r, const ts_node *list) {
  ts_scene *scene = r->scene;
  size_t known = 0;
  for (size_t i = 0; i < scene->shape_count; i++) {
    ts_node item = ts_node_item(list, i), node = ts_node_member(&item, "published_tets");
    known += node.value != NULL;
  }
  if (known == 0)
    return TS_OK;
  if (known < scene->shape_count)
    return ts_node_fail(list, "%zu of %zu have published_tets; give all of them some, or none",
                        known, scene->shape_count);
  if (scene->refinement > 0)
    return ts_node_fail(list, "have published_tets, which are not refined: leave refinement out");
  scene->tets = TS_TETS_PUBLISHED;
  scene->published_tets =
      ts_arena_array(r->arena, scene->shape_count, sizeof *scene->published_tets);
  if (!scene->published_tets)
    return TS_E_MEMORY;
  for (size_t i = 0; i < scene->shape_count; i++) {
    ts_node item = ts_node_item(list, i), node = ts_node_member(&item, "published_tets");
    TS_TRY(ts_scene_folder_read_tets(&scene->published_tets[i], r->arena, &r->folder, &node,
                                     &scene->shapes[i]));
    ts_arena_rewind(r->folder.scratch, (ts_arena_mark){NULL, 0});
  }
  return TS_OK;
}

static ts_status read_shapes(reader *r, const ts_node *root) {
  ts_node list = ts_node_member(root, "shapes");
  TS_TRY(read_names(&r->shapes, r->arena, &list, TS_SCENE_FILE_SHAPES_MAX));
  for (size_t i = 0; i < r->shapes.count; i++) {
    ts_node item = ts_node_item(&list, i);
    TS_TRY(read_shape(r, &item));
    ts_arena_rewind(r->folder.scratch, (ts_arena_mark){NULL, 0});
  }
  TS_TRY(ts_node_fail_detail(&list, ts_scene_check_pieces(r->scene)));
  return read_published_tets(r, &list);
}

/// Made unit, since one off length 1 stretches its body; unless rounding is all that it is off.
/// `as_published`: bodies of published runs stay as those runs rounded them.
static ts_status read_rotation(ts_quat *out, const ts_node *node, bool as_published) {
  double q[4];
  TS_TRY(ts_node_numbers(q, node, 4));
  double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(fabs(length - 1) <= TS_UNIT_QUATERNION))
    return ts_node_fail(node,
                        "the quaternion has length %.9g; give it length 1, to within %g: it is "
                        "made unit",
                        length, TS_UNIT_QUATERNION);
  *out = (ts_quat){q[0], q[1], q[2], q[3]};
  if (!as_published && fabs(length - 1) > TS_UNIT_ROUNDING)
    *out = ts_quat_unit(*out);
  return TS_OK;
}

static ts_status read_pose(ts_pose *out, const ts_node *body, bool as_published) {
  static const char *const keys[] = {"rotation_wxyz", "translation_m", NULL};
  *out = ts_pose_identity();
  ts_node pose = ts_node_member(body, "pose");
  if (!pose.value)
    return TS_OK;
  TS_TRY(ts_node_check_object(&pose, keys));
  ts_node rotation = ts_node_member(&pose, keys[0]);
  ts_node translation = ts_node_member(&pose, keys[1]);
  if (rotation.value)
    TS_TRY(read_rotation(&out->rotation, &rotation, as_published));
  return translation.value ? ts_node_vec3(&out->translation, &translation) : TS_OK;
}

static ts_status read_twist(ts_twist *out, const ts_node *body) {
  static const char *const keys[] = {"linear_m_s", "angular_rad_s", NULL};
  ts_node twist = ts_node_member(body, "twist");
  if (!twist.value)
    return TS_OK;
  TS_TRY(ts_node_check_object(&twist, keys));
  ts_node linear = ts_node_member(&twist, keys[0]), angular = ts_node_member(&twist, keys[1]);
  if (linear.value)
    TS_TRY(ts_node_vec3(&out->linear_m_s, &linear));
  return angular.value ? ts_node_vec3(&out->angular_rad_s, &angular) : TS_OK;
}

static ts_status read_mass(ts_principal_mass *out, const ts_node *node) {
  static const char *const keys[] = {"mass_kg", "inertia_kg_m2", NULL};
  TS_TRY(ts_node_check_object(node, keys));
  ts_node mass = ts_node_member(node, keys[0]), inertia = ts_node_member(node, keys[1]);
  TS_TRY(ts_node_number(&out->mass_kg, &mass));
  TS_TRY(ts_node_numbers(out->inertia_kg_m2, &inertia, 3));
  for (int i = 0; i < 3; i++)
    if (out->mass_kg < 0 || out->inertia_kg_m2[i] < 0)
      return ts_node_fail(node, "has a number below 0");
  return TS_OK;
}

static ts_status read_body(reader *r, const ts_node *node, const ts_node *shapes) {
  static const char *const keys[] = {
      "name",    "shape",         "pose",     "twist",
      "elastic", "density_kg_m3", "is_fixed", "published_mass_at_scale_1",
      NULL};
  TS_TRY(ts_node_check_object(node, keys));
  ts_node shape = ts_node_member(node, "shape"), fixed = ts_node_member(node, "is_fixed");
  ts_node density = ts_node_member(node, "density_kg_m3");
  int32_t shape_index = 0, index;
  TS_TRY(ts_scene_names_find(&shape_index, r->arena, &r->shapes, "shape", &shape));
  const char *name;
  bool is_fixed = false;
  ts_pose pose;
  TS_TRY(read_name(&name, r->arena, node));
  if (fixed.value)
    TS_TRY(ts_node_bool(&is_fixed, &fixed));
  TS_TRY(read_pose(&pose, node, r->scene->tets == TS_TETS_PUBLISHED));
  TS_TRY(ts_node_fail_detail(
      node, ts_scene_add_body(&index, r->scene, name, shape_index, pose, is_fixed)));
  ts_body *body = &r->scene->bodies[index];
  TS_TRY(read_positive(&body->density_kg_m3, &density));
  TS_TRY(read_twist(&body->twist, node));
  ts_node shape_node = ts_node_item(shapes, (size_t)shape_index);
  return ts_scene_file_read_elastic(&r->deformable_nodes, r->scene, index, node, &shape_node);
}

/// Published masses are there for all bodies or for none.
static ts_status read_masses(reader *r, const ts_node *list) {
  const char *key = "published_mass_at_scale_1";
  size_t count = r->scene->body_count, known = 0;
  ts_principal_mass *masses = ts_arena_array(r->arena, count, sizeof *masses);
  if (!masses)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    ts_node item = ts_node_item(list, i), node = ts_node_member(&item, key);
    if (!node.value)
      continue;
    known++;
    TS_TRY(read_mass(&masses[i], &node));
  }
  if (known > 0 && known < count)
    return ts_node_fail(list, "%zu of %zu have %s; give it for all, or for none", known, count,
                        key);
  r->scene->published_masses = known > 0 ? masses : NULL;
  return TS_OK;
}

static ts_status read_bodies(reader *r, const ts_node *root) {
  ts_node list = ts_node_member(root, "bodies");
  TS_TRY(read_names(&r->bodies, r->arena, &list, TS_SCENE_FILE_BODIES_MAX));
  if (r->bodies.count == 0)
    return ts_node_fail(&list, "a scene has a body or more; here is none");
  ts_node shapes = ts_node_member(root, "shapes");
  for (size_t i = 0; i < r->bodies.count; i++) {
    ts_node item = ts_node_item(&list, i);
    TS_TRY(read_body(r, &item, &shapes));
  }
  TS_TRY(ts_node_fail_detail(root, ts_scene_check_cutting(r->scene)));
  TS_TRY(ts_node_fail_detail(&shapes, ts_scene_fit_ground(r->scene)));
  return read_masses(r, &list);
}

static ts_status read_force(reader *r, const ts_node *node) {
  static const char *const keys[] = {"body", "point_local_m", "force_n", NULL};
  TS_TRY(ts_node_check_object(node, keys));
  ts_node body = ts_node_member(node, keys[0]), point = ts_node_member(node, keys[1]);
  ts_node vector = ts_node_member(node, keys[2]);
  ts_force force;
  TS_TRY(ts_scene_names_find(&force.body, r->arena, &r->bodies, "body", &body));
  if (r->scene->bodies[force.body].is_fixed)
    return ts_node_fail(&body, "\"%.60s\" is fixed, so that no force moves it; name another body",
                        r->scene->bodies[force.body].name);
  TS_TRY(ts_node_vec3(&force.point_local, &point));
  TS_TRY(ts_node_vec3(&force.force_n, &vector));
  return ts_scene_add_force(r->scene, &force);
}

static ts_status read_forces(reader *r, const ts_node *root) {
  ts_node list = ts_node_member(root, "forces");
  size_t count;
  if (!list.value)
    return TS_OK;
  TS_TRY(ts_node_array(&count, &list));
  if (count > TS_SCENE_FILE_FORCES_MAX)
    return ts_node_fail(&list, "has %zu; give %zu or fewer", count, TS_SCENE_FILE_FORCES_MAX);
  for (size_t i = 0; i < count; i++) {
    ts_node item = ts_node_item(&list, i);
    TS_TRY(read_force(r, &item));
  }
  return TS_OK;
}

static ts_status read_all(reader *r, const ts_node *root) {
  TS_TRY(check_schema(r->arena, root));
  TS_TRY(check_units(r->arena, root));
  TS_TRY(read_identity(r, root));
  TS_TRY(read_whole(r, root));
  TS_TRY(read_shapes(r, root));
  TS_TRY(read_bodies(r, root));
  TS_TRY(read_forces(r, root));
  TS_TRY(ts_scene_file_read_excluded(r->scene, &r->bodies, root));
  return ts_scene_file_read_truth(r->scene, &r->bodies, root);
}

/// A scene of another program, recognised by one of its keys.
static ts_status open_rigid_ipc(ts_scene_file *out, ts_arena *arena, const char *path) {
  ts_rigid_ipc ipc;
  TS_TRY(ts_rigid_ipc_read(&ipc, arena, path));
  out->scene = ipc.scene;
  out->name = ipc.name;
  out->hash = ipc.hash;
  out->source = "a scene of rigid-ipc (Ferguson et al. 2021)";
  if (ipc.not_modelled[0] != '\0')
    out->summary = ts_arena_format(arena, "Not modelled: %s", ipc.not_modelled);
  return out->summary ? TS_OK : TS_E_MEMORY;
}

/// The same for a model of MuJoCo, recognised by its name.
static ts_status open_mjcf(ts_scene_file *out, ts_arena *arena, const char *path) {
  ts_mjcf mjcf;
  TS_TRY(ts_mjcf_read(&mjcf, arena, path));
  out->scene = mjcf.scene;
  out->name = mjcf.name;
  out->hash = mjcf.hash;
  out->source = "a model of MuJoCo";
  out->summary = mjcf.summary;
  return TS_OK;
}

static ts_status open_scene(reader *r, const char *path) {
  char *text;
  size_t count;
  json_t *json;
  TS_TRY(ts_file_read(&text, &count, r->folder.scratch, path, TS_SCENE_FILE_BYTES_MAX));
  TS_TRY(ts_node_parse(&json, path, text, count));
  r->folder.files.hash = ts_hash_bytes(TS_HASH_START, text, count);
  ts_arena_rewind(r->folder.scratch, (ts_arena_mark){NULL, 0});
  bool is_rigid_ipc = json_object_get(json, TS_RIGID_IPC_KEY) != NULL;
  ts_node root = {.value = json, .key = path};
  ts_status status = is_rigid_ipc ? TS_OK : read_all(r, &root);
  json_decref(json);
  if (is_rigid_ipc)
    return open_rigid_ipc(r->out, r->arena, path);
  r->out->scene = r->scene;
  r->out->hash = r->folder.files.hash;
  return status;
}

ts_status ts_scene_file_open(ts_scene_file *out, ts_arena *arena, const char *path) {
  *out = (ts_scene_file){.name = "", .summary = "", .source = "", .case_parameters = ""};
  reader r = {.arena = arena,
              .out = out,
              .folder = {.path = ts_file_folder(arena, path),
                         .files = {.bytes_left = TS_SCENE_MESH_BYTES_MAX}}};
  out->path = ts_arena_string(arena, path);
  if (!r.folder.path || !out->path)
    return TS_E_MEMORY;
  if (ts_mjcf_takes(path))
    return open_mjcf(out, arena, path);
  TS_TRY(ts_scene_create(&r.scene, arena));
  TS_TRY(ts_arena_create(&r.folder.scratch));
  ts_status status = open_scene(&r, path);
  ts_arena_destroy(r.folder.scratch);
  return status;
}
