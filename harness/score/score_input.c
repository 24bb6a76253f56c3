// SPDX-License-Identifier: MIT
#include "harness/score/score_input.h"

#include "base/number.h"
#include "base/param.h"
#include "base/status.h"
#include "cases/scene_file/scene_file.h"
#include "harness/plan/catalog.h"
#include "harness/plan/names.h"
#include "harness/run/cell.h"
#include "methods/envelope.h"
#include "methods/modifiers/modifier_registry.h"
#include "methods/registry.h"
#include "reports/rows/csv.h"
#include "reports/rows/outcome.h"

#include <ctype.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

/// Sets the parameters of the scoring and, with --case, those of the case.
static ts_status assign(double *scoring, double *case_values, ts_arena *arena, const ts_case *c,
                        const ts_assignments *sets) {
  ts_assignment *of_scoring = ts_arena_array(arena, sets->count, sizeof *of_scoring);
  ts_assignment *of_case = ts_arena_array(arena, sets->count, sizeof *of_case);
  size_t scoring_count = 0, case_count = 0;
  if (!of_scoring || !of_case)
    return TS_E_MEMORY;
  for (size_t i = 0; i < sets->count; i++) {
    const ts_assignment *set = &sets->items[i];
    bool is_scoring = strncmp(set->name, "scoring.", strlen("scoring.")) == 0 ||
                      ts_param_find(ts_scoring_params, TS_SCORING_COUNT, set->name) >= 0;
    if (is_scoring || !c)
      of_scoring[scoring_count++] = *set;
    else
      of_case[case_count++] = *set;
  }
  TS_TRY(ts_plan_assign(scoring, arena, "scoring", ts_scoring_params, TS_SCORING_COUNT, of_scoring,
                        scoring_count));
  return case_count == 0 ? TS_OK
                         : ts_plan_assign(case_values, arena, c->name, ts_case_params(arena, c),
                                          ts_case_param_count(c), of_case, case_count);
}

/// Builds the scene of --case.
static ts_status build_case(ts_score *s, double *scoring) {
  ts_catalog catalog;
  const ts_case *c;
  TS_TRY(ts_catalog_create(&catalog, s->arena, false));
  TS_TRY(ts_catalog_case(&c, s->arena, &catalog, s->values.case_name));
  size_t count = ts_case_param_count(c);
  const ts_param *params = ts_case_params(s->arena, c);
  double *values = ts_arena_array(s->arena, count, sizeof *values);
  if (!params || !values)
    return TS_E_MEMORY;
  ts_param_defaults(values, params, count);
  TS_TRY(assign(scoring, values, s->arena, c, &s->values.sets));
  s->case_placeholder.name = c->name;
  s->cell.case_parameters = ts_param_join(s->arena, params, count, values);
  if (!s->cell.case_parameters)
    return TS_E_MEMORY;
  return ts_case_build(&s->scene, s->arena, c, values);
}

const char *ts_score_name_of_path(ts_arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  char *name = ts_arena_string(arena, slash ? slash + 1 : path);
  if (!name)
    return NULL;
  char *dot = strrchr(name, '.');
  if (dot && dot > name)
    *dot = '\0';
  for (char *c = name; *c; c++)
    *c = (char)(isalnum((unsigned char)*c) && (unsigned char)*c < 0x80 ? tolower(*c) : '_');
  return name[0] ? name : "contacts";
}

uint32_t ts_score_takes(const ts_score *s) {
  const ts_method *known = ts_method_find(s->method_placeholder.name);
  if (s->values.is_on_triangles)
    return 0;
  if (s->found.has_takes)
    return s->found.takes;
  return known ? known->takes : UINT32_MAX;
}

