// SPDX-License-Identifier: MIT
#include "base/status.h"
#include "harness/export/earlier_motion.h"
#include "harness/export/export_motion.h"
#include "harness/export/export_scene.h"
#include "harness/picture/picture.h"
#include "harness/plan/exits.h"
#include "harness/plan/names.h"
#include "harness/plan/options.h"
#include "harness/run/interrupt.h"
#include "harness/run/kept_files.h"
#include "harness/run/limit_options.h"
#include "reports/export/gltf.h"
#include "reports/export/vtk.h"
#include "reports/rows/file_set.h"

#include <string.h>

typedef struct export_values {
  const char *case_name, *method, *out, *formats, *modifiers;
  ts_assignments sets;
  ts_texts plugins, scenes;
  double step, steps, every;
  ts_limit_values limits;
  bool may_replace, with_engines;
} export_values;

/// A file of the export.
typedef struct piece {
  const char *format, *name, *what;
  bool (*is_wanted)(const ts_snapshot *snapshot); ///< NULL: always
  ts_status (*write)(FILE *file, ts_arena *arena, const ts_snapshot *snapshot);
} piece;

static bool has_envelope(const ts_snapshot *snapshot) {
  for (size_t i = 0; i < snapshot->body_count; i++)
    if (snapshot->bodies[i].enveloped.mesh)
      return true;
  return false;
}

static bool has_tets(const ts_snapshot *snapshot) {
  for (size_t i = 0; i < snapshot->body_count; i++)
    if (snapshot->bodies[i].enveloped.mesh && snapshot->bodies[i].enveloped.mesh->tet_count > 0)
      return true;
  return false;
}

static bool has_method(const ts_snapshot *snapshot) {
  return snapshot->method != NULL;
}

static ts_status write_bodies(FILE *file, ts_arena *arena, const ts_snapshot *snapshot) {
  (void)arena;
  ts_vtk_write_bodies(file, snapshot, false);
  return TS_OK;
}

static ts_status write_envelope(FILE *file, ts_arena *arena, const ts_snapshot *snapshot) {
  (void)arena;
  ts_vtk_write_bodies(file, snapshot, true);
  return TS_OK;
}

static ts_status write_tets(FILE *file, ts_arena *arena, const ts_snapshot *snapshot) {
  (void)arena;
  ts_vtk_write_tets(file, snapshot);
  return TS_OK;
}

static ts_status write_truth(FILE *file, ts_arena *arena, const ts_snapshot *snapshot) {
  (void)arena;
  ts_vtk_write_truth(file, snapshot);
  return TS_OK;
}

static ts_status write_truth_normals(FILE *file, ts_arena *arena, const ts_snapshot *snapshot) {
  (void)arena;
  ts_vtk_write_truth_normals(file, snapshot);
  return TS_OK;
}

static ts_status write_contacts(FILE *file, ts_arena *arena, const ts_snapshot *snapshot) {
  (void)arena;
  ts_vtk_write_contacts(file, snapshot);
  return TS_OK;
}

static ts_status write_gltf(FILE *file, ts_arena *arena, const ts_snapshot *snapshot) {
  (void)arena;
  return ts_gltf_write(file, snapshot);
}

#define SCENE_FORMAT "scene"

static const piece pieces[] = {
    {"vtk", "bodies.vtp", "the bodies as designed", NULL, write_bodies},
    {"vtk", "envelope.vtp", "the bodies as the method gets them", has_envelope, write_envelope},
    {"vtk", "tets.vtu", "their tetrahedra", has_tets, write_tets},
    {"vtk", "truth.vtp", "the true contact regions", NULL, write_truth},
    {"vtk", "truth_normals.vtp", "their feasible normals", NULL, write_truth_normals},
    {"vtk", "contacts.vtp", "the contacts found", has_method, write_contacts},
    {"gltf", "scene.gltf", "all of it, for Blender and other viewers", NULL, write_gltf},
    {"svg", "picture.svg", "a picture of it, as an exploded view", NULL, ts_picture_write},
    {SCENE_FORMAT, TS_EXPORT_CONTACTS, "the contacts found, for score", has_method,
     ts_export_contacts},
};
#define PIECE_COUNT (sizeof pieces / sizeof *pieces)

