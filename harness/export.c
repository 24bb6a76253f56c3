#include "base/status.h"
#include "harness/cell_exhibit.h"
#include "harness/names.h"
#include "harness/options.h"
#include "harness/picture.h"
#include "reports/disk.h"
#include "reports/gltf.h"
#include "reports/vtk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct export_values {
  const char *case_name, *method, *out, *formats;
  ts_assignments sets;
  double step;
  bool may_replace;
} export_values;

/// A file of the export.
typedef struct piece {
  const char *format, *name, *what;
  bool (*is_wanted)(const ts_exhibit *exhibit); ///< NULL: always
  ts_status (*write)(FILE *file, ts_arena *arena, const ts_exhibit *exhibit);
} piece;

static bool has_envelope(const ts_exhibit *exhibit) {
  for (size_t i = 0; i < exhibit->body_count; i++)
    if (exhibit->bodies[i].enveloped.mesh)
      return true;
  return false;
}

static bool has_tets(const ts_exhibit *exhibit) {
  for (size_t i = 0; i < exhibit->body_count; i++)
    if (exhibit->bodies[i].enveloped.mesh && exhibit->bodies[i].enveloped.mesh->tet_count > 0)
      return true;
  return false;
}

static bool has_method(const ts_exhibit *exhibit) {
  return exhibit->method != NULL;
}

static ts_status write_bodies(FILE *file, ts_arena *arena, const ts_exhibit *exhibit) {
  (void)arena;
  ts_vtk_write_bodies(file, exhibit, false);
  return TS_OK;
}

static ts_status write_envelope(FILE *file, ts_arena *arena, const ts_exhibit *exhibit) {
  (void)arena;
  ts_vtk_write_bodies(file, exhibit, true);
  return TS_OK;
}

static ts_status write_tets(FILE *file, ts_arena *arena, const ts_exhibit *exhibit) {
  (void)arena;
  ts_vtk_write_tets(file, exhibit);
  return TS_OK;
}

static ts_status write_truth(FILE *file, ts_arena *arena, const ts_exhibit *exhibit) {
  (void)arena;
  ts_vtk_write_truth(file, exhibit);
  return TS_OK;
}

static ts_status write_truth_normals(FILE *file, ts_arena *arena, const ts_exhibit *exhibit) {
  (void)arena;
  ts_vtk_write_truth_normals(file, exhibit);
  return TS_OK;
}

static ts_status write_contacts(FILE *file, ts_arena *arena, const ts_exhibit *exhibit) {
  (void)arena;
  ts_vtk_write_contacts(file, exhibit);
  return TS_OK;
}

static ts_status write_gltf(FILE *file, ts_arena *arena, const ts_exhibit *exhibit) {
  (void)arena;
  return ts_gltf_write(file, exhibit);
}

static const piece pieces[] = {
    {"vtk", "bodies.vtp", "the bodies as designed", NULL, write_bodies},
    {"vtk", "envelope.vtp", "the bodies as the method gets them", has_envelope, write_envelope},
    {"vtk", "tets.vtu", "their tetrahedra", has_tets, write_tets},
    {"vtk", "truth.vtp", "where they touch in truth", NULL, write_truth},
    {"vtk", "truth_normals.vtp", "the feasible normals there", NULL, write_truth_normals},
    {"vtk", "contacts.vtp", "the contacts found", has_method, write_contacts},
    {"gltf", "scene.gltf", "all of it, for Blender and the like", NULL, write_gltf},
    {"svg", "picture.svg", "a picture of it, bodies pulled apart", NULL, ts_picture_write},
};
#define PIECE_COUNT (sizeof pieces / sizeof *pieces)

/// A file in memory, and its names once it is on the disk.
typedef struct content {
  char *bytes;
  size_t count;
  const char *path, *draft;
  bool is_chosen; ///< its format is
  bool is_wanted; ///< and there is something to be in it
  bool has_draft;
} content;

typedef struct export {
  ts_arena *arena;
  export_values values;
  ts_exhibit exhibit;
  content contents[PIECE_COUNT];
  size_t made_folder; ///< see ts_disk_make_folder
}
export;

