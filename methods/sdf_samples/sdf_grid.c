// SPDX-License-Identifier: MIT
#include "methods/sdf_samples/sdf_grid.h"

#include "base/status.h"
#include "geometry/distance/mesh_nearest.h"

// Nodes along a side of a block.
#define SIDE        8
#define BLOCK_NODES ((size_t)SIDE * SIDE * SIDE)
// Cells that the band has beyond the reach: half a one for the differences, the diagonal of the
// cell around that, and rounding.
#define BAND_CELLS  3
// Of the band: more than rounding does to the distance from a node to a sphere.
#define FAR_SLACK   1e-6

struct ts_sdf_grid {
  ts_vec3 origin; ///< the first node
  double cell_m;
  int blocks[3];      ///< along each axis
  uint32_t *block_at; ///< [blocks], x fastest: 1 + index into `values` [BLOCK_NODES]; 0: none
  double *values;     ///< signed distance of each node [m]; INFINITY: beyond the band
};

/// What is needed while a grid is filled.
typedef struct filling {
  ts_sdf_grid *grid;
  const ts_mesh *mesh;
  double band_m;
  uint32_t *nearest; ///< triangle of each node; meanwhile values are distances without a sign
} filling;

/// A triangle, and the nodes within the band of its box.
typedef struct spread {
  uint32_t triangle;
  ts_vec3 corners[3], normal;
  ts_vec3 centre; ///< of a sphere around the triangle
  double radius_m;
  int low[3], high[3]; ///< inclusive
} spread;

