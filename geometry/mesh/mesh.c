// SPDX-License-Identifier: MIT
#include "geometry/mesh/mesh.h"

#include "base/status.h"
#include "geometry/predicates.h"
#include "geometry/tet.h"
#include "geometry/tolerances.h"

#include <stdbool.h>
#include <string.h>

#define LARGEST_COUNT ((size_t)1 << 30) // three half-edges or four tet faces each still fit 32 bits

static ts_status check_counts(size_t vertex_count, size_t triangle_count) {
  if (triangle_count == 0)
    return ts_fail(TS_E_INPUT, "the mesh has no triangle: give it a closed surface");
  if (vertex_count > LARGEST_COUNT || triangle_count > LARGEST_COUNT)
    return ts_fail(
        TS_E_INPUT,
        "the mesh has %zu vertices and %zu triangles, more than the %zu of each that are "
        "supported: simplify it",
        vertex_count, triangle_count, LARGEST_COUNT);
  return TS_OK;
}

static ts_status check_vertices(const ts_vec3 *vertices, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!ts_vec3_is_finite(vertices[i]))
      return ts_fail(TS_E_INPUT, "vertex %zu is (%g, %g, %g): every coordinate must be finite", i,
                     vertices[i].x, vertices[i].y, vertices[i].z);
  return TS_OK;
}

static ts_status check_corners(const uint32_t (*triangles)[3], size_t count, size_t vertex_count) {
  for (size_t t = 0; t < count; t++) {
    const uint32_t *v = triangles[t];
    for (int i = 0; i < 3; i++)
      if (v[i] >= vertex_count)
        return ts_fail(TS_E_INPUT,
                       "triangle %zu uses vertex %u, but the mesh has %zu vertices, counted from 0",
                       t, v[i], vertex_count);
    for (int i = 0; i < 3; i++)
      if (v[i] == v[(i + 1) % 3])
        return ts_fail(TS_E_INPUT,
                       "triangle %zu repeats vertex %u: remove it, or give it three different "
                       "corners",
                       t, v[i]);
  }
  return TS_OK;
}

/// Smallest height over longest edge; NaN when coordinates are too large to square.
static double triangle_flatness(ts_vec3 a, ts_vec3 b, ts_vec3 c) {
  ts_vec3 ab = ts_vec3_sub(b, a), ac = ts_vec3_sub(c, a), bc = ts_vec3_sub(c, b);
  double longest2 = fmax(ts_vec3_norm2(ab), fmax(ts_vec3_norm2(ac), ts_vec3_norm2(bc)));
  return ts_vec3_norm(ts_vec3_cross(ab, ac)) / longest2;
}

static ts_status check_triangle_shapes(const ts_mesh *mesh) {
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    const uint32_t *v = mesh->triangles[t];
    double flatness =
        triangle_flatness(mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]]);
    if (isnan(flatness)) // 0 of 0
      return ts_fail(TS_E_INPUT,
                     "triangle %zu (vertices %u, %u, %u) has all its corners at one place, or "
                     "farther apart than numbers go: remove it, or scale the mesh",
                     t, v[0], v[1], v[2]);
    if (!(flatness >= TS_DEGENERATE_TRIANGLE))
      return ts_fail(TS_E_INPUT,
                     "triangle %zu (vertices %u, %u, %u) is degenerate, its height %.3g of its "
                     "longest edge: weld its corners or swap an edge",
                     t, v[0], v[1], v[2], flatness);
  }
  return TS_OK;
}

static double area_twice(const ts_mesh *mesh, size_t triangle) {
  const uint32_t *v = mesh->triangles[triangle];
  ts_vec3 a = mesh->vertices[v[0]];
  return ts_vec3_norm(
      ts_vec3_cross(ts_vec3_sub(mesh->vertices[v[1]], a), ts_vec3_sub(mesh->vertices[v[2]], a)));
}

