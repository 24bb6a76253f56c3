// SPDX-License-Identifier: MIT
#include "cases/scene_file/rigid_ipc.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/status.h"
#include "cases/scene/ground.h"
#include "cases/scene_file/json_node.h"
#include "cases/scene_file/rigid_ipc_ground.h"
#include "cases/scene_file/scene_file.h"
#include "geometry/files/mesh_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEFAULT_DENSITY_KG_M3 1000.0
/// Of all bodies: a small file may name one large mesh many times.
#define TRIANGLES_MAX         ((size_t)10000000)
#define NAME_BYTES_MAX        50

/// Features of a file that the scene cannot represent.
typedef enum omission {
  OMITTED_FORCE,
  OMITTED_PART_FIXED,
  OMITTED_KINEMATIC,
  OMITTED_GROUP,
  OMITTED_SPLIT,
  OMITTED_GRAVITY,
  OMITTED_COUNT
} omission;

static const char *const omissions[OMITTED_COUNT] = {
    [OMITTED_FORCE] = "forces and torques on bodies",
    [OMITTED_PART_FIXED] = "bodies that are fixed in some directions only: they are free",
    [OMITTED_KINEMATIC] = "the paths of kinematic bodies: they are fixed",
    [OMITTED_GROUP] = "groups whose bodies do not touch each other: they do",
    [OMITTED_SPLIT] = "meshes that are split into their components: each is one body",
    [OMITTED_GRAVITY] = "gravity other than along -y",
};

/// A mesh file that has been read; bodies may share one.
typedef struct mesh_entry {
  struct mesh_entry *next;
  const char *name;
  ts_open_mesh mesh;
} mesh_entry;

/// A body of the file.
typedef struct ipc_body {
  bool is_left_out, is_fixed, is_open;
  const char *name;
  const char *file;      ///< of its mesh; NULL when the body itself lists it
  ts_open_mesh mesh;     ///< in its own frame
  ts_vec3 translation_m; ///< of that frame
} ipc_body;

typedef struct reading {
  ts_arena *arena;
  ts_rigid_ipc *out;
  const char *folder;
  const char *meshes; ///< NULL when there is none
  ts_file_account files;
  size_t triangles_left;
  mesh_entry *entries;
  size_t body_count;
  ipc_body *bodies; ///< [body_count]
  bool omits[OMITTED_COUNT];
  const char *unknown_key; ///< the first one; NULL for none
} reading;

/// Finds the folder of the meshes.
static ts_status find_meshes(reading *r) {
  const char *set = getenv("TOUCHSTONE_MESHES");
  if (set && *set) {
    r->meshes = set;
    return TS_OK;
  }
  char *folder = realpath(r->folder, NULL);
  if (!folder)
    return TS_OK; // what opens the file there reports it
  for (;;) {
    struct stat info;
    char *meshes = ts_arena_format(r->arena, "%s/meshes", folder);
    if (!meshes)
      break;
    if (stat(meshes, &info) == 0 && S_ISDIR(info.st_mode))
      r->meshes = meshes;
    char *slash = strrchr(folder, '/');
    if (r->meshes || !slash || *folder == '\0')
      break;
    *slash = '\0';
  }
  free(folder);
  return TS_OK;
}

/// The path of a mesh file in one of the two folders.
static ts_status find_mesh(char **out, reading *r, const ts_node *node, const char *name) {
  ts_status status = ts_file_beneath(out, r->arena, r->folder, name);
  if (status == TS_OK || status == TS_E_MEMORY)
    return status;
  if (!r->meshes)
    return ts_node_fail(node,
                        "%s; and there is no folder \"meshes\" at %.200s or above: set "
                        "TOUCHSTONE_MESHES to that of rigid-ipc",
                        ts_status_detail(), r->folder);
  return ts_node_fail_detail(node, ts_file_beneath(out, r->arena, r->meshes, name));
}

