// SPDX-License-Identifier: MIT
#include "elastic/mesh_zone.h"

#include "base/array.h"
#include "base/status.h"
#include "elastic/vertex_normals.h"
#include "geometry/tolerances.h"

#define OUTSIDE UINT32_MAX // in the zone of no part

typedef struct finder {
  ts_arena *arena;
  const ts_zone_part *parts;
  size_t part_count;
  const ts_elastic_pair *pair;
  int body;
  const ts_vec3 *normals[2]; ///< of the vertices of a and b
} finder;

/// What a point of the body is to the contact surface.
typedef struct place {
  double depth_m; ///< between the bodies, along the mapping direction
  ts_vec3 normal; ///< of the contact surface
} place;

/// The normal of a body at a point of one of its triangles that is above or below `point`, from
/// those of the corners.
static ts_vec3 interpolate_normal(const finder *find, int body, uint32_t triangle, ts_vec3 point,
                                  ts_vec3 m) {
  const uint32_t *v = find->pair->body[body].mesh->triangles[triangle];
  ts_vec3 corners[3], sum = {0, 0, 0};
  ts_elastic_corners(corners, &find->pair->body[body], triangle);
  for (int i = 0; i < 3; i++) {
    ts_vec3 to_next = ts_vec3_sub(corners[(i + 1) % 3], point);
    ts_vec3 to_last = ts_vec3_sub(corners[(i + 2) % 3], point);
    // Areas seen along m. Rounding makes some below 0 on an edge.
    double area = ts_vec3_dot(ts_vec3_cross(to_next, to_last), m);
    sum = ts_vec3_add_scaled(sum, fabs(area), find->normals[body][v[i]]);
  }
  return ts_vec3_unit(sum);
}

/// Whether a point of the body's surface with this normal is in the zone of a part.
static bool is_in_part(place *out, const finder *find, const ts_zone_part *part, ts_vec3 point,
                       ts_vec3 normal) {
  const ts_contact_surface *surface = part->surface;
  int own = find->body, other = 1 - own;
  double height = ts_vec3_dot(ts_vec3_sub(point, surface->origin), surface->m);
  double slack = TS_TOUCH_RELATIVE * find->pair->size_m;
  double facing = ts_vec3_dot(normal, surface->m);
  ts_surface_column column;
  // The rest is for columns that there are: most vertices of a body are far from the zone.
  if (!(own == 0 ? facing > 0 : facing < 0) || height < surface->low_m[own] - slack ||
      height > surface->high_m[own] + slack ||
      !ts_contact_surface_column(&column, surface, point) || fabs(column.z_m[own] - height) > slack)
    return false;
  ts_vec3 normals[2];
  normals[own] = normal;
  normals[other] = interpolate_normal(find, other, column.triangle[other], point, surface->m);
  if (!(ts_vec3_dot(normals[0], surface->m) > 0 && ts_vec3_dot(normals[1], surface->m) < 0))
    return false;
  out->depth_m = column.z_m[0] - column.z_m[1];
  out->normal = ts_contact_surface_normal(surface, normals[0], normals[1]);
  double score = ts_zone_score(surface, out->depth_m, out->normal);
  return ts_zone_contains(part->zone, surface, score, normals[0], normals[1]);
}

/// How a point moves onto the contact surface.
static ts_vec3 displacement(const finder *find, const ts_contact_surface *surface, double depth_m) {
  double share = find->body == 0 ? surface->stiffness_a - 1 : surface->stiffness_a;
  return ts_vec3_scale(surface->m, share * depth_m);
}

/// The part whose zone a vertex is in, or OUTSIDE.
static uint32_t find_part(ts_vec3 *out_displacement, const finder *find, uint32_t vertex) {
  ts_vec3 point = find->pair->body[find->body].vertices[vertex];
  for (size_t i = 0; i < find->part_count; i++) {
    place found;
    if (is_in_part(&found, find, &find->parts[i], point, find->normals[find->body][vertex])) {
      *out_displacement = displacement(find, find->parts[i].surface, found.depth_m);
      return (uint32_t)i;
    }
  }
  return OUTSIDE;
}

