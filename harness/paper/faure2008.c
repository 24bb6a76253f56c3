// SPDX-License-Identifier: MIT
/// Faure 2008: Table 1, and what Figures 6, 8 and 10 show, for which no numbers are printed.
#include "harness/paper/published.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

// The rows of Table 1, in milliseconds a step.
#define TABLE1(row, broad, upload, images, volumes, motion, render, total)                         \
  {"faure2008_table1", row, "ldi_volume", "ms", "broad_phase", broad, ""},                         \
      {"faure2008_table1", row, "ldi_volume", "ms", "upload", upload, ""},                         \
      {"faure2008_table1", row, "ldi_volume", "ms", "images", images, ""},                         \
      {"faure2008_table1", row, "ldi_volume", "ms", "volumes", volumes, ""},                       \
      {"faure2008_table1", row, "ldi_volume", "ms", "simulation", motion, ""},                     \
      {"faure2008_table1", row, "ldi_volume", "ms", "render", render, ""}, {                       \
    "faure2008_table1", row, "ldi_volume", "ms", "total", total, ""                                \
  }

// A force over the stiffness is V dV/dx: of a sphere of radius R at depth d, 3 V / d of it is
// pi d (3 R - d) and its slope the section pi d (2 R - d).
#define FIGURE6(row, force, note)                                                                  \
  { "faure2008_figure6", row, "ldi_volume", "m5", "force_over_stiffness", force, note }

#define FIGURE10(row)                                                                              \
  { "faure2008_figure10", row, "ldi_volume", "percent", "energy_gained", "0.0", "" }

static const ts_published values[] = {
    TABLE1("coarse_16px", "0.077", "0.478", "2.101", "0.039", "0.315", "1.951", "5.13"),
    TABLE1("coarse_128px", "0.074", "0.492", "7.874", "1.905", "0.4", "1.908", "13.09"),
    TABLE1("fine_16px", "0.508", "2.964", "15.20", "0.046", "0.23", "20.01", "39.63"),
    TABLE1("fine_128px", "0.494", "2.842", "36.97", "1.949", "0.258", "19.12", "62.35"),
    FIGURE6("sphere_entering", "0.0074", "R = 0.3 m, d = 0.2 m"),
    FIGURE6("sphere_half_in", "0.0160", "R = 0.3 m, d = 0.3 m"),
    FIGURE6("sphere_peak", "0.0211", "R = 0.3 m, d = 0.41 m: the largest"),
    FIGURE6("sphere_inside", "0.0000", "R = 0.3 m, d = 0.8 m"),
    FIGURE6("cube_entering", "0.0281", "V = A d, A = 0.25 m2, d = 0.45 m"),
    FIGURE6("cube_inside", "0.0000", "d = 0.75 m"),
    {"faure2008_figure8", "two_tips", "ldi_volume", "m", "depth", "0.0245",
     "(9 m g / k)^(1/5), V = d^3 / sqrt 27, m = 1 kg, k = 1e10 N/m5"},
    FIGURE10("rings_2px"),
    FIGURE10("rings_4px"),
    FIGURE10("rings_8px"),
    FIGURE10("rings_16px"),
    FIGURE10("rings_32px"),
    FIGURE10("rings_64px"),
};

static const double stiffness_n_m5 = 1e6;
#define STIFFNESS "stiffness_n_m5=1e6"

/// The penalty pushes with the stiffness times this.
static ts_status measure_force(double *out, ts_arena *arena, const ts_published *p,
                               const ts_evidence *e) {
  (void)arena;
  (void)p;
  *out = e->at->contact_force_n_max / stiffness_n_m5;
  return TS_OK;
}

/// The generator renders images and sums up volumes in one call.
static ts_status measure_table1(double *out, ts_arena *arena, const ts_published *p,
                                const ts_evidence *e) {
  (void)arena;
  if (strcmp(p->metric, "images") == 0)
    *out = 1e-6 * e->at->generate_ns_min;
  if (strcmp(p->metric, "simulation") == 0)
    *out = 1e-6 * e->at->solve_ns;
  return TS_OK;
}

/// How far a cube of 1 kg has sunk, by its potential energy; mean of the second half of the steps.
static ts_status measure_depth(double *out, ts_arena *arena, const ts_published *p,
                               const ts_evidence *e) {
  (void)arena;
  (void)p;
  double sum = 0, count = 0;
  for (size_t i = e->row_count / 2; i < e->row_count; i++) {
    sum -= e->rows[i].potential_energy_j;
    count++;
  }
  *out = sum / count / e->cell->simulation_values[TS_SIMULATION_GRAVITY];
  return TS_OK;
}

