// SPDX-License-Identifier: MIT
/// Saupin 2008: Tables 1 and 2. The rows of Table 2 have no labels, and neither time step, material
/// nor sizes are given.
#include "harness/paper/published.h"

#include "base/quantile.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIGURE(source, row, unit, metric, value, note)                                             \
  { source, row, "control_nodes", unit, metric, value, note }

// The rows of Table 1. Its norm is not given, so each figure stands beside ours in two of them.
#define ERROR(row, metric, value, norm)                                                            \
  FIGURE("saupin2008_table1", row, "percent", metric, value, "norm not given: " norm)
#define TABLE1(row, at_largest, final)                                                             \
  ERROR(row, "deformation_at_largest", at_largest, "after the best rigid fit"),                    \
      ERROR(row, "deformation_final", final, "after the best rigid fit"),                          \
      ERROR(row, "displacement_at_largest", at_largest, "of the displacement"),                    \
      ERROR(row, "displacement_final", final, "of the displacement")

// The rows of Table 2. The ratio is worked out.
#define TIME(row, metric, value, note) FIGURE("saupin2008_table2", row, "ms", metric, value, note)
#define COUNTED(row, metric, value, note)                                                          \
  FIGURE("saupin2008_table2", row, "count", metric, value, note)
#define RATIO(row, value, note)                                                                    \
  FIGURE("saupin2008_table2", row, "factor", "compliance_ratio", value, note)
#define CHAIN(row, contacts, exact, warped, ratio)                                                 \
  COUNTED(row, "tets", "862", ""), COUNTED(row, "contacts", contacts, "row not labelled"),         \
      TIME(row, "compliance_exact", exact, ""), TIME(row, "compliance_warped", warped, ""),        \
      RATIO(row, ratio, exact " / " warped)

static const ts_published values[] = {
    TABLE1("chain_horizontal", "1.5", "1.7"),
    TABLE1("chain_vertical", "4.4", "3.1"),
    COUNTED("rain", "tets", "40000", "printed as 40K"),
    COUNTED("rain", "contacts", "2000", ""),
    TIME("rain", "compliance_exact", "", "printed as N/A"),
    TIME("rain", "compliance_warped", "3007", "printed as 3.007s"),
    CHAIN("chain_35", "35", "13794.1", "8.563", "1611"),
    CHAIN("chain_13", "13", "6695", "1.520", "4405"),
    CHAIN("chain_36", "36", "16908.5", "9.36", "1806"),
    CHAIN("chain_12", "12", "8203.6", "1.366", "6006"),
    COUNTED("chain_of_five", "tets", "1724", "printed as 2*862"),
    COUNTED("chain_of_five", "contacts", "67", ""),
    TIME("chain_of_five", "compliance_exact", "11027.8", ""),
    TIME("chain_of_five", "compliance_warped", "4.72", ""),
    RATIO("chain_of_five", "2336", "11027.8 / 4.72"),
};

static ts_status measure_table1(double *out, ts_arena *arena, const ts_published *p,
                                const ts_evidence *e) {
  (void)arena;
  const struct {
    const char *metric;
    double value;
  } of[] = {
      {"deformation_at_largest", e->at->deformation_error_percent_at_largest},
      {"deformation_final", e->at->deformation_error_percent},
      {"displacement_at_largest", e->at->displacement_error_percent_at_largest},
      {"displacement_final", e->at->displacement_error_percent},
  };
  for (size_t i = 0; i < sizeof of / sizeof of[0]; i++)
    if (strcmp(of[i].metric, p->metric) == 0)
      *out = of[i].value;
  return TS_OK;
}

/// The contacts that the row of the table has; a row has no other name.
static double wanted_contacts(const ts_paper *paper, const ts_published *p) {
  for (size_t i = 0; i < paper->value_count; i++) {
    const ts_published *other = &paper->values[i];
    if (strcmp(other->scene, p->scene) == 0 && strcmp(other->metric, "contacts") == 0)
      return strtod(other->value, NULL);
  }
  return NAN;
}

