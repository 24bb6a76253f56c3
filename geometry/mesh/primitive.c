// SPDX-License-Identifier: MIT
#include "geometry/mesh/primitive.h"

#include "base/status.h"
#include "geometry/tolerances.h"
#include "geometry/vec3.h"

#include <math.h>

#define PI 3.14159265358979323846

static ts_status check_length(const ts_geometry *g, const char *name, double length_m) {
  if (isfinite(length_m) && length_m > 0)
    return TS_OK;
  return ts_fail(TS_E_INPUT, "a %s has %s %g; give a number above 0", ts_geometry_words[g->kind],
                 name, length_m);
}

static ts_status check_lengths(const ts_geometry *g, double error_m) {
  if (g->kind == TS_GEOMETRY_BOX) {
    TS_TRY(check_length(g, "size x", 2 * g->half_size_m.x));
    TS_TRY(check_length(g, "size y", 2 * g->half_size_m.y));
    return check_length(g, "size z", 2 * g->half_size_m.z);
  }
  TS_TRY(check_length(g, "radius", g->radius_m));
  if (g->kind != TS_GEOMETRY_SPHERE)
    TS_TRY(check_length(g, "length", 2 * g->half_length_m));
  if (!(error_m >= TS_TESSELLATION_RELATIVE_MIN * g->radius_m))
    return ts_fail(TS_E_INPUT,
                   "a %s of radius %g m has a mesh with an error of %g m; give %g m or more",
                   ts_geometry_words[g->kind], g->radius_m, error_m,
                   TS_TESSELLATION_RELATIVE_MIN * g->radius_m);
  return TS_OK;
}

/// Vertex `k` of an icosahedron around the origin, not unit.
static ts_vec3 icosahedron(int k) {
  const double golden = 0.5 * (1 + sqrt(5.0)); // rectangles of these sides in the three planes
  double one = k & 1 ? -1 : 1, other = k & 2 ? -golden : golden;
  return k < 4   ? ts_vec3_make(0, one, other)
         : k < 8 ? ts_vec3_make(one, other, 0)
                 : ts_vec3_make(other, 0, one);
}

/// Corners of the faces: all triples of vertices that are an edge's length, 2, apart.
static bool is_icosahedron_face(int a, int b, int c) {
  ts_vec3 p = icosahedron(a), q = icosahedron(b), r = icosahedron(c);
  const double longer = 2.5; // than an edge, and shorter than any diagonal
  return ts_vec3_distance(p, q) < longer && ts_vec3_distance(q, r) < longer &&
         ts_vec3_distance(r, p) < longer;
}

/// Node (i, j) of a triangle whose edges are divided into `parts`, on the unit sphere.
static ts_vec3 node_of(const ts_vec3 corners[3], int i, int j, int parts) {
  ts_vec3 sum = ts_vec3_scale(corners[0], parts - i - j);
  sum = ts_vec3_add_scaled(sum, i, corners[1]);
  return ts_vec3_unit(ts_vec3_add_scaled(sum, j, corners[2]));
}

/// By how much the corners of a mesh stand out of a sphere of radius 1 that all its faces are
/// outside of.
static double stand_out(double lowest_face) {
  return 1 / lowest_face - 1;
}

/// Distance of the plane of three points from the origin.
static double plane_distance(ts_vec3 a, ts_vec3 b, ts_vec3 c) {
  ts_vec3 normal = ts_vec3_unit(ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a)));
  return fabs(ts_vec3_dot(normal, a));
}

/// Into how many parts the edges of an icosahedron are divided so that corners stand out by no more
/// than `error` of the radius.
static int count_parts(double error) {
  const ts_vec3 corners[3] = {icosahedron(0), icosahedron(1), icosahedron(8)};
  for (int parts = 1;; parts++) {
    double lowest = 1;
    for (int i = 0; i < parts; i++)
      for (int j = 0; i + j < parts; j++) {
        ts_vec3 a = node_of(corners, i, j, parts), b = node_of(corners, i + 1, j, parts);
        ts_vec3 c = node_of(corners, i, j + 1, parts);
        lowest = fmin(lowest, plane_distance(a, b, c));
        if (i + j + 1 < parts) // the triangle on the other side of b and c
          lowest = fmin(lowest, plane_distance(b, node_of(corners, i + 1, j + 1, parts), c));
      }
    if (stand_out(lowest) <= error * (1 + TS_TOUCH_RELATIVE))
      return parts;
  }
}

