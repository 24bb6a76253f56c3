// SPDX-License-Identifier: MIT
// covers: ldi/image.c ldi/raster.c ldi/scan.c
#include "tests/ldi/ldi_fixture.h"

#include "geometry/closest.h"

static ts_arena *arena;

static void setup(void) {
  cr_assert_eq(ts_arena_create(&arena), TS_OK);
}

static void teardown(void) {
  ts_arena_destroy(arena);
}

TestSuite(ldi_scan, .init = setup, .fini = teardown);

/// What was seen in all pixels of all views.
typedef struct tally {
  size_t pixels, crossings, unmatched, disordered;
  size_t covered[3][2]; ///< Pixels of a view that see a body.
} tally;

/// Counts where a line of sight is in or out of a body more often than it can be, over more than
/// rounding: none of the meshes here crosses itself.
static void count_pixel(tally *out, const ts_ldi_image *image, uint32_t pixel) {
  int winding[2] = {0, 0};
  bool seen[2] = {false, false};
  for (uint32_t i = image->start[pixel]; i < image->start[pixel + 1]; i++) {
    const ts_ldi_crossing *c = &image->crossings[i], *next = c + 1;
    int body = ts_ldi_body(c->id);
    winding[body] += ts_ldi_is_leaving(c->id) ? -1 : 1;
    seen[body] = true;
    if (i + 1 == image->start[pixel + 1])
      break;
    cr_assert(c->depth_px < next->depth_px || (c->depth_px == next->depth_px && c->id < next->id));
    out->disordered += (winding[body] < 0 || winding[body] > 1) &&
                       next->depth_px - c->depth_px > TS_LDI_SAME_DEPTH_PX;
  }
  out->pixels++;
  out->crossings += image->start[pixel + 1] - image->start[pixel];
  out->unmatched += winding[0] != 0 || winding[1] != 0;
  out->covered[image->axis][0] += seen[0];
  out->covered[image->axis][1] += seen[1];
}

typedef void (*visit_pixel)(void *context, const ts_ldi_pair *pair, const ts_ldi_image *image,
                            uint32_t pixel);

static void visit_pixels(ts_ldi *ldi, visit_pixel visit, void *context) {
  const ts_ldi_pair *pair = ts_ldi_placed(ldi);
  for (int axis = 0; axis < 3 && !ts_ldi_grid_is_empty(&pair->grid); axis++) {
    int32_t next_row = 0;
    for (int32_t band = 0; band < ts_ldi_band_count(&pair->grid, axis); band++) {
      ts_ldi_image image;
      cr_assert_eq(ts_ldi_render(&image, ldi, axis, band), TS_OK, "%s", ts_status_detail());
      cr_assert_eq(image.axis, axis);
      cr_assert_eq(image.first_row, next_row);
      cr_assert_eq(image.column_count, ts_ldi_column_count(&pair->grid, axis));
      next_row += image.row_count;
      for (uint32_t i = 0; i < (uint32_t)(image.row_count * image.column_count); i++)
        visit(context, pair, &image, i);
    }
    cr_assert_eq(next_row, ts_ldi_row_count(&pair->grid, axis));
  }
}

static void visit_to_count(void *context, const ts_ldi_pair *pair, const ts_ldi_image *image,
                           uint32_t pixel) {
  (void)pair;
  count_pixel(context, image, pixel);
}

static tally count(ts_ldi *ldi) {
  tally t = {0};
  visit_pixels(ldi, visit_to_count, &t);
  return t;
}

enum { MESHES = 5 };

static void five_meshes(const ts_mesh *out[MESHES]) {
  out[0] = ldi_cube(arena, 1.5);
  out[1] = ldi_tetrahedron(arena);
  out[2] = ldi_torus(arena, 16, 8, 1, 0.35);
  out[3] = ldi_crack(arena);
  out[4] = ldi_sphere(arena, 7, 12, 1);
}

/// Turns each mesh about in a box that holds it, or together with the next mesh.
static void turn_about(size_t mesh, const ts_mesh *const meshes[MESHES], const ts_mesh *box) {
  ts_ldi *alone = ldi_open(meshes[mesh], box, 1);
  ts_ldi *paired = ldi_open(meshes[mesh], meshes[(mesh + 1) % MESHES], 1);
  ts_random random = ts_random_seed(1, mesh);
  tally sum = {0};
  for (int n = 0; n < LDI_TRIES(1000); n++) {
    ts_ldi *ldi = n % 2 == 0 ? alone : paired;
    ts_pose a = random_pose(&random, 0.2), b = random_pose(&random, 0.2);
    int resolution_px = 8 + (int)(25 * ts_random_unit(&random));
    ldi_place(ldi, a, n % 2 == 0 ? ts_pose_identity() : b, resolution_px);
    tally t = count(ldi);
    cr_assert_eq(t.unmatched, 0, "mesh %zu, rotation %d: %zu pixels", mesh, n, t.unmatched);
    sum.crossings += t.crossings;
    sum.disordered += t.disordered;
  }
  cr_expect_eq(sum.disordered, 0, "mesh %zu: %zu of %zu crossings out of order", mesh,
               sum.disordered, sum.crossings);
  cr_expect_gt(sum.crossings, 200 * (size_t)LDI_TRIES(1000));
  ts_ldi_destroy(alone);
  ts_ldi_destroy(paired);
}