/// Chooses the pieces of the formats in a list "vtk,svg".
static ts_status choose_formats(export *e) {
  static const char *const names[] = {"vtk", "gltf", "svg"};
  char *list = ts_arena_string(e->arena, e->values.formats);
  if (!list)
    return TS_E_MEMORY;
  for (char *word = list, *next; word; word = next) {
    next = strchr(word, ',');
    if (next)
      *next++ = '\0';
    bool is_known = false;
    for (size_t i = 0; i < PIECE_COUNT; i++)
      if (strcmp(pieces[i].format, word) == 0)
        is_known = e->contents[i].is_chosen = true;
    if (!is_known)
      return ts_names_unknown("format", word, names, sizeof names / sizeof *names);
  }
  return TS_OK;
}

/// Refuses a folder with anything in it, before work is done for it.
static ts_status check_folder(const export *e) {
  const char *path = e->values.out;
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0 && errno == ENOENT)
    return TS_OK;
  bool is_empty = false;
  int error = folder < 0 ? errno : ts_disk_is_empty(&is_empty, folder, "");
  if (folder >= 0)
    close(folder);
  if (error == ENOTDIR)
    return ts_fail(TS_E_INPUT, "%s is no folder; choose another --out", path);
  if (error != 0)
    return ts_fail(TS_E_IO, "cannot look into %s: %s; choose another --out", path, strerror(error));
  if (!is_empty && !e->values.may_replace)
    return ts_fail(TS_E_INPUT,
                   "%s is not empty; choose another --out, or add --force to replace what an "
                   "earlier export left there",
                   path);
  return TS_OK;
}

static ts_status fill_content(export *e, size_t index) {
  content *c = &e->contents[index];
  const piece *p = &pieces[index];
  c->path = ts_arena_format(e->arena, "%s/%s", e->values.out, p->name);
  c->draft = ts_arena_format(e->arena, "%s/.%s.%ld", e->values.out, p->name, (long)getpid());
  c->is_wanted = c->is_chosen && (!p->is_wanted || p->is_wanted(&e->exhibit));
  if (!c->path || !c->draft)
    return TS_E_MEMORY;
  if (!c->is_wanted)
    return TS_OK;
  FILE *stream = open_memstream(&c->bytes, &c->count);
  if (!stream)
    return ts_fail(TS_E_MEMORY, "out of memory");
  ts_status status = p->write(stream, e->arena, &e->exhibit);
  bool is_whole = !ferror(stream);
  if ((fclose(stream) != 0 || !is_whole) && status == TS_OK)
    status = ts_fail(TS_E_MEMORY, "out of memory");
  return status;
}

static ts_status fail_write(const char *path, int error) {
  return ts_fail(TS_E_IO, "cannot write %s: %s; %s", path, strerror(error), ts_disk_remedy(error));
}

static ts_status write_draft(content *c) {
  int file = open(c->draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0)
    return fail_write(c->path, errno);
  c->has_draft = true;
  int error = ts_disk_write(file, c->bytes, c->count, 0);
  if (close(file) != 0 && error == 0)
    error = errno;
  return error == 0 ? TS_OK : fail_write(c->path, error);
}

/// Puts the drafts in place, all of which are whole, and takes away what an earlier export left of
/// the pieces that are not there now.
static ts_status place_drafts(export *e) {
  for (size_t i = 0; i < PIECE_COUNT; i++) {
    content *c = &e->contents[i];
    if (c->has_draft && rename(c->draft, c->path) != 0)
      return fail_write(c->path, errno);
    c->has_draft = false;
    if (c->is_chosen && !c->is_wanted && unlink(c->path) != 0 && errno != ENOENT)
      return ts_fail(TS_E_IO, "cannot remove %s of an earlier export: %s; %s", c->path,
                     strerror(errno), ts_disk_remedy(errno));
  }
  return TS_OK;
}

static ts_status write_all(export *e) {
  TS_TRY(ts_disk_make_folder(&e->made_folder, e->values.out));
  ts_status status = TS_OK;
  for (size_t i = 0; i < PIECE_COUNT && status == TS_OK; i++)
    if (e->contents[i].is_wanted)
      status = write_draft(&e->contents[i]);
  if (status == TS_OK)
    status = place_drafts(e);
  if (status == TS_OK)
    return TS_OK;
  for (size_t i = 0; i < PIECE_COUNT; i++)
    if (e->contents[i].has_draft)
      unlink(e->contents[i].draft);
  ts_disk_remove_folder(e->values.out, e->made_folder);
  return status;
}

