// SPDX-License-Identifier: MIT
/// Allard 2010: Table 1, Figure 7, and what Figure 6 shows, for which no numbers are printed.
#include "harness/paper/published.h"

#include "base/status.h"
#include "geometry/mesh/mesh.h"
#include "harness/paper/rod_distance.h"

#include <math.h>
#include <string.h>

// The rows of Table 1: objects, thousands of triangles, contacts at most, and the times of a step.
#define TABLE1(row, objects, triangles, contacts, detection, modeling, motion, solver)             \
  {"allard2010_table1", row, "ldi_volume", "count", "objects", objects, ""},                       \
      {"allard2010_table1", row, "ldi_volume", "thousands", "triangles", triangles, ""},           \
      {"allard2010_table1", row, "ldi_volume", "count", "contacts_max", contacts, ""},             \
      {"allard2010_table1", row, "ldi_volume", "ms", "detection", detection, ""},                  \
      {"allard2010_table1", row, "ldi_volume", "ms", "contact_modeling", modeling, ""},            \
      {"allard2010_table1", row, "ldi_volume", "ms", "motion", motion, ""}, {                      \
    "allard2010_table1", row, "ldi_volume", "ms", "solver", solver, ""                             \
  }

// The rows of Figure 7, by the contacts along the snake.
#define FIGURE7(row, contacts, mean, max)                                                          \
  {"allard2010_figure7", row, "ldi_volume", "count", "contacts_mean", contacts, ""},               \
      {"allard2010_figure7", row, "ldi_volume", "percent", "error_mean", mean, "of the length"}, { \
    "allard2010_figure7", row, "ldi_volume", "percent", "error_max", max, "of the length"          \
  }

// Of an overlap V whose area is A = dV/dd, a step of V / A leaves V(d - V / A) / V(d).
#define FIGURE6(row, left, note)                                                                   \
  { "allard2010_figure6", row, "ldi_volume", "fraction", "overlap_left", left, note }

static const ts_published values[] = {
    TABLE1("medical", "9", "550", "16", "22.69", "1.35", "17.85", "32.45"),
    TABLE1("octopuses", "3", "46", "110", "5.67", "1.20", "43.43", "12.34"),
    TABLE1("grasping", "2", "9", "10", "2.73", "0.97", "7.36", "6.18"),
    TABLE1("snake_1", "1", "7", "1", "3.45", "1.01", "2.72", "1.53"),
    TABLE1("snake_6", "1", "7", "6", "3.41", "1.00", "2.87", "1.86"),
    TABLE1("snake_18", "1", "7", "18", "3.45", "0.95", "2.98", "3.09"),
    TABLE1("snake_41", "1", "7", "41", "3.46", "0.84", "2.99", "7.62"),
    TABLE1("armadillos_distance_field", "2", "692", "255", "10.46", "0.16", "0.38", "6.68"),
    TABLE1("armadillos", "2", "692", "16", "18.48", "1.15", "0.48", "4.08"),
    TABLE1("armadillos_fem", "2", "692", "28", "18.47", "1.53", "13.54", "17.98"),
    TABLE1("toys_10", "10", "205", "99", "16.61", "1.64", "71.24", "34.82"),
    TABLE1("toys_20", "20", "379", "242", "28.79", "2.37", "146.94", "207.02"),
    TABLE1("toys_40", "40", "725", "544", "44.45", "3.43", "309.48", "723.83"),
    FIGURE6("box_on_slab", "0.0000", "V = A d"),
    FIGURE6("sphere_on_slab", "0.2404", "V = pi d^2 (R - d/3), R = 0.5 m, d = 0.1 m"),
    FIGURE6("two_spheres", "0.2455", "V = pi d^2 (R - d/6) / 2, R = 0.5 m, d = 0.1 m"),
    FIGURE6("ridge", "0.2500", "V = c d^2: (1/2)^2"),
    FIGURE6("tip", "0.2963", "V = c d^3: (2/3)^3"),
    FIGURE7("snake_1", "1", "26.21", "61.30"),
    FIGURE7("snake_4", "4", "3.47", "9.94"),
    FIGURE7("snake_7", "7", "3.85", "6.58"),
    FIGURE7("snake_12", "12", "0.40", "0.83"),
    FIGURE7("snake_20", "20", "0.25", "0.46"),
    FIGURE7("snake_40", "40", "0.18", "0.35"),
};

/// Mean solver time of the time steps [ms].
static double mean_solver_ms(const ts_evidence *e) {
  double sum = 0, count = 0;
  for (size_t i = 0; i < e->row_count; i++)
    if (!isnan(e->rows[i].solve_ns)) {
      sum += 1e-6 * e->rows[i].solve_ns;
      count++;
    }
  return count > 0 ? sum / count : (double)NAN;
}

/// Thousands of triangles of all bodies.
static ts_status count_triangles(double *out, ts_arena *arena, const ts_cell *cell) {
  ts_scene *scene;
  TS_TRY(ts_case_build(&scene, arena, cell->c, cell->case_values));
  *out = 0;
  for (size_t i = 0; i < scene->body_count; i++)
    *out += 1e-3 * (double)scene->shapes[scene->bodies[i].shape].mesh->triangle_count;
  return TS_OK;
}

static ts_status measure_table1(double *out, ts_arena *arena, const ts_published *p,
                                const ts_evidence *e) {
  if (strcmp(p->metric, "triangles") == 0)
    return count_triangles(out, arena, e->cell);
  if (strcmp(p->metric, "objects") == 0)
    *out = e->at->bodies;
  if (strcmp(p->metric, "solver") == 0)
    *out = mean_solver_ms(e);
  return TS_OK;
}

