// SPDX-License-Identifier: MIT
#include "harness/paper/reproduction.h"

#include "base/number.h"
#include "base/pattern.h"
#include "base/status.h"
#include "harness/plan/names.h"
#include "reports/rows/outcome.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const ts_mark_names[TS_MARK_COUNT] = {"equal",   "close",    "different",
                                                  "missing", "stand_in", ""};

static bool fits(const char *wanted, const char *text) {
  return !wanted || strcmp(wanted, text) == 0;
}

/// What is run for a figure; NULL: nothing.
static const ts_paper_run *run_of(const ts_reproduction *f) {
  const ts_published *p = f->published;
  for (size_t i = 0; i < f->paper->run_count; i++) {
    const ts_paper_run *run = &f->paper->runs[i];
    if (fits(run->source, p->source) && fits(run->scene, p->scene))
      return run;
  }
  return NULL;
}

static const ts_source *source_of(const ts_published *p) {
  for (size_t i = 0; i < ts_source_count; i++)
    if (strcmp(ts_sources[i].name, p->source) == 0)
      return &ts_sources[i];
  return NULL;
}

/// The figures of the requested sources [*out_count], still without ours.
static ts_status choose(ts_reproduction **out, size_t *out_count, ts_arena *arena,
                        const char *sources) {
  regex_t pattern;
  size_t total = 0;
  for (size_t i = 0; ts_papers[i]; i++)
    total += ts_papers[i]->value_count;
  ts_reproduction *chosen = *out = ts_arena_array(arena, total, sizeof *chosen);
  if (!chosen)
    return TS_E_MEMORY;
  if (ts_pattern_compile(&pattern, sources ? sources : ".*") != TS_OK)
    return ts_fail(TS_E_INPUT, "--source \"%.300s\" is %s", sources ? sources : "",
                   ts_status_detail());
  size_t count = 0;
  for (size_t i = 0; ts_papers[i]; i++)
    for (size_t k = 0; k < ts_papers[i]->value_count; k++) {
      const ts_published *p = &ts_papers[i]->values[k];
      if (ts_pattern_matches(&pattern, p->source) ||
          ts_pattern_matches(&pattern, ts_papers[i]->name))
        chosen[count++] =
            (ts_reproduction){.published = p, .paper = ts_papers[i], .source = source_of(p)};
    }
  regfree(&pattern);
  *out_count = count;
  if (count > 0)
    return TS_OK;
  const char *names[TS_SOURCE_NAMES_MAX];
  return ts_names_unknown("source", sources, names, ts_source_names(names));
}

/// Our name for a published method.
static const char *method_of(const ts_published *p) {
  if (strcmp(p->method, "closest_points") == 0)
    return "closest_points_tets";
  if (strcmp(p->method, "intersection") == 0)
    return "intersection_tets";
  return p->method;
}

#define SETS_MAX 32

/// Appends the settings of a list that ends with NULL.
static ts_status add_sets(ts_assignment sets[SETS_MAX], size_t *count, ts_arena *arena,
                          const char *const *list) {
  for (const char *const *set = list; set && *set && *count < SETS_MAX; set++) {
    const char *equals = strchr(*set, '=');
    char *name = ts_arena_format(arena, "%.*s", (int)(equals - *set), *set);
    if (!name)
      return TS_E_MEMORY;
    sets[(*count)++] = (ts_assignment){name, equals + 1};
  }
  return TS_OK;
}

/// Which of the runs of a figure.
typedef struct variant {
  int column;
  bool is_base;
  int nudge; ///< 0: as it is
} variant;

/// Moves the parameters of a nudge, which are among the settings.
static ts_status nudge_sets(ts_assignment *sets, size_t count, ts_arena *arena,
                            const ts_paper_nudge *nudge, int index) {
  double by = nudge->step * (index % 2 ? (index + 1) / 2 : -index / 2);
  for (size_t i = 0; i < count; i++) {
    double value;
    bool is_moved = false;
    for (const char *const *p = nudge->parameters; *p; p++)
      is_moved = is_moved || strcmp(*p, sets[i].name) == 0;
    if (!is_moved || ts_number_parse(&value, sets[i].value) != TS_OK)
      continue;
    sets[i].value = ts_arena_format(arena, "%.9g", value + by);
    if (!sets[i].value)
      return TS_E_MEMORY;
  }
  return TS_OK;
}

