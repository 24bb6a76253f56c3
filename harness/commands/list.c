// SPDX-License-Identifier: MIT
#include "base/param.h"
#include "base/status.h"
#include "harness/commands/describe.h"
#include "harness/commands/preset.h"
#include "harness/judge/metrics/metric.h"
#include "harness/plan/catalog.h"
#include "harness/plan/exits.h"
#include "harness/plan/grid.h"
#include "harness/plan/names.h"
#include "harness/plan/options.h"
#include "harness/relations/expected_violations.h"
#include "ldi/backend.h"
#include "reports/compare/gate_rules.h"
#include "reports/formats/format.h"
#include "reports/rows/cell_rows.h"

#include <string.h>

typedef struct list_values {
  bool as_markdown, with_controls, with_engines;
  ts_texts plugins;
} list_values;

/// An empty table of the topic, whose narrow form tells how to see all of it.
static ts_grid start(ts_arena *arena, const char *alignment, const char *whole) {
  ts_grid grid = ts_grid_start(arena, alignment);
  grid.whole = whole;
  return grid;
}

static ts_status list_cases(ts_arena *arena, const list_values *values) {
  ts_catalog catalog;
  TS_TRY(ts_catalog_create(&catalog, arena, false));
  ts_grid grid = start(arena, "llrlw", "touchstone list cases");
  TS_TRY(ts_grid_add(&grid, (const char *[]){"case", "suite", "minimum", "measure", "summary"}));
  for (size_t i = 0; i < catalog.case_count; i++) {
    const ts_case *c = catalog.cases[i];
    size_t count = ts_case_param_count(c);
    const ts_param *params = ts_case_params(arena, c);
    double *defaults = ts_arena_array(arena, count, sizeof *defaults);
    if (!params || !defaults)
      return TS_E_MEMORY;
    ts_param_defaults(defaults, params, count);
    ts_scene *scene;
    TS_TRY(ts_case_build(&scene, arena, c, defaults));
    ts_truth_totals totals = ts_scene_truth_totals(scene, TS_REFERENCE_DESIGN);
    bool is_unknown = scene->truth_is_unknown;
    const char *minimum = is_unknown ? "-" : ts_arena_format(arena, "%zu", totals.minimum);
    const char *measure = is_unknown ? "unknown" : ts_describe_measure(arena, &totals);
    if (!minimum || !measure)
      return TS_E_MEMORY;
    TS_TRY(ts_grid_add(&grid, (const char *[]){c->name, c->suite, minimum, measure, c->summary}));
  }
  return ts_grid_print(stdout, &grid, 0, values->as_markdown);
}

static ts_status list_methods(ts_arena *arena, const list_values *values) {
  ts_catalog catalog;
  TS_TRY(ts_catalog_open(&catalog, arena,
                         &(ts_catalog_request){.with_controls = values->with_controls,
                                               .with_engines = values->with_engines,
                                               .plugin_count = values->plugins.count,
                                               .plugins = values->plugins.items}));
  ts_grid grid = start(arena, "lllllwl", "touchstone list methods");
  TS_TRY(ts_grid_add(&grid, (const char *[]){"method", "taxonomy", "envelope", "gives", "shapes",
                                             "summary", "source"}));
  for (size_t i = 0; i < catalog.method_count; i++) {
    const ts_method *m = catalog.methods[i];
    double *defaults = ts_arena_array(arena, m->param_count, sizeof *defaults);
    const char *taxonomy = ts_describe_taxonomy(arena, m);
    const char *gives = ts_describe_gives(arena, m->gives);
    const char *shapes = ts_describe_takes(arena, m->takes);
    if (!defaults || !gives || !taxonomy || !shapes)
      return TS_E_MEMORY;
    ts_param_defaults(defaults, m->params, m->param_count);
    const char *envelope;
    TS_TRY(ts_describe_envelope(&envelope, arena, m, defaults));
    TS_TRY(ts_grid_add(&grid, (const char *[]){m->name, taxonomy, envelope, gives, shapes,
                                               m->summary, m->source}));
  }
  for (size_t i = 0; i < catalog.missing_count; i++) {
    const ts_missing_engine *m = &catalog.missing[i];
    const char *why = ts_arena_format(arena, "not available: %s", m->why);
    if (!why)
      return TS_E_MEMORY;
    TS_TRY(ts_grid_add(&grid, (const char *[]){m->engine->name, "", "", "", "", why, ""}));
  }
  return ts_grid_print(stdout, &grid, 0, values->as_markdown);
}

