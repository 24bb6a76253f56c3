// SPDX-License-Identifier: MIT
// covers: sim/soft/tet_rest.c
#include "sim/soft/tet_rest.h"
#include "tests/sim/soft/tet_grid.h"

#include "geometry/pose.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/// Tets of a grid, moved and scaled.
typedef struct rest_mesh {
  ts_arena *arena;
  size_t count;
  ts_vec3 *rest;
  ts_tet_element *elements;
} rest_mesh;

static rest_mesh make_mesh(tet_grid grid, ts_quat turn, ts_vec3 shift, double scale) {
  rest_mesh out;
  cr_assert_eq(ts_arena_create(&out.arena), TS_OK);
  ts_mesh *mesh = tet_grid_mesh(out.arena, &grid);
  out.count = mesh->tet_count;
  out.rest = ts_arena_array(out.arena, mesh->vertex_count, sizeof *out.rest);
  out.elements = ts_arena_array(out.arena, out.count, sizeof *out.elements);
  cr_assert(out.rest && out.elements);
  for (size_t i = 0; i < mesh->vertex_count; i++)
    out.rest[i] = ts_vec3_add(ts_quat_rotate(turn, ts_vec3_scale(mesh->vertices[i], scale)), shift);
  for (size_t e = 0; e < out.count; e++)
    ts_tet_element_make(&out.elements[e], out.rest, mesh->tets[e]);
  return out;
}

static double length_of(tet_grid grid, ts_quat turn, ts_vec3 shift, double scale) {
  rest_mesh m = make_mesh(grid, turn, shift, scale);
  double length_m = ts_tet_rest_length_m(m.elements, m.count, m.rest);
  ts_arena_destroy(m.arena);
  return length_m;
}

static const ts_vec3 nowhere = {0, 0, 0}, far_off = {1e4, -2e4, 3e4};

Test(sim_soft_tet_rest, the_length_of_a_bar_is_its_own_whatever_its_cells_frame_and_scale) {
  ts_quat turns[] = {ts_quat_identity(), ts_quat_from_axis_angle((ts_vec3){0, 0, 1}, M_PI / 4),
                     ts_quat_from_axis_angle(ts_vec3_unit((ts_vec3){1, 2, 3}), 0.7)};
  for (size_t cells = 1; cells <= 3; cells++)
    for (size_t t = 0; t < 3; t++) {
      tet_grid beam = {cells, cells, 5 * cells, {-0.1, 0, 0}, {0.1, 0.2, 1}};
      tet_grid cube = {cells, cells, cells, {0, 0, 0}, {0.2, 0.2, 0.2}};
      cr_expect_float_eq(length_of(beam, turns[t], nowhere, 1), 1, 1e-13);
      cr_expect_float_eq(length_of(beam, turns[t], nowhere, 1e-3), 1e-3, 1e-16);
      cr_expect_float_eq(length_of(beam, turns[t], nowhere, 1e3), 1e3, 1e-10);
      cr_expect_float_eq(length_of(beam, turns[t], far_off, 1), 1, 1e-9);
      cr_expect_float_eq(length_of(cube, turns[t], nowhere, 1), 0.2, 1e-14);
    }
}

Test(sim_soft_tet_rest, the_length_of_one_tet_is_that_of_its_mass) {
  // Along each edge from the right corner the variance is 3/80 of the edge squared, and every two
  // directions have a covariance of -1/80: the largest eigenvalue is 4/80.
  ts_vec3 rest[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  ts_tet_element element;
  ts_tet_element_make(&element, rest, (const uint32_t[4]){0, 1, 2, 3});
  cr_expect_float_eq(ts_tet_rest_length_m(&element, 1, rest), sqrt(12 * 4 / 80.0), 1e-15);
}

/// Where a material point is at rest, by its weights.
static ts_vec3 place_of(const ts_tet_point *p, const ts_vec3 *rest, double *out_least) {
  ts_vec3 sum = {0, 0, 0};
  double weight = 0;
  *out_least = INFINITY;
  for (int i = 0; i < 4; i++) {
    sum = ts_vec3_add_scaled(sum, p->weights[i], rest[p->nodes[i]]);
    weight += p->weights[i];
    *out_least = fmin(*out_least, p->weights[i]);
  }
  cr_expect_float_eq(weight, 1, 1e-9);
  return sum;
}

Test(sim_soft_tet_rest, points_are_found_in_a_tet_that_holds_them_or_beyond_the_nearest) {
  static const double scales[] = {1, 1e-3, 1e3};
  for (int s = 0; s < 3; s++) {
    double scale = scales[s], least;
    rest_mesh m =
        make_mesh((tet_grid){2, 2, 2, {-1, -1, -1}, {1, 1, 1}}, ts_quat_identity(), nowhere, scale);
    // Inside, on the face of two tets, at nodes in the middle and at a corner.
    static const ts_vec3 held[] = {{0.3, 0.2, -0.4}, {0.1, 0, 0.2}, {0, 0, 0},
                                   {-1, -1, 1},      {0.5, 0.5, 1}, {1, 0.3, 0.2}};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
      ts_vec3 at = ts_vec3_scale(held[i], scale);
      ts_tet_point p = ts_tet_rest_point(m.elements, m.count, m.rest, at);
      cr_expect_lt(ts_vec3_distance(place_of(&p, m.rest, &least), at), 1e-15 * scale);
      cr_expect_gt(least, -1e-15, "%zu: %g", i, least);
    }
    // Off a face, an edge and a corner, near and far: the tet is at the nearest point of the block.
    static const ts_vec3 off[] = {
        {0.3, 1.1, 0.2}, {0.4, -2, 3}, {1.5, 1.5, 1.5}, {-40, 0.1, 0.7}, {1e3, -1e3, 0.5}};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
      ts_vec3 at = ts_vec3_scale(off[i], scale);
      ts_vec3 on = {fmax(-1, fmin(off[i].x, 1)) * scale, fmax(-1, fmin(off[i].y, 1)) * scale,
                    fmax(-1, fmin(off[i].z, 1)) * scale};
      ts_tet_point p = ts_tet_rest_point(m.elements, m.count, m.rest, at);
      cr_expect_lt(ts_vec3_distance(place_of(&p, m.rest, &least), at), 1e-11 * scale);
      cr_expect_lt(least, 0, "%zu", i);
      rest_mesh one = m;
      for (size_t e = 0; e < m.count; e++)
        if (memcmp(m.elements[e].nodes, p.nodes, sizeof p.nodes) == 0)
          one.elements = &m.elements[e];
      ts_tet_point near = ts_tet_rest_point(one.elements, 1, m.rest, on);
      place_of(&near, m.rest, &least);
      cr_expect_gt(least, -1e-12, "%zu: another tet is nearer", i);
    }
    ts_arena_destroy(m.arena);
  }
}