Test(ldi_scan, entries_match_exits_in_every_rotation) {
  const ts_mesh *meshes[MESHES];
  five_meshes(meshes);
  const ts_mesh *box = ldi_cube(arena, 6);
  for (size_t i = 0; i < MESHES; i++)
    turn_about(i, meshes, box);
}

/// The greatest distances of a crossing from its triangle's point, and of its weights from a sum of
/// one.
typedef struct deviation {
  double column_px, row_px, depth_px, sum;
  size_t crossings;
} deviation;

static void follow_pixel(void *context, const ts_ldi_pair *pair, const ts_ldi_image *image,
                         uint32_t pixel) {
  deviation *worst = context;
  int32_t row = image->first_row + (int32_t)pixel / image->column_count;
  int32_t column = (int32_t)pixel % image->column_count;
  int axis = image->axis;
  for (uint32_t i = image->start[pixel]; i < image->start[pixel + 1]; i++) {
    const ts_ldi_crossing *c = &image->crossings[i];
    int body = ts_ldi_body(c->id);
    const ts_mesh *mesh = pair->mesh[body];
    uint32_t triangle = ts_ldi_triangle(c->id);
    cr_assert_lt(triangle, mesh->triangle_count);
    ts_ldi_affine to_grid = ts_ldi_affine_grid(pair->pose[body], &pair->grid);
    ts_ldi_seen seen;
    for (int k = 0; k < 3; k++) {
      uint32_t vertex = mesh->triangles[triangle][k];
      double p[3];
      ts_ldi_affine_apply(p, &to_grid, mesh->vertices[vertex]);
      seen.vertex[k] = vertex;
      seen.column[k] = p[(axis + 1) % 3];
      seen.row[k] = p[(axis + 2) % 3];
      seen.depth[k] = p[axis];
    }
    double w[3], point[3] = {0, 0, 0};
    ts_ldi_barycentric(w, &seen, row, column);
    for (int k = 0; k < 3; k++) {
      cr_assert_geq(w[k], 0);
      point[0] += w[k] * seen.column[k];
      point[1] += w[k] * seen.row[k];
      point[2] += w[k] * seen.depth[k];
    }
    worst->column_px = fmax(worst->column_px, fabs(point[0] - column));
    worst->row_px = fmax(worst->row_px, fabs(point[1] - row));
    worst->depth_px = fmax(worst->depth_px, fabs(point[2] - c->depth_px));
    worst->sum = fmax(worst->sum, fabs(w[0] + w[1] + w[2] - 1));
    worst->crossings++;
  }
}

/// Adds small boxes far out on both sides, so that the grid is that of the other body.
static const ts_mesh *with_outliers(const solid *s) {
  solid all = *s, corner = solid_box(1, 1, 1, 0);
  solid_join(&all, &corner, ts_vec3_make(-20, -20, -20));
  solid_join(&all, &corner, ts_vec3_make(30, 30, 30));
  return solid_mesh(arena, &all);
}

/// A pair under pixels of 1 m whose centres are at whole numbers and a half, 0.5 to 7.5.
static ts_ldi *open_on_unit_pixels(const solid *s) {
  ts_ldi *ldi = ldi_open(with_outliers(s), ldi_cube(arena, 8), 1);
  ldi_place(ldi, ts_pose_identity(), ldi_at(4, 4, 4), 8);
  const ts_ldi_grid *grid = &ts_ldi_placed(ldi)->grid;
  cr_assert(grid->pixel_m[0] == 1 && grid->pixel_m[1] == 1 && grid->pixel_m[2] == 1 &&
            ts_vec3_norm(grid->low) == 0);
  return ldi;
}

