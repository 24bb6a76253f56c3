// SPDX-License-Identifier: MIT
/// The text of a model of MuJoCo with two bodies, and its geoms for the kinds of geometry that it
/// has. Its axis is z.
#ifndef TS_METHODS_MUJOCO_MODEL_H
#define TS_METHODS_MUJOCO_MODEL_H

#include "methods/engines/engine_shapes.h"
#include "methods/method.h"

#include <mujoco/mujoco.h>
#include <stdarg.h>

#define MUJOCO_TAKES                                                                               \
  (ENGINE_TAKES_ROUND | TS_TAKES(TS_GEOMETRY_BOX) | TS_TAKES(TS_GEOMETRY_PLANE) |                  \
   TS_TAKES(TS_GEOMETRY_HEIGHTFIELD))

/// The text of a model under construction.
typedef struct mujoco_text {
  char *text;
  size_t size, used;
} mujoco_text;

/// Maximum lengths of three numbers of 17 digits, of three indices, and of all that is not a list.
#define VECTOR_TEXT   ((size_t)3 * 25)
#define TRIANGLE_TEXT ((size_t)3 * 11)
#define OTHER_TEXT    ((size_t)4096)

static ts_status mujoco_text_begin(mujoco_text *out, const ts_host *host, const ts_pair *pair) {
  const ts_mesh *a = pair->mesh_a, *b = pair->mesh_b;
  out->used = 0;
  out->size = VECTOR_TEXT * (a->vertex_count + b->vertex_count) +
              TRIANGLE_TEXT * (a->triangle_count + b->triangle_count) + OTHER_TEXT;
  if (out->size > INT32_MAX)
    return host->fail(host, TS_E_UNSUPPORTED, "the meshes are too large for a model of MuJoCo");
  out->text = host->scratch(host, out->size);
  return out->text ? TS_OK : TS_E_MEMORY;
}

__attribute__((format(printf, 2, 3))) static void mujoco_add(mujoco_text *out, const char *format,
                                                             ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(out->text + out->used, out->size - out->used, format, arguments);
  va_end(arguments);
  out->used += (size_t)length;
}

static void mujoco_add_mesh(mujoco_text *out, const char *name, const ts_mesh *mesh) {
  mujoco_add(out, "<mesh name='%s' vertex='", name);
  for (size_t i = 0; i < mesh->vertex_count; i++)
    mujoco_add(out, " %.17g %.17g %.17g", mesh->vertices[i].x, mesh->vertices[i].y,
               mesh->vertices[i].z);
  mujoco_add(out, "' face='");
  for (size_t i = 0; i < mesh->triangle_count; i++) {
    const uint32_t *t = mesh->triangles[i];
    mujoco_add(out, " %u %u %u", t[0], t[1], t[2]);
  }
  mujoco_add(out, "'/>\n");
}

/// Lowest height of a field, and how far the highest is above it; 1 m where it is flat, since
/// MuJoCo wants that above 0.
static void mujoco_height_range(double *out_low_m, double *out_range_m,
                                const ts_heightfield *field) {
  double low_m = field->heights_m[0], high_m = low_m;
  for (size_t i = 1; i < field->row_count * field->column_count; i++) {
    low_m = fmin(low_m, field->heights_m[i]);
    high_m = fmax(high_m, field->heights_m[i]);
  }
  *out_low_m = low_m;
  *out_range_m = high_m > low_m ? high_m - low_m : 1;
}

/// Turned, the rows of MuJoCo's field are our columns: its x is our z, and its y our x. As deep as
/// it is long: all of a body below the surface is in it.
static void mujoco_add_heightfield(mujoco_text *out, const char *name,
                                   const ts_heightfield *field) {
  double low_m, range_m;
  mujoco_height_range(&low_m, &range_m, field);
  double half_x_m = 0.5 * (double)(field->row_count - 1) * field->spacing_z_m;
  double half_y_m = 0.5 * (double)(field->column_count - 1) * field->spacing_x_m;
  mujoco_add(out, "<hfield name='%s' nrow='%zu' ncol='%zu' size='%.17g %.17g %.17g %.17g'/>\n",
             name, field->column_count, field->row_count, half_x_m, half_y_m, range_m,
             half_x_m + half_y_m);
}