/// A point in the middle of the surface: the mean of the triangles' corners. Any point would do,
/// but close to the surface nothing cancels.
static ts_vec3 surface_middle(const ts_mesh *mesh) {
  ts_vec3 first = mesh->vertices[mesh->triangles[0][0]], sum = {0, 0, 0};
  for (size_t t = 0; t < mesh->triangle_count; t++)
    for (int i = 0; i < 3; i++)
      sum = ts_vec3_add(sum, ts_vec3_sub(mesh->vertices[mesh->triangles[t][i]], first));
  return ts_vec3_add_scaled(first, 1 / (3.0 * (double)mesh->triangle_count), sum);
}

/// The corners of a triangle, seen from `origin`.
static void corners_from(ts_vec3 out[3], const ts_mesh *mesh, size_t triangle, ts_vec3 origin) {
  for (int i = 0; i < 3; i++)
    out[i] = ts_vec3_sub(mesh->vertices[mesh->triangles[triangle][i]], origin);
}

static double determinant(const ts_vec3 p[3]) {
  return ts_vec3_dot(p[0], ts_vec3_cross(p[1], p[2]));
}

static double surface_volume(const ts_mesh *mesh) {
  ts_vec3 middle = surface_middle(mesh), p[3];
  double sum = 0;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    corners_from(p, mesh, t, middle);
    sum += determinant(p);
  }
  return sum / 6;
}

static ts_status check_volume(const ts_mesh *mesh) {
  double area = 0, volume = surface_volume(mesh);
  ts_aabb box = ts_aabb_empty();
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    area += 0.5 * area_twice(mesh, t);
    for (int i = 0; i < 3; i++)
      box = ts_aabb_add(box, mesh->vertices[mesh->triangles[t][i]]);
  }
  double noise = TS_FLAT_VOLUME_RELATIVE * area * ts_aabb_extent(box);
  if (!isfinite(volume) || !isfinite(noise))
    return ts_fail(TS_E_INPUT,
                   "the coordinates are too large for the volume to be a number: the mesh is %g m "
                   "large; scale it",
                   ts_aabb_extent(box));
  if (volume < -noise)
    return ts_fail(TS_E_INPUT,
                   "the volume is %g m3, below zero: the surface is turned inside out; reverse the "
                   "corners of its triangles",
                   volume);
  if (!(volume > noise))
    return ts_fail(TS_E_INPUT, "the volume is %g m3: the surface encloses nothing", volume);
  return TS_OK;
}

/// One pass of a radix sort over vertex numbers: `out` gets `order` (NULL: 0, 1, 2, ...) sorted by
/// `keys`, equal keys in their former order. `starts` holds key_count + 1.
static void sort_pass(uint32_t *out, const uint32_t *order, size_t count, const uint32_t *keys,
                      uint32_t *starts, size_t key_count) {
  memset(starts, 0, (key_count + 1) * sizeof *starts);
  for (size_t i = 0; i < count; i++)
    starts[keys[i] + 1]++;
  for (size_t k = 0; k < key_count; k++)
    starts[k + 1] += starts[k];
  for (size_t i = 0; i < count; i++) {
    uint32_t item = order ? order[i] : (uint32_t)i;
    out[starts[keys[item]]++] = item;
  }
}

static void edge_ends(uint32_t out[2], const uint32_t (*triangles)[3], uint32_t half_edge) {
  out[0] = triangles[half_edge / 3][half_edge % 3];
  out[1] = triangles[half_edge / 3][(half_edge % 3 + 1) % 3];
}

/// `half_edges` [uses] are all that run between two vertices, and are not one in each direction.
static ts_status edge_fault(const uint32_t (*triangles)[3], const uint32_t *half_edges,
                            size_t uses) {
  uint32_t end[2];
  edge_ends(end, triangles, half_edges[0]);
  if (uses == 1)
    return ts_fail(TS_E_INPUT,
                   "edge %u-%u of triangle %u has no partner: the surface is open; fill the hole, "
                   "or weld vertices at the same place",
                   end[0], end[1], half_edges[0] / 3);
  if (uses == 2)
    return ts_fail(TS_E_INPUT,
                   "edge %u-%u runs the same way in triangles %u and %u: the surface is not "
                   "oriented; reverse one of them",
                   end[0], end[1], half_edges[0] / 3, half_edges[1] / 3);
  return ts_fail(TS_E_INPUT,
                 "edge %u-%u is shared by %zu triangles, %u, %u and %u among them: the surface is "
                 "not manifold; give each sheet its own vertices",
                 end[0], end[1], uses, half_edges[0] / 3, half_edges[1] / 3, half_edges[2] / 3);
}

