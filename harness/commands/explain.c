// SPDX-License-Identifier: MIT
#include "harness/commands/explain.h"

#include "base/status.h"
#include "harness/picture/picture.h"
#include "harness/plan/catalog.h"
#include "harness/plan/exits.h"
#include "harness/run/output.h"
#include "harness/score/score_options.h"
#include "reports/rows/outcome.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

ts_status ts_explain_name_picture(ts_explain *e, const char *folder) {
  e->may_replace = e->values.may_replace;
  e->picture = e->values.out;
  if (!e->picture) {
    const ts_record *r = &e->told.record;
    e->picture = folder ? ts_arena_format(e->arena, "%s/explain/%s_%s_%.0f_%s.svg", folder,
                                          r->case_name, r->method, r->step, r->cell)
                        : ts_arena_format(e->arena, "explain_%s_%s_%.0f.svg", r->case_name,
                                          r->method, r->step);
    e->may_replace |= folder != NULL; // it was made of the results there
  }
  return e->picture ? ts_output_check(e->picture, e->may_replace) : TS_E_MEMORY;
}

/// Makes the folder of a picture beside results.
static ts_status make_folder(const ts_explain *e) {
  const char *slash = strrchr(e->picture, '/');
  if (e->values.out || !slash)
    return TS_OK;
  const char *folder = ts_arena_format(e->arena, "%.*s", (int)(slash - e->picture), e->picture);
  if (!folder)
    return TS_E_MEMORY;
  if (mkdir(folder, 0777) == 0 || errno == EEXIST)
    return TS_OK;
  return ts_fail(TS_E_IO, "cannot make the folder %s: %s; name a file with --out", folder,
                 strerror(errno));
}

static ts_status write_text(FILE *file, void *context) {
  const ts_explain *e = context;
  if (e->edited)
    fprintf(file, "%s\n", e->edited);
  if (e->differs)
    fprintf(file, "%s\n", e->differs);
  TS_TRY(ts_explanation_print_headline(file, e->arena, &e->told));
  return ts_explanation_print_sections(file, e->arena, &e->told, e->values.is_all);
}

static ts_status write_picture(FILE *file, void *context) {
  const ts_explain *e = context;
  return ts_picture_write(file, e->arena, e->told.snapshot);
}

ts_status ts_explain_make(ts_made_files *out, ts_explain *e) {
  *out = (ts_made_files){.items = ts_arena_array(e->arena, 2, sizeof *out->items)};
  if (!out->items)
    return TS_E_MEMORY;
  TS_TRY(ts_made_files_add(out, e->arena, "text", write_text, e));
  return e->told.snapshot ? ts_made_files_add(out, e->arena, "picture", write_picture, e) : TS_OK;
}

static ts_status place_picture(const ts_explain *e, const ts_file_of_set *picture) {
  ts_output output;
  TS_TRY(make_folder(e));
  TS_TRY(ts_output_start(&output, e->picture, e->may_replace));
  fwrite(picture->bytes, 1, picture->byte_count, output.file);
  return ts_output_end(&output, TS_OK);
}

/// What a smaller scene would have to keep, of a row as built; NULL: it is right, or asking again
/// and again would take too long.
static const char *fault_of(const ts_record *r) {
  ts_outcome outcome = ts_record_outcome(r);
  return outcome == TS_OUTCOME_FAILED     ? "outcome=failed"
         : outcome == TS_OUTCOME_CRASHED  ? "outcome=crashed"
         : outcome != TS_OUTCOME_OK       ? NULL
         : r->phantom > 0                 ? "phantom>0"
         : r->normals_flipped > 0         ? "normals_flipped>0"
         : r->quality_percent < 100       ? "quality_percent<100"
         : r->coverage_percent < 100      ? "coverage_percent<100"
         : r->blocked_wrongly_percent > 1 ? "blocked_wrongly_percent>1"
         : r->freed_wrongly_percent > 1   ? "freed_wrongly_percent>1"
                                          : NULL;
}

/// Prints a command without an option that takes no value.
static void print_without(const char *command, const char *option) {
  const char *found = strstr(command, option);
  printf("%.*s%s", (int)(found ? found - command : 0), command,
         found ? found + strlen(option) : command);
}

