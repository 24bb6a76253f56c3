#include "cases/published_tets.h"

#include "base/status.h"
#include "geometry/mesh_offset.h"
#include "geometry/tolerances.h"

#include <math.h>
#include <string.h>

// Each triangle of a box with the inner point.
static const uint32_t box_tets[12][4] = {{3, 2, 0, 8}, {0, 2, 6, 8}, {1, 0, 4, 8}, {1, 3, 0, 8},
                                         {3, 7, 2, 8}, {3, 1, 5, 8}, {4, 0, 6, 8}, {2, 7, 6, 8},
                                         {7, 4, 6, 8}, {1, 4, 5, 8}, {7, 3, 5, 8}, {4, 7, 5, 8}};

// The frusta of the pillar that stand with their wide end down: all tets meet the centre of the
// lower cap.
static const uint32_t frustum_tets[18][4] = {
    {12, 8, 2, 9},   {13, 7, 12, 8}, {1, 12, 8, 2},    {13, 8, 12, 9},  {3, 12, 2, 9},
    {12, 1, 8, 7},   {0, 12, 7, 1},  {13, 6, 12, 7},   {12, 0, 7, 6},   {10, 12, 3, 9},
    {12, 10, 13, 9}, {12, 10, 3, 4}, {12, 11, 13, 10}, {4, 11, 12, 10}, {12, 6, 13, 11},
    {0, 12, 5, 6},   {5, 12, 4, 11}, {5, 6, 12, 11}};

// The frustum that stands on its narrow end: all tets meet the centre of the upper cap.
static const uint32_t capital_tets[18][4] = {
    {13, 10, 3, 4}, {11, 4, 10, 13}, {10, 13, 3, 9}, {4, 12, 13, 5}, {12, 4, 13, 3}, {11, 4, 13, 5},
    {13, 6, 11, 5}, {12, 0, 13, 5},  {13, 0, 6, 5},  {9, 2, 13, 3},  {13, 2, 12, 3}, {13, 1, 12, 2},
    {8, 13, 9, 2},  {8, 1, 13, 2},   {13, 0, 12, 1}, {13, 0, 7, 6},  {7, 13, 8, 1},  {0, 13, 7, 1}};

static const uint32_t pillar_stone_tets[12][4] = {
    {3, 2, 1, 8}, {2, 0, 1, 8}, {3, 1, 5, 8}, {1, 0, 4, 8}, {2, 6, 0, 8}, {2, 3, 7, 8},
    {5, 1, 4, 8}, {3, 5, 7, 8}, {0, 6, 4, 8}, {6, 2, 7, 8}, {5, 6, 7, 8}, {6, 5, 4, 8}};

static const uint32_t ring_stone_tets[6][4] = {{2, 6, 4, 5}, {7, 6, 2, 5}, {2, 4, 1, 5},
                                               {2, 5, 1, 7}, {2, 0, 1, 4}, {1, 3, 2, 7}};

static const uint32_t crack_block_tets[24][4] = {
    {1, 16, 0, 18},  {1, 2, 0, 16},   {3, 14, 2, 16},  {3, 4, 2, 14},   {5, 6, 4, 14},
    {1, 16, 18, 19}, {3, 2, 1, 16},   {14, 16, 3, 17}, {5, 4, 3, 14},   {7, 12, 6, 14},
    {7, 8, 6, 12},   {10, 8, 9, 12},  {12, 14, 7, 15}, {7, 6, 5, 14},   {12, 9, 10, 13},
    {9, 8, 7, 12},   {16, 19, 1, 17}, {16, 1, 3, 17},  {14, 17, 3, 15}, {5, 14, 3, 15},
    {7, 14, 5, 15},  {12, 15, 7, 13}, {12, 7, 9, 13},  {13, 9, 10, 11}};

static const uint32_t spike_tets[2][4] = {{4, 1, 0, 3}, {0, 1, 2, 3}};