/// Pairs half-edges that `order` has brought together; of several faults, the message names the
/// first in the mesh.
static ts_status match_half_edges(uint32_t *twin, const uint32_t (*triangles)[3],
                                  const uint32_t *order, size_t count, const uint32_t *low,
                                  const uint32_t *high) {
  const uint32_t *fault = NULL;
  size_t fault_uses = 0;
  for (size_t begin = 0, end; begin < count; begin = end) {
    uint32_t first = order[begin];
    for (end = begin + 1; end < count; end++)
      if (low[order[end]] != low[first] || high[order[end]] != high[first])
        break;
    uint32_t a[2], b[2];
    edge_ends(a, triangles, first);
    edge_ends(b, triangles, order[end - 1]);
    if (end - begin == 2 && a[0] == b[1]) {
      twin[first] = order[end - 1];
      twin[order[end - 1]] = first;
    } else if (!fault || first < *fault) {
      fault = order + begin;
      fault_uses = end - begin;
    }
  }
  return fault ? edge_fault(triangles, fault, fault_uses) : TS_OK;
}

static ts_status find_twins(uint32_t *twin, ts_arena *arena, const uint32_t (*triangles)[3],
                            size_t triangle_count, size_t vertex_count) {
  size_t count = 3 * triangle_count;
  ts_arena_mark mark = ts_arena_get_mark(arena);
  uint32_t *low = ts_arena_array(arena, count, sizeof *low);
  uint32_t *high = ts_arena_array(arena, count, sizeof *high);
  uint32_t *by_high = ts_arena_array(arena, count, sizeof *by_high);
  uint32_t *order = ts_arena_array(arena, count, sizeof *order);
  uint32_t *starts = ts_arena_array(arena, vertex_count + 1, sizeof *starts);
  ts_status status = TS_E_MEMORY;
  if (low && high && by_high && order && starts) {
    for (size_t h = 0; h < count; h++) {
      uint32_t end[2];
      edge_ends(end, triangles, (uint32_t)h);
      low[h] = end[0] < end[1] ? end[0] : end[1];
      high[h] = end[0] < end[1] ? end[1] : end[0];
    }
    sort_pass(by_high, NULL, count, high, starts, vertex_count);
    sort_pass(order, by_high, count, low, starts, vertex_count);
    status = match_half_edges(twin, triangles, order, count, low, high);
  }
  ts_arena_rewind(arena, mark);
  return status;
}

/// Whether all vertices of triangles lie in the plane of the largest triangle.
static bool is_flat_sheet(const ts_mesh *mesh) {
  size_t largest = 0;
  ts_aabb box = ts_aabb_empty();
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    if (area_twice(mesh, t) > area_twice(mesh, largest))
      largest = t;
    for (int i = 0; i < 3; i++)
      box = ts_aabb_add(box, mesh->vertices[mesh->triangles[t][i]]);
  }
  double flat_m = TS_POLYGON_PLANAR_RELATIVE * ts_aabb_extent(box);
  ts_vec3 normal = ts_mesh_face_normal(mesh, largest), p[3];
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    corners_from(p, mesh, t, mesh->vertices[mesh->triangles[largest][0]]);
    for (int i = 0; i < 3; i++)
      if (!(fabs(ts_vec3_dot(normal, p[i])) <= flat_m))
        return false;
  }
  return true;
}

/// Replaces the message for an open surface when all of it is in one plane: there is no hole to
/// fill.
static ts_status pair_edges(uint32_t *twin, ts_arena *arena, const ts_mesh *mesh) {
  ts_status status =
      find_twins(twin, arena, mesh->triangles, mesh->triangle_count, mesh->vertex_count);
  if (status != TS_E_INPUT || !is_flat_sheet(mesh))
    return status;
  return ts_fail(status,
                 "the surface is a flat sheet (%zu triangle%s in one plane), and a body needs a "
                 "volume: give it a thickness, as a box or prism whose upper side is the sheet",
                 mesh->triangle_count, mesh->triangle_count == 1 ? "" : "s");
}

