// SPDX-License-Identifier: MIT
#include "tests/methods/semi_local/solid_oracle.h"

#include "geometry/closest.h"
#include "geometry/mesh/mesh.h"
#include "geometry/tet.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

const solid_kind solid_kinds[SOLID_KIND_COUNT] = {
    {"blocks", CONVEX_DOUBLES, 1, 1, false, false},
    {"blocks, turned", CONVEX_DOUBLES, 1, 1, false, true},
    {"thin blocks, turned", CONVEX_DOUBLES, 0.1, 1, false, true},
    {"blocks, millimetres", CONVEX_MILLIMETRES, 1, 1, false, false},
    {"blocks, floats", CONVEX_FLOATS, 1, 1, false, true},
    {"thin blocks, floats", CONVEX_FLOATS, 0.1, 1, false, true},
    {"bent", CONVEX_DOUBLES, 1, 1, true, true},
    {"thin bent", CONVEX_DOUBLES, 0.1, 1, true, true},
    {"bent, floats", CONVEX_FLOATS, 1, 1, true, true},
    {"bent, sizes to 1:10", CONVEX_DOUBLES, 0.3, 10, true, true},
};

enum { CELLS = 3, NODES = CELLS + 1, CELLS_ALL = CELLS * CELLS * CELLS, TETS_PER_CELL = 6 };
enum { NODES_ALL = NODES * NODES * NODES, TETS_MAX = TETS_PER_CELL * CELLS_ALL };

static int cell_at(int x, int y, int z) {
  return x + CELLS * (y + CELLS * z);
}

static void spread(bool *is_reached, const bool *is_solid, int x, int y, int z) {
  if (x < 0 || y < 0 || z < 0 || x >= CELLS || y >= CELLS || z >= CELLS)
    return;
  int cell = cell_at(x, y, z);
  if (is_reached[cell] || !is_solid[cell])
    return;
  is_reached[cell] = true;
  for (int axis = 0; axis < 3; axis++)
    for (int step = -1; step <= 1; step += 2)
      spread(is_reached, is_solid, x + (axis == 0) * step, y + (axis == 1) * step,
             z + (axis == 2) * step);
}

/// Cells that are connected over their sides.
static void random_cells(bool out[CELLS_ALL], ts_random *random) {
  int layers = 1 + (int)(ts_random_u64(random) % CELLS);
  double share = ts_random_uniform(random, 0.4, 0.9);
  bool is_solid[CELLS_ALL] = {false};
  int first = -1;
  for (int cell = 0; cell < layers * CELLS * CELLS; cell++) {
    is_solid[cell] = ts_random_unit(random) < share;
    first = first < 0 && is_solid[cell] ? cell : first;
  }
  memset(out, 0, CELLS_ALL * sizeof *out);
  if (first >= 0)
    spread(out, is_solid, first % CELLS, first / CELLS % CELLS, first / (CELLS * CELLS));
}

