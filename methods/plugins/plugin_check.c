// SPDX-License-Identifier: MIT
#include "methods/plugins/plugin_check.h"

#include "base/number.h"
#include "base/param.h"
#include "base/status.h"
#include "base/utf8.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/// Summaries and sources become cells of tables.
#define TEXT_MAX_LENGTH 600

#define PARAMS_MAX  256
#define CHOICES_MAX 64

/// The size of the first version of the struct.
#define FIRST_STRUCT_SIZE offsetof(ts_method, taxonomy)

#define NEEDS_KNOWN                                                                                \
  (TS_NEEDS_CLOSED | TS_NEEDS_TETS | TS_NEEDS_CONVEX | TS_NEEDS_GL | TS_NEEDS_VELOCITY |           \
   TS_NEEDS_PENETRATION)

static bool is_made_of(const char *text, const char *characters, size_t max_length) {
  size_t length = strnlen(text, max_length + 1);
  return length > 0 && length <= max_length && strspn(text, characters) == length;
}

static bool is_name(const char *text) {
  return is_made_of(text, "abcdefghijklmnopqrstuvwxyz0123456789_", TS_NAME_LENGTH_MAX);
}

/// One nonempty line of UTF-8.
static bool is_line(const char *text) {
  size_t length = strnlen(text, TEXT_MAX_LENGTH + 1);
  if (length == 0 || length > TEXT_MAX_LENGTH)
    return false;
  for (size_t i = 0; i < length;) {
    size_t count = ts_utf8_length(text + i);
    if (count == 0 || ts_utf8_control_length(text + i) > 0)
      return false;
    i += count;
  }
  return true;
}

/// A part of a method, for messages: "method X", "parameter Y of method X".
typedef struct place {
  const char *text;
} place;

static ts_status check_line(place where, const char *member, const char *text) {
  if (text && is_line(text))
    return TS_OK;
  return ts_fail(TS_E_INPUT,
                 "%s needs a %s that is one line of UTF-8, 1 to %d bytes, without control "
                 "characters",
                 where.text, member, TEXT_MAX_LENGTH);
}

static ts_status check_choices(place where, const ts_param *param) {
  if (!param->choices)
    return ts_fail(TS_E_INPUT, "%s has no choices; list them, ending with NULL", where.text);
  size_t count = 0;
  for (; param->choices[count]; count++) {
    if (count == CHOICES_MAX)
      return ts_fail(TS_E_INPUT, "%s has more than %d choices; end the list with NULL", where.text,
                     CHOICES_MAX);
    // No separator of lists of values or parameters, except characters of numbers.
    if (!is_made_of(param->choices[count],
                    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-",
                    TS_NAME_LENGTH_MAX))
      return ts_fail(TS_E_INPUT,
                     "%s has choice number %zu, which must be a word of letters, digits and _.+- "
                     "of at most %d bytes",
                     where.text, count + 1, TS_NAME_LENGTH_MAX);
    for (size_t i = 0; i < count; i++)
      if (strcmp(param->choices[i], param->choices[count]) == 0)
        return ts_fail(TS_E_INPUT, "%s has the choice %s twice; remove one", where.text,
                       param->choices[i]);
  }
  return count > 0
             ? TS_OK
             : ts_fail(TS_E_INPUT, "%s has no choices; list them, ending with NULL", where.text);
}

static ts_status check_value(place where, const ts_param *param) {
  bool is_choice = param->kind == TS_PARAM_CHOICE;
  if (!is_choice && param->kind != TS_PARAM_REAL && param->kind != TS_PARAM_INTEGER)
    return ts_fail(TS_E_INPUT, "%s has kind %d; use a value of ts_param_kind", where.text,
                   (int)param->kind);
  if (is_choice)
    TS_TRY(check_choices(where, param));
  else if (!(param->minimum <= param->maximum)) // refuses NaN, too
    return ts_fail(TS_E_INPUT, "%s has the empty range %g to %g; set minimum and maximum",
                   where.text, param->minimum, param->maximum);
  if (ts_param_check(param, param->default_value) == TS_OK)
    return TS_OK;
  char detail[900];
  snprintf(detail, sizeof detail, "%s", ts_status_detail());
  return ts_fail(TS_E_INPUT, "%s has an invalid default: %s", where.text, detail);
}

/// The parameters [count] of a method or modifier.
static ts_status check_params(ts_arena *arena, place owner, const ts_param *params, size_t count) {
  if (count > PARAMS_MAX || (count > 0 && !params))
    return ts_fail(TS_E_INPUT, "%s has %zu parameters%s", owner.text, count,
                   params ? "; the maximum is 256" : " but no descriptors; set params");
  for (size_t i = 0; i < count; i++) {
    const ts_param *param = &params[i];
    if (!param->name || !is_name(param->name))
      return ts_fail(TS_E_INPUT,
                     "parameter %zu of %s needs a name of a-z, 0-9 and _, at most %d bytes", i + 1,
                     owner.text, TS_NAME_LENGTH_MAX);
    place where = {ts_arena_format(arena, "parameter %s of %s", param->name, owner.text)};
    if (!where.text)
      return TS_E_MEMORY;
    for (size_t k = 0; k < i; k++)
      if (strcmp(params[k].name, param->name) == 0)
        return ts_fail(TS_E_INPUT, "%s is defined twice; rename one", where.text);
    TS_TRY(check_line(where, "summary", param->summary));
    TS_TRY(check_value(where, param));
  }
  return TS_OK;
}

