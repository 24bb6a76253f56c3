// SPDX-License-Identifier: MIT
#include "base/param.h"
#include "base/status.h"
#include "base/terminal.h"
#include "cases/scene_file/scene_file.h"
#include "harness/explain/measure_row.h"
#include "harness/picture/cell_snapshot.h"
#include "harness/plan/plan.h"
#include "harness/plan/shell_word.h"
#include "harness/run/kept_files.h"
#include "harness/run/limit_options.h"
#include "harness/shrink/condition.h"
#include "harness/shrink/shrink.h"
#include "reports/rows/outcome.h"

#include <string.h>
#include <unistd.h>

typedef struct shrink_values {
  const char *case_name, *method, *out;
  ts_texts conditions, scenes, plugins;
  ts_assignments sets;
  bool with_engines, is_quiet;
  double tries;
  ts_limit_values limits;
} shrink_values;

typedef struct shrink {
  ts_arena *arena;
  shrink_values values;
  ts_catalog catalog;
  size_t condition_count;
  ts_condition *conditions; ///< [condition_count]
  ts_assignments case_sets, other_sets;
  const char *name; ///< of the case of the result
  ts_draft draft;
  ts_draft_size before;
  ts_shrunk shrunk;
  const char *found; ///< what the rows have, of the last draft that was asked about
} shrink;

// ---- still failing ------------------------------------------------------------------------------

static const char *method_of(const shrink *s, const ts_condition *condition) {
  return condition->method ? condition->method : s->values.method;
}

/// The row of a method on a case, as built.
static ts_status measure(ts_record *out, ts_arena *arena, const shrink *s, const ts_case *c,
                         const char *method) {
  ts_catalog catalog = s->catalog;
  catalog.cases = &c;
  catalog.case_count = 1;
  const ts_plan_request request = {.catalog = &catalog,
                                   .cases = c->name,
                                   .methods = method,
                                   .steps = 1,
                                   .set_count = s->other_sets.count,
                                   .sets = s->other_sets.items,
                                   .contacts = TS_KEPT_NONE};
  ts_plan plan;
  const ts_timing timing = {.repeats = 1};
  const ts_limits limits = ts_limits_of(s->values.limits);
  TS_TRY(ts_plan_create(&plan, arena, &request));
  return ts_measure_row(out, arena, &plan.cells[0], 0, &timing, &limits);
}

/// Whether all conditions hold on a case; each method is asked once.
static ts_status ask_case(bool *out, shrink *s, ts_arena *arena, const ts_case *c) {
  ts_record record;
  const char *asked = NULL, *found = "";
  *out = true;
  for (size_t i = 0; i < s->condition_count && *out; i++) {
    const ts_condition *condition = &s->conditions[i];
    const char *method = method_of(s, condition);
    if (!asked || strcmp(asked, method) != 0)
      TS_TRY(measure(&record, arena, s, c, method));
    asked = method;
    *out = ts_condition_holds(condition, &record);
    const char *value = ts_condition_value(condition, arena, &record);
    if (!value)
      return TS_E_MEMORY;
    found = ts_arena_format(s->arena, "%s%s%s of %s", found, *found ? ", " : "", value, method);
    if (found && !ts_record_is_ok(&record))
      found = ts_arena_format(s->arena, "%s, which %s%s: %s", found,
                              ts_record_outcome(&record) == TS_OUTCOME_SKIPPED ? "was " : "",
                              ts_record_outcome_words(&record), record.reason);
    if (!found)
      return TS_E_MEMORY;
  }
  s->found = found;
  return TS_OK;
}

static ts_status ask_draft(bool *out, shrink *s, ts_arena *arena, const ts_draft *draft) {
  ts_scene *scene;
  ts_status status = ts_draft_scene(&scene, arena, draft);
  *out = false;
  if (status == TS_E_MEMORY)
    return status;
  if (status != TS_OK)
    return TS_OK; // no scene, or none whose truth is known
  const ts_scene_file file = {.scene = scene,
                              .name = draft->name,
                              .summary = "",
                              .source = "",
                              .case_parameters = "",
                              .path = draft->name};
  const ts_case *c;
  TS_TRY(ts_scene_file_case(&c, arena, &file));
  return ask_case(out, s, arena, c);
}