/// The tets of all cells: each is cut along its diagonal, alike, so that neighbours fit.
static size_t cut_cells(uint32_t (*out)[4], const bool *is_solid) {
  static const int orders[TETS_PER_CELL][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                               {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  static const uint32_t steps[3] = {1, NODES, NODES * NODES};
  size_t count = 0;
  for (int cell = 0; cell < CELLS_ALL; cell++) {
    if (!is_solid[cell])
      continue;
    uint32_t x = (uint32_t)(cell % CELLS), y = (uint32_t)(cell / CELLS % CELLS),
             z = (uint32_t)(cell / (CELLS * CELLS));
    for (int i = 0; i < TETS_PER_CELL; i++) {
      uint32_t *t = out[count++];
      t[0] = x * steps[0] + y * steps[1] + z * steps[2];
      for (int k = 0; k < 3; k++)
        t[k + 1] = t[k] + steps[orders[i][k]];
      if (i >= 3) { // an odd order of the axes
        uint32_t swap = t[2];
        t[2] = t[3];
        t[3] = swap;
      }
    }
  }
  return count;
}

/// The faces of tets that no other tet has.
static size_t find_surface(uint32_t (*out)[3], const uint32_t (*tets)[4], size_t tet_count) {
  size_t count = 0;
  for (size_t t = 0; t < tet_count; t++)
    for (int face = 0; face < 4; face++) {
      uint32_t nodes[3];
      bool is_shared = false;
      for (int k = 0; k < 3; k++)
        nodes[k] = tets[t][ts_tet_face_nodes[face][k]];
      for (size_t other = 0; other < tet_count && !is_shared; other++) {
        int common = 0;
        for (int k = 0; k < 3 && other != t; k++)
          for (int l = 0; l < 4; l++)
            common += tets[other][l] == nodes[k];
        is_shared = common == 3;
      }
      if (!is_shared)
        memcpy(out[count++], nodes, sizeof nodes);
    }
  return count;
}

/// Where the nodes of the grid are, about the origin.
static void place_nodes(ts_vec3 out[NODES_ALL], ts_random *random, const solid_kind *kind,
                        double size_m) {
  double lines[3][NODES] = {{0}};
  for (int axis = 0; axis < 3; axis++) {
    for (int i = 1; i < NODES; i++)
      lines[axis][i] = lines[axis][i - 1] + exp(ts_random_uniform(random, -1, 1));
    for (int i = NODES - 1; i >= 0; i--)
      lines[axis][i] = lines[axis][i] / lines[axis][NODES - 1] - 0.5;
  }
  for (int i = 0; i < NODES_ALL; i++) {
    const int at[3] = {i % NODES, i / NODES % NODES, i / (NODES * NODES)};
    double p[3];
    for (int axis = 0; axis < 3; axis++) {
      double narrowest = 1;
      for (int k = 1; k < NODES; k++)
        narrowest = ts_min(narrowest, lines[axis][k] - lines[axis][k - 1]);
      double bend = kind->is_bent ? 0.2 * narrowest * ts_random_uniform(random, -1, 1) : 0;
      p[axis] = size_m * (lines[axis][at[axis]] + bend) * (axis == 2 ? kind->thinness : 1);
    }
    out[i] = (ts_vec3){p[0], p[1], p[2]};
  }
}

static ts_quat random_rotation(ts_random *random) {
  double u[3];
  for (int i = 0; i < 3; i++)
    u[i] = ts_random_unit(random);
  return ts_quat_uniform(u[0], u[1], u[2]);
}

/// Turns the nodes that tets use, rounds them, and numbers them anew. Returns how many.
static uint32_t use_nodes(ts_vec3 *out, uint32_t (*tets)[4], size_t tet_count,
                          const ts_vec3 nodes[NODES_ALL], ts_quat turn, convex_grid grid) {
  uint32_t count = 0, new_index[NODES_ALL];
  memset(new_index, 0xff, sizeof new_index);
  for (size_t i = 0; i < 4 * tet_count; i++) {
    uint32_t *v = &tets[i / 4][i % 4];
    if (new_index[*v] == UINT32_MAX) {
      ts_vec3 p = ts_quat_rotate(turn, nodes[*v]);
      out[count] = (ts_vec3){convex_on_grid(p.x, grid), convex_on_grid(p.y, grid),
                             convex_on_grid(p.z, grid)};
      new_index[*v] = count++;
    }
    *v = new_index[*v];
  }
  return count;
}

static bool is_convex(const ts_mesh *mesh) {
  for (size_t h = 0; h < 3 * mesh->triangle_count; h++) {
    const uint32_t *t = mesh->triangles[h / 3], *beside = mesh->triangles[mesh->edge_twin[h] / 3];
    for (int k = 0; k < 3; k++)
      if (ts_vec3_dot(ts_mesh_face_normal(mesh, h / 3),
                      ts_vec3_sub(mesh->vertices[beside[k]], mesh->vertices[t[0]])) > 1e-6)
        return false;
  }
  return true;
}

/// NULL where cells meet in an edge or a corner only, where tets are flat, or where all is convex.
static const ts_mesh *try_solid(method_fixture *f, ts_random *random, const solid_kind *kind,
                                double size_m) {
  bool cells[CELLS_ALL];
  ts_vec3 nodes[NODES_ALL], vertices[NODES_ALL];
  uint32_t tets[TETS_MAX][4], triangles[4 * TETS_MAX][3];
  random_cells(cells, random);
  size_t tet_count = cut_cells(tets, cells);
  place_nodes(nodes, random, kind, size_m);
  // In single precision bodies are turned before they are rounded, as an exporter does.
  bool turns = kind->is_turned && kind->grid == CONVEX_FLOATS;
  ts_quat turn = turns ? random_rotation(random) : ts_quat_identity();
  uint32_t count = use_nodes(vertices, tets, tet_count, nodes, turn, kind->grid);
  size_t triangle_count = find_surface(triangles, (const uint32_t(*)[4])tets, tet_count);
  ts_mesh *mesh;
  if (tet_count < 2 * TETS_PER_CELL ||
      ts_mesh_create(&mesh, f->arena, vertices, count, (const uint32_t(*)[3])triangles,
                     triangle_count) != TS_OK ||
      ts_mesh_set_tets(mesh, f->arena, (const uint32_t(*)[4])tets, tet_count) != TS_OK ||
      is_convex(mesh))
    return NULL;
  return mesh;
}

const ts_mesh *solid_random(method_fixture *f, ts_random *random, const solid_kind *kind,
                            double size_m) {
  const ts_mesh *mesh = NULL;
  while (!mesh)
    mesh = try_solid(f, random, kind, size_m);
  return mesh;
}

/// The tets of a body in the world, and their boxes.
typedef struct placed_tets {
  ts_vec3 nodes[TETS_MAX][4];
  ts_aabb boxes[TETS_MAX];
} placed_tets;

static void place(placed_tets *out, const ts_mesh *mesh, ts_pose pose) {
  for (size_t t = 0; t < mesh->tet_count; t++) {
    out->boxes[t] = ts_aabb_empty();
    for (int i = 0; i < 4; i++) {
      out->nodes[t][i] = ts_pose_point(pose, mesh->vertices[mesh->tets[t][i]]);
      out->boxes[t] = ts_aabb_add(out->boxes[t], out->nodes[t][i]);
    }
  }
}

/// Lowers a depth to the overlap of two tets along an axis of any length. One of no direction that
/// rounding made is as good as any: along each the overlap is at least the depth.
static void try_axis(double *depth_m, ts_vec3 axis, const ts_vec3 a[4], const ts_vec3 b[4]) {
  ts_vec3 n = ts_vec3_unit(axis);
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  if (!(ts_vec3_norm2(n) > 0.5))
    return;
  for (int i = 0; i < 4; i++) {
    double along[2] = {ts_vec3_dot(n, ts_vec3_sub(a[i], a[0])),
                       ts_vec3_dot(n, ts_vec3_sub(b[i], a[0]))};
    for (int body = 0; body < 2; body++) {
      low[body] = ts_min(low[body], along[body]);
      high[body] = ts_max(high[body], along[body]);
    }
  }
  *depth_m = ts_min(*depth_m, ts_min(high[0] - low[1], high[1] - low[0]));
}

static ts_vec3 edge_of(const ts_vec3 tet[4], int edge) {
  return ts_vec3_sub(tet[ts_tet_edge_nodes[edge][1]], tet[ts_tet_edge_nodes[edge][0]]);
}

/// How deep two tets are in each other, of all 44 axes; not above `enough_m` where they are not.
static double tet_depth(const ts_vec3 a[4], const ts_vec3 b[4], double enough_m) {
  double depth_m = INFINITY;
  const ts_vec3 *tets[2] = {a, b};
  for (int body = 0; body < 2; body++)
    for (int face = 0; face < 4 && depth_m > enough_m; face++) {
      const int *nodes = ts_tet_face_nodes[face];
      const ts_vec3 *t = tets[body];
      try_axis(&depth_m,
               ts_vec3_cross(ts_vec3_sub(t[nodes[1]], t[nodes[0]]),
                             ts_vec3_sub(t[nodes[2]], t[nodes[0]])),
               a, b);
    }
  for (int i = 0; i < 36 && depth_m > enough_m; i++)
    try_axis(&depth_m, ts_vec3_cross(edge_of(a, i / 6), edge_of(b, i % 6)), a, b);
  return depth_m;
}

double solid_depth(const fixture_pair *pair) {
  placed_tets *placed = malloc(2 * sizeof *placed);
  double depth_m = 0;
  cr_assert_not_null(placed);
  for (int body = 0; body < 2; body++)
    place(&placed[body], pair->mesh[body], pair->pose[body]);
  for (size_t i = 0; i < pair->mesh[0]->tet_count; i++)
    for (size_t k = 0; k < pair->mesh[1]->tet_count; k++)
      if (ts_aabb_overlap(placed[0].boxes[i], placed[1].boxes[k]))
        depth_m = ts_max(depth_m, tet_depth(placed[0].nodes[i], placed[1].nodes[k], depth_m));
  free(placed);
  return depth_m;
}

double solid_distance(const ts_mesh *mesh, ts_pose pose, ts_vec3 point) {
  ts_vec3 p = ts_pose_point_local(pose, point);
  double nearest = INFINITY;
  for (size_t t = 0; t < mesh->triangle_count; t++) {
    const uint32_t *c = mesh->triangles[t];
    const ts_vec3 v[3] = {mesh->vertices[c[0]], mesh->vertices[c[1]], mesh->vertices[c[2]]};
    nearest = ts_min(nearest, ts_closest_point_triangle(p, v).distance_m);
  }
  for (size_t t = 0; t < mesh->tet_count; t++) {
    ts_vec3 v[4], replaced[4];
    bool is_inside = true;
    for (int i = 0; i < 4; i++)
      v[i] = mesh->vertices[mesh->tets[t][i]];
    for (int i = 0; i < 4; i++) {
      memcpy(replaced, v, sizeof v);
      replaced[i] = p;
      is_inside &= ts_tet_volume(replaced) >= 0;
    }
    if (is_inside)
      return 0;
  }
  return nearest;
}

static fixture_pair at(const fixture_pair *pair, ts_vec3 translation) {
  fixture_pair moved = *pair;
  moved.pose[1].translation = translation;
  return moved;
}

/// The middle of some tet of a body at its pose.
static ts_vec3 random_middle(ts_random *random, const fixture_pair *pair, int body) {
  const ts_mesh *mesh = pair->mesh[body];
  const uint32_t *tet = mesh->tets[ts_random_u64(random) % mesh->tet_count];
  ts_vec3 sum = {0, 0, 0};
  for (int i = 0; i < 4; i++)
    sum = ts_vec3_add_scaled(sum, 0.25, mesh->vertices[tet[i]]);
  return ts_pose_point(pair->pose[body], sum);
}

/// A translation of body 1, which is at the origin, with which it overlaps body 0.
static ts_vec3 random_inside(ts_random *random, const fixture_pair *pair) {
  ts_vec3 to = random_middle(random, pair, 0);
  return ts_vec3_sub(to, random_middle(random, pair, 1));
}

/// One with which it does not: near body 0 first, and farther from it where there is no room.
static ts_vec3 random_outside(ts_random *random, const fixture_pair *pair, double size_m,
                              double depth_m) {
  for (double far_m = 0.3 * size_m;; far_m *= 1.1) {
    ts_vec3 way = ts_quat_rotate(random_rotation(random), (ts_vec3){far_m, 0, 0});
    fixture_pair moved = at(pair, ts_vec3_add(random_inside(random, pair), way));
    if (solid_depth(&moved) <= depth_m)
      return moved.pose[1].translation;
  }
}

fixture_pair solid_random_pair(method_fixture *f, ts_random *random, const solid_kind *kind,
                               double way_of_size, double *out_size_m) {
  fixture_pair pair = {.pose = {ts_pose_identity(), ts_pose_identity()}};
  double large = ts_random_uniform(random, 0.1, 0.3);
  double small = large / pow(kind->ratio, ts_random_unit(random));
  bool swaps = ts_random_u64(random) % 2;
  pair.mesh[0] = solid_random(f, random, kind, swaps ? small : large);
  pair.mesh[1] = solid_random(f, random, kind, swaps ? large : small);
  if (kind->is_turned && kind->grid != CONVEX_FLOATS)
    for (int body = 0; body < 2; body++)
      pair.pose[body].rotation = random_rotation(random);
  *out_size_m = ts_min(ts_aabb_extent(ts_mesh_bounds(pair.mesh[0])),
                       ts_aabb_extent(ts_mesh_bounds(pair.mesh[1])));
  double depth_m = 1e-12 * *out_size_m;
  ts_vec3 outside = random_outside(random, &pair, *out_size_m, depth_m);
  ts_vec3 inside = random_inside(random, &pair), way = ts_vec3_unit(ts_vec3_sub(inside, outside));
  for (int halving = 0; halving < 44; halving++) {
    fixture_pair middle = at(&pair, ts_vec3_mid(outside, inside));
    *(solid_depth(&middle) > depth_m ? &inside : &outside) = middle.pose[1].translation;
  }
  ts_vec3 to = ts_vec3_add_scaled(inside, way_of_size * *out_size_m, way);
  // On the grid, too, faces of both bodies lie in one plane.
  if (kind->grid == CONVEX_MILLIMETRES && ts_random_u64(random) % 2)
    to = (ts_vec3){convex_on_grid(to.x, kind->grid), convex_on_grid(to.y, kind->grid),
                   convex_on_grid(to.z, kind->grid)};
  pair.pose[1].translation = to;
  return pair;
}