ts_status ts_score_name_method(ts_score *s) {
  const ts_contacts_states *states = &s->found.states;
  const char *name = s->values.name;
  if (!name && states->count > 0 && states->items[0].method[0])
    name = states->items[0].method;
  if (!name)
    name = s->fallback_name ? s->fallback_name : ts_score_name_of_path(s->arena, s->path);
  if (!name)
    return TS_E_MEMORY;
  size_t length = strlen(name);
  if (length == 0 || length > TS_NAME_LENGTH_MAX ||
      strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != length)
    return ts_fail(TS_E_INPUT,
                   "\"%.60s\" is not a valid method name; give --name with lower-case letters, "
                   "digits and underscores, at most %d",
                   name, TS_NAME_LENGTH_MAX);
  s->method_placeholder.name = name;
  s->method_placeholder.takes = ts_score_takes(s);
  return ts_plan_name_cell(&s->cell, s->arena);
}

static ts_status read_scene(ts_score *s, const char *path, double *scoring) {
  ts_scene_file file;
  TS_TRY(assign(scoring, NULL, s->arena, NULL, &s->values.sets));
  TS_TRY(ts_scene_file_open(&file, s->arena, path));
  s->scene = file.scene;
  s->scene_path = path;
  bool has_name = file.name && file.name[0];
  s->case_placeholder.name = has_name ? file.name : ts_score_name_of_path(s->arena, path);
  s->source.case_name = has_name ? file.name : NULL;
  s->cell.case_parameters = file.case_parameters ? file.case_parameters : "";
  return s->case_placeholder.name ? TS_OK : TS_E_MEMORY;
}

static ts_status read_modifiers(ts_score *s) {
  size_t count = 0;
  while (ts_modifiers[count])
    count++;
  const char *text = s->values.modifiers ? s->values.modifiers : TS_MODIFIERS_NONE;
  return ts_modifier_chain_parse(&s->modifiers, s->arena, text, ts_modifiers, count);
}

ts_status ts_score_read_scene(ts_score *s, const ts_arguments *parsed) {
  double *scoring = ts_arena_array(s->arena, TS_SCORING_COUNT, sizeof *scoring);
  if (!scoring)
    return TS_E_MEMORY;
  ts_param_defaults(scoring, ts_scoring_params, TS_SCORING_COUNT);
  size_t wanted = s->values.case_name ? 1 : 2;
  if (parsed->operand_count != wanted)
    return ts_fail(
        TS_E_INPUT,
        "score takes a scene and a contacts file: touchstone score scene.json contacts.csv, or "
        "with a built-in case: touchstone score --case NAME contacts.csv");
  s->path = parsed->operands[wanted - 1];
  if (s->values.case_name)
    TS_TRY(build_case(s, scoring));
  else
    TS_TRY(read_scene(s, parsed->operands[0], scoring));
  if (s->values.case_name)
    s->source.case_name = s->case_placeholder.name;
  if (s->values.touch_relative > 0) {
    s->scene->closed_relative = s->values.touch_relative;
    s->scene->touch_relative = fmax(s->scene->touch_relative, 10 * s->values.touch_relative);
  }
  TS_TRY(read_modifiers(s));
  s->cell.scoring_values = scoring;
  s->cell.scoring_parameters =
      ts_param_join(s->arena, ts_scoring_params, TS_SCORING_COUNT, scoring);
  s->cell.c = &s->case_placeholder;
  s->cell.method = &s->method_placeholder;
  s->cell.modifiers = &s->modifiers;
  s->cell.method_parameters = s->cell.simulation_parameters = "";
  return s->cell.scoring_parameters ? TS_OK : TS_E_MEMORY;
}

static ts_status read_envelope(ts_envelope *out, const char *text) {
  size_t length = strcspn(text, ":");
  int kind = ts_envelope_find(text, length);
  *out = (ts_envelope){.kind = kind};
  if (kind == TS_ENVELOPE_NONE && text[length] == '\0')
    return TS_OK;
  if (kind > TS_ENVELOPE_NONE && text[length] == ':' &&
      ts_number_parse(&out->size_m, text + length + 1) == TS_OK && out->size_m >= 0 &&
      isfinite(out->size_m))
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "--envelope is \"%.60s\"; write none, or by how many metres the bodies were "
                 "eroded or dilated: eroded:0.001 or dilated:0.001",
                 text);
}