static ts_status still_fails(bool *out, void *context, const ts_draft *draft) {
  ts_arena *arena;
  TS_TRY(ts_arena_create(&arena));
  ts_status status = ask_draft(out, context, arena, draft);
  ts_arena_destroy(arena);
  return status;
}

// ---- what is asked for --------------------------------------------------------------------------

/// Settings of the case are part of the scene; the others go with each question.
static ts_status share_out_sets(shrink *s, const ts_case *c) {
  size_t count = ts_case_param_count(c), given = s->values.sets.count;
  const ts_param *params = ts_case_params(s->arena, c);
  s->case_sets.items = ts_arena_array(s->arena, given, sizeof *s->case_sets.items);
  s->other_sets.items = ts_arena_array(s->arena, given, sizeof *s->other_sets.items);
  if (!params || !s->case_sets.items || !s->other_sets.items)
    return TS_E_MEMORY;
  for (size_t i = 0; i < given; i++) {
    const ts_assignment *set = &s->values.sets.items[i];
    const char *dot = strchr(set->name, '.'), *name = dot ? dot + 1 : set->name;
    bool is_of_case = ts_param_find(params, count, name) >= 0 &&
                      (!dot || (strlen(c->name) == (size_t)(dot - set->name) &&
                                strncmp(c->name, set->name, strlen(c->name)) == 0));
    ts_assignments *into = is_of_case ? &s->case_sets : &s->other_sets;
    into->items[into->count++] = *set;
  }
  return TS_OK;
}

static ts_status read_conditions(shrink *s) {
  const ts_texts *given = &s->values.conditions;
  const ts_method *method;
  s->conditions = ts_arena_array(s->arena, given->count, sizeof *s->conditions);
  if (!s->conditions)
    return TS_E_MEMORY;
  for (size_t i = 0; i < given->count; i++) {
    ts_condition *condition = &s->conditions[s->condition_count++];
    TS_TRY(ts_condition_parse(condition, s->arena, given->items[i]));
    TS_TRY(ts_catalog_method(&method, s->arena, &s->catalog, method_of(s, condition)));
  }
  return TS_OK;
}

static ts_status make_draft(shrink *s) {
  const ts_case *c;
  ts_snapshot snapshot;
  ts_snapshot_source source;
  if (!s->values.case_name)
    s->values.case_name = s->catalog.cases[0]->name;
  TS_TRY(ts_catalog_case(&c, s->arena, &s->catalog, s->values.case_name));
  TS_TRY(share_out_sets(s, c));
  s->name = ts_arena_format(s->arena, "%s_shrunk", c->name);
  if (!s->name)
    return TS_E_MEMORY;
  TS_TRY(ts_cell_snapshot(&snapshot, &source, s->arena,
                          &(ts_snapshot_request){.catalog = &s->catalog,
                                                 .case_name = s->values.case_name,
                                                 .set_count = s->case_sets.count,
                                                 .sets = s->case_sets.items}));
  return ts_draft_create(&s->draft, s->arena, source.scene, s->name);
}

/// The draft must fail before anything is taken away.
static ts_status check_fails(shrink *s) {
  bool fails;
  ts_scene *scene;
  ts_arena_mark mark = ts_arena_get_mark(s->arena);
  ts_status status = ts_draft_scene(&scene, s->arena, &s->draft);
  if (status != TS_OK) {
    const char *why = ts_arena_string(s->arena, ts_status_detail());
    return why ? ts_fail(
                     TS_E_INPUT,
                     "%s cannot be made smaller: its truth is derived from its meshes, and that "
                     "is not possible: %s",
                     s->values.case_name, why)
               : TS_E_MEMORY;
  }
  ts_arena_rewind(s->arena, mark);
  TS_TRY(still_fails(&fails, s, &s->draft));
  return fails ? TS_OK
               : ts_fail(TS_E_INPUT,
                         "%s does not fail: with its truth derived from its meshes %s; give a "
                         "condition that holds",
                         s->values.case_name, s->found);
}

// ---- the result ---------------------------------------------------------------------------------

static ts_status write_scene(FILE *file, void *context) {
  return ts_draft_write_scene(file, &((const shrink *)context)->draft);
}

static ts_status write_mesh(FILE *file, void *context) {
  ts_draft_write_mesh(file, context);
  return TS_OK;
}

