// SPDX-License-Identifier: MIT
#include "cases/scene/ground.h"

#include "base/array.h"
#include "base/geometry_kind.h"
#include "base/status.h"
#include "geometry/mesh/hull.h"
#include "geometry/tolerances.h"

#include <math.h>
#include <string.h>

// Of the size of the scene, and of its own thickness: how far a plane reaches beyond its bodies, so
// that none slides off it, and none has its shortest way out past its border.
static const double plane_margin = 10, plane_margin_deep = 2;

// Of the largest extent of a body that moves, and of how far the lowest is below the highest point
// of the ground: the thickness of a sheet. The way down out of it is longer than the way up then.
static const double sheet_margin = 2;

// ---- descriptions -------------------------------------------------------------------------------

static ts_status check_length(const char *what, double length_m) {
  if (isfinite(length_m) && length_m >= 0)
    return TS_OK;
  return ts_fail(TS_E_INPUT, "%s of ground is %g m; give a number above 0", what, length_m);
}

/// A shape without a mesh yet.
static ts_status add_ground(int32_t *out, ts_scene *scene, const char *name,
                            const ts_geometry *geometry, const ts_ground *ground) {
  TS_TRY(check_length("the thickness", ground->wanted_m));
  TS_TRY(check_length("the extent", ground->extent_m));
  if (geometry->surface)
    TS_TRY(
        ts_scene_check_room(scene, TS_GROUND_TRIANGLES_EACH * geometry->surface->triangle_count));
  if (scene->shape_count >= INT32_MAX)
    return ts_fail(TS_E_INPUT, "a scene cannot hold more than %d shapes", INT32_MAX);
  TS_TRY(TS_ARENA_GROW(scene->shapes, scene->shape_capacity, scene->shape_count, 1, scene->arena));
  char *copy = ts_arena_string(scene->arena, name);
  if (!copy)
    return TS_E_MEMORY;
  *out = (int32_t)scene->shape_count;
  scene->shapes[scene->shape_count++] =
      (ts_shape){.name = copy, .geometry = *geometry, .ground = *ground};
  return TS_OK;
}

ts_status ts_scene_add_plane(int32_t *out, ts_scene *scene, const char *name, double extent_m,
                             double thickness_m) {
  const ts_geometry geometry = {.kind = TS_GEOMETRY_PLANE};
  const ts_ground ground = {.extent_m = extent_m, .wanted_m = thickness_m};
  return add_ground(out, scene, name, &geometry, &ground);
}

ts_status ts_scene_add_surface(int32_t *out, ts_scene *scene, const char *name,
                               const ts_open_mesh *surface, double thickness_m) {
  if (surface->triangle_count > TS_GROUND_TRIANGLES_MAX)
    return ts_fail(
        TS_E_INPUT,
        "the surface has %zu triangles; ground may have %zu: simplify it, or cut it into "
        "several bodies",
        surface->triangle_count, TS_GROUND_TRIANGLES_MAX);
  ts_open_mesh *clean = ts_arena_alloc(scene->arena, sizeof *clean);
  if (!clean)
    return TS_E_MEMORY;
  ts_ground ground = {.wanted_m = thickness_m};
  TS_TRY(ts_open_mesh_clean(clean, &ground.dropped, scene->arena, surface));
  const ts_geometry geometry = {.kind = TS_GEOMETRY_SURFACE, .surface = clean};
  return add_ground(out, scene, name, &geometry, &ground);
}

static ts_status check_heightfield(const ts_heightfield *field) {
  size_t rows = field->row_count, columns = field->column_count;
  if (rows < 2 || columns < 2)
    return ts_fail(TS_E_INPUT,
                   "a height field of %zu x %zu heights; give two rows and two columns "
                   "at least",
                   rows, columns);
  if (rows > TS_GROUND_HEIGHTS_MAX / columns)
    return ts_fail(TS_E_INPUT,
                   "a height field of %zu x %zu heights; ground may have %zu: leave out some, or "
                   "cut it into several bodies",
                   rows, columns, TS_GROUND_HEIGHTS_MAX);
  for (size_t i = 0; i < rows * columns; i++)
    if (!isfinite(field->heights_m[i]))
      return ts_fail(TS_E_INPUT, "height %zu of row %zu is %g: every height must be finite",
                     i % columns, i / columns, field->heights_m[i]);
  const double spacings[] = {field->spacing_x_m, field->spacing_z_m};
  for (int i = 0; i < 2; i++)
    if (!isfinite(spacings[i]) || !(spacings[i] > 0))
      return ts_fail(TS_E_INPUT,
                     "the heights of a field are %g m apart along %c; give a number "
                     "above 0",
                     spacings[i], i ? 'z' : 'x');
  return TS_OK;
}