static ts_status build_mesh(ts_mesh *mesh, ts_arena *arena, const ts_vec3 *vertices,
                            size_t vertex_count, const uint32_t (*triangles)[3],
                            size_t triangle_count) {
  TS_TRY(check_counts(vertex_count, triangle_count));
  TS_TRY(check_vertices(vertices, vertex_count));
  TS_TRY(check_corners(triangles, triangle_count, vertex_count));
  uint32_t *twin = ts_arena_array(arena, 3 * triangle_count, sizeof *twin);
  mesh->vertex_count = vertex_count;
  mesh->vertices = ts_arena_copy(arena, vertices, vertex_count, sizeof *vertices);
  mesh->triangle_count = triangle_count;
  mesh->triangles = ts_arena_copy(arena, triangles, triangle_count, sizeof *triangles);
  mesh->edge_twin = twin;
  if (!twin || !mesh->vertices || !mesh->triangles)
    return TS_E_MEMORY;
  TS_TRY(check_triangle_shapes(mesh));
  TS_TRY(pair_edges(twin, arena, mesh));
  return check_volume(mesh);
}

ts_status ts_mesh_create(ts_mesh **out, ts_arena *arena, const ts_vec3 *vertices,
                         size_t vertex_count, const uint32_t (*triangles)[3],
                         size_t triangle_count) {
  ts_arena_mark mark = ts_arena_get_mark(arena);
  ts_mesh *mesh = ts_arena_alloc(arena, sizeof *mesh);
  if (!mesh)
    return TS_E_MEMORY;
  ts_status status = build_mesh(mesh, arena, vertices, vertex_count, triangles, triangle_count);
  if (status != TS_OK) {
    ts_arena_rewind(arena, mark);
    return status;
  }
  *out = mesh;
  return TS_OK;
}

static ts_status check_tets(const ts_mesh *mesh, const uint32_t (*tets)[4], size_t count) {
  double sum = 0, volume = surface_volume(mesh);
  for (size_t t = 0; t < count; t++) {
    ts_vec3 p[4];
    for (int i = 0; i < 4; i++) {
      if (tets[t][i] >= mesh->vertex_count)
        return ts_fail(TS_E_INPUT,
                       "tet %zu uses vertex %u, but the mesh has %zu vertices, counted from 0", t,
                       tets[t][i], mesh->vertex_count);
      p[i] = mesh->vertices[tets[t][i]];
    }
    if (ts_orient3d(p[0], p[1], p[2], p[3]) <= 0)
      return ts_fail(
          TS_E_INPUT,
          "tet %zu (vertices %u, %u, %u, %u) has a volume of %g m3, not above zero: swap "
          "two of its vertices, or remove it when it is flat",
          t, tets[t][0], tets[t][1], tets[t][2], tets[t][3], ts_tet_volume(p));
    sum += ts_tet_volume(p);
  }
  if (!(fabs(sum - volume) <= TS_TET_FILL_RELATIVE * volume))
    return ts_fail(TS_E_INPUT,
                   "the tets have a volume of %.12g m3, the surface holds %.12g m3: fill the "
                   "surface exactly once",
                   sum, volume);
  return TS_OK;
}

static void sort_three(uint32_t v[3]) {
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2 - i; k++)
      if (v[k] > v[k + 1]) {
        uint32_t swapped = v[k];
        v[k] = v[k + 1];
        v[k + 1] = swapped;
      }
}

