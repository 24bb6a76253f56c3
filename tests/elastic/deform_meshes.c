// SPDX-License-Identifier: MIT
#include "tests/elastic/deform_meshes.h"

#include "base/status.h"
#include "elastic/vertex_normals.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/// Vertices and triangles while they grow.
typedef struct mesh_lists {
  ts_vec3 *vertices;
  uint32_t (*triangles)[3];
  size_t vertex_count, triangle_count;
} mesh_lists;

static ts_mesh *finish(ts_arena *arena, mesh_lists *lists) {
  ts_mesh *mesh = NULL;
  ts_status status = ts_mesh_create(&mesh, arena, lists->vertices, lists->vertex_count,
                                    (const uint32_t(*)[3])lists->triangles, lists->triangle_count);
  free(lists->vertices);
  free(lists->triangles);
  cr_assert_eq(status, TS_OK, "%s", ts_status_detail());
  return mesh;
}

static int compare_edges(const void *left, const void *right) {
  const uint64_t *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

static uint64_t edge_key(uint32_t a, uint32_t b) {
  return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/// Splits each triangle in four; new vertices are moved to the unit sphere.
static void split_triangles(mesh_lists *lists) {
  size_t count = 0, half_count = 3 * lists->triangle_count;
  uint64_t *edges = malloc(half_count * sizeof *edges);
  for (size_t h = 0; h < half_count; h++)
    edges[h] = edge_key(lists->triangles[h / 3][h % 3], lists->triangles[h / 3][(h + 1) % 3]);
  qsort(edges, half_count, sizeof *edges, compare_edges);
  for (size_t h = 0; h < half_count; h += 2)
    edges[count++] = edges[h];
  size_t first = lists->vertex_count;
  lists->vertices = realloc(lists->vertices, (first + count) * sizeof *lists->vertices);
  for (size_t e = 0; e < count; e++)
    lists->vertices[first + e] = ts_vec3_unit(
        ts_vec3_add(lists->vertices[edges[e] >> 32], lists->vertices[edges[e] & UINT32_MAX]));
  uint32_t(*triangles)[3] = malloc(4 * lists->triangle_count * sizeof *triangles);
  for (size_t t = 0; t < lists->triangle_count; t++) {
    uint32_t *v = lists->triangles[t], middles[3];
    for (int i = 0; i < 3; i++) {
      uint64_t key = edge_key(v[i], v[(i + 1) % 3]);
      uint64_t *found = bsearch(&key, edges, count, sizeof key, compare_edges);
      middles[i] = (uint32_t)(first + (size_t)(found - edges));
    }
    uint32_t parts[4][3] = {{v[0], middles[0], middles[2]},
                            {middles[0], v[1], middles[1]},
                            {middles[2], middles[1], v[2]},
                            {middles[0], middles[1], middles[2]}};
    memcpy(triangles[4 * t], parts, sizeof parts);
  }
  free(edges);
  free(lists->triangles);
  lists->triangles = triangles;
  lists->vertex_count = first + count;
  lists->triangle_count *= 4;
}

ts_mesh *deform_icosphere(ts_arena *arena, int level, double radius_m, ts_vec3 centre) {
  const double g = 0.5 * (1 + sqrt(5));
  const ts_vec3 corners[12] = {{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0},
                               {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
                               {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
  static const uint32_t faces[20][3] = {
      {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  mesh_lists lists = {malloc(sizeof corners), malloc(sizeof faces), 12, 20};
  for (int i = 0; i < 12; i++)
    lists.vertices[i] = ts_vec3_unit(corners[i]);
  memcpy(lists.triangles, faces, sizeof faces);
  for (int i = 0; i < level; i++)
    split_triangles(&lists);
  for (size_t v = 0; v < lists.vertex_count; v++)
    lists.vertices[v] = ts_vec3_add_scaled(centre, radius_m, lists.vertices[v]);
  return finish(arena, &lists);
}

/// A vertex of the block's surface at whole coordinates 0 to `cells`; welded by its place.
static uint32_t block_vertex(mesh_lists *lists, uint32_t *table, int cells, const int at[3]) {
  size_t side = (size_t)cells + 1;
  uint32_t *slot = &table[((size_t)at[0] * side + (size_t)at[1]) * side + (size_t)at[2]];
  if (*slot == 0) {
    lists->vertices[lists->vertex_count] = (ts_vec3){at[0], at[1], at[2]};
    *slot = (uint32_t)++lists->vertex_count;
  }
  return *slot - 1;
}

static void add_block_side(mesh_lists *lists, uint32_t *table, int cells, int axis, bool is_high) {
  int u = (axis + 1) % 3, v = (axis + 2) % 3;
  for (int i = 0; i < cells; i++)
    for (int k = 0; k < cells; k++) {
      uint32_t corners[4];
      static const int steps[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
      for (int c = 0; c < 4; c++) {
        int at[3];
        at[axis] = is_high ? cells : 0;
        at[u] = i + steps[is_high ? c : 3 - c][0];
        at[v] = k + steps[is_high ? c : 3 - c][1];
        corners[c] = block_vertex(lists, table, cells, at);
      }
      int turn = (i + k) % 2;
      uint32_t parts[2][3] = {{corners[turn], corners[turn + 1], corners[turn + 2]},
                              {corners[turn], corners[turn + 2], corners[(turn + 3) % 4]}};
      memcpy(lists->triangles[lists->triangle_count], parts, sizeof parts);
      lists->triangle_count += 2;
    }
}

ts_mesh *deform_block(ts_arena *arena, int cells, double size_m, double shear, ts_vec3 centre) {
  size_t side = (size_t)cells + 1, face = (size_t)cells * (size_t)cells;
  mesh_lists lists = {malloc(6 * side * side * sizeof *lists.vertices),
                      malloc(12 * face * sizeof *lists.triangles), 0, 0};
  uint32_t *table = calloc(side * side * side, sizeof *table);
  for (int axis = 0; axis < 3; axis++)
    for (int high = 0; high < 2; high++)
      add_block_side(&lists, table, cells, axis, high);
  free(table);
  for (size_t n = 0; n < lists.vertex_count; n++) {
    ts_vec3 *p = &lists.vertices[n];
    bool is_inner = p->x > 0 && p->x < cells && p->z > 0 && p->z < cells;
    if (is_inner && (p->y == 0 || p->y == cells))
      p->x += (int)p->z % 2 ? shear : -shear;
    ts_vec3 unit = ts_vec3_scale(*p, 2.0 / cells);
    *p = ts_vec3_add_scaled(centre, size_m, (ts_vec3){unit.x - 1, 0.25 * (unit.y - 1), unit.z - 1});
  }
  return finish(arena, &lists);
}

static double plane_height(deform_plane plane, ts_vec3 p) {
  return ts_vec3_dot(plane.normal, p) - plane.offset_m - plane.margin_m;
}

/// Of the surface between the plane and the mesh, where the mesh has this normal.
static ts_vec3 surface_normal(deform_plane plane, ts_vec3 normal) {
  double facing = ts_vec3_dot(normal, plane.normal);
  return ts_vec3_unit(ts_vec3_add(ts_vec3_scale(normal, plane.stiffness / facing),
                                  ts_vec3_scale(plane.normal, 1 - plane.stiffness)));
}

ts_deform_zone deform_plane_zones(ts_arena *arena, const ts_mesh *mesh, const deform_plane *planes,
                                  size_t plane_count) {
  size_t half_count = 3 * mesh->triangle_count, count = 0;
  uint8_t *is_inside = ts_arena_array(arena, mesh->vertex_count, sizeof *is_inside);
  ts_vec3 *displacements = ts_arena_array(arena, mesh->vertex_count, sizeof *displacements);
  ts_zone_crossing *crossings = ts_arena_array(arena, half_count, sizeof *crossings);
  ts_vec3 *normals = ts_arena_array(arena, mesh->vertex_count, sizeof *normals);
  ts_vertex_normals(normals, mesh);
  for (size_t p = 0; p < plane_count; p++) {
    ts_vec3 way = ts_vec3_scale(planes[p].normal, planes[p].stiffness - 1);
    for (size_t v = 0; v < mesh->vertex_count; v++) {
      double height = plane_height(planes[p], mesh->vertices[v]);
      if (height > 0) {
        is_inside[v] = 1;
        displacements[v] = ts_vec3_scale(way, height + planes[p].margin_m);
      }
    }
    for (size_t h = 0; h < half_count; h++) {
      uint32_t from = mesh->triangles[h / 3][h % 3], to = mesh->triangles[h / 3][(h + 1) % 3];
      double inside = plane_height(planes[p], mesh->vertices[from]);
      double outside = plane_height(planes[p], mesh->vertices[to]);
      if (!(inside > 0) || outside > 0)
        continue;
      double alpha = inside / (inside - outside);
      ts_vec3 normal = ts_vec3_lerp(normals[from], normals[to], alpha);
      crossings[count++] =
          (ts_zone_crossing){.inside = from,
                             .outside = to,
                             .alpha = alpha,
                             .displacement = ts_vec3_scale(way, planes[p].margin_m),
                             .normal = surface_normal(planes[p], normal),
                             .direction = planes[p].normal};
    }
  }
  return (ts_deform_zone){is_inside, displacements, count, crossings};
}

ts_deform_zone deform_plane_zone(ts_arena *arena, const ts_mesh *mesh, deform_plane plane) {
  return deform_plane_zones(arena, mesh, &plane, 1);
}

ts_mesh *deform_moved_mesh(ts_arena *arena, const ts_mesh *mesh, double scale, ts_vec3 offset) {
  ts_vec3 *vertices = ts_arena_array(arena, mesh->vertex_count, sizeof *vertices);
  for (size_t v = 0; v < mesh->vertex_count; v++)
    vertices[v] = ts_vec3_add_scaled(offset, scale, mesh->vertices[v]);
  ts_mesh *moved = NULL;
  cr_assert_eq(ts_mesh_with_vertices(&moved, arena, mesh, vertices), TS_OK, "%s",
               ts_status_detail());
  return moved;
}

ts_deform_zone deform_scaled_zone(ts_arena *arena, const ts_mesh *mesh, ts_deform_zone zone,
                                  double scale) {
  ts_vec3 *displacements =
      ts_arena_copy(arena, zone.displacements, mesh->vertex_count, sizeof *displacements);
  ts_zone_crossing *crossings =
      ts_arena_copy(arena, zone.crossings, zone.crossing_count, sizeof *crossings);
  for (size_t v = 0; v < mesh->vertex_count; v++)
    displacements[v] = ts_vec3_scale(displacements[v], scale);
  for (size_t i = 0; i < zone.crossing_count; i++)
    crossings[i].displacement = ts_vec3_scale(crossings[i].displacement, scale);
  return (ts_deform_zone){zone.is_inside, displacements, zone.crossing_count, crossings};
}