typedef struct export {
  ts_arena *arena;
  export_values values;
  ts_catalog catalog;
  ts_snapshot_request request;
  bool is_chosen[PIECE_COUNT];
  bool has_scene;          ///< the scene format is selected
  ts_export_motion motion; ///< without a request: one state is exported
  // What is made with the method:
  ts_snapshot snapshot;
  ts_snapshot_source source;
  size_t part_count;
  ts_scene_part *parts; ///< [part_count]: the files of the scene
}
export;

static size_t list_formats(const char **out) {
  static const char *const names[] = {"vtk", "gltf", "svg", SCENE_FORMAT};
  memcpy(out, names, sizeof names);
  return sizeof names / sizeof *names;
}

/// What a motion has of a format.
static ts_status choose_for_motion(export *e, const char *format) {
  if (strcmp(format, "vtk") == 0)
    e->motion.has_vtk = true;
  else if (strcmp(format, "gltf") == 0)
    e->motion.has_gltf = true;
  else
    return ts_fail(TS_E_INPUT,
                   "--format %s shows one state: use --step, or vtk or gltf for --steps", format);
  return TS_OK;
}

/// Selects the pieces of the formats in a list "vtk,svg".
static ts_status choose_formats(export *e) {
  const char *all = e->motion.request ? "vtk,gltf" : "vtk,gltf,svg";
  char *list = ts_arena_string(e->arena, e->values.formats ? e->values.formats : all);
  if (!list)
    return TS_E_MEMORY;
  for (char *word = list, *next; word; word = next) {
    next = strchr(word, ',');
    if (next)
      *next++ = '\0';
    bool is_known = strcmp(word, SCENE_FORMAT) == 0;
    e->has_scene = e->has_scene || is_known;
    for (size_t i = 0; i < PIECE_COUNT; i++)
      if (strcmp(pieces[i].format, word) == 0)
        is_known = e->is_chosen[i] = true;
    if (!is_known) {
      const char *names[TS_OPTION_CHOICES_MAX];
      return ts_names_unknown("format", word, names, list_formats(names));
    }
    if (e->motion.request)
      TS_TRY(choose_for_motion(e, word));
  }
  return TS_OK;
}

// ---- what is made with the method --------------------------------------------------------------

/// Whether a piece is selected, and has any content.
static bool is_wanted(const export *e, size_t index) {
  const piece *p = &pieces[index];
  return e->is_chosen[index] && (!p->is_wanted || p->is_wanted(&e->snapshot));
}

typedef struct piece_of {
  const piece *piece;
  export *e;
} piece_of;

static ts_status write_piece(FILE *file, void *context) {
  const piece_of *p = context;
  return p->piece->write(file, p->e->arena, &p->e->snapshot);
}

/// "wall by opposing, step 3: 90 bodies, 248 regions, 1002 contacts (912 correct, 90 incorrect)".
static ts_status write_summary(FILE *file, void *context) {
  const export *e = context;
  const ts_snapshot *x = &e->snapshot;
  fprintf(file, "%s%s%s", x->case_name, x->method ? " by " : "", x->method ? x->method : "");
  if (x->step > 0)
    fprintf(file, ", step %lld", (long long)x->step);
  fprintf(file, ": %zu bodies, ", x->body_count);
  if (x->is_truth_unknown)
    fprintf(file, "truth unknown");
  else
    fprintf(file, "%zu region%s", x->region_count, x->region_count == 1 ? "" : "s");
  if (x->unknown_count > 0)
    fprintf(file, ", %zu unknown pair%s", x->unknown_count, x->unknown_count == 1 ? "" : "s");
  if (x->method)
    fprintf(file, ", %zu contact%s", x->contact_count, x->contact_count == 1 ? "" : "s");
  const char *before = " (";
  for (int kind = 0; kind < TS_KIND_COUNT; kind++) {
    size_t count = 0;
    for (size_t i = 0; i < x->contact_count; i++)
      count += (int)ts_contact_row_kind(&x->contacts[i]) == kind;
    if (count > 0)
      fprintf(file, "%s%zu %s", before, count, ts_contact_kind_words[kind]);
    before = count > 0 ? ", " : before;
  }
  fprintf(file, "%s\n", x->contact_count > 0 ? ")" : "");
  for (size_t i = 0; i < PIECE_COUNT; i++)
    if (is_wanted(e, i))
      fprintf(file, "  %-20s  %s\n", pieces[i].name, pieces[i].what);
  for (size_t i = 0; i < e->part_count; i++)
    fprintf(file, "  %-20s  %s\n", e->parts[i].name, e->parts[i].what);
  if (e->has_scene)
    fprintf(file, "to run it: touchstone run --scene %s/scene.json\n", e->values.out);
  if (e->has_scene && x->method) {
    const char *command = ts_export_score_command(e->arena, e->values.out, x, &e->source);
    if (!command)
      return TS_E_MEMORY;
    fprintf(file, "to score the contacts: %s\n", command);
  }
  fprintf(file, "export: %s\n", e->values.out);
  return TS_OK;
}