static ts_status read_mesh_file(ts_open_mesh *out, reading *r, const ts_node *node,
                                const char *name) {
  for (const mesh_entry *e = r->entries; e; e = e->next)
    if (strcmp(e->name, name) == 0) {
      *out = e->mesh;
      return TS_OK;
    }
  char *path;
  TS_TRY(find_mesh(&path, r, node, name));
  mesh_entry *entry = ts_arena_alloc(r->arena, sizeof *entry);
  if (!entry)
    return TS_E_MEMORY;
  ts_triangles read;
  TS_TRY(ts_node_fail_detail(node, ts_mesh_file_read(&read, r->arena, &r->files, path, name)));
  entry->mesh = (ts_open_mesh){read.vertex_count, read.vertices, read.triangle_count,
                               (const uint32_t(*)[3])read.triangles};
  entry->name = name;
  entry->next = r->entries;
  r->entries = entry;
  *out = entry->mesh;
  return TS_OK;
}

/// A mesh in the file itself.
static ts_status read_inline(ts_open_mesh *out, reading *r, const ts_node *body) {
  ts_node vertices = ts_node_member(body, "vertices"), faces = ts_node_member(body, "faces");
  if (!vertices.value)
    return ts_node_fail(body, "has no mesh: give \"mesh\", or \"vertices\" and \"faces\"");
  ts_vec3 *points;
  TS_TRY(ts_node_vec3s(&points, &out->vertex_count, r->arena, &vertices, 1));
  if (!faces.value) // points or edges, which the caller refuses
    return TS_OK;
  TS_TRY(ts_node_array(&out->triangle_count, &faces));
  uint32_t(*corners)[3] = ts_arena_array(r->arena, out->triangle_count, sizeof *corners);
  if (!corners)
    return TS_E_MEMORY;
  for (size_t t = 0; t < out->triangle_count; t++) {
    ts_node face = ts_node_item(&faces, t);
    size_t count;
    TS_TRY(ts_node_array(&count, &face));
    if (count != 3)
      return ts_node_fail(&face, "has %zu corners; a face has 3", count);
    for (size_t i = 0; i < 3; i++) {
      ts_node corner = ts_node_item(&face, i);
      TS_TRY(ts_node_index(&corners[t][i], &corner, out->vertex_count));
    }
  }
  out->vertices = points;
  out->triangles = (const uint32_t(*)[3])corners;
  return TS_OK;
}

/// Three numbers, or what was in `out` where there are none.
static ts_status read_optional(ts_vec3 *out, const ts_node *body, const char *key) {
  ts_node node = ts_node_member(body, key);
  return node.value ? ts_node_vec3(out, &node) : TS_OK;
}

/// The factor of each axis: `dimensions` wins over `scale`, a flat axis stays as it is.
static ts_status read_scale(ts_vec3 *out, const ts_node *body, const ts_open_mesh *mesh) {
  ts_node dimensions = ts_node_member(body, "dimensions"), scale = ts_node_member(body, "scale");
  *out = ts_vec3_make(1, 1, 1);
  if (dimensions.value) {
    ts_aabb box = ts_aabb_empty();
    for (size_t v = 0; v < mesh->vertex_count; v++)
      box = ts_aabb_add(box, mesh->vertices[v]);
    ts_vec3 size = ts_vec3_sub(box.high, box.low), wanted;
    TS_TRY(ts_node_vec3(&wanted, &dimensions));
    *out = ts_vec3_make(wanted.x / (size.x > 0 ? size.x : 1), wanted.y / (size.y > 0 ? size.y : 1),
                        wanted.z / (size.z > 0 ? size.z : 1));
  } else if (json_is_number(scale.value)) {
    double factor;
    TS_TRY(ts_node_number(&factor, &scale));
    *out = ts_vec3_make(factor, factor, factor);
  } else if (scale.value) {
    TS_TRY(ts_node_vec3(out, &scale));
  }
  return TS_OK;
}

/// Sine and cosine of degrees, exact at right angles, so that what is turned by them stays aligned.
static void sin_cos_deg(double *out_sin, double *out_cos, double degrees) {
  static const double sines[4] = {0, 1, 0, -1};
  double turned = fmod(degrees, 360), quarters = turned / 90;
  if (quarters == rint(quarters)) {
    int q = ((int)quarters + 4) % 4;
    *out_sin = sines[q];
    *out_cos = sines[(q + 1) % 4];
    return;
  }
  *out_sin = sin(turned * (M_PI / 180));
  *out_cos = cos(turned * (M_PI / 180));
}

static void turn(double *first, double *second, double sine, double cosine) {
  double a = *first, b = *second;
  *first = cosine * a - sine * b;
  *second = sine * a + cosine * b;
}

