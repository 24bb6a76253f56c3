// SPDX-License-Identifier: MIT
#include "tests/benchmark/bench_ldi_print.h"

#include "tests/benchmark/bench_exponent.h"

#include <math.h>
#include <string.h>

void bench_ldi_print_header(FILE *file) {
  fprintf(file, "%-11s  %9s  %5s  %-7s  %7s  %8s  %8s  %8s  %8s  %9s  %6s  %8s  %8s  %8s\n", "", "",
          "", "", "", "time ms", "", "place ms", "measure", "million", "", "ns a", "to one",
          "to cpu,");
  fprintf(file, "%-11s  %9s  %5s  %-7s  %7s  %8s  %8s  %8s  %8s  %9s  %6s  %8s  %8s  %8s\n",
          "setting", "triangles", "px", "backend", "threads", "min", "median", "median",
          "ms median", "crossings", "layers", "crossing", "thread", "1 thread");
}

void bench_ldi_print_row(FILE *file, const bench_ldi_row *row) {
  fprintf(file,
          "%-11s  %9.0f  %5.0f  %-7s  %7.0f  %8.2f  %8.2f  %8.2f  %9.2f  %9.3f  %6.0f  %8.1f  "
          "%8.3f  %8.3f\n",
          row->setting, row->triangles, row->resolution_px, row->backend, row->threads,
          row->time_ns_min / 1e6, row->time_ns_median / 1e6, row->place_ns_median / 1e6,
          row->measure_ns_median / 1e6, row->crossings / 1e6, row->layers_max, row->ns_per_crossing,
          row->to_one_thread, row->to_cpu);
}

void bench_ldi_print_floor(FILE *file, const bench_ldi_floor *floor, const bench_ldi_row *row) {
  fprintf(file, "  floor %.2f ms:", floor->total_ns / 1e6);
  for (int i = 0; i < BENCH_LDI_WORKS; i++)
    fprintf(file, "%s %.0f %s at %.2f ns", i ? "," : "", floor->count[i], bench_ldi_works[i].name,
            floor->each_ns[i]);
  fprintf(file, "; %.1f MB, copied in %.2f ms", floor->bytes / 1e6,
          floor->bytes * floor->byte_ns / 1e6);
  if (!isnan(row->to_floor))
    fprintf(file, "; %s takes %.2f times as long", row->backend, row->to_floor);
  fputc('\n', file);
}

/// The number of largest points of a sweep used for its exponent: the others are dominated by the
/// fixed cost of a call.
enum { FITTED_POINTS = 3 };

/// The largest points of a sweep, ascending.
typedef struct points {
  size_t count;
  double x[FITTED_POINTS], y[FITTED_POINTS];
} points;

static void push_point(points *p, double x, double y) {
  if (p->count == FITTED_POINTS && x <= p->x[0])
    return;
  size_t at = p->count < FITTED_POINTS ? p->count++ : 0;
  // The element at `at` is free: larger ones move up into it, or smaller ones down.
  for (; at > 0 && p->x[at - 1] > x; at--) {
    p->x[at] = p->x[at - 1];
    p->y[at] = p->y[at - 1];
  }
  for (; at + 1 < p->count && p->x[at + 1] < x; at++) {
    p->x[at] = p->x[at + 1];
    p->y[at] = p->y[at + 1];
  }
  p->x[at] = x;
  p->y[at] = y;
}

static bool is_of(const bench_ldi_row *row, const bench_ldi_row *as) {
  return strcmp(row->setting, as->setting) == 0 && strcmp(row->backend, as->backend) == 0 &&
         row->threads == as->threads;
}

/// The sweep and subject whose first row is at `index`.
static void print_exponent(FILE *file, const bench_ldi_rows *rows, size_t index) {
  const bench_ldi_row *as = &rows->items[index];
  bool by_triangles = strcmp(as->setting, "triangles") == 0;
  if (!by_triangles && strcmp(as->setting, "resolution") != 0)
    return;
  points p = {0};
  for (size_t i = 0; i < rows->count; i++) {
    const bench_ldi_row *row = &rows->items[i];
    if (!is_of(row, as))
      continue;
    if (i < index)
      return;
    push_point(&p, by_triangles ? row->triangles : row->pixels, row->time_ns_min);
  }
  if (p.count > 1)
    fprintf(
        file, "minimum time of %s, %.0f thread%s, grows as %s^%.2f (%zu points, %.3g to %.3g)\n",
        as->backend, as->threads, as->threads > 1 ? "s" : "", by_triangles ? "triangles" : "pixels",
        bench_exponent(p.x, p.y, p.count), p.count, p.x[0], p.x[p.count - 1]);
}

/// Contacts in the sweep by triangles, of the first subject.
static void print_contacts(FILE *file, const bench_ldi_rows *rows) {
  const bench_ldi_row *first = NULL;
  for (size_t i = 0; i < rows->count; i++) {
    const bench_ldi_row *row = &rows->items[i];
    if (strcmp(row->setting, "triangles") != 0 || (first && !is_of(row, first)))
      continue;
    if (!first)
      fprintf(file, "contacts in cells of %d px:", BENCH_LDI_CELL_PX);
    fprintf(file, "%s %.0f with %.0f triangles", first ? "," : "", row->contacts, row->triangles);
    first = first ? first : row;
  }
  if (first)
    fputc('\n', file);
}

void bench_ldi_print_growth(FILE *file, const bench_ldi_rows *rows) {
  for (size_t i = 0; i < rows->count; i++)
    print_exponent(file, rows, i);
  print_contacts(file, rows);
}

void bench_ldi_print_published(FILE *file, const bench_ldi_rows *rows) {
  bool is_printed = false;
  for (size_t i = 0; i < rows->count; i++) {
    const bench_ldi_row *row = &rows->items[i];
    if (strcmp(row->setting, "allard_2010") != 0)
      continue;
    if (!is_printed)
      fprintf(file,
              "Allard 2010, Table 1, two rigid armadillos of 345944 triangles, at most 280 x 240 "
              "px and 22 layers,\non a GTX 285: 18.48 ms collision detection + 1.15 ms contact "
              "modelling. Two tori of %.0f triangles,\n%.0f x %.0f x %.0f px, %.0f layers: images, "
              "volumes and gradients of three views in\n",
              row->triangles, row->size_x_px, row->size_y_px, row->size_z_px, row->layers_max);
    is_printed = true;
    fprintf(file, "  %8.2f ms  %s, %.0f thread%s (median); contacts in cells: %.0f in %.2f ms\n",
            row->time_ns_median / 1e6, row->backend, row->threads, row->threads > 1 ? "s" : "",
            row->contacts, row->contacts_ns / 1e6);
  }
}

void bench_ldi_print_context(FILE *file, const bench_ldi_rows *rows,
                             const bench_ldi_subjects *subjects) {
  if (rows->count == 0)
    return;
  const bench_ldi_row *row = &rows->items[0];
  fprintf(file, "commit %s\n%s, %s, flags %s\n%s; repeats: %.0f\n", row->commit, row->compiler,
          row->build_type, row->flags, row->cpu, row->repeats);
  for (size_t i = 0; i < subjects->count; i++)
    if (i == 0 || subjects->items[i].backend != subjects->items[i - 1].backend)
      fprintf(file, "%s: %s\n", subjects->items[i].backend->name, subjects->items[i].device);
  if (subjects->skipped[0])
    fprintf(file, "%s\n", subjects->skipped);
}