/// Makes all files, and last the text to print.
static ts_status make_all(ts_made_files *out, void *context) {
  export *e = context;
  const ts_case *of;
  TS_TRY(ts_cell_snapshot(&e->snapshot, &e->source, e->arena, &e->request));
  TS_TRY(ts_catalog_case(&of, e->arena, &e->catalog, e->values.case_name));
  if (e->has_scene)
    TS_TRY(ts_export_scene(&e->parts, &e->part_count, e->arena, of, &e->snapshot, &e->source));
  size_t most = PIECE_COUNT + e->part_count + 1;
  *out = (ts_made_files){.items = ts_arena_array(e->arena, most, sizeof *out->items)};
  if (!out->items)
    return TS_E_MEMORY;
  for (size_t i = 0; i < PIECE_COUNT; i++)
    if (is_wanted(e, i))
      TS_TRY(ts_made_files_add(out, e->arena, pieces[i].name, write_piece,
                               &(piece_of){&pieces[i], e}));
  for (size_t i = e->part_count; i-- > 0;) // scene.json last: it names the others
    out->items[out->count++] =
        (ts_file_of_set){e->parts[i].name, e->parts[i].bytes, e->parts[i].byte_count};
  return ts_made_files_add(out, e->arena, "summary", write_summary, e);
}

static ts_status make_motion(ts_made_files *out, void *context) {
  export *e = context;
  return ts_export_motion_make(out, e->arena, &e->motion);
}

/// The same, with the method in a process of its own. `*out_exit` is that of a method that gave
/// nothing to export, which is said.
static ts_status make_with_method(ts_made_files *out, int *out_exit, export *e) {
  const ts_kept_files_job job = {.make = e->motion.request ? make_motion : make_all,
                                 .context = e,
                                 .case_name = e->values.case_name,
                                 .method = e->values.method,
                                 .limits = ts_limits_of(e->values.limits)};
  ts_kept_files made;
  TS_TRY(e->motion.request ? ts_export_motion_check(e->arena, &e->motion)
                           : ts_cell_snapshot_check(e->arena, &e->request));
  TS_TRY(ts_kept_files_make(&made, e->arena, &job));
  *out = made.files;
  if (made.outcome == TS_OUTCOME_OK)
    return TS_OK;
  const char *words = ts_outcomes[made.outcome].words;
  if (made.outcome == TS_OUTCOME_SKIPPED)
    return ts_fail(TS_E_INPUT, "%s on %s is %s: %s; nothing is exported", job.method, job.case_name,
                   words, made.reason);
  fprintf(stderr, "touchstone: %s on %s %s: %s; nothing is exported\n", job.method, job.case_name,
          words, made.reason);
  *out_exit = TS_EXIT_BAD_CELLS;
  return TS_OK;
}

// ---- the command -------------------------------------------------------------------------------

/// The pieces that an earlier export of the same formats may have.
static ts_status find_pieces(ts_earlier_files *out, const export *e) {
  *out = (ts_earlier_files){.names = ts_arena_array(e->arena, PIECE_COUNT + 1, sizeof *out->names)};
  if (!out->names)
    return TS_E_MEMORY;
  if (e->has_scene)
    out->names[out->count++] = "scene.json"; // first: it names others
  for (size_t i = 0; i < PIECE_COUNT; i++)
    if (e->is_chosen[i])
      out->names[out->count++] = pieces[i].name;
  return TS_OK;
}

