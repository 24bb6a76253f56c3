// SPDX-License-Identifier: MIT
/// Draws the layered depth images of the two bodies of a case: a slice of one image, and next to it
/// the contacts of the cells. Writes SVG to standard output.
/// usage: ldi_picture CASE RESOLUTION_PX CELL_PX [PARAMETER=VALUE...]
#include "base/param.h"
#include "base/status.h"
#include "cases/case.h"
#include "ldi/ldi.h"
#include "ldi/line_sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The image along y: columns along z, rows along x, depth upwards in the picture.
enum { AXIS = 1, PANEL_PX = 440, MARGIN_PX = 30, CONTACTS_MAX = 4096 };

// Colours that are distinct for colour-blind readers and in grey (Okabe and Ito).
static const char *const body_colours[2] = {"#56b4e9", "#e69f00"};

typedef struct picture {
  ts_ldi *ldi;
  const ts_ldi_pair *pair;
  int cell_px;
  int32_t row;              ///< the slice
  double low_px, high_px;   ///< the range of depth shown
  double scale, left, base; ///< from pixels of the grid to those of the picture
  size_t contact_count;
  ts_contact contacts[CONTACTS_MAX];
} picture;

static double column_x(const picture *p, double column) {
  return p->left + (column + 0.5) * p->scale;
}

static double depth_y(const picture *p, double depth) {
  return p->base - (depth - p->low_px) * p->scale;
}

/// Calls a function with the crossings of each pixel of a row.
typedef void (*visit_pixel)(picture *p, int32_t column, const ts_ldi_crossing *crossings,
                            uint32_t count, void *context);

static ts_status each_pixel(picture *p, int32_t row, visit_pixel visit, void *context) {
  int shift = ts_ldi_band_shift(&p->pair->grid, AXIS);
  ts_ldi_image image;
  TS_TRY(ts_ldi_render(&image, p->ldi, AXIS, row >> shift));
  for (int32_t column = 0; column < image.column_count; column++) {
    const uint32_t *start = &image.start[(row - image.first_row) * image.column_count + column];
    visit(p, column, image.crossings + start[0], start[1] - start[0], context);
  }
  return TS_OK;
}

static void sum_overlap(picture *p, int32_t column, const ts_ldi_crossing *crossings,
                        uint32_t count, void *context) {
  (void)p;
  (void)column;
  double *sum = context;
  ts_ldi_sweep sweep = ts_ldi_sweep_start(crossings, count, 0);
  ts_ldi_interval interval;
  while (ts_ldi_sweep_next(&interval, &sweep))
    *sum += interval.high.depth_px - interval.low.depth_px;
}

static void find_extent(picture *p, int32_t column, const ts_ldi_crossing *crossings,
                        uint32_t count, void *context) {
  (void)column;
  (void)context;
  if (count == 0)
    return;
  p->low_px = fmin(p->low_px, crossings[0].depth_px);
  p->high_px = fmax(p->high_px, crossings[count - 1].depth_px);
}

/// The row with the largest part of the overlap.
static ts_status choose_row(picture *p) {
  double most = -1;
  for (int32_t row = 0; row < ts_ldi_row_count(&p->pair->grid, AXIS); row++) {
    double sum = 0;
    TS_TRY(each_pixel(p, row, sum_overlap, &sum));
    if (sum > most) {
      most = sum;
      p->row = row;
    }
  }
  p->low_px = INFINITY;
  p->high_px = -INFINITY;
  return each_pixel(p, p->row, find_extent, NULL);
}

static void draw_bar(const picture *p, int32_t column, double low, double high, const char *colour,
                     double width) {
  printf("<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n",
         column_x(p, column) - width * p->scale / 2, depth_y(p, high), width * p->scale,
         (high - low) * p->scale, colour);
}