/// The one cell of a run of a figure.
static ts_status make_cell(ts_cell *out, ts_arena *arena, const ts_reproduction *f,
                           const ts_paper_run *run, variant v) {
  ts_assignment sets[SETS_MAX];
  size_t count = 0;
  int column = v.column;
  const char *const own[] = {column == TS_REPRODUCED_PROX2018 ? run->prox2018_set : NULL, NULL};
  TS_TRY(add_sets(sets, &count, arena, f->paper->column_sets[column]));
  TS_TRY(add_sets(sets, &count, arena, run->sets));
  TS_TRY(add_sets(sets, &count, arena, v.is_base ? run->base : run->own));
  TS_TRY(add_sets(sets, &count, arena, own));
  if (v.nudge)
    TS_TRY(nudge_sets(sets, count, arena, f->paper->nudge, v.nudge));
  ts_catalog catalog;
  TS_TRY(ts_catalog_create(&catalog, arena, true));
  ts_plan_request request = {.catalog = &catalog,
                             .cases = run->c ? run->c : f->published->scene,
                             .methods = method_of(f->published),
                             .steps = run->steps,
                             .set_count = count,
                             .sets = sets};
  ts_plan one;
  TS_TRY(ts_plan_create(&one, arena, &request));
  *out = one.cells[0];
  return TS_OK;
}

static ts_cell *find_cell(const ts_plan *plan, const ts_cell *cell) {
  for (size_t i = 0; i < plan->cell_count; i++)
    if (strcmp(plan->cells[i].key, cell->key) == 0)
      return &plan->cells[i];
  return NULL;
}

/// Adds the cells of a figure in a column that no earlier figure has; one that runs for fewer steps
/// there runs for more.
static ts_status plan_figure(ts_plan *plan, ts_arena *arena, const ts_reproduction *f, int column,
                             int nudge) {
  const ts_paper_run *run = run_of(f);
  if (!run || !f->paper->column_sets[column] || (nudge && !f->paper->nudge))
    return TS_OK;
  for (int is_base = 0; is_base <= (run->base[0] != NULL); is_base++) {
    ts_cell cell;
    TS_TRY(make_cell(&cell, arena, f, run, (variant){column, is_base, nudge}));
    cell.index = plan->cell_count;
    ts_cell *known = find_cell(plan, &cell);
    if (!known)
      plan->cells[plan->cell_count++] = cell;
    else if (cell.steps > known->steps)
      known->steps = cell.steps;
  }
  return TS_OK;
}

ts_status ts_reproduction_plan(ts_plan *out, ts_arena *arena, const char *sources, int nudges) {
  ts_reproduction *chosen;
  size_t count;
  TS_TRY(choose(&chosen, &count, arena, sources));
  *out = (ts_plan){0};
  size_t runs = TS_REPRODUCED_COUNT + (size_t)nudges;
  out->cells = ts_arena_array(arena, 2 * count * runs, sizeof *out->cells);
  if (!out->cells)
    return TS_E_MEMORY;
  for (int nudge = 0; nudge <= nudges; nudge++)
    for (int column = 0; column < (nudge ? 1 : TS_REPRODUCED_COUNT); column++)
      for (size_t i = 0; i < count; i++)
        TS_TRY(plan_figure(out, arena, &chosen[i], column, nudge));
  return TS_OK;
}

/// The rows of a cell, and the one at the step; or the one that says how the cell failed.
static void find_rows(ts_evidence *out, const ts_cell *cell, const ts_record *records, size_t count,
                      double step) {
  *out = (ts_evidence){.cell = cell};
  for (size_t i = 0; i < count && cell; i++) {
    if (strcmp(records[i].cell, cell->key) != 0)
      continue;
    out->rows = out->rows ? out->rows : &records[i];
    out->row_count = (size_t)(&records[i] - out->rows) + 1; // rows of a cell are consecutive
    if (!out->at && (records[i].step == step || !ts_record_is_ok(&records[i])))
      out->at = &records[i];
  }
}