/// How many files of a list are not among those made.
static size_t count_others(const ts_earlier_files *earlier, const ts_made_files *made) {
  size_t count = 0;
  for (size_t i = 0; i < earlier->count; i++) {
    size_t same = 0;
    while (same < made->count && strcmp(made->items[same].path, earlier->names[i]) != 0)
      same++;
    count += same == made->count;
  }
  return count;
}

static ts_status write_all(const export *e, const ts_made_files *made) {
  ts_earlier_files earlier = {.count = 0};
  if (e->motion.request)
    TS_TRY(ts_earlier_motion(&earlier, e->arena, e->values.out));
  else
    TS_TRY(find_pieces(&earlier, e));
  TS_TRY(ts_made_files_write(made, &earlier, e->arena, e->values.out));
  size_t gone = e->motion.request ? count_others(&earlier, made) : 0;
  if (gone > 0)
    printf("removed: %zu other file%s of the earlier motion\n", gone, gone == 1 ? "" : "s");
  return TS_OK;
}

/// Whether a state or a motion is wanted.
static ts_status choose_motion(export *e) {
  if (e->values.steps == 0) {
    if (e->values.every > 1)
      return ts_fail(TS_E_INPUT, "--every is for a motion: add --steps N");
    return TS_OK;
  }
  if (e->values.step > 0)
    return ts_fail(TS_E_INPUT, "--step shows one state and --steps a motion: give one of them");
  if (e->values.steps < 2)
    return ts_fail(TS_E_INPUT, "--steps 1 is the scene as built alone: the first step of a motion "
                               "is 2");
  if (!e->values.method)
    return ts_fail(TS_E_INPUT, "bodies move under the contacts of a method: add --method NAME (see "
                               "touchstone list methods)");
  e->motion = (ts_export_motion){
      .request = &e->request, .every = (int64_t)e->values.every, .out = e->values.out};
  return TS_OK;
}

static ts_status export_scene(int *out_exit, export *e) {
  ts_made_files made = {.count = 0};
  double step = e->motion.request ? e->values.steps : e->values.step;
  e->request = (ts_snapshot_request){.catalog = &e->catalog,
                                     .case_name = e->values.case_name,
                                     .method = e->values.method,
                                     .step = (int64_t)step,
                                     .set_count = e->values.sets.count,
                                     .sets = e->values.sets.items,
                                     .modifiers = e->values.modifiers};
  TS_TRY(e->values.method ? make_with_method(&made, out_exit, e) : make_all(&made, e));
  return made.count > 0 ? write_all(e, &made) : TS_OK;
}

static ts_status export_cell(int *out_exit, export *e, int count, char *const *arguments) {
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&e->values, &parsed, e->arena, &ts_command_export, count, arguments));
  ts_limits_begin(e->values.limits);
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_export);
  if (parsed.operand_count > 0)
    return ts_fail(TS_E_INPUT, "export takes options only, not \"%s\"", parsed.operands[0]);
  if (!e->values.case_name && e->values.scenes.count != 1)
    return ts_fail(TS_E_INPUT,
                   "--case NAME (see touchstone list cases) or --scene FILE is required");
  if (!e->values.out)
    return ts_fail(TS_E_INPUT, "--out DIR is required");
  if (e->values.modifiers && !e->values.method)
    return ts_fail(TS_E_INPUT, "--modify changes the contacts of a method; name it with --method");
  TS_TRY(choose_motion(e));
  TS_TRY(choose_formats(e));
  if (!e->values.may_replace)
    TS_TRY(
        ts_file_set_check(e->values.out, "add --force to replace the files of an earlier export"));
  TS_TRY(ts_catalog_open(&e->catalog, e->arena,
                         &(ts_catalog_request){.with_controls = true,
                                               .with_engines = e->values.with_engines,
                                               .plugin_count = e->values.plugins.count,
                                               .plugins = e->values.plugins.items,
                                               .scene_count = e->values.scenes.count,
                                               .scenes = e->values.scenes.items}));
  if (!e->values.case_name)
    e->values.case_name = e->catalog.cases[0]->name;
  ts_interrupt_say("nothing was written");
  return export_scene(out_exit, e);
}

