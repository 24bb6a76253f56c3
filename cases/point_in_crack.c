// SPDX-License-Identifier: MIT
// A tip or a ridge at the bottom of a concave groove or pit: all walls are needed to hold it.
#include "base/status.h"
#include "cases/case.h"
#include "cases/scene/shapes.h"

#include <stdlib.h>
#include <string.h>

static const double speed_m_s = 0.8;

// Triangles of a surface under construction.
typedef struct surface {
  uint32_t triangles[96][3];
  size_t count;
} surface;

static void push_triangle(surface *out, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t triangle[3] = {a, b, c};
  memcpy(out->triangles[out->count++], triangle, sizeof triangle);
}

// A quad, counter-clockwise from outside, cut from a to c, or from b to d when it is turned.
static void push_quad(surface *out, uint32_t a, uint32_t b, uint32_t c, uint32_t d, bool turned) {
  push_triangle(out, a, b, turned ? d : c);
  push_triangle(out, turned ? b : a, c, d);
}

// The block with a groove is a prism along z. Its profile, counter-clockwise seen from +z: ten
// vertices in five columns, the bottom row from left to right, then the top row back.
enum { PROFILE = 10, GROOVE = 7 };
static const double profile[PROFILE][2] = {{-1, -0.5},  {-0.5, -0.5}, {0, -0.5},  {0.5, -0.5},
                                           {1, -0.5},   {1, 0.5},     {0.5, 0.5}, {0, 0},
                                           {-0.5, 0.5}, {-1, 0.5}};
static const double crack_half_length_m = 2;
// The bottom line of the groove: vertex i of the profile is at 2 i (-z) and 2 i + 1 (+z).
static const ts_corners crack_line = {2, {2 * GROOVE, 2 * GROOVE + 1}};

static void place_ends(ts_vec3 out[2], uint32_t profile_vertex) {
  const double *at = profile[profile_vertex];
  out[0] = ts_vec3_make(at[0], at[1], -crack_half_length_m);
  out[1] = ts_vec3_make(at[0], at[1], crack_half_length_m);
}

// The block is cut in the middle plane, through the bottom line of the groove: two prisms on
// pentagons, whose corners are vertices of the profile.
enum { PENTAGON = 5 };
static const uint32_t crack_pentagons[2][PENTAGON] = {{0, 2, GROOVE, 8, 9}, {2, 4, 5, 6, GROOVE}};

static ts_status add_crack_pieces(ts_scene *scene, int32_t block) {
  for (int side = 0; side < 2; side++) {
    ts_vec3 vertices[2 * PENTAGON];
    surface s = {.count = 0};
    for (uint32_t i = 0; i < PENTAGON; i++) {
      uint32_t next = (i + 1) % PENTAGON;
      place_ends(&vertices[2 * i], crack_pentagons[side][i]);
      push_quad(&s, 2 * i, 2 * next, 2 * next + 1, 2 * i + 1, false);
      if (i == 0 || next == 0)
        continue;
      push_triangle(&s, 1, 2 * i + 1, 2 * next + 1);
      push_triangle(&s, 0, 2 * next, 2 * i);
    }
    TS_TRY(ts_scene_add_piece(scene, block, vertices, 2 * PENTAGON,
                              (const uint32_t(*)[3])s.triangles, s.count));
  }
  return TS_OK;
}

static ts_status add_crack_block(int32_t *out, ts_scene *scene) {
  ts_vec3 vertices[2 * PROFILE];
  surface s = {.count = 0};
  for (uint32_t i = 0; i < PROFILE; i++) {
    uint32_t next = (i + 1) % PROFILE;
    place_ends(&vertices[2 * i], i);
    // The bottom and the right side are cut the other way than the rest.
    push_quad(&s, 2 * i, 2 * next, 2 * next + 1, 2 * i + 1, i < PROFILE / 2);
  }
  for (uint32_t column = 0; column < 4; column++) {
    uint32_t a = 2 * column, b = a + 2, d = 2 * (PROFILE - 1 - column), c = d - 2;
    // Both caps alike: in the left half from lower left to upper right, mirrored in the right half.
    bool is_right_half = column >= 2;
    push_quad(&s, a + 1, b + 1, c + 1, d + 1, is_right_half);
    push_quad(&s, d, c, b, a, !is_right_half);
  }
  TS_TRY(ts_scene_add_shape(out, scene, "crack_block", vertices, 2 * PROFILE,
                            (const uint32_t(*)[3])s.triangles, s.count));
  return add_crack_pieces(scene, *out);
}

// The block with a pit is a grid of 5 x 5 points, half a metre apart: all of them at the
// bottom, and at the top those that are not inside the pit's rim. The rim's edges are undivided.
enum { GRID = 5, MIDDLE = 2, LAST = GRID - 1 };
static const double grid_step_m = 0.5, hole_half_height_m = 0.5;
static const ts_corners pit_bottom = {1, {0}};

