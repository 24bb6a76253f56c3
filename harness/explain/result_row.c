// SPDX-License-Identifier: MIT
#include "harness/explain/result_row.h"

#include "base/number.h"
#include "base/status.h"
#include "harness/plan/explain_command.h"
#include "harness/plan/names.h"
#include "methods/modifiers/modifier_chain.h"
#include "reports/rows/modified_names.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/// Names, steps and cells that a message lists; the others are left out.
#define LISTED_MAX 24
#define CELLS_MAX  4

/// Whether two values are one text or one number.
static bool is_same_value(const char *a, const char *b) {
  double x, y;
  return strcmp(a, b) == 0 ||
         (ts_number_parse(&x, a) == TS_OK && ts_number_parse(&y, b) == TS_OK && x == y);
}

/// Whether the list "name=value;name=value" of an owner has what is assigned.
static bool list_has(const char *owner, const char *list, const ts_assignment *set) {
  const char *dot = strchr(set->name, '.'), *name = dot ? dot + 1 : set->name;
  bool is_of_owner = !dot || (strlen(owner) == (size_t)(dot - set->name) &&
                              memcmp(owner, set->name, (size_t)(dot - set->name)) == 0);
  size_t name_length = strlen(name);
  while (is_of_owner && *list) {
    size_t length = strcspn(list, ";");
    if (length > name_length && list[name_length] == '=' && memcmp(list, name, name_length) == 0) {
      char value[128];
      snprintf(value, sizeof value, "%.*s", (int)(length - name_length - 1),
               list + name_length + 1);
      return is_same_value(value, set->value);
    }
    list += length + (list[length] == ';');
  }
  return false;
}

static bool has_set(const ts_record *r, const ts_assignment *set) {
  return list_has(r->case_name, r->case_parameters, set) ||
         list_has(r->method, r->method_parameters, set) ||
         list_has("scoring", r->scoring_parameters, set) ||
         list_has("simulation", r->simulation_parameters, set);
}

/// Whether the row has the modifiers that are asked for, all of their text or their names.
static bool has_modifiers(const ts_record *r, const char *asked) {
  char names[200];
  if (strcmp(asked, TS_MODIFIERS_NONE) == 0)
    return *r->modifiers == '\0';
  ts_modifier_names(names, sizeof names, r->modifiers);
  return strcmp(asked, r->modifiers) == 0 || strcmp(asked, names) == 0;
}

/// The number of wishes that a row meets, in the order in which they are reported when none does:
/// case, method, cell, parameters, step.
enum { MEETS_NOTHING, MEETS_CASE, MEETS_METHOD, MEETS_CELL, MEETS_SETS, MEETS_ALL };

static int meets(const ts_record *r, const ts_row_wish *wish) {
  if (strcmp(r->case_name, wish->case_name) != 0)
    return MEETS_NOTHING;
  if (strcmp(r->method, wish->method) != 0)
    return MEETS_CASE;
  if (wish->cell && strncmp(r->cell, wish->cell, strlen(wish->cell)) != 0)
    return MEETS_METHOD;
  if (wish->modifiers && !has_modifiers(r, wish->modifiers))
    return MEETS_METHOD;
  for (size_t i = 0; i < wish->sets.count; i++)
    if (!has_set(r, &wish->sets.items[i]))
      return MEETS_CELL;
  return r->step == wish->step ? MEETS_ALL : MEETS_SETS;
}

/// The same wish, for a row without modifiers.
static ts_row_wish plain_wish(const ts_row_wish *wish) {
  ts_row_wish plain = *wish;
  plain.modifiers = TS_MODIFIERS_NONE;
  return plain;
}

static bool has_row(const ts_record *records, size_t count, const ts_row_wish *wish) {
  for (size_t i = 0; i < count; i++)
    if (meets(&records[i], wish) == MEETS_ALL)
      return true;
  return false;
}