static ts_status run_export(int *out_exit, int count, char *const *arguments) {
  export e = {.part_count = 0};
  *out_exit = TS_EXIT_FINE;
  TS_TRY(ts_arena_create(&e.arena));
  ts_status status = export_cell(out_exit, &e, count, arguments);
  ts_arena_destroy(e.arena);
  return status;
}

#define LIMIT_OFFSET(name) offsetof(export_values, limits.name)
#define MEMBER(name)       .offset = offsetof(export_values, name)

static const ts_option options[] = {
    {.name = "case",
     .argument = "NAME",
     .kind = TS_OPTION_TEXT,
     MEMBER(case_name),
     .names = TS_NAMES_CASES,
     .help = "the full name of the case"},
    {.name = "scene",
     .argument = "FILE",
     .kind = TS_OPTION_TEXTS,
     MEMBER(scenes),
     .help = "add the case of this scene file; without --case, export that case"},
    {.name = "method",
     .argument = "NAME",
     .kind = TS_OPTION_TEXT,
     MEMBER(method),
     .names = TS_NAMES_METHODS,
     .help = "the method whose contacts and bodies are shown (default: none, only the case)"},
    {.name = "plugin",
     .argument = "FILE",
     .kind = TS_OPTION_TEXTS,
     MEMBER(plugins),
     .help = "add the methods of this plug-in"},
    {.name = "engines",
     .kind = TS_OPTION_SWITCH,
     MEMBER(with_engines),
     .help = "add the packaged engines"},
    {.name = "set",
     .argument = "name=value",
     .kind = TS_OPTION_ASSIGNMENTS,
     MEMBER(sets),
     .names = TS_NAMES_PARAMETERS,
     .help = "set a parameter, as for run"},
    {.name = "modify",
     .argument = "CHAIN",
     .kind = TS_OPTION_TEXT,
     MEMBER(modifiers),
     .names = TS_NAMES_MODIFIERS,
     .help = "what is done to the contacts, as for run"},
    {.name = "step",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(step),
     .fallback = "0",
     .minimum = 0,
     .maximum = 1e6,
     .help = "0: as built; 2 or more: that simulation step, as in contacts.csv"},
    {.name = "steps",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(steps),
     .fallback = "0",
     .minimum = 0,
     .maximum = 1e6,
     .help = "2 or more: the motion from the scene as built up to step N, a frame a step"},
    {.name = "every",
     .argument = "K",
     .kind = TS_OPTION_COUNT,
     MEMBER(every),
     .fallback = "1",
     .minimum = 1,
     .maximum = 1e6,
     .help = "of a motion: a frame every K steps"},
    {.name = "format",
     .argument = "LIST",
     .kind = TS_OPTION_TEXT,
     MEMBER(formats),
     .choices = list_formats,
     .help = "what to write, several separated by commas (default: vtk,gltf,svg; of a motion: "
             "vtk,gltf, all that there is); scene is a scene file for run --scene, and with a "
             "method its contacts for score"},
    {.name = "out",
     .argument = "DIR",
     .kind = TS_OPTION_TEXT,
     MEMBER(out),
     .help = "folder to write to, new or empty"},
    TS_LIMIT_OPTIONS(LIMIT_OFFSET){
        .name = "force",
        .kind = TS_OPTION_SWITCH,
        MEMBER(may_replace),
        .help = "write even if the folder is not empty: replaces files of the same names, and a "
                "motion all of the motion that export has written there; keeps all others"},
};

const ts_command ts_command_export = {
    .name = "export",
    .operands = "",
    .summary = "Exports a case and contacts, to look at or as a scene file.",
    .notes =
        "A method that fails, crashes, times out or runs out of memory exports nothing, and the "
        "exit status is 3. See docs/export.md for the files and how to open them, docs/scenes.md "
        "for scenes.",
    .examples =
        "touchstone export --case arch --out arch\n"
        "touchstone export --case wall --method opposing --step 3 --out wall --format svg\n"
        "touchstone export --case arch --method growth --steps 100 --every 5 --out motion\n"
        "touchstone export --case arch --format scene --out arch_scene\n"
        "touchstone export --case arch --method growth --step 9 --format scene --out moment\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_export,
};