typedef struct hole_grid {
  ts_vec3 vertices[1 + 2 * GRID * GRID];
  size_t count;
  uint32_t bottom[GRID][GRID], top[GRID][GRID]; // [x][z]
} hole_grid;

static uint32_t push_vertex(hole_grid *grid, int x, double y, int z) {
  grid->vertices[grid->count] =
      ts_vec3_make(grid_step_m * (x - MIDDLE), y, grid_step_m * (z - MIDDLE));
  return (uint32_t)grid->count++;
}

static void lay_out(hole_grid *grid) {
  grid->count = 0;
  uint32_t pit = push_vertex(grid, MIDDLE, 0, MIDDLE);
  for (int x = 0; x < GRID; x++) {
    for (int z = 0; z < GRID; z++) {
      grid->bottom[x][z] = push_vertex(grid, x, -hole_half_height_m, z);
      bool is_inside = abs(x - MIDDLE) + abs(z - MIDDLE) <= 1;
      grid->top[x][z] = is_inside ? pit : push_vertex(grid, x, hole_half_height_m, z);
    }
  }
}

static void push_bottom_and_sides(surface *out, const hole_grid *grid) {
  const uint32_t(*b)[GRID] = grid->bottom, (*t)[GRID] = grid->top;
  for (int i = 0; i < LAST; i++) {
    for (int k = 0; k < LAST; k++)
      push_quad(out, b[i][k], b[i + 1][k], b[i + 1][k + 1], b[i][k + 1], k == LAST - 1);
    // The diagonals of back and front zigzag, those of the left and right run one way but the last.
    bool zigzag = i % 2 == 1, is_last = i == LAST - 1;
    push_quad(out, b[i][0], t[i][0], t[i + 1][0], b[i + 1][0], zigzag);
    push_quad(out, b[i][LAST], b[i + 1][LAST], t[i + 1][LAST], t[i][LAST], zigzag);
    push_quad(out, b[0][i], b[0][i + 1], t[0][i + 1], t[0][i], is_last);
    push_quad(out, b[LAST][i], t[LAST][i], t[LAST][i + 1], b[LAST][i + 1], is_last);
  }
}

// A point of a level of the grid, after a number of quarter turns that take -z to +x.
static uint32_t turned(const uint32_t (*level)[GRID], int quarter_turns, int x, int z) {
  for (int i = 0; i < quarter_turns; i++) {
    int turned_x = LAST - z;
    z = x;
    x = turned_x;
  }
  return level[x][z];
}

static void push_top_and_pit(surface *out, const hole_grid *grid) {
  const uint32_t(*t)[GRID] = grid->top;
  for (int i = 0; i < GRID; i += LAST - 1) {
    for (int k = 0; k < GRID; k += LAST - 1)
      push_quad(out, t[i][k], t[i][k + 1], t[i + 1][k + 1], t[i + 1][k], true);
  }
  for (int turn = 0; turn < 4; turn++) {
    uint32_t outer[3], rim[2];
    for (int i = 0; i < 3; i++)
      outer[i] = turned(t, turn, 1 + i, 0);
    for (int i = 0; i < 2; i++)
      rim[i] = turned(t, turn, 1 + 2 * i, 1);
    push_triangle(out, outer[1], outer[0], rim[0]);
    push_triangle(out, outer[1], rim[0], rim[1]);
    push_triangle(out, outer[2], outer[1], rim[1]);
    push_triangle(out, rim[0], pit_bottom.vertex[0], rim[1]);
  }
}

// The block is cut in the two upright planes through its diagonals, which hold the valleys of the
// pit: four pieces, each with one wall of it and one side of the block. A piece has eight vertices.
static ts_status add_hole_pieces(ts_scene *scene, int32_t block, const hole_grid *grid) {
  enum { PIT, BELOW_PIT, BOTTOM_L, BOTTOM_R, TOP_L, TOP_R, RIM_L, RIM_R, COUNT };
  const uint32_t(*b)[GRID] = grid->bottom, (*t)[GRID] = grid->top;
  for (int turn = 0; turn < 4; turn++) {
    const uint32_t of_block[COUNT] = {
        [PIT] = pit_bottom.vertex[0],       [BELOW_PIT] = turned(b, turn, MIDDLE, MIDDLE),
        [BOTTOM_L] = turned(b, turn, 0, 0), [BOTTOM_R] = turned(b, turn, LAST, 0),
        [TOP_L] = turned(t, turn, 0, 0),    [TOP_R] = turned(t, turn, LAST, 0),
        [RIM_L] = turned(t, turn, 1, 1),    [RIM_R] = turned(t, turn, LAST - 1, 1)};
    ts_vec3 vertices[COUNT];
    for (int i = 0; i < COUNT; i++)
      vertices[i] = grid->vertices[of_block[i]];
    surface s = {.count = 0};
    push_quad(&s, BOTTOM_L, TOP_L, TOP_R, BOTTOM_R, false);
    push_quad(&s, TOP_L, RIM_L, RIM_R, TOP_R, false);
    push_triangle(&s, RIM_L, PIT, RIM_R);
    push_triangle(&s, BELOW_PIT, BOTTOM_L, BOTTOM_R);
    push_triangle(&s, PIT, RIM_L, TOP_L); // the two cuts
    push_quad(&s, PIT, TOP_L, BOTTOM_L, BELOW_PIT, false);
    push_triangle(&s, PIT, TOP_R, RIM_R);
    push_quad(&s, PIT, BELOW_PIT, BOTTOM_R, TOP_R, false);
    TS_TRY(ts_scene_add_piece(scene, block, vertices, COUNT, (const uint32_t(*)[3])s.triangles,
                              s.count));
  }
  return TS_OK;
}