/// Fails with the names that the rows have in a column.
static ts_status fail_name(const ts_record *records, size_t count, const ts_row_wish *wish,
                           bool is_case, const char *path) {
  const char *names[LISTED_MAX];
  size_t named = 0;
  for (size_t i = 0; i < count && named < LISTED_MAX; i++) {
    const char *name = is_case ? records[i].case_name : records[i].method;
    bool is_new = is_case || strcmp(records[i].case_name, wish->case_name) == 0;
    for (size_t k = 0; k < named && is_new; k++)
      is_new = strcmp(names[k], name) != 0;
    if (is_new)
      names[named++] = name;
  }
  ts_names_unknown(is_case ? "case" : "method", is_case ? wish->case_name : wish->method, names,
                   named);
  char detail[900];
  snprintf(detail, sizeof detail, "%s", ts_status_detail());
  return ts_fail(TS_E_INPUT, "%.200s: %s", path, detail);
}

/// Whether another cell of the wish has the step of row `index` earlier in the file.
static bool has_step_before(const ts_record *records, size_t index, const ts_row_wish *wish) {
  for (size_t i = 0; i < index; i++)
    if (records[i].step == records[index].step && meets(&records[i], wish) == MEETS_SETS)
      return true;
  return false;
}

/// Fails with the steps that the rows of the wish have.
static ts_status fail_step(const ts_record *records, size_t count, const ts_row_wish *wish,
                           const char *path) {
  char list[200] = "";
  size_t listed = 0;
  for (size_t i = 0; i < count && listed <= LISTED_MAX; i++) {
    if (meets(&records[i], wish) != MEETS_SETS || has_step_before(records, i, wish) ||
        listed++ >= LISTED_MAX)
      continue;
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%.0f", used ? ", " : "", records[i].step);
  }
  return ts_fail(
      TS_E_INPUT, "%.200s has no row of %s by %s at step %.0f; give --step: there is %s%s", path,
      wish->case_name, wish->method, wish->step, list, listed > LISTED_MAX ? ", ..." : "");
}

/// Fails with the commands of the cells that fit.
static ts_status fail_several(ts_arena *arena, const ts_record *records, size_t count,
                              const ts_row_wish *wish, const char *results) {
  const char *const *commands;
  char list[800] = "";
  size_t cells = 0;
  TS_TRY(ts_explain_commands(&commands, arena, records, count, results));
  for (size_t i = 0; i < count; i++) {
    if (meets(&records[i], wish) != MEETS_ALL || cells++ >= CELLS_MAX)
      continue;
    size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", used ? "; " : "", commands[i]);
  }
  return ts_fail(TS_E_INPUT, "%zu cells of %s by %s fit; choose one of: %s%s", cells,
                 wish->case_name, wish->method, list, cells > CELLS_MAX ? "; ..." : "");
}

ts_status ts_result_row_find(const ts_record **out, ts_arena *arena, const ts_record *records,
                             size_t count, const ts_row_wish *wish, const char *path) {
  int best = MEETS_NOTHING;
  size_t fitting = 0;
  const ts_row_wish plain = plain_wish(wish);
  if (!wish->modifiers && !wish->cell && has_row(records, count, &plain))
    wish = &plain;
  for (size_t i = 0; i < count; i++) {
    int met = meets(&records[i], wish);
    best = met > best ? met : best;
    if (met == MEETS_ALL && fitting++ == 0)
      *out = &records[i];
  }
  switch (best) {
  case MEETS_NOTHING:
    return fail_name(records, count, wish, true, path);
  case MEETS_CASE:
    return fail_name(records, count, wish, false, path);
  case MEETS_METHOD:
    return wish->cell
               ? ts_fail(TS_E_INPUT,
                         "%.200s has no cell %.40s of %s by %s; the column cell of summary.csv has "
                         "them",
                         path, wish->cell, wish->case_name, wish->method)
               : ts_fail(TS_E_INPUT,
                         "%.200s has no row of %s by %s with the modifiers %.200s; the column "
                         "modifiers of summary.csv has those that there are",
                         path, wish->case_name, wish->method, wish->modifiers);
  case MEETS_CELL:
    return ts_fail(TS_E_INPUT,
                   "%.200s has no row of %s by %s with the parameters of --set; the columns "
                   "case_parameters, method_parameters, scoring_parameters and "
                   "simulation_parameters of summary.csv have those that there are",
                   path, wish->case_name, wish->method);
  case MEETS_SETS:
    return fail_step(records, count, wish, path);
  default:
    return fitting == 1 ? TS_OK : fail_several(arena, records, count, wish, path);
  }
}