/// The triangles of a height field, as ts_heightfield states.
static ts_status cut_heightfield(const ts_open_mesh **out, ts_arena *arena,
                                 const ts_heightfield *field) {
  size_t rows = field->row_count, columns = field->column_count, count = 0;
  ts_vec3 *vertices = ts_arena_array(arena, rows * columns, sizeof *vertices);
  uint32_t(*triangles)[3] =
      ts_arena_array(arena, 2 * (rows - 1) * (columns - 1), sizeof *triangles);
  ts_open_mesh *mesh = ts_arena_alloc(arena, sizeof *mesh);
  if (!vertices || !triangles || !mesh)
    return TS_E_MEMORY;
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < columns; c++)
      vertices[r * columns + c] =
          ts_vec3_make(((double)c - 0.5 * (double)(columns - 1)) * field->spacing_x_m,
                       field->heights_m[r * columns + c],
                       ((double)r - 0.5 * (double)(rows - 1)) * field->spacing_z_m);
  for (size_t r = 0; r + 1 < rows; r++)
    for (size_t c = 0; c + 1 < columns; c++) {
      uint32_t near = (uint32_t)(r * columns + c), far = near + (uint32_t)columns;
      memcpy(triangles[count++], (const uint32_t[3]){near, far, far + 1}, sizeof *triangles);
      memcpy(triangles[count++], (const uint32_t[3]){near, far + 1, near + 1}, sizeof *triangles);
    }
  *mesh = (ts_open_mesh){rows * columns, vertices, count, (const uint32_t(*)[3])triangles};
  *out = mesh;
  return TS_OK;
}

ts_status ts_scene_add_heightfield(int32_t *out, ts_scene *scene, const char *name,
                                   const ts_heightfield *field, double thickness_m) {
  TS_TRY(check_heightfield(field));
  size_t count = field->row_count * field->column_count;
  ts_heightfield *copy = ts_arena_copy(scene->arena, field, 1, sizeof *copy);
  double *heights = ts_arena_copy(scene->arena, field->heights_m, count, sizeof *heights);
  if (!copy || !heights)
    return TS_E_MEMORY;
  copy->heights_m = heights;
  ts_geometry geometry = {.kind = TS_GEOMETRY_HEIGHTFIELD, .heightfield = copy};
  TS_TRY(cut_heightfield(&geometry.surface, scene->arena, copy));
  return add_ground(out, scene, name, &geometry, &(ts_ground){.wanted_m = thickness_m});
}

// ---- meshes -------------------------------------------------------------------------------------

static ts_status make_plane(ts_shape *shape, ts_arena *arena) {
  double half_m = 0.5 * shape->ground.extent_m, thickness_m = shape->ground.wanted_m;
  ts_vec3 corners[8];
  for (unsigned i = 0; i < 8; i++)
    corners[i] =
        ts_vec3_make(i & 1 ? half_m : -half_m, i & 2 ? 0 : -thickness_m, i & 4 ? half_m : -half_m);
  ts_hull hull;
  ts_mesh *mesh;
  TS_TRY(ts_hull_of_points(&hull, arena, corners, 8));
  TS_TRY(ts_mesh_create(&mesh, arena, hull.vertices, hull.vertex_count,
                        (const uint32_t(*)[3])hull.triangles, hull.triangle_count));
  shape->mesh = mesh;
  shape->ground.sheet = (ts_sheet){TS_SHEET_CLOSED, {0, 1, 0}, thickness_m};
  return TS_OK;
}