static void put_options(FILE *file, const shrink *s) {
  const shrink_values *v = &s->values;
  ts_shell_put_option(file, "--plugin", &v->plugins);
  fputs(v->with_engines ? " --engines" : "", file);
  for (size_t i = 0; i < s->other_sets.count; i++) {
    fputs(" --set ", file);
    ts_shell_put_word(file, s->other_sets.items[i].name);
    fputc('=', file);
    ts_shell_put_word(file, s->other_sets.items[i].value);
  }
}

static ts_status write_summary(FILE *file, void *context) {
  const shrink *s = context;
  ts_draft_size after = ts_draft_measure(&s->draft);
  fprintf(file, "%zu bodies, %zu triangles, %zu digits became %zu, %zu, %zu in %zu tries\n",
          s->before.bodies, s->before.triangles, s->before.digits, after.bodies, after.triangles,
          after.digits, s->shrunk.tries);
  if (!s->shrunk.is_smallest)
    fputs("it may become smaller: it was ended before all was tried\n", file);
  fprintf(file, "%s\n", s->found);
  fputs("look at it: touchstone explain --scene ", file);
  const char *path = ts_arena_format(s->arena, "%s/scene.json", s->values.out);
  if (!path)
    return TS_E_MEMORY;
  ts_shell_put_word(file, path);
  fputc(' ', file);
  ts_shell_put_word(file, s->values.method);
  put_options(file, s);
  fprintf(file, "\nshrink: %s\n", s->values.out);
  return TS_OK;
}

static ts_status write_result(shrink *s) {
  ts_made_files made = {.items =
                            ts_arena_array(s->arena, s->draft.body_count + 2, sizeof *made.items)};
  if (!made.items)
    return TS_E_MEMORY;
  for (size_t i = 0; i < s->draft.body_count; i++) {
    const char *name = ts_arena_format(s->arena, "body_%zu.obj", i);
    if (!name)
      return TS_E_MEMORY;
    TS_TRY(ts_made_files_add(&made, s->arena, name, write_mesh, &s->draft.bodies[i]));
  }
  TS_TRY(ts_made_files_add(&made, s->arena, "scene.json", write_scene, s));
  TS_TRY(ts_made_files_add(&made, s->arena, "summary", write_summary, s));
  return ts_made_files_write(&made, &(ts_earlier_files){.count = 0}, s->arena, s->values.out);
}

/// The scene that was written must fail when it is read.
static ts_status check_result(shrink *s) {
  ts_scene_file file;
  const ts_case *c;
  bool fails;
  const char *path = ts_arena_format(s->arena, "%s/scene.json", s->values.out);
  if (!path)
    return TS_E_MEMORY;
  TS_TRY(ts_scene_file_open(&file, s->arena, path));
  TS_TRY(ts_scene_file_case(&c, s->arena, &file));
  TS_TRY(ask_case(&fails, s, s->arena, c));
  return fails ? TS_OK
               : ts_fail(TS_E_INPUT,
                         "%s does not fail when it is read back: %s; the method may "
                         "depend on what it was asked before",
                         path, s->found);
}

// ---- the command --------------------------------------------------------------------------------

static ts_status shrink_draft(shrink *s) {
  const ts_shrink_job job = {.still_fails = still_fails,
                             .context = s,
                             .tries_max = (size_t)s->values.tries,
                             .progress =
                                 !s->values.is_quiet && isatty(STDERR_FILENO) ? stderr : NULL};
  s->before = ts_draft_measure(&s->draft);
  TS_TRY(check_fails(s));
  TS_TRY(ts_shrink(&s->shrunk, &s->draft, s->arena, &job));
  bool fails;
  TS_TRY(still_fails(&fails, s, &s->draft)); // for what it has found
  TS_TRY(write_result(s));
  return check_result(s);
}

static ts_status open_all(shrink *s) {
  TS_TRY(ts_catalog_open(&s->catalog, s->arena,
                         &(ts_catalog_request){.with_controls = true,
                                               .with_engines = s->values.with_engines,
                                               .plugin_count = s->values.plugins.count,
                                               .plugins = s->values.plugins.items,
                                               .scene_count = s->values.scenes.count,
                                               .scenes = s->values.scenes.items}));
  TS_TRY(read_conditions(s));
  return make_draft(s);
}