/// The columns that a metric fills, separated by blanks; NULL when out of memory.
static const char *columns_of(ts_arena *arena, const ts_metric *metric) {
  const char *text = "";
  for (size_t i = 0; i < ts_summary_rows.field_count && text; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    if (field->metric && strcmp(field->metric, metric->name) == 0)
      text = ts_arena_format(arena, "%s%s%s", text, text[0] ? " " : "", field->column);
  }
  return text;
}

static ts_status list_metrics(ts_arena *arena, const list_values *values) {
  ts_grid grid = start(arena, "llllwl", "touchstone list metrics");
  TS_TRY(ts_grid_add(&grid,
                     (const char *[]){"metric", "unit", "needs", "columns", "summary", "source"}));
  for (size_t i = 0; ts_metrics[i]; i++) {
    const ts_metric *m = ts_metrics[i];
    const char *columns = columns_of(arena, m);
    if (!columns)
      return TS_E_MEMORY;
    TS_TRY(ts_grid_add(
        &grid, (const char *[]){m->name, m->unit, m->needs, columns, m->summary, m->source}));
  }
  return ts_grid_print(stdout, &grid, 0, values->as_markdown);
}

static const char *compare_text(ts_arena *arena, const ts_field *field) {
  switch (field->compare) {
  case TS_COMPARE_IDENTITY:
    return "identity";
  case TS_COMPARE_EXACT:
    return "exact";
  case TS_COMPARE_CLOSE:
    return ts_arena_format(arena, "within %g", field->tolerance);
  case TS_COMPARE_REPORT:
    return "not compared";
  }
  return "";
}

static ts_status list_columns(ts_arena *arena, const list_values *values) {
  const ts_row_type *types[3 + TS_DETAIL_FILE_COUNT] = {&ts_summary_rows};
  for (int f = 0; f < TS_DETAIL_FILE_COUNT; f++)
    types[1 + f] = ts_results_row_type(f);
  types[1 + TS_DETAIL_FILE_COUNT] = &ts_deform_rows;
  types[2 + TS_DETAIL_FILE_COUNT] = &ts_relation_rows;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    ts_grid grid = start(arena, "lllllw", "touchstone list columns");
    TS_TRY(ts_grid_add(&grid,
                       (const char *[]){"column", "unit", "role", "best", "compared", "meaning"}));
    for (size_t k = 0; k < types[i]->field_count; k++) {
      const ts_field *field = &types[i]->fields[k];
      const char *compare = compare_text(arena, field);
      if (!compare)
        return TS_E_MEMORY;
      TS_TRY(ts_grid_add(&grid,
                         (const char *[]){field->column, field->unit, ts_role_names[field->role],
                                          ts_sense_names[field->sense], compare, field->meaning}));
    }
    printf(values->as_markdown ? "%s**%s.csv**\n\n" : "%s%s.csv\n", i ? "\n" : "", types[i]->name);
    TS_TRY(ts_grid_print(stdout, &grid, 2, values->as_markdown));
  }
  return TS_OK;
}

/// Lists the default rules of the gate, with the reason for columns that could have one but do not.
static ts_status list_rules(ts_arena *arena, const list_values *values) {
  ts_grid grid = start(arena, "llww", "touchstone list rules");
  TS_TRY(ts_grid_add(&grid, (const char *[]){"column", "best", "default rule", "why none"}));
  for (size_t i = 0; i < ts_summary_rows.field_count; i++) {
    const ts_field *field = &ts_summary_rows.fields[i];
    if (field->sense != TS_SENSE_NONE || field->has_rule)
      TS_TRY(ts_grid_add(&grid, (const char *[]){field->column, ts_sense_names[field->sense],
                                                 ts_gate_default_rule(field), field->no_rule}));
  }
  TS_TRY(ts_grid_add(&grid, (const char *[]){"rows", "", "may not vanish", ""}));
  return ts_grid_print(stdout, &grid, 0, values->as_markdown);
}

/// "name=a,b,c" of its sweeps, and "owner.name=value" of all that it sets; NULL when out of memory.
static const char *preset_changes(ts_arena *arena, const ts_preset *preset) {
  if (preset->draws)
    return "the ranges of touchstone describe case NAME";
  const char *text = "";
  for (size_t i = 0; text && i < TS_PRESET_SWEEPS_MAX && preset->sweeps[i].name; i++)
    text = ts_arena_format(arena, "%s%s%s=%s", text, text[0] ? ", " : "", preset->sweeps[i].name,
                           preset->sweeps[i].value);
  for (const ts_assignment *set = preset->sets; text && set && set->name; set++)
    text = ts_arena_format(arena, "%s%s%s=%s", text, text[0] ? ", " : "", set->name, set->value);
  return text;
}