static ts_vec3 up_of(const ts_geometry *geometry) {
  ts_vec3 up = {0, 1, 0};
  if (geometry->kind == TS_GEOMETRY_SURFACE)
    (void)ts_open_mesh_up(&up, geometry->surface);
  return up;
}

static ts_status make_sheet(ts_shape *shape, ts_arena *arena) {
  const ts_open_mesh *surface = shape->geometry.surface;
  ts_sheet *sheet = &shape->ground.sheet;
  *sheet = (ts_sheet){.up_local = up_of(&shape->geometry), .thickness_m = shape->ground.wanted_m};
  // A height field never lies behind itself.
  bool may_be_layered = shape->geometry.kind == TS_GEOMETRY_SURFACE;
  double layer_m = TS_SHEET_LAYER_RELATIVE * shape->ground.body_m;
  ts_mesh *mesh;
  TS_TRY(
      ts_sheet_create(&mesh, sheet, arena, surface, may_be_layered ? layer_m : (double)INFINITY));
  shape->mesh = mesh;
  size_t count = sheet->form == TS_SHEET_CLOSED ? 0 : surface->triangle_count;
  shape->pieces = ts_arena_array(arena, count, sizeof *shape->pieces);
  if (!shape->pieces)
    return TS_E_MEMORY;
  shape->piece_count = count;
  for (size_t t = 0; t < count; t++) {
    ts_mesh *piece;
    TS_TRY(ts_sheet_prism(&piece, arena, sheet, surface, t));
    shape->pieces[t] = piece;
  }
  return TS_OK;
}

/// Lengths that were chosen for bodies far away, or given.
static ts_status check_sizes(const ts_ground *ground) {
  double extent_m = ground->extent_m, thickness_m = ground->wanted_m;
  if (!isfinite(extent_m) || !isfinite(thickness_m))
    return ts_fail(TS_E_INPUT,
                   "it, or what is above it, is too large for numbers: scale the scene");
  if (extent_m > 0 && !(thickness_m >= TS_GROUND_FLAT_RELATIVE * extent_m))
    return ts_fail(TS_E_INPUT,
                   "it is %g m large and %g m thick, too thin for a body: give it an "
                   "extent or a thickness",
                   extent_m, thickness_m);
  return TS_OK;
}

static ts_status make_meshes(ts_shape *shape, ts_arena *arena) {
  TS_TRY(check_sizes(&shape->ground));
  TS_TRY(shape->geometry.kind == TS_GEOMETRY_PLANE ? make_plane(shape, arena)
                                                   : make_sheet(shape, arena));
  shape->bounds_local = ts_mesh_bounds(shape->mesh);
  return TS_OK;
}

// ---- sizes --------------------------------------------------------------------------------------

/// What the bodies of a scene ask of the ground below them.
typedef struct reach {
  double largest_m; ///< extent of a body that moves
  double size_m;    ///< of all bodies that are not ground
  double lowest_m;  ///< the lowest point of those that move along the ground's up, in its frame
  double away_m;    ///< the farthest that one is from the ground's axis
} reach;

static void add_body(reach *r, ts_aabb *all, const ts_scene *scene, const ts_body *body,
                     ts_pose ground, ts_vec3 up) {
  ts_aabb box = scene->shapes[body->shape].bounds_local;
  ts_pose to_ground = ts_pose_relative(ground, body->pose);
  if (!body->is_fixed)
    r->largest_m = fmax(r->largest_m, ts_aabb_extent(box));
  for (unsigned i = 0; i < 8; i++) {
    ts_vec3 corner = {i & 1 ? box.high.x : box.low.x, i & 2 ? box.high.y : box.low.y,
                      i & 4 ? box.high.z : box.low.z};
    ts_vec3 at = ts_pose_point(to_ground, corner);
    *all = ts_aabb_add(*all, at);
    r->away_m = fmax(r->away_m, fmax(fabs(at.x), fabs(at.z)));
    if (!body->is_fixed)
      r->lowest_m = fmin(r->lowest_m, ts_vec3_dot(at, up));
  }
}

