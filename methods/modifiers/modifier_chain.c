// SPDX-License-Identifier: MIT
#include "methods/modifiers/modifier_chain.h"

#include "base/hash.h"
#include "base/param.h"
#include "base/status.h"
#include "geometry/vec3.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/// "a, b, c", in the arena.
static const char *list_names(ts_arena *arena, const ts_modifier *const *known, size_t count) {
  const char *list = "";
  for (size_t i = 0; list && i < count; i++)
    list = ts_arena_format(arena, "%s%s%s", list, i > 0 ? ", " : "", known[i]->name);
  return list;
}

static const char *list_params(ts_arena *arena, const ts_modifier *modifier) {
  const char *list = "";
  for (size_t i = 0; list && i < modifier->param_count; i++)
    list = ts_arena_format(arena, "%s%s%s", list, i > 0 ? ", " : "", modifier->params[i].name);
  return list;
}

static ts_status find_modifier(const ts_modifier **out, ts_arena *arena, const char *name,
                               const ts_modifier *const *known, size_t known_count) {
  for (size_t i = 0; i < known_count; i++)
    if (strcmp(known[i]->name, name) == 0) {
      *out = known[i];
      return TS_OK;
    }
  const char *names = list_names(arena, known, known_count);
  if (!names)
    return TS_E_MEMORY;
  return ts_fail(TS_E_INPUT, "unknown modifier \"%.100s\"; choose from %s, or give %s", name, names,
                 TS_MODIFIERS_NONE);
}

static ts_status unknown_param(ts_arena *arena, const ts_modifier *modifier, const char *name) {
  const char *names = list_params(arena, modifier);
  if (!names)
    return TS_E_MEMORY;
  return ts_fail(TS_E_INPUT, "modifier %s has no parameter \"%.100s\"; it has %s", modifier->name,
                 name, *names ? names : "none");
}

/// Sets one parameter by "NAME=VALUE", which is cut in two.
static ts_status assign(double *values, bool *is_set, ts_arena *arena, const ts_modifier *modifier,
                        char *assignment) {
  char *value = strchr(assignment, '=');
  if (!value)
    return ts_fail(TS_E_INPUT, "modifier %s: \"%.100s\" is not PARAMETER=VALUE", modifier->name,
                   assignment);
  *value++ = '\0';
  int index = ts_param_find(modifier->params, modifier->param_count, assignment);
  if (index < 0)
    return unknown_param(arena, modifier, assignment);
  if (is_set[index])
    return ts_fail(TS_E_INPUT, "modifier %s: %s is set twice", modifier->name, assignment);
  is_set[index] = true;
  return ts_param_parse(&values[index], &modifier->params[index], value);
}

/// "NAME:PARAMETER=VALUE...", all parameters in order.
static const char *link_text(ts_arena *arena, const ts_modifier_link *link) {
  const ts_modifier *m = link->modifier;
  const char *text = m->name;
  for (size_t i = 0; text && i < m->param_count; i++) {
    char buffer[32];
    text = ts_arena_format(arena, "%s:%s=%s", text, m->params[i].name,
                           ts_param_format(buffer, &m->params[i], link->values[i]));
  }
  return text;
}

/// Reads one link, whose text is cut up.
static ts_status parse_link(ts_modifier_link *out, ts_arena *arena, char *text,
                            const ts_modifier *const *known, size_t known_count) {
  char *next = strchr(text, ':');
  if (next)
    *next++ = '\0';
  TS_TRY(find_modifier(&out->modifier, arena, text, known, known_count));
  const ts_modifier *m = out->modifier;
  double *values = ts_arena_array(arena, m->param_count, sizeof *values);
  bool *is_set = ts_arena_array(arena, m->param_count, sizeof *is_set);
  if (!values || !is_set)
    return TS_E_MEMORY;
  ts_param_defaults(values, m->params, m->param_count);
  while (next) {
    char *assignment = next;
    next = strchr(assignment, ':');
    if (next)
      *next++ = '\0';
    TS_TRY(assign(values, is_set, arena, m, assignment));
  }
  out->values = values;
  return TS_OK;
}

ts_status ts_modifier_chain_parse(ts_modifier_chain *out, ts_arena *arena, const char *text,
                                  const ts_modifier *const *known, size_t known_count) {
  *out = (ts_modifier_chain){.text = ""};
  if (strcmp(text, TS_MODIFIERS_NONE) == 0)
    return TS_OK;
  size_t count = 1;
  for (const char *c = text; *c; c++)
    count += *c == ',';
  ts_modifier_link *links = ts_arena_array(arena, count, sizeof *links);
  char *rest = ts_arena_string(arena, text);
  if (!links || !rest)
    return TS_E_MEMORY;
  for (size_t i = 0; i < count; i++) {
    char *link = rest, *end = strchr(rest, ',');
    if (end)
      *end++ = '\0';
    rest = end;
    TS_TRY(parse_link(&links[i], arena, link, known, known_count));
    const char *link_is = link_text(arena, &links[i]);
    out->text =
        link_is ? ts_arena_format(arena, "%s%s%s", out->text, i > 0 ? "," : "", link_is) : NULL;
    if (!out->text)
      return TS_E_MEMORY;
  }
  out->count = count;
  out->links = links;
  return TS_OK;
}