static void mujoco_add_asset(mujoco_text *out, const char *name, const ts_mesh *mesh) {
  int32_t kind = engine_kind(mesh);
  if (kind == TS_GEOMETRY_MESH)
    mujoco_add_mesh(out, name, mesh);
  else if (kind == TS_GEOMETRY_HEIGHTFIELD)
    mujoco_add_heightfield(out, name, mesh->geometry->heightfield);
}

/// MuJoCo holds heights as floats from 0 to 1, between the lowest and the highest.
static void mujoco_set_heights(mjModel *model, const ts_mesh *mesh_a, const ts_mesh *mesh_b) {
  const ts_mesh *const meshes[2] = {mesh_a, mesh_b};
  for (int i = 0, next = 0; i < 2; i++) {
    if (engine_kind(meshes[i]) != TS_GEOMETRY_HEIGHTFIELD)
      continue;
    const ts_heightfield *field = meshes[i]->geometry->heightfield;
    double low_m, range_m;
    mujoco_height_range(&low_m, &range_m, field);
    float *data = model->hfield_data + model->hfield_adr[next++];
    for (size_t row = 0; row < field->row_count; row++)
      for (size_t column = 0; column < field->column_count; column++)
        data[column * field->row_count + row] =
            (float)((field->heights_m[row * field->column_count + column] - low_m) / range_m);
  }
}

static void mujoco_add_geom(mujoco_text *out, const char *name, const ts_mesh *mesh) {
  static const char *const words[TS_GEOMETRY_KIND_COUNT] = {
      [TS_GEOMETRY_SPHERE] = "sphere",     [TS_GEOMETRY_CAPSULE] = "capsule",
      [TS_GEOMETRY_CYLINDER] = "cylinder", [TS_GEOMETRY_BOX] = "box",
      [TS_GEOMETRY_PLANE] = "plane",       [TS_GEOMETRY_HEIGHTFIELD] = "hfield"};
  const ts_geometry *g = mesh->geometry;
  if (!g) {
    mujoco_add(out, "<geom type='mesh' mesh='%s'", name);
    return;
  }
  mujoco_add(out, "<geom type='%s'", words[g->kind]);
  if (g->kind == TS_GEOMETRY_BOX) {
    mujoco_add(out, " size='%.17g %.17g %.17g'", g->half_size_m.x, g->half_size_m.y,
               g->half_size_m.z);
    return;
  }
  const ts_quat turn = engine_turn_of_z();
  mujoco_add(out, " quat='%g %g %g %g'", turn.w, turn.x, turn.y, turn.z);
  if (g->heightfield) {
    double low_m, range_m;
    mujoco_height_range(&low_m, &range_m, g->heightfield);
    mujoco_add(out, " hfield='%s' pos='0 %.17g 0'", name, low_m);
  } else if (g->kind == TS_GEOMETRY_PLANE) {
    mujoco_add(out, " size='1 1 1'"); // for pictures: it has no end
  } else {
    mujoco_add(out, " size='%.17g %.17g'", g->radius_m, g->half_length_m);
  }
}

/// A body with an explicit mass, not that of its geom. MuJoCo takes ground on what does not move
/// only; on a fixed body, rather than in the world, MuJoCo finds each contact of a plane twice.
static void mujoco_add_body(mujoco_text *out, const char *name, const ts_mesh *mesh,
                            double margin_m) {
  bool is_ground = engine_kind(mesh) >= TS_GEOMETRY_PLANE;
  if (!is_ground)
    mujoco_add(out, "<body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>");
  mujoco_add_geom(out, name, mesh);
  mujoco_add(out, " name='%s' margin='%.17g'/>%s\n", name, margin_m, is_ground ? "" : "</body>");
}

#endif