Test(ldi_scan, a_box_with_edges_through_pixel_centres_covers_half_of_its_rim) {
  for (int flipped = 0; flipped < 2; flipped++) {
    solid s = solid_box(4, 3, 2, flipped); // x 1.5 to 5.5, y 2.5 to 5.5, z 3.5 to 5.5
    solid_move(&s, ldi_at(3.5, 4, 4.5));
    ts_ldi *ldi = open_on_unit_pixels(&s);
    tally t = count(ldi);
    cr_expect_eq(t.unmatched, 0);
    cr_expect_eq(t.disordered, 0);
    const size_t covered[3] = {3 * 2, 4 * 2, 4 * 3};
    for (int axis = 0; axis < 3; axis++) {
      cr_expect_eq(t.covered[axis][0], covered[axis], "view %d: %zu", axis, t.covered[axis][0]);
      cr_expect_eq(t.covered[axis][1], 64);
    }
    cr_expect_eq(t.crossings, 2 * (6 + 8 + 12) + 2 * 3 * 64);
    // A corner on a row counts as below it: the rim on the low sides is in, that on the high is
    // out.
    ts_ldi_image image;
    cr_assert_eq(ts_ldi_render(&image, ldi, 2, 0), TS_OK);
    for (uint32_t i = 0; i < 64; i++) {
      uint32_t column = i % 8, row = i / 8;
      bool is_in = column >= 1 && column < 5 && row >= 2 && row < 5;
      cr_expect_eq(image.start[i + 1] - image.start[i], is_in ? 4 : 2, "row %u, column %u", row,
                   column);
    }
    ts_ldi_destroy(ldi);
  }
}

Test(ldi_scan, vertices_edges_and_sides_on_pixel_centres_match) {
  ts_random random = ts_random_seed(2, 1);
  size_t crossings = 0, flat = 0;
  for (int n = 0; n < LDI_TRIES(1000); n++) {
    solid s = solid_tet(1, 1, 1);
    // Few places, so that vertical sides, edges along an axis and shared lines of sight are many.
    double places = n % 2 == 0 ? 3 : 8;
    for (size_t i = 0; i < s.vertex_count; i++) {
      double x = floor(places * ts_random_unit(&random)),
             y = floor(places * ts_random_unit(&random));
      double z = floor(places * ts_random_unit(&random));
      s.vertices[i] = ts_vec3_make(x + 0.5, y + 0.5, z + 0.5);
    }
    ts_vec3 u = ts_vec3_sub(s.vertices[1], s.vertices[0]);
    ts_vec3 v = ts_vec3_sub(s.vertices[2], s.vertices[0]);
    double volume = ts_vec3_dot(ts_vec3_cross(u, v), ts_vec3_sub(s.vertices[3], s.vertices[0]));
    if (volume == 0) {
      flat++;
      continue;
    }
    if (volume < 0) {
      ts_vec3 other = s.vertices[1];
      s.vertices[1] = s.vertices[2];
      s.vertices[2] = other;
    }
    ts_ldi *ldi = open_on_unit_pixels(&s);
    tally t = count(ldi);
    cr_assert_eq(t.unmatched, 0, "tetrahedron %d: %zu pixels", n, t.unmatched);
    cr_expect_eq(t.disordered, 0, "tetrahedron %d: %zu pixels", n, t.disordered);
    deviation worst = {0};
    visit_pixels(ldi, follow_pixel, &worst);
    cr_expect_leq(fmax(worst.column_px, worst.row_px), 1e-9, "tetrahedron %d", n);
    cr_expect_leq(worst.depth_px, 1e-9, "tetrahedron %d: %g px", n, worst.depth_px);
    crossings += t.crossings - 2 * 3 * 64;
    ts_ldi_destroy(ldi);
  }
  cr_expect_gt(crossings, 10 * (size_t)LDI_TRIES(1000));
  cr_expect_lt(flat, (size_t)LDI_TRIES(1000) / 2);
}

Test(ldi_scan, axis_aligned_meshes_of_many_edges_match) {
  const ts_mesh *meshes[MESHES], *box = ldi_cube(arena, 8);
  five_meshes(meshes);
  for (int i = 0; i < MESHES; i++)
    for (int resolution_px = 1; resolution_px <= 33; resolution_px++) {
      ts_ldi *ldi = ldi_open(meshes[i], box, 1), *twin = ldi_open(meshes[i], meshes[i], 1);
      ldi_place(ldi, ts_pose_identity(), ts_pose_identity(), resolution_px);
      ldi_place(twin, ts_pose_identity(), ts_pose_identity(), resolution_px);
      tally t = count(ldi), both = count(twin);
      cr_expect(t.unmatched == 0 && both.unmatched == 0, "mesh %d at %d px", i, resolution_px);
      cr_expect(t.disordered == 0 && both.disordered == 0, "mesh %d at %d px", i, resolution_px);
      cr_expect_eq(both.covered[0][0], both.covered[0][1]);
      ts_ldi_destroy(ldi);
      ts_ldi_destroy(twin);
    }
}