/// Scales and turns the mesh about its own origin, as rigid-ipc does; mirrors it right side out.
static ts_status transform_mesh(ts_open_mesh *out, reading *r, const ts_open_mesh *mesh,
                                ts_vec3 scale, ts_vec3 degrees) {
  ts_vec3 *points = ts_arena_array(r->arena, mesh->vertex_count, sizeof *points);
  uint32_t(*corners)[3] = ts_arena_array(r->arena, mesh->triangle_count, sizeof *corners);
  if (!points || !corners)
    return TS_E_MEMORY;
  ts_vec3 s, c;
  sin_cos_deg(&s.x, &c.x, degrees.x);
  sin_cos_deg(&s.y, &c.y, degrees.y);
  sin_cos_deg(&s.z, &c.z, degrees.z);
  for (size_t v = 0; v < mesh->vertex_count; v++) {
    ts_vec3 p = mesh->vertices[v];
    p = ts_vec3_make(p.x * scale.x, p.y * scale.y, p.z * scale.z);
    turn(&p.y, &p.z, s.x, c.x);
    turn(&p.z, &p.x, s.y, c.y);
    turn(&p.x, &p.y, s.z, c.z);
    points[v] = p;
  }
  bool is_mirror = scale.x * scale.y * scale.z < 0;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    const uint32_t *from = mesh->triangles[t];
    memcpy(corners[t], (uint32_t[]){from[0], from[is_mirror ? 2 : 1], from[is_mirror ? 1 : 2]},
           sizeof corners[t]);
  }
  *out = (ts_open_mesh){mesh->vertex_count, points, mesh->triangle_count,
                        (const uint32_t(*)[3])corners};
  return TS_OK;
}

/// Whether the body is fixed: by its type, or in all its degrees of freedom.
static ts_status read_fixed(bool *out, reading *r, const ts_node *body) {
  ts_node type = ts_node_member(body, "type"), fixed = ts_node_member(body, "is_dof_fixed");
  *out = false;
  if (type.value) {
    const char *name;
    TS_TRY(ts_node_text(&name, r->arena, &type));
    bool is_kinematic = strcmp(name, "kinematic") == 0;
    if (!is_kinematic && strcmp(name, "static") != 0 && strcmp(name, "dynamic") != 0)
      return ts_node_fail(&type, "is \"%.40s\"; it is static, kinematic or dynamic", name);
    r->omits[OMITTED_KINEMATIC] |= is_kinematic;
    if (strcmp(name, "dynamic") != 0) {
      *out = true;
      return TS_OK;
    }
  }
  if (json_is_boolean(fixed.value) || !fixed.value)
    return fixed.value ? ts_node_bool(out, &fixed) : TS_OK;
  size_t count, fixed_count = 0;
  TS_TRY(ts_node_array(&count, &fixed));
  if (count < 6)
    return ts_node_fail(&fixed, "has %zu entries; a body in space has 6", count);
  for (size_t i = 0; i < 6; i++) {
    ts_node item = ts_node_item(&fixed, i);
    bool is_fixed;
    TS_TRY(ts_node_bool(&is_fixed, &item));
    fixed_count += is_fixed;
  }
  *out = fixed_count == 6;
  r->omits[OMITTED_PART_FIXED] |= fixed_count > 0 && fixed_count < 6;
  return TS_OK;
}

static bool is_zero(ts_vec3 v) {
  return v.x == 0 && v.y == 0 && v.z == 0;
}

/// Replaces what cannot be printed.
static void make_printable(char *text) {
  for (; text && *text; text++)
    if (*text < ' ' || *text > '~')
      *text = '_';
}