static reach reach_of(const ts_scene *scene, int32_t shape, ts_vec3 up) {
  reach out = {.lowest_m = INFINITY};
  for (size_t g = 0; g < scene->body_count; g++) {
    if (scene->bodies[g].shape != shape)
      continue;
    ts_aabb all = ts_aabb_empty();
    for (size_t i = 0; i < scene->body_count; i++)
      if (!ts_shape_is_ground(&scene->shapes[scene->bodies[i].shape]))
        add_body(&out, &all, scene, &scene->bodies[i], scene->bodies[g].pose, up);
    out.size_m = fmax(out.size_m, ts_aabb_extent(all));
  }
  return out;
}

/// Fits one shape, whose bodies have no say in it where there are none.
static ts_status fit(ts_scene *scene, int32_t index) {
  ts_shape *shape = &scene->shapes[index];
  ts_ground *ground = &shape->ground;
  ts_vec3 up = up_of(&shape->geometry);
  reach r = reach_of(scene, index, up);
  ground->body_m = r.largest_m > 0 ? r.largest_m : scene->scale;
  const ts_open_mesh *surface = shape->geometry.surface;
  double top_m = surface ? ts_open_mesh_top(surface, up) : 0;
  if (ground->wanted_m == 0)
    ground->wanted_m = sheet_margin * (ground->body_m + fmax(0, top_m - r.lowest_m));
  if (ground->extent_m == 0 && shape->geometry.kind == TS_GEOMETRY_PLANE)
    ground->extent_m = 2 * (r.away_m + fmax(plane_margin * fmax(r.size_m, ground->body_m),
                                            plane_margin_deep * ground->wanted_m));
  return make_meshes(shape, scene->arena);
}

ts_status ts_scene_fit_ground(ts_scene *scene) {
  for (size_t i = 0; i < scene->shape_count; i++)
    if (ts_shape_is_ground(&scene->shapes[i])) {
      ts_status status = fit(scene, (int32_t)i);
      if (status == TS_E_INPUT) {
        char *why = ts_arena_string(scene->arena, ts_status_detail());
        return why ? ts_fail(status, "the ground \"%.60s\": %s", scene->shapes[i].name, why)
                   : TS_E_MEMORY;
      }
      TS_TRY(status);
    }
  return TS_OK;
}

static ts_status scale_heightfield(ts_geometry *geometry, ts_arena *arena, double scale) {
  const ts_heightfield *before = geometry->heightfield;
  size_t count = before->row_count * before->column_count;
  ts_heightfield *field = ts_arena_copy(arena, before, 1, sizeof *field);
  double *heights = ts_arena_array(arena, count, sizeof *heights);
  if (!field || !heights)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    heights[i] = before->heights_m[i] * scale;
  field->heights_m = heights;
  field->spacing_x_m *= scale;
  field->spacing_z_m *= scale;
  geometry->heightfield = field;
  return cut_heightfield(&geometry->surface, arena, field);
}

static ts_status scale_surface(ts_geometry *geometry, ts_arena *arena, double scale) {
  ts_open_mesh *surface = ts_arena_copy(arena, geometry->surface, 1, sizeof *surface);
  ts_vec3 *vertices = ts_arena_array(arena, geometry->surface->vertex_count, sizeof *vertices);
  if (!surface || !vertices)
    return TS_E_MEMORY;
  for (size_t v = 0; v < surface->vertex_count; v++)
    vertices[v] = ts_vec3_scale(geometry->surface->vertices[v], scale);
  surface->vertices = vertices;
  geometry->surface = surface;
  return TS_OK;
}

ts_status ts_ground_scale(ts_shape *shape, ts_arena *arena, double scale) {
  shape->ground.extent_m *= scale;
  shape->ground.wanted_m *= scale;
  shape->ground.body_m *= scale;
  if (shape->geometry.kind == TS_GEOMETRY_HEIGHTFIELD)
    TS_TRY(scale_heightfield(&shape->geometry, arena, scale));
  if (shape->geometry.kind == TS_GEOMETRY_SURFACE)
    TS_TRY(scale_surface(&shape->geometry, arena, scale));
  return make_meshes(shape, arena);
}