static ts_status list_presets(ts_arena *arena, const list_values *values) {
  ts_grid grid = start(arena, "lllllwl", "touchstone list presets");
  TS_TRY(ts_grid_add(&grid, (const char *[]){"preset", "cases", "methods", "steps",
                                             "sweeps and sets", "summary", "source"}));
  for (size_t i = 0; ts_presets[i]; i++) {
    const ts_preset *p = ts_presets[i];
    const char *changes = preset_changes(arena, p);
    const char *steps = p->steps == 1  ? "touch"
                        : p->steps > 1 ? ts_arena_format(arena, "touch, 2 to %.0f", p->steps)
                                       : "touch, 3";
    if (!changes || !steps)
      return TS_E_MEMORY;
    TS_TRY(ts_grid_add(&grid, (const char *[]){p->name, p->cases ? p->cases : "all",
                                               p->methods ? p->methods : "all", steps, changes,
                                               p->summary, p->source}));
  }
  return ts_grid_print(stdout, &grid, 0, values->as_markdown);
}

static ts_status list_backends(ts_arena *arena, const list_values *values) {
  ts_grid grid = start(arena, "llww", "touchstone list backends");
  TS_TRY(ts_grid_add(&grid, (const char *[]){"backend", "works here", "summary", "device"}));
  for (size_t i = 0; ts_ldi_backends[i]; i++) {
    const ts_ldi_backend *backend = ts_ldi_backends[i];
    char device[TS_LDI_DEVICE_BYTES] = "";
    ts_status status = backend->probe(device);
    if (status < 0)
      return status;
    const char *text = ts_arena_string(arena, status == TS_OK ? device : ts_status_detail());
    if (!text)
      return TS_E_MEMORY;
    TS_TRY(ts_grid_add(&grid, (const char *[]){backend->name, status == TS_OK ? "yes" : "no",
                                               backend->summary, text}));
  }
  return ts_grid_print(stdout, &grid, 0, values->as_markdown);
}

static ts_status list_formats(ts_arena *arena, const list_values *values) {
  ts_grid grid = start(arena, "lwwl", "touchstone list formats");
  TS_TRY(ts_grid_add(&grid, (const char *[]){"format", "for", "what", "also reads"}));
  for (size_t i = 0; ts_formats[i]; i++) {
    const ts_format *f = ts_formats[i];
    TS_TRY(ts_grid_add(&grid, (const char *[]){f->name, f->readers, f->summary, f->reads}));
  }
  return ts_grid_print(stdout, &grid, 0, values->as_markdown);
}

/// "swap, mirror" of the relations of a row; NULL when out of memory.
static const char *relation_names(ts_arena *arena, const ts_expected_violation *row) {
  const char *text = "";
  for (int r = 0; r < TS_RELATION_COUNT && text; r++)
    if (row->relations & (1u << r))
      text = ts_arena_format(arena, "%s%s%s", text, text[0] ? ", " : "", ts_relations[r].name);
  return text;
}

/// The relations, and which of them are known not to be kept.
static ts_status list_relations(ts_arena *arena, const list_values *values) {
  ts_grid grid = start(arena, "lrw", "touchstone list relations");
  TS_TRY(ts_grid_add(&grid, (const char *[]){"relation", "variants", "meaning"}));
  for (int r = 0; r < TS_RELATION_COUNT; r++) {
    const char *count = ts_arena_format(arena, "%zu", ts_relations[r].variant_count);
    if (!count)
      return TS_E_MEMORY;
    TS_TRY(
        ts_grid_add(&grid, (const char *[]){ts_relations[r].name, count, ts_relations[r].meaning}));
  }
  TS_TRY(ts_grid_print(stdout, &grid, 0, values->as_markdown));
  putchar('\n');
  grid = start(arena, "lllw", "touchstone list relations");
  TS_TRY(ts_grid_add(&grid, (const char *[]){"method", "not kept", "case", "why"}));
  for (const ts_expected_violation *row = ts_expected_violations; row->method; row++) {
    const char *names = relation_names(arena, row);
    if (!names)
      return TS_E_MEMORY;
    TS_TRY(ts_grid_add(
        &grid, (const char *[]){row->method, names, row->only ? row->only : "any", row->reason}));
  }
  return ts_grid_print(stdout, &grid, 0, values->as_markdown);
}

static ts_status list_exits(ts_arena *arena, const list_values *values) {
  ts_grid grid = start(arena, "lw", "touchstone list exits");
  TS_TRY(ts_grid_add(&grid, (const char *[]){"exit status", "meaning"}));
  for (size_t i = 0; ts_exits[i].status; i++)
    TS_TRY(ts_grid_add(&grid, (const char *[]){ts_exits[i].status, ts_exits[i].meaning}));
  return ts_grid_print(stdout, &grid, 0, values->as_markdown);
}

