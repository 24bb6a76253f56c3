// SPDX-License-Identifier: MIT
#include "base/status.h"
#include "harness/commands/export_scene.h"
#include "harness/picture/picture.h"
#include "harness/plan/names.h"
#include "harness/plan/options.h"
#include "harness/run/interrupt.h"
#include "methods/plugins/run_in_child.h"
#include "reports/export/gltf.h"
#include "reports/export/vtk.h"
#include "reports/rows/disk.h"
#include "reports/rows/file_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Time limit for a third-party method in total; a longer run is treated as a hang.
#define GUARD_LIMIT_S 600.0

typedef struct export_values {
  const char *case_name, *method, *out, *formats;
  ts_assignments sets;
  ts_texts plugins, scenes;
  double step;
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

/// A file in memory.
typedef struct content {
  const char *name, *what;
  char *bytes;          ///< for a piece: owned, to be freed
  const char *borrowed; ///< otherwise in the arena
  size_t count;
  bool is_chosen; ///< its format is selected
  bool is_wanted; ///< and it has any content
} content;

typedef struct export {
  ts_arena *arena;
  export_values values;
  ts_catalog catalog;
  ts_snapshot snapshot;
  ts_snapshot_source source;
  bool is_chosen[PIECE_COUNT];
  bool has_scene; ///< the scene format is selected
  size_t content_count;
  content *contents; ///< [content_count]: the pieces, then the files of the scene
}
export;

static size_t list_formats(const char **out) {
  static const char *const names[] = {"vtk", "gltf", "svg", SCENE_FORMAT};
  memcpy(out, names, sizeof names);
  return sizeof names / sizeof *names;
}

/// Selects the pieces of the formats in a list "vtk,svg".
static ts_status choose_formats(export *e) {
  char *list = ts_arena_string(e->arena, e->values.formats);
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
  }
  return TS_OK;
}

static ts_status fill_content(export *e, size_t index) {
  content *c = &e->contents[index];
  const piece *p = &pieces[index];
  *c = (content){.name = p->name, .what = p->what, .is_chosen = e->is_chosen[index]};
  c->is_wanted = c->is_chosen && (!p->is_wanted || p->is_wanted(&e->snapshot));
  if (!c->is_wanted)
    return TS_OK;
  FILE *stream = open_memstream(&c->bytes, &c->count);
  if (!stream)
    return ts_fail(TS_E_MEMORY, "out of memory");
  ts_status status = p->write(stream, e->arena, &e->snapshot);
  bool is_whole = !ferror(stream);
  if ((fclose(stream) != 0 || !is_whole) && status == TS_OK)
    status = ts_fail(TS_E_MEMORY, "out of memory");
  return status;
}

/// Writes all files to memory.
static ts_status fill_contents(export *e) {
  ts_scene_part *parts = NULL;
  size_t part_count = 0;
  const ts_case *of;
  TS_TRY(ts_catalog_case(&of, e->arena, &e->catalog, e->values.case_name));
  if (e->has_scene)
    TS_TRY(ts_export_scene(&parts, &part_count, e->arena, of, &e->snapshot, &e->source));
  content *contents = ts_arena_array(e->arena, PIECE_COUNT + part_count, sizeof *contents);
  if (!contents)
    return TS_E_MEMORY;
  e->contents = contents;
  e->content_count = PIECE_COUNT + part_count;
  for (size_t i = 0; i < PIECE_COUNT; i++)
    TS_TRY(fill_content(e, i));
  for (size_t i = 0; i < part_count; i++) {
    contents[PIECE_COUNT + i] = (content){.name = parts[i].name,
                                          .what = parts[i].what,
                                          .borrowed = parts[i].bytes,
                                          .count = parts[i].byte_count,
                                          .is_chosen = true,
                                          .is_wanted = true};
  }
  return TS_OK;
}

/// Removes pieces of an earlier export that are not part of this one.
static ts_status remove_earlier(const export *e) {
  for (size_t i = 0; i < e->content_count; i++) {
    const content *c = &e->contents[i];
    if (!c->is_chosen || c->is_wanted)
      continue;
    const char *path = ts_arena_format(e->arena, "%s/%s", e->values.out, c->name);
    if (!path)
      return TS_E_MEMORY;
    if (unlink(path) != 0 && errno != ENOENT)
      return ts_fail(TS_E_IO, "cannot remove %s, left by an earlier export: %s; %s", path,
                     strerror(errno), ts_disk_remedy(errno));
  }
  return TS_OK;
}

static ts_status write_all(const export *e) {
  ts_file_of_set *files = ts_arena_array(e->arena, e->content_count, sizeof *files);
  size_t count = 0;
  if (!files)
    return TS_E_MEMORY;
  for (size_t i = 0; i < e->content_count; i++) {
    const content *c = &e->contents[i];
    if (c->is_wanted)
      files[count++] = (ts_file_of_set){c->name, c->borrowed ? c->borrowed : c->bytes, c->count};
  }
  TS_TRY(ts_file_set_write(files, count, e->arena, e->values.out));
  return remove_earlier(e);
}