/// Records the features of a body that are not represented.
static ts_status note_omissions(reading *r, const ts_node *body) {
  static const char *const known[] = {"mesh",
                                      "vertices",
                                      "edges",
                                      "faces",
                                      "density",
                                      "is_dof_fixed",
                                      "oriented",
                                      "group_id",
                                      "position",
                                      "rotation",
                                      "scale",
                                      "dimensions",
                                      "linear_velocity",
                                      "angular_velocity",
                                      "force",
                                      "torque",
                                      "enabled",
                                      "type",
                                      "kinematic_max_time",
                                      "kinematic_poses",
                                      "split_components",
                                      NULL};
  ts_vec3 force = {0}, torque = {0};
  TS_TRY(read_optional(&force, body, "force"));
  TS_TRY(read_optional(&torque, body, "torque"));
  r->omits[OMITTED_FORCE] |= !is_zero(force) || !is_zero(torque);
  r->omits[OMITTED_SPLIT] |= json_is_true(json_object_get(body->value, "split_components"));
  r->omits[OMITTED_GROUP] |= json_number_value(json_object_get(body->value, "group_id")) >= 0 &&
                             json_object_get(body->value, "group_id") != NULL;
  for (void *i = json_object_iter((json_t *)(uintptr_t)body->value); i && !r->unknown_key;
       i = json_object_iter_next((json_t *)(uintptr_t)body->value, i)) {
    const char *key = json_object_iter_key(i);
    size_t k = 0;
    while (known[k] && strcmp(known[k], key) != 0)
      k++;
    if (!known[k]) {
      char *copy = ts_arena_string(r->arena, key);
      make_printable(copy);
      if (!(r->unknown_key = copy))
        return TS_E_MEMORY;
    }
  }
  return TS_OK;
}

/// The name of a file without folder and ending, up to `bytes`.
static char *stem_of(ts_arena *arena, const char *path, int bytes) {
  const char *slash = strrchr(path, '/');
  const char *stem = slash ? slash + 1 : path;
  const char *dot = strrchr(stem, '.');
  size_t length = dot ? (size_t)(dot - stem) : strlen(stem);
  return ts_arena_format(arena, "%.*s", length < (size_t)bytes ? (int)length : bytes, stem);
}

/// "cube_3": the mesh, and which body of the file it is.
static char *name_body(reading *r, const char *mesh_name, size_t index) {
  char *stem = stem_of(r->arena, mesh_name ? mesh_name : "body", NAME_BYTES_MAX);
  make_printable(stem);
  return stem ? ts_arena_format(r->arena, "%s_%zu", stem, index) : NULL;
}