/// Our figure by its metric, in the published unit.
static double by_metric(const ts_record *record, const ts_published *p) {
  static const struct {
    const char *metric, *column;
    double factor, offset;
  } columns[] = {
      {"coverage", "coverage_percent", 1, 0},
      {"quality", "quality_percent", 1, 0},
      {"excess", "excess_factor", 1, 0},
      {"contacts", "contacts", 1, 0},
      {"contacts_mean", "contacts_mean", 1, 0},
      {"contacts_min", "contacts_min", 1, 0},
      {"contacts_max", "contacts_max", 1, 0},
      {"contacts_stddev", "contacts_stddev", 1, 0},
      {"area_coverage", "area_coverage", 1, 0},
      {"correct_normals", "quality_percent", 0.01, 0},
      {"incorrect_normals", "quality_percent", -0.01, 1},
      {"detection", "generate_ns_min", 1e-6, 0},
      {"solver", "solve_ns", 1e-6, 0},
      {"broad_phase", "pairing_ns", 1e-6, 0},
  };
  for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
    if (strcmp(columns[i].metric, p->metric) == 0) {
      const ts_field *field = ts_row_find(&ts_summary_rows, columns[i].column);
      double value = columns[i].factor * ts_row_number(field, record) + columns[i].offset;
      // Where there is no contact to judge, the paper prints zero.
      return isnan(value) && strcmp(p->metric, "quality") == 0 ? 0 : value;
    }
  return NAN;
}

/// Slightly more than half a unit in the last printed place: x.x5 may have been rounded either way.
static double half_unit(const ts_published *p) {
  const char *point = strchr(p->value, '.');
  return 0.5000001 * (point ? pow(10, -(double)strlen(point + 1)) : 1);
}

static ts_mark mark(const ts_published *p, double ours) {
  // A dash is printed where nothing was found.
  if (p->value[0] == '\0' && strcmp(p->metric, "excess") == 0 && ours == 0)
    return TS_MARK_EQUAL;
  double published;
  if (isnan(ours) || ts_number_parse(&published, p->value) != TS_OK)
    return TS_MARK_MISSING;
  double apart = fabs(ours - published);
  if (apart <= half_unit(p))
    return TS_MARK_EQUAL;
  double points = strcmp(p->unit, "percent") == 0 ? 2 : strcmp(p->unit, "fraction") == 0 ? 0.02 : 0;
  return apart <= fmax(points, 0.05 * fabs(published)) ? TS_MARK_CLOSE : TS_MARK_DIFFERENT;
}

static const char *reason_of(const ts_reproduction *f) {
  const ts_published *p = f->published;
  for (size_t i = 0; i < f->paper->reason_count; i++) {
    const ts_paper_reason *r = &f->paper->reasons[i];
    if (fits(r->source, p->source) && fits(r->scene, p->scene) && fits(r->method, p->method) &&
        fits(r->metric, p->metric))
      return r->text;
  }
  return "";
}

/// The rows of the plan that a figure is worked out from.
typedef struct results {
  const ts_plan *plan;
  const ts_record *records; ///< [record_count]
  size_t record_count;
  int nudges;
} results;

/// Finds the evidence of a figure in a column. `*failure` is the reason of a row that is not "ok",
/// and `out->at` then NULL; unchanged if there is none.
static ts_status find_evidence(ts_evidence *out, const char **failure, ts_arena *arena,
                               const ts_reproduction *f, const ts_paper_run *run, variant v,
                               const results *r) {
  ts_evidence found[2] = {{0}};
  for (int is_base = 0; is_base <= (run->base[0] != NULL); is_base++) {
    ts_evidence *e = &found[is_base];
    ts_cell cell;
    v.is_base = is_base;
    TS_TRY(make_cell(&cell, arena, f, run, v));
    find_rows(e, find_cell(r->plan, &cell), r->records, r->record_count, run->step);
    if (e->at && !ts_record_is_ok(e->at)) {
      *failure = e->at->reason;
      e->at = NULL;
    }
  }
  *out = found[0];
  out->base = found[1].at;
  if (run->base[0] && !out->base)
    out->at = NULL;
  return TS_OK;
}

/// Our figure of one run; NaN where it failed.
static ts_status measure(double *out, const char **failure, ts_arena *arena,
                         const ts_reproduction *f, const ts_paper_run *run, variant v,
                         const results *r) {
  *out = NAN;
  ts_evidence e;
  TS_TRY(find_evidence(&e, failure, arena, f, run, v, r));
  if (!e.at)
    return TS_OK;
  *out = by_metric(e.at, f->published);
  return run->measure ? run->measure(out, arena, f->published, &e) : TS_OK;
}

