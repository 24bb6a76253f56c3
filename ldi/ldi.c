// SPDX-License-Identifier: MIT
#include "ldi/ldi.h"

#include "geometry/tolerances.h"
#include "ldi/buffer.h"
#include "ldi/cells.h"
#include "ldi/contact.h"
#include "ldi/team.h"

#include <string.h>

struct ts_ldi {
  const ts_ldi_backend *backend;
  void *state;
  const ts_ldi_shape *shapes[2];
  ts_ldi_shape *own[2]; ///< Those that were made here; else NULL.
  ts_ldi_pair pair;
  ts_vec3 *gradient[2]; ///< [mesh->vertex_count]
  ts_ldi_team *team;    ///< fills cells
  int member_count;
  ts_ldi_cells *cells; ///< [member_count]
};

ts_status ts_ldi_create(ts_ldi **out, const ts_ldi_backend *backend, const ts_ldi_shape *a,
                        const ts_ldi_shape *b, int threads) {
  *out = NULL;
  if (threads < 1)
    return ts_fail(TS_E_INPUT, "%d threads: give at least 1", threads);
  ts_ldi *ldi = calloc(1, sizeof *ldi);
  if (!ldi)
    return ts_fail(TS_E_MEMORY, "no memory for layered depth images");
  ldi->backend = backend;
  ldi->shapes[0] = a;
  ldi->shapes[1] = b;
  ldi->pair.mesh[0] = a->mesh;
  ldi->pair.mesh[1] = b->mesh;
  ldi->member_count = backend->is_threaded ? threads : 1;
  ldi->cells = calloc((size_t)ldi->member_count, sizeof *ldi->cells);
  bool is_made = ldi->cells && ts_ldi_team_create(&ldi->team, ldi->member_count) == TS_OK;
  for (int body = 0; body < 2; body++) {
    ldi->gradient[body] = calloc(ldi->pair.mesh[body]->vertex_count, sizeof *ldi->gradient[body]);
    is_made = is_made && ldi->gradient[body];
  }
  if (!is_made) {
    ts_ldi_destroy(ldi);
    return ts_fail(TS_E_MEMORY, "no memory for layered depth images");
  }
  ts_status status = backend->create(&ldi->state, ldi->shapes, threads);
  if (status != TS_OK) {
    ts_ldi_destroy(ldi);
    return status;
  }
  *out = ldi;
  return TS_OK;
}

ts_status ts_ldi_create_for_meshes(ts_ldi **out, const ts_ldi_backend *backend, const ts_mesh *a,
                                   const ts_mesh *b, int threads) {
  ts_ldi_shape *own[2] = {NULL, NULL};
  *out = NULL;
  ts_status status = ts_ldi_shape_create(&own[0], a);
  if (status == TS_OK)
    status = ts_ldi_shape_create(&own[1], b);
  if (status == TS_OK)
    status = ts_ldi_create(out, backend, own[0], own[1], threads);
  for (int body = 0; body < 2; body++)
    if (status == TS_OK)
      (*out)->own[body] = own[body];
    else
      ts_ldi_shape_destroy(own[body]);
  return status;
}

void ts_ldi_destroy(ts_ldi *ldi) {
  if (!ldi)
    return;
  ldi->backend->destroy(ldi->state);
  for (int i = 0; ldi->cells && i < ldi->member_count; i++)
    ts_ldi_cells_free(&ldi->cells[i]);
  free(ldi->cells);
  ts_ldi_team_destroy(ldi->team);
  free(ldi->gradient[0]);
  free(ldi->gradient[1]);
  ts_ldi_shape_destroy(ldi->own[0]);
  ts_ldi_shape_destroy(ldi->own[1]);
  free(ldi);
}

static bool is_finite(ts_aabb box) {
  return ts_vec3_is_finite(box.low) && ts_vec3_is_finite(box.high);
}

static bool is_lost(ts_aabb box) {
  return ts_aabb_extent(box) <= TS_LDI_BOX_RELATIVE * ts_aabb_largest_coordinate(box);
}