/// Sets the bit of every face that `order` shows to have no partner. Face 4 t + i lies opposite
/// node i of tet t.
static ts_status flag_faces(uint8_t *surface, const uint32_t *order, size_t count,
                            uint32_t *const keys[3]) {
  for (size_t begin = 0, end; begin < count; begin = end) {
    uint32_t first = order[begin];
    for (end = begin + 1; end < count; end++)
      if (keys[0][order[end]] != keys[0][first] || keys[1][order[end]] != keys[1][first] ||
          keys[2][order[end]] != keys[2][first])
        break;
    if (end - begin > 2)
      return ts_fail(TS_E_INPUT,
                     "face %u-%u-%u is shared by %zu tets, %u, %u and %u among them: the tets "
                     "overlap; fill the surface exactly once",
                     keys[0][first], keys[1][first], keys[2][first], end - begin, first / 4,
                     order[begin + 1] / 4, order[begin + 2] / 4);
    if (end - begin == 1)
      surface[first / 4] = (uint8_t)(surface[first / 4] | 1u << first % 4);
  }
  return TS_OK;
}

static ts_status find_surface(uint8_t *surface, ts_arena *arena, const uint32_t (*tets)[4],
                              size_t tet_count, size_t vertex_count) {
  size_t count = 4 * tet_count;
  ts_arena_mark mark = ts_arena_get_mark(arena);
  uint32_t *keys[3];
  for (int k = 0; k < 3; k++)
    keys[k] = ts_arena_array(arena, count, sizeof *keys[k]);
  uint32_t *order = ts_arena_array(arena, count, sizeof *order);
  uint32_t *other = ts_arena_array(arena, count, sizeof *other);
  uint32_t *starts = ts_arena_array(arena, vertex_count + 1, sizeof *starts);
  ts_status status = TS_E_MEMORY;
  if (keys[0] && keys[1] && keys[2] && order && other && starts) {
    for (size_t f = 0; f < count; f++) {
      const uint32_t *v = tets[f / 4];
      uint32_t face[3] = {v[(f + 1) % 4], v[(f + 2) % 4], v[(f + 3) % 4]};
      sort_three(face);
      for (int k = 0; k < 3; k++)
        keys[k][f] = face[k];
    }
    sort_pass(order, NULL, count, keys[2], starts, vertex_count);
    sort_pass(other, order, count, keys[1], starts, vertex_count);
    sort_pass(order, other, count, keys[0], starts, vertex_count);
    status = flag_faces(surface, order, count, keys);
  }
  ts_arena_rewind(arena, mark);
  return status;
}

ts_status ts_mesh_set_tets(ts_mesh *mesh, ts_arena *arena, const uint32_t (*tets)[4],
                           size_t tet_count) {
  if (tet_count > LARGEST_COUNT)
    return ts_fail(TS_E_INPUT, "%zu tets are more than the %zu that are supported", tet_count,
                   LARGEST_COUNT);
  TS_TRY(check_tets(mesh, tets, tet_count));
  ts_arena_mark mark = ts_arena_get_mark(arena);
  const uint32_t(*copy)[4] = ts_arena_copy(arena, tets, tet_count, sizeof *tets);
  uint8_t *surface = ts_arena_array(arena, tet_count, sizeof *surface);
  ts_status status = copy && surface
                         ? find_surface(surface, arena, copy, tet_count, mesh->vertex_count)
                         : TS_E_MEMORY;
  if (status != TS_OK) {
    ts_arena_rewind(arena, mark);
    return status;
  }
  mesh->tet_count = tet_count;
  mesh->tets = copy;
  mesh->tet_surface = surface;
  return TS_OK;
}

static ts_status copy_mesh(ts_mesh *out, ts_arena *arena, const ts_mesh *mesh,
                           const ts_vec3 *vertices) {
  TS_TRY(check_vertices(vertices, mesh->vertex_count));
  *out = *mesh;
  out->vertices = ts_arena_copy(arena, vertices, mesh->vertex_count, sizeof *vertices);
  out->triangles =
      ts_arena_copy(arena, mesh->triangles, mesh->triangle_count, sizeof *mesh->triangles);
  out->edge_twin =
      ts_arena_copy(arena, mesh->edge_twin, 3 * mesh->triangle_count, sizeof *mesh->edge_twin);
  if (!out->vertices || !out->triangles || !out->edge_twin)
    return TS_E_MEMORY;
  if (mesh->tet_count) {
    out->tets = ts_arena_copy(arena, mesh->tets, mesh->tet_count, sizeof *mesh->tets);
    out->tet_surface =
        ts_arena_copy(arena, mesh->tet_surface, mesh->tet_count, sizeof *mesh->tet_surface);
    if (!out->tets || !out->tet_surface)
      return TS_E_MEMORY;
  }
  TS_TRY(check_triangle_shapes(out));
  TS_TRY(check_volume(out));
  return out->tet_count ? check_tets(out, out->tets, out->tet_count) : TS_OK;
}

