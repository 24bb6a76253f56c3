// SPDX-License-Identifier: MIT
/// touchstone agree: how far the contacts of methods are apart.
#include "base/status.h"
#include "harness/agree/agreement_read.h"
#include "harness/agree/agreement_text.h"
#include "harness/agree/pair_snapshot.h"
#include "harness/commands/input.h"
#include "harness/picture/picture.h"
#include "harness/plan/exits.h"
#include "harness/plan/options.h"
#include "harness/plan/shell_word.h"
#include "harness/run/kept_files.h"
#include "harness/run/output.h"
#include "harness/view/row_scene.h"
#include "reports/export/gltf.h"
#include "reports/rows/csv.h"
#include "reports/rows/modified_names.h"

#include <math.h>
#include <string.h>

typedef struct agree_values {
  const char *out, *export_folder;
  ts_texts cases, methods;
  bool may_replace;
} agree_values;

typedef struct agree {
  ts_arena *arena;
  agree_values values;
  const char *results; ///< the operand
  ts_input input;
  json_t *context; ///< of the results; NULL: none
  ts_plot_source source;
  ts_agreement agreement;
  // Where two methods are farthest apart:
  ts_snapshot built;   ///< the scene
  const char *why;     ///< why there is no scene, or no contacts to show; NULL: there are
  ts_snapshot pair[2]; ///< the two bodies, with the contacts of each method
} agree;

// ---- the results -------------------------------------------------------------------------------

static ts_status check_contacts(const agree *g) {
  if (!g->input.folder)
    return ts_fail(TS_E_INPUT,
                   "%s has no contacts beside it; give the results folder of touchstone run",
                   g->input.summary_path);
  const char *path = ts_arena_format(g->arena, "%s/contacts.csv", g->input.folder);
  if (!path)
    return TS_E_MEMORY;
  if (g->input.contacts_kept != TS_KEPT_ALL)
    return ts_fail(TS_E_INPUT,
                   "%s does not have all contacts (--contacts %s); run it again with --contacts "
                   "all",
                   g->input.folder, ts_contacts_kept_words[g->input.contacts_kept]);
  if (!ts_csv_exists(path))
    return ts_fail(TS_E_INPUT, "%s is missing; give the whole results folder", path);
  return TS_OK;
}

/// Whether there is anything to compare, with what to do.
static ts_status check_methods(const agree *g) {
  const ts_agreement *a = &g->agreement;
  size_t with_rows = 0;
  for (size_t i = 0; i < a->count; i++)
    with_rows += a->ok_counts[i] > 0;
  if (with_rows == 0)
    return ts_fail(TS_E_INPUT,
                   "%s has no row to compare: none of a scene as built (step 0) is ok; touchstone "
                   "report %s has the reasons",
                   g->results, g->results);
  if (with_rows == 1)
    return ts_fail(TS_E_INPUT,
                   "%s has one method with rows to compare, and agreement takes two: run it with "
                   "another --method, too",
                   g->results);
  return ts_agreement_has_any(a)
             ? TS_OK
             : ts_fail(TS_E_INPUT,
                       "no two methods of %s are ok in a case with the same parameters; run the "
                       "same cases with both",
                       g->results);
}

static ts_status read_results(agree *g) {
  TS_TRY(ts_input_read(&g->input, g->arena, g->results));
  TS_TRY(ts_name_modified(g->input.records, g->input.count, g->arena));
  TS_TRY(ts_input_filter(&g->input, g->arena, "case", &g->values.cases));
  TS_TRY(ts_input_filter(&g->input, g->arena, "method", &g->values.methods));
  TS_TRY(check_contacts(g));
  TS_TRY(ts_input_context(&g->context, g->arena, &g->input));
  TS_TRY(ts_plot_source_make(&g->source, g->arena, g->input.records, g->input.count));
  TS_TRY(ts_agreement_read(&g->agreement, g->arena, &g->source, g->input.records, g->input.folder,
                           g->context));
  return check_methods(g);
}

// ---- where two methods are farthest apart ------------------------------------------------------