static void expect_followed(ts_ldi *ldi, size_t smallest, const char *what) {
  deviation worst = {0};
  ts_random random = ts_random_seed(3, 1);
  for (int n = 0; n < LDI_TRIES(200); n++) {
    ts_pose a = random_pose(&random, 0.1), b = random_pose(&random, 0.1);
    ldi_place(ldi, a, b, 24);
    visit_pixels(ldi, follow_pixel, &worst);
  }
  cr_expect_leq(worst.column_px, 1e-9, "%s: column %g px off", what, worst.column_px);
  cr_expect_leq(worst.row_px, 1e-9, "%s: row %g px off", what, worst.row_px);
  cr_expect_leq(worst.depth_px, 1e-9, "%s: depth %g px off", what, worst.depth_px);
  cr_expect_leq(worst.sum, 1e-14, "%s: sum of weights %g off", what, worst.sum);
  cr_expect_gt(worst.crossings, smallest * (size_t)LDI_TRIES(200), "%s: %zu", what,
               worst.crossings);
  ts_ldi_destroy(ldi);
}

Test(ldi_scan, weights_lead_to_the_point_on_the_triangle) {
  expect_followed(ldi_open(ldi_torus(arena, 16, 8, 1, 0.35), ldi_cube(arena, 1.5), 1), 1000,
                  "torus and cube");
  expect_followed(ldi_open(ldi_crack(arena), ldi_tetrahedron(arena), 1), 1000,
                  "crack and tetrahedron");
}

Test(ldi_scan, weights_lead_to_the_point_on_slivers_too) {
  solid needle = solid_tet(1, 1e-5, 1), plate = solid_box(1, 1, 1e-7, 0);
  expect_followed(ldi_open(solid_mesh(arena, &needle), solid_mesh(arena, &plate), 1), 10,
                  "needle and plate");
  solid wedge = solid_frustum(1, 1e-6, 1);
  expect_followed(ldi_open(solid_mesh(arena, &wedge), ldi_sphere(arena, 40, 3, 1), 1), 500,
                  "narrow frustum and thin rings");
}

Test(ldi_scan, weights_are_of_the_nearest_point_when_the_line_misses) {
  // What a back end of less precision finds: up to a pixel beside an edge, or over a corner.
  const ts_ldi_seen triangles[] = {
      {.column = {0, 4, 1}, .row = {0, 1, 4}, .depth = {5, 6, 7}, .vertex = {7, 3, 9}},
      {.column = {0, 4, 4}, .row = {1, 1, 4}, .depth = {5, 6, 7}, .vertex = {7, 3, 9}}};
  for (int n = 0; n < 2; n++)
    for (int32_t row = -2; row <= 6; row++)
      for (int32_t column = -2; column <= 6; column++) {
        const ts_ldi_seen *seen = &triangles[n];
        ts_vec3 corners[3], at = {0, 0, 0};
        double w[3], sum = 0;
        ts_ldi_barycentric(w, seen, row, column);
        for (int i = 0; i < 3; i++) {
          cr_expect(w[i] >= 0 && w[i] <= 1, "row %d, column %d: weight %g", row, column, w[i]);
          sum += w[i];
          corners[i] = ts_vec3_make(seen->column[i], seen->row[i], 0);
          at = ts_vec3_add_scaled(at, w[i], corners[i]);
        }
        cr_expect_float_eq(sum, 1, 1e-15);
        ts_closest_on_triangle nearest =
            ts_closest_point_triangle(ts_vec3_make(column, row, 0), corners);
        ldi_expect_near(at, nearest.point, 1e-14, "nearest point");
      }
}

Test(ldi_scan, thin_bodies_match) {
  solid plate = solid_box(1, 1, 1e-7, 0), needle = solid_box(1, 1e-7, 1e-7, 0);
  ts_ldi *ldi = ldi_open(solid_mesh(arena, &plate), solid_mesh(arena, &needle), 1);
  ts_random random = ts_random_seed(4, 1);
  for (int n = 0; n < LDI_TRIES(400); n++) {
    ts_pose a = random_pose(&random, 1e-8), b = random_pose(&random, 1e-8);
    if (n % 2 == 0)
      a.rotation = ts_quat_identity();
    ldi_place(ldi, a, b, 32);
    tally t = count(ldi);
    cr_assert_eq(t.unmatched, 0, "pose %d: %zu pixels", n, t.unmatched);
  }
  ts_ldi_destroy(ldi);
}