/// Offers the command that makes the scene smaller: that of `run`, with other ends. A smaller scene
/// has no convex pieces, and contacts that were modified cannot be asked for.
static ts_status print_shrink(const ts_explain *e) {
  static const char run[] = "touchstone run ", steps[] = " --steps 1";
  const ts_record *r = &e->told.record;
  const char *fault = fault_of(r), *end = strstr(e->repeat, steps);
  bool is_run = strncmp(e->repeat, run, strlen(run)) == 0 && !strstr(e->repeat, " --modify ");
  bool has_pieces = *r->pieces && strcmp(r->pieces, "none") != 0;
  if (!fault || r->step != 0 || !is_run || !end || has_pieces)
    return TS_OK;
  const char *words =
      ts_arena_format(e->arena, "%.*s%s", (int)(end - e->repeat - (ptrdiff_t)strlen(run)),
                      e->repeat + strlen(run), end + strlen(steps));
  if (!words)
    return TS_E_MEMORY;
  fputs("make it smaller, if its meshes alone show it: touchstone shrink ", stdout);
  print_without(words, " --controls"); // which shrink always has
  printf(" --while '%s' --out smaller\n", fault);
  return TS_OK;
}

ts_status ts_explain_print(const ts_explain *e, const ts_made_files *made) {
  bool has_picture = made->count > 1;
  fwrite(made->items[0].bytes, 1, made->items[0].byte_count, stdout);
  printf("\nrepeat it: %s\n", e->repeat);
  TS_TRY(print_shrink(e));
  if (has_picture)
    TS_TRY(place_picture(e, &made->items[1]));
  printf("\npicture: %s\n", has_picture ? e->picture : "none, since there are no contacts to draw");
  return TS_OK;
}

ts_status ts_explain_finish(ts_explain *e) {
  ts_made_files made;
  TS_TRY(ts_explain_make(&made, e));
  return ts_explain_print(e, &made);
}

/// Whether a word is the name of a case, those of --scene among them.
static ts_status names_case(bool *out, const ts_explain *e, const char *word) {
  ts_catalog catalog;
  *out = false;
  TS_TRY(ts_catalog_open(&catalog, e->arena,
                         &(ts_catalog_request){.scene_count = e->values.scenes.count,
                                               .scenes = e->values.scenes.items}));
  for (size_t i = 0; i < catalog.case_count && !*out; i++)
    *out = strcmp(catalog.cases[i]->name, word) == 0;
  return TS_OK;
}

/// Sets case, method and results from the operands. The case may be left out where one --scene
/// gives it.
static ts_status take_operands(ts_explain *e, const ts_arguments *parsed) {
  const char *operands[3] = {NULL, NULL, NULL};
  size_t count = parsed->operand_count, most = e->values.contacts ? 2 : 3;
  bool has_scene = e->values.scenes.count == 1, has_case = count > 0;
  if (has_scene && count > 0 && count < most)
    TS_TRY(names_case(&has_case, e, parsed->operands[0]));
  size_t first = has_scene && !has_case ? 1 : 0, least = e->values.contacts ? 1 : 2;
  if (first + count < least || first + count > most)
    return ts_fail(TS_E_INPUT,
                   "explain takes a case, a method and perhaps results: touchstone explain wall "
                   "opposing results/latest; with one --scene FILE the case may be left out, with "
                   "--contacts FILE the method");
  memcpy(operands + first, parsed->operands, count * sizeof *operands);
  e->case_name = operands[0];
  e->method = operands[1];
  e->results = operands[2];
  return TS_OK;
}

/// Refuses the name of a picture in a format that it is not drawn in.
static ts_status check_picture(const char *path) {
  static const char *const others[] = {"png", "jpg",  "jpeg", "gif", "webp", "bmp",
                                       "tif", "tiff", "pdf",  "eps", "ps"};
  const char *dot = path ? strrchr(path, '.') : NULL;
  for (size_t i = 0; dot && i < sizeof others / sizeof *others; i++)
    if (strcasecmp(dot + 1, others[i]) == 0)
      return ts_fail(TS_E_INPUT,
                     "--out %s: the picture is drawn as SVG; give it a name that ends in .svg",
                     path);
  return TS_OK;
}

/// Refuses options that what is explained has no use for.
static ts_status check_options(const ts_explain *e, uint64_t given) {
  static const char *const of_contacts[] = {"name",  "envelope",  "poses", "first",
                                            "touch", "triangles", "bodies"};
  static const char *const of_methods[] = {"plugin", "engines", "time-limit", "memory-limit",
                                           "tetgen-limit"};
  if (!e->values.contacts)
    for (size_t i = 0; i < sizeof of_contacts / sizeof *of_contacts; i++)
      if (given & ts_options_bit(&ts_command_explain, of_contacts[i]))
        return ts_fail(TS_E_INPUT, "--%s is for the contacts of a file; add --contacts FILE",
                       of_contacts[i]);
  if (e->values.contacts)
    for (size_t i = 0; i < sizeof of_methods / sizeof *of_methods; i++)
      if (given & ts_options_bit(&ts_command_explain, of_methods[i]))
        return ts_fail(TS_E_INPUT, "--%s is for methods, not for the contacts of a file",
                       of_methods[i]);
  if (e->values.score.cell && !e->results && !e->values.contacts)
    return ts_fail(TS_E_INPUT, "--cell chooses a row of results; name the results, too");
  return TS_OK;
}