/// "wall by opposing, step 3: 90 bodies, 248 regions, 1002 contacts (912 correct, 90 incorrect)".
static void print_summary(const export *e) {
  const ts_exhibit *x = &e->exhibit;
  printf("%s%s%s", x->case_name, x->method ? " by " : "", x->method ? x->method : "");
  if (x->step > 0)
    printf(", step %lld", (long long)x->step);
  printf(": %zu bodies, %zu region%s", x->body_count, x->region_count,
         x->region_count == 1 ? "" : "s");
  if (x->method)
    printf(", %zu contact%s", x->contact_count, x->contact_count == 1 ? "" : "s");
  const char *before = " (";
  for (int kind = 0; kind < TS_KIND_COUNT; kind++) {
    size_t count = 0;
    for (size_t i = 0; i < x->contact_count; i++)
      count += (int)ts_contact_row_kind(&x->contacts[i]) == kind;
    if (count > 0)
      printf("%s%zu %s", before, count, ts_contact_looks[kind].name);
    before = count > 0 ? ", " : before;
  }
  printf("%s\n", x->contact_count > 0 ? ")" : "");
  for (size_t i = 0; i < PIECE_COUNT; i++)
    if (e->contents[i].is_wanted)
      printf("  %-20s  %s\n", pieces[i].name, pieces[i].what);
  printf("export: %s\n", e->values.out);
}

static ts_status export_cell(export *e, int count, char *const *arguments) {
  ts_arguments parsed;
  TS_TRY(ts_options_parse(&e->values, &parsed, e->arena, &ts_command_export, count, arguments));
  if (parsed.wants_help)
    return ts_options_help(stdout, &ts_command_export);
  if (parsed.operand_count > 0)
    return ts_fail(TS_E_INPUT, "export takes options only, not \"%s\"", parsed.operands[0]);
  if (!e->values.case_name)
    return ts_fail(TS_E_INPUT, "tell which case: --case NAME; touchstone list cases has them");
  if (!e->values.out)
    return ts_fail(TS_E_INPUT, "tell the folder to write to: --out DIR");
  TS_TRY(choose_formats(e));
  TS_TRY(check_folder(e));
  ts_exhibit_request request = {.case_name = e->values.case_name,
                                .method = e->values.method,
                                .step = (int64_t)e->values.step,
                                .set_count = e->values.sets.count,
                                .sets = e->values.sets.items};
  TS_TRY(ts_cell_exhibit(&e->exhibit, e->arena, &request));
  for (size_t i = 0; i < PIECE_COUNT; i++)
    TS_TRY(fill_content(e, i));
  TS_TRY(write_all(e));
  print_summary(e);
  return TS_OK;
}

static ts_status run_export(int *out_exit, int count, char *const *arguments) {
  export e = {.made_folder = 0};
  TS_TRY(ts_arena_create(&e.arena));
  ts_status status = export_cell(&e, count, arguments);
  for (size_t i = 0; i < PIECE_COUNT; i++)
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
     .help = "the case, by its whole name"},
    {.name = "method",
     .argument = "NAME",
     .kind = TS_OPTION_TEXT,
     MEMBER(method),
     .help = "the method whose contacts and bodies are shown (default: none, the case alone)"},
    {.name = "set",
     .argument = "name=value",
     .kind = TS_OPTION_ASSIGNMENTS,
     MEMBER(sets),
     .help = "set a parameter, as for run; may be given again for others"},
    {.name = "step",
     .argument = "N",
     .kind = TS_OPTION_COUNT,
     MEMBER(step),
     .fallback = "0",
     .minimum = 0,
     .maximum = 1e6,
     .help = "0: as built; 2 and more: that step of the motion, as in contacts.csv"},
    {.name = "format",
     .argument = "LIST",
     .kind = TS_OPTION_TEXT,
     MEMBER(formats),
     .fallback = "vtk,gltf,svg",
     .help = "what to write, of vtk, gltf and svg, with commas between"},
    {.name = "out",
     .argument = "DIR",
     .kind = TS_OPTION_TEXT,
     MEMBER(out),
     .help = "the folder to write to, new or empty"},
    {.name = "force",
     .kind = TS_OPTION_SWITCH,
     MEMBER(may_replace),
     .help = "write to a folder that is not empty, too: replaces files of these names and leaves "
             "others alone"},
};

const ts_command ts_command_export = {
    .name = "export",
    .operands = "",
    .summary = "Writes a case, and the contacts of a method on it, to look at: VTK, glTF, SVG.",
    .notes = "Examples:\n"
             "  touchstone export --case arch --out arch\n"
             "  touchstone export --case wall --method opposing --step 3 --out wall --format svg\n"
             "docs/export.md tells what is in the files and how to open them.\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run_export,
};