ts_status ts_ldi_place(ts_ldi *ldi, ts_pose a, ts_pose b, int resolution_px) {
  ldi->pair.grid = (ts_ldi_grid){0};
  if (resolution_px < 1 || resolution_px > TS_LDI_RESOLUTION_MAX)
    return ts_fail(TS_E_INPUT, "a resolution of %d pixels: give 1 to %d", resolution_px,
                   TS_LDI_RESOLUTION_MAX);
  ldi->pair.pose[0] = a;
  ldi->pair.pose[1] = b;
  ts_aabb box_a = ts_ldi_shape_bounds(ldi->shapes[0], a);
  ts_aabb box_b = ts_ldi_shape_bounds(ldi->shapes[1], b);
  if (!is_finite(box_a) || !is_finite(box_b))
    return ts_fail(TS_E_INPUT, "the pose of body %c is not finite", is_finite(box_a) ? 'b' : 'a');
  if (is_lost(box_a) || is_lost(box_b))
    return ts_fail(TS_E_INPUT,
                   "body %c is too far from the origin for its size: its vertices coincide after "
                   "rounding; move the bodies closer to it",
                   is_lost(box_a) ? 'a' : 'b');
  ldi->pair.box[0] = box_a;
  ldi->pair.box[1] = box_b;
  ldi->pair.grid = ts_ldi_grid_fit(box_a, box_b, resolution_px);
  return ts_ldi_grid_is_empty(&ldi->pair.grid) ? TS_OK
                                               : ldi->backend->place(ldi->state, &ldi->pair);
}

const ts_ldi_pair *ts_ldi_placed(const ts_ldi *ldi) {
  return &ldi->pair;
}

ts_status ts_ldi_render(ts_ldi_image *out, ts_ldi *ldi, int axis, int32_t band) {
  return ldi->backend->render(out, ldi->state, 0, axis, band, true);
}

ts_status ts_ldi_measure(ts_ldi_overlap *out, ts_ldi *ldi) {
  *out = (ts_ldi_overlap){.gradient = {ldi->gradient[0], ldi->gradient[1]}};
  ts_ldi_sums sums = {0};
  bool is_empty = ts_ldi_grid_is_empty(&ldi->pair.grid);
  if (!is_empty)
    TS_TRY(ldi->backend->measure(&sums, ldi->state));
  const ts_ldi_grid *grid = &ldi->pair.grid;
  for (int axis = 0; axis < 3; axis++)
    out->view_volume_m3[axis] = sums.volume_px3[axis] * ts_ldi_cell_m3(grid);
  out->volume_m3 = (out->view_volume_m3[0] + out->view_volume_m3[1] + out->view_volume_m3[2]) / 3;
  for (int body = 0; body < 2; body++) {
    const ts_ldi_load *load = &sums.loads[body];
    memset(ldi->gradient[body], 0,
           ldi->pair.mesh[body]->vertex_count * sizeof *ldi->gradient[body]);
    for (size_t i = 0; i < load->count; i++)
      ldi->gradient[body][ts_ldi_load_vertex(load, i)] = ts_ldi_weight_m2(load->sums[i], grid);
  }
  return TS_OK;
}

static ts_status whole_contact(ts_ldi *ldi, ts_ldi_emit emit, void *context) {
  ts_ldi_sums sums;
  TS_TRY(ldi->backend->measure(&sums, ldi->state));
  ts_contact contact;
  return ts_ldi_contact(&contact, &ldi->pair, sums.loads, sums.volume_px3) ? emit(context, &contact)
                                                                           : TS_OK;
}

/// Cells of a view, filled by the members of a team.
typedef struct filling {
  ts_ldi *ldi;
  int cell_px;
  int32_t rows_a_task[3], task_count[3]; ///< by view
} filling;