/// Medians over the time steps whose number of contacts is nearest to that of the row.
static ts_status measure_table2(double *out, ts_arena *arena, const ts_published *p,
                                const ts_evidence *e) {
  double wanted = wanted_contacts(&ts_paper_saupin2008, p), nearest = INFINITY;
  for (size_t i = 0; i < e->row_count; i++)
    if (e->rows[i].constraints > 0)
      nearest = fmin(nearest, fabs(e->rows[i].constraints - wanted));
  double *contacts = ts_arena_array(arena, e->row_count, sizeof *contacts);
  double *exact_ms = ts_arena_array(arena, e->row_count, sizeof *exact_ms);
  double *warped_ms = ts_arena_array(arena, e->row_count, sizeof *warped_ms);
  size_t count = 0;
  if (!contacts || !exact_ms || !warped_ms)
    return TS_E_MEMORY;
  for (size_t i = 0; i < e->row_count; i++) {
    const ts_record *r = &e->rows[i];
    if (!(r->constraints > 0 && fabs(r->constraints - wanted) == nearest))
      continue;
    contacts[count] = r->constraints;
    exact_ms[count] = 1e-6 * r->compliance_exact_ns;
    warped_ms[count++] = 1e-6 * r->compliance_ns;
  }
  if (strcmp(p->metric, "tets") == 0)
    *out = e->at->tets;
  else if (strcmp(p->metric, "contacts") == 0)
    *out = ts_quantile(contacts, count, 0.5);
  else if (strcmp(p->metric, "compliance_exact") == 0)
    *out = ts_quantile(exact_ms, count, 0.5);
  else if (strcmp(p->metric, "compliance_warped") == 0)
    *out = ts_quantile(warped_ms, count, 0.5);
  else
    *out = ts_quantile(exact_ms, count, 0.5) / ts_quantile(warped_ms, count, 0.5);
  return TS_OK;
}

// As soft as gives the chain about 35 contacts, which is all that the paper tells of the material.
static const char *const chain_sets[] = {"response=warped", "friction=0.3", "friction_fixed=0.3",
                                         "young_pa=1.5e5", NULL};
static const char *const rain_sets[] = {"response=warped", "twin=none", NULL};

#define SOLVER                                                                                     \
  "our exact compliance is by a sparse factor (CXSparse, named in linear_solver), which the free " \
  "motion needs anyway; the printed times suggest a dense inverse"

#define CHAIN_ERRORS(row, along)                                                                   \
  {                                                                                                \
    .source = "saupin2008_table1", .scene = row, .c = "soft_chain", .steps = 121, .step = 121,     \
    .sets = chain_sets, .own = {"direction=" along}, .measure = measure_table1,                    \
    .is_stand_in = true,                                                                           \
    .reason = "a torus of 864 tets, 1.2 s in steps of 10 ms: step, material, friction and sizes "  \
              "are not given"                                                                      \
  }

#define CHAIN_TIMES(row, kinds, along, steps_of_contacts)                                          \
  {                                                                                                \
    .source = "saupin2008_table2", .scene = row, .c = "soft_chain", .steps = 121, .step = 121,     \
    .sets = chain_sets, .own = {"links=" kinds, "direction=" along}, .measure = measure_table2,    \
    .is_stand_in = true, .reason = steps_of_contacts "; " SOLVER                                   \
  }

#define NOT_LABELLED                                                                               \
  "the row has no label: this chain by the order of Table 1, median of the steps whose contacts "  \
  "are nearest in number"

static const ts_paper_run runs[] = {
    CHAIN_ERRORS("chain_horizontal", "horizontal"),
    CHAIN_ERRORS("chain_vertical", "vertical"),
    {.source = "saupin2008_table2",
     .scene = "rain",
     .c = "soft_rain",
     .steps = 61,
     .step = 61,
     .sets = rain_sets,
     .measure = measure_table2,
     .is_stand_in = true,
     .reason =
         "8 tori instead of 40 dinosaurs, in the step with the most contacts; --preset table2 "
         "has 20, and about 2,000 contacts"},
    CHAIN_TIMES("chain_35", "rigid_soft_rigid", "horizontal", NOT_LABELLED),
    CHAIN_TIMES("chain_13", "rigid_soft_rigid", "horizontal", NOT_LABELLED),
    CHAIN_TIMES("chain_36", "rigid_soft_rigid", "vertical", NOT_LABELLED),
    CHAIN_TIMES("chain_12", "rigid_soft_rigid", "vertical", NOT_LABELLED),
    CHAIN_TIMES("chain_of_five", "five_mixed", "vertical",
                "median of the steps whose contacts are nearest in number"),
};

static const ts_paper_reason reasons[] = {
    {"saupin2008_table2", "rain", NULL, "compliance_exact", "the paper has none"},
};

static const char *const ours_sets[] = {NULL};

const ts_paper ts_paper_saupin2008 = {
    .name = "saupin2008",
    .values = values,
    .value_count = sizeof values / sizeof values[0],
    .runs = runs,
    .run_count = sizeof runs / sizeof runs[0],
    .reasons = reasons,
    .reason_count = sizeof reasons / sizeof reasons[0],
    .column_sets = {[TS_REPRODUCED_OURS] = ours_sets},
};