static ts_status shrink_case(shrink *s, int count, char *const *arguments) {
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&s->values, &parsed, s->arena, &ts_command_shrink, count, arguments));
  ts_limits_begin(s->values.limits);
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_shrink);
  if (parsed.operand_count > 0)
    return ts_fail(TS_E_INPUT, "shrink takes options only, not \"%s\"", parsed.operands[0]);
  if (s->values.scenes.count > 1 || (!s->values.case_name && s->values.scenes.count == 0))
    return ts_fail(TS_E_INPUT, "--case NAME (see touchstone list cases) or one --scene FILE is "
                               "required");
  if (!s->values.method)
    return ts_fail(TS_E_INPUT, "--method NAME is required; see touchstone list methods");
  if (s->values.conditions.count == 0)
    return ts_fail(TS_E_INPUT, "--while CONDITION is required, such as 'quality_percent<50'");
  if (!s->values.out)
    return ts_fail(TS_E_INPUT, "--out DIR is required");
  TS_TRY(ts_file_set_check(s->values.out, NULL));
  TS_TRY(open_all(s));
  return shrink_draft(s);
}

static ts_status run_shrink(int *out_exit, int count, char *const *arguments) {
  shrink s = {.condition_count = 0};
  TS_TRY(ts_arena_create(&s.arena));
  ts_status status = shrink_case(&s, count, arguments);
  ts_arena_destroy(s.arena);
  *out_exit = 0;
  return status;
}

#define MEMBER(name)       .offset = offsetof(shrink_values, name)
#define LIMIT_OFFSET(name) offsetof(shrink_values, limits.name)

static const ts_option options[] = {
    {.name = "case",
     .argument = "NAME",
     .kind = TS_OPTION_TEXT,
     MEMBER(case_name),
     .names = TS_NAMES_CASES,
     .help = "the case to begin with"},
    {.name = "scene",
     .argument = "FILE",
     .kind = TS_OPTION_TEXTS,
     MEMBER(scenes),
     .help = "the scene file to begin with"},
    {.name = "method",
     .argument = "NAME",
     .kind = TS_OPTION_TEXT,
     MEMBER(method),
     .names = TS_NAMES_METHODS,
     .help = "the method that fails"},
    {.name = "while",
     .argument = "CONDITION",
     .kind = TS_OPTION_TEXTS,
     MEMBER(conditions),
     .help = "what must hold of its row: COLUMN<NUMBER, or with <=, >, >=, = or !=, such as "
             "quality_percent<50 or outcome=crashed; of another method: NAME: COLUMN<NUMBER"},
    {.name = "set",
     .argument = "name=value",
     .kind = TS_OPTION_ASSIGNMENTS,
     MEMBER(sets),
     .names = TS_NAMES_PARAMETERS,
     .help = "set a parameter, as for run"},
    {.name = "plugin",
     .argument = "FILE",
     .kind = TS_OPTION_TEXTS,
     MEMBER(plugins),
     .help = "add the methods of this plug-in"},
    {.name = "engines",
     .kind = TS_OPTION_SWITCH,
     MEMBER(with_engines),
     .help = "add the packaged engines"},
    {.name = "out", .argument = "DIR", .kind = TS_OPTION_TEXT, MEMBER(out), .help = "new folder"},
    {.name = "tries",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(tries),
     .fallback = "10000",
     .minimum = 1,
     .maximum = 1e9,
     .help = "scenes to try at most; then the smallest so far is written"},
    TS_LIMIT_OPTIONS(LIMIT_OFFSET){
        .name = "quiet", .kind = TS_OPTION_SWITCH, MEMBER(is_quiet), .help = "show no progress"},
};

const ts_command ts_command_shrink = {
    .name = "shrink",
    .operands = "",
    .summary = "Makes a scene as small as it can be and still fail.",
    .notes =
        "Bodies are left out, edges collapsed and coordinates rounded as long as the conditions "
        "hold. The truth of every try is derived from its meshes; a scene whose truth cannot be "
        "derived does not count as failing. A condition on a method that is right keeps the search "
        "from ending at another fault. Ctrl-C ends it with the smallest scene so far.",
    .examples = "touchstone shrink --case arch --method surface_sat --out small \\\n"
                "    --while 'blocked_wrongly_percent>20'\n"
                "touchstone shrink --scene pile/scene.json --method growth --out small \\\n"
                "    --while 'normals_flipped>0' --while 'semi_local: quality_percent=100'\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_shrink,
};