/// What a modifier is called with, and what it makes.
typedef struct application {
  ts_arena *scratch;
  ts_contact_set *set; ///< what it pushes
  size_t pushes_max;
  bool all_finite; ///< whether all points and normals were that it got
} application;

typedef struct modifier_host {
  ts_host host; ///< the first member, so that a pointer to it is one to all
  application *application;
} modifier_host;

static application *application_of(const ts_host *host) {
  return ((const modifier_host *)host)->application;
}

static void *no_memory(const ts_host *host, size_t bytes) {
  (void)host, (void)bytes;
  return NULL; // nothing is prepared
}

static void *scratch(const ts_host *host, size_t bytes) {
  return ts_arena_alloc(application_of(host)->scratch, bytes);
}

static bool is_finite(const ts_contact *contact) {
  return ts_vec3_is_finite(contact->point) && ts_vec3_is_finite(contact->normal);
}

static ts_status push(const ts_host *host, const ts_contact *contacts, size_t count) {
  application *a = application_of(host);
  if (count > a->pushes_max - a->set->count)
    return ts_fail(TS_E_INPUT,
                   "pushes more than %zu contacts, four for each that it got and 16: a modifier "
                   "changes contacts, and does not invent them",
                   a->pushes_max);
  for (size_t i = 0; a->all_finite && i < count; i++)
    if (!is_finite(&contacts[i]))
      return ts_fail(TS_E_INPUT, "pushes a contact whose point or normal is not finite");
  return ts_contact_set_push(a->set, contacts, count);
}

static ts_status fail(const ts_host *host, ts_status status, const char *message) {
  (void)host;
  return ts_fail(status, "%s", message ? message : "");
}

/// A failure of a modifier, with its name.
static ts_status name_failure(const ts_modifier *modifier, ts_status status) {
  char detail[900];
  snprintf(detail, sizeof detail, "%s", ts_status_detail());
  // TS_E_IO is for what this machine lacks.
  ts_status kind = status > 0 ? TS_SKIPPED : status == TS_E_IO ? TS_E_INPUT : status;
  return ts_fail(kind, "modifier %s: %s", modifier->name,
                 *detail ? detail : ts_status_name(status));
}

static ts_status call(ts_contact_set *set, ts_arena *arena, const ts_modifier_link *link,
                      const ts_pair *pair, double scale) {
  const ts_modifier *m = link->modifier;
  size_t count = set->count, bytes = count * sizeof *set->contacts;
  ts_contact *before = ts_arena_copy(arena, set->contacts, count, sizeof *before);
  double *params = ts_arena_array(arena, m->param_count, sizeof *params);
  if (!before || !params)
    return TS_E_MEMORY;
  ts_param_scale_lengths(params, m->params, m->param_count, link->values, scale);
  application a = {.scratch = arena,
                   .set = set,
                   .pushes_max = TS_MODIFIER_PUSHES_MAX(count),
                   .all_finite = true};
  const modifier_host host = {.host = {.abi = TS_METHOD_ABI,
                                       .struct_size = sizeof(ts_host),
                                       .alloc = no_memory,
                                       .scratch = scratch,
                                       .push = push,
                                       .fail = fail},
                              .application = &a};
  for (size_t i = 0; i < count; i++)
    a.all_finite = a.all_finite && is_finite(&before[i]);
  uint64_t hash = ts_hash_fast(TS_HASH_START, before, bytes);
  size_t delivered = set->delivered;
  set->count = 0;
  (void)ts_fail(TS_OK, "%s", ""); // an old detail line is not the modifier's
  ts_status status = m->apply(&host.host, pair, before, count, params);
  set->delivered = delivered;
  if (status != TS_OK)
    return status;
  return hash == ts_hash_fast(TS_HASH_START, before, bytes)
             ? ts_contact_set_canonicalise(set, pair->size_m)
             : ts_fail(TS_E_INPUT,
                       "wrote to the contacts that it got, which are read-only; push copies");
}

ts_status ts_modifier_chain_apply(ts_contact_set *set, ts_arena *scratch_arena,
                                  const ts_modifier_chain *chain, const ts_pair *pair,
                                  double scale) {
  for (size_t i = 0; i < chain->count && set->count > 0; i++) {
    ts_arena_mark mark = ts_arena_get_mark(scratch_arena);
    ts_status status = call(set, scratch_arena, &chain->links[i], pair, scale);
    ts_arena_rewind(scratch_arena, mark);
    if (status != TS_OK)
      return name_failure(chain->links[i].modifier, status);
  }
  return TS_OK;
}