/// The snapshots of the pair, as the two rows have it.
static ts_status show_pair(agree *g) {
  const ts_disagreement *worst = &g->agreement.worst;
  const ts_record *rows[2] = {&g->input.records[worst->from_row], &g->input.records[worst->to_row]};
  const ts_scene *scene;
  TS_TRY(ts_row_scene(&g->built, &scene, &g->why, g->arena, rows[0], g->context));
  if (!g->why && (size_t)worst->body_b >= g->built.body_count)
    g->why = "Its contacts are not of the bodies that its case has now.";
  if (g->why || !g->values.export_folder)
    return TS_OK;
  bool *is_wanted = ts_arena_array(g->arena, g->input.count, sizeof *is_wanted);
  ts_row_details *details;
  if (!is_wanted)
    return TS_E_MEMORY;
  is_wanted[worst->from_row] = is_wanted[worst->to_row] = true;
  TS_TRY(ts_row_details_read(&details, g->arena, g->input.folder, g->input.records, is_wanted,
                             g->input.count));
  const ts_row_details *of[2] = {&details[worst->from_row], &details[worst->to_row]};
  for (int i = 0; i < 2 && !g->why; i++)
    TS_TRY(ts_pair_snapshot_make(&g->pair[i], &g->why, g->arena, &g->built, rows[i], of[i],
                                 worst->body_a, worst->body_b));
  return TS_OK;
}

static const char *body_name(const agree *g, int32_t body) {
  return g->why ? ts_arena_format(g->arena, "%d", body) : g->built.bodies[body].name;
}

/// "worst: arch, bodies 5 and 13: intersection has a contact at (...) ...".
static ts_status print_worst(const agree *g) {
  const ts_disagreement *w = &g->agreement.worst;
  if (isnan(w->distance)) {
    printf("worst: none, since there are no contacts to compare\n");
    return TS_OK;
  }
  const char *from =
      ts_axis_label(g->arena, &g->source.methods.entries[g->source.methods.entry_of[w->from_row]]);
  const char *to =
      ts_axis_label(g->arena, &g->source.methods.entries[g->source.methods.entry_of[w->to_row]]);
  const char *a = body_name(g, w->body_a), *b = body_name(g, w->body_b);
  if (!from || !to || !a || !b)
    return TS_E_MEMORY;
  ts_vec3 p = w->contact.point, n = w->contact.normal;
  printf("worst: %s, bodies %s and %s: %s has a contact at (%.3g, %.3g, %.3g), normal (%.3g, %.3g, "
         "%.3g), that is %.2f from what %s has there\n",
         g->input.records[w->from_row].case_name, a, b, from, p.x, p.y, p.z, n.x, n.y, n.z,
         w->distance, to);
  return TS_OK;
}

/// What a file of the export is made of.
typedef struct piece {
  ts_arena *arena;
  const ts_snapshot *snapshot;
} piece;

static ts_status write_picture(FILE *file, void *context) {
  const piece *p = context;
  return ts_picture_write(file, p->arena, p->snapshot);
}

static ts_status write_gltf(FILE *file, void *context) {
  const piece *p = context;
  return ts_gltf_write(file, p->snapshot);
}

static ts_status write_words(FILE *file, void *context) {
  const agree *g = context;
  fprintf(file, "export: %s (from.svg and from.gltf: what %s has there; to.svg and to.gltf: %s)\n",
          g->values.export_folder, g->pair[0].method, g->pair[1].method);
  return TS_OK;
}

/// Writes what each of the two methods has there, as a picture and as a scene for viewers.
static ts_status export_worst(agree *g) {
  if (g->why)
    return ts_fail(TS_E_INPUT, "nothing is exported: %s", g->why);
  ts_made_files made = {.items = ts_arena_array(g->arena, 5, sizeof *made.items)};
  if (!made.items)
    return TS_E_MEMORY;
  piece from = {g->arena, &g->pair[0]}, to = {g->arena, &g->pair[1]};
  TS_TRY(ts_made_files_add(&made, g->arena, "from.svg", write_picture, &from));
  TS_TRY(ts_made_files_add(&made, g->arena, "from.gltf", write_gltf, &from));
  TS_TRY(ts_made_files_add(&made, g->arena, "to.svg", write_picture, &to));
  TS_TRY(ts_made_files_add(&made, g->arena, "to.gltf", write_gltf, &to));
  TS_TRY(ts_made_files_add(&made, g->arena, "words", write_words, g));
  return ts_made_files_write(&made, &(ts_earlier_files){.count = 0}, g->arena,
                             g->values.export_folder);
}

/// The command that shows a picture of the whole scene of the row.
static ts_status say_commands(const agree *g) {
  const ts_disagreement *w = &g->agreement.worst;
  const char *results = ts_shell_word(g->arena, g->results);
  if (!results)
    return TS_E_MEMORY;
  for (int i = 0; i < 2; i++) {
    const ts_record *row = &g->input.records[i == 0 ? w->from_row : w->to_row];
    int name_length = (int)strcspn(row->method, "+"); // without modifiers (ts_name_modified)
    printf("%stouchstone explain %s %.*s %s --cell %s\n", i == 0 ? "to see it: " : "           ",
           row->case_name, name_length, row->method, results, row->cell);
  }
  if (!g->values.export_folder)
    printf("to export the two bodies with both: add --export DIR\n");
  return TS_OK;
}