static ts_status add_hole_block(int32_t *out, ts_scene *scene) {
  hole_grid grid;
  lay_out(&grid);
  surface s = {.count = 0};
  push_bottom_and_sides(&s, &grid);
  push_top_and_pit(&s, &grid);
  TS_TRY(ts_scene_add_shape(out, scene, "hole_block", grid.vertices, grid.count,
                            (const uint32_t(*)[3])s.triangles, s.count));
  return add_hole_pieces(scene, *out, &grid);
}

// The walls are at 45 degrees: +x, -x, +z, -z as unit normals of the block. The groove has the
// first two.
static void wall_normals(ts_vec3 out[4]) {
  double a = sqrt(0.5);
  out[0] = ts_vec3_make(a, a, 0);
  out[1] = ts_vec3_make(-a, a, 0);
  out[2] = ts_vec3_make(0, a, a);
  out[3] = ts_vec3_make(0, a, -a);
}

static ts_status build_in(ts_scene *scene, int32_t shape_below, const ts_corners *below,
                          size_t wall_count, int32_t shape_above, const ts_corners *above) {
  int32_t a, b;
  TS_TRY(ts_scene_add_body(&a, scene, "lower", shape_below, ts_pose_identity(), true));
  TS_TRY(ts_scene_add_body(&b, scene, "upper", shape_above, ts_spike_pose_down(0), false));
  scene->bodies[b].twist.linear_m_s = ts_vec3_make(speed_m_s, 0, 0);
  ts_vec3 walls[4];
  wall_normals(walls);
  ts_joint joint = {.body_a = a, .body_b = b, .needs_all = true};
  joint.normal_count[TS_REFERENCE_DESIGN] = wall_count;
  joint.normals_local[TS_REFERENCE_DESIGN] = walls;
  return ts_shape_join(scene, &joint, below, above);
}

static ts_status build_spike_in_crack(ts_scene *scene, const double *params) {
  (void)params;
  int32_t block, spike;
  TS_TRY(add_crack_block(&block, scene));
  TS_TRY(ts_shape_spike(&spike, scene));
  return build_in(scene, block, &crack_line, 2, spike, &ts_spike_tip);
}

static ts_status build_spike_in_hole(ts_scene *scene, const double *params) {
  (void)params;
  int32_t block, spike;
  TS_TRY(add_hole_block(&block, scene));
  TS_TRY(ts_shape_spike(&spike, scene));
  return build_in(scene, block, &pit_bottom, 4, spike, &ts_spike_tip);
}

static ts_status build_wedge_in_crack(ts_scene *scene, const double *params) {
  (void)params;
  int32_t block, wedge;
  TS_TRY(add_crack_block(&block, scene));
  TS_TRY(ts_shape_wedge(&wedge, scene));
  return build_in(scene, block, &crack_line, 2, wedge, &ts_wedge_ridge);
}

static const ts_case_range ranges_of_spike[] = {TS_SPIKE_RANGES, {NULL, 0, 0}};

const ts_case ts_case_spike_in_crack = {
    .name = "spike_in_crack",
    .suite = "erleben",
    .summary = "The tip of a spike on the bottom line of a groove; both walls' normals are needed.",
    .source = "Erleben 2018, Table 4, point in crack",
    .build = build_spike_in_crack,
    .ranges = ranges_of_spike,
};

const ts_case ts_case_spike_in_hole = {
    .name = "spike_in_hole",
    .suite = "erleben",
    .summary = "The tip of a spike at the bottom of a pit; all four walls' normals are needed.",
    .source = "Erleben 2018, Table 4, point in crack",
    .build = build_spike_in_hole,
    .ranges = ranges_of_spike,
};

const ts_case ts_case_wedge_in_crack = {
    .name = "wedge_in_crack",
    .suite = "erleben",
    .summary = "The ridge of a wedge along the bottom line of a groove; both walls' normals are "
               "needed.",
    .source = "Erleben 2018, Table 4, point in crack",
    .build = build_wedge_in_crack,
};