static const uint32_t hole_block_tets[92][4] = {
    {12, 2, 1, 4},    {12, 4, 1, 14},   {11, 12, 1, 14},  {1, 4, 3, 14},    {1, 13, 11, 14},
    {3, 13, 1, 14},   {21, 12, 20, 14}, {20, 12, 11, 14}, {22, 21, 20, 14}, {21, 14, 0, 30},
    {0, 21, 22, 14},  {11, 22, 20, 14}, {13, 22, 11, 14}, {3, 4, 6, 14},    {3, 6, 5, 14},
    {5, 6, 15, 14},   {0, 6, 17, 14},   {15, 6, 0, 14},   {5, 15, 3, 14},   {3, 15, 13, 14},
    {0, 22, 13, 14},  {13, 15, 0, 14},  {13, 22, 0, 23},  {0, 15, 13, 23},  {20, 21, 22, 30},
    {28, 21, 20, 30}, {27, 28, 20, 30}, {22, 21, 0, 30},  {20, 29, 27, 30}, {22, 29, 20, 30},
    {36, 28, 27, 30}, {37, 28, 36, 30}, {36, 39, 37, 30}, {38, 39, 36, 30}, {27, 38, 36, 30},
    {29, 38, 27, 30}, {0, 29, 22, 30},  {0, 31, 29, 30},  {22, 29, 0, 31},  {0, 23, 22, 31},
    {38, 41, 39, 30}, {40, 41, 38, 30}, {33, 41, 0, 30},  {0, 41, 31, 30},  {31, 41, 40, 30},
    {31, 40, 29, 30}, {29, 40, 38, 30}, {5, 17, 15, 6},   {15, 17, 0, 6},   {8, 17, 5, 6},
    {5, 8, 7, 17},    {7, 16, 5, 17},   {5, 16, 15, 17},  {15, 23, 0, 24},  {15, 16, 0, 17},
    {16, 24, 0, 17},  {0, 16, 15, 24},  {7, 8, 9, 17},    {9, 8, 10, 17},   {10, 19, 9, 17},
    {9, 19, 18, 17},  {9, 16, 7, 17},   {18, 16, 9, 17},  {0, 17, 26, 33},  {24, 26, 0, 17},
    {19, 26, 25, 17}, {18, 19, 25, 17}, {25, 26, 24, 17}, {18, 24, 16, 17}, {25, 24, 18, 17},
    {23, 31, 0, 32},  {0, 24, 23, 32},  {0, 32, 31, 33},  {24, 32, 0, 33},  {0, 33, 31, 41},
    {31, 33, 40, 41}, {33, 43, 40, 41}, {40, 33, 42, 43}, {32, 42, 31, 33}, {31, 42, 40, 33},
    {0, 26, 24, 33},  {24, 26, 25, 33}, {26, 35, 25, 33}, {25, 35, 34, 33}, {25, 32, 24, 33},
    {34, 32, 25, 33}, {42, 33, 44, 43}, {34, 35, 44, 33}, {44, 33, 35, 43}, {35, 45, 44, 43},
    {34, 42, 32, 33}, {44, 42, 34, 33}};

static const uint32_t wedge_tets[3][4] = {{3, 1, 0, 2}, {3, 2, 4, 1}, {1, 4, 5, 2}};

// The frustum of cliff_edges.
static const uint32_t cliff_tets[6][4] = {{2, 1, 4, 0}, {2, 4, 5, 6}, {4, 2, 5, 1},
                                          {2, 5, 7, 6}, {2, 3, 5, 1}, {3, 2, 5, 7}};

static const uint32_t cube_tets[6][4] = {{1, 0, 6, 3}, {6, 1, 5, 0}, {1, 3, 6, 5},
                                         {0, 2, 6, 3}, {6, 5, 4, 0}, {3, 7, 6, 5}};

static const uint32_t block_tets[18][4] = {
    {5, 6, 11, 7},   {5, 11, 12, 7}, {12, 11, 5, 8}, {7, 8, 11, 12},  {13, 5, 11, 8},
    {13, 5, 10, 11}, {3, 4, 10, 5},  {3, 10, 13, 5}, {13, 11, 10, 9}, {10, 9, 3, 13},
    {12, 5, 1, 8},   {1, 5, 13, 8},  {11, 9, 13, 8}, {8, 7, 0, 12},   {0, 1, 8, 12},
    {8, 1, 9, 13},   {2, 3, 9, 13},  {1, 2, 9, 13}};

#define TETS(array) .tet_count = sizeof(array) / sizeof *(array), .tets = (array)