/// The intervals inside each body, then those inside both.
static void draw_pixel(picture *p, int32_t column, const ts_ldi_crossing *crossings, uint32_t count,
                       void *context) {
  double width = *(const double *)context, entered[2] = {0};
  int winding[2] = {0};
  for (uint32_t i = 0; i < count; i++) {
    int body = ts_ldi_body(crossings[i].id);
    if (!ts_ldi_is_leaving(crossings[i].id)) {
      if (winding[body]++ == 0)
        entered[body] = crossings[i].depth_px;
    } else if (--winding[body] == 0)
      draw_bar(p, column, entered[body], crossings[i].depth_px, body_colours[body], width);
  }
  ts_ldi_sweep sweep = ts_ldi_sweep_start(crossings, count, 0);
  ts_ldi_interval interval;
  while (ts_ldi_sweep_next(&interval, &sweep))
    draw_bar(p, column, interval.low.depth_px, interval.high.depth_px, "#000000", width);
}

static ts_status keep_contact(void *context, const ts_contact *contact) {
  picture *p = context;
  if (p->contact_count < CONTACTS_MAX)
    p->contacts[p->contact_count++] = *contact;
  return TS_OK;
}

static double grid_coordinate(double world_m, double low_m, double pixel_m) {
  return (world_m - low_m) / pixel_m - 0.5;
}

/// Walls of the cells in the overlap box, and the contacts of the cells in the slice.
static void draw_contacts(const picture *p) {
  const ts_ldi_grid *grid = &p->pair->grid;
  for (int32_t wall = 0; wall <= grid->size[2] + p->cell_px - 1; wall += p->cell_px)
    printf("<path d=\"M%.2f %.2fV%.2f\" stroke=\"#888888\" stroke-width=\"0.7\"/>\n",
           column_x(p, wall - 0.5), depth_y(p, -0.5 - p->cell_px),
           depth_y(p, grid->size[1] - 0.5 + p->cell_px));
  for (int32_t wall = 0; wall <= grid->size[1] + p->cell_px - 1; wall += p->cell_px)
    printf("<path d=\"M%.2f %.2fH%.2f\" stroke=\"#888888\" stroke-width=\"0.7\"/>\n",
           column_x(p, -0.5), depth_y(p, wall - 0.5), column_x(p, grid->size[2] - 0.5));
  for (size_t i = 0; i < p->contact_count; i++) {
    const ts_contact *c = &p->contacts[i];
    double row = grid_coordinate(c->point.x, grid->low.x, grid->pixel_m[0]);
    if (floor((row + 0.5) / p->cell_px) != p->row / p->cell_px)
      continue;
    double x = column_x(p, grid_coordinate(c->point.z, grid->low.z, grid->pixel_m[2]));
    double y = depth_y(p, grid_coordinate(c->point.y, grid->low.y, grid->pixel_m[1]));
    double length = 1.6 * p->cell_px * p->scale;
    printf("<path d=\"M%.2f %.2fl%.2f %.2f\" stroke=\"#d55e00\" stroke-width=\"2\" "
           "marker-end=\"url(#tip)\"/>\n<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\" "
           "fill=\"#d55e00\"/>\n",
           x, y, length * c->normal.z, -length * c->normal.y, x, y);
  }
}

