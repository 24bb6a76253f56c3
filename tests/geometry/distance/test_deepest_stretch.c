// SPDX-License-Identifier: MIT
// covers: geometry/distance/deepest_stretch.c geometry/distance/mesh_overlap.c
// covers: geometry/mesh/mesh_columns.c
#include "geometry/distance/mesh_overlap.h"
#include "tests/geometry/mesh/solids.h"
#include "tests/geometry/random_geometry.h"

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(geometry_deepest_stretch, .init = setup, .fini = teardown);

static const ts_vec3 z_axis = {0, 0, 1};

static ts_placed_mesh place(const ts_mesh *mesh, ts_pose pose) {
  ts_vec3 *vertices = ts_arena_array(arena, mesh->vertex_count, sizeof *vertices);
  cr_assert_not_null(vertices);
  for (size_t i = 0; i < mesh->vertex_count; i++)
    vertices[i] = ts_pose_point(pose, mesh->vertices[i]);
  return (ts_placed_mesh){mesh, vertices};
}

static const ts_mesh *mesh_of(const solid *s) {
  ts_mesh *mesh;
  cr_assert_eq(solid_try(&mesh, arena, s), TS_OK, "%s", ts_status_detail());
  return mesh;
}

static const ts_mesh *box(ts_vec3 low, ts_vec3 high) {
  solid s = solid_box(high.x - low.x, high.y - low.y, high.z - low.z, 0);
  solid_move(&s, (ts_pose){ts_quat_identity(), ts_vec3_mid(low, high)});
  return mesh_of(&s);
}

static ts_mesh_overlap measure(const ts_mesh *a, const ts_mesh *b, ts_pose pose) {
  ts_mesh_overlap out;
  cr_assert_eq(ts_mesh_overlap_measure(&out, arena, place(a, pose), place(b, pose),
                                       ts_pose_direction(pose, z_axis)),
               TS_OK, "%s", ts_status_detail());
  return out;
}

/// As it is, turned so that rounding tilts walls either way, and far away: 1e4 sizes.
static ts_pose pose_of(int kind, ts_random *random) {
  if (kind == 0)
    return ts_pose_identity();
  ts_pose out = {random_rotation(random), random_point(random, 1)};
  if (kind == 2)
    out.translation = ts_vec3_scale(ts_vec3_unit(out.translation), 1e4);
  return out;
}

// ---- solids of cubes: every wall is parallel to the direction ----------------------------------

enum { SIDE = 3, CORNERS = SIDE + 1, CUBES = SIDE * SIDE * SIDE };

static bool has_cube(unsigned cubes, const int at[3]) {
  for (int axis = 0; axis < 3; axis++)
    if (at[axis] < 0 || at[axis] >= SIDE)
      return false;
  return cubes >> (at[0] + SIDE * (at[1] + SIDE * at[2])) & 1;
}

/// Adds the side of a cube that looks along an axis, up or down, as two triangles.
static void add_side(uint32_t (*triangles)[3], size_t *count, const int at[3], int axis, int up) {
  uint32_t corners[4];
  for (int i = 0; i < 4; i++) {
    int p[3] = {at[0], at[1], at[2]}, step[2] = {i == 1 || i == 2, i >= 2};
    p[axis] += up;
    p[(axis + 1) % 3] += step[0];
    p[(axis + 2) % 3] += step[1];
    corners[i] = (uint32_t)(p[0] + CORNERS * (p[1] + CORNERS * p[2]));
  }
  const uint32_t split[2][3] = {{corners[0], corners[up ? 1 : 2], corners[up ? 2 : 1]},
                                {corners[0], corners[up ? 2 : 3], corners[up ? 3 : 2]}};
  memcpy(triangles[*count], split, sizeof split);
  *count += 2;
}

/// The surface of the cubes of a set, sheared along z by `slope`. Where cubes meet at an edge alone
/// it is no manifold, but closed.
static const ts_mesh *mesh_of_cubes(unsigned cubes, double slope) {
  ts_mesh *mesh = ts_arena_alloc(arena, sizeof *mesh);
  ts_vec3 *vertices = ts_arena_array(arena, CORNERS * CORNERS * CORNERS, sizeof *vertices);
  uint32_t(*triangles)[3] = ts_arena_array(arena, (size_t)CUBES * 12, sizeof *triangles);
  size_t count = 0;
  cr_assert(mesh && vertices && triangles);
  for (int i = 0; i < CORNERS * CORNERS * CORNERS; i++) {
    int x = i % CORNERS, y = i / CORNERS % CORNERS, z = i / CORNERS / CORNERS;
    vertices[i] = (ts_vec3){x, y, z + slope * x};
  }
  for (int i = 0; i < CUBES; i++) {
    const int at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
    for (int axis = 0; has_cube(cubes, at) && axis < 3; axis++)
      for (int up = 0; up < 2; up++) {
        int beside[3] = {at[0], at[1], at[2]};
        beside[axis] += up ? 1 : -1;
        if (!has_cube(cubes, beside))
          add_side(triangles, &count, at, axis, up);
      }
  }
  *mesh = (ts_mesh){.vertex_count = (size_t)CORNERS * CORNERS * CORNERS,
                    .vertices = vertices,
                    .triangle_count = count,
                    .triangles = (const uint32_t(*)[3])triangles};
  return mesh;
}

