// SPDX-License-Identifier: MIT
#include "tests/cases/extended_cases.h"

#include <criterion/criterion.h>

static const double pi = 3.14159265358979323846;

enum { VERTEX, EDGE, FACE };                         // sphere_on_slab
enum { VERTEX_ON_FACE, EDGE_ON_EDGE, FACE_ON_FACE }; // sphere_on_sphere
enum { ON_FACES, ON_EDGES };                         // cylinder_in_groove

/// Edge from the pole of a ball of radius 0.5 to the ring around it.
static double pole_edge_m(double rings) {
  return 2 * 0.5 * sin(pi / (4 * rings));
}

/// Triangle of the pole and two neighbours of that ring, which are a quarter turn apart.
static double pole_face_m2(double rings) {
  double base_m = sqrt(2.0) * 0.5 * sin(pi / (2 * rings)), leg_m = pole_edge_m(rings);
  return 0.5 * base_m * sqrt(leg_m * leg_m - 0.25 * base_m * base_m);
}

static void add(extended_case *out, size_t *count, extended_case c) {
  cr_assert(*count < EXTENDED_MAX);
  out[(*count)++] = c;
}

static void add_blocks(extended_case *out, size_t *n) {
  add(out, n, (extended_case){"box_in_corner", {{0}}, 3, 12, 3, 0, 0});
  add(out, n, (extended_case){"brick_over_four", {{0}}, 4, 16, 1 * 0.75, 0, 0});
  add(out, n, (extended_case){"peg_in_hole", {{0}}, 5, 20, 0.5 * 0.5 + 4 * 0.5 * 0.75, 0, 0});
  add(out, n, (extended_case){"peg_in_hole", {{"play_m", 0.01}}, 1, 4, 0.48 * 0.48, 0, 0});
  for (int lid = 0; lid < 3; lid++)
    add(out, n, (extended_case){"box_in_box", {{"lid", lid}}, 1, 4, 0.25, 0, 0});
}

static void add_edges(extended_case *out, size_t *n) {
  const double angles_deg[] = {0.01, 1, 30, 90};
  for (int i = 0; i < 4; i++)
    add(out, n,
        (extended_case){"crossing_edges", {{"crossing_deg", angles_deg[i]}}, 1, 1, 0, 0, 1});
  const double sides[] = {4, 12, 24, 360};
  for (int i = 0; i < 4; i++) {
    double side_m = 2 * 0.5 * sin(pi / sides[i]);
    add(out, n,
        (extended_case){"cylinder_in_groove", {{"sides", sides[i]}}, 2, 8, 2 * side_m, 0, 0});
    add(out, n,
        (extended_case){
            "cylinder_in_groove", {{"sides", sides[i]}, {"touch", ON_EDGES}}, 2, 4, 0, 2, 0});
  }
  for (int cells = 2; cells <= 32; cells *= 4) {
    add(out, n, (extended_case){"saddle_on_saddle", {{"cells", cells}}, 4, 4, 0, 0, 4});
    add(out, n, (extended_case){"spike_on_saddle", {{"cells", cells}}, 2, 2, 0, 0, 2});
  }
}

static void add_spheres(extended_case *out, size_t *n) {
  const double rings[] = {3, 50};
  for (int i = 0; i < 2; i++) {
    case_setting triangles = {"triangles", 8 * rings[i] * rings[i]};
    const char *slab = "sphere_on_slab", *pair = "sphere_on_sphere";
    double edge_m = pole_edge_m(rings[i]), face_m2 = pole_face_m2(rings[i]);
    add(out, n, (extended_case){slab, {triangles, {"touch", VERTEX}}, 1, 1, 0, 0, 1});
    add(out, n, (extended_case){slab, {triangles, {"touch", EDGE}}, 1, 2, 0, edge_m, 0});
    add(out, n, (extended_case){slab, {triangles, {"touch", FACE}}, 1, 3, face_m2, 0, 0});
    add(out, n, (extended_case){pair, {triangles, {"touch", VERTEX_ON_FACE}}, 1, 1, 0, 0, 1});
    add(out, n, (extended_case){pair, {triangles, {"touch", EDGE_ON_EDGE}}, 1, 1, 0, 0, 1});
    // A triangle on itself, and on itself turned by half a turn about its centroid.
    case_setting faces = {"touch", FACE_ON_FACE};
    add(out, n, (extended_case){pair, {triangles, faces, {"turn_deg", 0}}, 1, 3, face_m2, 0, 0});
    add(out, n,
        (extended_case){pair, {triangles, faces, {"turn_deg", 180}}, 1, 6, face_m2 * 2 / 3, 0, 0});
  }
}

size_t extended_cases(extended_case *out) {
  size_t count = 0;
  add_blocks(out, &count);
  add_edges(out, &count);
  add_spheres(out, &count);
  return count;
}

ts_scene *extended_build(ts_arena *arena, const extended_case *c, const case_setting *settings,
                         size_t count) {
  case_setting all[8];
  size_t total = 0;
  for (; total < 3 && c->settings[total].name; total++)
    all[total] = c->settings[total];
  for (size_t i = 0; i < count; i++)
    all[total++] = settings[i];
  return case_fixture_build(arena, c->name, all, total);
}