static ts_status measure_overlap_left(double *out, ts_arena *arena, const ts_published *p,
                                      const ts_evidence *e) {
  (void)arena;
  (void)p;
  *out = e->at->overlap_m3 / e->base->overlap_m3;
  return TS_OK;
}

static ts_status measure_rod(double *out, ts_arena *arena, const ts_published *p,
                             const ts_evidence *e) {
  bool is_mean = strcmp(p->metric, "error_mean") == 0;
  if (!is_mean && strcmp(p->metric, "error_max") != 0)
    return TS_OK;
  ts_rod_distance distance;
  TS_TRY(ts_rod_distance_of(&distance, arena, e->cell, (int64_t)e->at->step));
  *out = 100 * (is_mean ? distance.mean : distance.max);
  return TS_OK;
}

// Friction that twists a contact about its normal would hold a rod on a single one.
static const char *const rod_sets[] = {"pull=0.225", "response=volume", "spin_length_m=0",
                                       "resolution_px=240", NULL};
static const char *const deep_sets[] = {"depth_m=0.1",      "dilation_m=0",      "response=volume",
                                        "volume_rows=pair", "resolution_px=512", NULL};
// As many triangles as an armadillo, and cells for about as many contacts.
static const char *const tori_sets[] = {"triangles=345944",  "response=volume", "spin_length_m=0",
                                        "resolution_px=280", "cell_px=60",      NULL};
static const char *const heap_sets[] = {"response=volume", "spin_length_m=0", "resolution_px=64",
                                        "cell_px=16", NULL};

#define ROD(row, cell)                                                                             \
  {                                                                                                \
    .source = "allard2010_figure7", .scene = row, .c = "dragged_rod", .steps = 51, .step = 51,     \
    .sets = rod_sets, .own = {"cell_px=" cell}, .measure = measure_rod, .is_stand_in = true,       \
    .reason =                                                                                      \
        "a rigid rod, 0.5 s after it is pulled across, beside one with friction spread evenly "    \
        "along it; one row of cells does not keep it from rolling over"                            \
  }

#define DEEP(shape)                                                                                \
  {                                                                                                \
    .source = "allard2010_figure6", .scene = shape, .c = "deep", .steps = 2, .step = 2,            \
    .sets = deep_sets, .own = {"shape=" shape, "position_iterations=1"},                           \
    .base = {"shape=" shape, "position_iterations=0"}, .measure = measure_overlap_left             \
  }

#define HEAP(row, number, of_each, last, time)                                                     \
  {                                                                                                \
    .source = "allard2010_table1", .scene = row, .c = "heap", .steps = last, .step = last,         \
    .sets = heap_sets, .own = {"count=" number, "triangles=" of_each}, .measure = measure_table1,  \
    .is_stand_in = true,                                                                           \
    .reason = number " rigid rings, " time                                                         \
                     " s after they begin to fall on a slab, which is an object, too"              \
  }

static const ts_paper_run runs[] = {
    {.source = "allard2010_table1",
     .scene = "armadillos",
     .c = "tori",
     .steps = TS_PUBLISHED_STEP,
     .step = TS_PUBLISHED_STEP,
     .sets = tori_sets,
     .measure = measure_table1,
     .is_stand_in = true,
     .reason = "two bumpy tori of as many triangles, on the processor alone"},
    HEAP("toys_10", "10", "20500", 121, "1.2"),
    HEAP("toys_20", "20", "18950", 161, "1.6"),
    HEAP("toys_40", "40", "18125", 201, "2"),
    DEEP("box_on_slab"),
    DEEP("sphere_on_slab"),
    DEEP("two_spheres"),
    DEEP("ridge"),
    DEEP("tip"),
    ROD("snake_1", "0"),
    ROD("snake_4", "60"),
    ROD("snake_7", "35"),
    ROD("snake_12", "22"),
    ROD("snake_20", "15"),
    ROD("snake_40", "9"),
};

static const char deformable[] = "its bodies deform, and bodies are rigid here";

static const ts_paper_reason reasons[] = {
    {"allard2010_table1", "medical", NULL, NULL, deformable},
    {"allard2010_table1", "octopuses", NULL, NULL, deformable},
    {"allard2010_table1", "grasping", NULL, NULL, deformable},
    {"allard2010_table1", "snake_1", NULL, NULL, deformable},
    {"allard2010_table1", "snake_6", NULL, NULL, deformable},
    {"allard2010_table1", "snake_18", NULL, NULL, deformable},
    {"allard2010_table1", "snake_41", NULL, NULL, deformable},
    {"allard2010_table1", "armadillos_fem", NULL, NULL, deformable},
    {"allard2010_table1", "armadillos_distance_field", NULL, NULL,
     "no method here finds contacts in distance fields"},
    {"allard2010_table1", NULL, NULL, "contact_modeling",
     "part of our detection: a method is timed as a whole"},
    {"allard2010_table1", "armadillos", NULL, "motion",
     "not timed: a few operations for each rigid body"},
    {"allard2010_table1", NULL, NULL, "motion", deformable},
    {"allard2010_table1", NULL, NULL, "detection",
     "not timed: contacts are timed as built and at step 3, when no ring has met another one"},
};

static const char *const ours_sets[] = {NULL};

const ts_paper ts_paper_allard2010 = {
    .name = "allard2010",
    .values = values,
    .value_count = sizeof values / sizeof values[0],
    .runs = runs,
    .run_count = sizeof runs / sizeof runs[0],
    .reasons = reasons,
    .reason_count = sizeof reasons / sizeof reasons[0],
    .column_sets = {[TS_REPRODUCED_OURS] = ours_sets},
};