/// Fills in ours in one column, and the mark.
static ts_status fill_column(ts_reproduction *f, const char **failure, ts_arena *arena, int column,
                             const results *r) {
  const ts_paper_run *run = run_of(f);
  f->ours[column] = NAN;
  f->marks[column] = f->paper->column_sets[column] ? TS_MARK_MISSING : TS_MARK_NONE;
  if (!run || !f->paper->column_sets[column])
    return TS_OK;
  TS_TRY(measure(&f->ours[column], failure, arena, f, run, (variant){.column = column}, r));
  f->marks[column] = mark(f->published, f->ours[column]);
  if (run->is_stand_in && f->marks[column] != TS_MARK_MISSING)
    f->marks[column] = TS_MARK_STAND_IN;
  return TS_OK;
}

/// The least and the largest of ours in the first column over all runs, the one as it is included.
static ts_status fill_nudged(ts_reproduction *f, ts_arena *arena, const results *r) {
  const ts_paper_run *run = run_of(f);
  int nudges = f->paper->nudge ? r->nudges : 0;
  f->nudged_min = f->nudged_max = nudges > 0 ? f->ours[0] : (double)NAN;
  for (int nudge = 1; run && nudge <= nudges; nudge++) {
    const char *failure = NULL;
    double ours;
    TS_TRY(measure(&ours, &failure, arena, f, run, (variant){.nudge = nudge}, r));
    f->nudged_min = fmin(f->nudged_min, ours);
    f->nudged_max = fmax(f->nudged_max, ours);
  }
  return TS_OK;
}

/// The mark in the first column of the paper.
static ts_mark first_mark(const ts_reproduction *f) {
  int column = 0;
  while (f->marks[column] == TS_MARK_NONE)
    column++;
  return f->marks[column];
}

/// Whether the published figure is among those of the nudged runs, as far as its decimals tell.
static bool is_within_nudges(const ts_reproduction *f) {
  double published;
  if (isnan(f->nudged_min) || ts_number_parse(&published, f->published->value) != TS_OK)
    return false;
  double half = half_unit(f->published);
  return published >= f->nudged_min - half && published <= f->nudged_max + half;
}

static const char unknown[] = "unknown";

/// Why the figure differs in the first column, is missing there, or what stands in.
static const char *why(const ts_reproduction *f, const ts_paper_run *run) {
  ts_mark mark = first_mark(f);
  bool is_settled = mark == TS_MARK_EQUAL || mark == TS_MARK_STAND_IN;
  bool is_close = mark == TS_MARK_CLOSE && ts_paper_has_rules(f->paper);
  const char *known = is_settled || is_close ? "" : reason_of(f);
  if (run && run->reason)
    return run->is_stand_in && known[0] ? known : run->reason;
  if (mark == TS_MARK_DIFFERENT && is_within_nudges(f))
    return "chaos: among the figures of the nudged runs";
  return mark == TS_MARK_DIFFERENT && ts_paper_has_rules(f->paper) && !known[0] ? unknown : known;
}

/// Why it differs in the column `paper`.
static const char *why_paper(const ts_reproduction *f) {
  if (f->marks[TS_REPRODUCED_PAPER] != TS_MARK_DIFFERENT)
    return "";
  ts_mark program = f->marks[TS_REPRODUCED_PROX2018];
  return program == TS_MARK_EQUAL || program == TS_MARK_CLOSE
             ? "the printed figure is the program's, whose rules differ from the text: "
               "docs/paper_and_program.md"
             : unknown;
}

static ts_status fill_figure(ts_reproduction *f, ts_arena *arena, const results *r) {
  const char *failure = NULL;
  for (int column = 0; column < TS_REPRODUCED_COUNT; column++)
    TS_TRY(fill_column(f, &failure, arena, column, r));
  TS_TRY(fill_nudged(f, arena, r));
  f->reason = failure && failure[0] ? ts_arena_string(arena, failure) : why(f, run_of(f));
  f->reason_paper = why_paper(f);
  return f->reason ? TS_OK : TS_E_MEMORY;
}

ts_status ts_reproduction_fill(ts_reproduction **out, size_t *out_count, ts_arena *arena,
                               const char *sources, int nudges, const ts_plan *plan,
                               const ts_record *records, size_t record_count) {
  const results r = {plan, records, record_count, nudges};
  TS_TRY(choose(out, out_count, arena, sources));
  for (size_t i = 0; i < *out_count; i++)
    TS_TRY(fill_figure(&(*out)[i], arena, &r));
  return TS_OK;
}