/// The most energy in any step above that at the start, over the most that moves.
static ts_status measure_energy(double *out, ts_arena *arena, const ts_published *p,
                                const ts_evidence *e) {
  (void)arena;
  (void)p;
  double gained_j = 0, kinetic_j = 0;
  for (size_t i = 0; i < e->row_count; i++) {
    const ts_record *r = &e->rows[i];
    if (isnan(r->kinetic_energy_j)) // as built
      continue;
    gained_j = fmax(gained_j, r->kinetic_energy_j + r->potential_energy_j + r->elastic_energy_j);
    kinetic_j = fmax(kinetic_j, r->kinetic_energy_j);
  }
  *out = 100 * gained_j / kinetic_j;
  return TS_OK;
}

static const char *const passing_sets[] = {"response=penalty",
                                           "integration=explicit",
                                           "dilation_m=0",
                                           "resolution_px=256",
                                           "gravity_m_s2=0",
                                           STIFFNESS,
                                           NULL};
// So soft that nothing moves before contacts are timed.
static const char *const timed_sets[] = {"response=penalty", "stiffness_n_m5=1", "dilation_m=0",
                                         "gravity_m_s2=0",   "shape=sphere",     NULL};
static const char *const tip_sets[] = {"response=penalty",    "dilation_m=0",
                                       "stiffness_n_m5=1e10", "viscosity_n_s_m3=1e8",
                                       "resolution_px=256",   NULL};
static const char *const rings_sets[] = {"response=penalty", "dilation_m=0", "stiffness_n_m5=1e9",
                                         NULL};

#define TIMED(row, of_sphere, pixels)                                                              \
  {                                                                                                \
    .source = "faure2008_table1", .scene = row, .c = "passing", .steps = TS_PUBLISHED_STEP,        \
    .step = TS_PUBLISHED_STEP, .sets = timed_sets,                                                 \
    .own = {"triangles=" of_sphere, "resolution_px=" pixels}, .measure = measure_table1,           \
    .is_stand_in = true,                                                                           \
    .reason = "a sphere of about as many triangles in a cube, on the processor alone"              \
  }

#define PASSING(row, what, depth)                                                                  \
  {                                                                                                \
    .source = "faure2008_figure6", .scene = row, .c = "passing", .steps = 2, .step = 2,            \
    .sets = passing_sets, .own = {"shape=" what, "depth_m=" depth}, .measure = measure_force       \
  }

#define RINGS(row, pixels)                                                                         \
  {                                                                                                \
    .source = "faure2008_figure10", .scene = row, .c = "rings", .steps = 201, .step = 201,         \
    .sets = rings_sets, .own = {"resolution_px=" pixels}, .measure = measure_energy                \
  }

static const ts_paper_run runs[] = {
    TIMED("coarse_16px", "21553", "16"),
    TIMED("coarse_128px", "21553", "128"),
    TIMED("fine_16px", "69674", "16"),
    TIMED("fine_128px", "69674", "128"),
    PASSING("sphere_entering", "sphere", "0.2"),
    PASSING("sphere_half_in", "sphere", "0.3"),
    PASSING("sphere_peak", "sphere", "0.41"),
    PASSING("sphere_inside", "sphere", "0.8"),
    PASSING("cube_entering", "cube", "0.45"),
    PASSING("cube_inside", "cube", "0.75"),
    {.source = "faure2008_figure8",
     .c = "balanced_tip",
     .steps = 101,
     .step = 101,
     .sets = tip_sets,
     .measure = measure_depth},
    RINGS("rings_2px", "2"),
    RINGS("rings_4px", "4"),
    RINGS("rings_8px", "8"),
    RINGS("rings_16px", "16"),
    RINGS("rings_32px", "32"),
    RINGS("rings_64px", "64"),
};

static const ts_paper_reason reasons[] = {
    {"faure2008_table1", NULL, NULL, "upload",
     "nothing is uploaded: images are made on the processor"},
    {"faure2008_table1", NULL, NULL, "volumes",
     "within our time of images: a method is timed as a whole"},
    {"faure2008_table1", NULL, NULL, "render", "nothing is drawn"},
    {"faure2008_table1", NULL, NULL, "total", "no sum of the same phases"},
    {"faure2008_figure6", "sphere_peak", NULL, NULL,
     "a contact has the area of what faces along its normal, not less what faces back: past the "
     "equator of a sphere that is more than the slope of the volume"},
    {"faure2008_figure8", NULL, NULL, NULL,
     "mean from 0.5 to 1 s, with 256 pixels and steps of 0.01 s, in which the cube comes to rest; "
     "with twice the pixels it is 0.0247"},
    {"faure2008_figure10", NULL, NULL, NULL,
     "the fewer pixels, the less steady, as the paper says of its own rings"},
};

static const char *const ours_sets[] = {NULL};

const ts_paper ts_paper_faure2008 = {
    .name = "faure2008",
    .values = values,
    .value_count = sizeof values / sizeof values[0],
    .runs = runs,
    .run_count = sizeof runs / sizeof runs[0],
    .reasons = reasons,
    .reason_count = sizeof reasons / sizeof reasons[0],
    .column_sets = {[TS_REPRODUCED_OURS] = ours_sets},
};