/// A key for the case; the prefix distinguishes it from built-in cases of the same name.
static ts_status name_case(reading *r, const char *path) {
  char *stem = stem_of(r->arena, path, NAME_BYTES_MAX);
  for (char *c = stem; c && *c; c++)
    if (*c >= 'A' && *c <= 'Z')
      *c = (char)(*c - 'A' + 'a');
    else if (!((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9')))
      *c = '_';
  r->out->name = stem ? ts_arena_format(r->arena, "ipc_%s", stem) : NULL;
  return r->out->name ? TS_OK : TS_E_MEMORY;
}

/// Velocity of the local origin, from that of the centre of mass.
static ts_status read_twist(ts_twist *out, const ts_node *body, const ts_mesh *mesh) {
  ts_vec3 linear = {0}, degrees = {0};
  TS_TRY(read_optional(&linear, body, "linear_velocity"));
  TS_TRY(read_optional(&degrees, body, "angular_velocity"));
  ts_vec3 angular = ts_vec3_scale(degrees, M_PI / 180);
  ts_vec3 centre = ts_mesh_mass_properties(mesh, 1).centre_local;
  out->angular_rad_s = angular;
  out->linear_m_s = is_zero(angular) ? linear : ts_vec3_sub(linear, ts_vec3_cross(angular, centre));
  return TS_OK;
}

/// The same failure with the file of the mesh.
static ts_status fail_mesh(reading *r, const ts_node *node, const ipc_body *body,
                           ts_status status) {
  if (status != TS_E_INPUT || !body->file)
    return ts_node_fail_detail(node, status);
  char *why = ts_arena_string(r->arena, ts_status_detail());
  return why ? ts_node_fail(node, "%.200s: %s", body->file, why) : TS_E_MEMORY;
}

/// The middles of the boxes of all bodies that move, seen from a body.
static ts_status list_middles(ts_vec3 **out, size_t *out_count, const reading *r,
                              const ipc_body *from) {
  *out_count = 0;
  *out = ts_arena_array(r->arena, r->body_count, sizeof **out);
  for (size_t i = 0; *out && i < r->body_count; i++) {
    const ipc_body *body = &r->bodies[i];
    if (body->is_left_out || body->is_fixed)
      continue;
    ts_aabb box = ts_aabb_empty();
    for (size_t v = 0; v < body->mesh.vertex_count; v++)
      box = ts_aabb_add(box, body->mesh.vertices[v]);
    ts_vec3 middle = ts_vec3_scale(ts_vec3_add(box.low, box.high), 0.5);
    (*out)[(*out_count)++] =
        ts_vec3_add(middle, ts_vec3_sub(body->translation_m, from->translation_m));
  }
  return *out ? TS_OK : TS_E_MEMORY;
}

/// An open mesh of a body that is fixed is ground, solid on the side where no body is.
static ts_status add_ground(int32_t *out, reading *r, const ts_node *node, ipc_body *body) {
  ts_vec3 *middles;
  size_t count;
  bool is_divided;
  TS_TRY(list_middles(&middles, &count, r, body));
  TS_TRY(ts_rigid_ipc_face(&is_divided, &body->mesh, r->arena, middles, count));
  if (is_divided)
    return ts_node_fail(node,
                        "%.200s: the mesh is open, and bodies are on both of its sides; here it "
                        "would be solid behind one of them: give it a thickness, as a closed mesh",
                        body->file ? body->file : "its faces");
  return fail_mesh(r, node, body,
                   ts_scene_add_surface(out, r->out->scene, body->name, &body->mesh, 0));
}

static ts_status add_shape(int32_t *out, reading *r, const ts_node *node, ipc_body *body) {
  const ts_open_mesh *mesh = &body->mesh;
  if (body->is_open && body->is_fixed)
    return add_ground(out, r, node, body);
  ts_status status = ts_scene_add_shape(out, r->out->scene, body->name, mesh->vertices,
                                        mesh->vertex_count, mesh->triangles, mesh->triangle_count);
  if (status != TS_E_INPUT || !body->is_open)
    return fail_mesh(r, node, body, status);
  char *why = ts_arena_string(r->arena, ts_status_detail());
  return why ? fail_mesh(r, node, body,
                         ts_fail(TS_E_INPUT, "%s; or fix the body, which makes it ground", why))
             : TS_E_MEMORY;
}

static ts_status add_body(reading *r, const ts_node *node, ipc_body *body) {
  ts_scene *scene = r->out->scene;
  int32_t shape, index;
  ts_pose pose = {ts_quat_identity(), body->translation_m};
  TS_TRY(add_shape(&shape, r, node, body));
  TS_TRY(ts_scene_add_body(&index, scene, body->name, shape, pose, body->is_fixed));
  ts_body *added = &scene->bodies[index];
  if (!body->is_fixed)
    TS_TRY(read_twist(&added->twist, node, scene->shapes[shape].mesh));
  ts_node density = ts_node_member(node, "density");
  added->density_kg_m3 = DEFAULT_DENSITY_KG_M3;
  if (density.value)
    TS_TRY(ts_node_number(&added->density_kg_m3, &density));
  if (body->is_fixed && added->density_kg_m3 == 0)
    added->density_kg_m3 = DEFAULT_DENSITY_KG_M3; // 0: it has no effect
  if (!(added->density_kg_m3 > 0))
    return ts_node_fail(&density, "is %g kg/m3; give one above 0", added->density_kg_m3);
  return TS_OK;
}

/// The mesh of a body, from a file or in the scene itself.
static ts_status read_mesh(ipc_body *out, reading *r, const ts_node *node) {
  ts_node mesh_node = ts_node_member(node, "mesh");
  if (mesh_node.value)
    TS_TRY(ts_node_text(&out->file, r->arena, &mesh_node));
  if (out->file && *out->file == '\0')
    out->file = NULL;
  ts_open_mesh mesh = {0};
  TS_TRY(out->file ? read_mesh_file(&mesh, r, &mesh_node, out->file) : read_inline(&mesh, r, node));
  if (mesh.triangle_count == 0)
    return ts_node_fail(node,
                        "%.200s%shas no triangle: points and edges have no surface that could "
                        "touch; give the body triangles",
                        out->file ? out->file : "", out->file ? " " : "");
  if (mesh.triangle_count > r->triangles_left)
    return ts_node_fail(node, "the bodies have more than %zu triangles: leave some out",
                        TRIANGLES_MAX);
  r->triangles_left -= mesh.triangle_count;
  ts_vec3 scale, degrees = {0};
  TS_TRY(read_scale(&scale, node, &mesh));
  TS_TRY(read_optional(&degrees, node, "rotation"));
  TS_TRY(transform_mesh(&out->mesh, r, &mesh, scale, degrees));
  return fail_mesh(r, node, out, ts_rigid_ipc_close(&out->is_open, &out->mesh, r->arena));
}

static ts_status read_body(ipc_body *out, reading *r, const ts_node *node, size_t index) {
  ts_node enabled = ts_node_member(node, "enabled");
  bool is_enabled = true;
  if (!json_is_object(node->value))
    return ts_node_fail(node, "is not an object");
  if (enabled.value)
    TS_TRY(ts_node_bool(&is_enabled, &enabled));
  out->is_left_out = !is_enabled;
  if (!is_enabled)
    return TS_OK;
  TS_TRY(read_mesh(out, r, node));
  TS_TRY(read_optional(&out->translation_m, node, "position"));
  TS_TRY(read_fixed(&out->is_fixed, r, node));
  TS_TRY(note_omissions(r, node));
  out->name = name_body(r, out->file, index);
  return out->name ? TS_OK : TS_E_MEMORY;
}

/// Lists the omitted features as text.
static ts_status report_omissions(reading *r) {
  const char *text = "";
  for (int i = 0; i < OMITTED_COUNT && text; i++)
    if (r->omits[i])
      text = ts_arena_format(r->arena, "%s%s%s", text, *text ? "; " : "", omissions[i]);
  if (r->unknown_key && text)
    text = ts_arena_format(r->arena, "%s%swhat \"%.60s\" says, a key that is not known", text,
                           *text ? "; " : "", r->unknown_key);
  r->out->not_modelled = text;
  return text ? TS_OK : TS_E_MEMORY;
}

static ts_status read_all(reading *r, const ts_node *root) {
  ts_node problem = ts_node_member(root, TS_RIGID_IPC_KEY);
  ts_node bodies = ts_node_member(&problem, "rigid_bodies");
  ts_vec3 gravity = {0};
  size_t count;
  if (!json_is_object(problem.value))
    return ts_node_fail(&problem, "is not an object: give a scene of rigid-ipc");
  TS_TRY(ts_node_array(&count, &bodies));
  TS_TRY(read_optional(&gravity, &problem, "gravity"));
  r->omits[OMITTED_GRAVITY] = !(gravity.x == 0 && gravity.z == 0 && gravity.y <= 0);
  TS_TRY(find_meshes(r));
  r->body_count = count;
  r->bodies = ts_arena_array(r->arena, count, sizeof *r->bodies);
  if (!r->bodies)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    ts_node body = ts_node_item(&bodies, i);
    TS_TRY(read_body(&r->bodies[i], r, &body, i));
  }
  // Where ground is solid depends on where all bodies are.
  for (size_t i = 0; i < count; i++) {
    ts_node body = ts_node_item(&bodies, i);
    if (!r->bodies[i].is_left_out)
      TS_TRY(add_body(r, &body, &r->bodies[i]));
  }
  if (r->out->scene->body_count == 0)
    return ts_node_fail(&bodies, "has no body that is enabled");
  TS_TRY(ts_node_fail_detail(&bodies, ts_scene_fit_ground(r->out->scene)));
  return report_omissions(r);
}

ts_status ts_rigid_ipc_read(ts_rigid_ipc *out, ts_arena *arena, const char *path) {
  *out = (ts_rigid_ipc){.not_modelled = ""};
  reading r = {.arena = arena,
               .out = out,
               .folder = ts_file_folder(arena, path),
               .files = {.bytes_left = TS_SCENE_MESH_BYTES_MAX},
               .triangles_left = TRIANGLES_MAX};
  char *text;
  size_t count;
  json_t *json;
  if (!r.folder)
    return TS_E_MEMORY;
  TS_TRY(name_case(&r, path));
  TS_TRY(ts_scene_create(&out->scene, arena));
  out->scene->truth_is_unknown = true;
  TS_TRY(ts_file_read(&text, &count, arena, path, TS_SCENE_FILE_BYTES_MAX));
  r.files.hash = ts_hash_bytes(TS_HASH_START, text, count);
  TS_TRY(ts_node_parse(&json, path, text, count));
  ts_node root = {.value = json, .key = path};
  ts_status status = read_all(&r, &root);
  out->hash = r.files.hash;
  json_decref(json);
  return status;
}