static double component(ts_vec3 v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static ts_vec3 node_point(const ts_sdf_grid *grid, const int node[3]) {
  ts_vec3 steps = {node[0], node[1], node[2]};
  return ts_vec3_add_scaled(grid->origin, grid->cell_m, steps);
}

static size_t block_index(const ts_sdf_grid *grid, const int block[3]) {
  size_t row = (size_t)block[2] * (size_t)grid->blocks[1] + (size_t)block[1];
  return row * (size_t)grid->blocks[0] + (size_t)block[0];
}

static size_t node_in_block(int x, int y, int z) {
  return (size_t)((z % SIDE * SIDE + y % SIDE) * SIDE + x % SIDE);
}

static double node_value(const ts_sdf_grid *grid, int x, int y, int z) {
  const int block[3] = {x / SIDE, y / SIDE, z / SIDE};
  uint32_t at = grid->block_at[block_index(grid, block)];
  return at ? grid->values[(at - 1) * BLOCK_NODES + node_in_block(x, y, z)] : (double)INFINITY;
}

static spread spread_of(const filling *f, uint32_t triangle) {
  spread s = {.triangle = triangle, .normal = ts_mesh_face_normal(f->mesh, triangle)};
  ts_aabb box = ts_aabb_empty();
  for (int i = 0; i < 3; i++) {
    s.corners[i] = f->mesh->vertices[f->mesh->triangles[triangle][i]];
    box = ts_aabb_add(box, s.corners[i]);
  }
  s.centre = ts_vec3_mid(box.low, box.high);
  for (int i = 0; i < 3; i++)
    s.radius_m = fmax(s.radius_m, ts_vec3_distance(s.centre, s.corners[i]));
  box = ts_aabb_inflate(box, f->band_m);
  const ts_sdf_grid *grid = f->grid;
  for (int axis = 0; axis < 3; axis++) {
    double origin = component(grid->origin, axis);
    int last = SIDE * grid->blocks[axis] - 1;
    int low = (int)ceil((component(box.low, axis) - origin) / grid->cell_m);
    int high = (int)floor((component(box.high, axis) - origin) / grid->cell_m);
    s.low[axis] = low > 0 ? low : 0;
    s.high[axis] = high < last ? high : last;
  }
  return s;
}

typedef void block_visit(filling *f, const spread *s, const int block[3]);

/// Visits the blocks that may have nodes within the band of a triangle.
static void visit_blocks(filling *f, const spread *s, block_visit *visit) {
  double around_m = f->band_m + 0.5 * sqrt(3.0) * SIDE * f->grid->cell_m;
  int block[3];
  for (block[2] = s->low[2] / SIDE; block[2] <= s->high[2] / SIDE; block[2]++)
    for (block[1] = s->low[1] / SIDE; block[1] <= s->high[1] / SIDE; block[1]++)
      for (block[0] = s->low[0] / SIDE; block[0] <= s->high[0] / SIDE; block[0]++) {
        const int middle[3] = {SIDE * block[0] + SIDE / 2, SIDE * block[1] + SIDE / 2,
                               SIDE * block[2] + SIDE / 2};
        ts_vec3 offset = ts_vec3_sub(node_point(f->grid, middle), s->corners[0]);
        if (fabs(ts_vec3_dot(offset, s->normal)) <= around_m)
          visit(f, s, block);
      }
}

static void mark_block(filling *f, const spread *s, const int block[3]) {
  (void)s;
  f->grid->block_at[block_index(f->grid, block)] = 1;
}

static void try_node(const filling *f, const spread *s, const int node[3], size_t at) {
  ts_vec3 point = node_point(f->grid, node);
  double height_m = fabs(ts_vec3_dot(ts_vec3_sub(point, s->corners[0]), s->normal));
  double *value = &f->grid->values[at];
  if (height_m > f->band_m || height_m > *value)
    return;
  // Of a mesh that is finer than the grid nearly all triangles are farther than one seen before.
  double near_m = *value + s->radius_m + FAR_SLACK * f->band_m;
  if (ts_vec3_norm2(ts_vec3_sub(point, s->centre)) > near_m * near_m)
    return;
  double distance_m = ts_closest_point_triangle(point, s->corners).distance_m;
  if (distance_m < *value) {
    *value = distance_m;
    f->nearest[at] = s->triangle;
  }
}

static void measure_block(filling *f, const spread *s, const int block[3]) {
  int low[3], high[3], node[3];
  for (int axis = 0; axis < 3; axis++) {
    int first = SIDE * block[axis], last = first + SIDE - 1;
    low[axis] = s->low[axis] > first ? s->low[axis] : first;
    high[axis] = s->high[axis] < last ? s->high[axis] : last;
  }
  size_t start = (f->grid->block_at[block_index(f->grid, block)] - 1) * BLOCK_NODES;
  for (node[2] = low[2]; node[2] <= high[2]; node[2]++)
    for (node[1] = low[1]; node[1] <= high[1]; node[1]++)
      for (node[0] = low[0]; node[0] <= high[0]; node[0]++)
        try_node(f, s, node, start + node_in_block(node[0], node[1], node[2]));
}

static double signed_value(const filling *f, const int node[3], size_t at) {
  double distance_m = f->grid->values[at];
  if (!(distance_m <= f->band_m))
    return INFINITY;
  ts_vec3 point = node_point(f->grid, node), corners[3];
  for (int i = 0; i < 3; i++)
    corners[i] = f->mesh->vertices[f->mesh->triangles[f->nearest[at]][i]];
  ts_mesh_nearest nearest = {ts_closest_point_triangle(point, corners), f->nearest[at]};
  return ts_mesh_is_inside_of(f->mesh, &nearest, point) ? -distance_m : distance_m;
}

/// The signs, once the nearest triangles are known.
static void sign_block(const filling *f, const int block[3]) {
  uint32_t number = f->grid->block_at[block_index(f->grid, block)];
  for (int k = 0; number && k < (int)BLOCK_NODES; k++) {
    const int node[3] = {SIDE * block[0] + k % SIDE, SIDE * block[1] + k / SIDE % SIDE,
                         SIDE * block[2] + k / (SIDE * SIDE)};
    size_t at = (number - 1) * BLOCK_NODES + (size_t)k;
    f->grid->values[at] = signed_value(f, node, at);
  }
}

/// Numbers the marked blocks; returns how many there are.
static uint32_t number_blocks(ts_sdf_grid *grid, size_t block_count) {
  uint32_t count = 0;
  for (size_t i = 0; i < block_count; i++)
    if (grid->block_at[i])
      grid->block_at[i] = ++count;
  return count;
}

static ts_status fill(filling *f, ts_arena *arena) {
  ts_sdf_grid *grid = f->grid;
  size_t block_count = (size_t)grid->blocks[0] * (size_t)grid->blocks[1] * (size_t)grid->blocks[2];
  grid->block_at = ts_arena_array(arena, block_count, sizeof *grid->block_at);
  if (!grid->block_at)
    return TS_E_MEMORY;
  for (uint32_t t = 0; t < f->mesh->triangle_count; t++) {
    spread s = spread_of(f, t);
    visit_blocks(f, &s, mark_block);
  }
  size_t node_count = number_blocks(grid, block_count) * BLOCK_NODES;
  grid->values = ts_arena_array(arena, node_count, sizeof *grid->values);
  ts_arena_mark mark = ts_arena_get_mark(arena);
  f->nearest = ts_arena_array(arena, node_count, sizeof *f->nearest);
  if (!grid->values || !f->nearest)
    return TS_E_MEMORY;
  for (size_t i = 0; i < node_count; i++)
    grid->values[i] = INFINITY;
  for (uint32_t t = 0; t < f->mesh->triangle_count; t++) {
    spread s = spread_of(f, t);
    visit_blocks(f, &s, measure_block);
  }
  int block[3];
  for (block[2] = 0; block[2] < grid->blocks[2]; block[2]++)
    for (block[1] = 0; block[1] < grid->blocks[1]; block[1]++)
      for (block[0] = 0; block[0] < grid->blocks[0]; block[0]++)
        sign_block(f, block);
  ts_arena_rewind(arena, mark);
  return TS_OK;
}

ts_status ts_sdf_grid_create(ts_sdf_grid **out, ts_arena *arena, const ts_mesh *mesh, int cells,
                             double reach_m) {
  ts_sdf_grid *grid = ts_arena_alloc(arena, sizeof *grid);
  if (!grid)
    return TS_E_MEMORY;
  ts_aabb box = ts_mesh_bounds(mesh);
  ts_vec3 size = ts_vec3_sub(box.high, box.low);
  grid->cell_m = ts_aabb_extent(box) / cells;
  double band_m = reach_m + BAND_CELLS * grid->cell_m;
  double beside = ceil(band_m / grid->cell_m);
  grid->origin = ts_vec3_add_scaled(box.low, -beside * grid->cell_m, (ts_vec3){1, 1, 1});
  for (int axis = 0; axis < 3; axis++) {
    double nodes = ceil(component(size, axis) / grid->cell_m) + 2 * beside + 1;
    grid->blocks[axis] = (int)ceil(nodes / SIDE);
  }
  filling f = {.grid = grid, .mesh = mesh, .band_m = band_m};
  TS_TRY(fill(&f, arena));
  *out = grid;
  return TS_OK;
}

double ts_sdf_grid_value(const ts_sdf_grid *grid, ts_vec3 point_local) {
  ts_vec3 at = ts_vec3_scale(ts_vec3_sub(point_local, grid->origin), 1 / grid->cell_m);
  int cell[3];
  double t[3];
  for (int axis = 0; axis < 3; axis++) {
    double x = component(at, axis), low = floor(x);
    if (!(low >= 0) || low >= SIDE * grid->blocks[axis] - 1)
      return INFINITY;
    cell[axis] = (int)low;
    t[axis] = x - low;
  }
  double value = 0;
  for (int corner = 0; corner < 8; corner++) {
    int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2;
    double weight = (x ? t[0] : 1 - t[0]) * (y ? t[1] : 1 - t[1]) * (z ? t[2] : 1 - t[2]);
    if (weight > 0)
      value += weight * node_value(grid, cell[0] + x, cell[1] + y, cell[2] + z);
  }
  return value;
}

ts_vec3 ts_sdf_grid_gradient(const ts_sdf_grid *grid, ts_vec3 point_local) {
  double half_m = 0.5 * grid->cell_m, rise[3];
  for (int axis = 0; axis < 3; axis++) {
    ts_vec3 step = {axis == 0, axis == 1, axis == 2};
    rise[axis] = ts_sdf_grid_value(grid, ts_vec3_add_scaled(point_local, half_m, step)) -
                 ts_sdf_grid_value(grid, ts_vec3_add_scaled(point_local, -half_m, step));
  }
  return ts_vec3_unit((ts_vec3){rise[0], rise[1], rise[2]});
}