/// Where the boundary of a part's zone crosses an edge: by bisection, the last point that is in.
static ts_zone_crossing cut_edge(const finder *find, const ts_zone_part *part, uint32_t inside,
                                 uint32_t outside) {
  const ts_vec3 *vertices = find->pair->body[find->body].vertices;
  const ts_vec3 *normals = find->normals[find->body];
  place found = {0}, tried;
  double low = 0, high = 1;
  is_in_part(&found, find, part, vertices[inside], normals[inside]);
  while (high - low > TS_ZONE_CUT_ACCURACY) {
    double middle = 0.5 * (low + high);
    ts_vec3 normal = ts_vec3_unit(ts_vec3_lerp(normals[inside], normals[outside], middle));
    if (is_in_part(&tried, find, part, ts_vec3_lerp(vertices[inside], vertices[outside], middle),
                   normal)) {
      found = tried;
      low = middle;
    } else {
      high = middle;
    }
  }
  ts_vec3 m = part->surface->m;
  return (ts_zone_crossing){.inside = inside,
                            .outside = outside,
                            .alpha = low,
                            .displacement = displacement(find, part->surface, found.depth_m),
                            .normal = found.normal,
                            .direction = find->body == 0 ? m : ts_vec3_neg(m)};
}

static ts_status cut_edges(ts_deform_zone *out, const finder *find, const uint32_t *part_of) {
  const ts_mesh *mesh = find->pair->body[find->body].mesh;
  ts_zone_crossing *crossings = NULL;
  size_t count = 0, capacity = 0;
  for (size_t h = 0; h < 3 * mesh->triangle_count; h++) {
    uint32_t from = mesh->triangles[h / 3][h % 3], to = mesh->triangles[h / 3][(h + 1) % 3];
    // Every edge is met once each way; that which leaves the zone counts.
    if (part_of[from] == OUTSIDE || part_of[to] != OUTSIDE)
      continue;
    TS_TRY(TS_ARENA_GROW(crossings, capacity, count, 1, find->arena));
    crossings[count++] = cut_edge(find, &find->parts[part_of[from]], from, to);
  }
  out->crossings = crossings;
  out->crossing_count = count;
  return TS_OK;
}

static ts_status find_normals(finder *find) {
  for (int i = 0; i < 2; i++) {
    ts_mesh mesh = *find->pair->body[i].mesh;
    mesh.vertices = find->pair->body[i].vertices;
    ts_vec3 *normals = ts_arena_array(find->arena, mesh.vertex_count, sizeof *normals);
    if (!normals)
      return TS_E_MEMORY;
    ts_vertex_normals(normals, &mesh);
    find->normals[i] = normals;
  }
  return TS_OK;
}

ts_status ts_mesh_zone_find(ts_deform_zone *out, ts_arena *arena, const ts_zone_part *parts,
                            size_t part_count, int body) {
  finder find = {arena, parts, part_count, parts[0].surface->pair, body, {NULL, NULL}};
  size_t count = find.pair->body[body].mesh->vertex_count;
  uint8_t *is_inside = ts_arena_array(arena, count, sizeof *is_inside);
  ts_vec3 *displacements = ts_arena_array(arena, count, sizeof *displacements);
  uint32_t *part_of = ts_arena_array(arena, count, sizeof *part_of);
  if (!is_inside || !displacements || !part_of)
    return TS_E_MEMORY;
  TS_TRY(find_normals(&find));
  for (size_t v = 0; v < count; v++) {
    part_of[v] = find_part(&displacements[v], &find, (uint32_t)v);
    is_inside[v] = part_of[v] != OUTSIDE;
  }
  *out = (ts_deform_zone){.is_inside = is_inside, .displacements = displacements};
  return cut_edges(out, &find, part_of);
}