/// Writes the states as "cell ab12, case arch, method growth, step 0", as many as fit.
static const char *list_states(char *out, size_t bytes, const ts_contacts_states *states) {
  size_t used = 0;
  out[0] = '\0';
  for (size_t i = 0; i < states->count; i++) {
    const ts_contacts_state *m = &states->items[i];
    char text[300], step[TS_NUMBER_BYTES];
    ts_number_format(step, m->step);
    snprintf(text, sizeof text, "%s%s%.60s%s%.60s%s%s%s%.40s", i ? "; " : "",
             m->case_name[0] ? "case " : "", m->case_name, m->method[0] ? " method " : "",
             m->method, isnan(m->step) ? "" : " step ", isnan(m->step) ? "" : step,
             m->cell[0] ? " cell " : "", m->cell);
    if (used + strlen(text) + sizeof "; ..." > bytes) {
      snprintf(out + used, bytes - used, "; ...");
      break;
    }
    used += (size_t)snprintf(out + used, bytes - used, "%s", text);
  }
  return out;
}

static bool is_selected(const ts_contacts_source *s, const ts_record *r) {
  return ts_contacts_is_of_cell(s->cell, r->cell) &&
         (!s->method || strcmp(s->method, r->method) == 0) &&
         (!s->case_name || strcmp(s->case_name, r->case_name) == 0) &&
         (isnan(s->step) || s->step == r->step) && ts_record_is_ok(r);
}

/// Reads summary.csv next to contacts.csv of a results folder; no records if there is none.
static ts_status read_summary(ts_record **out, size_t *out_count, const char **out_path,
                              const ts_score *s) {
  *out_count = 0;
  const char *slash = strrchr(s->path, '/');
  int length = slash ? (int)(slash - s->path) + 1 : 0;
  *out_path = ts_arena_format(s->arena, "%.*ssummary.csv", length, s->path);
  if (!*out_path)
    return TS_E_MEMORY;
  if (!s->found.has_cells || !ts_csv_exists(*out_path))
    return TS_OK;
  return ts_summary_read(out, out_count, s->arena, *out_path);
}

/// Adds the states of the summary that have no contacts and therefore no rows.
static ts_status add_empty_states(ts_score *s, const ts_record *records, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const ts_record *r = &records[i];
    const ts_contacts_state state = {r->cell, r->case_name, r->method, r->step};
    if (is_selected(&s->source, r) && r->contacts_unique == 0)
      TS_TRY(ts_contacts_note_state(&s->found.states, s->arena, &state));
  }
  return TS_OK;
}

/// Checks that there is a single state, or that the file has no rows at all.
static ts_status check_states(const ts_score *s) {
  char list[560];
  if (s->found.states.count > 1)
    return ts_fail(TS_E_INPUT,
                   "%.200s has contacts of more than one cell or step; select one with --method, "
                   "--step or --cell: %s",
                   s->path, list_states(list, sizeof list, &s->found.states));
  if (s->found.states.count == 0 && s->found.others.count > 0)
    return ts_fail(TS_E_INPUT,
                   "no row of %.200s matches case %.60s and the given options; its rows are of: %s",
                   s->path, s->case_placeholder.name,
                   list_states(list, sizeof list, &s->found.others));
  return TS_OK;
}

/// The row of summary.csv that the contacts are of; NULL: none.
static const ts_record *find_record(const ts_score *s, const ts_record *records, size_t count) {
  if (s->found.states.count == 0)
    return NULL;
  const ts_contacts_state *m = &s->found.states.items[0];
  for (size_t i = 0; i < count; i++)
    if (strcmp(records[i].cell, m->cell) == 0 && records[i].step == m->step)
      return &records[i];
  return NULL;
}