/// "wall by opposing, step 3: 90 bodies, 248 regions, 1002 contacts (912 correct, 90 incorrect)".
static ts_status print_summary(const export *e) {
  const ts_snapshot *x = &e->snapshot;
  printf("%s%s%s", x->case_name, x->method ? " by " : "", x->method ? x->method : "");
  if (x->step > 0)
    printf(", step %lld", (long long)x->step);
  printf(": %zu bodies, ", x->body_count);
  if (x->is_truth_unknown)
    printf("truth unknown");
  else
    printf("%zu region%s", x->region_count, x->region_count == 1 ? "" : "s");
  if (x->unknown_count > 0)
    printf(", %zu unknown pair%s", x->unknown_count, x->unknown_count == 1 ? "" : "s");
  if (x->method)
    printf(", %zu contact%s", x->contact_count, x->contact_count == 1 ? "" : "s");
  const char *before = " (";
  for (int kind = 0; kind < TS_KIND_COUNT; kind++) {
    size_t count = 0;
    for (size_t i = 0; i < x->contact_count; i++)
      count += (int)ts_contact_row_kind(&x->contacts[i]) == kind;
    if (count > 0)
      printf("%s%zu %s", before, count, ts_contact_kind_words[kind]);
    before = count > 0 ? ", " : before;
  }
  printf("%s\n", x->contact_count > 0 ? ")" : "");
  for (size_t i = 0; i < e->content_count; i++)
    if (e->contents[i].is_wanted)
      printf("  %-20s  %s\n", e->contents[i].name, e->contents[i].what);
  if (e->has_scene)
    printf("to run it: touchstone run --scene %s/scene.json\n", e->values.out);
  if (e->has_scene && x->method) {
    const char *command = ts_export_score_command(e->arena, e->values.out, x, &e->source);
    if (!command)
      return TS_E_MEMORY;
    printf("to score the contacts: %s\n", command);
  }
  printf("export: %s\n", e->values.out);
  return TS_OK;
}

/// Builds the snapshot and writes all files.
static ts_status export_scene(export *e) {
  ts_snapshot_request request = {.catalog = &e->catalog,
                                 .case_name = e->values.case_name,
                                 .method = e->values.method,
                                 .step = (int64_t)e->values.step,
                                 .set_count = e->values.sets.count,
                                 .sets = e->values.sets.items};
  TS_TRY(ts_cell_snapshot(&e->snapshot, &e->source, e->arena, &request));
  TS_TRY(fill_contents(e));
  sigset_t before;
  ts_interrupt_hold(&before);
  ts_status status = write_all(e);
  ts_interrupt_release(&before);
  TS_TRY(status);
  return print_summary(e);
}

static ts_status export_in_child(void *result, void *context) {
  (void)result;
  return export_scene(context);
}

/// The same for a third-party method, in a child process that it may crash.
static ts_status export_through_child(export *e) {
  bool returned;
  ts_child_call call = {.work = export_in_child,
                        .context = e,
                        .time_limit_s = GUARD_LIMIT_S,
                        .may_print = true,
                        .who = e->values.method};
  ts_status status = ts_run_in_child(&returned, &call);
  if (returned || status != TS_E_INPUT)
    return status;
  char detail[300];
  snprintf(detail, sizeof detail, "%s", ts_status_detail());
  return ts_fail(status, "method %s %s; nothing is exported", e->values.method, detail);
}

static ts_status export_cell(export *e, int count, char *const *arguments) {
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&e->values, &parsed, e->arena, &ts_command_export, count, arguments));
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_export);
  if (parsed.operand_count > 0)
    return ts_fail(TS_E_INPUT, "export takes options only, not \"%s\"", parsed.operands[0]);
  if (!e->values.case_name && e->values.scenes.count != 1)
    return ts_fail(TS_E_INPUT,
                   "--case NAME (see touchstone list cases) or --scene FILE is required");
  if (!e->values.out)
    return ts_fail(TS_E_INPUT, "--out DIR is required");
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
  bool is_foreign = e->values.method && e->catalog.plugin_count > 0;
  return is_foreign ? export_through_child(e) : export_scene(e);
}

static ts_status run_export(int *out_exit, int count, char *const *arguments) {
  export e = {.content_count = 0};
  TS_TRY(ts_arena_create(&e.arena));
  ts_status status = export_cell(&e, count, arguments);
  for (size_t i = 0; i < e.content_count; i++)
    free(e.contents[i].bytes);
  ts_arena_destroy(e.arena);
  *out_exit = 0;
  return status;
}

#define MEMBER(name) .offset = offsetof(export_values, name)

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
    {.name = "step",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(step),
     .fallback = "0",
     .minimum = 0,
     .maximum = 1e6,
     .help = "0: as built; 2 or more: that simulation step, as in contacts.csv"},
    {.name = "format",
     .argument = "LIST",
     .kind = TS_OPTION_TEXT,
     MEMBER(formats),
     .fallback = "vtk,gltf,svg",
     .choices = list_formats,
     .help = "what to write, several separated by commas; scene is a scene file for run --scene, "
             "and with a method its contacts for score"},
    {.name = "out",
     .argument = "DIR",
     .kind = TS_OPTION_TEXT,
     MEMBER(out),
     .help = "folder to write to, new or empty"},
    {.name = "force",
     .kind = TS_OPTION_SWITCH,
     MEMBER(may_replace),
     .help = "write even if the folder is not empty: replaces files of the same names and keeps "
             "all others"},
};

const ts_command ts_command_export = {
    .name = "export",
    .operands = "",
    .summary = "Exports a case and contacts, to look at or as a scene file.",
    .notes = "See docs/export.md for the files and how to open them, docs/scenes.md for scenes.",
    .examples =
        "touchstone export --case arch --out arch\n"
        "touchstone export --case wall --method opposing --step 3 --out wall --format svg\n"
        "touchstone export --case arch --format scene --out arch_scene\n"
        "touchstone export --case arch --method growth --step 9 --format scene --out moment\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_export,
};