/// The nodes of a divided icosahedron on the unit sphere; those on edges of its faces are there
/// once for each face.
static ts_status unit_nodes(ts_vec3 **out, size_t *out_count, ts_arena *arena, int parts) {
  size_t per_face = (size_t)(parts + 1) * (size_t)(parts + 2) / 2, count = 0;
  ts_vec3 *nodes = ts_arena_array(arena, 20 * per_face, sizeof *nodes);
  if (!nodes)
    return TS_E_MEMORY;
  for (int a = 0; a < 12; a++)
    for (int b = a + 1; b < 12; b++)
      for (int c = b + 1; c < 12; c++) {
        if (!is_icosahedron_face(a, b, c))
          continue;
        const ts_vec3 corners[3] = {icosahedron(a), icosahedron(b), icosahedron(c)};
        for (int i = 0; i <= parts; i++)
          for (int j = 0; i + j <= parts; j++)
            nodes[count++] = node_of(corners, i, j, parts);
      }
  *out = nodes;
  *out_count = count;
  return TS_OK;
}

/// The distance of the lowest face of a hull from the origin, and the largest angle between the
/// normal of a face and the direction of one of its corners.
static void measure_sphere(double *out_lowest, double *out_angle_rad, const ts_hull *hull) {
  *out_lowest = INFINITY;
  *out_angle_rad = 0;
  for (size_t t = 0; t < hull->triangle_count; t++) {
    const uint32_t *corners = hull->triangles[t];
    ts_vec3 a = hull->vertices[corners[0]], b = hull->vertices[corners[1]];
    ts_vec3 c = hull->vertices[corners[2]];
    ts_vec3 normal = ts_vec3_unit(ts_vec3_cross(ts_vec3_sub(b, a), ts_vec3_sub(c, a)));
    *out_lowest = fmin(*out_lowest, ts_vec3_dot(normal, a));
    for (int i = 0; i < 3; i++)
      *out_angle_rad =
          fmax(*out_angle_rad, ts_vec3_angle(normal, ts_vec3_unit(hull->vertices[corners[i]])));
  }
}

/// A sphere, or the hull of two around the ends of a segment.
static ts_status tessellate_round(ts_hull *out, ts_arena *arena, ts_geometry *g, double error_m) {
  ts_vec3 *nodes;
  size_t count;
  double lowest, angle_rad;
  TS_TRY(unit_nodes(&nodes, &count, arena, count_parts(error_m / g->radius_m)));
  TS_TRY(ts_hull_of_points(out, arena, nodes, count));
  measure_sphere(&lowest, &angle_rad, out);
  g->mesh_error_m = g->radius_m * stand_out(lowest);
  g->mesh_angle_rad = angle_rad;
  bool is_capsule = g->kind == TS_GEOMETRY_CAPSULE;
  count = out->vertex_count;
  nodes = ts_arena_array(arena, 2 * count, sizeof *nodes);
  if (!nodes)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    ts_vec3 on_sphere = ts_vec3_scale(out->vertices[i], g->radius_m / lowest);
    ts_vec3 along = ts_vec3_make(0, is_capsule ? g->half_length_m : 0, 0);
    nodes[i] = ts_vec3_add(on_sphere, along);
    nodes[count + i] = ts_vec3_sub(on_sphere, along);
  }
  return ts_hull_of_points(out, arena, nodes, is_capsule ? 2 * count : count);
}

/// A cylinder or a cone: the hull of a regular polygon, and of another or the apex.
static ts_status tessellate_turned(ts_hull *out, ts_arena *arena, ts_geometry *g, double error_m) {
  int sides = 4;
  while (stand_out(cos(PI / sides)) * g->radius_m > error_m * (1 + TS_TOUCH_RELATIVE))
    sides += 4;
  bool is_cone = g->kind == TS_GEOMETRY_CONE;
  ts_vec3 *points = ts_arena_array(arena, 2 * (size_t)sides, sizeof *points);
  if (!points)
    return TS_E_MEMORY;
  double corner_m = g->radius_m / cos(PI / sides);
  for (int i = 0; i < sides; i++) {
    // Half a side on from the axes, which then are normals of sides.
    double angle = (2 * i + 1) * PI / sides;
    double x = corner_m * cos(angle), z = corner_m * sin(angle);
    points[i] = ts_vec3_make(x, -g->half_length_m, z);
    points[sides + i] = ts_vec3_make(is_cone ? 0 : x, g->half_length_m, is_cone ? 0 : z);
  }
  g->mesh_error_m = g->radius_m * stand_out(cos(PI / sides));
  // The normal of a side is turned about the axis; that of a cone is not at right angles to it.
  double slope_rad = is_cone ? atan2(g->radius_m, 2 * g->half_length_m) : 0;
  g->mesh_angle_rad = 2 * asin(cos(slope_rad) * sin(0.5 * PI / sides));
  return ts_hull_of_points(out, arena, points, (size_t)sides + (is_cone ? 1 : (size_t)sides));
}