static const ts_published_tets table[] = {
    {.shape = "ground",
     .extent_m = {3.0, 0.3, 3.0},
     .volume_m3 = 2.7,
     .vertex_count = 8,
     .has_inner = true,
     .inner_designed = {-0.654455125, -0.000144264, 0.648581803},
     .inner_eroded = {-0.644031763, -9.3392e-05, 0.679321349},
     TETS(box_tets)},
    {.shape = "stone_0",
     .extent_m = {0.5, 0.21, 0.5},
     .volume_m3 = 0.0525,
     .vertex_count = 8,
     .has_inner = true,
     .inner_designed = {-0.0438020192, -0.000182796, 0.0434339009},
     .inner_eroded = {-0.0441403948, -0.000110562, 0.0445647016},
     TETS(box_tets)},
    {.shape = "stone_1",
     .extent_m = {0.5, 0.21, 0.433012701892},
     .volume_m3 = 0.0277344635562,
     .vertex_count = 14,
     .shrinks = true,
     TETS(frustum_tets)},
    {.shape = "stone_2",
     .extent_m = {0.4, 0.933333333333, 0.346410161514},
     .volume_m3 = 0.0891364665599,
     .vertex_count = 14,
     .shrinks = true,
     TETS(frustum_tets)},
    {.shape = "stone_3",
     .extent_m = {0.366666666667, 0.933333333333, 0.317542648054},
     .volume_m3 = 0.0743178096507,
     .vertex_count = 14,
     .shrinks = true,
     TETS(frustum_tets)},
    {.shape = "stone_4",
     .extent_m = {0.333333333333, 0.933333333333, 0.288675134595},
     .volume_m3 = 0.0608463033696,
     .vertex_count = 14,
     .shrinks = true,
     TETS(frustum_tets)},
    {.shape = "stone_5",
     .extent_m = {0.5, 0.175, 0.433012701892},
     .volume_m3 = 0.0185654195936,
     .vertex_count = 14,
     .shrinks = true,
     TETS(capital_tets)},
    {.shape = "stone_6",
     .extent_m = {0.5, 0.105, 0.5},
     .volume_m3 = 0.02625,
     .vertex_count = 8,
     .has_inner = true,
     .inner_designed = {-0.0891963169, 8.868e-05, 0.0888246819},
     .inner_eroded = {-0.0913369581, -2.79e-05, 0.0926076546},
     TETS(box_tets)},
    {.shape = "ground",
     .extent_m = {10.0, 1.0, 10.0},
     .volume_m3 = 100.0,
     .vertex_count = 8,
     .has_inner = true,
     .inner_designed = {-1.93603134, -0.000480831, 1.90853572},
     .inner_eroded = {-2.1946137, 6.9827e-05, 2.24244952},
     TETS(box_tets)},
    {.shape = "brick",
     .extent_m = {0.625, 0.4, 0.5},
     .volume_m3 = 0.125,
     .vertex_count = 8,
     .has_inner = true,
     .inner_designed = {0, 0, 0},
     .inner_eroded = {0.0018596435, 0, 0},
     TETS(box_tets)},
    {.shape = "pillar_stone",
     .extent_m = {0.5, 0.666666666667, 2.0},
     .volume_m3 = 0.666666666667,
     .vertex_count = 8,
     .has_inner = true,
     .inner_designed = {0.00015295, -0.0809298063, 0.432097077},
     .inner_eroded = {-0.00038004, -0.0809044443, 0.434609056},
     TETS(pillar_stone_tets)},
    {.shape = "ring_stone",
     .extent_m = {0.890083735825, 0.487463956091, 2.0},
     .volume_m3 = 0.759296543456,
     .vertex_count = 8,
     TETS(ring_stone_tets)},
    {.shape = "crack_block",
     .extent_m = {2.0, 1.0, 4.0},
     .volume_m3 = 7.0,
     .vertex_count = 20,
     .shrinks = true,
     TETS(crack_block_tets)},
    {.shape = "spike",
     .extent_m = {1.6, 2.4, 1.6},
     .volume_m3 = 2.048,
     .vertex_count = 5,
     TETS(spike_tets)},
    {.shape = "hole_block",
     .extent_m = {2.0, 1.0, 2.0},
     .volume_m3 = 3.83333333333,
     .vertex_count = 46,
     .shrinks = true,
     TETS(hole_block_tets)},
    {.shape = "wedge",
     .extent_m = {1.6, 2.4, 3.2},
     .volume_m3 = 6.144,
     .vertex_count = 6,
     TETS(wedge_tets)},
    {.shape = "slab",
     .extent_m = {20.0, 2.0, 20.0},
     .volume_m3 = 800.0,
     .vertex_count = 8,
     .has_inner = true,
     .inner_designed = {-3.87206268, -0.00096166, 3.81707144},
     .inner_eroded = {-1.2884202, -0.00040102, 4.23453283},
     TETS(box_tets)},
    {.shape = "frustum",
     .extent_m = {4.8, 3.2, 4.8},
     .volume_m3 = 51.8826666667,
     .vertex_count = 8,
     TETS(cliff_tets)},
    {.shape = "cube",
     .extent_m = {3.2, 3.2, 3.2},
     .volume_m3 = 32.768,
     .vertex_count = 8,
     TETS(cube_tets)},
    {.shape = "block",
     .extent_m = {4.0, 2.0, 4.0},
     .volume_m3 = 32.0,
     .vertex_count = 14,
     .shrinks = true,
     TETS(block_tets)},
    {.shape = "cube",
     .extent_m = {2.0, 2.0, 2.0},
     .volume_m3 = 8.0,
     .vertex_count = 8,
     TETS(cube_tets)},
};