static ts_status list_modifiers(ts_arena *arena, const list_values *values) {
  ts_catalog catalog;
  TS_TRY(ts_catalog_open(&catalog, arena,
                         &(ts_catalog_request){.plugin_count = values->plugins.count,
                                               .plugins = values->plugins.items}));
  ts_grid grid = start(arena, "llwl", "touchstone list modifiers");
  TS_TRY(ts_grid_add(&grid, (const char *[]){"modifier", "parameters", "summary", "source"}));
  for (size_t i = 0; i < catalog.modifier_count; i++) {
    const ts_modifier *m = catalog.modifiers[i];
    double *defaults = ts_arena_array(arena, m->param_count, sizeof *defaults);
    if (!defaults)
      return TS_E_MEMORY;
    ts_param_defaults(defaults, m->params, m->param_count);
    const char *params = ts_param_join(arena, m->params, m->param_count, defaults);
    if (!params)
      return TS_E_MEMORY;
    TS_TRY(ts_grid_add(&grid, (const char *[]){m->name, params, m->summary, m->source}));
  }
  return ts_grid_print(stdout, &grid, 0, values->as_markdown);
}

static const struct topic {
  const char *name;
  ts_status (*list)(ts_arena *arena, const list_values *values);
} topics[] = {
    {"cases", list_cases},         {"methods", list_methods},     {"metrics", list_metrics},
    {"columns", list_columns},     {"rules", list_rules},         {"presets", list_presets},
    {"backends", list_backends},   {"formats", list_formats},     {"exits", list_exits},
    {"modifiers", list_modifiers}, {"relations", list_relations},
};
#define TOPIC_COUNT (sizeof topics / sizeof *topics)

/// Refuses the options that add methods where none are listed.
static ts_status check_options(const char *topic, uint64_t given) {
  static const char *const of_methods[] = {"controls", "engines", "plugin"};
  size_t count = sizeof of_methods / sizeof *of_methods;
  if (strcmp(topic, "modifiers") == 0)
    count--; // plug-ins have modifiers, too
  for (size_t i = 0; i < count; i++)
    if (given & ts_options_bit(&ts_command_list, of_methods[i]))
      return ts_fail(TS_E_INPUT, "--%s is for list methods; leave it out of list %s", of_methods[i],
                     topic);
  return TS_OK;
}

static ts_status list(ts_arena *arena, int count, char *const *arguments) {
  list_values values = {0};
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&values, &parsed, arena, &ts_command_list, count, arguments));
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_list);
  const char *names[TOPIC_COUNT];
  for (size_t i = 0; i < TOPIC_COUNT; i++)
    names[i] = topics[i].name;
  if (parsed.operand_count != 1)
    return ts_fail(TS_E_INPUT, "list takes one of these words: %s", ts_command_list.operands);
  for (size_t i = 0; i < TOPIC_COUNT; i++)
    if (strcmp(parsed.operands[0], names[i]) == 0) {
      if (topics[i].list != list_methods)
        TS_TRY(check_options(names[i], parsed.given));
      return topics[i].list(arena, &values);
    }
  return ts_names_unknown("list of", parsed.operands[0], names, TOPIC_COUNT);
}

static ts_status run_list(int *out_exit, int count, char *const *arguments) {
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = list(arena, count, arguments);
  ts_arena_destroy(arena);
  *out_exit = 0;
  return status;
}

static const ts_option options[] = {
    {.name = "controls",
     .kind = TS_OPTION_SWITCH,
     .offset = offsetof(list_values, with_controls),
     .help = "with methods: also those that are wrong on purpose"},
    {.name = "engines",
     .kind = TS_OPTION_SWITCH,
     .offset = offsetof(list_values, with_engines),
     .help = "with methods: also the packaged engines, and which package each needs"},
    {.name = "plugin",
     .argument = "FILE",
     .kind = TS_OPTION_TEXTS,
     .offset = offsetof(list_values, plugins),
     .help = "with methods: also those of this plug-in"},
    {.name = "markdown",
     .kind = TS_OPTION_SWITCH,
     .offset = offsetof(list_values, as_markdown),
     .help = "print a Markdown table"},
};

const ts_command ts_command_list = {
    .name = "list",
    .operands =
        "cases|methods|metrics|columns|rules|presets|backends|formats|exits|modifiers|relations",
    .summary = "Lists cases, methods, columns and all else that has a name.",
    .notes = "On a terminal that is too narrow, long texts are wrapped and columns left out; into "
             "a file or a pipe every entry goes whole.",
    .examples = "touchstone list cases\n"
                "touchstone list methods --engines\n"
                "touchstone list columns | less -S\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_list,
};