/// Refuses contacts of which the run listed only a part, or none at all: they would be scored as if
/// there were no others. `record` is the row that they are of; NULL: none.
static ts_status check_listed(const ts_score *s, const ts_record *record, const ts_record *records,
                              size_t count) {
  for (size_t i = 0; i < count && !record && s->found.states.count == 0; i++)
    if (is_selected(&s->source, &records[i]) && records[i].contacts_unique > 0)
      record = &records[i];
  if (!record || !(record->contacts_listed < record->contacts_unique))
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "%.200s lists %.0f of the %.0f contacts of cell %.60s at step %.0f (columns "
                 "contacts_listed and contacts_unique of summary.csv beside it); run it again with "
                 "--contacts all, and choose a step that lists them",
                 s->path, record->contacts_listed, record->contacts_unique, record->cell,
                 record->step);
}

/// What the contacts were found on: as the options say, else the rows, else summary.csv.
static void find_circumstances(ts_score *s, const ts_record *record, const char *summary_path) {
  ts_contacts_found *found = &s->found;
  if (!found->has_takes && record)
    found->has_takes = ts_contacts_takes(&found->takes, record->shapes_native);
  if (s->values.envelope)
    return;
  s->envelope = found->envelope;
  s->envelope_source = found->has_envelope ? "the columns envelope and envelope_m" : NULL;
  if (found->has_envelope || !record)
    return;
  int kind = ts_envelope_find(record->envelope, strlen(record->envelope));
  s->envelope.kind = kind < 0 ? TS_ENVELOPE_NONE : kind;
  s->envelope.size_m = s->envelope.kind == TS_ENVELOPE_NONE ? 0 : record->envelope_m;
  s->envelope_source = summary_path;
}

static ts_status find_body_words(ts_body_words *out, const char *text) {
  static const char *const names[] = {"either", "index", "name"};
  for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
    if (strcmp(text, names[i]) == 0) {
      *out = (ts_body_words)i;
      return TS_OK;
    }
  return ts_names_unknown("--bodies", text, names, sizeof names / sizeof *names);
}

static ts_status find_first(bool *out, const char *text) {
  static const char *const names[] = {"scene", "any"};
  *out = strcmp(text, names[1]) == 0;
  return *out || strcmp(text, names[0]) == 0 ? TS_OK : ts_names_unknown("--first", text, names, 2);
}

/// Writing the verdicts of the rows reads the file a second time.
static ts_status check_twice_readable(const char *path) {
  struct stat facts;
  if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode))
    return ts_fail(
        TS_E_INPUT,
        "--out reads the contacts twice, and %s is not a regular file; write them to one first",
        path);
  return TS_OK;
}

ts_status ts_score_select(ts_score *s) {
  s->source.path = s->path;
  s->source.scene = s->scene;
  s->source.cell = s->values.cell;
  s->source.method = s->values.method;
  s->source.step = s->values.step < 0 ? (double)NAN : s->values.step;
  TS_TRY(find_body_words(&s->source.words, s->values.bodies));
  TS_TRY(find_first(&s->starts_anywhere, s->values.first));
  if (!s->values.envelope)
    return TS_OK;
  s->envelope_source = "--envelope";
  return read_envelope(&s->envelope, s->values.envelope);
}

ts_status ts_score_read_contacts(ts_score *s) {
  s->source.scene = s->scene;
  if (s->values.out)
    TS_TRY(check_twice_readable(s->path));
  TS_TRY(ts_contacts_collect(&s->found, s->arena, &s->source, ts_cell_scoring(&s->cell).rule,
                             s->values.out != NULL));
  ts_record *records = NULL;
  size_t count;
  const char *summary_path;
  TS_TRY(read_summary(&records, &count, &summary_path, s));
  TS_TRY(add_empty_states(s, records, count));
  TS_TRY(check_states(s));
  const ts_record *record = find_record(s, records, count);
  TS_TRY(check_listed(s, record, records, count));
  find_circumstances(s, record, summary_path);
  return TS_OK;
}