const ts_published_tets *ts_published_tets_all(size_t *out_count) {
  *out_count = sizeof table / sizeof *table;
  return table;
}

static bool is_near(double a, double b) {
  return fabs(a - b) <= TS_POSITION_RELATIVE * b;
}

// An inner point and a connectivity belong to one solid: another of the same name has its own.
static bool fits(const ts_published_tets *p, const ts_shape *shape, double scale) {
  if (strcmp(p->shape, shape->name) != 0 || p->vertex_count != shape->mesh->vertex_count)
    return false;
  ts_vec3 extent = ts_vec3_sub(shape->bounds_local.high, shape->bounds_local.low);
  double volume_m3 = ts_mesh_mass_properties(shape->mesh, 1).volume_m3;
  return is_near(extent.x, scale * p->extent_m[0]) && is_near(extent.y, scale * p->extent_m[1]) &&
         is_near(extent.z, scale * p->extent_m[2]) &&
         is_near(volume_m3, scale * scale * scale * p->volume_m3);
}

ts_status ts_published_tets_find(const ts_published_tets **out, const ts_shape *shape,
                                 double scale) {
  size_t count;
  const ts_published_tets *all = ts_published_tets_all(&count);
  for (size_t i = 0; i < count; i++)
    if (fits(&all[i], shape, scale)) {
      *out = &all[i];
      return TS_OK;
    }
  ts_vec3 extent = ts_vec3_sub(shape->bounds_local.high, shape->bounds_local.low);
  return ts_fail(
      TS_E_INPUT,
      "no published tets fit the shape %s of %g x %g x %g m: leave out tets=published, or "
      "what gives the shape another form than in Erleben 2018",
      shape->name, extent.x, extent.y, extent.z);
}

// The surface as it was eroded, in the arena: `surface` moved or shrunk.
static ts_status erode(const ts_mesh **out, ts_arena *arena, const ts_published_tets *p,
                       const ts_mesh *surface, double scale) {
  ts_mesh *eroded;
  if (!p->shrinks) {
    TS_TRY(ts_mesh_offset_vertices(&eroded, arena, surface, -TS_PUBLISHED_EROSION_M * scale));
    *out = eroded;
    return TS_OK;
  }
  size_t count = surface->vertex_count;
  ts_vec3 *vertices = ts_arena_array(arena, count, sizeof *vertices), mean = {0, 0, 0};
  if (vertices == NULL)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++)
    mean = ts_vec3_add(mean, surface->vertices[i]);
  mean = ts_vec3_scale(mean, 1 / (double)count);
  for (size_t i = 0; i < count; i++)
    vertices[i] = ts_vec3_lerp(mean, surface->vertices[i], TS_PUBLISHED_SHRINK);
  TS_TRY(ts_mesh_with_vertices(&eroded, arena, surface, vertices));
  *out = eroded;
  return TS_OK;
}

ts_status ts_published_tets_mesh(ts_mesh **out, ts_arena *arena, const ts_shape *shape,
                                 double scale, bool is_eroded) {
  const ts_published_tets *p;
  TS_TRY(ts_published_tets_find(&p, shape, scale));
  const ts_mesh *surface = shape->mesh;
  if (is_eroded)
    TS_TRY(erode(&surface, arena, p, surface, scale));
  size_t count = surface->vertex_count;
  ts_vec3 *vertices = ts_arena_array(arena, count + 1, sizeof *vertices);
  if (vertices == NULL)
    return TS_E_MEMORY;
  memcpy(vertices, surface->vertices, count * sizeof *vertices);
  vertices[count] = ts_vec3_scale(is_eroded ? p->inner_eroded : p->inner_designed, scale);
  TS_TRY(ts_mesh_create(out, arena, vertices, p->has_inner ? count + 1 : count,
                        (const uint32_t(*)[3])surface->triangles, surface->triangle_count));
  return ts_mesh_set_tets(*out, arena, p->tets, p->tet_count);
}
