// SPDX-License-Identifier: MIT
#include "ldi/contact.h"

ts_vec3 ts_ldi_weight_m2(const int64_t sum[3], const ts_ldi_grid *grid) {
  const double one = (double)(INT64_C(1) << TS_LDI_WEIGHT_BITS);
  return (ts_vec3){(double)sum[0] / one * ts_ldi_pixel_m2(grid, 0),
                   (double)sum[1] / one * ts_ldi_pixel_m2(grid, 1),
                   (double)sum[2] / one * ts_ldi_pixel_m2(grid, 2)};
}

/// The surface of one body that the overlap pushes.
typedef struct surface_sum {
  double facing_m2;     ///< of the vertices that face the other body
  double positive_m2;   ///< of those that lie along the normal, on whichever body
  ts_vec3 moment_local; ///< of the vertices that face the other body [m3]
} surface_sum;

/// `sign` is 1 for a, whose surface faces along the normal, and -1 for b.
static surface_sum sum_surface(const ts_mesh *mesh, const ts_ldi_load *load, ts_vec3 normal,
                               double sign, const ts_ldi_grid *grid) {
  surface_sum out = {0};
  for (size_t i = 0; i < load->count; i++) {
    const int64_t *sum = load->sums[i];
    if ((sum[0] | sum[1] | sum[2]) == 0)
      continue;
    double area_m2 = ts_vec3_dot(normal, ts_ldi_weight_m2(sum, grid));
    out.positive_m2 += fmax(area_m2, 0);
    double facing_m2 = fmax(sign * area_m2, 0);
    out.facing_m2 += facing_m2;
    ts_vec3 p = mesh->vertices[ts_ldi_load_vertex(load, i)];
    out.moment_local = ts_vec3_add_scaled(out.moment_local, facing_m2, p);
  }
  return out;
}

bool ts_ldi_contact(ts_contact *out, const ts_ldi_pair *pair, const ts_ldi_load loads[2],
                    const double volume_px3[3]) {
  int64_t push[3] = {0};
  for (size_t i = 0; i < loads[0].count; i++)
    for (int k = 0; k < 3; k++)
      push[k] += loads[0].sums[i][k];
  if ((push[0] | push[1] | push[2]) == 0)
    return false;
  ts_vec3 normal = ts_vec3_unit(ts_ldi_weight_m2(push, &pair->grid));
  surface_sum sums[2];
  ts_vec3 centre[2];
  for (int body = 0; body < 2; body++) {
    sums[body] =
        sum_surface(pair->mesh[body], &loads[body], normal, body == 0 ? 1 : -1, &pair->grid);
    centre[body] = ts_pose_point(pair->pose[body],
                                 ts_vec3_scale(sums[body].moment_local, 1 / sums[body].facing_m2));
  }
  double across_px3 = normal.x * normal.x * volume_px3[0] + normal.y * normal.y * volume_px3[1] +
                      normal.z * normal.z * volume_px3[2];
  double area_m2 = sums[0].positive_m2 + sums[1].positive_m2;
  *out = (ts_contact){.point = ts_vec3_mid(centre[0], centre[1]),
                      .normal = normal,
                      .gap_m = -across_px3 * ts_ldi_cell_m3(&pair->grid) / area_m2,
                      .area_m2 = area_m2};
  return true;
}