/// What a struct of a plug-in says of its version, and the first of them.
typedef struct version {
  uint32_t abi, struct_size, first_abi;
  size_t first_size;
} version;

/// A member that is the name of the parameter that another member depends on, after the parameters
/// are checked.
static ts_status check_condition(const ts_method *m, const char *name, const char *member,
                                 const char *of, bool has_it) {
  if (!name)
    return TS_OK;
  if (!is_name(name) || ts_param_find(m->params, m->param_count, name) < 0)
    return ts_fail(TS_E_INPUT,
                   "method %s has no parameter %.*s, which %s names; set %s to the name of a "
                   "parameter, or to NULL",
                   m->name, TS_NAME_LENGTH_MAX, name, member, member);
  return has_it ? TS_OK
                : ts_fail(TS_E_INPUT, "method %s sets %s but not %s; set both, or neither", m->name,
                          member, of);
}

static ts_status check_conditions(const ts_method *m) {
  TS_TRY(
      check_condition(m, m->keeps_state_if, "keeps_state_if", "keeps_state", m->keeps_state != 0));
  return check_condition(m, m->takes_if, "takes_if", "takes", m->takes != 0);
}

/// Must come before any other member is read.
static ts_status check_version(const char *what, const version *of, size_t index) {
  if (of->abi < of->first_abi || of->abi > TS_METHOD_ABI)
    return ts_fail(
        TS_E_INPUT,
        "%s number %zu is built for version %u of the interface, and this touchstone "
        "has versions %u to %u; update touchstone, or build the plug-in with its headers",
        what, index + 1, (unsigned)of->abi, (unsigned)of->first_abi, (unsigned)TS_METHOD_ABI);
  if (of->struct_size < of->first_size)
    return ts_fail(TS_E_INPUT,
                   "%s number %zu has struct_size %u, but no ts_%s is smaller than %zu; set "
                   "it to sizeof(ts_%s)",
                   what, index + 1, (unsigned)of->struct_size, what, of->first_size, what);
  return TS_OK;
}

/// Name, summary and source; `*where` is then the name for messages.
static ts_status check_texts(place *where, ts_arena *arena, const char *what, size_t index,
                             const char *const texts[3]) {
  if (!texts[0] || !is_name(texts[0]))
    return ts_fail(TS_E_INPUT, "%s number %zu needs a name of a-z, 0-9 and _, at most %d bytes",
                   what, index + 1, TS_NAME_LENGTH_MAX);
  where->text = ts_arena_format(arena, "%s %s", what, texts[0]);
  if (!where->text)
    return TS_E_MEMORY;
  TS_TRY(check_line(*where, "summary", texts[1]));
  return check_line(*where, "source", texts[2]);
}

ts_status ts_plugin_check_method(ts_method *out, ts_arena *arena, const ts_method *method,
                                 size_t index) {
  TS_TRY(check_version("method", &(version){method->abi, method->struct_size, 1, FIRST_STRUCT_SIZE},
                       index));
  *out = (ts_method){0};
  size_t known = method->struct_size < sizeof *out ? method->struct_size : sizeof *out;
  memcpy(out, method, known);
  place where;
  const char *const texts[3] = {out->name, out->summary, out->source};
  TS_TRY(check_texts(&where, arena, "method", index, texts));
  if (out->taxonomy && out->taxonomy->limits)
    TS_TRY(check_line(where, "limits", out->taxonomy->limits));
  if (out->needs & ~(uint32_t)NEEDS_KNOWN)
    return ts_fail(TS_E_INPUT,
                   "%s has unknown bits 0x%x in needs; update touchstone, or set TS_NEEDS_* only",
                   where.text, (unsigned)(out->needs & ~(uint32_t)NEEDS_KNOWN));
  if (!out->generate)
    return ts_fail(TS_E_INPUT, "%s has no generate(); set it", where.text);
  TS_TRY(check_params(arena, where, out->params, out->param_count));
  return check_conditions(out);
}

/// The version of the interface in which modifiers came.
#define FIRST_MODIFIER_ABI 3

ts_status ts_plugin_check_modifier(ts_modifier *out, ts_arena *arena, const ts_modifier *modifier,
                                   size_t index) {
  const version of = {modifier->abi, modifier->struct_size, FIRST_MODIFIER_ABI, sizeof *out};
  TS_TRY(check_version("modifier", &of, index));
  memcpy(out, modifier, sizeof *out);
  place where;
  const char *const texts[3] = {out->name, out->summary, out->source};
  TS_TRY(check_texts(&where, arena, "modifier", index, texts));
  if (!out->apply)
    return ts_fail(TS_E_INPUT, "%s has no apply(); set it", where.text);
  return check_params(arena, where, out->params, out->param_count);
}
