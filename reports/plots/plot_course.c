// SPDX-License-Identifier: MIT
#include "reports/plots/plot_course.h"

#include "base/status.h"
#include "reports/rows/outcome.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MIN ((size_t)4) ///< with fewer there is no trend

static bool is_in_course(const ts_record *record) {
  return ts_record_is_ok(record) && record->step > 0;
}

/// Makes the source; its records have their steps and simulations again afterwards.
static ts_status drop_steps(ts_plot_source *out, ts_arena *arena, const ts_plot_source *source,
                            bool is_of_motion) {
  ts_record *records = ts_arena_array(arena, source->count, sizeof *records);
  if (!records)
    return TS_E_MEMORY;
  *out = (ts_plot_source){.records = records,
                          .method_names = source->method_names,
                          .method_count = source->method_count};
  for (size_t i = 0; i < source->count; i++)
    if (is_in_course(&source->records[i])) {
      records[out->count] = source->records[i];
      if (is_of_motion)
        records[out->count].simulation_parameters = "";
      records[out->count++].step = NAN;
    }
  TS_TRY(ts_plot_source_index(out, arena));
  size_t kept = 0;
  for (size_t i = 0; i < source->count; i++)
    if (is_in_course(&source->records[i])) {
      records[kept].simulation_parameters = source->records[i].simulation_parameters;
      records[kept++].step = source->records[i].step;
    }
  return TS_OK;
}

/// By case, method, simulation, step, then the order of the rows.
static int compare_moments(const void *a, const void *b) {
  const ts_plot_moment *x = a, *y = b;
  if (x->case_entry != y->case_entry)
    return x->case_entry < y->case_entry ? -1 : 1;
  if (x->method_entry != y->method_entry)
    return x->method_entry < y->method_entry ? -1 : 1;
  if (x->simulation != y->simulation)
    return x->simulation < y->simulation ? -1 : 1;
  if (x->record->step != y->record->step)
    return x->record->step < y->record->step ? -1 : 1;
  return (x->record > y->record) - (x->record < y->record);
}

/// Numbers the different simulations of the moments [count].
static ts_status number_simulations(ts_arena *arena, ts_plot_moment *moments, size_t count) {
  const char **lists = ts_arena_array(arena, count, sizeof *lists);
  if (!lists)
    return TS_E_MEMORY;
  size_t list_count = 0, k = 0;
  for (size_t i = 0; i < count; i++) {
    const char *list = moments[i].record->simulation_parameters;
    if (k == list_count || strcmp(lists[k], list) != 0) // mostly that of the previous row
      for (k = 0; k < list_count && strcmp(lists[k], list) != 0;)
        k++;
    if (k == list_count)
      lists[list_count++] = list;
    moments[i].simulation = k;
  }
  return TS_OK;
}

ts_status ts_plot_find_moving(ts_plot_moving *out, ts_arena *arena, const ts_plot_source *source,
                              bool is_of_motion) {
  TS_TRY(drop_steps(&out->source, arena, source, is_of_motion));
  out->count = out->source.count;
  ts_plot_moment *moments = ts_arena_array(arena, out->count, sizeof *moments);
  if (!moments)
    return TS_E_MEMORY;
  for (size_t i = 0; i < out->count; i++)
    moments[i] = (ts_plot_moment){.case_entry = out->source.cases.entry_of[i],
                                  .method_entry = out->source.methods.entry_of[i],
                                  .record = &out->source.records[i]};
  if (is_of_motion)
    TS_TRY(number_simulations(arena, moments, out->count));
  qsort(moments, out->count, sizeof *moments, compare_moments);
  out->moments = moments;
  return TS_OK;
}

/// When the time step of a row ends; NaN if its length is not known.
static double time_of(const ts_record *record) {
  static const char name[] = "dt_s=";
  for (const char *list = record->simulation_parameters; list && *list;) {
    if (strncmp(list, name, strlen(name)) == 0)
      return (record->step - 1) * strtod(list + strlen(name), NULL);
    list = strchr(list, ';');
    list = list ? list + 1 : NULL;
  }
  return NAN;
}

/// The stage of the moments [count], which differ by seeds.
static ts_status find_stage(ts_plot_stage *out, ts_arena *arena, const ts_plot_figure *f,
                            const ts_plot_moment *moments, size_t count) {
  *out = (ts_plot_stage){.step = moments->record->step, .time_s = time_of(moments->record)};
  ts_arena_mark mark = ts_arena_get_mark(arena);
  for (size_t i = 0; i < f->count; i++) {
    ts_plot_mean mean = {.field = f->fields[i]};
    for (size_t k = 0; k < count; k++)
      TS_TRY(ts_plot_mean_add(&mean, arena, moments[k].record, 0));
    TS_TRY(ts_plot_mean_interval(&out->values[i], arena, &mean));
    ts_arena_rewind(arena, mark);
  }
  return TS_OK;
}

static bool is_same_course(const ts_plot_moment *a, const ts_plot_moment *b) {
  return a->method_entry == b->method_entry && a->simulation == b->simulation;
}

/// The course that starts at the first of the moments [count]; `*used` of them belong to it.
static ts_status find_course(ts_plot_course *out, size_t *used, size_t *seeds, ts_arena *arena,
                             const ts_plot_figure *f, const ts_plot_moment *moments, size_t count) {
  size_t all = 1;
  while (all < count && is_same_course(&moments[all], moments))
    all++;
  ts_plot_stage *stages = ts_arena_array(arena, all, sizeof *stages);
  if (!stages)
    return TS_E_MEMORY;
  *out = (ts_plot_course){.method_entry = moments->method_entry,
                          .method = moments->record->method,
                          .simulation = moments->record->simulation_parameters,
                          .stages = stages};
  for (size_t first = 0, end; first < all; first = end) {
    end = first + 1;
    while (end < all && moments[end].record->step == moments[first].record->step)
      end++;
    TS_TRY(find_stage(&stages[out->count++], arena, f, &moments[first], end - first));
    *seeds = end - first > *seeds ? end - first : *seeds;
  }
  *used = all;
  return TS_OK;
}

/// Whether some field has enough values, at known times if these are drawn.
static bool has_trend(const ts_plot_course *c, const ts_plot_figure *f) {
  size_t most = 0;
  for (size_t i = 0; i < f->count; i++) {
    size_t measured = 0;
    for (size_t k = 0; k < c->count; k++)
      measured += isnan(c->stages[k].values[i].mean) ? 0 : 1;
    most = measured > most ? measured : most;
  }
  return most >= STEPS_MIN && !(f->is_of_motion && isnan(c->stages->time_s));
}

ts_status ts_plot_find_courses(ts_plot_courses *out, ts_arena *arena, const ts_plot_figure *f,
                               const ts_plot_moment *moments, size_t count) {
  *out = (ts_plot_courses){.case_entry = moments->case_entry,
                           .items = ts_arena_array(arena, count, sizeof *out->items)};
  if (!out->items)
    return TS_E_MEMORY;
  for (size_t first = 0, used; first < count; first += used) {
    ts_plot_course *c = &out->items[out->count];
    TS_TRY(find_course(c, &used, &out->seeds, arena, f, &moments[first], count - first));
    out->count += has_trend(c, f);
  }
  return TS_OK;
}

bool ts_plot_course_has(const ts_plot_course *c, size_t index) {
  for (size_t i = 0; i < c->count; i++)
    if (!isnan(c->stages[i].values[index].mean))
      return true;
  return false;
}