ts_status ts_mesh_with_vertices(ts_mesh **out, ts_arena *arena, const ts_mesh *mesh,
                                const ts_vec3 *vertices) {
  ts_arena_mark mark = ts_arena_get_mark(arena);
  ts_mesh *copy = ts_arena_alloc(arena, sizeof *copy);
  if (!copy)
    return TS_E_MEMORY;
  ts_status status = copy_mesh(copy, arena, mesh, vertices);
  if (status != TS_OK) {
    ts_arena_rewind(arena, mark);
    return status;
  }
  *out = copy;
  return TS_OK;
}

ts_aabb ts_mesh_bounds(const ts_mesh *mesh) {
  ts_aabb box = ts_aabb_empty();
  for (size_t i = 0; i < mesh->vertex_count; i++)
    box = ts_aabb_add(box, mesh->vertices[i]);
  return box;
}

ts_vec3 ts_mesh_face_normal(const ts_mesh *mesh, size_t triangle) {
  const uint32_t *v = mesh->triangles[triangle];
  ts_vec3 a = mesh->vertices[v[0]];
  return ts_vec3_unit(
      ts_vec3_cross(ts_vec3_sub(mesh->vertices[v[1]], a), ts_vec3_sub(mesh->vertices[v[2]], a)));
}

uint32_t ts_mesh_edge_id(const ts_mesh *mesh, size_t triangle, int corner) {
  uint32_t half_edge = (uint32_t)(3 * triangle) + (uint32_t)corner;
  uint32_t twin = mesh->edge_twin[half_edge];
  return half_edge < twin ? half_edge : twin;
}

/// Adds the integral of x_i x_j over the tet spanned by the origin and p, times 120.
static void add_second_moment(double sum[3][3], const ts_vec3 p[3], double det) {
  ts_vec3 s = ts_vec3_add(ts_vec3_add(p[0], p[1]), p[2]);
  double v[4][3] = {{p[0].x, p[0].y, p[0].z},
                    {p[1].x, p[1].y, p[1].z},
                    {p[2].x, p[2].y, p[2].z},
                    {s.x, s.y, s.z}};
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++)
      sum[i][j] +=
          det * (v[0][i] * v[0][j] + v[1][i] * v[1][j] + v[2][i] * v[2][j] + v[3][i] * v[3][j]);
}

ts_mass_properties ts_mesh_mass_properties(const ts_mesh *mesh, double density_kg_m3) {
  ts_vec3 middle = surface_middle(mesh), first = {0, 0, 0}, p[3];
  double volume = 0;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    corners_from(p, mesh, t, middle);
    double det = determinant(p);
    volume += det;
    first = ts_vec3_add_scaled(first, det, ts_vec3_add(ts_vec3_add(p[0], p[1]), p[2]));
  }
  // The centre, seen from the middle. It is kept apart from it: their sum is rounded to the
  // coordinates of a mesh that may be far away.
  ts_vec3 offset = ts_vec3_scale(first, 1 / (4 * volume));

  double second[3][3] = {{0}};
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    corners_from(p, mesh, t, middle);
    for (int i = 0; i < 3; i++)
      p[i] = ts_vec3_sub(p[i], offset);
    add_second_moment(second, p, determinant(p));
  }

  ts_mass_properties out = {.volume_m3 = volume / 6,
                            .mass_kg = density_kg_m3 * volume / 6,
                            .centre_local = ts_vec3_add(middle, offset)};
  double trace = second[0][0] + second[1][1] + second[2][2];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double moment = i <= j ? second[i][j] : second[j][i];
      out.inertia_kg_m2[i][j] = density_kg_m3 / 120 * ((i == j ? trace : 0) - moment);
    }
  return out;
}