static ts_status tessellate_box(ts_hull *out, ts_arena *arena, ts_geometry *g) {
  ts_vec3 corners[8], half = g->half_size_m;
  for (unsigned i = 0; i < 8; i++)
    corners[i] =
        ts_vec3_make(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
  g->mesh_error_m = g->mesh_angle_rad = 0;
  return ts_hull_of_points(out, arena, corners, 8);
}

ts_status ts_primitive_tessellate(ts_hull *out, ts_arena *arena, ts_geometry *geometry,
                                  double error_m) {
  TS_TRY(check_lengths(geometry, error_m));
  switch (geometry->kind) {
  case TS_GEOMETRY_BOX:
    return tessellate_box(out, arena, geometry);
  case TS_GEOMETRY_CYLINDER:
  case TS_GEOMETRY_CONE:
    return tessellate_turned(out, arena, geometry, error_m);
  default:
    return tessellate_round(out, arena, geometry, error_m);
  }
}

/// A solid of revolution about y, or a box: a density times these.
typedef struct moments {
  double volume_m3, centre_y_m;
  ts_vec3 second_m5; ///< integrals of x^2, y^2 and z^2 about the centre
} moments;

static moments moments_of(const ts_geometry *g) {
  double r = g->radius_m, r2 = r * r, h = g->half_length_m;
  ts_vec3 s = g->half_size_m;
  double ball = 4.0 / 3 * PI * r2 * r, rod = 2 * PI * r2 * h;
  switch (g->kind) {
  case TS_GEOMETRY_SPHERE:
    return (moments){ball, 0, {ball * r2 / 5, ball * r2 / 5, ball * r2 / 5}};
  case TS_GEOMETRY_CAPSULE: {
    // Of a cap about the centre: a half ball, whose middle is 3/8 r above its base at h.
    double across = rod * r2 / 4 + ball * r2 / 5;
    double along = rod * h * h / 3 + ball * (r2 / 5 + h * h + 0.75 * h * r);
    return (moments){ball + rod, 0, {across, along, across}};
  }
  case TS_GEOMETRY_CYLINDER:
    return (moments){rod, 0, {rod * r2 / 4, rod * h * h / 3, rod * r2 / 4}};
  case TS_GEOMETRY_CONE: {
    double volume = rod / 3, across = volume * 3 * r2 / 20, along = volume * 3 * h * h / 20;
    return (moments){volume, -0.5 * h, {across, along, across}};
  }
  default: {
    double volume = 8 * s.x * s.y * s.z, third = volume / 3;
    return (moments){volume, 0, {third * s.x * s.x, third * s.y * s.y, third * s.z * s.z}};
  }
  }
}

ts_mass_properties ts_primitive_mass_properties(const ts_geometry *geometry, double density_kg_m3) {
  moments m = moments_of(geometry);
  ts_vec3 s = ts_vec3_scale(m.second_m5, density_kg_m3);
  return (ts_mass_properties){
      .volume_m3 = m.volume_m3,
      .mass_kg = density_kg_m3 * m.volume_m3,
      .centre_local = {0, m.centre_y_m, 0},
      .inertia_kg_m2 = {{s.y + s.z, 0, 0}, {0, s.x + s.z, 0}, {0, 0, s.x + s.y}}};
}

bool ts_primitive_offset(ts_geometry *out, const ts_geometry *geometry, double offset_m) {
  if (!ts_geometry_has_offset(geometry->kind))
    return false;
  *out = *geometry;
  bool is_box = geometry->kind == TS_GEOMETRY_BOX;
  bool has_flat_ends = geometry->kind == TS_GEOMETRY_CYLINDER;
  ts_vec3 all = ts_vec3_make(offset_m, offset_m, offset_m);
  if (is_box)
    out->half_size_m = ts_vec3_add(geometry->half_size_m, all);
  else
    out->radius_m += offset_m;
  if (has_flat_ends)
    out->half_length_m += offset_m;
  ts_vec3 half = out->half_size_m;
  return is_box ? half.x > 0 && half.y > 0 && half.z > 0
                : out->radius_m > 0 && (!has_flat_ends || out->half_length_m > 0);
}