/// A task has whole rows of cells, so that what a cell gets from a view is summed up in the order
/// of the pixels by one member. Bands are not divided if the width of the cells permits it;
/// otherwise tasks have several, since those at their rims are rendered twice.
static void share_out(filling *out, int axis) {
  const ts_ldi_grid *grid = &out->ldi->pair.grid;
  int32_t rows = ts_ldi_row_count(grid, axis), band_rows = 1 << ts_ldi_band_shift(grid, axis);
  out->rows_a_task[axis] = rows;
  if (out->ldi->member_count > 1 && out->cell_px < rows) {
    int32_t least = band_rows % out->cell_px == 0 ? band_rows : 4 * band_rows;
    out->rows_a_task[axis] = (least + out->cell_px - 1) / out->cell_px * out->cell_px;
  }
  out->task_count[axis] = (rows - 1) / out->rows_a_task[axis] + 1;
}

static ts_status fill_rows(void *context, int member, int32_t task) {
  filling *f = context;
  ts_ldi *ldi = f->ldi;
  const ts_ldi_pair *pair = &ldi->pair;
  int axis = 0;
  while (task >= f->task_count[axis])
    task -= f->task_count[axis++];
  int32_t row_count = ts_ldi_row_count(&pair->grid, axis);
  ts_ldi_rows rows = {task * f->rows_a_task[axis], (task + 1) * f->rows_a_task[axis]};
  rows.end = rows.end < row_count ? rows.end : row_count;
  int shift = ts_ldi_band_shift(&pair->grid, axis);
  for (int32_t band = rows.first >> shift; band <= (rows.end - 1) >> shift; band++) {
    ts_ldi_image image;
    TS_TRY(ldi->backend->render(&image, ldi->state, member, axis, band, false));
    TS_TRY(ts_ldi_cells_add(&ldi->cells[member], pair, &image, rows, f->cell_px));
  }
  return TS_OK;
}

static ts_status sort_part(void *context, int member, int32_t part) {
  (void)member;
  ts_ldi *ldi = context;
  return ts_ldi_cells_sort(&ldi->cells[part]);
}

ts_status ts_ldi_visit_cells(ts_ldi *ldi, int cell_px, ts_ldi_cell_visit visit, void *context) {
  const ts_ldi_pair *pair = &ldi->pair;
  if (cell_px < 1)
    return ts_fail(TS_E_INPUT, "cells of %d pixels: give at least 1", cell_px);
  if (ts_ldi_grid_is_empty(&pair->grid))
    return TS_OK;
  for (int i = 0; i < ldi->member_count; i++)
    TS_TRY(ts_ldi_cells_clear(&ldi->cells[i]));
  filling f = {.ldi = ldi, .cell_px = cell_px};
  for (int axis = 0; axis < 3; axis++)
    share_out(&f, axis);
  TS_TRY(ts_ldi_team_run(ldi->team, fill_rows, &f,
                         f.task_count[0] + f.task_count[1] + f.task_count[2]));
  TS_TRY(ts_ldi_team_run(ldi->team, sort_part, ldi, ldi->member_count));
  return ts_ldi_cells_visit(ldi->cells, ldi->member_count, pair, cell_px, visit, context);
}

typedef struct cell_contacts {
  const ts_ldi_pair *pair;
  ts_ldi_emit emit;
  void *context;
} cell_contacts;

static ts_status visit_cell(void *context, const ts_ldi_cell *cell) {
  const cell_contacts *c = context;
  ts_contact contact;
  return ts_ldi_contact(&contact, c->pair, cell->loads, cell->volume_px3)
             ? c->emit(c->context, &contact)
             : TS_OK;
}

ts_status ts_ldi_contacts(ts_ldi *ldi, int cell_px, ts_ldi_emit emit, void *context) {
  if (cell_px < 0)
    return ts_fail(TS_E_INPUT, "cells of %d pixels: give 0 (no cells) or more", cell_px);
  if (ts_ldi_grid_is_empty(&ldi->pair.grid))
    return TS_OK;
  if (cell_px == 0)
    return whole_contact(ldi, emit, context);
  cell_contacts c = {&ldi->pair, emit, context};
  return ts_ldi_visit_cells(ldi, cell_px, visit_cell, &c);
}