/// The longest run of cubes of both that ends where those of a do, and begins where those of b do.
static int count_deepest(unsigned a, unsigned b) {
  int deepest = 0;
  for (int x = 0; x < SIDE; x++)
    for (int y = 0; y < SIDE; y++)
      for (int z = 0, run = 0, is_from_b = 0; z < SIDE; z++) {
        const int at[3] = {x, y, z}, below[3] = {x, y, z - 1}, above[3] = {x, y, z + 1};
        bool is_in_both = has_cube(a, at) && has_cube(b, at);
        if (is_in_both && run == 0)
          is_from_b = !has_cube(b, below);
        run = is_in_both ? run + 1 : 0;
        if (is_in_both && is_from_b && !has_cube(a, above) && run > deepest)
          deepest = run;
      }
  return deepest;
}

static unsigned random_cubes(ts_random *random, double share) {
  unsigned cubes = 0;
  for (int i = 0; i < CUBES; i++)
    cubes |= (unsigned)(ts_random_uniform(random, 0, 1) < share) << i;
  return cubes;
}

Test(geometry_deepest_stretch, of_solids_of_cubes_is_their_longest_run) {
  ts_random random = ts_random_seed(11, 0);
  int seen[SIDE + 1] = {0};
  for (int i = 0; i < 600; i++) {
    double share = i % 5 ? 0.6 : 0.2;
    unsigned a = random_cubes(&random, share), b = random_cubes(&random, share);
    ts_arena_mark mark = ts_arena_get_mark(arena);
    double slope = i % 2 ? 0.7 : 0;
    int expected = count_deepest(a, b);
    ts_mesh_overlap out =
        measure(mesh_of_cubes(a, slope), mesh_of_cubes(b, slope), pose_of(i / 2 % 3, &random));
    cr_expect_float_eq(out.deepest_m, expected, 1e-8, "%d: cubes %x and %x: %g, not %d", i, a, b,
                       out.deepest_m, expected);
    ts_arena_rewind(arena, mark);
    seen[expected]++;
  }
  for (int i = 0; i <= SIDE; i++)
    cr_expect_gt(seen[i], 5, "%d cases are %d deep", seen[i], i);
}

// ---- walls, edges and what hides a place -------------------------------------------------------

Test(geometry_deepest_stretch, walls_that_lie_on_each_other_are_no_stretch) {
  ts_random random = ts_random_seed(12, 0);
  const ts_mesh *unit = box((ts_vec3){0, 0, 0}, (ts_vec3){1, 1, 1});
  static const double offsets[][3] = {{1, 0, 0}, {1, 0.3, 0.5}, {1, 0, -0.9}, {1, 1, 0.2}};
  for (int i = 0; i < 240; i++) {
    const double *o = offsets[i / 3 % 4];
    const ts_mesh *beside =
        box((ts_vec3){o[0], o[1], o[2]}, (ts_vec3){o[0] + 1, o[1] + 1, o[2] + 1});
    cr_expect_eq(measure(unit, beside, pose_of(i % 3, &random)).deepest_m, 0, "case %d", i);
  }
}

/// Box b is 0.1 deep in the lower step of a, and its wall lies on that of the upper one.
Test(geometry_deepest_stretch, a_wall_beside_an_overlap_does_not_deepen_it) {
  const double p[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 2}, {0, 2}};
  const uint32_t cap[4][3] = {{0, 3, 5}, {3, 4, 5}, {0, 1, 3}, {1, 2, 3}};
  solid step = solid_between(p, p, 6, cap, 4, 0, 1, 0);
  // The profile is in x and y: y is made the height.
  for (size_t i = 0; i < step.vertex_count; i++)
    step.vertices[i] = (ts_vec3){step.vertices[i].x, -step.vertices[i].z, step.vertices[i].y};
  const ts_mesh *a = mesh_of(&step), *b = box((ts_vec3){1, -0.8, 0.9}, (ts_vec3){2, -0.1, 1.6});
  ts_random random = ts_random_seed(13, 0);
  for (int i = 0; i < 90; i++)
    cr_expect_float_eq(measure(a, b, pose_of(i % 3, &random)).deepest_m, 0.1, 1e-8, "case %d", i);
}