static ts_status explain(ts_explain *e, int count, char *const *arguments) {
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&e->values, &parsed, e->arena, &ts_command_explain, count, arguments));
  ts_limits_begin(e->values.limits);
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_explain);
  TS_TRY(take_operands(e, &parsed));
  TS_TRY(check_options(e, parsed.given));
  TS_TRY(check_picture(e->values.out));
  bool has_step = parsed.given & ts_options_bit(&ts_command_explain, "step");
  if (e->values.contacts) {
    if (!has_step)
      e->values.score.step = -1;
    return ts_explain_contacts(e);
  }
  return e->results ? ts_explain_result(e) : ts_explain_cell(e);
}

static ts_status run_explain(int *out_exit, int count, char *const *arguments) {
  ts_explain e = {.repeat = ""};
  TS_TRY(ts_arena_create(&e.arena));
  ts_status status = explain(&e, count, arguments);
  const ts_record *row = &e.told.record; // without an outcome after --help
  bool is_bad = e.has_failed || (row->outcome && ts_record_has_failed(row));
  *out_exit = status == TS_OK && is_bad ? TS_EXIT_BAD_CELLS : TS_EXIT_FINE;
  ts_arena_destroy(e.arena);
  return status;
}

#define OFFSET(name)       offsetof(ts_explain_values, score.name)
#define LIMIT_OFFSET(name) offsetof(ts_explain_values, limits.name)
#define MEMBER(name)       .offset = offsetof(ts_explain_values, name)

static const ts_option options[] = {
    {.name = "step",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(score.step),
     .fallback = "0",
     .minimum = 0,
     .maximum = 1e6,
     .help = "0: as built; 2 or more: that simulation step, as in summary.csv"},
    {.name = "set",
     .argument = "name=value",
     .kind = TS_OPTION_ASSIGNMENTS,
     MEMBER(score.sets),
     .help = "set a parameter, as for run; with RESULTS: choose the row that has it"},
    {.name = "cell",
     .argument = "KEY",
     .kind = TS_OPTION_TEXT,
     MEMBER(score.cell),
     .help = "choose the row, or the contacts, of this cell, by the column cell or its beginning"},
    {.name = "scene",
     .argument = "FILE",
     .kind = TS_OPTION_TEXTS,
     MEMBER(scenes),
     .help = "add the case of this scene file, and leave out CASE to explain it; with RESULTS: "
             "where the scene of the row is now"},
    {.name = "plugin",
     .argument = "FILE",
     .kind = TS_OPTION_TEXTS,
     MEMBER(plugins),
     .help = "add the methods of this plug-in; with RESULTS: where the plug-in of the row is now"},
    {.name = "engines",
     .kind = TS_OPTION_SWITCH,
     MEMBER(with_engines),
     .help = "add the packaged engines"},
    {.name = "contacts",
     .argument = "FILE",
     .kind = TS_OPTION_TEXT,
     MEMBER(contacts),
     .help = "explain the contacts of this file, as score reads it; METHOD then selects those of "
             "a method, and may be left out"},
    {.name = "name",
     .argument = "NAME",
     .kind = TS_OPTION_TEXT,
     MEMBER(score.name),
     .help = "name of what gave the contacts of --contacts"},
    TS_SCORE_READING_OPTIONS(OFFSET)
        TS_LIMIT_OPTIONS(LIMIT_OFFSET){.name = "all",
                                       .kind = TS_OPTION_SWITCH,
                                       MEMBER(is_all),
                                       .help = "list everything, not the worst ten of each kind"},
    {.name = "out",
     .argument = "FILE",
     .kind = TS_OPTION_TEXT,
     MEMBER(out),
     .help = "file of the picture (default: explain_CASE_METHOD_STEP.svg; with RESULTS "
             "CASE_METHOD_STEP_CELL.svg in RESULTS/explain)"},
    {.name = "force",
     .kind = TS_OPTION_SWITCH,
     MEMBER(may_replace),
     .help = "replace the picture if it exists; one in RESULTS/explain is replaced without it"},
};

const ts_command ts_command_explain = {
    .name = "explain",
    .operands = "CASE METHOD [RESULTS]",
    .summary = "Says what is wrong with one row, and draws it.",
    .notes = "Without RESULTS the case is run here. With RESULTS, a results folder or a "
             "summary.csv, the row is the one there, and its state is made again. The exit status "
             "is 3 when the row is one that failed, crashed, timed out or ran out of memory, or "
             "when the method does so when it is asked again.",
    .examples = "touchstone explain wall opposing\n"
                "touchstone explain wall opposing --step 3 results/latest\n"
                "touchstone explain wall mine --plugin ./mine.so --set layers=20\n"
                "touchstone explain --scene scene.json --contacts mine.csv\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_explain,
};