// ---- the command -------------------------------------------------------------------------------

static ts_status write_csv(const agree *g) {
  ts_output output;
  TS_TRY(ts_output_start(&output, g->values.out, g->values.may_replace));
  ts_status status =
      ts_agreement_write_csv(output.file, g->arena, &g->agreement, &g->source, g->input.records);
  return ts_output_end(&output, status);
}

static ts_status print_all(agree *g) {
  bool has_worst = !isnan(g->agreement.worst.distance);
  if (has_worst)
    TS_TRY(show_pair(g));
  if (g->values.out)
    TS_TRY(write_csv(g));
  TS_TRY(ts_agreement_print(stdout, g->arena, &g->agreement, &g->source));
  TS_TRY(print_worst(g));
  if (has_worst && g->values.export_folder)
    TS_TRY(export_worst(g));
  if (has_worst)
    TS_TRY(say_commands(g));
  if (g->values.out)
    printf("csv: %s\n", g->values.out);
  return TS_OK;
}

static ts_status check_outputs(const agree *g) {
  TS_TRY(ts_output_spare("--out", g->values.out, g->results));
  if (g->values.out)
    TS_TRY(ts_output_check(g->values.out, g->values.may_replace));
  if (!g->values.export_folder)
    return TS_OK;
  TS_TRY(ts_output_spare_folder("--export", g->values.export_folder, g->results));
  return g->values.may_replace
             ? TS_OK
             : ts_file_set_check(g->values.export_folder,
                                 "add --force to replace the files of an earlier export");
}

static ts_status agree_on(agree *g, int count, char *const *arguments) {
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&g->values, &parsed, g->arena, &ts_command_agree, count, arguments));
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_agree);
  if (parsed.operand_count != 1)
    return ts_fail(TS_E_INPUT, "agree takes one results folder: touchstone agree results/latest");
  g->results = parsed.operands[0];
  TS_TRY(check_outputs(g));
  TS_TRY(read_results(g));
  ts_input_warn(&g->input);
  return print_all(g);
}

static ts_status run_agree(int *out_exit, int count, char *const *arguments) {
  agree g = {.results = ""};
  TS_TRY(ts_arena_create(&g.arena));
  ts_status status = agree_on(&g, count, arguments);
  json_decref(g.context);
  ts_arena_destroy(g.arena);
  *out_exit = TS_EXIT_FINE;
  return status;
}

#define MEMBER(name) .offset = offsetof(agree_values, name)

static const ts_option options[] = {
    {.name = "case",
     .argument = "RE",
     .kind = TS_OPTION_TEXTS,
     MEMBER(cases),
     .names = TS_NAMES_CASES,
     .help = "only rows of cases whose whole name matches the regular expression"},
    {.name = "method",
     .argument = "RE",
     .kind = TS_OPTION_TEXTS,
     MEMBER(methods),
     .names = TS_NAMES_METHODS,
     .help = "the same for methods"},
    {.name = "out",
     .argument = "FILE",
     .kind = TS_OPTION_TEXT,
     MEMBER(out),
     .help = "write the matrix to this file as CSV, too: a row for each method and another one, "
             "with the place where they are farthest apart"},
    {.name = "export",
     .argument = "DIR",
     .kind = TS_OPTION_TEXT,
     MEMBER(export_folder),
     .help = "write the worst of these places to this folder: the two bodies with the contacts of "
             "each method, as pictures and as glTF"},
    {.name = "force",
     .kind = TS_OPTION_SWITCH,
     MEMBER(may_replace),
     .help = "replace FILE, and files of an earlier export in DIR, if they exist"},
};

const ts_command ts_command_agree = {
    .name = "agree",
    .operands = "RESULTS",
    .summary = "Says what contacts of one method block and others do not.",
    .notes = "RESULTS is a results folder with contacts; no truth is needed. The table has the "
             "largest distance of the wrench of a contact of one method (rows) from the cone of "
             "the wrenches of another one (columns), mean over the pairs of bodies, then over "
             "cases: docs/rivals.md, Agreement. Only scenes as built are compared, and of them "
             "those in which both methods are ok. touchstone plot --only agreement draws it.",
    .examples = "touchstone agree results/latest\n"
                "touchstone agree results/latest --method opposing --method growth\n"
                "touchstone agree results/latest --out agreement.csv --export worst\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_agree,
};