static ts_status draw(picture *p) {
  TS_TRY(choose_row(p));
  const ts_ldi_grid *grid = &p->pair->grid;
  double depth_px = p->high_px - p->low_px;
  p->scale = PANEL_PX / fmax(grid->size[2], depth_px);
  double height = depth_px * p->scale + 2 * MARGIN_PX + 24;
  double width = 2 * PANEL_PX + 3 * MARGIN_PX;
  p->base = MARGIN_PX + 24 + depth_px * p->scale;
  printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
         "height=\"%.0f\" font-family=\"sans-serif\" font-size=\"15\">\n"
         "<title>A slice of two bodies as a layered depth image sees it, and the contacts of the "
         "cells there</title>\n"
         "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"6\" refY=\"4\" markerWidth=\"5\" "
         "markerHeight=\"5\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#d55e00\"/></marker>"
         "</defs>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
         width, height, width, height);
  p->left = MARGIN_PX;
  printf("<text x=\"%d\" y=\"26\">Inside of <tspan fill=\"#0072b2\">body a</tspan>, of "
         "<tspan fill=\"#9a6200\">body b</tspan>, and of both</text>\n",
         MARGIN_PX);
  double bar = 0.8;
  TS_TRY(each_pixel(p, p->row, draw_pixel, &bar));
  p->left = 2 * MARGIN_PX + PANEL_PX;
  printf("<text x=\"%d\" y=\"26\">Cells of %d px, and a contact for each with overlap</text>\n",
         2 * MARGIN_PX + PANEL_PX, p->cell_px);
  bar = 1.02;
  TS_TRY(each_pixel(p, p->row, draw_pixel, &bar));
  TS_TRY(ts_ldi_contacts(p->ldi, p->cell_px, keep_contact, p));
  draw_contacts(p);
  printf("</svg>\n");
  return TS_OK;
}

/// Sets the parameters of a case from name=value.
static ts_status read_values(double *values, const ts_param *params, size_t count,
                             char **settings) {
  ts_param_defaults(values, params, count);
  for (; *settings; settings++) {
    char name[64];
    size_t length = strcspn(*settings, "=");
    snprintf(name, sizeof name, "%.*s", (int)length, *settings);
    int index = ts_param_find(params, count, name);
    if (index < 0 || (*settings)[length] == '\0')
      return ts_fail(TS_E_INPUT, "%s: give parameters of the case as name=value", *settings);
    TS_TRY(ts_param_parse(&values[index], &params[index], *settings + length + 1));
  }
  return TS_OK;
}

static ts_status run(ts_arena *arena, picture *p, const char *name, int resolution_px,
                     char **settings) {
  const ts_case *c = ts_case_find(name);
  if (!c)
    return ts_fail(TS_E_INPUT, "there is no case %s", name);
  size_t count = ts_case_param_count(c);
  const ts_param *params = ts_case_params(arena, c);
  double *values = ts_arena_array(arena, count, sizeof *values);
  if (!params || !values)
    return TS_E_MEMORY;
  TS_TRY(read_values(values, params, count, settings));
  ts_scene *scene;
  TS_TRY(ts_case_build(&scene, arena, c, values));
  const ts_body *bodies = scene->bodies;
  TS_TRY(ts_ldi_create_for_meshes(&p->ldi, ts_ldi_backends[0], scene->shapes[bodies[0].shape].mesh,
                                  scene->shapes[bodies[1].shape].mesh, 1));
  TS_TRY(ts_ldi_place(p->ldi, bodies[0].pose, bodies[1].pose, resolution_px));
  p->pair = ts_ldi_placed(p->ldi);
  if (ts_ldi_grid_is_empty(&p->pair->grid))
    return ts_fail(TS_E_INPUT, "the first two bodies of %s do not overlap", name);
  return draw(p);
}

int main(int argc, char **argv) {
  int resolution_px = argc >= 4 ? atoi(argv[2]) : 0, cell_px = argc >= 4 ? atoi(argv[3]) : 0;
  if (resolution_px < 1 || cell_px < 1) {
    fprintf(stderr, "usage: ldi_picture CASE RESOLUTION_PX CELL_PX [PARAMETER=VALUE...] "
                    ">FILE.svg\n");
    return 2;
  }
  ts_arena *arena;
  static picture p;
  p.cell_px = cell_px;
  if (ts_arena_create(&arena) != TS_OK ||
      run(arena, &p, argv[1], resolution_px, argv + 4) != TS_OK) {
    fprintf(stderr, "ldi_picture: %s\n", ts_status_detail());
    return 2;
  }
  ts_ldi_destroy(p.ldi);
  ts_arena_destroy(arena);
  return 0;
}