/// Two roofs, one on the other, whose ridges cross, lie in each other, or end on each other.
Test(geometry_deepest_stretch, edges_on_edges) {
  const double p[3][2] = {{-1, 0}, {1, 0}, {0, 1}};
  const uint32_t cap[1][3] = {{0, 1, 2}};
  ts_random random = ts_random_seed(14, 0);
  static const double turns[] = {0, 0.5, 1.5707963267948966};
  for (int i = 0; i < 90; i++) {
    solid roof = solid_between(p, p, 3, cap, 1, -1, 1, 0), over;
    for (size_t k = 0; k < roof.vertex_count; k++)
      roof.vertices[k] = (ts_vec3){roof.vertices[k].x, -roof.vertices[k].z, roof.vertices[k].y};
    over = roof;
    ts_quat upside_down = ts_quat_from_axis_angle((ts_vec3){1, 0, 0}, acos(-1));
    ts_quat turn = ts_quat_from_axis_angle(z_axis, turns[i / 3 % 3]);
    // The ridge of the upper one is 0.25 below that of the lower, and at an end of it.
    solid_move(&over, (ts_pose){ts_quat_mul(turn, upside_down), {0, i % 2, 1.75}});
    cr_expect_float_eq(measure(mesh_of(&roof), mesh_of(&over), pose_of(i % 3, &random)).deepest_m,
                       0.25, 1e-8, "case %d", i);
  }
}

/// A wedge below a box whose hollow hides where the wedge is highest: the deepest place is at the
/// edge of the hollow, in the middle of the triangles that end the stretch.
Test(geometry_deepest_stretch, is_found_beside_what_hides_the_deepest_corners) {
  const double p[4][2] = {{0, 0}, {4, 0}, {4, 3}, {0, 1}};
  const uint32_t cap[2][3] = {{0, 1, 2}, {0, 2, 3}};
  solid wedge = solid_between(p, p, 4, cap, 2, 0, 4, 0);
  for (size_t i = 0; i < wedge.vertex_count; i++)
    wedge.vertices[i] = (ts_vec3){wedge.vertices[i].x, -wedge.vertices[i].z, wedge.vertices[i].y};
  // Top at 1 + x / 2. The box is from 0.5 up, with a hollow at x from 2 to 3.9.
  solid block = solid_box(5, 5, 5, 0), hollow = solid_box(1.9, 4.8, 0.3, 0);
  solid_move(&block, (ts_pose){ts_quat_identity(), {2, -2, 3}});
  for (size_t t = 0; t < hollow.triangle_count; t++) {
    uint32_t swap = hollow.triangles[t][1];
    hollow.triangles[t][1] = hollow.triangles[t][2];
    hollow.triangles[t][2] = swap;
  }
  ts_random random = ts_random_seed(15, 0);
  // Above the hollow, a stretch begins on its ceiling, at 1.3: it is up to 2.95 - 1.3 long.
  solid_join(&block, &hollow, (ts_vec3){2.95, -2, 1.15});
  const ts_mesh *a = mesh_of(&wedge), *b = mesh_of(&block);
  for (int i = 0; i < 60; i++) {
    ts_mesh_overlap out = measure(a, b, pose_of(i % 3, &random));
    // At x = 4 a is 3 high, and beside the hollow, from 3.9 on, the stretch is whole.
    cr_expect_float_eq(out.deepest_m, 2.5, 1e-8, "case %d: %g", i, out.deepest_m);
  }
  // One that goes on behind the end of a, from x = 2.4 on: the stretch ends there on its floor, or
  // begins on its ceiling and is up to 1.1 long.
  solid wider = solid_box(5, 5, 5, 0);
  solid_move(&wider, (ts_pose){ts_quat_identity(), {2, -2, 3}});
  solid_join(&wider, &hollow, (ts_vec3){3.35, -2, 1.75});
  const ts_mesh *c = mesh_of(&wider);
  for (int i = 0; i < 60; i++) {
    ts_mesh_overlap out = measure(a, c, pose_of(i % 3, &random));
    cr_expect_float_eq(out.deepest_m, 0.5 + 2.4 / 2, 1e-8, "case %d: %g", i, out.deepest_m);
  }
}
